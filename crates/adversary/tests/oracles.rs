//! The oracles accept a correct motion and reject a wrong one.

use std::time::Duration;

use adversary::body::{Body, Contact, Friction};
use adversary::campaign::member;
use adversary::change::Change;
use adversary::digits;
use adversary::examine::ORACLES;
use adversary::oracles::company;
use adversary::oracles::energy::is_gained;
use adversary::subject::{Subject, Way, run};
use adversary::{Dice, FAMILIES, Watch};
use saltation_motion::{Ended, Event, Settings, System};

/// A block that falls on a floor, bounces, and slides to a halt.
fn block(e: f64, mu: f64) -> Body {
    let mut body = Body::new(&["1", "1"], &["0", "-1"]);
    let (restitution, mu) = (body.number("e", e), body.number("mu", mu));
    let friction = Friction { track: "q0".to_string(), belt: "0".to_string(), mu };
    body.contacts.push(Contact { gap: "q1".to_string(), restitution, friction: Some(friction) });
    body.start = ["0", "1/2", "1", "0"].map(str::to_string).to_vec();
    body.until = 4.0;
    body
}

fn watch() -> Watch {
    Watch::over(Duration::from_secs(60))
}

#[test]
fn a_right_motion_has_nothing_against_it() {
    let watch = watch();
    let subject = Subject::new(&block(0.5, 0.2), &watch).unwrap();
    for (name, oracle) in ORACLES {
        assert_eq!(oracle(&subject, &mut Dice::new(1)), None, "{name}");
    }
}

/// The motion of a block with a little more friction or restitution is not that of the block.
#[test]
fn a_wrong_motion_is_noticed() {
    let watch = watch();
    for wrong in [block(0.5, 0.2001), block(0.5001, 0.2)] {
        let mut subject = Subject::new(&wrong, &watch).unwrap();
        subject.body = block(0.5, 0.2);
        let against = ORACLES.iter().filter(|(_, oracle)| oracle(&subject, &mut Dice::new(1)).is_some());
        let names: Vec<&str> = against.map(|(name, _)| *name).collect();
        assert!(
            ["coordinates", "units", "far", "steps", "tolerance"].iter().all(|name| names.contains(name)),
            "{names:?}"
        );
    }
}

/// Copies of a predictable motion whose starts differ in the last digit stay together: they excuse no wrong one.
#[test]
fn last_digits_excuse_no_wrong_motion() {
    let watch = watch();
    let mut subject = Subject::new(&block(0.5, 0.2001), &watch).unwrap();
    subject.body = block(0.5, 0.2);
    let against: Vec<_> = ORACLES.iter().filter_map(|(_, oracle)| oracle(&subject, &mut Dice::new(1))).collect();
    assert!(against.iter().filter(|against| against.apart.is_some()).count() >= 5);
    assert!(!against.iter().filter_map(|against| against.apart.as_ref()).any(|apart| digits::decide(&subject, apart)));
    let ends = digits::Apart::Ends { time: 1.0, name: "inconsistent" };
    assert!(!digits::decide(&subject, &ends));
}

/// A body on the top of a hill: x'' = 400 x multiplies the last digit of x = 1 by cosh 20 = 2.4e8 until t = 1. Copies come apart by 5e-8, and decide differences of ten
/// times that and no larger ones.
#[test]
fn copies_decide_what_their_last_digits_grow_to() {
    let mut body = Body::new(&["1"], &["400*q0"]);
    body.start = ["1", "0"].map(str::to_string).to_vec();
    body.until = 1.0;
    let watch = watch();
    let subject = Subject::new(&body, &watch).unwrap();
    let decides = |time: f64, off: f64| digits::decide(&subject, &digits::Apart::By { time, part: 0, off });
    assert!(decides(1.0, 1e-7) && !decides(1.0, 1e-5));
    assert!(!decides(0.1, 1e-7));
}

/// Ten thousand impacts at one instant take long if they become slower; otherwise they are a motion that hangs.
#[test]
fn many_impacts_that_become_slower_are_no_hang() {
    let watch = watch();
    let mut trial = run(&block(0.5, 0.2), Way::default(), &watch).unwrap();
    let impact = trial.run.events[0].clone();
    trial.run.ended = Ended::Interrupted;
    for (ratio, takes_long) in [(0.999, true), (1.0, false), (1.001, false)] {
        let events = (0..10_000).map(|k| Event { speed_before: -f64::powi(ratio, k), ..impact.clone() });
        trial.run.events = events.collect();
        assert_eq!(trial.has_many_events(), takes_long, "{ratio}");
    }
    trial.run.events.truncate(9_000);
    assert!(!trial.has_many_events());
}

/// Newton's law with friction may add energy without a bound; Poisson's law, and impacts without friction, have no such excuse.
#[test]
fn energy_is_gained_by_newton_s_law_with_friction() {
    let watch = watch();
    let gains = |mu: Option<f64>, poisson: bool, gained: f64| {
        let mut body = block(0.5, mu.unwrap_or(0.0));
        body.poisson = poisson;
        if mu.is_none() {
            body.contacts[0].friction = None;
        }
        let mut trial = run(&body, Way::default(), &watch).unwrap();
        trial.run.events[0].energy = gained;
        is_gained(&trial)
    };
    assert!(gains(Some(0.2), false, 1e6) && !gains(Some(0.2), false, 1.0));
    assert!(!gains(Some(0.2), true, 1e6) && !gains(None, false, 1e6));
}

