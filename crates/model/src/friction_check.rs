//! Checks the friction of a contact at the start and at states where the contact touches.

use saltation_expr::Node;

use crate::contact::{Contact, Friction};
use crate::mistake::Mistake;
use crate::model::Model;
use crate::point::{Point, Sampler, Surface, short};

/// A coefficient may be negative by this much: the rounding error of a formula that is 0.
const NEGATIVE_COEFFICIENT_TOLERANCE: f64 = 1e-12;
/// The factor by which w_T, or its part orthogonal to w_N, must decrease towards the surface to count as zero there.
const VANISHING_GRADIENT_RATIO: f64 = 1e-5;

/// The formulas of friction, with their places in the file; of its coefficients that on the side of the slip at a point.
pub(crate) fn formulas(model: &Model, point: &Point) -> Vec<(String, Node)> {
    let mut formulas = Vec::new();
    for (contact, friction) in rubbing(model) {
        let key = format!("contacts.{}", contact.name);
        formulas.push((format!("{key}.friction.mu"), along(model, friction, point)));
        formulas.extend(friction.held.map(|held| (format!("{key}.friction.mu_static"), held)));
        formulas.push((format!("{key}.track"), friction.track));
        formulas.push((format!("{key}.belt"), friction.belt));
    }
    formulas
}

/// The accelerations of slip, with the places of their tracks in the file.
pub(crate) fn accelerations(model: &Model) -> impl Iterator<Item = (String, Node)> {
    rubbing(model).map(|(contact, friction)| (format!("contacts.{}.track", contact.name), friction.slip_acceleration))
}

fn rubbing(model: &Model) -> impl Iterator<Item = (&Contact, &Friction)> {
    // Both sides of a constraint have one friction.
    let again =
        |k: usize| model.constraints.iter().any(|constraint| constraint.sides.is_some_and(|sides| sides[1] == k));
    let once = model.contacts.iter().enumerate().filter(move |&(k, _)| !again(k));
    once.filter_map(|(_, contact)| Some((contact, contact.friction.as_ref()?)))
}

/// Mistakes in the friction of each contact at the start, where its formulas have values.
pub(crate) fn at_start(model: &Model, start: &Point) -> Vec<Mistake> {
    let wrong = |(contact, friction): (&Contact, &Friction)| {
        let Extent { slope, breadth, size } = Extent::at(model, contact, friction, start);
        let flat = || (slope == 0.0).then(|| no_slope(model, contact, friction, start));
        let narrow = || (breadth <= NEGATIVE_COEFFICIENT_TOLERANCE * size).then(|| across(model, contact));
        coefficient(model, contact, friction, start).or_else(flat).or_else(narrow)
    };
    rubbing(model).filter_map(wrong).collect()
}

/// Mistakes in the friction of one contact at states on its surface.
pub(crate) fn touching(
    model: &Model,
    contact: &Contact,
    surface: &Surface,
    sampler: &mut Sampler<'_>,
    samples: usize,
) -> Option<Mistake> {
    let friction = contact.friction.as_ref()?;
    // A constraint may be at a dead centre, where its track does not change for an instant.
    let of_constraint = model.constraints.iter().filter_map(|constraint| constraint.sides);
    let passes = of_constraint.flatten().any(|side| model.contacts[side].name == contact.name);
    let (mut moved, mut vanished) = (false, None);
    for _ in 0..samples {
        let near = sampler.point();
        let before = Extent::at(model, contact, friction, &near);
        let Some((point, _)) = surface.touching(near) else { continue };
        let there = Extent::at(model, contact, friction, &point);
        let vanishes = if there.slope <= VANISHING_GRADIENT_RATIO * before.slope {
            Some(no_slope(model, contact, friction, &point))
        } else {
            (there.breadth <= VANISHING_GRADIENT_RATIO * before.breadth).then(|| across(model, contact))
        };
        moved |= vanishes.is_none();
        vanished = vanished.or(vanishes);
        if vanished.is_some() && !passes {
            return vanished;
        }
        let wrong = coefficient(model, contact, friction, &point).or_else(|| belt(model, contact, friction, &point));
        if wrong.is_some() {
            return wrong;
        }
    }
    if moved { None } else { vanished }
}

