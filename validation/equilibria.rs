//! Equilibria in flight and in contact, with their eigenvalues.
#![allow(clippy::excessive_precision)] // references are quoted with all their digits

use crate::common::{assert_all_close, assert_close, parse, run, system};
use saltation_model::{Overrides, Values, gallery};
use saltation_motion::{ClosedSet, Motion, Settings, System};
use saltation_orbit::Equilibrium;
use saltation_orbit::equilibrium::{self, Equations, Reason, Search, find};
use std::f64::consts::{PI, TAU};

fn search(system: &System, values: &Values, closed: Option<ClosedSet>) -> Search {
    find(system, values, &equilibrium::Settings { closed, ..Default::default() })
        .unwrap_or_else(|forced| panic!("{forced}"))
}

/// The one equilibrium of a mode.
#[track_caller]
fn only(system: &System, values: &Values, closed: ClosedSet) -> Equilibrium {
    let found = search(system, values, Some(closed));
    assert_eq!(found.equilibria.len(), 1, "{found:?}");
    found.equilibria.into_iter().next().unwrap()
}

/// A model of the gallery with other parameters, one of them free.
fn free(name: &str, set: &[(&str, f64)], along: &str) -> (System, Values) {
    let model = gallery::model(name).unwrap().unwrap();
    let set = set.iter().map(|(name, value)| (name.to_string(), format!("{value:e}"))).collect();
    let following =
        model.values(&Overrides { set, start: Vec::new() }).and_then(|values| values.along(&[along])).unwrap();
    (System::new(&model), following)
}

fn wall() -> ClosedSet {
    ClosedSet::NONE.with(0)
}

/// The difference of two angles, between minus pi and pi.
fn turned(a: f64, b: f64) -> f64 {
    (a - b + PI).rem_euclid(TAU) - PI
}

const SADDLE: [(&str, f64); 2] = [("T", -31.00166609425), ("d", 0.5)];

/// Nordmark & Piiroinen, Sect. 6.3: the saddle against the wall. Its force is that of their Eq. (53), the factor of the gap's
/// gradient; the eigenvalues are those of the sticking field along the wall, computed again by three routes.
#[test]
fn the_pendulum_has_its_saddle_on_the_wall() {
    for twin in ["double-pendulum", "double-pendulum-mechanics"] {
        for start in [[4.9, 0.5], [4.7, 0.4], [4.9 - TAU, 0.5 + TAU]] {
            let start = [("q1", start[0]), ("q2", start[1]), ("w1", 0.1), ("w2", 0.0), ("d", 0.0)];
            let (system, mut values) = system(twin, &SADDLE, &[]);
            values.set_starts(&start[..4]).unwrap();
            let rest = only(&system, &values, wall());
            assert_close(turned(rest.state[0], 4.91990567552337), 0.0, 1e-13);
            assert_close(turned(rest.state[1], 0.49899755317827), 0.0, 1e-13);
            assert!((rest.state[0] - values.start()[0]).abs() < PI, "in the turn of the start");
            assert_all_close(&rest.state[2..], &[0.0, 0.0], 1e-14);
            assert_close(rest.contact_forces[0], 10.69293096743960, 1e-11);
            let [out, back] = rest.eigenvalues[..] else { panic!("{rest:?}") };
            assert_eq!((out.im, back.im), (0.0, 0.0));
            assert_close(out.re, 0.28879317054699, 1e-12);
            assert_close(back.re, -3.24752083104905, 1e-12);
            assert!(!rest.stable && rest.admissible && rest.isolated && rest.boundary.is_empty());
        }
    }
}

/// The closed form of that rest: the wall holds the lower mass where its bar points, N = lambda, so that
/// (m1 + m2) g L1 sin q1 + lambda (-L1 cos q1) = T and m2 g sin q2 = lambda cos q2 with sin q1 + sin q2 = -d.
#[test]
fn the_forces_of_the_pendulum_on_the_wall_balance() {
    let (system, values) = system("double-pendulum", &SADDLE, &[]);
    let found = search(&system, &values, None);
    let resting: Vec<&Equilibrium> = found.equilibria.iter().filter(|rest| rest.closed == wall()).collect();
    assert!(!resting.is_empty());
    for rest in resting {
        let ([q1, q2], force) = ([rest.state[0], rest.state[1]], rest.contact_forces[0]);
        assert_close(q1.sin() + q2.sin(), -0.5, 1e-13);
        assert_close(3.0 * 9.81 * q1.sin() - force * q1.cos(), -31.00166609425, 1e-11);
        assert_close(2.0 * 9.81 * q2.sin(), force * q2.cos(), 1e-11);
        assert_eq!(rest.admissible, force > 0.0 && rest.boundary.is_empty());
    }
}

