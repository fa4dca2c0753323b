//! Symmetries: maps of the state space that take motions of a model to motions of the same model.
//!
//! S gives every state its sign and shifts the phase: (S x)_i = s_i x_i with s_i = 1 or -1, and S phi = phi + shift. It is a
//! symmetry if
//!
//! ```text
//! F_i(S x) = s_i F_i(x)          for the rates of all states but the phase,
//! g_j(S x) = g_sigma(j)(x)       for the gaps, with a permutation sigma of the contacts,
//! R_j(S x) = S R_sigma(j)(x)     for the states just after impacts there,
//! ```
//!
//! if friction, where there is any, is invariant, slip is mapped to slip or to its negative, and S applied twice changes
//! nothing: the shift is half a period or zero. The image of a motion is then a motion, and a symmetric orbit, which is its
//! own image, is known from half a period.

use saltation_expr::Node;

/// The declaration of a symmetry; whether it holds depends on numbers, see [`Values::symmetry`].
///
/// [`Values::symmetry`]: crate::Values::symmetry
#[derive(Debug, Clone, PartialEq)]
pub struct Symmetry {
    /// s_i for every state, 1 or -1; that of the phase is 1.
    pub signs: Vec<f64>,
    /// The shift of the phase: a formula of parameters, 0 by default.
    pub shift: Node,
}

/// A symmetry at the numbers of one run, checked.
///
/// ```
/// use saltation_model::{Overrides, gallery};
/// let model = gallery::model("two-wall-oscillator").unwrap()?;
/// let values = model.values(&Overrides::default())?;
/// let symmetry = values.symmetry().unwrap();
/// let mut state = [0.5, -2.0, 1.0];
/// symmetry.apply(&mut state);
/// assert_eq!(state, [-0.5, 2.0, 1.0 + std::f64::consts::PI]);
/// assert_eq!(symmetry.contacts, [1, 0]);
/// # Ok::<(), saltation_model::Mistakes>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SymmetryMap {
    /// s_i for every state, 1 or -1; that of the phase is 1.
    pub signs: Vec<f64>,
    /// The shift of the phase, the last state: half its period or 0. Without a phase 0.
    pub shift: f64,
    /// sigma: the gap of contact number j at S x is that of contact number `contacts[j]` at x.
    pub contacts: Vec<usize>,
    /// The ratio of the slip of contact j at S x to that of contact `contacts[j]` at x: 1 or -1, and 1 without friction.
    pub slips: Vec<f64>,
    /// For every switch k the one whose function at x is that of k at S x, up to a factor, and the sign of that.
    pub switches: Vec<(usize, f64)>,
}

impl SymmetryMap {
    /// Replaces x by S x, one entry per state. The phase is shifted and not wrapped to its period.
    pub fn apply(&self, state: &mut [f64]) {
        for (x, sign) in state.iter_mut().zip(&self.signs) {
            *x *= sign;
        }
        if let Some(last) = self.signs.len().checked_sub(1).and_then(|last| state.get_mut(last)) {
            *last += self.shift;
        }
    }
}
