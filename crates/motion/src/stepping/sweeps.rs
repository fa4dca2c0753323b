//! The impulses of all contacts of a step, by nonlinear Gauss-Seidel: contact by contact, again and again, until none changes.
//!
//! This is the nonlinear Gauss-Seidel method (Jean 1999; Acary & Brogliato 2008): each contact solves
//! its own problem exactly with the present impulses of the others, whose effect stands in the velocities. The sweeps go forward
//! and backward in turn, so that what happens at one end of a heap reaches the other in one of two. Where they converge slowly
//! they are mixed (`acceleration`); where bodies are jammed their impulses are led on to where the first contact gives way.

use super::acceleration::Acceleration;
use super::formulas::{Contacts, Numbers};
use super::implicit::Implicit;
use super::planar::{Contacting, Planar};
use crate::instant::knowledge::{EVALUATED, ROUNDING};

/// After so many sweeps they are mixed: before, cases still change too often.
const PLAIN: u64 = 6;

/// Changes of two sweeps that differ by less than this share are the same.
const STEADY: f64 = 0.05;

/// One contact of a step.
#[derive(Debug, Clone, Copy)]
pub struct ActiveContact {
    /// Which contact of the model it is.
    pub contact: usize,
    /// What it does.
    pub case: Contacting,
    /// P_N and P_T of the step: impulses, forces times time.
    pub impulse: [f64; 2],
    /// The opening speed and the speed of slip before the step, at the place where the laws hold.
    pub before: [f64; 2],
    /// The same after it.
    pub after: [f64; 2],
    /// e
    pub restitution: f64,
    /// mu; 0 without friction.
    pub coefficient: f64,
    problem: Planar,
    drift: [f64; 2],
    /// Where its columns begin and end, and what it moves.
    columns: (usize, usize),
    moved: (usize, usize),
}

/// The coefficient of one velocity in the speeds of a contact, or what a unit of its impulses adds to one velocity.
#[derive(Debug, Clone, Copy)]
struct Entry {
    velocity: usize,
    normal: f64,
    tangential: f64,
}

/// The contacts of a step. Their room is used again in the next.
#[derive(Debug, Default)]
pub(super) struct Active {
    pub contacts: Vec<ActiveContact>,
    columns: Vec<Entry>,
    moved: Vec<Entry>,
    mixture: Acceleration,
    before: Vec<f64>,
    after: Vec<f64>,
    last: Vec<f64>,
    /// What the impulses of one contact give to all velocities.
    carried: [Vec<f64>; 2],
}

/// How the sweeps of a step ended.
#[derive(Debug, Clone, Copy)]
pub(super) struct Swept {
    /// How many there were.
    pub sweeps: u64,
    /// By which speed the laws fail at most, relative to the speeds of the step: at the tolerance where it is rounding of their terms.
    pub residual: f64,
}

impl ActiveContact {
    /// Solves the problem of this contact; by which speed its laws failed before.
    #[inline]
    fn solve(&mut self, columns: &[Entry], moved: &[Entry], state: &mut [f64]) -> f64 {
        let [n, t] = speeds(&columns[self.columns.0..self.columns.1], self.drift, state);
        let z = n + self.restitution * self.before[0];
        let Planar { normal, mixed, across, tangential, .. } = self.problem;
        let [pn, pt] = self.impulse;
        // The speeds if this contact gave no impulse.
        let without = [z - normal * pn - across * pt, t - mixed * pn - tangential * pt];
        let failure = self.problem.failure([z, t], self.impulse);
        let (impulse, case) = self.problem.solve(without, self.case);
        push(&moved[self.moved.0..self.moved.1], [impulse[0] - pn, impulse[1] - pt], state);
        (self.impulse, self.case) = (impulse, case);
        failure
    }

    /// The impulses in a measure in which their squares are energies.
    fn scaled(&self) -> [f64; 2] {
        [self.problem.normal.sqrt() * self.impulse[0], self.problem.tangential.sqrt() * self.impulse[1]]
    }

