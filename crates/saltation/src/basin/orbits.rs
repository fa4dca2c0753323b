//! The orbit that a periodic attractor is: found by Newton's method from its return, which confirms it by a second route and hands it on to continuation.

use crate::basin::collect::Found;
use crate::orbit::Answer;
use crate::settings::MotionSettings;
use crate::system::System;
use crate::tasks::Method;
use saltation_numerics::dense::Complex;
use saltation_sweep::Kind;

/// An orbit that was found.
#[derive(Debug)]
pub(crate) struct Confirmed {
    pub answer: Answer,
    pub stable: bool,
    pub multipliers: Vec<Complex>,
}

/// The name of the file of an attractor.
pub(crate) fn file(attractor: usize) -> String {
    format!("attractor-{}.json", attractor + 1)
}

/// Finds the orbit of an attractor; none if it has no period or none is found.
pub(crate) fn confirm(system: &System, method: &Method, parameters: &[String], found: &Found) -> Option<Confirmed> {
    let Kind::Periodic(period) = found.attractor.kind else { return None };
    let there = parameters.iter().zip(&found.parameters);
    let system = there.into_iter().try_fold(system.clone(), |system, (name, value)| system.with(name, *value)).ok()?;
    let state = found.attractor.returns.iter().next()?;
    let names = std::sync::Arc::clone(system.state_names());
    let system =
        names.iter().zip(state).try_fold(system, |system, (name, value)| system.from_state(name, *value)).ok()?;
    let mut search = system.orbit().returns(period).policy(method.policy).tolerance(method.tol).flow(method.flow);
    search.request.section.clone_from(&method.section);
    let orbit = search.find().ok()?;
    let (stable, multipliers) = (orbit.stable, orbit.multipliers.clone());
    Some(Confirmed { answer: orbit.search.answer, stable, multipliers })
}
