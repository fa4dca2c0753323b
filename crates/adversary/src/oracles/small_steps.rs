//! A second integrator for one or two frictionless contacts: small steps by extrapolation, events by bisection, impact by impact.
//!
//! Smooth motion takes Gragg's midpoint steps with the extrapolation of Bulirsch and Stoer (Hairer, Norsett & Wanner, Solving
//! Ordinary Differential Equations I, Sect. II.9). A gap below zero at the end of a step, or where it is lowest on it, is bisected
//! to its zero, and velocities jump by Newton's law. Impacts slower than 1e-9 of the motion end in persistent contact while the surface pulls; the motion
//! is followed until then, or until several contacts close simultaneously.

use saltation_expr::{Jet, Tape};

use crate::dice::Dice;
use crate::digits::{Against, Apart};
use crate::subject::{Subject, Trial};
use crate::surface::{Surfaces, dot, exceeds};

/// Steps on the whole motion.
const STEPS: usize = 2000;
/// Differences this small, relative to the motion, are no disagreement.
const DIFFERENCE_TOLERANCE: f64 = 1e-8;

/// Where the motion differs from that in small steps, up to the first slow impact.
pub fn check(subject: &Subject, _: &mut Dice) -> Option<Against> {
    let trial = &subject.base;
    let n = subject.body.degrees();
    let mut field = Field::new(trial);
    let mut surfaces = Surfaces::new(trial)?;
    let mut state = trial.values.start().to_vec();
    let step = subject.body.until / STEPS as f64;
    let mut time = 0.0;
    let size = subject.sizes()[0];
    let mut spread = 0.0_f64;
    let start = surfaces.at(&state);
    if start.contacts.iter().any(|touch| touch.gap < 1e-3) {
        return None;
    }
    for _ in 0..10 * STEPS {
        let length = step.min(subject.body.until - time);
        if length <= 0.0 || !subject.watch.allows() {
            break;
        }
        let ahead = field.step(&state, length);
        let (begin, place) = (surfaces.at(&state), surfaces.at(&ahead));
        let mut inside: Vec<(usize, f64)> = Vec::new();
        for (k, (first, last)) in begin.contacts.iter().zip(&place.contacts).enumerate() {
            if last.gap < 0.0 {
                inside.push((k, length));
            } else if first.speed < 0.0 && last.speed > 0.0 {
                // Where the gap is lowest.
                let lowest = bisect(length, |part| surfaces.at(&field.step(&state, part)).contacts[k].speed > 0.0);
                if surfaces.at(&field.step(&state, lowest)).contacts[k].gap < 0.0 {
                    inside.push((k, lowest));
                }
            }
        }
        let Some(&(contact, deepest)) = inside.first() else {
            (time, state) = (time + length, ahead);
            let (Some(here), Some(near)) = (trial.at(time), subject.nearby.at(time)) else { continue };
            let distance = |a: &[f64], b: &[f64]| (0..n).map(|i| (a[i] - b[i]).abs()).fold(0.0, f64::max);
            spread = spread.max(distance(&here, &near));
            if spread > 1e-3 * size {
                return None;
            }
            let off = distance(&here, &state);
            if exceeds(off, DIFFERENCE_TOLERANCE * size + spread) {
                let what = format!("small steps differ by {off:.3e} at {time} (nearby {spread:.1e})");
                return Some(Against { what, apart: Some(Apart::By { time, part: 0, off }) });
            }
            continue;
        };
        if inside.len() > 1 {
            return None;
        }
        let low = bisect(deepest, |part| surfaces.at(&field.step(&state, part)).contacts[contact].gap < 0.0);
        state = field.step(&state, low);
        time += low;
        let place = surfaces.at(&state);
        let touch = &place.contacts[contact];
        let fastest = state[n..2 * n].iter().fold(1e-3_f64, |m, x| m.max(x.abs()));
        let after = -touch.restitution * touch.speed;
        // Chattering, persistent contact and grazes are left to the other oracles.
        if after < 1e-2 * fastest {
            return None;
        }
        let response = crate::oracles::inconsistent::solve(place.mass.clone(), touch.normal.clone())?;
        let impulse = -(1.0 + touch.restitution) * touch.speed / dot(&touch.normal, &response);
        (0..n).for_each(|i| state[n + i] += impulse * response[i]);
        // Away from the surface, so that rounding errors are no impact.
        let away = 1e-3 * step;
        state = field.step(&state, away);
        time += away;
    }
    None
}

/// The last length before something holds, of those up to one at which it does.
fn bisect(length: f64, mut holds: impl FnMut(f64) -> bool) -> f64 {
    let (mut low, mut high) = (0.0, length);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if holds(middle) { high = middle } else { low = middle }
    }
    low
}

/// The rates of free flight.
struct Field {
    tape: Tape,
    slots: Vec<f64>,
    jet: Jet<f64>,
}

impl Field {
    fn new(trial: &Trial) -> Field {
        let model = trial.system.model();
        let tape = Tape::new(&model.graph, &model.state_symbols(), &model.parameter_symbols(), &[], &model.rates());
        Field { slots: tape.bind(trial.values.parameters()), jet: Jet::new(&tape), tape }
    }

    fn rates(&mut self, state: &[f64]) -> Vec<f64> {
        let mut rates = vec![0.0; state.len()];
        self.tape.evaluate(&self.slots, state, &mut self.jet, &mut rates);
        rates
    }

    /// The state after a step, by midpoint rules with 2, 4, ..., 12 parts extrapolated to none.
    fn step(&mut self, state: &[f64], length: f64) -> Vec<f64> {
        let mut table: Vec<Vec<f64>> = Vec::new();
        for k in 1..=6 {
            let parts = 2 * k;
            let h = length / parts as f64;
            let moved =
                |x: &[f64], rate: &[f64], h: f64| -> Vec<f64> { x.iter().zip(rate).map(|(x, r)| x + h * r).collect() };
            let (mut before, mut here) = (state.to_vec(), moved(state, &self.rates(state), h));
            for _ in 1..parts {
                let next = moved(&before, &self.rates(&here), 2.0 * h);
                before = std::mem::replace(&mut here, next);
            }
            // Neville's scheme in h^2, in place.
            let mut row = here;
            for j in 1..k {
                let ratio = (parts as f64 / (2 * (k - j)) as f64).powi(2);
                let older = std::mem::replace(&mut table[j - 1], row.clone());
                row = row.iter().zip(&older).map(|(new, old)| new + (new - old) / (ratio - 1.0)).collect();
            }
            table.push(row);
        }
        table.pop().unwrap_or_else(|| state.to_vec())
    }
}