    /// The same back, brought into the cone of friction.
    fn unscaled(&self, [normal, tangential]: [f64; 2]) -> [f64; 2] {
        let normal = (normal / self.problem.normal.sqrt()).max(0.0);
        if self.problem.tangential <= 0.0 {
            return [normal, 0.0];
        }
        let limit = self.coefficient * normal;
        [normal, (tangential / self.problem.tangential.sqrt()).max(-limit).min(limit)]
    }
}

impl Active {
    pub(super) fn clear(&mut self) {
        self.contacts.clear();
        self.columns.clear();
        self.moved.clear();
    }

    /// Adds a contact, with the impulses and the case from which its search begins; false if a formula of it has no value. `state` has
    /// the velocities before the step.
    pub(super) fn push(
        &mut self,
        contact: usize,
        contacts: &mut Contacts,
        state: &[f64],
        impulse: [f64; 2],
        case: Contacting,
    ) -> bool {
        let first = (self.columns.len(), self.moved.len());
        {
            let source = &contacts.sources[contact];
            let entry = |&velocity: &usize| Entry { velocity, normal: 0.0, tangential: 0.0 };
            self.columns.extend(source.columns.iter().map(entry));
            self.moved.extend(source.moved.iter().map(entry));
        }
        let numbers = contacts.numbers(contact, state);
        let Numbers { normal_drift, tangential_drift, restitution, .. } = numbers;
        // What is negative by more than rounding has no meaning, and neither has what is no number.
        let is_lawful = (-ROUNDING..f64::INFINITY).contains(&numbers.coefficient) && restitution.is_finite();
        let coefficient = numbers.coefficient.max(0.0);
        let fill = |entries: &mut [Entry], normal: &[f64], tangential: &[f64]| {
            for ((entry, &normal), &tangential) in entries.iter_mut().zip(normal).zip(tangential) {
                (entry.normal, entry.tangential) = (normal, tangential);
            }
        };
        fill(&mut self.columns[first.0..], numbers.normal, numbers.tangential);
        fill(&mut self.moved[first.1..], numbers.normal_response, numbers.tangential_response);
        let (columns, moved) = ((first.0, self.columns.len()), (first.1, self.moved.len()));
        let mut problem = Planar { normal: 0.0, mixed: 0.0, across: 0.0, tangential: 0.0, coefficient };
        for column in &self.columns[first.0..] {
            let Some(moved) = self.moved[first.1..].iter().find(|moved| moved.velocity == column.velocity) else {
                continue;
            };
            problem.normal += column.normal * moved.normal;
            problem.mixed += column.tangential * moved.normal;
            problem.tangential += column.tangential * moved.tangential;
        }
        problem.across = problem.mixed;
        let drift = [normal_drift, tangential_drift];
        let before = speeds(&self.columns[first.0..], drift, state);
        self.contacts.push(ActiveContact {
            contact,
            case,
            impulse,
            before,
            after: before,
            restitution,
            coefficient,
            problem,
            drift,
            columns,
            moved,
        });
        is_lawful
            && [problem.normal, problem.mixed, problem.tangential, before[0], before[1]].iter().all(|x| x.is_finite())
    }

