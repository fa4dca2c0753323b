//! The formats of tables: a table becomes bytes and bytes a table, without any other effect.

use crate::store::csv;
use crate::store::disk::Tail;
use crate::store::error::StoreError;
#[cfg(feature = "parquet")]
use crate::store::parquet;
use crate::table::Frame;
use serde::{Deserialize, Serialize};

/// The format of tables. Both keep all bits of numbers, apart from the kinds of NaN in CSV.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Compressed columns with types, for data frames. Only with the feature `parquet`.
    Parquet,
    /// Text that every program reads.
    Csv,
}

impl Format {
    /// The ending of its files.
    pub fn ending(self) -> &'static str {
        match self {
            Format::Parquet => "parquet",
            Format::Csv => "csv",
        }
    }

    /// Whether this program can write and read it.
    pub fn is_available(self) -> bool {
        self == Format::Csv || cfg!(feature = "parquet")
    }

    /// An error if this program cannot write and read it.
    pub(super) fn available(self) -> Result<(), StoreError> {
        if self.is_available() { Ok(()) } else { Err(StoreError::NoParquet) }
    }

    /// The bytes of a table: the same for the same table.
    pub(super) fn encode(self, frame: &Frame) -> Result<Vec<u8>, String> {
        match self {
            #[cfg(feature = "parquet")]
            Format::Parquet => parquet::encode(frame),
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => Err(StoreError::NoParquet.to_string()),
            Format::Csv => csv::encode(frame),
        }
    }

    /// The table in these bytes, with the names and kinds of `form`.
    pub(super) fn decode(self, bytes: &[u8], form: &Frame) -> Result<Frame, String> {
        match self {
            #[cfg(feature = "parquet")]
            Format::Parquet => parquet::decode(bytes, form),
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => Err(StoreError::NoParquet.to_string()),
            Format::Csv => csv::decode(bytes, form),
        }
    }

    /// Whether the end of a file is that of a whole one.
    pub(super) fn intact(self, tail: &Tail, form: &Frame) -> Result<(), String> {
        match self {
            #[cfg(feature = "parquet")]
            Format::Parquet => parquet::intact(tail, form),
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => Err(StoreError::NoParquet.to_string()),
            Format::Csv => csv::intact(tail, form),
        }
    }
}
