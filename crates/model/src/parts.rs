//! Resolves the parts of a model file: body, contacts, sections, angles, start and units.

use std::collections::{HashMap, HashSet};

use saltation_expr::Node;
use saltation_expr::parse::nearest;

use crate::contact::Rubbing;
use crate::entries::{BodyEntry, ContactEntry, GapWritten, LawEntry};
use crate::entries::{LoadEntry, MatricesEntry, WeightsEntry};
use crate::matrices::GapEntry;
use crate::matrix_files::degree;
use crate::meaning::Meaning;
use crate::mistake::Mistake;
use crate::model::StateKind;
use crate::names::{Kind, Place};
use crate::shape::Written;
use crate::switch::{Discrete, Reset, Surface};

/// M and h before the division.
pub(crate) enum Motion {
    Flow(Vec<Node>),
    Mechanics { mass: Vec<Vec<Node>>, force: Vec<Node> },
    Lagrangian { lagrangian: Node, dissipation: Node, forces: Vec<Node> },
    Matrices { proportional: (Node, Node), load: Vec<(usize, Node)> },
}

/// What a gap is.
pub(crate) enum Gap {
    Formula(Node),
    Weights(GapEntry),
}

/// What happens at an impact.
pub(crate) enum Law {
    Restitution(Node),
    Jump(Vec<Node>),
}

/// Where a section is.
pub(crate) enum When {
    Formula(Node),
    Contact(usize),
}

