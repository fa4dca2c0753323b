//! Random walkers, wheels and shaken blocks in their absolute position and in coordinates that stay: the same orbits, multipliers, exponents and branches.

use crate::common::{assert_close, free, parse};
use saltation_model::Values;
use saltation_motion::{EventKind, System};
use saltation_numerics::random::Random;
use saltation_orbit::branch::{self, Branch};
use saltation_orbit::lyapunov::{self, LyapunovSettings};
use saltation_orbit::{Ended, Orbit, Settings, find};
use std::f64::consts::{PI, TAU};

type Case = (System, Values);

/// A member of a family: the model in its absolute position and reduced, after how many returns the orbit of each repeats, by which parameter branches are followed over which range,
/// and how far the motion of the reduced orbit comes in a period of the absolute one.
struct Pair {
    absolute: Case,
    reduced: Case,
    /// How many returns of the reduced one are one of the absolute.
    steps: u64,
    settle: u64,
    along: (&'static str, f64, f64),
    advance: Box<dyn Fn(&Orbit) -> f64>,
    /// States of the absolute model and of the reduced one that are the same on the section.
    same: Vec<(usize, usize)>,
}

fn orbit(case: &Case, settle: u64) -> Option<Orbit> {
    let (system, values) = case;
    let mut settings = Settings::through(system.default_section().expect("it has one"));
    settings.settle = settle;
    let search = find(system, values, &settings, &mut |_| true);
    search.orbit.filter(|_| search.ended == Ended::Converged)
}

/// A wheel of n spokes on a slope, and the same by the angle of its pivot. It rolls without flight and slip where it is neither too slow nor too fast.
fn wheel(random: &mut Random) -> Option<Pair> {
    let n = 5 + random.below(5);
    let (inertia, slope) = (random.between(0.1, 0.9), random.between(0.08, 0.35));
    let half = PI / n as f64;
    let whole = 1.0 + inertia;
    let keeps = (inertia + (2.0 * half).cos()) / whole;
    let gained = 4.0 * half.sin() * slope.sin() / whole;
    let after = keeps * keeps * gained / (1.0 - keeps * keeps);
    let over = 2.0 * (1.0 - (half - slope).max(0.0).cos()) / whole;
    let fast = after + gained;
    // It passes its pivot, and the pivot stays pressed and sticks.
    if half < slope || after < 1.2 * over || fast > 0.6 * (half + slope).cos() {
        return None;
    }
    let contacts: String = (0..n)
        .map(|k| {
            let angle = format!("th - {:?}", 2.0 * half * k as f64);
            format!(
                "[contacts.s{k}]\ngap = \"y - cos({angle})\"\ntrack = \"x - sin({angle})\"\nrestitution = 0\nfriction = {{ law = \"coulomb\", mu = 3 }}\n"
            )
        })
        .collect();
    let start = after.sqrt();
    let absolute = format!(
        "format = 1\nname = \"wheel\"\n[parameters]\nga = {slope:?}\nJ = {inertia:?}\n[mechanics]\ncoordinates = [\"x\", \"y\", \"th\"]\nvelocities = [\"u\", \"v\", \"w\"]\n\
         M = {{ diagonal = [1, 1, \"J\"] }}\nh = [\"sin(ga)\", \"-cos(ga)\", 0]\n[angles]\nth = \"2*pi\"\n[impacts]\ntogether = \"lcp\"\n{contacts}\
         [sections.turn]\nwhen = \"th\"\ndirection = \"rising\"\n[start]\nx = {:?}\ny = {:?}\nth = {:?}\nu = {:?}\nv = {:?}\nw = {start:?}\n",
        -half.sin(),
        half.cos(),
        -half,
        start * half.cos(),
        start * half.sin()
    );
    let reduced = format!(
        "format = 1\nname = \"pivot\"\n[parameters]\nga = {slope:?}\nJ = {inertia:?}\n[flow]\nth = \"w\"\nw = \"sin(th + ga)/(1 + J)\"\n\
         [events.strike]\nwhen = \"th - {half:?}\"\ndirection = \"rising\"\njump = {{ th = \"-th\", w = \"w*(J + cos(2*{half:?}))/(1 + J)\" }}\n\
         [sections.upright]\nwhen = \"th\"\ndirection = \"rising\"\n[start]\nth = {:?}\nw = {start:?}\n",
        -half
    );
    Some(Pair {
        absolute: parse(&absolute),
        reduced: parse(&reduced),
        steps: n as u64,
        settle: 2,
        along: ("ga", slope, slope + 0.01),
        advance: Box::new(move |_| n as f64 * 2.0 * half.sin()),
        same: vec![(5, 1)],
    })
}

/// The simplest walker at a slope, with a drag in its hip, and the same with the place of its hip along the slope.
fn walker(random: &mut Random) -> Option<Pair> {
    let (slope, drag) = (random.between(0.004, 0.013), random.between(0.0, 0.02));
    let part = (slope / 0.009).cbrt();
    let text = |state: &str, rate: &str, start: &str| {
        format!(
            "format = 1\nname = \"walker\"\n[parameters]\ng = {slope:?}\nc = {drag:?}\n[flow]\n{state}theta = \"u\"\nphi = \"w\"\nu = \"sin(theta - g)\"\n\
             w = \"sin(theta - g) + u^2*sin(phi) - cos(theta - g)*sin(phi) - c*w\"\n{rate}\
             [events.strike]\nwhen = \"phi - 2*theta\"\ndirection = \"rising\"\nif = \"-theta\"\n\
             jump = {{ theta = \"-theta\", u = \"cos(2*theta)*u\", phi = \"-2*theta\", w = \"cos(2*theta)*(1 - cos(2*theta))*u\" }}\n\
             [sections.upright]\nwhen = \"theta\"\ndirection = \"falling\"\n[start]\n{start}theta = {:?}\nu = {:?}\nphi = {:?}\nw = {:?}\n",
            0.2003 * part,
            -0.1998 * part,
            0.4006 * part,
            -0.0158 * slope / 0.009
        )
    };
    Some(Pair {
        absolute: parse(&text("X = \"-cos(theta)*u\"\n", "", "X = 3\n")),
        reduced: parse(&text("", "", "")),
        steps: 1,
        settle: 0,
        along: ("g", slope, slope * 0.9),
        // The pivots are one step apart.
        advance: Box::new(|orbit| {
            let strikes = orbit.events.iter().filter(|event| event.kind == EventKind::Reset);
            strikes.map(|strike| 2.0 * strike.after[0].sin()).sum()
        }),
        same: vec![(1, 0), (2, 1), (3, 2), (4, 3)],
    })
}

/// A block on a plane that shakes along and across itself, and the same by its speed alone.
fn block(random: &mut Random) -> Option<Pair> {
    let [along, across, mu] = [(0.3, 2.0), (0.0, 0.9), (0.1, 0.8)].map(|(low, high)| random.between(low, high));
    let [shift, slope, third] = [(0.0, TAU), (-0.05, 0.05), (-0.3, 0.3)].map(|(low, high)| random.between(low, high));
    let start = random.between(-0.5, 0.5);
    let head = format!(
        "format = 1\nname = \"block\"\n[parameters]\nA = {along:?}\nB = {across:?}\nmu = {mu:?}\n[phase.phi]\nrate = 1\nperiod = \"2*pi\"\n"
    );
    let belt = format!("A*(sin(phi) + {third:?}*sin(3*phi))");
    let absolute = format!(
        "{head}[mechanics]\ncoordinates = [\"x\", \"z\"]\nvelocities = [\"u\", \"w\"]\nM = [[1, 0], [0, 1]]\nh = [{slope:?}, -1]\n\
         [contacts.plane]\ngap = \"z + B*cos(phi + {shift:?})\"\ntrack = \"x\"\nbelt = \"{belt}\"\nrestitution = 0\nfriction = {{ law = \"coulomb\", mu = \"mu\" }}\n\
         [start]\nx = 5\nz = \"-B*cos({shift:?})\"\nu = {start:?}\nw = \"B*sin({shift:?})\"\nphi = 0\n"
    );
    let reduced = format!(
        "{head}[flow]\nu = \"{slope:?} - mu*(1 + B*cos(phi + {shift:?}))*sign(u - {belt})\"\n[start]\nu = {start:?}\nphi = 0\n"
    );
    Some(Pair {
        absolute: parse(&absolute),
        reduced: parse(&reduced),
        steps: 1,
        settle: 20,
        along: ("A", along, along * 1.05),
        advance: Box::new(|orbit| {
            let mean = |from: f64, to: f64| {
                let [a, b, c] = [from, 0.5 * (from + to), to].map(|time| orbit.trajectory.at(time)[0]);
                (to - from) / 6.0 * (a + 4.0 * b + c)
            };
            let parts = 20_000;
            (0..parts).map(|k| mean(TAU * k as f64 / parts as f64, TAU * (k + 1) as f64 / parts as f64)).sum()
        }),
        same: vec![(2, 0)],
    })
}

fn branch_of(case: &Case, orbit: &Orbit, (name, from, to): (&str, f64, f64)) -> Branch {
    let (system, values) = case;
    let following = values.along(&[name]).expect("it is a parameter");
    let settings = branch::Settings::between(from.min(to), from.max(to));
    branch::follow(system, &following, orbit, &settings, &mut |_, _| true).expect("it begins").swap_remove(0)
}

/// What two computations of one orbit may differ by: more where it is close to losing its stability.
const SAME: f64 = 1e-8;

/// Whether a member has an orbit in both forms, which are then the same.
fn compare(pair: &Pair, thorough: bool, member: u64) -> bool {
    let (Some(one), Some(other)) = (orbit(&pair.absolute, pair.settle), orbit(&pair.reduced, pair.settle)) else {
        return false;
    };
    let steps = pair.steps as f64;
    assert_eq!((one.returns, other.returns), (1, 1), "member {member}");
    assert_close(one.period, steps * other.period, SAME);
    for &(i, j) in &pair.same {
        assert_close(one.state[i], other.state[j], SAME);
    }
    assert_eq!(one.drift.len(), 1, "member {member}");
    assert_close(one.drift[0].1, (pair.advance)(&other), 1e-6);
    // Those that contact takes are exactly zero, in one of the forms only.
    let large = |orbit: &Orbit, steps: f64| -> Vec<f64> {
        orbit.log_moduli.iter().map(|log| (steps * log).exp()).filter(|modulus| *modulus > 1e-7).collect()
    };
    let (own, wanted) = (large(&one, 1.0), large(&other, steps));
    assert_eq!(own.len(), wanted.len(), "member {member}: {own:?} and {wanted:?}");
    own.iter().zip(&wanted).for_each(|(a, b)| assert_close(*a, *b, 1e-6));
    if !thorough {
        return true;
    }
    let (a, b) = (branch_of(&pair.absolute, &one, pair.along), branch_of(&pair.reduced, &other, pair.along));
    let ends = |branch: &Branch| [0, branch.points.len() - 1].map(|k| branch.points[k].clone());
    for (p, q) in ends(&a).iter().zip(&ends(&b)) {
        assert_close(a.value(p), b.value(q), SAME);
        assert_eq!(p.stable, q.stable, "member {member}");
        for &(i, j) in &pair.same {
            assert_close(p.state[i], q.state[j], SAME);
        }
    }
    // The sum of the exponents that contact leaves: alone it does not depend on how a frame turns. That of the coordinate that drifts is zero.
    let exponents = |case: &Case, orbit: &Orbit| {
        let settings = LyapunovSettings {
            returns: 40,
            settle: 5,
            blocks: 2,
            ..LyapunovSettings::through(case.0.default_section().expect("it has one"))
        };
        let start = case.1.found_at(&orbit.state).expect("it is admissible");
        let found = lyapunov::exponents(&case.0, &start, &settings, &mut |_| true).exponents;
        found.into_iter().filter(|exponent| *exponent > -2.0).sum::<f64>()
    };
    assert_close(exponents(&pair.absolute, &one), exponents(&pair.reduced, &other), 1e-6);
    true
}

/// Compares so many members of every family, every few of them by branches and exponents as well.
fn members(counts: [usize; 3], thorough: u64) {
    let families: [fn(&mut Random) -> Option<Pair>; 3] = [wheel, walker, block];
    for (family, count) in families.into_iter().zip(counts) {
        let (mut compared, mut drawn) = (0, 0_u64);
        while compared < count {
            drawn += 1;
            assert!(drawn < 20 * count as u64 + 100, "of {drawn} members {compared} have orbits");
            if let Some(pair) = family(&mut Random(drawn)) {
                compared += usize::from(compare(&pair, drawn.is_multiple_of(thorough), drawn));
            }
        }
    }
}

#[test]
fn what_drifts_moves_as_what_stays() {
    members([6, 6, 12], 3);
}

/// Five hundred: `cargo test --workspace --test all five_hundred -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn five_hundred_drift_as_they_stay() {
    members([150, 150, 200], 5);
}

