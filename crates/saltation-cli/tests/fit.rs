//! `fit` finds parameters and initial conditions from files of measurements.

use crate::common::{Folder, answer, json, refusal, run};

/// Impacts of a ball with restitution 0.8 that falls from 1 m, with some noise, and one heard from elsewhere.
const IMPACTS: &str = "impact:ground\n0.4520\n1.1744\n1.40\n1.7534\n2.2153\n2.5861\n2.8823\n";

#[test]
fn estimates_come_with_a_report_a_folder_a_picture_and_a_model() {
    let folder = Folder::new("fit");
    let data = folder.write("impacts.csv", IMPACTS);
    let (out, plot, fitted) = (folder.path("out"), folder.path("fit.svg"), folder.path("fitted.toml"));
    let words = [
        "fit",
        "bouncing-ball",
        "--data",
        &data,
        "--free",
        "e=0.5:0.9",
        "--free",
        "g",
        "--sigma",
        "impact:ground=4e-4",
    ];
    let found = json(&[&words[..], &["--out", &out, "--plot", &plot, "--fitted", &fitted]].concat());
    let keys: Vec<&str> = found.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys[..4], ["estimates", "correlations", "undetermined", "columns"]);
    let estimate = |k: usize, key: &str| found["estimates"][k][key].as_f64().unwrap();
    for (k, truth) in [(0, 0.8), (1, 9.8)] {
        assert!((estimate(k, "value") - truth).abs() < 4.0 * estimate(k, "standard_error"), "{found}");
    }
    assert_eq!((&found["ended"], &found["columns"][0]["missing"]), (&"converged".into(), &serde_json::json!([1.4])));
    // The fitted model is a model.
    let again = json(&["check", &fitted]);
    assert_eq!(again["parameters"]["e"], found["estimates"][0]["value"]);
    let described = folder.json("out/run.json");
    assert_eq!(described["answer"], found);
    assert_eq!(described["files"], serde_json::json!(["estimates.csv", "residuals.csv", "run.json"]));
    assert!(std::fs::read_to_string(&plot).unwrap().contains("residual of"));
    let report = answer(&words);
    for part in
        ["estimate", "standard error", "chi-squared", "1 measured that the model does not have, at 1.4", "converged"]
    {
        assert!(report.contains(part), "{part}: {report}");
    }
    assert_eq!(answer(&[&words[..], &["--quiet"]].concat()), "");
}

#[test]
fn samples_in_columns_of_another_name() {
    let folder = Folder::new("fit-samples");
    let samples = answer(&["simulate", "impact-oscillator", "--until", "10", "--every", "0.1", "--quiet"]);
    let rows: Vec<Vec<f64>> = samples
        .lines()
        .filter_map(|line| {
            line.split(|c: char| c == ',' || c.is_whitespace())
                .filter(|word| !word.is_empty())
                .map(|word| word.parse().ok())
                .collect()
        })
        .collect();
    let rows: Vec<String> = rows.iter().map(|row| format!("{};{}", row[0], 1000.0 * row[1])).collect();
    assert!(rows.len() > 90, "{samples}");
    let data = folder.write("samples.csv", &format!("t;mm\n{}\n", rows.join("\n")));
    let words =
        ["fit", "impact-oscillator", "--data", &data, "--column", "mm=1000*x", "--free", "A", "--set", "A=0.345"];
    let out = folder.path("out");
    let found = json(&[&words[..], &["--out", &out]].concat());
    assert!((found["estimates"][0]["value"].as_f64().unwrap() - 0.35).abs() < 1e-6, "{}", found["estimates"]);
    assert_eq!((&found["columns"][0]["name"], &found["columns"][0]["measures"]), (&"mm".into(), &"1000*x".into()));
    // The fitted trajectory passes through the data, and is stored at their times and between them.
    let table = folder.read("out/trajectory.csv");
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("time,mm"));
    let numbers = |line: &str| line.split(',').map(|cell| cell.parse().unwrap()).collect::<Vec<f64>>();
    let stored: Vec<Vec<f64>> = lines.map(numbers).collect();
    let (times, mm) = (found["residuals"]["time"].as_array().unwrap(), found["residuals"]["model"].as_array().unwrap());
    for (time, model) in times.iter().zip(mm) {
        let (time, model) = (time.as_f64().unwrap(), model.as_f64().unwrap());
        assert!(stored.iter().any(|row| row[0] == time && (row[1] - model).abs() < 1e-8), "{time}: {model}");
    }
    assert!(stored.len() > 10 * times.len());
}

#[test]
fn wrong_files_and_flags_are_named() {
    let folder = Folder::new("fit-wrong");
    let good = folder.write("good.csv", IMPACTS);
    let with = |words: &[&str]| refusal(&[&["fit", "bouncing-ball"], words].concat());
    for (text, part) in [
        ("impact:wall\n1\n", "no contact `wall`"),
        ("impact:ground\n1\none\n", "`one` in line 3"),
        ("impact:ground\n1\n0.5\n", "times decrease"),
        ("height\n1\n", "measures nothing that the model has"),
        ("1\n2\n", "no names"),
    ] {
        let file = folder.write("bad.csv", text);
        let said = with(&["--data", &file, "--free", "e"]);
        assert!(said.contains(part), "{text}: {said}");
    }
    for (words, part) in [
        (&["--data", "missing.csv", "--free", "e"][..], "cannot be read"),
        (&["--data", &good], "nothing is free"),
        (&["--free", "e"], "nothing to compare"),
        (&["--data", &good, "--free", "e=1:0"], "is empty"),
        (&["--data", &good, "--free", "q"], "no parameter or state `q`"),
        (&["--data", &good, "--free", "e", "--sigma", "x=1"], "no column `x`"),
        (&["--data", &good, "--free", "e", "--starts", "0"], "starts"),
        (&["--data", &good, "--data", &good, "--free", "e"], "two files"),
    ] {
        let said = with(words);
        assert!(said.contains(part), "{words:?}: {said}");
    }
    // What is infinite is left out, and said.
    let infinite = folder.write("infinite.csv", "time,x\n0,1\n0.1,0.951\n0.2,inf\n0.3,\n");
    let said = answer(&["fit", "bouncing-ball", "--data", &infinite, "--free", "h", "--sigma", "x=0.01"]);
    assert!(said.contains("x: 1 cell left out, infinite") && said.contains("x: 1 cell left out, without"), "{said}");
    // Too few numbers are an answer, and no success.
    let few = folder.write("few.csv", "impact:ground\n0.45\n");
    let output = run(&["fit", "bouncing-ball", "--data", &few, "--free", "e", "--free", "g"]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("do not determine e"), "{said}");
}
