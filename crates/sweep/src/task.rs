//! One task of a sweep: a motion at a point of the plan that settles, and is then recorded from return to return.

use crate::ending::Ending;
use crate::extremes::{Extremes, Quantity};
use crate::period::{self, Period};
use crate::plan::Point;
use crate::rest;
use crate::returns::{Points, Units};
use saltation_model::{Model, Values};
use saltation_motion::{
    ClosedSet, Ended, Event, EventKind, FlowChoice, Happening, Motion, Piece, Policy, Settings, System,
};
use saltation_orbit::lyapunov::{LyapunovEnded, exponents};
use saltation_orbit::{Failure, LyapunovSettings};
use std::sync::atomic::{AtomicBool, Ordering};

/// So many steps without a return mean that there is none.
const MOST_STEPS: u64 = 100_000;
/// Interruption is looked for after so many steps.
const LOOK_AFTER: u64 = 1000;
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

/// Does tasks, one after another, with memory that is used again.
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

    fn model(&self) -> &'s Model {
        self.system.model()
    }

    /// Does the task at a point. With `carried` it begins there instead of at its start, with the contacts closed that were closed; where that is inside an
    /// obstacle, or has no value any more, it begins at its start.
    pub fn run(&mut self, point: &Point, carried: Option<&(Vec<f64>, ClosedSet)>, stop: &AtomicBool) -> Outcome {
        let mut values = self.values.clone();
        let settings: Vec<(usize, f64)> =
            self.parameters.iter().copied().zip(point.parameters.iter().copied()).collect();
        let starts: Vec<(&str, f64)> = point.start.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let set = if settings.is_empty() { Ok(()) } else { values.set_all(&settings) };
        let set = set.and_then(|()| if starts.is_empty() { Ok(()) } else { values.set_starts(&starts) });
        if let Err(mistakes) = set {
            let sentence = mistakes.list.iter().map(|mistake| mistake.message.as_str()).collect::<Vec<_>>().join("; ");
            return self.nothing(Ending::new("refused", sentence));
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
            Ok(motion) => self.follow(motion.without_path(), &values, stop),
            Err(error) => self.nothing(Ending::new("no_start", error.to_string())),
        }
    }

    /// A task without a motion.
    fn nothing(&self, ending: Ending) -> Outcome {
        let states = self.model().states.len();
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

    fn follow(&mut self, mut motion: Motion<'s>, values: &Values, stop: &AtomicBool) -> Outcome {
        let method = self.method;
        let mut outcome = self.nothing(Ending::complete());
        let mut spans = Vec::new();
        if method.settle > 0 {
            outcome.ending = advance(&mut motion, method, stop, None);
            motion.extend(f64::INFINITY, Some((method.section, method.record)));
        }
        if outcome.ending.is_complete() {
            let began = motion.time();
            self.extremes.begin(values);
            motion.keep_path(!self.extremes.is_empty());
            let began_at = motion.state().iter().map(|x| (*x, *x)).collect();
            let Worker { extremes, .. } = self;
            let mut record = Record { section: method.section, outcome: &mut outcome, extremes, spans: began_at };
            let mut ending = advance(&mut motion, method, stop, Some(&mut record));
            spans = record.spans;
            let sizes: Vec<f64> = spans.iter().map(|(low, high)| low.abs().max(high.abs())).collect();
            outcome.units = Units::new(&sizes, values.angle_periods());
            // Returns that are nothing but rounding about an equilibrium.
            let still =
                |(i, (low, high)): (usize, &(f64, f64))| high - low <= method.tolerance.sqrt() * outcome.units.size(i);
            if ending.is_complete() && self.model().phase.is_none() && spans.iter().enumerate().all(still) {
                ending = Ending::rest(began);
            }
            outcome.duration = motion.time() - began;
            outcome.extremes.copy_from_slice(&self.extremes.ranges);
            outcome.ending = ending;
        }
        if outcome.ending.is_complete() && outcome.impacts.is_empty() {
            let there = values.with_start(motion.state());
            let (system, returns, units) = (self.system, &outcome.returns, &outcome.units);
            let (closed, spans, tolerance) = (motion.closed(), &spans, method.tolerance);
            let candidate = rest::Candidate { system, values: &there, closed, returns, units, spans, tolerance };
            outcome.away = rest::approached(&candidate);
            outcome.ending = outcome.away.map_or(Ending::complete(), Ending::approach);
        }
        if outcome.ending.is_complete() {
            outcome.period = period::of(&outcome.returns, &outcome.units, method.tolerance);
        }
        // A motion that returns has exponents, also where it comes to rest.
        if method.exponents > 0 && (outcome.ending.is_complete() || outcome.away.is_some()) {
            let there = values.with_start(motion.state());
            let measured = self.exponents(&there, &mut outcome.exponents, stop);
            outcome.ending = if measured.is_interrupted() { measured } else { outcome.ending };
        }
        outcome.last = Some((motion.state().to_vec(), motion.closed()));
        outcome
    }

    /// Measures the exponents of the motion that continues from where the record ended, along as many returns.
    fn exponents(&self, values: &Values, found: &mut [f64], stop: &AtomicBool) -> Ending {
        let Method { section, record, tolerance, flow, policy, .. } = *self.method;
        let settings = LyapunovSettings {
            settle: FRAME_RETURNS,
            returns: record,
            tolerance,
            flow,
            policy,
            ..LyapunovSettings::through(section)
        };
        let measured = exponents(self.system, values, &settings, &mut |_| !stop.load(Ordering::Relaxed));
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
}

/// What is recorded of a motion on its way.
struct Record<'a> {
    section: usize,
    outcome: &'a mut Outcome,
    extremes: &'a mut Extremes,
    /// The least and the greatest value of every state, or bounds of them.
    spans: Vec<(f64, f64)>,
}

