//! An orthographic view of points in space: a frame with named axes, and equal units along all of them on the page.

use saltation_draw::{Color, Layer};
use saltation_numerics::elementary;

/// How far the view is turned about the upward axis, and the angle from which it looks down, in degrees.
const TURN: f64 = 35.0;
pub(super) const ABOVE: f64 = 25.0;
const BREAK: (f64, f64) = (f64::NAN, f64::NAN);

/// Where points of a box appear on the page: every coordinate in units of the size of the box.
#[derive(Debug, Clone, Copy)]
pub(super) struct View {
    low: [f64; 3],
    high: [f64; 3],
}

impl View {
    /// The view of the smallest box that holds all points.
    pub(super) fn of(points: impl Iterator<Item = [f64; 3]>) -> View {
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for point in points {
            for k in 0..3 {
                (low[k], high[k]) = (low[k].min(point[k]), high[k].max(point[k]));
            }
        }
        for k in 0..3 {
            if !(low[k].is_finite() && high[k].is_finite()) {
                (low[k], high[k]) = (0.0, 1.0);
            }
            if low[k] == high[k] {
                (low[k], high[k]) = (low[k] - 0.5, high[k] + 0.5);
            }
        }
        View { low, high }
    }

    /// The place of a point: the first coordinate to the right and towards the eye, the second to the right and away from it, the
    /// third upward.
    pub(super) fn place(&self, point: [f64; 3]) -> (f64, f64) {
        let [a, b, c] = [0, 1, 2].map(|k| (point[k] - self.low[k]) / (self.high[k] - self.low[k]));
        let (turn, tilt) = (TURN.to_radians(), ABOVE.to_radians());
        let depth = b * elementary::cos(turn) - a * elementary::sin(turn);
        (
            a * elementary::cos(turn) + b * elementary::sin(turn),
            c * elementary::cos(tilt) + depth * elementary::sin(tilt),
        )
    }

    /// The box, with the names and ends of its axes.
    pub(super) fn frame(&self, names: &[String; 3]) -> Vec<Layer> {
        let corner = |at: [bool; 3]| self.place([0, 1, 2].map(|k| if at[k] { self.high[k] } else { self.low[k] }));
        let mut edges = Vec::new();
        for k in 0..3 {
            for others in 0..4 {
                let mut from = [false; 3];
                from[(k + 1) % 3] = others & 1 == 1;
                from[(k + 2) % 3] = others & 2 == 2;
                let mut to = from;
                to[k] = true;
                edges.extend([corner(from), corner(to), BREAK]);
            }
        }
        // The axes are the edges in front: along the lower front ones, and the one upward at the left.
        let axes = [
            ([false, false, false], [true, false, false]),
            ([true, false, false], [true, true, false]),
            ([false, false, false], [false, false, true]),
        ];
        let mut lines: Vec<(f64, f64)> = Vec::new();
        let mut notes = Vec::new();
        for (k, (from, to)) in axes.into_iter().enumerate() {
            let (from, to) = (corner(from), corner(to));
            lines.extend([from, to, BREAK]);
            // Words stand outside the box: below to the left, below to the right, and at the left.
            let outward = [(-0.05, -0.1), (0.06, -0.1), (-0.08, -0.02)][k];
            let at = |share: f64, far: f64| {
                let on_axis = (from.0 + share * (to.0 - from.0), from.1 + share * (to.1 - from.1));
                (on_axis.0 + far * outward.0, on_axis.1 + far * outward.1)
            };
            for value in marks(self.low[k], self.high[k]) {
                let share = (value - self.low[k]) / (self.high[k] - self.low[k]);
                lines.extend([at(share, 0.0), at(share, 0.2), BREAK]);
                notes.push((at(share, 1.0), short(value)));
            }
            notes.push((at(0.5, 2.2), names[k].clone()));
        }
        vec![
            Layer::line(edges).color(Color::rgb(205, 205, 205)).width(0.7),
            Layer::line(lines).color(Color::BLACK).width(1.0),
            Layer::notes(notes),
        ]
    }
}

/// Three to six round numbers from `low` to `high`.
fn marks(low: f64, high: f64) -> Vec<f64> {
    let magnitude = elementary::powf(10_f64, elementary::log10(high - low).floor());
    let steps = [0.1, 0.2, 0.25, 0.5, 1.0, 2.0, 2.5, 5.0].map(|part| part * magnitude);
    let of = |step: f64| ((low / step).ceil() as i64..=(high / step).floor() as i64).map(move |i| i as f64 * step);
    let some = steps.into_iter().rev().map(|step| of(step).collect::<Vec<f64>>()).find(|marks| marks.len() >= 3);
    some.unwrap_or_else(|| vec![low, 0.5 * (low + high), high])
}

fn short(value: f64) -> String {
    crate::text::number::short(value, 3).replace('-', "\u{2212}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_view_is_orthographic_and_units_are_those_of_the_box() {
        let view = View::of([[0.0, -2.0, 10.0], [4.0, 2.0, 30.0]].into_iter());
        let (a, b) = (view.place([0.0, 0.0, 20.0]), view.place([4.0, 0.0, 20.0]));
        let (c, d) = (view.place([0.0, 2.0, 30.0]), view.place([4.0, 2.0, 30.0]));
        // Parallel edges remain parallel and equally long.
        assert!(((b.0 - a.0) - (d.0 - c.0)).abs() < 1e-12 && ((b.1 - a.1) - (d.1 - c.1)).abs() < 1e-12);
        assert_eq!(view.place([0.0, -2.0, 10.0]), (0.0, 0.0));
    }

    #[test]
    fn axes_have_round_marks() {
        assert_eq!(marks(-14.6, 1.0), [-10.0, -5.0, 0.0]);
        assert_eq!(marks(0.0, 1.0), [0.0, 0.5, 1.0]);
        for (low, high) in [(-41.9, 41.9), (1e-7, 3e-7), (1e9, 1e9 + 3.0)] {
            let found = marks(low, high);
            assert!((3..=8).contains(&found.len()) && found.iter().all(|m| (low..=high).contains(m)), "{found:?}");
        }
    }

    #[test]
    fn nothing_and_flat_things_have_a_frame_too() {
        let names = ["a", "b", "c"].map(str::to_string);
        for view in [View::of(std::iter::empty()), View::of([[1.0, 2.0, 3.0]].into_iter())] {
            assert_eq!(view.frame(&names).len(), 3);
            let (x, y) = view.place([1.0, 2.0, 3.0]);
            assert!(x.is_finite() && y.is_finite());
        }
    }
}
