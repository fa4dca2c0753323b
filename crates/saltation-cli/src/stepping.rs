//! How does the system move by steps of time? `saltation simulate --method moreau`.

use crate::answer_folder::AnswerFolder;
use crate::arguments::Simulate;
use crate::input::{self, Input};
use crate::naming::Naming;
use crate::outcome::{Outcome, Trouble, print};
use crate::path::Path;
use crate::plot::Shown;
use crate::progress::Progress;
use crate::samples::Sampler;
use crate::simulate::MOST_SAMPLES;
use crate::stepping_request::{self, Request};
use crate::{end_report, messages, number, phase_plane, sample_table, stepping_json, time_plot};
use saltation_model::{Mistake, Model};
use saltation_motion::stepping::{ActiveContact, SolverReport, Stepping, SteppingError};
use saltation_motion::{Ended, System};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::time::Instant;

/// How many steps are made between two looks at the clock.
const STEPS_PER_LOOK: u64 = 16;

/// What is simulated.
#[derive(Debug, Clone, Copy)]
pub struct Run<'a> {
    /// The model and its numbers.
    pub input: &'a Input,
    /// What was asked.
    pub request: &'a Request,
    /// The names of the states.
    pub naming: Naming<'a>,
}

/// What came of a motion.
#[derive(Debug)]
pub struct Stepped {
    /// How it ended.
    pub ended: Ended,
    /// When.
    pub time: f64,
    /// Where.
    pub state: Vec<f64>,
    /// What the contacts did in the last step.
    pub mode: String,
    /// The contacts of the last step.
    pub contacts: Vec<ActiveContact>,
    /// How well the laws of contact were solved.
    pub solver: SolverReport,
    path: Option<Path>,
    /// Samples one after another, each a time and then a state.
    samples: Vec<f64>,
}

impl Stepped {
    /// The samples that were kept.
    pub fn samples(&self) -> impl Iterator<Item = (f64, &[f64])> {
        self.samples.chunks_exact(1 + self.state.len()).map(|sample| (sample[0], &sample[1..]))
    }
}

/// Runs the command.
pub fn run(arguments: &Simulate) -> Outcome {
    let began = Instant::now();
    let shared = &arguments.shared;
    let mut mistakes = Vec::new();
    let mut input = input::read(shared, &mut mistakes)?;
    let request = stepping_request::read(arguments, &input, mistakes)?;
    input.tolerance = request.settings.tolerance;
    let input = input;
    let motion =
        Stepping::new(&input.model, &input.values, request.settings).map_err(|error| refusal(&input, &error))?;
    let names = names(&input.model);
    let run = Run { input: &input, request: &request, naming: Naming::new(&names, &input.values) };
    let mut folder = match &shared.out {
        Some(folder) => Some(AnswerFolder::create(folder, &input, run.naming, began)?),
        None => None,
    };
    let unwritten = |error: io::Error| Trouble::unwritten("the tables", &error);
    let mut table = match (&shared.out, &mut folder, request.every) {
        (Some(path), Some(folder), Some(_)) => {
            let head: Vec<String> =
                std::iter::once("time".to_string()).chain(run.naming.states().iter().cloned()).collect();
            folder.table("samples.csv", &head, &[]).map_err(unwritten)?;
            let file = OpenOptions::new().append(true).open(path.join("samples.csv")).map_err(unwritten)?;
            Some(csv::Writer::from_writer(file))
        }
        _ => None,
    };

    let mut progress = Progress::begin(shared.quiet);
    let (stepped, written) = follow(motion, run, arguments.plot.is_some(), &mut table, &mut progress);
    progress.finish();

    let completed = written.map_err(unwritten);
    let described = match &mut folder {
        Some(folder) => folder.finish(&stepping_json::answer(run, &stepped, false)).map_err(unwritten),
        None => Ok(()),
    };
    let drawn = match &arguments.plot {
        Some(file) => draw(file, run, &stepped),
        None => Ok(()),
    };
    let printed = print(|output| report(output, arguments, run, &stepped, began.elapsed().as_secs_f64()));
    if stepped.solver.capped > 0 {
        messages::warn(&stalled(run, &stepped));
    }
    completed.and(described).and(drawn).and(printed)?;
    if stepped.ended.is_complete() {
        return Ok(());
    }
    Err(Trouble::Short(ended_short(run, &stepped, folder.as_ref())))
}

