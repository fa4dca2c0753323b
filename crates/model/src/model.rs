//! The model as plain data: states with their field, contacts at which they jump, and sections.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use saltation_expr::{Graph, Node};

use crate::complementarity::Complementarity;
use crate::constraint::{Constrained, Constraint};
use crate::contact::{Contact, Impacts};
use crate::dependence::{Dependence, Known, Periodic};
use crate::dry::Dry;
use crate::fingerprint;
use crate::matrices::Matrices;
use crate::measured::Measured;
use crate::mechanics::Mechanics;
use crate::mistake::{Mistake, Mistakes};
use crate::section::{Section, SectionKind};
use crate::sketch::Sketch;
use crate::switch::{Discrete, Reset, Switch};
use crate::symmetry::Symmetry;

/// A model: plain data, the same for every question that is asked about it.
///
/// Symbol number i of [`Model::graph`] is state number i, and the symbols after the states are the parameters, in
/// their order; all formulas below are nodes of this graph. Definitions are already inserted in all formulas.
///
/// ```
/// use saltation_model::{Model, Overrides};
/// let model = Model::parse(r#"
///     format = 1
///     name = "ball"
///     [parameters]
///     e = 0.8
///     [mechanics]
///     coordinates = ["x"]
///     velocities = ["v"]
///     M = [[1]]
///     h = [-9.8]
///     [contacts.floor]
///     gap = "x"
///     restitution = "e"
///     [start]
///     x = 1
///     v = 0
/// "#, "ball.toml")?;
/// assert_eq!(model.graph.print(model.contacts[0].after[1]), "v - v*(e + 1)");
/// let values = model.values(&Overrides { set: vec![("e".into(), "1/2".into())], start: vec![] })?;
/// assert_eq!((values.parameters(), values.start()), (&[0.5][..], &[1.0, 0.0][..]));
/// # Ok::<(), saltation_model::Mistakes>(())
/// ```
#[derive(Debug, Clone)]
pub struct Model {
    /// The name in the file.
    pub name: String,
    /// One line that says what it is.
    pub title: Option<String>,
    /// More about it.
    pub about: Option<String>,
    /// Where it was published.
    pub source: Option<String>,
    /// How it flows.
    pub body: Body,
    /// All formulas.
    pub graph: Graph,
    /// The states of a flow in the order of the file, or coordinates and then velocities; then discrete states, the time if formulas have it, and the phase last.
    pub states: Vec<State>,
    /// The circle that carries periodic forcing; of several the first of the file, which counts returns.
    pub phase: Option<Phase>,
    /// The other phases, in the order of the file: states before the first one.
    pub tones: Vec<Phase>,
    /// The parameters in the order of the file.
    pub parameters: Vec<Parameter>,
    /// An order in which every parameter stands after those its formula uses.
    pub parameter_order: Vec<usize>,
    /// The definitions in the order of the file.
    pub definitions: Vec<(String, Node)>,
    /// The functions that are given by points, in the order of the file.
    pub tables: Vec<Measured>,
    /// The contacts in the order of the file.
    pub contacts: Vec<Contact>,
    /// What happens when several of them take part in one impact.
    pub impacts: Impacts,
    /// The sections in the order of the file.
    pub sections: Vec<Section>,
    /// Surfaces on which rates change their formulas, and those of events. The function of one may have sides of those before it.
    pub switches: Vec<Switch>,
    /// Dry friction without contacts, in the order of the file.
    pub frictions: Vec<Dry>,
    /// Functions that stay zero, in the order of the file.
    pub constraints: Vec<Constraint>,
    /// Pairs of quantities of which one is zero, in the order of the file.
    pub complementarities: Vec<Complementarity>,
    /// Events at which the state jumps, in the order of the file.
    pub resets: Vec<Reset>,
    /// States that only jumps change.
    pub discrete: Vec<Discrete>,
    /// The map that, says the file, takes motions to motions; [`Values::symmetry`](crate::Values::symmetry) has it checked.
    pub symmetry: Option<Symmetry>,
    /// Whether the field is affine in the states (other than the phase), with coefficients free of states and phase.
    pub linear: bool,
    /// The unit of time, if the file gives one.
    pub time_unit: Option<String>,
    /// How the mechanism looks, if the file says so. No other part of the model depends on it.
    pub sketch: Option<Sketch>,
    /// The name of the file, or what else the text is.
    pub file: String,
    /// The text of the file.
    pub text: String,
    /// Where formulas stand in the text, by keys such as `contacts.wall.gap`, `contacts.wall.friction.mu`, `contacts.wall.track`,
    /// `contacts.wall.belt`, `parameters.r`, `start.x`, `flow.x`,
    /// `mechanics.h.0`, `mechanics.M.0.1`, `lagrangian.L`, `matrices.load.0`, `symmetry.phase`, `sketch.points.A.x`.
    pub places: BTreeMap<String, Range<usize>>,
    /// Parameters and definitions that no formula uses.
    pub unused: Vec<String>,
    /// The files beside the model that it names, each with the SHA-256 of its text.
    pub files: Vec<(String, [u8; 32])>,
    /// What follows from the parameters, compiled once it is needed.
    pub(crate) compiled: Compiled,
}

