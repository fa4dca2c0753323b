//! The VIVID function: the numbers of Ghosh & Simpson, its closed-form zeros, and the equations of signatures.

use std::f64::consts::TAU;

use crate::common::assert_close;
use saltation_model::{Model, Overrides, Values, gallery};
use saltation_motion::extension::{Extension, Image};
use saltation_motion::{ClosedSet, EventKind, FlowChoice, Motion, Settings as MotionSettings, System};
use saltation_numerics::blocks::BlockMatrix;
use saltation_numerics::dense::Matrix;
use saltation_orbit::signature::{Equations, Reading};
use saltation_orbit::vivid::{Held, Vivid};
use saltation_orbit::{Settings, find};

const ZETA: f64 = 0.02;
const R: f64 = 0.9;
const ACCURACY: (f64, FlowChoice) = (1e-12, FlowChoice::Automatic);

/// e^(At) of x'' + 2 zeta x' + x = 0.
fn free(t: f64) -> [[f64; 2]; 2] {
    let w = (1.0 - ZETA * ZETA).sqrt();
    let (s, c) = (w * t).sin_cos();
    let e = (-ZETA * t).exp();
    [[e * (c + ZETA / w * s), e * s / w], [-e * s / w, e * (c - ZETA / w * s)]]
}

/// Amplitude and phase of the graze.
fn graze(omega: f64) -> (f64, f64) {
    let (a, b) = (1.0 - omega * omega, 2.0 * ZETA * omega);
    (a.hypot(b), b.atan2(a))
}

/// Amplitude and impact phase of the p-loop orbit with impact speed y, in closed form: with (g1, g2) = (I - E)^-1 (I + r E) (0, 1)
/// and E = e^(A p T), A^2 = A_g^2 ((1 + g1 y)^2 + (g2 y / omega)^2).
fn maximal(omega: f64, p: usize, y: f64) -> (f64, f64) {
    let e = free(p as f64 * TAU / omega);
    let m = Matrix::from_rows([[1.0 - e[0][0], -e[0][1]], [-e[1][0], 1.0 - e[1][1]]]);
    let g = m.solve(&[R * e[0][1], 1.0 + R * e[1][1]]).unwrap().x;
    let (amplitude, phase) = graze(omega);
    let (a, b) = (1.0 + g[0] * y, g[1] * y / omega);
    (amplitude * a.hypot(b), phase + (-b).atan2(a))
}

fn unknowns(omega: f64, p: usize, y: f64) -> Vec<f64> {
    let (amplitude, phase) = maximal(omega, p, y);
    vec![0.0, y, phase, amplitude]
}

fn follow(model: &Model, set: &[(&str, f64)], free: &[&str]) -> (System, Values) {
    let set = set.iter().map(|(name, value)| (name.to_string(), format!("{value:e}"))).collect();
    let following = model.values(&Overrides { set, start: vec![] }).unwrap().along(free).unwrap();
    (System::new(model), following)
}

fn oscillator(omega: f64) -> (System, Values) {
    follow(&gallery::model("impact-oscillator").unwrap().unwrap(), &[("omega", omega)], &["A"])
}

fn loops<'s>((system, following): &'s (System, Values), p: usize) -> Vivid<'s> {
    Vivid::new(system, following.clone(), 0, p, vec![1.0; following.start().len() + 1], ACCURACY).unwrap()
}

#[test]
fn the_test_vector_of_the_reference_is_met() {
    let system = oscillator(0.81);
    let mut vivid = loops(&system, 2);
    vivid.vary(&[0.0, 0.07, 0.08, 0.348]).unwrap();
    let found = vivid.reduced();
    // Coordinates are velocity and phase at the wall, displacement and phase at the turning point.
    assert_eq!((&found.on_surface[..], &found.on_section[..]), (&[1, 2][..], &[0, 2][..]));
    assert_close(found.value[0], 0.001549525610093682, 1e-14);
    assert_close(found.value[1], -0.004955060146366586, 1e-13);
    let dv = [[-0.169577449241882, 0.0005406863842222729], [-0.41033617942692, -1.718613872483895]];
    for (i, row) in dv.iter().enumerate() {
        for (j, entry) in row.iter().enumerate() {
            assert_close(found.derivative[(i, j)], *entry, 1e-13);
        }
    }
    assert_close(found.derivative[(0, 2)], 4.984802333525416, 1e-13);
    assert_close(found.derivative[(1, 2)], -0.04147849579764534, 1e-13);
    let dq = found.return_derivative().unwrap();
    assert_close(dq[(0, 0)] + dq[(1, 1)], -1.329038011534216, 1e-12);
    // Flights contract volumes by 2 zeta per time, and areas on Pi count with the acceleration there: with those at x_0 and x_4,
    // a_4 det DQ = a_0 r^2 exp(-2 zeta T), on a zero of V and elsewhere.
    let varied = vivid.variation();
    let acceleration = |x: &[f64]| 1.0 + x[0] - 0.348 * x[2].cos();
    let (from, to) = (acceleration(&varied.missed.state), acceleration(&varied.returned.state));
    assert!((from - to).abs() > 1e-4);
    let volume = R * R * (-2.0 * ZETA * varied.period()).exp() * from / to;
    assert_close(dq.determinant().unwrap(), volume, 1e-12);
    vivid.vary(&unknowns(0.81, 2, 0.07)).unwrap();
    let dq = vivid.reduced().return_derivative().unwrap();
    assert_close(dq.determinant().unwrap(), R * R * (-2.0 * ZETA * 2.0 * TAU / 0.81).exp(), 1e-12);
}

