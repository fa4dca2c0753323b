//! Does the period grow beyond all bounds? Where an orbit comes ever closer to a saddle, T = c - ln|p_h - p|/lambda with the rate
//! lambda at which neighbours leave that saddle (Kuznetsov, Elements of Applied Bifurcation Theory, Sect. 6.2; Nordmark &
//! Piiroinen, Sect. 6.3). Three points give p_h, lambda and c; two such laws, extrapolated, leave out the terms of the order of the
//! distance.

use saltation_motion::extension::Image;

use super::sample::Sample;
use crate::equilibrium::{self, Equilibrium};
use crate::signature::Equations;

/// The law by which a period grows.
#[derive(Debug, Clone, PartialEq)]
pub struct Homoclinic {
    /// The value p_h of the parameter at which the period is infinite.
    pub value: f64,
    /// The rate lambda.
    pub rate: f64,
    /// The constant c.
    pub constant: f64,
    /// The saddle that the orbit lingers at, for p = p_h.
    pub saddle: Option<Equilibrium>,
}

/// So many places of the longest piece of motion are looked at for the slowest.
const LOOKS: usize = 100;

/// The equilibrium near the slowest place of the longest piece of an orbit.
pub(crate) fn saddle(equations: &mut Equations, unknowns: &[f64]) -> Option<Equilibrium> {
    let states = equations.layout().states;
    let times: Vec<(usize, usize)> = equations.layout().times.clone();
    let leg = (0..times.len()).max_by(|&a, &b| unknowns[times[a].0].total_cmp(&unknowns[times[b].0]))?;
    let system = equations.system();
    let closed = equations.signature().nodes[leg].after;
    let mut image = Image::new(states, equations.following().free().len());
    let sizes = equations.sizes()[..states].to_vec();
    let mut slowest: Option<(f64, Vec<f64>)> = None;
    let pieces = (leg..times.len()).filter(|&k| times[k].0 == times[leg].0);
    for node in pieces {
        let length = unknowns[times[node].0] / times[node].1 as f64;
        for k in 0..=LOOKS {
            let state = equations.along(node, unknowns, length * k as f64 / LOOKS as f64, &mut image).ok()?;
            let speed: f64 = image.rate.iter().zip(&sizes).map(|(f, s)| (f / s).powi(2)).sum();
            if slowest.as_ref().is_none_or(|known| speed < known.0) {
                slowest = Some((speed, state));
            }
        }
    }
    let (_, start) = slowest?;
    let parameters = equations.parameters(unknowns).to_vec();
    let values = equations.following().with_start(&start).with_parameters(&parameters);
    let settings = equilibrium::Settings { closed: Some(closed), ..equilibrium::Settings::default() };
    equilibrium::find(system, &values, &settings).ok()?.equilibria.into_iter().next()
}

/// A period this many times that at the start may be about to grow without bound.
const LONG: f64 = 1.3;
/// Estimates of p_h agree to this, relative to the way that the parameter has come, and those of lambda to the square root of it.
const AGREED: f64 = 1e-10;
/// Differences of the parameter of this fraction of it are rounding.
const ROUNDING: f64 = 2e-12;
/// The pieces of an orbit are looked at again when its period has grown by this factor.
const LONGER: f64 = 1.2;
/// Points whose periods differ by less than this fraction of the first period give no law: their distances from p_h are too much alike.
const APART: f64 = 0.3;

/// The way the period has taken.
#[derive(Debug, Clone)]
pub(crate) struct Growth {
    first: (f64, f64),
    /// The period when its pieces were last looked at.
    looked: f64,
    /// Points (p, T) whose periods differ.
    last: Vec<(f64, f64)>,
    /// The laws through three consecutive points.
    raw: Vec<Homoclinic>,
    /// The laws without what those leave out.
    laws: Vec<Homoclinic>,
}

impl Growth {
    pub fn new(first: &Sample) -> Growth {
        let now = (parameter(first), first.point.period);
        Growth { first: now, looked: now.1, last: vec![now], raw: Vec::new(), laws: Vec::new() }
    }

    /// Whether the period has grown since this was last asked and true.
    pub fn is_long(&mut self) -> bool {
        let now = self.last.last().map_or(0.0, |last| last.1);
        let long = now > LONGER * self.looked;
        if long {
            self.looked = now;
        }
        long
    }

