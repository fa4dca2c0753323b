//! Branches of equilibria along a parameter, with the limit cycles that bifurcate from them: `continue --equilibrium`.

pub mod answer;
pub(crate) mod figure;
pub(crate) mod report;
pub mod request;
pub(crate) mod tables;

pub use answer::{Answer, EquilibriumBranch, Further, NotFollowed, Point, Special};
pub use request::{Request, ordinate};

use crate::answered::{Answered, Ending, Parts};
use crate::branch::{remedy, worse};
use crate::equilibrium::{Equilibria, EquilibriumSearch, refused};
use crate::error::{Error, Refusal, accepted};
use crate::progress::Progress;
use crate::settings::{CurveSettings, Steps};
use crate::system::System;
use crate::table::Table;
use crate::text::number::short;
use request::Plan;
use saltation_draw::Figure;
use saltation_model::Values;
use saltation_motion as motion;
use saltation_orbit::branch::{Branch, Ended, SpecialKind};
use saltation_orbit::equilibrium::branch::{self as lower, EquilibriumPoint, StartError};
use std::ops::{Deref, RangeInclusive};
use std::time::{Duration, Instant};

/// The largest number of branches in one answer.
const MOST_BRANCHES: usize = 12;
/// Bifurcations closer than this, relative to the sizes of the unknowns, are identified.
const EQUAL_BIFURCATIONS: f64 = 1e-6;

/// What is followed.
#[derive(Debug, Clone)]
pub(crate) enum Line {
    /// Equilibria.
    Equilibria(lower::EquilibriumBranch),
    /// Limit cycles.
    Cycles(Branch),
}

impl Line {
    /// Why it ends, before its first and behind its last point.
    pub(crate) fn ended(&self) -> &[Ended; 2] {
        match self {
            Line::Equilibria(branch) => &branch.ended,
            Line::Cycles(branch) => &branch.ended,
        }
    }

    /// The values of the parameter at its points.
    pub(crate) fn values(&self) -> Vec<f64> {
        match self {
            Line::Equilibria(branch) => branch.points.iter().map(|point| branch.value(point)).collect(),
            Line::Cycles(branch) => branch.points.iter().map(|point| branch.value(point)).collect(),
        }
    }
}

/// A branch of an answer.
#[derive(Debug, Clone)]
pub(crate) struct Member {
    /// The branch it begins on, and the bifurcation there; `None` for the first.
    pub parent: Option<(usize, usize)>,
    /// The branch.
    pub line: Line,
}

/// A bifurcation at which no branch could be started: the branch that it is on, its position there, and why.
#[derive(Debug, Clone)]
pub(crate) struct Lost {
    /// The branch and the bifurcation.
    pub parent: (usize, usize),
    /// Why.
    pub message: String,
}

/// A branch of equilibria to be computed, of one that is known or searched for first.
///
/// ```
/// use saltation::{CurveSettings, System};
/// let rest = System::gallery("relief-valve")?.equilibria().mode("flight").find()?;
/// let branch = rest.continue_in("q", 5.0..=9.0).step(0.2).run()?;
/// let hopf = &branch.special[0];
/// assert_eq!(hopf.kind.name(), "hopf");
/// assert!((hopf.parameters["q"] - 8.491117635183).abs() < 1e-9);
/// # Ok::<(), saltation::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Continuation {
    /// The search for the equilibrium at which the branch begins.
    pub search: EquilibriumSearch,
    /// The request.
    pub request: Request,
    /// The equilibria, if they are known.
    found: Option<Box<Equilibria>>,
}

/// A branch of equilibria, with those that bifurcate from it: the answer, the system and the request.
///
/// Its numbers are those of [`Answer`]: `branch.points`, `branch.special`, `branch.branches`.
#[derive(Debug, Clone)]
pub struct Branches {
    /// The system, with the parameters at which the equilibrium was found.
    pub system: System,
    /// The request.
    pub request: Request,
    /// The answer.
    pub answer: Answer,
    /// The wall time of the computation.
    pub wall_time: Duration,
    pub(crate) search: Equilibria,
    pub(crate) plan: Plan,
    pub(crate) members: Vec<Member>,
    lost: Vec<Lost>,
}

