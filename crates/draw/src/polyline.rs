//! Simplifies long lines: keeps the points that are distinguishable at the resolution of the page.
//!
//! A line of a million points is indistinguishable from one of a few thousand. Parts outside the window are cut off, then
//! a line that runs from left to right keeps the extremes of every half point of width, and any line keeps only the
//! corners that a straight line would miss by a visible distance.

use crate::scene::Area;

type Point = (f64, f64);

/// Columns per point of width: two, so that images of twice the size show the same.
const COLUMNS_PER_POINT: f64 = 2.0;

/// Largest distance in points by which the drawn line may miss a point.
const TOLERANCE: f64 = 0.1;

/// The visible pieces of a line, with as few points as show it faithfully. `None` interrupts the line.
pub(crate) fn visible(points: impl Iterator<Item = Option<Point>>, area: Area) -> Vec<Vec<Point>> {
    let pieces = clip(points, area);
    pieces.iter().map(|piece| straighten(&columns(piece))).collect()
}

/// The parts of a line inside the area.
fn clip(points: impl Iterator<Item = Option<Point>>, area: Area) -> Vec<Vec<Point>> {
    let mut pieces: Vec<Vec<Point>> = Vec::new();
    let mut previous: Option<Point> = None;
    let mut open = false;
    for point in points {
        match (previous, point) {
            (None, Some(point)) if area.contains(point) => {
                pieces.push(vec![point]);
                open = true;
            }
            (Some(from), Some(to)) => match inside(from, to, area) {
                Some((entry, exit)) => {
                    match pieces.last_mut() {
                        Some(piece) if open => piece.push(exit),
                        _ => pieces.push(vec![entry, exit]),
                    }
                    open = exit == to;
                }
                None => open = false,
            },
            _ => open = false,
        }
        previous = point;
    }
    pieces
}

/// The part of a segment inside the area (Liang & Barsky, ACM Transactions on Graphics 3, 1984): the segment is
/// `from + s (to - from)`, and every side of the area bounds s from below or above.
fn inside(from: Point, to: Point, area: Area) -> Option<(Point, Point)> {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let (mut start, mut end) = (0.0_f64, 1.0_f64);
    let sides = [
        (-dx, from.0 - area.left),
        (dx, area.right() - from.0),
        (-dy, from.1 - area.top),
        (dy, area.bottom() - from.1),
    ];
    for (slope, room) in sides {
        if slope == 0.0 && room < 0.0 {
            return None;
        } else if slope < 0.0 {
            start = start.max(room / slope);
        } else if slope > 0.0 {
            end = end.min(room / slope);
        }
    }
    let at = |s: f64| (from.0 + s * dx, from.1 + s * dy);
    let entry = if start == 0.0 { from } else { at(start) };
    let exit = if end == 1.0 { to } else { at(end) };
    let finite = [entry.0, entry.1, exit.0, exit.1].iter().all(|value| value.is_finite());
    (start <= end && finite).then_some((entry, exit))
}

/// First, lowest, highest and last point of every column, in their order, if the line never runs to the left;
/// otherwise the line itself.
fn columns(piece: &[Point]) -> Vec<Point> {
    if piece.windows(2).any(|pair| pair[1].0 < pair[0].0) {
        return piece.to_vec();
    }
    let column = |point: &Point| (point.0 * COLUMNS_PER_POINT).floor();
    let mut kept = Vec::new();
    for group in piece.chunk_by(|a, b| column(a) == column(b)) {
        let by_height = |&a: &usize, &b: &usize| group[a].1.total_cmp(&group[b].1);
        let last = group.len() - 1;
        let lowest = (0..=last).min_by(by_height).unwrap_or(0);
        let highest = (0..=last).max_by(by_height).unwrap_or(0);
        let mut indices = [0, lowest, highest, last];
        indices.sort_unstable();
        for (position, &index) in indices.iter().enumerate() {
            if position == 0 || index != indices[position - 1] {
                kept.push(group[index]);
            }
        }
    }
    kept
}

/// The line without the points that lie on the straight line between their neighbours, within the tolerance.
///
/// From the last kept point, each further point at distance d allows the directions within asin(tolerance / d) of
/// its own; as long as these have one in common and the line moves away, one straight line serves them all.
fn straighten(piece: &[Point]) -> Vec<Point> {
    let Some((&first, rest)) = piece.split_first() else {
        return Vec::new();
    };
    let mut kept = vec![first];
    let mut anchor = first;
    let mut previous = first;
    let mut reach = 0.0;
    let mut axis = 0.0;
    let mut cone: Option<(f64, f64)> = None;
    for &point in rest {
        let (dx, dy) = (point.0 - anchor.0, point.1 - anchor.1);
        let distance = dx.hypot(dy);
        let turn = |direction: f64, axis: f64| wrap_angle(direction - axis);
        let fits = match cone {
            None => true,
            Some((low, high)) => {
                let direction = turn(dy.atan2(dx), axis);
                distance + TOLERANCE >= reach && direction >= low && direction <= high
            }
        };
        if !fits {
            kept.push(previous);
            anchor = previous;
            (reach, cone) = (0.0, None);
        }
        let (dx, dy) = (point.0 - anchor.0, point.1 - anchor.1);
        let distance = dx.hypot(dy);
        if distance > TOLERANCE {
            let direction = dy.atan2(dx);
            let opening = (TOLERANCE / distance).asin();
            cone = match cone {
                None => {
                    axis = direction;
                    Some((-opening, opening))
                }
                Some((low, high)) => {
                    let direction = turn(direction, axis);
                    Some((low.max(direction - opening), high.min(direction + opening)))
                }
            };
        }
        reach = f64::max(reach, distance);
        previous = point;
    }
    if !rest.is_empty() {
        kept.push(previous);
    }
    kept
}

