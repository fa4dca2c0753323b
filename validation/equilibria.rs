//! Where systems rest, in flight and against their contacts, with the eigenvalues there.
#![allow(clippy::excessive_precision)] // references are quoted with all their digits

mod common;

use common::{assert_all_close, assert_close, parse, run, system};
use saltation::model::{Following, Model, Overrides, Values, gallery};
use saltation::motion::{ClosedSet, Motion, Settings, System};
use saltation::orbit::Equilibrium;
use saltation::orbit::branch::{self as orbits, Ended, SpecialKind};
use saltation::orbit::equilibrium::branch::{self, EquilibriumBranch, Special};
use saltation::orbit::equilibrium::{self, Equations, Reason, Search, find};
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
fn free(name: &str, set: &[(&str, f64)], along: &str) -> (System, Following) {
    let model = gallery::model(name).unwrap().unwrap();
    let set = set.iter().map(|(name, value)| (name.to_string(), format!("{value:e}"))).collect();
    let following = model.following(&Overrides { set, start: Vec::new() }, &[along]).unwrap();
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
            start[..4].iter().enumerate().for_each(|(i, (_, x))| values.start[i] = *x);
            let rest = only(&system, &values, wall());
            assert_close(turned(rest.state[0], 4.91990567552337), 0.0, 1e-13);
            assert_close(turned(rest.state[1], 0.49899755317827), 0.0, 1e-13);
            assert!((rest.state[0] - values.start[0]).abs() < PI, "in the turn of the start");
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
        values.start = vec![q1 + 0.1, q2 - 0.1, 0.0, 0.0];
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

/// The valve rests at the lift y with q = y sqrt(y + delta), and its pair of eigenvalues crosses the imaginary axis at
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

/// A ball rests on the ground with the force m g, and has no neighbours there; in flight nothing rests.
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

/// Without forcing the oscillator x'' + 2 zeta x' + x + 1 = 0 rests at -1, with -zeta +- i sqrt(1 - zeta^2); against the wall at 0
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

    let (system, values) = common::system("impact-oscillator", &[], &[]);
    let forced = find(&system, &values, &Default::default()).unwrap_err();
    assert_eq!(forced.to_string(), "the rate of y depends on the phase phi: a model that is forced does not rest");
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
    values.start = rest.state.iter().map(|x| x + 1e-4).collect();
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
    values.start = vec![4.9, 0.5, 0.0, 0.0];
    let rest = only(&system, &values, wall());
    let time = 0.5;
    let moved = |dq: f64, dw: f64| {
        let mut start = values.clone();
        start.start = vec![rest.state[0] + dq, rest.state[1], dw, 0.0];
        // The lower bar follows the upper one along the wall.
        start.start[1] = PI - (-0.5 - start.start[0].sin()).asin();
        if turned(start.start[1], rest.state[1]).abs() > 1e-2 {
            start.start[1] = (-0.5 - start.start[0].sin()).asin();
        }
        start.start[3] = -start.start[0].cos() * dw / start.start[1].cos();
        let settings = Settings { until: time, ..Settings::default() };
        let mut motion = Motion::resting_on(&system, &start, settings, &[], wall()).unwrap();
        while !matches!(motion.advance(), saltation::motion::Happening::Ended(_)) {}
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
        following.values.start = start;
        let values = following.values.clone();
        let rest = only(&system, &values, closed);
        let p = following.start()[0];
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
            let square = saltation::numerics::dense::Matrix::from_fn(n, n, |i, j| jacobian[(i, j)]);
            let step = square.solve(&residual).unwrap();
            x.iter_mut().zip(&step.x).for_each(|(x, d)| *x -= d);
        }
        let mut moved = values.clone();
        moved.parameters = equations.parameters(&[p + shift]);
        moved.start = rest.state.clone();
        let there = only(&system, &moved, closed);
        assert_all_close(&equations.state(&x), &there.state, 1e-12);
        let tests = equations.tests(&x, &[p + shift]);
        assert_all_close(&tests.contact_forces, &there.contact_forces, 1e-10);
        for (a, b) in tests.eigenvalues.iter().zip(&there.eigenvalues) {
            assert_all_close(&[a.re, a.im], &[b.re, b.im], 1e-9);
        }
    }
}

/// A wheel that no torque holds: where it stands is free, which is told and not searched for without end.
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

