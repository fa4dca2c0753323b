//! The report of a branch: its range, where its orbits are stable and where not admissible, its bifurcations.

use crate::branch::Branch as Followed;
use crate::naming::Naming;
use crate::orbit::report::stability;
use crate::text::columns::{self, Row, Side};
use crate::text::number::{self, short};
use crate::text::signature;
use saltation_orbit::branch::{
    Branch, Ended, Homoclinic, MOST_BRANCHES, MOST_GENERATIONS, NotFollowed, Sliding, generation, successors,
};

/// The largest number of bifurcations and pieces that are listed.
pub(crate) const MOST_LISTED: usize = 60;
/// The largest number of impact speeds in a row.
const MOST_SPEEDS: usize = 4;

/// A piece of a branch along which stability and admissibility do not change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Piece {
    /// The position of its first point.
    pub from: usize,
    /// That of its last point; bifurcations belong to the pieces on both sides.
    pub to: usize,
    /// Whether its orbits are stable.
    pub stable: bool,
    /// Whether its orbits are admissible.
    pub admissible: bool,
}

/// Cuts a branch where stability or admissibility changes. At a bifurcation itself both depend on rounding errors.
pub(crate) fn pieces(branch: &Branch) -> Vec<Piece> {
    let mut special = vec![false; branch.points.len()];
    branch.special.iter().for_each(|one| special[one.index] = true);
    // It begins at a bifurcation of another one.
    special.iter_mut().take(usize::from(branch.parent.is_some())).for_each(|first| *first = true);
    let points = branch.points.iter().zip(special);
    cut(&points.map(|(point, special)| (point.stable, point.admissible, special)).collect::<Vec<_>>())
}

/// The same for points in their order: stable, admissible, special.
pub(crate) fn cut(points: &[(bool, bool, bool)]) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for (i, pair) in points.windows(2).enumerate() {
        // Between two points the branch has the properties of the regular one; between two regular points, those that both have.
        let (stable, admissible) = match pair {
            [(stable, admissible, false), (.., true)] | [(.., true), (stable, admissible, false)] => {
                (*stable, *admissible)
            }
            _ => (pair[0].0 && pair[1].0, pair[0].1 && pair[1].1),
        };
        match pieces.last_mut() {
            Some(last) if (last.stable, last.admissible) == (stable, admissible) => last.to = i + 1,
            _ => pieces.push(Piece { from: i, to: i + 1, stable, admissible }),
        }
    }
    if let ([(stable, admissible, _)], []) = (points, pieces.as_slice()) {
        pieces.push(Piece { from: 0, to: 0, stable: *stable, admissible: *admissible });
    }
    pieces
}

/// The whole report.
pub(crate) fn lines(followed: &Followed) -> Vec<String> {
    let mut lines = header(followed);
    for (k, branch) in followed.branches.iter().enumerate() {
        lines.push(String::new());
        lines.extend(about(followed, k, branch));
    }
    if let Some(left_out) = left_out(followed) {
        lines.extend([String::new(), left_out]);
    }
    let points: usize = followed.branches.iter().map(|branch| branch.points.len()).sum();
    let seconds = short(followed.wall_time.as_secs_f64(), 3);
    lines.push(String::new());
    lines.push(format!("{} ({seconds} s of computing)", number::count(points as u64, "point")));
    lines
}

