//! Transitions alone: event and state in, next mode and state out, without any step.

use saltation_model::Model;

use super::automaton::Automaton;
use crate::Motion;
use crate::ended::Ended;
use crate::event::EventKind;
use crate::mode::ClosedSet;
use crate::settings::Settings;
use crate::system::System;

fn system(text: &str) -> System {
    System::new(&Model::parse(text, "model").unwrap())
}

/// The automaton of a system at a state.
fn at<'s>(system: &'s System, state: &[f64]) -> Automaton<'s> {
    let values = system.model().values(&Default::default()).unwrap().with_start(state);
    Automaton::new(system, &values, Settings { until: 10.0, ..Settings::default() })
}

/// The kinds of the events that wait to be reported.
fn reported(automaton: &mut Automaton) -> Vec<EventKind> {
    std::iter::from_fn(|| automaton.queue.advance().then(|| automaton.queue.latest().kind)).collect()
}

const BALL: &str = "format = 1\nname = \"ball\"\n[mechanics]\ncoordinates = [\"x\"]\nvelocities = [\"v\"]\nM = [[1]]\nh = [\"-g\"]\n\
    [parameters]\ng = 10\n[contacts.floor]\ngap = \"x\"\nrestitution = \"0.5\"\n[start]\nx = 0\nv = 0\n";

#[test]
fn an_impact_turns_the_speed_and_a_touch_without_speed_sticks() {
    let system = system(BALL);
    let mut struck = at(&system, &[0.0, -2.0]);
    struck.impact(0, false).unwrap();
    assert_eq!((&struck.now.state[..], struck.closed()), (&[0.0, 1.0][..], ClosedSet::NONE));
    assert_eq!((struck.departures.leaving[0], struck.departures.bounced), (1, Some(0)));
    assert_eq!(reported(&mut struck), [EventKind::Impact]);
    let mut touched = at(&system, &[0.0, 0.0]);
    touched.touch_down(0).unwrap();
    assert_eq!(touched.closed(), ClosedSet::NONE.with(0));
    assert_eq!(reported(&mut touched), [EventKind::Stick]);
}

#[test]
fn a_release_leaves_with_the_third_power_of_time() {
    // The floor accelerates away: its force, g - t, vanishes at t = 1.
    let text = BALL.replace("[\"x\"]", "[\"x\", \"t\"]").replace("[\"v\"]", "[\"v\", \"w\"]");
    let text = text.replace("[[1]]", "[[1, 0], [0, 1]]").replace("[\"-g\"]", "[\"10*t - g\", \"0\"]");
    let text = text.replace("x = 0\nv = 0", "x = 0\nv = 0\nt = 1\nw = 1");
    let system = system(&text);
    let mut automaton = at(&system, &[0.0, 1.0, 0.0, 1.0]);
    automaton.enter_mode(ClosedSet::NONE.with(0));
    automaton.unload(0).unwrap();
    assert_eq!((automaton.closed(), automaton.departures.leaving[0]), (ClosedSet::NONE, 3));
    assert_eq!(reported(&mut automaton), [EventKind::Release]);
}

#[test]
fn with_friction_the_same_touch_sticks_or_slips_as_the_cone_allows() {
    let rubbing = |pull: f64| {
        format!(
            "format = 1\nname = \"block\"\n[mechanics]\ncoordinates = [\"x\", \"y\"]\nvelocities = [\"u\", \"v\"]\nM = [[1, 0], [0, 1]]\nh = [\"{pull}\", \"-10\"]\n\
             [contacts.floor]\ngap = \"y\"\ntrack = \"x\"\nfriction = {{ law = \"coulomb\", mu = 0.5 }}\nrestitution = 0\n[start]\nx = 0\ny = 0\nu = 0\nv = 0\n"
        )
    };
    for (pull, kind) in [(4.0, EventKind::Stick), (6.0, EventKind::Slip)] {
        let system = system(&rubbing(pull));
        let mut automaton = at(&system, &[0.0; 4]);
        automaton.touch_down(0).unwrap();
        assert!(automaton.closed().contains(0));
        assert_eq!(automaton.closed().slip(0).is_some(), kind == EventKind::Slip);
        assert_eq!(reported(&mut automaton), [kind]);
    }
}

#[test]
fn what_has_no_law_is_returned() {
    // Thrown back into a second contact that is closed, and no law for both together.
    let text = BALL.replace("[start]", "[contacts.ceiling]\ngap = \"-x\"\nrestitution = \"0.5\"\n[start]");
    let system = system(&text);
    let mut automaton = at(&system, &[0.0, -2.0]);
    automaton.enter_mode(ClosedSet::NONE.with(1));
    assert_eq!(automaton.impact(0, false), Err(Ended::ContactsTogether { contacts: vec![0, 1] }));
}

#[test]
fn a_sequence_of_rounding_ends_where_its_impacts_are() {
    // A ball lifts from a table at the largest of its downward accelerations, the limit of flights: its impacts have speeds of 1e-16.
    let text = BALL
        .replace("[\"-g\"]", "[\"-g - 0.05*v\"]")
        .replace(
            "g = 10",
            "g = 1.861\nA = 0.3259\nom = 2.389370363105692\n[phase.phi]\nrate = \"om\"\nperiod = \"2*pi\"",
        )
        .replace("gap = \"x\"", "gap = \"x - A*cos(phi + 1)\"")
        .replace("\"0.5\"", "\"0.1054\"")
        .replace("x = 0\nv = 0", "x = 0.17608452148242687\nv = -0.6552499228160998\nphi = 0");
    let system = system(&text);
    let values = system.model().values(&Default::default()).unwrap();
    let settings = Settings { until: 2.62, ..Settings::default() };
    let run = Motion::new(&system, &values, settings).unwrap().run(false, |_| true);
    assert!(run.ended.is_complete() && run.events.iter().any(|event| event.kind == EventKind::Release));
    for event in &run.events {
        let phase = 2.389370363105692 * event.time;
        assert!(
            (event.after[2] - phase).abs() < 1e-12,
            "{:?} at {}: {}",
            event.kind,
            event.time,
            event.after[2] - phase
        );
    }
}
