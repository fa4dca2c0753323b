//! `saltation simulate`: flags, and their translation to a request.

use crate::driver::{deliver, destination, unwritten};
use crate::flag::{Flag, collect, gather, refused};
use crate::input::{self, Shared};
use crate::outcome::{Outcome, Trouble};
use crate::progress::Progress;
use clap::Args;
use saltation::simulation::{Recorder, Recording, Request, quantities};
use saltation::sketch::time_refusals;
use saltation::{Mistakes, System};
use std::path::{Path, PathBuf};

/// Follow the motion from the start state through impacts, chattering, sticking and release
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  saltation simulate bouncing-ball --until 10
  saltation simulate double-pendulum --set T=-31.15 --until 20*pi --plot pendulum.png
  saltation simulate impact-oscillator --returns 50 --json
  saltation simulate two-wall-oscillator --plane y,w --plot plane.svg --out results
  saltation simulate impact-oscillator --returns 20000 --section phi --settle 100 --plane x,y --plot section.png
  saltation simulate double-pendulum --until 6 --sketch pendulum.png --sketch-times 0,1.5,3
  saltation simulate bouncing-disc --until 4 --every 0.1 --show force:floor,energy
  saltation simulate bouncing-ball --method moreau --step 1e-3")]
pub(crate) struct Simulate {
    /// The model and the flags shared by all commands.
    #[command(flatten)]
    pub shared: Shared,
    /// End time: a number or a formula of parameters [default: 10 periods of the forcing, else 40]
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub until: Option<String>,
    /// Stop after this number of returns to the section
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub returns: Option<String>,
    /// The section at which --returns counts [default: the phase of the forcing, else the only section]
    #[arg(long, value_name = "NAME")]
    pub section: Option<String>,
    /// Tabulate the states at every multiple of this time
    #[arg(long, value_name = "DT", allow_hyphen_values = true)]
    pub every: Option<String>,
    /// The longest integration step
    #[arg(long, value_name = "DT", allow_hyphen_values = true)]
    pub max_step: Option<String>,
    /// Method for smooth motions: `exact` for linear models, or `taylor` for all [default: exact for linear models, but Taylor steps for large structures]
    #[arg(long, value_name = "HOW")]
    pub flow: Option<String>,
    /// Method for contacts: event-driven (`events`), or time stepping with any number of contacts (`moreau`),
    /// where --tol is the tolerance of the contact laws, 1e-6 by default [default: events]
    #[arg(long, value_name = "NAME")]
    pub method: Option<String>,
    /// The time step of --method moreau; the error is of first order in it
    #[arg(long, value_name = "H", allow_hyphen_values = true)]
    pub step: Option<String>,
    /// Draw the motion to this file (.svg, .pdf or .png)
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// Show these quantities as columns of --every and as panels of --plot: states, `gap:CONTACT`, `force:CONTACT`, `energy`
    #[arg(long, value_name = "NAME[,NAME..]", allow_hyphen_values = true)]
    pub show: Option<String>,
    /// Draw two quantities over each other instead of over time: states, or contacts for their gaps. With --section only
    /// where the motion returns to it, as points
    #[arg(long, value_name = "X,Y", requires = "plot", allow_hyphen_values = true)]
    pub plane: Option<String>,
    /// Draw the mechanism at some times to this file (.svg, .pdf or .png), as [sketch] of the model says
    #[arg(long, value_name = "FILE")]
    pub sketch: Option<PathBuf>,
    /// The times of --sketch: numbers or formulas of parameters [default: five, equally spaced up to the end]
    #[arg(long, value_name = "T[,T..]", requires = "sketch", allow_hyphen_values = true)]
    pub sketch_times: Option<String>,
    /// Leave out this number of first returns where the returns to a section are drawn
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub settle: Option<String>,
}

/// Runs the command.
pub(crate) fn run(arguments: &Simulate) -> Outcome {
    let shared = &arguments.shared;
    let mut wrong = Vec::new();
    let system = input::read(shared, &mut wrong)?;
    let plane = arguments.plane.as_ref().and_then(|text| input::plane(text, &mut wrong));
    // A model that cannot be compiled has no other mistakes.
    system.compiled()?;
    let request = request(arguments, &system, plane.as_ref(), &mut wrong);
    if let (Some([x, y]), None) = (&plane, &request.passages) {
        gather(quantities(&system, [x, y]), &mut wrong);
    }
    if let (Some(names), Some(_), None) = (&arguments.show, &plane, &arguments.every) {
        let help = "leave out --plane or --show, or tabulate them by --every DT";
        wrong.push(Flag::new("--show", names).mistake("--plane draws two quantities, and no others", help));
    }
    wrong.extend(request.refusals(&system).iter().map(refused));
    let times = sketch_times(arguments, &system, request.until, &mut wrong);
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
    let sketched = match &arguments.sketch {
        Some(file) => draw(&run, &times, file)?,
        None => Ok(()),
    };
    let plane = plane.as_ref().map(|[x, y]| [x.as_str(), y.as_str()]);
    let files = recording.as_ref().map(Recording::files);
    let figure = |run: &saltation::Run| run.figure(plane);
    deliver(
        shared,
        arguments.plot.as_deref(),
        &run,
        recorded.and(finished).and(sketched),
        figure,
        vec![unsaved.to_string()],
        files,
    )
}

/// The request; mistakes in flags are added to the others.
fn request(arguments: &Simulate, system: &System, plane: Option<&[String; 2]>, wrong: &mut Vec<Mistakes>) -> Request {
    let shared = &arguments.shared;
    let default = Request::default();
    let tol = input::tolerance(shared, system, default.tol, wrong);
    let drawn = arguments.plot.is_some();
    // Of a section only the returns are drawn.
    let passages = plane.filter(|_| drawn && arguments.section.is_some()).cloned();
    let path = drawn && passages.is_none() || arguments.sketch.is_some();
    let show = arguments.show.iter().flat_map(|names| names.split(',')).map(str::to_string).collect();
    let request = Request {
        until: input::number("--until", arguments.until.as_ref(), system, wrong),
        every: input::number("--every", arguments.every.as_ref(), system, wrong),
        max_step: input::number("--max-step", arguments.max_step.as_ref(), system, wrong),
        returns: input::count("--returns", arguments.returns.as_ref(), wrong),
        section: arguments.section.clone(),
        flow: input::flow(arguments.flow.as_ref(), wrong),
        tol,
        policy: input::policy(shared, wrong),
        all_events: shared.json || path,
        path,
        show,
        passages,
        settle: input::count("--settle", arguments.settle.as_ref(), wrong).unwrap_or(0),
    };
    input::figure_file(arguments.plot.as_ref(), wrong);
    input::figure_file_of("--sketch", arguments.sketch.as_ref(), wrong);
    request
}

/// The times at which the mechanism is drawn; mistakes are added to the others, also that the model does not say how it looks.
fn sketch_times(arguments: &Simulate, system: &System, until: Option<f64>, wrong: &mut Vec<Mistakes>) -> Vec<f64> {
    if arguments.sketch.is_some() {
        gather(system.required_sketch(), wrong);
    }
    let Some(typed) = &arguments.sketch_times else { return Vec::new() };
    let flag = Flag::new("--sketch-times", typed);
    let mut times = Vec::new();
    let mut begin = 0;
    for part in typed.split(',') {
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
