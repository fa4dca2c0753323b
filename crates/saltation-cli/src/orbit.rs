//! Which motion repeats, and is it stable? `saltation orbit`.

use crate::answer_folder::AnswerFolder;
use crate::arguments::Orbit;
use crate::input::Input;
use crate::naming::Naming;
use crate::orbit_request::{self, Request};
use crate::outcome::{Outcome, Trouble, print};
use crate::progress::Progress;
use crate::{messages, number, orbit_json, orbit_plot, orbit_report, request};
use saltation_motion::{FlowChoice, Motion, Settings, System};
use saltation_orbit::{Ended, Search, find};
use std::time::Instant;

/// A search and what came of it.
#[derive(Debug, Clone, Copy)]
pub struct Found<'a> {
    /// The model and its numbers.
    pub input: &'a Input,
    /// What was asked.
    pub request: &'a Request,
    /// The names of the numbers.
    pub naming: Naming<'a>,
    /// What was found.
    pub search: &'a Search,
}

impl<'a> Found<'a> {
    /// The name of a section.
    pub fn section(&self) -> &'a str {
        self.naming.system.section_names().nth(self.request.settings.section).unwrap_or_default()
    }

    /// How the search ended, in a sentence.
    pub fn message(&self) -> String {
        let Ended::NotPeriodic { drift, nearest: (returns, miss), .. } = &self.search.ended else {
            return self.search.ended.describe(self.naming.system);
        };
        let asked = self.request.settings.returns;
        let mut parts = vec![format!(
            "the settled motion does not repeat after {}: it misses itself by {drift:.1e} of its size",
            number::count(asked, "return")
        )];
        if *returns as u64 != asked {
            let returns = number::count(*returns as u64, "return");
            parts.push(format!(", and least, by {miss:.1e}, after {returns}"));
        }
        parts.push("; it may need longer to settle, or be quasi-periodic or chaotic".to_string());
        parts.push(match self.search.orbit {
            Some(_) => "; the orbit found near it is another motion, and unstable".to_string(),
            None => "; no orbit was found near it".to_string(),
        });
        parts.concat()
    }
}

/// Runs the command.
pub fn run(arguments: &Orbit) -> Outcome {
    let began = Instant::now();
    let shared = &arguments.shared;
    let (input, system, request) = orbit_request::read(arguments)?;
    can_begin(&input, &system, request.settings.flow)?;
    let naming = Naming::new(&system, &input.values);
    let folder = shared.out.as_deref().map(|folder| AnswerFolder::create(folder, &input, naming, began));
    let mut folder = folder.transpose()?;
    let note = request.guess.as_ref().and_then(|guess| guess.note(&input.model, &input.values));
    if let Some(note) = note.filter(|_| !shared.quiet) {
        messages::warn(&note);
    }

    let settle = request.settings.settle;
    let mut progress = Progress::begin(shared.quiet);
    let search = find(&system, &input.values, &request.settings, &mut |done| match done < settle {
        true => progress.tell(Some(done as f64 / settle as f64), || format!("settling, {done} of {settle} returns")),
        false => progress.tell(None, || "searching for the orbit".to_string()),
    });
    progress.finish();

    let found = Found { input: &input, request: &request, naming, search: &search };
    let answer = orbit_json::answer(found);
    let saved = folder.as_mut().map_or(Ok(()), |folder| save(folder, found, &answer));
    let saved = saved.map_err(|error| Trouble::unwritten("the tables", &error));
    let drawn = match &arguments.plot {
        Some(file) => orbit_plot::save(file, found),
        None => Ok(()),
    };
    let printed = print(|output| {
        if shared.json {
            return writeln!(output, "{answer}");
        }
        if !shared.quiet {
            for line in orbit_report::lines(found, began.elapsed().as_secs_f64()) {
                writeln!(output, "{line}")?;
            }
        }
        Ok(())
    });
    saved.and(drawn).and(printed)?;
    if search.ended.is_complete() {
        return Ok(());
    }
    let mut lines = short(found);
    if arguments.plot.is_some() && search.orbit.is_none() {
        lines.push("no figure was drawn, as there is no orbit".to_string());
    }
    lines.extend(folder.map(|folder| format!("what was computed is saved in {}", folder.names())));
    Err(Trouble::Short(lines.join("\n  ")))
}

/// Whether a motion can begin at the start.
pub fn can_begin(input: &Input, system: &System, flow: FlowChoice) -> Result<(), Trouble> {
    let settings = Settings { tolerance: input.tolerance, flow, until: 0.0, ..Settings::default() };
    let motion = Motion::new(system, &input.values, settings);
    motion.map(|_| ()).map_err(|error| request::start_mistake(input, &error))
}

fn save(folder: &mut AnswerFolder, found: Found, answer: &serde_json::Value) -> std::io::Result<()> {
    if let Some(orbit) = &found.search.orbit {
        folder.json("orbit.json", answer)?;
        folder.events(&orbit.events)?;
        folder.path(&orbit.trajectory)?;
    }
    folder.finish(answer)
}

/// Why there is no answer, or not the one that was asked for, and what can be done.
pub fn short(found: Found) -> Vec<String> {
    let ended = &found.search.ended;
    let mut lines = vec![found.message()];
    let settle = found.request.settings.settle;
    match ended {
        Ended::NotPeriodic { nearest: (returns, miss), .. }
            if *miss < 1e-3 && *returns as u64 != found.request.settings.returns =>
        {
            lines.push(format!("try --period {returns}"));
        }
        Ended::NotPeriodic { .. } => lines.push(format!("try a longer --settle than {settle}, or saltation lyapunov")),
        Ended::NotConverged { .. } | Ended::LeftDomain { .. } => lines.push(match settle {
            0 => {
                "begin closer: --settle N follows the motion first, --start and --guess give another start".to_string()
            }
            _ => "begin closer: try a longer --settle, or another start with --start or --guess".to_string(),
        }),
        Ended::NoReturn { .. } => lines.push("try another section with --section, or another start".to_string()),
        Ended::Singular => lines.push("try another value of a parameter, or another start".to_string()),
        _ => {}
    }
    lines
}
