//! Sparse matrices as lists of entries, read from and written to Matrix Market texts.
//!
//! The format is that of Boisvert, Pozo & Remington, The Matrix Market Exchange Formats: Initial Design, NISTIR 5935
//! (1996): a banner `%%MatrixMarket matrix coordinate real symmetric`, comments that begin with `%`, a line of sizes, and
//! the entries, by row and column (`coordinate`) or all of them column after column (`array`). Of a symmetric matrix the lower
//! triangle is written. Indices count from 1 in the text and from 0 in [`Coordinates`].

use std::fmt::Write;

use crate::dense::Matrix;

/// The largest number of rows or columns of a matrix that is read.
pub const MOST_ROWS: usize = 20_000;
/// The most entries that a text may have.
pub const MOST_ENTRIES: usize = 20_000_000;

/// A matrix by its nonzero entries (row, column, value), both halves of a symmetric one written out; sorted by column
/// then row, each place once.
///
/// ```
/// use saltation_numerics::matrix_market::{read, write};
///
/// let text = "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 0.5\n2 1 -1\n";
/// let matrix = read(text).unwrap();
/// assert_eq!(matrix.entries, [(0, 0, 0.5), (1, 0, -1.0), (0, 1, -1.0)]);
/// assert_eq!(read(&write(&matrix, true)).unwrap(), matrix);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Coordinates {
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub columns: usize,
    /// The entries, indices from 0.
    pub entries: Vec<(usize, usize, f64)>,
}

/// The reason for which a text is not a readable matrix.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct MatrixMarketError {
    /// The line of the text, from 1.
    pub line: usize,
    /// What is wrong, without a full stop.
    pub message: String,
    /// The help.
    pub help: String,
}

fn wrong<T>(line: usize, message: impl Into<String>, help: impl Into<String>) -> Result<T, MatrixMarketError> {
    Err(MatrixMarketError { line, message: message.into(), help: help.into() })
}

/// A number of entries in words.
fn entries(count: usize) -> String {
    format!("{count} {}", if count == 1 { "entry" } else { "entries" })
}

/// A part of a text as messages show it.
fn shown(text: &str) -> String {
    let clean = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    let short: String = text.chars().take(40).map(clean).collect();
    if text.chars().count() > 40 { short + "…" } else { short }
}

impl Coordinates {
    /// The matrix with these entries, in any order: those of one place are added in the order given, and zeros are left out.
    ///
    /// Indices beyond the shape panic, as for slices.
    pub fn new(rows: usize, columns: usize, mut entries: Vec<(usize, usize, f64)>) -> Coordinates {
        let outside = entries.iter().find(|(i, j, _)| *i >= rows || *j >= columns);
        assert!(outside.is_none(), "entry {outside:?} of {rows} by {columns}");
        // A stable sort keeps the order of the summands.
        entries.sort_by_key(|&(i, j, _)| (j, i));
        entries.dedup_by(|next, first| {
            let same = (next.0, next.1) == (first.0, first.1);
            if same {
                first.2 += next.2;
            }
            same
        });
        entries.retain(|entry| entry.2 != 0.0);
        Coordinates { rows, columns, entries }
    }

    /// The square matrix with this diagonal and zeros elsewhere.
    pub fn diagonal(diagonal: &[f64]) -> Coordinates {
        let entries = diagonal.iter().enumerate().map(|(i, &d)| (i, i, d)).collect();
        Coordinates::new(diagonal.len(), diagonal.len(), entries)
    }

    /// All entries, zeros too.
    pub fn dense(&self) -> Matrix {
        let mut matrix = Matrix::zeros(self.rows, self.columns);
        for &(i, j, a) in &self.entries {
            matrix[(i, j)] = a;
        }
        matrix
    }

    /// The entry at row i and column j; 0 where none is stored.
    pub fn entry(&self, i: usize, j: usize) -> f64 {
        let found = self.entries.binary_search_by_key(&(j, i), |&(i, j, _)| (j, i));
        found.map_or(0.0, |k| self.entries[k].2)
    }

