//! Draws one panel: grid, layers, frame, marks and labels.

use crate::marks::{self, View};
use crate::scene::{Anchor, FRAME, INK, LABEL, NAME, Primitive, hairline, segment, text};
use crate::ticks::Ticks;
use crate::{Color, Panel, font};
use tiny_skia::Path;

/// Length of the marks outside the frame, and of those between them.
pub(crate) const MARK: f64 = 4.0;
const MINOR_MARK: f64 = 2.5;

const GRID: Color = Color::rgb(230, 230, 230);

/// Draws grid, layers, frame, marks and labels of a panel.
pub(crate) fn draw(panel: &Panel, view: &View, x: &Ticks, y: &Ticks, labelled: bool, items: &mut Vec<Primitive>) {
    let area = view.area;
    let (left, right, top, bottom) = (area.left, area.right(), area.top, area.bottom());
    let inside_x = |value: f64| view.across(value).map(|x| x.clamp(left, right));
    let inside_y = |value: f64| view.down(value).map(|y| y.clamp(top, bottom));

    if panel.framed {
        for position in x.values.iter().filter_map(|&value| inside_x(value)) {
            items.extend(hairline(segment((position, top), (position, bottom)), GRID));
        }
        for position in y.values.iter().filter_map(|&value| inside_y(value)) {
            items.extend(hairline(segment((left, position), (right, position)), GRID));
        }
    }
    for (layer, color) in panel.layers.iter().zip(marks::colors(panel)) {
        items.push(marks::draw(layer, color, view));
    }
    if !panel.framed {
        return;
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
