//! Progress and interruption of long computations, and what they find on the way.

use crate::table::Table;

use std::sync::atomic::{AtomicBool, Ordering};

/// Receives the progress of a computation and may interrupt it. `()` does neither.
///
/// ```
/// use saltation::{Progress, System};
/// use std::sync::atomic::AtomicBool;
///
/// // A flag that another thread, or a signal, may raise.
/// let stop = AtomicBool::new(true);
/// let run = System::gallery("impact-oscillator")?.simulation().until(1e9).run_with(&mut &stop)?;
/// assert_eq!(run.answer.ended, "interrupted");
/// # Ok::<(), saltation::Error>(())
/// ```
pub trait Progress {
    /// Receives the share of the work that is done, if known, and a description; returns whether to continue.
    fn see(&mut self, share: Option<f64>, words: &dyn Fn() -> String) -> bool;

    /// Receives rows of tables of the answer as they are found: points of a branch, tasks of a sweep. They are a preview: the answer may order them
    /// differently, and lack some.
    fn grow(&mut self, rows: &dyn Fn() -> Vec<Table>) {
        let _ = rows;
    }
}

impl Progress for () {
    fn see(&mut self, _: Option<f64>, _: &dyn Fn() -> String) -> bool {
        true
    }
}

/// Stops when the flag is raised.
impl Progress for &AtomicBool {
    fn see(&mut self, _: Option<f64>, _: &dyn Fn() -> String) -> bool {
        !self.load(Ordering::Relaxed)
    }
}

/// A function of the share and of the words.
impl<F: FnMut(Option<f64>, &str) -> bool> Progress for F {
    fn see(&mut self, share: Option<f64>, words: &dyn Fn() -> String) -> bool {
        self(share, &words())
    }
}
