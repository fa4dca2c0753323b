//! What all answers have in common: a report, tables, JSON, and how the computation ended.

use crate::error::Error;
use crate::system::System;
use crate::table::Table;
use std::time::Duration;

/// How a computation ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ending {
    /// Whether it did all that was asked.
    pub complete: bool,
    /// If not: why, where, and what can be done, in lines.
    pub lines: Vec<String>,
}

impl Ending {
    pub(crate) fn complete() -> Ending {
        Ending { complete: true, lines: Vec::new() }
    }

    pub(crate) fn short(lines: Vec<String>) -> Ending {
        Ending { complete: lines.is_empty(), lines }
    }
}

/// What `run.json` says of an answer that lies in a file of its own and depends on the parameters alone: the seed and how it ended, in place
/// of the start, the tolerance and the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outline {
    /// Which random numbers were taken.
    pub seed: u64,
    /// How the computation ended, in the word of the answer.
    pub ended: String,
}

/// An answer with the system and the request that it belongs to.
pub trait Answered {
    /// The system that was asked about.
    fn system(&self) -> &System;

    /// The answer as one JSON object on one line.
    ///
    /// # Errors
    /// None: answers are plain data.
    fn json(&self) -> String;

    /// How the computation ended.
    fn ending(&self) -> Ending;

    /// The report for people, in lines.
    fn report(&self) -> Vec<String>;

    /// The tables.
    fn tables(&self) -> Vec<Table>;

    /// How long the computation took.
    fn wall_time(&self) -> Duration;

    /// What a reader should know whatever was asked, in sentences.
    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }

    /// The lines of tables that the request asks for, which are shown even where no report is.
    fn asked_lines(&self) -> Vec<String> {
        Vec::new()
    }

    /// The name of the file that holds the answer, if it has one of its own beside `run.json`.
    fn file(&self) -> Option<&'static str> {
        None
    }

    /// What `run.json` says in place of the answer, where that has a file of its own and is not repeated there.
    fn outline(&self) -> Option<Outline> {
        None
    }

    /// The error that one step may make, where the question has one.
    fn tolerance(&self) -> Option<f64> {
        None
    }
}

/// Plain data as JSON on one line.
pub(crate) fn json(answer: &impl serde::Serialize) -> String {
    // Only keys that are no texts and writers that fail make errors, and there are neither.
    serde_json::to_string(answer).unwrap_or_default()
}

/// An answer that was written before, as plain data again.
///
/// # Errors
/// If the text is not JSON, or not of this form: what is missing, or of another kind, and where.
pub fn read_json<A: serde::de::DeserializeOwned>(text: &str) -> Result<A, Error> {
    use saltation_model::{Mistake, Mistakes};
    serde_json::from_str(text).map_err(|error| {
        let before: usize = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
        let place = (before + error.column().saturating_sub(1)).min(text.len());
        let words = error.to_string();
        let words = words.split(" at line ").next().unwrap_or_default().to_string();
        let mistake = Mistake::at(place..place + 1, format!("this is no such answer: {words}"))
            .help("give what was written for this question, unchanged");
        Mistakes { file: "answer".to_string(), text: text.to_string(), list: vec![mistake] }.into()
    })
}
