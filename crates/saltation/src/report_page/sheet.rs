//! Tables of a page: CSV files, blocks of a store and lists of an answer, as rows of numbers and words within a budget of text. What does not fit is
//! counted, and the page says which file has it.

use crate::text::number::short;
use saltation_sweep::store::Store;
use saltation_sweep::table::{Column, Frame};
use serde_json::{Map, Number, Value};
use std::path::Path;

/// The most text of one table, and of all tables of a page, in bytes.
const SHEET: usize = 4 << 20;
const PAGE: usize = 12 << 20;
/// The longest word of a cell, in characters.
const LONGEST: usize = 200;
/// Numbers are shown to this many digits; the files have all.
pub(crate) const DIGITS: usize = 10;

/// A table of a page.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sheet {
    /// Its name.
    pub name: String,
    /// What its rows are.
    pub about: String,
    /// The file or folder that holds it.
    pub file: String,
    /// The names of its columns.
    pub head: Vec<String>,
    /// Rows of numbers, words and nulls.
    pub rows: Vec<Vec<Value>>,
    /// The number of all rows, if it is known.
    pub total: Option<u64>,
    /// Whether rows were left out.
    pub cut: bool,
}

/// The text that tables may still take.
#[derive(Debug)]
pub(crate) struct Budget {
    page: usize,
    sheet: usize,
}

impl Budget {
    /// That of a page.
    pub(crate) fn new() -> Budget {
        Budget { page: PAGE, sheet: SHEET }
    }

    /// Begins another table.
    fn begin(&mut self) {
        self.sheet = SHEET.min(self.page);
    }

    /// Whether there is room for a row, which is taken.
    fn take(&mut self, row: &[Value]) -> bool {
        let size: usize = row.iter().map(size).sum::<usize>() + 2;
        if size > self.sheet {
            self.sheet = 0;
            return false;
        }
        self.sheet -= size;
        self.page -= size;
        true
    }
}

fn size(cell: &Value) -> usize {
    match cell {
        Value::String(word) => word.len() + 3,
        Value::Number(number) if number.is_f64() => 14,
        _ => 6,
    }
}

impl Sheet {
    fn new(name: &str, about: &str, file: &str, head: Vec<String>) -> Sheet {
        Sheet { name: name.to_string(), about: about.to_string(), file: file.to_string(), head, ..Sheet::default() }
    }

    /// Whether all cells of a column are numbers, as far as there are any.
    pub(crate) fn is_numeric(&self, column: usize) -> bool {
        let cells = || self.rows.iter().map(|row| &row[column]).filter(|cell| !cell.is_null());
        cells().next().is_some() && cells().all(Value::is_number)
    }

    fn push(&mut self, row: Vec<Value>, budget: &mut Budget) {
        if self.cut || !budget.take(&row) {
            self.cut = true;
        } else {
            self.rows.push(row);
        }
    }
}

/// A CSV file, as far as it fits; `see` receives the cells of every row. The note is about rows that are incomplete.
pub(crate) fn of_file(
    file: &Path,
    about: &str,
    budget: &mut Budget,
    mut see: impl FnMut(&csv::StringRecord),
) -> Result<(Sheet, Option<String>), String> {
    let name = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let shown = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_path(file).map_err(|error| error.to_string())?;
    let head: Vec<String> = reader.headers().map_err(|error| error.to_string())?.iter().map(str::to_string).collect();
    let mut sheet = Sheet::new(&name, about, &shown, head);
    budget.begin();
    let mut record = csv::StringRecord::new();
    let (mut total, mut broken) = (0, 0_u64);
    loop {
        match reader.read_record(&mut record) {
            Ok(false) => break,
            Ok(true) if record.len() == sheet.head.len() => {
                total += 1;
                see(&record);
                if sheet.cut {
                    continue;
                }
                sheet.push(record.iter().map(cell).collect(), budget);
            }
            Ok(true) => broken += 1,
            Err(error) if error.is_io_error() => return Err(error.to_string()),
            Err(_) => broken += 1,
        }
    }
    sheet.total = Some(total);
    let are = if broken == 1 { "row is" } else { "rows are" };
    let note = (broken > 0)
        .then(|| format!("{broken} {are} incomplete in {shown} and left out: the run was cut off while it wrote them"));
    Ok((sheet, note))
}

/// The cell of a text: a number, a word, or nothing.
fn cell(text: &str) -> Value {
    if text.is_empty() {
        return Value::Null;
    }
    if let Ok(count) = text.parse::<i64>() {
        return count.into();
    }
    match text.parse::<f64>() {
        Ok(x) if x.is_finite() => rounded(x),
        _ => word(text),
    }
}

/// A number to as many digits as are shown; a null if it is not finite.
fn rounded(x: f64) -> Value {
    let few: f64 = format!("{x:.*e}", DIGITS - 1).parse().unwrap_or(x);
    match few == few.trunc() && few.abs() < 1e15 {
        true => (few as i64).into(),
        false => Number::from_f64(few).map_or(Value::Null, Value::Number),
    }
}

fn word(text: &str) -> Value {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
    }
}

/// A table of a store, as far as it fits. The note is about blocks that cannot be read.
pub(crate) fn of_store(store: &Store, form: &Frame, about: &str, budget: &mut Budget) -> (Sheet, Option<String>) {
    let layout = store.layout();
    let head = form.columns.iter().map(|(name, _)| name.clone()).collect();
    let mut sheet = Sheet::new(&form.name, about, &format!("{}/*.{}", form.name, layout.format.ending()), head);
    budget.begin();
    let (mut note, mut total) = (None, 0);
    let mut blocks = layout.own().filter(|&block| store.is_done(block));
    for block in blocks.by_ref() {
        match store.read(block, &form.name) {
            Ok(frame) => {
                total += frame.rows() as u64;
                (0..frame.rows()).for_each(|k| sheet.push(row(&frame, k), budget));
            }
            Err(error) => note = note.or(Some(format!("{error}; {}", error.help()))),
        }
        if sheet.cut {
            break;
        }
    }
    // Further blocks are not read only to be counted.
    sheet.total = blocks.next().is_none().then_some(total);
    (sheet, note)
}