impl Deref for Branches {
    type Target = Answer;

    fn deref(&self) -> &Answer {
        &self.answer
    }
}

impl Equilibria {
    /// The branch along a parameter of the first one of these equilibria; [`Continuation::at`] takes another one.
    pub fn continue_in(&self, parameter: &str, range: RangeInclusive<f64>) -> Continuation {
        let Equilibria { system, request, file, .. } = self;
        let search = EquilibriumSearch { system: system.clone(), request: request.clone(), file: file.clone() };
        Continuation { found: Some(Box::new(self.clone())), ..search.continue_in(parameter, range) }
    }
}

impl EquilibriumSearch {
    /// The branch along a parameter of the first equilibrium that this search finds.
    pub fn continue_in(&self, parameter: &str, range: RangeInclusive<f64>) -> Continuation {
        self.continue_as(Request {
            along: Some(parameter.to_string()),
            range: Some([*range.start(), *range.end()]),
            tol: self.request.tol,
            ..Request::default()
        })
    }

    /// The branch of an equilibrium that this search finds, for a given request.
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
    /// Begins at the equilibrium with this position, counted from 0.
    pub fn at(mut self, index: usize) -> Self {
        self.request.at = index;
        self
    }

    /// Follows the limit cycles and the equilibria that bifurcate, too.
    pub fn switch(mut self) -> Self {
        self.request.switch = true;
        self
    }

    /// All mistakes in the request.
    pub fn refusals(&self) -> Vec<Refusal> {
        let EquilibriumSearch { system, request, .. } = &self.search;
        let mut list = match self.found {
            Some(_) => Vec::new(),
            None => request.refusals(system),
        };
        for refusal in self.request.refusals(system) {
            if refusal.field != "tol" || list.iter().all(|known| known.field != "tol") {
                list.push(refusal);
            }
        }
        list
    }

    /// Follows the equilibrium; the absence of a branch is an error.
    ///
    /// # Errors
    /// Mistakes in the request, the numbers or the start; a model that is forced; or why there is no equilibrium or no
    /// branch, as [`Error::Ended`].
    pub fn run(&self) -> Result<Branches, Error> {
        self.run_with(&mut ())
    }

    /// The same, with progress and interruption.
    ///
    /// # Errors
    /// As [`Continuation::run`].
    pub fn run_with(&self, progress: &mut dyn Progress) -> Result<Branches, Error> {
        let followed = self.ask_with(progress)?;
        match followed.members.is_empty() {
            true => Err(Error::Ended { word: followed.answer.first.ended.clone(), lines: followed.ending().lines }),
            false => Ok(followed),
        }
    }

    /// Follows the equilibrium; without a branch the answer has no points.
    ///
    /// # Errors
    /// Mistakes in the request, the numbers or the start; a model that is forced.
    pub fn ask(&self) -> Result<Branches, Error> {
        self.ask_with(&mut ())
    }

