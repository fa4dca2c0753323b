//! Runs the command in tests.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The command, without an environment that could change its answers.
pub(crate) fn saltation(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_saltation"));
    command.args(arguments).stdin(Stdio::null()).env_remove("NO_COLOR");
    command
}

/// Its answer.
pub(crate) fn run(arguments: &[&str]) -> Output {
    saltation(arguments).output().unwrap()
}

/// What it prints, when all goes well.
pub(crate) fn answer(arguments: &[&str]) -> String {
    let output = run(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// Its answer as JSON: one object on one line and nothing else.
pub(crate) fn json(arguments: &[&str]) -> serde_json::Value {
    let text = answer(&[arguments, &["--json"]].concat());
    assert_eq!(text.matches('\n').count(), 1);
    serde_json::from_str(&text).unwrap()
}

/// What it says to wrong input, after which nothing was printed.
pub(crate) fn refusal(arguments: &[&str]) -> String {
    let output = run(arguments);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    assert!(!errors.contains('\u{1b}'), "colours in a file: {errors}");
    errors
}

/// An empty folder of one test; no other has it, whatever its name.
pub(crate) struct Folder(pub PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Folder {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let (process, count) = (std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(format!("saltation-cli-{process}-{count}-{name}"));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_string()
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> String {
        std::fs::write(self.0.join(name), text).unwrap();
        self.path(name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap()
    }

    pub(crate) fn json(&self, name: &str) -> serde_json::Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        Path::new(&self.path(name)).exists()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A model whose motion x = 1 - t^2/2, by y = t, loses the value of sqrt(x) at t = sqrt(2).
pub(crate) const LOSES_ITS_ROOT: &str = r#"
format = 1
name = "root"
[flow]
x = "-y"
y = "1"
z = "sqrt(x)"
[sections.half]
when = "x - 1/2"
[start]
x = 1
y = 0
z = 0
"#;
