//! Impacts one after another, `[impacts] together = "sequence"`: balls in line by momentum and restitution alone.

use crate::common::{assert_all_close, assert_close, beside, of_kind, parse, run};
use saltation_model::{Model, Values};
use saltation_motion::{Ended, EventKind, Happening, Motion, Perturbation, Run, Settings, System};

/// Balls of these masses in line without forces. Those at `places` of this diameter 1 begin with these speeds.
fn line(law: &str, masses: &[f64], restitution: f64, places: &[f64], speeds: &[f64]) -> String {
    let n = masses.len();
    let list = |entry: &dyn Fn(usize) -> String| (0..n).map(entry).collect::<Vec<_>>().join(", ");
    let mut text = format!("format = 1\nname = \"line\"\n[parameters]\ne = {restitution}\n");
    text += &(0..n).map(|k| format!("m{k} = {}\n", masses[k])).collect::<String>();
    text += &format!("[mechanics]\ncoordinates = [{}]\n", list(&|k| format!("\"x{k}\"")));
    text += &format!("velocities = [{}]\n", list(&|k| format!("\"v{k}\"")));
    text += &format!("M = {{ diagonal = [{}] }}\n", list(&|k| format!("\"m{k}\"")));
    text += &format!("h = [{}]\n", list(&|_| "0".to_string()));
    for k in 1..n {
        text += &format!("[contacts.c{k}]\ngap = \"x{k} - x{} - 1\"\nrestitution = \"e\"\n", k - 1);
    }
    text += &format!("[impacts]\n{law}\n[start]\n");
    text += &(0..n).map(|k| format!("x{k} = {}\nv{k} = {}\n", places[k], speeds[k])).collect::<String>();
    text
}

const SEQUENCE: &str = "together = \"sequence\"";

fn speeds(found: &Run) -> &[f64] {
    &found.state[found.state.len() / 2..]
}

/// Five equal elastic balls, four of them touching: the last one leaves with the speed of the striker. By one complementarity problem the
/// striker recoils instead, and the others leave together.
#[test]
fn the_last_ball_of_a_cradle_leaves_alone() {
    let places = [0.0, 2.0, 3.0, 4.0, 5.0];
    let (system, values) = parse(&line(SEQUENCE, &[1.0; 5], 1.0, &places, &[2.0, 0.0, 0.0, 0.0, 0.0]));
    let found = run(&system, &values, 3.0);
    assert_eq!(found.ended, Ended::ReachedTime);
    assert_all_close(speeds(&found), &[0.0, 0.0, 0.0, 0.0, 2.0], 1e-12);
    let energy: f64 = of_kind(&found, EventKind::Impact).iter().map(|event| event.energy).sum();
    assert_close(energy, 0.0, 1e-12);
    let (system, values) = parse(&line("together = \"lcp\"", &[1.0; 5], 1.0, &places, &[2.0, 0.0, 0.0, 0.0, 0.0]));
    assert_all_close(speeds(&run(&system, &values, 3.0)), &[-1.2, 0.8, 0.8, 0.8, 0.8], 1e-12);
}

/// Two balls that touch come in, and two go out. Impacts at contacts that close equally fast without acting on each other are in no order.
#[test]
fn two_balls_in_are_two_balls_out() {
    let places = [0.0, 1.0, 3.0, 4.0, 5.0];
    for law in [SEQUENCE, "together = \"sequence\"\nlaw = \"poisson\""] {
        let (system, values) = parse(&line(law, &[1.0; 5], 1.0, &places, &[2.0, 2.0, 0.0, 0.0, 0.0]));
        let found = run(&system, &values, 3.0);
        assert_eq!(found.ended, Ended::ReachedTime);
        assert_all_close(speeds(&found), &[0.0, 0.0, 0.0, 2.0, 2.0], 1e-12);
    }
}

/// Three equal balls with e > 3 - 2 sqrt 2: the last leaves with ((1+e)/2)^2 of the speed, and the first strikes the second once more.
#[test]
fn a_lossy_chain_passes_on_products_of_one_plus_e() {
    for e in [0.2, 0.5, 0.8, 0.95] {
        let (system, values) = parse(&line(SEQUENCE, &[1.0; 3], e, &[0.0, 2.0, 3.0], &[1.0, 0.0, 0.0]));
        let found = run(&system, &values, 1.5);
        assert_eq!(found.ended, Ended::ReachedTime, "{e}");
        let (give, keep) = (0.5 * (1.0 + e), 0.5 * (1.0 - e));
        let (first, second) = (keep, keep * give);
        let expected = [keep * first + give * second, give * first + keep * second, give * give];
        assert_all_close(speeds(&found), &expected, 1e-12);
    }
}