/// A system of the states alone, which gives them their names: one with many contacts cannot be compiled for events.
fn names(model: &Model) -> System {
    System::new(&Model { contacts: Vec::new(), sections: Vec::new(), linear: false, ..model.clone() })
}

/// A model that this method does not know.
fn refusal(input: &Input, error: &SteppingError) -> Trouble {
    let held: String;
    let (place, help) = match error {
        SteppingError::Static(contact) => {
            held = format!("contacts.{contact}.friction.mu_static");
            (held.as_str(), "leave mu_static out, or leave --method moreau --step out")
        }
        SteppingError::Flow => ("flow", "leave --method moreau --step out: motions from event to event know flows"),
        SteppingError::Poisson => ("impacts.law", "write law = \"newton\", or leave --method moreau --step out"),
        SteppingError::TooLarge => ("matrices.M", "ask `saltation modes` about it, or use fewer elements"),
        SteppingError::Step(_) | SteppingError::Steps(_) => ("start", "choose another --step"),
    };
    let mistake: Mistake = input.model.mistake_at(place, error.to_string());
    Trouble::from(input.model.mistakes(vec![mistake.help(help)]))
}

/// Follows the motion to its end, until it is interrupted, or until its tables cannot be written any more.
fn follow(
    mut motion: Stepping,
    run: Run,
    draws: bool,
    table: &mut Option<csv::Writer<File>>,
    progress: &mut Progress,
) -> (Stepped, io::Result<()>) {
    let states = motion.state().len();
    let until = run.request.settings.until;
    let mut path = draws.then(|| Path::new(states));
    let mut sampler = run.request.every.map(|every| Sampler::new(every, states));
    let mut samples = Vec::new();
    let mut sample = |time: f64, state: &[f64]| match table {
        Some(table) => {
            let numbers = run.naming.state(state).map(|(_, value)| number::exact(value));
            Ok(table.write_record(std::iter::once(number::exact(time)).chain(numbers))?)
        }
        None if samples.len() < MOST_SAMPLES * (1 + states) => {
            samples.push(time);
            samples.extend_from_slice(state);
            Ok(())
        }
        None => Err(io::Error::other("there are more than 10 million samples; use --out DIR")),
    };
    let mut written = Ok(());
    while motion.advance() {
        if path.is_some() || sampler.is_some() {
            for piece in motion.pieces() {
                if let Some(path) = &mut path {
                    path.push(&piece, states);
                }
                if let Some(sampler) = &mut sampler {
                    written = written.and(sampler.step(&piece, &mut sample));
                }
            }
        }
        let time = motion.time();
        let steps = motion.solver().steps;
        let contacts = motion.contacts().len();
        let looks = steps.is_multiple_of(STEPS_PER_LOOK);
        let told = || format!("t = {time:.6}, {contacts} contacts");
        if written.is_err() || looks && !progress.tell(Some(time / until), told) {
            motion.interrupt();
        }
    }
    if let Some(sampler) = &mut sampler {
        written = written.and(sampler.finish(motion.time(), motion.state(), &mut sample));
    }
    if let Some(table) = table {
        written = written.and(table.flush());
    }
    let stepped = Stepped {
        // A motion that goes no further has ended.
        ended: motion.ended().cloned().unwrap_or(Ended::Interrupted),
        time: motion.time(),
        state: motion.state().to_vec(),
        mode: motion.mode_name(),
        contacts: motion.contacts().to_vec(),
        solver: *motion.solver(),
        path,
        samples,
    };
    (stepped, written)
}

