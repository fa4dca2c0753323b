//! Contacts: gap, opening speed and acceleration, impact direction, friction, and the impact law.
//!
//! In the notation of Nordmark & Piiroinen (Sect. 2): the gap H >= 0, its opening speed v = L_F H, its opening acceleration
//! a = L_F^2 H, and the impact law R(x) = x + W(x) v(x), whose restitution at low speed is r = -(1 + L_W v).
//! At any other speed the law is its formula: the opening speed after the impact is v(R(x)).

use std::collections::HashMap;

use saltation_expr::{Graph, Node};

use crate::mechanics::Mechanics;
use crate::modulus::{self, Sides};

/// The friction of a contact: its coefficients, that of stick where it differs, the track and the speed of the belt.
pub(crate) struct Rubbing {
    pub coefficient: Node,
    pub held: Option<Node>,
    pub track: Node,
    pub belt: Node,
    /// Whether `abs` stands in the coefficient.
    pub modulus: bool,
}

/// An obstacle and the law of impacts against it.
#[derive(Debug, Clone)]
pub struct Contact {
    /// Its name in the file.
    pub name: String,
    /// H, the distance to the obstacle; H >= 0 is admissible.
    pub gap: Node,
    /// v = L_F H, the rate of the gap, including the motion of the obstacle (through the phase).
    pub speed: Node,
    /// a = L_F^2 H, the rate of the opening speed.
    pub acceleration: Node,
    /// R_i for every state: the state just after an impact at x.
    pub after: Vec<Node>,
    /// v(R(x)), the opening speed just after it.
    pub speed_after: Node,
    /// H(R(x)), the gap just after it: zero if the jump stays on the surface.
    pub gap_after: Node,
    /// W_i for every state: the direction of low-speed impacts, R(x) = x + W v + O(v^2). For mechanical bodies exact.
    pub direction: Vec<Node>,
    /// N = W / L_W v for every state: the change of the state per unit of opening speed, L_N v = 1 and L_N H = 0.
    /// It exists also for laws without a slope at zero speed, if only one state jumps.
    pub push: Vec<Node>,
    /// The restitution of a mechanical body; r = -(1 + L_W v) of a flow, its restitution at low speed.
    pub restitution: Node,
    /// (0, M^-1 w_N) for every state, w_N = dH/dq: the rates of the states per unit of normal force. Empty for a flow, which
    /// has no forces.
    pub response: Vec<Node>,
    /// What a unit of normal force adds to the force of every constraint.
    pub carried: Vec<Node>,
    /// The friction, if there is any.
    pub friction: Option<Friction>,
    /// The unit of the gap, if the file gives one.
    pub unit: Option<String>,
}

/// Coulomb friction in a contact: |lambda_T| <= mu lambda_N while it sticks, lambda_T = -mu lambda_N sgn(g_T') while it slips
/// (Leine & Brogliato, Eq. (2.7)).
#[derive(Debug, Clone)]
pub struct Friction {
    /// mu >= 0, as it is written.
    pub coefficient: Node,
    /// mu where the slip is positive: there |g_T'| is smooth, and so it is without slip.
    pub forward: Node,
    /// mu where the slip is negative.
    pub backward: Node,
    /// mu of a contact that sticks, where the file gives one.
    pub held: Option<Node>,
    /// The position along the surface.
    pub track: Node,
    /// The speed of the surface itself, in the direction in which the track grows.
    pub belt: Node,
    /// g_T' = L_F track - belt, the speed of slip.
    pub slip: Node,
    /// g_T'' = L_F g_T' along the free flight.
    pub slip_acceleration: Node,
    /// (0, M^-1 w_T) for every state, w_T = d track/dq: the rates of the states per unit of tangential force.
    pub response: Vec<Node>,
    /// What a unit of tangential force adds to the force of every constraint.
    pub carried: Vec<Node>,
}

/// The treatment of impacts with several contacts of mechanical bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Impacts {
    /// The treatment of simultaneous contacts.
    pub together: Together,
    /// The law of restitution.
    pub law: ImpactLaw,
}

