//! `continue` follows orbits through bifurcations and reports where they are admissible.

use crate::common::{self, Folder, answer, json, refusal, run};
use serde_json::{Value, json as value};

const GRAZING: [&str; 10] =
    ["continue", "impact-oscillator", "--set", "A=0.35", "--period", "2", "--settle", "400", "--along", "A"];
const WALLS: [&str; 6] = ["continue", "two-wall-oscillator", "--set", "nu=1.1", "--along", "nu"];

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap()
}

fn near(value: &Value, expected: f64, tolerance: f64) {
    assert!((number(value) - expected).abs() < tolerance, "{value} {expected}");
}

/// What is printed and said when the answer is not whole: exit code 1.
fn short(arguments: &[&str]) -> (String, String) {
    let output = run(arguments);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {errors}");
    (String::from_utf8(output.stdout).unwrap(), errors)
}

#[test]
fn json_has_the_promised_keys_and_numbers() {
    let result = json(&[&GRAZING[..], &["--range", "0.34:0.36"]].concat());
    let keys: Vec<&str> = result.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys[..3], ["points", "special", "ended"]);
    assert_eq!(
        (&result["ended"], &result["along"], &result["model"]),
        (&value!("range"), &value!("A"), &value!("impact-oscillator"))
    );
    assert_eq!(list(&result["ends"]).len(), 2);
    let points = list(&result["points"]);
    let keys: Vec<&str> = points[0].as_object().unwrap().keys().map(String::as_str).collect();
    let promised =
        ["parameters", "period", "state", "signature", "impact_speeds", "multipliers", "stable", "admissible"];
    assert_eq!(keys, promised);
    // The ends of the range are points.
    assert_eq!(points[0]["parameters"]["A"], 0.34);
    assert_eq!(points.last().unwrap()["parameters"]["A"], 0.36);

    // The published values, from another computation.
    let special = list(&result["special"]);
    let kinds: Vec<&Value> = special.iter().map(|special| &special["kind"]).collect();
    assert_eq!(kinds, [&value!("graze"), &value!("period_doubling")]);
    let keys: Vec<&str> = special[0].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys[..7], ["kind", "parameters", "state", "period", "impact_speeds", "multipliers", "index"]);
    near(&special[0]["parameters"]["A"], 0.345_422_885_750_206, 1e-10);
    near(&special[0]["impact_speeds"][0], 0.0, 1e-10);
    near(&special[1]["multipliers"][0][0], -1.0, 1e-8);
    assert_eq!((&special[0]["contact"], &special[0]["place"]["node"]), (&value!("wall"), &value!(0)));
    for one in special {
        let index = one["index"].as_u64().unwrap() as usize;
        assert_eq!(one["parameters"], points[index]["parameters"]);
        let unknowns = list(&one["unknowns"]).len();
        assert_eq!((list(&one["sizes"]).len(), list(&one["tangent"]).len()), (unknowns, unknowns));
        assert_eq!(one["nodes"][0]["kind"], "impact");
    }

    // Beyond the graze nothing is called a motion, and the speed is that of no impact.
    for point in points {
        let below = number(&point["parameters"]["A"]) < number(&special[0]["parameters"]["A"]) - 1e-12;
        assert_eq!(number(&point["impact_speeds"][0]) > 1e-12, below);
        assert!(!(below && point["admissible"] == true));
    }
}

