//! Turns the layers of a panel into shapes at positions on the page.

use crate::clip;
use crate::font;
use crate::polyline;
use crate::raster;
use crate::scene::{Anchor, Area, LABEL, Paint, Primitive, polyline as path_of, segment, text};
use crate::window::Window;
use crate::{Color, Dashes, Grid, Layer, Marker, Panel, Shape};
use std::collections::HashSet;
use tiny_skia::PathBuilder;

/// Beyond this number of points or symbols a layer is embedded in an SVG file as an image, which is smaller.
pub(crate) const MOST_VECTOR_SHAPES: usize = 20_000;

/// Points of line in one path of a dense layer, since very long paths are slow to paint.
const PATH_CHUNK: usize = 2_000;

/// The dashes of dashed and of dotted lines, in line widths, and the least width that counts, in points.
const DASHES: [f64; 2] = [4.0, 2.5];
const DOTS: [f64; 2] = [1.1, 1.8];
const LEAST_WIDTH: f64 = 1.0;

/// The map from the values of a panel to the page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    pub x: Window,
    pub y: Window,
    pub area: Area,
}

impl View {
    /// Horizontal position of a value of x.
    pub(crate) fn across(&self, x: f64) -> Option<f64> {
        self.x.fraction(x).map(|fraction| self.area.left + fraction * self.area.width)
    }

    /// Vertical position of a value of y.
    pub(crate) fn down(&self, y: f64) -> Option<f64> {
        self.y.fraction(y).map(|fraction| self.area.bottom() - fraction * self.area.height)
    }

    /// The places of the edges of a grid.
    fn edges(&self, grid: &Grid) -> (Vec<Option<f64>>, Vec<Option<f64>>) {
        (grid.x.iter().map(|&x| self.across(x)).collect(), grid.y.iter().map(|&y| self.down(y)).collect())
    }

    fn place(&self, point: (f64, f64)) -> Option<(f64, f64)> {
        Some((self.across(point.0)?, self.down(point.1)?))
    }
}

/// The colours of a panel's layers: those they name, grey for references, and the palette in turn for all others.
pub(crate) fn colors(panel: &Panel) -> Vec<Color> {
    let mut palette = Color::PALETTE.into_iter().cycle();
    let color = |layer: &Layer| match (layer.color, &layer.shape) {
        (Some(color), _) => color,
        (None, Shape::Horizontal(_) | Shape::Vertical(_) | Shape::Bands(_)) => Color::GREY,
        (None, Shape::Categories { .. } | Shape::Values { .. }) => Color::GREY,
        (None, _) => palette.next().unwrap_or(Color::BLACK),
    };
    panel.layers.iter().map(color).collect()
}

/// The style of a layer, restricted to valid values.
struct Pen {
    paint: Paint,
    width: f64,
}

impl Pen {
    fn of(layer: &Layer, color: Color) -> Pen {
        let opacity = if layer.opacity.is_nan() { 1.0 } else { layer.opacity.clamp(0.0, 1.0) };
        let width = if layer.width.is_nan() { 1.0 } else { layer.width.clamp(0.1, 100.0) };
        Pen { paint: Paint { color, opacity }, width }
    }

    fn stroke(&self, path: Option<tiny_skia::Path>, dashes: Dashes) -> Option<Primitive> {
        let pattern = match dashes {
            Dashes::Solid => None,
            Dashes::Dashed => Some(DASHES),
            Dashes::Dotted => Some(DOTS),
        };
        let dashes = pattern.map(|pattern| pattern.map(|part| part * self.width.max(LEAST_WIDTH)));
        Some(Primitive::Stroke { path: path?, paint: self.paint, width: self.width, dashes })
    }

    fn fill(&self, path: Option<tiny_skia::Path>) -> Option<Primitive> {
        Some(Primitive::Fill { path: path?, paint: self.paint })
    }
}

