//! What holds at a surface, with its derivatives by the state and the free parameters.

use saltation_numerics::dual::Dual;
use saltation_numerics::number::Number;

use super::{Extension, Image};
use crate::contact::Collision;
use crate::contact::group::Group;
use crate::mode::{Bound, ClosedSet, Constraint, Side};
use crate::sensitivity::dual::{LANES, Number4};

/// A value with its derivatives by the states and then by the free parameters.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Slope {
    /// The value.
    pub value: f64,
    /// Its derivatives.
    pub gradient: Vec<f64>,
}

impl Slope {
    fn collect(&mut self, first: usize, directions: usize, number: Number4) {
        self.value = number.value;
        self.gradient.resize(directions, 0.0);
        let count = LANES.min(directions - first);
        self.gradient[first..first + count].copy_from_slice(&number.tangent[..count]);
    }
}

impl Extension<'_> {
    /// The dual state of a group of directions.
    pub(super) fn lift(&mut self, state: &[f64], group: usize) {
        for (i, x) in self.dual.iter_mut().enumerate() {
            *x = Dual::variable(state[i], i.wrapping_sub(group * LANES));
        }
    }

    fn directions(&self) -> usize {
        self.system.names.len() + self.along.len()
    }

    /// The gap of a contact and its opening speed along the free flight.
    pub fn surface(&mut self, contact: usize, state: &[f64], gap: &mut Slope, speed: &mut Slope) {
        let directions = self.directions();
        for group in 0..self.groups.len() {
            self.lift(state, group);
            let (g, v) = self.laws[contact][group].surface(&self.system.laws[contact], &self.dual);
            gap.collect(group * LANES, directions, g);
            speed.collect(group * LANES, directions, v);
        }
    }

    /// The state after an impact of a contact at a state, whatever the sign of its speed.
    pub fn strike(&mut self, contact: usize, state: &[f64], after: &mut Image) {
        let directions = self.directions();
        for group in 0..self.groups.len() {
            self.lift(state, group);
            let struck = self.laws[contact][group].strike(&self.system.laws[contact], &self.dual);
            let first = group * LANES;
            for (i, x) in struck.after.iter().enumerate() {
                after.state[i] = x.value;
                for m in 0..LANES.min(directions - first) {
                    after.derivative[(i, first + m)] = x.tangent[m];
                }
            }
        }
    }

    /// Moves a state close to it onto g = v = 0 of all closed contacts, and onto s = 0 of switches along which it slides, with the derivative of where it
    /// comes to lie.
    pub fn project(&mut self, closed: ClosedSet, state: &[f64], onto: &mut Image) {
        let directions = self.directions();
        let index = self.field(closed, state);
        for group in 0..self.groups.len() {
            self.lift(state, group);
            if let Some(correction) = self.fields[index].corrections.get_mut(group) {
                correction.expand(&self.dual, 0);
                for (i, x) in self.dual.iter_mut().enumerate() {
                    *x += correction.output(i)[0];
                }
            }
            if self.system.coupled {
                self.together[group].project(self.system, closed, &mut self.dual);
            } else {
                for contact in closed.iter() {
                    self.laws[contact][group].project(&self.system.laws[contact], &mut self.dual);
                }
            }
            let first = group * LANES;
            for (i, x) in self.dual.iter().enumerate() {
                onto.state[i] = x.value;
                for m in 0..LANES.min(directions - first) {
                    onto.derivative[(i, first + m)] = x.tangent[m];
                }
            }
        }
    }

    /// The state after events of the model at a state, one after another, whether their conditions hold or not.
    pub fn reset(&mut self, resets: &[usize], state: &[f64], after: &mut Image) {
        let directions = self.directions();
        for group in 0..self.groups.len() {
            self.lift(state, group);
            for &reset in resets {
                let (jumped, _) = self.hybrid[group].reset(&self.system.hybrid, reset, &self.dual);
                self.dual.copy_from_slice(jumped);
            }
            let first = group * LANES;
            for (i, x) in self.dual.iter().enumerate() {
                after.state[i] = x.value;
                for m in 0..LANES.min(directions - first) {
                    after.derivative[(i, first + m)] = x.tangent[m];
                }
            }
        }
    }

    /// Whether just the events in `resets` are those of a surface that happen where a motion crosses it from the mode `before` at a state: those in its
    /// direction whose conditions hold. Other surfaces that are crossed at the same instant have events of their own.
    pub fn happens(&mut self, element: usize, before: ClosedSet, resets: &[usize], state: &[f64]) -> bool {
        let Some(switch) = ClosedSet::switch(element) else { return true };
        let to = match before.sides().of(switch) {
            Side::Positive => Side::Negative,
            Side::Negative => Side::Positive,
            Side::Sliding => return true,
        };
        self.lift(state, 0);
        let hybrid = &self.system.hybrid;
        let own = hybrid.resets.iter().enumerate().filter(|(_, known)| known.switch == switch);
        let Some(conditions) = self.hybrid.first_mut() else { return true };
        own.into_iter().all(|(reset, known)| {
            let happens = known.is_crossed(to) && conditions.reset(hybrid, reset, &self.dual).1.value > 0.0;
            happens == resets.contains(&reset)
        })
    }

    /// The state after collisions at a state, one after another.
    pub fn collide(&mut self, collisions: &[Collision], state: &[f64], after: &mut Image) {
        let directions = self.directions();
        for group in 0..self.groups.len() {
            self.lift(state, group);
            for collision in collisions {
                self.together[group].collide(self.system, collision, &mut self.dual);
            }
            let first = group * LANES;
            for (i, x) in self.dual.iter().enumerate() {
                after.state[i] = x.value;
                for m in 0..LANES.min(directions - first) {
                    after.derivative[(i, first + m)] = x.tangent[m];
                }
            }
        }
    }

    /// By how much a collision at a state obeys the laws that were not used as equations: the least of its normal impulses, of mu Lambda_N -
    /// |Lambda_T| where it stops slip, of the slip speeds afterwards in their directions and of the opening speeds of contacts without impulse, each
    /// relative to its size. Negative where the impact would obey other equations.
    pub fn margin(&mut self, collision: &Collision, state: &[f64]) -> f64 {
        let mut group = Group::new(self.system, &self.parameters);
        group.margin(self.system, collision, state)
    }

    /// A bound of a closed contact in a mode, and its rate of change along the motion; not a number where there is none.
    pub fn bound(
        &mut self,
        closed: ClosedSet,
        (contact, bound): (usize, Bound),
        state: &[f64],
        value: &mut Slope,
    ) -> f64 {
        let directions = self.directions();
        let index = self.field_with(closed, state, constraint_of(contact, bound));
        let output = self.bound_output(index, (contact, bound));
        let Some(output) = output else {
            value.collect(0, directions, Number4::constant(f64::NAN));
            return f64::NAN;
        };
        let mut rate = 0.0;
        for group in 0..self.groups.len() {
            self.lift(state, group);
            let field = &mut self.fields[index];
            field.duals[group].expand(&self.dual, 1);
            let row = field.duals[group].output(output);
            value.collect(group * LANES, directions, row[0]);
            rate = row[1].value;
        }
        rate
    }

    /// The contact force of a closed contact in a mode, and its rate of change along the motion.
    ///
    /// Not a number if the contact is not closed.
    pub fn force(&mut self, closed: ClosedSet, contact: usize, state: &[f64], force: &mut Slope) -> f64 {
        self.bound(closed, (contact, Bound::Force), state, force)
    }

    /// The rate of change of a bound along the motion, with its derivatives; not a number where there is none.
    pub fn bound_rate(&mut self, closed: ClosedSet, (contact, bound): (usize, Bound), state: &[f64], rate: &mut Slope) {
        let directions = self.directions();
        let index = self.field_with(closed, state, constraint_of(contact, bound));
        let Some(output) = self.bound_output(index, (contact, bound)) else {
            rate.collect(0, directions, Number4::constant(f64::NAN));
            return;
        };
        for group in 0..self.groups.len() {
            self.lift(state, group);
            let field = &mut self.fields[index];
            field.duals[group].expand(&self.dual, 1);
            let row = field.duals[group].output(output);
            rate.collect(group * LANES, directions, row[1]);
        }
    }

    /// The position of a bound among the outputs of a mode.
    fn bound_output(&self, index: usize, (contact, bound): (usize, Bound)) -> Option<usize> {
        let field = &self.fields[index];
        match bound {
            Bound::Force => field.closed.iter().position(|c| c == contact).map(|k| self.system.force_output(k)),
            _ => {
                let own = field.limits.iter().find(|l| l.contact == contact && l.kind == bound);
                own.map(|limit| limit.output)
            }
        }
    }

    /// Opening speed, acceleration and jerk of a contact along the field of a mode, with their derivatives.
    pub fn opening(&mut self, closed: ClosedSet, contact: usize, state: &[f64]) -> [Slope; 3] {
        let directions = self.directions();
        let output = self.system.gap_output(contact);
        let index = self.field(closed, state);
        let mut slopes: [Slope; 3] = Default::default();
        for group in 0..self.groups.len() {
            self.lift(state, group);
            let field = &mut self.fields[index];
            field.duals[group].expand(&self.dual, 3);
            let row = field.duals[group].output(output);
            for (k, (slope, factor)) in slopes.iter_mut().zip([1.0, 2.0, 6.0]).enumerate() {
                slope.collect(group * LANES, directions, row[k + 1].scale(factor));
            }
        }
        slopes
    }

    /// The gap of a contact with its first derivatives in time along the field of a mode: gap, speed, acceleration, jerk.
    pub fn gap_derivatives(&mut self, closed: ClosedSet, contact: usize, state: &[f64]) -> [f64; 4] {
        let output = self.system.gap_output(contact);
        let index = self.field(closed, state);
        let field = &mut self.fields[index];
        field.series.tape.expand(&field.series.slots, state, 3, &mut field.probe);
        let row = field.probe.output(&field.series.tape, output);
        [row[0], row[1], 2.0 * row[2], 6.0 * row[3]]
    }
}

/// The constraint of a contact of whose force a bound speaks.
fn constraint_of(contact: usize, bound: Bound) -> Option<Constraint> {
    match bound {
        _ if ClosedSet::switch(contact).is_some() => None,
        Bound::Force => Some(Constraint::Normal(contact)),
        Bound::Cone(_) => Some(Constraint::Tangential(contact)),
        _ => None,
    }
}
