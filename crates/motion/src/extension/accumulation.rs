//! The end of a chattering sequence that loses its persistent contact: its impacts accumulate just where the contact force vanishes.
//!
//! Near such an end the jerk j > 0 of the gap rules. A flight that leaves with speed V at the acceleration -A has g = V t - A t^2/2 + j t^3/6. The map
//! from impact to impact of the pair (A, w = |v| j / A^2) has a fixed ratio: with tau = j t / A,
//!
//! ```text
//! r (3 - 2 tau) = (3 - tau) (1 - tau)^2,     w = (tau/2 - tau^2/6) / r,     A' = (1 - tau) A.
//! ```
//!
//! Sequences with a smaller w end in persistent contact, those with a larger one open: the sequences between them are the stable manifold of the point
//! A = 0. On it states, times and w are smooth functions of A at the impacts, which are extrapolated to A = 0; that w then has its fixed value is one
//! smooth equation. The distance w - w* grows by a factor with every impact, so that the more of them are followed, the more exactly the manifold is
//! met. (With r = 0.89446 the duration of contact vanishes with the power 0.60008 = -ln(1 - tau) / ln(dw'/dw) of the distance of a parameter, the
//! exponent of Nordmark & Piiroinen, Sect. 6.1.)

use saltation_numerics::dense::Matrix;

use super::chatter::MOST_STEPS;
use super::laws::Slope;
use super::{Completed, Extension, Image, Lost};
use crate::contact::Collision;
use crate::event::EventKind;
use crate::instant::knowledge::SPENT;
use crate::mode::ClosedSet;
use crate::run::motion::Happening;

/// The accelerations at the impacts of an extrapolation differ by this factor at least.
const SPACING: f64 = 0.5;
/// The most impacts that enter an extrapolation.
const NODES: usize = 6;
/// More impacts than this are not followed.
const MOST: usize = 5000;
/// Ratios of speeds of impacts slower than this part of the first are rounding; those before have the ratio of speed zero to as many digits.
const STEADY: f64 = 1e-8;

/// An impact of a sequence.
struct Strike {
    /// The acceleration just before it, with its derivatives by the state at the first impact and the free parameters.
    acceleration: Slope,
    /// The state just before it, the time since the first impact, and w, with their derivatives: a row each.
    values: Vec<f64>,
    derivatives: Matrix,
}

