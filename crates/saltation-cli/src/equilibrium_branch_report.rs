//! What is a branch of equilibria like, for people?

use crate::branch_report::{MOST_LISTED, Piece, cut, ending, kinds, orbits, signed, words};
use crate::equilibrium_branch::{Followed, Line, Member};
use crate::number::{self, short};
use crate::table::{self, Row, Side};
use saltation_orbit::equilibrium::branch::EquilibriumBranch;

/// The most states in the table of special points.
const MOST_STATES: usize = 4;

/// Cuts a branch where its equilibria change their kind.
pub fn pieces(branch: &EquilibriumBranch) -> Vec<Piece> {
    let mut special = vec![false; branch.points.len()];
    branch.special.iter().for_each(|one| special[one.index] = true);
    let points = branch.points.iter().zip(special);
    cut(&points.map(|(point, special)| (point.stable, point.admissible, special)).collect::<Vec<_>>())
}

/// The whole report.
pub fn lines(followed: Followed, seconds: f64) -> Vec<String> {
    let mut lines = header(followed);
    for (k, member) in followed.members.iter().enumerate() {
        lines.push(String::new());
        lines.extend(about(followed, k, member));
    }
    let points: usize = followed.members.iter().map(|member| member.line.values().len()).sum();
    lines.push(String::new());
    lines.push(format!("{} ({} s of computing)", number::count(points as u64, "point"), short(seconds, 3)));
    lines
}

/// What is followed.
fn header(followed: Followed) -> Vec<String> {
    let Followed { input, request, naming, search, .. } = followed;
    let mut lines = vec![input.headline()];
    let changed = input.changed();
    if !changed.is_empty() {
        lines.push(format!("with     {}", changed.join(", ")));
    }
    if let Some(file) = &request.file {
        lines.push(format!("from     {file}"));
    }
    let (low, high) = request.settings.range;
    lines.push(format!("along    {} from {} to {}", followed.along(), short(low, 15), short(high, 15)));
    if let Some(rest) = search.equilibria.first() {
        let stable = if rest.stable { "stable" } else { "not stable" };
        let admissible = if rest.admissible { "" } else { ", virtual" };
        lines.push(format!("mode     {}, {stable}{admissible}", naming.mode(rest.closed)));
        if search.equilibria.len() > 1 {
            lines.push(format!("         the first of {} equilibria that were found", search.equilibria.len()));
        }
    }
    lines.push(format!("tol      {:e}", input.tolerance));
    lines
}

fn about(followed: Followed, k: usize, member: &Member) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some((parent, special)) = member.parent {
        let kind = followed.members.get(parent).and_then(|parent| match &parent.line {
            Line::Rests(branch) => branch.special.get(special),
            Line::Cycles(_) => None,
        });
        let kind = kind.map(|special| words(special.kind.name())).unwrap_or_default();
        let parent = if parent == 0 { "the branch above".to_string() } else { format!("branch {parent}") };
        lines.push(match member.line {
            Line::Rests(_) => format!("branch {k}, which crosses at the {kind} ({special}) of {parent}"),
            Line::Cycles(_) => format!("branch {k}, limit cycles, which begins at the {kind} ({special}) of {parent}"),
        });
    }
    lines.extend(match &member.line {
        Line::Rests(branch) => rests(followed, branch),
        Line::Cycles(branch) => orbits(followed.along(), followed.naming, branch, true),
    });
    lines
}

fn rests(followed: Followed, branch: &EquilibriumBranch) -> Vec<String> {
    let along = followed.along();
    let mode = branch.points.first().map(|point| followed.naming.mode(point.closed)).unwrap_or_default();
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
    lines.extend(special(followed, branch));
    lines
}

/// The table of special points.
fn special(followed: Followed, branch: &EquilibriumBranch) -> Vec<String> {
    if branch.special.is_empty() {
        return vec!["nothing special on the way".to_string()];
    }
    let naming = followed.naming;
    let contacts = naming.system.contact_names();
    let mut rows = Vec::new();
    for (k, special) in branch.special.iter().enumerate().take(MOST_LISTED) {
        let point = &special.point;
        let mut row = vec![
            k.to_string(),
            words(special.kind.name()),
            special.contact.map(|contact| contacts[contact].clone()).unwrap_or_default(),
            signed(branch.value(point), 15),
            special.hopf.map(|hopf| short(hopf.period(), 12)).unwrap_or_default(),
        ];
        row.extend(naming.state(&point.state).take(MOST_STATES).map(|(_, x)| signed(x, 8)));
        row.push(if point.stable { "stable" } else { "unstable" }.to_string());
        row.push(if point.admissible { "admissible" } else { "virtual" }.to_string());
        rows.push(Row::Cells(row));
    }
    if branch.special.len() > MOST_LISTED {
        rows.push(Row::Remark(format!("… {} more; --json has all …", branch.special.len() - MOST_LISTED)));
    }
    let mut head = vec!["at", "kind", "contact", followed.along(), "period"];
    head.extend(naming.states().iter().take(MOST_STATES).map(String::as_str));
    head.extend(["", ""]);
    let side = |name: &str| if name == "at" { Side::Right } else { Side::Left };
    table::lines(&head.iter().map(|name| (*name, side(name))).collect::<Vec<_>>(), &rows)
}
