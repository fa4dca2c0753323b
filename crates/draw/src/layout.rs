//! Layout: positions of panels, axes and labels on the page.
//!
//! From top to bottom: title, subtitle, legend, then the panels, whose left edges line up and leave room for the
//! widest tick label of all, with their colour bars at the right.

use crate::bar::{self, Bar};
use crate::marks::View;
use crate::panel::{self, MARK};
use crate::scene::{Anchor, Area, INK, LABEL, MARGIN, NAME, Primitive, Scene, text};
use crate::ticks::{self, Ticks};
use crate::window::Window;
use crate::{Axis, Color, Figure, Layer, Shape, font, header};

/// The least height of a panel: a page on which panels would be lower is extended.
const LEAST_HEIGHT: f64 = 40.0;

/// Lays a figure out.
pub(crate) fn scene(figure: &Figure) -> Scene {
    let side = |value: f64, least: f64, other: f64| {
        if value.is_nan() { other } else { value.clamp(least, 8000.0) }
    };
    let size = (side(figure.width, 160.0, 640.0), side(figure.height, 120.0, 480.0));
    let mut windows = windows(figure);
    let mut plan = Plan::new(figure, size, &windows);
    if figure.panels.iter().any(|panel| panel.equal) {
        // Widened ranges may have wider labels, which change the areas once more.
        widen(figure, &plan.areas, &mut windows);
        plan = Plan::new(figure, size, &windows);
        widen(figure, &plan.areas, &mut windows);
    }
    let description = match figure.title.is_empty() {
        true => "Figure".to_owned(),
        false => figure.title.clone(),
    };
    let (width, height) = (size.0, plan.height);
    Scene { width, height, description, items: draw(figure, &plan, &windows, width) }
}

/// Widens the ranges of panels with equal units.
fn widen(figure: &Figure, areas: &[Area], windows: &mut [(Window, Window)]) {
    for ((panel, area), (x, y)) in figure.panels.iter().zip(areas).zip(windows) {
        if panel.equal && !figure.share_x {
            Window::equalize(x, y, area.width / area.height);
        }
    }
}

/// Where everything stands.
struct Plan {
    height: f64,
    header: Vec<Primitive>,
    areas: Vec<Area>,
    names: Vec<Vec<String>>,
    x_ticks: Vec<Ticks>,
    y_ticks: Vec<Ticks>,
    bars: Vec<Vec<Bar>>,
}

impl Plan {
    fn new(figure: &Figure, (width, height): (f64, f64), windows: &[(Window, Window)]) -> Plan {
        let estimate = ((height - 110.0) / windows.len().max(1) as f64).max(20.0);
        let names: Vec<Vec<String>> = figure.panels.iter().map(|panel| upward_name(&panel.y, estimate)).collect();
        let y_ticks: Vec<Ticks> =
            windows.iter().map(|(_, y)| choose(y, (estimate / 32.0).clamp(4.0, 8.0) as usize)).collect();
        let name_lines = names.iter().map(Vec::len).max().unwrap_or(0) as f64;
        let widest = y_ticks.iter().map(widest_label).fold(0.0, f64::max);
        let left = MARGIN + name_lines * (NAME + 3.0) + 4.0 + widest + MARK + 3.0;
        let bars: Vec<Vec<Bar>> = figure.panels.iter().map(|panel| bar::bars(panel, estimate)).collect();
        let beside = bars.iter().map(|bars| bars.iter().map(Bar::width).sum()).fold(0.0, f64::max);
        let x_ticks: Vec<Ticks> =
            windows.iter().map(|(x, _)| choose_spaced(x, width - left - beside - 2.0 * MARGIN)).collect();
        let overhang = x_ticks.iter().map(widest_label).fold(0.0, f64::max) / 2.0;
        let right = (MARGIN + beside).max(overhang + 6.0);
        let column = (width - left - right).max(20.0);

        let mut header = Vec::new();
        let mut top = header::draw(figure, windows, left, width, &mut header);
        let above = |i: usize| {
            let factor = y_ticks[i].factor.is_some() || bars[i].iter().any(Bar::has_factor);
            if factor { LABEL + 2.0 } else { 0.0 }
        };
        if !windows.is_empty() {
            top += above(0);
        }

        // Below a panel: marks, labels and the name of x; with a shared axis only below the last panel.
        let foot = |i: usize| {
            let named = figure.panels.get(i).is_some_and(|panel| !panel.x.title().is_empty());
            MARK + 5.0 + LABEL + if named { NAME + 7.0 } else { 0.0 }
        };
        let count = windows.len();
        let gap = |i: usize| match (i + 1 == count, figure.share_x) {
            (true, true) => foot(0) + MARGIN - 4.0,
            (true, false) => foot(i) + MARGIN - 4.0,
            (false, shared) => above(i + 1).max(2.0) + 12.0 + if shared { 0.0 } else { foot(i) },
        };
        let gaps: f64 = (0..count).map(gap).sum();
        let height = height.max(top + gaps + LEAST_HEIGHT * count as f64);
        let panel_height = (height - top - gaps) / count.max(1) as f64;
        let mut areas = Vec::with_capacity(count);
        for i in 0..count {
            areas.push(Area { left, top, width: column, height: panel_height });
            top += panel_height + gap(i);
        }
        Plan { height, header, areas, names, x_ticks, y_ticks, bars }
    }
}

