//! Checks a declared symmetry at the parameter values of a run: the field and the contacts are compared at states and their images.

use saltation_expr::Node;

use crate::check::at_law;
use crate::contact::{Contact, Friction};
use crate::mistake::Mistake;
use crate::model::{Body, Model, StateKind};
use crate::numbers::Numbers;
use crate::point::{Point, Sampler, Surface, short};
use crate::symmetry::{Symmetry, SymmetryMap};

/// The tolerance of equality, relative to the size of the terms: some thousand rounding units, because of rounding errors in
/// the parameters.
const EQUALITY_TOLERANCE: f64 = 1e-12;
/// Ratios of functions that differ by less than this part are one: some states may lie near their zeros.
const SAME_RATIO: f64 = 1e-9;
/// The largest number of times that a state outside is moved halfway towards the start until it is admissible.
const MOST_HALVINGS: usize = 40;

/// The symmetry at these numbers, which are checked otherwise; `None` if the file has none.
///
/// # Errors
/// What breaks it: the shift, every rate, every contact without an image.
pub(crate) fn map(model: &Model, numbers: &Numbers, samples: usize) -> Result<Option<SymmetryMap>, Vec<Mistake>> {
    let Some(symmetry) = &model.symmetry else {
        return Ok(None);
    };
    let shift = shift(model, symmetry, numbers).map_err(|mistake| vec![mistake])?;
    let (contacts, slips, switches) = Default::default();
    let mut map = SymmetryMap { signs: symmetry.signs.clone(), shift, contacts, slips, switches };
    let mut sampler = Sampler::new(model, numbers);
    let pairs = pairs(model, &map, admissible(model, &mut sampler, &Point::start(numbers), samples));
    let mut mistakes = rates(model, &map, &pairs);
    for i in 0..model.contacts.len() {
        match image(model, i, &map.contacts, &pairs) {
            Ok(j) => map.contacts.push(j),
            Err(mistake) => mistakes.push(mistake),
        }
    }
    if !model.resets.is_empty() {
        let message = "a model with [events] has no [symmetry]: whether their jumps are symmetric is not examined";
        mistakes.push(model.mistake_at("symmetry", message).help("remove one of the two tables"));
    }
    for k in 0..model.switches.len() {
        match switch(model, k, &pairs) {
            Ok(image) => map.switches.push(image),
            Err(mistake) => mistakes.push(mistake),
        }
    }
    if mistakes.is_empty() {
        for i in 0..model.contacts.len() {
            let j = map.contacts[i];
            // The reversed pair gives the same condition.
            if j < i && map.contacts[j] == i {
                map.slips.push(map.slips[j]);
                continue;
            }
            match law(model, i, &map, &mut sampler, samples) {
                Ok(slip) => map.slips.push(slip),
                Err(mistake) => {
                    mistakes.push(mistake);
                    map.slips.push(1.0);
                }
            }
        }
    }
    if mistakes.is_empty() { Ok(Some(map)) } else { Err(mistakes) }
}

/// The shift of the phase, exactly half a period or nothing.
fn shift(model: &Model, symmetry: &Symmetry, numbers: &Numbers) -> Result<f64, Mistake> {
    let place = if model.places.contains_key("symmetry.phase") { "symmetry.phase" } else { "symmetry" };
    let written = Point::start(numbers).value(&model.graph, symmetry.shift);
    if !written.is_finite() {
        let help = "write half the period of the phase, e.g. \"pi\"";
        return Err(model.mistake_at(place, "the shift of the phase has no finite value").help(help));
    }
    let mut shift = 0.0;
    if let Some(period) = numbers.phase_period {
        let halves = 2.0 * (written / period);
        let whole = halves.round();
        if (halves - whole).abs() > EQUALITY_TOLERANCE * halves.abs().max(1.0) {
            let (twice, period) = apart(2.0 * written, period);
            let message = format!(
                "the symmetry applied twice shifts the phase by {twice}, which is no multiple of its period {period}"
            );
            let help = "write half the period of the phase, e.g. \"pi\", or leave `phase` out if nothing is shifted";
            return Err(model.mistake_at(place, message).help(help));
        }
        if whole.rem_euclid(2.0) == 1.0 {
            shift = 0.5 * period;
        }
    }
    if shift == 0.0 && symmetry.signs.iter().all(|&sign| sign == 1.0) {
        let message = "the symmetry does nothing: no state changes its sign, and the phase is shifted by whole periods";
        let help = "name the states that change sign, shift the phase by half a period, or remove the table";
        return Err(model.mistake_at(place, message).help(help));
    }
    Ok(shift)
}

