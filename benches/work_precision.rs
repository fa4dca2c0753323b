//! Work-precision diagram: error and time against the tolerance, with a run at 1e-15 as the reference.
//!
//! `cargo bench -p saltation --bench work_precision` prints the table.

use std::f64::consts::PI;
use std::time::Instant;

use saltation_model::{Overrides, Values, gallery};
use saltation_motion::{Happening, Motion, Settings, System};

struct Work {
    name: &'static str,
    system: System,
    values: Values,
    until: f64,
}

fn work(name: &'static str, model: &str, start: &[(&str, f64)], until: f64) -> Work {
    let model = gallery::model(model).expect("the gallery has it").expect("and it is right");
    let start = start.iter().map(|&(n, v)| (n.to_string(), format!("{v:e}"))).collect();
    let values = model.values(&Overrides { set: Vec::new(), start }).expect("values are right");
    Work { name, system: System::new(&model), values, until }
}

/// The state at the end and the number of steps.
fn run(work: &Work, tolerance: f64) -> (Vec<f64>, usize) {
    let settings = Settings { until: work.until, tolerance, ..Settings::default() };
    let mut motion = Motion::new(&work.system, &work.values, settings).expect("the start is admissible");
    let mut steps = 0;
    loop {
        match motion.advance() {
            Happening::Step(_) | Happening::Quiet { .. } => steps += 1,
            Happening::Event(_) => {}
            Happening::Ended(_) => return (motion.state().to_vec(), steps),
        }
    }
}

fn main() {
    let pendulum = [("q1", PI / 2.0), ("q2", 0.3), ("w1", -2.0), ("w2", 0.0)];
    let works = [
        work("forced oscillator, chattering, stick and 5 impacts, to 20", "forced-oscillator", &[], 20.0),
        work("impact oscillator, to 30", "impact-oscillator", &[], 30.0),
        work("double pendulum, one chattering sequence and stick, to 6", "double-pendulum", &pendulum, 6.0),
        work("relief valve, to 5", "relief-valve", &[], 5.0),
    ];
    for work in &works {
        let (reference, _) = run(work, 1e-15);
        println!("\n{}\n{:>9}  {:>9}  {:>6}  {:>18}", work.name, "tolerance", "error", "steps", "time, us (spread)");
        for exponent in 4..=14 {
            let tolerance = 10f64.powi(-exponent);
            let (state, steps) = run(work, tolerance);
            let error = state.iter().zip(&reference).map(|(a, b)| (a - b).abs() / b.abs().max(1.0)).fold(0.0, f64::max);
            let mut times: Vec<f64> = (0..15)
                .map(|_| {
                    let start = Instant::now();
                    run(work, tolerance);
                    start.elapsed().as_secs_f64() * 1e6
                })
                .collect();
            times.sort_by(f64::total_cmp);
            println!(
                "{tolerance:>9.0e}  {error:>9.1e}  {steps:>6}  {:>9.0} ({:.0}..{:.0})",
                times[times.len() / 2],
                times[1],
                times[times.len() - 2]
            );
        }
    }
}
