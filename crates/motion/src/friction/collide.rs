//! What do impacts with friction do, at one contact or at several at once?
//!
//! Everything that is closed takes part. By Newton's law 0 <= g_N'(t+) + e g_N'(t-) perp Lambda_N >= 0, with friction
//! Lambda_T in -mu Lambda_N Sign(g_T'(t+)) (Leine & Brogliato, Eqs. (2.14)-(2.18), with restitution). By Poisson's law a first phase compresses
//! without restitution, and a second one gives back e times the normal impulse of the first, and more where contacts would
//! penetrate otherwise (Glocker 2001).

use saltation_model::{ImpactLaw, Together};
use saltation_numerics::dense::Matrix;

use super::collision::Collision;
use super::impulse::{NormalRule, Rules, TangentialRule};
use super::problem::{Balance, Does, Problem, Sliding};
use super::rest::Group;
use crate::automaton::Motion;
use crate::ended::Ended;
use crate::event::{Choice, EventKind};
use crate::system::{ClosedSet, Slip, System};
use crate::watch::size_on;

/// Gaps this small, relative to their terms, are rounding.
const TOUCHING: f64 = 1e-13;
/// No larger gaps, relative to their terms, are closed by an impact of another contact, however uncertain its time is.
const NEAR: f64 = 1e-12;
/// Distances this small, relative to the way of the body since a contact opened, are rounding.
const OPENED: f64 = 1e-14;
/// Speeds this small, relative to the fastest that the system has been, may be left out where nothing makes them vanish.
const SLOW: f64 = 1e-6;
/// Speeds this many times above rounding are rounding after a few more impacts.
const NEARLY: f64 = 1e3;
/// Opening speeds after an impact this small, relative to those before, are rounding.
const UNSHAKEN: f64 = 1e-11;

impl Group {
    /// The problem of contacts that have been looked at: G and mu; b is for the caller to write. `pace` is the size of every velocity's
    /// change that b consists of.
    pub fn problem(&self, system: &System, contacts: &[usize], pace: &[f64]) -> Problem {
        let n = contacts.len();
        let touches: Vec<_> = contacts.iter().map(|&contact| &self.touches[contact]).collect();
        let row = |i: usize| if i < n { touches[i].normal() } else { touches[i - n].tangent() };
        let moved = |j: usize| if j < n { touches[j].pushed() } else { touches[j - n].rubbed() };
        let delassus = Matrix::from_fn(2 * n, 2 * n, |i, j| touches[i % n].dot(row(i), moved(j)));
        let terms = |i: usize| row(i).iter().zip(pace).map(|(w, p)| (w * p).abs()).fold(0.0, f64::max);
        Problem {
            delassus,
            free: vec![0.0; 2 * n],
            scale: (0..2 * n).map(terms).collect(),
            friction: touches.iter().map(|touch| touch.friction()).collect(),
            given: vec![0.0; n],
            sliding: contacts.iter().map(|&c| if system.rubs(c) { Sliding::Halted } else { Sliding::Smooth }).collect(),
        }
    }
}

