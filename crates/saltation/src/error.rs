//! Errors of a question: wrong input, each mistake with its place.

use saltation_model::Mistakes;
use std::fmt;
use std::ops::Range;

/// Why there is no answer: the input is wrong, or a search found nothing. The early end of a computation is part of its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// Mistakes in texts with their places: a model file, the formulas of settings, an answer that was stored.
    Text(Vec<Mistakes>),
    /// Invalid fields of a request.
    Request(Vec<Refusal>),
    /// A search without a result, where a result was required.
    Ended {
        /// How it ended, in the word of its answer.
        word: String,
        /// Why, and what can be done, in lines.
        lines: Vec<String>,
    },
}

/// A mistake in a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The field of the request.
    pub field: &'static str,
    /// The bytes concerned, where the field is a text and only a part of it is concerned.
    pub part: Option<Range<usize>>,
    /// One sentence.
    pub message: String,
    /// What to do about it.
    pub help: String,
}

impl Refusal {
    /// A mistake of a field.
    pub fn new(field: &'static str, message: impl Into<String>, help: impl Into<String>) -> Refusal {
        Refusal { field, part: None, message: message.into(), help: help.into() }
    }

    /// The same for a part of the text of the field.
    pub fn in_part(self, part: Range<usize>) -> Refusal {
        Refusal { part: Some(part), ..self }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, self.message)?;
        if self.help.is_empty() { Ok(()) } else { write!(f, " ({})", self.help) }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Text(texts) => texts.iter().try_for_each(|mistakes| mistakes.fmt(f)),
            Error::Request(list) => {
                let lines: Vec<String> = list.iter().map(Refusal::to_string).collect();
                f.write_str(&lines.join("\n"))
            }
            Error::Ended { lines, .. } => f.write_str(&lines.join("; ")),
        }
    }
}

impl std::error::Error for Error {}

impl From<Mistakes> for Error {
    fn from(mistakes: Mistakes) -> Error {
        Error::Text(vec![mistakes])
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Error {
        Error::Request(vec![refusal])
    }
}

/// A request without mistakes, or all of them.
pub(crate) fn accepted(refusals: Vec<Refusal>) -> Result<(), Error> {
    if refusals.is_empty() { Ok(()) } else { Err(Error::Request(refusals)) }
}
