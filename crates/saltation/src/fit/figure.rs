//! The figure of a fit: sampled columns with the model through them, and the residuals of all columns over time.

use crate::drawing::motion::title;
use crate::drawing::slopes::Subject;
use crate::error::Error;
use crate::fit::Fitted;
use crate::fit::measured::Measured;
use crate::fit::observed::Observer;
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

/// The figure; none if nothing was compared.
pub(crate) fn figure(fitted: &Fitted) -> Result<Option<Figure>, Error> {
    if fitted.residuals.time.is_empty() {
        return Ok(None);
    }
    let meaning = fitted.request.meaning(&fitted.system)?;
    let ranges = |times: &[f64]| {
        times.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), t| (low.min(*t), high.max(*t)))
    };
    let (first, last) = ranges(&fitted.residuals.time);
    let (first, last) = (first.min(0.0), if last > first { last } else { first + 1.0 });
    // The model is drawn at times of its own and at those of the data.
    let mut times: Vec<f64> = (0..=TIMES).map(|k| first + (last - first) * k as f64 / TIMES as f64).collect();
    times.extend(meaning.measured.times.iter().copied().filter(|time| (first..=last).contains(time)));
    times.sort_by(f64::total_cmp);
    times.dedup();
    let drawn = Measured { times, trains: Vec::new(), ..meaning.measured.clone() };
    let mut observer = Observer::new(&fitted.system, &fitted.request, &meaning.free, meaning.clock, &drawn)?;
    let values: Vec<f64> = fitted.estimates.iter().map(|one| one.value).collect();
    let observed = observer.observe(&values, last, 0.0, &mut ()).ok();
    let model = &fitted.system.model();
    let time_axis = || {
        let axis = Axis::new("time").tight().between(first, last);
        match &model.time_unit {
            Some(unit) => axis.unit(unit),
            None => axis,
        }
    };
    let (mut panels, mut height) = (Vec::new(), 130.0);
    for (k, column) in fitted.columns.iter().enumerate().take(MOST_COLUMNS) {
        let r = &fitted.residuals;
        let own = || (0..r.time.len()).filter(|&i| r.column[i] == column.name);
        let marks = |points: Vec<(f64, f64)>| match points.len() {
            count if count > MANY => Layer::cloud(points).width(2.2),
            _ => Layer::markers(Marker::Circle, points).width(4.0),
        };
        if let Some(samples) = meaning.measured.samples.get(k) {
            let axis = match samples.subject {
                Subject::Quantity(quantity) => quantity.axis(model),
                Subject::Formula(_) => Axis::new(column.name.clone()),
            };
            let mut panel = Panel::new(time_axis(), axis);
            let points = own().map(|i| (r.time[i], r.measured[i])).collect();
            panel = panel.layer(marks(points).color(Color::ORANGE).label("data"));
            if let Some(observed) = &observed {
                let line = drawn.times.iter().zip(&observed.samples[k].values).map(|(t, y)| (*t, *y));
                panel = panel.layer(Layer::line(line.collect::<Vec<_>>()).color(Color::BLUE).width(1.3).label("model"));
            }
            panels.push(panel);
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
    let text = |one: &crate::fit::answer::Estimate| match one.standard_error.is_finite() {
        true => format!("{} = {} ± {}", one.name, short(one.value, 6), short(one.standard_error, 2)),
        false => format!("{} = {}", one.name, short(one.value, 6)),
    };
    let about: Vec<String> = fitted.estimates.iter().map(text).collect();
    Ok(Some(Figure::stacked(title(&fitted.system), panels).subtitle(about.join(", ")).size(WIDTH, height)))
}
