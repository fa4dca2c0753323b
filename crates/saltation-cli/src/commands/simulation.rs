//! `saltation simulate`: its flags as a request.

use crate::arguments::Simulate;
use crate::commands::stepping;
use crate::driver::{deliver, destination, unwritten};
use crate::flag::{gather, refused};
use crate::input;
use crate::outcome::{Outcome, Trouble};
use crate::progress::Progress;
use saltation::simulation::{Recorder, Recording, Request, quantities};
use saltation::{Mistakes, System};

/// Runs the command.
pub fn run(arguments: &Simulate) -> Outcome {
    if stepping::is_meant(arguments)? {
        return stepping::run(arguments);
    }
    let shared = &arguments.shared;
    let mut wrong = Vec::new();
    let system = input::read(shared, &mut wrong)?;
    let plane = arguments.plane.as_ref().and_then(|text| input::plane(text, &mut wrong));
    // A model that cannot be compiled has no other mistakes.
    system.compiled()?;
    let request = request(arguments, &system, &mut wrong);
    if let Some([x, y]) = &plane {
        gather(quantities(&system, [x, y]), &mut wrong);
    }
    wrong.extend(request.refusals(&system).iter().map(refused));
    if !wrong.is_empty() {
        return Err(Trouble::Input(wrong));
    }
    let mut simulation = system.simulation();
    simulation.request = request;
    let destination = destination(shared);
    let recording = destination.map(|destination| Recording::begin(&simulation, &destination));
    let mut recording = recording.transpose()?;
    let mut progress = Progress::begin(shared.quiet);
    let recorder = recording.as_mut().map(|recording| recording as &mut dyn Recorder);
    let run = simulation.record(recorder, &mut progress)?;
    progress.finish();
    let finished = recording.as_mut().map_or(Ok(()), |recording| recording.finish(&run)).map_err(unwritten);
    let recorded =
        run.recorded.clone().map_err(|why| Trouble::Short(format!("the tables could not be written: {why}")));
    let unsaved = match run.ended.as_str() {
        "interrupted" => "nothing was saved; --out DIR saves what is done",
        _ => "nothing was saved; add --out DIR to keep the events up to there",
    };
    let plane = plane.as_ref().map(|[x, y]| [x.as_str(), y.as_str()]);
    let files = recording.as_ref().map(Recording::files);
    let figure = |run: &saltation::Run| run.figure(plane);
    deliver(shared, arguments.plot.as_deref(), &run, recorded.and(finished), figure, vec![unsaved.to_string()], files)
}

/// The request; mistakes in flags are added to the others.
fn request(arguments: &Simulate, system: &System, wrong: &mut Vec<Mistakes>) -> Request {
    let shared = &arguments.shared;
    let default = Request::default();
    let tol = input::tolerance(shared, system, default.tol, wrong);
    let request = Request {
        until: input::number("--until", arguments.until.as_ref(), system, wrong),
        every: input::number("--every", arguments.every.as_ref(), system, wrong),
        max_step: input::number("--max-step", arguments.max_step.as_ref(), system, wrong),
        returns: input::count("--returns", arguments.returns.as_ref(), wrong),
        section: arguments.section.clone(),
        flow: input::flow(arguments.flow.as_ref(), wrong),
        tol,
        policy: input::policy(shared, wrong),
        all_events: shared.json || arguments.plot.is_some(),
        path: arguments.plot.is_some(),
    };
    input::figure_file(arguments.plot.as_ref(), wrong);
    request
}