/// What switching has not followed, because it is too far from the first branch or because there are too many.
pub(crate) fn left_out(followed: &Followed) -> Option<String> {
    let Followed { request, branches, .. } = followed;
    if !request.switch {
        return None;
    }
    if branches.len() >= MOST_BRANCHES {
        return Some(format!("not followed: branches beyond the first {MOST_BRANCHES}"));
    }
    let naming = followed.system.naming().ok()?;
    let begins = |branch: &Branch| {
        let special = branch.special.iter().filter(|special| special.point.admissible);
        special.filter(|special| !successors(naming.system, branch, special).is_empty()).count()
    };
    let last = (0..branches.len()).filter(|&k| generation(branches, k) >= MOST_GENERATIONS);
    let waiting: Vec<(usize, usize)> = last.map(|k| (k, begins(&branches[k]))).filter(|(_, n)| *n > 0).collect();
    let total: usize = waiting.iter().map(|(_, n)| n).sum();
    let names: Vec<String> = waiting.iter().map(|(k, _)| k.to_string()).collect();
    (total > 0).then(|| {
        format!(
            "not followed: what begins at {} of {} {}, {MOST_GENERATIONS} switches away from the first branch; --switch-at BRANCH:INDEX follows what begins at one of them",
            number::count(total as u64, "bifurcation"),
            if names.len() == 1 { "branch" } else { "branches" },
            names.join(" and ")
        )
    })
}

/// The request.
fn header(followed: &Followed) -> Vec<String> {
    let Followed { system, request, search, .. } = followed;
    let mut lines = vec![system.headline()];
    let changed = system.changed();
    if !changed.is_empty() {
        lines.push(format!("with     {}", changed.join(", ")));
    }
    if let Some(guess) = &search.guess {
        lines.push(format!("from     {}", guess.file()));
    }
    let [low, high] = followed.answer.range;
    lines.push(format!("along    {} from {} to {}", followed.along(), short(low, 15), short(high, 15)));
    if let Some(orbit) = &followed.orbit {
        let returns = number::count(orbit.returns, "return");
        lines.push(format!("orbit    repeats after {returns} to {}; {}", followed.answer.section, stability(orbit)));
        let asked = search.settings.returns;
        if orbit.returns < asked {
            lines.push(format!("         (asked: after {asked})"));
        }
    }
    lines.push(format!("tol      {:e}", request.tol));
    lines
}

fn about(followed: &Followed, k: usize, branch: &Branch) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some((parent, special)) = branch.parent {
        let kind = followed.branches.get(parent).and_then(|parent| parent.special.get(special));
        let kind = kind.map(|special| words(special.sliding.map_or(special.kind.name(), Sliding::name)));
        let kind = kind.unwrap_or_default();
        let parent = if parent == 0 { "the branch above".to_string() } else { format!("branch {parent}") };
        lines.push(format!("branch {k}, bifurcating at the {kind} ({special}) of {parent}"));
    }
    // A branch may pass through the point at which it was found.
    let begins = branch.parent.is_some() && matches!(branch.ended[0], Ended::Border { .. });
    let Ok(naming) = followed.system.naming() else { return lines };
    lines.extend(orbits(followed.along(), naming, branch, begins));
    lines
}

/// The ends of branches that are incomplete, in lines.
pub(crate) fn short_of(along: &str, branches: &[Branch]) -> Vec<String> {
    let mut lines = Vec::new();
    for (k, branch) in branches.iter().enumerate() {
        let ends = [branch.points.first(), branch.points.last()];
        for (ended, end) in branch.ended.iter().zip(ends).filter(|(ended, _)| !ended.is_complete()) {
            let place = end.map(|point| format!(" at {along} = {}", short(branch.value(point), 12)));
            let which = if k == 0 { "the branch".to_string() } else { format!("branch {k}") };
            lines.push(format!("{which} stopped early{}: {}", place.unwrap_or_default(), ended.describe()));
            lines.extend(remedy(ended));
        }
    }
    lines
}

/// Advice for an incomplete end.
pub(crate) fn remedy(ended: &Ended) -> Option<String> {
    match ended {
        Ended::Points => Some("allow more points with --points".to_string()),
        Ended::Stopped { .. } => Some("try shorter steps with --step".to_string()),
        _ => None,
    }
}

