//! Contacts with friction: what is derived of them against the mechanics of the bodies written out, and against published numbers.

use approx::assert_relative_eq;
use saltation_expr::Node;
use saltation_model::{Contact, Friction, ImpactLaw, Model, Overrides, Structure, Together, Values, gallery};

/// A model with its numbers at some state.
struct At {
    model: Model,
    values: Values,
}

impl At {
    fn gallery(name: &str, set: &[(&str, &str)]) -> At {
        At::of(gallery::model(name).expect("listed").unwrap_or_else(|mistakes| panic!("{mistakes}")), set)
    }

    fn of(model: Model, set: &[(&str, &str)]) -> At {
        let set = set.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect();
        let values = model.values(&Overrides { set, start: vec![] }).unwrap_or_else(|mistakes| panic!("{mistakes}"));
        At { model, values }
    }

    fn put(&mut self, state: &[f64]) -> &Self {
        self.values.start_from(state);
        self
    }

    fn value(&self, node: Node) -> f64 {
        self.shifted(node, &vec![0.0; self.values.start().len()])
    }

    /// The value at the state plus a shift.
    fn shifted(&self, node: Node, shift: &[f64]) -> f64 {
        let state = self.values.start().iter().zip(shift).map(|(x, d)| x + d);
        let symbols: Vec<f64> = state.chain(self.values.parameters().iter().copied()).collect();
        self.model.graph.evaluate(node, &|symbol| symbols[symbol])
    }

    fn contact(&self) -> (&Contact, &Friction) {
        let contact = &self.model.contacts[0];
        (contact, contact.friction.as_ref().expect("friction"))
    }

    fn all(&self, nodes: &[Node]) -> Vec<f64> {
        nodes.iter().map(|&node| self.value(node)).collect()
    }

    /// [[dNN, dNT], [dTN, dTT]] of the first contact: what g_N' and g_T', which are affine in the velocities, gain from unit impulses.
    fn compliance(&self) -> [[f64; 2]; 2] {
        let (contact, friction) = self.contact();
        let responses = [self.all(&contact.response), self.all(&friction.response)];
        [contact.speed, friction.slip]
            .map(|speed| [0, 1].map(|k| self.shifted(speed, &responses[k]) - self.value(speed)))
    }

    /// A and b of slip in the direction `sign`: g_N'' = A lambda_N + b.
    fn slip(&self, sign: f64) -> (f64, f64) {
        let (contact, friction) = self.contact();
        let [[nn, nt], _] = self.compliance();
        (nn - sign * self.value(friction.coefficient) * nt, self.value(contact.acceleration))
    }

    /// (lambda_N, lambda_T) that hold g_N'' = g_T'' = 0.
    fn stick(&self) -> [f64; 2] {
        let (contact, friction) = self.contact();
        let [[nn, nt], [tn, tt]] = self.compliance();
        let (n, t) = (-self.value(contact.acceleration), -self.value(friction.slip_acceleration));
        let determinant = nn * tt - nt * tn;
        [(tt * n - nt * t) / determinant, (nn * t - tn * n) / determinant]
    }
}

/// A pseudo-random number between -1 and 1 for each index.
fn noise(i: usize) -> f64 {
    let x = (i as f64 * 12.9898 + 4.1).sin() * 43758.5453;
    2.0 * (x - x.floor()) - 1.0
}

fn assert_all_close(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(expected) {
        assert_relative_eq!(a, b, epsilon = 1e-13, max_relative = 1e-12);
    }
}

