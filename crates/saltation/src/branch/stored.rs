//! Reads a bifurcation of a stored branch: its equations and unknowns, or a message that names the fault of the file.

use crate::branch::answer::Answer;
use crate::branch::special::{Mirror, Node, NodeValue, Place as Placed, Rules, Special};
use crate::error::{Error, Refusal};
use crate::store::stored::{self, JsonFile};
use crate::text::cut;
use crate::text::number::count;
use saltation_model::{Model, SymmetryMap};
use saltation_motion::{Bound, ClosedSet, Collision, Side};
use saltation_orbit::branch::{Place, SpecialKind};
use saltation_orbit::signature::{self, Kind, Signature, Site};
use serde::Deserialize;
use serde_json::Value;
use std::path::Path;

/// The largest file of a branch, in megabytes.
const LARGEST: u64 = 1024;
/// The largest number of bifurcations that a help lists.
const MOST_LISTED: usize = 20;
const MEANT: &str =
    "give a file with what `saltation continue MODEL --json` printed, or the branch.json that --out DIR wrote";
const BROKEN: &str = "write it anew with `saltation continue`";

/// A branch of a model that was followed before.
#[derive(Debug, Clone)]
pub(crate) struct StoredBranch {
    /// Its name in reports.
    pub source: String,
    /// The parameter that varies.
    pub along: Option<String>,
    /// The section on which states are given.
    pub section: Option<String>,
    /// The value of the phase on it.
    pub phase: f64,
    /// The branch of the orbit, and those that begin on it.
    branches: Vec<Specials>,
}

/// The bifurcations of a branch.
#[derive(Debug, Clone)]
struct Specials {
    /// Whether they are equilibria.
    equilibria: bool,
    /// The kind of each, as it is written, and the point, if it is one.
    list: Vec<(String, Option<Special>)>,
}

/// A bifurcation of a branch, as a start of its equations.
#[derive(Debug, Clone)]
pub(crate) struct SpecialPoint {
    /// What it is.
    pub kind: SpecialKind,
    /// The values of all parameters there.
    pub parameters: Vec<(String, f64)>,
    /// The state on the section.
    pub state: Vec<f64>,
    /// The signature of the branch.
    pub signature: Signature,
    /// The unknowns of its equations, the parameter of the branch last.
    pub unknowns: Vec<f64>,
    /// Their sizes.
    pub sizes: Vec<f64>,
    /// Where on the orbit.
    pub place: Place,
}

impl StoredBranch {
    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, or holds no branch of this model.
    pub(crate) fn read(path: &Path, model: &Model) -> Result<StoredBranch, Error> {
        let value = JsonFile { field: "from", largest: LARGEST, what: "a branch", meant: MEANT }.read(path)?;
        let answer = stored::answer(&value);
        let list = |branch: &Value| -> Option<Specials> {
            let one = |one: &Value| {
                let kind = one.get("kind").and_then(Value::as_str).unwrap_or("?").to_string();
                (kind, Special::deserialize(one).ok())
            };
            let equilibria = branch.get("kind").and_then(Value::as_str) == Some("equilibrium");
            Some(Specials { equilibria, list: branch.get("special")?.as_array()?.iter().map(one).collect() })
        };
        let Some(first) = list(answer) else {
            let (message, help) = match answer.get("state") {
                Some(_) => {
                    ("the file holds an orbit, not a branch", "saltation continue follows it as a parameter varies")
                }
                None => ("the file holds no branch: it has no list `special`", MEANT),
            };
            return Err(Refusal::new("from", message, help).into());
        };
        stored::same_model("from", &value, model, BROKEN)?;
        let text = |key: &str| answer.get(key).and_then(Value::as_str).map(str::to_string);
        let further = answer.get("branches").and_then(Value::as_array).into_iter().flatten();
        let none = || Specials { equilibria: false, list: Vec::new() };
        let further = further.map(|branch| list(branch).unwrap_or_else(none));
        Ok(StoredBranch {
            source: path.display().to_string(),
            along: text("along"),
            section: text("section"),
            phase: answer.get("phase").and_then(Value::as_f64).unwrap_or(0.0),
            branches: std::iter::once(first).chain(further).collect(),
        })
    }

