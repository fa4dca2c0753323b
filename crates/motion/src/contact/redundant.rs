//! Forces that are one choice of many: those of least norm, and the corners of the polyhedron of all of them.
//!
//! Forces of closed contacts are the nonnegative combinations of generators, the edges of the cones. Where the columns of the Delassus matrix that belong
//! to them depend on each other, forces that differ lead to the same accelerations. They form a polyhedron, whose corners have
//! independent generators only (Carathéodory).

use saltation_numerics::dense::Matrix;
use saltation_numerics::lcp;

use super::problem::{Balance, Does, Problem, Sliding};
use crate::instant::knowledge::{BORDER, ELIMINATED, SAME};
use crate::mode::Constraint;
use crate::mode::Slip;

/// Corners of the forces are not looked for among more supports than this.
const MOST_SUPPORTS: usize = 5000;

/// What contacts do at a corner, and the constraints that have forces of their own there.
type Corner = (Vec<Does>, Vec<Constraint>);

/// A force that a contact may have: lambda_N = 1 and lambda_T = `pull`.
#[derive(Debug, Clone, Copy)]
struct Generator {
    contact: usize,
    pull: f64,
}

impl Problem {
    /// Whether the forces of contacts that do this can change together without moving anything: the columns of the Delassus matrix that
    /// belong to them, those of normal force and friction of a slipping contact taken together, depend on each other.
    pub(super) fn is_redundant(&self, balance: &Balance) -> bool {
        let n = self.contacts();
        let unit = |row: usize| self.delassus[(row, row)].sqrt();
        let mut columns: Vec<Vec<f64>> = Vec::new();
        for (i, does) in balance.does.iter().enumerate() {
            let column = |j: usize| (0..2 * n).map(|row| self.delassus[(row, j)]).collect::<Vec<f64>>();
            match (does, self.sliding[i]) {
                (Does::Open, _) => {}
                (Does::Slip(slip), _) => {
                    let pull = slip.sign() * self.friction[i];
                    columns.push(column(i).iter().zip(column(n + i)).map(|(push, rub)| push - pull * rub).collect());
                }
                (Does::Stick, Sliding::Smooth) => columns.push(column(i)),
                // What has no coefficient has no friction.
                (Does::Stick, _) if self.friction[i] == 0.0 => columns.push(column(i)),
                (Does::Stick, _) => columns.extend([column(i), column(n + i)]),
            }
        }
        // In units in which every force moves its own contact by 1; contacts without friction have no tangent.
        let rows: Vec<usize> = (0..2 * n).filter(|&row| unit(row) > 0.0).collect();
        let scaled = Matrix::from_fn(rows.len(), columns.len(), |row, j| {
            let own = rows.iter().map(|&r| (columns[j][r] / unit(r)).abs()).fold(f64::MIN_POSITIVE, f64::max);
            columns[j][rows[row]] / unit(rows[row]) / own
        });
        !columns.is_empty() && scaled.rank(ELIMINATED).is_ok_and(|rank| rank < columns.len())
    }

    /// What generates the forces that contacts may have in a balance, and by how much. They are the nonnegative combinations of at most two generators
    /// per contact: one along the edge of its cone if it slips, both edges if it sticks. The other side of a constraint that carries has none.
    fn generated(&self, balance: &Balance) -> (Vec<Generator>, Vec<f64>) {
        let mut generators: Vec<Generator> = Vec::new();
        let mut weights = Vec::new();
        for (i, does) in balance.does.iter().enumerate() {
            let (mu, normal, tangential) = (self.friction[i], balance.normal[i], balance.tangential[i]);
            let sides = match (does, self.sliding[i]) {
                (Does::Open, _) => &[][..],
                _ if self.opposite[i].is_some_and(|other| balance.normal[other] > normal) => &[][..],
                (_, Sliding::Smooth) => &[0.0][..],
                (Does::Slip(slip), _) => &[-slip.sign()][..],
                (Does::Stick, _) if mu > 0.0 => &[-1.0, 1.0][..],
                (Does::Stick, _) => &[0.0][..],
            };
            generators.extend(sides.iter().map(|side| Generator { contact: i, pull: side * mu }));
            match sides {
                [_, _] => weights.extend([-1.0, 1.0].map(|side| (0.5 * (normal + side * tangential / mu)).max(0.0))),
                _ => weights.extend(sides.iter().map(|_| normal)),
            }
        }
        (generators, weights)
    }

    /// The accelerations of each generator along the others.
    fn products(&self, generators: &[Generator]) -> Matrix {
        let n = self.contacts();
        Matrix::from_fn(generators.len(), generators.len(), |i, j| {
            let (Generator { contact: a, pull: p }, Generator { contact: b, pull: q }) = (generators[i], generators[j]);
            let entry = |row: usize, column: usize| self.delassus[(row, column)];
            entry(a, b) + q * entry(a, n + b) + p * entry(n + a, b) + p * q * entry(n + a, n + b)
        })
    }

