//! Starts the branch of oscillations that begins at a Hopf bifurcation, with a small cycle.
//!
//! With A v = i omega v the cycle of the small amplitude a is, up to terms of order a^2,
//!
//! x(t) = x_0 + a Re(v e^(i omega t)),   T = 2 pi / omega,   p = p_0
//!
//! (Kuznetsov, Elements of Applied Bifurcation Theory, Sect. 3.4). With v = r (u + i w), where u and w are orthogonal and u is the
//! longer one, it passes the tip x_0 + a w of its short axis in the direction of u: a plane across u holds one point of every cycle,
//! and these points leave x_0 along w. At a = 0 any T is a solution, so that the branch begins at a small amplitude.

use saltation_continuation::{Curve, Settings as Steps};
use saltation_model::Values;
use saltation_motion::System;
use saltation_numerics::dense::Complex;
use saltation_numerics::elementary;

use super::Special;
use crate::branch::tracer::{Start, Tracer};
use crate::branch::{self, Branch, Ended, Origin, SpecialKind};
use crate::equilibrium::Equations;
use crate::signature::equations::plane_normal;
use crate::signature::{Kind, Node, Signature};

/// Amplitudes to begin with, relative to the size of the states: the first one at which there is a cycle is taken.
const AMPLITUDES: [f64; 7] = [1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-2, 1e-1];
/// The period of a cycle that begins is that of the oscillation within this factor: at a small amplitude they differ by its square.
const PERIOD_FACTOR: f64 = 1.5;

/// Why no branch of cycles begins.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NoCycle {
    /// The special point is of another kind.
    #[error("oscillations begin at a Hopf bifurcation; this is a point of the kind {}", .0.name())]
    Kind(SpecialKind),
    /// The model has a phase, so that its motions repeat with that only.
    #[error("a model with a phase repeats with that: its oscillations about an equilibrium are not followed")]
    Phase,
    /// No direction belongs to the eigenvalues.
    #[error("the direction of the oscillation is not determined")]
    Undefined,
    /// At no small amplitude is there a cycle.
    #[error("no small cycle was found near the equilibrium: {0}")]
    NotFound(String),
    /// The branch of cycles does not begin.
    #[error(transparent)]
    Start(#[from] branch::StartError),
}

/// Follows the branch of oscillations that begins at a Hopf bifurcation, from a small amplitude on.
///
/// `special` is a special point of a branch of equilibria that was followed with the same `following`. The answer is a branch of orbits
/// like those of [`branch::follow`]; before its first point it ends in the equilibrium.
///
/// # Errors
/// If no cycle is found.
pub fn follow_cycle(
    system: &System,
    following: &Values,
    special: &Special,
    settings: &branch::Settings,
    monitor: &mut dyn FnMut(usize, f64) -> bool,
) -> Result<Branch, NoCycle> {
    // Small cycles pass no section of the model: their state is reported where they pass their own plane.
    let origin = Origin { section: usize::MAX, phase: 0.0, last: Vec::new() };
    let mut tracer = Tracer::new(system, following, settings, origin);
    let start = hopf_cycle(&tracer, special)?;
    let mut branch = tracer.branch(start, &mut |points, value| monitor(points, value))?;
    branch.ended[0] = Ended::Border { kind: SpecialKind::Hopf };
    Ok(branch)
}