/// A model given by its text, with one free parameter.
fn text(text: &str, along: &str) -> (System, Following) {
    let model = Model::parse(text, "test.toml").unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let following = model.following(&Overrides::default(), &[along]).unwrap();
    (System::new(&model), following)
}

/// The branch of the one equilibrium of a mode.
#[track_caller]
fn branch((system, following): &(System, Following), closed: ClosedSet, (low, high): (f64, f64)) -> EquilibriumBranch {
    let rest = only(system, &following.values, closed);
    let settings = branch::Settings::between(low, high);
    let branch = branch::follow(system, following, &rest, &settings, &mut |_, _| true).unwrap();
    for pair in branch.points.windows(2) {
        assert!(pair[0].unknowns != pair[1].unknowns, "no point is told twice");
    }
    for special in &branch.special {
        assert_eq!(special.point, branch.points[special.index]);
    }
    branch
}

/// The kinds and places of the special points, sorted by place.
fn places(branch: &EquilibriumBranch) -> Vec<(SpecialKind, f64)> {
    branch.special.iter().map(|special| (special.kind, branch.value(&special.point))).collect()
}

#[track_caller]
fn assert_places(branch: &EquilibriumBranch, expected: &[(SpecialKind, f64)], tolerance: f64) {
    let found = places(branch);
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!(found.0, expected.0, "{found:?} {expected:?}");
        assert_close(found.1, expected.1, tolerance);
    }
}

/// The rest of the valve along the inflow, its Hopf bifurcation, and the oscillation that begins there as far as its first graze:
/// the figures of the Hopf point from the polynomial of its eigenvalues, those of the graze from an independent collocation code.
#[test]
fn the_oscillation_of_the_valve_begins_and_grazes() {
    let valve = free("relief-valve", &[("q", 7.0)], "q");
    let branch = branch(&valve, ClosedSet::NONE, (1.0, 10.0));
    assert_eq!(branch.ended, [Ended::Range { value: 1.0 }, Ended::Range { value: 10.0 }]);
    assert_places(&branch, &[(SpecialKind::Hopf, 8.4911176352)], 1e-10);
    let special = &branch.special[0];
    assert_close(special.point.state[0], 2.4103132377, 1e-10);
    assert_close(special.hopf.unwrap().period(), 2.0329269486, 1e-10);
    for point in &branch.points {
        let (q, y) = (branch.value(point), point.state[0]);
        assert_close(y * (y + 10.0).sqrt(), q, 1e-13 * q);
        assert!(point.admissible && (point.stable == (q > branch.value(&special.point))) || point == &special.point);
    }
    let settings = orbits::Settings::between(7.4, 8.6);
    let cycles = branch::follow_cycle(&valve.0, &valve.1, special, &settings, &mut |_, _| true).unwrap();
    assert_eq!(cycles.ended[0], Ended::Border { kind: SpecialKind::Hopf });
    let graze = cycles.special.iter().find(|special| special.kind == SpecialKind::Graze).unwrap();
    assert!(matches!(graze.place, orbits::Place::Between { contact: 0, .. }));
    assert_close(cycles.value(&graze.point), 7.557210972, 1e-9);
    assert_close(graze.point.period, 2.656012148, 1e-9);
    // The cycles begin small, with the period of the linear oscillation, where the rest is unstable.
    let first = &cycles.points[0];
    assert_close(first.period, special.hopf.unwrap().period(), 1e-2);
    assert!(first.stable && first.admissible && cycles.value(first) < branch.value(&special.point));
}

/// x' = p - x^2 with a state that follows: a fold at p = 0, and the same in units of 1e-6.
#[test]
fn a_fold_is_where_the_parabola_turns() {
    for unit in [1.0, 1e-6, 1e6] {
        let saddle_node = text(
            &format!(
                "format = 1\nname = \"fold\"\n[parameters]\np = 1\nu = {unit:e}\n[flow]\nx = \"(p - (x/u)^2)*u\"\n\
                 y = \"x - 2*y\"\n[start]\nx = {unit:e}\ny = {unit:e}\n"
            ),
            "p",
        );
        let branch = branch(&saddle_node, ClosedSet::NONE, (-1.0, 2.0));
        assert_eq!(branch.ended, [Ended::Range { value: 2.0 }, Ended::Range { value: 2.0 }]);
        assert_places(&branch, &[(SpecialKind::Fold, 0.0)], 1e-15);
        assert_close(branch.special[0].point.state[0] / unit, 0.0, 1e-9);
        for point in &branch.points {
            let (x, y, p) = (point.state[0] / unit, point.state[1] / unit, branch.value(point));
            assert_close(x * x, p, 1e-14);
            assert_close(y, 0.5 * x, 1e-14);
            assert_eq!(point.stable, x > 1e-9);
        }
        assert!(branch.points.first().unwrap().state[0] < 0.0 && branch.points.last().unwrap().state[0] > 0.0);
    }
}

