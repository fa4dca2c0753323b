//! The field of a mode at a state, with its derivatives by the state and by parameters.
//!
//! The field of flight is that of the model, F. While contacts are closed it is the sticking field F' = F - sum lambda_i W_i, with
//! the lambda that keep every opening acceleration zero (Nordmark & Piiroinen, Eq. (12)). Derivatives are exact: the formulas are
//! evaluated on dual numbers, the directions in groups.

use std::ops::Range;
use std::sync::Arc;

use saltation_expr::Tape;
use saltation_numerics::dense::Matrix;
use saltation_numerics::dual::Dual;
use saltation_numerics::number::Number;
use saltation_numerics::rounded::Rounded;

use crate::contact::group::Group as TouchGroup;
use crate::contact::law::BoundLaw;
use crate::departure::distance;
use crate::mode::Bound;
use crate::mode::ClosedSet;
use crate::mode::compiled::Mode;
use crate::mode::expansion::Expansion;
use crate::mode::hybrid::BoundHybrid;
use crate::mode::{Constraint, Limit, Side, Support};
use crate::sensitivity::dual::{LANES, Number4};
use crate::system::System;

/// The field of a set of closed contacts with the parameters bound.
///
/// ```
/// use saltation_motion::field::Field;
/// use saltation_motion::{ClosedSet, System};
/// # let text = saltation_model::gallery::find("bouncing-ball").unwrap();
/// # let model = saltation_model::Model::parse(text, "bouncing-ball").unwrap();
/// let system = System::new(&model);
/// let values = model.values(&Default::default()).unwrap();
/// let mut resting = Field::new(&system, values.parameters(), &[], ClosedSet::NONE.with(0));
/// let there = resting.at(&[0.0, 0.0]);
/// assert_eq!((&there.rates[..], &there.forces[..]), (&[0.0, 0.0][..], &[9.8][..]));
/// ```
#[derive(Debug, Clone)]
pub struct Field<'s> {
    system: &'s System,
    closed: ClosedSet,
    tape: Arc<Tape>,
    /// The way back to what switches and complementarities keep at zero, with what they keep.
    correction: Option<Arc<Tape>>,
    /// The mode beside surfaces of second-order sliding, with the outputs that are |s| there.
    beside: Option<(Arc<Tape>, Vec<usize>)>,
    directions: Vec<Vec<f64>>,
    parameters: Vec<f64>,
    groups: Vec<Group>,
    local: LocalField,
    /// What the contacts keep at zero, those left out that follow from others at the first state; and what they keep above zero.
    held: Vec<Held>,
    limits: Vec<Limit>,
    singular: Option<usize>,
    /// The forces of constraints of the body among the outputs.
    constraint_forces: Range<usize>,
    /// Whether it is known which constraints follow from others, and if a motion said so, which.
    constraints_known: bool,
    decided: Option<Vec<Constraint>>,
}

/// Something that closed contacts keep at zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Held {
    Gap(usize),
    Speed(usize),
    Slip(usize),
    /// The function of a switch along which the motion slides.
    Surface(usize),
    /// The rate of such a function where the second rate is the first that jumps: that of an output of the mode beside.
    Rate(usize),
    /// A function that a constraint of the body keeps at zero.
    Kept(usize),
    /// What complementarities that are on keep at zero, by its place among the outputs of the way back to it.
    Complement(usize),
}

/// Directions that are taken through the formulas together.
#[derive(Debug, Clone)]
struct Group {
    /// The first of its directions among all: the states, then the directions of parameters.
    first: usize,
    formulas: Formulas<Number4>,
    state: Vec<Number4>,
}

/// The formulas of a mode with the parameters bound, on any kind of number.
#[derive(Debug, Clone)]
struct Formulas<T> {
    series: Expansion<T>,
    laws: Vec<BoundLaw<T>>,
    touches: TouchGroup<T>,
    hybrid: BoundHybrid<T>,
    kept: Option<Expansion<T>>,
    /// The way back to what switches and complementarities keep at zero.
    back: Option<Expansion<T>>,
    /// The mode beside surfaces of second-order sliding.
    beside: Option<Expansion<T>>,
}

