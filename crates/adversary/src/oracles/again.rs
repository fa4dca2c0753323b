//! The same motion in an equivalent formulation or with other steps, compared along the whole path.
//!
//! What may differ is measured: a nearby motion, of a body whose numbers differ by a billionth, shows how errors grow. Two
//! computations of the same motion may differ by ten times that, far below what a wrong answer differs by, and nothing is
//! compared once the nearby motion is a ten-thousandth away: errors have then grown a hundred thousand times, or a jump has
//! set neighbours apart. Impacts that become ever slower are measured by their own speeds: where these are unpredictable the
//! distance grows no further than they are fast, small as that may be beside the motion of before.

use saltation_motion::{Event, EventKind, FlowChoice};

use crate::change::Change;
use crate::dice::Dice;
use crate::digits::{Against, Apart};
use crate::subject::{Subject, Trial, Way, run};
use crate::surface::exceeds;

/// Differences this small, relative to the motion, are no disagreement.
const DIFFERENCE_TOLERANCE: f64 = 1e-9;
/// Nothing is compared where the nearby motion is farther away, relative to the motion.
const SENSITIVITY_LIMIT: f64 = 1e-4;
/// So many impacts in a row have speeds that differ from those nearby by so much where the motion is unpredictable. One alone may be close to a graze.
const IN_A_ROW: usize = 4;
/// Coordinates and velocities that are no larger at the start and the end are rounding.
const ROUNDING: f64 = 1e-15;
/// Bodies that come so far may reach contacts that are meant to be out of reach.
const FARTHEST: f64 = 1e4;

/// Other coordinates.
pub fn coordinates(subject: &Subject, dice: &mut Dice) -> Option<Against> {
    changed(subject, &Change::coordinates(&subject.body, dice))
}

/// Other units.
pub fn units(subject: &Subject, dice: &mut Dice) -> Option<Against> {
    changed(subject, &Change::units(&subject.body, dice))
}

/// Contacts in another order: where several ways obey all laws, the choice may not depend on it.
pub fn order(subject: &Subject, dice: &mut Dice) -> Option<Against> {
    let change = Change::order(&subject.body, dice);
    (change.order.len() > 1).then(|| changed_until(subject, &change, f64::INFINITY)).flatten()
}

/// More contacts, far away.
pub fn far(subject: &Subject, dice: &mut Dice) -> Option<Against> {
    // An unstable body comes there.
    if exceeds(subject.sizes()[0], FARTHEST) {
        return None;
    }
    changed(subject, &Change::far(&subject.body, dice))
}

/// Parts of the mass that constraints carry along, some of them twice.
pub fn riders(subject: &Subject, dice: &mut Dice) -> Option<Against> {
    // Riders follow the sine of a coordinate: where that runs away they swing ever faster. Of bodies with more contacts a few end by name, see the known limits.
    if subject.body.contacts.len() > 2 || exceeds(subject.sizes()[0], FARTHEST) {
        return None;
    }
    let (model, values) = (subject.base.system.model(), &subject.base.values);
    let body = model.body.mechanics()?;
    let n = body.coordinates.len();
    let numbers: Vec<f64> = values.start().iter().chain(values.parameters()).copied().collect();
    let entries: Vec<_> = body.mass.iter().flatten().copied().collect();
    let entries = model.graph.evaluate_all(&entries, &|symbol| numbers[symbol]);
    let masses: Vec<Vec<f64>> = entries.chunks(n).map(<[f64]>::to_vec).collect();
    let change = Change::riders(&subject.body, &masses, dice);
    // Of impulses that are one choice of many those of least norm are taken, to which constraints with friction add theirs.
    let until = if change.riders.iter().any(|rider| rider.guided) { unique(subject) } else { f64::INFINITY };
    changed_until(subject, &change, until.min(certain(subject)))
}

/// Elements that change nothing: a table, a complementarity, a second phase, a body with dry friction of its own.
pub fn elements(subject: &Subject, dice: &mut Dice) -> Option<Against> {
    let n = subject.body.degrees();
    let (from, to) = (subject.base.values.start(), &subject.base.run.state);
    // Beside what rests at zero nothing is large, and what rounding leaves of forces that are zero decides, see the known limits.
    let rests = (0..n).any(|k| [from[k], from[n + k], to[k], to[n + k]].iter().all(|x| x.abs() < ROUNDING));
    if rests || exceeds(subject.sizes()[0], FARTHEST) {
        return None;
    }
    changed(subject, &Change::elements(&subject.body, (&from[..n], &to[..n], subject.sizes()[0]), dice))
}

/// Short steps.
pub fn steps(subject: &Subject, dice: &mut Dice) -> Option<Against> {
    by(subject, Way { longest_step: dice.scale(0.002, 0.1), ..Way::default() })
}

/// A finer tolerance.
pub fn tolerance(subject: &Subject, dice: &mut Dice) -> Option<Against> {
    by(subject, Way { tolerance: dice.scale(1e-16, 1e-13), ..Way::default() })
}

/// Taylor steps where the flow is exact.
pub fn flow(subject: &Subject, _: &mut Dice) -> Option<Against> {
    let linear = subject.base.system.model().linear;
    linear.then(|| by(subject, Way { flow: FlowChoice::Taylor, ..Way::default() })).flatten()
}

/// When several ways first obey all laws, as the motion tells: which is taken may depend on units and coordinates.
fn certain(subject: &Subject) -> f64 {
    let mut events = subject.base.run.events.iter();
    events.find(|event| event.alternatives.len() > 1).map_or(f64::INFINITY, |event| event.time)
}

/// When the laws of an impact first leave something open.
fn unique(subject: &Subject) -> f64 {
    let mut events = subject.base.run.events.iter();
    events.find(|event| event.choice.is_some()).map_or(f64::INFINITY, |event| event.time)
}

