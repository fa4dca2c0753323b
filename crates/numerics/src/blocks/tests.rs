//! Condensation against dense elimination, on random matrices and on those on which elimination by rows grows.

use proptest::prelude::*;

use super::{BlockMatrix, Condensation, Pattern};
use crate::dense::{Elimination, Matrix};

/// Numbers in (-1, 1), always the same ones for a seed.
fn numbers(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(2).wrapping_add(0x9e37_79b9_7f4a_7c15);
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// The pattern of shooting from event to event: a state and a time per node, the closing of the flow and a condition; `shared` columns
/// and as many full rows at the end.
fn shooting(nodes: usize, states: usize, shared: usize) -> Pattern {
    let n = nodes * (states + 1);
    let at = |k: usize| k % nodes * (states + 1);
    let own = |k: usize| {
        let columns = (at(k)..=at(k) + states).chain(at(k + 1)..at(k + 1) + states).chain(n..n + shared);
        (states + 1, columns.collect())
    };
    Pattern::new(n + shared, (0..nodes).map(own), shared)
}

/// A matrix with random entries.
fn random(pattern: Pattern, number: &mut impl FnMut() -> f64) -> BlockMatrix {
    let mut matrix = BlockMatrix::zeros(pattern);
    for i in 0..matrix.rows() {
        for j in 0..matrix.columns() {
            if i >= matrix.pattern().in_blocks() || matrix.pattern().place(i, j).is_some() {
                matrix[(i, j)] = number();
            }
        }
    }
    matrix
}

fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |m, x| m.max(x.abs()))
}

/// Solutions with the matrix and its transpose have residuals of the size of rounding, and the determinant is that of dense elimination.
fn agrees(matrix: &BlockMatrix, number: &mut impl FnMut() -> f64) {
    let n = matrix.rows();
    let mut condensation = Condensation::default();
    condensation.factor(matrix).unwrap();
    let dense = matrix.to_dense();
    let right: Vec<f64> = (0..n).map(|_| number()).collect();
    let rounding = 1e-14 * n as f64 * dense.infinity_norm().max(dense.one_norm());
    for (transposed, a) in [(false, dense.clone()), (true, dense.transpose())] {
        let mut x = right.clone();
        match transposed {
            false => condensation.solve_in_place(&mut x).unwrap(),
            true => condensation.solve_transposed_in_place(&mut x).unwrap(),
        }
        let off: Vec<f64> = a.times(&x).unwrap().iter().zip(&right).map(|(a, b)| a - b).collect();
        assert!(largest(&off) <= rounding * (largest(&x) + 1.0), "{} of {}", largest(&off), largest(&x));
    }
    let mut elimination = Elimination::default();
    elimination.factor(&dense).unwrap();
    let ((sign, logarithm), known) = (condensation.log_determinant(), elimination.log_determinant());
    let loss = 1.0 / elimination.reciprocal_condition();
    if loss < 1e10 {
        assert!(sign == known.0 && (logarithm - known.1).abs() <= 1e-13 * loss, "{logarithm} {known:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn shooting_with_borders(seed: u64, nodes in 1_usize..9, states in 1_usize..6, shared in 0_usize..4) {
        let mut number = numbers(seed);
        agrees(&random(shooting(nodes, states, shared), &mut number), &mut number);
    }

    /// Any blocks, with columns that no block has, blocks without rows, and columns that depend on others within a block.
    #[test]
    fn any_blocks(seed: u64, blocks in prop::collection::vec((0_usize..5, prop::collection::vec(0_usize..20, 0..8)), 0..9)) {
        let mut number = numbers(seed);
        let above: usize = blocks.iter().map(|(rows, _)| rows).sum();
        let n = above.max(20);
        let matrix = random(Pattern::new(n, blocks, n - above), &mut number);
        let mut elimination = Elimination::default();
        elimination.factor(&matrix.to_dense()).unwrap();
        // More rows than columns in some blocks make it singular.
        if elimination.reciprocal_condition() > 1e-10 {
            agrees(&matrix, &mut number);
        }
    }

    /// Columns that are zero, or nearly the same as others, but for the full rows.
    #[test]
    fn columns_without_pivots(seed: u64, nodes in 2_usize..9, states in 1_usize..4) {
        let mut number = numbers(seed);
        let mut matrix = random(shooting(nodes, states, 2), &mut number);
        let n = nodes * (states + 1);
        let (time, state) = (states, states + 1);
        for i in 0..n {
            let twin = matrix[(i, state)];
            if matrix.pattern().place(i, time).is_some() {
                matrix[(i, time)] = 0.0;
            }
            if state + states < n && matrix.pattern().place(i, state + states).is_some() {
                matrix[(i, state + states)] = twin * (1.0 + 1e-13 * number());
            }
        }
        agrees(&matrix, &mut number);
    }
}

/// Gauss without exchanges grows like a power of the number of blocks where flows grow little from node to node (Wright, 1993).
#[test]
fn flows_on_which_elimination_grows() {
    let nodes = 400;
    let mut matrix = BlockMatrix::zeros(Pattern::new(
        2 * nodes,
        (0..nodes).map(|k| (2, vec![2 * k, 2 * k + 1, 2 * (k + 1) % (2 * nodes), (2 * k + 3) % (2 * nodes)])),
        0,
    ));
    // exp(h [-1/6 1; 1 -1/6]) for h = 0.3.
    let (h, shrink) = (0.3_f64, (-0.05_f64).exp());
    let flow = [[h.cosh() * shrink, h.sinh() * shrink], [h.sinh() * shrink, h.cosh() * shrink]];
    for k in 0..nodes {
        for i in 0..2 {
            (0..2).for_each(|j| matrix[(2 * k + i, 2 * k + j)] += flow[i][j]);
            matrix[(2 * k + i, (2 * k + 2 + i) % (2 * nodes))] -= 1.0;
        }
    }
    agrees(&matrix, &mut numbers(1));
}

#[test]
fn complex_and_selected_patterns() {
    let pattern = Pattern::new(4, [(1, vec![0, 3]), (1, vec![1, 2])], 1);
    let matrix = random(pattern, &mut numbers(2));
    let columns = [3, 1, 0];
    let mut selected = BlockMatrix::zeros(matrix.pattern().select(&columns));
    selected.take_columns(&matrix, &columns);
    assert_eq!(selected.to_dense(), Matrix::from_fn(3, 3, |i, j| matrix[(i, columns[j])]));
    let double = matrix.pattern().complex();
    assert_eq!((double.rows(), double.columns()), (6, 8));
    assert!(double.place(0, 7).is_some() && double.place(1, 6).is_some() && double.place(2, 6).is_none());
    let x = [1.0, 2.0, 3.0, 4.0];
    assert_eq!(matrix.times(&x), matrix.to_dense().times(&x).unwrap());
    assert_eq!(matrix.transposed_times(&x[..3]), matrix.to_dense().transpose().times(&x[..3]).unwrap());
}

#[test]
fn what_cannot_be_solved_says_why() {
    let mut condensation = Condensation::default();
    assert!(condensation.factor(&BlockMatrix::zeros(Pattern::dense(2, 3))).is_err());
    let mut matrix = BlockMatrix::zeros(shooting(3, 2, 1));
    condensation.factor(&matrix).unwrap();
    assert_eq!(condensation.log_determinant(), (0.0, f64::NEG_INFINITY));
    assert!(condensation.solve_in_place(&mut [1.0; 10]).is_err());
    assert!(condensation.solve_in_place(&mut [1.0; 3]).is_err());
    matrix[(0, 0)] = f64::NAN;
    assert!(condensation.factor(&matrix).is_err());
}
