//! Compensated time: a sum of very many very different steps, kept with its rounding error.

/// A time as an unevaluated sum of two numbers: steps as short as those of a chattering sequence are not lost in it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Time {
    sum: f64,
    rest: f64,
}

impl Time {
    pub(crate) fn at(time: f64) -> Time {
        Time { sum: time, rest: 0.0 }
    }

    /// The nearest number.
    pub(crate) fn value(self) -> f64 {
        self.sum
    }

    /// This time and a step (Knuth's two-sum).
    pub(crate) fn plus(self, step: f64) -> Time {
        let step = step + self.rest;
        let sum = self.sum + step;
        let part = sum - self.sum;
        let rest = (self.sum - (sum - part)) + (step - part);
        Time { sum, rest }
    }

    /// How long it is since an earlier time.
    pub(crate) fn since(self, earlier: Time) -> f64 {
        (self.sum - earlier.sum) + (self.rest - earlier.rest)
    }

    /// How long it is until another time.
    pub(crate) fn until(self, other: f64) -> f64 {
        (other - self.sum) - self.rest
    }
}
