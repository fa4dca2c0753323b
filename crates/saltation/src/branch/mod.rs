//! Branches of periodic orbits along a parameter: the question `continue`.

pub mod answer;
pub(crate) mod fields;
pub(crate) mod figure;
pub(crate) mod ordinate;
pub(crate) mod report;
pub mod request;
pub(crate) mod span;
pub mod special;
pub(crate) mod stored;
pub(crate) mod tables;

pub use answer::{Answer, OrbitBranch, Parent, Point};
pub use ordinate::Ordinate;
pub use request::{Request, method, position};
pub use saltation_orbit::branch::{Method, SpecialKind};
pub use special::Special;

pub(crate) use answer::worse;
pub(crate) use report::remedy;

use crate::answered::{Answered, Ending, Parts};
use crate::error::{Error, Refusal, accepted};
use crate::naming::Naming;
use crate::orbit::{Orbit, OrbitSearch, Searched};
use crate::progress::Progress;
use crate::settings::{CurveSettings, Steps};
use crate::system::System;
use crate::table::Table;
use crate::text::number::{self, short};
use saltation_draw::Figure;
use saltation_orbit::branch::{self as lower, BranchPoint, Monitor, Settings, StartError};
use std::ops::{Deref, RangeInclusive};
use std::time::{Duration, Instant};

/// A branch to be computed, of an orbit that is known or searched for first.
///
/// ```
/// use saltation::{CurveSettings, System};
/// let orbit = System::gallery("impact-oscillator")?.orbit().returns(2).settle(400).find()?;
/// let branch = orbit.continue_in("A", 0.34..=0.36).step(0.2).run()?;
/// let graze = &branch.special[0];
/// assert_eq!(graze.kind.name(), "graze");
/// assert!((graze.parameters["A"] - 0.345422885750).abs() < 1e-10);
/// # Ok::<(), saltation::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Continuation {
    /// The search for the orbit at which the branch begins.
    pub search: OrbitSearch,
    /// The request.
    pub request: Request,
    /// The orbit, if it is known.
    found: Option<Box<Searched>>,
}

/// A branch, with those that bifurcate from it: the answer, the system and the request.
///
/// Its numbers are those of [`Answer`]: `branch.points`, `branch.special`, `branch.branches`.
#[derive(Debug, Clone)]
pub struct Branch {
    /// The system, with the parameters at which the orbit was found.
    pub system: System,
    /// The request.
    pub request: Request,
    /// The answer.
    pub answer: Answer,
    /// The wall time of the computation.
    pub wall_time: Duration,
    pub(crate) search: Searched,
    pub(crate) orbit: Option<saltation_orbit::Orbit>,
    pub(crate) parameter: usize,
    pub(crate) branches: Vec<lower::Branch>,
}

impl Deref for Branch {
    type Target = Answer;

    fn deref(&self) -> &Answer {
        &self.answer
    }
}

impl Orbit {
    /// The branch of this orbit along a parameter.
    pub fn continue_in(&self, parameter: &str, range: RangeInclusive<f64>) -> Continuation {
        let Searched { system, request, guess, .. } = &self.search;
        let search = OrbitSearch { system: system.clone(), request: request.clone(), guess: guess.clone() };
        Continuation { found: Some(Box::new(self.search.clone())), ..search.continue_in(parameter, range) }
    }
}

impl OrbitSearch {
    /// The branch along a parameter of the orbit that this search finds.
    pub fn continue_in(&self, parameter: &str, range: RangeInclusive<f64>) -> Continuation {
        let request = Request {
            along: Some(parameter.to_string()),
            range: Some([*range.start(), *range.end()]),
            flow: self.request.flow,
            tol: self.request.tol,
            ..Request::default()
        };
        self.continue_as(request)
    }

    /// The branch of the orbit that this search finds, for a given request.
    pub fn continue_as(&self, request: Request) -> Continuation {
        Continuation { search: self.clone(), request, found: None }
    }
}

impl CurveSettings for Continuation {
    fn curve_settings(&mut self) -> Steps<'_> {
        let Request { step, points, at_least, tol, flow, .. } = &mut self.request;
        Steps { step, points, at_least, tol, flow }
    }
}

impl Continuation {
    /// The equations by which the branch is followed.
    pub fn method(mut self, method: Method) -> Self {
        self.request.method = method;
        self
    }

    /// Follows the branches that bifurcate, too.
    pub fn switch(mut self) -> Self {
        self.request.switch = true;
        self
    }

    /// Follows the branches that begin at one special point, by its position among those of the branch; called again, also those at another one.
    ///
    /// ```
    /// use saltation::System;
    /// let branch = System::gallery("ball-on-table")?.orbit().continue_in("K", 0.1..=1.2).switch_at(1).run()?;
    /// let parents: Vec<_> = branch.branches.iter().filter_map(|one| one.parent.as_ref()).collect();
    /// assert!(!parents.is_empty() && parents.iter().all(|parent| (parent.branch, parent.special) == (0, 1)));
    /// # Ok::<(), saltation::Error>(())
    /// ```
    pub fn switch_at(self, special: usize) -> Self {
        self.switch_at_of(0, special)
    }

