//! Branches and bifurcation curves laid over the figure of a sweep: read from the files that continuation wrote.

use crate::branch::figure::mark;
use crate::drawing::smooth::smooth;
use crate::error::Error;
use crate::store::stored::{self, JsonFile};
use crate::sweep::quantity::Quantity;
use saltation_draw::{Color, Layer, Panel};
use saltation_model::Model;
use saltation_orbit::branch::SpecialKind;
use serde_json::Value;
use std::path::Path;

const FILE: JsonFile = JsonFile {
    field: "overlay",
    largest: 1024,
    what: "a branch",
    meant: "give a file with what `saltation continue MODEL --json` or `saltation curve MODEL --json` printed",
};
/// The colours of curves over a map, where the palette names periods.
const CURVES: [Color; 4] =
    [Color::rgb(20, 20, 20), Color::rgb(200, 30, 30), Color::rgb(20, 60, 200), Color::rgb(0, 120, 60)];

/// A file with branches or with a curve.
#[derive(Debug, Clone)]
pub(crate) struct Overlay {
    /// Everything with points: the branch itself, and those that begin on it.
    pieces: Vec<Value>,
    /// The kind of bifurcation, of a curve.
    kind: Option<String>,
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
        let branches = answer.get("branches").and_then(Value::as_array).into_iter().flatten();
        let pieces: Vec<Value> =
            std::iter::once(answer).chain(branches).filter(|piece| !points(piece).is_empty()).cloned().collect();
        if pieces.is_empty() {
            let message = "the file holds neither a branch nor a curve: it has no points";
            return Err(crate::error::Refusal::new("overlay", message, FILE.meant).into());
        }
        let kind = answer.get("kind").and_then(Value::as_str).map(str::to_string);
        Ok(Overlay { pieces, kind })
    }

    /// Lays branches over a diagram: stable and unstable, admissible or not, and their bifurcations.
    pub(crate) fn branch(&self, mut panel: Panel, parameter: &str, quantity: &Quantity, names: &[String]) -> Panel {
        let styles = [
            (true, true, Color::BLUE, "stable branch"),
            (false, true, Color::VERMILLION, "unstable branch"),
            (true, false, Color::BLUE, "not admissible"),
            (false, false, Color::VERMILLION, "not admissible"),
        ];
        let mut lines: [Line; 4] = Default::default();
        for piece in &self.pieces {
            let list = points(piece);
            let values: Vec<Vec<f64>> = list.iter().map(|point| read_quantity(point, quantity, names)).collect();
            for k in 0..values.iter().map(Vec::len).max().unwrap_or(0) {
                let at = |i: usize| (number(&list[i], parameter), values[i].get(k).copied().unwrap_or(f64::NAN));
                let line: Line = (0..list.len()).map(at).collect();
                // Where an impact passes the section the state jumps.
                let curve: Vec<Line> = match quantity {
                    Quantity::State(..) => unjumped(&line),
                    _ => smooth(&line),
                };
                let mut before = None;
                for (i, part) in curve.iter().enumerate() {
                    let style = style(&list[i]);
                    if before != Some(style) {
                        lines[style].push((f64::NAN, f64::NAN));
                    }
                    lines[style].extend(part);
                    if let Some(next) = curve.get(i + 1).filter(|_| !part.last().is_some_and(|(x, _)| x.is_nan())) {
                        lines[style].extend(&next[..1]);
                    }
                    before = Some(style);
                }
                lines.iter_mut().for_each(|line| line.push((f64::NAN, f64::NAN)));
            }
        }
        for (line, (_, admissible, color, label)) in lines.into_iter().zip(styles) {
            if line.iter().any(|(x, y)| x.is_finite() && y.is_finite()) {
                let layer = Layer::line(line).color(color).label(label).outside_range();
                panel = panel.layer(if admissible { layer.width(1.6) } else { layer.width(1.0).dashed() });
            }
        }
        for kind in SpecialKind::ALL {
            let of_kind = |special: &&Value| special.get("kind").and_then(Value::as_str) == Some(kind.name());
            let all = self.pieces.iter().flat_map(|piece| entries(piece, "special")).filter(of_kind);
            let marks: Line = all
                .flat_map(|special| {
                    let x = number(special, parameter);
                    read_quantity(special, quantity, names).into_iter().map(move |y| (x, y))
                })
                .collect();
            if !marks.is_empty() && kind != SpecialKind::End {
                panel = panel.layer(mark(kind, marks).outside_range());
            }
        }
        panel
    }

    /// Lays a curve over a map of two parameters.
    pub(crate) fn curve(&self, mut panel: Panel, parameters: [&str; 2], position: usize) -> Panel {
        for piece in &self.pieces {
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

/// The points of a line one by one, with a break behind those after which it jumps by a tenth of its extent.
fn unjumped(line: &[(f64, f64)]) -> Vec<Line> {
    let finite = || line.iter().map(|(_, y)| *y).filter(|y| y.is_finite());
    let extent = finite().fold(f64::NEG_INFINITY, f64::max) - finite().fold(f64::INFINITY, f64::min);
    let jumps = |i: usize| line.get(i + 1).is_some_and(|next| (next.1 - line[i].1).abs() > 0.1 * extent);
    let part = |i: usize| if jumps(i) { vec![line[i], (f64::NAN, f64::NAN)] } else { vec![line[i]] };
    (0..line.len()).map(part).collect()
}

fn entries<'a>(piece: &'a Value, key: &str) -> &'a [Value] {
    piece.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn points(piece: &Value) -> &[Value] {
    entries(piece, "points")
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

/// The style of a point: stable and admissible, in the order of the styles.
fn style(point: &Value) -> usize {
    let flag = |key: &str| point.get(key).and_then(Value::as_bool).unwrap_or(true);
    match (flag("stable"), flag("admissible")) {
        (true, true) => 0,
        (false, true) => 1,
        (true, false) => 2,
        (false, false) => 3,
    }
}
