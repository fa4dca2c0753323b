//! What a face proposes before anybody has chosen: parameters of the forcing, and the range of a state that walls leave free.
//!
//! A parameter is an amplitude of the forcing if nothing depends on a phase once it is zero, and a frequency if the rate of a phase depends on it.

use crate::system::System;
use saltation_motion::{ClosedSet, Field};

/// Where on its circle a phase is looked at: at no multiple of a simple part of it, where sines or cosines vanish.
const ASIDE: f64 = 0.1371;

impl System {
    /// The parameters of the forcing: its amplitudes, then its frequencies. None without forcing.
    ///
    /// ```
    /// use saltation::System;
    /// assert_eq!(System::gallery("impact-oscillator")?.forcing_parameters(), ["A", "omega"]);
    /// assert!(System::gallery("bouncing-ball")?.forcing_parameters().is_empty());
    /// # Ok::<(), saltation::Error>(())
    /// ```
    pub fn forcing_parameters(&self) -> Vec<String> {
        let model = self.model();
        let phases: Vec<_> = model.phase.iter().chain(&model.tones).collect();
        let Ok(compiled) = self.compiled() else { return Vec::new() };
        if phases.is_empty() {
            return Vec::new();
        }
        let columns: Vec<usize> = phases.iter().map(|phase| phase.state).collect();
        let mut state = self.numbers().start().to_vec();
        for &column in &columns {
            let period = crate::naming::circle(model, self.numbers(), column).unwrap_or(1.0);
            state[column] += ASIDE * period;
        }
        // Whether anything but the phase itself sees a phase; none where there are no finite numbers.
        let forced = |parameters: &[f64]| -> Option<bool> {
            let sides = compiled.sides_at(parameters, &state);
            let mut field = Field::new(compiled, parameters, &[], ClosedSet::NONE.with_sides(sides));
            let local = field.at(&state);
            let rates = (0..state.len()).filter(|row| !columns.contains(row));
            let of_rates = rates.flat_map(|row| columns.iter().map(move |&column| (row, column)));
            let gaps = (0..local.gaps.len()).flat_map(|row| columns.iter().map(move |&column| (row, column)));
            let mut slopes = of_rates.map(|at| local.jacobian[at]).chain(gaps.map(|at| local.gap_gradients[at]));
            local.is_finite().then(|| slopes.any(|slope| slope != 0.0))
        };
        let numbers = self.numbers().parameters();
        let is_forced = forced(numbers) == Some(true);
        let mut graph = model.graph.clone();
        let (mut amplitudes, mut frequencies) = (Vec::new(), Vec::new());
        for (index, parameter) in model.parameters.iter().enumerate() {
            let is_free = graph.as_constant(parameter.value).is_some();
            let turns = phases.iter().any(|phase| {
                let slope = graph.derivative(phase.rate, parameter.symbol);
                graph.as_constant(slope) != Some(0.0)
            });
            let mut without = numbers.to_vec();
            without[index] = 0.0;
            match (is_free, turns) {
                (true, true) => frequencies.push(parameter.name.clone()),
                (true, false) if is_forced && forced(&without) == Some(false) => {
                    amplitudes.push(parameter.name.clone());
                }
                _ => {}
            }
        }
        amplitudes.append(&mut frequencies);
        amplitudes
    }

    /// The least and the greatest value of a state that walls leave free, of those contacts whose gaps are affine in this state alone.
    ///
    /// ```
    /// use saltation::System;
    /// assert_eq!(System::gallery("impact-oscillator")?.free_range("x"), (None, Some(0.0)));
    /// assert_eq!(System::gallery("impact-oscillator")?.free_range("y"), (None, None));
    /// # Ok::<(), saltation::Error>(())
    /// ```
    pub fn free_range(&self, state: &str) -> (Option<f64>, Option<f64>) {
        let model = self.model();
        let names = self.state_names();
        let Some(index) = names.iter().position(|name| name == state) else { return (None, None) };
        let (start, parameters) = (self.numbers().start(), self.numbers().parameters());
        let value = |symbol: usize| match symbol.checked_sub(start.len()) {
            Some(parameter) => parameters[parameter],
            None => start[symbol],
        };
        let mut graph = model.graph.clone();
        let symbols: Vec<_> = model.states.iter().map(|state| state.symbol).collect();
        let (mut least, mut greatest) = (None::<f64>, None::<f64>);
        for contact in &model.contacts {
            let slopes = graph.gradient(contact.gap, &symbols);
            let alone =
                slopes.iter().enumerate().all(|(k, &slope)| k == index || graph.as_constant(slope) == Some(0.0));
            let bend = graph.derivative(slopes[index], symbols[index]);
            if !alone || graph.as_constant(bend) != Some(0.0) {
                continue;
            }
            let slope = graph.evaluate(slopes[index], &value);
            let wall = start[index] - graph.evaluate(contact.gap, &value) / slope;
            if slope > 0.0 && wall.is_finite() {
                least = Some(least.map_or(wall, |known| known.max(wall)));
            } else if slope < 0.0 && wall.is_finite() {
                greatest = Some(greatest.map_or(wall, |known| known.min(wall)));
            }
        }
        (least, greatest)
    }
}

#[cfg(test)]
mod tests {
    use crate::System;

    #[test]
    fn amplitudes_come_first_and_masses_are_none() {
        for (model, wanted) in [
            ("forced-oscillator", &["omega"][..]),
            ("dry-friction-oscillator", &["A", "w"]),
            ("two-wall-oscillator", &["nu"]),
            ("bouncing-ball", &[]),
        ] {
            assert_eq!(System::gallery(model).unwrap().forcing_parameters(), wanted, "{model}");
        }
        let text = "format = 1\nname = \"t\"\n[parameters]\nm = 2\nF = 3\nw = 1\n[phase.phi]\nrate = \"w\"\nperiod = \"2*pi\"\n\
                    [flow]\nx = \"y\"\ny = \"(F*sin(phi) - x)/m\"\n[start]\nx = 0\ny = 0\nphi = 0\n";
        assert_eq!(System::parse(text, "t").unwrap().forcing_parameters(), ["F", "w"]);
    }

    #[test]
    fn walls_bound_a_state_at_the_numbers_that_are_set() {
        let text = "format = 1\nname = \"t\"\n[parameters]\nd = 2\n[flow]\nx = \"y\"\ny = \"-x\"\n[contacts.left]\ngap = \"x + d\"\njump = { y = \"-y\" }\n\
                    [contacts.right]\ngap = \"3 - 2*x\"\njump = { y = \"-y\" }\n[start]\nx = 0\ny = 0\n";
        let system = System::parse(text, "t").unwrap();
        assert_eq!(system.free_range("x"), (Some(-2.0), Some(1.5)));
        assert_eq!(system.with("d", 5.0).unwrap().free_range("x"), (Some(-5.0), Some(1.5)));
        assert_eq!(system.free_range("nothing"), (None, None));
    }
}
