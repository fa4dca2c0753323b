//! `saltation sweep`, `basin` and `merge`: folders survive kills and are the same bytes however they came about; bad input has its own message.

use crate::common::{Folder, saltation};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// Every file below a folder with its bytes.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => open.push(path),
                false => drop(
                    all.insert(path.strip_prefix(folder).unwrap().display().to_string(), std::fs::read(&path).unwrap()),
                ),
            }
        }
    }
    all
}

fn done(words: &[&str]) -> String {
    let output = saltation(words).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{words:?}: {said}");
    String::from_utf8(output.stdout).unwrap()
}

/// The message of a refusal.
fn refused(words: &[&str]) -> String {
    let output = saltation(words).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{words:?}: {said}");
    assert!(output.stdout.is_empty());
    said.replace('│', " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

const VALVES: [&str; 8] = ["sweep", "relief-valve", "--along", "q=0.5:8:300", "--settle", "60", "--record", "20"];
const SWEEP: [&str; 8] =
    ["sweep", "impact-oscillator", "--along", "A=0.34:0.37:400", "--settle", "300", "--record", "40"];

/// States that are carried are stored with their modes, of switches too.
#[test]
fn a_sweep_of_a_system_that_switches_is_resumed() {
    let folder = Folder::new("switches");
    let out = folder.path("out");
    let words = "sweep dry-friction-oscillator --along w=0.3:0.5:6 --settle 5 --record 3 --carry up --json --out";
    let words: Vec<&str> = words.split(' ').chain([out.as_str()]).collect();
    let of = |text: String| serde_json::from_str::<serde_json::Value>(&text).unwrap()["records"].clone();
    let whole = of(done(&words));
    assert_eq!(of(done(&[&words[..], &["--resume"]].concat())), whole);
    assert_eq!(whole.as_array().unwrap().len(), 18);
}

#[test]
fn killed_at_twenty_moments_and_resumed_it_has_the_bytes_of_an_uninterrupted_run() {
    // The steps of the last one are prepared together.
    for (name, carry, sweep) in [("each", "none", SWEEP), ("carried", "up", SWEEP), ("together", "none", VALVES)] {
        let folder = Folder::new(&format!("killed-{name}"));
        let [whole, killed] = ["whole", "killed"].map(|name| folder.path(name));
        let [whole, killed] = [whole.as_str(), killed.as_str()];
        let of = |out: &str, more: &[&str]| {
            let words = [&sweep[..], &["--quiet", "--carry", carry, "--out", out], more].concat();
            words.into_iter().map(str::to_string).collect::<Vec<_>>()
        };
        let run = |words: &[String]| {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            saltation(&words).spawn().unwrap()
        };
        let began = std::time::Instant::now();
        assert!(run(&of(whole, &[])).wait().unwrap().success());
        let took = began.elapsed();
        let mut kills = 0;
        for k in 0..20_u32 {
            let more: &[&str] = if Path::new(killed).join("run.json").exists() { &["--resume"] } else { &[] };
            let mut child = run(&of(killed, more));
            // Moments spread unevenly over a tenth of the run.
            std::thread::sleep(took.mul_f64(0.12 * f64::from((7 * k + 3) % 20) / 20.0) + Duration::from_millis(3));
            kills += u32::from(child.try_wait().unwrap().is_none());
            child.kill().unwrap();
            child.wait().unwrap();
        }
        assert!(kills > 5, "{kills} runs were killed before their end");
        assert!(run(&of(killed, &["--resume", "--threads", "1"])).wait().unwrap().success());
        assert_eq!(files(Path::new(killed)), files(Path::new(whole)), "{name}");
    }
}

#[test]
fn an_interruption_keeps_what_is_done() {
    let folder = Folder::new("interrupted");
    let [whole, out] = ["whole", "out"].map(|name| folder.path(name));
    let words = ["sweep", "impact-oscillator", "--along", "A=0.34:0.37:3000", "--record", "20", "--quiet"];
    let of = |more: &[&str]| saltation(&[&words[..], more].concat());
    assert!(of(&["--out", &whole]).status().unwrap().success());
    let child = of(&["--out", &out]).stderr(std::process::Stdio::piped()).spawn().unwrap();
    let tasks = Path::new(&out).join("tasks");
    while std::fs::read_dir(&tasks).map_or(0, Iterator::count) < 3 {
        std::thread::sleep(Duration::from_millis(2));
    }
    let interrupt = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupt.success());
    let ended = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr).split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(ended.status.code(), Some(1), "{said}");
    assert!(said.contains("of 3000 tasks are done: the run was interrupted") && said.contains("--resume"), "{said}");
    assert!(of(&["--out", &out, "--resume"]).status().unwrap().success());
    assert_eq!(files(Path::new(&out)), files(Path::new(&whole)));
}