/// A plate on a spring drawn by a charge, x'' + c x' + x = V/(1 - x)^2 with a stop at x = 1/2: it is drawn in at V = 4/27 and x = 1/3,
/// and beyond that fold it would touch the stop at V = 1/8. Resting at the stop it is held by the force V/(1 - x)^2 - x, which is
/// zero for the same V. In micrometres as in metres.
#[test]
fn the_plate_is_drawn_in_and_lets_go() {
    for unit in [1.0, 1e-6] {
        let plate = text(
            &format!(
                "format = 1\nname = \"plate\"\n[parameters]\nV = 0.1\nU = \"V^2\"\nL = {unit:e}\n\
                 [mechanics]\ncoordinates = [\"x\"]\nvelocities = [\"v\"]\n\
                 M = [[1]]\nh = [\"-0.3*v - x + L*V/(1 - x/L)^2\"]\n[contacts.stop]\ngap = \"L/2 - x\"\nrestitution = 0.5\n\
                 [start]\nx = {:e}\nv = 0\n",
                0.1 * unit
            ),
            "V",
        );
        let free = branch(&plate, ClosedSet::NONE, (0.05, 0.2));
        assert_places(&free, &[(SpecialKind::Fold, 4.0 / 27.0), (SpecialKind::Boundary, 0.125)], 1e-14);
        assert_close(free.special[0].point.state[0] / unit, 1.0 / 3.0, 1e-7);
        assert_eq!(free.special[1].contact, Some(0));
        assert_close(free.special[1].point.state[0] / unit, 0.5, 1e-12);
        for point in &free.points {
            let x = point.state[0] / unit;
            assert_close(x * (1.0 - x).powi(2), free.value(point), 1e-13);
            assert_close(point.parameters[1], free.value(point).powi(2), 1e-15);
            assert_eq!(point.admissible, x < 0.5 + 1e-9);
            assert!((x - 1.0 / 3.0).abs() < 1e-7 || point.stable == (x < 1.0 / 3.0));
        }
        let held = branch(&plate, wall(), (0.05, 0.2));
        assert_places(&held, &[(SpecialKind::Boundary, 0.125)], 1e-14);
        assert_eq!((held.special[0].contact, held.special[0].point.closed), (Some(0), wall()));
        for point in &held.points {
            let value = held.value(point);
            // The force is the factor of the gap's gradient, -1 here.
            assert_close(point.contact_forces[0] / unit, 4.0 * value - 0.5, 1e-13);
            assert_eq!(point.admissible, value >= 0.125 - 1e-14);
        }
    }
}

/// The Brusselator x' = a - (b + 1) x + x^2 y, y' = b x - x^2 y has its Hopf bifurcation at b = 1 + a^2 with the frequency a; held
/// along with it are two real eigenvalues of opposite sign, whose sum vanishes at b = 4 and is nothing.
#[test]
fn the_brusselator_begins_to_oscillate() {
    let mut ends: Vec<(f64, Vec<f64>)> = Vec::new();
    for unit in [1.0, 1e-6] {
        let brusselator = text(
            &format!(
                "format = 1\nname = \"brusselator\"\n[parameters]\na = 1.5\nb = 2\nu = {unit:e}\n\
                 [flow]\nx = \"u*(a - (b + 1)*x/u + (x/u)^2*y/u)\"\ny = \"u*(b*x/u - (x/u)^2*y/u)\"\nz = \"z\"\nw = \"(3 - b)*w\"\n\
                 [start]\nx = {unit:e}\ny = {unit:e}\nz = {unit:e}\nw = {unit:e}\n"
            ),
            "b",
        );
        let branch = branch(&brusselator, ClosedSet::NONE, (1.0, 5.0));
        // At b = 3 another curve crosses: w is free.
        assert_places(&branch, &[(SpecialKind::BranchPoint, 3.0), (SpecialKind::Hopf, 3.25)], 1e-12);
        assert_close(branch.special[1].hopf.unwrap().frequency, 1.5, 1e-12);
        assert_all_close(&branch.special[1].point.state[..2], &[1.5 * unit, 3.25 / 1.5 * unit], 1e-12 * unit);
        // Its oscillation.
        let settings = orbits::Settings::between(3.0, 3.5);
        let (system, following) = &brusselator;
        let cycles = branch::follow_cycle(system, following, &branch.special[1], &settings, &mut |_, _| true).unwrap();
        assert_eq!(cycles.ended[1], Ended::Range { value: 3.5 });
        let last = cycles.points.last().unwrap();
        ends.push((last.period, last.multipliers.iter().map(|m| m.modulus()).collect()));
    }
    let [(period, multipliers), (small, of_small)] = &ends[..] else { panic!() };
    assert_close(*small, *period, 1e-10);
    for (a, b) in of_small.iter().zip(multipliers) {
        assert_close(a / b, 1.0, 1e-8);
    }
}