/// The ratio w = |v| j / A^2 of the sequences that end where the contact force vanishes, for a restitution.
fn fixed_ratio(restitution: f64) -> f64 {
    let excess = |tau: f64| (3.0 - tau) * (1.0 - tau).powi(2) - restitution * (3.0 - 2.0 * tau);
    // Positive at 0, negative at 1, and falling between them.
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if excess(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    (0.5 * low - low * low / 6.0) / restitution
}

impl Extension<'_> {
    /// The end of the sequence that begins at a state just before its first impact, as it would be if the contact force vanished there: extrapolated
    /// from so many impacts. `excess` is w - w*, which is zero if that is so.
    ///
    /// # Errors
    /// If there are not so many impacts.
    pub fn accumulate(
        &mut self,
        (contact, closed): (usize, ClosedSet),
        start: (&[f64], f64, Option<&Collision>),
        impacts: usize,
        end: &mut Image,
        completed: &mut Completed,
    ) -> Result<Slope, Lost> {
        let (strikes, restitution) = self.strikes((contact, closed), start, 0.0, &mut |count, _| count < impacts)?;
        if strikes.len() + 1 < impacts || strikes.is_empty() {
            return Err(self.incomplete(contact, "it has too few impacts"));
        }
        let states = start.0.len();
        let (values, derivatives) = extrapolated(&spaced(&strikes));
        end.state.copy_from_slice(&values[..states]);
        let directions = derivatives.columns();
        for i in 0..states {
            (0..directions).for_each(|k| end.derivative[(i, k)] = derivatives[(i, k)]);
        }
        let row = |i: usize| (0..directions).map(|k| derivatives[(i, k)]).collect::<Vec<f64>>();
        *completed =
            Completed { duration: values[states], gradient: row(states), impacts, acceleration: -f64::MIN_POSITIVE };
        self.rate(closed, &end.state.clone(), &mut end.rate);
        Ok(Slope { value: values[states + 1] - fixed_ratio(restitution), gradient: row(states + 1) })
    }

    /// How the impacts of a sequence approach the one at which the contact force vanishes: for each from the second on the acceleration and w - w*.
    ///
    /// # Errors
    /// If the sequence does not begin.
    pub fn approach(
        &mut self,
        (contact, closed): (usize, ClosedSet),
        start: (&[f64], f64, Option<&Collision>),
        smallest: f64,
    ) -> Result<Vec<(f64, f64)>, Lost> {
        let mut first = 0.0_f64;
        let (strikes, restitution) = self.strikes((contact, closed), start, SPENT, &mut |_, acceleration| {
            first = first.max(acceleration.abs());
            acceleration.abs() > smallest * first
        })?;
        let fixed = fixed_ratio(restitution);
        let ratio = |strike: &Strike| strike.values.last().map_or(f64::NAN, |w| w - fixed);
        Ok(strikes.iter().map(|strike| (strike.acceleration.value, ratio(strike))).collect())
    }

    /// The impacts of a sequence after its first one while the contact is pressed at them, they are faster than a part of the fastest, and `wanted`, given
    /// their number and the acceleration, asks for more; and the restitution of the last one whose speed is no rounding.
    fn strikes(
        &mut self,
        (contact, closed): (usize, ClosedSet),
        start: (&[f64], f64, Option<&Collision>),
        slowest: f64,
        wanted: &mut dyn FnMut(usize, f64) -> bool,
    ) -> Result<(Vec<Strike>, f64), Lost> {
        let mut restitution = self.begin_sequence((contact, closed), start, false)?;
        let mut strikes: Vec<Strike> = Vec::new();
        let Some(mut motion) = self.motion.take() else { return Ok((strikes, restitution)) };
        let mut fastest = 0.0_f64;
        let mut steps = 0;
        loop {
            let (state, time, speeds) = match motion.advance() {
                Happening::Event(event) if event.kind == EventKind::Impact && event.contact == Some(contact) => {
                    (event.before.clone(), event.time, (event.speed_before.abs(), event.speed_after))
                }
                Happening::Event(event) if event.kind == EventKind::Section => continue,
                Happening::Event(_) | Happening::Ended(_) => break,
                _ if steps > MOST_STEPS => break,
                _ => {
                    steps += 1;
                    continue;
                }
            };
            steps = 0;
            fastest = fastest.max(speeds.0);
            if speeds.0 <= slowest * fastest {
                break;
            }
            let changes = motion.derivatives_before_impact();
            let strike =
                self.strike_of((contact, closed), start.0, (&state, time), |k| (changes.state(k), changes.time(k)));
            let acceleration = strike.acceleration.value;
            if acceleration.is_nan() || acceleration >= 0.0 || strikes.len() >= MOST {
                break;
            }
            if speeds.0 > STEADY * fastest {
                restitution = speeds.1 / speeds.0;
            }
            strikes.push(strike);
            if !wanted(strikes.len() + 1, acceleration) {
                break;
            }
        }
        self.motion = Some(motion);
        Ok((strikes, restitution))
    }

    /// An impact at a state and time, whose derivatives are given at a fixed time with those of the time of the impact.
    fn strike_of<'d>(
        &mut self,
        (contact, closed): (usize, ClosedSet),
        first: &[f64],
        (state, time): (&[f64], f64),
        changes: impl Fn(usize) -> (&'d [f64], f64),
    ) -> Strike {
        let (states, directions) = (first.len(), first.len() + self.along.len());
        let mut image = Image::new(states, self.along.len());
        image.state.copy_from_slice(state);
        self.rate(closed, state, &mut image.rate);
        for k in 0..directions {
            let (fixed, moved) = changes(k);
            for (i, (x, rate)) in fixed.iter().zip(&image.rate).enumerate() {
                image.derivative[(i, k)] = x + rate * moved;
            }
        }
        let slopes = self.opening(closed, contact, state);
        // By the states here and the free parameters, to those by the first state and the free parameters.
        let along = |slope: &Slope| {
            let through = |k: usize| (0..states).map(|i| slope.gradient[i] * image.derivative[(i, k)]).sum::<f64>();
            let own = |k: usize| if k < states { 0.0 } else { slope.gradient[k] };
            let gradient = (0..directions).map(|k| own(k) + through(k)).collect();
            Slope { value: slope.value, gradient }
        };
        let [speed, acceleration, jerk] = slopes.each_ref().map(along);
        let ratio = -speed.value * jerk.value / acceleration.value.powi(2);
        self.unwind(first, time, &mut image);
        let mut values = image.state.clone();
        values.extend([time, ratio]);
        let relative = |k: usize| {
            let part = |slope: &Slope| slope.gradient[k] / slope.value;
            part(&speed) + part(&jerk) - 2.0 * part(&acceleration)
        };
        let derivatives = Matrix::from_fn(states + 2, directions, |i, k| match i {
            _ if i < states => image.derivative[(i, k)],
            _ if i == states => changes(k).1,
            _ => ratio * relative(k),
        });
        Strike { acceleration, values, derivatives }
    }
}

