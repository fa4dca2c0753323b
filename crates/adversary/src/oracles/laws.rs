//! The laws of contact and friction along a path: gaps, slip velocities, and forces in the cones of the closed contacts.
//!
//! M a - h is the force of all contacts together. It must be a nonnegative combination of w_N - mu sgn(g_T') w_T where a contact
//! slips, and of w_N + mu w_T and w_N - mu w_T where it sticks; redundant contacts need no special case.

use saltation_motion::Slip;

use crate::cone;
use crate::dice::Dice;
use crate::subject::Subject;
use crate::surface::{Place, Surfaces, dot, exceeds};

/// What a law may be off by, relative to the terms of it: the path has an error of 1e-12 per step.
const LAW_TOLERANCE: f64 = 1e-8;

/// What breaks a law on the path, if anything.
pub fn check(subject: &Subject, _: &mut Dice) -> Option<String> {
    let mut surfaces = Surfaces::new(&subject.base)?;
    let n = subject.body.degrees();
    let sizes = subject.sizes();
    let path = subject.base.run.trajectory.as_ref()?;
    let mut largest = 0.0_f64;
    let pieces = path.pieces().filter(|piece| !piece.completes_chatter && piece.length > 1e-9 * subject.body.until);
    for piece in pieces.take(2000) {
        for part in 0..=4 {
            let since = piece.length * f64::from(part) / 4.0;
            let mut state = subject.base.run.state.clone();
            piece.evaluate(since, &mut state);
            let slope = |state: usize| {
                let row = piece.polynomial(state).iter().enumerate().skip(1).rev();
                row.fold(0.0, |sum, (k, c)| sum * since + k as f64 * c)
            };
            let rates: Vec<f64> = (n..2 * n).map(slope).collect();
            let place = surfaces.at(&state);
            if let Some(what) = broken(&place, (&sizes, &mut largest), &rates, |k| {
                piece.closed.contains(k).then(|| piece.closed.slip(k))
            }) {
                return Some(format!("{what} at {}", piece.start + since));
            }
        }
    }
    None
}

/// What breaks a law at one place; `closed` says whether a contact is closed and how it slips, `largest` is the largest force so far.
fn broken(
    place: &Place,
    (&[length, speed], largest): (&[f64; 2], &mut f64),
    rates: &[f64],
    closed: impl Fn(usize) -> Option<Option<Slip>>,
) -> Option<String> {
    let mut generators = Vec::new();
    for (k, touch) in place.contacts.iter().enumerate() {
        let steep = |row: &[f64]| row.iter().map(|a| a.abs()).sum::<f64>();
        let (length, pace) = (steep(&touch.normal) * length, steep(&touch.normal) * speed);
        if exceeds(-touch.gap, LAW_TOLERANCE * length) {
            return Some(format!("the gap of {k} is {:e}", touch.gap));
        }
        let Some(slip) = closed(k) else { continue };
        if exceeds(touch.gap.abs(), LAW_TOLERANCE * length) {
            return Some(format!("the gap of {k}, which is closed, is {:e}", touch.gap));
        }
        if exceeds(touch.speed.abs(), LAW_TOLERANCE * pace) {
            return Some(format!("the opening speed of {k}, which is closed, is {:e}", touch.speed));
        }
        let Some(rub) = &touch.rub else {
            generators.push(touch.normal.clone());
            continue;
        };
        let pace = steep(&rub.tangent) * speed;
        let fits = match slip {
            Some(slip) => slip.sign() * rub.slip >= -LAW_TOLERANCE * pace,
            None => rub.slip.abs() <= LAW_TOLERANCE * pace,
        };
        if !fits {
            return Some(format!("the slip of {k}, {slip:?}, has the speed {:e}", rub.slip));
        }
        let edge = |sign: f64| touch.normal.iter().zip(&rub.tangent).map(|(a, b)| a + sign * rub.mu * b).collect();
        match slip {
            Some(slip) => generators.push(edge(-slip.sign())),
            None => generators.extend([edge(1.0), edge(-1.0)]),
        }
    }
    let inertia = place.massed(rates);
    let force: Vec<f64> = inertia.iter().zip(&place.force).map(|(a, b)| a - b).collect();
    let size = dot(&inertia, &inertia).sqrt() + dot(&place.force, &place.force).sqrt();
    *largest = largest.max(size);
    let (off, _) = cone::nearest(&generators, &force);
    // A force that is small because its terms cancel has their error.
    exceeds(off, LAW_TOLERANCE * size.max(1e-2 * *largest).max(1e-3))
        .then(|| format!("the contact force is {off:e} (of {size:e}) outside the cones of the closed contacts"))
}
