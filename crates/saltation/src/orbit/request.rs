//! The request for an orbit: section, number of returns, initial guess, accuracy.

use crate::error::{Error, Refusal, accepted};
use crate::named::serial;
use crate::orbit::Guess;
use crate::sections;
use crate::system::{System, TOLERANCE, check_tolerance};
use crate::text::cut;
use saltation_expr::parse::nearest;
use saltation_motion::{FlowChoice, Policy};
use saltation_orbit::Settings;
use serde::{Deserialize, Serialize};

/// The points of an orbit are all kept, and so are the states at all its events.
pub const MOST_RETURNS: u64 = 100_000;
/// The largest transient, in returns: a bound on the time of a computation.
pub const MOST_SETTLED: u64 = 1_000_000_000_000;

/// A search for an orbit: every field has a default.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Request {
    /// The number of returns of the transient before the search.
    pub settle: u64,
    /// The period in returns; by default that of the guess, else 1.
    pub period: Option<u64>,
    /// The section at which returns are counted; without it the phase of the forcing, or else the only section.
    pub section: Option<String>,
    /// The method for smooth motions.
    #[serde(with = "serial::flow")]
    pub flow: FlowChoice,
    /// The local error of one step relative to the size of the state.
    pub tol: f64,
    /// The choice where several contact modes with friction are consistent.
    #[serde(with = "serial::policy")]
    pub policy: Policy,
    /// The parameters by which the state and the period are differentiated.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub derivatives: Vec<String>,
}

impl Default for Request {
    fn default() -> Request {
        Request {
            settle: 0,
            period: None,
            section: None,
            flow: FlowChoice::default(),
            tol: TOLERANCE,
            policy: Policy::default(),
            derivatives: Vec::new(),
        }
    }
}

/// Mistakes in a number of returns.
pub(crate) fn count_refusal(field: &'static str, value: u64, least: u64, most: u64) -> Option<Refusal> {
    let (message, help) = if value < least {
        (format!("{value} is less than {least}"), format!("{field} is at least {least}"))
    } else if value > most {
        (format!("{value} is more than {most}"), format!("{field} may be at most {most}"))
    } else {
        return None;
    };
    Some(Refusal::new(field, message, help))
}

impl Request {
    /// All mistakes in the request for this system, and the section if there is one.
    ///
    /// # Errors
    /// If the model has no section at all, or has several and none is named.
    pub(crate) fn examine(
        &self,
        system: &System,
        guess: Option<&Guess>,
    ) -> Result<(Vec<Refusal>, Option<usize>), Error> {
        system.repeats("orbits")?;
        let mut list = Vec::new();
        list.extend(check_tolerance(self.tol));
        list.extend(count_refusal("settle", self.settle, 0, MOST_SETTLED));
        list.extend(self.period.and_then(|period| count_refusal("period", period, 1, MOST_RETURNS)));
        let compiled = system.compiled_for_derivatives()?;
        let kept = guess.and_then(|guess| guess.section.as_deref());
        let kept = kept.filter(|kept| compiled.section_names().any(|name| name == *kept));
        list.extend(self.parameters(system).1);
        let section = sections::for_returns(self.section.as_deref().or(kept), compiled, &mut list)?;
        Ok((list, section))
    }

    /// The parameters of the derivatives, and the mistakes in their names.
    pub(crate) fn parameters(&self, system: &System) -> (Vec<usize>, Vec<Refusal>) {
        let (mut found, mut list) = (Vec::new(), Vec::new());
        let mut begin = 0;
        for name in &self.derivatives {
            let part = begin..begin + name.len().max(1);
            begin += name.len() + 1;
            let mut refuse = |message: String, help: String| {
                list.push(Refusal::new("derivatives", message, help).in_part(part.clone()));
            };
            match system.model().parameter(name.trim()) {
                Some(parameter) if found.contains(&parameter) => {
                    refuse(format!("`{}` is named twice", name.trim()), "name it once".to_string());
                }
                Some(parameter) => found.push(parameter),
                None => {
                    let near = nearest(name.trim(), system.parameter_names().iter().map(String::as_str));
                    let help = near.map_or("an orbit changes with parameters: name these".to_string(), |near| {
                        format!("did you mean `{near}`?")
                    });
                    refuse(format!("the model has no parameter `{}`", cut(name.trim())), help);
                }
            }
        }
        (found, list)
    }

    /// All mistakes in the request for this system.
    pub fn refusals(&self, system: &System, guess: Option<&Guess>) -> Result<Vec<Refusal>, Error> {
        self.examine(system, guess).map(|(list, _)| list)
    }

    /// The settings of the search.
    pub(crate) fn settings(&self, system: &System, guess: Option<&Guess>) -> Result<Settings, Error> {
        let (refusals, section) = self.examine(system, guess)?;
        accepted(refusals)?;
        let known = guess.and_then(|guess| guess.returns).filter(|returns| *returns <= MOST_RETURNS);
        Ok(Settings {
            settle: self.settle,
            returns: self.period.or(known).unwrap_or(1),
            tolerance: self.tol,
            flow: self.flow,
            policy: self.policy,
            ..Settings::through(section.unwrap_or(0))
        })
    }
}
