//! The defining condition of a torus bifurcation: a pair of complex multipliers on the unit circle, by a complex bordered matrix.
//!
//! Where J contains a coupling C of perturbations to themselves, as the closing condition of an orbit does, a perturbation that
//! returns multiplied by exp(iφ) is in the kernel of the complex matrix K(u, φ) = J + (exp(iφ) - 1) C: φ = 0 is a fold, φ = π a
//! period doubling, and what lies between is a torus bifurcation of Neimark and Sacker. With φ as an unknown more ([`WithAngle`])
//! the real and imaginary part of the bordered g = 0 are two equations ([`Pair`]); complex matrices are written as real ones
//! of twice the size.

use saltation_numerics::dense::{Elimination, Failure as Singularity, Matrix};

use crate::augmented::{Condition, Curvature, Failure, balance};
use crate::test_function::part;
use crate::{Point, Problem, metric};

/// A family with the angle φ as one more unknown, the last one, on which its equations do not depend.
#[derive(Clone, Debug)]
pub struct WithAngle<P> {
    family: P,
    sizes: Vec<f64>,
    jacobian: Matrix,
}

impl<P: Problem> WithAngle<P> {
    /// Adds the angle, of size 1.
    pub fn new(family: P) -> Self {
        let sizes = family.sizes().iter().copied().chain([1.0]).collect();
        let jacobian = Matrix::zeros(family.equations(), family.unknowns());
        Self { family, sizes, jacobian }
    }

    /// The family, without the angle.
    pub fn family(&self) -> &P {
        &self.family
    }

    /// The family, without the angle.
    pub fn into_family(self) -> P {
        self.family
    }
}

impl<P: Problem> Problem for WithAngle<P> {
    type Failure = P::Failure;

    fn unknowns(&self) -> usize {
        self.sizes.len()
    }

    fn equations(&self) -> usize {
        self.family.equations()
    }

    fn sizes(&self) -> &[f64] {
        &self.sizes
    }

    fn evaluate(&mut self, u: &[f64], residual: &mut [f64], jacobian: &mut Matrix) -> Result<(), Self::Failure> {
        let angle = u.len() - 1;
        self.family.evaluate(&u[..angle], residual, &mut self.jacobian)?;
        let (of_family, of_angle) = jacobian.entries_mut().split_at_mut(self.jacobian.entries().len());
        of_family.copy_from_slice(self.jacobian.entries());
        of_angle.fill(0.0);
        Ok(())
    }
}

/// The condition that K = J\[columns\] + (exp(iφ) - 1) C is singular, for φ the last unknown: two equations, by a complex bordering.
///
/// Gradients are those of [`Singular`](crate::Singular), by differences along the real and the imaginary part of the null vector.
#[derive(Clone, Debug)]
pub struct Pair {
    columns: Vec<usize>,
    coupling: Matrix,
    widths: Vec<f64>,
    heights: Vec<f64>,
    /// b and c: real parts, then imaginary parts.
    b: Vec<f64>,
    c: Vec<f64>,
    re: Matrix,
    im: Matrix,
    right: Vec<f64>,
    left: Vec<f64>,
    elimination: Elimination,
    curvature: Curvature,
}

impl Pair {
    /// Borders for the family near u, whose last unknown is φ, where K should be nearly singular.
    pub fn new<P: Problem>(
        family: &mut P,
        u: &[f64],
        columns: Vec<usize>,
        coupling: Matrix,
    ) -> Result<Self, Failure<P::Failure>> {
        let (n, m) = (family.equations(), family.unknowns());
        let mismatch = |expected, found| Err(Failure::Condition(Singularity::Mismatch { expected, found }));
        if u.len() != m {
            return mismatch(m, u.len());
        }
        let mut jacobian = Matrix::zeros(n, m);
        family.evaluate(u, &mut vec![0.0; n], &mut jacobian).map_err(Failure::Family)?;
        let Some(mut k) = part(&jacobian, &columns, Some(&coupling)) else { return mismatch(n, columns.len()) };
        if n == 0 {
            return mismatch(1, 0);
        }
        let widths: Vec<f64> = columns.iter().map(|&column| family.sizes()[column]).collect();
        let heights = balance(&mut k, &widths);
        let mut pair = Self {
            columns,
            coupling,
            widths,
            heights,
            b: Vec::new(),
            c: Vec::new(),
            re: Matrix::zeros(n, n),
            im: Matrix::zeros(n, n),
            right: vec![0.0; 2 * (n + 1)],
            left: vec![0.0; 2 * (n + 1)],
            elimination: Elimination::default(),
            curvature: Curvature::new(n, m),
        };
        pair.fill(&jacobian, u[m - 1]);
        let real = Matrix::from_fn(2 * n, 2 * n, |i, j| pair.real(i % n, j % n, i / n, j / n));
        let (left, _, right) = real.singular_vectors().map_err(Failure::Condition)?;
        // The smallest singular value is there twice, for v and iv; any vector of its plane is a complex multiple of v.
        pair.b = left.column(2 * n - 1).to_vec();
        pair.c = right.column(2 * n - 1).to_vec();
        Ok(pair)
    }

