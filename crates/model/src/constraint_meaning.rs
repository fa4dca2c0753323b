//! What `[constraints.NAME]` does to a body: which constraints hold by others, the accelerations with the forces of the rest, and where a start comes to lie.
//!
//! Which hold by others is seen in the numbers of the file: at states that obey all of them, near the start in place, speed, time and phase. A slope that depends on those before it has a pivot of A = G M^-1 G' that is
//! rounding; at a singular place alone it would not vanish elsewhere.

use saltation_expr::{Graph, Node};
use saltation_numerics::dense::Matrix;
use saltation_numerics::random::Random;

use crate::constraint::{Constrained, Constraint, ConstraintReport, Reaction, at_constant_velocities, speed};
use crate::contact::Contact;
use crate::entries::{BodyEntry, ConstraintEntry};
use crate::meaning::Meaning;
use crate::mechanics::Mechanics;
use crate::mistake::Mistake;
use crate::model::Model;
use crate::names::Place;
use crate::numbers::Numbers;
use crate::point::{Point, short};

/// A pivot below this part of its diagonal entry depends on those before: their angle is its root.
const DEPENDENT: f64 = 1e-10;
/// At so many states the rank is looked at, each so far from the start relative to the coordinates.
const STATES: usize = 4;
const APART: f64 = 1e-2;
/// Newton's method takes at most so many steps onto the constraints.
const STEPS: usize = 50;
/// Where constraints depend on each other, their matrix has so much more on its diagonal.
const SHIFT: f64 = 1e-8;
/// Newton's method converges for certain where its second step is at most this part of its first (Kantorovich's condition with some room).
const CLOSE: f64 = 0.25;
/// Velocities whose energy is that of this many parts of what the constraints leave of them are not meant so.
const LOST: f64 = 4.0;

impl Meaning<'_> {
    /// The formulas of `[constraints.NAME]`.
    pub(crate) fn keeps(&mut self) -> Vec<Node> {
        let file = self.file;
        if let (Some(first), BodyEntry::Flow { .. } | BodyEntry::Matrices(_)) = (file.constraints.first(), &file.body) {
            let message =
                "a constraint holds a body with coordinates by its forces: one of [mechanics] or [lagrangian]";
            let help = match &file.body {
                BodyEntry::Flow { .. } => "in a [flow] remove a state with the help of the constraint",
                _ => "write the structure as [mechanics], or connect its degrees of freedom in the matrices",
            };
            self.mistakes.push(Mistake::at(first.name.inside(), message).help(help));
            return Vec::new();
        }
        if let (Some(first), Some(element)) = (file.constraints.first(), file.complementarities.first()) {
            let (constraint, element) = (&first.name.text, &element.name.text);
            let message = format!(
                "the model has the constraint `{constraint}` and the complementarity `{element}`, which are not solved together"
            );
            let help =
                "write the body with fewer coordinates, which need no constraints, or the complementarity as a contact";
            self.mistakes.push(Mistake::at(first.name.inside(), message).help(help));
        }
        let read = |entry: &ConstraintEntry| {
            let (place, key) = if entry.of_positions { (&Place::KEEP, "keep") } else { (&Place::KEPT_RATE, "rate") };
            self.formula(&entry.keep, place, &format!("constraints.{}.{key}", entry.name.text))
        };
        file.constraints.iter().map(read).collect()
    }
}

/// The place of the formula of a constraint in the file.
pub(crate) fn place(constraint: &Constraint) -> String {
    format!("constraints.{}.{}", constraint.name, if constraint.of_positions { "keep" } else { "rate" })
}