/// Without torque the pendulum hangs, and stands in three ways: eigenvalues by the roots of the characteristic polynomial of
/// M s^2 + C s + K with M = ((3, +-2), (+-2, 2)), C = diag(10, 0), K = 9.81 diag(+-3, +-2).
#[test]
fn the_pendulum_hangs_and_stands() {
    let (system, mut values) = system("double-pendulum", &[("T", 0.0), ("d", 3.0)], &[]);
    for (q1, q2) in [(0.0, 0.0), (PI, 0.0), (0.0, PI), (PI, PI)] {
        values.start_from(&[q1 + 0.1, q2 - 0.1, 0.0, 0.0]);
        let rest = only(&system, &values, ClosedSet::NONE);
        assert_all_close(&rest.state, &[q1, q2, 0.0, 0.0], 1e-14);
        assert_eq!(rest.stable, q1 == 0.0 && q2 == 0.0);
        let (c1, c2, c12): (f64, f64, f64) = (q1.cos(), q2.cos(), (q1 - q2).cos());
        for z in &rest.eigenvalues {
            // (3 s^2 + 10 s + 3 g c1)(2 s^2 + 2 g c2) - (2 c12 s^2)^2, in complex numbers.
            let times = |a: (f64, f64), b: (f64, f64)| (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0);
            let s = (z.re, z.im);
            let s2 = times(s, s);
            let first = (3.0 * s2.0 + 10.0 * s.0 + 29.43 * c1, 3.0 * s2.1 + 10.0 * s.1);
            let second = (2.0 * s2.0 + 19.62 * c2, 2.0 * s2.1);
            let (product, square) = (times(first, second), times(s2, s2));
            let size = first.0.hypot(first.1) * second.0.hypot(second.1) + 4.0 * c12 * c12 * square.0.hypot(square.1);
            let value = (product.0 - 4.0 * c12 * c12 * square.0).hypot(product.1 - 4.0 * c12 * c12 * square.1);
            assert!(value <= 1e-12 * size.max(1.0), "{z:?}: {value:e} of {size:e}");
        }
    }
}

/// The valve is in equilibrium at the lift y with q = y sqrt(y + delta), and its pair of eigenvalues crosses the imaginary axis at
/// q = 8.4911176352: below it oscillates.
#[test]
fn the_valve_loses_its_rest_in_a_hopf_bifurcation() {
    let at = |q: f64| {
        let (system, values) = system("relief-valve", &[("q", q)], &[]);
        only(&system, &values, ClosedSet::NONE)
    };
    let hopf = at(8.4911176352);
    let y = hopf.state[0];
    assert_close(y, 2.4103132377, 1e-10);
    assert_close(y * (y + 10.0).sqrt(), 8.4911176352, 1e-14);
    assert_close(hopf.state[2], y + 10.0, 1e-13);
    let pair = hopf.eigenvalues[0];
    // q is given to eleven digits.
    assert_close(pair.re, 0.0, 1e-9);
    assert_close(TAU / pair.im, 2.0329269486, 1e-9);
    // The polynomial of the eigenvalues, s^3 + a s^2 + b s + c, has a pair on the axis where a b = c.
    let root = (y + 10.0).sqrt();
    let slope = 20.0 * y / (2.0 * root);
    let (a, b, c) = (1.25 + slope, 1.0 + 1.25 * slope, slope + 20.0 * root);
    assert_close(a * b, c, 1e-7);
    assert_close(pair.im, b.sqrt(), 1e-9);
    assert!(!at(8.49).stable && at(8.5).stable);
}

/// A ball is in equilibrium on the ground with the force m g, without directions for perturbations; in flight there is no equilibrium.
#[test]
fn the_ball_rests_on_the_ground() {
    let (system, values) = system("bouncing-ball", &[("g", 9.5)], &[]);
    let found = search(&system, &values, None);
    assert_eq!(found.equilibria.len(), 1);
    let rest = &found.equilibria[0];
    assert_eq!((&rest.state[..], &rest.contact_forces[..]), (&[0.0, 0.0][..], &[9.5][..]));
    assert!(rest.eigenvalues.is_empty() && rest.stable && rest.admissible);
    assert_eq!(found.missed.len(), 1);
    assert_eq!(found.missed[0].reason, Reason::Moving { state: 1, rate: -9.5 });
}

