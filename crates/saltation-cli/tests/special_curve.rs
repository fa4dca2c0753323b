//! `curve` follows bifurcation points in the plane of two parameters.

use crate::common::{Folder, answer, json, refusal};
use serde_json::{Value, json as value};

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap()
}

/// The branch of the oscillator with a graze and a period doubling.
fn branch(folder: &Folder) -> String {
    let arguments = ["continue", "impact-oscillator", "--period", "2", "--settle", "400", "--along", "A"];
    folder.write("branch.json", &answer(&[&arguments[..], &["--range", "0.34:0.36", "--json"]].concat()))
}

const ALONG: [&str; 4] = ["--along", "A,omega", "--range", "0.79:0.83"];

#[test]
fn grazes_lie_on_the_resonance_curve_of_the_free_oscillator() {
    let folder = Folder::new("curve-graze");
    let file = branch(&folder);
    let result = json(&[&["curve", "impact-oscillator", "--from", &file, "--at", "0"], &ALONG[..]].concat());
    let keys: Vec<&str> = result.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys[..4], ["kind", "points", "special", "ended"]);
    assert_eq!((&result["kind"], &result["along"]), (&value!("graze"), &value!(["A", "omega"])));
    assert_eq!((&result["ended"], &result["at"]), (&value!("range"), &value!(0)));
    let points = list(&result["points"]);
    let omega = |point: &Value| number(&point["parameters"]["omega"]);
    let ends = [points.first().unwrap(), points.last().unwrap()].map(omega);
    assert_eq!((ends[0].min(ends[1]), ends[0].max(ends[1])), (0.79, 0.83));
    for point in points {
        let keys: Vec<&str> = point.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys, ["parameters", "state", "impact_speeds", "period", "admissible"]);
        // The wall stands one unit from rest: the amplitude of free vibration is 1.
        let omega = omega(point);
        let amplitude = (1.0 - omega * omega).hypot(2.0 * 0.02 * omega);
        assert!((number(&point["parameters"]["A"]) - amplitude).abs() < 1e-9, "{point}");
        assert!((number(&point["period"]) - 4.0 * std::f64::consts::PI / omega).abs() < 1e-12);
    }
}

#[test]
fn period_doublings_are_followed_from_the_file_of_a_folder() {
    let folder = Folder::new("curve-doubling");
    let out = folder.path("branch");
    let arguments = ["continue", "impact-oscillator", "--period", "2", "--settle", "400", "--along", "A"];
    answer(&[&arguments[..], &["--range", "0.34:0.36", "--quiet", "--out", &out]].concat());
    let from = format!("{out}/run.json");
    let figure = folder.path("curve.svg");
    let curve = ["curve", "impact-oscillator", "--from", &from, "--at", "1"];
    let results = folder.path("out");
    let curve = [&curve[..], &ALONG, &["--out", &results, "--plot", &figure]].concat();
    let result = json(&curve);
    assert_eq!(result["kind"], "period_doubling");
    // A point of the curve is a special point of the branch with its frequency.
    let point = list(&result["points"]).iter().find(|p| number(&p["parameters"]["omega"]) > 0.815).unwrap();
    let set = format!("omega={}", point["parameters"]["omega"]);
    let branch = json(&[&arguments[..], &["--set", &set, "--set", "A=0.35", "--range", "0.33:0.36"]].concat());
    let doubling = list(&branch["special"]).iter().find(|special| special["kind"] == "period_doubling").unwrap();
    let off = number(&doubling["parameters"]["A"]) - number(&point["parameters"]["A"]);
    assert!(off.abs() < 1e-9, "{off}");

    assert_eq!(folder.json("out/curve.json"), result);
    assert_eq!(folder.json("out/run.json")["files"], value!(["curve.json", "curve.csv", "special.csv", "run.json"]));
    let text = folder.read("out/curve.csv");
    let mut table = csv::Reader::from_reader(text.as_bytes());
    let head = ["A", "omega", "period", "x", "y", "phi", "impact_speed_1", "admissible"];
    assert_eq!(table.headers().unwrap(), head.as_slice());
    assert_eq!(table.records().count(), list(&result["points"]).len());
    assert_eq!(folder.read("out/special.csv").lines().count(), 1 + list(&result["special"]).len());
    let svg = folder.read("curve.svg");
    for part in ["frequency of the forcing, ω", "amplitude of the forcing, A", "period doubling", "start"] {
        assert!(svg.contains(part), "no `{part}`");
    }
    let text = answer(&curve);
    for part in
        ["bifurcation 1: period doubling", "along    A and omega, omega from 0.79 to 0.83", "events   impact:wall"]
    {
        assert!(text.contains(part), "no `{part}` in {text}");
    }
    // A range of the first parameter ends the curve as well.
    let bounded = json(&[&curve[..10], &["--range1", "0.345:0.35"]].concat());
    for point in list(&bounded["points"]) {
        let a = number(&point["parameters"]["A"]);
        assert!((0.345 - 1e-12..=0.35 + 1e-12).contains(&a), "{a}");
    }
}

