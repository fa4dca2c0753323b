//! W1: a bifurcation diagram by brute force. 200 amplitudes between the grazing one and 1.03 times it, each a new motion from (-0.5, 0) at a
//! tolerance of 1e-9: 300 forcing periods of transient, then 100 whose states and impact speeds are recorded.

use crate::bench::oscillator::{self, PERIOD};
use crate::bench::run::{Check, Run, failed, repeated};
use saltation::Error;
use saltation::layers::motion::{EventKind, Happening, Motion, Settings};

const AMPLITUDES: usize = 200;
const TRANSIENT: u32 = 300;
const RECORDED: u32 = 100;

/// Time per forcing period in microseconds; the number of all impacts.
pub(crate) fn prepare() -> Result<Run, Error> {
    let grazing = oscillator::grazing_amplitude();
    let system = oscillator::system(grazing)?.from_state("x", -0.5)?.from_state("y", 0.0)?;
    let mut values = system.values()?.clone();
    let amplitude = system.model().parameter("A").ok_or_else(|| failed("the oscillator has no amplitude"))?;
    let section = system.compiled()?.default_section().ok_or_else(|| failed("the oscillator has no section"))?;
    let until = f64::from(TRANSIENT) * PERIOD;
    let (mut states, mut speeds) = (Vec::new(), Vec::new());
    let periods = AMPLITUDES as f64 * f64::from(TRANSIENT + RECORDED);
    repeated(1e6 / periods, move || {
        states.clear();
        speeds.clear();
        let mut impacts = 0;
        for k in 0..AMPLITUDES {
            values.set(amplitude, grazing * (1.0 + 0.03 * k as f64 / (AMPLITUDES - 1) as f64))?;
            let settings = Settings { until, tolerance: 1e-9, ..Settings::default() };
            let mut motion = Motion::new(system.compiled()?, &values, settings).map_err(failed)?.without_path();
            loop {
                match motion.advance() {
                    Happening::Event(event) => impacts += event.impacts as u64,
                    Happening::Ended(_) => break,
                    _ => {}
                }
            }
            motion.extend(f64::INFINITY, Some((section, u64::from(RECORDED))));
            loop {
                match motion.advance() {
                    Happening::Event(event) if event.kind == EventKind::Section => {
                        states.push((event.after[0], event.after[1]))
                    }
                    Happening::Event(event) => {
                        impacts += event.impacts as u64;
                        speeds.push(event.speed_before);
                    }
                    Happening::Ended(_) => break,
                    _ => {}
                }
            }
        }
        Ok(Check::Count(impacts))
    })
}
