//! Computes the multipliers of a periodic motion, the eigenvalues of its derivative over one period.
//!
//! The derivative is kept as a chain of factors, cut at every return and wherever persistent contact begins. There the
//! perturbations have lost two dimensions for each closed contact, g = v = 0, and the factors on both sides are written in
//! an orthonormal basis of what is left. The chain is cyclic, and its eigenvalues other than zero are the same
//! wherever it begins: begun where the dimension is smallest, the zeros that contact makes are never computed.

use saltation_motion::{Derivatives, Motion, Perturbation};
use saltation_numerics::dense::{Complex, Failure, Matrix};
use saltation_numerics::spectrum::{self, Multiplier, Ranks};

use crate::return_map::{Failure as NoReturn, Point, ReturnMap};

/// A factor is closed when derivatives have grown or shrunk by this factor, so that none becomes ill-conditioned.
const MOST_GROWTH: f64 = 1e4;

/// Whether some combination of the directions has grown or shrunk so much that a product with what follows would bury it.
pub(crate) fn is_spread(derivatives: &Derivatives, flowing: &[usize]) -> bool {
    let directions = derivatives.directions();
    let columns = Matrix::from_fn(flowing.len(), directions, |i, j| derivatives.state(j)[flowing[i]]);
    let Ok((_, r)) = columns.qr() else { return false };
    let sizes = || (0..directions.min(flowing.len())).map(|i| r[(i, i)].abs());
    sizes().any(|size| !(1.0 / MOST_GROWTH..=MOST_GROWTH).contains(&size))
}

/// A basis of the directions that neighbouring motions can have at a point, one per column, in the states other than the phase.
#[derive(Debug, Clone)]
pub(crate) struct Basis(pub Matrix);

impl Basis {
    /// The basis at a point of a section, and the motion from there to its first return with the derivatives in it.
    pub(crate) fn begin<'s>(map: &mut ReturnMap<'s>, start: &Point) -> Result<(Basis, Motion<'s>), NoReturn> {
        let flowing = map.flowing().to_vec();
        let motion = map.motion(start, 1, &[]).map_err(NoReturn::Start)?;
        // On a contact's section the trajectory has struck by now; neighbours at the section have not.
        let rows = motion.surface_gradients_before(&start.state).unwrap_or_else(|| motion.surface_gradients());
        let base = Basis::along(&rows, &flowing);
        let directions = base.perturbations(&motion, &flowing);
        map.keep(motion);
        let motion = map.motion(start, 1, &directions).map_err(NoReturn::Start)?;
        Ok((base, motion))
    }

    /// All directions that lie in the surfaces of the closed contacts.
    pub(crate) fn at(motion: &Motion, flowing: &[usize]) -> Basis {
        Basis::along(&motion.surface_gradients(), flowing)
    }

    /// All directions, in the states that flow, along surfaces with these gradients.
    fn along(rows: &[Vec<f64>], flowing: &[usize]) -> Basis {
        let rows: Vec<Vec<f64>> = rows.iter().map(|row| flowing.iter().map(|&i| row[i]).collect()).collect();
        Basis::across(&rows, flowing.len())
    }

    /// All directions of a space of so many dimensions that are orthogonal to some rows.
    pub(crate) fn across(rows: &[Vec<f64>], states: usize) -> Basis {
        if rows.is_empty() {
            return Basis(Matrix::identity(states));
        }
        // Gram-Schmidt, twice, on the gradients and then on the unit vectors, the one that is left with most first.
        let mut span: Vec<Vec<f64>> = Vec::new();
        let orthogonal = |vector: &mut Vec<f64>, span: &[Vec<f64>]| {
            for _ in 0..2 {
                for known in span {
                    let part: f64 = known.iter().zip(vector.iter()).map(|(a, b)| a * b).sum();
                    vector.iter_mut().zip(known).for_each(|(x, a)| *x -= part * a);
                }
            }
            vector.iter().map(|x| x * x).sum::<f64>().sqrt()
        };
        for row in rows {
            let mut vector = row.clone();
            let size = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
            vector.iter_mut().for_each(|x| *x /= size.max(f64::MIN_POSITIVE));
            let length = orthogonal(&mut vector, &span);
            // Surfaces that touch each other take no dimension twice.
            if length > 1e-10 {
                vector.iter_mut().for_each(|x| *x /= length);
                span.push(vector);
            }
        }
        let normal = span.len();
        while span.len() < states {
            let unit = |j: usize| (0..states).map(|i| f64::from(i == j)).collect::<Vec<f64>>();
            let remainders = (0..states).map(|j| {
                let mut vector = unit(j);
                let length = orthogonal(&mut vector, &span);
                (length, vector)
            });
            let Some((length, mut vector)) = remainders.max_by(|a, b| a.0.total_cmp(&b.0)) else { break };
            vector.iter_mut().for_each(|x| *x /= length);
            span.push(vector);
        }
        Basis(Matrix::from_fn(states, states - normal, |i, j| span[normal + j][i]))
    }

    /// The number of directions.
    pub(crate) fn dimension(&self) -> usize {
        self.0.columns()
    }

    /// The directions as perturbations of the start of a motion.
    pub(crate) fn perturbations(&self, motion: &Motion, flowing: &[usize]) -> Vec<Perturbation> {
        let of_column = |j: usize| {
            let mut perturbation = Perturbation::of_state(motion.system(), 0);
            perturbation.state.fill(0.0);
            for (row, &i) in flowing.iter().enumerate() {
                perturbation.state[i] = self.0[(row, j)];
            }
            perturbation
        };
        (0..self.dimension()).map(of_column).collect()
    }

    /// Derivatives at a fixed time in the coordinates of this basis.
    pub(crate) fn coordinates(&self, derivatives: &Derivatives, flowing: &[usize]) -> Matrix {
        Matrix::from_fn(self.dimension(), derivatives.directions(), |k, j| {
            let state = derivatives.state(j);
            flowing.iter().enumerate().map(|(row, &i)| self.0[(row, k)] * state[i]).sum()
        })
    }
}

