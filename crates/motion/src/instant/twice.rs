//! Modes that hold a motion twice: what their contacts and switches keep at zero depends on each other, so that forces and sigmas are no numbers. Found by Gram-Schmidt among the gradients.
//!
//! Such modes need not be looked at. If forces of one of them obey all laws, so do those of a mode with fewer holds: the intervals of forces and sigmas contain no line, so that the
//! polyhedron of those that lead to the trajectory has a corner, where some of them stand at an end of their intervals.

use saltation_numerics::dual::Dual;

use crate::instant::knowledge::ELIMINATED;
use crate::mode::hybrid::BoundHybrid;
use crate::mode::{ClosedSet, Constraint};
use crate::sensitivity::dual::{LANES, Number4};
use crate::transition::automaton::Automaton;
use crate::transition::consistent::ConsistentMode;

impl Automaton<'_> {
    /// Whether contacts that stay closed and switches along which a mode slides on the present sides hold the motion twice.
    pub(crate) fn holds_twice(&mut self, contacts: &ConsistentMode) -> bool {
        if !self.now.sides.slides() {
            return false;
        }
        let mut rows = self.gradients_of_sliding();
        for contact in contacts.mode.iter().filter(|_| self.system.coupled) {
            self.joint.group.look(self.system, contact, &self.now.state);
            let touch = &self.joint.group.touches[contact];
            let sticks = self.system.has_friction(contact) && contacts.mode.direction(contact).is_none();
            if !contacts.redundant.contains(&Constraint::Normal(contact)) {
                rows.push(touch.normal().to_vec());
            }
            if sticks && !contacts.redundant.contains(&Constraint::Tangential(contact)) {
                rows.push(touch.tangent().to_vec());
            }
        }
        are_dependent(&rows)
    }

    /// Whether contacts and switches that all stick would hold one motion twice: their forces are then one choice of many, at whose corners some are at their static limits. Contacts whose tangents
    /// are parallel share one cone.
    pub(crate) fn is_statically_indeterminate(&mut self, pressed: ClosedSet) -> bool {
        let stuck = pressed.iter().filter(|&contact| pressed.slip(contact).is_none()).fold(pressed, ClosedSet::with);
        let redundant = self.joint.group.redundant(self.system, stuck, &self.now.state, &[]);
        let is_alone = |constraint: &Constraint| match *constraint {
            Constraint::Tangential(contact) => !redundant.contains(&Constraint::Parallel(contact)),
            _ => false,
        };
        redundant.iter().any(is_alone) || self.holds_twice(&ConsistentMode::as_it_is(stuck, &redundant))
    }

    /// The gradients of what sliding keeps at zero: by the velocities of a mechanical body, for a function of coordinates that of its rate; else by all states.
    fn gradients_of_sliding(&self) -> Vec<Vec<f64>> {
        let system = self.system;
        let parameters: Vec<Number4> = self.parameters.iter().map(|&p| Number4::constant(p)).collect();
        let mut hybrid = BoundHybrid::new(&system.hybrid, &parameters);
        let sliding: Vec<usize> = self.now.sides.holding().collect();
        let mut slopes = vec![vec![0.0; self.now.state.len()]; sliding.len()];
        for first in (0..self.now.state.len()).step_by(LANES) {
            let states = self.now.state.iter().enumerate();
            let point: Vec<Number4> = states.map(|(i, &x)| Dual::variable(x, i.wrapping_sub(first))).collect();
            let values = hybrid.functions(&system.hybrid, &point);
            for (slope, &k) in slopes.iter_mut().zip(&sliding) {
                let count = LANES.min(self.now.state.len() - first);
                slope[first..first + count].copy_from_slice(&values[k].tangent[..count]);
            }
        }
        let along = |slope: &[f64], states: &[usize]| states.iter().map(|&i| slope[i]).collect::<Vec<f64>>();
        let own = |(slope, &k): (Vec<f64>, &usize)| match (system.velocities(), system.hybrid.second[k]) {
            ([], _) => slope,
            (_, true) => along(&slope, system.coordinates()),
            (velocities, false) => along(&slope, velocities),
        };
        slopes.into_iter().zip(&sliding).map(own).collect()
    }
}

/// Whether rows depend on each other.
fn are_dependent(rows: &[Vec<f64>]) -> bool {
    let mut basis: Vec<Vec<f64>> = Vec::with_capacity(rows.len());
    rows.iter().any(|row| {
        let length = |row: &[f64]| f64::sqrt(row.iter().map(|x| x * x).sum());
        let whole = length(row);
        let mut left = row.clone();
        for _ in 0..2 {
            for known in &basis {
                let share: f64 = left.iter().zip(known).map(|(x, y)| x * y).sum();
                left.iter_mut().zip(known).for_each(|(x, y)| *x -= share * y);
            }
        }
        let rest = length(&left);
        left.iter_mut().for_each(|x| *x /= rest);
        basis.push(left);
        rest <= ELIMINATED * whole
    })
}

#[cfg(test)]
mod tests {
    use super::are_dependent;

    #[test]
    fn three_speeds_of_two_bodies_depend_on_each_other() {
        let (first, second, apart) = (vec![1.0, 0.0], vec![0.0, 1.0], vec![-1.0, 1.0]);
        assert!(!are_dependent(&[first.clone(), second.clone()]) && !are_dependent(&[first.clone(), apart.clone()]));
        assert!(are_dependent(&[first.clone(), second, apart]) && are_dependent(&[first.clone(), first]));
        assert!(are_dependent(&[vec![0.1, 0.3], vec![0.2, 0.6]]));
    }
}