/// States near the start that lie outside all obstacles, where all rates have values.
fn admissible(model: &Model, sampler: &mut Sampler<'_>, start: &Point, samples: usize) -> Vec<Point> {
    let gaps: Vec<Node> = model.contacts.iter().map(|contact| contact.gap).collect();
    let nodes: Vec<Node> = model.rates();
    let inside = |point: &Point| {
        point.values(&model.graph, &gaps).iter().all(|gap| *gap >= 0.0)
            && point.values(&model.graph, &nodes).iter().all(|rate| rate.is_finite())
    };
    let drawn = (0..samples).filter_map(|_| {
        let far = sampler.point();
        let nearer = (0..MOST_HALVINGS).map(|halvings| start.towards(&far, 0.5_f64.powi(halvings as i32)));
        nearer.into_iter().find(inside)
    });
    let drawn: Vec<Point> = drawn.collect();
    if drawn.is_empty() { vec![start.clone()] } else { drawn }
}

/// A state and its image, with the values and sizes of all rates and then all gaps at both.
struct Pair {
    at: [Point; 2],
    values: [Vec<f64>; 2],
    sizes: [Vec<f64>; 2],
}

fn pairs(model: &Model, map: &SymmetryMap, points: Vec<Point>) -> Vec<Pair> {
    let nodes: Vec<Node> = model.rates().into_iter().chain(model.contacts.iter().map(|contact| contact.gap)).collect();
    let pair = |point: Point| {
        let at = [point.image(map), point].map(|point| {
            let values = point.values(&model.graph, &nodes);
            let sizes = point.sizes(&model.graph, &nodes);
            (point, values, sizes)
        });
        let [(there, there_values, there_sizes), (here, values, sizes)] = at;
        Pair { at: [here, there], values: [values, there_values], sizes: [sizes, there_sizes] }
    };
    points.into_iter().map(pair).collect()
}

/// Whether a number differs from the expected one by more than the rounding error of terms of this size. Where the size is
/// unknown, at the edge of where a formula has a value, there is no verdict.
fn differ(found: f64, expected: f64, size: f64) -> bool {
    !found.is_finite() || (found - expected).abs() > EQUALITY_TOLERANCE * size
}

/// F_i(S x) = s_i F_i(x): every rate that is not so, once.
fn rates(model: &Model, map: &SymmetryMap, pairs: &[Pair]) -> Vec<Mistake> {
    let mut mistakes = Vec::new();
    for (i, state) in model.states.iter().enumerate().filter(|(_, state)| state.kind != StateKind::Phase) {
        let broken = pairs.iter().find(|pair| {
            let [here, there] = [0, 1].map(|k| pair.values[k][i]);
            differ(there, map.signs[i] * here, pair.sizes[0][i] + pair.sizes[1][i])
        });
        let Some(pair) = broken else { continue };
        let [here, there] = [0, 1].map(|k| pair.values[k][i]);
        let found = match apart(there, map.signs[i] * here) {
            (found, expected) if there.is_finite() => format!("it is {found} and not {expected}"),
            _ => "it has no finite value".to_string(),
        };
        let at = described(model, &pair.at[0], state.rate);
        let message = format!("the rate of `{}` is not symmetric: {found} at the image of {at}", state.name);
        let named = format!("symmetry.signs.{}", state.name);
        let place = if model.places.contains_key(&named) { named } else { "symmetry".to_string() };
        let (what, must) = if map.signs[i] < 0.0 { ("changes", "must change") } else { ("keeps", "must keep") };
        let help = format!(
            "`{}` {what} its sign, so its rate {must} its own: check the signs of all states in it, and the shift `phase`",
            state.name
        );
        mistakes.push(model.mistake_at(&place, message).help(help));
    }
    mistakes
}

