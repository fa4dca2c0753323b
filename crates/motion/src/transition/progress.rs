//! Whether steps advance the time, or follow each other without end at one instant.

/// So many steps in a row that together move the time by no more than this fraction of it lead nowhere. Each then moves it by some units in its
/// last place; the flights of a chattering sequence that is completed are much longer.
const MOST_STANDING: u32 = 20_000;
const STANDING: f64 = 1e-12;

/// So many steps have ended since a time which they have hardly moved.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Progress {
    standing: u32,
    since: f64,
}

impl Progress {
    /// A step from a start has ended at a time; whether steps advance the time. Impacts of a sequence become ever slower and need not.
    pub(crate) fn advances(&mut self, (start, time): (f64, f64), in_sequence: impl FnOnce() -> bool) -> bool {
        if time - self.since > STANDING * time.abs() || in_sequence() {
            (self.standing, self.since) = (0, start);
        } else {
            self.standing += 1;
        }
        self.standing <= MOST_STANDING
    }
}
