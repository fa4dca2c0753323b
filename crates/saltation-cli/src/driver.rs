//! The common procedure of all questions: compute, show progress, save, draw, print, and report how the computation ended.

use crate::flag;
use crate::given::Given;
use crate::messages;
use crate::outcome::{Outcome, Trouble, print};
use crate::progress::Progress;
use crate::typed;
use saltation::{AnswerFolder, Answered, Destination, Error, Figure, System};

/// The folder of `--out`, with the command that writes to it.
pub(crate) fn destination(given: Given) -> Option<Destination> {
    given.file("out").map(|folder| Destination { folder: folder.to_path_buf(), command: typed::words() })
}

/// An error of the library as an outcome of the command.
pub(crate) fn trouble(error: Error) -> Trouble {
    match error {
        Error::Ended { lines, .. } => Trouble::Short(lines.join("\n  ")),
        error => Trouble::Input(flag::mistakes(&error)),
    }
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Trouble {
        trouble(error)
    }
}

/// A question: the system, its accuracy, and the output.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Question<'a> {
    /// The flags.
    pub given: Given<'a>,
    /// The system.
    pub system: &'a System,
    /// The tolerance of one step, where the question has one.
    pub tolerance: Option<f64>,
}

impl Question<'_> {
    /// Computes the answer and delivers it.
    pub(crate) fn answer<A: Answered>(
        self,
        ask: impl FnOnce(&mut Progress) -> Result<A, Error>,
        figure: impl FnOnce(&A) -> Result<Option<Figure>, Error>,
    ) -> Outcome {
        let mut progress = Progress::begin(self.given.is("quiet"));
        let destination = destination(self.given);
        let folder = destination.map(|destination| AnswerFolder::begin(&destination, self.system, self.tolerance));
        let mut folder = folder.transpose().map_err(trouble)?;
        let answered = ask(&mut progress).map_err(trouble)?;
        progress.finish();
        let saved = folder.as_mut().map_or(Ok(()), |folder| folder.write(&answered)).map_err(unwritten);
        let files = folder.map(|folder| folder.names());
        deliver(self.given, &answered, saved, figure, Vec::new(), files)
    }
}

/// Results that could not be written are not a mistake of the input.
pub(crate) fn unwritten(error: Error) -> Trouble {
    Trouble::Short(format!("the tables could not be written: {error}"))
}

/// Warns, draws, prints, and reports where and why a computation ended early; then `unsaved` is added if nothing was written.
pub(crate) fn deliver<A: Answered>(
    given: Given,
    answered: &A,
    saved: Outcome,
    figure: impl FnOnce(&A) -> Result<Option<Figure>, Error>,
    unsaved: Vec<String>,
    files: Option<String>,
) -> Outcome {
    let plot = given.file("plot");
    if !given.is("quiet") && !given.is("json") {
        answered.warnings().iter().for_each(|warning| messages::warn(warning));
    }
    let figure = plot.map(|_| figure(answered)).transpose().map_err(trouble)?.flatten();
    let drawn = match (plot, &figure) {
        (Some(file), Some(figure)) => figure.save(file).map_err(|error| Trouble::Short(error.to_string())),
        _ => Ok(()),
    };
    if let Some(kept) = given.keeps() {
        kept.replace(answered.json());
    }
    let printed = print(|output| {
        if given.keeps().is_some() {
            return Ok(());
        }
        if given.is("json") {
            return writeln!(output, "{}", answered.json());
        }
        let lines = if given.is("quiet") { answered.asked_lines() } else { answered.report() };
        lines.iter().try_for_each(|line| writeln!(output, "{line}"))
    });
    saved.and(drawn).and(printed)?;
    let ending = answered.ending();
    let undrawn = (plot.is_some() && figure.is_none()).then_some("no figure was drawn: there is nothing to draw");
    if ending.complete {
        undrawn.iter().for_each(|message| messages::warn(message));
        return Ok(());
    }
    let mut lines = ending.lines;
    lines.extend(undrawn.map(str::to_string));
    match files {
        Some(files) => lines.push(format!("partial results are saved in {files}")),
        None => lines.extend(unsaved),
    }
    Err(Trouble::Short(lines.join("\n  ")))
}
