//! Messages of the command for wrong input.

use crate::common::{self, Folder, refusal};

/// What is said to wrong flags of `simulate impact-oscillator`.
fn flags(arguments: &[&str]) -> String {
    refusal(&[&["simulate", "impact-oscillator"][..], arguments].concat())
}

macro_rules! said {
    ($($name:ident: $arguments:expr;)*) => {
        $(#[test]
        fn $name() {
            insta::assert_snapshot!(flags(&$arguments));
        })*
    };
}

said! {
    unknown_parameter: ["--set", "omga=1"];
    several_mistakes_at_once: ["--set", "omga=1", "--set", "r=1+", "--start", "q=0"];
    no_value: ["--set", "r"];
    no_name: ["--set", "=3"];
    empty_value: ["--set", "r="];
    bad_formula: ["--set", "r=0.5*(1"];
    out_of_range: ["--set", "omega=1/0"];
    zero_tolerance: ["--tol", "0"];
    negative_tolerance: ["--tol", "-1e-3"];
    tolerance_not_a_number: ["--tol", "NaN"];
    coarse_tolerance: ["--tol", "1"];
    negative_end: ["--until", "-3"];
    infinite_end: ["--until", "inf"];
    divided_by_zero: ["--until", "1/0"];
    unknown_name_in_end: ["--until", "10*omeg"];
    zero_distance: ["--every", "0"];
    too_many_rows: ["--until", "10", "--every", "1e-9"];
    too_many_steps: ["--until", "10", "--max-step", "1e-300"];
    zero_step: ["--max-step", "0"];
    zero_returns: ["--returns", "0"];
    broken_returns: ["--returns", "2.5"];
    unknown_section: ["--returns", "3", "--section", "pho"];
    section_without_returns: ["--section", "phi"];
    plane_of_one: ["--plot", "a.svg", "--plane", "x"];
    plane_of_unknown: ["--plot", "a.svg", "--plane", "x,velocity"];
    plane_with_a_gap: ["--plot", "a.svg", "--plane", "x,"];
    figure_of_unknown_kind: ["--plot", "motion.gif"];
    figure_in_no_folder: ["--plot", "no/such/folder/motion.svg"];
    sketch_of_unknown_kind: ["--sketch", "motion.gif"];
    sketch_times_wrong: ["--sketch", "a.svg", "--until", "2", "--sketch-times", "1,x,,3"];
    sketch_times_late: ["--sketch", "a.svg", "--until", "2", "--sketch-times", "1,3"];
    no_threads: ["--threads", "0"];
    start_in_the_wall: ["--start", "x=1"];
    unknown_flow: ["--flow", "euler"];
    many_flags: ["--tol", "0", "--until", "-1", "--every", "x", "--plot", "a.gif"];
}

#[test]
fn unknown_models() {
    insta::assert_snapshot!("unknown_model", refusal(&["simulate", "bouncing-bal"]));
    insta::assert_snapshot!("missing_file", refusal(&["check", "models/impact-oscilator.toml"]));
    insta::assert_snapshot!("unknown_gallery_model", refusal(&["gallery", "pendulum"]));
}

#[test]
fn a_sketch_is_what_the_model_says() {
    insta::assert_snapshot!("no_sketch", refusal(&["simulate", "thermostat", "--sketch", "a.svg"]));
    // When the motion ends is known when it has ended.
    let early = ["simulate", "ball-on-table", "--returns", "1", "--sketch", "a.svg", "--sketch-times", "0.5,100"];
    insta::assert_snapshot!("sketch_times_after_the_end", refusal(&early));
}

#[test]
fn returns_need_a_section() {
    insta::assert_snapshot!("no_sections", refusal(&["simulate", "bouncing-ball", "--returns", "3"]));
    let folder = Folder::new("sections");
    let text = common::LOSES_ITS_ROOT.replace("[start]", "[sections.other]\nwhen = \"y - 1/2\"\n[start]");
    let model = folder.write("two.toml", &text);
    insta::assert_snapshot!("several_sections", refusal(&["simulate", &model, "--returns", "3"]));
}

#[test]
fn the_exact_flow_needs_a_linear_model() {
    insta::assert_snapshot!("not_linear", refusal(&["simulate", "double-pendulum", "--flow", "exact"]));
    insta::assert_snapshot!("not_linear_valve", refusal(&["simulate", "relief-valve", "--flow", "exact"]));
    insta::assert_snapshot!("not_linear_orbit", refusal(&["orbit", "double-pendulum", "--flow", "exact"]));
    insta::assert_snapshot!("unknown_flow_lyapunov", refusal(&["lyapunov", "impact-damper", "--flow", "fast"]));
}

