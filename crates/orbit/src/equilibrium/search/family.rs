//! The ends of a family of equilibria that stick by friction: where a force reaches the edge of its cone.

use saltation_motion::{Bound, Field};

use super::super::SINGULAR_RATIO;
use super::super::newton::{self, Solution};
use super::super::units::Units;
use super::{Found, GoesOn, Row, SAME_STATE, Seeker, equations, rows, together};

impl Seeker<'_> {
    /// Adds the ends of the family to one of its members if the family is a curve. A member that is not admissible gives way to one between two ends.
    pub(super) fn find_ends(&mut self, field: &mut Field, found: &mut Found, goes_on: GoesOn) {
        let (member, units) = found;
        if member.isolated || !self.is_curve(field, &member.state, units) {
            return;
        }
        let cones = member.bounds.iter().enumerate().filter(|(_, bound)| matches!(bound.1, Bound::Cone(_)));
        let cones: Vec<usize> = cones.map(|(row, _)| row).collect();
        let mut ends: Vec<Vec<f64>> = Vec::new();
        for row in cones {
            let Some(end) = self.end(field, &member.state, units, row, goes_on) else { continue };
            if ends.iter().all(|known| self.distance(known, &end, units) >= SAME_STATE) {
                ends.push(end);
            }
        }
        if let ([one, other], false) = (&ends[..], member.admissible) {
            let between: Vec<f64> = one.iter().zip(other).map(|(a, b)| 0.5 * (a + b)).collect();
            match self.seek(field, &between, goes_on) {
                Ok(inside) if inside.0.admissible => *found = inside,
                _ => {}
            }
        }
        found.0.ends = ends;
    }

    /// Whether the solutions near a state have one dimension.
    fn is_curve(&self, field: &mut Field, state: &[f64], units: &Units) -> bool {
        let local = field.at(state);
        let Ok(values) = equations(local, &self.flowing, units, true).jacobian.singular_values() else { return false };
        let largest = values.first().copied().unwrap_or(0.0);
        let rank = values.iter().filter(|&&value| value > SINGULAR_RATIO * largest).count();
        rank + 1 == self.flowing.len()
    }

    /// The member nearest to another at which a bound is zero, if it is admissible.
    fn end(
        &mut self,
        field: &mut Field,
        member: &[f64],
        units: &Units,
        row: usize,
        goes_on: GoesOn,
    ) -> Option<Vec<f64>> {
        let start: Vec<f64> = self.flowing.iter().zip(&units.of).map(|(&i, unit)| member[i] / unit).collect();
        let element = field.at(member).bounds[row].0;
        let solution = newton::solve(&start, |unknowns| {
            if !goes_on() {
                return None;
            }
            let local = field.at(&self.whole(unknowns, units));
            let bound = Row::of(local.bounds[row].2, (&local.bound_gradients, row), &self.flowing, units);
            if !(local.is_finite() && bound.value.is_finite() && bound.slopes.iter().all(|slope| slope.is_finite())) {
                return None;
            }
            let mut rows = rows(local, &self.flowing, units, true);
            rows.push(bound);
            Some(together(rows, self.flowing.len()))
        })?;
        if !solution.converged {
            return None;
        }
        let near = self.whole(&solution.unknowns, units);
        let (state, residual) = self.without_rounding(field, &near, units)?;
        let solution = Solution { residual, ..solution };
        let own = self.own_units(field, &state).unwrap_or_else(|| units.clone());
        let end = self.equilibrium(field, state, &own, &solution);
        (end.admissible && end.boundary.contains(&element)).then_some(end.state)
    }
}
