//! Rods, rolling discs, wedges and capsules that rest on more contacts than they need; oracles: the laws on the path, and the same motion in other words.

use super::rigid::{Outline, plane};
use crate::body::{Body, Contact, Friction};
use crate::dice::Dice;
use crate::digits::Against;
use crate::examine::{Oracle, examine};
use crate::family::{Family, Outcome, Watch};
use crate::subject::Subject;
use crate::surface::exceeds;

/// The family.
pub const REDUNDANT: Family = Family {
    name: "redundant",
    about: "rods, rolling discs, wedges, capsules at rest on redundant contacts: closed forms, laws, other words",
    every: 1,
    examine: drawn,
};

/// Flat bodies on feet that nearly coincide.
pub const FEET: Family = Family {
    name: "feet",
    about: "flat bodies that tip and bounce on feet, some of them 1e-4 to 1e-2 apart: laws, other words",
    every: 5,
    examine: |dice, watch| examine(&lying(dice, true), &[], dice, watch),
};

fn drawn(dice: &mut Dice, watch: &Watch) -> Outcome {
    let (body, more): (Body, &[Oracle]) = match dice.below(4) {
        0 => (lying(dice, false), &[]),
        1 => (rolling(dice), &[("rolling", |subject, dice| rolls(subject, dice).map(Against::law))]),
        2 => (wedged(dice), &[]),
        _ => (capsule(dice), &[]),
    };
    examine(&body, more, dice, watch)
}

/// A flat body on corners in line, drawn along and lifted by forces that oscillate; `near`: some of them nearly coincide.
fn lying(dice: &mut Dice, near: bool) -> Body {
    let mut body = Body::new(&["m", "m", "J"], &["B*cos(phi)", "-m*g + A*sin(phi)", "C*sin(2*phi)"]);
    body.rate = Some(body.number("w", dice.scale(0.5, 4.0)));
    for (name, low, high) in [("m", 0.5, 2.0), ("J", 0.05, 0.3), ("A", 0.0, 3.0), ("B", 0.0, 1.0), ("C", 0.0, 0.3)] {
        body.number(name, if dice.chance(0.3) { 0.0_f64.max(low) } else { dice.between(low, high) });
    }
    body.number("g", 1.0);
    let h = body.number("h", dice.between(0.05, 0.5));
    let e = body.number("e", dice.of_list(&[0.0, 0.0, 0.5]));
    let mu = body.number("mu", dice.between(0.05, 1.0));
    let mut place = 0.0_f64;
    for k in 0..2 + dice.below(2) {
        let side = dice.between(-0.6, 0.6);
        place = match k {
            0 => side.abs() + 0.1,
            1 => -side.abs() - 0.1,
            _ if near && dice.chance(0.7) => place + dice.scale(1e-4, 1e-2),
            _ => side,
        };
        let x = body.number(format!("x{k}"), place);
        body.contacts.push(Contact {
            gap: format!("q1 + {x}*sin(q2) - {h}*cos(q2)"),
            restitution: e.clone(),
            friction: dice.chance(0.9).then(|| Friction {
                track: format!("q0 + {x}*cos(q2) + {h}*sin(q2)"),
                belt: "0".to_string(),
                mu: mu.clone(),
            }),
        });
    }
    body.start[1] = h;
    if dice.chance(0.5) {
        let speed = dice.between(-1.0, 1.0);
        body.start[3] = body.number("u", speed);
    }
    body.poisson = dice.chance(0.5);
    body.until = 6.0;
    body
}

/// A disc at rest on an incline.
fn rolling(dice: &mut Dice) -> Body {
    let mut body = Body::new(&["m", "m", "J"], &["m*g*sin(a)", "-m*g*cos(a)", "0"]);
    body.number("m", dice.between(0.5, 2.0));
    body.number("J", dice.between(0.02, 0.2));
    body.number("g", 9.81);
    body.number("a", dice.between(0.05, 1.2));
    let r = body.number("R", dice.between(0.2, 0.5));
    let mu = body.number("mu", dice.between(0.05, 1.0));
    let friction = Friction { track: format!("q0 + {r}*q2"), belt: "0".to_string(), mu };
    let restitution = body.number("e", dice.of_list(&[0.0, 0.5]));
    body.contacts.push(Contact { gap: format!("q1 - {r}"), restitution, friction: Some(friction) });
    body.start[1] = r;
    body.until = 1.0;
    body
}

