//! The figure of a motion in the plane of two of its quantities.

use crate::drawing::jumps;
use crate::drawing::lines::{Drawn, extents, over_each_other, scale, sliding};
use crate::drawing::motion::{Shown, events, subtitle, title};
use crate::drawing::quantity::Quantity;
use saltation_draw::{Color, Figure, Layer, Marker, Panel};
use saltation_expr::Node;
use saltation_motion::EventKind;

/// The size of the figure, and the approximate length left for the curve.
const SIZE: (f64, f64) = (640.0, 600.0);
const INNER: (f64, f64) = (540.0, 480.0);
/// Beyond this number impacts have no symbols, only jumps.
const MOST_SYMBOLS: usize = 400;

/// Beyond this number symbols are smaller.
const MANY_SYMBOLS: usize = 50;

const OBSTACLE: Color = Color::rgb(90, 90, 90);
const JUMP: Color = Color::rgb(230, 140, 90);

/// The figure of a motion in a plane.
pub(crate) fn figure(shown: Shown, plane: (Quantity, Quantity)) -> Figure {
    Figure::new(title(shown.system)).subtitle(subtitle(shown)).size(SIZE.0, SIZE.1).panel(panel(
        shown,
        plane,
        INNER,
        "before an impact",
    ))
}

/// The plane, with an approximate length of the curve on the page, and a label for the states before impacts.
pub(crate) fn panel(shown: Shown, plane: (Quantity, Quantity), inner: (f64, f64), before_impact: &str) -> Panel {
    let (trajectory, model) = (shown.trajectory, shown.system.model());
    let mut gauge = shown.gauge();
    let both = [plane.0, plane.1];
    let sizes = extents(trajectory.pieces(), &mut gauge, &both);
    let scales = (scale(sizes[0], inner.0), scale(sizes[1], inner.1));
    let period = |quantity: Quantity| match quantity {
        Quantity::State(state) => shown.naming.period(state),
        _ => None,
    };
    let periods = (period(plane.0), period(plane.1));
    let Drawn { line, jumps } = over_each_other(trajectory, &mut gauge, plane, scales, periods);

    let mut panel = Panel::new(plane.0.axis(model), plane.1.axis(model));
    panel = obstacles(panel, shown, plane);
    panel = surfaces(panel, shown, plane);
    // Long motions are drawn with thinner lines.
    let width = if line.len() > 20_000 { 0.6 } else { 1.1 };
    let jump_is_seen = !jumps.is_empty();
    panel = panel.layer(Layer::line(line).color(Color::BLUE).width(width));
    for part in sliding(trajectory, &mut gauge, plane, scales, periods) {
        panel = panel.layer(Layer::line(part.line).color(Color::PURPLE).width(2.0).label("sliding"));
    }
    if jump_is_seen {
        let wrapped = |quantity, value| match quantity {
            Quantity::State(state) => shown.naming.wrapped(state, value),
            _ => value,
        };
        let found = jumps::by_contact(shown, &mut gauge, plane, &wrapped);
        // A motion whose events are not known shows where its path jumps.
        let layers = match found.is_empty() {
            true => vec![Layer::line(jumps).color(JUMP).width(1.2).label("jump")],
            false => jumps::layers(shown, found),
        };
        panel = layers.into_iter().fold(panel, Panel::layer);
    }
    let impacts: Vec<_> = events(shown, EventKind::Impact, None).collect();
    if !impacts.is_empty() && impacts.len() <= MOST_SYMBOLS {
        let mut place = |event: &saltation_motion::Event, state: &[f64]| {
            let mut values = [0.0; 2];
            gauge.at(state, event.mode.into(), &both, &mut values);
            (values[0], values[1])
        };
        let size = if impacts.len() > MANY_SYMBOLS { 2.6 } else { 4.0 };
        let marks =
            |marker, points: Vec<_>, color, label| Layer::markers(marker, points).color(color).width(size).label(label);
        let before: Vec<_> = impacts.iter().map(|event| place(event, &event.before)).collect();
        if jump_is_seen {
            let after = impacts.iter().map(|event| place(event, &event.after)).collect();
            panel = panel.layer(marks(Marker::Circle, before, Color::VERMILLION, before_impact));
            panel = panel.layer(marks(Marker::Square, after, Color::GREEN, "after it"));
        } else {
            panel = panel.layer(marks(Marker::Circle, before, Color::VERMILLION, "impact"));
        }
    }
    panel
}

