//! `saltation fit`: flags, and their translation to a request.

use crate::asked::Asked;
use crate::driver::{Question, trouble};
use crate::flag::{Flag, gather, refused};
use crate::given::Given;
use crate::input;
use crate::messages;
use crate::outcome::{Outcome, Trouble};
use clap::Command;
use saltation::fit::{Fit, Fitted, Request, read};
use saltation::replace_all;
use saltation::simulation::Columns;
use std::path::Path;

/// What its help says.
pub(crate) fn describe(command: Command) -> Command {
    command.about("Fit parameters and start values to measurements: times of impacts, samples of states, gaps, forces and formulas").after_help(
        "\
Columns are named by what they measure:
  time, x, gap:wall, force:wall, rate:v, energy   samples of states and other quantities
  x1 - x2, 1000*x + offset                        samples of formulas of states and parameters
  impact:ground, speed:ground                     times of impacts, and their closing speeds
  section:NAME, switch:NAME, release:wall ..      times of other events
  sigma:x                                         standard deviations of another column

Examples:
  saltation fit bouncing-ball --data impacts.csv --free e=0.5:0.9 --free g
  saltation fit impact-damper --data samples.csv --column 'a=rate:v' --sigma a=0.01 --free nu=0.5:1.5 --plot fit.svg
  saltation fit model.toml --data samples.csv --free mu=0:1 --free start.x --fitted fitted.toml",
    )
}

/// The columns of all files.
fn data(given: Given) -> Result<Columns, Trouble> {
    let mut all = Columns::default();
    for file in given.files("data") {
        for (name, column) in read(&file).map_err(trouble)?.0 {
            if all.get(&name).is_some() {
                let typed = file.display().to_string();
                let message = format!("the column `{name}` stands in two files");
                let mistake = Flag::new("data", &typed).mistake(message, "give every column a name of its own");
                return Err(Trouble::Input(vec![mistake]));
            }
            all.0.push((name, column));
        }
    }
    Ok(all)
}

/// Runs the command.
pub(crate) fn run(given: Given) -> Outcome {
    let mut wrong = Vec::new();
    let system = input::read_numbers(given, &mut wrong)?;
    // A model that cannot be compiled has no other mistakes.
    system.compiled()?;
    let request: Request = Asked::new(given, "fit", "fit").request(&system, &mut wrong).unwrap_or_default();
    input::figure_file(given, "plot", &mut wrong);
    let request = Request { data: data(given)?, ..request };
    let refusals = gather(request.refusals(&system), &mut wrong).unwrap_or_default();
    wrong.extend(refusals.iter().map(refused));
    if !wrong.is_empty() {
        return Err(Trouble::Input(wrong));
    }
    let fit = Fit { system, request };
    let question = Question { given, system: &fit.system, tolerance: Some(fit.request.tol) };
    let mut written = Ok(());
    let outcome = question.answer(
        |progress| {
            let fitted = fit.run_with(progress)?;
            written = write(given, &fitted);
            Ok(fitted)
        },
        Fitted::figure,
    );
    outcome.and(written)
}

/// Writes the fitted model.
fn write(given: Given, fitted: &Fitted) -> Outcome {
    let Some(file) = given.file("fitted") else { return Ok(()) };
    match &fitted.answer.fitted {
        Some(text) => {
            let unwritten =
                |error: std::io::Error| Trouble::Short(format!("`{}` cannot be written: {error}", file.display()));
            let folder = file.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
            let name = file.file_name().map(|name| name.to_string_lossy().to_string()).unwrap_or_default();
            replace_all(folder, &[(name, text.clone())]).map_err(unwritten)
        }
        None => {
            messages::warn(
                "no model was written: its file has no place for one of the start values; --start and --set of the report say the same",
            );
            Ok(())
        }
    }
}
