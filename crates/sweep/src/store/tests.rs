//! Stores against disks that fail, files that are damaged, and everything that users can confuse.

use super::disk::{Disk, RealDisk, Tail};
#[cfg(feature = "parquet")]
use super::error::ZSTD;
use super::merge::merge_on;
use super::*;
use crate::table::{Column, Frame};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const BLOCKS: u64 = 7;

/// The formats of this build.
fn formats() -> Vec<Format> {
    [Format::Csv, Format::Parquet].into_iter().filter(|format| format.is_available()).collect()
}

/// The tables of a block: as many rows as its number, and values that are hard to write.
fn frames(block: u64) -> Vec<Frame> {
    let hard =
        [0.1, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MIN_POSITIVE / 3.0, f64::MAX, 1.0, 1.0 / 3.0];
    let words = ["graze", "", "two, words", "\"quoted\"", "line\nbreak", "ä", " space ", "inf", "\r\n"];
    let rows = 0..block as usize;
    let numbers = rows.clone().map(|row| hard[(row + block as usize) % hard.len()]).collect();
    let entries = rows.map(|row| words[row % words.len()].to_string()).collect();
    let tasks = [("task", Column::Counts(vec![block, u64::MAX - block])), ("x", Column::Numbers(vec![0.5, f64::NAN]))];
    let returns = [("x 1", Column::Numbers(numbers)), ("how, when", Column::Words(entries))];
    let lone = [("value", Column::Numbers(vec![f64::NAN; block as usize]))];
    vec![Frame::new("tasks", tasks), Frame::new("returns", returns), Frame::new("lone", lone)]
}

fn layout(format: Format, part: &str) -> Layout {
    let tables = frames(0).iter().map(Frame::emptied).collect();
    Layout { format, blocks: BLOCKS, chain: 1, part: part.parse().unwrap(), tables }
}

fn description() -> Value {
    json!({"version": "0.1.0", "model": {"name": "ball", "fingerprint": "abc"}, "range": [0.1, 0.9]})
}

/// Writes the missing blocks.
fn complete(mut store: Store) -> Result<Store, StoreError> {
    for block in store.missing().collect::<Vec<_>>() {
        let encoded = store.layout().encode(&frames(block))?;
        store.write(block, &encoded)?;
    }
    store.finish("attractors.json", "{}\n")?;
    Ok(store)
}

/// A complete store.
fn written(folder: &Path, format: Format, part: &str) -> Store {
    complete(Store::begin(folder, &description(), &layout(format, part)).unwrap()).unwrap()
}

/// All files of a folder.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(path.strip_prefix(folder).unwrap().to_path_buf(), fs::read(&path).unwrap());
            }
        }
    }
    found
}

/// Equal tables, bit by bit.
fn assert_same(one: &Frame, other: &Frame) {
    let bits = |frame: &Frame| {
        let mut frame = frame.clone();
        for (_, column) in &mut frame.columns {
            if let Column::Numbers(entries) = column {
                *column = Column::Counts(entries.iter().map(|entry| entry.to_bits()).collect());
            }
        }
        frame
    };
    assert_eq!(bits(one), bits(other));
}

/// A disk that is full after so many bytes, and of which nothing more can be had then. Creating and renaming count as one byte.
#[derive(Debug)]
struct Full {
    left: AtomicU64,
}

impl Full {
    fn after(bytes: u64) -> Arc<Full> {
        Arc::new(Full { left: AtomicU64::new(bytes) })
    }

    /// Takes so many bytes; otherwise says how many are left.
    fn take(&self, bytes: u64) -> Result<(), u64> {
        let left = self.left.load(Ordering::Relaxed);
        self.left.store(left.saturating_sub(bytes), Ordering::Relaxed);
        if left >= bytes { Ok(()) } else { Err(left) }
    }
}

fn full<T>(_: T) -> io::Error {
    io::Error::from(io::ErrorKind::StorageFull)
}

impl Disk for Full {
    fn create_folder(&self, folder: &Path) -> io::Result<()> {
        self.take(1).map_err(full)?;
        RealDisk.create_folder(folder)
    }

