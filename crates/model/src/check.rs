//! Checks the mathematics of a model at its start and at states where its contacts touch.

use saltation_expr::{Function, Node, Operation};

use crate::contact::Contact;
use crate::matrices::GapEntry;
use crate::mechanics::Mechanics;
use crate::mistake::Mistake;
use crate::model::{Body, Model};
use crate::numbers::Numbers;
use crate::point::{Point, Sampler, Surface, short};
use crate::{complementarity_meaning, constraint_meaning, dry_meaning, friction_check, phase_check};

/// A gap may be negative by this much at the start: the rounding error of a start that lies on the surface.
const PENETRATION_TOLERANCE: f64 = 1e-9;
/// The tolerance with which a law is checked: far above rounding errors, far below physical differences.
const LAW_TOLERANCE: f64 = 1e-7;

/// The speed of slow impacts, relative to others.
const SLOW_IMPACT: f64 = 1e-3;
/// The factor by which a gradient must decrease towards the surface to count as zero there.
const VANISHING_GRADIENT_RATIO: f64 = 1e-5;

/// Mistakes at the start, and in the jumps at `samples` states on each surface.
pub(crate) fn mistakes(model: &Model, numbers: &Numbers, samples: usize) -> Vec<Mistake> {
    let start = Point::start(numbers);
    let mut mistakes = undefined(model, &start, formulas(model, &start));
    if mistakes.is_empty() {
        mistakes.extend(model.contacts.iter().enumerate().filter_map(|(i, _)| normal(model, i, &start)));
    }
    if mistakes.is_empty() {
        mistakes.extend(phase_check::circles(model, numbers, &start));
        mistakes.extend(discrete(model, &start));
        mistakes.extend(mass(model, &start));
        mistakes.extend(constraint_meaning::held_contacts(model, numbers));
    }
    if mistakes.is_empty() && model.is_moved() {
        let acceleration = |contact: &Contact| (format!("contacts.{}.gap", contact.name), contact.acceleration);
        let mut accelerations: Vec<(String, Node)> = model.contacts.iter().map(acceleration).collect();
        accelerations.extend(friction_check::accelerations(model));
        mistakes.extend(undefined(model, &start, accelerations));
    }
    if mistakes.is_empty() {
        for contact in &model.contacts {
            mistakes.extend(contact_at_start(model, contact, &start));
        }
        mistakes.extend(friction_check::at_start(model, &start));
        mistakes.extend(dry_meaning::at_start(model, &start));
    }
    if mistakes.is_empty() {
        let mut sampler = Sampler::new(model, numbers);
        for (i, contact) in model.contacts.iter().enumerate() {
            // A gap by weights has the same gradient everywhere.
            let straight = weights(model, i).is_some();
            if straight && contact.friction.is_none() {
                continue;
            }
            let surface = Surface::new(model, contact, matches!(model.body, Body::Flow));
            if !straight {
                mistakes.extend(gradient(model, contact, &surface, &mut sampler, samples));
            }
            mistakes.extend(friction_check::touching(model, contact, &surface, &mut sampler, samples));
            if matches!(model.body, Body::Flow) {
                mistakes.extend(jump(model, contact, &surface, &mut sampler, samples));
            }
        }
    }
    mistakes
}

/// The gap of a contact where it is written by weights.
fn weights(model: &Model, contact: usize) -> Option<&GapEntry> {
    model.body.matrices()?.contacts.get(contact)?.as_ref()
}

/// The weights of a gap are not all zero.
fn normal(model: &Model, contact: usize, point: &Point) -> Option<Mistake> {
    let entry = weights(model, contact)?;
    let nodes: Vec<Node> = entry.normal.iter().map(|(_, weight)| *weight).collect();
    if point.values(&model.graph, &nodes).iter().any(|weight| *weight != 0.0) {
        return None;
    }
    let name = &model.contacts[contact].name;
    let message = format!("all weights in the gap of contact `{name}` are zero, so nothing can close it");
    let help = "give the weight of a displacement that closes it, or change the parameters in the weights";
    Some(model.mistake_at(&format!("contacts.{name}.gap"), message).help(help))
}

