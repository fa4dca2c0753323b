//! Answers are plain data: each stored answer is read into its type and written again as the same text.

use saltation::{
    Answered, CurveSettings, Error, System, check, contact, curve, equilibrium, lyapunov, modes, orbit, read_json,
    simulation, stepping,
};
use saltation::{branch, equilibrium::branch as equilibria};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::Path;

/// The text of an answer after it was read.
fn again<A: DeserializeOwned + Serialize>(text: &str) -> Result<String, Error> {
    Ok(serde_json::to_string(&read_json::<A>(text)?).unwrap())
}

/// The same by the question that the answer belongs to.
fn again_by(words: &str, text: &str) -> Result<String, Error> {
    let moreau = words.contains("--method moreau");
    let at_rest = words.contains("--equilibrium");
    match words.split_whitespace().next() {
        Some("simulate") if moreau => again::<stepping::Answer>(text),
        Some("simulate") => again::<simulation::Answer>(text),
        Some("orbit") => again::<orbit::Answer>(text),
        Some("continue") if at_rest => again::<equilibria::Answer>(text),
        Some("continue") => again::<branch::Answer>(text),
        Some("curve") => again::<curve::Answer>(text),
        Some("equilibrium") => again::<equilibrium::Answer>(text),
        Some("lyapunov") => again::<lyapunov::Answer>(text),
        Some("modes") => again::<modes::Answer>(text),
        Some("contact") => again::<contact::Answer>(text),
        Some("check") => again::<check::Answer>(text),
        other => panic!("there is no question {other:?}"),
    }
}

#[test]
fn stored_answers_come_back_as_they_were_written() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../validation/answers");
    let questions = std::fs::read_to_string(folder.join("questions.txt")).unwrap();
    let mut count = 0;
    for line in questions.lines().filter(|line| !line.is_empty()) {
        let (name, words) = line.split_once(": ").unwrap();
        let text = std::fs::read_to_string(folder.join(format!("{name}.json"))).unwrap();
        let back = again_by(words, &text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let differs = back.bytes().zip(text.trim_end().bytes()).position(|(a, b)| a != b);
        let near = differs.map(|at| (&back[at.saturating_sub(60)..at + 20], &text[at.saturating_sub(60)..at + 20]));
        assert!(back == text.trim_end(), "{name}: {near:?}");
        count += 1;
    }
    assert!(count > 80, "{count}");
}

#[test]
fn texts_that_are_no_answers_are_refused_with_their_place() {
    for text in ["", "{", "[]", "null", "{\"period\": 1}", "\u{0}", "{\"period\": \"one\"}"] {
        assert!(read_json::<lyapunov::Answer>(text).is_err(), "{text}");
        assert!(read_json::<branch::Answer>(text).is_err(), "{text}");
        assert!(read_json::<simulation::Answer>(text).is_err(), "{text}");
    }
    let deep = "[".repeat(100_000);
    assert!(read_json::<orbit::Answer>(&deep).is_err());
}

/// What a drift adds to orbits, points of branches and bifurcations.
#[test]
fn answers_with_a_drift_come_back() -> Result<(), Error> {
    let orbit = System::gallery("woodpecker")?.orbit().find()?;
    let text = orbit.json();
    assert_eq!(again::<orbit::Answer>(&text)?, text);
    let drop = read_json::<orbit::Answer>(&text)?.orbit.and_then(|orbit| orbit.drift?.get("y"));
    assert!(drop.is_some_and(|drop| (drop + 0.0194453793).abs() < 1e-9), "{drop:?}");
    let found = orbit.continue_in("mu", 0.29..=0.31).points(40).run()?;
    let text = found.json();
    assert_eq!(again::<branch::Answer>(&text)?, text);
    let read = read_json::<branch::Answer>(&text)?;
    assert!(read.points.iter().all(|point| point.drift.as_ref().is_some_and(|drift| drift.get("y").is_some())));
    assert!(read.special.iter().all(|special| special.held.is_some() && special.drift.is_some()));
    Ok(())
}
