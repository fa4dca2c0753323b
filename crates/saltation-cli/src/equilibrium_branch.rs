//! How does an equilibrium change with a parameter? `saltation continue --equilibrium`.

use crate::answer_folder::AnswerFolder;
use crate::arguments::Continue;
use crate::branch::{remedy, worse};
use crate::branch_table::{self, Told};
use crate::equilibrium::refused;
use crate::equilibrium_branch_request::{self, Request};
use crate::input::Input;
use crate::naming::Naming;
use crate::number::short;
use crate::outcome::{Outcome, Trouble, print};
use crate::progress::Progress;
use crate::{equilibrium_branch_json, equilibrium_branch_plot, equilibrium_branch_report, equilibrium_branch_table};
use saltation_model::Following;
use saltation_motion::System;
use saltation_orbit::branch::{Branch, Ended, SpecialKind};
use saltation_orbit::equilibrium::branch::{
    EquilibriumBranch, EquilibriumPoint, Special, StartError, follow, follow_crossing, follow_cycle,
};
use saltation_orbit::equilibrium::{self, Search};
use serde_json::Value;
use std::time::Instant;

/// No more branches are followed in one answer.
const MOST: usize = 12;
/// Special points this close, relative to the sizes of the unknowns, are the same one.
const SAME: f64 = 1e-6;

/// What is followed.
#[derive(Debug)]
pub enum Line {
    /// Equilibria.
    Rests(EquilibriumBranch),
    /// The oscillations about them.
    Cycles(Branch),
}

impl Line {
    /// Why it ends, before its first and behind its last point.
    pub fn ended(&self) -> &[Ended; 2] {
        match self {
            Line::Rests(branch) => &branch.ended,
            Line::Cycles(branch) => &branch.ended,
        }
    }

    /// The values of the parameter at its points.
    pub fn values(&self) -> Vec<f64> {
        match self {
            Line::Rests(branch) => branch.points.iter().map(|point| branch.value(point)).collect(),
            Line::Cycles(branch) => branch.points.iter().map(|point| branch.value(point)).collect(),
        }
    }
}

/// A branch of an answer.
#[derive(Debug)]
pub struct Member {
    /// The branch it begins on, and the special point there; `None` for the first.
    pub parent: Option<(usize, usize)>,
    /// The branch.
    pub line: Line,
}

/// A special point at which a branch was to begin and does not: the branch that it is on, its position there, and why.
#[derive(Debug)]
pub struct Lost {
    /// The branch and the special point.
    pub parent: (usize, usize),
    /// Why.
    pub message: String,
}

/// Branches and what they began with.
#[derive(Debug, Clone, Copy)]
pub struct Followed<'a> {
    /// The model and its numbers.
    pub input: &'a Input,
    /// What was asked.
    pub request: &'a Request,
    /// The names of the numbers.
    pub naming: Naming<'a>,
    /// The equilibria that were found; the branch begins at the first.
    pub search: &'a Search,
    /// That branch, and those that begin on it.
    pub members: &'a [Member],
    /// The branches that do not begin.
    pub lost: &'a [Lost],
    /// Why there is no branch.
    pub nothing: Option<(&'a str, &'a str)>,
}

impl<'a> Followed<'a> {
    /// The name of the parameter that varies.
    pub fn along(&self) -> &'a str {
        &self.input.model.parameters[self.request.parameter].name
    }

    /// The branches of orbits, each with its number.
    pub fn cycles(&self) -> Vec<(usize, &'a Branch)> {
        let cycles = self.members.iter().enumerate().filter_map(|(k, member)| match &member.line {
            Line::Cycles(branch) => Some((k, branch)),
            Line::Rests(_) => None,
        });
        cycles.collect()
    }

    /// The branches of equilibria, each with its number.
    pub fn rests(&self) -> Vec<(usize, &'a EquilibriumBranch)> {
        let rests = self.members.iter().enumerate().filter_map(|(k, member)| match &member.line {
            Line::Rests(branch) => Some((k, branch)),
            Line::Cycles(_) => None,
        });
        rests.collect()
    }
}

