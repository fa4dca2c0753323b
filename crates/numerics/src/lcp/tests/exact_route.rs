//! The full set of solutions of problems with small integers, by fractions.
//!
//! The solutions are a union of polyhedra. A vertex is a solution whose positive components stand with independent columns; a
//! ray is a positive combination of columns to zero of which no fewer are dependent. Both are found by a look at all
//! 3ⁿ sets of positive components, without complementary cones, simplex steps or tolerances.

use super::random::Random;
use super::*;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Fraction {
    over: i128,
    under: i128,
}

impl Fraction {
    fn new(over: i128, under: i128) -> Self {
        let (mut a, mut b) = (over.abs(), under.abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        let divisor = a.max(1) * under.signum();
        Self { over: over / divisor, under: under / divisor }
    }

    fn minus_product(self, a: Self, b: Self) -> Self {
        let product = Self::new(a.over * b.over, a.under * b.under);
        Self::new(self.over * product.under - product.over * self.under, self.under * product.under)
    }

    fn over(self, other: Self) -> Self {
        Self::new(self.over * other.under, self.under * other.over)
    }

    fn value(self) -> f64 {
        self.over as f64 / self.under as f64
    }
}

/// The reduced echelon form, pivots in the first `columns` columns only, and the columns of its pivots.
fn reduce(rows: &mut [Vec<Fraction>], columns: usize) -> Vec<usize> {
    let mut pivots = Vec::new();
    for j in 0..columns {
        let top = pivots.len();
        let Some(row) = (top..rows.len()).find(|&i| rows[i][j].over != 0) else { continue };
        rows.swap(top, row);
        let pivot = rows[top][j];
        rows[top].iter_mut().for_each(|x| *x = x.over(pivot));
        let first = rows[top].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != top) {
            let factor = row[j];
            row.iter_mut().zip(&first).for_each(|(x, t)| *x = x.minus_product(factor, *t));
        }
        pivots.push(j);
    }
    pivots
}

/// Bits of the positive z and w, and the values of z.
struct Corner {
    z: u32,
    w: u32,
    values: Vec<f64>,
}

/// All vertices and all rays of the solutions.
fn corners(m: &[Vec<i128>], q: &[i128]) -> (Vec<Corner>, Vec<(u32, u32)>) {
    let n = q.len();
    let (mut vertices, mut rays) = (Vec::new(), Vec::new());
    for mut code in 0..3u32.pow(n as u32) {
        let (mut z, mut w) = (0u32, 0u32);
        for i in 0..n {
            match code % 3 {
                1 => z |= 1 << i,
                2 => w |= 1 << i,
                _ => (),
            }
            code /= 3;
        }
        let support: Vec<usize> = (0..n).filter(|i| (z | w) >> i & 1 == 1).collect();
        let entry = |i: usize, j: usize| if z >> j & 1 == 1 { -m[i][j] } else { i128::from(i == j) };
        let row = |i: usize| support.iter().map(|&j| entry(i, j)).chain([q[i]]).map(|x| Fraction::new(x, 1)).collect();
        let mut rows: Vec<Vec<Fraction>> = (0..n).map(row).collect();
        let size = support.len();
        let pivots = reduce(&mut rows, size);
        if pivots.len() == size {
            let consistent = rows[size..].iter().all(|row| row[size].over == 0);
            if consistent && rows[..size].iter().all(|row| row[size].over > 0) {
                let mut values = vec![0.0; n];
                for (row, &j) in rows.iter().zip(&support).filter(|(_, j)| z >> **j & 1 == 1) {
                    values[j] = row[size].value();
                }
                vertices.push(Corner { z, w, values });
            }
        } else if pivots.len() + 1 == size {
            let free = (0..size).find(|j| !pivots.contains(j)).unwrap();
            if rows[..pivots.len()].iter().all(|row| row[free].over < 0) {
                rays.push((z, w));
            }
        }
    }
    (vertices, rays)
}

/// Whether the columns of a cone are independent.
fn is_regular(m: &[Vec<i128>], mask: u32) -> bool {
    let n = m.len();
    let entry = |i: usize, j: usize| if mask >> j & 1 == 1 { -m[i][j] } else { i128::from(i == j) };
    let row = |i: usize| (0..n).map(|j| Fraction::new(entry(i, j), 1)).collect();
    let mut rows: Vec<Vec<Fraction>> = (0..n).map(row).collect();
    reduce(&mut rows, n).len() == n
}

