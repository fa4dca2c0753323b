//! The endings of a search for an orbit.

use saltation_motion::{System, ended};

use crate::phases::Apart;

/// A motion that misses itself by less than this after its transient, relative to the size of each state, is taken as periodic.
pub const PERIODIC_MISS: f64 = 1e-6;

/// How a search ended. Endings are data: what was computed up to there stands.
#[derive(Debug, Clone, PartialEq)]
pub enum Ended {
    /// The orbit closes to the tolerance.
    Converged,
    /// The motion that the search began from, after its transient, is not periodic.
    NotPeriodic {
        /// By how much the motion misses itself after the returns asked for, relative to the size of each state.
        drift: f64,
        /// The least number of returns, up to some bound, after which it repeats to [`crate::PERIODIC_MISS`], or else the one after which it comes back
        /// closest; and by how much it misses then.
        nearest: (usize, f64),
        /// Whether an orbit was found: another one, unstable, near that motion.
        found: bool,
    },
    /// All of the motion after its transient repeats but states that advance in every period, on which something depends.
    Drifts {
        /// These states.
        states: Vec<Drifting>,
    },
    /// Newton's method did not find an orbit: the closure did not get smaller any more, or not in time.
    NotConverged {
        /// The smallest closure, relative to the size of each state.
        residual: f64,
        /// The number of steps.
        iterations: usize,
    },
    /// Every step that Newton's method proposed, however shortened, led to states that are not admissible.
    LeftDomain {
        /// The closure before the step.
        residual: f64,
        /// What is wrong with the shortest step that was tried.
        reason: String,
    },
    /// The motion touches a surface without speed, where its derivatives do not exist.
    Grazed {
        /// The contact of the slowest impact, if there is any impact.
        contact: Option<usize>,
        /// The time since the section.
        time: f64,
    },
    /// The derivatives of the motion are not finite, although it touches no surface without speed.
    NoDerivative {
        /// The time of the return, since the section.
        time: f64,
    },
    /// The motion does not come back to the section.
    NoReturn {
        /// The section, by its position in [`System::section_names`].
        section: usize,
        /// The time that was waited.
        time: f64,
        /// The number of steps and events in that time.
        steps: u64,
    },
    /// The motion ended before it came back.
    MotionEnded {
        /// How.
        ended: ended::Ended,
        /// The time since the section.
        time: f64,
    },
    /// The section is passed by the jump of an impact, and not smoothly.
    Jumped {
        /// The section, by its position in [`System::section_names`].
        section: usize,
        /// The time since the section.
        time: f64,
    },
    /// The model has several phases, and two of them never return together.
    Apart(Apart),
    /// What closes is no orbit: the motion hardly moves between its returns, as at an equilibrium or at the end of a chattering sequence.
    AtRest {
        /// By how much it misses itself, relative to how far it goes.
        miss: f64,
        /// The equilibrium that it is at, if there is one.
        equilibrium: Option<Vec<f64>>,
    },
    /// The equations of the orbit are singular: a fold is here, or a family of orbits.
    Singular,
    /// The caller asked to stop.
    Interrupted,
}

/// A state that advances in every period.
#[derive(Debug, Clone, PartialEq)]
pub struct Drifting {
    /// Which state, in the order of the model.
    pub state: usize,
    /// Its advance in a period.
    pub advance: f64,
    /// What depends on it, in words.
    pub dependents: Vec<String>,
}

impl Drifting {
    fn describe(&self, system: &System) -> String {
        let (name, advance) = (&system.state_names()[self.state], self.advance);
        let dependents = match &self.dependents[..] {
            [] => "nothing depends on it".to_string(),
            [one] => format!("{one} depends on it"),
            [one, two] => format!("{one} and {two} depend on it"),
            [one, two, three] => format!("{one}, {two} and {three} depend on it"),
            [one, two, rest @ ..] => format!("{one}, {two} and {} more formulas depend on it", rest.len()),
        };
        format!("{name} advances by {advance:.6e} in every period, and {dependents}")
    }
}

impl Ended {
    /// Whether an orbit was found that answers the question.
    pub fn is_complete(&self) -> bool {
        *self == Ended::Converged
    }

