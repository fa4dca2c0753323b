//! The tables of a sweep: tasks, returns and impacts, as the blocks of its folder hold them.

use crate::sweep::Swept;
use crate::table::Table;
use crate::tasks::tables::of_block;
use saltation_sweep::Block;

/// The tables of everything that is kept in memory or in the folder.
pub(crate) fn tables(swept: &Swept) -> Vec<Table> {
    let mut tables: Vec<Table> = Vec::new();
    let Ok(system) = swept.system.compiled() else { return tables };
    let take = |tables: &mut Vec<Table>, block: &Block| {
        for (place, table) in of_block(block, &swept.names, &swept.plan, system).into_iter().enumerate() {
            match tables.get_mut(place) {
                Some(begun) => begun.rows.extend(table.rows),
                None => tables.push(table),
            }
        }
    };
    // What cannot be read again is left out: reading it was tried when the answer was made.
    let _ = swept.finished.kept.each(&swept.names, &swept.plan, |block| take(&mut tables, block));
    tables
}
