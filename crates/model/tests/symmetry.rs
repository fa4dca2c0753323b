//! Symmetries are found where they exist, together with their contacts, and are rejected at parameter values that break them.

use saltation_model::{Model, Overrides, Values, gallery};

use approx::assert_relative_eq;
use saltation_expr::Node;

fn model(name: &str) -> Model {
    gallery::model(name).expect("listed").unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

fn parse(text: &str) -> Model {
    Model::parse(text, "test.toml").unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

fn values(model: &Model, set: &[(&str, &str)]) -> Values {
    let set = set.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect();
    model.values(&Overrides { set, start: vec![] }).unwrap_or_else(|mistakes| panic!("{mistakes}"))
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

/// S F(x) = F(S x), and the same of gaps and impacts, at states that the check has not seen.
#[test]
fn a_symmetry_maps_rates_gaps_and_impacts() {
    for (name, contacts) in [("two-wall-oscillator", [1, 0]), ("impact-damper", [1, 0])] {
        let model = model(name);
        let numbers = values(&model, &[("Delta", "4.5"), ("e", "0.4")]);
        let symmetry = numbers.symmetry().cloned().unwrap_or_else(|| panic!("{name}"));
        assert_eq!(symmetry.contacts, contacts);
        assert_eq!(symmetry.shift, std::f64::consts::PI);
        for sample in 0..50 {
            let n = model.states.len();
            let start: Vec<f64> = (0..n).map(|i| 3.0 * noise(n * sample + i)).collect();
            let here = numbers.with_start(&start);
            let mut image = start.clone();
            symmetry.apply(&mut image);
            let there = numbers.with_start(&image);
            for (i, state) in model.states.iter().enumerate() {
                let (a, b) = (at(&model, &here, state.rate), at(&model, &there, state.rate));
                assert_relative_eq!(symmetry.signs[i] * a, b, epsilon = 1e-13);
            }
            for (contact, &image) in model.contacts.iter().zip(&symmetry.contacts) {
                let image = &model.contacts[image];
                assert_relative_eq!(at(&model, &there, contact.gap), at(&model, &here, image.gap), epsilon = 1e-14);
                let mut after: Vec<f64> = image.after.iter().map(|&node| at(&model, &here, node)).collect();
                symmetry.apply(&mut after);
                for (&node, expected) in contact.after.iter().zip(after) {
                    assert_relative_eq!(at(&model, &there, node), expected, epsilon = 1e-13);
                }
            }
            symmetry.apply(&mut image);
            for (i, (a, b)) in start.iter().zip(&image).enumerate() {
                let period = if i + 1 == n { 2.0 * std::f64::consts::PI } else { 0.0 };
                assert_relative_eq!(a + period, *b, epsilon = 1e-14);
            }
        }
    }
    for name in gallery::NAMES {
        let model = model(name);
        assert_eq!(model.symmetry.is_some(), values(&model, &[]).symmetry().is_some(), "{name}");
    }
}

/// Walls at different distances: no symmetry at these numbers, which still are good for a run, and a warning.
#[test]
fn parameters_may_break_a_symmetry() {
    let text = gallery::find("two-wall-oscillator").expect("listed");
    let text = text
        .replace("gap = \"Delta + y\"", "gap = \"lower + y\"")
        .replace("[phase.phi]", "lower = \"Delta\"\n[phase.phi]");
    let model = parse(&text);
    assert!(values(&model, &[]).symmetry().is_some());
    assert!(values(&model, &[("Delta", "1.3")]).symmetry().is_some());
    let lost = |settings: &[(&str, &str)]| {
        assert_eq!(values(&model, settings).symmetry(), None);
        let set = settings.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect();
        let report = model.check(&Overrides { set, start: vec![] }).unwrap_or_else(|mistakes| panic!("{mistakes}"));
        assert_eq!(report.symmetry, None);
        assert_eq!(report.warnings.len(), 1);
        report.warnings[0].clone()
    };
    let warning = lost(&[("lower", "1.5")]);
    assert!(warning.starts_with("the symmetry of the file is lost at these parameters: contact `upper` has no image"));
    // A difference far above rounding and far below what a figure shows.
    lost(&[("lower", "Delta + 1e-10")]);
    assert!(values(&model, &[("lower", "Delta*3/7*7/3")]).symmetry().is_some());
}

/// Lengths of 1e-9 and of 1e9: what is symmetric does not depend on the unit.
#[test]
fn a_symmetry_is_the_same_in_all_units() {
    for unit in ["1e-9", "1", "1e9"] {
        let text = gallery::find("two-wall-oscillator").expect("listed");
        let text = text
            .replace("gap = \"Delta + y\"", "gap = \"lower*unit + y\"")
            .replace("gap = \"Delta - y\"", "gap = \"Delta*unit - y\"")
            .replace("nu^2*cos", "unit*nu^2*cos")
            .replace("0.9575", "\"0.9575*unit\"")
            .replace("1.1323", "\"1.1323*unit\"")
            .replace("[phase.phi]", &format!("lower = \"Delta\"\nunit = {unit}\n[phase.phi]"));
        let model = parse(&text);
        assert!(values(&model, &[]).symmetry().is_some(), "{unit}");
        assert_eq!(values(&model, &[("lower", "1.001")]).symmetry(), None, "{unit}");
    }
}

/// S twice is a whole turn however the period and the shift are written, and the shift is exactly half a period.
#[test]
fn the_shift_of_a_symmetry_is_half_a_period() {
    let text = gallery::find("two-wall-oscillator").expect("listed");
    for (shift, expected) in [
        ("-pi", Some(1.0)),
        ("7*pi", Some(1.0)),
        ("acos(-1)", Some(1.0)),
        ("3.14159265358979", Some(1.0)),
        ("3.1415926", None),
    ] {
        let model = parse(&text.replace("phase = \"pi\"", &format!("phase = \"{shift}\"")));
        let found = model
            .values(&Overrides::default())
            .ok()
            .and_then(|values| values.symmetry().map(|symmetry| symmetry.shift));
        assert_eq!(found, expected.map(|half| half * std::f64::consts::PI), "{shift}");
    }
    // Without forcing no shift is needed, and a Lagrangian will do as well.
    let model = parse(
        r#"
        format = 1
        name = "pendulum-between-walls"
        [lagrangian]
        coordinates = ["q"]
        velocities = ["w"]
        L = "w^2/2 + cos(q)"
        dissipation = "w^2*(1 + q^2)/100"
        [angles]
        q = "2*pi"
        [contacts.right]
        gap = "1/2 - sin(q)"
        restitution = "0.8 - w^2/1000"
        [contacts.ceiling]
        gap = "2 + cos(q)"
        restitution = 0.5
        [contacts.left]
        gap = "1/2 + sin(q)"
        restitution = "0.8 - w^2/1000"
        [symmetry]
        signs = { q = -1, w = -1 }
        [start]
        q = 0.1
        w = 0
        "#,
    );
    let symmetry = values(&model, &[]).symmetry().cloned().expect("symmetric");
    assert_eq!((symmetry.signs, symmetry.shift, symmetry.contacts), (vec![-1.0, -1.0], 0.0, vec![2, 1, 0]));
}

/// A mass between two rough walls: friction, its tracks and its belts must be symmetric, too.
#[test]
fn friction_is_part_of_a_symmetry() {
    let text = |upper: &str, lower: &str| {
        format!(
            "format = 1\nname = \"channel\"\n[mechanics]\ncoordinates = [\"x\", \"y\"]\nvelocities = [\"u\", \"v\"]\n\
             M = {{ diagonal = [1, 1] }}\nh = [\"-x\", \"-y\"]\n\
             [contacts.upper]\ngap = \"1 - y\"\nrestitution = 0.5\n{upper}\n\
             [contacts.lower]\ngap = \"1 + y\"\nrestitution = 0.5\n{lower}\n\
             [symmetry]\nsigns = {{ x = -1, y = -1, u = -1, v = -1 }}\n\
             [start]\nx = 0.3\ny = 0.1\nu = 1\nv = 2\n"
        )
    };
    let answer = |upper: &str, lower: &str| {
        let model = parse(&text(upper, lower));
        model.values(&Overrides::default()).map(|values| values.symmetry().is_some()).map_err(|e| e.to_string())
    };
    let rough = |mu: &str, track: &str, belt: &str| {
        format!("friction = {{ law = \"coulomb\", mu = \"{mu}\" }}\ntrack = \"{track}\"\nbelt = \"{belt}\"")
    };
    let slips = |mu: &str, track: &str, belt: &str| answer(&rough("0.3 + x^2", "x", "0.1"), &rough(mu, track, belt));
    assert_eq!(slips("0.3 + x^2", "x", "-0.1"), Ok(true));
    // A track may be counted in either direction.
    assert_eq!(slips("0.3 + x^2", "-x", "0.1"), Ok(true));
    for (mu, track, belt, part) in [
        ("0.4", "x", "-0.1", "the coefficient of friction is not symmetric"),
        ("0.3 + x^2", "x", "0.1", "the slip along the track is not symmetric"),
        ("0.3 + x^2", "2*x", "-0.2", "the slip along the track is not symmetric"),
    ] {
        let message = slips(mu, track, belt).unwrap_err();
        assert!(message.contains(part) && message.contains("friction = "), "{message}");
    }
    let message = answer(&rough("0.3", "x", "0"), "").unwrap_err();
    assert!(message.contains("but only one has friction"), "{message}");
}
