//! Friction coefficients at vanishing slip: coefficients with the modulus of the slip velocity, static coefficients, and formulas that lose
//! their value during the motion.

use crate::common::{assert_close, of_kind, parse, run};
use saltation_model::Model;
use saltation_motion::stepping::{Stepping, SteppingError, SteppingSettings};
use saltation_motion::{Coefficient, Ended, EventKind, Run};

/// A block of mass 1 on a belt of speed 0.2, held by a spring of stiffness 1.
fn on_belt(friction: &str, start: (f64, f64)) -> String {
    format!(
        "format = 1\nname = \"block\"\n[parameters]\nv = 0.2\ndelta = 3\nd = 0.05\n[definitions]\ns = \"u - v\"\n[mechanics]\n\
         coordinates = [\"x\", \"y\"]\nvelocities = [\"u\", \"w\"]\nM = [[1, 0], [0, 1]]\nh = [\"-x\", \"-1\"]\n\
         [contacts.belt]\ngap = \"y\"\ntrack = \"x\"\nbelt = \"v\"\nrestitution = 0\nfriction = {{ law = \"coulomb\", {friction} }}\n\
         [start]\nx = {:?}\ny = 0\nu = {:?}\nw = 0\n",
        start.0, start.1
    )
}

fn run_text(text: &str, until: f64) -> Run {
    let (system, values) = parse(text);
    run(&system, &values, until)
}

/// Stick-slip of Leine, van Campen, de Kraker & van den Steen (1998): slip begins at x = 1, and the cycle has this period (from the same
/// model with sqrt((u - v)^2 + 1e-16), whose limit it is).
const PERIOD: f64 = 12.001_031_294_830_6;

#[test]
fn the_modulus_of_the_slip_in_all_its_forms() {
    for mu in [
        "1/(1 + delta*sqrt((u - v)^2))",
        "1/(1 + delta*abs(u - v))",
        "1/(1 + delta*abs(s))",
        "1/(1 + abs(delta*(v - u)))",
        "1/(1 + sqrt(delta^2*s*s))",
        "1/(1 + delta*((s/v)^2)^0.5*v)",
    ] {
        let run = run_text(&on_belt(&format!("mu = \"{mu}\""), (1.2, -0.1)), 60.0);
        assert_eq!(run.ended, Ended::ReachedTime, "{mu}");
        let slips = of_kind(&run, EventKind::Slip);
        for slip in &slips[1..] {
            assert_close(slip.before[0], 1.0, 1e-12);
        }
        for pair in slips[1..].windows(2) {
            assert_close(pair[1].time - pair[0].time, PERIOD, 1e-12);
        }
        assert!(slips.len() >= 5, "{mu}: {} slips", slips.len());
    }
}

/// mu = 1/2 in slip and 1 in stick: slip is half an ellipse about x = 1/2, from (1, v) to (0, v).
#[test]
fn a_coefficient_of_stick() {
    for mu in ["mu = 0.5, mu_static = 1", "mu = \"0.5 + 0*abs(s)\", mu_static = \"v*5\""] {
        let run = run_text(&on_belt(mu, (0.0, 0.2)), 40.0);
        let (slips, sticks) = (of_kind(&run, EventKind::Slip), of_kind(&run, EventKind::Stick));
        let (stick, slip) = (1.0 / 0.2, std::f64::consts::PI + 2.0 * 0.4_f64.atan());
        for (k, (begins, ends)) in slips.iter().zip(&sticks[1..]).enumerate() {
            let start = stick + k as f64 * (stick + slip);
            assert_close(begins.time, start, 1e-11);
            assert_close(ends.time, start + slip, 1e-11);
            assert_close(ends.before[0], 0.0, 1e-11);
        }
        assert!(slips.len() == 4 && slips.iter().all(|event| event.alternatives.is_empty()));
    }
}