/// The lines about one branch of orbits; `begins`: whether it bifurcates from another one.
pub(crate) fn orbits(along: &str, naming: Naming, branch: &Branch, begins: bool) -> Vec<String> {
    let events = signature::compact(&branch.signature.words(naming.system));
    let mut lines = vec![format!("events   {events}"), format!("points   {}", branch.points.len())];
    let value = |index: usize| branch.points.get(index).map_or(f64::NAN, |point| branch.value(point));
    lines.extend(kinds(along, &pieces(branch), &value));
    for (which, ended, end) in
        [("from", &branch.ended[0], branch.points.first()), ("to", &branch.ended[1], branch.points.last())]
    {
        let value = end.map(|point| short(branch.value(point), 13)).unwrap_or_default();
        let words = match (which, begins) {
            ("from", true) => "the bifurcation at which it begins".to_string(),
            _ => ending(ended),
        };
        lines.push(format!("{which:<8} {along} = {value}: {words}"));
    }
    lines.push(String::new());
    lines.extend(special(along, naming, branch));
    lines.extend(not_followed(branch));
    let laws = branch.special.iter().filter_map(|special| special.homoclinic.as_ref());
    lines.extend(laws.flat_map(|law| homoclinic(along, naming, law)));
    lines
}

/// Why a branch ends, in a report.
pub(crate) fn ending(ended: &Ended) -> String {
    match ended {
        Ended::Range { .. } => "the end of the range".to_string(),
        other => other.describe(),
    }
}

/// The name of a kind in JSON as words.
pub(crate) fn words(name: &str) -> String {
    name.replace('_', " ")
}

/// The intervals in which orbits are stable, unstable, or not admissible.
pub(crate) fn kinds(along: &str, pieces: &[Piece], value: &dyn Fn(usize) -> f64) -> Vec<String> {
    let mut lines = Vec::new();
    for (word, stable, admissible) in
        [("stable", true, true), ("unstable", false, true), ("virtual", true, false), ("virtual", false, false)]
    {
        let own = pieces.iter().filter(|piece| (piece.stable, piece.admissible) == (stable, admissible));
        let runs = own.flat_map(|piece| monotonic(piece.from, piece.to, value));
        let mut intervals: Vec<String> =
            runs.map(|(from, to)| format!("{} to {}", short(value(from), 13), short(value(to), 13))).collect();
        if intervals.is_empty() {
            continue;
        }
        let more = intervals.len().saturating_sub(MOST_LISTED);
        intervals.truncate(MOST_LISTED);
        if more > 0 {
            intervals.push(format!("and {more} more"));
        }
        let remark = match (stable, admissible) {
            (_, true) => "",
            (true, false) => " (not admissible; stable)",
            (false, false) => " (not admissible; unstable)",
        };
        lines.push(format!("{word:<8} {along} = {}{remark}", intervals.join(", ")));
    }
    lines
}

/// The first and the last point of each part on which the values are monotonic.
fn monotonic(from: usize, to: usize, value: &dyn Fn(usize) -> f64) -> Vec<(usize, usize)> {
    let mut cuts = vec![from];
    cuts.extend((from + 1..to).filter(|&i| (value(i) - value(i - 1)) * (value(i + 1) - value(i)) < 0.0));
    cuts.push(to);
    cuts.windows(2).map(|ends| (ends[0], ends[1])).collect()
}

/// The table of bifurcations.
fn special(along: &str, naming: Naming, branch: &Branch) -> Vec<String> {
    if branch.special.is_empty() {
        return vec!["no bifurcations".to_string()];
    }
    let mut rows = Vec::new();
    for (k, special) in branch.special.iter().enumerate().take(MOST_LISTED) {
        let point = &special.point;
        let speeds = point.impact_speeds.iter().take(MOST_SPEEDS).map(|speed| short(*speed, 8));
        let more = if point.impact_speeds.len() > MOST_SPEEDS { ", …" } else { "" };
        rows.push(Row::Cells(vec![
            k.to_string(),
            words(special.sliding.map_or(special.kind.name(), Sliding::name)),
            special.contact.map(|contact| naming.system.element_name(contact).to_string()).unwrap_or_default(),
            signed(branch.value(point), 15),
            short(point.period, 12),
            speeds.collect::<Vec<_>>().join(", ") + more,
            if point.stable { "stable" } else { "unstable" }.to_string(),
            if point.admissible { "admissible" } else { "not admissible" }.to_string(),
        ]));
    }
    if branch.special.len() > MOST_LISTED {
        rows.push(Row::Remark(format!("… {} more; --json has all …", branch.special.len() - MOST_LISTED)));
    }
    let head = ["at", "kind", "contact", along, "period", "impact speeds", "", ""];
    columns::lines(&head.map(|name| (name, if name == "at" { Side::Right } else { Side::Left })), &rows)
}

