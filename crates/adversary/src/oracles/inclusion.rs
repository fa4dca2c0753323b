//! Motions of bodies on a line with contacts, friction and signs, by implicit time stepping of the whole inclusion.
//!
//! A step is backward Euler: M (v' - v) = h (F(t', x', v') + W z), x' = x + h v', where every element has one multiplier in a set-valued law at the end of the step: a
//! contact 0 <= lambda, g(x') >= 0, lambda g = 0; friction tau in -mu lambda Sgn(slip'); a sign sigma in Sgn(s(x', v')). The mixed complementarity problem of a step is
//! solved by changing the states of violated elements, and by enumeration where that fails. Elements that hold have a compliance of 1e-9 of their own response, so that
//! multipliers that are not unique are. Impacts are Newton's law for all contacts that touch, in one problem (Moreau 1988; Acary & Brogliato, Numerical Methods for
//! Nonsmooth Dynamical Systems, 2008, Ch. 10).
//!
//! While no element changes its state steps are long and extrapolated in their length; where one does they are halved down to a shortest length, at which one step
//! of Euler is taken whatever changes on it (Studer, Leine & Glocker, Int. J. Numer. Meth. Engng 76, 2008). Errors are proportional to the shortest length. Nothing locates an
//! event, decides at an instant, or knows of accumulations: they are passed as the inclusion passes them.

/// A function q.x + v.v + constant + sine sin(phi) + cosine cos(phi).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Linear {
    /// Factors of the coordinates.
    pub q: Vec<f64>,
    /// Factors of the velocities.
    pub v: Vec<f64>,
    /// The constant.
    pub constant: f64,
    /// The factors of sin(phi) and of cos(phi).
    pub wave: [f64; 2],
}

impl Linear {
    /// Zero, of so many coordinates.
    pub fn zero(n: usize) -> Linear {
        Linear { q: vec![0.0; n], v: vec![0.0; n], constant: 0.0, wave: [0.0; 2] }
    }

    /// Its part that depends on time only.
    fn at(&self, phase: f64) -> f64 {
        self.constant + self.wave[0] * phase.sin() + self.wave[1] * phase.cos()
    }

    /// Its value.
    pub fn value(&self, x: &[f64], v: &[f64], phase: f64) -> f64 {
        dot(&self.q, x) + dot(&self.v, v) + self.at(phase)
    }
}

/// How a force depends on its function s.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shape {
    /// sign(s).
    Sign,
    /// A corner, with its slopes below and above zero: abs(s), max(s, 0), min(s, 0).
    Corner(f64, f64),
}

/// A force push * shape(s).
#[derive(Debug, Clone, PartialEq)]
pub struct Law {
    /// s.
    pub of: Linear,
    /// What of s acts.
    pub shape: Shape,
    /// On which coordinate with which factor.
    pub push: Vec<f64>,
}

/// Friction of a contact.
#[derive(Debug, Clone, PartialEq)]
pub struct Rubbing {
    /// Factors of the coordinates in the track.
    pub track: Vec<f64>,
    /// The speed of the surface.
    pub belt: f64,
    /// The coefficient.
    pub mu: f64,
    /// The coefficient of stick.
    pub mu_static: f64,
}

/// A contact.
#[derive(Debug, Clone, PartialEq)]
pub struct Pad {
    /// The gap, a function of the coordinates.
    pub gap: Linear,
    /// Newton's coefficient of restitution.
    pub restitution: f64,
    /// Its friction.
    pub friction: Option<Rubbing>,
}

/// A jump of the state where a function crosses zero.
#[derive(Debug, Clone, PartialEq)]
pub struct Reset {
    /// Zero where the state jumps.
    pub when: Linear,
    /// Rising, falling (-1) or both (0).
    pub direction: i8,
    /// Positive where it jumps, if it is asked.
    pub condition: Option<Linear>,
    /// States (coordinates first) with their new values.
    pub jump: Vec<(usize, Linear)>,
}

/// A mechanical model M dv/dt = h with its start.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Bodies {
    /// The diagonal of M.
    pub mass: Vec<f64>,
    /// The smooth part of h.
    pub force: Vec<Linear>,
    /// Signs and corners in h.
    pub laws: Vec<Law>,
    /// Contacts.
    pub contacts: Vec<Pad>,
    /// Events.
    pub events: Vec<Reset>,
    /// The rate of the phase, which starts at zero.
    pub rate: f64,
    /// Coordinates and velocities at the start.
    pub start: Vec<f64>,
    /// The end of the motion.
    pub until: f64,
}

/// The state of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// The function is negative.
    Minus,
    /// The function is held at zero: a closed contact, a stick, a sign in between.
    Hold,
    /// The function is positive: an open contact.
    Plus,
}
use State::{Hold, Minus, Plus};

