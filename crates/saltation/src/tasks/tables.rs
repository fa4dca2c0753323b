//! The tables of a block of tasks: tasks, returns and impacts, as a folder holds them.

use crate::table::{Cell, Table};
use saltation_motion::System;
use saltation_sweep::table::{Column, Frame};
use saltation_sweep::{Block, Names, Plan, TABLES};

/// The tables of one block.
pub(crate) fn of_block(block: &Block, names: &Names, plan: &Plan, system: &System) -> [Table; 3] {
    let frames = block.frames(names, plan, system);
    std::array::from_fn(|place| table(TABLES[place], &frames[place]))
}

fn table(name: &'static str, frame: &Frame) -> Table {
    let head = frame.columns.iter().map(|(name, _)| name.clone()).collect();
    Table { name, head, rows: (0..frame.rows()).map(|row| cells(frame, row)).collect() }
}

fn cells(frame: &Frame, row: usize) -> Vec<Cell> {
    let cell = |(_, column): &(String, Column)| match column {
        Column::Numbers(list) => Cell::Number(list[row]),
        Column::Counts(list) => Cell::Count(list[row]),
        Column::Words(list) => Cell::Word(list[row].clone()),
    };
    frame.columns.iter().map(cell).collect()
}
