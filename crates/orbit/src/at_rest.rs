//! What closes although it is no orbit: a motion that hardly moves between its returns, as at an equilibrium or at the end of a chattering sequence.
//!
//! What rounding leaves of a motion that has come to rest still passes its section, in equal times in which it does not come back. Such a motion ends at an
//! equilibrium, and goes no further than an orbit may miss itself by.
//!
//! A motion that comes to rest ever sooner, as by chattering, closes ever better however small it is: Newton's method comes to where it ends. From an orbit a
//! step of the method leads back to it, and from there to another period, which has digits of its own at every size.

use saltation_motion::EventKind;

use crate::ended::Ended;
use crate::equilibrium::{self, Equilibrium};
use crate::newton;
use crate::orbit::Orbit;
use crate::return_map::{Point, ReturnMap};

/// The states of an orbit are compared at so many places to see how far it extends.
const EXTENT_PLACES: u32 = 32;
/// An orbit that misses itself by more than this fraction of its extent is none, nor one whose velocity misses itself by as much when it is carried round.
const MISS_OF_EXTENT: f64 = 1e-2;
/// Orbits that go no further than this, relative to the sizes of states, are asked whether a step of Newton's method leads back to them.
const SMALL: f64 = 1e-3;
/// Misses below this, relative to the size of a state, are rounding.
const MISS_ROUNDING: f64 = 1e-13;

/// How a search ends whose orbit is none; `None` if it is one. `scale` is the size of every coordinate of the section.
pub(crate) fn of_orbit(
    map: &mut ReturnMap,
    orbit: &Orbit,
    (scale, closure): (&[f64], f64),
    monitor: &mut dyn FnMut() -> bool,
) -> Option<Ended> {
    let at = Point { state: orbit.state.clone(), closed: orbit.closed };
    let extent = extent(map, orbit, scale);
    let shrinks = shrinks(map, orbit, (&extent, scale), monitor);
    let map = &*map;
    let rests = || equilibrium(map, &at, &extent, scale, closure);
    if let Some(miss) = hardly_moves(map, orbit, (&extent, scale), closure).or(shrinks) {
        return Some(Ended::AtRest { miss, equilibrium: rests().map(|rest| rest.state) });
    }
    let rest = rests()?;
    // The derivative of an orbit carries its velocity round into itself. A cycle so small that it does is told from a stable equilibrium by its events alone.
    let carried = orbit.trivial.is_some_and(|(_, error)| error <= MISS_OF_EXTENT);
    (!carried || rest.stable && is_eventless(orbit))
        .then_some(Ended::AtRest { miss: 1.0, equilibrium: Some(rest.state) })
}

/// How a search ends that has found nothing from a motion which goes so far in every coordinate of the section, if the motion is at rest.
pub(crate) fn of_motion(map: &ReturnMap, at: &Point, extent: &[f64], scale: &[f64], closure: f64) -> Option<Ended> {
    let rest = equilibrium(map, at, extent, scale, closure)?;
    Some(Ended::AtRest { miss: 1.0, equilibrium: Some(rest.state) })
}

/// The equilibrium that a motion without a phase is at, if it goes no further than `closure`. A state that is zero there has no size of its own: it is
/// compared with the largest.
fn equilibrium(map: &ReturnMap, at: &Point, extent: &[f64], scale: &[f64], closure: f64) -> Option<Equilibrium> {
    let little = closure * scale.iter().fold(0.0_f64, |largest, size| largest.max(*size));
    let still = extent.iter().all(|extent| *extent <= little);
    if map.system().model().phase.is_some() || !still {
        return None;
    }
    let values = map.values().with_start(&at.state);
    let settings = equilibrium::Settings { closed: Some(at.closed), tolerance: map.tolerance() };
    let found = equilibrium::find(map.system(), &values, &settings).ok()?;
    let near = |rest: &Equilibrium| map.difference(&at.state, &rest.state).iter().all(|d| d.abs() <= little);
    found.equilibria.into_iter().find(|rest| rest.admissible && near(rest))
}

fn is_eventless(orbit: &Orbit) -> bool {
    orbit.events.iter().all(|event| event.kind == EventKind::Section)
}

/// Where an orbit has come to from its start after a part of its period.
fn from_start(map: &ReturnMap, orbit: &Orbit, part: f64) -> Vec<f64> {
    map.difference(&orbit.state, &orbit.trajectory.at(part * orbit.period))
}

/// How far an orbit goes from its start in every coordinate of the section.
fn extent(map: &ReturnMap, orbit: &Orbit, scale: &[f64]) -> Vec<f64> {
    let mut extent = vec![0.0_f64; scale.len()];
    if orbit.trajectory.is_empty() {
        return extent;
    }
    for k in 0..EXTENT_PLACES {
        let difference = from_start(map, orbit, (f64::from(k) + 0.5) / f64::from(EXTENT_PLACES));
        extent.iter_mut().zip(difference).for_each(|(most, d)| *most = most.max(d.abs()));
    }
    extent
}

/// By how much of its period a small motion without a forcing changes that with one more step of Newton's method, if that is much.
fn shrinks(
    map: &mut ReturnMap,
    orbit: &Orbit,
    (extent, scale): (&[f64], &[f64]),
    monitor: &mut dyn FnMut() -> bool,
) -> Option<f64> {
    let is_small = extent.iter().zip(scale).all(|(extent, size)| *extent <= SMALL * size);
    if map.system().model().phase.is_some() || !is_small {
        return None;
    }
    let start = Point { state: orbit.state.clone(), closed: orbit.closed };
    let next = newton::period_after_step(map, &start, orbit.returns, scale, monitor)?;
    let change = (next / orbit.period - 1.0).abs().min(1.0);
    (change > MISS_OF_EXTENT).then_some(change)
}

/// By how much an orbit misses itself relative to its own extent in a coordinate, if that is much: returns may follow each other so
/// closely, as those of a chattering sequence do, that a motion seems to close because it has hardly moved.
fn hardly_moves(map: &ReturnMap, orbit: &Orbit, (extent, scale): (&[f64], &[f64]), closure: f64) -> Option<f64> {
    // A contact that is closed all the time keeps its place: that is an orbit of the forcing, if it has no event.
    if map.is_stroboscopic() && is_eventless(orbit) {
        return None;
    }
    // A motion that has not made a step goes nowhere, nor does one on which the forcing has not gone round.
    let still = map.system().model().phase.as_ref().is_some_and(|phase| orbit.turns[phase.state] == 0.0);
    if still || orbit.trajectory.is_empty() {
        return Some(1.0);
    }
    // A motion that extends no further than an orbit may miss itself closes wherever it goes.
    if extent.iter().zip(scale).all(|(extent, size)| *extent <= closure * size) {
        return Some(1.0);
    }
    if map.is_stroboscopic() {
        return None;
    }
    let misses = from_start(map, orbit, 1.0).into_iter().zip(extent).zip(scale);
    let worst = misses
        .filter(|((miss, _), size)| miss.abs() > MISS_ROUNDING * *size)
        .map(|((miss, extent), _)| miss.abs() / extent)
        .fold(0.0, f64::max);
    (worst > MISS_OF_EXTENT).then_some(worst)
}