#[test]
fn points_of_a_branch_are_orbits_that_are_found_again() {
    let result = json(&[&WALLS[..], &["--range", "1:1.2"]].concat());
    let point = &list(&result["points"])[3];
    let mut arguments: Vec<String> = ["orbit", "two-wall-oscillator"].map(String::from).to_vec();
    arguments.extend(["--set".to_string(), format!("nu={}", point["parameters"]["nu"])]);
    for (name, x) in point["state"].as_object().unwrap() {
        arguments.extend(["--start".to_string(), format!("{name}={x}")]);
    }
    let orbit = json(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    for name in ["y", "w"] {
        near(&orbit["state"][name], number(&point["state"][name]), 1e-10);
    }
    near(&orbit["period"], number(&point["period"]), 1e-12);
    near(&orbit["multipliers"][0][0], number(&point["multipliers"][0][0]), 1e-8);
    assert_eq!(orbit["signature"], point["signature"]);
}

#[test]
fn a_branch_begins_at_an_orbit_of_a_file_with_its_parameters() {
    let folder = Folder::new("continue-from");
    let orbit = answer(&["orbit", "two-wall-oscillator", "--set", "nu=1.1", "--json"]);
    let file = folder.write("orbit.json", &orbit);
    let own = ["continue", "two-wall-oscillator", "--from", &file, "--along", "nu", "--range", "0.85:1.25"];
    let found = json(&own);
    assert_eq!(found["parameters"]["nu"], 1.1);
    let kinds: Vec<&Value> = list(&found["special"]).iter().map(|special| &special["kind"]).collect();
    assert_eq!(kinds, [&value!("symmetry_breaking"); 2]);
    near(&found["special"][0]["parameters"]["nu"], 0.887_486_240_752, 1e-11);
    assert!(found["special"][0]["mirror"].is_object());
    // What the command sets is not taken from the file, and that is said.
    let output = run(&[&own[..], &["--set", "nu=1.12", "--json"]].concat());
    assert!(String::from_utf8_lossy(&output.stderr).contains("nu = 1.1, which is 1.12 now"));
    let moved: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(moved["parameters"]["nu"], 1.12);
    near(&moved["special"][1]["parameters"]["nu"], number(&found["special"][1]["parameters"]["nu"]), 1e-11);
    // The folder of an orbit does as well.
    let out = folder.path("out");
    answer(&["orbit", "two-wall-oscillator", "--set", "nu=1.1", "--out", &out]);
    let again = json(&[
        "continue",
        "two-wall-oscillator",
        "--from",
        &format!("{out}/run.json"),
        "--along",
        "nu",
        "--range",
        "0.85:1.25",
    ]);
    assert_eq!(again, found);
}

#[test]
fn a_range_may_say_how_many_points_there_are_at_least() {
    let points = |range: &str| list(&json(&[&WALLS[..], &["--range", range]].concat())["points"]).len();
    assert!(points("1:1.2:200") >= 200);
    assert!(points("1:1.2") < 100);
}

#[test]
fn the_period_grows_without_bound_towards_a_saddle() {
    let arguments = ["--set", "e=0.9", "--set", "T=-31.1", "--settle", "8", "--along", "T", "--range=-31.05:-30.9"];
    let folder = Folder::new("continue-homoclinic");
    let figure = folder.path("period.svg");
    let arguments = [&["continue", "double-pendulum"][..], &arguments, &["--plot", &figure]].concat();
    let refused = refusal(&arguments);
    assert!(refused.contains("does not contain the orbit") && refused.contains("for example with T = "), "{refused}");
    let arguments: Vec<&str> =
        arguments.iter().map(|&text| if text.starts_with("--range") { "--range=-31.12:-30.9" } else { text }).collect();
    let result = json(&arguments);
    let last = list(&result["special"]).last().unwrap();
    assert_eq!((&last["kind"], &result["ended"]), (&value!("homoclinic"), &value!("homoclinic")));
    let law = &last["homoclinic"];
    near(&law["saddle"]["eigenvalues"][0][0], 0.288_793_17, 1e-8);
    near(&law["saddle"]["eigenvalues"][1][0], -3.247_520_83, 1e-8);
    assert_eq!(law["saddle"]["mode"], "stick:wall");
    near(&law["rate"], number(&law["saddle"]["eigenvalues"][0][0]), 1e-4);
    let svg = folder.read("period.svg");
    for part in ["period is infinite at T = -31.0016", "homoclinic", "impact speed (m/s)"] {
        assert!(svg.contains(part), "no `{part}`");
    }
}

#[test]
fn people_see_what_is_special_and_where_orbits_are_stable() {
    let text = answer(&[&GRAZING[..], &["--range", "0.34:0.36"]].concat());
    for part in [
        "along    A from 0.34 to 0.36",
        "events   impact:wall",
        "stable   A = 0.34753339741",
        "virtual  A = 0.34 to 0.34542288575",
        "from     A = 0.34: the end of the range",
        "period doubling            0.3475333974122",
    ] {
        assert!(text.contains(part), "no `{part}` in {text}");
    }
    assert_eq!(answer(&[&GRAZING[..], &["--range", "0.34:0.36", "--quiet"]].concat()), "");
}

#[test]
fn a_folder_holds_the_branch() {
    let folder = Folder::new("continue-out");
    let result = json(&[&GRAZING[..], &["--range", "0.34:0.36", "--out", &folder.path("out")]].concat());
    assert_eq!(folder.json("out/branch.json"), result);
    let run = folder.json("out/run.json");
    assert_eq!(run["files"], value!(["branch.json", "branch.csv", "special.csv", "run.json"]));
    assert_eq!(run["model"]["fingerprint"], result["fingerprint"]);
    let text = folder.read("out/branch.csv");
    let mut table = csv::Reader::from_reader(text.as_bytes());
    let head = ["A", "period", "x", "y", "phi", "impact_speed_1", "leading_modulus", "stable", "admissible", "branch"];
    assert_eq!(table.headers().unwrap(), head.as_slice());
    let rows: Vec<csv::StringRecord> = table.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), list(&result["points"]).len());
    for (row, point) in rows.iter().zip(list(&result["points"])) {
        assert_eq!(row[0].parse::<f64>().unwrap(), number(&point["parameters"]["A"]));
        assert_eq!(row[5].parse::<f64>().unwrap(), number(&point["impact_speeds"][0]));
        assert_eq!(row[8], point["admissible"].to_string());
    }
    let special = folder.read("out/special.csv");
    assert_eq!(special.lines().count(), 3);
    assert!(special.lines().nth(1).unwrap().starts_with("graze,0.3454228857"), "{special}");
}

