//! How every motion of a sweep or a basin is computed and recorded: part of the requests of both.

use crate::drawing::quantity::Quantity;
use crate::error::{Error, Refusal};
use crate::named::serial;
use crate::orbit::request::{MOST_SETTLED, count_refusal};
use crate::sections;
use crate::system::{System, TOLERANCE, check_tolerance};
use saltation_motion::{FlowChoice, Policy};
use saltation_sweep as lower;
use serde::{Deserialize, Serialize};

/// The most returns that are recorded of one motion.
pub const MOST_RECORDED: u64 = 10_000_000;
/// The most threads.
pub const MOST_THREADS: usize = 1024;

/// Which Lyapunov exponents are recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exponents {
    /// None.
    #[default]
    None,
    /// The largest one.
    Largest,
    /// One per state other than the phase.
    All,
}

impl Exponents {
    /// All of them.
    pub const ALL: [Exponents; 3] = [Exponents::None, Exponents::Largest, Exponents::All];

    /// The word of the interface.
    pub fn name(self) -> &'static str {
        match self {
            Exponents::None => "none",
            Exponents::Largest => "largest",
            Exponents::All => "all",
        }
    }
}

/// How every motion is computed and recorded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Method {
    /// The number of returns of the transient.
    pub settle: u64,
    /// The number of returns recorded after it.
    pub record: u64,
    /// The section at which returns are counted; without it the phase of the forcing, or else the only section.
    pub section: Option<String>,
    /// The Lyapunov exponents that are recorded.
    pub exponents: Exponents,
    /// The states, and the contacts for their gaps, of which the least and the greatest value are recorded.
    pub extremes: Vec<String>,
    /// The method for smooth motions.
    #[serde(with = "serial::flow")]
    pub flow: FlowChoice,
    /// The local error of one step relative to the size of the state.
    pub tol: f64,
    /// The choice where several contact modes with friction are consistent.
    #[serde(with = "serial::policy")]
    pub policy: Policy,
}

impl Default for Method {
    fn default() -> Method {
        Method {
            settle: 200,
            record: 100,
            section: None,
            exponents: Exponents::None,
            extremes: Vec::new(),
            flow: FlowChoice::default(),
            tol: TOLERANCE,
            policy: Policy::default(),
        }
    }
}

impl Method {
    /// All mistakes, and the method of the tasks if there are none.
    ///
    /// # Errors
    /// If the model has no section at all, or has several and none is named.
    pub(crate) fn examine(&self, system: &System) -> Result<(Vec<Refusal>, lower::Method), Error> {
        let mut list = Vec::new();
        list.extend(check_tolerance(self.tol));
        list.extend(count_refusal("settle", self.settle, 0, MOST_SETTLED));
        list.extend(count_refusal("record", self.record, 1, MOST_RECORDED));
        let section = sections::for_returns(self.section.as_deref(), system.compiled()?, &mut list)?;
        let model = system.model();
        let mut extremes = Vec::new();
        for name in &self.extremes {
            match Quantity::named(model, name) {
                Ok(Quantity::State(state)) => extremes.push(lower::Quantity::State(state)),
                Ok(Quantity::Gap(contact)) => extremes.push(lower::Quantity::Gap(contact)),
                Ok(_) => {
                    let message = format!("the extremes of {name} are not recorded");
                    list.push(Refusal::new("extremes", message, "name a state, or a contact for its gap"));
                }
                Err((message, help)) => list.push(Refusal::new("extremes", message, help)),
            }
        }
        let flowing = model.states.len() - model.phases().count();
        let method = lower::Method {
            section: section.unwrap_or(0),
            settle: self.settle,
            record: self.record,
            tolerance: self.tol,
            flow: self.flow,
            policy: self.policy,
            exponents: match self.exponents {
                Exponents::None => 0,
                Exponents::Largest => flowing.min(1),
                Exponents::All => flowing,
            },
            extremes,
        };
        Ok((list, method))
    }
}