#[test]
fn symmetric_orbits_and_chattering_are_read_from_files_too() {
    let folder = Folder::new("curve-others");
    let walls = ["continue", "two-wall-oscillator", "--set", "nu=1.1", "--along", "nu", "--range", "0.85:1.25"];
    let text = answer(&[&walls[..], &["--json"]].concat());
    let file = folder.write("walls.json", &text);
    let result = json(&[
        "curve",
        "two-wall-oscillator",
        "--from",
        &file,
        "--at",
        "0",
        "--along",
        "nu,e",
        "--range",
        "0.69:0.71",
    ]);
    assert_eq!(result["kind"], "symmetry_breaking");
    assert!(list(&result["points"]).len() > 2);
    let pendulum = ["continue", "double-pendulum", "--along", "e", "--range", "0.88:0.9", "--json"];
    let file = folder.write("pendulum.json", &answer(&pendulum));
    let result =
        json(&["curve", "double-pendulum", "--from", &file, "--at", "0", "--along", "e,T", "--range=-31.16:-31.14"]);
    assert_eq!(result["kind"], "stick_loss");
}

#[test]
fn special_points_of_branches_that_were_switched_to_are_followed() {
    let folder = Folder::new("curve-switch");
    let arguments = ["continue", "impact-oscillator", "--period", "2", "--settle", "400", "--along", "A"];
    let text = answer(&[&arguments[..], &["--range", "0.345:0.36", "--switch", "--json"]].concat());
    let branch: Value = serde_json::from_str(&text).unwrap();
    let file = folder.write("branch.json", &text);
    // The second doubling of the cascade.
    let doubled = |branch: &Value| branch["special"][0]["kind"] == "period_doubling";
    let number_of = 1 + list(&branch["branches"]).iter().position(doubled).unwrap();
    let special = &branch["branches"][number_of - 1]["special"][0];
    let at = format!("{number_of}:0");
    let curve = ["curve", "impact-oscillator", "--from", &file, "--at", &at, "--along", "A,omega", "--range"];
    let result = json(&[&curve[..], &["0.809:0.811"]].concat());
    assert_eq!((&result["kind"], &result["at"]), (&value!("period_doubling"), &value!(at)));
    let here = |point: &&Value| number(&point["parameters"]["omega"]) == 0.81;
    let start = list(&result["points"]).iter().find(here).unwrap();
    assert!((number(&start["parameters"]["A"]) - number(&special["parameters"]["A"])).abs() < 1e-10);
}

