//! Layout: positions of panels, axes and labels on the page.
//!
//! From top to bottom: title, subtitle, legend, then the panels, whose left edges line up and leave room for the
//! widest tick label of all.

use crate::marks::{self, View};
use crate::scene::{Anchor, Area, INK, MARGIN, Primitive, Scene, segment, text};
use crate::ticks::{self, Ticks};
use crate::window::Window;
use crate::{Axis, Color, Figure, Layer, Panel, Shape};
use crate::{font, header};
use tiny_skia::Path;

const NAME: f64 = 12.0;
const LABEL: f64 = 10.5;

/// Length of the marks outside the frame, and of those between them.
const MARK: f64 = 4.0;
const MINOR_MARK: f64 = 2.5;

const FRAME: Color = Color::rgb(90, 90, 90);
const GRID: Color = Color::rgb(230, 230, 230);

/// Lays a figure out.
pub(crate) fn scene(figure: &Figure) -> Scene {
    let side = |value: f64, least: f64, other: f64| {
        if value.is_nan() { other } else { value.clamp(least, 8000.0) }
    };
    let width = side(figure.width, 160.0, 640.0);
    let height = side(figure.height, 120.0, 480.0);
    let mut items = Vec::new();
    let page = Area { left: 0.0, top: 0.0, width, height };
    items.extend(page.path().map(|path| Primitive::Fill { path, paint: Color::WHITE.into() }));

    let windows = windows(figure);
    let estimate = ((height - 110.0) / windows.len().max(1) as f64).max(20.0);
    let names: Vec<Vec<String>> = figure.panels.iter().map(|panel| upward_name(&panel.y, estimate)).collect();
    let y_ticks: Vec<Ticks> =
        windows.iter().map(|(_, y)| choose(y, (estimate / 32.0).clamp(2.0, 8.0) as usize)).collect();
    let name_lines = names.iter().map(Vec::len).max().unwrap_or(0) as f64;
    let widest = y_ticks.iter().map(widest_label).fold(0.0, f64::max);
    let left = MARGIN + name_lines * (NAME + 3.0) + 4.0 + widest + MARK + 3.0;
    let x_ticks: Vec<Ticks> = windows.iter().map(|(x, _)| choose_spaced(x, width - left - 2.0 * MARGIN)).collect();
    let overhang = x_ticks.iter().map(widest_label).fold(0.0, f64::max) / 2.0;
    let right = MARGIN.max(overhang + 6.0);
    let column = Area { left, top: 0.0, width: (width - left - right).max(20.0), height };

    let mut top = header::draw(figure, &column, width, &mut items);
    if y_ticks.first().is_some_and(|ticks| ticks.factor.is_some()) {
        top += LABEL + 2.0;
    }

    // Below a panel: marks, labels and the name of x; with a shared axis only below the last panel.
    let foot = |i: usize| {
        let named = figure.panels.get(i).is_some_and(|panel| !title(&panel.x).is_empty());
        MARK + 5.0 + LABEL + if named { NAME + 7.0 } else { 0.0 }
    };
    let count = windows.len();
    let last = count.saturating_sub(1);
    let gap = |i: usize| match (i == last, figure.share_x) {
        (true, true) => foot(0) + MARGIN - 4.0,
        (true, false) => foot(i) + MARGIN - 4.0,
        (false, shared) => {
            let factor = if y_ticks[i + 1].factor.is_some() { LABEL + 2.0 } else { 0.0 };
            factor.max(2.0) + 12.0 + if shared { 0.0 } else { foot(i) }
        }
    };
    let gaps: f64 = (0..count).map(gap).sum();
    let panel_height = ((height - top - gaps) / count.max(1) as f64).max(10.0);
    for (i, panel) in figure.panels.iter().enumerate() {
        let area = Area { top, height: panel_height, ..column };
        let view = View { x: windows[i].0, y: windows[i].1, area };
        let x_axis = if figure.share_x { &figure.panels[0].x } else { &panel.x };
        let labelled = i == last || !figure.share_x;
        draw_panel(panel, &view, &x_ticks[i], &y_ticks[i], labelled, &mut items);
        if labelled {
            let middle = area.left + area.width / 2.0;
            let factor = x_ticks[i].factor.as_deref().map_or(0.0, |f| font::width(f, LABEL) + 8.0);
            let name = font::shorten(&title(x_axis), NAME, area.width - 2.0 * factor);
            let baseline = area.bottom() + MARK + 5.0 + LABEL + NAME + 4.0;
            items.push(text(name, (middle, baseline), Anchor::Middle, NAME, INK));
        }
        for (line, content) in names[i].iter().enumerate() {
            let x = MARGIN + (line + 1) as f64 * (NAME + 3.0) - 5.0;
            items.push(Primitive::Text {
                content: content.clone(),
                at: (x, area.top + area.height / 2.0),
                anchor: Anchor::Middle,
                size: NAME,
                upward: true,
                paint: INK.into(),
            });
        }
        top += panel_height + gap(i);
    }
    let description = match figure.title.is_empty() {
        true => "Figure".to_owned(),
        false => figure.title.clone(),
    };
    Scene { width, height, description, items }
}

/// The intervals which the panels show.
fn windows(figure: &Figure) -> Vec<(Window, Window)> {
    let shared = figure
        .panels
        .first()
        .filter(|_| figure.share_x)
        .map(|first| Window::new(&first.x, figure.panels.iter().flat_map(|panel| &panel.layers).flat_map(xs)));
    figure
        .panels
        .iter()
        .map(|panel| {
            let x = shared.unwrap_or_else(|| Window::new(&panel.x, panel.layers.iter().flat_map(xs)));
            (x, Window::new(&panel.y, panel.layers.iter().flat_map(ys)))
        })
        .collect()
}

