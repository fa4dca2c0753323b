//! `saltation simulate --method moreau`: translation of the flags to a request.

use crate::commands::simulation::Simulate;
use crate::driver::{deliver, destination, unwritten};
use crate::flag::{Flag, cut, gather, refused};
use crate::input;
use crate::messages;
use crate::outcome::{Outcome, Trouble};
use crate::progress::Progress;
use saltation::simulation::{Recorder, quantities};
use saltation::stepping::{Recording, Request};
use saltation::{Answered, Mistakes, Stepped, System};

/// Whether time stepping is requested instead of event-driven simulation.
///
/// # Errors
/// If the method is unknown, or a step is given to the wrong one.
pub(crate) fn is_meant(arguments: &Simulate) -> Result<bool, Mistakes> {
    let moreau = match arguments.method.as_deref() {
        Some("moreau") => true,
        None | Some("events") => false,
        Some(other) => {
            let message = format!("--method is `events` or `moreau`, not `{}`", cut(other));
            let help = "without this flag simulation is event-driven; --method moreau --step H selects time stepping";
            return Err(Flag::new("--method", other).mistake(message, help));
        }
    };
    match &arguments.step {
        Some(step) if !moreau => {
            let help = "add --method moreau for time stepping, or bound the steps between events by --max-step";
            Err(Flag::new("--step", step).mistake("event-driven simulation chooses its steps itself", help))
        }
        None if moreau => {
            let help = "add --step H, a time that is short compared with all times of the motion, e.g. --step 1e-3";
            Err(Flag::new("--method", "moreau").mistake("time stepping needs the length of its steps", help))
        }
        _ => Ok(moreau),
    }
}

/// Runs the command.
pub(crate) fn run(arguments: &Simulate) -> Outcome {
    let shared = &arguments.shared;
    let mut wrong = Vec::new();
    let system = input::read(shared, &mut wrong)?;
    let plane = arguments.plane.as_ref().and_then(|text| input::plane(text, &mut wrong));
    if let Some([x, y]) = &plane {
        gather(quantities(&system, [x, y]), &mut wrong);
    }
    input::figure_file(arguments.plot.as_ref(), &mut wrong);
    let request = request(arguments, &system, &mut wrong);
    wrong.extend(inapplicable(arguments));
    if let Some(request) = &request {
        wrong.extend(request.refusals(&system).iter().map(refused));
    }
    let Some(request) = request.filter(|_| wrong.is_empty()) else {
        return Err(Trouble::Input(wrong));
    };
    let mut stepping = system.stepping(request.step);
    stepping.request = request;
    let destination = destination(shared);
    let recording = destination.map(|destination| Recording::begin(&stepping, &destination));
    let mut recording = recording.transpose()?;
    let mut progress = Progress::begin(shared.quiet);
    let recorder = recording.as_mut().map(|recording| recording as &mut dyn Recorder);
    let stepped = stepping.record(recorder, &mut progress)?;
    progress.finish();
    let finished = recording.as_mut().map_or(Ok(()), |recording| recording.finish(&stepped)).map_err(unwritten);
    let recorded =
        stepped.recorded.clone().map_err(|why| Trouble::Short(format!("the tables could not be written: {why}")));
    if shared.quiet || shared.json {
        // A residual above the tolerance is reported in any case.
        stepped.warnings().iter().for_each(|warning| messages::warn(warning));
    }
    let plane = plane.as_ref().map(|[x, y]| [x.as_str(), y.as_str()]);
    let figure = |stepped: &Stepped| stepped.figure(plane);
    let unsaved = vec!["nothing was saved; --out DIR saves what is done".to_string()];
    let files = recording.as_ref().map(Recording::files);
    deliver(shared, arguments.plot.as_deref(), &stepped, recorded.and(finished), figure, unsaved, files)
}

/// The request, if a step can be read; mistakes in flags are added to the others.
fn request(arguments: &Simulate, system: &System, wrong: &mut Vec<Mistakes>) -> Option<Request> {
    let shared = &arguments.shared;
    input::policy(shared, wrong);
    let until = input::number("--until", arguments.until.as_ref(), system, wrong);
    let every = input::number("--every", arguments.every.as_ref(), system, wrong);
    let tol = input::number("--tol", shared.tol.as_ref(), system, wrong);
    let step = input::number("--step", arguments.step.as_ref(), system, wrong)?;
    Some(Request { until, every, tol, path: arguments.plot.is_some(), ..Request::new(step) })
}

/// Mistakes for flags that apply to event-driven simulation only.
fn inapplicable(arguments: &Simulate) -> Vec<Mistakes> {
    let sketch = arguments.sketch.as_ref().map(|file| file.display().to_string());
    let flags = [
        ("--sketch", &sketch, "time stepping draws no mechanisms"),
        ("--returns", &arguments.returns, "time stepping does not locate the crossings of sections"),
        ("--section", &arguments.section, "time stepping does not locate the crossings of sections"),
        ("--show", &arguments.show, "time stepping tabulates states only"),
        ("--settle", &arguments.settle, "time stepping does not locate the crossings of sections"),
        ("--max-step", &arguments.max_step, "time stepping has one length of steps, that of --step"),
        ("--flow", &arguments.flow, "time stepping has one method for the flow"),
    ];
    let typed =
        flags.into_iter().filter_map(|(name, value, message)| Some((Flag::new(name, value.as_ref()?), message)));
    typed
        .map(|(flag, message)| flag.mistake(message, format!("leave {} or --method moreau --step out", flag.name())))
        .collect()
}
