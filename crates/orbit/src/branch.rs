//! Follows periodic orbits along a parameter as solutions of the equations of their signature, and detects the bifurcations on the way.
//!
//! | module | content |
//! |---|---|
//! | `tracer` | the data that all parts of a branch share, and starts with a node more or less |
//! | `sample` | a point of a branch with the values of its test functions |
//! | `trace` | a branch followed to its ends |
//! | `found` | a point with the bifurcation or border there |
//! | `test_functions` | the table of test functions |
//! | `detect` | bifurcations and borders between two neighbouring points |
//! | `zero` | the zero of one test function between them |
//! | `near_end` | the end of a curve within a step on which a time vanishes |
//! | `pairs` | zeros that come in pairs between two points |
//! | `distinct` | one zero for every place of the branch |
//! | `touch` | orbits at which impacts shrink to a touch |
//! | `coalescence` | orbits at which two events become one |
//! | `ending` | the border at which a curve ends that cannot be followed further |
//! | `border` | orbits beyond a border |
//! | `followed` | the equations by which a branch can be followed |
//! | `monitor` | what watches a branch while it is followed |
//! | `mesh` | waypoints in pieces of motion that are too sensitive for single shooting |
//! | `switching` | branches that begin at a bifurcation |
//! | `homoclinic` | homoclinic orbits, by the growth of the period |
//! | `sliding` | the sliding bifurcation that a border of friction is |

mod border;
pub(crate) mod coalescence;
mod detect;
mod distinct;
mod ending;
mod followed;
mod found;
mod homoclinic;
mod mesh;
mod monitor;
mod near_end;
mod not_followed;
mod pairs;
pub(crate) mod sample;
mod sliding;
mod switching;
mod test_functions;
mod touch;
pub(crate) mod trace;
pub(crate) mod tracer;
mod zero;

use saltation_model::Values;
use saltation_motion::{FlowChoice, System};
use saltation_numerics::dense::Complex;

use crate::orbit::{Mark, Orbit};
use crate::phases::{self, Detuned};
use crate::signature::{Reading, Signature, Site, Unreadable};
use crate::vivid;

pub use homoclinic::Homoclinic;
pub use monitor::Monitor;
pub use not_followed::NotFollowed;
pub use sliding::Sliding;
pub use switching::{MOST_BRANCHES, MOST_GENERATIONS, generation, successors};

/// By which equations a branch is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Those of its signature.
    Signature,
    /// The zeros of the VIVID function: orbits with one impact and otherwise free flight.
    Vivid,
}

/// What is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The values of the parameter between which the branch is followed.
    pub range: (f64, f64),
    /// The tolerance of the motion.
    pub tolerance: f64,
    /// The route of smooth motions.
    pub flow: FlowChoice,
    /// The longest step, as a fraction of the range or of the size of the orbit.
    pub longest_step: f64,
    /// The most points in each direction.
    pub points: usize,
    /// By which equations.
    pub method: Method,
    /// Whether branches that begin at bifurcations and borders (special points) are followed too.
    pub switch: bool,
    /// Those that begin at these special points: each by its branch, as in the answer, and its position there.
    pub switch_at: Vec<(usize, usize)>,
}

impl Settings {
    /// The default between two values of the parameter.
    pub fn between(low: f64, high: f64) -> Settings {
        Settings {
            range: (low, high),
            tolerance: 1e-12,
            flow: FlowChoice::Automatic,
            longest_step: 0.04,
            points: 2000,
            method: Method::Signature,
            switch: false,
            switch_at: Vec::new(),
        }
    }
}

/// An orbit on a branch, possibly not an admissible one (virtual).
#[derive(Debug, Clone, PartialEq)]
pub struct BranchPoint {
    /// The values of all parameters.
    pub parameters: Vec<f64>,
    /// How long the orbit takes.
    pub period: f64,
    /// The state on the section that the branch began on, or at its first event where it has no such section.
    pub state: Vec<f64>,
    /// The advance in a period of every state that drifts, by its position.
    pub drift: Vec<(usize, f64)>,
    /// The opening speeds before the impacts of one period, in the order of the signature; positive ones are not admissible (virtual).
    pub impact_speeds: Vec<f64>,
    /// The multipliers, largest modulus first; empty where they do not exist.
    pub multipliers: Vec<Complex>,
    /// Whether all multipliers but the trivial one lie inside the unit circle.
    pub stable: bool,
    /// Whether it is a motion of the system.
    pub admissible: bool,
    /// The lowest minimum of every contact's gap between events.
    pub gaps: Vec<Option<f64>>,
    /// The unknowns of the signature's equations, the free parameter last.
    pub unknowns: Vec<f64>,
}

