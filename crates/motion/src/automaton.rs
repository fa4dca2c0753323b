//! What does the system do next? Flight, stick and the events between them, one step at a time.
//!
//! The automaton of Nordmark & Piiroinen (Sect. 5.1) for any number of contacts. A contact is *open*; or open and *in
//! chatter*, when it closes again and again ever faster; or *closed*, when a contact force keeps its gap at zero. The six states
//! of the paper are these three with the sign of the opening speed, which here needs no state of its own: all roots of a
//! gap on a step are known, so that no event is met twice and none is missed.

use saltation_model::Values;
use saltation_numerics::rounded::Rounded;

use crate::bridge::Bridge;
use crate::chatter::Sequence;
use crate::crowd::Crowd;
use crate::ended::Ended;
use crate::event::{Choice, Event, EventKind, EventQueue};
use crate::flow::FlowChoice;
use crate::flow::linear::LinearRoom;
use crate::flow::taylor::{PREVIEW_ORDER, Reach, ShortFlight, Taylor};
use crate::friction::Collision;
use crate::friction::decide::Policy;
use crate::friction::formulas::{Bound, Limit};
use crate::friction::rest::Group;
use crate::law::BoundLaw;
use crate::mode::BoundMode;
use crate::section::SectionState;
use crate::start::StartError;
use crate::stiffness::Pace;
use crate::system::{ClosedSet, System};
use crate::time::Time;
use crate::trajectory::{Piece, Rows, horner};
use crate::variation::{Perturbation, Variation};
use crate::watch::{Cause, Watch};

/// When a motion stops, and how accurate it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// The error that one step may make, relative to the size of the state; 1e-12 unless said, and never below 1e-16.
    pub tolerance: f64,
    /// No step is longer than this; infinite unless said. Events do not depend on it.
    pub longest_step: f64,
    /// The end time; motions start at time 0.
    pub until: f64,
    /// Stop when a section (by its position in [`System::section_names`]) has been passed so many times.
    pub returns: Option<(usize, u64)>,
    /// By which route smooth motions are computed.
    pub flow: FlowChoice,
    /// What to do where contacts with friction have several ways to go on.
    pub policy: Policy,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            tolerance: 1e-12,
            longest_step: f64::INFINITY,
            until: f64::INFINITY,
            returns: None,
            flow: FlowChoice::Automatic,
            policy: Policy::Persist,
        }
    }
}