/// 0 <= mu < infinity, of slip and of stick, and no less of stick than of slip where that does not depend on the state.
fn coefficient(model: &Model, contact: &Contact, friction: &Friction, point: &Point) -> Option<Mistake> {
    let held = || friction.held.and_then(|held| coefficient_of(model, contact, (held, "mu_static"), point));
    let along = along(model, friction, point);
    let wrong = coefficient_of(model, contact, (along, "mu"), point).or_else(held);
    wrong.or_else(|| {
        let held = friction.held?;
        let [mu, limit] = [along, held].map(|node| point.value(&model.graph, node));
        let states = model.states.iter().map(|state| state.symbol).collect::<Vec<_>>();
        let moves = model.graph.reachable(&[along, held]).iter().any(|node| states.contains(node));
        (!moves && limit < mu).then(|| {
            let name = &contact.name;
            let message = format!(
                "the static coefficient {} of contact `{name}` is below that of slip, {}",
                short(limit),
                short(mu)
            );
            let help = "give a coefficient that is not smaller, or leave `mu_static` out";
            model.mistake_at(&format!("contacts.{name}.friction.mu_static"), message).help(help)
        })
    })
}

/// The coefficient of friction on the side of the slip at a point.
fn along(model: &Model, friction: &Friction, point: &Point) -> Node {
    if point.value(&model.graph, friction.slip) < 0.0 { friction.backward } else { friction.forward }
}

fn coefficient_of(model: &Model, contact: &Contact, (node, key): (Node, &str), point: &Point) -> Option<Mistake> {
    let mu = point.value(&model.graph, node);
    if mu.is_finite() && mu >= -NEGATIVE_COEFFICIENT_TOLERANCE {
        return None;
    }
    let at = described(model, point, node);
    let name = &contact.name;
    let (message, help) = if mu.is_finite() {
        let message =
            format!("the coefficient of friction of contact `{name}` is {}{at}, but it is at least 0", short(mu));
        (message, "friction opposes the slip by itself: give its size without a sign, for every direction of slip")
    } else {
        let message = format!("the coefficient of friction of contact `{name}` has no finite value{at}");
        (message, "it needs a value for every trajectory that touches the surface: change the formula or the start")
    };
    Some(model.mistake_at(&format!("contacts.{name}.friction.{key}"), message).help(help))
}

/// The speed of the surface is a number.
fn belt(model: &Model, contact: &Contact, friction: &Friction, point: &Point) -> Option<Mistake> {
    if point.value(&model.graph, friction.belt).is_finite() {
        return None;
    }
    let at = described(model, point, friction.belt);
    let message = format!("the speed of the belt of contact `{}` has no finite value{at}", contact.name);
    let help = "it needs a value for every trajectory that touches the surface: change the formula or the start";
    Some(model.mistake_at(&format!("contacts.{}.belt", contact.name), message).help(help))
}

/// How far M^-1 (w_N, w_T) extend at a point.
struct Extent {
    /// The greatest entry of M^-1 w_T.
    slope: f64,
    /// The greatest minor of M^-1 (w_N, w_T), which is 0 where one is a multiple of the other.
    breadth: f64,
    /// The size of the terms of that minor.
    size: f64,
}

impl Extent {
    fn at(model: &Model, contact: &Contact, friction: &Friction, point: &Point) -> Extent {
        // Of the velocities of a large model a contact moves a few.
        let is_zero = |node: Node| model.graph.as_constant(node) == Some(0.0);
        let responses = contact.response.iter().copied().zip(friction.response.iter().copied());
        let (mut shares, tangents): (Vec<Node>, Vec<Node>) =
            responses.filter(|&(normal, tangent)| !(is_zero(normal) && is_zero(tangent))).unzip();
        shares.extend(tangents);
        let shares = point.values(&model.graph, &shares);
        let (normal, tangent) = shares.split_at(shares.len() / 2);
        let slope = tangent.iter().fold(0.0, |most: f64, share| most.max(share.abs()));
        let pairs = (0..normal.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        let (breadth, size) = pairs.fold((0.0, 0.0), |most: (f64, f64), (i, j)| {
            let (a, b) = (normal[i] * tangent[j], normal[j] * tangent[i]);
            if (a - b).abs() > most.0 { ((a - b).abs(), a.abs() + b.abs()) } else { most }
        });
        Extent { slope, breadth, size }
    }
}

fn no_slope(model: &Model, contact: &Contact, friction: &Friction, point: &Point) -> Mistake {
    let at = described(model, point, friction.track);
    let message = format!("the track of contact `{}` has no slope{at}, so no friction acts along it", contact.name);
    let help = "take the position along the surface itself, not its square or another power";
    model.mistake_at(&format!("contacts.{}.track", contact.name), message).help(help)
}

fn across(model: &Model, contact: &Contact) -> Mistake {
    let message = format!("the track of contact `{}` changes only together with its gap", contact.name);
    let help = "a track is the position along the surface: it needs a motion that keeps the gap as it is";
    model.mistake_at(&format!("contacts.{}.track", contact.name), message).help(help)
}

/// ` where x = 1`, or nothing for a formula of numbers.
fn described(model: &Model, point: &Point, node: Node) -> String {
    let values = point.described(&model.graph, node);
    if values.is_empty() { values } else { format!(" where {values}") }
}
