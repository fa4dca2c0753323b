//! `saltation simulate --method moreau`: translation of the flags to a request.

use crate::asked::{Asked, word};
use crate::driver::{deliver, destination, unwritten};
use crate::flag::{Flag, gather, refused};
use crate::given::Given;
use crate::input;
use crate::messages;
use crate::outcome::{Outcome, Trouble};
use crate::progress::Progress;
use saltation::field::Kind;
use saltation::registry::form;
use saltation::simulation::{Recorder, quantities};
use saltation::stepping::{Recording, Request};
use saltation::{Answered, Mistakes, Stepped, System};

/// Whether time stepping is requested instead of event-driven simulation.
///
/// # Errors
/// If the method is unknown, or a step is given to the wrong one.
pub(crate) fn is_meant(given: Given) -> Result<bool, Mistakes> {
    let method = given.flag("method");
    let words = form("simulate").and_then(|form| form.flag("method")).map(|field| field.kind);
    let moreau = match (method, words) {
        (Some(flag), Some(Kind::Word { words, otherwise })) => word(flag, words, otherwise)? == "moreau",
        _ => false,
    };
    if let Some(theta) = given.flag("theta").filter(|_| !moreau) {
        return Err(theta.mistake("theta is of time stepping", "add --method moreau --step H, or leave --theta out"));
    }
    match given.flag("step") {
        Some(step) if !moreau => {
            let help = "add --method moreau for time stepping, or bound the steps between events by --max-step";
            Err(step.mistake("event-driven simulation chooses its steps itself", help))
        }
        None if moreau => {
            let help = "add --step H, a time that is short compared with all times of the trajectory, e.g. --step 1e-3";
            Err(Flag::new("method", "moreau").mistake("time stepping needs the length of its steps", help))
        }
        _ => Ok(moreau),
    }
}

/// Runs the command.
pub(crate) fn run(given: Given) -> Outcome {
    let mut wrong = Vec::new();
    let system = input::read(given, &mut wrong)?;
    let plane = input::plane(given, &mut wrong);
    if let Some([x, y]) = &plane {
        gather(quantities(&system, [x, y]), &mut wrong);
    }
    input::figure_file(given, "plot", &mut wrong);
    let request = request(given, &system, &mut wrong);
    wrong.extend(inapplicable(given));
    if let Some(request) = &request {
        wrong.extend(request.refusals(&system).iter().map(refused));
    }
    let Some(request) = request.filter(|_| wrong.is_empty()) else {
        return Err(Trouble::Input(wrong));
    };
    let mut stepping = system.stepping(request.step);
    stepping.request = request;
    let destination = destination(given);
    let recording = destination.map(|destination| Recording::begin(&stepping, &destination));
    let mut recording = recording.transpose()?;
    let mut progress = Progress::begin(given.is("quiet"));
    let recorder = recording.as_mut().map(|recording| recording as &mut dyn Recorder);
    let stepped = stepping.record(recorder, &mut progress)?;
    progress.finish();
    let finished = recording.as_mut().map_or(Ok(()), |recording| recording.finish(&stepped)).map_err(unwritten);
    let recorded =
        stepped.recorded.clone().map_err(|why| Trouble::Short(format!("the tables could not be written: {why}")));
    if given.is("quiet") || given.is("json") {
        // A residual above the tolerance is reported in any case.
        stepped.warnings().iter().for_each(|warning| messages::warn(warning));
    }
    let plane = plane.as_ref().map(|[x, y]| [x.as_str(), y.as_str()]);
    let figure = |stepped: &Stepped| stepped.figure(plane);
    let unsaved = vec!["nothing was saved; --out DIR saves what is done".to_string()];
    let files = recording.as_ref().map(Recording::files);
    deliver(given, &stepped, recorded.and(finished), figure, unsaved, files)
}

/// The request, if a step can be read; mistakes in flags are added to the others.
fn request(given: Given, system: &System, wrong: &mut Vec<Mistakes>) -> Option<Request> {
    let asked = Asked::new(given, "simulate", "stepping");
    asked.value("policy", system, wrong);
    let request: Request = asked.request(system, wrong)?;
    Some(Request { path: given.file("plot").is_some(), ..request })
}

/// Mistakes for flags that apply to event-driven simulation only.
fn inapplicable(given: Given) -> Vec<Mistakes> {
    let section = "time stepping does not locate the crossings of sections";
    let flags = [
        ("sketch", "time stepping draws no mechanisms"),
        ("returns", section),
        ("section", section),
        ("show", "time stepping tabulates states only"),
        ("derivatives", "time stepping carries no derivatives"),
        ("settle", section),
        ("max_step", "time stepping has one length of steps, that of --step"),
        ("flow", "time stepping has one method for the flow"),
    ];
    let file = |name| given.file(name).map(|file| file.display().to_string());
    let mistake = |(name, message)| {
        let value = given.text(name).map(str::to_string).or_else(|| file(name))?;
        let flag = Flag::new(name, &value);
        Some(flag.mistake(message, format!("leave {} or --method moreau --step out", flag.name())))
    };
    flags.into_iter().filter_map(mistake).collect()
}
