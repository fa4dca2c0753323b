//! The folder of an answer: its tables, the answer itself, and a `run.json` from which the run can be repeated.

use crate::answered::Answered;
use crate::error::Error;
use crate::store::Destination;
use crate::store::files::{create, prepare, replace};
use crate::system::System;
use crate::table::{Cell, Table};
use saltation_model::{Mistake, Mistakes, Model};
use saltation_numerics::portable;
use serde_json::{Map, Value, json};
use std::fs::File;
use std::io;
use std::path::Path;

/// A folder to which a question writes its answer.
///
/// ```no_run
/// use saltation::{Answered, AnswerFolder, Destination, System};
/// let system = System::gallery("two-wall-oscillator")?;
/// let mut folder = AnswerFolder::begin(&Destination::new("results"), &system, Some(1e-12))?;
/// folder.write(&system.orbit().settle(300).find()?)?;
/// # Ok::<(), saltation::Error>(())
/// ```
#[derive(Debug)]
pub struct AnswerFolder {
    destination: Destination,
    system: System,
    tolerance: Option<f64>,
    files: Vec<String>,
}

impl AnswerFolder {
    /// Creates the folder if it is missing, with a description that has no answer yet.
    ///
    /// # Errors
    /// If it cannot be written; this is checked before the computation.
    pub fn begin(destination: &Destination, system: &System, tolerance: Option<f64>) -> Result<AnswerFolder, Error> {
        let (destination, system) = (destination.clone(), system.clone());
        let folder = AnswerFolder { destination, system, tolerance, files: Vec::new() };
        let begun = prepare(&folder.destination).and_then(|()| folder.describe(None));
        begun.map_err(|error| unwritable(&folder.destination.folder, &error))?;
        Ok(folder)
    }

    /// Writes the tables and the answer.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write(&mut self, answered: &dyn Answered) -> Result<(), Error> {
        let written = self.write_all(answered);
        written.map_err(|error| unwritable(&self.destination.folder, &error))
    }

    fn write_all(&mut self, answered: &dyn Answered) -> io::Result<()> {
        let text = answered.json();
        if let Some(file) = answered.file() {
            replace(&self.destination.folder, file, &format!("{text}\n"))?;
            self.files.push(file.to_string());
        }
        for table in answered.tables() {
            self.table(&table)?;
        }
        self.describe(Some((answered, &text)))
    }

    fn table(&mut self, table: &Table) -> io::Result<()> {
        let name = format!("{}.csv", table.name);
        let mut file = csv::Writer::from_writer(create(&self.destination.folder.join(&name))?);
        file.write_record(&table.head)?;
        for row in &table.rows {
            file.write_record(row.iter().map(Cell::text))?;
        }
        self.files.push(name);
        file.flush()
    }

    /// A new table with this head, which grows during a computation.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn stream(&mut self, name: &str, head: &[&str]) -> Result<csv::Writer<File>, Error> {
        let name = format!("{name}.csv");
        let begin = || -> io::Result<csv::Writer<File>> {
            let mut table = csv::Writer::from_writer(create(&self.destination.folder.join(&name))?);
            table.write_record(head)?;
            table.flush()?;
            Ok(table)
        };
        let table = begin().map_err(|error| unwritable(&self.destination.folder, &error))?;
        self.files.push(name);
        Ok(table)
    }

    /// The files, for people.
    pub fn names(&self) -> String {
        let names = self.files.iter().map(String::as_str).chain(["run.json"]);
        let paths = names.map(|name| self.destination.folder.join(name).display().to_string());
        paths.collect::<Vec<_>>().join(", ")
    }

    /// Writes `run.json`; without an answer for a run that has not ended.
    fn describe(&self, answered: Option<(&dyn Answered, &str)>) -> io::Result<()> {
        let system = &self.system;
        let files: Vec<&str> = self.files.iter().map(String::as_str).chain(["run.json"]).collect();
        let outline = answered.and_then(|(answered, _)| answered.outline());
        let mut run = Map::new();
        let mut put = |key: &str, value: Value| run.insert(key.to_string(), value);
        put("version", json!(env!("CARGO_PKG_VERSION")));
        if let Some((key, value)) = portable_entry() {
            put(key, value);
        }
        put("command", json!(self.destination.command));
        put("model", model_text(system.model()));
        put("parameters", json!(system.parameters()));
        if outline.is_none() {
            put("start", json!(system.start()));
            put("tolerances", json!({ "step": self.tolerance }));
        }
        put("seed", json!(outline.as_ref().map(|outline| outline.seed)));
        put("files", json!(files));
        put("wall_time", json!(answered.map(|(answered, _)| answered.wall_time().as_secs_f64())));
        match (outline, answered) {
            (Some(outline), _) => put("ended", json!(outline.ended)),
            (None, Some((_, text))) => put("answer", serde_json::from_str(text)?),
            (None, None) => put("answer", Value::Null),
        };
        replace(&self.destination.folder, "run.json", &format!("{:#}\n", Value::Object(run)))
    }
}

/// A folder that cannot be written.
pub fn unwritable(folder: &Path, error: &io::Error) -> Error {
    let mistake = Mistake::general(format!("the folder `{}` cannot be written: {error}", folder.display()));
    let list = vec![mistake.help("choose another one")];
    Mistakes { file: folder.display().to_string(), text: String::new(), list }.into()
}

/// The entry `portable` of a description, where it is so: results have the same bits on every processor, and others are not of the same kind.
pub(crate) fn portable_entry() -> Option<(&'static str, Value)> {
    portable::is_chosen().then(|| ("portable", json!(true)))
}

/// The complete model, with the names of its matrix files, whose texts are part of the fingerprint.
pub(crate) fn model_text(model: &Model) -> Value {
    let files: Vec<&str> = model.files.iter().map(|(name, _)| name.as_str()).collect();
    json!({
        "name": model.name,
        "file": model.file,
        "fingerprint": model.fingerprint(),
        "text": model.text,
        "files": files,
    })
}
