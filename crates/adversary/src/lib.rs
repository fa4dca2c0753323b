//! An adversary: random members of families of models, and the oracles that their motions must agree with.
//!
//! A [`Family`] draws a member from [`Dice`] and compares what the library says about it with an oracle: the same motion in
//! other coordinates or units, the laws of contact along the path, the balance of energy, a second integrator, a closed
//! form, an enumeration of all possibilities, or, of a branch of orbits, another origin of the phase and a simulation from every point. Whatever differs is a [`Disagreement`] with the smallest input that shows it,
//! unless the last digits of the start decide it ([`digits`]); these members are counted separately, and so are those that are known to disagree ([`EXPECTED`]).
//!
//! `cargo run --release -p adversary -- --seconds 60 --seed 7` examines members of all [`FAMILIES`] for a minute.
//! Families take turns; `branches`, whose members take a second each, has one in every sixteenth round.

pub mod body;
pub mod campaign;
pub mod change;
pub mod cone;
mod dice;
pub mod digits;
mod elements;
pub mod examine;
mod expected;
pub mod families;
mod family;
pub mod followed;
pub mod forced;
pub mod inputs;
pub mod oracles;
mod shrink;
pub mod steep;
pub mod subject;
pub mod surface;
mod tally;

pub use dice::Dice;
pub use expected::{EXPECTED, Expected, expected};
pub use family::{Disagreement, Family, LONGEST, Outcome, STOPPED, Watch};
pub use tally::{Table, Tally};

/// All families, in the order of the table.
pub const FAMILIES: &[Family] = &[
    families::POLYGONS,
    families::CORNERS,
    families::PRESSED,
    families::CARTS,
    families::COLUMNS,
    families::OSCILLATORS,
    families::RESTITUTION,
    families::REDUNDANT,
    families::FEET,
    families::FRICTION,
    families::STEEP,
    families::SWITCHES,
    families::BRANCHES,
    inputs::INPUTS,
];

/// Families that are examined only where they are named.
pub const NAMED: &[Family] = &[families::INSTANTS, families::BOXES];
