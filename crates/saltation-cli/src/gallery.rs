//! Which models come with Saltation? `saltation gallery`.

use crate::arguments::Gallery;
use crate::flag::cut;
use crate::input::suggestion;
use crate::outcome::{Outcome, Trouble, print};
use crate::table::{Row, Side, lines};
use saltation::model::{Mistake, gallery};
use serde_json::{Value, json};

/// Runs the command.
pub fn run(arguments: &Gallery) -> Outcome {
    match &arguments.name {
        Some(name) => one(name, arguments.json),
        None => list(arguments.json),
    }
}

/// The file of a model, exactly as it is.
fn one(name: &str, json: bool) -> Outcome {
    let Some(text) = gallery::find(name) else {
        let message = format!("the gallery has no model `{}`", cut(name));
        return Err(Trouble::input(Mistake::general(message).help(suggestion(name)), name));
    };
    print(|output| match json {
        true => writeln!(output, "{}", json!({ "name": name, "text": text })),
        false => output.write_all(text.as_bytes()),
    })
}

/// Names and titles.
fn list(json: bool) -> Outcome {
    let title = |name: &str| gallery::model(name)?.ok()?.title;
    let models: Vec<(&str, String)> =
        gallery::NAMES.iter().map(|&name| (name, title(name).unwrap_or_default())).collect();
    print(|output| {
        if json {
            let list: Vec<Value> = models.iter().map(|(name, title)| json!({ "name": name, "title": title })).collect();
            return writeln!(output, "{}", json!({ "models": list }));
        }
        let rows: Vec<Row> =
            models.iter().map(|(name, title)| Row::Cells(vec![name.to_string(), title.clone()])).collect();
        for line in lines(&[("model", Side::Left), ("what it is", Side::Left)], &rows) {
            writeln!(output, "{line}")?;
        }
        writeln!(output, "\nsaltation gallery NAME prints a file, saltation simulate NAME runs it")
    })
}
