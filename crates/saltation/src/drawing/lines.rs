//! Adaptive sampling of curves: steps are divided until straight lines are accurate at the resolution of the page.

use crate::drawing::gauge::Gauge;
use crate::drawing::quantity::Quantity;
use saltation_motion::{Piece, Trajectory};
use saltation_numerics::elementary;

/// The largest distance of a straight line from the curve, in points of the page.
const FLATNESS: f64 = 0.08;
/// The largest number of halvings of a step.
const DEEPEST: u32 = 9;

/// The curve of a step: two coordinates at a time since its start.
type Curve<'c> = dyn FnMut(f64) -> (f64, f64) + 'c;

/// The interval of the values of each quantity along a motion, from a few points of every step.
pub(crate) fn extents<'p>(
    pieces: impl Iterator<Item = Piece<'p>>,
    gauge: &mut Gauge,
    wanted: &[Quantity],
) -> Vec<(f64, f64)> {
    let mut extents = vec![(f64::INFINITY, f64::NEG_INFINITY); wanted.len()];
    let mut values = vec![0.0; wanted.len()];
    for piece in pieces {
        for k in 0..=8 {
            gauge.on_piece(&piece, piece.length * f64::from(k) / 8.0, wanted, &mut values);
            for (extent, &value) in extents.iter_mut().zip(&values) {
                *extent = (extent.0.min(value), extent.1.max(value));
            }
        }
    }
    extents
}

/// Points of the page per unit of a quantity, for a given length on the page.
pub(crate) fn scale(extent: (f64, f64), points: f64) -> f64 {
    let width = extent.1 - extent.0;
    if width > 0.0 && width.is_finite() { points / width } else { 0.0 }
}

/// A quantity over time, as points of a smooth line; breaks where it jumps.
#[derive(Debug, Default)]
pub(crate) struct Drawn {
    /// The points of the line, with a break at every jump.
    pub line: Vec<(f64, f64)>,
    /// Both ends of every jump, each pair followed by a break.
    pub jumps: Vec<(f64, f64)>,
}

const BREAK: (f64, f64) = (f64::NAN, f64::NAN);

impl Drawn {
    /// Adds a point where a step begins: joined to the line, unless it jumped visibly.
    fn begin(&mut self, point: (f64, f64), scales: (f64, f64)) {
        if let Some(&last) = self.line.last() {
            if last == point {
                return;
            }
            if distance(last, point, scales) > FLATNESS {
                self.line.push(BREAK);
                self.jumps.extend([last, point, BREAK]);
            }
        }
        self.line.push(point);
    }

    /// Adds a step: the curve from its start to its length, with `scales` points of the page per unit.
    fn extend(&mut self, curve: &mut Curve, length: f64, scales: (f64, f64)) {
        let first = curve(0.0);
        self.begin(first, scales);
        let last = curve(length);
        self.divide(curve, (0.0, first), (length, last), scales, 0);
    }

    /// The same for angles: the line breaks where an angle wraps around, which is not a jump.
    fn wrapped(self, periods: (Option<f64>, Option<f64>)) -> Drawn {
        let turns = |value: f64, period: Option<f64>| period.map_or(0.0, |period| (value / period).floor());
        let cell = |p: (f64, f64)| (turns(p.0, periods.0), turns(p.1, periods.1));
        let (width, height) = (periods.0.unwrap_or(0.0), periods.1.unwrap_or(0.0));
        let shift = |p: (f64, f64), cell: (f64, f64)| (p.0 - cell.0 * width, p.1 - cell.1 * height);
        let mut line: Vec<(f64, f64)> = Vec::with_capacity(self.line.len());
        for (i, &p) in self.line.iter().enumerate() {
            let here = cell(p);
            if let Some(&last) = i.checked_sub(1).map(|before| &self.line[before])
                && p.0.is_finite()
                && last.0.is_finite()
                && cell(last) != here
            {
                // The line ends at the border of its cell and continues at the opposite side.
                let there = cell(last);
                let border = |from: f64, to: f64, a: f64, b: f64, period: f64| match a == b {
                    true => 1.0,
                    false => ((a.max(b) * period - from) / (to - from)).clamp(0.0, 1.0),
                };
                let share =
                    border(last.0, p.0, there.0, here.0, width).min(border(last.1, p.1, there.1, here.1, height));
                let edge = (last.0 + share * (p.0 - last.0), last.1 + share * (p.1 - last.1));
                line.extend([shift(edge, there), BREAK, shift(edge, here)]);
            }
            line.push(shift(p, here));
        }
        let wrap = |p: (f64, f64)| shift(p, cell(p));
        let same = |a: f64, b: f64, period: Option<f64>| period.is_none_or(|p| (a - b).abs() < 0.5 * p);
        let pairs = self.jumps.chunks_exact(3).map(|pair| (wrap(pair[0]), wrap(pair[1])));
        let real = pairs.filter(|(a, b)| same(a.0, b.0, periods.0) && same(a.1, b.1, periods.1));
        Drawn { line, jumps: real.flat_map(|(a, b)| [a, b, BREAK]).collect() }
    }

    /// Points after `from` up to `to`: only `to`, if all between is straight.
    fn divide(
        &mut self,
        curve: &mut Curve,
        from: (f64, (f64, f64)),
        to: (f64, (f64, f64)),
        scales: (f64, f64),
        depth: u32,
    ) {
        let at = |share: f64| from.0 + share * (to.0 - from.0);
        let inner = [0.25, 0.5, 0.75].map(|share| curve(at(share)));
        let straight = inner.iter().all(|&point| off_chord(point, from.1, to.1, scales) <= FLATNESS);
        if depth >= DEEPEST || straight {
            self.line.push(to.1);
            return;
        }
        let middle = (at(0.5), inner[1]);
        self.divide(curve, from, middle, scales, depth + 1);
        self.divide(curve, middle, to, scales, depth + 1);
    }
}

