//! Every number of every paper agrees, or its paper errs and the second route says so: one test for each paper runs its commands as they are typed.

use crate::common::{Folder, json, run, saltation};
use serde_json::Value;
use std::collections::BTreeSet;

/// Runs a paper, and says which of its numbers disagree.
fn agrees(name: &str) {
    let folder = Folder::new(name);
    let output = run(&["reproduce", name, "--out", &folder.path("papers"), "--json"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{name}: {said}");
    let paper: Value = serde_json::from_slice(&output.stdout).unwrap();
    let figures = paper["figures"].as_array().unwrap();
    assert_eq!(figures.len() as u64, paper["count"].as_u64().unwrap());
    for figure in figures {
        let place = format!("{name} {}", figure["name"]);
        let numbers = figure["numbers"].as_array().unwrap();
        assert!(!numbers.is_empty(), "{place} has no number");
        for number in numbers {
            let verdict = number["verdict"].as_str().unwrap();
            assert!(verdict == "agrees" || verdict == "the paper errs", "{place}: {number}");
        }
        for picture in figure["pictures"].as_array().unwrap() {
            assert!(folder.has(&format!("papers/{name}/{}", picture.as_str().unwrap())), "{place}: {picture}");
        }
    }
    assert!(folder.read(&format!("papers/{name}/numbers.txt")).contains("$ saltation "));
}

macro_rules! papers {
    ($($function:ident: $name:literal),* $(,)?) => {
        const NAMES: &[&str] = &[$($name),*];
        $(
            #[test]
            fn $function() {
                agrees($name);
            }
        )*
    };
}

papers! {
    banerjee_grebogi_1999: "banerjee-grebogi-1999",
    budd_dux_1994: "budd-dux-1994",
    chin_ott_nusse_grebogi_1994: "chin-ott-nusse-grebogi-1994",
    coco_impact: "coco-impact",
    deane_1992: "deane-1992",
    di_bernardo_johansson_vasca_2001: "di-bernardo-johansson-vasca-2001",
    foale_1994: "foale-1994",
    fossas_olivar_1996: "fossas-olivar-1996",
    garcia_1998: "garcia-1998",
    ghosh_simpson: "ghosh-simpson",
    glass_mackey_1979: "glass-mackey-1979",
    hogan_1989: "hogan-1989",
    holmes_1982: "holmes-1982",
    hos_champneys_2012: "hos-champneys-2012",
    housner_1963: "housner-1963",
    izhikevich_2003: "izhikevich-2003",
    karagiannis_pfeiffer_1991: "karagiannis-pfeiffer-1991",
    keener_1981: "keener-1981",
    kuznetsov_rinaldi_gragnani_2003: "kuznetsov-rinaldi-gragnani-2003",
    leine_1998: "leine-1998",
    leine_brogliato_2001: "leine-brogliato-2001",
    masri_caughey_1966: "masri-caughey-1966",
    matsumoto_chua_komuro_1985: "matsumoto-chua-komuro-1985",
    mcgeer_1990: "mcgeer-1990",
    mehta_luck_1990: "mehta-luck-1990",
    mirollo_strogatz_1990: "mirollo-strogatz-1990",
    nordmark_1991: "nordmark-1991",
    nordmark_piiroinen_2009: "nordmark-piiroinen-2009",
    nusse_yorke_1995: "nusse-yorke-1995",
    popp_stelter_1990: "popp-stelter-1990",
    shaw_1986: "shaw-1986",
    shaw_holmes_1983: "shaw-holmes-1983",
    thorin_2017: "thorin-2017",
    tsypkin_1984: "tsypkin-1984",
    woodpecker_2003: "woodpecker-2003",
    yoshitake: "yoshitake",
}

#[test]
fn every_data_file_is_listed_and_tested() {
    let listed = json(&["reproduce"]);
    let listed: BTreeSet<&str> =
        listed["papers"].as_array().unwrap().iter().map(|paper| paper["name"].as_str().unwrap()).collect();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/papers");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files: BTreeSet<String> = files.map(|path| path.file_stem().unwrap().to_str().unwrap().to_string()).collect();
    assert_eq!(files.iter().map(String::as_str).collect::<BTreeSet<_>>(), listed);
    assert_eq!(NAMES.iter().copied().collect::<BTreeSet<_>>(), listed);
}

#[test]
fn commands_can_be_typed_again_in_the_folder() {
    let folder = Folder::new("typed");
    let output = saltation(&["reproduce", "nusse-yorke-1995", "border"]).current_dir(&folder.0).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let command = "continue border-map.toml --set mu=-1 --settle 100 --along mu --range=-1:0.5 --json";
    let words: Vec<&str> = command.split(' ').collect();
    let typed = saltation(&words).current_dir(folder.0.join("reproduced/nusse-yorke-1995")).output().unwrap();
    let kept: Value = folder.json("reproduced/nusse-yorke-1995/border-1.json");
    assert_eq!(serde_json::from_slice::<Value>(&typed.stdout).unwrap()["special"], kept["special"]);
}

#[test]
fn what_is_unknown_is_answered_by_what_is_near() {
    let said = |words: &[&str]| {
        let output = run(words);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(said(&["reproduce", "nordmark-1919"]).contains("did you mean `nordmark-1991`"));
    assert!(said(&["reproduce", "nordmark-1991", "jmp"]).contains("did you mean `jump`?"));
    assert!(said(&["reproduce", "no-such-file.toml"]).contains("cannot be read"));
    let folder = Folder::new("wrong");
    let file = folder.write("mine.toml", "title = 'mine'\nshort = 3\n");
    assert!(said(&["reproduce", &file]).contains("mine.toml:2:9"));
    let blocked = folder.write("blocked", "a file where a folder should be");
    assert!(said(&["reproduce", "nordmark-1991", "--out", &blocked]).contains("cannot be written"));
}

const MINE: &str = r#"
title = "Mine"
short = "Mine"
authors = "me"
where = "here"
year = 2000
claims = "that a ball falls"
from = "the ball"
[[figures]]
name = "fall"
shows = "a ball"
commands = ["saltation simulate bouncing-ball --until 1 --plot fall.svg"]
numbers = [{ what = "first impact", at = "/events/0/time", published = "FIRST", closed = "sqrt(2/9.8)", digits = 14 ERRS }]
"#;

#[test]
fn a_paper_of_ones_own_disagrees_or_errs() {
    let folder = Folder::new("mine");
    let ask = |printed: &str, errs: &str| {
        let file = folder.write("mine.toml", &MINE.replace("FIRST", printed).replace("ERRS", errs));
        let output = run(&["reproduce", &file, "--out", &folder.path("out")]);
        (output.status.code(), String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, report, _) = ask("0.4518", "");
    assert_eq!(code, Some(0), "{report}");
    assert!(report.contains("1 agrees") && report.contains("fall: a ball") && folder.has("out/mine/fall.svg"));
    let (code, report, said) = ask("0.4517", "");
    assert_eq!(code, Some(1));
    assert!(report.contains("DISAGREES") && said.contains("is not the printed 0.4517"), "{said}");
    let (code, report, _) = ask("0.4517", ", errs = 'a digit is wrong'");
    assert_eq!(code, Some(0));
    assert!(report.contains("the paper errs: a digit is wrong"));
    let (code, _, said) = ask("0.4518", ", errs = 'a digit is wrong'");
    assert_eq!(code, Some(1));
    assert!(said.contains("the paper does not err here"), "{said}");
}

#[cfg(unix)]
#[test]
fn an_interruption_keeps_what_is_done() {
    use std::process::Stdio;
    let folder = Folder::new("interrupted");
    let figure = |name: &str, until: &str| {
        format!(
            "[[figures]]\nname = '{name}'\nshows = 's'\ncommands = ['saltation simulate impact-oscillator --until {until}']\n\
             numbers = [{{ what = 'end', at = '/end/time', closed = '{until}', digits = 9 }}]\n"
        )
    };
    let head = MINE.split("[[figures]]").next().unwrap();
    let file = folder.write("mine.toml", &format!("{head}{}{}", figure("short", "10"), figure("long", "10^8")));
    let mut words = saltation(&["reproduce", &file, "--out", &folder.path("out")]);
    let child = words.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The answer of the first figure is there before the second begins.
    let begin = std::time::Instant::now();
    while !folder.has("out/mine/short.json") {
        assert!(begin.elapsed().as_secs() < 60, "the first figure is not done");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    std::thread::sleep(std::time::Duration::from_millis(300));
    let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("1 of 2 figures are in"), "{said}");
    assert!(folder.read("out/mine/numbers.txt").contains("short: s"));
}
