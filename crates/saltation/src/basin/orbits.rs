//! What an attractor is by a second route: the orbit that Newton's method finds from its return, or the equilibrium at which motions rest. It confirms the
//! attractor, and is handed on to continuation.

use crate::basin::collect::{Collected, Found};
use crate::error::Error;
use crate::settings::MotionSettings;
use crate::system::System;
use crate::tasks::Method;
use crate::{equilibrium, orbit};
use saltation_motion::ClosedSet;
use saltation_numerics::dense::Complex;
use saltation_sweep::{self as lower, Kind, Points};

/// The states of an orbit are compared at so many places to see whether it has an extent.
const PLACES: u32 = 64;
/// An orbit that extends by this part of the sizes of the states at most is an equilibrium; so are two equilibria that are this near one another.
const NO_EXTENT: f64 = 1e-6;
/// An equilibrium is that of a motion at rest if it is at most so far from it, relative to the sizes of the states.
const NEAR: f64 = 1e-3;

/// What was found.
#[derive(Debug)]
pub(crate) enum Confirmed {
    /// An orbit.
    Orbit { answer: Box<orbit::Answer>, stable: bool, multipliers: Vec<Complex> },
    /// An equilibrium, the first of the answer.
    Rest { answer: Box<equilibrium::Answer>, state: Vec<f64>, closed: ClosedSet },
}

impl Confirmed {
    /// The JSON that is handed on.
    pub(crate) fn json(&self) -> String {
        match self {
            Confirmed::Orbit { answer, .. } => crate::answered::json(answer),
            Confirmed::Rest { answer, .. } => crate::answered::json(answer),
        }
    }

    /// The equilibrium, if it is one.
    pub(crate) fn rest(&self) -> Option<&equilibrium::Equilibrium> {
        match self {
            Confirmed::Orbit { .. } => None,
            Confirmed::Rest { answer, .. } => answer.equilibria.first(),
        }
    }
}

/// The name of the file of an attractor.
pub(crate) fn file(attractor: usize) -> String {
    format!("attractor-{}.json", attractor + 1)
}

/// Confirms all attractors. What turns out to be an equilibrium becomes one, and equal ones become one.
pub(crate) fn confirm(
    system: &System,
    method: &Method,
    parameters: &[String],
    all: &mut Collected,
) -> Vec<Option<Confirmed>> {
    let mut list: Vec<Option<Confirmed>> = Vec::new();
    let mut k = 0;
    while k < all.found.len() {
        let confirmed = of(system, method, parameters, &all.found[k]);
        let found = &mut all.found[k].attractor;
        if let Some(Confirmed::Rest { state, closed, .. }) = &confirmed {
            let mut returns = Points::new(state.len());
            returns.push(state);
            let (impacts, speeds) = (Vec::new(), Vec::new());
            let (units, accuracy) = (found.units.clone(), NO_EXTENT);
            *found = lower::Attractor { kind: Kind::Rest, impacts, speeds, returns, units, accuracy, closed: *closed };
        }
        let found = &all.found[k];
        let same = |other: &Found| {
            let units = other.attractor.units.with(&found.attractor.units);
            let states = other.attractor.returns.iter().next().zip(found.attractor.returns.iter().next());
            other.parameters == found.parameters
                && other.attractor.closed == found.attractor.closed
                && states.is_some_and(|(a, b)| units.distance(a, b) <= NO_EXTENT)
        };
        let is_rest = |one: &Option<Confirmed>| matches!(one, Some(Confirmed::Rest { .. }));
        let known = (0..k).find(|&j| is_rest(&confirmed) && is_rest(&list[j]) && same(&all.found[j]));
        match known {
            Some(known) => all.join(known, k),
            None => {
                list.push(confirmed);
                k += 1;
            }
        }
    }
    list
}

/// The orbit or the equilibrium of an attractor; none if it is neither, or none is found.
fn of(system: &System, method: &Method, parameters: &[String], found: &Found) -> Option<Confirmed> {
    let there = parameters.iter().zip(&found.parameters);
    let system = there.into_iter().try_fold(system.clone(), |system, (name, value)| system.with(name, *value)).ok()?;
    let lower::Attractor { kind, returns, units, accuracy, closed, .. } = &found.attractor;
    let state = returns.iter().next()?;
    let system = starting(&system, state)?;
    let period = match kind {
        Kind::Rest => return rest(&system, *closed, method, |at| units.distance(state, at) <= accuracy.max(NEAR)),
        Kind::Periodic(period) => *period,
        Kind::Aperiodic | Kind::Growing | Kind::Unknown => return None,
    };
    let mut search = system.orbit().returns(period).policy(method.policy).tolerance(method.tol).flow(method.flow);
    search.request.section.clone_from(&method.section);
    let orbit = match search.find() {
        Ok(orbit) => orbit,
        Err(Error::Ended { word, .. }) if word == "at_rest" => return rest(&system, *closed, method, |_| true),
        Err(_) => return None,
    };
    let nowhere = orbit.search.found.orbit.as_ref().filter(|found| !extends(&system, found, units));
    if let Some(point) = nowhere {
        return rest(&starting(&system, &point.state)?, point.closed, method, |at| {
            units.distance(&point.state, at) <= NEAR
        });
    }
    let (stable, multipliers) = (orbit.stable, orbit.multipliers.clone());
    Some(Confirmed::Orbit { answer: Box::new(orbit.search.answer), stable, multipliers })
}