    /// Of all forces that lead to the same accelerations and obey the same laws those of least norm, sum G_ii lambda_i^2.
    pub(super) fn least(&self, balance: &Balance) -> Vec<f64> {
        let n = self.contacts();
        let (generators, weights) = self.generated(balance);
        let metric = Matrix::from_fn(generators.len(), generators.len(), |i, j| {
            let (Generator { contact: a, pull: p }, Generator { contact: b, pull: q }) = (generators[i], generators[j]);
            if a == b { self.delassus[(a, a)] + p * q * self.delassus[(n + a, n + a)] } else { 0.0 }
        });
        let mut forces = vec![0.0; 2 * n];
        for (weight, Generator { contact, pull }) in
            lcp::least(&self.products(&generators), &metric, &weights).into_iter().zip(generators)
        {
            forces[contact] += weight;
            forces[n + contact] += pull * weight;
        }
        forces
    }

    /// Where forces are one choice of many: the corners of the polyhedron of all forces that lead to the same accelerations, each as what its contacts do and
    /// which constraints have forces of their own. A contact at the edge of its cone does what slip would do. There is always a corner
    /// (Carathéodory). `None` where there are more than [`MOST_SUPPORTS`] sets of generators to be tried.
    pub(crate) fn corners(&self, balance: &Balance, contacts: &[usize]) -> Option<Vec<Corner>> {
        let (generators, weights) = self.generated(balance);
        let size = generators.len();
        let product = self.products(&generators);
        let term = |row: usize, k: usize, weight: f64| product[(row, k)] * weight;
        let wanted: Vec<f64> = (0..size).map(|row| (0..size).map(|k| term(row, k, weights[k])).sum()).collect();
        let sizes: Vec<f64> = (0..size)
            .map(|row| (0..size).map(|k| term(row, k, weights[k]).abs()).fold(f64::MIN_POSITIVE, f64::max))
            .collect();
        let unit = |k: usize| product[(k, k)].sqrt().max(f64::MIN_POSITIVE);
        let scaled = Matrix::from_fn(size, size, |i, j| product[(i, j)] / unit(i) / unit(j));
        let rank = scaled.rank(ELIMINATED).ok()?;
        let mut found = Vec::new();
        let mut tried = 0;
        let mut support: Vec<usize> = Vec::new();
        let mut next = 0;
        loop {
            // All supports of at most `rank` generators, in lexicographic order.
            if support.len() < rank && next < size {
                support.push(next);
            } else {
                loop {
                    match support.pop() {
                        None => return Some(found),
                        Some(last) if last + 1 < size => {
                            support.push(last + 1);
                            break;
                        }
                        Some(_) => {}
                    }
                }
            }
            next = support.last().map_or(0, |last| last + 1);
            tried += 1;
            if tried > MOST_SUPPORTS {
                return None;
            }
            // Of the sides of a constraint one carries.
            let used = |contact: usize| support.iter().any(|&k| generators[k].contact == contact);
            if support.iter().any(|&k| self.opposite[generators[k].contact].is_some_and(used)) {
                continue;
            }
            let part = Matrix::from_fn(support.len(), support.len(), |i, j| scaled[(support[i], support[j])]);
            let right: Vec<f64> = support.iter().map(|&k| wanted[k] / unit(k)).collect();
            if !part.rank(ELIMINATED).is_ok_and(|rank| rank == support.len()) {
                continue;
            }
            let Ok(x) = part.solve(&right).map(|solution| solution.x) else { continue };
            let largest = x.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            // At a degenerate corner some generators of a basis have no force as yet, and may have one next.
            let least = if support.len() == rank { -BORDER * largest } else { BORDER * largest };
            if !x.iter().all(|&x| x > least) {
                continue;
            }
            let carries =
                |row: usize| -> f64 { support.iter().zip(&x).map(|(&k, x)| product[(row, k)] * x / unit(k)).sum() };
            if (0..size).all(|row| (carries(row) - wanted[row]).abs() <= SAME * sizes[row]) {
                found.push(self.corner(balance, &generators, &support, contacts));
            }
        }
    }

    /// What contacts do where only some generators of their forces are there.
    fn corner(&self, balance: &Balance, generators: &[Generator], support: &[usize], contacts: &[usize]) -> Corner {
        let mut does = balance.does.clone();
        let mut loaded = Vec::new();
        for (i, does) in does.iter_mut().enumerate() {
            let own: Vec<f64> =
                support.iter().filter(|&&k| generators[k].contact == i).map(|&k| generators[k].pull).collect();
            if !own.is_empty() {
                loaded.push(Constraint::Normal(contacts[i]));
            }
            match (&own[..], *does) {
                ([pull], Does::Stick) if *pull != 0.0 => *does = Does::Slip(Slip::of(-pull)),
                ([_, _], _) => loaded.push(Constraint::Tangential(contacts[i])),
                _ => {}
            }
        }
        (does, loaded)
    }
}
