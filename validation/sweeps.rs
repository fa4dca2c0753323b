//! Sweeps and basins against other routes: single questions at the same values, closed forms of the literature, coexisting attractors.

use saltation::basin::Starts;
use saltation::sweep::{Axis, Carry};
use saltation::tasks::Exponents;
use saltation::{MotionSettings, RecordSettings, System};

fn gallery(name: &str) -> System {
    System::gallery(name).unwrap()
}

/// The least and the greatest value of a list.
fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
}

#[test]
fn records_are_those_of_simulations_one_by_one() {
    // Also where nothing, or one return, is to settle.
    for (settle, record) in [(37, 23), (1, 5), (0, 5)] {
        records_are_those_of_simulations(settle, record);
    }
}

fn records_are_those_of_simulations(settle: u64, record: u64) {
    let system = gallery("impact-oscillator");
    let swept = system.sweep().along("A", 0.34..=0.37, 7).settle(settle).record(record).run().unwrap();
    for (k, value) in swept.values.iter().enumerate() {
        let run = system.with("A", *value).unwrap().simulation().returns(settle + record).run().unwrap();
        let sections: Vec<usize> = (0..run.events.len()).filter(|&i| run.events[i].kind.name() == "section").collect();
        for j in 0..record as usize {
            let found = &swept.records[k * record as usize + j];
            let here = sections[settle as usize + j];
            let event = &run.events[here];
            for name in ["x", "y"] {
                // Chaotic motions magnify rounding: a sweep passes quiet cells at once, a simulation step by step.
                let distance = (found.state[name] - event.before[name]).abs();
                assert!(distance < 1e-4, "{value} {j} {name} {distance}");
            }
            let before = (settle as usize + j).checked_sub(1).map_or(0, |last| sections[last]);
            let impacts = (before..here).filter(|&i| run.events[i].kind.name() == "impact");
            let speeds: Vec<f64> = impacts.map(|i| run.events[i].speed_before).collect();
            assert_eq!(speeds.len(), found.impact_speeds.len(), "{value} {j}");
        }
    }
}

#[test]
fn periods_are_those_of_orbits_on_both_sides_of_a_period_doubling() {
    // Ghosh & Simpson: period doubling of the two-loop orbit at A = 0.347533397412283, a stable four-loop orbit on [0.34720932, 0.34753340].
    let system = gallery("impact-oscillator").from_state("x", -0.4).unwrap();
    let swept =
        system.sweep().along("A", 0.3473..=0.3485, 13).carry(Carry::Down).settle(2000).record(64).run().unwrap();
    assert_eq!(swept.values[0], 0.3485);
    for task in &swept.tasks {
        let value = task.parameters["A"];
        let expected = if value > 0.347533397412283 { 2 } else { 4 };
        assert_eq!((task.period, task.impacts["wall"]), (Some(expected), 32), "{value}");
    }
    assert_eq!(swept.attractors.len(), 2);
    let ends = (swept.attractors[0].to["A"], swept.attractors[1].from["A"]);
    assert!(ends.0 > 0.3475333 && ends.1 < 0.3475334);
}

#[test]
fn three_attractors_of_the_impact_oscillator_coexist() {
    // omega = 0.799, A = 0.3629: no impact, with a tiny basin; two loops; two loops with two impacts. Impact speeds by direct computation.
    let system = gallery("impact-oscillator").with("omega", 0.799).unwrap().with("A", 0.3629).unwrap();
    let everywhere = system.basin().random("x", -2.0..=0.0).random("y", -2.0..=2.0).count(300).settle(1200).record(20);
    let found = everywhere.run().unwrap();
    assert_eq!(found.unknown, 0);
    let speeds = |k: usize| {
        let mut list: Vec<f64> = found
            .orbit(k)
            .unwrap()
            .orbit
            .as_ref()
            .unwrap()
            .events
            .iter()
            .filter(|e| e.kind.name() == "impact")
            .map(|e| -e.speed_before)
            .collect();
        list.sort_by(f64::total_cmp);
        list
    };
    let loops: Vec<Vec<f64>> = (0..found.attractors.len()).map(speeds).collect();
    let known = |expected: &[f64]| {
        let near = |list: &Vec<f64>| {
            list.len() == expected.len() && list.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-7)
        };
        loops.iter().position(near)
    };
    assert!(known(&[0.199556973]).is_some() && known(&[0.29680662, 1.10838431]).is_some(), "{loops:?}");
    // The orbit without impacts passes the wall at a distance of 3e-4, and lies at x = R cos d - 1, y = omega R sin d where the phase is zero: only starts
    // as close to it stay there.
    let (zeta, omega, amplitude) = (0.02_f64, 0.799_f64, 0.3629_f64);
    let (real, imaginary) = (1.0 - omega * omega, 2.0 * zeta * omega);
    let (size, angle) = (amplitude / real.hypot(imaginary), imaginary.atan2(real));
    let (x, y) = (size * angle.cos() - 1.0, omega * size * angle.sin());
    let quiet = system.basin().random("x", x - 1e-3..=x + 1e-3).random("y", y - 1e-3..=y + 1e-3).count(300);
    let quiet = quiet.settle(1200).record(20);
    let near = quiet.run().unwrap();
    let silent = near.attractors.iter().find(|attractor| attractor.impacts["wall"] == 0);
    let silent = silent.expect("some starts close to the orbit without impacts lead to it");
    assert!(silent.period == Some(1) && silent.confirmed == Some(true) && silent.fraction < 0.9, "{silent:?}");
    assert!((silent.returns[0]["x"] - x).abs() < 1e-9 && (silent.returns[0]["y"] - y).abs() < 1e-9);
}

