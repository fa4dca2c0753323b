//! Location alone: polynomials in, the first event out, against closed forms.

use saltation_model::{Model, Values};

use super::cause::{Cause, Mark};
use super::departures::Departures;
use super::first_event::{Found, Locator, Segment, Unlocated};
use super::section::Sections;
use crate::mode::ClosedSet;
use crate::mode::bound::BoundMode;
use crate::system::System;

/// A body of mass 1 under a force, with a floor and a section at x = 1/4.
fn body(force: &str) -> (System, Values) {
    let text = format!(
        "format = 1\nname = \"body\"\n[mechanics]\ncoordinates = [\"x\"]\nvelocities = [\"v\"]\nM = [[1]]\nh = [\"{force}\"]\n\
         [contacts.floor]\ngap = \"x\"\nrestitution = \"1\"\n[sections.quarter]\nwhen = \"x - 1/4\"\n[start]\nx = 1\nv = 0\n"
    );
    let model = Model::parse(&text, "body").unwrap();
    let values = model.values(&Default::default()).unwrap();
    (System::new(&model), values)
}

/// What is found from a state on a step of some length, `returns` to the section being asked for.
fn locate(force: &str, state: &[f64], length: f64, returns: Option<u64>) -> (Result<Found, Unlocated>, Locator) {
    let (system, values) = body(force);
    let mut sections = Sections::new(&system, &values, returns.map(|count| (0, count)));
    let compiled = system.mode(ClosedSet::NONE, &[], false);
    let mut mode = BoundMode::new(compiled, Vec::new(), values.parameters(), 1);
    mode.series.expand(state, 8);
    sections.places[0].cell = sections.places[0].cell_at_start(mode.output(system.section_output(&system.sections[0])));
    let departures = Departures::new(1);
    let segment = Segment {
        system: &system,
        mode: &mode,
        departures: &departures,
        sections: &sections,
        locked: &ClosedSet::NONE,
        start: 0.0,
        length,
        last: false,
        tolerance: 1e-12,
        rounding: &[],
        truncation: 0.0,
    };
    let mut locator = Locator::new(1);
    let found = locator.first_event(&segment);
    // Nothing but the room is changed: asked again, it finds the same.
    let marks = locator.marks.clone();
    assert_eq!((locator.first_event(&segment), &locator.marks), (found, &marks));
    (found, locator)
}

#[test]
fn a_falling_body_strikes_where_its_parabola_does() {
    let (found, locator) = locate("-10", &[1.0, 0.0], 1.0, None);
    let found = found.unwrap();
    assert_eq!((found.cause, found.returned), (Cause::Impact { contact: 0, graze: false }, false));
    assert!((found.end - 0.2_f64.sqrt()).abs() < 1e-15);
    // The section on the way, at sqrt(0.15), falling; the gap has no minimum.
    let [(at, mark)] = locator.marks[..] else { panic!("one passage: {:?}", locator.marks) };
    assert_eq!(mark, Mark::Section { section: 0, rising: false });
    assert!((at - 0.15_f64.sqrt()).abs() < 1e-15);
    assert_eq!((locator.misses(found).count(), &locator.together[..]), (0, &[0][..]));
}

#[test]
fn the_last_return_ends_the_step_before_the_impact() {
    let (found, locator) = locate("-10", &[1.0, 0.0], 1.0, Some(1));
    let found = found.unwrap();
    assert_eq!((found.cause, found.returned, locator.marks.len()), (Cause::Return, true, 1));
    assert!((found.end - 0.15_f64.sqrt()).abs() < 1e-15);
    // The second return of two is behind the floor.
    let (found, _) = locate("-10", &[1.0, 0.0], 1.0, Some(2));
    assert_eq!(found.unwrap().cause, Cause::Impact { contact: 0, graze: false });
}

#[test]
fn minima_are_misses_grazes_or_impacts_by_their_size() {
    // x = h + (t - 1)^2/2.
    let throw = |h: f64| locate("1", &[0.5 + h, -1.0], 3.0, None);
    let (found, locator) = throw(0.1);
    let found = found.unwrap();
    let miss = locator.misses(found).next().unwrap();
    assert_eq!((found.cause, found.end), (Cause::None, 3.0));
    assert!((miss.at - 1.0).abs() < 1e-15 && (miss.gap - 0.1).abs() < 1e-15);
    let (found, locator) = throw(1e-13);
    assert_eq!(found.unwrap().cause, Cause::None);
    assert!(locator.marks.iter().any(|(_, mark)| matches!(mark, Mark::Graze { contact: 0 })));
    let (found, _) = throw(-1e-13);
    assert_eq!(found.unwrap().cause, Cause::Impact { contact: 0, graze: true });
    let (found, _) = throw(-0.1);
    let found = found.unwrap();
    assert_eq!(found.cause, Cause::Impact { contact: 0, graze: false });
    assert!((found.end - (1.0 - 0.2_f64.sqrt())).abs() < 1e-15);
}

#[test]
fn a_row_that_is_not_finite_is_not_searched() {
    let (found, _) = locate("-10", &[f64::NAN, 0.0], 1.0, None);
    assert_eq!(found, Err(Unlocated::Undefined { output: 0 }));
}
