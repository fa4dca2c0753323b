//! Impacts of all contacts that touch, in one problem, by enumeration.

use super::bodies::State::{Hold, Plus};
use super::bodies::{Bodies, Lost, Pad, dot};
use super::problem::{COMPLIANCE, Run, eliminate};

impl Run<'_> {
    /// Newton's law for all contacts that touch: u' >= -e min(u, 0), impulse >= 0, and Coulomb's law for the impulses.
    pub(super) fn impact(&mut self, h: f64) -> Result<(), Lost> {
        let (bodies, n, phase) = (self.bodies, self.x.len(), self.bodies.rate * self.time);
        let speed = |contact: &Pad, v: &[f64]| dot(&contact.gap.q, v);
        // Positions are known to what the fastest body moves within some steps; compliance leaves gaps after impacts.
        let fastest = self.v.iter().fold(0.0_f64, |fastest, v| fastest.max(v.abs()));
        let near = (4.0 * h * fastest + 20.0 * h * h * self.size()).max(10.0 * COMPLIANCE * self.size());
        let touching: Vec<usize> = (0..bodies.contacts.len())
            .filter(|&k| bodies.contacts[k].gap.value(&self.x, &self.v, phase) < near)
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
}

/// The velocities after impulses at contacts in these cases (none, stick, slip forwards, backwards), and by how much
/// they violate the laws.
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
