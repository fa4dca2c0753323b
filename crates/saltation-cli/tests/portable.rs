//! `--portable`: the bits of some answers are known, whatever the processor and its library; stores are of one kind.

use crate::common::{Folder, answer, refusal, run, saltation};
use std::collections::BTreeMap;
use std::path::Path;

/// Questions, each with a part of its answer. The last digits of long motions are worth all others: what one operation rounds differently
/// these motions magnify.
const KNOWN: &[(&str, &str)] = &[
    (
        "simulate double-pendulum --until 40",
        r#""end":{"time":40.0,"state":{"q1":-39.22121527762535,"q2":0.586119638341432,"w1":-0.17177054121905133,"w2":-0.21047456390952538}"#,
    ),
    (
        "simulate hertz-ball --until 100",
        r#""end":{"time":100.0,"state":{"y":0.02290213673993117,"v":1.091071633571315,"phi":1.947072316891478}"#,
    ),
    (
        "simulate relief-valve --until 20",
        r#""end":{"time":20.0,"state":{"y1":8.108872821283585,"y2":-1.5222170100125163,"y3":0.7425736059168442}"#,
    ),
    (
        "simulate chain --method moreau --step 1e-2 --until 20",
        r#""end":{"time":20.0,"state":{"u1":-0.3591974630440472,"u2":-0.6919169588362212,"u3":-0.8297152178155794,"u4":-0.8533216689537516,"#,
    ),
    (
        "orbit double-pendulum --settle 20",
        r#""multipliers":[[1.0000000000377782,0.0],[-0.000722135343304948,0.0],[0.0,0.0],[0.0,0.0]]"#,
    ),
    (
        "orbit impact-oscillator --settle 400 --period 2",
        r#""multipliers":[[0.0065186714297425785,0.6598847624429631],[0.0065186714297425785,-0.6598847624429631]]"#,
    ),
    (
        "continue impact-oscillator --settle 400 --period 2 --along A --range 0.34:0.36",
        r#""state":{"x":0.13256492371749884,"y":0.0993952903958208,"phi":0.0},"signature":["impact:wall"],"impact_speeds":[0.1621671761819708],"multipliers":[[2.2117288350380053,0.0],[0.19690044542649765,0.0]]"#,
    ),
    (
        "equilibrium chua-circuit",
        r#""eigenvalues":[[0.10777117334038244,3.0519637967222724],[0.10777117334038244,-3.0519637967222724],[-3.5012566323950485,0.0]]"#,
    ),
    (
        "lyapunov double-pendulum --settle 2 --returns 3",
        r#""exponents":[4.1764514804968306e-8,-1.1722963300186644,null,null]"#,
    ),
    (
        "modes chain --periods 0:8",
        r#""energy":1271.526209781291,"state":{"u1":3.4982182237491966,"u2":-6.8829735379363,"u3":6.1939595208650395,"u4":-6.500643892567846,"#,
    ),
];

/// Another processor, as far as the system's library looks at it: without the instructions for which it has variants of its own. It has no
/// effect on other systems.
const OLDER: (&str, &str) = ("GLIBC_TUNABLES", "glibc.cpu.hwcaps=-AVX512F,-AVX2,-AVX,-FMA,-FMA4");

fn words(question: &str) -> Vec<&str> {
    question.split_whitespace().chain(["--json", "--portable"]).collect()
}

#[test]
fn answers_have_their_bits() {
    for (question, known) in KNOWN {
        let text = answer(&words(question));
        // The place of the part, by what comes before its first digit.
        let begin = known.find(|c: char| c.is_ascii_digit()).and_then(|end| text.find(&known[..end])).unwrap_or(0);
        let found: String = text[begin..].chars().take(known.len()).collect();
        assert!(text.contains(known), "{question}: not {known}, perhaps {found}");
    }
}

#[test]
fn answers_do_not_depend_on_the_library_of_the_system() {
    for (question, _) in KNOWN {
        let older = saltation(&words(question)).env(OLDER.0, OLDER.1).output().unwrap();
        assert!(run(&words(question)).stdout == older.stdout && !older.stdout.is_empty(), "{question}");
    }
}

/// All files of a folder but its description, by their names.
fn tables(folder: &str) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for table in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()) {
        for file in std::fs::read_dir(table).unwrap().map(|entry| entry.unwrap().path()) {
            all.insert(file.display().to_string().replace(folder, ""), std::fs::read(&file).unwrap());
        }
    }
    all
}

/// A message without the breaks of its lines.
fn unbroken(said: &str) -> String {
    said.replace('│', " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_store_has_its_bytes_and_is_of_one_kind() {
    let folder = Folder::new("portable");
    let sweep = |name: &str, more: &[&str], older: bool| {
        let out = folder.path(name);
        let flags = "sweep impact-oscillator --along A=0.34:0.37:40 --settle 50 --record 10 --quiet --format csv --out";
        let words: Vec<&str> = flags.split_whitespace().chain([out.as_str()]).chain(more.iter().copied()).collect();
        let mut command = saltation(&words);
        if older {
            command.env(OLDER.0, OLDER.1);
        }
        let output = command.output().unwrap();
        (output.status.code(), unbroken(&String::from_utf8(output.stderr).unwrap()))
    };
    assert_eq!(sweep("here", &["--portable"], false).0, Some(0));
    assert_eq!(sweep("there", &["--portable"], true).0, Some(0));
    let (here, there) = (tables(&folder.path("here")), tables(&folder.path("there")));
    assert!(here == there && !here.is_empty());
    let hash = here
        .values()
        .flatten()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
    assert_eq!(format!("{hash:016x}"), "84e7918280a0fd24");
    assert_eq!(folder.json("here/run.json")["portable"], true);
    assert_eq!(sweep("here", &["--portable", "--resume"], false).0, Some(0));

    // Digits of two kinds do not meet in one folder, by resuming or by joining.
    let (code, said) = sweep("here", &["--resume"], false);
    assert!(code == Some(2) && said.contains("`portable` was true and is now absent"), "{said}");
    assert!(said.contains("compute it with --portable everywhere, or nowhere"), "{said}");
    assert_eq!(sweep("plain", &[], false).0, Some(0));
    assert!(folder.json("plain/run.json")["portable"].is_null());
    let (code, said) = sweep("plain", &["--resume", "--portable"], false);
    assert!(code == Some(2) && said.contains("`portable` was absent and is now true"), "{said}");
    assert_eq!(sweep("first", &["--part", "1/2", "--portable"], false).0, Some(0));
    assert_eq!(sweep("second", &["--part", "2/2"], false).0, Some(0));
    let said =
        unbroken(&refusal(&["merge", &folder.path("first"), &folder.path("second"), "--out", &folder.path("whole")]));
    assert!(said.contains("--portable everywhere, or nowhere"), "{said}");
}

#[test]
fn a_stored_run_says_how_to_repeat_it() {
    let folder = Folder::new("portable-run");
    let out = folder.path("out");
    for question in ["simulate bouncing-ball --until 1", "orbit impact-oscillator --settle 400 --period 2"] {
        let words: Vec<&str> = question.split_whitespace().chain(["--quiet", "--portable", "--out", &out]).collect();
        assert_eq!(run(&words).status.code(), Some(0));
        let described = folder.json("out/run.json");
        assert_eq!(described["portable"], true);
        let command: Vec<&str> =
            described["command"].as_array().unwrap().iter().filter_map(|word| word.as_str()).collect();
        assert_eq!(command, words);
        assert!(Path::new(&out).join("run.json").exists());
    }
}