    /// The first place (row, column) below the diagonal whose entry differs from that of the mirrored place; `None` for a symmetric
    /// matrix, and (0, 0) for one that is not square.
    ///
    /// Entries a_ij and a_ji are equal up to `relative` times the largest of |a_ij|, |a_ji| and sqrt |a_ii a_jj|, so that the answer
    /// does not change with the units of the rows.
    pub fn is_symmetric(&self, relative: f64) -> Option<(usize, usize)> {
        if self.rows != self.columns {
            return Some((0, 0));
        }
        let diagonal: Vec<f64> = (0..self.rows).map(|i| self.entry(i, i).abs().sqrt()).collect();
        let differs = |&&(i, j, a): &&(usize, usize, f64)| {
            let mirrored = self.entry(j, i);
            let size = a.abs().max(mirrored.abs()).max(diagonal[i] * diagonal[j]);
            (a - mirrored).abs() > relative * size
        };
        self.entries.iter().filter(differs).map(|&(i, j, _)| (i.max(j), i.min(j))).min_by_key(|&(i, j)| (j, i))
    }

    /// The mean of a square matrix and its transpose: exactly symmetric. One that is not square panics.
    pub fn symmetrised(&self) -> Coordinates {
        let halves = self.entries.iter().flat_map(|&(i, j, a)| [(i, j, 0.5 * a), (j, i, 0.5 * a)]);
        Coordinates::new(self.rows, self.columns, halves.collect())
    }

    /// The product with a vector, whose length must be the number of columns; another one panics.
    pub fn times(&self, x: &[f64]) -> Vec<f64> {
        assert_eq!(x.len(), self.columns, "the length of the vector");
        let mut product = vec![0.0; self.rows];
        for &(i, j, a) in &self.entries {
            product[i] += a * x[j];
        }
        product
    }

    /// The entries (column, value) of every row, columns rising.
    pub fn by_rows(&self) -> Vec<Vec<(usize, f64)>> {
        let mut rows = vec![Vec::new(); self.rows];
        for &(i, j, a) in &self.entries {
            rows[i].push((j, a));
        }
        rows
    }
}

/// The contents of the banner.
struct Banner {
    array: bool,
    integer: bool,
    symmetric: bool,
}

const READ: &str =
    "what is read: `%%MatrixMarket matrix`, then coordinate or array, real or integer, general or symmetric";

