//! Does a mode obey its own laws from here on? The first coefficients of everything that its contacts must keep above zero, along the motion it leads to.
//!
//! A coefficient of order k counts with s^k, for the time s in which the motion changes: then coefficients of different orders can be compared, and
//! what is small beside them is rounding, whatever the units.

use saltation_expr::Jet;

use super::Bound;
use super::formulas::Constraint;
use super::problem::BORDER;
use crate::automaton::Motion;
use crate::system::ClosedSet;

/// The order up to which a mode is looked at.
const ORDER: usize = 6;
/// So many orders of the states tell ways apart.
const PATH: usize = 4;
/// Coefficients that differ by less, relative to their size, are the same.
const SAME: f64 = 1e-8;

/// A mode that obeys its own laws from here on.
#[derive(Debug, Clone, Default)]
pub(crate) struct Way {
    pub mode: ClosedSet,
    /// The constraints without a force.
    pub idle: Vec<Constraint>,
    /// The contacts that open, and the order with which their gaps do.
    pub opening: Vec<(usize, usize)>,
    /// The contacts that begin to slip, and the order with which their speeds do.
    pub starting: Vec<(usize, usize)>,
    /// The contacts whose friction is exhausted, but that others keep from slipping.
    pub locked: Vec<usize>,
    /// The coefficients of the states, in units of their sizes.
    path: Vec<f64>,
}

impl Way {
    /// Whether two ways lead along the same path.
    pub fn is_same(&self, other: &Way) -> bool {
        self.path.iter().zip(&other.path).all(|(x, y)| (x - y).abs() <= SAME)
    }
}

/// How large coefficients are that are no rounding.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pace {
    /// The time s in which the motion changes.
    time: f64,
    /// The sizes of speeds, and of the forces that change them per unit of what a force does, on this time.
    speed: f64,
    change: f64,
}

impl Motion<'_> {
    /// The pace of the motion at the current state, with all contacts open.
    pub(crate) fn pace(&mut self) -> Pace {
        self.enter_mode(ClosedSet::NONE);
        let velocities = self.system.velocities();
        let mode = &mut self.modes[self.current];
        mode.probe(&self.state, ORDER + 1);
        let sizes: [f64; ORDER + 2] =
            std::array::from_fn(|k| velocities.iter().map(|&v| mode.probe.state(v)[k].abs()).fold(0.0, f64::max));
        let time = time_of(&sizes);
        let scaled = |k: usize| sizes[k] * time.powi(k as i32);
        let speed = (0..sizes.len()).map(scaled).fold(0.0, f64::max);
        let change = (1..sizes.len()).map(|k| k as f64 * scaled(k) / time).fold(0.0, f64::max);
        Pace { time, speed, change }
    }

    /// The way in a mode, if it obeys its own laws from here on; `certain` if its accelerations say so clearly. The contacts have been looked at.
    ///
    /// `loaded` are constraints that have forces, as far as that is known.
    pub(crate) fn way(
        &mut self,
        pressed: ClosedSet,
        (mode, loaded): (ClosedSet, &[Constraint]),
        pace: &Pace,
        certain: bool,
    ) -> Option<Way> {
        let system = self.system;
        let states = self.state.len();
        let border = BORDER.max(10.0 * self.settings.tolerance);
        let idle = self.group.idle(system, mode, &self.state, loaded);
        self.enter_mode_without(mode, idle.clone());
        let bound = &mut self.modes[self.current];
        bound.probe(&self.state, ORDER);
        let jet = &bound.probe;
        if !(0..states).all(|i| jet.state(i)[..=2].iter().all(|c| c.is_finite())) {
            return None;
        }
        // The first coefficient that is no rounding, and whether it is positive.
        let first = |row: &[f64], from: usize, size: f64| {
            let scaled = |k: usize| row[k] * pace.time.powi(k as i32);
            (from..=ORDER).find_map(|k| (scaled(k).abs() > border * size).then_some((k, scaled(k) > 0.0)))
        };
        // A unit of force changes velocities by M^-1 w.
        let force_size = |contact: usize| {
            let touch = &self.group.touches[contact];
            pace.change / touch.pushed().iter().fold(f64::MIN_POSITIVE, |m, x| m.max(x.abs()))
        };
        // w takes velocities to opening and slip speeds.
        let speed_size = |row: &[f64]| pace.speed * row.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let mut way = Way { mode, idle, ..Way::default() };
        for contact in pressed.iter().filter(|&c| !mode.contains(c)) {
            let gap = jet.output(&bound.tape, system.gap_output(contact));
            let size = pace.time * speed_size(self.group.touches[contact].normal());
            match first(gap, 2, size) {
                Some((order, true)) => way.opening.push((contact, order)),
                Some((_, false)) if !certain => return None,
                _ => way.opening.push((contact, 2)),
            }
        }
        for (k, contact) in mode.iter().enumerate() {
            let force = jet.output(&bound.tape, system.force_output(k));
            if let Some((_, false)) = first(force, 0, force_size(contact))
                && !certain
            {
                return None;
            }
        }
        // Constraints without a force of their own hold because others do, or not at all.
        let fastest = system.velocities().iter().flat_map(|&v| jet.state(v).iter().enumerate());
        let fastest = fastest.map(|(k, c)| c.abs() * pace.time.powi(k as i32)).fold(pace.speed, f64::max);
        for &(constraint, output) in &bound.still {
            let touch = &self.group.touches[constraint.contact()];
            let (row, size, from) = match constraint {
                Constraint::Normal(_) => (touch.normal(), pace.time * fastest, 2),
                Constraint::Tangential(_) => (touch.tangent(), fastest, 1),
            };
            let size = size * row.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            if first(jet.output(&bound.tape, output), from, size).is_some() {
                return None;
            }
        }
        for limit in &bound.limits {
            let row = jet.output(&bound.tape, limit.output);
            let halted = pressed.slip(limit.contact).is_none();
            let found = match limit.kind {
                Bound::Speed => {
                    let size = speed_size(self.group.touches[limit.contact].tangent());
                    first(row, usize::from(halted), size)
                }
                Bound::Force | Bound::Cone(_) => first(row, 0, force_size(limit.contact)),
            };
            match (limit.kind, found) {
                (_, Some((_, false))) if !certain => return None,
                (Bound::Speed, Some((order, _))) if halted => way.starting.push((limit.contact, order)),
                (Bound::Speed, None) if halted => way.locked.push(limit.contact),
                _ => {}
            }
        }
        way.path = path(jet, system.velocities(), pace);
        Some(way)
    }
}

