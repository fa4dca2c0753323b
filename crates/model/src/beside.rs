//! The texts of files that stand beside a model.

use std::fs::File as Handle;
use std::io::{ErrorKind, Read};
use std::path::Path;

use crate::mistake::Mistake;
use crate::shape::Written;

/// A sort of file that a model may name, with the words for it.
pub(crate) struct Sort {
    /// How its name ends, with the point.
    pub ending: &'static str,
    /// Of what its name is one, e.g. `a Matrix Market file`.
    pub what: &'static str,
    /// The same in few words, e.g. `a matrix file`.
    pub short: &'static str,
    /// What to write instead of another name.
    pub instead: &'static str,
    /// What to do where the model stands in no folder.
    pub save: &'static str,
    /// What to do where it is too long.
    pub shorter: &'static str,
    /// As what to save it where it is no text.
    pub text: &'static str,
    /// The greatest length, in bytes.
    pub longest: u64,
}

/// The text of a file beside the model.
///
/// # Errors
/// Another name than such a file has, a model that stands in no folder, and a file that cannot be read.
pub(crate) fn text(folder: Option<&Path>, written: &Written, sort: &Sort) -> Result<String, Mistake> {
    let name = written.text.as_str();
    let refuse = |message: String, help: &str| Err(Mistake::at(written.inside(), message).help(help));
    let Sort { ending, what, short, longest, .. } = *sort;
    if !name.ends_with(ending) {
        let message = format!("`{name}` is no name of {what}, which ends in {ending}");
        return refuse(message, sort.instead);
    }
    if name.contains(['/', '\\', ':', '\0']) {
        let message = format!("`{name}` leads to another folder, but a model names only files beside it");
        return refuse(message, "put the file into the folder of the model and write its name alone");
    }
    let Some(folder) = folder else {
        let message = format!("this model was not read from a file, so that `{name}` does not stand beside it");
        return refuse(message, sort.save);
    };
    let path = folder.join(name);
    let unread = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound => {
            let mistake = Mistake::at(written.inside(), format!("there is no file `{name}` beside the model"));
            mistake.help("check its name, and put it into the folder of the model")
        }
        _ => Mistake::at(written.inside(), format!("`{name}` cannot be read: {error}"))
            .help("check that you may read it"),
    };
    // A pipe or a folder would not end, or not begin.
    let metadata = std::fs::metadata(&path).map_err(unread)?;
    if !metadata.is_file() {
        return refuse(format!("`{name}` is not an ordinary file"), &format!("name {what}"));
    }
    let long = || refuse(format!("`{name}` is longer than {short} may be, {longest} bytes"), sort.shorter);
    if metadata.len() > longest {
        return long();
    }
    let mut bytes = Vec::new();
    Handle::open(&path).and_then(|file| file.take(longest + 1).read_to_end(&mut bytes)).map_err(unread)?;
    if bytes.len() as u64 > longest {
        return long();
    }
    String::from_utf8(bytes).or_else(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..valid].iter().filter(|&&byte| byte == b'\n').count() + 1;
        let message = format!("`{name}`, line {line}: a byte is no character of a text in UTF-8");
        refuse(message, sort.text)
    })
}
