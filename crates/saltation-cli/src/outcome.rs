//! The outcome of a command: its exit code and its message.

use crate::messages;
use saltation::{Mistake, Mistakes};
use std::io;

/// Why a command did not complete.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The input is wrong: exit code 2.
    Input(Vec<Mistakes>),
    /// The computation, or the writing of its results, ended early: exit code 1.
    Short(String),
}

/// The result of a command.
pub(crate) type Outcome = Result<(), Trouble>;

impl Trouble {
    /// One mistake that belongs to no place in a text.
    pub(crate) fn input(mistake: Mistake, about: impl Into<String>) -> Trouble {
        Trouble::Input(vec![Mistakes { file: about.into(), text: String::new(), list: vec![mistake] }])
    }

    /// Results that could not be written.
    pub(crate) fn unwritten(what: &str, error: &io::Error) -> Trouble {
        Trouble::Short(format!("{what} could not be written: {error}"))
    }
}

impl From<Mistakes> for Trouble {
    fn from(mistakes: Mistakes) -> Trouble {
        Trouble::Input(vec![mistakes])
    }
}

/// Reports the failure and returns the exit code.
pub(crate) fn exit(outcome: Outcome) -> u8 {
    match outcome {
        Ok(()) => 0,
        Err(Trouble::Short(message)) => {
            messages::warn(&message);
            1
        }
        Err(Trouble::Input(mistakes)) => {
            messages::show(&mistakes);
            2
        }
    }
}

/// Writes results to standard output; a closed pipe (`| head`) is not a failure.
pub(crate) fn print(write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>) -> Outcome {
    let mut output = io::BufWriter::new(io::stdout().lock());
    let written = write(&mut output).and_then(|()| io::Write::flush(&mut output));
    if written.is_err() {
        // What is still in the buffer could not be written either: dropping it must not try again.
        let _ = output.into_parts();
    }
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Trouble::unwritten("the results", &error)),
        _ => Ok(()),
    }
}