/// A small cycle of x'' + x = (p - x^2) x': by averaging its amplitude is 2 sqrt p with the period 2 pi (1 + p^2/16), on top of
/// a body that rests on the floor.
#[test]
fn oscillations_begin_in_contact_too() {
    let resting = text(
        "format = 1\nname = \"resting\"\n[parameters]\np = -0.5\n[flow]\nx = \"v\"\nv = \"(p - x^2)*v - x\"\n\
         h = \"s\"\ns = \"x - 9\"\n[contacts.floor]\ngap = \"h\"\njump = { s = \"-0.5*s\" }\n[start]\nx = 1\nv = 1\nh = 0\ns = 0\n",
        "p",
    );
    let branch = branch(&resting, wall(), (-1.0, 1.0));
    assert_places(&branch, &[(SpecialKind::Hopf, 0.0)], 1e-13);
    assert_close(branch.special[0].hopf.unwrap().period(), TAU, 1e-13);
    let settings = orbits::Settings::between(-1.0, 0.1);
    let cycles = branch::follow_cycle(&resting.0, &resting.1, &branch.special[0], &settings, &mut |_, _| true).unwrap();
    assert_eq!(cycles.ended[1], Ended::Range { value: 0.1 });
    for point in &cycles.points {
        let p = cycles.value(point);
        assert!(p > 0.0 && point.admissible);
        assert_close(point.period, TAU * (1.0 + p * p / 16.0), 0.2 * p.powi(3) + 1e-9);
        assert_all_close(&point.state[2..], &[0.0, 0.0], 1e-15);
        // The tip of an axis: an amplitude of the oscillation.
        assert_close(point.state[0].hypot(point.state[1]), 2.0 * p.sqrt(), 2.0 * p.sqrt() * 0.5 * p + 1e-6);
    }
    let no_hopf = branch::follow_cycle(
        &resting.0,
        &resting.1,
        &Special { hopf: None, ..branch.special[0].clone() },
        &settings,
        &mut |_, _| true,
    );
    assert!(matches!(no_hopf, Err(branch::NoCycle::Kind(SpecialKind::Hopf))));
}

/// A pendulum in a frame that rotates at the rate W stands straight until W^2 = g/L; the curve that crosses there has
/// cos a = g/(L W^2). Without friction all its eigenvalues lie on the axis, which is no Hopf bifurcation.
#[test]
fn the_rotating_pendulum_leaves_its_axis() {
    for friction in [0.1, 0.0] {
        let pendulum = text(
            &format!(
                "format = 1\nname = \"governor\"\n[parameters]\nW = 2\nc = {friction}\n[mechanics]\ncoordinates = [\"a\"]\nvelocities = [\"w\"]\n\
                 M = [[1]]\nh = [\"W^2*sin(a)*cos(a) - 9*sin(a) - c*w\"]\n[angles]\na = \"2*pi\"\n[start]\na = 0\nw = 0\n"
            ),
            "W",
        );
        let straight = branch(&pendulum, ClosedSet::NONE, (1.0, 5.0));
        assert_places(&straight, &[(SpecialKind::BranchPoint, 3.0)], 1e-12);
        let crossing = straight.special[0].crossing.as_ref().unwrap();
        assert!(crossing.regular);
        assert_close(crossing.other[2], 0.0, 1e-8);
        // On the other curve the branch point is a turn as well.
        let (system, following) = &pendulum;
        let set = vec![("W".to_string(), "4".to_string())];
        let start = vec![("a".to_string(), "1".to_string())];
        let elsewhere = system.model().following(&Overrides { set, start }, &["W"]).unwrap();
        let bent = branch(&(System::new(system.model()), elsewhere), ClosedSet::NONE, (1.0, 5.0));
        assert_places(&bent, &[(SpecialKind::BranchPoint, 3.0)], 1e-12);
        // The same curve from the branch point.
        let settings = branch::Settings::between(1.0, 5.0);
        let special = &straight.special[0];
        let crossing = branch::follow_crossing(system, following, special, &settings, &mut |_, _| true).unwrap();
        assert!(crossing.points.contains(&special.point));
        for bent in [&bent, &crossing] {
            assert_eq!(bent.ended, [Ended::Range { value: 5.0 }, Ended::Range { value: 5.0 }]);
            for point in &bent.points {
                assert_close(point.state[0].cos() * bent.value(point).powi(2), 9.0, 1e-12);
            }
            assert!(bent.points[0].state[0] * bent.points.last().unwrap().state[0] < 0.0);
        }
    }
}

