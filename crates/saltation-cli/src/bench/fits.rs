//! W10: fits of ten parameters of an oscillator with a cubic spring between two walls to 100 of its impacts: to their times and speeds (`impacts`), or to their times and 1000 samples of the displacement
//! (`samples`). A run is ten fits to data with different noise; they begin near the true values.

use crate::bench::run::{Check, Run, failed, repeated};
use saltation::fit::answer::Estimate;
use saltation::layers::motion::EventKind;
use saltation::layers::numerics::elementary;
use saltation::layers::numerics::random::Random;
use saltation::{Error, System};
use std::f64::consts::TAU;

const MODEL: &str = r#"
format = 1
name = "between-walls"
[parameters]
c = { value = 0.1, min = 0 }
k = 1
k3 = 0.1
b = 0.1
A = 1.2
w = 1.1
left = { value = 1, min = 0 }
right = { value = 1.2, min = 0 }
el = { value = 0.8, min = 0, max = 1 }
er = { value = 0.7, min = 0, max = 1 }
[phase.phi]
rate = "w"
period = "2*pi"
[mechanics]
coordinates = ["x"]
velocities = ["v"]
M = [[1]]
h = ["b + A*cos(phi) - c*v - k*x - k3*x^3"]
[contacts.left]
gap = "left + x"
restitution = "el"
[contacts.right]
gap = "right - x"
restitution = "er"
[start]
x = 0
v = 1
phi = 0
"#;

/// The free parameters with the distances from their true values at which fits begin.
const FREE: [(&str, f64); 10] = [
    ("c", 0.02),
    ("k", 0.05),
    ("k3", 0.05),
    ("b", 0.05),
    ("A", 0.05),
    ("w", 0.002),
    ("left", 0.05),
    ("right", 0.05),
    ("el", 0.05),
    ("er", 0.05),
];
const WALLS: [&str; 2] = ["left", "right"];
const IMPACTS: usize = 100;
const SAMPLES: usize = 1000;
/// A time before which there are that many impacts.
const END: f64 = 300.0;
const FITS: u64 = 10;
/// An estimate farther from the truth than this many standard errors is wrong.
const RIGHT: f64 = 5.0;

/// A column of exact data: its name, its numbers, and the standard deviation of the noise that is added.
type Column = (String, Vec<f64>, f64);

/// Times and speeds of impacts.
pub(crate) fn impacts() -> Result<Run, Error> {
    let system = System::parse(MODEL, "between-walls")?;
    let columns = trains(&system)?;
    fits(system, columns)
}

/// Times of impacts and samples of the displacement.
pub(crate) fn samples() -> Result<Run, Error> {
    let system = System::parse(MODEL, "between-walls")?;
    let mut columns = trains(&system)?;
    columns.retain(|(name, ..)| name.starts_with("impact"));
    let until = columns.iter().flat_map(|(_, times, _)| times).copied().fold(0.0, f64::max);
    let run = system.simulation().until(until).every(until / SAMPLES as f64).run()?;
    for (name, noise) in [("time", 0.0), ("x", 0.01)] {
        let samples = run.samples.as_ref().and_then(|samples| samples.get(name));
        let samples = samples.ok_or_else(|| failed("the trajectory has no samples"))?;
        columns.push((name.to_string(), samples.to_vec(), noise));
    }
    fits(system, columns)
}

fn trains(system: &System) -> Result<Vec<Column>, Error> {
    let run = system.simulate(END)?;
    let impacts: Vec<_> = run.events.iter().filter(|event| event.kind == EventKind::Impact).take(IMPACTS).collect();
    let of = |wall: &str| {
        let own = impacts.iter().filter(|event| event.contact.as_deref() == Some(wall));
        let (times, speeds) = own.map(|event| (event.time, -event.speed_before)).unzip();
        [(format!("impact:{wall}"), times, 1e-3), (format!("speed:{wall}"), speeds, 5e-3)]
    };
    Ok(WALLS.into_iter().flat_map(of).collect())
}

/// Fits to the columns with noise; the number of those that find the truth within their standard errors.
fn fits(truth: System, columns: Vec<Column>) -> Result<Run, Error> {
    let values: Vec<f64> = FREE.iter().filter_map(|(name, _)| truth.parameter(name)).collect();
    let mut random = Random(10);
    repeated(1e3 / FITS as f64, move || {
        let mut right = 0;
        for _ in 0..FITS {
            let beside = FREE.iter().zip(&values).map(|((name, off), value)| (*name, value + off * random.symmetric()));
            let beside: Vec<(&str, f64)> = beside.collect();
            let begin = beside.into_iter().try_fold(truth.clone(), |system, (name, value)| system.with(name, value))?;
            let noisy: Vec<Vec<f64>> = columns
                .iter()
                .map(|(_, column, noise)| column.iter().map(|x| x + noise * normal(&mut random)).collect())
                .collect();
            let data = columns.iter().zip(&noisy).map(|((name, ..), column)| (name.as_str(), &column[..]));
            let mut fit = begin.fit(data, FREE.map(|(name, _)| name));
            for (name, _, noise) in columns.iter().filter(|(_, _, noise)| *noise > 0.0) {
                fit = fit.sigma(name, *noise);
            }
            let fitted = fit.run()?;
            let near = |(one, value): (&Estimate, &f64)| (one.value - value).abs() <= RIGHT * one.standard_error;
            let found = fitted.ended == "converged" && fitted.estimates.iter().zip(&values).all(near);
            right += u64::from(found);
        }
        Ok(Check::Count(right))
    })
}

/// A number with the normal distribution (G. E. P. Box & M. E. Muller).
fn normal(random: &mut Random) -> f64 {
    let (u, v) = (1.0 - random.unit(), random.unit());
    (-2.0 * elementary::ln(u)).sqrt() * elementary::sin_cos(TAU * v).1
}