    /// The same from an answer in memory; `source` is its name in reports.
    ///
    /// # Errors
    /// If it is one of another model.
    pub(crate) fn of(answer: &Answer, source: &str, model: &Model) -> Result<StoredBranch, Error> {
        let named = serde_json::json!({ "model": answer.model, "fingerprint": answer.fingerprint });
        stored::same_model("from", &named, model, BROKEN)?;
        let one = |special: &Special| (special.kind.name().to_string(), Some(special.clone()));
        let branches = std::iter::once(&answer.first).chain(&answer.branches);
        let list = |special: &[Special]| Specials { equilibria: false, list: special.iter().map(one).collect() };
        Ok(StoredBranch {
            source: source.to_string(),
            along: Some(answer.along.clone()),
            section: Some(answer.section.clone()),
            phase: answer.phase.unwrap_or(0.0),
            branches: branches.map(|branch| list(&branch.special)).collect(),
        })
    }

    /// The bifurcations, as a help.
    pub(crate) fn all(&self, branch: usize) -> String {
        let points = self.branches.get(branch).map_or(&[][..], |branch| &branch.list).iter().enumerate();
        let name = |kind: &str| cut(kind).replace('_', " ");
        let list: Vec<String> = points.take(MOST_LISTED).map(|(k, (kind, _))| format!("{k} {}", name(kind))).collect();
        match list.as_slice() {
            [] => "this branch has no bifurcations: follow it over a larger range".to_string(),
            list => format!("the branch has {}", list.join(", ")),
        }
    }

    /// A bifurcation by its position, `INDEX`, or `BRANCH:INDEX` for one of a branch that begins on the first one.
    ///
    /// # Errors
    /// If there is none, or its form is invalid.
    pub(crate) fn at(&self, at: &str, model: &Model) -> Result<SpecialPoint, Refusal> {
        let refused = |message: String, help: String| Refusal::new("at", message, help);
        let text = at.trim();
        let (branch, index) = text.split_once(':').unwrap_or(("0", text));
        let (Ok(branch), Ok(index)) = (branch.parse::<usize>(), index.parse::<usize>()) else {
            return Err(refused(format!("at needs a whole number from 0 on, not `{}`", cut(text)), self.all(0)));
        };
        let Some(points) = self.branches.get(branch) else {
            let help = match self.branches.len() - 1 {
                0 => "its only branch has the number 0; saltation continue --switch follows further ones".to_string(),
                further => format!("its branches have the numbers 0 to {further}"),
            };
            return Err(refused(format!("the file has no branch {branch}"), help));
        };
        let Some((_, special)) = points.list.get(index) else {
            let message = match points.list.len() {
                0 => "the branch has no bifurcations".to_string(),
                1 => format!("the branch has 1 bifurcation, number 0: there is no number {index}"),
                n => format!("the branch has {}, from 0 to {}", count(n as u64, "bifurcation"), n - 1),
            };
            return Err(refused(message, self.all(branch)));
        };
        if points.equilibria {
            let help =
                "curves are followed from bifurcations of orbits, such as those of its limit cycles: BRANCH:INDEX";
            return Err(refused("this is a bifurcation of equilibria, not of orbits".to_string(), help.to_string()));
        }
        special.as_ref().and_then(|special| Reader { model }.special(special)).ok_or_else(|| {
            let message =
                format!("bifurcation {text} of the branch does not have the form that `saltation continue` writes");
            Refusal::new("from", message, BROKEN)
        })
    }
}

/// Names of a model as positions; `None` where a bifurcation does not fit it.
struct Reader<'m> {
    model: &'m Model,
}

