//! The table of the standard works and of their cases.

use crate::bench::run::Run;
use crate::bench::{diagram, flights, heaps, loops, pendulum, structures};
use crate::error::Error;
use std::fmt;

/// A standard work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Work {
    /// Its name, as `W1`.
    pub name: &'static str,
    /// What is computed, in a few words.
    pub about: &'static str,
    /// What its check is.
    pub check: &'static str,
}

impl Work {
    const fn new(name: &'static str, about: &'static str, check: &'static str) -> Work {
        Work { name, about, check }
    }

    pub(crate) fn is_named(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }
}

/// All works.
pub const WORKS: [Work; 7] = [
    Work::new("W1", "bifurcation diagram", "number of impacts"),
    Work::new("W2", "chattering pendulum", "number of complete chattering sequences"),
    Work::new("W3", "free pendulum", "largest error of the last state"),
    Work::new("W4", "grazing flights", "number of flights with a wrong number of impacts"),
    Work::new("W5", "branch through a graze", "largest periodicity residual"),
    Work::new("W6", "nonsmooth modes", "number of admissible motions"),
    Work::new("W7", "many contacts", "largest residual of the contact laws"),
];

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

/// All cases, in the order of the works.
pub(crate) static CASES: [Case; 11] = [
    Case::new(("W1", None), "us per period", 15, diagram::prepare),
    Case::new(("W2", None), "ms", 101, pendulum::chattering),
    Case::new(("W3", Some("1e-9")), "ms", 1001, || pendulum::free(1e-9)),
    Case::new(("W3", Some("1e-12")), "ms", 1001, || pendulum::free(1e-12)),
    Case::new(("W4", Some("new")), "us per flight", 51, flights::new),
    Case::new(("W4", Some("restart")), "us per flight", 201, flights::restarted),
    Case::new(("W5", None), "ms per point", 51, loops::prepare),
    Case::new(("W6", Some("5")), "us per period", 501, || structures::prepare(&structures::chain(5))),
    Case::new(("W6", Some("400")), "us per period", 15, || structures::prepare(&structures::bar(400))),
    Case::new(("W7", Some("column")), "s per simulated s", 51, || heaps::prepare(heaps::column(10), 1e-3)),
    Case::new(("W7", Some("discs")), "s per simulated s", 3, || heaps::prepare(heaps::discs(50), 5e-3)),
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
        assert_eq!(of_cases, WORKS.map(|work| work.name));
    }
}
