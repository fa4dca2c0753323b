//! Equations of motion of a mechanical body, M(q) dv/dt = h(q, v, phase), as nodes of the graph.

use saltation_expr::{Graph, Node};

use crate::constraint::Constrained;
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
    /// The constraints that have forces and no friction, if there are any.
    pub constrained: Option<Box<Constrained>>,
    /// Where constraints have friction: one step of Newton's method onto all of them, as [`Constrained::correction`].
    pub onto: Option<Box<(Vec<Node>, Vec<Node>)>>,
}

impl Mechanics {
    /// The accelerations per unit of a force b, and what it adds to the forces of the constraints: M^-1 b where there are none.
    pub(crate) fn response(&self, graph: &mut Graph, right: &[Node]) -> (Vec<Node>, Vec<Node>) {
        let free = self.free_response(graph, right);
        match &self.constrained {
            Some(constrained) => constrained.response(graph, &free),
            None => (free, Vec::new()),
        }
    }

    /// M^-1 b as formulas.
    pub(crate) fn free_response(&self, graph: &mut Graph, right: &[Node]) -> Vec<Node> {
        match &self.matrices {
            Some(matrices) => matrices.response(graph, right),
            None => self.response_of_part(graph, right),
        }
    }

    /// The same for a mass matrix of formulas. M^-1 b is zero but for the coordinates that entries of M connect with those of b: two bodies of hundreds touch.
    fn response_of_part(&self, graph: &mut Graph, right: &[Node]) -> Vec<Node> {
        let zero = graph.constant(0.0);
        let part = connected(&self.mass, right, zero);
        let mass: Vec<Vec<Node>> = part.iter().map(|&i| part.iter().map(|&j| self.mass[i][j]).collect()).collect();
        let inside: Vec<Node> = part.iter().map(|&i| right[i]).collect();
        let mut response = vec![zero; right.len()];
        for (&i, share) in part.iter().zip(graph.solve(&mass, &inside).0) {
            response[i] = share;
        }
        response
    }
}

/// The rows that have an entry in `right`, and all that entries of a symmetric matrix connect with them, in order.
fn connected(matrix: &[Vec<Node>], right: &[Node], zero: Node) -> Vec<usize> {
    let mut inside: Vec<bool> = right.iter().map(|&entry| entry != zero).collect();
    let mut waiting: Vec<usize> = (0..right.len()).filter(|&i| inside[i]).collect();
    while let Some(i) = waiting.pop() {
        for j in 0..right.len() {
            if !inside[j] && (matrix[i][j] != zero || matrix[j][i] != zero) {
                inside[j] = true;
                waiting.push(j);
            }
        }
    }
    (0..right.len()).filter(|&i| inside[i]).collect()
}

/// M^-1 h as formulas, and the pivots of M.
pub(crate) fn accelerations(graph: &mut Graph, mass: &[Vec<Node>], force: &[Node]) -> (Vec<Node>, Vec<Node>) {
    graph.solve(mass, force)
}
