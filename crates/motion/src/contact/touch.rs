//! A contact of a mechanical body at a state: its speeds, its coefficients, and the directions in which it pushes and rubs.

use saltation_expr::{Graph, Jet, Node, Tape};
use saltation_model::{Contact, Friction, Mechanics, Model};
use saltation_numerics::number::Number;

use crate::instant::knowledge::ROUNDING;
use crate::mode::Slip;

/// Whether what happens at a contact of the model is decided for all closed contacts together: with friction, joint impacts, constraints, or switches that forces depend on.
pub(crate) fn is_coupled(model: &Model) -> bool {
    let together = model.impacts.together.is_law();
    let has_friction = model.contacts.iter().any(|contact| contact.friction.is_some());
    let touches = !model.contacts.is_empty();
    let switches = model.switches.iter().any(|switch| switch.is_felt) && touches;
    let constrained = model.body.constrained().is_some() && touches;
    model.body.mechanics().is_some() && (has_friction || together || switches || constrained)
}

/// Gap, g_N', restitution, g_N'', mu for g_T' > 0 and for g_T' < 0, that of stick for either direction, g_T', g_T''; then w_N and w_T for every velocity, M^-1 w_N and M^-1 w_T likewise.
/// What belongs to friction is zero where there is none. Of a body with constraints also w_N' M^-1 w_N and w_T' M^-1 w_T with the M^-1 of the body without them.
pub(crate) fn touch_formulas(graph: &mut Graph, contact: &Contact, body: &Mechanics, symbols: &[Node]) -> Vec<Node> {
    let zero = graph.constant(0.0);
    let none = vec![zero; body.velocities.len()];
    let along = |response: &[Node]| -> Vec<Node> { body.velocities.iter().map(|&v| response[v]).collect() };
    let velocities: Vec<Node> = body.velocities.iter().map(|&v| symbols[v]).collect();
    let mut formulas = vec![contact.gap, contact.speed, contact.restitution, contact.acceleration];
    let (mut tangent, mut slid) = (none.clone(), none);
    match &contact.friction {
        Some(friction) => {
            formulas.extend([friction.forward, friction.backward]);
            formulas.extend(Slip::BOTH.map(|slip| holding(friction, slip)));
            formulas.extend([friction.slip, friction.slip_acceleration]);
            tangent = graph.gradient(friction.slip, &velocities);
            slid = along(&friction.response);
        }
        None => formulas.extend([zero; 6]),
    }
    let normal = graph.gradient(contact.speed, &velocities);
    let pushed = along(&contact.response);
    let mut free = |(w, moved): (&[Node], &[Node]), carried: &[Node]| {
        let constrained = body.constrained.as_deref()?;
        let own = graph.dot(w, moved);
        let held = constrained.spread.iter().zip(carried).map(|(spread, &force)| {
            let across = graph.dot(w, spread);
            graph.multiply(force, across)
        });
        let held: Vec<Node> = held.collect();
        let held = graph.sum(held);
        Some(graph.subtract(own, held))
    };
    let of_normal = free((&normal, &pushed), &contact.carried);
    let of_tangent = match &contact.friction {
        Some(friction) => free((&tangent, &slid), &friction.carried),
        None => of_normal.map(|_| zero),
    };
    formulas.extend(normal);
    formulas.extend(tangent);
    formulas.extend(pushed);
    formulas.extend(slid);
    formulas.extend(of_normal.into_iter().chain(of_tangent));
    formulas
}

/// mu of a contact that slips in a direction.
pub(crate) fn rubbing(friction: &Friction, slip: Slip) -> Node {
    match slip {
        Slip::Forward => friction.forward,
        Slip::Backward => friction.backward,
    }
}

/// mu of a contact that sticks, against slip in a direction.
pub(crate) fn holding(friction: &Friction, slip: Slip) -> Node {
    friction.held.unwrap_or(rubbing(friction, slip))
}

/// What is known of a contact of a mechanical body at a state, on any kind of number.
///
/// Vectors have one entry per velocity. w_N is also the gradient of the gap over the coordinates.
#[derive(Debug, Clone)]
pub(crate) struct Touch<T = f64> {
    slots: Vec<T>,
    jet: Jet<T>,
    outputs: Vec<T>,
    velocities: usize,
    /// The velocities that g_N' and g_T' depend on, and those that forces change.
    involved: Vec<usize>,
    responding: Vec<usize>,
}

/// How many numbers stand before the vectors.
const SCALARS: usize = 10;

impl<T: Number> Touch<T> {
    /// Holds pieces of tables, see [`Tape::hold`].
    pub(crate) fn hold(&mut self, tape: &Tape, pieces: &[Option<i64>]) {
        tape.hold(&mut self.slots, pieces);
    }

