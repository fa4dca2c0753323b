//! Impacts with friction, at one contact or at several at once.
//!
//! Everything that is closed takes part. By Newton's law 0 <= g_N'(t+) + e g_N'(t-) perp Lambda_N >= 0, with friction
//! Lambda_T in -mu Lambda_N Sign(g_T'(t+)) (Leine & Brogliato, Eqs. (2.14)-(2.18), with restitution). By Poisson's law a first phase compresses
//! without restitution, and a second one gives back e times the normal impulse of the first, and more where contacts would
//! penetrate otherwise (Glocker 2001).

use saltation_model::{ImpactLaw, Together};

use super::automaton::Automaton;
use crate::contact::collision::{Collision, rules};
use crate::contact::impulse::NormalRule;
use crate::contact::problem::{Balance, Problem};
use crate::contact::solved::Solved;
use crate::ended::Ended;
use crate::event::{Choice, EventKind};
use crate::instant::knowledge::{EVALUATED, SOLVED};

/// No gaps larger than this many times what is not known of them and of the one that closes are closed by an impact of another contact, however uncertain its time is.
const NEAR: f64 = 100.0;
/// The gap of a contact that strikes is known to a few last digits of the path, where it is asked when.
const TIMED: f64 = 1e-15;
/// Gaps that follow from the state alone are known to this part of their terms.
pub(super) const LAST_DIGIT: f64 = 2.0 * f64::EPSILON;
/// Speeds this small, relative to the fastest that the system has been, may be left out where nothing makes them vanish.
pub(super) const SLOW: f64 = 1e-6;

/// An impact at a contact: the opening speed before it, and the ratio of speeds -v+/v-; 0 if nothing but rounding is left of the speed after it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Strike {
    pub speed: f64,
    pub ratio: f64,
}

