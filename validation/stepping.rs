//! The event-driven method against time stepping with impulses (Moreau 1999, Jean 1999), which uses neither events nor accelerations:
//! away from the Painlevé paradox they converge to each other with the first power of the step.

use saltation_model::{Model, Overrides, Values, gallery};
use saltation_motion::stepping::{Stepping, SteppingSettings};
use saltation_motion::{Motion, Settings, System};

/// The end of a motion by events, and how many there were.
fn by_events(model: &Model, values: &Values, until: f64) -> (Vec<f64>, usize) {
    let system = System::new(model);
    let settings = Settings { until, ..Settings::default() };
    let run = Motion::new(&system, values, settings).unwrap().run(false, |_| true);
    assert!(run.ended.is_complete(), "{:?}", run.ended);
    (run.state, run.events.len())
}

/// The end of the same motion by steps.
fn by_steps(model: &Model, values: &Values, until: f64, step: f64) -> Vec<f64> {
    let settings = SteppingSettings { tolerance: 1e-12, ..SteppingSettings::new(step, until) };
    let mut stepping = Stepping::new(model, values, settings).unwrap();
    while stepping.advance() {}
    assert!((stepping.time() - until).abs() < 1e-9 * until, "{}", stepping.time());
    stepping.state().to_vec()
}

/// The slope of ln error over ln step by least squares, and the last error.
fn order(errors: &[(f64, f64)]) -> (f64, f64) {
    let points: Vec<(f64, f64)> = errors.iter().map(|(h, e)| (h.ln(), e.ln())).collect();
    let n = points.len() as f64;
    let mean = points.iter().fold((0.0, 0.0), |m, p| (m.0 + p.0 / n, m.1 + p.1 / n));
    let (mut across, mut square) = (0.0, 0.0);
    for (x, y) in &points {
        across += (x - mean.0) * (y - mean.1);
        square += (x - mean.0).powi(2);
    }
    (across / square, errors[errors.len() - 1].1)
}

fn converges(name: &str, set: &[(&str, &str)], start: &[(&str, &str)], until: f64, least_events: usize, expected: f64) {
    let model = Model::parse(gallery::find(name).unwrap(), name).unwrap();
    let pairs = |list: &[(&str, &str)]| list.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect();
    let values = model.values(&Overrides { set: pairs(set), start: pairs(start) }).unwrap();
    let (exact, events) = by_events(&model, &values, until);
    assert!(events >= least_events, "{name}: {events} events");
    let mut errors = Vec::new();
    for k in 0..6 {
        // An event falls anywhere within its step, which multiplies the error by anything up to its bound: the mean over steps of several lengths does not
        // know of that.
        let steps = (0..16).map(|j| (400.0 * f64::powi(2.0, k) * (1.0 + f64::from(j) / 16.0)).round());
        let all = steps.map(|count| {
            let end = by_steps(&model, &values, until, until / count);
            let error = exact.iter().zip(&end).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            error * count / until
        });
        let mean = all.sum::<f64>() / 16.0;
        let step = until / (400.0 * f64::powi(2.0, k));
        errors.push((step, mean * step));
    }
    let (slope, last) = order(&errors);
    println!("{name}: order {slope:.3}, last error {last:.2e}, {errors:?}");
    assert!((slope - expected).abs() < 0.2, "{name}: order {slope}, {errors:?}");
    assert!(last < errors[0].1 / 16.0, "{name}: {errors:?}");
}

#[test]
fn a_block_on_an_incline() {
    converges("sliding-block", &[], &[], 1.0, 2, 1.0);
    // Where it stays, it stands where a parabola has its top: an error of the time counts with its square.
    converges("sliding-block", &[("mu", "0.5")], &[], 1.0, 2, 2.0);
}

#[test]
fn a_disc_that_bounces_with_spin() {
    converges("bouncing-disc", &[], &[], 1.0, 2, 1.0);
}

#[test]
fn a_block_that_rocks() {
    // Until after its second impact: its sequence of impacts ends in a time in which any step is too coarse.
    converges("rocking-block", &[], &[], 0.5, 3, 1.0);
}

#[test]
fn a_mass_on_a_belt() {
    converges("belt-oscillator", &[], &[], 10.0, 2, 1.0);
}

#[test]
fn a_rod_on_a_belt_below_its_critical_friction() {
    // It lands, slips and comes to rest in steady slip; at the friction of the hop itself the two methods need not agree.
    converges("frictional-bounce", &[("mu", "0.5")], &[], 1.0, 2, 1.0);
}
