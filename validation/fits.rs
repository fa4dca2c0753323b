//! Fits to measurements: estimates within their standard errors, standard errors as the spread of many draws, and events that one side lacks.

use saltation::fit::Fitted;
use saltation::{Answered, Error, System};
use saltation_numerics::random::Random;

/// A number with the normal distribution (G. E. P. Box & M. E. Muller).
fn normal(random: &mut Random) -> f64 {
    let (u, v) = (1.0 - random.unit(), random.unit());
    (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
}

/// Impacts of a ball in closed form: the first fall from the height h, then flights with e times the speed.
fn bounces(e: f64, g: f64, h: f64, count: usize) -> Vec<f64> {
    let (mut time, mut speed) = ((2.0 * h / g).sqrt(), (2.0 * g * h).sqrt());
    let mut times = vec![time];
    while times.len() < count {
        speed *= e;
        time += 2.0 * speed / g;
        times.push(time);
    }
    times
}

const SIGMA: f64 = 1e-3;

fn ball(random: &mut Random) -> Fitted {
    let system = System::gallery("bouncing-ball").unwrap().with("e", 0.78).unwrap().with("g", 9.7).unwrap();
    let noisy: Vec<f64> = bounces(0.8, 9.8, 1.0, 20).iter().map(|t| t + SIGMA * normal(random)).collect();
    let fit = system.fit([("impact:ground", &noisy[..])], ["e=0.5:0.95", "g"]).sigma("impact:ground", SIGMA).starts(1);
    fit.run().unwrap()
}

/// In units of their standard errors.
fn missed(fitted: &Fitted, true_values: &[f64]) -> Vec<f64> {
    fitted.estimates.iter().zip(true_values).map(|(one, value)| (one.value - value) / one.standard_error).collect()
}

/// Of how many draws both estimates lie within three standard errors, and the root mean square of every estimate's error in standard errors.
fn draws(count: usize) -> (usize, [f64; 2]) {
    let mut random = Random(20);
    let (mut within, mut squares) = (0, [0.0; 2]);
    for _ in 0..count {
        let fitted = ball(&mut random);
        let missed = missed(&fitted, &[0.8, 9.8]);
        within += usize::from(missed.iter().all(|error| error.abs() < 3.0));
        squares.iter_mut().zip(&missed).for_each(|(sum, error)| *sum += error * error);
    }
    (within, squares.map(|sum| (sum / count as f64).sqrt()))
}

#[test]
fn restitution_and_gravity_from_twenty_noisy_impacts() {
    let (within, spreads) = draws(100);
    assert!(within >= 95, "{within} of 100");
    assert!(spreads.iter().all(|spread| (0.8..1.2).contains(spread)), "{spreads:?}");
}

#[test]
#[ignore = "a thousand draws; some seconds"]
fn standard_errors_are_the_spread_of_a_thousand_draws() {
    let (within, spreads) = draws(1000);
    assert!(within >= 980, "{within} of 1000");
    assert!(spreads.iter().all(|spread| (0.9..1.1).contains(spread)), "{spreads:?}");
}

/// Samples of quantities of a system at equal distances, with noise.
fn sampled(system: &System, until: f64, every: f64, name: &str, sigma: f64, seed: u64) -> [Vec<f64>; 2] {
    let mut random = Random(seed);
    let run = system.simulation().until(until).every(every).show([name]).run().unwrap();
    let samples = run.samples.as_ref().unwrap();
    let noisy = samples.get(name).unwrap().iter().map(|x| x + sigma * normal(&mut random)).collect();
    [samples.get("time").unwrap().to_vec(), noisy]
}

fn at(system: &System, values: &[(&str, f64)]) -> System {
    values.iter().fold(system.clone(), |system, (name, value)| system.with(name, *value).unwrap())
}

#[test]
fn five_parameters_of_an_impact_damper_from_its_acceleration() {
    let truth = System::gallery("impact-damper").unwrap();
    let names = ["gamma", "nu", "Delta", "mu", "e"];
    let values = names.map(|name| truth.parameter(name).unwrap());
    let [time, a] = sampled(&truth, 40.0, 0.05, "rate:V1", 0.02, 5);
    let wrong = at(&truth, &[("gamma", 0.04), ("nu", 1.08), ("Delta", 4.2), ("mu", 0.12), ("e", 0.7)]);
    let free = ["gamma=0:0.2", "nu=1.0:1.2", "Delta=3:5", "mu=0.05:0.2", "e=0.5:1"];
    let data = [("time", &time[..]), ("a", &a[..])];
    let fitted = wrong.fit(data, free).column("a", "rate:V1").sigma("a", 0.02).starts(1).run().unwrap();
    let missed = missed(&fitted, &values);
    assert!(
        fitted.ended == "converged" && missed.iter().all(|error| error.abs() < 3.5),
        "{missed:?} {}",
        fitted.report().join("\n")
    );
}

#[test]
fn friction_of_a_driven_mass_from_its_displacement() {
    let text = r#"
format = 1
name = "stick-slip"
[parameters]
A = 1
w = 0.5
F = { value = 0.3, min = 0 }
F_static = { value = 0.45, min = 0 }
[phase.phi]
rate = "w"
period = "2*pi"
[mechanics]
coordinates = ["x"]
velocities = ["v"]
M = [[1]]
h = ["A*cos(phi) - x - 0.05*v"]
[friction.pad]
track = "x"
force = "F"
static = "F_static"
[start]
x = 1.3
v = 0
phi = 0
"#;
    let truth = System::parse(text, "stick-slip.toml").unwrap();
    let [time, x] = sampled(&truth, 60.0, 0.1, "x", 0.01, 6);
    let wrong = at(&truth, &[("F", 0.25), ("F_static", 0.4)]);
    let fitted = wrong.fit([("time", &time[..]), ("x", &x[..])], ["F=0.1:0.6", "F_static=0.1:0.8"]).run().unwrap();
    let missed = missed(&fitted, &[0.3, 0.45]);
    assert!(
        fitted.ended == "converged" && missed.iter().all(|error| error.abs() < 3.5),
        "{missed:?} {}",
        fitted.report().join("\n")
    );
    let noise = fitted.columns[0].sigma;
    assert!(fitted.columns[0].estimated && (noise - 0.01).abs() < 1e-3, "{noise}");
}

#[test]
fn a_relay_from_its_switching_times() {
    let truth = System::gallery("relay-feedback").unwrap().with("omega", 1.0).unwrap();
    let run = truth.simulate(60.0).unwrap();
    let switch = run.events.iter().find_map(|event| event.switch.clone()).unwrap();
    let mut random = Random(7);
    let times: Vec<f64> = run
        .events
        .iter()
        .filter(|event| event.switch.is_some())
        .map(|event| event.time + 1e-4 * normal(&mut random))
        .filter(|time| *time > 0.01)
        .collect();
    assert!(times.len() > 8);
    let name = format!("switch:{switch}");
    let wrong = at(&truth, &[("zeta", 0.12), ("omega", 1.05), ("lambda", 0.9)]);
    let fitted = wrong
        .fit([(name.as_str(), &times[..])], ["zeta=0.05:0.2", "omega=0.8:1.2", "lambda=0.5:1.5"])
        .sigma(&name, 1e-4)
        .run()
        .unwrap();
    let missed = missed(&fitted, &[0.1, 1.0, 1.0]);
    assert!(
        fitted.ended == "converged" && missed.iter().all(|error| error.abs() < 3.5),
        "{missed:?} {}",
        fitted.report().join("\n")
    );
}

#[test]
fn missing_and_spurious_impacts_and_a_clock_that_is_ahead() {
    let text = saltation::gallery::find("bouncing-ball").unwrap().replace("[parameters]", "[parameters]\nclock = 0");
    let system = System::parse(&text, "ball.toml").unwrap();
    let mut random = Random(8);
    let mut times: Vec<f64> =
        bounces(0.8, 9.8, 1.0, 16).iter().map(|t| t + 0.3 + SIGMA * normal(&mut random)).collect();
    times.remove(9);
    times.remove(3);
    times.insert(2, 1.62);
    let free = ["e=0.6:0.95", "g=8:12", "clock=0:1"];
    let fitted =
        system.fit([("impact:ground", &times[..])], free).sigma("impact:ground", SIGMA).clock("clock").run().unwrap();
    let missed = missed(&fitted, &[0.8, 9.8, 0.3]);
    assert!(missed.iter().all(|error| error.abs() < 3.5), "{missed:?} {}", fitted.report().join("\n"));
    let column = &fitted.columns[0];
    assert_eq!((column.missing.len(), column.extra.len(), column.count), (1, 2, 14), "{}", fitted.report().join("\n"));
    assert_eq!(column.missing, [1.62]);
}

#[test]
fn the_fitted_model_is_a_file_that_says_the_same() {
    let system = System::gallery("bouncing-ball").unwrap();
    let times = bounces(0.75, 9.8, 1.0, 10);
    let fitted = system.fit([("impact:ground", &times[..])], ["e"]).run().unwrap();
    let e = fitted.estimates[0].value;
    assert!((e - 0.75).abs() < 1e-9, "{e}");
    let again = System::parse(fitted.answer.fitted.as_ref().unwrap(), "fitted.toml").unwrap();
    assert_eq!(again.parameter("e"), Some(e));
}

/// Impacts of a ball with their speeds, and noise of both that is not given.
fn impacts_with_speeds(count: usize) -> [Vec<f64>; 2] {
    let mut random = Random(11);
    let (e, g, h) = (0.82, 9.81, 1.2);
    let times = bounces(e, g, h, count).iter().map(|time| time + SIGMA * normal(&mut random)).collect();
    let fall = (2.0_f64 * g * h).sqrt();
    let speeds = (0..count).map(|k| fall * f64::powi(e, k as i32) + 1e-2 * normal(&mut random)).collect();
    [times, speeds]
}

/// Every search assumes the same noise, and the noise of the best one alone is estimated.
#[test]
fn searches_are_compared_in_the_noise_that_all_of_them_assumed() {
    let [times, speeds] = impacts_with_speeds(12);
    let ball = System::gallery("bouncing-ball").unwrap();
    let data = [("impact:ground", &times[..]), ("speed:ground", &speeds[..])];
    let fitted = ball.fit(data, ["e=0.5:1", "g=5:15", "h=0.5:2"]).run().unwrap();
    let best = &fitted.starts[fitted.best.unwrap()];
    let least = best.sum.unwrap();
    assert!(best.at_best && fitted.starts.len() == 8, "{}", fitted.report().join("\n"));
    let (here, elsewhere): (Vec<_>, Vec<_>) = fitted.starts.iter().partition(|start| start.at_best);
    // Sums at one minimum agree to the square of how near to it searches end; others are larger.
    assert!(here.len() > 4, "{:?}", fitted.starts);
    for start in here {
        assert!((start.sum.unwrap() / least - 1.0).abs() < 1e-4, "{start:?}");
        let to = start.to.as_ref().unwrap().values().iter();
        assert!(to.zip(&fitted.estimates).all(|(to, one)| (to - one.value).abs() < 2.0 * one.standard_error));
    }
    assert!(elsewhere.iter().all(|start| start.sum.is_none_or(|sum| sum > 1.01 * least)), "{:?}", fitted.starts);
    assert!(fitted.report().iter().any(|line| line.ends_with("of 8 starts end here") && !line.starts_with('1')));
}

/// Impacts determine e and h/g. A third unknown changes neither the residuals nor what they say: the same fit with g held is the second route.
#[test]
fn a_combination_that_is_not_determined_takes_no_degree_of_freedom() {
    let [times, _] = impacts_with_speeds(12);
    let ball = System::gallery("bouncing-ball").unwrap();
    let fit = |free: &[&str]| ball.fit([("impact:ground", &times[..])], free.iter().copied()).run().unwrap();
    let (three, two) = (fit(&["e", "g", "h"]), fit(&["e", "h"]));
    assert_eq!((three.ended.as_str(), two.ended.as_str()), ("not_identifiable", "converged"));
    assert_eq!((three.degrees_of_freedom, two.degrees_of_freedom), (10, 10));
    let near = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-3;
    assert!(near(three.columns[0].sigma, two.columns[0].sigma), "{:?} {:?}", three.columns, two.columns);
    assert!(near(three.chi_squared, 10.0) && near(two.chi_squared, 10.0));
    assert!(near(three.estimates[0].standard_error, two.estimates[0].standard_error));
}

#[test]
fn what_is_left_out_is_told() {
    let ball = System::gallery("bouncing-ball").unwrap();
    let mut times = bounces(0.8, 9.8, 1.0, 6);
    times.insert(2, f64::NAN);
    times.insert(4, f64::INFINITY);
    times.extend([f64::NAN; 3]);
    let fitted = ball.fit([("impact:ground", &times[..])], ["e"]).run().unwrap();
    let column = &fitted.columns[0];
    // Cells below the last number are those of shorter columns.
    assert_eq!((column.count, column.not_measured, column.infinite), (6, 1, 1));
    let report = fitted.report().join("\n");
    assert!(report.contains("impact:ground: 1 cell left out, without a number: not measured"), "{report}");
    assert!(report.contains("impact:ground: 1 cell left out, infinite"), "{report}");
    // One number for one unknown.
    let exact = ball.fit([("impact:ground", &times[..1])], ["g"]).run().unwrap().report().join("\n");
    assert!(exact.contains("nothing is left to estimate sigma with") && !exact.contains("NaN"), "{exact}");
}

/// What is refused, and what is told.
#[test]
fn wrong_data_are_told() {
    let system = System::gallery("bouncing-ball").unwrap();
    let times = bounces(0.8, 9.8, 1.0, 6);
    let mistake = |name: &str, column: &[f64], free: &str, part: &str| match system.fit([(name, column)], [free]).run()
    {
        Err(Error::Request(list)) => {
            assert!(list.iter().any(|one| one.to_string().contains(part)), "{name} {free}: {list:?}")
        }
        other => panic!("{name} {free}: {:?}", other.map(|found| found.answer.ended)),
    };
    mistake("impact:grund", &times, "e", "did you mean `ground`?");
    mistake("height", &times, "e", "measures nothing that the model has");
    mistake("x", &times, "e", "no column `time`");
    mistake("impact:ground", &[1.0, 0.5], "e", "times decrease");
    mistake("impact:ground", &[f64::NAN], "e", "has no number");
    mistake("speed:ground", &times, "e", "without their times");
    mistake("impact:ground", &times, "E", "no parameter or state `E`");
    mistake("impact:ground", &times, "e=0.9:0.5", "is empty");
    mistake("impact:ground", &times, "e=0.9", "is not a range");
    mistake("impact:ground", &times, "", "no parameter or state");
    // What does not enter, and fewer numbers than unknowns.
    let resting = system.fit([("impact:ground", &times[..])], ["e", "start.v", "h"]).run().unwrap();
    assert_eq!(
        (resting.ended.as_str(), resting.undetermined.len()),
        ("converged", 0),
        "{}",
        resting.report().join("\n")
    );
    let few = system.fit([("impact:ground", &times[..2])], ["e", "g", "h"]).run().unwrap();
    assert_eq!((few.ended.as_str(), few.undetermined.len()), ("not_identifiable", 1), "{}", few.report().join("\n"));
    let scale = system.fit([("impact:ground", &times[..])], ["e", "g", "h"]).run().unwrap();
    assert_eq!(scale.ended, "not_identifiable", "{}", scale.report().join("\n"));
    let direction = &scale.undetermined[0];
    assert!((direction["g"] - direction["h"]).abs() < 1e-6 && direction["e"].abs() < 1e-6, "{direction:?}");
    // Data of another system: a ball that stays up.
    let other = system.fit([("impact:ground", &[30.0, 60.0][..])], ["e=0.5:0.9"]).run().unwrap();
    assert_ne!(other.ended, "converged", "{}", other.report().join("\n"));
    assert!(["unmatched", "not_identifiable", "partial"].contains(&other.ended.as_str()), "{}", other.ended);
    // As many numbers as unknowns say nothing about their noise, and so about errors.
    let exact = system.fit([("impact:ground", &times[..2])], ["e", "g"]).run().unwrap();
    assert!(
        exact.estimates.iter().all(|one| one.identifiable && one.standard_error.is_nan()),
        "{}",
        exact.report().join("\n")
    );
    let known = system.fit([("impact:ground", &times[..2])], ["e", "g"]).sigma("impact:ground", 1e-3).run().unwrap();
    assert!(known.estimates.iter().all(|one| one.standard_error > 0.0));
}