#[test]
fn parts_are_joined_to_the_bytes_of_the_whole() {
    let folder = Folder::new("parts");
    let paths = ["whole", "a", "b", "c", "joined"].map(|name| folder.path(name));
    let [whole, a, b, c, joined] = &paths;
    let of = |more: &[&str]| done(&[&SWEEP[..], &["--quiet"], more].concat());
    of(&["--out", whole]);
    for (part, out) in [("1/3", a), ("2/3", b), ("3/3", c)] {
        of(&["--part", part, "--out", out]);
    }
    done(&["merge", c, a, b, "--out", joined]);
    assert_eq!(files(Path::new(joined)), files(Path::new(whole)));
    // What was joined is printed and drawn like what one run has computed.
    let plot = folder.path("joined.png");
    let printed = of(&["--out", joined, "--resume", "--json", "--plot", &plot]);
    assert_eq!(printed, of(&["--json"]));
    assert!(Path::new(&plot).exists());

    let missing = refused(&["merge", a, b, "--out", &folder.path("two")]);
    assert!(missing.contains("missing") || missing.contains("part 3"), "{missing}");
    let twice = refused(&["merge", a, b, c, a, "--out", &folder.path("four")]);
    assert!(twice.contains("twice") || twice.contains("both"), "{twice}");
    let other = folder.path("other");
    done(&["sweep", "impact-oscillator", "--along", "A=0.3:0.37:400", "--quiet", "--part", "3/3", "--out", &other]);
    let differs = refused(&["merge", a, b, &other, "--out", &folder.path("six")]);
    assert!(differs.contains("along") || differs.contains("request"), "{differs}");
}

#[test]
fn the_bits_are_the_same_on_any_number_of_threads() {
    let json = |threads: &str, more: &[&str]| done(&[&SWEEP[..], &["--json", "--threads", threads], more].concat());
    assert_eq!(json("1", &[]), json("2", &[]));
    assert_eq!(
        json("1", &["--exponents", "all", "--extremes", "x,wall"]),
        json("5", &["--exponents", "all", "--extremes", "x,wall"])
    );
    let map = ["--along", "omega=0.8:0.82:5", "--carry", "down"];
    assert_eq!(json("1", &map), json("3", &map));
}

#[test]
fn tables_of_both_formats_hold_the_same_and_csv_is_text() {
    let folder = Folder::new("formats");
    let [parquet, csv] = ["parquet", "csv"].map(|format| {
        let out = folder.path(format);
        done(&[&SWEEP[..], &["--json", "--out", &out, "--format", format]].concat())
    });
    assert_eq!(parquet, csv);
    let tasks = std::fs::read_to_string(folder.path("csv/tasks/00000.csv")).unwrap();
    assert!(tasks.starts_with("task,A,ended,message,period"), "{tasks}");
}

