//! Writes files in existing folders: each is created anew and never written through a link.

use crate::store::Destination;
use serde_json::Value;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Component, Path, PathBuf};

/// Prepares a folder for a new run: the files that its `run.json` lists are removed, so that tables of the previous run are not mistaken for
/// those of this run. All other files are kept, and so are those that the command names, because it may read them.
///
/// # Errors
/// If the folder cannot be created, or a file in it cannot be removed.
pub(crate) fn prepare(destination: &Destination) -> io::Result<()> {
    let folder = &destination.folder;
    fs::create_dir_all(folder)?;
    let described = folder.join("run.json");
    let is_file = fs::symlink_metadata(&described).is_ok_and(|entry| entry.is_file());
    let run = if is_file { fs::read_to_string(&described).ok() } else { None };
    let run: Option<Value> = run.and_then(|text| serde_json::from_str(&text).ok());
    // The version distinguishes a description of this program from another file of the same name.
    let run = run.filter(|run| run["version"].is_string());
    if run.is_some() && is_page(&folder.join(crate::report_page::FILE)) {
        // The page of the previous run would be mistaken for that of this run.
        remove(&folder.join(crate::report_page::FILE))?;
    }
    let files = run.as_ref().and_then(|run| run["files"].as_array()).into_iter().flatten().filter_map(Value::as_str);
    let named = named(&destination.command);
    let old = files.filter(|name| is_plain(name)).map(|name| folder.join(name));
    old.filter(|file| !named.contains(&file.canonicalize().unwrap_or_default())).try_for_each(|file| remove(&file))
}

/// Whether a file is a page that was made of a run.
fn is_page(file: &Path) -> bool {
    const HEAD: u64 = 2048;
    let mut begin = Vec::new();
    let read = File::open(file).and_then(|file| file.take(HEAD).read_to_end(&mut begin));
    let mark = b"<meta name=\"generator\" content=\"saltation ";
    read.is_ok() && begin.windows(mark.len()).any(|part| part == mark)
}

/// The files that the command names.
fn named(command: &[String]) -> Vec<PathBuf> {
    let values = command.iter().map(|argument| match argument.split_once('=') {
        Some((flag, value)) if flag.starts_with("--") => PathBuf::from(value),
        _ => PathBuf::from(argument),
    });
    values.filter_map(|path| path.canonicalize().ok()).collect()
}

/// Whether a name stands for a file in the folder itself.
pub(crate) fn is_plain(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None))
}

/// Removes a file or a link, whatever it points to; nothing if there is none.
fn remove(file: &Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// A new file in place of any other of its name.
pub(crate) fn create(file: &Path) -> io::Result<File> {
    remove(file)?;
    File::create_new(file)
}

/// Writes a file completely or not at all.
pub(crate) fn replace(folder: &Path, name: &str, text: &str) -> io::Result<()> {
    replace_all(folder, &[(name.to_string(), text.to_string())])
}

/// Writes several files, all of them or, as far as the disk allows, none.
pub fn replace_all(folder: &Path, files: &[(String, String)]) -> io::Result<()> {
    let parts: Vec<PathBuf> = files.iter().map(|(name, _)| folder.join(format!(".{name}.part"))).collect();
    let written = files.iter().zip(&parts).try_for_each(|((_, text), part)| create(part)?.write_all(text.as_bytes()));
    if written.is_err() {
        // Temporary parts that cannot be removed are harmless.
        parts.iter().for_each(|part| drop(remove(part)));
        return written;
    }
    files.iter().zip(&parts).try_for_each(|((name, _), part)| fs::rename(part, folder.join(name)))
}
