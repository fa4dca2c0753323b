//! Detects homoclinic orbits by the growth of the period: where an orbit comes ever closer to a saddle, T = c - ln|p_h - p|/lambda with the rate
//! lambda at which perturbations leave that saddle (Kuznetsov, Elements of Applied Bifurcation Theory, Sect. 6.2; Nordmark &
//! Piiroinen, Sect. 6.3). Three points give p_h, lambda and c; two such laws, extrapolated, leave out the terms of the order of the
//! distance.

use saltation_motion::extension::Image;
use saltation_numerics::elementary;

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

/// The slowest place of the longest piece of motion is sought among so many.
const PLACES: usize = 100;

/// The equilibrium near the slowest place of the longest piece of an orbit.
pub(crate) fn saddle(equations: &mut Equations, unknowns: &[f64]) -> Option<Equilibrium> {
    let states = equations.layout().states;
    let layout = equations.layout().clone();
    let nodes = layout.nodes.len();
    let leg = (0..nodes).max_by(|&a, &b| unknowns[layout.time(a)].total_cmp(&unknowns[layout.time(b)]))?;
    let system = equations.system();
    let closed = equations.signature().nodes[leg].after;
    let mut image = Image::new(states, equations.following().free().len());
    let sizes = equations.sizes()[..states].to_vec();
    let mut slowest: Option<(f64, Vec<f64>)> = None;
    let pieces = (leg..nodes).filter(|&k| layout.time(k) == layout.time(leg));
    for node in pieces {
        let length = layout.duration(node, unknowns);
        for k in 0..=PLACES {
            let state = equations.along(node, unknowns, length * k as f64 / PLACES as f64, &mut image).ok()?;
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
const LONG_PERIOD: f64 = 1.3;
/// Estimates of p_h agree to this, relative to the change of the parameter so far, and those of lambda to the square root of it.
const SAME_LAW: f64 = 1e-10;
/// Differences of the parameter of this fraction of it are rounding.
const PARAMETER_ROUNDING: f64 = 2e-12;
/// The pieces of an orbit are examined again when its period has grown by this factor.
const LONGER_PERIOD: f64 = 1.2;
/// Points whose periods differ by less than this fraction of the first period give no law: their distances from p_h are too much alike.
const PERIOD_STEP: f64 = 0.3;

/// The period T of an orbit at a value p of the parameter.
#[derive(Debug, Clone, Copy)]
struct PeriodAt {
    p: f64,
    t: f64,
}

impl PeriodAt {
    fn of(sample: &Sample) -> PeriodAt {
        PeriodAt { p: sample.curve.unknowns.last().copied().unwrap_or(f64::NAN), t: sample.point.period }
    }
}

/// The periods along a branch.
#[derive(Debug, Clone)]
pub(crate) struct Growth {
    first: PeriodAt,
    /// The period when the lengths of its pieces were last examined.
    examined: f64,
    /// Points whose periods differ.
    last: Vec<PeriodAt>,
    /// The laws through three consecutive points.
    raw: Vec<Homoclinic>,
    /// The laws without what those leave out.
    laws: Vec<Homoclinic>,
}

impl Growth {
    pub(crate) fn new(first: &Sample) -> Growth {
        let now = PeriodAt::of(first);
        Growth { first: now, examined: now.t, last: vec![now], raw: Vec::new(), laws: Vec::new() }
    }

    /// Whether the period has grown since this was last asked and true.
    pub(crate) fn is_long(&mut self) -> bool {
        let now = self.last.last().map_or(0.0, |last| last.t);
        let long = now > LONGER_PERIOD * self.examined;
        if long {
            self.examined = now;
        }
        long
    }

    /// Takes one more point; the law, once it is known.
    pub(crate) fn follow(&mut self, sample: &Sample) -> Option<Homoclinic> {
        let now = PeriodAt::of(sample);
        let before = *self.last.last()?;
        if now.t <= before.t {
            self.last = vec![now];
            self.raw.clear();
            self.laws.clear();
            return None;
        }
        if now.t - before.t < PERIOD_STEP * self.first.t {
            return None;
        }
        self.last.push(now);
        if now.t < LONG_PERIOD * self.first.t {
            return None;
        }
        let [.., a, b, c] = self.last.as_slice() else { return None };
        if (c.p - b.p).abs() <= PARAMETER_ROUNDING * c.p.abs() && self.laws.len() > 1 {
            // The parameter moves no more while the period grows: the best law is that which changed least from the one before.
            let change = |pair: &[Homoclinic]| (pair[1].rate / pair[0].rate - 1.0).abs();
            let best = self.laws.windows(2).min_by(|x, y| change(x).total_cmp(&change(y)));
            return best.map(|pair| pair[1].clone());
        }
        self.raw.push(law(*a, *b, *c)?);
        let [.., before, now] = self.raw.as_slice() else { return None };
        let refined = refine(before, now, *b, *c)?;
        self.laws.push(refined);
        let [.., x, y, z] = self.laws.as_slice() else { return None };
        let change = (z.value - self.first.p).abs();
        let agree = |p: &Homoclinic, q: &Homoclinic| {
            (p.value - q.value).abs() <= SAME_LAW * change + PARAMETER_ROUNDING * p.value.abs()
                && (p.rate / q.rate - 1.0).abs() <= SAME_LAW.sqrt()
        };
        (agree(x, y) && agree(y, z)).then(|| z.clone())
    }
}

/// The law through three points with growing periods: with d = p_h - p_3, ln((d + p_3 - p_1)/(d + p_3 - p_2)) to
/// ln((d + p_3 - p_2)/d) as T_2 - T_1 to T_3 - T_2. The left side falls with d from infinity to that of a straight line.
fn law(a: PeriodAt, b: PeriodAt, c: PeriodAt) -> Option<Homoclinic> {
    let side = (c.p - b.p).signum();
    let (near, far) = ((c.p - b.p).abs(), (c.p - a.p).abs());
    if near == 0.0 || (b.p - a.p) * side <= 0.0 {
        return None;
    }
    let wanted = (c.t - b.t) / (b.t - a.t);
    // In the logarithm of d, which may be far smaller than the steps.
    let quotient = |logarithm: f64| {
        let d = elementary::exp(logarithm);
        elementary::ln_1p(near / d) / elementary::ln_1p((far - near) / (d + near))
    };
    let (mut low, mut high) = (elementary::ln(near * 1e-12), elementary::ln(near * 1e3));
    if !(quotient(low) > wanted && quotient(high) < wanted) {
        return None;
    }
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if quotient(middle) > wanted { low = middle } else { high = middle }
    }
    let d = elementary::exp(0.5 * (low + high));
    let rate = elementary::ln_1p(near / d) / (c.t - b.t);
    Some(Homoclinic { value: c.p + side * d, rate, constant: c.t + elementary::ln(d) / rate, saddle: None })
}

/// Two laws, through the points before b and b and through those before c and c, without what both leave out: the period has terms of the
/// order of the distance d = |p_h - p|, so that the rate is off by a multiple of d and the value by one of d^2.
fn refine(before: &Homoclinic, now: &Homoclinic, b: PeriodAt, c: PeriodAt) -> Option<Homoclinic> {
    let nearer = (now.value - c.p) / (now.value - b.p);
    if !(nearer > 0.0 && nearer < 1.0) {
        return None;
    }
    let rate = now.rate + (now.rate - before.rate) * nearer / (1.0 - nearer);
    let value = now.value + (now.value - before.value) * nearer.powi(2) / (1.0 - nearer.powi(2));
    Some(Homoclinic { value, rate, constant: c.t + elementary::ln((value - c.p).abs()) / rate, saddle: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_points_tell_the_law() {
        let (p, rate, constant) = (-31.0, 0.3, 2.5);
        let at = |d: f64| PeriodAt { p: p - d, t: constant - d.ln() / rate };
        let found = law(at(1e-3), at(4e-4), at(1.5e-4)).unwrap();
        assert!((found.value - p).abs() < 1e-12);
        assert!((found.rate - rate).abs() < 1e-9);
        assert!((found.constant - constant).abs() < 1e-7);
    }

    #[test]
    fn two_laws_leave_out_terms_of_the_order_of_the_distance() {
        let (p, rate, constant) = (-31.0, 0.3, 2.5);
        let at = |d: f64| PeriodAt { p: p - d, t: constant - d.ln() / rate + 100.0 * d };
        let points = [8e-5, 4e-5, 2e-5, 1e-5].map(at);
        let (before, now) =
            (law(points[0], points[1], points[2]).unwrap(), law(points[1], points[2], points[3]).unwrap());
        let refined = refine(&before, &now, points[2], points[3]).unwrap();
        assert!((now.rate - rate).abs() > 1e-4 && (refined.rate - rate).abs() < 1e-6, "{refined:?} of {now:?}");
        assert!((now.value - p).abs() > 1e-9 && (refined.value - p).abs() < 1e-10, "{refined:?} of {now:?}");
    }
}
