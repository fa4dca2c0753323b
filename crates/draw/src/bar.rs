//! Colour bars at the right of a panel: the colours of numbers, with marks, labels and a title.

use crate::scene::{Anchor, Area, FRAME, INK, LABEL, NAME, Primitive, hairline, segment, text};
use crate::ticks::{self, Ticks};
use crate::window::Window;
use crate::{ColorMap, Panel, Shape, font, raster};

/// The distance from what is to the left, the width of the colours, and the length of the marks.
const GAP: f64 = 16.0;
const WIDTH: f64 = 14.0;
const MARK: f64 = 4.0;
/// The distance between a mark and its label, and between labels and the title.
const SPACE: f64 = 3.0;

/// A colour bar, not yet placed.
pub(crate) struct Bar {
    map: ColorMap,
    window: Window,
    ticks: Ticks,
    title: Vec<String>,
}

/// The bars of a panel of about this height.
pub(crate) fn bars(panel: &Panel, height: f64) -> Vec<Bar> {
    let bar = |shape: &Shape| match shape {
        Shape::Values { values, bar, .. } => {
            let window = raster::bar_window(bar, values);
            let (low, high) = window.ends();
            let ticks = ticks::choose(window.scale, low, high, (height / 32.0).clamp(5.0, 8.0) as usize);
            Some(Bar { map: bar.map, window, ticks, title: font::wrap(&bar.axis.title(), NAME, height, 2) })
        }
        _ => None,
    };
    panel.layers.iter().filter_map(|layer| bar(&layer.shape)).collect()
}

impl Bar {
    /// The width with the distance to what is to the left.
    pub(crate) fn width(&self) -> f64 {
        let labels = self.ticks.labels.iter().chain(&self.ticks.factor).map(|label| font::width(label, LABEL));
        GAP + WIDTH + MARK + SPACE + labels.fold(0.0, f64::max) + self.title.len() as f64 * (NAME + SPACE)
    }

    /// Whether something stands above the bar.
    pub(crate) fn has_factor(&self) -> bool {
        self.ticks.factor.is_some()
    }

    /// Draws the bar to the right of `left`, as high as the panel.
    pub(crate) fn draw(&self, left: f64, panel: Area, items: &mut Vec<Primitive>) {
        let area = Area { left: left + GAP, width: WIDTH, ..panel };
        items.push(Primitive::Raster(raster::bar(area, self.map, &self.window)));
        items.extend(hairline(area.path(), FRAME));
        let down = |value: f64| {
            let share = self.window.fraction(value);
            share.map(|share| (area.bottom() - share * area.height).clamp(area.top, area.bottom()))
        };
        for (&value, label) in self.ticks.values.iter().zip(&self.ticks.labels) {
            if let Some(y) = down(value) {
                let end = area.right() + MARK;
                items.extend(hairline(segment((area.right(), y), (end, y)), FRAME));
                let baseline = (end + SPACE, y + font::CAP_HEIGHT * LABEL / 2.0);
                items.push(text(label.clone(), baseline, Anchor::Start, LABEL, INK));
            }
        }
        if let Some(factor) = &self.ticks.factor {
            items.push(text(factor.clone(), (area.left, area.top - 5.0), Anchor::Start, LABEL, INK));
        }
        let first = left + self.width() - self.title.len() as f64 * (NAME + SPACE) + NAME;
        for (line, content) in self.title.iter().enumerate() {
            items.push(Primitive::Text {
                content: content.clone(),
                at: (first + line as f64 * (NAME + SPACE), area.top + area.height / 2.0),
                anchor: Anchor::Middle,
                size: NAME,
                upward: true,
                paint: INK.into(),
            });
        }
    }
}
