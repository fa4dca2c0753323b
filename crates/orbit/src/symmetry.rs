//! Detects orbits that are their own mirror image after half a period, and computes their half-period map.
//!
//! Let S be a symmetry of the model with S^2 = 1, and x(T/2) = S x(0). The derivative over one period is then the square of
//! S^-1 Dx(T/2), and the multipliers are the squares of those of this half map. A multiplier +1 of the orbit is a fold if it
//! comes from +1, and breaks the symmetry if it comes from -1; such an orbit never doubles its period at first.

use saltation_model::SymmetryMap;
use saltation_numerics::dense::{self, Complex, Matrix};

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
const SAME_STATE: f64 = 1e-8;

/// The mirror image of half a period: by how much it misses the start, x(T/2) - S x(0) in the coordinates of the section, and
/// S^-1 Dx(T/2) with the directions at the start that it is taken in.
struct HalfWay {
    miss: Vec<f64>,
    columns: Matrix,
    base: Basis,
}

impl HalfWay {
    /// None if half a period later the phase is not that of the mirror image.
    fn new(
        map: &mut ReturnMap,
        symmetry: &SymmetryMap,
        start: &Point,
        period: f64,
        monitor: &mut dyn FnMut() -> bool,
    ) -> Result<Option<HalfWay>, Failure> {
        let (base, motion) = Basis::begin(map, start)?;
        let mut motion = motion.without_path();
        motion.extend(0.5 * period, None);
        follow(&mut motion, u64::MAX, monitor, |_| {})?;
        let mut mirror = start.state.clone();
        symmetry.apply(&mut mirror);
        let derivatives = motion.derivatives();
        let flowing = map.flowing();
        let entry = |i: usize, j: usize| symmetry.signs[flowing[i]] * derivatives.state(j)[flowing[i]];
        let columns = Matrix::from_fn(flowing.len(), base.dimension(), entry);
        let miss = map.mirror_difference(&mirror, motion.state());
        map.keep(motion);
        Ok(miss.map(|miss| HalfWay { miss, columns, base }))
    }

    /// The largest miss relative to the size of each coordinate.
    fn largest(&self, scale: &[f64]) -> f64 {
        self.miss.iter().zip(scale).map(|(d, s)| d.abs() / s).fold(0.0, f64::max)
    }

    /// S^-1 Dx(T/2) in the states other than the phase.
    fn derivative(&self) -> Result<Matrix, dense::Failure> {
        self.columns.product(&self.base.0.transpose())
    }

    /// So many multipliers, with zeros for the dimensions that contact takes.
    fn multipliers(&self, dimension: usize) -> Result<Vec<Complex>, dense::Failure> {
        let mut multipliers = self.base.0.transpose().product(&self.columns)?.eigenvalues()?;
        multipliers.resize(dimension, Complex::new(0.0, 0.0));
        Ok(multipliers)
    }
}

/// The half map of an orbit, if the model has a symmetry and the orbit shares it.
pub(crate) fn half(
    map: &mut ReturnMap,
    start: &Point,
    period: f64,
    scale: &[f64],
    monitor: &mut dyn FnMut() -> bool,
) -> Result<Option<Half>, Failure> {
    let Some(symmetry) = map.values().symmetry().cloned() else { return Ok(None) };
    let half_way = HalfWay::new(map, &symmetry, start, period, monitor)?;
    let Some(half_way) = half_way.filter(|half_way| half_way.largest(scale) <= SAME_STATE) else { return Ok(None) };
    let dimension = half_way.columns.rows() - map.system().constrained_dimensions();
    let derivatives = (half_way.multipliers(dimension), half_way.derivative());
    let (Ok(multipliers), Ok(derivative)) = derivatives else { return Ok(None) };
    Ok(Some(Half { multipliers, derivative }))
}

/// Steps of Newton's method on the half map.
const MOST_STEPS: usize = 12;

/// Improves an orbit of a forced model that is its own mirror image, up to what rounding can do to it: as a fixed point
/// of the half map, S^-1 x(T/2) = x(0), it is well defined even where the symmetry is about to break. Whether it was one.
pub(crate) fn refine(
    map: &mut ReturnMap,
    point: &mut Point,
    returns: u64,
    scale: &[f64],
    condition: f64,
    monitor: &mut dyn FnMut() -> bool,
) -> bool {
    let Some(symmetry) = map.values().symmetry().cloned() else { return false };
    let forced = map.coordinates().len() == map.flowing().len() && map.system().model().phase.is_some();
    if !forced || !point.closed.is_empty() {
        return false;
    }
    let Ok(whole) = map.apply(point, returns, false, monitor) else { return false };
    // The first trial decides whether this is a symmetric orbit at all.
    let unsure = 100.0 * f64::EPSILON / condition.max(f64::EPSILON);
    let mut smallest = 2.0 * unsure.clamp(SAME_STATE, 1e-3);
    let mut trial = point.clone();
    for _ in 0..MOST_STEPS {
        let Ok(Some(half_way)) = HalfWay::new(map, &symmetry, &trial, whole.time, monitor) else { break };
        let miss = half_way.largest(scale);
        if miss > 0.5 * smallest || miss == 0.0 {
            break;
        }
        smallest = miss;
        *point = trial.clone();
        let Ok(derivative) = half_way.derivative() else { break };
        let equations =
            Matrix::from_fn(derivative.rows(), derivative.columns(), |i, j| derivative[(i, j)] - f64::from(i == j));
        let coordinates = map.coordinates();
        let right: Vec<f64> = half_way.miss.iter().zip(coordinates).map(|(d, &i)| -symmetry.signs[i] * d).collect();
        let Ok(solution) = equations.solve(&right) else { break };
        for (&i, d) in coordinates.iter().zip(&solution.x) {
            trial.state[i] += d;
        }
    }
    smallest <= SAME_STATE
}
