//! The attractors that the tasks of a sweep have met, each with a number, and how many tasks met it.

use crate::attractor::{Attractor, Kind};
use crate::track::Track;

/// The most attractors that are told apart: a bound on memory and on the time to compare.
const MOST_ATTRACTORS: usize = 4096;

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
    /// Where it is expected along a parameter.
    pub track: Track,
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
        let found = self.take(task, attractor, |met, new| new.is_same(&met.attractor))?;
        let (place, attractor) = found;
        if let Some(attractor) = attractor {
            let met = &mut self.list[place];
            if attractor.accuracy < met.attractor.accuracy {
                (met.attractor, met.task) = (attractor, task);
            }
        }
        Some(place)
    }

    /// The same along a parameter, which has this value, and where attractors move.
    pub fn meet_next(&mut self, task: u64, value: f64, attractor: Attractor) -> Option<usize> {
        let (place, attractor) =
            self.take(task, attractor, |met, new| met.track.leads_to(&met.attractor, value, new))?;
        let met = &mut self.list[place];
        match attractor {
            Some(attractor) => {
                met.track.go_on(&met.attractor, value, &attractor);
                (met.attractor, met.task) = (attractor, task);
            }
            None => met.track = Track::begun(value),
        }
        Some(place)
    }

    /// The position of what a task reached, counted; with the attractor itself if it was known already.
    fn take(
        &mut self,
        task: u64,
        attractor: Attractor,
        known: impl Fn(&Met, &Attractor) -> bool,
    ) -> Option<(usize, Option<Attractor>)> {
        if attractor.kind == Kind::Unknown {
            return None;
        }
        // The one met last comes first: along a parameter it is the nearest.
        let mut order: Vec<usize> = (0..self.list.len()).collect();
        order.sort_by_key(|&k| std::cmp::Reverse(self.list[k].task));
        if let Some(found) = order.into_iter().find(|&k| known(&self.list[k], &attractor)) {
            self.list[found].count += 1;
            return Some((found, Some(attractor)));
        }
        if self.list.len() >= MOST_ATTRACTORS {
            return None;
        }
        self.list.push(Met { attractor, track: Track::default(), task, first: task, count: 1 });
        Some((self.list.len() - 1, None))
    }
}

/// The share of `count` among `total` independent tasks, and its standard error sqrt(p (1 - p)/n); both zero of no tasks.
pub fn fraction(count: u64, total: u64) -> (f64, f64) {
    if total == 0 {
        return (0.0, 0.0);
    }
    let (count, total) = (count as f64, total as f64);
    let share = count / total;
    (share, (share * (1.0 - share) / total).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::returns::{Points, Units};
    use saltation_motion::ClosedSet;

    /// A motion of period 1.
    fn fixed(place: f64) -> Attractor {
        let mut returns = Points::new(1);
        returns.push(&[place]);
        let (impacts, speeds, units) = (Vec::new(), Vec::new(), Units::new(&[1.0], &[None]));
        Attractor { kind: Kind::Periodic(1), impacts, speeds, returns, units, accuracy: 1e-5, closed: ClosedSet::NONE }
    }

    #[test]
    fn attractors_are_counted_as_they_are_met() {
        let mut met = Attractors::default();
        let numbers: Vec<_> =
            [0.1, 0.2, 0.1, 0.1, 0.2].iter().zip(0..).map(|(x, task)| met.meet(task, fixed(*x))).collect();
        assert_eq!(numbers, [Some(0), Some(1), Some(0), Some(0), Some(1)]);
        assert_eq!(met.list().iter().map(|met| (met.first, met.count)).collect::<Vec<_>>(), [(0, 3), (1, 2)]);
        assert_eq!(fraction(3, 5).0, 0.6);
        assert!((fraction(3, 5).1 - (0.24_f64 / 5.0).sqrt()).abs() < 1e-16);
    }
}
