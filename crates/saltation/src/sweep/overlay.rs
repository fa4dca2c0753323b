//! Branches and bifurcation curves laid over the figure of a sweep: read from the files that continuation wrote.

use crate::branch::figure::{BREAK, LINES, line_of, mark};
use crate::branch::report::cut;
use crate::drawing::close_up::with_marks;
use crate::drawing::smooth::{smooth, smooth_between_jumps};
use crate::error::Error;
use crate::named::Named;
use crate::store::stored::{self, JsonFile};
use crate::sweep::Swept;
use crate::sweep::quantity::Quantity;
use crate::system::System;
use saltation_draw::{Color, Layer, Panel};
use saltation_model::Model;
use saltation_orbit::branch::SpecialKind;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

const FILE: JsonFile = JsonFile {
    field: "overlay",
    largest: 1024,
    what: "a branch",
    meant: "give a file with what `saltation continue MODEL --json` or `saltation curve MODEL --json` printed",
};
/// The most returns of an orbit that are computed.
const MOST_RETURNS: u64 = 64;
/// The colours of curves over a map, where the palette names periods.
const CURVES: [Color; 4] =
    [Color::rgb(20, 20, 20), Color::rgb(200, 30, 30), Color::rgb(20, 60, 200), Color::rgb(0, 120, 60)];

/// A file with branches or with a curve.
#[derive(Debug, Clone)]
pub(crate) struct Overlay {
    /// Everything with points: the branch itself, and those that begin on it.
    pieces: Vec<Piece>,
    /// The kind of bifurcation, of a curve.
    kind: Option<String>,
}

/// A branch or a curve of a file.
#[derive(Debug, Clone)]
struct Piece {
    value: Value,
    /// The period of its orbits in returns. A file has the state at one of them.
    returns: u64,
}

/// The points of a line, with breaks.
type Line = Vec<(f64, f64)>;

impl Overlay {
    /// Reads a file that belongs to this model and varies these parameters.
    pub(crate) fn read(file: &Path, model: &Model, parameters: &[&str]) -> Result<Overlay, Error> {
        let value = FILE.read(file)?;
        stored::same_model(FILE.field, &value, model, FILE.meant)?;
        let answer = stored::answer(&value);
        let along: Vec<&str> = match answer.get("along") {
            Some(Value::String(name)) => vec![name],
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        let fits = along.len() == parameters.len() && along.iter().all(|name| parameters.contains(name));
        if !along.is_empty() && !fits {
            let message =
                format!("the file varies {}, and the figure {}", along.join(" and "), parameters.join(" and "));
            return Err(crate::error::Refusal::new(
                "overlay",
                message,
                "lay a branch over a diagram along its parameter, and a curve over a map of both",
            )
            .into());
        }
        let all: Vec<&Value> = std::iter::once(answer).chain(entries(answer, "branches")).collect();
        let pieces: Vec<Piece> = all
            .iter()
            .zip(returns(&all))
            .filter(|(piece, _)| !points(piece).is_empty())
            .map(|(piece, returns)| Piece { value: (*piece).clone(), returns })
            .collect();
        if pieces.is_empty() {
            let message = "the file holds neither a branch nor a curve: it has no points";
            return Err(crate::error::Refusal::new("overlay", message, FILE.meant).into());
        }
        let kind = answer.get("kind").and_then(Value::as_str).map(str::to_string);
        Ok(Overlay { pieces, kind })
    }

    /// Lays branches over a diagram: stable and unstable, admissible or not, and their bifurcations.
    pub(crate) fn branch(&self, mut panel: Panel, quantity: &Quantity, shown: &Swept) -> Panel {
        let (parameter, names) = (shown.parameter.as_str(), &shown.names.states);
        let read = |point: &Value, returns: u64| {
            let mut values = read_quantity(point, quantity, names);
            if let (Quantity::State(state, _), 2..) = (quantity, returns) {
                let more = further_returns(point, &shown.system, &shown.section, returns);
                let of_state = |point: &Named| point.values().get(*state).copied().unwrap_or(f64::NAN);
                values.extend(more.iter().map(|point| quantity.on_circle(of_state(point))));
            }
            values
        };
        let is_state = matches!(quantity, Quantity::State(..));
        let mut lines: [Line; 4] = Default::default();
        // The periods of orbits of which some returns are missing.
        let mut partial: [BTreeSet<u64>; 4] = Default::default();
        for Piece { value, returns } in &self.pieces {
            let list = points(value);
            let values = in_turn(list.iter().map(|point| read(point, *returns)).collect());
            let parts = cut(&properties(value));
            for k in 0..values.iter().map(Vec::len).max().unwrap_or(0) {
                let at = |i: usize| (number(&list[i], parameter), values[i].get(k).copied().unwrap_or(f64::NAN));
                let line: Line = (0..list.len()).map(at).collect();
                // Where an impact passes the section the state jumps.
                let curve: Vec<Line> = match quantity {
                    Quantity::State(..) => smooth_between_jumps(&line),
                    _ => smooth(&line),
                };
                for part in &parts {
                    let which = LINES.iter().position(|line| (line.0, line.1) == (part.stable, part.admissible));
                    let which = which.unwrap_or(0);
                    let last = curve[part.to].first();
                    lines[which].extend(curve[part.from..part.to].iter().flatten().chain(last));
                    lines[which].push(BREAK);
                    let missing = |i: usize| is_state && (values[i].len() as u64) < *returns;
                    partial[which].extend((part.from..=part.to).any(missing).then_some(*returns));
                }
            }
        }
        // What is stable lies in front.
        for (kind, line) in lines.into_iter().enumerate().rev() {
            if line.iter().any(|(x, y)| x.is_finite() && y.is_finite()) {
                let part = match partial[kind].len() {
                    0 => String::new(),
                    1 => partial[kind].iter().map(|returns| format!(" (1 of its {returns} returns)")).collect(),
                    _ => " (1 return of each orbit)".to_string(),
                };
                let label = format!("branch, {}{part}", LINES[kind].3);
                panel = panel.layer(line_of(kind, line).label(label).outside_range());
            }
        }
        let mut kinds = Vec::new();
        for kind in SpecialKind::ALL.into_iter().filter(|kind| *kind != SpecialKind::End) {
            let of_kind = |special: &&Value| special.get("kind").and_then(Value::as_str) == Some(kind.name());
            let mut marks = Line::new();
            for Piece { value, returns } in &self.pieces {
                for special in entries(value, "special").iter().filter(of_kind) {
                    marks.extend(read(special, *returns).into_iter().map(|y| (number(special, parameter), y)));
                }
            }
            if !marks.is_empty() {
                kinds.push(mark(kind, marks).outside_range());
            }
        }
        with_marks(panel, kinds)
    }

    /// Lays a curve over a map of two parameters.
    pub(crate) fn curve(&self, mut panel: Panel, parameters: [&str; 2], position: usize) -> Panel {
        for Piece { value: piece, .. } in &self.pieces {
            let at = |point: &&Value| parameters.map(|name| number(point, name)).into();
            let line: Line =
                smooth(&points(piece).iter().map(|point| at(&point)).collect::<Vec<(f64, f64)>>()).concat();
            let label = self.kind.clone().unwrap_or_else(|| "branch".to_string()).replace('_', " ");
            // A rim in white, so that a curve is seen on every colour.
            let rim = Layer::line(line.clone()).color(Color::rgb(255, 255, 255)).width(4.0);
            panel = panel.layer(rim.outside_range());
            let layer = Layer::line(line).color(CURVES[position % CURVES.len()]).width(1.8);
            panel = panel.layer(layer.label(label).outside_range());
        }
        panel
    }
}

fn entries<'a>(piece: &'a Value, key: &str) -> &'a [Value] {
    piece.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn points(piece: &Value) -> &[Value] {
    entries(piece, "points")
}

