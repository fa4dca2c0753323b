//! The contact problem: the forces or impulses that obey the laws of all contacts, all solutions of it.
//!
//! Forces lambda open and slide the contacts by a = G lambda + b, with the Delassus matrix G = [W_N W_T]' M^-1 [W_N W_T]. The laws are
//!
//! 0 <= a_N perp lambda_N >= 0,   lambda_T in -mu lambda_N Sign(a_T),
//!
//! the latter with the known sign of g_T' where a contact slips already (Leine & Brogliato, Eqs. (2.9), (2.10)). With speeds after an impact
//! in the place of accelerations, and impulses in that of forces, the same problem is that of an impact, Eqs. (2.17), (2.18).
//!
//! As a linear complementarity problem (Glocker 2001, Pfeiffer & Glocker 1996): with lambda_R = mu lambda_N + lambda_T, lambda_L = mu lambda_N -
//! lambda_T and a_T = kappa_R - kappa_L,
//!
//! 0 <= (a_N, kappa_R, lambda_L) perp (lambda_N, lambda_R, kappa_L) >= 0.

use saltation_numerics::dense::Matrix;

use crate::instant::knowledge::{BORDER, ROUNDING, SAME};
use crate::mode::{Constraint, Slip};

/// What is known of the slip of a contact before its forces are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sliding {
    /// It has no friction.
    Smooth,
    /// It slips.
    Along(Slip),
    /// It does not slip, or an impact decides how it will.
    Sticking,
}

/// A contact problem of n contacts; the first n of 2 n rows are normal, the others tangential. Accelerations have the units of the tracks and gaps, forces
/// those of G's inverse.
///
/// ```
/// use saltation_motion::contact::problem::{Problem, Sliding};
/// use saltation_motion::Slip;
/// use saltation_numerics::dense::Matrix;
/// // A sliding contact with A = 1 - 1.5 = -1/2.
/// let problem = |b: f64| Problem {
///     delassus: Matrix::from_rows([[1.0, 1.0], [1.0, 2.0]]),
///     free: vec![b, 0.0],
///     scale: vec![1.0, 1.0],
///     friction: vec![1.5],
///     given: vec![0.0],
///     sliding: vec![Sliding::Along(Slip::Forward)],
///     opposite: vec![None],
/// };
/// // Pressed together nothing obeys the laws; pulled apart flight does, and slip with lambda = -b/A.
/// assert_eq!(problem(-1.0).solutions().0.len(), 0);
/// let forces: Vec<f64> = problem(1.0).solutions().0.iter().map(|balance| balance.normal[0]).collect();
/// assert_eq!(forces, [0.0, 2.0]);
/// ```
#[derive(Debug, Clone)]
pub struct Problem {
    /// G, 2n x 2n.
    pub delassus: Matrix,
    /// b: the accelerations (or speeds) without forces.
    pub free: Vec<f64>,
    /// The size of the terms that each entry of b is a sum of.
    pub scale: Vec<f64>,
    /// mu of every contact.
    pub friction: Vec<f64>,
    /// A normal impulse that every contact has in any case, as in the second half of an impact by Poisson's law; the laws then hold
    /// for what comes on top of it, and friction for both together.
    pub given: Vec<f64>,
    /// What is known of every contact's slip.
    pub sliding: Vec<Sliding>,
    /// Where a contact is one side of a constraint with friction: the contact that is the other one. Only one of them has a force.
    pub opposite: Vec<Option<usize>>,
}

/// What a contact does in a solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Does {
    /// It opens, without a force.
    Open,
    /// It stays closed without slip; also if it has no friction.
    Stick,
    /// It stays closed and slips.
    Slip(Slip),
}

/// Forces that obey all laws, and the accelerations they lead to.
#[derive(Debug, Clone, PartialEq)]
pub struct Balance {
    /// lambda_N.
    pub normal: Vec<f64>,
    /// lambda_T.
    pub tangential: Vec<f64>,
    /// a_N.
    pub opening: Vec<f64>,
    /// a_T.
    pub slipping: Vec<f64>,
    /// What every contact does; where it is at a border, one of the things it may do.
    pub does: Vec<Does>,
    /// Whether a contact is at a border between opening and staying closed, or between stick and slip, to within rounding.
    pub borderline: Vec<bool>,
    /// Whether these forces are one choice of many with the same accelerations.
    pub underdetermined: bool,
}

