//! `continue --equilibrium` follows equilibria to Hopf points, and the limit cycles from there to their grazing.

use crate::common::{Folder, answer, json, refusal, run};
use serde_json::{Value, json as value};

const VALVE: [&str; 5] = ["continue", "relief-valve", "--equilibrium", "--along", "q"];

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap()
}

fn near(value: &Value, expected: f64, tolerance: f64) {
    assert!((value.as_f64().unwrap() - expected).abs() < tolerance, "{value} {expected}");
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

fn kinds(branch: &Value) -> Vec<&str> {
    list(&branch["special"]).iter().map(|special| special["kind"].as_str().unwrap()).collect()
}

/// The force x(p - x^2) has a pitchfork at p = 0: x = 0 is always a rest, and above p = 0 so are both roots of x^2 = p.
const PITCHFORK: &str = r#"
format = 1
name = "pitchfork"
[parameters]
p = 0.5
[mechanics]
coordinates = ["x"]
velocities = ["v"]
M = [[1]]
h = ["p*x - x^3 - v"]
[contacts.wall]
gap = "1/2 - x"
restitution = 0.5
[start]
x = 0
v = 0
"#;

#[test]
fn the_valve_begins_to_oscillate_and_grazes_its_seat() {
    let folder = Folder::new("equilibrium-branch");
    let (out, figure) = (folder.path("out"), folder.path("valve.svg"));
    let result = json(&[&VALVE[..], &["--range", "1:10", "--switch", "--out", &out, "--plot", &figure]].concat());
    assert_eq!(keys(&result)[..6], ["kind", "points", "special", "ended", "message", "ends"]);
    assert_eq!((&result["kind"], &result["ended"]), (&value!("equilibrium"), &value!("range")));
    let points = list(&result["points"]);
    let promised = ["parameters", "state", "mode", "contact_force", "eigenvalues", "stable", "admissible"];
    assert_eq!(keys(&points[0])[..7], promised);
    assert_eq!((&points[0]["parameters"]["q"], &points[0]["mode"]), (&value!(1.0), &value!("flight")));
    for point in points {
        // y1 + delta = y3 and q = y1 sqrt(y3) at equilibrium.
        let state = |name: &str| point["state"][name].as_f64().unwrap();
        near(&value!(state("y1") + 10.0), state("y3"), 1e-10);
        near(&point["parameters"]["q"], state("y1") * state("y3").sqrt(), 1e-9);
    }

    let hopf = list(&result["special"]).iter().position(|special| special["kind"] == "hopf").unwrap();
    let one = &result["special"][hopf];
    assert_eq!(
        keys(one)[..8],
        ["kind", "parameters", "state", "index", "period", "frequency", "contact", "eigenvalues"]
    );
    near(&one["parameters"]["q"], 8.491_117_635_2, 1e-9);
    near(&one["period"], 2.032_926_948_6, 1e-9);
    near(&value!(one["period"].as_f64().unwrap() * one["frequency"].as_f64().unwrap()), std::f64::consts::TAU, 1e-12);
    near(&one["eigenvalues"][0][0], 0.0, 1e-9);
    assert_eq!((&one["admissible"], &one["contact"]), (&value!(true), &Value::Null));
    for point in points {
        let above = point["parameters"]["q"].as_f64().unwrap() > 8.491_118;
        assert!(!above || point["stable"] == true);
    }

    let cycles = list(&result["branches"]).iter().find(|branch| branch["kind"] == "orbit").unwrap();
    assert_eq!(cycles["parent"], value!({ "branch": 0, "special": hopf }));
    let graze = list(&cycles["special"]).iter().find(|special| special["kind"] == "graze").unwrap();
    near(&graze["parameters"]["q"], 7.557_210_97, 1e-8);
    near(&graze["period"], 2.656_012_15, 1e-8);
    assert_eq!(graze["contact"], "seat");
    assert_eq!(result["not_followed"], value!([]));

    assert_eq!(folder.json("out/branch.json"), result);
    let files = ["branch.json", "branch.csv", "special.csv", "cycles.csv", "cycles_special.csv", "run.json"];
    assert_eq!(folder.json("out/run.json")["files"], value!(files));
    let head = "q,y1,y2,y3,force_seat,mode,leading_real_part,stable,admissible,branch";
    assert_eq!(folder.read("out/branch.csv").lines().next(), Some(head));
    let text = folder.read("valve.svg");
    for part in ["flow into the reservoir, q", "Hopf", "limit cycle", "unstable", "graze"] {
        assert!(text.contains(part), "no `{part}`");
    }

    // The graze of the cycle is followed further like any other.
    let from = format!("{out}/branch.json");
    let range = ["--along", "q,kappa", "--range", "1.2:1.3", "--points", "20", "--from", &from];
    let index = list(&cycles["special"]).iter().position(|special| special["kind"] == "graze").unwrap();
    let curve = json(&[&["curve", "relief-valve", "--at", &format!("1:{index}")][..], &range].concat());
    assert!(list(&curve["points"]).len() > 4);
    let said = refusal(&[&["curve", "relief-valve", "--at", "0"][..], &range].concat());
    assert!(said.contains("equilibria"), "{said}");
}

#[test]
fn a_branch_begins_at_an_equilibrium_of_a_file() {
    let folder = Folder::new("equilibrium-branch-from");
    let file = folder.write("rest.json", &answer(&["equilibrium", "relief-valve", "--set", "q=9", "--json"]));
    let found = json(&[&VALVE[..], &["--range", "8:10", "--from", &file]].concat());
    assert_eq!((&found["parameters"]["q"], kinds(&found)), (&value!(9.0), vec!["hopf"]));
    near(&found["special"][0]["parameters"]["q"], 8.491_117_635_2, 1e-9);
    let out = folder.path("out");
    answer(&["equilibrium", "relief-valve", "--set", "q=9", "--out", &out, "--quiet"]);
    let run = format!("{out}/run.json");
    assert_eq!(json(&[&VALVE[..], &["--range", "8:10", "--from", &run, "--at", "0"]].concat()), found);
    let said = |more: &[&str]| {
        let said = refusal(&[&VALVE[..], &["--range", "8:10"], more].concat());
        let said: Vec<&str> = said.lines().filter(|line| !line.contains("·  ")).collect();
        said.join("\n").replace(&file, "rest.json")
    };
    insta::assert_snapshot!("at_beyond_the_last", said(&["--set", "q=9", "--from", &file, "--at", "7"]));
    assert!(said(&["--from", "no/such.json"]).contains("cannot be read"));
    let broken = |text: &str| said(&["--from", &folder.write("other.json", text)]);
    assert!(broken(r#"{"state": {}}"#).contains("no list `equilibria`"));
    assert!(broken(r#"{"equilibria": []}"#).contains("no equilibria"));
    assert!(broken(r#"{"equilibria": [{"mode": "flight", "state": {}}]}"#).contains("no number for the state `y1`"));
    assert!(broken(r#"{"equilibria": [], "model": "bouncing-ball"}"#).contains("another model"));
}

#[test]
fn the_arms_of_a_pitchfork_reach_the_wall() {
    let folder = Folder::new("equilibrium-branch-pitchfork");
    let model = folder.write("pitchfork.toml", PITCHFORK);
    let own = ["continue", &model, "--equilibrium", "--mode", "flight", "--along", "p", "--range=-1:1"];
    let trivial = json(&own);
    assert_eq!(kinds(&trivial), ["branch_point"]);
    near(&trivial["special"][0]["parameters"]["p"], 0.0, 1e-9);
    // Where x = 1/2 is p = 1/4, and from there on the rest lies inside the wall.
    let arm = [&own[..7], &["--range", "0.05:1", "--set", "p=0.16", "--start", "x=0.4"]].concat();
    let found = json(&arm);
    assert_eq!(kinds(&found), ["boundary"]);
    assert_eq!(found["special"][0]["contact"], "wall");
    near(&found["special"][0]["parameters"]["p"], 0.25, 1e-9);
    for point in list(&found["points"]) {
        let (x, p) = (point["state"]["x"].as_f64().unwrap(), point["parameters"]["p"].as_f64().unwrap());
        assert!((p - x * x).abs() < 1e-8);
        assert!(x > 0.5 - 1e-8 || point["admissible"] == true);
        assert!(x < 0.5 + 1e-8 || point["admissible"] == false);
    }
    // In contact with the wall the force p/2 - 1/8 vanishes at the same place.
    let closed = ["--mode", "stick:wall", "--along", "p", "--range", "0:1", "--start", "x=0.5"];
    let closed = json(&[&["continue", &model, "--equilibrium"][..], &closed].concat());
    assert_eq!((kinds(&closed), &closed["mode"]), (vec!["boundary"], &value!("stick:wall")));
    near(&closed["special"][0]["parameters"]["p"], 0.25, 1e-9);
    near(&closed["points"].as_array().unwrap().last().unwrap()["contact_force"]["wall"], 0.375, 1e-12);
    insta::assert_snapshot!("pitchfork", report(&arm));
}

#[test]
fn a_branch_that_crosses_is_followed_both_ways_and_only_once() {
    let folder = Folder::new("equilibrium-branch-crossing");
    let text = "format = 1\nname = \"slow\"\n[parameters]\np = 0.5\n[flow]\nx = \"p*x - x^3\"\n[start]\nx = 0\n";
    let model = folder.write("slow.toml", text);
    let result = json(&["continue", &model, "--equilibrium", "--along", "p", "--range=-1:1", "--switch"]);
    assert_eq!(kinds(&result), ["branch_point"]);
    let [arms] = &list(&result["branches"])[..] else { panic!("{}", result["branches"]) };
    assert_eq!((&arms["kind"], &arms["parent"]), (&value!("equilibrium"), &value!({ "branch": 0, "special": 0 })));
    let ends: Vec<f64> =
        [0, list(&arms["points"]).len() - 1].map(|k| arms["points"][k]["state"]["x"].as_f64().unwrap()).to_vec();
    near(&value!(ends[0] * ends[1]), -1.0, 1e-9);
    near(&value!(ends[0] + ends[1]), 0.0, 1e-9);
}

/// A report without the time it took.
fn report(arguments: &[&str]) -> String {
    let text = answer(arguments);
    text.lines().map(|line| format!("{}\n", line.split(" (0.").next().unwrap_or(line))).collect()
}

#[test]
fn reports() {
    insta::assert_snapshot!("valve", report(&[&VALVE[..], &["--range", "5:10"]].concat()));
}

#[test]
fn without_an_equilibrium_there_is_no_branch() {
    let folder = Folder::new("equilibrium-branch-nothing");
    let figure = folder.path("none.svg");
    let falling = ["continue", "bouncing-ball", "--equilibrium", "--mode", "flight", "--along", "g", "--range", "5:15"];
    let output = run(&[&falling[..], &["--json", "--plot", &figure]].concat());
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{errors}");
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&result["ended"], &result["points"]), (&value!("no_equilibrium"), &value!([])));
    insta::assert_snapshot!("nowhere", errors);
    assert!(!folder.has("none.svg"));
}

#[test]
fn a_branch_that_stops_early_is_kept_and_says_why() {
    let output = run(&[&VALVE[..], &["--range", "1:10", "--points", "3", "--json"]].concat());
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{errors}");
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(result["ended"], "points");
    assert!(errors.contains("stopped early at q = ") && errors.contains("--points"), "{errors}");
}

#[test]
fn wrong_flags() {
    let said = |more: &[&str]| refusal(&[&VALVE[..], more].concat());
    let range = |more: &[&str]| said(&[&["--range", "1:10"], more].concat());
    for flags in [["--section", "s"], ["--settle", "5"], ["--period", "2"], ["--guess", "a"], ["--method", "vivid"]] {
        let text = range(&flags);
        assert!(text.contains("--equilibrium") && text.contains(flags[0]), "{text}");
    }
    insta::assert_snapshot!("with_settle", range(&["--settle", "5"]));
    insta::assert_snapshot!("unknown_mode", range(&["--mode", "stick:seet"]));
    insta::assert_snapshot!("unknown_ordinate", range(&["--plot", "a.svg", "--ordinate", "period"]));
    insta::assert_snapshot!("range_without_the_equilibrium", said(&["--range", "8:10"]));
    insta::assert_snapshot!("no_range", said(&[]));
    let walls = ["continue", "two-wall-oscillator", "--equilibrium", "--along", "nu", "--range", "0.5:1.5"];
    insta::assert_snapshot!("forced", refusal(&walls));
    // Without forcing at the start, but not all along the range.
    let growing = ["--set", "A=0", "--along", "A", "--range", "0:1"];
    let growing = refusal(&[&["continue", "impact-oscillator", "--equilibrium"][..], &growing].concat());
    insta::assert_snapshot!("forced_on_the_way", growing);
    let orbit = ["continue", "relief-valve", "--along", "q", "--range", "1:10", "--mode", "flight"];
    assert!(refusal(&orbit).contains("--equilibrium"));
}
