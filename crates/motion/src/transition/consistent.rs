//! Consistency of a mode: whether it obeys its own laws from here on, by the first coefficients of everything that its contacts must keep above zero
//! along the motion it leads to.
//!
//! Each coefficient is computed with the size of the terms it is made of; what is small beside that is rounding. The entries of the state count with the
//! sizes that they have in the time in which the motion changes.

use saltation_numerics::elementary;
use saltation_numerics::number::Number;
use saltation_numerics::rounded::Rounded;

use super::automaton::Automaton;
use super::border::Border;
use crate::instant::knowledge::{SAME, SOLVED};
use crate::mode::expansion::Expansion;
use crate::mode::{Bound, ClosedSet, Constraint, Side};

/// The order up to which a mode is looked at.
pub(super) const ORDER: usize = 6;
/// Coefficients above this part of their natural size are not zero, even where terms that are larger by many orders cancel in them, unless they are what
/// doubles leave of these.
const BLIND: f64 = 1e-6;
/// The number of leading coefficients that vanish where all do.
pub(crate) const ALL_ORDERS: usize = usize::MAX;
/// So many orders of the states distinguish motions.
const PATH: usize = 4;

/// A mode that obeys its own laws from here on.
#[derive(Debug, Clone, Default)]
pub(crate) struct ConsistentMode {
    pub mode: ClosedSet,
    /// The constraints without a force.
    pub redundant: Vec<Constraint>,
    /// The contacts that open, and the order with which their gaps do.
    pub opening: Vec<(usize, usize)>,
    /// The contacts without a force that stay closed all the same, because others hold them, with what rounding leaves of the coefficients of their gaps.
    pub held: Vec<(usize, Vec<f64>)>,
    /// The contacts that begin to slip.
    pub starting: Vec<usize>,
    /// Forces, speeds of slip and distances from the edges of cones that are zero at first: the output, and the order with which it rises.
    pub vanishing: Vec<(usize, usize)>,
    /// The contacts whose friction is exhausted, but that others keep from slipping.
    pub locked: Vec<usize>,
    /// Whether a contact begins to slip in it although its own cone would hold it: no other mode obeys beside it.
    pub slips_early: bool,
    /// The series of the power that friction takes, then that of its forces in units in which each alone moves the masses by 1.
    pub friction: Vec<Rounded>,
    /// The coefficients of the states, in units of their sizes.
    path: Vec<f64>,
}

impl ConsistentMode {
    /// Contacts that stay as they are, with some constraints without a force.
    pub(crate) fn as_it_is(mode: ClosedSet, redundant: &[Constraint]) -> ConsistentMode {
        ConsistentMode { mode, redundant: redundant.to_vec(), ..ConsistentMode::default() }
    }

    /// Whether friction takes more power than in another next, at once or, if it takes the same, soon; if it takes none, whether it is larger.
    /// The first coefficients that differ decide, by more than their rounding: where contacts are about to be loaded, all forces are zero as yet. Feet that nearly
    /// coincide have terms that are larger by many orders.
    pub(crate) fn rubs_more(&self, other: &ConsistentMode, rounding: f64) -> bool {
        let pairs = self.friction.iter().zip(&other.friction);
        let mut differences = pairs.map(|(&a, &b)| (a - b, a.value.abs().max(b.value.abs())));
        let differs = |&(difference, largest): &(Rounded, f64)| {
            let by_more_than = |part: f64| difference.value.abs() > part * largest;
            difference.exceeds(rounding) && by_more_than(SAME)
                || difference.exceeds(f64::EPSILON) && by_more_than(BLIND)
        };
        differences.find(differs).is_some_and(|(difference, _)| difference.value > 0.0)
    }

    /// The contacts that begin to slip, and do so indeed.
    pub(crate) fn moving(&self) -> Vec<usize> {
        self.starting.iter().copied().filter(|contact| !self.locked.contains(contact)).collect()
    }

    /// Whether its path is known.
    pub(crate) fn has_path(&self) -> bool {
        !self.path.is_empty()
    }

    /// Whether two modes lead along the same path.
    pub(crate) fn is_same(&self, other: &ConsistentMode) -> bool {
        self.path.iter().zip(&other.path).all(|(x, y)| (x - y).abs() <= SAME)
    }
}

/// How fast the motion changes at a state.
#[derive(Debug, Clone)]
pub(crate) struct TimeScale {
    /// The time s in which the motion changes.
    time: f64,
    /// The size of speeds on this time.
    speed: f64,
    /// The state, each entry with the size that it has on this time: what is small beside that is rounding.
    pub(super) data: Vec<Rounded>,
    /// The size of the terms of every acceleration. Formulas of numbers alone have lost theirs where they are put together.
    rates: Vec<f64>,
}