/// The treatment of contacts that close simultaneously.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Together {
    /// The file does not say; a motion that needs it ends.
    #[default]
    Undecided,
    /// The motion ends, because the file says so.
    Refuse,
    /// All impulses follow from one linear complementarity problem.
    Complementarity,
    /// Impacts happen one after another, the fastest approach first, each as if alone.
    Sequence,
}

impl Together {
    /// Whether it is a law, so that several contacts may take part in one impact.
    pub fn is_law(self) -> bool {
        matches!(self, Together::Complementarity | Together::Sequence)
    }
}

/// The law of restitution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ImpactLaw {
    /// A ratio of opening speeds.
    #[default]
    Newton,
    /// A ratio of impulses: that of restitution to that of compression.
    Poisson,
}

/// The data of the motion that all contacts need.
pub(crate) struct Field<'m> {
    /// The symbols of all states, the phase last.
    pub states: &'m [Node],
    /// Their rates of change.
    pub rates: &'m [Node],
    /// The number of states without the phase.
    pub without_phase: usize,
}

impl Field<'_> {
    fn speed_and_acceleration(&self, graph: &mut Graph, gap: Node) -> (Node, Node) {
        let speed = graph.lie_derivative(gap, self.states, self.rates);
        (speed, graph.lie_derivative(speed, self.states, self.rates))
    }
}

/// A contact of a mechanical body with restitution e: W = (0, -(1+e) M^-1 N/(N' M^-1 N)), N = dH/dq (their Eq. (58)).
pub(crate) fn mechanical(
    graph: &mut Graph,
    field: &Field<'_>,
    body: &Mechanics,
    name: &str,
    gap: Node,
    restitution: Node,
) -> Contact {
    let (speed, acceleration) = field.speed_and_acceleration(graph, gap);
    let q: Vec<Node> = body.coordinates.iter().map(|&i| field.states[i]).collect();
    let normal = graph.gradient(gap, &q);
    let (response, carried) = body.response(graph, &normal);
    let compliance = graph.dot(&normal, &response);
    let one = graph.constant(1.0);
    let zero = graph.constant(0.0);
    let factor = graph.add(one, restitution);
    let mut direction = vec![zero; field.states.len()];
    let mut push = vec![zero; field.states.len()];
    let mut after = field.states.to_vec();
    for (i, &velocity) in body.velocities.iter().enumerate().filter(|(i, _)| response[*i] != zero) {
        // The quotient first: it is a constant for a single mass.
        let share = graph.divide(response[i], compliance);
        push[velocity] = share;
        let struck = graph.multiply(factor, share);
        direction[velocity] = graph.negate(struck);
        let jump = graph.multiply(direction[velocity], speed);
        after[velocity] = graph.add(after[velocity], jump);
    }
    let mut pushed = vec![zero; field.states.len()];
    for (&velocity, &share) in body.velocities.iter().zip(&response) {
        pushed[velocity] = share;
    }
    let rebound = graph.multiply(restitution, speed);
    let speed_after = graph.negate(rebound);
    Contact {
        name: name.to_string(),
        gap,
        speed,
        acceleration,
        after,
        speed_after,
        gap_after: gap,
        direction,
        push,
        restitution,
        response: pushed,
        carried,
        friction: None,
        unit: None,
    }
}

/// Friction in a contact of a mechanical body, and whether its coefficient has corners where the contact slips.
pub(crate) fn friction(
    graph: &mut Graph,
    field: &Field<'_>,
    body: &Mechanics,
    &Rubbing { coefficient, held, track, belt, .. }: &Rubbing,
) -> (Friction, bool) {
    let speed = graph.lie_derivative(track, field.states, field.rates);
    let slip = graph.subtract(speed, belt);
    let slip_acceleration = graph.lie_derivative(slip, field.states, field.rates);
    let q: Vec<Node> = body.coordinates.iter().map(|&i| field.states[i]).collect();
    let tangent = graph.gradient(track, &q);
    let zero = graph.constant(0.0);
    let mut response = vec![zero; field.states.len()];
    let (moved, carried) = body.response(graph, &tangent);
    for (share, &velocity) in moved.into_iter().zip(&body.velocities) {
        response[velocity] = share;
    }
    let Sides { forward, backward, corner } = modulus::sides(graph, coefficient, slip, field.states);
    let friction =
        Friction { coefficient, forward, backward, held, track, belt, slip, slip_acceleration, response, carried };
    (friction, corner)
}

