//! Newton's method from further states, and beside the solutions that are known.

use saltation_motion::Field;

use super::super::newton;
use super::super::units::Units;
use super::{Equilibrium, Found, GoesOn, RESTARTS, SAME_STATE, Seeker, equations};

impl Seeker<'_> {
    /// Whether two equilibria of a mode are one; of a family one member is reported.
    pub(super) fn is_same(&self, (known, units): &Found, other: &Equilibrium) -> bool {
        !known.isolated && !other.isolated || self.distance(&known.state, &other.state, units) < SAME_STATE
    }

    /// Newton's method from further states. Of a family a member that is admissible takes the place of one that is not.
    pub(super) fn look_again(
        &mut self,
        field: &mut Field,
        starts: &[Vec<f64>],
        found: &mut Vec<Found>,
        goes_on: GoesOn,
    ) {
        for start in starts {
            let Ok(other) = self.seek(field, start, goes_on) else { continue };
            match found.iter().position(|known| self.is_same(known, &other.0)) {
                None => found.push(other),
                Some(place) if other.0.admissible && !found[place].0.admissible && !other.0.isolated => {
                    found[place] = other;
                }
                Some(_) => {}
            }
        }
    }

    /// Solutions beside the known ones, from some states, as long as there are any; of a family none is beside, and what a period of the field repeats is none.
    pub(super) fn look_beside(
        &mut self,
        field: &mut Field,
        starts: &[&[f64]],
        found: &mut Vec<Found>,
        goes_on: GoesOn,
    ) {
        for start in starts {
            while (1..RESTARTS).contains(&found.len()) && found.iter().all(|(known, _)| known.isolated) {
                let Some(near) = self.beside(field, start, found, goes_on) else { break };
                let Ok(other) = self.seek(field, &near, goes_on) else { break };
                if found
                    .iter()
                    .any(|known| self.is_same(known, &other.0) || self.repeats(field, starts, known, &other.0))
                {
                    break;
                }
                found.push(other);
            }
        }
    }

    /// Whether the way from one equilibrium to another is a period of the field: at some states it is the same there. Switches may stand elsewhere after a turn.
    fn repeats(&self, field: &mut Field, starts: &[&[f64]], (known, units): &Found, other: &Equilibrium) -> bool {
        starts.iter().all(|start| {
            let mut moved = start.to_vec();
            self.flowing.iter().for_each(|&i| moved[i] += other.state[i] - known.state[i]);
            let here = field.at(start).clone();
            let there = field.at(&moved);
            let same = |a: f64, b: f64, size: f64| (a - b).abs() <= SAME_STATE * size;
            let rates = self.flowing.iter().zip(&units.rates);
            rates.into_iter().all(|(&i, &size)| same(here.rates[i], there.rates[i], size))
                && here.gaps.iter().zip(&there.gaps).all(|(&a, &b)| same(a, b, a.abs()))
        })
    }

    /// A state near a solution beside the known ones.
    fn beside(&mut self, field: &mut Field, start: &[f64], found: &[Found], goes_on: GoesOn) -> Option<Vec<f64>> {
        let (begin, units) = self.begin(field, start, goes_on).ok()?;
        let scaled: Vec<f64> = self.flowing.iter().zip(&units.of).map(|(&i, unit)| begin[i] / unit).collect();
        let ways = |unknowns: &[f64]| {
            let state = self.whole(unknowns, &units);
            found.iter().map(|(known, _)| self.way(&known.state, &state, &units)).collect()
        };
        let near = newton::beside(&scaled, ways, |unknowns| {
            if !goes_on() {
                return None;
            }
            let local = field.at(&self.whole(unknowns, &units));
            local.is_finite().then(|| equations(local, &self.flowing, &units, true))
        })?;
        Some(self.whole(&near, &units))
    }

    /// The way from one state to another in units, angles on the shorter one.
    fn way(&self, from: &[f64], to: &[f64], units: &Units) -> Vec<f64> {
        let part = |(&i, unit): (&usize, &f64)| {
            let difference = to[i] - from[i];
            let turns = self.values.angle_periods()[i].map_or(0.0, |period| period * (difference / period).round());
            (difference - turns) / unit
        };
        self.flowing.iter().zip(&units.of).map(part).collect()
    }
}
