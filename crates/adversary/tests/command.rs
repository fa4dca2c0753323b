//! The command `adversary`: its exit codes, its table, and that the same seed gives the same members.

use std::process::{Command, Output};

fn adversary(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_adversary")).args(arguments).output().expect("the command starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).to_string()
}

#[test]
fn mutated_inputs_panic_nowhere_and_have_places() {
    let output = adversary(&["--family", "inputs", "--members", "1500", "--seed", "1"]);
    let said = text(&output.stdout);
    assert!(output.status.success(), "{said}");
    let row = said.lines().find(|line| line.starts_with("inputs")).expect("a row for the family");
    let counts: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(counts[1..3], ["1500", "0"]);
}

#[test]
fn the_same_seed_gives_the_same_members_on_any_number_of_threads() {
    let told = |jobs: &str| {
        let output = adversary(&["--family", "columns", "--members", "12", "--seed", "5", "--jobs", jobs]);
        let mut blocks: Vec<String> = text(&output.stdout).split("== ").skip(1).map(str::to_string).collect();
        blocks.iter_mut().for_each(|block| drop(block.split_off(block.find(':').unwrap_or(0))));
        blocks.sort();
        blocks
    };
    assert_eq!(told("1"), told("2"));
}

#[test]
fn unknown_families_are_refused() {
    let output = adversary(&["--family", "nonsense"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("nonsense"));
    assert!(text(&adversary(&["--list"]).stdout).contains("inputs"));
}
