//! Reads the body of a model file: a flow, a mechanical system, a Lagrangian, or matrices.

use toml::de::DeValue;

use crate::entries::{BodyEntry, LagrangianEntry};
use crate::mistake::Mistake;
use crate::shape::{Shape, Table, Written, count};

const BODIES: [&str; 4] = ["flow", "mechanics", "lagrangian", "matrices"];
const COORDINATES: &str = "add e.g. coordinates = [\"x\"]";
const VELOCITIES: &str = "add a name for the rate of change of each coordinate, e.g. velocities = [\"y\"]";

impl<'t> Shape<'t> {
    /// The one body of the file.
    pub(crate) fn body(&mut self, root: &Table<'t>) -> Option<BodyEntry> {
        let present: Vec<&str> = BODIES.into_iter().filter(|body| root.get(body).is_some()).collect();
        match present.as_slice() {
            [] => {
                let help = "add one of [flow], [mechanics], [lagrangian] and [matrices]";
                self.mistakes.push(Mistake::general("the model has no body that moves").help(help));
                return None;
            }
            [_] => {}
            [first, second, ..] => {
                let message = format!("a model has one body, but this one has [{first}] and [{second}]");
                let (a, b) = (root.key_span(first), root.key_span(second));
                let later = if a.start > b.start { a } else { b };
                self.mistakes.push(Mistake::at(later, message).help("remove one of them"));
                return None;
            }
        }
        let table = self.subtable(root, present[0])?;
        match present[0] {
            "flow" => {
                let rates = self.named_formulas(&table);
                if table.entries().next().is_none() {
                    let help = "write the rate of change of each state, e.g. x = \"y\"";
                    self.mistakes.push(Mistake::at(table.span.clone(), "[flow] has no states").help(help));
                }
                Some(BodyEntry::Flow { rates })
            }
            "mechanics" => self.mechanics(&table),
            "lagrangian" => self.lagrangian(&table),
            _ => self.matrices(&table).map(|entry| BodyEntry::Matrices(Box::new(entry))),
        }
    }

    fn mechanics(&mut self, table: &Table<'t>) -> Option<BodyEntry> {
        self.only(table, &["coordinates", "velocities", "M", "h"]);
        let names = self.coordinates_and_velocities(table);
        let mass = self.mass(table);
        let force = self.formulas(table, "h", "add the right side of M dv/dt = h, one formula for each coordinate");
        let ((coordinates, velocities), mass, force) = (names?, mass?, force?);
        let n = coordinates.len();
        let wanted = count(n, "coordinate", "coordinates");
        let help = "M has one row and one column for each coordinate";
        if mass.len() != n {
            let message = format!("M has {} for {wanted}", count(mass.len(), "row", "rows"));
            self.mistakes.push(Mistake::at(table.key_span("M"), message).help(help));
        } else if let Some(row) = mass.iter().find(|row| row.len() != n) {
            let message = format!("a row of M has {} for {wanted}", count(row.len(), "entry", "entries"));
            self.mistakes.push(Mistake::at(table.key_span("M"), message).help(help));
        }
        if force.len() != n {
            let message = format!("h has {} for {wanted}", count(force.len(), "entry", "entries"));
            let help = "h is the right side of M dv/dt = h, one formula for each coordinate";
            self.mistakes.push(Mistake::at(table.key_span("h"), message).help(help));
        }
        Some(BodyEntry::Mechanics { coordinates, velocities, mass, force })
    }

