//! The endings of a motion, with words for people and for files.

use saltation_model::Together;

use crate::mode::{ClosedSet, Sides};
use crate::system::System;

/// A coefficient of a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coefficient {
    /// The restitution, from 0 to 1.
    Restitution,
    /// The coefficient of friction, not negative.
    Friction,
}

impl Coefficient {
    fn noun(self) -> &'static str {
        match self {
            Coefficient::Restitution => "the restitution",
            Coefficient::Friction => "the coefficient of friction",
        }
    }

    fn rule(self) -> &'static str {
        match self {
            Coefficient::Restitution => "and it must lie between 0 and 1",
            Coefficient::Friction => "and it must not be negative",
        }
    }
}

/// How a motion ended. Endings are data, not errors: what was computed up to there stands.
#[derive(Debug, Clone, PartialEq)]
pub enum Ended {
    /// The end time was reached.
    ReachedTime,
    /// The section was passed as often as asked.
    ReachedReturns,
    /// Contacts closed at the same instant, and the model has no law for that.
    ContactsTogether {
        /// The contacts, in order.
        contacts: Vec<usize>,
    },
    /// Contacts with friction have no forces that obey all laws, and no impact helps.
    Inconsistent {
        /// The contacts, in order.
        contacts: Vec<usize>,
    },
    /// No forces or impulses were found that obey all laws, and there are too many contacts to look for all.
    Undecided {
        /// The contacts, in order.
        contacts: Vec<usize>,
    },
    /// A formula has no finite value any more.
    NotFinite {
        /// What the formula defines, e.g. `the rate of x`.
        quantity: String,
        /// The innermost subformula without a value.
        formula: String,
    },
    /// A state is no number any more: forces or states have left the range of numbers.
    LeftNumbers {
        /// The state.
        state: usize,
    },
    /// The argument of a table left the points of the table, which has no value there.
    OutsideTable {
        /// The table with this argument, by its number in [`Graph::lookups`](saltation_expr::Graph::lookups).
        lookup: u32,
        /// The value of the argument.
        value: f64,
    },
    /// The argument of a table cannot pass a point of it: the jump of the table there drives it back from either side.
    HeldAtKnot {
        /// The table with this argument, likewise.
        lookup: u32,
        /// The value of the argument.
        value: f64,
    },
    /// Steps became too short to advance time: the trajectory runs into a singularity.
    StepCollapsed {
        /// The state whose coefficients grow fastest.
        state: usize,
    },
    /// The constraints of the body depend on each other where the trajectory has come to: their forces are not determined there, nor is how it goes on.
    SingularConstraints {
        /// The constraint that depends on those before it.
        constraint: String,
    },
    /// The states hardly move on a step and the steps would never end: a fast decay beside a slow motion keeps explicit steps short.
    Stiff {
        /// What decays fast, e.g. `the rate of x`.
        quantity: String,
        /// The formula of one function in it that is steepest.
        formula: String,
        /// The length of the last step.
        step: f64,
    },
    /// A step of time is too long for forces that make trajectories diverge: what it would make of them has the wrong sign.
    StepTooLong {
        /// A step that would do at this state; 0 if none was found above rounding.
        step: f64,
    },
    /// A jump put another contact's gap below zero.
    Penetrated {
        /// The contact.
        contact: usize,
        /// Its gap.
        gap: f64,
    },
    /// The jump of a contact leaves its gap closing.
    StillCloses {
        /// The contact.
        contact: usize,
        /// Its opening speed before the jump.
        before: f64,
        /// Its opening speed after it, which is negative too.
        after: f64,
    },
    /// A coefficient has left the range in which it means something.
    OutOfRange {
        /// The contact.
        contact: usize,
        /// Which coefficient.
        coefficient: Coefficient,
        /// Its value.
        value: f64,
    },
    /// At the surface of switches several motions begin, and no policy chooses one.
    NotUnique {
        /// The switches.
        switches: Vec<usize>,
        /// The modes that obey the field, each on its sides.
        modes: Vec<Sides>,
    },
    /// At the surface of switches no motion begins, on no side and along none.
    NoContinuation {
        /// The switches.
        switches: Vec<usize>,
    },
    /// A jump of an event gives a discrete state a value that it does not have.
    NotAValue {
        /// The state.
        state: usize,
        /// Its value.
        value: f64,
    },
    /// Events follow each other ever faster, and infinitely many of them end at one time.
    Accumulated {
        /// That time, extrapolated.
        time: f64,
    },
    /// An event of the model ended the trajectory (`stop = true`).
    Event {
        /// The event, by its position in [`System::reset_name`].
        event: usize,
    },
    /// Events followed each other without end at one time.
    NoProgress,
    /// Returns to a section were asked for without an end time, and there is no event any more.
    NeverReturns,
    /// A section would be passed more than ten thousand times in one step: its period is too short for the motion.
    CrowdedSection {
        /// The section, by its position in [`System::section_names`].
        section: usize,
    },
    /// The caller asked to stop.
    Interrupted,
}

