//! The folder of a simulation: tables that grow with the motion, and a `run.json` from which it can be repeated.

use crate::error::Error;
use crate::named::Named;
use crate::naming::Naming;
use crate::simulation::answer::Event;
use crate::simulation::extras::added_names;
use crate::simulation::follow::Recorder;
use crate::simulation::{Run, Simulation};
use crate::store::Destination;
use crate::store::files::{create, prepare, replace};
use crate::store::folder::{model_text, portable_entry, unwritable};
use crate::table::{Cell, Table};
use crate::text::number::exact;
use saltation_motion as motion;
use serde_json::{Map, Value, json};
use std::fs::File;
use std::io;

/// A folder to which a motion is written while it is computed.
///
/// ```no_run
/// use saltation::{Destination, Recording, System};
/// let simulation = System::gallery("bouncing-ball")?.simulation().until(5.0).every(0.1);
/// let mut recording = Recording::begin(&simulation, &Destination::new("results"))?;
/// let run = simulation.record(Some(&mut recording), &mut ())?;
/// recording.finish(&run)?;
/// # Ok::<(), saltation::Error>(())
/// ```
#[derive(Debug)]
pub struct Recording {
    destination: Destination,
    description: Map<String, Value>,
    events: csv::Writer<File>,
    samples: Option<csv::Writer<File>>,
    /// The names of the states, and how many columns follow theirs in the samples.
    states: Vec<String>,
    added: usize,
}

impl Recording {
    /// Creates the folder if it is missing, with tables that have no rows yet.
    ///
    /// # Errors
    /// If it cannot be written, or if the request is rejected; this is checked before the computation.
    pub fn begin(simulation: &Simulation, destination: &Destination) -> Result<Recording, Error> {
        let description = description(simulation, destination)?;
        let states = simulation.system.state_names().to_vec();
        let added = added_names(&simulation.request, &simulation.system);
        let folder = &destination.folder;
        let begin = || -> io::Result<Recording> {
            prepare(destination)?;
            let table = |name: &str, head: Vec<String>| -> io::Result<csv::Writer<File>> {
                let mut table = csv::Writer::from_writer(create(&folder.join(name))?);
                table.write_record(head)?;
                table.flush()?;
                Ok(table)
            };
            let samples = simulation.request.every.map(|_| table("samples.csv", sample_head(&states, &added)));
            let recording = Recording {
                destination: destination.clone(),
                description,
                events: table("events.csv", event_head(&states))?,
                samples: samples.transpose()?,
                states,
                added: added.len(),
            };
            recording.describe(None)?;
            Ok(recording)
        };
        begin().map_err(|error| unwritable(folder, &error))
    }

    /// Completes the tables and the description.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn finish(&mut self, run: &Run) -> Result<(), Error> {
        let finish = |recording: &mut Recording| -> io::Result<()> {
            recording.events.flush()?;
            if let Some(samples) = &mut recording.samples {
                samples.flush()?;
            }
            recording.describe(Some(run))
        };
        finish(self).map_err(|error| unwritable(&self.destination.folder, &error))
    }

    /// The files, for people.
    pub fn files(&self) -> String {
        let names = self.names().map(|name| self.destination.folder.join(name).display().to_string());
        names.collect::<Vec<_>>().join(", ")
    }

    fn names(&self) -> impl Iterator<Item = &'static str> {
        let samples = self.samples.as_ref().map(|_| "samples.csv");
        std::iter::once("events.csv").chain(samples).chain(std::iter::once("run.json"))
    }

    /// Writes `run.json`: at the start without an ending, so that a run that was killed can be recognized.
    fn describe(&self, run: Option<&Run>) -> io::Result<()> {
        let mut description = self.description.clone();
        let mut put = |key: &str, value: Value| description.insert(key.to_string(), value);
        put("files", json!(self.names().collect::<Vec<_>>()));
        put("wall_time", json!(run.map(|run| run.wall_time.as_secs_f64())));
        put("ended", json!(run.map(|run| &run.answer.ended)));
        put("message", json!(run.map(|run| &run.answer.message)));
        put("end", json!(run.map(|run| &run.answer.end)));
        let text = serde_json::to_string_pretty(&description)?;
        replace(&self.destination.folder, "run.json", &format!("{text}\n"))
    }
}

impl Recorder for Recording {
    fn event(&mut self, event: &motion::Event, naming: Naming) -> io::Result<()> {
        let cells = event_cells(&Event::new(naming, event));
        Ok(self.events.write_record(cells.iter().map(Cell::text))?)
    }

    fn sample(&mut self, time: f64, state: &[f64], naming: Naming) -> io::Result<()> {
        let Some(samples) = &mut self.samples else { return Ok(()) };
        debug_assert_eq!(state.len(), self.states.len() + self.added);
        let (state, added) = state.split_at(self.states.len());
        let numbers = naming.state(state).map(|(_, value)| exact(value)).chain(added.iter().map(|&x| exact(x)));
        Ok(samples.write_record(std::iter::once(exact(time)).chain(numbers))?)
    }
}

/// All inputs of a motion.
fn description(simulation: &Simulation, destination: &Destination) -> Result<Map<String, Value>, Error> {
    let Simulation { system, request } = simulation;
    let compiled = system.compiled()?;
    let (settings, _) = request.settings(system)?;
    let returns = settings.returns.map(|(section, count)| {
        json!({ "section": compiled.section_names().nth(section).unwrap_or_default(), "count": count })
    });
    let start = system.naming()?.named(system.numbers().start());
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| object.insert(key.to_string(), value);
    put("version", json!(env!("CARGO_PKG_VERSION")));
    if let Some((key, value)) = portable_entry() {
        put(key, value);
    }
    put("command", json!(destination.command));
    put("model", model_text(system.model()));
    put("parameters", json!(system.parameters()));
    put("start", json!(start));
    if compiled.is_coupled() {
        put("policy", json!(request.policy.name()));
    }
    put("tolerances", json!({ "step": request.tol }));
    put("until", json!(settings.until));
    put("returns", json!(returns));
    put("every", json!(request.every));
    put("max_step", json!(settings.longest_step));
    put("seed", Value::Null);
    Ok(object)
}

fn sample_head(states: &[String], added: &[String]) -> Vec<String> {
    std::iter::once("time".to_string()).chain(states.iter().chain(added).cloned()).collect()
}

/// The head of a table of events.
fn event_head(states: &[String]) -> Vec<String> {
    let mut head: Vec<String> = ["time", "kind", "contact", "section"].map(str::to_string).to_vec();
    for when in ["before", "after"] {
        head.extend(states.iter().map(|name| format!("{when}_{name}")));
    }
    head.extend(["speed_before", "speed_after", "duration", "impacts", "error"].map(str::to_string));
    head
}

/// A row of a table of events.
fn event_cells(event: &Event) -> Vec<Cell> {
    let mut row: Vec<Cell> = vec![event.time.into(), event.kind.name().into()];
    row.extend([event.contact.as_deref().into(), event.section.as_deref().into()]);
    let numbers = |state: &Named| state.values().iter().map(|x| Cell::from(*x)).collect::<Vec<_>>();
    row.extend(numbers(&event.before));
    row.extend(numbers(&event.after));
    row.extend([event.speed_before, event.speed_after, event.duration].map(Cell::from));
    row.extend([event.impacts.into(), event.error.into()]);
    row
}

/// A table of events.
pub(crate) fn event_table(states: &[String], events: &[Event]) -> Table {
    Table { name: "events", head: event_head(states), rows: events.iter().map(event_cells).collect() }
}
