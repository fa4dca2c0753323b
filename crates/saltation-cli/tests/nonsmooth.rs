//! `modes` computes nonsmooth modes and rejects impossible questions.

use crate::common::{Folder, answer, json, refusal, run};
use serde_json::Value;

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

fn close(value: &Value, expected: f64, tolerance: f64) {
    let value = number(value);
    assert!((value - expected).abs() <= tolerance * expected.abs(), "{value} for {expected}");
}

#[test]
fn json_has_the_promised_keys_and_numbers() {
    let result = json(&["modes", "chain", "--periods", "0:40"]);
    let keys: Vec<&str> = result.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys[..3], ["frequencies", "modes", "intervals"]);
    let intervals = result["intervals"].as_array().unwrap();
    assert_eq!(intervals.len(), 43);
    let near = intervals.iter().find(|i| (number(&i["to"]) - 3.837875738449488).abs() < 1e-12).unwrap();
    close(&near["from"], 3.748044460919019, 1e-14);
    assert_eq!(near["ended_by"], serde_json::json!(["extra_contact", "harmonic"]));
    assert_eq!((&near["ends"]["mode"], &near["ends"]["multiple"]), (&3.into(), &4.into()));
    close(&near["energies"][1], 20.64784694834, 1e-12);
    let mode = &result["modes"][0];
    for key in ["ipp", "period", "impact_times", "lambda", "energy", "state", "admissible", "spectral_radius"] {
        assert!(!mode[key].is_null(), "{key}");
    }
    assert_eq!(mode["state"].as_object().unwrap().len(), 10);
    assert_eq!(
        json(&["modes", "chain", "--periods", "0:40", "--set", "d=-1"])["intervals"].as_array().unwrap().len(),
        8
    );
}

#[test]
fn one_period() {
    let mode = &json(&["modes", "chain", "--near", "3.8"])["modes"][0];
    close(&mode["lambda"][0], 0.594777359459835, 1e-14);
    close(&mode["energy"], 3.07365966981981, 1e-14);
    close(&mode["spectral_radius"], 3.551820161, 1e-9);
    assert_eq!((&mode["admissible"], &mode["neutral"]), (&true.into(), &false.into()));

    let told = answer(&["modes", "chain", "--near", "3.8"]);
    assert!(told.contains("\n1 motion (") && !told.contains("interval"), "{told}");

    // A motion that is not admissible is reported with the reason and the nearest periods.
    let output = run(&["modes", "chain", "--near", "3.74"]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("the nearest periods with admissible motions are 3.28510051993 to 3.73441837803"), "{said}");
    let penetrates = run(&["modes", "chain", "--near", "3.7480443", "--json"]);
    let answer: Value = serde_json::from_slice(&penetrates.stdout).unwrap();
    assert_eq!((&answer["modes"][0]["verdict"], &answer["ended"]), (&"penetrates".into(), &"none_found".into()));
}

#[test]
fn several_impacts_and_their_families() {
    let folder = Folder::new("families");
    let out = folder.path("out");
    let arguments =
        ["modes", "chain", "--ipp", "2", "--periods", "2.7:2.87", "--search", "60", "--family", "--out", &out];
    let result = json(&arguments);
    let families = result["families"].as_array().unwrap();
    let paper = families.iter().find(|family| family["ended_by"] == serde_json::json!(["lambda_infinite", "harmonic"]));
    let paper = paper.or_else(|| {
        families.iter().find(|family| family["ended_by"] == serde_json::json!(["harmonic", "lambda_infinite"]))
    });
    let paper = paper.expect("the family near 3 T_3");
    let ends = [&paper["begins"], &paper["ends"]];
    let infinite = ends.iter().find(|end| end["kind"] == "lambda_infinite").unwrap();
    close(&infinite["period"], 2.659760388834639, 1e-12);
    assert!(infinite["energy"].is_null());
    assert!(result["modes"].as_array().unwrap().iter().all(|mode| mode["admissible"] == true));
    assert_eq!(result["search"]["starts"], 60);
    for file in ["modes.json", "motions.csv", "families.csv", "run.json"] {
        assert!(folder.has(&format!("out/{file}")), "{file}");
    }
    assert_eq!(folder.json("out/modes.json"), result);
    // The same question has the same answer; another seed another one.
    assert_eq!(json(&arguments), result);
    assert_ne!(json(&[&arguments[..], &["--seed", "2"]].concat())["modes"], result["modes"]);
    let told = answer(&["modes", "chain", "--ipp", "2", "--periods", "2.9:2.95", "--search", "50"]);
    assert!(told.contains("connection to one impact per period"), "{told}");
}

#[test]
fn a_large_structure() {
    let folder = Folder::new("large-modes");
    answer(&["gallery", "bar", "--elements", "60", "--out", &folder.path("")]);
    let bar = folder.path("bar-60.toml");
    let result = json(&["modes", &bar, "--periods", "3.999:4.0003"]);
    assert_eq!(result["frequencies"].as_array().unwrap().len(), 60);
    let last = result["intervals"].as_array().unwrap().last().unwrap();
    assert_eq!(last["ends"], serde_json::json!({ "kind": "harmonic", "mode": 1, "multiple": 1 }));
    let plot = folder.path("bar.svg");
    answer(&["modes", &bar, "--periods", "3.99:4.0003", "--plot", &plot, "--quiet"]);
    let drawn = folder.read("bar.svg");
    for word in ["frequency 2", "energy", "time in periods", "orthographic view", ">v60<"] {
        assert!(drawn.contains(word), "{word}");
    }
}

