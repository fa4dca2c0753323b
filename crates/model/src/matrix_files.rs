//! Reads the matrices of a model file, also from files beside it, and checks that they define a structure.

use std::collections::HashSet;
use std::ops::Range;
use std::path::Path;

use saltation_numerics::matrix_market::{self, Coordinates};
use saltation_numerics::skyline::Skyline;

use crate::beside::{self, Sort};
use crate::entries::{BodyEntry, File, GapWritten};
use crate::entries::{LoadEntry, MatricesEntry, MatrixEntry, MatrixForm};
use crate::fingerprint::{Hash, hash};
use crate::matrices::MOST_DEGREES;
use crate::mistake::Mistake;
use crate::point::short;
use crate::shape::Written;
use crate::shape::count;

const MATRIX: Sort = Sort {
    ending: ".mtx",
    what: "a Matrix Market file",
    short: "a matrix file",
    instead: "write e.g. \"structure-K.mtx\", or the numbers themselves as rows [[2, -1], [-1, 2]]",
    save: "save the model and its matrices in one folder and read it from there, or write the numbers here",
    shorter: "check that it is a matrix file; if it is, write only the entries that are not zero",
    text: "save the file as a Matrix Market text",
    longest: 512 * 1024 * 1024,
};
/// The tolerance of symmetry, relative to the entries: rounding errors of an assembly of elements.
const SYMMETRY_TOLERANCE: f64 = 1e-12;

/// What the matrices of a file are.
pub(crate) struct Numbers {
    pub mass: Coordinates,
    pub stiffness: Coordinates,
    pub damping: Option<Coordinates>,
    /// A load of numbers, from a file.
    pub load: Vec<f64>,
    pub factors: Skyline,
    /// The files that were read, each with a number that stands for its text.
    pub files: Vec<(String, Hash)>,
}

/// The numbers of a `[matrices]` body, whose degrees of freedom now have their names; `None` for other bodies.
///
/// # Errors
/// All that is wrong with the files; or else with sizes; or else with the numbers.
pub(crate) fn resolve(file: &mut File, folder: Option<&Path>) -> Result<Option<Numbers>, Vec<Mistake>> {
    let BodyEntry::Matrices(entry) = &mut file.body else {
        return Ok(None);
    };
    let mut reader = Reader { folder, files: Vec::new(), mistakes: Vec::new() };
    let mass = reader.matrix(&entry.mass);
    let stiffness = reader.matrix(&entry.stiffness);
    let damping = entry.damping.as_ref().map(|entry| reader.matrix(entry));
    let load = match &entry.load {
        LoadEntry::File(written) => Some(reader.file(written)),
        _ => None,
    };
    let Reader { files, mut mistakes, .. } = reader;
    let (Some(mass), Some(stiffness)) = (mass, stiffness) else {
        return Err(mistakes);
    };
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let (damping, load) = (damping.flatten(), load.flatten());

    let n = mass.rows;
    mistakes.extend(sizes(entry, &mass, &stiffness, damping.as_ref(), load.as_ref()));
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    name(entry, n);
    let entry = &*entry;
    if let LoadEntry::Some(loads) = &entry.load {
        degrees(loads, n, "load", "\"F\"", &mut mistakes);
    }
    for contact in &file.contacts {
        if let GapWritten::Weights(weights) = &contact.gap {
            degrees(&weights.normal, n, "normal", "-1", &mut mistakes);
        }
    }
    for (matrix, of) in [(&mass, &entry.mass), (&stiffness, &entry.stiffness)] {
        mistakes.extend(asymmetry(matrix, of));
    }
    let factors = match Skyline::factor(&mass) {
        Ok(factors) => Some(factors),
        Err(wrong) => {
            let what = match wrong.row {
                0 => format!("its first entry is {}", short(wrong.pivot)),
                row => format!("pivot {} of its elimination is {}", row + 1, short(wrong.pivot)),
            };
            let mistake = Mistake::at(entry.mass.span.clone(), format!("M is not positive definite: {what}"));
            mistakes.push(mistake.help("the kinetic energy v' M v/2 must be positive for every velocity"));
            None
        }
    };
    match factors.filter(|_| mistakes.is_empty()) {
        Some(factors) => {
            let load = load.map_or(Vec::new(), |load| (0..n).map(|i| load.entry(i, 0)).collect());
            Ok(Some(Numbers { mass, stiffness, damping, load, factors, files }))
        }
        None => Err(mistakes),
    }
}

/// u1, u2, … and v1, v2, …, which stand for the place of M.
fn name(entry: &mut MatricesEntry, n: usize) {
    let at = Written::at(entry.mass.span.clone());
    entry.coordinates = (1..=n).map(|i| at.instead(&format!("u{i}"))).collect();
    entry.velocities = (1..=n).map(|i| at.instead(&format!("v{i}"))).collect();
}

/// Reads matrices and gathers what is wrong with their files.
struct Reader<'p> {
    folder: Option<&'p Path>,
    files: Vec<(String, Hash)>,
    mistakes: Vec<Mistake>,
}

