//! Functions that are given by points: their motions against those of the functions, closed forms, and derivatives against differences of whole motions.

use crate::common::{assert_close, beside, parse, run, run_with, settled};
use saltation_model::{Model, Overrides, Values};
use saltation_motion::{Ended, EventKind, Happening, Motion, Perturbation, Settings, System};
use saltation_orbit::branch;

/// Points of a function, as they stand in a model.
fn knots(count: usize, [from, to]: [f64; 2], function: impl Fn(f64) -> f64) -> String {
    let point = |i: usize| {
        let x = from + (to - from) * i as f64 / count as f64;
        format!("[{x:?}, {:?}]", function(x))
    };
    let points: Vec<String> = (0..=count).map(point).collect();
    format!("knots = [{}]", points.join(", "))
}

/// One turn of the sine; it ends as it begins, bit by bit.
fn sine(count: usize) -> String {
    let text = knots(count, [0.0, std::f64::consts::TAU], f64::sin);
    let last = text.rfind(", ").expect("points have two numbers");
    format!("{}, 0.0]]", &text[..last])
}

/// A body on a nonlinear spring with a force, and tables.
fn forced(force: &str, tables: &str) -> (System, Values) {
    parse(&format!(
        "format = 1\nname = \"forced\"\n{tables}\n[parameters]\nomega = 1.3\nF = 0.7\n[phase.phi]\nrate = \"omega\"\nperiod = \"2*pi\"\n\
         [mechanics]\ncoordinates = [\"x\"]\nvelocities = [\"v\"]\nM = [[1]]\nh = [\"-0.2*v - x - x^3 + F*({force})\"]\n\
         [start]\nx = 0.3\nv = 0.1\nphi = 0.2\n"
    ))
}

#[test]
fn a_table_of_a_sine_gives_the_motion_of_a_sine_to_the_order_of_its_interpolation() {
    let end = |(system, values): (System, Values)| run(&system, &values, 20.0).state[..2].to_vec();
    let exact = end(forced("sin(phi)", ""));
    for (interpolation, order, counts) in
        [("cubic", 4, [40, 80, 160]), ("linear", 2, [40, 80, 160]), ("monotone", 2, [0, 0, 0])]
    {
        let error = |count: usize| {
            let table =
                format!("[tables.wave]\n{}\ninterpolation = \"{interpolation}\"\nbeyond = \"periodic\"", sine(count));
            let found = end(forced("wave(phi)", &table));
            found.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
        };
        if counts[0] == 0 {
            // It is flat at the extrema of the points: its order is lower there.
            assert!(error(160) < error(40) / 4.0);
            continue;
        }
        let errors = counts.map(error);
        let expected = 2.0_f64.powi(order);
        for pair in errors.windows(2) {
            assert!((pair[0] / pair[1] / expected - 1.0).abs() < 0.1, "{interpolation}: {errors:?}");
        }
    }
}

/// x'' = -f(x) with f linear between knots: between two of them the motion is harmonic, and its energy is the area under the table.
#[test]
fn a_spring_of_straight_lines_keeps_its_energy() {
    let table = "[tables.f]\nknots = [[-1, -3], [-0.2, -0.2], [0.2, 0.2], [1, 3]]\ninterpolation = \"linear\"\nbeyond = \"refuse\"";
    let text = format!(
        "format = 1\nname = \"spring\"\n{table}\n[mechanics]\ncoordinates = [\"x\"]\nvelocities = [\"v\"]\nM = [[1]]\nh = [\"-f(x)\"]\n[start]\nx = 0.9\nv = 0\n"
    );
    let (system, values) = parse(&text);
    let energy = |x: f64, v: f64| {
        let outer = (x.abs() - 0.2).max(0.0);
        let inner = x.abs().min(0.2);
        0.5 * v * v + 0.5 * inner * inner + 0.2 * outer + 1.75 * outer * outer
    };
    let run = run(&system, &values, 50.0);
    let path = run.trajectory.unwrap();
    for k in 0..=500 {
        let x = path.at(0.1 * f64::from(k));
        assert!((energy(x[0], x[1]) - energy(0.9, 0.0)).abs() < 1e-11, "{k}");
    }
}

