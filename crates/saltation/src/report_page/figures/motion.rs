//! Figures of motions from stored tables: samples or a path over time, an orbit in planes of its states, impact speeds of events.

use super::{Drawing, subtitle};
use crate::branch::figure::BREAK;
use crate::drawing::motion::title;
use crate::drawing::quantity::Quantity;
use crate::orbit::Answer;
use crate::orbit::figure::planes;
use crate::report_page::series::{Marks, Series};
use crate::system::System;
use saltation_draw::{Axis, Color, Density, Figure, Layer, Marker, Panel};

const WIDTH: f64 = 820.0;
/// The most quantities over time.
const MOST_PANELS: usize = 6;
/// A curve has at most four points in each of so many parts of the time.
const PARTS: usize = 1500;
/// Beyond these numbers events are dots, and counted in cells.
const MANY: usize = 400;
const VERY_MANY: usize = 20_000;
/// Beyond this number jumps are left open.
const MOST_JUMPS: usize = 2000;
const JUMP: Color = Color::rgb(165, 180, 200);
/// The most contacts with symbols of their own.
const MOST_CONTACTS: usize = 6;

/// The samples of a motion over time.
pub(crate) fn over_time(system: &System, samples: &Series, tolerance: &str) -> Option<Drawing> {
    let times = samples.column("time").filter(|times| !times.is_empty())?;
    let (panels, left_out) = panels(system, samples, &times);
    let cut = if samples.cut { "; later samples are left out of the figure" } else { "" };
    let rest = if left_out.is_empty() { String::new() } else { format!("; not shown: {}", left_out.join(", ")) };
    let figure = stacked(system, panels).subtitle(subtitle(system, &[], &[tolerance]));
    Some(Drawing::new(
        figure,
        "The trajectory over time",
        format!("drawn from the stored table samples.csv{cut}{rest}"),
    ))
}

/// A panel for every quantity that varies, and the names of those left out.
fn panels(system: &System, table: &Series, times: &[f64]) -> (Vec<Panel>, Vec<String>) {
    let model = system.model();
    let phases = model.phases().map(|phase| model.states[phase.state].name.as_str());
    let without: Vec<&str> = ["time"].into_iter().chain(phases).collect();
    let mut names = table.varying(&without);
    if names.is_empty() {
        names = table.head.iter().filter(|name| !without.contains(&name.as_str())).take(1).cloned().collect();
    }
    let left_out = names.split_off(names.len().min(MOST_PANELS));
    let panel = |name: &String| {
        let values = table.column(name).unwrap_or_default();
        let line = Layer::line(thinned(times, &values)).color(Color::BLUE).width(1.3);
        with_jumps(Panel::new(time_axis(system).tight(), axis(system, name)), times, times, &values).layer(line)
    };
    (names.iter().map(panel).collect(), left_out)
}

fn stacked(system: &System, panels: Vec<Panel>) -> Figure {
    let height = match panels.len() {
        0 | 1 => 300.0,
        2 => 190.0,
        3 | 4 => 145.0,
        _ => 118.0,
    };
    let total = 130.0 + (height + 14.0) * panels.len() as f64;
    Figure::stacked(title(system), panels).size(WIDTH, total)
}

fn time_axis(system: &System) -> Axis {
    let time = Axis::new("time");
    match &system.model().time_unit {
        Some(unit) => time.unit(unit),
        None => time,
    }
}

/// The axis of a column.
fn axis(system: &System, name: &str) -> Axis {
    let quantity = Quantity::shown(system.model(), name).ok();
    quantity.map_or_else(|| Axis::new(name), |quantity| quantity.axis(system.model()))
}

/// The panel with thin lines for jumps, which are two rows at one time.
fn with_jumps(panel: Panel, times: &[f64], across: &[f64], up: &[f64]) -> Panel {
    let jumps =
        (1..times.len()).filter(|&i| times[i - 1] == times[i] && (across[i - 1], up[i - 1]) != (across[i], up[i]));
    let jumps: Vec<usize> = jumps.take(MOST_JUMPS + 1).collect();
    if jumps.is_empty() || jumps.len() > MOST_JUMPS {
        return panel;
    }
    let lines = jumps.into_iter().flat_map(|i| [(across[i - 1], up[i - 1]), (across[i], up[i]), BREAK]);
    panel.layer(Layer::line(lines).color(JUMP).width(0.7))
}

/// A curve over time with few points: in every part of the time the first, the least, the largest and the last value. Two rows at one time are a jump, which
/// is left open.
fn thinned(times: &[f64], values: &[f64]) -> Vec<(f64, f64)> {
    let mut whole: Vec<(f64, f64)> = Vec::with_capacity(times.len());
    for (i, (&t, &x)) in times.iter().zip(values).enumerate() {
        if i > 0 && times[i - 1] == t && values[i - 1] != x {
            whole.push(BREAK);
        }
        whole.push((t, x));
    }
    if whole.len() <= 4 * PARTS {
        return whole;
    }
    let mut few = Vec::with_capacity(4 * PARTS);
    for part in whole.chunks(whole.len().div_ceil(PARTS)) {
        let by = |a: &&(usize, &(f64, f64)), b: &&(usize, &(f64, f64))| a.1.1.total_cmp(&b.1.1);
        let finite: Vec<(usize, &(f64, f64))> = part.iter().enumerate().filter(|(_, p)| p.1.is_finite()).collect();
        let mut places = vec![0, part.len() - 1];
        places.extend(finite.iter().min_by(by).map(|(i, _)| *i));
        places.extend(finite.iter().max_by(by).map(|(i, _)| *i));
        places.sort_unstable();
        places.dedup();
        few.extend(places.into_iter().map(|i| part[i]));
    }
    few
}

