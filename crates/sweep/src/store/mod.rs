//! The store of a sweep: a folder that grows block by block and can be resumed.
//!
//! A folder holds `run.json`, the description of the sweep, and one folder for each table with one file for each block:
//!
//! ```text
//! results/run.json
//! results/tasks/00000.parquet    00001.parquet ...
//! results/returns/00000.parquet  00001.parquet ...
//! ```
//!
//! Data frames read a table at once: `pl.read_parquet("results/returns/*.parquet")` in Polars, `pd.read_parquet("results/returns")` in pandas,
//! `'results/returns/*.parquet'` in DuckDB.
//!
//! **Every file appears completely or not at all**: it is written under a hidden name, waited for, and renamed. The file of the first table is
//! written last and commits its block; files of other tables without it are those of a block that was interrupted. A sweep that ends early,
//! even without a warning, is therefore the same sweep with fewer blocks, and resumed it has the same bytes as an uninterrupted one:
//! `run.json` says what is computed, and the files say what is done.
//!
//! **Parts.** Several machines compute parts of one plan, each into its own folder. [`merge`] joins them to the store of the whole plan, with the
//! bytes that one machine would have written.
//!
//! **Damage.** Stores may be cut when they are copied. [`Store::resume`] looks at the end of every file and gives up damaged blocks, to be
//! computed again; a file that is read is examined completely. A CSV file that is cut exactly at the end of a row cannot be told from a
//! shorter table; Parquet files have no such gap.

mod blocks;
mod csv;
mod description;
mod disk;
mod error;
mod folder;
mod format;
mod layout;
mod merge;
#[cfg(feature = "parquet")]
mod parquet;
mod part;
#[cfg(test)]
mod tests;

pub use error::{Difference, StoreError};
pub use folder::Store;
pub use format::Format;
pub use layout::{Encoded, Layout};
pub use merge::merge;
pub use part::Part;
