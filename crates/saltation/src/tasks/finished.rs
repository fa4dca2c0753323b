//! Where finished blocks are kept, in memory or in a store, and how they are read again in the order of tasks.

use crate::error::Error;
use saltation_sweep::store::Store;
use saltation_sweep::{Block, Names, Plan, TABLES};
use std::collections::BTreeMap;

/// Finished blocks.
#[derive(Debug)]
pub(crate) enum FinishedBlocks {
    /// In memory, by their numbers.
    Memory(BTreeMap<u64, Block>),
    /// In a folder.
    Stored(Box<Store>),
}

impl FinishedBlocks {
    /// Calls `see` with every finished block, in the order of tasks.
    ///
    /// # Errors
    /// If a stored block cannot be read.
    pub(crate) fn each(&self, names: &Names, plan: &Plan, mut see: impl FnMut(&Block)) -> Result<(), Error> {
        match self {
            FinishedBlocks::Memory(blocks) => blocks.values().for_each(see),
            FinishedBlocks::Stored(store) => {
                for index in (0..plan.blocks()).filter(|&index| store.is_done(index)) {
                    see(&read(store, index, names, plan)?);
                }
            }
        }
        Ok(())
    }
}

/// A block of a store.
pub(crate) fn read(store: &Store, index: u64, names: &Names, plan: &Plan) -> Result<Block, Error> {
    let [tasks, returns, impacts] = TABLES.map(|table| store.read(index, table));
    let frames = [tasks.map_err(unreadable)?, returns.map_err(unreadable)?, impacts.map_err(unreadable)?];
    Block::from_frames(index, &frames, names, plan).map_err(|foreign| super::describe::broken(&foreign.to_string()))
}

/// A mistake of a store as one of the request.
pub(crate) fn unreadable(error: saltation_sweep::store::StoreError) -> Error {
    crate::error::Refusal::new("out", error.to_string(), error.help()).into()
}
