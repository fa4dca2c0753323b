//! Level curves of a function of two numbers in a rectangle: crossings of the edges of a grid, each refined to rounding.
//!
//! Every edge of the grid at whose ends the function has different signs holds a zero; inside a cell zeros on its edges are joined. Where all
//! four edges hold one, two curves pass or cross: a finer look at the signs inside decides which. Two zeros on one edge are not seen.

use std::collections::HashMap;

/// A curve on which a function vanishes.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelCurve {
    /// Points in their order along the curve.
    pub points: Vec<(f64, f64)>,
    /// Whether the last point is joined to the first one.
    pub closed: bool,
}

/// In a cell with four zeros signs are looked at on so many points each way.
const FINE: usize = 33;
/// A function that is still this large beside the place where its sign changes, relative to its values at the ends of an edge, jumps there.
const JUMP: f64 = 1e-6;

/// An edge of the grid: from a node in the direction of the first or of the second number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Edge {
    column: usize,
    row: usize,
    up: bool,
}

/// The curves on which `function` vanishes. `values` are those at the nodes, row by row, the first number changing fastest; where they are not finite
/// the function is not defined, and curves end.
///
/// # Panics
/// If there is not one value for every node.
pub fn level_curves(
    x: &[f64],
    y: &[f64],
    values: &[f64],
    function: &mut dyn FnMut(f64, f64) -> f64,
) -> Vec<LevelCurve> {
    assert_eq!(values.len(), x.len() * y.len(), "one value for every node");
    let at = |column: usize, row: usize| values[row * x.len() + column];
    let mut zeros: HashMap<Edge, (f64, f64)> = HashMap::new();
    for row in 0..y.len() {
        for column in 0..x.len() {
            let from = at(column, row);
            for up in [false, true] {
                let (next, above) = if up { (column, row + 1) } else { (column + 1, row) };
                if next >= x.len() || above >= y.len() {
                    continue;
                }
                let to = at(next, above);
                if !from.is_finite() || !to.is_finite() || (from >= 0.0) == (to >= 0.0) {
                    continue;
                }
                let zero = match up {
                    true => {
                        root(&mut |t| function(x[column], t), (y[row], from), (y[above], to)).map(|t| (x[column], t))
                    }
                    false => root(&mut |t| function(t, y[row]), (x[column], from), (x[next], to)).map(|t| (t, y[row])),
                };
                if let Some(zero) = zero {
                    zeros.insert(Edge { column, row, up }, zero);
                }
            }
        }
    }
    let mut joined: HashMap<Edge, Vec<Edge>> = HashMap::new();
    for row in 0..y.len().saturating_sub(1) {
        for column in 0..x.len().saturating_sub(1) {
            let [bottom, left] = [false, true].map(|up| Edge { column, row, up });
            let top = Edge { column, row: row + 1, up: false };
            let right = Edge { column: column + 1, row, up: true };
            let present: Vec<Edge> = [bottom, right, top, left].into_iter().filter(|e| zeros.contains_key(e)).collect();
            let pairs: Vec<(Edge, Edge)> = match present[..] {
                [a, b] => vec![(a, b)],
                [_, _, _, _] => {
                    let (across, along) = ((x[column], x[column + 1]), (y[row], y[row + 1]));
                    match saddle(across, along, at(column, row) >= 0.0, function) {
                        Saddle::Rising => vec![(bottom, right), (left, top)],
                        Saddle::Falling => vec![(bottom, left), (right, top)],
                        Saddle::Crossing => vec![(bottom, top), (left, right)],
                    }
                }
                _ => Vec::new(),
            };
            for (a, b) in pairs {
                joined.entry(a).or_default().push(b);
                joined.entry(b).or_default().push(a);
            }
        }
    }
    chains(&joined)
        .into_iter()
        .map(|(edges, closed)| {
            let mut points: Vec<(f64, f64)> = edges.iter().map(|edge| zeros[edge]).collect();
            // A zero at a node is that of several edges.
            points.dedup();
            LevelCurve { points, closed }
        })
        .collect()
}

/// How the corners of a cell with a zero on every edge hang together.
enum Saddle {
    /// The lower left and the upper right one.
    Rising,
    /// The upper left and the lower right one.
    Falling,
    /// Neither: curves cross.
    Crossing,
}

fn saddle(across: (f64, f64), along: (f64, f64), sign: bool, function: &mut dyn FnMut(f64, f64) -> f64) -> Saddle {
    let part = |ends: (f64, f64), k: usize| match k {
        0 => ends.0,
        k if k == FINE - 1 => ends.1,
        k => ends.0 + (ends.1 - ends.0) * k as f64 / (FINE - 1) as f64,
    };
    let signs: Vec<bool> =
        (0..FINE * FINE).map(|node| function(part(across, node % FINE), part(along, node / FINE)) >= 0.0).collect();
    let last = FINE - 1;
    let hang = |from: usize, to: usize, wanted: bool| {
        let mut seen = vec![false; FINE * FINE];
        let mut waiting = vec![from];
        while let Some(node) = waiting.pop() {
            if signs[node] != wanted || std::mem::replace(&mut seen[node], true) {
                continue;
            }
            let (column, row) = (node % FINE, node / FINE);
            waiting.extend((column > 0).then(|| node - 1));
            waiting.extend((column < last).then(|| node + 1));
            waiting.extend((row > 0).then(|| node - FINE));
            waiting.extend((row < last).then(|| node + FINE));
        }
        seen[to]
    };
    if hang(0, FINE * FINE - 1, sign) {
        Saddle::Rising
    } else if hang(last, last * FINE, !sign) {
        Saddle::Falling
    } else {
        Saddle::Crossing
    }
}

