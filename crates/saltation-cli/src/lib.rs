//! The command `saltation`: reads a question from flags and prints the answer of the library.
//!
//! [`run`] is the whole command. The program `saltation` calls it, and so does the Python package, which brings the command along.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod arguments;
mod asked;
mod axis;
mod bench;
mod commands;
mod driver;
mod flag;
mod given;
mod input;
mod messages;
mod outcome;
mod papers;
mod progress;
mod span;
mod typed;

use clap::ArgMatches;
use commands::COMMANDS;
use given::Given;
use outcome::{Outcome, Trouble};
use saltation::Mistake;
use std::ffi::OsString;

/// Runs the command with the words that follow the name of the program, and returns its exit code: 0 done, 1 ended early, 2 wrong input.
///
/// Answers go to standard output, messages and progress to standard error. While something long is computed, the first Ctrl-C, or
/// signal to terminate or hang up, ends it with what is done; the second one ends the process with the code 130. The handler of these signals stays when the
/// command is done. One command at a time: signals interrupt the one that began last.
///
/// ```
/// let words = ["check", "bouncing-ball", "--quiet"];
/// assert_eq!(saltation_cli::run(words.map(Into::into)), 0);
/// assert_eq!(saltation_cli::run(["check", "no-such-model"].map(Into::into)), 2);
/// ```
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let words: Vec<OsString> = arguments.into_iter().collect();
    typed::keep(&words);
    let program = std::iter::once(OsString::from("saltation"));
    match arguments::program().try_get_matches_from(program.chain(words)) {
        Ok(read) => outcome::exit(choose(read.get_flag("portable")).and_then(|()| answer(&read))),
        Err(instead) => {
            // Help and the version, or mistakes in flags; a closed stream is ignored.
            let _ = instead.print();
            u8::try_from(instead.exit_code()).unwrap_or(2)
        }
    }
}

/// `--portable`, before anything is computed.
fn choose(portable: bool) -> Outcome {
    let chosen = if portable { saltation::portable::choose(true) } else { Ok(()) };
    chosen.map_err(|error| {
        let mistake = Mistake::general(format!("--portable comes too late: {error}"));
        Trouble::input(mistake.help("give it with the first command of a process"), "--portable")
    })
}

fn answer(read: &ArgMatches) -> Outcome {
    // Clap has refused what is no command.
    let Some((name, given)) = read.subcommand() else { return Ok(()) };
    let found = COMMANDS.iter().find(|(command, ..)| *command == name);
    found.map_or(Ok(()), |(_, _, run)| run(Given::new(given)))
}
