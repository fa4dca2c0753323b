//! The tables of nonsmooth modes: all motions, and the points of families.

use crate::modes::answer::{Answer, Mode, Motion};
use crate::table::{Cell, Table};

/// The motions that were found or asked for, and those along intervals; then the points of families, if there are any.
pub(super) fn tables(answer: &Answer) -> Vec<Table> {
    let modes: Vec<&Mode> = answer.modes.iter().chain(answer.samples.iter().flatten()).collect();
    let motions = modes.iter().map(|mode| Row {
        family: None,
        motion: &mode.motion,
        admissible: mode.admissible,
        spectral_radius: mode.spectral_radius,
    });
    let mut tables = vec![table("motions", motions.collect())];
    if !answer.families.is_empty() {
        let families = answer.families.iter().enumerate();
        let points = families.flat_map(|(i, family)| {
            let of_family = move |motion| Row { family: Some(i), motion, admissible: true, spectral_radius: None };
            family.points.iter().map(of_family)
        });
        tables.push(table("families", points.collect()));
    }
    tables
}

/// A motion with its properties.
struct Row<'a> {
    family: Option<usize>,
    motion: &'a Motion,
    admissible: bool,
    spectral_radius: Option<f64>,
}

/// A row for every trajectory: its family, period, energy, stability, and all times and λ.
fn table(name: &'static str, rows: Vec<Row>) -> Table {
    let k = rows.iter().map(|row| row.motion.ipp).max().unwrap_or(0);
    let mut head: Vec<String> =
        ["family", "period", "energy", "admissible", "spectral_radius"].map(str::to_string).into();
    head.extend((1..=k).map(|i| format!("t{i}")).chain((1..=k).map(|i| format!("lambda{i}"))));
    let padded = |list: &[f64]| (0..k).map(|i| Cell::from(list.get(i).copied())).collect::<Vec<Cell>>();
    let cells = |row: &Row| {
        let motion = row.motion;
        let mut cells: Vec<Cell> = vec![row.family.into(), motion.period.into(), motion.energy.into()];
        cells.extend([row.admissible.into(), row.spectral_radius.into()]);
        cells.extend(padded(&motion.impact_times));
        cells.extend(padded(&motion.lambda));
        cells
    };
    Table { name, head, rows: rows.iter().map(cells).collect() }
}
