//! Joins the parts of a plan to one store, file by file, with the bytes of a sweep that was never parted.

use crate::store::description::{FILE, QUESTION, differences};
use crate::store::disk::{Disk, RealDisk};
use crate::store::error::StoreError;
use crate::store::folder::Store;
use crate::store::layout::Layout;
use crate::store::part::Part;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Joins the sweeps in these folders, which are the parts of one plan, to a sweep in another folder. Files beside those of the blocks are not
/// joined. Repeated after an interruption, it copies the missing blocks only.
///
/// ```
/// use saltation_sweep::store::{Format, Layout, Part, Store, merge};
/// use saltation_sweep::table::{Column, Frame};
/// use serde_json::json;
/// # let folder = std::env::temp_dir().join(format!("saltation-merge-example-{}", std::process::id()));
/// let block = |x: f64| [Frame::new("tasks", [("x", Column::Numbers(vec![x]))])];
/// let mut folders = Vec::new();
/// for part in ["1/2", "2/2"] {
///     let tables = block(0.0).iter().map(Frame::emptied).collect();
///     let layout = Layout { format: Format::Csv, blocks: 5, chain: 1, part: part.parse().unwrap(), tables };
///     let here = folder.join(format!("part-{}", layout.part.number()));
///     let mut store = Store::begin(&here, &json!({"model": "ball"}), &layout)?;
///     for number in layout.part.blocks(5) {
///         store.write(number, &layout.encode(&block(number as f64))?)?;
///     }
///     folders.push(here);
/// }
/// let whole = merge(&folders, &folder.join("whole"))?;
/// assert_eq!(whole.done(), 5);
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<(), saltation_sweep::store::StoreError>(())
/// ```
///
/// # Errors
/// If the sweeps are of different plans, share blocks, are not finished, or are not the whole plan; if a file cannot be read or written, or is
/// damaged; if the new folder holds something else.
pub fn merge(folders: &[PathBuf], into: &Path) -> Result<Store, StoreError> {
    merge_on(Arc::new(RealDisk), folders, into)
}

/// The same, writing to this disk.
pub(super) fn merge_on(disk: Arc<dyn Disk>, folders: &[PathBuf], into: &Path) -> Result<Store, StoreError> {
    check_folders(folders, into)?;
    let parts = folders.iter().map(|folder| part(folder)).collect::<Result<Vec<Store>, _>>()?;
    let Some(first) = parts.first() else { return Err(StoreError::Nothing) };
    check_parts(first, &parts)?;
    let layout = Layout { part: Part::WHOLE, ..first.layout().clone() };
    let mut whole = match Store::begin_on(disk.clone(), into, first.description(), &layout) {
        Err(StoreError::Occupied { .. }) => Store::resume_on(disk, into, first.description(), &layout)?,
        begun => begun?,
    };
    for part in &parts {
        for block in part.layout().own() {
            if !whole.is_done(block) {
                whole.write(block, &part.encoded(block)?)?;
            }
        }
    }
    Ok(whole)
}

/// The part in a folder.
fn part(folder: &Path) -> Result<Store, StoreError> {
    Store::open(folder).map_err(|error| match error {
        StoreError::NoSweep { folder } => {
            let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path());
            let mut parts: Vec<PathBuf> = entries.filter(|path| path.join(FILE).is_file()).collect();
            parts.sort();
            StoreError::NoPart { folder, parts }
        }
        other => other,
    })
}

/// Refuses folders that are named twice, and a new folder that is one of them.
fn check_folders(folders: &[PathBuf], into: &Path) -> Result<(), StoreError> {
    let real: Vec<PathBuf> = folders.iter().map(|folder| real(folder)).collect();
    let target = self::real(into);
    for (place, folder) in folders.iter().enumerate() {
        if real[..place].contains(&real[place]) {
            return Err(StoreError::Twice { folder: folder.clone() });
        }
        if target.starts_with(&real[place]) {
            return Err(StoreError::Inside { folder: folder.clone() });
        }
    }
    Ok(())
}

/// The path of a folder without links, also of one that does not exist yet.
fn real(folder: &Path) -> PathBuf {
    let absolute = std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf());
    let known = absolute.ancestors().find_map(|above| {
        let rest = absolute.strip_prefix(above).ok()?;
        Some(above.canonicalize().ok()?.join(rest))
    });
    known.unwrap_or(absolute)
}

/// Refuses sweeps that are not the finished parts of one plan.
fn check_parts(first: &Store, parts: &[Store]) -> Result<(), StoreError> {
    let blocks = first.layout().blocks;
    for (place, part) in parts.iter().enumerate() {
        let folders = |other: &Store| (other.folder().to_path_buf(), part.folder().to_path_buf());
        let differences = differences(first.whole(), part.whole(), false);
        let question = |store: &Store| store.whole().get(QUESTION).and_then(|name| name.as_str().map(str::to_string));
        if let Some(questions) = question(first).zip(question(part)).filter(|(a, b)| a != b) {
            return Err(StoreError::OtherQuestion { folders: folders(first), questions });
        }
        if !differences.is_empty() {
            return Err(StoreError::OtherPlan { folders: folders(first), differences });
        }
        if let Some(other) =
            parts[..place].iter().find(|other| other.layout().part.meets(part.layout().part, first.layout().chains()))
        {
            return Err(StoreError::Overlap {
                folders: folders(other),
                parts: (other.layout().part, part.layout().part),
            });
        }
    }
    let held: u64 = parts.iter().map(|part| part.layout().own().count() as u64).sum();
    if held < blocks {
        return Err(StoreError::Incomplete { missing: absent(first, parts, blocks - held) });
    }
    for part in parts {
        let missing = part.missing().count() as u64;
        if missing > 0 {
            return Err(StoreError::Unfinished { folder: part.folder().to_path_buf(), missing });
        }
    }
    Ok(())
}

/// What is missing in words: parts, if all parts are of the same number of parts, otherwise blocks.
fn absent(first: &Store, parts: &[Store], blocks: u64) -> String {
    let of = first.layout().part.of();
    let numbers: Vec<u64> = parts.iter().map(|part| part.layout().part.number()).collect();
    if parts.iter().any(|part| part.layout().part.of() != of) {
        let are = if blocks == 1 { "is" } else { "are" };
        return format!("{blocks} of its {} blocks {are} missing", first.layout().blocks);
    }
    const SHOWN: usize = 8;
    let missing = (1..=of).filter(|number| !numbers.contains(number));
    let shown: Vec<String> = missing.take(SHOWN).map(|number| format!("{number}/{of}")).collect();
    let rest = (of - numbers.len() as u64).saturating_sub(shown.len() as u64);
    let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    match (&shown[..], rest) {
        ([part], 0) => format!("part {part} is missing"),
        _ => format!("the parts {}{more} are missing", shown.join(", ")),
    }
}
