//! All contacts of a system together: where they keep a state (g_N = g_N' = 0, and g_T' = 0 where they stick), and the problem of their forces.

use std::sync::Arc;

use saltation_expr::{Jet, Tape};
use saltation_numerics::dense::Matrix;
use saltation_numerics::number::Number;
use saltation_numerics::rounded::Rounded;

use super::impulse::{Impulses, NormalRule, Rules, TangentialRule};
use super::problem::{Problem, Sliding};
use super::touch::Touch;
use crate::instant::knowledge::ELIMINATED;
use crate::mode::{ClosedSet, Constraint};
use crate::system::System;

/// A constraint whose direction lies within this angle of the span of others follows from them.
const DEPENDENT: f64 = 1e-6;

/// The squares of numbers below this are no longer numbers with all their digits: no energy can tell them from zero.
const NOTHING: f64 = 1e-150;

/// The formulas of a contact on the present sides of switches; else those of the system.
fn formulas<'a>(turned: &'a Option<Arc<Vec<Option<Tape>>>>, system: &'a System, contact: usize) -> Option<&'a Tape> {
    turned.as_ref().map_or(&system.laws[contact].touch, |tapes| &tapes[contact]).as_ref()
}

/// Room for what is done with several contacts together, on any kind of number.
#[derive(Debug, Clone)]
pub(crate) struct Group<T = f64> {
    /// Every contact of the model; empty if its contacts are not coupled.
    pub touches: Vec<Touch<T>>,
    pub impulses: Impulses<T>,
    pub contacts: Vec<usize>,
    pub rules: Vec<Rules>,
    /// The change of every velocity.
    pub moved: Vec<T>,
    /// The formulas of the contacts on the present sides of switches, where they depend on them; else those of the system.
    tapes: Option<Arc<Vec<Option<Tape>>>>,
    /// Room for v'Mv.
    kinetic: Option<(Vec<T>, Jet<T>)>,
}

impl<T: Number> Group<T> {
    pub(crate) fn new(system: &System, parameters: &[T]) -> Group<T> {
        let tapes = system.laws.iter().filter_map(|law| law.touch.as_ref()).filter(|_| system.coupled);
        let touches = tapes.map(|tape| Touch::new(tape, parameters)).collect();
        let (impulses, contacts, rules, moved) = (Impulses::default(), Vec::new(), Vec::new(), Vec::new());
        let kinetic = system.kinetic.as_ref().map(|tape| (tape.bind(parameters), Jet::new(tape)));
        Group { touches, impulses, contacts, rules, moved, tapes: None, kinetic }
    }

    /// Takes the formulas of contacts on other sides of switches.
    pub(crate) fn turn(&mut self, tapes: Arc<Vec<Option<Tape>>>, parameters: &[T]) {
        self.touches = tapes.iter().flatten().map(|tape| Touch::new(tape, parameters)).collect();
        self.tapes = Some(tapes);
    }

    /// Holds pieces of tables, see [`Tape::hold`].
    pub(crate) fn hold(&mut self, system: &System, pieces: &[Option<i64>]) {
        match &self.tapes {
            Some(tapes) => {
                self.touches.iter_mut().zip(tapes.iter().flatten()).for_each(|(touch, tape)| touch.hold(tape, pieces));
            }
            None => {
                let tapes = system.laws.iter().filter_map(|law| law.touch.as_ref());
                self.touches.iter_mut().zip(tapes).for_each(|(touch, tape)| touch.hold(tape, pieces));
            }
        }
    }

    /// Gives the parameters other values.
    pub(crate) fn bind(&mut self, system: &System, parameters: &[T]) {
        for (touch, law) in self.touches.iter_mut().zip(&system.laws) {
            if let Some(tape) = &law.touch {
                touch.bind(tape, parameters);
            }
        }
        if let (Some((slots, _)), Some(tape)) = (&mut self.kinetic, &system.kinetic) {
            tape.bind_into(parameters, slots);
        }
    }

    /// How fast a system with coupled contacts moves at a state: sqrt(v'Mv), which depends on no coordinates; 0 for others.
    pub(crate) fn pace(&mut self, system: &System, state: &[T]) -> T {
        let (Some((slots, jet)), Some(tape)) = (&mut self.kinetic, &system.kinetic) else { return T::ZERO };
        let mut square = [T::ZERO];
        tape.evaluate(slots, state, jet, &mut square);
        square[0].sqrt()
    }

    /// Looks at a contact at a state.
    pub(crate) fn look(&mut self, system: &System, contact: usize, state: &[T]) {
        if let Some(tape) = formulas(&self.tapes, system, contact) {
            self.touches[contact].at(tape, state);
        }
    }

