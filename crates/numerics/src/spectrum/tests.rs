use proptest::prelude::*;

use super::*;
use crate::exact::DoubleDouble;
use crate::number::Number;

fn matrix(n: usize) -> impl Strategy<Value = Matrix> {
    prop::collection::vec(-1.0..1.0, n * n).prop_map(move |entries| Matrix::from_columns(n, n, entries).unwrap())
}

fn orthogonal(n: usize) -> impl Strategy<Value = Matrix> {
    matrix(n).prop_map(|a| a.qr().unwrap().0)
}

/// Any chain of `lengths` factors of `sizes` rows.
fn chain(sizes: core::ops::Range<usize>, lengths: core::ops::Range<usize>) -> impl Strategy<Value = Vec<Matrix>> {
    (sizes, lengths).prop_flat_map(|(n, count)| prop::collection::vec(matrix(n), count))
}

/// Q_k T_k Q_{k-1}ᵀ with random orthogonal Q_k, around the chain.
fn hidden(triangles: &[Matrix], bases: &[Matrix]) -> Vec<Matrix> {
    let count = triangles.len();
    (0..count).map(|k| &(&bases[(k + 1) % count] * &triangles[k]) * &bases[k].transpose()).collect()
}

type Exact = Vec<Vec<DoubleDouble>>;

fn exact(a: &Matrix) -> Exact {
    (0..a.rows()).map(|i| (0..a.columns()).map(|j| a[(i, j)].into()).collect()).collect()
}

fn times(a: &Exact, b: &Exact) -> Exact {
    let n = a.len();
    let entry = |i: usize, j: usize| (0..n).fold(DoubleDouble::ZERO, |sum, k| sum + a[i][k] * b[k][j]);
    (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect()
}

fn exact_product(factors: &[Matrix]) -> Exact {
    factors[1..].iter().fold(exact(&factors[0]), |product, a| times(&exact(a), &product))
}

fn trace(a: &Exact) -> f64 {
    (0..a.len()).fold(DoubleDouble::ZERO, |sum, i| sum + a[i][i]).value()
}

/// By elimination without a choice of pivots but the largest, in thirty digits.
fn exact_determinant(mut a: Exact) -> f64 {
    let n = a.len();
    let mut determinant = DoubleDouble::ONE;
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[i][k].hi.abs().total_cmp(&a[j][k].hi.abs())).unwrap();
        if pivot != k {
            a.swap(pivot, k);
            determinant = -determinant;
        }
        determinant *= a[k][k];
        for i in k + 1..n {
            let factor = a[i][k] / a[k][k];
            let pivot_row = a[k].clone();
            a[i].iter_mut().zip(pivot_row).for_each(|(entry, pivot)| *entry -= factor * pivot);
        }
    }
    determinant.value()
}