impl Reader<'_> {
    fn matrix(&mut self, entry: &MatrixEntry) -> Option<Coordinates> {
        match &entry.form {
            MatrixForm::Numbers(numbers) => Some(numbers.clone()),
            MatrixForm::File(written) => self.file(written),
        }
    }

    fn file(&mut self, written: &Written) -> Option<Coordinates> {
        let read = beside::text(self.folder, written, &MATRIX).and_then(|text| {
            let matrix = matrix_market::read(&text).map_err(|error| {
                let message = format!("`{}`, line {}: {}", written.text, error.line, error.message);
                Mistake::at(written.inside(), message).help(error.help)
            })?;
            Ok((matrix, hash(&text)))
        });
        match read {
            Ok((matrix, hash)) => {
                self.files.push((written.text.clone(), hash));
                Some(matrix)
            }
            Err(mistake) => {
                self.mistakes.push(mistake);
                None
            }
        }
    }
}

/// What does not fit together.
fn sizes(
    entry: &MatricesEntry,
    mass: &Coordinates,
    stiffness: &Coordinates,
    damping: Option<&Coordinates>,
    load: Option<&Coordinates>,
) -> Vec<Mistake> {
    let n = mass.rows;
    let shape = |matrix: &Coordinates| format!("{} by {}", matrix.rows, matrix.columns);
    if n == 0 {
        let mistake = Mistake::at(entry.mass.span.clone(), "M is empty");
        return vec![mistake.help("give one row and one column for each degree of freedom")];
    }
    if mass.columns != n {
        let mistake =
            Mistake::at(entry.mass.span.clone(), format!("M is {}, but a mass matrix is square", shape(mass)));
        return vec![mistake.help("give one row and one column for each degree of freedom")];
    }
    if n > MOST_DEGREES {
        let message = format!("the structure has {n} degrees of freedom and may have {MOST_DEGREES} at most");
        return vec![
            Mistake::at(entry.mass.span.clone(), message).help("use fewer elements, or condense the matrices"),
        ];
    }
    let mut mistakes = Vec::new();
    let mut fits = |matrix: &Coordinates, columns: usize, name: &str, span: Range<usize>| {
        if (matrix.rows, matrix.columns) != (n, columns) {
            let message = format!("{name} is {}, but M is {n} by {n}", shape(matrix));
            let help = format!("{name} needs {n} rows and {columns} column{}", if columns == 1 { "" } else { "s" });
            mistakes.push(Mistake::at(span, message).help(help));
        }
    };
    fits(stiffness, n, "K", entry.stiffness.span.clone());
    if let (Some(matrix), Some(of)) = (damping, &entry.damping) {
        fits(matrix, n, "C", of.span.clone());
    }
    if let (Some(load), LoadEntry::File(written)) = (load, &entry.load) {
        fits(load, 1, "load", written.span.clone());
    }
    if let LoadEntry::List(list, span) = &entry.load
        && list.len() != n
    {
        let message = format!("`load` has {}, but M is {n} by {n}", count(list.len(), "entry", "entries"));
        let help = "give one for each degree of freedom, or name them: load = { 1 = \"F\" }";
        mistakes.push(Mistake::at(span.clone(), message).help(help));
    }
    mistakes
}

/// The index of a degree of freedom that is written as it should be.
pub(crate) fn degree(text: &str) -> Option<usize> {
    let plain = !text.starts_with('0') && !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse::<usize>().ok()).flatten().map(|degree| degree - 1)
}

/// Every key is a degree of freedom, and stands once.
fn degrees(entries: &[(Written, Written)], n: usize, what: &str, example: &str, mistakes: &mut Vec<Mistake>) {
    let mut seen = HashSet::new();
    for (key, _) in entries {
        let help = format!("they count from 1 to {n}, e.g. {what} = {{ {n} = {example} }}");
        let message = match degree(&key.text) {
            Some(i) if i < n && seen.insert(i) => continue,
            Some(i) if i < n => format!("degree of freedom {} stands twice", key.text),
            _ => format!("there is no degree of freedom `{}`", key.text),
        };
        mistakes.push(Mistake::at(key.inside(), message).help(help));
    }
}

fn asymmetry(matrix: &Coordinates, entry: &MatrixEntry) -> Option<Mistake> {
    let (i, j) = matrix.is_symmetric(SYMMETRY_TOLERANCE)?;
    let message = format!(
        "{} is not symmetric: row {}, column {} is {}, but row {}, column {} is {}",
        entry.name,
        i + 1,
        j + 1,
        short(matrix.entry(i, j)),
        j + 1,
        i + 1,
        short(matrix.entry(j, i))
    );
    let help = match (&entry.form, entry.name) {
        (MatrixForm::File(_), _) => {
            "write both halves alike, or the lower one only with symmetric in the first line of the file"
        }
        (_, "K") => "write the same number in both places; forces without a potential go into [mechanics]",
        _ => "write the same number in both places",
    };
    Some(Mistake::at(entry.span.clone(), message).help(help))
}
