//! Which attractor a task has reached, told from others by its period, its impacts and the set of its returns.
//!
//! Periodic motions are the same if their returns coincide, from whichever of them one counts, within the accuracy to which they are known.
//! Motions without a period are the same if the returns of each lie among those of the other: the typical distance from a return of one to the nearest of the
//! other is not much greater than within one of them. Along a parameter an attractor is one that has been met before if it is of the same kind and its returns
//! have moved by a small part of the sizes of the states, or if its impacts are as fast as before up to a small part: where an impact passes the section the returns jump.

use crate::returns::{Points, Units};
use crate::task::Outcome;

/// A motion that approaches its attractor is from it at most so many times the estimated distance.
const APPROACH: f64 = 2.0;
/// Returns of the same periodic motion agree within this many times the square root of the tolerance.
const AGREEMENT: f64 = 10.0;
/// Sets of returns without a period are the same if distances between them are at most this many times those within them.
const SPREAD: f64 = 4.0;
/// Of longer records this many returns are compared.
const MOST_COMPARED: usize = 256;
/// The most attractors that are told apart: a bound on memory and on the time to compare.
const MOST_ATTRACTORS: usize = 4096;
/// The largest part of the sizes of the states by which an attractor moves from one value of the parameters to the next.
const MOST_MOVED: f64 = 0.1;

/// The kind of motion on an attractor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Nothing happens any more.
    Rest,
    /// A periodic motion, with its period in returns.
    Periodic(u64),
    /// No period was found: chaotic, quasi-periodic, or of a period longer than half of the record.
    Aperiodic,
    /// The motion ended early, or never began: nothing is known of its attractor.
    Unknown,
}

/// What is known of an attractor from one task.
#[derive(Debug, Clone, PartialEq)]
pub struct Attractor {
    /// The kind of motion.
    pub kind: Kind,
    /// The impacts at every contact in one period; of a motion without a period none are counted.
    pub impacts: Vec<u64>,
    /// The impacts of one period in order: contact and opening speed before it.
    pub speeds: Vec<(usize, f64)>,
    /// The returns of one period, or all that are compared; of a system at rest the state.
    pub returns: Points,
    /// The units in which returns are compared.
    pub units: Units,
    /// How well the returns are known, in these units.
    pub accuracy: f64,
}

impl Attractor {
    /// What a task reached, at the tolerance of its motion.
    pub fn of(outcome: &Outcome, tolerance: f64) -> Attractor {
        let states = outcome.last.as_ref().map_or(0, |(state, _)| state.len());
        let settled = AGREEMENT * tolerance.sqrt();
        let units = outcome.units.clone();
        let known = |kind, impacts, returns, accuracy| Attractor {
            kind,
            impacts,
            speeds: Vec::new(),
            returns,
            units,
            accuracy,
        };
        match (&outcome.period, &outcome.last) {
            (Some(period), _) if outcome.ending.is_complete() => {
                let accuracy = if period.approaching { settled.max(APPROACH * period.distance) } else { settled };
                let impacts = outcome.impacts_of_last(period.returns);
                let returns = outcome.returns.last(period.returns as usize);
                let speeds = outcome.speeds_of_last(period.returns);
                Attractor { speeds, ..known(Kind::Periodic(period.returns), impacts, returns, accuracy) }
            }
            (None, Some(_)) if outcome.ending.is_complete() => {
                known(Kind::Aperiodic, Vec::new(), outcome.returns.last(MOST_COMPARED), settled)
            }
            (_, Some((state, _))) if outcome.ending.is_rest() => {
                let mut at_rest = Points::new(states);
                at_rest.push(state);
                let sizes: Vec<f64> = state.iter().map(|x| x.abs()).collect();
                let periods: Vec<_> = (0..states).map(|i| outcome.units.period(i)).collect();
                let units = Units::new(&sizes, &periods);
                Attractor { units, ..known(Kind::Rest, Vec::new(), at_rest, settled) }
            }
            _ => known(Kind::Unknown, Vec::new(), Points::new(states), settled),
        }
    }

    /// Whether this is the attractor that another task reached, at the same parameters.
    pub fn is_same(&self, other: &Attractor) -> bool {
        if !self.is_alike(other) {
            return false;
        }
        let units = self.units.with(&other.units);
        match self.kind {
            Kind::Unknown => false,
            Kind::Rest | Kind::Periodic(_) => self.distance(other, &units) <= self.accuracy + other.accuracy,
            Kind::Aperiodic => {
                let within = spacing(&self.returns, &units).max(spacing(&other.returns, &units));
                let between = nearest(&self.returns, &other.returns, &units);
                let back = nearest(&other.returns, &self.returns, &units);
                between.max(back) <= SPREAD * within + self.accuracy + other.accuracy
            }
        }
    }

