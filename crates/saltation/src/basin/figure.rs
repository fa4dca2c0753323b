//! The figure of basins: the attractor of every start by its colour, or the fractions along a parameter.

use crate::basin::Basins;
use crate::basin::answer::Slice;
use crate::basin::collect::words;
use crate::branch::figure::{HEIGHT, WIDTH, parameter_axis, title};
use crate::drawing::quantity::Quantity;
use crate::error::Error;
use crate::text::number::{self, short};
use saltation_draw::{Axis, Category, Color, Figure, Grid, Layer, Marker, Panel, Range, Scale};
use saltation_sweep::Starts;

/// The height of a plane of starts.
const PLANE_HEIGHT: f64 = 620.0;
/// The most returns of one attractor that are marked.
const MOST_MARKED: usize = 64;
/// Returns beyond the starts by more than this part of their range are not shown.
const FARTHEST: f64 = 1.0;
/// The most attractors with a colour of their own; further ones share the last.
const MOST_COLORS: usize = 16;

/// The figure; none if there is nothing to draw.
pub(crate) fn figure(basins: &Basins) -> Result<Option<Figure>, Error> {
    let model = basins.system.model();
    let swept: Vec<&str> = basins.plan.axes().iter().map(|axis| axis.name()).collect();
    let mut about = basins.system.changed_but(&swept);
    about.push(format!(
        "{} after a transient of {}",
        number::count(basins.done, "trajectory"),
        number::count(basins.settled, "return")
    ));
    let (panel, height) = match basins.plan.axes() {
        [] => (plane(basins)?, PLANE_HEIGHT),
        _ => (Some(slices(basins)?), HEIGHT),
    };
    let figure = Figure::new(title(model)).subtitle(about.join(", ")).size(WIDTH, height);
    Ok(panel.filter(|_| basins.done > 0).map(|panel| figure.panel(panel)))
}

/// The categories of the attractors that have a colour.
fn categories(basins: &Basins) -> Result<Vec<Category>, Error> {
    let naming = basins.system.naming()?;
    let (count, along) = (basins.collected.found.len(), !basins.plan.axes().is_empty());
    let label = |k: usize| {
        let found = &basins.collected.found[k];
        let percent = short(100.0 * basins.fractions[k], 3);
        match count > MOST_COLORS && k + 1 == MOST_COLORS {
            true => format!("{} others", count - k),
            false if along => format!("{}: {}", k + 1, words(&found.attractor, naming)),
            false => format!("{}: {} ({percent} %)", k + 1, words(&found.attractor, naming)),
        }
    };
    Ok(Category::named((0..count.min(MOST_COLORS)).map(label)))
}

fn index(attractor: Option<usize>) -> Option<u8> {
    attractor.map(|k| k.min(MOST_COLORS - 1) as u8)
}

