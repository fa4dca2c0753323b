//! One task of a sweep: a motion at a point of the plan that settles, and is then recorded from return to return. It goes on step by step, so that the steps of several tasks can be
//! prepared together.

use crate::ending::Ending;
use crate::extremes::{Extremes, Quantity};
use crate::period::{self, Period};
use crate::plan::Point;
use crate::rest;
use crate::returns::{Points, Units};
use saltation_model::Values;
use saltation_motion::{
    ClosedSet, Ended, Event, EventKind, FlowChoice, Happening, Motion, Piece, Policy, Settings, System,
};
use saltation_orbit::lyapunov::{LyapunovEnded, exponents};
use saltation_orbit::{Failure, LyapunovSettings};
use std::sync::atomic::{AtomicBool, Ordering};

/// So many steps without a return mean that there is none.
const MOST_STEPS: u64 = 100_000;
/// A task that does not wait for others goes on for so many steps at once; then interruption is looked for.
const LOOK_AFTER: u64 = 1000;
/// So many steps of a transient on which nothing happens are made at once.
const MOST_QUIET: u64 = 32;
/// The frame of the exponents turns into its directions along so many returns.
const FRAME_RETURNS: u64 = 100;

/// How every task is done.
#[derive(Debug, Clone, PartialEq)]
pub struct Method {
    /// The section at which returns are recorded, by its position in [`System::section_names`].
    pub section: usize,
    /// The returns of the transient.
    pub settle: u64,
    /// The returns recorded after it.
    pub record: u64,
    /// The tolerance of the motion.
    pub tolerance: f64,
    /// The method for smooth motions.
    pub flow: FlowChoice,
    /// The choice where contacts with friction have several consistent modes.
    pub policy: Policy,
    /// The Lyapunov exponents to be recorded, the largest first; 0 for none.
    pub exponents: usize,
    /// The quantities of which the least and the greatest value are recorded.
    pub extremes: Vec<Quantity>,
}

impl Method {
    /// The default for the returns to a section: 100 recorded after a transient of 200.
    pub fn through(section: usize) -> Method {
        Method {
            section,
            settle: 200,
            record: 100,
            tolerance: Settings::default().tolerance,
            flow: FlowChoice::Automatic,
            policy: Policy::Persist,
            exponents: 0,
            extremes: Vec::new(),
        }
    }
}

/// An impact in a recorded return.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Impact {
    /// The return that it precedes, from 0.
    pub before_return: u64,
    /// The contact.
    pub contact: usize,
    /// The opening speed before it, negative.
    pub speed: f64,
}

/// What a task found.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// How it ended. What was recorded up to an early end stands.
    pub ending: Ending,
    /// The states at the recorded returns.
    pub returns: Points,
    /// The impacts of the recorded returns, in order.
    pub impacts: Vec<Impact>,
    /// The time of the record.
    pub duration: f64,
    /// The time in which each contact was closed meanwhile.
    pub closed_time: Vec<f64>,
    /// The time in which each contact was closed without slip.
    pub stick_time: Vec<f64>,
    /// The least and the greatest value of each quantity asked for; NaN where nothing was recorded.
    pub extremes: Vec<(f64, f64)>,
    /// The Lyapunov exponents asked for; NaN where they have no value.
    pub exponents: Vec<f64>,
    /// The period, if there is one.
    pub period: Option<Period>,
    /// How far a motion that comes to rest is from its equilibrium, in these units; `None` for others, and where nothing moves any more.
    pub away: Option<f64>,
    /// The units in which returns are compared.
    pub units: Units,
    /// Where the motion was at last, and which contacts were closed; `None` if it never began.
    pub last: Option<(Vec<f64>, ClosedSet)>,
}

impl Outcome {
    /// Where the next task begins, if states are carried: nowhere but at its start after a motion that ended early.
    pub fn carries(&self) -> Option<(Vec<f64>, ClosedSet)> {
        self.last.clone().filter(|_| self.ending.is_complete() || self.ending.is_rest())
    }

