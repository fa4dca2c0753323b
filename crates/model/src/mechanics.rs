//! Equations of motion of a mechanical body, M(q) dv/dt = h(q, v, phase), as nodes of the graph.

use saltation_expr::{Graph, Node};

use crate::matrices::Matrices;

/// A mechanical body: coordinates q with dq/dt = v, and M dv/dt = h.
#[derive(Debug, Clone)]
pub struct Mechanics {
    /// Which states are the coordinates q.
    pub coordinates: Vec<usize>,
    /// Which states are their velocities v, in the same order.
    pub velocities: Vec<usize>,
    /// The mass matrix M, by rows.
    pub mass: Vec<Vec<Node>>,
    /// The forces h.
    pub force: Vec<Node>,
    /// The pivots D of M = L D L^T: all are positive exactly where M is positive definite.
    pub pivots: Vec<Node>,
    /// The Lagrangian from which M and h were derived, for a `[lagrangian]` body.
    pub lagrangian: Option<Node>,
    /// The numbers of a `[matrices]` body. Where it is too large to be simulated, `mass`, `force` and `pivots` are empty.
    pub matrices: Option<Box<Matrices>>,
}

impl Mechanics {
    /// M^-1 b as formulas.
    pub(crate) fn response(&self, graph: &mut Graph, right: &[Node]) -> Vec<Node> {
        match &self.matrices {
            Some(matrices) => matrices.response(graph, right),
            None => graph.solve(&self.mass, right).0,
        }
    }
}

/// M^-1 h as formulas, and the pivots of M.
pub(crate) fn accelerations(graph: &mut Graph, mass: &[Vec<Node>], force: &[Node]) -> (Vec<Node>, Vec<Node>) {
    graph.solve(mass, force)
}