/// Why there is no motion to compare with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lost {
    /// No states of the elements obey all laws in a step.
    NoStep,
    /// Too many steps.
    Long,
    /// The motions with different shortest steps differ.
    Diverges,
    /// Several motions begin where a sign pushes away from its surface.
    Several,
}

/// A motion at its end.
#[derive(Debug, Clone)]
pub struct Reached {
    /// Coordinates and velocities.
    pub state: Vec<f64>,
    /// The states of contacts, of their frictions, and of laws.
    pub states: Vec<State>,
    /// The multipliers of contacts, frictions and laws over the last step.
    pub forces: Vec<f64>,
    /// By how much that of longer shortest steps differs, or changes within short steps may count.
    pub spread: f64,
}

/// The shortest steps of the two motions that are compared.
const SHORTEST: [f64; 2] = [1e-5, 2.5e-6];
/// The longest step.
const LONGEST: f64 = 0.04;
/// So many steps of Euler at most for one motion.
const MOST: usize = 60_000;
/// The compliance of elements that hold, relative to their own response.
const COMPLIANCE: f64 = 1e-9;
/// Steps may be wrong by this much, relative to the state.
const STEP_TOLERANCE: f64 = 1e-8;
/// Surfaces this near, relative to the state, are touched, and functions of velocities this small have no sign.
const TOUCHED: f64 = 1e-9;
/// Where a corner changes its slope this near, relative to the state, the force is the same.
const CORNER: f64 = 1e-7;
/// What holds within this part of the length in which a force acts on a step stops there, without being moved to its surface.
const BESIDE: f64 = 1e-2;
/// Motions with different shortest steps may differ by this much, relative to the state.
pub const CONVERGED: f64 = 1e-3;
/// So many combinations of states are looked at.
const ENUMERATED: usize = 10_000;

/// The motion to the end, if its shortest steps do not matter.
///
/// # Errors
/// Why there is none.
pub fn follow(bodies: &Bodies) -> Result<Reached, Lost> {
    let [coarse, mut fine] = [Run::new(bodies, SHORTEST[0]).finish()?, Run::new(bodies, SHORTEST[1]).finish()?];
    let size = fine.state.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
    let apart = coarse.state.iter().zip(&fine.state).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    fine.spread = fine.spread.max(apart);
    if apart <= CONVERGED * size { Ok(fine) } else { Err(Lost::Diverges) }
}

/// A step that is over.
struct Step {
    x: Vec<f64>,
    v: Vec<f64>,
    /// The multipliers of all elements.
    z: Vec<f64>,
}

/// Why a long step is not taken.
enum Refused {
    /// An element changes its state on it.
    Changes,
    /// It is too long for its order.
    Inaccurate,
}

/// One motion.
struct Run<'b> {
    bodies: &'b Bodies,
    shortest: f64,
    time: f64,
    x: Vec<f64>,
    v: Vec<f64>,
    /// Of contacts, then of frictions (one for each contact), then of laws.
    states: Vec<State>,
    z: Vec<f64>,
    /// The sides of events; zero beside a surface that was just left.
    sides: Vec<f64>,
    /// The speeds of their functions where the surfaces were left.
    going: Vec<f64>,
    /// By how much changes within short steps may be wrong.
    doubt: f64,
    steps: usize,
    rows: Vec<f64>,
}

