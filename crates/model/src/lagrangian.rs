//! Which masses and forces does a Lagrangian give?
//!
//! The Euler-Lagrange equations d/dt (dL/dv) = dL/dq - dR/dv + Q, with Rayleigh's dissipation function R(q, v) and forces Q,
//! written out by the chain rule, are M dv/dt = h with
//!
//! ```text
//! M = d2L/dv dv,    h = dL/dq - (d2L/dv dq) v - (d2L/dv dphase) rate - dR/dv + Q.
//! ```

use saltation_expr::{Graph, Node};

/// M and h of a Lagrangian in coordinates `q` and velocities `v`; `phase` is its symbol and its rate.
pub(crate) fn mass_and_force(
    graph: &mut Graph,
    lagrangian: Node,
    dissipation: Node,
    forces: &[Node],
    (q, v): (&[Node], &[Node]),
    phase: Option<(Node, Node)>,
) -> (Vec<Vec<Node>>, Vec<Node>) {
    let momenta = graph.gradient(lagrangian, v);
    let mut mass: Vec<Vec<Node>> = momenta.iter().map(|&p| graph.gradient(p, v)).collect();
    for i in 1..mass.len() {
        // Second derivatives commute: one node for both.
        let (above, rest) = mass.split_at_mut(i);
        for (j, row) in above.iter().enumerate() {
            rest[0][j] = row[i];
        }
    }
    let mut force = Vec::with_capacity(q.len());
    for i in 0..q.len() {
        let slope = graph.derivative(lagrangian, q[i]);
        let along = graph.gradient(momenta[i], q);
        let transport = graph.dot(&along, v);
        let drag = graph.derivative(dissipation, v[i]);
        let mut h = graph.subtract(slope, transport);
        if let Some((symbol, rate)) = phase {
            let change = graph.derivative(momenta[i], symbol);
            let change = graph.multiply(change, rate);
            h = graph.subtract(h, change);
        }
        h = graph.subtract(h, drag);
        force.push(graph.add(h, forces[i]));
    }
    (mass, force)
}