/// The values of x that a layer needs in the range.
fn xs(layer: &Layer) -> Box<dyn Iterator<Item = f64> + '_> {
    match &layer.shape {
        Shape::Line { points, .. } | Shape::Markers { points, .. } | Shape::Cloud { points } => {
            Box::new(points.iter().filter(|point| point.1.is_finite()).map(|point| point.0))
        }
        Shape::Vertical(x) => Box::new(std::iter::once(*x)),
        Shape::Bands(intervals) => Box::new(intervals.iter().flat_map(|&(from, to)| [from, to])),
        Shape::Horizontal(_) => Box::new(std::iter::empty()),
        Shape::Cells { x, .. } => Box::new(x.iter().copied()),
    }
}

/// The values of y that a layer needs in the range.
fn ys(layer: &Layer) -> Box<dyn Iterator<Item = f64> + '_> {
    match &layer.shape {
        Shape::Line { points, .. } | Shape::Markers { points, .. } | Shape::Cloud { points } => {
            Box::new(points.iter().filter(|point| point.0.is_finite()).map(|point| point.1))
        }
        Shape::Horizontal(y) => Box::new(std::iter::once(*y)),
        Shape::Vertical(_) | Shape::Bands(_) => Box::new(std::iter::empty()),
        Shape::Cells { y, .. } => Box::new(y.iter().copied()),
    }
}

fn choose(window: &Window, most: usize) -> Ticks {
    let (low, high) = window.ends();
    ticks::choose(window.scale, low, high, most)
}

/// As many marks (at most eight) as leave space between their labels on an axis of this length.
fn choose_spaced(window: &Window, length: f64) -> Ticks {
    (2..=8)
        .rev()
        .map(|most| choose(window, most))
        .find(|ticks| {
            let mut places: Vec<f64> = ticks.values.iter().filter_map(|&v| window.fraction(v)).collect();
            places.sort_by(f64::total_cmp);
            let needed = widest_label(ticks) + 14.0;
            places.windows(2).all(|pair| (pair[1] - pair[0]) * length >= needed)
        })
        .unwrap_or_else(|| choose(window, 2))
}

fn widest_label(ticks: &Ticks) -> f64 {
    ticks.labels.iter().map(|label| font::width(label, LABEL)).fold(0.0, f64::max)
}

/// `name (unit)`.
fn title(axis: &Axis) -> String {
    match axis.unit.as_deref().filter(|unit| !unit.is_empty()) {
        Some(unit) => format!("{} ({unit})", axis.name),
        None => axis.name.clone(),
    }
}

/// The name of a vertical axis in at most two lines that fit its length.
fn upward_name(axis: &Axis, length: f64) -> Vec<String> {
    font::wrap(&title(axis), NAME, length, 2)
}

/// Draws grid, layers, frame, marks and labels of a panel.
fn draw_panel(panel: &Panel, view: &View, x: &Ticks, y: &Ticks, labelled: bool, items: &mut Vec<Primitive>) {
    let area = view.area;
    let (left, right, top, bottom) = (area.left, area.right(), area.top, area.bottom());
    let inside_x = |value: f64| view.across(value).map(|x| x.clamp(left, right));
    let inside_y = |value: f64| view.down(value).map(|y| y.clamp(top, bottom));

    for position in x.values.iter().filter_map(|&value| inside_x(value)) {
        items.extend(hairline(segment((position, top), (position, bottom)), GRID));
    }
    for position in y.values.iter().filter_map(|&value| inside_y(value)) {
        items.extend(hairline(segment((left, position), (right, position)), GRID));
    }
    for (layer, color) in panel.layers.iter().zip(marks::colors(panel)) {
        items.push(marks::draw(layer, color, view));
    }
    items.extend(hairline(area.path(), FRAME));

    let below = |value: f64, length: f64| inside_x(value).and_then(|x| segment((x, bottom), (x, bottom + length)));
    let beside = |value: f64, length: f64| inside_y(value).and_then(|y| segment((left, y), (left - length, y)));
    for (axis, mark) in [(x, &below as &dyn Fn(f64, f64) -> Option<Path>), (y, &beside)] {
        items.extend(axis.values.iter().filter_map(|&value| hairline(mark(value, MARK), FRAME)));
        items.extend(axis.minor.iter().filter_map(|&value| hairline(mark(value, MINOR_MARK), FRAME)));
    }

    for (&value, label) in y.values.iter().zip(&y.labels) {
        if let Some(position) = inside_y(value) {
            let baseline = position + font::CAP_HEIGHT * LABEL / 2.0;
            items.push(text(label.clone(), (left - MARK - 3.0, baseline), Anchor::End, LABEL, INK));
        }
    }
    if let Some(factor) = &y.factor {
        items.push(text(factor.clone(), (left, top - 5.0), Anchor::Start, LABEL, INK));
    }
    if labelled {
        let baseline = bottom + MARK + 4.0 + font::CAP_HEIGHT * LABEL + 1.0;
        for (&value, label) in x.values.iter().zip(&x.labels) {
            if let Some(position) = inside_x(value) {
                items.push(text(label.clone(), (position, baseline), Anchor::Middle, LABEL, INK));
            }
        }
        if let Some(factor) = &x.factor {
            let baseline = bottom + MARK + 5.0 + LABEL + NAME + 4.0;
            items.push(text(factor.clone(), (right, baseline), Anchor::End, LABEL, INK));
        }
    }
}

fn hairline(path: Option<Path>, color: Color) -> Option<Primitive> {
    Some(Primitive::Stroke { path: path?, paint: color.into(), width: 0.8, dashes: None })
}
