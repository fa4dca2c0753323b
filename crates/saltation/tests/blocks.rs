//! Blocks that are computed one by one and elsewhere make the folder that a single process writes, byte for byte.

use saltation::sweep::Carry;
use saltation::tasks::{Blocks, Format};
use saltation::{BasinSearch, Folder, RecordSettings, System, sweep::Sweep};
use std::collections::BTreeMap;
use std::path::Path;

fn sweep(folder: &Path, carry: Carry) -> Sweep {
    let system = System::gallery("impact-oscillator").unwrap();
    let mut sweep = system.sweep().along("A", 0.34..=0.36, 150).along("omega", 0.80..=0.81, 2);
    (sweep.request.carry, sweep.folder) = (carry, Some(Folder::new(folder).format(Format::Csv)));
    sweep.settle(7).record(3)
}

fn basin(folder: &Path) -> BasinSearch {
    let system = System::gallery("two-wall-oscillator").unwrap().with("nu", 0.9).unwrap();
    let mut basin = system.basin().random("y", -0.9..=0.9).random("w", -1.5..=1.5).count(150).settle(20).record(10);
    basin.folder = Some(Folder::new(folder).format(Format::Csv));
    basin
}

/// All files below a folder with their bytes.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_string();
        if path.is_dir() {
            found.extend(files(&path).into_iter().map(|(below, bytes)| (format!("{name}/{below}"), bytes)));
        } else {
            found.insert(name, std::fs::read(&path).unwrap());
        }
    }
    found
}

/// Computes what is missing, the last chain first; stops after so many blocks. `elsewhere` makes the question again for every block.
fn work(blocks: &Blocks, elsewhere: impl Fn() -> Blocks, most: usize) {
    let mut store = blocks.open().unwrap();
    let mut left = most;
    for chain in store.missing().into_iter().rev() {
        for block in chain {
            if left == 0 {
                return;
            }
            left -= 1;
            let before = blocks.before(block).map(|before| store.read(before).unwrap());
            let found = elsewhere().compute(block, before.as_ref(), &mut ()).unwrap().unwrap();
            store.write(block, &found).unwrap();
        }
    }
}

#[test]
fn a_sweep_has_the_bytes_of_one_process_also_when_resumed() {
    let folder = tempfile::tempdir().unwrap();
    for carry in Carry::ALL {
        let (one, many) = (folder.path().join(format!("one {carry:?}")), folder.path().join(format!("many {carry:?}")));
        sweep(&one, carry).run().unwrap();
        let blocks = sweep(&many, carry).blocks().unwrap();
        assert_eq!((blocks.tasks(), blocks.tasks_of(0)), (300, 0..3));
        assert_eq!(blocks.before(1), (carry != Carry::None).then_some(0));
        assert_eq!(blocks.before(blocks.count() / 2), None);
        work(&blocks, || sweep(&many, carry).blocks().unwrap(), 33);
        assert_ne!(files(&one), files(&many));
        let mut again = sweep(&many, carry);
        again.folder = again.folder.map(Folder::resume);
        let blocks = again.blocks().unwrap();
        work(&blocks, || sweep(&many, carry).blocks().unwrap(), usize::MAX);
        assert_eq!(files(&one), files(&many), "{carry:?}");
        assert!(blocks.open().unwrap().missing().is_empty());
    }
}

#[test]
fn a_basin_has_the_bytes_of_one_process() {
    let folder = tempfile::tempdir().unwrap();
    let (one, many) = (folder.path().join("one"), folder.path().join("many"));
    basin(&one).run().unwrap();
    work(&basin(&many).blocks().unwrap(), || basin(&many).blocks().unwrap(), usize::MAX);
    // What is computed from all tasks is written where the folder is read.
    let mut again = basin(&many);
    again.folder = again.folder.map(Folder::resume);
    again.run().unwrap();
    assert_eq!(files(&one), files(&many));
}