/// The sum of the j-th powers of the multipliers.
fn power_sum(multipliers: &[Multiplier], j: i32) -> f64 {
    multipliers.iter().map(|m| m.value.norm().powi(j) * (f64::from(j) * m.argument).cos()).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Traces of powers of the product, formed in thirty digits, to what rounding in each factor can change.
    #[test]
    fn power_sums_agree_with_the_product_in_thirty_digits(factors in chain(1..7, 1..51)) {
        let n = factors[0].rows();
        let found = multipliers(&factors, Ranks::Full).unwrap();
        prop_assert_eq!(found.len(), n);
        let product = exact_product(&factors);
        let norm = |a: &Matrix| a.frobenius_norm();
        // The sum over k of |A_N ... A_{k+1}| |A_k| |A_{k-1} ... A_1|.
        let mut sensitivity = 0.0;
        for k in 0..factors.len() {
            let before = factors[..k].iter().fold(Matrix::identity(n), |p, a| a * &p);
            let after = factors[k + 1..].iter().fold(Matrix::identity(n), |p, a| a * &p);
            sensitivity += norm(&before) * norm(&factors[k]) * norm(&after);
        }
        let whole = norm(&factors.iter().fold(Matrix::identity(n), |p, a| a * &p));
        let mut power = product.clone();
        for j in 1..=n as i32 {
            let allowed = 20.0 * f64::EPSILON * f64::from(j) * whole.powi(j - 1) * sensitivity;
            let error = (power_sum(&found, j) - trace(&power)).abs();
            prop_assert!(error <= allowed, "power {}: error {:e}, allowed {:e}", j, error, allowed);
            power = times(&power, &product);
        }
    }

    /// The logarithm of the determinant is the sum of those of the factors, to the condition of each.
    #[test]
    fn moduli_multiply_to_the_determinant(factors in chain(1..7, 1..51)) {
        let found = multipliers(&factors, Ranks::Full).unwrap();
        let mut allowed = 0.0;
        let mut expected = 0.0;
        for a in &factors {
            let values = a.singular_values().unwrap();
            allowed += 20.0 * f64::EPSILON * values[0] / values[a.rows() - 1];
            expected += exact_determinant(exact(a)).abs().ln();
            allowed += f64::EPSILON * expected.abs();
        }
        prop_assume!(allowed < 1e-3);
        let sum: f64 = found.iter().map(|m| m.log_modulus).sum();
        prop_assert!((sum - expected).abs() <= allowed, "{} against {}, allowed {:e}", sum, expected, allowed);
    }

    /// Multipliers from 10⁶⁰ to 10⁻⁶⁰ side by side: products of diagonals that orthogonal bases hide.
    #[test]
    fn graded_multipliers_all_have_their_digits(
        (triangles, bases) in (2usize..6).prop_flat_map(|n| {
            let triangle = matrix(n).prop_map(move |a| Matrix::from_fn(n, n, |i, j| match i {
                _ if i > j => 0.0,
                _ if i == j => 2f64.powi(1 - i as i32) * (1.0 + 0.05 * a[(i, j)]),
                _ => 0.5 * a[(i, j)],
            }));
            (prop::collection::vec(triangle, 200), prop::collection::vec(orthogonal(n), 200))
        }),
    ) {
        let found = multipliers(&hidden(&triangles, &bases), Ranks::ROUNDING).unwrap();
        for (i, m) in found.iter().enumerate() {
            let expected: f64 = triangles.iter().map(|t| t[(i, i)].ln()).sum();
            prop_assert!((m.log_modulus - expected).abs() < 1e-11, "{}: {} {}", i, m.log_modulus, expected);
            prop_assert!(m.argument == 0.0 && m.value.im == 0.0);
        }
    }

    /// A factor with rank n - 1 or n - 2, anywhere, known or found, gives one or two exact zeros and does not change the other eigenvalues.
    #[test]
    fn lost_directions_are_exact_zeros(
        factors in chain(2..7, 1..31),
        place in any::<prop::sample::Index>(),
        lost in 1usize..3,
        huge in -150i32..150,
    ) {
        let n = factors[0].rows();
        let place = place.index(factors.len());
        let mut factors = factors;
        let smallest = factors.iter().map(|a| a.singular_values().unwrap()[n - 1]).fold(1.0, f64::min);
        prop_assume!(smallest > 1e-6);
        let (q, r) = factors[place].qr().unwrap();
        let forget = Matrix::from_fn(n, n, |i, j| if i + lost < n { r[(i, j)] } else { 0.0 });
        factors[place] = (&q * &forget).scaled(10f64.powi(huge));
        let mut ranks = vec![n; factors.len()];
        ranks[place] = n - lost;
        let known = multipliers(&factors, Ranks::Known(&ranks)).unwrap();
        let judged = multipliers(&factors, Ranks::ROUNDING).unwrap();
        for found in [&known, &judged] {
            prop_assert_eq!(found.len(), n);
            prop_assert_eq!(found.iter().filter(|m| m.log_modulus == f64::NEG_INFINITY).count(), lost.min(n));
            prop_assert!(found[n - lost..].iter().all(|m| m.value == Complex::default() && m.argument == 0.0));
        }
        prop_assert_eq!(known, judged);
    }

    /// Complex pairs beside each other, one growing and one decaying by 10¹²⁰ in all, hidden by orthogonal bases.
    #[test]
    fn graded_pairs_keep_their_angles_and_sizes(
        angles in prop::collection::vec((0.0..0.01, 0.0..0.01), 200),
        couplings in prop::collection::vec(matrix(2), 200),
        bases in prop::collection::vec(orthogonal(4), 200),
    ) {
        let blocks: Vec<Matrix> = angles.iter().zip(&couplings).map(|(&(first, second), coupling)| {
            let (first, second) = (turn(first).scaled(2.0), turn(second).scaled(0.5));
            Matrix::from_fn(4, 4, |i, j| match (i / 2, j / 2) {
                (0, 0) => first[(i, j)],
                (1, 1) => second[(i - 2, j - 2)],
                (0, 1) => coupling[(i, j - 2)],
                _ => 0.0,
            })
        }).collect();
        let found = multipliers(&hidden(&blocks, &bases), Ranks::ROUNDING).unwrap();
        let sums = [angles.iter().map(|a| a.0).sum::<f64>(), angles.iter().map(|a| a.1).sum()];
        for (k, m) in found.iter().enumerate() {
            let (size, angle) = (if k < 2 { 200.0 } else { -200.0 }, if k % 2 == 0 { sums[k / 2] } else { -sums[k / 2] });
            prop_assert!((m.log_modulus - size * std::f64::consts::LN_2).abs() < 1e-11);
            prop_assert!((m.argument - angle).abs() < 1e-11, "{} against {}", m.argument, angle);
        }
    }

    /// Singular factors of all kinds; the traces of small integers are known exactly.
    #[test]
    fn small_integers_have_their_trace(
        entries in prop::collection::vec(-1i32..2, 96),
        n in 1usize..5,
        count in 1usize..7,
    ) {
        let factor = |k: usize| Matrix::from_fn(n, n, |i, j| f64::from(entries[16 * k + 4 * i + j]));
        let factors: Vec<Matrix> = (0..count).map(factor).collect();
        let trace = trace(&exact_product(&factors));
        let size = factors.iter().map(Matrix::frobenius_norm).product::<f64>().max(1.0);
        for ranks in [Ranks::Full, Ranks::ROUNDING] {
            let found = multipliers(&factors, ranks).unwrap();
            prop_assert_eq!(found.len(), n);
            prop_assert!((power_sum(&found, 1) - trace).abs() <= 1e-14 * size, "{:?}", ranks);
        }
    }

    /// Exactly singular factors without known ranks.
    #[test]
    fn undeclared_zeros_do_no_harm(
        factors in chain(2..8, 1..40),
        place in any::<prop::sample::Index>(),
        kind in 0..5,
    ) {
        let (n, place, mut factors) = (factors[0].rows(), place.index(factors.len()), factors);
        let column = factors[place].column(0).to_vec();
        match kind {
            0 => factors[place].column_mut(1).copy_from_slice(&column),
            1 => factors[place].column_mut(n - 1).fill(0.0),
            2 => (0..n).for_each(|j| factors[place][(0, j)] = 0.0),
            3 => factors[place] = Matrix::from_fn(n, n, |i, j| column[i] * column[j]),
            _ => factors.iter_mut().for_each(|a| a.column_mut(0).fill(0.0)),
        }
        prop_assert_eq!(multipliers(&factors, Ranks::Full).map(|all| all.len()), Ok(n));
        let found = multipliers(&factors, Ranks::ROUNDING).unwrap();
        prop_assert_eq!(found.len(), n);
        prop_assert_eq!(found[n - 1].log_modulus, f64::NEG_INFINITY);
    }

    #[test]
    fn one_factor_is_a_matrix(a in (0usize..9).prop_flat_map(matrix)) {
        let found = multipliers(std::slice::from_ref(&a), Ranks::Full).unwrap();
        let expected = a.eigenvalues().unwrap();
        prop_assert_eq!(found.len(), expected.len());
        let nearest = |z: Complex| found.iter().map(|m| (m.value.re - z.re).hypot(m.value.im - z.im)).fold(9.0, f64::min);
        let gap = (0..expected.len()).flat_map(|i| (0..i).map(move |j| (i, j)))
            .map(|(i, j)| (expected[i].re - expected[j].re).hypot(expected[i].im - expected[j].im)).fold(9.0, f64::min);
        prop_assume!(gap > 1e-2);
        prop_assert!(expected.iter().all(|&z| nearest(z) < 1e-10));
    }

    /// Factors with entries up to 10^±150, whose sizes multiply to one number far outside the range of f64.
    #[test]
    fn sizes_do_not_matter(factors in chain(1..5, 1..20), sizes in prop::collection::vec(-498i32..498, 20)) {
        let scaled: Vec<Matrix> = factors.iter().zip(&sizes).map(|(a, &k)| a.clone().scaled(2f64.powi(k))).collect();
        let plain = multipliers(&factors, Ranks::Full).unwrap();
        let shift: i32 = sizes[..factors.len()].iter().sum();
        for (m, plain) in multipliers(&scaled, Ranks::Full).unwrap().iter().zip(plain) {
            let expected = plain.log_modulus + f64::from(shift) * std::f64::consts::LN_2;
            let close = (m.log_modulus - expected).abs() <= 1e-12 * (1.0 + expected.abs());
            prop_assert!(close || m.log_modulus == expected); // both are minus infinity where a factor is zero
            prop_assert_eq!(m.argument, plain.argument);
            // Subnormal numbers have fewer digits, whatever they come from.
            let expected = times_power_of_two(plain.value.re, shift.into());
            prop_assert!(m.value.re == expected || expected.abs() < f64::MIN_POSITIVE);
        }
    }

    /// A double eigenvalue split by rounding still has the trace and the determinant of the product.
    #[test]
    fn nearly_defective_pairs_have_trace_and_determinant(
        split in -1e-9..1e-9,
        bases in prop::collection::vec(orthogonal(2), 5),
        angle in -3.0..3.0,
    ) {
        let (sine, cosine) = f64::sin_cos(angle * split);
        let triangles: Vec<Matrix> = (0..5)
            .map(|k| Matrix::from_rows([[1.5 * cosine, 1.0 + f64::from(k)], [split * sine - split, 1.5 * cosine]]))
            .collect();
        let factors = hidden(&triangles, &bases);
        let product = exact_product(&factors);
        let found = multipliers(&factors, Ranks::Full).unwrap();
        let sum: f64 = found.iter().map(|m| m.value.re).sum();
        let determinant: f64 = found[0].value.norm() * found[1].value.norm();
        prop_assert!((sum / trace(&product) - 1.0).abs() < 1e-13, "{} {}", sum, trace(&product));
        prop_assert!((determinant / exact_determinant(product) - 1.0).abs() < 1e-13);
    }
}

