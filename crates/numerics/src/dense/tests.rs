pub(super) mod families;

use proptest::prelude::*;

use super::*;

fn random(rows: usize, columns: usize) -> impl Strategy<Value = Matrix> {
    prop::collection::vec(-1.0..1.0, rows * columns)
        .prop_map(move |entries| Matrix::from_columns(rows, columns, entries).unwrap())
}

fn square() -> impl Strategy<Value = Matrix> {
    (0usize..8).prop_flat_map(|n| random(n, n))
}

fn any_shape() -> impl Strategy<Value = Matrix> {
    (0usize..7, 0usize..7).prop_flat_map(|(m, n)| random(m, n))
}

fn difference(a: &Matrix, b: &Matrix) -> f64 {
    assert_eq!((a.rows(), a.columns()), (b.rows(), b.columns()));
    a.entries().iter().zip(b.entries()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

proptest! {
    #[test]
    fn solutions_solve(a in square(), seed in prop::collection::vec(-1.0..1.0, 8)) {
        let b = &seed[..a.rows()];
        let solution = a.solve(b).unwrap();
        let scale = a.infinity_norm() * matrix::largest(&solution.x) + 1.0;
        for (left, right) in a.times(&solution.x).unwrap().iter().zip(b) {
            prop_assert!((left - right).abs() <= 1e-14 * scale);
        }
        // The estimate is never larger than the norm, and seldom much smaller: compared with the inverse, column by column.
        if a.rows() > 0 {
            let inverse_norm = (0..a.rows())
                .map(|j| a.solve(Matrix::identity(a.rows()).column(j)).unwrap().x.iter().map(|x| x.abs()).sum::<f64>())
                .fold(0.0, f64::max);
            let exact = 1.0 / (a.one_norm() * inverse_norm);
            prop_assert!(solution.reciprocal_condition >= exact * (1.0 - 1e-9));
            prop_assert!(solution.reciprocal_condition <= 10.0 * exact);
        }
    }

    #[test]
    fn transposed_solutions_and_logarithms_of_determinants(a in square(), seed in prop::collection::vec(-1.0..1.0, 8)) {
        let mut elimination = Elimination::default();
        elimination.factor(&a).unwrap();
        let mut x = seed[..a.rows()].to_vec();
        elimination.solve_transposed_in_place(&mut x).unwrap();
        let direct = a.transpose().solve(&seed[..a.rows()]).unwrap();
        for (x, y) in x.iter().zip(&direct.x) {
            prop_assert!((x - y).abs() <= 1e-13 * (1.0 + matrix::largest(&direct.x)) / direct.reciprocal_condition);
        }
        let (sign, logarithm) = elimination.log_determinant();
        prop_assert!((sign * logarithm.exp() / elimination.determinant() - 1.0).abs() <= 1e-13);
    }

    #[test]
    fn singular_vectors_are_those_of_the_values(a in any_shape()) {
        let (u, values, v) = a.singular_vectors().unwrap();
        let product = &(&u * &Matrix::diagonal(&values)) * &v.transpose();
        prop_assert!(difference(&product, &a) <= 1e-14);
        prop_assert!(difference(&(&v.transpose() * &v), &Matrix::identity(v.columns())) <= 1e-14);
    }

    #[test]
    fn q_is_orthonormal_and_r_triangular(a in any_shape()) {
        let (q, r) = a.qr().unwrap();
        prop_assert!(difference(&(&q * &r), &a) <= 1e-14);
        prop_assert!(difference(&(&q.transpose() * &q), &Matrix::identity(q.columns())) <= 1e-14);
        for i in 0..r.rows() {
            prop_assert!(r[(i, i)] >= 0.0 && (0..i).all(|j| r[(i, j)] == 0.0));
        }
    }

    #[test]
    fn eigenvalues_have_trace_and_determinant_and_vectors(a in square()) {
        let n = a.rows();
        let eigenvalues = a.eigenvalues().unwrap();
        prop_assert_eq!(eigenvalues.len(), n);
        let trace: f64 = (0..n).map(|i| a[(i, i)]).sum();
        prop_assert!((eigenvalues.iter().map(|z| z.re).sum::<f64>() - trace).abs() <= 1e-13);
        let moduli: f64 = eigenvalues.iter().map(|z| z.norm()).product();
        prop_assert!((moduli - a.determinant().unwrap().abs()).abs() <= 1e-12);
        for z in eigenvalues {
            let v = a.eigenvector(z).unwrap();
            let norm: f64 = v.iter().map(|v| v.re * v.re + v.im * v.im).sum();
            prop_assert!((norm - 1.0).abs() <= 1e-14);
            let (re, im): (Vec<f64>, Vec<f64>) = v.iter().map(|v| (v.re, v.im)).unzip();
            let (a_re, a_im) = (a.times(&re).unwrap(), a.times(&im).unwrap());
            for k in 0..n {
                prop_assert!((a_re[k] - (z.re * re[k] - z.im * im[k])).abs() <= 1e-13);
                prop_assert!((a_im[k] - (z.re * im[k] + z.im * re[k])).abs() <= 1e-13);
            }
        }
    }

    /// The residual is orthogonal to the columns, and the solution to the kernel: it is a combination of the rows.
    #[test]
    fn least_squares_are_least_and_shortest(a in any_shape(), seed in prop::collection::vec(-1.0..1.0, 7)) {
        let b = &seed[..a.rows()];
        let solution = a.least_squares(b, 1e-12).unwrap();
        prop_assume!(solution.singular_values.last().is_none_or(|&least| least > 1e-3));
        prop_assert_eq!(solution.rank, a.rows().min(a.columns()));
        let residual: Vec<f64> = a.times(&solution.x).unwrap().iter().zip(b).map(|(l, r)| l - r).collect();
        for slope in a.transpose().times(&residual).unwrap() {
            prop_assert!(slope.abs() <= 1e-11);
        }
        let rows = a.transpose().least_squares(&solution.x, 1e-12).unwrap().x;
        for (x, again) in solution.x.iter().zip(a.transpose().times(&rows).unwrap()) {
            prop_assert!((x - again).abs() <= 1e-10 * (1.0 + x.abs()));
        }
    }
}

#[test]
fn what_has_no_answer_says_why() {
    let nan = Matrix::from_rows([[f64::NAN, 1.0], [0.0, 1.0]]);
    let wide = Matrix::from_rows([[1.0, 2.0, 3.0]]);
    let singular = Matrix::from_rows([[1.0, 2.0], [2.0, 4.0]]);
    for result in [nan.determinant(), nan.solve(&[1.0, 1.0]).map(|_| 0.0), nan.eigenvalues().map(|_| 0.0)] {
        assert_eq!(result, Err(Failure::NotFinite));
    }
    assert_eq!(nan.qr().unwrap_err(), Failure::NotFinite);
    assert_eq!(nan.singular_values(), Err(Failure::NotFinite));
    assert_eq!(wide.determinant(), Err(Failure::NotSquare { rows: 1, columns: 3 }));
    assert_eq!(wide.eigenvalues(), Err(Failure::NotSquare { rows: 1, columns: 3 }));
    assert_eq!(wide.times(&[1.0]), Err(Failure::Mismatch { expected: 3, found: 1 }));
    assert_eq!(singular.solve(&[1.0]), Err(Failure::Mismatch { expected: 2, found: 1 }));
    assert_eq!(singular.solve(&[1.0, 1.0]), Err(Failure::Singular));
    assert_eq!(singular.solve(&[1.0, f64::INFINITY]), Err(Failure::NotFinite));
    assert_eq!(singular.determinant(), Ok(0.0));
    assert_eq!(singular.rank(1e-12), Ok(1));
    assert_eq!(wide.product(&singular), Err(Failure::Mismatch { expected: 3, found: 2 }));
}

#[test]
fn nothing_is_a_matrix_too() {
    let empty = Matrix::zeros(0, 0);
    assert_eq!(empty.solve(&[]).unwrap().x, []);
    assert_eq!(empty.determinant(), Ok(1.0));
    assert_eq!(empty.eigenvalues(), Ok(vec![]));
    assert_eq!(empty.least_squares(&[], 0.0).unwrap().rank, 0);
    assert_eq!(Matrix::zeros(0, 2).least_squares(&[], 0.0).unwrap().x, [0.0, 0.0]);
    assert_eq!(empty.frobenius_norm(), 0.0);
}

#[test]
fn sizes_near_the_ends_of_the_range_are_no_obstacle() {
    for scale in [1e-300, 1e-150, 1e150, 1e300] {
        let a = Matrix::from_rows([[3.0, -4.0], [4.0, 3.0]]).scaled(scale);
        let eigenvalues = a.eigenvalues().unwrap();
        assert!((eigenvalues[0].norm() / (5.0 * scale) - 1.0).abs() < 1e-14);
        assert!((eigenvalues[0].arg() - 4f64.atan2(3.0)).abs() < 1e-14);
        assert!((a.singular_values().unwrap()[1] / (5.0 * scale) - 1.0).abs() < 1e-14);
        let x = a.solve(&[-scale, 7.0 * scale]).unwrap().x;
        assert!((x[0] - 1.0).abs() < 1e-14 && (x[1] - 1.0).abs() < 1e-14);
        let (_, r) = a.qr().unwrap();
        assert!((r[(0, 0)] / (5.0 * scale) - 1.0).abs() < 1e-14);
    }
    let determinant = Matrix::diagonal(&[1e200, 1e200, 1e-300, 1e-100]).determinant().unwrap();
    assert!((determinant - 1.0).abs() < 1e-15);
}

/// Identity plus a matrix of rank one, λ = 1 many times: eigenvalues 1 and 1 + vᵀu.
#[test]
fn identity_plus_rank_one_has_its_eigenvalues() {
    for n in 2..9 {
        let a = Matrix::from_fn(n, n, |i, j| f64::from(i == j) + (1.0 + i as f64) * (j as f64 - 0.3));
        let product: f64 = (0..n).map(|i| (1.0 + i as f64) * (i as f64 - 0.3)).sum();
        let eigenvalues = a.eigenvalues().unwrap();
        assert!((eigenvalues[0].re - 1.0 - product).abs() <= 1e-13 * product.abs());
        assert!(eigenvalues[1..].iter().all(|z| (z.re - 1.0).abs() < 1e-6 && z.im.abs() < 1e-6));
    }
}

#[test]
fn a_nilpotent_matrix_has_an_eigenvector_all_the_same() {
    let a = Matrix::from_rows([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]);
    let v = a.eigenvector(Complex::default()).unwrap();
    assert_eq!((v[0].re, v[1].re.abs() < 1e-15, v[2].re.abs() < 1e-15), (1.0, true, true));
}
