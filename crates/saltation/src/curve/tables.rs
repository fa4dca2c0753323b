//! Tables of a bifurcation curve: a row per point, and a row per codimension-two point.

use crate::curve::answer::Point;
use crate::curve::{Answer, Curve};
use crate::table::{Cell, Table};

/// All points.
pub(crate) fn points(traced: &Curve) -> Table {
    let answer = &traced.answer;
    let speeds = most_speeds(answer);
    let rows = answer.points.iter().map(|point| cells(answer, point, speeds));
    Table { name: "curve", head: columns(traced, speeds), rows: rows.collect() }
}

/// All bifurcations.
pub(crate) fn special(traced: &Curve) -> Table {
    let answer = &traced.answer;
    let speeds = most_speeds(answer);
    let mut head = vec!["kind".to_string()];
    head.extend(columns(traced, speeds));
    head.extend(["contact", "index"].map(str::to_string));
    let rows = answer.special.iter().map(|special| {
        let mut row: Vec<Cell> = vec![special.kind.name().into()];
        row.extend(cells(answer, &special.point, speeds));
        row.extend([special.contact.as_deref().into(), special.index.into()]);
        row
    });
    Table { name: "special", head, rows: rows.collect() }
}

fn most_speeds(answer: &Answer) -> usize {
    answer.points.iter().map(|point| point.impact_speeds.len()).max().unwrap_or(0)
}

fn columns(traced: &Curve, speeds: usize) -> Vec<String> {
    let mut head: Vec<String> = traced.answer.along.to_vec();
    head.push("period".to_string());
    head.extend(traced.system.state_names().iter().cloned());
    head.extend((1..=speeds).map(|k| format!("impact_speed_{k}")));
    head.push("admissible".to_string());
    head
}

fn cells(answer: &Answer, point: &Point, speeds: usize) -> Vec<Cell> {
    let parameters = answer.along.iter().map(|name| Cell::from(point.parameters.get(name)));
    let mut row: Vec<Cell> = parameters.collect();
    row.push(point.period.into());
    row.extend(point.state.values().iter().map(|x| Cell::from(*x)));
    row.extend((0..speeds).map(|k| Cell::from(point.impact_speeds.get(k).copied())));
    row.push(point.admissible.into());
    row
}
