//! What figures show, and the quantities that `--show` adds to tables and figures.

use crate::common::{Folder, answer, json, refusal};

/// The words of a figure in SVG.
fn words(svg: &str) -> Vec<String> {
    let texts = svg.lines().filter(|line| line.starts_with("<text"));
    texts.filter_map(|line| Some(line.split_once('>')?.1.strip_suffix("</text>")?.to_string())).collect()
}

fn figure(folder: &Folder, arguments: &[&str]) -> Vec<String> {
    let file = folder.path("figure.svg");
    answer(&[arguments, &["--quiet", "--plot", &file]].concat());
    words(&folder.read("figure.svg"))
}

fn has(words: &[String], wanted: &str) -> bool {
    words.iter().any(|word| word == wanted)
}

fn numbers(column: &serde_json::Value) -> Vec<f64> {
    column.as_array().expect("a column").iter().map(|x| x.as_f64().unwrap_or(f64::NAN)).collect()
}

#[test]
fn shown_quantities_are_columns_behind_the_states() {
    let plain = ["simulate", "bouncing-ball", "--until", "6", "--every", "0.5"];
    let usual = json(&plain);
    let more = json(&[&plain[..], &["--show", "force:ground,x,energy,gap:ground"]].concat());
    let keys = |samples: &serde_json::Value| samples.as_object().unwrap().keys().cloned().collect::<Vec<String>>();
    assert_eq!(keys(&usual["samples"]), ["time", "x", "v"]);
    assert_eq!(keys(&more["samples"]), ["time", "x", "v", "force:ground", "energy", "gap:ground"]);
    for name in ["time", "x", "v"] {
        assert_eq!(usual["samples"][name], more["samples"][name]);
    }
    assert_eq!(numbers(&more["samples"]["gap:ground"]), numbers(&more["samples"]["x"]));
    // The ball of mass 1 falls from rest, and at last rests on the ground.
    let (force, energy) = (numbers(&more["samples"]["force:ground"]), numbers(&more["samples"]["energy"]));
    let speeds = numbers(&more["samples"]["v"]);
    assert_eq!(force[0], 0.0);
    assert!((force.last().unwrap() - 9.8).abs() < 1e-12, "{force:?}");
    assert!(energy.iter().zip(&speeds).all(|(e, v)| (e - v * v / 2.0).abs() <= 1e-15 * v * v));
}

#[test]
fn shown_columns_are_saved_too() {
    let folder = Folder::new("shown");
    let out = folder.path("out");
    let arguments = ["simulate", "bouncing-ball", "--until", "1", "--every", "0.5", "--show", "gap:ground"];
    answer(&[&arguments[..], &["--out", &out, "--quiet"]].concat());
    let table = folder.read("out/samples.csv");
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!((lines[0], lines.len()), ("time,x,v,gap:ground", 4));
    assert!(lines[1..].iter().all(|line| line.split(',').nth(1) == line.split(',').nth(3)), "{table}");
}

#[test]
fn the_energy_of_a_lagrangian_has_its_potential() {
    // Without a torque and restitution 1 nothing changes the energy.
    let conservative =
        ["simulate", "double-pendulum", "--set", "T=0", "--set", "e=1", "--until", "3", "--every", "0.5"];
    let result = json(&[&conservative[..], &["--show", "energy"]].concat());
    let energy = numbers(&result["samples"]["energy"]);
    let damped = energy.windows(2).all(|pair| pair[1] <= pair[0] + 1e-9);
    assert!(damped && energy.iter().all(|e| e.is_finite()), "{energy:?}");
}

#[test]
fn what_cannot_be_shown_is_refused_with_what_can() {
    let every = ["simulate", "bouncing-ball", "--until", "1", "--every", "0.5"];
    let refused = |names: &str| refusal(&[&every[..], &["--show", names]].concat());
    let text = refused("height");
    assert!(text.contains("`height`") && text.contains("force:ground"), "{text}");
    assert!(refused("force:sky").contains("force:sky"));
    assert!(refused("x,").contains("missing"));
    let text = refusal(&["simulate", "bouncing-ball", "--until", "1", "--show", "gap:ground"]);
    assert!(text.contains("neither a table nor a figure"), "{text}");
    let text = refusal(&["simulate", "bouncing-ball", "--show", "x", "--plane", "x,v", "--plot", "a.svg"]);
    assert!(text.contains("--plane"), "{text}");
    let moreau = [&every[..], &["--method", "moreau", "--step", "1e-2", "--show", "x"]].concat();
    assert!(refusal(&moreau).contains("--show"));
}

#[test]
fn shown_quantities_are_the_panels() {
    let folder = Folder::new("panels");
    let ball = ["simulate", "bouncing-ball", "--until", "4", "--show", "force:ground,energy"];
    let found = figure(&folder, &ball);
    assert!(has(&found, "contact force: ground") && has(&found, "kinetic energy"), "{found:?}");
    assert!(!found.iter().any(|word| word.starts_with("v (")), "{found:?}");
}

#[test]
fn stick_and_slip_are_told_apart_and_constant_rows_left_out() {
    let folder = Folder::new("slip");
    let found = figure(&folder, &["simulate", "belt-oscillator"]);
    assert!(has(&found, "stick") && has(&found, "slip backwards") && !has(&found, "persistent contact"), "{found:?}");
    assert!(!found.iter().any(|word| word.starts_with("gap")), "the gap is zero throughout: {found:?}");
    let found = figure(&folder, &["simulate", "double-pendulum", "--until", "7"]);
    assert!(has(&found, "persistent contact") && !has(&found, "stick"), "{found:?}");
}

#[test]
fn jumps_at_two_contacts_have_entries_of_their_own() {
    let folder = Folder::new("jumps");
    let found = figure(&folder, &["simulate", "two-wall-oscillator", "--plane", "y,w"]);
    assert!(has(&found, "jump at upper") && has(&found, "jump at lower"), "{found:?}");
}

#[test]
fn returns_to_a_section_are_points() {
    let folder = Folder::new("section");
    let returns = ["simulate", "impact-oscillator", "--returns", "300", "--section", "phi", "--plane", "x,y"];
    let found = figure(&folder, &[&returns[..], &["--settle", "100"]].concat());
    for wanted in ["section phi", "200 returns, the first 100 left out, tolerance 1e-12", "x", "y"] {
        assert!(has(&found, wanted), "{wanted} in {found:?}");
    }
    let all = ["--settle", "300", "--plot", "a.svg"];
    assert!(refusal(&[&returns[..], &all].concat()).contains("--settle"));
    assert!(refusal(&["simulate", "impact-oscillator", "--returns", "9", "--settle", "3"]).contains("--settle"));
}

#[test]
fn a_cascade_is_magnified_and_axes_have_a_comma_before_the_symbol() {
    let folder = Folder::new("cascade");
    let along = ["continue", "impact-oscillator", "--period", "2", "--settle", "400", "--along", "A"];
    let found = figure(&folder, &[&along[..], &["--range", "0.34:0.36", "--switch"]].concat());
    assert!(has(&found, "magnified below") && has(&found, "impact speed, magnified"), "{found:?}");
    assert!(has(&found, "amplitude of the forcing, A"), "{found:?}");
}

#[test]
fn manifolds_have_axes_with_names() {
    let folder = Folder::new("manifold");
    let found = figure(&folder, &["modes", "chain", "--ipp", "2", "--periods", "2.6:2.9", "--family"]);
    assert!(["u4", "u5", "v5"].iter().all(|name| has(&found, name)), "{found:?}");
    assert!(found.iter().any(|word| word.starts_with("orthographic view")), "{found:?}");
}
