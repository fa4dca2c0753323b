//! The request for basins of attraction: the starts, a parameter along which attractors are followed, and how each motion is recorded.

use crate::error::{Error, Refusal};
use crate::sweep::request::parameter;
use crate::system::System;
use crate::tasks::Method;
use crate::tasks::describe::refused;
use crate::tasks::question::Settled;
use crate::text::cut;
use saltation_expr::parse::nearest;
use saltation_sweep::{Axis, Carry, Plan, Starts};
use serde::{Deserialize, Serialize};

/// Attractors and their basins.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Request {
    /// The starts.
    pub starts: Starts,
    /// A parameter along which attractors and the fractions of their basins are followed.
    pub along: Option<Axis>,
    /// How every motion is computed and recorded.
    #[serde(flatten)]
    pub method: Method,
}

impl Request {
    pub(crate) fn examine(&self, system: &System) -> Result<(Vec<Refusal>, Option<Settled>), Error> {
        system.repeats("attractors")?;
        let (mut list, method) = self.method.examine(system)?;
        let mut parameters = Vec::new();
        if let Some(axis) = &self.along {
            match parameter(axis.name(), system) {
                Ok(index) => parameters.push(index),
                Err(refusal) => list.push(refusal),
            }
        }
        list.extend(self.of_starts(system));
        // Sections of other phases stand at the values of the file.
        let phase = system.model().phase.as_ref().map(|phase| system.model().states[phase.state].name.as_str());
        let by_phase = method.section + 1 == system.compiled()?.section_names().count();
        if let Some(name) = phase.filter(|name| by_phase && self.starts.states().contains(name)) {
            let message = format!(
                "returns are counted where the phase {name} is as at the start, which differs from start to start"
            );
            list.push(Refusal::new(
                self.field(),
                message,
                "name a section of the model, or leave the phase at one value",
            ));
        }
        let plan = Plan::new(self.along.iter().cloned().collect(), self.starts.clone(), Carry::None);
        let plan = plan.map_err(|error| list.push(refused(self.field(), &error))).ok();
        Ok((list, plan.map(|plan| Settled { plan, parameters, method })))
    }

    /// The field of the starts.
    fn field(&self) -> &'static str {
        match self.starts {
            Starts::Random { .. } => "random",
            Starts::List { .. } => "starts",
            Starts::Grid(_) | Starts::Model => "grid",
        }
    }

    fn of_starts(&self, system: &System) -> Vec<Refusal> {
        let (field, names) = (self.field(), self.starts.states());
        let states = system.state_names();
        let mut list = Vec::new();
        for (i, name) in names.iter().enumerate() {
            if !states.iter().any(|state| state == name) {
                let help = nearest(name, states.iter().map(String::as_str));
                let help = help.map_or_else(
                    || format!("the states are {}", states.join(", ")),
                    |near| format!("did you mean `{near}`?"),
                );
                list.push(Refusal::new(field, format!("the model has no state `{}`", cut(name)), help));
            }
            if names[..i].contains(name) {
                list.push(Refusal::new(field, format!("the state {name} is named twice"), "name each state once"));
            }
        }
        match &self.starts {
            Starts::Model => list.push(Refusal::new(
                "grid",
                "no starts are given",
                "give a grid of two states, ranges of random states, or a list",
            )),
            Starts::Grid(axes) if axes.len() > 2 => {
                list.push(Refusal::new("grid", "a grid has one or two states", "draw random starts for more"));
            }
            Starts::Random { ranges, .. } => {
                for (name, from, to) in ranges {
                    if !(from.is_finite() && to.is_finite() && from < to) {
                        let message = format!("the range of {name} goes from {from} to {to}");
                        list.push(Refusal::new("random", message, "give two numbers, the smaller one first"));
                    }
                }
            }
            _ => {}
        }
        if self.starts.is_empty() {
            list.push(Refusal::new(field, "there are no starts", "ask for 1 or more"));
        }
        list
    }

    /// All mistakes in the request for this system.
    ///
    /// # Errors
    /// If the model has no section at all, or has several and none is named.
    pub fn refusals(&self, system: &System) -> Result<Vec<Refusal>, Error> {
        self.examine(system).map(|(list, _)| list)
    }
}
