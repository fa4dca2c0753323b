//! The figure of a fit: sampled columns with the fitted trajectory through them, and the residuals of all columns over time.

use crate::drawing::motion::title;
use crate::drawing::quantity::Quantity;
use crate::fit::Fitted;
use crate::fit::answer::{Answer, Estimate, Residuals};
use crate::fit::measured::{Measured, Samples};
use crate::fit::observed::{Observer, Predicted};
use crate::simulation::answer::Columns;
use crate::system::System;
use crate::text::number::short;
use saltation_draw::{Axis, Color, Figure, Layer, Marker, Panel};

const WIDTH: f64 = 820.0;
/// The heights of a panel of data and of one of residuals.
const DATA: f64 = 165.0;
const RESIDUALS: f64 = 95.0;
/// The largest number of columns with panels.
const MOST_COLUMNS: usize = 6;
/// The number of times at which the model is drawn.
const TIMES: usize = 3000;
/// More data than this are drawn as dots.
const MANY: usize = 300;
/// The band of residuals that is drawn, in standard deviations.
const BAND: f64 = 2.0;

/// The fitted trajectory through the data: `time`, then every sampled column, at times of its own and at those of the data. Nothing where no column is sampled.
pub(crate) fn trajectory(fitted: &Fitted) -> Option<Columns> {
    let meaning = fitted.request.meaning(&fitted.system).ok()?;
    let (first, last) = range(&fitted.residuals)?;
    if meaning.measured.samples.is_empty() {
        return None;
    }
    let mut times: Vec<f64> = (0..=TIMES).map(|k| first + (last - first) * k as f64 / TIMES as f64).collect();
    times.extend(meaning.measured.times.iter().copied().filter(|time| (first..=last).contains(time)));
    times.sort_by(f64::total_cmp);
    times.dedup();
    let asked = Measured { times, trains: Vec::new(), ..meaning.measured };
    let mut observer = Observer::new(&fitted.fitted, &fitted.request, &[], meaning.clock, &asked).ok()?;
    let observed = observer.observe(&[], last, 0.0, &mut ()).ok()?;
    // Before it begins the trajectory has no numbers.
    let known = observed.skipped..asked.times.len();
    let column =
        |(samples, predicted): (&Samples, &Predicted)| (samples.name.clone(), predicted.values[known.clone()].to_vec());
    let columns = asked.samples.iter().zip(&observed.samples).map(column);
    Some(Columns(std::iter::once(("time".to_string(), asked.times[known.clone()].to_vec())).chain(columns).collect()))
}

/// The times of the figure: from the beginning to the last number that was compared. Nothing if there is none.
fn range(residuals: &Residuals) -> Option<(f64, f64)> {
    let first = residuals.time.iter().copied().reduce(f64::min)?;
    let last = residuals.time.iter().copied().reduce(f64::max)?;
    Some((first.min(0.0), if last > first { last } else { first + 1.0 }))
}

/// The figure of an answer, with the fitted trajectory where columns were sampled; none if nothing was compared.
pub(crate) fn figure(system: &System, answer: &Answer, trajectory: Option<&Columns>) -> Option<Figure> {
    let (first, last) = range(&answer.residuals)?;
    let model = system.model();
    let time_axis = || {
        let axis = Axis::new("time").tight().between(first, last);
        match &model.time_unit {
            Some(unit) => axis.unit(unit),
            None => axis,
        }
    };
    let (mut panels, mut height) = (Vec::new(), 130.0);
    for column in answer.columns.iter().take(MOST_COLUMNS) {
        let r = &answer.residuals;
        let own = || (0..r.time.len()).filter(|&i| r.column[i] == column.name);
        let marks = |points: Vec<(f64, f64)>| match points.len() {
            count if count > MANY => Layer::cloud(points).width(2.2),
            _ => Layer::markers(Marker::Circle, points).width(4.0),
        };
        let drawn = trajectory.and_then(|trajectory| trajectory.get("time").zip(trajectory.get(&column.name)));
        if let Some((times, values)) = drawn {
            let quantity = Quantity::shown(model, &column.measures).ok();
            let axis = quantity.map_or_else(|| Axis::new(column.name.clone()), |quantity| quantity.axis(model));
            let data = marks(own().map(|i| (r.time[i], r.measured[i])).collect()).color(Color::ORANGE).label("data");
            let line = Layer::line(times.iter().copied().zip(values.iter().copied()));
            panels.push(
                Panel::new(time_axis(), axis).layer(data).layer(line.color(Color::BLUE).width(1.3).label("model")),
            );
            height += DATA + 14.0;
        }
        let band = BAND * column.sigma;
        let mut panel = Panel::new(time_axis(), Axis::new(format!("residual of {}", column.name)));
        for y in [-band, band] {
            panel = panel.layer(Layer::horizontal(y).color(Color::rgb(150, 150, 150)).dashed().width(0.8));
        }
        panel = panel.layer(Layer::horizontal(0.0).color(Color::BLACK).width(0.8));
        let points = own().map(|i| (r.time[i], r.measured[i] - r.model[i])).collect();
        panel = panel.layer(marks(points).color(Color::VERMILLION));
        for (times, color, label) in
            [(&column.missing, Color::PURPLE, "measured only"), (&column.extra, Color::GREEN, "model only")]
        {
            if !times.is_empty() {
                let points: Vec<(f64, f64)> = times.iter().map(|time| (*time, 0.0)).collect();
                panel = panel.layer(Layer::markers(Marker::Cross, points).width(7.0).color(color).label(label));
            }
        }
        panels.push(panel);
        height += RESIDUALS + 14.0;
    }
    let text = |one: &Estimate| match one.standard_error.is_finite() {
        true => format!("{} = {} ± {}", one.name, short(one.value, 6), short(one.standard_error, 2)),
        false => format!("{} = {}", one.name, short(one.value, 6)),
    };
    let about: Vec<String> = answer.estimates.iter().map(text).collect();
    Some(Figure::stacked(title(system), panels).subtitle(about.join(", ")).size(WIDTH, height))
}
