//! Branches and curves: answers own their data, and invalid requests are rejected with their fields.

use saltation::{Branch, CurveSettings, Error, MotionSettings, System};

fn fields(error: Error) -> Vec<(&'static str, String)> {
    match error {
        Error::Request(list) => list.into_iter().map(|refusal| (refusal.field, refusal.help)).collect(),
        other => panic!("{other:?}"),
    }
}

fn branch() -> Branch {
    let orbit = System::gallery("ball-on-table").unwrap().orbit().find().unwrap();
    let found = orbit.continue_in("K", 0.1..=1.2).run();
    found.unwrap()
}

#[test]
fn requests_that_make_no_sense_are_refused_with_their_fields() {
    let orbit = System::gallery("ball-on-table").unwrap().orbit().find().unwrap();
    let refused = |name: &str, low: f64, high: f64| fields(orbit.continue_in(name, low..=high).run().unwrap_err());
    assert_eq!(refused("k", 0.1, 1.2), [("along", "did you mean `K`?".to_string())]);
    assert_eq!(refused("", 0.1, 1.2)[0].0, "along");
    for (low, high) in [(f64::NAN, 1.0), (0.1, f64::INFINITY), (1.2, 0.1), (0.5, 0.5), (2.0, 3.0)] {
        assert_eq!(refused("K", low, high)[0].0, "range", "{low} {high}");
    }
    let asked = orbit.continue_in("K", 0.1..=1.2);
    for step in [0.0, -1.0, 2.0, f64::NAN] {
        assert_eq!(fields(asked.clone().step(step).run().unwrap_err())[0].0, "step");
    }
    assert_eq!(fields(asked.clone().points(0).run().unwrap_err())[0].0, "points");
    assert_eq!(fields(asked.clone().at_least(1).run().unwrap_err())[0].0, "at_least");
    assert_eq!(fields(asked.clone().tolerance(f64::NAN).run().unwrap_err())[0].0, "tol");
    let nothing = orbit.search.system.orbit().continue_as(saltation::branch::Request::default());
    let missing: Vec<&str> = fields(nothing.run().unwrap_err()).into_iter().map(|(field, _)| field).collect();
    assert_eq!(missing, ["along", "range"]);
}

#[test]
fn curves_begin_at_special_points_that_there_are() {
    let branch = branch();
    let fold = branch.special.iter().position(|special| special.kind.name() == "fold").unwrap();
    assert_eq!(fields(branch.curve(99).unwrap_err())[0].0, "at");
    assert_eq!(fields(branch.curve_on(1, 0).unwrap_err())[0].0, "at");
    assert!(branch.figure(Some("perod")).is_err_and(|error| fields(error)[0].1.contains("`period`")));
    let curve = branch.curve(fold).unwrap();
    assert_eq!(
        fields(curve.run().unwrap_err()).iter().map(|(field, _)| *field).collect::<Vec<_>>(),
        ["along", "range"]
    );
    assert_eq!(fields(curve.clone().follow_in("K", 0.7..=0.9).run().unwrap_err())[0].0, "along");
    assert_eq!(fields(curve.clone().follow_in("e", 0.95..=0.99).run().unwrap_err())[0].0, "range");
    assert_eq!(fields(curve.clone().follow_in("e", 0.7..=f64::NAN).run().unwrap_err())[0].0, "range");
    let short = curve.follow_in("e", 0.7..=0.9).points(3).run().unwrap();
    // The same from the answer as plain data, as another program has it.
    let system = System::gallery("ball-on-table").unwrap();
    let again = system.curve_from(&branch.answer, &fold.to_string()).unwrap().follow_in("e", 0.7..=0.9).points(3);
    assert_eq!(again.run().unwrap().points, short.points);
    let other = System::gallery("impact-oscillator").unwrap();
    assert_eq!(fields(other.curve_from(&branch.answer, "0").unwrap_err())[0].0, "from");
    assert!(matches!(system.with("e", 0.7).unwrap().curve_from(&branch.answer, "0"), Err(Error::Text(_))));
}
