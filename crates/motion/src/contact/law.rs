//! The laws at the surface of one contact: its impact x -> R(x), its gap and opening speed with their gradients, evaluated at single points.

use saltation_expr::{Graph, Node, Point, Tape};
use saltation_model::{Contact, Model, StateKind};
use saltation_numerics::number::Number;

use super::touch::touch_formulas;

/// What happens at the surface of one contact, evaluated at single points.
#[derive(Debug, Clone)]
pub(crate) struct ContactLaw {
    /// The state after an impact, then the opening speed before it, that after it, and the gap after it.
    pub impact: Tape,
    /// Gap, opening speed, then the direction N along the surface in which the speed grows, and the gradient of the gap.
    pub surface: Tape,
    /// Whether the jump moves what the gap consists of.
    pub moves: bool,
    /// The opening speed after slow impacts as a series in that before, where it is no constant multiple of it.
    pub slow: Option<Tape>,
    /// How the contact pushes and rubs, for mechanical bodies.
    pub touch: Option<Tape>,
}

impl ContactLaw {
    /// The laws of a contact, compiled.
    pub(crate) fn new(model: &Model, contact: &Contact, symbols: &[Node], parameters: &[Node]) -> ContactLaw {
        let mut graph = model.graph.clone();
        let mut impact = contact.after.clone();
        impact.extend([contact.speed, contact.speed_after, contact.gap_after]);
        let mut surface = vec![contact.gap, contact.speed];
        surface.extend(&contact.push);
        for (state, &symbol) in model.states.iter().zip(symbols) {
            // The surface is reached by moving the states, never the phase.
            let slope = match state.kind {
                StateKind::Phase | StateKind::Time => graph.constant(0.0),
                _ => graph.derivative(contact.gap, symbol),
            };
            surface.push(slope);
        }
        let touch = model.body.mechanics().map(|body| touch_formulas(&mut graph, contact, body, symbols));
        let slope = graph.lie_derivative(contact.speed_after, symbols, &contact.push);
        let bend = graph.lie_derivative(slope, symbols, &contact.push);
        let curved = graph.as_constant(bend) != Some(0.0);
        let compile = |outputs: &[Node]| Tape::new(&graph, symbols, parameters, &[], outputs);
        ContactLaw {
            impact: compile(&impact),
            surface: compile(&surface),
            moves: contact.gap_after != contact.gap,
            slow: curved.then(|| Tape::new(&graph, symbols, parameters, &contact.push, &[contact.speed_after])),
            touch: touch.map(|formulas| compile(&formulas)),
        }
    }
}

/// How the contacts of a mechanical body push and rub on given sides of switches, whose formulas of flight are the rates in `field`.
pub(crate) fn touches_on(
    model: &Model,
    graph: &mut Graph,
    field: &[Node],
    (symbols, parameters): (&[Node], &[Node]),
) -> Vec<Option<Tape>> {
    let mut tapes = Vec::with_capacity(model.contacts.len());
    for contact in &model.contacts {
        let mut own = contact.clone();
        own.acceleration = graph.lie_derivative(own.speed, symbols, field);
        if let Some(friction) = &mut own.friction {
            friction.slip_acceleration = graph.lie_derivative(friction.slip, symbols, field);
        }
        let formulas = model.body.mechanics().map(|body| touch_formulas(graph, &own, body, symbols));
        tapes.push(formulas.map(|outputs| Tape::new(graph, symbols, parameters, &[], &outputs)));
    }
    tapes
}

/// The laws of one contact with the parameters bound, on any kind of number.
#[derive(Debug, Clone)]
pub(crate) struct BoundLaw<T = f64> {
    impact: Vec<T>,
    impact_point: Point<T>,
    surface: Vec<T>,
    surface_point: Point<T>,
    outputs: Vec<T>,
    states: usize,
}

/// What an impact does.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Struck<'l, T> {
    /// The state after it.
    pub after: &'l [T],
    /// The opening speed before it, and after it.
    pub speed: T,
    pub opened: T,
    /// The gap after it.
    pub gap: T,
}

impl<T: Number> BoundLaw<T> {
    pub(crate) fn new(law: &ContactLaw, parameters: &[T]) -> BoundLaw<T> {
        let states = law.impact.states();
        BoundLaw {
            impact: law.impact.bind(parameters),
            impact_point: Point::new(&law.impact),
            surface: law.surface.bind(parameters),
            surface_point: Point::new(&law.surface),
            outputs: vec![T::ZERO; 2 * states + 3],
            states,
        }
    }

    /// Gives the parameters other values.
    pub(crate) fn bind(&mut self, law: &ContactLaw, parameters: &[T]) {
        law.impact.bind_into(parameters, &mut self.impact);
        law.surface.bind_into(parameters, &mut self.surface);
    }

    /// Holds pieces of tables, see [`Tape::hold`].
    pub(crate) fn hold(&mut self, law: &ContactLaw, pieces: &[Option<i64>]) {
        law.impact.hold(&mut self.impact, pieces);
        law.surface.hold(&mut self.surface, pieces);
    }

    /// What an impact at a state does.
    pub(crate) fn strike(&mut self, law: &ContactLaw, state: &[T]) -> Struck<'_, T> {
        let n = self.states;
        let outputs = &mut self.outputs[..n + 3];
        law.impact.evaluate_at(&self.impact, state, &mut self.impact_point, outputs);
        Struck { after: &outputs[..n], speed: outputs[n], opened: outputs[n + 1], gap: outputs[n + 2] }
    }

    /// Gap and opening speed at a state; [`BoundLaw::push`] and [`BoundLaw::gradient`] are then those there.
    pub(crate) fn surface(&mut self, law: &ContactLaw, state: &[T]) -> (T, T) {
        let outputs = &mut self.outputs[..2 * self.states + 2];
        law.surface.evaluate_at(&self.surface, state, &mut self.surface_point, outputs);
        (outputs[0], outputs[1])
    }

    /// The direction N = W / L_W v along the surface, in which the opening speed grows by 1.
    pub(crate) fn push(&self) -> &[T] {
        &self.outputs[2..2 + self.states]
    }

    /// The gradient of the gap with respect to the states, the phase left out.
    pub(crate) fn gradient(&self) -> &[T] {
        &self.outputs[2 + self.states..2 + 2 * self.states]
    }

    /// Moves a state close to it onto g = 0 along the gradient of the gap, by one step of Newton's method.
    pub(crate) fn land(&mut self, law: &ContactLaw, state: &mut [T]) {
        let (gap, _) = self.surface(law, state);
        let square = T::dot(self.gradient(), self.gradient());
        if square.value() > 0.0 {
            let step = gap / square;
            for (x, &slope) in state.iter_mut().zip(self.gradient()) {
                *x -= step * slope;
            }
        }
    }

    /// Moves a state close to it onto g = v = 0: the gap along its gradient, then the speed along the direction N of impacts,
    /// which changes the gap not at all.
    ///
    /// On dual numbers this is the derivative of the projection too: each step is one of Newton's, which is right to first
    /// order where it starts on the surface.
    pub(crate) fn project(&mut self, law: &ContactLaw, state: &mut [T]) {
        for _ in 0..2 {
            self.land(law, state);
            let (_, speed) = self.surface(law, state);
            for (x, &push) in state.iter_mut().zip(self.push()) {
                *x -= speed * push;
            }
        }
    }
}
