//! `saltation report`: a page of every kind of folder, what it must hold, and what cannot be read.

use crate::common::{Folder, answer, json, refusal, run};
use serde_json::{Value, json};

/// A folder with the answer to a question, and its page.
fn page_of(folder: &Folder, name: &str, words: &[&str]) -> (Value, String) {
    let out = folder.path(name);
    let done = run(&[words, &["--out", &out, "--quiet"]].concat());
    assert!(done.status.code().is_some_and(|code| code < 2), "{words:?}: {}", String::from_utf8_lossy(&done.stderr));
    let said = json(&["report", &out]);
    assert_eq!(said["file"], format!("{out}/report.html"));
    (said, folder.read(&format!("{name}/report.html")))
}

/// What every page has: nothing from a network, one script of its own, a heading, parameters, the model, and how to repeat it.
fn is_whole(name: &str, page: &str) {
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"), "{name}");
    for part in [
        "<h1>",
        "id=\"results\"",
        "Parameters of the run",
        "The text of the model",
        "How to repeat it",
        "Fingerprint of the model",
    ] {
        assert!(page.contains(part), "{name} lacks {part}");
    }
    for foreign in ["http://", "https://", "src=\"/", "@import", "url("] {
        // The addresses in models are text; those of SVG are inside base 64.
        assert!(
            !page.contains(&format!("src=\"{foreign}")) && !page.contains(&format!("href=\"{foreign}")),
            "{name}: {foreign}"
        );
    }
    assert_eq!(page.matches("<script>").count(), 1, "{name}");
    let headers = page.matches("<th ").count();
    assert_eq!(headers, page.matches("<th scope=").count(), "{name}: a header without a scope");
    assert_eq!(page.matches("<table>").count(), page.matches("<caption>").count(), "{name}: a table without a caption");
    assert_eq!(page.matches("<img ").count(), page.matches(" alt=\"").count(), "{name}: a figure without a text");
}