impl Balance {
    /// The constraints that have forces, of contacts with these numbers; the largest first.
    pub(crate) fn loaded(&self, contacts: &[usize]) -> Vec<Constraint> {
        let largest = self.normal.iter().chain(&self.tangential).fold(0.0_f64, |m, x| m.max(x.abs()));
        let normal = self.normal.iter().zip(contacts).map(|(x, &c)| (x.abs(), Constraint::Normal(c)));
        let tangential = self.tangential.iter().zip(contacts).map(|(x, &c)| (x.abs(), Constraint::Tangential(c)));
        let mut loaded: Vec<(f64, Constraint)> =
            normal.chain(tangential).filter(|(size, _)| *size > BORDER * largest).collect();
        loaded.sort_by(|a, b| b.0.total_cmp(&a.0));
        loaded.into_iter().map(|(_, constraint)| constraint).collect()
    }
}

/// At most so many combinations of the solutions of different groups are formed.
const MOST_COMBINED: usize = 256;

/// Entries of G below this part of the geometric mean of their diagonal are rounding: no contact acts on another by them.
const NOTHING: f64 = 1e-15;

impl Problem {
    /// An entry of G, zero where it is rounding.
    pub(super) fn acts(&self, row: usize, column: usize) -> f64 {
        let entry = self.delassus[(row, column)];
        let own = |row: usize| self.delassus[(row, row)].abs().sqrt();
        if entry.abs() > NOTHING * own(row) * own(column) { entry } else { 0.0 }
    }

    /// Twice what impulses of some contacts add to the kinetic energy: Lambda'(G Lambda + 2 b).
    pub fn gained(&self, balance: &Balance, contacts: &[usize]) -> f64 {
        let n = self.contacts();
        let normal = |i: usize| balance.normal[i] * (balance.opening[i] + self.free[i]);
        let tangential = |i: usize| balance.tangential[i] * (balance.slipping[i] + self.free[n + i]);
        contacts.iter().map(|&i| normal(i) + tangential(i)).sum()
    }

    /// The sum of w' M^-1 w Lambda^2 over the impulses of some contacts, twice the kinetic energy that each of them would give alone.
    pub fn norm(&self, balance: &Balance, contacts: &[usize]) -> f64 {
        let n = self.contacts();
        let own = |row: usize, impulse: f64| self.delassus[(row, row)] * impulse * impulse;
        contacts.iter().map(|&i| own(i, balance.normal[i]) + own(n + i, balance.tangential[i])).sum()
    }

    /// The number of contacts.
    pub fn contacts(&self) -> usize {
        self.friction.len()
    }

    /// All solutions that differ in their accelerations, and whether these are certainly all.
    ///
    /// Contacts that do not act on each other are problems of their own. One of them without friction is convex: its accelerations are unique,
    /// and it is solved at any size. Others of up to [`MOST_ENUMERATED`](saltation_numerics::lcp::MOST_ENUMERATED) components are searched completely; for larger ones Lemke's method finds
    /// one solution or none. Where forces are one choice of many with the same accelerations, they are those of least norm,
    /// sum G_ii lambda_i^2, which does not depend on the order of contacts.
    pub fn solutions(&self) -> (Vec<Balance>, bool) {
        let n = self.contacts();
        let mut complete = true;
        let mut combined = vec![(vec![0.0; 2 * n], false)];
        for group in self.groups() {
            let (own, all) = self.part(&group).of_one_group();
            complete &= all;
            let more = combined.iter().flat_map(|(forces, many)| {
                let group = &group;
                own.iter().map(move |balance| {
                    let mut forces = forces.clone();
                    for (k, &contact) in group.iter().enumerate() {
                        (forces[contact], forces[n + contact]) = (balance.normal[k], balance.tangential[k]);
                    }
                    (forces, *many || balance.underdetermined)
                })
            });
            combined = more.take(MOST_COMBINED + 1).collect();
            complete &= combined.len() <= MOST_COMBINED;
        }
        let judged =
            combined.into_iter().map(|(forces, underdetermined)| Balance { underdetermined, ..self.judge(forces) });
        (judged.collect(), complete)
    }

