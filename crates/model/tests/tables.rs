//! Tables in files beside a model: their points, the fingerprint, and what is refused before it is read.

use std::fs::{self, File};
use std::path::PathBuf;

use saltation_model::{Model, StateKind};

/// A folder that is removed again.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("saltation-tables-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    fn write(&self, name: &str, text: &str) -> &Folder {
        fs::write(self.0.join(name), text).expect("a file");
        self
    }

    fn read(&self, table: &str) -> Result<Model, String> {
        self.write("model.toml", &model(table));
        Model::read(self.0.join("model.toml")).map_err(|mistakes| mistakes.to_string())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).expect("the folder is there");
    }
}

fn model(table: &str) -> String {
    format!("format = 1\nname = \"road\"\n[tables.road]\n{table}\n[flow]\nx = \"road(x)\"\n[start]\nx = 1\n")
}

/// The rate at x.
fn rate(model: &Model, x: f64) -> f64 {
    model.graph.evaluate(model.states[0].rate, &|_| x)
}

#[test]
fn a_file_is_the_same_table_as_its_points() {
    let folder = Folder::new("same");
    folder.write(
        "road.csv",
        "\u{feff}# a road\n s , other, \"z\"\r\n0,7,1\r\n\r\n1.5,nan,2e0\r\n# halfway\n2,9,-1\n4,1,0.5\n",
    );
    let file = folder.read("file = \"road.csv\"\ncolumns = [\"s\", \"z\"]").unwrap();
    let here = folder.read("knots = [[0, 1], [1.5, 2], [2, -1], [4, 0.5]]").unwrap();
    for k in 0..=40 {
        let x = 0.1 * f64::from(k);
        assert_eq!(rate(&file, x), rate(&here, x));
    }
    assert_eq!(here.graph.print(here.states[0].rate), "road(x)");
    // The columns may stand in either order, and the first two need no names.
    folder.write("road.csv", "z,s\n1,0\n2,1.5\n-1,2\n0.5,4\n");
    let turned = folder.read("file = \"road.csv\"\ncolumns = [\"s\", \"z\"]").unwrap();
    folder.write("road.csv", "0,1\n1.5,2\n2,-1\n4,0.5\n");
    let plain = folder.read("file = \"road.csv\"").unwrap();
    assert_eq!([&turned, &plain].map(|model| rate(model, 1.1)), [rate(&here, 1.1); 2]);
}

#[test]
fn the_points_of_a_file_are_part_of_the_model() {
    let folder = Folder::new("print");
    let table = "file = \"road.csv\"";
    let first = folder.write("road.csv", "0,1\n1,2\n").read(table).unwrap();
    let again = folder.read(table).unwrap();
    let other = folder.write("road.csv", "0,1\n1,2.5\n").read(table).unwrap();
    assert_eq!(first.fingerprint(), again.fingerprint());
    assert_ne!(first.fingerprint(), other.fingerprint());
    assert_eq!(first.files[0].0, "road.csv");
    let refused = Model::parse(&model(table), "model.toml").unwrap_err().to_string();
    assert!(refused.contains("was not read from a file"), "{refused}");
}

#[test]
fn large_files_are_refused_before_they_are_read() {
    let folder = Folder::new("large");
    // A hole of 25 GB.
    File::create(folder.0.join("road.csv")).and_then(|file| file.set_len(25_000_000_000)).expect("a file with a hole");
    let refused = folder.read("file = \"road.csv\"").unwrap_err();
    assert!(refused.contains("`road.csv` is longer than a table may be, 268435456 bytes"), "{refused}");
    let rows: String = (0..4_000_002).map(|i| format!("{i},0\n")).collect();
    let refused = folder.write("road.csv", &rows).read("file = \"road.csv\"").unwrap_err();
    assert!(refused.contains("line 4000001: a table has 4000000 points at most"), "{refused}");
}

#[test]
fn a_model_has_the_time_only_where_a_formula_has_it() {
    let of = |body: &str| Model::parse(&format!("format = 1\nname = \"m\"\n{body}"), "m.toml").unwrap();
    let without = of("[flow]\nx = \"-x\"\n[start]\nx = 1\n");
    assert_eq!(without.time(), None);
    let with = of("[flow]\nx = \"-x + sin(t)\"\n[start]\nx = 1\nt = 3\n");
    assert_eq!(with.time(), Some(1));
    assert_eq!((with.states[1].kind, with.graph.evaluate(with.states[1].start, &|_| 0.0)), (StateKind::Time, 3.0));
    // A name of the file is what the file says.
    let own = of("[parameters]\nt = 2\n[flow]\nx = \"-x + t\"\n[start]\nx = 1\n");
    assert_eq!((own.time(), own.states.len()), (None, 1));
    // With a phase, it stands before that.
    let both = of("[phase.phi]\nrate = 1\nperiod = 2\n[flow]\nx = \"-x + t*cos(pi*phi)\"\n[start]\nx = 1\nphi = 0\n");
    let kinds: Vec<StateKind> = both.states.iter().map(|state| state.kind).collect();
    assert_eq!(kinds, [StateKind::State, StateKind::Time, StateKind::Phase]);
}