/// Puts constraints on a body with the coordinates and velocities `x`, whose free accelerations become those with the forces of the constraints. `numbers` are the values of
/// all symbols in the file; the contacts that constraints with friction are begin at `first_side`.
pub(crate) fn constrain(
    graph: &mut Graph,
    (entries, keeps): (&[ConstraintEntry], Vec<Node>),
    (body, accelerations): (&mut Mechanics, &mut Vec<Node>),
    (x, carried): (&[Node], &[(Node, Node)]),
    (numbers, first_side): (&[f64], usize),
) -> Result<Vec<Constraint>, Vec<Mistake>> {
    if entries.is_empty() {
        return Ok(Vec::new());
    }
    let n = x.len() / 2;
    let zero = graph.constant(0.0);
    let mut mistakes = Vec::new();
    let (mut constraints, mut reactions): (Vec<Constraint>, Vec<Reaction>) = Default::default();
    // Those with friction last: their forces have to be their own.
    let mut written: Vec<(&ConstraintEntry, Node)> = entries.iter().zip(keeps).collect();
    written.sort_by_key(|(entry, _)| entry.friction.is_some());
    for &(entry, keep) in &written {
        let speed = speed(graph, (keep, entry.of_positions), x, carried);
        let slope = graph.gradient(speed, &x[n..]);
        if slope.iter().all(|&part| part == zero) {
            let of = if entry.of_positions { "coordinate" } else { "velocity" };
            let message =
                format!("the constraint `{}` does not depend on any {of}, so it holds nothing", entry.name.text);
            let help = if entry.of_positions {
                "a constraint is a function of coordinates that stays zero, e.g. keep = \"x^2 + y^2 - L^2\""
            } else {
                "a constraint on velocities is a function of them that stays zero, e.g. rate = \"v - r*w\""
            };
            mistakes.push(Mistake::at(entry.keep.inside(), message).help(help));
            continue;
        }
        let spread = body.free_response(graph, &slope);
        let drift = at_constant_velocities(graph, speed, x, carried);
        reactions.push(Reaction { slope, spread, drift });
        let (name, of_positions) = (entry.name.text.clone(), entry.of_positions);
        constraints.push(Constraint { name, keep, speed, of_positions, force: None, sides: None });
    }
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let advancing: Vec<usize> = carried.iter().filter_map(|&(symbol, _)| graph.as_symbol(symbol)).collect();
    let has_force = independent(graph, (&constraints, &reactions), (x, body, &advancing), numbers);
    for ((entry, _), _) in written.iter().zip(&has_force).filter(|((entry, _), has)| entry.friction.is_some() && !**has)
    {
        let message = format!(
            "the friction of the constraint `{}` is not determined: it holds by the others, and how they share their force is not known",
            entry.name.text
        );
        let help = "remove its friction, or the constraint that says the same";
        mistakes.push(Mistake::at(entry.keep.inside(), message).help(help));
    }
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let smooth = written.iter().filter(|(entry, _)| entry.friction.is_none()).count();
    let eliminated: Vec<usize> = (0..smooth).filter(|&i| has_force[i]).collect();
    for (force, &i) in eliminated.iter().enumerate() {
        constraints[i].force = Some(force);
    }
    for (k, constraint) in constraints[smooth..].iter_mut().enumerate() {
        constraint.sides = Some([first_side + 2 * k, first_side + 2 * k + 1]);
    }
    if smooth < constraints.len() {
        let all: Vec<usize> = eliminated.iter().copied().chain(smooth..constraints.len()).collect();
        let mut all = together(graph, (&constraints, &reactions), &all);
        all.correct(graph);
        body.onto = Some(Box::new(all.correction));
    }
    if !eliminated.is_empty() {
        let mut constrained = together(graph, (&constraints, &reactions), &eliminated);
        let drift: Vec<Node> = eliminated.iter().map(|&i| reactions[i].drift).collect();
        *accelerations = constrained.accelerations(graph, accelerations, &drift);
        constrained.correct(graph);
        body.constrained = Some(Box::new(constrained));
    }
    Ok(constraints)
}