#[test]
fn at_the_graze_the_virtual_map_is_singular_and_v_is_not() {
    let system = oscillator(0.81);
    let mut vivid = loops(&system, 2);
    let (amplitude, phase) = graze(0.81);
    vivid.vary(&[0.0, 0.0, phase, amplitude]).unwrap();
    let found = vivid.reduced();
    for (entry, reference) in found.missed.entries().iter().zip([0.0, 1.0 / 0.81, 0.0, 1.0]) {
        assert_close(*entry, reference, 1e-15);
    }
    assert!(found.value.iter().all(|v| v.abs() < 1e-14), "{:?}", found.value);
    let d = &found.derivative;
    assert_close(d[(0, 1)] * d[(1, 2)] - d[(0, 2)] * d[(1, 1)], 8.6148082999261, 1e-11);
    assert!(found.multipliers().is_err());
}

#[test]
fn closed_form_orbits_are_zeros_through_the_graze_and_solve_the_signature_problem() {
    for omega in [0.799, 0.81, 0.9, 1.1] {
        let system = oscillator(omega);
        for p in 1..=3 {
            let mut vivid = loops(&system, p);
            for y in [-0.05, -1e-3, -1e-9, 0.0, 1e-9, 1e-3, 0.05, 0.1, 0.2, 0.3] {
                let u = unknowns(omega, p, y);
                let varied = vivid.vary(&u).unwrap();
                assert!(varied.value.iter().all(|v| v.abs() < 1e-13), "{omega} {p} {y}: {:?}", varied.value);
                assert_eq!(varied.turns, [0.0, 0.0, p as f64]);
                assert_close(varied.period(), p as f64 * TAU / omega, 1e-12);
                agree(&mut vivid, &u, 1e-10);
            }
        }
    }
}

/// A zero of V solves the equations of its signature with the same multipliers, and comes back from there.
fn agree(vivid: &mut Vivid, u: &[f64], tolerance: f64) {
    let n = vivid.states();
    let reading = vivid.reading(u).unwrap();
    let reduced = vivid.reduced();
    let mut all = reading.unknowns.clone();
    all.extend(&u[n..]);
    let mut sizes = reading.sizes.clone();
    sizes.extend(&vivid.sizes()[n..]);
    let (system, following) = (vivid.system(), vivid.following().clone());
    let mut equations = Equations::new(system, following.clone(), reading.signature.clone(), sizes.clone(), ACCURACY);
    let (mut residual, mut jacobian) = (vec![0.0; n + 1], BlockMatrix::zeros(equations.pattern()));
    equations.evaluate(&all, &mut residual, &mut jacobian).unwrap();
    assert!(residual.iter().all(|r| r.abs() < tolerance), "{u:?}: {residual:?}");
    // Where the flight comes back its speed has an error of rounding, and 1/v in their matrices with it.
    if reduced.speed.abs() > 1e-4 {
        let (ours, theirs) = (reduced.multipliers().unwrap(), equations.multipliers(&jacobian).unwrap());
        assert_eq!(ours.len(), theirs.len());
        // Their matrices have entries as large as the largest of them, with the rounding of those.
        let size = 1.0 + ours[0].norm();
        for (a, b) in ours.iter().zip(&theirs) {
            assert!((a.re - b.re).hypot(a.im - b.im) < tolerance * size, "{u:?}: {ours:?} {theirs:?}");
        }
    }
    let back = Vivid::of_signature(system, following, &reading.signature, (&all, &sizes), ACCURACY);
    let (back, own) = back.unwrap();
    assert_eq!((back.loops(), back.contact(), &own[..]), (vivid.loops(), vivid.contact(), u));
}

