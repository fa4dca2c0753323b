//! The equations of signatures: closed-form solutions through a graze, and orbits found by shooting.

use crate::common::{assert_close, system};
use saltation_model::{Overrides, gallery};
use saltation_motion::{ClosedSet, FlowChoice, System};
use saltation_numerics::blocks::{BlockMatrix, Condensation};
use saltation_numerics::dense::{Elimination, Matrix};
use saltation_numerics::polynomial::Workspace;
use saltation_orbit::signature::{Equations, Kind, Node, Reading, Signature};
use saltation_orbit::{Orbit, Settings, find};

const ZETA: f64 = 0.02;
const R: f64 = 0.9;

/// e^(At) of x'' + 2 zeta x' + x = 0.
fn free(t: f64) -> [[f64; 2]; 2] {
    let w = (1.0 - ZETA * ZETA).sqrt();
    let (s, c) = (w * t).sin_cos();
    let e = (-ZETA * t).exp();
    [[e * (c + ZETA / w * s), e * s / w], [-e * s / w, e * (c - ZETA / w * s)]]
}

/// Amplitude and impact phase of the p-loop orbit with impact speed y, the closed form of reference page `vivid.md`.
fn maximal(omega: f64, p: f64, y: f64) -> (f64, f64) {
    let e = free(p * std::f64::consts::TAU / omega);
    // (g1, g2) = (I - E)^-1 (I + r E) (0, 1).
    let m = Matrix::from_rows([[1.0 - e[0][0], -e[0][1]], [-e[1][0], 1.0 - e[1][1]]]);
    let g = m.solve(&[R * e[0][1], 1.0 + R * e[1][1]]).unwrap().x;
    let grazing = ((1.0 - omega * omega).powi(2) + (2.0 * ZETA * omega).powi(2)).sqrt();
    let phase = (2.0 * ZETA * omega).atan2(1.0 - omega * omega);
    let (a, b) = (1.0 + g[0] * y, g[1] * y / omega);
    (grazing * a.hypot(b), phase + (-b).atan2(a))
}

fn oscillator(omega: f64) -> (System, saltation_model::Values) {
    let model = gallery::model("impact-oscillator").unwrap().unwrap();
    let set = vec![("omega".to_string(), omega.to_string())];
    let following = model.values(&Overrides { set, start: vec![] }).and_then(|values| values.along(&["A"])).unwrap();
    (System::new(&model), following)
}

/// The equations of the orbit with p loops and one impact, and its unknowns at an impact speed.
fn loops<'s>(system: &'s System, following: &saltation_model::Values, p: f64) -> Equations<'s> {
    let node = Node {
        kind: Kind::Impact { contact: 0 },
        before: ClosedSet::NONE,
        after: ClosedSet::NONE,
        collisions: Vec::new(),
    };
    let signature = Signature { nodes: vec![node], turns: vec![0.0, 0.0, p], mirror: None, held: Vec::new() };
    let sizes = vec![1.0; 5];
    Equations::new(system, following.clone(), signature, sizes, (1e-12, FlowChoice::Automatic))
}

fn unknowns(omega: f64, p: f64, y: f64) -> Vec<f64> {
    let (amplitude, phase) = maximal(omega, p, y);
    vec![0.0, y, phase, p * std::f64::consts::TAU / omega, amplitude]
}

#[test]
fn closed_form_orbits_solve_the_equations_through_zero_speed() {
    for omega in [0.81, 0.799, 0.9, 1.1] {
        let (system, following) = oscillator(omega);
        for p in [1.0, 2.0, 3.0] {
            let mut equations = loops(&system, &following, p);
            for y in [0.3, 0.1, 1e-3, 0.0, -1e-3, -0.05] {
                let (mut residual, mut jacobian) = (vec![0.0; 4], BlockMatrix::zeros(equations.pattern()));
                equations.evaluate(&unknowns(omega, p, y), &mut residual, &mut jacobian).unwrap();
                assert!(residual.iter().all(|r| r.abs() < 2e-14), "{omega} {p} {y}: {residual:?}");
            }
        }
    }
}

