//! `contact` solves contact problems and rejects impossible questions.

use crate::common::{Folder, answer, json, refusal};
use serde_json::Value;

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// A report without its time.
fn report(arguments: &[&str]) -> String {
    let told = answer(arguments);
    let lines: Vec<&str> = told.lines().filter(|line| !line.ends_with("s of computing)")).collect();
    lines.join("\n")
}

#[test]
fn reports() {
    let slope = ["contact", "painleve-rod", "--set", "angle=pi/3", "--set", "slip=1"];
    insta::assert_snapshot!("inconsistent", report(&slope));
    insta::assert_snapshot!("indeterminate", report(&[&slope[..], &["--set", "spin=5"]].concat()));
    insta::assert_snapshot!("critical", report(&["contact", "painleve-rod", "--critical", "angle=0.1:1.5"]));
    insta::assert_snapshot!("redundant", report(&["contact", "rocking-block", "--set", "angle=0"]));
    let falling = ["contact", "bouncing-disc", "--start", "y=0.1", "--start", "vy=-1"];
    insta::assert_snapshot!("closing", report(&falling));
    let map = ["--map", "angle=0.2:1.4:30", "--map", "spin=0:5:20"];
    insta::assert_snapshot!("map", report(&[&slope[..], &map[..]].concat()));
    assert_eq!(answer(&[&slope[..], &["--quiet"]].concat()), "");
}

#[test]
fn json_has_the_promised_keys_and_numbers() {
    let none = json(&["contact", "painleve-rod", "--set", "angle=pi/3", "--set", "slip=1"]);
    let keys: Vec<&str> = none.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys[..2], ["solutions", "status"]);
    assert_eq!((&none["status"], none["solutions"].as_array().unwrap().len()), (&"inconsistent".into(), 0));
    assert!((number(&none["impacts"][0]["normal_impulse"]["tip"]) - 0.3247595264).abs() < 5e-11);
    assert!((number(&none["impacts"][0]["tangential_impulse"]["tip"]) + 0.4375).abs() < 1e-15);
    assert!((number(&none["contacts"][0]["mu_critical"]) - 1.3471506281091268).abs() < 1e-14);

    let both = json(&["contact", "painleve-rod", "--set", "angle=pi/3", "--set", "slip=1", "--set", "spin=5"]);
    assert_eq!(both["status"], "indeterminate");
    let slip = both["solutions"].as_array().unwrap().iter().find(|one| one["mode"] == "slip+:tip").unwrap();
    assert!((number(&slip["normal_force"]["tip"]) - 28.0695238898).abs() < 5e-11);
    for key in ["mode", "normal_force", "tangential_force", "accelerations"] {
        assert!(!slip[key].is_null(), "{key}");
    }
    assert!((number(&slip["accelerations"]["vy"]) - 18.0695238898).abs() < 5e-11);

    let critical = json(&["contact", "painleve-rod", "--critical", "phi=0.1:1.5"]);
    assert!((number(&critical["critical"]["mu"]) - 4.0 / 3.0).abs() < 1e-14);
    assert!((number(&critical["critical"]["at"]) - 2f64.atan()).abs() < 1e-10);
}