/// The contact sigma(i), not one of those `taken`, whose gap is that of contact i at the images of all states.
fn image(model: &Model, i: usize, taken: &[usize], pairs: &[Pair]) -> Result<usize, Mistake> {
    let n = model.states.len();
    let wrong = |j: usize, pair: &Pair| {
        let (there, here) = (pair.values[1][n + i], pair.values[0][n + j]);
        differ(there, here, pair.sizes[1][n + i] + pair.sizes[0][n + j])
    };
    let free = || (0..model.contacts.len()).filter(|j| !taken.contains(j));
    if let Some(j) = free().find(|&j| !pairs.iter().any(|pair| wrong(j, pair))) {
        return Ok(j);
    }
    let name = &model.contacts[i].name;
    let place = format!("contacts.{name}.gap");
    // The contact with the smallest difference, for the message.
    let worst = |j: usize| {
        let difference = |pair: &&Pair| (pair.values[1][n + i] - pair.values[0][n + j]).abs();
        let wrong = pairs.iter().filter(|pair| wrong(j, pair));
        wrong.max_by(|a, b| difference(a).total_cmp(&difference(b))).map(|pair| (j, pair, difference(&pair)))
    };
    let nearest = free().filter_map(worst).min_by(|a, b| a.2.total_cmp(&b.2));
    let message = match nearest {
        Some((j, pair, _)) => {
            let (found, expected) = apart(pair.values[1][n + i], pair.values[0][n + j]);
            let at = described(model, &pair.at[0], model.contacts[j].gap);
            let other = &model.contacts[j].name;
            if i == j {
                format!(
                    "the gap of contact `{name}` is not symmetric: it is {expected} at {at}, and {found} at the image"
                )
            } else {
                format!(
                    "contact `{name}` has no image: the nearest, `{other}`, has the gap {expected} at {at}, \
                     but `{name}` has {found} at the image"
                )
            }
        }
        None => format!("contact `{name}` has no image: all others are images of others"),
    };
    let help =
        "the symmetry must map every obstacle to an obstacle: check the signs, and the distances of the obstacles";
    Err(model.mistake_at(&place, message).help(help))
}

/// The switch whose function at all states is that of switch k at their images, up to a factor, and the sign of that.
fn switch(model: &Model, k: usize, pairs: &[Pair]) -> Result<(usize, f64), Mistake> {
    let own = |pair: &Pair| pair.at[1].value(&model.graph, model.switches[k].function);
    for (j, other) in model.switches.iter().enumerate() {
        let ratio = |pair: &Pair| own(pair) / pair.at[0].value(&model.graph, other.function);
        let mut ratios = pairs.iter().map(ratio).filter(|ratio| ratio.is_finite() && *ratio != 0.0);
        let Some(first) = ratios.next() else { continue };
        if ratios.all(|ratio| (ratio - first).abs() <= SAME_RATIO * first.abs()) {
            return Ok((j, first.signum()));
        }
    }
    let message = format!(
        "the switch `{}` has no image: no switch has its function at the images of states",
        model.switches[k].name
    );
    let help = "the symmetry must map every switch to a switch: check the signs, and the constants in the switches";
    Err(model.mistake_at("symmetry", message).help(help))
}