/// Some of the constraints of a body, without their forces.
fn together(graph: &mut Graph, (constraints, reactions): (&[Constraint], &[Reaction]), which: &[usize]) -> Constrained {
    let slopes: Vec<Vec<Node>> = which.iter().map(|&i| reactions[i].slope.clone()).collect();
    let spread: Vec<Vec<Node>> = which.iter().map(|&i| reactions[i].spread.clone()).collect();
    let delassus = slopes.iter().map(|slope| spread.iter().map(|moved| graph.dot(slope, moved)).collect()).collect();
    Constrained {
        positions: which.iter().map(|&i| constraints[i].of_positions.then_some(constraints[i].keep)).collect(),
        speeds: which.iter().map(|&i| constraints[i].speed).collect(),
        slopes,
        spread,
        delassus,
        regularity: Vec::new(),
        forces: Vec::new(),
        correction: Default::default(),
    }
}

/// Which constraints do not hold by those before them, at states near the start that obey them all.
fn independent(
    graph: &Graph,
    (constraints, reactions): (&[Constraint], &[Reaction]),
    (x, body, carried): (&[Node], &Mechanics, &[usize]),
    numbers: &[f64],
) -> Vec<bool> {
    let m = constraints.len();
    let n = x.len() / 2;
    let mut random = Random(0);
    let mut found: Vec<Vec<f64>> = Vec::new();
    let largest = |states: &[usize]| states.iter().map(|&i| numbers[i].abs()).fold(0.0, f64::max);
    let or = |size: f64, other: f64| if size > 0.0 { size } else { other };
    let size = or(largest(&body.coordinates), 1.0);
    let speed = or(largest(&body.velocities), size);
    for state in 0..STATES {
        let mut values = numbers.to_vec();
        if state > 0 {
            for &i in &body.coordinates {
                values[i] += APART * size * random.symmetric();
            }
            for &i in &body.velocities {
                values[i] += APART * speed * random.symmetric();
            }
            for &i in carried {
                values[i] += APART * random.symmetric();
            }
        }
        if let Some(values) = onto(graph, (constraints, reactions), body, values) {
            found.push(values);
        }
    }
    if found.is_empty() {
        found.push(numbers.to_vec());
    }
    let nodes: Vec<Node> = reactions.iter().flat_map(|r| r.slope.iter().chain(&r.spread).copied()).collect();
    let matrices: Vec<Vec<f64>> = found
        .iter()
        .map(|values| {
            let all = graph.evaluate_all(&nodes, &|symbol| values[symbol]);
            let part = |i: usize, of: usize| &all[(2 * i + of) * n..(2 * i + of + 1) * n];
            let entry = |i: usize, j: usize| part(i, 0).iter().zip(part(j, 1)).map(|(a, b)| a * b).sum::<f64>();
            (0..m * m).map(|k| entry(k / m, k % m)).collect()
        })
        .filter(|matrix: &Vec<f64>| matrix.iter().all(|entry| entry.is_finite()))
        .collect();
    // Elimination in the order of the file; what is rounding at all states is left out.
    let mut has_force = vec![matrices.is_empty(); m];
    let mut rest = matrices.clone();
    for k in 0..m {
        let regular = rest.iter().zip(&matrices).any(|(a, whole)| a[k * m + k] > DEPENDENT * whole[k * m + k]);
        if !regular {
            continue;
        }
        has_force[k] = true;
        for a in &mut rest {
            let pivot = a[k * m + k];
            if pivot <= 0.0 {
                continue;
            }
            for i in k + 1..m {
                let factor = a[i * m + k] / pivot;
                (k..m).for_each(|j| a[i * m + j] -= factor * a[k * m + j]);
            }
        }
    }
    has_force
}

