//! The legend: a sample and a name for each kind of layer and each category, in rows.

use crate::raster;
use crate::scene::{Anchor, Area, INK, Primitive, text};
use crate::window::Window;
use crate::{Color, Figure, Layer, Shape, font, marks};

const SIZE: f64 = 10.5;
/// Length of a line's sample, a swatch and a symbol, the distance to the text, and that between entries.
const LINE: f64 = 22.0;
const SWATCH: f64 = 14.0;
const SYMBOL: f64 = 10.0;
const SAMPLE_GAP: f64 = 6.0;
const ENTRY_GAP: f64 = 20.0;
/// The number of categories from which the entries stand in columns.
const MANY: usize = 7;

/// An entry: its name and what it looks like.
struct Entry<'a> {
    label: &'a str,
    sample: Sample<'a>,
}

enum Sample<'a> {
    Layer(&'a Layer, Color),
    Swatch(Color),
}

impl Sample<'_> {
    fn width(&self) -> f64 {
        match self {
            Sample::Swatch(_) => SWATCH,
            Sample::Layer(layer, _) => match layer.shape {
                Shape::Markers { .. } | Shape::Cloud { .. } | Shape::Density(_) => SYMBOL,
                _ => LINE,
            },
        }
    }

    fn draw(&self, left: f64, middle: f64) -> Vec<Primitive> {
        match *self {
            Sample::Layer(layer, color) => marks::sample(layer, color, left, middle, self.width()),
            Sample::Swatch(color) => {
                let swatch = Area { left, top: middle - 5.0, width: SWATCH, height: 10.0 };
                let path = || swatch.path();
                let fill = path().map(|path| Primitive::Fill { path, paint: color.into() });
                let edge = Color::GREY.into();
                let frame = path().map(|path| Primitive::Stroke { path, paint: edge, width: 0.4, dashes: None });
                fill.into_iter().chain(frame).collect()
            }
        }
    }
}

/// Draws the legend of a figure in rows from `top`, from the left over this width of the page; returns where it ends.
pub(crate) fn draw(
    figure: &Figure,
    windows: &[(Window, Window)],
    (left, room): (f64, f64),
    top: f64,
    items: &mut Vec<Primitive>,
) -> f64 {
    let entries = entries(figure, windows);
    let swatches = entries.iter().filter(|entry| matches!(entry.sample, Sample::Swatch(_))).count();
    let widths: Vec<f64> = entries
        .iter()
        .map(|entry| entry.sample.width() + SAMPLE_GAP + font::width(&shortened(entry, room), SIZE))
        .collect();
    // The left ends of columns, if there are any.
    let widest = widths.iter().copied().fold(0.0, f64::max) + ENTRY_GAP;
    let column = (swatches >= MANY).then_some(widest);
    let row = SIZE + 6.0;
    let mut at = (left, top + row / 2.0);
    for (entry, &length) in entries.iter().zip(&widths) {
        if at.0 > left && at.0 + length > left + room {
            at = (left, at.1 + row);
        }
        items.extend(entry.sample.draw(at.0, at.1));
        let baseline = (at.0 + entry.sample.width() + SAMPLE_GAP, at.1 + font::CAP_HEIGHT * SIZE / 2.0);
        items.push(text(shortened(entry, room), baseline, Anchor::Start, SIZE, INK));
        at.0 += column.unwrap_or(length + ENTRY_GAP);
    }
    if entries.is_empty() { top } else { at.1 + row / 2.0 }
}

fn shortened(entry: &Entry, room: f64) -> String {
    font::shorten(entry.label, SIZE, room - entry.sample.width() - SAMPLE_GAP)
}

/// Whether a layer has anything in the windows of its panel.
fn is_seen(layer: &Layer, (x, y): &(Window, Window)) -> bool {
    let within = |window: &Window, low: f64, high: f64| {
        let (from, to) = window.ends();
        low <= to && high >= from
    };
    let seen = |(a, b): (&(f64, f64), &(f64, f64))| {
        within(x, a.0.min(b.0), a.0.max(b.0)) && within(y, a.1.min(b.1), a.1.max(b.1))
    };
    match &layer.shape {
        Shape::Line { points, .. } => points.iter().zip(points.iter().skip(1)).any(seen),
        Shape::Markers { points, .. } | Shape::Cloud { points } => points.iter().any(|point| seen((point, point))),
        _ => true,
    }
}

/// All entries, each name once. What no panel shows has none.
fn entries<'a>(figure: &'a Figure, windows: &[(Window, Window)]) -> Vec<Entry<'a>> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut add = |label: &'a str, sample| {
        if !label.is_empty() && entries.iter().all(|entry| entry.label != label) {
            entries.push(Entry { label, sample });
        }
    };
    for (panel, windows) in figure.panels.iter().zip(windows).filter(|(panel, _)| panel.legend) {
        for (layer, color) in panel.layers.iter().zip(marks::colors(panel)).filter(|(layer, _)| is_seen(layer, windows))
        {
            match &layer.shape {
                Shape::Categories { grid, cells, categories } => {
                    for category in categories {
                        add(&category.label, Sample::Swatch(category.color));
                    }
                    if raster::lacks_category(grid, cells, categories) {
                        add(&grid.missing, Sample::Swatch(Color::MISSING));
                    }
                }
                Shape::Values { grid, values, .. } => {
                    if raster::lacks_value(grid, values) {
                        add(&grid.missing, Sample::Swatch(Color::MISSING));
                    }
                }
                _ => add(layer.label.as_deref().unwrap_or(""), Sample::Layer(layer, color)),
            }
        }
    }
    entries
}
