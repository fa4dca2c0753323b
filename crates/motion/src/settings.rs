//! When a motion stops, how accurate it is, and which continuation it takes where rigid bodies leave a choice.

use crate::flow::FlowChoice;

/// What to do where rigid bodies with friction have several continuations, or where a field leads away from a switch on both sides. Of the latter nothing is
/// chosen unless said.
///
/// ```
/// use saltation_model::Overrides;
/// use saltation_motion::{Motion, Policy, Settings, System};
/// # let text = saltation_model::gallery::find("painleve-rod").unwrap();
/// # let model = saltation_model::Model::parse(text, "painleve-rod").unwrap();
/// let system = System::new(&model);
/// // A < 0 and b > 0: slip and flight obey all laws.
/// let set = [("angle", "pi/3"), ("slip", "1"), ("spin", "5")].map(|(name, value)| (name.into(), value.into()));
/// let values = model.values(&Overrides { set: set.into(), start: vec![] }).unwrap();
/// let after = |policy| {
///     let settings = Settings { until: 1e-3, policy, ..Settings::default() };
///     system.mode_name(Motion::new(&system, &values, settings).unwrap().run(false, |_| true).closed)
/// };
/// assert_eq!((&*after(Policy::Persist), &*after(Policy::LiftOff)), ("slip+:tip", "flight"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Policy {
    /// Contact lasts: the mode with the most closed contacts, and of these the one most like before.
    #[default]
    Persist,
    /// The mode with the fewest closed contacts.
    LiftOff,
    /// An impact without collision, if there is one.
    Impact,
    /// Where the field leads away from a switch on both sides: the motion slides along it.
    Slide,
    /// There: the side on which its function is positive.
    Positive,
    /// There: the side on which its function is negative.
    Negative,
}

impl Policy {
    /// Every policy.
    pub const ALL: [Policy; 6] =
        [Policy::Persist, Policy::LiftOff, Policy::Impact, Policy::Slide, Policy::Positive, Policy::Negative];

    /// The word of the interface.
    pub fn name(self) -> &'static str {
        match self {
            Policy::Persist => "persist",
            Policy::LiftOff => "lift_off",
            Policy::Impact => "impact",
            Policy::Slide => "slide",
            Policy::Positive => "positive",
            Policy::Negative => "negative",
        }
    }
}

/// When a motion stops, and how accurate it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// The error that one step may make, relative to the size of the state; 1e-12 unless said, and never below 1e-16.
    pub tolerance: f64,
    /// No step is longer than this; infinite unless said. Events do not depend on it.
    pub longest_step: f64,
    /// The end time; trajectories start at time 0.
    pub until: f64,
    /// Stop when a section (by its position in [`System::section_names`](crate::System::section_names)) has been passed so many times.
    pub returns: Option<(usize, u64)>,
    /// By which route smooth motions are computed.
    pub flow: FlowChoice,
    /// What to do where contacts with friction have several continuations.
    pub policy: Policy,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            tolerance: 1e-12,
            longest_step: f64::INFINITY,
            until: f64::INFINITY,
            returns: None,
            flow: FlowChoice::Automatic,
            policy: Policy::Persist,
        }
    }
}
