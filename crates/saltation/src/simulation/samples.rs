//! States of a motion at the multiples of a time.

use saltation_motion::Piece;

/// Sample times within this relative distance of the end are the end: `3*0.1` is sampled in a motion until 0.3.
const ROUNDING: f64 = 1e-14;

/// Samples a motion while it is computed. At an impact the state after it is used.
#[derive(Debug)]
pub(crate) struct Sampler {
    every: f64,
    next: u64,
    state: Vec<f64>,
}

impl Sampler {
    /// Samples of a motion with a given number of states, from time 0 on.
    pub(crate) fn new(every: f64, states: usize) -> Sampler {
        Sampler { every, next: 0, state: vec![0.0; states] }
    }

    pub(crate) fn next_time(&self) -> f64 {
        self.next as f64 * self.every
    }

    /// The sample that was due is taken.
    pub(crate) fn take(&mut self) {
        self.next += 1;
    }

    /// Reports the samples on a step, except one at its very end.
    pub(crate) fn step<E>(
        &mut self,
        piece: &Piece,
        mut report: impl FnMut(f64, &[f64]) -> Result<(), E>,
    ) -> Result<(), E> {
        let end = piece.start + piece.length;
        while self.next_time() < end {
            piece.evaluate((self.next_time() - piece.start).max(0.0), &mut self.state);
            report(self.next_time(), &self.state)?;
            self.next += 1;
        }
        Ok(())
    }

    /// Reports the sample at the end of the trajectory, if one is due there.
    pub(crate) fn finish<E>(
        &mut self,
        time: f64,
        state: &[f64],
        mut report: impl FnMut(f64, &[f64]) -> Result<(), E>,
    ) -> Result<(), E> {
        let due = self.next_time();
        if due <= time + ROUNDING * time.abs() {
            self.next += 1;
            return report(due.min(time), state);
        }
        Ok(())
    }
}
