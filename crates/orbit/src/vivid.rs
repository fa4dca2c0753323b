//! The VIVID function of Ghosh & Simpson ("velocity into variation in displacement"), whose zeros are orbits with one impact; it is smooth where the impact becomes a graze.
//!
//! With g the gap of a contact and v its opening speed along the flight, let Sigma = {g = 0} and Pi = {v = 0}, on which minima
//! of the gap lie. An orbit that passes p minima near the contact per period, one of them inside the obstacle and replaced
//! by an impact there, is a zero of (Ghosh & Simpson, Eq. (2.8))
//!
//! ```text
//! V = P_global^p o P_virt o Phi - P_virt,
//! ```
//!
//! where Phi is the impact law, P_virt goes from Sigma to Pi and P_global from Pi to the next minimum on Pi, both along the
//! flight continued through the wall and backward in time. The return map has P_virt^-1 instead of the last term, and with it a
//! square root at v = 0; V is smooth there. The paper's x is -g and its y is -v.
//!
//! Unknown are the state x_1 just before the impact and the free parameters: n + f numbers for n states, with n equations. On Pi
//! one state is a function of the others, so that V has n - 1 components: all states but the one that changes v most. The
//! last equation is g(x_1) = 0. For a forced oscillator with one wall V consists of displacement and phase, as in the paper.
//!
//! | module | content |
//! |---|---|
//! | `maps` | the maps from Sigma to Pi and from Pi to Pi |
//! | `variation` | V with its derivatives |
//! | `reduced` | V in coordinates on the surfaces themselves, and the multipliers |
//! | `solve` | V = 0 at a given impact speed or parameter |
//! | `convert` | zeros of V as solutions of the equations of a signature, and back |

mod convert;
mod maps;
mod reduced;
mod solve;
#[cfg(test)]
mod tests;
mod variation;

use saltation_continuation::{Point, Problem};
use saltation_model::Values;
use saltation_motion::extension::{Extension, Image, Lost, MOST_FREE};
use saltation_motion::{FlowChoice, System};
use saltation_numerics::dense::Matrix;
use saltation_numerics::dual::Dual;

use maps::Maps;
pub use reduced::Reduced;
pub use solve::{Held, Solution, Unsolved};
pub use variation::Variation;

/// Why V has no value somewhere.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Failure {
    /// An unknown is infinite or not a number.
    #[error("an unknown is not a finite number")]
    NotFinite,
    /// The flight has no finite value on the way.
    #[error("{0}")]
    Lost(#[from] Lost),
    /// The gap does not turn.
    #[error("the gap of {contact} has no further minimum: {found} of {wanted} were found")]
    NoMinimum {
        /// The contact.
        contact: String,
        /// How many minima there are.
        found: usize,
        /// How many were sought.
        wanted: usize,
    },
    /// The gap has no quadratic minimum where it is to have one.
    #[error("the gap of {contact} turns with the acceleration {acceleration:.6}, and a minimum needs a positive one")]
    Tangency {
        /// The contact.
        contact: String,
        /// The second derivative of the gap in time.
        acceleration: f64,
    },
}

/// Why there is no VIVID function.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Unsuitable {
    /// The model has no such contact.
    #[error("the model has {contacts} contacts, and number {contact} is not among them")]
    Contact {
        /// The number asked for.
        contact: usize,
        /// How many there are.
        contacts: usize,
    },
    /// No loops, or more than make sense.
    #[error("an orbit has 1 to {most} loops, not {0}", most = MOST_LOOPS)]
    Loops(usize),
    /// More parameters are free than can be.
    #[error("{0} parameters are free, and at most {most} can be", most = MOST_FREE)]
    Free(usize),
    /// The sizes do not fit.
    #[error("{expected} positive sizes are needed, one for every unknown")]
    Sizes {
        /// How many.
        expected: usize,
    },
    /// The signature is not that of one impact in free flight.
    #[error("an orbit with one impact per period and no persistent contact is needed: {0}")]
    Signature(String),
    /// The loops of a motion cannot be counted.
    #[error("the loops cannot be counted: {0}")]
    Uncounted(String),
    /// V has no value.
    #[error("{0}")]
    Failure(#[from] Failure),
}

/// More loops than this are no question about grazes.
pub const MOST_LOOPS: usize = 1000;