#[test]
fn wrong_flags_of_orbit_and_lyapunov() {
    let orbit = |arguments: &[&str]| refusal(&[&["orbit", "two-wall-oscillator"][..], arguments].concat());
    insta::assert_snapshot!("orbit_period_0", orbit(&["--period", "0"]));
    insta::assert_snapshot!("orbit_period_endless", orbit(&["--period", "99999999999999999999999"]));
    insta::assert_snapshot!("orbit_settle_negative", orbit(&["--settle", "-3"]));
    insta::assert_snapshot!("orbit_settle_broken", orbit(&["--settle", "1e3"]));
    insta::assert_snapshot!("orbit_unknown_section", orbit(&["--section", "turn"]));
    insta::assert_snapshot!("orbit_beyond_a_wall", orbit(&["--start", "y=3"]));
    insta::assert_snapshot!("orbit_start_not_a_number", orbit(&["--start", "w=NaN"]));
    insta::assert_snapshot!("orbit_figure_of_unknown_kind", orbit(&["--plot", "orbit.gif"]));
    insta::assert_snapshot!("orbit_without_section", refusal(&["orbit", "bouncing-ball"]));
    insta::assert_snapshot!("lyapunov_without_section", refusal(&["lyapunov", "bouncing-ball"]));
    insta::assert_snapshot!("lyapunov_returns_0", refusal(&["lyapunov", "coco-impact", "--returns", "0"]));
    let folder = Folder::new("orbit-sections");
    let text = common::LOSES_ITS_ROOT.replace("[start]", "[sections.other]\nwhen = \"y - 1/2\"\n[start]");
    let model = folder.write("two.toml", &text);
    insta::assert_snapshot!("orbit_several_sections", refusal(&["orbit", &model]));
}

#[test]
fn guesses_that_are_no_orbits() {
    let folder = Folder::new("guesses");
    let guess = |content: &str, more: &[&str]| {
        let file = folder.write("guess.json", content);
        let said = refusal(&[&["orbit", "two-wall-oscillator", "--guess", &file][..], more].concat());
        // The place is as long as the path.
        let said: Vec<&str> = said.lines().filter(|line| !line.contains("·  ")).collect();
        said.join("\n").replace(&file, "guess.json")
    };
    insta::assert_snapshot!("guess_not_json", guess("{\"state\": {\"y\": 1.0,}}\n", &[]));
    insta::assert_snapshot!("guess_cut_off", guess("{\"state\": {\"y\": 1.0", &[]));
    insta::assert_snapshot!("guess_no_orbit", guess("[1, 2]", &[]));
    insta::assert_snapshot!("guess_of_a_search_in_vain", guess(r#"{"ended": "no_return", "section": "phi"}"#, &[]));
    insta::assert_snapshot!("guess_of_another_model", guess(r#"{"state": {"x": 1, "v": 2, "phi": 0}}"#, &[]));
    insta::assert_snapshot!("guess_with_a_state_missing", guess(r#"{"state": {"y": 0.9, "phi": 0}}"#, &[]));
    insta::assert_snapshot!("guess_with_null", guess(r#"{"state": {"y": 0.9, "w": null, "phi": 0}}"#, &[]));
    insta::assert_snapshot!(
        "guess_beyond_a_wall",
        guess(r#"{"state": {"y": 9, "w": 1, "phi": 0}}"#, &["--set", "nu=1"])
    );

    let missing = refusal(&["orbit", "two-wall-oscillator", "--guess", "no/such.json"]);
    assert!(missing.contains("cannot be read"), "{missing}");
    let is_folder = refusal(&["orbit", "two-wall-oscillator", "--guess", &folder.path("")]);
    assert!(is_folder.contains("it is a folder"), "{is_folder}");
    std::fs::write(folder.0.join("bytes.json"), [0xff, 0xfe, 0x00]).unwrap();
    assert!(refusal(&["orbit", "two-wall-oscillator", "--guess", &folder.path("bytes.json")]).contains("UTF-8"));
    let huge = std::fs::File::create(folder.0.join("huge.json")).unwrap();
    huge.set_len(1 << 33).unwrap();
    assert!(refusal(&["orbit", "two-wall-oscillator", "--guess", &folder.path("huge.json")]).contains("64 megabytes"));
}

#[test]
fn mistakes_of_a_file_have_their_place() {
    let folder = Folder::new("places");
    let text = common::LOSES_ITS_ROOT.replace("-y\"", "-yy\"").replace("sqrt(x)", "sqrt(x");
    let model = folder.write("wrong.toml", &text);
    let said = refusal(&["check", &model]).replace(&model, "wrong.toml");
    insta::assert_snapshot!(said);
}

#[test]
fn clap_itself_refuses_with_the_same_code() {
    assert!(refusal(&["simulate", "bouncing-ball", "--bogus"]).contains("--bogus"));
    assert!(refusal(&["simulate"]).contains("MODEL"));
    assert!(refusal(&["simulat", "bouncing-ball"]).contains("simulate"));
}

#[test]
fn a_folder_that_cannot_be_written_is_told_before_anything_is_computed() {
    let folder = Folder::new("unwritable");
    let file = folder.write("file", "");
    let said = refusal(&["simulate", "bouncing-ball", "--until", "1e300", "--out", &format!("{file}/out")]);
    assert!(said.contains("cannot be written"), "{said}");
}

#[test]
fn huge_and_broken_files_are_refused_quickly() {
    let folder = Folder::new("huge");
    let huge = folder.write("huge.toml", &"# a long comment\n".repeat(700_000));
    let began = std::time::Instant::now();
    assert!(refusal(&["check", &huge]).contains("longer than a model file may be"));
    let line = folder.write("line.toml", &format!("format = 1\nname = {}\n", "[".repeat(500_000)));
    let said = refusal(&["check", &line]);
    assert!(said.len() < 5000, "{} bytes of message", said.len());
    std::fs::write(folder.0.join("bytes.toml"), [0xff, 0xfe, 0x00, 0x01]).unwrap();
    assert!(refusal(&["check", &folder.path("bytes.toml")]).contains("UTF-8"));
    assert!(refusal(&["check", &folder.path("")]).contains("folder"));
    assert!(began.elapsed().as_secs() < 60);
}
