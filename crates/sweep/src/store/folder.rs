//! The folder of a sweep: begun or resumed, then written block by block, and read.

use crate::store::blocks::Blocks;
use crate::store::description::{self, FILE, compose, differences, parse};
use crate::store::disk::{Disk, RealDisk, is_leftover, replace};
use crate::store::error::{StoreError, ZSTD};
use crate::store::layout::{Encoded, Layout};
use crate::table::Frame;
use serde_json::Value;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The bytes at the end of a file that tell whether it is whole.
const TAIL: u64 = 1 << 16;

/// The place of the table whose file commits a block.
const COMMITS: usize = 0;

/// A sweep in a folder.
///
/// ```
/// use saltation_sweep::store::{Format, Layout, Part, Store};
/// use saltation_sweep::table::{Column, Frame};
/// use serde_json::json;
/// # let folder = std::env::temp_dir().join(format!("saltation-store-example-{}", std::process::id()));
/// let block = |x: f64| [Frame::new("tasks", [("x", Column::Numbers(vec![x]))])];
/// let tables = block(0.0).iter().map(Frame::emptied).collect();
/// let layout = Layout { format: Format::Csv, blocks: 2, chain: 1, part: Part::WHOLE, tables };
/// let description = json!({"model": "ball"});
///
/// let mut store = Store::begin(&folder, &description, &layout)?;
/// store.write(0, &layout.encode(&block(0.5))?)?;
/// drop(store);
///
/// let mut store = Store::resume(&folder, &description, &layout)?;
/// assert_eq!(store.missing().collect::<Vec<_>>(), [1]);
/// store.write(1, &layout.encode(&block(1.5))?)?;
/// assert_eq!(Store::open(&folder)?.read(1, "tasks")?, block(1.5)[0]);
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<(), saltation_sweep::store::StoreError>(())
/// ```
#[derive(Debug)]
pub struct Store {
    disk: Arc<dyn Disk>,
    folder: PathBuf,
    whole: Value,
    description: Value,
    layout: Layout,
    done: Blocks,
    damaged: Vec<PathBuf>,
}

impl Store {
    /// A new sweep in a folder, which is created if it is missing. The description is an object of all that determines the results.
    ///
    /// # Errors
    /// If the folder holds a sweep already or other files where its tables are to be, cannot be written, or the description or the layout
    /// cannot be stored.
    pub fn begin(folder: &Path, description: &Value, layout: &Layout) -> Result<Store, StoreError> {
        Store::begin_on(Arc::new(RealDisk), folder, description, layout)
    }

    /// Continues a sweep. The remains of an interruption are removed; damaged blocks are given up and are missing again.
    ///
    /// # Errors
    /// If the folder holds no sweep, another one than described, or files that are not of it; if it cannot be read or written.
    pub fn resume(folder: &Path, description: &Value, layout: &Layout) -> Result<Store, StoreError> {
        Store::resume_on(Arc::new(RealDisk), folder, description, layout)
    }

    /// A sweep to be read. Nothing is changed, and the files are not examined before they are read.
    ///
    /// # Errors
    /// If the folder holds no sweep, or files that are not of it, or cannot be read.
    pub fn open(folder: &Path) -> Result<Store, StoreError> {
        Store::open_on(Arc::new(RealDisk), folder)
    }

    pub(super) fn begin_on(
        disk: Arc<dyn Disk>,
        folder: &Path,
        description: &Value,
        layout: &Layout,
    ) -> Result<Store, StoreError> {
        let whole = compose(description, layout)?;
        layout.format.available()?;
        disk.create_folder(folder).map_err(unwritable(folder))?;
        let file = folder.join(FILE);
        match disk.read(&file) {
            Ok(text) => match parse(&text) {
                Ok(_) => return Err(StoreError::Occupied { folder: folder.to_path_buf() }),
                Err(reason) => return Err(StoreError::Foreign { file, reason }),
            },
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(unreadable(&file)(error)),
            Err(_) => {}
        }
        for frame in &layout.tables {
            let table = folder.join(&frame.name);
            let mut foreign = None;
            each_name(&*disk, &table, |name| {
                if !name.starts_with('.') {
                    foreign = Some(name.to_string());
                }
            })?;
            if let Some(name) = foreign {
                let reason = "it is in the folder of a table of the new sweep".to_string();
                return Err(StoreError::Foreign { file: table.join(name), reason });
            }
        }
        replace(&*disk, &file, description::text(&whole).as_bytes()).map_err(unwritable(&file))?;
        let (description, layout, folder) = (description.clone(), layout.clone(), folder.to_path_buf());
        let done = Blocks::none(layout.blocks);
        let store = Store { disk, folder, whole, description, layout, done, damaged: Vec::new() };
        store.create_tables()?;
        Ok(store)
    }

