//! The answer of a branch of equilibria: its points, its bifurcations, its ends, and the branches that bifurcate from it. Its JSON is
//! that of `continue --equilibrium --json`.

use crate::branch::SpecialKind;
use crate::branch::answer::{Beginning, End, OrbitBranch, Parent, about as orbits, ends, worse};
use crate::equilibrium::answer::{forces, of_contacts};
use crate::equilibrium::branch::{Line, Lost, Member};
use crate::named::{Named, serial};
use crate::naming::Naming;
use saltation_numerics::dense::Complex;
use saltation_orbit::equilibrium::branch::{self as lower, EquilibriumPoint};
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use std::ops::Deref;

/// An equilibrium on a branch, admissible or not (virtual).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// The values of all parameters.
    pub parameters: Named,
    /// The state.
    pub state: Named,
    /// The closed contacts.
    pub mode: String,
    /// The force of every closed contact; negative ones are not admissible.
    pub contact_force: Named,
    /// The eigenvalues of the field of the mode, the largest real part first, per unit of time.
    #[serde(with = "serial::complex")]
    pub eigenvalues: Vec<Complex>,
    /// Whether all real parts are negative.
    pub stable: bool,
    /// Whether it is admissible: all contact laws hold.
    pub admissible: bool,
    /// The gap of every contact; a negative one is not admissible.
    pub gaps: Named,
}

/// A bifurcation of a branch of equilibria.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Special {
    /// What it is.
    #[serde(with = "serial::special_kind")]
    pub kind: SpecialKind,
    /// The values of all parameters.
    pub parameters: Named,
    /// The state.
    pub state: Named,
    /// Its position among the points of the branch.
    pub index: usize,
    /// The period of the limit cycle at a Hopf point.
    pub period: Option<f64>,
    /// Its frequency, in radians per unit of time.
    pub frequency: Option<f64>,
    /// The contact whose gap or force is zero at a boundary, or the switch on whose surface it lies.
    pub contact: Option<String>,
    /// Where that is a switch: `persistence` or `nonsmooth_fold`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub boundary_equilibrium: Option<String>,
    /// The eigenvalues, the largest real part first.
    #[serde(with = "serial::complex")]
    pub eigenvalues: Vec<Complex>,
    /// Whether all real parts are negative.
    pub stable: bool,
    /// Whether it is admissible: all contact laws hold.
    pub admissible: bool,
    /// The closed contacts.
    pub mode: String,
    /// The states other than the phase, then the parameter.
    #[serde(with = "serial::numbers")]
    pub unknowns: Vec<f64>,
    /// The sizes of these.
    #[serde(with = "serial::numbers")]
    pub sizes: Vec<f64>,
    /// Their derivative along the branch.
    #[serde(with = "serial::numbers")]
    pub tangent: Vec<f64>,
}

/// A branch of equilibria of one mode.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub struct EquilibriumBranch {
    /// The points in the order of the curve, special ones among them.
    pub points: Vec<Point>,
    /// The bifurcations, in the same order.
    pub special: Vec<Special>,
    /// How it ended, in a word: the less complete of both ends.
    pub ended: String,
    /// The same in a sentence.
    pub message: String,
    /// How it ended before its first point and behind its last one.
    pub ends: Vec<End>,
    /// The closed contacts.
    #[serde(default)]
    pub mode: Option<String>,
    /// Where it begins, if it begins on another one.
    #[serde(default)]
    pub parent: Option<Parent>,
}

/// The mode and the parent are written only where there is a branch.
impl Serialize for EquilibriumBranch {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let EquilibriumBranch { points, special, ended, message, ends, mode, parent } = self;
        let mut map = serializer.serialize_map(None)?;
        Beginning { points, special, ended, message, ends }.write(&mut map)?;
        if !points.is_empty() {
            map.serialize_entry("mode", mode)?;
            map.serialize_entry("parent", parent)?;
        }
        map.end()
    }
}

/// A branch that begins on another one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Further {
    /// Of equilibria that cross.
    Equilibrium(EquilibriumBranch),
    /// Of limit cycles.
    Orbit(OrbitBranch),
}

/// A bifurcation at which no branch could be started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotFollowed {
    /// The number of the branch that the point is on: 0 for that of the equilibrium.
    pub branch: usize,
    /// The position of the bifurcation on it.
    pub special: usize,
    /// Why.
    pub message: String,
}