/// x' = a on each step of a table: the time to x is the sum of widths over rates.
#[test]
fn a_field_of_steps_has_its_closed_form_with_its_derivatives() {
    let text = "format = 1\nname = \"steps\"\n[tables.rate]\nknots = [[0, 1], [1, 2], [3, 0.5], [4, 4], [9, 4]]\ninterpolation = \"step\"\n\
                [parameters]\nc = 1\n[flow]\nx = \"c*rate(x)\"\n[start]\nx = 0.25\n";
    let (system, values) = parse(text);
    // 0.75/1 + 2/2 + 1/0.5 = 3.75, and then with rate 4.
    let directions = [Perturbation::of_state(&system, 0), Perturbation::of_parameter(&system, 0)];
    let settings = Settings { until: 4.25, ..Settings::default() };
    let mut motion = Motion::with_derivatives(&system, &values, settings, &directions).unwrap();
    while !matches!(motion.advance(), Happening::Ended(_)) {}
    assert!((motion.state()[0] - 6.0).abs() < 1e-13);
    // The motion is later by dx/1: it is farther by 4 dx; and x = X(c t), so that dx/dc = 4 t.
    let derivatives = motion.derivatives();
    assert!((derivatives.state(0)[0] - 4.0).abs() < 1e-12, "{:?}", derivatives.state(0));
    assert!((derivatives.state(1)[0] - 4.0 * 4.25).abs() < 1e-12, "{:?}", derivatives.state(1));
}

/// All derivatives of a motion against central differences of fourth order.
fn compare(name: &str, (system, values): (&System, &Values), until: f64, h: f64) {
    let states = values.start().len();
    let of = |i: usize| Perturbation::of_state(system, i);
    let directions: Vec<Perturbation> = (0..states)
        .map(of)
        .chain((0..values.parameters().len()).map(|i| Perturbation::of_parameter(system, i)))
        .collect();
    let settings = Settings { until, ..Settings::default() };
    let mut motion = Motion::with_derivatives(system, values, settings, &directions).unwrap();
    loop {
        if let Happening::Ended(ended) = motion.advance() {
            assert!(ended.is_complete(), "{name}: {ended:?}");
            break;
        }
    }
    let derivatives = motion.derivatives();
    for direction in 0..directions.len() {
        let shifted = |step: f64| run(system, &beside(values, direction, step), until).state;
        let [far_down, down, up, far_up] = [-2.0 * h, -h, h, 2.0 * h].map(shifted);
        for i in 0..states {
            let slope = (8.0 * (up[i] - down[i]) - (far_up[i] - far_down[i])) / (12.0 * h);
            let exact = derivatives.state(direction)[i];
            assert!((exact - slope).abs() < 2e-6 * slope.abs().max(1.0), "{name}: {direction} {i}: {exact} {slope}");
        }
    }
}

#[test]
fn derivatives_pass_knots_of_every_kind() {
    let wave = |x: f64| (1.7 * x).sin() + 0.3 * x;
    for interpolation in ["cubic", "monotone", "linear", "step"] {
        // A force by place, which the motion passes to and fro, and one by the phase.
        let table = format!(
            "[tables.place]\n{}\ninterpolation = \"{interpolation}\"\nbeyond = \"hold\"\n[tables.wave]\n{}\ninterpolation = \"{interpolation}\"\nbeyond = \"periodic\"",
            knots(11, [-2.0, 2.1], wave),
            sine(14)
        );
        let (system, values) = forced("wave(phi) - 0.4*place(x + 0.1*v^2)", &table);
        compare(interpolation, (&system, &values), 7.3, 2e-6);
    }
}

/// A quarter car: a wheel that may leave the road, and a body on it.
fn car(interpolation: &str) -> String {
    let road = knots(12, [0.0, 6.0], |s| {
        let s = s % 6.0;
        0.05 * (std::f64::consts::TAU * s / 6.0).sin() + 0.02 * (2.0 * std::f64::consts::TAU * s / 6.0).cos()
    });
    format!(
        "format = 1\nname = \"car\"\n[tables.road]\n{road}\ninterpolation = \"{interpolation}\"\nbeyond = \"periodic\"\n\
         [parameters]\nV = 22\nm = 0.4\nk = 30\nc = 1.5\nr = 0.3\n[phase.s]\nrate = \"V\"\nperiod = 6\n\
         [mechanics]\ncoordinates = [\"z\", \"w\"]\nvelocities = [\"vz\", \"vw\"]\nM = [[1, 0], [0, \"m\"]]\n\
         h = [\"-k*(z - w) - c*(vz - vw) - 9.81\", \"k*(z - w) + c*(vz - vw) - 9.81*m\"]\n\
         [contacts.wheel]\ngap = \"w - road(s)\"\nrestitution = \"r\"\n[start]\nz = -0.25\nw = 0.1\nvz = 0\nvw = 0\ns = 0.4\n"
    )
}