/// Without forcing the oscillator x'' + 2 zeta x' + x + 1 = 0 is in equilibrium at -1, with -zeta +- i sqrt(1 - zeta^2); against the wall at 0
/// it would be pulled with the force -1, which a wall cannot do.
#[test]
fn the_oscillator_rests_when_its_forcing_is_off() {
    let (system, values) = system("impact-oscillator", &[("A", 0.0)], &[]);
    let found = search(&system, &values, None);
    let [free, pulled] = &found.equilibria[..] else { panic!("{found:?}") };
    assert_all_close(&free.state[..2], &[-1.0, 0.0], 1e-15);
    assert!(free.stable && free.admissible);
    assert_close(free.eigenvalues[0].re, -0.02, 1e-15);
    assert_close(free.eigenvalues[0].im, (1.0 - 0.0004_f64).sqrt(), 1e-15);
    assert_eq!((pulled.closed, pulled.admissible), (wall(), false));
    assert_all_close(&pulled.contact_forces, &[-1.0], 1e-15);

    let (system, values) = crate::common::system("impact-oscillator", &[], &[]);
    let forced = find(&system, &values, &Default::default()).unwrap_err();
    assert_eq!(forced.to_string(), "the rate of y depends on the phase phi: a model that is forced has no equilibria");
}

/// A mass on a spring of rest length l before a wall at 0: as l passes 0 the rest in flight and that on the wall meet, and both
/// say so.
#[test]
fn rests_meet_at_a_boundary() {
    let spring = |l: f64, unit: f64| {
        let text = format!(
            "format = 1\nname = \"spring\"\n[mechanics]\ncoordinates = [\"x\"]\nvelocities = [\"v\"]\nM = [[2]]\n\
             h = [\"-3*(x - {l:e}) - v\"]\n[contacts.wall]\ngap = \"x\"\nrestitution = 0.5\n[start]\nx = {unit:e}\nv = 0\n"
        );
        let (system, values) = parse(&text);
        let found = search(&system, &values, None);
        assert_eq!(found.equilibria.len(), 2, "{found:?}");
        let flight = found.equilibria.iter().find(|rest| rest.closed.is_empty()).unwrap().clone();
        let stick = found.equilibria.iter().find(|rest| !rest.closed.is_empty()).unwrap().clone();
        (flight, stick)
    };
    // Lengths in any unit.
    for unit in [1.0, 1e-9, 1e9] {
        let (flight, stick) = spring(0.25 * unit, unit);
        assert_close(flight.state[0] / unit, 0.25, 1e-14);
        assert_close(stick.contact_forces[0] / unit, -0.75, 1e-14);
        assert_eq!((flight.admissible, stick.admissible), (true, false));
        let (flight, stick) = spring(-0.25 * unit, unit);
        assert_eq!((flight.admissible, stick.admissible), (false, true));
        let (flight, stick) = spring(0.0, unit);
        assert_eq!((flight.admissible, &flight.boundary[..]), (true, &[0][..]));
        assert_eq!((stick.admissible, &stick.boundary[..]), (true, &[0][..]));
    }
}

/// A motion that begins beside a stable rest comes to it, and the distance falls at the rate of the largest eigenvalue.
#[test]
fn motions_come_to_a_stable_rest_at_the_rate_of_its_eigenvalue() {
    let (system, mut values) = system("relief-valve", &[("q", 9.5)], &[]);
    let rest = only(&system, &values, ClosedSet::NONE);
    assert!(rest.stable);
    values = values.with_start(&rest.state.iter().map(|x| x + 1e-4).collect::<Vec<f64>>());
    let pair = rest.eigenvalues[0];
    let period = TAU / pair.im;
    let path = run(&system, &values, 260.0).trajectory.unwrap();
    let off = |t: f64| path.at(t).iter().zip(&rest.state).map(|(x, y)| x - y).collect::<Vec<f64>>();
    // Whole turns later the distance has the same direction.
    let (early, late) = (off(4.0 * period), off(14.0 * period));
    let rate = (late[0] / early[0]).ln() / (10.0 * period);
    assert_close(rate, pair.re, 1e-4 * pair.re.abs());
    assert!(off(250.0).iter().all(|d| d.abs() < 1e-6));
}

