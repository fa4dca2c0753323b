//! Values of flags: numbers may be formulas, and a mistake is shown in the flag as it was typed.

use crate::typed;
use saltation::field::flag_name;
use saltation::{Error, Mistake, Mistakes, Refusal, System};
use std::fmt::Display;
use std::ops::Range;

/// A flag with its value, as typed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Flag<'a> {
    field: &'a str,
    value: &'a str,
}

impl<'a> Flag<'a> {
    /// The flag of a field: that of `max_step` is `--max-step`.
    pub(crate) fn new(field: &'a str, value: &'a str) -> Flag<'a> {
        Flag { field, value }
    }

    /// The name, with its hyphens.
    pub(crate) fn name(self) -> String {
        flag_name(self.field)
    }

    /// The value, as typed.
    pub(crate) fn value(self) -> &'a str {
        self.value
    }

    fn at(self, list: Vec<Mistake>) -> Mistakes {
        let text = format!("{} {}", self.name(), self.value);
        Mistakes { file: "command line".to_string(), text, list }
    }

    fn span(self, part: Range<usize>) -> Range<usize> {
        let shift = self.name().len() + 1;
        part.start + shift..part.end + shift
    }

    /// A mistake in a part of the value.
    pub(crate) fn mistake_in(self, part: Range<usize>, message: impl Display, help: impl Display) -> Mistakes {
        self.at(vec![Mistake::at(self.span(part), message.to_string()).help(help.to_string())])
    }

    /// A mistake of the value.
    pub(crate) fn mistake(self, message: impl Display, help: impl Display) -> Mistakes {
        self.mistake_in(0..self.value.len(), message, help)
    }

    /// The value of a formula, finite.
    pub(crate) fn number(self, system: &System) -> Result<f64, Mistakes> {
        self.number_in(0..self.value.len(), system)
    }

    /// The value of a formula that is a part of the value of the flag, finite.
    pub(crate) fn number_in(self, part: Range<usize>, system: &System) -> Result<f64, Mistakes> {
        let text = &self.value[part.clone()];
        let value = system.evaluate(text).map_err(|errors| {
            let mistakes = errors.into_iter().map(|error| Mistake {
                message: error.message,
                span: Some(self.span(part.start + error.span.start..part.start + error.span.end)),
                help: error.help,
            });
            self.at(mistakes.collect())
        })?;
        if value.is_finite() {
            return Ok(value);
        }
        let whose = if part.len() == self.value.len() { self.name() } else { text.to_string() };
        let message = format!("the value of {whose} is not finite: it is {value}");
        Err(self.mistake_in(part, message, "give a number or a formula such as 20*pi"))
    }

    /// A whole number from `least` to `most`.
    pub(crate) fn count_between(self, least: u64, most: u64) -> Result<u64, Mistakes> {
        let text = self.value.trim();
        let digits = !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
        match text.parse::<u64>() {
            Ok(n) if (least..=most).contains(&n) => Ok(n),
            Ok(n) if n < least && least == 1 => self.count(),
            Ok(n) if n < least => {
                Err(self.mistake(format!("{n} is less than {least}"), format!("{} is at least {least}", self.name())))
            }
            // Integers beyond the range of u64 are too large as well.
            _ if digits => {
                let message = format!("{} is more than {most}", cut(text));
                Err(self.mistake(message, format!("{} may be at most {most}", self.name())))
            }
            _ if least == 1 => self.count(),
            _ => Err(self.mistake(
                format!("{} needs a whole number, zero or more, not `{}`", self.name(), cut(text)),
                format!("write for example {} 100", self.name()),
            )),
        }
    }

    /// A positive whole number.
    pub(crate) fn count(self) -> Result<u64, Mistakes> {
        let text = self.value.trim();
        match text.parse::<u64>() {
            Ok(n) if n > 0 => Ok(n),
            _ => Err(self.mistake(
                format!("{} needs a positive whole number, not `{}`", self.name(), cut(text)),
                format!("write for example {} 10", self.name()),
            )),
        }
    }

    /// `name=value` as two texts.
    pub(crate) fn assignment(self) -> Result<(String, String), Mistakes> {
        let example = format!("write for example {} omega=0.8", self.name());
        let Some((name, value)) = self.value.split_once('=') else {
            let message = format!("{} needs a name and a value with = between them", self.name());
            return Err(self.mistake(message, example));
        };
        let (name, value) = (name.trim(), value.trim());
        if name.is_empty() || value.is_empty() {
            let part = if name.is_empty() { "name" } else { "value" };
            let (place, side) = if name.is_empty() { (0, "before") } else { (self.value.len() - 1, "after") };
            let message = format!("the {part} is missing {side} =");
            return Err(self.mistake_in(place..place + 1, message, example));
        }
        Ok((name.to_string(), value.to_string()))
    }
}

pub(crate) use saltation::cut;

/// Keeps a result, or adds its mistakes to the others: all flags are read before mistakes are reported.
pub(crate) fn collect<T>(result: Result<T, Mistakes>, mistakes: &mut Vec<Mistakes>) -> Option<T> {
    result.map_err(|wrong| mistakes.push(wrong)).ok()
}

/// Converts a refusal of a request to a mistake in the flag as it was typed.
pub(crate) fn refused(refusal: &Refusal) -> Mistakes {
    let name = flag_name(refusal.field);
    let with_flag = |text: &str| match text.strip_prefix(refusal.field) {
        Some(rest) if rest.starts_with(' ') => format!("{name}{rest}"),
        _ => text.to_string(),
    };
    let message = with_flag(&refusal.message);
    let value = typed::value(&name);
    let help = match refusal.help.strip_prefix("give for example ") {
        Some(example) if value.is_some() => format!("write for example {name} {example}"),
        Some(example) => format!("add for example {name} {example}"),
        None => with_flag(&refusal.help),
    };
    let mistake = Mistake::general(message).help(help);
    let Some(value) = value else {
        return Mistakes { file: "command line".to_string(), text: String::new(), list: vec![mistake] };
    };
    let part = refusal.part.clone().unwrap_or(0..value.len());
    // An empty part is shown at the preceding character.
    let begin = if part.is_empty() { part.start.min(value.len().saturating_sub(1)) } else { part.start };
    let end = part.end.max(begin + 1).min(value.len().max(begin));
    let shift = name.len() + 1;
    let mistake = Mistake { span: Some(begin + shift..end + shift), ..mistake };
    Mistakes { file: "command line".to_string(), text: format!("{name} {value}"), list: vec![mistake] }
}

/// All mistakes of an error, as they are shown; none if the error is not a mistake of the input.
pub(crate) fn mistakes(error: &Error) -> Vec<Mistakes> {
    match error {
        Error::Text(texts) => texts.iter().cloned().map(as_typed).collect(),
        Error::Request(refusals) => refusals.iter().map(refused).collect(),
        Error::Ended { .. } => Vec::new(),
    }
}

/// Keeps a result, or adds the mistakes of its error to the others.
pub(crate) fn gather<T>(result: Result<T, Error>, wrong: &mut Vec<Mistakes>) -> Option<T> {
    result.map_err(|error| wrong.extend(mistakes(&error))).ok()
}

/// Settings are shown as the library reads them, one per line; here they came from flags.
fn as_typed(mut mistakes: Mistakes) -> Mistakes {
    if mistakes.file == "settings" {
        mistakes.file = "--set and --start".to_string();
    }
    mistakes
}
