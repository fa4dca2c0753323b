//! `saltation sweep`: flags, and their translation to a request.

use crate::asked::Asked;
use crate::driver::{self, deliver};
use crate::flag::{gather, refused};
use crate::given::Given;
use crate::input;
use crate::outcome::{Outcome, Trouble};
use crate::progress::Progress;
use clap::Command;
use saltation::registry::{Plain, read_value};
use saltation::sweep::{Request, Shown};
use saltation::{Folder, Mistakes, System};
use serde::de::DeserializeOwned;

/// What its help says.
pub(crate) fn describe(command: Command) -> Command {
    command
        .about("Record trajectories at many values of one or two parameters: bifurcation diagrams and maps")
        .after_help(
            "\
Examples:
  saltation sweep impact-oscillator --along A=0.34:0.37:600 --settle 400 --plot diagram.png
  saltation sweep impact-oscillator --along A=0.34:0.37:600 --carry down --ordinate impact_speed --plot down.svg
  saltation sweep relief-valve --along q=0.2:10:1000 --extremes y1 --ordinate max:y1 --plot valve.png
  saltation sweep impact-oscillator --along A=0.3:0.5:200 --along omega=0.7:0.9:200 --out map --plot map.png
  saltation sweep impact-oscillator --along A=0.3:0.5:200 --along omega=0.7:0.9:200 --out map --resume",
        )
}

/// The request of a question about many motions, and the folder of `--out`; mistakes in flags are added to the others.
pub(crate) fn recorded<T: DeserializeOwned + Default>(
    asked: Asked,
    given: Given,
    system: &System,
    wrong: &mut Vec<Mistakes>,
) -> (T, Option<Folder>) {
    let mut fields = asked.fields(system, wrong);
    let mut folder = given.file("out").map(Folder::new);
    if let Some(folder) = &mut folder {
        folder.resumes = given.is("resume");
        let format = fields.iter().find(|(name, _)| name == "format").map(|(_, value)| value.clone());
        let format = format.and_then(|format| read_value("format", format, system).ok());
        folder.format = format.unwrap_or(folder.format);
    }
    let folder = match (folder, given.text("part")) {
        (Some(folder), Some(part)) => gather(folder.part(part), wrong),
        (folder, _) => folder,
    };
    for (_, value) in fields.iter_mut().filter(|(name, _)| name == "extremes") {
        trim(value);
    }
    (read_value("request", Plain::Map(fields), system).unwrap_or_default(), folder)
}

/// Names may stand apart from their commas.
fn trim(value: &mut Plain) {
    match value {
        Plain::List(names) => names.iter_mut().for_each(trim),
        Plain::Text(name) => *name = name.trim().to_string(),
        _ => {}
    }
}

/// Runs the command.
pub(crate) fn run(given: Given) -> Outcome {
    let mut wrong = Vec::new();
    let system = input::read_numbers(given, &mut wrong)?;
    // A model that cannot be compiled has no other mistakes.
    system.compiled()?;
    let asked = Asked::new(given, "sweep", "sweep");
    let (request, folder): (Request, _) = recorded(asked, given, &system, &mut wrong);
    input::figure_file(given, "plot", &mut wrong);
    if wrong.is_empty() {
        let refusals = gather(request.refusals(&system), &mut wrong).unwrap_or_default();
        wrong.extend(refusals.iter().map(refused));
    }
    if !wrong.is_empty() {
        return Err(Trouble::Input(wrong));
    }
    let mut sweep = system.sweep();
    (sweep.request, sweep.folder, sweep.records) = (request, folder, given.is("json"));
    sweep.threads = input::threads(given);
    let shown = Shown { quantity: given.text("ordinate").map(str::to_string), overlays: given.files("overlay") };
    let mut progress = Progress::begin(given.is("quiet"));
    let swept = sweep.run_with(&mut progress).map_err(driver::trouble)?;
    progress.finish();
    deliver(given, &swept, Ok(()), |swept| swept.figure(&shown), Vec::new(), resumable(given))
}

/// Where the partial results of many motions are.
pub(crate) fn resumable(given: Given) -> Option<String> {
    given.file("out").map(|folder| format!("{}; --resume finishes it", folder.display()))
}
