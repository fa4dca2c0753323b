//! Rigid bodies in the plane: (x, y, angle) = (q0, q1, q2), with corners or round, against tilted planes.

use crate::body::{Body, Contact, Friction};
use crate::dice::Dice;

/// The outline of a body, by the names of its numbers.
#[derive(Debug, Clone)]
pub(super) enum Outline {
    /// Corners at a distance and an angle from the centre of mass.
    Corners(Vec<[String; 2]>),
    /// A disc of a radius, its centre at a distance and an angle from the centre of mass.
    Disc([String; 3]),
}

/// A body under gravity above the origin, with a random velocity.
pub(super) fn thrown(dice: &mut Dice) -> Body {
    let mut body = Body::new(&["m", "m", "J"], &["0", "-m*g", "0"]);
    body.number("m", dice.between(0.5, 2.0));
    body.number("J", dice.scale(0.01, 0.5));
    body.number("g", dice.of_list(&[1.0, 9.81]));
    let start = [0.0, dice.between(1.0, 1.6), dice.between(-3.0, 3.0)];
    let velocity = [dice.between(-1.0, 1.0), dice.between(-1.0, 1.0), dice.between(-4.0, 4.0)];
    body.start =
        start.iter().chain(&velocity).enumerate().map(|(i, &value)| body.number(format!("s{i}"), value)).collect();
    body.poisson = dice.chance(0.5);
    body.until = dice.of_list(&[2.0, 3.0]);
    body
}

impl Outline {
    /// A random polygon of up to so many corners, or a disc, sometimes with its centre of mass beside the middle.
    pub(super) fn draw(body: &mut Body, dice: &mut Dice, corners: usize) -> Outline {
        if dice.chance(0.25) {
            let off = if dice.chance(0.5) { 0.0 } else { dice.between(0.02, 0.15) };
            return Outline::Disc([
                body.number("R", dice.between(0.2, 0.4)),
                body.number("off", off),
                body.number("turn", 0.0),
            ]);
        }
        let count = 2 + dice.below(corners - 1);
        let regular = dice.chance(0.3);
        let size = dice.between(0.15, 0.4);
        let corner = |k: usize| {
            let full = std::f64::consts::TAU * k as f64 / count as f64;
            let (distance, angle) = match regular {
                true => (size, full),
                false => (dice.between(0.15, 0.4), full + dice.between(-0.5, 0.5)),
            };
            [body.number(format!("r{k}"), distance), body.number(format!("th{k}"), angle)]
        };
        Outline::Corners((0..count).map(corner).collect())
    }
}

/// Adds the contacts of an outline with a plane through the origin that rises at an angle.
pub(super) fn plane(body: &mut Body, outline: &Outline, dice: &mut Dice, name: &str, slope: f64) {
    let slope = body.number(name, slope);
    let e = body.number(format!("e{name}"), dice.of_list(&[0.0, 0.0, 0.3, 0.5, 0.8, 1.0]));
    let mu = dice.chance(0.85).then(|| {
        let value = dice.between(0.05, 1.2);
        body.number(format!("mu{name}"), value)
    });
    let height = |of: &str, at: &str| format!("q1*cos({slope}) - q0*sin({slope}) + {of}*sin(q2 + {at} - {slope})");
    let along = |of: &str, at: &str| format!("q0*cos({slope}) + q1*sin({slope}) + {of}*cos(q2 + {at} - {slope})");
    let mut contact = |gap: String, track: String| {
        let friction = mu.clone().map(|mu| Friction { track, belt: "0".to_string(), mu });
        body.contacts.push(Contact { gap, restitution: e.clone(), friction });
    };
    match outline {
        Outline::Corners(corners) => corners.iter().for_each(|[r, th]| contact(height(r, th), along(r, th))),
        Outline::Disc([radius, off, turn]) => {
            contact(format!("{} - {radius}", height(off, turn)), format!("{} + {radius}*q2", along(off, turn)));
        }
    }
}
