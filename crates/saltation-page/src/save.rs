//! Files that are saved from the page: into the folder that was named at the start, under plain names.

use crate::reply::Fault;
use hyper::StatusCode;
use std::path::{Path, PathBuf};

/// The longest name.
const LONGEST: usize = 120;

/// Whether a name is that of a file in a folder: letters, digits, spaces and `-_.`, not hidden.
fn is_plain(name: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || "-_. ".contains(c);
    !name.is_empty()
        && name.len() <= LONGEST
        && !name.starts_with(['.', ' '])
        && !name.ends_with([' ', '.'])
        && name.chars().all(plain)
}

/// Writes a file, whole or not at all.
///
/// # Errors
/// Without a folder, with a name that is not plain, or where it cannot be written.
pub(crate) fn save(folder: Option<&Path>, name: &str, contents: Vec<u8>) -> Result<PathBuf, Fault> {
    let Some(folder) = folder else {
        let help = "start the page with --out FOLDER, or download the file";
        return Err(Fault::new(StatusCode::FORBIDDEN, "no folder was named at the start", help));
    };
    if !is_plain(name) {
        let message = format!("`{}` is not the name of a file in the folder", saltation::cut(name));
        let help = "use letters, digits, spaces and - _ . only";
        return Err(Fault::new(StatusCode::FORBIDDEN, &message, help));
    }
    let path = folder.join(name);
    let partial = folder.join(format!(".{name}.part"));
    let written = std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&partial, contents))
        .and_then(|()| std::fs::rename(&partial, &path));
    match written {
        Ok(()) => Ok(path),
        Err(error) => {
            let message = format!("{} cannot be written: {error}", path.display());
            Err(Fault::new(
                StatusCode::CONFLICT,
                &message,
                "see whether the folder may be written, and whether the disk is full",
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_written_outside_the_folder() {
        for name in ["", ".", "..", "../x", "a/b", "a\\b", ".hidden", "a\0b", "x.", "C:x", &"a".repeat(121)] {
            assert!(!is_plain(name), "{name:?}");
        }
        assert!(is_plain("branch 1.svg") && is_plain("ähre.json"));
        assert_eq!(save(None, "a", Vec::new()).unwrap_err().status, StatusCode::FORBIDDEN);
    }
}