/// The eigenvalues on the wall against differences of motions that stay on it.
#[test]
fn eigenvalues_on_the_wall_are_those_of_differences() {
    let (system, mut values) = system("double-pendulum", &SADDLE, &[]);
    values.start_from(&[4.9, 0.5, 0.0, 0.0]);
    let rest = only(&system, &values, wall());
    let time = 0.5;
    let moved = |dq: f64, dw: f64| {
        let mut start = [rest.state[0] + dq, rest.state[1], dw, 0.0];
        // The lower bar follows the upper one along the wall.
        start[1] = PI - (-0.5 - start[0].sin()).asin();
        if turned(start[1], rest.state[1]).abs() > 1e-2 {
            start[1] = (-0.5 - start[0].sin()).asin();
        }
        start[3] = -start[0].cos() * dw / start[1].cos();
        let start = values.with_start(&start);
        let settings = Settings { until: time, ..Settings::default() };
        let mut motion = Motion::resting_on(&system, &start, settings, &[], wall()).unwrap();
        while !matches!(motion.advance(), saltation_motion::Happening::Ended(_)) {}
        assert_eq!(motion.closed(), wall());
        [motion.state()[0], motion.state()[2]]
    };
    let h = 1e-4;
    let column = |plus: [f64; 2], minus: [f64; 2]| [(plus[0] - minus[0]) / (2.0 * h), (plus[1] - minus[1]) / (2.0 * h)];
    let (a, b) = (column(moved(h, 0.0), moved(-h, 0.0)), column(moved(0.0, h), moved(0.0, -h)));
    // Trace and determinant of the flow along the wall; differences of second order.
    let growth: Vec<f64> = rest.eigenvalues.iter().map(|z| (z.re * time).exp()).collect();
    assert_close(a[0] + b[1], growth[0] + growth[1], 1e-6);
    assert_close(a[0] * b[1] - a[1] * b[0], growth[0] * growth[1], 1e-6);
}

/// The equations for a curve of equilibria vanish at an equilibrium, have the derivative of their differences, and where the
/// parameter is moved their solution is the equilibrium there.
#[test]
fn the_equations_of_a_curve_lead_from_rest_to_rest() {
    for (name, set, parameter, closed, start) in [
        ("double-pendulum", &SADDLE[..], "T", wall(), vec![4.9, 0.5, 0.0, 0.0]),
        ("double-pendulum", &SADDLE[..], "d", wall(), vec![4.9, 0.5, 0.0, 0.0]),
        ("relief-valve", &[("q", 9.0)][..], "q", ClosedSet::NONE, vec![2.0, 0.0, 12.0]),
    ] {
        let (system, mut following) = free(name, set, parameter);
        following.start_from(&start);
        let values = following.clone();
        let rest = only(&system, &values, closed);
        let p = following.free_values()[0];
        let mut equations = Equations::new(&system, &following, &rest).unwrap();
        let n = equations.dimension();
        let mut x = equations.unknowns(&rest.state);
        let (residual, jacobian) = equations.evaluate(&x, &[p]).unwrap();
        assert!(residual.iter().all(|r| r.abs() < 1e-13), "{residual:?}");
        assert_eq!((jacobian.rows(), jacobian.columns()), (n, n + 1));
        let h = 1e-6;
        for column in 0..=n {
            let mut beside = |side: f64| {
                let mut moved = x.clone();
                moved.iter_mut().skip(column).take(1).for_each(|x| *x += side * h);
                equations.evaluate(&moved, &[if column == n { p + side * h } else { p }]).unwrap().0
            };
            let (plus, minus) = (beside(1.0), beside(-1.0));
            for row in 0..n {
                let difference = (plus[row] - minus[row]) / (2.0 * h);
                assert_close(jacobian[(row, column)], difference, 1e-7 * difference.abs().max(1.0));
            }
        }
        // Newton's method at a moved parameter.
        let shift = 1e-2;
        for _ in 0..8 {
            let (residual, jacobian) = equations.evaluate(&x, &[p + shift]).unwrap();
            let square = saltation_numerics::dense::Matrix::from_fn(n, n, |i, j| jacobian[(i, j)]);
            let step = square.solve(&residual).unwrap();
            x.iter_mut().zip(&step.x).for_each(|(x, d)| *x -= d);
        }
        let moved = values.with_start(&rest.state).with_parameters(&equations.parameters(&[p + shift]));
        let there = only(&system, &moved, closed);
        assert_all_close(&equations.state(&x), &there.state, 1e-12);
        let tests = equations.tests(&x, &[p + shift]);
        assert_all_close(&tests.contact_forces, &there.contact_forces, 1e-10);
        for (a, b) in tests.eigenvalues.iter().zip(&there.eigenvalues) {
            assert_all_close(&[a.re, a.im], &[b.re, b.im], 1e-9);
        }
    }
}

