//! What do the formulas of a file mean? Names become symbols, text becomes nodes, and from these follow M, h, v, a and W.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use saltation_expr::parse::{Formula, nearest};
use saltation_expr::{Graph, Node};

use crate::contact::{self, Contact, Field};
use crate::file::{BodyEntry, ContactEntry, File, LawEntry};
use crate::mechanics::{self, Mechanics};
use crate::mistake::Mistake;
use crate::model::{Body, Model, Parameter, Phase, State, StateKind};
use crate::names::{Kind, Names, Place, order};
use crate::section::{Direction, Section, SectionKind, period};
use crate::shape::Written;
use crate::{lagrangian, linear};

/// The greatest number of states.
const MOST_STATES: usize = 200;
/// The greatest number of names in all.
const MOST_NAMES: usize = 1000;

struct Assembly<'f> {
    file: &'f File,
    graph: Graph,
    names: Names,
    mistakes: Vec<Mistake>,
    places: BTreeMap<String, Range<usize>>,
}

/// M and h before the division.
enum Motion {
    Flow(Vec<Node>),
    Mechanics { mass: Vec<Vec<Node>>, force: Vec<Node> },
    Lagrangian { lagrangian: Node, dissipation: Node, forces: Vec<Node> },
}

enum Law {
    Restitution(Node),
    Jump(Vec<Node>),
}

/// The model of a file, or the mistakes of the first layer that has any.
pub(crate) fn model(file: &File, text: &str, file_name: &str) -> Result<Model, Vec<Mistake>> {
    let states = states(file);
    bounded(file, states.len())?;
    let mut assembly = Assembly {
        file,
        graph: Graph::new(),
        names: Names::default(),
        mistakes: Vec::new(),
        places: BTreeMap::new(),
    };
    let symbols = assembly.declare(&states);
    let parameters = assembly.parameters();
    let definitions = assembly.definitions();
    let phase = file.phase.as_ref().map(|entry| {
        let rate = assembly.formula(&entry.rate, &Place::PHASE, "phase.rate");
        (rate, assembly.formula(&entry.period, &Place::PHASE, "phase.period"))
    });
    let motion = assembly.motion();
    let laws: Vec<(Node, Law)> = file.contacts.iter().map(|entry| assembly.law(entry, &states, &symbols)).collect();
    let whens = assembly.whens();
    let angles = assembly.angles(&states);
    let starts = assembly.starts(&states);
    let (state_units, contact_units, time_unit) = assembly.units(&states);
    let (parameters, parameter_order) = parameters;
    if !assembly.mistakes.is_empty() {
        return Err(assembly.mistakes);
    }

    // From here on all names are right, and the mathematics begins.
    let graph = &mut assembly.graph;
    let moving = states.len() - usize::from(phase.is_some());
    let carried = phase.map(|(rate, _)| (symbols[moving], rate));
    let (body, mut rates) = body(graph, motion, &symbols[..moving], carried);
    rates.extend(phase.map(|(rate, _)| rate));
    let field = Field { states: &symbols, rates: &rates, without_phase: moving };
    let mut mistakes = Vec::new();
    let mut contacts = Vec::new();
    for ((entry, (gap, law)), unit) in file.contacts.iter().zip(laws).zip(contact_units) {
        match contact(graph, &field, &body, entry, gap, law) {
            Ok(contact) => contacts.push(Contact { unit, ..contact }),
            Err(mistake) => mistakes.push(mistake),
        }
    }
    let mut circles: Vec<(Node, Node)> = symbols.iter().zip(&angles).filter_map(|(&s, a)| Some((s, (*a)?))).collect();
    circles.extend(phase.map(|(_, period)| (symbols[moving], period)));
    let mut sections = Vec::new();
    for (entry, when) in file.sections.iter().zip(whens) {
        let kind = match when {
            When::Contact(index) => SectionKind::Contact(index),
            When::Formula(value) => match period(graph, value, &circles) {
                Ok(period) => SectionKind::Formula { value, period },
                Err((a, b)) => {
                    let message = format!(
                        "the section `{}` goes round with two different periods, {} and {}",
                        entry.name.text,
                        graph.print(a),
                        graph.print(b)
                    );
                    mistakes.push(Mistake::at(entry.when.inside(), message).help("use angles of one period"));
                    continue;
                }
            },
        };
        let direction = entry.direction.as_ref().map_or(Direction::Any, |(direction, _)| *direction);
        sections.push(Section { name: entry.name.text.clone(), kind, direction });
    }
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let linear = linear::is_linear(graph, &body, &rates, &symbols, moving);
    let states = states
        .iter()
        .enumerate()
        .map(|(i, (name, kind))| State {
            name: name.text.clone(),
            symbol: symbols[i],
            kind: *kind,
            rate: rates[i],
            angle_period: angles[i].or(phase.filter(|_| i == moving).map(|(_, period)| period)),
            unit: state_units[i].clone(),
            start: starts[i],
        })
        .collect();
    Ok(Model {
        name: file.name.clone(),
        title: file.title.clone(),
        about: file.about.clone(),
        source: file.source.clone(),
        body,
        states,
        phase: phase.map(|(rate, period)| Phase { state: moving, rate, period }),
        parameters,
        parameter_order,
        definitions,
        contacts,
        sections,
        linear,
        time_unit,
        file: file_name.to_string(),
        text: text.to_string(),
        places: assembly.places,
        unused: assembly.names.unused(),
        graph: assembly.graph,
    })
}

