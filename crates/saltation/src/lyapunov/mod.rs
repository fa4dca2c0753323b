//! Lyapunov exponents of a motion, with standard errors: the question `lyapunov`.

pub mod answer;
pub(crate) mod fields;
pub(crate) mod report;
pub mod request;

pub use answer::Answer;
pub use request::Request;

use crate::answered::{Answered, Ending, Parts};
use crate::error::Error;
use crate::progress::Progress;
use crate::settings::MotionSettings;
use crate::simulation::can_begin;
use crate::system::System;
use crate::table::Table;
use crate::text::number;
use saltation_motion::{FlowChoice, Policy};
use saltation_orbit::LyapunovSettings;
use saltation_orbit::lyapunov::{Exponents, LyapunovEnded, exponents};
use std::ops::Deref;
use std::time::{Duration, Instant};

/// A measurement of Lyapunov exponents to be computed.
///
/// ```
/// use saltation::System;
/// let measured = System::gallery("impact-oscillator")?.lyapunov().settle(50).returns(100).run()?;
/// assert_eq!(measured.exponents.len(), 2);
/// assert_eq!((measured.returns, measured.ended.as_str()), (100, "complete"));
/// # Ok::<(), saltation::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Measurement {
    /// The system.
    pub system: System,
    /// The request.
    pub request: Request,
}

/// Values that were measured: the answer, the system and the request.
#[derive(Debug, Clone)]
pub struct Measured {
    /// The system.
    pub system: System,
    /// The request.
    pub request: Request,
    /// The answer.
    pub answer: Answer,
    /// The wall time of the computation.
    pub wall_time: Duration,
    complete: bool,
}

impl Deref for Measured {
    type Target = Answer;

    fn deref(&self) -> &Answer {
        &self.answer
    }
}

impl System {
    /// A measurement of Lyapunov exponents from the start: 10 000 returns after a transient of 200, by default.
    pub fn lyapunov(&self) -> Measurement {
        Measurement { system: self.clone(), request: Request::default() }
    }
}

impl MotionSettings for Measurement {
    fn motion_settings(&mut self) -> (&mut f64, &mut FlowChoice) {
        (&mut self.request.tol, &mut self.request.flow)
    }
}

impl Measurement {
    /// Simulates a transient of this many returns first.
    pub fn settle(mut self, returns: u64) -> Self {
        self.request.settle = returns;
        self
    }

    /// Measures along this many returns.
    pub fn returns(mut self, count: u64) -> Self {
        self.request.returns = count;
        self
    }

    /// Counts returns at this section.
    pub fn section(mut self, name: &str) -> Self {
        self.request.section = Some(name.to_string());
        self
    }

    /// The choice where several contact modes with friction are consistent.
    pub fn policy(mut self, policy: Policy) -> Self {
        self.request.policy = policy;
        self
    }

    /// Measures. An early end of the motion is part of the answer.
    ///
    /// # Errors
    /// Mistakes in the request, the numbers or the start.
    pub fn run(&self) -> Result<Measured, Error> {
        self.run_with(&mut ())
    }

    /// The same, with progress and interruption.
    ///
    /// # Errors
    /// As [`Measurement::run`].
    pub fn run_with(&self, progress: &mut dyn Progress) -> Result<Measured, Error> {
        let began = Instant::now();
        let Measurement { system, request } = self;
        let settings = request.settings(system)?;
        can_begin(system, request.tol, request.flow)?;
        let LyapunovSettings { settle, returns, .. } = settings;
        let all = (settle + returns) as f64;
        let found = exponents(system.compiled_for_derivatives()?, system.values()?, &settings, &mut |done| {
            progress.see(Some(done as f64 / all), &|| match done.checked_sub(settle) {
                None => format!("transient, {done} of {settle} returns"),
                Some(measured) => format!("{measured} of {returns} returns"),
            })
        });
        Ok(Measured {
            system: system.clone(),
            request: request.clone(),
            answer: answer(system, &settings, &found)?,
            wall_time: began.elapsed(),
            complete: found.ended.is_complete(),
        })
    }
}

/// The answer: plain data with the names of the model.
fn answer(system: &System, settings: &LyapunovSettings, found: &Exponents) -> Result<Answer, Error> {
    let naming = system.naming()?;
    let finite = |row: &Vec<f64>| row.iter().map(|&x| Some(x).filter(|x| x.is_finite())).collect();
    Ok(Answer {
        exponents: found.exponents.clone(),
        standard_errors: found.standard_errors.clone(),
        time: found.time,
        sum: found.exponents.iter().sum(),
        returns: found.returns,
        impacts: found.impacts,
        section: naming.system.section_names().nth(settings.section).unwrap_or_default().to_string(),
        settled: settings.settle,
        state: (found.returns > 0).then(|| naming.named(&found.state)),
        ended: found.ended.name().to_string(),
        message: match &found.ended {
            LyapunovEnded::Complete => "all returns were made".to_string(),
            LyapunovEnded::Short(reason) => report::failure(reason, naming.system, settings.section),
        },
        block_means: found.block_means.iter().map(finite).collect(),
        model: system.model().name.clone(),
        parameters: system.parameters(),
    })
}

impl Answered for Measured {
    fn parts(&self) -> Parts<'_> {
        Parts { system: &self.system, answer: &self.answer, wall_time: self.wall_time }
    }

    /// Why the measurement is incomplete.
    fn ending(&self) -> Ending {
        if self.complete {
            return Ending::complete();
        }
        let asked = number::count(self.request.returns, "return");
        Ending::short(vec![match self.returns {
            0 => format!("nothing was measured: {}", self.message),
            made => format!("{made} of {asked} were measured: {}", self.message),
        }])
    }

    fn report(&self) -> Vec<String> {
        report::lines(self)
    }

    /// None: exponents are one row.
    fn tables(&self) -> Vec<Table> {
        Vec::new()
    }

    fn tolerance(&self) -> Option<f64> {
        Some(self.request.tol)
    }
}

impl Measured {
    /// The kind of motion, in a sentence: chaotic, not chaotic, or quasi-periodic.
    pub fn verdict(&self) -> String {
        report::verdict(self)
    }
}
