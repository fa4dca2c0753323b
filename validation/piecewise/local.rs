//! Sliding flows near their pseudo-equilibria, and what becomes of equilibria at a boundary (closed forms).

use saltation_motion::{Ended, EventKind};

use super::simulate;
use crate::common::assert_close;

/// y > 0: (1, x - mu); y < 0: (-al, -be x): a visible and an invisible fold.
const VISIBLE: &str = r#"
format = 1
name = "visible-invisible"
[parameters]
mu = 0.1
al = 0.5
be = 2
[flow]
x = "if(y > 0, 1, -al)"
y = "if(y > 0, x - mu, -be*x)"
[start]
x = -0.2
y = 0
"#;

/// Time on the surface from x to x: x' = (m u)/(n - p u) with u the distance from the pseudo-equilibrium has t = (n log u - p u)/m.
#[test]
fn the_pseudo_equilibrium_between_folds() {
    let (al, be, mu) = (0.5_f64, 2.0_f64, 0.1_f64);
    let centre = al * mu / (al - be);
    assert_close(centre, -1.0 / 30.0, 1e-16);
    let (m, n, p) = (al - be, mu - (1.0 + be) * centre, 1.0 + be);
    assert_close(m / n, -7.5, 1e-13);
    for start in [-0.2, -0.01, -0.0333] {
        let (system, run) = simulate(VISIBLE, &[&format!("x:{start}")], 1.0);
        assert_eq!(system.mode_name(run.closed), "y:slide");
        assert_eq!((run.ended, run.events.len()), (Ended::ReachedTime, 0));
        assert_close(run.state[1], 0.0, 0.0);
        let path = run.trajectory.expect("it is kept");
        for time in [0.1, 0.3, 1.0] {
            let x = path.at(time)[0];
            assert_close(
                (x - centre).abs().ln(),
                (centre - start).abs().ln() + (p * (x - start) + m * time) / n,
                2e-12 / (x - centre).abs(),
            );
        }
    }
    // For 0 < x < mu the motion crosses downwards; beyond the visible fold it turns round before it comes there.
    let (system, run) = simulate(VISIBLE, &["x:0.05", "y:0.0005"], 0.2);
    assert_eq!(system.mode_name(run.closed), "y:-");
    assert_eq!(run.count(EventKind::Switch), 1);
    let (system, run) = simulate(VISIBLE, &["x:0.2", "y:0.01"], 0.2);
    assert_eq!(system.mode_name(run.closed), "y:+");
    assert!(run.events.is_empty());
}

/// x < 0: X' = N X + (mu, 0); x > 0: a constant c.
fn boundary(mu: f64, [p, q, r, s]: [f64; 4], c: [f64; 2], start: [f64; 2]) -> String {
    format!(
        "format = 1\nname = \"boundary\"\n[flow]\nx = \"if(x < 0, {p}*x + {q}*y + {mu}, {})\"\ny = \"if(x < 0, {r}*x + {s}*y, {})\"\n[start]\nx = {:e}\ny = {:e}\n",
        c[0], c[1], start[0], start[1]
    )
}

/// N = [[-1, 1], [-1, -1]], c = (-1, 0): the equilibrium of mu < 0 persists as a pseudo-equilibrium, at mu = 1 with y' = -y/(y + 2).
#[test]
fn an_equilibrium_persists_at_a_boundary() {
    let n = [-1.0, 1.0, -1.0, -1.0];
    let (system, run) = simulate(&boundary(1.0, n, [-1.0, 0.0], [0.0, 0.5]), &[], 6.0);
    assert_eq!(system.mode_name(run.closed), "x:slide");
    let y = run.state[1];
    assert_close(y + 2.0 * y.ln(), 0.5 + 2.0 * 0.5_f64.ln() - 6.0, 1e-11);
    // The eigenvalue: half as much time again decays by e^(-1/2 t).
    let (_, run) = simulate(&boundary(1.0, n, [-1.0, 0.0], [0.0, 1e-7]), &[], 2.0);
    assert_close(run.state[1] / 1e-7, (-1.0_f64).exp(), 1e-7);
    // At mu = -1 it is at (-1/2, 1/2), a stable focus with -1 +- i.
    let (system, run) = simulate(&boundary(-1.0, n, [-1.0, 0.0], [-0.4, 0.5]), &[], 3.0);
    assert_eq!(system.mode_name(run.closed), "x:-");
    assert_close(run.state[0], -0.5 + 0.1 * (-3.0_f64).exp() * 3.0_f64.cos(), 1e-13);
    assert_close(run.state[1], 0.5 - 0.1 * (-3.0_f64).exp() * 3.0_f64.sin(), 1e-13);
    // And from the other side it comes to it through the boundary.
    let (_, run) = simulate(&boundary(-1.0, n, [-1.0, 0.0], [0.5, 0.5]), &[], 40.0);
    assert_close(run.state[0], -0.5, 1e-12);
}

/// N = [[1, 1], [-1, 1]], c = (-1, 2): at mu = 1 a focus at (-1/2, -1/2) and a pseudo-saddle at y = -2/3 with y' = (3 y + 2)/(y + 2); for mu < 0 none.
#[test]
fn a_nonsmooth_fold() {
    let n = [1.0, 1.0, -1.0, 1.0];
    let (system, run) = simulate(&boundary(1.0, n, [-1.0, 2.0], [-0.5, -0.5]), &[], 3.0);
    assert_eq!(system.mode_name(run.closed), "x:-");
    assert_close(run.state[0], -0.5, 1e-14);
    assert_close(run.state[1], -0.5, 1e-14);
    let clock = |y: f64| y / 3.0 + 4.0 / 9.0 * (3.0 * y + 2.0).abs().ln();
    for start in [-0.5, -0.7, -2.0 / 3.0 + 1e-3] {
        let (system, run) = simulate(&boundary(1.0, n, [-1.0, 2.0], [0.0, start]), &[], 0.5);
        assert_eq!(system.mode_name(run.closed), "x:slide");
        assert_close(clock(run.state[1]) - clock(start), 0.5, 1e-11);
    }
    let (_, run) = simulate(&boundary(1.0, n, [-1.0, 2.0], [0.0, -2.0 / 3.0 + 1e-8]), &[], 1.0);
    assert_close((run.state[1] + 2.0 / 3.0) / 1e-8, 2.25_f64.exp(), 1e-5);
    // Below y = -1 the fields cross; there it leaves the surface.
    let (_, run) = simulate(&boundary(1.0, n, [-1.0, 2.0], [0.0, -0.9]), &[], 1.0);
    let leave = run.first(EventKind::Leave).expect("it leaves");
    assert_close(leave.before[1], -1.0, 1e-13);
    assert_close(leave.time, clock(-1.0) - clock(-0.9), 1e-12);
    // At mu = -1 everything leaves: from the sliding piece y > 1 upwards.
    let (_, run) = simulate(&boundary(-1.0, n, [-1.0, 2.0], [0.0, 1.5]), &[], 5.0);
    assert!(run.state[1] > 5.0);
}
