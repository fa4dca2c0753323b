//! Layout of the title, the caption and the legend above the panels.

use crate::scene::{Anchor, Area, INK, MARGIN, Primitive, text};
use crate::{Color, Figure, Layer, Shape, font, marks};

const TITLE: f64 = 14.0;
const SUBTITLE: f64 = 10.5;
const LEGEND: f64 = 10.5;
/// Length of a legend entry's sample, line or symbol, its distance to the text, and the distance between entries.
const SAMPLE: f64 = 22.0;
const SYMBOL: f64 = 10.0;
const SAMPLE_GAP: f64 = 6.0;
const ENTRY_GAP: f64 = 20.0;
const FAINT: Color = Color::rgb(95, 95, 95);

/// Draws title, subtitle and legend; returns where the panels begin.
pub(crate) fn draw(figure: &Figure, column: &Area, width: f64, items: &mut Vec<Primitive>) -> f64 {
    let mut top = MARGIN - 2.0;
    let room = width - column.left - MARGIN;
    for line in font::wrap(&figure.title, TITLE, room, 2) {
        top += TITLE + 3.0;
        items.push(text(line, (column.left, top - 4.0), Anchor::Start, TITLE, INK));
    }
    for line in font::wrap(&figure.subtitle, SUBTITLE, room, 3) {
        top += SUBTITLE + 4.0;
        items.push(text(line, (column.left, top - 3.0), Anchor::Start, SUBTITLE, FAINT));
    }
    legend(figure, column, room, top + 3.0, items) + 7.0
}

/// Draws the legend in rows from `top`; returns where it ends.
fn legend(figure: &Figure, column: &Area, room: f64, top: f64, items: &mut Vec<Primitive>) -> f64 {
    let mut entries: Vec<(&str, &Layer, Color)> = Vec::new();
    for panel in figure.panels.iter().filter(|panel| panel.legend) {
        for (layer, color) in panel.layers.iter().zip(marks::colors(panel)) {
            let label = layer.label.as_deref().unwrap_or("");
            if !label.is_empty() && entries.iter().all(|entry| entry.0 != label) {
                entries.push((label, layer, color));
            }
        }
    }
    let row = LEGEND + 6.0;
    let mut at = (column.left, top + row / 2.0);
    for &(label, layer, color) in &entries {
        let label = font::shorten(label, LEGEND, room - SAMPLE - SAMPLE_GAP);
        let sample = if is_symbol(&layer.shape) { SYMBOL } else { SAMPLE };
        let length = sample + SAMPLE_GAP + font::width(&label, LEGEND);
        if at.0 > column.left && at.0 + length > column.left + room {
            at = (column.left, at.1 + row);
        }
        items.extend(marks::sample(layer, color, at.0, at.1, sample));
        let baseline = (at.0 + sample + SAMPLE_GAP, at.1 + font::CAP_HEIGHT * LEGEND / 2.0);
        items.push(text(label, baseline, Anchor::Start, LEGEND, INK));
        at.0 += length + ENTRY_GAP;
    }
    if entries.is_empty() { top } else { at.1 + row / 2.0 }
}

fn is_symbol(shape: &Shape) -> bool {
    matches!(shape, Shape::Markers { .. } | Shape::Cloud { .. })
}
