//! Equilibria, exponents, contact problems and checks as a program asks for them: refusals, endings, tables, and answers read back.

use saltation::contact::Region;
use saltation::{Answered, CurveSettings, Error, MotionSettings, System, read_json};

fn system(name: &str) -> System {
    System::gallery(name).unwrap()
}

/// The fields that a request refuses.
fn fields<T: std::fmt::Debug>(result: Result<T, Error>) -> Vec<&'static str> {
    match result {
        Err(Error::Request(refusals)) => refusals.iter().map(|refusal| refusal.field).collect(),
        other => panic!("{other:?}"),
    }
}

/// An answer that is read and written again is the same text.
fn read_back<A: serde::Serialize + serde::de::DeserializeOwned>(text: &str) {
    let answer: A = read_json(text).unwrap();
    assert_eq!(serde_json::to_string(&answer).unwrap(), text);
}

#[test]
fn answers_are_read_back() {
    let rests = system("belt-oscillator").equilibria().search().unwrap();
    read_back::<saltation::equilibrium::Answer>(&rests.json());
    assert_eq!(rests.table().rows.len(), rests.equilibria.len());
    let none = system("bouncing-ball").equilibria().mode("flight").search().unwrap();
    assert!(!none.ending().complete && none.missed.len() == 1);
    read_back::<saltation::equilibrium::Answer>(&none.json());

    let measured = system("impact-damper").with("nu", 0.9).unwrap().lyapunov().settle(5).returns(10).run().unwrap();
    assert!(measured.ending().complete && !measured.verdict().is_empty());
    read_back::<saltation::lyapunov::Answer>(&measured.json());

    let rod = system("painleve-rod").with("slip", 1.0).unwrap();
    let solved = rod.contact().critical("angle", 0.1..=1.5);
    let solved = solved.map(("angle", 0.1..=1.5, 4), ("spin", 0.0..=5.0, 3)).run().unwrap();
    let map = solved.map.as_ref().unwrap();
    assert_eq!((map.status.len(), map.status[0].len(), map.status[0][0]), (3, 4, Region::Slip));
    assert_eq!(solved.tables()[0].rows.len(), 12);
    assert!(solved.figure().is_some());
    read_back::<saltation::contact::Answer>(&solved.json());
    read_back::<saltation::contact::Answer>(&system("rocking-block").contact().run().unwrap().json());

    for name in ["two-wall-oscillator", "frictional-bounce", "relief-valve", "chain"] {
        let checked = system(name).check().unwrap();
        read_back::<saltation::check::Answer>(&checked.json());
        assert_eq!(checked.parameter_table().rows.len(), checked.parameters.values().len());
    }
}

