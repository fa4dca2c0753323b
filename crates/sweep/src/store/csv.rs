//! Tables as CSV with all digits: shortest decimals that give the same number, NaN as an empty field, infinities as `inf`.

use crate::store::disk::Tail;
use crate::table::{Column, Frame};

/// The fault of a file that does not end with its last line.
const CUT: &str = "its last line is cut";

/// The bytes of a table.
pub(super) fn encode(frame: &Frame) -> Result<Vec<u8>, String> {
    let mut file = csv::Writer::from_writer(Vec::new());
    let write = |row: Vec<String>, file: &mut csv::Writer<Vec<u8>>| file.write_record(row).map_err(|e| e.to_string());
    write(frame.columns.iter().map(|(name, _)| name.clone()).collect(), &mut file)?;
    for row in 0..frame.rows() {
        write(frame.columns.iter().map(|(_, column)| field(column, row)).collect(), &mut file)?;
    }
    file.into_inner().map_err(|error| error.to_string())
}

/// One entry. Numbers have a point or an exponent, so that readers never take their column for whole numbers.
fn field(column: &Column, row: usize) -> String {
    match column {
        Column::Numbers(entries) if entries[row].is_nan() => String::new(),
        Column::Numbers(entries) => format!("{:?}", entries[row]),
        Column::Counts(entries) => entries[row].to_string(),
        Column::Words(entries) => entries[row].clone(),
    }
}

/// The table in these bytes, with the names and kinds of `form`.
pub(super) fn decode(bytes: &[u8], form: &Frame) -> Result<Frame, String> {
    if !bytes.ends_with(b"\n") {
        return Err(CUT.to_string());
    }
    let mut file = csv::Reader::from_reader(bytes);
    let head = file.headers().map_err(|error| error.to_string())?;
    if !head.iter().eq(form.columns.iter().map(|(name, _)| name.as_str())) {
        return Err("its columns have other names".to_string());
    }
    let mut frame = form.emptied();
    let mut row = csv::StringRecord::new();
    while file.read_record(&mut row).map_err(|error| error.to_string())? {
        for ((name, column), text) in frame.columns.iter_mut().zip(&row) {
            push(column, text).ok_or_else(|| format!("`{text}` in its column `{name}` is not a number"))?;
        }
    }
    Ok(frame)
}

/// Adds one entry; nothing if the text is not of the kind of the column.
fn push(column: &mut Column, text: &str) -> Option<()> {
    match column {
        Column::Numbers(entries) if text.is_empty() => entries.push(f64::NAN),
        Column::Numbers(entries) => entries.push(text.parse().ok()?),
        Column::Counts(entries) => entries.push(text.parse().ok()?),
        Column::Words(entries) => entries.push(text.to_string()),
    }
    Some(())
}

/// Whether the end of a file is that of a whole one: its last line is complete. A file that is no longer than its end is read.
pub(super) fn intact(tail: &Tail, form: &Frame) -> Result<(), String> {
    match tail.bytes.len() as u64 == tail.length {
        true => decode(&tail.bytes, form).map(drop),
        false if tail.bytes.ends_with(b"\n") => Ok(()),
        false => Err(CUT.to_string()),
    }
}
