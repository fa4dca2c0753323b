//! `equilibrium` finds equilibria and reports them.

use crate::common::{self, Folder, answer, json, refusal, run};
use serde_json::Value;

#[test]
fn json_has_the_promised_keys_and_numbers() {
    let result = json(&["equilibrium", "bouncing-ball"]);
    let rest = &result["equilibria"][0];
    let keys: Vec<&str> = rest.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys[..6], ["state", "mode", "contact_force", "eigenvalues", "stable", "admissible"]);
    assert_eq!(rest["state"], serde_json::json!({"x": 0.0, "v": 0.0}));
    assert_eq!((&rest["mode"], &rest["contact_force"]["ground"]), (&"stick:ground".into(), &9.8.into()));
    assert_eq!((&rest["eigenvalues"], &rest["stable"]), (&serde_json::json!([]), &true.into()));
    assert_eq!((&result["ended"], &result["missed"][0]["reason"]), (&"found".into(), &"moving".into()));
}

#[test]
fn a_mode_and_a_start_choose_the_saddle_of_the_pendulum() {
    let arguments = ["equilibrium", "double-pendulum", "--set", "T=-31.00166609425", "--set", "d=0.5"];
    let near = ["--mode", "stick:wall", "--start", "q1=4.9", "--start", "q2=0.6"];
    let result = json(&[&arguments[..], &near].concat());
    assert_eq!(result["equilibria"].as_array().unwrap().len(), 1);
    let rest = &result["equilibria"][0];
    assert!((rest["eigenvalues"][0][0].as_f64().unwrap() - 0.28879317054699).abs() < 1e-12);
    assert!((rest["contact_force"]["wall"].as_f64().unwrap() - 10.6929309674396).abs() < 1e-11);
    let text = answer(&[&arguments[..], &near].concat());
    assert!(text.contains("stick:wall: unstable in one direction\n"), "{text}");
    // The search through all modes finds it too, from the start of the file.
    let all = json(&arguments);
    let known = |rest: &Value| (rest["contact_force"]["wall"].as_f64().unwrap_or(0.0) - 10.6929309674396).abs() < 1e-10;
    assert!(all["equilibria"].as_array().unwrap().iter().any(known), "{all}");
}

/// A report without the time it took.
fn report(arguments: &[&str]) -> String {
    let text = answer(arguments);
    text.lines().map(|line| format!("{}\n", line.split(" (0.").next().unwrap_or(line))).collect()
}

#[test]
fn reports() {
    insta::assert_snapshot!("valve", report(&["equilibrium", "relief-valve", "--set", "q=9", "--mode", "flight"]));
    insta::assert_snapshot!("oscillator", report(&["equilibrium", "impact-oscillator", "--set", "A=0"]));
    insta::assert_snapshot!("family", report(&["equilibrium", "coco-impact", "--set", "A=0", "--set", "k=0"]));
}

#[test]
fn wrong_modes_and_forced_models_are_refused() {
    let mode = |mode: &str| refusal(&["equilibrium", "two-wall-oscillator", "--mode", mode]);
    insta::assert_snapshot!("mode_unknown", mode("slide:upper"));
    insta::assert_snapshot!("mode_of_unknown_contact", mode("stick:uper"));
    insta::assert_snapshot!("mode_twice", mode("stick:upper,stick:upper"));
    insta::assert_snapshot!("mode_empty", mode(""));
    insta::assert_snapshot!("mode_half_empty", mode("stick:upper,"));
    insta::assert_snapshot!("mode_with_flight", mode("stick:upper,flight"));
    insta::assert_snapshot!("mode_without_name", mode("stick:"));
    insta::assert_snapshot!("forced", refusal(&["equilibrium", "two-wall-oscillator"]));
    insta::assert_snapshot!("start_not_a_number", refusal(&["equilibrium", "relief-valve", "--start", "y1=NaN"]));
    insta::assert_snapshot!("start_undefined", refusal(&["equilibrium", "relief-valve", "--start", "y3=-1"]));
    insta::assert_snapshot!("start_infinite", refusal(&["equilibrium", "relief-valve", "--start", "y1=1/0"]));
}

/// What is said where nothing is found, with exit code 1.
fn in_vain(arguments: &[&str]) -> String {
    let output = run(&[arguments, &["--json"]].concat());
    assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&result["ended"], &result["equilibria"]), (&"none_found".into(), &serde_json::json!([])));
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn where_nothing_rests_the_reason_is_told() {
    insta::assert_snapshot!("falling", in_vain(&["equilibrium", "bouncing-ball", "--mode", "flight"]));
    insta::assert_snapshot!("filling", in_vain(&["equilibrium", "relief-valve", "--mode", "stick:seat"]));
    insta::assert_snapshot!("steep", in_vain(&["equilibrium", "relief-valve", "--start", "y3=0"]));
    let folder = Folder::new("equilibrium-walls");
    let walls = "format = 1\nname = \"walls\"\n[mechanics]\ncoordinates = [\"y\"]\nvelocities = [\"w\"]\nM = [[1]]\n\
                 h = [\"-y\"]\n[contacts.upper]\ngap = \"1 - y\"\nrestitution = 0.5\n[contacts.lower]\ngap = \"1 + y\"\n\
                 restitution = 0.5\n[contacts.nowhere]\ngap = \"2 + y^2\"\nrestitution = 0.5\n[start]\ny = 0.5\nw = 0\n";
    let walls = folder.write("walls.toml", walls);
    insta::assert_snapshot!("facing", in_vain(&["equilibrium", &walls, "--mode", "stick:upper,stick:lower"]));
    insta::assert_snapshot!("nowhere", in_vain(&["equilibrium", &walls, "--mode", "stick:nowhere"]));
}

#[test]
fn every_model_of_the_gallery_has_an_answer_or_a_reason() {
    for line in answer(&["gallery"]).lines() {
        let Some(name) = line.split_whitespace().next().filter(|name| common::run(&["gallery", name]).status.success())
        else {
            continue;
        };
        let output = run(&["equilibrium", name]);
        let errors = String::from_utf8(output.stderr).unwrap();
        let code = output.status.code().unwrap();
        assert!(code == 0 || code < 3 && !errors.is_empty(), "{name}: {code} {errors}");
    }
}

#[test]
fn a_folder_holds_the_answer() {
    let folder = Folder::new("equilibrium-out");
    let result = json(&["equilibrium", "relief-valve", "--set", "q=9", "--out", &folder.path("out")]);
    assert_eq!(folder.json("out/run.json")["answer"], result);
    assert_eq!(answer(&["equilibrium", "relief-valve", "--quiet"]), "");
}
