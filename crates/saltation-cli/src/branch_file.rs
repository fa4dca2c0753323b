//! Which special point does a file of a branch hold? What `continue` wrote, read again.

use crate::flag::{Flag, cut};
use crate::json_file::{self, JsonFile, numbers};
use crate::number::count;
use saltation_model::{Mistakes, Model, SymmetryMap};
use saltation_motion::ClosedSet;
use saltation_motion::friction::{Bound, Collision};
use saltation_orbit::branch::{Place, SpecialKind};
use saltation_orbit::signature::{Kind, Node, Signature, Site};
use serde_json::Value;
use std::path::Path;

/// The most megabytes of a branch that are read.
const LARGEST: u64 = 1024;
/// The most special points that a help lists.
const MOST_LISTED: usize = 20;
const MEANT: &str =
    "give a file with what `saltation continue MODEL --json` printed, or the branch.json that --out DIR wrote";
const BROKEN: &str = "write it anew with `saltation continue`";

/// A file that holds a branch of a model.
#[derive(Debug)]
pub struct BranchFile<'m> {
    model: &'m Model,
    file: String,
    value: Value,
}

/// A special point of a branch, as it was written.
#[derive(Debug)]
pub struct SpecialPoint {
    /// What it is.
    pub kind: SpecialKind,
    /// The values of all parameters there.
    pub parameters: Vec<(String, f64)>,
    /// The state that is told for it.
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

impl<'m> BranchFile<'m> {
    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, or holds no branch of this very model.
    pub fn read(path: &Path, model: &'m Model) -> Result<BranchFile<'m>, Mistakes> {
        let file = path.display().to_string();
        let flag = Flag::new("--from", &file);
        let value = JsonFile { flag, largest: LARGEST, what: "a branch", meant: MEANT }.read(path)?;
        let answer = json_file::answer(&value);
        if answer.get("special").and_then(Value::as_array).is_none() {
            let (message, help) = match answer.get("state") {
                Some(_) => {
                    ("the file holds an orbit, not a branch", "saltation continue follows it as a parameter varies")
                }
                None => ("the file holds no branch: it has no list `special`", MEANT),
            };
            return Err(flag.mistake(message, help));
        }
        json_file::same_model(flag, &value, model, BROKEN)?;
        Ok(BranchFile { model, value, file })
    }

    fn answer(&self) -> &Value {
        json_file::answer(&self.value)
    }

    fn flag(&self) -> Flag<'_> {
        Flag::new("--from", &self.file)
    }

    /// The name of the file.
    pub fn name(&self) -> &str {
        &self.file
    }

    /// A text of the branch.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.answer().get(key).and_then(Value::as_str)
    }

    /// A number of the branch.
    pub fn number(&self, key: &str) -> Option<f64> {
        self.answer().get(key).and_then(Value::as_f64)
    }

    /// The special points of the branch, number 0, or of one that begins on it.
    fn special(&self, branch: usize) -> Option<&[Value]> {
        let further = || self.answer().get("branches")?.get(branch - 1);
        let branch = if branch == 0 { Some(self.answer()) } else { further() };
        Some(branch?.get("special")?.as_array()?.as_slice())
    }

    /// Whether a branch is one of equilibria.
    fn is_of_equilibria(&self, branch: usize) -> bool {
        let further = || self.answer().get("branches")?.get(branch - 1);
        let branch = if branch == 0 { Some(self.answer()) } else { further() };
        branch.and_then(|branch| branch.get("kind")).and_then(Value::as_str) == Some("equilibrium")
    }

    /// The special points, as a help.
    pub fn all(&self, branch: usize) -> String {
        let name = |one: &Value| cut(one.get("kind").and_then(Value::as_str).unwrap_or("?")).replace('_', " ");
        let points = self.special(branch).unwrap_or_default().iter().enumerate();
        let list: Vec<String> = points.take(MOST_LISTED).map(|(k, one)| format!("{k} {}", name(one))).collect();
        match list.as_slice() {
            [] => "nothing is special on this branch: follow it over a larger range".to_string(),
            list => format!("the branch has {}", list.join(", ")),
        }
    }

