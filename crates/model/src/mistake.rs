//! Mistakes in a model: what is wrong, where, and what can be done about it.

use std::fmt;
use std::ops::Range;

use saltation_expr::parse::FormulaError;

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// One sentence, without a full stop.
    pub message: String,
    /// The bytes of [`Mistakes::text`] that are meant, if there is such a place.
    pub span: Option<Range<usize>>,
    /// What to do about it; every mistake that [`Model`](crate::Model) finds has this line.
    pub help: Option<String>,
}

/// The help for a mistake of a formula that has none of its own.
const FORMULA: &str =
    "write it with numbers, names, + - * / ^, functions such as cos(x) and round brackets only, e.g. 2*x + 1";

impl Mistake {
    /// A mistake at a place.
    pub fn at(span: Range<usize>, message: impl Into<String>) -> Mistake {
        Mistake { message: message.into(), span: Some(span), help: None }
    }

    /// A mistake of the whole.
    pub fn general(message: impl Into<String>) -> Mistake {
        Mistake { message: message.into(), span: None, help: None }
    }

    /// A mistake of a formula, whose text has its part `error.span` at `span`.
    pub(crate) fn of_formula(span: Range<usize>, error: FormulaError) -> Mistake {
        Mistake::at(span, error.message).help(error.help.unwrap_or_else(|| FORMULA.to_string()))
    }

    /// The same with a line of help.
    pub fn help(mut self, help: impl Into<String>) -> Mistake {
        self.help = Some(help.into());
        self
    }
}

/// All mistakes in a text that can be found in one pass.
///
/// Its `Display` shows for each mistake the place (file, line, column), the line with the place underlined, and the help.
///
/// ```
/// use saltation_model::{Mistake, Mistakes};
/// let text = "rate = \"omga\"".to_string();
/// let mistake = Mistake::at(8..12, "`omga` is not declared").help("did you mean `omega`?");
/// let mistakes = Mistakes { file: "ball.toml".into(), text, list: vec![mistake] };
/// assert_eq!(mistakes.to_string(), "\
/// error: `omga` is not declared
///  --> ball.toml:1:9
///   |
/// 1 | rate = \"omga\"
///   |         ^^^^
///   = help: did you mean `omega`?
/// ");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistakes {
    /// The name of the file, or what else the text is.
    pub file: String,
    /// The text with the mistakes; empty if it could not be read.
    pub text: String,
    /// At least one mistake, in the order of their places.
    pub list: Vec<Mistake>,
}

impl std::error::Error for Mistakes {}

/// How many mistakes are shown at most.
const MOST_SHOWN: usize = 30;
/// How many characters of a long line are shown before the place that is meant, and after its beginning.
const LINE_BEFORE: usize = 60;
const LINE_AFTER: usize = 100;

impl Mistakes {
    pub(crate) fn new(file: &str, text: &str, mut list: Vec<Mistake>) -> Mistakes {
        list.sort_by_key(|mistake| mistake.span.as_ref().map(|span| (span.start, span.end)));
        list.dedup();
        Mistakes { file: file.to_string(), text: text.to_string(), list }
    }

    /// Line and column (both from 1, columns in characters) of a byte of the text.
    pub fn line_and_column(&self, byte: usize) -> (usize, usize) {
        let before = &self.text[..floor_boundary(&self.text, byte)];
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
    }

    fn write_place(&self, f: &mut fmt::Formatter<'_>, span: &Range<usize>) -> fmt::Result {
        let start = floor_boundary(&self.text, span.start);
        let (line, column) = self.line_and_column(start);
        let line_start = self.text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = self.text[start..].find('\n').map_or(self.text.len(), |newline| start + newline);
        let end = floor_boundary(&self.text, span.end).clamp(start, line_end);

        let before: Vec<char> = self.text[line_start..start].chars().collect();
        let after: Vec<char> = self.text[start..line_end].trim_end().chars().collect();
        let cut_before = before.len() > 2 * LINE_BEFORE;
        let before = if cut_before { &before[before.len() - LINE_BEFORE..] } else { &before[..] };
        let cut_after = after.len() > LINE_AFTER;
        let after = &after[..after.len().min(LINE_AFTER)];

        let margin = " ".repeat(line.to_string().len());
        let shown = |c: &char| {
            let invisible = c.is_control() && *c != '\t' || matches!(c, '\u{200b}'..='\u{200f}' | '\u{feff}');
            if invisible { '\u{fffd}' } else { *c }
        };
        let mut source: String = before.iter().chain(after).map(shown).collect();
        let mut underline: String = before.iter().map(|&c| if c == '\t' { '\t' } else { ' ' }).collect();
        if cut_before {
            source.insert(0, '…');
            underline.insert(0, ' ');
        }
        if cut_after {
            source.push('…');
        }
        let marked = self.text[start..end].chars().count().clamp(1, LINE_AFTER);
        underline.push_str(&"^".repeat(marked));
        writeln!(f, "{margin}--> {}:{line}:{column}", self.file)?;
        writeln!(f, "{margin} |")?;
        writeln!(f, "{line} | {}", source.trim_end())?;
        writeln!(f, "{margin} | {underline}")
    }
}

impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, mistake) in self.list.iter().take(MOST_SHOWN).enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            writeln!(f, "error: {}", mistake.message)?;
            let mut margin = String::from(" ");
            match &mistake.span {
                Some(span) if !self.text.is_empty() => {
                    margin = " ".repeat(self.line_and_column(span.start).0.to_string().len());
                    self.write_place(f, span)?;
                }
                _ => writeln!(f, " --> {}", self.file)?,
            }
            if let Some(help) = &mistake.help {
                writeln!(f, "{margin} = help: {help}")?;
            }
        }
        if self.list.len() > MOST_SHOWN {
            writeln!(f, "\n… and {} more", self.list.len() - MOST_SHOWN)?;
        }
        Ok(())
    }
}

/// The nearest beginning of a character at or before `byte`.
fn floor_boundary(text: &str, byte: usize) -> usize {
    let mut byte = byte.min(text.len());
    while !text.is_char_boundary(byte) {
        byte -= 1;
    }
    byte
}