/// Every formula that must have a value at the start, with its place in the file.
fn formulas(model: &Model, start: &Point) -> Vec<(String, Node)> {
    let mut formulas = Vec::new();
    for phase in model.phases() {
        let key = phase_check::key(model, phase.state);
        formulas.push((format!("{key}.rate"), phase.rate));
        formulas.push((format!("{key}.period"), phase.period));
    }
    match &model.body {
        Body::Flow => {
            formulas.extend(model.states.iter().map(|state| (format!("flow.{}", state.name), state.rate)));
        }
        Body::Mechanics(Mechanics { matrices: Some(body), .. }) => {
            let (mass, stiffness) = body.proportional;
            formulas.push(("matrices.damping.mass".to_string(), mass));
            formulas.push(("matrices.damping.stiffness".to_string(), stiffness));
            formulas.extend(body.load.iter().map(|(i, load)| (format!("matrices.load.{i}"), *load)));
            for (contact, gap) in model.contacts.iter().zip(&body.contacts) {
                let key = format!("contacts.{}.gap", contact.name);
                formulas.extend(gap.iter().map(|gap| (format!("{key}.constant"), gap.constant)));
                let weights = gap.iter().flat_map(|gap| &gap.normal);
                formulas.extend(weights.map(|(i, weight)| (format!("{key}.normal.{i}"), *weight)));
            }
        }
        Body::Mechanics(body) => {
            let place = |derived: String| {
                if body.lagrangian.is_some() { "lagrangian.L".to_string() } else { derived }
            };
            formulas.extend(body.lagrangian.map(|l| ("lagrangian.L".to_string(), l)));
            for (i, row) in body.mass.iter().enumerate() {
                formulas.extend(row.iter().enumerate().map(|(j, &m)| (place(format!("mechanics.M.{i}.{j}")), m)));
            }
            formulas.extend(body.force.iter().enumerate().map(|(i, &h)| (place(format!("mechanics.h.{i}")), h)));
        }
    }
    for contact in &model.contacts {
        let key = format!("contacts.{}", contact.name);
        formulas.push((format!("{key}.gap"), contact.gap));
        match model.body {
            Body::Mechanics(_) => formulas.push((format!("{key}.restitution"), contact.restitution)),
            Body::Flow => {
                let after = model.states.iter().zip(&contact.after);
                formulas.extend(after.map(|(state, &image)| (format!("{key}.jump.{}", state.name), image)));
            }
        }
    }
    formulas.extend(friction_check::formulas(model, start));
    formulas.extend(dry_meaning::formulas(model));
    formulas.extend(complementarity_meaning::formulas(model));
    for section in &model.sections {
        if let crate::section::SectionKind::Formula { value, .. } = section.kind {
            formulas.push((format!("sections.{}.when", section.name), value));
        }
    }
    formulas
}

/// Formulas without a finite value at the start, each place and each cause once.
pub(crate) fn undefined(model: &Model, start: &Point, formulas: Vec<(String, Node)>) -> Vec<Mistake> {
    let mut found: Vec<(String, Node)> = Vec::new();
    let mut mistakes = Vec::new();
    let nodes: Vec<Node> = formulas.iter().map(|(_, node)| *node).collect();
    let values = start.values(&model.graph, &nodes);
    for ((place, node), _) in formulas.into_iter().zip(values).filter(|(_, value)| !value.is_finite()) {
        let Some(part) = start.undefined(&model.graph, node) else {
            continue;
        };
        if found.iter().any(|known| known.0 == place || known.1 == part) {
            continue;
        }
        let mut written = model.graph.print(part);
        if written.chars().count() > 60 {
            written = written.chars().take(60).collect::<String>() + "…";
        }
        let values = start.described(&model.graph, part);
        let at = if values.is_empty() { String::new() } else { format!(", where {values}") };
        if let Operation::Piece(lookup, _, argument) = model.graph.operation(part) {
            let value = start.values(&model.graph, &[argument])[0];
            let [message, help] = model.outside_table(lookup, "lies outside of its points at the start", value);
            mistakes.push(model.mistake_at(&place, message).help(help));
            found.push((place, part));
            continue;
        }
        let mistake = model.mistake_at(&place, format!("`{written}` has no finite value at the start{at}"));
        let help = match model.graph.operation(part) {
            Operation::Apply(Function::Log, _) => {
                "log, and a power whose exponent is not a number, need something positive: change the start or the formula"
            }
            Operation::Apply(Function::Sqrt, _) => {
                "a root needs something that is not negative: change the start or the formula"
            }
            Operation::Divide(..) => "the divisor is zero, or nearly: change the start, a parameter or the formula",
            _ => "its value is too large or undefined: change the start, a parameter or the formula",
        };
        mistakes.push(mistake.help(help));
        found.push((place, part));
    }
    mistakes
}

