//! The figure of a sweep: a bifurcation diagram over one parameter, or a map of two with a colour for every trajectory.

use crate::branch::figure::{HEIGHT, WIDTH, parameter_axis, title};
use crate::error::{Error, Refusal};
use crate::sweep::Swept;
use crate::sweep::overlay::Overlay;
use crate::sweep::quantity::{OfMap, Quantity};
use crate::sweep::report::no_period;
use crate::text::number;
use saltation_draw::{Axis, Category, Color, ColorBar, Density, Figure, Grid, Layer, Panel};
use saltation_numerics::elementary;

/// The cells of a diagram for every point of paper, about: a third of a point where cells may be drawn as dots, and a half where points are very many.
const CELLS: (usize, usize) = (650, 380);
const MANY_POINTS: u64 = 300_000;
/// Periods up to this one have a colour of their own in a map.
const MOST_COLORS: u64 = 12;
/// The part of the range of the parameter that a diagram has beyond its ends.
const ASIDE: f64 = 0.012;
/// The height of a map, which is nearly square.
const MAP_HEIGHT: f64 = 620.0;

/// What a figure of a sweep shows.
///
/// ```
/// use saltation::System;
/// use saltation::sweep::Shown;
/// let swept = System::gallery("impact-oscillator")?.sweep().along("A", 0.34..=0.36, 21).run()?;
/// let figure = swept.figure(&Shown { quantity: Some("impact_speed".to_string()), ..Shown::default() })?.unwrap();
/// assert!(figure.to_svg().contains("impact speed"));
/// # Ok::<(), saltation::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Shown {
    /// The quantity drawn over the parameter: a state on the section, `impact_speed`, `exponent`, `period`, or `min:NAME` and `max:NAME` of recorded
    /// extremes. In a map of two parameters it has a colour; the period, if nothing is named.
    pub quantity: Option<String>,
    /// Files of branches, or of bifurcation curves over a map, that are drawn on top.
    pub overlays: Vec<std::path::PathBuf>,
}

/// The figure; none if there is nothing to draw.
pub(crate) fn figure(swept: &Swept, shown: &Shown) -> Result<Option<Figure>, Error> {
    let along: Vec<&str> = swept.plan.axes().iter().map(|axis| axis.name()).collect();
    let read = |file: &std::path::PathBuf| Overlay::read(file, swept.system.model(), &along);
    let overlays = shown.overlays.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let panel = match swept.plan.axes().len() {
        1 => diagram(swept, shown.quantity.as_deref(), &overlays)?,
        _ => map(swept, shown.quantity.as_deref(), &overlays)?,
    };
    let names: Vec<&str> = swept.plan.axes().iter().map(|axis| axis.name()).collect();
    let mut about = swept.system.changed_but(&names);
    let (settled, recorded) = (number::count(swept.settled, "return"), number::count(swept.recorded, "return"));
    about.push(format!("{recorded} after {settled}"));
    if swept.carry != "none" {
        about.push(format!("carried {}", swept.carry));
    }
    let height = if names.len() == 1 { HEIGHT } else { MAP_HEIGHT };
    let figure = Figure::new(title(swept.system.model())).subtitle(about.join(", ")).size(WIDTH, height);
    Ok(panel.map(|panel| figure.panel(panel)))
}

/// The axis of a swept parameter.
fn axis_of(swept: &Swept, index: usize) -> Axis {
    let model = swept.system.model();
    let axis = &swept.plan.axes()[index];
    let known = model.parameters.iter().find(|parameter| parameter.name == axis.name());
    let drawn = known.map_or_else(|| Axis::new(axis.name()), parameter_axis).tight();
    if axis.is_logarithmic() { drawn.log() } else { drawn }
}

fn diagram(swept: &Swept, wanted: Option<&str>, overlays: &[Overlay]) -> Result<Option<Panel>, Error> {
    let quantity = Quantity::named(wanted, swept)?;
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    let each = |take: &mut dyn FnMut(f64, f64)| {
        swept.finished.kept.each(&swept.names, &swept.plan, |block| {
            for (task, outcome) in (block.first..).zip(&block.outcomes) {
                let x = swept.plan.point(task).parameters[0];
                quantity.of(outcome, &mut |y| {
                    if y.is_finite() {
                        take(x, y)
                    }
                });
            }
        })
    };
    let mut points = 0;
    each(&mut |_, y| (low, high, points) = (low.min(y), high.max(y), points + 1))?;
    if low > high {
        return Ok(None);
    }
    let (from, to) = swept.plan.axes()[0]
        .values()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    // One value of the parameter, or one of the quantity, has a window around it.
    let widened = |low: f64, high: f64, margin: f64| {
        let room = if high > low { margin * (high - low) } else { 0.1 * high.abs().max(1e-300) };
        (low - room, high + room)
    };
    let (x, y) = (axis_of(swept, 0), quantity.axis(swept));
    // The first and the last value stand off the frame.
    let across = match swept.plan.axes()[0].is_logarithmic() {
        true if to > from => {
            let ratio = elementary::powf(to / from, ASIDE);
            (from / ratio, to * ratio)
        }
        _ => widened(from, to, ASIDE),
    };
    let down = widened(low, high, 0.03);
    let (x, y) = (x.between(across.0, across.1), y.between(down.0, down.1));
    let fine = if points > MANY_POINTS { 2 } else { 3 };
    let mut density = Density::new(across, down, fine * CELLS.0, fine * CELLS.1).on(&x, &y);
    each(&mut |x, y| density.add(x, y))?;
    let mut panel = Panel::new(x, y).layer(Layer::density(density).color(Color::BLACK).width(1.6));
    if !overlays.is_empty() && !matches!(quantity, Quantity::State(..) | Quantity::ImpactSpeed) {
        let message = "a branch has states and impact speeds, and not what this figure shows";
        return Err(Refusal::new("overlay", message, "draw a state, or impact_speed").into());
    }
    for overlay in overlays {
        panel = overlay.branch(panel, &quantity, swept);
    }
    Ok(Some(panel))
}

