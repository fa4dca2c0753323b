//! The file `run.json`: the description of the sweep that a program gives, with the layout of the store beside it.

use crate::store::error::{Difference, StoreError};
use crate::store::format::Format;
use crate::store::layout::Layout;
use crate::store::part::Part;
use crate::table::{Column, Frame};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// The name of the file.
pub(super) const FILE: &str = "run.json";

/// The entries that the store adds.
const STORE: &str = "store";
const PART: &str = "part";

/// The entry of a description that says which question was asked, if it does.
pub(super) const QUESTION: &str = "question";

/// The version of this layout of folders.
const VERSION: u64 = 1;

/// The entry `store`.
#[derive(Serialize, Deserialize)]
struct Head {
    version: u64,
    format: Format,
    blocks: u64,
    chain: u64,
    tables: Vec<Table>,
}

#[derive(Serialize, Deserialize)]
struct Table {
    name: String,
    columns: Vec<(String, Kind)>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Number,
    Count,
    Word,
}

/// The contents of `run.json`: the layout, then the entries of the description.
pub(super) fn compose(description: &Value, layout: &Layout) -> Result<Value, StoreError> {
    let misfit = |what: String| StoreError::Misfit { what };
    let Value::Object(entries) = description else {
        return Err(misfit("the description of a sweep is an object of JSON".to_string()));
    };
    if let Some(taken) = [STORE, PART].into_iter().find(|key| entries.contains_key(*key)) {
        return Err(misfit(format!("the entry `{taken}` of a description is that of the store")));
    }
    layout.check().map_err(misfit)?;
    let tables = layout.tables.iter().map(|frame| {
        let columns = frame.columns.iter().map(|(name, column)| (name.clone(), kind(column)));
        Table { name: frame.name.clone(), columns: columns.collect() }
    });
    let Layout { format, blocks, chain, .. } = *layout;
    let head = Head { version: VERSION, format, blocks, chain, tables: tables.collect() };
    let part = (layout.part != Part::WHOLE).then(|| layout.part.to_string());
    let head = serde_json::to_value(head).map_err(|error| misfit(error.to_string()))?;
    let mut whole = Map::from_iter([(STORE.to_string(), head), (PART.to_string(), json!(part))]);
    whole.extend(entries.clone());
    Ok(Value::Object(whole))
}

/// The bytes of the file.
pub(super) fn text(whole: &Value) -> String {
    format!("{whole:#}\n")
}

/// The contents of a file, with its description and layout; or why it is not that of a sweep.
pub(super) fn parse(text: &[u8]) -> Result<(Value, Value, Layout), String> {
    let whole: Value = serde_json::from_slice(text).map_err(|error| format!("it is not JSON: {error}"))?;
    let Value::Object(mut entries) = whole.clone() else { return Err("it is not an object".to_string()) };
    let head = entries.shift_remove(STORE).ok_or("it has no entry `store`")?;
    match head.get("version").and_then(Value::as_u64) {
        Some(VERSION) => {}
        version => return Err(format!("its store has version {}, not {VERSION}", json!(version))),
    }
    let head: Head = serde_json::from_value(head).map_err(|error| format!("its entry `store` is wrong: {error}"))?;
    let part = match entries.shift_remove(PART) {
        None | Some(Value::Null) => Part::WHOLE,
        Some(Value::String(part)) => part.parse()?,
        Some(other) => return Err(format!("its entry `part` is wrong: {}", short(&other))),
    };
    let tables = head
        .tables
        .into_iter()
        .map(|Table { name, columns }| Frame::new(name, columns.into_iter().map(|(name, kind)| (name, empty(&kind)))));
    let layout = Layout { format: head.format, blocks: head.blocks, chain: head.chain, part, tables: tables.collect() };
    layout.check()?;
    Ok((whole, Value::Object(entries), layout))
}

fn kind(column: &Column) -> Kind {
    match column {
        Column::Numbers(_) => Kind::Number,
        Column::Counts(_) => Kind::Count,
        Column::Words(_) => Kind::Word,
    }
}

fn empty(kind: &Kind) -> Column {
    match kind {
        Kind::Number => Column::Numbers(Vec::new()),
        Kind::Count => Column::Counts(Vec::new()),
        Kind::Word => Column::Words(Vec::new()),
    }
}

/// The entries in which two descriptions differ, besides `part` if it is not to be compared.
pub(super) fn differences(then: &Value, now: &Value, with_part: bool) -> Vec<Difference> {
    let mut found = Vec::new();
    compare("", Some(then), Some(now), &mut found);
    found.retain(|difference| with_part || difference.entry != PART);
    found
}

