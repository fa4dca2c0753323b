//! The defining condition of a torus bifurcation: a pair of complex multipliers on the unit circle, by a complex bordered matrix.
//!
//! Where J contains a coupling C of perturbations to themselves, as the closing condition of an orbit does, a perturbation that
//! returns multiplied by exp(iφ) is in the kernel of the complex matrix K(u, φ) = J + (exp(iφ) - 1) C: φ = 0 is a fold, φ = π a
//! period doubling, and what lies between is a torus bifurcation of Neimark and Sacker. With φ as an unknown more ([`WithAngle`])
//! the real and imaginary part of the bordered g = 0 are two equations ([`Pair`]); complex matrices are written as real ones
//! of twice the size.

use saltation_numerics::blocks::{BlockMatrix, Condensation, Pattern};
use saltation_numerics::dense::{Failure as Singularity, Matrix};
use saltation_numerics::elementary;

use crate::augmented::{Condition, Curvature, Failure, balance};
use crate::test_function::{Change, part};
use crate::{Point, Problem, evaluate_densely, metric, null};

/// A family with the angle φ as one more unknown, the last one, on which its equations do not depend.
#[derive(Clone, Debug)]
pub struct WithAngle<P> {
    family: P,
    sizes: Vec<f64>,
    jacobian: BlockMatrix,
}

impl<P: Problem> WithAngle<P> {
    /// Adds the angle, of size 1.
    pub fn new(family: P) -> Self {
        let sizes = family.sizes().iter().copied().chain([1.0]).collect();
        let jacobian = BlockMatrix::zeros(family.pattern());
        Self { family, sizes, jacobian }
    }

    /// The family, without the angle.
    pub fn family(&self) -> &P {
        &self.family
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
        evaluate_densely(self, u, residual, jacobian)
    }

    fn pattern(&self) -> Pattern {
        self.jacobian.pattern().with_column()
    }

    fn linearise(&mut self, u: &[f64], residual: &mut [f64], jacobian: &mut BlockMatrix) -> Result<(), Self::Failure> {
        let angle = u.len() - 1;
        self.family.linearise(&u[..angle], residual, &mut self.jacobian)?;
        jacobian.take(&self.jacobian);
        jacobian.full_mut().column_mut(angle).fill(0.0);
        Ok(())
    }
}

/// The condition that K = J\[columns\] + (exp(iφ) - 1) C is singular, for φ the last unknown: two equations, by a complex bordering.
///
/// Every complex number stands as two real ones, one after the other. Gradients are those of [`Singular`](crate::Singular), by
/// differences along the real and the imaginary part of the null vector.
#[derive(Clone, Debug)]
pub struct Pair {
    columns: Vec<usize>,
    /// C by its entries.
    coupling: Vec<Change>,
    widths: Vec<f64>,
    heights: Vec<f64>,
    b: Vec<f64>,
    c: Vec<f64>,
    /// J\[columns\], scaled.
    k: BlockMatrix,
    bordered: BlockMatrix,
    right: Vec<f64>,
    left: Vec<f64>,
    condensation: Condensation,
    curvature: Curvature,
}

impl Pair {
    /// Borders for the family near u, whose last unknown is φ, where K should be nearly singular.
    pub fn new<P: Problem>(
        family: &mut P,
        u: &[f64],
        columns: Vec<usize>,
        coupling: Vec<Change>,
    ) -> Result<Self, Failure<P::Failure>> {
        let (n, m) = (family.equations(), family.unknowns());
        let mismatch = |expected, found| Err(Failure::Condition(Singularity::Mismatch { expected, found }));
        if u.len() != m {
            return mismatch(m, u.len());
        }
        let mut jacobian = BlockMatrix::zeros(family.pattern());
        family.linearise(u, &mut vec![0.0; n], &mut jacobian).map_err(Failure::Family)?;
        let Some(mut k) = part(&jacobian, &columns, &coupling) else { return mismatch(n, columns.len()) };
        if n == 0 {
            return mismatch(1, 0);
        }
        let widths: Vec<f64> = columns.iter().map(|&column| family.sizes()[column]).collect();
        let heights = balance(&mut k, &widths);
        let mut pair = Self {
            bordered: BlockMatrix::zeros(k.pattern().with_full_column().with_rows(1).complex()),
            columns,
            coupling,
            widths,
            heights,
            b: vec![0.0; 2 * n],
            c: vec![0.0; 2 * n],
            k,
            right: vec![0.0; 2 * (n + 1)],
            left: vec![0.0; 2 * (n + 1)],
            condensation: Condensation::default(),
            curvature: Curvature::new(family.pattern()),
        };
        pair.fill(&jacobian, u[m - 1]);
        null::start(&mut pair.b);
        null::start(&mut pair.c);
        for _ in 0..null::MOST_STEPS {
            pair.measure().map_err(Failure::Condition)?;
            pair.update();
        }
        Ok(pair)
    }

    /// The null vector of K at the last evaluation, real and imaginary parts, in the units of the unknowns.
    pub fn null_vector(&self) -> (Vec<f64>, Vec<f64>) {
        let part =
            |of: usize| self.widths.iter().enumerate().map(|(i, width)| self.right[2 * i + of] * width).collect();
        (part(0), part(1))
    }

