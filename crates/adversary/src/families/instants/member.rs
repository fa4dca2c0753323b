//! Draws a member: bodies on a line, their forces, contacts, floors and events, at or near coincidences.

use crate::dice::Dice;
use crate::oracles::inclusion::{Bodies, Law, Linear, Pad, Reset, Rubbing, Shape};

/// A short decimal without the rounding of sums, another number as it is.
fn short(x: f64) -> f64 {
    let rounded = (1e6 * x).round() / 1e6;
    if (x - rounded).abs() < 1e-12 { rounded } else { x }
}

/// A member: bodies on a line, each with its forces, then what is between them, and the coincidences.
pub(super) fn member(dice: &mut Dice) -> Bodies {
    let bodies = 1 + dice.below(3);
    let heights = bodies; // coordinates from here on are heights of bodies on a floor
    let floor: Vec<bool> = (0..bodies).map(|_| dice.chance(0.25)).collect();
    let n = bodies + floor.iter().filter(|on| **on).count();
    let unit = |i: usize, a: f64| {
        let mut of = vec![0.0; n];
        of[i] = a;
        of
    };
    let position = |i: usize, a: f64, constant: f64| Linear { q: unit(i, a), constant, ..Linear::zero(n) };
    let speed = |i: usize, constant: f64| Linear { v: unit(i, 1.0), constant, ..Linear::zero(n) };
    let between = |i: usize, j: usize| {
        let mut of = vec![0.0; n];
        (of[i], of[j]) = (-1.0, 1.0);
        of
    };
    let mut member = Bodies {
        mass: (0..n).map(|_| dice.of_list(&[1.0, 1.0, 2.0, 0.5])).collect(),
        force: vec![Linear::zero(n); n],
        start: vec![0.0; 2 * n],
        rate: dice.of_list(&[1.0, 2.0, 6.0]),
        // No time at which something is likely to happen.
        until: dice.of_list(&[1.013, 2.029, 3.017]),
        ..Bodies::default()
    };
    // Where bodies are: one apart if they touch.
    let touch = dice.chance(0.6);
    for i in 0..bodies {
        if i > 0 {
            let apart = if touch { 1.0 } else { dice.of_list(&[1.0, 1.1, 1.5]) };
            member.start[i] = short(member.start[i - 1] + apart);
        }
        member.start[n + i] =
            if dice.chance(0.6) { 0.0 } else { dice.of_list(&[1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 0.3, -1.2]) };
    }
    if dice.chance(0.3) {
        // All with one speed.
        let speed = dice.of_list(&[1.0, -1.0, 0.5, -2.0]);
        (0..bodies).for_each(|i| member.start[n + i] = speed);
    }
    for i in 0..bodies {
        if dice.chance(0.7) {
            member.force[i].constant =
                dice.of_list(&[1.0, -1.0, 2.0, -2.0, 0.5, -0.5, 3.0, -3.0, 10.0, -4.0, 1.5, -0.3, 5.0]);
        }
        if dice.chance(0.25) {
            member.force[i].wave[dice.below(2)] = dice.of_list(&[0.1, 0.5, 1.0, 3.0, 8.0, -2.0]);
        }
        if dice.chance(0.15) {
            member.force[i].v[i] = dice.of_list(&[-0.1, -0.5, -1.0]);
        }
        if dice.chance(0.2) {
            let stiffness = dice.of_list(&[1.0, 4.0, 20.0]);
            member.force[i].q[i] -= stiffness;
            member.force[i].constant += stiffness * if dice.chance(0.7) { i as f64 } else { 0.0 };
        }
        // Dry friction as a sign, perhaps twice.
        for chance in [0.55, 0.1] {
            if dice.chance(chance) {
                let belt = if dice.chance(0.8) { 0.0 } else { dice.of_list(&[1.0, -1.0, 0.5]) };
                let mut of = speed(i, -belt);
                if dice.chance(0.05) {
                    of.wave[0] = dice.of_list(&[0.5, 1.0]);
                }
                let force = dice.of_list(&[1.0, 2.0, 0.5, 1.5, 3.0, 0.1, 4.0]);
                let push = unit(i, -force);
                member.laws.push(Law { of, shape: Shape::Sign, push });
            }
        }
        if dice.chance(0.25) {
            // A valley, sometimes a hill.
            let at = if dice.chance(0.7) { member.start[i] } else { dice.of_list(&[0.0, 1.0, 0.5]) };
            let at = at + if dice.chance(0.4) { dice.of_list(&[1.0, -1.0, -0.5]) } else { 0.0 };
            let force = dice.of_list(&[10.0, 3.0, 2.0, 1.0, 5.0]) * if dice.chance(0.03) { -0.5 } else { 1.0 };
            member.laws.push(Law { of: position(i, 1.0, short(-at)), shape: Shape::Sign, push: unit(i, -force) });
        }
        if dice.chance(0.15) {
            let at = member.start[i] + dice.of_list(&[0.0, 0.0, 0.5, -0.5]);
            let shape = dice.of_list(&[Shape::Corner(-1.0, 1.0), Shape::Corner(0.0, 1.0), Shape::Corner(1.0, 0.0)]);
            let of = if dice.chance(0.6) { position(i, 1.0, short(-at)) } else { speed(i, 0.0) };
            // It acts on the body or on its neighbour. (Signs that act on others leave their forces open where
            // friction of contacts holds, too.)
            let force = dice.of_list(&[-1.0, -0.5, -5.0, 0.5]);
            let on = if dice.chance(0.7) { i } else { (i + 1) % bodies };
            member.laws.push(Law { of, shape, push: unit(on, force) });
        }
    }
    // Springs and friction between neighbours.
    for i in 1..bodies {
        if dice.chance(0.25) {
            let stiffness = dice.of_list(&[1.0, 5.0, 20.0]);
            let rest = if dice.chance(0.7) { 1.0 } else { 0.0 };
            for (k, sign) in [(i - 1, 1.0), (i, -1.0)] {
                member.force[k].q[i] += sign * stiffness;
                member.force[k].q[i - 1] -= sign * stiffness;
                member.force[k].constant -= sign * stiffness * rest;
            }
        }
        let mut pair = |of: Linear, force: f64| {
            let push = between(i - 1, i).iter().map(|x| -force * x).collect();
            member.laws.push(Law { of, shape: Shape::Sign, push });
        };
        if dice.chance(0.15) {
            let of = Linear { v: between(i - 1, i), ..Linear::zero(n) };
            pair(of, dice.of_list(&[1.0, 2.0, 0.5, 3.0]));
        }
        if dice.chance(0.05) {
            let of = Linear { q: between(i - 1, i), constant: -1.0, ..Linear::zero(n) };
            pair(of, dice.of_list(&[1.0, 2.0, 5.0]));
        }
        if dice.chance(0.65) {
            let gap = Linear { q: between(i - 1, i), constant: -1.0, ..Linear::zero(n) };
            let restitution = dice.of_list(&[0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.5, 1.0]);
            member.contacts.push(Pad { gap, restitution, friction: None });
        }
    }
    // Walls: touched, at a distance, or where a decelerated body comes to rest.
    for i in 0..bodies {
        if !dice.chance(0.4) {
            continue;
        }
        let (x, v) = (member.start[i], member.start[n + i]);
        let side = if v < 0.0 || (v == 0.0 && dice.chance(0.5)) { 1.0 } else { -1.0 };
        let acceleration = member.force[i].constant / member.mass[i];
        let distance = match dice.below(3) {
            0 => 0.0,
            1 if acceleration * v < 0.0 => v * v / (2.0 * acceleration.abs()),
            _ => dice.of_list(&[0.1, 0.5, 1.0, 0.2]),
        };
        let restitution = dice.of_list(&[0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.5, 1.0]);
        let gap = position(i, side, short(distance - side * x));
        member.contacts.push(Pad { gap, restitution, friction: None });
        if dice.chance(0.2) {
            let gap = position(i, -side, short(side * x + dice.of_list(&[0.1, 0.5, 0.0])));
            member.contacts.push(Pad { gap, restitution: 0.0, friction: None });
        }
    }
    // Floors with the friction of contacts; heights come last. A third body may stand on the one before it.
    for (height, i) in (heights..).zip((0..bodies).filter(|&i| floor[i])) {
        member.force[height].constant = -dice.of_list(&[1.0, 2.0, 10.0, 5.0]);
        let raised = dice.chance(0.15);
        member.start[height] = if raised { dice.of_list(&[0.1, 0.5]) } else { 0.0 };
        let mu = dice.of_list(&[0.1, 0.2, 0.3, 0.5, 1.0]);
        let mut track = unit(i, 1.0);
        let below = height > heights && dice.chance(0.3);
        let mut gap = position(height, 1.0, 0.0);
        if below {
            let lower = (0..i).rev().find(|&j| floor[j]).unwrap_or(0);
            gap = Linear { q: between(height - 1, height), constant: -1.0, ..Linear::zero(n) };
            member.start[height] = member.start[height - 1] + 1.0;
            track = between(lower, i);
        } else if bodies > 1 && dice.chance(0.25) {
            // A disc that turns: the next coordinate is its angle.
            track[(i + 1) % bodies] = dice.of_list(&[1.0, 0.5]);
        }
        let friction = Rubbing {
            track,
            belt: if dice.chance(0.85) { 0.0 } else { dice.of_list(&[1.0, -0.5]) },
            mu,
            mu_static: if dice.chance(0.85) { mu } else { short(1.5 * mu) },
        };
        let restitution = if raised { dice.of_list(&[0.0, 0.5]) } else { 0.0 };
        member.contacts.push(Pad { gap, restitution, friction: Some(friction) });
    }
    if dice.chance(0.1) {
        let i = dice.below(bodies);
        let at = member.start[i] + dice.of_list(&[0.25, -0.25, 0.75, -0.6]);
        let (when, jump) = match dice.below(3) {
            0 => (position(i, 1.0, short(-at)), (n + i, Linear { v: unit(i, -0.5), ..Linear::zero(n) })),
            1 => (position(i, 1.0, short(-at)), (n + i, Linear { v: unit(i, 0.5), ..Linear::zero(n) })),
            _ => {
                let when = speed(i, -dice.of_list(&[0.7, -0.7, 1.3]));
                (when, (n + i, Linear { constant: dice.of_list(&[0.0, 0.0, 0.2]), ..Linear::zero(n) }))
            }
        };
        let condition = dice.chance(0.3).then(|| speed(i, 0.0));
        let direction = dice.of_list(&[-1, 1, 1, 0]);
        member.events.push(Reset { when, direction, condition, jump: vec![jump] });
    }
    // Nothing at all is no instant.
    if member.laws.is_empty() && member.contacts.is_empty() {
        let push = unit(0, -1.0);
        member.laws.push(Law { of: speed(0, 0.0), shape: Shape::Sign, push });
    }
    member
}
