//! The table `[sketch]` of a file.

use toml::Spanned;
use toml::de::DeValue;

use crate::entries::{DiscEntry, LinkEntry, SketchEntry};
use crate::mistake::Mistake;
use crate::shape::{Shape, Table, Written, count};
use crate::sketch::{MOST_PARTS, MOST_POINTS};

const KEYS: [&str; 8] = ["points", "segments", "discs", "springs", "dampers", "walls", "polygons", "arrows"];
/// The smallest sketch, as help.
const SMALLEST: &str = "write e.g. points = { A = [\"x\", 0] } and discs = [{ at = \"A\", radius = 0.1 }]";

impl<'t> Shape<'t> {
    pub(crate) fn sketch(&mut self, root: &Table<'t>) -> Option<SketchEntry> {
        let table = self.subtable(root, "sketch")?;
        let known = self.mistakes.len();
        self.only(&table, &KEYS);
        let points = match table.get("points") {
            Some(value) => self.points(value),
            None => Vec::new(),
        };
        let entry = SketchEntry {
            points,
            segments: self.links(&table, "segments"),
            discs: self.discs(&table),
            springs: self.links(&table, "springs"),
            dampers: self.links(&table, "dampers"),
            walls: self.links(&table, "walls"),
            polygons: self.polygons(&table),
            arrows: self.links(&table, "arrows"),
        };
        let parts = entry.parts();
        if parts == 0 && self.mistakes.len() == known {
            let message = match entry.points.len() {
                0 => "[sketch] is empty",
                _ => "[sketch] has points, but draws nothing at them",
            };
            self.mistakes.push(Mistake::at(table.span.clone(), message).help(SMALLEST));
        }
        for (number, most, what) in [(entry.points.len(), MOST_POINTS, "points"), (parts, MOST_PARTS, "parts")] {
            if number > most {
                let message = format!("the sketch has {number} {what} and may have {most} at most");
                let help = "draw what shows the trajectory, and leave the rest out";
                self.mistakes.push(Mistake::at(table.span.clone(), message).help(help));
            }
        }
        // What is too much is not read on.
        (self.mistakes.len() == known).then_some(entry)
    }

    fn points(&mut self, value: &'t Spanned<DeValue<'t>>) -> Vec<(Written, [Written; 2])> {
        let example = "a point is written A = [x, y], with formulas or numbers, e.g. A = [\"x\", 0]";
        let DeValue::Table(_) = value.get_ref() else {
            self.wrong_type(value, "`points`", "a table", example);
            return Vec::new();
        };
        let Some(table) = self.table("points", value) else { return Vec::new() };
        let mut points = Vec::new();
        for (name, place) in table.entries() {
            let what = format!("the point `{}`", name.text);
            let DeValue::Array(items) = place.get_ref() else {
                self.wrong_type(place, &what, "a list of two coordinates", example);
                continue;
            };
            if items.len() != 2 {
                let found = count(items.len(), "coordinate", "coordinates");
                let message = format!("{what} has {found} and needs two");
                self.mistakes.push(Mistake::at(place.span(), message).help(example));
                continue;
            }
            let mut coordinate = |i: usize| self.formula(&format!("every coordinate of {what}"), &items[i]);
            if let (Some(x), Some(y)) = (coordinate(0), coordinate(1)) {
                points.push((name.clone(), [x, y]));
            }
        }
        points
    }

    /// What joins two points each, written `["A", "B"]` or `{ from = "A", to = "B" }`.
    fn links(&mut self, table: &Table<'t>, key: &str) -> Vec<LinkEntry> {
        let Some(value) = table.get(key) else { return Vec::new() };
        let what = format!("every entry of `{key}`");
        let example =
            format!("write {key} = [[\"A\", \"B\"]], or [{{ from = \"A\", to = \"B\" }}], with names of points");
        let Some(items) = self.list(&format!("`{key}`"), value) else { return Vec::new() };
        let mut links = Vec::new();
        for item in items {
            let ends = match item.get_ref() {
                DeValue::Array(ends) if ends.len() == 2 => {
                    let mut end = |i: usize| self.string(&format!("every point in `{key}`"), &ends[i]);
                    end(0).zip(end(1))
                }
                DeValue::Array(ends) => {
                    let found = count(ends.len(), "point", "points");
                    let message = format!("{what} has two points, but this has {found}");
                    self.mistakes.push(Mistake::at(item.span(), message).help(&example));
                    None
                }
                DeValue::Table(_) => self.table(&format!("an entry of `{key}`"), item).and_then(|fields| {
                    self.only(&fields, &["from", "to"]);
                    let mut end = |key| {
                        let value = self.required(&fields, key, &example)?;
                        self.string(&format!("`{key}`"), value)
                    };
                    end("from").zip(end("to"))
                }),
                _ => {
                    self.wrong_type(item, &what, "a list of two names of points", &example);
                    None
                }
            };
            links.extend(ends.map(|(from, to)| LinkEntry { from, to }));
        }
        links
    }

    fn discs(&mut self, table: &Table<'t>) -> Vec<DiscEntry> {
        let Some(value) = table.get("discs") else { return Vec::new() };
        let example = "write discs = [{ at = \"A\", radius = 0.1 }], and turn = an angle to see it turn";
        let Some(items) = self.list("`discs`", value) else { return Vec::new() };
        let mut discs = Vec::new();
        for item in items {
            let DeValue::Table(_) = item.get_ref() else {
                self.wrong_type(item, "every entry of `discs`", "a table", example);
                continue;
            };
            let Some(fields) = self.table("an entry of `discs`", item) else { continue };
            self.only(&fields, &["at", "radius", "turn"]);
            let at = self.required(&fields, "at", example).and_then(|value| self.string("`at`", value));
            let radius = self.required(&fields, "radius", example).and_then(|value| self.formula("`radius`", value));
            let turn = fields.get("turn").map(|value| self.formula("`turn`", value));
            if let (Some(at), Some(radius)) = (at, radius) {
                discs.push(DiscEntry { at, radius, turn: turn.flatten() });
            }
        }
        discs
    }

    fn polygons(&mut self, table: &Table<'t>) -> Vec<Vec<Written>> {
        let Some(value) = table.get("polygons") else { return Vec::new() };
        let example = "write polygons = [[\"A\", \"B\", \"C\"]], with the names of three or more points";
        let Some(items) = self.list("`polygons`", value) else { return Vec::new() };
        let mut polygons = Vec::new();
        for item in items {
            let DeValue::Array(corners) = item.get_ref() else {
                self.wrong_type(item, "every entry of `polygons`", "a list of names of points", example);
                continue;
            };
            if corners.len() < 3 {
                let message = format!("a polygon has three corners or more, but this has {}", corners.len());
                self.mistakes.push(Mistake::at(item.span(), message).help(example));
                continue;
            }
            let corners = corners.iter().map(|corner| self.string("every point in `polygons`", corner));
            polygons.extend(corners.collect::<Option<Vec<Written>>>());
        }
        polygons
    }
}

impl SketchEntry {
    /// The number of parts.
    fn parts(&self) -> usize {
        let links = [&self.segments, &self.springs, &self.dampers, &self.walls, &self.arrows];
        let links: usize = links.into_iter().map(Vec::len).sum();
        links + self.discs.len() + self.polygons.iter().map(Vec::len).sum::<usize>()
    }
}
