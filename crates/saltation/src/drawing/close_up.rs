//! A second panel that magnifies a crowd of marks, where they are too close to be told apart.

use saltation_draw::{Color, Layer, Panel, Range, Scale, Shape};
use saltation_numerics::elementary;

/// The size of a panel in points, about.
const PAGE: (f64, f64) = (620.0, 330.0);
/// Marks closer than this on the page cannot be told apart, in points.
const CLOSE: f64 = 14.0;
/// The least number of marks that make a crowd, and the largest part of the axis that it takes.
const LEAST: usize = 3;
const SMALL: f64 = 0.12;
/// How much is shown around a crowd, in its own size, and the least part of the axis that is shown.
const AROUND: f64 = 0.35;
const FINEST: f64 = 1e-6;

/// The least side of the frame that shows where the magnified part is, in points.
const SEEN: f64 = 26.0;

type Point = (f64, f64);

/// The panel, and the panel that magnifies the largest crowd of `marks` if there is one.
pub(crate) fn with_close_up(panel: Panel, marks: &[Point]) -> Vec<Panel> {
    if panel.x.scale != Scale::Linear || panel.y.scale != Scale::Linear {
        return vec![panel];
    }
    let Some((x, y)) = extents(&panel) else { return vec![panel] };
    let marks: Vec<Point> = marks.iter().copied().filter(|p| p.0.is_finite() && p.1.is_finite()).collect();
    let Some(crowd) = crowd(&marks, (x.1 - x.0, y.1 - y.0)) else { return vec![panel] };
    let frame = |range: (f64, f64), whole: (f64, f64)| {
        let least = FINEST * (whole.1 - whole.0);
        let around = (AROUND * (range.1 - range.0)).max(least);
        (range.0 - around, range.1 + around)
    };
    let (Some(own_x), Some(own_y)) = (extent(crowd.iter().map(|p| p.0)), extent(crowd.iter().map(|p| p.1))) else {
        return vec![panel];
    };
    let (seen_x, mut seen_y) = (frame(own_x, x), frame(own_y, y));
    if seen_y.1 - seen_y.0 < 1e-3 * (seen_x.1 - seen_x.0) / (x.1 - x.0) * (y.1 - y.0) {
        // Marks on one level: as much above and below as to the sides.
        let half = 0.5 * (seen_x.1 - seen_x.0) / (x.1 - x.0) * (y.1 - y.0);
        let middle = 0.5 * (own_y.0 + own_y.1);
        seen_y = (middle - half, middle + half);
    }
    let near = magnified(&panel, seen_x, seen_y);
    // So large that it is seen.
    let shown = |range: (f64, f64), whole: (f64, f64), page: f64| {
        let half = (0.5 * (range.1 - range.0)).max(0.5 * SEEN / page * (whole.1 - whole.0));
        let middle = 0.5 * (range.0 + range.1);
        (middle - half, middle + half)
    };
    let (a, b) = (shown(seen_x, x, PAGE.0), shown(seen_y, y, PAGE.1));
    let corners = [(a.0, b.0), (a.1, b.0), (a.1, b.1), (a.0, b.1), (a.0, b.0)];
    let frame = Layer::line(corners).color(Color::GREY).width(0.9).label("magnified below").outside_range();
    vec![panel.layer(frame), near]
}

/// Marks that are closer than this on the page cover each other, in points.
const COVERED: f64 = 4.0;

/// The layers of marks in front of the others of the panel; all have one size, but where marks of several layers cover each other
/// those behind are wider, so that all are visible.
pub(crate) fn with_marks(panel: Panel, layers: Vec<Layer>) -> Panel {
    let whole = layers.iter().cloned().fold(panel.clone(), Panel::layer);
    let Some((x, y)) = extents(&whole) else { return whole };
    let scale = (PAGE.0 / (x.1 - x.0), PAGE.1 / (y.1 - y.0));
    let close = |p: &Point, q: &Point| elementary::hypot((p.0 - q.0) * scale.0, (p.1 - q.1) * scale.1) < COVERED;
    let meet = |p: &Point, other: &Layer| of_layer(other).iter().any(|q| close(p, q));
    let mut front = panel;
    for (i, layer) in layers.iter().enumerate() {
        let above = |p: &Point| layers[i + 1..].iter().filter(|other| meet(p, other)).count();
        let Shape::Markers { points, marker } = &layer.shape else { continue };
        let mut by_cover: Vec<Vec<Point>> = Vec::new();
        for point in points {
            let covers = above(point);
            by_cover.resize(by_cover.len().max(covers + 1), Vec::new());
            by_cover[covers].push(*point);
        }
        for (covers, points) in by_cover.into_iter().enumerate().filter(|(_, points)| !points.is_empty()) {
            let shape = Shape::Markers { points, marker: *marker };
            let width = layer.width + WIDER * covers as f64;
            front = front.layer(Layer { shape, ..layer.clone() }.width(width));
        }
    }
    front
}

/// How much wider a mark is for each other one that covers it.
const WIDER: f64 = 4.5;