fn by(subject: &Subject, way: Way) -> Option<Against> {
    match run(&subject.body, way, subject.watch) {
        Ok(other) => compare(subject, &other, &Change::none(&subject.body), certain(subject))
            .map(|against| Against { what: format!("{way:?}: {}", against.what), ..against }),
        Err(refused) => Some(Against::law(refused)),
    }
}

fn changed(subject: &Subject, change: &Change) -> Option<Against> {
    changed_until(subject, change, certain(subject))
}

fn changed_until(subject: &Subject, change: &Change, until: f64) -> Option<Against> {
    let body = change.apply(&subject.body);
    let reported = |what: String| {
        let lines: String = body.text().lines().map(|line| format!("\n# {line}")).collect();
        format!("{what}{lines}")
    };
    match run(&body, Way::default(), subject.watch) {
        Ok(other) => {
            compare(subject, &other, change, until).map(|against| Against { what: reported(against.what), ..against })
        }
        Err(refused) => Some(Against::law(reported(refused))),
    }
}

/// When the impacts of the motion and of the one nearby, as long as they are at the same contacts, first differ in their speeds: errors have then grown a hundred
/// thousand times in units of what still moves. Differences below `DIFFERENCE_TOLERANCE` of the fastest velocity are none.
fn unpredictable(base: &[Event], nearby: &[Event], fastest: f64) -> f64 {
    let impacts = |events: &[Event]| {
        let events = events.iter().filter(|event| matches!(event.kind, EventKind::Impact | EventKind::Chatter));
        events.map(|event| (event.contact, event.speed_before, event.time)).collect::<Vec<_>>()
    };
    let (base, nearby) = (impacts(base), impacts(nearby));
    let alike = base.iter().zip(&nearby).take_while(|(here, near)| here.0 == near.0);
    let mut in_a_row = 0;
    for (&(_, here, time), &(_, near, _)) in alike {
        in_a_row = if exceeds((here - near).abs(), (SENSITIVITY_LIMIT * here.abs()).max(DIFFERENCE_TOLERANCE * fastest))
        {
            in_a_row + 1
        } else {
            0
        };
        if in_a_row == IN_A_ROW {
            return time;
        }
    }
    f64::INFINITY
}

/// Where another computation differs from the motion before a time, if it does, and if the motion up to there can be predicted.
fn compare(subject: &Subject, other: &Trial, change: &Change, until: f64) -> Option<Against> {
    let (time, against) = differs(subject, other, change, until).filter(|_| !other.has_many_events())?;
    (resumed(subject, time) >= time).then_some(against)
}

/// A nearby motion whose contacts close or open otherwise at the start says nothing of what follows: when the impacts before a time, nearby from within the first
/// flight after contacts have changed for the last time before it, first differ.
fn resumed(subject: &Subject, before: f64) -> f64 {
    let events = &subject.base.run.events;
    let impact = |event: &&Event| matches!(event.kind, EventKind::Impact | EventKind::Graze);
    let earlier = events.iter().take_while(|event| event.time < before);
    let Some(changed) = earlier.filter(|event| !impact(event)).last() else { return f64::INFINITY };
    let next = events.iter().map(|event| event.time).find(|time| *time > changed.end());
    let start = 0.5 * (changed.end() + next.unwrap_or(before));
    let since: Vec<Event> = events.iter().filter(|event| event.time > start).cloned().collect();
    let fastest = subject.sizes()[1];
    subject.resumed(start).map_or(f64::INFINITY, |nearby| unpredictable(&since, &nearby.events, fastest))
}

/// Where another computation differs by more than the nearby motion.
fn differs(subject: &Subject, other: &Trial, change: &Change, until: f64) -> Option<(f64, Against)> {
    let n = subject.body.degrees();
    let (base, nearby) = (&subject.base, &subject.nearby);
    let times = subject.times();
    let sizes = subject.sizes();
    let until = until.min(unpredictable(&base.run.events, &nearby.run.events, sizes[1]));
    // The largest distance of the nearby motion so far.
    let mut spread = [0.0_f64; 2];
    let parts = [0..n, n..2 * n];
    let distance = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
    for time in times.into_iter().take_while(|&time| time < until) {
        let (Some(here), Some(near)) = (base.at(time), nearby.at(time)) else { continue };
        let there = other.at(time / change.time).map(|state| change.back(&state));
        let away: Vec<f64> = parts.iter().map(|part| distance(&here[part.clone()], &near[part.clone()])).collect();
        if away[0] > SENSITIVITY_LIMIT * sizes[0] {
            return None;
        }
        if away[1] > SENSITIVITY_LIMIT * sizes[1] {
            continue; // between an impact and the same one nearby
        }
        (0..2).for_each(|k| spread[k] = spread[k].max(away[k]));
        let Some(there) = there else {
            let ended = &other.run.ended;
            if other.run.time * change.time < time && !ended.is_complete() {
                let end = other.run.time * change.time;
                let what = format!("ends {} at {end}: {}", ended.name(), ended.describe(&other.system));
                return Some((end, Against { what, apart: Some(Apart::Ends { time: end, name: ended.name() }) }));
            }
            continue;
        };
        for (k, word) in ["coordinates", "velocities"].iter().enumerate() {
            let off = distance(&here[parts[k].clone()], &there[parts[k].clone()]);
            if exceeds(off, DIFFERENCE_TOLERANCE * sizes[k] + 10.0 * spread[k]) {
                let what = format!("the {word} differ by {off:.3e} at {time} (nearby {:.1e})", spread[k]);
                return Some((time, Against { what, apart: Some(Apart::By { time, part: k, off }) }));
            }
        }
    }
    None
}
