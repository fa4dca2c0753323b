//! What is a curve of special orbits like, for people, for tables and for other programs?

use crate::branch::worse;
use crate::branch_json::{ends, object, parameters};
use crate::branch_table::Table;
use crate::json::{Object, State};
use crate::naming::Naming;
use crate::text::number::{self, exact, short};
use crate::signature;
use crate::special_curve::Traced;
use crate::text::columns::{self, Row, Side};
use saltation_orbit::branch::Ended;
use saltation_orbit::curve::{CurvePoint, SpecialCurve};
use serde_json::{Map, Value, json};

/// The most special points that are listed.
const MOST_LISTED: usize = 60;

/// The answer of `curve --json`.
pub fn json(traced: Traced) -> Value {
    let Traced { input, request, naming, curve } = traced;
    let mut answer = match curve {
        Ok(curve) => about(naming, curve),
        Err(message) => object(json!({
            "kind": request.origin.kind.name(), "points": [], "special": [], "ended": "no_curve", "ends": [], "message": message,
        })),
    };
    let settings = &request.settings;
    answer.extend(object(json!({
        "along": traced.along(),
        "range": [settings.range.0, settings.range.1],
        "from": request.file,
        "at": request.at.trim().parse::<u64>().map_or_else(|_| json!(request.at.trim()), Value::from),
        "tolerance": settings.tolerance,
        "model": input.model.name,
        "fingerprint": input.model.fingerprint(),
        "parameters": Object(input.parameters()),
    })));
    Value::Object(answer)
}

fn about(naming: Naming, curve: &SpecialCurve) -> Map<String, Value> {
    let contacts = naming.system.contact_names();
    let points: Vec<Value> = curve.points.iter().map(|point| Value::Object(self::point(naming, point))).collect();
    let special = curve.special.iter().map(|special| {
        let mut one = object(json!({ "kind": special.kind.name() }));
        one.extend(point(naming, &special.point));
        one.extend(object(json!({
            "index": special.index, "contact": special.contact.map(|contact| &contacts[contact]),
        })));
        Value::Object(one)
    });
    object(json!({
        "kind": curve.kind.name(),
        "points": points,
        "special": special.collect::<Vec<Value>>(),
        "ended": worse(&curve.ended).name(),
        "message": worse(&curve.ended).describe(),
        "ends": ends(&curve.ended),
        "signature": curve.signature.words(naming.system),
    }))
}

fn point(naming: Naming, point: &CurvePoint) -> Map<String, Value> {
    object(json!({
        "parameters": parameters(naming, &point.parameters),
        "state": State(naming, &point.state),
        "impact_speeds": point.impact_speeds,
        "period": point.period,
        "admissible": point.admissible,
    }))
}

/// Both parameters of a point, in words.
pub fn place(traced: Traced, values: &[f64]) -> String {
    let [first, second] = traced.request.parameters;
    let names = traced.along();
    format!("{} = {}, {} = {}", names[0], short(values[first], 12), names[1], short(values[second], 12))
}

/// The report for people.
pub fn report(traced: Traced, seconds: f64) -> Vec<String> {
    let Traced { input, request, naming, curve } = traced;
    let mut lines = vec![input.headline()];
    let names = traced.along();
    let changed = input.changed_but(&names);
    if !changed.is_empty() {
        lines.push(format!("with     {}", changed.join(", ")));
    }
    let kind = request.origin.kind.name().replace('_', " ");
    lines.push(format!("from     {}, special point {}: {kind}", request.file, request.at.trim()));
    lines.push(format!("         at {}", place(traced, &input.values.parameters)));
    let (low, high) = request.settings.range;
    lines.push(format!(
        "along    {} and {}, {} from {} to {}",
        names[0],
        names[1],
        names[1],
        short(low, 15),
        short(high, 15)
    ));
    lines.push(format!("tol      {:e}", input.tolerance));
    let Ok(curve) = curve else { return lines };
    lines.push(String::new());
    lines.push(format!("events   {}", signature::compact(&curve.signature.words(naming.system))));
    let virtual_points = curve.points.iter().filter(|point| !point.admissible).count();
    let remark = if virtual_points > 0 { format!(", {virtual_points} of them virtual") } else { String::new() };
    lines.push(format!("points   {}{remark}", curve.points.len()));
    for (which, ended, end) in
        [("from", &curve.ended[0], curve.points.first()), ("to", &curve.ended[1], curve.points.last())]
    {
        let words = match ended {
            Ended::Range { .. } => "the end of the range".to_string(),
            other => other.describe(),
        };
        lines.push(format!("{which:<8} {}: {words}", end.map(|p| place(traced, &p.parameters)).unwrap_or_default()));
    }
    lines.push(String::new());
    lines.extend(table_of_special(traced, curve));
    lines.push(String::new());
    lines.push(format!("{} ({} s of computing)", number::count(curve.points.len() as u64, "point"), short(seconds, 3)));
    lines
}

