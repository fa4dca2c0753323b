//! The table `[symmetry]` of a file.

use toml::de::DeValue;

use crate::entries::SymmetryEntry;
use crate::mistake::Mistake;
use crate::shape::{Shape, Table};

impl<'t> Shape<'t> {
    pub(crate) fn symmetry(&mut self, root: &Table<'t>) -> Option<SymmetryEntry> {
        let table = self.subtable(root, "symmetry")?;
        self.only(&table, &["signs", "phase"]);
        if table.entries().next().is_none() {
            let help = "name the states that change sign, e.g. signs = { x = -1 }, or remove the table";
            self.mistakes.push(Mistake::at(table.span.clone(), "[symmetry] is empty").help(help));
        }
        let signs = table.get("signs").and_then(|value| match value.get_ref() {
            DeValue::Table(_) => self.table("signs", value).map(|signs| self.named_formulas(&signs)),
            _ => {
                self.wrong_type(
                    value,
                    "`signs`",
                    "a table",
                    "write the state that changes sign, as in signs = { x = -1 }",
                );
                None
            }
        });
        let phase = table.get("phase").and_then(|value| self.formula("`phase`", value));
        let phase = phase.map(|written| (table.key_span("phase"), written));
        Some(SymmetryEntry { span: table.span.clone(), signs: signs.unwrap_or_default(), phase })
    }
}
