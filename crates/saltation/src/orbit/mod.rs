//! Periodic orbits: the question `orbit`, solved by multiple shooting from the start, from a motion after its transient, or from a guess.

pub mod answer;
pub(crate) mod fields;
pub(crate) mod figure;
mod guess;
pub(crate) mod report;
pub mod request;

pub use answer::{Answer, Periodic};
pub use guess::Guess;
pub use request::Request;

use crate::answered::{Answered, Ending, Parts};
use crate::error::Error;
use crate::named::Named;
use crate::progress::Progress;
use crate::settings::MotionSettings;
use crate::simulation::answer::Gradients;
use crate::simulation::{can_begin, folder};
use crate::system::System;
use crate::table::Table;
use crate::text::number::{self, short};
use saltation_draw::Figure;
use saltation_motion::{FlowChoice, Policy};
use saltation_orbit::{self as lower, Ended, Settings};
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A search for an orbit to be computed.
///
/// ```
/// use saltation::System;
/// let system = System::gallery("two-wall-oscillator")?.with("nu", 1.2)?;
/// let orbit = system.orbit().settle(300).find()?;
/// assert_eq!(orbit.signature, ["impact:upper", "impact:lower"]);
/// assert!(orbit.stable && (orbit.multipliers[0].re - 0.946194797071).abs() < 1e-9);
/// # Ok::<(), saltation::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct OrbitSearch {
    /// The system.
    pub system: System,
    /// The request.
    pub request: Request,
    /// The orbit that the search begins from, if not at the start.
    pub guess: Option<Guess>,
}

/// The result of a search: the answer, the system and the request.
#[derive(Debug, Clone)]
pub struct Searched {
    /// The system.
    pub system: System,
    /// The request.
    pub request: Request,
    /// The answer.
    pub answer: Answer,
    /// The wall time of the computation.
    pub wall_time: Duration,
    pub(crate) guess: Option<Guess>,
    pub(crate) settings: Settings,
    pub(crate) found: lower::Search,
    /// Where the settled trajectory does not repeat as asked: the same search with the period with which it may.
    other: Option<Other>,
}

/// A search with another period than the one asked for.
#[derive(Debug, Clone)]
struct Other {
    returns: u64,
    /// Period and stability of its orbit.
    found: Option<(f64, bool)>,
}

/// What comes back within this part of its size may be an orbit.
const NEARLY: f64 = 1e-3;

/// An orbit that was found.
///
/// Its numbers are those of [`Periodic`]: `orbit.period`, `orbit.state["x"]`, `orbit.multipliers`.
#[derive(Debug, Clone)]
pub struct Orbit {
    /// The search that found it.
    pub search: Searched,
    periodic: Periodic,
}

impl Deref for Searched {
    type Target = Answer;

    fn deref(&self) -> &Answer {
        &self.answer
    }
}

impl Deref for Orbit {
    type Target = Periodic;

    fn deref(&self) -> &Periodic {
        &self.periodic
    }
}

impl System {
    /// A search for an orbit from the start: one return, no transient, by default.
    pub fn orbit(&self) -> OrbitSearch {
        OrbitSearch { system: self.clone(), request: Request::default(), guess: None }
    }
}

impl MotionSettings for OrbitSearch {
    fn motion_settings(&mut self) -> (&mut f64, &mut FlowChoice) {
        (&mut self.request.tol, &mut self.request.flow)
    }
}

impl OrbitSearch {
    /// Simulates a transient of this many returns first.
    pub fn settle(mut self, returns: u64) -> Self {
        self.request.settle = returns;
        self
    }