    /// One word for tables and JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Ended::Converged => "converged",
            Ended::NotPeriodic { .. } => "not_periodic",
            Ended::Drifts { .. } => "drifts",
            Ended::NotConverged { .. } => "not_converged",
            Ended::LeftDomain { .. } => "left_domain",
            Ended::Grazed { .. } => "grazed",
            Ended::NoDerivative { .. } => "no_derivative",
            Ended::NoReturn { .. } => "no_return",
            Ended::MotionEnded { .. } => "motion_ended",
            Ended::Jumped { .. } => "jumped",
            Ended::Apart(_) => "incommensurate",
            Ended::AtRest { .. } => "at_rest",
            Ended::Singular => "singular",
            Ended::Interrupted => "interrupted",
        }
    }

    /// A sentence for people.
    pub fn describe(&self, system: &System) -> String {
        let section = |index: usize| system.section_names().nth(index).unwrap_or_default().to_string();
        match self {
            Ended::Converged => "the orbit closes".to_string(),
            Ended::NotPeriodic { drift, nearest: (returns, miss), found } => {
                let orbit = if *found { "; the orbit found near it is unstable" } else { "" };
                let plural = if *returns == 1 { "" } else { "s" };
                if *miss <= PERIODIC_MISS {
                    return format!(
                        "the settled trajectory does not repeat after the returns asked for: it misses itself by {drift:.1e} of its size, \
                         and repeats after {returns} return{plural}{orbit}"
                    );
                }
                format!(
                    "the settled trajectory does not repeat: it misses itself by {drift:.1e} of its size, and comes closest, to \
                     {miss:.1e}, after {returns} return{plural}; it may be quasi-periodic or chaotic, or need longer to settle{orbit}"
                )
            }
            Ended::Drifts { states } => {
                let states: Vec<String> = states.iter().map(|one| one.describe(system)).collect();
                format!(
                    "the settled trajectory repeats but for a drift: {}; orbits may drift in coordinates on which nothing depends: write the \
                     model in such coordinates, as positions relative to each other",
                    states.join("; ")
                )
            }
            Ended::NotConverged { residual, iterations } => {
                let plural = if *iterations == 1 { "" } else { "s" };
                format!(
                    "no orbit was found: after {iterations} step{plural} of Newton's method the trajectory still misses itself by \
                     {residual:.1e} of its size; there may be none at these parameters"
                )
            }
            Ended::LeftDomain { residual, reason } => format!(
                "every step of Newton's method leaves the admissible states ({reason}); the trajectory still misses itself by \
                 {residual:.1e} of its size"
            ),
            Ended::Grazed { contact, time } => format!(
                "the trajectory touches {} without speed {time:.6} after the section: a grazing orbit has no derivatives there",
                contact.map_or("the surface of a switch", |contact| &system.contact_names()[contact])
            ),
            Ended::NoDerivative { time } => format!(
                "the derivatives of the trajectory are not finite between the section and its return {time:.6} later"
            ),
            Ended::NoReturn { section: index, time, steps } => {
                format!(
                    "the trajectory did not come back to the section {} within {time:.4e} units of time and {steps} steps",
                    section(*index)
                )
            }
            Ended::MotionEnded { ended, time } => {
                format!("the trajectory ended {time:.6} after the section: {}", ended.describe(system))
            }
            Ended::Jumped { section: index, time } => format!(
                "an impact or an event jumps at the section {} {time:.6} after the trajectory left it: choose a section that is passed \
                 smoothly, or the impacts of a contact",
                section(*index)
            ),
            Ended::Apart(apart) => apart.describe(system.model()),
            Ended::AtRest { equilibrium: Some(state), .. } => {
                let states = system.state_names().iter().zip(state);
                let states: Vec<String> = states.map(|(name, x)| format!("{name} = {x}")).collect();
                format!("no orbit was found: the trajectory is at rest, at {}", states.join(", "))
            }
            Ended::AtRest { miss, equilibrium: None } => format!(
                "no orbit was found: between its returns to the section the trajectory hardly moves, as at rest, at the end of \
                 chattering or in a slip of rounding, and misses itself by {miss:.1e} of how far it goes"
            ),
            Ended::Singular => {
                "the equations of the orbit are singular: a fold, or a family of orbits, passes through here"
                    .to_string()
            }
            Ended::Interrupted => "the search was interrupted".to_string(),
        }
    }
}
