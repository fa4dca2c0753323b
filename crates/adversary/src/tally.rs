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
    /// The number of members that disagree with an oracle.
    pub disagreeing: u64,
    /// The number of members that disagree with none, but whose last digits decide.
    pub undecided: u64,
    /// The numbers of motions that ended early, by kind of ending.
    pub early: BTreeMap<&'static str, u64>,
    /// The longest time that a member took.
    pub longest: Duration,
}

impl Tally {
    /// Counts one member.
    pub fn add(&mut self, outcome: &Outcome, time: Duration) {
        self.members += 1;
        self.disagreeing += u64::from(!outcome.disagreements.is_empty());
        self.undecided += u64::from(outcome.disagreements.is_empty() && !outcome.undecided.is_empty());
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
    /// The number of members that disagree, in all.
    pub fn disagreeing(&self) -> u64 {
        self.0.iter().map(|(_, tally)| tally.disagreeing).sum()
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(
            f,
            "{:<12} {:>9} {:>9} {:>9} {:>9}  early endings",
            "family", "members", "disagree", "undecided", "longest"
        )?;
        let mut sum = Tally::default();
        for (name, tally) in &self.0 {
            let early: Vec<String> = tally.early.iter().map(|(ending, count)| format!("{ending} {count}")).collect();
            let longest = tally.longest.as_secs_f64();
            let Tally { members, disagreeing, undecided, .. } = tally;
            writeln!(
                f,
                "{name:<12} {members:>9} {disagreeing:>9} {undecided:>9} {longest:>7.2} s  {}",
                early.join(", ")
            )?;
            sum.members += members;
            sum.disagreeing += disagreeing;
            sum.undecided += tally.undecided;
            sum.longest = sum.longest.max(tally.longest);
        }
        let (members, disagreeing, undecided) = (sum.members, sum.disagreeing, sum.undecided);
        let longest = sum.longest.as_secs_f64();
        write!(f, "{:<12} {members:>9} {disagreeing:>9} {undecided:>9} {longest:>7.2} s", "all")
    }
}