    /// Gives the last contact that was pushed the inertia of an implicit step of length `h` in the place of the masses. `first` is the first
    /// velocity of the model's states, of `count`.
    ///
    /// # Errors
    /// A shorter step for which the contact resists being pressed, where it does not in this one: its A_NN is not positive.
    pub(super) fn carry_last(
        &mut self,
        implicit: &mut Implicit,
        h: f64,
        (first, count): (usize, usize),
    ) -> Result<(), f64> {
        let Active { contacts, columns, moved, carried: [normal, tangential], .. } = self;
        let Some(contact) = contacts.last_mut() else { return Ok(()) };
        let columns = &columns[contact.columns.0..contact.columns.1];
        let sum = |entry: fn(&Entry) -> f64, x: &[f64]| -> f64 {
            columns.iter().map(|column| entry(column) * x[column.velocity - first]).sum()
        };
        let carry = |implicit: &mut Implicit, entry: fn(&Entry) -> f64, x: &mut Vec<f64>| {
            x.clear();
            x.resize(count, 0.0);
            moved[contact.moved.0..].iter().for_each(|moved| x[moved.velocity - first] = entry(moved));
            implicit.carry(x);
            sum(entry, x)
        };
        let explicit = contact.problem;
        // What resists nothing with M, as a gap without a gradient or a contact without friction, is as it was.
        let mut resistance = |implicit: &mut Implicit| {
            let mut along = |acts: bool, entry: fn(&Entry) -> f64, x: &mut Vec<f64>| {
                let resisted = carry(implicit, entry, x);
                if acts { resisted } else { 0.0 }
            };
            let pressed = along(explicit.normal > 0.0, |entry| entry.normal, normal);
            let slid = along(explicit.tangential > 0.0, |entry| entry.tangential, tangential);
            [pressed, slid]
        };
        let is_lost = |[pressed, slid]: [f64; 2]| {
            explicit.normal > 0.0 && pressed <= 0.0 || explicit.tangential > 0.0 && slid <= 0.0
        };
        let found = resistance(implicit);
        if is_lost(found) {
            return Err(implicit.shorter(h, |implicit| !is_lost(resistance(implicit))));
        }
        contact.problem = Planar {
            normal: found[0],
            mixed: sum(|entry| entry.tangential, normal),
            across: sum(|entry| entry.normal, tangential),
            tangential: found[1],
            coefficient: explicit.coefficient,
        };
        moved.truncate(contact.moved.0);
        let responses = normal.iter().zip(tangential.iter()).enumerate();
        moved.extend(responses.map(|(k, (&normal, &tangential))| Entry { velocity: first + k, normal, tangential }));
        contact.moved.1 = moved.len();
        Ok(())
    }

    /// Finds the impulses. `state` has the velocities without any of them, and gets those after the step.
    pub(super) fn sweep(&mut self, state: &mut [f64], tolerance: f64, most: u64) -> Swept {
        let Active { contacts, columns, moved, mixture, before, after, last, .. } = self;
        let (mut scale, mut terms) = (0.0_f64, 0.0_f64);
        for contact in contacts.iter() {
            let columns = &columns[contact.columns.0..contact.columns.1];
            let [n, t] = speeds(columns, contact.drift, state);
            scale = scale.max(n.abs()).max(t.abs()).max((contact.restitution * contact.before[0]).abs());
            terms = terms.max(largest_term(columns, contact.drift, state));
        }
        for contact in contacts.iter() {
            push(&moved[contact.moved.0..contact.moved.1], contact.impulse, state);
        }
        let mut swept = Swept { sweeps: 0, residual: 0.0 };
        if contacts.is_empty() || scale == 0.0 {
            // Nothing moves at all, and nothing has to be held.
            contacts.iter_mut().for_each(|contact| {
                push(&moved[contact.moved.0..contact.moved.1], contact.impulse.map(|p| -p), state);
                contact.impulse = [0.0; 2];
            });
            return swept;
        }
        // Speeds of bodies that fly together are known no better than what they are differences of.
        let scale = scale.max((EVALUATED / tolerance).min(1.0) * terms);
        mixture.begin(2 * contacts.len());
        last.clear();
        last.resize(2 * contacts.len(), 0.0);
        while swept.sweeps < most {
            let worst = if swept.sweeps.is_multiple_of(2) {
                before.clear();
                before.extend(contacts.iter().flat_map(ActiveContact::scaled));
                contacts.iter_mut().fold(0.0_f64, |worst, contact| worst.max(contact.solve(columns, moved, state)))
            } else {
                contacts
                    .iter_mut()
                    .rev()
                    .fold(0.0_f64, |worst, contact| worst.max(contact.solve(columns, moved, state)))
            };
            swept.sweeps += 1;
            swept.residual = worst / scale;
            if swept.residual <= tolerance || swept.residual.is_nan() {
                break;
            }
            if swept.sweeps.is_multiple_of(2) && swept.sweeps > PLAIN && swept.sweeps < most {
                after.clear();
                after.extend(contacts.iter().flat_map(ActiveContact::scaled));
                if let Some(share) = drift(before, after, last, contacts) {
                    // All contacts continue as in this sweep, until the first of them changes its case.
                    for (x, image) in before.iter().zip(after.iter_mut()) {
                        *image += share * (*image - x);
                    }
                    mixture.begin(2 * contacts.len());
                } else {
                    mixture.mix(before, after);
                }
                for (contact, mixed) in contacts.iter_mut().zip(after.chunks_exact(2)) {
                    let mixed = contact.unscaled([mixed[0], mixed[1]]);
                    let change = [mixed[0] - contact.impulse[0], mixed[1] - contact.impulse[1]];
                    push(&moved[contact.moved.0..contact.moved.1], change, state);
                    contact.impulse = mixed;
                }
            }
        }
        for contact in contacts.iter_mut() {
            contact.after = speeds(&columns[contact.columns.0..contact.columns.1], contact.drift, state);
        }
        swept
    }
}

