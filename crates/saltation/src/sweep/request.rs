//! The request for a sweep: the parameters with their values, what is carried from value to value, and how each motion is recorded.

use crate::error::{Error, Refusal};
use crate::system::System;
use crate::tasks::Method;
use crate::tasks::describe::refused;
use crate::tasks::question::Settled;
use crate::text::cut;
use saltation_expr::parse::nearest;
use saltation_sweep::{Axis, Carry, Plan, Starts};
use serde::{Deserialize, Serialize};

/// A sweep over one or two parameters: every field but `along` has a default.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Request {
    /// One or two parameters with their values.
    pub along: Vec<Axis>,
    /// Whether a motion begins where that at the value before ended, or at the start.
    pub carry: Carry,
    /// How every motion is computed and recorded.
    #[serde(flatten)]
    pub method: Method,
}

impl Request {
    pub(crate) fn examine(&self, system: &System) -> Result<(Vec<Refusal>, Option<Settled>), Error> {
        let (mut list, method) = self.method.examine(system)?;
        let mut parameters = Vec::new();
        for axis in &self.along {
            match parameter(axis.name(), system) {
                Ok(index) => parameters.push(index),
                Err(refusal) => list.push(refusal),
            }
        }
        match &self.along[..] {
            [] => list.push(Refusal::new("along", "no parameter is named", "give for example A=0.3:0.4:200")),
            [_] => {}
            [first, second] if first.name() == second.name() => {
                let message = format!("the parameter {} is named twice", first.name());
                list.push(Refusal::new("along", message, "name another one for the second axis"));
            }
            [_, _] => {}
            [_, _, ..] => {
                let message = format!("a sweep has one or two parameters, not {}", self.along.len());
                list.push(Refusal::new("along", message, "leave the others at a value"));
            }
        }
        let plan = Plan::new(self.along.clone(), Starts::Model, self.carry);
        let plan = plan.map_err(|error| list.push(refused("along", &error))).ok();
        Ok((list, plan.map(|plan| Settled { plan, parameters, method })))
    }

    /// All mistakes in the request for this system.
    ///
    /// # Errors
    /// If the model has no section at all, or has several and none is named.
    pub fn refusals(&self, system: &System) -> Result<Vec<Refusal>, Error> {
        self.examine(system).map(|(list, _)| list)
    }
}

/// The position of the parameter of this name.
pub(crate) fn parameter(name: &str, system: &System) -> Result<usize, Refusal> {
    let model = system.model();
    model.parameter(name).ok_or_else(|| {
        let names = model.parameters.iter().map(|parameter| parameter.name.as_str());
        let help = match nearest(name, names.clone()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the parameters are {}", names.collect::<Vec<_>>().join(", ")),
        };
        Refusal::new("along", format!("the model has no parameter `{}`", cut(name)), help)
    })
}