/// The VIVID function of one contact.
///
/// ```
/// use saltation_model::{Overrides, gallery};
/// use saltation_motion::{FlowChoice, System};
/// use saltation_orbit::vivid::{Held, Vivid};
///
/// let model = gallery::model("impact-oscillator").unwrap()?;
/// let system = System::new(&model);
/// let following = model.values(&Overrides::default())?.along(&["A"])?;
/// // Two loops of the impact oscillator: unknown are x, y, phi at the impact and the amplitude A.
/// let mut vivid = Vivid::new(&system, following, 0, 2, vec![1.0; 4], (1e-12, FlowChoice::Automatic))?;
/// // At the graze itself: A = sqrt((1 - omega^2)^2 + (2 zeta omega)^2).
/// let graze = vivid.solve(&[0.0, 0.0, 0.1, 0.35], &[Held::Speed(0.0)])?;
/// assert!((graze.unknowns[3] - 0.3454228857502062).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Vivid<'s> {
    maps: Maps<'s>,
    following: Values,
    loops: usize,
    sizes: Vec<f64>,
    parameters: Vec<f64>,
    along: Vec<Vec<f64>>,
    /// The periods of angles and phase with their derivatives by the free parameters.
    periods: Vec<Dual<MOST_FREE>>,
    components: Vec<Component>,
    variation: Variation,
    step: Image,
}

/// A component of V: a state, with a sign.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Component {
    state: usize,
    sign: f64,
}