/// Edges in the order in which they are joined, open chains before closed ones.
fn chains(joined: &HashMap<Edge, Vec<Edge>>) -> Vec<(Vec<Edge>, bool)> {
    let mut edges: Vec<Edge> = joined.keys().copied().collect();
    edges.sort_unstable();
    let ends = edges.iter().copied().filter(|edge| joined[edge].len() == 1);
    let mut used: HashMap<Edge, bool> = HashMap::new();
    let mut found = Vec::new();
    for (begin, closed) in ends.map(|edge| (edge, false)).chain(edges.iter().map(|&edge| (edge, true))) {
        if used.insert(begin, true).is_some() {
            continue;
        }
        let mut chain = vec![begin];
        let mut at = begin;
        while let Some(&next) = joined[&at].iter().find(|next| !used.contains_key(next)) {
            used.insert(next, true);
            chain.push(next);
            at = next;
        }
        found.push((chain, closed));
    }
    found
}

/// A zero between two places with different signs, to rounding; `None` if the function jumps or has no value on the way.
pub(crate) fn root(function: &mut dyn FnMut(f64) -> f64, from: (f64, f64), to: (f64, f64)) -> Option<f64> {
    let ((mut a, mut fa), (mut b, mut fb)) = (from, to);
    let size = fa.abs() + fb.abs();
    let mut secant = false;
    for _ in 0..200 {
        if fa == 0.0 {
            return Some(a);
        }
        if fb == 0.0 {
            return Some(b);
        }
        if (b - a).abs() <= 2.0 * f64::EPSILON * a.abs().max(b.abs()) {
            break;
        }
        // Secants and halves in turn.
        secant = !secant;
        let middle = 0.5 * (a + b);
        let mut next = if secant { a - fa * (b - a) / (fb - fa) } else { middle };
        if !(next > a.min(b) && next < a.max(b)) {
            next = middle;
        }
        if next == a || next == b {
            break;
        }
        let value = function(next);
        if !value.is_finite() {
            return None;
        }
        if (value >= 0.0) == (fa >= 0.0) {
            (a, fa) = (next, value);
        } else {
            (b, fb) = (next, value);
        }
    }
    if fa.abs().max(fb.abs()) > JUMP * size {
        return None;
    }
    Some(if fa.abs() <= fb.abs() { a } else { b })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nodes(from: f64, to: f64, count: usize) -> Vec<f64> {
        (0..count).map(|k| from + (to - from) * k as f64 / (count - 1) as f64).collect()
    }

    fn curves(count: usize, mut function: impl FnMut(f64, f64) -> f64) -> Vec<LevelCurve> {
        let (x, y) = (nodes(-1.0, 1.0, count), nodes(-1.0, 1.0, count));
        let mut values = Vec::new();
        y.iter().for_each(|&y| x.iter().for_each(|&x| values.push(function(x, y))));
        level_curves(&x, &y, &values, &mut function)
    }

    #[test]
    fn a_circle_closes() {
        let found = curves(24, |x, y| x * x + y * y - 0.5);
        assert_eq!(found.len(), 1);
        assert!(found[0].closed && found[0].points.len() > 40);
        assert!(found[0].points.iter().all(|(x, y)| (x.hypot(*y) - 0.5f64.sqrt()).abs() < 1e-15));
    }

    #[test]
    fn a_line_is_cut_at_the_frame() {
        let found = curves(10, |x, y| y - 0.5 * x - 0.1);
        assert_eq!(found.len(), 1);
        assert!(!found[0].closed);
        let mut ends = [found[0].points[0], *found[0].points.last().unwrap()];
        ends.sort_by(|a, b| a.0.total_cmp(&b.0));
        assert!((ends[0].1 + 0.4).abs() < 1e-15 && (ends[1].1 - 0.6).abs() < 1e-15, "{ends:?}");
    }

    #[test]
    fn curves_near_a_saddle_pass_or_cross() {
        // With an odd number of cells the saddle lies inside one.
        let passing = |level: f64| curves(10, move |x, y| (x - 0.01) * (y - 0.01) - level);
        let crossing = passing(0.0);
        assert_eq!(crossing.len(), 2);
        assert!(crossing.iter().all(|curve| {
            let (first, last) = (curve.points[0], curve.points[curve.points.len() - 1]);
            (first.0 - last.0).abs() > 1.9 || (first.1 - last.1).abs() > 1.9
        }));
        for level in [1e-3, -1e-3] {
            let found = passing(level);
            assert_eq!(found.len(), 2);
            // Each branch of the hyperbola stays on its side of x = 0.01.
            for curve in &found {
                let side = curve.points[0].0 > 0.01;
                assert!(curve.points.iter().all(|point| (point.0 > 0.01) == side), "{curve:?}");
            }
        }
    }

    #[test]
    fn jumps_are_no_zeros_and_curves_end_where_there_is_no_value() {
        assert!(curves(12, |x, _| if x < 0.03 { -1.0 } else { 1.0 }).is_empty());
        assert!(curves(12, |x, _| 1.0 / (x - 0.03)).is_empty());
        let half = curves(12, |x, y| if y > 0.2 { f64::NAN } else { x - 0.03 });
        assert_eq!(half.len(), 1);
        assert!(half[0].points.iter().all(|&(x, y)| (x - 0.03).abs() < 1e-16 && y <= 0.2));
    }
}
