//! Which modes that obey all laws have one motion: the coefficients of all states differ by rounding, those of a body in the kinetic energy.

use saltation_numerics::number::Number;
use saltation_numerics::rounded::Rounded;

use super::judge::{Lawful, ORDER, Sizes};
use crate::instant::knowledge::ROUNDING;
use crate::mode::Sides;
use crate::transition::automaton::Automaton;

/// Whether two coefficients of a state agree to within rounding: their own, that of what the state has been, and that of the largest one in all modes.
fn is_same(a: Rounded, b: Rounded, size: f64, noise: f64) -> bool {
    let apart = (a.value - b.value).abs();
    match (a.value.is_finite(), b.value.is_finite()) {
        (true, true) => !(a - b).exceeds(ROUNDING) || apart <= ROUNDING * size || apart <= noise,
        (a, b) => a == b,
    }
}

impl Lawful {
    /// Whether contacts are pressed more than in another mode, or less; `None` where they are not comparable.
    fn presses_more(&self, other: &Lawful) -> Option<bool> {
        let of = |mode: &Lawful, contact| {
            mode.forces.iter().find(|(own, _)| *own == contact).map_or(Rounded::ZERO, |(_, force)| *force)
        };
        let contacts = self.forces.iter().chain(&other.forces).map(|(contact, _)| *contact);
        let more: Vec<Rounded> = contacts.map(|contact| of(self, contact) - of(other, contact)).collect();
        let more: Vec<f64> = more.iter().filter(|more| more.exceeds(ROUNDING)).map(|more| more.value).collect();
        let first = *more.first()?;
        more.iter().all(|other| first * other > 0.0).then_some(first > 0.0)
    }
}

impl Automaton<'_> {
    /// Modes with different motions. Of those with the same the one whose contacts are pressed most, as it lasts until the body moves: dry friction that rests on a stop pushes onto it. Else the
    /// one that keeps most sides.
    pub(super) fn of_different_motions(
        &mut self,
        all: Vec<Lawful>,
        zero: &[usize],
        before: Sides,
        sizes: &Sizes,
    ) -> Vec<Lawful> {
        let mut different: Vec<Lawful> = Vec::new();
        for mut found in all {
            match different.iter_mut().find(|known| self.move_alike(known, &found, sizes)) {
                Some(known) => {
                    found.leaves |= known.leaves;
                    known.leaves = found.leaves;
                    let kept = known.kept(zero, before) < found.kept(zero, before);
                    if found.presses_more(known).unwrap_or(kept) {
                        *known = found;
                    }
                }
                None => different.push(found),
            }
        }
        different
    }

    /// Whether two modes have the same motion, as those on both sides of a surface along which nothing moves.
    fn move_alike(&mut self, a: &Lawful, b: &Lawful, sizes: &Sizes) -> bool {
        if a.contacts.has_path() && a.contacts.is_same(&b.contacts) {
            return true;
        }
        let alike = |k: usize| is_same(a.motion[k], b.motion[k], sizes.motion[k], a.noise[k].max(b.noise[k]));
        let apart: Vec<usize> = (0..a.motion.len().min(b.motion.len())).filter(|&k| !alike(k)).collect();
        let [coordinates, velocities] = [self.system.coordinates(), self.system.velocities()];
        let of_body = |k: &usize| coordinates.contains(&(k / ORDER)) || velocities.contains(&(k / ORDER));
        let of_energy = self.system.kinetic.is_some() && apart.iter().all(of_body);
        apart.is_empty() || of_energy && self.bodies_move_alike(a, b, sizes)
    }

    /// Whether the coefficients of a body are the same in two modes, by the kinetic energy of what they differ by beside that of the largest in all modes: where forces that are numbers hold
    /// a body, formulas have lost the terms of its own coefficients.
    fn bodies_move_alike(&mut self, a: &Lawful, b: &Lawful, sizes: &Sizes) -> bool {
        let system = self.system;
        let mut state = self.now.state.clone();
        let mut pace = |states: &[usize], value: &dyn Fn(usize) -> f64| {
            system.velocities().iter().zip(states).for_each(|(&v, &i)| state[v] = value(i));
            self.joint.group.pace(system, &state)
        };
        (0..ORDER).all(|j| {
            [system.coordinates(), system.velocities()].into_iter().all(|states| {
                let apart = pace(states, &|i| a.motion[i * ORDER + j].value - b.motion[i * ORDER + j].value);
                apart <= ROUNDING * pace(states, &|i| sizes.motion[i * ORDER + j])
            })
        })
    }
}
