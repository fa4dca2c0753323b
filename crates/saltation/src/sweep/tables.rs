//! The tables of a sweep: tasks, returns and impacts, as the blocks of its folder hold them.

use crate::sweep::Swept;
use crate::table::{Cell, Table};
use saltation_sweep::table::{Column, Frame};
use saltation_sweep::{Block, TABLES};

/// The tables of everything that is kept in memory or in the folder.
pub(crate) fn tables(swept: &Swept) -> Vec<Table> {
    let mut tables: Vec<Table> = Vec::new();
    let Ok(system) = swept.system.compiled() else { return tables };
    let take = |tables: &mut Vec<Table>, block: &Block| {
        for (place, frame) in block.frames(&swept.names, &swept.plan, system).iter().enumerate() {
            if tables.len() <= place {
                let head = frame.columns.iter().map(|(name, _)| name.clone()).collect();
                tables.push(Table { name: TABLES[place], head, rows: Vec::new() });
            }
            tables[place].rows.extend((0..frame.rows()).map(|row| cells(frame, row)));
        }
    };
    // What cannot be read again is left out: reading it was tried when the answer was made.
    let _ = swept.finished.kept.each(&swept.names, &swept.plan, |block| take(&mut tables, block));
    tables
}

fn cells(frame: &Frame, row: usize) -> Vec<Cell> {
    let cell = |(_, column): &(String, Column)| match column {
        Column::Numbers(list) => Cell::Number(list[row]),
        Column::Counts(list) => Cell::Count(list[row]),
        Column::Words(list) => Cell::Word(list[row].clone()),
    };
    frame.columns.iter().map(cell).collect()
}
