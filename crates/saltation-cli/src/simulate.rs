//! How does the system move? `saltation simulate`.

use crate::arguments::Simulate;
use crate::event_log::EventLog;
use crate::input::{self, Input};
use crate::naming::Naming;
use crate::number;
use crate::outcome::{Outcome, Trouble, print};
use crate::output_folder::{OutputFolder, Run};
use crate::path::Path;
use crate::plot;
use crate::progress::Progress;
use crate::request::{self, Request};
use crate::samples::Sampler;
use crate::{end_report, event_table, json, messages, sample_table, stepping, stepping_request};
use saltation_motion::{ClosedSet, Ended, Happening, Misses, Motion, Policy};
use std::io::{self, Write};

/// The most samples that are kept; a motion until its N-th return may have any number.
pub const MOST_SAMPLES: usize = 10_000_000;

/// What came of a motion, as far as it was to be kept.
#[derive(Debug)]
pub struct Simulated {
    /// Its events.
    pub log: EventLog,
    /// Its path, if a figure needs it.
    pub path: Option<Path>,
    /// How it ended.
    pub ended: Ended,
    /// When.
    pub time: f64,
    /// Where.
    pub state: Vec<f64>,
    /// The contacts closed at the end.
    pub closed: ClosedSet,
    /// The verdicts on near misses.
    pub misses: Misses,
    /// Samples one after another, each a time and then a state.
    samples: Vec<f64>,
}

impl Simulated {
    /// The samples that were kept.
    pub fn samples(&self) -> impl Iterator<Item = (f64, &[f64])> {
        self.samples.chunks_exact(1 + self.state.len()).map(|sample| (sample[0], &sample[1..]))
    }
}

/// Runs the command.
pub fn run(arguments: &Simulate) -> Outcome {
    if stepping_request::is_meant(arguments)? {
        return stepping::run(arguments);
    }
    let shared = &arguments.shared;
    let mut mistakes = Vec::new();
    let input = input::read(shared, &mut mistakes)?;
    let system = input::system(&input)?;
    let request = request::read(arguments, &input, &system, mistakes)?;
    let naming = Naming::new(&system, &input.values);
    let motion = Motion::new(&system, &input.values, request.settings)
        .map_err(|error| request::start_mistake(&input, &error))?;
    // A motion of which only the events are wanted may leap from one to the next.
    let whole = arguments.plot.is_some() || request.every.is_some();
    let motion = if whole { motion } else { motion.without_path() };
    let run = Run { input: &input, request: &request, naming };
    let mut folder = shared.out.as_deref().map(|folder| OutputFolder::create(folder, run)).transpose()?;

    let mut progress = Progress::begin(shared.quiet);
    let keep = Keep { all_events: shared.json || arguments.plot.is_some(), path: arguments.plot.is_some() };
    let (simulated, written) = follow(motion, run, keep, folder.as_mut(), &mut progress);
    progress.finish();

    if !shared.quiet && !shared.json {
        simulated.log.warnings(naming).iter().for_each(|warning| messages::warn(warning));
    }
    let completed = match &mut folder {
        Some(folder) => written.and_then(|()| folder.finish(run, &simulated, progress.elapsed())),
        None => written,
    };
    let completed = completed.map_err(|error| Trouble::unwritten("the tables", &error));
    let drawn = match &arguments.plot {
        Some(file) => plot::save(file, run, &simulated),
        None => Ok(()),
    };
    let printed = print(|output| report(output, arguments, run, &simulated, progress.elapsed().as_secs_f64()));
    completed.and(drawn).and(printed)?;
    if simulated.ended.is_complete() {
        return Ok(());
    }
    let saved = folder.as_ref().map(OutputFolder::files);
    Err(Trouble::Short(end_report::ended_short(&simulated, naming, saved.as_deref())))
}

/// What is to be kept of a motion.
#[derive(Debug, Clone, Copy)]
struct Keep {
    all_events: bool,
    path: bool,
}

