//! Reads a model file layer by layer: text, TOML, tables, matrices, names and formulas, mathematics.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

use saltation_expr::parse::nearest;
use toml::de::DeTable;

use crate::assemble;
use crate::matrix_files;
use crate::mistake::{Mistake, Mistakes};
use crate::model::Model;
use crate::table_files;
use crate::texts;

/// The greatest length of a model file, in bytes.
pub(crate) const LONGEST_FILE: usize = 1024 * 1024;
/// The help where it is longer.
const SHORTER: &str = "check that it is a model file; if it is, split the model";

/// The text of a file.
pub(crate) fn text(path: &Path) -> Result<String, Mistake> {
    let shown = path.display();
    if path.is_dir() {
        let message = format!("`{shown}` is a folder, not a model file");
        return Err(Mistake::general(message).help("name the file in it, which ends in .toml"));
    }
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(LONGEST_FILE as u64 + 1).read_to_end(&mut bytes));
    if let Err(error) = read {
        return Err(match error.kind() {
            ErrorKind::NotFound => {
                let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
                let help = match nearest(stem, texts::NAMES) {
                    Some(near) => format!("the gallery has a model `{near}`"),
                    None => "give the path of a model file or the name of a model of the gallery".to_string(),
                };
                Mistake::general(format!("there is no file `{shown}`")).help(help)
            }
            _ => {
                let help = "check that you may read the file, or give the path of another";
                Mistake::general(format!("`{shown}` cannot be read: {error}")).help(help)
            }
        });
    }
    if bytes.len() > LONGEST_FILE {
        let message = format!("`{shown}` is longer than a model file may be, {LONGEST_FILE} bytes");
        return Err(Mistake::general(message).help(SHORTER));
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..valid].iter().filter(|&&byte| byte == b'\n').count() + 1;
        Mistake::general(format!("`{shown}` is not a text in UTF-8: line {line} has a byte that is no character"))
            .help("save the file as UTF-8")
    })
}

/// The model of a text, which stands in a folder or in none.
pub(crate) fn parse(text: &str, file: &str, folder: Option<&Path>) -> Result<Model, Vec<Mistake>> {
    if text.len() > LONGEST_FILE {
        let message = format!("the model has {} bytes and may have {LONGEST_FILE} at most", text.len());
        return Err(vec![Mistake::general(message).help(SHORTER)]);
    }
    if text.trim().is_empty() {
        let help = "a model begins with format = 1 and name = \"…\"; see `saltation gallery bouncing-ball`";
        return Err(vec![Mistake::general("the file is empty").help(help)]);
    }
    let (document, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        return Err(toml_mistakes(text, &errors));
    }
    let mut entries = crate::file::read(text, &document)?;
    let numbers = matrix_files::resolve(&mut entries, folder)?;
    let tables = table_files::resolve(&entries.tables, folder)?;
    assemble::model(&entries, (numbers, tables), text, file)
}

/// The mistakes of the TOML parser, one per line: the first mistake of a line often causes the others.
fn toml_mistakes(text: &str, errors: &[toml::de::Error]) -> Vec<Mistake> {
    let mut mistakes: Vec<Mistake> = Vec::new();
    let mut lines: Vec<usize> = Vec::new();
    for error in errors {
        let span = error.span().unwrap_or(0..0);
        let line = text.as_bytes()[..span.start.min(text.len())].iter().filter(|&&byte| byte == b'\n').count();
        if !lines.contains(&line) {
            lines.push(line);
            let (message, help) = match error.message() {
                message if message.contains("recurs") => {
                    let message = "lists and tables are nested more than 80 levels deep".to_string();
                    (message, "remove brackets: M is a list of lists, and nothing is nested deeper")
                }
                "duplicate key" => {
                    let key = text.get(span.clone()).unwrap_or_default();
                    (format!("`{key}` stands twice in the same table"), "remove or rename one of the two")
                }
                message => (format!("this is not TOML: {message}"), toml_help(message)),
            };
            mistakes.push(Mistake::at(span, message).help(help));
        }
        // An unclosed list contains everything that follows.
        if error.message().contains("array elements") {
            break;
        }
    }
    mistakes
}

/// The help for a TOML mistake, by its message.
fn toml_help(message: &str) -> &'static str {
    let has = |words: &[&str]| words.iter().any(|word| message.contains(word));
    if has(&["string", "quote"]) {
        "a text stands in double quotes that open and close on one line, e.g. rate = \"omega\""
    } else if has(&["in array", "array elements", "unclosed array"]) && !has(&["array table"]) {
        "a list is written [1, 2]; check that every list before this place is closed by ]"
    } else if has(&["inline table", "comma"]) {
        "a table within a line is written { value = 1, min = 0 }"
    } else if has(&["table"]) {
        "a table begins with its name in square brackets on a line of its own, e.g. [start]"
    } else {
        "a line is key = value, with a number such as 0.5 or a text in double quotes, or it names a table, e.g. [start]"
    }
}

impl Model {
    /// Reads a model file and checks everything that does not depend on numbers; [`Model::values`] and
    /// [`Model::check`] check everything else.
    ///
    /// # Errors
    /// All mistakes of the first layer that has any: the file itself, TOML, shape, names and formulas, mathematics.
    pub fn read(path: impl AsRef<Path>) -> Result<Model, Mistakes> {
        let path = path.as_ref();
        let file = path.display().to_string();
        let text = self::text(path).map_err(|mistake| Mistakes::new(&file, "", vec![mistake]))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        parse(&text, &file, Some(folder)).map_err(|list| Mistakes::new(&file, &text, list))
    }

    /// Reads a model from a text; `file` is its name in messages. Such a model stands in no folder and can name no files.
    ///
    /// # Errors
    /// As [`Model::read`].
    pub fn parse(text: &str, file: &str) -> Result<Model, Mistakes> {
        parse(text, file, None).map_err(|list| Mistakes::new(file, text, list))
    }
}
