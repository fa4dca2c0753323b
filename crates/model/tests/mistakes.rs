//! One bad file for each kind of mistake, and what is said about it.

use std::fs;
use std::path::{Path, PathBuf};

use saltation_model::{Mistake, Mistakes, Model, Overrides, gallery};

/// A mistake is one sentence without a full stop and one line of help that says more.
fn answered(mistake: &Mistake) {
    let Mistake { message, help, .. } = mistake;
    assert!(!message.ends_with('.'), "{message}");
    let help = help.as_deref().unwrap_or_default();
    assert!(!help.trim().is_empty() && !help.contains('\n') && help != message, "no help: {message}");
}

/// Everything that is wrong with a file, whichever layer finds it.
fn mistakes(path: &Path) -> Mistakes {
    let found = Model::read(path).and_then(|model| model.check(&Overrides::default()));
    let mut mistakes = found.expect_err(&format!("{} has no mistake", path.display()));
    assert!(!mistakes.list.is_empty());
    for mistake in &mistakes.list {
        answered(mistake);
        if let Some(span) = &mistake.span {
            assert!(mistakes.text.get(span.clone()).is_some(), "{span:?} is no place of the text");
        }
    }
    // The name of the file only, wherever the test runs.
    let folder = format!("{}/", path.parent().expect("a folder").display());
    mistakes.file = mistakes.file.replace(&folder, "");
    for mistake in &mut mistakes.list {
        mistake.message = mistake.message.replace(&folder, "");
    }
    mistakes
}

fn bad() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad")
}

#[test]
fn every_bad_file_is_answered_by_its_message() {
    let mut files: Vec<PathBuf> =
        fs::read_dir(bad()).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    // Matrices and tables lie beside the models that name them.
    files.retain(|file| file.extension().is_none_or(|extension| extension != "mtx" && extension != "csv"));
    files.sort();
    assert!(files.len() >= 80);
    for file in files {
        let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
        insta::assert_snapshot!(name, mistakes(&file));
    }
}

/// A body of unit masses that do not touch, with names as asked for.
fn many(masses: usize, parameters: usize, contacts: usize) -> String {
    let list = |entry: &dyn Fn(usize) -> String| (0..masses).map(entry).collect::<Vec<_>>().join(", ");
    let (x, v) = (list(&|i| format!("\"x{i}\"")), list(&|i| format!("\"v{i}\"")));
    let (ones, zeros) = (list(&|_| "1".into()), list(&|_| "0".into()));
    let parameters: String = (0..parameters).map(|i| format!("p{i} = 1\n")).collect();
    let contacts: String =
        (0..contacts).map(|i| format!("[contacts.c{i}]\ngap = \"x0 + {i}\"\nrestitution = 1\n")).collect();
    let start: String = (0..masses).map(|i| format!("x{i} = 1\nv{i} = 0\n")).collect();
    format!(
        "format = 1\nname = \"many\"\n[parameters]\n{parameters}[mechanics]\ncoordinates = [{x}]\nvelocities = [{v}]\n\
         M = {{ diagonal = [{ones}] }}\nh = [{zeros}]\n{contacts}[start]\n{start}"
    )
}

#[test]
fn what_is_too_many_is_counted() {
    for (name, text) in [
        ("states-too-many", many(301, 0, 0)),
        ("contacts-too-many", many(1, 0, 2001)),
        ("names-too-many", many(1, 3999, 0)),
    ] {
        let mistakes = Model::parse(&text, &format!("{name}.toml")).expect_err(name);
        mistakes.list.iter().for_each(answered);
        insta::assert_snapshot!(name, mistakes);
    }
}