    /// The same, with progress and interruption.
    ///
    /// # Errors
    /// As [`Continuation::ask`].
    pub fn ask_with(&self, progress: &mut dyn Progress) -> Result<Branches, Error> {
        let began = Instant::now();
        let system = &self.search.system;
        let compiled = system.compiled_for_derivatives()?;
        accepted(self.refusals())?;
        let plan = self.request.plan(system)?;
        let search = match &self.found {
            Some(found) => (**found).clone(),
            None => self.search.search_with(progress)?,
        };
        let model = system.model();
        let name = model.parameters[plan.parameter].name.as_str();
        let mut watch = |points: usize, value: f64| {
            progress.see(None, &|| format!("{points} points, {name} = {}", short(value, 10)))
        };
        let (mut members, mut lost, mut nothing) = (Vec::new(), Vec::new(), None);
        match search.found.equilibria.get(self.request.at) {
            None if search.ended == "interrupted" => {
                nothing = Some(("no_equilibrium", format!("there is no equilibrium to begin at: {}", search.message)));
            }
            None if search.equilibria.is_empty() => {
                let mut lines = vec!["there is no equilibrium to begin at".to_string()];
                lines.extend(search.missed.iter().map(|missed| format!("{}: {}", missed.mode, missed.message)));
                lines.push("try another start with --start, or other parameters with --set".to_string());
                nothing = Some(("no_equilibrium", lines.join("\n  ")));
            }
            None => {
                let (at, count) = (self.request.at, search.equilibria.len());
                let message = format!("there is no equilibrium number {at}: {}", search.message);
                return Err(Refusal::new("at", message, format!("give a number below {count}")).into());
            }
            Some(rest) => {
                // Start values are given by the equilibrium.
                let following = system.numbers().found_at(&rest.state)?.along(&[name])?;
                match lower::follow(compiled, &following, rest, &plan.equilibria, &mut watch) {
                    Ok(branch) => members.push(Member { parent: None, line: Line::Equilibria(branch) }),
                    Err(StartError::Forced(forced)) => return Err(refused(system, &forced)),
                    Err(error) => nothing = Some(("no_branch", format!("the branch does not begin: {error}"))),
                }
                if self.request.switch && !members.is_empty() {
                    lost = follow_all(compiled, &following, &plan, &mut members, &mut watch);
                }
            }
        }
        let (system, request) = (system.clone(), self.request.clone());
        let (answer, wall_time) = (Answer::default(), began.elapsed());
        let mut followed = Branches { system, request, answer, wall_time, search, plan, members, lost };
        followed.answer = answer_of(&followed, nothing)?;
        followed.wall_time = began.elapsed();
        Ok(followed)
    }
}

/// The answer: plain data with the names of the model.
fn answer_of(followed: &Branches, nothing: Option<(&str, String)>) -> Result<Answer, Error> {
    let Branches { system, request, search, plan, members, lost, .. } = followed;
    let naming = system.naming()?;
    let model = system.model();
    let first = match (members.first().map(|member| &member.line), nothing) {
        (Some(Line::Equilibria(branch)), _) => answer::equilibria(naming, branch),
        (_, Some((word, message))) => answer::nothing(word, message),
        (_, None) => answer::nothing("no_branch", "there is no branch".to_string()),
    };
    Ok(Answer {
        kind: "equilibrium".to_string(),
        first,
        along: followed.along().to_string(),
        range: [plan.equilibria.range.0, plan.equilibria.range.1],
        equilibria_found: search.equilibria.len(),
        branches: members.iter().skip(1).map(|member| answer::further(naming, member)).collect(),
        not_followed: lost.iter().map(answer::not_followed).collect(),
        tolerance: plan.equilibria.tolerance,
        model: model.name.clone(),
        fingerprint: model.fingerprint(),
        parameters: system.parameters(),
        start: search.equilibria.get(request.at).map(|rest| rest.state.clone()),
    })
}

/// Follows the branches that bifurcate from the equilibria, also from further branches.
fn follow_all(
    system: &motion::System,
    following: &Values,
    plan: &Plan,
    members: &mut Vec<Member>,
    watch: &mut dyn FnMut(usize, f64) -> bool,
) -> Vec<Lost> {
    let mut lost = Vec::new();
    let mut left: Vec<(SpecialKind, EquilibriumPoint)> = Vec::new();
    let mut next = 0;
    while next < members.len() {
        let Line::Equilibria(branch) = &members[next].line else {
            next += 1;
            continue;
        };
        let (sizes, special): (Vec<f64>, Vec<lower::Special>) = (branch.sizes.clone(), branch.special.clone());
        for (index, one) in special.iter().enumerate() {
            let wanted = match one.kind {
                SpecialKind::Hopf => one.point.admissible,
                SpecialKind::BranchPoint => true,
                _ => false,
            };
            // Not twice from the same point, for example where two branches cross.
            let known = left.iter().any(|(kind, point)| *kind == one.kind && same(point, &one.point, &sizes));
            if !wanted || known {
                continue;
            }
            left.push((one.kind, one.point.clone()));
            let parent = (next, index);
            if members.len() >= MOST_BRANCHES {
                lost.push(Lost {
                    parent,
                    message: format!("no more than {MOST_BRANCHES} branches are followed at once"),
                });
                continue;
            }
            let line = match one.kind {
                SpecialKind::Hopf => lower::follow_cycle(system, following, one, &plan.cycles, watch)
                    .map(Line::Cycles)
                    .map_err(|error| error.to_string()),
                _ => lower::follow_crossing(system, following, one, &plan.equilibria, watch)
                    .map(Line::Equilibria)
                    .map_err(|error| error.to_string()),
            };
            match line {
                Ok(line) => {
                    let interrupted = *worse(line.ended()) == Ended::Interrupted;
                    members.push(Member { parent: Some(parent), line });
                    if interrupted {
                        return lost;
                    }
                }
                Err(message) => lost.push(Lost { parent, message }),
            }
        }
        next += 1;
    }
    lost
}