/// The shapes of a layer in the window of its panel, and whether they are too many for a vector format.
pub(crate) fn draw(layer: &Layer, color: Color, view: &View) -> Primitive {
    let pen = Pen::of(layer, color);
    let area = view.area;
    let (content, dense) = match &layer.shape {
        Shape::Line { points, dashes, across } => {
            let placed = points.iter().map(|&point| view.place(point));
            let reach = area.widened(2.0 * pen.width);
            let pieces = match across {
                true => polyline::visible(placed.filter(Option::is_some), reach),
                false => polyline::visible(placed, reach),
            };
            line(&pieces, *dashes, &pen)
        }
        Shape::Markers { points, marker } => {
            let placed = points.iter().filter_map(|&point| view.place(point));
            scatter(*marker, placed, area.widened(pen.width), &pen)
        }
        Shape::Polygon { corners } => (pen.fill(inside(corners, view)).into_iter().collect(), false),
        Shape::Cloud { points } => cloud(points, view, &pen),
        Shape::Notes(notes) => {
            let note = |(point, words): &((f64, f64), String)| {
                let (x, y) = view.place(*point).filter(|&place| area.contains(place))?;
                // Words stay inside the panel.
                let half = font::width(words, LABEL) / 2.0;
                let x = x.clamp(area.left + half, (area.right() - half).max(area.left + half));
                let y = (y - 4.0).max(area.top + LABEL);
                Some(text(words.clone(), (x, y), Anchor::Middle, LABEL, color))
            };
            (notes.iter().filter_map(note).collect(), false)
        }
        Shape::Density(density) => match density.dots() {
            Some(points) => (cloud(&points, view, &pen).0, false),
            None => {
                let image = raster::density(density, color, &|x| view.across(x), &|y| view.down(y), area);
                (image.map(Primitive::Raster).into_iter().collect(), false)
            }
        },
        Shape::Categories { grid, cells, categories } => {
            let image = raster::categories(&view.edges(grid), area, cells, categories);
            (image.map(Primitive::Raster).into_iter().collect(), false)
        }
        Shape::Values { grid, values, bar } => {
            let image = raster::values(&view.edges(grid), area, values, bar);
            (image.map(Primitive::Raster).into_iter().collect(), false)
        }
        Shape::Horizontal(y) => {
            let path = view.down(*y).filter(|y| y.abs() < 1e6);
            let path = path.and_then(|y| segment((area.left, y), (area.right(), y)));
            (pen.stroke(path, Dashes::Solid).into_iter().collect(), false)
        }
        Shape::Vertical(x) => {
            let path = view.across(*x).filter(|x| x.abs() < 1e6);
            let path = path.and_then(|x| segment((x, area.top), (x, area.bottom())));
            (pen.stroke(path, Dashes::Solid).into_iter().collect(), false)
        }
        Shape::Bands(intervals) => {
            let dense = intervals.len() > MOST_VECTOR_SHAPES;
            (pen.fill(bands(intervals, view)).into_iter().collect(), dense)
        }
        Shape::Cells { x, y, filled } => {
            let (path, count) = cells(x, y, filled, view);
            (pen.fill(path).into_iter().collect(), count > MOST_VECTOR_SHAPES)
        }
    };
    Primitive::Window { area, content, dense: dense.then_some(color) }
}

/// The part of a polygon in a window; none if a corner has no place.
fn inside(corners: &[(f64, f64)], view: &View) -> Option<tiny_skia::Path> {
    let placed: Option<Vec<(f64, f64)>> = corners.iter().map(|&corner| view.place(corner)).collect();
    let mut path = PathBuilder::new();
    for (i, (x, y)) in clip::polygon(placed?, view.area).into_iter().enumerate() {
        let (x, y) = (x as f32, y as f32);
        if i == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
    }
    path.close();
    path.finish()
}

/// Dots at the points in the area, and whether they are too many for a vector format.
fn cloud(points: &[(f64, f64)], view: &View, pen: &Pen) -> (Vec<Primitive>, bool) {
    let reach = view.area.widened(pen.width);
    let placed = points.iter().filter_map(|&point| view.place(point));
    let centres: Vec<_> = placed.filter(|&centre| reach.contains(centre)).map(|(x, y)| (x as f32, y as f32)).collect();
    let dense = centres.len() > MOST_VECTOR_SHAPES;
    (vec![Primitive::Dots { centres, diameter: pen.width, paint: pen.paint }], dense)
}

