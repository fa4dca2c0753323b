//! Which equations hold right now? Those of flight or of a set of closed contacts, with the parameters bound.

use std::sync::Arc;

use saltation_expr::{Jet, Remainder, Tape};

use saltation_numerics::rounded::Rounded;

use crate::automaton::Motion;
use crate::flow::linear::{Linear, LinearForm};
use crate::friction::formulas::{Constraint, Limit};
use crate::system::{ClosedSet, Mode};

/// A mode ready to run: its tape with the parameters bound, and room for its jets.
#[derive(Debug, Clone)]
pub(crate) struct BoundMode {
    pub closed: ClosedSet,
    pub tape: Arc<Tape>,
    pub slots: Vec<f64>,
    pub jet: Jet<f64>,
    /// The outputs whose roots matter: all but the gaps of closed contacts, which are zero.
    pub watched: Vec<usize>,
    /// What friction keeps above zero.
    pub limits: Vec<Limit>,
    /// Constraints without a force, because they hold by the others.
    pub idle: Vec<Constraint>,
    /// Constraints that hold because others do, with the outputs that then stay zero: gaps and slip speeds.
    pub still: Vec<(Constraint, usize)>,
    /// The output that vanishes where the forces of slip grow without bound.
    pub singular: Option<usize>,
    /// Coefficients of friction of closed contacts that depend on the state, by their outputs.
    pub coefficients: Vec<(usize, usize)>,
    /// Room for the few orders by which single points are judged.
    pub probe: Jet<f64>,
    /// Room for the same with the sizes of all terms.
    pub sized: Option<Box<SizedMode>>,
    /// Room for what the series of a step leave out.
    pub remainder: Remainder,
    /// The coefficients of the mode if it is linear, and its exact flow if that is used.
    pub linear_form: Option<Arc<LinearForm>>,
    pub linear: Option<Box<Linear>>,
    /// How many modes had been entered when this one was last.
    pub entered: u64,
}

/// The modes that a motion keeps have so many rows of coefficients together: many bodies meet in more ways than memory holds.
const MOST_ROWS: usize = 1 << 17;
/// The propagators of an exact flow are dense. Beyond so many states contact modes have one only if flight has.
const MOST_DENSE: usize = 64;

/// A mode on numbers that know the sizes of their terms.
#[derive(Debug, Clone)]
pub(crate) struct SizedMode {
    slots: Vec<Rounded>,
    jet: Jet<Rounded>,
}

impl BoundMode {
    /// A measure of the memory of the mode: rows of its jets.
    fn rows(&self) -> usize {
        self.tape.len() + self.tape.outputs() + self.tape.states()
    }

    /// Expands the motion through a state with the sizes of all terms.
    pub fn expand_sized(&mut self, parameters: &[f64], state: &[Rounded], order: usize) -> (&Tape, &Jet<Rounded>) {
        let tape: &Tape = &self.tape;
        let sized = self.sized.get_or_insert_with(|| {
            let parameters: Vec<Rounded> = parameters.iter().map(|&p| Rounded::new(p)).collect();
            Box::new(SizedMode { slots: tape.bind(&parameters), jet: Jet::new(tape) })
        });
        tape.expand(&sized.slots, state, order, &mut sized.jet);
        (tape, &sized.jet)
    }

    /// Expands the motion through a state to a low order, into [`BoundMode::probe`].
    pub fn probe(&mut self, state: &[f64], order: usize) {
        self.tape.expand(&self.slots, state, order, &mut self.probe);
    }

    /// Expands the motion through a state to a low order, into [`BoundMode::jet`].
    pub fn begin(&mut self, state: &[f64], order: usize) {
        self.tape.begin(state, &mut self.jet);
        while self.jet.order() < order {
            self.tape.extend(&self.slots, &mut self.jet);
        }
    }
}

impl Motion<'_> {
    /// Makes a set of closed contacts the current mode, compiling it if it is new.
    pub(crate) fn enter_mode(&mut self, closed: ClosedSet) {
        self.vanishing.clear();
        if let Some(known) = self.modes.iter().position(|m| m.closed == closed) {
            self.take_up(known);
            return;
        }
        let idle = self.group.idle(self.system, closed, &self.state, &[]);
        self.enter_mode_without(closed, idle);
    }

    /// Makes a set of closed contacts the current mode in which some constraints have no force, because they hold by the others.
    pub(crate) fn enter_mode_without(&mut self, closed: ClosedSet, idle: Vec<Constraint>) {
        self.vanishing.clear();
        if let Some(known) = self.modes.iter().position(|m| m.closed == closed && m.idle == idle) {
            self.take_up(known);
            return;
        }
        let suited = match self.modes.first() {
            Some(flight) => flight.linear.is_some() || self.state.len() <= MOST_DENSE,
            None => true,
        };
        let Mode { tape, limits, still, singular, coefficients, linear: linear_form, .. } =
            self.system.mode(closed, &idle, suited);
        let slots = tape.bind(&self.parameters);
        let jet = Jet::new(&tape);
        let probe = Jet::new(&tape);
        let contacts = self.system.contact_names.len();
        let watched = (0..tape.outputs()).filter(|&o| o >= contacts || !closed.contains(o)).collect();
        let remainder = Remainder::new(&tape);
        let mut mode = BoundMode {
            closed,
            tape,
            slots,
            jet,
            watched,
            idle,
            limits,
            still,
            singular,
            coefficients,
            probe,
            sized: None,
            remainder,
            linear_form,
            linear: None,
            entered: 0,
        };
        mode.linear = self.bind_linear(&mode);
        let place = self.room_for(mode.rows());
        if place == self.modes.len() {
            self.modes.push(mode);
        } else {
            self.modes[place] = mode;
            self.variation.forget(place);
        }
        self.take_up(place);
    }

    /// Makes a known mode the current one.
    fn take_up(&mut self, mode: usize) {
        self.entries += 1;
        self.modes[mode].entered = self.entries;
        self.current = mode;
    }

    /// The place for a new mode: that of the one that was entered longest ago if there are too many. Flight, the current mode, that of the last
    /// step and those that derivatives still need stay.
    fn room_for(&self, rows: usize) -> usize {
        let all = rows + self.modes.iter().map(BoundMode::rows).sum::<usize>();
        let stays = |mode: usize| [0, self.current, self.last_step.2].contains(&mode) || self.variation.needs(mode);
        let others = (0..self.modes.len()).filter(|&mode| all > MOST_ROWS && !stays(mode));
        others.min_by_key(|&mode| self.modes[mode].entered).unwrap_or(self.modes.len())
    }
}
