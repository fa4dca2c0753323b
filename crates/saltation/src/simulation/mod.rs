//! Event-driven simulation: the question `simulate`.

pub mod answer;
pub mod curves;
pub(crate) mod derivatives;
pub(crate) mod event_table;
pub(crate) mod extras;
pub(crate) mod fields;
pub(crate) mod folder;
pub(crate) mod follow;
pub mod log;
pub mod report;
pub mod request;
pub mod sample_table;
pub(crate) mod samples;

pub use crate::drawing::quantity::Quantity;
pub use answer::{Answer, Columns, EndDerivatives, Event, EventDerivatives, Events, Gradients};
pub use curves::Curves;
pub use folder::Recording;
pub use follow::Recorder;
pub use request::{Request, quantities};

use crate::answered::{Answered, Ending, Parts};
use crate::drawing::motion::{Shown, title};
use crate::drawing::passages::Passages;
use crate::drawing::path::Path;
use crate::drawing::{plane, time};
use crate::error::{Error, Refusal, accepted};
use crate::naming::Naming;
use crate::progress::Progress;
use crate::settings::MotionSettings;
use crate::sketch::{self, Frames};
use crate::system::System;
use crate::table::Table;
use crate::text::number::short;
use answer::{Counts, End, Misses};
use derivatives::{Directions, Tracer};
use extras::{Extras, added, added_names};
use follow::{Followed, Keep, follow};
use log::EventLog;
use saltation_draw::Figure;
use saltation_motion::{FlowChoice, Motion, Policy, Settings, StartError};
use std::ops::Deref;
use std::time::{Duration, Instant};

/// A simulation to be computed.
///
/// ```
/// use saltation::System;
/// let run = System::gallery("bouncing-ball")?.simulation().until(2.0).every(0.5).run()?;
/// assert_eq!(run.samples.as_ref().unwrap().get("time"), Some(&[0.0, 0.5, 1.0, 1.5, 2.0][..]));
/// # Ok::<(), saltation::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Simulation {
    /// The system.
    pub system: System,
    /// The request.
    pub request: Request,
}

/// A motion that was followed: the answer, the system and the request.
#[derive(Debug)]
pub struct Run {
    /// The system.
    pub system: System,
    /// The request.
    pub request: Request,
    /// The answer.
    pub answer: Answer,
    /// The wall time of the computation.
    pub wall_time: Duration,
    /// Whether recording succeeded.
    pub recorded: Result<(), String>,
    complete: bool,
    log: EventLog,
    path: Option<Path>,
    passages: Option<Passages>,
    default_end: Option<String>,
}

impl Deref for Run {
    type Target = Answer;

    fn deref(&self) -> &Answer {
        &self.answer
    }
}

impl System {
    /// Follows the motion from the start for some time, and keeps all events.
    ///
    /// # Errors
    /// If the model has no motion from this start, or the time is invalid.
    pub fn simulate(&self, until: f64) -> Result<Run, Error> {
        self.simulation().until(until).run()
    }

    /// A simulation, which ends after 10 periods of the forcing, or else 40 units of time, by default.
    pub fn simulation(&self) -> Simulation {
        Simulation { system: self.clone(), request: Request::default() }
    }
}

impl MotionSettings for Simulation {
    fn motion_settings(&mut self) -> (&mut f64, &mut FlowChoice) {
        (&mut self.request.tol, &mut self.request.flow)
    }
}

impl Simulation {
    /// Ends at this time.
    pub fn until(mut self, time: f64) -> Self {
        self.request.until = Some(time);
        self
    }

    /// Ends after this number of returns to the section.
    pub fn returns(mut self, count: u64) -> Self {
        self.request.returns = Some(count);
        self
    }

    /// Counts returns at this section.
    pub fn section(mut self, name: &str) -> Self {
        self.request.section = Some(name.to_string());
        self
    }

    /// Samples the states at every multiple of this time.
    pub fn every(mut self, distance: f64) -> Self {
        self.request.every = Some(distance);
        self
    }

    /// The choice where several contact modes with friction are consistent.
    pub fn policy(mut self, policy: Policy) -> Self {
        self.request.policy = policy;
        self
    }

