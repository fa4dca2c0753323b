//! Structures given by their matrices, M u'' + C u' + K u = f, as numbers and as formulas.
//!
//! M and K are numbers and sparse. Where the structure is small enough to be simulated, the accelerations M^-1 (f - K u - C v) are formulas
//! like those of any mechanical body: M is factored as numbers, M = L D L^T, and only the substitutions are written as nodes,
//! so that work and formulas grow with the entries of the matrices. A larger structure is its numbers.

use saltation_expr::{Graph, Node};
use saltation_numerics::matrix_market::Coordinates;
use saltation_numerics::skyline::Skyline;

/// The largest number of degrees of freedom of a structure.
pub const MOST_DEGREES: usize = 5000;
/// The largest number of degrees of freedom with which a structure is simulated.
pub const MOST_MOVED: usize = 1000;
/// The largest number of terms in the accelerations of a structure that is simulated: full matrices of 250 degrees of freedom, or a bandwidth
/// of 60 with 1000.
pub const MOST_TERMS: usize = 250_000;

/// The numbers of a `[matrices]` body.
#[derive(Debug, Clone)]
pub struct Matrices {
    /// M, symmetric and positive definite.
    pub mass: Coordinates,
    /// K, symmetric.
    pub stiffness: Coordinates,
    /// C without its proportional part, which is `proportional.0` M + `proportional.1` K.
    pub damping: Option<Coordinates>,
    /// The factors of M and K in the damping, formulas of parameters; both are the constant 0 where there are none.
    pub proportional: (Node, Node),
    /// The loads that are not zero: degree of freedom from 0, and a formula of parameters and the phase.
    pub load: Vec<(usize, Node)>,
    /// For every contact its gap, where that is written by weights of degrees of freedom.
    pub contacts: Vec<Option<GapEntry>>,
    /// The factors of M.
    pub(crate) factors: Skyline,
}

/// A gap as constant + sum of weight times displacement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GapEntry {
    /// The gap where all displacements are zero.
    pub constant: Node,
    /// Degrees of freedom, from 0 and rising, with their weights.
    pub normal: Vec<(usize, Node)>,
}

impl GapEntry {
    /// The gap as a formula of the coordinates `u`.
    pub(crate) fn formula(&self, graph: &mut Graph, u: &[Node]) -> Node {
        let terms: Vec<Node> = self.normal.iter().map(|&(i, weight)| graph.multiply(weight, u[i])).collect();
        terms.into_iter().fold(self.constant, |sum, term| graph.add(sum, term))
    }
}

impl Matrices {
    /// The number of degrees of freedom.
    pub fn degrees(&self) -> usize {
        self.mass.rows
    }

    /// Whether the structure is small enough to be simulated.
    pub fn is_moved(&self) -> bool {
        self.degrees() <= MOST_MOVED && self.terms() <= MOST_TERMS
    }

    /// The number of terms in the accelerations: entries of K and C, and those of the factors of M for both substitutions.
    pub fn terms(&self) -> usize {
        let entries = |matrix: &Coordinates| matrix.entries.len();
        entries(&self.stiffness)
            + self.damping.as_ref().map_or(0, entries)
            + (0..self.degrees()).map(|i| 2 * self.factors.row(i).1.len() + 1).sum::<usize>()
    }

    /// M as constants, by rows.
    pub(crate) fn mass_nodes(&self, graph: &mut Graph) -> Vec<Vec<Node>> {
        let n = self.degrees();
        let zero = graph.constant(0.0);
        let mut rows = vec![vec![zero; n]; n];
        for &(i, j, m) in &self.mass.entries {
            rows[i][j] = graph.constant(m);
        }
        rows
    }

    /// h = f - K u - C v, with the proportional part of the damping.
    pub(crate) fn force(&self, graph: &mut Graph, u: &[Node], v: &[Node]) -> Vec<Node> {
        let zero = graph.constant(0.0);
        let mut force = vec![zero; self.degrees()];
        for &(i, load) in &self.load {
            force[i] = load;
        }
        let (of_mass, of_stiffness) = self.proportional;
        let mut subtract = |matrix: &Coordinates, x: &[Node], factor: Option<Node>| {
            if factor == Some(zero) {
                return;
            }
            for (h, row) in force.iter_mut().zip(matrix.by_rows()) {
                let terms: Vec<Node> = row
                    .into_iter()
                    .map(|(j, a)| {
                        let a = graph.constant(a);
                        graph.multiply(a, x[j])
                    })
                    .collect();
                let sum = graph.sum(terms);
                let sum = factor.map_or(sum, |factor| graph.multiply(factor, sum));
                *h = graph.subtract(*h, sum);
            }
        };
        subtract(&self.stiffness, u, None);
        if let Some(damping) = &self.damping {
            subtract(damping, v, None);
        }
        subtract(&self.mass, v, Some(of_mass));
        subtract(&self.stiffness, v, Some(of_stiffness));
        force
    }

    /// M^-1 b as formulas.
    pub(crate) fn response(&self, graph: &mut Graph, right: &[Node]) -> Vec<Node> {
        let mut b = right.to_vec();
        for i in 0..b.len() {
            let (first, row) = self.factors.row(i);
            for (j, &l) in (first..).zip(row).filter(|(_, l)| **l != 0.0) {
                let l = graph.constant(l);
                let carried = graph.multiply(l, b[j]);
                b[i] = graph.subtract(b[i], carried);
            }
        }
        for (b, &pivot) in b.iter_mut().zip(self.factors.pivots()) {
            let pivot = graph.constant(pivot);
            *b = graph.divide(*b, pivot);
        }
        for i in (0..b.len()).rev() {
            let (first, row) = self.factors.row(i);
            for (j, &l) in (first..).zip(row).filter(|(_, l)| **l != 0.0) {
                let l = graph.constant(l);
                let carried = graph.multiply(l, b[i]);
                b[j] = graph.subtract(b[j], carried);
            }
        }
        b
    }
}