/// The disc rolls where tan a <= mu (1 + m R^2/J), with x'' = g sin a/(1 + J/(m R^2)), and slips with g (sin a - mu cos a) elsewhere.
fn rolls(subject: &Subject, _: &mut Dice) -> Option<String> {
    let body = &subject.body;
    let [m, inertia, g, a, r, mu] = ["m", "J", "g", "a", "R", "mu"].map(|name| body.value(name));
    if body.contacts.len() != 1 || body.contacts[0].friction.is_none() {
        return None;
    }
    let acceleration = match a.tan() <= mu * (1.0 + m * r * r / inertia) {
        true => g * a.sin() / (1.0 + inertia / (m * r * r)),
        false => g * (a.sin() - mu * a.cos()),
    };
    let right = 0.5 * acceleration * body.until * body.until;
    let reported = subject.base.run.state[0];
    exceeds((reported - right).abs(), 1e-9 * right.abs())
        .then(|| format!("has moved by {reported:?}, and should by {right:?}"))
}

/// A disc laid into a wedge, turned and pressed by moments and forces.
fn wedged(dice: &mut Dice) -> Body {
    let mut body = Body::new(&["m", "m", "J"], &["B*cos(phi)", "-m*g + A*sin(phi)", "C*cos(phi)"]);
    body.rate = Some(body.number("w", dice.scale(0.5, 4.0)));
    for (name, low, high) in [("m", 0.5, 2.0), ("J", 0.02, 0.2), ("A", 0.0, 3.0), ("B", 0.0, 2.0), ("C", -1.0, 1.0)] {
        body.number(name, dice.between(low, high));
    }
    body.number("g", 1.0);
    let outline =
        Outline::Disc([body.number("R", dice.between(0.2, 0.4)), body.number("off", 0.0), body.number("turn", 0.0)]);
    let slope = dice.of_list(&[0.3, 0.785, 1.0]);
    plane(&mut body, &outline, dice, "a", -slope);
    plane(&mut body, &outline, dice, "b", slope);
    body.start[1] = "R/cos(a)".to_string();
    if dice.chance(0.4) {
        let spin = dice.between(-3.0, 3.0);
        body.start[5] = body.number("spin", spin);
    }
    body.poisson = dice.chance(0.5);
    body.until = 5.0;
    body
}

/// A capsule on the ground with a mass inside that is driven and strikes stops.
fn capsule(dice: &mut Dice) -> Body {
    let drive = "k*(q2 - q0) + c*(v2 - v0) - P*cos(phi)";
    let mut body = Body::new(&["m", "m", "n"], &[drive, "-(m + n)*g", &format!("-({drive})")]);
    body.rate = Some(body.number("w", dice.between(0.5, 2.0)));
    for (name, low, high) in
        [("m", 0.5, 2.0), ("n", 0.1, 0.6), ("k", 0.3, 2.0), ("c", 0.0, 0.2), ("P", 0.05, 1.0), ("G", 0.01, 0.2)]
    {
        body.number(name, dice.between(low, high));
    }
    body.number("g", 1.0);
    let mu = body.number("mu", dice.between(0.05, 0.6));
    let e = body.number("e", dice.of_list(&[0.0, 0.3, 0.6, 0.9]));
    let friction = Friction { track: "q0".to_string(), belt: "0".to_string(), mu };
    body.contacts.push(Contact { gap: "q1".to_string(), restitution: "0".to_string(), friction: Some(friction) });
    body.contacts.push(Contact { gap: "G - (q2 - q0)".to_string(), restitution: e.clone(), friction: None });
    if dice.chance(0.5) {
        body.contacts.push(Contact { gap: "G + (q2 - q0)".to_string(), restitution: e, friction: None });
    }
    body.poisson = dice.chance(0.5);
    body.until = 25.0;
    body
}
