//! Initial guesses for an orbit: an orbit that was found before, instead of the start of the model.

use crate::error::{Error, Refusal};
use crate::store::stored::{self, JsonFile, numbers};
use crate::text::cut;
use crate::text::number::{exact, short};
use saltation_model::{Model, Overrides, Values};
use serde_json::{Map, Value};
use std::path::Path;

/// The largest file of an orbit, in megabytes.
const LARGEST: u64 = 64;
/// The largest number of differences in a note.
const MOST_LISTED: usize = 5;

/// An orbit that was found before.
#[derive(Debug, Clone)]
pub struct Guess {
    file: String,
    /// The parameters and states it gives, by name, as formulas.
    given: Overrides,
    /// The section it begins on, if that is to be kept.
    pub section: Option<String>,
    /// The period in returns, if the file has it.
    pub returns: Option<u64>,
    model: Option<String>,
    parameters: Vec<(String, f64)>,
}

impl Guess {
    /// Reads the file of an orbit: what `orbit --json` prints, or `orbit.json` or `run.json` of a folder. With `whole` its parameters
    /// are taken too, and it must be of this model.
    ///
    /// States and parameters that the settings give are not taken from it.
    ///
    /// # Errors
    /// If it cannot be read, is no orbit, or is one of a model with other states.
    pub fn read(path: &Path, whole: bool, model: &Model, settings: &Overrides) -> Result<Guess, Error> {
        let value = JsonFile { field: field(whole), largest: LARGEST, what: "an orbit", meant: MEANT }.read(path)?;
        Guess::of(&value, &path.display().to_string(), whole, model, settings)
    }

    /// The same from an answer in memory; `source` is its name in reports.
    ///
    /// # Errors
    /// If it is no orbit, or is one of a model with other states.
    pub fn of(value: &Value, source: &str, whole: bool, model: &Model, settings: &Overrides) -> Result<Guess, Error> {
        let field = field(whole);
        let answer = stored::answer(value);
        if answer.get("special").is_some() && answer.get("state").is_none() {
            let help = "saltation curve continues from the bifurcations of a branch; give an orbit here";
            return Err(Refusal::new(field, "the file holds a branch, not an orbit", help).into());
        }
        if answer.get("equilibria").is_some() {
            let help = "saltation continue follows an equilibrium with --equilibrium; give an orbit here";
            return Err(Refusal::new(field, "the file holds equilibria, not an orbit", help).into());
        }
        if whole {
            let help = "use it as a guess, and set its parameters";
            stored::same_model(field, value, model, help)?;
        }
        let Some(state) = answer.get("state").and_then(Value::as_object) else {
            let message = match answer.get("ended").and_then(Value::as_str) {
                Some(ended) => format!("the file holds no orbit, but a run that ended with `{ended}`"),
                None => "the file holds no orbit: it has no object `state`".to_string(),
            };
            return Err(Refusal::new(field, message, MEANT).into());
        };
        if let Some((message, help)) = misfit(state, model, settings) {
            return Err(Refusal::new(field, message, help).into());
        }
        let given = |name: &str| settings.start.iter().any(|(given, _)| given == name);
        let numbers = numbers(state);
        let start = numbers.iter().filter(|(name, _)| !given(name)).map(|(name, x)| (name.clone(), exact(*x)));
        let parameters = answer.get("parameters").and_then(Value::as_object).map(stored::numbers).unwrap_or_default();
        let set = if whole { stored::settings_for(model, settings, &parameters)? } else { Vec::new() };
        let section = answer.get("section").and_then(Value::as_str).filter(|_| whole).map(str::to_string);
        Ok(Guess {
            given: Overrides { set, start: start.collect() },
            section,
            returns: answer.get("returns").and_then(Value::as_u64).filter(|&returns| returns > 0),
            model: answer.get("model").and_then(Value::as_str).map(str::to_string),
            parameters,
            file: source.to_string(),
        })
    }

    /// The parameters and start values it gives.
    pub fn given(&self) -> Overrides {
        self.given.clone()
    }

    /// The name of its file.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The differences between the conditions of the orbit and the present ones.
    pub fn note(&self, model: &Model, values: &Values) -> Option<String> {
        let mut parts = Vec::new();
        if let Some(name) = self.model.as_ref().filter(|name| **name != model.name) {
            parts.push(format!("with the model {}", cut(name)));
        }
        for (name, then) in &self.parameters {
            let now = model.parameter(name).map(|index| values.parameters()[index]);
            match now {
                Some(now) if now != *then => {
                    parts.push(format!("at {name} = {}, which is {} now", short(*then, 10), short(now, 10)));
                }
                _ => {}
            }
        }
        let more = parts.len().saturating_sub(MOST_LISTED);
        parts.truncate(MOST_LISTED);
        if more > 0 {
            parts.push(format!("and {more} more"));
        }
        (!parts.is_empty()).then(|| format!("the orbit in {} was found {}", self.file, parts.join(", ")))
    }
}

/// The field of a request that names the orbit: as a start with its parameters, or as a guess.
fn field(whole: bool) -> &'static str {
    if whole { "from" } else { "guess" }
}

const MEANT: &str =
    "give a file with what `saltation orbit MODEL --json` printed, or the orbit.json that --out DIR wrote";

/// The mismatch between the state of an orbit and a model, and a help.
fn misfit(state: &Map<String, Value>, model: &Model, settings: &Overrides) -> Option<(String, String)> {
    let names: Vec<&str> = model.states.iter().map(|state| state.name.as_str()).collect();
    let quoted = |names: &[&str]| {
        let list: Vec<String> = names.iter().take(MOST_LISTED).map(|name| format!("`{}`", cut(name))).collect();
        let more = names.len().saturating_sub(MOST_LISTED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let what = if names.len() == 1 { "state" } else { "states" };
        format!("{what} {}{more}", list.join(", "))
    };
    let unknown: Vec<&str> = state.keys().map(String::as_str).filter(|name| !names.contains(name)).collect();
    if !unknown.is_empty() {
        let message = format!("the orbit has the {}, which the model {} has not", quoted(&unknown), model.name);
        return Some((message, format!("the states of {} are {}", model.name, names.join(", "))));
    }
    let given = |name: &str| settings.start.iter().any(|(given, _)| given == name);
    let missing: Vec<&str> = names.into_iter().filter(|name| !state.contains_key(*name) && !given(name)).collect();
    if let Some(first) = missing.first() {
        let message = format!("the orbit has no value for the {}", quoted(&missing));
        return Some((message, format!("add it to the file, or give a start value of {first}")));
    }
    let no_number = |value: &Value| !value.as_f64().is_some_and(f64::is_finite);
    let (name, value) = state.iter().find(|(name, value)| no_number(value) && !given(name))?;
    let message = format!("the state `{name}` of the orbit is not a number, but {}", cut(&value.to_string()));
    Some((message, format!("write a number, or give a start value of {name}")))
}
