//! Whether an attractor is one that was met at other values of a parameter.
//!
//! It is if it is of the same kind and its returns have moved by a small part of the sizes of the states since it was met last, or are as near to where the last
//! two meetings lead them: a branch may be steep, and its label must not depend on the step. It also is if its impacts are as fast as before up to a small part:
//! where an impact passes the section the returns jump.

use crate::attractor::{Attractor, Kind, apart, nearest};
use crate::returns::Points;

/// The largest part of the sizes of the states by which an attractor moves from one value of the parameter to the next, or away from where it is expected.
const MOST_MOVED: f64 = 0.1;
/// Returns are expected at most so many times as far from the last meeting as that is from the one before.
const FARTHEST: f64 = 4.0;

/// Where an attractor is expected at further values of a parameter.
///
/// ```
/// use saltation_sweep::Track;
/// assert_eq!(Track::begun(0.5), Track::begun(0.5));
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Track {
    /// The value of the parameter at which the attractor was met last.
    last: f64,
    /// Of the meeting before: the value of the parameter, and the returns in the order of those of the last meeting.
    before: Option<(f64, Points)>,
}

impl Track {
    /// An attractor that was met at this value for the first time.
    pub fn begun(value: f64) -> Track {
        Track { last: value, before: None }
    }

    /// It was met again: first as `met` and now as `new`.
    pub fn go_on(&mut self, met: &Attractor, value: f64, new: &Attractor) {
        let moves = matches!(met.kind, Kind::Rest | Kind::Periodic(_)) && value != self.last;
        let units = met.units.with(&new.units);
        let (shift, distance) = apart(&new.returns, &met.returns, &units);
        self.before = (moves && distance.is_finite()).then(|| (self.last, met.returns.turned(shift)));
        self.last = value;
    }

    /// Whether what was met last as `met` may be `new` at a value of the parameter.
    pub fn leads_to(&self, met: &Attractor, value: f64, new: &Attractor) -> bool {
        if !new.is_alike(met) {
            return false;
        }
        let units = new.units.with(&met.units);
        let near = |returns: &Points, most: f64| apart(&new.returns, returns, &units).1 <= most;
        match new.kind {
            Kind::Unknown => false,
            Kind::Growing => true,
            Kind::Rest => {
                let most = MOST_MOVED + met.accuracy + new.accuracy;
                near(&met.returns, most) || self.expected(met, value).is_some_and(|returns| near(&returns, most))
            }
            Kind::Periodic(_) => {
                near(&met.returns, MOST_MOVED)
                    || self.expected(met, value).is_some_and(|returns| near(&returns, MOST_MOVED))
                    || strike_alike(met, new)
            }
            Kind::Aperiodic => {
                let (there, back) =
                    (nearest(&new.returns, &met.returns, &units), nearest(&met.returns, &new.returns, &units));
                there.max(back) <= MOST_MOVED
            }
        }
    }

    /// The returns at a value of the parameter by linear extrapolation from the last two meetings; none where that is too far away.
    fn expected(&self, met: &Attractor, value: f64) -> Option<Points> {
        let (from, before) = self.before.as_ref()?;
        let part = (value - self.last) / (self.last - from);
        if !part.is_finite() || part.abs() > FARTHEST || before.len() != met.returns.len() {
            return None;
        }
        let mut expected = Points::new(met.returns.iter().next()?.len());
        for (now, then) in met.returns.iter().zip(before.iter()) {
            let place = |(i, (now, then)): (usize, (&f64, &f64))| now + part * met.units.difference(i, *now, *then);
            expected.push(&now.iter().zip(then).enumerate().map(place).collect::<Vec<f64>>());
        }
        Some(expected)
    }
}

/// Whether impacts at the same contacts follow each other at almost the same speeds.
fn strike_alike(a: &Attractor, b: &Attractor) -> bool {
    let count = a.speeds.len();
    if count == 0 || count != b.speeds.len() {
        return false;
    }
    let greatest = a.speeds.iter().chain(&b.speeds).fold(0.0_f64, |most, (_, speed)| most.max(speed.abs()));
    let near = |k: usize, shift: usize| {
        let (a, b) = (a.speeds[k], b.speeds[(k + shift) % count]);
        a.0 == b.0 && (a.1 - b.1).abs() <= MOST_MOVED * greatest
    };
    (0..count).any(|shift| (0..count).all(|k| near(k, shift)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::met::Attractors;
    use crate::returns::Units;
    use saltation_motion::ClosedSet;

    fn cycle(returns: &[f64]) -> Attractor {
        let mut points = Points::new(1);
        returns.iter().for_each(|x| points.push(&[*x]));
        Attractor {
            kind: Kind::Periodic(returns.len() as u64),
            impacts: Vec::new(),
            speeds: Vec::new(),
            returns: points,
            units: Units::new(&[1.0], &[None]),
            accuracy: 1e-5,
            closed: ClosedSet::NONE,
        }
    }

    #[test]
    fn a_steep_branch_is_one_attractor_whatever_the_step() {
        // Flat at first, then steeper and steeper: x = 8 (p - 0.2)^2, and the other return of the cycle below it, from either of them.
        for points in [40, 80, 400] {
            let mut met = Attractors::default();
            for k in 0..=points {
                let p = f64::from(k) / f64::from(points);
                let x = if p > 0.2 { 8.0 * (p - 0.2) * (p - 0.2) } else { 0.0 };
                let returns = if k % 2 == 0 { [x, -1.0 - x] } else { [-1.0 - x, x] };
                assert_eq!(met.meet_next(k as u64, p, cycle(&returns)), Some(0), "{points} {p}");
            }
        }
    }

    #[test]
    fn another_branch_nearby_is_another_attractor() {
        let mut met = Attractors::default();
        assert_eq!(met.meet_next(0, 0.0, cycle(&[0.0])), Some(0));
        assert_eq!(met.meet_next(1, 0.1, cycle(&[0.05])), Some(0));
        assert_eq!(met.meet_next(2, 0.2, cycle(&[0.5])), Some(1), "a jump");
        assert_eq!(met.meet_next(3, 0.3, cycle(&[0.15])), Some(0), "back again");
        assert_eq!(met.meet_next(4, 0.4, cycle(&[f64::NAN])), Some(2), "without a value nothing is near");
    }
}