fn row(frame: &Frame, k: usize) -> Vec<Value> {
    let cell = |(_, column): &(String, Column)| match column {
        Column::Numbers(list) if list[k].is_finite() => rounded(list[k]),
        Column::Numbers(_) => Value::Null,
        Column::Counts(list) => list[k].into(),
        Column::Words(list) if list[k].is_empty() => Value::Null,
        Column::Words(list) => word(&list[k]),
    };
    frame.columns.iter().map(cell).collect()
}

/// A list of objects: a column for every key, those of objects within them too.
pub(crate) fn of_list(name: &str, about: &str, file: &str, list: &[Value], budget: &mut Budget) -> Sheet {
    let flat: Vec<Map<String, Value>> = list.iter().map(flattened).collect();
    let mut head: Vec<String> = vec!["#".to_string()];
    for object in &flat {
        for key in object.keys() {
            if !head.contains(key) {
                head.push(key.clone());
            }
        }
    }
    let mut sheet = Sheet::new(name, about, file, head);
    sheet.total = Some(list.len() as u64);
    budget.begin();
    for (k, mut object) in flat.into_iter().enumerate() {
        let row = sheet.head[1..].iter().map(|key| object.remove(key).unwrap_or(Value::Null));
        let row = std::iter::once(k.into()).chain(row).collect();
        sheet.push(row, budget);
    }
    sheet
}

/// The entries of an object with those of objects inside it, lists as words.
fn flattened(value: &Value) -> Map<String, Value> {
    let mut flat = Map::new();
    match value {
        Value::Object(object) => {
            for (key, value) in object {
                match value {
                    Value::Object(inner) => {
                        for (name, value) in inner {
                            flat.insert(format!("{key}: {name}"), plain(value));
                        }
                    }
                    value => {
                        flat.insert(key.clone(), plain(value));
                    }
                }
            }
        }
        Value::Array(list) => {
            for (k, value) in list.iter().enumerate() {
                flat.insert((k + 1).to_string(), plain(value));
            }
        }
        value => {
            flat.insert("value".to_string(), plain(value));
        }
    }
    flat
}

/// A value in one cell.
fn plain(value: &Value) -> Value {
    match value {
        Value::Number(number) if number.is_f64() => number.as_f64().map_or(Value::Null, rounded),
        Value::Number(_) | Value::Null => value.clone(),
        Value::Bool(flag) => (if *flag { "yes" } else { "no" }).into(),
        value => word(&in_words(value)),
    }
}

/// A value in words: lists with commas, pairs of numbers as complex numbers.
pub(crate) fn in_words(value: &Value) -> String {
    match value {
        Value::Null => "none".to_string(),
        Value::Bool(flag) => (if *flag { "yes" } else { "no" }).to_string(),
        Value::Number(number) if number.is_f64() => short(number.as_f64().unwrap_or(f64::NAN), DIGITS),
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        Value::Array(list) if list.iter().all(is_pair) => list.iter().map(complex).collect::<Vec<_>>().join(", "),
        Value::Array(list) => list.iter().map(in_words).collect::<Vec<_>>().join(", "),
        Value::Object(object) => {
            let entries = object.iter().map(|(name, value)| format!("{name} = {}", in_words(value)));
            entries.collect::<Vec<_>>().join(", ")
        }
    }
}

/// Whether a value is a pair of numbers.
pub(crate) fn is_pair(value: &Value) -> bool {
    value.as_array().is_some_and(|pair| pair.len() == 2 && pair.iter().all(|x| x.is_number() || x.is_null()))
}

fn complex(pair: &Value) -> String {
    let part = |k: usize| pair[k].as_f64().unwrap_or(f64::NAN);
    let (re, im) = (part(0), part(1));
    match im == 0.0 {
        true => short(re, 6),
        false => format!("{} {} {}i", short(re, 6), if im < 0.0 { "−" } else { "+" }, short(im.abs(), 6)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn cells_are_numbers_to_ten_digits_words_or_nothing() {
        let cells = ["", "12", "0.12345678901234567", "1e-300", "impact", "NaN", "3.0", "true"].map(cell);
        let expected = json!([null, 12, 0.123456789, 1e-300, "impact", "NaN", 3, "true"]);
        assert_eq!(Value::from(cells.to_vec()), expected);
    }

    #[test]
    fn a_table_beyond_the_budget_is_cut_and_counted() {
        let mut budget = Budget { page: 100, sheet: 0 };
        let list: Vec<Value> = (0..50).map(|k| json!({"x": f64::from(k) + 0.5, "at": {"y": 1}})).collect();
        let sheet = of_list("points", "points", "run.json", &list, &mut budget);
        assert_eq!(sheet.head, ["#", "x", "at: y"]);
        assert_eq!((sheet.rows.len(), sheet.total, sheet.cut), (3, Some(50), true));
        assert_eq!(sheet.rows[1], [json!(1), json!(1.5), json!(1)]);
        assert!(sheet.is_numeric(1));
    }

    #[test]
    fn lists_are_words() {
        assert_eq!(in_words(&json!([[0.5, -0.25], [1.0, 0.0]])), "0.5 − 0.25i, 1");
        assert_eq!(in_words(&json!({"x": 0.1, "y": null})), "x = 0.1, y = none");
        assert_eq!(in_words(&json!(["impact:wall", "stick:wall"])), "impact:wall, stick:wall");
    }
}
