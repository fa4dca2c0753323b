//! Impacts of touching contacts one after another: the one that closes fastest strikes as if it were alone, until none closes.
//!
//! The sequential law of I. Han & B. J. Gilmore, Multi-body impact motion with friction, J. Mech. Des. 115 (1993), 412-422. Positions do not change
//! meanwhile, and each impact is a phase of one [`Collision`], linear in the velocities, so that derivatives follow it.
//!
//! Contacts that close equally fast strike at once, as one complementarity problem: where they do not act on each other this is each alone in any
//! order, and where they do it is the choice that keeps the symmetry that they have. Where impacts follow each other without end their speeds fall
//! geometrically; the limit is reached where all that is left is rounding of the fastest velocities, and contacts that have struck again and
//! again until then stay closed, as they do at the end of a chattering.

use saltation_model::ImpactLaw;

use super::collision::{Collision, rules};
use super::group::Group;
use super::impulse::{NormalRule, Rules, TangentialRule};
use super::problem::{Balance, Problem};
use crate::ended::Ended;
use crate::event::Choice;
use crate::instant::knowledge::{ROUNDING, SPENT};
use crate::mode::ClosedSet;
use crate::system::System;

/// The most impacts at one instant. Sequences without end that keep less than 997 of 1000 parts of their speed at each impact have reached rounding by then;
/// for others the motion ends and says so.
pub(crate) const MOST_IMPACTS: usize = 10_000;

/// The solution that is taken of a contact problem of some contacts.
pub(crate) type Solve<'a> = &'a mut dyn FnMut(&Problem, &[usize]) -> Result<(Balance, Choice), Ended>;

/// One contact between two impacts.
#[derive(Debug, Clone, Copy)]
struct Between {
    speed: f64,
    slip: f64,
    /// The speed that is nothing but rounding.
    rounding: f64,
}

impl Group {
    /// The impacts of `contacts`, which touch, in their order. Those in `closed` have no opening speed before.
    ///
    /// # Errors
    /// A single impact has no solution, or there are more than [`MOST_IMPACTS`].
    pub(crate) fn one_after_another(
        &mut self,
        system: &System,
        contacts: &[usize],
        (closed, state): (ClosedSet, &[f64]),
        solve: Solve<'_>,
    ) -> Result<(Collision, Choice), Ended> {
        contacts.iter().for_each(|&contact| self.look(system, contact, state));
        let newton = system.model().impacts.law == ImpactLaw::Newton;
        let before: Vec<f64> = system.velocities().iter().map(|&v| state[v]).collect();
        let mut pace: Vec<f64> = before.iter().map(|v| v.abs()).collect();
        let mut moved = vec![0.0; before.len()];
        let mut struck = vec![0_usize; contacts.len()];
        let mut phases: Vec<Vec<Rules>> = Vec::new();
        let mut choice = Choice { solutions: 1, complete: true, impulses: false };
        self.impulses.begin(contacts.len());
        let mut impacts = 0;
        loop {
            let now: Vec<Between> = contacts.iter().map(|&c| self.between(c, closed, (&moved, &pace))).collect();
            let fastest = now.iter().filter(|one| one.speed < -one.rounding).map(|one| one.speed).reduce(f64::min);
            let Some(fastest) = fastest else {
                self.stay(&now, &struck, &mut phases);
                break;
            };
            if impacts == MOST_IMPACTS {
                return Err(Ended::ContactsTogether { contacts: contacts.to_vec() });
            }
            impacts += 1;
            let is_first = |one: &Between| one.speed < -one.rounding && one.speed <= fastest + one.rounding;
            let first: Vec<usize> = (0..contacts.len()).filter(|&k| is_first(&now[k])).collect();
            let group: Vec<usize> = first.iter().map(|&k| contacts[k]).collect();
            let mut problem = self.problem(system, &group, &pace);
            for (i, &k) in first.iter().enumerate() {
                let bounce = if newton { self.touches[contacts[k]].restitution() } else { 0.0 };
                problem.free[i] = now[k].speed * (1.0 + bounce);
                problem.free[first.len() + i] = now[k].slip;
                struck[k] += 1;
            }
            let mut own = Vec::new();
            let (found, of) = solve(&problem, &group)?;
            choice = joined(choice, of);
            own.push(rules(&problem, &found, if newton { NormalRule::Newton } else { NormalRule::Halt }));
            if !newton {
                for (i, &contact) in group.iter().enumerate() {
                    problem.given[i] = self.touches[contact].restitution() * found.normal[i];
                    problem.free[i] = found.opening[i];
                    problem.free[group.len() + i] = found.slipping[i];
                }
                let (found, of) = solve(&problem, &group)?;
                choice = joined(choice, of);
                own.push(rules(&problem, &found, NormalRule::Halt));
            }
            for some in own {
                let mut all = vec![(NormalRule::Free, TangentialRule::Free); contacts.len()];
                first.iter().zip(some).for_each(|(&k, rule)| all[k] = rule);
                self.impulses.phase(&self.touches, contacts, &all, &mut moved);
                phases.push(all);
            }
            for ((pace, v), change) in pace.iter_mut().zip(&before).zip(&moved) {
                *pace = pace.max((v + change).abs());
            }
        }
        Ok((Collision { contacts: contacts.to_vec(), phases }, choice))
    }

