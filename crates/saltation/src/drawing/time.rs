//! The figure of a motion over time: a panel for each gap and state, with the events marked.

use crate::drawing::lines::{Drawn, extents, over_time, scale};
use crate::drawing::motion::{Shown, axis, closed, events, gap_name, subtitle, title};
use crate::drawing::path::{Gauge, Quantity};
use saltation_draw::{Axis, Color, Figure, Layer, Marker, Panel};
use saltation_model::StateKind;
use saltation_motion::EventKind;

/// The width of the figure, and the approximate length left for the curves.
const WIDTH: f64 = 820.0;
const INNER_WIDTH: f64 = 720.0;
/// Beyond this number quantities share panels by their kind.
const MOST_PANELS: usize = 6;
/// Beyond this number of contacts gaps are omitted.
const MOST_GAPS: usize = 64;
/// The largest number of distinguishable curves in one panel.
const MOST_CURVES: usize = 6;
/// Beyond this number crossings of sections would hide the motion and are omitted.
const MOST_SECTIONS: usize = 60;
/// The numbers beyond which symbols are smaller, and dots.
const MANY_SYMBOLS: usize = 150;
const MOST_SYMBOLS: usize = 3000;

const SLIDE: Color = Color::rgb(120, 150, 190);
const JUMP: Color = Color::rgb(165, 180, 200);

/// The figure of a motion over time.
pub(crate) fn figure(shown: Shown) -> Figure {
    let groups = groups(shown);
    let height = match groups.len() {
        0 | 1 => 300.0,
        2 => 190.0,
        3 | 4 => 145.0,
        _ => 118.0,
    };
    let mut gauge = Gauge::new(shown.system.model(), shown.system.numbers());
    let mut panels: Vec<Panel> = Vec::new();
    for group in &groups {
        let panel = panel(shown, &mut gauge, group, height);
        panels.push(with_sections(panel, shown));
    }
    let total = 130.0 + (height + 14.0) * panels.len() as f64;
    Figure::stacked(title(shown.system), panels).subtitle(subtitle(shown)).size(WIDTH, total)
}

/// The quantities of each panel.
fn groups(shown: Shown) -> Vec<Vec<Quantity>> {
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
    let kinds = [gaps, of_kind(StateKind::State), of_kind(StateKind::Coordinate), of_kind(StateKind::Velocity)];
    if kinds.iter().map(Vec::len).sum::<usize>() <= MOST_PANELS {
        return kinds.into_iter().flatten().map(|quantity| vec![quantity]).collect();
    }
    kinds.iter().flat_map(|kind| kind.chunks(MOST_CURVES)).map(<[Quantity]>::to_vec).collect()
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
        Some(Quantity::Gap(contact)) => Some(contact),
        _ => None,
    };
    let bands = closed(shown, contact);
    if !bands.is_empty() {
        panel = panel.layer(Layer::bands(bands).color(SLIDE).opacity(0.25).label("lasting contact"));
    }
    let is_gap = group.iter().any(|quantity| matches!(quantity, Quantity::Gap(_)));
    if is_gap {
        panel = panel.layer(Layer::horizontal(0.0).color(Color::BLACK).width(0.9));
    }
    let extents = extents(shown.trajectory, gauge, group);
    let low = extents.iter().fold(f64::INFINITY, |low, extent| low.min(extent.0));
    let high = extents.iter().fold(f64::NEG_INFINITY, |high, extent| high.max(extent.1));
    let scales = (scale((0.0, shown.time), INNER_WIDTH), scale((low, high), height));
    for (i, &quantity) in group.iter().enumerate() {
        let Drawn { line, jumps } = over_time(shown.trajectory, gauge, quantity, scales);
        let color = Color::PALETTE[i % Color::PALETTE.len()];
        if !jumps.is_empty() {
            panel = panel.layer(Layer::line(jumps).color(JUMP).width(0.7));
        }
        let curve = Layer::line(line).color(color).width(1.3);
        panel = panel.layer(match single {
            Some(_) => curve,
            None => curve.label(name(shown, quantity)),
        });
    }
    if is_gap { with_marks(panel, shown, contact) } else { panel }
}

fn name(shown: Shown, quantity: Quantity) -> String {
    match quantity {
        Quantity::State(state) => shown.system.model().states[state].name.clone(),
        Quantity::Gap(contact) => gap_name(shown, contact),
    }
}

/// The vertical axis of one quantity, or of several of one kind.
fn group_axis(shown: Shown, group: &[Quantity]) -> Axis {
    let model = shown.system.model();
    if let [quantity] = group {
        return axis(shown, *quantity);
    }
    let kind = match group.first() {
        Some(Quantity::State(state)) => match model.states[*state].kind {
            StateKind::Coordinate => "coordinates",
            StateKind::Velocity => "velocities",
            _ => "states",
        },
        _ => "gaps",
    };
    let units: Vec<_> = group.iter().map(|&quantity| axis(shown, quantity).unit).collect();
    match &units[..] {
        [Some(unit), rest @ ..] if rest.iter().all(|other| other.as_ref() == Some(unit)) => Axis::new(kind).unit(unit),
        _ => Axis::new(kind),
    }
}

/// The events at one contact, or at several, on the line of zero gap.
fn with_marks(mut panel: Panel, shown: Shown, contact: Option<usize>) -> Panel {
    // Where several curves use the palette, impacts have another colour.
    let impact = if contact.is_some() { Color::VERMILLION } else { Color::BLACK };
    let kinds = [
        (EventKind::Impact, Marker::Circle, impact, 4.5, "impact"),
        (EventKind::Chatter, Marker::Triangle, Color::GREEN, 8.0, "end of chattering"),
        (EventKind::Graze, Marker::Cross, Color::PURPLE, 7.0, "graze"),
        (EventKind::Release, Marker::Square, Color::ORANGE, 6.0, "release"),
        (EventKind::Slip, Marker::Square, Color::SKY, 6.0, "slip begins or turns"),
        (EventKind::ImpactWithoutCollision, Marker::Triangle, Color::BLACK, 8.0, "impact without collision"),
    ];
    for (kind, marker, color, size, label) in kinds {
        let points: Vec<(f64, f64)> = events(shown, kind, contact).map(|event| (event.end(), 0.0)).collect();
        let layer = match points.len() {
            0 => continue,
            n if n > MOST_SYMBOLS => Layer::cloud(points).width(2.0),
            n if n > MANY_SYMBOLS => Layer::markers(marker, points).width(0.6 * size),
            _ => Layer::markers(marker, points).width(size),
        };
        panel = panel.layer(layer.color(color).label(label));
    }
    panel
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