    /// M as rows, or its diagonal.
    fn mass(&mut self, table: &Table<'t>) -> Option<Vec<Vec<Written>>> {
        let help = "add the mass matrix, e.g. M = [[\"m\"]] or M = { diagonal = [\"m1\", \"m2\"] }";
        let value = self.required(table, "M", help)?;
        if let DeValue::Table(_) = value.get_ref() {
            let fields = self.table("M", value)?;
            self.only(&fields, &["diagonal"]);
            let diagonal = self.formulas(&fields, "diagonal", help)?;
            let row = |i: usize| {
                let entries = diagonal.iter().enumerate();
                entries.map(|(j, entry)| if i == j { entry.clone() } else { entry.instead("0") }).collect()
            };
            return Some((0..diagonal.len()).map(row).collect());
        }
        let rows = self.list("`M`", value)?;
        rows.into_iter().map(|row| self.formula_list("M", row)).collect()
    }

    fn lagrangian(&mut self, table: &Table<'t>) -> Option<BodyEntry> {
        self.only(table, &["coordinates", "velocities", "L", "dissipation", "forces"]);
        let names = self.coordinates_and_velocities(table);
        let lagrangian = self.required(table, "L", "add L = kinetic minus potential energy");
        let lagrangian = lagrangian.and_then(|value| self.formula("`L`", value));
        let dissipation = table.get("dissipation").and_then(|value| self.formula("`dissipation`", value));
        let (coordinates, velocities) = names?;
        let forces = self.forces(table, &coordinates);
        Some(BodyEntry::Lagrangian(LagrangianEntry {
            coordinates,
            velocities,
            lagrangian: lagrangian?,
            dissipation,
            forces,
        }))
    }

    /// Forces as a list in the order of the coordinates, or as a table by their names.
    fn forces(&mut self, table: &Table<'t>, coordinates: &[Written]) -> Vec<(usize, Written)> {
        let Some(value) = table.get("forces") else {
            return Vec::new();
        };
        if let DeValue::Table(_) = value.get_ref() {
            let Some(fields) = self.table("forces", value) else {
                return Vec::new();
            };
            let names: Vec<&str> = coordinates.iter().map(|name| name.text.as_str()).collect();
            self.only(&fields, &names);
            let entries = self.named_formulas(&fields);
            let index = |name: &Written| names.iter().position(|known| *known == name.text);
            return entries.into_iter().filter_map(|(name, force)| Some((index(&name)?, force))).collect();
        }
        let forces = self.formula_list("forces", value).unwrap_or_default();
        if !forces.is_empty() && forces.len() != coordinates.len() {
            let wanted = count(coordinates.len(), "coordinate", "coordinates");
            let message = format!("`forces` has {} for {wanted}", count(forces.len(), "entry", "entries"));
            let help = "give one for each coordinate, in their order, or name them: forces = { q1 = \"T\" }";
            self.mistakes.push(Mistake::at(table.key_span("forces"), message).help(help));
        }
        forces.into_iter().enumerate().collect()
    }

    fn coordinates_and_velocities(&mut self, table: &Table<'t>) -> Option<(Vec<Written>, Vec<Written>)> {
        let mut names = |key: &str, help: &str| -> Option<Vec<Written>> {
            let value = self.required(table, key, help)?;
            let items = self.list(&format!("`{key}`"), value)?;
            items.into_iter().map(|item| self.string(&format!("every entry of `{key}`"), item)).collect()
        };
        let (coordinates, velocities) = (names("coordinates", COORDINATES), names("velocities", VELOCITIES));
        let (coordinates, velocities) = (coordinates?, velocities?);
        if coordinates.is_empty() {
            let message = format!("{} has no coordinates", table.title);
            self.mistakes.push(Mistake::at(table.key_span("coordinates"), message).help(COORDINATES));
            return None;
        }
        if coordinates.len() != velocities.len() {
            let message = format!(
                "every coordinate has one velocity, but there are {} and {}",
                count(coordinates.len(), "coordinate", "coordinates"),
                count(velocities.len(), "velocity", "velocities")
            );
            let help = "name the rate of change of each coordinate, in the order of the coordinates";
            self.mistakes.push(Mistake::at(table.key_span("velocities"), message).help(help));
            return None;
        }
        Some((coordinates, velocities))
    }
}
