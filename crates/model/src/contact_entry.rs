//! Reads the tables `[contacts]` and `[sections]` of a model file.

use std::ops::Range;

use toml::de::DeValue;

use crate::contact::{ImpactLaw, Impacts, Together};
use crate::entries::{BodyEntry, ContactEntry, FrictionEntry, GapWritten, LawEntry, SectionEntry};
use crate::mistake::Mistake;
use crate::section::Direction;
use crate::shape::{Shape, Table};

impl<'t> Shape<'t> {
    pub(crate) fn contacts(&mut self, root: &Table<'t>, body: &BodyEntry) -> Vec<ContactEntry> {
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
            let friction = self.friction(&fields, mechanical);
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
                contacts.push(ContactEntry { name: name.clone(), gap, law, friction });
            }
        }
        contacts
    }

    /// The friction of a contact: `friction` with its law, `track` and `belt`.
    pub(crate) fn friction(&mut self, fields: &Table<'t>, mechanical: bool) -> Option<FrictionEntry> {
        let Some(value) = fields.get("friction") else {
            for key in ["track", "belt"] {
                if fields.get(key).is_some() {
                    let message =
                        format!("`{key}` is for contacts and constraints with friction, and {} has none", fields.title);
                    let help = "add friction = { law = \"coulomb\", mu = 0.3 }, or remove this line";
                    self.mistakes.push(Mistake::at(fields.key_span(key), message).help(help));
                }
            }
            return None;
        };
        if !mechanical {
            let message = "a [flow] has no forces, so its contacts have no friction";
            let help = "write the system as [mechanics] or [lagrangian], or put friction into the jump";
            self.mistakes.push(Mistake::at(fields.key_span("friction"), message).help(help));
            return None;
        }
        if !matches!(value.get_ref(), DeValue::Table(_)) {
            self.wrong_type(value, "`friction`", "a table", "write friction = { law = \"coulomb\", mu = 0.3 }");
            return None;
        }
        let table = self.table("friction", value)?;
        self.only(&table, &["law", "mu", "mu_static"]);
        let law = self.required(&table, "law", "add law = \"coulomb\"").and_then(|law| self.string("`law`", law));
        if let Some(law) = law
            && law.text != "coulomb"
        {
            let message = format!("`law` must be \"coulomb\", not \"{}\"", law.text);
            self.mistakes.push(Mistake::at(law.span, message).help("write law = \"coulomb\""));
        }
        let coefficient = self.required(&table, "mu", "add the coefficient of friction, e.g. mu = 0.3");
        let coefficient = coefficient.and_then(|value| self.formula("`mu`", value));
        let held = table.get("mu_static").and_then(|value| self.formula("`mu_static`", value));
        let help = "friction needs the position along the surface, e.g. track = \"x\"";
        let track = self.required(fields, "track", help).and_then(|value| self.formula("`track`", value));
        let belt = fields.get("belt").and_then(|value| self.formula("`belt`", value));
        Some(FrictionEntry { coefficient: coefficient?, held, track: track?, belt })
    }

    /// The treatment of impacts with several contacts. A flow has no impulses: it may only refuse.
    pub(crate) fn impacts(&mut self, root: &Table<'t>, body: Option<&BodyEntry>) -> Impacts {
        let mut impacts = Impacts::default();
        let Some(table) = self.subtable(root, "impacts") else {
            return impacts;
        };
        self.only(&table, &["together", "law"]);
        if let Some(BodyEntry::Flow { .. }) = body {
            for key in ["together", "law"] {
                let refused =
                    |value: &DeValue<'_>| key == "together" && matches!(value, DeValue::String(s) if s == "refuse");
                if table.get(key).is_some_and(|value| !refused(value.get_ref())) {
                    let message =
                        format!("a [flow] has no masses and no impulses, so `{key}` of [impacts] cannot be used");
                    let help = match key {
                        "law" => "remove this line: the jump of a contact is its law",
                        _ => "write together = \"refuse\", or the system as [mechanics] or [lagrangian]",
                    };
                    self.mistakes.push(Mistake::at(table.key_span(key), message).help(help));
                }
            }
            if table.get("together").is_some() {
                impacts.together = Together::Refuse;
            }
            return impacts;
        }
        let together = self.word(&table, "together", &["lcp", "sequence", "refuse"]);
        match together.as_deref() {
            Some("lcp") => impacts.together = Together::Complementarity,
            Some("sequence") => impacts.together = Together::Sequence,
            Some(_) => impacts.together = Together::Refuse,
            None => {}
        }
        if self.word(&table, "law", &["newton", "poisson"]).as_deref() == Some("poisson") {
            impacts.law = ImpactLaw::Poisson;
        }
        impacts
    }

    /// The text under `key`, which must be one of a few words.
    fn word(&mut self, table: &Table<'t>, key: &str, words: &[&str]) -> Option<String> {
        let written = self.optional_string(table, key)?;
        if words.contains(&written.text.as_str()) {
            return Some(written.text);
        }
        let choice: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
        let (last, others) = choice.split_last()?;
        let known = if others.is_empty() { last.clone() } else { format!("{} or {last}", others.join(", ")) };
        let message = format!("`{key}` must be {known}, not \"{}\"", written.text);
        self.mistakes.push(Mistake::at(written.span, message).help(format!("write {key} = {}", choice[0])));
        None
    }

    pub(crate) fn sections(&mut self, root: &Table<'t>) -> Vec<SectionEntry> {
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
            let direction = self.direction(&fields);
            sections.push(SectionEntry { name: name.clone(), when, direction });
        }
        sections
    }

    /// The direction in which a formula crosses zero, with its place, if there is one.
    pub(crate) fn direction(&mut self, fields: &Table<'t>) -> Option<(Direction, Range<usize>)> {
        let word = self.optional_string(fields, "direction")?;
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
    }
}
