//! Oscillators, tables and pairs of masses with one or two walls, forced or free; oracles: integration in small steps, and the same motion in other words.

use crate::body::{Body, Contact};
use crate::dice::Dice;
use crate::examine::examine;
use crate::family::{Family, Outcome, Watch};
use crate::oracles::small_steps;

/// Linear and nonlinear oscillators with constant restitution.
pub const OSCILLATORS: Family = Family {
    name: "oscillators",
    about: "forced oscillators, tables and pairs with one or two walls: small steps, laws, other coordinates and units",
    every: 1,
    examine: |dice, watch| drawn(dice, watch, false),
};

/// The same with restitution that depends on the speed of impact.
pub const RESTITUTION: Family = Family {
    name: "restitution",
    about: "oscillators whose restitution depends on the speed of impact: small steps, laws, other coordinates and units",
    every: 1,
    examine: |dice, watch| drawn(dice, watch, true),
};

fn drawn(dice: &mut Dice, watch: &Watch, by_speed: bool) -> Outcome {
    let degrees = 1 + dice.below(2);
    let table = degrees == 1 && dice.chance(0.3);
    let first = if table { "-m*g" } else { "A*cos(phi) - k*q0 - c*v0 + b" };
    let bend = dice.chance(0.3);
    let coupling = if bend { "h*sin(q0 - q1)" } else { "h*(q0 - q1)" };
    let mut body = match degrees {
        1 if bend && !table => Body::new(&["m"], &["A*cos(phi) - k*sin(q0) - c*v0 + b"]),
        1 => Body::new(&["m"], &[first]),
        _ => Body::new(&["m", "n"], &[&format!("{first} - {coupling}"), &format!("{coupling} - c*v1")]),
    };
    for (name, low, high) in [("m", 0.5, 2.0), ("n", 0.5, 2.0), ("k", 0.2, 4.0), ("h", 0.2, 4.0), ("A", 0.1, 3.0)] {
        body.number(name, dice.between(low, high));
    }
    body.number("g", 1.0);
    body.number("b", if dice.chance(0.5) { 0.0 } else { dice.between(-1.0, 1.0) });
    body.number("c", if dice.chance(0.3) { 0.0 } else { dice.between(0.0, 0.4) });
    body.rate = Some(body.number("w", dice.scale(0.3, 4.0)));
    // A rebound that loses nothing at low speed has infinitely many slow impacts on the way to rest.
    let most = if by_speed { 0.98 } else { 1.0 };
    let e = body.number("e", dice.of_list(&[0.0, 0.2, 0.5, 0.8, 0.95, most]));
    let speed = if table { "(v0 + A*w*sin(phi))" } else { "v0" };
    let restitution = match by_speed {
        false => e,
        true => {
            body.number("u", dice.scale(0.05, 2.0));
            dice.of_list(&["e/(1 + (S/u)^2)", "e*exp(-(S/u)^2)", "e*(1 - 0.9*tanh((S/u)^2))"]).replace('S', speed)
        }
    };
    let wall = body.number("wall", dice.between(0.0, 1.0));
    let gap = if table { "q0 - A*cos(phi)".to_string() } else { format!("{wall} - q0") };
    body.contacts.push(Contact { gap, restitution: restitution.clone(), friction: None });
    if !table && dice.chance(0.4) {
        let other = body.number("other", dice.between(0.3, 1.5));
        let q = if degrees == 2 && dice.chance(0.5) && !by_speed { "q1" } else { "q0" };
        body.contacts.push(Contact { gap: format!("{q} + {other}"), restitution, friction: None });
    }
    let start = dice.between(-0.3, 0.0);
    body.start[0] = body.number("s", start);
    if table {
        body.start[0] = "A + 0.1 + s^2".to_string();
    }
    body.until = dice.of_list(&[10.0, 20.0]) / body.value("w").max(1.0);
    examine(&body, &[("small steps", small_steps::check)], dice, watch)
}
