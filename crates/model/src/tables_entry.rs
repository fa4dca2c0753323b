//! Reads the table `[tables]` of a model file: functions that are given by points.

use saltation_numerics::piecewise::{Beyond, Interpolation};
use toml::Spanned;
use toml::de::DeValue;

use crate::mistake::Mistake;
use crate::shape::{Shape, Table, Written};

/// A function that is given by points.
pub(crate) struct TableEntry {
    pub name: Written,
    pub points: PointsEntry,
    pub interpolation: Interpolation,
    pub beyond: Beyond,
    /// Those of the argument and of the value.
    pub units: Option<[Written; 2]>,
}

/// Where its points are.
pub(crate) enum PointsEntry {
    /// In two columns of a file beside the model; the first two, if they have no names.
    File { file: Written, columns: Option<[Written; 2]> },
    /// In the model itself; each has its place.
    Here { points: Vec<([f64; 2], Written)>, whole: Written },
}

const INTERPOLATIONS: [(&str, Interpolation); 4] = [
    ("cubic", Interpolation::Cubic),
    ("monotone", Interpolation::Monotone),
    ("linear", Interpolation::Linear),
    ("step", Interpolation::Step),
];
const BEYOND: [(&str, Beyond); 3] =
    [("periodic", Beyond::Periodic), ("hold", Beyond::Hold), ("refuse", Beyond::Refuse)];
const KNOTS: &str = "write knots = [[0, 0.1], [1, 0.3]], a list of points of two numbers";

impl<'t> Shape<'t> {
    pub(crate) fn tables(&mut self, root: &Table<'t>) -> Vec<TableEntry> {
        let Some(tables) = self.subtable(root, "tables") else { return Vec::new() };
        let entries: Vec<_> = tables.entries().cloned().collect();
        entries.iter().filter_map(|(name, value)| self.tabulated(name, value)).collect()
    }

    fn tabulated(&mut self, name: &Written, value: &'t Spanned<DeValue<'t>>) -> Option<TableEntry> {
        let fields = self.table(&format!("[tables.{}]", name.text), value)?;
        self.only(&fields, &["file", "columns", "knots", "interpolation", "beyond", "units"]);
        let interpolation = self.one_of(&fields, "interpolation", &INTERPOLATIONS, "cubic");
        let beyond = self.one_of(&fields, "beyond", &BEYOND, "refuse");
        let points = match (fields.get("file"), fields.get("knots")) {
            (Some(file), None) => {
                let columns =
                    fields.get("columns").map(|value| self.pair_of_words(value, "columns", "columns = [\"s\", \"z\"]"));
                let file = self.string("`file`", file)?;
                PointsEntry::File { file, columns: columns.map_or(Some(None), |columns| columns.map(Some))? }
            }
            (None, Some(knots)) => {
                if fields.get("columns").is_some() {
                    let mistake =
                        Mistake::at(fields.key_span("columns"), "`columns` are those of a file, and there is none");
                    self.mistakes.push(mistake.help("leave `columns` out: each of `knots` is a point of two numbers"));
                }
                self.knots(knots)?
            }
            (Some(_), Some(_)) => {
                let message = format!("{} has both `file` and `knots`", fields.title);
                self.mistakes.push(Mistake::at(fields.key_span("knots"), message).help("leave one of them out"));
                return None;
            }
            (None, None) => {
                let help = "add file = \"NAME.csv\", a file beside the model, or knots = [[0, 0.1], [1, 0.3]]";
                self.required(&fields, "file", help)?;
                return None;
            }
        };
        let units = fields.get("units").map(|value| self.pair_of_words(value, "units", "units = [\"m\", \"m\"]"));
        let units = units.map_or(Some(None), |units| units.map(Some))?;
        Some(TableEntry { name: name.clone(), points, interpolation: interpolation?, beyond: beyond?, units })
    }

    /// One of some words; the `usual` one where nothing is written.
    fn one_of<T: Copy>(&mut self, fields: &Table<'t>, key: &str, words: &[(&str, T)], usual: &str) -> Option<T> {
        let find = |text: &str| words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value);
        let Some(value) = fields.get(key) else { return find(usual) };
        let written = self.string(&format!("`{key}`"), value)?;
        let found = find(&written.text);
        if found.is_none() {
            let known: Vec<String> = words.iter().map(|(word, _)| format!("\"{word}\"")).collect();
            let message = format!("`{key}` cannot be \"{}\"", written.text);
            self.mistakes
                .push(Mistake::at(written.inside(), message).help(format!("write one of {}", known.join(", "))));
        }
        found
    }

    /// Words for the argument and for the value.
    fn pair_of_words(&mut self, value: &'t Spanned<DeValue<'t>>, key: &str, example: &str) -> Option<[Written; 2]> {
        let every = format!("every entry of `{key}`");
        if let DeValue::Array(items) = value.get_ref()
            && let Some([x, y]) = items.iter().collect::<Vec<_>>().first_chunk::<2>()
            && items.len() == 2
        {
            let (x, y) = (self.string(&every, x), self.string(&every, y));
            return Some([x?, y?]);
        }
        let mistake = Mistake::at(value.span(), format!("`{key}` must be a list of two names"));
        self.mistakes.push(mistake.help(format!("write those of the argument and of the value, e.g. {example}")));
        None
    }

    fn knots(&mut self, value: &'t Spanned<DeValue<'t>>) -> Option<PointsEntry> {
        let DeValue::Array(items) = value.get_ref() else {
            self.wrong_type(value, "`knots`", "a list of points", KNOTS);
            return None;
        };
        let mut points = Vec::with_capacity(items.len());
        for item in items {
            let pair = match item.get_ref() {
                DeValue::Array(pair) if pair.len() == 2 => pair,
                _ => {
                    self.mistakes.push(Mistake::at(item.span(), "a knot is a point of two numbers").help(KNOTS));
                    return None;
                }
            };
            let mut point = [f64::NAN; 2];
            for (x, number) in point.iter_mut().zip(pair) {
                *x = match number.get_ref() {
                    DeValue::Integer(_) | DeValue::Float(_) => {
                        let written = self.formula("every number of `knots`", number)?;
                        written.text.parse().unwrap_or(f64::NAN)
                    }
                    _ => {
                        self.wrong_type(number, "a number of `knots`", "a number", KNOTS);
                        return None;
                    }
                };
            }
            points.push((point, Written::at(item.span())));
        }
        Some(PointsEntry::Here { points, whole: Written::at(value.span()) })
    }
}
