//! `saltation explore` without a browser: a session is run again to the answers that its commands give, and what is wrong is said.

use saltation::session::Session;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const SALTATION: &str = env!("CARGO_BIN_EXE_saltation");

fn saltation(folder: &Path, words: &[&str]) -> Output {
    Command::new(SALTATION).args(words).current_dir(folder).output().unwrap()
}

/// A line of commands for a shell, as they are shown.
fn shell(folder: &Path, line: &str) -> Output {
    let own = Path::new(SALTATION).parent().unwrap();
    let path = std::env::join_paths(
        std::iter::once(own.to_path_buf()).chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    );
    Command::new("sh").args(["-ec", line]).env("PATH", path.unwrap()).current_dir(folder).output().unwrap()
}

/// Runs a session, and compares every answer with that of its commands.
fn compare(session: &Value, model: Option<(&str, &str)>) {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    std::fs::write(folder.join("session.json"), session.to_string()).unwrap();
    model.into_iter().for_each(|(name, text)| std::fs::write(folder.join(name), text).unwrap());
    let ran = saltation(folder, &["explore", "--run", "session.json", "--quiet"]);
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let lines: Vec<Value> =
        String::from_utf8(ran.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), session["requests"].as_array().unwrap().len());
    for line in lines {
        let id = line["id"].as_str().unwrap();
        let commands: Vec<&str> = line["command"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
        let typed = shell(folder, &format!("{} --json", commands.join("\n")));
        assert!(typed.status.success(), "{id}: {commands:?}\n{}", String::from_utf8_lossy(&typed.stderr));
        let mut printed: Value = serde_json::from_slice(&typed.stdout).unwrap();
        // What a curve begins at is a file for the command.
        if line["question"] == "curve" {
            printed["from"] = line["answer"]["from"].clone();
        }
        // The search from an orbit in a file may begin the cycle at another of its returns.
        if line["question"] == "continue" && commands.len() > 2 {
            same_bifurcations(&printed, &line["answer"]);
            continue;
        }
        assert!(printed == line["answer"], "{id}: {commands:?} gives another answer");
        assert!(line["python"].as_str().unwrap().contains("import saltation as st"), "{id}");
    }
}

fn same_bifurcations(a: &Value, b: &Value) {
    let of = |answer: &Value| -> Vec<(String, f64)> {
        let special = answer["special"].as_array().unwrap();
        special.iter().map(|one| (one["kind"].to_string(), one["parameters"]["A"].as_f64().unwrap())).collect()
    };
    let (a, b) = (of(a), of(b));
    assert!(!a.is_empty() && a.len() == b.len());
    assert!(a.iter().zip(&b).all(|(a, b)| a.0 == b.0 && (a.1 - b.1).abs() < 1e-11), "{a:?} {b:?}");
}

#[test]
fn the_answers_of_a_session_are_those_of_its_commands() {
    let axis =
        |name: &str, low: f64, high: f64, points: u64| json!({ "name": name, "range": [low, high], "points": points });
    compare(
        &json!({ "format": 1, "model": { "name": "impact-oscillator" }, "view": { "panel": "motion" }, "requests": [
            { "id": "check", "question": "check" },
            { "id": "motion", "question": "simulate", "set": { "A": 0.36, "r": "0.5 + 0.4" }, "start": { "x": -0.3 }, "fields": { "until": "20*pi", "path": true, "tol": 1e-10 } },
            { "id": "orbit", "question": "orbit", "fields": { "settle": 400, "period": 2 } },
            { "id": "branch", "question": "continue", "from": "orbit", "fields": { "along": "A", "range": [0.34, 0.36], "at_least": 20, "switch": true } },
            { "id": "curve", "question": "curve", "from": "branch", "fields": { "at": 0, "along": ["A", "omega"], "range": [0.8, 0.82] } },
            { "id": "again", "question": "orbit", "from": "orbit", "set": { "A": 0.351 }, "fields": { "period": 2 } },
            { "id": "second", "question": "continue", "from": "again", "fields": { "along": "A", "range": [0.34, 0.352] } },
            { "id": "sweep", "question": "sweep", "fields": { "along": [axis("A", 0.34, 0.36, 9)], "settle": 100, "record": 20, "carry": "up" } },
            { "id": "map", "question": "sweep", "fields": { "along": [axis("A", 0.34, 0.36, 4), axis("omega", 0.8, 0.82, 3)], "settle": 30, "record": 10 } },
            { "id": "basin", "question": "basin", "fields": { "starts": { "grid": [axis("x", -1.0, -0.1, 4), axis("y", -0.5, 0.5, 3)] }, "settle": 200, "record": 20 } },
            { "id": "exponents", "question": "lyapunov", "fields": { "settle": 50, "returns": 50 } }] }),
        None,
    );
    compare(
        &json!({ "format": 1, "model": { "name": "relief-valve" }, "requests": [
            { "id": "rest", "question": "equilibrium", "set": { "q": 8 } },
            { "id": "rests", "question": "continue_equilibrium", "from": "rest", "fields": { "along": "q", "range": [1, 10] } }] }),
        None,
    );
    compare(
        &json!({ "format": 1, "model": { "name": "painleve-rod" }, "requests": [
            { "id": "forces", "question": "contact" },
            { "id": "stepping", "question": "stepping", "fields": { "step": 1e-3, "until": 0.1 } }] }),
        None,
    );
    compare(
        &json!({ "format": 1, "model": { "name": "chain" }, "requests": [{ "id": "modes", "question": "modes", "fields": { "periods": [3.7, 4.5] } }] }),
        None,
    );
}

