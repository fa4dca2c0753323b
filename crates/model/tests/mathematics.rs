//! The derived formulas against printed ones, against published numbers, and against differences of the formulas themselves.

use saltation_model::{Model, Overrides, SectionKind, Values, gallery};

use approx::assert_relative_eq;
use saltation_expr::Node;

fn model(name: &str) -> Model {
    gallery::model(name).expect("listed").unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

fn parse(text: &str) -> Model {
    Model::parse(text, "test.toml").unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

fn values(model: &Model, set: &[(&str, &str)], start: &[(&str, &str)]) -> Values {
    let own = |pairs: &[(&str, &str)]| pairs.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect();
    let settings = Overrides { set: own(set), start: own(start) };
    model.values(&settings).unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

fn at(model: &Model, values: &Values, node: Node) -> f64 {
    let symbols = [values.start(), values.parameters()].concat();
    model.graph.evaluate(node, &|symbol| symbols[symbol])
}

/// A pseudo-random number between -1 and 1 for each index.
fn noise(i: usize) -> f64 {
    let x = (i as f64 * 12.9898 + 4.1).sin() * 43758.5453;
    2.0 * (x - x.floor()) - 1.0
}

#[test]
fn the_lagrangian_gives_the_printed_pendulum() {
    let (derived, printed) = (model("double-pendulum"), model("double-pendulum-mechanics"));
    let [a, b] = [&derived, &printed].map(|model| model.body.mechanics().expect("mechanical"));
    for sample in 0..200 {
        let mut numbers = values(&derived, &[], &[]);
        for i in 0..4 {
            numbers.set_start(i, 3.0 * noise(4 * sample + i)).unwrap();
        }
        for i in 0..2 {
            let pairs = (0..2).map(|j| (a.mass[i][j], b.mass[i][j])).chain([(a.force[i], b.force[i])]);
            for (x, y) in pairs {
                let (x, y) = (at(&derived, &numbers, x), at(&printed, &numbers, y));
                // Relative to the largest terms of h, about 100: they may cancel.
                assert_relative_eq!(x, y, epsilon = 1e-13 * 100.0, max_relative = 1e-13);
            }
        }
        for (x, y) in derived.states.iter().zip(&printed.states) {
            let (x, y) = (at(&derived, &numbers, x.rate), at(&printed, &numbers, y.rate));
            assert_relative_eq!(x, y, epsilon = 1e-11, max_relative = 1e-12);
        }
    }
}

/// Unit values of the double pendulum, computed independently with many digits.
#[test]
fn the_pendulum_has_its_published_unit_values() {
    for name in ["double-pendulum", "double-pendulum-mechanics"] {
        let model = model(name);
        let start = [("q1", "0.4"), ("q2", "-2.05"), ("w1", "0.3"), ("w2", "0.8")];
        let numbers = values(&model, &[("T", "-40"), ("d", "0.5009"), ("e", "0.19")], &start);
        let at = |node| at(&model, &numbers, node);
        let wall = &model.contacts[0];
        assert_relative_eq!(at(model.states[2].rate), -23.037783550855817, max_relative = 1e-12);
        assert_relative_eq!(at(model.states[3].rate), -8.981997255360584, max_relative = 1e-12);
        // H is the small difference of numbers of size 1 and is given with 13 digits.
        assert_relative_eq!(at(wall.gap), 2.955973675275e-3, epsilon = 1e-15);
        assert_relative_eq!(at(wall.speed), -9.253985490050e-2, max_relative = 1e-12);
        assert_relative_eq!(at(wall.acceleration), -16.54498590338964, max_relative = 1e-12);
        assert_relative_eq!(at(wall.restitution), 0.19, max_relative = 1e-15);

        // Sticking: F' = F - (a/(L_W v)) W, where L_W v = -(1 + e) for a mechanical contact.
        let factor = at(wall.acceleration) / -(1.0 + 0.19);
        let sticking = |i: usize| at(model.states[i].rate) - factor * at(wall.direction[i]);
        assert_relative_eq!(sticking(2), -4.787126731751822, max_relative = 1e-12);
        assert_relative_eq!(sticking(3), -8.407289161440273, max_relative = 1e-12);
    }
}

#[test]
fn an_impact_reverses_the_opening_speed_by_the_restitution() {
    for name in gallery::NAMES {
        let model = model(name);
        let mut numbers = values(&model, &[], &[]);
        for contact in &model.contacts {
            let near: Vec<f64> = numbers.start().iter().enumerate().map(|(i, x)| x + 0.1 * noise(i)).collect();
            numbers.start_from(&near);
            let image: Vec<f64> = contact.after.iter().map(|&image| at(&model, &numbers, image)).collect();
            let after = numbers.with_start(&image);
            let (before, r) = (at(&model, &numbers, contact.speed), at(&model, &numbers, contact.restitution));
            assert_relative_eq!(at(&model, &after, contact.speed), -r * before, epsilon = 1e-13, max_relative = 1e-12);
            assert_relative_eq!(at(&model, &after, contact.gap), at(&model, &numbers, contact.gap), epsilon = 1e-14);
        }
    }
}

/// v and a are the first two time derivatives of H: against differences along Runge-Kutta steps.
#[test]
fn speed_and_acceleration_are_time_derivatives_of_the_gap() {
    for name in gallery::NAMES {
        let model = model(name);
        let numbers = values(&model, &[], &[]);
        let rates = |x: &[f64]| -> Vec<f64> {
            let here = numbers.with_start(x);
            model.states.iter().map(|state| at(&model, &here, state.rate)).collect()
        };
        let moved = |x: &[f64], k: &[f64], h: f64| -> Vec<f64> { x.iter().zip(k).map(|(x, k)| x + h * k).collect() };
        let step = |h: f64| -> Values {
            let x = numbers.start();
            let k1 = rates(x);
            let k2 = rates(&moved(x, &k1, h / 2.0));
            let k3 = rates(&moved(x, &k2, h / 2.0));
            let k4 = rates(&moved(x, &k3, h));
            let k: Vec<f64> = (0..x.len()).map(|i| (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]) / 6.0).collect();
            numbers.with_start(&moved(x, &k, h))
        };
        for contact in &model.contacts {
            // The sleeve of the woodpecker swings a thousand times faster than the other models, and the crank turns a hundred times faster.
            let h = if ["woodpecker", "slider-crank"].contains(&name) { 1e-7 } else { 1e-4 };
            let [before, after] = [-h, h].map(step);
            let slope = |node: Node| (at(&model, &after, node) - at(&model, &before, node)) / (2.0 * h);
            assert_relative_eq!(
                slope(contact.gap),
                at(&model, &numbers, contact.speed),
                epsilon = 2e-5,
                max_relative = 2e-5
            );
            assert_relative_eq!(
                slope(contact.speed),
                at(&model, &numbers, contact.acceleration),
                epsilon = 2e-4,
                max_relative = 2e-5
            );
        }
    }
}

#[test]
fn the_damper_exchanges_momentum_as_printed() {
    let model = model("impact-damper");
    let numbers = values(&model, &[], &[]);
    let (mu, e) = (0.1, 0.8);
    let alpha =
        [(1.0 - mu * e) / (1.0 + mu), mu * (1.0 + e) / (1.0 + mu), (1.0 + e) / (1.0 + mu), (mu - e) / (1.0 + mu)];
    let (v1, v2) = (numbers.start()[2], numbers.start()[3]);
    for contact in &model.contacts {
        assert_relative_eq!(
            at(&model, &numbers, contact.after[2]),
            alpha[0] * v1 + alpha[1] * v2,
            max_relative = 1e-14
        );
        assert_relative_eq!(
            at(&model, &numbers, contact.after[3]),
            alpha[2] * v1 + alpha[3] * v2,
            max_relative = 1e-13
        );
    }
}

#[test]
fn a_moving_table_enters_the_opening_speed() {
    let model = model("ball-on-table");
    let table = &model.contacts[0];
    assert_eq!(model.graph.print(table.speed), "v - K*cos(phi)");
    assert_eq!(model.graph.print(table.acceleration), "-1 + K*sin(phi)");
    assert_eq!(model.graph.print(table.direction[1]), "-(e + 1)");
    // One impact per cycle: v after is pi, the phase as in the reference; the jump must give it from v before = -pi.
    let (e, k): (f64, f64) = (0.9, 0.5);
    let phase = (std::f64::consts::PI * (1.0 - e) / ((1.0 + e) * k)).acos();
    let mut numbers = values(&model, &[], &[]);
    numbers.start_from(&[k * phase.sin(), -std::f64::consts::PI, phase]);
    assert_relative_eq!(at(&model, &numbers, table.after[1]), std::f64::consts::PI, max_relative = 1e-14);
}

#[test]
fn the_direction_of_a_flow_follows_from_its_jump() {
    let model = model("forced-oscillator");
    let stop = &model.contacts[0];
    let printed: Vec<String> = stop.direction.iter().map(|&w| model.graph.print(w)).collect();
    assert_eq!(printed, ["0", "-e - 1", "0"]);
    assert_eq!(model.graph.print(stop.restitution), "e");
    assert!(model.linear);

    // A gap with a curved surface and a jump that grows with the square of v: W is its linear part along the surface.
    let model = parse(
        r#"
        format = 1
        name = "curved"
        [flow]
        x = "u"
        y = "w"
        u = "-x"
        w = "-1"
        [contacts.round]
        gap = "sqrt(x^2 + y^2) - 1"
        [contacts.round.jump]
        u = "u - (1.5*v - 0.1*v^2)*x/sqrt(x^2 + y^2)"
        w = "w - (1.5*v - 0.1*v^2)*y/sqrt(x^2 + y^2)"
        [definitions]
        v = "(x*u + y*w)/sqrt(x^2 + y^2)"
        [start]
        x = 0.6
        y = 0.8
        u = 0.8
        w = -0.6
        "#,
    );
    let numbers = values(&model, &[], &[]);
    let round = &model.contacts[0];
    assert_relative_eq!(at(&model, &numbers, round.speed), 0.0, epsilon = 1e-15);
    assert_relative_eq!(at(&model, &numbers, round.restitution), 0.5, max_relative = 1e-13);
    assert_relative_eq!(at(&model, &numbers, round.direction[2]), -1.5 * 0.6, max_relative = 1e-13);
    assert_relative_eq!(at(&model, &numbers, round.direction[3]), -1.5 * 0.8, max_relative = 1e-13);
    assert!(model.linear);
}

#[test]
fn a_phase_in_the_lagrangian_gives_its_inertial_force() {
    // A pendulum on a support that moves by B sin(phi): with u = l q its equation is
    // l q'' = -(g - B W^2 sin(phi)) sin(q) for vertical support motion, phi' = W.
    let model = parse(
        r#"
        format = 1
        name = "shaken-pendulum"
        [parameters]
        g = 9.81
        l = 0.7
        B = 0.2
        W = 3
        [phase.phi]
        rate = "W"
        period = "2*pi"
        [definitions]
        vx = "l*w*cos(q)"
        vy = "l*w*sin(q) + B*W*cos(phi)"
        [lagrangian]
        coordinates = ["q"]
        velocities = ["w"]
        L = "(vx^2 + vy^2)/2 + g*l*cos(q)"
        [start]
        q = 0.3
        w = 1.1
        phi = 0.4
        "#,
    );
    let numbers = values(&model, &[], &[]);
    let expected = -(9.81 - 0.2 * 9.0 * 0.4_f64.sin()) * 0.3_f64.sin() / 0.7;
    assert_relative_eq!(at(&model, &numbers, model.states[1].rate), expected, max_relative = 1e-13);
}

#[test]
fn sections_wrap_with_their_circle() {
    let pendulum = model("double-pendulum");
    assert_eq!(values(&pendulum, &[], &[]).section_periods(), [Some(2.0 * std::f64::consts::PI)]);
    let text = gallery::find("two-wall-oscillator").expect("listed").to_string()
        + "\n[sections.strobe]\nwhen = \"2*phi - 1\"\n[sections.middle]\nwhen = \"y\"\ndirection = \"rising\"\n\
           [sections.hit]\nwhen = \"contact lower\"\n";
    let model = parse(&text);
    assert_eq!(values(&model, &[], &[]).section_periods(), [Some(4.0 * std::f64::consts::PI), None, None]);
    assert!(matches!(model.sections[2].kind, SectionKind::Contact(1)));
}

#[test]
fn linear_fields_are_known_as_such() {
    for name in gallery::NAMES {
        let curved = [
            "double-pendulum",
            "double-pendulum-mechanics",
            "relief-valve",
            "frictional-bounce",
            "simplest-walker",
            "hertz-ball",
            "slider-crank",
            "quarter-car",
            "two-tones",
        ];
        let expected = !curved.contains(&name);
        assert_eq!(model(name).linear, expected, "{name}");
    }
}

#[test]
fn dependents_follow_a_parameter_that_is_set() {
    let text = gallery::find("bouncing-ball").expect("listed");
    let model = parse(&text.replace("[mechanics]", "double = \"2*h\"\nfour = \"2*double\"\n[mechanics]"));
    assert_eq!(values(&model, &[], &[]).parameters(), [9.8, 0.8, 1.0, 2.0, 4.0]);
    let set = values(&model, &[("h", "sqrt(g*0 + 9)"), ("e", "-(-1/4)")], &[("v", "four - 1e0")]);
    assert_eq!(set.parameters(), [9.8, 0.25, 3.0, 6.0, 12.0]);
    assert_eq!(set.start(), [3.0, 11.0]);
    // The other way round: a dependent that is set follows nothing, and others may follow it.
    let set = values(&model, &[("double", "5"), ("h", "four")], &[]);
    assert_eq!(set.parameters(), [9.8, 0.8, 10.0, 5.0, 10.0]);
}

#[test]
fn the_fingerprint_is_that_of_the_text() {
    let model = parse(gallery::find("bouncing-ball").expect("listed"));
    let again = parse(gallery::find("bouncing-ball").expect("listed"));
    let other = parse(&gallery::find("bouncing-ball").expect("listed").replace("0.8", "0.7"));
    assert_eq!(model.fingerprint(), again.fingerprint());
    assert_ne!(model.fingerprint(), other.fingerprint());
    assert_eq!(model.fingerprint().len(), 64);
}

#[test]
fn models_can_be_shared_between_threads() {
    fn plain<T: Send + Sync + Clone>() {}
    plain::<Model>();
    plain::<Values>();
}

#[test]
fn the_report_tells_what_was_derived() {
    let report = model("double-pendulum").check(&Overrides::default()).unwrap_or_else(|mistakes| panic!("{mistakes}"));
    assert_eq!((report.body, report.linear), ("lagrangian", false));
    assert_eq!(report.states, ["q1", "q2", "w1", "w2"]);
    assert_eq!(report.warnings, Vec::<String>::new());
    assert_eq!(report.mass[0][1], report.mass[1][0]);
    assert_eq!(report.contacts[0].direction.len(), 2);
    for name in gallery::NAMES {
        let report = model(name).check(&Overrides::default()).unwrap_or_else(|mistakes| panic!("{mistakes}"));
        // The equations of a bridge are singular where its diodes are all on.
        let expected = usize::from(name == "diode-bridge");
        assert_eq!(report.warnings.len(), expected, "{name}: {:?}", report.warnings);
    }
}

#[test]
fn what_is_probably_not_meant_is_a_warning() {
    let text = gallery::find("impact-oscillator").expect("listed");
    let warnings = |text: String| parse(&text).check(&Overrides::default()).expect("right").warnings;
    let unused = warnings(text.replace("[phase.phi]", "idle = 3\n[definitions]\nspare = \"x\"\n[phase.phi]"));
    assert_eq!(unused, ["`idle` is not used", "`spare` is not used"]);
    let period = warnings(text.replace("\"2*pi\"", "1"));
    assert!(period[0].contains("after `phi` has gone round its period 1"), "{period:?}");
}
