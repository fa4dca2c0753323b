//! The branch of a forced system at one origin of its phase: its first orbit, and simulations from its points.

use saltation_model::{Model, Overrides, Values};
use saltation_motion::{Motion, Run, Settings, System};
use saltation_orbit::branch::{self, Branch, StartError};
use saltation_orbit::signature::Unreadable;
use saltation_orbit::{Orbit, find};

use crate::family::Watch;
use crate::forced::Forced;

/// Two states on the section are the same if they differ by no more, relative to their size.
const EQUAL_STATES: f64 = 1e-6;
/// Multipliers this near to 1 are 1.
const NEUTRAL_MULTIPLIER: f64 = 1e-9;
/// Orbits of more returns are not followed.
const MOST_RETURNS: u64 = 8;
/// The largest number of points in each direction.
pub const POINTS: usize = 300;

/// A forced system, compiled once for all origins of the phase.
pub struct Stage<'m> {
    /// What it is.
    pub member: &'m Forced,
    /// Its model.
    pub model: &'m Model,
    /// The model compiled.
    pub system: &'m System,
    /// How long computations may go on.
    pub watch: &'m Watch,
}

/// An orbit and its branch.
pub struct Followed {
    /// The origin of the phase.
    pub shift: f64,
    /// The start on the section, and the returns that are followed before the search.
    pub begin: (Option<Vec<f64>>, u64),
    /// After how many returns the orbit was sought.
    pub returns: u64,
    /// The orbit.
    pub orbit: Orbit,
    /// The branch along the parameter.
    pub branch: Branch,
}

