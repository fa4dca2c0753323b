//! The answer of a branch: its points, its bifurcations, its ends, and the branches that bifurcate from it. Its JSON is that of `continue --json`.

use crate::branch::special::{self, Special};
use crate::named::{Named, serial};
use crate::naming::Naming;
use saltation_numerics::dense::Complex;
use saltation_orbit::branch::{self as lower, BranchPoint, Ended};
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use std::ops::Deref;

/// An orbit on a branch, admissible or not (virtual).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// The values of all parameters.
    pub parameters: Named,
    /// The period, in the model's unit of time.
    #[serde(with = "serial::number")]
    pub period: f64,
    /// The state on the section.
    pub state: Named,
    /// The advance in one period of every state that drifts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drift: Option<Named>,
    /// The events of one period, as in the answer of [`orbit`](crate::orbit).
    pub signature: Vec<String>,
    /// The opening speeds before the impacts of one period; positive ones are not admissible.
    #[serde(with = "serial::numbers")]
    pub impact_speeds: Vec<f64>,
    /// The eigenvalues of the derivative over one period, largest modulus first; empty where there is none.
    #[serde(with = "serial::complex")]
    pub multipliers: Vec<Complex>,
    /// Whether all multipliers but the trivial one lie inside the unit circle.
    pub stable: bool,
    /// Whether it is admissible: a motion of the system.
    pub admissible: bool,
}

/// How a branch ended on one side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// In a word: `range`, `points`, `closed`, `stopped`, `interrupted` or the kind of the bifurcation it ends in.
    pub ended: String,
    /// In a sentence.
    pub message: String,
}

/// The bifurcation of another branch at which a branch begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parent {
    /// The number of the branch: 0 for that of the orbit.
    pub branch: usize,
    /// The position of the bifurcation on it.
    pub special: usize,
}

/// A branch of orbits: a curve of solutions of the equations of one signature.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub struct OrbitBranch {
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
    /// The events of one period of its orbits.
    #[serde(default)]
    pub signature: Vec<String>,
    /// Where it begins, if it begins on another one.
    #[serde(default)]
    pub parent: Option<Parent>,
}

/// The entries that the answers of branches and curves begin with. Where nothing was followed `ends` precedes `message`: stored files have
/// this order.
pub(crate) struct Beginning<'a, P, S> {
    pub points: &'a [P],
    pub special: &'a [S],
    pub ended: &'a str,
    pub message: &'a str,
    pub ends: &'a [End],
}

impl<P: Serialize, S: Serialize> Beginning<'_, P, S> {
    /// Writes the entries.
    pub(crate) fn write<M: SerializeMap>(self, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry("points", self.points)?;
        map.serialize_entry("special", self.special)?;
        map.serialize_entry("ended", self.ended)?;
        if self.points.is_empty() {
            map.serialize_entry("ends", self.ends)?;
            map.serialize_entry("message", self.message)
        } else {
            map.serialize_entry("message", self.message)?;
            map.serialize_entry("ends", self.ends)
        }
    }
}

/// The signature and the parent are written only where there is a branch.
impl Serialize for OrbitBranch {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let OrbitBranch { points, special, ended, message, ends, signature, parent } = self;
        let mut map = serializer.serialize_map(None)?;
        Beginning { points, special, ended, message, ends }.write(&mut map)?;
        if !points.is_empty() {
            map.serialize_entry("signature", signature)?;
            map.serialize_entry("parent", parent)?;
        }
        map.end()
    }
}

impl OrbitBranch {
    /// No branch, and why.
    pub(crate) fn nothing(word: &str, message: String) -> OrbitBranch {
        OrbitBranch { ended: word.to_string(), message, ..OrbitBranch::default() }
    }
}

