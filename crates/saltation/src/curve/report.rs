//! The report of a bifurcation curve: its start, its ends, and its codimension-two points.

use crate::branch::remedy;
use crate::branch::report::{ending, signed, words};
use crate::curve::Curve;
use crate::text::columns::{self, Row, Side};
use crate::text::number::{self, short};
use crate::text::signature;
use saltation_orbit::branch::Ended;
use saltation_orbit::curve::SpecialCurve;

/// The largest number of codimension-two points that are listed.
const MOST_LISTED: usize = 60;
/// The largest number of impact speeds in a row.
const MOST_SPEEDS: usize = 4;

/// Both parameters of a point, in words.
fn place(traced: &Curve, values: &[f64]) -> String {
    let [first, second] = traced.parameters;
    let names = traced.along();
    format!("{} = {}, {} = {}", names[0], short(values[first], 12), names[1], short(values[second], 12))
}

/// The whole report.
pub(crate) fn lines(traced: &Curve) -> Vec<String> {
    let Curve { system, request, start, answer, .. } = traced;
    let mut lines = vec![system.headline()];
    let names = traced.along();
    let changed = system.changed_but(&names);
    if !changed.is_empty() {
        lines.push(format!("with     {}", changed.join(", ")));
    }
    let kind = words(start.kind().name());
    lines.push(format!("from     {}, bifurcation {}: {kind}", start.source(), start.position()));
    lines.push(format!("         at {}", place(traced, system.numbers().parameters())));
    let [low, high] = answer.range.map(|end| short(end, 15));
    lines.push(format!("along    {} and {}, {} from {low} to {high}", names[0], names[1], names[1]));
    lines.push(format!("tol      {:e}", request.tol));
    let Some(curve) = &traced.curve else { return lines };
    lines.push(String::new());
    lines.push(format!("events   {}", signature::compact(&answer.signature)));
    let virtual_points = curve.points.iter().filter(|point| !point.admissible).count();
    let remark = if virtual_points > 0 { format!(", {virtual_points} of them not admissible") } else { String::new() };
    lines.push(format!("points   {}{remark}", curve.points.len()));
    for (which, ended, end) in
        [("from", &curve.ended[0], curve.points.first()), ("to", &curve.ended[1], curve.points.last())]
    {
        let place = end.map(|point| place(traced, &point.parameters)).unwrap_or_default();
        lines.push(format!("{which:<8} {place}: {}", ending(ended)));
    }
    lines.push(String::new());
    lines.extend(special(traced, curve));
    lines.push(String::new());
    let seconds = short(traced.wall_time.as_secs_f64(), 3);
    lines.push(format!("{} ({seconds} s of computing)", number::count(curve.points.len() as u64, "point")));
    lines
}

fn special(traced: &Curve, curve: &SpecialCurve) -> Vec<String> {
    if curve.special.is_empty() {
        return vec!["no codimension-two points".to_string()];
    }
    let [first, second] = traced.parameters;
    let mut rows = Vec::new();
    for (special, named) in curve.special.iter().zip(&traced.answer.special).take(MOST_LISTED) {
        let point = &special.point;
        let speeds = point.impact_speeds.iter().take(MOST_SPEEDS).map(|speed| short(*speed, 8));
        rows.push(Row::Cells(vec![
            words(special.kind.name()),
            named.contact.clone().unwrap_or_default(),
            signed(point.parameters[first], 15),
            signed(point.parameters[second], 15),
            short(point.period, 12),
            speeds.collect::<Vec<_>>().join(", "),
            if point.admissible { "admissible" } else { "not admissible" }.to_string(),
        ]));
    }
    if curve.special.len() > MOST_LISTED {
        rows.push(Row::Remark(format!("… {} more; --json has all …", curve.special.len() - MOST_LISTED)));
    }
    let [a, b] = traced.along();
    columns::lines(&["also", "contact", a, b, "period", "impact speeds", ""].map(|name| (name, Side::Left)), &rows)
}

/// The ends that are incomplete, in lines.
pub(crate) fn short_of(traced: &Curve) -> Vec<String> {
    let Some(curve) = &traced.curve else { return vec![traced.answer.message.clone()] };
    let mut lines = Vec::new();
    let ends = [curve.points.first(), curve.points.last()];
    for (ended, end) in curve.ended.iter().zip(ends).filter(|(ended, _)| !ended.is_complete()) {
        let place = end.map(|point| format!(" at {}", place(traced, &point.parameters)));
        lines.push(format!("the curve stopped early{}: {}", place.unwrap_or_default(), ended.describe()));
        lines.extend(match ended {
            Ended::Points if traced.request.range1.is_none() => {
                Some(format!("bound {} with --range1, or allow more points with --points", traced.along()[0]))
            }
            other => remedy(other),
        });
    }
    lines
}
