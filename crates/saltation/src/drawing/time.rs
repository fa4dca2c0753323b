//! The figure of a motion over time: a panel for each gap and state, with the events marked.

use crate::drawing::contact_times::{Doing, of_any, of_contact, of_sliding};
use crate::drawing::gauge::Gauge;
use crate::drawing::lines::{Drawn, extents, over_time, scale};
use crate::drawing::motion::{Shown, events, subtitle, title};
use crate::drawing::quantity::Quantity;
use saltation_draw::{Axis, Color, Figure, Layer, Marker, Panel};
use saltation_model::StateKind;
use saltation_motion::EventKind;

/// The width of the figure, and the approximate length left for the curves.
const WIDTH: f64 = 820.0;
const INNER_WIDTH: f64 = 720.0;
/// Beyond this number quantities share panels by their kind.
const MOST_PANELS: usize = 6;
/// The largest number of quantities that are asked for with a panel each.
const MOST_ASKED: usize = 12;
/// Beyond this number of contacts gaps are omitted.
const MOST_GAPS: usize = 64;
/// The largest number of distinguishable curves in one panel.
const MOST_CURVES: usize = 6;
/// Beyond this number crossings of sections would hide the motion and are omitted.
const MOST_SECTIONS: usize = 60;
/// The numbers beyond which symbols are smaller, and dots.
const MANY_SYMBOLS: usize = 150;
const MOST_SYMBOLS: usize = 3000;

const JUMP: Color = Color::rgb(165, 180, 200);

/// A quantity whose values differ by less than this part of the largest value of all is constant, but for rounding.
const CONSTANT: f64 = 1e-14;

/// The colours of curves; beyond their number curves are dashed.
const CURVES: [Color; 12] = [
    Color::BLUE,
    Color::GREEN,
    Color::PURPLE,
    Color::rgb(51, 34, 136),
    Color::rgb(153, 153, 51),
    Color::SKY,
    Color::rgb(136, 34, 85),
    Color::ORANGE,
    Color::rgb(102, 51, 0),
    Color::rgb(17, 85, 51),
    Color::rgb(60, 60, 60),
    Color::VERMILLION,
];

/// The figure of a motion over time: of the quantities that are asked for, or else of all that vary.
pub(crate) fn figure(shown: Shown, asked: &[Quantity]) -> Figure {
    let mut gauge = shown.gauge();
    let groups = match asked {
        [] => groups(varying(shown, &mut gauge, usual(shown))),
        some if some.len() <= MOST_ASKED => some.iter().map(|&quantity| vec![quantity]).collect(),
        some => groups(by_kind(shown, some)),
    };
    let height = match groups.len() {
        0 | 1 => 300.0,
        2 => 190.0,
        3 | 4 => 145.0,
        _ => 118.0,
    };
    let mut panels: Vec<Panel> = Vec::new();
    for group in &groups {
        let panel = panel(shown, &mut gauge, group, height);
        panels.push(with_sections(panel, shown));
    }
    let total = 130.0 + (height + 14.0) * panels.len() as f64;
    Figure::stacked(title(shown.system), panels).subtitle(subtitle(shown)).size(WIDTH, total)
}

/// All quantities of a kind: gaps, states, coordinates, velocities, forces, the energy.
type Kinds = Vec<Vec<Quantity>>;

/// The quantities that are drawn where none are asked for.
fn usual(shown: Shown) -> Kinds {
    let model = shown.system.model();
    let contacts = if model.contacts.len() > MOST_GAPS { 0 } else { model.contacts.len() };
    let gaps: Vec<Quantity> = (0..contacts).map(Quantity::Gap).collect();
    // The phase is omitted, and so are gaps that are states.
    let new =
        |state: usize| !model.contacts[..contacts].iter().any(|contact| contact.gap == model.states[state].symbol);
    let of_kind = |kind: StateKind| {
        let states = (0..model.states.len()).filter(move |&state| model.states[state].kind == kind && new(state));
        states.map(Quantity::State).collect::<Vec<_>>()
    };
    vec![gaps, of_kind(StateKind::State), of_kind(StateKind::Coordinate), of_kind(StateKind::Velocity)]
}

/// Quantities that were asked for, by their kinds.
fn by_kind(shown: Shown, asked: &[Quantity]) -> Kinds {
    let states = &shown.system.model().states;
    let kind = |quantity: &Quantity| match *quantity {
        Quantity::Gap(_) => 0,
        Quantity::State(state) => match states[state].kind {
            StateKind::Coordinate => 2,
            StateKind::Velocity => 3,
            _ => 1,
        },
        Quantity::Force(_) => 4,
        Quantity::Reaction(_) => 5,
        Quantity::Multiplier(_) => 6,
        Quantity::Energy => 7,
        Quantity::Rate(_) => 8,
    };
    (0..9).map(|wanted| asked.iter().copied().filter(|quantity| kind(quantity) == wanted).collect()).collect()
}

