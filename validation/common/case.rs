//! Follows a branch of a model in the folder of models from several origins of its phase.

use saltation_model::{Model, Overrides, Values};
use saltation_motion::System;
use saltation_orbit::branch::{self, Branch, SpecialKind};
use saltation_orbit::{self as orbit, Orbit};

/// How a branch of a model is asked for.
pub(crate) struct Case {
    pub name: &'static str,
    pub set: &'static [(&'static str, &'static str)],
    pub start: &'static [(&'static str, &'static str)],
    pub along: &'static str,
    pub returns: u64,
    pub settle: u64,
    pub range: (f64, f64),
}

impl Case {
    pub(crate) fn of(name: &'static str, along: &'static str, range: (f64, f64)) -> Case {
        Case { name, set: &[], start: &[], along, returns: 1, settle: 400, range }
    }

    pub(crate) fn text(&self) -> String {
        let path = format!("{}/models/{}.toml", env!("CARGO_MANIFEST_DIR"), self.name);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// The model with its forcing as many radians later.
    pub(crate) fn model(&self, later: u32) -> Model {
        let text = self.text().replace("phi)", "phi + 0)").replace("phi +", &format!("phi + {later} +"));
        Model::parse(&text, self.name).unwrap_or_else(|mistakes| panic!("{mistakes}"))
    }

    pub(crate) fn following(&self, model: &Model) -> Values {
        let pairs = |list: &[(&str, &str)]| list.iter().map(|(n, v)| (n.to_string(), v.to_string())).collect();
        let settings = Overrides { set: pairs(self.set), start: pairs(self.start) };
        model.values(&settings).and_then(|values| values.along(&[self.along])).expect("settings are right")
    }

    /// The attracting orbit of the motion and the branch through it.
    pub(crate) fn branch(&self, later: u32) -> (Orbit, Branch) {
        let model = self.model(later);
        let system = System::new(&model);
        let following = self.following(&model);
        let settings = orbit::Settings {
            returns: self.returns,
            settle: self.settle,
            ..orbit::Settings::through(system.default_section().unwrap())
        };
        let search = orbit::find(&system, &following, &settings, &mut |_| true);
        let orbit = search.orbit.unwrap_or_else(|| panic!("{} {later}: {:?}", self.name, search.ended));
        let settings = branch::Settings::between(self.range.0, self.range.1);
        let mut branches = branch::follow(&system, &following, &orbit, &settings, &mut |_, _| true).unwrap();
        (orbit, branches.swap_remove(0))
    }

    /// Follows the branch from six origins of the phase: kinds and values of its special points, and its ends, are the same. Rounding decides the order of
    /// those that coincide.
    pub(crate) fn alike(&self, kinds: &[(SpecialKind, f64, bool)], ended: [&str; 2]) {
        for later in 0..6 {
            let (_, branch) = self.branch(later);
            let mut found: Vec<(SpecialKind, f64, bool)> =
                branch.special.iter().map(|s| (s.kind, branch.value(&s.point), s.point.admissible)).collect();
            for i in 1..found.len().min(kinds.len()) {
                if found[i - 1].0 == kinds[i].0
                    && found[i].0 == kinds[i - 1].0
                    && (found[i - 1].1 - found[i].1).abs() < 1e-11
                {
                    found.swap(i - 1, i);
                }
            }
            let same = found.len() == kinds.len()
                && found.iter().zip(kinds).all(|(a, b)| a.0 == b.0 && (a.1 - b.1).abs() < 1e-11 && a.2 == b.2);
            assert!(same, "{} {later}: {found:?}", self.name);
            assert_eq!(branch.ended.each_ref().map(|ended| ended.name()), ended, "{} {later}", self.name);
        }
    }
}
