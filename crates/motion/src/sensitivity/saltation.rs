//! The saltation matrix of an impact, by which it changes the distance of neighbouring motions.
//!
//! Two neighbours do not hit at the same time. To first order their distance, at a fixed time just before and just after,
//! changes by the saltation matrix (Nordmark & Piiroinen, Eq. (43), for an instantaneous event)
//!
//! D = A + (B2 - A B1) C/d,   A = R_x,   B1 = F(x'),   B2 = F(R(x')),   C = H_x,   d = L_F H = v.
//!
//! It grows as 1/v. With h = H/u and u, the speed after the impact before, as two more states, the flight ends where h
//! vanishes, d = v/u stays near -1 along a chattering sequence, and D stays bounded (their Sect. 4.3).
//!
//! A motion that carries its derivatives ([`crate::sensitivity`]) never forms these matrices; they are what its steps from event to
//! event amount to, and are here to be looked at and compared with.

use saltation_expr::Jet;
use saltation_model::Values;
use saltation_numerics::number::Number;

use super::dual::{LANES, Number4};
use crate::contact::law::BoundLaw;
use crate::mode::ClosedSet;
use crate::system::System;

/// The saltation matrix of an impact at a contact, from the state just before it; `closed` are the other contacts that are
/// closed before and after. Rows and columns are the model's states, the phase among them.
///
/// ```
/// use saltation_motion::sensitivity::saltation;
/// use saltation_motion::{ClosedSet, System};
/// # let text = saltation_model::gallery::find("bouncing-ball").unwrap();
/// # let model = saltation_model::Model::parse(text, "bouncing-ball").unwrap();
/// let system = System::new(&model);
/// let values = model.values(&Default::default()).unwrap();
/// let matrix = saltation::matrix(&system, &values, 0, ClosedSet::NONE, &[0.0, -2.0]);
/// // D = [[-e, 0], [-(1 + e) g/v', -e]]
/// assert_eq!(matrix, [[-0.8, 0.0], [1.8 * 9.8 / 2.0, -0.8]]);
/// ```
pub fn matrix(system: &System, values: &Values, contact: usize, closed: ClosedSet, before: &[f64]) -> Vec<Vec<f64>> {
    let impact = Differentiated::new(system, values, contact, closed, before);
    compose(&impact.after, &impact.rate_before, &impact.rate_after, &impact.gradient, impact.speed)
}

/// The saltation matrix of an impact in the states (x, h, u), h = H/u; `departure` is u, the opening speed after the impact
/// before this one.
///
/// ```
/// use saltation_motion::sensitivity::saltation;
/// use saltation_motion::{ClosedSet, System};
/// # let text = saltation_model::gallery::find("bouncing-ball").unwrap();
/// # let model = saltation_model::Model::parse(text, "bouncing-ball").unwrap();
/// let system = System::new(&model);
/// let values = model.values(&Default::default()).unwrap();
/// let matrix = saltation::scaled_matrix(&system, &values, 0, ClosedSet::NONE, &[0.0, -2.0], 2.0);
/// // Nordmark & Piiroinen, Eq. (47), first three rows.
/// let (e, g, v) = (0.8, 9.8, -2.0);
/// let expected = [[1.0, 0.0, (1.0 + e) * v, 0.0], [0.0, -e, (1.0 + e) * g, 0.0], [0.0, 0.0, -1.0, 0.0]];
/// for (row, known) in matrix.iter().zip(expected) {
///     assert!(row.iter().zip(known).all(|(a, b)| (a - b).abs() < 1e-14));
/// }
/// ```
pub fn scaled_matrix(
    system: &System,
    values: &Values,
    contact: usize,
    closed: ClosedSet,
    before: &[f64],
    departure: f64,
) -> Vec<Vec<f64>> {
    let impact = Differentiated::new(system, values, contact, closed, before);
    let states = before.len();
    let wider = |row: &Vec<f64>| row.iter().copied().chain([0.0, 0.0]).collect::<Vec<f64>>();
    let v = impact.speed;
    let slopes_after = &impact.speed_after;
    // (R(x), 0, v(R(x))) and its derivative; (F, v/u, 0) before and after.
    let mut after: Vec<Vec<f64>> = impact.after.iter().map(wider).collect();
    after.push(vec![0.0; states + 2]);
    after.push(wider(slopes_after));
    let before_rate: Vec<f64> = impact.rate_before.iter().copied().chain([v / departure, 0.0]).collect();
    let after_rate: Vec<f64> = impact.rate_after.iter().copied().chain([1.0, 0.0]).collect();
    let mut normal = vec![0.0; states + 2];
    normal[states] = 1.0;
    compose(&after, &before_rate, &after_rate, &normal, v / departure)
}

/// A + (B2 - A B1) C/d.
fn compose(a: &[Vec<f64>], b1: &[f64], b2: &[f64], c: &[f64], d: f64) -> Vec<Vec<f64>> {
    let entry = |row: &Vec<f64>, rate: f64| {
        let moved: f64 = row.iter().zip(b1).map(|(a, b)| a * b).sum();
        row.iter().zip(c).map(|(a, c)| a + (rate - moved) * c / d).collect()
    };
    a.iter().zip(b2).map(|(row, &rate)| entry(row, rate)).collect()
}

/// An impact with its derivatives.
struct Differentiated {
    after: Vec<Vec<f64>>,
    rate_before: Vec<f64>,
    rate_after: Vec<f64>,
    /// The opening speed before.
    speed: f64,
    /// The gradient of that after.
    speed_after: Vec<f64>,
    gradient: Vec<f64>,
}

impl Differentiated {
    fn new(system: &System, values: &Values, contact: usize, closed: ClosedSet, before: &[f64]) -> Differentiated {
        let states = before.len();
        let parameters: Vec<Number4> = values.parameters().iter().map(|&p| Number4::constant(p)).collect();
        let law = &system.laws[contact];
        let mut bound = BoundLaw::new(law, &parameters);
        let mut result = Differentiated {
            after: vec![vec![0.0; states]; states],
            rate_before: vec![0.0; states],
            rate_after: vec![0.0; states],
            speed: 0.0,
            speed_after: vec![0.0; states],
            gradient: vec![0.0; states],
        };
        let mut jumped = before.to_vec();
        for first in (0..states).step_by(LANES) {
            let state: Vec<Number4> =
                before.iter().enumerate().map(|(i, &x)| Number4::variable(x, i.wrapping_sub(first))).collect();
            let after = bound.strike(law, &state).after.to_vec();
            let (gap, speed) = bound.surface(law, &state);
            let (_, speed_after) = bound.surface(law, &after);
            result.speed = speed.value();
            for m in 0..LANES.min(states - first) {
                for (row, x) in result.after.iter_mut().zip(&after) {
                    row[first + m] = x.tangent[m];
                }
                result.gradient[first + m] = gap.tangent[m];
                result.speed_after[first + m] = speed_after.tangent[m];
            }
            jumped = after.iter().map(|x| x.value()).collect();
        }
        let mode = system.mode(closed, &[], false);
        let slots = mode.tape.bind(values.parameters());
        let mut jet = Jet::new(&mode.tape);
        mode.tape.rates(&slots, before, &mut jet, &mut result.rate_before);
        mode.tape.rates(&slots, &jumped, &mut jet, &mut result.rate_after);
        result
    }
}