/// The kind of a bifurcation, or of a border of the signature (special point).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SpecialKind {
    /// Two orbits coincide and vanish.
    Fold,
    /// An orbit of twice the period begins.
    PeriodDoubling,
    /// A torus begins: two multipliers leave the unit circle.
    NeimarkSacker,
    /// Orbits that are not their own mirror images begin.
    SymmetryBreaking,
    /// Oscillations about an equilibrium begin: two of its eigenvalues cross the imaginary axis.
    Hopf,
    /// Another branch crosses.
    BranchPoint,
    /// A contact is touched without speed.
    Graze,
    /// A persistent contact becomes so short that it vanishes.
    StickLoss,
    /// Complete chattering becomes incomplete.
    ChatterLoss,
    /// A release changes its kind: the contact force touches zero, or falls through it without speed.
    Boundary,
    /// The period grows beyond all bounds.
    Homoclinic,
    /// The branch ends.
    End,
}

impl SpecialKind {
    /// Every kind.
    pub const ALL: [SpecialKind; 12] = [
        SpecialKind::Fold,
        SpecialKind::PeriodDoubling,
        SpecialKind::NeimarkSacker,
        SpecialKind::SymmetryBreaking,
        SpecialKind::Hopf,
        SpecialKind::BranchPoint,
        SpecialKind::Graze,
        SpecialKind::StickLoss,
        SpecialKind::ChatterLoss,
        SpecialKind::Boundary,
        SpecialKind::Homoclinic,
        SpecialKind::End,
    ];

    /// The word of the interface.
    pub fn name(self) -> &'static str {
        match self {
            SpecialKind::Fold => "fold",
            SpecialKind::PeriodDoubling => "period_doubling",
            SpecialKind::NeimarkSacker => "neimark_sacker",
            SpecialKind::SymmetryBreaking => "symmetry_breaking",
            SpecialKind::Hopf => "hopf",
            SpecialKind::BranchPoint => "branch_point",
            SpecialKind::Graze => "graze",
            SpecialKind::StickLoss => "stick_loss",
            SpecialKind::ChatterLoss => "chatter_loss",
            SpecialKind::Boundary => "boundary",
            SpecialKind::Homoclinic => "homoclinic",
            SpecialKind::End => "end",
        }
    }

    /// Whether branches of orbits begin at points of this kind.
    pub fn is_switched(self) -> bool {
        matches!(
            self,
            SpecialKind::PeriodDoubling
                | SpecialKind::SymmetryBreaking
                | SpecialKind::BranchPoint
                | SpecialKind::Graze
                | SpecialKind::Boundary
        )
    }
}

/// The place on an orbit at which a bifurcation or border happens.
#[derive(Debug, Clone, PartialEq)]
pub enum Place {
    /// At no place in particular.
    Everywhere,
    /// At a node of the signature.
    Node(usize),
    /// Between events, at a contact.
    Between {
        /// The contact.
        contact: usize,
        /// Where.
        site: Site,
    },
}

/// A bifurcation or border on a branch (special point).
#[derive(Debug, Clone, PartialEq)]
pub struct Special {
    /// What it is.
    pub kind: SpecialKind,
    /// The point.
    pub point: BranchPoint,
    /// Its position among the points of the branch.
    pub index: usize,
    /// The contact concerned.
    pub contact: Option<usize>,
    /// Where on the orbit.
    pub place: Place,
    /// The derivative of the unknowns along the curve.
    pub tangent: Vec<f64>,
    /// The tangent of the other curve, at [`SpecialKind::BranchPoint`].
    pub other: Option<Vec<f64>>,
    /// The law by which the period grows, at [`SpecialKind::Homoclinic`].
    pub homoclinic: Option<Homoclinic>,
    /// Which sliding bifurcation it is, at [`SpecialKind::Boundary`] of friction.
    pub sliding: Option<Sliding>,
    /// Why no branch of the answer begins here, where one was asked for.
    pub not_followed: Option<NotFollowed>,
}

