//! The range of an axis and the map from values to positions, linear or logarithmic.

use crate::{Axis, Range, Scale};

/// The shown interval of one axis. Both ends are finite, differ, and are positive on a logarithmic scale; `from`
/// is the larger one if the axis runs backwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Window {
    pub scale: Scale,
    pub from: f64,
    pub to: f64,
}

/// Share of the data's extent that is added on both sides of a padded axis.
const PADDING: f64 = 0.04;

/// Below this, differences lose digits to gradual underflow and count as zero.
const SMALLEST_SPAN: f64 = 1e-304;

impl Window {
    /// The interval which `axis` shows of `data`.
    pub(crate) fn new(axis: &Axis, data: impl IntoIterator<Item = f64>) -> Window {
        let scale = axis.scale;
        let usable = |value: f64| value.is_finite() && (scale == Scale::Linear || value > 0.0);
        let extent = data.into_iter().filter(|&value| usable(value)).fold(None, |extent, v| match extent {
            None => Some((v, v)),
            Some((low, high)) => Some((v.min(low), v.max(high))),
        });
        let empty = extent.is_none();
        let (low, high) = extent.unwrap_or(match scale {
            Scale::Linear => (0.0, 1.0),
            Scale::Log => (1.0, 10.0),
        });
        let (from, to) = match axis.range {
            Range::Between(from, to) => (if usable(from) { from } else { low }, if usable(to) { to } else { high }),
            Range::Padded if !empty && !degenerate(low, high) => pad(scale, low, high),
            Range::Padded | Range::Tight => (low, high),
        };
        let (from, to) = match degenerate(from, to) {
            true => open(scale, from, to),
            false => (from, to),
        };
        Window { scale, from, to }
    }

    /// Widens one of two windows around its middle, so that a unit is as long on a horizontal axis `ratio` times the vertical one.
    pub(crate) fn equalize(x: &mut Window, y: &mut Window, ratio: f64) {
        if (x.scale, y.scale) != (Scale::Linear, Scale::Linear) {
            return;
        }
        // Halves, because the difference of two large numbers of opposite sign overflows.
        let half = |window: &Window| (window.to / 2.0 - window.from / 2.0).abs();
        let (wide, high) = (half(x), half(y));
        let (widened, factor) = if wide < ratio * high { (x, ratio * high / wide) } else { (y, wide / ratio / high) };
        let middle = widened.from / 2.0 + widened.to / 2.0;
        let end = |end: f64| (middle + (end - middle) * factor).clamp(f64::MIN, f64::MAX);
        if factor.is_finite() && factor > 1.0 {
            (widened.from, widened.to) = (end(widened.from), end(widened.to));
        }
    }

    /// The smaller and the larger end.
    pub(crate) fn ends(&self) -> (f64, f64) {
        (self.from.min(self.to), self.from.max(self.to))
    }

    /// The position of a value between `from` (0) and `to` (1); `None` if it has no place on the axis.
    pub(crate) fn fraction(&self, value: f64) -> Option<f64> {
        // Halves, because the difference of two large numbers of opposite sign overflows.
        let spaced = |value: f64| match self.scale {
            Scale::Linear => value / 2.0,
            Scale::Log => value.log10(),
        };
        let start = spaced(self.from);
        let fraction = (spaced(value) - start) / (spaced(self.to) - start);
        fraction.is_finite().then_some(fraction)
    }
}

/// Whether two ends are too close for distinct marks between them.
fn degenerate(from: f64, to: f64) -> bool {
    let half_span = (to / 2.0 - from / 2.0).abs();
    half_span < SMALLEST_SPAN || half_span < 1e-12 * from.abs().max(to.abs())
}