    fn write(&self, file: &Path, bytes: &[u8]) -> io::Result<()> {
        match self.take(bytes.len() as u64) {
            Ok(()) => RealDisk.write(file, bytes),
            Err(0) => Err(full(())),
            Err(left) => RealDisk.write(file, &bytes[..left as usize]).and(Err(full(()))),
        }
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.take(1).map_err(full)?;
        RealDisk.rename(from, to)
    }

    fn remove(&self, file: &Path) -> io::Result<()> {
        self.take(1).map_err(full)?;
        RealDisk.remove(file)
    }

    fn read(&self, file: &Path) -> io::Result<Vec<u8>> {
        RealDisk.read(file)
    }

    fn tail(&self, file: &Path, most: u64) -> io::Result<Tail> {
        RealDisk.tail(file, most)
    }

    fn names(&self, folder: &Path, each: &mut dyn FnMut(&str)) -> io::Result<()> {
        RealDisk.names(folder, each)
    }
}

/// Begins or resumes, whichever is possible.
fn open(disk: Arc<dyn Disk>, folder: &Path, layout: &Layout) -> Result<Store, StoreError> {
    match Store::resume_on(disk.clone(), folder, &description(), layout) {
        Err(StoreError::NoSweep { .. }) => Store::begin_on(disk, folder, &description(), layout),
        resumed => resumed,
    }
}

#[test]
fn a_full_disk_at_any_byte_leaves_a_store_that_is_finished_with_the_same_bytes() {
    for format in formats() {
        let layout = layout(format, "1/1");
        let root = tempfile::tempdir().unwrap();
        let whole = root.path().join("whole");
        let expected = {
            written(&whole, format, "1/1");
            files(&whole)
        };
        let bytes: u64 = expected.values().map(|bytes| bytes.len() as u64 + 1).sum();
        // All of the beginning, and places all over the rest.
        let places = (0..40).chain((40..bytes).step_by(bytes as usize / 40));
        for place in places {
            let folder = root.path().join(place.to_string());
            let failed = open(Full::after(place), &folder, &layout).and_then(complete).unwrap_err();
            assert!(matches!(&failed, StoreError::Unwritable { .. }), "{failed}");
            assert!(failed.help().starts_with("free some space"), "{failed}");
            // What is committed can be read.
            if let Ok(store) = Store::open(&folder) {
                for block in (0..BLOCKS).filter(|block| store.is_done(*block)) {
                    for frame in frames(block) {
                        assert_same(&store.read(block, &frame.name).unwrap(), &frame);
                    }
                }
            }
            // The disk is full again halfway.
            drop(open(Full::after((bytes - place) / 2), &folder, &layout).and_then(complete));
            let store = open(Arc::new(RealDisk), &folder, &layout).and_then(complete).unwrap();
            assert!(store.damaged().is_empty());
            assert!(files(&folder) == expected, "{format:?}: full after {place} bytes");
            fs::remove_dir_all(&folder).unwrap();
        }
    }
}

#[test]
fn tables_are_read_back_with_all_bits() {
    for format in formats() {
        let root = tempfile::tempdir().unwrap();
        written(root.path(), format, "1/1");
        let store = Store::open(root.path()).unwrap();
        assert_eq!((store.description(), store.layout()), (&description(), &layout(format, "1/1")));
        assert_eq!((store.done(), store.missing().count()), (BLOCKS, 0));
        for (block, frame) in (0..BLOCKS).flat_map(|block| frames(block).into_iter().map(move |frame| (block, frame))) {
            assert_same(&store.read(block, &frame.name).unwrap(), &frame);
        }
        let unknown = store.read(0, "impacts").unwrap_err().to_string();
        assert_eq!(unknown, "there is no table `impacts` in this sweep, which has tasks, returns, lone");
    }
}

