//! Bifurcation curves of orbits in the plane of two parameters: the question `curve`.

pub mod answer;
pub(crate) mod fields;
pub(crate) mod figure;
pub(crate) mod report;
pub mod request;
mod start;
pub(crate) mod tables;

pub use answer::{Answer, At};
pub use request::Request;
pub use start::Start;

use crate::answered::{Answered, Ending, Parts};
use crate::branch::{self, Branch};
use crate::error::Error;
use crate::progress::Progress;
use crate::settings::{CurveSettings, Steps};
use crate::simulation::can_begin;
use crate::system::System;
use crate::table::Table;
use crate::text::number::short;
use saltation_draw::Figure;
use saltation_motion::FlowChoice;
use saltation_orbit::curve::{self as lower, SpecialCurve};
use std::ops::{Deref, RangeInclusive};
use std::path::Path;
use std::time::{Duration, Instant};

/// A curve to be computed.
///
/// ```
/// use saltation::System;
/// let orbit = System::gallery("ball-on-table")?.orbit().find()?;
/// let branch = orbit.continue_in("K", 0.1..=1.2).run()?;
/// let fold = branch.special.iter().position(|special| special.kind.name() == "fold").unwrap();
/// let curve = branch.curve(fold)?.follow_in("e", 0.7..=0.9).run()?;
/// for point in &curve.points {
///     let (k, e) = (point.parameters["K"], point.parameters["e"]);
///     assert!((k - std::f64::consts::PI * (1.0 - e) / (1.0 + e)).abs() < 1e-10);
/// }
/// # Ok::<(), saltation::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct CurveSearch {
    /// The system, with the parameters at the bifurcation.
    pub system: System,
    /// The request.
    pub request: Request,
    /// The bifurcation.
    pub start: Start,
}

/// A curve of bifurcations: the answer, the system and the request.
///
/// Its numbers are those of [`Answer`]: `curve.points`, `curve.special`.
#[derive(Debug, Clone)]
pub struct Curve {
    /// The system, with the parameters at the bifurcation that the curve begins with.
    pub system: System,
    /// The request.
    pub request: Request,
    /// The bifurcation that the curve begins with.
    pub start: Start,
    /// The answer.
    pub answer: Answer,
    /// The wall time of the computation.
    pub wall_time: Duration,
    pub(crate) parameters: [usize; 2],
    pub(crate) curve: Option<SpecialCurve>,
}

impl Deref for Curve {
    type Target = Answer;

    fn deref(&self) -> &Answer {
        &self.answer
    }
}

impl Branch {
    /// A curve from a bifurcation, by its position in `special`.
    ///
    /// # Errors
    /// If there is none, or one that cannot be followed.
    pub fn curve(&self, index: usize) -> Result<CurveSearch, Error> {
        self.curve_on(0, index)
    }

    /// The same on a branch by its number: 0 for that of the orbit, from 1 on those that begin on it.
    ///
    /// # Errors
    /// As [`Branch::curve`].
    pub fn curve_on(&self, branch: usize, index: usize) -> Result<CurveSearch, Error> {
        let at = if branch == 0 { index.to_string() } else { format!("{branch}:{index}") };
        let start = Start::of(&self.answer, &at, self.system.model())?;
        // Parameters that depend on that of the branch by formulas do so here, too.
        let system = match start.value(self.along()) {
            Some(value) => self.system.with(self.along(), value)?,
            None => self.system.clone(),
        };
        let request = Request { tol: self.request.tol, flow: self.request.flow, ..Request::default() };
        Ok(CurveSearch { system, request, start })
    }
}

impl System {
    /// A curve from a bifurcation of a branch that was written to a file: `at` is its position, `INDEX`, or `BRANCH:INDEX` for one of a branch
    /// that begins on the first one.
    ///
    /// # Errors
    /// If the file cannot be read or holds no branch of this model, if it has no such bifurcation, or one that cannot be followed,
    /// or if parameters are set to other values.
    pub fn curve_from_file(&self, path: impl AsRef<Path>, at: &str) -> Result<CurveSearch, Error> {
        self.curve_at(Start::read(path.as_ref(), Some(at), self.model())?)
    }

    /// The same from an answer in memory.
    ///
    /// # Errors
    /// As [`System::curve_from_file`].
    pub fn curve_from(&self, answer: &branch::Answer, at: &str) -> Result<CurveSearch, Error> {
        self.curve_at(Start::of(answer, at, self.model())?)
    }

    fn curve_at(&self, start: Start) -> Result<CurveSearch, Error> {
        let system = self.at_origin(&start.given(self.model(), self.settings())?)?;
        Ok(CurveSearch { system, request: Request::default(), start })
    }
}

