//! `saltation merge`: joins the parts of a sweep or a basin that several runs have computed.

use crate::outcome::{Outcome, Trouble, print};
use clap::Args;
use saltation::layers::sweep::store;
use saltation::{Mistake, Mistakes};
use std::path::PathBuf;

/// Join the parts of a sweep or a basin, as `--part` computes them
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  saltation sweep impact-oscillator --along A=0.34:0.37:1000 --part 1/2 --out first
  saltation sweep impact-oscillator --along A=0.34:0.37:1000 --part 2/2 --out second
  saltation merge first second --out whole
  saltation sweep impact-oscillator --along A=0.34:0.37:1000 --out whole --resume --plot diagram.png")]
pub(crate) struct Merge {
    /// The folders of all parts
    #[arg(value_name = "DIR", required = true)]
    pub folders: Vec<PathBuf>,
    /// The folder of the whole
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Print only errors
    #[arg(long)]
    pub quiet: bool,
}

/// Runs the command.
pub(crate) fn run(arguments: &Merge) -> Outcome {
    let whole = store::merge(&arguments.folders, &arguments.out).map_err(|error| {
        let mistake = Mistake::general(error.to_string()).help(error.help());
        Trouble::Input(vec![Mistakes { file: "command line".to_string(), text: String::new(), list: vec![mistake] }])
    })?;
    print(|output| match arguments.quiet {
        true => Ok(()),
        false => writeln!(
            output,
            "folders joined: {}; blocks in {2}: {1}; the same command with --resume draws and prints them",
            arguments.folders.len(),
            whole.done(),
            arguments.out.display()
        ),
    })
}
