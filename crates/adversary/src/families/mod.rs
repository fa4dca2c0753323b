//! The families of bodies, one in each file.

mod boxes;
mod branches;
mod carts;
mod columns;
mod friction;
mod instants;
mod oscillators;
mod polygons;
mod pressed;
mod redundant;
mod rigid;
mod steep;
mod switches;

pub use boxes::BOXES;
pub use branches::BRANCHES;
pub use carts::CARTS;
pub use columns::COLUMNS;
pub use friction::FRICTION;
pub use instants::INSTANTS;
pub use oscillators::{OSCILLATORS, RESTITUTION};
pub use polygons::{CORNERS, POLYGONS};
pub use pressed::PRESSED;
pub use redundant::{FEET, REDUNDANT};
pub use steep::STEEP;
pub use switches::SWITCHES;