#[test]
fn multipliers_and_determinants_are_those_of_the_reference() {
    let omega = 0.81;
    let (system, following) = oscillator(omega);
    let mut equations = loops(&system, &following, 2.0);
    let (mut residual, mut jacobian) = (vec![0.0; 4], BlockMatrix::zeros(equations.pattern()));
    equations.evaluate(&unknowns(omega, 2.0, 0.1), &mut residual, &mut jacobian).unwrap();
    let m = equations.multipliers(&jacobian).unwrap();
    assert_eq!(m.len(), 2);
    assert_close(m[0].re, -0.24231833934135, 1e-12);
    assert_close(m[0].im.abs(), 0.6138177377695, 1e-12);
    equations.evaluate(&unknowns(omega, 2.0, 0.01), &mut residual, &mut jacobian).unwrap();
    let m = equations.multipliers(&jacobian).unwrap();
    assert_close(m[0].re, -16.565378873539, 1e-11);
    assert_close(m[1].re, -0.026289190009245, 1e-13);
    // det M = r^2 exp(-2 zeta p T) for every speed.
    let volume = R * R * (-2.0 * ZETA * 2.0 * std::f64::consts::TAU / omega).exp();
    // The entries of M are as large as 1/y, and their rounding with them.
    assert_close(m[0].re * m[1].re, volume, 1e-12);
    // det J(-1) changes sign at the period doubling, and is no larger than usual near zero speed.
    let mut determinant = |y: f64| {
        equations.evaluate(&unknowns(omega, 2.0, y), &mut residual, &mut jacobian).unwrap();
        let mut doubled = Matrix::from_fn(4, 4, |i, j| jacobian[(i, j)]);
        for (i, j, change) in equations.closing(-1.0) {
            doubled[(i, j)] += change;
        }
        let mut elimination = Elimination::default();
        elimination.factor(&doubled).unwrap();
        elimination.determinant()
    };
    assert!(determinant(0.06) * determinant(0.07) < 0.0);
    assert!(determinant(0.0653039433368541).abs() < 1e-12);
    let (near, at, beyond) = (determinant(1e-6), determinant(0.0), determinant(-1e-6));
    assert!((near - at).abs() < 1e-4 && (beyond - at).abs() < 1e-4);
}

#[test]
fn virtual_orbits_are_told_from_orbits() {
    let (system, following) = oscillator(0.81);
    let mut equations = loops(&system, &following, 2.0);
    let mut workspace = Workspace::new();
    for (y, admissible) in [(0.1, true), (1e-6, true), (-1e-6, false), (-0.05, false)] {
        let found = equations.inspect(&unknowns(0.81, 2.0, y), None, &mut workspace).unwrap();
        assert_eq!(found.admissible, admissible, "{y}");
        // The loop without impact misses the wall by a distance of the order of y.
        let low = found.gaps[0].as_ref().unwrap();
        assert!(low.value * y > 0.0 && low.value.abs() < 2.0 * y.abs(), "{y}: {low:?}");
    }
    // The orbit with y = 0.2 at omega = 0.787 goes through the wall in its other loop (Ghosh & Simpson, Sect. 4.2).
    let (system, following) = oscillator(0.787);
    let mut equations = loops(&system, &following, 2.0);
    let depth = |y: f64, equations: &mut Equations| {
        let found = equations.inspect(&unknowns(0.787, 2.0, y), None, &mut Workspace::new()).unwrap();
        (found.gaps[0].as_ref().unwrap().value, found.admissible)
    };
    for y in [0.05, 0.3, 0.5] {
        let (value, admissible) = depth(y, &mut equations);
        assert_eq!(value >= 0.0, admissible, "{y}: {value}");
    }
}

/// An orbit found by shooting.
fn orbit(system: &System, values: &saltation_model::Values, returns: u64, settle: u64) -> Orbit {
    let section = system.default_section().unwrap();
    let settings = Settings { returns, settle, ..Settings::through(section) };
    let search = find(system, values, &settings, &mut |_| true);
    search.orbit.unwrap_or_else(|| panic!("{:?}", search.ended))
}