fn starting(system: &System, state: &[f64]) -> Option<System> {
    let names = std::sync::Arc::clone(system.state_names());
    names.iter().zip(state).try_fold(system.clone(), |system, (name, value)| system.from_state(name, *value)).ok()
}

/// Whether an orbit goes anywhere: a model with a phase always does, and one with impacts.
fn extends(system: &System, orbit: &saltation_orbit::Orbit, units: &lower::Units) -> bool {
    if system.model().phase.is_some() || !orbit.signature.is_empty() || orbit.trajectory.is_empty() {
        return true;
    }
    let place = |k: u32| orbit.trajectory.at(orbit.period * f64::from(k) / f64::from(PLACES));
    let near = |state: Vec<f64>| units.distance(&orbit.state, &state) <= NO_EXTENT;
    !(0..=PLACES).all(|k| near(place(k)))
}

/// The equilibrium with these contacts closed next to the start of the system.
fn rest(system: &System, closed: ClosedSet, method: &Method, near: impl Fn(&[f64]) -> bool) -> Option<Confirmed> {
    let mode = system.naming().ok()?.mode(closed);
    let found = system.equilibria().mode(&mode).tolerance(method.tol).find().ok()?;
    let first = found.found.equilibria.first()?;
    let (state, closed, admissible) = (first.state.clone(), first.closed, first.admissible);
    (admissible && near(&state)).then(|| Confirmed::Rest { answer: Box::new(found.answer), state, closed })
}

#[cfg(test)]
mod tests {
    use super::*;
    use saltation_sweep::{Track, Units};

    fn found(kind: Kind, state: &[f64], count: u64) -> Found {
        let mut returns = Points::new(state.len());
        returns.push(state);
        let (impacts, speeds, closed) = (Vec::new(), Vec::new(), ClosedSet::NONE);
        let units = Units::new(&[3.0, 0.1, 13.0], &[None; 3]);
        let attractor = lower::Attractor { kind, impacts, speeds, returns, units, accuracy: 1e-3, closed };
        Found { attractor, track: Track::default(), parameters: Vec::new(), from: Vec::new(), count }
    }

    #[test]
    fn a_cycle_without_extent_is_the_equilibrium_that_it_is() {
        // The relief valve above its Hopf point, near its equilibrium: taken for a cycle and for a motion at rest, and a cycle that is none.
        let system = System::gallery("relief-valve").unwrap().with("q", 9.0).unwrap();
        let lift = 2.541381265;
        let mut all = Collected {
            found: vec![
                found(Kind::Periodic(1), &[lift + 1e-4, 0.0, lift + 10.0], 2),
                found(Kind::Aperiodic, &[1.0, 0.0, 11.0], 5),
                found(Kind::Rest, &[lift, 0.0, lift + 10.0 + 1e-6], 4),
            ],
            of_tasks: vec![Some(0), Some(2), None, Some(1)],
            slices: vec![(0.0, vec![2, 5, 4], Default::default())],
            ..Collected::default()
        };
        let list = confirm(&system, &Method::default(), &[], &mut all);
        assert_eq!(
            all.found.iter().map(|f| (f.attractor.kind, f.count)).collect::<Vec<_>>(),
            [(Kind::Rest, 6), (Kind::Aperiodic, 5)]
        );
        assert_eq!(all.of_tasks, [Some(0), Some(0), None, Some(1)]);
        assert_eq!(all.slices[0].1, [6, 5]);
        let rest = list[0].as_ref().and_then(Confirmed::rest).unwrap();
        assert!(rest.stable && (rest.state["y1"] - lift).abs() < 1e-8 && list[1].is_none());
        // The search for orbits refuses it itself.
        let refused = system.from_state("y1", lift + 1e-4).unwrap().from_state("y3", lift + 10.0).unwrap();
        assert_eq!(refused.orbit().search().unwrap().ended, "at_rest");
        // A small cycle below the Hopf point stays one.
        let system = System::gallery("relief-valve").unwrap().with("q", 8.48).unwrap();
        let cycle = system.orbit().settle(3000).find().unwrap();
        let mut all =
            Collected { found: vec![found(Kind::Periodic(1), cycle.state.values(), 1)], ..Collected::default() };
        let list = confirm(&system, &Method::default(), &[], &mut all);
        assert!(matches!(list[0], Some(Confirmed::Orbit { stable: true, .. })), "{:?}", list[0]);
    }
}