impl Record<'_> {
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

    fn reach(&mut self, state: &[f64]) {
        self.spans.iter_mut().zip(state).for_each(|(span, x)| *span = (span.0.min(*x), span.1.max(*x)));
    }
}

/// Advances a motion until the returns that it was asked for, or to another end.
fn advance(motion: &mut Motion, method: &Method, stop: &AtomicBool, mut record: Option<&mut Record>) -> Ending {
    // Steps since the last return, and where the motion was after half of those that there may be.
    let (mut waited, mut halfway) = (0, (0.0, Vec::new()));
    for step in 1.. {
        if u64::is_multiple_of(step, LOOK_AFTER) && stop.load(Ordering::Relaxed) {
            return Ending::interrupted();
        }
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
                if event.section == Some(method.section) {
                    waited = 0;
                }
                if let Some(record) = &mut record {
                    record.event(event);
                }
                continue;
            }
            Happening::Ended(ended) if ended.is_complete() => return Ending::complete(),
            Happening::Ended(Ended::NeverReturns) => return Ending::rest(motion.time()),
            Happening::Ended(ended) => {
                let ended = ended.clone();
                let (time, sentence) = (motion.time(), ended.describe(motion.system()));
                return Ending::new(ended.name(), format!("the motion ended at t = {time:.6}: {sentence}"));
            }
        }
        if let Some(record) = &mut record {
            record.reach(motion.state());
        }
        waited += 1;
        if waited == MOST_STEPS / 2 {
            halfway = (motion.time(), motion.state().to_vec());
        }
        if waited > MOST_STEPS {
            let (since, state) = &halfway;
            let still = |(a, b): (&f64, &f64)| (a - b).abs() <= method.tolerance.sqrt() * a.abs().max(b.abs());
            let phase = motion.system().model().phase.is_some();
            if !phase && motion.state().iter().zip(state).all(still) {
                return Ending::rest(*since);
            }
            let sentence = format!("the motion did not return to the section until t = {:.4e}", motion.time());
            return Ending::new("no_return", sentence);
        }
    }
    Ending::complete()
}
