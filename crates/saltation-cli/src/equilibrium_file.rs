//! Which equilibrium does a file hold? What `equilibrium` wrote, read again.

use crate::flag::{Flag, cut};
use crate::json_file::{self, JsonFile, numbers};
use crate::number::exact;
use saltation_model::{Mistakes, Model, Overrides};
use serde_json::Value;
use std::path::Path;

/// The most megabytes that are read.
const LARGEST: u64 = 64;
const MEANT: &str =
    "give a file with what `saltation equilibrium MODEL --json` printed, or the run.json that --out DIR wrote";

/// An equilibrium that was found before.
#[derive(Debug)]
pub struct Known {
    /// The parameters and states it gives, by name, as formulas.
    pub given: Overrides,
    /// The word for its mode.
    pub mode: String,
    /// The name of the file.
    pub file: String,
}

/// Reads the equilibrium `at` of a file, with its parameters. What the settings give is not taken from it.
///
/// # Errors
/// If it cannot be read, holds no such equilibrium, or belongs to another model.
pub fn read(path: &Path, at: Option<&str>, model: &Model, settings: &Overrides) -> Result<Known, Mistakes> {
    let file = path.display().to_string();
    let flag = Flag::new("--from", &file);
    let value = JsonFile { flag, largest: LARGEST, what: "a list of equilibria", meant: MEANT }.read(path)?;
    let answer = json_file::answer(&value);
    let Some(list) = answer.get("equilibria").and_then(Value::as_array) else {
        return Err(flag.mistake("the file holds no equilibria: it has no list `equilibria`", MEANT));
    };
    json_file::same_model(flag, &value, model, "find the equilibrium anew, without --from")?;
    let index = at.map_or(Ok(0), |text| Flag::new("--at", text).count_between(0, u64::from(u32::MAX)))?;
    let Some(one) = list.get(index as usize) else {
        let message = format!("the file has {}: there is no number {index}", how_many(list.len()));
        let help = "saltation equilibrium searches from another start with --start";
        return Err(at.map_or(flag, |text| Flag::new("--at", text)).mistake(message, help));
    };
    let broken = |what: &str| {
        let message = format!("the equilibrium {index} of the file has {what}");
        flag.mistake(message, "write it anew with `saltation equilibrium`")
    };
    let mode = one.get("mode").and_then(Value::as_str).ok_or_else(|| broken("no text `mode`"))?;
    let state = one.get("state").and_then(Value::as_object).ok_or_else(|| broken("no object `state`"))?;
    let state = numbers(state);
    let mut start = Vec::new();
    for told in &model.states {
        if settings.start.iter().any(|(given, _)| *given == told.name) {
            continue;
        }
        let value = state.iter().find(|(name, value)| *name == told.name && value.is_finite());
        let (name, value) = value.ok_or_else(|| broken(&format!("no number for the state `{}`", cut(&told.name))))?;
        start.push((name.clone(), exact(*value)));
    }
    let parameters = answer.get("parameters").and_then(Value::as_object).map(numbers).unwrap_or_default();
    let set = json_file::settings_for(model, settings, &parameters)?;
    Ok(Known { given: Overrides { set, start }, mode: mode.to_string(), file: file.clone() })
}

/// How many there are, in words.
fn how_many(n: usize) -> String {
    match n {
        0 => "no equilibria".to_string(),
        1 => "1 equilibrium, which is number 0".to_string(),
        n => format!("{n} equilibria, from 0 to {}", n - 1),
    }
}