/// The rimless wheel of the gallery without bounces: what a strike keeps of the speed is (J + m l^2 cos 2 alpha)/(J + m l^2) = 2/3.
#[test]
fn the_rimless_wheel_of_the_gallery() {
    let found = orbit(&free("rimless-wheel", &[("e", "0")], &[]), 12).expect("it rolls");
    let (keeps, gained) = (2.0_f64 / 3.0, 4.0 * 9.81 * 0.5 * 0.2_f64.sin() / 1.5);
    let after = keeps * keeps * gained / (1.0 - keeps * keeps);
    // From the strike to where the spoke stands along the normal of the slope.
    let lost = 2.0 * 9.81 * (0.2_f64.cos() - (PI / 6.0 - 0.2).cos()) / 1.5;
    assert_close(found.state[5], (after - lost).sqrt(), 1e-10);
    assert_close(found.drift[0].1, 6.0, 1e-12);
    let moduli: Vec<f64> = found.multipliers.iter().map(|m| m.norm()).collect();
    assert!(moduli.iter().any(|m| (m - keeps.powi(12)).abs() < 1e-11), "{moduli:?}");
    // With bounces it comes to rest on every spoke, too, as the gallery shows it.
    let bouncing = orbit(&free("rimless-wheel", &[], &[]), 12).expect("it rolls");
    assert!(bouncing.stable && bouncing.drift[0].1 > 6.0, "its bounces take it farther");
}