#[test]
fn bifurcations_of_the_paper_are_roots_of_determinants() {
    // Omega, multiplier and the speed from which it is sought; amplitude, speed and phase of Fig. 3, and amplitudes on the curves of Fig. 4.
    let doubling = (0.0653039433368541, 0.0782477278637458);
    let fold = (0.124087344852288, 0.0573313327565957);
    let cases = [
        (0.81, -1.0, 0.03, 0.347533397412283, Some(doubling)),
        (0.799, 1.0, 0.08, 0.362836201980889, Some(fold)),
        (0.82, -1.0, 0.03, 0.3372249009706461, None),
        (0.9, -1.0, 0.03, 0.3542199976076968, None),
        (0.797, 1.0, 0.05, 0.3642235708321045, None),
    ];
    for (omega, sigma, mut low, amplitude, place) in cases {
        let system = oscillator(omega);
        let mut vivid = loops(&system, 2);
        let mut at = |speed: f64, guess: &[f64]| {
            let solution = vivid.solve(guess, &[Held::Speed(-speed)]).unwrap();
            vivid.vary(&solution.unknowns).unwrap();
            (vivid.reduced().pencil(sigma).determinant().unwrap(), solution.unknowns)
        };
        let (grazing, at_phase) = graze(omega);
        let (start, mut guess) = at(low, &[0.0, low, at_phase, grazing]);
        let mut high = low;
        let before = loop {
            (low, high) = (high, high + 0.02);
            let (value, found) = at(high, &guess);
            if value * start < 0.0 {
                break guess;
            }
            assert!(high < 3.0, "{omega}: no change of sign");
            guess = found;
        };
        guess = before;
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            let (value, found) = at(middle, &guess);
            if value * start > 0.0 {
                low = middle
            } else {
                high = middle
            }
            guess = found;
        }
        if let Some((y, phase)) = place {
            assert_close(0.5 * (low + high), y, 1e-11);
            assert_close(guess[2], phase, 1e-11);
        }
        assert_close(guess[3], amplitude, 1e-12);
    }
}

#[test]
fn multipliers_of_the_reference_points_are_met() {
    let system = oscillator(0.81);
    let mut vivid = loops(&system, 2);
    let mut at = |y: f64| {
        vivid.vary(&unknowns(0.81, 2, y)).unwrap();
        vivid.reduced().multipliers().unwrap()
    };
    let m = at(0.1);
    assert_close(m[0].re, -0.24231833934135, 1e-12);
    assert_close(m[0].im.abs(), 0.6138177377695, 1e-12);
    let m = at(0.01);
    assert_close(m[0].re, -16.565378873539, 1e-10);
    assert_close(m[1].re, -0.026289190009245, 1e-12);
    let m = at(0.0653039433368541);
    assert_close(m[0].re, -1.0, 1e-11);
    assert_close(m[1].re, -0.43549039278162, 1e-11);
}

#[test]
fn newton_converges_on_v_from_where_the_return_map_has_no_value() {
    // A = 0.346, shortly after the graze: the phase and speed of the orbit, and starts three times as far from the graze.
    let system = oscillator(0.81);
    let mut vivid = loops(&system, 2);
    let exact = {
        let (mut low, mut high) = (0.0, 0.05);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if maximal(0.81, 2, middle).0 < 0.346 { low = middle } else { high = middle }
        }
        0.5 * (low + high)
    };
    let phase = maximal(0.81, 2, exact).1;
    let grazing_phase = graze(0.81).1;
    for factor in [3.0, 2.0, 0.5, 0.0, -1.0] {
        let guess = [0.0, factor * exact, grazing_phase + factor * (phase - grazing_phase), 0.346];
        let solution = vivid.solve(&guess, &[Held::Unknown(3)]).unwrap();
        assert_close(solution.unknowns[1], exact, 1e-12);
        assert_close(solution.unknowns[2], phase, 1e-12);
        assert!(solution.steps.len() <= 5, "{factor}: {:?}", solution.steps);
    }
    // From the first of these starts Newton's method on Q asks for a point of Pi that no impact leads to: x < 0.
    let start = [0.0, 3.0 * exact, grazing_phase + 3.0 * (phase - grazing_phase), 0.346];
    let varied = vivid.vary(&start).unwrap();
    let depth = varied.missed.state[0];
    let reduced = vivid.reduced();
    let dq = reduced.return_derivative().unwrap();
    let shifted = Matrix::from_fn(2, 2, |i, j| dq[(i, j)] - f64::from(i == j));
    let step = shifted.solve(&reduced.value).unwrap().x;
    assert!(depth > 0.0 && depth - step[0] < 0.0, "{depth} {step:?}");
}