/// What cannot be followed is told.
#[test]
fn branches_that_do_not_begin() {
    let (system, following) = free("relief-valve", &[("q", 7.0)], "q");
    let rest = only(&system, &following.values, ClosedSet::NONE);
    for range in [(8.0, 9.0), (7.0, 7.0), (f64::NAN, 8.0), (6.0, f64::INFINITY)] {
        let failure =
            branch::follow(&system, &following, &rest, &branch::Settings::between(range.0, range.1), &mut |_, _| true);
        assert!(matches!(failure, Err(branch::StartError::OutOfRange { .. })), "{failure:?}");
    }
    let settings = branch::Settings { longest_step: f64::NAN, ..branch::Settings::between(6.0, 8.0) };
    let failure = branch::follow(&system, &following, &rest, &settings, &mut |_, _| true);
    assert!(matches!(failure, Err(branch::StartError::NoPoint(_))), "{failure:?}");
    let mut asked = 0;
    let settings = branch::Settings::between(1.0, 8.0);
    let interrupted = branch::follow(&system, &following, &rest, &settings, &mut |_, _| {
        asked += 1;
        asked < 4
    })
    .unwrap();
    assert_eq!(interrupted.ended[1], Ended::Interrupted);
    assert_eq!(interrupted.points.len(), 4);
    // An oscillator that rests while its forcing is off.
    let (system, following) = free("impact-oscillator", &[("A", 0.0)], "A");
    let rest = only(&system, &following.values, ClosedSet::NONE);
    let failure = branch::follow(&system, &following, &rest, &branch::Settings::between(-1.0, 1.0), &mut |_, _| true);
    assert!(matches!(failure, Err(branch::StartError::Forced(_))), "{failure:?}");
    // At the end of its range a branch goes one way.
    let (system, following) = free("relief-valve", &[("q", 7.0)], "q");
    let settings = branch::Settings::between(7.0, 9.0);
    let rest = only(&system, &following.values, ClosedSet::NONE);
    let upward = branch::follow(&system, &following, &rest, &settings, &mut |_, _| true).unwrap();
    assert_eq!(upward.ended, [Ended::Range { value: 7.0 }, Ended::Range { value: 9.0 }]);
    assert_eq!((upward.value(&upward.points[0]), upward.value(upward.points.last().unwrap())), (7.0, 9.0));
    let failure = branch::follow_crossing(&system, &following, &upward.special[0], &settings, &mut |_, _| true);
    assert_eq!(failure, Err(branch::StartError::Kind(SpecialKind::Hopf)));
}

/// Neither x' = sqrt p - x nor x' = p + p sqrt p - x has a rest below p = 0; the first curve comes there straight down.
#[test]
fn a_branch_ends_where_a_formula_has_no_value() {
    for (rest, tolerance) in [("sqrt(p)", 1e-6), ("p + p*sqrt(p)", 1e-6)] {
        let root = text(
            &format!(
                "format = 1\nname = \"root\"\n[parameters]\np = 0.5\n[flow]\nx = \"{rest} - x\"\n[start]\nx = 1\n"
            ),
            "p",
        );
        let branch = branch(&root, ClosedSet::NONE, (-1.0, 1.0));
        assert!(matches!(&branch.ended[0], Ended::Stopped { .. }), "{branch:?}");
        assert_eq!(branch.ended[1], Ended::Range { value: 1.0 });
        assert_places(&branch, &[(SpecialKind::End, 0.0)], tolerance);
    }
}