    /// Adds columns to the samples and chooses the panels of the figure: states, `gap:CONTACT`, `force:CONTACT` or `energy`.
    ///
    /// ```
    /// use saltation::System;
    /// let run = System::gallery("bouncing-ball")?.simulation().until(2.0).every(0.5).show(["gap:ground"]).run()?;
    /// assert_eq!(run.samples.as_ref().unwrap().get("gap:ground").unwrap().len(), 5);
    /// # Ok::<(), saltation::Error>(())
    /// ```
    pub fn show<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.request.show = names.into_iter().map(Into::into).collect();
        self
    }

    /// Differentiates samples, events and the end by these parameters, and by the start values of these states, exactly and through every event.
    ///
    /// ```
    /// use saltation::System;
    /// // A ball that falls from the height h = 1 strikes at sqrt(2 h/g).
    /// let run = System::gallery("bouncing-ball")?.simulation().until(1.0).derivatives(["h"]).run()?;
    /// let first = run.events[0].derivatives.as_ref().unwrap();
    /// assert!((first.time.values()[0] - 1.0 / (2.0_f64 * 9.8).sqrt()).abs() < 1e-12);
    /// # Ok::<(), saltation::Error>(())
    /// ```
    pub fn derivatives<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.request.derivatives = names.into_iter().map(Into::into).collect();
        self
    }

    /// Keeps the returns to the section as points in the plane of two quantities, so that they can be drawn; the first `settle` are
    /// left out. However many there are, memory does not grow.
    pub fn with_passages(mut self, plane: [&str; 2], settle: u64) -> Self {
        self.request.passages = Some(plane.map(str::to_string));
        self.request.settle = settle;
        self
    }

    /// Keeps the path, so that it can be drawn.
    pub fn with_path(mut self) -> Self {
        self.request.path = true;
        self
    }

    /// Follows the motion.
    ///
    /// # Errors
    /// Mistakes in the request, the numbers or the start.
    pub fn run(&self) -> Result<Run, Error> {
        self.run_with(&mut ())
    }

    /// The same, with progress and interruption.
    ///
    /// # Errors
    /// As [`Simulation::run`].
    pub fn run_with(&self, progress: &mut dyn Progress) -> Result<Run, Error> {
        self.record(None, progress)
    }

    /// The same, recorded while it is computed.
    ///
    /// # Errors
    /// As [`Simulation::run`]; an error of recording ends the trajectory and is part of the answer.
    pub fn record(&self, recorder: Option<&mut dyn Recorder>, progress: &mut dyn Progress) -> Result<Run, Error> {
        let Simulation { system, request } = self;
        let began = Instant::now();
        let (compiled, values) = (system.compiled()?, system.values()?);
        let (settings, default_end) = request.settings(system)?;
        let naming = system.naming()?;
        let directions = Directions::of(&request.derivatives, system).0;
        let motion = Motion::with_derivatives(compiled, values, settings, directions.perturbations());
        let motion = motion.map_err(|error| start_mistake(system, &error))?;
        // Without path and samples the motion may use certified quiet steps.
        let whole = request.path || request.every.is_some();
        let mut motion = if whole { motion } else { motion.without_path() };
        let most = if request.all_events { usize::MAX } else { 0 };
        let wanted = !request.derivatives.is_empty();
        let tracer = wanted.then(|| {
            let tracer = Tracer::begin(directions, system, &mut motion, most);
            tracer.with_shown(compiled, system, &added(request, system))
        });
        let Settings { until, returns, .. } = settings;
        let keep = Keep { all_events: request.all_events, path: request.path, every: request.every, until, returns };
        let kept_here = recorder.is_none();
        let mut extras = Extras::new(request, system, naming);
        let (followed, recorded) = follow(motion, naming, keep, recorder, &mut extras, tracer, progress);
        let answer = answer(self, naming, &followed, kept_here);
        Ok(Run {
            system: system.clone(),
            request: request.clone(),
            answer,
            wall_time: began.elapsed(),
            recorded: recorded.map_err(|error| error.to_string()),
            complete: followed.ended.is_meant(),
            log: followed.log,
            path: followed.path,
            passages: extras.into_passages(),
            default_end,
        })
    }
}

/// A mistake in the start of a motion.
pub(crate) fn start_mistake(system: &System, error: &StartError) -> Error {
    use crate::error::Refusal;
    let model = system.model();
    let contact = match error {
        StartError::Inside { contact, .. } => contact,
        StartError::NotLinear { .. } => {
            let help = "leave it to the model: what is not linear takes Taylor steps";
            return Refusal::new("flow", error.to_string(), help).into();
        }
    };
    let mistake = model.mistake_at(&format!("contacts.{contact}.gap"), error.to_string());
    let mistake = mistake.help("change [start], or give another start value");
    Error::from(model.mistakes(vec![mistake]))
}