/// Discrete states start at one of their values.
fn discrete(model: &Model, start: &Point) -> Vec<Mistake> {
    let mut mistakes = Vec::new();
    for discrete in &model.discrete {
        let (name, value) = (&model.states[discrete.state].name, start.state(discrete.state));
        let values = start.values(&model.graph, &discrete.values);
        if !values.contains(&value) {
            let known: Vec<String> = values.iter().map(|&value| short(value)).collect();
            let message =
                format!("the discrete state `{name}` starts at {}, which is none of its values", short(value));
            let help = format!("its values are {}", known.join(", "));
            mistakes.push(model.mistake_at(&format!("start.{name}"), message).help(help));
        }
    }
    mistakes
}

/// M is symmetric and positive definite at a state; the first mistake if it is not.
pub(crate) fn mass(model: &Model, point: &Point) -> Option<Mistake> {
    // The masses of a structure are numbers, which were checked when they were read.
    let body = model.body.mechanics().filter(|body| body.matrices.is_none())?;
    let n = body.mass.len();
    let place = |i: usize, j: usize| {
        if body.lagrangian.is_some() { "lagrangian.L".to_string() } else { format!("mechanics.M.{i}.{j}") }
    };
    let entries: Vec<Node> = body.mass.iter().flatten().copied().collect();
    let entries = point.values(&model.graph, &entries);
    for i in 0..n {
        for j in 0..i {
            let (below, above) = (entries[i * n + j], entries[j * n + i]);
            if (below - above).abs() > LAW_TOLERANCE * (1.0 + above.abs()) {
                let message = format!(
                    "M is not symmetric: row {}, column {} is {}, but row {}, column {} is {}",
                    i + 1,
                    j + 1,
                    short(below),
                    j + 1,
                    i + 1,
                    short(above)
                );
                let help =
                    "write the same formula in both places, or exchange the rows of M and h if their order is wrong";
                return Some(model.mistake_at(&place(i, j), message).help(help));
            }
        }
    }
    let pivots = point.values(&model.graph, &body.pivots);
    let wrong = pivots.iter().position(|pivot| pivot.is_nan() || *pivot <= 0.0)?;
    let at = point.described(&model.graph, body.mass[wrong][wrong]);
    let at = if at.is_empty() { String::new() } else { format!(" where {at}") };
    let what = if wrong == 0 {
        format!("its first entry is {}", short(pivots[0]))
    } else {
        format!("pivot {} of its elimination is {}", wrong + 1, short(pivots[wrong]))
    };
    let message = format!("M is not positive definite{at}: {what}");
    let help = match body.lagrangian {
        Some(_) => "the kinetic energy in L must be positive for every velocity",
        None => "the kinetic energy v' M v/2 must be positive for every velocity",
    };
    Some(model.mistake_at(&place(wrong, wrong), message).help(help))
}

fn contact_at_start(model: &Model, contact: &Contact, start: &Point) -> Option<Mistake> {
    let name = &contact.name;
    let gap = start.value(&model.graph, contact.gap);
    if gap < -PENETRATION_TOLERANCE {
        let at = start.described(&model.graph, contact.gap);
        let message =
            format!("the start lies inside the obstacle of contact `{name}`: its gap is {}, where {at}", short(gap));
        let help = "a gap is the distance to the obstacle and not negative; change the start or the sign of the gap";
        return Some(model.mistake_at(&format!("contacts.{name}.gap"), message).help(help));
    }
    matches!(model.body, Body::Mechanics(_)).then(|| restitution(model, contact, start)).flatten()
}

/// The restitution of a mechanical body lies between 0 and 1.
fn restitution(model: &Model, contact: &Contact, point: &Point) -> Option<Mistake> {
    let r = point.value(&model.graph, contact.restitution);
    if (-LAW_TOLERANCE..=1.0 + LAW_TOLERANCE).contains(&r) {
        return None;
    }
    let message =
        format!("the restitution of contact `{}` is {}, but it must lie between 0 and 1", contact.name, short(r));
    let help = "0 means no rebound, 1 no loss; a larger value would make energy";
    Some(at_law(model, contact, "restitution", message).help(help))
}

