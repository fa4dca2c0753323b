//! W5: the branch of the orbit of the impact oscillator with two loops and one impact in two forcing periods, from 1.03 times the grazing amplitude
//! through its graze to orbits that are not admissible (Ghosh & Simpson, Fig. 3(a)), with multipliers, admissibility and special points.

use crate::bench::oscillator::{OMEGA, RESTITUTION, flight, grazing_amplitude, system};
use crate::bench::run::{Check, Measured, Run, failed, timed};
use saltation::Error;
use saltation::layers::orbit::branch::{self, BranchPoint};
use saltation::layers::orbit::{Settings, find};

/// By how much the orbit of a point misses its return, in closed form, from the state before its impact and the time to the next one.
fn residual(point: &BranchPoint) -> f64 {
    let [x, v, phase, period, amplitude] = point.unknowns[..] else { return f64::NAN };
    let begin = phase / OMEGA;
    let (to_x, to_v) = flight(amplitude, begin + period, (begin, x, -RESTITUTION * v));
    (to_x - x).abs().max((to_v - v).abs())
}

/// Time per point in milliseconds; the largest periodicity residual of all points, in closed form.
pub(crate) fn prepare() -> Result<Run, Error> {
    let system = system(1.03 * grazing_amplitude())?;
    let values = system.values()?.along(&["A"])?;
    let compiled = system.compiled()?;
    let section = compiled.default_section().ok_or_else(|| failed("the oscillator has no section"))?;
    let search = Settings { returns: 2, settle: 800, ..Settings::through(section) };
    let found = find(compiled, &values, &search, &mut |_| true);
    let orbit = found.orbit.ok_or_else(|| failed("there is no orbit with two loops"))?;
    let settings = branch::Settings { longest_step: 1.8e-3, ..branch::Settings::between(0.3395, 0.3558) };
    Ok(Box::new(move || {
        let compiled = system.compiled()?;
        let (found, seconds) = timed(|| branch::follow(compiled, &values, &orbit, &settings, &mut |_, _| true));
        let found = found.map_err(failed)?;
        let points = found.iter().flat_map(|branch| &branch.points);
        let count = points.clone().count();
        let check = Check::Error(points.map(residual).fold(0.0, f64::max));
        Ok(Measured { time: 1e3 * seconds / count as f64, setup: None, check })
    }))
}
