//! Which attractor a task has reached, told from others by its period, its impacts and the set of its returns.
//!
//! Periodic motions are the same if their returns coincide, from whichever of them one counts, within the accuracy to which they are known.
//! Motions without a period are the same if the returns of each lie among those of the other: the typical distance from a return of one to the nearest of the
//! other is not much greater than within one of them. Along a parameter they move: `track` recognizes them there.

use crate::returns::{Points, Units};
use crate::task::Outcome;
use saltation_motion::ClosedSet;

/// A motion that approaches its attractor is from it at most so many times the estimated distance.
const APPROACH: f64 = 2.0;
/// Returns of the same periodic motion agree within this many times the square root of the tolerance.
const AGREEMENT: f64 = 10.0;
/// Sets of returns without a period are the same if distances between them are at most this many times those within them.
const SPREAD: f64 = 4.0;
/// A record is judged by the largest distance from its first return in each of so many parts, of two returns or more.
const PARTS: usize = 8;
/// A trajectory grows if in the second half of the record it advances by at least this part of its advance in the first.
const STEADY: f64 = 0.9;
/// Of longer records this many returns are compared.
const MOST_COMPARED: usize = 256;

/// The kind of motion on an attractor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Nothing happens any more.
    Rest,
    /// A periodic motion, with its period in returns.
    Periodic(u64),
    /// No period was found: chaotic, quasi-periodic, or of a period longer than half of the record.
    Aperiodic,
    /// No period was found, and to the end of the record the returns go further and further from where it began, no slower than at first: the motion has
    /// no bound, or its transient is longer than the record.
    Growing,
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
    /// The contacts that are closed there; of a motion that returns those that were closed at last.
    pub closed: ClosedSet,
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
            closed: outcome.last.as_ref().map_or(ClosedSet::NONE, |(_, closed)| *closed),
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
                let kind = if grows(&outcome.returns, &outcome.units) { Kind::Growing } else { Kind::Aperiodic };
                known(kind, Vec::new(), outcome.returns.last(MOST_COMPARED), settled)
            }
            (_, Some((state, _))) if outcome.ending.is_rest() => {
                let mut at_rest = Points::new(states);
                at_rest.push(state);
                // On its way the trajectory has sizes of its own, which are those of the state no more where that vanishes.
                if let Some(away) = outcome.away {
                    return known(Kind::Rest, Vec::new(), at_rest, settled.max(APPROACH * away));
                }
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
            // Where they lead is not known: they are counted together.
            Kind::Growing => true,
            Kind::Rest | Kind::Periodic(_) => self.distance(other, &units) <= self.accuracy + other.accuracy,
            Kind::Aperiodic => {
                let within = spacing(&self.returns, &units).max(spacing(&other.returns, &units));
                let between = nearest(&self.returns, &other.returns, &units);
                let back = nearest(&other.returns, &self.returns, &units);
                between.max(back) <= SPREAD * within + self.accuracy + other.accuracy
            }
        }
    }

    pub(crate) fn is_alike(&self, other: &Attractor) -> bool {
        self.kind == other.kind && self.impacts == other.impacts
    }

    /// The largest distance of returns of two motions of the same period, from the best of all beginnings.
    pub(crate) fn distance(&self, other: &Attractor, units: &Units) -> f64 {
        apart(&self.returns, &other.returns, units).1
    }
}

/// Whether every part of a record leads further from its beginning than those before, and the second half no less than the first.
fn grows(returns: &Points, units: &Units) -> bool {
    let length = returns.len() / PARTS;
    if length < 2 {
        return false;
    }
    let farthest = |part: usize| {
        let points = (part * length..(part + 1) * length).map(|k| units.distance(returns.get(0), returns.get(k)));
        points.fold(0.0, f64::max)
    };
    let farthest: Vec<f64> = (0..PARTS).map(farthest).collect();
    let (half, whole) = (farthest[PARTS / 2 - 1], farthest[PARTS - 1]);
    farthest.windows(2).all(|pair| pair[0] < pair[1]) && whole - half >= STEADY * half
}

/// The beginning of the second of two sequences of returns from which they are nearest, and the largest distance then.
pub(crate) fn apart(a: &Points, b: &Points, units: &Units) -> (usize, f64) {
    let count = a.len();
    if count == 0 || count != b.len() {
        return (0, f64::INFINITY);
    }
    let shifted = |shift: usize| {
        let apart = |k: usize| units.distance(a.get(k), b.get((k + shift) % count));
        (0..count).map(apart).fold(0.0, |most: f64, d| if d.is_nan() { f64::INFINITY } else { most.max(d) })
    };
    let list = (0..count).map(|shift| (shift, shifted(shift)));
    list.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0, f64::INFINITY))
}

/// The median distance from a point of one set to the nearest of another.
pub(crate) fn nearest(from: &Points, to: &Points, units: &Units) -> f64 {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ending::Ending;

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
            away: None,
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
        assert!(!fixed(0.3).is_same(&fixed(0.3001)));
    }

    #[test]
    fn motions_that_grow_have_no_bound_in_the_record() {
        let kind = |map: fn(f64) -> f64| Attractor::of(&outcome((0..100).map(|k| map(f64::from(k)))), 1e-12).kind;
        assert_eq!(kind(|k| 1.06_f64.powf(k) * (1.3 * k).cos()), Kind::Growing, "as it oscillates");
        assert_eq!(kind(|k| 7.0 - 0.01 * k), Kind::Growing, "no faster");
        assert_eq!(kind(|k| k.sqrt()), Kind::Aperiodic, "slower and slower");
        assert_eq!(kind(|k| (0.7 * k).sin()), Kind::Aperiodic, "on a circle");
        let mut x = 0.2;
        let chaos = (0..100).map(|_| {
            x = 3.9 * x * (1.0 - x);
            x
        });
        assert_eq!(Attractor::of(&outcome(chaos), 1e-12).kind, Kind::Aperiodic);
        let [slow, fast] = [1.05_f64, 1.3].map(|by| Attractor::of(&outcome((0..100).map(|k| by.powi(k))), 1e-12));
        assert!(slow.is_same(&fast));
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
}
