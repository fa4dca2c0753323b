//! Invariance under the origin of the phase: branches from the same orbit have the same bifurcations, ends and extents.

use saltation_orbit::branch::{Ended, Special};

use crate::followed::{Followed, Stage};

/// Bifurcations agree to this, relative to the range and to the value.
const BIFURCATION_TOLERANCE: f64 = 1e-9;
/// Two orbits are one if periods and speeds of impacts agree to this, relative to the largest.
const EQUAL_ORBITS: f64 = 1e-6;
/// A step, as a fraction of the range.
const LENGTH: f64 = 0.04;

/// Whether two branches begin with the same orbit.
pub fn is_same(a: &Followed, b: &Followed) -> bool {
    let speeds = |followed: &Followed| {
        let mut speeds: Vec<f64> =
            followed.orbit.events.iter().filter(|e| e.impacts == 1).map(|e| e.speed_before).collect();
        speeds.sort_by(f64::total_cmp);
        speeds
    };
    let (left, right) = (speeds(a), speeds(b));
    let largest = left.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let close = |x: f64, y: f64, size: f64| (x - y).abs() <= EQUAL_ORBITS * size;
    // A sequence that the section cuts is followed for more impacts or fewer.
    let fast = |list: &[f64]| list.iter().take_while(|x| **x < -0.1 * largest).copied().collect::<Vec<f64>>();
    let (left, right) = (fast(&left), fast(&right));
    let alike = left.len() == right.len() && left.iter().zip(&right).all(|(x, y)| close(*x, *y, largest));
    close(a.orbit.period, b.orbit.period, a.orbit.period) && alike
}

fn value(followed: &Followed, special: &Special) -> f64 {
    followed.branch.value(&special.point)
}

fn reported(followed: &Followed) -> String {
    let one = |special: &Special| {
        let virtually = if special.point.admissible { "" } else { " (virtual)" };
        format!("{} {:?}{virtually}", special.kind.name(), value(followed, special))
    };
    let special: Vec<String> = followed.branch.special.iter().map(one).collect();
    let [low, high] = followed.branch.extent().into();
    let ended = &followed.branch.ended;
    format!(
        "s = {}: [{}], {} to {} ({low:?} to {high:?})",
        followed.shift,
        special.join(", "),
        ended[0].name(),
        ended[1].name()
    )
}

/// By what two branches that begin with the same orbit differ.
pub fn check(stage: &Stage, a: &Followed, b: &Followed) -> Option<(&'static str, String)> {
    let width = stage.member.width();
    // How many points a branch takes is no property of it.
    let unfinished = |followed: &Followed| followed.branch.ended.contains(&Ended::Points);
    if unfinished(a) || unfinished(b) {
        return None;
    }
    let differ = |name: &'static str, what: &str| Some((name, format!("{what}: {}; {}", reported(a), reported(b))));
    let close = |x: f64, y: f64| (x - y).abs() <= BIFURCATION_TOLERANCE * width.max(x.abs());
    // At the very end of the range rounding decides.
    let (least, most) = stage.member.range;
    let inside = |followed: &Followed, special: &&Special| {
        let value = value(followed, special);
        !close(value, least) && !close(value, most)
    };
    let own: Vec<&Special> = a.branch.special.iter().filter(|special| inside(a, special)).collect();
    let mut left: Vec<&Special> = b.branch.special.iter().filter(|special| inside(b, special)).collect();
    if own.len() != left.len() {
        let real = |list: &[&Special]| list.iter().filter(|special| special.point.admissible).count();
        let name = if real(&own) == real(&left) { "phase: virtual points" } else { "phase: special points" };
        return differ(name, "other special points");
    }
    // Those of one place may come in any order.
    for x in own {
        let same = |y: &&Special| (x.kind, x.contact) == (y.kind, y.contact);
        let near = |y: &&Special| close(value(a, x), value(b, y));
        let Some(own) = left.iter().position(|y| same(y) && near(y)) else {
            let other = left.iter().find(|y| same(y));
            return match other.map(|y| value(b, y)) {
                None if !x.point.admissible => differ("phase: virtual points", "other special points"),
                None => differ("phase: special points", "other special points"),
                Some(other) => {
                    differ("phase: place", &format!("{} at {:?} or at {other:?}", x.kind.name(), value(a, x)))
                }
            };
        };
        let y = left.remove(own);
        if x.point.admissible != y.point.admissible {
            let what = format!("{} at {:?} is admissible or virtual", x.kind.name(), value(a, x));
            return differ("phase: admissible", &what);
        }
    }
    let alike = |x: &Ended, y: &Ended| match (x, y) {
        (Ended::Stopped { .. }, Ended::Stopped { .. }) => true,
        _ => x == y,
    };
    if !a.branch.ended.iter().zip(&b.branch.ended).all(|(x, y)| alike(x, y)) {
        return differ("phase: ends", &format!("{:?}, {:?}", a.branch.ended, b.branch.ended));
    }
    let ((low, high), (other_low, other_high)) = (a.branch.extent(), b.branch.extent());
    let step = LENGTH * width;
    if (low - other_low).abs() > step || (high - other_high).abs() > step {
        return differ("phase: extent", "other extents");
    }
    let virtually = |followed: &Followed| followed.branch.points.iter().all(|point| !point.admissible);
    if virtually(a) != virtually(b) {
        return differ("phase: admissible", "admissible orbits or none");
    }
    None
}
