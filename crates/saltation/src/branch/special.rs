//! A bifurcation in an answer (`special`): its kind, its place on the orbit, and the equations and unknowns from which its curve is followed.

use crate::branch::SpecialKind;
use crate::named::{Named, serial};
use crate::naming::Naming;
use saltation_model::SymmetryMap;
use saltation_motion::Collision;
use saltation_numerics::dense::Complex;
use saltation_orbit::branch::{self as lower, Sliding};
use saltation_orbit::signature::{self, Kind};
use serde::{Deserialize, Serialize};

/// A bifurcation of a branch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Special {
    /// What it is.
    #[serde(with = "serial::special_kind")]
    pub kind: SpecialKind,
    /// The values of all parameters.
    pub parameters: Named,
    /// The state on the section.
    pub state: Named,
    /// The period, in the model's unit of time.
    #[serde(with = "serial::number")]
    pub period: f64,
    /// The advance in one period of every state that drifts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drift: Option<Named>,
    /// The opening speeds before the impacts of one period.
    #[serde(with = "serial::numbers")]
    pub impact_speeds: Vec<f64>,
    /// The multipliers, largest modulus first; empty where there are none.
    #[serde(with = "serial::complex")]
    pub multipliers: Vec<Complex>,
    /// Its position among the points of the branch.
    pub index: usize,
    /// The contact concerned.
    pub contact: Option<String>,
    /// Whether all multipliers but the trivial one lie inside the unit circle.
    pub stable: bool,
    /// Whether it is admissible: a motion of the system.
    pub admissible: bool,
    /// The asymptotic law of the period near a homoclinic orbit.
    pub homoclinic: Option<Homoclinic>,
    /// The sliding bifurcation at a boundary of friction: `grazing_sliding`, `crossing_sliding`, `switching_sliding` or `adding_sliding`.
    pub sliding: Option<String>,
    /// Why no branch of the answer begins here, where one was asked for: `not_found`, or at chosen points also `virtual`, `known` or `none`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_followed: Option<String>,
    /// Its place on the orbit, if it has one.
    pub place: Option<Place>,
    /// The events of the signature, whose equations the points of the branch solve.
    pub nodes: Vec<Node>,
    /// The numbers of turns of every angle and of the phase.
    #[serde(with = "serial::numbers")]
    pub turns: Vec<f64>,
    /// The symmetry map to the other half of the orbit, if the nodes are those of one half.
    pub mirror: Option<Mirror>,
    /// The states that drift, and need not close, with the values at which they are held at the first event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held: Option<Named>,
    /// The unknowns of the equations: for each node its state and the time to the next one, the parameter last.
    #[serde(with = "serial::numbers")]
    pub unknowns: Vec<f64>,
    /// The sizes of the unknowns.
    #[serde(with = "serial::numbers")]
    pub sizes: Vec<f64>,
    /// The derivative of the unknowns along the branch.
    #[serde(with = "serial::numbers")]
    pub tangent: Vec<f64>,
    /// The tangent of the branch that crosses here.
    pub other_tangent: Option<Vec<f64>>,
}

/// The asymptotic law of the period: `constant - ln|value - p|/rate` at the value p of the parameter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Homoclinic {
    /// The value of the parameter at which the period is infinite.
    #[serde(with = "serial::number")]
    pub value: f64,
    /// The unstable eigenvalue of the saddle.
    #[serde(with = "serial::number")]
    pub rate: f64,
    /// The constant, a time.
    #[serde(with = "serial::number")]
    pub constant: f64,
    /// The equilibrium that the orbit approaches.
    pub saddle: Option<Saddle>,
}

/// An equilibrium that orbits approach.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Saddle {
    /// The state.
    pub state: Named,
    /// The closed contacts.
    pub mode: String,
    /// The eigenvalues of its linearization.
    #[serde(with = "serial::complex")]
    pub eigenvalues: Vec<Complex>,
    /// Whether it is an equilibrium of the system.
    pub admissible: bool,
}

/// A place on an orbit: at a node of its signature, or after it at a contact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Place {
    /// Between events: the contact concerned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contact: Option<String>,
    /// The position of the node, or of the one before.
    pub node: usize,
    /// Between events: the time since the node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<f64>,
    /// Between events: the state there, in the order of the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<Vec<f64>>,
}

/// An event of a signature.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// The kind: `impact`, `chatter`, `accumulation`, `release`, `turn`, `minimum`, `phase`, `plane` or `waypoint`.
    pub kind: String,
    /// The contact it happens at.
    pub contact: Option<String>,
    /// The mode just before.
    pub before: String,
    /// The mode afterwards.
    pub after: String,
    /// Further data of this kind.
    pub value: Option<NodeValue>,
    /// The laws of the impacts that happen there, with friction or simultaneous collisions: of each impact its phases, and of each phase the contacts with
    /// the rules of their normal and tangential impulses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub collisions: Vec<Vec<Vec<Rules>>>,
}

/// A contact and the words of its two rules.
pub type Rules = (String, String, String);

/// What belongs to a kind of event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum NodeValue {
    /// The number of impacts of an accumulation that are followed one by one, or the number of an event in the file.
    Count(u64),
    /// The numbers of several events that happen at one crossing, in order.
    Counts(Vec<u64>),
    /// The phase.
    Number(f64),
    /// The bound of friction that falls to zero.
    Bound(String),
    /// The plane that is crossed.
    Plane {
        /// Its normal, in the order of the states.
        normal: Vec<f64>,
        /// A point of it.
        point: Vec<f64>,
    },
}