    /// Whether this may be the attractor that another task reached at a value of the parameters nearby.
    pub fn is_next(&self, other: &Attractor) -> bool {
        if !self.is_alike(other) {
            return false;
        }
        let units = self.units.with(&other.units);
        match self.kind {
            Kind::Unknown => false,
            Kind::Rest | Kind::Periodic(_) => self.distance(other, &units) <= MOST_MOVED || self.strikes_like(other),
            Kind::Aperiodic => {
                nearest(&self.returns, &other.returns, &units).max(nearest(&other.returns, &self.returns, &units))
                    <= MOST_MOVED
            }
        }
    }

    /// Whether impacts at the same contacts follow each other at almost the same speeds.
    fn strikes_like(&self, other: &Attractor) -> bool {
        let count = self.speeds.len();
        if count == 0 || count != other.speeds.len() {
            return false;
        }
        let greatest = self.speeds.iter().chain(&other.speeds).fold(0.0_f64, |most, (_, speed)| most.max(speed.abs()));
        let near = |k: usize, shift: usize| {
            let (a, b) = (self.speeds[k], other.speeds[(k + shift) % count]);
            a.0 == b.0 && (a.1 - b.1).abs() <= MOST_MOVED * greatest
        };
        (0..count).any(|shift| (0..count).all(|k| near(k, shift)))
    }

    fn is_alike(&self, other: &Attractor) -> bool {
        self.kind == other.kind && self.impacts == other.impacts
    }

    /// The largest distance of returns of two motions of the same period, from the best of all beginnings.
    fn distance(&self, other: &Attractor, units: &Units) -> f64 {
        let count = self.returns.len();
        if count == 0 || count != other.returns.len() {
            return f64::INFINITY;
        }
        let shifted = |shift: usize| {
            let apart = |k: usize| units.distance(self.returns.get(k), other.returns.get((k + shift) % count));
            (0..count).map(apart).fold(0.0, |most: f64, d| if d.is_nan() { f64::INFINITY } else { most.max(d) })
        };
        (0..count).map(shifted).fold(f64::INFINITY, f64::min)
    }
}

/// The median distance from a point of one set to the nearest of another.
fn nearest(from: &Points, to: &Points, units: &Units) -> f64 {
    median(from.iter().map(|a| to.iter().map(|b| units.distance(a, b)).fold(f64::INFINITY, f64::min)).collect())
}

/// The median distance from a point of a set to the nearest other one.
fn spacing(points: &Points, units: &Units) -> f64 {
    let others = |i: usize| points.iter().enumerate().filter(move |(k, _)| *k != i).map(|(_, b)| b);
    let alone = |(i, a): (usize, &[f64])| others(i).map(|b| units.distance(a, b)).fold(f64::INFINITY, f64::min);
    median(points.iter().enumerate().map(alone).collect())
}

fn median(mut list: Vec<f64>) -> f64 {
    list.sort_by(f64::total_cmp);
    list.get(list.len() / 2).copied().unwrap_or(f64::INFINITY)
}

/// The attractors that were met so far; each has the number of its first meeting.
///
/// ```
/// use saltation_sweep::{Attractors, Kind};
/// assert!(Attractors::default().list().is_empty());
/// ```
#[derive(Debug, Clone, Default)]
pub struct Attractors {
    list: Vec<Met>,
}

/// An attractor as it was met last, and how often it was.
#[derive(Debug, Clone, PartialEq)]
pub struct Met {
    /// As it was met last; at one value of the parameters, as it was known best.
    pub attractor: Attractor,
    /// The task that met it so.
    pub task: u64,
    /// The task that met it first.
    pub first: u64,
    /// The number of tasks that met it.
    pub count: u64,
}

impl Attractors {
    /// The attractors in the order in which they were met.
    pub fn list(&self) -> &[Met] {
        &self.list
    }

    /// Takes in what a task reached at the same parameters as all others: the position of the attractor in the list; `None` if nothing is known of it, or if
    /// there are thousands of others already.
    pub fn meet(&mut self, task: u64, attractor: Attractor) -> Option<usize> {
        self.take(task, attractor, Attractor::is_same, |known, new| new.accuracy < known.accuracy)
    }

    /// The same along a parameter, where attractors move.
    pub fn meet_next(&mut self, task: u64, attractor: Attractor) -> Option<usize> {
        self.take(task, attractor, Attractor::is_next, |_, _| true)
    }

