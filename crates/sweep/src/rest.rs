//! Whether a motion that still returns to its section comes to rest: its returns come closer to a stable equilibrium, and without end.
//!
//! A motion that spirals into an equilibrium returns for ever, and its returns approach a point as those to a cycle do. The cycle in the limit has no extent: it
//! is no orbit. What tells both apart is the distance from the equilibrium. It shrinks by equal factors in equal numbers of returns where the trajectory comes to
//! rest, so that Aitken's extrapolation of it is zero; where the trajectory comes to a cycle the extrapolation is the size of the cycle. What is left of a motion that
//! has rested for long is rounding next to a stable equilibrium.

use crate::returns::{Points, Units};
use saltation_model::Values;
use saltation_motion::{ClosedSet, System};
use saltation_orbit::equilibrium::{self, Settings};

/// An approach is known from so many returns at least.
const LEAST_RETURNS: usize = 12;
/// From the first quarter of the record to the last, distances shrink by this factor at least: with less, their limit is not known.
const SHRINKS: f64 = 0.9;
/// The limit of the distances is zero if it is estimated as this part of the last at most.
const NOTHING: f64 = 0.1;

/// A motion that may come to rest.
pub(crate) struct Candidate<'a> {
    pub system: &'a System,
    /// The numbers, with the last return as the start.
    pub values: &'a Values,
    /// The contacts that are closed there.
    pub closed: ClosedSet,
    pub returns: &'a Points,
    pub units: &'a Units,
    /// The least and the greatest value of every state.
    pub spans: &'a [(f64, f64)],
    pub tolerance: f64,
}

/// How far the last return is from the stable equilibrium that the returns approach, in units of the sizes of the states; `None` if they approach none.
pub(crate) fn approached(candidate: &Candidate) -> Option<f64> {
    let Candidate { system, values, closed, returns, units, spans, tolerance } = *candidate;
    // A phase never rests.
    if system.model().phase.is_some() {
        return None;
    }
    // A state that is zero at rest has no size of its own: it is compared with the largest.
    let largest = (0..spans.len()).filter(|i| units.period(*i).is_none()).map(|i| units.size(i)).fold(0.0, f64::max);
    let little = tolerance.sqrt() * largest;
    let hardly_moves = spans.iter().all(|(low, high)| high - low <= little);
    if !hardly_moves {
        let steps: Vec<f64> = (1..returns.len()).map(|k| units.distance(returns.get(k - 1), returns.get(k))).collect();
        (returns.len() >= LEAST_RETURNS).then(|| shrinking(&steps)).flatten()?;
    }
    let found = equilibrium::find(system, values, &Settings { closed: Some(closed), tolerance }).ok()?;
    let stable = found.equilibria.into_iter().find(|rest| rest.stable && rest.admissible)?;
    let last = returns.iter().next_back()?;
    let away = units.distance(last, &stable.state);
    let mut apart = last.iter().zip(&stable.state).enumerate().map(|(i, (a, b))| units.difference(i, *a, *b).abs());
    if hardly_moves && apart.all(|d| d <= little) {
        return Some(away);
    }
    let distances: Vec<f64> = returns.iter().map(|point| units.distance(point, &stable.state)).collect();
    (shrinking(&distances)? <= NOTHING).then_some(away)
}

/// The limit of numbers that shrink from quarter to quarter, as a part of the largest in the last quarter; `None` if they do not shrink.
fn shrinking(list: &[f64]) -> Option<f64> {
    let largest = |q: usize| {
        let quarter = &list[q * list.len() / 4..(q + 1) * list.len() / 4];
        quarter.iter().fold(0.0_f64, |most, &d| if d.is_nan() { f64::INFINITY } else { most.max(d) })
    };
    let [a, b, c, d] = [largest(0), largest(1), largest(2), largest(3)];
    let shrinks = d < c && c < b && b < a && a.is_finite() && d <= SHRINKS * a;
    // Aitken's extrapolation; where the differences do not shrink there is no limit.
    let (before, after) = (b - c, c - d);
    (shrinks && d > 0.0)
        .then(|| if after < before { (1.0 - after / d * after / (before - after)).abs() } else { f64::INFINITY })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_of_a_geometric_sequence_is_its_limit() {
        let of = |limit: f64, factor: f64| {
            let list: Vec<f64> = (0..100).map(|k| limit + f64::powi(factor, k)).collect();
            shrinking(&list)
        };
        for factor in [0.5, 0.9, 0.99, 0.998] {
            assert!(of(0.0, factor).unwrap() < 1e-6, "{factor}");
        }
        // From far outside and from near a cycle.
        assert!(of(0.5, 0.98).unwrap() > 0.5 && of(1e3, 0.9).is_none());
        // Rounding about a cycle, growth, and no numbers.
        assert_eq!(of(0.0, 1.01), None);
        assert_eq!(shrinking(&[f64::NAN; 40]), None);
        assert_eq!(shrinking(&[0.0; 40]), None);
    }

    #[test]
    fn algebraic_decay_is_not_taken_for_rest() {
        // At a Hopf point distances fall like the root of the number of returns, and nothing is known of their limit.
        let list: Vec<f64> = (0..100).map(|k| 1.0 / (10.0 + f64::from(k)).sqrt()).collect();
        assert!(shrinking(&list).unwrap() > NOTHING);
    }
}
