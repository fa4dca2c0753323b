//! What `[friction.NAME]` adds to a body: its forces with the surfaces of zero slip, what can be wrong with it, and how it is described (`dry`).

use saltation_expr::{Function, Graph, Node};

use crate::dry::{Dry, DryReport};
use crate::entries::{BodyEntry, DryEntry};
use crate::meaning::Meaning;
use crate::mechanics::Mechanics;
use crate::mistake::Mistake;
use crate::model::Model;
use crate::modulus;
use crate::names::Place;
use crate::parts::Motion;
use crate::point::{Point, short};
use crate::switch::{self, Surface};

/// The formulas of dry friction.
pub(crate) struct Dragging {
    pub track: Node,
    pub belt: Node,
    pub force: Node,
    pub held: Option<Node>,
}

impl Meaning<'_> {
    /// The formulas of `[friction.NAME]`.
    pub(crate) fn dragging(&mut self) -> Vec<Dragging> {
        let file = self.file;
        if let (Some(first), BodyEntry::Flow { .. } | BodyEntry::Matrices(_)) = (file.frictions.first(), &file.body) {
            let message = "dry friction acts on a body with coordinates: [mechanics] or [lagrangian]";
            let help = "in a [flow] write the force into the rates, e.g. -F*sign(v)";
            self.mistakes.push(Mistake::at(first.name.inside(), message).help(help));
            return Vec::new();
        }
        let read = |entry: &DryEntry| {
            let key = format!("friction.{}", entry.name.text);
            let force = self.formula(&entry.force, &Place::DRY, &format!("{key}.force"));
            let held = entry.held.as_ref().map(|held| self.formula(held, &Place::HELD, &format!("{key}.static")));
            let track = self.formula(&entry.track, &Place::TRACK, &format!("{key}.track"));
            let belt = match &entry.belt {
                Some(belt) => self.formula(belt, &Place::BELT, &format!("{key}.belt")),
                None => self.graph.constant(0.0),
            };
            Dragging { track, belt, force, held }
        };
        file.frictions.iter().map(read).collect()
    }
}

/// Adds the forces of dry friction to those of a body with the coordinates and velocities `x`, and gives it with its surfaces, whose switches are not known yet.
pub(crate) fn add(
    graph: &mut Graph,
    (entries, dragging): (&[DryEntry], Vec<Dragging>),
    motion: &mut Motion,
    x: &[Node],
    (moving, carried): (&[Node], &[(Node, Node)]),
) -> Result<(Vec<Dry>, Vec<Surface>), Vec<Mistake>> {
    if entries.is_empty() {
        return Ok(Default::default());
    }
    let n = x.len() / 2;
    let (formulas, forces) = match motion {
        Motion::Mechanics { force, .. } => (force.clone(), force),
        Motion::Lagrangian { lagrangian, dissipation, forces } => {
            ([&[*lagrangian, *dissipation], &forces[..]].concat(), forces)
        }
        Motion::Flow(_) | Motion::Matrices { .. } => return Ok(Default::default()),
    };
    let others: Vec<Node> = formulas.iter().flat_map(|&formula| graph.sides_in(formula)).collect();
    let (mut found, mut mistakes): (Vec<Dry>, Vec<Mistake>) = Default::default();
    let (mut slips, mut openings): (Vec<Surface>, Vec<Surface>) = Default::default();
    for (entry, Dragging { track, belt, force, held }) in entries.iter().zip(dragging) {
        let name = entry.name.text.clone();
        let tangent = graph.gradient(track, &x[..n]);
        let zero = graph.constant(0.0);
        if tangent.iter().all(|&part| part == zero) {
            let message =
                format!("the track of friction `{name}` does not depend on any coordinate, so nothing slips along it");
            let example = x.first().map(|&symbol| graph.print(symbol)).unwrap_or_default();
            let help = format!("a track is the position along the surface, e.g. track = \"{example}\"");
            mistakes.push(Mistake::at(entry.track.inside(), message).help(help));
            continue;
        }
        let mut speed = graph.dot(&tangent, &x[n..]);
        for &(symbol, rate) in carried {
            let slope = graph.derivative(track, symbol);
            let moved = graph.multiply(slope, rate);
            speed = graph.add(speed, moved);
        }
        let slip = graph.subtract(speed, belt);
        // A static limit is one of the whole force that reverses at its surface.
        let same = |graph: &Graph, other: Node| modulus::ratio(graph, other, slip).is_some();
        let of_formula = others.iter().find(|&&sign| switch::argument(graph, sign).is_some_and(|s| same(graph, s)));
        if held.is_some() && of_formula.is_some() {
            let message = format!(
                "the static limit of friction `{name}` is not that of all friction at its slip: a formula has the sign of the same speed"
            );
            let help = "put that force into `force` and `static` of this table, too";
            mistakes.push(Mistake::at(entry.name.inside(), message).help(help));
        }
        if let Some(other) = found.iter().find(|other| same(graph, other.slip))
            && (held.is_some() || other.held.is_some())
        {
            let message =
                format!("`{}` and `{name}` rub at the same speed of slip, and one has a static limit", other.name);
            let help = "write them as one friction, whose forces are the sums";
            mistakes.push(Mistake::at(entry.name.inside(), message).help(help));
        }
        let sign = graph.apply(Function::Sign, slip);
        let acts = positive_part(graph, force);
        let drag = graph.multiply(acts, sign);
        for (own, part) in forces.iter_mut().zip(tangent) {
            let part = graph.multiply(drag, part);
            *own = graph.subtract(*own, part);
        }
        slips.push(Surface { name: name.clone(), when: slip });
        if graph.symbols_of(force).iter().any(|symbol| moving.contains(symbol)) {
            openings.push(Surface { name: format!("{name}.force"), when: force });
        }
        found.push(Dry { name, switch: 0, track, slip, force, acts, held, response: Vec::new() });
    }
    // The surfaces of slip first, in the order of the frictions.
    slips.extend(openings);
    if mistakes.is_empty() { Ok((found, slips)) } else { Err(mistakes) }
}