impl<T: Number> Formulas<T> {
    fn new(
        system: &System,
        tape: &Arc<Tape>,
        [back, beside]: [Option<&Arc<Tape>>; 2],
        parameters: &[T],
    ) -> Formulas<T> {
        Formulas {
            series: Expansion::new(tape, parameters),
            laws: system.laws.iter().map(|law| BoundLaw::new(law, parameters)).collect(),
            touches: TouchGroup::new(system, parameters),
            hybrid: BoundHybrid::new(&system.hybrid, parameters),
            kept: system.constraints.as_ref().map(|tapes| Expansion::new(&tapes.functions, parameters)),
            back: back.map(|tape| Expansion::new(tape, parameters)),
            beside: beside.map(|tape| Expansion::new(tape, parameters)),
        }
    }

    /// The gap and the opening speed of a contact.
    fn surface(&mut self, system: &System, contact: usize, state: &[T]) -> (T, T) {
        self.laws[contact].surface(&system.laws[contact], state)
    }

    /// What is kept at zero.
    fn held(&mut self, system: &System, held: Held, state: &[T]) -> T {
        match held {
            Held::Gap(contact) => self.surface(system, contact, state).0,
            Held::Speed(contact) => self.surface(system, contact, state).1,
            Held::Slip(contact) => {
                self.touches.look(system, contact, state);
                self.touches.touches[contact].slip()
            }
            Held::Surface(switch) => self.hybrid.functions(&system.hybrid, state)[switch],
            Held::Rate(output) => self.beside.as_mut().map_or(T::ZERO, |beside| {
                beside.expand(state, 1);
                beside.output(output)[1]
            }),
            Held::Kept(function) => match &mut self.kept {
                Some(kept) => {
                    kept.expand(state, 0);
                    kept.output(function)[0]
                }
                None => T::ZERO,
            },
            Held::Complement(output) => self.back.as_mut().map_or(T::ZERO, |back| {
                back.expand(state, 0);
                back.output(output)[0]
            }),
        }
    }
}

/// What is to vanish at an equilibrium, with the sizes of the terms that each is made of.
#[derive(Debug, Clone, PartialEq)]
pub struct Terms {
    /// The rate of every state.
    pub rates: Vec<Rounded>,
    /// What the closed contacts and the switches keep at zero, as [`LocalField::held`] has it.
    pub held: Vec<Rounded>,
}

/// A field near a state. Derivatives have one column for every state, then one for every direction of the parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct LocalField {
    /// The rate of every state.
    pub rates: Vec<f64>,
    /// Their derivatives, one row per state.
    pub jacobian: Matrix,
    /// The force of every closed contact in order, as [`Motion::contact_force`](crate::Motion::contact_force) defines it.
    pub forces: Vec<f64>,
    /// Their derivatives, one row per closed contact.
    pub force_gradients: Matrix,
    /// The force of every constraint of the body that has one of its own, in order: the factor of the slope of its speed by the velocities in M dv/dt.
    pub constraint_forces: Vec<f64>,
    /// Their derivatives, one row each.
    pub constraint_force_gradients: Matrix,
    /// The gap of every contact of the model.
    pub gaps: Vec<f64>,
    /// Their derivatives, one row per contact.
    pub gap_gradients: Matrix,
    /// The opening speed of every contact along the free flight.
    pub speeds: Vec<f64>,
    /// Their derivatives, one row per contact.
    pub speed_gradients: Matrix,
    /// What the closed contacts keep at zero: the gap and the opening speed of each, and the slip speed of those that stick; the functions of switches along
    /// which the motion slides, and their rates where it is second-order sliding; and the constraints of the body on positions with their rates, and on velocities. What follows from others is left out.
    pub held: Vec<f64>,
    /// Their derivatives, one row each.
    pub held_gradients: Matrix,
    /// What friction keeps above zero in the mode, with the contact: speeds of slip, and mu lambda_N ± lambda_T of what sticks; and what switches keep above
    /// zero, with the [element](ClosedSet::element): |s|, and 1 ± sigma while sliding.
    pub bounds: Vec<(usize, Bound, f64)>,
    /// Their derivatives, one row each.
    pub bound_gradients: Matrix,
    /// How far slip is from having no finite force: A over its value without friction, 1 without slip.
    pub regularity: f64,
    /// Its derivatives, one row.
    pub regularity_gradient: Matrix,
}