#[test]
fn figures_show_the_branch() {
    let folder = Folder::new("continue-figures");
    let draw = |name: &str, more: &[&str]| {
        let file = folder.path(name);
        answer(&[&GRAZING[..], &["--range", "0.34:0.36", "--quiet", "--plot", &file], more].concat());
        std::fs::read(&file).unwrap()
    };
    let text = String::from_utf8(draw("speed.svg", &[])).unwrap();
    for part in [
        "amplitude of the forcing, A",
        "impact speed",
        "stable",
        "unstable, not admissible",
        "period doubling",
        "graze",
    ] {
        assert!(text.contains(part), "no `{part}`");
    }
    let text = String::from_utf8(draw("state.svg", &["--ordinate", "x"])).unwrap();
    assert!(text.contains("x on the section"));
    let text = String::from_utf8(draw("multiplier.svg", &["--ordinate", "multiplier"])).unwrap();
    assert!(text.contains("modulus of the leading multiplier"));
    assert_eq!(draw("period.png", &["--ordinate", "period"])[..8], *b"\x89PNG\r\n\x1a\n");
}

#[test]
fn a_branch_that_stops_early_is_kept_and_says_why() {
    let folder = Folder::new("continue-short");
    let (printed, errors) =
        short(&[&WALLS[..], &["--range", "0.9:1.2", "--points", "3", "--json", "--out", &folder.path("out")]].concat());
    let result: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!((&result["ended"], list(&result["points"]).len()), (&value!("points"), 7));
    assert!(errors.contains("stopped early at nu = ") && errors.contains("--points"), "{errors}");
    assert_eq!(folder.json("out/branch.json"), result);
}

#[test]
fn without_an_orbit_there_is_no_branch() {
    let folder = Folder::new("continue-nothing");
    let figure = folder.path("none.svg");
    let quasi = ["continue", "impact-damper", "--set", "nu=1.45", "--settle", "500", "--along", "nu", "--range"];
    let (printed, errors) = short(&[&quasi[..], &["1.4:1.5", "--json", "--plot", &figure]].concat());
    let result: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!((&result["ended"], &result["points"]), (&value!("no_orbit"), &value!([])));
    assert!(errors.contains("no orbit to begin at") && errors.contains("quasi-periodic"), "{errors}");
    assert!(errors.contains("no figure was drawn") && !folder.has("none.svg"), "{errors}");
}