/// What vanishes between two events of an orbit that become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Vanishing {
    /// A flight from and to a contact.
    Flight,
    /// A slip between two sticks.
    Slip,
    /// A stop in a slip.
    Stop,
    /// The persistent contact after chattering.
    Stick,
    /// The way across the surface of a switch and back.
    Crossing,
    /// The whole orbit: its period, with which it shrinks to a point.
    Period,
}

impl Vanishing {
    fn word(self) -> &'static str {
        match self {
            Vanishing::Flight => "flight",
            Vanishing::Slip => "slip",
            Vanishing::Stop => "stop",
            Vanishing::Stick => "persistent contact",
            Vanishing::Crossing => "way across the surface",
            Vanishing::Period => "period",
        }
    }
}

/// Why a branch ended on one side.
#[derive(Debug, Clone, PartialEq)]
pub enum Ended {
    /// The end of the range was reached.
    Range {
        /// The value of the parameter.
        value: f64,
    },
    /// So many points were computed as were allowed.
    Points,
    /// The curve came back to its start.
    Closed,
    /// The orbit ends in a border of what its signature can be.
    Border {
        /// Which.
        kind: SpecialKind,
    },
    /// What lies between two events of the orbit vanishes: orbits of its signature end in a [`SpecialKind::Boundary`].
    Vanished {
        /// What.
        what: Vanishing,
    },
    /// The curve could not be followed any further.
    Stopped {
        /// Why.
        reason: String,
    },
    /// The caller asked to stop.
    Interrupted,
}

impl Ended {
    /// Whether nothing is missing.
    pub fn is_complete(&self) -> bool {
        matches!(self, Ended::Range { .. } | Ended::Closed | Ended::Border { .. } | Ended::Vanished { .. })
    }

    /// One word for tables and JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Ended::Range { .. } => "range",
            Ended::Points => "points",
            Ended::Closed => "closed",
            Ended::Border { kind } => kind.name(),
            Ended::Vanished { .. } => SpecialKind::Boundary.name(),
            Ended::Stopped { .. } => "stopped",
            Ended::Interrupted => "interrupted",
        }
    }

    /// The special point that is the end, if it is one.
    pub fn border(&self) -> Option<SpecialKind> {
        match self {
            Ended::Border { kind } => Some(*kind),
            Ended::Vanished { .. } => Some(SpecialKind::Boundary),
            _ => None,
        }
    }

    /// A sentence for people.
    pub fn describe(&self) -> String {
        match self {
            Ended::Range { value } => format!("the end of the range, {value}, is reached"),
            Ended::Points => "the largest number of points is reached".to_string(),
            Ended::Closed => "the branch is closed: it came back to its start".to_string(),
            Ended::Border { kind } => format!("orbits of this signature end here: {}", kind.name().replace('_', " ")),
            Ended::Vanished { what: Vanishing::Stick } => "orbits of this signature end here: stick loss".to_string(),
            Ended::Vanished { what } => {
                format!("orbits of this signature end here: boundary, the {} vanishes", what.word())
            }
            Ended::Stopped { reason } => format!("the branch could not be followed further: {reason}"),
            Ended::Interrupted => "interrupted".to_string(),
        }
    }
}

/// A branch of orbits.
#[derive(Debug, Clone)]
pub struct Branch {
    /// The signature of all its points.
    pub signature: Signature,
    /// The free parameter, by its position in the model.
    pub parameter: usize,
    /// The size of every unknown.
    pub sizes: Vec<f64>,
    /// The points in the order of the curve; the first one is that where the parameter went down from the start.
    pub points: Vec<BranchPoint>,
    /// The special points, in the same order.
    pub special: Vec<Special>,
    /// Why the branch ends, before its first and behind its last point.
    pub ended: [Ended; 2],
    /// The branch it began on and the position of the special point there, by position in the answer; `None` for the first.
    pub parent: Option<(usize, usize)>,
}