proptest::proptest! {
    #[test]
    fn all_numbers_and_words_survive(
        numbers in proptest::collection::vec(proptest::num::f64::ANY, 0..40),
        counts in proptest::collection::vec(proptest::num::u64::ANY, 0..40),
        words in proptest::collection::vec("\\PC{0,9}[\"\n\r,]?", 0..40),
    ) {
        let rows = numbers.len().min(counts.len()).min(words.len());
        // One kind of NaN.
        let numbers = numbers.iter().take(rows).map(|number| if number.is_nan() { f64::NAN } else { *number }).collect();
        let columns = [
            ("numbers", Column::Numbers(numbers)),
            ("counts", Column::Counts(counts[..rows].to_vec())),
            ("words", Column::Words(words[..rows].to_vec())),
        ];
        let frame = Frame::new("tasks", columns);
        for format in formats() {
            let bytes = format.encode(&frame).unwrap();
            proptest::prop_assert_eq!(&bytes, &format.encode(&frame).unwrap());
            assert_same(&format.decode(&bytes, &frame.emptied()).unwrap(), &frame);
            let tail = |bytes: &[u8]| Tail { length: bytes.len() as u64, bytes: bytes.to_vec() };
            proptest::prop_assert_eq!(format.intact(&tail(&bytes), &frame.emptied()), Ok(()));
        }
    }
}

#[test]
fn damaged_files_are_given_up_and_computed_again() {
    for format in formats() {
        let root = tempfile::tempdir().unwrap();
        written(root.path(), format, "1/1");
        let expected = files(root.path());
        let ending = format.ending();
        let path = |table: &str, block: u64| root.path().join(table).join(format!("0000{block}.{ending}"));
        let cut = |file: &Path, bytes: usize| fs::write(file, &fs::read(file).unwrap()[..bytes]).unwrap();
        cut(&path("returns", 5), 20);
        cut(&path("tasks", 2), 0);
        fs::remove_file(path("lone", 3)).unwrap();
        fs::write(root.path().join("tasks").join(".00001.csv.part"), "left").unwrap();
        fs::write(root.path().join("tasks").join(".hidden"), "of a system").unwrap();
        let error = Store::open(root.path()).unwrap().read(5, "returns").unwrap_err();
        assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
        let store = Store::resume(root.path(), &description(), &layout(format, "1/1")).unwrap();
        assert_eq!(store.missing().collect::<Vec<_>>(), [2, 3, 5]);
        assert_eq!(store.damaged(), [path("tasks", 2), path("lone", 3), path("returns", 5)]);
        complete(store).unwrap();
        fs::remove_file(root.path().join("tasks").join(".hidden")).unwrap();
        assert!(files(root.path()) == expected);
    }
}

/// Processors disagree on the sign of 0/0.
#[cfg(feature = "parquet")]
#[test]
fn what_is_not_a_number_has_the_same_bytes_whatever_its_sign() {
    let bytes = |nan: f64| {
        Format::Parquet.encode(&Frame::new("tasks", [("x", Column::Numbers(vec![1.0, nan, -0.0]))])).unwrap()
    };
    assert_eq!(bytes(f64::NAN), bytes(-f64::NAN));
    assert_ne!(bytes(f64::NAN), bytes(0.0));
}

/// It is neither damaged nor computed again; with the feature `zstd` it is read.
#[cfg(feature = "parquet")]
#[test]
fn a_file_that_an_earlier_version_compressed_says_what_it_needs() {
    let (counts, numbers) = (Column::Counts(vec![]), Column::Numbers(vec![]));
    let kinds =
        [("task", &counts), ("A", &numbers), ("return", &counts), ("x", &numbers), ("y", &numbers), ("phi", &numbers)];
    let form = Frame::new("returns", kinds.map(|(name, kind)| (name, kind.clone())));
    let bytes = include_bytes!("old/zstd.parquet").to_vec();
    let tail = Tail { length: bytes.len() as u64, bytes: bytes.clone() };
    let found = (Format::Parquet.intact(&tail, &form), Format::Parquet.decode(&bytes, &form));
    match found {
        (Ok(()), Ok(frame)) if cfg!(feature = "zstd") => assert!(frame.rows() > 0),
        (Err(one), Err(other)) if !cfg!(feature = "zstd") => assert_eq!([one, other], [ZSTD, ZSTD]),
        other => panic!("{other:?}"),
    }
}