/// Draws the figure of the motion.
fn draw(file: &std::path::Path, run: Run, motion: &Stepped) -> Outcome {
    let Run { input, request, naming } = run;
    let Some(path) = &motion.path else { return Ok(()) };
    let shown = Shown { input, naming, events: &[], time: motion.time, trajectory: &path.trajectory };
    let figure = match request.plane {
        Some(plane) => phase_plane::figure(shown, plane),
        None => time_plot::figure(shown),
    };
    let mut told = input.changed();
    told.push(format!("steps of {:e}", request.settings.step));
    figure.subtitle(told.join(", ")).save(file).map_err(|error| Trouble::Short(error.to_string()))?;
    if path.cut {
        let end = path.trajectory.span().map_or(0.0, |(_, end)| end);
        let end = number::short(end, 6);
        messages::warn(&format!("the figure shows the motion only up to t = {end}, because it has too many steps"));
    }
    Ok(())
}

/// The results on standard output.
fn report(output: &mut dyn Write, arguments: &Simulate, run: Run, motion: &Stepped, seconds: f64) -> io::Result<()> {
    let Run { input, request, naming } = run;
    let shared = &arguments.shared;
    let samples = request.every.is_some() && shared.out.is_none();
    if shared.json {
        return writeln!(output, "{}", stepping_json::answer(run, motion, samples));
    }
    if !shared.quiet {
        writeln!(output, "{}", input.headline())?;
        let changed = input.changed();
        if !changed.is_empty() {
            writeln!(output, "with   {}", changed.join(", "))?;
        }
        let why = request.default_end.as_ref().map(|why| format!(": {why}, as --until is not given"));
        let settings = &request.settings;
        writeln!(output, "until  t = {}{}", number::short(settings.until, 10), why.unwrap_or_default())?;
        writeln!(output, "step   {:e} (Moreau), laws of contact to {:e}\n", settings.step, settings.tolerance)?;
    }
    if samples {
        sample_table::write(output, naming, motion.time, motion.samples())?;
    }
    if shared.quiet {
        return Ok(());
    }
    if samples {
        writeln!(output)?;
    }
    for line in solved(motion) {
        writeln!(output, "{line}")?;
    }
    writeln!(output, "\nend    t = {}, {}", number::exact(motion.time), motion.mode)?;
    for line in end_report::state_lines(naming, &motion.state) {
        writeln!(output, "{line}")?;
    }
    let ended = motion.ended.describe(naming.system);
    writeln!(output, "ended  {ended} ({} s of computing)", number::short(seconds, 3))
}

/// What the steps were like.
fn solved(motion: &Stepped) -> Vec<String> {
    let solver = &motion.solver;
    let steps = number::count(solver.steps, "step");
    if solver.with_contact == 0 {
        return vec![format!("{steps} without any contact")];
    }
    let mean = solver.sweeps as f64 / solver.with_contact as f64;
    vec![
        format!(
            "{steps}, {} of them with contact, at most {} at once",
            solver.with_contact,
            number::count(solver.most_contacts as u64, "contact")
        ),
        format!(
            "{} sweeps over the contacts in such a step, at most {}; laws of contact hold to {}",
            number::short(mean, 3),
            solver.most_sweeps,
            number::short(solver.residual, 3)
        ),
        format!("deepest gap {}", number::short(-solver.penetration, 4)),
    ]
}

/// What is to be said where impulses were not found as well as was asked.
fn stalled(run: Run, motion: &Stepped) -> String {
    let solver = &motion.solver;
    format!(
        "in {} of {} steps the impulses were not found to {:e}: after {} sweeps the laws of contact hold to {} only",
        solver.capped,
        solver.steps,
        run.request.settings.tolerance,
        run.request.settings.most_sweeps,
        number::short(solver.residual, 3)
    )
}

/// Why the motion ended short.
fn ended_short(run: Run, motion: &Stepped, folder: Option<&AnswerFolder>) -> String {
    let saved = match folder {
        Some(folder) => format!("what was computed is saved in {}", folder.names()),
        None => "nothing was saved; --out DIR saves what is done".to_string(),
    };
    let ended = motion.ended.describe(run.naming.system);
    format!("the motion ended short at t = {}: {ended}\n  mode  {}\n  {saved}", number::exact(motion.time), motion.mode)
}
