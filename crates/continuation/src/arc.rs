//! Interpolates a curve between two of its points, and extrapolates it beyond them, by the cubic of Hermite.
//!
//! The cubic through both points with their tangents. Between points at distance h it is off by O(h⁴), and so it is one step
//! beyond them, where the tangent alone is off by O(h²).

use crate::{Point, metric};

/// The cubic of Hermite through two points with unit tangents.
pub(crate) struct Arc<'a> {
    from: &'a Point,
    to: &'a Point,
    length: f64,
}

impl<'a> Arc<'a> {
    /// The arc from one point to a later one.
    pub(crate) fn new(from: &'a Point, to: &'a Point, sizes: &[f64]) -> Self {
        Self { from, to, length: length(from, to, sizes) }
    }

    /// Its first end.
    pub(crate) fn from(&self) -> &Point {
        self.from
    }

    /// Its length in the metric.
    pub(crate) fn length(&self) -> f64 {
        self.length
    }

    /// The unknowns at the fraction `at` of the arc: 0 and 1 are its ends.
    pub(crate) fn position(&self, at: f64, u: &mut [f64]) {
        // H = (1 + 2x)(1 - x)², x (1 - x)², x² (3 - 2x), x² (x - 1), measured from the nearer end.
        let (near, far, x, sign) =
            if at <= 0.5 { (self.from, self.to, at, 1.0) } else { (self.to, self.from, 1.0 - at, -1.0) };
        let slope = sign * self.length;
        let (across, leave, arrive) = (x * x * (3.0 - 2.0 * x), x * (1.0 - x).powi(2), x * x * (x - 1.0));
        for (i, u) in u.iter_mut().enumerate() {
            *u = near.unknowns[i]
                + across * (far.unknowns[i] - near.unknowns[i])
                + slope * (leave * near.tangent[i] + arrive * far.tangent[i]);
        }
    }

    /// The unit direction there, in units of the sizes.
    pub(crate) fn direction(&self, at: f64, sizes: &[f64], direction: &mut [f64]) {
        let across = 6.0 * at * (1.0 - at) / self.length;
        let (leave, arrive) = ((1.0 - at) * (1.0 - 3.0 * at), at * (3.0 * at - 2.0));
        for (i, d) in direction.iter_mut().enumerate() {
            let derivative = across * (self.to.unknowns[i] - self.from.unknowns[i])
                + leave * self.from.tangent[i]
                + arrive * self.to.tangent[i];
            *d = derivative / sizes[i];
        }
        metric::normalise(direction);
    }
}

/// The length of the curve between two near points with unit tangents a and b at the distance c: that which makes the speed
/// of the cubic |3c/2L - (a + b)/4| = 1 halfway. Its error is of fifth order.
pub(crate) fn length(from: &Point, to: &Point, sizes: &[f64]) -> f64 {
    let (mut cc, mut ct, mut tt) = (0.0, 0.0, 0.0);
    for (i, size) in sizes.iter().enumerate() {
        let c = 1.5 * (to.unknowns[i] - from.unknowns[i]) / size;
        let t = 0.25 * (to.tangent[i] + from.tangent[i]) / size;
        cc += c * c;
        ct += c * t;
        tt += t * t;
    }
    if cc == 0.0 {
        return 0.0;
    }
    cc / (ct + (ct * ct + cc * (1.0 - tt).max(0.0)).sqrt())
}