/// Whether a motion can begin at the start.
pub(crate) fn can_begin(system: &System, tolerance: f64, flow: FlowChoice) -> Result<(), Error> {
    // Without an end: how far gaps move before the trajectory changes is looked at up to there.
    let settings = Settings { tolerance, flow, ..Settings::default() };
    let motion = Motion::new(system.compiled()?, system.values()?, settings);
    motion.map(|_| ()).map_err(|error| start_mistake(system, &error))
}

/// The answer: plain data with the names of the model.
fn answer(simulation: &Simulation, naming: Naming, followed: &Followed, kept_here: bool) -> Answer {
    let Simulation { system, request } = simulation;
    let misses = &followed.misses;
    let nearest = |value: f64| (misses.count > 0).then_some(value);
    let coupled = naming.system.is_coupled();
    let states = followed.state.len();
    let added = added_names(request, system);
    let mut events: Vec<Event> = followed.log.all().iter().map(|event| Event::new(naming, event)).collect();
    if let Some((_, derivatives)) = &followed.derivatives {
        events.iter_mut().zip(derivatives).for_each(|(event, own)| event.derivatives = Some(own.clone()));
    }
    let samples = request.every.filter(|_| kept_here).map(|_| columns(naming, &followed.samples, states, &added));
    Answer {
        end: End { time: followed.time, state: naming.named(&followed.state), mode: naming.mode(followed.closed) },
        counts: Counts(followed.log.counts().collect()),
        ended: followed.ended.name().to_string(),
        accumulation: match followed.ended {
            saltation_motion::Ended::Accumulated { time } => Some(time),
            _ => None,
        },
        stopped_by: match followed.ended {
            saltation_motion::Ended::Event { event } => Some(naming.system.reset_name(event).to_string()),
            _ => None,
        },
        start_moved: simulation.system.start_moved(),
        events: Events(events),
        message: followed.ended.describe(naming.system),
        misses: Misses {
            count: misses.count,
            smallest: nearest(misses.smallest),
            contact: (misses.count > 0).then(|| naming.system.contact_names()[misses.contact].clone()),
            time: nearest(misses.time),
        },
        model: system.model().name.clone(),
        parameters: system.parameters(),
        policy: coupled.then(|| request.policy.name().to_string()),
        warnings: coupled.then(|| followed.log.warnings(naming)),
        derivatives: followed.derivatives.as_ref().map(|(end, _)| end.clone()),
        samples,
    }
}

/// Samples, each a time, a state and `added` numbers, as columns.
pub(crate) fn columns(naming: Naming, samples: &[f64], states: usize, added: &[String]) -> Columns {
    let rows = || samples.chunks_exact(1 + states + added.len());
    let time = ("time".to_string(), rows().map(|row| row[0]).collect());
    let state = |(i, name): (usize, &String)| {
        (name.clone(), rows().map(|row| naming.wrapped(i, row[1 + i])).collect::<Vec<f64>>())
    };
    let states_named = naming.states().iter().enumerate().map(state);
    let more =
        added.iter().enumerate().map(|(k, name)| (name.clone(), rows().map(|row| row[1 + states + k]).collect()));
    Columns(std::iter::once(time).chain(states_named).chain(more).collect())
}

impl Answered for Run {
    fn parts(&self) -> Parts<'_> {
        Parts { system: &self.system, answer: &self.answer, wall_time: self.wall_time }
    }

    fn ending(&self) -> Ending {
        Ending::short(if self.complete { Vec::new() } else { report::ended_short(self) })
    }

    fn report(&self) -> Vec<String> {
        report::lines(self)
    }

    fn tables(&self) -> Vec<Table> {
        let events = folder::event_table(self.system.state_names(), &self.events);
        let samples = self.samples.as_ref().map(Columns::table);
        std::iter::once(events).chain(samples).collect()
    }

    fn warnings(&self) -> Vec<String> {
        let mut list = self.answer.warnings.clone().unwrap_or_default();
        list.extend(self.path.as_ref().and_then(Path::warning));
        list
    }

    fn asked_lines(&self) -> Vec<String> {
        self.samples.as_ref().map_or(Vec::new(), |samples| sample_table::lines(samples, self.end.time))
    }

    fn tolerance(&self) -> Option<f64> {
        Some(self.request.tol)
    }
}

