//! The request for a bench: which works, and how often each is run.

use crate::bench::works::{CASES, Case, WORKS};
use crate::error::Refusal;
use crate::text::cut;
use serde::{Deserialize, Serialize};

/// The largest number of runs of a case: their times are kept until the last of them.
pub const MOST_REPEATS: u64 = 1_000_000;

/// A bench: every field has a default.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Request {
    /// The works, as `W3`; none means all.
    pub works: Vec<String>,
    /// The number of runs of each case; without it as many as take about a second.
    pub repeats: Option<u64>,
}

impl Request {
    /// All mistakes in the request.
    pub fn refusals(&self) -> Vec<Refusal> {
        let unknown = |name: &&String| !WORKS.iter().any(|work| work.is_named(name));
        let names = || WORKS.map(|work| format!("{} ({})", work.name, work.about)).join(", ");
        let works = self.works.iter().filter(unknown).map(|name| {
            Refusal::new("works", format!("there is no work `{}`", cut(name)), format!("the works are {}", names()))
        });
        let repeats = self.repeats.filter(|repeats| !(1..=MOST_REPEATS).contains(repeats)).map(|repeats| {
            let message = format!("repeats is {repeats}, and not between 1 and {MOST_REPEATS}");
            Refusal::new("repeats", message, "give for example 10")
        });
        works.chain(repeats).collect()
    }

    /// The cases of the works, in the order of the table.
    pub(crate) fn cases(&self) -> Vec<&'static Case> {
        let wanted =
            |work: &str| self.works.is_empty() || self.works.iter().any(|name| name.eq_ignore_ascii_case(work));
        CASES.iter().filter(|case| wanted(case.work)).collect()
    }
}
