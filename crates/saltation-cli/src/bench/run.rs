//! One run of a work: its time by the clock of the machine, and what it found.

use saltation::Error;
use serde::Serialize;
use std::fmt::Display;
use std::time::Instant;

/// A number that shows that the work was done right; the help of `bench` says what it counts or measures.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(untagged)]
pub(crate) enum Check {
    /// A number of things.
    Count(u64),
    /// The size of an error.
    Error(f64),
}

/// A run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Measured {
    /// In the unit of the work.
    pub time: f64,
    /// The time before it in seconds, where it counts.
    pub setup: Option<f64>,
    pub check: Check,
}

/// A work that is ready to run, as often as is wanted.
pub(crate) type Run = Box<dyn FnMut() -> Result<Measured, Error>>;

/// The value of a computation, and its time in seconds.
pub(crate) fn timed<T>(compute: impl FnOnce() -> T) -> (T, f64) {
    let began = Instant::now();
    let value = std::hint::black_box(compute());
    (value, began.elapsed().as_secs_f64())
}

/// A work that does nothing but find its check, in units of time of which a second has this many.
pub(crate) fn repeated(
    per_second: f64,
    mut compute: impl FnMut() -> Result<Check, Error> + 'static,
) -> Result<Run, Error> {
    Ok(Box::new(move || {
        let (check, seconds) = timed(&mut compute);
        Ok(Measured { time: seconds * per_second, setup: None, check: check? })
    }))
}

/// Why a work could not be done.
pub(crate) fn failed(why: impl Display) -> Error {
    Error::Ended { word: "failed".to_string(), lines: vec![why.to_string()] }
}
