//! Simulation by time stepping (Moreau and Jean) for any number of contacts: `simulate --method moreau`.

pub mod answer;
mod folder;
mod follow;
mod report;
pub mod request;

pub use answer::Answer;
pub use folder::Recording;
pub use request::Request;

use crate::answered::{Answered, Ending, Parts};
use crate::drawing::motion::Shown;
use crate::drawing::path::Path;
use crate::drawing::{plane, time};
use crate::error::{Error, Refusal};
use crate::naming::Naming;
use crate::progress::Progress;
use crate::simulation::answer::{Columns, Counts, End, Events};
use crate::simulation::{Recorder, columns, quantities, sample_table};
use crate::system::System;
use crate::table::Table;
use answer::{Contact, Solver};
use follow::{Followed, follow};
use saltation_draw::Figure;
use saltation_model::Model;
use saltation_motion::stepping::{self as lower, SteppingError, SteppingSettings};
use saltation_motion::{self as motion, Ended};
use std::ops::Deref;
use std::time::{Duration, Instant};

/// A simulation by time stepping to be computed.
///
/// ```
/// use saltation::System;
/// let stepped = System::gallery("bouncing-ball")?.stepping(1e-3).until(6.0).run()?;
/// assert_eq!(stepped.end.mode, "stick:ground");
/// assert_eq!(stepped.solver.steps, 6000);
/// # Ok::<(), saltation::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Stepping {
    /// The system.
    pub system: System,
    /// The request.
    pub request: Request,
}

/// A motion that was simulated by time stepping: the answer, the system and the request.
#[derive(Debug)]
pub struct Stepped {
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
    settings: SteppingSettings,
    path: Option<Path>,
    default_end: Option<String>,
}

impl Deref for Stepped {
    type Target = Answer;

    fn deref(&self) -> &Answer {
        &self.answer
    }
}

impl System {
    /// A simulation by time stepping with this step (Moreau's method), by default until 10 periods of the forcing or else 40 units of time.
    /// It locates no events, and models may have any number of contacts.
    pub fn stepping(&self, step: f64) -> Stepping {
        Stepping { system: self.clone(), request: Request::new(step) }
    }
}

impl Stepping {
    /// Ends at this time.
    pub fn until(mut self, time: f64) -> Self {
        self.request.until = Some(time);
        self
    }

    /// Samples the states at every multiple of this time.
    pub fn every(mut self, distance: f64) -> Self {
        self.request.every = Some(distance);
        self
    }

    /// The tolerance of the contact laws after a step, as a speed relative to the speeds without contact.
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.request.tol = Some(tolerance);
        self
    }

    /// How implicit a step is in smooth forces, from 1/2 (the midpoint rule, the default) to 1, which damps what is fast.
    pub fn theta(mut self, theta: f64) -> Self {
        self.request.theta = Some(theta);
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
    /// Mistakes in the request or the numbers; a model that this method does not support.
    pub fn run(&self) -> Result<Stepped, Error> {
        self.run_with(&mut ())
    }

    /// The same, with progress and interruption.
    ///
    /// # Errors
    /// As [`Stepping::run`].
    pub fn run_with(&self, progress: &mut dyn Progress) -> Result<Stepped, Error> {
        self.record(None, progress)
    }

    /// The same, recorded while it is computed.
    ///
    /// # Errors
    /// As [`Stepping::run`]; an error of recording ends the trajectory and is part of the answer.
    pub fn record(&self, recorder: Option<&mut dyn Recorder>, progress: &mut dyn Progress) -> Result<Stepped, Error> {
        let Stepping { system, request } = self;
        let began = Instant::now();
        let (settings, default_end) = request.settings(system)?;
        let motion = self.begin(settings)?;
        let names = names(system.model(), None);
        let naming = Naming::new(&names, system.numbers(), system.state_names(), system.parameter_names());
        let kept_here = recorder.is_none();
        let (followed, recorded) = follow(motion, naming, settings.until, request, recorder, progress);
        let answer = answer(self, settings, naming, &followed, kept_here);
        Ok(Stepped {
            system: system.clone(),
            request: request.clone(),
            answer,
            wall_time: began.elapsed(),
            recorded: recorded.map_err(|error| error.to_string()),
            complete: followed.ended.is_complete(),
            settings,
            path: followed.path,
            default_end,
        })
    }

    /// The settings, if a motion can begin.
    fn check(&self) -> Result<(SteppingSettings, Option<String>), Error> {
        let (settings, default_end) = self.request.settings(&self.system)?;
        self.begin(settings).map(|_| (settings, default_end))
    }

    fn begin(&self, settings: SteppingSettings) -> Result<lower::Stepping<'_>, Error> {
        let system = &self.system;
        let motion = lower::Stepping::new(system.model(), system.values()?, settings);
        motion.map_err(|error| refusal(system.model(), &error))
    }
}

