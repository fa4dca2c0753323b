//! What bounds are made of: the bounds of a row, the series that are bounded, and the factors of norms.

use saltation_numerics::elementary;
use saltation_numerics::number::Real;

use crate::jet::Jet;
use crate::tape::Row;

/// Series of all rows of a tape: those of one motion, or of several side by side.
pub(crate) trait Series<T> {
    /// The coefficients of a row.
    fn row(&self, row: Row) -> &[T];
    /// The highest order of the states.
    fn order(&self) -> usize;
}

impl Series<f64> for Jet<f64> {
    #[inline(always)]
    fn row(&self, row: Row) -> &[f64] {
        Jet::row(self, row)
    }

    #[inline(always)]
    fn order(&self) -> usize {
        Jet::order(self)
    }
}

/// The bounds of a row on a step, |t| <= h.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Bound<T = f64> {
    /// |x_0|.
    pub value: T,
    /// The sum of |x_k| h^k over the orders 1 to K, which are known.
    pub change: T,
    /// A bound of the remainder of these orders. A part of it whose series does not begin above K counts K + 2 times, so that a
    /// state whose rate leaves out `tail` is wrong by no more than h `tail`/(K + 2) at the end of the step.
    pub tail: T,
    /// The size of the terms before they cancel: on the step, or by norms at its start. Where all of them are zero at the start, as at the middle of
    /// oscillators that move alike, what they become says what their difference is compared with.
    pub terms: T,
}

impl<T: Real> Bound<T> {
    pub(crate) const NONE: Bound<T> = Bound { value: T::ZERO, change: T::ZERO, tail: T::ZERO, terms: T::ZERO };

    /// A bound of the known polynomial.
    #[inline(always)]
    pub(crate) fn size(&self) -> T {
        self.value + self.change
    }

    /// A bound of the change of the value since the start.
    #[inline(always)]
    pub(crate) fn motion(&self) -> T {
        self.change + self.tail
    }
}

/// The factors that bound sums by norms.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Factors {
    /// For jets of this order and this size of their last terms.
    order: usize,
    tolerance: f64,
    /// The ratio of successive terms.
    pub ratio: f64,
    /// sum m_k <= |x| `sum`, sum k m_k <= |x| `speed`.
    pub sum: f64,
    pub speed: f64,
    /// sum_{i+j>K} a_i b_j <= |a| |b| `pairs`.
    pub pairs: f64,
}

impl Factors {
    /// Those for jets of this order and this size of their last terms.
    pub(super) fn serve(&mut self, order: usize, tolerance: f64) {
        if (self.order, self.tolerance) != (order, tolerance) {
            *self = Factors::new(order, tolerance);
        }
    }

    fn new(order: usize, tolerance: f64) -> Factors {
        let ratio = elementary::powf(tolerance, 1.0 / order as f64);
        let rest = 1.0 - ratio * ratio;
        Factors {
            order,
            tolerance,
            ratio,
            sum: ratio / rest.sqrt(),
            speed: ratio * ((1.0 + ratio * ratio) / (rest * rest * rest)).sqrt(),
            pairs: ratio.powi(order.max(1) as i32) / (1.0 - ratio),
        }
    }
}
