//! A motion, advanced from event to event: a flow offers a step, location finds the first event on it, and the automaton makes the transition.

use saltation_model::Values;

use super::start::StartError;
use super::stiffness::StepPace;
use crate::ended::Ended;
use crate::event::Event;
use crate::flow::taylor::Judged;
use crate::locate::first_event::Locator;
use crate::mode::{ClosedSet, Support};
use crate::sensitivity::Perturbation;
use crate::settings::Settings;
use crate::system::System;
use crate::trajectory::{Piece, Rows};
use crate::transition::automaton::{Automaton, Flows, Instant, LastStep};

/// What [`Motion::advance`] reports.
#[derive(Debug)]
pub enum Happening<'a> {
    /// The system moved on by one step.
    Step(Piece<'a>),
    /// The system moved on over a time in which nothing happened; only motions [without path](Motion::without_path) do.
    Quiet {
        /// When this time began.
        start: f64,
        /// How long it was.
        length: f64,
    },
    /// Something happened, at the end of the last step or, for sections and grazes, on it.
    Event(&'a Event),
    /// The motion is over.
    Ended(&'a Ended),
}

/// Verdicts on the local minima of the gaps that did not end in an impact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Misses {
    /// How many minima were certified to be misses.
    pub count: u64,
    /// The smallest gap among them; infinite if there was none.
    pub smallest: f64,
    /// Its contact.
    pub contact: usize,
    /// Its time.
    pub time: f64,
}

impl Misses {
    /// None so far.
    const NONE: Misses = Misses { count: 0, smallest: f64::INFINITY, contact: 0, time: 0.0 };
}

/// Steps on which nothing happened, which have not been reported.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Passed {
    /// When they began, and how long they were.
    pub start: f64,
    pub length: f64,
    /// Their number, and how many there may be.
    pub steps: u32,
    pub most: u32,
}

/// A step on which nothing happens.
#[derive(Debug, Clone, Default)]
pub(crate) struct Quiet {
    /// The length of the step.
    pub length: f64,
    /// The state at its end.
    pub end: Vec<f64>,
    /// The gap of every contact at its start, and whether it closes.
    pub gaps: Vec<(f64, bool)>,
}

/// A system in motion, advanced step by step.
///
/// ```
/// use saltation_motion::{Happening, Motion, Settings, System};
/// # let text = saltation_model::gallery::find("bouncing-ball").unwrap();
/// # let model = saltation_model::Model::parse(text, "bouncing-ball").unwrap();
/// let system = System::new(&model);
/// let values = model.values(&Default::default()).unwrap();
/// let mut motion = Motion::new(&system, &values, Settings { until: 10.0, ..Settings::default() }).unwrap();
/// let mut impacts = 0;
/// loop {
///     match motion.advance() {
///         Happening::Step(_) | Happening::Quiet { .. } => {}
///         Happening::Event(event) => impacts += event.impacts,
///         Happening::Ended(_) => break,
///     }
/// }
/// assert!(impacts > 10 && motion.time() == 10.0);
/// ```
#[derive(Debug, Clone)]
pub struct Motion<'s> {
    pub(crate) automaton: Automaton<'s>,
    pub(super) locator: Locator,
    pub(super) misses: Misses,
    pub(super) pace: StepPace,
    pub(super) ended: Option<Ended>,
    /// If the series of the next step were prepared: the modes that had been entered then, and what the series say of its length.
    pub(super) prepared: Option<(u64, Judged)>,
    /// The last step on which nothing happens, and those that have not been reported.
    pub(super) quiet: Quiet,
    pub(super) passed: Passed,
    /// The number of steps so far.
    pub(super) steps: u64,
}

impl<'s> Motion<'s> {
    /// A motion from the start state of `values`, at time 0.
    ///
    /// # Errors
    /// If the start lies inside an obstacle, or if the exact flow is asked for and the model is not linear.
    pub fn new(system: &'s System, values: &Values, settings: Settings) -> Result<Motion<'s>, StartError> {
        Motion::with_derivatives(system, values, settings, &[])
    }

    /// A motion that carries its derivatives in some directions along, through all its events.
    ///
    /// # Errors
    /// If the start lies inside an obstacle.
    ///
    /// ```
    /// use saltation_motion::{Motion, Perturbation, Settings, System};
    /// # let text = saltation_model::gallery::find("bouncing-ball").unwrap();
    /// # let model = saltation_model::Model::parse(text, "bouncing-ball").unwrap();
    /// let system = System::new(&model);
    /// let values = model.values(&Default::default()).unwrap();
    /// let height = [Perturbation::of_state(&system, 0)];
    /// let settings = Settings { until: 1.0, ..Settings::default() };
    /// let mut motion = Motion::with_derivatives(&system, &values, settings, &height).unwrap();
    /// while !matches!(motion.advance(), saltation_motion::Happening::Ended(_)) {}
    /// // After the first impact, at the speed V = sqrt(2 g s): dv/ds = (1 + e) g/V.
    /// let slope = motion.derivatives().state(0)[1];
    /// assert!((slope - 1.8 * 9.8 / 19.6_f64.sqrt()).abs() < 1e-12);
    /// ```
    pub fn with_derivatives(
        system: &'s System,
        values: &Values,
        settings: Settings,
        perturbations: &[Perturbation],
    ) -> Result<Motion<'s>, StartError> {
        Motion::resting_on(system, values, settings, perturbations, ClosedSet::NONE)
    }

