//! Every admissible point of a branch is an orbit: a motion from its state returns after its period, with the events of its signature, and
//! perturbed motions return as its multipliers predict.

use std::collections::BTreeMap;
use std::f64::consts::PI;

use saltation_motion::{ClosedSet, Event, EventKind, Run};
use saltation_orbit::branch::{BranchPoint, Special, SpecialKind};

use crate::dice::Dice;
use crate::followed::{Followed, Stage};

/// The tolerance of the periodicity residual, relative to the size of every state; times the leading multiplier.
const PERIODICITY_TOLERANCE: f64 = 1e-6;
/// A motion from a point that is not admissible returns if it comes so near, relative to the size of every state, times the leading multiplier.
const RETURNS: f64 = 1e-10;
/// The accuracy of periods.
const PERIOD_TOLERANCE: f64 = 1e-9;
/// Within this distance of bifurcations, as a fraction of the range, numbers of events are not compared.
const BIFURCATION_DISTANCE: f64 = 1e-6;
/// Motions from points with a leading multiplier above this are not followed for a second period.
const LARGEST_MULTIPLIER: f64 = 1e3;
/// Events this close to the section, as a fraction of the period, may precede or follow it.
const SECTION_DISTANCE: f64 = 1e-7;
/// Transients of the start have decayed after this fraction of the period.
const TRANSIENT_FRACTION: f64 = 1e-3;
/// The step of differences, and their accuracy of a multiplier.
const DIFFERENCE_STEP: f64 = 1e-6;
const MULTIPLIER_TOLERANCE: f64 = 1e-3;
/// Slower impacts and smaller gaps than this make differences inaccurate.
const SLOWEST_IMPACT: f64 = 0.05;

/// The first disagreement at a point of a branch: the name of the oracle and its finding.
pub fn check(stage: &Stage, followed: &Followed, dice: &mut Dice) -> Option<(&'static str, String)> {
    let branch = &followed.branch;
    let at = |point: &BranchPoint| format!("{} = {:?}", stage.member.parameter(), branch.value(point));
    for point in &branch.points {
        let om = om(stage, point);
        let expected = 2.0 * PI / om * followed.orbit.returns as f64;
        let off = (point.period - expected).abs();
        if off.is_nan() || off > PERIOD_TOLERANCE * expected {
            return Some(("period", format!("{:?} instead of {expected:?} at {}", point.period, at(point))));
        }
    }
    let admissible: Vec<&BranchPoint> = branch.points.iter().filter(|point| point.admissible).collect();
    for point in &admissible {
        if !stage.watch.allows() {
            return None;
        }
        if let Some((name, what)) = broken(stage, followed, point) {
            return Some((name, format!("{what} at {}", at(point))));
        }
    }
    let trials = if admissible.is_empty() { 0 } else { 3 };
    (0..trials).find_map(|_| {
        let point = admissible[dice.below(admissible.len())];
        let (own, reported) = neighbours(stage, followed, point)?;
        let differ = (own - reported).abs() > MULTIPLIER_TOLERANCE * reported.max(1.0);
        differ.then(|| ("multipliers", format!("{reported:?}, by differences {own:?}, at {}", at(point))))
    })
}

/// A stretch of points that are called not admissible although a motion from every one of them returns, through the events of its signature. Beside a border motions of another
/// signature nearly return, the farther from it the less.
pub fn excluded(stage: &Stage, followed: &Followed) -> Option<String> {
    let branch = &followed.branch;
    let stretches = branch.points.chunk_by(|a, b| a.admissible == b.admissible);
    for stretch in stretches.filter(|stretch| !stretch[0].admissible) {
        let returning =
            stretch.iter().filter(|point| !point.multipliers.is_empty()).map(|point| returns(stage, followed, point));
        let found: Vec<bool> = returning.collect();
        if !stage.watch.allows() {
            return None;
        }
        if !found.is_empty() && found.iter().all(|returns| *returns) {
            let (first, last) = (branch.value(&stretch[0]), branch.value(&stretch[stretch.len() - 1]));
            let parameter = stage.member.parameter();
            return Some(format!("motions return at {parameter} = {first:?} to {last:?}, from {:?}", stretch[0].state));
        }
    }
    None
}

/// Whether a motion from a point returns through the events of the branch.
fn returns(stage: &Stage, followed: &Followed, point: &BranchPoint) -> bool {
    let sizes = &followed.branch.sizes;
    let Ok(run) = run(stage, followed, point, &point.state, point.period) else { return false };
    let off = |i: usize| (run.state[i] - point.state[i]).abs() / sizes[i];
    let accuracy = RETURNS * leading(point).clamp(1.0, LARGEST_MULTIPLIER);
    (0..run.state.len()).filter(|&i| i != stage.phase()).all(|i| off(i) <= accuracy)
        && broken(stage, followed, point).is_none()
}

/// The rate of the phase at a point.
fn om(stage: &Stage, point: &BranchPoint) -> f64 {
    stage.model.parameter("om").map_or(f64::NAN, |k| point.parameters[k])
}

