//! The folder of a time-stepping simulation: a table of samples that grows with the motion, and `run.json`.

use crate::error::Error;
use crate::naming::Naming;
use crate::simulation::Recorder;
use crate::stepping::{Stepped, Stepping};
use crate::store::Destination;
use crate::store::folder::{AnswerFolder, unwritable};
use crate::text::number::exact;
use saltation_motion::Event;
use std::fs::File;
use std::io;
use std::path::PathBuf;

/// A folder to which a time-stepping motion is written while it is computed.
///
/// ```no_run
/// use saltation::{Destination, System, stepping::Recording};
/// let stepping = System::gallery("bouncing-ball")?.stepping(1e-3).until(5.0).every(0.1);
/// let mut recording = Recording::begin(&stepping, &Destination::new("results"))?;
/// let stepped = stepping.record(Some(&mut recording), &mut ())?;
/// recording.finish(&stepped)?;
/// # Ok::<(), saltation::Error>(())
/// ```
#[derive(Debug)]
pub struct Recording {
    path: PathBuf,
    folder: AnswerFolder,
    samples: Option<csv::Writer<File>>,
}

impl Recording {
    /// Creates the folder if it is missing, with a table of samples that has no rows yet, if samples are requested.
    ///
    /// # Errors
    /// If it cannot be written, or if the request or the model is rejected; this is checked before the computation.
    pub fn begin(stepping: &Stepping, destination: &Destination) -> Result<Recording, Error> {
        let Stepping { system, request } = stepping;
        let (settings, _) = stepping.check()?;
        let mut folder = AnswerFolder::begin(destination, system, Some(settings.tolerance))?;
        let head: Vec<&str> = std::iter::once("time").chain(system.state_names().iter().map(String::as_str)).collect();
        let samples = request.every.map(|_| folder.stream("samples", &head)).transpose()?;
        Ok(Recording { path: destination.folder.clone(), folder, samples })
    }

    /// Completes the table and the description.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn finish(&mut self, stepped: &Stepped) -> Result<(), Error> {
        if let Some(samples) = &mut self.samples {
            samples.flush().map_err(|error| unwritable(&self.path, &error))?;
        }
        self.folder.write(stepped)
    }

    /// The files, for people.
    pub fn files(&self) -> String {
        self.folder.names()
    }
}

impl Recorder for Recording {
    /// Time stepping locates no events.
    fn event(&mut self, _: &Event, _: Naming) -> io::Result<()> {
        Ok(())
    }

    fn sample(&mut self, time: f64, state: &[f64], naming: Naming) -> io::Result<()> {
        let Some(samples) = &mut self.samples else { return Ok(()) };
        let numbers = naming.state(state).map(|(_, value)| exact(value));
        Ok(samples.write_record(std::iter::once(exact(time)).chain(numbers))?)
    }
}