impl Automaton<'_> {
    /// The problem of the speeds after an impact at the current state, with or without restitution.
    pub(crate) fn speed_problem(&mut self, contacts: &[usize], restitution: bool) -> Problem {
        let system = self.system;
        for &contact in contacts {
            self.joint.group.look(system, contact, &self.now.state);
        }
        let speeds: Vec<f64> = system.velocities().iter().map(|&v| self.now.state[v]).collect();
        let mut problem = self.joint.group.problem(system, contacts, &speeds);
        let closed = self.closed();
        for (k, &contact) in contacts.iter().enumerate() {
            let touch = &self.joint.group.touches[contact];
            // A contact that is closed already, or opens, has no rebound.
            let bounce = if restitution && touch.speed() < 0.0 { touch.restitution() } else { 0.0 };
            // What is closed has no opening speed, and what sticks no slip, whatever rounding leaves of it.
            let stays = closed.contains(contact);
            let sticks = stays && closed.slip(contact).is_none();
            problem.free[k] = if stays { 0.0 } else { touch.speed() * (1.0 + bounce) };
            problem.free[contacts.len() + k] = if sticks { 0.0 } else { touch.slip() };
        }
        problem
    }

    /// Decides an impact at a contact that closes at the current state. The result is in `self.judged`, the state after it in
    /// `self.after`.
    ///
    /// # Errors
    /// The contacts for whose joint impact the model has no law, or that have no solution.
    fn judge_collision(&mut self, contact: usize) -> Result<(), Ended> {
        let system = self.system;
        let model = system.model();
        let joint = model.impacts.together.is_law();
        let mut contacts: Vec<usize> = vec![contact];
        let struck = self.surface(contact).1;
        if joint {
            contacts.extend(self.closed().iter());
            contacts.extend(self.located.together.iter().copied());
            // Gaps that are rounding count as closed. The gap of a contact that opened a short while ago is known more accurately.
            let crowded = self.accumulating.low_rebounds.is_stagnant(contact);
            let flight = self.accumulating.low_rebounds.flight(contact, self.now.time);
            let zeros = self.departures.known_order[contact];
            let [unknown, timed] = [EVALUATED, TIMED].map(|share| self.gap_error(share, contact, zeros, flight));
            let (mobility, late) = (self.normal_mobility(contact), timed / struck.abs());
            let fixed = self.fixed_gaps(contact, flight, unknown);
            for other in 0..system.contact_names.len() {
                let known = self.departures.departed[other].first().copied();
                let gap = known.unwrap_or_else(|| self.surface(other).0);
                let opening = self.departures.speed(other).unwrap_or_else(|| self.surface(other).1);
                let closing = (-opening).max(0.0);
                let zeros = known.map(|_| self.departures.known_order[other].unwrap_or(0));
                let own = self.gap_error(EVALUATED, other, zeros, flight);
                if let Some((implied, error)) = self.implied_gap(other, &fixed, (gap, own)) {
                    match implied <= error {
                        true => contacts.push(other),
                        false => self.departures.learn(other, implied, error),
                    }
                    continue;
                }
                // In the units of this gap.
                let related = unknown / mobility * self.normal_mobility(other);
                let is_small = is_rounding(gap, [own, related], late * closing);
                let stays = crowded || self.departures.is_still(other) || known.is_some_and(|gap| gap <= 0.0);
                if is_small || stays && self.touches_at(other) {
                    contacts.push(other);
                }
            }
            contacts.sort_unstable();
            contacts.dedup();
        }
        if model.impacts.together == Together::Sequence {
            return self.judge_sequence(&contacts);
        }
        let newton = model.impacts.law == ImpactLaw::Newton;
        let problem = self.speed_problem(&contacts, newton);
        self.require_lawful(&contacts)?;
        let (found, mut choice) = best(&mut self.joint.solved, &problem, &contacts)?;
        let compression = if newton { NormalRule::Newton } else { NormalRule::Halt };
        let mut first = rules(&problem, &found, compression);
        let closed = self.closed();
        for (rules, &contact) in first.iter_mut().zip(&contacts) {
            // What does not close has no rebound, nor what is closed already, whatever rounding leaves of its speed.
            let closes = !closed.contains(contact) && self.joint.group.touches[contact].speed() < 0.0;
            if rules.0 == NormalRule::Newton && !closes {
                rules.0 = NormalRule::Halt;
            }
        }
        let mut phases = vec![first];
        if !newton {
            let mut second = problem.clone();
            for (k, &contact) in contacts.iter().enumerate() {
                second.given[k] = self.joint.group.touches[contact].restitution() * found.normal[k];
                second.free[k] = found.opening[k];
                second.free[contacts.len() + k] = found.slipping[k];
            }
            let returned = |k: usize| second.given[k] > 0.0;
            choice.impulses = found.underdetermined && (0..contacts.len()).any(returned);
            let (found, last) = best(&mut self.joint.solved, &second, &contacts)?;
            choice.solutions = choice.solutions.max(last.solutions);
            choice.complete &= last.complete;
            phases.push(rules(&second, &found, NormalRule::Halt));
        }
        self.joint.judged.collision = Collision { contacts, phases };
        self.joint.judged.choice = choice;
        self.room.after.copy_from_slice(&self.now.state);
        self.joint.group.collide(system, &self.joint.judged.collision, &mut self.room.after);
        Ok(())
    }

    /// Decides impacts of touching contacts one after another.
    ///
    /// # Errors
    /// One of them has no solution, or they have no end.
    fn judge_sequence(&mut self, contacts: &[usize]) -> Result<(), Ended> {
        let system = self.system;
        contacts.iter().for_each(|&contact| self.joint.group.look(system, contact, &self.now.state));
        self.require_lawful(contacts)?;
        let closed = self.closed();
        let solved = &mut self.joint.solved;
        let mut solve = |problem: &Problem, contacts: &[usize]| best(solved, problem, contacts);
        let found = self.joint.group.one_after_another(system, contacts, (closed, &self.now.state), &mut solve);
        (self.joint.judged.collision, self.joint.judged.choice) = found?;
        self.room.after.copy_from_slice(&self.now.state);
        self.joint.group.collide(system, &self.joint.judged.collision, &mut self.room.after);
        Ok(())
    }

    /// The impact of a contact that has closed: the state after it into `self.after`, the opening speed before and the ratio of speeds; `None` if the
    /// contact comes to rest instead.
    ///
    /// # Errors
    /// No law holds.
    pub(crate) fn strike_coupled(&mut self, contact: usize) -> Result<Option<Strike>, Ended> {
        let system = self.system;
        self.joint.group.look(system, contact, &self.now.state);
        let touch = &self.joint.group.touches[contact];
        let speed = touch.speed();
        if !touch.is_finite() {
            return Err(self.diagnose_impact(contact));
        }
        self.room.after.copy_from_slice(&self.now.state);
        if speed >= 0.0 {
            return Ok(Some(Strike { speed, ratio: 0.0 }));
        }
        // What was said of the flights before this one holds no longer if it was high enough.
        if self.accumulating.low_rebounds.contacts().contains(contact) {
            self.unresolved_flight(contact, speed);
        }
        let spent = self.accumulating.low_rebounds.is_dense(contact)
            && speed.abs() <= self.accumulating.low_rebounds.rounding(contact)
            && !self.is_nearly_joined(contact, speed);
        let long = self.accumulating.low_rebounds.is_long(contact);
        let pace = self.joint.group.pace(system, &self.now.state);
        let fastest = self.accumulating.low_rebounds.strikes(pace).max(self.known.fastest);
        if spent || self.accumulating.low_rebounds.is_stagnant(contact) {
            let slow = speed.abs() <= SLOW * self.normal_mobility(contact) * fastest;
            if spent || slow || self.falls_from_rounding(contact, speed) {
                return self.come_to_rest(contact).map(|()| None);
            }
            // Impacts that lose no speed do not come to rest, however many follow each other.
            if long {
                return Err(Ended::ContactsTogether {
                    contacts: self.accumulating.low_rebounds.contacts().iter().collect(),
                });
            }
        }
        self.judge_collision(contact)?;
        let collision = std::mem::take(&mut self.joint.judged.collision);
        self.vary_collision(&collision);
        if self.joint.judged.choice.impulses {
            self.lose_impact();
        }
        let after = self.room.after.clone();
        self.joint.group.look(system, contact, &after);
        let opened = self.joint.group.touches[contact].speed();
        let at = collision.contacts.iter().position(|&c| c == contact).unwrap_or(0);
        let halts = self.sequence_stops(contact, opened, fastest)
            || collision.phases.iter().all(|rules| rules[at].0 == NormalRule::Halt)
            || collision.phases[0][at].0 == NormalRule::Newton
                && self.joint.group.touches[contact].restitution() == 0.0;
        self.joint.judged.collision = collision;
        Ok(Some(Strike { speed, ratio: if halts { 0.0 } else { -opened / speed } }))
    }

    /// Whether a sequence of impacts leaves nothing but rounding of the speed of a contact.
    fn sequence_stops(&self, contact: usize, opened: f64, fastest: f64) -> bool {
        let follows = self.system.model().impacts.together == Together::Sequence;
        follows && opened.abs() <= SOLVED * self.joint.group.touches[contact].normal_mobility() * fastest
    }

    /// What is not known of the gap of a contact at the current state, beside a contact that strikes after a flight: a share of the path of the body since it has
    /// opened, and unless the gap is known from there on, with so many leading `zeros`, the rounding of its terms. The state then holds the path of the flight that
    /// both share, at the fastest that the body has been: contacts that close together have opened together, or are related by their geometry.
    pub(super) fn gap_error(&mut self, share: f64, contact: usize, zeros: Option<usize>, flight: f64) -> f64 {
        if let Some(zeros) = zeros {
            return self.departures.doubt[contact] + share * self.path_since_opening(contact, zeros);
        }
        let shared =
            self.accumulating.low_rebounds.flight(contact, self.now.time).min(flight).min(self.now.time.value());
        share * self.normal_mobility(contact) * self.accumulating.low_rebounds.fastest() * shared
            + LAST_DIGIT * self.gap_terms(contact)
    }

    /// Whether a contact closes no faster than in a fall from a height that leaves nothing but rounding in its gap: even where impacts lose no speed, such
    /// flights are those of a contact that is closed.
    pub(crate) fn falls_from_rounding(&mut self, contact: usize, speed: f64) -> bool {
        let height = EVALUATED * self.gap_terms(contact);
        let mode = self.modes.now_mut();
        mode.probe(&self.now.state, 2);
        let acceleration = 2.0 * mode.probed(self.system.gap_output(contact))[2];
        speed * speed <= 2.0 * (-acceleration).max(0.0) * height
    }

    /// What the impact that was judged last adds to the kinetic energy.
    pub(crate) fn collision_energy(&mut self) -> f64 {
        let collision = std::mem::take(&mut self.joint.judged.collision);
        let energy = if self.system.coupled { self.energy_gained(&collision) } else { 0.0 };
        self.joint.judged.collision = collision;
        energy
    }

    /// Whether the impact obeys the same equations as the last one of its sequence; remembers them.
    pub(crate) fn follows_rules(&mut self, contact: usize) -> bool {
        let same = self.accumulating.followed[contact] == self.joint.judged.collision;
        if !same {
            self.accumulating.followed[contact].clone_from(&self.joint.judged.collision);
        }
        same
    }

    /// Reports the impacts of other contacts that close at the same instant.
    pub(crate) fn report_others(&mut self, contact: usize, kind: EventKind) {
        if !self.system.coupled {
            return;
        }
        let closed = self.closed();
        // Those that touch and have no impulse in any phase do nothing.
        let struck = |k: usize| self.joint.judged.collision.phases.iter().any(|rules| rules[k].0 != NormalRule::Free);
        let others: Vec<usize> = (self.joint.judged.collision.contacts.iter().enumerate())
            .filter(|&(k, &other)| other != contact && !closed.contains(other) && struck(k))
            .map(|(_, &other)| other)
            .collect();
        for other in others {
            let speeds = [&self.now.state, &self.room.after].map(|state| {
                self.joint.group.look(self.system, other, state);
                self.joint.group.touches[other].speed()
            });
            let event = self.queue.push(kind, self.now.time.value(), &self.now.state);
            event.contact = Some(other);
            event.after.copy_from_slice(&self.room.after);
            event.impacts = 1;
            (event.speed_before, event.speed_after) = (speeds[0], speeds[1]);
        }
    }

    /// What an impact adds to the kinetic energy, as the work of its impulses on the relative motion of the surfaces:
    /// sum Lambda (g'(t-) + g'(t+))/2. Where surfaces are at rest this is the change of the kinetic energy. For `self.after`, right after it was computed.
    pub(crate) fn energy_gained(&mut self, collision: &Collision) -> f64 {
        let system = self.system;
        let (mut sum, mut size) = (0.0, 0.0_f64);
        for &contact in &collision.contacts {
            self.joint.group.look(system, contact, &self.now.state);
            let touch = &self.joint.group.touches[contact];
            let (normal, slip) = (touch.speed(), touch.slip());
            let velocities = system.velocities();
            let change = |row: &[f64]| -> f64 {
                row.iter().zip(velocities).map(|(w, &v)| w * (self.room.after[v] - self.now.state[v])).sum()
            };
            let (opened, slid) = (change(touch.normal()), change(touch.tangent()));
            let impulses = self.collision_impulses(collision, contact);
            for term in [impulses.0 * normal, 0.5 * impulses.0 * opened, impulses.1 * slip, 0.5 * impulses.1 * slid] {
                sum += term;
                size = size.max(term.abs());
            }
        }
        // What is left of terms that cancel is rounding.
        if sum.abs() <= SOLVED * size { 0.0 } else { sum }
    }

    /// The total impulses of a contact of a collision at the current state.
    fn collision_impulses(&self, collision: &Collision, contact: usize) -> (f64, f64) {
        let position = collision.contacts.iter().position(|&c| c == contact);
        position.and_then(|k| self.joint.group.impulses.total.get(k)).copied().unwrap_or((0.0, 0.0))
    }
}

