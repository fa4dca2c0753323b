//! The report of a fit: estimates with standard errors and correlations, columns with their residuals, searches; and its tables.

use crate::fit::Fitted;
use crate::fit::answer::Column;
use crate::table::{Cell, Table};
use crate::text::columns::{self, Row, Side};
use crate::text::number::{self, short};
use saltation_numerics::elementary;

/// Residuals whose mean square is farther from 1 than this many of its standard deviations do not have the noise that was given.
const UNLIKELY: f64 = 5.0;
/// The largest number of times that are listed.
const MOST_LISTED: usize = 8;

/// The whole report.
pub(crate) fn lines(fitted: &Fitted) -> Vec<String> {
    let (system, request) = (&fitted.system, &fitted.request);
    let mut lines = vec![system.headline()];
    let changed = system.changed();
    if !changed.is_empty() {
        lines.push(format!("with     {}", changed.join(", ")));
    }
    let names: Vec<&str> = fitted.columns.iter().map(|column| column.name.as_str()).collect();
    if !names.is_empty() {
        lines.push(format!(
            "data     {} of {}, up to t = {}",
            number::count(fitted.residuals.time.len() as u64, "number"),
            names.join(", "),
            short(fitted.until, 6)
        ));
    }
    lines.push(format!("free     {}", request.free.join(", ")));
    lines.push(format!("tol      {:e}", request.tol));
    lines.push(String::new());
    lines.extend(estimates(fitted));
    lines.extend(correlations(fitted));
    for direction in &fitted.undetermined {
        let parts: Vec<String> = direction
            .iter()
            .filter(|(_, part)| part.abs() > 1e-3)
            .map(|(name, part)| format!("{} {name}", short(part, 3)))
            .collect();
        lines.push(format!(
            "not determined: the direction {} (in units of ranges or values)",
            parts.join(" + ").replace("+ -", "- ")
        ));
    }
    if !fitted.columns.is_empty() {
        lines.push(String::new());
        lines.extend(residuals(fitted));
        lines.push(chi_squared(fitted));
        fitted.columns.iter().for_each(|column| lines.extend(left_out(column)));
        fitted.columns.iter().for_each(|column| lines.extend(unmatched(column)));
    }
    lines.push(String::new());
    lines.push(format!("{}: {}", fitted.ended.replace('_', " "), fitted.message));
    if fitted.starts.len() > 1 {
        let same = fitted.starts.iter().filter(|start| start.at_best).count();
        lines.push(format!("{same} of {} starts end here", fitted.starts.len()));
    }
    lines.push(format!(
        "{}, {}, {} s of computing",
        number::count(fitted.steps as u64, "step"),
        match fitted.trajectories {
            1 => "1 trajectory".to_string(),
            count => format!("{count} trajectories"),
        },
        short(fitted.wall_time.as_secs_f64(), 3)
    ));
    lines
}

fn estimates(fitted: &Fitted) -> Vec<String> {
    let row = |one: &crate::fit::answer::Estimate| {
        // As many digits as the standard error leaves, and two more.
        let digits = match one.standard_error {
            error if error.is_finite() && error > 0.0 && one.value != 0.0 => {
                (elementary::ln((one.value / error).abs()) / std::f64::consts::LN_10).ceil().clamp(1.0, 14.0) as usize
                    + 2
            }
            _ => 8,
        };
        let error = match (one.standard_error.is_finite(), one.at_bound) {
            (true, _) => format!("± {}", short(one.standard_error, 2)),
            (_, true) => "at its bound".to_string(),
            _ if one.identifiable => "not known: as many numbers as unknowns".to_string(),
            _ => "not determined".to_string(),
        };
        let bounds = one.bounds.map_or(String::new(), |[low, high]| format!("{}:{}", short(low, 6), short(high, 6)));
        Row::Cells(vec![one.name.clone(), short(one.value, digits), error, short(one.start, 6), bounds])
    };
    let head = [
        ("", Side::Left),
        ("estimate", Side::Left),
        ("standard error", Side::Left),
        ("start", Side::Left),
        ("bounds", Side::Left),
    ];
    columns::lines(&head, &fitted.estimates.iter().map(row).collect::<Vec<_>>())
}

/// The correlations that are large enough to matter.
fn correlations(fitted: &Fitted) -> Vec<String> {
    let n = fitted.estimates.len();
    let pairs = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
    let known = pairs.filter_map(|(i, j)| Some((i, j, fitted.correlations[i][j].filter(|c| c.abs() >= 0.5)?)));
    let texts: Vec<String> = known
        .map(|(i, j, c)| format!("{} and {} {}", fitted.estimates[i].name, fitted.estimates[j].name, short(c, 3)))
        .collect();
    if texts.is_empty() { Vec::new() } else { vec![format!("correlations {}", texts.join(", "))] }
}

