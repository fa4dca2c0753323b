//! Motions that end without admissible contact forces: an enumeration of all contact states confirms that none exist.
//!
//! With the Delassus matrix G and the rates b without forces, every contact is open, sticks, or slips one way or the other: 4^k systems of
//! linear equations, whose solutions are looked at. Only clear ones count: every sign by a millionth.

use crate::subject::Trial;
use crate::surface::{Surfaces, Touch, dot, exceeds};

/// How clear a sign must be, relative to the terms.
const CERTAIN_SIGN: f64 = 1e-6;

/// Forces that cancel to less than this part of what they do alone are none.
const LARGEST_CANCELLATION: f64 = 1e9;

/// A solution of the contact problem that an ending denies, if there is one.
pub fn missed(trial: &Trial, contacts: &[usize]) -> Option<String> {
    let place = Surfaces::new(trial)?.at(&trial.run.state);
    let touches: Vec<_> = contacts.iter().map(|&c| &place.contacts[c]).collect();
    let zero = vec![0.0; place.force.len()];
    let tangents = touches.iter().map(|touch| touch.rub.as_ref().map_or(&zero, |rub| &rub.tangent));
    let rows: Vec<&Vec<f64>> = touches.iter().map(|touch| &touch.normal).chain(tangents).collect();
    let moved: Vec<Vec<f64>> = rows.iter().map(|row| solve(place.mass.clone(), row.to_vec())).collect::<Option<_>>()?;
    let delassus: Vec<Vec<f64>> = rows.iter().map(|row| moved.iter().map(|m| dot(row, m)).collect()).collect();
    let rub = |value: fn(&crate::surface::Rub) -> f64| -> Vec<f64> {
        touches.iter().map(|touch| touch.rub.as_ref().map_or(0.0, value)).collect()
    };
    let (mu, slip) = (rub(|rub| rub.mu), rub(|rub| rub.slip));
    let pace = trial.run.state.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
    let strikes = touches.iter().any(|touch| touch.speed < -1e-9 * pace);
    if strikes {
        let poisson = trial.system.model().impacts.law == saltation_model::ImpactLaw::Poisson;
        // What opens before the impact has no rebound: it may go on at any speed above zero.
        let factor = |touch: &Touch| if poisson || touch.speed >= 0.0 { 1.0 } else { 1.0 + touch.restitution };
        let free: Vec<f64> = touches.iter().map(|touch| factor(touch) * touch.speed).chain(slip).collect();
        return solvable(&delassus, &free, &mu, &vec![None; contacts.len()]).map(|way| format!("impulses: {way}"));
    }
    let free: Vec<f64> = touches.iter().map(|touch| touch.acceleration).chain(rub(|rub| rub.acceleration)).collect();
    let slips: Vec<Option<f64>> = slip.iter().map(|s| (s.abs() > 1e-9 * pace).then(|| s.signum())).collect();
    solvable(&delassus, &free, &mu, &slips).map(|way| format!("forces: {way}"))
}

/// A solution of the laws with (normal, tangential) rates `free` without forces, normal rows first; `slips` is the direction
/// of slip of those that have one.
fn solvable(g: &[Vec<f64>], free: &[f64], mu: &[f64], slips: &[Option<f64>]) -> Option<String> {
    let k = mu.len();
    if k > 6 {
        return None;
    }
    let size = free.iter().fold(1e-3_f64, |m, x| m.max(x.abs()));
    (0..4_usize.pow(k as u32)).find_map(|code| {
        let does: Vec<Does> = (0..k).map(|i| Does::ALL[code / 4_usize.pow(i as u32) % 4]).collect();
        let allowed = |i: usize| match does[i] {
            Does::Open => true,
            Does::Stick => slips[i].is_none(),
            Does::Slip(sign) => mu[i] > 0.0 && slips[i].is_none_or(|known| known == sign),
        };
        if !(0..k).all(allowed) {
            return None;
        }
        let mut a = vec![vec![0.0; 2 * k]; 2 * k];
        let mut b = vec![0.0; 2 * k];
        for i in 0..k {
            let (normal, tangential) = (i, k + i);
            a[normal][normal] = 1.0;
            a[tangential][tangential] = 1.0;
            if does[i] == Does::Open {
                continue;
            }
            a[normal].clone_from(&g[normal]);
            b[normal] = -free[normal];
            match does[i] {
                Does::Slip(sign) => a[tangential][normal] = sign * mu[i],
                _ if mu[i] > 0.0 => {
                    a[tangential].clone_from(&g[tangential]);
                    b[tangential] = -free[tangential];
                }
                _ => {}
            }
        }
        let f = solve(a, b)?;
        let rate = |row: usize| free[row] + dot(&g[row], &f);
        let largest = f.iter().fold(1e-9_f64, |m, x| m.max(x.abs()));
        // Forces of this size stand for a singular problem.
        if largest * g.iter().flatten().fold(0.0_f64, |m, x| m.max(x.abs())) > LARGEST_CANCELLATION * size {
            return None;
        }
        let right = (0..k).all(|i| match does[i] {
            Does::Open => rate(i) >= CERTAIN_SIGN * size,
            Does::Stick => f[i] > CERTAIN_SIGN * largest && (mu[i] == 0.0 || f[k + i].abs() < mu[i] * f[i]),
            Does::Slip(sign) => {
                f[i] > CERTAIN_SIGN * largest && (slips[i].is_some() || sign * rate(k + i) > CERTAIN_SIGN * size)
            }
        });
        right.then(|| format!("{does:?} with {f:?}"))
    })
}

/// What a contact does.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Does {
    Open,
    Slip(f64),
    Stick,
}

impl Does {
    const ALL: [Does; 4] = [Does::Open, Does::Slip(1.0), Does::Slip(-1.0), Does::Stick];
}

/// The solution of a small linear system by Gauss's method; `None` if it is nearly singular.
pub fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Option<Vec<f64>> {
    let n = b.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs()))?;
        let size = a[pivot].iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        if exceeds(1e-9 * size, a[pivot][k].abs()) {
            return None;
        }
        a.swap(k, pivot);
        b.swap(k, pivot);
        for i in k + 1..n {
            let (above, row) = a.split_at_mut(i);
            let (pivot, row) = (&above[k], &mut row[0]);
            let factor = row[k] / pivot[k];
            row.iter_mut().zip(pivot).skip(k).for_each(|(x, y)| *x -= factor * y);
            b[i] -= factor * b[k];
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| a[k][j] * b[j]).sum();
        b[k] = (b[k] - known) / a[k][k];
    }
    Some(b)
}
