//! Folders and files: writes answers and reads them again.

pub(crate) mod files;
pub(crate) mod folder;
pub(crate) mod stored;

use std::path::{Path, PathBuf};

/// The folder of a run, and the command from which it can be repeated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Destination {
    /// The folder.
    pub folder: PathBuf,
    /// The words of the command; empty for a program. The files that they name are not removed.
    pub command: Vec<String>,
}

impl Destination {
    /// A folder.
    pub fn new(folder: impl AsRef<Path>) -> Destination {
        Destination { folder: folder.as_ref().to_path_buf(), command: Vec::new() }
    }
}