/// A wheel without torque: its angle is free, which is reported.
#[test]
fn families_are_told() {
    let (system, values) = parse(
        "format = 1\nname = \"wheel\"\n[mechanics]\ncoordinates = [\"a\", \"x\"]\nvelocities = [\"w\", \"v\"]\n\
         M = { diagonal = [1, 1] }\nh = [\"-w\", \"-x^3 - x - v\"]\n[angles]\na = \"2*pi\"\n[start]\na = 1\nx = 0.5\nw = 1\nv = 0\n",
    );
    let rest = only(&system, &values, ClosedSet::NONE);
    assert!(!rest.isolated && !rest.stable && rest.admissible);
    assert_close(rest.eigenvalues[0].re, 0.0, 1e-15);
    // A wheel that turns at a constant speed does not rest at all.
    let (system, values) =
        parse("format = 1\nname = \"clock\"\n[flow]\na = \"1\"\n[angles]\na = \"2*pi\"\n[start]\na = 0\n");
    let found = search(&system, &values, None);
    assert_eq!(found.missed[0].reason, Reason::Moving { state: 0, rate: 1.0 });
}

/// Two walls that face each other cannot both be touched; a corner can.
#[test]
fn several_contacts_close_where_they_can() {
    let both = ClosedSet::NONE.with(0).with(1);
    let (system, values) = system("impact-damper", &[], &[]);
    // The model is forced, whatever is closed.
    assert!(find(&system, &values, &equilibrium::Settings { closed: Some(both), ..Default::default() }).is_err());
    let text = |second: &str| {
        format!(
            "format = 1\nname = \"corner\"\n[mechanics]\ncoordinates = [\"x\", \"y\"]\nvelocities = [\"v\", \"w\"]\n\
             M = [[2, 0], [0, 2]]\nh = [-3, -4]\n[contacts.floor]\ngap = \"y\"\nrestitution = 0.5\n[contacts.side]\n\
             gap = \"{second}\"\nrestitution = 0.5\n[start]\nx = 1\ny = 1\nv = 0\nw = 0\n"
        )
    };
    let (system, values) = parse(&text("x"));
    let corner = only(&system, &values, both);
    assert_all_close(&corner.state, &[0.0; 4], 1e-15);
    assert_all_close(&corner.contact_forces, &[4.0, 3.0], 1e-14);
    assert!(corner.admissible && corner.eigenvalues.is_empty());
    let (system, values) = parse(&text("2 - y"));
    let found = search(&system, &values, Some(both));
    assert!(matches!(found.missed[0].reason, Reason::NeverCloses { .. }), "{found:?}");
    // A surface that is nowhere.
    let (system, values) = parse(&text("1 + x^2 + y^2"));
    let found = search(&system, &values, Some(ClosedSet::NONE.with(1)));
    assert!(matches!(found.missed[0].reason, Reason::NeverCloses { contact: 1, .. }), "{found:?}");
}

