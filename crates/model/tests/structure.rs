//! Structures: the same one written in three ways, what is left out, and what is refused.

use approx::assert_relative_eq;
use saltation_model::gallery::{self, structure};
use saltation_model::{Mistakes, Model, Overrides, Structure};
use std::path::PathBuf;

fn parse(text: &str) -> Model {
    Model::parse(text, "model.toml").unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

fn of(model: &Model, contact: Option<&str>) -> Result<Structure, Mistakes> {
    let values = model.numbers().unwrap_or_else(|mistakes| panic!("{mistakes}"));
    Structure::of(model, &values, contact)
}

fn structure_of(text: &str) -> Structure {
    of(&parse(text), None).unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

fn refusal(text: &str, contact: Option<&str>) -> String {
    let mistakes = of(&parse(text), contact).expect_err("refused");
    for mistake in &mistakes.list {
        assert!(mistake.help.as_ref().is_some_and(|help| !help.is_empty()) && !mistake.message.ends_with('.'));
    }
    mistakes.to_string()
}

const NAMES: &str = "coordinates = [\"a\", \"b\", \"c\"]\nvelocities = [\"va\", \"vb\", \"vc\"]\n";
const START: &str = "[start]\na = 0\nb = 0\nc = 0\nva = 0\nvb = 0\nvc = 0\n";

/// Three masses m with springs k; a load F on the second, a wall at d before the last.
fn chain(body: &str, gap: &str, start: &str) -> String {
    format!(
        "format = 1\nname = \"chain\"\n[parameters]\nm = 0.2\nk = 5\nF = 0.5\nd = 1\nr = 1\n{body}\n\
         [contacts.wall]\ngap = {gap}\nrestitution = \"r\"\n{start}"
    )
}

fn mechanics() -> String {
    let h = r#"["-k*a + k*(b - a)", "k*(a - b) + k*(c - b) + F", "k*(b - c)"]"#;
    chain(&format!("[mechanics]\n{NAMES}M = {{ diagonal = [\"m\", \"m\", \"m\"] }}\nh = {h}"), "\"d - c\"", START)
}

fn lagrangian() -> String {
    let l = "m/2*(va^2 + vb^2 + vc^2) - k/2*(a^2 + (b - a)^2 + (c - b)^2) + F*b";
    chain(&format!("[lagrangian]\n{NAMES}L = \"{l}\""), "\"d - c\"", START)
}

fn matrices() -> String {
    let body = "[matrices]\nM = { diagonal = [0.2, 0.2, 0.2] }\nK = [[10, -5, 0], [-5, 10, -5], [0, -5, 5]]\nload = { 2 = \"F\" }";
    chain(body, "{ constant = \"d\", normal = { 3 = -1 } }", "").replace("m = 0.2\nk = 5\n", "")
}

#[test]
fn a_chain_is_one_structure_however_it_is_written() {
    let expected = structure_of(&matrices());
    // K u = (0, F, 0): u = F/k (1, 2, 2).
    for (u, exact) in expected.rest.iter().zip([0.1, 0.2, 0.2]) {
        assert_relative_eq!(*u, exact, max_relative = 1e-14);
    }
    assert_relative_eq!(expected.gap, 0.8, max_relative = 1e-14);
    assert_eq!(expected.normal, [0.0, 0.0, -1.0]);
    assert_eq!(expected.left_out, Vec::<String>::new());
    for text in [mechanics(), lagrangian()] {
        let structure = structure_of(&text);
        assert_eq!((&structure.mass, &structure.stiffness), (&expected.mass, &expected.stiffness));
        assert_eq!((&structure.normal, structure.contact), (&expected.normal, 0));
        assert_eq!((&structure.left_out, structure.gap), (&expected.left_out, expected.gap));
        assert_eq!(structure.rest, expected.rest);
    }
    // Gaps may be formulas too, and the masses of a moving base are still masses.
    assert_eq!(structure_of(&matrices().replace("{ constant = \"d\", normal = { 3 = -1 } }", "\"d - u3\"")), expected);
}

/// A structure that is pressed against its obstacle is a legal question, whatever the start.
#[test]
fn the_start_may_lie_in_the_obstacle() {
    let model = parse(&matrices().replace("d = 1", "d = -1"));
    assert!(model.values(&Overrides::default()).is_err());
    assert_relative_eq!(of(&model, None).unwrap().gap, -1.2, max_relative = 1e-14);
}

#[test]
fn what_modes_do_not_know_is_said() {
    let forced = |text: String| {
        text.replace("[contacts.wall]", "[phase.phi]\nrate = 2\nperiod = \"2*pi\"\n[contacts.wall]")
            .replace("r = 1\n", "r = 0.8\n")
    };
    let three = forced(mechanics())
        .replace("\"k*(b - c)\"", "\"k*(b - c) - 0.1*vc + F*(1 - 2*cos(phi))/4\"")
        .replace("[start]", "[start]\nphi = 0")
        + "[contacts.other]\ngap = \"a + 3\"\nrestitution = 1\n";
    let two = forced(matrices())
        .replace("load = { 2 = \"F\" }", "load = [0, \"F\", \"F*(1 - 2*cos(phi))/4\"]\ndamping = { mass = 0.5 }")
        + "[contacts.other]\ngap = { constant = 3, normal = { 1 = 1 } }\nrestitution = 1\n";
    for text in [three, two] {
        let structure = of(&parse(&text), Some("wall")).unwrap_or_else(|mistakes| panic!("{mistakes}"));
        assert_eq!(
            structure.left_out,
            [
                "damping is left out: modes are motions without it",
                "forces that depend on the phase are left out: modes are motions without forcing",
                "the restitution 0.8 of contact `wall` is left out: impacts of modes are elastic",
                "contact `other` is left out: modes are those of one contact",
            ]
        );
        // The part of the load that stands still stays: u3 = (2 F + 3 F/4)/k.
        assert_relative_eq!(structure.rest[2], 0.275, max_relative = 1e-13);
    }
}

#[test]
fn what_is_no_structure_is_refused() {
    let snapshot = |name: &str, text: String, contact: Option<&str>| {
        insta::assert_snapshot!(format!("structure-{name}"), refusal(&text, contact));
    };
    let two = matrices() + "[contacts.floor]\ngap = \"1 + u1\"\nrestitution = 1\n";
    snapshot("of-flow", gallery::find("relief-valve").expect("listed").to_string(), None);
    snapshot("of-pendulum", gallery::find("double-pendulum").expect("listed").to_string(), None);
    snapshot("of-spring", mechanics().replace("k*(b - c)", "k*(b - c) - c^3"), None);
    snapshot("of-moving-wall", gallery::find("ball-on-table").expect("listed").to_string(), None);
    snapshot("of-curved-gap", mechanics().replace("\"d - c\"", "\"d - c + a*b\""), None);
    snapshot("of-no-contact", matrices().split("[contacts").next().unwrap_or_default().to_string(), None);
    snapshot("of-two-contacts", two.clone(), None);
    snapshot("of-unknown-contact", two, Some("flor"));
    snapshot("of-skew-forces", mechanics().replace("\"k*(b - c)\"", "\"k*(b - c) + a\""), None);
    snapshot(
        "of-gyroscope",
        mechanics().replace("\"k*(b - c)\"", "\"k*(b - c) - va\"").replace("k*(b - a)\"", "k*(b - a) + vc\""),
        None,
    );
    snapshot("of-gyroscopic-matrix", matrices().replace("load", "C = [[0, 1, 0], [-1, 0, 0], [0, 0, 0]]\nload"), None);
    snapshot("of-free-structure", matrices().replace("[10, -5, 0]", "[5, -5, 0]"), None);
    snapshot("of-zero-weights", matrices().replace("3 = -1", "3 = \"d - 1\""), None);
    snapshot("of-infinite-load", matrices().replace("\"F\"", "\"F/(d - 1)\""), None);
    snapshot("of-negative-mass", mechanics().replace("[\"m\", \"m\", \"m\"]", "[\"m\", \"-m\", \"m\"]"), None);
}

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(String, String)]) -> Folder {
        let path = std::env::temp_dir().join(format!("saltation-model-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        files.iter().for_each(|(name, text)| std::fs::write(path.join(name), text).unwrap());
        Folder(path)
    }

    fn read(&self, name: &str) -> Model {
        Model::read(self.0.join(name)).unwrap_or_else(|mistakes| panic!("{mistakes}"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What the generator writes in the size of the gallery is the model of the gallery.
#[test]
fn generated_structures_are_those_of_the_gallery() {
    for (name, n) in [("chain", 5), ("bar", 20)] {
        let generated = structure::generate(name, n).expect("has sizes").expect("a size");
        let folder = Folder::new(name, &generated.files);
        let model = folder.read(&generated.files[0].0);
        assert_eq!(model.name, format!("{name}-{n}"));
        let listed = gallery::model(name).expect("listed").expect("right");
        assert_eq!(of(&model, None).unwrap(), of(&listed, None).unwrap());
        assert_eq!(model.check(&Overrides::default()).unwrap().warnings, Vec::<String>::new());
        let start = |model: &Model| model.values(&Overrides::default()).unwrap().start().to_vec();
        assert_eq!(start(&model), start(&listed));
    }
    assert!(structure::generate("bouncing-ball", 3).is_none());
    for n in [0, 5001, usize::MAX] {
        assert!(structure::chain(n).is_err() && structure::bar(n).is_err());
    }
    for n in [1, 2, 100] {
        let generated = structure::bar(n).unwrap();
        let folder = Folder::new(&format!("small-{n}"), &generated.files);
        assert!(folder.read(&generated.files[0].0).values(&Overrides::default()).is_ok());
    }
}

/// A structure beyond simulation is read, checked and asked for its numbers, and says what it is not.
#[test]
fn large_structures_are_their_numbers() {
    for n in [saltation_model::matrices::MOST_MOVED + 1, 2000] {
        let generated = structure::bar(n).unwrap();
        let folder = Folder::new(&format!("large-{n}"), &generated.files);
        let model = folder.read(&generated.files[0].0);
        assert!(!model.is_moved() && model.linear);
        let report = model.check(&Overrides::default()).unwrap();
        let size = report.structure.unwrap();
        assert_eq!((size.degrees, size.mass_entries, size.simulated), (n, 3 * n - 2, false));
        assert_eq!((report.body, report.warnings), ("matrices", vec![]));
        let structure = of(&model, None).unwrap();
        assert_eq!(structure.mass.entries.len(), 3 * n - 2);
        // The mass of the bar without the half of the first element that is clamped, by the motion u = 1 but for the end.
        let total: f64 = structure.mass.entries.iter().map(|entry| entry.2).sum();
        assert_relative_eq!(total, 1.0 - 2.0 / 3.0 / n as f64, max_relative = 1e-11);
        let said = model.values(&Overrides::default()).expect_err("too large").to_string();
        assert!(
            said.contains(&format!("a structure with {n} degrees of freedom has modes, but is not simulated")),
            "{said}"
        );
    }
}

#[test]
fn the_fingerprint_covers_the_matrices() {
    let mut files = structure::chain(7).unwrap().files;
    let first = Folder::new("fingerprint-a", &files).read("chain-7.toml").fingerprint();
    let again = Folder::new("fingerprint-b", &files).read("chain-7.toml").fingerprint();
    files[2].1 = files[2].1.replace("1 1 1.4e1", "1 1 1.5e1");
    let other = Folder::new("fingerprint-c", &files).read("chain-7.toml").fingerprint();
    assert_eq!(first, again);
    assert_ne!(first, other);
}