#[test]
fn a_wheel_on_a_measured_road_lifts_off_and_rolls_with_derivatives() {
    for interpolation in ["cubic", "monotone"] {
        let (system, values) = parse(&car(interpolation));
        let run = run(&system, &values, 6.0);
        for kind in [EventKind::Impact, EventKind::Stick, EventKind::Release] {
            assert!(run.count(kind) > 0, "{interpolation}: no {kind:?}: {:?}", run.ended);
        }
        compare(interpolation, (&system, &values), 0.6, 1e-6);
    }
}

#[test]
fn orbits_through_knots_have_the_multipliers_of_differences() {
    for interpolation in ["cubic", "linear", "step"] {
        let table = format!("[tables.wave]\n{}\ninterpolation = \"{interpolation}\"\nbeyond = \"periodic\"", sine(9));
        let (system, values) = forced("wave(phi)", &table);
        let orbit = settled(&system, &values, 1, 200);
        let period = std::f64::consts::TAU / 1.3;
        assert!((orbit.period - period).abs() < 1e-10);
        let section = orbit.state.clone();
        let image = |i: usize, step: f64| {
            let mut start = section.clone();
            start[i] += step;
            run(&system, &values.with_start(&start), period).state
        };
        let h = 1e-5;
        let column = |i: usize| {
            let (up, down) = (image(i, h), image(i, -h));
            [(up[0] - down[0]) / (2.0 * h), (up[1] - down[1]) / (2.0 * h)]
        };
        let (a, b) = (column(0), column(1));
        let (trace, determinant) = (a[0] + b[1], a[0] * b[1] - a[1] * b[0]);
        let multipliers = &orbit.multipliers;
        let sum = multipliers.iter().map(|m| m.re).sum::<f64>();
        let product = multipliers[0] * multipliers[1];
        assert!(
            (sum - trace).abs() < 1e-8 && (product.re - determinant).abs() < 1e-8,
            "{interpolation}: {multipliers:?}"
        );
        // The damping alone says how areas shrink.
        assert_close(product.re, (-0.2 * period).exp(), 1e-9);
    }
}

#[test]
fn a_motion_ends_where_a_table_does() {
    let text = "format = 1\nname = \"end\"\n[tables.f]\nknots = [[0, 1], [1, 2], [2, 5]]\nbeyond = \"refuse\"\n[flow]\nx = \"0.5 + 0*f(x) + f(x/2)\"\n[start]\nx = 0\n";
    let (system, values) = parse(text);
    let run = run(&system, &values, 50.0);
    let Ended::OutsideTable { value, .. } = run.ended else { panic!("{:?}", run.ended) };
    assert!((value - 2.0).abs() < 1e-12);
    let said = run.ended.describe(&system);
    assert!(said.contains("x/2 of the table f has left its points"), "{said}");
    // What begins outside ends at once.
    let run = run_with(&system, &values.with_start(&[-0.1]), Settings { until: 1.0, ..Settings::default() });
    assert!(matches!(run.ended, Ended::OutsideTable { .. }), "{:?}", run.ended);
}

