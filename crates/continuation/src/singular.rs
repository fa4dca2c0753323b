//! A smooth scalar function that is zero exactly where a square matrix is singular, by bordering the matrix.
//!
//! For b and c near the left and the right null vector of K, the numbers g of [K b; c' 0] [v; g] = [0; 1] and of
//! [K' c; b' 0] [w; g] = [0; 1] are the same, and zero exactly where K is singular, where v and w are the null vectors. Other
//! than det K, g neither overflows nor vanishes to a higher order than the singularity has, and its derivatives are
//! g_k = -w' (dK/du_k) v (Govaerts, section 3.3; Kuznetsov, section 10.2.1).

use saltation_numerics::blocks::{BlockMatrix, Condensation};
use saltation_numerics::dense::Failure;

use crate::{metric, null};

/// The borders b and c of a family of matrices, and what they say about one of them.
///
/// ```
/// use saltation_continuation::singular::Bordering;
/// use saltation_numerics::dense::Matrix;
///
/// let mut bordering = Bordering::new(&Matrix::from_rows([[1.0, 2.0], [2.0, 4.1]]).into()).unwrap();
/// assert!(bordering.measure(&Matrix::from_rows([[1.0, 2.0], [2.0, 4.0]]).into()).unwrap().abs() < 1e-15);
/// let v = bordering.right();
/// assert!((v[0] + 2.0 * v[1]).abs() < 1e-15);
/// ```
#[derive(Clone, Debug)]
pub struct Bordering {
    b: Vec<f64>,
    c: Vec<f64>,
    bordered: BlockMatrix,
    elimination: Condensation,
    right: Vec<f64>,
    left: Vec<f64>,
}

impl Bordering {
    /// Borders for matrices near this one: its singular vectors of the least singular value. Fails if it is not square, has no
    /// rows, or is not finite.
    pub fn new(k: &BlockMatrix) -> Result<Self, Failure> {
        let n = k.rows();
        if n != k.columns() {
            return Err(Failure::NotSquare { rows: n, columns: k.columns() });
        }
        if n == 0 {
            return Err(Failure::Mismatch { expected: 1, found: 0 });
        }
        let mut bordering = Self {
            b: vec![0.0; n],
            c: vec![0.0; n],
            bordered: BlockMatrix::zeros(k.pattern().with_full_column().with_rows(1)),
            elimination: Condensation::default(),
            right: vec![0.0; n + 1],
            left: vec![0.0; n + 1],
        };
        if k.pattern().is_dense() {
            let (left, _, right) = k.full().singular_vectors()?;
            bordering.b.copy_from_slice(left.column(n - 1));
            bordering.c.copy_from_slice(right.column(n - 1));
        } else {
            bordering.approach(k)?;
        }
        Ok(bordering)
    }

    /// Finds the borders from arbitrary ones: v and w of one pair are the next.
    fn approach(&mut self, k: &BlockMatrix) -> Result<(), Failure> {
        null::start(&mut self.b);
        null::start(&mut self.c);
        for _ in 0..null::MOST_STEPS {
            self.measure(k)?;
            let (b, c) = (self.b.clone(), self.c.clone());
            self.update();
            if null::same(&b, &self.b) && null::same(&c, &self.c) {
                break;
            }
        }
        Ok(())
    }

    /// g, and with it v and w. Fails with [`Failure::Singular`] if the borders do not suit this matrix, which then is far from
    /// those they were made for, or singular twice.
    pub fn measure(&mut self, k: &BlockMatrix) -> Result<f64, Failure> {
        let n = self.b.len();
        if (k.rows(), k.columns()) != (n, n) {
            return Err(Failure::Mismatch { expected: n, found: k.rows() });
        }
        self.bordered.take(k);
        self.bordered.set_last_column(&self.b);
        self.bordered.set_last_row(&self.c);
        self.elimination.factor(&self.bordered)?;
        for solution in [&mut self.right, &mut self.left] {
            solution.fill(0.0);
            solution[n] = 1.0;
        }
        self.elimination.solve_in_place(&mut self.right)?;
        self.elimination.solve_transposed_in_place(&mut self.left)?;
        Ok(self.right[n])
    }

    /// v of the last matrix: its right null vector if it is singular.
    pub fn right(&self) -> &[f64] {
        &self.right[..self.c.len()]
    }

    /// w of the last matrix: its left null vector if it is singular.
    pub fn left(&self) -> &[f64] {
        &self.left[..self.b.len()]
    }

    /// Takes w and v of the last matrix, as unit vectors, for b and c. The zeros of g stay; nearby its sign does too, for
    /// b'w = c'v = 1.
    pub fn update(&mut self) {
        let n = self.b.len();
        self.b.copy_from_slice(&self.left[..n]);
        self.c.copy_from_slice(&self.right[..n]);
        metric::normalise(&mut self.b);
        metric::normalise(&mut self.c);
    }
}

#[cfg(test)]
mod tests {
    use saltation_numerics::dense::Matrix;

    use super::*;

    /// A matrix with singular values 3, 2 and s has |g| = s for its own singular vectors, and g changes its sign with s.
    #[test]
    fn g_is_the_least_singular_value() {
        let turn = |angle: f64| {
            let (s, c) = angle.sin_cos();
            let a = Matrix::from_rows([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]);
            let b = Matrix::from_rows([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]]);
            &a * &b
        };
        let with = |least| BlockMatrix::from(&(&turn(0.4) * &Matrix::diagonal(&[3.0, 2.0, least])) * &turn(1.1));
        let mut bordering = Bordering::new(&with(1e-3)).unwrap();
        let at = bordering.measure(&with(1e-3)).unwrap();
        assert!((at.abs() - 1e-3).abs() < 1e-15);
        assert!((bordering.measure(&with(-2e-3)).unwrap() / at + 2.0).abs() < 1e-12);
        bordering.update();
        assert!((bordering.measure(&with(4e-3)).unwrap() / at - 4.0).abs() < 1e-12);
        assert!(bordering.measure(&with(0.0)).unwrap().abs() < 1e-15);
        let residual = with(0.0).times(bordering.right());
        assert!(metric::euclidean(&residual) < 1e-15);
        let residual = with(0.0).transposed_times(bordering.left());
        assert!(metric::euclidean(&residual) < 1e-15);
    }

    #[test]
    fn what_cannot_be_bordered_says_why() {
        assert!(Bordering::new(&Matrix::zeros(0, 0).into()).is_err());
        assert!(Bordering::new(&Matrix::zeros(2, 3).into()).is_err());
        assert_eq!(Bordering::new(&Matrix::diagonal(&[f64::NAN]).into()).unwrap_err(), Failure::NotFinite);
        // Two null vectors are one too many for one border.
        let mut bordering = Bordering::new(&Matrix::diagonal(&[1.0, 0.0]).into()).unwrap();
        assert_eq!(bordering.measure(&Matrix::zeros(2, 2).into()), Err(Failure::Singular));
    }
}
