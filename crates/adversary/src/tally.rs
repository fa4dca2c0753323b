//! Counts of outcomes for every family, as a table.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use crate::family::Outcome;

/// Counts of one family.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    /// The number of members examined.
    pub members: u64,
    /// The number of members that disagree with an oracle, and were not known to.
    pub disagreeing: u64,
    /// The number of members that disagree as they were known to.
    pub expected: u64,
    /// The number of members that disagree with none, but whose last digits decide.
    pub undecided: u64,
    /// The numbers of motions that ended early, by kind of ending.
    pub early: BTreeMap<&'static str, u64>,
    /// The longest time that a member took.
    pub longest: Duration,
}

impl Tally {
    /// Counts one member, which may be known to disagree.
    pub fn add(&mut self, outcome: &Outcome, expected: bool, time: Duration) {
        let disagrees = !outcome.disagreements.is_empty();
        self.members += 1;
        self.disagreeing += u64::from(disagrees && !expected);
        self.expected += u64::from(disagrees && expected);
        self.undecided += u64::from(!disagrees && !outcome.undecided.is_empty());
        for &ending in &outcome.early {
            *self.early.entry(ending).or_default() += 1;
        }
        self.longest = self.longest.max(time);
    }
}

/// The tallies of some families, in their order.
#[derive(Debug, Clone, Default)]
pub struct Table(pub Vec<(&'static str, Tally)>);

impl Table {
    /// The number of members that disagree and were not known to, in all.
    pub fn disagreeing(&self) -> u64 {
        self.0.iter().map(|(_, tally)| tally.disagreeing).sum()
    }

    /// The number of members, in all.
    pub fn members(&self) -> u64 {
        self.0.iter().map(|(_, tally)| tally.members).sum()
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let heads = ["members", "disagree", "expected", "undecided", "longest"].map(|head| format!("{head:>9}"));
        writeln!(f, "{:<12} {}  early endings", "family", heads.join(" "))?;
        let mut sum = Tally::default();
        for (name, tally) in &self.0 {
            let early: Vec<String> = tally.early.iter().map(|(ending, count)| format!("{ending} {count}")).collect();
            writeln!(f, "{}  {}", row(name, tally), early.join(", "))?;
            sum.members += tally.members;
            sum.disagreeing += tally.disagreeing;
            sum.expected += tally.expected;
            sum.undecided += tally.undecided;
            sum.longest = sum.longest.max(tally.longest);
        }
        write!(f, "{}", row("all", &sum))
    }
}

fn row(name: &str, tally: &Tally) -> String {
    let Tally { members, disagreeing, expected, undecided, longest, .. } = tally;
    let longest = longest.as_secs_f64();
    format!("{name:<12} {members:>9} {disagreeing:>9} {expected:>9} {undecided:>9} {longest:>7.2} s")
}
