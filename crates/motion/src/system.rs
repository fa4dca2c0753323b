//! What has to be evaluated while a model moves? Its formulas, compiled once for every way of moving.

use saltation_expr::{Graph, Node, Tape};
use saltation_model::{Direction, Model, SectionKind, StateKind, Together};

use std::sync::Arc;

use crate::flow::linear::LinearForm;
use crate::friction::formulas::{Bound, Constraint, Formulas, Limit, is_coupled, touch_formulas};
use crate::modes::Modes;
use crate::wrap::Wrap;

/// The direction in which a closed contact slips.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Slip {
    /// g_T' > 0.
    Forward,
    /// g_T' < 0.
    Backward,
}

impl Slip {
    /// Both directions.
    pub const BOTH: [Slip; 2] = [Slip::Forward, Slip::Backward];

    /// sgn g_T'.
    pub fn sign(self) -> f64 {
        match self {
            Slip::Forward => 1.0,
            Slip::Backward => -1.0,
        }
    }

    /// The direction of a speed that is not zero.
    pub fn of(speed: f64) -> Slip {
        if speed < 0.0 { Slip::Backward } else { Slip::Forward }
    }
}

/// How many words of 64 bits a set of contacts has.
const WORDS: usize = 4;

/// A set of contacts, one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
struct Bits([u64; WORDS]);

impl Bits {
    const NONE: Bits = Bits([0; WORDS]);

    fn contains(&self, contact: usize) -> bool {
        self.0[contact / 64] >> (contact % 64) & 1 == 1
    }

    fn insert(&mut self, contact: usize) {
        self.0[contact / 64] |= 1 << (contact % 64);
    }

    fn remove(&mut self, contact: usize) {
        self.0[contact / 64] &= !(1 << (contact % 64));
    }

    fn is_empty(&self) -> bool {
        *self == Bits::NONE
    }
}

/// A set of closed contacts, and which of them slip; one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ClosedSet {
    closed: Bits,
    forward: Bits,
    backward: Bits,
}

impl ClosedSet {
    /// Free flight: no contact is closed.
    pub const NONE: ClosedSet = ClosedSet { closed: Bits::NONE, forward: Bits::NONE, backward: Bits::NONE };
    /// The most contacts a system may have: one bit each.
    pub const LARGEST: usize = 64 * WORDS;

    /// Whether the contact is closed.
    pub fn contains(self, contact: usize) -> bool {
        self.closed.contains(contact)
    }

    /// This set and the contact, closed without slip.
    pub fn with(self, contact: usize) -> ClosedSet {
        let mut set = self.without(contact);
        set.closed.insert(contact);
        set
    }

    /// This set and the contact, which slips.
    pub fn with_slip(self, contact: usize, slip: Slip) -> ClosedSet {
        let mut set = self.with(contact);
        match slip {
            Slip::Forward => set.forward.insert(contact),
            Slip::Backward => set.backward.insert(contact),
        }
        set
    }

    /// This set and the contact, in the words of a mode: `stick`, `slip+` or `slip-`.
    pub fn with_word(self, contact: usize, word: &str) -> Option<ClosedSet> {
        match word {
            "stick" => Some(self.with(contact)),
            "slip+" => Some(self.with_slip(contact, Slip::Forward)),
            "slip-" => Some(self.with_slip(contact, Slip::Backward)),
            _ => None,
        }
    }

    /// How the contact slips, if it does.
    pub fn slip(self, contact: usize) -> Option<Slip> {
        match (self.forward.contains(contact), self.backward.contains(contact)) {
            (true, _) => Some(Slip::Forward),
            (_, true) => Some(Slip::Backward),
            _ => None,
        }
    }

    /// Whether any contact slips.
    pub fn slips(self) -> bool {
        !self.forward.is_empty() || !self.backward.is_empty()
    }

    /// This set without the contact.
    pub fn without(self, contact: usize) -> ClosedSet {
        let mut set = self;
        [&mut set.closed, &mut set.forward, &mut set.backward].into_iter().for_each(|bits| bits.remove(contact));
        set
    }

    /// Whether no contact is closed.
    pub fn is_empty(self) -> bool {
        self.closed.is_empty()
    }

