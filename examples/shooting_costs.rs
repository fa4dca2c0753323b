//! Costs of shooting and of simulation until the transient has decayed. Tables 2 and 5 of Yoshitake et al.: 21 orbits, each begun from the
//! previous one, with Taylor steps and with the exact flow. Integrated periods and wall time.
//!
//! `cargo run --release -p saltation --example shooting_costs`

use std::time::Instant;

use saltation_model::{Overrides, Values, gallery};
use saltation_motion::{self as motion, FlowChoice, Happening, Motion, System};
use saltation_orbit::{Settings, find};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// Orbits are accepted when every state comes back to this part of itself.
const ACCURACY: f64 = 1e-10;
const ORBITS: usize = 21;
/// Wall times are the medians of so many runs.
const RUNS: usize = 5;

struct Chain {
    title: &'static str,
    system: System,
    values: Values,
    parameter: usize,
    section: usize,
    from: f64,
    step: f64,
}

impl Chain {
    fn new(title: &'static str, name: &str, start: &[(&str, f64)], from: f64, step: f64) -> Outcome<Chain> {
        let model = gallery::model(name).ok_or("the gallery has it")??;
        let pairs = |list: &[(&str, f64)]| list.iter().map(|&(n, v)| (n.to_string(), format!("{v:e}"))).collect();
        let values = model.values(&Overrides { set: pairs(&[("nu", from)]), start: pairs(start) })?;
        let parameter = model.parameter("nu").ok_or("it has a frequency")?;
        let system = System::new(&model);
        let section = system.default_section().ok_or("it is forced")?;
        Ok(Chain { title, system, values, parameter, section, from, step })
    }

    fn settle(&self, flow: FlowChoice) -> Outcome<u64> {
        let mut values = self.values.clone();
        let mut periods = 0;
        for k in 0..ORBITS {
            values.set(self.parameter, self.from + self.step * k as f64)?;
            let goal = Some((self.section, 1));
            let settings = motion::Settings { flow, returns: goal, ..motion::Settings::default() };
            let mut motion = Motion::new(&self.system, &values, settings)?.without_path();
            loop {
                while !matches!(motion.advance(), Happening::Ended(_)) {}
                periods += 1;
                let close = |(now, before): (&f64, &f64)| (now - before).abs() <= ACCURACY * before.abs();
                let settled = motion.state().iter().zip(values.start()).all(close);
                values.start_from(motion.state());
                if settled {
                    break;
                }
                motion.extend(f64::INFINITY, goal);
            }
        }
        Ok(periods)
    }

    fn shoot(&self, flow: FlowChoice) -> Outcome<u64> {
        let mut values = self.values.clone();
        let settings = Settings { flow, closure: ACCURACY, ..Settings::through(self.section) };
        let mut periods = 0;
        for k in 0..ORBITS {
            values.set(self.parameter, self.from + self.step * k as f64)?;
            let search = find(&self.system, &values, &settings, &mut |_| true);
            values.start_from(&search.orbit.ok_or_else(|| search.ended.describe(&self.system))?.state);
            periods += search.returns;
        }
        Ok(periods)
    }
}

/// The result and the median wall time in seconds.
fn timed(mut run: impl FnMut() -> Outcome<u64>) -> Outcome<(u64, f64)> {
    let mut times = Vec::new();
    let mut periods = 0;
    for _ in 0..RUNS {
        let began = Instant::now();
        periods = run()?;
        times.push(began.elapsed().as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    Ok((periods, times[RUNS / 2]))
}

fn main() -> Outcome<()> {
    let walls = [("y", 0.9), ("w", 1.0)];
    let damper = [("Y1", -2.0), ("Y2", -5.0), ("V1", 0.6), ("V2", 4.0)];
    let chains = [
        Chain::new("two walls, nu = 1.2 to 1.0 (Table 2)", "two-wall-oscillator", &walls, 1.2, -0.01)?,
        Chain::new("impact damper, nu = 1.1 to 1.3 (Table 5)", "impact-damper", &damper, 1.1, 0.01)?,
    ];
    for chain in &chains {
        println!("{}: {ORBITS} orbits to {ACCURACY:e}\n", chain.title);
        println!("{:<22}{:>9}{:>14}{:>14}{:>10}", "method", "periods", "total", "per orbit", "ratio");
        let ways = [
            ("Taylor, settling", FlowChoice::Taylor, true),
            ("Taylor, shooting", FlowChoice::Taylor, false),
            ("exact, settling", FlowChoice::Exact, true),
            ("exact, shooting", FlowChoice::Exact, false),
        ];
        let mut slowest = 0.0;
        for (name, flow, settles) in ways {
            let (periods, time) = timed(|| if settles { chain.settle(flow) } else { chain.shoot(flow) })?;
            slowest = f64::max(slowest, time);
            let each = 1e6 * time / ORBITS as f64;
            println!("{name:<22}{periods:>9}{:>11.3} ms{each:>11.1} us{:>10.2}", 1e3 * time, slowest / time);
        }
        println!();
    }
    println!("Periods of shooting: a first look, Newton's method, and the orbit followed once with its multipliers.");
    Ok(())
}
