//! `saltation report`: flags, and where the page is written.

use crate::arguments::{argument, positional};
use crate::flag::Flag;
use crate::given::Given;
use crate::messages;
use crate::outcome::{Outcome, Trouble, print};
use clap::Command;
use saltation::field::{Field, Kind};
use saltation::{Mistakes, replace_all, report_page};
use std::path::Path;

/// What its help says.
pub(crate) fn describe(command: Command) -> Command {
    command.about("Make one self-contained HTML page of the folder of a run: figures, tables, parameters, and how to repeat it").after_help(
        "\
Examples:
  saltation simulate bouncing-ball --until 5 --out results
  saltation report results
  saltation sweep impact-oscillator --along A=0.34:0.37:600 --settle 400 --out diagram
  saltation report diagram --out diagram.html",
    )
    .arg(positional(&FOLDER).required(true))
    .args(FLAGS.iter().map(argument))
}

const FOLDER: Field = Field::new(
    "folder",
    Kind::Folder,
    "DIR",
    "The folder that --out DIR has written: of any command, also of a run that ended early",
);

const FLAGS: [Field; 4] = [
    Field::new("out", Kind::File, "FILE", "The page").otherwise("report.html in the folder"),
    Field::switch(
        "stored",
        "Draw only what is stored. Otherwise a trajectory without stored samples is computed again, if that took 2 s at most",
    ),
    Field::switch("json", "Print one JSON object and nothing else"),
    Field::switch("quiet", "Print only errors"),
];

/// Runs the command.
pub(crate) fn run(given: Given) -> Outcome {
    let (folder, out) = (given.file("folder").unwrap_or(Path::new("")), given.file("out"));
    let file = out.map_or_else(|| folder.join(report_page::FILE), Path::to_path_buf);
    if let Some(mistakes) = out.and_then(mistake) {
        return Err(mistakes.into());
    }
    let request = report_page::Request { stored: given.is("stored"), ..report_page::Request::new(folder) };
    let made = request.page()?;
    if !given.is("quiet") && !given.is("json") {
        made.notes.iter().for_each(|note| messages::warn(note));
    }
    write(&file, &made.html)?;
    print(|output| match (given.is("json"), given.is("quiet")) {
        (true, _) => writeln!(output, "{}", made.summary(&file)),
        (_, true) => Ok(()),
        _ => writeln!(output, "{}", file.display()),
    })
}

/// The folder of a file.
fn parent(file: &Path) -> &Path {
    file.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."))
}

/// A mistake in the name of the page.
fn mistake(file: &Path) -> Option<Mistakes> {
    let typed = file.display().to_string();
    let flag = Flag::new("out", &typed);
    let ending = file.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    if file.is_dir() {
        Some(
            flag.mistake(
                "this is a folder, not a file",
                format!("write for example --out {typed}/{}", report_page::FILE),
            ),
        )
    } else if !ending.as_deref().is_some_and(|ending| ["html", "htm"].contains(&ending)) {
        Some(flag.mistake("the name of a page ends in .html", "write for example --out report.html"))
    } else if !parent(file).is_dir() {
        let message = format!("there is no folder `{}`", parent(file).display());
        Some(flag.mistake(message, "create it first, or choose another"))
    } else {
        None
    }
}

/// Writes the page completely or not at all.
fn write(file: &Path, html: &str) -> Outcome {
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    replace_all(parent(file), &[(name, html.to_string())]).map_err(|error| {
        let what = format!("the page {}", file.display());
        match Trouble::unwritten(&what, &error) {
            Trouble::Short(message) => Trouble::Short(format!("{message}; choose another file with --out FILE")),
            other => other,
        }
    })
}