/// Follows the motion to its end, until it is interrupted, or until its tables cannot be written any more.
fn follow(
    mut motion: Motion,
    run: Run,
    keep: Keep,
    mut folder: Option<&mut OutputFolder>,
    progress: &mut Progress,
) -> (Simulated, io::Result<()>) {
    let naming = run.naming;
    let states = motion.state().len();
    let mut log = EventLog::new(keep.all_events);
    let mut path = keep.path.then(|| Path::new(states));
    let mut sampler = run.request.every.map(|every| Sampler::new(every, states));
    let mut samples = Vec::new();
    let mut sample = |time: f64, state: &[f64], folder: &mut Option<&mut OutputFolder>| match folder {
        Some(folder) => folder.sample(time, state, naming),
        None if samples.len() < MOST_SAMPLES * (1 + states) => {
            samples.push(time);
            samples.extend_from_slice(state);
            Ok(())
        }
        None => Err(io::Error::other("there are more than 10 million samples; use --out DIR")),
    };
    let mut written = Ok(());
    let ended = loop {
        let (told, time) = match motion.advance() {
            Happening::Leap { start, length } => (Ok(()), start + length),
            Happening::Step(piece) => {
                if let Some(path) = &mut path {
                    path.push(&piece, states);
                }
                let told = match &mut sampler {
                    Some(sampler) => sampler.step(&piece, |time, state| sample(time, state, &mut folder)),
                    None => Ok(()),
                };
                (told, piece.start + piece.length)
            }
            Happening::Event(event) => {
                log.push(event);
                let told = folder.as_mut().map_or(Ok(()), |folder| folder.event(event, naming));
                (told, event.time)
            }
            Happening::Ended(ended) => break ended.clone(),
        };
        let go_on = progress.step(time, run.request.settings.until, log.total()) && told.is_ok();
        written = written.and(told);
        if !go_on {
            motion.interrupt();
        }
    };
    if let Some(sampler) = &mut sampler {
        let last = sampler.finish(motion.time(), motion.state(), |time, state| sample(time, state, &mut folder));
        written = written.and(last);
    }
    let simulated = Simulated {
        log,
        path,
        ended,
        time: motion.time(),
        state: motion.state().to_vec(),
        closed: motion.closed(),
        misses: motion.misses(),
        samples,
    };
    (simulated, written)
}

/// The results on standard output.
fn report(
    output: &mut dyn Write,
    arguments: &Simulate,
    run: Run,
    simulated: &Simulated,
    seconds: f64,
) -> io::Result<()> {
    let Run { input, request, naming } = run;
    let shared = &arguments.shared;
    let samples = request.every.is_some() && shared.out.is_none();
    if shared.json {
        let parameters = &input.values.parameters;
        let answer = json::Simulation { naming, motion: simulated, parameters, policy: input.policy, samples };
        serde_json::to_writer(&mut *output, &answer)?;
        return writeln!(output);
    }
    if !shared.quiet {
        for line in header(input, request, naming) {
            writeln!(output, "{line}")?;
        }
        writeln!(output)?;
    }
    if samples {
        sample_table::write(output, naming, simulated.time, simulated.samples())?;
    }
    if shared.quiet {
        return Ok(());
    }
    if samples {
        writeln!(output)?;
    }
    if simulated.log.total() > 0 {
        for line in event_table::lines(&simulated.log, naming, simulated.time) {
            writeln!(output, "{line}")?;
        }
        writeln!(output)?;
    }
    for line in simulated.log.decisions(naming, input.policy) {
        writeln!(output, "{line}")?;
    }
    for line in end_report::lines(simulated, naming) {
        writeln!(output, "{line}")?;
    }
    let ended = simulated.ended.describe(naming.system);
    writeln!(output, "ended  {ended} ({} s of computing)", number::short(seconds, 3))
}

/// What is simulated.
fn header(input: &Input, request: &Request, naming: Naming) -> Vec<String> {
    let mut lines = vec![input.headline()];
    let changed = input.changed();
    if !changed.is_empty() {
        lines.push(format!("with   {}", changed.join(", ")));
    }
    let mut end = Vec::new();
    if request.settings.until.is_finite() {
        end.push(format!("t = {}", number::short(request.settings.until, 10)));
    }
    if let Some((section, count)) = request.settings.returns {
        let name = naming.system.section_names().nth(section).unwrap_or_default();
        end.push(format!("{} to {name}", number::count(count, "return")));
    }
    let why = request.default_end.as_ref().map(|why| format!(": {why}, as neither --until nor --returns is given"));
    lines.push(format!("until  {}{}", end.join(" or "), why.unwrap_or_default()));
    lines.push(format!("tol    {:e}", input.tolerance));
    if input.policy != Policy::default() {
        lines.push(format!("policy {} where contacts have several ways to go on", input.policy.name()));
    }
    lines
}