#[test]
fn both_methods_agree() {
    let own = [&GRAZING[..], &["--range", "0.34:0.36"]].concat();
    let (signature, vivid) = (json(&own), json(&[&own[..], &["--method", "vivid"]].concat()));
    assert_eq!((&signature["method"], &vivid["method"]), (&value!("signature"), &value!("vivid")));
    assert_eq!(list(&signature["special"]).len(), list(&vivid["special"]).len());
    for (one, other) in list(&signature["special"]).iter().zip(list(&vivid["special"])) {
        assert_eq!(one["kind"], other["kind"]);
        near(&one["parameters"]["A"], number(&other["parameters"]["A"]), 1e-10);
    }
    // It is a function of orbits with one impact.
    let (printed, errors) = short(&[&WALLS[..], &["--range", "0.9:1.2", "--method", "vivid", "--json"]].concat());
    let result: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(result["ended"], "no_branch");
    assert!(errors.contains("the VIVID function does not serve this orbit"), "{errors}");
}

#[test]
fn branches_that_begin_at_special_points_are_followed_on_demand() {
    let folder = Folder::new("continue-switch");
    let figure = folder.path("both.svg");
    let result = json(&[&GRAZING[..], &["--range", "0.345:0.36", "--switch", "--plot", &figure]].concat());
    let doubling = list(&result["special"]).iter().position(|special| special["kind"] == "period_doubling").unwrap();
    let branches = list(&result["branches"]);
    let doubled = branches.iter().find(|branch| branch["parent"] == value!({ "branch": 0, "special": doubling }));
    let doubled = doubled.unwrap();
    let period = |branch: &Value| number(&branch["points"][0]["period"]);
    near(&value!(period(doubled) / period(&result)), 2.0, 1e-9);
    let text = answer(&[&GRAZING[..], &["--range", "0.345:0.36", "--switch"]].concat());
    assert!(text.contains("bifurcating at the period doubling"), "{text}");
    let table = folder.path("out");
    answer(&[&GRAZING[..], &["--range", "0.345:0.36", "--switch", "--quiet", "--out", &table]].concat());
    assert!(folder.read("out/branch.csv").lines().last().unwrap().ends_with(&format!(",{}", branches.len())));
}

#[test]
fn wrong_flags() {
    let said = |arguments: &[&str]| refusal(&[&["continue", "impact-oscillator"][..], arguments].concat());
    let range = |text: &str| said(&["--along", "A", "--range", text]);
    insta::assert_snapshot!("nothing_given", said(&[]));
    insta::assert_snapshot!("unknown_parameter", said(&["--along", "omga", "--range", "0.7:0.9"]));
    insta::assert_snapshot!("empty_parameter", said(&["--along", "", "--range", "0.7:0.9"]));
    insta::assert_snapshot!("range_without_the_orbit", range("0.36:0.37"));
    insta::assert_snapshot!("range_empty", range("0.35:0.35"));
    insta::assert_snapshot!("range_reversed", range("0.4:0.3"));
    insta::assert_snapshot!("range_not_a_number", range("NaN:0.4"));
    insta::assert_snapshot!("range_infinite", range("0.3:1/0"));
    insta::assert_snapshot!("range_of_one", range("0.3"));
    insta::assert_snapshot!("range_open", range(":0.4"));
    insta::assert_snapshot!("range_of_no_points", range("0.3:0.4:1"));
    insta::assert_snapshot!("range_of_broken_points", range("0.3:0.4:"));
    insta::assert_snapshot!("range_below_least", said(&["--along", "zeta", "--range=-0.1:0.1"]));
    insta::assert_snapshot!("range_above_most", said(&["--along", "r", "--range", "0.5:1.5"]));
    let more = |arguments: &[&str]| said(&[&["--along", "A", "--range", "0.3:0.4"], arguments].concat());
    insta::assert_snapshot!("no_points", more(&["--points", "0"]));
    insta::assert_snapshot!("no_step", more(&["--step", "0"]));
    insta::assert_snapshot!("long_step", more(&["--step", "2"]));
    // The branch is there, but points on it are not known to such a part of the range.
    let said = more(&["--step", "1e-12"]);
    assert!(said.contains("for steps of 1e-12 of the range") && said.contains("1e-8"), "{said}");
    insta::assert_snapshot!("unknown_method", more(&["--method", "magic"]));
    insta::assert_snapshot!("unknown_ordinate", more(&["--plot", "a.svg", "--ordinate", "spee"]));
    insta::assert_snapshot!("no_impacts", {
        let folder = Folder::new("continue-no-contacts");
        let text = common::LOSES_ITS_ROOT.replace("[flow]", "[parameters]\na = 1\n[flow]");
        let model = folder.write("free.toml", &text);
        refusal(&[
            "continue",
            &model,
            "--along",
            "a",
            "--range",
            "0:2",
            "--plot",
            "a.svg",
            "--ordinate",
            "impact_speed",
        ])
    });
    assert!(more(&["--ordinate", "period"]).contains("--plot"));
    assert!(more(&["--from", "a.json", "--guess", "b.json"]).contains("--guess"));
    let folder = Folder::new("continue-unwritable");
    let file = folder.write("file", "");
    assert!(more(&["--out", &format!("{file}/out")]).contains("cannot be written"));
}

