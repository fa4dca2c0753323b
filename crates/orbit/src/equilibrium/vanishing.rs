//! What Newton's method leaves where a state is no equilibrium: terms that have grown beyond all that was to vanish, and motions that leave a boundary in another mode.

use saltation_numerics::dense;
use saltation_numerics::rounded::Rounded;

use super::Equilibrium;
use super::attraction::Attraction;

/// What vanishes at a solution is smaller there than this part of what it is on the way.
const DECREASE: f64 = 0.1;
/// Real parts above this part of the largest modulus grow.
const GROWING: f64 = 1e-12;
/// Two modes meet at states that differ by less than this, relative to their size.
const SAME: f64 = 1e-9;

/// Whether what is to vanish is smaller where the method has come than on the way there, or rounding where it began: else terms have grown beyond it, as where a state runs away.
/// `rows` is what is to vanish at a part of the way, with the sizes of its terms.
pub(super) fn decreases(rows: impl FnMut(f64) -> Vec<Rounded>, tolerance: f64) -> bool {
    let [begin, third, middle, end] = [0.0, 1.0 / 3.0, 0.5, 1.0].map(rows);
    // Of what has no terms where the method begins nothing says how large they are.
    (0..end.len()).filter(|&row| begin[row].size > 0.0).all(|row| {
        let on_way = third[row].value.abs().max(middle[row].value.abs());
        let (left, rounding) = (end[row].value.abs(), end[row].rounding());
        let stays = left > DECREASE * on_way && left > tolerance * begin[row].size;
        // What vanishes by the rounding of terms that have grown beyond all that there was.
        let drowned = DECREASE * on_way <= rounding && DECREASE * rounding > tolerance * begin[row].size;
        !(stays || drowned)
    })
}

/// Where modes meet at a boundary, trajectories that leave in one of them leave the state: no equilibrium there is stable in another one.
pub(super) fn leave_boundaries(equilibria: &mut [Equilibrium]) {
    let grows = |rest: &Equilibrium| {
        let size = rest.eigenvalues.iter().map(dense::modulus).fold(0.0, f64::max);
        rest.admissible && !rest.boundary.is_empty() && rest.eigenvalues.iter().any(|z| z.re > GROWING * size)
    };
    let unstable: Vec<Vec<f64>> = equilibria.iter().filter(|rest| grows(rest)).map(|rest| rest.state.clone()).collect();
    let same = |a: &[f64], b: &[f64]| {
        let size = a.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
        a.iter().zip(b).all(|(a, b)| (a - b).abs() <= SAME * size)
    };
    for rest in equilibria.iter_mut().filter(|rest| rest.stable && !rest.boundary.is_empty()) {
        if unstable.iter().any(|state| same(state, &rest.state)) {
            (rest.stable, rest.attraction) = (false, Attraction::Repelling);
        }
    }
}

/// A value relative to the size of its terms; one that underflows is not known to be small.
pub(super) fn relative(x: Rounded) -> f64 {
    match x.underflows() {
        true => f64::INFINITY,
        false if x.value == 0.0 => 0.0,
        false => x.value.abs() / x.size,
    }
}
