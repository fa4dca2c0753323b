//! What sweeps and basins have in common: how each motion is computed and recorded, and where what was found is kept.

pub mod blocks;
pub(crate) mod describe;
pub(crate) mod finished;
pub mod method;
pub mod question;
pub mod runner;
pub(crate) mod tables;

pub use blocks::{BlockStore, Blocks};
pub use method::{Exponents, Method};
pub use runner::Folder;
pub use saltation_sweep::store::Format;
