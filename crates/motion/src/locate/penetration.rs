//! Whether a step begins inside an obstacle: a negative gap compared with its change on the step and with the rounding of its terms, past ones among them.

use saltation_numerics::elementary;
use saltation_numerics::rounded::Rounded;

use super::polynomials::size_on;
use crate::instant::knowledge::ROUNDING;
use crate::mode::bound::BoundMode;

/// The order up to which the motion at a negative gap is looked at.
const ORDER: usize = 6;
/// Gaps that are negative by more than this part of their change on a step are those of bodies inside each other.
const INSIDE: f64 = 1e-6;

/// How large gaps and states have been: both are as exact as the coordinates were then.
#[derive(Debug, Clone)]
pub(crate) struct Extent {
    /// The largest gap of every contact at the beginning of a step so far.
    pub tallest: Vec<f64>,
    /// The largest absolute value of every number of the state.
    pub widest: Vec<f64>,
}

impl Extent {
    /// Nothing has moved yet, of so many contacts and states.
    pub(crate) fn new(contacts: usize, states: usize) -> Extent {
        Extent { tallest: vec![0.0; contacts], widest: vec![0.0; states] }
    }

    /// A new motion begins.
    pub(crate) fn restart(&mut self) {
        self.tallest.fill(0.0);
        self.widest.fill(0.0);
    }

    /// A step begins at a state.
    #[inline]
    pub(crate) fn include_state(&mut self, state: &[f64]) {
        for (widest, x) in self.widest.iter_mut().zip(state).filter(|(widest, x)| x.abs() > **widest) {
            *widest = x.abs();
        }
    }

    /// A step begins with this gap of a contact.
    #[inline]
    pub(crate) fn include_gap(&mut self, contact: usize, gap: f64) {
        self.tallest[contact] = self.tallest[contact].max(gap);
    }

    /// A step of some length ends on a surface: what is left of the state there is rounding of its terms on the step.
    pub(crate) fn include_step(&mut self, mode: &BoundMode, length: f64) {
        for (i, widest) in self.widest.iter_mut().enumerate() {
            *widest = widest.max(size_on(mode.state(i), length));
        }
    }

    /// Whether a contact is penetrated at the start of a step of some length, whose gap is an output of the mode, with the gap; `past` is how long
    /// the body has moved since it left the contact. A body that was just left by a force that is rounding has a gap that is rounding, of terms
    /// far larger than any gap so far: those of its motion in the time in which that changes among them.
    pub(crate) fn penetrates(
        &mut self,
        mode: &mut BoundMode,
        (contact, output): (usize, usize),
        (parameters, state): (&[f64], &[f64]),
        (length, past): (f64, f64),
    ) -> Option<f64> {
        let row = mode.output(output);
        let gap = row[0];
        self.include_gap(contact, gap);
        if gap >= -ROUNDING * self.tallest[contact] || gap >= -INSIDE * size_on(row, length) {
            return None;
        }
        // The rounding of the largest coordinates stays with them, and that of what they moved by, before its terms cancelled.
        let sizes = state.iter().zip(&self.widest);
        let data: Vec<Rounded> = sizes.map(|(&value, &size)| Rounded { value, size }).collect();
        let series = mode.expand_sized(parameters, &data, ORDER);
        let moved: Vec<Rounded> = (data.iter().enumerate())
            .map(|(i, x)| Rounded { value: x.value, size: size_while_leading(series.state(i), past) })
            .collect();
        let series = mode.expand_sized(parameters, &moved, 0);
        series.output(output)[0].exceeds(ROUNDING).then_some(gap)
    }
}

/// The size of a series in the time in which its value, its speed or its acceleration outweighs all that follows, or in a shorter one.
fn size_while_leading(series: &[Rounded], longest: f64) -> f64 {
    let mut sizes = [0.0; ORDER + 1];
    sizes.iter_mut().zip(series).filter(|(_, c)| c.size.is_finite()).for_each(|(size, c)| *size = c.size);
    let outweighs = |low: usize| {
        let later = (low + 1..=ORDER).map(|k| elementary::powf(sizes[low] / sizes[k], 1.0 / (k - low) as f64));
        later.filter(|time| !time.is_nan()).fold(f64::INFINITY, f64::min)
    };
    size_on(&sizes, (0..=2).map(outweighs).fold(0.0, f64::max).min(longest))
}
