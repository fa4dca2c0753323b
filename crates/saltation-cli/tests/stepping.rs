//! `simulate --method moreau` answers with the documented keys, files and exit codes.

use crate::common::{Folder, answer, json, refusal, run};
use serde_json::Value;

const BALL: [&str; 6] = ["simulate", "bouncing-ball", "--method", "moreau", "--step", "1e-3"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&BALL, more].concat()
}

fn keys(object: &Value) -> Vec<&str> {
    object.as_object().unwrap().keys().map(String::as_str).collect()
}

/// Discs of radius 1/2 in a row on a floor, with all pairs as contacts.
fn discs(count: usize) -> String {
    let list = |entry: &dyn Fn(usize) -> String| (0..count).map(entry).collect::<Vec<_>>().join(", ");
    let mut contacts = String::new();
    for i in 0..count {
        let rubs = "restitution = 0\nfriction = { law = \"coulomb\", mu = 0.3 }";
        contacts += &format!("[contacts.floor{i}]\ngap = \"y{i} - 0.5\"\n{rubs}\ntrack = \"x{i} + 0.5*p{i}\"\n");
        for j in i + 1..count {
            contacts += &format!(
                "[contacts.c{i}_{j}]\ngap = \"sqrt((x{j} - x{i})^2 + (y{j} - y{i})^2) - 1\"\n{rubs}\n\
                 track = \"atan2(y{j} - y{i}, x{j} - x{i}) - 0.5*(p{i} + p{j})\"\n"
            );
        }
    }
    let start: String = (0..count)
        .map(|i| {
            format!("x{i} = {}\ny{i} = 0.6\np{i} = 0\nu{i} = {}\nv{i} = 0\nw{i} = 0\n", 1.1 * i as f64, -(i as f64))
        })
        .collect();
    format!(
        "format = 1\nname = \"discs\"\n[mechanics]\ncoordinates = [{}]\nvelocities = [{}]\nM = {{ diagonal = [{}] }}\nh = [{}]\n\
         {contacts}[start]\n{start}",
        list(&|i| format!("\"x{i}\", \"y{i}\", \"p{i}\"")),
        list(&|i| format!("\"u{i}\", \"v{i}\", \"w{i}\"")),
        list(&|_| "1, 1, 0.125".to_string()),
        list(&|_| "0, -10, 0".to_string()),
    )
}

#[test]
fn json_has_the_promised_keys() {
    let result = json(&with(&["--until", "6", "--every", "2"]));
    let promised = ["end", "counts", "ended", "events", "method", "step", "solver", "contacts", "model", "parameters"];
    assert!(promised.iter().all(|key| keys(&result).contains(key)), "{:?}", keys(&result));
    assert_eq!(keys(&result["end"]), ["time", "state", "mode"]);
    assert_eq!((&result["end"]["mode"], &result["end"]["time"]), (&"stick:ground".into(), &6.0.into()));
    assert_eq!(
        (&result["method"], &result["step"], &result["ended"]),
        (&"moreau".into(), &1e-3.into(), &"reached_time".into())
    );
    assert_eq!(result["events"], serde_json::json!([]));
    assert_eq!((&result["solver"]["steps"], &result["solver"]["capped"]), (&6000.into(), &0.into()));
    assert_eq!(result["samples"]["time"], serde_json::json!([0.0, 2.0, 4.0, 6.0]));
    // m g h
    assert!((result["contacts"][0]["normal_impulse"].as_f64().unwrap() - 9.8e-3).abs() < 1e-12);
    // The whole motion but for the order of a step: it reaches persistent contact after (1 + 2 0.8/(1 - 0.8)) sqrt(2/9.8).
    assert!(result["end"]["state"]["x"].as_f64().unwrap().abs() < 1e-2);
    assert_eq!(result["samples"]["x"][0], 1.0);
}

