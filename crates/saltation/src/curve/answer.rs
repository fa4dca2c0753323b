//! The answer of a curve: its points, what else is special on it, and how it ended. Its JSON is that of `curve --json`.

use crate::branch::answer::{End, ends};
use crate::branch::{SpecialKind, worse};
use crate::named::{Named, serial};
use crate::naming::Naming;
use saltation_orbit::curve::{CurvePoint, SpecialCurve};
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};

/// A point of a curve: a special orbit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// The values of all parameters.
    pub parameters: Named,
    /// The state on the section.
    pub state: Named,
    /// The opening speeds before the impacts of one period; positive ones belong to no motion.
    #[serde(with = "serial::numbers")]
    pub impact_speeds: Vec<f64>,
    /// The period, in the model's unit of time.
    #[serde(with = "serial::number")]
    pub period: f64,
    /// Whether it is a motion of the system.
    pub admissible: bool,
}

/// A point at which more than one thing is special.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Special {
    /// What is special besides the kind of the curve.
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

/// The position of a special point.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum At {
    /// On the branch of the orbit.
    Index(u64),
    /// On a branch that begins on it: `BRANCH:INDEX`.
    Branch(String),
}

/// What came of following a special point.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Answer {
    /// What is special along the curve.
    #[serde(with = "serial::special_kind")]
    pub kind: SpecialKind,
    /// The points in the order of the curve.
    pub points: Vec<Point>,
    /// Those at which something else is special too, in the same order.
    pub special: Vec<Special>,
    /// How it ended, in a word: of both ends that at which more is missing.
    pub ended: String,
    /// The same in a sentence.
    pub message: String,
    /// How it ended before its first point and behind its last one.
    pub ends: Vec<End>,
    /// What happens in one period of its orbits.
    #[serde(default)]
    pub signature: Vec<String>,
    /// The parameters that vary: that of the branch, and the second one.
    pub along: [String; 2],
    /// The values between which the second one does.
    pub range: [f64; 2],
    /// What holds the branch: the name of its file.
    pub from: String,
    /// The position of the special point there.
    pub at: At,
    /// The error that one step of a motion may make, relative to the size of the state.
    pub tolerance: f64,
    /// The name of the model.
    pub model: String,
    /// A number that is the same for the same text of the model.
    pub fingerprint: String,
    /// The values of the parameters at the special point.
    pub parameters: Named,
}

/// Keys in the order in which they were always written; where there is no curve, only those that say so.
impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("kind", self.kind.name())?;
        map.serialize_entry("points", &self.points)?;
        map.serialize_entry("special", &self.special)?;
        map.serialize_entry("ended", &self.ended)?;
        if self.points.is_empty() {
            map.serialize_entry("ends", &self.ends)?;
            map.serialize_entry("message", &self.message)?;
        } else {
            map.serialize_entry("message", &self.message)?;
            map.serialize_entry("ends", &self.ends)?;
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
        let contacts = naming.system.contact_names();
        let special = curve.special.iter().map(|special| Special {
            kind: special.kind,
            point: point(naming, &special.point),
            index: special.index,
            contact: special.contact.map(|contact| contacts[contact].clone()),
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