/// A mistake at the law of a contact; for a jump at its first formula.
pub(crate) fn at_law(model: &Model, contact: &Contact, law: &str, message: String) -> Mistake {
    let key = format!("contacts.{}.{law}", contact.name);
    let place = model.places.range(key.clone()..).next().filter(|(place, _)| place.starts_with(&key));
    let mistake = Mistake::general(message);
    Mistake { span: place.map(|(_, span)| span.clone()), ..mistake }
}

/// The gradient of the gap does not vanish on the surface.
fn gradient(
    model: &Model,
    contact: &Contact,
    surface: &Surface,
    sampler: &mut Sampler<'_>,
    samples: usize,
) -> Option<Mistake> {
    for _ in 0..samples {
        if let Some((point, slope)) = surface.touching(sampler.point())
            && slope < VANISHING_GRADIENT_RATIO
        {
            let at = point.described(&model.graph, contact.gap);
            let message = format!("the gap of contact `{}` has no slope on its surface, at {at}", contact.name);
            let help = "take the distance itself, not its square or another power";
            return Some(model.mistake_at(&format!("contacts.{}.gap", contact.name), message).help(help));
        }
    }
    None
}

/// Warnings about the jump of a flow at some state on its surface: it opens the gap faster than it closed before, or leaves
/// it closing.
pub(crate) fn doubt(model: &Model, contact: &Contact, numbers: &Numbers, samples: usize) -> Option<String> {
    let surface = Surface::new(model, contact, true);
    let mut sampler = Sampler::new(model, numbers);
    (0..samples).find_map(|_| {
        let (near, speed) = (sampler.point(), -sampler.number().abs());
        let point = surface.closing(near, speed)?;
        let opening = point.value(&model.graph, contact.speed_after);
        let what = match opening {
            _ if opening > -speed * (1.0 + LAW_TOLERANCE) => "adds energy",
            _ if opening < speed * LAW_TOLERANCE => "leaves its gap closing, where a trajectory ends",
            _ => return None,
        };
        let (name, before, after) = (&contact.name, short(speed), short(opening));
        Some(format!("the jump of contact `{name}` {what}: its opening speed goes from {before} to {after}"))
    })
}

/// The jump of a flow: nothing at v = 0; at v < 0 it stays on the surface and ends with v >= 0. Where a law has no value it is not checked: it
/// may be defined for v < 0 only, and a motion that reaches such a place ends there.
fn jump(
    model: &Model,
    contact: &Contact,
    surface: &Surface,
    sampler: &mut Sampler<'_>,
    samples: usize,
) -> Option<Mistake> {
    let name = &contact.name;
    for _ in 0..samples {
        let (near, speed) = (sampler.point(), -sampler.number().abs());
        if let Some(point) = surface.closing(near.clone(), 0.0) {
            let after = point.after(model, contact);
            for (i, state) in model.states.iter().enumerate() {
                let change = after.state(i) - point.state(i);
                if change.abs() > LAW_TOLERANCE * (1.0 + point.state(i).abs()) {
                    let message = format!(
                        "the jump of contact `{name}` changes `{}` by {} even where the opening speed is zero",
                        state.name,
                        short(change)
                    );
                    let help = format!(
                        "the opening speed is {}; a jump must vanish with it, e.g. -r times it",
                        model.graph.print(contact.speed)
                    );
                    return Some(at_law(model, contact, &format!("jump.{}", state.name), message).help(help));
                }
            }
        }
        if let Some(point) = surface.closing(near, speed) {
            let after = point.after(model, contact);
            let [gap, opening] = [contact.gap, contact.speed].map(|node| after.value(&model.graph, node));
            if gap.abs() > LAW_TOLERANCE {
                let message =
                    format!("the jump of contact `{name}` leaves the surface: the gap after it is {}", short(gap));
                let help = "an impact changes velocities, not positions";
                return Some(at_law(model, contact, "jump", message).help(help));
            }
            // A law may fail for fast impacts, which need not occur; if it fails for slow ones its sign is wrong.
            let slow = surface
                .closing(point, SLOW_IMPACT * speed)
                .map_or(opening, |p| p.value(&model.graph, contact.speed_after));
            if opening < -LAW_TOLERANCE && slow < -LAW_TOLERANCE * SLOW_IMPACT * speed.abs() {
                let message = format!(
                    "after the jump of contact `{name}` the gap still closes: its opening speed goes from {} to {}",
                    short(speed),
                    short(opening)
                );
                return Some(at_law(model, contact, "jump", message).help("check the sign of the jump"));
            }
        }
    }
    None
}