    /// The contacts and speeds of the impacts in the last `returns` recorded returns, in order.
    pub fn speeds_of_last(&self, returns: u64) -> Vec<(usize, f64)> {
        let count = self.returns.len() as u64;
        let last = count.saturating_sub(returns)..count;
        let of_these = self.impacts.iter().filter(|impact| last.contains(&impact.before_return));
        of_these.map(|impact| (impact.contact, impact.speed)).collect()
    }

    /// The number of impacts at every contact in the last `returns` recorded returns.
    pub fn impacts_of_last(&self, returns: u64) -> Vec<u64> {
        let mut counts = vec![0; self.closed_time.len()];
        let from = (self.returns.len() as u64).saturating_sub(returns);
        let last = self.impacts.iter().rev().take_while(|impact| impact.before_return >= from);
        last.filter(|impact| impact.before_return < self.returns.len() as u64).for_each(|i| counts[i.contact] += 1);
        counts
    }
}

/// Begins tasks: what all tasks of a sweep share.
#[derive(Debug, Clone)]
pub struct Worker<'s> {
    system: &'s System,
    /// The numbers of the model, of which a task changes some.
    values: &'s Values,
    /// The positions of the swept parameters.
    parameters: Vec<usize>,
    method: &'s Method,
    extremes: Extremes,
}

impl<'s> Worker<'s> {
    /// For tasks over these parameters of a model, by their positions.
    pub fn new(system: &'s System, values: &'s Values, parameters: &[usize], method: &'s Method) -> Worker<'s> {
        let extremes = Extremes::new(system.model(), &method.extremes);
        Worker { system, values, parameters: parameters.to_vec(), method, extremes }
    }

    /// Begins the task at a point, or says why there is no motion. With `carried` it begins there instead of at its start, with the contacts closed that were closed; where that is inside an
    /// obstacle, or has no value any more, it begins at its start.
    ///
    /// # Errors
    /// What is found where there is no motion.
    pub fn begin(&self, point: &Point, carried: Option<&(Vec<f64>, ClosedSet)>) -> Result<Running<'s>, Box<Outcome>> {
        let mut values = self.values.clone();
        let settings: Vec<(usize, f64)> =
            self.parameters.iter().copied().zip(point.parameters.iter().copied()).collect();
        let starts: Vec<(&str, f64)> = point.start.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let set = if settings.is_empty() { Ok(()) } else { values.set_all(&settings) };
        let set = set.and_then(|()| if starts.is_empty() { Ok(()) } else { values.set_starts(&starts) });
        if let Err(mistakes) = set {
            let sentence = mistakes.list.iter().map(|mistake| mistake.message.as_str()).collect::<Vec<_>>().join("; ");
            return Err(Box::new(self.nothing(Ending::new("refused", sentence))));
        }
        let method = self.method;
        let first = if method.settle > 0 { method.settle } else { method.record };
        let settings = Settings {
            tolerance: method.tolerance,
            flow: method.flow,
            policy: method.policy,
            returns: Some((method.section, first)),
            ..Settings::default()
        };
        let begin = |values: &Values, closed| Motion::resting_on(self.system, values, settings, &[], closed);
        let motion = match carried.filter(|(state, _)| state.iter().all(|x| x.is_finite())) {
            Some((state, closed)) => {
                begin(&values.with_start(state), *closed).or_else(|_| begin(&values, ClosedSet::NONE))
            }
            None => begin(&values, ClosedSet::NONE),
        };
        match motion {
            Ok(motion) => {
                let outcome = self.nothing(Ending::complete());
                let extremes = self.extremes.clone();
                Ok(Running::new(motion.without_path(), values, method, Record::new(outcome, extremes, method.section)))
            }
            Err(error) => Err(Box::new(self.nothing(Ending::new("no_start", error.to_string())))),
        }
    }

    /// A task of which the program itself fails: the others go on.
    pub(crate) fn failed(&self, reason: &str) -> Outcome {
        self.nothing(Ending::new("failed", format!("the program fails here, which is its own mistake: {reason}")))
    }