/// The quantities that are not constant over the whole motion; all, if nothing moves.
fn varying(shown: Shown, gauge: &mut Gauge, kinds: Kinds) -> Kinds {
    let all: Vec<Quantity> = kinds.iter().flatten().copied().collect();
    let extents = extents(shown.trajectory.pieces(), gauge, &all);
    let sizes = extents.iter().map(|(low, high)| low.abs().max(high.abs())).filter(|size| size.is_finite());
    let least = CONSTANT * sizes.fold(0.0, f64::max);
    let mut varies = extents.iter().map(|(low, high)| high - low > least.max(1e-12 * low.abs().max(high.abs())));
    let kept: Kinds =
        kinds.iter().map(|kind| kind.iter().copied().filter(|_| varies.next() == Some(true)).collect()).collect();
    if kept.iter().all(Vec::is_empty) { kinds } else { kept }
}

/// The quantities of each panel.
fn groups(kinds: Kinds) -> Vec<Vec<Quantity>> {
    if kinds.iter().map(Vec::len).sum::<usize>() <= MOST_PANELS {
        return kinds.into_iter().flatten().map(|quantity| vec![quantity]).collect();
    }
    kinds.iter().flat_map(|kind| kind.chunks(MOST_CURVES)).map(<[Quantity]>::to_vec).collect()
}

/// The colour of a quantity in all panels, and whether its curve is dashed.
fn style(shown: Shown, quantity: Quantity) -> (Color, bool) {
    let kinds = usual(shown);
    let place = kinds.iter().flatten().position(|&other| other == quantity);
    let others = kinds.iter().map(Vec::len).sum::<usize>();
    let index = place.unwrap_or(match quantity {
        Quantity::Force(contact) => others + contact,
        Quantity::Reaction(constraint) => others + shown.system.model().contacts.len() + 1 + constraint,
        Quantity::Rate(state) => others + shown.system.model().contacts.len() + 2 + state,
        Quantity::Multiplier(element) => others + shown.system.model().contacts.len() + 1 + element,
        _ => others + shown.system.model().contacts.len(),
    });
    (CURVES[index % CURVES.len()], index / CURVES.len() % 2 == 1)
}

/// The panel of a group of quantities, at a given height on the page.
pub(crate) fn panel(shown: Shown, gauge: &mut Gauge, group: &[Quantity], height: f64) -> Panel {
    let model = shown.system.model();
    let time = Axis::new("time").tight();
    let time = match &model.time_unit {
        Some(unit) => time.unit(unit),
        None => time,
    };
    let single = (group.len() == 1).then(|| group[0]);
    let mut panel = Panel::new(time, group_axis(shown, group));
    let contact = match single {
        Some(Quantity::Gap(contact) | Quantity::Force(contact)) => Some(contact),
        _ => None,
    };
    panel = with_contact(panel, shown, contact);
    let is_gap = group.iter().any(|quantity| matches!(quantity, Quantity::Gap(_)));
    if is_gap {
        panel = panel.layer(Layer::horizontal(0.0).color(Color::BLACK).width(0.9));
    }
    let extents = extents(shown.trajectory.pieces(), gauge, group);
    let low = extents.iter().fold(f64::INFINITY, |low, extent| low.min(extent.0));
    let high = extents.iter().fold(f64::NEG_INFINITY, |high, extent| high.max(extent.1));
    let scales = (scale((0.0, shown.time), INNER_WIDTH), scale((low, high), height));
    for &quantity in group {
        let Drawn { line, jumps } = over_time(shown.trajectory.pieces(), gauge, quantity, scales);
        // A curve alone in its panel is named by its axis.
        let (color, dashed) = if single.is_some() { (Color::BLUE, false) } else { style(shown, quantity) };
        if !jumps.is_empty() {
            panel = panel.layer(Layer::line(jumps).color(JUMP).width(0.7));
        }
        let curve = Layer::line(line).color(color).width(1.3);
        let curve = if dashed { curve.dashed() } else { curve };
        panel = panel.layer(match single {
            Some(_) => curve,
            None => curve.label(quantity.name(model)),
        });
    }
    if is_gap { with_marks(panel, shown, contact) } else { panel }
}

/// The times in which a contact, or any contact, is closed.
fn with_contact(mut panel: Panel, shown: Shown, contact: Option<usize>) -> Panel {
    let contacts = &shown.system.model().contacts;
    let rubs = |contact: usize| contacts[contact].friction.is_some();
    // The times of an only contact are those of all.
    let intervals = match contact.or((contacts.len() == 1).then_some(0)) {
        Some(contact) => of_contact(shown.trajectory, contact, rubs(contact)),
        None => of_any(shown.trajectory, contacts.len()),
    };
    let intervals: Vec<_> = intervals.into_iter().chain(of_sliding(shown.trajectory, shown.system.model())).collect();
    for doing in Doing::ALL {
        let (color, opacity, label) = match doing {
            Doing::Slides => (Color::PURPLE, 0.18, "sliding"),
            Doing::Lasts => (Color::rgb(120, 150, 190), 0.25, "persistent contact"),
            Doing::Sticks => (Color::rgb(90, 90, 90), 0.22, "stick"),
            Doing::Forwards => (Color::ORANGE, 0.25, "slip forwards"),
            Doing::Backwards => (Color::SKY, 0.28, "slip backwards"),
        };
        let bands: Vec<(f64, f64)> =
            intervals.iter().filter(|(other, _)| *other == doing).map(|(_, interval)| *interval).collect();
        if !bands.is_empty() {
            panel = panel.layer(Layer::bands(bands).color(color).opacity(opacity).label(label));
        }
    }
    panel
}