fn turn(angle: f64) -> Matrix {
    let (sine, cosine) = angle.sin_cos();
    Matrix::from_rows([[cosine, -sine], [sine, cosine]])
}

#[test]
fn turns_add_their_angles() {
    let angles: Vec<f64> = (0..100).map(|k| 0.01 + 0.0001 * f64::from(k)).collect();
    let total: f64 = angles.iter().sum();
    let found =
        multipliers(&angles.iter().map(|&angle| turn(angle).scaled(1e5)).collect::<Vec<_>>(), Ranks::Full).unwrap();
    assert!((found[0].argument - total).abs() < 1e-13);
    assert!((found[0].log_modulus - 500.0 * 10f64.ln()).abs() < 1e-11);
    assert_eq!(found[0].value.re.abs(), f64::INFINITY);
    assert_eq!(found[1].argument, -found[0].argument);
    let small = multipliers(&vec![turn(0.01).scaled(1e-5); 100], Ranks::Full).unwrap();
    assert_eq!((small.len(), small[0].value, small[1].value.re), (2, Complex::default(), 0.0));
    assert!((small[0].argument - 1.0).abs() < 1e-13 && (small[1].argument + 1.0).abs() < 1e-13);
}

#[test]
fn identities_numbers_and_nothing() {
    for n in 1..7 {
        for m in multipliers(&vec![Matrix::identity(n); 30], Ranks::ROUNDING).unwrap() {
            assert_eq!((m.value, m.log_modulus), (Complex::new(1.0, 0.0), 0.0));
        }
        for m in multipliers(&[Matrix::zeros(n, n), Matrix::identity(n)], Ranks::Full).unwrap() {
            assert_eq!(m.value, Complex::default());
        }
        for m in multipliers(&[Matrix::identity(n), Matrix::zeros(n, n)], Ranks::ROUNDING).unwrap() {
            assert_eq!(m.log_modulus, f64::NEG_INFINITY);
        }
    }
    let numbers: Vec<Matrix> = [2.0, -3.0, 0.5].iter().map(|&x| Matrix::diagonal(&[x])).collect();
    let product = multipliers(&numbers, Ranks::Full).unwrap()[0];
    assert_eq!((product.value, product.argument), (Complex::new(-3.0, 0.0), std::f64::consts::PI));
    assert_eq!(multipliers(&[], Ranks::Full), Ok(vec![]));
    assert_eq!(multipliers(&[Matrix::zeros(0, 0)], Ranks::ROUNDING), Ok(vec![]));
}

