//! Sweeps and basins of a page: the question's own answer and figure, from the blocks of its store.

use crate::answered::Answered;
use crate::basin;
use crate::error::Error;
use crate::report_page::figures::Drawing;
use crate::report_page::kind::Kind;
use crate::report_page::sheet::{Budget, Sheet, of_store};
use crate::report_page::source::Source;
use crate::sweep::{self, Shown};
use crate::system::System;
use crate::tasks::question::stored;
use saltation_sweep::store::Store;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// What is shown of a store.
#[derive(Debug, Default)]
pub(crate) struct Many {
    /// The answer without records; null if it cannot be had.
    pub answer: Value,
    pub drawings: Vec<Drawing>,
    pub sheets: Vec<Sheet>,
    pub warnings: Vec<String>,
    /// The tasks that are done, and all of them.
    pub done: Option<(u64, u64)>,
}

/// Reads a store; what cannot be read is noted.
///
/// # Errors
/// If the folder is no store.
pub(crate) fn read(source: &Source, budget: &mut Budget, notes: &mut Vec<String>) -> Result<Many, Error> {
    let open = || Store::open(&source.folder).map_err(crate::tasks::finished::unreadable);
    let store = open()?;
    let mut many = Many::default();
    for form in &store.layout().tables.clone() {
        let (sheet, note) = of_store(&store, form, about(&form.name), budget);
        notes.extend(note);
        many.sheets.push(sheet);
    }
    let Ok(system) = &source.system else { return Ok(many) };
    let answered = match source.kind {
        Kind::Basin => basins(source, system, store, &mut many),
        _ => sweep(source, system, store, &mut many),
    };
    if let Err(error) = answered {
        notes.push(format!("there is no figure: {error}"));
    }
    Ok(many)
}

fn about(table: &str) -> &'static str {
    match table {
        "tasks" => "What was found of every trajectory",
        "returns" => "The states at all recorded returns",
        "impacts" => "All recorded impacts",
        _ => "A table of the store",
    }
}

/// The request of a store.
fn request<R: DeserializeOwned>(source: &Source) -> Result<R, Error> {
    let request = serde_json::from_value(source.run["request"].clone());
    let message = |error: serde_json::Error| format!("the request in run.json is not one of this version: {error}");
    request.map_err(|error| crate::Refusal::new("request", message(error), "repeat the run").into())
}

fn sweep(source: &Source, system: &System, store: Store, many: &mut Many) -> Result<(), Error> {
    let swept = stored(system, request::<sweep::Request>(source)?, store)?;
    take(many, &swept, swept.finished.done, swept.finished.asked);
    let figure = swept.figure(&Shown::default())?;
    let what =
        if swept.answer.second.is_some() { "The map of two parameters" } else { "The diagram over the parameter" };
    let drawing = |figure| Drawing::new(figure, what, "drawn from the stored tables tasks, returns and impacts");
    many.drawings.extend(figure.map(drawing));
    Ok(())
}

fn basins(source: &Source, system: &System, store: Store, many: &mut Many) -> Result<(), Error> {
    let basins = stored(system, request::<basin::Request>(source)?, store)?;
    take(many, &basins, basins.finished.done, basins.finished.asked);
    let what = match basins.answer.parameter {
        Some(_) => "The fractions of the basins along the parameter",
        None => "The basins of attraction",
    };
    let from = "drawn from the stored tables; attractors are confirmed again by Newton's method";
    many.drawings.extend(basins.figure()?.map(|figure| Drawing::new(figure, what, from)));
    Ok(())
}

fn take(many: &mut Many, answered: &dyn Answered, done: u64, asked: u64) {
    many.answer = serde_json::from_str(&answered.json()).unwrap_or_default();
    many.warnings = answered.warnings();
    many.done = Some((done, asked));
}
