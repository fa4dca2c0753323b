//! Reads the points of tables, also from files beside the model, and joins them.

use std::path::Path;
use std::sync::Arc;

use saltation_expr::parse::{is_function, is_name, nearest};
use saltation_numerics::piecewise::{Piecewise, Unfit};

use crate::beside::{self, Sort};
use crate::fingerprint::{Hash, hash};
use crate::measured::Measured;
use crate::mistake::Mistake;
use crate::point::short;
use crate::shape::{Written, count};
use crate::tables_entry::{PointsEntry, TableEntry};

/// The greatest number of points of a table.
const MOST_POINTS: usize = 4_000_000;
/// The greatest number of tables of a model.
const MOST_TABLES: usize = 64;
const CSV: Sort = Sort {
    ending: ".csv",
    what: "a table of numbers",
    short: "a table",
    instead: "write e.g. file = \"road.csv\", a text with one point in every line, or knots = [[0, 0.1], [1, 0.3]]",
    save: "save the model and its tables in one folder and read it from there, or write the points here as knots = [[0, 0.1], [1, 0.3]]",
    shorter: "take fewer points: a table joins them by polynomials",
    text: "save the file as a text of numbers separated by commas",
    longest: 256 * 1024 * 1024,
};

/// A table with its name.
pub(crate) struct Tabulated {
    pub name: Written,
    pub table: Arc<Piecewise>,
    pub file: Option<String>,
    pub units: Option<[String; 2]>,
}

impl Tabulated {
    pub(crate) fn measured(&self) -> Measured {
        let Tabulated { name, table, file, units } = self;
        Measured { name: name.text.clone(), function: Arc::clone(table), file: file.clone(), units: units.clone() }
    }
}

/// What the tables of a file are, and the files that were read.
#[derive(Default)]
pub(crate) struct Tables {
    pub list: Vec<Tabulated>,
    pub files: Vec<(String, Hash)>,
}

/// Where the points of a table are, for messages.
struct Points {
    points: Vec<[f64; 2]>,
    /// The place of every point in the model, or the line in which it stands in a file.
    lines: Lines,
}

enum Lines {
    Here(Vec<Written>),
    File { name: Written, lines: Vec<u32> },
}

impl Points {
    /// A mistake at a point.
    fn mistake(&self, at: usize, message: &str, whole: &Written) -> Mistake {
        match &self.lines {
            Lines::Here(places) => Mistake::at(places.get(at).unwrap_or(whole).span.clone(), message),
            Lines::File { name, lines } => {
                let place = lines.get(at).map_or_else(String::new, |line| format!(", line {line}"));
                Mistake::at(name.inside(), format!("`{}`{place}: {message}", name.text))
            }
        }
    }
}

/// Reads all tables.
///
/// # Errors
/// All that is wrong with them.
pub(crate) fn resolve(entries: &[TableEntry], folder: Option<&Path>) -> Result<Tables, Vec<Mistake>> {
    let mut tables = Tables::default();
    let mut mistakes = Vec::new();
    if let Some(entry) = entries.get(MOST_TABLES) {
        let message = format!("the model has {} tables and may have {MOST_TABLES} at most", entries.len());
        return Err(vec![Mistake::at(entry.name.inside(), message).help("split the model")]);
    }
    for entry in entries {
        let name = &entry.name;
        if !is_name(&name.text) || is_function(&name.text) {
            let message = format!("`{}` cannot be the name of a table", name.text);
            let help = "a name consists of letters, digits and _, begins with a letter, and is no word of the formula language";
            mistakes.push(Mistake::at(name.inside(), message).help(help));
            continue;
        }
        match table(entry, folder, &mut tables.files) {
            Ok(table) => tables.list.push(Tabulated {
                name: name.clone(),
                table: Arc::new(table),
                file: match &entry.points {
                    PointsEntry::File { file, .. } => Some(file.text.clone()),
                    PointsEntry::Here { .. } => None,
                },
                units: entry.units.as_ref().map(|[x, y]| [x.text.clone(), y.text.clone()]),
            }),
            Err(mistake) => mistakes.push(mistake),
        }
    }
    if mistakes.is_empty() { Ok(tables) } else { Err(mistakes) }
}