impl Reader<'_> {
    fn special(&self, one: &Special) -> Option<SpecialPoint> {
        let nodes: Vec<signature::Node> = one.nodes.iter().map(|node| self.node(node)).collect::<Option<_>>()?;
        if nodes.first().is_none_or(|node| node.kind == Kind::Waypoint) {
            return None;
        }
        let mirror = match &one.mirror {
            None => None,
            Some(mirror) => Some(self.mirror(mirror)?),
        };
        let states = self.model.states.len();
        let place = |(name, value): (&str, f64)| Some((self.model.state(name)?, value)).filter(|_| value.is_finite());
        let held = one.held.iter().flat_map(|held| held.iter()).map(place).collect::<Option<Vec<(usize, f64)>>>()?;
        let signature = Signature { nodes, turns: floats(&one.turns, states)?, mirror, held };
        // Answers are written without waypoints.
        let wanted = signature.layout(states).parameters + 1;
        let unknowns = floats(&one.unknowns, wanted)?;
        let sizes = floats(&one.sizes, wanted).filter(|sizes| sizes.iter().all(|size| *size > 0.0))?;
        let place = match &one.place {
            None => Place::Everywhere,
            Some(place) => self.place(place, signature.nodes.len())?,
        };
        let state = self.model.states.iter().map(|state| one.state.get(&state.name).filter(|x| x.is_finite()));
        let parameters = one.parameters.iter().filter(|(_, value)| value.is_finite());
        Some(SpecialPoint {
            kind: one.kind,
            parameters: parameters.map(|(name, value)| (name.to_string(), value)).collect(),
            state: state.collect::<Option<Vec<f64>>>()?,
            signature,
            unknowns,
            sizes,
            place,
        })
    }

    /// Events of the model by their numbers.
    fn resets(&self, contact: usize, numbers: &[u64]) -> Option<Kind> {
        let known = |&number: &u64| usize::try_from(number).ok().filter(|&reset| reset < self.model.resets.len());
        let resets = numbers.iter().map(known).collect::<Option<Vec<usize>>>()?;
        Some(Kind::Reset { contact, bound: Bound::Surface, resets })
    }

    fn node(&self, node: &Node) -> Option<signature::Node> {
        let contact = || self.element(node.contact.as_deref()?);
        let states = self.model.states.len();
        let kind = match (node.kind.as_str(), &node.value) {
            ("impact", _) => Kind::Impact { contact: contact()? },
            ("chatter", _) => Kind::Chatter { contact: contact()? },
            ("accumulation", Some(NodeValue::Count(impacts))) => {
                Kind::Accumulation { contact: contact()?, impacts: usize::try_from(*impacts).ok()? }
            }
            ("release", _) => Kind::Release { contact: contact()? },
            ("turn", Some(NodeValue::Bound(word))) => {
                let bound = Bound::ALL.into_iter().find(|bound| bound.name() == word)?;
                Kind::Turn { contact: contact()?, bound }
            }
            ("reset", Some(NodeValue::Count(reset))) => self.resets(contact()?, &[*reset])?,
            ("reset", Some(NodeValue::Counts(resets))) => self.resets(contact()?, resets)?,
            ("minimum", _) => Kind::Minimum { contact: contact()? },
            ("phase", Some(NodeValue::Number(value))) if self.model.phase.is_some() => Kind::Phase { value: *value },
            // A whole number.
            ("phase", Some(NodeValue::Count(value))) if self.model.phase.is_some() => {
                Kind::Phase { value: *value as f64 }
            }
            ("plane", Some(NodeValue::Plane { normal, point })) => {
                Kind::Plane { normal: floats(normal, states)?, point: floats(point, states)? }
            }
            ("wrap", _) if self.model.phase.is_some() => Kind::Wrap,
            ("waypoint", _) => Kind::Waypoint,
            _ => return None,
        };
        let collisions = node.collisions.iter().map(|phases| self.collision(phases)).collect::<Option<_>>()?;
        let (before, after) = (self.mode(&node.before)?, self.mode(&node.after)?);
        let node = signature::Node { kind, before, after, collisions };
        // Only closed contacts can be released.
        let possible = match node.kind {
            Kind::Release { contact } | Kind::Turn { contact, .. } => node.before.contains(contact),
            _ => true,
        };
        possible.then_some(node)
    }

    fn mode(&self, text: &str) -> Option<ClosedSet> {
        if text == "flight" {
            return Some(ClosedSet::NONE);
        }
        let is_dry = |name: &str| self.model.frictions.iter().any(|dry| dry.name == name);
        text.split(',').try_fold(ClosedSet::NONE, |closed, part| {
            if let Some((switch, side)) = Side::in_word(part, |name| self.model.switch(name), is_dry) {
                return Some(closed.with_side(switch, side));
            }
            let (word, name) = part.split_once(':')?;
            let contact = self.model.contact(name)?;
            let rubs = word == "stick" || self.model.contacts[contact].friction.is_some();
            closed.with_word(contact, word).filter(|_| rubs)
        })
    }

    /// Whether every switch has an image.
    fn is_image(&self, images: &[(usize, f64)]) -> bool {
        let count = self.model.switches.len();
        images.len() == count && images.iter().all(|(image, sign)| *image < count && sign.abs() == 1.0)
    }

    /// A contact or a switch.
    fn element(&self, name: &str) -> Option<usize> {
        self.model.contact(name).or_else(|| self.model.switch(name).map(ClosedSet::element))
    }

    fn collision(&self, phases: &[Vec<Rules>]) -> Option<Collision> {
        let rules = |(contact, normal, tangential): &'_ Rules| -> Option<(usize, String, String)> {
            Some((self.model.contact(contact)?, normal.clone(), tangential.clone()))
        };
        let phases = phases.iter().map(|phase| phase.iter().map(rules).collect::<Option<Vec<_>>>());
        let phases: Vec<Vec<(usize, String, String)>> = phases.collect::<Option<_>>()?;
        let words: Vec<Vec<(usize, &str, &str)>> =
            phases.iter().map(|phase| phase.iter().map(|(c, n, t)| (*c, n.as_str(), t.as_str())).collect()).collect();
        Collision::from_rules(&words)
    }

    fn mirror(&self, mirror: &Mirror) -> Option<SymmetryMap> {
        let contacts = &self.model.contacts;
        let image = |contact: &saltation_model::Contact| {
            let (_, image) = mirror.contacts.iter().find(|(name, _)| *name == contact.name)?;
            self.model.contact(image)
        };
        Some(SymmetryMap {
            signs: floats(&mirror.signs, self.model.states.len())?,
            shift: mirror.shift,
            contacts: contacts.iter().map(image).collect::<Option<_>>()?,
            switches: Some(&mirror.switches).filter(|images| self.is_image(images)).cloned()?,
            slips: match &mirror.slips {
                Some(slips) => floats(slips, contacts.len())?,
                // Older files, without slip.
                None if contacts.iter().all(|contact| contact.friction.is_none()) => vec![1.0; contacts.len()],
                None => return None,
            },
        })
    }

    fn place(&self, place: &Placed, nodes: usize) -> Option<Place> {
        let node = Some(place.node).filter(|node| *node < nodes)?;
        match (&place.contact, place.time, &place.state) {
            (None, None, None) => Some(Place::Node(node)),
            (Some(contact), Some(time), Some(state)) => {
                let site = Site { node, time, state: floats(state, self.model.states.len())? };
                Some(Place::Between { contact: self.element(contact)?, site })
            }
            _ => None,
        }
    }
}