#[test]
fn mirror_twins_have_equal_basins_within_their_errors() {
    let system = gallery("two-wall-oscillator").with("nu", 0.9).unwrap();
    // A set of starts that the symmetry maps to itself at half a period later is not at hand at one phase: the fractions of the twins differ, their
    // orbits do not.
    let found = system.basin().random("y", -0.95..=0.95).random("w", -3.0..=3.0).count(400).seed(5).run().unwrap();
    assert_eq!((found.attractors.len(), found.unknown), (3, 0));
    assert!((found.fractions.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    let symmetric = found.attractors.iter().position(|a| a.impacts["upper"] == a.impacts["lower"]).unwrap();
    let twins: Vec<usize> = (0..3).filter(|k| *k != symmetric).collect();
    assert!(found.attractors.iter().all(|attractor| attractor.confirmed == Some(true)));
    let multiplier = |k: usize| found.attractors[k].multipliers[0].norm();
    assert!((multiplier(twins[0]) - multiplier(twins[1])).abs() < 1e-9);
    for (fraction, error) in found.fractions.iter().zip(&found.standard_errors) {
        assert!((error - (fraction * (1.0 - fraction) / 400.0).sqrt()).abs() < 1e-15);
    }
    // Another seed agrees within four standard errors.
    let again = system.basin().random("y", -0.95..=0.95).random("w", -3.0..=3.0).count(400).seed(6).run().unwrap();
    for attractor in &found.attractors {
        let other = again.attractors.iter().find(|other| other.impacts == attractor.impacts).unwrap();
        let error = attractor.standard_error.hypot(other.standard_error);
        assert!((attractor.fraction - other.fraction).abs() < 4.0 * error, "{attractor:?} {other:?}");
    }
}

#[test]
fn extremes_and_times_in_contact_are_those_of_a_simulation() {
    // Chattering and sticking in every period.
    let (name, value) = ("e", 0.1);
    let system = gallery("forced-oscillator").with(name, value).unwrap();
    let states: Vec<String> = system.state_names().to_vec();
    let contact = system.model().contacts[0].name.clone();
    let sweep = system.sweep().over(Axis::list(name, vec![value]).unwrap()).settle(40).record(3);
    let swept = sweep.extremes(&states[0]).extremes(&contact).run().unwrap();
    let task = &swept.tasks[0];
    assert_eq!(task.ended, "complete", "{}", task.message);
    let until = system.forcing_period().unwrap();
    let run = system.simulation().until(43.0 * until).every(until / 4000.0).run().unwrap();
    let samples = run.samples.as_ref().unwrap();
    let times = samples.get("time").unwrap();
    let late = |name: &str| {
        let column = samples.get(name).unwrap();
        range(times.iter().zip(column).filter(|(t, _)| **t >= 40.0 * until).map(|(_, x)| *x))
    };
    let sampled = late(&states[0]);
    let [low, high] = task.extremes[&states[0]].map(Option::unwrap);
    let size = high - low;
    assert!(low <= sampled.0 + 1e-9 && high >= sampled.1 - 1e-9, "{low} {high} {sampled:?}");
    // Samples come near: to first order at the wall, where the motion turns sharply, and to second order at its other end.
    assert!(sampled.0 - low < 1e-3 * size && high - sampled.1 < 1e-6 * size, "{low} {high} {sampled:?}");
    let [gap, _] = task.extremes[&contact].map(Option::unwrap);
    assert!(gap.abs() < 1e-9, "contact is closed in every period: {gap}");
    // Time in contact: from the events of the simulation.
    let mut closed = 0.0;
    let mut since = None;
    for event in run.events.iter().filter(|event| event.time >= 40.0 * until) {
        match event.kind.name() {
            "stick" => since = Some(event.time),
            "release" => closed += since.take().map_or(0.0, |begun| event.time - begun),
            _ => {}
        }
    }
    let swept_time = task.contact_time[contact.as_str()];
    assert!(swept_time > 0.0 && (swept_time - closed).abs() < 2e-3 * closed + 1e-3 * until, "{swept_time} {closed}");
}

#[test]
fn exponents_are_those_of_the_question_for_exponents() {
    let system = gallery("impact-oscillator");
    let values = [0.345, 0.36];
    let axis = Axis::list("A", values.to_vec()).unwrap();
    let swept = system.sweep().over(axis).settle(400).record(2000).exponents(Exponents::All).run().unwrap();
    for (task, value) in swept.tasks.iter().zip(values) {
        let measured = system.with("A", value).unwrap().lyapunov().settle(500).returns(2000).run().unwrap();
        // The sum is exact: -2 zeta + 2 ln r times the impacts per time, which differ along a chaotic motion.
        let error = 5.0 * measured.standard_errors[0] + 1e-6;
        assert!((task.exponents[0] - measured.exponents[0]).abs() < error, "{value} {:?} {measured:?}", task.exponents);
    }
    assert!(swept.tasks[0].exponents[0] > 0.01 && swept.tasks[0].period.is_none());
    assert!(swept.tasks[1].exponents[0] < 0.0 && swept.tasks[1].period == Some(2));
}

#[test]
fn a_belt_sticks_at_low_speed_and_its_multipliers_vanish() {
    let system = gallery("belt-oscillator");
    let sweep = system.sweep().along("v", 0.1..=2.5, 9).settle(30).record(10).exponents(Exponents::All);
    let swept = sweep.extremes("x").run().unwrap();
    let slow = &swept.tasks[0];
    assert_eq!((slow.ended.as_str(), slow.period), ("complete", Some(1)), "{}", slow.message);
    assert!(slow.stick_time["belt"] > 0.0 && slow.stick_time["belt"] < slow.contact_time["belt"]);
    // Of the four states two lie in the closed contact and one is lost where the mass sticks: what is left flows along the cycle.
    let lost = slow.exponents.iter().filter(|exponent| **exponent == f64::NEG_INFINITY).count();
    assert!(lost >= 3 && slow.exponents[0].abs() < 1e-6, "{:?}", slow.exponents);
    // The orbit says the same.
    let orbit = system.with("v", 0.1).unwrap().orbit().settle(30).find().unwrap();
    let zeros = orbit.multipliers.iter().filter(|multiplier| multiplier.norm() < 1e-12).count();
    assert_eq!(zeros, lost);
    // At great speeds the mass slips steadily and comes to rest: there is no cycle that sticks.
    let fast = swept.tasks.last().unwrap();
    assert_eq!(fast.stick_time["belt"], 0.0, "{fast:?}");
}

#[test]
fn the_relief_valve_loses_its_equilibrium_and_then_touches_its_seat() {
    // Hopf at q = 8.4911176352; first graze of the cycle at 7.557210972; at q = 5 the largest lift is 4.83098238.
    let system = gallery("relief-valve");
    let system = ["y1", "y2", "y3"]
        .iter()
        .zip([0.2, 0.0, 0.0])
        .fold(system, |system, (name, x)| system.from_state(name, x).unwrap());
    let axis = Axis::list("q", vec![5.0, 7.54, 7.57, 8.4, 8.6]).unwrap();
    let swept = system.sweep().over(axis).settle(1024).record(32).extremes("y1").run().unwrap();
    let lift = |k: usize| swept.tasks[k].extremes["y1"].map(Option::unwrap);
    // Above the Hopf point motions spiral into the equilibrium: a cycle without extent is none.
    let ended: Vec<&str> = swept.tasks.iter().map(|task| task.ended.as_str()).collect();
    assert_eq!(ended, ["complete", "complete", "complete", "complete", "rest"], "{:?}", swept.tasks);
    assert_eq!((swept.tasks[3].period, swept.tasks[4].period), (Some(1), None));
    assert!((lift(0)[1] - 4.83098238).abs() < 1e-8 && swept.tasks[0].period == Some(1), "{:?}", lift(0));
    let impacts = |k: usize| swept.tasks[k].impacts["seat"];
    assert!(impacts(0) > 0 && impacts(1) > 0 && impacts(2) == 0, "{:?}", [impacts(0), impacts(1), impacts(2)]);
    assert_eq!(swept.tasks[2].period, Some(1));
    let size = |k: usize| lift(k)[1] - lift(k)[0];
    assert!(size(2) > 5.0 * size(3) && size(3) > 0.1 && size(4) < 1e-2, "{:?}", [size(2), size(3), size(4)]);
}

#[test]
fn fractions_are_followed_along_a_parameter() {
    let system = gallery("two-wall-oscillator");
    let axis = Axis::linear("nu", 0.9, 0.96, 4).unwrap();
    let found = system.basin().random("y", -0.95..=0.95).random("w", -3.0..=3.0).count(60).over(axis).run().unwrap();
    assert_eq!(found.slices.len(), 4);
    for slice in &found.slices {
        assert!((slice.fractions.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }
    // The symmetric orbit exists at all values and is one attractor, although one of its impacts passes the section between two of them.
    let symmetric = |a: &&saltation::basin::answer::Attractor| a.impacts["upper"] == a.impacts["lower"];
    let list: Vec<_> = found.attractors.iter().filter(symmetric).collect();
    assert_eq!(list.len(), 1, "{list:?}");
    assert_eq!((list[0].from["nu"], list[0].to["nu"]), (0.9, 0.96));
    assert!(found.attractors.len() >= 3);
}

#[test]
fn a_grid_of_starts_and_a_list_of_the_same_lead_to_the_same() {
    let system = gallery("two-wall-oscillator").with("nu", 0.9).unwrap();
    let grid = system.basin().grid("y", -0.9..=0.9, 5).grid("w", -2.0..=2.0, 4).tolerance(1e-11).run().unwrap();
    let of_grid = grid.grid.as_ref().unwrap();
    let mut list = system.basin().tolerance(1e-11);
    let rows = of_grid.values[1].iter().flat_map(|w| of_grid.values[0].iter().map(|y| vec![*w, *y])).collect();
    list.request.starts = Starts::List { states: vec!["w".to_string(), "y".to_string()], rows };
    let list = list.run().unwrap();
    let labels: Vec<Option<usize>> = list.starts.iter().map(|start| start.attractor).collect();
    assert_eq!(labels, of_grid.attractors);
    assert_eq!(list.fractions, grid.fractions);
}

#[test]
fn equilibria_and_small_cycles_are_told_apart_near_a_hopf_point() {
    // The relief valve: a stable cycle below q = 8.4911, a stable equilibrium above; its amplitude grows with the root of the distance.
    let system = gallery("relief-valve").from_state("y1", 0.7).unwrap().from_state("y3", 10.7).unwrap();
    let values = vec![8.2, 8.4, 8.45, 8.53, 8.6, 8.8, 9.5];
    let swept = system.sweep().over(Axis::list("q", values.clone()).unwrap()).settle(1000).record(60).run().unwrap();
    for (task, q) in swept.tasks.iter().zip(&values) {
        let expected = if *q < 8.4911 { ("complete", Some(1)) } else { ("rest", None) };
        assert_eq!((task.ended.as_str(), task.period), expected, "{q} {task:?}");
    }
    assert_eq!(swept.attractors.iter().filter(|attractor| attractor.kind == "rest").count(), 1);
    // Also while the way is long.
    for settle in [50, 100, 400] {
        let swept = system.sweep().over(Axis::list("q", vec![8.8]).unwrap()).settle(settle).record(100).run().unwrap();
        assert_eq!(swept.tasks[0].ended, "rest", "{settle} {:?}", swept.tasks[0]);
    }
}

#[test]
fn a_motion_rests_however_far_it_has_decayed() {
    // A damped oscillator about 0: after 3000 turns its motion is below the smallest number.
    let text = r#"
format = 1
name = "damped"
[parameters]
c = 0.1
[flow]
x = "v"
v = "-x - c*v - 0.1*x^3"
[sections.top]
when = "v"
direction = "falling"
[start]
x = 1
v = 0
"#;
    let system = System::parse(text, "damped").unwrap();
    for settle in [0, 30, 300, 1500, 3000] {
        let swept = system.sweep().over(Axis::list("c", vec![0.05, 0.1, 0.3]).unwrap()).settle(settle).run().unwrap();
        for task in &swept.tasks {
            assert_eq!(task.ended, "rest", "{settle} {task:?}");
        }
        assert_eq!(swept.attractors.len(), 1, "{settle} {:?}", swept.attractors);
    }
}

#[test]
fn a_mass_that_slips_steadily_on_its_belt_rests() {
    // What is left of its motion is rounding about x = 0.3019, and a velocity far below it.
    let system = gallery("belt-oscillator").with("v", 2.5).unwrap();
    let found = system.basin().random("x", -1.0..=1.0).random("u", -1.0..=1.0).count(10).run().unwrap();
    assert_eq!(found.attractors.len(), 1, "{:?}", found.attractors);
    let rest = &found.attractors[0];
    assert_eq!((rest.kind.as_str(), rest.confirmed, rest.count), ("rest", Some(true), 10));
    assert!((rest.returns[0]["x"] - 0.3019077901).abs() < 1e-9, "{rest:?}");
    assert!(found.equilibrium(0).is_some() && found.orbit(0).is_none());
}