/// A name, the words of a command, the kind of its page, the least numbers of figures and tables, and what stands in it.
type Asked<'a> = (&'a str, &'a [&'a str], &'a str, usize, usize, &'a [&'a str]);

#[test]
fn every_kind_of_folder_has_a_page() {
    let folder = Folder::new("report-kinds");
    let oscillator = "impact-oscillator";
    let branch = folder.path("branch/branch.json");
    let parts = [folder.path("part1"), folder.path("part2")];
    let impacts = folder.write("impacts.csv", "impact:ground\n0.452\n1.174\n1.753\n2.216\n2.586\n");
    let samples =
        folder.write("samples.csv", "time;mm\n0.1;951\n0.2;804\n0.3;559\n0.4;216\n0.6;508\n0.7;736\n0.8;867\n");
    // Words, kind, least numbers of figures and tables, and what the page says.
    let questions: &[Asked] = &[
        (
            "motion",
            &["simulate", "bouncing-ball", "--until", "3"],
            "simulation",
            2,
            1,
            &["Events of the trajectory", "sys.simulate(until=3)", "acceleration of gravity", "m/s^2"],
        ),
        (
            "sampled",
            &["simulate", "bouncing-disc", "--until", "1", "--every", "0.01", "--show", "energy"],
            "simulation",
            2,
            2,
            &["samples.csv", "show=[&quot;energy&quot;]"],
        ),
        (
            "moreau",
            &["simulate", "bouncing-ball", "--method", "moreau", "--step", "1e-2", "--until", "2", "--every", "0.1"],
            "stepping",
            1,
            2,
            &["Solver"],
        ),
        (
            "orbit",
            &["orbit", oscillator, "--set", "A=0.36", "--settle", "100", "--period", "2"],
            "orbit",
            2,
            3,
            &[
                "Multipliers of the orbit",
                "st.gallery(&quot;impact-oscillator&quot;).with_(A=0.36)",
                "In the model file",
            ],
        ),
        (
            "branch",
            &["continue", oscillator, "--settle", "400", "--period", "2", "--along", "A", "--range", "0.345:0.352"],
            "branch",
            1,
            2,
            &["Points of the branch", "Bifurcations", "branch = first.continue_(&quot;A&quot;, 0.345, 0.352)"],
        ),
        (
            "equilibria",
            &["continue", "relief-valve", "--equilibrium", "--along", "q", "--range", "7:9"],
            "equilibrium_branch",
            1,
            2,
            &["sys.equilibrium()"],
        ),
        (
            "curve",
            &["curve", oscillator, "--from", &branch, "--at", "0", "--along", "A,omega", "--range", "0.8:0.82"],
            "curve",
            1,
            1,
            &["Curve of bifurcations", "range=(0.8, 0.82)"],
        ),
        ("rest", &["equilibrium", "relief-valve"], "equilibria", 1, 1, &["Eigenvalues of the equilibria"]),
        (
            "exponents",
            &["lyapunov", oscillator, "--settle", "20", "--returns", "50"],
            "lyapunov",
            1,
            2,
            &["standard error"],
        ),
        (
            "modes",
            &["modes", "chain", "--periods", "2:8"],
            "modes",
            1,
            2,
            &["modes = sys.modes(periods=(2, 8))", "Intervals"],
        ),
        (
            "contact",
            &["contact", "painleve-rod", "--map", "mu=0.1:2:12", "--map", "angle=0.1:1.5:12"],
            "contact",
            1,
            2,
            &["The map of contact problems", "map=[(&quot;mu&quot;, 0.1, 2, 12)"],
        ),
        (
            "impacts",
            &["fit", "bouncing-ball", "--data", &impacts, "--free", "e=0.5:0.9", "--free", "g"],
            "fit",
            1,
            3,
            &["Estimates with their standard errors", "Drawn from the stored answer."],
        ),
        (
            "samples",
            &["fit", "bouncing-ball", "--data", &samples, "--column", "mm=1000*x", "--free", "g"],
            "fit",
            1,
            4,
            &["The fitted trajectory", "the stored table trajectory.csv"],
        ),
        ("check", &["check", oscillator], "check", 0, 1, &["Laws of the contacts"]),
        (
            "sweep",
            &["sweep", oscillator, "--along", "A=0.34:0.36:9", "--settle", "60", "--record", "10"],
            "sweep",
            1,
            3,
            &["--along A=0.34:0.36:9", "along={&quot;A&quot;: (0.34, 0.36, 9)}", "tasks/*.parquet"],
        ),
        (
            "table",
            &[
                "sweep",
                oscillator,
                "--along",
                "A=0.35,0.36",
                "--set",
                "r=0.8",
                "--settle",
                "20",
                "--record",
                "4",
                "--format",
                "csv",
            ],
            "sweep",
            1,
            3,
            &["--set r=0.8", "--along A=0.35,0.36", "tasks/*.csv"],
        ),
        (
            "part1",
            &[
                "sweep",
                oscillator,
                "--along",
                "A=0.34:0.36:8",
                "--along",
                "r=0.8:0.9:4",
                "--settle",
                "20",
                "--record",
                "4",
                "--part",
                "1/2",
            ],
            "sweep",
            1,
            2,
            &["--part 1/2"],
        ),
        (
            "part2",
            &[
                "sweep",
                oscillator,
                "--along",
                "A=0.34:0.36:8",
                "--along",
                "r=0.8:0.9:4",
                "--settle",
                "20",
                "--record",
                "4",
                "--part",
                "2/2",
            ],
            "sweep",
            1,
            2,
            &["Part"],
        ),
        ("merged", &["merge", &parts[0], &parts[1]], "sweep", 1, 2, &["The map of two parameters"]),
        (
            "basin",
            &["basin", oscillator, "--grid", "x=-1:-0.1:5", "--grid", "y=-1:1:5", "--settle", "30", "--record", "8"],
            "basin",
            1,
            2,
            &["--grid x=-1:-0.1:5"],
        ),
    ];
    for (name, words, kind, figures, tables, parts) in questions {
        let (said, page) = page_of(&folder, name, words);
        assert_eq!(said["kind"], *kind, "{name}");
        assert!(said["figures"].as_u64() >= Some(*figures as u64), "{name}: {said}");
        assert!(said["tables"].as_u64() >= Some(*tables as u64), "{name}: {said}");
        assert_eq!(said["notes"], json!([]), "{name}");
        assert_eq!(page.matches("<figure>").count() as u64, said["figures"].as_u64().unwrap());
        is_whole(name, &page);
        parts.iter().for_each(|part| assert!(page.contains(part), "{name} lacks {part}"));
        // The same folder gives the same page, wherever it is written.
        let again = folder.path("again.html");
        assert_eq!(answer(&["report", &folder.path(name), "--out", &again]), format!("{again}\n"));
        assert!(folder.read("again.html") == page, "{name} differs");
    }
}

#[test]
fn a_motion_is_computed_again_only_where_that_is_short() {
    let folder = Folder::new("report-again");
    let (said, page) = page_of(&folder, "motion", &["simulate", "bouncing-ball", "--until", "3"]);
    assert!(said["figures"] == 2 && page.contains("computed again from run.json"));
    let stored = json(&["report", &folder.path("motion"), "--stored"]);
    assert_eq!(stored["figures"], 1);
    let mut described = folder.json("motion/run.json");
    described["wall_time"] = json!(5000.0);
    folder.write("motion/run.json", &described.to_string());
    let said = json(&["report", &folder.path("motion")]);
    assert_eq!(said["figures"], 1);
    let note = said["notes"][0].as_str().unwrap();
    assert!(note.contains("took 5000 s to compute") && note.contains("--every DT"), "{note}");
}

#[test]
fn nothing_of_a_file_is_markup() {
    let folder = Folder::new("report-escape");
    let bad = "</script><script>alert(1)</script><img src=x onerror=alert(2)>";
    let model = format!(
        "format = 1\nname = \"fall\"\ntitle = '{bad}'\nabout = '{bad}'\nsource = '{bad}'\n[parameters]\n\
         g = {{ value = 1, unit = '{bad}', about = '{bad}', symbol = '{bad}' }}\n\
         [mechanics]\ncoordinates = ['x']\nvelocities = ['v']\nM = [[1]]\nh = ['-g']\n\
         [contacts.ground]\ngap = 'x'\nrestitution = 0.5\n[start]\nx = 1\nv = 0\n"
    );
    let file = folder.write("fall.toml", &model);
    page_of(&folder, "run", &["simulate", &file, "--until", "3"]);
    // What files say besides the model.
    let mut described = folder.json("run/run.json");
    described["command"] = json!(["simulate", bad, "--until", bad]);
    described["message"] = json!(bad);
    described["ended"] = json!(bad);
    described["files"] = json!(["events.csv", "../../etc/passwd.csv", "/etc/passwd.csv", bad]);
    described["model"]["name"] = json!(bad);
    described["parameters"][bad] = json!(1);
    folder.write("run/run.json", &described.to_string());
    let events = folder.read("run/events.csv").replace("impact", &format!("\"{bad}\""));
    folder
        .write("run/events.csv", &events.replace("time,", &format!("time,\"{bad}\",")).replace(",ground", ",0,ground"));
    answer(&["report", &folder.path("run")]);
    let page = folder.read("run/report.html");
    assert!(page.matches("alert(1)").count() > 8);
    for markup in ["<script>alert", "<img src=x", "</script><script>", "<script>alert(1)"] {
        assert!(!page.contains(markup), "{markup}");
    }
    // The policy of the page allows its own script and no other, and nothing from elsewhere.
    assert!(page.contains("default-src 'none'; img-src data: blob:; style-src 'unsafe-inline'; script-src 'sha256-"));
    is_whole("hostile", &page);
}

#[test]
fn large_tables_are_cut_and_say_so() {
    let folder = Folder::new("report-large");
    page_of(&folder, "run", &["simulate", "bouncing-ball", "--until", "3"]);
    let events = folder.read("run/events.csv");
    let (head, rows) = events.split_once('\n').unwrap();
    let row = rows.lines().next().unwrap().split_once(',').unwrap().1;
    let mut text = format!("{head}\n");
    for k in 0..100_000 {
        text.push_str(&format!("{},{row}\n", f64::from(k) * 1.000_1));
    }
    // The last row of a run that was killed.
    text.push_str("100010.1,impact,gro");
    folder.write("run/events.csv", &text);
    let said = json(&["report", &folder.path("run"), "--stored"]);
    let page = folder.read("run/report.html");
    assert!(page.len() < 8 << 20, "{}", page.len());
    assert!(page.contains(" of 100000 rows; events.csv has all."), "{said}");
    assert!(said["notes"][0].as_str().unwrap().contains("1 row is incomplete in events.csv"), "{said}");
    assert!(page.contains("<dt>Events: impact</dt><dd>100000</dd>"));
}

#[test]
fn folders_that_hold_no_run_are_told_apart() {
    let folder = Folder::new("report-refusals");
    let refused = |path: &str, parts: &[&str]| {
        let said = refusal(&["report", path]).replace("\n  │ ", " ");
        parts.iter().for_each(|part| assert!(said.contains(part), "{part}: {said}"));
    };
    refused(&folder.path("none"), &["there is no folder", "name the folder that --out DIR has written"]);
    folder.write("file.txt", "text");
    refused(&folder.path("file.txt"), &["is a file, not a folder"]);
    refused(&folder.path("."), &["holds no run: it has no run.json", "without --out nothing was stored"]);
    page_of(&folder, "run", &["simulate", "bouncing-ball", "--until", "1"]);
    refused(&folder.path("."), &["holds no run", "there are runs inside it", "run"]);
    refused(&folder.path("run/run.json"), &["is a file, not a folder", "name its folder"]);
    let whole = folder.read("run/run.json");
    folder.write("run/run.json", &whole[..whole.len() / 2]);
    refused(&folder.path("run"), &["is cut off in line", "repeat the run"]);
    folder.write("run/run.json", "{ \"version\": no }");
    refused(&folder.path("run"), &["is not JSON", "in line 1"]);
    folder.write("run/run.json", "{ \"name\": \"another program\" }");
    refused(&folder.path("run"), &["was not written by saltation"]);
    std::fs::write(folder.path("run/run.json"), [0xff, 0xfe]).unwrap();
    refused(&folder.path("run"), &["is not text (UTF-8)"]);
}

#[test]
fn runs_that_are_partial_or_of_another_version_have_a_page_that_says_so() {
    let folder = Folder::new("report-partial");
    page_of(&folder, "run", &["orbit", "impact-oscillator", "--settle", "50", "--period", "2"]);
    let whole = folder.json("run/run.json");
    // As a run leaves it that was killed.
    let mut killed = whole.clone();
    (killed["answer"], killed["wall_time"], killed["files"]) = (Value::Null, Value::Null, json!(["run.json"]));
    folder.write("run/run.json", &killed.to_string());
    let said = json(&["report", &folder.path("run")]);
    assert_eq!((&said["kind"], &said["complete"]), (&json!("orbit"), &json!(false)));
    assert!(said["notes"][0].as_str().unwrap().contains("had not ended"), "{said}");
    assert!(folder.read("run/report.html").contains("The run had not ended when its description was written"));
    let mut other = whole.clone();
    other["version"] = json!("9.9.9");
    folder.write("run/run.json", &other.to_string());
    let said = json(&["report", &folder.path("run")]);
    assert!(said["notes"][0].as_str().unwrap().contains("was written by version 9.9.9"), "{said}");
    other["answer"]["multipliers"] = json!("another form");
    folder.write("run/run.json", &other.to_string());
    let said = json(&["report", &folder.path("run")]);
    assert!(said["notes"][1].as_str().unwrap().contains("there is no figure"), "{said}");
    let mut changed = whole;
    changed["model"]["text"] = json!("format = 1");
    folder.write("run/run.json", &changed.to_string());
    let said = json(&["report", &folder.path("run")]);
    assert!(said["notes"][0].as_str().unwrap().contains("the model of this run cannot be used"), "{said}");
    // A sweep of which a block is missing.
    let words = [
        "sweep",
        "impact-oscillator",
        "--along",
        "A=0.34:0.36:9",
        "--settle",
        "20",
        "--record",
        "4",
        "--format",
        "csv",
    ];
    page_of(&folder, "sweep", &words);
    let blocks = std::fs::read_dir(folder.path("sweep/tasks")).unwrap().map(|entry| entry.unwrap().path());
    let last = blocks.max().unwrap();
    std::fs::remove_file(last).unwrap();
    let said = json(&["report", &folder.path("sweep")]);
    assert_eq!(said["complete"], false);
    assert!(said["notes"][0].as_str().unwrap().contains("--resume finishes them"), "{said}");
    assert_eq!(said["figures"], 1);
    std::fs::remove_file(folder.path("sweep/run.json")).unwrap();
    assert!(refusal(&["report", &folder.path("sweep")]).contains("holds no run"));
}

#[test]
fn the_page_is_written_where_it_is_asked_for() {
    let folder = Folder::new("report-out");
    page_of(&folder, "run", &["simulate", "bouncing-ball", "--until", "1"]);
    let run_folder = folder.path("run");
    for (file, part) in [
        (folder.path("page.txt"), "the name of a page ends in .html"),
        (folder.path("none/page.html"), "there is no folder"),
        (run_folder.clone(), "this is a folder, not a file"),
    ] {
        let said = refusal(&["report", &run_folder, "--out", &file]);
        assert!(said.contains(part), "{said}");
    }
    // A file that cannot be replaced, whoever asks: a folder stands at the place of its first part.
    std::fs::create_dir_all(folder.path(".page.html.part/x")).unwrap();
    let failed = run(&["report", &run_folder, "--out", &folder.path("page.html")]);
    let said = String::from_utf8_lossy(&failed.stderr);
    assert_eq!(failed.status.code(), Some(1), "{said}");
    assert!(said.contains("could not be written") && said.contains("choose another file with --out FILE"), "{said}");
    assert_eq!(answer(&["report", &run_folder, "--quiet"]), "");
    // The next run in this folder removes the page of this one, and nothing else that stands there.
    folder.write("run/notes.html", "mine");
    answer(&["simulate", "bouncing-ball", "--until", "2", "--out", &run_folder, "--quiet"]);
    assert!(!folder.has("run/report.html") && folder.has("run/notes.html"));
    folder.write("run/report.html", "mine");
    answer(&["simulate", "bouncing-ball", "--until", "2", "--out", &run_folder, "--quiet"]);
    assert_eq!(folder.read("run/report.html"), "mine");
}
