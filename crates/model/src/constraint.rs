//! Bilateral constraints: functions that stay zero with any force, and the body that moves along them (multipliers eliminated by M^-1; Udwadia & Kalaba, Proc. R. Soc. A 439, 1992).
//!
//! A constraint on positions c(q, phase) = 0 holds with its rate, one on velocities b(q, v, phase) = 0 alone. With G the slopes of all these speeds by the velocities, and gamma the
//! rates of the speeds at dv/dt = 0,
//!
//! M dv/dt = h + G' lambda,    lambda = -A^-1 (G M^-1 h + gamma),    A = G M^-1 G',
//!
//! and what presses on the body with the force w per unit adds -A^-1 G M^-1 w to lambda. So a constrained body is one whose M^-1 is M^-1 - M^-1 G' A^-1 G M^-1: contacts, friction and impacts
//! see no other difference. A constraint that holds by the others (rank of A) has no force of its own. A constraint with friction, mu times the modulus of its force, is not eliminated: it is
//! the pair of contacts 0 <= c and 0 <= -c, of which one carries (Glocker, Set-Valued Force Laws, 2001, Sect. 5).

use saltation_expr::{Graph, Node};

/// A function that stays zero.
#[derive(Debug, Clone)]
pub struct Constraint {
    /// Its name in the file.
    pub name: String,
    /// The function: of positions, or of velocities.
    pub keep: Node,
    /// Its rate, or itself if it is one of velocities.
    pub speed: Node,
    /// Whether it is a function of positions.
    pub of_positions: bool,
    /// Which of the forces of [`Constrained`] it has; none where it holds by others, or has friction.
    pub force: Option<usize>,
    /// Where it has friction: the two contacts that it is, the force of the first less that of the second being its own.
    pub sides: Option<[usize; 2]>,
}

impl Constraint {
    /// Whether it holds by others.
    pub fn is_redundant(&self) -> bool {
        self.force.is_none() && self.sides.is_none()
    }
}

/// The constraints of a body that have forces.
#[derive(Debug, Clone)]
pub struct Constrained {
    /// Positions c where the constraint is one of positions.
    pub positions: Vec<Option<Node>>,
    /// The speeds that stay zero.
    pub speeds: Vec<Node>,
    /// G, the slopes of the speeds by all velocities, one row per constraint.
    pub slopes: Vec<Vec<Node>>,
    /// M^-1 G', one row per constraint.
    pub spread: Vec<Vec<Node>>,
    /// A = G M^-1 G'.
    pub delassus: Vec<Vec<Node>>,
    /// The pivots of A relative to its diagonal, between 0 and 1: zero where the constraints are singular.
    pub regularity: Vec<Node>,
    /// lambda without contacts.
    pub forces: Vec<Node>,
    /// One step of Newton's method onto the constraints, along the directions of their forces: the changes of all coordinates, and of all velocities.
    pub correction: (Vec<Node>, Vec<Node>),
}

impl Constrained {
    /// The forces with which the constraints answer the accelerations `free` of velocities, for rates of the speeds `drift` without accelerations.
    fn answer(&self, graph: &mut Graph, free: &[Node], drift: Option<&[Node]>) -> Vec<Node> {
        let right = self.slopes.iter().enumerate().map(|(i, slope)| {
            let along = graph.dot(slope, free);
            let whole = drift.map_or(along, |drift| graph.add(along, drift[i]));
            graph.negate(whole)
        });
        let right: Vec<Node> = right.collect();
        graph.solve(&self.delassus, &right).0
    }

    /// Accelerations with the forces of the constraints.
    fn moved(&self, graph: &mut Graph, free: &[Node], forces: &[Node]) -> Vec<Node> {
        let sum = |(j, &own): (usize, &Node)| {
            self.spread.iter().zip(forces).fold(own, |sum, (spread, &force)| {
                let part = graph.multiply(force, spread[j]);
                graph.add(sum, part)
            })
        };
        free.iter().enumerate().map(sum).collect()
    }

    /// The response to a force whose free one is `free`, and the forces of the constraints that belong to it.
    pub(crate) fn response(&self, graph: &mut Graph, free: &[Node]) -> (Vec<Node>, Vec<Node>) {
        let forces = self.answer(graph, free, None);
        (self.moved(graph, free, &forces), forces)
    }

    /// The accelerations of a body whose free ones are `free`; its forces are then known.
    pub(crate) fn accelerations(&mut self, graph: &mut Graph, free: &[Node], drift: &[Node]) -> Vec<Node> {
        self.forces = self.answer(graph, free, Some(drift));
        self.moved(graph, free, &self.forces)
    }

    /// Forms the step onto the constraints, and the pivots.
    pub(crate) fn correct(&mut self, graph: &mut Graph) {
        let zero = graph.constant(0.0);
        let places: Vec<usize> = (0..self.positions.len()).filter(|&i| self.positions[i].is_some()).collect();
        let part: Vec<Vec<Node>> =
            places.iter().map(|&i| places.iter().map(|&j| self.delassus[i][j]).collect()).collect();
        let right: Vec<Node> = places.iter().filter_map(|&i| self.positions[i]).map(|c| graph.negate(c)).collect();
        let mut lengths = vec![zero; self.positions.len()];
        for (&i, length) in places.iter().zip(graph.solve(&part, &right).0) {
            lengths[i] = length;
        }
        let right: Vec<Node> = self.speeds.iter().map(|&speed| graph.negate(speed)).collect();
        let (impulses, pivots) = graph.solve(&self.delassus, &right);
        self.regularity =
            pivots.iter().enumerate().map(|(i, &pivot)| graph.divide(pivot, self.delassus[i][i])).collect();
        let still = vec![zero; self.spread.first().map_or(0, Vec::len)];
        self.correction = (self.moved(graph, &still, &lengths), self.moved(graph, &still, &impulses));
    }
}

/// A constraint, as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConstraintReport {
    /// Its name.
    pub name: String,
    /// The function that stays zero.
    pub keep: String,
    /// Whether it is one of positions, not of velocities.
    pub of_positions: bool,
    /// Whether it holds by others, and has no force of its own.
    pub redundant: bool,
    /// The two contacts that it is, where it has friction.
    pub sides: Option<[String; 2]>,
}

/// The slopes of a speed by the velocities, M^-1 times these, and the rate of the speed at constant velocities.
pub(crate) struct Reaction {
    pub slope: Vec<Node>,
    pub spread: Vec<Node>,
    pub drift: Node,
}

/// The speed that a constraint keeps at zero, for a body with the coordinates and velocities `x`.
pub(crate) fn speed(
    graph: &mut Graph,
    (keep, of_positions): (Node, bool),
    x: &[Node],
    carried: &[(Node, Node)],
) -> Node {
    if of_positions { at_constant_velocities(graph, keep, x, carried) } else { keep }
}

/// The rate of a formula while the velocities stay as they are; `carried` are the time and the phase with their rates.
pub(crate) fn at_constant_velocities(graph: &mut Graph, formula: Node, x: &[Node], carried: &[(Node, Node)]) -> Node {
    let (q, v) = x.split_at(x.len() / 2);
    carried.iter().fold(graph.lie_derivative(formula, q, v), |sum, &(symbol, rate)| {
        let slope = graph.derivative(formula, symbol);
        let advanced = graph.multiply(slope, rate);
        graph.add(sum, advanced)
    })
}