#[test]
fn a_model_of_ones_own_is_a_file_beside_its_commands() {
    let ball = saltation::gallery::find("bouncing-ball").unwrap().replacen("bouncing-ball", "own-ball", 1);
    let session = json!({ "format": 1, "model": { "name": "own-ball", "text": ball }, "requests": [
        { "id": "motion", "question": "simulate", "set": { "e": 0.7 }, "fields": { "until": 2 } }] });
    compare(&session, Some(("own-ball.toml", &ball)));
}

#[test]
fn sessions_with_mistakes_are_refused() {
    let request = |id: &str, from: Value| json!({ "id": id, "question": "continue", "from": from });
    let of = |requests: Value| {
        json!({ "format": 1, "model": { "name": "bouncing-ball" }, "requests": requests }).to_string()
    };
    for (text, said) in [
        ("{".to_string(), "a session"),
        ("[]".to_string(), "a session"),
        (json!({ "format": 1 }).to_string(), "model"),
        (json!({ "format": 2, "model": { "name": "bouncing-ball" } }).to_string(), "format 2"),
        (json!({ "format": 1, "model": { "name": "a" }, "more": 1 }).to_string(), "more"),
        (of(json!([request("a", json!("b"))])), "stand before"),
        (of(json!([request("a", json!("a"))])), "stand before"),
        (of(json!([request("a", Value::Null), request("a", Value::Null)])), "two requests"),
    ] {
        let error = Session::read(&text, "file.json").unwrap_err().to_string();
        assert!(error.contains(said), "{text}: {error}");
    }
    let place = tempfile::tempdir().unwrap();
    for (text, code, said) in [
        (json!({ "format": 1, "model": { "name": "no-such-model" } }).to_string(), 2, "no-such-model"),
        (of(json!([{ "id": "a", "question": "simulate", "fields": { "untl": 1 } }])), 1, "untl"),
        (
            of(json!([{ "id": "a", "question": "nothing" }, { "id": "b", "question": "orbit", "from": "a" }])),
            1,
            "has no answer",
        ),
        (
            of(json!([{ "id": "a", "question": "simulate" }]))
                .replace("\"id\":\"a\"", "\"id\":\"a\",\"set\":{\"e\":1e999}"),
            2,
            "number",
        ),
    ] {
        std::fs::write(place.path().join("session.json"), &text).unwrap();
        let ran = saltation(place.path(), &["explore", "--run", "session.json"]);
        let error = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(ran.status.code() == Some(code) && error.contains(said), "{text}: {:?} {error}", ran.status);
    }
    let missing = saltation(place.path(), &["explore", "--run", "no-such-file"]);
    assert_eq!(missing.status.code(), Some(2));
}

#[test]
fn the_command_prints_the_address_and_ends_with_a_signal() {
    let place = tempfile::tempdir().unwrap();
    let words = ["explore", "bouncing-ball", "--no-browser", "--quiet"];
    let mut child =
        Command::new(SALTATION).args(words).current_dir(place.path()).stdout(Stdio::piped()).spawn().unwrap();
    let mut address = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
    let (host, path) = address.trim().strip_prefix("http://").unwrap().split_once('/').unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    write!(stream, "GET /{path}begin HTTP/1.0\r\nHost: {host}\r\n\r\n").unwrap();
    let mut reply = String::new();
    stream.read_to_string(&mut reply).unwrap();
    assert!(reply.starts_with("HTTP/1.0 200") && reply.contains("\"bouncing-ball\""), "{reply}");
    // The port is in use now.
    let port = host.rsplit_once(':').unwrap().1;
    let second = saltation(place.path(), &["explore", "bouncing-ball", "--no-browser", "--port", port]);
    let error = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(second.status.code() == Some(2) && error.contains("--port"), "{error}");
    let stopped = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(stopped.success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    for words in [
        &["explore"][..],
        &["explore", "no-such-model"],
        &["explore", "bouncing-ball", "--port", "70000"],
        &["explore", "bouncing-ball", "--token", "short"],
        &["explore", "bouncing-ball", "--out", "/dev/null"],
        &["explore", "bouncing-ball", "--threads", "0"],
    ] {
        assert_eq!(saltation(place.path(), words).status.code(), Some(2), "{words:?}");
    }
    assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0, "nothing is written unasked");
}