/// Whether a gap is as small as what is not known of it, with what it closes while the time of another impact is uncertain. Not known are so much of the gap itself,
/// and of the other one.
fn is_rounding(gap: f64, [own, related]: [f64; 2], meanwhile: f64) -> bool {
    let possible = own + meanwhile;
    possible.is_finite() && gap <= possible && gap <= NEAR * (own + related)
}

/// Energies that differ by less, relative to that of the fastest impulse, are the same.
const SAME_ENERGY: f64 = 1e-9;

/// The solution of an impact; of several the one that loses most energy, and of several of these that with the impulses of least norm: at contacts that do not act on
/// each other each for itself.
pub(crate) fn best(solved: &mut Solved, problem: &Problem, contacts: &[usize]) -> Result<(Balance, Choice), Ended> {
    let (mut solutions, complete) = solved.solutions(problem);
    let choice = Choice { solutions: solutions.len(), complete, impulses: false };
    let groups = if solutions.len() > 1 { problem.groups() } else { Vec::new() };
    for group in groups {
        let energies: Vec<f64> = solutions.iter().map(|balance| problem.gained(balance, &group)).collect();
        let least = energies.iter().copied().fold(f64::INFINITY, f64::min);
        let blur = SAME_ENERGY * energies.iter().fold(0.0_f64, |m, energy| m.max(energy.abs()));
        let mut energies = energies.iter();
        solutions.retain(|_| energies.next().is_some_and(|energy| *energy <= least + blur));
        let norm = |balance: &Balance| problem.norm(balance, &group);
        let shortest = solutions.iter().map(norm).fold(f64::INFINITY, f64::min);
        solutions.retain(|balance| norm(balance) <= shortest);
    }
    match solutions.into_iter().next() {
        Some(found) => Ok((found, choice)),
        None if complete => Err(Ended::Inconsistent { contacts: contacts.to_vec() }),
        None => Err(Ended::Undecided { contacts: contacts.to_vec() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_gap_far_above_what_is_not_known_closes_with_an_impact_of_another_contact() {
        // An impact at nearly no speed may be at any time; what closes by then is open all the same.
        let meanwhile = 0.1;
        for unknown in [[1e-14, 0.0], [1e-20, 1e-14], [1e-4, 1e-6]] {
            let sum = unknown[0] + unknown[1];
            assert!(is_rounding(0.9 * NEAR * sum, unknown, meanwhile));
            assert!(!is_rounding(1.1 * NEAR * sum, unknown, meanwhile));
            assert!(is_rounding(0.9 * unknown[0], unknown, 0.0) && !is_rounding(1.1 * unknown[0], unknown, 0.0));
            assert!(is_rounding(1.4 * unknown[0], unknown, 0.5 * unknown[0]));
        }
        // What may close at any time, and what is no number, closes nothing.
        assert!(!is_rounding(0.0, [1.0, 0.0], f64::INFINITY) && !is_rounding(0.0, [1.0, 0.0], f64::NAN));
        let nothing = [f64::NAN, f64::INFINITY];
        assert!(nothing.iter().all(|&own| !is_rounding(0.0, [own, 0.0], 0.0)));
        assert!(!is_rounding(f64::NAN, [1.0, 0.0], 0.0) && !is_rounding(0.0, [1.0, f64::NAN], 0.0));
    }
}
