//! Bodies on a floor whose height M couples to what moves, as a cart with a pendulum or a machine with an unbalance; oracles: the same body without the height,
//! and all others.

use crate::body::{Body, Contact, Friction};
use crate::dice::Dice;
use crate::digits::{Against, Apart};
use crate::examine::{Oracle, examine};
use crate::family::{Family, Outcome, Watch};
use crate::subject::{Subject, Way, run};
use crate::surface::exceeds;
use saltation_motion::EventKind;

/// The family.
pub const CARTS: Family = Family {
    name: "carts",
    about: "bodies on a floor whose height the mass matrix couples to what moves: the body without the height, laws, other words",
    every: 1,
    examine: drawn,
};

/// Differences this small, relative to the motion, are no disagreement.
const DIFFERENCE_TOLERANCE: f64 = 1e-8;

/// One or two moving coordinates and the height, which comes last and is pressed down.
fn drawn(dice: &mut Dice, watch: &Watch) -> Outcome {
    let moving = 1 + dice.below(2);
    let turns = "-k*sin(q0) - c*v0 + A*cos(phi)";
    let drives = "-h*q1 + B*cos(phi)";
    let (masses, force): (&[&str], &[&str]) = match moving {
        1 => (&["m", "n"], &[turns, "-G"]),
        _ => (&["m", "o", "n"], &[turns, drives, "-G"]),
    };
    let mut body = Body::new(masses, force);
    for (name, low, high) in
        [("m", 0.5, 2.0), ("n", 0.5, 4.0), ("o", 0.5, 4.0), ("k", 0.2, 10.0), ("h", 0.2, 4.0), ("w", 0.5, 8.0)]
    {
        body.number(name, dice.scale(low, high));
    }
    body.number("c", if dice.chance(0.5) { 0.0 } else { dice.between(0.0, 0.2) });
    body.number("A", if dice.chance(0.5) { 0.0 } else { dice.between(0.0, 2.0) });
    body.number("B", if dice.chance(0.5) { 0.0 } else { dice.between(0.0, 5.0) });
    body.number("G", dice.between(20.0, 60.0));
    // |r|, |s| < 1/2 of the smallest masses: M is positive definite.
    body.number("r", dice.between(0.05, 0.24));
    body.number("s", dice.between(0.05, 0.24));
    body.number("d", dice.between(-1.5, 1.5));
    body.rate = Some("w".to_string());
    let height = moving;
    let lifts = dice.of_list(&["r*sin(q0 + d)", "r*cos(q0)", "r"]);
    body.mass[0][height] = lifts.to_string();
    body.mass[height][0] = lifts.to_string();
    if moving == 2 {
        body.mass[0][1] = "s*cos(q0)".to_string();
        body.mass[1][0] = "s*cos(q0)".to_string();
    }
    let restitution = body.number("e", dice.of_list(&[0.0, 0.5, 0.9]));
    let has_friction = moving == 2 && dice.chance(0.4);
    let friction = has_friction.then(|| {
        let mu = body.number("mu", dice.scale(0.01, 0.5));
        Friction { track: "q1".to_string(), belt: "0".to_string(), mu }
    });
    let gap = dice.of_list(&["Y", "f*Y", "Y*(2 + sin(q0))"]).replace('Y', &format!("q{height}"));
    body.number("f", dice.scale(0.3, 3.0));
    body.contacts.push(Contact { gap, restitution, friction });
    let (angle, speed) = (dice.between(-2.5, 2.5), dice.between(-2.0, 2.0));
    body.start[0] = body.number("p", angle);
    body.start[height + 1] = body.number("u", speed);
    body.until = dice.of_list(&[10.0, 30.0]) / body.value("w").max(1.0);
    let more: &[Oracle] = &[("without the height", without_height), ("loose tolerances", loosely)];
    examine(&body, if has_friction { &more[1..] } else { more }, dice, watch)
}

/// At every tolerance the motion reaches its end.
fn loosely(subject: &Subject, _: &mut Dice) -> Option<Against> {
    [1e-6, 1e-8, 1e-10].into_iter().find_map(|tolerance| {
        let trial = run(&subject.body, Way { tolerance, ..Way::default() }, subject.watch).ok()?;
        let ended = &trial.run.ended;
        let fails = subject.base.run.ended.is_complete() && !ended.is_complete();
        let what =
            || format!("at {tolerance:e} {} at {:?}: {}", ended.name(), trial.run.time, ended.describe(&trial.system));
        fails.then(|| Against::law(what()))
    })
}

/// While the height stays at zero the rest moves as the body without it.
fn without_height(subject: &Subject, _: &mut Dice) -> Option<Against> {
    let lifted = |event: &saltation_motion::Event| event.kind != EventKind::Stick;
    let body = &subject.body;
    let n = body.degrees() - 1;
    if body.contacts.is_empty() || n == 0 || subject.base.run.events.iter().any(lifted) {
        return None;
    }
    let mut flat = body.clone();
    flat.contacts.clear();
    flat.force.truncate(n);
    flat.mass.truncate(n);
    flat.mass.iter_mut().for_each(|row| row.truncate(n));
    flat.start = body.start[..n].iter().chain(&body.start[n + 1..2 * n + 1]).cloned().collect();
    let other = match run(&flat, Way::default(), subject.watch) {
        Ok(other) => other,
        Err(refused) => return Some(Against::law(refused)),
    };
    let size = subject.sizes()[0];
    let distance = |a: &[f64], b: &[f64]| (0..n).map(|i| (a[i] - b[i]).abs()).fold(0.0, f64::max);
    let mut spread = 0.0_f64;
    for time in subject.times() {
        let (Some(here), Some(near)) = (subject.base.at(time), subject.nearby.at(time)) else { continue };
        let Some(there) = other.at(time) else { continue };
        spread = spread.max(distance(&here, &near));
        if spread > 1e-3 * size {
            return None;
        }
        let off = distance(&here, &there);
        if exceeds(off, DIFFERENCE_TOLERANCE * size + 10.0 * spread) {
            let what = format!("the body without the height differs by {off:.3e} at {time} (nearby {spread:.1e})");
            return Some(Against { what, apart: Some(Apart::By { time, part: 0, off }) });
        }
    }
    None
}
