//! What is left of an answer in a folder? Tables, the answer itself, and a `run.json` that is enough to ask again.

use crate::files::{create, prepare, replace};
use crate::input::Input;
use crate::json::{Object, State};
use crate::naming::Naming;
use crate::number::exact;
use crate::outcome::Trouble;
use crate::output_folder::{command, event_head, event_row, model_text, unwritable};
use saltation_motion::{Event, Trajectory};
use serde_json::Value;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// A period of a path is written with about so many rows.
const ROWS: f64 = 1000.0;

/// A folder to which a question writes its answer.
#[derive(Debug)]
pub struct AnswerFolder<'a> {
    folder: PathBuf,
    input: &'a Input,
    naming: Naming<'a>,
    began: Instant,
    files: Vec<&'static str>,
}

impl<'a> AnswerFolder<'a> {
    /// Creates the folder if it is missing, with a description that has no answer yet.
    ///
    /// # Errors
    /// If it cannot be written: that is told before anything is computed.
    pub fn create(
        folder: &Path,
        input: &'a Input,
        naming: Naming<'a>,
        began: Instant,
    ) -> Result<AnswerFolder<'a>, Trouble> {
        let folder = AnswerFolder { folder: folder.to_path_buf(), input, naming, began, files: Vec::new() };
        let created = prepare(&folder.folder).and_then(|()| folder.describe(None));
        created.map_err(|error| unwritable(&folder.folder, &error))?;
        Ok(folder)
    }

    /// Writes a table.
    pub fn table(&mut self, name: &'static str, head: &[String], rows: &[Vec<String>]) -> io::Result<()> {
        let mut table = csv::Writer::from_writer(create(&self.folder.join(name))?);
        table.write_record(head)?;
        for row in rows {
            table.write_record(row)?;
        }
        self.files.push(name);
        table.flush()
    }

    /// Writes a table of events.
    pub fn events(&mut self, events: &[Event]) -> io::Result<()> {
        let mut table = csv::Writer::from_writer(create(&self.folder.join("events.csv"))?);
        table.write_record(event_head(self.naming.states()))?;
        let mut row = Vec::new();
        for event in events {
            event_row(event, self.naming, &mut row);
            table.write_record(&row)?;
        }
        self.files.push("events.csv");
        table.flush()
    }

    /// Writes a table of a path: the ends of every step, and points between them. A jump has two rows at one time.
    pub fn path(&mut self, trajectory: &Trajectory) -> io::Result<()> {
        let mut table = csv::Writer::from_writer(create(&self.folder.join("path.csv"))?);
        let states = self.naming.states();
        table.write_record(std::iter::once("time").chain(states.iter().map(String::as_str)))?;
        let whole = trajectory.span().map_or(0.0, |(from, to)| to - from);
        let mut state = vec![0.0; states.len()];
        let mut last: Option<(f64, Vec<f64>)> = None;
        for piece in trajectory.pieces() {
            let share = if whole > 0.0 { piece.length / whole } else { 0.0 };
            let parts = (ROWS * share).ceil().clamp(1.0, ROWS) as u32;
            for k in 0..=parts {
                let since = piece.length * (f64::from(k) / f64::from(parts));
                piece.evaluate(since, &mut state);
                // Where one step ends and the next begins is the same time, whatever rounding makes of it.
                let time = last.as_ref().map_or(piece.start + since, |(t, _)| t.max(piece.start + since));
                // A step begins where the last one ended, unless the state has jumped.
                if k == 0 && last.as_ref().is_some_and(|(t, x)| *t == time && same(x, &state)) {
                    continue;
                }
                let numbers = self.naming.state(&state).map(|(_, value)| exact(value));
                table.write_record(std::iter::once(exact(time)).chain(numbers))?;
                last = Some((time, state.clone()));
            }
        }
        self.files.push("path.csv");
        table.flush()
    }

    /// Writes a JSON file of its own.
    pub fn json(&mut self, name: &'static str, value: &Value) -> io::Result<()> {
        self.files.push(name);
        replace(&self.folder, name, &format!("{value}\n"))
    }

    /// Completes the description with the answer.
    pub fn finish(&mut self, answer: &Value) -> io::Result<()> {
        self.describe(Some(answer))
    }

    /// The files, for people.
    pub fn names(&self) -> String {
        let names = self.files.iter().chain(&["run.json"]).map(|name| self.folder.join(name).display().to_string());
        names.collect::<Vec<_>>().join(", ")
    }

    fn describe(&self, answer: Option<&Value>) -> io::Result<()> {
        let files: Vec<&str> = self.files.iter().copied().chain(["run.json"]).collect();
        let run = serde_json::json!({
            "version": env!("CARGO_PKG_VERSION"),
            "command": command(),
            "model": model_text(&self.input.model),
            "parameters": Object(self.input.parameters()),
            "start": State(self.naming, &self.input.values.start),
            "tolerances": { "step": self.input.tolerance },
            "seed": null,
            "files": files,
            "wall_time": answer.map(|_| self.began.elapsed().as_secs_f64()),
            "answer": answer,
        });
        replace(&self.folder, "run.json", &format!("{run:#}\n"))
    }
}

/// Whether two states are one, up to what rounding does where two steps meet.
fn same(a: &[f64], b: &[f64]) -> bool {
    let size = a.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    a.iter().zip(b).all(|(x, y)| (x - y).abs() <= 1e-12 * size)
}