/// A hundred thousand points, and as many parts, are refused before any of their formulas is read.
#[test]
fn a_sketch_that_is_too_large_is_refused() {
    let body = "format = 1\nname = \"large\"\n[flow]\nx = \"1\"\n[start]\nx = 0\n[sketch]\n";
    let letters: Vec<char> = ('a'..='z').chain('A'..='Z').collect();
    let letter = |k: usize| letters[k % letters.len()];
    let points: String =
        (0..100_000).map(|k| format!("{}{}{}=[0,0],", letter(k / (52 * 52)), letter(k / 52), letter(k))).collect();
    let parts = "[\"A\",\"B\"],".repeat(50_000);
    for (name, sketch) in [
        ("sketch-points-too-many", format!("points={{{points}}}\ndiscs=[{{at=\"aaa\",radius=1}}]\n")),
        ("sketch-parts-too-many", format!("points={{A=[0,0],B=[0,1]}}\nwalls=[{parts}]\n")),
    ] {
        let mistakes = Model::parse(&format!("{body}{sketch}"), &format!("{name}.toml")).expect_err(name);
        mistakes.list.iter().for_each(answered);
        insta::assert_snapshot!(name, mistakes);
    }
}

#[test]
fn a_file_that_cannot_be_read_is_answered_too() {
    insta::assert_snapshot!("missing-file", mistakes(&bad().join("impact-oscilator.toml")));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad");
    insta::assert_snapshot!("folder", mistakes(&folder));
}

#[test]
fn a_model_without_a_folder_names_no_files() {
    let text = "format = 1\nname = \"a\"\n[matrices]\nM = \"three.mtx\"\nK = [[1]]\n";
    insta::assert_snapshot!("matrices-without-folder", Model::parse(text, "a.toml").expect_err("no folder"));
}

#[test]
fn a_structure_that_is_too_large_is_refused() {
    let text = "format = 1\nname = \"a\"\n[matrices]\nM = { diagonal = [1".to_string()
        + &", 1".repeat(5000)
        + "] }\nK = [[1]]\n";
    let refused = Model::parse(&text, "a.toml").expect_err("too large");
    refused.list.iter().for_each(answered);
    assert!(refused.list[0].message.contains("5001 degrees of freedom and may have 5000"), "{refused}");
}

#[test]
fn a_file_that_is_too_long_is_refused() {
    let text = format!("format = 1\n# {}", "x".repeat(1024 * 1024));
    let refused = Model::parse(&text, "long.toml").expect_err("too long");
    assert!(refused.list[0].message.contains("1048576 at most"), "{refused}");
    refused.list.iter().for_each(answered);
}

#[test]
fn mistakes_in_settings_are_shown_in_their_own_text() {
    let model = gallery::model("impact-oscillator").expect("listed").expect("right");
    let answer = |set: &[(&str, &str)], start: &[(&str, &str)]| {
        let own = |pairs: &[(&str, &str)]| pairs.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect();
        let mistakes = model.values(&Overrides { set: own(set), start: own(start) }).expect_err("wrong");
        mistakes.list.iter().for_each(answered);
        mistakes.to_string()
    };
    insta::assert_snapshot!("settings-names", answer(&[("omga", "1"), ("A", "2*zetta")], &[("z", "0"), ("x", "2*y")]));
    insta::assert_snapshot!("settings-formula", answer(&[("A", "1,5"), ("r", "")], &[("x", "-(1")]));
    insta::assert_snapshot!("settings-circle", answer(&[("A", "2*zeta"), ("zeta", "A")], &[]));
    insta::assert_snapshot!("settings-itself", answer(&[("A", "A + 1")], &[]));
    insta::assert_snapshot!("settings-bounds", answer(&[("r", "1.5"), ("zeta", "-1")], &[("x", "log(0)")]));
    insta::assert_snapshot!("settings-inside-obstacle", answer(&[], &[("x", "0.5")]));
}

#[test]
fn a_setting_of_a_model_without_parameters_is_answered() {
    let text = "format = 1\nname = \"drift\"\n[flow]\nx = \"1\"\n[start]\nx = 0\n";
    let model = Model::parse(text, "drift.toml").expect("right");
    let settings = Overrides { set: vec![("a".into(), "1".into())], start: vec![("x".into(), "(b > 1) d".into())] };
    let mistakes = model.values(&settings).expect_err("wrong");
    mistakes.list.iter().for_each(answered);
    insta::assert_snapshot!("settings-without-parameters", mistakes);
}

#[test]
fn settings_that_correct_a_bad_file_are_accepted() {
    let model = Model::read(bad().join("start-inside-obstacle.toml")).expect("the names are right");
    let settings = Overrides { set: vec![], start: vec![("x".into(), "0".into())] };
    assert!(model.values(&settings).is_ok());
}