    /// The null vector of K at the last evaluation, real and imaginary parts, in the units of the unknowns.
    pub fn null_vector(&self) -> (Vec<f64>, Vec<f64>) {
        let n = self.widths.len();
        let half = |from: usize| (0..n).map(|i| self.right[from + i] * self.widths[i]).collect();
        (half(0), half(n + 1))
    }

    /// K from the first rows of a Jacobian, scaled.
    fn fill(&mut self, jacobian: &Matrix, angle: f64) {
        let (sine, cosine) = angle.sin_cos();
        for (j, (&column, width)) in self.columns.iter().zip(&self.widths).enumerate() {
            for (i, height) in self.heights.iter().enumerate() {
                let (entry, coupling) = (jacobian[(i, column)], self.coupling[(i, j)]);
                self.re[(i, j)] = (entry + (cosine - 1.0) * coupling) * width / height;
                self.im[(i, j)] = sine * coupling * width / height;
            }
        }
    }

    /// An entry of K as a real matrix: the parts of the row and of the column are 0 for real and 1 for imaginary.
    fn real(&self, i: usize, j: usize, row: usize, column: usize) -> f64 {
        match (row, column) {
            (0, 0) | (1, 1) => self.re[(i, j)],
            (1, 0) => self.im[(i, j)],
            _ => -self.im[(i, j)],
        }
    }

    /// Real and imaginary part of g; v and w stay.
    fn measure(&mut self) -> Result<[f64; 2], Singularity> {
        let n = self.widths.len();
        let bordered = Matrix::from_fn(2 * (n + 1), 2 * (n + 1), |i, j| {
            let (row, column) = (i / (n + 1), j / (n + 1));
            let (i, j) = (i % (n + 1), j % (n + 1));
            // A column b and a row of the conjugates of c, each a complex number x + iy as [x -y; y x].
            let complex = |re: f64, im: f64| match (row, column) {
                (0, 0) | (1, 1) => re,
                (1, 0) => im,
                _ => -im,
            };
            match (i < n, j < n) {
                (true, true) => self.real(i, j, row, column),
                (true, false) => complex(self.b[i], self.b[n + i]),
                (false, true) => complex(self.c[j], -self.c[n + j]),
                (false, false) => 0.0,
            }
        });
        self.elimination.factor(&bordered)?;
        for solution in [&mut self.right, &mut self.left] {
            solution.fill(0.0);
            solution[n] = 1.0;
        }
        self.elimination.solve_in_place(&mut self.right)?;
        self.elimination.solve_transposed_in_place(&mut self.left)?;
        Ok([self.right[n], self.right[2 * n + 1]])
    }

    /// -w* (x + iy) for a column x + iy of dK v in the units of F, of which the parts come one after the other.
    fn slope(&self, parts: impl Fn(usize) -> (f64, f64)) -> [f64; 2] {
        let n = self.widths.len();
        let mut slope = [0.0; 2];
        for i in 0..n {
            let (x, y) = parts(i);
            let (re, im) = (self.left[i] / self.heights[i], self.left[n + 1 + i] / self.heights[i]);
            slope[0] -= re * x + im * y;
            slope[1] -= re * y - im * x;
        }
        slope
    }
}

impl<P: Problem> Condition<P> for Pair {
    fn equations(&self) -> usize {
        2
    }

