//! W7: many contacts by time stepping. A column of balls (h = 1e-3), and discs that fall in a box with friction (h = 5e-3), for the second in which they
//! fall and come to rest, from the text of their model.

use crate::bench::run::{Check, Measured, Run, failed, timed};
use saltation::layers::motion::stepping::{Stepping, SteppingSettings};
use saltation::{Error, System};

/// How long motions take, in seconds.
const UNTIL: f64 = 1.0;

/// Time per simulated second in seconds, with that before the first step; the largest residual of the contact laws.
pub(crate) fn prepare(text: String, step: f64) -> Result<Run, Error> {
    Ok(Box::new(move || {
        let (system, read) = timed(|| read(&text));
        let system = system?;
        let values = system.values()?;
        let settings = SteppingSettings::new(step, UNTIL);
        let (motion, begun) = timed(|| Stepping::new(system.model(), values, settings));
        let mut motion = motion.map_err(failed)?;
        let ((), seconds) = timed(|| while motion.advance() {});
        let check = Check::Error(motion.solver().residual);
        Ok(Measured { time: seconds / UNTIL, setup: Some(read + begun), check })
    }))
}

/// A system that passed all its checks.
fn read(text: &str) -> Result<System, Error> {
    let system = System::parse(text, "heap")?;
    system.values()?;
    Ok(system)
}
