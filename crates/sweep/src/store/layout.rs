//! The layout of a store: its format, its blocks and the columns of its tables, and from these the names of all files.

use crate::store::error::StoreError;
use crate::store::format::Format;
use crate::store::part::Part;
use crate::table::Frame;
use std::collections::HashSet;

/// The most blocks of a plan.
const MOST_BLOCKS: u64 = 100_000_000;

/// The layout of a store.
///
/// ```
/// use saltation_sweep::store::{Format, Layout, Part};
/// use saltation_sweep::table::{Column, Frame};
/// let tasks = Frame::new("tasks", [("task", Column::Counts(vec![]))]);
/// let returns = Frame::new("returns", [("task", Column::Counts(vec![])), ("x", Column::Numbers(vec![]))]);
/// let layout = Layout { format: Format::Csv, blocks: 10, chain: 1, part: Part::WHOLE, tables: vec![tasks, returns] };
/// assert_eq!(layout.file(3), "00003.csv");
/// assert_eq!(layout.block("00003.csv"), Some(3));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// The format of all tables.
    pub format: Format,
    /// The number of blocks of the whole plan.
    pub blocks: u64,
    /// The number of successive blocks that are computed one after another and belong to one part; 1 where blocks are independent.
    pub chain: u64,
    /// The part of them that belongs to the store.
    pub part: Part,
    /// The tables of every block, without rows. The first is written last and commits the block.
    pub tables: Vec<Frame>,
}

/// The tables of a block as bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encoded {
    pub(super) tables: Vec<Vec<u8>>,
}

impl Encoded {
    /// Tables that were encoded before, perhaps on another machine, in the order of the layout.
    pub fn new(tables: Vec<Vec<u8>>) -> Encoded {
        Encoded { tables }
    }

    /// The bytes of every table, in the order of the layout.
    pub fn tables(&self) -> &[Vec<u8>] {
        &self.tables
    }

    /// The number of bytes.
    pub fn size(&self) -> usize {
        self.tables.iter().map(Vec::len).sum()
    }
}

impl Layout {
    /// The tables of a block as bytes. This is pure computation, which many threads can do at once.
    ///
    /// # Errors
    /// If the tables have other names or columns than those of the layout, or columns of different lengths.
    pub fn encode(&self, frames: &[Frame]) -> Result<Encoded, StoreError> {
        self.format.available()?;
        let forms: Vec<Frame> = frames.iter().map(Frame::emptied).collect();
        if forms != self.tables {
            let named = |frames: &[Frame]| frames.iter().map(outline).collect::<Vec<_>>().join(", ");
            let what = format!("the tables of a block are {} instead of {}", named(frames), named(&self.tables));
            return Err(StoreError::Misfit { what });
        }
        let tables = frames.iter().map(|frame| {
            let table = |what: String| StoreError::Misfit { what: format!("the table `{}` {what}", frame.name) };
            if frame.columns.iter().any(|(_, column)| column.len() != frame.rows()) {
                return Err(table("has columns of different lengths".to_string()));
            }
            self.format.encode(frame).map_err(|reason| table(format!("cannot be written: {reason}")))
        });
        Ok(Encoded { tables: tables.collect::<Result<_, _>>()? })
    }

    /// The tables that these bytes hold, examined completely.
    ///
    /// # Errors
    /// If they are not those of a block of this layout, or are damaged.
    pub fn decode(&self, encoded: &Encoded) -> Result<Vec<Frame>, StoreError> {
        self.format.available()?;
        if encoded.tables.len() != self.tables.len() {
            let what = format!("a block has {} tables instead of {}", encoded.tables.len(), self.tables.len());
            return Err(StoreError::Misfit { what });
        }
        let table = |(bytes, form): (&Vec<u8>, &Frame)| {
            let misfit =
                |reason| StoreError::Misfit { what: format!("the table `{}` is damaged: {reason}", form.name) };
            self.format.decode(bytes, form).map_err(misfit)
        };
        encoded.tables.iter().zip(&self.tables).map(table).collect()
    }

    /// The name of the files of a block.
    pub fn file(&self, block: u64) -> String {
        let digits = self.blocks.saturating_sub(1).checked_ilog10().map_or(1, |digits| digits as usize + 1);
        format!("{block:0width$}.{}", self.format.ending(), width = digits.max(5))
    }

    /// The block of a file of this name; nothing if it is not a name of a block of this part.
    pub fn block(&self, file: &str) -> Option<u64> {
        let block = file.strip_suffix(self.format.ending())?.strip_suffix('.')?.parse().ok()?;
        (self.holds(block) && self.file(block) == file).then_some(block)
    }

    /// The number of chains.
    pub(super) fn chains(&self) -> u64 {
        self.blocks.div_ceil(self.chain.max(1))
    }

    /// The blocks of the part, in order.
    pub fn own(&self) -> impl Iterator<Item = u64> + use<> {
        let (chain, blocks) = (self.chain.max(1), self.blocks);
        self.part.blocks(self.chains()).flat_map(move |k| k * chain..((k + 1) * chain).min(blocks))
    }

    /// Whether a block belongs to the part.
    pub fn holds(&self, block: u64) -> bool {
        block < self.blocks && self.part.holds(block / self.chain.max(1))
    }

    /// Refuses layouts that no store can have.
    pub(super) fn check(&self) -> Result<(), String> {
        if self.tables.is_empty() {
            return Err("a store needs a table".to_string());
        }
        if self.blocks > MOST_BLOCKS {
            return Err(format!("a plan has at most {MOST_BLOCKS} blocks, not {}", self.blocks));
        }
        let mut tables = HashSet::new();
        for frame in &self.tables {
            let name = &frame.name;
            if name.is_empty()
                || !name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
            {
                return Err(format!("`{name}` is not a name of a table: only a to z, 0 to 9 and _ are"));
            }
            if !tables.insert(name) {
                return Err(format!("two tables have the name `{name}`"));
            }
            let mut columns = HashSet::new();
            if let Some((twice, _)) = frame.columns.iter().find(|(column, _)| !columns.insert(column)) {
                return Err(format!("two columns of the table `{name}` have the name `{twice}`"));
            }
            if frame.columns.is_empty() {
                return Err(format!("the table `{name}` has no columns"));
            }
        }
        Ok(())
    }
}

/// A table in words: its name and columns.
fn outline(frame: &Frame) -> String {
    let columns: Vec<&str> = frame.columns.iter().map(|(name, _)| name.as_str()).collect();
    format!("{} ({})", frame.name, columns.join(", "))
}