    /// The accelerations under forces, and what every contact does.
    pub(crate) fn judge(&self, forces: Vec<f64>) -> Balance {
        let n = self.contacts();
        let mut result = self.free.clone();
        let mut size = self.scale.clone();
        // lambda_T is a difference of forces along both edges of the cone, where slip does not give it.
        let whole = |column: usize, force: f64| match column.checked_sub(n) {
            Some(i) if self.sliding[i] == Sliding::Sticking => force.abs().max(self.friction[i] * forces[i].abs()),
            _ => force.abs(),
        };
        for (row, (sum, size)) in result.iter_mut().zip(&mut size).enumerate() {
            *size = size.max(sum.abs());
            for (column, &force) in forces.iter().enumerate() {
                let entry = self.acts(row, column);
                *sum += entry * force;
                *size = size.max(entry.abs() * whole(column, force));
            }
        }
        let mut does = Vec::with_capacity(n);
        let mut borderline = Vec::with_capacity(n);
        for i in 0..n {
            let smallest = BORDER * size[i] / self.delassus[(i, i)];
            let still = result[i].abs() <= BORDER * size[i];
            let unloaded = forces[i] - self.given[i] <= smallest;
            if unloaded && !still && self.given[i] == 0.0 {
                does.push(Does::Open);
                borderline.push(false);
                continue;
            }
            // A constraint stays closed whatever its force is.
            let mut border = unloaded && self.opposite[i].is_none();
            let (normal, tangential) = self.force_of(i, &forces);
            does.push(match self.sliding[i] {
                Sliding::Smooth => Does::Stick,
                Sliding::Along(slip) => Does::Slip(slip),
                Sliding::Sticking => {
                    let slips = result[n + i].abs() > BORDER * size[n + i];
                    border |= !slips && self.at_edge(i, normal, tangential);
                    if slips { Does::Slip(Slip::of(result[n + i])) } else { Does::Stick }
                }
            });
            borderline.push(border);
        }
        let (normal, tangential) = (forces[..n].to_vec(), forces[n..].to_vec());
        let (opening, slipping) = (result[..n].to_vec(), result[n..].to_vec());
        Balance { normal, tangential, opening, slipping, does, borderline, underdetermined: false }
    }

    /// The normal and the tangential force of a contact; of a side of a constraint those of the side that carries.
    fn force_of(&self, contact: usize, forces: &[f64]) -> (f64, f64) {
        let other = self.opposite[contact].filter(|&other| forces[other] > forces[contact]);
        let carries = other.unwrap_or(contact);
        (forces[carries], forces[self.contacts() + carries])
    }

    /// Whether the force of a contact lies on the edge of its cone.
    pub(crate) fn is_at_edge(&self, balance: &Balance, contact: usize) -> bool {
        self.at_edge(contact, balance.normal[contact], balance.tangential[contact])
    }

    fn at_edge(&self, contact: usize, normal: f64, tangential: f64) -> bool {
        self.friction[contact] * normal - tangential.abs() <= BORDER * normal.abs().max(tangential.abs())
    }

    /// Whether the difference of two sets of forces moves nothing.
    pub(super) fn moves_alike(&self, a: &Balance, b: &Balance) -> bool {
        let forces = |balance: &Balance| [&balance.normal[..], &balance.tangential[..]].concat();
        let (a, b) = (forces(a), forces(b));
        (0..a.len()).all(|row| {
            let (mut sum, mut size) = (0.0_f64, 0.0_f64);
            for (column, (a, b)) in a.iter().zip(&b).enumerate() {
                let entry = self.delassus[(row, column)];
                sum += entry * (a - b);
                size = size.max((entry * a).abs()).max((entry * b).abs());
            }
            sum.abs() <= SAME * size + ROUNDING * self.scale[row]
        })
    }

