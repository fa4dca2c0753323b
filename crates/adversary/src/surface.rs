//! Masses, forces and surfaces of a model at a state: formulas and gradients, evaluated independently of any motion.

use saltation_expr::{Jet, Node, Tape};
use saltation_model::{Contact, Mechanics};

use crate::subject::Trial;

/// The formulas of a mechanical body.
pub struct Surfaces {
    tape: Tape,
    slots: Vec<f64>,
    jet: Jet<f64>,
    outputs: Vec<f64>,
    coordinates: usize,
    has_friction: Vec<bool>,
}

/// A mechanical body at a state.
#[derive(Debug, Clone)]
pub struct Place {
    /// M, by rows.
    pub mass: Vec<Vec<f64>>,
    /// h.
    pub force: Vec<f64>,
    /// The rates of the velocities in free flight, M^-1 h.
    pub free: Vec<f64>,
    /// The contacts in order.
    pub contacts: Vec<Touch>,
}

/// A contact at a state.
#[derive(Debug, Clone)]
pub struct Touch {
    /// g_N.
    pub gap: f64,
    /// Its gradient by the coordinates, w_N.
    pub normal: Vec<f64>,
    /// g_N'.
    pub speed: f64,
    /// g_N'' in free flight.
    pub acceleration: f64,
    /// The coefficient of restitution.
    pub restitution: f64,
    /// Friction, if there is any.
    pub rub: Option<Rub>,
}

/// Friction of a contact at a state.
#[derive(Debug, Clone)]
pub struct Rub {
    /// The gradient of the track, w_T.
    pub tangent: Vec<f64>,
    /// g_T'.
    pub slip: f64,
    /// g_T'' in free flight.
    pub acceleration: f64,
    /// The coefficient.
    pub mu: f64,
}

impl Surfaces {
    /// The formulas of a trial; `None` if its body is not mechanical.
    pub fn new(trial: &Trial) -> Option<Surfaces> {
        let model = trial.system.model();
        let body = model.body.mechanics()?;
        let mut graph = model.graph.clone();
        let symbols = model.state_symbols();
        let q: Vec<Node> = body.coordinates.iter().map(|&i| symbols[i]).collect();
        let Mechanics { mass, force, velocities, .. } = body;
        let mut outputs: Vec<Node> = mass.iter().flatten().chain(force).copied().collect();
        outputs.extend(velocities.iter().map(|&v| model.states[v].rate));
        for Contact { gap, speed, acceleration, restitution, friction, .. } in &model.contacts {
            outputs.extend([gap, speed, acceleration, restitution]);
            outputs.extend(graph.gradient(*gap, &q));
            if let Some(friction) = friction {
                outputs.extend([friction.slip, friction.slip_acceleration, friction.coefficient]);
                outputs.extend(graph.gradient(friction.track, &q));
            }
        }
        let tape = Tape::new(&graph, &symbols, &model.parameter_symbols(), &[], &outputs);
        Some(Surfaces {
            slots: tape.bind(trial.values.parameters()),
            jet: Jet::new(&tape),
            tape,
            outputs: vec![0.0; outputs.len()],
            coordinates: q.len(),
            has_friction: model.contacts.iter().map(|contact| contact.friction.is_some()).collect(),
        })
    }

    /// Everything at a state.
    pub fn at(&mut self, state: &[f64]) -> Place {
        self.tape.evaluate(&self.slots, state, &mut self.jet, &mut self.outputs);
        let n = self.coordinates;
        let mut values = self.outputs.iter().copied();
        let mut take = |count: usize| values.by_ref().take(count).collect::<Vec<f64>>();
        let mass = (0..n).map(|_| take(n)).collect();
        let (force, free) = (take(n), take(n));
        let mut contact = |has_friction: bool| {
            let laws = take(4);
            let normal = take(n);
            let rub = has_friction.then(|| {
                let laws = take(3);
                Rub { slip: laws[0], acceleration: laws[1], mu: laws[2], tangent: take(n) }
            });
            Touch { gap: laws[0], speed: laws[1], acceleration: laws[2], restitution: laws[3], normal, rub }
        };
        let contacts = self.has_friction.iter().map(|&has_friction| contact(has_friction)).collect();
        Place { mass, force, free, contacts }
    }
}

impl Place {
    /// M x.
    pub fn massed(&self, x: &[f64]) -> Vec<f64> {
        self.mass.iter().map(|row| dot(row, x)).collect()
    }

    /// x' M x / 2.
    pub fn energy(&self, v: &[f64]) -> f64 {
        0.5 * dot(v, &self.massed(v))
    }
}

/// The scalar product.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// Whether a value is above a bound, or NaN.
pub fn exceeds(value: f64, bound: f64) -> bool {
    let within = value <= bound;
    !within
}