    /// Adds the change of velocities by impulses under `self.rules` on `self.contacts` to a state, at which they have been
    /// looked at; or that of coordinates, where gaps take the place of speeds.
    pub(crate) fn strike(&mut self, moving: &[usize], state: &mut [T]) {
        self.moved.clear();
        self.moved.resize(moving.len(), T::ZERO);
        self.impulses.begin(self.contacts.len());
        self.impulses.phase(&self.touches, &self.contacts, &self.rules, &mut self.moved);
        for (&v, &change) in moving.iter().zip(&self.moved) {
            let after = state[v] + change;
            state[v] = if after.magnitude() < NOTHING { T::ZERO } else { after };
        }
    }

    /// Moves a state close to them onto the surfaces of closed contacts: gaps by Newton's method, then speeds, both along M^-1 w, which is the smallest
    /// change in kinetic energy. On dual numbers this is the derivative of the projection.
    pub(crate) fn project(&mut self, system: &System, closed: ClosedSet, state: &mut [T]) {
        self.contacts.clear();
        self.contacts.extend(closed.iter());
        for _ in 0..2 {
            self.rules.clear();
            self.rules.extend(closed.iter().map(|_| (NormalRule::Halt, TangentialRule::Free)));
            closed.iter().for_each(|contact| self.look(system, contact, state));
            self.impulses.of_gaps = true;
            self.strike(system.coordinates(), state);
            self.impulses.of_gaps = false;
            self.rules.clear();
            for contact in closed.iter() {
                let sticks = system.has_friction(contact) && closed.direction(contact).is_none();
                let along = if sticks { TangentialRule::Stick } else { TangentialRule::Free };
                self.rules.push((NormalRule::Halt, along));
            }
            closed.iter().for_each(|contact| self.look(system, contact, state));
            self.strike(system.velocities(), state);
        }
    }
}

impl Group {
    /// The sizes of the terms of g_N'' and g_T'' of a contact in free flight.
    pub(crate) fn terms(&self, system: &System, contact: usize, parameters: &[f64], state: &[Rounded]) -> [f64; 2] {
        let Some(tape) = formulas(&self.tapes, system, contact) else { return [0.0; 2] };
        let parameters: Vec<Rounded> = parameters.iter().map(|&p| Rounded::new(p)).collect();
        let mut touch = Touch::new(tape, &parameters);
        touch.at(tape, state);
        [touch.acceleration().size, touch.slip_acceleration().size]
    }

    /// The problem of contacts that have been looked at: G and mu; b is for the caller to write. `pace` is the size of every velocity's
    /// change that b consists of.
    pub(crate) fn problem(&self, system: &System, contacts: &[usize], pace: &[f64]) -> Problem {
        let n = contacts.len();
        let touches: Vec<_> = contacts.iter().map(|&contact| &self.touches[contact]).collect();
        let row = |i: usize| if i < n { touches[i].normal() } else { touches[i - n].tangent() };
        let moved = |j: usize| if j < n { touches[j].normal_response() } else { touches[j - n].tangential_response() };
        // What constraints hold no force moves, and what is computed of that is rounding.
        let held = |i: usize| touches[i % n].dot(row(i), moved(i)) <= ELIMINATED * touches[i % n].measure(i >= n);
        let held: Vec<bool> = (0..2 * n).map(held).collect();
        let entry = |i: usize, j: usize| if held[i] || held[j] { 0.0 } else { touches[i % n].dot(row(i), moved(j)) };
        let delassus = Matrix::from_fn(2 * n, 2 * n, entry);
        let terms = |i: usize| row(i).iter().zip(pace).map(|(w, p)| (w * p).abs()).fold(0.0, f64::max);
        Problem {
            delassus,
            free: vec![0.0; 2 * n],
            scale: (0..2 * n).map(terms).collect(),
            friction: touches.iter().map(|touch| touch.friction()).collect(),
            given: vec![0.0; n],
            sliding: contacts
                .iter()
                .map(|&c| if system.has_friction(c) { Sliding::Sticking } else { Sliding::Smooth })
                .collect(),
            opposite: contacts
                .iter()
                .map(|&c| system.opposite[c].and_then(|other| contacts.iter().position(|&at| at == other)))
                .collect(),
        }
    }

