//! A model compiled for motion: the formulas of flight, of contact laws and of every mode, each compiled once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use saltation_expr::{Graph, Lookup, Node, Tape};
use saltation_model::{Direction, Model, Phase, SectionKind};

use crate::contact::law::{ContactLaw, touches_on};
use crate::contact::touch::is_coupled;
use crate::flow::linear::{KeptForm, LinearForm};
use crate::flow::wrap::Wrap;
use crate::mode::cache::Modes;
use crate::mode::compiled::Mode;
use crate::mode::formulas::{Clock, Formulas, Source, onto_constraints};
use crate::mode::hybrid::{BoundHybrid, Hybrid};
use crate::mode::outputs::Outputs;
use crate::mode::{Bound, ClosedSet, Constraint, Side, Sides};

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
    /// Whether it is that of a phase, which is reported only if it is what counts returns.
    pub of_phase: bool,
}

/// A phase that does not count returns.
#[derive(Debug, Clone)]
pub(crate) struct Tone {
    /// Its position among the states.
    pub state: usize,
    /// How formulas see it.
    pub wrap: Wrap,
}

/// A model compiled for motion. Immutable, shared freely between threads.
#[derive(Debug, Clone)]
pub struct System {
    pub(crate) names: Vec<String>,
    pub(crate) contact_names: Vec<String>,
    pub(crate) sections: Vec<Section>,
    /// The sections given by formulas.
    section_formulas: Vec<Node>,
    outputs: Outputs,
    /// Position of the phase among the states; of several that which counts returns.
    pub(crate) phase: Option<usize>,
    /// The other phases.
    pub(crate) tones: Vec<Tone>,
    pub(crate) laws: Vec<ContactLaw>,
    /// Flight, then, if there are few contacts, every mode with one closed contact.
    pub(crate) modes: Vec<Mode>,
    /// All others that were entered.
    entered: Modes,
    /// The period of the phase (or 0), then that of every declared section (or 0), then those of the other phases, as formulas of parameters.
    pub(crate) periods: Tape,
    /// How formulas see the phase, if there is one.
    pub(crate) wrap: Option<Wrap>,
    /// v'Mv, where contacts are coupled.
    pub(crate) kinetic: Option<Tape>,
    /// Whether contacts rub or take part in joint impacts, so that what happens at them is decided for all together.
    pub(crate) coupled: bool,
    /// Where a contact is one side of a constraint with friction: the other one.
    pub(crate) opposite: Vec<Option<usize>>,
    /// The constraints of the body.
    pub(crate) constraints: Option<ConstraintTapes>,
    /// Its switches and events.
    pub(crate) hybrid: Hybrid,
    touches: Touches,
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
        assert!(model.contacts.len() <= most, "a trajectory from event to event has {most} contacts at most");
        let symbols: Vec<Node> = model.states.iter().map(|s| s.symbol).collect();
        let parameters: Vec<Node> = model.parameters.iter().map(|p| p.symbol).collect();
        let phase = model.phase.as_ref().map(|phase| phase.state);
        let mut sections: Vec<Section> = Vec::new();
        let mut section_outputs = 0;
        let formulas = model.sections.iter().enumerate().map(|(declared, section)| {
            let (formula, contact) = match &section.kind {
                SectionKind::Formula { value, .. } => (Some(*value), None),
                SectionKind::Contact(contact) => (None, Some(*contact)),
            };
            (section.name.clone(), section.direction, formula, contact, Some(declared), section.of_phase.is_some())
        });
        let own_phase =
            phase.map(|p| (model.states[p].name.clone(), Direction::Any, Some(symbols[p]), None, None, true));
        for (name, direction, formula, contact, declared, of_phase) in formulas.chain(own_phase) {
            sections.push(Section { name, direction, contact, formula, output: section_outputs, declared, of_phase });
            section_outputs += usize::from(formula.is_some());
        }
        let mut opposite = vec![None; model.contacts.len()];
        for [first, second] in model.constraints.iter().filter_map(|constraint| constraint.sides) {
            (opposite[first], opposite[second]) = (Some(second), Some(first));
        }
        let law = |contact| ContactLaw::new(model, contact, &symbols, &parameters);
        let laws = model.contacts.iter().map(law).collect();
        let mut zero = model.graph.clone();
        let none = zero.constant(0.0);
        let mut periods = vec![model.phase.as_ref().map_or(none, |phase| phase.period)];
        periods.extend(model.sections.iter().map(|section| match section.kind {
            SectionKind::Formula { period, .. } => period.unwrap_or(none),
            SectionKind::Contact(_) => none,
        }));
        periods.extend(model.tones.iter().map(|tone| tone.period));
        let periods = Tape::new(&zero, &[], &parameters, &[], &periods);
        let wrap = |phase: &Phase| Wrap::new(model, phase, (&symbols, &parameters));
        let mut system = System {
            names: model.states.iter().map(|s| s.name.clone()).collect(),
            contact_names: model.contacts.iter().map(|c| c.name.clone()).collect(),
            section_formulas: sections.iter().filter_map(|section| section.formula).collect(),
            outputs: Outputs { contacts: model.contacts.len(), sections: section_outputs },
            sections,
            phase,
            laws,
            opposite,
            modes: Vec::new(),
            entered: Modes::default(),
            periods,
            wrap: model.phase.as_ref().map(wrap),
            tones: model.tones.iter().map(|tone| Tone { state: tone.state, wrap: wrap(tone) }).collect(),
            kinetic: if is_coupled(model) { kinetic(model, &symbols, &parameters) } else { None },
            coupled: is_coupled(model),
            constraints: constraint_tapes(model, &symbols, &parameters),
            hybrid: Hybrid::new(model, &symbols, &parameters),
            touches: Touches::default(),
            coordinates: model.body.mechanics().map_or(Vec::new(), |body| body.coordinates.clone()),
            velocities: model.body.mechanics().map_or(Vec::new(), |body| body.velocities.clone()),
            model: model.clone(),
            symbols,
            parameters,
        };
        if !model.switches.is_empty() {
            // Which sides a motion is on is known when it begins.
            return system;
        }
        system.modes.push(system.compile_mode(ClosedSet::NONE, &[], true));
        let alone = if model.contacts.len() <= FEW { model.contacts.len() } else { 0 };
        for contact in 0..alone {
            system.modes.push(system.compile_mode(ClosedSet::NONE.with(contact), &[], true));
        }
        system
    }

    /// How contacts push and rub on given sides of switches, compiled once for every combination that a motion comes to.
    pub(crate) fn touches_on(&self, sides: Sides) -> Arc<Vec<Option<Tape>>> {
        let mut known = self.touches.0.lock().unwrap_or_else(PoisonError::into_inner);
        let compile = || {
            let Formulas { mut graph, field, .. } = self.mode_formulas(ClosedSet::NONE.with_sides(sides), &[]);
            Arc::new(touches_on(&self.model, &mut graph, &field, (&self.symbols, &self.parameters)))
        };
        Arc::clone(known.entry(sides).or_insert_with(compile))
    }

    /// The model this system was compiled from.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// How many dimensions of the states the constraints of the body take: two for one on positions, one for one on velocities.
    pub fn constrained_dimensions(&self) -> usize {
        self.constraints.as_ref().map_or(0, |tapes| tapes.functions.outputs())
    }

    /// How many constraints of the body have forces of their own: the last outputs of every mode.
    pub fn constraint_forces(&self) -> usize {
        self.model.body.constrained().map_or(0, |constrained| constrained.forces.len())
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

    /// The formulas of a set of closed contacts; constraints in `redundant` have no force.
    pub(crate) fn mode_formulas(&self, closed: ClosedSet, redundant: &[Constraint]) -> Formulas {
        self.formulas_in(Clock::Time, closed, redundant)
    }

    /// The same in the time in which slip is regular where its forces grow without bound.
    pub(crate) fn regular_formulas(&self, closed: ClosedSet) -> Formulas {
        self.formulas_in(Clock::Regular, closed, &[])
    }

    fn formulas_in(&self, clock: Clock, closed: ClosedSet, redundant: &[Constraint]) -> Formulas {
        let (model, symbols, sections) = (&self.model, &self.symbols, &self.section_formulas);
        let source = Source { model, symbols, sections, outputs: self.outputs, slides: &self.hybrid.slides };
        let mut formulas = source.formulas(closed, redundant, clock);
        formulas.watch_lookups(symbols);
        formulas
    }

    /// Whether a contact has friction, so that it sticks and slips; as a switch does, which is such an element.
    pub fn has_friction(&self, element: usize) -> bool {
        self.model.contacts.get(element).is_none_or(|contact| contact.friction.is_some())
    }

    /// Whether the two sides of every constraint with friction that touch do the same in a mode.
    pub(crate) fn keeps_constraints(&self, pressed: ClosedSet, mode: ClosedSet) -> bool {
        let same = |(contact, other): (usize, usize)| {
            mode.contains(contact) && mode.contains(other) && mode.slip(contact) == mode.slip(other)
        };
        pressed.iter().filter_map(|contact| Some((contact, self.opposite[contact]?))).all(same)
    }

    /// Whether several contacts may take part in one impact.
    pub(crate) fn joins(&self) -> bool {
        self.coupled && self.model.impacts.together.is_law()
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

    /// The names of the switches, in their order.
    pub fn switch_names(&self) -> &[String] {
        &self.hybrid.names
    }

    /// On which side of every switch a state is; that of a switch that is zero there is positive.
    pub fn sides_at(&self, parameters: &[f64], state: &[f64]) -> Sides {
        let mut hybrid = BoundHybrid::new(&self.hybrid, parameters);
        let values = hybrid.functions(&self.hybrid, state).iter().enumerate();
        values.fold(Sides::NONE, |sides, (k, &s)| sides.with(k, Side::of(s)))
    }

    /// Whether motions may slide along a switch.
    pub fn may_slide(&self, switch: usize) -> bool {
        self.hybrid.slides[switch]
    }

    /// Whether motions slide along a switch only where the first rate of its function vanishes as well (second-order sliding).
    pub fn slides_in_second_order(&self, switch: usize) -> bool {
        self.hybrid.second[switch]
    }

    /// Whether rates depend on the side of a switch.
    pub fn is_felt(&self, switch: usize) -> bool {
        self.hybrid.felt[switch]
    }

    /// The name of a contact or a switch, by its place among the elements of a mode.
    pub fn element_name(&self, element: usize) -> &str {
        match ClosedSet::switch(element) {
            Some(switch) => &self.hybrid.names[switch],
            None => &self.contact_names[element],
        }
    }

    /// Whether the field is smooth where the phase wraps: if not, formulas see the phase otherwise than through sines and cosines of its
    /// multiples, and orbits are cut there.
    pub fn is_smooth_at_wrap(&self, parameters: &[f64]) -> bool {
        self.wrap.as_ref().is_none_or(|wrap| wrap.is_smooth(parameters))
    }

    /// Whether an event of the model may happen at a switch, given as an [element](ClosedSet::element).
    pub fn resets(&self, element: usize) -> bool {
        let switch = ClosedSet::switch(element);
        self.hybrid.resets.iter().any(|reset| Some(reset.switch) == switch)
    }

    /// Whether a switch, given as an [element](ClosedSet::element), is dry friction at zero slip.
    pub fn is_dry(&self, element: usize) -> bool {
        ClosedSet::switch(element).is_some_and(|switch| self.hybrid.has_friction[switch])
    }

    /// Whether a contact, or a switch given as an [element](ClosedSet::element), has dry friction with a static limit of its own, so that slip begins with an acceleration.
    pub fn holds(&self, element: usize) -> bool {
        match ClosedSet::switch(element) {
            Some(switch) => self.hybrid.holds[switch],
            None => self.model.contacts[element].friction.as_ref().is_some_and(|friction| friction.held.is_some()),
        }
    }

    /// Whether rates depend on sides of switches, or events change the state.
    pub fn switches(&self) -> bool {
        !self.hybrid.is_empty()
    }

    /// The name of an event of the model.
    pub fn reset_name(&self, reset: usize) -> &str {
        &self.hybrid.resets[reset].name
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

    /// Whether something is kept at zero in a mode: by constraints of the body, by closed contacts, by sliding, or by complementarities that are on.
    pub fn keeps(&self, closed: ClosedSet) -> bool {
        let on = || self.hybrid.complementary().any(|k| closed.sides().of(k) == Side::Positive);
        !closed.is_empty() || closed.sides().slides() || on() || self.constraints.is_some()
    }

    /// Whether there are complementarities.
    pub(crate) fn has_complements(&self) -> bool {
        !self.model.complementarities.is_empty()
    }

    /// Whether a switch, given as an [element](ClosedSet::element), is a complementarity.
    pub fn is_complementary(&self, element: usize) -> bool {
        ClosedSet::switch(element).is_some_and(|switch| self.hybrid.complements[switch].is_some())
    }

    /// Position of the gap of a contact among the outputs of a mode.
    pub(crate) fn gap_output(&self, contact: usize) -> usize {
        self.outputs.gap(contact)
    }

    /// Position of a section among the outputs of a mode.
    pub(crate) fn section_output(&self, section: &Section) -> usize {
        self.outputs.section(section.output)
    }

    /// The positions of all sections by formula among the outputs of a mode.
    pub(crate) fn section_range(&self) -> std::ops::Range<usize> {
        self.outputs.sections()
    }

    /// Position of the contact force of the k-th closed contact among the outputs of a mode.
    pub(crate) fn force_output(&self, k: usize) -> usize {
        self.outputs.force(k)
    }

    /// The compiled formulas of a set of closed contacts; see [`System::compile_mode`]. Compiled once, however many motions enter it.
    pub(crate) fn mode(&self, closed: ClosedSet, redundant: &[Constraint], suited: bool) -> Mode {
        match self.modes.iter().find(|mode| mode.closed == closed && redundant.is_empty()) {
            Some(mode) => mode.clone(),
            None => self
                .entered
                .find(closed, redundant, suited, || self.compile_mode(closed, redundant, suited))
                .as_ref()
                .clone(),
        }
    }

    /// How many modes were compiled since the system was: those beyond flight and single contacts are compiled when a motion enters them.
    pub fn modes_compiled(&self) -> u64 {
        self.entered.compiled()
    }

    /// The formulas of a set of closed contacts, compiled; `redundant` are constraints that hold because the others do. `suited` if
    /// the coefficients of a linear mode are wanted.
    fn compile_mode(&self, closed: ClosedSet, redundant: &[Constraint], suited: bool) -> Mode {
        let Formulas {
            mut graph,
            field,
            outputs,
            limits,
            still,
            singular,
            coefficients,
            correction,
            constraint_forces,
            lookups,
            kept,
        } = self.mode_formulas(closed, redundant);
        let tape = Arc::new(Tape::new(&graph, &self.symbols, &self.parameters, &field, &outputs));
        let corrects = !correction.is_empty();
        let correction =
            corrects.then(|| Arc::new(Tape::new(&graph, &self.symbols, &self.parameters, &[], &correction)));
        // A field that is not linear in flight is not made so by contacts, but on one side of a switch it may be.
        let form = |graph: &mut Graph| {
            LinearForm::new(graph, &self.symbols, &self.parameters, (&field, &outputs), self.phase.is_some())
        };
        // Exact flows pass quiet cells, on which coefficients would have to be certified as well. Their propagators are dense, so that large
        // structures take Taylor steps faster.
        let linear = self.model.linear || !self.model.switches.is_empty();
        let flows = suited && linear && coefficients.is_empty() && !tape.is_wide();
        let linear = if flows { form(&mut graph).ok().map(KeptForm::new).map(Arc::new) } else { None };
        Mode {
            closed,
            tape,
            limits,
            still,
            singular,
            coefficients,
            correction,
            constraint_forces,
            lookups,
            kept,
            linear,
        }
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
        redundant: &[Constraint],
        output: usize,
    ) -> (String, Graph, Node) {
        let Formulas { graph, outputs, limits, coefficients, constraint_forces, lookups, .. } =
            self.mode_formulas(closed, redundant);
        if constraint_forces.contains(&output) {
            let acting = self.model.constraints.iter().filter(|constraint| constraint.force.is_some());
            let names: Vec<&str> = acting.map(|constraint| constraint.name.as_str()).collect();
            let what = format!("the force of constraint {}", names[output - constraint_forces.start]);
            return (what, graph, outputs[output]);
        }
        let name = |contact: usize| &self.contact_names[contact];
        let forces = self.force_output(0);
        let place = output.wrapping_sub(forces);
        let what = if output < forces {
            self.formula_name(self.names.len() + output)
        } else if let Some(contact) = closed.iter().nth(place) {
            format!("the contact force of {}", name(contact))
        } else if let Some(limit) = limits.iter().find(|limit| limit.output == output) {
            if let Some(switch) = ClosedSet::switch(limit.contact) {
                return (format!("the switch {}", self.hybrid.names[switch]), graph, outputs[output]);
            }
            let what = if limit.kind == Bound::Speed { "the speed of slip" } else { "the friction limit" };
            format!("{what} of contact {}", name(limit.contact))
        } else if let Some((contact, _)) = coefficients.iter().find(|(_, own)| *own == output) {
            format!("the coefficient of friction of contact {}", name(*contact))
        } else if let Some((lookup, _)) = lookups.iter().find(|(_, own)| *own == output) {
            format!("the argument of the table {}", graph.lookups()[*lookup as usize].name)
        } else {
            "the distance from where slip is singular".to_string()
        };
        (what, graph, outputs[output])
    }

    /// A lookup of a table, by its number.
    pub(crate) fn lookup(&self, lookup: u32) -> &Lookup {
        &self.model.graph.lookups()[lookup as usize]
    }

    /// The argument of a lookup as a text.
    pub(crate) fn lookup_argument(&self, lookup: u32) -> String {
        let graph = &self.model.graph;
        let known = graph.argument_of(lookup);
        known.map_or_else(String::new, |argument| graph.print(argument))
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

/// The formulas of contacts on the sides of switches that motions have come to, shared between threads.
#[derive(Debug, Default)]
struct Touches(Mutex<HashMap<Sides, Arc<Vec<Option<Tape>>>>>);

impl Clone for Touches {
    fn clone(&self) -> Touches {
        Touches(Mutex::new(self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()))
    }
}

/// The constraints of a body, compiled.
#[derive(Debug, Clone)]
pub(crate) struct ConstraintTapes {
    /// What they keep at zero: those of positions with their rates, and those of velocities.
    pub functions: Arc<Tape>,
    /// One step onto them: the change of every state.
    pub step: Arc<Tape>,
}

fn constraint_tapes(model: &Model, symbols: &[Node], parameters: &[Node]) -> Option<ConstraintTapes> {
    let constrained = model.body.constrained()?;
    let functions: Vec<Node> = constrained.positions.iter().flatten().chain(&constrained.speeds).copied().collect();
    let mut graph = model.graph.clone();
    let change = onto_constraints(&mut graph, model);
    let tape = |outputs: &[Node]| Arc::new(Tape::new(&graph, symbols, parameters, &[], outputs));
    Some(ConstraintTapes { functions: tape(&functions), step: tape(&change) })
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