fn compare(entry: &str, then: Option<&Value>, now: Option<&Value>, found: &mut Vec<Difference>) {
    match (then, now) {
        (Some(Value::Object(then)), Some(Value::Object(now))) => {
            let new = now.keys().filter(|key| !then.contains_key(*key));
            for key in then.keys().chain(new) {
                let entry = if entry.is_empty() { key.clone() } else { format!("{entry}.{key}") };
                compare(&entry, then.get(key), now.get(key), found);
            }
        }
        (Some(Value::Array(then)), Some(Value::Array(now))) if then.len() == now.len() => {
            for (place, (then, now)) in then.iter().zip(now).enumerate() {
                compare(&format!("{entry}[{place}]"), Some(then), Some(now), found);
            }
        }
        _ if then == now => {}
        _ => {
            let value = |value: Option<&Value>| value.map_or("absent".to_string(), short);
            found.push(Difference { entry: entry.to_string(), then: value(then), now: value(now) });
        }
    }
}

/// A value in few letters.
fn short(value: &Value) -> String {
    const MOST: usize = 40;
    let text = value.to_string();
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_named_with_their_values() {
        let then = json!({"a": 1, "b": {"c": [1, 2.5], "d": "x"}, "gone": true, "part": null});
        let now = json!({"a": 1, "b": {"c": [1, 3.5], "d": [1]}, "new": 1, "part": "1/2"});
        let words: Vec<String> = differences(&then, &now, false).iter().map(ToString::to_string).collect();
        let expected = [
            "`b.c[1]` was 2.5 and is now 3.5",
            "`b.d` was \"x\" and is now [1]",
            "`gone` was true and is now absent",
            "`new` was absent and is now 1",
        ];
        assert_eq!(words, expected);
        assert_eq!(differences(&then, &now, true).len(), 5);
        assert!(differences(&then, &then, true).is_empty());
    }

    #[test]
    fn long_values_are_cut_between_letters() {
        assert_eq!(short(&json!("ä".repeat(50))), format!("\"{}...", "ä".repeat(39)));
    }

    #[test]
    fn a_file_is_written_and_read() {
        let tables = vec![Frame::new("tasks", [("x", Column::Numbers(vec![])), ("w", Column::Words(vec![]))])];
        let layout = Layout { format: Format::Csv, blocks: 7, chain: 1, part: "2/3".parse().unwrap(), tables };
        let description = json!({"version": "0.1.0", "range": [0.1, 1e300, -0.0]});
        let whole = compose(&description, &layout).unwrap();
        assert_eq!(parse(text(&whole).as_bytes()).unwrap(), (whole, description, layout));
    }

    #[test]
    fn other_files_are_refused() {
        let tables = |name: &str| format!(r#"[{{"name":"{name}","columns":[["x","number"]]}}]"#);
        let head = |version, blocks, name: &str| {
            format!(
                r#"{{"store":{{"version":{version},"format":"csv","blocks":{blocks},"chain":1,"tables":{}}}}}"#,
                tables(name)
            )
        };
        assert!(parse(head(1, 2, "tasks").as_bytes()).is_ok());
        for (text, reason) in [
            ("{\"store\"".to_string(), "it is not JSON"),
            ("[]".to_string(), "it is not an object"),
            ("{}".to_string(), "it has no entry `store`"),
            (head(2, 2, "tasks"), "its store has version 2, not 1"),
            (head(1, 2, "../tasks"), "`../tasks` is not a name of a table"),
            (head(1, 1_000_000_000_000_u64, "tasks"), "a plan has at most"),
            (r#"{"store":{"version":1}}"#.to_string(), "its entry `store` is wrong"),
            (head(1, 2, "tasks").replacen('{', r#"{"part":3,"#, 1), "its entry `part` is wrong: 3"),
            (head(1, 2, "tasks").replacen('{', r#"{"part":"3/2","#, 1), "there is no part 3 of 2"),
        ] {
            let error = parse(text.as_bytes()).unwrap_err();
            assert!(error.contains(reason), "{error}");
        }
    }

    #[test]
    fn descriptions_that_are_no_objects_or_take_entries_are_refused() {
        let tables = vec![Frame::new("tasks", [("x", Column::Numbers(vec![]))])];
        let layout = Layout { format: Format::Csv, blocks: 7, chain: 1, part: Part::WHOLE, tables };
        for (wrong, reason) in [(json!(3), "object"), (json!({"part": 1}), "`part`"), (json!({"store": 1}), "`store`")]
        {
            assert!(compose(&wrong, &layout).unwrap_err().to_string().contains(reason));
        }
    }
}
