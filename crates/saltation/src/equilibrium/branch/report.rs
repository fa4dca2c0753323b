//! The report of branches of equilibria: where they are stable and where not admissible, their bifurcations, and limit cycles.

use crate::branch::report::{MOST_LISTED, Piece, cut, ending, kinds, orbits, signed, words};
use crate::equilibrium::branch::{Branches, Line, Member};
use crate::naming::Naming;
use crate::text::columns::{self, Row, Side};
use crate::text::number::{self, short};
use saltation_orbit::equilibrium::branch::EquilibriumBranch;

/// The largest number of states in the table of bifurcations.
const MOST_STATES: usize = 4;

/// Cuts a branch where stability or admissibility changes.
pub(crate) fn pieces(branch: &EquilibriumBranch) -> Vec<Piece> {
    let mut special = vec![false; branch.points.len()];
    branch.special.iter().for_each(|one| special[one.index] = true);
    let points = branch.points.iter().zip(special);
    cut(&points.map(|(point, special)| (point.stable, point.admissible, special)).collect::<Vec<_>>())
}

/// The whole report.
pub(crate) fn lines(followed: &Branches) -> Vec<String> {
    // The model is compiled, because a branch was computed.
    let Ok(naming) = followed.system.naming() else { return Vec::new() };
    let mut lines = header(followed);
    for (k, member) in followed.members.iter().enumerate() {
        lines.push(String::new());
        lines.extend(about(followed, naming, k, member));
    }
    let points: usize = followed.members.iter().map(|member| member.line.values().len()).sum();
    lines.push(String::new());
    let seconds = short(followed.wall_time.as_secs_f64(), 3);
    lines.push(format!("{} ({seconds} s of computing)", number::count(points as u64, "point")));
    lines
}

/// The request.
fn header(followed: &Branches) -> Vec<String> {
    let Branches { system, request, search, .. } = followed;
    let mut lines = vec![system.headline()];
    let changed = system.changed();
    if !changed.is_empty() {
        lines.push(format!("with     {}", changed.join(", ")));
    }
    if let Some(file) = &search.file {
        lines.push(format!("from     {file}"));
    }
    let [low, high] = followed.answer.range;
    lines.push(format!("along    {} from {} to {}", followed.along(), short(low, 15), short(high, 15)));
    if let Some(rest) = search.equilibria.get(request.at) {
        let stable = if rest.stable { "stable" } else { "not stable" };
        let admissible = if rest.admissible { "" } else { ", not admissible" };
        lines.push(format!("mode     {}, {stable}{admissible}", rest.mode));
        if search.equilibria.len() > 1 {
            let which = if request.at == 0 { "the first".to_string() } else { format!("number {}", request.at) };
            lines.push(format!("         {which} of {} equilibria that were found", search.equilibria.len()));
        }
    }
    lines.push(format!("tol      {:e}", request.tol));
    lines
}

fn about(followed: &Branches, naming: Naming, k: usize, member: &Member) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some((parent, special)) = member.parent {
        let kind = followed.members.get(parent).and_then(|parent| match &parent.line {
            Line::Equilibria(branch) => branch.special.get(special),
            Line::Cycles(_) => None,
        });
        let kind = kind.map(|special| words(special.kind.name())).unwrap_or_default();
        let parent = if parent == 0 { "the branch above".to_string() } else { format!("branch {parent}") };
        lines.push(match member.line {
            Line::Equilibria(_) => format!("branch {k}, crossing at the {kind} ({special}) of {parent}"),
            Line::Cycles(_) => format!("branch {k}, limit cycles, bifurcating at the {kind} ({special}) of {parent}"),
        });
    }
    lines.extend(match &member.line {
        Line::Equilibria(branch) => equilibria(followed.along(), naming, branch),
        Line::Cycles(branch) => orbits(followed.along(), naming, branch, true),
    });
    lines
}

fn equilibria(along: &str, naming: Naming, branch: &EquilibriumBranch) -> Vec<String> {
    let mode = branch.points.first().map(|point| naming.mode(point.closed)).unwrap_or_default();
    let mut lines = vec![format!("mode     {mode}"), format!("points   {}", branch.points.len())];
    let value = |index: usize| branch.points.get(index).map_or(f64::NAN, |point| branch.value(point));
    lines.extend(kinds(along, &pieces(branch), &value));
    for (which, ended, end) in
        [("from", &branch.ended[0], branch.points.first()), ("to", &branch.ended[1], branch.points.last())]
    {
        let value = end.map(|point| short(branch.value(point), 13)).unwrap_or_default();
        lines.push(format!("{which:<8} {along} = {value}: {}", ending(ended)));
    }
    lines.push(String::new());
    lines.extend(special(along, naming, branch));
    lines
}

/// The table of bifurcations.
fn special(along: &str, naming: Naming, branch: &EquilibriumBranch) -> Vec<String> {
    if branch.special.is_empty() {
        return vec!["no bifurcations".to_string()];
    }
    let mut rows = Vec::new();
    for (k, special) in branch.special.iter().enumerate().take(MOST_LISTED) {
        let point = &special.point;
        let mut row = vec![
            k.to_string(),
            match special.meeting {
                Some(meeting) => format!("boundary equilibrium, {}", words(meeting.name())),
                None => words(special.kind.name()),
            },
            special.contact.map(|contact| naming.system.element_name(contact).to_string()).unwrap_or_default(),
            signed(branch.value(point), 15),
            special.hopf.map(|hopf| short(hopf.period(), 12)).unwrap_or_default(),
        ];
        row.extend(naming.state(&point.state).take(MOST_STATES).map(|(_, x)| signed(x, 8)));
        row.push(if point.stable { "stable" } else { "unstable" }.to_string());
        row.push(if point.admissible { "admissible" } else { "not admissible" }.to_string());
        rows.push(Row::Cells(row));
    }
    if branch.special.len() > MOST_LISTED {
        rows.push(Row::Remark(format!("… {} more; --json has all …", branch.special.len() - MOST_LISTED)));
    }
    let mut head = vec!["at", "kind", "contact", along, "period"];
    head.extend(naming.states().iter().take(MOST_STATES).map(String::as_str));
    head.extend(["", ""]);
    let side = |name: &str| if name == "at" { Side::Right } else { Side::Left };
    columns::lines(&head.iter().map(|name| (*name, side(name))).collect::<Vec<_>>(), &rows)
}
