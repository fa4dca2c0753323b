//! A family of models: a name, and a function that draws one member and compares it with oracles.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::dice::Dice;

/// A motion that takes longer is a hang.
pub const LONGEST: Duration = Duration::from_secs(5);
/// All motions of a member take no longer.
pub(crate) const WHOLE: Duration = Duration::from_secs(60);

/// A family of models with its oracles.
#[derive(Clone, Copy)]
pub struct Family {
    /// The name for `--family`.
    pub name: &'static str,
    /// One line: what its members are, and what they are compared with.
    pub about: &'static str,
    /// It has a turn in every round of the families, or in every so manieth: members that take long come rarely.
    pub every: u64,
    /// Draws a member and examines it. The same dice give the same answer, unless the watch stops it.
    pub examine: fn(&mut Dice, &Watch) -> Outcome,
}

/// What came of one member.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// The endings of motions that did not reach their end time, in the words of the interface, and `undecided` where the oracle is.
    pub early: Vec<&'static str>,
    /// What would disagree if the last digits of the start did not decide it.
    pub undecided: Vec<Disagreement>,
    /// What disagrees; empty if all is well.
    pub disagreements: Vec<Disagreement>,
}

/// Two answers that should agree and do not.
#[derive(Debug, Clone)]
pub struct Disagreement {
    /// The oracle, in a few words, e.g. `other units`.
    pub oracle: String,
    /// What differs, by how much, and where.
    pub what: String,
    /// A model file or another input that shows it, as small as was found.
    pub file: String,
}

/// How long a computation may go on.
#[derive(Debug, Clone)]
pub struct Watch {
    deadline: Instant,
    stopped: &'static AtomicBool,
    patience: u32,
}

/// Set by Ctrl-C: everything ends as soon as it can.
pub static STOPPED: AtomicBool = AtomicBool::new(false);

impl Watch {
    /// A watch over so much time from now on.
    pub fn over(time: Duration) -> Watch {
        Watch { deadline: Instant::now() + time, stopped: &STOPPED, patience: 1 }
    }

    /// A watch over so many times the time from now on, and all watches within it alike: with much patience the clock decides nothing.
    pub fn patient(time: Duration, patience: u32) -> Watch {
        Watch { patience, ..Watch::over(time * patience) }
    }

    /// A watch over so much time from now on that ends with this one.
    pub fn within(&self, time: Duration) -> Watch {
        Watch { deadline: self.deadline.min(Instant::now() + time * self.patience), ..self.clone() }
    }

    /// Whether there is time left. The callback of [`Motion::run`](saltation_motion::Motion::run) asks this.
    pub fn allows(&self) -> bool {
        !self.is_stopped() && Instant::now() < self.deadline
    }

    /// Whether the user has asked to stop.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}