/// The values of all symbols with coordinates and velocities that obey all constraints, which may depend on each other.
fn onto(
    graph: &Graph,
    (constraints, reactions): (&[Constraint], &[Reaction]),
    body: &Mechanics,
    values: Vec<f64>,
) -> Option<Vec<f64>> {
    let own: Vec<(&Constraint, &Reaction)> = constraints.iter().zip(reactions).collect();
    let places = own.iter().filter(|(constraint, _)| constraint.of_positions);
    let places: Vec<(Node, &Reaction)> = places.map(|&(constraint, reaction)| (constraint.keep, reaction)).collect();
    let speeds: Vec<(Node, &Reaction)> =
        own.iter().map(|&(constraint, reaction)| (constraint.speed, reaction)).collect();
    let placed = zero_of(graph, &places, &body.coordinates, values)?;
    Some(zero_of(graph, &speeds, &body.velocities, placed.clone()).unwrap_or(placed))
}

/// The values of all symbols where formulas are zero, by Newton's method along the directions of forces; it `moves` coordinates or velocities.
fn zero_of(graph: &Graph, formulas: &[(Node, &Reaction)], moves: &[usize], mut values: Vec<f64>) -> Option<Vec<f64>> {
    let (m, n) = (formulas.len(), moves.len());
    let mut nodes: Vec<Node> = formulas.iter().map(|(formula, _)| *formula).collect();
    nodes.extend(formulas.iter().flat_map(|(_, reaction)| reaction.slope.iter().chain(&reaction.spread).copied()));
    let mut smallest = f64::INFINITY;
    for _ in 0..STEPS {
        let all = graph.evaluate_all(&nodes, &|symbol| values[symbol]);
        if !all.iter().all(|value| value.is_finite()) {
            return None;
        }
        let part = |i: usize, of: usize| &all[m + (2 * i + of) * n..m + (2 * i + of + 1) * n];
        let entry = |i: usize, j: usize| part(i, 0).iter().zip(part(j, 1)).map(|(a, b)| a * b).sum::<f64>();
        let shift = |i: usize, j: usize| if i == j { 1.0 + SHIFT } else { 1.0 };
        let matrix = Matrix::from_fn(m, m, |i, j| shift(i, j) * entry(i, j));
        let right: Vec<f64> = all[..m].iter().map(|c| -c).collect();
        let lengths = matrix.solve(&right).ok()?.x;
        let mut step = 0.0_f64;
        for (j, &moved) in moves.iter().enumerate() {
            let change: f64 = (0..m).map(|i| part(i, 1)[j] * lengths[i]).sum();
            values[moved] += change;
            step = step.max(change.abs() / values[moved].abs().max(f64::MIN_POSITIVE));
        }
        // It has come as far as rounding allows.
        if step >= 0.5 * smallest && smallest < DEPENDENT || step == 0.0 {
            return Some(values);
        }
        smallest = smallest.min(step);
    }
    (smallest < DEPENDENT.sqrt()).then_some(values)
}