/// A model of the gallery with its settings, returns, returns of the transient, a free parameter, the words of its signature.
type Case = (&'static str, &'static [(&'static str, f64)], (u64, u64), &'static str, &'static [&'static str]);

#[test]
fn orbits_found_by_shooting_solve_the_equations_of_their_signature() {
    let cases: [Case; 7] = [
        ("impact-oscillator", &[("A", 0.35)], (2, 400), "A", &["impact:wall"]),
        ("impact-oscillator", &[("A", 0.2)], (1, 300), "A", &[]),
        ("two-wall-oscillator", &[("nu", 1.1)], (1, 200), "nu", &["impact:upper", "impact:lower"]),
        ("impact-damper", &[("nu", 1.2)], (1, 600), "nu", &[]),
        ("ball-on-table", &[], (1, 0), "K", &[]),
        ("double-pendulum", &[], (1, 0), "T", &["chatter:wall", "stick:wall", "release:wall"]),
        ("forced-oscillator", &[], (1, 60), "omega", &[]),
    ];
    for (name, set, (returns, settle), free, words) in cases {
        let (system, values) = system(name, set, &[]);
        let orbit = orbit(&system, &values, returns, settle);
        let reading = Reading::of(&system, &values, &orbit).unwrap();
        if !words.is_empty() {
            assert_eq!(reading.signature.words(&system), words, "{name}");
        }
        let settings =
            Overrides { set: set.iter().map(|(n, v)| (n.to_string(), v.to_string())).collect(), start: vec![] };
        let following = system.model().values(&settings).unwrap().along(&[free]).unwrap();
        let mut sizes = reading.sizes.clone();
        sizes.push(1.0);
        let mut all = reading.unknowns.clone();
        all.extend(following.free_values());
        let choice = (1e-12, FlowChoice::Automatic);
        let mut equations = Equations::new(&system, following, reading.signature.clone(), sizes, choice);
        let n = reading.unknowns.len();
        let (mut residual, mut jacobian) = (vec![0.0; n], BlockMatrix::zeros(equations.pattern()));
        equations.evaluate(&all, &mut residual, &mut jacobian).unwrap();
        for (r, size) in residual.iter().zip(&reading.sizes) {
            assert!(r.abs() < 1e-8 * size, "{name}: {residual:?}");
        }
        let mut m = equations.multipliers(&jacobian).unwrap();
        if reading.signature.mirror.is_some() {
            m.iter_mut().for_each(|m| {
                *m = saltation_numerics::dense::Complex::new(m.re * m.re - m.im * m.im, 2.0 * m.re * m.im)
            });
        }
        assert_eq!(m.len(), orbit.multipliers.len(), "{name}: {m:?} {:?}", orbit.multipliers);
        for (a, b) in m.iter().zip(&orbit.multipliers) {
            assert!(
                (a.re - b.re).hypot(a.im.abs() - b.im.abs()) < 1e-5 * (1.0 + b.norm()),
                "{name}: {m:?} {:?}",
                orbit.multipliers
            );
        }
        let period = equations.period(&all).unwrap();
        assert_close(period, orbit.period, 1e-8 * orbit.period);
        let found = equations.inspect(&all, None, &mut Workspace::new()).unwrap();
        assert!(found.admissible, "{name}: {found:?}");
    }
}

/// Orbits of one to 86 impacts: determinants and solutions of the equations by blocks are those by dense elimination, and the product of
/// the multipliers is that of what impacts and damping take.
#[test]
fn equations_by_blocks_are_those_of_dense_elimination() {
    type Choice = (&'static str, &'static [(&'static str, f64)], (u64, u64), &'static str);
    let cases: [Choice; 4] = [
        ("impact-oscillator", &[("A", 0.35)], (2, 400), "A"),
        ("two-wall-oscillator", &[("nu", 1.1)], (1, 200), "nu"),
        ("double-pendulum", &[], (1, 0), "T"),
        ("impact-damper", &[("nu", 0.5464)], (43, 4000), "nu"),
    ];
    for (name, set, (returns, settle), free) in cases {
        let (system, values) = system(name, set, &[]);
        let orbit = orbit(&system, &values, returns, settle);
        let reading = Reading::of(&system, &values, &orbit).unwrap();
        let settings =
            Overrides { set: set.iter().map(|(n, v)| (n.to_string(), v.to_string())).collect(), start: vec![] };
        let following = system.model().values(&settings).unwrap().along(&[free]).unwrap();
        let n = reading.unknowns.len();
        let sizes: Vec<f64> = reading.sizes.iter().copied().chain([1.0]).collect();
        let all: Vec<f64> = reading.unknowns.iter().copied().chain(following.free_values()).collect();
        let signature = reading.signature.clone();
        let mut equations =
            Equations::new(&system, following, signature, sizes.clone(), (1e-12, FlowChoice::Automatic));
        let (mut residual, mut jacobian) = (vec![0.0; n], BlockMatrix::zeros(equations.pattern()));
        equations.evaluate(&all, &mut residual, &mut jacobian).unwrap();
        let columns: Vec<usize> = (0..n).collect();
        let mut square = BlockMatrix::zeros(jacobian.pattern().select(&columns));
        square.take_columns(&jacobian, &columns);
        square.scale_columns(&sizes[..n]);
        let (mut by_blocks, mut densely) = (Condensation::default(), Elimination::default());
        by_blocks.factor(&square).unwrap();
        densely.factor(&square.to_dense()).unwrap();
        let ((sign, logarithm), known) = (by_blocks.log_determinant(), densely.log_determinant());
        // Both know it to about the rounding of the matrix times its condition.
        let rounding = 1e-14 / densely.reciprocal_condition();
        assert!(rounding < 1e-6, "{name}: {rounding}");
        assert_eq!(sign, known.0, "{name}");
        assert_close(logarithm, known.1, rounding);
        for transposed in [false, true] {
            let (mut x, mut y) = (vec![1.0; n], vec![1.0; n]);
            match transposed {
                false => by_blocks.solve_in_place(&mut x).and(densely.solve_in_place(&mut y)).unwrap(),
                true => {
                    by_blocks.solve_transposed_in_place(&mut x).and(densely.solve_transposed_in_place(&mut y)).unwrap();
                }
            }
            let size = y.iter().fold(0.0_f64, |m, y| m.max(y.abs()));
            assert!(x.iter().zip(&y).all(|(x, y)| (x - y).abs() < rounding * size), "{name}");
        }
        if name == "impact-damper" {
            // The determinant: e^2 per impact, and exp(-2 gamma T).
            let multipliers = equations.multipliers(&jacobian).unwrap();
            let product: f64 = multipliers.iter().map(|m| m.norm().ln()).sum();
            assert_close(product, 86.0 * 2.0 * 0.8_f64.ln() - 0.1 * orbit.period, 1e-9);
        }
    }
}