    /// The closed contacts in order.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        let (mut rest, mut word) = (self.closed.0, 0);
        std::iter::from_fn(move || {
            while *rest.get(word)? == 0 {
                word += 1;
            }
            let first = rest[word].trailing_zeros() as usize;
            // Takes the lowest bit away.
            rest[word] &= rest[word] - 1;
            Some(64 * word + first)
        })
    }
}

/// The formulas of one way of moving: the rates with some contacts closed, and what is watched on the way.
///
/// Outputs, in order: the gap of every contact, the value of every section, the contact force of every closed contact, the
/// limits of friction, and how far slip is from being singular.
#[derive(Debug, Clone)]
pub(crate) struct Mode {
    pub closed: ClosedSet,
    pub tape: Arc<Tape>,
    /// What friction keeps above zero in this mode.
    pub limits: Vec<Limit>,
    /// Constraints that hold because others do, with the outputs that then stay zero: gaps and slip speeds.
    pub still: Vec<(Constraint, usize)>,
    /// The output that vanishes where the forces of slip grow without bound.
    pub singular: Option<usize>,
    /// Coefficients of friction of closed contacts that depend on the state, by their outputs.
    pub coefficients: Vec<(usize, usize)>,
    /// The coefficients, if the mode is linear.
    pub linear: Option<Arc<LinearForm>>,
}

/// What happens at the surface of one contact, evaluated at single points.
#[derive(Debug, Clone)]
pub(crate) struct ContactLaw {
    /// The state after an impact, then the opening speed before it, that after it, and the gap after it.
    pub impact: Tape,
    /// Gap, opening speed, then the direction N along the surface in which the speed grows, and the gradient of the gap.
    pub surface: Tape,
    /// Whether the jump moves what the gap consists of.
    pub moves: bool,
    /// The opening speed after slow impacts as a series in that before, where it is no constant multiple of it.
    pub slow: Option<Tape>,
    /// How the contact pushes and rubs, for mechanical bodies.
    pub touch: Option<Tape>,
}

/// A section as the motion sees it: `value - offset` vanishes modulo the period.
#[derive(Debug, Clone)]
pub(crate) struct Section {
    pub name: String,
    pub direction: Direction,
    /// The contact whose impacts are the section, if it is of that kind.
    pub contact: Option<usize>,
    pub formula: Option<Node>,
    /// Position among the section outputs of a mode.
    pub output: usize,
    /// The position of the section in the model; `None` for the phase passing its start value.
    pub declared: Option<usize>,
}

/// A model compiled for motion. Immutable, shared freely between threads.
#[derive(Debug, Clone)]
pub struct System {
    pub(crate) names: Vec<String>,
    pub(crate) contact_names: Vec<String>,
    pub(crate) sections: Vec<Section>,
    pub(crate) section_outputs: usize,
    /// Position of the phase among the states.
    pub(crate) phase: Option<usize>,
    pub(crate) laws: Vec<ContactLaw>,
    /// Flight, then, if there are few contacts, every mode with one closed contact.
    pub(crate) modes: Vec<Mode>,
    /// All others that were met.
    met: Modes,
    /// The period of the phase (or 0), then that of every declared section (or 0), as formulas of parameters.
    pub(crate) periods: Tape,
    /// How formulas see the phase, if there is one.
    pub(crate) wrap: Option<Wrap>,
    /// v'Mv, where contacts are coupled.
    pub(crate) kinetic: Option<Tape>,
    /// Whether contacts rub or take part in joint impacts, so that what happens at them is decided for all together.
    pub(crate) coupled: bool,
    /// The coordinates and the velocities of a mechanical body among the states.
    coordinates: Vec<usize>,
    velocities: Vec<usize>,
    model: Model,
    symbols: Vec<Node>,
    parameters: Vec<Node>,
}

/// So many contacts at most have their own modes compiled before they are needed.
const FEW: usize = 8;

