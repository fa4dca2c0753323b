//! Is a motion the same after half its period, seen in the mirror? Then its derivative over half a period says more.
//!
//! Let S be a symmetry of the model with S^2 = 1, and x(T/2) = S x(0). The derivative over one period is then the square of
//! S^-1 Dx(T/2), and the multipliers are the squares of those of this half map. A multiplier +1 of the orbit is a fold if it
//! comes from +1, and breaks the symmetry if it comes from -1; such an orbit never doubles its period at first.

use saltation_numerics::dense::{Complex, Matrix};

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
    let Some(symmetry) = map.values().symmetry.clone() else {
        return Ok(None);
    };
    let flowing = map.flowing().to_vec();
    let (base, mut motion) = Basis::begin(map, start)?;
    motion.extend(0.5 * period, None);
    follow(&mut motion, u64::MAX, watch, |_| {})?;
    let mut mirror = start.state.clone();
    symmetry.apply(&mut mirror);
    let shares = match map.mirror_difference(&mirror, motion.state()) {
        Some(difference) => difference.iter().zip(scale).all(|(d, s)| d.abs() <= SAME * s),
        None => false,
    };
    if !shares {
        return Ok(None);
    }
    let signs: Vec<f64> = flowing.iter().map(|&i| symmetry.signs[i]).collect();
    let derivatives = motion.derivatives();
    let columns = Matrix::from_fn(flowing.len(), base.dimension(), |i, j| signs[i] * derivatives.state(j)[flowing[i]]);
    let Ok(derivative) = columns.product(&base.0.transpose()) else {
        return Ok(None);
    };
    let reduced = base.0.transpose().product(&columns);
    let Ok(mut multipliers) = reduced.and_then(|reduced| reduced.eigenvalues()) else {
        return Ok(None);
    };
    multipliers.resize(flowing.len(), Complex { re: 0.0, im: 0.0 });
    Ok(Some(Half { multipliers, derivative }))
}
