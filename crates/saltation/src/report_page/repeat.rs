//! How to repeat a run: the words of its command.

use crate::export::words::flags;
use crate::registry::question;
use crate::report_page::kind::Kind;
use crate::report_page::source::Source;
use crate::store::stored::settings_for;
use saltation_model::{Overrides, gallery};
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
    let asked = source.text("question")?;
    let mut words = vec![asked.to_string(), model];
    let mut put = |flag: &str, value: String| words.extend([format!("--{flag}"), value]);
    if let Ok(system) = &source.system {
        let set =
            settings_for(system.model(), &Overrides::default(), &source.numbers("parameters")).unwrap_or_default();
        set.into_iter().for_each(|(name, value)| put("set", format!("{name}={value}")));
        system.settings().start.iter().for_each(|(name, value)| put("start", format!("{name}={value}")));
    }
    // What has its default needs no flag; the numbers of returns are said.
    let usual = question(asked).map(|question| (question.defaults)()).unwrap_or_default();
    let said = |(name, value): &(&String, &Value)| {
        usual[name.as_str()] != **value || ["settle", "record"].contains(&name.as_str())
    };
    let fields = request.as_object().into_iter().flatten().filter(said);
    words.extend(flags(asked, &fields.map(|(name, value)| (name.clone(), value.clone())).collect()));
    let mut put = |flag: &str, value: String| words.extend([format!("--{flag}"), value]);
    source.text("part").into_iter().for_each(|part| put("part", part.to_string()));
    source.run["store"]["format"]
        .as_str()
        .filter(|f| *f != "parquet")
        .into_iter()
        .for_each(|f| put("format", f.to_string()));
    put("out", "results".to_string());
    Some(words)
}