/// Without restitution impacts follow each other without end, and their limit is that all balls go on together. Poisson's and Newton's law are
/// the same one by one without friction.
#[test]
fn impacts_without_end_reach_their_limit() {
    let masses = [1.0, 2.0, 0.5, 3.0];
    for (law, e) in [(SEQUENCE, 0.0), (SEQUENCE, 0.1), ("together = \"sequence\"\nlaw = \"poisson\"", 0.0)] {
        let (system, values) = parse(&line(law, &masses, e, &[0.0, 2.0, 3.0, 4.0], &[1.0, 0.0, 0.0, 0.0]));
        let found = run(&system, &values, 1.5);
        assert_eq!(found.ended, Ended::ReachedTime, "{law}");
        let v = speeds(&found);
        let momentum: f64 = masses.iter().zip(v).map(|(m, v)| m * v).sum();
        assert_close(momentum, 1.0, 1e-12);
        assert!(v.windows(2).all(|pair| pair[1] - pair[0] >= -1e-12), "{law}: {v:?}");
        if e == 0.0 {
            assert_all_close(v, &[1.0 / 6.5; 4], 1e-11);
        }
    }
}

/// Where nearly nothing is lost and nothing can leave, the impacts are more than can be followed, and the motion says so.
#[test]
fn too_many_impacts_at_one_instant_are_named() {
    // A light ball between a heavy one and one that is heavier still: the squeeze of a billiard in a narrow wedge.
    let masses = [1e10, 1.0, 1e12];
    let (system, values) = parse(&line(SEQUENCE, &masses, 1.0, &[0.0, 2.0, 3.0], &[1.0, 0.0, 0.0]));
    let found = run(&system, &values, 3.0);
    assert_eq!(found.ended, Ended::ContactsTogether { contacts: vec![0, 1] });
    assert!(found.ended.describe(&system).contains("more often at one instant than can be followed"));
}

/// Derivatives through a sequence of five impacts against central differences of the trajectory, by masses, restitution and speeds.
#[test]
fn derivatives_follow_the_order_of_impacts() {
    let text = line(SEQUENCE, &[1.0, 1.3, 0.8, 1.1], 0.7, &[0.0, 2.0, 3.0, 4.0], &[1.0, 0.0, 0.0, 0.0]);
    let (system, values) = parse(&text);
    let until = 1.6;
    let directions: Vec<usize> = (4..5).chain(8..13).collect();
    let all = directions.iter().map(|&d| match d.checked_sub(8) {
        None => Perturbation::of_state(&system, d),
        Some(parameter) => Perturbation::of_parameter(&system, parameter),
    });
    let settings = Settings { until, ..Settings::default() };
    let mut motion = Motion::with_derivatives(&system, &values, settings, &all.collect::<Vec<_>>())
        .expect("the start is admissible");
    while !matches!(motion.advance(), Happening::Ended(_)) {}
    let derivatives = motion.derivatives();
    let end = |values: &Values| run(&system, values, until).state;
    for (k, &direction) in directions.iter().enumerate() {
        let h = 1e-5;
        let (down, up) = (end(&beside(&values, direction, -h)), end(&beside(&values, direction, h)));
        for i in 0..8 {
            assert_close(derivatives.state(k)[i], (up[i] - down[i]) / (2.0 * h), 1e-7);
        }
    }
}

