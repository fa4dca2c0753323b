//! Cuts a curve where a property of its points changes: the change is found by bisection between two points.

/// Bisections between two points: they halve the distance to the resolution of a number.
const HALVINGS: usize = 48;
/// A point may lie on a border up to rounding: a step is judged this share of it beside its ends.
const ASIDE: f64 = 1e-6;

/// The pieces of a curve on which a property is the same, with that property, in their order. A curve of one point has no pieces.
pub(super) fn pieces<K: PartialEq + Copy>(
    points: &[(f64, f64)],
    mut property: impl FnMut((f64, f64)) -> K,
) -> Vec<(K, Vec<(f64, f64)>)> {
    let mut found: Vec<(K, Vec<(f64, f64)>)> = Vec::new();
    let Some(&first) = points.first() else { return found };
    let mut now = property(along(first, points.get(1).copied().unwrap_or(first), ASIDE));
    let mut piece = vec![first];
    for pair in points.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let next = property(along(from, to, 1.0 - ASIDE));
        if next != now {
            let (mut low, mut high) = (0.0, 1.0);
            for _ in 0..HALVINGS {
                let half = 0.5 * (low + high);
                if property(along(from, to, half)) == now { low = half } else { high = half }
            }
            let border = along(from, to, high);
            piece.push(border);
            found.push((now, std::mem::replace(&mut piece, vec![border])));
            now = next;
        }
        piece.push(to);
    }
    if piece.len() > 1 {
        found.push((now, piece));
    }
    found
}

fn along(from: (f64, f64), to: (f64, f64), share: f64) -> (f64, f64) {
    (from.0 + share * (to.0 - from.0), from.1 + share * (to.1 - from.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_is_cut_where_the_property_changes() {
        let points: Vec<(f64, f64)> = (0..11).map(|k| (f64::from(k), 0.0)).collect();
        let found = pieces(&points, |(x, _)| x > 2.3 && x < 6.7);
        assert_eq!(found.iter().map(|(kind, _)| *kind).collect::<Vec<_>>(), [false, true, false]);
        let ends = (found[1].1[0].0, found[1].1.last().unwrap().0);
        assert!((ends.0 - 2.3).abs() < 1e-12 && (ends.1 - 6.7).abs() < 1e-12, "{ends:?}");
        assert!(pieces(&points[..1], |_| true).is_empty() && pieces(&[], |_| true).is_empty());
    }
}