/// The circle x^2 + p^2 = 1 of x' = 1 - x^2 - p^2 closes, and turns at p = 1 and -1.
#[test]
fn a_circle_of_rests_closes() {
    let circle = text(
        "format = 1\nname = \"circle\"\n[parameters]\np = 0.3\n[flow]\nx = \"1 - x^2 - p^2\"\n[start]\nx = 1\n",
        "p",
    );
    let whole = branch(&circle, ClosedSet::NONE, (-2.0, 2.0));
    assert_eq!(whole.ended, [Ended::Closed, Ended::Closed]);
    assert_places(&whole, &[(SpecialKind::Fold, 1.0), (SpecialKind::Fold, -1.0)], 1e-14);
    // The turn at p = 1 is beyond the range, however near: the branch ends where it leaves.
    let part = branch(&circle, ClosedSet::NONE, (-2.0, 1.0 - 1e-9));
    assert_eq!(part.ended, [Ended::Range { value: 1.0 - 1e-9 }, Ended::Range { value: 1.0 - 1e-9 }]);
    assert_places(&part, &[(SpecialKind::Fold, -1.0)], 1e-14);
}

/// A bead in a bowl lies where its load, which turns with p, points: round and round, held with the force 1. Its eigenvalues are
/// those of a pendulum of unit length.
#[test]
fn the_bead_goes_round_its_bowl() {
    let bead = text(
        "format = 1\nname = \"bead\"\n[parameters]\np = 0\n[mechanics]\ncoordinates = [\"x\", \"y\"]\nvelocities = [\"v\", \"w\"]\n\
         M = [[1, 0], [0, 1]]\nh = [\"cos(p) - 0.4*v\", \"sin(p) - 0.4*w\"]\n[contacts.bowl]\ngap = \"1 - sqrt(x^2 + y^2)\"\n\
         restitution = 0.5\n[start]\nx = 0.9\ny = 0.1\nv = 0\nw = 0\n",
        "p",
    );
    // Also to where the wall stands at a right angle to that at the start.
    for turn in [8.0, 0.5 * PI] {
        let branch = branch(&bead, wall(), (-turn, turn));
        assert_eq!(branch.ended, [Ended::Range { value: -turn }, Ended::Range { value: turn }]);
        assert!(branch.special.is_empty(), "{:?}", places(&branch));
        for point in &branch.points {
            let p = branch.value(point);
            assert_all_close(&point.state, &[p.cos(), p.sin(), 0.0, 0.0], 1e-13);
            assert_close(point.contact_forces[0], 1.0, 1e-13);
            assert_close(point.eigenvalues[0].re, -0.2, 1e-12);
            assert_close(point.eigenvalues[0].im, 0.96_f64.sqrt(), 1e-12);
            assert!(point.stable && point.admissible);
        }
    }
}

/// Two equal oscillators x'' + x = (p - x^2) x' lose their rest at once, and a third one with the frequency 2 a little later; two
/// real eigenvalues of opposite sign in the same place hide none of them.
#[test]
fn several_oscillations_begin_at_once() {
    let many = text(
        "format = 1\nname = \"many\"\n[parameters]\np = -0.5\n[flow]\na = \"b\"\nb = \"(p - a^2)*b - a\"\nc = \"d\"\n\
         d = \"(p - c^2)*d - c\"\ne = \"f\"\nf = \"(p - 0.001 - e^2)*f - 4*e\"\ng = \"g\"\nh = \"(p - 1.0005)*h\"\n\
         [start]\na = 1\nb = 1\nc = 1\nd = 1\ne = 1\nf = 1\ng = 1\nh = 1\n",
        "p",
    );
    let (system, mut following) = many;
    following.values.start = vec![0.01; 8];
    let branch = branch(&(system, following), ClosedSet::NONE, (-1.0, 0.9));
    assert_places(&branch, &[(SpecialKind::Hopf, 0.0), (SpecialKind::Hopf, 0.001)], 1e-13);
    let frequencies: Vec<f64> = branch.special.iter().map(|special| special.hopf.unwrap().frequency).collect();
    assert_all_close(&frequencies, &[1.0, 2.0], 1e-13);
}
