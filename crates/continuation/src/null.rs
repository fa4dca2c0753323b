//! Null vectors of matrices of blocks by borders: the solutions for one pair of borders are the next pair, an inverse iteration that is
//! regular where the matrix is singular.

use saltation_numerics::blocks::{BlockMatrix, Condensation};
use saltation_numerics::dense::Failure;

use crate::metric;

/// More steps than this do not make better borders: a matrix that is nearly singular needs two.
pub(crate) const MOST_STEPS: usize = 12;

/// Unit vectors this near to each other are the same border.
const SAME_VECTOR: f64 = 1e-6;

/// Fills a unit vector that is in no particular direction: the fractional parts of the multiples of the golden ratio, about zero.
pub(crate) fn start(x: &mut [f64]) {
    const GOLDEN_RATIO: f64 = 0.618_033_988_749_894_9;
    x.iter_mut().enumerate().for_each(|(k, x)| *x = ((k + 1) as f64 * GOLDEN_RATIO).fract() - 0.5);
    metric::normalise(x);
}

/// Whether two unit vectors are the same but for their sign.
pub(crate) fn same(a: &[f64], b: &[f64]) -> bool {
    let off = |sign: f64| a.iter().zip(b).all(|(a, b)| (a - sign * b).abs() <= SAME_VECTOR);
    off(1.0) || off(-1.0)
}

/// The unit vector that a matrix takes to zero which has a row less than columns, above a row for the border, which is overwritten.
pub(crate) fn kernel(bordered: &mut BlockMatrix, vector: &mut [f64]) -> Result<(), Failure> {
    if bordered.pattern().is_dense() {
        // With a row of zeros below, the last right singular vector is a null vector.
        bordered.set_last_row(&[]);
        let (_, _, right) = bordered.full().singular_vectors()?;
        vector.copy_from_slice(right.column(vector.len() - 1));
        return Ok(());
    }
    let mut condensation = Condensation::default();
    start(vector);
    for _ in 0..MOST_STEPS {
        let before = vector.to_vec();
        bordered.set_last_row(&before);
        condensation.factor(bordered)?;
        vector.fill(0.0);
        *vector.last_mut().expect("there is a border") = 1.0;
        condensation.solve_in_place(vector)?;
        metric::normalise(vector);
        if same(&before, vector) {
            break;
        }
    }
    Ok(())
}