impl<'s> Vivid<'s> {
    /// V for `loops` minima of the gap of a contact per period; the other contacts are taken to stay open. `sizes` has an entry
    /// for every state and then for every free parameter.
    ///
    /// # Errors
    /// If there is no such contact, `loops` is zero or more than [`MOST_LOOPS`], or `sizes` do not fit.
    pub fn new(
        system: &'s System,
        following: Values,
        contact: usize,
        loops: usize,
        sizes: Vec<f64>,
        (tolerance, choice): (f64, FlowChoice),
    ) -> Result<Vivid<'s>, Unsuitable> {
        let states = system.state_names().len();
        let free = following.free().len();
        let contacts = system.contact_names().len();
        if contact >= contacts {
            return Err(Unsuitable::Contact { contact, contacts });
        }
        if loops == 0 || loops > MOST_LOOPS {
            return Err(Unsuitable::Loops(loops));
        }
        if free > MOST_FREE {
            return Err(Unsuitable::Free(free));
        }
        if sizes.len() != states + free || !sizes.iter().all(|s| *s > 0.0 && s.is_finite()) {
            return Err(Unsuitable::Sizes { expected: states + free });
        }
        let start = following.free_values();
        let mut vivid = Vivid {
            maps: Maps::new(Extension::new(system, tolerance, choice), contact),
            following,
            loops,
            sizes,
            parameters: Vec::new(),
            along: vec![Vec::new(); free],
            periods: Vec::new(),
            components: Vec::new(),
            variation: Variation::new(states, free),
            step: Image::new(states, free),
        };
        vivid.bind(&start);
        Ok(vivid)
    }

    /// The system.
    pub fn system(&self) -> &'s System {
        self.maps.flow.system()
    }

    /// The contact.
    pub fn contact(&self) -> usize {
        self.maps.contact
    }

    /// The number p of loops.
    pub fn loops(&self) -> usize {
        self.loops
    }

    /// The free parameters and what follows them.
    pub fn following(&self) -> &Values {
        &self.following
    }

    /// The size of every unknown.
    pub fn sizes(&self) -> &[f64] {
        &self.sizes
    }

    /// The number of states.
    pub fn states(&self) -> usize {
        self.sizes.len() - self.along.len()
    }

    /// The number of free parameters.
    pub fn free(&self) -> usize {
        self.along.len()
    }

    /// The values of all parameters, given the free ones, which the maps take from now on.
    ///
    /// # Panics
    /// If there are not as many as are free.
    pub fn bind(&mut self, free: &[f64]) -> &[f64] {
        let free: Vec<Dual<MOST_FREE>> = free.iter().enumerate().map(|(k, &x)| Dual::variable(x, k)).collect();
        let mut numbers = Vec::new();
        self.following.parameters_at(&free, &mut numbers);
        self.parameters.clear();
        self.parameters.extend(numbers.iter().map(|p| p.value));
        for (k, row) in self.along.iter_mut().enumerate() {
            row.clear();
            row.extend(numbers.iter().map(|p| p.tangent[k]));
        }
        self.maps.flow.bind(&self.parameters, &self.along);
        self.periods = self.following.angle_periods_at(&numbers);
        &self.parameters
    }

    /// P_virt at a state of Sigma, with its derivative by all states and the free parameters, and the transit time: negative where
    /// the contact opens. Neither the point nor the derivative has to lie on Sigma. The parameters are those of [`Vivid::bind`],
    /// at first the ones of the settings.
    ///
    /// # Errors
    /// If the flight does not come to Pi, or touches it there.
    pub fn virtual_map(&mut self, state: &[f64], end: &mut Image) -> Result<f64, Failure> {
        self.maps.virtual_map(state, end)
    }

    /// P_global^p at a state of Pi, likewise.
    ///
    /// # Errors
    /// If the gap has no more minima, or has none at the start.
    pub fn global_map(&mut self, state: &[f64], loops: usize, end: &mut Image) -> Result<f64, Failure> {
        self.maps.global_map(state, loops, end)
    }

    /// The residuals, n - 1 components of V and then g, with their derivatives by the states at the impact and the free parameters.
    ///
    /// # Errors
    /// If V has no value.
    ///
    /// # Panics
    /// If the unknowns, `residual` or `jacobian` do not fit.
    pub fn evaluate(&mut self, unknowns: &[f64], residual: &mut [f64], jacobian: &mut Matrix) -> Result<(), Failure> {
        self.vary(unknowns)?;
        if self.components.is_empty() {
            let left = self.left_out();
            self.components =
                (0..self.states()).filter(|&i| i != left).map(|state| Component { state, sign: 1.0 }).collect();
        }
        let variation = &self.variation;
        let row = self.components.len();
        for (i, &Component { state, sign }) in self.components.iter().enumerate() {
            residual[i] = sign * variation.value[state];
            for j in 0..unknowns.len() {
                jacobian[(i, j)] = sign * variation.derivative[(state, j)];
            }
        }
        residual[row] = variation.gap.value;
        for (j, slope) in variation.gap.gradient.iter().enumerate() {
            jacobian[(row, j)] = *slope;
        }
        Ok(())
    }

    /// The state that changes v most where the flight arrives.
    fn left_out(&self) -> usize {
        largest(&self.variation.normal[..self.states()], &self.sizes)
    }

    /// Leaves out another state where the one left out changes v little. Along Pi the new component is the old one times
    /// -n_old / n_new, and so keeps its sign.
    fn choose_components(&mut self) {
        let states = self.states();
        let Some(left) = (0..states).find(|i| self.components.iter().all(|component| component.state != *i)) else {
            return;
        };
        let best = self.left_out();
        let (normal, sizes) = (&self.variation.normal, &self.sizes);
        let weight = |i: usize| normal[i].abs() * sizes[i];
        if best == left || weight(left) > LEAST_WEIGHT * weight(best) {
            return;
        }
        let turned = -(normal[left] * normal[best]).signum();
        if let Some(component) = self.components.iter_mut().find(|component| component.state == best) {
            *component = Component { state: left, sign: component.sign * turned };
        }
    }
}

/// The state left out of V changes v by at least this fraction of what another one does.
const LEAST_WEIGHT: f64 = 0.1;

/// The position of the largest entry of a form on states, in units of sizes.
fn largest(form: &[f64], sizes: &[f64]) -> usize {
    let weight = |i: usize| form[i].abs() * sizes[i];
    (1..form.len()).fold(0, |best, i| if weight(i) > weight(best) { i } else { best })
}

impl Problem for Vivid<'_> {
    type Failure = Failure;

    fn unknowns(&self) -> usize {
        self.sizes.len()
    }

    fn equations(&self) -> usize {
        self.states()
    }

    fn sizes(&self) -> &[f64] {
        &self.sizes
    }

    fn evaluate(&mut self, u: &[f64], residual: &mut [f64], jacobian: &mut Matrix) -> Result<(), Failure> {
        Vivid::evaluate(self, u, residual, jacobian)
    }

    fn accepted(&mut self, point: &Point) {
        if self.vary(&point.unknowns).is_ok() {
            self.choose_components();
        }
    }
}
