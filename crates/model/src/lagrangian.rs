//! Derives mass matrix and forces from a Lagrangian.
//!
//! The Euler-Lagrange equations d/dt (dL/dv) = dL/dq - dR/dv + Q, with Rayleigh's dissipation function R(q, v) and forces Q,
//! are M dv/dt = h with M = d2L/dv dv. Where M is free of the velocities, L = v'Mv/2 + b'v - V, and
//!
//! ```text
//! h_i = - sum_{j<=k} G_ijk v_j v_k + sum_j (db_j/dq_i - db_i/dq_j) v_j - dV/dq_i - d(M v + b)_i/dphase rate - dR/dv_i + Q_i,
//! G_ijj = dM_ij/dq_j - (dM_jj/dq_i)/2,    G_ijk = dM_ij/dq_k + dM_ik/dq_j - dM_jk/dq_i,
//! ```
//!
//! in which terms that cancel are removed (the G are Christoffel's symbols of the first kind, twice those for j < k). For
//! other Lagrangians the chain rule gives
//!
//! ```text
//! h = dL/dq - (d2L/dv dq) v - (d2L/dv dphase) rate - dR/dv + Q.
//! ```

use std::collections::HashMap;

use saltation_expr::{Graph, Node};

/// M and h of a Lagrangian in coordinates `q` and velocities `v`; `carried` is what advances by itself, the phase, with its rate.
pub(crate) fn mass_and_force(
    graph: &mut Graph,
    lagrangian: Node,
    dissipation: Node,
    forces: &[Node],
    (q, v): (&[Node], &[Node]),
    carried: &[(Node, Node)],
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
    let quadratic = mass.iter().flatten().all(|&m| !v.iter().any(|&velocity| graph.depends_on(m, velocity)));
    let mut force = Vec::with_capacity(q.len());
    for i in 0..q.len() {
        let mut h = if quadratic {
            inertia_and_potential(graph, lagrangian, &momenta, &mass, (q, v), i)
        } else {
            let slope = graph.derivative(lagrangian, q[i]);
            let along = graph.gradient(momenta[i], q);
            let transport = graph.dot(&along, v);
            graph.subtract(slope, transport)
        };
        let drag = graph.derivative(dissipation, v[i]);
        for &(symbol, rate) in carried {
            let change = graph.derivative(momenta[i], symbol);
            let change = graph.multiply(change, rate);
            h = graph.subtract(h, change);
        }
        h = graph.subtract(h, drag);
        force.push(graph.add(h, forces[i]));
    }
    (mass, force)
}

/// The part of h_i that is quadratic and linear in the velocities, and that of the potential.
fn inertia_and_potential(
    graph: &mut Graph,
    lagrangian: Node,
    momenta: &[Node],
    mass: &[Vec<Node>],
    (q, v): (&[Node], &[Node]),
    i: usize,
) -> Node {
    let zero = graph.constant(0.0);
    let at_rest: HashMap<Node, Node> = v.iter().map(|&velocity| (velocity, zero)).collect();
    let potential = graph.substitute(lagrangian, &at_rest);
    let mut h = graph.derivative(potential, q[i]);
    let own = graph.substitute(momenta[i], &at_rest);
    for j in 0..q.len() {
        let other = graph.substitute(momenta[j], &at_rest);
        let (there, back) = (graph.derivative(other, q[i]), graph.derivative(own, q[j]));
        let gyroscopic = graph.subtract(there, back);
        let term = graph.multiply(gyroscopic, v[j]);
        h = graph.add(h, term);
        for k in j..q.len() {
            let first = graph.derivative(mass[i][j], q[k]);
            let last = graph.derivative(mass[j][k], q[i]);
            let symbol = if j == k {
                let half = graph.constant(0.5);
                let last = graph.multiply(half, last);
                graph.subtract(first, last)
            } else {
                let second = graph.derivative(mass[i][k], q[j]);
                let difference = graph.subtract(second, last);
                graph.add(first, difference)
            };
            let speeds = graph.multiply(v[j], v[k]);
            let term = graph.multiply(symbol, speeds);
            h = graph.subtract(h, term);
        }
    }
    h
}
