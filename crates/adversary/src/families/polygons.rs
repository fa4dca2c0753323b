//! Polygons and discs with friction, thrown on a plane or into a corner; oracles: the laws on the path, and the same motion in other words.

use super::rigid::{Outline, plane, thrown};
use crate::dice::Dice;
use crate::examine::examine;
use crate::family::{Family, Outcome, Watch};

/// Bodies on one plane, level or tilted.
pub const POLYGONS: Family = Family {
    name: "polygons",
    about: "polygons and discs with friction thrown on a plane: laws of contact, energy, other coordinates and units",
    every: 1,
    examine: |dice, watch| drawn(dice, watch, 1),
};

/// Bodies between two planes.
pub const CORNERS: Family = Family {
    name: "corners",
    about: "polygons and discs with friction thrown into a corner of two planes: laws of contact, energy, other coordinates and units",
    every: 1,
    examine: |dice, watch| drawn(dice, watch, 2),
};

fn drawn(dice: &mut Dice, watch: &Watch, planes: usize) -> Outcome {
    let mut body = thrown(dice);
    let outline = Outline::draw(&mut body, dice, if planes == 1 { 4 } else { 3 });
    let slopes: &[f64] = if planes == 1 { &[0.0, 0.2, 0.5] } else { &[0.3, 0.785, 1.0] };
    let first = dice.of_list(slopes);
    plane(&mut body, &outline, dice, "a", if planes == 1 { first } else { -first });
    if planes == 2 {
        let second = if dice.chance(0.5) { first } else { dice.of_list(slopes) };
        plane(&mut body, &outline, dice, "b", second);
    }
    examine(&body, &[], dice, watch)
}
