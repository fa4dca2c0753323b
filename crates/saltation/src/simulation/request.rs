//! The request for a simulation: end time, accuracy, and what is kept.

use super::derivatives::Directions;
use crate::drawing::quantity::Quantity;
use crate::error::{Error, Refusal, accepted};
use crate::named::serial;
use crate::sections;
use crate::system::{System, TOLERANCE, check_tolerance};
use crate::text::number;
use saltation_motion::{FlowChoice, Policy, Settings};
use serde::{Deserialize, Serialize};

/// The largest number of rows that a sampled table may have.
pub const MOST_ROWS: f64 = 1e7;
/// The largest number of derivatives in a sampled table.
pub const MOST_NUMBERS: f64 = 1e8;
/// The largest number of steps that a longest step may ask for.
pub const MOST_STEPS: f64 = 1e9;
/// The default end time of an unforced motion: arbitrary, for want of a natural time.
const DEFAULT_TIME: f64 = 40.0;
const DEFAULT_PERIODS: f64 = 10.0;

/// A simulation: every field has a default.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Request {
    /// The end time, zero or more; without it and `returns` 10 periods of the forcing, or else 40.
    pub until: Option<f64>,
    /// The number of returns to the section after which the trajectory ends.
    pub returns: Option<u64>,
    /// The section that `returns` counts; without it the phase of the forcing, or else the only section.
    pub section: Option<String>,
    /// The distance in time of samples.
    pub every: Option<f64>,
    /// The longest integration step.
    pub max_step: Option<f64>,
    /// The method for smooth motions.
    #[serde(with = "serial::flow")]
    pub flow: FlowChoice,
    /// The local error of one step relative to the size of the state.
    pub tol: f64,
    /// The choice where several contact modes with friction are consistent.
    #[serde(with = "serial::policy")]
    pub policy: Policy,
    /// Whether all events are kept, or only the first and last thousand.
    pub all_events: bool,
    /// Whether the path is kept, for a figure.
    pub path: bool,
    /// The quantities that are shown: further columns of the samples, and the panels of a figure. States, `gap:CONTACT`,
    /// `force:CONTACT` or `energy`; none for the states and the usual panels.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub show: Vec<String>,
    /// The two quantities over each other in which the returns to the section are kept, for a figure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passages: Option<[String; 2]>,
    /// The number of first returns that this figure leaves out.
    #[serde(skip_serializing_if = "is_zero")]
    pub settle: u64,
    /// The parameters and states (for their start values) by which samples, events and the end are differentiated.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub derivatives: Vec<String>,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Default for Request {
    fn default() -> Request {
        Request {
            until: None,
            returns: None,
            section: None,
            every: None,
            max_step: None,
            flow: FlowChoice::default(),
            tol: TOLERANCE,
            policy: Policy::default(),
            all_events: true,
            path: false,
            show: Vec::new(),
            passages: None,
            settle: 0,
            derivatives: Vec::new(),
        }
    }
}

/// The end of a motion, and the reason if it is a default.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct End {
    pub until: f64,
    pub returns: Option<(usize, u64)>,
    pub default: Option<String>,
}

/// Ten periods of the forcing, or else the default time.
pub(crate) fn natural_end(system: &System) -> (f64, String) {
    match system.forcing_period() {
        Some(period) => (DEFAULT_PERIODS * period, "10 periods of the forcing".to_string()),
        None => (DEFAULT_TIME, "40 units of time".to_string()),
    }
}

/// Mistakes in a time or a length of time.
pub(crate) fn duration(field: &'static str, value: Option<f64>, zero: bool) -> Option<Refusal> {
    let value = value?;
    if value > 0.0 || zero && value == 0.0 {
        return None;
    }
    let rule = if zero { "must not be negative" } else { "must be positive" };
    let message = format!("{field} {rule}, but it is {value}");
    Some(Refusal::new(field, message, "trajectories start at time 0 and proceed forward"))
}

/// Mistakes in a table that would be too long.
pub(crate) fn too_many_rows(every: Option<f64>, until: f64) -> Option<Refusal> {
    every.filter(|every| *every > 0.0 && until.is_finite() && until / every >= MOST_ROWS)?;
    let message = format!("a table up to t = {} would have more than 10 million rows", number::short(until, 10));
    let least = number::short(until / MOST_ROWS, 3);
    Some(Refusal::new("every", message, format!("choose a distance of more than {least}")))
}

/// Mistakes in steps that would be too many.
pub(crate) fn too_many_steps(field: &'static str, step: Option<f64>, until: f64) -> Option<Refusal> {
    step.filter(|step| *step > 0.0 && until.is_finite() && until / step >= MOST_STEPS)?;
    let message = format!("a trajectory up to t = {} would take more than a billion steps", number::short(until, 10));
    let least = number::short(until / MOST_STEPS, 3);
    Some(Refusal::new(field, message, format!("choose a step of more than {least}")))
}

impl Request {
    /// All mistakes in the request for this system.
    pub fn refusals(&self, system: &System) -> Vec<Refusal> {
        let mut list = Vec::new();
        list.extend(check_tolerance(self.tol));
        list.extend(duration("until", self.until, true));
        list.extend(duration("every", self.every, false));
        list.extend(duration("max_step", self.max_step, false));
        if self.returns == Some(0) {
            list.push(Refusal::new("returns", "the number of returns must be positive", "ask for 1 or more"));
        }
        list.extend(self.counted(system).err());
        list.extend(self.figure_refusals(system));
        list.extend(Directions::of(&self.derivatives, system).1);
        let until = self.end(system).map_or(f64::INFINITY, |end| end.until);
        list.extend(too_many_rows(self.every, until));
        list.extend(too_many_steps("max_step", self.max_step, until));
        list.extend(self.too_many_derivatives(system, until));
        list
    }