/// Pieces of a line; a piece without extent becomes a dot.
fn line(pieces: &[Vec<(f64, f64)>], dashes: Dashes, pen: &Pen) -> (Vec<Primitive>, bool) {
    let has_extent = |piece: &&Vec<(f64, f64)>| piece.iter().any(|&point| point != piece[0]);
    let (lines, points): (Vec<_>, Vec<_>) = pieces.iter().partition(has_extent);
    let dense = pieces.iter().map(Vec::len).sum::<usize>() > MOST_VECTOR_SHAPES;
    let mut content: Vec<Primitive> = match dense {
        false => pen.stroke(path_of(lines.iter().map(|piece| &piece[..])), dashes).into_iter().collect(),
        // Consecutive chunks share a point, so that the line has no holes.
        true => lines
            .iter()
            .flat_map(|piece| {
                (0..piece.len() - 1)
                    .step_by(PATH_CHUNK)
                    .map(move |start| &piece[start..piece.len().min(start + PATH_CHUNK + 1)])
            })
            .filter_map(|chunk| pen.stroke(path_of([chunk]), dashes))
            .collect(),
    };
    let centres: Vec<_> = points.iter().map(|piece| (piece[0].0 as f32, piece[0].1 as f32)).collect();
    if !centres.is_empty() {
        content.push(Primitive::Dots { centres, diameter: 2.0 * pen.width, paint: pen.paint });
    }
    (content, dense)
}

/// Symbols at the points in the area; if they are very many, only one for every point of paper, and circles as dots.
fn scatter(marker: Marker, points: impl Iterator<Item = (f64, f64)>, area: Area, pen: &Pen) -> (Vec<Primitive>, bool) {
    let centres = distinct(points, area, 0.125);
    let dense = centres.len() > MOST_VECTOR_SHAPES;
    let content = match (dense, marker) {
        (false, _) => symbols(marker, &centres, pen).into_iter().collect(),
        (true, Marker::Circle) => {
            let centres = centres.iter().map(|&(x, y)| (x as f32, y as f32)).collect();
            vec![Primitive::Dots { centres, diameter: pen.width, paint: pen.paint }]
        }
        (true, _) => distinct(centres.into_iter(), area, 1.0)
            .chunks(PATH_CHUNK)
            .filter_map(|some| symbols(marker, some, pen))
            .collect(),
    };
    (content, dense)
}

/// The first point in every cell, of the given side, of the area.
fn distinct(points: impl Iterator<Item = (f64, f64)>, area: Area, side: f64) -> Vec<(f64, f64)> {
    let mut seen = HashSet::new();
    let cell = |value: f64| (value / side).round() as i64;
    points.filter(|&point| area.contains(point)).filter(|&(x, y)| seen.insert((cell(x), cell(y)))).collect()
}

/// Symbols of the pen's width at the centres.
fn symbols(marker: Marker, centres: &[(f64, f64)], pen: &Pen) -> Option<Primitive> {
    let mut path = PathBuilder::new();
    let size = pen.width as f32;
    for &(x, y) in centres {
        let (x, y, r) = (x as f32, y as f32, size / 2.0);
        match marker {
            Marker::Circle => path.push_circle(x, y, r),
            Marker::Square => {
                let half = 0.886 * r; // as much ink as the circle
                if let Some(square) = tiny_skia::Rect::from_ltrb(x - half, y - half, x + half, y + half) {
                    path.push_rect(square);
                }
            }
            Marker::Triangle => {
                let r = 1.2 * r;
                path.move_to(x, y - r);
                path.line_to(x + 0.866 * r, y + r / 2.0);
                path.line_to(x - 0.866 * r, y + r / 2.0);
                path.close();
            }
            Marker::Cross => {
                let half = 0.8 * r;
                path.move_to(x - half, y - half);
                path.line_to(x + half, y + half);
                path.move_to(x - half, y + half);
                path.line_to(x + half, y - half);
            }
            Marker::Tick => {
                path.move_to(x, y - r);
                path.line_to(x, y + r);
            }
        }
    }
    match marker {
        Marker::Cross | Marker::Tick => {
            let thin = Pen { paint: pen.paint, width: (pen.width / 5.0).clamp(0.6, 2.0) };
            thin.stroke(path.finish(), Dashes::Solid)
        }
        _ => pen.fill(path.finish()),
    }
}

