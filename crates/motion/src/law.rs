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

    /// What an impact at a state does.
    pub fn strike(&mut self, law: &ContactLaw, state: &[T]) -> Struck<'_, T> {
        let n = self.states;
        let outputs = &mut self.outputs[..n + 3];
        law.impact.evaluate(&self.impact, state, &mut self.impact_jet, outputs);
        Struck { after: &outputs[..n], speed: outputs[n], opened: outputs[n + 1], gap: outputs[n + 2] }
    }

    /// Gap and opening speed at a state; [`BoundLaw::push`] and [`BoundLaw::gradient`] are then those there.
    pub fn surface(&mut self, law: &ContactLaw, state: &[T]) -> (T, T) {
        let outputs = &mut self.outputs[..2 * self.states + 2];
        law.surface.evaluate(&self.surface, state, &mut self.surface_jet, outputs);
        (outputs[0], outputs[1])
    }

    /// The direction N = W / L_W v along the surface, in which the opening speed grows by 1.
    pub fn push(&self) -> &[T] {
        &self.outputs[2..2 + self.states]
    }

    /// The gradient of the gap with respect to the states, the phase left out.
    pub fn gradient(&self) -> &[T] {
        &self.outputs[2 + self.states..2 + 2 * self.states]
    }

    /// Moves a state close to it onto g = 0 along the gradient of the gap, by one step of Newton's method.
    pub fn land(&mut self, law: &ContactLaw, state: &mut [T]) {
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
    pub fn project(&mut self, law: &ContactLaw, state: &mut [T]) {
        for _ in 0..2 {
            self.land(law, state);
            let (_, speed) = self.surface(law, state);
            for (x, &push) in state.iter_mut().zip(self.push()) {
                *x -= speed * push;
            }
        }
    }
}
