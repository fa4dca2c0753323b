//! Responses of the damped chain to a harmonic load: its orbits with one impact, followed along the frequency of the load.

use saltation_model::{Model, Overrides};
use saltation_motion::System;
use saltation_orbit::branch::{self, Branch, BranchPoint, SpecialKind};
use saltation_orbit::{Settings, find};

use super::Outcome;

/// The chain of the gallery with damping and a load, as the command reads it too.
pub(crate) const MODEL: &str = include_str!("forced-chain.toml");

/// Frequencies that are followed. At the upper end the structure hardly moves, and meets no wall.
pub(crate) const FREQUENCIES: (f64, f64) = (1.33, 1.62);

/// The orbits with one impact per period of the load: from where the motion without impacts grazes as the frequency rises, over
/// the resonance, to where it grazes as the frequency falls.
pub(crate) struct Response {
    branch: Branch,
}

impl Response {
    /// For damping a M and the load F cos φ on the last mass.
    pub(crate) fn new(damping: f64, load: f64) -> Outcome<Response> {
        let model = Model::parse(MODEL, "forced-chain.toml")?;
        let system = System::new(&model);
        let set = [("a", damping), ("F", load), ("omega", FREQUENCIES.1)];
        let set = set.map(|(name, value)| (name.to_string(), format!("{value:e}"))).to_vec();
        let following = model.values(&Overrides { set, start: vec![] })?.along(&["omega"])?;
        let section = system.default_section().ok_or("the load has a phase")?;
        let search = find(&system, &following, &Settings::through(section), &mut |_| true);
        let quiet = search.orbit.ok_or_else(|| search.ended.describe(&system))?;
        let range = branch::Settings::between(FREQUENCIES.0, FREQUENCIES.1);
        // The heavier the damping, the narrower the windows in which orbits are unstable; both ends of one on one step are not seen.
        let longest_step = range.longest_step.min(4e-4 / damping).max(0.005);
        let settings = branch::Settings { switch: true, longest_step, ..range };
        let branches = branch::follow(&system, &following, &quiet, &settings, &mut |_, _| true)?;
        let impacting = |branch: &Branch| branch.parent.is_some_and(|(of, _)| of == 0) && branch.marks().len() == 1;
        let branch = branches.into_iter().find(impacting).ok_or("an impact begins at a graze")?;
        Ok(Response { branch })
    }

    /// (ω, impact speed) of a point.
    pub(crate) fn place(&self, point: &BranchPoint) -> (f64, f64) {
        (self.branch.value(point), -point.impact_speeds[0])
    }

    /// Its points, and what is special among them.
    pub(crate) fn branch(&self) -> &Branch {
        &self.branch
    }

    /// The fold at which the impacts end as the frequency rises: (ω, impact speed).
    pub(crate) fn resonance(&self) -> Outcome<(f64, f64)> {
        let folds = self.branch.special.iter().filter(|s| s.kind == SpecialKind::Fold && s.point.admissible);
        let places = folds.map(|fold| self.place(&fold.point));
        Ok(places.max_by(|a, b| a.0.total_cmp(&b.0)).ok_or("the response bends over")?)
    }
}