fn same(a: &EquilibriumPoint, b: &EquilibriumPoint, sizes: &[f64]) -> bool {
    let near =
        a.unknowns.iter().zip(&b.unknowns).zip(sizes).all(|((x, y), size)| (x - y).abs() <= EQUAL_BIFURCATIONS * size);
    a.closed == b.closed && near
}

impl Answered for Branches {
    fn parts(&self) -> Parts<'_> {
        Parts { system: &self.system, answer: &self.answer, wall_time: self.wall_time }
    }

    /// What is incomplete.
    fn ending(&self) -> Ending {
        if self.members.is_empty() {
            return Ending::short(vec![self.answer.message.clone()]);
        }
        let which = |k: usize| if k == 0 { "the branch".to_string() } else { format!("branch {k}") };
        let mut lines = Vec::new();
        for (k, member) in self.members.iter().enumerate() {
            let values = member.line.values();
            let ends = [values.first(), values.last()];
            for (ended, end) in member.line.ended().iter().zip(ends).filter(|(ended, _)| !ended.is_complete()) {
                let place = end.map(|value| format!(" at {} = {}", self.along(), short(*value, 12)));
                let place = place.unwrap_or_default();
                lines.push(format!("{} stopped early{place}: {}", which(k), ended.describe()));
                lines.extend(remedy(ended));
            }
        }
        lines.extend(self.lost.iter().map(|lost| {
            let (branch, special) = lost.parent;
            format!("nothing was followed from the special point {special} of {}: {}", which(branch), lost.message)
        }));
        Ending::short(lines)
    }

    fn report(&self) -> Vec<String> {
        report::lines(self)
    }

    /// The points and bifurcations of the equilibria, and of the limit cycles if there are any.
    fn tables(&self) -> Vec<Table> {
        let Ok(naming) = self.system.naming() else { return Vec::new() };
        if self.members.is_empty() { Vec::new() } else { tables::tables(self, naming) }
    }

    fn file(&self) -> Option<&'static str> {
        Some("branch.json")
    }

    fn tolerance(&self) -> Option<f64> {
        Some(self.request.tol)
    }
}

impl Branches {
    /// The name of the parameter that varies.
    pub fn along(&self) -> &str {
        &self.system.model().parameters[self.plan.parameter].name
    }

    /// The branches of orbits, each with its number.
    pub(crate) fn cycles(&self) -> Vec<(usize, &Branch)> {
        let cycles = self.members.iter().enumerate().filter_map(|(k, member)| match &member.line {
            Line::Cycles(branch) => Some((k, branch)),
            Line::Equilibria(_) => None,
        });
        cycles.collect()
    }

    /// The branches of equilibria, each with its number.
    pub(crate) fn equilibria(&self) -> Vec<(usize, &lower::EquilibriumBranch)> {
        let equilibria = self.members.iter().enumerate().filter_map(|(k, member)| match &member.line {
            Line::Equilibria(branch) => Some((k, branch)),
            Line::Cycles(_) => None,
        });
        equilibria.collect()
    }

    /// The figure: a state over the parameter, by its name, or else the first state, with the extremes of limit cycles. `None` if there
    /// is no branch.
    ///
    /// # Errors
    /// If there is no such state.
    pub fn figure(&self, ordinate: Option<&str>) -> Result<Option<Figure>, Error> {
        let ordinate = ordinate.map(|name| request::ordinate(name, &self.system)).transpose()?;
        if self.members.is_empty() {
            return Ok(None);
        }
        Ok(Some(figure::figure(self, self.system.naming()?, ordinate)))
    }
}
