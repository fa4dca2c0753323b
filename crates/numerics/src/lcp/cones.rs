//! All solutions of a complementarity problem by enumeration of the 2ⁿ complementary cones.
//!
//! The columns of a cone are eliminated one after the other, and cones that share their first columns share the work: a
//! tree of depth n, in which each node applies the earlier steps to one column and to q, some n² operations. The point of
//! a leaf is examined only where no component is clearly negative. Where a column is a combination of earlier
//! ones the cone is singular, and q may only lie in it if it is a combination, too.

use super::candidate::{Candidate, Column, Points, column};
use super::{DEPENDENT, Failure, MOST_ENUMERATED, NEGLIGIBLE, Solution, polyhedron::Polyhedron, units::Problem};

/// The largest number of columns of a cone.
const MOST: usize = MOST_ENUMERATED;

/// The error of x from the tree: this part of its largest entry, over the smallest pivot relative to its terms.
const TREE_ERROR: f64 = 1e-8;

/// The error of x due to rounding of q, relative to the terms of q and over the smallest pivot.
const ROUNDING_ERROR_OF_Q: f64 = 1e-10;

/// A residual of q below this part of its terms may be zero; this is decided when the polyhedron is solved for.
const ZERO_RESIDUAL: f64 = 1e-9;

/// A vector under elimination, with a bound for the sum of the sizes of the terms of each entry.
#[derive(Clone, Copy, Default)]
struct Row {
    values: [f64; MOST],
    terms: [f64; MOST],
}

/// One step of the elimination.
#[derive(Clone, Copy, Default)]
struct Step {
    /// The row of the pivot; none for a column that depends on earlier ones.
    pivot: Option<usize>,
    /// The column after the earlier steps.
    column: Row,
    /// The multipliers v_i / v_p, zero for rows that were pivots.
    multipliers: [f64; MOST],
    /// The terms of v_i and of v_p times the multiplier, over v_p: a multiplier from a difference has its rounding.
    roundings: [f64; MOST],
}

/// The traversal of the tree of cones.
struct Walk<'a> {
    problem: &'a Problem,
    n: usize,
    steps: [Step; MOST],
    /// q after k steps.
    q: [Row; MOST + 1],
    used: [bool; MOST],
    points: Points,
    found: Found,
    /// Singular cones in which q may lie.
    singular: Vec<u32>,
    /// Whether cones that begin with these choices are examined.
    wanted: &'a dyn Fn(usize, u32) -> bool,
}

impl Row {
    /// The step "subtract multiplier times the pivot's entry", for all rows.
    fn eliminate(&mut self, step: &Step, n: usize) {
        let Some(pivot) = step.pivot else { return };
        let (value, term) = (self.values[pivot], self.terms[pivot]);
        if term == 0.0 {
            return;
        }
        for i in 0..n {
            self.values[i] -= step.multipliers[i] * value;
            self.terms[i] += step.multipliers[i].abs() * term + value.abs() * step.roundings[i];
        }
    }

    fn set(&mut self, values: impl Iterator<Item = f64>) {
        for ((value, term), x) in self.values.iter_mut().zip(&mut self.terms).zip(values) {
            (*value, *term) = (x, x.abs());
        }
    }
}

