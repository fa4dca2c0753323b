//! One page of a run: a self-contained HTML file of a folder that an answer was written to, with figures, tables, parameters, the model, and how to
//! repeat it. It needs no network, and nothing in the folder can run in it.

pub(crate) mod document;
pub(crate) mod facts;
pub(crate) mod figures;
pub(crate) mod html;
pub(crate) mod kind;
pub(crate) mod many;
pub(crate) mod repeat;
pub(crate) mod series;
pub(crate) mod sheet;
pub(crate) mod source;

pub use kind::Kind;

use crate::error::Error;
use document::Contents;
use facts::Facts;
use figures::Read;
use serde_json::{Value, json};
use series::{Marks, Series};
use sheet::Budget;
use source::Source;
use std::path::{Path, PathBuf};

/// The name of the page in its folder.
pub const FILE: &str = "report.html";

/// A page to be made.
///
/// ```no_run
/// use saltation::report_page;
/// let page = report_page::Request::new("results").page()?;
/// std::fs::write("results/report.html", &page.html).expect("the folder can be written");
/// # Ok::<(), saltation::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The folder.
    pub folder: PathBuf,
    /// Whether only what is stored is drawn. Otherwise a motion whose path is not stored is computed again, if that took two seconds at most.
    pub stored: bool,
}

/// A page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// The file.
    pub html: String,
    /// The question.
    pub kind: Kind,
    /// The number of figures.
    pub figures: usize,
    /// The number of tables of results.
    pub tables: usize,
    /// Whether the computation was complete.
    pub complete: bool,
    /// What readers must know: what ended early, and what of the folder cannot be shown. They are part of the page too.
    pub notes: Vec<String>,
}

impl Request {
    /// The page of a folder.
    pub fn new(folder: impl AsRef<Path>) -> Request {
        Request { folder: folder.as_ref().to_path_buf(), stored: false }
    }

    /// Draws only what is stored.
    pub fn stored_only(mut self) -> Request {
        self.stored = true;
        self
    }

    /// Makes the page. Nothing in the folder is changed.
    ///
    /// # Errors
    /// If there is no such folder, or it holds no run, or its description is damaged; what else cannot be read is a note of the page.
    pub fn page(&self) -> Result<Page, Error> {
        let mut source = Source::read(&self.folder)?;
        let mut notes = std::mem::take(&mut source.notes);
        let mut budget = Budget::new();
        let mut contents = Contents::default();
        let mut facts = Facts::default();
        match source.kind {
            Kind::Sweep | Kind::Basin => {
                let many = many::read(&source, &mut budget, &mut notes)?;
                contents.drawings = many.drawings;
                contents.warnings = many.warnings;
                contents.done = many.done;
                source.answer = many.answer;
                facts.answer(&source.answer, "run.json", &["tasks", "returns"], None, &mut budget);
                contents.sheets.extend(std::mem::take(&mut facts.sheets));
                contents.sheets.extend(many.sheets);
            }
            _ => {
                let read = tables(&source, &mut contents, &mut budget, &mut notes);
                motion_facts(&source, &read, &mut facts);
                let time = source.system.as_ref().ok().and_then(|system| system.model().time_unit.clone());
                let names: Vec<String> = contents.sheets.iter().map(|sheet| sheet.name.clone()).collect();
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                let file = if source.kind == Kind::Modes { "modes.json" } else { "run.json" };
                facts.answer(&source.answer, file, &names, time.as_deref(), &mut budget);
                contents.drawings = figures::of(&source, &read, !self.stored, &mut notes);
                let answers = std::mem::take(&mut facts.sheets);
                contents.sheets.splice(0..0, answers);
                contents.warnings = warnings(&source.answer);
            }
        }
        contents.sheets.retain(|sheet| !sheet.rows.is_empty() || sheet.total.is_some_and(|total| total > 0));
        contents.facts = facts.list;
        contents.notes = notes;
        Ok(document::page(&source, contents))
    }
}