fn residuals(fitted: &Fitted) -> Vec<String> {
    let row = |column: &Column| {
        let sigma = match (column.estimated, column.sigma.is_finite()) {
            (true, true) => format!("{} (estimated)", short(column.sigma, 3)),
            (true, false) => "not known".to_string(),
            (false, _) => short(column.sigma, 3),
        };
        Row::Cells(vec![column.name.clone(), column.count.to_string(), sigma, short(column.rms, 3)])
    };
    let head = [("column", Side::Left), ("numbers", Side::Right), ("sigma", Side::Left), ("rms residual", Side::Left)];
    columns::lines(&head, &fitted.columns.iter().map(row).collect::<Vec<_>>())
}

/// The sum of squares, or why there is none.
fn chi_squared(fitted: &Fitted) -> String {
    let free = fitted.degrees_of_freedom.max(0);
    if fitted.chi_squared.is_finite() {
        let degrees = if free == 1 { "degree" } else { "degrees" };
        return format!("chi-squared {} with {free} {degrees} of freedom", short(fitted.chi_squared, 5));
    }
    let numbers = number::count(fitted.residuals.time.len() as u64, "number");
    format!("nothing is left to estimate sigma with: {numbers}, of which the estimates take all")
}

/// Cells that were not compared, because they hold no finite number.
fn left_out(column: &Column) -> Vec<String> {
    let of = |count: usize, what: &str| {
        let cells = number::count(count as u64, "cell");
        (count > 0).then(|| format!("{}: {cells} left out, {what}", column.name))
    };
    let empty = of(column.not_measured, "without a number: not measured");
    empty.into_iter().chain(of(column.infinite, "infinite")).collect()
}

/// Events that one side lacks.
fn unmatched(column: &Column) -> Vec<String> {
    let list = |times: &[f64]| {
        let mut texts: Vec<String> = times.iter().take(MOST_LISTED).map(|time| short(*time, 6)).collect();
        if times.len() > MOST_LISTED {
            texts.push("..".to_string());
        }
        texts.join(", ")
    };
    let mut lines = Vec::new();
    if !column.missing.is_empty() {
        lines.push(format!(
            "{}: {} measured that the model does not have, at {}",
            column.name,
            column.missing.len(),
            list(&column.missing)
        ));
    }
    if !column.extra.is_empty() {
        lines.push(format!(
            "{}: {} of the model that were not measured, at {}",
            column.name,
            column.extra.len(),
            list(&column.extra)
        ));
    }
    lines
}

/// What a reader of the estimates must know.
pub(crate) fn warnings(fitted: &Fitted) -> Vec<String> {
    let mut list = Vec::new();
    let free = fitted.degrees_of_freedom as f64;
    let given = !fitted.columns.is_empty() && fitted.columns.iter().all(|column| !column.estimated);
    if given && free > 0.0 && (fitted.chi_squared / free - 1.0).abs() > UNLIKELY * (2.0 / free).sqrt() {
        let how = if fitted.chi_squared > free { "larger" } else { "smaller" };
        list.push(format!(
            "residuals are {how} than their standard deviations say (chi-squared {} with {} degrees of freedom): the noise or the model is another",
            short(fitted.chi_squared, 4),
            fitted.degrees_of_freedom
        ));
    }
    list
}

/// The tables: estimates, all numbers that were compared, and the fitted trajectory where columns were sampled.
pub(crate) fn tables(fitted: &Fitted) -> Vec<Table> {
    let texts = |names: &[&str]| names.iter().map(|name| (*name).to_string()).collect::<Vec<String>>();
    let estimates = fitted.estimates.iter().map(|one| {
        let [low, high] = one.bounds.map_or([Cell::Empty, Cell::Empty], |bounds| bounds.map(Cell::from));
        vec![
            Cell::Word(one.name.clone()),
            one.value.into(),
            one.standard_error.into(),
            one.start.into(),
            low,
            high,
            one.at_bound.into(),
            one.identifiable.into(),
        ]
    });
    let r = &fitted.residuals;
    let row = |i: usize| {
        let residual = r.model[i] - r.measured[i];
        vec![
            Cell::Word(r.column[i].clone()),
            r.time[i].into(),
            r.measured[i].into(),
            r.model[i].into(),
            residual.into(),
            r.sigma[i].into(),
        ]
    };
    let trajectory = fitted.trajectory().map(|columns| Table { name: "trajectory", ..columns.table() });
    let tables = vec![
        Table {
            name: "estimates",
            head: texts(&["name", "value", "standard_error", "start", "lower", "upper", "at_bound", "identifiable"]),
            rows: estimates.collect(),
        },
        Table {
            name: "residuals",
            head: texts(&["column", "time", "measured", "model", "residual", "sigma"]),
            rows: (0..r.time.len()).map(row).collect(),
        },
    ];
    tables.into_iter().chain(trajectory).collect()
}