impl LocalField {
    /// Whether rates, gaps and speeds have finite values and derivatives. Contact forces may have none.
    pub fn is_finite(&self) -> bool {
        let values = self.rates.iter().chain(&self.gaps).chain(&self.speeds);
        let derivatives = [&self.jacobian, &self.gap_gradients, &self.speed_gradients, &self.held_gradients];
        values.into_iter().all(|x| x.is_finite()) && derivatives.into_iter().all(Matrix::is_finite)
    }
}

impl<'s> Field<'s> {
    /// The field of a set of closed contacts at values of the parameters, with derivatives by the states and in some directions
    /// of the parameters, each with an entry for every parameter.
    pub fn new(system: &'s System, parameters: &[f64], directions: &[Vec<f64>], closed: ClosedSet) -> Field<'s> {
        let Mode { tape, limits, singular, correction, constraint_forces, .. } = system.mode(closed, &[], false);
        let (states, contacts, forces) = (system.names.len(), system.laws.len(), closed.iter().count());
        let columns = states + directions.len();
        let local = LocalField {
            rates: vec![0.0; states],
            jacobian: Matrix::zeros(states, columns),
            forces: vec![0.0; forces],
            force_gradients: Matrix::zeros(forces, columns),
            constraint_forces: vec![0.0; system.constraint_forces()],
            constraint_force_gradients: Matrix::zeros(system.constraint_forces(), columns),
            gaps: vec![0.0; contacts],
            gap_gradients: Matrix::zeros(contacts, columns),
            speeds: vec![0.0; contacts],
            speed_gradients: Matrix::zeros(contacts, columns),
            held: Vec::new(),
            held_gradients: Matrix::zeros(0, columns),
            bounds: Vec::new(),
            bound_gradients: Matrix::zeros(0, columns),
            regularity: 1.0,
            regularity_gradient: Matrix::zeros(1, columns),
        };
        let mut field = Field {
            system,
            closed,
            tape,
            correction,
            beside: beside(system, closed),
            directions: directions.to_vec(),
            parameters: Vec::new(),
            groups: Vec::new(),
            local,
            held: Vec::new(),
            limits,
            singular,
            constraint_forces,
            constraints_known: !system.coupled || closed.iter().count() < 2,
            decided: None,
        };
        field.hold(&[]);
        field.set_parameters(parameters);
        field
    }

    /// The field of the closed contacts of a motion, of which those carry that carry there.
    pub fn supported(system: &'s System, parameters: &[f64], directions: &[Vec<f64>], support: Support) -> Field<'s> {
        let mut field = Field::new(system, parameters, directions, support.closed);
        if let Some(redundant) = support.redundant {
            field.leave_out(redundant);
            field.decided = Some(redundant.to_vec());
        }
        field
    }

    /// Whether this is the field of the closed contacts of a motion.
    pub fn is_of(&self, support: Support) -> bool {
        self.closed == support.closed && self.decided.as_deref() == support.redundant
    }

    /// Whether contacts, switches or complementarities keep anything at zero.
    pub fn holds(&self) -> bool {
        !self.held.is_empty()
    }

    /// Lists what the contacts keep at zero, but for what follows from other constraints.
    fn hold(&mut self, redundant: &[Constraint]) {
        let Field { system, closed, held, .. } = self;
        held.clear();
        for contact in closed.iter() {
            if !redundant.contains(&Constraint::Normal(contact)) {
                held.extend([Held::Gap(contact), Held::Speed(contact)]);
            }
            let sticks = closed.direction(contact).is_none() && system.has_friction(contact);
            if sticks && !redundant.contains(&Constraint::Tangential(contact)) {
                held.push(Held::Slip(contact));
            }
        }
        held.extend(closed.sides().holding().map(Held::Surface));
        held.extend(self.beside.iter().flat_map(|(_, outputs)| outputs).map(|&output| Held::Rate(output)));
        let kept = system.constraints.as_ref().map_or(0, |tapes| tapes.functions.outputs());
        held.extend((0..kept).map(Held::Kept));
        // After the changes of the states and the impulses.
        let first = system.names.len() + system.model().complementarities.len();
        let outputs = self.correction.as_ref().map_or(0, |tape| tape.outputs());
        held.extend((first..outputs).filter(|_| system.has_complements()).map(Held::Complement));
        let columns = self.local.jacobian.columns();
        self.local.held = vec![0.0; self.held.len()];
        self.local.held_gradients = Matrix::zeros(self.held.len(), columns);
        self.local.bounds = self.limits.iter().map(|limit| (limit.contact, limit.kind, 0.0)).collect();
        self.local.bound_gradients = Matrix::zeros(self.limits.len(), columns);
    }

    /// Finds out at a state which constraints follow from others.
    fn find_constraints(&mut self, state: &[f64]) {
        let redundant = TouchGroup::new(self.system, &self.parameters).redundant(self.system, self.closed, state, &[]);
        self.leave_out(&redundant);
    }

    /// Compiles the mode anew, if constraints have no force of their own.
    fn leave_out(&mut self, redundant: &[Constraint]) {
        self.constraints_known = true;
        if redundant.is_empty() {
            return;
        }
        let mode = self.system.mode(self.closed, redundant, false);
        (self.tape, self.limits, self.singular) = (mode.tape, mode.limits, mode.singular);
        self.constraint_forces = mode.constraint_forces;
        self.correction = mode.correction;
        self.hold(redundant);
        let parameters = self.parameters.clone();
        self.set_parameters(&parameters);
    }

    /// The way back to what is kept at zero, and the mode beside surfaces of second-order sliding.
    fn ways(&self) -> [Option<&Arc<Tape>>; 2] {
        [self.correction.as_ref(), self.beside.as_ref().map(|(tape, _)| tape)]
    }

    /// Binds other values of the parameters.
    pub fn set_parameters(&mut self, parameters: &[f64]) {
        let states = self.system.names.len();
        let columns = states + self.directions.len();
        self.parameters = parameters.to_vec();
        // Without states or directions there are still values.
        let firsts = (0..columns.max(1)).step_by(LANES);
        self.groups = firsts
            .map(|first| {
                let tangent = |p: usize| {
                    std::array::from_fn(|m| {
                        let direction = (first + m).checked_sub(states).and_then(|d| self.directions.get(d));
                        direction.and_then(|d| d.get(p)).copied().unwrap_or(0.0)
                    })
                };
                let bound = parameters.iter().enumerate();
                let bound: Vec<Number4> = bound.map(|(p, &value)| Dual { value, tangent: tangent(p) }).collect();
                let formulas = Formulas::new(self.system, &self.tape, self.ways(), &bound);
                Group { first, formulas, state: vec![Number4::ZERO; states] }
            })
            .collect();
    }

    /// Binds other values and other directions of the parameters, as many directions as before.
    ///
    /// # Panics
    /// If there are not as many.
    pub fn bind(&mut self, parameters: &[f64], directions: &[Vec<f64>]) {
        assert_eq!(directions.len(), self.directions.len(), "as many directions as before");
        self.directions.clone_from_slice(directions);
        self.set_parameters(parameters);
    }

    /// The system whose field it is.
    pub fn system(&self) -> &'s System {
        self.system
    }

    /// The closed contacts.
    pub fn closed(&self) -> ClosedSet {
        self.closed
    }

    /// The field at a state and near it.
    pub fn at(&mut self, state: &[f64]) -> &LocalField {
        if !self.constraints_known {
            self.find_constraints(state);
        }
        let Field { system, closed, groups, local, held, limits, singular, constraint_forces, .. } = self;
        for group in groups {
            let Group { first, formulas, state: point } = group;
            for (i, (x, &value)) in point.iter_mut().zip(state).enumerate() {
                *x = Number4::variable(value, i.wrapping_sub(*first));
            }
            formulas.series.expand(point, 1);
            let write = |value: &mut f64, gradients: &mut Matrix, row: usize, number: Number4| {
                *value = number.value;
                let columns = gradients.columns();
                for (m, &tangent) in number.tangent.iter().enumerate().take(columns.saturating_sub(*first)) {
                    gradients[(row, *first + m)] = tangent;
                }
            };
            for contact in 0..system.laws.len() {
                let (gap, speed) = formulas.surface(system, contact, point);
                write(&mut local.gaps[contact], &mut local.gap_gradients, contact, gap);
                write(&mut local.speeds[contact], &mut local.speed_gradients, contact, speed);
            }
            for (row, &held) in held.iter().enumerate() {
                let number = formulas.held(system, held, point);
                write(&mut local.held[row], &mut local.held_gradients, row, number);
            }
            let series = &formulas.series;
            for (i, rate) in local.rates.iter_mut().enumerate() {
                write(rate, &mut local.jacobian, i, series.state(i)[1]);
            }
            for (k, force) in local.forces.iter_mut().enumerate() {
                write(force, &mut local.force_gradients, k, series.output(system.force_output(k))[0]);
            }
            let own = constraint_forces.start;
            for (k, force) in local.constraint_forces.iter_mut().enumerate() {
                write(force, &mut local.constraint_force_gradients, k, series.output(own + k)[0]);
            }
            for (row, limit) in limits.iter().enumerate() {
                let number = series.output(limit.output)[0];
                write(&mut local.bounds[row].2, &mut local.bound_gradients, row, number);
            }
            if let Some(output) = *singular {
                write(&mut local.regularity, &mut local.regularity_gradient, 0, series.output(output)[0]);
            }
        }
        debug_assert_eq!(closed.iter().count(), local.forces.len());
        local
    }

    /// What is to vanish at an equilibrium, with the sizes of its terms at a state.
    pub fn terms(&mut self, state: &[f64]) -> Terms {
        if !self.constraints_known {
            self.find_constraints(state);
        }
        let parameters: Vec<Rounded> = self.parameters.iter().map(|&p| Rounded::new(p)).collect();
        let state: Vec<Rounded> = state.iter().map(|&x| Rounded::new(x)).collect();
        let mut formulas = Formulas::new(self.system, &self.tape, self.ways(), &parameters);
        formulas.series.expand(&state, 1);
        Terms {
            rates: (0..state.len()).map(|i| formulas.series.state(i)[1]).collect(),
            held: self.held.iter().map(|&held| formulas.held(self.system, held, &state)).collect(),
        }
    }
}

/// The mode on the positive sides of the surfaces of second-order sliding, with the outputs that are their functions there: to the first order these are the same on
/// both sides. None if a mode does not slide in that way.
fn beside(system: &System, closed: ClosedSet) -> Option<(Arc<Tape>, Vec<usize>)> {
    let second: Vec<usize> = closed.sides().holding().filter(|&k| system.slides_in_second_order(k)).collect();
    if second.is_empty() {
        return None;
    }
    let beside = second.iter().fold(closed, |mode, &k| mode.with_side(k, Side::Positive));
    let Mode { tape, limits, .. } = system.mode(beside, &[], false);
    Some((tape, second.iter().filter_map(|&k| distance(&limits, k)).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use saltation_model::{Model, gallery};

    #[test]
    fn derivatives_are_those_of_differences() {
        for (name, closed, parameter) in
            [("double-pendulum", ClosedSet::NONE.with(0), "T"), ("relief-valve", ClosedSet::NONE, "q")]
        {
            let model = Model::parse(gallery::find(name).unwrap(), name).unwrap();
            let values = model.values(&Default::default()).unwrap();
            let system = System::new(&model);
            let parameter = model.parameter(parameter).unwrap();
            let direction: Vec<f64> = (0..values.parameters().len()).map(|p| f64::from(p == parameter)).collect();
            let mut field = Field::new(&system, values.parameters(), &[direction], closed);
            let state: Vec<f64> = values.start().iter().map(|x| x + 0.1).collect();
            let here = field.at(&state).clone();
            assert!(here.is_finite());
            let h = 1e-6;
            for column in 0..=state.len() {
                let mut beside = |side: f64| {
                    let mut moved = state.clone();
                    let mut parameters = values.parameters().to_vec();
                    match moved.get_mut(column) {
                        Some(x) => *x += side * h,
                        None => parameters[parameter] += side * h,
                    }
                    field.set_parameters(&parameters);
                    field.at(&moved).clone()
                };
                let (plus, minus) = (beside(1.0), beside(-1.0));
                let compare = |gradients: &Matrix, plus: &[f64], minus: &[f64]| {
                    for (row, (plus, minus)) in plus.iter().zip(minus).enumerate() {
                        let (exact, difference) = (gradients[(row, column)], (plus - minus) / (2.0 * h));
                        // Differences of second order, with rounding of size 1e-16/h.
                        assert!(
                            (exact - difference).abs() < 1e-7 * exact.abs().max(1.0),
                            "{name}: {exact} {difference}"
                        );
                    }
                };
                compare(&here.jacobian, &plus.rates, &minus.rates);
                compare(&here.force_gradients, &plus.forces, &minus.forces);
                compare(&here.gap_gradients, &plus.gaps, &minus.gaps);
                compare(&here.speed_gradients, &plus.speeds, &minus.speeds);
            }
        }
    }
}