/// How a system flows between impacts.
#[derive(Debug, Clone)]
pub enum Body {
    /// dx/dt = F(x) as written.
    Flow,
    /// M dv/dt = h, written so, derived from a Lagrangian, or given by matrices.
    Mechanics(Mechanics),
}

impl Body {
    /// The name of its table in the file.
    pub fn name(&self) -> &'static str {
        match self {
            Body::Flow => "flow",
            Body::Mechanics(Mechanics { matrices: Some(_), .. }) => "matrices",
            Body::Mechanics(Mechanics { lagrangian: None, .. }) => "mechanics",
            Body::Mechanics(_) => "lagrangian",
        }
    }

    /// The mechanical body, if it is one.
    pub fn mechanics(&self) -> Option<&Mechanics> {
        match self {
            Body::Flow => None,
            Body::Mechanics(mechanics) => Some(mechanics),
        }
    }

    /// Its constraints that have forces, if there are any.
    pub fn constrained(&self) -> Option<&Constrained> {
        self.mechanics().and_then(|mechanics| mechanics.constrained.as_deref())
    }

    /// The numbers of a structure that is given by its matrices.
    pub fn matrices(&self) -> Option<&Matrices> {
        self.mechanics().and_then(|mechanics| mechanics.matrices.as_deref())
    }
}

/// A quantity that changes in time.
#[derive(Debug, Clone)]
pub struct State {
    /// Its name in the file.
    pub name: String,
    /// Its symbol in formulas.
    pub symbol: Node,
    /// What sort of state it is.
    pub kind: StateKind,
    /// Its rate of change.
    pub rate: Node,
    /// For an angle of `[angles]` and for the phase: its period, a formula of parameters.
    pub angle_period: Option<Node>,
    /// Its unit, if the file gives one.
    pub unit: Option<String>,
    /// Its start value, a formula of parameters.
    pub start: Node,
}

/// What sort of state it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StateKind {
    /// A state of a flow.
    State,
    /// A coordinate of a mechanical body.
    Coordinate,
    /// The velocity of a coordinate.
    Velocity,
    /// A state that only jumps change.
    Discrete,
    /// The time itself, where formulas have it: a state of rate 1, which begins at 0 unless the file says otherwise.
    Time,
    /// A phase.
    Phase,
}

/// The circle that carries periodic forcing.
#[derive(Debug, Clone)]
pub struct Phase {
    /// Which state it is: the last; of several the first phase of the file is.
    pub state: usize,
    /// Its speed, a formula of parameters.
    pub rate: Node,
    /// Its length, a formula of parameters.
    pub period: Node,
}

/// A number that is fixed during a motion and may vary between motions.
#[derive(Debug, Clone)]
pub struct Parameter {
    /// Its name in the file.
    pub name: String,
    /// Its symbol in formulas.
    pub symbol: Node,
    /// Its value in the file: a number, or a formula of other parameters.
    pub value: Node,
    /// Its unit, if the file gives one.
    pub unit: Option<String>,
    /// Its least value, if there is one.
    pub min: Option<f64>,
    /// Its greatest value, if there is one.
    pub max: Option<f64>,
    /// How it is written in figures, if not by its name.
    pub symbol_text: Option<String>,
    /// What it is.
    pub about: Option<String>,
}

impl Model {
    /// The symbols of all states.
    pub fn state_symbols(&self) -> Vec<Node> {
        self.states.iter().map(|state| state.symbol).collect()
    }

    /// The rates of change of all states.
    pub fn rates(&self) -> Vec<Node> {
        self.states.iter().map(|state| state.rate).collect()
    }

    /// All phases, in the order of the file.
    pub fn phases(&self) -> impl Iterator<Item = &Phase> {
        self.phase.iter().chain(&self.tones)
    }

    /// The symbols of all parameters.
    pub fn parameter_symbols(&self) -> Vec<Node> {
        self.parameters.iter().map(|parameter| parameter.symbol).collect()
    }

    /// The index of a state, coordinate, velocity or the phase.
    pub fn state(&self, name: &str) -> Option<usize> {
        self.states.iter().position(|state| state.name == name)
    }

    /// The time itself among the states, if formulas have it: then a motion depends on when it begins, and none repeats itself.
    pub fn time(&self) -> Option<usize> {
        self.states.iter().position(|state| state.kind == StateKind::Time)
    }

