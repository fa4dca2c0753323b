//! States on which nothing depends, as the height of a toy on its pole: found on the graph, by the symbols in every formula that decides a motion.
//!
//! Shifts of such a state are a symmetry of the motion: they commute with its flow, its impacts and its events. A track of friction counts through the speed of slip
//! only, and a jump `q + c` of the state itself leaves it free.

use saltation_expr::{Graph, Node};

use crate::model::{Model, StateKind};
use crate::section::SectionKind;

/// A formula that decides a motion.
struct Deciding {
    /// What it is, in words.
    what: String,
    formula: Node,
    /// A state that it only adds to.
    adds_to: Option<Node>,
}

impl Deciding {
    fn depends_on(&self, graph: &Graph, symbol: Node) -> bool {
        self.adds_to != Some(symbol) && graph.symbols_of(self.formula).contains(&symbol)
    }
}

impl Model {
    /// The states that no formula depends on which decides the motion: rates, gaps, friction by its speeds, switches, events and sections. They may drift where all else
    /// repeats. The phase and discrete states are not among them.
    ///
    /// ```
    /// use saltation_model::{Model, gallery};
    /// let model = Model::parse(gallery::find("woodpecker").unwrap(), "woodpecker.toml")?;
    /// assert_eq!(model.neutral_states(), [model.state("y").unwrap()]);
    /// assert!(model.dependents(model.state("a").unwrap()).contains(&"the gap of `lower`".to_string()));
    /// # Ok::<(), saltation_model::Mistakes>(())
    /// ```
    pub fn neutral_states(&self) -> &[usize] {
        self.compiled.neutral.get_or_init(|| self.find_neutral())
    }

    fn find_neutral(&self) -> Vec<usize> {
        let deciding = self.deciding();
        let mut seen = vec![false; self.states.len()];
        let symbols = self.state_symbols();
        for one in &deciding {
            for symbol in self.graph.symbols_of(one.formula) {
                let state = symbols.iter().position(|known| *known == symbol);
                state.filter(|_| one.adds_to != Some(symbol)).into_iter().for_each(|i| seen[i] = true);
            }
        }
        let flows =
            |i: &usize| !matches!(self.states[*i].kind, StateKind::Phase | StateKind::Time | StateKind::Discrete);
        (0..self.states.len()).filter(|&i| !seen[i]).filter(flows).collect()
    }

    /// What depends on a state, in words.
    pub fn dependents(&self, state: usize) -> Vec<String> {
        let symbol = self.states[state].symbol;
        let uses = self.deciding().into_iter().filter(|one| one.depends_on(&self.graph, symbol));
        let mut found: Vec<String> = uses.map(|one| one.what).collect();
        found.dedup();
        found
    }

    /// All formulas that decide a motion.
    fn deciding(&self) -> Vec<Deciding> {
        let mut all = Vec::new();
        let mut put = |what: String, formulas: &[Node]| {
            let own = |&formula: &Node| Deciding { what: what.clone(), formula, adds_to: None };
            all.extend(formulas.iter().map(own));
        };
        for state in &self.states {
            put(format!("the rate of `{}`", state.name), &[state.rate]);
        }
        for contact in &self.contacts {
            put(format!("the gap of `{}`", contact.name), &[contact.gap, contact.speed, contact.acceleration]);
            let law = format!("the impact law of `{}`", contact.name);
            put(law.clone(), &[contact.speed_after, contact.restitution]);
            put(law.clone(), &contact.direction);
            put(law.clone(), &contact.push);
            put(law, &contact.response);
            if let Some(friction) = &contact.friction {
                let what = format!("the friction of `{}`", contact.name);
                put(what.clone(), &[friction.coefficient, friction.forward, friction.backward, friction.belt]);
                put(what.clone(), &[friction.slip, friction.slip_acceleration]);
                put(what.clone(), friction.held.as_slice());
                put(what, &friction.response);
            }
        }
        for constraint in &self.constraints {
            put(format!("the constraint `{}`", constraint.name), &[constraint.keep, constraint.speed]);
        }
        if let Some(constrained) = self.body.constrained() {
            let (back, impulse) = &constrained.correction;
            put("the way onto the constraints".to_string(), back);
            put("the way onto the constraints".to_string(), impulse);
        }
        for switch in &self.switches {
            put(format!("the switch `{}`", switch.name), &[switch.function]);
            put(format!("the static limit of `{}`", switch.name), switch.held.map(|(held, _)| held).as_slice());
        }
        for element in &self.complementarities {
            put(format!("the complementarity `{}`", element.name), &element.formulas());
        }
        for section in &self.sections {
            if let SectionKind::Formula { value, .. } = section.kind {
                put(format!("the section `{}`", section.name), &[value]);
            }
        }
        for reset in &self.resets {
            put(format!("the condition of the event `{}`", reset.name), reset.condition.as_slice());
        }
        let mut graph = self.graph.clone();
        let contacts = self.contacts.iter().map(|contact| (&contact.name, &contact.after));
        for (name, after) in contacts.chain(self.resets.iter().map(|reset| (&reset.name, &reset.after))) {
            for (state, &image) in self.states.iter().zip(after).filter(|(state, image)| **image != state.symbol) {
                // A velocity is the rate of its coordinate anyway.
                let adds = state.kind != StateKind::Velocity && adds_to(&mut graph, image, state.symbol);
                let what = format!("the jump of `{}` at `{name}`", state.name);
                all.push(Deciding { what, formula: image, adds_to: adds.then_some(state.symbol) });
            }
        }
        all
    }
}

/// Whether a formula is a state plus what does not depend on it.
fn adds_to(graph: &mut Graph, image: Node, symbol: Node) -> bool {
    let slope = graph.derivative(image, symbol);
    let aside = graph.sides_in(image).into_iter().all(|side| !graph.symbols_of(side).contains(&symbol));
    graph.as_constant(slope) == Some(1.0) && aside
}
