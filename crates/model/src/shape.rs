//! Typed readers for TOML tables; every value keeps its position in the file.

use std::ops::Range;

use saltation_expr::parse::nearest;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::mistake::Mistake;

/// A text of the file with its place.
#[derive(Debug, Clone)]
pub(crate) struct Written {
    pub text: String,
    /// The whole value, with its quotes.
    pub span: Range<usize>,
    /// The position of the text in the file, if it is verbatim there.
    verbatim: Option<usize>,
}

impl Written {
    /// The place in the file of a part of the text.
    pub(crate) fn part(&self, inner: Range<usize>) -> Range<usize> {
        match self.verbatim {
            Some(start) if !self.text.trim().is_empty() => start + inner.start..start + inner.end,
            _ => self.span.clone(),
        }
    }

    /// Another text for the same place.
    pub(crate) fn instead(&self, text: &str) -> Written {
        Written { text: text.to_string(), span: self.span.clone(), verbatim: None }
    }

    /// A place without a text of its own.
    pub(crate) fn at(span: Range<usize>) -> Written {
        Written { text: String::new(), span, verbatim: None }
    }

    /// Whether the text is not in the file: a number, or a numbered name.
    pub(crate) fn is_implied(&self) -> bool {
        self.verbatim.is_none()
    }

    /// The place of the text without its quotes.
    pub(crate) fn inside(&self) -> Range<usize> {
        self.part(0..self.text.len())
    }
}

/// Reads tables and collects mistakes in their structure.
pub(crate) struct Shape<'t> {
    text: &'t str,
    pub mistakes: Vec<Mistake>,
}

/// A table with its name in messages.
pub(crate) struct Table<'t> {
    pub title: String,
    pub span: Range<usize>,
    entries: Vec<(Written, &'t Spanned<DeValue<'t>>)>,
}

impl<'t> Table<'t> {
    /// The entry with this key.
    pub(crate) fn get(&self, key: &str) -> Option<&'t Spanned<DeValue<'t>>> {
        self.entries.iter().find(|(name, _)| name.text == key).map(|(_, value)| *value)
    }

    /// The entries in the order of the file.
    pub(crate) fn entries(&self) -> impl Iterator<Item = &(Written, &'t Spanned<DeValue<'t>>)> {
        self.entries.iter()
    }

    /// The place of a key.
    pub(crate) fn key_span(&self, key: &str) -> Range<usize> {
        let found = self.entries.iter().find(|(name, _)| name.text == key);
        found.map_or(self.span.clone(), |(name, _)| name.span.clone())
    }
}

impl<'t> Shape<'t> {
    pub(crate) fn new(text: &'t str) -> Shape<'t> {
        Shape { text, mistakes: Vec::new() }
    }

    /// A value of the file as text with its place.
    fn written(&self, text: String, span: Range<usize>) -> Written {
        let verbatim = self.text[span.clone()].find(&text).map(|offset| span.start + offset);
        Written { text, span, verbatim }
    }

    /// The whole file as a table.
    pub(crate) fn root(&self, table: &'t Spanned<DeTable<'t>>) -> Table<'t> {
        self.listed("the file".to_string(), 0..0, table.get_ref())
    }