/// What [`Motion::advance`] has to tell.
#[derive(Debug)]
pub enum Happening<'a> {
    /// The system moved on by one step.
    Step(Piece<'a>),
    /// The system moved on over a time in which nothing happened; only motions [without path](Motion::without_path) do.
    Leap {
        /// When the leap began.
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

/// Steps shorter than this, relative to the time, are no steps any more.
pub(crate) const COLLAPSE: f64 = 1e-14;
/// So many steps in a row that together move the time by no more than this fraction of it lead nowhere. Each then moves it by some units in its
/// last place; the flights of a chattering sequence that is completed are much longer.
const MOST_STANDING: u32 = 20_000;
const STANDING: f64 = 1e-12;

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
///         Happening::Step(_) | Happening::Leap { .. } => {}
///         Happening::Event(event) => impacts += event.impacts,
///         Happening::Ended(_) => break,
///     }
/// }
/// assert!(impacts > 10 && motion.time() == 10.0);
/// ```
#[derive(Debug, Clone)]
pub struct Motion<'s> {
    pub(crate) system: &'s System,
    pub(crate) settings: Settings,
    pub(crate) parameters: Vec<f64>,
    pub(crate) phase_period: f64,
    /// Whether the field goes on smoothly where the phase begins its circle anew.
    pub(crate) smooth_wrap: bool,
    /// Whether chattering sequences are completed; else each of their impacts is followed.
    pub(crate) completes: bool,
    pub(crate) taylor: Taylor,
    pub(crate) modes: Vec<BoundMode>,
    pub(crate) current: usize,
    /// How many modes have been entered so far.
    pub(crate) entries: u64,
    pub(crate) laws: Vec<BoundLaw>,
    pub(crate) time: Time,
    pub(crate) state: Vec<f64>,
    /// For open contacts at the start of a step: how many leading coefficients of the gap are zero because it was just left.
    pub(crate) leaving: Vec<usize>,
    /// For contacts that were left so recently that a return stopped the motion on the same step: the lowest coefficients of
    /// the gap from here on, which the state alone does not tell.
    pub(crate) departed: Vec<Vec<f64>>,
    /// Whether the gap of a contact was closing towards the end of the last step; unknown after an event.
    pub(crate) closing: Vec<Option<bool>>,
    /// Contact forces and limits of friction that are zero at the start of a step, by their outputs in the present mode: how many
    /// leading coefficients are.
    pub(crate) vanishing: Vec<(usize, usize)>,
    /// Contacts whose friction is exhausted, but that others keep from slipping.
    pub(crate) locked: ClosedSet,
    /// The contact that had an impact at the start of this step, and how long its flight is expected to last.
    pub(crate) bounced: Option<usize>,
    pub(crate) expected_flight: f64,
    pub(crate) last_impact: f64,
    /// The impacts of every contact that may be a chattering sequence.
    pub(crate) sequences: Vec<Sequence>,
    pub(crate) bridge: Option<Bridge>,
    pub(crate) bridge_coefficients: Vec<f64>,
    pub(crate) sections: Vec<SectionState>,
    /// Sections whose passages are looked for on the steps: those given by formulas, but the phase of a forced model only
    /// if it is what counts returns.
    pub(crate) watched_sections: Vec<bool>,
    pub(crate) watch: Watch,
    pub(crate) queue: EventQueue,
    pub(crate) ended: Option<Ended>,
    pub(crate) misses: Misses,
    /// Working room: the state after a jump and the jump itself, the end of a chattering sequence, and the rates
    /// at a state.
    pub(crate) after: Vec<f64>,
    pub(crate) jump: Vec<f64>,
    pub(crate) end: Vec<f64>,
    pub(crate) rate: Vec<f64>,
    /// Room for a state with the sizes of its entries.
    pub(crate) data: Vec<Rounded>,
    /// Start and length of the last step, its mode, and whether it was the rest of a sequence.
    pub(crate) last_step: (f64, f64, usize, bool),
    /// So many steps have ended since this time, which they have hardly moved.
    pub(crate) standing: u32,
    pub(crate) standing_since: f64,
    pub(crate) pace: Pace,
    /// An impact before which the motion stopped because its section was asked for, and whether that has been told.
    pub(crate) pending: Option<usize>,
    pub(crate) told_return: bool,
    /// Whether the jump of the last impact left the surface.
    pub(crate) jumped_off: bool,
    /// Whether the last return that was asked for was the jump of an impact.
    pub(crate) jumped_return: bool,
    pub(crate) linear: LinearRoom,
    /// The impacts that followed flights too low to be resolved.
    pub(crate) crowd: Crowd,
    /// The largest velocity at any decision about slip.
    pub(crate) fastest: f64,
    /// What contacts do together: room for it, the impact that was judged last, and the one whose equations are those of the
    /// present sequence.
    pub(crate) group: Group,
    pub(crate) collision: Collision,
    pub(crate) choice: Choice,
    pub(crate) followed: Vec<Collision>,
    /// What made a closed contact change at the end of the last step.
    pub(crate) cause: Option<(usize, Bound)>,
    /// The derivatives that are carried along, if any.
    pub(crate) variation: Variation,
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
        let states = system.names.len();
        let contacts = system.contact_names.len();
        let settings = Settings { tolerance: settings.tolerance.max(1e-16), ..settings };
        let laws = system.laws.iter().map(|law| BoundLaw::new(law, values.parameters())).collect();
        let mut motion = Motion {
            system,
            settings,
            parameters: values.parameters().to_vec(),
            phase_period: values.phase_period().unwrap_or(f64::INFINITY),
            completes: true,
            smooth_wrap: system.wrap.as_ref().is_none_or(|wrap| wrap.is_smooth(values.parameters())),
            taylor: Taylor::new(settings.tolerance, settings.longest_step),
            modes: Vec::new(),
            current: 0,
            entries: 0,
            laws,
            time: Time::at(0.0),
            state: values.start().to_vec(),
            leaving: vec![0; contacts],
            departed: vec![Vec::new(); contacts],
            vanishing: Vec::new(),
            locked: ClosedSet::NONE,
            closing: vec![None; contacts],
            bounced: None,
            expected_flight: f64::INFINITY,
            last_impact: f64::NEG_INFINITY,
            sequences: vec![Sequence::new(states); contacts],
            bridge: None,
            bridge_coefficients: vec![0.0; 4 * states],
            sections: system.sections.iter().map(|s| SectionState::new(s, system, values)).collect(),
            watched_sections: system
                .sections
                .iter()
                .enumerate()
                .map(|(i, s)| {
                    let asked = settings.returns.is_some_and(|(wanted, _)| wanted == i);
                    s.formula.is_some() && (s.declared.is_some() || asked)
                })
                .collect(),
            watch: Watch::new(),
            queue: EventQueue::new(states),
            ended: None,
            misses: Misses { count: 0, smallest: f64::INFINITY, contact: 0, time: 0.0 },
            after: vec![0.0; states],
            jump: vec![0.0; states],
            end: vec![0.0; states],
            rate: vec![0.0; states],
            data: Vec::with_capacity(states),
            last_step: (0.0, 0.0, 0, false),
            standing: 0,
            standing_since: 0.0,
            pace: Pace::default(),
            pending: None,
            told_return: false,
            jumped_off: false,
            jumped_return: false,
            linear: LinearRoom::new(system, values.start(), values.phase_period().unwrap_or(f64::INFINITY)),
            crowd: Crowd::new(contacts),
            fastest: 0.0,
            group: Group::new(system, values.parameters()),
            collision: Collision::default(),
            choice: Choice::default(),
            followed: vec![Collision::default(); contacts],
            cause: None,
            variation: Variation::default(),
        };
        motion.enter_mode(ClosedSet::NONE);
        if !perturbations.is_empty() {
            motion.differentiate(perturbations);
        }
        motion.require_exact()?;
        motion.begin(closed)?;
        Ok(motion)
    }

    /// The time reached.
    pub fn time(&self) -> f64 {
        self.time.value()
    }

    /// The state reached, in the order of [`System::state_names`].
    pub fn state(&self) -> &[f64] {
        &self.state
    }

    /// The contacts that are closed now.
    pub fn closed(&self) -> ClosedSet {
        self.modes[self.current].closed
    }

    /// The force in a contact at the current state: for mechanical bodies the normal force, the factor lambda of the gap's
    /// gradient in M dv/dt = h + lambda N (Nordmark & Piiroinen, Eq. (53)), in units of force where gaps are lengths; for
    /// others the lambda of F' = F - lambda W, Eq. (12). Zero for an open contact.
    pub fn contact_force(&mut self, contact: usize) -> f64 {
        let Some(k) = self.closed().iter().position(|c| c == contact) else {
            return 0.0;
        };
        let mode = &mut self.modes[self.current];
        mode.probe(&self.state, 0);
        mode.probe.output(&mode.tape, self.system.force_output(k))[0]
    }

    /// Whether the last impacts may be the beginning of a chattering sequence that is being followed, or the rest of one is just
    /// being taken at once.
    pub fn in_sequence(&self) -> bool {
        self.bridge.is_some() || self.sequences.iter().any(Sequence::is_followed)
    }

    /// Whatever impacts there have been, they are no sequences.
    pub(crate) fn forget_sequences(&mut self) {
        self.sequences.iter_mut().for_each(Sequence::clear);
    }

    /// The verdicts on near misses so far.
    pub fn misses(&self) -> Misses {
        self.misses
    }

    /// How often a section has been passed.
    pub fn returns(&self, section: usize) -> u64 {
        self.sections[section].returns
    }

    /// Whether the return at which the motion stopped was the jump of an impact across the section, and not a smooth passage.
    pub fn returned_by_jump(&self) -> bool {
        self.jumped_return
    }

    /// The system that moves.
    pub fn system(&self) -> &'s System {
        self.system
    }

    /// An impact at the current state, on the surface.
    pub(crate) fn strike(&mut self, contact: usize) {
        if self.varies() {
            self.vary_flow(0.0, 2, Some((self.system.gap_output(contact), Some(contact))));
        }
        self.impact(contact, false);
    }

    /// Ends the motion here.
    pub fn interrupt(&mut self) {
        self.ended.get_or_insert(Ended::Interrupted);
    }

    /// Moves on by one step, or tells the next event of the last step, or how the motion ended.
    ///
    /// Once warm, a step allocates nothing.
    pub fn advance(&mut self) -> Happening<'_> {
        let told = loop {
            if self.queue.advance() {
                break true;
            }
            if self.ended.is_some() {
                break false;
            }
            if self.step() {
                let (start, length, ..) = self.last_step;
                let leapt = std::mem::take(&mut self.linear.leapt);
                return if leapt { Happening::Leap { start, length } } else { Happening::Step(self.last_piece()) };
            }
        };
        match &self.ended {
            Some(ended) if !told => Happening::Ended(ended),
            _ => Happening::Event(self.queue.told()),
        }
    }

    fn last_piece(&self) -> Piece<'_> {
        let (start, length, mode, completes_chatter) = self.last_step;
        let rows = if completes_chatter {
            Rows::Table { coefficients: &self.bridge_coefficients, order: 3 }
        } else {
            Rows::Jet(&self.modes[mode].jet)
        };
        Piece { start, length, closed: self.modes[mode].closed, completes_chatter, rows, states: self.state.len() }
    }

    /// One step, up to the first event on it. Whether time or state moved; if not, something else was settled.
    fn step(&mut self) -> bool {
        if let Some(bridge) = self.bridge.take() {
            self.cross(bridge);
            return true;
        }
        let start = self.time;
        let remaining = start.until(self.settings.until);
        if remaining <= 0.0 {
            self.ended = Some(Ended::ReachedTime);
            return false;
        }
        if self.modes[self.current].linear.is_some() {
            return self.linear_step(start, remaining);
        }
        let mode = &mut self.modes[self.current];
        mode.begin(&self.state, PREVIEW_ORDER);
        if !(0..self.state.len()).all(|i| mode.jet.state(i)[PREVIEW_ORDER].is_finite()) {
            return self.depart(start, remaining);
        }
        if self.is_near_singular() {
            self.approach();
            return true;
        }
        let mode = &mut self.modes[self.current];
        let mut short = None;
        if let Some(contact) = self.bounced {
            let gap = mode.jet.output(&mode.tape, self.system.gap_output(contact));
            let (speed, acceleration) = (gap[1], 2.0 * gap[2]);
            if speed <= 0.0 {
                // Rounding left nothing of the speed after the impact.
                self.bounced = None;
                self.settle(contact);
                return false;
            }
            if acceleration < 0.0 {
                self.expected_flight = -2.0 * speed / acceleration;
                short = Some(ShortFlight { gap: self.system.gap_output(contact), length: 1.5 * self.expected_flight });
            } else {
                self.expected_flight = 0.0;
            }
        }
        let wanted = remaining.min(self.until_wrap());
        let quiet = self.pace.quiet();
        let mode = &mut self.modes[self.current];
        let Reach { length, boundless } = self.taylor.complete(
            (&mode.tape, &mode.slots, &mode.watched),
            (&mut mode.jet, &mut mode.remainder),
            (wanted, quiet),
            short,
        );
        let order = mode.jet.order();
        let last = (0..self.state.len()).all(|i| mode.jet.state(i)[order].is_finite());
        // Steps that the series allows, not an event, are this short only next to a singularity.
        let collapsed = !boundless
            && short.is_none()
            && length < wanted.min(self.settings.longest_step)
            && length <= COLLAPSE * start.value().abs();
        if !last || length.is_nan() || length <= 0.0 || collapsed {
            if self.fails_near_singular() {
                self.approach();
                return true;
            }
            self.ended = Some(self.diagnose());
            return false;
        }
        // A boundless step may hold any number of passages of a periodic section: they are taken some at a time.
        let length = if boundless { self.length_for_sections(length, remaining) } else { length };
        if self.ended.is_some() {
            return false;
        }
        let (length, cause) = self.watch_step(start, length);
        if matches!(self.ended, Some(Ended::NotFinite { .. })) && self.fails_near_singular() {
            // Forces leave the range of numbers before states do.
            self.ended = None;
            self.approach();
            return true;
        }
        if self.has_failed() {
            return false;
        }
        if boundless && remaining.is_infinite() && cause == Cause::None && !self.queue.has_news() {
            self.ended = Some(Ended::NeverReturns);
            return false;
        }
        let quiet = cause == Cause::None && !self.queue.has_news();
        self.conclude(start, length, remaining, cause);
        if quiet {
            self.keep_pace(length)
        } else {
            self.forget_pace()
        }
        true
    }

    /// The first step from a state at which the motion has no series in time.
    fn depart(&mut self, start: Time, remaining: f64) -> bool {
        let wanted = remaining.min(self.settings.longest_step);
        let mode = &mut self.modes[self.current];
        let length = self.taylor.depart(
            (&mode.tape, &mode.slots, &mode.watched),
            (&mut mode.jet, &mut mode.probe, &mut mode.remainder),
            wanted,
        );
        let Some(length) = length else {
            if self.fails_near_singular() {
                self.approach();
                return true;
            }
            self.ended = Some(self.diagnose());
            return false;
        };
        self.lose_derivatives();
        let (length, cause) = self.watch_step(start, length);
        if self.has_failed() {
            return false;
        }
        self.conclude(start, length, remaining, cause);
        true
    }

    /// Ends a step of this length with what caused its end.
    pub(crate) fn conclude(&mut self, start: Time, length: f64, remaining: f64, cause: Cause) {
        self.commit(start, length, remaining, cause);
        if self.has_failed() {
            return;
        }
        if cause != Cause::None {
            // A jump may turn a gap; minima that were counted stay counted.
            self.closing.iter_mut().filter(|closing| **closing == Some(true)).for_each(|closing| *closing = None);
        }
        self.cause = match cause {
            Cause::Release { contact } => Some((contact, Bound::Force)),
            Cause::Limit(limit) => Some((limit.contact, limit.kind)),
            _ => None,
        };
        match cause {
            Cause::None => {}
            Cause::Return => self.ended = Some(Ended::ReachedReturns),
            Cause::Impact { contact, graze } => self.impact(contact, graze),
            Cause::Release { contact } => self.release(contact),
            Cause::Limit(Limit { contact, kind: Bound::Speed, .. }) => self.halt(contact),
            Cause::Limit(Limit { contact, kind: Bound::Cone(slip), .. }) => self.slide(contact, slip),
            // Normal forces are told as releases.
            Cause::Limit(Limit { contact, kind: Bound::Force, .. }) => self.release(contact),
            Cause::Coefficient { contact, output } => {
                let mode = &self.modes[self.current];
                let (_, length, ..) = self.last_step;
                self.ended = Some(Ended::friction(contact, horner(mode.jet.output(&mode.tape, output), length)));
            }
            Cause::Together => {
                self.ended = Some(Ended::ContactsTogether { contacts: self.watch.together.clone() });
            }
        }
    }

    /// Moves time and state to the end of the step.
    fn commit(&mut self, start: Time, length: f64, remaining: f64, cause: Cause) {
        if self.varies() {
            let landing = match cause {
                Cause::Impact { contact, .. } => Some((self.system.gap_output(contact), Some(contact))),
                Cause::Release { contact } => {
                    let k = self.closed().iter().take_while(|&c| c != contact).count();
                    Some((self.system.force_output(k), None))
                }
                Cause::Limit(limit) => Some((limit.output, None)),
                Cause::None | Cause::Return | Cause::Together | Cause::Coefficient { .. } => None,
            };
            self.vary_flow(length, self.modes[self.current].jet.order(), landing);
        }
        if length > 0.0 {
            self.carry_departures(length, cause);
        }
        let mode = &self.modes[self.current];
        for (i, value) in self.state.iter_mut().enumerate() {
            *value = horner(mode.jet.state(i), length);
        }
        match (&mode.linear, self.system.phase) {
            (Some(linear), Some(phase)) => self.state[phase] = linear.exact.snapped(self.state[phase]),
            _ => self.snap_phase(),
        }
        let end = if length == remaining { Time::at(self.settings.until) } else { start.plus(length) };
        self.arrive((start, end), length);
    }

    /// Keeps account of a step whose end is the state.
    pub(crate) fn arrive(&mut self, (start, end): (Time, Time), length: f64) {
        self.time = end;
        self.linear.cells = 0;
        self.last_step = (start.value(), length, self.current, false);
        if length > 0.0 {
            for (contact, leaving) in self.leaving.iter_mut().enumerate() {
                if std::mem::take(leaving) > 0 {
                    self.crowd.departs(contact, start.value());
                }
            }
            self.vanishing.clear();
            self.bounced = None;
        }
        // Time that moves by rounding only is no progress, unless impacts become ever slower.
        if self.in_sequence() {
            (self.standing, self.standing_since) = (0, start.value());
        } else if self.time.value() - self.standing_since <= STANDING * self.time.value().abs() {
            self.standing += 1;
        } else {
            (self.standing, self.standing_since) = (0, start.value());
        }
        if self.standing > MOST_STANDING {
            self.ended = Some(Ended::NoProgress);
        }
        self.wrap_phase();
        if !self.closed().is_empty() {
            self.project_closed();
        }
        self.require_finite();
        self.pass_phase();
    }

    /// Whether the motion ended without having reached its goal.
    pub(crate) fn has_failed(&self) -> bool {
        self.ended.as_ref().is_some_and(|ended| !ended.is_complete())
    }

    /// Ends the motion if its state is not finite any more.
    pub(crate) fn require_finite(&mut self) {
        if self.ended.is_none() && !self.state.iter().all(|x| x.is_finite()) {
            self.ended = Some(self.diagnose());
        }
    }

    /// A new event of a contact, with before = after = the current state.
    pub(crate) fn tell(&mut self, kind: EventKind, contact: Option<usize>) -> &mut Event {
        let event = self.queue.push(kind, self.time.value(), &self.state);
        event.contact = contact;
        event.cause = self.cause;
        event
    }
}