    /// Takes one more point; the law, once it is known.
    pub fn follow(&mut self, sample: &Sample) -> Option<Homoclinic> {
        let now = (parameter(sample), sample.point.period);
        let before = *self.last.last()?;
        if now.1 <= before.1 {
            self.last = vec![now];
            self.raw.clear();
            self.laws.clear();
            return None;
        }
        if now.1 - before.1 < APART * self.first.1 {
            return None;
        }
        self.last.push(now);
        if now.1 < LONG * self.first.1 {
            return None;
        }
        let [.., a, b, c] = self.last.as_slice() else { return None };
        if (c.0 - b.0).abs() <= ROUNDING * c.0.abs() && self.laws.len() > 1 {
            // The parameter moves no more while the period grows: the best law is that which changed least from the one before.
            let change = |pair: &[Homoclinic]| (pair[1].rate / pair[0].rate - 1.0).abs();
            let best = self.laws.windows(2).min_by(|x, y| change(x).total_cmp(&change(y)));
            return best.map(|pair| pair[1].clone());
        }
        self.raw.push(law(*a, *b, *c)?);
        let [.., before, now] = self.raw.as_slice() else { return None };
        let refined = refine(before, now, (*b, *c))?;
        self.laws.push(refined);
        let [.., x, y, z] = self.laws.as_slice() else { return None };
        let way = (z.value - self.first.0).abs();
        let agree = |p: &Homoclinic, q: &Homoclinic| {
            (p.value - q.value).abs() <= AGREED * way + ROUNDING * p.value.abs()
                && (p.rate / q.rate - 1.0).abs() <= AGREED.sqrt()
        };
        (agree(x, y) && agree(y, z)).then(|| z.clone())
    }
}

fn parameter(sample: &Sample) -> f64 {
    sample.curve.unknowns.last().copied().unwrap_or(f64::NAN)
}

/// The law through three points with growing periods: with d = p_h - p_3, ln((d + p_3 - p_1)/(d + p_3 - p_2)) to
/// ln((d + p_3 - p_2)/d) as T_2 - T_1 to T_3 - T_2. The left side falls with d from infinity to that of a straight line.
fn law(a: (f64, f64), b: (f64, f64), c: (f64, f64)) -> Option<Homoclinic> {
    let side = (c.0 - b.0).signum();
    let (near, far) = ((c.0 - b.0).abs(), (c.0 - a.0).abs());
    if near == 0.0 || (b.0 - a.0) * side <= 0.0 {
        return None;
    }
    let wanted = (c.1 - b.1) / (b.1 - a.1);
    // In the logarithm of d, which may be far smaller than the steps.
    let quotient = |logarithm: f64| {
        let d = logarithm.exp();
        (near / d).ln_1p() / ((far - near) / (d + near)).ln_1p()
    };
    let (mut low, mut high) = ((near * 1e-12).ln(), (near * 1e3).ln());
    if !(quotient(low) > wanted && quotient(high) < wanted) {
        return None;
    }
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if quotient(middle) > wanted { low = middle } else { high = middle }
    }
    let d = (0.5 * (low + high)).exp();
    let rate = (near / d).ln_1p() / (c.1 - b.1);
    Some(Homoclinic { value: c.0 + side * d, rate, constant: c.1 + d.ln() / rate, saddle: None })
}

/// Two laws, through the points before b and b and through those before c and c, without what both leave out: the period has terms of the
/// order of the distance d = |p_h - p|, so that the rate is off by a multiple of d and the value by one of d^2.
fn refine(before: &Homoclinic, now: &Homoclinic, (b, c): ((f64, f64), (f64, f64))) -> Option<Homoclinic> {
    let nearer = (now.value - c.0) / (now.value - b.0);
    if !(nearer > 0.0 && nearer < 1.0) {
        return None;
    }
    let rate = now.rate + (now.rate - before.rate) * nearer / (1.0 - nearer);
    let value = now.value + (now.value - before.value) * nearer.powi(2) / (1.0 - nearer.powi(2));
    Some(Homoclinic { value, rate, constant: c.1 + (value - c.0).abs().ln() / rate, saddle: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_points_tell_the_law() {
        let (p, rate, constant) = (-31.0, 0.3, 2.5);
        let at = |d: f64| (p - d, constant - d.ln() / rate);
        let found = law(at(1e-3), at(4e-4), at(1.5e-4)).unwrap();
        assert!((found.value - p).abs() < 1e-12);
        assert!((found.rate - rate).abs() < 1e-9);
        assert!((found.constant - constant).abs() < 1e-7);
    }

    #[test]
    fn two_laws_leave_out_terms_of_the_order_of_the_distance() {
        let (p, rate, constant) = (-31.0, 0.3, 2.5);
        let at = |d: f64| (p - d, constant - d.ln() / rate + 100.0 * d);
        let points = [8e-5, 4e-5, 2e-5, 1e-5].map(at);
        let (before, now) =
            (law(points[0], points[1], points[2]).unwrap(), law(points[1], points[2], points[3]).unwrap());
        let refined = refine(&before, &now, (points[2], points[3])).unwrap();
        assert!((now.rate - rate).abs() > 1e-4 && (refined.rate - rate).abs() < 1e-6, "{refined:?} of {now:?}");
        assert!((now.value - p).abs() > 1e-9 && (refined.value - p).abs() < 1e-10, "{refined:?} of {now:?}");
    }
}