/// One quantity over time.
pub(crate) fn over_time<'p>(
    pieces: impl Iterator<Item = Piece<'p>>,
    gauge: &mut Gauge,
    quantity: Quantity,
    scales: (f64, f64),
) -> Drawn {
    let mut drawn = Drawn::default();
    for piece in pieces {
        let mut curve = |since: f64| {
            let mut value = [0.0];
            gauge.on_piece(&piece, since, &[quantity], &mut value);
            (piece.start + since, value[0])
        };
        drawn.extend(&mut curve, piece.length, scales);
    }
    drawn
}

/// One quantity over another. Angles have a period.
pub(crate) fn over_each_other(
    trajectory: &Trajectory,
    gauge: &mut Gauge,
    plane: (Quantity, Quantity),
    scales: (f64, f64),
    periods: (Option<f64>, Option<f64>),
) -> Drawn {
    let mut drawn = Drawn::default();
    for piece in trajectory.pieces() {
        let mut curve = |since: f64| point(gauge, &piece, since, plane);
        drawn.extend(&mut curve, piece.length, scales);
    }
    if periods == (None, None) { drawn } else { drawn.wrapped(periods) }
}

/// The parts of a path on which it slides along switches, each a line.
pub(crate) fn sliding(
    trajectory: &Trajectory,
    gauge: &mut Gauge,
    plane: (Quantity, Quantity),
    scales: (f64, f64),
    periods: (Option<f64>, Option<f64>),
) -> Vec<Drawn> {
    let mut parts: Vec<Drawn> = Vec::new();
    let mut slid = false;
    for piece in trajectory.pieces() {
        let slides = piece.closed.sides().slides();
        if slides {
            if !slid {
                parts.push(Drawn::default());
            }
            let mut curve = |since: f64| point(gauge, &piece, since, plane);
            if let Some(part) = parts.last_mut() {
                part.extend(&mut curve, piece.length, scales);
            }
        }
        slid = slides;
    }
    let wrapped = |part: Drawn| if periods == (None, None) { part } else { part.wrapped(periods) };
    parts.into_iter().map(wrapped).collect()
}

fn point(gauge: &mut Gauge, piece: &Piece, since: f64, plane: (Quantity, Quantity)) -> (f64, f64) {
    let mut values = [0.0; 2];
    gauge.on_piece(piece, since, &[plane.0, plane.1], &mut values);
    (values[0], values[1])
}

fn distance(a: (f64, f64), b: (f64, f64), scales: (f64, f64)) -> f64 {
    elementary::hypot((a.0 - b.0) * scales.0, (a.1 - b.1) * scales.1)
}

/// The distance of a point from the line through two others, or from these if they coincide.
fn off_chord(p: (f64, f64), a: (f64, f64), b: (f64, f64), scales: (f64, f64)) -> f64 {
    let on_page = |q: (f64, f64)| ((q.0 - a.0) * scales.0, (q.1 - a.1) * scales.1);
    let (p, b) = (on_page(p), on_page(b));
    let square = b.0 * b.0 + b.1 * b.1;
    let share = if square > 0.0 { ((p.0 * b.0 + p.1 * b.1) / square).clamp(0.0, 1.0) } else { 0.0 };
    elementary::hypot(p.0 - share * b.0, p.1 - share * b.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_follow_curves_as_closely_as_the_eye() {
        let scales = (100.0, 60.0);
        let mut drawn = Drawn::default();
        drawn.extend(&mut |t: f64| (t, (9.0 * t).sin()), 7.0, scales);
        let between = drawn.line.windows(2).map(|ends| {
            let t = 0.5 * (ends[0].0 + ends[1].0);
            off_chord((t, (9.0 * t).sin()), ends[0], ends[1], scales)
        });
        assert!(between.fold(0.0, f64::max) < 2.0 * FLATNESS);
        assert!(drawn.line.len() < 1500, "{}", drawn.line.len());
    }

    #[test]
    fn straight_motion_takes_two_points_and_jumps_leave_a_break() {
        let mut drawn = Drawn::default();
        drawn.extend(&mut |t: f64| (t, 2.0 * t), 1.0, (100.0, 100.0));
        drawn.extend(&mut |t: f64| (1.0 + t, -1.0), 1.0, (100.0, 100.0));
        assert_eq!(drawn.line.len(), 5);
        assert!(drawn.line[2].0.is_nan());
        assert_eq!(drawn.jumps[..2], [(1.0, 2.0), (1.0, -1.0)]);
    }

    #[test]
    fn lines_break_where_they_go_round_a_circle() {
        let drawn = Drawn {
            line: vec![(5.5, 0.0), (6.5, 0.2), BREAK, (0.5, 0.2), (1.0, 0.3)],
            jumps: vec![(6.5, 0.2), (0.5, 0.2), BREAK, (5.9, 0.2), (0.1, 0.2), BREAK],
        };
        let Drawn { line, jumps } = drawn.wrapped((Some(6.0), None));
        let finite: Vec<_> = line.iter().filter(|p| p.0.is_finite()).copied().collect();
        assert_eq!(finite, [(5.5, 0.0), (6.0, 0.1), (0.0, 0.1), (0.5, 0.2), (0.5, 0.2), (1.0, 0.3)]);
        assert!(line[2].0.is_nan());
        assert_eq!(jumps[..2], [(0.5, 0.2), (0.5, 0.2)]);
        assert_eq!(jumps.len(), 3);
    }
}
