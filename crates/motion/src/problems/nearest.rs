//! The state on the surfaces of closed contacts that is nearest to a given one, some of its numbers being held, by Newton's method.

use super::contacts::Contacts;
use crate::instant::knowledge::{EVALUATED, ROUNDING};
use crate::mode::ClosedSet;

/// Newton's method on the gaps gives up after so many steps.
const MOST_STEPS: usize = 60;

impl Contacts<'_> {
    /// Moves a state onto g_N = g_N' = 0 of closed contacts by the smallest change of its other numbers, `held` states keeping theirs.
    /// Coordinates move first, then velocities. `false` if that is impossible.
    pub fn project_onto(&mut self, closed: ClosedSet, held: &[usize], state: &mut [f64]) -> bool {
        let system = self.system;
        let Some(body) = system.model().body.mechanics() else { return false };
        let mut rows: Vec<Vec<f64>> = Vec::new();
        let mut wanted: Vec<f64> = Vec::new();
        let mut last = f64::INFINITY;
        for _ in 0..MOST_STEPS {
            let (mut left, mut are_closed) = (0.0_f64, true);
            rows.clear();
            wanted.clear();
            for contact in closed.iter() {
                self.group.look(system, contact, state);
                let touch = &self.group.touches[contact];
                let gradient = touch.normal().iter().zip(&body.coordinates);
                let size = gradient.clone().map(|(g, &q)| (g * state[q]).abs()).fold(f64::MIN_POSITIVE, f64::max);
                are_closed &= touch.gap().abs() <= ROUNDING * size;
                left = left.max(touch.gap().abs() / size);
                rows.push(gradient.map(|(&g, q)| if held.contains(q) { 0.0 } else { g }).collect());
                wanted.push(-touch.gap());
            }
            // Not a number is no progress either.
            if left <= 0.1 * EVALUATED || are_closed && left >= last {
                break;
            }
            if left.is_nan() || !step(&mut rows, &mut wanted, &body.coordinates, state) && !are_closed {
                return false;
            }
            last = left;
        }
        for _ in 0..2 {
            rows.clear();
            wanted.clear();
            for contact in closed.iter() {
                self.group.look(system, contact, state);
                let touch = &self.group.touches[contact];
                let row = touch.normal().iter().zip(&body.velocities);
                rows.push(row.map(|(&w, v)| if held.contains(v) { 0.0 } else { w }).collect());
                wanted.push(-touch.speed());
            }
            step(&mut rows, &mut wanted, &body.velocities, state);
        }
        closed.iter().all(|contact| {
            self.group.look(system, contact, state);
            let touch = &self.group.touches[contact];
            let size = touch.normal().iter().zip(&body.coordinates).map(|(g, &q)| (g * state[q]).abs());
            let pace = touch.normal().iter().zip(&body.velocities).map(|(w, &v)| (w * state[v]).abs());
            touch.gap().abs() <= ROUNDING * size.fold(0.0, f64::max)
                && touch.speed().abs() <= ROUNDING * pace.fold(0.0, f64::max)
        })
    }
}

/// The smallest change of some states that changes the values of rows as wanted; `false` if a row cannot be changed.
fn step(rows: &mut [Vec<f64>], wanted: &mut [f64], places: &[usize], state: &mut [f64]) -> bool {
    let mut all = true;
    // Gram-Schmidt, row by row: each step along what a row has of its own.
    for i in 0..rows.len() {
        let (before, rest) = rows.split_at_mut(i);
        let row = &mut rest[0];
        let whole: f64 = row.iter().map(|x| x * x).sum();
        for (k, other) in before.iter().enumerate() {
            // Rows before are of unit length, or zero, and so are what is wanted of them.
            let share: f64 = row.iter().zip(other).map(|(x, o)| x * o).sum();
            row.iter_mut().zip(other).for_each(|(x, o)| *x -= share * o);
            wanted[i] -= share * wanted[k];
        }
        let left: f64 = row.iter().map(|x| x * x).sum();
        if left.is_nan() || left <= ROUNDING * whole {
            all &= wanted[i] == 0.0;
            row.fill(0.0);
            wanted[i] = 0.0;
            continue;
        }
        let length = left.sqrt();
        row.iter_mut().for_each(|x| *x /= length);
        wanted[i] /= length;
        for (&place, x) in places.iter().zip(row.iter()) {
            state[place] += wanted[i] * x;
        }
    }
    all
}