#[test]
fn wrong_flags() {
    let folder = Folder::new("curve-wrong");
    let file = branch(&folder);
    // The place is as long as the path.
    let hidden = |said: String, path: &str| {
        let said: Vec<&str> = said.lines().filter(|line| !line.contains("·  ")).collect();
        said.join("\n").replace(path, "branch.json")
    };
    let said = |arguments: &[&str]| refusal(&[&["curve", "impact-oscillator"][..], arguments].concat());
    let from = |arguments: &[&str]| said(&[&["--from", &file][..], arguments].concat());
    insta::assert_snapshot!("nothing_given", said(&[]));
    insta::assert_snapshot!("no_point_given", from(&[]));
    insta::assert_snapshot!("no_parameters_given", from(&["--at", "0"]));
    let at = |at: &str| from(&[&["--at", at], &ALONG[..]].concat());
    insta::assert_snapshot!("at_beyond_the_last", at("7"));
    insta::assert_snapshot!("at_negative", at("-1"));
    insta::assert_snapshot!("at_no_number", at("graze"));
    insta::assert_snapshot!("at_no_branch", at("3:0"));
    insta::assert_snapshot!("at_half_a_place", at("0:"));
    let along = |names: &str| from(&["--at", "0", "--along", names, "--range", "0.79:0.83"]);
    insta::assert_snapshot!("along_one", along("A"));
    insta::assert_snapshot!("along_the_same", along("A,A"));
    insta::assert_snapshot!("along_in_the_wrong_order", along("omega,A"));
    insta::assert_snapshot!("along_another_than_the_branch", along("r,omega"));
    insta::assert_snapshot!("along_unknown", along("A,omga"));
    insta::assert_snapshot!("along_half", along("A,"));
    let range = |text: &str| from(&["--at", "0", "--along", "A,omega", "--range", text]);
    insta::assert_snapshot!("range_without_the_point", range("0.9:1"));
    insta::assert_snapshot!("range_reversed", range("0.9:0.7"));
    insta::assert_snapshot!(
        "range1_without_the_point",
        from(&[&["--at", "0", "--range1", "0.4:0.5"], &ALONG[..]].concat())
    );
    insta::assert_snapshot!("set_elsewhere", from(&[&["--at", "0", "--set", "r=0.8"], &ALONG[..]].concat()));
    let unwritable = folder.write("file", "");
    let out = format!("{unwritable}/out");
    assert!(from(&[&["--at", "0", "--out", &out], &ALONG[..]].concat()).contains("cannot be written"));

    let orbit = folder.write("orbit.json", &answer(&["orbit", "two-wall-oscillator", "--json"]));
    let of_file = |content: &str| {
        let file = folder.write("other.json", content);
        hidden(said(&[&["--from", &file, "--at", "0"], &ALONG[..]].concat()), &file)
    };
    insta::assert_snapshot!(
        "from_orbit",
        hidden(said(&[&["--from", &orbit, "--at", "0"], &ALONG[..]].concat()), &orbit)
    );
    insta::assert_snapshot!("from_not_json", of_file("{\"special\": "));
    insta::assert_snapshot!("from_something_else", of_file("[]"));
    insta::assert_snapshot!("from_another_model", of_file(r#"{"special": [], "model": "two-wall-oscillator"}"#));
    insta::assert_snapshot!("from_nothing_special", of_file(r#"{"special": [], "model": "impact-oscillator"}"#));
    insta::assert_snapshot!("from_broken", of_file(r#"{"special": [{"kind": "fold"}], "model": "impact-oscillator"}"#));
    let end = folder.read("branch.json").replace("\"graze\"", "\"homoclinic\"");
    insta::assert_snapshot!("from_homoclinic", of_file(&end));
    let changed = folder.read("branch.json").replace("\"fingerprint\":\"", "\"fingerprint\":\"f");
    assert!(of_file(&changed).contains("has changed since"));
    assert!(said(&["--from", "no/such.json", "--at", "0"]).contains("cannot be read"));
}

#[test]
fn files_with_wrong_numbers_are_refused() {
    let folder = Folder::new("curve-broken");
    let file = branch(&folder);
    let whole = folder.json("branch.json");
    let refused = |change: &dyn Fn(&mut Value)| {
        let mut broken = whole.clone();
        change(&mut broken["special"][0]);
        let file = folder.write("broken.json", &broken.to_string());
        let said = refusal(&[&["curve", "impact-oscillator", "--from", &file, "--at", "0"], &ALONG[..]].concat());
        assert!(said.contains("does not have the form that `saltation continue` writes"), "{said}");
    };
    refused(&|one| one["unknowns"] = value!([1.0]));
    refused(&|one| one["unknowns"][0] = Value::Null);
    refused(&|one| one["sizes"][0] = value!(0.0));
    refused(&|one| one["nodes"] = value!([]));
    refused(&|one| one["nodes"][0]["contact"] = value!("window"));
    refused(&|one| one["nodes"][0]["kind"] = value!("waypoint"));
    refused(&|one| one["nodes"][0]["kind"] = value!("release"));
    refused(&|one| one["nodes"][0]["after"] = value!("stick:window"));
    refused(&|one| one["mirror"] = value!({ "signs": [1, 1], "shift": 0, "contacts": {} }));
    refused(&|one| one["place"] = value!({ "node": 9 }));
    refused(&|one| one["turns"] = value!([]));
    refused(&|one| one["kind"] = value!("cusp"));
    assert!(!file.is_empty());
}