    pub(super) fn same_forces(&self, a: &Balance, b: &Balance) -> bool {
        let pairs = a.normal.iter().zip(&b.normal).chain(a.tangential.iter().zip(&b.tangential));
        let largest = a.normal.iter().chain(&b.normal).fold(0.0_f64, |m, x| m.max(x.abs()));
        pairs.into_iter().all(|(x, y)| (x - y).abs() <= SAME * largest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The problem of bodies with M = diag(1, 1, j) and the directions w_N, w_T of every contact, pressed on by (0, -10, 0) without slip.
    fn resting(inertia: f64, directions: &[([f64; 3], [f64; 3])], friction: f64) -> Problem {
        let n = directions.len();
        let row = |i: usize| if i < n { directions[i].0 } else { directions[i - n].1 };
        let inverse = [1.0, 1.0, 1.0 / inertia];
        let product = |i: usize, j: usize| (0..3).map(|k| row(i)[k] * inverse[k] * row(j)[k]).sum();
        Problem {
            delassus: Matrix::from_fn(2 * n, 2 * n, product),
            free: (0..2 * n).map(|i| -10.0 * row(i)[1]).collect(),
            scale: vec![10.0; 2 * n],
            friction: vec![friction; n],
            given: vec![0.0; n],
            sliding: vec![Sliding::Sticking; n],
            opposite: vec![None; n],
        }
    }

    #[test]
    fn a_contact_that_nothing_pulls_sticks() {
        // mu lambda_N - mu lambda_N may leave a rounding.
        let inertias = (1..200).map(|k| 0.1 + 0.013 * k as f64);
        for (inertia, friction) in
            inertias.flat_map(|inertia| [0.3, 0.77, 0.924_015_312_054_745].map(|mu| (inertia, mu)))
        {
            let problem = Problem {
                delassus: Matrix::from_rows([[1.0 / inertia, 0.0], [0.0, 1.0 / inertia]]),
                free: vec![-1.76 / inertia, 0.0],
                scale: vec![1.76 / inertia, 0.0],
                friction: vec![friction],
                given: vec![0.0],
                sliding: vec![Sliding::Sticking],
                opposite: vec![None],
            };
            let (found, complete) = problem.solutions();
            assert!(complete && found.len() == 1 && found[0].does == [Does::Stick], "{found:?}");
            assert!(!found[0].borderline[0]);
        }
    }

    #[test]
    fn forces_are_one_choice_of_many_where_their_columns_depend_on_each_other() {
        let (left, right) = (([0.0, 1.0, -0.5], [1.0, 0.0, 1.0]), ([0.0, 1.0, 0.5], [1.0, 0.0, 1.0]));
        // A flat block sticks on two corners: four forces for three motions.
        let (block, complete) = resting(0.4, &[left, right], 0.5).solutions();
        assert!(complete && block.len() == 1 && block[0].does == [Does::Stick; 2], "{block:?}");
        assert!(block[0].underdetermined);
        // It slides on both: two forces, whatever the signs of lcp say about contacts that open.
        let mut sliding = resting(0.4, &[left, right], 0.1);
        sliding.sliding = vec![Sliding::Along(Slip::Forward); 2];
        let (sliding, _) = sliding.solutions();
        assert!(sliding.len() == 1 && !sliding[0].underdetermined, "{sliding:?}");
        // One contact, be it closed or open.
        let (rod, _) = resting(1.0 / 3.0, &[([0.0, 1.0, -0.3], [1.0, 0.0, 0.4])], 0.9).solutions();
        assert!(!rod.is_empty() && rod.iter().all(|balance| !balance.underdetermined), "{rod:?}");
        let mut thrown = resting(1.0 / 3.0, &[([0.0, 1.0, -0.3], [1.0, 0.0, 0.4])], 0.9);
        thrown.free[0] = 5.0;
        let (thrown, _) = thrown.solutions();
        assert!(thrown.iter().any(|balance| balance.does == [Does::Open] && !balance.underdetermined), "{thrown:?}");
    }

    #[test]
    fn a_small_force_beside_a_fast_slip_is_a_force() {
        // A flat body falls on three feet, the middle one without friction: that one takes all, or the others do and slow its slip.
        let feet = [([0.0, 1.0, 0.0], [0.0; 3]), ([0.0, 1.0, -0.47], [0.0; 3]), ([0.0, 1.0, 0.19], [1.0, 0.0, 0.0])];
        for speed in (2..12).map(|k| 0.1_f64.powi(k)) {
            let mut problem = resting(1.0, &feet, 0.5);
            problem.friction = vec![0.0, 0.0, 0.5];
            problem.sliding = vec![Sliding::Smooth, Sliding::Smooth, Sliding::Sticking];
            problem.free = vec![-speed, -speed, -speed, 0.0, 0.0, -0.94];
            problem.scale = problem.free.iter().map(|free| free.abs()).collect();
            let (found, complete) = problem.solutions();
            let slowed = |balance: &Balance| (balance.slipping[2] + 0.94) / speed;
            let mut slowed: Vec<f64> = found.iter().map(slowed).collect();
            slowed.sort_by(f64::total_cmp);
            let loaded = 0.5 * 0.47 / (0.47 + 0.19);
            assert!(complete && slowed.len() == 2, "{speed:e}: {found:?}");
            assert!(slowed[0] == 0.0 && (slowed[1] - loaded).abs() < 1e-15 / speed, "{speed:e}: {slowed:?}");
        }
    }

    #[test]
    fn forces_that_hold_each_other_are_no_solution_of_any_load() {
        // A corner at rest between two rough walls, which hold it by forces of any size; another corner strikes one of them.
        let units = [3.7e4, 0.061, 2.3e-5, 1.0];
        let mut forces = Vec::new();
        for (turn, k) in (0..400).map(|k| (-3.0 + 0.015 * f64::from(k), k as usize)) {
            let arm = |length: f64, angle: f64| [length * (turn + angle).cos(), length * (turn + angle).sin()];
            let (held, striking) = (arm(0.267, -0.49), arm(0.377, 3.2));
            let contact = |wall: f64, at: [f64; 2]| {
                let (n, t) = ([-wall.sin(), wall.cos()], [wall.cos(), wall.sin()]);
                let row = |d: [f64; 2]| [d[0], d[1], at[0] * d[1] - at[1] * d[0]];
                (row(n), row(t))
            };
            let directions = [contact(-1.0, held), contact(1.0, held), contact(1.0, striking)];
            let unit = |i: usize| units[(k / 4_usize.pow(i as u32 % 3)) % 4];
            let row = |i: usize| if i < 3 { directions[i].0 } else { directions[i - 3].1 };
            // The body turns about the corner that rests.
            let spin = if directions[2].0[2] > directions[1].0[2] { -7.0 } else { 7.0 };
            let velocity = [held[1] * spin, -held[0] * spin, spin];
            let inverse = [1.0 / 1.47, 1.0 / 1.47, 1.0 / 0.0376];
            let sum = |i: usize| (0..3).map(|c| row(i)[c] * velocity[c]).sum::<f64>() * unit(i);
            let size = |i: usize| (0..3).map(|c| (row(i)[c] * velocity[c]).abs()).fold(0.0, f64::max) * unit(i);
            let problem = Problem {
                delassus: Matrix::from_fn(6, 6, |i, j| {
                    (0..3).map(|c| row(i)[c] * inverse[c] * row(j)[c]).sum::<f64>() * unit(i) * unit(j)
                }),
                free: (0..6).map(|i| if i % 3 == 2 { sum(i) } else { 0.0 }).collect(),
                scale: (0..6).map(size).collect(),
                friction: vec![0.93, 0.704, 0.704],
                given: vec![0.0; 3],
                sliding: vec![Sliding::Sticking; 3],
                opposite: vec![None; 3],
            };
            let (found, complete) = problem.solutions();
            assert!(complete && !found.is_empty(), "{turn}");
            for balance in &found {
                let largest = (0..3).map(|i| balance.normal[i] * unit(i)).fold(0.0, f64::max);
                forces.push(largest);
                let left = balance.opening[2] / unit(2);
                assert!(left >= -1e-9 && largest < 1e3, "{turn}: {left:e} {largest:e} {balance:?}");
            }
        }
        assert!(forces.len() >= 400);
    }
}