/// The periods in returns of the orbits of branches: that of a branch which begins on another one follows from both periods there, in time.
fn returns(all: &[&Value]) -> Vec<u64> {
    let mut found: Vec<u64> = Vec::new();
    for piece in all {
        let parent = piece.get("parent").and_then(|parent| {
            let at = |key: &str| Some(parent.get(key)?.as_u64()? as usize);
            let branch = at("branch")?;
            Some((found.get(branch)?, entries(all[branch], "special").get(at("special")?)?))
        });
        let period = |point: &Value| point.get("period").and_then(Value::as_f64);
        found.push(match parent {
            None => piece.get("returns").and_then(Value::as_u64).unwrap_or(1),
            Some((returns, birth)) => {
                let times = points(piece).first().and_then(period).zip(period(birth)).map_or(1.0, |(own, of)| own / of);
                returns * (times.round() as u64).max(1)
            }
        });
    }
    found
}

/// The value of a parameter at a point.
fn number(point: &Value, parameter: &str) -> f64 {
    point.get("parameters").and_then(|list| list.get(parameter)).and_then(Value::as_f64).unwrap_or(f64::NAN)
}

/// The values of a quantity at a point of a branch; none of what a branch does not have.
fn read_quantity(point: &Value, quantity: &Quantity, names: &[String]) -> Vec<f64> {
    match quantity {
        Quantity::State(state, _) => {
            let value = point.get("state").and_then(|list| list.get(names.get(*state)?)).and_then(Value::as_f64);
            value.map(|value| quantity.on_circle(value)).into_iter().collect()
        }
        Quantity::ImpactSpeed => entries(point, "impact_speeds").iter().filter_map(Value::as_f64).map(|v| -v).collect(),
        _ => Vec::new(),
    }
}

