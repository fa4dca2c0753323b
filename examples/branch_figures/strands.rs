//! Draws a branch: stable parts blue, unstable parts red, and parts that are not admissible dashed.

use saltation_draw::{Color, Layer, Panel, Points};
use saltation_orbit::branch::{Branch, BranchPoint};

/// A gap in a line.
pub(crate) const GAP: (f64, f64) = (f64::NAN, f64::NAN);

/// The points of one quantity along a part of a branch, in its steps that are so stable and so admissible; the others are gaps.
fn steps(
    branch: &Branch,
    (from, to): (usize, usize),
    wanted: (bool, bool),
    of: impl Fn(&BranchPoint) -> (f64, f64),
) -> Points {
    let special: Vec<usize> = branch.special.iter().map(|special| special.index).collect();
    let class = |k: usize| (branch.points[k].stable, branch.points[k].admissible);
    let mut line = Points::new();
    for k in from..to {
        // At special points both sides meet: a step between two points is what its ordinary end is.
        let is = if special.contains(&k) { class(k + 1) } else { class(k) };
        match is == wanted {
            true => line.extend([of(&branch.points[k]), of(&branch.points[k + 1])]),
            false => line.push(GAP),
        }
    }
    line
}

/// A branch as lines: for every stability and admissibility that it has, one line.
pub(crate) fn lines(
    branch: &Branch,
    part: (usize, usize),
    of: impl Fn(&BranchPoint) -> (f64, f64),
) -> Vec<((bool, bool), Points)> {
    let classes = [(true, true), (false, true), (false, false), (true, false)];
    let all = classes.map(|class| (class, steps(branch, part, class, &of)));
    all.into_iter().filter(|(_, line)| line.iter().any(|point| point.0.is_finite())).collect()
}

/// Adds one quantity along a branch to a panel.
pub(crate) fn strands(mut panel: Panel, branch: &Branch, of: impl Fn(&BranchPoint) -> (f64, f64)) -> Panel {
    for ((stable, admissible), line) in lines(branch, (0, branch.points.len().saturating_sub(1)), of) {
        let color = if stable { Color::BLUE } else { Color::VERMILLION };
        let layer = Layer::line(line).color(color).width(1.6);
        panel = panel.layer(match (stable, admissible) {
            (true, true) => layer.label("stable"),
            (false, true) => layer.label("unstable"),
            (_, false) => layer.dashed().label("virtual"),
        });
    }
    panel
}

/// The real parts of the multipliers, the largest first; not a number where there are none.
pub(crate) fn real_part(point: &BranchPoint, index: usize) -> f64 {
    let mut parts: Vec<f64> = point.multipliers.iter().map(|multiplier| multiplier.re).collect();
    parts.sort_by(|a, b| b.total_cmp(a));
    parts.get(index).copied().unwrap_or(f64::NAN)
}

/// A number as it is printed, with a minus sign.
pub(crate) fn printed(value: f64, places: usize) -> String {
    format!("{value:.places$}").replace('-', "−")
}