    /// The period of the orbit in returns.
    pub fn returns(mut self, count: u64) -> Self {
        self.request.period = Some(count);
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

    /// Begins at the state of an orbit that was written to a file, with the parameters that are set now.
    ///
    /// # Errors
    /// If the file cannot be read, is no orbit, or is one of a model with other states.
    pub fn guess_file(self, path: impl AsRef<Path>) -> Result<Self, Error> {
        let guess = Guess::read(path.as_ref(), false, self.system.model(), self.system.settings())?;
        self.begin_at(guess)
    }

    /// Begins at an orbit that was written to a file, with its parameters.
    ///
    /// # Errors
    /// As [`OrbitSearch::guess_file`], and if it is an orbit of another model.
    pub fn from_file(self, path: impl AsRef<Path>) -> Result<Self, Error> {
        let guess = Guess::read(path.as_ref(), true, self.system.model(), self.system.settings())?;
        self.begin_at(guess)
    }

    /// Begins at the state of an orbit, with the parameters that are set now.
    ///
    /// # Errors
    /// If it is one of a model with other states.
    pub fn guess(self, answer: &Answer) -> Result<Self, Error> {
        let value = serde_json::to_value(answer).unwrap_or_default();
        let guess = Guess::of(&value, "an orbit", false, self.system.model(), self.system.settings())?;
        self.begin_at(guess)
    }

    /// Begins at a guess: its state, and of a whole orbit its parameters.
    ///
    /// # Errors
    /// If its numbers do not fit the model.
    pub fn begin_at(self, guess: Guess) -> Result<Self, Error> {
        let system = self.system.at_origin(&guess.given())?;
        Ok(OrbitSearch { system, guess: Some(guess), ..self })
    }

    /// Searches; the absence of orbits is an error.
    ///
    /// # Errors
    /// Mistakes in the request, the numbers or the start; or why there is no orbit, as [`Error::Ended`].
    pub fn find(&self) -> Result<Orbit, Error> {
        self.find_with(&mut ())
    }

    /// The same, with progress and interruption.
    ///
    /// # Errors
    /// As [`OrbitSearch::find`].
    pub fn find_with(&self, progress: &mut dyn Progress) -> Result<Orbit, Error> {
        let search = self.search_with(progress)?;
        match search.found.ended.is_complete().then(|| search.answer.orbit.clone()).flatten() {
            Some(periodic) => Ok(Orbit { search, periodic }),
            None => Err(Error::Ended { word: search.answer.ended.clone(), lines: search.ending().lines }),
        }
    }

    /// Differentiates the state and the period by these parameters, with all that follows from them: exactly, through every event.
    ///
    /// ```
    /// use saltation::System;
    /// let orbit = System::gallery("two-wall-oscillator")?.orbit().settle(300).derivatives(["nu"]).find()?;
    /// // The period is that of the forcing, 2 pi/nu.
    /// let changed = orbit.derivatives.as_ref().unwrap().period["nu"];
    /// assert!((changed + orbit.period / orbit.system().parameter("nu").unwrap()).abs() < 1e-9);
    /// # Ok::<(), saltation::Error>(())
    /// ```
    pub fn derivatives<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.request.derivatives = names.into_iter().map(Into::into).collect();
        self
    }

    /// Searches; the absence of orbits is a valid answer.
    ///
    /// # Errors
    /// Mistakes in the request, the numbers or the start.
    pub fn search(&self) -> Result<Searched, Error> {
        self.search_with(&mut ())
    }

    /// The same, with progress and interruption.
    ///
    /// # Errors
    /// As [`OrbitSearch::search`].
    pub fn search_with(&self, progress: &mut dyn Progress) -> Result<Searched, Error> {
        let began = Instant::now();
        let OrbitSearch { system, request, guess } = self;
        let settings = request.settings(system, guess.as_ref())?;
        can_begin(system, request.tol, request.flow)?;
        let found = find(system, &settings, progress)?;
        let mut answer = answer(system, &settings, &found)?;
        if let (Some(periodic), Some(orbit)) = (&mut answer.orbit, &found.orbit) {
            periodic.derivatives = derivatives(system, request, &settings, orbit)?;
        }
        let other = other(system, &settings, &found, progress)?;
        Ok(Searched {
            system: system.clone(),
            request: request.clone(),
            answer,
            wall_time: began.elapsed(),
            guess: guess.clone(),
            settings,
            found,
            other,
        })
    }

    /// The differences between the conditions of the guess and the present ones.
    pub fn note(&self) -> Option<String> {
        self.guess.as_ref().and_then(|guess| guess.note(self.system.model(), self.system.numbers()))
    }
}

