//! What the model does at trial values: the sampled quantities and the events of every column, with their derivatives by what is fitted.

use crate::drawing::slopes::{Slopes, Subject};
use crate::error::Error;
use crate::fit::free::{Free, directions, with};
use crate::fit::measured::{MOST_EVENTS, Measured};
use crate::fit::request::Request;
use crate::named::Named;
use crate::progress::Progress;
use crate::simulation::answer::EventDerivatives;
use crate::simulation::derivatives::{Directions, Tracer};
use crate::simulation::start_mistake;
use crate::system::System;
use saltation_motion::{Ended, EventKind, Happening, Motion, Perturbation, Settings};

/// A motion with more events of all kinds than this is none that was measured.
const MOST_HAPPENINGS: usize = 20 * MOST_EVENTS;
/// The steps between two looks at the progress.
const STEPS_PER_LOOK: u32 = 256;

/// Numbers with their derivatives: those of the first by everything fitted, then those of the second.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Predicted {
    pub values: Vec<f64>,
    pub slopes: Vec<f64>,
}

/// An event, at which quantities may jump.
#[derive(Debug, Clone)]
pub(crate) struct Jump {
    pub kind: EventKind,
    /// When it began and ended, in the time of the data.
    pub time: f64,
    pub end: f64,
    /// The derivatives of its time.
    pub slopes: Vec<f64>,
}

/// What a motion did.
#[derive(Debug, Clone, Default)]
pub(crate) struct Observed {
    /// The samples of every sampled column up to the end.
    pub samples: Vec<Predicted>,
    /// The times of every train, and the closing speeds.
    pub trains: Vec<(Predicted, Predicted)>,
    /// All events.
    pub jumps: Vec<Jump>,
    /// How many of the first samples lie before the start.
    pub skipped: usize,
    /// When the trajectory ended.
    pub time: f64,
    /// How, if not as asked.
    pub short: Option<String>,
    /// Why derivatives do not exist from some event on, and its time.
    pub lost: Option<(f64, String)>,
}

impl Observed {
    /// The same without what happened later than this time.
    fn up_to(&self, time: f64) -> Observed {
        let mut cut = self.clone();
        let n = cut.jumps.first().map_or(0, |jump| jump.slopes.len());
        for (times, speeds) in &mut cut.trains {
            let count = times.values.partition_point(|own| *own <= time);
            [times, speeds].into_iter().for_each(|predicted| predicted.truncate(count, n));
        }
        cut.jumps.truncate(self.jumps.partition_point(|jump| jump.time <= time));
        cut.short = cut.short.filter(|_| self.time < time);
        cut.lost = cut.lost.filter(|(lost, _)| *lost <= time);
        cut.time = self.time.min(time);
        cut
    }
}

impl Predicted {
    /// The first of them, with derivatives in n directions.
    fn truncate(&mut self, count: usize, n: usize) {
        self.values.truncate(count);
        self.slopes.truncate(count * n);
    }
}

/// Why there is nothing to compare.
#[derive(Debug, Clone)]
pub(crate) enum Unobserved {
    /// The model has no motion there.
    Refused(String),
    Interrupted,
}

/// Follows motions of one model.
#[derive(Debug)]
pub(crate) struct Observer<'a> {
    pub system: &'a System,
    request: &'a Request,
    free: &'a [Free],
    clock: Option<usize>,
    measured: &'a Measured,
    slopes: Slopes<'a>,
    last: Option<Followed>,
    /// The number of motions that were followed.
    pub motions: u64,
}

/// A motion that was followed: at which values, up to which time of the data, and how long after it.
#[derive(Debug)]
struct Followed {
    values: Vec<f64>,
    until: f64,
    beyond: f64,
    observed: Observed,
}