/// The special points at which branches were looked for in vain.
fn not_followed(branch: &Branch) -> Vec<String> {
    let mut reasons: Vec<(NotFollowed, Vec<String>)> = Vec::new();
    let points = branch.special.iter().enumerate();
    for (index, why) in points.filter_map(|(index, special)| Some((index, special.not_followed?))) {
        match reasons.iter_mut().find(|(known, _)| *known == why) {
            Some((_, list)) => list.push(index.to_string()),
            None => reasons.push((why, vec![index.to_string()])),
        }
    }
    let line = |(why, list): (NotFollowed, Vec<String>)| {
        format!("nothing to follow at {}: {}", list.join(", "), why.describe())
    };
    reasons.into_iter().map(line).collect()
}

/// A number with a place for its sign.
pub(crate) fn signed(x: f64, digits: usize) -> String {
    let text = short(x, digits);
    if text.starts_with('-') { text } else { format!(" {text}") }
}

/// The asymptotic law of the period near a homoclinic orbit.
fn homoclinic(name: &str, naming: Naming, law: &Homoclinic) -> Vec<String> {
    let mut lines = vec![
        String::new(),
        format!("the period grows as {} - ln|{name}_h - {name}|/{}", short(law.constant, 8), short(law.rate, 10)),
        format!("without bound towards {name}_h = {}", short(law.value, 13)),
    ];
    if let Some(saddle) = &law.saddle {
        let state: Vec<String> =
            naming.state(&saddle.state).map(|(name, x)| format!("{name} = {}", short(x, 10))).collect();
        let mode = naming.mode(saddle.closed);
        lines.push(format!("where the orbit approaches the equilibrium {} ({mode})", state.join(", ")));
        let eigenvalues: Vec<String> = saddle
            .eigenvalues
            .iter()
            .map(|z| match z.im == 0.0 {
                true => short(z.re, 10),
                false => {
                    format!("{} {} {}i", short(z.re, 10), if z.im < 0.0 { '-' } else { '+' }, short(z.im.abs(), 10))
                }
            })
            .collect();
        lines.push(format!("with the eigenvalues {}", eigenvalues.join(", ")));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_end_at_bifurcations() {
        let (stable, unstable) = ((true, true, false), (false, true, false));
        let (special, doubtful) = ((true, true, true), (false, false, true));
        let piece = |from, to, stable| Piece { from, to, stable, admissible: true };
        assert_eq!(cut(&[stable, doubtful, unstable, unstable]), [piece(0, 1, true), piece(1, 3, false)]);
        // A graze with the same properties on both sides does not cut, and a boundary at an end belongs to its neighbour.
        assert_eq!(cut(&[doubtful, stable, special, stable, doubtful]), [piece(0, 4, true)]);
        let between = Piece { from: 1, to: 2, stable: false, admissible: false };
        assert_eq!(cut(&[stable, doubtful, doubtful, unstable]), [piece(0, 1, true), between, piece(2, 3, false)]);
        assert_eq!(cut(&[stable]), [piece(0, 0, true)]);
        assert_eq!(cut(&[]), []);
    }

    #[test]
    fn ranges_are_cut_where_the_parameter_turns() {
        let values = [0.0, 1.0, 2.0, 1.5, 0.5, 0.7];
        assert_eq!(monotonic(0, 5, &|i| values[i]), [(0, 2), (2, 4), (4, 5)]);
        assert_eq!(monotonic(1, 2, &|i| values[i]), [(1, 2)]);
        assert_eq!(monotonic(3, 3, &|i| values[i]), [(3, 3)]);
    }
}