    /// A task without a motion.
    fn nothing(&self, ending: Ending) -> Outcome {
        let states = self.system.model().states.len();
        let none = (f64::NAN, f64::NAN);
        Outcome {
            ending,
            returns: Points::new(states),
            impacts: Vec::new(),
            duration: 0.0,
            closed_time: vec![0.0; self.system.contact_names().len()],
            stick_time: vec![0.0; self.system.contact_names().len()],
            extremes: vec![none; self.method.extremes.len()],
            exponents: vec![f64::NAN; self.method.exponents],
            period: None,
            away: None,
            units: Units::new(&vec![0.0; states], self.values.angle_periods()),
            last: None,
        }
    }
}

/// What a task does next.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Stage {
    /// The transient.
    Settle,
    /// The record, since this time.
    Record { since: f64 },
    /// Nothing: it has ended.
    Over,
}

/// A task on its way.
#[derive(Debug)]
pub struct Running<'s> {
    motion: Motion<'s>,
    values: Values,
    method: &'s Method,
    stage: Stage,
    waiting: Waiting,
    record: Record,
}

impl<'s> Running<'s> {
    fn new(motion: Motion<'s>, values: Values, method: &'s Method, record: Record) -> Running<'s> {
        let mut running = Running { motion, values, method, stage: Stage::Settle, waiting: Waiting::default(), record };
        if method.settle == 0 {
            running.begin_record();
        }
        running
    }

    /// The motion, if it goes on: its next step may be prepared.
    pub fn motion(&mut self) -> Option<&mut Motion<'s>> {
        (self.stage != Stage::Over).then_some(&mut self.motion)
    }

    /// Whether its next step can be prepared.
    pub fn asks_for_series(&self) -> bool {
        self.motion.asks_for_series()
    }

    /// Goes on until the next step can be prepared beside those of other motions, to the end, or for some steps; whether it has ended.
    pub fn go_on(&mut self) -> bool {
        for _ in 0..LOOK_AFTER {
            let ending = match self.stage {
                Stage::Over => return true,
                Stage::Settle => self.waiting.advance(&mut self.motion, self.method, None),
                Stage::Record { .. } => self.waiting.advance(&mut self.motion, self.method, Some(&mut self.record)),
            };
            match ending {
                Some(ending) => self.turn(ending),
                None if self.motion.asks_for_series() => {
                    // Nothing of the transient is looked at.
                    let quiet = if self.stage == Stage::Settle { self.waiting.quiet() } else { 0 };
                    self.motion.allow_quiet(quiet);
                    return false;
                }
                None => {}
            }
        }
        false
    }

    /// A stage has ended.
    fn turn(&mut self, ending: Ending) {
        let complete = ending.is_complete();
        match self.stage {
            Stage::Settle if complete => {
                self.motion.extend(f64::INFINITY, Some((self.method.section, self.method.record)));
                self.begin_record();
            }
            Stage::Record { since } => self.end_record(since, ending),
            _ => {
                self.record.outcome.ending = ending;
                self.stage = Stage::Over;
            }
        }
    }

    fn begin_record(&mut self) {
        let Running { motion, record, .. } = self;
        record.extremes.begin(&self.values);
        motion.keep_path(!record.extremes.is_empty());
        motion.allow_quiet(0);
        record.spans = motion.state().iter().map(|x| (*x, *x)).collect();
        self.waiting = Waiting::since(motion);
        self.stage = Stage::Record { since: motion.time() };
    }

    fn end_record(&mut self, since: f64, mut ending: Ending) {
        let Running { motion, record: Record { outcome, extremes, spans, .. }, values, method, .. } = self;
        outcome.units = Units::new(&sizes(spans), values.angle_periods());
        // Returns that are nothing but rounding about an equilibrium.
        let still =
            |(i, (low, high)): (usize, &(f64, f64))| high - low <= method.tolerance.sqrt() * outcome.units.size(i);
        let phase = motion.system().model().phase.is_some();
        if ending.is_complete() && !phase && spans.iter().enumerate().all(still) {
            ending = Ending::rest(since);
        }
        outcome.duration = motion.time() - since;
        outcome.extremes.copy_from_slice(&extremes.ranges);
        outcome.ending = ending;
        self.stage = Stage::Over;
    }

    /// What was found, once it has ended.
    pub fn outcome(self, stop: &AtomicBool) -> Outcome {
        let Running { motion, record: Record { mut outcome, spans, .. }, values, method, .. } = self;
        if outcome.ending.is_complete() && outcome.impacts.is_empty() {
            let there = values.with_start(motion.state());
            let (system, returns, units) = (motion.system(), &outcome.returns, &outcome.units);
            let (closed, spans, tolerance) = (motion.closed(), &spans[..], method.tolerance);
            let candidate = rest::Candidate { system, values: &there, closed, returns, units, spans, tolerance };
            outcome.away = rest::approached(&candidate);
            outcome.ending = outcome.away.map_or(Ending::complete(), Ending::approach);
        }
        if outcome.ending.is_complete() {
            // Also where nothing drifts: a body that stays where it came to rest may rest anywhere.
            let drifting = motion.system().model().neutral_states();
            if !drifting.is_empty() {
                outcome.units = Units::up_to_drift(&sizes(&spans), values.angle_periods(), drifting);
            }
            outcome.period = period::of(&outcome.returns, &outcome.units, method.tolerance);
        }
        // A motion that returns has exponents, also where it comes to rest.
        if method.exponents > 0 && (outcome.ending.is_complete() || outcome.away.is_some()) {
            let there = values.with_start(motion.state());
            let measured = measure(method, motion.system(), &there, &mut outcome.exponents, stop);
            outcome.ending = if measured.is_interrupted() { measured } else { outcome.ending };
        }
        outcome.last = Some((motion.state().to_vec(), motion.closed()));
        outcome
    }
}

