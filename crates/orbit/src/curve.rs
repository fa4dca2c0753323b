//! Follows bifurcations of orbits in the plane of two parameters: the equations of the signature with the defining condition of the bifurcation.
//!
//! | kind | the equation that is added |
//! |---|---|
//! | fold | the equations at fixed parameters are singular |
//! | period doubling, symmetry breaking | so they are for perturbations that return with the opposite sign |
//! | Neimark-Sacker | so they are for perturbations that return multiplied by exp(i phi) |
//! | graze of an impact | its speed is zero |
//! | graze between events | the gap is zero at a minimum that becomes a node of its own |
//! | boundary of a release | the contact force falls through zero without speed |
//! | loss of a stick | its duration is zero, or that of the last orbit that could be computed |
//!
//! All of these are smooth where impacts lose their speed, so that curves run through grazes and on.

mod condition;
mod trace;

use saltation_model::Values;
use saltation_motion::{FlowChoice, System};

use crate::branch::{Ended, Place, SpecialKind, StartError};
use crate::phases;
use crate::signature::Signature;

/// What is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The values of the second parameter between which the curve is followed.
    pub range: (f64, f64),
    /// Those of the first; unless they are given, all that the model allows.
    pub first_range: Option<(f64, f64)>,
    /// The tolerance of the motion.
    pub tolerance: f64,
    /// The route of smooth motions.
    pub flow: FlowChoice,
    /// The longest step, as a fraction of the range or of the size of the orbit.
    pub longest_step: f64,
    /// The most points in each direction.
    pub points: usize,
}

impl Settings {
    /// The default between two values of the second parameter.
    pub fn between(low: f64, high: f64) -> Settings {
        Settings {
            range: (low, high),
            first_range: None,
            tolerance: 1e-12,
            flow: FlowChoice::Automatic,
            longest_step: 0.04,
            points: 2000,
        }
    }
}

/// The bifurcation or border of a branch that a curve begins at.
#[derive(Debug, Clone, PartialEq)]
pub struct Origin {
    /// What it is.
    pub kind: SpecialKind,
    /// The signature of the branch.
    pub signature: Signature,
    /// The unknowns there, the free parameter of the branch last.
    pub unknowns: Vec<f64>,
    /// The size of every unknown.
    pub sizes: Vec<f64>,
    /// Where on the orbit.
    pub place: Place,
    /// The section on which states are reported, by its position in [`System::section_names`].
    pub section: usize,
    /// The value of the phase on it, if it is that of the phase.
    pub phase: f64,
    /// The state there.
    pub state: Vec<f64>,
}

/// A point of a curve.
#[derive(Debug, Clone, PartialEq)]
pub struct CurvePoint {
    /// The values of all parameters.
    pub parameters: Vec<f64>,
    /// How long the orbit takes.
    pub period: f64,
    /// The state on the section, or at the first event.
    pub state: Vec<f64>,
    /// The opening speeds before the impacts of one period.
    pub impact_speeds: Vec<f64>,
    /// Whether the orbit is a motion of the system.
    pub admissible: bool,
    /// The unknowns of the signature's equations, both free parameters last.
    pub unknowns: Vec<f64>,
}

/// A point of codimension two, or one at which another bifurcation happens at the same parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct CurveSpecial {
    /// The second bifurcation, besides that of the curve.
    pub kind: SpecialKind,
    /// The point.
    pub point: CurvePoint,
    /// Its position among the points of the curve.
    pub index: usize,
    /// The contact concerned.
    pub contact: Option<usize>,
}

/// A curve of bifurcations in the plane of two parameters.
#[derive(Debug, Clone)]
pub struct SpecialCurve {
    /// The bifurcation or border along it.
    pub kind: SpecialKind,
    /// The signature of all its points.
    pub signature: Signature,
    /// The free parameters, by their position in the model.
    pub parameters: [usize; 2],
    /// The points in the order of the curve.
    pub points: Vec<CurvePoint>,
    /// The special points, in the same order.
    pub special: Vec<CurveSpecial>,
    /// Why the curve ends, before its first and behind its last point.
    pub ended: [Ended; 2],
}

/// Follows a bifurcation or border of a branch as both free parameters of `following` vary, in both directions.
///
/// `monitor` is called now and then, with the number of points so far and the value of the second parameter, whether to continue.
///
/// ```
/// use saltation_motion::System;
/// use saltation_orbit::{Settings, branch, curve, find};
/// # let text = saltation_model::gallery::find("ball-on-table").unwrap();
/// # let model = saltation_model::Model::parse(text, "ball-on-table").unwrap();
/// let system = System::new(&model);
/// let following = model.values(&Default::default())?.along(&["K"])?;
/// let section = system.default_section().unwrap();
/// let orbit = find(&system, &following, &Settings::through(section), &mut |_| true).orbit.unwrap();
/// let branches = branch::follow(&system, &following, &orbit, &branch::Settings::between(0.1, 1.2), &mut |_, _| true)?;
/// let fold = branches[0].special.iter().find(|s| s.kind == branch::SpecialKind::Fold).unwrap();
///
/// let both = model.values(&Default::default())?.along(&["K", "e"])?;
/// let origin = curve::Origin::of(&branches[0], fold, &orbit);
/// let found = curve::follow(&system, &both, &origin, &curve::Settings::between(0.5, 0.99), &mut |_, _| true)?;
/// for point in &found.points {
///     // The ball and the table: K = pi (1 - e)/(1 + e) at the fold.
///     let (k, e) = (point.parameters[both.free()[0]], point.parameters[both.free()[1]]);
///     assert!((k - std::f64::consts::PI * (1.0 - e) / (1.0 + e)).abs() < 1e-10);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the curve does not begin.
pub fn follow(
    system: &System,
    following: &Values,
    origin: &Origin,
    settings: &Settings,
    monitor: &mut dyn FnMut(usize, f64) -> bool,
) -> Result<SpecialCurve, StartError> {
    let (low, high) = settings.range;
    let value = following.free_values().get(1).copied().unwrap_or(f64::NAN);
    if !(low <= value && value <= high && low < high) {
        return Err(StartError::OutOfRange { low, high, value });
    }
    phases::keep_ratio(system.model(), following)?;
    trace::follow(system, following, origin, settings, monitor)
}

impl Origin {
    /// The start of a curve from a special point of a branch; states are reported on the section of the orbit.
    pub fn of(branch: &crate::branch::Branch, special: &crate::branch::Special, orbit: &crate::orbit::Orbit) -> Origin {
        Origin {
            kind: special.kind,
            signature: branch.signature.clone(),
            unknowns: special.point.unknowns.clone(),
            sizes: branch.sizes.clone(),
            place: special.place.clone(),
            section: orbit.section,
            phase: orbit.state.last().copied().unwrap_or(0.0),
            state: special.point.state.clone(),
        }
    }
}
