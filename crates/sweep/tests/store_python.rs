//! Polars, pandas and DuckDB read the tables of a sweep with every bit: a store is written, and a script says what each of them sees.
//!
//! The test needs Python and, the first time, the network. It is run by asking for ignored tests; where the readers cannot be installed it
//! passes with a note, or fails if `SALTATION_PYTHON` is 1.
#![cfg(feature = "parquet")]

use saltation_sweep::store::{Format, Layout, Part, Store};
use saltation_sweep::table::{Column, Frame};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

const BLOCKS: u64 = 12;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A Python with the readers, in a virtual environment that is made once where cargo puts what it compiles.
fn python() -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python-readers");
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let run = |program: &Path, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).output();
        let output = output.map_err(|error| format!("{} cannot be run: {error}", program.display()))?;
        let said = || format!("{} {arguments:?}: {}", program.display(), String::from_utf8_lossy(&output.stderr));
        if output.status.success() { Ok(()) } else { Err(said()) }
    };
    if run(&python, &["-c", "import polars, pandas, pyarrow, duckdb"]).is_err() {
        run(Path::new("python3"), &["-m", "venv", &folder.to_string_lossy()])?;
        run(&python, &["-m", "pip", "install", "--quiet", "polars", "pandas", "pyarrow", "duckdb"])?;
    }
    Ok(python)
}

/// The tables of a block: values that are hard to write and to read, and a table that is often empty.
fn frames(block: u64) -> Vec<Frame> {
    let hard =
        [0.1, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MIN_POSITIVE / 3.0, f64::MAX, 1.0, 1.0 / 3.0];
    let words = ["graze", "", "two, words", "\"quoted\"", "ä", "inf", "NaN", "7"];
    let rows = 50 + 10 * block;
    let tasks = [
        ("task", Column::Counts((0..rows).map(|row| block * 1000 + row).collect())),
        ("large", Column::Counts((0..rows).map(|row| u64::MAX - row).collect())),
        ("x", Column::Numbers((0..rows).map(|row| hard[(row % 9) as usize]).collect())),
        ("whole", Column::Numbers((0..rows).map(|row| row as f64).collect())),
        ("sine", Column::Numbers((0..rows).map(|row| ((block * rows + row) as f64).sin()).collect())),
        ("outcome", Column::Words((0..rows).map(|row| words[(row % 8) as usize].to_string()).collect())),
    ];
    let some = if block.is_multiple_of(3) { 4 } else { 0 };
    let impacts = [
        ("task", Column::Counts(vec![block; some])),
        ("speed", Column::Numbers(vec![1e-300; some])),
        ("law", Column::Words(vec!["newton".to_string(); some])),
    ];
    vec![Frame::new("tasks", tasks), Frame::new("impacts", impacts)]
}

/// The bits of the entries of a column: of a NaN those of the usual one, of a word a sum of its bytes.
fn bits(column: &Column) -> Vec<u64> {
    let number = |number: &f64| if number.is_nan() { f64::NAN.to_bits() } else { number.to_bits() };
    let word = |word: &String| word.bytes().zip(1..).map(|(byte, place)| u64::from(byte) * place).sum();
    match column {
        Column::Counts(entries) => entries.clone(),
        Column::Numbers(entries) => entries.iter().map(number).collect(),
        Column::Words(entries) => entries.iter().map(word).collect(),
    }
}

/// What the script is to say of a column: its rows, and the number that depends on every bit.
fn expected(table: usize, column: usize) -> (u64, u64) {
    let entries = (0..BLOCKS).flat_map(|block| bits(&frames(block)[table].columns[column].1));
    entries.fold((0, 0), |(rows, check), bits| (rows + 1, u64::wrapping_add(check, bits.wrapping_mul(rows + 1))))
}

#[test]
#[ignore = "needs Python packages"]
fn data_frames_read_every_bit() {
    let python = match python() {
        Ok(python) => python,
        Err(why) => {
            assert!(std::env::var("SALTATION_PYTHON").as_deref() != Ok("1"), "the readers cannot be installed: {why}");
            eprintln!("not tested, because the readers cannot be installed: {why}");
            return;
        }
    };
    for format in [Format::Parquet, Format::Csv] {
        let folder = tempfile::tempdir().unwrap();
        let tables = frames(0).iter().map(Frame::emptied).collect();
        let layout = Layout { format, blocks: BLOCKS, chain: 1, part: Part::WHOLE, tables };
        let mut store = Store::begin(folder.path(), &json!({"model": "none"}), &layout).unwrap();
        for block in 0..BLOCKS {
            store.write(block, &layout.encode(&frames(block)).unwrap()).unwrap();
        }
        let script = root().join("scripts/read_sweep.py");
        let output = Command::new(&python).arg(script).arg(folder.path()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let seen: Value = serde_json::from_slice(&output.stdout).unwrap();
        for reader in ["polars", "pandas", "duckdb"] {
            for (table, frame) in layout.tables.iter().enumerate() {
                for (column, (name, _)) in frame.columns.iter().enumerate() {
                    let entry = &seen[reader][&frame.name][name];
                    let found = (entry["rows"].as_u64(), entry["check"].as_u64());
                    let (rows, check) = expected(table, column);
                    assert_eq!(found, (Some(rows), Some(check)), "{format:?} {reader} {} {name}: {entry}", frame.name);
                }
            }
        }
    }
}
