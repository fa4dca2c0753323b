//! Whether trajectories beside the surfaces along which an equilibrium slides come to them: the eigenvalues of sliding know nothing of it.
//!
//! With r_i(S) the rate of s_i on the sides S, of which it is affine, J_ij is half its jump across s_j = 0, and s' = J (S - sigma).
//!
//! - One surface attracts where J < 0, and repels where J > 0.
//! - Several attract where J D = -P for a diagonal D > 0 and a symmetric P > 0: V = s^T P^-1 s/2 has the rate -sum |s_i| (1 - S_i sigma_i)/D_i. It is so for dry friction.
//! - They attract where every s_i comes nearer on all sides, and repel where all go away on some.
//! - In second-order sliding s and s' vanish. With a and b the second and third derivative of |s|, each flight between two crossings changes (s')^2/2 by the factor
//!   1 - (4/3) (b/a^2) |s'|, to first order in s', so that the surface attracts where a < 0 and b/a^2 > 0 in the sum over both sides (the focus of two folds: Coll, Gasull &
//!   Prohens, J. Math. Anal. Appl. 253, 2001), and repels where that is negative or both a > 0.

use saltation_motion::{ClosedSet, Side, System, departures};
use saltation_numerics::dense::Matrix;
use saltation_numerics::number::Number;
use saltation_numerics::rounded::Rounded;

use super::EIGENVALUE_ROUNDING;
use super::modes::FEW_SWITCHES;

/// What trajectories beside the surfaces of an equilibrium do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attraction {
    /// They come to the surfaces, or there are none.
    Attracting,
    /// Some that begin as near as may be go away.
    Repelling,
    /// Neither is shown.
    Undecided,
}

impl Attraction {
    /// One word for tables and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Attraction::Attracting => "attracting",
            Attraction::Repelling => "repelling",
            Attraction::Undecided => "undecided",
        }
    }
}

/// Whether trajectories come to the surfaces along which a mode slides, near a state on them.
pub(super) fn attraction(system: &System, parameters: &[f64], closed: ClosedSet, state: &[f64]) -> Attraction {
    let sliding: Vec<usize> = closed.sides().holding().collect();
    // The derivatives of the distances up to an order, with some of the switches on their negative sides.
    let beside = |negative: &dyn Fn(usize) -> bool, order: usize| {
        let side = |place: usize| if negative(place) { Side::Negative } else { Side::Positive };
        let mode = sliding.iter().enumerate().fold(closed, |mode, (place, &k)| mode.with_side(k, side(place)));
        departures(system, parameters, mode, &sliding, state, order)
    };
    let second = sliding.iter().filter(|&&k| system.slides_in_second_order(k)).count();
    match (sliding.len(), second) {
        (0, _) => Attraction::Attracting,
        (1, 1) => of_folds([false, true].map(|negative| beside(&|_| negative, 3).concat())),
        (_, 0) => of_crossings(sliding.len(), &|negative| {
            let rates = beside(negative, 1);
            rates.into_iter().map(|distance| distance.get(1).copied().unwrap_or(Rounded::new(f64::NAN))).collect()
        }),
        _ => Attraction::Undecided,
    }
}

/// The same from the coefficients of |s| on both sides of a surface of second-order sliding.
fn of_folds(sides: [Vec<Rounded>; 2]) -> Attraction {
    let [Some([a, b]), Some([c, d])] = sides.map(|series| Some([*series.get(2)?, *series.get(3)?])) else {
        return Attraction::Undecided;
    };
    let goes = |x: Rounded| x.value > x.rounding();
    let comes = |x: Rounded| x.value < -x.rounding();
    if goes(a) || goes(c) {
        return if goes(a) && goes(c) { Attraction::Repelling } else { Attraction::Undecided };
    }
    if !(comes(a) && comes(c)) {
        return Attraction::Undecided;
    }
    let loss = b / a.square() + d / c.square();
    match loss {
        loss if goes(loss) => Attraction::Attracting,
        loss if comes(loss) => Attraction::Repelling,
        _ => Attraction::Undecided,
    }
}

/// Rates of distances, by which of the switches are on their negative sides.
type Rates<'a> = dyn Fn(&dyn Fn(usize) -> bool) -> Vec<Rounded> + 'a;

/// The same for surfaces whose functions have rates that jump; `away` are the rates of the distances with some of the switches on their negative sides.
fn of_crossings(surfaces: usize, away: &Rates) -> Attraction {
    let positive = away(&|_| false);
    // J by its columns.
    let jumps: Vec<Vec<Rounded>> = (0..surfaces)
        .map(|j| {
            let beyond = away(&|place| place == j);
            let jump = |i: usize| if i == j { positive[i] + beyond[i] } else { positive[i] - beyond[i] };
            (0..surfaces).map(|i| jump(i).scale(0.5)).collect()
        })
        .collect();
    if jumps.iter().flatten().any(|jump| !jump.value.is_finite()) {
        return Attraction::Undecided;
    }
    if let [jump] = &jumps[..] {
        return match jump[0] {
            jump if jump.is_rounding() => Attraction::Undecided,
            jump if jump.value < 0.0 => Attraction::Attracting,
            _ => Attraction::Repelling,
        };
    }
    let negative = away(&|_| true);
    let affine = (0..surfaces).all(|i| {
        let sum = jumps.iter().fold(Rounded::ZERO, |sum, column| sum + column[i]);
        (positive[i] + negative[i] - sum.scale(2.0)).is_rounding()
    });
    if affine && has_energy(&jumps) {
        return Attraction::Attracting;
    }
    if surfaces > FEW_SWITCHES {
        return Attraction::Undecided;
    }
    let on_all_sides: Vec<Vec<Rounded>> =
        (0..1_usize << surfaces).map(|sides| away(&|place| sides >> place & 1 == 1)).collect();
    let goes = |x: &Rounded| x.value > x.rounding();
    let comes = |x: &Rounded| x.value < -x.rounding();
    if on_all_sides.iter().flatten().all(comes) {
        return Attraction::Attracting;
    }
    match on_all_sides.iter().any(|rates| rates.iter().all(goes)) {
        true => Attraction::Repelling,
        false => Attraction::Undecided,
    }
}