/// Reads the tables that the description lists.
fn tables(source: &Source, contents: &mut Contents, budget: &mut Budget, notes: &mut Vec<String>) -> Read {
    let mut read = Read::default();
    for name in source.files().into_iter().filter(|name| name.ends_with(".csv")) {
        let file = source.folder.join(name);
        let head = heads(&file);
        let (mut series, mut marks) = (Series::new(&head), Marks::new(&head));
        let table = sheet::of_file(&file, about(name), budget, |record| match name {
            "events.csv" => marks.push(record),
            "samples.csv" | "path.csv" | "trajectory.csv" => series.push(record),
            _ => {}
        });
        match table {
            Ok((sheet, note)) => {
                notes.extend(note);
                contents.sheets.push(sheet);
            }
            Err(why) => notes.push(format!("the table {} cannot be read: {why}", file.display())),
        }
        match name {
            "events.csv" => read.marks = marks,
            "samples.csv" => read.samples = series,
            "path.csv" => read.path = series,
            "trajectory.csv" => read.trajectory = series,
            _ => {}
        }
    }
    read
}

/// The names of the columns of a table; none if it cannot be read.
fn heads(file: &Path) -> Vec<String> {
    let head = csv::Reader::from_path(file).and_then(|mut reader| reader.headers().cloned());
    head.map(|head| head.iter().map(str::to_string).collect()).unwrap_or_default()
}

/// What the rows of a table are.
fn about(name: &str) -> &'static str {
    match name {
        "events.csv" => "Events of the trajectory",
        "samples.csv" => "Samples of the trajectory",
        "path.csv" => "The path over one period",
        "estimates.csv" => "Estimates with their standard errors",
        "residuals.csv" => "Data, the fitted model and their differences",
        "trajectory.csv" => "The fitted trajectory",
        "branch.csv" => "Points of the branch",
        "curve.csv" => "Points of the curve",
        "special.csv" => "Bifurcations",
        "cycles.csv" => "Points of the limit cycles",
        "cycles_special.csv" => "Bifurcations of the limit cycles",
        "motions.csv" => "Nonsmooth modes",
        "families.csv" => "Families of nonsmooth modes",
        "contact_map.csv" => "The map of contact problems",
        "curves.csv" => "Critical curves of the map",
        _ => "A table of the run",
    }
}

/// What the description of a simulation says besides its tables.
fn motion_facts(source: &Source, read: &Read, facts: &mut Facts) {
    if source.kind != Kind::Simulation {
        return;
    }
    for (kind, count) in &read.marks.counts {
        facts.add(&format!("events: {}", kind.replace('_', " ")), count.to_string());
    }
    let object = |key: &str| source.run.get(key).filter(|value| !value.is_null());
    let mut put = |label: &str, value: Option<&Value>| {
        value.filter(|value| !value.is_null()).into_iter().for_each(|value| facts.add(label, sheet::in_words(value)));
    };
    put("end: time", object("end").map(|end| &end["time"]));
    put("end: mode", object("end").map(|end| &end["mode"]));
    put("asked until", object("until"));
    put("asked returns", object("returns"));
    put("samples every", object("every"));
    put("longest step", object("max_step"));
}

/// The warnings that an answer holds.
fn warnings(answer: &Value) -> Vec<String> {
    let list = ["warnings", "left_out"].iter().filter_map(|key| answer.get(key)?.as_array());
    list.flatten().filter_map(Value::as_str).map(str::to_string).collect()
}

impl Page {
    /// What was made, as the command prints it with `--json`.
    pub fn summary(&self, file: &Path) -> Value {
        json!({
            "file": file.display().to_string(),
            "kind": self.kind.name(),
            "figures": self.figures,
            "tables": self.tables,
            "complete": self.complete,
            "notes": self.notes,
            "bytes": self.html.len(),
        })
    }
}