impl CurveSettings for CurveSearch {
    fn curve_settings(&mut self) -> Steps<'_> {
        let Request { step, points, at_least, tol, flow, .. } = &mut self.request;
        Steps { step, points, at_least, tol, flow }
    }
}

impl CurveSearch {
    /// The second parameter, and the values between which it varies.
    pub fn follow_in(mut self, parameter: &str, range: RangeInclusive<f64>) -> Self {
        let own = self.start.along().unwrap_or_default().to_string();
        self.request.along = Some([own, parameter.to_string()]);
        self.request.range = Some([*range.start(), *range.end()]);
        self
    }

    /// The values between which the parameter of the branch varies; by default all values that the model allows.
    pub fn first_range(mut self, range: RangeInclusive<f64>) -> Self {
        self.request.range1 = Some([*range.start(), *range.end()]);
        self
    }

    /// Follows the bifurcation; the absence of curves is an error.
    ///
    /// # Errors
    /// Mistakes in the request or the numbers; or why there is no curve, as [`Error::Ended`].
    pub fn run(&self) -> Result<Curve, Error> {
        self.run_with(&mut ())
    }

    /// The same, with progress and interruption.
    ///
    /// # Errors
    /// As [`CurveSearch::run`].
    pub fn run_with(&self, progress: &mut dyn Progress) -> Result<Curve, Error> {
        let curve = self.ask_with(progress)?;
        match curve.curve {
            None => Err(Error::Ended { word: curve.answer.ended.clone(), lines: curve.ending().lines }),
            Some(_) => Ok(curve),
        }
    }

    /// Follows the bifurcation; without a curve the answer has no points.
    ///
    /// # Errors
    /// Mistakes in the request or the numbers.
    pub fn ask(&self) -> Result<Curve, Error> {
        self.ask_with(&mut ())
    }

    /// The same, with progress and interruption.
    ///
    /// # Errors
    /// As [`CurveSearch::ask`].
    pub fn ask_with(&self, progress: &mut dyn Progress) -> Result<Curve, Error> {
        let began = Instant::now();
        let CurveSearch { system, request, start } = self;
        let (parameters, settings) = request.settings(system, start)?;
        if request.flow == FlowChoice::Exact {
            can_begin(system, request.tol, FlowChoice::Exact)?;
        }
        let (model, compiled) = (system.model(), system.compiled_for_derivatives()?);
        let names = parameters.map(|index| model.parameters[index].name.as_str());
        let origin = start.origin(compiled);
        let following = system.numbers().found_at(&origin.state)?.along(&names)?;
        let found = lower::follow(compiled, &following, &origin, &settings, &mut |points, value| {
            progress.see(None, &|| format!("{points} points, {} = {}", names[1], short(value, 10)))
        });
        let position = start.position();
        let mut answer = Answer {
            kind: start.kind(),
            points: Vec::new(),
            special: Vec::new(),
            ended: "no_curve".to_string(),
            message: String::new(),
            ends: Vec::new(),
            signature: Vec::new(),
            along: names.map(str::to_string),
            range: [settings.range.0, settings.range.1],
            from: start.source().to_string(),
            at: position.parse().map_or_else(|_| At::Branch(position.to_string()), At::Index),
            tolerance: settings.tolerance,
            model: model.name.clone(),
            fingerprint: model.fingerprint(),
            parameters: system.parameters(),
        };
        match &found {
            Ok(curve) => answer.take(system.naming()?, curve),
            Err(error) => answer.message = format!("the curve does not begin: {error}"),
        }
        Ok(Curve {
            system: system.clone(),
            request: request.clone(),
            start: start.clone(),
            answer,
            wall_time: began.elapsed(),
            parameters,
            curve: found.ok(),
        })
    }
}

impl Answered for Curve {
    fn parts(&self) -> Parts<'_> {
        Parts { system: &self.system, answer: &self.answer, wall_time: self.wall_time }
    }

    fn ending(&self) -> Ending {
        Ending::short(report::short_of(self))
    }

    fn report(&self) -> Vec<String> {
        report::lines(self)
    }

    fn tables(&self) -> Vec<Table> {
        if self.curve.is_none() { Vec::new() } else { vec![tables::points(self), tables::special(self)] }
    }

    fn file(&self) -> Option<&'static str> {
        Some("curve.json")
    }

    fn tolerance(&self) -> Option<f64> {
        Some(self.request.tol)
    }
}

impl Curve {
    /// The names of the parameters that vary: that of the branch, and the second one.
    pub fn along(&self) -> [&str; 2] {
        self.parameters.map(|index| self.system.model().parameters[index].name.as_str())
    }

    /// The figure: the plane of both parameters. `None` if there is no curve.
    pub fn figure(&self) -> Option<Figure> {
        self.curve.as_ref().map(|curve| figure::figure(self, curve))
    }
}
