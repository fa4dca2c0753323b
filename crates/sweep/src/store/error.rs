//! What can be wrong with a store: one sentence on what and where, and one on what to do.

use crate::store::part::Part;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// The entry of a description that says that results have the same bits on every processor.
const PORTABLE: &str = "portable";

/// The fault of a Parquet file of earlier versions, which a library in C compressed, in a program without it.
pub(super) const ZSTD: &str = "it is compressed by zstd";

/// A store that cannot be begun, resumed, read, written or joined with others.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// A file or folder that cannot be read.
    #[error("`{}` cannot be read: {error}", .file.display())]
    Unreadable {
        /// The file or folder.
        file: PathBuf,
        /// What the system says.
        #[source]
        error: io::Error,
    },
    /// A file or folder that cannot be written, for instance because the disk is full.
    #[error("`{}` cannot be written: {error}", .file.display())]
    Unwritable {
        /// The file or folder.
        file: PathBuf,
        /// What the system says.
        #[source]
        error: io::Error,
    },
    /// A folder for a new sweep that holds one.
    #[error("the folder `{}` holds a sweep already", .folder.display())]
    Occupied {
        /// The folder.
        folder: PathBuf,
    },
    /// A file at a place of a sweep that is not of this sweep.
    #[error("`{}` is not of this sweep: {reason}", .file.display())]
    Foreign {
        /// The file.
        file: PathBuf,
        /// Why.
        reason: String,
    },
    /// A folder without a sweep.
    #[error("the folder `{}` holds no sweep: it has no run.json", .folder.display())]
    NoSweep {
        /// The folder.
        folder: PathBuf,
    },
    /// A file that is cut or changed.
    #[error("`{}` is damaged: {reason}", .file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// How this is known.
        reason: String,
    },
    /// Two descriptions of one sweep that differ.
    #[error("the sweep in `{}` is another one: {}", .folder.display(), listed(.differences, Difference::to_string))]
    Another {
        /// The folder of the sweep.
        folder: PathBuf,
        /// The entries that differ.
        differences: Vec<Difference>,
    },
    /// A layout, a table, a block or a file that a store cannot have: a mistake of the program that uses it.
    #[error("{what}")]
    Misfit {
        /// What does not fit.
        what: String,
    },
    /// Parquet in a program that was built without it.
    #[error("this program was built without Parquet")]
    NoParquet,
    /// Parquet of an earlier version, compressed by zstd, in a program that was built without it.
    #[error("`{}` is compressed by zstd, as earlier versions did", .file.display())]
    Zstd {
        /// The file.
        file: PathBuf,
    },
    /// A sweep without some of its blocks.
    #[error("the sweep in `{}` lacks {missing} of its blocks", .folder.display())]
    Unfinished {
        /// The folder of the sweep.
        folder: PathBuf,
        /// The number of missing blocks.
        missing: u64,
    },
    /// Sweeps to join that are parts of different plans.
    #[error("the sweeps in `{}` and `{}` are of different plans: {}", .folders.0.display(), .folders.1.display(), listed(.differences, Difference::beside))]
    OtherPlan {
        /// Their folders.
        folders: (PathBuf, PathBuf),
        /// The entries that differ, then in the first and now in the second.
        differences: Vec<Difference>,
    },
    /// A folder to join that holds no part, with the folders in it that do.
    #[error("the folder `{}` holds no part of a sweep: it has no run.json{}", .folder.display(), within(.parts))]
    NoPart {
        /// The folder.
        folder: PathBuf,
        /// The folders in it with parts.
        parts: Vec<PathBuf>,
    },
    /// Parts of different questions.
    #[error("`{}` holds a part of a {}, and `{}` one of a {}", .folders.0.display(), .questions.0, .folders.1.display(), .questions.1)]
    OtherQuestion {
        /// Their folders.
        folders: (PathBuf, PathBuf),
        /// The questions.
        questions: (String, String),
    },
    /// No sweeps to join.
    #[error("there are no sweeps to join")]
    Nothing,
    /// A folder to join that is named twice.
    #[error("the folder `{}` is named twice", .folder.display())]
    Twice {
        /// The folder.
        folder: PathBuf,
    },
    /// A joined sweep in a folder of one of its parts.
    #[error("the joined sweep cannot be in `{}`, which is one of its parts", .folder.display())]
    Inside {
        /// The folder of the part.
        folder: PathBuf,
    },
    /// Two parts with the same block.
    #[error("the sweeps in `{}` and `{}` share blocks: their parts are {} and {}", .folders.0.display(), .folders.1.display(), .parts.0, .parts.1)]
    Overlap {
        /// Their folders.
        folders: (PathBuf, PathBuf),
        /// Their parts.
        parts: (Part, Part),
    },
    /// Parts that are not the whole plan.
    #[error("the sweeps are not the whole plan: {missing}")]
    Incomplete {
        /// What is missing.
        missing: String,
    },
}

