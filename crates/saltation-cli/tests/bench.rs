//! `saltation bench`: each work is done right, and mistakes are named. Times are not tested.

use crate::common::{answer, refusal};
use serde_json::Value;

/// The lines of works that are run once.
fn once(works: &[&str]) -> Vec<Value> {
    let text = answer(&[&["bench"], works, &["--repeats", "1", "--quiet"]].concat());
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The only line of a work without cases.
fn check(work: &str) -> Value {
    let lines = once(&[work]);
    assert_eq!(lines.len(), 1);
    lines[0]["check"].clone()
}

/// The checks of two cases.
fn checks(work: &str, cases: [&str; 2]) -> [Value; 2] {
    let lines = once(&[work]);
    assert_eq!(lines.iter().map(|line| line["case"].as_str().unwrap()).collect::<Vec<_>>(), cases);
    [lines[0]["check"].clone(), lines[1]["check"].clone()]
}

#[test]
fn impacts_of_the_diagram() {
    // The hand-written program with closed forms has 39 093: chaotic motions differ by some.
    let impacts = check("W1").as_u64().unwrap();
    assert!((38_900..39_300).contains(&impacts), "{impacts}");
}

#[test]
fn chattering_sequences_of_the_pendulum() {
    assert_eq!(check("W2"), 27);
}

#[test]
fn the_free_pendulum_ends_where_it_should() {
    let [coarse, fine] = checks("W3", ["1e-9", "1e-12"]).map(|check| check.as_f64().unwrap());
    // Errors of steps grow by some factor of ten until the end.
    assert!(coarse < 1e-8 && fine < 1e-11, "{coarse:e} {fine:e}");
}

#[test]
fn no_flight_is_missed_or_invented() {
    assert_eq!(checks("W4", ["new", "restart"]), [0, 0]);
}

#[test]
fn orbits_of_the_branch_are_periodic() {
    let residual = check("W5").as_f64().unwrap();
    assert!(residual < 1e-11, "{residual:e}");
}

#[test]
fn admissible_modes() {
    assert_eq!(checks("W6", ["5", "400"]), [356, 52]);
}

#[test]
fn contact_laws_of_the_column_and_the_heap() {
    let lines = once(&["W7"]);
    let [column, discs] = [0, 1].map(|i| lines[i]["check"].as_f64().unwrap());
    // Some of the steps in which the heap collides reach the bound of sweeps.
    assert!(column <= 1e-6 && discs < 1e-3, "{column:e} {discs:e}");
    assert!(lines.iter().all(|line| line["setup"].as_f64().unwrap() > 0.0));
}

#[test]
fn impacts_and_returns_of_the_sweeps() {
    let [impacts, returns] = checks("W8", ["alone", "sweep"]).map(|check| check.as_u64().unwrap());
    // heyoka, which follows every impact, has 20 133: chaotic motions differ by some.
    assert!((20_050..20_250).contains(&impacts), "{impacts}");
    // Every motion makes its 32 recorded returns.
    assert_eq!(returns, 24 * 32);
    assert_eq!(checks("W9", ["alone", "sweep"]), [64 * 32; 2]);
}

#[test]
fn fits_find_the_truth() {
    assert_eq!(checks("W10", ["impacts", "samples"]), [10; 2]);
}

#[test]
fn a_line_has_the_keys_that_other_programs_read() {
    let lines = once(&["w4"]);
    let keys: Vec<&String> = lines[0].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["work", "case", "median", "min", "max", "unit", "repeats", "check"]);
    let times = ["min", "median", "max"].map(|key| lines[0][key].as_f64().unwrap());
    assert!(times[0] > 0.0 && times.is_sorted() && lines[0]["repeats"] == 1 && lines[0]["unit"] == "us per flight");
}

#[test]
fn mistakes() {
    insta::assert_snapshot!("unknown_work", refusal(&["bench", "W3", "W11"]));
    insta::assert_snapshot!("no_repeats", refusal(&["bench", "--repeats", "0"]));
    insta::assert_snapshot!(
        "more_repeats_than_can_be_kept",
        refusal(&["bench", "W11", "--repeats", "100000000000000000000"])
    );
}