impl System {
    /// Compiles a model.
    ///
    /// The model has passed its checks, so this cannot fail; it takes well under a millisecond for models of a few states.
    ///
    /// # Panics
    /// If the model has more than [`ClosedSet::LARGEST`] contacts: such models move by [`stepping`](crate::stepping) only.
    pub fn new(model: &Model) -> System {
        let most = ClosedSet::LARGEST;
        assert!(model.contacts.len() <= most, "a motion from event to event has {most} contacts at most");
        let symbols: Vec<Node> = model.states.iter().map(|s| s.symbol).collect();
        let parameters: Vec<Node> = model.parameters.iter().map(|p| p.symbol).collect();
        let phase = model.states.iter().position(|s| s.kind == StateKind::Phase);
        let mut sections: Vec<Section> = Vec::new();
        let mut section_outputs = 0;
        let formulas = model.sections.iter().enumerate().map(|(declared, section)| {
            let (formula, contact) = match &section.kind {
                SectionKind::Formula { value, .. } => (Some(*value), None),
                SectionKind::Contact(contact) => (None, Some(*contact)),
            };
            (section.name.clone(), section.direction, formula, contact, Some(declared))
        });
        let own_phase = phase.map(|p| (model.states[p].name.clone(), Direction::Any, Some(symbols[p]), None, None));
        for (name, direction, formula, contact, declared) in formulas.chain(own_phase) {
            sections.push(Section { name, direction, contact, formula, output: section_outputs, declared });
            section_outputs += usize::from(formula.is_some());
        }
        let graph = &model.graph;
        let laws = model
            .contacts
            .iter()
            .map(|contact| {
                let mut graph = graph.clone();
                let mut impact = contact.after.clone();
                impact.extend([contact.speed, contact.speed_after, contact.gap_after]);
                let mut surface = vec![contact.gap, contact.speed];
                surface.extend(&contact.push);
                for (state, &symbol) in model.states.iter().zip(&symbols) {
                    // The surface is reached by moving the states, never the phase.
                    let slope = match state.kind {
                        StateKind::Phase => graph.constant(0.0),
                        _ => graph.derivative(contact.gap, symbol),
                    };
                    surface.push(slope);
                }
                let touch = model.body.mechanics().map(|body| touch_formulas(&mut graph, contact, body, &symbols));
                let slope = graph.lie_derivative(contact.speed_after, &symbols, &contact.push);
                let bend = graph.lie_derivative(slope, &symbols, &contact.push);
                let curved = graph.as_constant(bend) != Some(0.0);
                let compile = |outputs: &[Node]| Tape::new(&graph, &symbols, &parameters, &[], outputs);
                ContactLaw {
                    impact: compile(&impact),
                    surface: compile(&surface),
                    moves: contact.gap_after != contact.gap,
                    slow: curved
                        .then(|| Tape::new(&graph, &symbols, &parameters, &contact.push, &[contact.speed_after])),
                    touch: touch.map(|formulas| compile(&formulas)),
                }
            })
            .collect();
        let mut zero = graph.clone();
        let none = zero.constant(0.0);
        let mut periods = vec![model.phase.as_ref().map_or(none, |phase| phase.period)];
        periods.extend(model.sections.iter().map(|section| match section.kind {
            SectionKind::Formula { period, .. } => period.unwrap_or(none),
            SectionKind::Contact(_) => none,
        }));
        let periods = Tape::new(&zero, &[], &parameters, &[], &periods);
        let mut system = System {
            names: model.states.iter().map(|s| s.name.clone()).collect(),
            contact_names: model.contacts.iter().map(|c| c.name.clone()).collect(),
            sections,
            section_outputs,
            phase,
            laws,
            modes: Vec::new(),
            met: Modes::default(),
            periods,
            wrap: Wrap::new(model, &symbols, &parameters),
            kinetic: if is_coupled(model) { kinetic(model, &symbols, &parameters) } else { None },
            coupled: is_coupled(model),
            coordinates: model.body.mechanics().map_or(Vec::new(), |body| body.coordinates.clone()),
            velocities: model.body.mechanics().map_or(Vec::new(), |body| body.velocities.clone()),
            model: model.clone(),
            symbols,
            parameters,
        };
        system.modes.push(system.compile_mode(ClosedSet::NONE, &[], true));
        let alone = if model.contacts.len() <= FEW { model.contacts.len() } else { 0 };
        for contact in 0..alone {
            system.modes.push(system.compile_mode(ClosedSet::NONE.with(contact), &[], true));
        }
        system
    }

