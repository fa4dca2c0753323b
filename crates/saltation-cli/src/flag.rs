//! What does the value of a flag say? Numbers are formulas; a mistake is shown in the flag as it was typed.

use saltation_expr::Graph;
use saltation_expr::parse::{Formula, FormulaError, UnknownName};
use saltation_model::{Mistake, Mistakes, Model, Values};
use std::fmt::Display;
use std::ops::Range;

/// Names that a formula in a flag may use, with their values.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    model: &'a Model,
    values: &'a Values,
}

impl<'a> Known<'a> {
    /// The parameters of a model.
    pub fn parameters(model: &'a Model, values: &'a Values) -> Known<'a> {
        Known { model, values }
    }

    fn evaluate(&self, text: &str) -> Result<f64, Vec<FormulaError>> {
        let mut graph = Graph::new();
        let formula = Formula::read(text)?;
        let node = formula.build(&mut graph, &mut |graph, name| match self.model.parameter(name) {
            Some(index) => Ok(graph.constant(self.values.parameters[index])),
            None if ["nan", "inf", "infinity"].contains(&name.to_lowercase().as_str()) => Err(UnknownName {
                message: format!("`{name}` is no finite number"),
                help: Some("give a number or a formula such as 20*pi".to_string()),
            }),
            None => Err(UnknownName::among(name, self.model.parameters.iter().map(|p| p.name.as_str()))),
        })?;
        Ok(graph.evaluate(node, &|_| f64::NAN))
    }
}

/// A flag with its value, as typed.
#[derive(Debug, Clone, Copy)]
pub struct Flag<'a> {
    name: &'static str,
    value: &'a str,
}

impl<'a> Flag<'a> {
    /// The flag `name`, which begins with `--`.
    pub fn new(name: &'static str, value: &'a str) -> Flag<'a> {
        Flag { name, value }
    }

    /// The name, with its hyphens.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// The value, as typed.
    pub fn value(self) -> &'a str {
        self.value
    }

    fn at(self, list: Vec<Mistake>) -> Mistakes {
        let text = format!("{} {}", self.name, self.value);
        Mistakes { file: "command line".to_string(), text, list }
    }

    fn span(self, part: Range<usize>) -> Range<usize> {
        let shift = self.name.len() + 1;
        part.start + shift..part.end + shift
    }

    /// A mistake in a part of the value.
    pub fn mistake_in(self, part: Range<usize>, message: impl Display, help: impl Display) -> Mistakes {
        self.at(vec![Mistake::at(self.span(part), message.to_string()).help(help.to_string())])
    }

    /// A mistake of the value.
    pub fn mistake(self, message: impl Display, help: impl Display) -> Mistakes {
        self.mistake_in(0..self.value.len(), message, help)
    }

    /// The value of a formula, finite.
    pub fn number(self, known: Known) -> Result<f64, Mistakes> {
        self.number_in(0..self.value.len(), known)
    }

    /// The value of a formula that is a part of the value of the flag, finite.
    pub fn number_in(self, part: Range<usize>, known: Known) -> Result<f64, Mistakes> {
        let text = &self.value[part.clone()];
        let value = known.evaluate(text).map_err(|errors| {
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
        let whose = if part.len() == self.value.len() { self.name } else { text };
        let message = format!("the value of {whose} is not finite: it is {value}");
        Err(self.mistake_in(part, message, "give a number or a formula such as 20*pi"))
    }

    /// A whole number from `least` to `most`.
    pub fn count_between(self, least: u64, most: u64) -> Result<u64, Mistakes> {
        let text = self.value.trim();
        let digits = !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
        match text.parse::<u64>() {
            Ok(n) if (least..=most).contains(&n) => Ok(n),
            Ok(n) if n < least && least == 1 => self.count(),
            Ok(n) if n < least => {
                Err(self.mistake(format!("{n} is less than {least}"), format!("{} is at least {least}", self.name)))
            }
            // More digits than a number can hold are too many as well.
            _ if digits => {
                let message = format!("{} is more than {most}", cut(text));
                Err(self.mistake(message, format!("{} may be at most {most}", self.name)))
            }
            _ if least == 1 => self.count(),
            _ => Err(self.mistake(
                format!("{} needs a whole number, zero or more, not `{}`", self.name, cut(text)),
                format!("write for example {} 100", self.name),
            )),
        }
    }

    /// A positive whole number.
    pub fn count(self) -> Result<u64, Mistakes> {
        let text = self.value.trim();
        match text.parse::<u64>() {
            Ok(n) if n > 0 => Ok(n),
            _ => Err(self.mistake(
                format!("{} needs a positive whole number, not `{}`", self.name, cut(text)),
                format!("write for example {} 10", self.name),
            )),
        }
    }

    /// `name=value` as two texts.
    pub fn assignment(self) -> Result<(String, String), Mistakes> {
        let example = format!("write for example {} omega=0.8", self.name);
        let Some((name, value)) = self.value.split_once('=') else {
            let message = format!("{} needs a name and a value with = between them", self.name);
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

/// A text that is not too long for a sentence.
pub fn cut(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((byte, _)) => format!("{}…", &text[..byte]),
        None => text.to_string(),
    }
}

/// Keeps a result, or adds its mistakes to the others: all flags are read before any mistake is told.
pub fn collect<T>(result: Result<T, Mistakes>, mistakes: &mut Vec<Mistakes>) -> Option<T> {
    result.map_err(|wrong| mistakes.push(wrong)).ok()
}