    /// A motion that begins with some contacts closed: the start state is moved onto their surfaces, g = v = 0, from close
    /// by. Whether they stay closed is then for the contact force to say.
    ///
    /// # Errors
    /// If the start lies inside the obstacle of another contact.
    pub fn resting_on(
        system: &'s System,
        values: &Values,
        settings: Settings,
        perturbations: &[Perturbation],
        closed: ClosedSet,
    ) -> Result<Motion<'s>, StartError> {
        let mut motion = Motion {
            automaton: Automaton::new(system, values, settings),
            locator: Locator::new(system.contact_names.len()),
            misses: Misses::NONE,
            pace: StepPace::default(),
            ended: None,
            prepared: None,
            quiet: Quiet::default(),
            passed: Passed::default(),
            steps: 0,
        };
        if !perturbations.is_empty() {
            motion.automaton.differentiate(perturbations);
        }
        motion.automaton.require_exact()?;
        motion.begin(closed)?;
        Ok(motion)
    }

    /// Finds what happens at the start state.
    fn begin(&mut self, closed: ClosedSet) -> Result<(), StartError> {
        self.ended = self.automaton.begin(closed)?.err();
        self.automaton.place_landed();
        self.stop_at_return();
        Ok(())
    }

    /// No law fails where a state is no number: that is how the trajectory ended.
    fn leave_numbers(&mut self) {
        if matches!(self.ended, None | Some(Ended::NotFinite { .. })) {
            return;
        }
        if let Some(state) = self.automaton.now.state.iter().position(|x| !x.is_finite()) {
            self.ended = Some(Ended::LeftNumbers { state });
        }
    }

    /// The motion is over where the last return that was asked for has taken place, unless it ended otherwise.
    pub(super) fn stop_at_return(&mut self) {
        if self.automaton.sections.returned {
            self.ended.get_or_insert(Ended::ReachedReturns);
        }
    }

    /// The time reached.
    pub fn time(&self) -> f64 {
        self.automaton.now.time.value()
    }

    /// The state reached, in the order of [`System::state_names`].
    pub fn state(&self) -> &[f64] {
        &self.automaton.now.state
    }

    /// The contacts that are closed now, and the sides of switches.
    pub fn closed(&self) -> ClosedSet {
        self.automaton.closed().with_sides(self.automaton.now.sides)
    }

    /// The contacts that are closed now, and which of them carry.
    pub fn support(&self) -> Support<'_> {
        Support { closed: self.closed(), redundant: Some(&self.automaton.modes.now().redundant) }
    }

    /// The force in a contact at the current state: for mechanical bodies the normal force, the factor lambda of the gap's
    /// gradient in M dv/dt = h + lambda N (Nordmark & Piiroinen, Eq. (53)), in units of force where gaps are lengths; for
    /// others the lambda of F' = F - lambda W, Eq. (12), or where the impact law has a root or a logarithm of states that jump, so that W need not exist at zero
    /// speed, the acceleration onto the surface that it cancels. Zero for an open contact.
    pub fn contact_force(&mut self, contact: usize) -> f64 {
        let Some(k) = self.closed().iter().position(|c| c == contact) else {
            return 0.0;
        };
        let Automaton { system, modes, now: Instant { state, .. }, .. } = &mut self.automaton;
        let mode = modes.now_mut();
        mode.probe(state, 0);
        mode.probed(system.force_output(k))[0]
    }

    /// Whether the last impacts may be the beginning of a chattering sequence that is being followed, or the rest of one is just
    /// being taken at once.
    pub fn in_sequence(&self) -> bool {
        self.automaton.in_sequence()
    }

    /// The verdicts on near misses so far.
    pub fn misses(&self) -> Misses {
        self.misses
    }

    /// How often a section has been passed.
    pub fn returns(&self, section: usize) -> u64 {
        self.automaton.sections.places[section].returns
    }

    /// Whether the return at which the motion stopped was where a jump of an impact or of an event began on the section, and not a smooth passage.
    pub fn returned_by_jump(&self) -> bool {
        self.automaton.sections.by_jump
    }

    /// The number of steps so far, those among them on which nothing happened.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The system that moves.
    pub fn system(&self) -> &'s System {
        self.automaton.system
    }

    /// Frees what the motion holds, by code of this crate: where short motions are made in large numbers this is a part of their time, and a crate that is
    /// compiled to be there soon would free field by field.
    pub fn close(self) {}

    /// Motions whose path is not wanted may take times in which nothing happens in one step: those are reported as
    /// [`Happening::Quiet`], without polynomials.
    pub fn without_path(mut self) -> Self {
        self.keep_path(false);
        self
    }

    /// Whether every step from here on is to be reported with its polynomials.
    pub fn keep_path(&mut self, wanted: bool) {
        self.forget_prepared();
        self.automaton.flow.linear.path = wanted;
    }

    /// Ends the motion here.
    pub fn interrupt(&mut self) {
        self.ended.get_or_insert(Ended::Interrupted);
    }

    /// Makes one step, or reports the next event of the last step, or how the trajectory ended.
    ///
    /// Once warm, a step allocates nothing.
    pub fn advance(&mut self) -> Happening<'_> {
        if self.passed.steps > 0 {
            let Passed { start, length, .. } = self.passed;
            self.passed.steps = 0;
            return Happening::Quiet { start, length };
        }
        let reports = loop {
            if self.automaton.queue.advance() {
                break true;
            }
            if self.ended.is_some() {
                break false;
            }
            let moved = self.step().unwrap_or_else(|ended| {
                self.ended = Some(ended);
                false
            });
            self.automaton.place_landed();
            self.leave_numbers();
            self.stop_at_return();
            self.steps += u64::from(moved);
            if moved {
                let LastStep { start, length, .. } = self.automaton.flow.last_step;
                let quiet = std::mem::take(&mut self.automaton.flow.linear.without_path);
                return if quiet { Happening::Quiet { start, length } } else { Happening::Step(self.last_piece()) };
            }
        };
        match &self.ended {
            Some(ended) if !reports => Happening::Ended(ended),
            _ => Happening::Event(self.automaton.queue.latest()),
        }
    }

    fn last_piece(&self) -> Piece<'_> {
        let Automaton { modes, now: Instant { state, .. }, flow: Flows { cubics, .. }, .. } = &self.automaton;
        let LastStep { start, length, mode, cubic } = self.automaton.flow.last_step;
        let mode = &modes.list[mode];
        let rows = if cubic { Rows::Table { coefficients: cubics, order: 3 } } else { Rows::Jet(&mode.series.jet) };
        Piece {
            start,
            length,
            closed: mode.closed,
            completes_chatter: cubic,
            redundant: &mode.redundant,
            rows,
            states: state.len(),
        }
    }

    /// Begins anew at time 0 from another start state with the same parameters, until the end time or the returns (a section and their number);
    /// other settings stay as they were. What the trajectory has allocated is used again. Sections by the phase stay where they were at first.
    ///
    /// # Errors
    /// If the start lies inside an obstacle; the motion is then of no use until it is begun anew.
    ///
    /// # Panics
    /// If `start` has not as many entries as there are states.
    pub fn restart(
        &mut self,
        start: &[f64],
        closed: ClosedSet,
        (until, returns): (f64, Option<(usize, u64)>),
        perturbations: &[Perturbation],
    ) -> Result<(), StartError> {
        self.automaton.settings.until = until;
        self.automaton.restart(start, returns);
        self.ended = None;
        self.forget_prepared();
        (self.steps, self.passed.steps) = (0, 0);
        self.misses = Misses::NONE;
        self.pace = StepPace::default();
        self.automaton.differentiate(perturbations);
        self.begin(closed)
    }

    /// Continues until another end time, or more returns to a section from now on.
    ///
    /// A motion that reached its end time or its returns continues as if it had not stopped; one that ended otherwise stays ended.
    pub fn extend(&mut self, until: f64, returns: Option<(usize, u64)>) {
        if self.ended.as_ref().is_some_and(|ended| !ended.is_complete()) {
            return;
        }
        self.forget_prepared();
        let automaton = &mut self.automaton;
        (automaton.settings.until, automaton.settings.returns) = (until, returns);
        for section in automaton.sections.extend(automaton.system, returns) {
            automaton.place_section(section);
        }
        self.ended = automaton.strike_pending().err();
        self.stop_at_return();
    }
}
