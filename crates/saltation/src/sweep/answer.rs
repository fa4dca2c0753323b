//! The answer of a sweep. Its JSON is that of `sweep --json`.

use crate::named::{Named, serial};
use crate::naming::Naming;
use saltation_sweep::{Kind, Outcome, Point};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A recorded return: the state on the section, and the impacts since the return before.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The value of the first parameter.
    pub value: f64,
    /// The value of the second one, if there is one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub second: Option<f64>,
    /// The state.
    pub state: Named,
    /// The opening speeds before the impacts of this return, in order.
    #[serde(with = "serial::numbers")]
    pub impact_speeds: Vec<f64>,
}

/// What was found at one point of a sweep.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// The values of the parameters that vary.
    pub parameters: Named,
    /// How the trajectory ended, in a word: `complete`, `rest` at an equilibrium, or the reason of the early end.
    pub ended: String,
    /// How it ended, in a sentence; empty if all returns were made.
    pub message: String,
    /// The period in returns; null where returns do not repeat within half of the record.
    pub period: Option<u64>,
    /// Whether the motion still approaches that period.
    pub approaching: bool,
    /// The number of the attractor in the list of attractors; null where nothing is known of it.
    pub attractor: Option<usize>,
    /// The number of impacts at each contact in the record.
    pub impacts: BTreeMap<String, u64>,
    /// The time of the record.
    pub duration: f64,
    /// The time in which each contact was closed.
    pub contact_time: Named,
    /// The time in which each contact was closed without slip.
    pub stick_time: Named,
    /// The least and the greatest value of each quantity asked for.
    pub extremes: BTreeMap<String, [Option<f64>; 2]>,
    /// The Lyapunov exponents asked for; null is minus infinity, or an exponent that has no value.
    #[serde(with = "serial::numbers")]
    pub exponents: Vec<f64>,
    /// The last state.
    pub state: Option<Named>,
    /// The contacts closed there.
    pub mode: Option<String>,
}

/// The names that tasks have in common.
#[derive(Debug, Clone)]
pub(crate) struct TaskNames {
    pub parameters: Arc<[String]>,
    pub contacts: Arc<[String]>,
    pub extremes: Vec<String>,
}

impl Task {
    pub(crate) fn new(
        names: &TaskNames,
        naming: Naming,
        point: &Point,
        outcome: &Outcome,
        attractor: Option<usize>,
    ) -> Task {
        let of_contacts = |list: &[f64]| Named::new(Arc::clone(&names.contacts), list.to_vec());
        let impacts = |(i, name): (usize, &String)| {
            (name.clone(), outcome.impacts.iter().filter(|impact| impact.contact == i).count() as u64)
        };
        let finite = |x: f64| Some(x).filter(|x| x.is_finite());
        let extremes = names.extremes.iter().zip(&outcome.extremes);
        Task {
            parameters: Named::new(Arc::clone(&names.parameters), point.parameters.clone()),
            ended: outcome.ending.word.clone(),
            message: outcome.ending.message.clone(),
            period: outcome.period.map(|period| period.returns),
            approaching: outcome.period.is_some_and(|period| period.approaching),
            attractor,
            impacts: names.contacts.iter().enumerate().map(impacts).collect(),
            duration: outcome.duration,
            contact_time: of_contacts(&outcome.closed_time),
            stick_time: of_contacts(&outcome.stick_time),
            extremes: extremes.map(|(name, &(low, high))| (name.clone(), [finite(low), finite(high)])).collect(),
            exponents: outcome.exponents.clone(),
            state: outcome.last.as_ref().map(|(state, _)| naming.named(state)),
            mode: outcome.last.as_ref().map(|(_, closed)| naming.mode(*closed)),
        }
    }
}

/// An attractor that was met along a sweep.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Attractor {
    /// What it is: `periodic`, `aperiodic`, `growing` or `rest`.
    pub kind: String,
    /// Its period in returns.
    pub period: Option<u64>,
    /// The impacts at each contact in one period.
    pub impacts: BTreeMap<String, u64>,
    /// The number of tasks that met it.
    pub count: u64,
    /// The values of the parameters where it was met first.
    pub from: Named,
    /// The values of the parameters where it was met last.
    pub to: Named,
}

/// The word for the kind of an attractor, and its period.
pub(crate) fn kind(kind: Kind) -> (&'static str, Option<u64>) {
    match kind {
        Kind::Rest => ("rest", None),
        Kind::Periodic(period) => ("periodic", Some(period)),
        Kind::Aperiodic => ("aperiodic", None),
        Kind::Growing => ("growing", None),
        Kind::Unknown => ("unknown", None),
    }
}

/// The answer of a sweep.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The first parameter.
    pub parameter: String,
    /// Its values, in the order in which they were visited. Empty if there are more than a million, and the records are in a folder.
    pub values: Vec<f64>,
    /// The second parameter, if there is one.
    pub second: Option<String>,
    /// Its values.
    pub second_values: Vec<f64>,
    /// The recorded returns, in the order of tasks. Empty if they are in a folder and were not asked for besides.
    pub records: Vec<Record>,
    /// What was found at every point, the first parameter changing fastest. As the records.
    pub tasks: Vec<Task>,
    /// The attractors, in the order in which they were met; along one parameter only.
    pub attractors: Vec<Attractor>,
    /// The number of tasks that were done.
    pub done: u64,
    /// How many motions have each period; `0` counts those without one, `rest` those at rest, `ended` those that ended early.
    pub periods: BTreeMap<String, u64>,
    /// The section at which returns were recorded.
    pub section: String,
    /// The number of returns of the transient.
    pub settled: u64,
    /// The number of returns recorded.
    pub recorded: u64,
    /// What was carried: `up`, `down` or `none`.
    pub carry: String,
    /// How the sweep ended, in a word: `complete`, `interrupted`, `unwritable` or `memory`.
    pub ended: String,
    /// How it ended, in a sentence.
    pub message: String,
    /// The name of the model.
    pub model: String,
    /// The values of the other parameters.
    pub parameters: Named,
}