    pub(super) fn resume_on(
        disk: Arc<dyn Disk>,
        folder: &Path,
        description: &Value,
        layout: &Layout,
    ) -> Result<Store, StoreError> {
        let now = compose(description, layout)?;
        let mut store = Store::described(disk, folder)?;
        let differences = differences(&store.whole, &now, true);
        if !differences.is_empty() {
            return Err(StoreError::Another { folder: folder.to_path_buf(), differences });
        }
        store.create_tables()?;
        let leftovers = store.survey()?;
        for file in leftovers {
            store.disk.remove(&file).map_err(unwritable(&file))?;
        }
        store.examine()?;
        Ok(store)
    }

    pub(super) fn open_on(disk: Arc<dyn Disk>, folder: &Path) -> Result<Store, StoreError> {
        let mut store = Store::described(disk, folder)?;
        store.survey()?;
        Ok(store)
    }

    /// The store of a folder with its description, of which nothing is known to be done.
    fn described(disk: Arc<dyn Disk>, folder: &Path) -> Result<Store, StoreError> {
        let (file, folder) = (folder.join(FILE), folder.to_path_buf());
        let text = disk.read(&file).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => StoreError::NoSweep { folder: folder.clone() },
            _ => unreadable(&file)(error),
        })?;
        let (whole, description, layout) = parse(&text).map_err(|reason| StoreError::Foreign { file, reason })?;
        layout.format.available()?;
        let done = Blocks::none(layout.blocks);
        Ok(Store { disk, folder, whole, description, layout, done, damaged: Vec::new() })
    }

    fn create_tables(&self) -> Result<(), StoreError> {
        self.layout
            .tables
            .iter()
            .map(|frame| self.folder.join(&frame.name))
            .try_for_each(|table| self.disk.create_folder(&table).map_err(unwritable(&table)))
    }

    /// Notes the committed blocks and returns the files of an interruption.
    fn survey(&mut self) -> Result<Vec<PathBuf>, StoreError> {
        let Store { disk, folder, layout, done, .. } = self;
        let mut leftovers = Vec::new();
        each_name(&**disk, folder, |name| {
            if is_leftover(name) {
                leftovers.push(folder.join(name));
            }
        })?;
        for (place, frame) in layout.tables.iter().enumerate() {
            let table = folder.join(&frame.name);
            let mut foreign = None;
            each_name(&**disk, &table, |name| match layout.block(name) {
                Some(block) if place == COMMITS => done.add(block),
                Some(_) => {}
                None if is_leftover(name) => leftovers.push(table.join(name)),
                // Systems put hidden files of their own into folders.
                None if name.starts_with('.') => {}
                None => foreign = Some(name.to_string()),
            })?;
            if let Some(name) = foreign {
                let reason = "its name is not that of a block of this sweep".to_string();
                return Err(StoreError::Foreign { file: table.join(name), reason });
            }
        }
        Ok(leftovers)
    }

    /// Gives up the committed blocks that are not whole.
    fn examine(&mut self) -> Result<(), StoreError> {
        for block in self.layout.own() {
            if !self.done.has(block) {
                continue;
            }
            if let Some(file) = self.wound(block)? {
                let commit = self.file(block, COMMITS);
                self.disk.remove(&commit).map_err(unwritable(&commit))?;
                self.done.remove(block);
                self.damaged.push(file);
            }
        }
        Ok(())
    }

    /// The first file of a block that is missing or not whole.
    fn wound(&self, block: u64) -> Result<Option<PathBuf>, StoreError> {
        for (place, form) in self.layout.tables.iter().enumerate() {
            let file = self.file(block, place);
            match self.disk.tail(&file, TAIL) {
                Ok(tail) => match self.layout.format.intact(&tail, form) {
                    Ok(()) => {}
                    Err(reason) if reason == ZSTD => return Err(StoreError::Zstd { file }),
                    Err(_) => return Ok(Some(file)),
                },
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Some(file)),
                Err(error) => return Err(unreadable(&file)(error)),
            }
        }
        Ok(None)
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The description that it was begun with.
    pub fn description(&self) -> &Value {
        &self.description
    }

    /// Its layout.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The whole of `run.json`: the description with the layout.
    pub(super) fn whole(&self) -> &Value {
        &self.whole
    }

    /// The files for whose damage blocks were given up when the sweep was resumed.
    pub fn damaged(&self) -> &[PathBuf] {
        &self.damaged
    }

    /// Whether a block is committed.
    pub fn is_done(&self, block: u64) -> bool {
        self.done.has(block)
    }

    /// The number of committed blocks.
    pub fn done(&self) -> u64 {
        self.done.count()
    }

    /// The blocks of its part that are not committed, in order.
    pub fn missing(&self) -> impl Iterator<Item = u64> {
        self.layout.own().filter(|block| !self.done.has(*block))
    }

    /// Writes and commits a block. A committed block may be written again.
    ///
    /// # Errors
    /// If a file cannot be written, for instance because the disk is full; all other blocks stay as they are. If the block does not belong to
    /// the store.
    pub fn write(&mut self, block: u64, encoded: &Encoded) -> Result<(), StoreError> {
        if !self.layout.holds(block) || encoded.tables.len() != self.layout.tables.len() {
            let Layout { blocks, part, .. } = &self.layout;
            let what = format!("block {block} is not one of part {part} of {blocks} blocks of this sweep");
            return Err(StoreError::Misfit { what });
        }
        for (place, bytes) in encoded.tables.iter().enumerate().rev() {
            let file = self.file(block, place);
            replace(&*self.disk, &file, bytes).map_err(unwritable(&file))?;
        }
        self.done.add(block);
        Ok(())
    }

    /// A table of a committed block.
    ///
    /// # Errors
    /// If there is no such table or block, or its file cannot be read or is damaged.
    pub fn read(&self, block: u64, table: &str) -> Result<Frame, StoreError> {
        let Some(place) = self.layout.tables.iter().position(|frame| frame.name == table) else {
            let tables: Vec<&str> = self.layout.tables.iter().map(|frame| frame.name.as_str()).collect();
            let what = format!("there is no table `{table}` in this sweep, which has {}", tables.join(", "));
            return Err(StoreError::Misfit { what });
        };
        if !self.is_done(block) {
            return Err(StoreError::Misfit { what: format!("block {block} of this sweep is not written") });
        }
        Ok(self.table(block, place)?.1)
    }

    /// All tables of a committed block as bytes, each read completely before.
    ///
    /// # Errors
    /// If a file cannot be read or is damaged.
    pub fn encoded(&self, block: u64) -> Result<Encoded, StoreError> {
        let tables = (0..self.layout.tables.len()).map(|place| Ok(self.table(block, place)?.0));
        Ok(Encoded { tables: tables.collect::<Result<_, StoreError>>()? })
    }

    /// The table at a place of the layout: its bytes and its contents.
    fn table(&self, block: u64, place: usize) -> Result<(Vec<u8>, Frame), StoreError> {
        let file = self.file(block, place);
        let bytes = match self.disk.read(&file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(StoreError::Damaged { file, reason: "it is missing".to_string() });
            }
            bytes => bytes.map_err(unreadable(&file))?,
        };
        let frame = self.layout.format.decode(&bytes, &self.layout.tables[place]);
        match frame {
            Ok(frame) => Ok((bytes, frame)),
            Err(reason) if reason == ZSTD => Err(StoreError::Zstd { file }),
            Err(reason) => Err(StoreError::Damaged { file, reason }),
        }
    }

    /// Adds a small file of text to the folder of a complete sweep, in place of any other of its name.
    ///
    /// # Errors
    /// If blocks are missing, the name is that of a file of the store itself, or the file cannot be written.
    pub fn finish(&self, name: &str, text: &str) -> Result<(), StoreError> {
        let missing = self.missing().count() as u64;
        if missing > 0 {
            return Err(StoreError::Unfinished { folder: self.folder.clone(), missing });
        }
        let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
        let taken = name == FILE || self.layout.tables.iter().any(|frame| frame.name == name);
        if !plain || taken || name.is_empty() || name.starts_with('.') {
            return Err(StoreError::Misfit {
                what: format!("`{name}` is not a name for a file beside those of a sweep"),
            });
        }
        let file = self.folder.join(name);
        replace(&*self.disk, &file, text.as_bytes()).map_err(unwritable(&file))
    }

    /// The file of a table of a block.
    fn file(&self, block: u64, place: usize) -> PathBuf {
        self.folder.join(&self.layout.tables[place].name).join(self.layout.file(block))
    }
}

/// Calls a function with the name of each entry of a folder; with none if there is no folder.
fn each_name(disk: &dyn Disk, folder: &Path, mut each: impl FnMut(&str)) -> Result<(), StoreError> {
    match disk.names(folder, &mut each) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(unreadable(folder)(error)),
        _ => Ok(()),
    }
}

fn unreadable(file: &Path) -> impl Fn(io::Error) -> StoreError {
    let file = file.to_path_buf();
    move |error| StoreError::Unreadable { file: file.clone(), error }
}

fn unwritable(file: &Path) -> impl Fn(io::Error) -> StoreError {
    let file = file.to_path_buf();
    move |error| StoreError::Unwritable { file: file.clone(), error }
}