    /// K from the first rows of a Jacobian, scaled, without its borders.
    fn fill(&mut self, jacobian: &BlockMatrix, angle: f64) {
        self.k.take_columns(jacobian, &self.columns);
        self.k.scale_columns(&self.widths);
        self.k.divide_rows(&self.heights);
        let bordered = &mut self.bordered;
        bordered.clear();
        self.k.for_each(|i, j, x| add(bordered, i, j, (x, 0.0)));
        let (sine, cosine) = elementary::sin_cos(angle);
        for &(i, j, coupling) in &self.coupling {
            let scaled = coupling * self.widths[j] / self.heights[i];
            add(bordered, i, j, ((cosine - 1.0) * scaled, sine * scaled));
        }
    }

    /// Real and imaginary part of g for the K that was filled in; v and w stay.
    fn measure(&mut self) -> Result<[f64; 2], Singularity> {
        let n = self.widths.len();
        for (k, (b, c)) in self.b.chunks_exact(2).zip(self.c.chunks_exact(2)).enumerate() {
            // A column b and a row of the conjugates of c.
            set(&mut self.bordered, k, n, (b[0], b[1]));
            set(&mut self.bordered, n, k, (c[0], -c[1]));
        }
        self.condensation.factor(&self.bordered)?;
        for solution in [&mut self.right, &mut self.left] {
            solution.fill(0.0);
            solution[2 * n] = 1.0;
        }
        self.condensation.solve_in_place(&mut self.right)?;
        self.condensation.solve_transposed_in_place(&mut self.left)?;
        Ok([self.right[2 * n], self.right[2 * n + 1]])
    }

    /// Takes v and w for the borders.
    fn update(&mut self) {
        for (border, solution) in [(&mut self.b, &self.left), (&mut self.c, &self.right)] {
            border.copy_from_slice(&solution[..solution.len() - 2]);
            metric::normalise(border);
        }
    }

    /// -w* (x + iy) for a column x + iy of dK v in the units of F.
    fn slope(&self, x: &[f64], y: &[f64]) -> [f64; 2] {
        let mut slope = [0.0; 2];
        for (i, height) in self.heights.iter().enumerate() {
            let (re, im) = (self.left[2 * i] / height, self.left[2 * i + 1] / height);
            slope[0] -= re * x[i] + im * y[i];
            slope[1] -= re * y[i] - im * x[i];
        }
        slope
    }
}

/// The four real numbers that a complex number is as a matrix: rows, columns and values.
fn cells(i: usize, j: usize, (re, im): (f64, f64)) -> [(usize, usize, f64); 4] {
    let (i, j) = (2 * i, 2 * j);
    [(i, j, re), (i + 1, j, im), (i, j + 1, -im), (i + 1, j + 1, re)]
}

fn add(matrix: &mut BlockMatrix, i: usize, j: usize, entry: (f64, f64)) {
    cells(i, j, entry).into_iter().for_each(|(i, j, x)| matrix[(i, j)] += x);
}

fn set(matrix: &mut BlockMatrix, i: usize, j: usize, entry: (f64, f64)) {
    cells(i, j, entry).into_iter().for_each(|(i, j, x)| matrix[(i, j)] = x);
}

impl<P: Problem> Condition<P> for Pair {
    fn equations(&self) -> usize {
        2
    }

    fn evaluate(
        &mut self,
        family: &mut P,
        u: &[f64],
        jacobian: &BlockMatrix,
        values: &mut [f64],
        gradients: &mut Matrix,
    ) -> Result<(), Failure<P::Failure>> {
        let (n, angle) = (self.widths.len(), u.len() - 1);
        self.fill(jacobian, u[angle]);
        values.copy_from_slice(&self.measure().map_err(Failure::Condition)?);
        let (re, im) = self.null_vector();
        let (mut of_re, mut of_im) = (Vec::with_capacity(n), Vec::with_capacity(n));
        for (i, height) in self.heights.iter().enumerate() {
            of_re.push(self.left[2 * i] / height);
            of_im.push(self.left[2 * i + 1] / height);
        }
        gradients.entries_mut().fill(0.0);
        // Row 0: -(w_re x + w_im y), row 1: -(w_re y - w_im x), for the columns x + iy of D²F [v, .].
        for (v, signs) in [(&re, [(0, -1.0), (1, 1.0)]), (&im, [(1, -1.0), (0, -1.0)])] {
            self.curvature.direction.fill(0.0);
            for (&column, v) in self.columns.iter().zip(v) {
                self.curvature.direction[column] = *v;
            }
            let second = self.curvature.along(family, u, jacobian).map_err(Failure::Family)?;
            for (w, (row, sign)) in [&of_re, &of_im].into_iter().zip(signs) {
                let along = second.transposed_times(w);
                (0..angle).for_each(|k| gradients[(row, k)] += sign * along[k]);
            }
        }
        // dK/dφ v = i exp(iφ) C v.
        let (sine, cosine) = elementary::sin_cos(u[angle]);
        let (mut x, mut y) = (vec![0.0; n], vec![0.0; n]);
        for &(i, j, coupling) in &self.coupling {
            x[i] += coupling * (-sine * re[j] - cosine * im[j]);
            y[i] += coupling * (cosine * re[j] - sine * im[j]);
        }
        let slope = self.slope(&x, &y);
        gradients.column_mut(angle).copy_from_slice(&slope);
        Ok(())
    }

    fn accepted(&mut self, _family: &P, point: &Point) {
        let Some(&angle) = point.unknowns.last() else { return };
        self.fill(&point.jacobian, angle);
        if self.measure().is_ok() {
            self.update();
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
        let coupling = vec![(0, 0, -1.0), (1, 1, -1e3)];
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
