//! The part of a polygon inside a rectangle: one side of it after the other cuts off what is beyond (Sutherland & Hodgman, Communications of the
//! ACM 17, 1974).

use crate::scene::Area;

type Point = (f64, f64);

/// No corner is farther away; with one at infinity an edge would have no direction.
const FARTHEST: f64 = 1e300;

/// The corners of the part inside; where a polygon that is not convex falls into pieces, edges of no width along the sides join them.
pub(crate) fn polygon(corners: Vec<Point>, area: Area) -> Vec<Point> {
    let within = |x: f64| x.clamp(-FARTHEST, FARTHEST);
    let corners = corners.into_iter().map(|(x, y)| (within(x), within(y))).collect();
    let swapped = |corners: Vec<Point>| corners.into_iter().map(|(x, y)| (y, x)).collect();
    let across = between(corners, area.left, area.right());
    let upright: Vec<Point> = between(swapped(across), area.top, area.bottom());
    swapped(upright)
}

/// The part whose first coordinates lie between two numbers.
fn between(corners: Vec<Point>, least: f64, most: f64) -> Vec<Point> {
    let above = cut(corners, least, |x| x >= least);
    cut(above, most, |x| x <= most)
}

/// The part whose first coordinates are kept; `bound` is the last of these.
fn cut(corners: Vec<Point>, bound: f64, kept: impl Fn(f64) -> bool) -> Vec<Point> {
    let mut part = Vec::with_capacity(corners.len() + 4);
    let before = corners.iter().cycle().skip(corners.len().saturating_sub(1));
    for (&from, &to) in before.zip(&corners) {
        if kept(from.0) != kept(to.0) {
            // Halves, because the difference of two large numbers of opposite sign overflows.
            let share = (bound / 2.0 - from.0 / 2.0) / (to.0 / 2.0 - from.0 / 2.0);
            part.push((bound, (1.0 - share) * from.1 + share * to.1));
        }
        if kept(to.0) {
            part.push(to);
        }
    }
    part
}

#[cfg(test)]
mod tests {
    use super::*;

    const AREA: Area = Area { left: 0.0, top: 0.0, width: 4.0, height: 2.0 };

    /// Twice the area enclosed, by the sum over edges.
    fn twice_the_area(corners: &[Point]) -> f64 {
        let next = corners.iter().cycle().skip(1);
        corners.iter().zip(next).map(|(a, b)| a.0 * b.1 - b.0 * a.1).sum::<f64>().abs()
    }

    #[test]
    fn what_is_inside_stays_and_what_is_outside_goes() {
        let triangle = vec![(1.0, 0.5), (3.0, 0.5), (2.0, 1.5)];
        assert_eq!(twice_the_area(&polygon(triangle.clone(), AREA)), twice_the_area(&triangle));
        assert!(polygon(vec![(5.0, 0.0), (6.0, 0.0), (5.0, 1.0)], AREA).is_empty());
        assert!(polygon(Vec::new(), AREA).is_empty());
    }

    #[test]
    fn edges_are_cut_where_they_meet_the_sides() {
        // A triangle with one corner far away: its part is that of the wedge between two lines.
        for far in [10.0, 1e3, 1e300] {
            let part = polygon(vec![(0.0, 0.0), (far, far / 4.0), (0.0, far / 2.0)], AREA);
            // The rectangle without what is below y = x/4, a triangle of sides 4 and 1; the other edge is beyond.
            assert!((twice_the_area(&part) - 12.0).abs() < 1e-9, "{far}: {part:?}");
        }
        // With a corner at infinity the edges are level.
        let corners = [
            vec![(0.0, 0.0), (f64::INFINITY, 1.0), (0.0, 2.0)],
            vec![(f64::NEG_INFINITY, 1.0), (4.0, 0.0), (4.0, 2.0)],
        ];
        corners.into_iter().for_each(|corners| assert!((twice_the_area(&polygon(corners, AREA)) - 16.0).abs() < 1e-9));
        // All around: the whole rectangle.
        let around = vec![(-1e308, -1e308), (1e308, -1e308), (1e308, 1e308), (-1e308, 1e308)];
        assert!((twice_the_area(&polygon(around, AREA)) - 16.0).abs() < 1e-9);
    }
}
