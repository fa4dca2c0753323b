//! Layout of the title, the caption and the legend above the panels.

use crate::scene::{Anchor, INK, MARGIN, Primitive, text};
use crate::window::Window;
use crate::{Color, Figure, font, legend};

const TITLE: f64 = 14.0;
const SUBTITLE: f64 = 10.5;
const FAINT: Color = Color::rgb(95, 95, 95);

/// Draws title, subtitle and legend; returns where the panels begin.
pub(crate) fn draw(
    figure: &Figure,
    windows: &[(Window, Window)],
    left: f64,
    width: f64,
    items: &mut Vec<Primitive>,
) -> f64 {
    let mut top = MARGIN - 2.0;
    let room = width - left - MARGIN;
    for line in font::wrap(&figure.title, TITLE, room, 2) {
        top += TITLE + 3.0;
        items.push(text(line, (left, top - 4.0), Anchor::Start, TITLE, INK));
    }
    for line in font::wrap(&figure.subtitle, SUBTITLE, room, 3) {
        top += SUBTITLE + 4.0;
        items.push(text(line, (left, top - 3.0), Anchor::Start, SUBTITLE, FAINT));
    }
    legend::draw(figure, windows, (left, room), top + 3.0, items) + 7.0
}