fn table(entry: &TableEntry, folder: Option<&Path>, files: &mut Vec<(String, Hash)>) -> Result<Piecewise, Mistake> {
    let (points, whole) = match &entry.points {
        PointsEntry::Here { points, whole } => {
            let (points, places) = points.iter().cloned().unzip();
            (Points { points, lines: Lines::Here(places) }, whole)
        }
        PointsEntry::File { file, columns } => {
            let text = beside::text(folder, file, &CSV)?;
            let points = read(&text, file, columns.as_ref())?;
            files.push((file.text.clone(), hash(&text)));
            (points, file)
        }
    };
    Piecewise::through(&points.points, entry.interpolation, entry.beyond).map_err(|unfit| {
        let at = |at: usize| points.points.get(at).copied().unwrap_or([f64::NAN; 2]);
        match unfit {
            Unfit::Few => {
                let message = format!("a table has two points or more, and this one has {}", points.points.len());
                points.mistake(usize::MAX, &message, whole).help("add points; a constant is a parameter")
            }
            Unfit::NotFinite { at } => points
                .mistake(at, "a number of a table is not finite", whole)
                .help("leave such points out: the table joins those beside them"),
            Unfit::Unordered { at: place } => {
                let ([x, _], [before, _]) = (at(place), at(place - 1));
                let message = match x == before {
                    true => format!("the argument {} stands twice", short(x)),
                    false => format!("the argument {} stands behind {}", short(x), short(before)),
                };
                points
                    .mistake(place, &message, whole)
                    .help("sort the points by their argument, each of which stands once")
            }
            Unfit::Open { ends: [first, last] } => {
                let message =
                    format!("a periodic table ends as it begins, but its first value is {first} and its last {last}");
                let help =
                    "write the first value once more at the end of the period, or beyond = \"hold\" or \"refuse\"";
                points.mistake(points.points.len().saturating_sub(1), &message, whole).help(help)
            }
            Unfit::Steep { at } => points
                .mistake(at, "this point is so close to the one before it that nothing finite joins them", whole)
                .help("leave one of the two out"),
        }
    })
}

/// The points of two columns of a text: lines of numbers separated by commas, below their names; lines that begin with # are comments.
fn read(text: &str, file: &Written, columns: Option<&[Written; 2]>) -> Result<Points, Mistake> {
    let name = &file.text;
    let at =
        |line: usize, message: String| Mistake::at(file.inside(), format!("`{name}`, line {}: {message}", line + 1));
    let mut lines = text.trim_start_matches('\u{feff}').lines().enumerate().filter(|(_, line)| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with('#')
    });
    let Some((first, header)) = lines.next() else {
        return Err(
            Mistake::at(file.inside(), format!("`{name}` is empty")).help("write one point in every line: s, z")
        );
    };
    let names: Vec<&str> = header.split(',').map(|cell| cell.trim().trim_matches('"')).collect();
    let plain = names.iter().all(|cell| cell.parse::<f64>().is_ok());
    if plain && columns.is_some() {
        let help = "write the names of the columns into its first line, or leave `columns` out to take the first two";
        return Err(at(first, "the names of the columns are missing".to_string()).help(help));
    }
    let find = |written: &Written| {
        names.iter().position(|cell| *cell == written.text).ok_or_else(|| {
            let message = format!("`{name}` has no column `{}`", written.text);
            let help = match nearest(&written.text, names.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("its columns are {}", names.join(", ")),
            };
            Mistake::at(written.inside(), message).help(help)
        })
    };
    let places = match columns {
        Some([x, y]) => [find(x)?, find(y)?],
        None => [0, 1],
    };
    let mut points = Points { points: Vec::new(), lines: Lines::File { name: file.clone(), lines: Vec::new() } };
    let rows = plain.then_some((first, header)).into_iter().chain(lines);
    for (line, row) in rows {
        if points.points.len() == MOST_POINTS {
            let message = format!("a table has {MOST_POINTS} points at most");
            return Err(at(line, message).help(CSV.shorter));
        }
        let mut cells = row.split(',');
        let mut taken = 0;
        let mut point = [f64::NAN; 2];
        // The columns may stand in either order.
        let order = if places[0] <= places[1] { [0, 1] } else { [1, 0] };
        for k in order {
            let place = places[k];
            if place < taken {
                point[k] = point[1 - k];
                continue;
            }
            let cell = cells.nth(place - taken).map(str::trim);
            taken = place + 1;
            let Some(cell) = cell else {
                let message = format!("this line has no column {}", place + 1);
                let help = format!("every line needs {}, separated by commas", count(names.len(), "number", "numbers"));
                return Err(at(line, message).help(help));
            };
            point[k] = cell.parse().map_err(|_| {
                let shown: String = cell.chars().take(40).collect();
                at(line, format!("`{shown}` is not a number"))
                    .help("numbers are written with a point, e.g. 1.5 or 2e-3")
            })?;
        }
        points.points.push(point);
        if let Lines::File { lines, .. } = &mut points.lines {
            lines.push(line as u32 + 1);
        }
    }
    Ok(points)
}