/// A given number of finite numbers.
fn floats(list: &[f64], wanted: usize) -> Option<Vec<f64>> {
    (list.len() == wanted && list.iter().all(|x| x.is_finite())).then(|| list.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answered::read_json;
    use crate::system::System;
    use crate::{branch, curve};

    fn stored(name: &str) -> String {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../validation/answers");
        std::fs::read_to_string(format!("{folder}/{name}.json")).unwrap().trim_end().to_string()
    }

    #[test]
    fn answers_that_are_read_are_written_as_they_were() {
        for name in ["impact-oscillator", "two-wall", "switch", "double-pendulum", "vivid", "friction", "impact-damper"]
        {
            let text = stored(&format!("continue-{name}"));
            let answer: branch::Answer = read_json(&text).unwrap();
            assert_eq!(serde_json::to_string(&answer).unwrap(), text, "{name}");
        }
        for name in ["graze", "doubling", "fold"] {
            let text = stored(&format!("curve-{name}"));
            let answer: curve::Answer = read_json(&text).unwrap();
            assert_eq!(serde_json::to_string(&answer).unwrap(), text, "{name}");
        }
        let nothing = branch::Answer {
            first: branch::OrbitBranch::nothing("no_orbit", "there is none".to_string()),
            ..branch::Answer::default()
        };
        let text = serde_json::to_string(&nothing).unwrap();
        assert!(text.starts_with(r#"{"points":[],"special":[],"ended":"no_orbit","ends":[],"message""#), "{text}");
        assert_eq!(read_json::<branch::Answer>(&text).unwrap(), nothing);
    }

    #[test]
    fn special_points_of_answers_are_those_of_their_files() {
        for (name, model) in [
            ("two-wall", "two-wall-oscillator"),
            ("double-pendulum", "double-pendulum"),
            ("impact-damper", "impact-damper"),
            ("switch", "impact-oscillator"),
        ] {
            let system = System::gallery(model).unwrap();
            let text = stored(&format!("continue-{name}"));
            let answer: Answer = read_json(&text).unwrap();
            let of = StoredBranch::of(&answer, "a branch", system.model()).unwrap();
            let path = format!("{}/../../validation/answers/continue-{name}.json", env!("CARGO_MANIFEST_DIR"));
            let read = StoredBranch::read(Path::new(&path), system.model()).unwrap();
            assert!(!answer.special.is_empty());
            for k in 0..answer.special.len() {
                let points = [&of, &read].map(|branch| branch.at(&k.to_string(), system.model()).unwrap());
                assert_eq!(points[0].signature, points[1].signature);
                assert_eq!((&points[0].unknowns, &points[0].state), (&points[1].unknowns, &points[1].state));
                assert_eq!((&points[0].place, points[0].kind), (&points[1].place, answer.special[k].kind));
            }
        }
    }
}
