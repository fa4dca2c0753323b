//! `saltation gallery`: the models that come with Saltation, and structures of any size.

use crate::arguments::{argument, positional};
use crate::flag::{Flag, collect, cut};
use crate::given::Given;
use crate::outcome::{Outcome, Trouble, print};
use clap::Command;
use saltation::columns::{Row, Side, lines};
use saltation::field::{Field, Kind, Of};
use saltation::layers::model::gallery::structure;
use saltation::layers::model::matrices::MOST_DEGREES;
use saltation::{Mistake, Mistakes, gallery, replace_all, suggestion};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// What its help says.
pub(crate) fn describe(command: Command) -> Command {
    command
        .about("List the models that come with Saltation, print one, or write a structure of any size")
        .after_help(
            "\
Examples:
  saltation gallery impact-oscillator > mine.toml
  saltation gallery bar --elements 400 --out structures",
        )
        .arg(positional(&NAME))
        .args(FLAGS.iter().map(argument))
}

const NAME: Field = Field::new("name", Kind::Name { of: Of::Model }, "NAME", "The model to print");

const FLAGS: [Field; 3] = [
    Field::whole(
        "elements",
        1,
        Some(MOST_DEGREES as u64),
        "N",
        "Write the chain or the bar with this number of elements, as a model and its matrices",
    )
    .with(&["name"]),
    Field::new("out", Kind::Folder, "DIR", "The folder to which --elements writes").with(&["elements"]),
    Field::switch("json", "Print one JSON object and nothing else"),
];

/// Runs the command.
pub(crate) fn run(given: Given) -> Outcome {
    match (given.text("name"), given.flag("elements")) {
        (Some(name), Some(elements)) => made(name, elements, given.file("out"), given.is("json")),
        (Some(name), None) => one(name, given.is("json")),
        (None, _) => list(given.is("json")),
    }
}

/// Writes a structure of any size, all its files or none.
fn made(name: &str, elements: Flag, out: Option<&Path>, json: bool) -> Outcome {
    let mut mistakes = Vec::new();
    if gallery::find(name).is_none() {
        return Err(unknown(name));
    }
    let count = collect(elements.count_between(1, MOST_DEGREES as u64), &mut mistakes);
    if !structure::NAMES.contains(&name) {
        let mistake = Mistake::general(format!("the model `{}` has one size only", cut(name)));
        let help = format!("--elements goes with {}", structure::NAMES.join(" and "));
        mistakes.push(Mistakes { file: name.to_string(), text: String::new(), list: vec![mistake.help(help)] });
    }
    if out.is_none() {
        let mistake = Mistake::general("--elements writes files, and no folder is given for them");
        let help = format!("add for example --out {name}s");
        mistakes.push(Mistakes { file: name.to_string(), text: String::new(), list: vec![mistake.help(help)] });
    }
    let (Some(count), Some(folder), true) = (count, out, mistakes.is_empty()) else {
        return Err(Trouble::Input(mistakes));
    };
    let generated = structure::generate(name, count as usize).unwrap_or_else(|| structure::chain(count as usize));
    let generated = generated.map_err(|mistake| Trouble::input(mistake, name))?;
    let written = fs::create_dir_all(folder).and_then(|()| replace_all(folder, &generated.files));
    written.map_err(|error| saltation::unwritable(folder, &error))?;
    let paths = generated.files.iter().map(|(file, _)| folder.join(file).display().to_string());
    let paths: Vec<String> = paths.collect();
    let next = format!("saltation modes {}", paths[0]);
    print(|output| match json {
        true => writeln!(output, "{}", json!({ "name": generated.name, "files": paths, "next": next })),
        false => writeln!(output, "wrote {}\nnext: {next}", paths.join(", ")),
    })
}

fn unknown(name: &str) -> Trouble {
    let message = format!("the gallery has no model `{}`", cut(name));
    Trouble::input(Mistake::general(message).help(suggestion(name)), name)
}

/// The file of a model, exactly as it is.
fn one(name: &str, json: bool) -> Outcome {
    let Some(text) = gallery::find(name) else {
        return Err(unknown(name));
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
        writeln!(output, "\nsaltation gallery NAME prints a file, saltation simulate NAME runs it")?;
        let names = structure::NAMES.join(" and ");
        writeln!(output, "saltation gallery NAME --elements N --out DIR writes {names} in any size")
    })
}