/// Draws the page as it is planned.
fn draw(figure: &Figure, plan: &Plan, windows: &[(Window, Window)], width: f64) -> Vec<Primitive> {
    let page = Area { left: 0.0, top: 0.0, width, height: plan.height };
    let paper = page.path().map(|path| Primitive::Fill { path, paint: Color::WHITE.into() });
    let mut items: Vec<Primitive> = paper.into_iter().chain(plan.header.iter().cloned()).collect();
    let last = figure.panels.len().saturating_sub(1);
    for (i, panel) in figure.panels.iter().enumerate() {
        let area = plan.areas[i];
        let view = View { x: windows[i].0, y: windows[i].1, area };
        let x_axis = if figure.share_x { &figure.panels[0].x } else { &panel.x };
        let labelled = i == last || !figure.share_x;
        let (x_ticks, y_ticks) = (&plan.x_ticks[i], &plan.y_ticks[i]);
        panel::draw(panel, &view, x_ticks, y_ticks, labelled, &mut items);
        if labelled {
            let middle = area.left + area.width / 2.0;
            let factor = x_ticks.factor.as_deref().map_or(0.0, |f| font::width(f, LABEL) + 8.0);
            let name = font::shorten(&x_axis.title(), NAME, area.width - 2.0 * factor);
            let baseline = area.bottom() + MARK + 5.0 + LABEL + NAME + 4.0;
            items.push(text(name, (middle, baseline), Anchor::Middle, NAME, INK));
        }
        for (line, content) in plan.names[i].iter().enumerate() {
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
        let mut left = area.right();
        for bar in &plan.bars[i] {
            bar.draw(left, area, &mut items);
            left += bar.width();
        }
    }
    items
}

/// The intervals which the panels show.
fn windows(figure: &Figure) -> Vec<(Window, Window)> {
    let over_x = |axis: &Axis, layers: &[&Layer]| Window::new(axis, ranged(layers).into_iter().flat_map(xs));
    let all: Vec<&Layer> = figure.panels.iter().flat_map(|panel| &panel.layers).collect();
    let shared = figure.panels.first().filter(|_| figure.share_x).map(|first| over_x(&first.x, &all));
    figure
        .panels
        .iter()
        .map(|panel| {
            let layers: Vec<&Layer> = panel.layers.iter().collect();
            let x = shared.unwrap_or_else(|| over_x(&panel.x, &layers));
            (x, Window::new(&panel.y, ranged(&layers).into_iter().flat_map(ys)))
        })
        .collect()
}

/// The layers that set the range; all, if none with numbers does.
fn ranged<'a>(layers: &[&'a Layer]) -> Vec<&'a Layer> {
    let those: Vec<&Layer> = layers.iter().copied().filter(|layer| layer.in_range).collect();
    let has_numbers =
        |layer: &&Layer| !matches!(layer.shape, Shape::Horizontal(_) | Shape::Vertical(_) | Shape::Bands(_));
    match those.iter().any(has_numbers) {
        true => those,
        false => layers.to_vec(),
    }
}