#[test]
fn what_is_wrong_has_its_own_message() {
    let folder = Folder::new("wrong");
    let out = folder.path("out");
    let sweep = |more: &[&str]| refused(&[&["sweep", "impact-oscillator"], more].concat());
    for (words, expected) in [
        (&["--along", "A=0.3:0.4:0"][..], "no points has no tasks"),
        (
            &["--along", "A=0.3:0.4:1000000000", "--along", "r=0:1:1000000000"],
            "1000000000000000000 tasks, and 1000000000 are",
        ),
        (&["--along", "A=0.3:0.4:99999999999999999999999"], "tasks, and 1000000000 are the most"),
        (&["--along", "A=0.3:nan:5"], "not a finite number"),
        (&["--along", "A=-1:1:5:log"], "only where values are positive"),
        (&["--along", "A=0:1:5:cubes"], "not by `cubes`"),
        (&["--along", "A"], "has the form NAME=LO:HI:N"),
        (&["--along", "a=0:1:5"], "no parameter `a`"),
        (&["--along", "A=0:1:5", "--along", "A=0:1:5"], "named twice"),
        (&[], "no parameter is named"),
        (&["--along", "A=0:1:5", "--record", "0"], "--record"),
        (&["--along", "A=0:1:5", "--carry", "sideways"], "not `sideways`"),
        (&["--along", "A=0:1:5", "--extremes", "height"], "`height` is neither a state nor a contact"),
        (&["--along", "A=0:1:5", "--exponents", "some"], "not `some`"),
        (&["--along", "A=0:1:5", "--part", "5/3", "--out", &out], "5/3"),
        (&["--along", "A=0:1:5", "--carry", "up", "--part", "1/2", "--out", &out], "made of 1 chain of tasks"),
        (&["--along", "A=0:1:5", "--threads", "0"], "--threads"),
        (&["--along", "A=0:1:5", "--threads", "100000"], "100000 threads are more than 1024"),
        (&["--along", "A=0:1:5", "--out", "/proc/no"], "cannot be written"),
        (&["--along", "A=0:1:5", "--out", &out, "--resume"], "out"),
        (&["--along", "A=0:1:5", "--plot", "d.png", "--ordinate", "speed"], "`speed`"),
    ] {
        let said = sweep(words);
        assert!(said.contains(expected), "{words:?}: {said}");
    }
    // A branch of another model, and one along another parameter.
    let branch = folder.path("branch.json");
    let follow = |model: &[&str], along: &str, range: &str| {
        let flags = ["--settle", "300", "--along", along, "--range", range, "--json"];
        std::fs::write(&branch, done(&[&["continue"], model, &flags].concat())).unwrap();
    };
    let overlay = ["--along", "A=0.34:0.35:5", "--plot", &folder.path("d.svg"), "--overlay", &branch];
    follow(&["two-wall-oscillator"], "nu", "1.09:1.11");
    assert!(sweep(&overlay).contains("belongs to another model"));
    follow(&["impact-oscillator", "--set", "A=0.2"], "omega", "0.809:0.811");
    assert!(sweep(&overlay).contains("the file varies omega, and the figure A"));
    // Another request, a folder that is taken, and a foreign one.
    done(&["sweep", "impact-oscillator", "--along", "A=0.34:0.35:5", "--quiet", "--out", &out]);
    let other = sweep(&["--along", "A=0.34:0.36:5", "--out", &out, "--resume"]);
    assert!(other.contains("along"), "{other}");
    let settled = sweep(&["--along", "A=0.34:0.35:5", "--settle", "7", "--out", &out, "--resume"]);
    assert!(settled.contains("settle") && settled.contains('7'), "{settled}");
    let parameter = sweep(&["--along", "A=0.34:0.35:5", "--set", "r=0.5", "--out", &out, "--resume"]);
    assert!(parameter.contains("parameters"), "{parameter}");
    let taken = sweep(&["--along", "A=0.34:0.35:5", "--out", &out]);
    assert!(taken.contains("--resume"), "{taken}");
    std::fs::create_dir_all(folder.path("foreign")).unwrap();
    std::fs::write(folder.path("foreign/run.json"), "{}").unwrap();
    let foreign = folder.path("foreign");
    assert!(sweep(&["--along", "A=0.34:0.35:5", "--out", &foreign, "--resume"]).contains("run.json"));
}

