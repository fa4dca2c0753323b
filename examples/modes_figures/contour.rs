//! Contours of a function of two variables by marching squares, with every point refined by bisection.

use std::collections::HashMap;

use saltation_draw::Points;

/// An edge of the grid: from node (i, j) to the right, or up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Edge {
    i: usize,
    j: usize,
    up: bool,
}

/// The zeros of f in the square from `low` to `high`, looked for on so many cells each way; curves are separated by points that are no numbers.
pub(crate) fn zeros(f: impl Fn(f64, f64) -> f64, low: f64, high: f64, cells: usize) -> Points {
    let place = |i: usize| low + (high - low) * i as f64 / cells as f64;
    let values: Vec<Vec<f64>> = (0..=cells).map(|i| (0..=cells).map(|j| f(place(i), place(j))).collect()).collect();
    let differ = |a: f64, b: f64| (a < 0.0) != (b < 0.0);
    let crossed = |edge: Edge| {
        let Edge { i, j, up } = edge;
        differ(values[i][j], if up { values[i][j + 1] } else { values[i + 1][j] })
    };
    // Which crossed edges are joined through a cell.
    let mut neighbours: HashMap<Edge, Vec<Edge>> = HashMap::new();
    for i in 0..cells {
        for j in 0..cells {
            let (left, below) = (Edge { i, j, up: true }, Edge { i, j, up: false });
            let around = [left, below, Edge { i: i + 1, ..left }, Edge { j: j + 1, ..below }];
            let met: Vec<Edge> = around.into_iter().filter(|&edge| crossed(edge)).collect();
            for pair in met.chunks_exact(2) {
                neighbours.entry(pair[0]).or_default().push(pair[1]);
                neighbours.entry(pair[1]).or_default().push(pair[0]);
            }
        }
    }
    let refined = |Edge { i, j, up }: Edge| -> (f64, f64) {
        let (from, to) = ((place(i), place(j)), if up { (place(i), place(j + 1)) } else { (place(i + 1), place(j)) });
        let at = |s: f64| (from.0 + s * (to.0 - from.0), from.1 + s * (to.1 - from.1));
        let (mut a, mut b) = (0.0, 1.0);
        for _ in 0..40 {
            let middle = 0.5 * (a + b);
            let (x, y) = at(middle);
            *(if differ(values[i][j], f(x, y)) { &mut b } else { &mut a }) = middle;
        }
        at(0.5 * (a + b))
    };
    let mut points = Points::new();
    // Open curves from their ends, then closed ones from anywhere.
    let mut begins: Vec<Edge> = neighbours.keys().copied().collect();
    begins.sort_by_key(|edge| (neighbours[edge].len(), *edge));
    for begin in begins {
        let mut at = begin;
        let mut drawn = false;
        while let Some(next) = neighbours.get_mut(&at).and_then(Vec::pop) {
            if !drawn {
                points.push(refined(begin));
                drawn = true;
            }
            if let Some(back) = neighbours.get_mut(&next)
                && let Some(found) = back.iter().position(|edge| *edge == at)
            {
                back.swap_remove(found);
            }
            points.push(refined(next));
            at = next;
        }
        if drawn {
            points.push((f64::NAN, f64::NAN));
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_circle_is_one_closed_curve() {
        let points = zeros(|x, y| x * x + y * y - 1.0, -1.31, 1.27, 60);
        assert_eq!(points.iter().filter(|point| point.0.is_nan()).count(), 1);
        let on = &points[..points.len() - 1];
        assert!(on.iter().all(|(x, y)| (x * x + y * y - 1.0).abs() < 1e-11));
        assert_eq!(on.first(), on.last());
        assert!(on.windows(2).all(|pair| (pair[0].0 - pair[1].0).hypot(pair[0].1 - pair[1].1) < 0.07));
    }
}