/// The start on the constraints.
pub(crate) fn start(model: &Model, numbers: &Numbers) -> Result<Vec<f64>, Mistake> {
    let Some(body) = model.body.mechanics() else { return Ok(numbers.start.clone()) };
    let correction = body.onto.as_deref().or(body.constrained.as_deref().map(|constrained| &constrained.correction));
    let Some((back, impulse)) = correction else { return Ok(numbers.start.clone()) };
    let graph = &model.graph;
    let masses: Vec<Node> = body.mass.iter().flatten().copied().collect();
    let first = Point::start(numbers);
    let mass = first.values(graph, &masses);
    let n = body.coordinates.len();
    let energy = |change: &[f64]| -> f64 {
        (0..n).map(|i| change[i] * (0..n).map(|j| mass[i * n + j] * change[j]).sum::<f64>()).sum()
    };
    let mut point = first.clone();
    let mut sizes: Vec<f64> = Vec::new();
    loop {
        let change = point.values(graph, back);
        if change.iter().any(|part| !part.is_finite()) {
            return Err(singular(model, &point));
        }
        let size = energy(&change).max(0.0).sqrt();
        body.coordinates.iter().zip(&change).for_each(|(&q, part)| point = point.with(q, point.state(q) + part));
        let coordinates: Vec<f64> = body.coordinates.iter().map(|&q| point.state(q)).collect();
        let rounding = DEPENDENT * energy(&coordinates).max(0.0).sqrt();
        let before = sizes.last().copied();
        if size == 0.0 || before.is_some_and(|before| before <= rounding && size >= 0.5 * before) {
            break;
        }
        let diverges = before.is_some_and(|before| size > rounding && size > CLOSE * before);
        sizes.push(size);
        if diverges || sizes.len() > STEPS {
            return Err(far(model, &first));
        }
    }
    // What holds by others does so indeed.
    for constraint in model.constraints.iter().filter(|c| c.is_redundant() && c.of_positions) {
        let value = point.value(graph, constraint.keep);
        if value.abs() > DEPENDENT.sqrt() * point.sizes(graph, &[constraint.keep])[0] {
            let message = format!(
                "the constraint `{}` contradicts the others: it is {} where they hold",
                constraint.name,
                short(value)
            );
            let help = "change its numbers, or remove one of them";
            return Err(model.mistake_at(&place(constraint), message).help(help));
        }
    }
    for round in 0..2 {
        let change = point.values(graph, impulse);
        if change.iter().any(|part| !part.is_finite()) {
            return Err(singular(model, &point));
        }
        let typed: Vec<f64> = body.velocities.iter().map(|&v| point.state(v)).collect();
        body.velocities.iter().zip(&change).for_each(|(&v, part)| point = point.with(v, point.state(v) + part));
        let kept: Vec<f64> = body.velocities.iter().map(|&v| point.state(v)).collect();
        let lost = energy(&change);
        if round == 0 && lost > LOST * energy(&kept) && lost > DEPENDENT * energy(&typed) {
            let nearest = body.velocities.iter().zip(&kept);
            let nearest: Vec<String> =
                nearest.map(|(&v, value)| format!("{} = {}", model.states[v].name, short(*value))).collect();
            let message = "the velocities of the start are far from what the constraints allow".to_string();
            let help = format!("the nearest that obey them are {}", nearest.join(", "));
            return Err(model.mistake_at(&worst(model, &first, false), message).help(help));
        }
    }
    Ok((0..model.states.len()).map(|i| point.state(i)).collect())
}

/// Contacts whose gaps the constraints keep from moving, and tracks of theirs: no force of the contact could. At a dead centre they do so for an instant only.
pub(crate) fn held_contacts(model: &Model, numbers: &Numbers) -> Vec<Mistake> {
    let Some(body) = model.body.mechanics() else { return Vec::new() };
    let Some(constrained) = body.constrained.as_deref() else { return Vec::new() };
    let n = body.velocities.len();
    let mut random = Random(1);
    let size = body.coordinates.iter().map(|&i| numbers.start[i].abs()).fold(0.0, f64::max);
    let mut beside = |apart: f64| {
        let mut moved = numbers.clone();
        body.coordinates.iter().for_each(|&i| moved.start[i] += apart * size * random.symmetric());
        let state = start(model, &moved).ok()?;
        Some(Point::start(&Numbers { start: state, ..moved }))
    };
    let points: Vec<Point> = (0..STATES).filter_map(|k| beside(if k == 0 { 0.0 } else { APART })).collect();
    let mass: Vec<Node> = body.mass.iter().flatten().copied().collect();
    let spread: Vec<Node> = constrained.spread.iter().flatten().copied().collect();
    // What a force does with the constraints, and what it would do without their answer to it.
    let is_held_at = |point: &Point, response: &[Node], carried: &[Node]| {
        let of = |nodes: &[Node]| point.values(&model.graph, nodes);
        let (mass, spread, moved, answer) = (of(&mass), of(&spread), of(response), of(carried));
        let energy = |change: &[f64]| -> f64 {
            (0..n).map(|i| change[i] * (0..n).map(|j| mass[i * n + j] * change[j]).sum::<f64>()).sum()
        };
        let moved: Vec<f64> = body.velocities.iter().map(|&v| moved[v]).collect();
        let back = |j: usize| answer.iter().enumerate().map(|(i, force)| force * spread[i * n + j]).sum::<f64>();
        let free: Vec<f64> = moved.iter().enumerate().map(|(j, own)| own - back(j)).collect();
        energy(&moved) <= DEPENDENT * energy(&free)
    };
    let is_held = |response: &[Node], carried: &[Node]| {
        !points.is_empty() && points.iter().all(|point| is_held_at(point, response, carried))
    };
    let told = |contact: &Contact| {
        let name = &contact.name;
        if is_held(&contact.response, &contact.carried) {
            let message = format!("the constraints hold the gap of contact `{name}`: no impact can change its speed");
            let help = "remove the contact, or the constraint that says the same";
            return Some(model.mistake_at(&format!("contacts.{name}.gap"), message).help(help));
        }
        let friction = contact.friction.as_ref()?;
        is_held(&friction.response, &friction.carried).then(|| {
            let message = format!("the constraints hold the track of contact `{name}`: nothing slips along it");
            let help = "remove its friction, or the constraint that says the same";
            model.mistake_at(&format!("contacts.{name}.track"), message).help(help)
        })
    };
    model.contacts.iter().filter_map(told).collect()
}