#[test]
fn maps_are_told_written_and_drawn() {
    let folder = Folder::new("contact");
    let (out, figure) = (folder.path("out"), folder.path("map.svg"));
    let map = ["--map", "angle=0.2:1.4:30", "--map", "spin=0:5:20", "--out", &out, "--plot", &figure];
    let found = json(&[&["contact", "painleve-rod", "--set", "slip=1"], &map[..]].concat());
    assert_eq!(found["map"]["names"], serde_json::json!(["angle", "spin"]));
    let status = found["map"]["status"].as_array().unwrap();
    assert_eq!((status.len(), status[0].as_array().unwrap().len()), (20, 30));
    assert_eq!(
        (&status[0][0], &status[19][29], &status[19][15]),
        (&"slip".into(), &"flight".into(), &"indeterminate".into())
    );
    let shares: f64 = found["shares"].as_object().unwrap().values().map(number).sum();
    assert!((shares - 1.0).abs() < 1e-12);
    let curves = found["map"]["curves"].as_array().unwrap();
    assert_eq!(curves.iter().filter(|curve| curve["quantity"] == "A").count(), 2);
    assert_eq!(folder.read("out/contact_map.csv").lines().count(), 601);
    assert!(folder.read("out/contact_map.csv").starts_with("angle,spin,status,A_tip,b_tip\n0.2,0,slip,"));
    assert!(folder.read("out/curves.csv").starts_with("curve,contact,quantity,angle,spin\n0,tip,A,0.785398163397448"));
    assert_eq!(folder.json("out/run.json")["answer"]["map"], found["map"]);
    let drawn = folder.read("map.svg");
    for word in ["slip", "flight", "indeterminate", "inconsistent", "A = 0", "b = 0", "(rad/s)"] {
        assert!(drawn.contains(word), "{word}");
    }
    // Of states that cannot lie on the surface only that is reported.
    let held = json(&["contact", "painleve-rod", "--map", "y=0.2:0.4:3", "--map", "phi=1:1.2:3"]);
    assert_eq!(held["shares"], serde_json::json!({ "impossible": 1.0 }));
}

#[test]
fn wrong_input_is_refused() {
    let rod = |more: &[&str]| refusal(&[&["contact", "painleve-rod"], more].concat());
    let good = ["--map", "spin=0:5:20"];
    insta::assert_snapshot!("contact_in_flight", refusal(&["contact", "bouncing-disc"]));
    insta::assert_snapshot!("contact_of_a_flow", refusal(&["contact", "relief-valve"]));
    insta::assert_snapshot!("contact_without_friction", refusal(&["contact", "bouncing-ball"]));
    insta::assert_snapshot!("map_once", rod(&good));
    insta::assert_snapshot!("map_three_times", rod(&[good, ["--map", "mu=0:1:3"], ["--map", "slip=0:1:3"]].concat()));
    insta::assert_snapshot!("map_twice_the_same", rod(&[good, good].concat()));
    insta::assert_snapshot!("map_unknown", rod(&[good, ["--map", "angel=0:1:20"]].concat()));
    insta::assert_snapshot!("map_reversed", rod(&[good, ["--map", "angle=1:0:20"]].concat()));
    insta::assert_snapshot!("map_empty", rod(&[good, ["--map", "angle=1:1:20"]].concat()));
    insta::assert_snapshot!("map_huge", rod(&[good, ["--map", "angle=0:1:1000000000000000000000"]].concat()));
    insta::assert_snapshot!("map_one_value", rod(&[good, ["--map", "angle=0:1:1"]].concat()));
    insta::assert_snapshot!("map_not_a_number", rod(&[good, ["--map", "angle=nan:1:20"]].concat()));
    insta::assert_snapshot!("map_infinite", rod(&[good, ["--map", "angle=0:1/0:20"]].concat()));
    insta::assert_snapshot!("map_without_count", rod(&[good, ["--map", "angle=0:1"]].concat()));
    insta::assert_snapshot!("map_without_name", rod(&[good, ["--map", "=0:1:20"]].concat()));
    insta::assert_snapshot!("map_without_range", rod(&[good, ["--map", "angle"]].concat()));
    insta::assert_snapshot!("map_below_least", rod(&[good, ["--map", "mu=-1:1:20"]].concat()));
    insta::assert_snapshot!("critical_counted", rod(&["--critical", "angle=0:1:20"]));
    insta::assert_snapshot!("plot_without_map", rod(&["--plot", "map.svg"]));
    insta::assert_snapshot!(
        "map_while_closing",
        refusal(&["contact", "bouncing-disc", "--start", "y=0.1", "--start", "vy=-1", "--critical", "mu=0:1"])
    );
}