#[test]
fn orbits_found_by_shooting_are_zeros() {
    let model = gallery::model("impact-oscillator").unwrap().unwrap();
    let (system, following) = follow(&model, &[("A", 0.35)], &["A", "omega"]);
    let settings = Settings { returns: 2, settle: 400, ..Settings::through(system.default_section().unwrap()) };
    let orbit = find(&system, &following, &settings, &mut |_| true).orbit.unwrap();
    let reading = Reading::of(&system, &following, &orbit).unwrap();
    let all = [&reading.unknowns[..], &following.free_values()].concat();
    let sizes = [&reading.sizes[..], &[1.0, 1.0]].concat();
    let made = Vivid::of_signature(&system, following.clone(), &reading.signature, (&all, &sizes), ACCURACY);
    let (mut vivid, u) = made.unwrap();
    assert_eq!((vivid.loops(), vivid.contact()), (2, 0));
    let solution = vivid.solve(&u, &[Held::Unknown(3), Held::Unknown(4)]).unwrap();
    for (found, start) in solution.unknowns.iter().zip(&u) {
        assert_close(*found, *start, 1e-8);
    }
    let (amplitude, _) = maximal(0.81, 2, solution.unknowns[1]);
    assert_close(amplitude, 0.35, 1e-12);
    vivid.vary(&solution.unknowns).unwrap();
    for (a, b) in vivid.reduced().multipliers().unwrap().iter().zip(&orbit.multipliers) {
        assert_close(a.re, b.re, 1e-7);
        assert_close(a.im.abs(), b.im.abs(), 1e-7);
    }
    agree(&mut vivid, &solution.unknowns, 1e-10);
    check_jacobian(&mut vivid, &[0.0, 0.07, 0.08, 0.348, 0.81], 1e-4, 1e-8);
}

#[test]
fn routes_and_further_open_contacts_change_nothing() {
    let model = gallery::model("impact-oscillator").unwrap().unwrap();
    let far = "[contacts.far]\ngap = \"100 + x\"\nrestitution = \"r\"\n\n[contacts.wall]";
    let text = model.text.replace("[contacts.wall]", far);
    let walled = Model::parse(&text, "two walls").unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let u = [0.0, 0.07, 0.08, 0.348];
    let mut values = Vec::new();
    for (model, contact, choice) in
        [(&model, 0, FlowChoice::Automatic), (&model, 0, FlowChoice::Taylor), (&walled, 1, FlowChoice::Automatic)]
    {
        let (system, following) = follow(model, &[], &["A"]);
        let mut vivid = Vivid::new(&system, following, contact, 2, vec![1.0; 4], (1e-12, choice)).unwrap();
        vivid.vary(&u).unwrap();
        let reduced = vivid.reduced();
        values.push([&reduced.value, reduced.derivative.entries()].concat());
    }
    for other in &values[1..] {
        for (a, b) in values[0].iter().zip(other) {
            assert_close(*a, *b, 1e-11);
        }
    }
}

/// A forced Duffing oscillator whose mass and gap depend on the displacement and its restitution on the speed.
const DUFFING: &str = r#"
    format = 1
    name = "duffing"
    [parameters]
    F = 0.3
    omega = 0.9
    r = "0.7 + F/10"
    [phase.phi]
    rate = "omega"
    period = "2*pi"
    [mechanics]
    coordinates = ["q"]
    velocities = ["w"]
    M = [["1 + 0.2*q^2"]]
    h = ["F*cos(phi) - 0.1*w - q - q^3/2"]
    [contacts.wall]
    gap = "0.8 - q - 0.05*q^2"
    restitution = "r + 0.1*w"
    [start]
    q = 0
    w = 0
    phi = 0
"#;

/// Self-excited: a van der Pol oscillator with a wall, whose gap turns with a third state.
const SELF_EXCITED: &str = r#"
    format = 1
    name = "self-excited"
    [parameters]
    mu = 0.7
    d = 1.9
    r = 0.8
    [flow]
    x = "y"
    y = "mu*(1 - x^2)*y - x + 0.2*s"
    s = "x - s"
    [contacts.wall]
    gap = "d - x"
    jump = { y = "-r*y", s = "s + 0.1*y" }
    [start]
    x = 0.1
    y = 0
    s = 0
"#;

