//! The laws of impact: between two steps only velocities jump, by impulses in the cones of the contacts that touch, into no
//! surface, and without a gain of energy where the law of impact allows none.
//!
//! Without friction and with equal restitutions neither Newton's law nor Poisson's gains energy, and without restitution no law
//! does (Brogliato, Nonsmooth Mechanics, Ch. 4 to 6). Where friction and restitution meet, Newton's law may gain energy and is
//! not asked; then the energy that is reported must be that of the jump.

use crate::cone;
use crate::dice::Dice;
use crate::subject::Subject;
use crate::surface::{Surfaces, dot, exceeds};
use saltation_motion::EventKind;

/// What a law may be off by, relative to the terms of it.
const LAW_TOLERANCE: f64 = 1e-8;

/// Gaps are known to this, relative to the coordinates.
const ROUNDED_HEIGHT: f64 = 2.0 * f64::EPSILON;

/// What breaks a law in a jump, if anything.
pub fn check(subject: &Subject, _: &mut Dice) -> Option<String> {
    let mut surfaces = Surfaces::new(&subject.base)?;
    let n = subject.body.degrees();
    let pieces: Vec<_> = subject.base.run.trajectory.as_ref()?.pieces().take(3000).collect();
    let sizes = subject.sizes();
    for pair in pieces.windows(2) {
        let time = pair[1].start;
        if pair.iter().any(|piece| piece.completes_chatter) {
            continue;
        }
        let (mut before, mut after) = (subject.base.run.state.clone(), subject.base.run.state.clone());
        pair[0].evaluate(pair[0].length, &mut before);
        pair[1].evaluate(0.0, &mut after);
        let off = (0..n).map(|i| (before[i] - after[i]).abs()).fold(0.0, f64::max);
        if exceeds(off, LAW_TOLERANCE * sizes[0]) {
            return Some(format!("the coordinates jump by {off:e} at {time}"));
        }
        let jump: Vec<f64> = (n..2 * n).map(|i| after[i] - before[i]).collect();
        let largest = jump.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        // A flight no higher than the rounding of coordinates cannot be told from a contact; its speed is that of a fall from there.
        let accelerations = pair.iter().flat_map(|piece| (n..2 * n).map(|i| rate(piece.polynomial(i))));
        let height = ROUNDED_HEIGHT * sizes[0].max(1.0);
        let unresolved = (2.0 * height * accelerations.fold(0.0, f64::max)).sqrt();
        // Impacts slower than this are compared with rounding.
        if largest <= unresolved.max(1e-6 * sizes[1]) {
            continue;
        }
        let (first, second) = (surfaces.at(&before), surfaces.at(&after));
        let impulse = first.massed(&jump);
        let mut generators = Vec::new();
        for (k, (touch, then)) in first.contacts.iter().zip(&second.contacts).enumerate() {
            if touch.gap > LAW_TOLERANCE * sizes[0].max(1.0) {
                continue;
            }
            let pace = touch.normal.iter().map(|a| a.abs() * sizes[1]).sum::<f64>();
            // A contact that is open by more than rounding may close right after, as in chattering.
            let closing = touch.gap <= 1e-14 * sizes[0] && exceeds(-then.speed, 1e-4 * pace);
            // Its own impact, or the end of its sequence, follows within the time that such a gap takes.
            let soon = time + 4e-14 * (sizes[0] / then.speed.abs() + time);
            let own = |event: &saltation_motion::Event| {
                let strikes = matches!(event.kind, EventKind::Impact | EventKind::Chatter);
                strikes && event.contact == Some(k) && (time..=soon).contains(&event.time)
            };
            let mut struck = subject.base.run.events.iter().filter(|event| own(event)).peekable();
            let lawful = struck.peek().is_some() && struck.all(|event| !exceeds(-event.speed_after, 1e-4 * pace));
            // Another impact may follow before it.
            let overtaken = pair[1].start + pair[1].length <= soon;
            if closing && !lawful && !overtaken {
                return Some(format!("the opening speed of {k} after the impact at {time} is {:e}", then.speed));
            }
            match &touch.rub {
                Some(rub) => generators
                    .extend([rub.mu, -rub.mu].map(|mu| {
                        touch.normal.iter().zip(&rub.tangent).map(|(a, b)| a + mu * b).collect::<Vec<f64>>()
                    })),
                None => generators.push(touch.normal.clone()),
            }
        }
        let size = dot(&impulse, &impulse).sqrt();
        let (off, _) = cone::nearest(&generators, &impulse);
        if exceeds(off, LAW_TOLERANCE * size) {
            return Some(format!(
                "the impulse at {time} is {off:e} (of {size:e}) outside the cones of the touching contacts"
            ));
        }
        let touching = || first.contacts.iter().filter(|touch| touch.gap <= LAW_TOLERANCE * sizes[0].max(1.0));
        let smooth = touching().all(|touch| touch.rub.as_ref().is_none_or(|rub| rub.mu == 0.0));
        let restitutions: Vec<f64> = touching().map(|touch| touch.restitution).collect();
        let equal = restitutions.windows(2).all(|pair| pair[0] == pair[1]);
        let plastic = restitutions.iter().all(|e| *e == 0.0);
        // The energy in the frame of the surfaces is what cannot grow; moving ones are left out.
        let still =
            subject.body.rate.is_none() && touching().all(|touch| still(&touch.normal, &before[n..2 * n], touch.speed));
        let gain = second.energy(&after[n..2 * n]) - first.energy(&before[n..2 * n]);
        let energy = first.energy(&before[n..2 * n]);
        if still && subject.body_has_no_belt() && (plastic || smooth && equal) && exceeds(gain, LAW_TOLERANCE * energy)
        {
            return Some(format!("the impact at {time} adds {gain:e} to the energy {energy:e}"));
        }
    }
    None
}

/// By how much a state changes per unit of time where its polynomial begins.
fn rate(polynomial: &[f64]) -> f64 {
    polynomial.get(1).copied().unwrap_or(0.0).abs()
}

/// Whether a surface is at rest: the gap opens only because the body moves.
fn still(normal: &[f64], v: &[f64], speed: f64) -> bool {
    let terms: f64 = normal.iter().zip(v).map(|(a, b)| (a * b).abs()).sum();
    (dot(normal, v) - speed).abs() <= 1e-12 * terms
}