    /// A special point by its position, `INDEX`, or `BRANCH:INDEX` for one of a branch that begins on the first one.
    ///
    /// # Errors
    /// If there is none, or it is not as this program writes it.
    pub fn at(&self, flag: Flag) -> Result<SpecialPoint, Mistakes> {
        let text = flag.value().trim();
        let (branch, index) = text.split_once(':').unwrap_or(("0", text));
        let (Ok(branch), Ok(index)) = (branch.parse::<usize>(), index.parse::<usize>()) else {
            let message = format!("--at needs a whole number from 0 on, not `{}`", cut(text));
            return Err(flag.mistake(message, self.all(0)));
        };
        let Some(points) = self.special(branch) else {
            let further = self.answer().get("branches").and_then(Value::as_array).map_or(0, Vec::len);
            let message = format!("the file has no branch {branch}");
            let help = match further {
                0 => "its only branch has the number 0; saltation continue --switch follows further ones".to_string(),
                _ => format!("its branches have the numbers 0 to {further}"),
            };
            return Err(flag.mistake(message, help));
        };
        let Some(one) = points.get(index) else {
            let message = match points.len() {
                0 => "the branch has no special points".to_string(),
                1 => format!("the branch has 1 special point, which is number 0: there is no number {index}"),
                n => format!("the branch has {}, from 0 to {}", count(n as u64, "special point"), n - 1),
            };
            return Err(flag.mistake(message, self.all(branch)));
        };
        if self.is_of_equilibria(branch) {
            let help = "curves are followed from special points of orbits, as those of its limit cycles: BRANCH:INDEX";
            return Err(flag.mistake("this is a special point of equilibria, not of orbits", help));
        }
        self.read_special(one).ok_or_else(|| {
            let message = format!("special point {text} of the branch is not as `saltation continue` writes it");
            self.flag().mistake(message, BROKEN)
        })
    }

    fn read_special(&self, one: &Value) -> Option<SpecialPoint> {
        let word = one.get("kind")?.as_str()?;
        let kind = SpecialKind::ALL.into_iter().find(|kind| kind.name() == word)?;
        let nodes: Vec<Node> =
            one.get("nodes")?.as_array()?.iter().map(|node| self.node(node)).collect::<Option<_>>()?;
        if nodes.first().is_none_or(|node| node.kind == Kind::Waypoint) {
            return None;
        }
        let mirror = match one.get("mirror")? {
            Value::Null => None,
            mirror => Some(self.mirror(mirror)?),
        };
        let states = self.model.states.len();
        let signature = Signature { nodes, turns: floats(one.get("turns")?, states)?, mirror };
        // Waypoints are left out when a branch is told.
        let wanted = signature.layout(states).parameters + 1;
        let unknowns = floats(one.get("unknowns")?, wanted)?;
        let sizes = floats(one.get("sizes")?, wanted).filter(|sizes| sizes.iter().all(|size| *size > 0.0))?;
        let place = match one.get("place")? {
            Value::Null => Place::Everywhere,
            place => self.place(place, signature.nodes.len())?,
        };
        let values = one.get("state")?;
        let state =
            self.model.states.iter().map(|state| values.get(&state.name)?.as_f64()).collect::<Option<Vec<f64>>>()?;
        let parameters = numbers(one.get("parameters")?.as_object()?);
        Some(SpecialPoint { kind, parameters, state, signature, unknowns, sizes, place })
    }

    fn contact(&self, value: &Value) -> Option<usize> {
        self.model.contact(value.as_str()?)
    }