/// Fourth-order differences of V and g by all unknowns against the Jacobian.
fn check_jacobian(vivid: &mut Vivid, u: &[f64], h: f64, tolerance: f64) {
    let n = vivid.states();
    let (mut residual, mut jacobian) = (vec![0.0; n], Matrix::zeros(n, u.len()));
    vivid.evaluate(u, &mut residual, &mut jacobian).unwrap();
    let mut scratch = jacobian.clone();
    for j in 0..u.len() {
        let mut at = |k: f64| {
            let mut moved = u.to_vec();
            moved[j] += k * h;
            vivid.evaluate(&moved, &mut residual, &mut scratch).unwrap();
            residual.clone()
        };
        let values = [-2.0, -1.0, 1.0, 2.0].map(&mut at);
        for i in 0..n {
            let slope = (values[0][i] - 8.0 * values[1][i] + 8.0 * values[2][i] - values[3][i]) / (12.0 * h);
            assert!(
                (slope - jacobian[(i, j)]).abs() < tolerance * (1.0 + slope.abs()),
                "{i} {j}: {slope} {}",
                jacobian[(i, j)]
            );
        }
    }
}

/// The motion of the system itself that starts a third of the period after the impact comes back with one impact.
fn repeats(vivid: &mut Vivid, u: &[f64]) {
    let n = vivid.states();
    let varied = vivid.vary(u).unwrap().clone();
    let period = varied.period();
    let mut flow = Extension::new(vivid.system(), 1e-13, FlowChoice::Automatic);
    let parameters = vivid.bind(&u[n..]).to_vec();
    let mut values = vivid.following().with_parameters(&parameters);
    flow.bind(values.parameters(), &[]);
    let mut start = Image::new(n, 0);
    flow.flow(ClosedSet::NONE, &varied.struck.state, period / 3.0, &mut start).unwrap();
    values.start_from(&start.state);
    let settings = MotionSettings { until: period, ..MotionSettings::default() };
    let run = Motion::new(vivid.system(), &values, settings).unwrap().run(false, |_| true);
    assert_eq!(run.count(EventKind::Impact), 1);
    for i in 0..n {
        let difference = run.state[i] - start.state[i];
        let whole = values.angle_periods()[i].map_or(0.0, |period| (difference / period).round() * period);
        assert_close(difference, whole, 1e-9);
    }
}

/// An orbit that grazes, of a motion without contact: the minimum of the gap after the transient.
fn grazing_guess(vivid: &mut Vivid, start: &[f64], settle: usize, value: f64) -> Vec<f64> {
    vivid.bind(&[value]);
    let mut end = Image::new(vivid.states(), 1);
    vivid.global_map(start, settle, &mut end).unwrap();
    let mut guess = end.state.clone();
    if vivid.system().model().phase.is_some() {
        guess[2] = guess[2].rem_euclid(TAU);
    }
    guess.push(value);
    guess
}

#[test]
fn nonlinear_models_agree_with_the_signature_problem_through_the_graze() {
    let cases = [(DUFFING, "F", 0.3, [0.4, 0.0, 3.0], 300), (SELF_EXCITED, "d", 2.0, [1.9, 0.0, 0.5], 60)];
    for (text, name, value, start, settle) in cases {
        let model = Model::parse(text, name).unwrap_or_else(|mistakes| panic!("{mistakes}"));
        let system = follow(&model, &[], &[name]);
        for p in 1..=3 {
            let mut vivid = loops(&system, p);
            let guess = grazing_guess(&mut vivid, &start, settle, value);
            let graze = vivid.solve(&guess, &[Held::Speed(0.0)]).unwrap();
            // Differences on both sides of speed zero.
            check_jacobian(&mut vivid, &graze.unknowns, 1e-3, 1e-8);
            let mut u = graze.unknowns.clone();
            for speed in [0.0, -1e-3, -0.02, -0.05, 0.02] {
                u = vivid
                    .solve(&u, &[Held::Speed(speed)])
                    .unwrap_or_else(|e| panic!("{name} {p} {speed}: {e}"))
                    .unknowns;
                let varied = vivid.vary(&u).unwrap();
                assert_close(varied.speed.value, speed, 1e-12);
                agree(&mut vivid, &u, 1e-10);
            }
            if p == 1 {
                u = vivid.solve(&u, &[Held::Speed(-0.05)]).unwrap().unknowns;
                repeats(&mut vivid, &u);
            }
            check_jacobian(&mut vivid, &u, 1e-3, 1e-8);
            let mut off = u.clone();
            off.iter_mut().for_each(|x| *x += 0.01);
            check_jacobian(&mut vivid, &off, 1e-3, 1e-8);
        }
    }
}