/// A block that is pulled harder and harder: against a coefficient of stick of its own for each direction.
#[test]
fn friction_that_depends_on_the_direction() {
    for (pull, edge) in [(1.0, 0.4), (-1.0, 0.2)] {
        let run = run_text(
            &format!(
                "format = 1\nname = \"pulled\"\n[phase.phi]\nrate = 1\nperiod = 100\n[mechanics]\ncoordinates = [\"x\", \"y\"]\n\
                 velocities = [\"u\", \"w\"]\nM = [[1, 0], [0, 1]]\nh = [\"{pull:?}*phi\", \"-1\"]\n[contacts.floor]\ngap = \"y\"\n\
                 track = \"x\"\nrestitution = 0\nfriction = {{ law = \"coulomb\", mu = \"0.3 + 0.1*(u/abs(u))\" }}\n\
                 [start]\nx = 0\ny = 0\nu = 0\nw = 0\nphi = 0\n"
            ),
            1.0,
        );
        let slips = of_kind(&run, EventKind::Slip);
        assert_eq!(slips.len(), 1, "{:?}", run.events);
        assert_close(slips[0].time, edge, 1e-12);
        // x'' = pull (t - edge).
        assert_close(run.state[2], pull * 0.5 * (1.0 - edge) * (1.0 - edge), 1e-12);
    }
}

/// x'' = -0.2 + 0.3 mu(x), from x = 1 at u = -2: the formula ends, or changes its sign, at x = 0.
#[test]
fn a_coefficient_that_loses_its_meaning_on_the_way() {
    let text = |mu: &str| {
        format!(
            "format = 1\nname = \"lost\"\n[mechanics]\ncoordinates = [\"x\", \"y\"]\nvelocities = [\"u\", \"w\"]\nM = [[1, 0], [0, 1]]\n\
             h = [\"-0.2\", \"-1\"]\n[contacts.floor]\ngap = \"y\"\ntrack = \"x\"\nrestitution = 0\n\
             friction = {{ law = \"coulomb\", mu = \"{mu}\" }}\n[start]\nx = 1\ny = 0\nu = -2\nw = 0\n"
        )
    };
    for mu in ["0.3*x", "0.3*sin(x)", "0.3*log(1 + x)"] {
        let run = run_text(&text(mu), 5.0);
        let negative = matches!(run.ended, Ended::OutOfRange { contact: 0, coefficient: Coefficient::Friction, .. });
        assert!(negative, "{mu}: {:?}", run.ended);
        assert!(run.state[0].abs() < 1e-10, "{mu}: {:?}", run.state);
    }
    for (mu, formula) in [("0.3*sqrt(x)", "sqrt(x)"), ("0.3*x^0.3", "x^0.3")] {
        let run = run_text(&text(mu), 5.0);
        let Ended::NotFinite { quantity, formula: named } = &run.ended else { panic!("{mu}: {:?}", run.ended) };
        assert!(quantity.ends_with("the coefficient of friction of contact floor"), "{quantity}");
        assert_eq!(named, formula);
        assert!(run.state[0].abs() < 1e-6, "{mu}: {:?}", run.state);
    }
    // Touching zero is no change of sign: mu = x^2 (x - 1/2)^2 vanishes on the way at x = 1/2.
    let run = run_text(&text("(x - 0.5)^2"), 0.4);
    assert_eq!(run.ended, Ended::ReachedTime);
}

#[test]
fn a_section_that_loses_its_value_ends_the_motion() {
    let run = run_text(
        "format = 1\nname = \"lost\"\n[flow]\nx = \"-1\"\n[sections.s]\nwhen = \"sqrt(x) - 0.5\"\n[start]\nx = 1\n",
        5.0,
    );
    assert_eq!(run.events.len(), 1);
    assert_close(run.events[0].time, 0.75, 1e-14);
    let Ended::NotFinite { quantity, formula } = &run.ended else { panic!("{:?}", run.ended) };
    assert_eq!((quantity.as_str(), formula.as_str()), ("the section s", "sqrt(x)"));
}

#[test]
fn only_the_modulus_of_the_slip_is_a_friction() {
    for (friction, part) in [
        ("mu = \"abs(x)\"", "is not of its speed of slip, u - v"),
        ("mu = \"abs(u)\"", "is not of its speed of slip, u - v"),
        ("mu = \"min(s, 1)\"", "has no corners and no jumps"),
        ("mu = 0.3, mu_static = \"abs(s)\"", "has no corners and no jumps"),
        ("mu = 0.3, mu_statik = 0.4", "mu_statik"),
        ("mu = 0.3, mu_static = -0.4", "is -0.4"),
    ] {
        let model = Model::parse(&on_belt(friction, (0.0, 0.2)), "test.toml");
        let told = match model {
            Ok(model) => model.values(&Default::default()).expect_err(friction).to_string(),
            Err(mistakes) => mistakes.to_string(),
        };
        assert!(told.contains(part), "{friction}: {told}");
    }
}

