//! What is left of a run in a folder? Tables, and a `run.json` that is enough to repeat it.

use crate::files::{create, prepare, replace};
use crate::input::Input;
use crate::json::{End, Object, State};
use crate::naming::Naming;
use crate::number::exact;
use crate::outcome::Trouble;
use crate::request::Request;
use crate::simulate::Simulated;
use saltation_model::{Mistake, Model};
use saltation_motion::Event;
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What a run is: everything that it depends on.
#[derive(Debug, Clone, Copy)]
pub struct Run<'a> {
    /// The model, its numbers and the tolerance.
    pub input: &'a Input,
    /// What was asked.
    pub request: &'a Request,
    /// The names of the numbers.
    pub naming: Naming<'a>,
}

/// A folder to which a run writes as it goes.
pub struct OutputFolder {
    folder: PathBuf,
    events: csv::Writer<File>,
    samples: Option<csv::Writer<File>>,
    /// A row that is being written.
    row: Vec<String>,
}

impl OutputFolder {
    /// Creates the folder if it is missing, with tables that have no rows yet.
    ///
    /// # Errors
    /// If it cannot be written: that is told before anything is computed.
    pub fn create(folder: &Path, run: Run) -> Result<OutputFolder, Trouble> {
        let begin = || -> io::Result<OutputFolder> {
            prepare(folder)?;
            let table = |name: &str, head: Vec<String>| -> io::Result<csv::Writer<File>> {
                let mut table = csv::Writer::from_writer(create(&folder.join(name))?);
                table.write_record(head)?;
                table.flush()?;
                Ok(table)
            };
            let states = run.naming.states();
            let samples = run.request.every.map(|_| {
                table("samples.csv", std::iter::once("time".to_string()).chain(states.iter().cloned()).collect())
            });
            let output = OutputFolder {
                folder: folder.to_path_buf(),
                events: table("events.csv", event_head(states))?,
                samples: samples.transpose()?,
                row: Vec::new(),
            };
            output.describe(run, None)?;
            Ok(output)
        };
        begin().map_err(|error| unwritable(folder, &error))
    }

    /// Writes an event.
    pub fn event(&mut self, event: &Event, naming: Naming) -> io::Result<()> {
        event_row(event, naming, &mut self.row);
        Ok(self.events.write_record(&self.row)?)
    }

    /// Writes a row of the sampled table.
    pub fn sample(&mut self, time: f64, state: &[f64], naming: Naming) -> io::Result<()> {
        let Some(samples) = &mut self.samples else {
            return Ok(());
        };
        self.row.clear();
        self.row.push(exact(time));
        self.row.extend(naming.state(state).map(|(_, value)| exact(value)));
        Ok(samples.write_record(&self.row)?)
    }

    /// Completes the tables and the description.
    pub fn finish(&mut self, run: Run, motion: &Simulated, wall_time: Duration) -> io::Result<()> {
        self.events.flush()?;
        if let Some(samples) = &mut self.samples {
            samples.flush()?;
        }
        self.describe(run, Some((motion, wall_time)))
    }

    /// The files, for people.
    pub fn files(&self) -> String {
        let names = self.names().map(|name| self.folder.join(name).display().to_string());
        names.collect::<Vec<_>>().join(", ")
    }

    fn names(&self) -> impl Iterator<Item = &'static str> {
        let samples = self.samples.as_ref().map(|_| "samples.csv");
        std::iter::once("events.csv").chain(samples).chain(std::iter::once("run.json"))
    }

    /// Writes `run.json`: at the start without an ending, so that a run that was cut off can be told from one that was not.
    fn describe(&self, run: Run, done: Option<(&Simulated, Duration)>) -> io::Result<()> {
        let text = serde_json::to_string_pretty(&Description { run, done, files: self.names().collect() })?;
        replace(&self.folder, "run.json", &format!("{text}\n"))
    }
}

/// A folder that cannot be written.
pub fn unwritable(folder: &Path, error: &io::Error) -> Trouble {
    let mistake = Mistake::general(format!("the folder `{}` cannot be written: {error}", folder.display()));
    Trouble::input(mistake.help("choose another with --out DIR"), folder.display().to_string())
}

/// The arguments of this run.
pub fn command() -> Vec<String> {
    std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect()
}

/// The model, whole, with the names of the matrices beside it, whose texts count in the fingerprint.
pub fn model_text(model: &Model) -> serde_json::Value {
    let files: Vec<&str> = model.files.iter().map(|(name, _)| name.as_str()).collect();
    serde_json::json!({
        "name": model.name,
        "file": model.file,
        "fingerprint": model.fingerprint(),
        "text": model.text,
        "files": files,
    })
}

/// The head of a table of events.
pub fn event_head(states: &[String]) -> Vec<String> {
    let mut head: Vec<String> = ["time", "kind", "contact", "section"].map(str::to_string).to_vec();
    for when in ["before", "after"] {
        head.extend(states.iter().map(|name| format!("{when}_{name}")));
    }
    head.extend(["speed_before", "speed_after", "duration", "impacts", "error"].map(str::to_string));
    head
}

/// A row of a table of events.
pub fn event_row(event: &Event, naming: Naming, row: &mut Vec<String>) {
    row.clear();
    row.push(exact(event.time));
    row.push(event.kind.name().to_string());
    row.push(naming.contact(event).unwrap_or_default().to_string());
    row.push(naming.section(event).unwrap_or_default().to_string());
    for state in [&event.before, &event.after] {
        row.extend(naming.state(state).map(|(_, value)| exact(value)));
    }
    row.extend([event.speed_before, event.speed_after, event.duration].map(exact));
    row.push(event.impacts.to_string());
    row.push(exact(event.error));
}

struct Description<'a> {
    run: Run<'a>,
    done: Option<(&'a Simulated, Duration)>,
    files: Vec<&'static str>,
}

impl Serialize for Description<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Run { input, request, naming } = self.run;
        let model = &input.model;
        let settings = &request.settings;
        let parameters = model.parameters.iter().map(|p| p.name.as_str()).zip(&input.values.parameters);
        let returns = settings.returns.map(|(section, count)| {
            let name = naming.system.section_names().nth(section).unwrap_or_default();
            serde_json::json!({ "section": name, "count": count })
        });
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("version", env!("CARGO_PKG_VERSION"))?;
        object.serialize_entry("command", &command())?;
        object.serialize_entry("model", &model_text(model))?;
        object.serialize_entry("parameters", &Object(parameters))?;
        object.serialize_entry("start", &State(naming, &input.values.start))?;
        if naming.system.is_coupled() {
            object.serialize_entry("policy", input.policy.name())?;
        }
        object.serialize_entry("tolerances", &serde_json::json!({ "step": settings.tolerance }))?;
        object.serialize_entry("until", &settings.until)?;
        object.serialize_entry("returns", &returns)?;
        object.serialize_entry("every", &request.every)?;
        object.serialize_entry("max_step", &settings.longest_step)?;
        object.serialize_entry("seed", &None::<u64>)?;
        object.serialize_entry("files", &self.files)?;
        object.serialize_entry("wall_time", &self.done.map(|(_, time)| time.as_secs_f64()))?;
        object.serialize_entry("ended", &self.done.map(|(motion, _)| motion.ended.name()))?;
        let message = self.done.map(|(motion, _)| motion.ended.describe(naming.system));
        object.serialize_entry("message", &message)?;
        object.serialize_entry("end", &self.done.map(|(motion, _)| End(naming, motion)))?;
        object.end()
    }
}