    /// The normal direction of a contact as a combination of those of others, all of which have been looked at: the factors of these, by Gram-Schmidt in the metric of M^-1.
    /// `None` if it is none.
    pub(crate) fn combination(&self, contact: usize, others: &[usize]) -> Option<Vec<f64>> {
        let n = others.len();
        // What is kept, orthogonal to each other: w, M^-1 w, and w as a combination.
        let mut basis: Vec<(Vec<f64>, Vec<f64>, Vec<f64>)> = Vec::new();
        let reduced = |basis: &[(Vec<f64>, Vec<f64>, Vec<f64>)], touch: &Touch| {
            let (mut row, mut moved) = (touch.normal().to_vec(), touch.normal_response().to_vec());
            let mut factors = vec![0.0; n];
            for _ in 0..2 {
                for (across, along, own) in basis {
                    let share = f64::dot(&row, along);
                    row.iter_mut().zip(across).for_each(|(x, a)| *x -= share * a);
                    moved.iter_mut().zip(along).for_each(|(x, a)| *x -= share * a);
                    factors.iter_mut().zip(own).for_each(|(x, a)| *x -= share * a);
                }
            }
            let left = f64::dot(&row, &moved);
            (row, moved, factors, left)
        };
        for (k, &other) in others.iter().enumerate() {
            let touch = &self.touches[other];
            let (mut row, mut moved, mut factors, left) = reduced(&basis, touch);
            if left > DEPENDENT * DEPENDENT * touch.normal_mobility() * touch.normal_mobility() {
                factors[k] += 1.0;
                let length = left.sqrt();
                row.iter_mut().chain(&mut moved).chain(&mut factors).for_each(|x| *x /= length);
                basis.push((row, moved, factors));
            }
        }
        let touch = &self.touches[contact];
        let (_, _, factors, left) = reduced(&basis, touch);
        let combined = left <= ELIMINATED * ELIMINATED * touch.normal_mobility() * touch.normal_mobility();
        combined.then(|| factors.iter().map(|factor| -factor).collect())
    }

    /// Constraints of a mode that hold at a state because others do. Those in `first` are kept before others: they have forces. Of the rest normal ones are kept
    /// before those of stick, and those of contacts that stick before those that slip.
    pub(crate) fn redundant(
        &mut self,
        system: &System,
        closed: ClosedSet,
        state: &[f64],
        first: &[Constraint],
    ) -> Vec<Constraint> {
        if !system.coupled {
            return Vec::new();
        }
        closed.iter().for_each(|contact| self.look(system, contact, state));
        let touches = &self.touches;
        let slips = |&contact: &usize| closed.direction(contact).is_some();
        let normal = closed.iter().filter(|c| !slips(c)).chain(closed.iter().filter(slips)).map(Constraint::Normal);
        let sticking = closed.iter().filter(|c| !slips(c) && system.has_friction(*c)).map(Constraint::Tangential);
        let mut order: Vec<Constraint> = normal.chain(sticking).collect();
        order.sort_by_key(|constraint| first.iter().position(|known| known == constraint).unwrap_or(first.len()));
        let rows = |constraint: Constraint| {
            let touch = &touches[constraint.contact()];
            match constraint {
                Constraint::Normal(_) => (touch.normal(), touch.normal_response(), touch.measure(false)),
                Constraint::Tangential(_) | Constraint::Parallel(_) => {
                    (touch.tangent(), touch.tangential_response(), touch.measure(true))
                }
            }
        };
        // Gram-Schmidt in the metric of M^-1: (w, M^-1 w) of what is kept, orthogonal to each other.
        let mut basis: Vec<(Vec<f64>, Vec<f64>)> = Vec::new();
        let mut redundant = Vec::new();
        for constraint in order {
            // The side of a constraint that carries has its friction.
            if let Constraint::Tangential(contact) = constraint
                && redundant.contains(&Constraint::Normal(contact))
                && system.opposite[contact].is_some_and(|other| !redundant.contains(&Constraint::Normal(other)))
            {
                redundant.push(constraint);
                continue;
            }
            let (row, moved, size) = rows(constraint);
            let (mut row, mut moved) = (row.to_vec(), moved.to_vec());
            for _ in 0..2 {
                for (across, along) in &basis {
                    let share = f64::dot(&row, along);
                    if share.abs() <= f64::EPSILON * size.sqrt() {
                        continue;
                    }
                    row.iter_mut().zip(across).for_each(|(x, a)| *x -= share * a);
                    moved.iter_mut().zip(along).for_each(|(x, a)| *x -= share * a);
                }
            }
            let left = f64::dot(&row, &moved);
            if left <= DEPENDENT * DEPENDENT * size {
                redundant.push(constraint);
                continue;
            }
            let length = left.sqrt();
            row.iter_mut().chain(&mut moved).for_each(|x| *x /= length);
            basis.push((row, moved));
        }
        let sticks = |&contact: &usize| !slips(&contact) && system.has_friction(contact);
        let leads = |contact: &usize| !redundant.contains(&Constraint::Tangential(*contact));
        if let Some(leader) = closed.iter().filter(sticks).find(leads) {
            let lead = &touches[leader];
            let parallel = |&contact: &usize| {
                let touch = &touches[contact];
                let product = f64::dot(touch.tangent(), lead.tangential_response());
                let sizes = f64::dot(touch.tangent(), touch.tangential_response())
                    * f64::dot(lead.tangent(), lead.tangential_response());
                sizes - product * product <= DEPENDENT * DEPENDENT * sizes
            };
            let followers: Vec<usize> =
                closed.iter().filter(sticks).filter(|contact| !leads(contact)).filter(parallel).collect();
            redundant.extend(followers.into_iter().map(Constraint::Parallel));
        }
        redundant.sort_unstable();
        redundant
    }
}
