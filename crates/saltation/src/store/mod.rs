//! Folders and files: answers that are written, and read again.

pub mod files;
pub mod folder;
pub mod stored;

use std::path::{Path, PathBuf};

/// Where a run is written, and by which command: what is enough to repeat it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Destination {
    /// The folder.
    pub folder: PathBuf,
    /// The words of the command that asked; empty for a program. The files that they name are not removed.
    pub command: Vec<String>,
}

impl Destination {
    /// A folder.
    pub fn new(folder: impl AsRef<Path>) -> Destination {
        Destination { folder: folder.as_ref().to_path_buf(), command: Vec::new() }
    }
}