    /// Mistakes in a table of derivatives that would be too large.
    fn too_many_derivatives(&self, system: &System, until: f64) -> Option<Refusal> {
        let rows = self.every.filter(|every| *every > 0.0 && until.is_finite()).map_or(0.0, |every| until / every);
        let numbers = rows * (system.state_names().len() * self.derivatives.len()) as f64;
        (numbers > MOST_NUMBERS).then(|| {
            let message =
                format!("the table would have {} derivatives, more than a hundred million", number::short(numbers, 3));
            Refusal::new("derivatives", message, "name fewer parameters, or choose a longer distance of samples")
        })
    }

    /// Mistakes in what is shown.
    fn figure_refusals(&self, system: &System) -> Vec<Refusal> {
        let mut list = shown(system, &self.show).1;
        if !self.show.is_empty() && self.every.is_none() && !self.path {
            let message = "show names quantities, but neither a table nor a figure shows them";
            list.push(Refusal::new(
                "show",
                message,
                "ask for a table of samples, or for a figure of the trajectory over time",
            ));
        }
        if let Some(names) = &self.passages {
            if self.returns.is_none() {
                let message = "the returns to a section are drawn, but their number is not given";
                list.push(Refusal::new(
                    "returns",
                    message,
                    "give the number of returns after which the trajectory ends",
                ));
            }
            if let Err(Error::Request(refusals)) = quantities(system, names.each_ref().map(String::as_str)) {
                list.extend(refusals);
            }
        }
        match self.returns {
            _ if self.settle == 0 => {}
            _ if self.passages.is_none() => {
                let message = "settle leaves out returns of a figure, but no figure shows returns";
                list.push(Refusal::new("settle", message, "draw the returns to a section in a plane"));
            }
            Some(returns) if self.settle >= returns => {
                let message = format!("settle leaves out {} of {returns} returns, and so all", self.settle);
                list.push(Refusal::new("settle", message, "leave out fewer, or follow more returns"));
            }
            _ => {}
        }
        list
    }

    /// The name of the section that is counted.
    pub(crate) fn section_name(&self, system: &System) -> Option<String> {
        let section = self.counted(system).ok().flatten()?;
        system.compiled().ok()?.section_names().nth(section).map(str::to_string)
    }

    /// The section at which returns are counted, if any.
    fn counted(&self, system: &System) -> Result<Option<usize>, Refusal> {
        // A model that cannot be compiled is rejected as a whole.
        let Ok(compiled) = system.compiled() else { return Ok(None) };
        match (&self.section, self.returns) {
            (Some(name), returns) => {
                let section = sections::named("section", name, compiled)?;
                let message = "a section is named, but no number of returns is given";
                let missing =
                    || Refusal::new("section", message, "give the number of returns after which the trajectory ends");
                returns.map(|_| Some(section)).ok_or_else(missing)
            }
            (None, Some(_)) => sections::counted(compiled).map(Some),
            (None, None) => Ok(None),
        }
    }

    /// The end of the motion.
    pub(crate) fn end(&self, system: &System) -> Result<End, Error> {
        let returns = self.counted(system)?.zip(self.returns);
        let (until, default) = match (self.until, returns) {
            (Some(until), _) => (until, None),
            (None, Some(_)) => (f64::INFINITY, None),
            (None, None) => {
                let (until, why) = natural_end(system);
                (until, Some(why))
            }
        };
        Ok(End { until, returns, default })
    }

    /// The settings of the motion.
    pub(crate) fn settings(&self, system: &System) -> Result<(Settings, Option<String>), Error> {
        accepted(self.refusals(system))?;
        let End { until, returns, default } = self.end(system)?;
        let longest_step = self.max_step.unwrap_or(f64::INFINITY);
        let settings =
            Settings { tolerance: self.tol, longest_step, until, returns, flow: self.flow, policy: self.policy };
        Ok((settings, default))
    }
}

/// Two quantities by their names.
///
/// # Errors
/// If a name is neither a state nor a contact of the model.
pub fn quantities(system: &System, names: [&str; 2]) -> Result<(Quantity, Quantity), Error> {
    let mut refusals = Vec::new();
    let mut begin = 0;
    let [x, y] = names.map(|name| {
        let trimmed = name.trim();
        let part = begin..begin + name.len().max(1);
        begin += name.len() + 1;
        let refused =
            |(message, help): (String, String)| refusals.push(Refusal::new("plane", message, help).in_part(part));
        Quantity::named(system.model(), trimmed).map_err(refused).ok()
    });
    accepted(refusals)?;
    Ok((x.unwrap_or(Quantity::State(0)), y.unwrap_or(Quantity::State(0))))
}

/// Quantities by their names, and the mistakes in these.
pub(crate) fn shown(system: &System, names: &[String]) -> (Vec<Quantity>, Vec<Refusal>) {
    let (mut found, mut refusals) = (Vec::new(), Vec::new());
    let mut begin = 0;
    for name in names {
        let part = begin..begin + name.len().max(1);
        begin += name.len() + 1;
        match Quantity::shown(system.model(), name.trim()) {
            Ok(quantity) if found.contains(&quantity) => {}
            Ok(quantity) => found.push(quantity),
            Err((message, help)) => refusals.push(Refusal::new("show", message, help).in_part(part)),
        }
    }
    (found, refusals)
}