/// The states in their order, the phase last.
fn states(file: &File) -> Vec<(&Written, StateKind)> {
    let mut states: Vec<(&Written, StateKind)> = Vec::new();
    let pairs = match &file.body {
        BodyEntry::Flow { rates } => {
            states.extend(rates.iter().map(|(name, _)| (name, StateKind::State)));
            None
        }
        BodyEntry::Mechanics { coordinates, velocities, .. } => Some((coordinates, velocities)),
        BodyEntry::Lagrangian(entry) => Some((&entry.coordinates, &entry.velocities)),
    };
    if let Some((coordinates, velocities)) = pairs {
        states.extend(coordinates.iter().map(|name| (name, StateKind::Coordinate)));
        states.extend(velocities.iter().map(|name| (name, StateKind::Velocity)));
    }
    states.extend(file.phase.as_ref().map(|phase| (&phase.name, StateKind::Phase)));
    states
}

fn bounded(file: &File, states: usize) -> Result<(), Vec<Mistake>> {
    let names =
        states + file.parameters.len() + file.definitions.len() + file.contacts.len() + file.sections.len();
    let refuse = |count: usize, what: &str, most: usize| {
        Err(vec![Mistake::general(format!("the model has {count} {what} and may have {most} at most"))])
    };
    if states > MOST_STATES {
        return refuse(states, "states", MOST_STATES);
    }
    if names > MOST_NAMES {
        return refuse(names, "names", MOST_NAMES);
    }
    Ok(())
}

/// The body and the rates of change of its states without the phase.
fn body(graph: &mut Graph, motion: Motion, x: &[Node], phase: Option<(Node, Node)>) -> (Body, Vec<Node>) {
    let n = x.len() / 2;
    let (mass, force, lagrangian) = match motion {
        Motion::Flow(rates) => return (Body::Flow, rates),
        Motion::Mechanics { mass, force } => (mass, force, None),
        Motion::Lagrangian { lagrangian, dissipation, forces } => {
            let qv = (&x[..n], &x[n..]);
            let (mass, force) = lagrangian::mass_and_force(graph, lagrangian, dissipation, &forces, qv, phase);
            (mass, force, Some(lagrangian))
        }
    };
    let (accelerations, pivots) = mechanics::accelerations(graph, &mass, &force);
    let rates = x[n..].iter().copied().chain(accelerations).collect();
    let (coordinates, velocities) = ((0..n).collect(), (n..2 * n).collect());
    (Body::Mechanics(Mechanics { coordinates, velocities, mass, force, pivots, lagrangian }), rates)
}

fn contact(
    graph: &mut Graph,
    field: &Field<'_>,
    body: &Body,
    entry: &ContactEntry,
    gap: Node,
    law: Law,
) -> Result<Contact, Mistake> {
    let name = &entry.name.text;
    let place = match body {
        Body::Flow => &field.states[..field.without_phase],
        Body::Mechanics(mechanics) => &field.states[..mechanics.coordinates.len()],
    };
    if !graph.symbols_of(gap).iter().any(|symbol| place.contains(symbol)) {
        let what = if matches!(body, Body::Flow) { "state" } else { "coordinate" };
        let message = format!("the gap of contact `{name}` does not depend on any {what}, so nothing can close it");
        return Err(Mistake::at(entry.gap.inside(), message));
    }
    match (body, law) {
        (Body::Mechanics(body), Law::Restitution(e)) => Ok(contact::mechanical(graph, field, body, name, gap, e)),
        (_, Law::Jump(after)) => contact::flow(graph, field, name, gap, after).ok_or_else(|| {
            let message = format!("the opening speed of contact `{name}` is the same everywhere on its surface");
            let help = "an impact changes the opening speed, so the rate of change of the gap must contain a state";
            Mistake::at(entry.gap.inside(), message).help(help)
        }),
        // The shape of the file has settled that a flow has jumps and a mechanical body restitutions.
        (Body::Flow, Law::Restitution(_)) => Err(Mistake::at(entry.name.span.clone(), "a flow needs a jump")),
    }
}

