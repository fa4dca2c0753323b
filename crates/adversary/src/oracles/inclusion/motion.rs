//! A motion by steps as long as nothing changes on them.

use super::bodies::State::{Hold, Plus};
use super::bodies::{Bodies, Linear, Lost, State, dot};
use super::problem::{Run, Step};

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
/// The same where more depends on it: what follows sooner than a step is one instant to both of them.
const CLOSER: [f64; 2] = [2.5e-6, 2.5e-7];
/// The longest step.
const LONGEST: f64 = 0.04;
/// So many steps of Euler at most for one motion.
const MOST: usize = 60_000;
/// Steps may be wrong by this much, relative to the state.
const STEP_TOLERANCE: f64 = 1e-8;
/// Motions with different shortest steps may differ by this much, relative to the state.
pub const CONVERGED: f64 = 1e-3;

/// The motion to the end, if its shortest steps do not matter.
///
/// # Errors
/// Why there is none.
pub fn follow(bodies: &Bodies) -> Result<Reached, Lost> {
    follow_by(bodies, SHORTEST)
}

/// The same by shorter steps, which take ten times as long.
///
/// # Errors
/// Why there is none.
pub fn follow_closely(bodies: &Bodies) -> Result<Reached, Lost> {
    follow_by(bodies, CLOSER)
}

fn follow_by(bodies: &Bodies, [long, short]: [f64; 2]) -> Result<Reached, Lost> {
    let [coarse, mut fine] = [Run::new(bodies, long).finish()?, Run::new(bodies, short).finish()?];
    let size = fine.state.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
    let apart = coarse.state.iter().zip(&fine.state).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    fine.spread = fine.spread.max(apart);
    if apart <= CONVERGED * size { Ok(fine) } else { Err(Lost::Diverges) }
}

/// Why a long step is not taken.
enum Refused {
    /// An element changes its state on it.
    Changes,
    /// It is too long for its order.
    Inaccurate,
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

    fn finish(mut self) -> Result<Reached, Lost> {
        let end = self.bodies.until;
        let (mut length, mut change): (f64, Option<f64>) = (0.0, None);
        // Shorter rests are none.
        while end - self.time > 1e-9 * end {
            // Shorter steps are as many more.
            if self.steps as f64 * self.shortest.min(SHORTEST[1]) > MOST as f64 * SHORTEST[1] {
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
        if (0..self.sides.len()).any(crosses) || self.dips(&step, length) {
            return Err(Refused::Changes);
        }
        self.time += length;
        (self.x, self.v, self.z) = (step.x, step.v, step.z);
        self.rearm(false);
        Ok(())
    }

    /// Whether the function of a place of an element or event, which is on one side at both ends of a step, is beyond zero in between: by the cubic through its values and rates there.
    fn dips(&self, step: &Step, length: f64) -> bool {
        let bodies = self.bodies;
        let (rate, end) = (bodies.rate, self.time + length);
        let sides = |of: &Linear| {
            let at = |x: &[f64], v: &[f64], time: f64| {
                let (sin, cos) = (rate * time).sin_cos();
                (of.value(x, v, rate * time), dot(&of.q, v) + rate * (of.wave[0] * cos - of.wave[1] * sin))
            };
            (at(&self.x, &self.v, self.time), at(&step.x, &step.v, end))
        };
        let turns_beyond = |of: &Linear| {
            let ((a, rise), (b, last)) = sides(of);
            let side = b.signum();
            let (rise, last) = (side * rise * length, side * last * length);
            let (a, b) = (side * a, side * b);
            if of.v.iter().any(|factor| *factor != 0.0) || rise >= 0.0 || last <= 0.0 || a < 0.0 {
                return false;
            }
            let slope = |s: f64| {
                6.0 * s * (1.0 - s) * (b - a) + (1.0 - s) * (1.0 - 3.0 * s) * rise + s * (3.0 * s - 2.0) * last
            };
            let (mut low, mut high) = (0.0, 1.0);
            for _ in 0..40 {
                let middle = 0.5 * (low + high);
                if slope(middle) < 0.0 { low = middle } else { high = middle }
            }
            let (s, t) = (low, 1.0 - low);
            let least = t * t * (1.0 + 2.0 * s) * a + s * t * t * rise + s * s * (3.0 - 2.0 * s) * b - s * s * t * last;
            least < -STEP_TOLERANCE * self.size()
        };
        let apart = |element: &State| *element != Hold;
        let contacts =
            bodies.contacts.iter().zip(&self.states).filter(|(_, state)| apart(state)).map(|(contact, _)| &contact.gap);
        let own = self.states[2 * bodies.contacts.len()..].iter();
        let laws = bodies.laws.iter().zip(own).filter(|(_, state)| apart(state)).map(|(law, _)| &law.of);
        contacts.chain(laws).chain(bodies.events.iter().map(|event| &event.when)).any(turns_beyond)
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

    /// Beside a surface that was just left its event does not happen again, until the state is on the side to which
    /// it goes.
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
}
