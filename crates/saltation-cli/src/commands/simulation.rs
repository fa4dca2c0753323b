//! `saltation simulate`: flags, and their translation to a request.

use crate::asked::Asked;
use crate::commands::stepping;
use crate::driver::{deliver, destination, unwritten};
use crate::flag::{collect, gather, refused};
use crate::given::Given;
use crate::input;
use crate::outcome::{Outcome, Trouble};
use crate::progress::Progress;
use clap::Command;
use saltation::simulation::{Recorder, Recording, Request, quantities};
use saltation::sketch::time_refusals;
use saltation::{Mistakes, System};
use std::path::Path;

/// What its help says.
pub(crate) fn describe(command: Command) -> Command {
    command
        .about("Follow the trajectory from the initial condition through impacts, chattering, persistent contact and release")
        .after_help(
            "\
Examples:
  saltation simulate bouncing-ball --until 10
  saltation simulate double-pendulum --set T=-31.15 --until 20*pi --plot pendulum.png
  saltation simulate impact-oscillator --returns 50 --json
  saltation simulate two-wall-oscillator --plane y,w --plot plane.svg --out results
  saltation simulate impact-oscillator --returns 20000 --section phi --settle 100 --plane x,y --plot section.png
  saltation simulate double-pendulum --until 6 --sketch pendulum.png --sketch-times 0,1.5,3
  saltation simulate bouncing-disc --until 4 --every 0.1 --show force:floor,energy
  saltation simulate bouncing-ball --method moreau --step 1e-3",
        )
}

/// Runs the command: by events, or by time stepping with `--method moreau`.
pub(crate) fn choose(given: Given) -> Outcome {
    if stepping::is_meant(given)? { stepping::run(given) } else { run(given) }
}

fn run(given: Given) -> Outcome {
    let mut wrong = Vec::new();
    let system = input::read(given, &mut wrong)?;
    let plane = input::plane(given, &mut wrong);
    // A model that cannot be compiled has no other mistakes.
    system.compiled()?;
    let request = request(given, &system, plane.as_ref(), &mut wrong);
    if let (Some([x, y]), None) = (&plane, &request.passages) {
        gather(quantities(&system, [x, y]), &mut wrong);
    }
    if let (Some(flag), Some(_), None) = (given.flag("show"), &plane, given.text("every")) {
        let help = "leave out --plane or --show, or tabulate them by --every DT";
        wrong.push(flag.mistake("--plane draws two quantities, and no others", help));
    }
    wrong.extend(request.refusals(&system).iter().map(refused));
    let times = sketch_times(given, &system, request.until, &mut wrong);
    if !wrong.is_empty() {
        return Err(Trouble::Input(wrong));
    }
    let mut simulation = system.simulation();
    simulation.request = request;
    let destination = destination(given);
    let recording = destination.map(|destination| Recording::begin(&simulation, &destination));
    let mut recording = recording.transpose()?;
    let mut progress = Progress::begin(given.is("quiet"));
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
    let sketched = match given.file("sketch") {
        Some(file) => draw(&run, &times, file)?,
        None => Ok(()),
    };
    let plane = plane.as_ref().map(|[x, y]| [x.as_str(), y.as_str()]);
    let files = recording.as_ref().map(Recording::files);
    let figure = |run: &saltation::Run| run.figure(plane);
    deliver(given, &run, recorded.and(finished).and(sketched), figure, vec![unsaved.to_string()], files)
}

/// The request; mistakes in flags are added to the others.
fn request(given: Given, system: &System, plane: Option<&[String; 2]>, wrong: &mut Vec<Mistakes>) -> Request {
    let request: Request = Asked::new(given, "simulate", "simulate").request(system, wrong).unwrap_or_default();
    input::figure_file(given, "plot", wrong);
    input::figure_file(given, "sketch", wrong);
    let drawn = given.file("plot").is_some();
    // Of a section only the returns are drawn.
    let passages = plane.filter(|_| drawn && request.section.is_some()).cloned();
    let path = drawn && passages.is_none() || given.file("sketch").is_some();
    Request { all_events: given.is("json") || path, path, passages, ..request }
}

/// The times at which the mechanism is drawn; mistakes are added to the others, also that the model does not say how it looks.
fn sketch_times(given: Given, system: &System, until: Option<f64>, wrong: &mut Vec<Mistakes>) -> Vec<f64> {
    if given.file("sketch").is_some() {
        gather(system.required_sketch(), wrong);
    }
    let Some(flag) = given.flag("sketch_times") else { return Vec::new() };
    let mut times = Vec::new();
    let mut begin = 0;
    for part in flag.value().split(',') {
        times.extend(collect(flag.number_in(begin..begin + part.len(), system), wrong));
        begin += part.len() + 1;
    }
    wrong.extend(time_refusals(&times, until).iter().map(refused));
    times
}

/// Draws the mechanism. Times after a motion that ended early are a mistake, and a file that cannot be written is a trouble of its own.
fn draw(run: &saltation::Run, times: &[f64], file: &Path) -> Result<Outcome, Trouble> {
    let Some(figure) = run.sketch_figure(times)? else { return Ok(Ok(())) };
    Ok(figure.save(file).map_err(|error| Trouble::Short(error.to_string())))
}
