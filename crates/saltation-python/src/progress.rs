//! The progress of a long computation in Python: a callable sees it, and Ctrl-C ends it.

use pyo3::prelude::*;
use saltation::Progress;
use std::time::{Duration, Instant};

/// The shortest time between two looks for signals.
const LOOK: Duration = Duration::from_millis(50);
/// The shortest time between two calls of the callable.
const SHOW: Duration = Duration::from_millis(100);

/// Watches one computation.
pub(crate) struct Watch {
    began: Instant,
    looked: Instant,
    shown: Option<Instant>,
    callable: Option<Py<PyAny>>,
    delay: Duration,
    /// What ended the computation: the exception of a signal handler or of the callable.
    pub(crate) stopped: Option<PyErr>,
    /// Whether the callable asked for the end.
    pub(crate) refused: bool,
}

impl Watch {
    /// Begins now; the callable is first called after the delay.
    pub(crate) fn begin(callable: Option<Py<PyAny>>, delay: Duration) -> Watch {
        let began = Instant::now();
        Watch { began, looked: began, shown: None, callable, delay, stopped: None, refused: false }
    }

    fn look(&mut self, now: Instant, share: Option<f64>, words: &dyn Fn() -> String) {
        self.looked = now;
        Python::attach(|py| {
            if let Err(error) = py.check_signals() {
                self.stopped = Some(error);
                return;
            }
            let Some(callable) = &self.callable else { return };
            let early = now.duration_since(self.began) < self.delay;
            if early || self.shown.is_some_and(|shown| now.duration_since(shown) < SHOW) {
                return;
            }
            self.shown = Some(now);
            match callable.call1(py, (share, words())) {
                // Only `False` asks for the end, so that functions without a result do not.
                Ok(result) => self.refused = result.extract::<bool>(py).is_ok_and(|goes_on| !goes_on),
                Err(error) => self.stopped = Some(error),
            }
        });
    }
}

impl Progress for Watch {
    fn see(&mut self, share: Option<f64>, words: &dyn Fn() -> String) -> bool {
        if self.stopped.is_none() && !self.refused {
            let now = Instant::now();
            if now.duration_since(self.looked) >= LOOK {
                self.look(now, share, words);
            }
        }
        self.stopped.is_none() && !self.refused
    }
}