/// The vertical axis of one quantity, or of several of one kind.
fn group_axis(shown: Shown, group: &[Quantity]) -> Axis {
    let model = shown.system.model();
    if let [quantity] = group {
        return quantity.axis(model);
    }
    let kind = match group.first() {
        Some(Quantity::State(state)) => match model.states[*state].kind {
            StateKind::Coordinate => "coordinates",
            StateKind::Velocity => "velocities",
            _ => "states",
        },
        Some(Quantity::Force(_)) => "contact forces",
        Some(Quantity::Reaction(_)) => "constraint forces",
        Some(Quantity::Multiplier(_)) => "multipliers",
        Some(Quantity::Rate(_)) => "rates",
        _ => "gaps",
    };
    let units: Vec<_> = group.iter().map(|quantity| quantity.axis(model).unit).collect();
    match &units[..] {
        [Some(unit), rest @ ..] if rest.iter().all(|other| other.as_ref() == Some(unit)) => Axis::new(kind).unit(unit),
        _ => Axis::new(kind),
    }
}

/// The events at one contact, or at several, on the line of zero gap.
fn with_marks(mut panel: Panel, shown: Shown, contact: Option<usize>) -> Panel {
    // Where several curves use the palette, impacts have another colour.
    let impact = if contact.is_some() { Color::VERMILLION } else { Color::BLACK };
    // Smaller symbols are in front, so that those at one place are all seen.
    let kinds = [
        (EventKind::ImpactWithoutCollision, Marker::Triangle, Color::BLACK, 9.5, "impact without collision"),
        (EventKind::Chatter, Marker::Triangle, Color::GREEN, 8.0, "end of chattering"),
        (EventKind::Graze, Marker::Cross, Color::PURPLE, 7.0, "graze"),
        (EventKind::Release, Marker::Square, Color::ORANGE, 6.5, "release"),
        (EventKind::Slip, Marker::Square, Color::SKY, 6.0, "slip begins or turns"),
        (EventKind::Impact, Marker::Circle, impact, 4.5, "impact"),
    ];
    for (kind, marker, color, size, label) in kinds {
        let points: Vec<(f64, f64)> = events(shown, kind, contact).map(|event| (event.end(), 0.0)).collect();
        let layer = match points.len() {
            0 => continue,
            n if n > MOST_SYMBOLS => Layer::cloud(points).width(2.0),
            n if n > MANY_SYMBOLS => Layer::markers(marker, thinned(&points, shown.time, 0.6 * size)).width(0.6 * size),
            _ => Layer::markers(marker, thinned(&points, shown.time, size)).width(size),
        };
        panel = panel.layer(layer.color(color).label(label));
    }
    panel
}

/// The points of a pile of symbols of this size that can be told apart, and the last one of the pile.
fn thinned(points: &[(f64, f64)], time: f64, size: f64) -> Vec<(f64, f64)> {
    let least = 0.4 * size * time / INNER_WIDTH;
    let mut kept: Vec<(f64, f64)> = Vec::new();
    for (i, &point) in points.iter().enumerate() {
        let apart = kept.last().is_none_or(|last| point.0 - last.0 >= least);
        let last = points.get(i + 1).is_none_or(|next| next.0 - point.0 >= least);
        if apart || last {
            kept.push(point);
        }
    }
    kept
}

/// Thin lines at the crossings of sections.
fn with_sections(mut panel: Panel, shown: Shown) -> Panel {
    if events(shown, EventKind::Section, None).count() > MOST_SECTIONS {
        return panel;
    }
    for event in events(shown, EventKind::Section, None) {
        let name = shown.naming.section(event).unwrap_or_default();
        let line = Layer::vertical(event.time).color(Color::PURPLE).width(0.7).opacity(0.7);
        panel = panel.layer(line.label(format!("section {name}")));
    }
    panel
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn piles_of_symbols_keep_their_ends() {
        let pile: Vec<(f64, f64)> = (0..200).map(|i| (1.0 - 0.8_f64.powi(i), 0.0)).collect();
        let kept = thinned(&pile, 10.0, 4.5);
        assert!(kept.len() < 60, "{}", kept.len());
        assert_eq!((kept.first(), kept.last()), (pile.first(), pile.last()));
        let apart: Vec<(f64, f64)> = (0..10).map(|i| (f64::from(i), 0.0)).collect();
        assert_eq!(thinned(&apart, 10.0, 4.5), apart);
    }
}
