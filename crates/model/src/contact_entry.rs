//! What does the file say about contacts and sections?

use toml::de::DeValue;

use crate::file::{BodyEntry, ContactEntry, GapWritten, LATER, LawEntry, SectionEntry};
use crate::mistake::Mistake;
use crate::section::Direction;
use crate::shape::{Shape, Table};

impl<'t> Shape<'t> {
    pub fn contacts(&mut self, root: &Table<'t>, body: &BodyEntry) -> Vec<ContactEntry> {
        let mechanical = !matches!(body, BodyEntry::Flow { .. });
        let Some(table) = self.subtable(root, "contacts") else {
            return Vec::new();
        };
        let mut contacts = Vec::new();
        for (name, value) in table.entries() {
            let title = format!("[contacts.{}]", name.text);
            let Some(fields) = self.table(&title, value) else {
                continue;
            };
            self.only(&fields, &["gap", "restitution", "jump", "friction", "track", "belt"]);
            for key in ["friction", "track", "belt"] {
                if fields.get(key).is_some() {
                    let mistake = Mistake::at(fields.key_span(key), format!("`{key}` of a contact is {LATER}"));
                    self.mistakes.push(mistake.help("remove this line: all contacts are without friction"));
                }
            }
            let gap = self.required(&fields, "gap", "add the distance to the obstacle, e.g. gap = \"x\"");
            let gap = gap.and_then(|value| match (body, value.get_ref()) {
                (BodyEntry::Matrices(_), DeValue::Table(_)) => self.weights(value).map(GapWritten::Weights),
                (_, DeValue::Table(_)) => {
                    let help = "weights of degrees of freedom are for [matrices]: write a formula such as \"1 - x\"";
                    self.wrong_type(value, "`gap`", "a number or a formula in quotes", help);
                    None
                }
                _ => self.formula("`gap`", value).map(GapWritten::Formula),
            });
            let (law, other, why) = if mechanical {
                ("restitution", "jump", "the masses and the restitution give the jump of a mechanical body")
            } else {
                (
                    "jump",
                    "restitution",
                    "a [flow] has no masses, so it says how its states jump, e.g. jump = { y = \"-r*y\" }",
                )
            };
            if fields.get(other).is_some() {
                let body = if mechanical { "mechanical body" } else { "[flow]" };
                let message = format!("a contact of a {body} has `{law}`, not `{other}`");
                self.mistakes.push(Mistake::at(fields.key_span(other), message).help(why));
                continue;
            }
            let help = if mechanical { "add e.g. restitution = 0.8" } else { "add e.g. jump = { y = \"-r*y\" }" };
            let Some(value) = self.required(&fields, law, help) else {
                continue;
            };
            let law = if mechanical {
                self.formula("`restitution`", value).map(LawEntry::Restitution)
            } else {
                let table = self.table("jump", value);
                table.map(|table| LawEntry::Jump(self.named_formulas(&table)))
            };
            if let (Some(gap), Some(law)) = (gap, law) {
                contacts.push(ContactEntry { name: name.clone(), gap, law });
            }
        }
        contacts
    }

    pub fn sections(&mut self, root: &Table<'t>) -> Vec<SectionEntry> {
        let Some(table) = self.subtable(root, "sections") else {
            return Vec::new();
        };
        let mut sections = Vec::new();
        for (name, value) in table.entries() {
            let Some(fields) = self.table(&format!("[sections.{}]", name.text), value) else {
                continue;
            };
            self.only(&fields, &["when", "direction"]);
            let help = "add a formula that is zero on the section, or when = \"contact NAME\"";
            let Some(when) = self.required(&fields, "when", help) else {
                continue;
            };
            let Some(when) = self.formula("`when`", when) else {
                continue;
            };
            let direction = self.optional_string(&fields, "direction").and_then(|word| {
                let direction = match word.text.as_str() {
                    "rising" => Direction::Rising,
                    "falling" => Direction::Falling,
                    "any" => Direction::Any,
                    _ => {
                        let message = format!("`direction` must be rising, falling or any, not `{}`", word.text);
                        let help = "write rising (`when` grows through zero), falling (it shrinks through zero) or any";
                        self.mistakes.push(Mistake::at(word.inside(), message).help(help));
                        return None;
                    }
                };
                Some((direction, word.span))
            });
            sections.push(SectionEntry { name: name.clone(), when, direction });
        }
        sections
    }
}
