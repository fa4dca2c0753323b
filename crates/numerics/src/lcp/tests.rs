//! Problems whose solutions are all known, and random ones with a second route.

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