#[test]
fn the_rod_is_the_classical_one() {
    let (m, s, g, mu) = (1.3, 0.7, 9.5, 0.9);
    let mut at = At::gallery("painleve-rod", &[("m", "1.3"), ("s", "0.7"), ("g", "9.5"), ("mu", "0.9")]);
    for sample in 0..100 {
        let state: Vec<f64> = (0..6).map(|i| 2.0 * noise(6 * sample + i)).collect();
        let [_, _, phi, vx, vy, w] = state[..] else { unreachable!("six states") };
        at.put(&state);
        let (sin, cos) = phi.sin_cos();
        let (tip, friction) = at.contact();
        assert_relative_eq!(at.value(tip.speed), vy - s * cos * w, epsilon = 1e-13);
        assert_relative_eq!(at.value(friction.slip), vx - s * sin * w, epsilon = 1e-13);
        assert_relative_eq!(at.value(tip.acceleration), s * sin * w * w - g, epsilon = 1e-12);
        assert_relative_eq!(at.value(friction.slip_acceleration), -s * cos * w * w, epsilon = 1e-12);
        let inertia = m * s * s / 3.0;
        assert_all_close(&at.all(&tip.response), &[0.0, 0.0, 0.0, 0.0, 1.0 / m, -s * cos / inertia]);
        assert_all_close(&at.all(&friction.response), &[0.0, 0.0, 0.0, 1.0 / m, 0.0, -s * sin / inertia]);
        for sign in [1.0, -1.0] {
            let expected = 1.0 + 3.0 * cos * cos - sign * 3.0 * mu * sin * cos;
            assert_relative_eq!(m * at.slip(sign).0, expected, epsilon = 1e-12);
        }
    }
}

/// The forces of steady slip at the trusted states, and none where A < 0 and b < 0.
#[test]
fn the_rod_has_its_paradox() {
    let start = |angle: &'static str, spin: &'static str| {
        At::gallery("painleve-rod", &[("angle", angle), ("slip", "1"), ("spin", spin)])
    };
    let at = start("pi/6", "0");
    let (a, b) = at.slip(1.0);
    assert!(a > 0.0 && b < 0.0);
    assert_relative_eq!(-b / a, 9.2171293778, max_relative = 1e-10);
    let (a, b) = start("pi/3", "0").slip(1.0);
    assert!(a < 0.0 && b < 0.0);
    let at = start("pi/3", "5");
    let (a, b) = at.slip(1.0);
    assert!(a < 0.0 && b > 0.0);
    assert_relative_eq!(-b / a, 28.0695238898, max_relative = 1e-10);
    // With spin, too, the tip is on the ground, stays on it, and slips as asked.
    let (tip, friction) = at.contact();
    assert_all_close(&[at.value(tip.gap), at.value(tip.speed), at.value(friction.slip)], &[0.0, 0.0, 1.0]);
    // The impact without collision at 60 degrees.
    let at = start("pi/3", "0");
    let [[nn, nt], [tn, tt]] = at.compliance();
    let determinant = nn * tt - nt * tn;
    assert_relative_eq!(nt / determinant, 0.3247595264, max_relative = 1e-9);
    assert_relative_eq!(-nn / determinant, -0.4375, max_relative = 1e-12);
    // A = 0 first where tan phi = 2, at mu = 4/3.
    let mut at = At::gallery("painleve-rod", &[("mu", "4/3")]);
    let least = |at: &mut At, phi: f64| at.put(&[0.0, 0.0, phi, 0.0, 0.0, 0.0]).slip(1.0).0;
    assert_relative_eq!(least(&mut at, 2.0_f64.atan()), 0.0, epsilon = 1e-14);
    assert!((1..157).all(|k| least(&mut at, 0.01 * f64::from(k)) > -1e-14));
}

