//! Test functions of Hopf bifurcations: one of the real parts of the complex pairs, in their order, changes its sign.
//!
//! Between two points of a curve with equally many complex pairs that finds every one of them, also where several cross at once.
//! Where pairs meet on the real axis in between, the product of lambda_i + lambda_j over all pairs of eigenvalues is zero where
//! they cross. It is the determinant of the bialternate product 2 A . 1 (Kuznetsov, Elements of Applied Bifurcation Theory, Sect. 10.2.2). It is
//! zero, too, for two real eigenvalues of opposite sign, where nothing begins. Complex pairs multiply in conjugates, so that its
//! sign is that of the real pairs' sums and of the real parts of conjugate pairs.

use saltation_numerics::dense;
use saltation_numerics::dense::Complex;
use saltation_numerics::elementary;

/// The oscillation that begins at a Hopf bifurcation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hopf {
    /// The frequency omega, of the eigenvalues i omega and -i omega.
    pub frequency: f64,
}

impl Hopf {
    /// The period 2 pi/omega.
    pub fn period(&self) -> f64 {
        std::f64::consts::TAU / self.frequency
    }
}

/// Sums smaller than this, relative to the largest eigenvalue, are rounding.
const SUM_ROUNDING: f64 = 1e-13;

/// The complex pairs by that one with the positive imaginary part, the largest real part first.
pub(super) fn complex(eigenvalues: &[Complex]) -> Vec<Complex> {
    let mut upper: Vec<Complex> = eigenvalues.iter().copied().filter(|z| z.im > 0.0).collect();
    upper.sort_by(|a, b| b.re.total_cmp(&a.re));
    upper
}

/// Whether a pair lies on the axis within rounding.
pub(super) fn on_axis(pair: Complex, eigenvalues: &[Complex]) -> bool {
    pair.re.abs() <= SUM_ROUNDING * largest(eigenvalues)
}

fn largest(eigenvalues: &[Complex]) -> f64 {
    eigenvalues.iter().fold(0.0, |m: f64, z| m.max(dense::modulus(z)))
}

/// The product by its sign and the logarithm of its modulus.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Product {
    pub sign: f64,
    pub logarithm: f64,
    /// Whether one of the sums is rounding: here, or all along the branch, as in a system without friction.
    pub vanishes: bool,
}

fn pairs(eigenvalues: &[Complex]) -> impl Iterator<Item = (Complex, Complex)> + '_ {
    eigenvalues.iter().enumerate().flat_map(|(i, &a)| eigenvalues[i + 1..].iter().map(move |&b| (a, b)))
}

fn sum(a: Complex, b: Complex) -> f64 {
    elementary::hypot(a.re + b.re, a.im + b.im)
}

/// The product of all sums of two; none of less than two.
pub(super) fn product(eigenvalues: &[Complex]) -> Option<Product> {
    let largest = largest(eigenvalues);
    let mut product = Product { sign: 1.0, logarithm: 0.0, vanishes: false };
    for (a, b) in pairs(eigenvalues) {
        if a.im == -b.im {
            product.sign *= (a.re + b.re).signum();
        }
        product.logarithm += elementary::ln(sum(a, b));
        product.vanishes |= sum(a, b) <= SUM_ROUNDING * largest;
    }
    (eigenvalues.len() > 1 && !product.logarithm.is_nan()).then_some(product)
}

/// The oscillation of the pair whose sum is nearest to zero, if it is a complex one.
pub(super) fn crossing(eigenvalues: &[Complex]) -> Option<Hopf> {
    let (a, b) = pairs(eigenvalues).min_by(|x, y| sum(x.0, x.1).total_cmp(&sum(y.0, y.1)))?;
    (a.im != 0.0 && a.im == -b.im).then_some(Hopf { frequency: a.im.abs() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(list: &[(f64, f64)]) -> Vec<Complex> {
        list.iter().map(|&(re, im)| Complex::new(re, im)).collect()
    }

    #[test]
    fn the_sign_is_that_of_the_whole_product() {
        for list in [
            &[(-1.0, 2.0), (-1.0, -2.0), (-3.0, 0.0)][..],
            &[(0.5, 2.0), (0.5, -2.0), (-3.0, 0.0), (1.0, 0.0)],
            &[(0.5, 2.0), (0.5, -2.0), (-0.3, 1.0), (-0.3, -1.0)],
            &[(3.0, 0.0), (-1.0, 0.0), (-4.0, 0.0)],
        ] {
            let list = numbers(list);
            let whole = pairs(&list).fold((1.0, 0.0), |(re, im), (a, b)| {
                let (x, y) = (a.re + b.re, a.im + b.im);
                (re * x - im * y, re * y + im * x)
            });
            let product = product(&list).unwrap();
            assert!(whole.1.abs() < 1e-12 * whole.0.abs());
            assert!((product.sign * product.logarithm.exp() - whole.0).abs() < 1e-12 * whole.0.abs());
        }
    }

    #[test]
    fn two_real_ones_of_opposite_sign_are_no_oscillation() {
        assert_eq!(crossing(&numbers(&[(1.0, 0.0), (-0.1, 3.0), (-0.1, -3.0), (-1.0, 0.0)])), None);
        let hopf = crossing(&numbers(&[(1.0, 0.0), (1e-12, 3.0), (1e-12, -3.0), (-2.0, 0.0)])).unwrap();
        assert_eq!(hopf.frequency, 3.0);
        assert_eq!(product(&numbers(&[(-1.0, 0.0)])), None);
    }
}