impl Meaning<'_> {
    pub(crate) fn motion(&mut self) -> Motion {
        let file = self.file;
        match &file.body {
            BodyEntry::Flow { rates } => Motion::Flow(
                rates
                    .iter()
                    .map(|(name, rate)| self.formula(rate, &Place::RATE, &format!("flow.{}", name.text)))
                    .collect(),
            ),
            BodyEntry::Mechanics { mass, force, .. } => {
                let mut rows = Vec::with_capacity(mass.len());
                for (i, row) in mass.iter().enumerate() {
                    let entries = row.iter().enumerate();
                    rows.push(
                        entries.map(|(j, m)| self.formula(m, &Place::MASS, &format!("mechanics.M.{i}.{j}"))).collect(),
                    );
                }
                let force = force.iter().enumerate();
                let force = force.map(|(i, h)| self.formula(h, &Place::FORCE, &format!("mechanics.h.{i}"))).collect();
                Motion::Mechanics { mass: rows, force }
            }
            BodyEntry::Lagrangian(entry) => {
                let lagrangian = self.formula(&entry.lagrangian, &Place::LAGRANGIAN, "lagrangian.L");
                let zero = self.graph.constant(0.0);
                let dissipation = entry
                    .dissipation
                    .as_ref()
                    .map_or(zero, |written| self.formula(written, &Place::DISSIPATION, "lagrangian.dissipation"));
                let mut forces = vec![zero; entry.coordinates.len()];
                for (i, written) in &entry.forces {
                    forces[*i] = self.formula(written, &Place::FORCE, &format!("lagrangian.forces.{i}"));
                }
                Motion::Lagrangian { lagrangian, dissipation, forces }
            }
            BodyEntry::Matrices(entry) => self.structure(entry),
        }
    }

    /// The formulas of a structure: its proportional damping and its loads.
    fn structure(&mut self, entry: &MatricesEntry) -> Motion {
        let zero = self.graph.constant(0.0);
        self.places.insert("matrices.M".to_string(), entry.mass.span.clone());
        self.places.insert("matrices.K".to_string(), entry.stiffness.span.clone());
        if let Some(damping) = &entry.damping {
            self.places.insert("matrices.C".to_string(), damping.span.clone());
        }
        let [mass, stiffness] = [(0, "mass"), (1, "stiffness")].map(|(i, key)| match &entry.proportional[i] {
            Some(written) => self.formula(written, &Place::DAMPING, &format!("matrices.damping.{key}")),
            None => zero,
        });
        let load: Vec<(usize, Node)> = match &entry.load {
            // The numbers are inserted where the matrices are known.
            LoadEntry::None | LoadEntry::File(_) => Vec::new(),
            LoadEntry::List(list, _) => list
                .iter()
                .enumerate()
                .map(|(i, written)| (i, self.formula(written, &Place::LOAD, &format!("matrices.load.{i}"))))
                .collect(),
            LoadEntry::Some(loads) => self.by_degree(loads, &Place::LOAD, "matrices.load"),
        };
        let load = load.into_iter().filter(|(_, node)| *node != zero).collect();
        Motion::Matrices { proportional: (mass, stiffness), load }
    }

    /// Formulas by degree of freedom, from 0 and rising.
    fn by_degree(&mut self, entries: &[(Written, Written)], place: &Place, key: &str) -> Vec<(usize, Node)> {
        let nodes = entries.iter().filter_map(|(name, written)| {
            let i = degree(&name.text)?;
            Some((i, self.formula(written, place, &format!("{key}.{i}"))))
        });
        let mut nodes: Vec<(usize, Node)> = nodes.collect();
        nodes.sort_by_key(|(i, _)| *i);
        nodes
    }

    /// A gap that is given by weights.
    pub(crate) fn weights(&mut self, entry: &WeightsEntry, key: &str) -> GapEntry {
        let zero = self.graph.constant(0.0);
        self.places.insert(format!("{key}.gap"), entry.whole.span.clone());
        let constant = match &entry.constant {
            Some(written) => self.formula(written, &Place::GAP_CONSTANT, &format!("{key}.gap.constant")),
            None => zero,
        };
        GapEntry { constant, normal: self.by_degree(&entry.normal, &Place::WEIGHT, &format!("{key}.gap.normal")) }
    }

    pub(crate) fn law(
        &mut self,
        entry: &ContactEntry,
        states: &[(&Written, StateKind)],
        symbols: &[Node],
    ) -> (Gap, Law) {
        let key = format!("contacts.{}", entry.name.text);
        let gap = match &entry.gap {
            GapWritten::Formula(written) => Gap::Formula(self.formula(written, &Place::GAP, &format!("{key}.gap"))),
            GapWritten::Weights(weights) => Gap::Weights(self.weights(weights, &key)),
        };
        let law = match &entry.law {
            LawEntry::Restitution(written) => {
                Law::Restitution(self.formula(written, &Place::RESTITUTION, &format!("{key}.restitution")))
            }
            LawEntry::Jump(jumps) => Law::Jump(self.jump(jumps, &Place::JUMP, &key, states, symbols)),
            LawEntry::Side { .. } => Law::Restitution(self.graph.constant(0.0)),
        };
        let gap = match (gap, &entry.law) {
            (Gap::Formula(gap), LawEntry::Side { negative: true }) => Gap::Formula(self.graph.negate(gap)),
            (gap, _) => gap,
        };
        (gap, law)
    }

    /// The state after a jump that the file writes for some states.
    fn jump(
        &mut self,
        jumps: &[(Written, Written)],
        place: &Place,
        key: &str,
        states: &[(&Written, StateKind)],
        symbols: &[Node],
    ) -> Vec<Node> {
        let mut after = symbols.to_vec();
        for (name, image) in jumps {
            let image = self.formula(image, place, &format!("{key}.jump.{}", name.text));
            match states.iter().position(|(state, _)| state.text == name.text) {
                Some(i) if states[i].1 == StateKind::Time => {
                    let message = "the time cannot jump: it advances by itself";
                    self.mistakes.push(Mistake::at(name.span.clone(), message).help("remove it from the jump"));
                }
                Some(i) if states[i].1 == StateKind::Phase => {
                    let message = format!("the phase `{}` cannot jump: it advances by itself", name.text);
                    self.mistakes.push(Mistake::at(name.span.clone(), message).help("remove it from the jump"));
                }
                Some(i) => after[i] = image,
                None => {
                    let kinds = [Kind::State, Kind::Coordinate, Kind::Velocity, Kind::Discrete];
                    let kinds = if place.switches { &kinds[..] } else { &kinds[..1] };
                    self.not_a(name, "state", kinds);
                }
            }
        }
        after
    }

    /// The events, each with the formula of its surface.
    pub(crate) fn resets(&mut self, states: &[(&Written, StateKind)], symbols: &[Node]) -> Vec<(Surface, Reset)> {
        let file = self.file;
        let mut resets = Vec::with_capacity(file.events.len());
        for entry in &file.events {
            let (name, key) = (entry.name.text.clone(), format!("events.{}", entry.name.text));
            let when = self.formula(&entry.when, &Place::EVENT, &format!("{key}.when"));
            if self.mistakes.is_empty() && self.graph.symbols_of(when).iter().all(|&s| self.names.is_parameter(s)) {
                let message = format!("the surface of event `{name}` does not depend on any state");
                let help = "write a formula of the states or the phase that is zero where the state jumps";
                self.mistakes.push(Mistake::at(entry.when.inside(), message).help(help));
            }
            let condition = entry.condition.as_ref();
            let condition = condition.map(|written| self.formula(written, &Place::RESET, &format!("{key}.if")));
            let after = self.jump(&entry.jump, &Place::RESET, &key, states, symbols);
            let reset = Reset {
                name: name.clone(),
                switch: 0,
                direction: entry.direction,
                condition,
                after,
                stops: entry.stops,
            };
            resets.push((Surface { name, when }, reset));
        }
        resets
    }

    /// The discrete states: their values, which are formulas of parameters.
    pub(crate) fn discrete(&mut self, first: usize) -> Vec<Discrete> {
        let file = self.file;
        let mut discrete = Vec::with_capacity(file.discrete.len());
        for (k, entry) in file.discrete.iter().enumerate() {
            let values = entry.values.iter().enumerate().map(|(i, written)| {
                self.formula(written, &Place::START, &format!("discrete.{}.values.{i}", entry.name.text))
            });
            discrete.push(Discrete { state: first + k, values: values.collect() });
        }
        discrete
    }

    /// The friction of a contact, if it has any.
    pub(crate) fn friction(&mut self, entry: &ContactEntry) -> Option<Rubbing> {
        let friction = entry.friction.as_ref()?;
        let key = format!("contacts.{}", entry.name.text);
        let coefficient = self.formula(&friction.coefficient, &Place::FRICTION, &format!("{key}.friction.mu"));
        let modulus = self.moduli.contains(&format!("{key}.friction.mu"));
        let held = friction.held.as_ref();
        let held = held.map(|held| self.formula(held, &Place::STICK, &format!("{key}.friction.mu_static")));
        let track = self.formula(&friction.track, &Place::TRACK, &format!("{key}.track"));
        let belt = match &friction.belt {
            Some(belt) => self.formula(belt, &Place::BELT, &format!("{key}.belt")),
            None => self.graph.constant(0.0),
        };
        Some(Rubbing { coefficient, held, track, belt, modulus })
    }

    /// A name stands where only names of some kinds may stand.
    pub(crate) fn not_a(&mut self, name: &Written, what: &str, kinds: &[Kind]) {
        let message = match self.names.kind(&name.text) {
            Some(kind) => format!("`{}` is {}, not a {what}", name.text, kind.noun()),
            None => format!("there is no {what} `{}`", name.text),
        };
        let help = match self.names.nearest(&name.text, kinds) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("known here: {}", self.names.of(kinds).join(", ")),
        };
        self.mistakes.push(Mistake::at(name.inside(), message).help(help));
    }

    pub(crate) fn whens(&mut self) -> Vec<When> {
        let file = self.file;
        let names: Vec<&str> = file.contacts.iter().map(|contact| contact.name.text.as_str()).collect();
        let mut whens = Vec::with_capacity(file.sections.len());
        for entry in &file.sections {
            let Some(contact) = entry.when.text.trim().strip_prefix("contact ").map(str::trim) else {
                let key = format!("sections.{}.when", entry.name.text);
                let node = self.formula(&entry.when, &Place::SECTION, &key);
                if self.mistakes.is_empty() && self.graph.symbols_of(node).iter().all(|&s| self.names.is_parameter(s)) {
                    let message = format!("the section `{}` does not depend on any state", entry.name.text);
                    let help =
                        "write a formula of the states or the phase that is zero on the section, e.g. a velocity";
                    self.mistakes.push(Mistake::at(entry.when.inside(), message).help(help));
                }
                whens.push(When::Formula(node));
                continue;
            };
            let index = names.iter().position(|name| *name == contact);
            if index.is_none() {
                let help = match nearest(contact, names.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None if names.is_empty() => format!("add a table [contacts.{contact}], or write a formula here"),
                    None => format!("the contacts are {}", names.join(", ")),
                };
                let message = format!("there is no contact `{contact}`");
                self.mistakes.push(Mistake::at(entry.when.inside(), message).help(help));
            }
            if let Some((_, span)) = &entry.direction {
                let message = "a section at impacts has no direction, because the gap always closes there";
                self.mistakes.push(Mistake::at(span.clone(), message).help("remove `direction`"));
            }
            whens.push(When::Contact(index.unwrap_or(0)));
        }
        whens
    }

    pub(crate) fn angles(&mut self, states: &[(&Written, StateKind)]) -> Vec<Option<Node>> {
        let file = self.file;
        let mut angles = vec![None; states.len()];
        for (name, written) in &file.angles {
            let period = self.formula(written, &Place::ANGLE, &format!("angles.{}", name.text));
            match states.iter().position(|(state, _)| state.text == name.text) {
                Some(i) if states[i].1 == StateKind::Time => {
                    let message = "the time is no angle: it does not go round";
                    self.mistakes.push(Mistake::at(name.span.clone(), message).help("remove it from [angles]"));
                }
                Some(i) if states[i].1 == StateKind::Phase => {
                    let message = format!("the phase `{}` has its period in [phase.{}]", name.text, name.text);
                    self.mistakes.push(Mistake::at(name.span.clone(), message).help("remove it from [angles]"));
                }
                Some(i) => angles[i] = Some(period),
                None => self.not_a(name, "state", &[Kind::State, Kind::Coordinate, Kind::Velocity]),
            }
        }
        angles
    }

    pub(crate) fn starts(&mut self, states: &[(&Written, StateKind)]) -> Vec<Node> {
        let file = self.file;
        let silent = matches!(file.body, BodyEntry::Matrices(_));
        let given: HashMap<&str, &Written> =
            file.start.iter().map(|(name, value)| (name.text.as_str(), value)).collect();
        let known: HashSet<&str> = states.iter().map(|(state, _)| state.text.as_str()).collect();
        for (name, _) in &file.start {
            if !known.contains(name.text.as_str()) {
                self.not_a(
                    name,
                    "state",
                    &[Kind::State, Kind::Coordinate, Kind::Velocity, Kind::Discrete, Kind::Phase],
                );
            }
        }
        let mut starts = Vec::with_capacity(states.len());
        for (state, kind) in states {
            let discrete = file.discrete.iter().find(|entry| entry.name.text == state.text).map(|entry| &entry.value);
            let node = match given.get(state.text.as_str()).copied().or(discrete) {
                Some(written) => self.formula(written, &Place::START, &format!("start.{}", state.text)),
                None if silent || *kind == StateKind::Time => self.graph.constant(0.0),
                None => {
                    let message = format!("the start value of `{}` is missing", state.text);
                    let help = format!("add {} = … to [start]", state.text);
                    self.mistakes.push(Mistake::at(file.start_span.clone(), message).help(help));
                    self.graph.constant(0.0)
                }
            };
            starts.push(node);
        }
        starts
    }

    /// The units of the states, of the contacts and of time.
    #[allow(clippy::type_complexity)]
    pub(crate) fn units(
        &mut self,
        states: &[(&Written, StateKind)],
    ) -> (Vec<Option<String>>, Vec<Option<String>>, Option<String>) {
        let file = self.file;
        let mut of_states = vec![None; states.len()];
        let mut of_contacts = vec![None; file.contacts.len()];
        let mut of_time = None;
        for (name, unit) in &file.units {
            let unit = Some(unit.clone());
            if let Some(i) = states.iter().position(|(state, _)| state.text == name.text) {
                of_states[i] = unit;
            } else if let Some(i) = file.contacts.iter().position(|contact| contact.name.text == name.text) {
                of_contacts[i] = unit;
            } else if name.text == "time" {
                of_time = unit;
            } else {
                let known = states.iter().map(|(state, _)| state.text.as_str());
                let known = known.chain(file.contacts.iter().map(|contact| contact.name.text.as_str())).chain(["time"]);
                let known: Vec<&str> = known.collect();
                let help = match (self.names.kind(&name.text), nearest(&name.text, known.iter().copied())) {
                    (Some(Kind::Parameter), _) => {
                        format!("write {} = {{ value = …, unit = \"…\" }} in [parameters]", name.text)
                    }
                    (_, Some(near)) => format!("did you mean `{near}`?"),
                    _ => format!("known here: {}", known.join(", ")),
                };
                let message = format!("`{}` is not a state, a contact or `time`, so it has no unit here", name.text);
                self.mistakes.push(Mistake::at(name.span.clone(), message).help(help));
            }
        }
        (of_states, of_contacts, of_time)
    }
}
