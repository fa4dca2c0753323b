//! Oscillators on belts with friction that depends on the speed of slip; oracles: the laws on the path, and the same motion in other words.

use crate::body::{Body, Contact, Friction};
use crate::dice::Dice;
use crate::examine::examine;
use crate::family::{Family, Outcome, Watch};

/// The family.
pub const FRICTION: Family = Family {
    name: "friction",
    about: "oscillators on belts, friction constant or falling with the speed of slip: laws, energy, other coordinates and units",
    every: 1,
    examine: drawn,
};

fn drawn(dice: &mut Dice, watch: &Watch) -> Outcome {
    let degrees = 1 + dice.below(2);
    let forces: &[&str] = match degrees {
        1 => &["B*cos(phi) - k*q0 - c*v0", "-N"],
        _ => &["B*cos(phi) - k*q0 - h*(q0 - q1) - c*v0", "h*(q0 - q1) - k*q1 - c*v1", "-N", "-N"],
    };
    let mut body = Body::new(&["m", "n", "n", "n"][..2 * degrees], forces);
    body.rate = Some(body.number("w", dice.scale(0.3, 4.0)));
    for (name, low, high) in
        [("m", 0.5, 2.0), ("n", 0.5, 2.0), ("k", 0.2, 4.0), ("h", 0.2, 4.0), ("N", 0.5, 3.0), ("c", 0.0, 0.3)]
    {
        body.number(name, dice.between(low, high));
    }
    body.number("B", if dice.chance(0.4) { 0.0 } else { dice.between(0.1, 3.0) });
    let most = body.number("mu", dice.between(0.1, 1.2));
    let belt = body.number("belt", dice.between(-1.0, 1.0));
    let belt = dice.of_list(&["0".to_string(), belt.clone(), format!("{belt}*cos(phi)")]);
    let least = body.number("least", dice.between(0.02, 0.1));
    let scale = body.number("vs", dice.scale(0.02, 1.0));
    for i in 0..degrees {
        let slip = format!("((v{i} - ({belt}))/{scale})");
        let mu = match dice.below(4) {
            0 => format!("{least} + ({most} - {least})/(1 + {slip}^2)"),
            1 => format!("{least} + ({most} - {least})*exp(-{slip}^2)"),
            _ => most.clone(),
        };
        let friction = Friction { track: format!("q{i}"), belt: belt.clone(), mu };
        let gap = format!("q{}", degrees + i);
        body.contacts.push(Contact { gap, restitution: "0".to_string(), friction: Some(friction) });
    }
    if dice.chance(0.5) {
        let (place, speed) = (dice.between(-1.0, 1.0), dice.between(-1.0, 1.0));
        body.start[0] = body.number("s", place);
        body.start[2 * degrees] = body.number("u", speed);
    }
    body.until = 15.0;
    examine(&body, &[], dice, watch)
}