impl<'a> Observer<'a> {
    /// For the columns of a request.
    ///
    /// # Errors
    /// If motions of the model cannot be differentiated.
    pub(crate) fn new(
        system: &'a System,
        request: &'a Request,
        free: &'a [Free],
        clock: Option<usize>,
        measured: &'a Measured,
    ) -> Result<Observer<'a>, Error> {
        let compiled = system.compiled_for_derivatives()?;
        let subjects: Vec<Subject> = measured.samples.iter().map(|samples| samples.subject).collect();
        let slopes = Slopes::new(compiled, system.model(), measured.graph.clone(), &subjects);
        Ok(Observer { system, request, free, clock, measured, slopes, last: None, motions: 0 })
    }

    /// The motion at some values, up to a time of the data and a little beyond; one that was followed last, and as far, is not followed again.
    ///
    /// # Errors
    /// If there is no motion at these values, or the search was interrupted.
    pub(crate) fn observe(
        &mut self,
        values: &[f64],
        until: f64,
        beyond: f64,
        progress: &mut dyn Progress,
    ) -> Result<Observed, Unobserved> {
        let reach = until + beyond;
        let reaches =
            |last: &&Followed| last.values == values && last.until >= until && last.until + last.beyond >= reach;
        if let Some(last) = self.last.as_ref().filter(reaches) {
            return Ok(last.observed.up_to(reach));
        }
        let observed = self.follow(values, until, beyond, progress)?;
        self.last = Some(Followed { values: values.to_vec(), until, beyond, observed: observed.clone() });
        Ok(observed)
    }

    fn follow(
        &mut self,
        values: &[f64],
        until: f64,
        beyond: f64,
        progress: &mut dyn Progress,
    ) -> Result<Observed, Unobserved> {
        self.motions += 1;
        let refused = |error: Error| Unobserved::Refused(error.to_string());
        let system = with(self.system, self.free, values).map_err(refused)?;
        let directions = directions(&system, self.free).map_err(refused)?;
        // The time of the model at a time of the data, and its change in every direction.
        let ahead = self.clock.map_or(0.0, |clock| system.numbers().parameters()[clock]);
        let delays: Vec<f64> =
            directions.iter().map(|d| self.clock.map_or(0.0, |clock| -d.parameters[clock])).collect();
        let mut stops = self.measured.times.iter().map(|time| time - ahead).enumerate().peekable();
        let mut found = Observed {
            samples: vec![Predicted::default(); self.measured.samples.len()],
            trains: vec![Default::default(); self.measured.trains.len()],
            ..Observed::default()
        };
        let n = self.free.len();
        let no_sample = |found: &mut Observed| {
            for predicted in &mut found.samples {
                predicted.values.push(f64::NAN);
                predicted.slopes.extend(std::iter::repeat_n(0.0, n));
            }
        };
        while stops.next_if(|(_, time)| *time < 0.0).is_some() {
            no_sample(&mut found);
            found.skipped += 1;
        }
        let end = (until - ahead).max(0.0);
        let last = end + beyond;
        let due = |stops: &mut std::iter::Peekable<_>| match stops.peek() {
            Some(&(_, time)) if time <= end => time,
            _ => last,
        };
        let numbers = system.values().map_err(refused)?;
        let settings = Settings {
            tolerance: self.request.tol,
            until: due(&mut stops),
            flow: self.request.flow,
            policy: self.request.policy,
            ..Settings::default()
        };
        let compiled = system.compiled().map_err(refused)?;
        let naming = system.naming().map_err(refused)?;
        let motion = Motion::with_derivatives(compiled, numbers, settings, &directions);
        let motion = motion.map_err(|error| refused(start_mistake(&system, &error)))?;
        let mut motion = motion.without_path();
        let names: Vec<String> = self.free.iter().map(|free| free.name.clone()).collect();
        let traced = Directions::named(names, directions.clone());
        let mut tracer = Tracer::begin(traced, &system, &mut motion, MOST_HAPPENINGS).of_times();
        let parts: Vec<Vec<f64>> = directions.iter().map(|d: &Perturbation| d.parameters.clone()).collect();
        self.slopes.bind(numbers.parameters(), &parts);
        // Which event of the tracer is which of a train.
        let mut places: Vec<Vec<usize>> = vec![Vec::new(); self.measured.trains.len()];
        let (mut happened, mut steps) = (Vec::new(), 0_u32);
        let mut tangents = Vec::new();
        let samples = self.measured.samples.len();
        let (mut row, mut slopes) = (vec![0.0; samples], vec![0.0; samples * n]);
        let ended = loop {
            let event = match motion.advance() {
                Happening::Quiet { .. } | Happening::Step(_) => None,
                Happening::Event(event) => Some(event.clone()),
                Happening::Ended(ended) => {
                    let ended = ended.clone();
                    if ended != Ended::ReachedTime {
                        break ended;
                    }
                    let Some((_, time)) = stops.next_if(|(_, time)| *time <= end) else { break ended };
                    let here = motion.derivatives();
                    tangents.clear();
                    (0..n).for_each(|k| tangents.extend_from_slice(here.state(k)));
                    if delays.iter().any(|delay| *delay != 0.0) {
                        let rates = self.slopes.rates(motion.state(), motion.support());
                        for (own, delay) in tangents.chunks_exact_mut(rates.len()).zip(&delays) {
                            own.iter_mut().zip(rates).for_each(|(x, rate)| *x += rate * delay);
                        }
                    }
                    // Samples at one time are the same.
                    let again = |stops: &mut std::iter::Peekable<_>| {
                        stops.next_if(|&(_, next): &(usize, f64)| next <= time).is_some()
                    };
                    self.slopes.at(motion.state(), motion.support(), &tangents, &mut row, &mut slopes);
                    let mut count = 1;
                    while again(&mut stops) {
                        count += 1;
                    }
                    for _ in 0..count {
                        for (k, predicted) in found.samples.iter_mut().enumerate() {
                            predicted.values.push(row[k]);
                            predicted.slopes.extend_from_slice(&slopes[k * n..(k + 1) * n]);
                        }
                    }
                    motion.extend(due(&mut stops), None);
                    continue;
                }
            };
            match event {
                None => tracer.step(&mut motion),
                Some(event) => {
                    tracer.event(&event, &mut motion);
                    for (train, (own, places)) in
                        self.measured.trains.iter().zip(found.trains.iter_mut().zip(&mut places))
                    {
                        let kind = match naming.told(&event) {
                            // Chattering begins with an impact.
                            EventKind::Chatter if train.kind == EventKind::Impact => EventKind::Impact,
                            kind => kind,
                        };
                        let names = [
                            naming.contact(&event),
                            naming.section(&event),
                            naming.switch(&event),
                            naming.reset(&event),
                        ];
                        if kind == train.kind && names.contains(&Some(train.place.as_str())) {
                            own.0.values.push(event.time + ahead);
                            own.1.values.push(-event.speed_before);
                            places.push(happened.len());
                        }
                    }
                    happened.push((event.kind, event.time + ahead, event.time + event.duration + ahead));
                    if happened.len() >= MOST_HAPPENINGS {
                        return Err(Unobserved::Refused(format!(
                            "the trajectory has more than {MOST_HAPPENINGS} events"
                        )));
                    }
                }
            }
            steps += 1;
            if steps.is_multiple_of(STEPS_PER_LOOK)
                && !progress.see(None, &|| format!("trajectory {}, t = {:.6}", self.motions, motion.time()))
            {
                return Err(Unobserved::Interrupted);
            }
        };
        found.time = motion.time() + ahead;
        found.short = (ended != Ended::ReachedTime).then(|| ended.describe(compiled));
        if found.short.is_some() {
            let left = stops.count();
            (0..left).for_each(|_| no_sample(&mut found));
        }
        let events = tracer.finish((&ended, None), &mut motion).1;
        motion.close();
        found.lost = happened.iter().zip(&events).find_map(|((_, time, _), event)| Some((*time, event.lost.clone()?)));
        let shifted = |times: &Named| times.values().iter().zip(&delays).map(|(slope, delay)| slope - delay).collect();
        let jump = |(&(kind, time, end), event): (&(EventKind, f64, f64), &EventDerivatives)| Jump {
            kind,
            time,
            end,
            slopes: shifted(&event.time),
        };
        found.jumps = happened.iter().zip(&events).map(jump).collect();
        for ((times, speeds), places) in found.trains.iter_mut().zip(&places) {
            for &place in places {
                let event = &events[place];
                times.slopes.extend(event.time.values().iter().zip(&delays).map(|(slope, delay)| slope - delay));
                match &event.speed_before {
                    Some(own) => speeds.slopes.extend(own.values().iter().map(|slope| -slope)),
                    None => speeds.slopes.extend(std::iter::repeat_n(f64::NAN, n)),
                }
            }
        }
        Ok(found)
    }
}
