//! The tables of a model file of format 1, with formulas still as text.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::contact::Together;
use crate::entries::{BodyEntry, ConstraintEntry, File, ParameterEntry, PhaseEntry};
use crate::mistake::Mistake;
use crate::shape::{Shape, Table, Written};

/// Tables that people look for, and what there is in their place.
const FOREIGN: [(&str, &str); 6] = [
    ("functions", "formulas that occur more than once are named in [definitions], without arguments"),
    ("constants", "constants are [parameters]"),
    ("variables", "formulas of states are [definitions], and states stand in [flow] or in the body"),
    ("states", "states stand in [flow], each with its rate, or are the coordinates and velocities of a body"),
    ("initial", "the start is [start]"),
    ("equations", "the rates of states are [flow]: state = formula"),
];

const KEYS: [&str; 27] = [
    "format",
    "name",
    "title",
    "about",
    "source",
    "parameters",
    "phase",
    "definitions",
    "tables",
    "flow",
    "mechanics",
    "lagrangian",
    "matrices",
    "angles",
    "contacts",
    "friction",
    "constraints",
    "complementarity",
    "impacts",
    "switches",
    "events",
    "discrete",
    "symmetry",
    "sections",
    "units",
    "start",
    "sketch",
];

/// Reads the shape of a file; TOML itself is right.
pub(crate) fn read(text: &str, document: &Spanned<DeTable<'_>>) -> Result<File, Vec<Mistake>> {
    let mut shape = Shape::new(text);
    let file = shape.file(document);
    match file {
        Some(file) if shape.mistakes.is_empty() => Ok(file),
        _ => Err(shape.mistakes),
    }
}

impl<'t> Shape<'t> {
    fn file(&mut self, document: &'t Spanned<DeTable<'t>>) -> Option<File> {
        let root = self.root(document);
        self.only_with(&root, &KEYS, &FOREIGN);
        self.format(&root);
        let name = self.required(&root, "name", "add a line such as name = \"my-oscillator\"");
        let name = name.and_then(|value| self.string("`name`", value));
        if let Some(name) = &name
            && name.text.trim().is_empty()
        {
            let mistake = Mistake::at(name.span.clone(), "the name of the model is empty");
            self.mistakes.push(mistake.help("write a short name, e.g. name = \"my-oscillator\""));
        }
        let mut text = |key| self.optional_string(&root, key).map(|written| written.text);
        let (title, about, source) = (text("title"), text("about"), text("source"));
        let parameters = self.parameters(&root);
        let phases = self.phases(&root);
        let definitions = self.subtable(&root, "definitions").map(|table| self.named_formulas(&table));
        let tables = self.tables(&root);
        let body = self.body(&root);
        let angles = self.subtable(&root, "angles").map(|table| self.named_formulas(&table));
        let mut contacts = match &body {
            Some(body) => self.contacts(&root, body),
            // Without a body the required keys of contacts are unknown.
            None => Vec::new(),
        };
        let frictions = self.frictions(&root);
        let constraints = self.constraints(&root);
        if matches!(body, Some(BodyEntry::Mechanics { .. } | BodyEntry::Lagrangian { .. })) {
            contacts.extend(constraints.iter().flat_map(ConstraintEntry::sides));
        }
        let complementarities = self.complementarities(&root);
        let mut impacts = self.impacts(&root, body.as_ref());
        if let Some(rough) = constraints.iter().find(|constraint| constraint.friction.is_some()) {
            if matches!(impacts.together, Together::Refuse | Together::Sequence) {
                let name = &rough.name.text;
                let message =
                    format!("the constraint `{name}` has friction, and its impulses are part of every impact");
                let help = "write together = \"lcp\" in [impacts], or remove the line: it is what holds then";
                self.mistakes.push(Mistake::at(rough.name.inside(), message).help(help));
            }
            impacts.together = Together::Complementarity;
        }
        let sections = self.sections(&root);
        let (switches, events, discrete) = (self.switches(&root), self.events(&root), self.discrete(&root));
        let symmetry = self.symmetry(&root);
        let units = self.units(&root);
        let sketch = self.sketch(&root);
        let start_help = "add a table [start] with a value for every state and the phase";
        // The states of a structure start at 0 by default.
        let structure =
            matches!(body, Some(BodyEntry::Matrices(_))) || body.is_none() && root.get("matrices").is_some();
        let silent = structure && root.get("start").is_none();
        let start = if silent { None } else { self.required(&root, "start", start_help) };
        let start = start.and_then(|value| self.table("[start]", value));
        let start_span = start.as_ref().map_or(0..0, |table| table.span.clone());
        let start = start.map(|table| self.named_formulas(&table)).or(silent.then(Vec::new));
        Some(File {
            name: name?.text,
            title,
            about,
            source,
            parameters,
            phases,
            definitions: definitions.unwrap_or_default(),
            tables,
            body: body?,
            angles: angles.unwrap_or_default(),
            contacts,
            frictions,
            constraints,
            complementarities,
            impacts,
            sections,
            switches,
            events,
            discrete,
            symmetry,
            units,
            sketch,
            start: start?,
            start_span,
        })
    }

