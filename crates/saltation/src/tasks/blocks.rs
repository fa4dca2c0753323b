//! The blocks of a sweep or a basin one by one: each is computed as bytes, on whatever machine, and written to the folder of the whole.
//!
//! The bytes of a block depend on the question and, where states are carried, on the block before it, and on nothing else. Whoever computes them, the
//! folder is the one that a single process would have written, and is resumed, merged and read like it.

use crate::error::{Error, Refusal};
use crate::progress::Progress;
use crate::system::System;
use crate::tasks::describe::{Work, broken};
use crate::tasks::finished::unreadable;
use crate::tasks::runner::{Folder, Job, first_open};
pub use saltation_sweep::store::Encoded;
use saltation_sweep::store::{Layout, Store};
use saltation_sweep::{Block, Chain, Place, Sweep};
use std::ops::Range;
use std::path::PathBuf;

/// The blocks of a sweep or a basin.
///
/// ```
/// use saltation::{Folder, RecordSettings, System};
/// # let path = std::env::temp_dir().join(format!("saltation-blocks-{}", std::process::id()));
/// let mut sweep = System::gallery("impact-oscillator")?.sweep().along("A", 0.346..=0.350, 9).settle(30).record(5);
/// sweep.folder = Some(Folder::new(&path));
/// let blocks = sweep.blocks()?;
/// let mut store = blocks.open()?;
/// for chain in store.missing() {
///     for block in chain {
///         // This line may run elsewhere.
///         let found = blocks.compute(block, None, &mut ())?.expect("it was not interrupted");
///         store.write(block, &found)?;
///     }
/// }
/// sweep.folder = sweep.folder.map(Folder::resume);
/// assert_eq!(sweep.run()?.values.len(), 9); // nothing is left to compute
/// # std::fs::remove_dir_all(&path).unwrap();
/// # Ok::<(), saltation::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Blocks {
    system: System,
    work: Work,
    folder: Folder,
    layout: Layout,
}

impl Blocks {
    pub(crate) fn new(system: &System, work: Work, folder: Option<&Folder>) -> Result<Blocks, Error> {
        let folder = folder.ok_or_else(|| {
            Refusal::new("folder", "blocks are computed for a folder, and none is given", "name a new folder")
        })?;
        let layout = Job::new(system, &work, None, Some(folder))?.layout(folder, system.compiled()?);
        Ok(Blocks { system: system.clone(), work, folder: folder.clone(), layout })
    }

    /// The number of blocks of the whole, of which the folder may have a part.
    pub fn count(&self) -> u64 {
        self.work.plan.blocks()
    }

    /// The number of tasks of the whole.
    pub fn tasks(&self) -> u64 {
        self.work.plan.tasks()
    }

    /// The tasks of a block.
    pub fn tasks_of(&self, block: u64) -> Range<u64> {
        self.work.plan.block(block)
    }

    /// The block at whose end a block begins, because states are carried there.
    pub fn before(&self, block: u64) -> Option<u64> {
        let first = block.is_multiple_of(self.work.plan.blocks_per_chain());
        if first { None } else { block.checked_sub(1) }
    }

    /// Computes a block on one thread: the bytes of its tables, or nothing if it was interrupted. `before` is what was computed for [`Blocks::before`].
    ///
    /// # Errors
    /// If there is no such block, or what is before it is missing or not of this question.
    pub fn compute(
        &self,
        block: u64,
        before: Option<&Encoded>,
        progress: &mut dyn Progress,
    ) -> Result<Option<Encoded>, Error> {
        let Work { plan, method, names, parameters, .. } = &self.work;
        self.check(block)?;
        let carried = self.before(block).map(|last| self.carried(last, before)).transpose()?.flatten();
        let (system, values) = (self.system.compiled()?, self.system.numbers());
        let sweep = Sweep { system, values, parameters, plan, method };
        let chain = Chain { blocks: block..block + 1, carried };
        let mut found = None;
        let receive = |block: Block| {
            found = Some(block);
            true
        };
        let look = || progress.see(None, &|| format!("block {block}"));
        let ran = sweep.run(1, std::iter::once(chain), receive, look);
        ran.map_err(|error| Error::from(Refusal::new("threads", error.to_string(), "end other programs")))?;
        let Some(found) = found.filter(|found| found.is_complete(plan)) else { return Ok(None) };
        self.layout.encode(&found.frames(names, plan, system)).map(Some).map_err(unreadable)
    }

    fn check(&self, block: u64) -> Result<(), Error> {
        if block < self.count() {
            return Ok(());
        }
        let message = format!("there is no block {block} of {}", self.count());
        Err(Refusal::new("block", message, "blocks are counted from 0").into())
    }

    /// Where the last task of a block ended.
    fn carried(&self, block: u64, encoded: Option<&Encoded>) -> Result<Option<Place>, Error> {
        let Some(encoded) = encoded else {
            let message = format!("block {} begins where block {block} ended, which is not given", block + 1);
            return Err(Refusal::new("before", message, "compute the blocks of a chain in their order").into());
        };
        let frames = self.layout.decode(encoded).map_err(unreadable)?;
        let frames = frames.try_into().map_err(|_| broken("a block has other tables"))?;
        let found = Block::from_frames(block, &frames, &self.work.names, &self.work.plan);
        Ok(found.map_err(|foreign| broken(&foreign.to_string()))?.carries())
    }

    /// The folder, begun or resumed as the question says.
    ///
    /// # Errors
    /// If it holds something else, cannot be read or cannot be written.
    pub fn open(&self) -> Result<BlockStore, Error> {
        let job = Job::new(&self.system, &self.work, None, Some(&self.folder))?;
        let store = job.store(&self.folder, &self.layout)?;
        Ok(BlockStore { blocks: self.clone(), store })
    }
}

/// The folder of a sweep or a basin whose blocks are computed elsewhere.
#[derive(Debug)]
pub struct BlockStore {
    blocks: Blocks,
    store: Store,
}

impl BlockStore {
    /// What is left to do: blocks in a range are computed in their order where states are carried, and all others in any order.
    pub fn missing(&self) -> Vec<Range<u64>> {
        let plan = &self.blocks.work.plan;
        let chains = plan.chains_of(self.blocks.folder.part).map(|chain| plan.chain(chain));
        let left = chains.map(|chain| first_open(&self.store, chain.clone())..chain.end);
        left.filter(|left| !left.is_empty()).collect()
    }

    /// The bytes of a block that is done.
    ///
    /// # Errors
    /// If it is not, or its files cannot be read.
    pub fn read(&self, block: u64) -> Result<Encoded, Error> {
        self.store.encoded(block).map_err(unreadable)
    }

    /// Examines the bytes of a block, and writes them.
    ///
    /// # Errors
    /// If they are not those of this block, or the folder cannot be written.
    pub fn write(&mut self, block: u64, encoded: &Encoded) -> Result<(), Error> {
        let Work { plan, names, .. } = &self.blocks.work;
        self.blocks.check(block)?;
        let frames = self.blocks.layout.decode(encoded).map_err(unreadable)?;
        let frames = frames.try_into().map_err(|_| broken("a block has other tables"))?;
        Block::from_frames(block, &frames, names, plan).map_err(|foreign| broken(&foreign.to_string()))?;
        self.store.write(block, encoded).map_err(unreadable)
    }

    /// The files for whose damage blocks are computed again.
    pub fn damaged(&self) -> &[PathBuf] {
        self.store.damaged()
    }
}