    /// The same at a special point of another branch, by the number that it has in the answer.
    ///
    /// ```
    /// use saltation::System;
    /// // The period doubles twice.
    /// let branch = System::gallery("ball-on-table")?.orbit().continue_in("K", 0.1..=1.2).switch_at(1).switch_at_of(1, 0).run()?;
    /// let parents: Vec<_> = branch.branches.iter().filter_map(|one| one.parent).collect();
    /// assert_eq!(parents.iter().map(|parent| (parent.branch, parent.special)).collect::<Vec<_>>(), [(0, 1), (1, 0)]);
    /// # Ok::<(), saltation::Error>(())
    /// ```
    pub fn switch_at_of(mut self, branch: usize, special: usize) -> Self {
        self.request.switch_at.push(Parent { branch, special });
        self
    }

    /// All mistakes in the request.
    ///
    /// # Errors
    /// If the model cannot be compiled, or has no section on which an orbit begins.
    pub fn refusals(&self) -> Result<Vec<Refusal>, Error> {
        let OrbitSearch { system, request, guess } = &self.search;
        let mut list = match self.found {
            Some(_) => Vec::new(),
            None => request.refusals(system, guess.as_ref())?,
        };
        let own = self.request.refusals(system);
        list.extend(
            own.into_iter().filter(|refusal| refusal.field != "tol" || !refused("tol", &list)).collect::<Vec<_>>(),
        );
        Ok(list)
    }

    /// Follows the orbit; the absence of a branch is an error.
    ///
    /// # Errors
    /// Mistakes in the request, the numbers or the start; or why there is no orbit or no branch, as [`Error::Ended`].
    pub fn run(&self) -> Result<Branch, Error> {
        self.run_with(&mut ())
    }

    /// The same, with progress and interruption.
    ///
    /// # Errors
    /// As [`Continuation::run`].
    pub fn run_with(&self, progress: &mut dyn Progress) -> Result<Branch, Error> {
        let branch = self.ask_with(progress)?;
        match branch.branches.is_empty() {
            true => Err(Error::Ended { word: branch.answer.ended.clone(), lines: branch.ending().lines }),
            false => Ok(branch),
        }
    }

    /// Follows the orbit; without a branch the answer has no points.
    ///
    /// # Errors
    /// Mistakes in the request, the numbers or the start.
    pub fn ask(&self) -> Result<Branch, Error> {
        self.ask_with(&mut ())
    }

    /// The same, with progress and interruption.
    ///
    /// # Errors
    /// As [`Continuation::ask`].
    pub fn ask_with(&self, progress: &mut dyn Progress) -> Result<Branch, Error> {
        let began = Instant::now();
        accepted(self.refusals()?)?;
        let system = &self.search.system;
        let (parameter, settings) = self.request.settings(system)?;
        let (search, orbit) = match &self.found {
            Some(found) => ((**found).clone(), found.found.orbit.clone()),
            None => {
                let search = self.search.search_with(progress)?;
                let orbit = search.found.orbit.clone().filter(|_| search.found.ended.is_complete());
                (search, orbit)
            }
        };
        let (branches, nothing) = match &orbit {
            None => {
                let message = format!("there is no orbit to begin at: {}", search.ending().lines.join("\n  "));
                (Vec::new(), Some(("no_orbit", message)))
            }
            Some(orbit) => match follow(system, parameter, &settings, orbit, progress)? {
                Ok(branches) => (branches, None),
                Err(error) => (Vec::new(), Some(("no_branch", format!("the branch does not begin: {error}")))),
            },
        };
        if !branches.is_empty() {
            settings.switch_at.iter().try_for_each(|at| is_there(&branches, *at))?;
        }
        let mut branch = Branch {
            system: system.clone(),
            request: self.request.clone(),
            answer: Answer::default(),
            wall_time: began.elapsed(),
            search,
            orbit,
            parameter,
            branches,
        };
        branch.answer = answer(&branch, &settings, nothing)?;
        branch.wall_time = began.elapsed();
        Ok(branch)
    }

    /// The differences between the conditions of the initial orbit and the present ones.
    pub fn note(&self) -> Option<String> {
        self.search.note()
    }
}

/// Whether a branch has a special point.
fn is_there(branches: &[lower::Branch], (branch, special): (usize, usize)) -> Result<(), Refusal> {
    let Some(parent) = branches.get(branch) else {
        let message = match branches.len() {
            1 => format!("there is no branch {branch}: the only one has the number 0"),
            count => format!("there is no branch {branch}: there are those from 0 to {}", count - 1),
        };
        let help =
            "branches have the numbers of this answer: the first one that begins at a point asked for has the number 1";
        return Err(Refusal::new("switch_at", message, help));
    };
    match parent.special.len() {
        count if special < count => Ok(()),
        count => {
            let whose = if branch == 0 { "the branch".to_string() } else { format!("branch {branch}") };
            let points = number::count(count as u64, "special point");
            let message = format!("{whose} has {points}, and none with the number {special}");
            Err(Refusal::new("switch_at", message, "the first one has the number 0"))
        }
    }
}

