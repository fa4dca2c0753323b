//! How to repeat a run: the words of its command.

use crate::home::words::axis_text;
use crate::page::kind::Kind;
use crate::page::source::Source;
use crate::store::stored::settings_for;
use crate::text::number::exact;
use saltation_model::{Overrides, gallery};
use saltation_sweep::{Axis, Starts};
use serde_json::Value;

/// The words of the command, without its name; none if a program asked, which stores no command.
pub(crate) fn words(source: &Source) -> Option<Vec<String>> {
    let stored = source.run["command"].as_array();
    let words: Vec<String> = stored.into_iter().flatten().filter_map(Value::as_str).map(str::to_string).collect();
    match source.kind {
        Kind::Sweep | Kind::Basin => of_store(source),
        _ => (!words.is_empty()).then_some(words),
    }
}

/// Whether the model is that of the gallery of its name.
pub(crate) fn is_of_gallery(source: &Source) -> bool {
    let model = source.model();
    let name = model["name"].as_str().unwrap_or_default();
    gallery::find(name).is_some_and(|text| Some(text) == model["text"].as_str())
}

/// The command that computes a store: its description has no words, so that its bytes do not depend on them.
fn of_store(source: &Source) -> Option<Vec<String>> {
    let request = &source.run["request"];
    let name = source.model()["name"].as_str().unwrap_or("model");
    let model = if is_of_gallery(source) { name.to_string() } else { format!("{name}.toml") };
    let mut words = vec![source.text("question")?.to_string(), model];
    let mut put = |flag: &str, value: String| words.extend([format!("--{flag}"), value]);
    if let Ok(system) = &source.system {
        let set =
            settings_for(system.model(), &Overrides::default(), &source.numbers("parameters")).unwrap_or_default();
        set.into_iter().for_each(|(name, value)| put("set", format!("{name}={value}")));
        system.settings().start.iter().for_each(|(name, value)| put("start", format!("{name}={value}")));
    }
    let axis = |value: &Value| serde_json::from_value::<Axis>(value.clone()).ok().map(|axis| axis_text(&axis));
    match &request["along"] {
        Value::Array(list) => list.iter().filter_map(axis).for_each(|text| put("along", text)),
        value => axis(value).into_iter().for_each(|text| put("along", text)),
    }
    match serde_json::from_value::<Starts>(request["starts"].clone()) {
        Ok(Starts::Grid(axes)) => axes.iter().for_each(|axis| put("grid", axis_text(axis))),
        Ok(Starts::Random { ranges, count, seed }) => {
            ranges
                .iter()
                .for_each(|(name, low, high)| put("random", format!("{name}={}:{}", exact(*low), exact(*high))));
            put("count", count.to_string());
            put("seed", seed.to_string());
        }
        Ok(Starts::List { .. }) => put("starts", "starts.csv".to_string()),
        _ => {}
    }
    if let Some(carry) = request["carry"].as_str().filter(|carry| *carry != "none") {
        put("carry", carry.to_string());
    }
    for flag in ["settle", "record"] {
        request[flag].as_u64().into_iter().for_each(|count| put(flag, count.to_string()));
    }
    request["section"].as_str().into_iter().for_each(|name| put("section", name.to_string()));
    request["exponents"]
        .as_str()
        .filter(|which| *which != "none")
        .into_iter()
        .for_each(|w| put("exponents", w.to_string()));
    let names: Vec<&str> = request["extremes"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    if !names.is_empty() {
        put("extremes", names.join(","));
    }
    request["flow"]
        .as_str()
        .filter(|how| ["exact", "taylor"].contains(how))
        .into_iter()
        .for_each(|how| put("flow", how.to_string()));
    request["tol"].as_f64().filter(|tol| *tol != 1e-12).into_iter().for_each(|tol| put("tol", format!("{tol:e}")));
    request["policy"]
        .as_str()
        .filter(|how| *how != "persist")
        .into_iter()
        .for_each(|how| put("policy", how.to_string()));
    source.text("part").into_iter().for_each(|part| put("part", part.to_string()));
    source.run["store"]["format"]
        .as_str()
        .filter(|f| *f != "parquet")
        .into_iter()
        .for_each(|f| put("format", f.to_string()));
    put("out", "results".to_string());
    Some(words)
}