    fn format(&mut self, root: &Table<'t>) {
        let Some(value) = self.required(root, "format", "begin the file with format = 1") else {
            return;
        };
        match value.get_ref() {
            DeValue::Integer(integer) if integer.as_str() == "1" && integer.radix() == 10 => {}
            DeValue::Integer(integer) => {
                let message = format!("this version reads format 1, but the file has format {integer}");
                let newer = integer.as_str().parse::<f64>().is_ok_and(|number| number > 1.0);
                let help = if newer { "use a newer version of Saltation" } else { "write format = 1" };
                self.mistakes.push(Mistake::at(value.span(), message).help(help));
            }
            _ => self.mistakes.push(
                Mistake::at(value.span(), "`format` must be the number of the file format").help("write format = 1"),
            ),
        }
    }

    fn parameters(&mut self, root: &Table<'t>) -> Vec<ParameterEntry> {
        let Some(table) = self.subtable(root, "parameters") else {
            return Vec::new();
        };
        let mut parameters = Vec::new();
        for (name, value) in table.entries() {
            let what = format!("the parameter `{}`", name.text);
            let mut entry = ParameterEntry {
                name: name.clone(),
                value: name.clone(),
                min: None,
                max: None,
                unit: None,
                symbol: None,
                about: None,
            };
            if matches!(value.get_ref(), DeValue::Table(_)) {
                let Some(fields) = self.table(&what, value) else {
                    continue;
                };
                self.only(&fields, &["value", "unit", "min", "max", "symbol", "about"]);
                let Some(value) = self.required(&fields, "value", "add value = a number or a formula") else {
                    continue;
                };
                let Some(value) = self.formula("`value`", value) else {
                    continue;
                };
                entry.value = value;
                entry.min = fields.get("min").and_then(|value| self.formula("`min`", value));
                entry.max = fields.get("max").and_then(|value| self.formula("`max`", value));
                let mut text = |key| self.optional_string(&fields, key).map(|written| written.text);
                (entry.unit, entry.symbol, entry.about) = (text("unit"), text("symbol"), text("about"));
            } else {
                let Some(value) = self.formula(&what, value) else {
                    continue;
                };
                entry.value = value;
            }
            parameters.push(entry);
        }
        parameters
    }

    fn phases(&mut self, root: &Table<'t>) -> Vec<PhaseEntry> {
        let Some(table) = self.subtable(root, "phase") else { return Vec::new() };
        let example = "write [phase.phi] with rate = \"omega\" and period = \"2*pi\" below it";
        let named = table.entries().filter(|(_, value)| matches!(value.get_ref(), DeValue::Table(_))).count();
        let Some((first, _)) = table.entries().next() else {
            self.mistakes.push(Mistake::at(table.span.clone(), "[phase] has no name").help(example));
            return Vec::new();
        };
        if named == 0 {
            self.mistakes.push(Mistake::at(first.span.clone(), "[phase] needs the name of the phase").help(example));
            return Vec::new();
        }
        table.entries().filter_map(|(name, value)| self.phase(name, value)).collect()
    }

    fn phase(&mut self, name: &Written, value: &'t Spanned<DeValue<'t>>) -> Option<PhaseEntry> {
        if !matches!(value.get_ref(), DeValue::Table(_)) {
            let message = format!("`{}` stands in [phase] itself, beside phases that have names", name.text);
            let help =
                "every phase has a table of its own, e.g. [phase.a] and [phase.b], each with `rate` and `period`";
            self.mistakes.push(Mistake::at(name.span.clone(), message).help(help));
            return None;
        }
        let fields = self.table(&format!("[phase.{}]", name.text), value)?;
        self.only(&fields, &["rate", "period"]);
        let rate = self.required(&fields, "rate", "add the speed of the phase, e.g. rate = \"omega\"");
        let rate = rate.and_then(|value| self.formula("`rate`", value));
        let period = self.required(&fields, "period", "add the length of the circle, e.g. period = \"2*pi\"");
        let period = period.and_then(|value| self.formula("`period`", value));
        Some(PhaseEntry { name: name.clone(), rate: rate?, period: period? })
    }

    fn units(&mut self, root: &Table<'t>) -> Vec<(Written, String)> {
        let Some(table) = self.subtable(root, "units") else {
            return Vec::new();
        };
        let entries = table.entries().filter_map(|(name, value)| {
            let unit = self.string(&format!("the unit of `{}`", name.text), value)?;
            Some((name.clone(), unit.text))
        });
        entries.collect()
    }
}
