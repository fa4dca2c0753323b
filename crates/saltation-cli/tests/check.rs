//! `check` and `gallery` describe models.

use crate::common::{Folder, answer, json};
use serde_json::json as value;

#[test]
fn json_has_the_promised_keys() {
    let result = json(&["check", "impact-oscillator", "--set", "omega=1/4"]);
    let keys: Vec<&str> = result.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys[..7], ["name", "body", "states", "parameters", "contacts", "linear", "warnings"]);
    assert_eq!(result["name"], "impact-oscillator");
    assert_eq!(result["body"], "mechanics");
    assert_eq!(result["states"], value!(["x", "y", "phi"]));
    assert_eq!(result["parameters"], value!({ "zeta": 0.02, "omega": 0.25, "r": 0.9, "A": 0.35 }));
    assert_eq!(result["contacts"], value!(["wall"]));
    assert_eq!(result["linear"], true);
    assert_eq!(result["warnings"], value!([]));
}

#[test]
fn people_see_units_laws_and_derived_formulas() {
    let text = answer(&["check", "double-pendulum"]);
    for part in [
        "[lagrangian], not linear",
        "m/s^2",
        "-31.15",
        "M[w1, w1] = ",
        "h[w2] = ",
        "speed v",
        "direction W",
        "turn: where",
    ] {
        assert!(text.contains(part), "no `{part}` in:\n{text}");
    }
    assert!(!text.contains('\u{1b}'));
    assert_eq!(answer(&["check", "double-pendulum", "--quiet"]), "");
}

#[test]
fn a_symmetry_is_shown_and_missed_where_it_is_lost() {
    let text = answer(&["check", "two-wall-oscillator"]);
    assert!(
        text.contains("\nsymmetry\n  y -> -y, w -> -w, phi -> phi + 3.141593\n  contacts upper <-> lower\n"),
        "{text}"
    );
    let expected = value!({
        "signs": { "y": -1.0, "w": -1.0 },
        "phase": std::f64::consts::PI,
        "contacts": { "upper": "lower", "lower": "upper" },
    });
    assert_eq!(json(&["check", "two-wall-oscillator"])["symmetry"], expected);
    assert_eq!(json(&["check", "bouncing-ball"])["symmetry"], value!(null));

    let folder = Folder::new("check-symmetry");
    let file = answer(&["gallery", "two-wall-oscillator"]);
    let file = file.replace("Delta + y", "D2 + y").replace("[phase.phi]", "D2 = 1\n[phase.phi]");
    let file = folder.write("two-distances.toml", &file);
    assert_eq!(json(&["check", &file])["symmetry"], expected);
    let lost = json(&["check", &file, "--set", "D2=1.1"]);
    assert_eq!(lost["symmetry"], value!(null));
    assert!(lost["warnings"][0].as_str().unwrap().contains("contact `upper` has no image"), "{lost}");
    assert_eq!(json(&["simulate", &file, "--set", "D2=1.1", "--until", "5"])["ended"], "reached_time");
}

#[test]
fn friction_and_the_law_of_impacts_are_shown() {
    let bounce = json(&["check", "frictional-bounce"]);
    let friction = &bounce["laws"]["tip"]["friction"];
    let expected = value!({ "law": "coulomb", "mu": "mu", "mu_static": null, "track": "l*sin(phi)", "belt": "-v", "slip": "v + l*cos(phi)*w" });
    assert_eq!(*friction, expected);
    assert_eq!(bounce["impacts"], value!({ "together": null, "law": "newton" }));
    let text = answer(&["check", "frictional-bounce"]);
    for part in ["friction mu  mu", "track        l*sin(phi)", "belt         -v", "slip         v + l*cos(phi)*w"] {
        assert!(text.contains(part), "no `{part}` in:\n{text}");
    }
    assert!(!text.contains("\nimpacts\n"), "{text}");

    assert_eq!(json(&["check", "rocking-block"])["impacts"], value!({ "together": "lcp", "law": "newton" }));
    let text = answer(&["check", "rocking-block"]);
    assert!(text.contains("\nimpacts\n  contacts that close together: all impulses from one comp"), "{text}");
    assert!(!text.contains("belt  "), "{text}");
    let valve = json(&["check", "relief-valve"]);
    assert_eq!(valve["impacts"], value!({ "together": null, "law": null }));
    assert!(valve["laws"].as_object().unwrap().values().all(|law| law["friction"].is_null()));

    let folder = Folder::new("check-impacts");
    let file = answer(&["gallery", "rocking-block"]).replace("\"lcp\"", "\"refuse\"\nlaw = \"poisson\"");
    let file = folder.write("refused.toml", &file);
    assert_eq!(json(&["check", &file])["impacts"], value!({ "together": "refuse", "law": "poisson" }));
    let text = answer(&["check", &file]);
    assert!(
        text.contains("ends where contacts close together\n  restitution is a ratio of impulses (Poisson)"),
        "{text}"
    );
}

#[test]
fn out_keeps_the_answer_and_the_model() {
    let folder = Folder::new("check-out");
    let result = json(&["check", "bouncing-ball", "--out", &folder.path("out")]);
    let run = folder.json("out/run.json");
    assert_eq!(run["answer"], result);
    assert!(run["model"]["text"].as_str().unwrap().starts_with("format = 1"));
}

#[test]
fn every_model_of_the_gallery_is_listed_printed_checked_and_runs() {
    let list = json(&["gallery"]);
    let models = list["models"].as_array().unwrap();
    assert!(models.len() >= 8);
    let shown = answer(&["gallery"]);
    let folder = Folder::new("gallery");
    for model in models {
        let name = model["name"].as_str().unwrap();
        assert!(shown.contains(name) && shown.contains(model["title"].as_str().unwrap()));
        let file = folder.write(&format!("{name}.toml"), &answer(&["gallery", name]));
        assert_eq!(json(&["check", &file])["name"], *name);
        // The oscillation of the bridge decays to nothing within a second.
        let until = if name == "diode-bridge" { "0.05" } else { "3" };
        assert_eq!(json(&["simulate", &file, "--until", until]), json(&["simulate", name, "--until", until]));
    }
}

#[test]
fn gallery_prints_files_exactly() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../model/models/bouncing-ball.toml");
    assert_eq!(answer(&["gallery", "bouncing-ball"]), std::fs::read_to_string(file).unwrap());
}