    pub(crate) fn new(tape: &Tape, parameters: &[T]) -> Touch<T> {
        let velocities = (tape.outputs() - SCALARS) / 4;
        let vanishing = tape.vanishing_outputs();
        let present = |first: usize| -> Vec<usize> {
            let rows = [first, first + 1].map(|row| SCALARS + row * velocities);
            (0..velocities).filter(|v| rows.iter().any(|row| !vanishing[row + v])).collect()
        };
        Touch {
            slots: tape.bind(parameters),
            jet: Jet::new(tape),
            outputs: vec![T::ZERO; tape.outputs()],
            velocities,
            involved: present(0),
            responding: present(2),
        }
    }

    /// Gives the parameters other values.
    pub(crate) fn bind(&mut self, tape: &Tape, parameters: &[T]) {
        tape.bind_into(parameters, &mut self.slots);
    }

    /// Looks at the contact at a state.
    pub(crate) fn at(&mut self, tape: &Tape, state: &[T]) {
        tape.evaluate(&self.slots, state, &mut self.jet, &mut self.outputs);
    }

    /// g_N.
    pub(crate) fn gap(&self) -> T {
        self.outputs[0]
    }

    /// g_N'.
    pub(crate) fn speed(&self) -> T {
        self.outputs[1]
    }

    /// The coefficient of restitution.
    pub(crate) fn restitution(&self) -> T {
        self.outputs[2]
    }

    /// g_N'' in free flight.
    pub(crate) fn acceleration(&self) -> T {
        self.outputs[3]
    }

    /// mu on the side of the present slip.
    pub(crate) fn friction(&self) -> T {
        if self.slip().value() < 0.0 { self.outputs[5] } else { self.outputs[4] }
    }

    /// mu of a contact that slips in a direction.
    pub(crate) fn rubbing(&self, slip: Slip) -> T {
        match slip {
            Slip::Forward => self.outputs[4],
            Slip::Backward => self.outputs[5],
        }
    }

    /// mu of a contact that sticks: the larger one of both directions.
    pub(crate) fn holding(&self) -> T {
        if self.outputs[7].value() > self.outputs[6].value() { self.outputs[7] } else { self.outputs[6] }
    }

    /// Whether contact without slip holds more than slip, or more against one direction than the other.
    pub(crate) fn is_uneven(&self) -> bool {
        let first = self.outputs[4].value();
        let same = |mu: &T| (mu.value() - first).abs() <= ROUNDING * first.abs();
        !self.outputs[5..8].iter().all(same)
    }

    /// g_T'.
    pub(crate) fn slip(&self) -> T {
        self.outputs[8]
    }

    /// g_T'' in free flight.
    pub(crate) fn slip_acceleration(&self) -> T {
        self.outputs[9]
    }

    fn vector(&self, position: usize) -> &[T] {
        let first = SCALARS + position * self.velocities;
        &self.outputs[first..first + self.velocities]
    }

    /// w_N.
    pub(crate) fn normal(&self) -> &[T] {
        self.vector(0)
    }

    /// w_T.
    pub(crate) fn tangent(&self) -> &[T] {
        self.vector(1)
    }

    /// M^-1 w_N.
    pub(crate) fn normal_response(&self) -> &[T] {
        self.vector(2)
    }

    /// M^-1 w_T.
    pub(crate) fn tangential_response(&self) -> &[T] {
        self.vector(3)
    }

    /// The product of w_N or w_T with a vector of changes of velocities.
    pub(crate) fn dot(&self, across: &[T], along: &[T]) -> T {
        let mut sum = T::ZERO;
        for &v in &self.involved {
            sum += across[v] * along[v];
        }
        sum
    }

    /// w_N' M^-1 w_N, or w_T' M^-1 w_T if `tangential`, with the M^-1 of the body without constraints: beside it the true one is rounding where constraints hold the direction.
    pub(crate) fn measure(&self, tangential: bool) -> T {
        match (self.outputs.get(SCALARS + 4 * self.velocities + usize::from(tangential)), tangential) {
            (Some(&free), _) => free,
            (None, false) => self.dot(self.normal(), self.normal_response()),
            (None, true) => self.dot(self.tangent(), self.tangential_response()),
        }
    }

    /// sqrt(w_N' M^-1 w_N): no opening speed is larger than this times sqrt(v'Mv).
    pub(crate) fn normal_mobility(&self) -> f64 {
        self.measure(false).value().abs().sqrt()
    }

    /// sqrt(w_T' M^-1 w_T): no speed along the surface is larger than this times sqrt(v'Mv).
    pub(crate) fn tangential_mobility(&self) -> f64 {
        self.measure(true).value().abs().sqrt()
    }

    /// The velocities that forces change.
    pub(crate) fn responding(&self) -> &[usize] {
        &self.responding
    }

    /// Whether every number is finite; of the coefficients of friction that of the present slip.
    pub(crate) fn is_finite(&self) -> bool {
        let others = self.outputs[..4].iter().chain(&self.outputs[8..]);
        others.chain([&self.friction()]).all(|x| x.value().is_finite())
    }
}