fn refused(field: &str, list: &[Refusal]) -> bool {
    list.iter().any(|refusal| refusal.field == field)
}

/// Follows the orbit. Rejected settings are input errors; the absence of a branch is an answer.
fn follow(
    system: &System,
    parameter: usize,
    settings: &Settings,
    orbit: &saltation_orbit::Orbit,
    progress: &mut dyn Progress,
) -> Result<Result<Vec<lower::Branch>, StartError>, Error> {
    let model = system.model();
    let name = model.parameters[parameter].name.as_str();
    // Start values are given by the state of the orbit.
    let following = system.numbers().found_at(&orbit.state)?.along(&[name])?;
    let mut watched = Watched { name, naming: system.naming()?, progress };
    Ok(lower::follow(system.compiled_for_derivatives()?, &following, orbit, settings, &mut watched))
}

/// A branch as its progress shows it.
struct Watched<'a> {
    name: &'a str,
    naming: Naming<'a>,
    progress: &'a mut dyn Progress,
}

impl Monitor for Watched<'_> {
    fn see(&mut self, points: usize, value: f64) -> bool {
        self.progress.see(None, &|| format!("{points} points, {} = {}", self.name, short(value, 10)))
    }

    fn point(&mut self, value: f64, point: &BranchPoint, kind: Option<SpecialKind>) {
        self.progress.grow(&|| vec![tables::point(self.name, self.naming, value, point, kind)]);
    }
}

/// The answer: plain data with the names of the model.
fn answer(branch: &Branch, settings: &Settings, nothing: Option<(&str, String)>) -> Result<Answer, Error> {
    let Branch { system, orbit, branches, .. } = branch;
    let naming = system.naming()?;
    let model = system.model();
    let first = match (branches.first(), nothing) {
        (Some(first), _) => answer::about(naming, first),
        (None, Some((word, message))) => OrbitBranch::nothing(word, message),
        (None, None) => OrbitBranch::nothing("no_branch", "there is no branch".to_string()),
    };
    let phase = model.phase.as_ref().map(|phase| phase.state);
    Ok(Answer {
        first,
        along: branch.along().to_string(),
        range: [settings.range.0, settings.range.1],
        method: request::method_name(settings.method).to_string(),
        section: branch.search.answer.section.clone(),
        phase: phase.zip(orbit.as_ref()).map(|(phase, orbit)| orbit.state[phase]),
        returns: orbit.as_ref().map(|orbit| orbit.returns),
        branches: branches.iter().skip(1).map(|branch| answer::about(naming, branch)).collect(),
        tolerance: settings.tolerance,
        model: model.name.clone(),
        fingerprint: model.fingerprint(),
        parameters: system.parameters(),
        start: orbit.as_ref().map(|orbit| naming.named(&orbit.state)),
    })
}

impl Answered for Branch {
    fn parts(&self) -> Parts<'_> {
        Parts { system: &self.system, answer: &self.answer, wall_time: self.wall_time }
    }

    fn ending(&self) -> Ending {
        if self.branches.is_empty() {
            return Ending::short(vec![self.answer.message.clone()]);
        }
        Ending::short(report::short_of(self.along(), &self.branches))
    }

    fn report(&self) -> Vec<String> {
        report::lines(self)
    }

    fn tables(&self) -> Vec<Table> {
        let Ok(naming) = self.system.naming() else { return Vec::new() };
        if self.branches.is_empty() {
            return Vec::new();
        }
        let branches: Vec<(usize, &lower::Branch)> = self.branches.iter().enumerate().collect();
        let named = tables::NamedBranches { along: self.along(), naming, branches: &branches };
        vec![tables::points(named), tables::special(named)]
    }

    fn file(&self) -> Option<&'static str> {
        Some("branch.json")
    }

    fn tolerance(&self) -> Option<f64> {
        Some(self.request.tol)
    }
}

impl Branch {
    /// The name of the parameter that varies.
    pub fn along(&self) -> &str {
        &self.system.model().parameters[self.parameter].name
    }

    /// The figure: a quantity over the parameter, by its name: `impact_speed`, `period`, `multiplier` or a state; by default the one that suits the
    /// branch. `None` if there is no branch.
    ///
    /// # Errors
    /// If there is no such quantity.
    pub fn figure(&self, ordinate: Option<&str>) -> Result<Option<Figure>, Error> {
        let ordinate = ordinate.map(|name| Ordinate::named(name, &self.system)).transpose()?;
        if self.branches.is_empty() {
            return Ok(None);
        }
        Ok(Some(figure::figure(self, self.system.naming()?, ordinate)))
    }
}