/// The obstacles which are straight lines in this plane, and for vertical ones also the forbidden side.
fn obstacles(mut panel: Panel, shown: Shown, plane: (Quantity, Quantity)) -> Panel {
    let all = || 0..shown.system.model().contacts.len();
    let upright: Vec<Wall> = all().filter_map(|contact| wall(shown, contact, plane.0)).collect();
    let level: Vec<Wall> = all().filter_map(|contact| wall(shown, contact, plane.1)).collect();
    if !upright.is_empty() {
        let forbidden = |wall: &Wall| match wall.opens_upwards {
            true => (f64::NEG_INFINITY, wall.at),
            false => (wall.at, f64::INFINITY),
        };
        panel = panel.layer(Layer::bands(upright.iter().map(forbidden)).color(OBSTACLE).opacity(0.2));
    }
    let lines = upright.iter().map(|wall| Layer::vertical(wall.at));
    for line in lines.chain(level.iter().map(|wall| Layer::horizontal(wall.at))) {
        panel = panel.layer(line.color(OBSTACLE).width(0.8).label("obstacle"));
    }
    panel
}

/// A value of a quantity at which a contact closes, and whether the gap grows with the quantity.
#[derive(Debug, Clone, Copy)]
struct Wall {
    at: f64,
    opens_upwards: bool,
}

/// The surfaces of switches which are straight lines in this plane.
fn surfaces(mut panel: Panel, shown: Shown, plane: (Quantity, Quantity)) -> Panel {
    for switch in &shown.system.model().switches {
        let line = |quantity: Quantity| match quantity {
            Quantity::State(state) => zero(shown, switch.function, state),
            _ => None,
        };
        let upright = line(plane.0).map(|wall| Layer::vertical(wall.at));
        if let Some(line) = upright.or_else(|| line(plane.1).map(|wall| Layer::horizontal(wall.at))) {
            panel = panel.layer(line.color(OBSTACLE).width(0.8).dashed().label(format!("switch {}", switch.name)));
        }
    }
    panel
}

/// The wall of a contact whose gap depends on this quantity alone, and linearly.
fn wall(shown: Shown, contact: usize, quantity: Quantity) -> Option<Wall> {
    match quantity {
        Quantity::Gap(other) => (other == contact).then_some(Wall { at: 0.0, opens_upwards: true }),
        Quantity::State(state) => zero(shown, shown.system.model().contacts[contact].gap, state),
        Quantity::Force(_) | Quantity::Reaction(_) | Quantity::Multiplier(_) | Quantity::Rate(_) | Quantity::Energy => {
            None
        }
    }
}

/// Where a formula is zero that depends on one state alone, and linearly.
fn zero(shown: Shown, gap: Node, state: usize) -> Option<Wall> {
    let model = shown.system.model();
    let symbol = model.states[state].symbol;
    let inside = model.graph.symbols_of(gap);
    let only = model.states.iter().all(|other| inside.contains(&other.symbol) == (other.symbol == symbol));
    let mut graph = model.graph.clone();
    let slope = graph.derivative(gap, symbol);
    if !only || graph.depends_on(slope, symbol) {
        return None;
    }
    let parameters = shown.system.numbers().parameters();
    let at_zero = |symbol: usize| symbol.checked_sub(model.states.len()).map_or(0.0, |p| parameters[p]);
    let slope = graph.evaluate(slope, &at_zero);
    let at = -graph.evaluate(gap, &at_zero) / slope;
    at.is_finite().then_some(Wall { at, opens_upwards: slope > 0.0 })
}