#[test]
fn no_gap_at_rest() {
    let result = json(&["modes", "chain", "--set", "d=0"]);
    assert_eq!(result["intervals"].as_array().unwrap().len(), 0);
    let modes = result["modes"].as_array().unwrap();
    // One between each pair of neighbouring harmonics that is admissible; the first is where speeds have no bound for
    // d = 1.
    close(&modes[0]["period"], 0.6534927219514503, 1e-14);
    assert!(modes.iter().all(|mode| number(&mode["closing_error"]) < 1e-12));
    let told = answer(&["modes", "chain", "--set", "d=0"]);
    assert!(told.contains("isolated periods and no families"), "{told}");
}

#[test]
fn what_cannot_be_asked() {
    let folder = Folder::new("no-modes");
    insta::assert_snapshot!("modes_no_impacts", refusal(&["modes", "chain", "--ipp", "0"]));
    insta::assert_snapshot!("modes_at_a_harmonic", refusal(&["modes", "chain", "--near", "4*0.959468934612372"]));
    insta::assert_snapshot!("modes_reversed", refusal(&["modes", "chain", "--periods", "3:2"]));
    insta::assert_snapshot!("modes_negative_period", refusal(&["modes", "chain", "--near", "-1"]));
    insta::assert_snapshot!("modes_too_many_harmonics", refusal(&["modes", "chain", "--periods", "0:1e9"]));
    insta::assert_snapshot!(
        "modes_coordinates",
        refusal(&["modes", "chain", "--plot", "x.png", "--coordinates", "u1,w2,v1"])
    );
    insta::assert_snapshot!("modes_of_a_flow", refusal(&["modes", "relief-valve"]));
    insta::assert_snapshot!("modes_of_a_pendulum", refusal(&["modes", "double-pendulum"]));
    insta::assert_snapshot!("modes_of_two_walls", refusal(&["modes", "two-wall-oscillator"]));
    let free = answer(&["gallery", "chain"]).replace("[10, -5,  0,  0,  0]", "[5, -5,  0,  0,  0]");
    let free = folder.write("free.toml", &free);
    let said = refusal(&["modes", &free]).replace(&free, "free.toml");
    assert!(said.contains("K is not positive definite"), "{said}");
    assert!(said.contains("add a spring or a"), "{said}");
}

/// Two unit masses before a wall.
const TWO_MASSES: &str = r#"
format = 1
name = "two-masses"
[matrices]
M = "mass.mtx"
K = [[2.0, -1.0], [-1.0, 1.0]]
[contacts.wall]
gap = { constant = 1, normal = { 2 = -1 } }
restitution = 1
"#;

#[test]
fn periods_with_too_many_minima_are_refused_and_exponents_of_fortran_are_read() {
    let folder = Folder::new("two-masses");
    let model = folder.write("two-masses.toml", TWO_MASSES);
    folder.write("mass.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1.0D0\n2 2 10.0d-1\n");
    let said = refusal(&["modes", &model, "--near", "1e9"]);
    assert!(said.contains("minima in this period") && said.contains("ask for periods below"), "{said}");
    let said = refusal(&["modes", &model, "--near", "1e9", "--ipp", "2"]);
    assert!(said.contains("minima in this period"), "{said}");
    close(&json(&["modes", &model])["frequencies"][0], 0.5 * (5.0_f64.sqrt() - 1.0), 1e-15);
}

#[test]
fn modes_that_share_a_harmonic_are_all_named() {
    let folder = Folder::new("shared-harmonic");
    let text = TWO_MASSES.replace("\"mass.mtx\"", "{ diagonal = [1, 1] }");
    let text =
        text.replace("[[2.0, -1.0], [-1.0, 1.0]]", "{ diagonal = [1, 4] }").replace("{ 2 = -1 }", "{ 1 = 1, 2 = 1 }");
    let model = folder.write("shared.toml", &text);
    let result = json(&["modes", &model, "--periods", "6:6.4"]);
    let interval = &result["intervals"][0];
    close(&interval["energies"][1], 0.4, 1e-14);
    assert_eq!((&interval["ends"]["modes"], &interval["ends"]["multiples"]), (&[1, 2].into(), &[1, 2].into()));
    let said = answer(&["modes", &model, "--periods", "6:6.4"]);
    assert!(said.contains("linear modes 1 and 2 graze together, T = 1 T_1 = 2 T_2"), "{said}");
}

#[test]
fn only_digits_that_hold_are_shown() {
    let folder = Folder::new("ill-conditioned");
    // K = [k + 1, -k; -k, k] with k = 1e8, whose entries are known to 1e-8.
    let text = TWO_MASSES.replace("\"mass.mtx\"", "{ diagonal = [1, 1] }");
    let text = text.replace("[[2.0, -1.0], [-1.0, 1.0]]", "[[100000001.0, -1e8], [-1e8, 1e8]]");
    let model = folder.write("stiff.toml", &text);
    let said = answer(&["modes", &model, "--periods", "8:9"]);
    assert!(said.contains("only correct digits are shown") && !said.contains("0.70710678"), "{said}");
    let result = json(&["modes", &model, "--periods", "8:9"]);
    // ω² = 1/2 - 1/(8 k) + ...
    close(&result["frequencies"][0], (0.5_f64 - 0.125e-8).sqrt(), 1e-15);
    assert!(number(&result["uncertainties"][0]) > 1e-9);
}

#[test]
fn what_is_left_out_is_told() {
    let output = run(&["modes", "impact-oscillator"]);
    assert_eq!(output.status.code(), Some(0));
    let said = String::from_utf8(output.stderr).unwrap();
    insta::assert_snapshot!("modes_left_out", said);
}