fn pad(scale: Scale, low: f64, high: f64) -> (f64, f64) {
    match scale {
        Scale::Linear => {
            let margin = 2.0 * PADDING * (high / 2.0 - low / 2.0);
            ((low - margin).max(f64::MIN), (high + margin).min(f64::MAX))
        }
        Scale::Log => {
            let factor = 10f64.powf(PADDING * (high.log10() - low.log10()));
            ((low / factor).max(f64::MIN_POSITIVE), (high * factor).min(f64::MAX))
        }
    }
}

/// An interval around a single value: a tenth of it (ten times on a logarithmic scale) to both sides, one around
/// zero.
fn open(scale: Scale, from: f64, to: f64) -> (f64, f64) {
    let centre = from / 2.0 + to / 2.0;
    let (low, high) = match scale {
        Scale::Log => ((centre / 10.0).max(f64::MIN_POSITIVE), (centre * 10.0).min(f64::MAX)),
        Scale::Linear if centre.abs() < 20.0 * SMALLEST_SPAN => (-1.0, 1.0),
        Scale::Linear => {
            let margin = 0.1 * centre.abs();
            ((centre - margin).max(f64::MIN), (centre + margin).min(f64::MAX))
        }
    };
    if from > to { (high, low) } else { (low, high) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(axis: Axis, data: &[f64]) -> Window {
        Window::new(&axis, data.iter().copied())
    }

    #[test]
    fn padded_tight_and_given_ranges() {
        assert_eq!(of(Axis::new("x").tight(), &[2.0, f64::NAN, -1.0]).ends(), (-1.0, 2.0));
        let padded = of(Axis::new("x"), &[0.0, 100.0]);
        assert!((padded.from + 4.0).abs() < 1e-12 && (padded.to - 104.0).abs() < 1e-12);
        let given = of(Axis::new("x").between(3.0, 1.0), &[7.0]);
        assert_eq!((given.from, given.to, given.fraction(2.5)), (3.0, 1.0, Some(0.25)));
        assert_eq!(of(Axis::new("x").between(f64::NAN, 9.0), &[4.0]).ends(), (4.0, 9.0));
    }

    #[test]
    fn logarithmic_axes_ignore_what_is_not_positive() {
        let window = of(Axis::new("x").log().tight(), &[-3.0, 0.0, 1e-2, 1e4]);
        assert_eq!(window.ends(), (1e-2, 1e4));
        assert!((window.fraction(10.0).unwrap() - 0.5).abs() < 1e-12);
        assert_eq!(window.fraction(0.0), None);
        assert_eq!(window.fraction(-1.0), None);
    }

    #[test]
    fn equal_units_widen_the_shorter_side() {
        let (mut x, mut y) = (of(Axis::new("x").tight(), &[0.0, 2.0]), of(Axis::new("y").tight(), &[3.0, 1.0]));
        Window::equalize(&mut x, &mut y, 2.0);
        assert_eq!((x.from, x.to, y.from, y.to), (-1.0, 3.0, 1.0, 3.0));
        let mut back = of(Axis::new("x").between(4.0, 0.0), &[]);
        let mut y = of(Axis::new("y").between(0.0, 1.0), &[]);
        Window::equalize(&mut back, &mut y, 1.0);
        assert_eq!((back.from, back.to, y.from, y.to), (4.0, 0.0, -1.5, 2.5));
    }

    proptest! {
        #[test]
        fn any_data_gives_a_usable_window(
            data in prop::collection::vec(any::<f64>(), 0..6),
            given in prop::option::of((any::<f64>(), any::<f64>())),
            log in any::<bool>(),
        ) {
            let mut axis = Axis::new("x");
            if log { axis = axis.log(); }
            if let Some((from, to)) = given { axis = axis.between(from, to); }
            let window = of(axis, &data);
            let (low, high) = window.ends();
            prop_assert!(low.is_finite() && high.is_finite() && low < high, "{window:?}");
            prop_assert!(!log || low > 0.0, "{window:?}");
            prop_assert_eq!(window.fraction(window.from), Some(0.0));
            prop_assert_eq!(window.fraction(window.to), Some(1.0));
        }
    }
}