/// The values of x that a layer needs in the range.
fn xs(layer: &Layer) -> Box<dyn Iterator<Item = f64> + '_> {
    match &layer.shape {
        Shape::Line { points, .. }
        | Shape::Markers { points, .. }
        | Shape::Cloud { points }
        | Shape::Polygon { corners: points } => {
            Box::new(points.iter().filter(|point| point.1.is_finite()).map(|point| point.0))
        }
        Shape::Vertical(x) => Box::new(std::iter::once(*x)),
        Shape::Notes(notes) => Box::new(notes.iter().map(|(point, _)| point.0)),
        Shape::Bands(intervals) => Box::new(intervals.iter().flat_map(|&(from, to)| [from, to])),
        Shape::Horizontal(_) => Box::new(std::iter::empty()),
        Shape::Cells { x, .. } => Box::new(x.iter().copied()),
        Shape::Density(density) => Box::new([density.sides().0.low, density.sides().0.high].into_iter()),
        Shape::Categories { grid, .. } | Shape::Values { grid, .. } => Box::new(grid.x.iter().copied()),
    }
}

/// The values of y that a layer needs in the range.
fn ys(layer: &Layer) -> Box<dyn Iterator<Item = f64> + '_> {
    match &layer.shape {
        Shape::Line { points, .. }
        | Shape::Markers { points, .. }
        | Shape::Cloud { points }
        | Shape::Polygon { corners: points } => {
            Box::new(points.iter().filter(|point| point.0.is_finite()).map(|point| point.1))
        }
        Shape::Horizontal(y) => Box::new(std::iter::once(*y)),
        Shape::Notes(notes) => Box::new(notes.iter().map(|(point, _)| point.1)),
        Shape::Vertical(_) | Shape::Bands(_) => Box::new(std::iter::empty()),
        Shape::Cells { y, .. } => Box::new(y.iter().copied()),
        Shape::Density(density) => Box::new([density.sides().1.low, density.sides().1.high].into_iter()),
        Shape::Categories { grid, .. } | Shape::Values { grid, .. } => Box::new(grid.y.iter().copied()),
    }
}

fn choose(window: &Window, most: usize) -> Ticks {
    let (low, high) = window.ends();
    ticks::choose(window.scale, low, high, most)
}

/// As many marks (at most eight) as leave space between their labels on an axis of this length.
fn choose_spaced(window: &Window, length: f64) -> Ticks {
    let spaced = |ticks: &Ticks, space: f64| {
        let mut places: Vec<f64> = ticks.values.iter().filter_map(|&v| window.fraction(v)).collect();
        places.sort_by(f64::total_cmp);
        let needed = widest_label(ticks) + space;
        places.windows(2).all(|pair| (pair[1] - pair[0]) * length >= needed)
    };
    let candidates: Vec<Ticks> = (3..=8).rev().map(|most| choose(window, most)).collect();
    let fitting = |space: f64| candidates.iter().position(|ticks| spaced(ticks, space));
    match fitting(14.0).or_else(|| fitting(5.0)) {
        Some(i) => candidates[i].clone(),
        // Labels too wide for three of them: those of the first and the last mark.
        None => candidates.into_iter().next_back().map(Ticks::ends).unwrap_or_default(),
    }
}

fn widest_label(ticks: &Ticks) -> f64 {
    ticks.labels.iter().map(|label| font::width(label, LABEL)).fold(0.0, f64::max)
}

/// The name of a vertical axis in at most two lines that fit its length.
fn upward_name(axis: &Axis, length: f64) -> Vec<String> {
    font::wrap(&axis.title(), NAME, length, 2)
}