fn leading(point: &BranchPoint) -> f64 {
    point.multipliers.first().map_or(0.0, |m| m.norm())
}

/// A motion from a state at the parameters of a point.
fn run(stage: &Stage, followed: &Followed, point: &BranchPoint, start: &[f64], until: f64) -> Result<Run, String> {
    let set = [("s", followed.shift), (stage.member.parameter(), followed.branch.value(point))];
    let values = stage.values(&set, Some(start))?;
    stage.run(&values, until)
}

/// The disagreement of a motion from a point.
fn broken(stage: &Stage, followed: &Followed, point: &BranchPoint) -> Option<(&'static str, String)> {
    let period = point.period;
    let once = match run(stage, followed, point, &point.state, period) {
        Ok(run) => run,
        Err(why) => return stage.watch.allows().then(|| ("point refused", format!("{why} from {:?}", point.state))),
    };
    // Without a derivative a motion need not return.
    if point.multipliers.is_empty() {
        return None;
    }
    // Nor at a graze, or where a contact after chattering is lost.
    let here = |special: &Special| (followed.branch.value(&special.point) - followed.branch.value(point)).abs();
    let steep = |special: &&Special| {
        matches!(special.kind, SpecialKind::StickLoss | SpecialKind::ChatterLoss | SpecialKind::Graze)
    };
    if followed
        .branch
        .special
        .iter()
        .filter(steep)
        .any(|special| here(special) <= PERIOD_TOLERANCE * stage.member.width())
    {
        return None;
    }
    let lead = leading(point).max(1.0);
    let soon =
        |time: f64| time.abs() <= SECTION_DISTANCE * period || (time - period).abs() <= SECTION_DISTANCE * period;
    let cut = once.events.iter().any(|e| happens(e) && soon(e.time) && !(e.kind == EventKind::Stick && e.time == 0.0));
    let sizes = &followed.branch.sizes;
    let off = |i: usize| (once.state[i] - point.state[i]).abs() / sizes[i];
    let misses = (0..once.state.len()).filter(|&i| i != stage.phase()).map(off).fold(0.0, f64::max);
    if !cut && (misses.is_nan() || misses > PERIODICITY_TOLERANCE * lead) {
        let (from, to) = (&point.state, &once.state);
        return Some(("point", format!("a period leads from {from:?} to {to:?} (leading multiplier {lead:e})")));
    }
    let beside =
        |value: f64| (value - followed.branch.value(point)).abs() <= BIFURCATION_DISTANCE * stage.member.width();
    let special = followed.branch.special.iter().any(|special| beside(followed.branch.value(&special.point)));
    if special || lead > LARGEST_MULTIPLIER {
        return None;
    }
    let twice = run(stage, followed, point, &point.state, 2.2 * period).ok()?;
    let own = in_period(&twice.events, period)?;
    let mut counted: BTreeMap<(EventKind, usize), usize> = BTreeMap::new();
    let mut speeds: Vec<f64> = Vec::new();
    for (event, in_sequence) in &own {
        speeds.extend((event.kind == EventKind::Impact).then_some(event.speed_before));
        if !in_sequence {
            *counted.entry((event.kind, event.contact?)).or_default() += 1;
        }
    }
    let mut reported: BTreeMap<(EventKind, usize), usize> = BTreeMap::new();
    for mark in followed.branch.marks().iter().filter(|mark| ClosedSet::switch(mark.contact).is_none()) {
        *reported.entry((mark.kind, mark.contact)).or_default() += 1;
    }
    // The first impact of a sequence is ambiguous, and a sequence at the level of rounding errors ends without an extrapolation: contact follows in any case, and speeds
    // decide whether impacts are the same.
    let chatters: Vec<usize> = reported.keys().filter(|key| key.0 == EventKind::Chatter).map(|key| key.1).collect();
    let is_choice = |kind: EventKind| stage.member.has_choices() && kind != EventKind::Impact;
    let clear = |counts: &BTreeMap<(EventKind, usize), usize>| {
        let part = |kind: EventKind| matches!(kind, EventKind::Impact | EventKind::Chatter);
        let clear = |key: &(EventKind, usize)| !is_choice(key.0) && (!part(key.0) || !chatters.contains(&key.1));
        counts.iter().filter(|(key, _)| clear(key)).map(|(key, count)| (*key, *count)).collect::<Vec<_>>()
    };
    if clear(&counted) != clear(&reported) {
        return Some(("events", format!("{} instead of {}", words(&counted), words(&reported))));
    }
    let masses = stage.member.states.len();
    let largest = sizes[masses..2 * masses].iter().fold(0.0_f64, |most, size| most.max(*size));
    let found =
        |reported: f64| speeds.iter().any(|own| (own - reported).abs() <= PERIODICITY_TOLERANCE * lead * largest);
    let missing = point.impact_speeds.iter().find(|reported| !found(**reported))?;
    Some(("speeds", format!("no impact at {missing:?}, but at {speeds:?}")))
}

