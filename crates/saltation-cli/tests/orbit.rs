//! `orbit` finds periodic orbits and reports them.

use crate::common::{Folder, answer, json, run};
use serde_json::{Value, json as value};

const AT_1_2: [&str; 6] = ["orbit", "two-wall-oscillator", "--set", "nu=1.2", "--settle", "300"];

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(number).collect()
}

/// What is printed and said when there is no answer: exit code 1.
fn short(arguments: &[&str]) -> (String, String) {
    let output = run(arguments);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {errors}");
    (String::from_utf8(output.stdout).unwrap(), errors)
}

#[test]
fn json_has_the_promised_keys_and_numbers() {
    let result = json(&AT_1_2);
    let keys: Vec<&str> = result.as_object().unwrap().keys().map(String::as_str).collect();
    let first = ["period", "state", "parameters", "signature", "events", "multipliers"];
    assert_eq!(keys[..6], first);
    assert_eq!(keys[6..9], ["stable", "admissible", "residual"]);
    for key in ["returns", "section", "mode", "turns", "trivial_multiplier_error", "half_multipliers", "monodromy"] {
        assert!(keys.contains(&key), "{key}");
    }

    // Two independent computations give these digits.
    let near = |value: &Value, expected: f64| assert!((number(value) - expected).abs() < 1e-9, "{value} {expected}");
    near(&result["state"]["y"], 0.928_391_561_131_957_7);
    near(&result["state"]["w"], 1.317_650_691_244_151_5);
    assert_eq!(result["state"]["phi"], 0.0);
    near(&result["multipliers"][0][0], 0.946_194_797_071_259_3);
    near(&result["multipliers"][1][0], 0.228_524_302_801_000_66);
    near(&result["period"], 2.0 * std::f64::consts::PI / 1.2);
    assert_eq!(result["signature"], value!(["impact:upper", "impact:lower"]));
    assert_eq!(result["parameters"]["nu"], 1.2);
    assert_eq!((&result["stable"], &result["admissible"]), (&value!(true), &value!(true)));
    assert!(number(&result["residual"]) < 1e-12);
    assert_eq!(
        (&result["returns"], &result["section"], &result["mode"]),
        (&value!(1), &value!("phi"), &value!("flight"))
    );
    assert_eq!(result["trivial_multiplier_error"], Value::Null);
    assert_eq!(result["ended"], "converged");

    // The multipliers are the squares of those of half a period, and their product is the determinant.
    for (half, whole) in [0, 1].map(|i| (&result["half_multipliers"][i], &result["multipliers"][i])) {
        near(&value!(number(&half[0]).powi(2)), number(&whole[0]));
    }
    let rows: Vec<Vec<f64>> = result["monodromy"].as_array().unwrap().iter().map(numbers).collect();
    let determinant = rows[0][0] * rows[1][1] - rows[0][1] * rows[1][0];
    near(&value!(determinant), number(&result["multipliers"][0][0]) * number(&result["multipliers"][1][0]));
    assert_eq!(result["points"], value!([result["state"]]));

    // Events are reported as by `simulate`.
    let event = &result["events"][0];
    assert_eq!((&event["kind"], &event["contact"]), (&value!("impact"), &value!("upper")));
    assert!((number(&event["speed_after"]) + 0.7 * number(&event["speed_before"])).abs() < 1e-12);
    assert_eq!(event["before"]["y"], 1.0);
}