#[test]
fn the_box_jams_above_its_critical_friction() {
    let (a, h, r, m) = (0.4_f64, 0.9_f64, 0.6_f64, 2.0);
    let set = [("a", "0.4"), ("h", "0.9"), ("r", "0.6"), ("m", "2")];
    let critical = (r * r + a * a) / (a * h);
    for mu in [0.0, 0.5, critical, 3.0] {
        let mu_text = format!("{mu:?}");
        let mut at = At::gallery("painleve-box", &[&set[..], &[("mu", &mu_text)]].concat());
        let (corner, friction) = at.contact();
        let slip = at.value(friction.slip);
        assert!(at.value(corner.gap) == 0.0 && at.value(corner.speed) == 0.0 && slip > 0.0);
        let expected = 1.0 + a * (a - mu * h) / (r * r);
        assert_relative_eq!(m * at.slip(slip.signum()).0, expected, epsilon = 1e-13);
        // Anywhere else the corner is a point of a rigid body at (a, -h) in the frame of the body.
        for sample in 0..50 {
            let state: Vec<f64> = (0..6).map(|i| 2.0 * noise(7 * sample + i)).collect();
            let [x, y, phi, vx, vy, w] = state[..] else { unreachable!("six states") };
            at.put(&state);
            let (corner, friction) = at.contact();
            let (sin, cos) = phi.sin_cos();
            let (to_x, to_y) = (cos * a + sin * h, sin * a - cos * h);
            assert_all_close(&[at.value(friction.track), at.value(corner.gap)], &[x + to_x, y + to_y]);
            assert_all_close(&[at.value(friction.slip), at.value(corner.speed)], &[vx - w * to_y, vy + w * to_x]);
        }
    }
    // The box as it stands in the gallery.
    assert!(At::gallery("painleve-box", &[]).slip(1.0).0 < 0.0);
    assert_relative_eq!(At::gallery("painleve-box", &[("mu", "4/3")]).slip(1.0).0, 0.0, epsilon = 1e-14);
}

/// mu_c = tan phi + (m2/m1) cot phi is the zero of A, and w_T, w_N, the slip and both accelerations are those of the mechanism.
#[test]
fn the_frictional_bounce_has_its_critical_friction() {
    let mut at = At::gallery("frictional-bounce", &[("l", "0.8"), ("m2", "0.25"), ("m1", "1.5"), ("v", "0.3")]);
    let (l, m1, m2, v) = (0.8, 1.5, 0.25, 0.3);
    for sample in 0..100 {
        let phi = 0.7 + 0.6 * noise(sample);
        let (y, u, w) = (noise(sample + 200), noise(sample + 400), noise(sample + 600));
        at.put(&[y, phi, u, w]);
        let (sin, cos) = phi.sin_cos();
        let (tip, friction) = at.contact();
        assert_relative_eq!(at.value(friction.slip), l * cos * w + v, epsilon = 1e-13);
        assert_relative_eq!(at.value(tip.speed), u + l * sin * w, epsilon = 1e-13);
        let [[nn, nt], [tn, _]] = at.compliance();
        assert_relative_eq!(nt, tn, epsilon = 1e-12);
        assert_relative_eq!(nn / nt, phi.tan() + m2 / m1 / phi.tan(), max_relative = 1e-11);
        // The tip mass on its own: M^-1 h solved by Cramer's rule.
        let (spring, hinge) = (-20.0 * (y - 0.72) - 5.0 * u, -10.0 * (phi - 0.6) - 0.3 * w);
        let (force, torque) = (spring - m2 * l * cos * w * w, hinge);
        let determinant = (m1 + m2) * m2 * l * l - (m2 * l * sin).powi(2);
        let du = (m2 * l * l * force - m2 * l * sin * torque) / determinant;
        let dw = ((m1 + m2) * torque - m2 * l * sin * force) / determinant;
        let normal = du + l * sin * dw + l * cos * w * w;
        assert_relative_eq!(at.value(tip.acceleration), normal, epsilon = 1e-11, max_relative = 1e-11);
        let tangential = l * cos * dw - l * sin * w * w;
        assert_relative_eq!(at.value(friction.slip_acceleration), tangential, epsilon = 1e-11, max_relative = 1e-11);
    }
}

/// On its steady slip at the critical friction A = 0, and the hop leaves the belt with its force on the edge of the cone.
#[test]
fn the_frictional_bounce_has_its_trusted_numbers() {
    let mut at = At::gallery("frictional-bounce", &[("mu", "0.794173765437")]);
    let phi: f64 = 0.567359357296;
    at.put(&[phi.cos(), phi, 0.0, 0.0]);
    let (a, b) = at.slip(1.0);
    assert_relative_eq!(a, 0.0, epsilon = 1e-11);
    assert_relative_eq!(b, 0.0, epsilon = 1e-10);

    let mut at = At::gallery("frictional-bounce", &[]);
    let phi: f64 = 0.44275167372680696;
    let w = -0.5 / phi.cos();
    at.put(&[phi.cos(), phi, -phi.sin() * w, w]);
    let [normal, tangential] = at.stick();
    assert_relative_eq!(normal, 4.51801016, max_relative = 1e-8);
    assert_relative_eq!(tangential.abs(), 0.9 * normal, max_relative = 1e-9);
    assert!(at.slip(1.0).0 < 0.0, "slip cannot follow");
}

