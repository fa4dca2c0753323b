//! Follows the family of a periodic motion to both ends by continuation.
//!
//! Periodic motions with k impacts come in families of one parameter, curves in the space of their impact times
//! (Thorin, Delezoide and Legrand, Theorem 3.3). Energy and period may turn along them, so that they are followed by
//! arclength, through harmonics and past infinite λ if need be; of the curve the admissible part belongs to the
//! family. Each end is located on the curve.

mod ends;
mod half;

use saltation_continuation::{BranchPoint, Curve, Settings};

use crate::equations::Equations;
use crate::{End, LinearModes, Motion};
use half::{Follower, Half};

/// A family of motions from one end to the other.
#[derive(Clone, Debug)]
pub struct Family {
    /// Its motions in their order along the curve, with those at both ends but for infinite λ.
    pub motions: Vec<Motion>,
    /// Where it begins.
    pub begins: Limit,
    /// Where it ends.
    pub ends: Limit,
    /// Its singular points, in order.
    pub special: Vec<Special>,
}

/// An end of a family.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    /// Why it ends.
    pub end: End,
    /// The impact times there, T last.
    pub impact_times: Vec<f64>,
    /// The energy there, which may be infinite.
    pub energy: f64,
}

impl Limit {
    /// T there.
    pub fn period(&self) -> f64 {
        self.impact_times.last().copied().unwrap_or(0.0)
    }
}

/// A singular point of a family.
#[derive(Clone, Debug)]
pub struct Special {
    /// What it is.
    pub kind: SpecialKind,
    /// It lies between this motion and the next.
    pub index: usize,
    /// The motion.
    pub motion: Motion,
}

/// The kind of a singular point.
#[derive(Clone, Debug)]
pub enum SpecialKind {
    /// The period is a multiple of that of a linear mode which the contact moves: an internal resonance.
    Resonance {
        /// The mode, from 0.
        mode: usize,
        /// Which multiple.
        multiple: usize,
    },
    /// The motion is symmetric under time reversal while its neighbours are not.
    Symmetric,
    /// The period turns.
    Turn,
    /// Another family crosses.
    BranchPoint(Box<Crossing>),
}

impl SpecialKind {
    /// Its name in files and messages.
    pub fn name(&self) -> &'static str {
        match self {
            SpecialKind::Resonance { .. } => "resonance",
            SpecialKind::Symmetric => "symmetric",
            SpecialKind::Turn => "turn",
            SpecialKind::BranchPoint(_) => "branch_point",
        }
    }
}

/// Two families that cross, with the data for switching to the other one.
#[derive(Clone, Debug)]
pub struct Crossing {
    equations: Equations,
    point: BranchPoint,
}

/// The settings of continuation along families.
#[derive(Clone, Debug, PartialEq)]
pub struct Steps {
    /// The largest number of motions in each direction.
    pub most: usize,
    /// The longest step, in units in which a flight of one radian has the length 1 and λ at most 1.
    pub longest: f64,
    /// Periods outside are not followed.
    pub periods: (f64, f64),
}

impl Default for Steps {
    fn default() -> Self {
        Steps { most: 2000, longest: 0.05, periods: (0.0, f64::INFINITY) }
    }
}

impl Steps {
    fn settings(&self) -> Settings {
        Settings {
            tolerance: 1e-11,
            stagnation: 1e-9,
            first_step: (0.1 * self.longest).min(1e-3),
            shortest_step: 1e-10,
            longest_step: self.longest,
            ..Settings::default()
        }
    }
}

impl Family {
    /// The family of an admissible motion, which is in it.
    ///
    /// `watch` is called with every motion and may end the search by returning false.
    pub fn of(
        modes: &LinearModes,
        motion: &Motion,
        steps: &Steps,
        mut watch: impl FnMut(&Motion) -> bool,
    ) -> Option<Family> {
        let equations = Equations::new(modes, motion.impacts(), motion.period());
        let u = equations.unknowns_of(modes, motion);
        let curve = start(equations, &u, steps)?;
        let backward = {
            let mut curve = curve.clone();
            curve.reverse();
            Follower::new(modes, curve, steps).run(&mut watch)
        };
        let forward = if backward.ends.end == End::Closed {
            Half { motions: Vec::new(), special: Vec::new(), ends: backward.ends.clone() }
        } else {
            Follower::new(modes, curve, steps).run(&mut watch)
        };
        Some(join(backward, forward))
    }

    /// Whether a motion lies on this family, within the distance between its motions, beginning with any
    /// impact and in either direction of time.
    pub fn passes(&self, motion: &Motion) -> bool {
        let k = motion.impacts();
        let forward = motion.flight_times();
        let backward: Vec<f64> = forward.iter().rev().copied().collect();
        let distance = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
        let flights: Vec<Vec<f64>> = self.motions.iter().map(Motion::flight_times).collect();
        if flights.first().is_none_or(|first| first.len() != k) {
            return false;
        }
        (0..k).any(|shift| {
            [&forward, &backward].into_iter().any(|sequence| {
                let rotated: Vec<f64> = (0..k).map(|i| sequence[(i + shift) % k]).collect();
                flights.windows(2).any(|pair| {
                    // The sum of the distances from both ends is hardly more than the length, if it lies between.
                    let length = distance(&pair[0], &pair[1]);
                    let around = distance(&pair[0], &rotated) + distance(&rotated, &pair[1]);
                    around <= 1.01 * length + 1e-7 * motion.period()
                })
            })
        })
    }

    /// The other family through a branch point, in both directions from it.
    pub fn across(
        modes: &LinearModes,
        crossing: &Crossing,
        steps: &Steps,
        mut watch: impl FnMut(&Motion) -> bool,
    ) -> Option<Family> {
        let mut way = |sign: f64| -> Option<Half> {
            let curve = Curve::switch(crossing.equations.clone(), &crossing.point, sign, steps.settings()).ok()?;
            Some(Follower::new(modes, curve, steps).run(&mut watch))
        };
        let (backward, forward) = (way(-1.0)?, way(1.0)?);
        Some(join(backward, forward))
    }
}

/// Joins the two halves of a family that begin at one motion.
fn join(backward: Half, forward: Half) -> Family {
    let mut motions = backward.motions;
    let shared = motions.len();
    motions.reverse();
    let turned = |special: Special| Special { index: shared.saturating_sub(special.index + 2), ..special };
    let mut special: Vec<Special> = backward.special.into_iter().map(turned).collect();
    special.reverse();
    // The first motion of the forward half is the last one already.
    special.extend(forward.special.into_iter().map(|s| Special { index: s.index + shared.saturating_sub(1), ..s }));
    motions.extend(forward.motions.into_iter().skip(1));
    Family { motions, begins: backward.ends, ends: forward.ends, special }
}

/// A curve at a solution, in either direction.
fn start(equations: Equations, u: &[f64], steps: &Steps) -> Option<Curve<Equations>> {
    let unknowns = u.len();
    // ε is zero on every solution and is therefore a bad unknown to hold; the first duration may turn, so others
    // follow.
    (0..unknowns - 1).find_map(|held| {
        Curve::start(equations.clone(), u, held, steps.settings()).ok().filter(|curve| {
            let moved = curve.point().unknowns.iter().zip(u).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            moved < 1e-6
        })
    })
}