/// Friction above the cone: the force of a slip with mu = 0.3 is outside that of mu = 0.2.
#[test]
fn forces_outside_the_cone_are_noticed() {
    let watch = watch();
    let mut subject = Subject::new(&block(0.0, 0.2), &watch).unwrap();
    subject.base.run = run(&block(0.0, 0.3), Way::default(), &watch).unwrap().run;
    let laws = ORACLES.iter().find(|(name, _)| *name == "laws").unwrap().1;
    assert!(laws(&subject, &mut Dice::new(1)).unwrap().what.contains("outside the cones"));
}

#[test]
fn a_changed_body_starts_where_the_body_does() {
    let watch = watch();
    let body = block(0.5, 0.2);
    let start = run(&body, Way::default(), &watch).unwrap().values.start().to_vec();
    for seed in 0..20 {
        let mut dice = Dice::new(seed);
        for change in [Change::coordinates(&body, &mut dice), Change::units(&body, &mut dice)] {
            let other = run(&change.apply(&body), Way::default(), &watch).unwrap();
            let back = change.back(other.values.start());
            assert!(start.iter().zip(&back).all(|(a, b)| (a - b).abs() < 1e-12), "{start:?} {back:?}");
        }
    }
}

/// A corner between two walls whose errors grow four hundred billion times in eighty impacts, while its velocities become a thousand times smaller.
#[test]
fn an_unpredictable_motion_is_not_compared() {
    let corners = FAMILIES.iter().find(|family| family.name == "corners").unwrap();
    let outcome = member(corners, 2525, 574, 1);
    assert!(outcome.disagreements.is_empty(), "{}", outcome.disagreements[0].what);
}

/// A disc between an elastic wall and another one: nearby, with other angles of the walls, it begins with other impacts. What follows its release is measured
/// from there.
#[test]
fn an_unpredictable_motion_after_another_beginning_is_not_compared() {
    let redundant = FAMILIES.iter().find(|family| family.name == "redundant").unwrap();
    let outcome = member(redundant, 4646, 2550, 1);
    assert!(outcome.disagreements.is_empty(), "{}", outcome.disagreements[0].what);
}

/// An oscillator strikes its wall at 9e-4 and would leave it by itself after 4.5 ms, within one of the small steps.
#[test]
fn an_impact_within_a_small_step_is_seen() {
    let restitution = FAMILIES.iter().find(|family| family.name == "restitution").unwrap();
    let outcome = member(restitution, 20_261_531, 2587, 1);
    assert!(outcome.disagreements.is_empty(), "{}", outcome.disagreements[0].what);
}

/// x' = s, y' = 1 - 2 s with the side s of y: from (0, -3) it comes to y = 0 at the time 1 and slides there with s = 1/2.
#[test]
fn filippov_s_rule_in_closed_form() {
    use adversary::oracles::filippov::{End, Part, Pieces};
    let still = Part { sides: vec![], rows: vec![vec![0.0; 3], vec![0.0, 0.0, 1.0]] };
    let felt = Part { sides: vec![0], rows: vec![vec![0.0, 0.0, 1.0], vec![0.0, 0.0, -2.0]] };
    let pieces = Pieces { parts: vec![still, felt], planes: vec![vec![0.0, 1.0, 0.0]] };
    let followed = pieces.follow(&[0.0, -3.0], 4.0);
    assert_eq!(followed.end, End::Reached);
    assert_eq!(followed.events.iter().map(|(_, sides)| sides[0]).collect::<Vec<_>>(), [-1, 0]);
    assert!((followed.events[1].0 - 1.0).abs() < 1e-15);
    assert!((followed.state[0] - 0.5).abs() < 1e-15 && followed.state[1].abs() < 1e-15, "{:?}", followed.state);
    // With the fields exchanged both lead away.
    let away = Pieces { parts: vec![Part { sides: vec![0], rows: vec![vec![0.0; 3], vec![0.0, 0.0, 1.0]] }], ..pieces };
    assert_eq!(away.follow(&[0.0, 0.0], 1.0).end, End::Several);
}

/// Motions of the library agree with it on members that cross and slide.
#[test]
fn members_that_switch_agree() {
    let switches = FAMILIES.iter().find(|family| family.name == "switches").unwrap();
    for index in 0..4 {
        let outcome = member(switches, 7, index, 1);
        assert!(outcome.disagreements.is_empty(), "{}", outcome.disagreements[0].what);
    }
}

/// Models of the gallery go on beside others as they do alone.
#[test]
fn motions_do_not_depend_on_their_company() {
    let settings = Settings { until: 40.0, ..Settings::default() };
    for name in saltation_model::gallery::NAMES {
        let model = saltation_model::gallery::model(name).unwrap().unwrap();
        let (system, values) = (System::new(&model), model.numbers().unwrap());
        for seed in 0..3 {
            assert_eq!(company::apart(&system, &values, settings, &mut Dice::new(seed)), None, "{name}");
        }
    }
}