enum When {
    Formula(Node),
    Contact(usize),
}

impl Assembly<'_> {
    /// Declares every name; the symbols of the states come back. A name that cannot be declared has a symbol all the same.
    fn declare(&mut self, states: &[(&Written, StateKind)]) -> Vec<Node> {
        let mut symbols = Vec::with_capacity(states.len());
        for (name, kind) in states {
            let kind = match kind {
                StateKind::State => Kind::State,
                StateKind::Coordinate => Kind::Coordinate,
                StateKind::Velocity => Kind::Velocity,
                StateKind::Phase => Kind::Phase,
            };
            let symbol = self.graph.symbol(&name.text);
            self.declare_one(name, kind, symbol);
            symbols.push(symbol);
        }
        let file = self.file;
        for entry in &file.parameters {
            let symbol = self.graph.symbol(&entry.name.text);
            self.declare_one(&entry.name, Kind::Parameter, symbol);
        }
        let unknown = self.graph.constant(1.0);
        for (name, _) in &file.definitions {
            self.declare_one(name, Kind::Definition, unknown);
        }
        let contacts: Vec<&Written> = file.contacts.iter().map(|entry| &entry.name).collect();
        let sections: Vec<&Written> = file.sections.iter().map(|entry| &entry.name).collect();
        for name in contacts.into_iter().chain(sections) {
            let fits = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
            if name.text.is_empty() || !name.text.chars().all(fits) {
                let message = format!("`{}` cannot be a name", name.text);
                let help = "the name of a contact or section consists of letters, digits, _ and -";
                self.mistakes.push(Mistake::at(name.inside(), message).help(help));
            }
        }
        symbols
    }

    fn declare_one(&mut self, name: &Written, kind: Kind, node: Node) {
        if let Err(mistake) = self.names.declare(name, kind, node) {
            self.mistakes.push(mistake);
        }
    }

    /// A formula as a node; where it has mistakes, these are noted and it is 1.
    fn formula(&mut self, written: &Written, place: &Place, key: &str) -> Node {
        match Formula::read(&written.text) {
            Ok(formula) => self.build(&formula, written, place, key),
            Err(errors) => {
                self.note(written, errors);
                self.graph.constant(1.0)
            }
        }
    }

    fn build(&mut self, formula: &Formula, written: &Written, place: &Place, key: &str) -> Node {
        self.places.insert(key.to_string(), written.inside());
        let names = &self.names;
        let node = formula.build(&mut self.graph, &mut |graph, name| names.resolve(graph, name, place));
        node.unwrap_or_else(|errors| {
            self.note(written, errors);
            self.graph.constant(1.0)
        })
    }

    fn note(&mut self, written: &Written, errors: Vec<saltation_expr::parse::FormulaError>) {
        self.mistakes.extend(errors.into_iter().map(|error| Mistake {
            message: error.message,
            span: Some(written.part(error.span)),
            help: error.help,
        }));
    }

    /// Reads formulas that may refer to each other, given with what they are called.
    fn ordered(&mut self, entries: &[(&Written, &Written)], what: &str) -> (Vec<Option<Formula>>, Vec<usize>) {
        let index: HashMap<&str, usize> =
            entries.iter().enumerate().map(|(i, (name, _))| (name.text.as_str(), i)).collect();
        let mut formulas = Vec::with_capacity(entries.len());
        for (_, written) in entries {
            formulas.push(Formula::read(&written.text).map_err(|errors| self.note(written, errors)).ok());
        }
        let references: Vec<Vec<usize>> = formulas
            .iter()
            .map(|formula| {
                let names = formula.iter().flat_map(Formula::names);
                names.filter_map(|(name, _)| index.get(name).copied()).collect()
            })
            .collect();
        match order(&references) {
            Ok(order) => (formulas, order),
            Err(circle) => {
                let mut names: Vec<&str> = circle.iter().map(|&i| entries[i].0.text.as_str()).collect();
                names.push(names[0]);
                let message = if circle.len() == 1 {
                    format!("the {what} `{}` refers to itself", names[0])
                } else {
                    format!("{what}s refer to each other in a circle: {}", names.join(" -> "))
                };
                self.mistakes.push(Mistake::at(entries[circle[0]].0.span.clone(), message));
                (formulas, Vec::new())
            }
        }
    }

    fn parameters(&mut self) -> (Vec<Parameter>, Vec<usize>) {
        let file = self.file;
        let entries: Vec<(&Written, &Written)> = file.parameters.iter().map(|p| (&p.name, &p.value)).collect();
        let (formulas, order) = self.ordered(&entries, "parameter");
        let mut parameters = Vec::with_capacity(entries.len());
        for (entry, formula) in file.parameters.iter().zip(&formulas) {
            let name = &entry.name.text;
            let unknown = self.graph.constant(1.0);
            let key = format!("parameters.{name}");
            let value = formula.as_ref().map_or(unknown, |f| self.build(f, &entry.value, &Place::PARAMETER, &key));
            let mut bound = |bound: &Option<Written>, key: &str| {
                let written = bound.as_ref()?;
                let node = self.formula(written, &Place::CONSTANT, &format!("parameters.{name}.{key}"));
                let value = self.graph.evaluate(node, &|_| f64::NAN);
                if !value.is_finite() {
                    self.mistakes.push(Mistake::at(written.inside(), "this bound has no finite value"));
                }
                Some(value)
            };
            let (min, max) = (bound(&entry.min, "min"), bound(&entry.max, "max"));
            if let (Some(min), Some(max)) = (min, max)
                && min > max
            {
                let message = format!("the bounds of `{name}` are in the wrong order: {min} to {max}");
                self.mistakes.push(Mistake::at(entry.name.span.clone(), message));
            }
            parameters.push(Parameter {
                name: name.clone(),
                symbol: self.graph.symbol(name),
                value,
                unit: entry.unit.clone(),
                min,
                max,
                symbol_text: entry.symbol.clone(),
                about: entry.about.clone(),
            });
        }
        (parameters, order)
    }

    fn definitions(&mut self) -> Vec<(String, Node)> {
        let file = self.file;
        let entries: Vec<(&Written, &Written)> = file.definitions.iter().map(|(name, value)| (name, value)).collect();
        let (formulas, order) = self.ordered(&entries, "definition");
        let unknown = self.graph.constant(1.0);
        let mut definitions: Vec<(String, Node)> = entries.iter().map(|(name, _)| (name.text.clone(), unknown)).collect();
        for i in order {
            if let Some(formula) = &formulas[i] {
                let name = &entries[i].0.text;
                let node = self.build(formula, entries[i].1, &Place::DEFINITION, &format!("definitions.{name}"));
                self.names.define(name, node);
                definitions[i].1 = node;
            }
        }
        definitions
    }

    fn motion(&mut self) -> Motion {
        let file = self.file;
        match &file.body {
            BodyEntry::Flow { rates } => Motion::Flow(
                rates.iter().map(|(name, rate)| self.formula(rate, &Place::RATE, &format!("flow.{}", name.text))).collect(),
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
                let dissipation = entry.dissipation.as_ref().map_or(zero, |written| {
                    self.formula(written, &Place::DISSIPATION, "lagrangian.dissipation")
                });
                let mut forces = vec![zero; entry.coordinates.len()];
                for (i, written) in &entry.forces {
                    forces[*i] = self.formula(written, &Place::FORCE, &format!("lagrangian.forces.{i}"));
                }
                Motion::Lagrangian { lagrangian, dissipation, forces }
            }
        }
    }

    fn law(&mut self, entry: &ContactEntry, states: &[(&Written, StateKind)], symbols: &[Node]) -> (Node, Law) {
        let key = format!("contacts.{}", entry.name.text);
        let gap = self.formula(&entry.gap, &Place::GAP, &format!("{key}.gap"));
        let law = match &entry.law {
            LawEntry::Restitution(written) => {
                Law::Restitution(self.formula(written, &Place::RESTITUTION, &format!("{key}.restitution")))
            }
            LawEntry::Jump(jumps) => {
                let mut after = symbols.to_vec();
                for (name, image) in jumps {
                    let image = self.formula(image, &Place::JUMP, &format!("{key}.jump.{}", name.text));
                    match states.iter().position(|(state, _)| state.text == name.text) {
                        Some(i) if states[i].1 == StateKind::Phase => {
                            let message = format!("the phase `{}` cannot jump: it turns by itself", name.text);
                            self.mistakes.push(Mistake::at(name.span.clone(), message));
                        }
                        Some(i) => after[i] = image,
                        None => self.not_a(name, "state", &[Kind::State]),
                    }
                }
                Law::Jump(after)
            }
        };
        (gap, law)
    }

    /// A name stands where only names of some kinds may stand.
    fn not_a(&mut self, name: &Written, what: &str, kinds: &[Kind]) {
        let message = match self.names.kind(&name.text) {
            Some(kind) => format!("`{}` is {}, not a {what}", name.text, kind.noun()),
            None => format!("there is no {what} `{}`", name.text),
        };
        let near = self.names.nearest(&name.text, kinds).map(|near| format!("did you mean `{near}`?"));
        self.mistakes.push(Mistake { help: near, ..Mistake::at(name.inside(), message) });
    }

    fn whens(&mut self) -> Vec<When> {
        let file = self.file;
        let names: Vec<&str> = file.contacts.iter().map(|contact| contact.name.text.as_str()).collect();
        let mut whens = Vec::with_capacity(file.sections.len());
        for entry in &file.sections {
            let Some(contact) = entry.when.text.trim().strip_prefix("contact ").map(str::trim) else {
                let key = format!("sections.{}.when", entry.name.text);
                let node = self.formula(&entry.when, &Place::SECTION, &key);
                if self.mistakes.is_empty() && self.graph.symbols_of(node).iter().all(|&s| self.names.is_parameter(s)) {
                    let message = format!("the section `{}` does not depend on any state", entry.name.text);
                    self.mistakes.push(Mistake::at(entry.when.inside(), message));
                }
                whens.push(When::Formula(node));
                continue;
            };
            let index = names.iter().position(|name| *name == contact);
            if index.is_none() {
                let near = nearest(contact, names.iter().copied()).map(|near| format!("did you mean `{near}`?"));
                let known = || format!("the contacts are {}", names.join(", "));
                let help = near.or_else(|| (!names.is_empty()).then(known));
                let mistake = Mistake::at(entry.when.inside(), format!("there is no contact `{contact}`"));
                self.mistakes.push(Mistake { help, ..mistake });
            }
            if let Some((_, span)) = &entry.direction {
                let message = "a section at impacts has no direction, because the gap always closes there";
                self.mistakes.push(Mistake::at(span.clone(), message).help("remove `direction`"));
            }
            whens.push(When::Contact(index.unwrap_or(0)));
        }
        whens
    }

    fn angles(&mut self, states: &[(&Written, StateKind)]) -> Vec<Option<Node>> {
        let file = self.file;
        let mut angles = vec![None; states.len()];
        for (name, written) in &file.angles {
            let period = self.formula(written, &Place::ANGLE, &format!("angles.{}", name.text));
            match states.iter().position(|(state, _)| state.text == name.text) {
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

    fn starts(&mut self, states: &[(&Written, StateKind)]) -> Vec<Node> {
        let file = self.file;
        for (name, _) in &file.start {
            if !states.iter().any(|(state, _)| state.text == name.text) {
                self.not_a(name, "state", &[Kind::State, Kind::Coordinate, Kind::Velocity, Kind::Phase]);
            }
        }
        let mut starts = Vec::with_capacity(states.len());
        for (state, _) in states {
            let node = match file.start.iter().find(|(name, _)| name.text == state.text) {
                Some((_, written)) => self.formula(written, &Place::START, &format!("start.{}", state.text)),
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
    fn units(&mut self, states: &[(&Written, StateKind)]) -> (Vec<Option<String>>, Vec<Option<String>>, Option<String>) {
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
                let help = match (self.names.kind(&name.text), nearest(&name.text, known)) {
                    (Some(Kind::Parameter), _) => {
                        Some(format!("write {} = {{ value = …, unit = \"…\" }} in [parameters]", name.text))
                    }
                    (_, Some(near)) => Some(format!("did you mean `{near}`?")),
                    _ => None,
                };
                let message = format!("`{}` is not a state, a contact or `time`, so it has no unit here", name.text);
                self.mistakes.push(Mistake { help, ..Mistake::at(name.span.clone(), message) });
            }
        }
        (of_states, of_contacts, of_time)
    }
}