    /// The model this system was compiled from.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The first rate, gap or contact force of a set of closed contacts that has no finite value at a state: what it is, and the
    /// innermost formula without one.
    pub fn first_undefined(&self, closed: ClosedSet, parameters: &[f64], state: &[f64]) -> Option<(String, String)> {
        let Formulas { graph, field, outputs, .. } = self.mode_formulas(closed, &[]);
        let value = |symbol: usize| state.iter().chain(parameters).nth(symbol).copied().unwrap_or(f64::NAN);
        let gaps = self.contact_names.len();
        let rates = field.iter().enumerate().map(|(i, &rate)| (self.formula_name(i), rate));
        let gaps = outputs[..gaps].iter().enumerate().map(|(i, &gap)| (self.formula_name(field.len() + i), gap));
        rates.chain(gaps).find_map(|(quantity, node)| {
            let formula = graph.first_undefined(node, &value)?;
            Some((quantity, graph.print(formula)))
        })
    }

    /// The symbols of the parameters in formulas.
    pub(crate) fn parameter_symbols(&self) -> &[Node] {
        &self.parameters
    }

    /// The coordinates of a mechanical body among the states.
    pub(crate) fn coordinates(&self) -> &[usize] {
        &self.coordinates
    }

    /// The velocities of a mechanical body among the states, in the order of its coordinates.
    pub(crate) fn velocities(&self) -> &[usize] {
        &self.velocities
    }

    /// Whether several contacts may take part in one impact.
    pub(crate) fn joins(&self) -> bool {
        self.coupled && self.model.impacts.together == Together::Complementarity
    }

    /// Whether contacts rub or strike together, so that what happens at them is decided for all together.
    pub fn is_coupled(&self) -> bool {
        self.coupled
    }

    /// The symbols of the states in formulas.
    pub(crate) fn symbols(&self) -> &[Node] {
        &self.symbols
    }

    /// The names of the states, in their order.
    pub fn state_names(&self) -> &[String] {
        &self.names
    }

    /// The names of the contacts, in their order.
    pub fn contact_names(&self) -> &[String] {
        &self.contact_names
    }

    /// The names of the sections in their order: those of the model, then, for a forced model, the phase itself, which
    /// is passed once per period where the motion started.
    pub fn section_names(&self) -> impl Iterator<Item = &str> {
        self.sections.iter().map(|s| s.name.as_str())
    }

    /// The section that counts returns when none is named: the phase of a forced model, else the only section there is.
    pub fn default_section(&self) -> Option<usize> {
        match self.phase {
            Some(_) => Some(self.sections.len() - 1),
            None if self.sections.len() == 1 => Some(0),
            None => None,
        }
    }

    /// The words of the interface for a set of closed contacts: `flight`, or `stick:wall`, `slip+:wall` and `slip-:wall` joined by
    /// commas. Lasting contact without friction is a stick.
    pub fn mode_name(&self, closed: ClosedSet) -> String {
        if closed.is_empty() {
            return "flight".to_string();
        }
        let word = |contact| match closed.slip(contact) {
            None => "stick",
            Some(Slip::Forward) => "slip+",
            Some(Slip::Backward) => "slip-",
        };
        let parts: Vec<String> = closed.iter().map(|c| format!("{}:{}", word(c), self.contact_names[c])).collect();
        parts.join(",")
    }

    /// Position of the gap of a contact among the outputs of a mode.
    pub(crate) fn gap_output(&self, contact: usize) -> usize {
        contact
    }

    /// Position of a section among the outputs of a mode.
    pub(crate) fn section_output(&self, section: &Section) -> usize {
        self.contact_names.len() + section.output
    }

    /// The positions of all sections by formula among the outputs of a mode.
    pub(crate) fn section_range(&self) -> std::ops::Range<usize> {
        let first = self.contact_names.len();
        first..first + self.section_outputs
    }

    /// Position of the contact force of the k-th closed contact among the outputs of a mode.
    pub(crate) fn force_output(&self, k: usize) -> usize {
        self.contact_names.len() + self.section_outputs + k
    }