    fn take(
        &mut self,
        task: u64,
        attractor: Attractor,
        known: impl Fn(&Attractor, &Attractor) -> bool,
        replaces: impl Fn(&Attractor, &Attractor) -> bool,
    ) -> Option<usize> {
        if attractor.kind == Kind::Unknown {
            return None;
        }
        // The one met last comes first: along a parameter it is the nearest.
        let mut order: Vec<usize> = (0..self.list.len()).collect();
        order.sort_by_key(|&k| std::cmp::Reverse(self.list[k].task));
        let Some(found) = order.into_iter().find(|&k| known(&attractor, &self.list[k].attractor)) else {
            if self.list.len() >= MOST_ATTRACTORS {
                return None;
            }
            self.list.push(Met { attractor, task, first: task, count: 1 });
            return Some(self.list.len() - 1);
        };
        let met = &mut self.list[found];
        met.count += 1;
        if replaces(&met.attractor, &attractor) {
            (met.attractor, met.task) = (attractor, task);
        }
        Some(found)
    }
}

/// The share of `count` among `total` independent tasks, and its standard error sqrt(p (1 - p)/n).
pub fn fraction(count: u64, total: u64) -> (f64, f64) {
    let (count, total) = (count as f64, total as f64);
    let share = count / total;
    (share, (share * (1.0 - share) / total).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::Ending;

    /// What a task found whose returns are these numbers.
    fn outcome(values: impl IntoIterator<Item = f64>) -> Outcome {
        let mut returns = Points::new(1);
        values.into_iter().for_each(|x| returns.push(&[x]));
        let units = Units::new(&[1.0], &[None]);
        Outcome {
            ending: Ending::complete(),
            period: crate::period::of(&returns, &units, 1e-12),
            last: Some((returns.get(returns.len() - 1).to_vec(), saltation_motion::ClosedSet::NONE)),
            returns,
            impacts: Vec::new(),
            duration: 1.0,
            closed_time: vec![0.0],
            stick_time: vec![0.0],
            extremes: Vec::new(),
            exponents: Vec::new(),
            units,
        }
    }

    fn orbit(mut map: impl FnMut(f64) -> f64, start: f64, skip: usize) -> Attractor {
        let mut x = (0..skip).fold(start, |x, _| map(x));
        let values = (0..200).map(|_| {
            let here = x;
            x = map(x);
            here
        });
        Attractor::of(&outcome(values), 1e-12)
    }

    #[test]
    fn motions_that_still_approach_one_attractor_from_both_sides_are_one() {
        for factor in [0.5, 0.9, 0.98, -0.98] {
            let from = |start: f64| orbit(move |x| factor * x, start, 20);
            assert!(from(5e-3).is_same(&from(-4e-3)), "{factor}");
        }
        let fixed = |place: f64| orbit(move |_| place, place, 0);
        assert!(!fixed(0.3).is_same(&fixed(0.3001)) && fixed(0.3).is_next(&fixed(0.3001)));
        assert!(!fixed(0.3).is_next(&fixed(0.7)));
    }

    #[test]
    fn chaotic_sets_are_one_from_any_start_and_others_elsewhere() {
        let logistic = |r: f64, shift: f64, start: f64| {
            orbit(move |x| r * (x - shift) * (1.0 - x + shift) + shift, start + shift, 500)
        };
        let starts = [0.1234, 0.3, 0.77, 0.4567];
        for r in [3.7, 3.9, 4.0] {
            for a in starts {
                for b in starts {
                    assert!(logistic(r, 0.0, a).is_same(&logistic(r, 0.0, b)), "{r} {a} {b}");
                }
            }
        }
        // Moved by a third of its width, and one band instead of another.
        assert!(!logistic(3.7, 0.0, 0.3).is_same(&logistic(3.7, 0.3, 0.3)));
        // A cycle from any of its points, and two cycles of one period.
        let cycle = |k: usize| Attractor::of(&outcome((k..k + 60).map(|i| [0.1, 0.5, 0.9][i % 3])), 1e-12);
        assert!(cycle(0).is_same(&cycle(1)) && cycle(2).is_same(&cycle(1)));
        let other = Attractor::of(&outcome((0..60).map(|i| [0.1, 0.9, 0.5][i % 3])), 1e-12);
        assert!(!cycle(0).is_same(&other), "the order of returns counts");
    }

    #[test]
    fn attractors_are_counted_as_they_are_met() {
        let mut met = Attractors::default();
        let fixed = |place: f64| orbit(move |_| place, place, 0);
        let numbers: Vec<_> =
            [0.1, 0.2, 0.1, 0.1, 0.2].iter().zip(0..).map(|(x, task)| met.meet(task, fixed(*x))).collect();
        assert_eq!(numbers, [Some(0), Some(1), Some(0), Some(0), Some(1)]);
        assert_eq!(met.list().iter().map(|met| (met.first, met.count)).collect::<Vec<_>>(), [(0, 3), (1, 2)]);
        assert_eq!(fraction(3, 5).0, 0.6);
        assert!((fraction(3, 5).1 - (0.24_f64 / 5.0).sqrt()).abs() < 1e-16);
    }
}