/// Every factor has rank n - 1, and their product is zero.
#[test]
fn a_nilpotent_product_has_only_zeros() {
    for n in 1..6 {
        let shift = Matrix::from_fn(n, n, |i, j| f64::from(i + 1 == j));
        for count in 1..5 {
            let chain = vec![shift.clone(); count];
            for ranks in [Ranks::Full, Ranks::ROUNDING, Ranks::Known(&vec![n - 1; count])] {
                for m in multipliers(&chain, ranks).unwrap() {
                    assert_eq!(m.value, Complex::default(), "{n} {count} {ranks:?}");
                }
            }
        }
    }
}

/// Cyclic shifts, on which a QR step without a shift does nothing: the n-th roots of one.
#[test]
fn cycles_are_no_trap() {
    for n in 1..8 {
        let cycle = Matrix::from_fn(n, n, |i, j| f64::from(i == (j + 1) % n));
        for count in [1, 2, 3, 7] {
            let found = multipliers(&vec![cycle.clone(); count], Ranks::ROUNDING).unwrap();
            for m in found {
                assert!(m.log_modulus.abs() < 1e-13);
                let turns = m.argument * n as f64 / std::f64::consts::TAU;
                assert!((turns - turns.round()).abs() < 1e-12, "{n} {count} {turns}");
            }
        }
    }
}

#[test]
fn what_is_no_chain_says_why() {
    let (two, three) = (Matrix::identity(2), Matrix::identity(3));
    let nan = Matrix::diagonal(&[1.0, f64::NAN]);
    assert_eq!(multipliers(&[two.clone(), three], Ranks::Full), Err(Failure::Mismatch { expected: 2, found: 3 }));
    assert_eq!(multipliers(&[nan], Ranks::Full), Err(Failure::NotFinite));
    assert_eq!(multipliers(&[Matrix::zeros(2, 1)], Ranks::Full), Err(Failure::NotSquare { rows: 2, columns: 1 }));
    let short = multipliers(std::slice::from_ref(&two), Ranks::Known(&[]));
    assert_eq!(short, Err(Failure::Mismatch { expected: 1, found: 0 }));
    assert_eq!(multipliers(&[two], Ranks::Within(f64::NAN)), Err(Failure::NotFinite));
}
