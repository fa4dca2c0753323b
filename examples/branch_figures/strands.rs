//! How is a branch drawn? Stable parts blue, unstable ones red, and those that are no motions of the system dashed.

use saltation::draw::{Color, Layer, Panel, Points};
use saltation::orbit::branch::{Branch, BranchPoint};

/// A gap in a line.
pub const GAP: (f64, f64) = (f64::NAN, f64::NAN);

/// Adds one quantity along a branch to a panel.
pub fn strands(mut panel: Panel, branch: &Branch, of: impl Fn(&BranchPoint) -> (f64, f64)) -> Panel {
    let special: Vec<usize> = branch.special.iter().map(|special| special.index).collect();
    let class = |k: usize| (branch.points[k].stable, branch.points[k].admissible);
    // At special points both sides meet: a step between two points is what its ordinary end is.
    let step = |k: usize| if special.contains(&k) { class(k + 1) } else { class(k) };
    for stable in [false, true] {
        for admissible in [false, true] {
            let mut line: Points = Vec::new();
            for k in 0..branch.points.len().saturating_sub(1) {
                match step(k) == (stable, admissible) {
                    true => line.extend([of(&branch.points[k]), of(&branch.points[k + 1])]),
                    false => line.push(GAP),
                }
            }
            if line.iter().all(|point| point.0.is_nan()) {
                continue;
            }
            let color = if stable { Color::BLUE } else { Color::VERMILLION };
            let layer = Layer::line(line).color(color).width(1.6);
            panel = panel.layer(match (stable, admissible) {
                (true, true) => layer.label("stable"),
                (false, true) => layer.label("unstable"),
                (_, false) => layer.dashed().label("virtual"),
            });
        }
    }
    panel
}

/// The real parts of the multipliers, falling; a number that does not exist is a gap.
pub fn real_parts(point: &BranchPoint, index: usize) -> f64 {
    let mut parts: Vec<f64> = point.multipliers.iter().map(|multiplier| multiplier.re).collect();
    parts.sort_by(|a, b| b.total_cmp(a));
    parts.get(index).copied().unwrap_or(f64::NAN)
}
