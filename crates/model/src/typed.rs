//! Settings as they are typed, one line each: mistakes in them and in what follows from them, at their places.

use std::ops::Range;

use saltation_expr::parse::UnknownName;

use crate::mistake::{Mistake, Mistakes};
use crate::model::Model;

/// The help where a formula has no finite value.
const DEFINED: &str = "write a number such as 0.1, or a formula that neither divides by zero nor takes the root or \
                       logarithm of something negative";

/// What a setting gives a value to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    /// A parameter.
    Parameter,
    /// The start value of a state.
    Start,
}

impl Target {
    /// How a line of settings begins.
    fn word(self) -> &'static str {
        match self {
            Target::Parameter => "set ",
            Target::Start => "start ",
        }
    }

    /// What it is called.
    fn noun(self) -> &'static str {
        match self {
            Target::Parameter => "parameter",
            Target::Start => "state",
        }
    }

    /// What there is of it in a model.
    pub fn names(self, model: &Model) -> Vec<&str> {
        match self {
            Target::Parameter => model.parameters.iter().map(|parameter| parameter.name.as_str()).collect(),
            Target::Start => model.states.iter().map(|state| state.name.as_str()).collect(),
        }
    }
}

/// The settings as a text in which mistakes can be shown, one line each.
#[derive(Default)]
pub(crate) struct Typed {
    text: String,
    mistakes: Vec<Mistake>,
    /// What was set, with the place of its value; the last one counts.
    lines: Vec<(Target, usize, Range<usize>)>,
}

impl Typed {
    /// Writes one setting and finds the quantity that it sets, with the place of its value.
    pub fn line(&mut self, model: &Model, target: Target, name: &str, value: &str) -> Option<(usize, Range<usize>)> {
        self.text.push_str(target.word());
        let name_at = self.text.len();
        self.text.push_str(name);
        self.text.push_str(" = ");
        let value_at = self.text.len();
        self.text.push_str(value);
        self.text.push('\n');
        match position(model, target, name) {
            Ok(index) => {
                let place = value_at..value_at + value.len();
                self.lines.push((target, index, place.clone()));
                Some((index, place))
            }
            Err(mistake) => {
                self.mistakes.push(Mistake { span: Some(name_at..name_at + name.len()), ..mistake });
                None
            }
        }
    }

    /// Notes mistakes.
    pub fn add(&mut self, mistakes: impl IntoIterator<Item = Mistake>) {
        self.mistakes.extend(mistakes);
    }

    /// The place of the value of a quantity, if that was set here.
    pub fn place(&self, target: Target, index: usize) -> Option<Range<usize>> {
        let last = self.lines.iter().rev().find(|line| (line.0, line.1) == (target, index));
        last.map(|(_, _, place)| place.clone())
    }

    /// The mistakes of the settings so far, if there are any.
    pub fn finish(&mut self) -> Result<(), Mistakes> {
        let mistakes = std::mem::take(&mut self.mistakes);
        if mistakes.is_empty() { Ok(()) } else { Err(Mistakes::new("settings", &self.text, mistakes)) }
    }

    /// Whether numbers that follow from the settings are finite and within their bounds.
    ///
    /// # Errors
    /// What is wrong with those that were set, shown in their own text; or else with those of the file.
    pub fn judge(&mut self, model: &Model, parameters: &[f64], start: &[f64]) -> Result<(), Mistakes> {
        let mut of_file = Vec::new();
        for (i, (parameter, &value)) in model.parameters.iter().zip(parameters).enumerate() {
            let low = parameter.min.filter(|&min| value < min);
            let high = parameter.max.filter(|&max| value > max);
            let name = &parameter.name;
            let (message, help) = if !value.is_finite() {
                (format!("the parameter `{name}` has no finite value"), DEFINED.to_string())
            } else if let Some(min) = low {
                let help = format!("choose a value of at least {min}, or change `min` of `{name}` in [parameters]");
                (format!("the parameter `{name}` is {value}, but its least value is {min}"), help)
            } else if let Some(max) = high {
                let help = format!("choose a value of at most {max}, or change `max` of `{name}` in [parameters]");
                (format!("the parameter `{name}` is {value}, but its greatest value is {max}"), help)
            } else {
                continue;
            };
            match self.place(Target::Parameter, i) {
                Some(span) => self.mistakes.push(Mistake::at(span, message).help(help)),
                None => of_file.push(model.mistake_at(&format!("parameters.{name}"), message).help(help)),
            }
        }
        for (i, (state, number)) in model.states.iter().zip(start).enumerate() {
            if number.is_finite() {
                continue;
            }
            let message = format!("the start value of `{}` is not finite: it is {number}", state.name);
            match self.place(Target::Start, i) {
                Some(span) => self.mistakes.push(Mistake::at(span, message).help(DEFINED)),
                // It may follow from a parameter that has none.
                None if of_file.is_empty() => {
                    of_file.push(model.mistake_at(&format!("start.{}", state.name), message).help(DEFINED));
                }
                None => {}
            }
        }
        self.finish()?;
        if of_file.is_empty() { Ok(()) } else { Err(model.mistakes(of_file)) }
    }
}

/// The position of a parameter or a state by its name; otherwise the mistake, with the name that is nearest or all there are.
pub(crate) fn position(model: &Model, target: Target, name: &str) -> Result<usize, Mistake> {
    let known = target.names(model);
    known.iter().position(|candidate| *candidate == name).ok_or_else(|| {
        let what = target.noun();
        let near = UnknownName::among(name, known.iter().copied()).help.filter(|help| help.starts_with("did"));
        let all = match known.as_slice() {
            [] => format!("declare it in the model file, in [{what}s]"),
            known => format!("its {what}s are {}", known.join(", ")),
        };
        Mistake::general(format!("the model has no {what} `{name}`")).help(near.unwrap_or(all))
    })
}