#[test]
fn an_orbit_is_a_motion_that_simulate_confirms() {
    let orbit = json(&["orbit", "double-pendulum"]);
    assert_eq!(orbit["signature"], value!(["chatter:wall", "stick:wall", "release:wall"]));
    assert_eq!(orbit["turns"]["q1"], -1.0);
    assert!(number(&orbit["trivial_multiplier_error"]) < 1e-8);
    assert_eq!(orbit["multipliers"].as_array().unwrap().len(), 4);
    assert_eq!(orbit["multipliers"][3], value!([0.0, 0.0]));

    let mut arguments: Vec<String> = ["simulate", "double-pendulum", "--returns", "1"].map(String::from).to_vec();
    for (name, value) in orbit["state"].as_object().unwrap() {
        arguments.extend(["--start".to_string(), format!("{name}={value}")]);
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let motion = json(&arguments);
    assert!((number(&motion["end"]["time"]) - number(&orbit["period"])).abs() < 1e-12);
    for name in ["q2", "w1", "w2"] {
        assert!((number(&motion["end"]["state"][name]) - number(&orbit["state"][name])).abs() < 1e-10);
    }
}

#[test]
fn a_guess_is_the_start_of_the_next_search() {
    let folder = Folder::new("guess");
    let out = folder.path("out");
    let first = json(&[&AT_1_2[..], &["--out", &out]].concat());
    assert_eq!(folder.json("out/orbit.json"), first);
    assert_eq!(folder.json("out/run.json")["answer"], first);

    let printed = folder.write("printed.json", &first.to_string());
    for file in [&printed, &folder.path("out/orbit.json"), &folder.path("out/run.json")] {
        let again = json(&["orbit", "two-wall-oscillator", "--set", "nu=1.2", "--guess", file]);
        assert!(again["newton"].as_array().unwrap().len() <= 1, "{again}");
        for name in ["y", "w"] {
            assert!((number(&again["state"][name]) - number(&first["state"][name])).abs() < 1e-13);
        }
    }

    // Parameters of the guess are not taken, and that is said, unless nothing is to be said.
    let next = ["orbit", "two-wall-oscillator", "--guess", &printed, "--set", "nu=1.19", "--json"];
    let output = run(&next);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("nu = 1.2, which is 1.19 now") && !errors.contains("gamma"), "{errors}");
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["parameters"]["nu"], 1.19);
    assert!(run(&[&next[..], &["--quiet"]].concat()).stderr.is_empty());

    // A start value given as well wins.
    let mut partly = first.clone();
    partly["state"].as_object_mut().unwrap().remove("w");
    let partly = folder.write("partly.json", &partly.to_string());
    let found = json(&["orbit", "two-wall-oscillator", "--set", "nu=1.2", "--guess", &partly, "--start", "w=1.3177"]);
    assert!((number(&found["state"]["w"]) - number(&first["state"]["w"])).abs() < 1e-12);
}

#[test]
fn long_orbits_are_found_and_their_period_is_taken_from_a_guess() {
    let folder = Folder::new("long");
    let damper = ["orbit", "impact-damper", "--set", "nu=0.5464"];
    let found = json(&[&damper[..], &["--settle", "4000", "--period", "86"]].concat());
    assert_eq!(found["returns"], 43);
    assert_eq!(found["signature"].as_array().unwrap().len(), 86);
    assert_eq!(found["points"].as_array().unwrap().len(), 43);
    let periods = number(&found["period"]) * 0.5464 / (2.0 * std::f64::consts::PI);
    assert!((periods - 43.0).abs() < 1e-9);

    let guess = folder.write("orbit.json", &found.to_string());
    let again = json(&[&damper[..], &["--guess", &guess]].concat());
    assert_eq!(again["returns"], 43);
    let text = answer(&[&damper[..], &["--guess", &guess, "--period", "86"]].concat());
    for part in ["repeats already after 43 returns", "43 x (impact:right impact:left)", "43 periods of the forcing"] {
        assert!(text.contains(part), "no `{part}` in {text}");
    }
    assert!(text.lines().count() < 70, "{text}");
}

#[test]
fn people_see_what_kind_of_orbit_it_is() {
    let text = answer(&["orbit", "double-pendulum"]);
    for part in [
        "period   6.170196095",
        " s\n",
        "on the section turn (flight)",
        "(-1 turn in a period)",
        "trivial: along the flow",
        "2 times 0 exactly",
        "stable: perturbations decay by the factor 0.000722",
    ] {
        assert!(text.contains(part), "no `{part}` in {text}");
    }
    let text = answer(&AT_1_2);
    for part in ["with     ν = 1.2", "1 period of the forcing", "it is its own image", "the symmetry breaks"] {
        assert!(text.contains(part), "no `{part}` in {text}");
    }
    assert_eq!(answer(&[&AT_1_2[..], &["--quiet"]].concat()), "");
    // The period is 2 pi/nu, and the numbers are those of the answer.
    let differentiated = [&AT_1_2[..], &["--derivatives", "nu,e"]].concat();
    let (text, found) = (answer(&differentiated), json(&differentiated));
    let printed = |what: &str| {
        let line =
            text.lines().find(|line| line.trim_start().starts_with(what)).unwrap_or_else(|| panic!("{what}: {text}"));
        line.rsplit(' ').next().unwrap().parse::<f64>().unwrap()
    };
    assert!((printed("d period / d nu") + std::f64::consts::TAU / 1.44).abs() < 1e-9, "{text}");
    for parameter in ["nu", "e"] {
        for (state, value) in found["derivatives"]["state"][parameter].as_object().unwrap() {
            assert_eq!(printed(&format!("d {state} / d {parameter}")), number(value));
        }
    }
    // All multipliers are zero where the stop holds the mass.
    let text = answer(&["orbit", "forced-oscillator", "--set", "e=0.1", "--settle", "30"]);
    assert!(text.contains("\n  multipliers\n  2 times 0 exactly"), "{text}");
    assert!(text.contains("perturbations vanish within a period"), "{text}");
    // No impacts at all.
    let text = answer(&["orbit", "two-wall-oscillator", "--set", "Delta=100"]);
    assert!(text.contains("no events") && text.contains("the largest are a complex pair"), "{text}");
}

