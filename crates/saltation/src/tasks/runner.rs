//! Runs the tasks of a plan: blocks are computed on several threads, kept in memory or written to a store, and read again in order.

use crate::error::{Error, Refusal};
use crate::progress::Progress;
use crate::system::System;
use crate::tasks::describe::{Work, refused};
use crate::tasks::finished::{FinishedBlocks, read, unreadable};
use crate::tasks::method::MOST_THREADS;
use crate::tasks::tables::of_block;
use crate::text::number;
use saltation_sweep::store::{Format, Layout, Part, Store};
use saltation_sweep::{Block, Chain, Method, Names, Plan, Sweep};
use serde_json::Value;
use std::cell::RefCell;
use std::ops::Range;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Numbers that are kept in memory without a folder: 800 megabytes.
const MOST_KEPT: u64 = 100_000_000;
/// The rate of tasks is shown once it is known this well.
const RATE_AFTER: Duration = Duration::from_secs(1);

/// The folder of a sweep or a basin, to which blocks are written as they are finished.
///
/// ```
/// use saltation::Folder;
/// let folder = Folder::new("results").resume().part("2/4").unwrap();
/// assert!(folder.resumes && folder.part.number() == 2);
/// assert!(Folder::new("results").part("5/4").is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder {
    /// The folder.
    pub path: PathBuf,
    /// Whether it holds the beginning of the same computation, which is finished.
    pub resumes: bool,
    /// The part of the tasks that is computed.
    pub part: Part,
    /// The format of the tables.
    pub format: Format,
}

impl Folder {
    /// A folder that does not hold anything of the kind yet, for all tasks. Tables are Parquet where the library was built with it, else CSV.
    pub fn new(path: impl Into<PathBuf>) -> Folder {
        let format = if Format::Parquet.is_available() { Format::Parquet } else { Format::Csv };
        Folder { path: path.into(), resumes: false, part: Part::WHOLE, format }
    }

    /// Finishes what the folder holds.
    pub fn resume(mut self) -> Folder {
        self.resumes = true;
        self
    }

    /// Computes a part of the tasks, such as `2/4`.
    ///
    /// # Errors
    /// If there is no such part.
    pub fn part(mut self, part: &str) -> Result<Folder, Error> {
        self.part = part.parse().map_err(|message: String| {
            Refusal::new("part", message, "give the number of the part and of all parts, such as 2/4")
        })?;
        Ok(self)
    }

    /// Writes tables in this format.
    pub fn format(mut self, format: Format) -> Folder {
        self.format = format;
        self
    }
}

/// The tasks that are run.
#[derive(Debug)]
pub(crate) struct Job<'a> {
    pub system: &'a System,
    pub plan: &'a Plan,
    pub method: &'a Method,
    pub names: &'a Names,
    /// The positions of the swept parameters in the model.
    pub parameters: &'a [usize],
    /// All that the result depends on, for the store.
    pub description: &'a Value,
    pub threads: Option<usize>,
    pub folder: Option<&'a Folder>,
}

/// What was run.
#[derive(Debug)]
pub(crate) struct Finished {
    pub kept: FinishedBlocks,
    /// The tasks that are done, of those asked for.
    pub done: u64,
    pub asked: u64,
    /// Why not all of them, in a word and a sentence.
    pub ended: (String, String),
    pub damaged: Vec<PathBuf>,
    pub wall_time: Duration,
}

impl Finished {
    /// The tasks that a store holds. Nothing is computed, and the time of their computation is not known.
    pub(crate) fn stored(store: Store, plan: &Plan) -> Finished {
        let count = |blocks: &mut dyn Iterator<Item = u64>| blocks.map(|block| tasks(plan, block)).sum::<u64>();
        let asked = count(&mut store.layout().own());
        let done = count(&mut store.layout().own().filter(|&block| store.is_done(block)));
        let (word, message) = match done == asked {
            true => ("complete", "all tasks are done"),
            false => ("interrupted", "the run was interrupted"),
        };
        let ended = (word.to_string(), message.to_string());
        Finished {
            kept: FinishedBlocks::Stored(Box::new(store)),
            done,
            asked,
            ended,
            damaged: Vec::new(),
            wall_time: Duration::ZERO,
        }
    }
}