/// Two masses with backlash b, of which no spring holds the second: pressed on each other they rest where T - P = k p1, with the force P. In any units, either
/// way round, from any start, and at p1 = 0 as well.
#[test]
fn masses_with_backlash_rest_on_each_other() {
    let (k, b) = (2.86, 0.34);
    for (unit, sign) in [(1.0, 1.0), (1.0, -1.0), (1e-9, 1.0), (1e-3, -1.0), (1e3, 1.0), (1e6, -1.0)] {
        for (push, press) in [(-0.7, 0.99), (0.5, 0.5), (0.99, 0.99), (0.25, 0.75)] {
            for start in [0.0, 0.01, -3.0] {
                let [from, push, press] = [start, push, press].map(|x| x * unit * sign);
                let text = format!(
                    "format = 1\nname = \"backlash\"\n[mechanics]\ncoordinates = [\"p1\", \"p2\"]\n\
                     velocities = [\"w1\", \"w2\"]\nM = {{ diagonal = [1, 1.48] }}\n\
                     h = [\"-0.2*w1 - {k}*p1 + ({push:e})\", \"-0.3*w2 - ({press:e})\"]\n\
                     [contacts.front]\ngap = \"{0:e} - (p1 - p2)\"\nrestitution = 0.6\n\
                     [contacts.back]\ngap = \"{0:e} + (p1 - p2)\"\nrestitution = 0.6\n\
                     [start]\np1 = {from:e}\np2 = {from:e}\nw1 = 0\nw2 = 0\n",
                    b * unit
                );
                let (system, values) = parse(&text);
                let found = search(&system, &values, None);
                assert_eq!(found.equilibria.len(), 2, "{text}\n{found:?}");
                for rest in &found.equilibria {
                    // The front contact pushes the second mass against its force, the back contact with it.
                    let front = rest.closed.contains(0);
                    let p1 = (push - press) / k / unit;
                    assert!((rest.state[0] / unit - p1).abs() < 1e-15, "{rest:?}");
                    assert_close(rest.state[1] / unit, p1 - if front { b } else { -b }, 1e-15);
                    assert_eq!(&rest.state[2..], &[0.0, 0.0]);
                    assert_close(
                        rest.contact_forces[0] / unit,
                        if front { press / unit } else { -press / unit },
                        1e-14,
                    );
                    assert_eq!(rest.admissible, rest.contact_forces[0] > 0.0);
                    assert!(rest.isolated && rest.stable && rest.boundary.is_empty(), "{text}\n{rest:?}");
                }
            }
        }
    }
}

/// Of two masses that do not act on each other one rests on a stop, the other at zero.
#[test]
fn what_rests_at_zero_hides_no_rest_on_a_stop() {
    let text = "format = 1\nname = \"two\"\n[mechanics]\ncoordinates = [\"x\", \"y\"]\nvelocities = [\"v\", \"w\"]\n\
                M = { diagonal = [1, 1] }\nh = [\"-1 - x\", \"-y - 0.1*w\"]\n\
                [contacts.lo]\ngap = \"x\"\nrestitution = 0.6\n[contacts.hi]\ngap = \"1 - x\"\nrestitution = 0.6\n\
                [start]\nx = 0.5\ny = 0.2\nv = 0\nw = 0\n";
    let (system, values) = parse(text);
    let found = search(&system, &values, None);
    let [lo, flight, hi] = &found.equilibria[..] else { panic!("{found:?}") };
    assert_eq!((lo.closed, &lo.state[..], lo.contact_forces[0]), (wall(), &[0.0; 4][..], 1.0));
    assert_eq!((flight.closed, &flight.state[..]), (ClosedSet::NONE, &[-1.0, 0.0, 0.0, 0.0][..]));
    assert_eq!((&hi.state[..], hi.contact_forces[0]), (&[1.0, 0.0, 0.0, 0.0][..], -2.0));
    assert_eq!([lo, flight, hi].map(|rest| rest.admissible), [true, false, false]);
    assert!(found.equilibria.iter().all(|rest| rest.isolated));
}

/// From a motion that runs away Newton's method comes back in units in which everything near is zero: it goes on from there.
#[test]
fn runaway_motions_leave_no_false_equilibria() {
    let line = "[flow]\nx = \"2*x + 1\"\n[start]\nx = 0.3";
    let saddle = "[mechanics]\ncoordinates = [\"x\"]\nvelocities = [\"v\"]\nM = [[1]]\nh = [\"x - 0.3\"]\n\
                  [start]\nx = 0\nv = 0";
    for (text, state) in [(line, &[-0.5][..]), (saddle, &[0.3, 0.0][..])] {
        let (system, values) = parse(&format!("format = 1\nname = \"runaway\"\n{text}"));
        let found = search(&system, &values, None).equilibria;
        assert_eq!(found.len(), 1, "{found:?}");
        assert_all_close(&found[0].state, state, 1e-15);
        assert!(found[0].residual < 1e-15, "{found:?}");
    }
}

/// What is zero only because it is too small for a number is no equilibrium, and multiple ones are found to their last digit.
#[test]
fn underflow_makes_no_equilibria() {
    for (rate, states) in [("(1 - x)*exp(-x^2)", &[1.0][..]), ("exp(-x)", &[]), ("-x^3", &[0.0]), ("(x - 1)^2", &[1.0])]
    {
        let (system, values) = parse(&format!("format = 1\nname = \"one\"\n[flow]\nx = \"{rate}\"\n[start]\nx = 0.6"));
        let found = search(&system, &values, None).equilibria;
        let found: Vec<f64> = found.iter().map(|rest| rest.state[0]).collect();
        assert_all_close(&found, states, 1e-15);
    }
}
