//! Tables as Parquet files of one row group: columns without gaps, compressed by LZ4, equal bytes for equal tables.

use crate::store::disk::Tail;
use crate::store::error::ZSTD;
use crate::table::{Column, Frame};
use bytes::Bytes;
use parquet::basic::{Compression, ConvertedType, LogicalType, Repetition, Type as Physical};
use parquet::column::reader::ColumnReader;
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::{KeyValue, ParquetMetaDataReader};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnPath, Type};
use std::sync::Arc;

/// The writer that the files name. It is fixed, so that another version of a library does not change their bytes by its name.
const WRITER: &str = "saltation";

/// The fault of a file with other columns than those of its table.
const OTHERS: &str = "its columns are others";

/// The entry of the description of a file that holds the check of the bytes before.
const CHECK: &str = "check";

/// The bytes of a table.
pub(super) fn encode(frame: &Frame) -> Result<Vec<u8>, String> {
    write(frame).map_err(|error| error.to_string())
}

fn write(frame: &Frame) -> Result<Vec<u8>, ParquetError> {
    let mut file = SerializedFileWriter::new(Vec::new(), schema(frame)?, Arc::new(properties(frame)?))?;
    // Without rows there is nothing but a description.
    if frame.rows() > 0 {
        let mut rows = file.next_row_group()?;
        for (_, entries) in &frame.columns {
            let Some(mut column) = rows.next_column()? else { break };
            match entries {
                Column::Numbers(entries) => {
                    // The sign of what is not a number depends on the processor.
                    let entries: Vec<f64> = entries.iter().map(|x| if x.is_nan() { f64::NAN } else { *x }).collect();
                    column.typed::<DoubleType>().write_batch(&entries, None, None)?
                }
                Column::Counts(entries) => {
                    let entries: Vec<i64> = entries.iter().map(|count| count.cast_signed()).collect();
                    column.typed::<Int64Type>().write_batch(&entries, None, None)?
                }
                Column::Words(entries) => {
                    let entries: Vec<ByteArray> = entries.iter().map(|word| word.as_str().into()).collect();
                    column.typed::<ByteArrayType>().write_batch(&entries, None, None)?
                }
            };
            column.close()?;
        }
        rows.close()?;
    }
    file.flush()?;
    let check = check(file.inner());
    file.append_key_value_metadata(KeyValue::new(CHECK.to_string(), check));
    file.into_inner()
}

/// A number that changes with the bytes of the columns (FNV-1a), so that no reader sees those of a damaged file.
fn check(bytes: &[u8]) -> String {
    let add = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    format!("{:016x}", bytes.iter().fold(0xcbf2_9ce4_8422_2325, add))
}

fn schema(frame: &Frame) -> Result<Arc<Type>, ParquetError> {
    let columns = frame.columns.iter().map(|(name, column)| {
        let (physical, logical, converted) = match column {
            Column::Numbers(_) => (Physical::DOUBLE, None, ConvertedType::NONE),
            Column::Counts(_) => (Physical::INT64, Some(LogicalType::integer(64, false)), ConvertedType::UINT_64),
            Column::Words(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String), ConvertedType::UTF8),
        };
        let column = Type::primitive_type_builder(name, physical).with_repetition(Repetition::REQUIRED);
        Ok(Arc::new(column.with_logical_type(logical).with_converted_type(converted).build()?))
    });
    let columns = columns.collect::<Result<Vec<_>, ParquetError>>()?;
    Ok(Arc::new(Type::group_type_builder(&frame.name).with_fields(columns).build()?))
}

fn properties(frame: &Frame) -> Result<WriterProperties, ParquetError> {
    let table = KeyValue::new("table".to_string(), frame.name.clone());
    let mut properties = WriterProperties::builder()
        .set_created_by(WRITER.to_string())
        .set_key_value_metadata(Some(vec![table]))
        .set_compression(Compression::LZ4_RAW)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_offset_index_disabled(true)
        .set_max_row_group_row_count(None)
        // Numbers seldom repeat, words often do.
        .set_dictionary_enabled(false);
    for (name, _) in frame.columns.iter().filter(|(_, column)| matches!(column, Column::Words(_))) {
        properties = properties.set_column_dictionary_enabled(ColumnPath::new(vec![name.clone()]), true);
    }
    Ok(properties.build())
}

