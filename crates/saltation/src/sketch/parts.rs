//! The lines by which parts are drawn: a zigzag for a spring, a piston for a damper, hatching for a wall, a circle for a disc.
//!
//! Lengths that say how a part looks, not where it is, are given in points of the page: `unit` is one of them in the units of the sketch.

use saltation_numerics::elementary;
use std::f64::consts::TAU;

pub(super) type Point = (f64, f64);
/// Ends a line.
pub(super) const BREAK: Point = (f64::NAN, f64::NAN);

/// Half the width of springs and dampers, and the length of hatching and heads of arrows, in points.
const HALF_WIDTH: f64 = 5.0;
const HATCH: f64 = 6.0;
const HEAD: f64 = 6.5;
/// The largest number of marks along a wall.
const MOST_MARKS: f64 = 1000.0;
/// The number of coils of a spring, and its straight ends as parts of its length.
const COILS: u32 = 7;
const STRAIGHT: f64 = 0.12;
/// Corners of a circle.
const CORNERS: u32 = 72;

/// A straight way: where it begins, its direction, and its length.
#[derive(Clone, Copy)]
struct Way {
    from: Point,
    along: Point,
    length: f64,
}

impl Way {
    /// `None` if it has no direction.
    fn new(from: Point, to: Point) -> Option<Way> {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = elementary::hypot(dx, dy);
        (length > 0.0).then(|| Way { from, along: (dx / length, dy / length), length })
    }

    /// The point after some distance, and so far to the right of the way.
    fn at(self, distance: f64, right: f64) -> Point {
        let (ex, ey) = self.along;
        (self.from.0 + distance * ex + right * ey, self.from.1 + distance * ey - right * ex)
    }
}

/// The zigzag of a spring.
pub(super) fn spring(from: Point, to: Point, unit: f64) -> Vec<Point> {
    let Some(way) = Way::new(from, to) else { return Vec::new() };
    let (begin, end) = (STRAIGHT * way.length, (1.0 - STRAIGHT) * way.length);
    let mut line = vec![from, way.at(begin, 0.0)];
    for k in 0..2 * COILS {
        let side = if k % 2 == 0 { HALF_WIDTH } else { -HALF_WIDTH };
        let share = (f64::from(k) + 0.5) / f64::from(2 * COILS);
        line.push(way.at(begin + (end - begin) * share, side * unit));
    }
    line.extend([way.at(end, 0.0), to, BREAK]);
    line
}

/// The cylinder of a damper, and the piston in it.
pub(super) fn damper(from: Point, to: Point, unit: f64) -> Vec<Point> {
    let Some(way) = Way::new(from, to) else { return Vec::new() };
    let (width, inner) = (HALF_WIDTH * unit, 0.7 * HALF_WIDTH * unit);
    let [back, piston, front] = [0.4, 0.5, 0.65].map(|share| share * way.length);
    let cylinder = [way.at(front, width), way.at(back, width), way.at(back, -width), way.at(front, -width)];
    let mut line = vec![from, way.at(back, 0.0), BREAK];
    line.extend(cylinder);
    line.extend([BREAK, way.at(piston, inner), way.at(piston, -inner), BREAK, way.at(piston, 0.0), to, BREAK]);
    line
}

/// Marks on the right-hand side of a wall.
pub(super) fn hatching(from: Point, to: Point, unit: f64) -> Vec<Point> {
    let Some(way) = Way::new(from, to) else { return Vec::new() };
    let (length, marks) = (HATCH * unit, (way.length / (HATCH * unit)).floor().clamp(1.0, MOST_MARKS));
    let mark = |k: u32| {
        let at = way.length * ((f64::from(k) + 1.0) / marks);
        [way.at(at, 0.0), way.at(at - length, length), BREAK]
    };
    (0..marks as u32).flat_map(mark).collect()
}

/// An arrow; its head is smaller where it is short.
pub(super) fn arrow(from: Point, to: Point, unit: f64) -> Vec<Point> {
    let Some(way) = Way::new(from, to) else { return Vec::new() };
    let head = (HEAD * unit).min(0.6 * way.length);
    let begin = way.length - head;
    vec![from, to, BREAK, way.at(begin, head / 2.0), to, way.at(begin, -head / 2.0), BREAK]
}

/// A circle, closed.
pub(super) fn circle(centre: Point, radius: f64) -> Vec<Point> {
    (0..=CORNERS).map(|k| rim(centre, radius, TAU * f64::from(k % CORNERS) / f64::from(CORNERS))).collect()
}

/// The point of a circle at an angle.
pub(super) fn rim(centre: Point, radius: f64, angle: f64) -> Point {
    let (sine, cosine) = elementary::sin_cos(angle);
    (centre.0 + radius * cosine, centre.1 + radius * sine)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_material_of_a_wall_is_on_the_right_hand_side() {
        let below = hatching((-3.0, 1.0), (5.0, 1.0), 0.1);
        let above = hatching((5.0, 1.0), (-3.0, 1.0), 0.1);
        let right = hatching((2.0, 0.0), (2.0, 1.0), 0.01);
        let ends = |marks: &[Point]| marks.chunks(3).map(|mark| mark[1]).collect::<Vec<_>>();
        assert!(ends(&below).iter().all(|p| p.1 < 1.0) && ends(&above).iter().all(|p| p.1 > 1.0));
        assert!(ends(&right).iter().all(|p| p.0 > 2.0) && ends(&right).len() == 16);
    }

    #[test]
    fn a_spring_and_a_damper_join_their_ends() {
        for line in [spring((0.0, 1.0), (3.0, 5.0), 0.01), damper((0.0, 1.0), (3.0, 5.0), 0.01)] {
            assert_eq!(line[0], (0.0, 1.0));
            assert_eq!(line[line.len() - 2], (3.0, 5.0));
        }
        for line in [spring, damper, hatching, arrow].map(|part| part((1.0, 1.0), (1.0, 1.0), 0.1)) {
            assert!(line.is_empty());
        }
    }
}
