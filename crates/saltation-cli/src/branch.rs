//! How does an orbit change with a parameter? `saltation continue`.

use crate::answer_folder::AnswerFolder;
use crate::arguments::Continue;
use crate::branch_request::{self, Request};
use crate::branch_table::Told;
use crate::input::Input;
use crate::naming::Naming;
use crate::number::short;
use crate::orbit::{self, Found, can_begin};
use crate::outcome::{Outcome, Trouble, print};
use crate::progress::Progress;
use crate::{branch_json, branch_plot, branch_report, branch_table, equilibrium_branch, messages};
use saltation_motion::System;
use saltation_orbit::branch::{self, Branch, Ended, StartError};
use saltation_orbit::{Orbit, find};
use serde_json::Value;
use std::path::Path;
use std::time::Instant;

/// A branch and what it began with.
#[derive(Debug, Clone, Copy)]
pub struct Followed<'a> {
    /// The model and its numbers.
    pub input: &'a Input,
    /// What was asked.
    pub request: &'a Request,
    /// The names of the numbers.
    pub naming: Naming<'a>,
    /// The orbit that the branch begins at, if one was found.
    pub orbit: Option<&'a Orbit>,
    /// The branch of that orbit, and those that begin on it.
    pub branches: &'a [Branch],
    /// Why there is no branch.
    pub nothing: Option<(&'a str, &'a str)>,
}

impl<'a> Followed<'a> {
    /// The name of the parameter that varies.
    pub fn along(&self) -> &'a str {
        &self.input.model.parameters[self.request.parameter].name
    }

    /// The name of the section of the orbit.
    pub fn section(&self) -> &'a str {
        self.naming.system.section_names().nth(self.request.search.settings.section).unwrap_or_default()
    }
}

/// Runs the command.
pub fn run(arguments: &Continue) -> Outcome {
    if arguments.equilibrium {
        return equilibrium_branch::run(arguments);
    }
    let began = Instant::now();
    let shared = &arguments.shared;
    let (input, system, request) = branch_request::read(arguments)?;
    can_begin(&input, &system, request.search.settings.flow)?;
    let naming = Naming::new(&system, &input.values);
    let mut progress = Progress::begin(shared.quiet);
    let folder = shared.out.as_deref().map(|folder| AnswerFolder::create(folder, &input, naming, began));
    let mut folder = folder.transpose()?;
    let note = request.search.guess.as_ref().and_then(|guess| guess.note(&input.model, &input.values));
    if let Some(note) = note.filter(|_| !shared.quiet) {
        messages::warn(&note);
    }

    let settle = request.search.settings.settle;
    let search = find(&system, &input.values, &request.search.settings, &mut |done| match done < settle {
        true => progress.tell(Some(done as f64 / settle as f64), || format!("settling, {done} of {settle} returns")),
        false => progress.tell(None, || "searching for the orbit".to_string()),
    });
    let orbit = search.orbit.as_ref().filter(|_| search.ended.is_complete());
    let followed = orbit.map(|orbit| follow(&system, &input, &request, orbit, &mut progress)).transpose()?;
    progress.finish();

    let why = match &followed {
        None => {
            let found = Found { input: &input, request: &request.search, naming, search: &search };
            Some(("no_orbit", format!("there is no orbit to begin at: {}", orbit::short(found).join("\n  "))))
        }
        Some(Err(error)) => Some(("no_branch", format!("the branch does not begin: {error}"))),
        Some(Ok(_)) => None,
    };
    let branches = followed.and_then(Result::ok).unwrap_or_default();
    let nothing = why.as_ref().map(|(word, message)| (*word, message.as_str()));
    let followed = Followed { input: &input, request: &request, naming, orbit, branches: &branches, nothing };
    let answer = branch_json::answer(followed);
    let saved = folder.as_mut().map_or(Ok(()), |folder| save(folder, followed, &answer));
    let saved = saved.map_err(|error| Trouble::unwritten("the tables", &error));
    let drawn = match &arguments.plot {
        Some(file) if !branches.is_empty() => draw(file, followed),
        _ => Ok(()),
    };
    let printed = print(|output| {
        if shared.json {
            return writeln!(output, "{answer}");
        }
        if !shared.quiet {
            for line in branch_report::lines(followed, began.elapsed().as_secs_f64()) {
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
    if arguments.plot.is_some() && branches.is_empty() {
        lines.push("no figure was drawn, as there is no branch".to_string());
    }
    lines.extend(folder.map(|folder| format!("what was computed is saved in {}", folder.names())));
    Err(Trouble::Short(lines.join("\n  ")))
}

/// Follows the orbit. That the library refuses the settings is a mistake of the input, that it finds no branch is an answer.
fn follow(
    system: &System,
    input: &Input,
    request: &Request,
    orbit: &Orbit,
    progress: &mut Progress,
) -> Result<Result<Vec<Branch>, StartError>, Trouble> {
    let name = input.model.parameters[request.parameter].name.as_str();
    // States are told where they continue those of the orbit.
    let following = input.model.following_from(&input.settings.set, &orbit.state, &[name])?;
    Ok(branch::follow(system, &following, orbit, &request.settings, &mut |points, value| {
        progress.tell(None, || format!("{points} points, {name} = {}", short(value, 10)))
    }))
}

fn save(folder: &mut AnswerFolder, followed: Followed, answer: &Value) -> std::io::Result<()> {
    if !followed.branches.is_empty() {
        let branches: Vec<(usize, &Branch)> = followed.branches.iter().enumerate().collect();
        let told = Told { along: followed.along(), naming: followed.naming, branches: &branches };
        let (head, rows) = branch_table::points(told);
        folder.table("branch.csv", &head, &rows)?;
        let (head, rows) = branch_table::special(told);
        folder.table("special.csv", &head, &rows)?;
    }
    folder.json("branch.json", answer)?;
    folder.finish(answer)
}

fn draw(file: &Path, followed: Followed) -> Outcome {
    branch_plot::figure(followed).save(file).map_err(|error| Trouble::Short(error.to_string()))
}

/// The end at which more is missing.
pub fn worse(ended: &[Ended; 2]) -> &Ended {
    let rank = |ended: &Ended| match ended {
        Ended::Range { .. } => 0,
        Ended::Closed => 1,
        Ended::Border { .. } | Ended::Vanished { .. } => 2,
        Ended::Points => 3,
        Ended::Interrupted => 4,
        Ended::Stopped { .. } => 5,
    };
    if rank(&ended[1]) > rank(&ended[0]) { &ended[1] } else { &ended[0] }
}

/// What is missing, in lines; none if nothing is.
fn short_of(followed: Followed) -> Vec<String> {
    if let Some((_, message)) = followed.nothing {
        return vec![message.to_string()];
    }
    let mut lines = Vec::new();
    for (k, branch) in followed.branches.iter().enumerate() {
        let ends = [branch.points.first(), branch.points.last()];
        for (ended, end) in branch.ended.iter().zip(ends).filter(|(ended, _)| !ended.is_complete()) {
            let place = end.map(|point| format!(" at {} = {}", followed.along(), short(branch.value(point), 12)));
            let which = if k == 0 { "the branch".to_string() } else { format!("branch {k}") };
            lines.push(format!("{which} stopped early{}: {}", place.unwrap_or_default(), ended.describe()));
            lines.extend(remedy(ended));
        }
    }
    lines
}

/// What can be done about an end.
pub fn remedy(ended: &Ended) -> Option<String> {
    match ended {
        Ended::Points => Some("allow more with --points".to_string()),
        Ended::Stopped { .. } => Some("try shorter steps with --step".to_string()),
        _ => None,
    }
}