fn compare(m: &[Vec<i128>], q: &[i128], units: &[(f64, f64)]) -> (usize, bool) {
    let n = q.len();
    let (vertices, rays) = corners(m, q);
    let within = |z: u32, w: u32, mask: u32| z & !mask == 0 && w & mask == 0;
    // Cones with more than one point.
    let many: Vec<u32> = (0..1u32 << n)
        .filter(|&mask| {
            let count = vertices.iter().filter(|v| within(v.z, v.w, mask)).count();
            count > 1 || count == 1 && rays.iter().any(|&(z, w)| within(z, w, mask))
        })
        .collect();
    let matrix = Matrix::from_fn(n, n, |i, j| m[i][j] as f64 * units[i].0 / units[j].1);
    let free: Vec<f64> = (0..n).map(|i| q[i] as f64 * units[i].0).collect();
    let answer = enumerate(&matrix, &free).unwrap();
    let context = format!("{m:?} {q:?} {units:?} {answer:?}");
    assert_eq!(answer.solutions.is_empty(), vertices.is_empty(), "{context}");
    let mut seen = vec![false; vertices.len()];
    for solution in &answer.solutions {
        assert_solves(&matrix, &free, solution);
        let near = |v: &Corner| {
            (0..n).all(|i| (v.values[i] * units[i].1 - solution.z[i]).abs() <= 1e-11 * v.values[i] * units[i].1)
        };
        let places: Vec<usize> = (0..vertices.len()).filter(|&k| near(&vertices[k])).collect();
        assert_eq!(places.len(), 1, "not one vertex: {context}");
        let vertex = &vertices[places[0]];
        assert!(!core::mem::replace(&mut seen[places[0]], true), "twice: {context}");
        assert_eq!(solution.isolated, !many.iter().any(|&mask| within(vertex.z, vertex.w, mask)), "{context}");
        let basic = (0..n).fold(0, |bits, i| bits | u32::from(solution.basic[i]) << i);
        assert!(within(vertex.z, vertex.w, basic), "{context}");
    }
    // Omitted solutions lie in one polyhedron with a given one, and in no regular cone.
    for (vertex, _) in vertices.iter().zip(&seen).filter(|(_, seen)| !**seen) {
        for mask in (0..1u32 << n).filter(|&mask| within(vertex.z, vertex.w, mask)) {
            assert!(!is_regular(m, mask), "missed: {context}");
            let given = |(k, v): (usize, &Corner)| seen[k] && within(v.z, v.w, mask);
            assert!(vertices.iter().enumerate().any(given), "missed: {context}");
        }
    }
    let found = lemke(&matrix, &free).unwrap();
    if let Some(solution) = found.solutions.first() {
        assert_solves(&matrix, &free, solution);
    }
    (vertices.len(), found.status == Status::Ray && !vertices.is_empty())
}

/// Random problems with entries of size up to `largest`, in units of the question and in random ones.
fn many_problems(n: usize, largest: u64, count: usize) {
    let mut random = Random(0x9e37 + n as u64 * 77 + largest);
    let mut integer = move || i128::from(random.next() % (2 * largest + 1)) - i128::from(largest);
    let mut sizes = Random(n as u64 + 5);
    let mut solutions = [0; 3];
    let mut rays = 0;
    for _ in 0..count {
        let m: Vec<Vec<i128>> = (0..n).map(|_| (0..n).map(|_| integer()).collect()).collect();
        let q: Vec<i128> = (0..n).map(|_| integer()).collect();
        let (vertices, ray) = compare(&m, &q, &vec![(1.0, 1.0); n]);
        let mut unit = || 10f64.powf(18.0 * sizes.uniform() - 9.0);
        let units: Vec<(f64, f64)> = (0..n).map(|_| (unit(), unit())).collect();
        compare(&m, &q, &units);
        solutions[vertices.min(2)] += 1;
        rays += usize::from(ray);
    }
    // The collection contains all cases.
    assert!(solutions.iter().all(|&count| count > 0), "{solutions:?}");
    assert!(n == 1 || rays > 0);
}

#[test]
fn all_solutions_of_problems_with_small_integers() {
    many_problems(1, 2, 100);
    many_problems(2, 1, 3000);
    many_problems(2, 3, 3000);
    many_problems(3, 1, 6000);
    many_problems(3, 4, 3000);
    many_problems(4, 1, 2000);
    many_problems(5, 1, 300);
}
