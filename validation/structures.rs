//! Structures given by matrices against the same structures given by formulas.

use std::fmt::Write;

use crate::common::{assert_all_close, assert_close, of_kind, parse, run, system};
use saltation_model::{Model, Overrides, Structure};
use saltation_motion::{Ended, EventKind, System};
use saltation_orbit::branch::{self, Branch};
use saltation_orbit::{self as orbit, Settings};

/// n masses 1/n with springs n, a wall at d before the last: as [mechanics], with further forces on every mass.
fn written(n: usize, head: &str, gap: &str, further: &str) -> String {
    let list = |name: &str| (1..=n).map(|i| format!("\"{name}{i}\"")).collect::<Vec<_>>().join(", ");
    let spring = |x: &str, i: usize| {
        let below = if i > 1 { format!(" + {n}*({x}{} - {x}{i})", i - 1) } else { format!(" - {n}*{x}{i}") };
        let above = if i < n { format!(" + {n}*({x}{} - {x}{i})", i + 1) } else { String::new() };
        below + &above
    };
    let force = |i: usize| {
        let mut h = spring("u", i);
        let further = further.replace("STIFF", &format!("(0{})", spring("v", i))).replace("MASS", &format!("v{i}/{n}"));
        h.push_str(&further.replace("LAST", if i == n { "1" } else { "0" }));
        format!("\"0{h}\"")
    };
    let forces: Vec<String> = (1..=n).map(force).collect();
    let masses = vec![format!("\"1/{n}\""); n].join(", ");
    let mut text = format!(
        "format = 1\nname = \"written\"\n{head}\n[mechanics]\ncoordinates = [{}]\nvelocities = [{}]\n\
         M = {{ diagonal = [{masses}] }}\nh = [{}]\n[contacts.wall]\n{gap}\n[start]\n",
        list("u"),
        list("v"),
        forces.join(", ")
    );
    for i in 1..=n {
        let _ = writeln!(text, "u{i} = \"{i}*pull\"\nv{i} = 0");
    }
    text
}

const CHAIN: &str = "[parameters]\nd = 1\n[definitions]\npull = \"(d - 2.5)/5\"";

#[test]
fn the_chain_moves_as_its_formulas_do() {
    let (of_matrices, values) = system("chain", &[], &[]);
    let (of_formulas, same) = parse(&written(5, CHAIN, "gap = \"d - u5\"\nrestitution = 1", ""));
    assert_all_close(values.start(), same.start(), 1e-15);
    let (a, b) = (run(&of_matrices, &values, 60.0), run(&of_formulas, &same, 60.0));
    assert!(of_kind(&a, EventKind::Impact).len() > 8, "{}", a.events.len());
    assert_eq!(a.events.len(), b.events.len());
    for (a, b) in a.events.iter().zip(&b.events) {
        assert_eq!((a.kind, a.contact), (b.kind, b.contact));
        assert_close(a.time, b.time, 1e-12);
        assert_all_close(&a.before, &b.before, 1e-12);
        assert_all_close(&a.after, &b.after, 1e-12);
    }
    assert_all_close(&a.state, &b.state, 1e-12);
}

/// v' M v/2 + u' K u/2.
fn energy(structure: &Structure, state: &[f64]) -> f64 {
    let (u, v) = state.split_at(structure.rest.len());
    let half = |x: &[f64], y: Vec<f64>| 0.5 * x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
    half(v, structure.mass.times(v)) + half(u, structure.stiffness.times(u))
}

#[test]
fn elastic_impacts_keep_the_energy() {
    for name in ["chain", "bar"] {
        let (system, values) = system(name, &[], &[]);
        let structure = Structure::of(system.model(), &values, None).unwrap();
        let run = run(&system, &values, 100.0);
        assert_eq!(run.ended, Ended::ReachedTime);
        assert!(of_kind(&run, EventKind::Impact).len() > 20, "{name}: {}", run.events.len());
        let begin = energy(&structure, values.start());
        // K u u/2 of the even pull: the springs n and their stretch pull, n times; of the bar the same.
        let n = structure.rest.len() as f64;
        assert_close(begin, 0.5 * n * n * (1.5 / n).powi(2), 1e-13);
        for event in &run.events {
            assert_close(energy(&structure, &event.after), begin, 1e-11);
        }
        assert_close(energy(&structure, &run.state), begin, 1e-11);
    }
}

const FORCED: &str = "[parameters]\nd = 0.4\nF = 0.2\nomega = 1.2\na = 0.05\nb = 0.02\nr = 0.7\n\
                      [definitions]\npull = 0\n[phase.phi]\nrate = \"omega\"\nperiod = \"2*pi\"";

/// The branch of the attracting orbit along the amplitude of the load.
fn branch(text: &str) -> (System, Branch) {
    let model = Model::parse(text, "forced.toml").unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let system = System::new(&model);
    let following = model.values(&Overrides::default()).and_then(|values| values.along(&["F"])).unwrap();
    let section = system.default_section().unwrap();
    let settings = Settings { settle: 300, ..Settings::through(section) };
    let search = orbit::find(&system, &following, &settings, &mut |_| true);
    let orbit = search.orbit.unwrap_or_else(|| panic!("{}", search.ended.describe(&system)));
    assert!(orbit.signature_words(&system).contains(&"impact:wall".to_string()));
    let settings = branch::Settings { points: 4, ..branch::Settings::between(0.15, 0.25) };
    let found = branch::follow(&system, &following, &orbit, &settings, &mut |_, _| true).unwrap();
    (system, found.into_iter().next().unwrap())
}

#[test]
fn forced_and_damped_chains_are_continued_alike() {
    let n = 5;
    let gap = "gap = \"d - u5\"\nrestitution = \"r\"";
    let further = " - a*MASS + b*STIFF + F*cos(phi)*LAST";
    let (_, of_formulas) = branch(&(written(n, FORCED, gap, further) + "phi = 0\n"));
    let text = format!(
        "format = 1\nname = \"forced\"\n{FORCED}\n[matrices]\nM = {{ diagonal = [0.2, 0.2, 0.2, 0.2, 0.2] }}\n\
         K = [[10, -5, 0, 0, 0], [-5, 10, -5, 0, 0], [0, -5, 10, -5, 0], [0, 0, -5, 10, -5], [0, 0, 0, -5, 5]]\n\
         damping = {{ mass = \"a\", stiffness = \"b\" }}\nload = {{ 5 = \"F*cos(phi)\" }}\n\
         [contacts.wall]\ngap = {{ constant = \"d\", normal = {{ 5 = -1 }} }}\nrestitution = \"r\"\n"
    )
    .replace("[definitions]\npull = 0\n", "");
    let (_, of_matrices) = branch(&text);
    assert!(of_matrices.points.len() >= 5);
    assert_eq!(of_matrices.points.len(), of_formulas.points.len());
    for (a, b) in of_matrices.points.iter().zip(&of_formulas.points) {
        assert_close(of_matrices.value(a), of_formulas.value(b), 1e-10);
        assert_all_close(&a.state, &b.state, 1e-10);
        assert_all_close(&a.impact_speeds, &b.impact_speeds, 1e-10);
        assert_eq!(a.admissible, b.admissible);
        for (a, b) in a.multipliers.iter().zip(&b.multipliers) {
            // Multipliers come in pairs that nearly meet: their moduli are better known than they are.
            assert_close(a.re.hypot(a.im), b.re.hypot(b.im), 1e-8);
        }
    }
}