impl Walk<'_> {
    /// All cones that begin with the first `depth` choices of `mask`, in which bit i says that z_i is basic.
    fn descend(&mut self, depth: usize, mask: u32, singular: bool, smallest_pivot: f64) {
        if depth == self.n {
            if singular {
                self.look_at_singular(mask)
            } else {
                self.look_at(mask, smallest_pivot)
            }
            return;
        }
        for choice in [0, 1] {
            let mask = mask | choice << depth;
            if !(self.wanted)(depth + 1, mask) {
                continue;
            }
            let relative = self.eliminate(depth, choice == 1);
            let pivot = self.steps[depth].pivot;
            if let Some(row) = pivot {
                self.used[row] = true;
            }
            self.descend(depth + 1, mask, singular || pivot.is_none(), smallest_pivot.min(relative));
            if let Some(row) = pivot {
                self.used[row] = false;
            }
        }
    }

    /// Takes column `depth` of the cone into the elimination; the pivot relative to its terms.
    fn eliminate(&mut self, depth: usize, z: bool) -> f64 {
        let n = self.n;
        let (earlier, rest) = self.steps.split_at_mut(depth);
        let step = &mut rest[0];
        if z {
            step.column.set(self.problem.m.column(depth).iter().map(|m| -m));
        } else {
            step.column.set((0..n).map(|i| f64::from(i == depth)));
        }
        for earlier in earlier.iter() {
            step.column.eliminate(earlier, n);
        }
        step.pivot = None;
        let mut largest = 0.0;
        for i in (0..n).filter(|&i| !self.used[i]) {
            let (value, term) = (step.column.values[i], step.column.terms[i]);
            if value.abs() <= DEPENDENT * term {
                step.column.values[i] = 0.0;
            } else if value.abs() > largest {
                (largest, step.pivot) = (value.abs(), Some(i));
            }
        }
        let mut relative = 1.0;
        (step.multipliers, step.roundings) = ([0.0; MOST], [0.0; MOST]);
        if let Some(pivot) = step.pivot {
            relative = largest / step.column.terms[pivot];
            for i in (0..n).filter(|&i| i != pivot && !self.used[i]) {
                let multiplier = step.column.values[i] / step.column.values[pivot];
                step.multipliers[i] = multiplier;
                step.roundings[i] = (step.column.terms[i] + multiplier.abs() * step.column.terms[pivot]) / largest;
            }
        }
        self.q[depth + 1] = self.q[depth];
        self.q[depth + 1].eliminate(step, n);
        relative
    }

    /// A cone with independent columns.
    fn look_at(&mut self, mask: u32, smallest_pivot: f64) {
        let n = self.n;
        let mut rest = self.q[n].values;
        let mut x = [0.0; MOST];
        for k in (0..n).rev() {
            let step = &self.steps[k];
            let Some(row) = step.pivot else { continue };
            x[k] = rest[row] / step.column.values[row];
            for (rest, value) in rest.iter_mut().zip(&step.column.values) {
                *rest -= x[k] * value;
            }
        }
        let (smallest, largest) =
            x[..n].iter().fold((0.0f64, 0.0f64), |(low, high), &x| (low.min(x), high.max(x.abs())));
        let spread = self.problem.sizes.iter().fold(0.0, |largest, size| size.max(largest));
        if smallest < -(TREE_ERROR * largest + ROUNDING_ERROR_OF_Q * spread) / smallest_pivot {
            return;
        }
        let columns: [Column; MOST] = core::array::from_fn(|i| column(mask, i));
        match self.points.solution(self.problem, &columns[..n]) {
            Ok(Some(candidate)) => self.found.insert(mask, candidate, true),
            Ok(None) => (),
            Err(_) => self.singular.push(mask),
        }
    }

    /// A cone with dependent columns: examined later if q depends on them, too.
    fn look_at_singular(&mut self, mask: u32) {
        let q = &self.q[self.n];
        if (0..self.n).all(|i| self.used[i] || q.values[i].abs() <= ZERO_RESIDUAL * q.terms[i]) {
            self.singular.push(mask);
        }
    }
}

/// The solutions so far.
#[derive(Default)]
struct Found {
    solutions: Vec<Entry>,
    /// Positions of the solutions in which some w_i = z_i = 0: only these lie in several cones.
    degenerate: Vec<usize>,
    /// Cones that hold more than one solution.
    continua: Vec<u32>,
}

struct Entry {
    mask: u32,
    /// Bits of the components in which z or w are positive.
    z: u32,
    w: u32,
    candidate: Candidate,
}

