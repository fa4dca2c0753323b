//! `saltation merge`: joins the parts of a sweep or a basin that several runs have computed.

use crate::arguments::{argument, positional};
use crate::given::Given;
use crate::outcome::{Outcome, Trouble, print};
use clap::Command;
use saltation::field::{Field, Kind};
use saltation::layers::sweep::store;
use saltation::{Mistake, Mistakes};
use std::path::Path;

/// What its help says.
pub(crate) fn describe(command: Command) -> Command {
    command
        .about("Join the parts of a sweep or a basin, as `--part` computes them")
        .after_help(
            "\
Examples:
  saltation sweep impact-oscillator --along A=0.34:0.37:1000 --part 1/2 --out first
  saltation sweep impact-oscillator --along A=0.34:0.37:1000 --part 2/2 --out second
  saltation merge first second --out whole
  saltation sweep impact-oscillator --along A=0.34:0.37:1000 --out whole --resume --plot diagram.png",
        )
        .arg(positional(&FOLDERS).required(true))
        .arg(argument(&OUT).required(true))
        .arg(argument(&QUIET))
}

const FOLDERS: Field = Field::new("folders", Kind::Folder, "DIR", "The folders of all parts").repeated();
const OUT: Field = Field::new("out", Kind::Folder, "DIR", "The folder of the whole");
const QUIET: Field = Field::switch("quiet", "Print only errors");

/// Runs the command.
pub(crate) fn run(given: Given) -> Outcome {
    let (folders, out) = (given.files("folders"), given.file("out").unwrap_or(Path::new("")));
    let whole = store::merge(&folders, out).map_err(|error| {
        let mistake = Mistake::general(error.to_string()).help(error.help());
        Trouble::Input(vec![Mistakes { file: "command line".to_string(), text: String::new(), list: vec![mistake] }])
    })?;
    print(|output| match given.is("quiet") {
        true => Ok(()),
        false => writeln!(
            output,
            "folders joined: {}; blocks in {2}: {1}; the same command with --resume draws and prints them",
            folders.len(),
            whole.done(),
            out.display()
        ),
    })
}