/// The table in these bytes, with the names and kinds of `form`.
pub(super) fn decode(bytes: &[u8], form: &Frame) -> Result<Frame, String> {
    // The library trusts the description and the headers of pages, so that both must be right.
    let (stored, columns) = described(bytes.len() as u64, bytes, form)?;
    if check(&bytes[..columns]) != stored {
        return Err("its bytes have changed".to_string());
    }
    read(bytes, form).map_err(|error| error.to_string())?.ok_or_else(|| OTHERS.to_string())
}

/// The table; nothing if its columns are not those of `form`.
fn read(bytes: &[u8], form: &Frame) -> Result<Option<Frame>, ParquetError> {
    let file = SerializedFileReader::new(Bytes::copy_from_slice(bytes))?;
    let mut frame = form.emptied();
    for group in 0..file.num_row_groups() {
        let group = file.get_row_group(group)?;
        for (place, (_, column)) in frame.columns.iter_mut().enumerate() {
            match (column, group.get_column_reader(place)?) {
                (Column::Numbers(entries), ColumnReader::DoubleColumnReader(mut column)) => {
                    column.read_records(usize::MAX, None, None, entries)?;
                }
                (Column::Counts(entries), ColumnReader::Int64ColumnReader(mut column)) => {
                    let mut read = Vec::new();
                    column.read_records(usize::MAX, None, None, &mut read)?;
                    entries.extend(read.into_iter().map(i64::cast_unsigned));
                }
                (Column::Words(entries), ColumnReader::ByteArrayColumnReader(mut column)) => {
                    let mut read = Vec::new();
                    column.read_records(usize::MAX, None, None, &mut read)?;
                    for word in &read {
                        entries.push(word.as_utf8()?.to_string());
                    }
                }
                _ => return Ok(None),
            }
        }
    }
    let rows = usize::try_from(file.metadata().file_metadata().num_rows()).ok();
    let whole = frame.columns.iter().all(|(_, column)| Some(column.len()) == rows);
    if whole { Ok(Some(frame)) } else { Err(ParquetError::EOF("some of its rows are missing".to_string())) }
}

/// Whether the end of a file is that of a whole one: its description can be read and describes so many bytes. A description longer than the
/// tail is not read.
pub(super) fn intact(tail: &Tail, form: &Frame) -> Result<(), String> {
    let length = ends_well(&tail.bytes)?;
    match tail.bytes.len().checked_sub(length + 8) {
        Some(_) => described(tail.length, &tail.bytes, form).map(drop),
        None if tail.length > length as u64 + 8 => Ok(()),
        None => Err("its beginning is cut".to_string()),
    }
}

/// The check in the description at the end of a file of this length, if the file is as long as described and has the columns of a table; and
/// the length of the columns.
fn described(length: u64, end: &[u8], form: &Frame) -> Result<(String, usize), String> {
    let description = ends_well(end)?;
    let start = end.len().checked_sub(description + 8).ok_or("its beginning is cut")?;
    let metadata = ParquetMetaDataReader::decode_metadata(&end[start..start + description]);
    let metadata = metadata.map_err(|error| error.to_string())?;
    let columns = metadata.file_metadata().schema_descr().columns();
    if !columns.iter().map(|column| column.name()).eq(form.columns.iter().map(|(name, _)| name.as_str())) {
        return Err(OTHERS.to_string());
    }
    // The file begins with four letters, and columns follow one another.
    let mut next = 4_i64;
    for column in metadata.row_groups().iter().flat_map(|group| group.columns()) {
        let begins = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
        let ends = next.checked_add(column.compressed_size());
        next = ends.filter(|ends| begins == next && *ends >= next).ok_or("its columns are displaced")?;
        match column.compression() {
            Compression::LZ4_RAW => {}
            Compression::ZSTD(_) if cfg!(feature = "zstd") => {}
            Compression::ZSTD(_) => return Err(ZSTD.to_string()),
            other => return Err(format!("its columns are compressed by {other}")),
        }
    }
    let expected = next as u64 + description as u64 + 8;
    if length != expected {
        return Err(format!("it has {length} bytes instead of {expected}"));
    }
    let entries = metadata.file_metadata().key_value_metadata().into_iter().flatten();
    let check = entries.filter(|entry| entry.key == CHECK).find_map(|entry| entry.value.clone());
    Ok((check.ok_or("it has no check")?, next as usize))
}

/// The length of the description, which stands before the last eight bytes: its length and the letters `PAR1`, with which a file also begins.
fn ends_well(bytes: &[u8]) -> Result<usize, String> {
    match bytes {
        [.., a, b, c, d, b'P', b'A', b'R', b'1'] => Ok(u32::from_le_bytes([*a, *b, *c, *d]) as usize),
        _ => Err("its end is cut".to_string()),
    }
}