/// The answer of a continuation of an orbit.
///
/// The branch of the orbit itself is there by dereference: `answer.points`, `answer.special`.
///
/// ```
/// use saltation::{Answered, CurveSettings, System, branch, read_json};
/// let orbit = System::gallery("ball-on-table")?.orbit().find()?;
/// let found = orbit.continue_in("K", 0.45..=0.55).points(3).run()?;
/// let read: branch::Answer = read_json(&found.json())?;
/// assert_eq!((&read, read.points.len()), (&found.answer, found.points.len()));
/// # Ok::<(), saltation::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The branch of the orbit.
    #[serde(flatten)]
    pub first: OrbitBranch,
    /// The parameter that varies.
    pub along: String,
    /// The range of the parameter.
    pub range: [f64; 2],
    /// The equations: `signature` or `vivid`.
    pub method: String,
    /// The section on which states are given.
    pub section: String,
    /// The value of the phase on it, for forced models.
    pub phase: Option<f64>,
    /// The period in returns of the orbit at which the branch begins.
    pub returns: Option<u64>,
    /// The branches that bifurcate from it, on request: the first one has the number 1.
    pub branches: Vec<OrbitBranch>,
    /// The local error of one step of a motion relative to the size of the state.
    pub tolerance: f64,
    /// The name of the model.
    pub model: String,
    /// The SHA-256 fingerprint of the model.
    pub fingerprint: String,
    /// The values of the parameters at which the orbit was found.
    pub parameters: Named,
    /// The state of that orbit on the section.
    pub start: Option<Named>,
}

impl Deref for Answer {
    type Target = OrbitBranch;

    fn deref(&self) -> &OrbitBranch {
        &self.first
    }
}

impl Answer {
    /// A branch by its number: 0 for that of the orbit, from 1 on those that begin on it.
    pub fn branch(&self, number: usize) -> Option<&OrbitBranch> {
        match number.checked_sub(1) {
            None => Some(&self.first),
            Some(further) => self.branches.get(further),
        }
    }
}

/// One branch of orbits with the names of its numbers.
pub(crate) fn about(naming: Naming, branch: &lower::Branch) -> OrbitBranch {
    let words = branch.signature.words(naming.system);
    let worst = worse(&branch.ended);
    OrbitBranch {
        points: branch.points.iter().map(|point| self::point(naming, &words, point)).collect(),
        special: branch.special.iter().map(|one| special::special(naming, branch, one)).collect(),
        ended: worst.name().to_string(),
        message: worst.describe(),
        ends: ends(&branch.ended),
        signature: words,
        parent: branch.parent.map(|(branch, special)| Parent { branch, special }),
    }
}

/// How a curve ended, before its first and behind its last point.
pub(crate) fn ends(ended: &[Ended; 2]) -> Vec<End> {
    ended.iter().map(|ended| End { ended: ended.name().to_string(), message: ended.describe() }).collect()
}

/// The values of all parameters, by name.
pub(crate) fn parameters(naming: Naming, values: &[f64]) -> Named {
    naming.parameters(values)
}

fn point(naming: Naming, words: &[String], point: &BranchPoint) -> Point {
    Point {
        parameters: parameters(naming, &point.parameters),
        period: point.period,
        state: naming.named(&point.state),
        drift: naming.of_some(&point.drift),
        signature: words.to_vec(),
        impact_speeds: point.impact_speeds.clone(),
        multipliers: point.multipliers.clone(),
        stable: point.stable,
        admissible: point.admissible,
    }
}

/// The less complete of both ends.
pub(crate) fn worse(ended: &[Ended; 2]) -> &Ended {
    let rank = |ended: &Ended| match ended {
        Ended::Range { .. } => 0,
        Ended::Closed => 1,
        Ended::Border { .. } | Ended::Vanished { .. } => 2,
        Ended::Points => 3,
        Ended::Interrupted => 4,
        Ended::Stopped { .. } => 5,
    };
    if rank(&ended[1]) > rank(&ended[0]) { &ended[1] } else { &ended[0] }
}