#[test]
fn values_without_a_start_are_told_and_the_others_are_computed() {
    let words =
        ["sweep", "two-wall-oscillator", "--along", "Delta=0.5:1.5:11", "--settle", "50", "--record", "8", "--json"];
    let output = saltation(&words).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    let tasks = answer["tasks"].as_array().unwrap();
    let ended = |ended: &str| tasks.iter().filter(|task| task["ended"] == ended).count();
    // The start y = 0.9575 lies inside the walls of the first five.
    assert_eq!((ended("no_start"), ended("complete")), (5, 6));
    assert!(tasks[0]["message"].as_str().unwrap().contains("inside the obstacle"));
    let bounded = ["sweep", "impact-oscillator", "--along", "r=0.9:1.1:3", "--json"];
    let answer: Value = serde_json::from_str(&done(&bounded)).unwrap();
    assert_eq!(answer["tasks"][2]["ended"], "refused");
}

#[test]
fn basins_hand_their_orbits_on_to_continuation() {
    let folder = Folder::new("basin");
    let out = folder.path("basins");
    let random = ["--random", "y=-0.9:0.9", "--random", "w=-2:2", "--count", "60", "--seed", "3"];
    let words = [&["basin", "two-wall-oscillator", "--set", "nu=0.9", "--json"], &random[..]].concat();
    let printed = done(&[&words[..], &["--out", &out]].concat());
    let answer: Value = serde_json::from_str(&printed).unwrap();
    let attractors = answer["attractors"].as_array().unwrap();
    assert_eq!(attractors.len(), 3, "{attractors:?}");
    assert!(attractors.iter().all(|attractor| attractor["confirmed"] == true));
    let sum: f64 = answer["fractions"].as_array().unwrap().iter().map(|f| f.as_f64().unwrap()).sum();
    assert!((sum - 1.0).abs() < 1e-12);
    let first = folder.path("basins/attractor-1.json");
    let followed =
        done(&["continue", "two-wall-oscillator", "--from", &first, "--along", "nu", "--range", "0.88:0.92", "--json"]);
    let branch: Value = serde_json::from_str(&followed).unwrap();
    assert!(branch["points"].as_array().unwrap().len() > 3);
    // A table of the same starts leads to the same attractors.
    let rows: Vec<String> = answer["starts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| format!("{},{}", row["start"]["y"], row["start"]["w"]))
        .collect();
    std::fs::write(folder.path("starts.csv"), format!("y,w\n{}\n", rows.join("\n"))).unwrap();
    let file = folder.path("starts.csv");
    let again = done(&["basin", "two-wall-oscillator", "--set", "nu=0.9", "--json", "--starts", &file]);
    let again: Value = serde_json::from_str(&again).unwrap();
    assert_eq!(again["fractions"], answer["fractions"]);
    let phase = refused(&["basin", "impact-oscillator", "--grid", "phi=0:6:5"]);
    assert!(phase.contains("differs from start to start"), "{phase}");
    assert!(refused(&["basin", "two-wall-oscillator"]).contains("no starts are given"));
    assert!(refused(&["basin", "two-wall-oscillator", "--grid", "z=0:1:5"]).contains("no state `z`"));
    assert!(refused(&["basin", "two-wall-oscillator", "--random", "y=1:0"]).contains("from 1 to 0"));
}

#[test]
fn what_cannot_be_joined_is_told_apart() {
    let folder = Folder::new("apart");
    let [swept, basin, empty, all] = ["all/swept", "all/basin", "empty", "all"].map(|name| folder.path(name));
    let into = folder.path("into");
    std::fs::create_dir_all(folder.path("empty")).unwrap();
    std::fs::create_dir_all(folder.path("all")).unwrap();
    let quick = ["--settle", "5", "--record", "4", "--quiet"];
    let part = |part: &str, out: &str| [&quick[..], &["--part", part, "--out", out]].concat().join(" ");
    let run = |question: &str, rest: String| {
        let words: Vec<&str> = question.split(' ').chain(rest.split(' ')).collect();
        done(&words);
    };
    run("sweep impact-oscillator --along A=0.34:0.35:4", part("1/2", &swept));
    run("basin impact-oscillator --grid x=-1:-0.5:2 --grid y=0:1:2", part("2/2", &basin));
    let questions = refused(&["merge", &swept, &basin, "--out", &into]);
    assert!(questions.contains("a part of a sweep") && questions.contains("one of a basin"), "{questions}");
    let above = refused(&["merge", &all, "--out", &into]);
    assert!(above.contains("holds no part of a sweep") && above.contains("all/basin"), "{above}");
    assert!(above.contains("one by one") && !above.contains("--resume"), "{above}");
    let nothing = refused(&["merge", &empty, "--out", &into]);
    assert!(nothing.contains("with --part") && !nothing.contains("--resume"), "{nothing}");
}

#[test]
fn tables_of_starts_are_read_as_programs_write_them() {
    let folder = Folder::new("starts");
    let file = folder.path("starts.csv");
    let words = ["basin", "two-wall-oscillator", "--settle", "20", "--record", "4", "--json", "--starts"];
    let plain = "y,w\n0.1,0.5\n-0.2,1\n";
    let answer = |text: &str| {
        std::fs::write(&file, text).unwrap();
        done(&[&words[..], &[&file]].concat())
    };
    let expected = answer(plain);
    for other in [
        format!("\u{feff}{plain}"),
        plain.replace(',', ";"),
        plain.replace(',', "\t"),
        plain.replace("y,w", "\"y\",\"w\""),
    ] {
        assert_eq!(answer(&other), expected, "{other:?}");
    }
    let wrong = |text: &str| {
        std::fs::write(&file, text).unwrap();
        refused(&[&words[..], &[&file]].concat())
    };
    assert!(wrong("").contains("the file is empty"));
    assert!(wrong("y\n0.1\nup\n").contains("row 2 does not hold 1 number: `up`"));
    assert!(wrong("y;w\n0,1;2\n").contains("row 1 does not hold 2 numbers: `0,1;2`"));
    // A file without an end.
    let endless = refused(&[&words[..], &["/dev/zero"]].concat());
    assert!(endless.contains("larger than 256 MB"), "{endless}");
}

#[test]
fn flags_of_random_starts_are_refused_with_others() {
    for flag in [["--seed", "3"], ["--count", "7"]] {
        let said = refused(&[&["basin", "two-wall-oscillator", "--grid", "y=-0.5:0.5:3"], &flag[..]].concat());
        assert!(said.contains(&format!("{} is that of random starts", flag[0])), "{said}");
    }
}

#[test]
fn starts_inside_an_obstacle_are_no_part_of_fractions() {
    // Of y = -1.5, -0.75, 0, 0.75, 1.5 the outer two lie behind the walls at -1 and 1.
    let words = ["basin", "two-wall-oscillator", "--set", "nu=0.9", "--grid", "y=-1.5:1.5:5", "--grid", "w=-1:1:2"];
    let answer: Value = serde_json::from_str(&done(&[&words[..], &["--json"]].concat())).unwrap();
    assert_eq!((&answer["no_motion"], &answer["unknown"], &answer["of"]), (&4.into(), &4.into(), &6.into()));
    let sum: f64 = answer["fractions"].as_array().unwrap().iter().map(|f| f.as_f64().unwrap()).sum();
    assert!((sum - 1.0).abs() < 1e-12, "{sum}");
    let said = done(&words);
    assert!(said.contains("4 starts have no trajectory; the fractions are of the 6 that do"), "{said}");
    // Along a parameter each value has its own.
    let along = [&words[..6], &["--along", "Delta=0.7:1.7:2", "--json"]].concat();
    let answer: Value = serde_json::from_str(&done(&along)).unwrap();
    let of: Vec<u64> = answer["slices"].as_array().unwrap().iter().map(|slice| slice["of"].as_u64().unwrap()).collect();
    assert_eq!(of, [1, 5]);
    for slice in answer["slices"].as_array().unwrap() {
        let counts: u64 = slice["counts"].as_array().unwrap().iter().map(|count| count.as_u64().unwrap()).sum();
        assert_eq!(
            counts + slice["unknown"].as_u64().unwrap() - slice["no_motion"].as_u64().unwrap(),
            slice["of"].as_u64().unwrap()
        );
    }
}

#[test]
fn an_equilibrium_is_handed_on_as_one() {
    // Above the Hopf point q = 8.4911 of the valve its equilibrium is stable, and motions spiral into it for ever.
    let folder = Folder::new("rest");
    let out = folder.path("basins");
    let random = ["--random", "y1=0.7:0.8", "--random", "y3=10.6:10.9", "--count", "6", "--settle", "150"];
    let words = [&["basin", "relief-valve", "--set", "q=9", "--json", "--out", &out], &random[..]].concat();
    let answer: Value = serde_json::from_str(&done(&words)).unwrap();
    let [rest] = &answer["attractors"].as_array().unwrap()[..] else { panic!("{answer}") };
    assert_eq!((&rest["kind"], &rest["confirmed"], &rest["count"]), (&"rest".into(), &true.into(), &6.into()));
    assert!(rest["eigenvalues"][0][0].as_f64().unwrap() < 0.0, "{rest}");
    assert!(rest["multipliers"].as_array().unwrap().is_empty() && rest["period"].is_null());
    let file = folder.path("basins/attractor-1.json");
    let words =
        ["continue", "relief-valve", "--equilibrium", "--from", &file, "--along", "q", "--range", "8:9.5", "--json"];
    let unmarked = refused(&["continue", "relief-valve", "--from", &file, "--along", "q", "--range", "8:9.5"]);
    assert!(unmarked.contains("holds equilibria") && unmarked.contains("--equilibrium"), "{unmarked}");
    let branch: Value = serde_json::from_str(&done(&words)).unwrap();
    let hopf = branch["special"].as_array().unwrap().iter().find(|special| special["kind"] == "hopf").unwrap();
    assert!((hopf["parameters"]["q"].as_f64().unwrap() - 8.4911176352).abs() < 1e-8, "{hopf}");
}

#[test]
fn one_return_has_no_period_to_look_for() {
    let words = ["sweep", "impact-oscillator", "--along", "A=0.34:0.36:3", "--settle", "20", "--record", "1"];
    let said = done(&words);
    assert!(said.contains("period not looked for in 1 return") && !said.contains("up to 0"), "{said}");
}

#[test]
fn the_legend_says_where_returns_of_a_branch_are_missing() {
    let folder = Folder::new("legend");
    let [branch, plot] = ["branch.json", "plot.svg"].map(|name| folder.path(name));
    let flags =
        ["--period", "2", "--settle", "300", "--set", "A=0.35", "--along", "A", "--range", "0.344:0.354", "--json"];
    std::fs::write(&branch, done(&[&["continue", "impact-oscillator"], &flags[..]].concat())).unwrap();
    let drawn = |ordinate: &str| {
        let words =
            ["sweep", "impact-oscillator", "--along", "A=0.344:0.354:9", "--settle", "300", "--record", "8", "--quiet"];
        done(&[&words[..], &["--plot", &plot, "--overlay", &branch, "--ordinate", ordinate]].concat());
        std::fs::read_to_string(&plot).unwrap()
    };
    // An orbit that is no motion has the one return of the file.
    let states = drawn("x");
    assert!(states.contains("not admissible (1 of its 2 returns)") && !states.contains("branch, stable ("));
    let speeds = drawn("impact_speed");
    assert!(speeds.contains("branch, stable") && !speeds.contains("of its"));
}
