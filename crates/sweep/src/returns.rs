//! The returns of a motion to its section as a sequence of points, compared in units of the sizes that the states have along the motion.

/// The smallest unit of a state, as a part of the largest size of all: what a state that is zero by a law has from rounding is far below.
const SMALLEST: f64 = 1e-6;
/// Motions that have decayed this far lose digits by underflow: they have no size.
const UNDERFLOW: f64 = 1e-150;

/// The units in which points are compared: for every state its size along the motion, or its period where it goes round.
#[derive(Debug, Clone, PartialEq)]
pub struct Units {
    sizes: Vec<f64>,
    periods: Vec<Option<f64>>,
}

impl Units {
    /// Units from the largest absolute value of every state along a motion, and the periods of those that are angles.
    pub fn new(sizes: &[f64], periods: &[Option<f64>]) -> Units {
        // A state that is zero but for rounding is compared with the others.
        let goes_round = |i: usize| periods.get(i).copied().flatten();
        let straight = sizes.iter().enumerate().filter(|(i, size)| goes_round(*i).is_none() && size.is_finite());
        let largest = straight.map(|(_, size)| *size).fold(0.0, f64::max);
        let usable = |size: f64| if largest > UNDERFLOW { size.max(SMALLEST * largest) } else { 1.0 };
        let of = |(i, &size): (usize, &f64)| goes_round(i).unwrap_or_else(|| usable(size));
        Units { sizes: sizes.iter().enumerate().map(of).collect(), periods: periods.to_vec() }
    }

    /// Units of motions that are compared up to shifts of states on which nothing depends: however far they drift, these have no part in distances, nor in the sizes of
    /// others.
    pub fn up_to_drift(sizes: &[f64], periods: &[Option<f64>], drifting: &[usize]) -> Units {
        let (mut sizes, mut periods) = (sizes.to_vec(), periods.to_vec());
        for &i in drifting {
            sizes[i] = f64::INFINITY;
            periods[i] = None;
        }
        Units::new(&sizes, &periods)
    }

    /// The size of a state; infinite for one whose shifts do not count.
    pub fn size(&self, state: usize) -> f64 {
        self.sizes[state]
    }

    /// The period of a state that goes round.
    pub fn period(&self, state: usize) -> Option<f64> {
        self.periods.get(state).copied().flatten()
    }

    /// The units of two motions together: the larger ones.
    pub fn with(&self, other: &Units) -> Units {
        let larger = |(a, b): (&f64, &f64)| a.max(*b);
        Units { sizes: self.sizes.iter().zip(&other.sizes).map(larger).collect(), periods: self.periods.clone() }
    }

    /// The difference a - b of two values of a state; of one that goes round the smaller way.
    pub(crate) fn difference(&self, state: usize, a: f64, b: f64) -> f64 {
        match self.period(state) {
            Some(period) => {
                let turned = (a - b).rem_euclid(period);
                if turned <= period - turned { turned } else { turned - period }
            }
            None => a - b,
        }
    }

    /// The largest difference of two states; NaN if one has no value.
    pub fn distance(&self, a: &[f64], b: &[f64]) -> f64 {
        let of = |(i, (a, b)): (usize, (&f64, &f64))| self.difference(i, *a, *b).abs() / self.sizes[i];
        // Unlike f64::max this keeps NaN.
        a.iter().zip(b).enumerate().map(of).fold(0.0, |most, d| if most.is_nan() || d <= most { most } else { d })
    }
}

/// Points of as many entries as there are states, one after another.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Points {
    states: usize,
    entries: Vec<f64>,
}

impl Points {
    /// No points yet.
    pub fn new(states: usize) -> Points {
        Points { states, entries: Vec::new() }
    }

    /// Adds a point.
    pub fn push(&mut self, point: &[f64]) {
        debug_assert_eq!(point.len(), self.states);
        self.entries.extend_from_slice(point);
    }

    /// Their number.
    pub fn len(&self) -> usize {
        self.entries.len() / self.states.max(1)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// A point.
    pub fn get(&self, index: usize) -> &[f64] {
        &self.entries[index * self.states..(index + 1) * self.states]
    }

    /// All points in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[f64]> + DoubleEndedIterator + Clone {
        self.entries.chunks_exact(self.states.max(1))
    }

    /// The same points begun at another one of them.
    pub fn turned(&self, first: usize) -> Points {
        let mut entries = self.entries.clone();
        entries.rotate_left(first * self.states);
        Points { states: self.states, entries }
    }

    /// The last `count` points.
    pub fn last(&self, count: usize) -> Points {
        let from = self.len().saturating_sub(count) * self.states;
        Points { states: self.states, entries: self.entries[from..].to_vec() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_of_a_state_that_is_zero_is_no_distance() {
        let units = Units::new(&[6.0, 3e-14, 900.0], &[None, None, Some(6.0)]);
        assert!(units.distance(&[6.0, 1e-14, 0.1], &[6.0, -2e-14, 60.1]) < 1e-8);
        assert!(units.distance(&[6.0, 1e-14, 0.1], &[5.0, 1e-14, 0.1]) > 0.1);
        // What is stored and read again is the same.
        let sizes: Vec<f64> = (0..3).map(|i| units.size(i)).collect();
        assert_eq!(Units::new(&sizes, &[None, None, Some(6.0)]), units);
        let drifting = Units::up_to_drift(&[6.0, 1e9], &[None, None], &[1]);
        assert_eq!(drifting.distance(&[6.0, 1.0], &[6.0, 1e8]), 0.0);
        assert_eq!(
            Units::new(&[drifting.size(0), drifting.size(1)], &[None, None]).distance(&[6.0, 1.0], &[3.0, 7.0]),
            0.5
        );
        assert_eq!(Units::new(&[0.0], &[None]).size(0), 1.0);
        assert!(units.distance(&[f64::NAN, 0.0, 0.0], &[0.0; 3]).is_nan());
    }
}