#[test]
fn branches_of_equilibria_begin_at_what_was_found() {
    use saltation::equilibrium::branch::{Answer, Further};
    let valve = system("relief-valve");
    let rests = valve.equilibria().find().unwrap();
    let followed = rests.continue_in("q", 8.0..=9.0).step(0.2).switch();
    assert_eq!(fields(followed.run()), ["range"]);
    let followed = rests.continue_in("q", 6.5..=9.0).step(0.3).points(15).switch().run().unwrap();
    assert_eq!((followed.kind.as_str(), followed.special[0].kind.name()), ("equilibrium", "hopf"));
    assert!(matches!(&followed.branches[..], [Further::Orbit(_)]));
    assert_eq!(followed.tables().len(), 4);
    assert!(followed.figure(None).unwrap().is_some());
    assert_eq!(fields(followed.figure(Some("q"))), ["ordinate"]);
    read_back::<Answer>(&followed.json());

    let other = rests.continue_in("p", 1.0..=f64::NAN).step(0.0).points(0).tolerance(f64::NAN);
    assert_eq!(fields(other.run()), ["tol", "along", "range", "points", "step"]);
    assert_eq!(fields(rests.continue_in("q", 6.0..=9.0).at(7).run()), ["at"]);
    let nowhere = system("bouncing-ball").equilibria().mode("flight").continue_in("g", 9.0..=10.0);
    assert!(matches!(nowhere.run(), Err(Error::Ended { word, .. }) if word == "no_equilibrium"));
    read_back::<Answer>(&nowhere.ask().unwrap().json());

    let file = std::env::temp_dir().join(format!("saltation-rests-{}.json", std::process::id()));
    std::fs::write(&file, valve.with("q", 9.0).unwrap().equilibria().find().unwrap().json()).unwrap();
    let known = valve.equilibria().from_file(&file, 0).unwrap();
    assert_eq!((known.system.parameter("q"), known.request.mode.as_deref()), (Some(9.0), Some("flight")));
    assert_eq!(fields(valve.equilibria().from_file(&file, 1)), ["at"]);
    assert_eq!(fields(system("bouncing-ball").equilibria().from_file(&file, 0)), ["from"]);
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn nonsense_is_refused_with_its_field() {
    let valve = system("relief-valve");
    assert_eq!(fields(valve.equilibria().mode("stick:seet").tolerance(f64::NAN).search()), ["tol", "mode"]);
    assert_eq!(fields(valve.equilibria().mode("").search()), ["mode"]);
    assert_eq!(fields(valve.check_with(&saltation::check::Request { tol: 1.0 })), ["tol"]);
    let oscillator = system("impact-oscillator");
    let wrong = oscillator.lyapunov().settle(u64::MAX).returns(0).section("nowhere").tolerance(-1.0);
    assert_eq!(fields(wrong.run()), ["tol", "settle", "returns", "section"]);
    assert!(matches!(oscillator.equilibria().search(), Err(Error::Text(_))), "a forced model does not rest");

    let rod = system("painleve-rod");
    let map = |first: (&str, f64, f64, usize), second: (&str, f64, f64, usize)| {
        let axis = |(name, low, high, count)| (name, std::ops::RangeInclusive::new(low, high), count);
        rod.contact().map(axis(first), axis(second)).run()
    };
    let good = ("spin", 0.0, 5.0, 3);
    for bad in [
        ("angel", 0.0, 1.0, 3),
        ("angle", 1.0, 0.0, 3),
        ("angle", 1.0, 1.0, 3),
        ("angle", f64::NAN, 1.0, 3),
        ("angle", 0.0, f64::INFINITY, 3),
        ("angle", 0.0, 1.0, 1),
        ("angle", 0.0, 1.0, usize::MAX),
        ("mu", -1.0, 1.0, 3),
        good,
    ] {
        assert_eq!(fields(map(bad, good)), ["map"], "{bad:?}");
    }
    assert_eq!(fields(rod.contact().critical("", f64::NAN..=0.0).run()), ["critical"]);
    for name in ["relief-valve", "bouncing-ball", "bouncing-disc"] {
        assert!(matches!(system(name).contact().run(), Err(Error::Text(_))), "{name}");
    }
}

#[test]
fn what_is_interrupted_says_so() {
    let rod = system("painleve-rod").with("slip", 1.0).unwrap();
    let problem = rod.contact().map(("angle", 0.1..=1.5, 4), ("spin", 0.0..=5.0, 3));
    let cut = problem.run_with(&mut |share: Option<f64>, _: &str| share.unwrap() < 0.5).unwrap();
    assert_eq!(cut.ending().lines, ["interrupted: the map has its first 2 rows, and no curves"]);
    assert!(cut.figure().is_none());
    read_back::<saltation::contact::Answer>(&cut.json());
    let none = problem.run_with(&mut |_: Option<f64>, _: &str| false).unwrap();
    read_back::<saltation::contact::Answer>(&none.json());
    let measured = system("impact-oscillator").lyapunov().settle(5).returns(10);
    let cut = measured.run_with(&mut |_: Option<f64>, _: &str| false).unwrap();
    assert!(!cut.ending().complete && cut.ended == "interrupted" && cut.state.is_none());
    read_back::<saltation::lyapunov::Answer>(&cut.json());
}