/// The last impact and those before it at which the acceleration was larger by a factor each time.
fn spaced(strikes: &[Strike]) -> Vec<&Strike> {
    let mut chosen: Vec<&Strike> = Vec::new();
    for strike in strikes.iter().rev() {
        let apart = chosen.last().is_none_or(|last| last.acceleration.value >= SPACING * strike.acceleration.value);
        if apart && chosen.len() < NODES {
            chosen.push(strike);
        }
    }
    chosen
}

/// The values at A = 0 of the polynomial in A through some impacts, with their derivatives: by Lagrange's weights.
fn extrapolated(strikes: &[&Strike]) -> (Vec<f64>, Matrix) {
    let at = |i: usize| strikes[i].acceleration.value;
    let others = |i: usize| (0..strikes.len()).filter(move |&j| j != i);
    let weight = |i: usize| others(i).map(|j| at(j) / (at(j) - at(i))).product::<f64>();
    let weights: Vec<f64> = (0..strikes.len()).map(weight).collect();
    let (rows, directions) = (strikes[0].derivatives.rows(), strikes[0].derivatives.columns());
    let value = |row: usize| (0..strikes.len()).map(|i| weights[i] * strikes[i].values[row]).sum::<f64>();
    // The slope of the polynomial at the i-th impact, by barycentric weights.
    let barycentric = |i: usize| others(i).map(|j| 1.0 / (at(i) - at(j))).product::<f64>();
    let slope = |i: usize, row: usize| {
        let part = |j: usize| {
            let difference = strikes[j].values[row] - strikes[i].values[row];
            barycentric(j) / barycentric(i) * difference / (at(i) - at(j))
        };
        others(i).map(part).sum::<f64>()
    };
    let values: Vec<f64> = (0..rows).map(value).collect();
    let slopes = Matrix::from_fn(rows, strikes.len(), |row, i| slope(i, row));
    let derivatives = Matrix::from_fn(rows, directions, |row, k| {
        let part = |i: usize| {
            let own = strikes[i].derivatives[(row, k)] - slopes[(row, i)] * strikes[i].acceleration.gradient[k];
            weights[i] * own
        };
        (0..strikes.len()).map(part).sum::<f64>()
    });
    (values, derivatives)
}
