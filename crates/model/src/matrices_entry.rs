//! Reads the table `[matrices]` of a model file.

use saltation_numerics::matrix_market::Coordinates;
use toml::Spanned;
use toml::de::DeValue;

use crate::entries::{LoadEntry, MatricesEntry, MatrixEntry, MatrixForm, WeightsEntry};
use crate::mistake::Mistake;
use crate::shape::count;
use crate::shape::{Shape, Table, Written};

const FORMS: &str =
    "write a file such as \"structure-K.mtx\", rows such as [[2, -1], [-1, 2]], or { diagonal = [1, 1] }";

impl<'t> Shape<'t> {
    pub(crate) fn matrices(&mut self, table: &Table<'t>) -> Option<MatricesEntry> {
        self.only(table, &["M", "K", "C", "damping", "load"]);
        let mass =
            self.required(table, "M", "add the mass matrix, e.g. M = \"structure-M.mtx\" or M = { diagonal = [1, 1] }");
        let mass = mass.and_then(|value| self.matrix("M", value));
        let stiffness = self.required(
            table,
            "K",
            "add the stiffness matrix, e.g. K = \"structure-K.mtx\" or K = [[2, -1], [-1, 2]]",
        );
        let stiffness = stiffness.and_then(|value| self.matrix("K", value));
        let damping = table.get("C").and_then(|value| self.matrix("C", value));
        let proportional = table.get("damping").map_or([None, None], |value| self.proportional(value));
        let load = table.get("load").map_or(LoadEntry::None, |value| self.load(value));
        Some(MatricesEntry {
            mass: mass?,
            stiffness: stiffness?,
            damping,
            proportional,
            load,
            coordinates: Vec::new(),
            velocities: Vec::new(),
        })
    }

    fn matrix(&mut self, name: &'static str, value: &'t Spanned<DeValue<'t>>) -> Option<MatrixEntry> {
        let form = match value.get_ref() {
            DeValue::String(_) => MatrixForm::File(self.string(name, value)?),
            DeValue::Table(_) => {
                let fields = self.table(name, value)?;
                self.only(&fields, &["diagonal"]);
                let diagonal = self.required(&fields, "diagonal", "write e.g. { diagonal = [1, 1, 1] }")?;
                let diagonal = self.numbers(name, diagonal)?;
                MatrixForm::Numbers(Coordinates::diagonal(&diagonal))
            }
            DeValue::Array(items) => {
                let rows: Option<Vec<Vec<f64>>> = items.iter().map(|row| self.numbers(name, row)).collect();
                let rows = rows?;
                let columns = rows.first().map_or(0, Vec::len);
                if let Some(i) = rows.iter().position(|row| row.len() != columns) {
                    let (here, first) = (count(rows[i].len(), "entry", "entries"), count(columns, "entry", "entries"));
                    let message = format!("row {} of {name} has {here}, and row 1 has {first}", i + 1);
                    let mistake = Mistake::at(items.get(i).map_or(value.span(), Spanned::span), message);
                    self.mistakes.push(mistake.help("all rows of a matrix are equally long"));
                    return None;
                }
                let entries = rows.iter().enumerate();
                let entries = entries.flat_map(|(i, row)| row.iter().enumerate().map(move |(j, &a)| (i, j, a)));
                MatrixForm::Numbers(Coordinates::new(rows.len(), columns, entries.collect()))
            }
            _ => {
                self.wrong_type(value, &format!("`{name}`"), "a matrix", FORMS);
                return None;
            }
        };
        Some(MatrixEntry { name, span: value.span(), form })
    }

    /// A list of numbers; a formula is a mistake of its own.
    fn numbers(&mut self, name: &str, value: &'t Spanned<DeValue<'t>>) -> Option<Vec<f64>> {
        let DeValue::Array(items) = value.get_ref() else {
            self.wrong_type(value, &format!("a row of {name}"), "a list of numbers in square brackets", FORMS);
            return None;
        };
        let mut numbers = Vec::with_capacity(items.len());
        for item in items {
            if let DeValue::String(_) = item.get_ref() {
                let message = format!("the entries of {name} are numbers, but this is a formula");
                let help = match name {
                    "C" => {
                        "write the numbers themselves; damping by parameters is damping = { mass = \"a\", stiffness = \"b\" }"
                    }
                    _ => "write the numbers themselves, or write the system as [mechanics], whose M and h are formulas",
                };
                self.mistakes.push(Mistake::at(item.span(), message).help(help));
                return None;
            }
            let written = self.formula(&format!("every entry of `{name}`"), item)?;
            numbers.push(written.text.parse().unwrap_or(f64::NAN));
        }
        Some(numbers)
    }

    fn proportional(&mut self, value: &'t Spanned<DeValue<'t>>) -> [Option<Written>; 2] {
        let DeValue::Table(_) = value.get_ref() else {
            let help =
                "write damping = { mass = 0.01, stiffness = 0.001 } for C = 0.01 M + 0.001 K; a matrix of its own is C";
            self.wrong_type(value, "`damping`", "a table", help);
            return [None, None];
        };
        let Some(fields) = self.table("damping", value) else {
            return [None, None];
        };
        self.only(&fields, &["mass", "stiffness"]);
        ["mass", "stiffness"].map(|key| {
            let value = fields.get(key)?;
            self.formula(&format!("`{key}` of the damping"), value)
        })
    }

    fn load(&mut self, value: &'t Spanned<DeValue<'t>>) -> LoadEntry {
        match value.get_ref() {
            DeValue::String(_) => self.string("`load`", value).map_or(LoadEntry::None, LoadEntry::File),
            DeValue::Array(_) => {
                let list = self.formula_list("load", value);
                list.map_or(LoadEntry::None, |list| LoadEntry::List(list, value.span()))
            }
            DeValue::Table(_) => {
                let fields = self.table("load", value);
                fields.map_or(LoadEntry::None, |fields| LoadEntry::Some(self.named_formulas(&fields)))
            }
            _ => {
                let help =
                    "write load = { 5 = \"F*cos(phi)\" }, a list of formulas, or a file such as \"structure-f.mtx\"";
                self.wrong_type(value, "`load`", "a table, a list or a file", help);
                LoadEntry::None
            }
        }
    }

    /// A gap by its constant part and its weights.
    pub(crate) fn weights(&mut self, value: &'t Spanned<DeValue<'t>>) -> Option<WeightsEntry> {
        let table = self.table("gap", value)?;
        self.only(&table, &["constant", "normal"]);
        let constant = table.get("constant").and_then(|value| self.formula("`constant`", value));
        let help = "add the weights of the displacements by degree of freedom, e.g. normal = { 5 = -1 }";
        let normal = self.required(&table, "normal", help)?;
        let normal = self.table("normal", normal)?;
        let weights = self.named_formulas(&normal);
        if normal.entries().next().is_none() {
            let mistake =
                Mistake::at(normal.span.clone(), "the normal of the gap has no weights, so nothing can close it");
            self.mistakes.push(mistake.help(help));
            return None;
        }
        Some(WeightsEntry { constant, normal: weights, whole: Written::at(value.span()) })
    }
}