    fn evaluate(
        &mut self,
        family: &mut P,
        u: &[f64],
        jacobian: &Matrix,
        values: &mut [f64],
        gradients: &mut Matrix,
    ) -> Result<(), Failure<P::Failure>> {
        let (n, angle) = (self.widths.len(), u.len() - 1);
        self.fill(jacobian, u[angle]);
        values.copy_from_slice(&self.measure().map_err(Failure::Condition)?);
        let (re, im) = self.null_vector();
        let mut second = Vec::with_capacity(2);
        for v in [&re, &im] {
            self.curvature.direction.fill(0.0);
            for (&column, v) in self.columns.iter().zip(v) {
                self.curvature.direction[column] = *v;
            }
            second.push(self.curvature.along(family, u, jacobian).map_err(Failure::Family)?.clone());
        }
        for k in 0..angle {
            let slope = self.slope(|i| (second[0][(i, k)], second[1][(i, k)]));
            gradients.column_mut(k).copy_from_slice(&slope);
        }
        // dK/dφ v = i exp(iφ) C v.
        let (sine, cosine) = u[angle].sin_cos();
        let slope = self.slope(|i| {
            let times = |v: &[f64]| (0..n).map(|j| self.coupling[(i, j)] * v[j]).sum::<f64>();
            let (x, y) = (times(&re), times(&im));
            (-sine * x - cosine * y, cosine * x - sine * y)
        });
        gradients.column_mut(angle).copy_from_slice(&slope);
        Ok(())
    }

    fn accepted(&mut self, _family: &P, point: &Point) {
        let n = self.widths.len();
        let Some(&angle) = point.unknowns.last() else { return };
        self.fill(&point.jacobian, angle);
        if self.measure().is_ok() {
            for (border, solution) in [(&mut self.b, &self.left), (&mut self.c, &self.right)] {
                border[..n].copy_from_slice(&solution[..n]);
                border[n..].copy_from_slice(&solution[n + 1..2 * n + 1]);
                metric::normalise(border);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::given;
    use crate::{Augmented, Curve, Settings};

    /// The delayed logistic map x -> a x (1 - y), y -> x + b (x - y): at the fixed point x = y = 1 - 1/a its Jacobian is
    /// [1, 1 - a; 1 + b, -b], and its determinant a (1 + b) - 1 - 2 b is 1 where its multipliers are exp(±iφ) with
    /// 2 cos φ = 1 - b.
    #[test]
    fn torus_bifurcations_of_the_delayed_logistic_map() {
        let family = given(&[1.0, 2.0, 1.0, 0.5], 2, |u, residual, jacobian| {
            let (x, y, a, b) = (u[0], u[1], u[2], u[3]);
            residual.copy_from_slice(&[a * x * (1.0 - y) - x, 1e3 * (x + b * (x - y) - y)]);
            jacobian.entries_mut().copy_from_slice(&[
                a * (1.0 - y) - 1.0,
                1e3 * (1.0 + b),
                -a * x,
                -1e3 * (1.0 + b),
                x * (1.0 - y),
                0.0,
                0.0,
                1e3 * (x - y),
            ]);
            Ok(())
        });
        let mut family = WithAngle::new(family);
        let start = [0.5, 0.5, 2.0, 0.01, 1.04];
        let coupling = Matrix::diagonal(&[-1.0, -1e3]);
        let pair = Pair::new(&mut family, &start, vec![0, 1], coupling).unwrap();
        let mut curve = Curve::start(Augmented::new(family, pair), &start, 3, Settings::default()).unwrap();
        while curve.point().unknowns[3] < 1.5 {
            let point = curve.advance().unwrap();
            // Wrong gradients would show here.
            assert!(point.iterations <= 4);
            let u = &point.unknowns;
            let (x, a, b, angle) = (u[0], u[2], u[3], u[4]);
            assert!((a * (1.0 + b) - 2.0 - 2.0 * b).abs() < 1e-12, "{u:?}");
            assert!((2.0 * angle.cos() - 1.0 + b).abs() < 1e-12 && (x - 1.0 + 1.0 / a).abs() < 1e-13, "{u:?}");
        }
        assert_eq!(curve.rejected(), 0);
    }
}