/// The plane of two states.
fn plane(basins: &Basins) -> Result<Option<Panel>, Error> {
    let model = basins.system.model();
    let names = basins.plan.starts().states();
    let places: Vec<usize> = names.iter().filter_map(|name| model.state(name)).collect();
    let [first, second, ..] = places[..] else { return Ok(None) };
    let (x, y) = (Quantity::State(first).axis(model), Quantity::State(second).axis(model));
    let categories = categories(basins)?;
    let naming = basins.system.naming()?;
    let colors: Vec<Color> = categories.iter().map(|category| category.color).collect();
    // Where the starts are; an angle is drawn on the turn on which they are.
    let ends = |values: &[f64]| {
        values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(*v), high.max(*v)))
    };
    let starts: [Vec<f64>; 2] = match basins.plan.starts() {
        Starts::Grid(axes) => [0, 1].map(|i| axes[i].values().collect()),
        _ => [0, 1].map(|i| {
            let each = (0..basins.collected.of_tasks.len()).map(|task| basins.plan.point(task as u64).start);
            each.filter_map(|start| start.get(i).map(|(_, value)| *value)).collect()
        }),
    };
    let window = starts.map(|values| ends(&values));
    let turned = |state: usize, value: f64, (low, _): (f64, f64)| match naming.period(state) {
        Some(period) if low.is_finite() => low + (value - low).rem_euclid(period),
        _ => value,
    };
    let marked: Vec<(usize, Vec<(f64, f64)>)> = basins
        .collected
        .found
        .iter()
        .enumerate()
        .map(|(k, found)| {
            let points = found.attractor.returns.iter().take(MOST_MARKED);
            let place =
                |state: &[f64]| (turned(first, state[first], window[0]), turned(second, state[second], window[1]));
            (k, points.map(place).collect())
        })
        .collect();
    let mut edges = window;
    let mut panel = match basins.plan.starts() {
        Starts::Grid(axes) => {
            let [columns, rows] = [0, 1].map(|i| axes[i].values().collect::<Vec<f64>>());
            if columns.len() < 2 || rows.len() < 2 {
                return Ok(None);
            }
            let spaced = |axis: Axis, i: usize| if axes[i].is_logarithmic() { axis.log() } else { axis };
            let (x, y) = (spaced(x, 0).tight(), spaced(y, 1).tight());
            let grid = Grid::around(&columns, &x, &rows, &y).missing(match basins.no_motion {
                0 => "ended early",
                none if none == basins.unknown => "no trajectory",
                _ => "no trajectory, or ended early",
            });
            // Cells at the edges are as large as others.
            edges = [ends(&grid.x), ends(&grid.y)];
            let cells =
                (0..columns.len() * rows.len()).map(|i| index(basins.collected.of_tasks.get(i).copied().flatten()));
            Panel::new(x, y).layer(Layer::categories(grid, cells.collect(), categories))
        }
        _ => {
            let mut panel = Panel::new(x, y);
            for (k, category) in categories.iter().enumerate() {
                let of_this = basins.collected.of_tasks.iter().enumerate().filter(|(_, a)| index(**a) == Some(k as u8));
                let start = |(task, _): (usize, &Option<usize>)| {
                    let start = basins.plan.point(task as u64).start;
                    (start[0].1, start[1].1)
                };
                let layer = Layer::cloud(of_this.map(start)).width(3.0).opacity(0.8);
                panel = panel.layer(layer.color(category.color).label(category.label.clone()));
            }
            panel
        }
    };
    panel.x.range = around(&panel.x, edges[0], &marked, |p| p.0, &panel.x.range);
    panel.y.range = around(&panel.y, edges[1], &marked, |p| p.1, &panel.y.range);
    // The first ones, which most starts lead to, lie in front.
    for (k, points) in marked.into_iter().rev() {
        let rims = [(Color::WHITE, 7.5), (Color::BLACK, 6.0)];
        for (color, width) in rims {
            let rim = Layer::markers(Marker::Circle, points.clone()).color(color).width(width);
            panel = panel
                .layer(if color == Color::BLACK { rim.label("returns of attractors") } else { rim }.outside_range());
        }
        let own = colors.get(k.min(MOST_COLORS - 1)).copied().unwrap_or(Color::BLACK);
        panel = panel.layer(Layer::markers(Marker::Circle, points).color(own).width(3.6).outside_range());
    }
    Ok(Some(panel))
}

/// The range of an axis on which the returns of attractors are seen, too: as it was, or with room for those beyond the starts, unless they lie so far away that
/// the starts would be small.
fn around(
    axis: &Axis,
    (low, high): (f64, f64),
    marked: &[(usize, Vec<(f64, f64)>)],
    of: fn(&(f64, f64)) -> f64,
    usual: &Range,
) -> Range {
    let width = high - low;
    let near = |value: &f64| *value >= low - FARTHEST * width && *value <= high + FARTHEST * width;
    let all = || marked.iter().flat_map(|(_, points)| points).map(of).filter(near);
    let (least, most) = (all().fold(low, f64::min), all().fold(high, f64::max));
    if axis.scale != Scale::Linear || width <= 0.0 || (least >= low && most <= high) {
        return *usual;
    }
    let room = 0.03 * (most - least);
    let end = |value: f64, is_beyond: bool, sign: f64| if is_beyond { value + sign * room } else { value };
    Range::Between(end(least, least < low, -1.0), end(most, most > high, 1.0))
}

/// The fractions along the parameter.
fn slices(basins: &Basins) -> Result<Panel, Error> {
    let axis = &basins.plan.axes()[0];
    let known = basins.system.model().parameters.iter().find(|parameter| parameter.name == axis.name());
    let x = known.map_or_else(|| Axis::new(axis.name()), parameter_axis);
    let x = if axis.is_logarithmic() { x.log() } else { x };
    // Marks at 0 and 1 stand off the frame.
    let mut panel = Panel::new(x, Axis::new("fraction of the starts").between(-0.03, 1.03));
    for (k, category) in categories(basins)?.into_iter().enumerate() {
        // Where no start has a motion there are no fractions.
        let share = |slice: &Slice| if slice.of > 0 { slice.fractions[k] } else { f64::NAN };
        let line = basins.slices.iter().map(|slice| (slice.value, share(slice)));
        panel = panel.layer(Layer::line(line.clone()).color(category.color).label(category.label));
        panel = panel.layer(Layer::markers(Marker::Circle, line).color(category.color).width(3.0));
    }
    Ok(panel)
}
