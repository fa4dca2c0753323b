//! A scene: positioned lines, shapes and texts, independent of the output format.
//!
//! A figure is laid out once into a scene; SVG, PDF and PNG are renderings of the same scene. Lengths are points,
//! x to the right and y down from the upper left corner.

use crate::Color;
use tiny_skia::{Path, PathBuilder, Rect};

/// Distance from the edge of the page to the first thing drawn.
pub(crate) const MARGIN: f64 = 14.0;
/// The colour of words and axes.
pub(crate) const INK: Color = Color::rgb(34, 34, 34);
/// The colour of frames and marks.
pub(crate) const FRAME: Color = Color::rgb(90, 90, 90);
/// The sizes of names of axes and of labels of marks.
pub(crate) const NAME: f64 = 12.0;
pub(crate) const LABEL: f64 = 10.5;

/// Everything on the page.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    pub width: f64,
    pub height: f64,
    /// A short description of the picture, for readers who cannot see it.
    pub description: String,
    /// From back to front.
    pub items: Vec<Primitive>,
}

/// One thing on the page.
#[derive(Clone, Debug)]
pub(crate) enum Primitive {
    /// The inside of a path.
    Fill { path: Path, paint: Paint },
    /// A line along a path.
    Stroke { path: Path, paint: Paint, width: f64, dashes: Option<[f64; 2]> },
    /// Round dots.
    Dots { centres: Vec<(f32, f32)>, diameter: f64, paint: Paint },
    /// One line of text; `at` is the point of its baseline which `anchor` names.
    Text { content: String, at: (f64, f64), anchor: Anchor, size: f64, upward: bool, paint: Paint },
    /// Things seen through a window. If they are too many for a vector format, `dense` is their common colour.
    Window { area: Area, content: Vec<Primitive>, dense: Option<Color> },
    /// An image of equal cells.
    Raster(Raster),
}

/// An image of equal cells, stretched over an area.
#[derive(Clone, Debug)]
pub(crate) struct Raster {
    pub area: Area,
    /// The number of cells in a row, at least one.
    pub columns: usize,
    /// The colour of every cell, as an index into the palette, row by row from the upper left corner.
    pub pixels: Vec<u8>,
    /// At most 256 colours, with their opacity.
    pub palette: Vec<[u8; 4]>,
    /// Whether cells keep sharp edges where they are larger than a pixel of the screen.
    pub crisp: bool,
    /// Whether a pixel that covers several cells shows the largest index among them, otherwise that at its centre.
    pub largest: bool,
}

impl Raster {
    pub(crate) fn rows(&self) -> usize {
        self.pixels.len() / self.columns.max(1)
    }
}

/// A colour that may let the background through.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paint {
    pub color: Color,
    /// From 0 to 1.
    pub opacity: f64,
}

impl From<Color> for Paint {
    fn from(color: Color) -> Paint {
        Paint { color, opacity: 1.0 }
    }
}

/// Which part of a text stands at its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// An upright rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Area {
    pub left: f64,
    pub top: f64,
    pub width: f64,
    pub height: f64,
}

impl Area {
    pub(crate) fn right(&self) -> f64 {
        self.left + self.width
    }

    pub(crate) fn bottom(&self) -> f64 {
        self.top + self.height
    }

    /// The rectangle with `margin` added on every side.
    pub(crate) fn widened(&self, margin: f64) -> Area {
        Area {
            left: self.left - margin,
            top: self.top - margin,
            width: self.width + 2.0 * margin,
            height: self.height + 2.0 * margin,
        }
    }

    pub(crate) fn contains(&self, (x, y): (f64, f64)) -> bool {
        x >= self.left && x <= self.right() && y >= self.top && y <= self.bottom()
    }

    pub(crate) fn path(&self) -> Option<Path> {
        Rect::from_xywh(self.left as f32, self.top as f32, self.width as f32, self.height as f32)
            .map(PathBuilder::from_rect)
    }
}

/// The straight line between two points.
pub(crate) fn segment(from: (f64, f64), to: (f64, f64)) -> Option<Path> {
    polyline([&[from, to][..]])
}

/// One path of several polylines.
pub(crate) fn polyline<'a>(pieces: impl IntoIterator<Item = &'a [(f64, f64)]>) -> Option<Path> {
    let mut path = PathBuilder::new();
    for piece in pieces {
        for (i, &(x, y)) in piece.iter().enumerate() {
            match i {
                0 => path.move_to(x as f32, y as f32),
                _ => path.line_to(x as f32, y as f32),
            }
        }
    }
    path.finish()
}

/// A line of text.
pub(crate) fn text(content: String, at: (f64, f64), anchor: Anchor, size: f64, color: Color) -> Primitive {
    Primitive::Text { content, at, anchor, size, upward: false, paint: color.into() }
}

/// A thin line.
pub(crate) fn hairline(path: Option<Path>, color: Color) -> Option<Primitive> {
    Some(Primitive::Stroke { path: path?, paint: color.into(), width: 0.8, dashes: None })
}