/// Measures the exponents of the motion that continues from where the record ended, along as many returns.
fn measure(method: &Method, system: &System, values: &Values, found: &mut [f64], stop: &AtomicBool) -> Ending {
    let Method { section, record, tolerance, flow, policy, .. } = *method;
    let settings = LyapunovSettings {
        settle: FRAME_RETURNS,
        returns: record,
        tolerance,
        flow,
        policy,
        ..LyapunovSettings::through(section)
    };
    let measured = exponents(system, values, &settings, &mut |_| !stop.load(Ordering::Relaxed));
    found.iter_mut().zip(&measured.exponents).for_each(|(to, from)| *to = *from);
    match &measured.ended {
        LyapunovEnded::Complete => Ending::complete(),
        LyapunovEnded::Short(Failure::Interrupted) => Ending::interrupted(),
        // The record stands; an exponent that could not be measured has no value.
        LyapunovEnded::Short(_) => {
            found.fill(f64::NAN);
            Ending::complete()
        }
    }
}

/// What is recorded of a motion on its way.
#[derive(Debug)]
struct Record {
    section: usize,
    outcome: Outcome,
    extremes: Extremes,
    /// The least and the greatest value of every state, or bounds of them.
    spans: Vec<(f64, f64)>,
}

impl Record {
    fn new(outcome: Outcome, extremes: Extremes, section: usize) -> Record {
        Record { section, outcome, extremes, spans: Vec::new() }
    }

    fn step(&mut self, length: f64, closed: ClosedSet, piece: Option<&Piece>) {
        for contact in closed.iter() {
            self.outcome.closed_time[contact] += length;
            self.outcome.stick_time[contact] += if closed.slip(contact).is_none() { length } else { 0.0 };
        }
        let Some(piece) = piece else { return };
        for (state, span) in self.spans.iter_mut().enumerate() {
            // No polynomial is further from its start than the sum of its terms.
            let row = piece.polynomial(state);
            let far = row[1..].iter().rev().fold(0.0, |sum, c| (sum + c.abs()) * length);
            if far.is_finite() {
                *span = (span.0.min(row[0] - far), span.1.max(row[0] + far));
            }
        }
        if !self.extremes.is_empty() {
            self.extremes.step(piece);
        }
    }