/// The angle in (-pi, pi] that differs from `angle` by whole turns.
fn wrap_angle(angle: f64) -> f64 {
    let turn = std::f64::consts::TAU;
    angle - turn * (angle / turn).round()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const AREA: Area = Area { left: 0.0, top: 0.0, width: 400.0, height: 200.0 };

    fn distance_to_segment(p: Point, a: Point, b: Point) -> f64 {
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let length = dx * dx + dy * dy;
        let s = match length > 0.0 {
            true => (((p.0 - a.0) * dx + (p.1 - a.1) * dy) / length).clamp(0.0, 1.0),
            false => 0.0,
        };
        (p.0 - a.0 - s * dx).hypot(p.1 - a.1 - s * dy)
    }

    #[test]
    fn a_million_points_become_few_and_keep_every_spike() {
        let count = 1_000_000;
        let point = |i: usize| {
            let spike = if i % 99_991 == 500 { 60.0 } else { 0.0 };
            let noise = ((i * 7919) % 104_729) as f64 / 104_729.0;
            (400.0 * i as f64 / count as f64, 100.0 + noise + spike)
        };
        let pieces = visible((0..count).map(|i| Some(point(i))), AREA);
        assert_eq!(pieces.len(), 1);
        assert!(pieces[0].len() <= 4 * 801, "{}", pieces[0].len());
        for i in (500..count).step_by(99_991) {
            assert!(pieces[0].contains(&point(i)), "spike {i} is lost");
        }
        let extreme = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::MIN, f64::max);
        assert_eq!(extreme(&mut pieces[0].iter().map(|p| p.1)), extreme(&mut (0..count).map(|i| point(i).1)));
        assert_eq!(pieces[0].last(), Some(&point(count - 1)));
    }

    #[test]
    fn gaps_interrupt_and_single_points_stay() {
        let points = [Some((1.0, 1.0)), Some((9.0, 5.0)), None, Some((20.0, 5.0)), None];
        assert_eq!(visible(points.into_iter(), AREA), [vec![(1.0, 1.0), (9.0, 5.0)], vec![(20.0, 5.0)]]);
    }

    #[test]
    fn lines_are_cut_at_the_window() {
        let through = [Some((-400.0, -200.0)), Some((800.0, 400.0)), Some((800.0, 100.0)), Some((0.0, 100.0))];
        assert_eq!(
            visible(through.into_iter(), AREA),
            [vec![(0.0, 0.0), (400.0, 200.0)], vec![(400.0, 100.0), (0.0, 100.0)]]
        );
        let beyond = [Some((-1.0, 5.0)), Some((-1.0, 1e300)), Some((-1e300, 5.0))];
        assert!(visible(beyond.into_iter(), AREA).is_empty());
    }

    proptest! {
        #[test]
        fn no_point_is_farther_from_the_drawn_line_than_the_tolerance(
            steps in prop::collection::vec((-2.0..2.0f64, -2.0..2.0f64), 1..200),
        ) {
            let mut at = (200.0, 100.0);
            let points: Vec<Point> =
                steps.iter().map(|step| { at = (at.0 + step.0, at.1 + step.1); at }).collect();
            let kept = straighten(&points);
            prop_assert_eq!(kept.first(), points.first());
            prop_assert_eq!(kept.last(), points.last());
            for &p in &points {
                let nearest = kept
                    .windows(2)
                    .map(|pair| distance_to_segment(p, pair[0], pair[1]))
                    .fold((p.0 - kept[0].0).hypot(p.1 - kept[0].1), f64::min);
                prop_assert!(nearest <= 2.5 * TOLERANCE, "{nearest}");
            }
        }

        #[test]
        fn the_clipped_part_of_a_segment_lies_on_it_and_inside(
            from in (-500.0..900.0f64, -500.0..700.0f64), to in (-500.0..900.0f64, -500.0..700.0f64),
        ) {
            let crosses = (0..=2000).any(|i| {
                let s = i as f64 / 2000.0;
                AREA.contains((from.0 + s * (to.0 - from.0), from.1 + s * (to.1 - from.1)))
            });
            match inside(from, to, AREA) {
                Some((entry, exit)) => for p in [entry, exit] {
                    prop_assert!(AREA.widened(1e-9).contains(p));
                    prop_assert!(distance_to_segment(p, from, to) < 1e-9);
                },
                None => prop_assert!(!crosses),
            }
        }
    }
}
