//! Problems whose solutions are all known, and random ones with a second route.

mod exact_route;
mod friction;
mod random;

use super::*;

fn rows<const N: usize>(m: [[f64; N]; N], q: [f64; N]) -> (Matrix, Vec<f64>) {
    (Matrix::from_rows(m), q.to_vec())
}

/// The z of all solutions; each is checked by the definition.
fn all<const N: usize>(m: [[f64; N]; N], q: [f64; N]) -> Vec<(Vec<f64>, bool)> {
    let (m, q) = rows(m, q);
    let answer = enumerate(&m, &q).unwrap();
    assert_eq!(answer.status == Status::None, answer.solutions.is_empty());
    answer.solutions.iter().for_each(|solution| assert_solves(&m, &q, solution));
    answer.solutions.into_iter().map(|solution| (solution.z, solution.isolated)).collect()
}

fn assert_solves(m: &Matrix, q: &[f64], solution: &Solution) {
    let product = m.times(&solution.z).unwrap();
    for i in 0..q.len() {
        let (z, w) = (solution.z[i], solution.w[i]);
        let size = q[i].abs() + (0..q.len()).map(|j| (m[(i, j)] * solution.z[j]).abs()).sum::<f64>();
        assert!(z >= 0.0 && w >= 0.0 && (z == 0.0 || w == 0.0), "{solution:?}");
        assert!((w - product[i] - q[i]).abs() <= 4e-12 * size, "{m:?} {q:?} {solution:?}");
        assert!(if solution.basic[i] { w == 0.0 } else { z == 0.0 });
    }
    assert!(solution.residual <= 1e-12);
}

#[test]
fn lemke_misses_the_second_solution_and_a_solution_behind_a_ray() {
    let (m, q) = rows([[-1.0]], [1.0]);
    assert_eq!(enumerate(&m, &q).unwrap().solutions.len(), 2);
    assert_eq!(lemke(&m, &q).unwrap().solutions[0].z, [0.0]);
    let (m, q) = rows([[1.0, 2.0], [2.0, 0.0]], [-1.0, -2.0]);
    assert_eq!(lemke(&m, &q).unwrap(), Answer { solutions: Vec::new(), status: Status::Ray });
    assert_eq!(all([[1.0, 2.0], [2.0, 0.0]], [-1.0, -2.0]), [(vec![1.0, 0.0], true)]);
}

#[test]
fn every_solution_of_small_problems() {
    // One component.
    assert_eq!(all([[1.0]], [-2.0]), [(vec![2.0], true)]);
    assert_eq!(all([[1.0]], [2.0]), [(vec![0.0], true)]);
    assert_eq!(all([[-1.0]], [-1.0]), []);
    assert_eq!(all([[-1.0]], [-1e-300]), []);
    assert_eq!(all([[-1.0]], [1e-300]), [(vec![0.0], true), (vec![1e-300], true)]);
    assert_eq!(all([[-1.0]], [0.0]), [(vec![0.0], true)]);
    // A zero: nothing for q < 0, everything for q = 0.
    assert_eq!(all([[0.0]], [-1.0]), []);
    assert_eq!(all([[0.0]], [1.0]), [(vec![0.0], true)]);
    assert_eq!(all([[0.0]], [0.0]), [(vec![0.0], false)]);
    // A zero row that forbids, a zero column that costs nothing.
    assert_eq!(all([[1.0, 1.0], [0.0, 0.0]], [-1.0, -1.0]), []);
    assert_eq!(all([[1.0, 1.0], [0.0, 0.0]], [-1.0, 1.0]), [(vec![1.0, 0.0], true)]);
    assert_eq!(all([[1.0, 0.0], [1.0, 0.0]], [-1.0, -1.0]), [(vec![1.0, 0.0], false)]);
    assert_eq!(all([[1.0, 0.0], [1.0, 0.0]], [-1.0, -2.0]), []);
    // The load between two equal supports: the two ends of the continuum.
    assert_eq!(all([[1.0, 1.0], [1.0, 1.0]], [-1.0, -1.0]), [(vec![1.0, 0.0], false), (vec![0.0, 1.0], false)]);
    assert_eq!(all([[1.0, 1.0], [1.0, 1.0]], [-1.0, -2.0]), [(vec![0.0, 2.0], true)]);
    // M = ((0, 1), (0, 0)): q on the edge of singular cones, and beside them.
    assert_eq!(all([[0.0, 1.0], [0.0, 0.0]], [-1.0, 0.0]), [(vec![0.0, 1.0], false)]);
    assert_eq!(all([[0.0, 1.0], [0.0, 0.0]], [-1.0, 1.0]), []);
    assert_eq!(all([[0.0, 1.0], [0.0, 0.0]], [1.0, 0.0]), [(vec![0.0, 0.0], false)]);
    // Degenerate: w = 0 = z in the second component.
    assert_eq!(all([[2.0, 1.0], [1.0, 2.0]], [-2.0, -1.0]), [(vec![1.0, 0.0], true)]);
    // A singular cone that holds one point only: q = 0 and columns without a nonnegative combination to zero.
    assert_eq!(all([[-1.0, -1.0], [-1.0, -1.0]], [0.0, 0.0]), [(vec![0.0, 0.0], true)]);
}