impl Entry {
    fn new(mask: u32, candidate: Candidate) -> Self {
        let bits = |x: &[f64]| x.iter().enumerate().fold(0, |bits, (i, x)| bits | u32::from(*x > 0.0) << i);
        let (z, w) = (bits(&candidate.solution.z), bits(&candidate.solution.w));
        Self { mask, z, w, candidate }
    }

    /// Equality of points: if the columns of the positive components are independent, these components decide; otherwise
    /// all z agree up to rounding.
    fn is_same(&self, other: &Self) -> bool {
        let (a, b) = (&self.candidate, &other.candidate);
        let near = |i: usize| (a.solution.z[i] - b.solution.z[i]).abs() <= NEGLIGIBLE * (a.sizes[i] + b.sizes[i]);
        (self.z, self.w) == (other.z, other.w) || (0..a.sizes.len()).all(near)
    }

    /// Whether the point lies in a cone.
    fn lies_in(&self, mask: u32) -> bool {
        self.z & !mask == 0 && self.w & mask == 0
    }
}

impl Found {
    /// Adds a point that is known, and one that is not if `unknown` is set.
    fn insert(&mut self, mask: u32, candidate: Candidate, unknown: bool) {
        let new = Entry::new(mask, candidate);
        let all = u32::MAX >> (32 - new.candidate.sizes.len().max(1));
        if !new.candidate.sizes.is_empty() && (new.z | new.w) & all != all {
            let same = self.degenerate.iter().find(|&&k| self.solutions[k].is_same(&new));
            if let Some(&k) = same {
                let old = &mut self.solutions[k];
                if (new.mask.count_ones(), new.mask) < (old.mask.count_ones(), old.mask) {
                    *old = new;
                }
                return;
            }
            if unknown {
                self.degenerate.push(self.solutions.len());
            }
        }
        if unknown {
            self.solutions.push(new);
        }
    }
}

/// Every isolated solution, and at least one of every continuum, in the order of their cones, of which only the wanted ones are examined.
pub(super) fn all_solutions(problem: &Problem, wanted: &dyn Fn(usize, u32) -> bool) -> Result<Vec<Solution>, Failure> {
    let n = problem.size();
    let mut walk = Walk {
        problem,
        n,
        steps: [Step::default(); MOST],
        q: [Row::default(); MOST + 1],
        used: [false; MOST],
        points: Points::default(),
        found: Found::default(),
        singular: Vec::new(),
        wanted,
    };
    walk.q[0].set(problem.q.iter().copied());
    walk.q[0].terms[..n].copy_from_slice(&problem.sizes);
    walk.descend(0, 0, false, 1.0);
    let Walk { mut found, mut points, mut singular, .. } = walk;
    singular.sort_by_key(|mask| (mask.count_ones(), *mask));
    let mut polyhedron = Polyhedron::new(problem);
    for mask in singular {
        let Some(vertex) = polyhedron.vertex(mask)? else { continue };
        let columns: Vec<Column> = (0..n).map(|i| column(mask, i)).collect();
        // Where this is not a vertex, q may need all columns, or many, of a cone that is singular within rounding errors only.
        let Ok(Some(candidate)) = points.solution(problem, &vertex) else {
            let candidate = points.solution(problem, &columns).ok().flatten();
            if let Some(candidate) = candidate.or_else(|| points.nearest(problem, &columns)) {
                found.insert(mask, candidate, true);
            }
            continue;
        };
        if polyhedron.has_other_points(&candidate.solution)? {
            found.continua.push(mask);
            found.insert(mask, candidate, !found.solutions.iter().any(|entry| entry.lies_in(mask)));
        } else {
            found.insert(mask, candidate, true);
        }
    }
    for entry in &mut found.solutions {
        entry.candidate.solution.isolated = !found.continua.iter().any(|&mask| entry.lies_in(mask));
    }
    found.solutions.sort_by_key(|entry| entry.mask);
    found.solutions.into_iter().map(|entry| problem.in_first_units(entry.candidate.solution)).collect()
}
