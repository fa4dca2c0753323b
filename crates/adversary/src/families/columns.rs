//! Balls in a row: columns on a floor, cradles of pendulums, rows between walls; oracles: the laws on the path, and the same motion in other words.

use crate::body::{Body, Contact};
use crate::dice::Dice;
use crate::examine::examine;
use crate::family::{Family, Outcome, Watch};

/// The family.
pub const COLUMNS: Family = Family {
    name: "columns",
    about: "columns and cradles of balls by Newton's or Poisson's law: laws of contact, energy, other coordinates, order and units",
    every: 1,
    examine: drawn,
};

fn drawn(dice: &mut Dice, watch: &Watch) -> Outcome {
    let count = 2 + dice.below(4);
    let column = dice.chance(0.5);
    let equal = dice.chance(0.5);
    // Whether at most one ball of a cradle is apart from the others.
    let alike = dice.chance(0.5);
    let masses: Vec<String> = (0..count).map(|i| if equal { "m".to_string() } else { format!("m{i}") }).collect();
    let force = |i: usize| match column {
        true => format!("-{}*g", masses[i]),
        // Pendulums of one period all meet at one instant, whatever their distances: then rounding decides which strike together.
        false => {
            format!("-{}*k*(1 + {}*q{i}^2/(1 + q{i}^2))*q{i} - c*v{i}", masses[i], if alike { "0" } else { "0.1" })
        }
    };
    let names: Vec<&str> = masses.iter().map(String::as_str).collect();
    let force: Vec<String> = (0..count).map(force).collect();
    let force: Vec<&str> = force.iter().map(String::as_str).collect();
    let mut body = Body::new(&names, &force);
    match equal {
        true => drop(body.number("m", dice.between(0.5, 2.0))),
        false => (0..count).for_each(|i| drop(body.number(format!("m{i}"), dice.scale(0.3, 3.0)))),
    }
    body.number("g", dice.of_list(&[1.0, 9.81]));
    body.number("k", dice.scale(1.0, 50.0));
    body.number("c", if dice.chance(0.5) { 0.0 } else { 1e-2 });
    let shared = dice.of_list(&[0.0, 0.3, 0.6, 0.9, 1.0]);
    let each = dice.chance(0.2);
    let restitution = |body: &mut Body, dice: &mut Dice, k: usize| match each {
        true => body.number(format!("e{k}"), dice.between(0.0, 1.0)),
        false if k == 0 => body.number("e", shared),
        false => "e".to_string(),
    };
    if column {
        let restitution = restitution(&mut body, dice, 0);
        body.contacts.push(Contact { gap: "q0".to_string(), restitution, friction: None });
    }
    for i in 1..count {
        let k = body.contacts.len();
        let restitution = restitution(&mut body, dice, k);
        body.contacts.push(Contact { gap: format!("q{i} - q{}", i - 1), restitution, friction: None });
    }
    // Every ball touches the one before it, or is some way above.
    let mut place = String::new();
    for i in 0..count {
        let apart = if column || !alike { dice.chance(0.5) } else { i == 0 };
        let above = if apart { dice.between(0.05, 0.8) } else { 0.0 };
        let above = body.number(format!("d{i}"), above);
        place = if i == 0 { above } else { format!("{place} + {above}") };
        body.start[i] = match column {
            true => place.clone(),
            false if i == 0 => format!("-({place})"),
            // The first pendulum is pulled aside; the rest touch at 0 or to the right of it.
            false => format!("{place} - d0"),
        };
    }
    if dice.chance(0.3) {
        let speed = dice.between(-1.0, 1.0);
        body.start[2 * count - 1] = body.number("u", speed.max(0.0));
    }
    body.poisson = dice.chance(0.5);
    body.until = 3.0;
    examine(&body, &[], dice, watch)
}