/// How much farther the change of a sweep leads until a contact opens or begins to slip, in parts of it, if it is the same change as `last`,
/// the one before.
///
/// So do impulses of jammed bodies change, which press against each other without moving anything: speeds that cannot all be had at
/// once drive them by the same small amount in every sweep, until one contact gives way.
fn drift(before: &[f64], after: &[f64], last: &mut [f64], contacts: &[ActiveContact]) -> Option<f64> {
    let (mut square, mut distance) = (0.0, 0.0);
    for ((x, image), last) in before.iter().zip(after).zip(last) {
        let change = image - x;
        square += change * change;
        distance += (change - *last) * (change - *last);
        *last = change;
    }
    if distance > STEADY * STEADY * square {
        return None;
    }
    let mut share = f64::INFINITY;
    for ((contact, x), image) in contacts.iter().zip(before.chunks_exact(2)).zip(after.chunks_exact(2)) {
        let [normal, tangential] = contact.unscaled([image[0], image[1]]);
        let [normal_before, tangential_before] = contact.unscaled([x[0], x[1]]);
        let (dn, dt) = (normal - normal_before, tangential - tangential_before);
        let mut bound = |room: f64, loss: f64| {
            if loss > 0.0 {
                share = share.min(room.max(0.0) / loss);
            }
        };
        bound(normal, -dn);
        if contact.case == Contacting::Stick && contact.problem.tangential > 0.0 {
            let limit = contact.coefficient * normal;
            bound(limit - tangential, dt - contact.coefficient * dn);
            bound(limit + tangential, -dt - contact.coefficient * dn);
        }
    }
    (share.is_finite() && share > 1.0).then_some(share)
}

/// The opening speed and the speed of slip of a contact.
#[inline]
fn speeds(columns: &[Entry], drift: [f64; 2], state: &[f64]) -> [f64; 2] {
    columns.iter().fold(drift, |[n, t], entry| {
        let velocity = state[entry.velocity];
        [n + entry.normal * velocity, t + entry.tangential * velocity]
    })
}

/// The largest term of which the opening speed or the speed of slip of a contact is the sum.
fn largest_term(columns: &[Entry], [normal, tangential]: [f64; 2], state: &[f64]) -> f64 {
    columns.iter().fold(normal.abs().max(tangential.abs()), |largest, entry| {
        let velocity = state[entry.velocity];
        largest.max((entry.normal * velocity).abs()).max((entry.tangential * velocity).abs())
    })
}

/// What impulses of a contact do to the velocities.
#[inline]
fn push(moved: &[Entry], [normal, tangential]: [f64; 2], state: &mut [f64]) {
    for entry in moved {
        state[entry.velocity] += entry.normal * normal + entry.tangential * tangential;
    }
}