/// Steps of time take the modulus as it is, and refuse a coefficient of stick.
#[test]
fn steps_of_time() {
    let model = Model::parse(&on_belt("mu = \"1/(1 + delta*abs(s))\"", (1.2, -0.1)), "test.toml").unwrap();
    let values = model.values(&Default::default()).unwrap();
    let mut motion = Stepping::new(&model, &values, SteppingSettings::new(1e-4, 20.0)).unwrap();
    while motion.advance() {}
    let exact = run_text(&on_belt("mu = \"1/(1 + delta*abs(s))\"", (1.2, -0.1)), 20.0);
    assert_close(motion.state()[0], exact.state[0], 1e-3);
    let model = Model::parse(&on_belt("mu = 0.5, mu_static = 1", (0.0, 0.2)), "test.toml").unwrap();
    let values = model.values(&Default::default()).unwrap();
    let refused = Stepping::new(&model, &values, SteppingSettings::new(1e-4, 20.0)).err();
    assert_eq!(refused, Some(SteppingError::Static("belt".to_string())));
}

/// A block on a belt with another one on it. Where the lower one breaks loose its friction falls from 0.65 to 0.5 of the load; the upper one can follow its
/// acceleration of 0.15 g with 0.1 g only, and slips at the same instant.
#[test]
fn a_body_is_torn_off_the_one_that_breaks_loose() {
    let text = "format = 1\nname = \"stack\"\n[mechanics]\ncoordinates = [\"x1\", \"x2\", \"y1\", \"y2\"]\nvelocities = [\"u1\", \"u2\", \"v1\", \"v2\"]\n\
         M = { diagonal = [1, 0.5, 1, 0.5] }\nh = [\"-5*x1\", 0, -9.81, -4.905]\n\
         [contacts.floor]\ngap = \"y1\"\ntrack = \"x1\"\nbelt = 0.3\nrestitution = 0\nfriction = { law = \"coulomb\", mu = 0.5, mu_static = 0.65 }\n\
         [contacts.top]\ngap = \"y2 - y1\"\ntrack = \"x2 - x1\"\nrestitution = 0\nfriction = { law = \"coulomb\", mu = 0.1 }\n\
         [start]\nx1 = 0\nx2 = 0\ny1 = 0\ny2 = 0\nu1 = 0.3\nu2 = 0.3\nv1 = 0\nv2 = 0\n";
    let (system, values) = parse(text);
    let (g, load, omega) = (9.81, 1.5 * 9.81, 5.0_f64.sqrt());
    let breaks = 0.65 * load / 5.0 / 0.3;
    let later = 0.2;
    let run = run(&system, &values, breaks + later);
    assert_eq!(run.ended, Ended::ReachedTime);
    let slips = of_kind(&run, EventKind::Slip);
    assert_eq!(slips.iter().map(|event| event.contact).collect::<Vec<_>>(), [Some(0), Some(1)]);
    for slip in &slips {
        assert_close(slip.time, breaks, 1e-12);
    }
    // x1'' = -5 x1 + 0.5 load + 0.1 m2 g, x2'' = -0.1 g.
    let middle = (0.5 * load + 0.1 * 0.5 * g) / 5.0;
    let (start, angle) = (0.3 * breaks, omega * later);
    assert_close(run.state[0], middle + (start - middle) * angle.cos() + 0.3 / omega * angle.sin(), 1e-12);
    assert_close(run.state[1], start + 0.3 * later - 0.05 * g * later * later, 1e-12);
    // Where it can follow, it does.
    let (system, values) = parse(&text.replace("mu = 0.1 }", "mu = 0.3 }"));
    let run = crate::common::run(&system, &values, breaks + later);
    assert_eq!(of_kind(&run, EventKind::Slip).iter().map(|event| event.contact).collect::<Vec<_>>(), [Some(0)]);
}