impl StoreError {
    /// What to do about it, in one sentence.
    pub fn help(&self) -> &'static str {
        match self {
            StoreError::Unreadable { .. } => "check that the file is there and may be read",
            StoreError::Unwritable { error, .. } if is_full(error) => {
                "free some space and finish the sweep with --resume: all that was committed is kept"
            }
            StoreError::Unwritable { .. } => "check that the folder may be written, or choose another one",
            StoreError::Occupied { .. } => "finish it with --resume, or choose another folder",
            StoreError::Foreign { .. } => "choose another folder, or move the file away",
            StoreError::NoSweep { .. } => "begin a sweep there without --resume, or name the folder of a sweep",
            StoreError::Damaged { .. } => "finish its sweep with --resume, which computes damaged blocks again",
            StoreError::Another { differences, .. } | StoreError::OtherPlan { differences, .. }
                if differences.iter().any(|difference| difference.entry == PORTABLE) =>
            {
                "all of a sweep has the same digits: compute it with --portable everywhere, or nowhere"
            }
            StoreError::Another { .. } => "use the same model and settings, or choose another folder",
            StoreError::Misfit { .. } => "write the tables and blocks that the layout of the store announces",
            StoreError::NoParquet => "choose CSV, or build it with the feature `parquet`",
            StoreError::Zstd { .. } => {
                "build the program with `--features zstd` to read it or to go on with it; data frames read it as it is"
            }
            StoreError::Unfinished { .. } => "finish it with --resume",
            StoreError::OtherPlan { .. } => "name the folders of the parts of one plan",
            StoreError::NoPart { parts, .. } if parts.is_empty() => "name folders that were written with --part",
            StoreError::NoPart { .. } => "name the folders of the parts one by one",
            StoreError::OtherQuestion { .. } => "join the parts of sweeps and of basins separately",
            StoreError::Nothing => "name the folders of all parts of a plan",
            StoreError::Twice { .. } => "name every part once",
            StoreError::Inside { .. } => "choose a new folder",
            StoreError::Overlap { .. } => "join the parts 1/N to N/N of one plan",
            StoreError::Incomplete { .. } => "compute the missing parts and name them too",
        }
    }
}

/// Whether a disk is full, or the share of it that a user has.
fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

/// An entry of a description that has another value than expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Its path, such as `model.fingerprint`.
    pub entry: String,
    /// The stored value, shortened.
    pub then: String,
    /// The expected value, shortened.
    pub now: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` was {} and is now {}", self.entry, self.then, self.now)
    }
}

impl Difference {
    /// The same in words for two sweeps, none of which is earlier.
    fn beside(&self) -> String {
        format!("`{}` is {} in the first and {} in the second", self.entry, self.then, self.now)
    }
}

/// The parts within a folder in words.
fn within(parts: &[PathBuf]) -> String {
    const SHOWN: usize = 4;
    let names: Vec<String> = parts.iter().take(SHOWN).map(|part| format!("`{}`", part.display())).collect();
    match parts.len() {
        0 => String::new(),
        1 => format!("; the folder {} in it does", names[0]),
        n if n > SHOWN => format!("; the folders {} and {} more in it do", names.join(", "), n - SHOWN),
        _ => format!("; the folders {} in it do", names.join(", ")),
    }
}

/// The first differences in words, and the number of others.
fn listed(differences: &[Difference], words: fn(&Difference) -> String) -> String {
    const SHOWN: usize = 5;
    let mut list: Vec<String> = differences.iter().take(SHOWN).map(words).collect();
    if differences.len() > SHOWN {
        list.push(format!("{} more", differences.len() - SHOWN));
    }
    list.join("; ")
}