impl<'a> Job<'a> {
    /// The tasks of a question.
    ///
    /// # Errors
    /// A part of which there are more than chains of tasks.
    pub(crate) fn new(
        system: &'a System,
        work: &'a Work,
        threads: Option<usize>,
        folder: Option<&'a Folder>,
    ) -> Result<Job<'a>, Error> {
        let Work { plan, method, names, parameters, description } = work;
        if let Some(folder) = folder {
            plan.check(folder.part).map_err(|error| Error::from(refused("part", &error)))?;
        }
        Ok(Job { system, plan, method, names, parameters, description, threads, folder })
    }

    /// The layout of the store in a folder.
    pub(crate) fn layout(&self, folder: &Folder, system: &saltation_motion::System) -> Layout {
        let empty = Block { index: 0, first: 0, outcomes: Vec::new() };
        let tables = empty.frames(self.names, self.plan, system).to_vec();
        let (blocks, chain) = (self.plan.blocks(), self.plan.blocks_per_chain());
        Layout { format: folder.format, blocks, chain, part: folder.part, tables }
    }

    /// The store, begun or resumed.
    ///
    /// # Errors
    /// Mistakes of the folder.
    pub(crate) fn store(&self, folder: &Folder, layout: &Layout) -> Result<Store, Error> {
        let store = match folder.resumes {
            true => Store::resume(&folder.path, self.description, layout),
            false => Store::begin(&folder.path, self.description, layout),
        };
        store.map_err(unreadable)
    }

    /// Runs all tasks that are not done yet.
    ///
    /// # Errors
    /// Mistakes of the folder, and threads that cannot be started. A folder that can be written no more ends the run.
    pub(crate) fn run(&self, progress: &mut dyn Progress) -> Result<Finished, Error> {
        let began = Instant::now();
        let (system, values) = (self.system.compiled()?, self.system.numbers());
        let Job { plan, method, names, .. } = *self;
        let sweep = Sweep { system, values, parameters: self.parameters, plan, method };
        let part = self.folder.map_or(Part::WHOLE, |folder| folder.part);
        let layout = self.folder.map(|folder| self.layout(folder, system));
        let store = self.folder.zip(layout.as_ref()).map(|(folder, layout)| self.store(folder, layout)).transpose()?;
        let damaged = store.as_ref().map_or(Vec::new(), |store| store.damaged().to_vec());
        let chains = plan.chains_of(part).map(|chain| open(plan, names, store.as_ref(), plan.chain(chain)));
        let chains = chains.filter(|chain| !matches!(chain, Ok(chain) if chain.blocks.is_empty()));
        let chains = chains.collect::<Result<Vec<Chain>, Error>>()?;
        let count = |blocks: &mut dyn Iterator<Item = u64>| blocks.map(|block| tasks(plan, block)).sum::<u64>();
        let asked = count(&mut plan.chains_of(part).flat_map(|chain| plan.chain(chain)));
        let already = asked - count(&mut chains.iter().flat_map(|chain| chain.blocks.clone()));
        let kept = match store {
            Some(store) => FinishedBlocks::Stored(Box::new(store)),
            None => FinishedBlocks::Memory(Default::default()),
        };
        let receiver =
            RefCell::new(Receiver { job: self, system, layout, kept, done: already, numbers: 0, ended: None });
        let words = |done: u64| {
            let elapsed = began.elapsed();
            let rate = number::short((done - already) as f64 / elapsed.as_secs_f64(), 3);
            let rate = if elapsed > RATE_AFTER { format!(", {rate} per second") } else { String::new() };
            format!("{done} of {asked} tasks{rate}")
        };
        let progress = RefCell::new(progress);
        let mut interrupted = false;
        let look = || {
            let done = receiver.borrow().done;
            let goes_on = progress.borrow_mut().see(Some(done as f64 / asked.max(1) as f64), &|| words(done));
            interrupted |= !goes_on;
            goes_on
        };
        let take = |block: Block| {
            progress.borrow_mut().grow(&|| of_block(&block, names, plan, system).into());
            receiver.borrow_mut().take(block)
        };
        // More threads than chains would have nothing to do.
        let threads = threads(self.threads)?.min(chains.len()).max(1);
        let ran = sweep.run(threads, chains.into_iter(), take, look);
        ran.map_err(|error| Error::from(Refusal::new("threads", error.to_string(), "ask for fewer threads")))?;
        let Receiver { kept, done, ended, .. } = receiver.into_inner();
        let (word, message) = match ended {
            Some((word, message)) => (word, message),
            None if interrupted && done < asked => ("interrupted", "the run was interrupted".to_string()),
            None => ("complete", "all tasks are done".to_string()),
        };
        let ended = (word.to_string(), message);
        Ok(Finished { kept, done, asked, ended, damaged, wall_time: began.elapsed() })
    }
}