#[test]
fn what_is_not_of_the_question_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sweep");
    let blocks = sweep(&path, Carry::Up).blocks().unwrap();
    let mut store = blocks.open().unwrap();
    let message = |error: saltation::Error| error.to_string();
    let first = blocks.compute(0, None, &mut ()).unwrap().unwrap();
    assert!(message(blocks.compute(1, None, &mut ()).unwrap_err()).contains("begins where block 0 ended"));
    assert!(message(blocks.compute(blocks.count(), None, &mut ()).unwrap_err()).contains("there is no block 100"));
    assert!(message(store.write(1, &first).unwrap_err()).contains("its tasks have other numbers"));
    assert!(message(store.write(u64::MAX, &first).unwrap_err()).contains("there is no block"));
    let cut = saltation::tasks::blocks::Encoded::new(first.tables()[..2].to_vec());
    assert!(message(store.write(0, &cut).unwrap_err()).contains("2 tables instead of 3"));
    let other = first.tables().iter().map(|table| table[..table.len() / 2].to_vec()).collect();
    assert!(store.write(0, &saltation::tasks::blocks::Encoded::new(other)).is_err());
    assert!(store.read(0).is_err());
    assert!(blocks.open().is_err(), "the folder holds a sweep");
    let mut none = sweep(&path, Carry::Up);
    none.folder = None;
    assert!(message(none.blocks().unwrap_err()).contains("none is given"));
    // An interruption leaves nothing.
    struct Never;
    impl saltation::Progress for Never {
        fn see(&mut self, _: Option<f64>, _: &dyn Fn() -> String) -> bool {
            false
        }
    }
    let long = sweep(&path, Carry::None).settle(1_000_000_000).blocks().unwrap();
    assert!(long.compute(0, None, &mut Never).unwrap().is_none());
}

/// An oscillator that is driven by its own speed grows without bound, and one that is not decays.
#[test]
fn motions_that_grow_are_told_from_those_without_a_period() {
    let text = r#"
format = 1
name = "growth"
parameters = { c = 0.01 }
phase = { phi = { rate = "1", period = "2*pi" } }
start = { x = 0.1, v = 0, phi = 0 }
[flow]
x = "v"
v = "c*v - 1.3*x"
"#;
    let system = System::parse(text, "test.toml").unwrap();
    let basin = system.basin().random("x", 0.1..=1.0).count(6).settle(50).record(60).run().unwrap();
    let found: Vec<(&str, u64)> = basin.attractors.iter().map(|one| (one.kind.as_str(), one.count)).collect();
    assert_eq!(found, [("growing", 6)]);
    assert!(saltation::Answered::report(&basin).iter().any(|line| line.contains("no bound within the record")));
}

/// A block that friction holds rests wherever it stands: one attractor, up to shifts of its place.
#[test]
fn what_rests_anywhere_is_one_attractor() {
    let text = r#"
format = 1
name = "held"
parameters = { f = 0.5 }
phase = { phi = { rate = "1", period = "2*pi" } }
friction = { ground = { track = "x", force = "f" } }
start = { r = 0, u = 0, x = 0, v = 0, phi = 0 }
[mechanics]
coordinates = ["r", "x"]
velocities = ["u", "v"]
M = [[1, 0], [0, 1]]
h = ["cos(phi) - 4*r - u", "0.2*r"]
"#;
    let system = System::parse(text, "test.toml").unwrap();
    let basin = system.basin().random("x", -3.0..=3.0).count(8).settle(60).record(20).run().unwrap();
    let found: Vec<(&str, u64)> = basin.attractors.iter().map(|one| (one.kind.as_str(), one.count)).collect();
    assert_eq!(found, [("periodic", 8)]);
}

/// A table that stands still: the ball comes to rest on it, and each turn of the phase is a return.
#[test]
fn a_ball_that_rests_has_the_period_of_the_phase() {
    let ball = System::gallery("ball-on-table").unwrap();
    let rows = ball.sweep().along("K", 0.0..=0.5, 2).settle(50).record(20).run().unwrap();
    let found: Vec<(&str, Option<u64>)> = rows.tasks.iter().map(|one| (one.ended.as_str(), one.period)).collect();
    assert_eq!(found, [("complete", Some(1)), ("complete", Some(1))]);
    let still = ball.with("K", 0.0).unwrap();
    let basin = still.basin().random("x", 0.1..=3.0).count(8).settle(60).record(20).run().unwrap();
    let found: Vec<(&str, u64)> = basin.attractors.iter().map(|one| (one.kind.as_str(), one.count)).collect();
    assert_eq!(found, [("periodic", 8)]);
}
