//! W2 and W3: the double pendulum of the gallery. W2 runs from (pi/2, 0.3, -2, 0) for 200 units of time at a tolerance of 1e-9, through 27
//! complete chattering sequences, stick and release. W3 has no wall, no torque and no damping, and runs from (1, 0.5, 0, 0) for 10 units.

use crate::bench::run::{Check, Run, failed, repeated};
use saltation::layers::motion::{EventKind, Happening, Motion, Settings};
use saltation::{Error, System};
use std::f64::consts::FRAC_PI_2;

/// The end of W3, by an explicit Runge-Kutta method of order 8 at a tolerance of 1e-14.
const END: [f64; 4] = [-0.437568236600654, -0.847836414817362, 2.387860470334683, -0.528170425148759];

fn from(system: System, start: [f64; 4]) -> Result<System, Error> {
    ["q1", "q2", "w1", "w2"].iter().zip(start).try_fold(system, |system, (name, value)| system.from_state(name, value))
}

/// Time in milliseconds; the number of complete chattering sequences.
pub(crate) fn chattering() -> Result<Run, Error> {
    let system = from(System::gallery("double-pendulum")?, [FRAC_PI_2, 0.3, -2.0, 0.0])?;
    let system = [("d", 0.5), ("e", 0.89), ("T", -31.15)]
        .into_iter()
        .try_fold(system, |s, (name, value)| s.with(name, value))?;
    system.values()?;
    let settings = Settings { until: 200.0, tolerance: 1e-9, ..Settings::default() };
    repeated(1e3, move || {
        let mut motion = Motion::new(system.compiled()?, system.values()?, settings).map_err(failed)?.without_path();
        let mut sequences = 0;
        loop {
            match motion.advance() {
                Happening::Event(event) => sequences += u64::from(event.kind == EventKind::Chatter),
                Happening::Ended(_) => return Ok(Check::Count(sequences)),
                _ => {}
            }
        }
    })
}

/// Time in milliseconds; the largest error of the last state.
pub(crate) fn free(tolerance: f64) -> Result<Run, Error> {
    let mut model = System::gallery("double-pendulum")?.model().clone();
    model.contacts.clear();
    let system = from(System::new(model)?, [1.0, 0.5, 0.0, 0.0])?.with("T", 0.0)?.with("D", 0.0)?;
    system.values()?;
    let settings = Settings { until: 10.0, tolerance, ..Settings::default() };
    repeated(1e3, move || {
        let mut motion = Motion::new(system.compiled()?, system.values()?, settings).map_err(failed)?.without_path();
        while !matches!(motion.advance(), Happening::Ended(_)) {}
        let errors = motion.state().iter().zip(END).map(|(x, end)| (x - end).abs());
        Ok(Check::Error(errors.fold(0.0, f64::max)))
    })
}