#[test]
fn the_simplified_bounce_is_the_other_one_frozen() {
    let mut frozen = At::gallery("simplified-bounce", &[]);
    assert!(frozen.model.linear);
    let mut whole = At::gallery("frictional-bounce", &[]);
    let theta: f64 = 0.567359357296;
    for sample in 0..50 {
        let (y, u, w) = (noise(sample + 200), noise(sample + 400), noise(sample + 600));
        // At the frozen angle all directions agree, and all velocities.
        for at in [&mut frozen, &mut whole] {
            at.put(&[y, theta, u, w]);
        }
        let [(a, f), (b, g)] = [frozen.contact(), whole.contact()];
        assert_all_close(&frozen.all(&a.response), &whole.all(&b.response));
        assert_all_close(&frozen.all(&f.response), &whole.all(&g.response));
        assert_all_close(
            &frozen.all(&[a.gap, a.speed, f.track, f.slip]),
            &whole.all(&[b.gap, b.speed, g.track, g.slip]),
        );
        // Elsewhere the critical friction stays the same.
        frozen.put(&[y, 0.6 + 0.5 * noise(sample), u, w]);
        let [[nn, nt], _] = frozen.compliance();
        assert_relative_eq!(nn / nt, 0.794173765437, max_relative = 1e-11);
    }
    // At rest the accelerations agree as well: the term that is dropped is quadratic.
    for at in [&mut frozen, &mut whole] {
        at.put(&[0.9, theta, 0.1, 0.0]);
    }
    let [(a, f), (b, g)] = [frozen.contact(), whole.contact()];
    assert_all_close(
        &frozen.all(&[a.acceleration, f.slip_acceleration]),
        &whole.all(&[b.acceleration, g.slip_acceleration]),
    );
}

#[test]
fn the_block_the_disc_and_the_belt_slip_as_they_should() {
    let mut at = At::gallery("sliding-block", &[]);
    at.put(&[0.3, 0.0, 2.0, 0.0]);
    let (_, friction) = at.contact();
    let alpha = 20.0_f64.to_radians();
    let (a, b) = at.slip(1.0);
    assert_relative_eq!(-b / a, 9.81 * alpha.cos(), max_relative = 1e-13);
    // It stops after v/(g (sin alpha + mu cos alpha)).
    let braking = at.value(friction.slip_acceleration) - 0.2 * (-b / a) * at.compliance()[1][1];
    assert_relative_eq!(2.0 / -braking, 0.3846971677, max_relative = 1e-9);

    let mut at = At::gallery("bouncing-disc", &[]);
    at.put(&[0.1, 0.5, 2.0, 0.7, -1.0, 3.0]);
    let (floor, friction) = at.contact();
    assert_all_close(&at.all(&[floor.gap, floor.speed, friction.slip]), &[0.4, -1.0, 0.7 + 0.1 * 3.0]);
    // A uniform disc: dTT = 3/m, and no coupling.
    for (found, expected) in at.compliance().iter().zip([[1.0, 0.0], [0.0, 3.0]]) {
        assert_all_close(found, &expected);
    }

    let mut at = At::gallery("belt-oscillator", &[]);
    for (u, mu) in [(0.2, 0.6), (0.4, 0.45), (0.0, 0.45), (-0.4, 0.33)] {
        at.put(&[0.3, 0.0, u, 0.0]);
        let (_, friction) = at.contact();
        assert_all_close(&at.all(&[friction.slip, friction.coefficient]), &[u - 0.2, mu]);
    }
}

