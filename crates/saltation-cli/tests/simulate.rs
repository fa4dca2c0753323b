//! `simulate` answers with the documented keys, files and exit codes.

use crate::common::{Folder, LOSES_ITS_ROOT, answer, json, run, saltation};
use serde_json::Value;
use std::io::Read;
use std::process::Stdio;

fn keys(object: &Value) -> Vec<&str> {
    object.as_object().unwrap().keys().map(String::as_str).collect()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// The bouncing ball of height 1 and restitution 0.8 reaches persistent contact after (1 + 2*0.8/(1 - 0.8)) sqrt(2/9.8).
fn rest_time() -> f64 {
    (1.0 + 2.0 * 0.8 / 0.2) * (2.0 / 9.8_f64).sqrt()
}

#[test]
fn json_has_the_promised_keys() {
    let result = json(&["simulate", "bouncing-ball", "--until", "6"]);
    assert_eq!(keys(&result)[..4], ["end", "counts", "ended", "events"]);
    assert_eq!(keys(&result["end"]), ["time", "state", "mode"]);
    assert_eq!(keys(&result["end"]["state"]), ["x", "v"]);
    assert_eq!(result["end"]["mode"], "stick:ground");
    assert_eq!(result["end"]["time"], 6.0);
    assert_eq!(result["ended"], "reached_time");
    let promised =
        ["time", "kind", "contact", "before", "after", "speed_before", "speed_after", "duration", "impacts", "error"];
    let events = result["events"].as_array().unwrap();
    assert!(events.iter().all(|event| keys(event) == promised));
    for (kind, count) in result["counts"].as_object().unwrap() {
        let found = events.iter().filter(|event| event["kind"] == kind.as_str()).count();
        assert_eq!(count.as_u64().unwrap() as usize, found, "{kind}");
    }
    assert_eq!(
        events.len() as u64,
        result["counts"].as_object().unwrap().values().filter_map(Value::as_u64).sum::<u64>()
    );

    let first = &events[0];
    assert_eq!((first["kind"].as_str(), first["contact"].as_str()), (Some("impact"), Some("ground")));
    assert!((number(&first["speed_before"]) + (2.0 * 9.8_f64).sqrt()).abs() < 1e-12);
    assert!((number(&first["speed_after"]) - 0.8 * (2.0 * 9.8_f64).sqrt()).abs() < 1e-12);
    let stick = events.iter().find(|event| event["kind"] == "stick").unwrap();
    assert!((number(&stick["time"]) - rest_time()).abs() < 1e-11);
    let chatter = events.iter().find(|event| event["kind"] == "chatter").unwrap();
    assert!((number(&chatter["time"]) + number(&chatter["duration"]) - rest_time()).abs() < 1e-11);
    assert!(number(&chatter["impacts"]) >= 1.0);
}

#[test]
fn numbers_have_all_their_digits() {
    let until = 40.0 * std::f64::consts::PI / 3.0;
    let result = json(&["simulate", "impact-oscillator", "--until", "40*pi/3"]);
    assert_eq!(number(&result["end"]["time"]).to_bits(), until.to_bits());
}

#[test]
fn the_phase_is_told_modulo_its_period() {
    let result = json(&["simulate", "impact-oscillator", "--returns", "4", "--start", "phi=1"]);
    assert_eq!(result["counts"]["section"], 4);
    assert_eq!(result["ended"], "reached_returns");
    assert!((number(&result["end"]["state"]["phi"]) - 1.0).abs() < 1e-12);
    let until = json(&["simulate", "impact-oscillator", "--until", "100"]);
    let phase = (0.81 * 100.0_f64).rem_euclid(std::f64::consts::TAU);
    assert!((number(&until["end"]["state"]["phi"]) - phase).abs() < 1e-11);
}

#[test]
fn without_an_end_ten_periods_are_taken_and_it_is_said() {
    let text = answer(&["simulate", "impact-oscillator"]);
    assert!(text.contains("10 periods of the forcing, as neither --until nor --returns is given"), "{text}");
    let result = json(&["simulate", "impact-oscillator"]);
    assert!((number(&result["end"]["time"]) - 20.0 * std::f64::consts::PI / 0.81).abs() < 1e-12);
    assert_eq!(json(&["simulate", "bouncing-ball"])["end"]["time"], 40.0);
}

#[test]
fn parameters_are_set_by_formulas_and_negative_numbers() {
    let torque = |setting: &str| {
        number(&json(&["simulate", "double-pendulum", "--until", "0.1", "--set", setting])["parameters"]["T"])
    };
    assert_eq!(torque("T=-31.15"), -31.15);
    assert_eq!(torque("T=-2*pi"), -2.0 * std::f64::consts::PI);
    assert_eq!(torque("T = -g*m2"), -2.0 * 9.81);
    let started = json(&["simulate", "bouncing-ball", "--until", "0", "--start", "v=-1/4", "--start", "x=3"]);
    assert_eq!(started["end"]["state"], serde_json::json!({ "x": 3.0, "v": -0.25 }));
}

#[test]
fn the_longest_step_changes_no_event() {
    let events = |extra: &[&str]| {
        let result = json(&[&["simulate", "impact-oscillator", "--until", "200"][..], extra].concat());
        let times: Vec<f64> = result["events"].as_array().unwrap().iter().map(|event| number(&event["time"])).collect();
        times
    };
    let (free, bound) = (events(&[]), events(&["--max-step", "1/100"]));
    assert!(free.len() > 5 && free.len() == bound.len());
    assert!(free.iter().zip(&bound).all(|(a, b)| (a - b).abs() < 1e-9));
}

#[test]
fn samples_lie_on_the_exact_motion() {
    let result = json(&["simulate", "bouncing-ball", "--until", "0.4", "--every", "0.1"]);
    let column = |name: &str| -> Vec<f64> { result["samples"][name].as_array().unwrap().iter().map(number).collect() };
    assert_eq!(column("time").len(), 5);
    for (t, x) in column("time").into_iter().zip(column("x")) {
        assert!((x - (1.0 - 4.9 * t * t)).abs() < 1e-14);
    }
    let table = answer(&["simulate", "bouncing-ball", "--until", "0.3", "--every", "0.1", "--quiet"]);
    assert_eq!(table.lines().count(), 5);
    assert!(table.lines().nth(4).unwrap().contains("0.559"));
}

#[test]
fn tables_and_run_are_enough_to_repeat_the_run() {
    let folder = Folder::new("repeat");
    let out = folder.path("deep/results");
    let arguments =
        ["simulate", "impact-oscillator", "--set", "A=0.3", "--until", "30*pi", "--every", "pi", "--tol", "1e-13"];
    let before = json(&[&arguments[..], &["--out", &out]].concat());
    let run = folder.json("deep/results/run.json");
    assert_eq!(run["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(run["seed"], Value::Null);
    assert_eq!(run["ended"], "reached_time");
    assert_eq!(run["files"], serde_json::json!(["events.csv", "samples.csv", "run.json"]));
    assert_eq!(run["parameters"]["A"], 0.3);
    assert_eq!(run["start"]["x"], -0.5);
    assert!(number(&run["wall_time"]) > 0.0);

    // From run.json alone: the model's text, and every parameter and start value as they were.
    let model = folder.write("again.toml", run["model"]["text"].as_str().unwrap());
    let mut again = vec!["simulate".to_string(), model];
    for (flag, values) in [("--set", &run["parameters"]), ("--start", &run["start"])] {
        for (name, value) in values.as_object().unwrap() {
            again.extend([flag.to_string(), format!("{name}={value}")]);
        }
    }
    again.extend(["--until".to_string(), run["until"].to_string()]);
    again.extend(["--tol".to_string(), run["tolerances"]["step"].to_string()]);
    let again: Vec<&str> = again.iter().map(String::as_str).collect();
    let after = json(&again);
    assert_eq!(before["events"], after["events"]);
    assert_eq!(before["end"], after["end"]);

    let events = folder.read("deep/results/events.csv");
    let mut table = csv::Reader::from_reader(events.as_bytes());
    let head: Vec<String> = table.headers().unwrap().iter().map(str::to_string).collect();
    assert_eq!(head[..7], ["time", "kind", "contact", "section", "before_x", "before_y", "before_phi"]);
    let rows: Vec<csv::StringRecord> = table.records().map(Result::unwrap).collect();
    let told = before["events"].as_array().unwrap();
    assert_eq!(rows.len(), told.len());
    for (row, event) in rows.iter().zip(told) {
        assert_eq!(row[0].parse::<f64>().unwrap(), number(&event["time"]));
        assert_eq!(row[5].parse::<f64>().unwrap(), number(&event["before"]["y"]));
    }
    assert_eq!(folder.read("deep/results/samples.csv").lines().count(), 1 + 31);
}

#[test]
fn a_formula_without_a_value_ends_the_motion_short_and_keeps_what_was_done() {
    let folder = Folder::new("root");
    let model = folder.write("root.toml", LOSES_ITS_ROOT);
    let output = run(&["simulate", &model, "--out", &folder.path("out"), "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8(output.stderr).unwrap();
    for part in ["sqrt(x)", "t = 1.4142", "mode  flight", "x = ", "events.csv"] {
        assert!(errors.contains(part), "no `{part}` in: {errors}");
    }
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(result["ended"], "not_finite");
    assert!((number(&result["end"]["time"]) - 2.0_f64.sqrt()).abs() < 1e-6);
    assert_eq!(result["events"][0]["section"], "half");
    let events = folder.read("out/events.csv");
    assert!(events.lines().nth(1).unwrap().starts_with("1,section,,half,0.5,"), "{events}");
    assert_eq!(folder.json("out/run.json")["ended"], "not_finite");
}

#[test]
fn wrong_input_writes_nothing() {
    let folder = Folder::new("nothing");
    let (out, plot) = (folder.path("out"), folder.path("motion.svg"));
    let output = run(&["simulate", "bouncing-ball", "--every", "0", "--out", &out, "--plot", &plot]);
    assert_eq!(output.status.code(), Some(2));
    assert!(!folder.has("out") && !folder.has("motion.svg"));
}

#[test]
fn figures_are_well_formed() {
    let folder = Folder::new("figures");
    let (svg, png, plane) = (folder.path("a.svg"), folder.path("b.png"), folder.path("c.svg"));
    answer(&["simulate", "double-pendulum", "--until", "7", "--plot", &svg, "--set", "e=0.8"]);
    answer(&["simulate", "two-wall-oscillator", "--plot", &png]);
    answer(&["simulate", "impact-oscillator", "--plane", "x,y", "--plot", &plane]);
    for (name, parts) in [
        ("a.svg", &["Double pendulum", "e = 0.8", "persistent contact", "impact", "section turn", "time (s)"][..]),
        ("c.svg", &["obstacle", "jump", "before an impact"]),
    ] {
        let text = folder.read(name);
        assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"));
        assert_eq!(text.matches("<g").count(), text.matches("</g>").count());
        for part in parts {
            assert!(text.contains(part), "{name} has no `{part}`");
        }
    }
    let image = std::fs::read(&png).unwrap();
    assert_eq!(image[..8], *b"\x89PNG\r\n\x1a\n");
    assert_eq!(image[image.len() - 8..image.len() - 4], *b"IEND");
}

#[test]
fn mechanisms_are_drawn_beside_motions() {
    let folder = Folder::new("sketches");
    let (svg, png, plot) = (folder.path("a.svg"), folder.path("b.png"), folder.path("c.svg"));
    answer(&["simulate", "double-pendulum", "--until", "2*pi", "--sketch", &svg, "--sketch-times", "0,pi/2,2*pi"]);
    let text = folder.read("a.svg");
    for part in ["Double pendulum", "mechanism at 3 times", "t = 0 s", "t = 1.5708 s", "t = 6.2832 s"] {
        assert!(text.contains(part), "no `{part}`");
    }
    // Both figures in one run, whose answer is that of a run without them.
    let asked = ["simulate", "bouncing-ball", "--until", "3", "--json"];
    let drawn = [&asked[..], &["--sketch", &png, "--plot", &plot]].concat();
    assert_eq!(answer(&drawn), answer(&asked));
    assert_eq!(std::fs::read(&png).unwrap()[..8], *b"\x89PNG\r\n\x1a\n");
    assert!(folder.read("c.svg").contains("impact"));
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    for extra in [&["--json"][..], &["--every", "0.01"]] {
        let arguments = [&["simulate", "impact-oscillator", "--until", "3000"][..], extra].concat();
        let mut child = saltation(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut start = [0; 10];
        let mut reader = child.stdout.take().unwrap();
        reader.read_exact(&mut start).unwrap();
        drop(reader);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    }
}

#[test]
fn long_tables_are_shortened() {
    let text = answer(&["simulate", "impact-oscillator", "--until", "100000"]);
    assert!(text.lines().count() < 50);
    let left_out = text.lines().find(|line| line.contains("omitted; --json and --out have all")).unwrap();
    let left_out: u64 = left_out.split_whitespace().nth(1).unwrap().parse().unwrap();
    let impacts = json(&["simulate", "impact-oscillator", "--until", "100000"])["counts"]["impact"].as_u64().unwrap();
    assert_eq!(left_out + 30, impacts);
}

#[test]
fn times_of_events_are_told_apart_beside_any_end() {
    let times = |arguments: &[&str]| {
        let text = String::from_utf8(run(arguments).stdout).unwrap();
        let rows = text.lines().skip_while(|line| !line.trim_start().starts_with("time")).skip(1);
        let rows: Vec<String> = rows.take_while(|line| !line.is_empty()).map(str::to_string).collect();
        assert!(rows.iter().all(|row| row.len() < 120), "{text}");
        rows.iter().filter_map(|row| row.split_whitespace().next()?.parse::<f64>().ok()).collect::<Vec<f64>>()
    };
    // The first impact after sqrt(2 h/g), and rest after (1 + 2 e/(1 - e)) of that, whatever the end.
    let fall = (2.0_f64 / 9.8).sqrt();
    for end in ["10", "1e16", "1e300"] {
        let found = times(&["simulate", "bouncing-ball", "--until", end]);
        assert!(
            (found[0] - fall).abs() < 1e-9 && (found.last().unwrap() - 9.0 * fall).abs() < 1e-9,
            "{end}: {found:?}"
        );
    }
    let found = times(&["simulate", "bouncing-ball", "--set", "g=9.8e40", "--until", "1"]);
    assert!((found[0] / (1e-20 * fall) - 1.0).abs() < 1e-9, "{found:?}");
}

#[test]
fn an_end_beyond_the_range_of_numbers_is_said() {
    let output = run(&["simulate", "bouncing-ball", "--set", "g=1e300", "--until", "1"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("is no number any more") && said.contains("left the range of numbers"), "{said}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_keeps_what_is_done() {
    let folder = Folder::new("interrupted");
    let out = folder.path("out");
    let child = saltation(&["simulate", "impact-oscillator", "--until", "1e12", "--out", &out, "--quiet"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Once the table grows the motion is under way, and Ctrl-C is listened to.
    let grows = || std::fs::metadata(folder.0.join("out/events.csv")).is_ok_and(|file| file.len() > 10_000);
    let began = std::time::Instant::now();
    while !grows() && began.elapsed().as_secs() < 60 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let stop = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(stop.success());
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("interrupted") && errors.contains("results are saved in"), "{errors}");
    assert_eq!(folder.json("out/run.json")["ended"], "interrupted");
    assert!(folder.read("out/events.csv").ends_with('\n'));
}

#[test]
fn a_path_wins_over_the_gallery() {
    let folder = Folder::new("path");
    folder.write("bouncing-ball", LOSES_ITS_ROOT);
    let output = saltation(&["check", "bouncing-ball", "--json"]).current_dir(&folder.0).output().unwrap();
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(result["name"], "root");
}

/// What a run before has left is not taken for a part of this one, and nothing is written through a link.
#[test]
fn a_folder_is_that_of_its_last_run() {
    let folder = Folder::new("simulate-again");
    let out = folder.path("out");
    answer(&["simulate", "bouncing-ball", "--until", "1", "--every", "0.1", "--out", &out]);
    assert!(folder.has("out/samples.csv"));
    folder.write("out/notes.txt", "mine");
    answer(&["simulate", "bouncing-ball", "--until", "1", "--out", &out]);
    assert!(!folder.has("out/samples.csv"));
    assert_eq!(folder.read("out/notes.txt"), "mine");
    #[cfg(unix)]
    {
        folder.write("elsewhere", "untouched");
        std::fs::remove_file(folder.path("out/events.csv")).unwrap();
        std::os::unix::fs::symlink(folder.path("elsewhere"), folder.path("out/events.csv")).unwrap();
        std::os::unix::fs::symlink(folder.path("elsewhere"), folder.path("out/.run.json.part")).unwrap();
        answer(&["simulate", "bouncing-ball", "--until", "1", "--out", &out]);
        assert_eq!(folder.read("elsewhere"), "untouched");
        assert!(folder.read("out/events.csv").starts_with("time,"));
    }
}

/// A state that was computed is on a surface if it lies below it by rounding.
#[test]
fn a_state_that_was_printed_is_read() {
    let start = |x: &str| {
        saltation(&["simulate", "bouncing-ball", "--start", &format!("x={x}"), "--start", "v=-1"]).output().unwrap()
    };
    assert!(start("-1.3e-18").status.success());
    assert_eq!(start("-1e-3").status.code(), Some(2));
}

#[cfg(unix)]
#[test]
fn a_signal_to_terminate_keeps_what_is_done() {
    let mut child = saltation(&["simulate", "bouncing-ball", "--set", "e=1", "--until", "1e12", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(500));
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    let mut text = String::new();
    child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    let result: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(result["ended"], "interrupted");
}
