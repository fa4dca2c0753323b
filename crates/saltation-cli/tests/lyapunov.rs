//! `lyapunov` computes Lyapunov exponents and classifies the motion.

use crate::common::{self, Folder, answer, json, run};
use serde_json::Value;

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

#[test]
fn json_has_the_promised_keys_and_numbers() {
    let result = json(&["lyapunov", "two-wall-oscillator", "--returns", "500"]);
    let keys: Vec<&str> = result.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys[..3], ["exponents", "standard_errors", "time"]);
    assert_eq!((&result["returns"], &result["impacts"]), (&500.into(), &1000.into()));
    assert_eq!(result["ended"], "complete");

    // On a periodic motion they are the logarithms of the moduli of its multipliers over the period.
    let orbit = json(&["orbit", "two-wall-oscillator"]);
    let period = orbit["period"].as_f64().unwrap();
    let exponents = numbers(&result["exponents"]);
    for (i, exponent) in exponents.iter().enumerate() {
        let multiplier = orbit["multipliers"][i][0].as_f64().unwrap();
        assert!((exponent - multiplier.abs().ln() / period).abs() < 1e-4, "{exponent}");
    }
    assert_eq!(result["sum"], exponents.iter().sum::<f64>());
    assert_eq!(numbers(&result["standard_errors"]).len(), 2);
    assert_eq!(result["block_means"].as_array().unwrap().len(), 20);
}

#[test]
fn lasting_contact_is_minus_infinity_and_null_in_json() {
    let arguments = ["lyapunov", "double-pendulum", "--returns", "20", "--settle", "20"];
    let result = json(&arguments);
    assert_eq!(result["exponents"][3], Value::Null);
    assert!(result["exponents"][1].as_f64().unwrap() < -1.0);
    let text = answer(&arguments);
    assert!(text.contains("-inf") && text.contains("perturbations vanish in persistent contact"), "{text}");
    assert!(text.contains("not chaotic"), "{text}");
}

#[test]
fn a_folder_holds_the_answer() {
    let folder = Folder::new("lyapunov-out");
    let result = json(&["lyapunov", "coco-impact", "--returns", "100", "--out", &folder.path("out")]);
    let run = folder.json("out/run.json");
    assert_eq!(run["answer"], result);
    assert_eq!(run["files"], serde_json::json!(["run.json"]));
    assert_eq!(answer(&["lyapunov", "coco-impact", "--returns", "100", "--quiet"]), "");
}

#[test]
fn a_motion_that_does_not_come_back_is_told() {
    let folder = Folder::new("lyapunov-never");
    let ball = answer(&["gallery", "bouncing-ball"]);
    let never = folder.write("never.toml", &ball.replace("[start]", "[sections.high]\nwhen = \"x - 2\"\n[start]"));
    let output = run(&["lyapunov", &never, "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("nothing was measured") && errors.contains("the section high"), "{errors}");
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&result["ended"], &result["returns"]), (&"no_return".into(), &0.into()));
    assert_eq!(result["state"], Value::Null);
}

#[cfg(unix)]
#[test]
fn an_interrupted_measurement_keeps_the_returns_that_were_made() {
    let folder = Folder::new("lyapunov-interrupted");
    let arguments = [
        "lyapunov",
        "two-wall-oscillator",
        "--returns",
        "10000000",
        "--settle",
        "0",
        "--json",
        "--out",
        &folder.path("out"),
    ];
    let child = common::saltation(&arguments)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    // Ctrl-C is listened to before the description is written, and one return at least is made.
    while !folder.has("out/run.json") {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let stop = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(stop.success());
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("interrupted") && errors.contains("results are saved in"), "{errors}");
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(result["ended"], "interrupted");
    assert!(result["returns"].as_u64().unwrap() > 0);
    assert_eq!(numbers(&result["exponents"]).len(), 2);
    assert_eq!(folder.json("out/run.json")["answer"], result);
}