    /// The compiled formulas of a set of closed contacts; see [`System::compile_mode`]. Compiled once, however many motions meet it.
    pub(crate) fn mode(&self, closed: ClosedSet, idle: &[Constraint], suited: bool) -> Mode {
        match self.modes.iter().find(|mode| mode.closed == closed && idle.is_empty()) {
            Some(mode) => mode.clone(),
            None => self.met.find(closed, idle, suited, || self.compile_mode(closed, idle, suited)).as_ref().clone(),
        }
    }

    /// How many modes were compiled since the system was: those beyond flight and single contacts are compiled when a motion meets them.
    pub fn modes_compiled(&self) -> u64 {
        self.met.compiled()
    }

    /// The formulas of a set of closed contacts, compiled; `idle` are constraints that hold because the others do. `suited` if
    /// the coefficients of a linear mode are wanted.
    fn compile_mode(&self, closed: ClosedSet, idle: &[Constraint], suited: bool) -> Mode {
        let Formulas { mut graph, field, outputs, limits, still, singular, coefficients } =
            self.mode_formulas(closed, idle);
        let tape = Arc::new(Tape::new(&graph, &self.symbols, &self.parameters, &field, &outputs));
        // A field that is not linear in flight is not made so by contacts.
        let form = |graph: &mut Graph| {
            LinearForm::new(graph, &self.symbols, &self.parameters, (&field, &outputs), self.phase.is_some())
        };
        // Exact flows leap over cells, on which coefficients would have to be certified as well.
        let flows = suited && self.model.linear && coefficients.is_empty();
        let linear = if flows { form(&mut graph).ok().map(Arc::new) } else { None };
        Mode { closed, tape, limits, still, singular, coefficients, linear }
    }

    /// The form of a mode, or the first of its rates and outputs that is not linear.
    pub(crate) fn linear_form(&self, closed: ClosedSet) -> Result<LinearForm, usize> {
        let Formulas { mut graph, field, outputs, .. } = self.mode_formulas(closed, &[]);
        LinearForm::new(&mut graph, &self.symbols, &self.parameters, (&field, &outputs), self.phase.is_some())
    }

    /// What an output of a mode is, and its formula.
    pub(crate) fn output_formula(
        &self,
        closed: ClosedSet,
        idle: &[Constraint],
        output: usize,
    ) -> (String, Graph, Node) {
        let Formulas { graph, outputs, limits, coefficients, .. } = self.mode_formulas(closed, idle);
        let name = |contact: usize| &self.contact_names[contact];
        let forces = self.force_output(0);
        let place = output.wrapping_sub(forces);
        let what = if output < forces {
            self.formula_name(self.names.len() + output)
        } else if let Some(contact) = closed.iter().nth(place) {
            format!("the contact force of {}", name(contact))
        } else if let Some(limit) = limits.iter().find(|limit| limit.output == output) {
            let what = if limit.kind == Bound::Speed { "the speed of slip" } else { "the friction limit" };
            format!("{what} of contact {}", name(limit.contact))
        } else if let Some((contact, _)) = coefficients.iter().find(|(_, own)| *own == output) {
            format!("the coefficient of friction of contact {}", name(*contact))
        } else {
            "the distance from where slip is singular".to_string()
        };
        (what, graph, outputs[output])
    }

    /// What a formula of flight defines, by its place among rates and outputs.
    pub(crate) fn formula_name(&self, formula: usize) -> String {
        let states = self.names.len();
        let contacts = self.contact_names.len();
        if formula < states {
            return format!("the rate of {}", self.names[formula]);
        }
        match formula - states {
            contact if contact < contacts => format!("the gap of contact {}", self.contact_names[contact]),
            output => {
                let section = self.sections.iter().find(|s| s.formula.is_some() && s.output == output - contacts);
                section.map_or_else(String::new, |section| format!("the section {}", section.name))
            }
        }
    }
}

/// v'Mv of a mechanical body, compiled.
fn kinetic(model: &Model, symbols: &[Node], parameters: &[Node]) -> Option<Tape> {
    let body = model.body.mechanics()?;
    let mut graph = model.graph.clone();
    let velocities: Vec<Node> = body.velocities.iter().map(|&v| symbols[v]).collect();
    let momenta: Vec<Node> = body.mass.iter().map(|row| graph.dot(row, &velocities)).collect();
    let square = graph.dot(&velocities, &momenta);
    Some(Tape::new(&graph, symbols, parameters, &[], &[square]))
}
