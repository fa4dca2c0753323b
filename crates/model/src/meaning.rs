//! Resolves names to symbols and formulas to nodes.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use saltation_expr::parse::{Formula, FormulaError, side_name};
use saltation_expr::{Function, Graph, Node};

use crate::entries::{File, LawEntry, PhaseEntry, side_names};
use crate::mistake::Mistake;
use crate::model::{Parameter, StateKind};
use crate::names::{Kind, Names, Place, order};
use crate::shape::Written;
use crate::switch::Surface;
use crate::table_files::Tabulated;

/// The formulas of a file while they are converted to nodes of a graph.
pub(crate) struct Meaning<'f> {
    pub file: &'f File,
    pub graph: Graph,
    pub names: Names,
    pub mistakes: Vec<Mistake>,
    pub places: BTreeMap<String, Range<usize>>,
    /// The formulas in which `abs` stands, by their places.
    pub moduli: HashSet<String>,
    /// The switches that have names, with their formulas.
    pub switches: Vec<Surface>,
}

impl<'f> Meaning<'f> {
    pub(crate) fn new(file: &'f File) -> Meaning<'f> {
        let (names, mistakes, places, moduli, switches) = Default::default();
        Meaning { file, graph: Graph::new(), names, mistakes, places, moduli, switches }
    }

    /// Declares every name; the symbols of the states come back. A name that cannot be declared has a symbol all the same.
    pub(crate) fn declare(&mut self, states: &[(&Written, StateKind)]) -> Vec<Node> {
        let mut symbols = Vec::with_capacity(states.len());
        for (name, kind) in states {
            let kind = match kind {
                StateKind::State => Kind::State,
                StateKind::Coordinate => Kind::Coordinate,
                StateKind::Velocity => Kind::Velocity,
                StateKind::Phase => Kind::Phase,
                StateKind::Discrete => Kind::Discrete,
                StateKind::Time => Kind::Time,
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
        for entry in &file.complementarities {
            let symbol = self.graph.symbol(&entry.multiplier.text);
            self.declare_one(&entry.multiplier, Kind::Multiplier, symbol);
        }
        let unknown = self.graph.constant(1.0);
        for (name, _) in &file.definitions {
            self.declare_one(name, Kind::Definition, unknown);
        }
        let written = file.contacts.iter().filter(|entry| !matches!(entry.law, LawEntry::Side { .. }));
        let contacts: Vec<&Written> = written.map(|entry| &entry.name).collect();
        let sections: Vec<&Written> = file.sections.iter().map(|entry| &entry.name).collect();
        let switches = file.switches.iter().map(|entry| &entry.name);
        let frictions = file.frictions.iter().map(|entry| &entry.name);
        let complementarities = file.complementarities.iter().map(|entry| &entry.name);
        let events = file.events.iter().map(|entry| &entry.name);
        let constraints = file.constraints.iter().map(|entry| &entry.name);
        for element in complementarities.clone() {
            let others = contacts.iter().copied().chain(frictions.clone()).chain(switches.clone());
            if let Some(other) = others.into_iter().find(|other| other.text == element.text) {
                let message = format!("`{}` is the name of a complementarity and of another element", other.text);
                self.mistakes.push(Mistake::at(element.inside(), message).help("choose another name for one of them"));
            }
        }
        for friction in frictions.clone() {
            if let Some(contact) = contacts.iter().find(|contact| contact.text == friction.text) {
                let message = format!("`{}` is the name of a contact and of a friction", contact.text);
                self.mistakes.push(Mistake::at(friction.inside(), message).help("choose another name for one of them"));
            }
        }
        for constraint in constraints.clone() {
            let sides = side_names(&constraint.text);
            let same = |name: &str| name == constraint.text || sides.iter().any(|side| side == name);
            if let Some(contact) = contacts.iter().find(|contact| same(&contact.text)) {
                let message = format!("`{}` is the name of a contact and of a constraint", contact.text);
                self.mistakes
                    .push(Mistake::at(constraint.inside(), message).help("choose another name for one of them"));
            }
        }
        let of_elements = switches.chain(frictions).chain(events).chain(complementarities).chain(constraints);
        for name in contacts.into_iter().chain(sections).chain(of_elements) {
            let fits = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
            if name.text.is_empty() || !name.text.chars().all(fits) {
                let message = format!("`{}` cannot be a name", name.text);
                let help = "the name of a contact, friction, constraint, complementarity, section, switch or event consists of letters, digits, _ and -";
                self.mistakes.push(Mistake::at(name.inside(), message).help(help));
            }
        }
        symbols
    }

    /// Declares the tables. They are functions: quantities may not have their names.
    pub(crate) fn tables(&mut self, tables: &[Tabulated]) {
        for Tabulated { name, table, .. } in tables {
            if let Some(kind) = self.names.kind(&name.text) {
                let message = format!("`{}` is declared twice: as {} and as a table", name.text, kind.noun());
                self.mistakes.push(Mistake::at(name.inside(), message).help("choose another name for one of them"));
            }
            self.graph.declare_table(&name.text, Arc::clone(table));
        }
    }

    fn declare_one(&mut self, name: &Written, kind: Kind, node: Node) {
        if let Err(mistake) = self.names.declare(name, kind, node) {
            self.mistakes.push(mistake);
        }
    }

    /// The rate and the period of a phase, whose places have this key.
    pub(crate) fn phase(&mut self, entry: &PhaseEntry, key: &str) -> (Node, Node) {
        let rate = self.formula(&entry.rate, &Place::PHASE, &format!("{key}.rate"));
        (rate, self.formula(&entry.period, &Place::PHASE, &format!("{key}.period")))
    }

    /// A formula as a node; where it has mistakes, these are noted and it is 1.
    pub(crate) fn formula(&mut self, written: &Written, place: &Place, key: &str) -> Node {
        let read = if place.modulus { Formula::read_with_modulus } else { Formula::read };
        match read(&written.text) {
            Ok(formula) => {
                if formula.has_modulus() {
                    self.moduli.insert(key.to_string());
                }
                self.build(&formula, written, place, key)
            }
            Err(errors) => {
                self.note(written, errors);
                self.graph.constant(1.0)
            }
        }
    }

    fn build(&mut self, formula: &Formula, written: &Written, place: &Place, key: &str) -> Node {
        self.places.insert(key.to_string(), written.inside());
        let names = &self.names;
        // What stays as it is along a motion lies on no surface, and an event sees one state.
        let still = |graph: &Graph, node: Node| graph.symbols_of(node).into_iter().all(|symbol| names.is_still(symbol));
        let exact = |graph: &Graph, difference: Node| place.exact || still(graph, difference);
        let resolve = &mut |graph: &mut Graph, name: &str| names.resolve(graph, name, place);
        let node = formula.build_where(&mut self.graph, resolve, &exact);
        let node = node.unwrap_or_else(|errors| {
            self.note(written, errors);
            self.graph.constant(1.0)
        });
        self.require_smooth(node, written, place);
        if !place.switches
            && let Some(&side) = self.graph.sides_in(node).first()
        {
            let message =
                format!("{} has no corners and no jumps, but `{}` is one", place.what, self.graph.print(side));
            let help = "corners and jumps stand in rates, forces, Lagrangians and the jumps of events; contacts are smooth where they are closed";
            self.mistakes.push(Mistake::at(written.inside(), message).help(help));
        }
        node
    }

    /// Notes tables that are less smooth than a formula at this place must be.
    fn require_smooth(&mut self, node: Node, written: &Written, place: &Place) {
        let Some(least) = place.smooth else { return };
        let lookups = self.graph.lookups_in(&[node]);
        let still = |argument: Node| self.graph.symbols_of(argument).into_iter().all(|s| self.names.is_parameter(s));
        let rough = lookups.into_iter().find_map(|(number, argument)| {
            let lookup = &self.graph.lookups()[number as usize];
            let rough = lookup.table.interpolation().smoothness().is_none_or(|smooth| smooth < least);
            (rough && !still(argument)).then(|| lookup.clone())
        });
        if let Some(lookup) = rough {
            let (name, is) = (&lookup.name, lookup.table.interpolation().word());
            let (message, help) = match least {
                0 => (
                    format!("{} does not jump, but the table `{name}` in it is \"{is}\"", place.what),
                    "write interpolation = \"cubic\", \"monotone\" or \"linear\"",
                ),
                _ => (
                    format!("the speed of {} does not jump, but the table `{name}` in it is \"{is}\"", place.what),
                    "write interpolation = \"cubic\", or \"monotone\": at a corner a body that touches would be struck",
                ),
            };
            self.mistakes.push(Mistake::at(written.inside(), message).help(help));
        }
    }

    fn note(&mut self, written: &Written, errors: Vec<FormulaError>) {
        let mistake = |error: FormulaError| Mistake::of_formula(written.part(error.span.clone()), error);
        self.mistakes.extend(errors.into_iter().map(mistake));
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
                let names = formula.iter().flat_map(Formula::names).map(|(name, _)| name.to_string());
                let switches = formula.iter().flat_map(Formula::switches).map(side_name);
                names.chain(switches).filter_map(|name| index.get(name.as_str()).copied()).collect()
            })
            .collect();
        match order(&references) {
            Ok(order) => (formulas, order),
            Err(circle) => {
                let mut names: Vec<&str> = circle.iter().map(|&i| entries[i].0.text.as_str()).collect();
                names.push(names[0]);
                let (message, help) = if circle.len() == 1 {
                    let help = format!("write `{0}` without `{0}`: a number, or a formula of others", names[0]);
                    (format!("the {what} `{}` refers to itself", names[0]), help)
                } else {
                    let help = format!("give one of them, e.g. `{}`, a value that uses none of the others", names[0]);
                    (format!("{what}s refer to each other in a circle: {}", names.join(" -> ")), help)
                };
                self.mistakes.push(Mistake::at(entries[circle[0]].0.span.clone(), message).help(help));
                (formulas, Vec::new())
            }
        }
    }

    pub(crate) fn parameters(&mut self) -> (Vec<Parameter>, Vec<usize>) {
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
                    let mistake = Mistake::at(written.inside(), "this bound has no finite value");
                    self.mistakes.push(mistake.help("write a number such as 2.5, or leave this bound out"));
                }
                Some(value)
            };
            let (min, max) = (bound(&entry.min, "min"), bound(&entry.max, "max"));
            if let (Some(min), Some(max)) = (min, max)
                && min > max
            {
                let message = format!("the bounds of `{name}` are in the wrong order: {min} to {max}");
                let help = format!("exchange them: min = {max}, max = {min}");
                self.mistakes.push(Mistake::at(entry.name.span.clone(), message).help(help));
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

    pub(crate) fn definitions(&mut self) -> Vec<(String, Node)> {
        let file = self.file;
        let sides: Vec<Written> = file.switches.iter().map(|s| s.name.instead(&side_name(&s.name.text))).collect();
        let switches = sides.iter().zip(&file.switches).map(|(side, entry)| (side, &entry.when));
        let own = file.definitions.iter().map(|(name, value)| (name, value));
        let entries: Vec<(&Written, &Written)> = own.chain(switches).collect();
        let (formulas, order) = self.ordered(&entries, "definition");
        let unknown = self.graph.constant(1.0);
        let mut definitions: Vec<(String, Node)> =
            file.definitions.iter().map(|(name, _)| (name.text.clone(), unknown)).collect();
        for i in order {
            let Some(formula) = &formulas[i] else { continue };
            if let Some(entry) = i.checked_sub(definitions.len()).map(|k| &file.switches[k]) {
                let name = &entry.name.text;
                let when = self.build(formula, &entry.when, &Place::SWITCH, &format!("switches.{name}.when"));
                if self.graph.as_constant(when).is_some() && self.mistakes.is_empty() {
                    let message = format!("the switch `{name}` is a constant, so it has one side only");
                    let help = "write a formula of the states or the phase that is zero where the field changes";
                    self.mistakes.push(Mistake::at(entry.when.inside(), message).help(help));
                    continue;
                }
                let side = self.graph.apply(Function::Sign, when);
                self.names.define_side(name, side);
                self.switches.push(Surface { name: name.clone(), when });
            } else {
                let name = &entries[i].0.text;
                let node = self.build(formula, entries[i].1, &Place::DEFINITION, &format!("definitions.{name}"));
                self.names.define(name, node);
                definitions[i].1 = node;
            }
        }
        definitions
    }
}