/// The map of a symmetry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Mirror {
    /// The sign of each state.
    #[serde(with = "serial::numbers")]
    pub signs: Vec<f64>,
    /// The shift of the phase.
    pub shift: f64,
    /// Each contact and its image.
    #[serde(with = "images")]
    pub contacts: Vec<(String, String)>,
    /// The sign of the slip of each contact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slips: Option<Vec<f64>>,
    /// For every switch its image, by its position, and the sign of its function there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub switches: Vec<(usize, f64)>,
}

/// Pairs of names as an object.
mod images {
    use serde::de::{Deserializer, MapAccess, Visitor};
    use serde::ser::Serializer;

    pub(super) fn serialize<S: Serializer>(list: &[(String, String)], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(list.iter().map(|(name, image)| (name, image)))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<(String, String)>, D::Error> {
        struct Names;
        impl<'de> Visitor<'de> for Names {
            type Value = Vec<(String, String)>;

            fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str("an object of names")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
                let mut list = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    list.push(pair);
                }
                Ok(list)
            }
        }
        deserializer.deserialize_map(Names)
    }
}

/// A bifurcation with the names of its numbers.
pub(crate) fn special(naming: Naming, branch: &lower::Branch, special: &lower::Special) -> Special {
    let name = |contact: usize| naming.system.element_name(contact).to_string();
    let point = &special.point;
    let signature = &branch.signature;
    Special {
        kind: special.kind,
        parameters: naming.parameters(&point.parameters),
        state: naming.named(&point.state),
        period: point.period,
        drift: naming.of_some(&point.drift),
        impact_speeds: point.impact_speeds.clone(),
        multipliers: point.multipliers.clone(),
        index: special.index,
        contact: special.contact.map(name),
        stable: point.stable,
        admissible: point.admissible,
        homoclinic: special.homoclinic.as_ref().map(|law| homoclinic(naming, law)),
        sliding: special.sliding.map(Sliding::name).map(str::to_string),
        not_followed: special.not_followed.map(|why| why.name().to_string()),
        place: match &special.place {
            lower::Place::Everywhere => None,
            lower::Place::Node(node) => Some(Place { contact: None, node: *node, time: None, state: None }),
            lower::Place::Between { contact, site } => Some(Place {
                contact: Some(name(*contact)),
                node: site.node,
                time: Some(site.time),
                state: Some(site.state.clone()),
            }),
        },
        nodes: signature.nodes.iter().map(|node| self::node(naming, node)).collect(),
        turns: signature.turns.clone(),
        mirror: signature.mirror.as_ref().map(|mirror| self::mirror(naming, mirror)),
        held: naming.of_some(&signature.held),
        unknowns: point.unknowns.clone(),
        sizes: branch.sizes.clone(),
        tangent: special.tangent.clone(),
        other_tangent: special.other.clone(),
    }
}

fn node(naming: Naming, node: &signature::Node) -> Node {
    let names = naming.system.contact_names();
    let (kind, value) = match &node.kind {
        Kind::Impact { .. } => ("impact", None),
        Kind::Chatter { .. } => ("chatter", None),
        Kind::Accumulation { impacts, .. } => ("accumulation", Some(NodeValue::Count(*impacts as u64))),
        Kind::Release { .. } => ("release", None),
        Kind::Turn { bound, .. } => ("turn", Some(NodeValue::Bound(bound.name().to_string()))),
        Kind::Minimum { .. } => ("minimum", None),
        Kind::Phase { value } => ("phase", Some(NodeValue::Number(*value))),
        Kind::Plane { normal, point } => {
            ("plane", Some(NodeValue::Plane { normal: normal.clone(), point: point.clone() }))
        }
        Kind::Reset { resets, .. } => ("reset", Some(of_resets(resets))),
        Kind::Wrap => ("wrap", None),
        Kind::Waypoint => ("waypoint", None),
    };
    let rules = |(contact, normal, tangential): (usize, &str, &str)| {
        (names[contact].clone(), normal.to_string(), tangential.to_string())
    };
    let phases = |collision: &Collision| {
        collision.rules().into_iter().map(|phase| phase.into_iter().map(rules).collect()).collect()
    };
    Node {
        kind: kind.to_string(),
        contact: node.kind.contact().map(|contact| naming.system.element_name(contact).to_string()),
        before: naming.whole_mode(node.before),
        after: naming.whole_mode(node.after),
        value,
        collisions: node.collisions.iter().map(phases).collect(),
    }
}

/// One event by its number, several by their numbers in order.
fn of_resets(resets: &[usize]) -> NodeValue {
    match resets {
        &[reset] => NodeValue::Count(reset as u64),
        _ => NodeValue::Counts(resets.iter().map(|&reset| reset as u64).collect()),
    }
}

fn mirror(naming: Naming, mirror: &SymmetryMap) -> Mirror {
    let names = naming.system.contact_names();
    let images = mirror.contacts.iter().map(|&contact| names[contact].clone());
    Mirror {
        signs: mirror.signs.clone(),
        shift: mirror.shift,
        contacts: names.iter().cloned().zip(images).collect(),
        slips: Some(mirror.slips.clone()),
        switches: mirror.switches.clone(),
    }
}

fn homoclinic(naming: Naming, law: &lower::Homoclinic) -> Homoclinic {
    let saddle = law.saddle.as_ref().map(|saddle| Saddle {
        state: naming.named(&saddle.state),
        mode: naming.mode(saddle.closed),
        eigenvalues: saddle.eigenvalues.clone(),
        admissible: saddle.admissible,
    });
    Homoclinic { value: law.value, rate: law.rate, constant: law.constant, saddle }
}
