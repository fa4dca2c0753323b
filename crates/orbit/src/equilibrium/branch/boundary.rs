//! Classifies boundary equilibria: where an equilibrium reaches the surface of a switch it meets one of another mode, a pseudo-equilibrium if motions slide
//! there (di Bernardo, Budd, Champneys & Kowalczyk, *Piecewise-smooth Dynamical Systems*, Sect. 5.1).

use saltation_continuation::Point;
use saltation_motion::{Bound, ClosedSet, Side};
use saltation_numerics::dense::{Elimination, Matrix};

use crate::equilibrium::Equations;

/// How the equilibria of two modes meet at the surface of a switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meeting {
    /// One of them is admissible before and the other beyond: the equilibrium changes its mode.
    Persistence,
    /// Both are admissible on the same side, and none beyond.
    NonsmoothFold,
}

impl Meeting {
    /// One word for tables and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Meeting::Persistence => "persistence",
            Meeting::NonsmoothFold => "nonsmooth_fold",
        }
    }
}

/// How the equilibrium at a point, which lies at the border of a switch, meets that of the mode beyond; `None` if that is not a matter of first order.
pub(super) fn meeting(equations: &mut Equations, point: &Point, element: usize) -> Option<Meeting> {
    ClosedSet::switch(element)?;
    // Beyond a static limit of its own the friction is another.
    if equations.system().holds(element) {
        return None;
    }
    let (unknowns, free) = point.unknowns.split_at(equations.dimension());
    let closed = equations.closed();
    let state = equations.state(unknowns);
    let (own, bound) = rate(equations, unknowns, free, element, None)?;
    let beyond = match bound {
        Bound::Cone(slip) => closed.with_slip(element, slip),
        Bound::Speed => closed.with(element),
        _ => {
            let side = if closed.slip(element).map(Side::towards) == Some(Side::Positive) {
                Side::Negative
            } else {
                Side::Positive
            };
            closed.with_side(ClosedSet::switch(element)?, side)
        }
    };
    let mut other = Equations::near(equations.system(), equations.following(), (&state, beyond), free)?;
    // It begins with the same value, zero: sigma is at that side, and s is zero.
    let back = match bound {
        Bound::Cone(_) => None,
        Bound::Speed => closed.slip(element).map(Bound::Cone),
        other => Some(other),
    };
    let (there, _) = rate(&mut other, unknowns, free, element, back)?;
    match own * there {
        product if product < 0.0 => Some(Meeting::Persistence),
        product if product > 0.0 => Some(Meeting::NonsmoothFold),
        _ => None,
    }
}

/// The rate at which a bound of an element changes along the parameter at an equilibrium: that bound, or the one nearest to zero.
fn rate(
    equations: &mut Equations,
    unknowns: &[f64],
    free: &[f64],
    element: usize,
    wanted: Option<Bound>,
) -> Option<(f64, Bound)> {
    let n = equations.dimension();
    let (_, jacobian) = equations.evaluate(unknowns, free)?;
    let square = Matrix::from_fn(n, n, |i, j| jacobian[(i, j)]);
    let mut moved: Vec<f64> = (0..n).map(|i| -jacobian[(i, n)]).collect();
    let mut elimination = Elimination::default();
    elimination.factor(&square).and_then(|()| elimination.solve_in_place(&mut moved)).ok()?;
    let (values, gradients, states) = equations.bounds(unknowns, free);
    let own = values.iter().enumerate().filter(|(_, known)| known.0 == element);
    let own = own.filter(|(_, known)| wanted.is_none_or(|bound| known.1 == bound));
    let (row, known) = own.min_by(|a, b| a.1.2.abs().total_cmp(&b.1.2.abs()))?;
    let along = equations.flowing().iter().zip(&moved).map(|(&i, dx)| gradients[(row, i)] * dx).sum::<f64>();
    Some((along + gradients[(row, states)], known.1))
}
