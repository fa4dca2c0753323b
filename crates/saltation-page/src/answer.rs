//! An answer as data for the page: what the command prints, with its report, its tables by name, and how it is asked again.

use crate::memory::StoredAnswer;
use crate::reply::Fault;
use crate::stream::value;
use hyper::StatusCode;
use saltation::registry::{Fields, Found};
use saltation::session::{Export, Session, SessionModel};
use saltation::{Cell, Ending, Table};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Beyond this number records are left to tables.
const MOST_RECORDS: usize = 20_000;

/// The answer without records that are too many for a text; they stay in its tables.
pub(crate) fn lightened(mut found: Found) -> Found {
    if let Found::Sweep(swept) = &mut found
        && swept.answer.records.len() > MOST_RECORDS
    {
        swept.answer.records = Vec::new();
    }
    found
}

/// The event that ends a computation. `chain` are the requests that it begins at, the furthest first, and its own.
pub(crate) fn event(kept: &StoredAnswer, chain: &[Arc<StoredAnswer>]) -> Value {
    let answered = kept.answered();
    let Ending { complete, lines } = answered.ending();
    let parsed = |text: String| serde_json::from_str::<Value>(&text).unwrap_or_default();
    let table = |table: &Table| json!({ "name": table.name, "head": table.head, "rows": table.rows.len() });
    let export = export(kept, chain);
    json!({
        "id": kept.entry.id,
        "question": kept.entry.question,
        "answer": parsed(answered.json()),
        "request": parsed(kept.found.request()),
        "report": answered.report(),
        "ending": { "complete": complete, "lines": lines },
        "missing": kept.found.missing(),
        "warnings": answered.warnings(),
        "seconds": answered.wall_time().as_secs_f64(),
        "tables": kept.tables().iter().map(table).collect::<Vec<_>>(),
        "command": export.as_ref().map(|export| export.command.clone()).unwrap_or_default(),
        "python": export.map(|export| export.python).unwrap_or_default(),
    })
}

fn export(kept: &StoredAnswer, chain: &[Arc<StoredAnswer>]) -> Option<Export> {
    let model = kept.found.system().model();
    let model = SessionModel { name: model.name.clone(), text: Some(kept.text.to_string()) };
    let requests = chain.iter().map(|kept| kept.entry.clone()).chain([kept.entry.clone()]).collect();
    Session { format: 1, model, requests, view: Value::Null }.export(&kept.entry.id)
}

fn no_table(name: &str) -> Fault {
    let message = format!("the answer has no table `{}`", saltation::cut(name));
    Fault::new(StatusCode::BAD_REQUEST, &message, "its tables are listed with it")
}

/// Some columns of a table.
fn columns<'k>(kept: &'k StoredAnswer, table: &str, names: &[String]) -> Result<(&'k Table, Vec<usize>), Fault> {
    let table = kept.tables().iter().find(|known| known.name == table).ok_or_else(|| no_table(table))?;
    let place = |name: &String| {
        table.head.iter().position(|known| known == name).ok_or_else(|| {
            let message = format!("the table {} has no column `{}`", table.name, saltation::cut(name));
            Fault::new(StatusCode::BAD_REQUEST, &message, "its columns are listed with it")
        })
    };
    let places = match names {
        [] => (0..table.head.len()).collect(),
        names => names.iter().map(place).collect::<Result<_, _>>()?,
    };
    Ok((table, places))
}

/// Columns of a table as JSON.
pub(crate) fn rows(kept: &StoredAnswer, table: &str, names: &[String]) -> Result<Value, Fault> {
    let (table, places) = columns(kept, table, names)?;
    let column = |&place: &usize| table.rows.iter().map(|row| value(row[place].clone())).collect::<Vec<Value>>();
    let head: Vec<&String> = places.iter().map(|&place| &table.head[place]).collect();
    Ok(json!({ "head": head, "columns": places.iter().map(column).collect::<Vec<_>>() }))
}

/// Columns of a table as numbers of eight bytes, the least first; NaN where there is none.
pub(crate) fn numbers(kept: &StoredAnswer, table: &str, names: &[String]) -> Result<Vec<u8>, Fault> {
    let (table, places) = columns(kept, table, names)?;
    let number = |cell: &Cell| match cell {
        Cell::Number(x) => *x,
        Cell::Count(n) => *n as f64,
        Cell::Flag(flag) => f64::from(u8::from(*flag)),
        Cell::Word(_) | Cell::Empty => f64::NAN,
    };
    let of = |&place: &usize| table.rows.iter().flat_map(move |row| number(&row[place]).to_le_bytes());
    Ok(places.iter().flat_map(of).collect())
}

/// Quantities of a motion over time.
pub(crate) fn curves(kept: &StoredAnswer, names: &[String], between: Option<(f64, f64)>) -> Result<Value, Fault> {
    let curves = match &kept.found {
        Found::Simulation(run) => run.curves(names, between)?,
        _ => None,
    };
    Ok(serde_json::to_value(curves.ok_or_else(no_path)?)?)
}

/// The mechanism at some times of a motion.
pub(crate) fn frames(kept: &StoredAnswer, times: &[f64]) -> Result<Value, Fault> {
    let found = match &kept.found {
        Found::Simulation(run) => run.sketch_frames(times)?,
        _ => None,
    };
    let (times, frames) = found.ok_or_else(no_path)?;
    let rows = |list: &[f64], width: usize| match width {
        0 => vec![Vec::new(); frames.count],
        width => list.chunks(width).map(<[f64]>::to_vec).collect::<Vec<Vec<f64>>>(),
    };
    let (shape, discs) = (frames.shape(), frames.shape().discs.len());
    let bounds = frames.bounds.map(|bounds| [bounds.left, bounds.bottom, bounds.right, bounds.top]);
    Ok(json!({
        "shape": shape,
        "frames": {
            "times": times,
            "points": rows(&frames.points, 2 * shape.points.len()),
            "radii": rows(&frames.radii, discs),
            "turns": rows(&frames.turns, discs),
            "bounds": bounds,
        },
    }))
}

fn no_path() -> Fault {
    let help = "ask `simulate` with `path`, which keeps it";
    Fault::new(StatusCode::BAD_REQUEST, "the answer has no path of a trajectory", help)
}

/// The picture of the library: its type and its bytes.
pub(crate) fn figure(
    kept: &StoredAnswer,
    format: &str,
    how: Map<String, Value>,
) -> Result<(&'static str, Vec<u8>), Fault> {
    let how: Fields = how.into_iter().map(|(name, value)| (name, value.into())).collect();
    let none =
        || Fault::new(StatusCode::BAD_REQUEST, "this answer has no picture", "look at its tables and its report");
    let figure = kept.found.figure(how)?.ok_or_else(none)?;
    let drawn = |error: &dyn std::fmt::Display| {
        Fault::new(StatusCode::BAD_REQUEST, &format!("the picture cannot be made: {error}"), "ask for another format")
    };
    match format {
        "svg" => Ok(("image/svg+xml", figure.to_svg().into_bytes())),
        "png" => Ok(("image/png", figure.to_png(2.0).map_err(|error| drawn(&error))?)),
        "pdf" => Ok(("application/pdf", figure.to_pdf())),
        _ => Err(drawn(&"the formats are svg, png and pdf")),
    }
}