/// R_i(S x) = S R_sigma(i)(x), tried at states of impact; the sign that slip takes.
fn law(model: &Model, i: usize, map: &SymmetryMap, sampler: &mut Sampler<'_>, samples: usize) -> Result<f64, Mistake> {
    let j = map.contacts[i];
    let (there, here) = (&model.contacts[i], &model.contacts[j]);
    let surface = Surface::new(model, here, true);
    let nodes = |contact: &Contact| [&contact.after[..], &[contact.restitution], &rubbing(contact)[..]].concat();
    let law = if matches!(model.body, Body::Flow) { "jump" } else { "restitution" };
    let both = if i == j {
        format!("contact `{}` is its own image", here.name)
    } else {
        format!("contacts `{}` and `{}` are images of each other", there.name, here.name)
    };
    let help = "contacts that are images of each other need laws that are";
    if there.friction.is_some() != here.friction.is_some() {
        let rough = if there.friction.is_some() { there } else { here };
        return Err(at_law(model, rough, "friction", format!("{both}, but only one has friction")).help(help));
    }
    let mut slips = vec![1.0, -1.0];
    for _ in 0..samples {
        let (near, speed) = (sampler.point(), -sampler.number().abs());
        let Some(point) = surface.closing(near, speed) else { continue };
        let image = point.image(map);
        let [before, after] = [(&point, nodes(here)), (&image, nodes(there))].map(|(point, nodes)| {
            let values = point.values(&model.graph, &nodes);
            (values, point.sizes(&model.graph, &nodes))
        });
        if before.0.iter().any(|value| !value.is_finite()) {
            continue;
        }
        let size = |k: usize| before.1[k] + after.1[k];
        let n = model.states.len();
        let (place, what) = if differ(after.0[n], before.0[n], size(n)) {
            let (a, b) = apart(after.0[n], before.0[n]);
            let whose =
                if i == j { "its restitution differs at a state and its image" } else { "their restitutions differ" };
            (law, format!("{whose}: {a} and {b}"))
        } else if let Err(what) = friction(map, n, [&before, &after], &mut slips) {
            ("friction", what)
        } else {
            let broken = |&k: &usize| differ(after.0[k], map.signs[k] * before.0[k], size(k));
            let moving = (0..n).filter(|&k| model.states[k].kind != StateKind::Phase);
            let Some(k) = moving.into_iter().find(broken) else { continue };
            let (a, b) = apart(after.0[k], map.signs[k] * before.0[k]);
            (law, format!("the jump of `{}` is not symmetric: it ends at {a} and not at {b}", model.states[k].name))
        };
        return Err(at_law(model, there, place, format!("{both}, but {what}")).help(help));
    }
    Ok(slips[0])
}

/// mu, the slip and M^-1 w_T of a contact with friction.
fn rubbing(contact: &Contact) -> Vec<Node> {
    let nodes = |friction: &Friction| [&[friction.coefficient, friction.slip], &friction.response[..]].concat();
    contact.friction.as_ref().map_or(Vec::new(), nodes)
}

/// mu(S x) = mu(x); and the slip and the push of the friction go over into their images, or both into their opposites, the same at
/// all states: the signs that this state excludes are removed. The values and sizes at x and S x hold mu, the slip and the push
/// behind the first n + 1.
fn friction(map: &SymmetryMap, n: usize, pair: [&(Vec<f64>, Vec<f64>); 2], slips: &mut Vec<f64>) -> Result<(), String> {
    let [here, there] = pair.map(|(values, _)| values.get(n + 1..).unwrap_or_default());
    let [small, large] = pair.map(|(_, sizes)| sizes.get(n + 1..).unwrap_or_default());
    let sizes: Vec<f64> = small.iter().zip(large).map(|(a, b)| a + b).collect();
    let [mu, ..] = *here else { return Ok(()) };
    if differ(there[0], mu, sizes[0]) {
        let (a, b) = apart(there[0], mu);
        return Err(format!("the coefficient of friction is not symmetric: {a} and {b}"));
    }
    let kept = |direction: f64| {
        let signs = std::iter::once(&1.0).chain(&map.signs);
        let mut rest = signs.zip(1..here.len());
        rest.all(|(sign, k)| !differ(there[k], direction * sign * here[k], sizes[k]))
    };
    slips.retain(|&sign| kept(sign));
    if slips.is_empty() { Err("the slip along the track is not symmetric".to_string()) } else { Ok(()) }
}

/// The quantities in a formula, as in `x = 1, e = 0.5`; `every state` where there are none.
fn described(model: &Model, point: &Point, node: Node) -> String {
    let text = point.described(&model.graph, node);
    if text.is_empty() { "every state".to_string() } else { text }
}

/// Two numbers as text, with enough digits to distinguish them.
fn apart(a: f64, b: f64) -> (String, String) {
    match (short(a), short(b)) {
        (x, y) if x == y => (format!("{a:?}"), format!("{b:?}")),
        short => short,
    }
}