    fn node(&self, value: &Value) -> Option<Node> {
        let contact = || self.contact(value.get("contact")?);
        let states = self.model.states.len();
        let kind = match value.get("kind")?.as_str()? {
            "impact" => Kind::Impact { contact: contact()? },
            "chatter" => Kind::Chatter { contact: contact()? },
            "accumulation" => {
                let impacts = usize::try_from(value.get("value")?.as_u64()?).ok()?;
                Kind::Accumulation { contact: contact()?, impacts }
            }
            "release" => Kind::Release { contact: contact()? },
            "turn" => {
                let word = value.get("value")?.as_str()?;
                let bound = Bound::ALL.into_iter().find(|bound| bound.name() == word)?;
                Kind::Turn { contact: contact()?, bound }
            }
            "minimum" => Kind::Minimum { contact: contact()? },
            "phase" if self.model.phase.is_some() => Kind::Phase { value: value.get("value")?.as_f64()? },
            "plane" => {
                let plane = value.get("value")?;
                Kind::Plane {
                    normal: floats(plane.get("normal")?, states)?,
                    point: floats(plane.get("point")?, states)?,
                }
            }
            "waypoint" => Kind::Waypoint,
            _ => return None,
        };
        let collisions = match value.get("collisions") {
            None => Vec::new(),
            Some(list) => list.as_array()?.iter().map(|one| self.collision(one)).collect::<Option<_>>()?,
        };
        let (before, after) = (self.mode(value.get("before")?)?, self.mode(value.get("after")?)?);
        let node = Node { kind, before, after, collisions };
        // Only what is closed can be released.
        let possible = match node.kind {
            Kind::Release { contact } | Kind::Turn { contact, .. } => node.before.contains(contact),
            _ => true,
        };
        possible.then_some(node)
    }

    fn mode(&self, value: &Value) -> Option<ClosedSet> {
        let text = value.as_str()?;
        if text == "flight" {
            return Some(ClosedSet::NONE);
        }
        text.split(',').try_fold(ClosedSet::NONE, |closed, part| {
            let (word, name) = part.split_once(':')?;
            let contact = self.model.contact(name)?;
            let rubs = word == "stick" || self.model.contacts[contact].friction.is_some();
            closed.with_word(contact, word).filter(|_| rubs)
        })
    }

    fn collision(&self, value: &Value) -> Option<Collision> {
        let rule = |value: &'_ Value| -> Option<(usize, String, String)> {
            let words = value.as_array().filter(|words| words.len() == 3)?;
            Some((self.contact(&words[0])?, words[1].as_str()?.to_string(), words[2].as_str()?.to_string()))
        };
        let phases = value.as_array()?.iter().map(|phase| phase.as_array()?.iter().map(rule).collect::<Option<_>>());
        let phases: Vec<Vec<(usize, String, String)>> = phases.collect::<Option<_>>()?;
        let words: Vec<Vec<(usize, &str, &str)>> =
            phases.iter().map(|phase| phase.iter().map(|(c, n, t)| (*c, n.as_str(), t.as_str())).collect()).collect();
        Collision::from_rules(&words)
    }

    fn mirror(&self, value: &Value) -> Option<SymmetryMap> {
        let images = value.get("contacts")?.as_object()?;
        let image = |contact: &saltation_model::Contact| self.contact(images.get(&contact.name)?);
        Some(SymmetryMap {
            signs: floats(value.get("signs")?, self.model.states.len())?,
            shift: value.get("shift")?.as_f64()?,
            contacts: self.model.contacts.iter().map(image).collect::<Option<_>>()?,
            slips: match value.get("slips") {
                Some(slips) => floats(slips, self.model.contacts.len())?,
                // Files from before slip was part of it.
                None if self.model.contacts.iter().all(|contact| contact.friction.is_none()) => {
                    vec![1.0; self.model.contacts.len()]
                }
                None => return None,
            },
        })
    }

    fn place(&self, value: &Value, nodes: usize) -> Option<Place> {
        let node = usize::try_from(value.get("node")?.as_u64()?).ok().filter(|node| *node < nodes)?;
        let Some(contact) = value.get("contact") else { return Some(Place::Node(node)) };
        let state = floats(value.get("state")?, self.model.states.len())?;
        let site = Site { node, time: value.get("time")?.as_f64()?, state };
        Some(Place::Between { contact: self.contact(contact)?, site })
    }
}

/// So many finite numbers.
fn floats(value: &Value, wanted: usize) -> Option<Vec<f64>> {
    let list: Vec<f64> = value.as_array()?.iter().map(Value::as_f64).collect::<Option<_>>()?;
    (list.len() == wanted && list.iter().all(|x| x.is_finite())).then_some(list)
}