/// A system with the states, and one contact where a message names it, for their names: a model with many contacts cannot be
/// compiled for events.
fn names(model: &Model, contact: Option<usize>) -> motion::System {
    let mut bare = model.clone();
    bare.contacts = contact.map(|contact| model.contacts[contact].clone()).into_iter().collect();
    (bare.sections, bare.linear) = (Vec::new(), false);
    motion::System::new(&bare)
}

/// How a motion ended, in a sentence.
fn message(model: &Model, naming: Naming, ended: &Ended) -> String {
    match ended {
        Ended::OutOfRange { contact, coefficient, value } => {
            let alone = Ended::OutOfRange { contact: 0, coefficient: *coefficient, value: *value };
            alone.describe(&names(model, Some(*contact)))
        }
        _ => ended.describe(naming.system),
    }
}

/// A model that this method does not support.
fn refusal(model: &Model, error: &SteppingError) -> Error {
    let held: String;
    let (place, help) = match error {
        SteppingError::Static(contact) => {
            held = format!("contacts.{contact}.friction.mu_static");
            (held.as_str(), "leave mu_static out, or leave --method moreau --step out")
        }
        SteppingError::Constrained(constraint) => {
            let kept = |key: &str| format!("constraints.{constraint}.{key}");
            let key = ["keep", "rate"].map(kept).into_iter().find(|key| model.places.contains_key(key));
            held = key.unwrap_or_default();
            (held.as_str(), "write the body with fewer coordinates, or leave --method moreau --step out")
        }
        SteppingError::Held(friction) => {
            held = format!("friction.{friction}.static");
            (held.as_str(), "leave static out, or leave --method moreau --step out")
        }
        SteppingError::Event(event) => {
            held = format!("events.{event}");
            (held.as_str(), "leave the event out, or leave --method moreau --step out")
        }
        SteppingError::Time => ("start.t", "leave --method moreau --step out"),
        SteppingError::Complementarity(element) => {
            held = format!("complementarity.{element}.value");
            (held.as_str(), "leave --method moreau --step out")
        }
        SteppingError::Flow => ("flow", "leave --method moreau --step out: event-driven simulation supports flows"),
        SteppingError::Poisson => ("impacts.law", "write law = \"newton\", or leave --method moreau --step out"),
        SteppingError::TooLarge => ("matrices.M", "ask `saltation modes` about it, or use fewer elements"),
        SteppingError::Step(_) | SteppingError::Steps(_) => {
            return Refusal::new("step", error.to_string(), "choose another step").into();
        }
        SteppingError::Theta(_) => return Refusal::new("theta", error.to_string(), "leave it out for 1/2").into(),
    };
    model.mistakes(vec![model.mistake_at(place, error.to_string()).help(help)]).into()
}