#[cfg(feature = "parquet")]
#[test]
fn a_parquet_file_that_lost_bytes_anywhere_is_damaged() {
    let frame = &frames(BLOCKS - 1)[1];
    let bytes = Format::Parquet.encode(frame).unwrap();
    for lost in 0..bytes.len() {
        let mut less = bytes.clone();
        less.remove(lost);
        let tail = Tail { length: less.len() as u64, bytes: less.clone() };
        assert!(Format::Parquet.intact(&tail, &frame.emptied()).is_err(), "{lost}");
        let short = Tail { length: bytes.len() as u64, bytes: bytes[bytes.len() - 8..].to_vec() };
        assert!(Format::Parquet.intact(&short, &frame.emptied()).is_ok());
        assert!(Format::Parquet.decode(&bytes[..lost], &frame.emptied()).is_err(), "{lost}");
    }
    assert!(Format::Parquet.decode(&bytes, &frames(0)[0].emptied()).unwrap_err().contains("its columns"));
}

#[cfg(feature = "parquet")]
#[test]
fn a_parquet_file_with_changed_bytes_is_damaged_or_gives_the_same_table() {
    let mut seed = 1_u64;
    let mut random = |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed % below as u64) as usize
    };
    for (round, frame) in (0..6_000).zip(frames(6).iter().cycle()) {
        let mut bytes = Format::Parquet.encode(frame).unwrap();
        for _ in 0..=random(3) {
            let place = random(bytes.len());
            bytes[place] = random(256) as u8;
        }
        let tail = Tail { length: bytes.len() as u64, bytes };
        let intact = Format::Parquet.intact(&tail, &frame.emptied());
        match Format::Parquet.decode(&tail.bytes, &frame.emptied()) {
            Ok(read) => assert_same(&read, frame),
            Err(reason) => assert!(!reason.is_empty() && (intact.is_ok() || intact == Err(reason)), "{round}"),
        }
    }
}

#[test]
fn csv_that_is_not_of_the_table_is_damaged() {
    let form = &frames(0)[0];
    for (text, reason) in [
        ("", "its last line is cut"),
        ("task,x\n1,0.5", "its last line is cut"),
        ("task,y\n1,0.5\n", "its columns have other names"),
        ("task,x\n-1,0.5\n", "`-1` in its column `task` is not a number"),
        ("task,x\n1,abc\n", "`abc` in its column `x` is not a number"),
        ("task,x\n1\n", "found record with 1 fields"),
    ] {
        let error = Format::Csv.decode(text.as_bytes(), form).unwrap_err();
        assert!(error.contains(reason), "{error}");
    }
}

/// The error of a case, after which nothing has changed in the folder.
fn refused(root: &Path, what: impl FnOnce() -> Result<Store, StoreError>) -> String {
    let before = files(root);
    let error = what().unwrap_err();
    assert!(files(root) == before, "{error}");
    assert!(!error.help().is_empty());
    error.to_string().replace(&root.display().to_string(), "ROOT")
}

