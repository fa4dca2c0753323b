//! A figure with the answers of its commands and its numbers: runs the commands in a folder and compares.

use crate::outcome::Trouble;
use crate::papers::formula::Values;
use crate::papers::line;
use crate::papers::number::{Compared, Verdict, compare};
use crate::papers::paper::{Paper, Sheet};
use crate::progress::is_stopped;
use serde_json::{Value, json};
use std::path::Path;

/// A figure that was reproduced.
#[derive(Debug)]
pub(crate) struct Reproduced<'a> {
    /// What was asked.
    pub sheet: &'a Sheet,
    /// Its numbers.
    pub numbers: Vec<Compared<'a>>,
    /// The pictures that were drawn, as names of files in the folder.
    pub pictures: Vec<String>,
    /// What commands said that ended early.
    pub ended: Vec<String>,
}

/// Runs the commands of a figure, writes their answers to the folder, and compares its numbers. `None` if it was interrupted.
///
/// # Errors
/// If a command has mistakes, or an answer cannot be written.
pub(crate) fn reproduce<'a>(
    paper: &'a Paper,
    sheet: &'a Sheet,
    folder: &Path,
    quiet: bool,
) -> Result<Option<Reproduced<'a>>, Trouble> {
    let (mut answers, mut ended, mut pictures) = (Vec::new(), Vec::new(), Vec::new());
    for (i, command) in sheet.commands.iter().enumerate() {
        let answer = line::run(command, folder, quiet)?;
        if is_stopped() {
            return Ok(None);
        }
        let name = match sheet.commands.len() {
            1 => format!("{}.json", sheet.name),
            _ => format!("{}-{}.json", sheet.name, i + 1),
        };
        std::fs::write(folder.join(&name), &answer.text).map_err(|error| Trouble::unwritten(&name, &error))?;
        ended.extend(answer.ended);
        answers.push(answer.value);
        pictures.extend(line::pictures(command).into_iter().filter(|picture| folder.join(picture).exists()));
    }
    let values = Values::new([&paper.values, &sheet.values]);
    let numbers = sheet.numbers.iter().map(|number| compare(number, &answers, &values)).collect();
    Ok(Some(Reproduced { sheet, numbers, pictures, ended }))
}

impl Reproduced<'_> {
    /// How many numbers have this verdict.
    pub(crate) fn count(&self, verdict: Verdict) -> usize {
        self.numbers.iter().filter(|number| number.verdict == verdict).count()
    }

    /// As JSON.
    pub(crate) fn json(&self) -> Value {
        let numbers: Vec<Value> = self.numbers.iter().map(Compared::json).collect();
        let Sheet { name, shows, of, commands, repeats, values, .. } = self.sheet;
        json!({
            "name": name, "shows": shows, "of": of, "repeats": repeats, "commands": commands, "values": values, "pictures": self.pictures,
            "numbers": numbers, "ended": self.ended,
        })
    }
}