impl Run {
    /// Quantities over time as points, between two times or during the whole motion. `None` if the path was not kept.
    ///
    /// # Errors
    /// If a name is neither a state nor another quantity of the trajectory.
    pub fn curves(&self, names: &[String], between: Option<(f64, f64)>) -> Result<Option<Curves>, Error> {
        let model = self.system.model();
        let quantity = |name: &String| {
            let refused = |(message, help): (String, String)| Error::from(Refusal::new("quantities", message, help));
            Quantity::shown(model, name).map_err(refused)
        };
        let quantities = names.iter().map(quantity).collect::<Result<Vec<_>, _>>()?;
        let Some(path) = &self.path else { return Ok(None) };
        let shown = self.shown(path, "")?;
        Ok(Some(curves::curves(shown, &quantities, between.unwrap_or((0.0, self.end.time)))))
    }

    fn shown<'a>(&'a self, path: &'a Path, accuracy: &'a str) -> Result<Shown<'a>, Error> {
        Ok(Shown {
            system: &self.system,
            naming: self.system.naming()?,
            events: self.log.all(),
            time: self.end.time,
            trajectory: &path.trajectory,
            accuracy,
        })
    }

    /// How many bytes its path takes; none if it was not kept.
    pub(crate) fn path_bytes(&self) -> usize {
        self.path.as_ref().map_or(0, Path::bytes)
    }

    /// The figure: the quantities that the request shows over time, or else all gaps and states that vary; or two quantities over each
    /// other; or, if the request asked for them, the passages of the section. `None` if the path was not kept.
    ///
    /// # Errors
    /// If a name of the plane is neither a state nor a contact of the model.
    pub fn figure(&self, plane: Option<[&str; 2]>) -> Result<Option<Figure>, Error> {
        let accuracy = format!("tolerance {:e}", self.request.tol);
        if let Some(passages) = &self.passages {
            let section = self.request.section_name(&self.system).unwrap_or_default();
            return Ok(Some(passages.figure(&self.system, &accuracy, &section)));
        }
        let Some(path) = &self.path else { return Ok(None) };
        let shown = self.shown(path, &accuracy)?;
        Ok(Some(match plane {
            Some(names) => plane::figure(shown, quantities(&self.system, names)?),
            None => time::figure(shown, &request::shown(&self.system, &self.request.show).0),
        }))
    }

    /// Where the parts of the mechanism are at some times; at five equally spaced times if none are given. `None` if the path was not kept.
    ///
    /// # Errors
    /// As [`Run::sketch_figure`].
    pub fn sketch_frames(&self, times: &[f64]) -> Result<Option<(Vec<f64>, Frames)>, Error> {
        self.frames(times, sketch::MOST_FRAMES)
    }

    fn frames(&self, times: &[f64], most: usize) -> Result<Option<(Vec<f64>, Frames)>, Error> {
        let sketch = self.system.required_sketch()?;
        let Some(path) = &self.path else { return Ok(None) };
        // A path may have been too long to be kept; one without steps stays at its start.
        let end = path.trajectory.span().map_or(0.0, |(_, end)| end);
        accepted(sketch::refusals(times, Some(self.end.time.min(end)), most))?;
        let times = if times.is_empty() { sketch::usual_times(end) } else { times.to_vec() };
        let states: Vec<Vec<f64>> = match path.trajectory.is_empty() {
            true => times.iter().map(|_| self.system.numbers().start().to_vec()).collect(),
            false => times.iter().map(|&time| path.trajectory.at(time)).collect(),
        };
        let frames = sketch.frames(states.iter().map(Vec::as_slice));
        Ok(Some((times, frames)))
    }

    /// The mechanism at some times, as the sketch of the model says; at five equally spaced times if none are given, the last of them the end.
    /// At a jump the state after it is drawn. `None` if the path was not kept.
    ///
    /// # Errors
    /// If the model has no sketch, or the trajectory has no state at one of the times.
    pub fn sketch_figure(&self, times: &[f64]) -> Result<Option<Figure>, Error> {
        let Some((times, frames)) = self.frames(times, sketch::MOST_TIMES)? else { return Ok(None) };
        let unit = self.system.model().time_unit.as_ref().map(|unit| format!(" {unit}")).unwrap_or_default();
        let captions: Vec<String> = times.iter().map(|&time| format!("t = {}{unit}", short(time, 5))).collect();
        let mut about = vec![match times.len() {
            1 => "mechanism at one time".to_string(),
            count => format!("mechanism at {count} times"),
        }];
        about.extend(self.system.changed());
        about.push(format!("tolerance {:e}", self.request.tol));
        Ok(Some(sketch::figure::figure(&frames, &captions, title(&self.system), about)))
    }
}