#[test]
fn folders_that_cannot_be_begun_or_resumed_are_refused_unchanged() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path();
    let folder = |name: &str| root.join(name);
    let layout = layout(Format::Csv, "1/1");
    let begin = |name: &str| Store::begin(&folder(name), &description(), &layout);
    let resume = |name: &str, description: &Value| Store::resume(&folder(name), description, &layout);
    written(&folder("old"), Format::Csv, "1/1");
    for (name, file, text) in [
        ("other", "run.json", "{\"version\": \"0.1.0\"}"),
        ("text", "run.json", "no JSON"),
        ("foreign", "tasks/notes.txt", "kept"),
        ("later", "returns/00007.csv", "kept"),
        ("file", "", ""),
    ] {
        let path = folder(name).join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(folder(name).join(file).components().as_path(), text).unwrap();
    }
    fs::copy(folder("old").join("run.json"), folder("later").join("run.json")).unwrap();
    let mut changed = description();
    changed["model"]["fingerprint"] = json!("def");
    changed["new"] = json!(true);
    let cases = [
        (refused(root, || begin("old")), "the folder `ROOT/old` holds a sweep already"),
        (refused(root, || begin("other")), "`ROOT/other/run.json` is not of this sweep: it has no entry `store`"),
        (refused(root, || begin("text")), "`ROOT/text/run.json` is not of this sweep: it is not JSON: expected"),
        (refused(root, || begin("foreign")), "`ROOT/foreign/tasks/notes.txt` is not of this sweep"),
        (refused(root, || begin("file")), "`ROOT/file` cannot be written: "),
        (refused(root, || begin("file/inside")), "`ROOT/file/inside` cannot be written: "),
        (
            refused(root, || resume("foreign", &description())),
            "the folder `ROOT/foreign` holds no sweep: it has no run.json",
        ),
        (
            refused(root, || resume("absent", &description())),
            "the folder `ROOT/absent` holds no sweep: it has no run.json",
        ),
        (refused(root, || resume("other", &description())), "`ROOT/other/run.json` is not of this sweep"),
        (
            refused(root, || resume("old", &changed)),
            "the sweep in `ROOT/old` is another one: `model.fingerprint` was \"abc\" and is now \"def\"; `new` was absent and is now true",
        ),
        (
            refused(root, || Store::resume(&folder("old"), &description(), &self::layout(Format::Csv, "1/2"))),
            "the sweep in `ROOT/old` is another one: `part` was null and is now \"1/2\"",
        ),
        (
            refused(root, || Store::open(&folder("later"))),
            "`ROOT/later/returns/00007.csv` is not of this sweep: its name is not that",
        ),
    ];
    for (error, expected) in cases {
        assert!(error.starts_with(expected), "{error}\n{expected}");
    }
}

#[test]
fn tables_and_blocks_that_do_not_fit_are_refused() {
    let root = tempfile::tempdir().unwrap();
    let layout = layout(Format::Csv, "2/2");
    let mut store = Store::begin(root.path(), &description(), &layout).unwrap();
    let fits = layout.encode(&frames(1)).unwrap();
    assert!(fits.size() > 0);
    let mut ragged = frames(1);
    ragged[0].columns[0].1 = Column::Counts(vec![1]);
    let cases = [
        (store.write(0, &fits).unwrap_err(), "block 0 is not one of part 2/2 of 7 blocks of this sweep"),
        (store.write(BLOCKS, &fits).unwrap_err(), "block 7 is not one"),
        (store.read(1, "tasks").unwrap_err(), "block 1 of this sweep is not written"),
        (store.finish("a.json", "").unwrap_err(), "lacks 3 of its blocks"),
        (layout.encode(&frames(1)[..1]).unwrap_err(), "the tables of a block are tasks (task, x) instead of tasks"),
        (layout.encode(&ragged).unwrap_err(), "the table `tasks` has columns of different lengths"),
    ];
    for (error, expected) in cases {
        assert!(error.to_string().contains(expected), "{error}");
    }
    let store = complete(store).unwrap();
    for name in ["", "run.json", "tasks", ".hidden", "../above", "a/b", "a b"] {
        assert!(matches!(store.finish(name, ""), Err(StoreError::Misfit { .. })), "{name}");
    }
}

#[cfg(not(feature = "parquet"))]
#[test]
fn parquet_is_refused_by_a_program_without_it() {
    let root = tempfile::tempdir().unwrap();
    let layout = layout(Format::Parquet, "1/1");
    let error = Store::begin(root.path(), &description(), &layout).unwrap_err();
    assert_eq!(error.to_string(), "this program was built without Parquet");
    assert!(matches!(layout.encode(&frames(0)), Err(StoreError::NoParquet)));
    assert!(files(root.path()).is_empty());
}