impl Motion<'_> {
    /// The problem of the speeds after an impact at the current state, with or without restitution.
    pub(super) fn speed_problem(&mut self, contacts: &[usize], restitution: bool) -> Problem {
        let system = self.system;
        for &contact in contacts {
            self.group.look(system, contact, &self.state);
        }
        let speeds: Vec<f64> = system.velocities().iter().map(|&v| self.state[v]).collect();
        let mut problem = self.group.problem(system, contacts, &speeds);
        let closed = self.closed();
        for (k, &contact) in contacts.iter().enumerate() {
            let touch = &self.group.touches[contact];
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

    /// Decides an impact at a contact that closes at the current state. The result is in `self.collision`, the state after it in
    /// `self.after`.
    ///
    /// # Errors
    /// The contacts for whose joint impact the model has no law, or that have no solution.
    fn judge_collision(&mut self, contact: usize) -> Result<(), Ended> {
        let system = self.system;
        let model = system.model();
        let joint = model.impacts.together == Together::Complementarity;
        let mut contacts: Vec<usize> = vec![contact];
        let struck = self.surface(contact).1;
        if joint {
            contacts.extend(self.closed().iter());
            contacts.extend(self.watch.together.iter().copied());
            // Gaps that are rounding count as closed. The gap of a contact that opened a short while ago is known more accurately.
            let crowded = self.crowd.is_long(contact) || self.crowd.is_stagnant(contact, struck);
            let (way, speed) = self.way_since_opening(contact);
            let late = uncertainty(way, speed);
            for other in 0..system.contact_names.len() {
                let (way, speed) = self.way_since_opening(other);
                let known = self.departed[other].first().copied();
                let gap = known.unwrap_or_else(|| self.surface(other).0);
                let is_small = is_rounding(gap, self.gap_terms(other), OPENED * way + late * (-speed).max(0.0));
                if is_small || (crowded || known.is_none_or(|gap| gap <= 0.0)) && self.touches_at(other) {
                    contacts.push(other);
                }
            }
            contacts.sort_unstable();
            contacts.dedup();
        }
        let newton = model.impacts.law == ImpactLaw::Newton;
        let problem = self.speed_problem(&contacts, newton);
        self.require_lawful(&contacts)?;
        let (found, mut choice) = best(&problem, &contacts)?;
        let compression = if newton { NormalRule::Newton } else { NormalRule::Halt };
        let mut first = rules(&problem, &found, compression);
        let closed = self.closed();
        for (rules, &contact) in first.iter_mut().zip(&contacts) {
            // What does not close has no rebound, nor what is closed already, whatever rounding leaves of its speed.
            let closes = !closed.contains(contact) && self.group.touches[contact].speed() < 0.0;
            if rules.0 == NormalRule::Newton && !closes {
                rules.0 = NormalRule::Halt;
            }
        }
        let mut phases = vec![first];
        if !newton {
            let mut second = problem.clone();
            for (k, &contact) in contacts.iter().enumerate() {
                second.given[k] = self.group.touches[contact].restitution() * found.normal[k];
                second.free[k] = found.opening[k];
                second.free[contacts.len() + k] = found.slipping[k];
            }
            let returned = |k: usize| second.given[k] > 0.0;
            choice.impulses = found.one_of_many && (0..contacts.len()).any(returned);
            let (found, last) = best(&second, &contacts)?;
            choice.solutions = choice.solutions.max(last.solutions);
            choice.complete &= last.complete;
            phases.push(rules(&second, &found, NormalRule::Halt));
        }
        self.collision = Collision { contacts, phases };
        self.choice = choice;
        let collision = std::mem::take(&mut self.collision);
        let mut after = std::mem::take(&mut self.after);
        after.copy_from_slice(&self.state);
        self.group.collide(system, &collision, &mut after);
        self.after = after;
        self.collision = collision;
        Ok(())
    }

    /// The impact of a contact that has closed, as [`Motion::impact`] wants it: `self.after`, the opening speed before and the ratio of speeds.
    pub(crate) fn strike_coupled(&mut self, contact: usize) -> Option<(f64, f64)> {
        let system = self.system;
        self.group.look(system, contact, &self.state);
        let touch = &self.group.touches[contact];
        let speed = touch.speed();
        if !touch.is_finite() {
            self.ended = Some(self.diagnose_impact(contact));
            return None;
        }
        self.after.copy_from_slice(&self.state);
        if speed >= 0.0 {
            return Some((speed, 0.0));
        }
        // What was said of the flights before this one holds no longer if it was high enough.
        if self.crowd.contacts().contains(contact) {
            self.unresolved_flight(contact, speed);
        }
        let spent = self.crowd.is_dense(contact)
            && speed.abs() <= self.crowd.rounding(contact)
            && !self.is_nearly_joined(contact);
        let long = self.crowd.is_long(contact);
        let pace = self.group.pace(system, &self.state);
        let fastest = self.crowd.strikes(pace).max(self.fastest);
        if spent || long || self.crowd.is_stagnant(contact, speed) {
            if spent || speed.abs() <= SLOW * self.reach(contact) * fastest {
                self.come_to_rest(contact);
                return None;
            }
            // Impacts that lose no speed do not come to rest, however many follow each other.
            if long {
                self.ended = Some(Ended::ContactsTogether { contacts: self.crowd.contacts().iter().collect() });
                return None;
            }
        }
        if let Err(ended) = self.judge_collision(contact) {
            self.ended = Some(ended);
            return None;
        }
        let collision = std::mem::take(&mut self.collision);
        self.vary_collision(&collision);
        let after = self.after.clone();
        self.group.look(system, contact, &after);
        let opened = self.group.touches[contact].speed();
        let at = collision.contacts.iter().position(|&c| c == contact).unwrap_or(0);
        let halts = collision.phases.iter().all(|rules| rules[at].0 == NormalRule::Halt)
            || collision.phases[0][at].0 == NormalRule::Newton && self.group.touches[contact].restitution() == 0.0;
        self.collision = collision;
        Some((speed, if halts { 0.0 } else { -opened / speed }))
    }

    /// Rebounds too low to be resolved would not end in finite time: the contact closes, with all others that touch and whose speeds are
    /// rounding, or where there have been very many rebounds with all others that touch.
    fn come_to_rest(&mut self, contact: usize) {
        let before = self.closed();
        let state = self.state.clone();
        let fastest = self.fastest(&state);
        let long = self.crowd.is_long(contact);
        // The largest velocity that coming to rest takes away, or that is rounding.
        let mut pace = self.crowd.rounding(contact) / self.reach(contact);
        let joins = self.system.joins();
        let mut open: Vec<usize> =
            (0..self.system.contact_names.len()).filter(|&c| c != contact && !before.contains(c)).collect();
        open.retain(|&other| (self.crowd.contacts().contains(other) || joins) && self.touches_at(other));
        let mut pressed = before.with(contact);
        for &other in &open {
            let rounding = self.crowd.rounding(other).max(pace * self.reach(other));
            let speed = self.group.touches[other].speed().abs();
            let slow =
                long && self.crowd.is_long(other) && speed <= SLOW * self.reach(other) * fastest.max(self.fastest);
            let lost = self.crowd.is_lost(other, speed);
            if slow || speed <= rounding || lost {
                pressed = pressed.with(other);
            }
            if lost {
                pace = pace.max(speed / self.reach(other));
            }
        }
        // What slips does so at the speed that is left when nothing opens or closes.
        let mut state = state;
        let rubbing = pressed.iter().filter(|&other| self.system.rubs(other));
        let free = rubbing.fold(pressed, |set, other| set.with_slip(other, Slip::Forward));
        self.rest_on(free, &mut state);
        for other in pressed.iter() {
            let Some(slip) = self.slip_at(other, &state, fastest) else { continue };
            // What a stick takes away from the motion is rounding, or it slips.
            let mut stopped = state.clone();
            self.rest_on(free.with(other), &mut stopped);
            self.system.velocities().iter().for_each(|&v| stopped[v] -= state[v]);
            if self.group.pace(self.system, &stopped) > pace {
                pressed = pressed.with_slip(other, slip);
            }
        }
        // Others may hold a contact that is not pressed itself.
        let pressed = self.with_held(pressed, &open, &mut state, pace.max(UNSHAKEN * fastest));
        // The sequences of others pass this as the end of one of their flights' own.
        pressed.iter().for_each(|closed| self.sequences[closed].clear());
        pressed.iter().for_each(|closed| self.crowd.rests(closed));
        self.decide(pressed, before, &[]);
    }

    /// Closed contacts with those of others, which touch, that they hold: these have no speed above that of a velocity `still` once the state rests on the
    /// closed ones.
    fn with_held(&mut self, closed: ClosedSet, others: &[usize], state: &mut [f64], still: f64) -> ClosedSet {
        let fastest = self.fastest(state);
        self.rest_on(closed, state);
        others.iter().filter(|&&other| !closed.contains(other)).fold(closed, |closed, &other| {
            self.group.look(self.system, other, state);
            let touch = &self.group.touches[other];
            if touch.speed().abs() > still * touch.reach() {
                return closed;
            }
            let slip = self.slip_at(other, state, fastest);
            slip.map_or(closed.with(other), |slip| closed.with_slip(other, slip))
        })
    }

    /// Whether another contact of the crowd comes to rest with this one, but its speed is not yet rounding.
    fn is_nearly_joined(&mut self, contact: usize) -> bool {
        let closed = self.closed();
        let crowded = self.crowd.contacts();
        crowded.iter().filter(|&other| other != contact && !closed.contains(other)).any(|other| {
            let (speed, rounding) = (self.surface(other).1.abs(), self.crowd.rounding(other));
            rounding < speed && speed <= NEARLY * rounding && self.touches_at(other)
        })
    }

    /// How far the body has moved at a contact since this has opened, at its present velocity, and the opening speed.
    fn way_since_opening(&mut self, contact: usize) -> (f64, f64) {
        let flight = self.crowd.flight(contact, self.time.value());
        self.group.look(self.system, contact, &self.state);
        let terms = self.group.touches[contact].normal().iter().zip(self.system.velocities());
        let size: f64 = terms.map(|(w, &v)| (w * self.state[v]).abs()).sum();
        (size * flight, self.group.touches[contact].speed())
    }

    /// Whether the gap of a contact is rounding at the current state. Coordinates carry that of their largest terms on the last step, and
    /// the last digit of the largest values that they have had.
    fn touches_at(&mut self, contact: usize) -> bool {
        let gap = self.surface(contact).0;
        let (_, length, mode, bridged) = self.last_step;
        let jet = self.modes.get(mode).filter(|_| !bridged).map(|mode| &mode.jet);
        let largest = |i: usize| jet.map_or(0.0, |jet| size_on(jet.state(i), length)).max(self.state[i].abs());
        let gradient = self.laws[contact].gradient();
        let size: f64 = gradient.iter().enumerate().map(|(i, g)| g.abs() * largest(i)).sum();
        gap <= TOUCHING * size || gap <= f64::EPSILON * self.gap_terms(contact)
    }

    /// The largest opening speed of a contact at the unit of kinetic energy, at the current state.
    fn reach(&mut self, contact: usize) -> f64 {
        self.group.look(self.system, contact, &self.state);
        self.group.touches[contact].reach()
    }

    /// What the impact that was judged last adds to the kinetic energy.
    pub(crate) fn collision_energy(&mut self) -> f64 {
        let collision = std::mem::take(&mut self.collision);
        let energy = if self.system.coupled { self.energy_gained(&collision) } else { 0.0 };
        self.collision = collision;
        energy
    }

    /// Whether the impact obeys the same equations as the last one of its sequence; remembers them.
    pub(crate) fn follows_rules(&mut self, contact: usize) -> bool {
        let same = self.followed[contact] == self.collision;
        if !same {
            self.followed[contact].clone_from(&self.collision);
        }
        same
    }

    /// Tells the impacts of other contacts that close at the same instant.
    pub(crate) fn tell_others(&mut self, contact: usize, kind: EventKind) {
        if !self.system.coupled {
            return;
        }
        let closed = self.closed();
        // Those that touch and have no impulse in any phase do nothing.
        let struck = |k: usize| self.collision.phases.iter().any(|rules| rules[k].0 != NormalRule::Free);
        let others: Vec<usize> = (self.collision.contacts.iter().enumerate())
            .filter(|&(k, &other)| other != contact && !closed.contains(other) && struck(k))
            .map(|(_, &other)| other)
            .collect();
        for other in others {
            let speeds = [&self.state, &self.after].map(|state| {
                self.group.look(self.system, other, state);
                self.group.touches[other].speed()
            });
            let event = self.queue.push(kind, self.time.value(), &self.state);
            event.contact = Some(other);
            event.after.copy_from_slice(&self.after);
            event.impacts = 1;
            (event.speed_before, event.speed_after) = (speeds[0], speeds[1]);
        }
    }

    /// After the impact of a contact: what stays closed goes on as all laws want it.
    pub(crate) fn rebound(&mut self, contact: usize, speeds: f64) {
        let collision = std::mem::take(&mut self.collision);
        self.locked = ClosedSet::NONE;
        let before = self.closed();
        let touching =
            collision.contacts.iter().fold(before, |set, &c| if set.contains(c) { set } else { set.with(c) });
        let closed = self.part(&collision, touching, speeds);
        self.collision = collision;
        if self.has_failed() {
            return;
        }
        if closed.is_empty() && before.is_empty() {
            self.bounced = Some(contact);
            return;
        }
        if !self.system.joins() {
            // Others that touch and would close now have no law.
            let mut touching = (0..self.system.contact_names.len()).filter(|&c| c != contact && !before.contains(c));
            let pressed =
                touching.find(|&c| self.touches_at(c) && self.surface(c).1 < -UNSHAKEN * self.reach(c) * speeds);
            if let Some(other) = pressed {
                let mut contacts = vec![contact, other];
                contacts.sort_unstable();
                self.ended = Some(Ended::ContactsTogether { contacts });
                return;
            }
        }
        let closed = self.hold_others(closed, before, speeds);
        self.decide(closed, before, &[]);
        if self.leaving[contact] == 1 && !self.closed().contains(contact) && self.ended.is_none() {
            self.bounced = Some(contact);
        }
    }

    /// Where an impact leaves a contact closed that was not: the same with others that touch and have no speed above rounding then. Their flights
    /// are too short for their gaps to be known, and no impact of theirs may follow.
    fn hold_others(&mut self, closed: ClosedSet, before: ClosedSet, speeds: f64) -> ClosedSet {
        if !self.system.joins() || closed.iter().all(|contact| before.contains(contact)) {
            return closed;
        }
        let mut open: Vec<usize> = (0..self.system.contact_names.len()).filter(|&c| !closed.contains(c)).collect();
        open.retain(|&other| self.touches_at(other));
        if open.is_empty() {
            return closed;
        }
        let mut state = self.state.clone();
        let still = UNSHAKEN * self.fastest(&state).max(speeds);
        self.with_held(closed, &open, &mut state, still)
    }

    /// What an impact adds to the kinetic energy, as the work of its impulses on the relative motion of the surfaces:
    /// sum Lambda (g'(t-) + g'(t+))/2. Where surfaces are at rest this is the change of the kinetic energy. For `self.after`, right after it was computed.
    pub(crate) fn energy_gained(&mut self, collision: &Collision) -> f64 {
        let system = self.system;
        let (mut sum, mut size) = (0.0, 0.0_f64);
        for &contact in &collision.contacts {
            self.group.look(system, contact, &self.state);
            let touch = &self.group.touches[contact];
            let (normal, slip) = (touch.speed(), touch.slip());
            let velocities = system.velocities();
            let change = |row: &[f64]| -> f64 {
                row.iter().zip(velocities).map(|(w, &v)| w * (self.after[v] - self.state[v])).sum()
            };
            let (opened, slid) = (change(touch.normal()), change(touch.tangent()));
            let impulses = self.collision_impulses(collision, contact);
            for term in [impulses.0 * normal, 0.5 * impulses.0 * opened, impulses.1 * slip, 0.5 * impulses.1 * slid] {
                sum += term;
                size = size.max(term.abs());
            }
        }
        // What is left of terms that cancel is rounding.
        if sum.abs() <= UNSHAKEN * size { 0.0 } else { sum }
    }

    /// The total impulses of a contact of a collision at the current state.
    fn collision_impulses(&self, collision: &Collision, contact: usize) -> (f64, f64) {
        let position = collision.contacts.iter().position(|&c| c == contact);
        position.and_then(|k| self.group.impulses.total.get(k)).copied().unwrap_or((0.0, 0.0))
    }

    /// After a collision: which of its contacts stay closed, with their slip, and which open. `pressed` were closed before it, or struck.
    pub(crate) fn part(&mut self, collision: &Collision, pressed: ClosedSet, speeds: f64) -> ClosedSet {
        let state = std::mem::take(&mut self.state);
        let mut closed = pressed;
        let last = collision.phases.len() - 1;
        let fastest = self.fastest(&state).max(speeds);
        for (k, &contact) in collision.contacts.iter().enumerate() {
            let (normal, tangential) = collision.phases[last][k];
            let slip = match tangential {
                TangentialRule::Stick => None,
                _ => self.slip_at(contact, &state, fastest),
            };
            let touch = &mut self.group;
            touch.look(self.system, contact, &state);
            let touch = &touch.touches[contact];
            let opens = normal != NormalRule::Halt && touch.speed() > UNSHAKEN * touch.reach() * fastest;
            if opens {
                closed = closed.without(contact);
                self.leaving[contact] = 1;
            } else {
                closed = match slip {
                    Some(slip) => closed.with_slip(contact, slip),
                    None => closed.with(contact),
                };
            }
        }
        for contact in pressed.iter().filter(|c| !collision.contacts.contains(c)) {
            self.group.look(self.system, contact, &state);
            let (speed, reach) = (self.group.touches[contact].speed(), self.group.touches[contact].reach());
            if speed.abs() <= UNSHAKEN * reach * fastest {
                let slip = self.slip_at(contact, &state, fastest);
                closed = slip.map_or(closed.with(contact), |slip| closed.with_slip(contact, slip));
            } else if speed > 0.0 {
                closed = closed.without(contact);
                self.leaving[contact] = 1;
            } else {
                let mut contacts = collision.contacts.clone();
                contacts.push(contact);
                contacts.sort_unstable();
                self.ended = Some(Ended::ContactsTogether { contacts });
            }
        }
        self.state = state;
        closed
    }
}

/// How uncertain the time of an impact is: at low speed it is known less well.
fn uncertainty(way: f64, speed: f64) -> f64 {
    OPENED * way / speed.abs()
}

/// Whether a gap is as small as what is not known of it, and as the rounding of its terms.
fn is_rounding(gap: f64, terms: f64, unknown: f64) -> bool {
    unknown.is_finite() && gap <= unknown && gap <= NEAR * terms
}

/// Energies that differ by less, relative to that of the fastest impulse, are the same.
const SAME_ENERGY: f64 = 1e-9;

/// The solution of an impact; of several the one that loses most energy, and of several of these that with the impulses of least norm.
fn best(problem: &Problem, contacts: &[usize]) -> Result<(Balance, Choice), Ended> {
    let (mut solutions, complete) = problem.solutions();
    let choice = Choice { solutions: solutions.len(), complete, impulses: false };
    let energies: Vec<f64> = solutions.iter().map(|balance| gained(problem, balance)).collect();
    let least = energies.iter().copied().fold(f64::INFINITY, f64::min);
    let blur = SAME_ENERGY * energies.iter().fold(0.0_f64, |m, energy| m.max(energy.abs()));
    let norms: Vec<f64> = solutions.iter().map(|balance| norm(problem, balance)).collect();
    let lowest = (0..solutions.len()).filter(|&k| energies[k] <= least + blur);
    match lowest.min_by(|&a, &b| norms[a].total_cmp(&norms[b])) {
        Some(k) => Ok((solutions.swap_remove(k), choice)),
        None if complete => Err(Ended::Inconsistent { contacts: contacts.to_vec() }),
        None => Err(Ended::Undecided { contacts: contacts.to_vec() }),
    }
}

/// The sum of w' M^-1 w Lambda^2 over all impulses, twice the kinetic energy that each of them would give alone.
fn norm(problem: &Problem, balance: &Balance) -> f64 {
    let impulses = balance.normal.iter().chain(&balance.tangential).enumerate();
    impulses.map(|(row, impulse)| problem.delassus[(row, row)] * impulse * impulse).sum()
}

/// Twice what impulses add to the kinetic energy: Lambda'(G Lambda + 2 b).
pub(crate) fn gained(problem: &Problem, balance: &Balance) -> f64 {
    let n = problem.contacts();
    let normal = balance.normal.iter().zip(balance.opening.iter().zip(&problem.free));
    let tangential = balance.tangential.iter().zip(balance.slipping.iter().zip(&problem.free[n..]));
    normal.chain(tangential).map(|(force, (after, before))| force * (after + before)).sum()
}

/// The equations that hold in a solution; `closing` is the normal law of contacts with an impulse.
pub(super) fn rules(problem: &Problem, balance: &Balance, closing: NormalRule) -> Vec<Rules> {
    (0..problem.contacts())
        .map(|i| {
            let own = balance.normal[i] - problem.given[i];
            let smallest = 1e-12 * (problem.scale[i] / problem.delassus[(i, i)]).max(balance.normal[i].abs());
            let normal = match (own > smallest, problem.given[i] > 0.0) {
                (true, _) => closing,
                (false, true) => NormalRule::Restitution,
                (false, false) => NormalRule::Free,
            };
            let tangential = match (problem.sliding[i], balance.does[i]) {
                _ if normal == NormalRule::Free => TangentialRule::Free,
                (Sliding::Smooth, _) => TangentialRule::Free,
                (_, Does::Slip(slip)) => TangentialRule::Slip(slip),
                // Of forces that are one choice of many those with bounds that are reached solve the equations of these bounds.
                (_, Does::Stick) if balance.one_of_many && problem.is_at_edge(balance, i) => {
                    TangentialRule::Slip(Slip::of(-balance.tangential[i]))
                }
                (_, Does::Stick | Does::Open) => TangentialRule::Stick,
            };
            (normal, tangential)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_gap_above_the_rounding_of_its_terms_closes_with_an_impact_of_another_contact() {
        // An impact at nearly no speed may be at any time; what closes by then is open all the same.
        let late = uncertainty(1.0, 1e-14);
        assert!(late > 0.1);
        assert!(!is_rounding(1e-3, 1.0, late));
        assert!(!is_rounding(2e-12, 1.0, late) && is_rounding(0.5e-12, 1.0, late));
        // Gaps in other units are alike.
        assert!(is_rounding(0.5e-3, 1e9, late) && !is_rounding(0.5e-12, 1e-3, late));
        // A gap that is known better is open, and one of which nothing is known.
        assert!(!is_rounding(1e-13, 1.0, OPENED) && is_rounding(0.5 * OPENED, 1.0, OPENED));
        assert!(!is_rounding(0.0, 1.0, f64::INFINITY) && !is_rounding(0.0, 1.0, f64::NAN));
        assert!(!is_rounding(f64::NAN, 1.0, late));
    }
}