/// One search.
fn find(system: &System, settings: &Settings, progress: &mut dyn Progress) -> Result<lower::Search, Error> {
    let settle = settings.settle;
    let (compiled, values) = (system.compiled_for_derivatives()?, system.values()?);
    Ok(lower::find(compiled, values, settings, &mut |done| match done < settle {
        true => progress.see(Some(done as f64 / settle as f64), &|| format!("transient, {done} of {settle} returns")),
        false => progress.see(None, &|| "searching for the orbit".to_string()),
    }))
}

/// The search with the period with which the settled trajectory repeats, so that it is advised only where it finds something.
fn other(
    system: &System,
    settings: &Settings,
    found: &lower::Search,
    progress: &mut dyn Progress,
) -> Result<Option<Other>, Error> {
    let Ended::NotPeriodic { nearest: (returns, miss), .. } = found.ended else { return Ok(None) };
    let returns = returns as u64;
    if returns == settings.returns || miss > NEARLY {
        return Ok(None);
    }
    let found = find(system, &Settings { returns, ..settings.clone() }, progress)?;
    if found.ended == Ended::Interrupted {
        return Ok(None);
    }
    let orbit = found.orbit.filter(|_| found.ended.is_complete());
    Ok(Some(Other { returns, found: orbit.map(|orbit| (orbit.period, orbit.stable)) }))
}

/// The answer: plain data with the names of the model.
/// The derivatives of an orbit that the request asks for.
fn derivatives(
    system: &System,
    request: &Request,
    settings: &Settings,
    orbit: &lower::Orbit,
) -> Result<Option<answer::Derivatives>, Error> {
    let (parameters, _) = request.parameters(system);
    if parameters.is_empty() {
        return Ok(None);
    }
    let found = lower::dependence(system.compiled()?, system.values()?, settings, orbit, &parameters);
    let none = || lower::Dependence { state: vec![f64::NAN; orbit.state.len()], period: f64::NAN };
    let found = found.unwrap_or_else(|| parameters.iter().map(|_| none()).collect());
    let names: Vec<String> = parameters.iter().map(|&parameter| system.parameter_names()[parameter].clone()).collect();
    let state = |(name, one): (&String, &lower::Dependence)| {
        (name.clone(), Named::new(Arc::clone(system.state_names()), one.state.clone()))
    };
    Ok(Some(answer::Derivatives {
        period: Named::new(names.clone().into(), found.iter().map(|one| one.period).collect()),
        state: Gradients(names.iter().zip(&found).map(state).collect()),
    }))
}

fn answer(system: &System, settings: &Settings, found: &lower::Search) -> Result<Answer, Error> {
    let naming = system.naming()?;
    let steps = found.history.iter();
    let steps = steps.map(|step| answer::Step { residual: step.residual, damping: step.damping });
    Ok(Answer {
        orbit: found.orbit.as_ref().map(|orbit| Periodic::new(naming, orbit)),
        section: naming.system.section_names().nth(settings.section).unwrap_or_default().to_string(),
        ended: found.ended.name().to_string(),
        message: message(naming.system, settings, found),
        newton: steps.collect(),
        returns_integrated: found.returns,
        model: system.model().name.clone(),
        fingerprint: system.model().fingerprint(),
        parameters: system.parameters(),
    })
}

/// How the search ended, in a sentence.
fn message(system: &saltation_motion::System, settings: &Settings, found: &lower::Search) -> String {
    let Ended::NotPeriodic { drift, nearest: (returns, miss), .. } = &found.ended else {
        return found.ended.describe(system);
    };
    let asked = settings.returns;
    let mut parts = vec![format!(
        "the settled trajectory does not repeat after {}: it misses itself by {drift:.1e} of its size",
        number::count(asked, "return")
    )];
    let nearest = number::count(*returns as u64, "return");
    if *miss <= lower::PERIODIC_MISS {
        parts.push(format!(", and repeats after {nearest}"));
    } else {
        if *returns as u64 != asked {
            parts.push(format!(", and least, by {miss:.1e}, after {nearest}"));
        }
        parts.push("; it may need longer to settle, or be quasi-periodic or chaotic".to_string());
    }
    parts.push(match found.orbit {
        Some(_) => "; the orbit found near it is another trajectory, and unstable".to_string(),
        None => "; no orbit was found near it".to_string(),
    });
    parts.concat()
}

