//! Equilibria that were found before: reads what `equilibrium` wrote.

use crate::error::{Error, Refusal};
use crate::store::stored::{self, JsonFile, numbers};
use crate::text::cut;
use crate::text::number::exact;
use saltation_model::{Model, Overrides};
use serde_json::Value;
use std::path::Path;

/// The largest file, in megabytes.
const LARGEST: u64 = 64;
const MEANT: &str =
    "give a file with what `saltation equilibrium MODEL --json` printed, or the run.json that --out DIR wrote";

/// An equilibrium that was found before.
#[derive(Debug, Clone)]
pub struct Known {
    /// The parameters and states it gives, by name, as formulas.
    given: Overrides,
    /// The name of its mode.
    mode: String,
    /// The name of its file.
    file: String,
}

impl Known {
    /// Reads an equilibrium of a file by its position, with its parameters. Values given by the settings take precedence.
    ///
    /// # Errors
    /// If the file cannot be read, holds no such equilibrium, or belongs to another model.
    pub fn read(path: &Path, at: Option<usize>, model: &Model, settings: &Overrides) -> Result<Known, Error> {
        let value =
            JsonFile { field: "from", largest: LARGEST, what: "a list of equilibria", meant: MEANT }.read(path)?;
        Known::of(&value, &path.display().to_string(), at, model, settings)
    }

    /// The same from an answer in memory; `source` is its name in reports.
    ///
    /// # Errors
    /// If there is no such equilibrium, or it belongs to another model.
    pub fn of(
        value: &Value,
        source: &str,
        at: Option<usize>,
        model: &Model,
        settings: &Overrides,
    ) -> Result<Known, Error> {
        let answer = stored::answer(value);
        let Some(list) = answer.get("equilibria").and_then(Value::as_array) else {
            let message = "the file holds no equilibria: it has no list `equilibria`";
            return Err(Refusal::new("from", message, MEANT).into());
        };
        stored::same_model("from", value, model, "find the equilibrium anew, without a file")?;
        let index = at.unwrap_or(0);
        let Some(one) = list.get(index) else {
            let field = if at.is_some() { "at" } else { "from" };
            let message = format!("the file has {}: there is no number {index}", how_many(list.len()));
            let help = "saltation equilibrium searches from another start with --start";
            return Err(Refusal::new(field, message, help).into());
        };
        let broken = |what: &str| {
            let message = format!("the equilibrium {index} of the file has {what}");
            Refusal::new("from", message, "write it anew with `saltation equilibrium`")
        };
        let mode = one.get("mode").and_then(Value::as_str).ok_or_else(|| broken("no text `mode`"))?;
        let state = one.get("state").and_then(Value::as_object).ok_or_else(|| broken("no object `state`"))?;
        let state = numbers(state);
        let mut start = Vec::new();
        for known in &model.states {
            if settings.start.iter().any(|(given, _)| *given == known.name) {
                continue;
            }
            let value = state.iter().find(|(name, value)| *name == known.name && value.is_finite());
            let (name, value) =
                value.ok_or_else(|| broken(&format!("no number for the state `{}`", cut(&known.name))))?;
            start.push((name.clone(), exact(*value)));
        }
        let parameters = answer.get("parameters").and_then(Value::as_object).map(numbers).unwrap_or_default();
        let set = stored::settings_for(model, settings, &parameters)?;
        Ok(Known { given: Overrides { set, start }, mode: mode.to_string(), file: source.to_string() })
    }

    /// The parameters and start values it gives.
    pub fn given(&self) -> Overrides {
        self.given.clone()
    }

    /// The name of its mode.
    pub fn mode(&self) -> &str {
        &self.mode
    }

    /// The name of its file.
    pub fn file(&self) -> &str {
        &self.file
    }
}

/// Their number, in words.
fn how_many(n: usize) -> String {
    match n {
        0 => "no equilibria".to_string(),
        1 => "1 equilibrium, which is number 0".to_string(),
        n => format!("{n} equilibria, from 0 to {}", n - 1),
    }
}
