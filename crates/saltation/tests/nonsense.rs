//! Invalid requests: every question rejects them with their field, and nothing panics.

use saltation::{Error, MotionSettings, System};

/// The fields that a request refuses, or the beginning of what is wrong in a text.
fn refused<T>(result: Result<T, Error>) -> String {
    match result.err().expect("nonsense is refused") {
        Error::Request(list) => {
            assert!(list.iter().all(|refusal| !refusal.message.is_empty() && !refusal.help.is_empty()));
            list.iter().map(|refusal| refusal.field).collect::<Vec<_>>().join(",")
        }
        Error::Text(texts) => texts[0].list[0].message.clone(),
        Error::Ended { word, .. } => word,
    }
}

fn system(name: &str) -> System {
    System::gallery(name).unwrap()
}

/// Numbers that are no times, ranges or tolerances.
const BROKEN: [f64; 4] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0];

#[test]
fn systems_refuse_unknown_names_and_broken_numbers() {
    let error = System::gallery("impact-oscilator").unwrap_err();
    assert!(error.to_string().contains("did you mean `impact-oscillator`"), "{error}");
    assert!(System::read("no/such/file.toml").is_err());
    assert!(System::parse("", "empty.toml").is_err() && System::parse("\0[[[", "broken.toml").is_err());
    let system = system("impact-oscillator");
    let error = system.with("omga", 1.0).unwrap_err();
    assert!(error.to_string().contains("did you mean `omega`"), "{error}");
    assert!(system.with("", 1.0).is_err() && system.from_state("q", 0.0).is_err());
    for broken in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(system.with("A", broken).is_err() && system.from_state("x", broken).is_err());
    }
    assert!(system.with_formula("A", "1/0").is_err() && system.with_formula("A", "A + 1").is_err());
    assert!(system.with_formula("A", "((((").is_err() && system.from_formula("x", "nonsense(").is_err());
    // Inside the wall no motion begins; the numbers as such may be set.
    let inside = system.from_state("x", 1.0).unwrap();
    assert!(refused(inside.simulate(1.0)).contains("inside the obstacle"));
    assert!(refused(inside.orbit().find()).contains("inside the obstacle"));
}

#[test]
fn simulations_refuse_broken_requests() {
    let system = system("impact-oscillator");
    for broken in [f64::NAN, f64::NEG_INFINITY, -1.0] {
        assert_eq!(refused(system.simulate(broken)), "until");
        assert_eq!(refused(system.simulation().until(1.0).every(broken).run()), "every");
        assert_eq!(refused(system.simulation().until(1.0).tolerance(broken).run()), "tol");
    }
    assert_eq!(refused(system.simulation().until(1.0).every(0.0).run()), "every");
    assert_eq!(refused(system.simulation().until(1.0).every(1e-9).run()), "every");
    assert_eq!(refused(system.simulation().returns(0).run()), "returns");
    assert_eq!(refused(system.simulation().returns(3).section("nowhere").run()), "section");
    assert_eq!(refused(system.simulation().section("phi").run()), "section");
    let run = system.simulation().until(1.0).with_path().run().unwrap();
    assert_eq!(refused(run.figure(Some(["x", "nowhere"]))), "plane");
    assert_eq!(refused(run.figure(Some(["", ""]))), "plane,plane");
    assert!(run.end.state.get("nowhere").is_none() && run.events.of("nowhere").count() == 0);
}

#[test]
fn searches_for_orbits_refuse_broken_requests() {
    let system = system("impact-oscillator");
    for broken in BROKEN {
        assert_eq!(refused(system.orbit().tolerance(broken).find()), "tol");
    }
    assert_eq!(refused(system.orbit().returns(0).find()), "period");
    assert_eq!(refused(system.orbit().returns(u64::MAX).settle(u64::MAX).find()), "settle,period");
    assert_eq!(refused(system.orbit().section("nowhere").find()), "section");
    assert!(refused(self::system("bouncing-ball").orbit().find()).contains("the model has none"));
    // An answer of another model does not fit.
    let other = self::system("two-wall-oscillator").orbit().settle(300).search().unwrap();
    assert_eq!(refused(system.orbit().guess(&other.answer)), "guess");
    assert_eq!(refused(system.orbit().guess_file("no/such/file.json")), "guess");
}