fn words(counts: &BTreeMap<(EventKind, usize), usize>) -> String {
    let words: Vec<String> =
        counts.iter().map(|((kind, contact), count)| format!("{count} {}:{contact}", kind.name())).collect();
    if words.is_empty() { "nothing".to_string() } else { words.join(" ") }
}

fn happens(event: &Event) -> bool {
    event.contact.is_some() && event.kind != EventKind::Section && (event.kind != EventKind::Graze || event.impacts > 0)
}

/// The events that are impacts of a completed chattering sequence.
fn in_sequences(events: &[&Event]) -> Vec<bool> {
    let mut part = vec![false; events.len()];
    for (k, event) in events.iter().enumerate().filter(|(_, event)| event.kind == EventKind::Chatter) {
        let own = |j: &usize| events[*j].kind == EventKind::Impact && events[*j].contact == event.contact;
        (0..k).rev().filter(own).take(event.impacts).for_each(|j| part[j] = true);
    }
    part
}

/// A time in the first period within a long interval without events, outside sequences of impacts.
fn quiet(events: &[&Event], part: &[bool], period: f64) -> Option<f64> {
    let pairs = events.windows(2).zip(part).filter(|(_, part)| !**part).map(|(pair, _)| (pair[0].end(), pair[1].time));
    let spans = pairs.filter(|(from, to)| from < to && *from < period);
    let longest = spans.max_by(|a, b| (a.1 - a.0).total_cmp(&(b.1 - b.0)))?;
    Some(0.5 * (longest.0 + longest.1))
}

/// The events of one period of a motion that is known for two, and whether they are part of a sequence; `None` where a graze cannot be counted.
fn in_period(events: &[Event], period: f64) -> Option<Vec<(&Event, bool)>> {
    let events: Vec<&Event> = events.iter().filter(|event| happens(event)).collect();
    let part = in_sequences(&events);
    // A contact that is closed at the start may report stick there again.
    let last = events.last().map_or(0.0, |last| last.end());
    let settled = SECTION_DISTANCE * period + if last < TRANSIENT_FRACTION * period { last } else { 0.0 };
    let begins = quiet(&events, &part, period).unwrap_or(settled);
    let inside = |(event, _): &(&Event, bool)| begins < event.time && event.time <= begins + period;
    let own: Vec<(&Event, bool)> = events.into_iter().zip(part).filter(inside).collect();
    own.iter().all(|(event, _)| event.kind != EventKind::Graze).then_some(own)
}

/// The leading multiplier of a point by central differences, and as reported; `None` where differences are not accurate.
fn neighbours(stage: &Stage, followed: &Followed, point: &BranchPoint) -> Option<(f64, f64)> {
    let marks = followed.branch.marks();
    let lasting = |kind: EventKind| matches!(kind, EventKind::Stick | EventKind::Chatter | EventKind::Release);
    let slow = point.impact_speeds.iter().any(|speed| *speed > -SLOWEST_IMPACT);
    let near = point.gaps.iter().flatten().any(|gap| *gap < SLOWEST_IMPACT * SLOWEST_IMPACT);
    if marks.iter().any(|mark| lasting(mark.kind)) || slow || near || leading(point) > LARGEST_MULTIPLIER {
        return None;
    }
    let beside =
        |value: f64| (value - followed.branch.value(point)).abs() <= MULTIPLIER_TOLERANCE * stage.member.width();
    if followed.branch.special.iter().any(|special| beside(followed.branch.value(&special.point))) {
        return None;
    }
    let twice = run(stage, followed, point, &point.state, 2.2 * point.period).ok()?;
    let events: Vec<&Event> = twice.events.iter().filter(|event| happens(event)).collect();
    let begins = quiet(&events, &in_sequences(&events), point.period).unwrap_or(0.0);
    let begun = run(stage, followed, point, &point.state, begins).ok()?;
    // A contact that never opens removes two states: x and u remain.
    let rests = stage.member.states.len() > 1;
    let free: [usize; 2] = if rests { [0, 2] } else { [0, 1] };
    if rests && begun.closed == ClosedSet::NONE {
        return None;
    }
    let mut matrix = [[0.0; 2]; 2];
    for (column, &by) in free.iter().enumerate() {
        let side = |sign: f64| {
            let mut start = begun.state.clone();
            start[by] += sign * DIFFERENCE_STEP;
            run(stage, followed, point, &start, point.period).ok().map(|run| run.state)
        };
        let (above, below) = (side(1.0)?, side(-1.0)?);
        for (row, &of) in free.iter().enumerate() {
            matrix[row][column] = (above[of] - below[of]) / (2.0 * DIFFERENCE_STEP);
        }
    }
    let half = 0.5 * (matrix[0][0] + matrix[1][1]);
    let determinant = matrix[0][0] * matrix[1][1] - matrix[0][1] * matrix[1][0];
    let inside = half * half - determinant;
    let own = if inside >= 0.0 { half.abs() + inside.sqrt() } else { determinant.sqrt() };
    Some((own, leading(point)))
}