    fn listed(&self, title: String, span: Range<usize>, table: &'t DeTable<'t>) -> Table<'t> {
        let mut entries: Vec<_> =
            table.iter().map(|(key, value)| (self.written(key.get_ref().to_string(), key.span()), value)).collect();
        entries.sort_by_key(|(key, _)| key.span.start);
        Table { title, span, entries }
    }

    pub(crate) fn wrong_type(&mut self, value: &Spanned<DeValue<'_>>, what: &str, expected: &str, help: &str) {
        let found = match value.get_ref() {
            DeValue::String(_) => "a text",
            DeValue::Integer(_) | DeValue::Float(_) => "a number",
            DeValue::Boolean(_) => "true or false",
            DeValue::Datetime(_) => "a date or a time",
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
        };
        let message = format!("{what} must be {expected}, but this is {found}");
        self.mistakes.push(Mistake::at(value.span(), message).help(help));
    }

    /// A value as a table called `title`.
    pub(crate) fn table(&mut self, title: &str, value: &'t Spanned<DeValue<'t>>) -> Option<Table<'t>> {
        match value.get_ref() {
            DeValue::Table(table) => Some(self.listed(title.to_string(), value.span(), table)),
            _ => {
                let help = if title.starts_with('[') {
                    format!("write the line {title} and its entries below it, one line `key = value` for each")
                } else {
                    format!("write {title} = {{ name = formula }}")
                };
                self.wrong_type(value, &format!("`{title}`"), "a table", &help);
                None
            }
        }
    }

    /// The table under `key`, if there is one.
    pub(crate) fn subtable(&mut self, parent: &Table<'t>, key: &str) -> Option<Table<'t>> {
        let value = parent.get(key)?;
        self.table(&format!("[{key}]"), value)
    }

    /// Reports every key that is not one of `known`.
    pub(crate) fn only(&mut self, table: &Table<'t>, known: &[&str]) {
        self.only_with(table, known, &[]);
    }

    /// The same; words of other languages are answered by what is written here in their place.
    pub(crate) fn only_with(&mut self, table: &Table<'t>, known: &[&str], foreign: &[(&str, &str)]) {
        for (key, _) in table.entries() {
            if !known.contains(&key.text.as_str()) {
                let instead = foreign.iter().find(|(word, _)| *word == key.text);
                let help = match nearest(&key.text, known.iter().copied()) {
                    _ if instead.is_some() => instead.map_or_else(String::new, |(_, help)| help.to_string()),
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("known here: {}", known.join(", ")),
                };
                let message = format!("unknown key `{}` in {}", key.text, table.title);
                self.mistakes.push(Mistake::at(key.span.clone(), message).help(help));
            }
        }
    }

    /// The value under `key`, or a mistake that it is missing.
    pub(crate) fn required(&mut self, table: &Table<'t>, key: &str, help: &str) -> Option<&'t Spanned<DeValue<'t>>> {
        let found = table.get(key);
        if found.is_none() {
            let mistake = Mistake::general(format!("{} has no `{key}`", table.title)).help(help);
            // The whole file is not a place.
            let span = Some(table.span.clone()).filter(|span| !span.is_empty());
            self.mistakes.push(Mistake { span, ..mistake });
        }
        found
    }

    /// A value that is a text.
    pub(crate) fn string(&mut self, what: &str, value: &Spanned<DeValue<'_>>) -> Option<Written> {
        match value.get_ref() {
            DeValue::String(text) => Some(self.written(text.to_string(), value.span())),
            _ => {
                self.wrong_type(value, what, "a text in quotes", "put double quotes around it");
                None
            }
        }
    }

    /// The text under `key`, if there is one.
    pub(crate) fn optional_string(&mut self, table: &Table<'t>, key: &str) -> Option<Written> {
        let value = table.get(key)?;
        self.string(&format!("`{key}`"), value)
    }

    /// The value under `key`, `true` or `false`; `false` where there is none.
    pub(crate) fn flag(&mut self, table: &Table<'t>, key: &str) -> Option<bool> {
        match table.get(key).map(|value| (value, value.get_ref())) {
            None => Some(false),
            Some((_, DeValue::Boolean(flag))) => Some(*flag),
            Some((value, _)) => {
                self.wrong_type(value, &format!("`{key}`"), "true or false", &format!("write {key} = true"));
                None
            }
        }
    }

    /// A value that is a formula: a text, or a number.
    pub(crate) fn formula(&mut self, what: &str, value: &Spanned<DeValue<'_>>) -> Option<Written> {
        let number = match value.get_ref() {
            DeValue::String(text) => return Some(self.written(text.to_string(), value.span())),
            DeValue::Integer(integer) => {
                match i64::from_str_radix(integer.as_str(), integer.radix()) {
                    Ok(number) => number.to_string(),
                    // Too long for an integer: read as a floating-point number.
                    Err(_) if integer.radix() == 10 => integer.as_str().to_string(),
                    Err(_) => "inf".to_string(),
                }
            }
            DeValue::Float(float) => float.as_str().to_string(),
            _ => {
                let help = "write a number such as 0.5 or a formula such as \"2*pi\"";
                self.wrong_type(value, what, "a number or a formula in quotes", help);
                return None;
            }
        };
        if number.parse::<f64>().is_ok_and(f64::is_finite) {
            return Some(Written { text: number, span: value.span(), verbatim: None });
        }
        let message = format!("{what} must be a finite number, but this is {}", self.text[value.span()].trim());
        self.mistakes.push(Mistake::at(value.span(), message).help("write an ordinary number such as 0.02"));
        None
    }

    /// A value that is a list.
    pub(crate) fn list(
        &mut self,
        what: &str,
        value: &'t Spanned<DeValue<'t>>,
    ) -> Option<Vec<&'t Spanned<DeValue<'t>>>> {
        match value.get_ref() {
            DeValue::Array(items) => Some(items.iter().collect()),
            _ => {
                let help = "put its entries in square brackets, with commas between them, e.g. [\"x\", \"y\"]";
                self.wrong_type(value, what, "a list in square brackets", help);
                None
            }
        }
    }

    /// The list of formulas under `key`, which must be there.
    pub(crate) fn formulas(&mut self, table: &Table<'t>, key: &str, help: &str) -> Option<Vec<Written>> {
        let value = self.required(table, key, help)?;
        self.formula_list(key, value)
    }

    /// A value that is a list of formulas.
    pub(crate) fn formula_list(&mut self, key: &str, value: &'t Spanned<DeValue<'t>>) -> Option<Vec<Written>> {
        let items = self.list(&format!("`{key}`"), value)?;
        items.into_iter().map(|item| self.formula(&format!("every entry of `{key}`"), item)).collect()
    }

    /// Every entry of a table as a name and a formula.
    pub(crate) fn named_formulas(&mut self, table: &Table<'t>) -> Vec<(Written, Written)> {
        let entries = table.entries().filter_map(|(key, value)| {
            let formula = self.formula(&format!("`{}`", key.text), value)?;
            Some((key.clone(), formula))
        });
        entries.collect()
    }
}

/// A number of things in words.
pub(crate) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
