//! What holds at the surface of a contact? Its impact law and its geometry, evaluated at single points.

use saltation_expr::Jet;
use saltation_numerics::number::Number;

use crate::system::ContactLaw;

/// The laws of one contact with the parameters bound, on any kind of number.
#[derive(Debug, Clone)]
pub(crate) struct BoundLaw<T = f64> {
    impact: Vec<T>,
    impact_jet: Jet<T>,
    surface: Vec<T>,
    surface_jet: Jet<T>,
    outputs: Vec<T>,
    states: usize,
}

impl<T: Number> BoundLaw<T> {
    pub fn new(law: &ContactLaw, parameters: &[T]) -> BoundLaw<T> {
        let states = law.impact.states();
        BoundLaw {
            impact: law.impact.bind(parameters),
            impact_jet: Jet::new(&law.impact),
            surface: law.surface.bind(parameters),
            surface_jet: Jet::new(&law.surface),
            outputs: vec![T::ZERO; 2 * states + 3],
            states,
        }
    }

    /// Gives the parameters other values.
    pub fn bind(&mut self, law: &ContactLaw, parameters: &[T]) {
        law.impact.bind_into(parameters, &mut self.impact);
        law.surface.bind_into(parameters, &mut self.surface);
    }

    /// The state after an impact at a state, and the opening speed and the coefficient of restitution before it.
    pub fn strike(&mut self, law: &ContactLaw, state: &[T]) -> (&[T], T, T) {
        let outputs = &mut self.outputs[..self.states + 2];
        law.impact.evaluate(&self.impact, state, &mut self.impact_jet, outputs);
        (&outputs[..self.states], outputs[self.states], outputs[self.states + 1])
    }

    /// Gap, opening speed and restitution at a state; [`BoundLaw::direction`] and [`BoundLaw::gradient`] are then those there.
    pub fn surface(&mut self, law: &ContactLaw, state: &[T]) -> (T, T, T) {
        let outputs = &mut self.outputs[..2 * self.states + 3];
        law.surface.evaluate(&self.surface, state, &mut self.surface_jet, outputs);
        (outputs[0], outputs[1], outputs[2])
    }

    /// The impact direction W.
    pub fn direction(&self) -> &[T] {
        &self.outputs[3..3 + self.states]
    }

    /// The gradient of the gap with respect to the states, the phase left out.
    pub fn gradient(&self) -> &[T] {
        &self.outputs[3 + self.states..]
    }

    /// Moves a state close to it onto g = 0 along the gradient of the gap, by one step of Newton's method.
    pub fn land(&mut self, law: &ContactLaw, state: &mut [T]) {
        let (gap, _, _) = self.surface(law, state);
        let square = T::dot(self.gradient(), self.gradient());
        if square.value() > 0.0 {
            let step = gap / square;
            for (x, &slope) in state.iter_mut().zip(self.gradient()) {
                *x -= step * slope;
            }
        }
    }

    /// Moves a state close to it onto g = v = 0: the gap along its gradient, then the speed along the impact direction W,
    /// which changes v by -(1 + r) and the gap not at all.
    ///
    /// On dual numbers this is the derivative of the projection too: each step is one of Newton's, which is right to first
    /// order where it starts on the surface.
    pub fn project(&mut self, law: &ContactLaw, state: &mut [T]) {
        for _ in 0..2 {
            self.land(law, state);
            let (_, speed, restitution) = self.surface(law, state);
            let step = speed / (T::ONE + restitution);
            for (x, &w) in state.iter_mut().zip(self.direction()) {
                *x += step * w;
            }
        }
    }
}