/// An orbit: planes of its states with the points on the section, and its states over one period.
pub(crate) fn orbit(system: &System, path: &Series, answer: Option<&Answer>, tolerance: &str) -> Option<Drawing> {
    let times = path.column("time").filter(|times| !times.is_empty())?;
    let points = answer.and_then(|answer| answer.orbit.as_ref()).map_or(&[][..], |orbit| &orbit.points);
    let section = answer.map_or("", |answer| answer.section.as_str());
    let model = system.model();
    let name = |quantity: Quantity| match quantity {
        Quantity::State(state) => model.states[state].name.clone(),
        other => other.name(model),
    };
    let mut list: Vec<Panel> = Vec::new();
    for (x, y) in planes(system) {
        let (Some(across), Some(up)) = (path.column(&name(x)), path.column(&name(y))) else { continue };
        let jumps = |i: usize| i > 0 && times[i - 1] == times[i];
        let mut line = Vec::with_capacity(across.len());
        for i in 0..across.len() {
            if jumps(i) {
                line.push(BREAK);
            }
            line.push((across[i], up[i]));
        }
        let places = points.iter().filter_map(|point| Some((point.get(&name(x))?, point.get(&name(y))?)));
        let marks = Layer::markers(Marker::Circle, places).color(Color::PURPLE).width(4.5);
        let panel = with_jumps(Panel::new(x.axis(model), y.axis(model)), &times, &across, &up);
        let panel = panel.layer(Layer::line(line).color(Color::BLUE).width(1.3));
        list.push(panel.layer(marks.label(format!("section {section}"))));
    }
    let planes = list.len();
    let (over_time, _) = panels(system, path, &times);
    list.extend(over_time.into_iter().take(2));
    let height = 110.0 + 280.0 * planes as f64 + 200.0 * (list.len() - planes) as f64;
    let figure = Figure::new(title(system)).subtitle(subtitle(system, &[], &[tolerance])).size(680.0, height);
    let figure = list.into_iter().fold(figure, Figure::panel);
    Some(Drawing::new(
        figure,
        "The orbit in the plane of its states and over one period",
        "drawn from the stored table path.csv",
    ))
}

/// The speeds of impacts over time.
pub(crate) fn events(system: &System, marks: &Marks, tolerance: &str) -> Option<Drawing> {
    let impacts: Vec<_> = marks.list.iter().filter(|mark| mark.kind == "impact" && mark.speed.is_finite()).collect();
    if impacts.is_empty() {
        return None;
    }
    let model = system.model();
    let units: Vec<Option<&str>> = model.contacts.iter().map(|contact| contact.unit.as_deref()).collect();
    let length = units.first().copied().flatten().filter(|unit| units.iter().all(|other| *other == Some(*unit)));
    let unit = length.zip(model.time_unit.as_deref()).map(|(length, time)| format!("{length}/{time}"));
    let speed = Axis::new("impact speed");
    let speed = match unit {
        Some(unit) => speed.unit(unit),
        None => speed,
    };
    let point = |mark: &&crate::report_page::series::Mark| (mark.time, -mark.speed);
    let mut panel = Panel::new(time_axis(system), speed.clone());
    if impacts.len() > VERY_MANY {
        let range = |of: fn(&(f64, f64)) -> f64| {
            let values = impacts.iter().map(|mark| of(&point(mark)));
            let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
            let room = if high > low { 0.02 * (high - low) } else { 0.1 * high.abs().max(1e-300) };
            (low - room, high + room)
        };
        let (across, up) = (range(|p| p.0), range(|p| p.1));
        let (x, y) = (time_axis(system).between(across.0, across.1), speed.between(up.0, up.1));
        let mut density = Density::new(across, up, 720, 240).on(&x, &y);
        impacts.iter().map(point).for_each(|(t, v)| density.add(t, v));
        panel = Panel::new(x, y).layer(Layer::density(density).color(Color::BLACK));
    } else {
        let mut contacts: Vec<&str> = impacts.iter().map(|mark| mark.contact.as_str()).collect();
        contacts.sort_unstable();
        contacts.dedup();
        let several = contacts.len() > 1 && contacts.len() <= MOST_CONTACTS;
        let names = if several { contacts } else { vec![""] };
        for name in &names {
            let own = impacts.iter().filter(|mark| !several || mark.contact == *name).map(point);
            let layer = match impacts.len() > MANY {
                true => Layer::cloud(own).width(2.2),
                false => Layer::markers(Marker::Circle, own).width(4.5),
            };
            panel = panel.layer(match several {
                true => layer.label(name.to_string()),
                false => layer.color(Color::VERMILLION),
            });
        }
    }
    let figure =
        Figure::new(title(system)).subtitle(subtitle(system, &[], &[tolerance])).size(WIDTH, 340.0).panel(panel);
    let cut = if marks.cut { "; later events are left out of the figure" } else { "" };
    Some(Drawing::new(figure, "Speeds of impacts over time", format!("drawn from the stored table events.csv{cut}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_points_keep_extremes_and_jumps() {
        let times: Vec<f64> = (0..100_000).map(|k| f64::from(k) * 1e-3).collect();
        let mut values: Vec<f64> = times.iter().map(|t| t.sin()).collect();
        (values[54_321], values[54_322]) = (7.0, -7.0);
        let few = thinned(&times, &values);
        assert!(few.len() <= 4 * PARTS, "{}", few.len());
        assert!(few.contains(&(times[54_321], 7.0)) && few.contains(&(times[54_322], -7.0)));
        let jump = thinned(&[0.0, 1.0, 1.0, 2.0], &[0.0, 1.0, -1.0, 0.0]);
        assert!(jump.len() == 5 && jump[2].0.is_nan());
    }
}