/// Runs the command.
pub fn run(arguments: &Continue) -> Outcome {
    let began = Instant::now();
    let shared = &arguments.shared;
    let (input, system, request) = equilibrium_branch_request::read(arguments)?;
    let asked = equilibrium::Settings { closed: request.closed, tolerance: input.tolerance };
    let search = equilibrium::find(&system, &input.values, &asked).map_err(|forced| refused(&input, &forced))?;
    let naming = Naming::new(&system, &input.values);
    let mut progress = Progress::begin(shared.quiet);
    let name = input.model.parameters[request.parameter].name.as_str();
    let mut watch =
        |points: usize, value: f64| progress.tell(None, || format!("{points} points, {name} = {}", short(value, 10)));
    let (mut members, mut lost, mut why) = (Vec::new(), Vec::new(), None);
    match search.equilibria.first() {
        None => {
            let mut lines = vec!["there is no equilibrium to begin at".to_string()];
            let missed = search.missed.iter();
            lines.extend(missed.map(|missed| {
                format!("{}: {}", naming.mode(missed.closed), missed.reason.describe(&system, missed.closed))
            }));
            lines.push("try another start with --start, or other parameters with --set".to_string());
            why = Some(("no_equilibrium", lines.join("\n  ")));
        }
        Some(rest) => {
            // States are told where they continue those of the start.
            let following = input.model.following_from(&input.settings.set, &rest.state, &[name])?;
            match follow(&system, &following, rest, &request.settings, &mut watch) {
                Ok(branch) => members.push(Member { parent: None, line: Line::Rests(branch) }),
                Err(StartError::Forced(forced)) => return Err(refused(&input, &forced)),
                Err(error) => why = Some(("no_branch", format!("the branch does not begin: {error}"))),
            }
            if request.switch && !members.is_empty() {
                lost = follow_all(&system, &following, &request, &mut members, &mut watch);
            }
        }
    }
    progress.finish();

    // Nothing is left in the folder of a question that was refused.
    let folder = shared.out.as_deref().map(|folder| AnswerFolder::create(folder, &input, naming, began));
    let mut folder = folder.transpose()?;
    let nothing = why.as_ref().map(|(word, message)| (*word, message.as_str()));
    let followed =
        Followed { input: &input, request: &request, naming, search: &search, members: &members, lost: &lost, nothing };
    let answer = equilibrium_branch_json::answer(followed);
    let saved = folder.as_mut().map_or(Ok(()), |folder| save(folder, followed, &answer));
    let saved = saved.map_err(|error| Trouble::unwritten("the tables", &error));
    let drawn = match &arguments.plot {
        Some(file) if !members.is_empty() => {
            let figure = equilibrium_branch_plot::figure(followed);
            figure.save(file).map_err(|error| Trouble::Short(error.to_string()))
        }
        _ => Ok(()),
    };
    let printed = print(|output| {
        if shared.json {
            return writeln!(output, "{answer}");
        }
        if !shared.quiet {
            for line in equilibrium_branch_report::lines(followed, began.elapsed().as_secs_f64()) {
                writeln!(output, "{line}")?;
            }
        }
        Ok(())
    });
    saved.and(drawn).and(printed)?;
    let mut lines = short_of(followed);
    if lines.is_empty() {
        return Ok(());
    }
    if arguments.plot.is_some() && members.is_empty() {
        lines.push("no figure was drawn, as there is no branch".to_string());
    }
    lines.extend(folder.map(|folder| format!("what was computed is saved in {}", folder.names())));
    Err(Trouble::Short(lines.join("\n  ")))
}

/// Follows what begins at the special points of the equilibria, those of further branches too.
fn follow_all(
    system: &System,
    following: &Following,
    request: &Request,
    members: &mut Vec<Member>,
    watch: &mut dyn FnMut(usize, f64) -> bool,
) -> Vec<Lost> {
    let mut lost = Vec::new();
    let mut left: Vec<(SpecialKind, EquilibriumPoint)> = Vec::new();
    let mut next = 0;
    while next < members.len() {
        let Line::Rests(branch) = &members[next].line else {
            next += 1;
            continue;
        };
        let (sizes, special): (Vec<f64>, Vec<Special>) = (branch.sizes.clone(), branch.special.clone());
        for (index, one) in special.iter().enumerate() {
            let wanted = match one.kind {
                SpecialKind::Hopf => one.point.admissible,
                SpecialKind::BranchPoint => true,
                _ => false,
            };
            // Not twice from the same point, as at that where two branches cross.
            let known = left.iter().any(|(kind, point)| *kind == one.kind && same(point, &one.point, &sizes));
            if !wanted || known {
                continue;
            }
            left.push((one.kind, one.point.clone()));
            let parent = (next, index);
            if members.len() >= MOST {
                lost.push(Lost { parent, message: format!("no more than {MOST} branches are followed at once") });
                continue;
            }
            let line = match one.kind {
                SpecialKind::Hopf => follow_cycle(system, following, one, &request.cycles, watch)
                    .map(Line::Cycles)
                    .map_err(|error| error.to_string()),
                _ => follow_crossing(system, following, one, &request.settings, watch)
                    .map(Line::Rests)
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
    let near = a.unknowns.iter().zip(&b.unknowns).zip(sizes).all(|((x, y), size)| (x - y).abs() <= SAME * size);
    a.closed == b.closed && near
}

fn save(folder: &mut AnswerFolder, followed: Followed, answer: &Value) -> std::io::Result<()> {
    if !followed.members.is_empty() {
        let (head, rows) = equilibrium_branch_table::points(followed);
        folder.table("branch.csv", &head, &rows)?;
        let (head, rows) = equilibrium_branch_table::special(followed);
        folder.table("special.csv", &head, &rows)?;
    }
    let cycles = followed.cycles();
    if !cycles.is_empty() {
        let told = Told { along: followed.along(), naming: followed.naming, branches: &cycles };
        let (head, rows) = branch_table::points(told);
        folder.table("cycles.csv", &head, &rows)?;
        let (head, rows) = branch_table::special(told);
        folder.table("cycles_special.csv", &head, &rows)?;
    }
    folder.json("branch.json", answer)?;
    folder.finish(answer)
}

/// What is missing, in lines; none if nothing is.
fn short_of(followed: Followed) -> Vec<String> {
    if let Some((_, message)) = followed.nothing {
        return vec![message.to_string()];
    }
    let which = |k: usize| if k == 0 { "the branch".to_string() } else { format!("branch {k}") };
    let mut lines = Vec::new();
    for (k, member) in followed.members.iter().enumerate() {
        let values = member.line.values();
        let ends = [values.first(), values.last()];
        for (ended, end) in member.line.ended().iter().zip(ends).filter(|(ended, _)| !ended.is_complete()) {
            let place = end.map(|value| format!(" at {} = {}", followed.along(), short(*value, 12)));
            let place = place.unwrap_or_default();
            lines.push(format!("{} stopped early{place}: {}", which(k), ended.describe()));
            lines.extend(remedy(ended));
        }
    }
    let lost = followed.lost.iter();
    lines.extend(lost.map(|lost| {
        let (branch, special) = lost.parent;
        format!("nothing was followed from the special point {special} of {}: {}", which(branch), lost.message)
    }));
    lines
}
