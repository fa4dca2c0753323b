//! The table of the standard works and of their cases.

use crate::bench::run::Run;
use crate::bench::{diagram, fits, flights, heaps, loops, pendulum, structures, sweeps, texts};
use crate::flag::cut;
use saltation::{Error, Mistake, Mistakes};
use std::fmt;

/// All works with what is computed, in a few words.
const WORKS: [(&str, &str); 10] = [
    ("W1", "bifurcation diagram"),
    ("W2", "chattering pendulum"),
    ("W3", "free pendulum"),
    ("W4", "grazing flights"),
    ("W5", "branch through a graze"),
    ("W6", "nonsmooth modes"),
    ("W7", "many contacts"),
    ("W8", "sweep of a relief valve"),
    ("W9", "sweep of a Duffing oscillator"),
    ("W10", "fits of ten parameters"),
];

/// A mistake for every name that is no work.
pub(crate) fn unknown(names: &[String]) -> Vec<Mistakes> {
    let known = WORKS.map(|(work, about)| format!("{work} ({about})")).join(", ");
    let unknown = names.iter().filter(|name| !WORKS.iter().any(|(work, _)| work.eq_ignore_ascii_case(name)));
    let mistakes = unknown.map(|name| {
        let mistake = Mistake::general(format!("there is no work `{}`", cut(name)));
        let list = vec![mistake.help(format!("the works are {known}"))];
        Mistakes { file: "command line".to_string(), text: String::new(), list }
    });
    mistakes.collect()
}

/// A case of a work: what is timed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Case {
    pub work: &'static str,
    pub case: Option<&'static str>,
    pub unit: &'static str,
    /// So many runs take about a second.
    pub repeats: u64,
    pub prepare: fn() -> Result<Run, Error>,
}

impl Case {
    const fn new(
        (work, case): (&'static str, Option<&'static str>),
        unit: &'static str,
        repeats: u64,
        prepare: fn() -> Result<Run, Error>,
    ) -> Case {
        Case { work, case, unit, repeats, prepare }
    }
}

/// The cases of the works of these names, or of all if there are none, in the order of the works.
pub(crate) fn cases(names: &[String]) -> Vec<&'static Case> {
    let wanted = |work: &str| names.is_empty() || names.iter().any(|name| name.eq_ignore_ascii_case(work));
    CASES.iter().filter(|case| wanted(case.work)).collect()
}

/// All cases, in the order of the works.
static CASES: [Case; 17] = [
    Case::new(("W1", None), "us per period", 15, diagram::prepare),
    Case::new(("W2", None), "ms", 101, pendulum::chattering),
    Case::new(("W3", Some("1e-9")), "ms", 1001, || pendulum::free(1e-9)),
    Case::new(("W3", Some("1e-12")), "ms", 1001, || pendulum::free(1e-12)),
    Case::new(("W4", Some("new")), "us per flight", 51, flights::new),
    Case::new(("W4", Some("restart")), "us per flight", 201, flights::restarted),
    Case::new(("W5", None), "ms per point", 51, loops::prepare),
    Case::new(("W6", Some("5")), "us per period", 501, || structures::prepare(&structures::chain(5))),
    Case::new(("W6", Some("400")), "us per period", 15, || structures::prepare(&structures::bar(400))),
    Case::new(("W7", Some("column")), "s per simulated s", 51, || heaps::prepare(texts::column(10), 1e-3)),
    Case::new(("W7", Some("discs")), "s per simulated s", 3, || heaps::prepare(texts::discs(50), 5e-3)),
    Case::new(("W8", Some("alone")), "ms per instance", 3, || sweeps::alone(sweeps::valve()?)),
    Case::new(("W8", Some("sweep")), "ms per instance", 3, || sweeps::asked(sweeps::valve()?)),
    Case::new(("W9", Some("alone")), "ms per instance", 3, || sweeps::alone(sweeps::duffing()?)),
    Case::new(("W9", Some("sweep")), "ms per instance", 3, || sweeps::asked(sweeps::duffing()?)),
    Case::new(("W10", Some("impacts")), "ms per fit", 3, fits::impacts),
    Case::new(("W10", Some("samples")), "ms per fit", 3, fits::samples),
];

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.work)?;
        self.case.map_or(Ok(()), |case| write!(f, " {case}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_work_has_a_case_and_every_case_a_work() {
        let mut of_cases: Vec<&str> = CASES.iter().map(|case| case.work).collect();
        of_cases.dedup();
        assert_eq!(of_cases, WORKS.map(|(work, _)| work));
    }
}