impl<'b> Run<'b> {
    fn new(bodies: &'b Bodies, shortest: f64) -> Run<'b> {
        let (n, elements) = (bodies.mass.len(), 2 * bodies.contacts.len() + bodies.laws.len());
        let (x, v) = bodies.start.split_at(n);
        let mut run = Run {
            bodies,
            shortest,
            time: 0.0,
            x: x.to_vec(),
            v: v.to_vec(),
            states: vec![Plus; elements],
            z: vec![0.0; elements],
            sides: vec![0.0; bodies.events.len()],
            going: vec![0.0; bodies.events.len()],
            doubt: 0.0,
            steps: 0,
            rows: Vec::new(),
        };
        run.states = run.sides_of();
        run.rearm(true);
        run
    }

    /// The states as the values of the functions are.
    fn sides_of(&self) -> Vec<State> {
        let (bodies, phase) = (self.bodies, self.bodies.rate * self.time);
        let touched = TOUCHED * self.size();
        let side = |s: f64| {
            if s.abs() <= touched {
                Hold
            } else if s > 0.0 {
                Plus
            } else {
                Minus
            }
        };
        let gaps = bodies
            .contacts
            .iter()
            .map(|contact| if contact.gap.value(&self.x, &self.v, phase) > touched { Plus } else { Hold });
        let slips = (0..bodies.contacts.len()).map(|k| side(self.slip(k, &self.v)));
        let laws = bodies.laws.iter().map(|law| match (law.shape, side(law.of.value(&self.x, &self.v, phase))) {
            (Shape::Corner(..), Hold) => Plus,
            (_, side) => side,
        });
        gaps.chain(slips).chain(laws).collect()
    }

    fn slip(&self, contact: usize, v: &[f64]) -> f64 {
        let friction = self.bodies.contacts[contact].friction.as_ref();
        friction.map_or(0.0, |friction| dot(&friction.track, v) - friction.belt)
    }

    fn size(&self) -> f64 {
        self.x.iter().chain(&self.v).fold(1.0_f64, |size, x| size.max(x.abs()))
    }

    fn finish(mut self) -> Result<Reached, Lost> {
        let end = self.bodies.until;
        let (mut length, mut change): (f64, Option<f64>) = (0.0, None);
        // Shorter rests are none.
        while end - self.time > 1e-9 * end {
            if self.steps > MOST {
                return Err(Lost::Long);
            }
            let wanted = change.map_or(length, |change| 0.5 * (change - self.time)).min(LONGEST).min(end - self.time);
            if wanted < 2.0 * self.shortest {
                let (before, speeds) = (self.states.clone(), self.v.clone());
                let jumped = self.short(self.shortest.min(end - self.time))?;
                if jumped || self.states != before {
                    // The change comes at any time within the step.
                    let moved = speeds.iter().zip(&self.v).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                    self.doubt += if jumped { self.shortest * self.size() } else { moved };
                    (change, length) = (None, 0.0);
                } else if change.is_none_or(|change| change <= self.time) {
                    (change, length) = (None, 8.0 * self.shortest);
                }
                continue;
            }
            match self.long(wanted) {
                Ok(()) if change.is_none() => length = 4.0 * wanted,
                Ok(()) => {}
                Err(Refused::Changes) => change = Some(self.time + wanted),
                Err(Refused::Inaccurate) => (length, change) = (0.5 * wanted, None),
            }
        }
        let state = self.x.iter().chain(&self.v).copied().collect();
        Ok(Reached { state, states: self.states, forces: self.z, spread: self.doubt })
    }

    /// A long step in which nothing changes, by Euler's steps with 1, 2, 3 and 4 parts extrapolated to none.
    fn long(&mut self, length: f64) -> Result<(), Refused> {
        let phase = |time: f64| self.bodies.rate * time;
        let n = self.x.len();
        let mut table: Vec<Vec<f64>> = Vec::new();
        let mut error = f64::INFINITY;
        for parts in 1..=4 {
            let h = length / parts as f64;
            let (mut x, mut v, mut z) = (self.x.clone(), self.v.clone(), Vec::new());
            for part in 1..=parts {
                let states = self.states.clone();
                let step = self.solved(&states, &x, &v, self.time + part as f64 * h, h).ok_or(Refused::Changes)?;
                if self.violated(&states, &step, self.time + part as f64 * h, h, 0.0).is_some() {
                    return Err(Refused::Changes);
                }
                (x, v, z) = (step.x, step.v, step.z);
            }
            // Neville's scheme in h, in place.
            let mut row: Vec<f64> = x.into_iter().chain(v).chain(z).collect();
            for j in 1..parts {
                let ratio = parts as f64 / (parts - j) as f64;
                let older = std::mem::replace(&mut table[j - 1], row.clone());
                error = row[..2 * n].iter().zip(&older).map(|(a, b)| (a - b).abs() / (ratio - 1.0)).fold(0.0, f64::max);
                row = row.iter().zip(&older).map(|(new, old)| new + (new - old) / (ratio - 1.0)).collect();
            }
            table.push(row);
        }
        let last = table.pop().unwrap_or_default();
        if error > STEP_TOLERANCE * self.size() {
            return Err(Refused::Inaccurate);
        }
        let step = Step { x: last[..n].to_vec(), v: last[n..2 * n].to_vec(), z: last[2 * n..].to_vec() };
        let states = self.states.clone();
        let allowed = STEP_TOLERANCE * self.size();
        if self.violated(&states, &step, self.time + length, length, allowed).is_some() {
            return Err(Refused::Changes);
        }
        let crosses = |k: usize| {
            let value = self.bodies.events[k].when.value(&step.x, &step.v, phase(self.time + length));
            value * self.sides[k] < 0.0
        };
        if (0..self.sides.len()).any(crosses) {
            return Err(Refused::Changes);
        }
        self.time += length;
        (self.x, self.v, self.z) = (step.x, step.v, step.z);
        self.rearm(false);
        Ok(())
    }

    /// A short step, whatever changes on it. Whether the velocities or the state jump.
    fn short(&mut self, h: f64) -> Result<bool, Lost> {
        let mut jumped = false;
        if self.is_torn(h) {
            return Err(Lost::Several);
        }
        for _ in 0..200 {
            let (states, step) = self.solve(h).ok_or(Lost::NoStep)?;
            // Slower contacts close without a jump: within a step they are as fast as that.
            let slow = 20.0 * h * self.size();
            let closes = |k: usize| states[k] == Hold && dot(&self.bodies.contacts[k].gap.q, &self.v) < -slow;
            if (0..self.bodies.contacts.len()).any(closes) {
                self.impact(h)?;
                self.rearm(true);
                jumped = true;
                continue;
            }
            self.time += h;
            (self.x, self.v, self.z, self.states) = (step.x, step.v, step.z, states);
            return Ok(self.reset() || jumped);
        }
        Err(Lost::Long)
    }

    /// The events whose surfaces are crossed.
    fn reset(&mut self) -> bool {
        let phase = self.bodies.rate * self.time;
        let mut happened = false;
        for (k, event) in self.bodies.events.iter().enumerate() {
            let value = event.when.value(&self.x, &self.v, phase);
            if value * self.sides[k] >= 0.0 {
                continue;
            }
            let along = event.direction == 0 || f64::from(event.direction) * value > 0.0;
            let holds = event.condition.as_ref().is_none_or(|c| c.value(&self.x, &self.v, phase) > 0.0);
            self.sides[k] = value.signum();
            if along && holds {
                let n = self.x.len();
                let new: Vec<f64> = event.jump.iter().map(|(_, new)| new.value(&self.x, &self.v, phase)).collect();
                for ((state, _), new) in event.jump.iter().zip(new) {
                    if *state < n { self.x[*state] = new } else { self.v[*state - n] = new }
                }
                self.sides[k] = 0.0;
                happened = true;
            }
        }
        if happened {
            self.states = self.sides_of();
        }
        self.rearm(happened);
        happened
    }

    /// Beside a surface that was just left its event does not happen again, until the state is on the side to which it goes.
    fn rearm(&mut self, all: bool) {
        let phase = self.bodies.rate * self.time;
        let beside = 20.0 * self.shortest * self.size();
        for (k, event) in self.bodies.events.iter().enumerate() {
            let value = event.when.value(&self.x, &self.v, phase);
            if all {
                (self.sides[k], self.going[k]) = (0.0, dot(&event.when.q, &self.v));
            }
            let is_left = value.abs() > beside || value * self.going[k] > 0.0;
            if self.sides[k] == 0.0 && is_left {
                self.sides[k] = value.signum();
            }
        }
    }

    /// Newton's law for all contacts that touch: u' >= -e min(u, 0), impulse >= 0, and Coulomb's law for the impulses.
    fn impact(&mut self, h: f64) -> Result<(), Lost> {
        let (bodies, n, phase) = (self.bodies, self.x.len(), self.bodies.rate * self.time);
        let speed = |contact: &Pad, v: &[f64]| dot(&contact.gap.q, v);
        let touching: Vec<usize> = (0..bodies.contacts.len())
            .filter(|&k| {
                // It arrives within some steps.
                let near = 4.0 * h * speed(&bodies.contacts[k], &self.v).abs() + 20.0 * h * h * self.size();
                bodies.contacts[k].gap.value(&self.x, &self.v, phase) < near.max(COMPLIANCE * self.size())
            })
            .collect();
        let choices = touching.iter().map(|&k| if bodies.contacts[k].friction.is_some() { 4 } else { 2 });
        let all: usize = choices.product();
        let mut best: Option<(f64, Vec<f64>, Vec<usize>)> = None;
        for number in 0..all {
            let mut rest = number;
            // For each contact none, stick (or plain), slip forwards and backwards.
            let chosen: Vec<(usize, usize)> = touching
                .iter()
                .map(|&k| {
                    let m = if bodies.contacts[k].friction.is_some() { 4 } else { 2 };
                    let own = rest % m;
                    rest /= m;
                    (k, own)
                })
                .collect();
            let Some((after, violation)) = impulses(bodies, &self.v, &chosen) else { continue };
            let closed: Vec<usize> = chosen.iter().filter(|(_, own)| *own > 0).map(|(k, _)| *k).collect();
            if violation < 1e-9 * self.size() && best.as_ref().is_none_or(|best| energy(bodies, &after) < best.0 - 1e-9)
            {
                best = Some((energy(bodies, &after), after, closed));
            }
        }
        let (_, after, closed) = best.ok_or(Lost::NoStep)?;
        // What closes touches: the rest of its gap is taken away at once, as it is within one step.
        let rows: Vec<(Vec<f64>, f64)> = closed
            .iter()
            .map(|&k| (bodies.contacts[k].gap.q.clone(), -bodies.contacts[k].gap.value(&self.x, &self.v, phase)))
            .collect();
        let m = rows.len();
        let mut system = vec![0.0; m * (m + 1)];
        for (i, (row, off)) in rows.iter().enumerate() {
            for (j, (other, _)) in rows.iter().enumerate() {
                system[i * (m + 1) + j] = (0..n).map(|l| row[l] * other[l] / bodies.mass[l]).sum();
            }
            system[i * (m + 1) + i] *= 1.0 + COMPLIANCE;
            system[i * (m + 1) + m] = *off;
        }
        if let Some(shares) = eliminate(&mut system, m) {
            for ((row, _), share) in rows.iter().zip(shares) {
                (0..n).for_each(|l| self.x[l] += row[l] * share / bodies.mass[l]);
            }
        }
        self.v = after;
        for k in 0..bodies.contacts.len() {
            if closed.contains(&k) {
                self.states[k] = if speed(&bodies.contacts[k], &self.v) > 1e-9 * self.size() { Plus } else { Hold };
            }
        }
        let states = self.sides_of();
        self.states[bodies.contacts.len()..].copy_from_slice(&states[bodies.contacts.len()..]);
        Ok(())
    }

    /// The states of all elements at the end of a step, and the step.
    fn solve(&mut self, h: f64) -> Option<(Vec<State>, Step)> {
        let start = self.states.clone();
        let mut found = match self.changed(start, h) {
            Some(found) => found,
            None => self.all(h)?.pop()?,
        };
        // Static friction goes on to hold where it can: slip is a solution there, too.
        let contacts = self.bodies.contacts.len();
        for k in contacts..2 * contacts {
            let friction = self.bodies.contacts[k - contacts].friction.as_ref();
            let held = self.states[k] == Hold && found.0[k] != Hold && found.0[k - contacts] == Hold;
            if held && friction.is_some_and(|friction| friction.mu_static > friction.mu) {
                let mut states = found.0.clone();
                states[k] = Hold;
                found = self.changed(states, h).filter(|(states, _)| states[k] == Hold).unwrap_or(found);
            }
        }
        Some(found)
    }

    /// The step to which changes of violated elements lead from these states.
    fn changed(&mut self, mut states: Vec<State>, h: f64) -> Option<(Vec<State>, Step)> {
        let (x, v, time) = (self.x.clone(), self.v.clone(), self.time + h);
        let contacts = self.bodies.contacts.len();
        for round in 0..60 {
            let step = self.solved(&states, &x, &v, time, h)?;
            let Some(changed) = self.violated(&states, &step, time, h, 0.0) else { return Some((states, step)) };
            // All at once first; then the first only, which finds the solution where all principal minors are positive (Murty 1974).
            let number = if round < 8 { changed.len() } else { 1 };
            for &(element, state) in changed.iter().take(number) {
                states[element] = state;
                if element < contacts && state == Hold {
                    states[contacts + element] = self.sides_of()[contacts + element];
                }
            }
        }
        None
    }

    /// The steps that obey all laws, of all combinations of states; the last one changes the fewest elements. `None` if there are too many combinations.
    fn all(&mut self, h: f64) -> Option<Vec<(Vec<State>, Step)>> {
        let (x, v, time) = (self.x.clone(), self.v.clone(), self.time + h);
        let (bodies, contacts) = (self.bodies, self.bodies.contacts.len());
        let own = |k: usize| -> Vec<State> {
            let law = k.checked_sub(2 * contacts).map(|k| bodies.laws[k].shape);
            match law {
                None if k < contacts => vec![Hold, Plus],
                None if bodies.contacts[k - contacts].friction.is_none() => vec![self.states[k]],
                None | Some(Shape::Sign) => vec![Minus, Hold, Plus],
                Some(Shape::Corner(..)) => vec![Minus, Plus],
            }
        };
        let lists: Vec<Vec<State>> = (0..self.states.len()).map(own).collect();
        let all = lists.iter().map(Vec::len).product();
        if all > ENUMERATED {
            return None;
        }
        let mut candidates: Vec<Vec<State>> = (0..all)
            .map(|number| {
                let mut rest = number;
                let pick = |list: &Vec<State>| {
                    let own = list[rest % list.len()];
                    rest /= list.len();
                    own
                };
                lists.iter().map(pick).collect()
            })
            .collect();
        let changes = |states: &[State]| states.iter().zip(&self.states).filter(|(a, b)| a != b).count();
        candidates.sort_by_key(|states| std::cmp::Reverse(changes(states)));
        let mut found = Vec::new();
        for states in candidates {
            let Some(step) = self.solved(&states, &x, &v, time, h) else { continue };
            if self.violated(&states, &step, time, h, 0.0).is_none() {
                found.push((states, step));
            }
        }
        Some(found)
    }

    /// Whether several motions begin: only signs that push away from their surfaces can be the reason.
    fn is_torn(&mut self, h: f64) -> bool {
        let repels = |law: &Law| {
            let own = |of: &[f64]| (0..of.len()).map(|i| of[i] * law.push[i] / self.bodies.mass[i]).sum::<f64>();
            law.shape == Shape::Sign && (own(&law.of.q) > 0.0 || own(&law.of.v) > 0.0)
        };
        if !self.bodies.laws.iter().any(repels) {
            return false;
        }
        let found = self.all(h).unwrap_or_default();
        let apart = |a: &[f64], b: &[f64]| a.iter().zip(b).any(|(a, b)| (a - b).abs() > 1e-3 * h);
        found.iter().any(|(_, step)| apart(&step.v, &found[0].1.v))
    }

    /// The step in which elements have these states: linear equations for the velocities at its end and for the multipliers of what holds.
    fn solved(&mut self, states: &[State], x: &[f64], v: &[f64], time: f64, h: f64) -> Option<Step> {
        self.steps += 1;
        let bodies = self.bodies;
        let (n, contacts, phase) = (x.len(), bodies.contacts.len(), bodies.rate * time);
        let held: Vec<usize> = (0..states.len()).filter(|&k| states[k] == Hold && self.acts(states, k)).collect();
        let width = n + held.len() + 1;
        let mut rows = std::mem::take(&mut self.rows);
        rows.clear();
        rows.resize((n + held.len()) * width, 0.0);
        let column = |element: usize| held.iter().position(|&k| k == element).map(|place| n + place);
        let smooth = |rows: &mut [f64], i: usize, of: &Linear, factor: f64| {
            for j in 0..n {
                rows[i * width + j] -= factor * h * (of.v[j] + h * of.q[j]);
            }
            rows[i * width + width - 1] += factor * h * (dot(&of.q, x) + of.at(phase));
        };
        for i in 0..n {
            rows[i * width + i] += bodies.mass[i];
            rows[i * width + width - 1] += bodies.mass[i] * v[i];
            smooth(&mut rows, i, &bodies.force[i], 1.0);
        }
        for (k, law) in bodies.laws.iter().enumerate() {
            let element = 2 * contacts + k;
            for i in (0..n).filter(|&i| law.push[i] != 0.0) {
                match (law.shape, states[element]) {
                    (Shape::Corner(below, above), state) => {
                        let slope = if state == Minus { below } else { above };
                        smooth(&mut rows, i, &law.of, law.push[i] * slope);
                    }
                    (Shape::Sign, Plus) => rows[i * width + width - 1] += h * law.push[i],
                    (Shape::Sign, Minus) => rows[i * width + width - 1] -= h * law.push[i],
                    (Shape::Sign, Hold) => rows[i * width + column(element)?] -= h * law.push[i],
                }
            }
        }
        for (k, contact) in bodies.contacts.iter().enumerate().filter(|(k, _)| states[*k] == Hold) {
            let normal = column(k)?;
            (0..n).for_each(|i| rows[i * width + normal] -= h * contact.gap.q[i]);
            let Some(friction) = &contact.friction else { continue };
            let along = |i: usize| h * friction.track[i];
            match states[contacts + k] {
                Hold => {
                    let tangential = column(contacts + k)?;
                    (0..n).for_each(|i| rows[i * width + tangential] -= along(i));
                }
                side => {
                    let sign = if side == Plus { -1.0 } else { 1.0 };
                    (0..n).for_each(|i| rows[i * width + normal] -= sign * friction.mu * along(i));
                }
            }
        }
        for (place, &element) in held.iter().enumerate() {
            let row = n + place;
            let (of, push) = self.element(element);
            let mut own = 0.0;
            for j in 0..n {
                let factor = of.v[j] + h * of.q[j];
                rows[row * width + j] = factor;
                own += (factor * h * push[j] / bodies.mass[j]).abs();
            }
            // A force that grows with its function (contacts and friction) opposes it by the same sign, that of a sign does where its function falls.
            let sign = if element < 2 * contacts { 1.0 } else { -1.0 };
            rows[row * width + n + place] = sign * COMPLIANCE * own;
            let value = dot(&of.q, x) + of.at(phase);
            let stays =
                of.v.iter().all(|factor| *factor == 0.0) && value.abs() <= (BESIDE * h * h).min(TOUCHED) * self.size();
            rows[row * width + width - 1] = if stays { 0.0 } else { -value };
        }
        let solution = eliminate(&mut rows, n + held.len());
        self.rows = rows;
        let solution = solution?;
        let v = solution[..n].to_vec();
        let x = x.iter().zip(&v).map(|(x, v)| x + h * v).collect();
        let mut z = vec![0.0; states.len()];
        for (place, &element) in held.iter().enumerate() {
            z[element] = solution[n + place];
        }
        for (k, contact) in bodies.contacts.iter().enumerate() {
            let friction = contact.friction.as_ref().filter(|_| states[k] == Hold);
            if let (Some(friction), Plus | Minus) = (friction, states[contacts + k]) {
                z[contacts + k] = if states[contacts + k] == Plus { -1.0 } else { 1.0 } * friction.mu * z[k];
            }
        }
        for k in 2 * contacts..states.len() {
            match states[k] {
                Plus => z[k] = 1.0,
                Minus => z[k] = -1.0,
                Hold => {}
            }
        }
        Some(Step { x, v, z })
    }

    /// Whether an element acts at all: friction does while its contact is closed.
    fn acts(&self, states: &[State], element: usize) -> bool {
        let contacts = self.bodies.contacts.len();
        match element.checked_sub(contacts) {
            Some(k) if k < contacts => states[k] == Hold && self.bodies.contacts[k].friction.is_some(),
            _ => true,
        }
    }

    /// The function of an element, and the direction of its force.
    fn element(&self, element: usize) -> (Linear, Vec<f64>) {
        let (bodies, contacts) = (self.bodies, self.bodies.contacts.len());
        match element.checked_sub(2 * contacts) {
            Some(k) => (bodies.laws[k].of.clone(), bodies.laws[k].push.clone()),
            None if element < contacts => {
                let gap = &bodies.contacts[element].gap;
                (gap.clone(), gap.q.clone())
            }
            None => {
                let friction = bodies.contacts[element - contacts].friction.as_ref();
                let track = friction.map_or_else(|| vec![0.0; bodies.mass.len()], |friction| friction.track.clone());
                let mut of = Linear::zero(track.len());
                of.v.clone_from(&track);
                of.constant = -friction.map_or(0.0, |friction| friction.belt);
                (of, track)
            }
        }
    }

    /// The elements whose laws a step violates by more than rounding, with the states that they would have; `None` if there is none.
    fn violated(&self, states: &[State], step: &Step, time: f64, h: f64, more: f64) -> Option<Vec<(usize, State)>> {
        let (bodies, contacts, phase) = (self.bodies, self.bodies.contacts.len(), self.bodies.rate * time);
        let size = self.size();
        let mut list = Vec::new();
        for element in 0..states.len() {
            if !self.acts(states, element)
                || (element >= contacts && element < 2 * contacts && states[element - contacts] != Hold)
            {
                continue;
            }
            let (of, push) = self.element(element);
            // What a multiplier of one does to the function.
            let own: f64 =
                (0..push.len()).map(|j| ((of.v[j] + h * of.q[j]) * h * push[j] / bodies.mass[j]).abs()).sum();
            // Among elements that hold together compliance decides which of them is at the end of its interval; whichever is stays there.
            let moves = of.v.iter().any(|factor| *factor != 0.0);
            let corner =
                element.checked_sub(2 * contacts).is_some_and(|k| matches!(bodies.laws[k].shape, Shape::Corner(..)));
            let rounding = match (corner, moves) {
                (true, _) => CORNER,
                (_, true) => TOUCHED,
                (_, false) => TOUCHED.min(BESIDE * h * h),
            };
            let small = rounding * size + 100.0 * COMPLIANCE * own + more;
            match states[element] {
                Hold => {
                    // What rounding of the function does to the multiplier.
                    let small = COMPLIANCE * size + 16.0 * f64::EPSILON * size / (own / h).min(h);
                    let z = step.z[element];
                    if element < contacts {
                        if z < -small {
                            list.push((element, Plus));
                        }
                        continue;
                    }
                    let (bound, rising) = match element.checked_sub(2 * contacts) {
                        Some(_) => (1.0, Plus),
                        None => {
                            let friction = bodies.contacts[element - contacts].friction.as_ref();
                            (friction.map_or(0.0, |f| f.mu_static) * step.z[element - contacts].max(0.0), Minus)
                        }
                    };
                    if z > bound + small {
                        list.push((element, rising));
                    } else if z < -bound - small {
                        list.push((element, if rising == Plus { Minus } else { Plus }));
                    }
                }
                side => {
                    let value = of.value(&step.x, &step.v, phase) * if side == Plus { 1.0 } else { -1.0 };
                    if value < -small {
                        let other = if side == Plus { Minus } else { Plus };
                        list.push((element, if corner { other } else { Hold }));
                    }
                }
            }
        }
        (!list.is_empty()).then_some(list)
    }
}

/// The velocities after impulses at contacts in these cases (none, stick, slip forwards, backwards), and by how much they violate the laws.
fn impulses(bodies: &Bodies, v: &[f64], chosen: &[(usize, usize)]) -> Option<(Vec<f64>, f64)> {
    let n = v.len();
    // Rows and directions of the unknown impulses.
    let mut unknowns: Vec<(Vec<f64>, f64, Vec<f64>)> = Vec::new();
    for &(k, own) in chosen.iter().filter(|(_, own)| *own > 0) {
        let contact = &bodies.contacts[k];
        let mut direction = contact.gap.q.clone();
        if let (Some(friction), 2..) = (&contact.friction, own) {
            let sign = if own == 2 { -1.0 } else { 1.0 };
            (0..n).for_each(|i| direction[i] += sign * friction.mu * friction.track[i]);
        }
        let target = contact.restitution * (-dot(&contact.gap.q, v)).max(0.0);
        unknowns.push((contact.gap.q.clone(), target, direction));
        if let (Some(friction), 1) = (&contact.friction, own) {
            unknowns.push((friction.track.clone(), friction.belt, friction.track.clone()));
        }
    }
    let m = unknowns.len();
    let mut system = vec![0.0; m * (m + 1)];
    for (i, (row, target, _)) in unknowns.iter().enumerate() {
        for (j, (_, _, direction)) in unknowns.iter().enumerate() {
            system[i * (m + 1) + j] = (0..n).map(|l| row[l] * direction[l] / bodies.mass[l]).sum();
        }
        system[i * (m + 1) + i] *= 1.0 + COMPLIANCE;
        system[i * (m + 1) + m] = target - dot(row, v);
    }
    let z = eliminate(&mut system, m)?;
    let mut after = v.to_vec();
    for ((_, _, direction), z) in unknowns.iter().zip(&z) {
        (0..n).for_each(|l| after[l] += direction[l] * z / bodies.mass[l]);
    }
    let mut violation = 0.0_f64;
    let mut place = 0;
    for &(k, own) in chosen {
        let contact = &bodies.contacts[k];
        // A body between two walls may have no speed that both allow.
        let missing = contact.restitution * (-dot(&contact.gap.q, v)).max(0.0) - dot(&contact.gap.q, &after);
        violation = violation.max(if own == 0 { missing } else { 1e-2 * missing.abs() });
        if own == 0 {
            continue;
        }
        violation = violation.max(-z[place]);
        if let Some(friction) = &contact.friction {
            let slip = dot(&friction.track, &after) - friction.belt;
            match own {
                1 => violation = violation.max(z[place + 1].abs() - friction.mu * z[place]),
                2 => violation = violation.max(-slip),
                _ => violation = violation.max(slip),
            }
            place += usize::from(own == 1);
        }
        place += 1;
    }
    Some((after, violation))
}

fn energy(bodies: &Bodies, v: &[f64]) -> f64 {
    v.iter().zip(&bodies.mass).map(|(v, m)| 0.5 * m * v * v).sum()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The solution of linear equations, rows with their right-hand sides last, by elimination with pivots of scaled rows.
fn eliminate(rows: &mut [f64], m: usize) -> Option<Vec<f64>> {
    let width = m + 1;
    for i in 0..m {
        let largest = rows[i * width..i * width + m].iter().fold(0.0_f64, |a, x| a.max(x.abs()));
        if largest == 0.0 {
            return None;
        }
        rows[i * width..(i + 1) * width].iter_mut().for_each(|x| *x /= largest);
    }
    for k in 0..m {
        let pivot = (k..m).max_by(|&i, &j| rows[i * width + k].abs().total_cmp(&rows[j * width + k].abs()))?;
        if rows[pivot * width + k] == 0.0 {
            return None;
        }
        for j in k..width {
            rows.swap(k * width + j, pivot * width + j);
        }
        for i in k + 1..m {
            let factor = rows[i * width + k] / rows[k * width + k];
            if factor != 0.0 {
                for j in k..width {
                    rows[i * width + j] -= factor * rows[k * width + j];
                }
            }
        }
    }
    let mut solution = vec![0.0; m];
    for k in (0..m).rev() {
        let known: f64 = (k + 1..m).map(|j| rows[k * width + j] * solution[j]).sum();
        solution[k] = (rows[k * width + m] - known) / rows[k * width + k];
    }
    solution.iter().all(|x| x.is_finite()).then_some(solution)
}
