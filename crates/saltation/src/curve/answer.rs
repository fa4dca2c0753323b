//! The answer of a bifurcation curve: its points, its codimension-two points, and how it ended. Its JSON is that of `curve --json`.

use crate::branch::answer::{Beginning, End, ends};
use crate::branch::{SpecialKind, worse};
use crate::named::{Named, serial};
use crate::naming::Naming;
use saltation_orbit::curve::{CurvePoint, SpecialCurve};
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};

/// A point of a curve: an orbit at a bifurcation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// The values of all parameters.
    pub parameters: Named,
    /// The state on the section.
    pub state: Named,
    /// The opening speeds before the impacts of one period; positive ones are not admissible.
    #[serde(with = "serial::numbers")]
    pub impact_speeds: Vec<f64>,
    /// The period, in the model's unit of time.
    #[serde(with = "serial::number")]
    pub period: f64,
    /// Whether it is admissible: a motion of the system.
    pub admissible: bool,
}

/// A codimension-two point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Special {
    /// The kind of the second bifurcation.
    #[serde(with = "serial::special_kind")]
    pub kind: SpecialKind,
    /// The point.
    #[serde(flatten)]
    pub point: Point,
    /// Its position among the points of the curve.
    pub index: usize,
    /// The contact concerned.
    pub contact: Option<String>,
}

/// The position of a bifurcation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum At {
    /// On the branch of the orbit.
    Index(u64),
    /// On a branch that begins on it: `BRANCH:INDEX`.
    Branch(String),
}

/// The answer of a continuation of a bifurcation.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Answer {
    /// The kind of bifurcation along the curve.
    #[serde(with = "serial::special_kind")]
    pub kind: SpecialKind,
    /// The points in the order of the curve.
    pub points: Vec<Point>,
    /// The codimension-two points, in the same order.
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
    /// The parameters that vary: that of the branch, and the second one.
    pub along: [String; 2],
    /// The range of the second one.
    pub range: [f64; 2],
    /// The name of the file that holds the branch.
    pub from: String,
    /// The position of the bifurcation there.
    pub at: At,
    /// The local error of one step of a motion relative to the size of the state.
    pub tolerance: f64,
    /// The name of the model.
    pub model: String,
    /// The SHA-256 fingerprint of the model.
    pub fingerprint: String,
    /// The values of the parameters at the bifurcation.
    pub parameters: Named,
}

/// The signature is written only where there is a curve.
impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Answer { points, special, ended, message, ends, .. } = self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("kind", self.kind.name())?;
        Beginning { points, special, ended, message, ends }.write(&mut map)?;
        if !points.is_empty() {
            map.serialize_entry("signature", &self.signature)?;
        }
        map.serialize_entry("along", &self.along)?;
        map.serialize_entry("range", &self.range)?;
        map.serialize_entry("from", &self.from)?;
        map.serialize_entry("at", &self.at)?;
        map.serialize_entry("tolerance", &self.tolerance)?;
        map.serialize_entry("model", &self.model)?;
        map.serialize_entry("fingerprint", &self.fingerprint)?;
        map.serialize_entry("parameters", &self.parameters)?;
        map.end()
    }
}

impl Answer {
    /// Takes the points of a curve and how it ended.
    pub(crate) fn take(&mut self, naming: Naming, curve: &SpecialCurve) {
        let special = curve.special.iter().map(|special| Special {
            kind: special.kind,
            point: point(naming, &special.point),
            index: special.index,
            contact: special.contact.map(|contact| naming.system.element_name(contact).to_string()),
        });
        self.kind = curve.kind;
        self.points = curve.points.iter().map(|one| point(naming, one)).collect();
        self.special = special.collect();
        self.ended = worse(&curve.ended).name().to_string();
        self.message = worse(&curve.ended).describe();
        self.ends = ends(&curve.ended);
        self.signature = curve.signature.words(naming.system);
    }
}

fn point(naming: Naming, point: &CurvePoint) -> Point {
    Point {
        parameters: naming.parameters(&point.parameters),
        state: naming.named(&point.state),
        impact_speeds: point.impact_speeds.clone(),
        period: point.period,
        admissible: point.admissible,
    }
}