impl Ended {
    /// A restitution outside [0, 1].
    pub(crate) fn restitution(contact: usize, value: f64) -> Ended {
        Ended::OutOfRange { contact, coefficient: Coefficient::Restitution, value }
    }

    /// A negative coefficient of friction.
    pub(crate) fn friction(contact: usize, value: f64) -> Ended {
        Ended::OutOfRange { contact, coefficient: Coefficient::Friction, value }
    }

    /// Whether the motion came to an end that its model or its request names: to a time, to returns, or to an event that ends it.
    pub fn is_meant(&self) -> bool {
        self.is_complete() || matches!(self, Ended::Event { .. })
    }

    /// Whether the trajectory did all it was asked to do.
    pub fn is_complete(&self) -> bool {
        matches!(self, Ended::ReachedTime | Ended::ReachedReturns)
    }

    /// One word for tables and JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Ended::ReachedTime => "reached_time",
            Ended::ReachedReturns => "reached_returns",
            Ended::ContactsTogether { .. } => "contacts_together",
            Ended::Inconsistent { .. } => "inconsistent",
            Ended::Undecided { .. } => "undecided",
            Ended::NotFinite { .. } | Ended::LeftNumbers { .. } => "not_finite",
            Ended::OutsideTable { .. } => "outside_table",
            Ended::HeldAtKnot { .. } => "held_at_knot",
            Ended::StepCollapsed { .. } => "step_collapsed",
            Ended::SingularConstraints { .. } => "singular_constraints",
            Ended::Stiff { .. } => "stiff",
            Ended::StepTooLong { .. } => "step_too_long",
            Ended::Penetrated { .. } => "penetrated",
            Ended::StillCloses { .. } => "still_closes",
            Ended::OutOfRange { .. } => "out_of_range",
            Ended::NotUnique { .. } => "not_unique",
            Ended::NoContinuation { .. } => "no_continuation",
            Ended::NotAValue { .. } => "not_a_value",
            Ended::Accumulated { .. } => "accumulated",
            Ended::Event { .. } => "event",
            Ended::NoProgress => "no_progress",
            Ended::NeverReturns => "never_returns",
            Ended::CrowdedSection { .. } => "crowded_section",
            Ended::Interrupted => "interrupted",
        }
    }

    /// A sentence for people.
    pub fn describe(&self, system: &System) -> String {
        match self {
            Ended::ReachedTime => "the end time was reached".to_string(),
            Ended::ReachedReturns => "the section was passed as often as asked".to_string(),
            Ended::ContactsTogether { contacts } => {
                let names: Vec<&str> = contacts.iter().map(|&c| system.contact_names()[c].as_str()).collect();
                let why = match (system.model().body.mechanics(), system.model().impacts.together) {
                    (None, _) => "impacts of several contacts together have no law in a [flow]",
                    (_, Together::Refuse) => "the model refuses impacts of several contacts together",
                    (_, Together::Complementarity) => "their impacts follow each other without end",
                    (_, Together::Sequence) => {
                        "their impacts follow each other without end, or more often at one instant than can be followed: \
                         [impacts] together = \"lcp\" decides them together"
                    }
                    (_, Together::Undecided) => {
                        "the model has no law for impacts of several contacts together: [impacts] together = \"lcp\" is one, \"sequence\" another"
                    }
                };
                format!("the contacts {} close at the same instant, and {why}", names.join(" and "))
            }
            Ended::Inconsistent { contacts } => {
                let names: Vec<&str> = contacts.iter().map(|&c| system.contact_names()[c].as_str()).collect();
                format!(
                    "no forces obey the laws of contact and friction at {}, and no impact leads to a state in which some do",
                    names.join(" and ")
                )
            }
            Ended::Undecided { contacts } => {
                let names: Vec<&str> = contacts.iter().map(|&c| system.contact_names()[c].as_str()).collect();
                format!(
                    "no forces were found that obey the laws of contact and friction at {}, which act on each other and are too many to look for all: \
                     smaller friction, or `simulate --method moreau`, may go further",
                    names.join(" and ")
                )
            }
            Ended::NotFinite { quantity, formula } => {
                format!("{quantity} has no finite value any more, because of the formula {}", shortened(formula))
            }
            Ended::LeftNumbers { state } => format!(
                "the state {} is no number any more: states, or forces and speeds on the way to them, have left the range of numbers",
                system.state_names()[*state]
            ),
            Ended::OutsideTable { lookup, value } => {
                system.model().outside_table(*lookup, "has left its points", *value).join("; ")
            }
            Ended::HeldAtKnot { lookup, value } => format!(
                "the argument {} of the table {} cannot pass {value:.6e}: the table jumps there, and drives it back from either side; \
                 a jump along which a trajectory may slide is a switch, sign(x) or step(x)",
                system.lookup_argument(*lookup),
                system.lookup(*lookup).name
            ),
            Ended::StepCollapsed { state } => format!(
                "steps became too short to advance time: the trajectory runs into a singularity of {}",
                system.state_names()[*state]
            ),
            Ended::SingularConstraints { constraint } => format!(
                "the constraints are singular here: the slope of {constraint} depends on those before it, so that their forces have no bound and the trajectory has no unique continuation"
            ),
            Ended::Stiff { quantity, formula, step } => format!(
                "the model is too stiff: steps of {step:.1e} are needed although no state changes by more than a thousandth on one, \
                 because {quantity} is steep through the formula {formula}; a less steep formula, or friction of a contact in its place, takes longer steps"
            ),
            Ended::StepTooLong { step } if *step > 0.0 => format!(
                "the step is too long here, where forces make neighbouring trajectories diverge: a step of {step:.3e} would do"
            ),
            Ended::StepTooLong { .. } => {
                "the step is too long here, where forces make neighbouring trajectories diverge, and no shorter one would do"
                    .to_string()
            }
            Ended::Penetrated { contact, gap } => format!(
                "a jump put the contact {} inside its obstacle, with a gap of {gap:.3e}",
                system.contact_names()[*contact]
            ),
            Ended::StillCloses { contact, before, after } => format!(
                "the jump of contact {} leaves its gap closing: its opening speed goes from {before:.6e} to {after:.6e}",
                system.contact_names()[*contact]
            ),
            Ended::OutOfRange { contact, coefficient, value } => format!(
                "{} of contact {} has become {value:.6e}, {}",
                coefficient.noun(),
                system.contact_names()[*contact],
                coefficient.rule()
            ),
            Ended::NotUnique { switches, modes } if complementary(system, switches) => {
                let names: Vec<String> =
                    modes.iter().map(|&sides| system.mode_name(ClosedSet::NONE.with_sides(sides))).collect();
                format!(
                    "what multipliers and values of {} do is not unique: {} obey, with different trajectories; a resistance (the multiplier with a positive factor in its own value) makes it so",
                    named(system, switches),
                    names.join(" and ")
                )
            }
            Ended::NoContinuation { switches } if complementary(system, switches) => format!(
                "no trajectory begins: in every mode of {} a multiplier or a value is negative, and no jump of the state leads to where none is",
                named(system, switches)
            ),
            Ended::NotUnique { switches, modes } => {
                let names: Vec<String> =
                    modes.iter().map(|&sides| system.mode_name(ClosedSet::NONE.with_sides(sides))).collect();
                format!(
                    "on the surface of {} trajectories begin in several modes, {}: the field leads away from it on both sides, or touches it on both, or a root may stay zero there or leave; \
                     --policy slide, positive or negative chooses one",
                    named(system, switches),
                    names.join(" and ")
                )
            }
            Ended::NoContinuation { switches } => format!(
                "on the surface of {} no trajectory begins: the field leads back to it on every side, and none along it keeps it there",
                named(system, switches)
            ),
            Ended::NotAValue { state, value } => format!(
                "a jump gives the discrete state {} the value {value}, which is none of those in [discrete]",
                system.state_names()[*state]
            ),
            Ended::Accumulated { time } => {
                format!("events follow each other ever faster: infinitely many of them end at the time {time}")
            }
            Ended::Event { event } => format!("the event {} ended the trajectory", system.reset_name(*event)),
            Ended::NoProgress => "events followed each other without end at one time".to_string(),
            Ended::NeverReturns => {
                "nothing happens any more, so the section is never passed again; an end time would bound the run"
                    .to_string()
            }
            Ended::CrowdedSection { section } => format!(
                "the section {} would be passed more than ten thousand times in one step: its period is too short for this trajectory",
                system.sections[*section].name
            ),
            Ended::Interrupted => "the run was interrupted".to_string(),
        }
    }
}

/// Whether all of some switches are complementarities.
fn complementary(system: &System, switches: &[usize]) -> bool {
    !switches.is_empty() && switches.iter().all(|&k| system.is_complementary(ClosedSet::element(k)))
}

/// The names of switches.
fn named(system: &System, switches: &[usize]) -> String {
    let names: Vec<&str> = switches.iter().map(|&k| system.switch_names()[k].as_str()).collect();
    names.join(" and ")
}

/// The beginning of a formula that derivation has made too long to be read.
fn shortened(formula: &str) -> String {
    const LONGEST: usize = 160;
    match formula.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{} ...", &formula[..end]),
        None => formula.to_string(),
    }
}