fn map(swept: &Swept, wanted: Option<&str>, overlays: &[Overlay]) -> Result<Option<Panel>, Error> {
    let shown = OfMap::named(wanted, swept)?;
    let (x, y) = (axis_of(swept, 0), axis_of(swept, 1));
    let [columns, rows] = [0, 1].map(|i| swept.plan.axes()[i].values().collect::<Vec<f64>>());
    let mut values = vec![f64::NAN; columns.len() * rows.len()];
    let mut any = false;
    swept.finished.kept.each(&swept.names, &swept.plan, |block| {
        for (task, outcome) in (block.first..).zip(&block.outcomes) {
            values[task as usize] = shown.of(outcome);
            any = true;
        }
    })?;
    if !any || columns.len() < 2 || rows.len() < 2 {
        return Ok(None);
    }
    let grid = Grid::around(&columns, &x, &rows, &y);
    // Cells at the edges are as large as others.
    let ends = |edges: &[f64]| {
        edges.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), e| (low.min(*e), high.max(*e)))
    };
    let (across, up) = (ends(&grid.x), ends(&grid.y));
    let layer = match &shown {
        OfMap::Period => periods(grid, &values, swept.recorded),
        OfMap::Number(_) | OfMap::Exponent(_) => Layer::values(grid.missing("no value"), values, shown.bar(swept)),
    };
    let mut panel = Panel::new(x.between(across.0, across.1), y.between(up.0, up.1)).layer(layer);
    for (position, overlay) in overlays.iter().enumerate() {
        panel = overlay.curve(panel, [swept.plan.axes()[0].name(), swept.plan.axes()[1].name()], position);
    }
    Ok(Some(panel))
}

/// Cells coloured by period: each has its colour in all pictures, as far as there are any; longer periods have one, and none has black.
fn periods(grid: Grid, values: &[f64], recorded: u64) -> Layer {
    let mut found: Vec<u64> =
        values.iter().filter(|v| **v > 0.0).map(|v| *v as u64).filter(|p| *p <= MOST_COLORS).collect();
    found.sort_unstable();
    found.dedup();
    let of = |period: &u64| Category::new(format!("period {period}"), Color::of_period(*period));
    let mut categories: Vec<Category> = found.iter().map(of).collect();
    let longer = values.iter().any(|v| *v > MOST_COLORS as f64);
    if longer {
        categories.push(Category::new(format!("longer, up to {}", recorded / 2), Color::of_period(MOST_COLORS + 1)));
    }
    let mut extra = |present: bool, label: String, color: Color| {
        if present {
            categories.push(Category::new(label, color));
        }
        categories.len().saturating_sub(1)
    };
    let rest = extra(values.contains(&-1.0), "at rest".to_string(), Color::rgb(250, 250, 240));
    let none = extra(values.contains(&0.0), no_period(recorded), Color::BLACK);
    let index = |value: &f64| match *value {
        v if v.is_nan() => None,
        -1.0 => Some(rest),
        0.0 => Some(none),
        v => found.iter().position(|period| *period as f64 == v).or(Some(found.len())),
    };
    let cells = values.iter().map(|value| index(value).map(|k| k as u8)).collect();
    Layer::categories(grid.missing("ended early"), cells, categories)
}

impl OfMap {
    /// The bar of the colours.
    fn bar(&self, swept: &Swept) -> ColorBar {
        match self {
            OfMap::Period | OfMap::Exponent(_) => ColorBar::diverging(Axis::new("largest Lyapunov exponent")),
            OfMap::Number(quantity) => ColorBar::sequential(quantity.axis(swept)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::RecordSettings;
    use crate::system::System;
    use saltation_draw::Range;
    use saltation_sweep::Axis as Values;

    fn ranges(values: &[Values], shown: &Shown) -> [(f64, f64); 2] {
        let system = System::gallery("impact-oscillator").unwrap();
        let sweep = values.iter().fold(system.sweep(), |sweep, axis| sweep.over(axis.clone()));
        let swept = sweep.settle(10).record(4).run().unwrap();
        let figure = swept.figure(shown).unwrap().unwrap();
        [&figure.panels[0].x, &figure.panels[0].y].map(|axis| match axis.range {
            Range::Between(from, to) => (from, to),
            _ => panic!("{axis:?}"),
        })
    }

    #[test]
    fn the_first_and_the_last_value_stand_off_the_frame() {
        let linear = Values::linear("A", 0.3, 0.4, 5).unwrap();
        let [x, _] = ranges(std::slice::from_ref(&linear), &Shown::default());
        assert!(x.0 < 0.3 && x.0 > 0.29 && x.1 > 0.4 && x.1 < 0.41, "{x:?}");
        let [x, _] = ranges(&[Values::logarithmic("A", 0.01, 0.4, 5).unwrap()], &Shown::default());
        assert!(x.0 < 0.01 && x.0 > 0.009 && x.1 > 0.4 && x.1 < 0.45, "{x:?}");
        // The cells of a map are all of one size.
        let [x, y] = ranges(&[linear, Values::linear("omega", 0.7, 0.9, 3).unwrap()], &Shown::default());
        assert!((x.0 - 0.2875).abs() < 1e-12 && (x.1 - 0.4125).abs() < 1e-12, "{x:?}");
        assert!((y.0 - 0.65).abs() < 1e-12 && (y.1 - 0.95).abs() < 1e-12, "{y:?}");
    }
}
