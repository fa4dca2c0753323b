//! Structures of any size are written and checked, and rejected where they cannot be simulated.

use crate::common::{Folder, answer, json, refusal};

#[test]
fn a_structure_is_written_whole_and_checked() {
    let folder = Folder::new("structure");
    let out = folder.path("made");
    let said = answer(&["gallery", "bar", "--elements", "1200", "--out", &out]);
    let model = folder.path("made/bar-1200.toml");
    assert!(said.contains(&format!("next: saltation modes {model}")), "{said}");
    let files: Vec<String> = {
        let mut names: Vec<String> =
            std::fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    assert_eq!(files, ["bar-1200-K.mtx", "bar-1200-M.mtx", "bar-1200.toml"]);
    let check = json(&["check", &model]);
    assert_eq!(check["body"], "matrices");
    assert_eq!(check["structure"]["degrees_of_freedom"], 1200);
    assert_eq!(check["structure"]["entries"]["M"], 3598);
    assert_eq!(check["structure"]["simulated"], false);
    assert_eq!((check["linear"].as_bool(), check["mode"].is_null()), (Some(true), true));
    assert_eq!(check["states"].as_array().unwrap().len(), 2400);
    let shown = answer(&["check", &model, "--out", &folder.path("checked")]);
    for line in ["2400 states, from u1 to v1200", "M  1200 by 1200, 3598 entries, symmetric and positive definite"] {
        assert!(shown.contains(line), "{shown}");
    }
    assert_eq!(folder.json("checked/run.json")["model"]["files"][0], "bar-1200-M.mtx");
    for command in ["simulate", "equilibrium", "orbit"] {
        let said = refusal(&[command, &model]);
        assert!(said.contains("1200 degrees of freedom has modes, but is not simulated"), "{said}");
    }
    // Again into the same folder: the files are replaced.
    let again = json(&["gallery", "bar", "--elements", "1200", "--out", &out]);
    assert_eq!((again["name"].as_str(), again["files"].as_array().unwrap().len()), (Some("bar-1200"), 3));
}

#[test]
fn a_small_structure_moves() {
    let folder = Folder::new("small-structure");
    answer(&["gallery", "chain", "--elements", "7", "--out", &folder.path("")]);
    let run = json(&["simulate", &folder.path("chain-7.toml"), "--until", "10"]);
    assert!(run["counts"]["impact"].as_u64().unwrap() > 1, "{}", run["counts"]);
    assert_eq!(json(&["check", &folder.path("chain-7.toml")])["mode"], "flight");
}

#[test]
fn structures_that_cannot_be_made() {
    let folder = Folder::new("no-structure");
    let out = folder.path("made");
    let refused = |arguments: &[&str]| refusal(&[&["gallery"][..], arguments].concat());
    insta::assert_snapshot!("no_elements", refused(&["chain", "--elements", "0", "--out", &out]));
    insta::assert_snapshot!("too_many_elements", refused(&["bar", "--elements", "5001", "--out", &out]));
    insta::assert_snapshot!("elements_not_a_number", refused(&["bar", "--elements", "many", "--out", &out]));
    insta::assert_snapshot!("one_size_only", refused(&["bouncing-ball", "--elements", "3", "--out", &out]));
    insta::assert_snapshot!("unknown_structure", refused(&["chian", "--elements", "3", "--out", &out]));
    insta::assert_snapshot!("no_folder", refused(&["bar", "--elements", "3"]));
    assert!(!folder.has("made"));
    let file = folder.write("file", "");
    let said = refused(&["bar", "--elements", "3", "--out", &file]);
    assert!(said.contains("cannot be written"), "{said}");
    for arguments in [&["--elements", "3"][..], &["chain", "--out", &out]] {
        assert!(refused(arguments).contains("required arguments"), "{arguments:?}");
    }
}
