//! Reads the tables of systems that switch or are constrained: `[switches]`, `[friction]`, `[complementarity]`, `[constraints]`, `[events]` and `[discrete]`.

use toml::Spanned;
use toml::de::DeValue;

use crate::entries::{ComplementarityEntry, ConstraintEntry, DiscreteEntry, DryEntry, EventEntry, SwitchEntry};
use crate::mistake::Mistake;
use crate::section::Direction;
use crate::shape::{Shape, Table, Written};

impl<'t> Shape<'t> {
    /// `[switches.NAME]` with `when`.
    pub(crate) fn switches(&mut self, root: &Table<'t>) -> Vec<SwitchEntry> {
        let read = |shape: &mut Self, name: &Written, fields: &Table<'t>| {
            shape.only(fields, &["when"]);
            let help = "add a formula that is zero where the field changes, e.g. when = \"v - belt\"";
            let when = shape.required(fields, "when", help)?;
            Some(SwitchEntry { name: name.clone(), when: shape.formula("`when`", when)? })
        };
        self.named_tables(root, "switches", read)
    }

    /// `[friction.NAME]` with `track`, `force`, `static` and `belt`.
    pub(crate) fn frictions(&mut self, root: &Table<'t>) -> Vec<DryEntry> {
        let read = |shape: &mut Self, name: &Written, fields: &Table<'t>| {
            let foreign = [
                (
                    "mu",
                    "a coefficient of friction belongs to a contact; here `force` is the friction itself, e.g. force = \"mu*N\"",
                ),
                (
                    "law",
                    "dry friction has one law: `force` while it slips, and `static` while it sticks, if that is another",
                ),
            ];
            shape.only_with(fields, &["track", "force", "static", "belt"], &foreign);
            let help = "add the position along which it slips, e.g. track = \"x\"";
            let track = shape.required(fields, "track", help).and_then(|value| shape.formula("`track`", value));
            let help = "add the modulus of the force while it slips, e.g. force = \"F\"";
            let force = shape.required(fields, "force", help).and_then(|value| shape.formula("`force`", value));
            let held = fields.get("static").map(|value| shape.formula("`static`", value));
            let belt = fields.get("belt").map(|value| shape.formula("`belt`", value));
            let (held, belt) =
                (held.map_or(Some(None), |held| held.map(Some)), belt.map_or(Some(None), |belt| belt.map(Some)));
            Some(DryEntry { name: name.clone(), track: track?, force: force?, held: held?, belt: belt? })
        };
        self.named_tables(root, "friction", read)
    }

    /// `[constraints.NAME]` with `keep` or `rate`, and `friction`, `track` and `belt` as a contact.
    pub(crate) fn constraints(&mut self, root: &Table<'t>) -> Vec<ConstraintEntry> {
        let read = |shape: &mut Self, name: &Written, fields: &Table<'t>| {
            shape.only(fields, &["keep", "rate", "friction", "track", "belt"]);
            let of_positions = match (fields.get("keep"), fields.get("rate")) {
                (Some(_), Some(_)) => {
                    let message = format!("{} has `keep` and `rate`, and is one constraint", fields.title);
                    let help = "`keep` has its rate zero, too: remove `rate`, or write two constraints";
                    shape.mistakes.push(Mistake::at(fields.key_span("rate"), message).help(help));
                    return None;
                }
                (None, Some(_)) => false,
                _ => true,
            };
            let key = if of_positions { "keep" } else { "rate" };
            let help = "add a formula of coordinates that stays zero, e.g. keep = \"x^2 + y^2 - L^2\", or one of velocities, e.g. rate = \"v - r*w\"";
            let value = shape.required(fields, key, help)?;
            let keep = shape.formula(&format!("`{key}`"), value)?;
            if !of_positions && fields.get("friction").is_some() {
                let message = format!("{} is a constraint on velocities, and has no friction", fields.title);
                let help = "friction belongs to a constraint on positions with a `track`: write `keep`, or add the friction as [friction.NAME]";
                shape.mistakes.push(Mistake::at(fields.key_span("friction"), message).help(help));
                return None;
            }
            let friction = shape.friction(fields, true);
            Some(ConstraintEntry { name: name.clone(), keep, of_positions, friction })
        };
        self.named_tables(root, "constraints", read)
    }

    /// `[complementarity.NAME]` with `multiplier` and `value`.
    pub(crate) fn complementarities(&mut self, root: &Table<'t>) -> Vec<ComplementarityEntry> {
        let read = |shape: &mut Self, name: &Written, fields: &Table<'t>| {
            let foreign = [
                (
                    "gap",
                    "the quantity that is not negative is `value`; a distance whose acceleration feels the force is a contact",
                ),
                ("force", "the name of the other quantity is `multiplier`, e.g. multiplier = \"i\""),
            ];
            shape.only_with(fields, &["multiplier", "value"], &foreign);
            let help = "name the quantity that acts where `value` is zero, e.g. multiplier = \"i\"";
            let multiplier = shape.required(fields, "multiplier", help);
            let multiplier = multiplier.and_then(|value| shape.string("`multiplier`", value));
            let help = "add the quantity that is zero where the multiplier acts, e.g. value = \"R*i - u\"";
            let value = shape.required(fields, "value", help).and_then(|value| shape.formula("`value`", value));
            Some(ComplementarityEntry { name: name.clone(), multiplier: multiplier?, value: value? })
        };
        self.named_tables(root, "complementarity", read)
    }

    /// `[events.NAME]` with `when`, `direction`, `if`, `jump` and `stop`.
    pub(crate) fn events(&mut self, root: &Table<'t>) -> Vec<EventEntry> {
        let read = |shape: &mut Self, name: &Written, fields: &Table<'t>| {
            shape.only(fields, &["when", "direction", "if", "jump", "stop"]);
            let help = "add a formula that is zero where the state jumps, e.g. when = \"v - 1\"";
            let when = shape.required(fields, "when", help).and_then(|value| shape.formula("`when`", value));
            let direction = shape.direction(fields).map(|(direction, _)| direction);
            let condition = fields.get("if").map(|value| shape.formula("`if`", value));
            let stops = shape.flag(fields, "stop")?;
            let help = "add the states that jump with what they become, e.g. jump = { v = \"0\" }, or stop = true, which ends the trajectory there";
            let jump = match fields.get("jump") {
                None if stops => Vec::new(),
                _ => {
                    let jump = shape.required(fields, "jump", help).and_then(|value| shape.table("jump", value))?;
                    shape.named_formulas(&jump)
                }
            };
            if jump.is_empty() && !stops {
                let message = format!("the jump of event `{}` is empty", name.text);
                shape.mistakes.push(Mistake::at(name.span.clone(), message).help(help));
            }
            let condition = match condition {
                None => None,
                Some(condition) => Some(condition?),
            };
            let direction = direction.unwrap_or(Direction::Any);
            Some(EventEntry { name: name.clone(), when: when?, direction, condition, jump, stops })
        };
        self.named_tables(root, "events", read)
    }

    /// `[discrete]`, `name = { value = 0, values = [0, 1] }`.
    pub(crate) fn discrete(&mut self, root: &Table<'t>) -> Vec<DiscreteEntry> {
        let read = |shape: &mut Self, name: &Written, fields: &Table<'t>| {
            shape.only(fields, &["value", "values"]);
            let value = shape.required(fields, "value", "add the value at the start, e.g. value = 0");
            let value = value.and_then(|value| shape.formula("`value`", value));
            let values = shape.formulas(fields, "values", "add all values it may have, e.g. values = [0, 1]")?;
            if values.is_empty() {
                let message = format!("the discrete state `{}` has no values", name.text);
                let help = "list all values it may have, e.g. values = [0, 1]";
                shape.mistakes.push(Mistake::at(fields.key_span("values"), message).help(help));
            }
            Some(DiscreteEntry { name: name.clone(), value: value?, values })
        };
        self.named_tables(root, "discrete", read)
    }

    /// Every table `[key.NAME]`, read by a function of its name and fields.
    fn named_tables<T>(
        &mut self,
        root: &Table<'t>,
        key: &str,
        mut read: impl FnMut(&mut Self, &Written, &Table<'t>) -> Option<T>,
    ) -> Vec<T> {
        let Some(table) = self.subtable(root, key) else { return Vec::new() };
        let entries: Vec<(Written, &'t Spanned<DeValue<'t>>)> = table.entries().cloned().collect();
        let mut tables = Vec::new();
        for (name, value) in entries {
            let Some(fields) = self.table(&format!("[{key}.{}]", name.text), value) else { continue };
            tables.extend(read(self, &name, &fields));
        }
        tables
    }
}
