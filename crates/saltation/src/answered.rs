//! What all answers have in common: a report, tables, JSON, and how the computation ended.

use crate::error::Error;
use crate::system::System;
use crate::table::Table;
use std::time::Duration;

/// How a computation ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ending {
    /// Whether it is complete.
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

/// The entry of `run.json` for an answer in a separate file that depends on the parameters alone: the seed and how it ended, instead
/// of the start, the tolerance and the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outline {
    /// The seed of the random numbers.
    pub seed: u64,
    /// How the computation ended, as one word.
    pub ended: String,
}

/// What every result has: the system of the question, the answer, and the wall time of the computation.
pub struct Parts<'a> {
    pub(crate) system: &'a System,
    pub(crate) answer: &'a dyn Written,
    pub(crate) wall_time: Duration,
}

/// Plain data that can be written.
pub(crate) trait Written {
    fn json(&self) -> String;
}

impl<A: serde::Serialize> Written for A {
    fn json(&self) -> String {
        json(self)
    }
}

/// An answer with the system and the request that it belongs to.
pub trait Answered {
    /// The system, the answer and the wall time.
    #[doc(hidden)]
    fn parts(&self) -> Parts<'_>;

    /// The system of the question.
    fn system(&self) -> &System {
        self.parts().system
    }

    /// The answer as one JSON object on one line.
    ///
    /// # Errors
    /// None: answers are plain data.
    fn json(&self) -> String {
        self.parts().answer.json()
    }

    /// The wall time of the computation.
    fn wall_time(&self) -> Duration {
        self.parts().wall_time
    }

    /// How the computation ended.
    fn ending(&self) -> Ending;

    /// The report for people, in lines.
    fn report(&self) -> Vec<String>;

    /// The tables.
    fn tables(&self) -> Vec<Table>;

    /// Warnings that are shown for every request, in sentences.
    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }

    /// The lines of requested tables, which are shown even without a report.
    fn asked_lines(&self) -> Vec<String> {
        Vec::new()
    }

    /// The name of the file that holds the answer, if it has one of its own beside `run.json`.
    fn file(&self) -> Option<&'static str> {
        None
    }

    /// The entry of `run.json` instead of the answer, where the answer is in a separate file only.
    fn outline(&self) -> Option<Outline> {
        None
    }

    /// The local error of one step, where the question has one.
    fn tolerance(&self) -> Option<f64> {
        None
    }
}

/// Plain data as JSON on one line.
pub(crate) fn json(answer: &impl serde::Serialize) -> String {
    // Serialization cannot fail: all keys are texts and the writer is memory.
    serde_json::to_string(answer).unwrap_or_default()
}

/// Reads a stored answer as plain data.
///
/// # Errors
/// If the text is not JSON, or an entry is missing or has another type.
pub fn read_json<A: serde::de::DeserializeOwned>(text: &str) -> Result<A, Error> {
    use saltation_model::{Mistake, Mistakes};
    serde_json::from_str(text).map_err(|error| {
        let before: usize = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
        let place = (before + error.column().saturating_sub(1)).min(text.len());
        let words = error.to_string();
        let words = words.split(" at line ").next().unwrap_or_default().to_string();
        let mistake = Mistake::at(place..place + 1, format!("this is not an answer of this kind: {words}"))
            .help("give what was written for this question, unchanged");
        Mistakes { file: "answer".to_string(), text: text.to_string(), list: vec![mistake] }.into()
    })
}