impl Automaton<'_> {
    /// The pace of the motion at the current state, with all contacts open.
    pub(crate) fn pace(&mut self) -> TimeScale {
        self.enter_mode(ClosedSet::NONE);
        self.enter_still();
        let system = self.system;
        let velocities = system.velocities();
        let exact: Vec<Rounded> = self.now.state.iter().map(|&x| Rounded::new(x)).collect();
        let series = self.modes.now_mut().expand_sized(&self.parameters, &exact, ORDER + 1);
        // What rounding leaves of terms that cancel changes nothing in any time.
        let known =
            |v: usize, k: usize| if series.state(v)[k].is_rounding() { 0.0 } else { series.state(v)[k].value.abs() };
        let sizes: [f64; ORDER + 2] =
            std::array::from_fn(|k| velocities.iter().map(|&v| known(v, k)).fold(0.0, f64::max));
        let mut rates: Vec<f64> = velocities.iter().map(|&v| series.state(v)[1].size).collect();
        let coefficients: Vec<[f64; ORDER + 2]> =
            (0..self.now.state.len()).map(|i| std::array::from_fn(|k| known(i, k))).collect();
        let time = time_of(&sizes).min(self.crossing_time(&coefficients));
        let largest = |row: &[f64]| row.iter().enumerate().map(|(k, c)| c * time.powi(k as i32)).fold(0.0, f64::max);
        let entry = |(&value, row): (&f64, &[f64; ORDER + 2])| Rounded { value, size: largest(row) };
        let data = self.now.state.iter().zip(&coefficients).map(entry).collect();
        self.widen_by_held(&mut rates);
        TimeScale { time, speed: largest(&sizes), data, rates }
    }

    /// The forces of switches along which the motion slides are terms of accelerations as well, as large as on either side.
    fn widen_by_held(&mut self, rates: &mut [f64]) {
        let sides = self.now.sides;
        if !sides.slides() {
            return;
        }
        for side in [Side::Negative, Side::Positive] {
            self.now.sides = sides.sliding().fold(sides, |all, k| all.with(k, side));
            self.enter_mode(ClosedSet::NONE);
            let mode = self.modes.now_mut();
            mode.probe(&self.now.state, 1);
            for (rate, &v) in rates.iter_mut().zip(self.system.velocities()) {
                let own = mode.probed_state(v)[1].abs();
                *rate = if own.is_finite() { rate.max(own) } else { *rate };
            }
        }
        self.now.sides = sides;
        self.enter_mode(ClosedSet::NONE);
    }

    /// The time in which a motion with such coefficients leaves the region in which it has been: what it would do farther away says nothing of the state here. Lengths
    /// are those of the kinetic energy, sqrt(q'Mq). Infinite where all has been at zero.
    fn crossing_time(&mut self, coefficients: &[[f64; ORDER + 2]]) -> f64 {
        let system = self.system;
        let mut moved = self.now.state.clone();
        for (&q, &v) in system.coordinates().iter().zip(system.velocities()) {
            moved[v] = self.now.state[q].abs().max(self.known.extent.widest[q]);
        }
        let region = self.fastest(&moved);
        let mut time = f64::INFINITY;
        for order in 1..=ORDER + 1 {
            system.velocities().iter().for_each(|&v| moved[v] = coefficients[v][order - 1] / order as f64);
            let length = self.fastest(&moved);
            if region > 0.0 && length > 0.0 {
                time = time.min(elementary::exp(elementary::ln(region / length) / order as f64));
            }
        }
        time
    }

    /// The rates of all states at the current state in a mode.
    pub(crate) fn rates_in(&mut self, next: &ConsistentMode) -> Vec<f64> {
        self.enter_mode_without(next.mode, next.redundant.clone());
        let mode = self.modes.now_mut();
        mode.probe(&self.now.state, 1);
        (0..self.now.state.len()).map(|i| mode.probed_state(i)[1]).collect()
    }

    /// Coefficients this small beside the terms they are made of are rounding.
    pub(crate) fn rounding(&self) -> f64 {
        SOLVED.max(10.0 * self.settings.tolerance)
    }

    /// A mode, if it obeys its own laws from here on; `certain` if its accelerations say so clearly. The contacts have been looked at.
    ///
    /// `loaded` are constraints that have forces, as far as that is known.
    pub(crate) fn consistent_mode(
        &mut self,
        pressed: ClosedSet,
        (mode, loaded): (ClosedSet, &[Constraint]),
        pace: &TimeScale,
        border: &Border,
        certain: bool,
    ) -> Option<ConsistentMode> {
        let system = self.system;
        let states = self.now.state.len();
        let rounding = self.rounding();
        let redundant = self.joint.group.redundant(system, mode, &self.now.state, loaded);
        // Where modes meet, what vanishes in one of them does so in all.
        let joins = border.joins_with(mode, &redundant);
        let meets = |contact, bound| usize::from(joins && border.contains(contact, bound));
        self.enter_mode_without(mode, redundant.clone());
        // Roots that stay at zero have no series.
        self.enter_still();
        let bound = self.modes.now_mut();
        let (limits, still) = (bound.friction_limits().copied().collect::<Vec<_>>(), bound.still.clone());
        let series = bound.expand_sized(&self.parameters, &pace.data, ORDER);
        // Of what has no size nothing is known.
        if !(0..states).all(|i| series.state(i)[..=2].iter().all(|c| c.is_finite() && c.size.is_finite())) {
            return None;
        }
        // What holds a motion twice has no force of its own.
        let forces = (0..mode.iter().count()).map(|k| system.force_output(k));
        if !forces.chain(limits.iter().map(|limit| limit.output)).all(|output| series.output(output)[0].is_finite()) {
            return None;
        }
        // The first coefficient of an output that is no rounding, and whether it is positive; the coefficient of order `at` has terms of size `terms`
        // where nothing is nearly singular.
        let first_of = |output: usize, from: usize, (at, terms): (usize, f64)| {
            let row = series.output(output);
            let exceeds = |k: usize| match row[k].value.abs() {
                value if k == at => {
                    let seen = value > BLIND * terms && row[k].exceeds(f64::EPSILON);
                    value > rounding * terms && (row[k].exceeds(rounding) || seen)
                }
                _ => row[k].exceeds(rounding),
            };
            (from..=ORDER).find_map(|k| exceeds(k).then_some((k, row[k].value > 0.0)))
        };
        let first = |output: usize, from: usize| first_of(output, from, (usize::MAX, 0.0));
        // The terms of the force that takes the acceleration of a gap away.
        let force = |contact: usize| {
            let touch = &self.joint.group.touches[contact];
            let terms = touch.normal().iter().zip(&pace.rates).map(|(w, p)| (w * p).abs()).fold(0.0, f64::max);
            (0, terms / touch.dot(touch.normal(), touch.normal_response()))
        };
        // The terms of an acceleration along a row: what there is without forces, and what each force adds, or its terms do where they cancel.
        let terms_along = |row: &[f64]| {
            let free = row.iter().zip(&pace.rates).map(|(w, p)| (w * p).abs());
            let forces = mode.iter().enumerate().map(|(k, contact)| {
                let touch = &self.joint.group.touches[contact];
                let moves = touch.dot(row, touch.normal_response()).abs()
                    + touch.friction() * touch.dot(row, touch.tangential_response()).abs();
                moves * series.output(system.force_output(k))[0].value.abs().max(force(contact).1)
            });
            free.chain(forces).fold(0.0, f64::max)
        };
        let opening = |contact: usize| (2, 0.5 * terms_along(self.joint.group.touches[contact].normal()));
        let slipping = |contact: usize| (1, terms_along(self.joint.group.touches[contact].tangent()));
        let mut next = ConsistentMode { mode, redundant, ..ConsistentMode::default() };
        for contact in pressed.iter().filter(|&c| !mode.contains(c)) {
            match first_of(system.gap_output(contact), 2 + meets(contact, Bound::Force), opening(contact)) {
                Some((order, true)) => next.opening.push((contact, order)),
                Some((_, false)) if !certain => return None,
                Some(_) => next.opening.push((contact, 2)),
                None => {
                    next.opening.push((contact, 2));
                    let row = series.output(system.gap_output(contact));
                    let (at, terms) = opening(contact);
                    let noise = |k: usize| rounding * if k == at { row[k].size.max(terms) } else { row[k].size };
                    next.held.push((contact, (0..=ORDER).map(noise).collect()));
                }
            }
        }
        // What stays zero at first must rise; what stays zero to all orders is not watched on the next step.
        let mut keeps = |output: usize, found: Option<(usize, bool)>| match found {
            Some((_, false)) => certain,
            Some((0, true)) => true,
            found => {
                next.vanishing.push((output, found.map_or(ALL_ORDERS, |(order, _)| order)));
                true
            }
        };
        for (k, contact) in mode.iter().enumerate() {
            let output = system.force_output(k);
            if !keeps(output, first_of(output, meets(contact, Bound::Force), force(contact))) {
                return None;
            }
        }
        for limit in &limits {
            let halted = pressed.slip(limit.contact).is_none();
            let obeyed = match (limit.kind, mode.slip(limit.contact)) {
                (Bound::Speed, Some(slip)) if halted => {
                    next.starting.push(limit.contact);
                    let from = 1 + meets(limit.contact, Bound::Cone(slip));
                    let found = first_of(limit.output, from, slipping(limit.contact));
                    if found.is_none() {
                        next.locked.push(limit.contact);
                    }
                    keeps(limit.output, found)
                }
                // Slip in progress has a speed already.
                (Bound::Speed, slip) if slip == pressed.slip(limit.contact) => true,
                (Bound::Speed, _) => certain || !matches!(first(limit.output, 0), Some((_, false))),
                (kind, _) => {
                    let found = first_of(limit.output, meets(limit.contact, kind), force(limit.contact));
                    keeps(limit.output, found)
                }
            };
            if !obeyed {
                return None;
            }
        }
        // Constraints without a force of their own hold because others do, or not at all.
        let holds = still.iter().all(|&(constraint, output)| match constraint {
            Constraint::Normal(contact) => first_of(output, 2, opening(contact)).is_none(),
            Constraint::Tangential(contact) | Constraint::Parallel(contact) => {
                first_of(output, 1, slipping(contact)).is_none()
            }
        });
        if !holds {
            return None;
        }
        next.friction = vec![Rounded::ZERO; 2 * (ORDER + 1)];
        for (k, contact) in mode.iter().enumerate().filter(|&(_, contact)| mode.slip(contact).is_some()) {
            let touch = &self.joint.group.touches[contact];
            let speed = limits.iter().find(|limit| (limit.contact, limit.kind) == (contact, Bound::Speed));
            let speeds = speed.map_or(&[][..], |limit| series.output(limit.output));
            // Speeds that are rounding are none, and what begins to slip has none at first, whatever rounding leaves of it.
            let from = usize::from(pressed.slip(contact).is_none());
            let known = |n: usize| speeds.get(n).copied().filter(|c| n >= from && c.exceeds(rounding));
            let speed = |n: usize| known(n).unwrap_or(Rounded::ZERO);
            let forces: Vec<Rounded> =
                series.output(system.force_output(k)).iter().map(|c| c.scale(touch.friction())).collect();
            let power = |n: usize| (0..=n).fold(Rounded::ZERO, |sum, m| sum + forces[m] * speed(n - m));
            let parts = (0..=ORDER).map(power).chain(forces.iter().map(|c| c.scale(touch.tangential_mobility())));
            next.friction.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part);
        }
        next.path = path(series, system.velocities(), pace);
        Some(next)
    }
}