    /// The index of a parameter.
    pub fn parameter(&self, name: &str) -> Option<usize> {
        self.parameters.iter().position(|parameter| parameter.name == name)
    }

    /// The index of a contact.
    pub fn contact(&self, name: &str) -> Option<usize> {
        self.contacts.iter().position(|contact| contact.name == name)
    }

    /// The index of a switch.
    pub fn switch(&self, name: &str) -> Option<usize> {
        self.switches.iter().position(|switch| switch.name == name)
    }

    /// The index of a section.
    pub fn section(&self, name: &str) -> Option<usize> {
        self.sections.iter().position(|section| section.name == name)
    }

    /// The same for the same text, and the same texts of the matrices that it names, on every machine, and of no other text (SHA-256), as 64
    /// hexadecimal digits.
    pub fn fingerprint(&self) -> String {
        fingerprint::of(&self.text, self.files.iter().map(|(_, hash)| *hash))
    }

    /// Whether the model can be simulated: a structure with more than [`MOST_MOVED`](crate::matrices::MOST_MOVED) degrees of freedom has
    /// modes, and no rates of change.
    pub fn is_moved(&self) -> bool {
        self.body.matrices().is_none_or(Matrices::is_moved)
    }

    /// Whether the file gives the contact of this name friction, also where the model cannot be simulated.
    pub(crate) fn has_friction(&self, contact: &str) -> bool {
        self.places.contains_key(&format!("contacts.{contact}.friction.mu"))
    }

    /// A mistake at a place of the file, by its key in [`Model::places`].
    pub fn mistake_at(&self, place: &str, message: impl Into<String>) -> Mistake {
        let mistake = Mistake::general(message);
        Mistake { span: self.places.get(place).cloned(), ..mistake }
    }

    /// That the argument of a table is where the table has no value, and what would give it one; `where_it_is` says that it left its points, or lies outside of them.
    pub fn outside_table(&self, lookup: u32, where_it_is: &str, value: f64) -> [String; 2] {
        let table = &self.graph.lookups()[lookup as usize];
        let argument = self.graph.argument_of(lookup).map_or_else(String::new, |argument| self.graph.print(argument));
        let [first, last] = table.table.span();
        let name = &table.name;
        [
            format!(
                "the argument {argument} of the table {name} {where_it_is}: it is {value:.6e}, and they go from {first:.6e} to {last:.6e}"
            ),
            "beyond = \"hold\" or \"periodic\" says what holds there".to_string(),
        ]
    }

    /// Mistakes of this model's file.
    pub fn mistakes(&self, list: Vec<Mistake>) -> Mistakes {
        Mistakes::new(&self.file, &self.text, list)
    }
}

/// A model with what follows from its parameters, compiled when it is first asked for. A copy of the model compiles its own: its formulas may be
/// changed.
#[derive(Debug, Default)]
pub(crate) struct Compiled {
    whole: OnceLock<(Arc<Model>, Arc<Dependence>)>,
    /// The states on which nothing depends.
    pub neutral: OnceLock<Vec<usize>>,
}

impl Clone for Compiled {
    fn clone(&self) -> Compiled {
        Compiled::default()
    }
}

impl Model {
    /// The model and what follows from its parameters, compiled once.
    pub(crate) fn compiled(&self) -> &(Arc<Model>, Arc<Dependence>) {
        self.compiled.whole.get_or_init(|| (Arc::new(self.clone()), Arc::new(self.depend())))
    }

    /// What follows from the parameters, compiled.
    fn depend(&self) -> Dependence {
        let mut nodes = self.parameter_symbols();
        nodes.extend(self.parameters.iter().map(|parameter| parameter.value));
        nodes.extend(self.states.iter().map(|state| state.start));
        nodes.extend(self.phase.as_ref().map(|phase| phase.period));
        nodes.extend(self.states.iter().filter_map(|state| state.angle_period));
        nodes.extend(self.sections.iter().filter_map(|section| match section.kind {
            SectionKind::Formula { period, .. } => period,
            SectionKind::Contact(_) => None,
        }));
        // The formulas of a motion are many, and none of them is needed here.
        let part = self.graph.part(&nodes);
        let (count, states) = (self.parameters.len(), self.states.len());
        let mut roots = part.roots.into_iter();
        let mut take = |count: usize| roots.by_ref().take(count).collect::<Vec<Node>>();
        let (symbols, parameters, starts, periods) = (take(count), take(count), take(states), take(usize::MAX));
        let periodic = Periodic {
            phase: self.phase.is_some(),
            states: self.states.iter().map(|state| state.angle_period.is_some()).collect(),
            sections: self
                .sections
                .iter()
                .map(|s| matches!(s.kind, SectionKind::Formula { period: Some(_), .. }))
                .collect(),
        };
        Dependence::compile(Known { periodic, symbols, periods }, part.graph, parameters, starts, &self.parameter_order)
    }
}