/// The rate of every state, and the forces of constraints, per unit of a force along a track.
pub(crate) fn response(graph: &mut Graph, body: &Mechanics, states: &[Node], track: Node) -> Vec<Node> {
    let q: Vec<Node> = body.coordinates.iter().map(|&i| states[i]).collect();
    let tangent = graph.gradient(track, &q);
    let (moved, carried) = body.response(graph, &tangent);
    let mut response = vec![graph.constant(0.0); states.len()];
    body.velocities.iter().zip(moved).for_each(|(&v, moved)| response[v] = moved);
    [response, carried].concat()
}

/// The positive part of a formula, (f + |f|)/2.
fn positive_part(graph: &mut Graph, formula: Node) -> Node {
    let (one, two) = (graph.constant(1.0), graph.constant(2.0));
    let sign = graph.apply(Function::Sign, formula);
    let share = graph.add(one, sign);
    let share = graph.divide(share, two);
    graph.multiply(share, formula)
}

/// Mistakes in the forces at the start: what holds is less than what drags.
pub(crate) fn at_start(model: &Model, start: &Point) -> Vec<Mistake> {
    let wrong = |dry: &Dry| {
        let key = |field: &str| format!("friction.{}.{field}", dry.name);
        let force = start.values(&model.graph, &[dry.force])[0];
        let held = start.values(&model.graph, &[dry.held?])[0];
        (force > 0.0 && held < force).then(|| {
            let message = format!(
                "the static limit {} of friction `{}` is below its force while it slips, {}",
                short(held),
                dry.name,
                short(force)
            );
            let help = "give a limit that is not smaller, or leave `static` out";
            model.mistake_at(&key("static"), message).help(help)
        })
    };
    model.frictions.iter().filter_map(wrong).collect()
}

/// The formulas with their places in the file.
pub(crate) fn formulas(model: &Model) -> Vec<(String, Node)> {
    let of = |dry: &Dry| {
        let key = |field: &str| format!("friction.{}.{field}", dry.name);
        let held = dry.held.map(|held| (key("static"), held));
        [(key("force"), dry.force), (key("track"), dry.track)].into_iter().chain(held).collect::<Vec<_>>()
    };
    model.frictions.iter().flat_map(of).collect()
}

/// The dry friction of a model.
pub(crate) fn reports(model: &Model) -> Vec<DryReport> {
    let print = |node: Node| model.graph.print(node);
    let report = |dry: &Dry| DryReport {
        name: dry.name.clone(),
        track: print(dry.track),
        slip: print(dry.slip),
        force: print(dry.force),
        held: dry.held.map(print),
    };
    model.frictions.iter().map(report).collect()
}