/// The first coefficients of all velocities in units of their size on the time in which the motion changes. Coordinates follow them.
fn path(series: &Expansion<Rounded>, velocities: &[usize], pace: &TimeScale) -> Vec<f64> {
    let size = if pace.speed > 0.0 { pace.speed } else { 1.0 };
    let scaled = |v: usize| (1..=PATH).map(move |k| series.state(v)[k].value * pace.time.powi(k as i32) / size);
    velocities.iter().flat_map(|&v| scaled(v)).collect()
}

/// The time s for which the sizes a_k s^k of coefficients are alike: the slope of the longest edge of the upper hull of (k, ln a_k). Sizes that are
/// rounding, which lie far below, do not change it. One where there is nothing to compare.
pub(crate) fn time_of<const N: usize>(sizes: &[f64; N]) -> f64 {
    let (mut hull, mut corners) = ([(0.0, 0.0); N], 0);
    for (k, size) in sizes.iter().enumerate().filter(|(_, size)| **size > 0.0) {
        let point = (k as f64, elementary::ln(*size));
        while let [.., a, b] = hull[..corners]
            && (b.1 - a.1) * (point.0 - a.0) <= (point.1 - a.1) * (b.0 - a.0)
        {
            corners -= 1;
        }
        hull[corners] = point;
        corners += 1;
    }
    let mut best = (0.0, 0.0);
    for edge in hull[..corners].windows(2) {
        let length = edge[1].0 - edge[0].0;
        if length > best.0 {
            best = (length, (edge[1].1 - edge[0].1) / length);
        }
    }
    elementary::exp(-best.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_a_motion_has_its_unit() {
        for unit in [1e-9, 1.0, 1e9] {
            let sizes =
                |f: &dyn Fn(usize) -> f64| -> [f64; 8] { std::array::from_fn(|k| f(k) * f64::powi(unit, -(k as i32))) };
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