fn banner(text: Option<&str>) -> Result<Banner, MatrixMarketError> {
    let Some(text) = text.filter(|text| !text.trim().is_empty()) else {
        return wrong(1, "the file does not begin with the banner of a Matrix Market file", READ);
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    if words.first() != Some(&"%%matrixmarket") {
        return wrong(1, "the file does not begin with the banner of a Matrix Market file", READ);
    }
    let word = |place: usize, what: &str, known: &[&str]| -> Result<usize, MatrixMarketError> {
        let Some(word) = words.get(place) else {
            return wrong(1, format!("the banner ends before it names the {what}"), READ);
        };
        match known.iter().position(|known| known == word) {
            Some(index) => Ok(index),
            None => wrong(1, format!("a matrix whose {what} is `{}` is not read", shown(word)), READ),
        }
    };
    word(1, "object", &["matrix"])?;
    let banner = Banner {
        array: word(2, "format", &["coordinate", "array"])? == 1,
        integer: word(3, "field", &["real", "integer"])? == 1,
        symmetric: word(4, "symmetry", &["general", "symmetric"])? == 1,
    };
    match words.get(5) {
        None => Ok(banner),
        Some(more) => wrong(1, format!("the banner has a word too many, `{}`", shown(more)), READ),
    }
}

/// The numbers of the line of sizes.
fn sizes(line: usize, text: &str, banner: &Banner) -> Result<(usize, usize, usize), MatrixMarketError> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let (wanted, help) = match banner.array {
        true => (2, "an array begins with a line of two numbers: rows and columns"),
        false => (3, "coordinates begin with a line of three numbers: rows, columns and how many entries follow"),
    };
    if words.len() != wanted {
        return wrong(line, format!("`{}` is no line of sizes", shown(text.trim())), help);
    }
    let mut numbers = [0_usize; 3];
    for (number, word) in numbers.iter_mut().zip(&words) {
        match word.parse::<usize>() {
            Ok(value) => *number = value,
            Err(_) if !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit()) => *number = usize::MAX,
            Err(_) => return wrong(line, format!("`{}` is not a whole number", shown(word)), help),
        }
    }
    let [rows, columns, count] = numbers;
    let most = format!("a matrix may have {MOST_ROWS} rows and columns and {MOST_ENTRIES} entries at most");
    if rows == 0 || columns == 0 {
        return wrong(
            line,
            format!("a matrix of {rows} rows and {columns} columns is empty"),
            "give at least one of each",
        );
    }
    if rows > MOST_ROWS || columns > MOST_ROWS {
        return wrong(line, format!("the matrix is too large: {} rows and {} columns", words[0], words[1]), most);
    }
    if banner.symmetric && rows != columns {
        let message = format!("a symmetric matrix is square, but this one has {rows} rows and {columns} columns");
        return wrong(line, message, "correct the sizes, or write general in place of symmetric in the banner");
    }
    let stored = match (banner.array, banner.symmetric) {
        (false, _) => count,
        (true, true) => rows * (rows + 1) / 2,
        (true, false) => rows * columns,
    };
    if stored > MOST_ENTRIES {
        let count = if banner.array { stored.to_string() } else { words[2].to_string() };
        return wrong(line, format!("the matrix is too large: {count} entries"), most);
    }
    Ok((rows, columns, stored))
}

/// A number, also with the exponent of Fortran's double precision, as in 2.0D-3.
fn real(word: &str) -> Option<f64> {
    word.parse().ok().or_else(|| {
        let (mantissa, exponent) = word.split_once(['D', 'd'])?;
        format!("{mantissa}e{exponent}").parse().ok()
    })
}

fn value(line: usize, word: &str, integer: bool) -> Result<f64, MatrixMarketError> {
    let number = if integer { word.parse::<i64>().map(|whole| whole as f64).ok() } else { real(word) };
    match number {
        Some(number) if number.is_finite() => Ok(number),
        Some(_) => {
            wrong(line, format!("`{}` is not a finite number", shown(word)), "write an ordinary number such as -0.25")
        }
        None if integer => {
            let help = "write a whole number, or real in place of integer in the banner";
            wrong(line, format!("`{}` is not a whole number that can be held", shown(word)), help)
        }
        None => wrong(line, format!("`{}` is not a number", shown(word)), "write an ordinary number such as -0.25"),
    }
}

fn index(line: usize, word: &str, most: usize, what: &str) -> Result<usize, MatrixMarketError> {
    match word.parse::<usize>() {
        Ok(index) if (1..=most).contains(&index) => Ok(index - 1),
        Ok(_) => wrong(line, format!("there is no {what} {}", shown(word)), format!("{what}s count from 1 to {most}")),
        Err(_) => wrong(
            line,
            format!("`{}` is no number of a {what}", shown(word)),
            format!("{what}s count from 1 to {most}"),
        ),
    }
}