/// The place of the constraint that is violated most at a point, in units of its terms.
fn worst(model: &Model, point: &Point, of_positions: bool) -> String {
    let size = |constraint: &&Constraint| {
        let formula = if of_positions { constraint.keep } else { constraint.speed };
        point.value(&model.graph, formula).abs() / point.sizes(&model.graph, &[formula])[0].max(f64::MIN_POSITIVE)
    };
    let own = model.constraints.iter().filter(|c| c.of_positions || !of_positions);
    own.max_by(|a, b| size(a).total_cmp(&size(b))).map_or(String::new(), place)
}

fn far(model: &Model, point: &Point) -> Mistake {
    let values = model.constraints.iter().filter(|c| c.of_positions);
    let values: Vec<String> =
        values.map(|c| format!("`{}` is {}", c.name, short(point.value(&model.graph, c.keep)))).collect();
    let message = format!("the start is far from the constraints: {}, and should be zero", values.join(", "));
    let help = "give a start that nearly obeys them: it is then moved onto them; constraints that contradict each other have none";
    model.mistake_at(&worst(model, point, true), message).help(help)
}

fn singular(model: &Model, point: &Point) -> Mistake {
    let message = "the constraints are singular at the start: their forces have no finite value there";
    let help = "start at a place where the slopes of the constraints are not parallel, a little beside this one";
    model.mistake_at(&worst(model, point, true), message).help(help)
}

/// The formulas with their places in the file.
pub(crate) fn formulas(model: &Model) -> Vec<(String, Node)> {
    model.constraints.iter().map(|constraint| (place(constraint), constraint.keep)).collect()
}

/// The constraints that hold by others.
pub(crate) fn redundant(model: &Model) -> Vec<String> {
    let others = model.constraints.iter().filter(|constraint| constraint.is_redundant());
    let told = |constraint: &Constraint| {
        format!(
            "the constraint `{}` holds by those before it, and has no force of its own: how they share their force is not determined",
            constraint.name
        )
    };
    others.map(told).collect()
}

/// The constraints of a model.
pub(crate) fn reports(model: &Model) -> Vec<ConstraintReport> {
    let report = |constraint: &Constraint| ConstraintReport {
        name: constraint.name.clone(),
        keep: model.graph.print(constraint.keep),
        of_positions: constraint.of_positions,
        redundant: constraint.is_redundant(),
        sides: constraint.sides.map(|sides| sides.map(|side| model.contacts[side].name.clone())),
    };
    model.constraints.iter().map(report).collect()
}