#[test]
fn a_folder_holds_the_orbit_its_events_and_its_path() {
    let folder = Folder::new("orbit-out");
    let result = json(&[&AT_1_2[..], &["--out", &folder.path("out")]].concat());
    let run = folder.json("out/run.json");
    assert_eq!(run["files"], value!(["orbit.json", "events.csv", "path.csv", "run.json"]));
    assert_eq!(run["parameters"]["nu"], 1.2);
    assert_eq!(folder.read("out/events.csv").lines().count(), 1 + result["events"].as_array().unwrap().len());

    let path = folder.read("out/path.csv");
    let mut table = csv::Reader::from_reader(path.as_bytes());
    assert_eq!(table.headers().unwrap(), vec!["time", "y", "w", "phi"]);
    let rows: Vec<Vec<f64>> =
        table.records().map(|row| row.unwrap().iter().map(|cell| cell.parse().unwrap()).collect()).collect();
    assert_eq!(rows[0][1], number(&result["state"]["y"]));
    let period = number(&result["period"]);
    assert!((rows.last().unwrap()[0] - period).abs() < 1e-14 * period);
    // Dense, in order, and with two rows where it jumps.
    assert!(rows.windows(2).all(|pair| (0.0..=1.001e-3 * period).contains(&(pair[1][0] - pair[0][0]))));
    let jumps = rows.windows(2).filter(|pair| pair[0][0] == pair[1][0]).count();
    assert_eq!(jumps, 2);
}

#[test]
fn figures_show_the_orbit() {
    let folder = Folder::new("orbit-figures");
    let (svg, png) = (folder.path("a.svg"), folder.path("b.png"));
    answer(&["orbit", "double-pendulum", "--plot", &svg]);
    answer(&["orbit", "coco-impact", "--plot", &png, "--quiet"]);
    let text = folder.read("a.svg");
    for part in
        ["period 6.1701961", "stable", "section turn", "impact", "persistent contact", "w1 (rad/s)", "gap: wall"]
    {
        assert!(text.contains(part), "no `{part}`");
    }
    assert_eq!(std::fs::read(&png).unwrap()[..8], *b"\x89PNG\r\n\x1a\n");
}

#[test]
fn motions_without_an_orbit_say_why() {
    let folder = Folder::new("no-orbit");
    let ball = answer(&["gallery", "bouncing-ball"]);
    let never = folder.write("never.toml", &ball.replace("[start]", "[sections.high]\nwhen = \"x - 2\"\n[start]"));
    let (printed, errors) = short(&["orbit", &never, "--json", "--plot", &folder.path("none.svg")]);
    let result: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(result["ended"], "no_return");
    assert_eq!(result["parameters"]["e"], 0.8);
    assert!(errors.contains("did not come back to the section high") && errors.contains("no figure"), "{errors}");
    assert!(!folder.has("none.svg"));

    let quasi = ["orbit", "impact-damper", "--set", "nu=1.45", "--settle", "500"];
    let (printed, errors) = short(&[&quasi[..], &["--json"]].concat());
    let result: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(result["ended"], "not_periodic");
    assert!(errors.contains("quasi-periodic") && errors.contains("saltation lyapunov"), "{errors}");

    let (_, errors) = short(&["orbit", "impact-damper", "--set", "nu=0.5464", "--settle", "1000", "--period", "7"]);
    assert!(errors.contains("try --period 43"), "{errors}");
}

/// The advice is the least period, not one of its multiples, which all repeat to rounding; and what it finds is what the same search finds.
#[test]
fn another_period_is_the_least_one_and_was_tried() {
    let settled = ["orbit", "impact-oscillator", "--settle", "400"];
    for asked in ["1", "3"] {
        let (_, errors) = short(&[&settled[..], &["--period", asked]].concat());
        assert!(errors.contains("and repeats after 2 returns"), "{errors}");
        assert!(errors.contains("try --period 2, which finds a stable orbit of period 15.51404"), "{errors}");
    }
    let found = json(&[&settled[..], &["--period", "2"]].concat());
    assert!(found["stable"] == true && (number(&found["period"]) - 15.51404).abs() < 1e-5);
}