/// The factors in units of the size of each state, where all of them are written in the states: their product has the same
/// eigenvalues. Others stay as they are.
pub(crate) fn balanced(factors: &[Matrix], sizes: &[f64]) -> Vec<Matrix> {
    let full = factors.iter().all(|f| f.rows() == sizes.len() && f.columns() == sizes.len());
    let scaled = |f: &Matrix| Matrix::from_fn(f.rows(), f.columns(), |i, j| f[(i, j)] * sizes[j] / sizes[i]);
    if full { factors.iter().map(scaled).collect() } else { factors.to_vec() }
}

/// The eigenvalues of a cyclic chain of factors, the first applied first: largest modulus first, with zeros for the
/// dimensions that are lost on the way.
///
/// `dimension` is the number of eigenvalues; factor k has as many columns as the one before it has rows.
///
/// `ranks` is [`Ranks::Full`] or a bound below which singular values are zero.
///
/// # Errors
/// If a factor is not finite.
pub fn multipliers(factors: &[Matrix], dimension: usize, ranks: Ranks) -> Result<Vec<Multiplier>, Failure> {
    let zero = Multiplier { value: Complex::new(0.0, 0.0), log_modulus: f64::NEG_INFINITY, argument: 0.0 };
    let Some(first) = (0..factors.len()).min_by_key(|&k| factors[k].columns()) else {
        return Ok(Vec::new());
    };
    let smallest = factors[first].columns();
    // Between two places of smallest dimension the factors are multiplied: there the chain is square.
    let mut square: Vec<Matrix> = Vec::new();
    let mut open: Option<Matrix> = None;
    for k in (first..factors.len()).chain(0..first).filter(|_| smallest > 0) {
        let product = match open.take() {
            None => factors[k].clone(),
            Some(before) => factors[k].product(&before)?,
        };
        if product.rows() == smallest {
            square.push(product);
        } else {
            open = Some(product);
        }
    }
    let mut values = spectrum::multipliers(&square, ranks)?;
    values.resize(dimension.max(smallest), zero);
    Ok(values)
}
