//! W8 and W9: sweeps of nonlinear oscillators, 1024 returns of transient and 32 that are recorded for each value of a parameter. W8 is the relief valve of the gallery from (1, 0, 11), 24
//! flows q between 0.5 and 8, at a tolerance of 1e-10, which returns at its greatest lifts. W9 is the Duffing oscillator x'' = x - x^3 - k x' + 0.3 cos t from (0.5, 0.1), 64 dampings k between 0.2
//! and 0.3, at 1e-9, which returns after each period.

use crate::bench::run::{Check, Run, failed, repeated};
use saltation::layers::motion::{EventKind, Happening, Motion, Settings};
use saltation::{Error, MotionSettings, RecordSettings, System};

const TRANSIENT: u64 = 1024;
const RECORDED: u64 = 32;

const DUFFING: &str = r#"
format = 1
name = "duffing"
[parameters]
k = 0.25
[phase.phi]
rate = 1
period = "2*pi"
[flow]
x = "v"
v = "x - x^3 - k*v + 0.3*cos(phi)"
[start]
x = 0.5
v = 0.1
phi = 0
"#;

/// A sweep: a system, the parameter with its values, and the tolerance.
pub(crate) struct Swept {
    system: System,
    name: &'static str,
    range: (f64, f64),
    values: usize,
    tolerance: f64,
}

/// W8.
pub(crate) fn valve() -> Result<Swept, Error> {
    let start = [("y1", 1.0), ("y2", 0.0), ("y3", 11.0)];
    let system =
        start.into_iter().try_fold(System::gallery("relief-valve")?, |s, (name, value)| s.from_state(name, value))?;
    Ok(Swept { system, name: "q", range: (0.5, 8.0), values: 24, tolerance: 1e-10 })
}

/// W9.
pub(crate) fn duffing() -> Result<Swept, Error> {
    let system = System::parse(DUFFING, "duffing")?;
    Ok(Swept { system, name: "k", range: (0.2, 0.3), values: 64, tolerance: 1e-9 })
}

/// One motion after the other, each by itself, in milliseconds an instance; all impacts, or the recorded returns of motions without any.
pub(crate) fn alone(swept: Swept) -> Result<Run, Error> {
    let Swept { system, name, range: (low, high), values: count, tolerance } = swept;
    let mut values = system.values()?.clone();
    let parameter = system.model().parameter(name).ok_or_else(|| failed("the model lacks its parameter"))?;
    let section = system.compiled()?.default_section().ok_or_else(|| failed("the model has no section"))?;
    repeated(1e3 / count as f64, move || {
        let (mut recorded, mut impacts) = (0, 0);
        for k in 0..count {
            values.set(parameter, low + (high - low) * k as f64 / (count - 1) as f64)?;
            let returns = Some((section, TRANSIENT + RECORDED));
            let settings = Settings { until: f64::INFINITY, tolerance, returns, ..Settings::default() };
            let mut motion = Motion::new(system.compiled()?, &values, settings).map_err(failed)?.without_path();
            let mut made = 0;
            loop {
                match motion.advance() {
                    Happening::Event(event) => {
                        made += u64::from(event.kind == EventKind::Section);
                        impacts += event.impacts as u64;
                    }
                    Happening::Ended(_) => break,
                    _ => {}
                }
            }
            recorded += made.saturating_sub(TRANSIENT);
        }
        Ok(Check::Count(if impacts > 0 { impacts } else { recorded }))
    })
}

/// The same as a question on one thread; the recorded returns.
pub(crate) fn asked(swept: Swept) -> Result<Run, Error> {
    let Swept { system, name, range: (low, high), values, tolerance } = swept;
    let question = system.sweep().along(name, low..=high, values as u64).settle(TRANSIENT).record(RECORDED);
    let question = question.tolerance(tolerance).threads(1);
    repeated(1e3 / values as f64, move || Ok(Check::Count(question.clone().run()?.records.len() as u64)))
}