#[test]
fn the_report_tells_steps_and_sweeps() {
    let text = answer(&with(&["--until", "1", "--start", "x=2"]));
    for part in [
        "x(0) = 2",
        "step   1e-3 (Moreau)",
        "1000 steps",
        "sweeps over the contacts",
        "deepest penetration",
        "end    t = 1,",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(answer(&with(&["--until", "0.1"])).contains("100 steps without any contact"));
    assert_eq!(answer(&with(&["--until", "1", "--quiet"])), "");
    let table = answer(&with(&["--until", "1", "--quiet", "--every", "0.5"]));
    assert_eq!(table.lines().count(), 4, "{table}");
}

#[test]
fn a_folder_and_a_figure_are_written() {
    let folder = Folder::new("stepping");
    let (out, plot, plane) = (folder.path("out"), folder.path("ball.svg"), folder.path("plane.png"));
    answer(&with(&["--until", "2", "--every", "0.25", "--out", &out, "--plot", &plot]));
    let table = folder.read("out/samples.csv");
    assert!(table.starts_with("time,x,v\n0,1,0\n") && table.lines().count() == 10, "{table}");
    let run = folder.json("out/run.json");
    assert_eq!((&run["answer"]["method"], &run["answer"]["step"]), (&"moreau".into(), &1e-3.into()));
    assert!(folder.read("ball.svg").contains("steps of 1e-3"));
    answer(&with(&["--until", "2", "--plot", &plane, "--plane", "x,ground"]));
    assert!(folder.has("plane.png"));
}

#[test]
fn what_does_not_fit_is_refused() {
    for (arguments, part) in [
        (vec!["simulate", "bouncing-ball", "--method", "moreau"], "needs the length of its steps"),
        (vec!["simulate", "bouncing-ball", "--step", "1e-3"], "chooses its steps itself"),
        (vec!["simulate", "bouncing-ball", "--method", "euler", "--step", "1"], "`events` or `moreau`, not `euler`"),
        (with(&["--theta", "0.4"]), "from 1/2 to 1, not 0.4"),
        (with(&["--theta", "1/0"]), "not finite"),
        (vec!["simulate", "bouncing-ball", "--theta", "1"], "theta is of time stepping"),
        (with(&["--returns", "3"]), "crossings of sections"),
        (with(&["--section", "top"]), "crossings of sections"),
        (with(&["--sketch", "a.svg"]), "draws no mechanisms"),
        (with(&["--max-step", "1"]), "one length"),
        (with(&["--flow", "exact"]), "one method for the flow"),
        (with(&["--derivatives", "e"]), "time stepping carries no derivatives"),
        (with(&["--until", "1e-4"]), "longer than the trajectory"),
        (with(&["--until", "1e9"]), "more than a billion steps"),
        (with(&["--until", "10", "--every", "1e-7"]), "more than 10 million rows"),
        (with(&["--plane", "x,z", "--plot", "a.svg"]), "neither a state nor a contact"),
        (vec!["simulate", "bouncing-ball", "--method", "moreau", "--step", "-1"], "must be positive"),
        (vec!["simulate", "bouncing-ball", "--method", "moreau", "--step", "1/0"], "not finite"),
        (vec!["simulate", "relief-valve", "--method", "moreau", "--step", "1e-3"], "needs masses and forces"),
    ] {
        let errors = refusal(&arguments);
        assert!(errors.replace("\n", " ").contains(part) && errors.contains("help:"), "{arguments:?}: {errors}");
    }
    let events = json(&["simulate", "bouncing-ball", "--method", "events", "--until", "1"]);
    assert_eq!(events["counts"]["impact"], 1);
}

#[test]
fn a_law_that_it_does_not_know_is_refused() {
    let folder = Folder::new("stepping-poisson");
    let text = "format = 1\nname = \"p\"\n[mechanics]\ncoordinates = [\"y\"]\nvelocities = [\"v\"]\nM = [[1]]\nh = [-1]\n\
                [impacts]\nlaw = \"poisson\"\n[contacts.floor]\ngap = \"y\"\nrestitution = 0\n[start]\ny = 1\nv = 0\n";
    let model = folder.write("p.toml", text);
    assert!(refusal(&["simulate", &model, "--method", "moreau", "--step", "0.1"]).contains("Newton's law"));
}

#[test]
fn a_coefficient_that_leaves_its_range_ends_the_motion() {
    let folder = Folder::new("stepping-friction");
    let text = "format = 1\nname = \"slide\"\n[mechanics]\ncoordinates = [\"x\", \"y\"]\nvelocities = [\"u\", \"v\"]\n\
                M = { diagonal = [1, 1] }\nh = [1, -10]\n[contacts.floor]\ngap = \"y\"\nrestitution = 0\n\
                friction = { law = \"coulomb\", mu = \"0.05 - 0.1*x\" }\ntrack = \"x\"\n[start]\nx = 0\ny = 0\nu = 1\nv = 0\n";
    let model = folder.write("slide.toml", text);
    let output = run(&["simulate", &model, "--method", "moreau", "--step", "1e-2", "--until", "2"]);
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(errors.contains("the coefficient of friction of contact floor has become"), "{errors}");
}

/// A pendulum that stands on its head: 1 - theta^2 h^2 100 vanishes at h = 1/5 with the midpoint rule, and at 1/10 with theta = 1.
#[test]
fn a_step_that_forces_make_too_long_ends_the_motion() {
    let folder = Folder::new("stepping-too-long");
    let text = "format = 1\nname = \"up\"\n[mechanics]\ncoordinates = [\"x\"]\nvelocities = [\"v\"]\nM = [[1]]\nh = [\"100*x\"]\n\
                [start]\nx = 1e-9\nv = 0\n";
    let model = folder.write("up.toml", text);
    let asked = ["simulate", &model, "--method", "moreau", "--step", "0.15", "--until", "0.6"];
    let middle = json(&asked);
    assert_eq!((&middle["ended"], &middle["theta"]), (&"reached_time".into(), &0.5.into()));
    let output = run(&[&asked[..], &["--theta", "1", "--json"]].concat());
    assert_eq!(output.status.code(), Some(1));
    let ended: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&ended["ended"], &ended["theta"]), (&"step_too_long".into(), &1.0.into()));
    let message = ended["message"].as_str().unwrap();
    assert!(message.contains("too long") && message.contains("7.500e-2 would do"), "{message}");
}