#[test]
fn a_line_of_solutions_that_no_regular_cone_shows() {
    // w_1 = -z_1 + z_2 - 1 and w_2 = z_1 - z_2 + 1 are zero on z_2 = 1 + z_1; the end z_1 = 0 lies in another cone as well.
    assert_eq!(all([[-1.0, 1.0], [1.0, -1.0]], [-1.0, 1.0])[0], (vec![0.0, 1.0], false));
    // The third component needs z_1 = 1 + z_2 for both of the first two, whatever z_3; w_3 = 0 forces z_1 + z_2 = 3.
    let m = [[1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0]];
    assert_eq!(all(m, [-1.0, -1.0, -3.0]), [(vec![2.0, 1.0, 0.0], false)]);
}

#[test]
fn the_negative_identity_has_all_solutions_there_can_be() {
    let m = Matrix::identity(5).scaled(-1.0);
    let q = [1.0, 2e9, 3e-9, 4.0, 5.0];
    let answer = enumerate(&m, &q).unwrap();
    assert_eq!(answer.solutions.len(), 32);
    for (mask, solution) in answer.solutions.iter().enumerate() {
        for (i, &q) in q.iter().enumerate() {
            let basic = mask >> i & 1 == 1;
            assert_eq!(solution.basic[i], basic);
            assert_eq!((solution.z[i], solution.w[i]), if basic { (q, 0.0) } else { (0.0, q) });
        }
    }
    assert_eq!(enumerate(&m, &q.map(|q| -q)).unwrap().status, Status::None);
    // With all q_i = 0 the 32 cones show the same point.
    let answer = enumerate(&m, &[0.0; 5]).unwrap();
    assert!(answer.solutions.len() == 1 && answer.solutions[0].basic == [false; 5]);
}

#[test]
fn what_only_rounding_makes_negative_is_zero() {
    // w_2 = 0.3 - (0.1 + 0.2) = -5.6e-17, which is nothing beside 0.3.
    let q = [-0.6, -(0.1 + 0.2)];
    assert!(q[1] < -0.3);
    let (m, q) = rows([[2.0, 1.0], [1.0, 2.0]], q);
    let answer = enumerate(&m, &q).unwrap();
    assert_eq!(answer.solutions.len(), 1);
    assert_eq!((answer.solutions[0].basic.as_slice(), answer.solutions[0].w[1]), ([true, false].as_slice(), 0.0));
    // The same for z_2 = 0.3 - 0.1 - 0.2 < 0 where the other cone has w_2 < 0, too.
    let (m, q) = rows([[1.0, 0.0], [1.0, -1.0]], [-0.3, 0.1 + 0.2]);
    let answer = enumerate(&m, &q).unwrap();
    assert_eq!(answer.solutions.len(), 2);
    // But a difference of 1e-9 is none of rounding.
    assert_eq!(all([[1.0, 0.0], [-1.0, -1.0]], [-1.0, 1.0 - 1e-9]), []);
    assert_eq!(all([[1.0, 0.0], [-1.0, -1.0]], [-1.0, 1.0 + 1e-9]).len(), 2);
    assert_eq!(all([[1.0, 0.0], [-1.0, -1.0]], [-1.0, 1.0]), [(vec![1.0, 0.0], true)]);
}

#[test]
fn units_of_every_size() {
    // Forces in 1e-9, accelerations in 1e9 and vice versa; and near the ends of the range of numbers.
    for size in [1e-9, 1e9, 1e-140, 1e140] {
        let (m, q) = rows([[2.0 * size * size, size], [size, 2.0]], [-3.0 * size, -3.0]);
        for answer in [enumerate(&m, &q).unwrap(), lemke(&m, &q).unwrap()] {
            assert_eq!(answer.solutions.len(), 1);
            let z = &answer.solutions[0].z;
            assert!((z[0] * size - 1.0).abs() < 1e-14 && (z[1] - 1.0).abs() < 1e-14, "{z:?}");
        }
    }
    let (m, q) = rows([[5e-324]], [-5e-324]);
    assert_eq!(enumerate(&m, &q).unwrap().solutions[0].z, [1.0]);
    let (m, q) = rows([[1e-300]], [-1e300]);
    assert_eq!(enumerate(&m, &q), Err(Failure::OutOfRange));
    assert_eq!(lemke(&m, &q), Err(Failure::OutOfRange));
}