/// The states at the other returns of the orbit through a point of a branch, by its motion: a file has the first. None of an orbit that is no motion, or does not
/// begin in flight.
fn further_returns(point: &Value, system: &System, section: &str, returns: u64) -> Vec<Named> {
    let admissible = point.get("admissible").and_then(Value::as_bool).unwrap_or(true);
    let numbers = |key: &str| point.get(key).and_then(Value::as_object).map(stored::numbers).unwrap_or_default();
    let (parameters, state) = (numbers("parameters"), numbers("state"));
    if !admissible || returns > MOST_RETURNS || state.is_empty() {
        return Vec::new();
    }
    let there = parameters.iter().try_fold(system.clone(), |system, (name, value)| system.with(name, *value));
    let there =
        there.and_then(|system| state.iter().try_fold(system, |system, (name, value)| system.from_state(name, *value)));
    let run = there.and_then(|system| system.simulation().section(section).returns(returns - 1).run());
    let found: Vec<Named> =
        run.map_or(Vec::new(), |run| run.events.of(section).map(|event| event.before.clone()).collect());
    if found.len() as u64 == returns - 1 { found } else { Vec::new() }
}

/// Values of the returns of orbits, those of every point begun at the return at which they are nearest to those of the point before: which return is reported
/// first changes where an impact passes the section.
fn in_turn(mut values: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    for i in 1..values.len() {
        let (before, rest) = values.split_at_mut(i);
        let (before, here) = (&before[i - 1], &mut rest[0]);
        let count = here.len();
        if count < 2 || before.len() != count {
            continue;
        }
        let distance = |turn: usize| (0..count).map(|k| (here[(k + turn) % count] - before[k]).abs()).sum::<f64>();
        let nearest = (0..count).min_by(|&a, &b| distance(a).total_cmp(&distance(b))).unwrap_or(0);
        here.rotate_left(nearest);
    }
    values
}

/// Whether the points of a branch are stable, admissible and bifurcations, where both would be rounding.
fn properties(piece: &Value) -> Vec<(bool, bool, bool)> {
    let flag = |point: &Value, key: &str| point.get(key).and_then(Value::as_bool).unwrap_or(true);
    let mut found: Vec<(bool, bool, bool)> =
        points(piece).iter().map(|point| (flag(point, "stable"), flag(point, "admissible"), false)).collect();
    let special = entries(piece, "special").iter().filter_map(|one| one.get("index").and_then(Value::as_u64));
    // It begins at a bifurcation of another one.
    let first = piece.get("parent").filter(|parent| !parent.is_null()).map(|_| 0);
    for index in special.chain(first) {
        found.iter_mut().skip(index as usize).take(1).for_each(|one| one.2 = true);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answered::Answered;
    use crate::settings::RecordSettings;

    #[test]
    fn returns_are_followed_from_point_to_point() {
        let values = vec![vec![0.0, -0.3], vec![0.01, -0.31], vec![-0.32, 0.02], vec![0.5], vec![-0.33, 0.03]];
        let turned = vec![vec![0.0, -0.3], vec![0.01, -0.31], vec![0.02, -0.32], vec![0.5], vec![-0.33, 0.03]];
        assert_eq!(in_turn(values), turned);
    }

    #[test]
    fn doubled_branches_have_twice_the_returns_of_their_parents() {
        let orbit = System::gallery("ball-on-table").unwrap().orbit().find().unwrap();
        let branch = orbit.continue_in("K", 0.1..=1.2).switch().run().unwrap();
        let answer: Value = serde_json::from_str(&branch.json()).unwrap();
        let all: Vec<&Value> = std::iter::once(&answer).chain(entries(&answer, "branches")).collect();
        // Two doublings, one after the other.
        assert_eq!(returns(&all), [1, 2, 4]);
    }

    #[test]
    fn all_returns_of_an_orbit_are_there_where_it_is_a_motion() {
        let system = System::gallery("impact-oscillator").unwrap().with("A", 0.35).unwrap();
        let orbit = system.orbit().returns(2).settle(400).find().unwrap();
        let branch = orbit.continue_in("A", 0.344..=0.352).run().unwrap();
        let answer: Value = serde_json::from_str(&branch.json()).unwrap();
        let section = answer.get("section").and_then(Value::as_str).unwrap();
        let (mut found, mut left) = (0, 0);
        for (point, (stable, admissible, _)) in points(&answer).iter().zip(properties(&answer)) {
            let further = further_returns(point, &system, section, 2);
            if !admissible {
                assert!(further.is_empty());
                left += 1;
            } else if stable {
                // Where it is stable a motion settles on it.
                let a = number(point, "A");
                let swept = system.sweep().along("A", a..=a, 1).settle(2000).record(8).run().unwrap();
                let near = |record: &crate::sweep::Record| (record.state["x"] - further[0]["x"]).abs() < 1e-6;
                let own = point["state"]["x"].as_f64().unwrap();
                let first = swept.records.iter().any(|record| (record.state["x"] - own).abs() < 1e-6);
                if swept.tasks[0].period == Some(2) {
                    assert!(first && swept.records.iter().any(near), "{a} {further:?}");
                    found += 1;
                }
            }
        }
        assert!(found > 5 && left > 5, "{found} {left}");
    }
}