/// A contact of a structure that is too large to be simulated: its gap and its restitution, without derived formulas.
pub(crate) fn at_rest(graph: &mut Graph, field: &Field<'_>, name: &str, gap: Node, restitution: Node) -> Contact {
    let none = graph.constant(f64::NAN);
    let nowhere = vec![none; field.states.len()];
    Contact {
        name: name.to_string(),
        gap,
        speed: none,
        acceleration: none,
        after: nowhere.clone(),
        speed_after: none,
        gap_after: none,
        direction: nowhere.clone(),
        push: nowhere.clone(),
        restitution,
        response: nowhere,
        carried: Vec::new(),
        friction: None,
        unit: None,
    }
}

/// A contact of a flow whose states jump to `after`. On v = 0 the jump is the identity, so that
///
/// ```text
/// W_i = D_d(R_i - x_i) / D_d v    along    d = grad v - (grad v . grad H / |grad H|^2) grad H,
/// ```
///
/// with gradients over the states without the phase; `None` if v does not change along the surface at all.
pub(crate) fn flow(graph: &mut Graph, field: &Field<'_>, name: &str, gap: Node, after: Vec<Node>) -> Option<Contact> {
    let (speed, acceleration) = field.speed_and_acceleration(graph, gap);
    let x = &field.states[..field.without_phase];
    let normal = graph.gradient(gap, x);
    let across = graph.gradient(speed, x);
    let overlap = graph.dot(&across, &normal);
    let square = graph.dot(&normal, &normal);
    let share = graph.divide(overlap, square);
    let mut d = Vec::with_capacity(x.len());
    for (&g, &n) in across.iter().zip(&normal) {
        let removed = graph.multiply(share, n);
        d.push(graph.subtract(g, removed));
    }
    let along = graph.dot(&across, &d);
    if graph.as_constant(along) == Some(0.0) {
        return None;
    }
    // Per unit of v along d: the change of x itself, and that of its image. W is their difference, and 1 + L_W v = L_images v.
    let zero = graph.constant(0.0);
    let mut images = Vec::with_capacity(field.states.len());
    let mut direction = Vec::with_capacity(field.states.len());
    for (i, (&image, &state)) in after.iter().zip(field.states).enumerate() {
        let moved = d.get(i).map_or(zero, |&d| graph.divide(d, along));
        let carried = if image == state {
            moved
        } else {
            let slope = graph.gradient(image, x);
            let change = graph.dot(&slope, &d);
            graph.divide(change, along)
        };
        images.push(carried);
        direction.push(graph.subtract(carried, moved));
    }
    let kept = graph.lie_derivative(speed, field.states, &images);
    let restitution = graph.negate(kept);
    let push = pushing(graph, field.states, &after, speed, &direction);
    let moved: HashMap<Node, Node> = field.states.iter().copied().zip(after.iter().copied()).collect();
    let [speed_after, gap_after] = [speed, gap].map(|node| graph.substitute(node, &moved));
    Some(Contact {
        name: name.to_string(),
        gap,
        speed,
        acceleration,
        after,
        speed_after,
        gap_after,
        direction,
        push,
        restitution,
        response: Vec::new(),
        carried: Vec::new(),
        friction: None,
        unit: None,
    })
}

/// N = W / L_W v. If one state alone jumps, it moves by the reciprocal of its own share in the opening speed, whatever the law.
fn pushing(graph: &mut Graph, states: &[Node], after: &[Node], speed: Node, direction: &[Node]) -> Vec<Node> {
    let zero = graph.constant(0.0);
    let mut jumping = (0..states.len()).filter(|&i| after[i] != states[i]);
    if let (Some(only), None) = (jumping.next(), jumping.next()) {
        let one = graph.constant(1.0);
        let share = graph.derivative(speed, states[only]);
        let mut push = vec![zero; states.len()];
        push[only] = graph.divide(one, share);
        return push;
    }
    let closed = graph.lie_derivative(speed, states, direction);
    direction.iter().map(|&w| graph.divide(w, closed)).collect()
}