/// The matrix of a Matrix Market text; entries given twice are added.
///
/// # Errors
/// The first line at which the text is not a matrix of a supported kind; unsupported are complex, pattern, Hermitian and skew-symmetric ones, more
/// than [`MOST_ROWS`] rows or columns or [`MOST_ENTRIES`] entries, numbers that are not finite.
pub fn read(text: &str) -> Result<Coordinates, MatrixMarketError> {
    let mut lines = text.lines().zip(1..);
    let banner = banner(lines.next().map(|(first, _)| first))?;
    let last = text.lines().count().max(1);
    let mut lines = lines.filter(|(text, _)| !text.trim().is_empty() && !text.trim_start().starts_with('%'));
    let Some((first, line)) = lines.next() else {
        return wrong(
            last,
            "the file ends before the line of sizes",
            "add the numbers of rows and columns below the banner",
        );
    };
    let (rows, columns, count) = sizes(line, first, &banner)?;
    // Memory is allocated for entries that are read, not for the announced number.
    let mut list: Vec<(usize, usize, f64)> = Vec::with_capacity(count.min(text.len()));
    let mut given = 0;
    let (mut i, mut j) = (0, 0);
    for (text, line) in lines {
        let mut words = text.split_whitespace();
        let mut next = |what: &str| match words.next() {
            Some(word) => Ok(word),
            None => wrong(line, format!("the entry has no {what}"), "an entry is: row, column, value"),
        };
        if given == count {
            let help = "remove the lines that are too many, or correct the line of sizes";
            return wrong(line, format!("the file says that it has {}, and here is one more", entries(count)), help);
        }
        if banner.array {
            // Several values may share a line.
            for word in text.split_whitespace() {
                if given == count {
                    let help = "remove the numbers that are too many, or correct the line of sizes";
                    return wrong(line, format!("the array has {}, and here is one more", entries(count)), help);
                }
                let a = value(line, word, banner.integer)?;
                list.push((i, j, a));
                if banner.symmetric && i != j {
                    list.push((j, i, a));
                }
                given += 1;
                i += 1;
                if i == rows {
                    j += 1;
                    i = if banner.symmetric { j } else { 0 };
                }
            }
            continue;
        }
        let i = index(line, next("row")?, rows, "row")?;
        let j = index(line, next("column")?, columns, "column")?;
        let a = value(line, next("value")?, banner.integer)?;
        if let Some(more) = words.next() {
            let message = format!("the entry has a word too many, `{}`", shown(more));
            return wrong(line, message, "an entry is: row, column, value");
        }
        if banner.symmetric && i < j {
            let message = format!("row {}, column {} lies above the diagonal of a symmetric matrix", i + 1, j + 1);
            let help = "write the lower triangle only, or general in place of symmetric in the banner";
            return wrong(line, message, help);
        }
        list.push((i, j, a));
        if banner.symmetric && i != j {
            list.push((j, i, a));
        }
        given += 1;
    }
    if given < count {
        let help = "add the lines that are missing, or correct the line of sizes";
        return wrong(last, format!("the file says that it has {} and ends after {given}", entries(count)), help);
    }
    let matrix = Coordinates::new(rows, columns, list);
    match matrix.entries.iter().find(|entry| !entry.2.is_finite()) {
        None => Ok(matrix),
        Some((i, j, _)) => {
            let message = format!("the entries of row {}, column {} add up to no finite number", i + 1, j + 1);
            wrong(last, message, "give every place once")
        }
    }
}

/// The matrix as a text in coordinates, with all digits, so that it reads back to the same bits. With `symmetric` the lower triangle
/// stands for both; the matrix must then be symmetric.
pub fn write(matrix: &Coordinates, symmetric: bool) -> String {
    let kept = |&&(i, j, _): &&(usize, usize, f64)| !symmetric || i >= j;
    let kind = if symmetric { "symmetric" } else { "general" };
    let count = matrix.entries.iter().filter(kept).count();
    let mut text =
        format!("%%MatrixMarket matrix coordinate real {kind}\n{} {} {count}\n", matrix.rows, matrix.columns);
    for (i, j, a) in matrix.entries.iter().filter(kept) {
        // Writing to a text cannot fail.
        let _ = writeln!(text, "{} {} {a:e}", i + 1, j + 1);
    }
    text
}

#[cfg(test)]
mod tests;