#[test]
fn the_corners_of_the_rocking_block_are_those_of_a_rigid_body() {
    let mut at = At::gallery("rocking-block", &[]);
    assert_eq!((at.model.impacts.together, at.model.impacts.law), (Together::Complementarity, ImpactLaw::Newton));
    // It starts on its right corner, with the left one in the air.
    let gaps: Vec<f64> = at.model.contacts.iter().map(|contact| at.value(contact.gap)).collect();
    assert!(gaps[0] > 0.03 && gaps[1].abs() < 1e-15, "{gaps:?}");
    for sample in 0..50 {
        let state: Vec<f64> = (0..6).map(|i| 2.0 * noise(6 * sample + i)).collect();
        let [x, y, phi, vx, vy, w] = state[..] else { unreachable!("six states") };
        at.put(&state);
        let (sin, cos) = phi.sin_cos();
        for (contact, side) in at.model.contacts.iter().zip([-0.1, 0.1]) {
            let friction = contact.friction.as_ref().expect("friction");
            let (to_x, to_y) = (cos * side + sin * 0.2, sin * side - cos * 0.2);
            assert_all_close(&at.all(&[friction.track, contact.gap]), &[x + to_x, y + to_y]);
            assert_all_close(&at.all(&[friction.slip, contact.speed]), &[vx - w * to_y, vy + w * to_x]);
        }
    }
}

#[test]
fn the_report_shows_friction_and_impacts() {
    let report = |name: &str| At::gallery(name, &[]).model.check(&Overrides::default()).expect("right");
    let bounce = report("frictional-bounce");
    let friction = bounce.contacts[0].friction.as_ref().expect("friction");
    assert_eq!((friction.coefficient.as_str(), friction.track.as_str()), ("mu", "l*sin(phi)"));
    assert_eq!((friction.belt.as_str(), friction.slip.as_str()), ("-v", "v + l*cos(phi)*w"));
    assert_eq!(bounce.impacts.together, Together::Undecided);
    assert_eq!(report("rocking-block").impacts.together, Together::Complementarity);
    assert!(report("bouncing-ball").contacts[0].friction.is_none());
}

/// A huge coefficient is a coefficient; one below zero is refused where it is set.
#[test]
fn friction_that_is_set_is_checked() {
    let model = gallery::model("sliding-block").expect("listed").expect("right");
    let with = |mu: &str| model.values(&Overrides { set: vec![("mu".into(), mu.into())], start: vec![] });
    assert!(with("1e12").is_ok() && with("0").is_ok());
    assert!(with("-0.1").unwrap_err().to_string().contains("its least value is 0"));
    assert!(with("1/0").unwrap_err().to_string().contains("no finite value"));
}

/// What is not simulated does not slip: its check says so.
#[test]
fn the_friction_of_a_large_structure_is_not_used() {
    let text = |n: usize| {
        let ones = vec!["1"; n].join(", ");
        format!(
            "format = 1\nname = \"large\"\n[matrices]\nM = {{ diagonal = [{ones}] }}\nK = {{ diagonal = [{ones}] }}\n\
             [contacts.wall]\ngap = \"1 - u1\"\ntrack = \"u2\"\nrestitution = 1\n\
             friction = {{ law = \"coulomb\", mu = 0.3 }}\n"
        )
    };
    let read = |n: usize| Model::parse(&text(n), "large.toml").unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let report = |n: usize| read(n).check(&Overrides::default()).unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let warning = "so large a structure is not simulated: the friction of `wall` is not used";
    let n = saltation_model::matrices::MOST_MOVED + 1;
    let large = report(n);
    assert_eq!(large.warnings, [warning]);
    assert!(large.contacts[0].friction.is_none());
    let small = report(3);
    assert_eq!(small.warnings, Vec::<String>::new());
    assert_eq!(small.contacts[0].friction.as_ref().expect("friction").slip, "v2");
    // Modes of either are without friction, and say so.
    for model in [read(3), read(n)] {
        let numbers = model.numbers().unwrap_or_else(|mistakes| panic!("{mistakes}"));
        let structure = Structure::of(&model, &numbers, None).unwrap_or_else(|mistakes| panic!("{mistakes}"));
        assert_eq!(structure.left_out, ["the friction of contact `wall` is left out: impacts of modes are elastic"]);
    }
}
