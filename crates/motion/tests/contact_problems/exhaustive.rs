//! Finds all solutions of a contact problem by trying every support in double-double numbers: a second route, slow and simple, to check others by.
//!
//! What a contact does is a nonnegative combination of at most two *generators*: it opens (a_N > 0) and slips either way, or it is closed with a force along an edge of
//! its cone, (1, -mu) or (1, mu), and slips as that edge wants it, or has a force along both edges and no slip. So the solutions are the nonnegative
//! solutions of G lambda - a = -b with such supports. Each polyhedron of solutions has corners, and the supports of corners have independent columns
//! (Carathéodory). Every support is tried by orthogonalisation, and what is found is proved by its residual.
//!
//! There are 11 supports for a contact with friction whose slip is open, so that a few contacts are the most that can be asked for.

use saltation_motion::contact::problem::{Problem, Sliding};
use saltation_numerics::exact::DoubleDouble;

/// An equation holds if it is violated by less than this part of its terms: some hundred roundings of the entries of G.
const PROVED: f64 = 1e-13;
/// A column is a combination of others if it is to within this part of its length.
const DEPENDENT: f64 = 1e-12;

/// A solution with its proof.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Proved {
    /// lambda_N of all contacts, then lambda_T.
    pub(crate) forces: Vec<f64>,
    /// a_N of all contacts, then a_T.
    pub(crate) accelerations: Vec<f64>,
    /// The largest violation of an equation relative to its terms; the laws hold exactly.
    pub(crate) residual: f64,
}

/// A column of the equations G lambda - a = -b: a force of a contact, or an acceleration.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Generator {
    /// lambda_N = 1 and lambda_T = `pull`.
    Force { contact: usize, pull: f64 },
    /// An acceleration of this row, 1 or -1.
    Moves { row: usize, sign: f64 },
}

/// The corners of the solutions of a problem without given impulses.
pub(crate) fn corners(problem: &Problem) -> Vec<Proved> {
    let n = problem.contacts();
    let choices: Vec<Vec<Vec<Generator>>> = (0..n).map(|contact| supports(problem, contact)).collect();
    // Rows without a law: the slip of contacts without friction, or that slip already, may be anything.
    let rows: Vec<usize> = (0..2 * n).filter(|&r| r < n || problem.sliding[r - n] == Sliding::Sticking).collect();
    let mut found = Vec::new();
    let mut digits = vec![0; n];
    loop {
        let support: Vec<Generator> =
            digits.iter().zip(&choices).flat_map(|(&d, own)| own[d].iter().copied()).collect();
        found.extend(at(problem, &rows, &support));
        let Some(next) = (0..n).find(|&i| digits[i] + 1 < choices[i].len()) else { return found };
        digits[next] += 1;
        digits[..next].fill(0);
    }
}

/// Everything that a contact may do, by its generators.
fn supports(problem: &Problem, contact: usize) -> Vec<Vec<Generator>> {
    let n = problem.contacts();
    let opens = Generator::Moves { row: contact, sign: 1.0 };
    let [forward, backward] = [1.0, -1.0].map(|sign| Generator::Moves { row: n + contact, sign });
    let pulled = |pull: f64| Generator::Force { contact, pull };
    let mu = problem.friction[contact];
    match problem.sliding[contact] {
        Sliding::Smooth => vec![vec![], vec![opens], vec![pulled(0.0)]],
        Sliding::Along(slip) => vec![vec![], vec![opens], vec![pulled(-slip.sign() * mu)]],
        Sliding::Sticking => {
            let [low, high] = [pulled(-mu), pulled(mu)];
            let one = [opens, forward, backward, low, high].map(|own| vec![own]);
            let two = [[opens, forward], [opens, backward], [low, forward], [high, backward], [low, high]];
            [vec![]].into_iter().chain(one).chain(two.map(Vec::from)).collect()
        }
    }
}

