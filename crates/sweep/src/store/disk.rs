//! All access of a store to the disk: files appear completely or not at all.

use std::fmt::Debug;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// What a store needs of a disk.
pub(super) trait Disk: Debug + Send + Sync {
    /// Creates a folder with those above it, if it is missing.
    fn create_folder(&self, folder: &Path) -> io::Result<()>;
    /// Writes a new file in place of any other, and waits until it is on the disk.
    fn write(&self, file: &Path, bytes: &[u8]) -> io::Result<()>;
    /// Gives a file another name in its folder, in place of any other file of that name.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Removes a file.
    fn remove(&self, file: &Path) -> io::Result<()>;
    /// The bytes of a file.
    fn read(&self, file: &Path) -> io::Result<Vec<u8>>;
    /// The end of a file: at most so many bytes.
    fn tail(&self, file: &Path, most: u64) -> io::Result<Tail>;
    /// Calls a function with the name of each entry of a folder.
    fn names(&self, folder: &Path, each: &mut dyn FnMut(&str)) -> io::Result<()>;
}

/// The end of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tail {
    /// The length of the whole file.
    pub length: u64,
    /// Its last bytes.
    pub bytes: Vec<u8>,
}

/// Writes a file under a hidden name, then renames it.
pub(super) fn replace(disk: &dyn Disk, file: &Path, bytes: &[u8]) -> io::Result<()> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let part = file.with_file_name(format!(".{name}.part"));
    disk.write(&part, bytes)?;
    disk.rename(&part, file)
}

/// Whether a name is that of a file that was not renamed.
pub(super) fn is_leftover(name: &str) -> bool {
    name.starts_with('.') && name.ends_with(".part")
}

/// The disk of this machine.
#[derive(Debug, Clone, Copy)]
pub(super) struct RealDisk;

impl Disk for RealDisk {
    fn create_folder(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        folder.parent().map_or(Ok(()), sync_folder)
    }

    fn write(&self, file: &Path, bytes: &[u8]) -> io::Result<()> {
        // A link of this name is removed, not followed.
        match fs::remove_file(file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut new = File::create_new(file)?;
        let written = new.write_all(bytes).and_then(|()| new.sync_all());
        if written.is_err() {
            // A part that cannot be removed is harmless, and is removed when the sweep is resumed.
            drop(fs::remove_file(file));
        }
        written
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)?;
        to.parent().map_or(Ok(()), sync_folder)
    }

    fn remove(&self, file: &Path) -> io::Result<()> {
        fs::remove_file(file)
    }

    fn read(&self, file: &Path) -> io::Result<Vec<u8>> {
        fs::read(file)
    }

    fn tail(&self, file: &Path, most: u64) -> io::Result<Tail> {
        let mut file = File::open(file)?;
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(most)))?;
        let mut bytes = Vec::new();
        file.take(most).read_to_end(&mut bytes)?;
        Ok(Tail { length, bytes })
    }

    fn names(&self, folder: &Path, each: &mut dyn FnMut(&str)) -> io::Result<()> {
        fs::read_dir(folder)?.try_for_each(|entry| {
            each(&entry?.file_name().to_string_lossy());
            Ok(())
        })
    }
}

/// Waits until the names in a folder are on the disk. Only systems that open folders as files know this.
fn sync_folder(folder: &Path) -> io::Result<()> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_and_its_end_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.csv");
        replace(&RealDisk, &file, b"first").unwrap();
        replace(&RealDisk, &file, b"second").unwrap();
        assert_eq!(RealDisk.read(&file).unwrap(), b"second");
        assert_eq!(RealDisk.tail(&file, 3).unwrap(), Tail { length: 6, bytes: b"ond".to_vec() });
        assert_eq!(RealDisk.tail(&file, 100).unwrap(), Tail { length: 6, bytes: b"second".to_vec() });
        let mut names = Vec::new();
        RealDisk.names(folder.path(), &mut |name| names.push(name.to_string())).unwrap();
        assert_eq!(names, ["a.csv"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let (target, file) = (folder.path().join("target"), folder.path().join("file"));
        fs::write(&target, "kept").unwrap();
        std::os::unix::fs::symlink(&target, &file).unwrap();
        RealDisk.write(&file, b"new").unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"kept");
    }

    #[test]
    fn leftovers_are_known_by_their_name() {
        assert!(is_leftover(".00000.csv.part"));
        assert!(!is_leftover("00000.csv.part") && !is_leftover(".hidden"));
    }
}