/// A start outside is told in the words of a trajectory that leaves.
#[test]
fn a_start_outside_of_a_table_is_named() {
    let text = "format = 1\nname = \"start\"\n[tables.f]\nknots = [[0, 1], [1, 2]]\nbeyond = \"refuse\"\n[flow]\nx = \"f(x/2)\"\n[start]\nx = 4\n";
    let model = Model::parse(text, "start.toml").unwrap();
    let said = model.values(&Overrides::default()).unwrap_err().to_string();
    for part in
        ["the argument x/2 of the table f lies outside of its points", "it is 2.0", "from 0.0", "to 1.0", "\"hold\""]
    {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(!said.contains(".c0"), "{said}");
}

#[test]
fn a_jump_that_drives_back_from_either_side_is_named() {
    let text = "format = 1\nname = \"held\"\n[tables.f]\nknots = [[0, 1], [1, -1], [2, -1]]\ninterpolation = \"step\"\nbeyond = \"hold\"\n[flow]\nx = \"f(x)\"\n[start]\nx = 0.5\n";
    let (system, values) = parse(text);
    let run = run(&system, &values, 5.0);
    assert!(matches!(run.ended, Ended::HeldAtKnot { value, .. } if (value - 1.0).abs() < 1e-12), "{:?}", run.ended);
    assert!((run.time - 0.5).abs() < 1e-12);
}

#[test]
fn branches_of_orbits_with_impacts_pass_knots() {
    for interpolation in ["cubic", "linear", "step"] {
        let text = format!(
            "format = 1\nname = \"forced\"\n[tables.wave]\n{}\ninterpolation = \"{interpolation}\"\nbeyond = \"periodic\"\n\
             [tables.spring]\nknots = [[-3, -3.5], [-1.4, -1.5], [-0.7, -0.65], [0, 0], [2, 2.4]]\nbeyond = \"hold\"\n\
             [parameters]\nomega = 0.81\nF = 0.75\n[phase.phi]\nrate = \"omega\"\nperiod = \"2*pi\"\n\
             [mechanics]\ncoordinates = [\"x\"]\nvelocities = [\"v\"]\nM = [[1]]\nh = [\"F*wave(phi) - 0.1*v - spring(x) - 0.5\"]\n\
             [contacts.wall]\ngap = \"-x\"\nrestitution = 0.8\n[start]\nx = -0.5\nv = 0\nphi = 0\n",
            sine(11)
        );
        let (system, values) = parse(&text);
        let values = values.along(&["F"]).unwrap();
        let orbit = settled(&system, &values, 1, 300);
        assert!(orbit.events.iter().any(|event| event.kind == EventKind::Impact), "{interpolation}");
        let settings = branch::Settings::between(0.7, 0.8);
        let branch = branch::follow(&system, &values, &orbit, &settings, &mut |_, _| true).unwrap().swap_remove(0);
        let (first, last) = (&branch.points[0], &branch.points[branch.points.len() - 1]);
        let reached = [first, last].map(|point| branch.value(point));
        assert!((reached[0] - reached[1]).abs() > 0.02, "{interpolation}: {reached:?} {:?}", branch.ended);
        // Every point is an orbit of the motion itself, with its multipliers.
        for point in branch.points.iter().step_by(3).filter(|point| point.admissible && point.stable) {
            let at = values.with_parameters(&point.parameters);
            // From a little before its section, which may be an impact.
            let states = [Perturbation::of_state(&system, 0), Perturbation::of_state(&system, 1)];
            let shift = 0.3 * point.period;
            let start = run(&system, &at.with_start(&point.state), shift).state;
            let settings = Settings { until: point.period, ..Settings::default() };
            let mut motion = Motion::with_derivatives(&system, &at.with_start(&start), settings, &states).unwrap();
            while !matches!(motion.advance(), Happening::Ended(_)) {}
            let distance = (0..2).map(|i| (motion.state()[i] - start[i]).abs()).fold(0.0, f64::max);
            assert!(distance < 1e-8, "{interpolation}: {distance:e} at {:?}", point.parameters);
            let derivatives = motion.derivatives();
            let trace = derivatives.state(0)[0] + derivatives.state(1)[1];
            let sum = point.multipliers.iter().map(|m| m.re).sum::<f64>();
            assert!((trace - sum).abs() < 1e-6 * trace.abs().max(1.0), "{interpolation}: {trace} {sum}");
        }
    }
}

/// The car of the gallery on its road: areas in all phase planes shrink by the damper alone, whatever the tyre does, and neighbours of the orbit move as its multipliers say.
#[test]
fn the_car_of_the_gallery_has_an_orbit_through_its_road() {
    let (system, values) = crate::common::system("quarter-car", &[], &[]);
    let orbit = settled(&system, &values, 1, 10);
    let period = 20.0 / 8.0;
    assert_close(orbit.period, period, 1e-10);
    let shrinks = -(980.0 / 240.0 + 980.0 / 36.0) * period;
    assert_close(orbit.log_moduli.iter().sum::<f64>(), shrinks, 1e-5);
    let crossed: Vec<&str> = orbit.events.iter().map(|event| event.kind.name()).collect();
    assert!(crossed.contains(&"switch"), "the wheel leaves the road: {crossed:?}");
    // The body decays slowest: a neighbour comes back by the leading pair, whose trace and determinant are those of differences.
    let image = |i: usize, step: f64| {
        let mut start = orbit.state.clone();
        start[i] += step;
        run(&system, &values.with_start(&start), period).state
    };
    let (h, n) = (1e-6, 4);
    let trace: f64 = (0..n).map(|i| (image(i, h)[i] - image(i, -h)[i]) / (2.0 * h)).sum();
    assert_close(orbit.multipliers.iter().map(|m| m.re).sum::<f64>(), trace, 1e-8);
}