#[test]
fn parts_are_joined_to_the_bytes_of_an_unparted_sweep() {
    for format in formats() {
        let root = tempfile::tempdir().unwrap();
        let folder = |name: &str| root.path().join(name);
        written(&folder("unparted"), format, "1/1");
        let mut expected = files(&folder("unparted"));
        expected.remove(Path::new("attractors.json"));
        // Parts may be parted further.
        let parts: Vec<PathBuf> = ["2/2", "1/4", "3/4"].iter().map(|part| folder(&part.replace('/', "-"))).collect();
        for part in &parts {
            let name = part.file_name().unwrap().to_str().unwrap().replace('-', "/");
            written(part, format, &name);
        }
        let whole = merge(&parts, &folder("whole")).unwrap();
        assert_eq!((whole.done(), whole.layout().part), (BLOCKS, Part::WHOLE));
        assert!(files(&folder("whole")) == expected);
        // Interrupted and repeated.
        for bytes in (0..4000).step_by(397) {
            let error = merge_on(Full::after(bytes), &parts, &folder("again")).map(drop);
            assert!(bytes > 1000 || matches!(error, Err(StoreError::Unwritable { .. })));
            merge(&parts, &folder("again")).unwrap();
            assert!(files(&folder("again")) == expected);
            fs::remove_dir_all(folder("again")).unwrap();
        }
    }
}

#[test]
fn parts_that_cannot_be_joined_are_refused_unchanged() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path();
    let folder = |name: &str| root.join(name);
    for (name, part) in [("1-2", "1/2"), ("2-2", "2/2"), ("1-4", "1/4"), ("3-3", "3/3"), ("damaged", "2/2")] {
        written(&folder(name), Format::Csv, part);
    }
    let mut other = description();
    other["range"] = json!([0.1, 0.8]);
    complete(Store::begin(&folder("other"), &other, &layout(Format::Csv, "2/2")).unwrap()).unwrap();
    let begun = Store::begin(&folder("begun"), &description(), &layout(Format::Csv, "2/2")).unwrap();
    assert_eq!(begun.missing().count(), 3);
    fs::write(folder("damaged").join("returns/00003.csv"), "x 1,\"how, when\"\n0.5").unwrap();
    let join = |names: &[&str], into: &str| {
        let folders: Vec<PathBuf> = names.iter().map(|name| folder(name)).collect();
        merge(&folders, &folder(into))
    };
    let cases = [
        (refused(root, || join(&[], "new")), "there are no sweeps to join"),
        (refused(root, || join(&["1-2", "./1-2"], "new")), "the folder `ROOT/./1-2` is named twice"),
        (
            refused(root, || join(&["1-2", "2-2"], "2-2")),
            "the joined sweep cannot be in `ROOT/2-2`, which is one of its parts",
        ),
        (refused(root, || join(&["1-2", "2-2"], "1-2/tasks")), "the joined sweep cannot be in `ROOT/1-2`"),
        (refused(root, || join(&["1-2", "none"], "new")), "the folder `ROOT/none` holds no part of a sweep"),
        (
            refused(root, || join(&["1-2", "other"], "new")),
            "the sweeps in `ROOT/1-2` and `ROOT/other` are of different plans: `range[1]` is 0.9 in the first and 0.8 in the second",
        ),
        (
            refused(root, || join(&["1-2", "1-4"], "new")),
            "the sweeps in `ROOT/1-2` and `ROOT/1-4` share blocks: their parts are 1/2 and 1/4",
        ),
        (refused(root, || join(&["1-2"], "new")), "the sweeps are not the whole plan: part 2/2 is missing"),
        (refused(root, || join(&["3-3"], "new")), "the sweeps are not the whole plan: the parts 1/3, 2/3 are missing"),
        (
            refused(root, || join(&["2-2", "1-4"], "new")),
            "the sweeps are not the whole plan: 2 of its 7 blocks are missing",
        ),
        (refused(root, || join(&["1-2", "begun"], "new")), "the sweep in `ROOT/begun` lacks 3 of its blocks"),
    ];
    for (error, expected) in cases {
        assert!(error.starts_with(expected), "{error}\n{expected}");
    }
    let error = join(&["1-2", "damaged"], "new").unwrap_err();
    assert!(error.to_string().ends_with("returns/00003.csv` is damaged: its last line is cut"), "{error}");
    let error = join(&["1-2", "2-2"], "other").unwrap_err();
    assert!(matches!(error, StoreError::Another { .. }), "{error}");
}