/// Takes finished blocks in, on the thread that asked.
struct Receiver<'a> {
    job: &'a Job<'a>,
    system: &'a saltation_motion::System,
    layout: Option<Layout>,
    kept: FinishedBlocks,
    /// The tasks that are done.
    done: u64,
    /// The numbers that are kept in memory.
    numbers: u64,
    /// Why no more can be taken, in a word and a sentence.
    ended: Option<(&'static str, String)>,
}

impl Receiver<'_> {
    /// Keeps a block, or writes it; whether more can be taken.
    fn take(&mut self, block: Block) -> bool {
        let done = block.outcomes.len() as u64;
        let Job { plan, names, .. } = *self.job;
        match (&mut self.kept, &self.layout) {
            (FinishedBlocks::Stored(store), Some(layout)) => {
                // The rest of a block that was interrupted is missing: it is computed again as a whole.
                if !block.is_complete(plan) {
                    return true;
                }
                let encoded = layout.encode(&block.frames(names, plan, self.system));
                if let Err(error) = encoded.and_then(|encoded| store.write(block.index, &encoded)) {
                    self.ended = Some(("unwritable", format!("{error}; {}", error.help())));
                    return false;
                }
            }
            (FinishedBlocks::Memory(blocks), _) => {
                self.numbers += block.outcomes.iter().map(size).sum::<u64>();
                blocks.insert(block.index, block);
                if self.numbers > MOST_KEPT {
                    self.ended = Some(("memory", MEMORY.to_string()));
                }
            }
            (FinishedBlocks::Stored(_), None) => {}
        }
        self.done += done;
        self.ended.is_none()
    }
}

/// The number of threads: that asked for, or else as many as the machine has.
fn threads(asked: Option<usize>) -> Result<usize, Error> {
    match asked {
        Some(0) => Err(Refusal::new("threads", "there is no computation without a thread", "ask for 1 or more").into()),
        Some(count) if count > MOST_THREADS => {
            let message = format!("{count} threads are more than {MOST_THREADS}");
            Err(Refusal::new("threads", message, "ask for about as many as the machine has processors").into())
        }
        Some(count) => Ok(count),
        None => Ok(std::thread::available_parallelism().map_or(1, usize::from)),
    }
}

/// What is left to do of a chain: the blocks from the first that is not done, which begins where the one before it ended.
fn open(plan: &Plan, names: &Names, store: Option<&Store>, blocks: Range<u64>) -> Result<Chain, Error> {
    let Some(store) = store else { return Ok(Chain { blocks, carried: None }) };
    let first = first_open(store, blocks.clone());
    let carried = match first > blocks.start && first < blocks.end {
        true => read(store, first - 1, names, plan)?.carries(),
        false => None,
    };
    Ok(Chain { blocks: first..blocks.end, carried })
}

/// The first block that is not done, or the end.
pub(crate) fn first_open(store: &Store, mut blocks: Range<u64>) -> u64 {
    let end = blocks.end;
    blocks.find(|&block| !store.is_done(block)).unwrap_or(end)
}

const MEMORY: &str = "more was found than is kept in memory; a folder for the tables has no such limit";

fn tasks(plan: &Plan, block: u64) -> u64 {
    let range = plan.block(block);
    range.end - range.start
}

/// The numbers that a task found.
fn size(outcome: &saltation_sweep::Outcome) -> u64 {
    let states = outcome.last.as_ref().map_or(1, |(state, _)| state.len());
    (outcome.returns.len() * states + 2 * outcome.impacts.len() + 8 * states) as u64
}