    /// How far a state is from one at which impacts in this order are no longer what the law says: by how much those that strike close, and close faster
    /// than all others, relative to the fastest velocity. What is slower than the last speeds of a sequence without end says nothing of it.
    pub(crate) fn order_margin(&mut self, system: &System, collision: &Collision, state: &[f64], fastest: f64) -> f64 {
        let contacts = &collision.contacts;
        contacts.iter().for_each(|&contact| self.look(system, contact, state));
        let mut moved = vec![0.0; system.velocities().len()];
        let mut least = f64::INFINITY;
        self.impulses.begin(contacts.len());
        for phase in &collision.phases {
            let speed = |k: usize| {
                let touch = &self.touches[contacts[k]];
                (touch.speed() + touch.dot(touch.normal(), &moved)) / fastest
            };
            let strikes = |k: &usize| phase[*k].0 != NormalRule::Free;
            let is_choice = phase.iter().all(|rule| rule.0 != NormalRule::Restitution);
            let slowest = (0..contacts.len()).filter(strikes).map(speed).reduce(f64::max);
            if let Some(slowest) = slowest.filter(|slowest| is_choice && slowest.abs() > SPENT) {
                let others = (0..contacts.len()).filter(|k| !strikes(k)).map(|k| speed(k) - slowest);
                least = others.fold(least.min(-slowest), f64::min);
            }
            self.impulses.phase(&self.touches, contacts, phase, &mut moved);
        }
        least
    }

    /// A contact after velocities have changed by `moved`.
    fn between(&self, contact: usize, closed: ClosedSet, (moved, pace): (&[f64], &[f64])) -> Between {
        let touch = &self.touches[contact];
        let stays = closed.contains(contact);
        let sticks = stays && closed.slip(contact).is_none();
        let speed = if stays { 0.0 } else { touch.speed() };
        let slip = if sticks { 0.0 } else { touch.slip() };
        let term = touch.normal().iter().zip(pace).map(|(w, p)| (w * p).abs()).fold(0.0, f64::max);
        Between {
            speed: speed + touch.dot(touch.normal(), moved),
            slip: slip + touch.dot(touch.tangent(), moved),
            rounding: ROUNDING * term,
        }
    }

    /// The end of an instant: contacts that have struck several times and are left with nothing but rounding stay closed.
    fn stay(&self, now: &[Between], struck: &[usize], phases: &mut Vec<Vec<Rules>>) {
        let rests = |k: usize| struck[k] > 1 && now[k].speed.abs() <= now[k].rounding;
        let halt = |k: usize| if rests(k) { NormalRule::Halt } else { NormalRule::Free };
        let last: Vec<Rules> = (0..now.len()).map(|k| (halt(k), TangentialRule::Free)).collect();
        if phases.is_empty() || last.iter().any(|rule| rule.0 == NormalRule::Halt) {
            phases.push(last);
        }
    }
}

/// What is known of two choices together.
fn joined(a: Choice, b: Choice) -> Choice {
    Choice {
        solutions: a.solutions.max(b.solutions),
        complete: a.complete && b.complete,
        impulses: a.impulses || b.impulses,
    }
}