/// The largest group of marks that lie close together, if it is small.
fn crowd(marks: &[Point], (width, height): Point) -> Option<Vec<Point>> {
    let on_page = |p: &Point| (p.0 / width * PAGE.0, p.1 / height * PAGE.1);
    let mut order: Vec<Point> = marks.to_vec();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    order.dedup();
    let mut groups: Vec<Vec<Point>> = Vec::new();
    for point in order {
        let here = on_page(&point);
        let near = |other: &Point| {
            let there = on_page(other);
            elementary::hypot(here.0 - there.0, here.1 - there.1) < CLOSE
        };
        match groups.iter_mut().find(|group| group.iter().any(near)) {
            Some(group) => group.push(point),
            None => groups.push(vec![point]),
        }
    }
    let places = |group: &Vec<Point>| {
        let mut xs: Vec<f64> = group.iter().map(|p| p.0).collect();
        xs.dedup();
        xs.len()
    };
    let small = |group: &Vec<Point>| {
        let size = |of: fn(&Point) -> f64| extent(group.iter().map(of)).map_or(0.0, |(low, high)| high - low);
        size(|p| p.0) <= SMALL * width && size(|p| p.1) <= 2.0 * SMALL * height && size(|p| p.0) > 0.0
    };
    groups.into_iter().filter(|group| places(group) >= LEAST && small(group)).max_by_key(Vec::len)
}

/// The same panel between other ends, without entries of its own in the legend.
fn magnified(panel: &Panel, x: (f64, f64), y: (f64, f64)) -> Panel {
    let mut near = panel.clone().without_legend();
    near.x.range = Range::Between(x.0, x.1);
    near.y.range = Range::Between(y.0, y.1);
    near.y.name = format!("{}, magnified", near.y.name);
    near
}

/// The ranges of the axes: as they are set, or else the extents of the layers.
fn extents(panel: &Panel) -> Option<((f64, f64), (f64, f64))> {
    let of = |range: &Range, part: fn(Point) -> f64| match range {
        Range::Between(low, high) => Some((*low, *high)),
        _ => extent(points(panel).filter(|point| point.0.is_finite() && point.1.is_finite()).map(part)),
    };
    of(&panel.x.range, |p| p.0).zip(of(&panel.y.range, |p| p.1))
}

/// The points of the layers that set the range.
fn points(panel: &Panel) -> impl Iterator<Item = Point> + '_ {
    panel.layers.iter().filter(|layer| layer.in_range).flat_map(|layer| of_layer(layer).iter().copied())
}

/// The points of a layer.
fn of_layer(layer: &Layer) -> &[Point] {
    match &layer.shape {
        Shape::Line { points, .. } | Shape::Markers { points, .. } | Shape::Cloud { points } => points,
        _ => &[],
    }
}

fn extent(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    (low <= high).then_some((low, high))
}

#[cfg(test)]
mod tests {
    use super::*;
    use saltation_draw::{Axis, Marker};

    fn drawn(marks: &[Point]) -> Vec<Panel> {
        let panel = Panel::new(Axis::new("a"), Axis::new("v"))
            .layer(Layer::line([(0.0, 0.0), (10.0, 5.0)]))
            .layer(Layer::line([(0.0, 900.0), (10.0, -900.0)]).outside_range())
            .layer(Layer::markers(Marker::Circle, marks.iter().copied()));
        with_close_up(panel, marks)
    }

    #[test]
    fn a_mark_behind_another_one_is_wider_on_axes_of_given_range_too() {
        let marks = || Layer::markers(Marker::Circle, [(4.0, 2.0)]).width(8.0).outside_range();
        let empty = Panel::new(Axis::new("a").between(0.0, 10.0), Axis::new("v").between(0.0, 5.0));
        let widths: Vec<f64> =
            with_marks(empty, vec![marks(), marks()]).layers.iter().map(|layer| layer.width).collect();
        assert_eq!(widths, [8.0 + WIDER, 8.0]);
    }

    #[test]
    fn a_cascade_is_magnified() {
        let cascade: Vec<Point> = (0..6).map(|k| 4.0 + 0.1 * 4.669_f64.powi(-k)).map(|x| (x, x / 2.0)).collect();
        let panels = drawn(&cascade);
        assert_eq!(panels.len(), 2);
        let Range::Between(low, high) = panels[1].x.range else { panic!("{:?}", panels[1].x) };
        assert!(low < 4.0 && high > 4.1 && high - low < 0.3);
        assert!(!panels[1].legend);
        // Where it is can be seen.
        let frame = panels[0].layers.iter().find(|layer| layer.label.as_deref() == Some("magnified below")).unwrap();
        let (low, high) = extent(of_layer(frame).iter().map(|p| p.0)).unwrap();
        assert!((high - low) / 10.0 * PAGE.0 >= SEEN - 1e-9 && low < 4.0 && high > 4.1, "{low} {high}");
    }

    #[test]
    fn marks_have_one_size_unless_they_are_covered() {
        let layer = |marker, points: &[Point]| Layer::markers(marker, points.iter().copied()).width(8.0);
        let layers = vec![layer(Marker::Square, &[(1.0, 1.0), (2.0, 3.0)]), layer(Marker::Circle, &[(2.0, 3.0)])];
        let panel = Panel::new(Axis::new("a"), Axis::new("v")).layer(Layer::line([(0.0, 0.0), (10.0, 5.0)]));
        let drawn = with_marks(panel, layers);
        let sizes: Vec<(usize, f64)> = drawn.layers[1..].iter().map(|l| (of_layer(l).len(), l.width)).collect();
        assert_eq!(sizes, [(1, 8.0), (1, 8.0 + WIDER), (1, 8.0)]);
    }

    #[test]
    fn marks_apart_are_not() {
        assert_eq!(drawn(&[(1.0, 1.0), (4.0, 2.0), (9.0, 4.0)]).len(), 1);
        assert_eq!(drawn(&[(1.0, 1.0), (1.0, 1.0), (1.0, 1.001)]).len(), 1);
        assert_eq!(drawn(&[]).len(), 1);
    }
}
