//! The meaning of a `[symmetry]` table: its names as states, its shift as a formula.

use crate::meaning::Meaning;
use crate::mistake::Mistake;
use crate::model::StateKind;
use crate::names::{Kind, Place};
use crate::shape::Written;
use crate::symmetry::Symmetry;

impl Meaning<'_> {
    pub(crate) fn symmetry(&mut self, states: &[(&Written, StateKind)]) -> Option<Symmetry> {
        let entry = self.file.symmetry.as_ref()?;
        let known = self.mistakes.len();
        self.places.insert("symmetry".to_string(), entry.span.clone());
        if let [_, second, ..] = &self.file.phases[..] {
            let message =
                format!("a model with several phases has no [symmetry], but `{}` is the second", second.name.text);
            let help = "remove the table: orbits are found and followed without it";
            self.mistakes.push(Mistake::at(entry.span.clone(), message).help(help));
            return None;
        }
        let mut signs = vec![1.0; states.len()];
        for (name, written) in &entry.signs {
            let state = states.iter().position(|(state, _)| state.text == name.text);
            if let Some((_, StateKind::Phase)) = state.map(|i| states[i]) {
                let message = format!("the phase `{}` has no sign: a symmetry shifts it", name.text);
                let help = "remove it here, and give the shift beside `signs`, e.g. phase = \"pi\"";
                self.mistakes.push(Mistake::at(name.inside(), message).help(help));
                continue;
            }
            match written.text.trim().parse::<f64>() {
                Ok(sign) if sign.abs() == 1.0 => {
                    if let Some(i) = state {
                        signs[i] = sign;
                        self.places.insert(format!("symmetry.signs.{}", name.text), written.inside());
                    }
                }
                _ => {
                    let message = format!("the sign of `{}` must be 1 or -1, not {}", name.text, written.text);
                    let help = "write -1 if the symmetry reverses it; states that stay as they are need no entry";
                    self.mistakes.push(Mistake::at(written.inside(), message).help(help));
                }
            }
            if state.is_none() {
                self.not_a(name, "state", &[Kind::State, Kind::Coordinate, Kind::Velocity]);
            }
        }
        let mut shift = self.graph.constant(0.0);
        match &entry.phase {
            Some((_, written)) if !self.file.phases.is_empty() => {
                shift = self.formula(written, &Place::SHIFT, "symmetry.phase");
            }
            Some((key, _)) => {
                let help = "remove `phase` from [symmetry], or add the phase as a table [phase.NAME]";
                self.mistakes.push(Mistake::at(key.clone(), "the model has no phase that can be shifted").help(help));
            }
            None => {}
        }
        if self.mistakes.len() == known && entry.phase.is_none() && signs.iter().all(|&sign| sign == 1.0) {
            let help = "name the states that change sign, e.g. signs = { x = -1 }, or remove the table";
            let message = "the symmetry does nothing: no state changes its sign, and no phase is shifted";
            self.mistakes.push(Mistake::at(entry.span.clone(), message).help(help));
        }
        Some(Symmetry { signs, shift })
    }
}