/// The answer: plain data with the names of the model.
fn answer(
    stepping: &Stepping,
    settings: SteppingSettings,
    naming: Naming,
    followed: &Followed,
    kept_here: bool,
) -> Answer {
    let Stepping { system, request } = stepping;
    let model = system.model();
    let solver = &followed.solver;
    let closed = followed.contacts.iter().filter(|contact| contact.impulse[0] > 0.0);
    let contact = |active: &lower::ActiveContact| Contact {
        contact: model.contacts[active.contact].name.clone(),
        mode: active.case.name().to_string(),
        normal_impulse: active.impulse[0],
        tangential_impulse: active.impulse[1],
    };
    let states = followed.state.len();
    Answer {
        end: End { time: followed.time, state: naming.named(&followed.state), mode: followed.mode.clone() },
        counts: Counts::default(),
        ended: followed.ended.name().to_string(),
        events: Events::default(),
        message: message(model, naming, &followed.ended),
        method: "moreau".to_string(),
        step: settings.step,
        theta: settings.theta,
        solver: Solver {
            tolerance: settings.tolerance,
            residual: solver.residual,
            capped: solver.capped,
            iterations: solver.sweeps,
            most_iterations: solver.most_sweeps,
            steps: solver.steps,
            steps_with_contact: solver.with_contact,
            most_contacts: solver.most_contacts,
            penetration: solver.penetration,
        },
        contacts: closed.map(contact).collect(),
        model: model.name.clone(),
        parameters: system.parameters(),
        samples: request.every.filter(|_| kept_here).map(|_| columns(naming, &followed.samples, states, &[])),
    }
}

impl Answered for Stepped {
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
        self.samples.as_ref().map(Columns::table).into_iter().collect()
    }

    fn warnings(&self) -> Vec<String> {
        self.path.as_ref().and_then(Path::warning).into_iter().chain(report::stalled(self)).collect()
    }

    fn asked_lines(&self) -> Vec<String> {
        self.samples.as_ref().map_or(Vec::new(), |samples| sample_table::lines(samples, self.end.time))
    }

    fn tolerance(&self) -> Option<f64> {
        Some(self.settings.tolerance)
    }
}

impl Stepped {
    /// The figure: gaps and states over time, or two of them over each other. `None` if the path was not kept.
    ///
    /// # Errors
    /// If a name of the plane is neither a state nor a contact of the model.
    pub fn figure(&self, plane: Option<[&str; 2]>) -> Result<Option<Figure>, Error> {
        let Some(path) = &self.path else { return Ok(None) };
        let names = names(self.system.model(), None);
        let accuracy = format!("steps of {:e}", self.settings.step);
        let shown = Shown {
            system: &self.system,
            naming: Naming::new(
                &names,
                self.system.numbers(),
                self.system.state_names(),
                self.system.parameter_names(),
            ),
            events: &[],
            time: self.end.time,
            trajectory: &path.trajectory,
            accuracy: &accuracy,
        };
        Ok(Some(match plane {
            Some(names) => plane::figure(shown, quantities(&self.system, names)?),
            None => time::figure(shown, &[]),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_json;

    #[test]
    fn answers_are_read_back_as_they_were_written() -> Result<(), Error> {
        let stepped = System::gallery("bouncing-disc")?.stepping(1e-2).until(1.0).every(0.25).run()?;
        let text = stepped.json();
        assert_eq!(crate::answered::json(&read_json::<Answer>(&text)?), text);
        assert_eq!(stepped.tables()[0].rows.len(), 5);
        Ok(())
    }

    #[test]
    fn nonsense_is_refused_with_its_field() -> Result<(), Error> {
        let ball = System::gallery("bouncing-ball")?;
        let fields = |stepping: Stepping| match stepping.run() {
            Err(Error::Request(list)) => list.iter().map(|refusal| refusal.field).collect(),
            _ => Vec::new(),
        };
        for step in [f64::NAN, 0.0, -1.0, f64::INFINITY, 1e-12, 50.0] {
            assert_eq!(fields(ball.stepping(step)), ["step"], "{step}");
        }
        assert_eq!(fields(ball.stepping(0.1).until(f64::NAN)), ["until"]);
        assert_eq!(fields(ball.stepping(0.1).until(f64::INFINITY)), ["until"]);
        assert_eq!(fields(ball.stepping(0.1).every(0.0).tolerance(1.0)), ["tol", "every"]);
        Ok(())
    }
}