#[test]
fn wrong_questions_have_errors_and_an_empty_one_has_an_answer() {
    for ask in [enumerate, lemke, solve] {
        assert_eq!(ask(&Matrix::zeros(2, 3), &[0.0; 2]), Err(Failure::NotSquare { rows: 2, columns: 3 }));
        assert_eq!(ask(&Matrix::zeros(2, 2), &[0.0; 3]), Err(Failure::Mismatch { expected: 2, found: 3 }));
        assert_eq!(ask(&Matrix::zeros(0, 0), &[0.0; 1]), Err(Failure::Mismatch { expected: 0, found: 1 }));
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(ask(&Matrix::from_rows([[bad]]), &[0.0]), Err(Failure::NotFinite));
            assert_eq!(ask(&Matrix::from_rows([[1.0]]), &[bad]), Err(Failure::NotFinite));
        }
        let answer = ask(&Matrix::zeros(0, 0), &[]).unwrap();
        assert!(answer.status == Status::Solutions && answer.solutions.len() == 1);
        assert!(answer.solutions[0].z.is_empty() && answer.solutions[0].isolated);
    }
    let n = MOST_ENUMERATED + 1;
    assert_eq!(enumerate(&Matrix::identity(n), &vec![1.0; n]), Err(Failure::TooManyCones { components: n }));
    assert_eq!(solve(&Matrix::identity(n), &vec![-1.0; n]).unwrap().solutions[0].z, vec![1.0; n]);
}

#[test]
fn cones_that_are_all_singular() {
    let n = 10;
    let zero = Matrix::zeros(n, n);
    assert_eq!(enumerate(&zero, &vec![-1.0; n]).unwrap().status, Status::None);
    let answer = enumerate(&zero, &vec![1.0; n]).unwrap();
    assert!(answer.solutions.len() == 1 && answer.solutions[0].isolated);
    let answer = enumerate(&zero, &vec![0.0; n]).unwrap();
    assert!(answer.solutions.len() == 1 && !answer.solutions[0].isolated);
    // Ten equal supports: each alone carries the load.
    let answer = enumerate(&Matrix::from_fn(n, n, |_, _| 1.0), &vec![-1.0; n]).unwrap();
    assert!(answer.solutions.len() == n && answer.solutions.iter().all(|solution| !solution.isolated));
}

#[test]
fn lemke_ends_in_ties_only_without_a_cycle() {
    // Murty's and other problems with every q_i equal: M lower triangular with twos, whose path is long.
    for n in [3, 6, 9] {
        let m = Matrix::from_fn(n, n, |i, j| {
            if i == j {
                1.0
            } else if i > j {
                2.0
            } else {
                0.0
            }
        });
        let answer = lemke(&m, &vec![-1.0; n]).unwrap();
        assert_eq!(answer.solutions[0].z[0], 1.0);
        assert_eq!(answer.solutions, enumerate(&m, &vec![-1.0; n]).unwrap().solutions);
    }
    // A positive semidefinite matrix of rank one and one of rank two, full of ties.
    let n = 30;
    let q = vec![-1.0; n];
    let m = Matrix::from_fn(n, n, |_, _| 1.0);
    assert_solves(&m, &q, &lemke(&m, &q).unwrap().solutions[0]);
    let m = Matrix::from_fn(n, n, |i, j| f64::from((i + j) % 2 == 0));
    assert_solves(&m, &q, &lemke(&m, &q).unwrap().solutions[0]);
}

#[test]
fn nearly_singular_and_singular_for_rounding() {
    // w_2 - w_1 = d z_2 + q_2 - q_1: z = (1, 1) as long as d is more than rounding.
    for d in [1e-3, 1e-6, 1e-9] {
        let (m, q) = rows([[1.0, 1.0], [1.0, 1.0 + d]], [-2.0, -2.0 - d]);
        let answer = enumerate(&m, &q).unwrap();
        assert_eq!(answer.solutions.len(), 1);
        let Solution { z, isolated, .. } = &answer.solutions[0];
        assert!(*isolated && (z[0] - 1.0).abs() < 1e-15 / d && (z[1] - 1.0).abs() < 1e-15 / d, "{z:?}");
    }
    let answer = all([[1.0, 1.0], [1.0, 1.0 + 1e-15]], [-2.0, -2.0 - 1e-15]);
    assert_eq!(answer.len(), 2);
    assert!(answer.iter().all(|(z, isolated)| !isolated && (z[0] + z[1] - 2.0).abs() < 1e-14), "{answer:?}");
}