/// A small cycle at a Hopf bifurcation, with the direction in which its amplitude grows.
pub(crate) fn hopf_cycle(tracer: &Tracer, special: &Special) -> Result<Start, NoCycle> {
    let (system, settings) = (tracer.system, tracer.settings);
    let hopf = special.hopf.ok_or(NoCycle::Kind(special.kind))?;
    if system.model().phase.is_some() {
        return Err(NoCycle::Phase);
    }
    let (low, high) = settings.range;
    let (state, closed) = (&special.point.state, special.point.closed);
    let (unknowns, free) = special.point.unknowns.split_at(state.len());
    let value = free[0];
    if !(low <= value && value <= high && low < high) {
        return Err(branch::StartError::OutOfRange { low, high, value }.into());
    }
    let place = (&state[..], closed);
    let mut equations = Equations::near(system, tracer.following, place, free).ok_or(NoCycle::Undefined)?;
    let direction = equations.oscillation(unknowns, free, hopf.frequency).ok_or(NoCycle::Undefined)?;
    let sizes = equations.scale().to_vec();
    let (long, short) = axes(&direction, &sizes).ok_or(NoCycle::Undefined)?;

    let mut widths = sizes.clone();
    widths.extend([hopf.period(), high - low]);
    let mut tangent = short.clone();
    tangent.extend([0.0, 0.0]);
    let mut failure = String::from("the corrections do not converge");
    for amplitude in AMPLITUDES {
        let tip: Vec<f64> = state.iter().zip(&short).map(|(x, w)| x + amplitude * w).collect();
        let plane = Kind::Plane { normal: plane_normal(&long, &sizes), point: tip.clone() };
        let node = Node { kind: plane, before: closed, after: closed, collisions: Vec::new() };
        let signature = Signature { nodes: vec![node], turns: vec![0.0; state.len()], mirror: None, held: Vec::new() };
        let mut guess = tip;
        guess.extend([hopf.period(), value]);
        let start = Start { signature, unknowns: guess, sizes: widths.clone(), tangent: Some(tangent.clone()) };
        let curve = match tracer.curve(&start) {
            Ok(curve) => curve,
            Err(error) => {
                failure = error.to_string();
                continue;
            }
        };
        let (found, onward) = (curve.point().unknowns.clone(), curve.point().tangent.clone());
        let (period, p) = (found[state.len()], found[state.len() + 1]);
        // A cycle of that amplitude, and not the equilibrium at another value of the parameter.
        let distance = |equilibrium: &[f64]| {
            let parts = found.iter().zip(equilibrium).zip(&sizes);
            parts.map(|((x, y), s)| ((x - y) / s).powi(2)).sum::<f64>().sqrt()
        };
        let own = beside(&mut equations, unknowns, p).map(|center| distance(&center));
        let length = short.iter().zip(&sizes).map(|(w, s)| (w / s).powi(2)).sum::<f64>().sqrt();
        let moves = own.is_some_and(|own| own > 0.5 * amplitude * length);
        if moves && (1.0 / PERIOD_FACTOR..=PERIOD_FACTOR).contains(&(period / hopf.period())) {
            return Ok(Start { unknowns: found, tangent: Some(onward), ..start });
        }
        failure = String::from("the corrections lead to the equilibrium or to another orbit");
    }
    Err(NoCycle::NotFound(failure))
}

/// The equilibrium at another value of the parameter.
fn beside(equations: &mut Equations, unknowns: &[f64], value: f64) -> Option<Vec<f64>> {
    let held = unknowns.len();
    let mut guess = unknowns.to_vec();
    guess.push(value);
    let curve = Curve::start(equations, &guess, held, Steps::default()).ok()?;
    Some(curve.point().unknowns[..held].to_vec())
}

/// The axes of the ellipse Re(v e^(i theta)) in the metric of the sizes, divided by the length of the longer one: that, and the
/// shorter one.
fn axes(v: &[Complex], sizes: &[f64]) -> Option<(Vec<f64>, Vec<f64>)> {
    let scaled = || v.iter().zip(sizes).map(|(v, s)| (v.re / s, v.im / s));
    let (re, im) = scaled().fold((0.0, 0.0), |(re, im), (x, y)| (re + x * x - y * y, im + 2.0 * x * y));
    // v e^(i theta) has orthogonal parts, the real one the longer, if the sum of its squares is real and positive.
    let (sin, cos) = elementary::sin_cos(-0.5 * elementary::atan2(im, re));
    let length = scaled().map(|(x, y)| (x * cos - y * sin).powi(2)).sum::<f64>().sqrt();
    let long = v.iter().map(|v| (v.re * cos - v.im * sin) / length).collect();
    let short: Vec<f64> = v.iter().map(|v| (v.re * sin + v.im * cos) / length).collect();
    (length.is_normal() && short.iter().any(|x| *x != 0.0)).then_some((long, short))
}