impl Answered for Searched {
    fn parts(&self) -> Parts<'_> {
        Parts { system: &self.system, answer: &self.answer, wall_time: self.wall_time }
    }

    /// Why the requested answer is missing, and what can be done.
    fn ending(&self) -> Ending {
        let ended = &self.found.ended;
        if ended.is_complete() {
            return Ending::complete();
        }
        let mut lines = vec![self.message.clone()];
        let settle = self.settings.settle;
        match ended {
            Ended::NotPeriodic { .. } => lines.push(match &self.other {
                Some(Other { returns, found: Some((period, stable)) }) => {
                    let which = if *stable { "a stable" } else { "an unstable" };
                    format!("try --period {returns}, which finds {which} orbit of period {}", short(*period, 7))
                }
                Some(Other { returns, found: None }) => format!(
                    "try a longer --settle than {settle}, or saltation lyapunov; a search with --period {returns} finds none"
                ),
                None => format!("try a longer --settle than {settle}, or saltation lyapunov"),
            }),
            Ended::NotConverged { .. } | Ended::LeftDomain { .. } => lines.push(match settle {
                0 => "begin closer: --settle N follows the trajectory first, --start and --guess give another start"
                    .to_string(),
                _ => "begin closer: try a longer --settle, or another start with --start or --guess".to_string(),
            }),
            Ended::NoReturn { .. } => lines.push("try another section with --section, or another start".to_string()),
            Ended::AtRest { equilibrium: Some(_), .. } => {
                lines.push("saltation equilibrium says what it rests on, and whether perturbations decay".to_string())
            }
            Ended::Singular => lines.push("try another value of a parameter, or another start".to_string()),
            _ => {}
        }
        Ending::short(lines)
    }

    fn report(&self) -> Vec<String> {
        report::lines(self)
    }

    fn tables(&self) -> Vec<Table> {
        let (Some(periodic), Some(orbit)) = (&self.answer.orbit, &self.found.orbit) else { return Vec::new() };
        let events = folder::event_table(self.system.state_names(), &periodic.events);
        let path = self.system.naming().ok().map(|naming| crate::drawing::path::table(naming, &orbit.trajectory));
        std::iter::once(events).chain(path).collect()
    }

    fn file(&self) -> Option<&'static str> {
        self.found.orbit.as_ref().map(|_| "orbit.json")
    }

    fn tolerance(&self) -> Option<f64> {
        Some(self.request.tol)
    }
}

/// That of the search.
impl Answered for Orbit {
    fn parts(&self) -> Parts<'_> {
        self.search.parts()
    }

    fn ending(&self) -> Ending {
        self.search.ending()
    }

    fn report(&self) -> Vec<String> {
        self.search.report()
    }

    fn tables(&self) -> Vec<Table> {
        self.search.tables()
    }

    fn file(&self) -> Option<&'static str> {
        self.search.file()
    }

    fn tolerance(&self) -> Option<f64> {
        self.search.tolerance()
    }
}

impl Searched {
    /// The orbit, if any was found.
    pub fn orbit(&self) -> Option<Orbit> {
        let periodic = self.answer.orbit.clone()?;
        Some(Orbit { search: self.clone(), periodic })
    }

    /// The figure: planes of positions and speeds, and gaps over time. `None` if there is no orbit.
    pub fn figure(&self) -> Option<Figure> {
        let orbit = self.found.orbit.as_ref()?;
        Some(figure::figure(self, self.system.naming().ok()?, orbit))
    }
}

impl Orbit {
    /// The system with the parameters of the orbit.
    pub fn system(&self) -> &System {
        &self.search.system
    }

    /// The figure: planes of positions and speeds, and gaps over time.
    pub fn figure(&self) -> Option<Figure> {
        self.search.figure()
    }
}
