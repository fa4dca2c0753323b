//! Reads columns of numbers from a CSV file: names in the first line; commas, semicolons or tabs between cells; a cell without a number was not measured.

use crate::error::{Error, Refusal};
use crate::simulation::answer::Columns;
use crate::text::cut;
use std::path::Path;

/// The largest file, in bytes.
const LONGEST: u64 = 1 << 30;
/// What stands in a cell that holds no number.
const NOTHING: [&str; 5] = ["", "nan", "na", "null", "-"];
/// What some programs write before the first letter of a text.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// The columns of a file.
///
/// # Errors
/// A file that cannot be read, a cell that is no number, a line of another length, and columns without a name or of one name.
pub fn read(path: &Path) -> Result<Columns, Error> {
    let wrong = |message: String, help: &str| Error::from(Refusal::new("data", message, help));
    let shown = path.display().to_string();
    let shown = cut(&shown);
    let unread = |error: std::io::Error| {
        let help = "give a CSV file with the names of its columns in the first line";
        wrong(format!("`{shown}` cannot be read: {error}"), help)
    };
    if std::fs::metadata(path).map_err(unread)?.len() > LONGEST {
        return Err(wrong(format!("`{shown}` has more than a gigabyte"), "leave out rows or columns"));
    }
    let text = std::fs::read_to_string(path).map_err(unread)?;
    columns(&text).map_err(|(message, help)| wrong(format!("`{shown}`: {message}"), help))
}

/// The columns of the text of a file.
///
/// ```
/// let columns = saltation::fit::parse("time,x\n0,1.5\n0.1,\n")?;
/// assert_eq!(columns.get("time"), Some(&[0.0, 0.1][..]));
/// # Ok::<(), saltation::Error>(())
/// ```
///
/// # Errors
/// As [`read`].
pub fn parse(text: &str) -> Result<Columns, Error> {
    columns(text).map_err(|(message, help)| Refusal::new("data", message, help).into())
}

/// The columns of a text.
fn columns(text: &str) -> Result<Columns, (String, &'static str)> {
    let text = text.trim_start_matches(BYTE_ORDER_MARK);
    let head = text.lines().find(|line| !line.trim().is_empty() && !line.starts_with('#')).unwrap_or("");
    let between = [',', ';', '\t'].into_iter().max_by_key(|sign| head.matches(*sign).count()).unwrap_or(',');
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(between as u8)
        .comment(Some(b'#'))
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let unread = |error: csv::Error| {
        (error.to_string(), "every line has a cell for every column, with the same sign between cells")
    };
    let names: Vec<String> = reader.headers().map_err(unread)?.iter().map(str::to_string).collect();
    if names.iter().all(|name| name.parse::<f64>().is_ok()) {
        return Err((
            "the first line holds no names".to_string(),
            "write the names of the columns in the first line, such as time,x",
        ));
    }
    if let Some(twice) = names.iter().enumerate().find(|(k, name)| names[..*k].contains(name)) {
        return Err((format!("two columns are called `{}`", cut(twice.1)), "give every column a name of its own"));
    }
    let mut columns: Vec<(String, Vec<f64>)> = names.into_iter().map(|name| (name, Vec::new())).collect();
    for record in reader.records() {
        let record = record.map_err(unread)?;
        let line = record.position().map_or(0, csv::Position::line);
        for (cell, (name, column)) in record.iter().zip(&mut columns) {
            let number = match cell.parse::<f64>() {
                Ok(number) => number,
                Err(_) if NOTHING.contains(&cell.to_lowercase().as_str()) => f64::NAN,
                Err(_) => {
                    let message = format!("`{}` in line {line}, column `{}`, is not a number", cut(cell), cut(name));
                    return Err((
                        message,
                        "write numbers with a point, and leave cells empty where nothing was measured",
                    ));
                }
            };
            column.push(number);
        }
    }
    Ok(Columns(columns))
}

#[cfg(test)]
mod tests {
    use super::columns;

    #[test]
    fn numbers_are_read_and_what_is_none_is_told() {
        let found = columns("\u{feff}time; x\n# a remark\n0;1.5\n1e-1;\n0.2;NaN\n").unwrap();
        assert_eq!(found.get("time"), Some(&[0.0, 0.1, 0.2][..]));
        let x = found.get("x").unwrap();
        assert!(x[0] == 1.5 && x[1].is_nan() && x[2].is_nan());
        for (text, part) in [
            ("time,x\n0,1,2\n", "line"),
            ("time,x\n0,one\n", "`one` in line 2, column `x`"),
            ("time,time\n0,1\n", "two columns"),
            ("0,1\n0,1\n", "no names"),
        ] {
            let (message, _) = columns(text).unwrap_err();
            assert!(message.contains(part), "{text}: {message}");
        }
    }
}