/// The first coefficients of all velocities in units of their size on the time in which the motion changes. Coordinates follow them.
fn path(jet: &Jet<f64>, velocities: &[usize], pace: &Pace) -> Vec<f64> {
    let size = if pace.speed > 0.0 { pace.speed } else { 1.0 };
    let scaled = |v: usize| (1..=PATH).map(move |k| jet.state(v)[k] * pace.time.powi(k as i32) / size);
    velocities.iter().flat_map(|&v| scaled(v)).collect()
}

/// The time s for which the sizes a_k s^k of coefficients are alike: the slope of the longest edge of the upper hull of (k, ln a_k). Sizes that are
/// rounding, which lie far below, do not change it. One where there is nothing to compare.
pub(crate) fn time_of(sizes: &[f64]) -> f64 {
    let points: Vec<(f64, f64)> =
        sizes.iter().enumerate().filter(|(_, size)| **size > 0.0).map(|(k, size)| (k as f64, size.ln())).collect();
    let mut hull: Vec<(f64, f64)> = Vec::new();
    for &point in &points {
        while let [.., a, b] = hull[..]
            && (b.1 - a.1) * (point.0 - a.0) <= (point.1 - a.1) * (b.0 - a.0)
        {
            hull.pop();
        }
        hull.push(point);
    }
    let mut best = (0.0, 0.0);
    for edge in hull.windows(2) {
        let length = edge[1].0 - edge[0].0;
        if length > best.0 {
            best = (length, (edge[1].1 - edge[0].1) / length);
        }
    }
    (-best.1).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_a_motion_has_its_unit() {
        for unit in [1e-9, 1.0, 1e9] {
            let sizes =
                |f: &dyn Fn(usize) -> f64| (0..8).map(|k| f(k) * f64::powi(unit, -(k as i32))).collect::<Vec<_>>();
            // cos t: 1/k!, every other coefficient.
            let factorial = |k: usize| (1..=k).map(|j| j as f64).product::<f64>();
            let waves = sizes(&|k| if k % 2 == 0 { 1.0 / factorial(k) } else { 0.0 });
            let time = time_of(&waves) / unit;
            assert!((1.0..8.0).contains(&time), "{time}");
            // A stone that is thrown, with rounding in higher orders.
            let stone = sizes(&|k| [3.0, 10.0, 1e-17, 1e-18, 1e-19, 1e-20, 1e-21, 1e-22][k]);
            assert!(time_of(&stone).is_finite());
            let exact = sizes(&|k| [3.0, 10.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0][k]);
            assert!((time_of(&exact) / unit - 0.3).abs() < 1e-12);
        }
        assert_eq!(time_of(&[0.0, 2.0, 0.0]), 1.0);
        assert_eq!(time_of(&[0.0; 3]), 1.0);
    }
}