    fn event(&mut self, event: &Event) {
        match event.kind {
            EventKind::Impact => {
                let before_return = self.outcome.returns.len() as u64;
                let contact = event.contact.unwrap_or(0);
                self.outcome.impacts.push(Impact { before_return, contact, speed: event.speed_before });
            }
            EventKind::Section if event.section == Some(self.section) => self.outcome.returns.push(&event.before),
            _ => {}
        }
    }

    fn widen(&mut self, state: &[f64]) {
        self.spans.iter_mut().zip(state).for_each(|(span, x)| *span = (span.0.min(*x), span.1.max(*x)));
    }
}

/// How long a motion has not returned.
#[derive(Debug, Default)]
struct Waiting {
    /// Steps since the last return, those of the motion that have been counted, and where it was after half of those that there may be.
    steps: u64,
    made: u64,
    halfway: (f64, Vec<f64>),
}

impl Waiting {
    /// Waits from now on.
    fn since(motion: &Motion) -> Waiting {
        Waiting { made: motion.steps(), ..Waiting::default() }
    }

    /// So many steps at most may be made at once: no more than to where the next is looked at.
    fn quiet(&self) -> u32 {
        let next = if self.steps < MOST_STEPS / 2 { MOST_STEPS / 2 } else { MOST_STEPS + 1 };
        (next - self.steps).min(MOST_QUIET) as u32
    }

    /// One step or event of a motion; how it has ended, at the returns that it was asked for or otherwise.
    fn advance(&mut self, motion: &mut Motion, method: &Method, mut record: Option<&mut Record>) -> Option<Ending> {
        let closed = motion.closed();
        match motion.advance() {
            Happening::Step(piece) => {
                if let Some(record) = &mut record {
                    record.step(piece.length, piece.closed, Some(&piece));
                }
            }
            Happening::Quiet { length, .. } => {
                if let Some(record) = &mut record {
                    record.step(length, closed, None);
                }
            }
            Happening::Event(event) => {
                let returns = event.section == Some(method.section);
                if let Some(record) = &mut record {
                    record.event(event);
                }
                if returns {
                    (self.steps, self.made) = (0, motion.steps());
                }
                return None;
            }
            Happening::Ended(ended) if ended.is_complete() => return Some(Ending::complete()),
            Happening::Ended(Ended::NeverReturns) => return Some(Ending::rest(motion.time())),
            Happening::Ended(ended) => {
                let ended = ended.clone();
                let (time, sentence) = (motion.time(), ended.describe(motion.system()));
                let message = format!("the trajectory ended at t = {time:.6}: {sentence}");
                return Some(Ending::new(ended.name(), message));
            }
        }
        if let Some(record) = &mut record {
            record.widen(motion.state());
        }
        self.steps += motion.steps() - self.made;
        self.made = motion.steps();
        if self.steps == MOST_STEPS / 2 {
            self.halfway = (motion.time(), motion.state().to_vec());
        }
        (self.steps > MOST_STEPS).then(|| self.no_return(motion, method))
    }

    /// The motion has come to rest, or goes elsewhere.
    fn no_return(&self, motion: &Motion, method: &Method) -> Ending {
        let (since, state) = &self.halfway;
        let still = |(a, b): (&f64, &f64)| (a - b).abs() <= method.tolerance.sqrt() * a.abs().max(b.abs());
        let phase = motion.system().model().phase.is_some();
        if !phase && motion.state().iter().zip(state).all(still) {
            return Ending::rest(*since);
        }
        let sentence = format!("the trajectory did not return to the section until t = {:.4e}", motion.time());
        Ending::new("no_return", sentence)
    }
}

/// The largest absolute value of every state, from the range of its values.
fn sizes(spans: &[(f64, f64)]) -> Vec<f64> {
    spans.iter().map(|(low, high)| low.abs().max(high.abs())).collect()
}