/// The answer of a continuation of an equilibrium.
///
/// The branch of the equilibrium itself is there by dereference: `answer.points`, `answer.special`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The kind of the points: `equilibrium`.
    pub kind: String,
    /// The branch of the equilibrium.
    #[serde(flatten)]
    pub first: EquilibriumBranch,
    /// The parameter that varies.
    pub along: String,
    /// The range of the parameter.
    pub range: [f64; 2],
    /// The number of equilibria that were found.
    pub equilibria_found: usize,
    /// The branches that bifurcate from it, on request: the first one has the number 1.
    pub branches: Vec<Further>,
    /// The bifurcations at which no branch could be started.
    pub not_followed: Vec<NotFollowed>,
    /// The last correction of an equilibrium, relative to the size of the states.
    pub tolerance: f64,
    /// The name of the model.
    pub model: String,
    /// The SHA-256 fingerprint of the model.
    pub fingerprint: String,
    /// The values of the parameters at which the equilibrium was found.
    pub parameters: Named,
    /// The state of that equilibrium.
    pub start: Option<Named>,
}

impl Deref for Answer {
    type Target = EquilibriumBranch;

    fn deref(&self) -> &EquilibriumBranch {
        &self.first
    }
}

/// No branch, and why.
pub(crate) fn nothing(word: &str, message: String) -> EquilibriumBranch {
    EquilibriumBranch { ended: word.to_string(), message, ..EquilibriumBranch::default() }
}

/// A branch that begins on another one, with the names of its numbers.
pub(crate) fn further(naming: Naming, member: &Member) -> Further {
    let parent = member.parent.map(|(branch, special)| Parent { branch, special });
    match &member.line {
        Line::Equilibria(branch) => Further::Equilibrium(EquilibriumBranch { parent, ..equilibria(naming, branch) }),
        Line::Cycles(branch) => Further::Orbit(OrbitBranch { parent, ..orbits(naming, branch) }),
    }
}

/// A branch of equilibria with the names of its numbers.
pub(crate) fn equilibria(naming: Naming, branch: &lower::EquilibriumBranch) -> EquilibriumBranch {
    let worst = worse(&branch.ended);
    EquilibriumBranch {
        points: branch.points.iter().map(|point| self::point(naming, point)).collect(),
        special: branch.special.iter().map(|special| self::special(naming, branch, special)).collect(),
        ended: worst.name().to_string(),
        message: worst.describe(),
        ends: ends(&branch.ended),
        mode: branch.points.first().map(|point| naming.mode(point.closed)),
        parent: None,
    }
}

/// The bifurcations at which no branch could be started.
pub(crate) fn not_followed(lost: &Lost) -> NotFollowed {
    NotFollowed { branch: lost.parent.0, special: lost.parent.1, message: lost.message.clone() }
}

fn point(naming: Naming, point: &EquilibriumPoint) -> Point {
    Point {
        parameters: naming.parameters(&point.parameters),
        state: naming.named(&point.state),
        mode: naming.mode(point.closed),
        contact_force: forces(naming, point.closed, &point.contact_forces),
        eigenvalues: point.eigenvalues.clone(),
        stable: point.stable,
        admissible: point.admissible,
        gaps: of_contacts(naming, 0..point.gaps.len(), &point.gaps),
    }
}

fn special(naming: Naming, branch: &lower::EquilibriumBranch, special: &lower::Special) -> Special {
    let point = &special.point;
    Special {
        kind: special.kind,
        parameters: naming.parameters(&point.parameters),
        state: naming.named(&point.state),
        index: special.index,
        period: special.hopf.map(|hopf| hopf.period()),
        frequency: special.hopf.map(|hopf| hopf.frequency),
        boundary_equilibrium: special.meeting.map(|meeting| meeting.name().to_string()),
        contact: special.contact.map(|contact| naming.system.element_name(contact).to_string()),
        eigenvalues: point.eigenvalues.clone(),
        stable: point.stable,
        admissible: point.admissible,
        mode: naming.mode(point.closed),
        unknowns: point.unknowns.clone(),
        sizes: branch.sizes.clone(),
        tangent: special.tangent.clone(),
    }
}