/// Full-height rectangles over the intervals of x.
fn bands(intervals: &[(f64, f64)], view: &View) -> Option<tiny_skia::Path> {
    let area = view.area;
    let end = |x: f64| match x {
        f64::NEG_INFINITY => view.across(view.x.ends().0),
        f64::INFINITY => view.across(view.x.ends().1),
        x => view.across(x),
    };
    let mut path = PathBuilder::new();
    for &(from, to) in intervals {
        let (Some(a), Some(b)) = (end(from), end(to)) else {
            continue;
        };
        let within = |x: f64| x.clamp(area.left, area.right()) as f32;
        let (left, right) = (within(a.min(b)), within(a.max(b)));
        if let Some(band) = tiny_skia::Rect::from_ltrb(left, area.top as f32, right, area.bottom() as f32)
            && left < right
        {
            path.push_rect(band);
        }
    }
    path.finish()
}

/// The filled cells of a grid as one path, so that no seams show, with the number of its rectangles: runs of cells in a row are one.
fn cells(x: &[f64], y: &[f64], filled: &[bool], view: &View) -> (Option<tiny_skia::Path>, usize) {
    let area = view.area;
    let columns = x.len().saturating_sub(1);
    let across: Vec<Option<f64>> = x.iter().map(|&x| view.across(x)).collect();
    let down: Vec<Option<f64>> = y.iter().map(|&y| view.down(y)).collect();
    let mut path = PathBuilder::new();
    let mut count = 0;
    for (row, ends) in filled.chunks(columns.max(1)).zip(down.windows(2)) {
        let [Some(a), Some(b)] = *ends else { continue };
        let within = |y: f64| y.clamp(area.top, area.bottom()) as f32;
        let (top, bottom) = (within(a.min(b)), within(a.max(b)));
        let mut begin = 0;
        for run in row.chunk_by(|one, next| one == next) {
            let (from, to) = (begin, begin + run.len());
            begin = to;
            let (true, Some(&Some(a)), Some(&Some(b))) = (run[0], across.get(from), across.get(to)) else { continue };
            let within = |x: f64| x.clamp(area.left, area.right()) as f32;
            let (left, right) = (within(a.min(b)), within(a.max(b)));
            if let Some(rectangle) = tiny_skia::Rect::from_ltrb(left, top, right, bottom)
                && left < right
                && top < bottom
            {
                path.push_rect(rectangle);
                count += 1;
            }
        }
    }
    (path.finish(), count)
}

/// A sample of the layer for the legend, in a box with this left end and middle height.
pub(crate) fn sample(layer: &Layer, color: Color, left: f64, middle: f64, width: f64) -> Vec<Primitive> {
    let pen = Pen::of(layer, color);
    let pen = Pen { width: pen.width.min(9.0), ..pen };
    let centre = (left + width / 2.0, middle);
    let ends = ((left, middle), (left + width, middle));
    let sample = match &layer.shape {
        Shape::Line { dashes, .. } => pen.stroke(segment(ends.0, ends.1), *dashes),
        Shape::Horizontal(_) | Shape::Vertical(_) => pen.stroke(segment(ends.0, ends.1), Dashes::Solid),
        Shape::Markers { marker, .. } => symbols(*marker, &[centre], &pen),
        Shape::Cloud { .. } | Shape::Density(_) => {
            let pen = Pen { paint: color.into(), width: pen.width.max(5.0) };
            symbols(Marker::Circle, &[centre], &pen)
        }
        Shape::Notes(_) => None,
        Shape::Polygon { .. }
        | Shape::Bands(_)
        | Shape::Cells { .. }
        | Shape::Categories { .. }
        | Shape::Values { .. } => {
            let swatch = Area { left, top: middle - 5.0, width, height: 10.0 };
            pen.fill(swatch.path())
        }
    };
    sample.into_iter().collect()
}