/// Whether J D is symmetric and negative definite for a diagonal D > 0; J by its columns.
fn has_energy(jumps: &[Vec<Rounded>]) -> bool {
    let surfaces = jumps.len();
    let mut scales: Vec<Option<f64>> = vec![None; surfaces];
    for first in 0..surfaces {
        // Surfaces that act on each other have their scales from one of them.
        let mut open = if scales[first].is_none() { vec![first] } else { Vec::new() };
        open.iter().for_each(|&first| scales[first] = Some(1.0));
        while let Some(i) = open.pop() {
            let Some(own) = scales[i] else { continue };
            for j in (0..surfaces).filter(|&j| j != i) {
                let (there, back) = (jumps[j][i], jumps[i][j]);
                match (there.is_rounding(), back.is_rounding()) {
                    (true, true) => continue,
                    (false, false) => {}
                    _ => return false,
                }
                let scale = own * back.value / there.value;
                match scales[j] {
                    None if scale > 0.0 => {
                        scales[j] = Some(scale);
                        open.push(j);
                    }
                    Some(known) if (there.scale(known) - back.scale(own)).is_rounding() => {}
                    _ => return false,
                }
            }
        }
    }
    let scaled = Matrix::from_fn(surfaces, surfaces, |i, j| jumps[j][i].value * scales[j].unwrap_or(1.0));
    let least = EIGENVALUE_ROUNDING * scaled.infinity_norm();
    scaled.eigenvalues().is_ok_and(|all| all.iter().all(|z| z.re < -least))
}

#[cfg(test)]
mod tests {
    use super::*;
    use saltation_model::Model;

    /// The attraction where x slides along all switches at once, at a state.
    fn at(flow: &str, state: &[f64]) -> Attraction {
        let start: String = ["x", "y"].iter().map(|name| format!("{name} = 0.5\n")).collect();
        let text = format!("format = 1\nname = \"m\"\n[flow]\n{flow}[start]\n{start}");
        let model = Model::parse(&text, "m").unwrap();
        let system = System::new(&model);
        let sides = 0..system.switch_names().len();
        let closed = sides.fold(ClosedSet::NONE, |mode, k| mode.with_side(k, Side::Sliding));
        attraction(&system, &[], closed, state)
    }

    #[test]
    fn one_surface_attracts_or_repels_by_the_sign_of_its_jump() {
        assert_eq!(at("x = \"0.2 - sign(x)\"\ny = \"-y\"\n", &[0.0, 0.0]), Attraction::Attracting);
        assert_eq!(at("x = \"0.2 + sign(x)\"\ny = \"-y\"\n", &[0.0, 0.0]), Attraction::Repelling);
    }

    /// x' = -2 sign x - b sign y, y' = -c sign x - sign y. With b c > 0 there is an energy if 2 > b c; with b = c = -3 trajectories with x = y > 0 go away.
    #[test]
    fn two_surfaces_attract_by_an_energy_and_repel_where_all_go_away() {
        let two = |b: f64, c: f64| {
            at(&format!("x = \"-2*sign(x) - {b}*sign(y)\"\ny = \"-{c}*sign(x) - sign(y)\"\n"), &[0.0, 0.0])
        };
        assert_eq!(two(1.2, 0.9), Attraction::Attracting);
        assert_eq!(two(-1.2, -0.9), Attraction::Attracting);
        assert_eq!(two(-3.0, -3.0), Attraction::Repelling);
        // All come nearer on all sides, though nothing is symmetric.
        assert_eq!(two(-0.5, 0.5), Attraction::Attracting);
        assert_eq!(two(3.0, -3.0), Attraction::Undecided);
    }

    /// The focus of two folds x' = y, y' = 0.3 - sign x - c y: energy decreases with c, grows with -c, and is kept without.
    #[test]
    fn a_valley_attracts_with_damping() {
        let valley = |c: f64| at(&format!("x = \"y\"\ny = \"0.3 - sign(x) - {c}*y\"\n"), &[0.0, 0.0]);
        assert_eq!(valley(0.5), Attraction::Attracting);
        assert_eq!(valley(-0.5), Attraction::Repelling);
        assert_eq!(valley(0.0), Attraction::Undecided);
        assert_eq!(at("x = \"y\"\ny = \"0.3 + sign(x) - y\"\n", &[0.0, 0.0]), Attraction::Repelling);
    }
}
