//! `saltation report`: flags, and where the page is written.

use crate::flag::Flag;
use crate::messages;
use crate::outcome::{Outcome, Trouble, print};
use clap::Args;
use saltation::{Mistakes, page, replace_all};
use std::path::{Path, PathBuf};

/// Make one self-contained HTML page of the folder of a run: figures, tables, parameters, and how to repeat it
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  saltation simulate bouncing-ball --until 5 --out results
  saltation report results
  saltation sweep impact-oscillator --along A=0.34:0.37:600 --settle 400 --out diagram
  saltation report diagram --out diagram.html")]
pub(crate) struct Report {
    /// The folder that --out DIR has written: of any command, also of a run that ended early
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// The page [default: report.html in the folder]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Draw only what is stored. Otherwise a motion without stored samples is computed again, if that took 2 s at most
    #[arg(long)]
    pub stored: bool,
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub json: bool,
    /// Print only errors
    #[arg(long)]
    pub quiet: bool,
}

/// Runs the command.
pub(crate) fn run(arguments: &Report) -> Outcome {
    let file = arguments.out.clone().unwrap_or_else(|| arguments.folder.join(page::FILE));
    if let Some(mistakes) = arguments.out.as_deref().and_then(mistake) {
        return Err(mistakes.into());
    }
    let request = page::Request { stored: arguments.stored, ..page::Request::new(&arguments.folder) };
    let made = request.page()?;
    if !arguments.quiet && !arguments.json {
        made.notes.iter().for_each(|note| messages::warn(note));
    }
    write(&file, &made.html)?;
    print(|output| match (arguments.json, arguments.quiet) {
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
    let flag = Flag::new("--out", &typed);
    let ending = file.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    if file.is_dir() {
        Some(flag.mistake("this is a folder, not a file", format!("write for example --out {typed}/{}", page::FILE)))
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