#[test]
fn many_contacts_move_by_steps_only() {
    let folder = Folder::new("stepping-discs");
    let model = folder.write("discs.toml", &discs(23));
    let result = json(&["simulate", &model, "--method", "moreau", "--step", "1e-3", "--until", "0.5"]);
    assert_eq!(result["ended"], "reached_time");
    assert!(result["solver"]["most_contacts"].as_u64().unwrap() >= 12);
    assert_eq!(json(&["check", &model])["contacts"].as_array().unwrap().len(), 276);
    for command in [
        vec!["simulate"],
        vec!["orbit"],
        vec!["equilibrium"],
        vec!["lyapunov"],
        vec!["continue", "--along", "a", "--range", "0:1"],
    ] {
        let arguments: Vec<&str> = [&command[..1], &[model.as_str()], &command[1..]].concat();
        let errors = refusal(&arguments);
        assert!(errors.contains("276 contacts") && errors.contains("--method moreau"), "{arguments:?}: {errors}");
    }
}

#[test]
fn a_solver_that_stalls_is_told() {
    let folder = Folder::new("stepping-stalls");
    let model = folder.write("discs.toml", &discs(4));
    let arguments = ["simulate", &model, "--method", "moreau", "--step", "1e-3", "--until", "0.3", "--tol", "1e-16"];
    let output = run(&arguments);
    assert_eq!(output.status.code(), Some(0));
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(errors.contains("impulses did not converge to 1e-16"), "{errors}");
}