/// The entry of a column.
fn entry(problem: &Problem, row: usize, generator: Generator) -> DoubleDouble {
    let n = problem.contacts();
    match generator {
        Generator::Force { contact, pull } => {
            let along = DoubleDouble::product(problem.delassus[(row, n + contact)], pull);
            along + problem.delassus[(row, contact)].into()
        }
        Generator::Moves { row: own, sign } => (if own == row { -sign } else { 0.0 }).into(),
    }
}

/// The solution with this support, if there is one.
fn at(problem: &Problem, rows: &[usize], support: &[Generator]) -> Option<Proved> {
    if support.len() > rows.len() {
        return None;
    }
    let zero = DoubleDouble::from(0.0);
    let unit = |row: usize| problem.delassus[(row, row)].abs().sqrt().max(f64::MIN_POSITIVE);
    let column = |&generator: &Generator| -> Vec<DoubleDouble> {
        rows.iter().map(|&row| entry(problem, row, generator) / unit(row).into()).collect()
    };
    let dot = |a: &[DoubleDouble], b: &[DoubleDouble]| a.iter().zip(b).fold(zero, |sum, (&x, &y)| sum + x * y);
    // Gram and Schmidt: columns = basis R, and R x = basis' (-b).
    let mut basis: Vec<Vec<DoubleDouble>> = Vec::new();
    let mut upper: Vec<Vec<DoubleDouble>> = Vec::new();
    for generator in support {
        let mut left = column(generator);
        let size = dot(&left, &left).hi;
        let mut shares = Vec::new();
        for known in &basis {
            let share = dot(known, &left);
            left.iter_mut().zip(known).for_each(|(x, &k)| *x -= share * k);
            shares.push(share);
        }
        let square = dot(&left, &left);
        // A NaN is not independent either.
        if square.hi.is_nan() || square.hi <= DEPENDENT * DEPENDENT * size {
            return None;
        }
        let length = saltation_numerics::number::Number::sqrt(square);
        left.iter_mut().for_each(|x| *x = *x / length);
        shares.push(length);
        basis.push(left);
        upper.push(shares);
    }
    let right: Vec<DoubleDouble> =
        rows.iter().map(|&row| DoubleDouble::from(-problem.free[row]) / unit(row).into()).collect();
    let mut x: Vec<DoubleDouble> = basis.iter().map(|known| dot(known, &right)).collect();
    for k in (0..x.len()).rev() {
        x[k] = x[k] / upper[k][k];
        for j in 0..k {
            let carried = upper[k][j] * x[k];
            x[j] -= carried;
        }
    }
    if !x.iter().all(|x| x.hi > 0.0) {
        return None;
    }
    prove(problem, rows, support, &x)
}

/// The forces and accelerations of a point of a support, if it obeys all equations.
fn prove(problem: &Problem, rows: &[usize], support: &[Generator], x: &[DoubleDouble]) -> Option<Proved> {
    let n = problem.contacts();
    let mut residual = 0.0_f64;
    for &row in rows {
        let mut sum = DoubleDouble::from(problem.free[row]);
        let mut terms = problem.scale[row].max(problem.free[row].abs());
        for (&generator, &x) in support.iter().zip(x) {
            let term = entry(problem, row, generator) * x;
            sum += term;
            terms += term.hi.abs();
        }
        if terms > 0.0 {
            residual = residual.max(sum.hi.abs() / terms);
        }
    }
    let mut forces = vec![0.0; 2 * n];
    for (&generator, x) in support.iter().zip(x) {
        if let Generator::Force { contact, pull } = generator {
            forces[contact] += x.hi;
            forces[n + contact] += pull * x.hi;
        }
    }
    let product = |row: usize| (0..2 * n).map(|j| problem.delassus[(row, j)] * forces[j]).sum::<f64>();
    let accelerations = (0..2 * n).map(|row| problem.free[row] + product(row)).collect();
    (residual <= PROVED).then_some(Proved { forces, accelerations, residual })
}