/// Bodies in a row that constant forces press together chatter at several contacts into rest. The momentum and the centre of mass know nothing of that: once all move together, the derivatives of
/// every place and speed are m_k/M by a place, and m_k/M and m_k t/M by a speed.
#[test]
fn bodies_that_chatter_together_into_rest_keep_the_momentum_of_their_neighbours() {
    let mut dice = crate::common::rough::Dice(5);
    let first = (vec![1.21, 1.91, 1.5], vec![0.5, 0.3], [1.41, -0.81], vec![0.0, 0.1, 0.2], vec![0.23, -0.14, -0.26]);
    let drawn = (0..40).map(|member| {
        let bodies = 3 + member % 2;
        let masses = (0..bodies).map(|_| dice.between(0.4, 2.0)).collect();
        let restitutions = (1..bodies).map(|_| dice.between(0.1, 0.6)).collect();
        let forces = [dice.between(0.5, 2.0), -dice.between(0.5, 2.0)];
        let places = (0..bodies).map(|k| 0.2 * k as f64).collect();
        (masses, restitutions, forces, places, (0..bodies).map(|_| dice.between(-0.3, 0.3)).collect())
    });
    let all: Vec<_> = std::iter::once(first).chain(drawn).collect();
    let mut together = 0;
    for (member, (masses, restitutions, [pushed, pulled], places, begun)) in all.iter().enumerate() {
        let n = masses.len();
        let mut text = line(SEQUENCE, masses, 0.0, places, begun).replace(" - 1\"", "\"");
        for (k, e) in (1..n).zip(restitutions) {
            text = text.replacen("restitution = \"e\"", &format!("restitution = {e:e}"), usize::from(k > 0));
        }
        let forces: Vec<String> = (0..n)
            .map(|k| match k {
                0 => format!("{pushed:e}"),
                k if k == n - 1 => format!("{pulled:e}"),
                _ => "0".to_string(),
            })
            .collect();
        let free = format!("h = [{}]", vec!["0"; n].join(", "));
        let text = text.replace(&free, &format!("h = [{}]", forces.join(", ")));
        let (system, values) = parse(&text);
        let until = 20.0;
        let directions: Vec<Perturbation> = (0..2 * n).map(|state| Perturbation::of_state(&system, state)).collect();
        let settings = Settings { until, ..Settings::default() };
        let mut motion = Motion::with_derivatives(&system, &values, settings, &directions).expect("an open row");
        while !matches!(motion.advance(), Happening::Ended(_)) {}
        if motion.time() < until || motion.closed().iter().count() < n - 1 {
            continue;
        }
        together += 1;
        let derivatives = motion.derivatives();
        let total: f64 = masses.iter().sum();
        for (k, mass) in masses.iter().enumerate() {
            let share = mass / total;
            for i in 0..n {
                for (direction, state, right) in
                    [(k, i, share), (k, n + i, 0.0), (n + k, i, share * until), (n + k, n + i, share)]
                {
                    let found = derivatives.state(direction)[state];
                    assert!(
                        (found - right).abs() < 1e-6,
                        "{member}: d {state} / d {direction} is {found}, not {right}"
                    );
                }
            }
        }
    }
    assert!(together > 20, "{together}");
}

/// A ball that falls on another one, which rests on the floor, is thrown back by it: the lower one strikes the floor in between.
#[test]
fn a_ball_at_rest_strikes_the_floor_that_holds_it() {
    let text = r#"
        format = 1
        name = "stack"
        impacts = { together = "sequence" }
        [mechanics]
        coordinates = ["x", "y"]
        velocities = ["u", "v"]
        M = { diagonal = [1, 1] }
        h = [-9.81, -9.81]
        [contacts.floor]
        gap = "x"
        restitution = 1
        [contacts.balls]
        gap = "y - x - 1"
        restitution = 1
        [start]
        x = 0
        y = 2
        u = 0
        v = 0
    "#;
    let (system, values) = parse(text);
    let time = f64::sqrt(2.0 / 9.81);
    let found = run(&system, &values, time + 1e-3);
    // The lower ball takes the speed, meets the floor, and gives it back.
    assert_all_close(&found.state[2..], &[0.0, f64::sqrt(2.0 * 9.81) - 9.81e-3], 1e-9);
}

#[test]
fn other_words_are_refused() {
    let text = line("together = \"sequential\"", &[1.0; 2], 1.0, &[0.0, 2.0], &[1.0, 0.0]);
    let mistakes = Model::parse(&text, "line.toml").expect_err("there is no such law").to_string();
    assert!(
        mistakes.contains("`together` must be \"lcp\", \"sequence\" or \"refuse\", not \"sequential\""),
        "{mistakes}"
    );
}

/// The compiled model of a chain is what the tests above share.
#[test]
fn the_law_joins_contacts() {
    let (system, _): (System, Values) = parse(&line(SEQUENCE, &[1.0; 2], 1.0, &[0.0, 2.0], &[1.0, 0.0]));
    assert!(system.is_coupled());
}