/// Why there is no branch.
#[derive(Debug)]
pub enum Missing {
    /// The motion does not settle on an orbit of few returns, or takes too long.
    Nothing(&'static str),
    /// There should be one: what is missing, and why.
    Refused(&'static str, String, String),
}

impl Stage<'_> {
    /// The numbers with changes of parameters and states.
    ///
    /// # Errors
    /// If the start is refused.
    pub fn values(&self, set: &[(&str, f64)], start: Option<&[f64]>) -> Result<Values, String> {
        let text = |value: f64| format!("{value:?}");
        let names = self.system.state_names();
        let start = start.map(|start| names.iter().zip(start).map(|(name, x)| (name.clone(), text(*x))).collect());
        let set = set.iter().map(|(name, value)| (name.to_string(), text(*value))).collect();
        let overrides = Overrides { set, start: start.unwrap_or_default() };
        self.model.values(&overrides).map_err(|mistakes| mistakes.to_string())
    }

    /// A motion for some time.
    ///
    /// # Errors
    /// If it does not begin, or does not reach its end.
    pub fn run(&self, values: &Values, until: f64) -> Result<Run, String> {
        let settings = Settings { until, ..Settings::default() };
        let motion = Motion::new(self.system, values, settings).map_err(|error| error.to_string())?;
        let run = motion.run(false, |_| self.watch.allows());
        match run.ended.is_complete() {
            true => Ok(run),
            false => Err(run.ended.describe(self.system)),
        }
    }

    /// Whether a motion has no event in the two turns after it has settled.
    fn flies(&self, values: &Values, settle: u64) -> bool {
        let turn = 2.0 * std::f64::consts::PI / self.member.value("om");
        let settled = turn * settle as f64;
        let run = self.run(values, settled + 2.0 * turn);
        run.is_ok_and(|run| run.events.iter().all(|event| event.time < settled))
    }

    /// The phase by its position among the states.
    pub fn phase(&self) -> usize {
        self.model.phase.as_ref().map_or(0, |phase| phase.state)
    }

    /// After how many returns the settled trajectory repeats, and its state then.
    pub fn returns(&self) -> Result<(u64, Vec<f64>), Missing> {
        let nothing = |_: String| Missing::Nothing("not settled");
        let values = self.values(&[], None).map_err(|why| Missing::Refused("start", why, String::new()))?;
        let turn = 2.0 * std::f64::consts::PI / self.member.value("om");
        let mut run = self.run(&values, turn * self.member.settle as f64).map_err(nothing)?;
        let first = run.state.clone();
        let sizes: Vec<f64> = first.iter().map(|x| x.abs().max(0.1)).collect();
        for returns in 1..=MOST_RETURNS {
            let mut start = run.state.clone();
            start[self.phase()] = 0.0;
            let values = self.values(&[], Some(&start)).map_err(nothing)?;
            run = self.run(&values, turn).map_err(nothing)?;
            let near = |i: usize| i == self.phase() || (run.state[i] - first[i]).abs() <= EQUAL_STATES * sizes[i];
            if (0..first.len()).all(near) {
                return Ok((returns, run.state));
            }
        }
        Err(Missing::Nothing("no short period"))
    }

    /// The command that follows the branch.
    pub fn command(&self, shift: f64, begin: &(Option<Vec<f64>>, u64), returns: u64) -> String {
        let mut words = String::from("saltation continue member.toml");
        if shift != 0.0 {
            words += &format!(" --set s={shift}");
        }
        for (name, x) in self.system.state_names().iter().zip(begin.0.iter().flatten()) {
            words += &format!(" --start {name}={x:?}");
        }
        let (low, high) = self.member.range;
        let along = self.member.parameter();
        words
            + &format!(
                " --settle {} --period {returns} --along {along} --range={low:?}:{high:?} --points {POINTS}",
                begin.1
            )
    }

    /// The orbit and its branch at an origin of the phase.
    pub fn follow(&self, shift: f64, begin: (Option<Vec<f64>>, u64), returns: u64) -> Result<Followed, Missing> {
        let refused = |what: &'static str| {
            let command = self.command(shift, &begin, returns);
            move |why: String| Missing::Refused(what, why, command)
        };
        let set = [("s", shift)];
        let values = self.values(&set, begin.0.as_deref()).map_err(refused("start"))?;
        let section = self.system.default_section().ok_or(Missing::Nothing("no section"))?;
        let settings =
            saltation_orbit::Settings { settle: begin.1, returns, ..saltation_orbit::Settings::through(section) };
        let search = find(self.system, &values, &settings, &mut |_| self.watch.allows());
        if !self.watch.allows() {
            return Err(Missing::Nothing("slow"));
        }
        let Some(orbit) = search.orbit.filter(|_| search.ended.is_complete()) else {
            return match search.ended.name() {
                "not_periodic" | "at_rest" => Err(Missing::Nothing("not settled")),
                "singular" if self.member.is_free() && self.flies(&values, begin.1) => {
                    Err(Missing::Nothing("family of orbits"))
                }
                _ => Err(refused("no orbit")(format!("{}: {:?}", search.ended.name(), search.ended))),
            };
        };
        // Orbits that are not alone are no points of one curve.
        if orbit.multipliers.iter().any(|m| (m.re - 1.0).hypot(m.im) < NEUTRAL_MULTIPLIER) {
            return Err(Missing::Nothing("neutral"));
        }
        let words = Overrides { set: vec![("s".to_string(), format!("{shift:?}"))], start: vec![] };
        let values = self.model.numbers_with(&words).and_then(|values| values.found_at(&orbit.state));
        let following = values.and_then(|values| values.along(&[self.member.parameter()]));
        let following = following.map_err(|mistakes| refused("no branch")(mistakes.to_string()))?;
        let (low, high) = self.member.range;
        let settings = branch::Settings { points: POINTS, ..branch::Settings::between(low, high) };
        let followed = branch::follow(self.system, &following, &orbit, &settings, &mut |_, _| self.watch.allows());
        let branch = followed
            .map_err(|error| match error {
                // A limit that is known (docs/limits.md).
                StartError::Unreadable(Unreadable::Interleaved { .. }) => Missing::Nothing("interleaved"),
                error => refused("no branch")(error.to_string()),
            })?
            .swap_remove(0);
        if !self.watch.allows() {
            return Err(Missing::Nothing("slow"));
        }
        Ok(Followed { shift, begin, returns, orbit, branch })
    }

    /// Where the orbit of another origin of the phase is when this one begins.
    ///
    /// # Errors
    /// If there is no motion from it.
    pub fn moved(&self, orbit: &Orbit, shift: f64) -> Result<Vec<f64>, String> {
        let values = self.values(&[], Some(&orbit.state))?;
        let mut state = self.run(&values, shift / self.member.value("om"))?.state;
        state[self.phase()] = 0.0;
        Ok(state)
    }
}