#[test]
fn files_that_are_no_orbits_of_the_model() {
    let folder = Folder::new("continue-files");
    let from = |content: &str| {
        let file = folder.write("orbit.json", content);
        let said = refusal(&["continue", "two-wall-oscillator", "--from", &file, "--along", "nu", "--range", "1:1.2"]);
        // The place is as long as the path.
        let said: Vec<&str> = said.lines().filter(|line| !line.contains("·  ")).collect();
        said.join("\n").replace(&file, "orbit.json")
    };
    insta::assert_snapshot!("from_not_json", from("{\"state\": {"));
    insta::assert_snapshot!("from_branch", from(r#"{"points": [], "special": [], "ended": "range"}"#));
    let state = r#""state": {"y": 0.9, "w": 1, "phi": 0}"#;
    insta::assert_snapshot!("from_another_model", from(&format!(r#"{{{state}, "model": "impact-damper"}}"#)));
    let text = format!(r#"{{{state}, "model": "two-wall-oscillator", "fingerprint": "0123456789abcdef"}}"#);
    let said = from(&text);
    assert!(said.contains("has changed since") && said.contains("fingerprint"), "{said}");
    let missing = ["continue", "two-wall-oscillator", "--from", "no/such.json", "--along", "nu", "--range", "1:1.2"];
    assert!(refusal(&missing).contains("cannot be read"));
}

#[cfg(unix)]
#[test]
fn an_interrupted_branch_keeps_its_points() {
    let folder = Folder::new("continue-interrupted");
    let out = folder.path("out");
    let long = ["--along", "T", "--range=-31.2:-31", "--step", "1e-5", "--points", "1000000", "--json", "--out", &out];
    let child = common::saltation(&[&["continue", "double-pendulum"][..], &long].concat())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    // Ctrl-C is listened to before the description is written; by then the orbit is still being searched for, or followed.
    while !folder.has("out/run.json") {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    std::thread::sleep(std::time::Duration::from_millis(1500));
    let stop = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(stop.success());
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("interrupted") && errors.contains("results are saved in"), "{errors}");
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    // Where the machine is slow the search for the orbit was interrupted.
    assert!(["interrupted", "no_orbit"].map(Value::from).contains(&result["ended"]), "{}", result["ended"]);
    assert_eq!(folder.json("out/branch.json"), result);
}

/// The start of the model lies inside the stop at this place of it; the orbit does not.
#[test]
fn a_branch_begins_from_the_orbit_and_not_from_the_start_of_the_model() {
    let at = ["continue", "coco-impact", "--set", "d=-0.5", "--start", "x=-1", "--settle", "100", "--along", "A"];
    let result = json(&[&at[..], &["--range", "0.95:1.05"]].concat());
    assert!(list(&result["points"]).len() > 10);
}