impl Branch {
    /// What happens in one period.
    pub fn marks(&self) -> Vec<Mark> {
        self.signature.marks()
    }

    /// The value of the free parameter at a point.
    pub fn value(&self, point: &BranchPoint) -> f64 {
        point.parameters[self.parameter]
    }

    /// The largest and the smallest value of the parameter at which the branch turns or ends.
    pub fn extent(&self) -> (f64, f64) {
        let values = self.points.iter().map(|point| self.value(point));
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)))
    }
}

/// Why a branch does not begin.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StartError {
    /// The orbit has events without equations.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// The range is empty, not finite, or does not contain the orbit.
    #[error("the range {low} to {high} does not contain the value of the orbit, {value}")]
    OutOfRange {
        /// The lower end.
        low: f64,
        /// The upper end.
        high: f64,
        /// The value at the orbit.
        value: f64,
    },
    /// A free parameter changes the ratio in which the phases of the model turn.
    #[error(transparent)]
    Detuned(#[from] Detuned),
    /// The VIVID function does not serve this orbit.
    #[error("the VIVID function does not serve this orbit: {0}")]
    Unsuitable(#[from] vivid::Unsuitable),
    /// Newton's method found no solution near the orbit.
    #[error("the equations of the orbit have no solution near it: {0}")]
    NoPoint(String),
}

/// Where the state of a point is reported: on the section of the orbit that the branch began with, in the passage that continues the one
/// reported before.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Origin {
    /// The section, by its position in [`System::section_names`].
    pub section: usize,
    /// The value of the phase on it, if it is that of the phase.
    pub phase: f64,
    /// The state reported last.
    pub last: Vec<f64>,
}

/// Follows the orbit as the free parameter of `following` varies, in both directions.
///
/// The first branch of the answer is that of the orbit itself; with [`Settings::switch`] those that begin at its special points come after it.
/// `monitor` sees every point and may end the branch.
///
/// ```
/// use saltation_motion::System;
/// use saltation_orbit::branch::{self, SpecialKind};
/// use saltation_orbit::{Settings, find};
/// # let text = saltation_model::gallery::find("ball-on-table").unwrap();
/// # let model = saltation_model::Model::parse(text, "ball-on-table").unwrap();
/// let system = System::new(&model);
/// let following = model.values(&Default::default())?.along(&["K"])?;
/// let section = system.default_section().unwrap();
/// let orbit = find(&system, &following, &Settings::through(section), &mut |_| true).orbit.unwrap();
/// let settings = branch::Settings::between(0.1, 1.2);
/// let branches = branch::follow(&system, &following, &orbit, &settings, &mut |_, _| true)?;
/// let doubling = branches[0].special.iter().find(|s| s.kind == SpecialKind::PeriodDoubling).unwrap();
/// assert!((branches[0].value(&doubling.point) - 1.0163107123046228).abs() < 1e-10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the branch does not begin.
pub fn follow(
    system: &System,
    following: &Values,
    orbit: &Orbit,
    settings: &Settings,
    monitor: &mut dyn Monitor,
) -> Result<Vec<Branch>, StartError> {
    let (low, high) = settings.range;
    let value = following.free_values()[0];
    if !(low <= value && value <= high && low < high) {
        return Err(StartError::OutOfRange { low, high, value });
    }
    phases::keep_ratio(system.model(), following)?;
    let values = following.with_start(&orbit.state);
    let reading = Reading::of(system, &values, orbit)?;
    let origin = Origin {
        section: orbit.section,
        phase: system.model().phase.as_ref().map_or(0.0, |phase| orbit.state[phase.state]),
        last: orbit.state.clone(),
    };
    let mut sizes = reading.sizes.clone();
    sizes.push(high - low);
    let mut unknowns = reading.unknowns;
    unknowns.push(value);
    let start = tracer::Start { signature: reading.signature, unknowns, sizes, tangent: None };
    let mut tracer = tracer::Tracer::new(system, following, settings, origin);
    let first = match settings.method {
        Method::Signature => tracer.branch(start, monitor)?,
        Method::Vivid => tracer.branch_by_vivid(start, monitor)?,
    };
    let mut branches = vec![first];
    switching::follow(&mut tracer, &mut branches, monitor);
    Ok(branches)
}