fn table_of_special(traced: Traced, curve: &SpecialCurve) -> Vec<String> {
    if curve.special.is_empty() {
        return vec!["nothing else is special on the way".to_string()];
    }
    let contacts = traced.naming.system.contact_names();
    let [first, second] = traced.request.parameters;
    let aligned = |x: f64| {
        let text = short(x, 15);
        if text.starts_with('-') { text } else { format!(" {text}") }
    };
    let mut rows = Vec::new();
    for special in curve.special.iter().take(MOST_LISTED) {
        let point = &special.point;
        let speeds = point.impact_speeds.iter().take(4).map(|speed| short(*speed, 8));
        rows.push(Row::Cells(vec![
            special.kind.name().replace('_', " "),
            special.contact.map(|contact| contacts[contact].clone()).unwrap_or_default(),
            aligned(point.parameters[first]),
            aligned(point.parameters[second]),
            short(point.period, 12),
            speeds.collect::<Vec<_>>().join(", "),
            if point.admissible { "admissible" } else { "virtual" }.to_string(),
        ]));
    }
    if curve.special.len() > MOST_LISTED {
        rows.push(Row::Remark(format!("… {} more; --json has all …", curve.special.len() - MOST_LISTED)));
    }
    let [a, b] = traced.along();
    columns::lines(&["also", "contact", a, b, "period", "impact speeds", ""].map(|name| (name, Side::Left)), &rows)
}

/// All points, as rows.
pub fn points(traced: Traced, curve: &SpecialCurve) -> Table {
    let speeds = most_speeds(curve);
    let rows = curve.points.iter().map(|point| cells(traced, point, speeds));
    (columns(traced, speeds), rows.collect())
}

/// All special points, as rows.
pub fn special(traced: Traced, curve: &SpecialCurve) -> Table {
    let speeds = most_speeds(curve);
    let contacts = traced.naming.system.contact_names();
    let mut head = vec!["kind".to_string()];
    head.extend(columns(traced, speeds));
    head.extend(["contact", "index"].map(str::to_string));
    let rows = curve.special.iter().map(|special| {
        let mut row = vec![special.kind.name().to_string()];
        row.extend(cells(traced, &special.point, speeds));
        row.push(special.contact.map(|contact| contacts[contact].clone()).unwrap_or_default());
        row.push(special.index.to_string());
        row
    });
    (head, rows.collect())
}

fn most_speeds(curve: &SpecialCurve) -> usize {
    curve.points.iter().map(|point| point.impact_speeds.len()).max().unwrap_or(0)
}

fn columns(traced: Traced, speeds: usize) -> Vec<String> {
    let mut head: Vec<String> = traced.along().map(str::to_string).to_vec();
    head.push("period".to_string());
    head.extend(traced.naming.states().iter().cloned());
    head.extend((1..=speeds).map(|k| format!("impact_speed_{k}")));
    head.push("admissible".to_string());
    head
}

/// Numbers that are not finite are left out.
fn cells(traced: Traced, point: &CurvePoint, speeds: usize) -> Vec<String> {
    let number = |x: f64| if x.is_finite() { exact(x) } else { String::new() };
    let mut row: Vec<String> = traced.request.parameters.map(|index| number(point.parameters[index])).to_vec();
    row.push(number(point.period));
    row.extend(traced.naming.state(&point.state).map(|(_, x)| number(x)));
    row.extend((0..speeds).map(|k| point.impact_speeds.get(k).map_or(String::new(), |x| number(*x))));
    row.push(point.admissible.to_string());
    row
}
