//! Bodies on a line with contacts, friction, switches and events that start at coincidences or are driven into them;
//! oracle:
//! implicit time stepping of the whole inclusion.

mod member;
mod text;

use std::time::Duration;

use saltation_model::{Model, Overrides};
use saltation_motion::{Ended, Event, EventKind, Motion, Settings, System};

use self::member::member;
use self::text::text;
use crate::dice::Dice;
use crate::family::{Disagreement, Family, LONGEST, Outcome, Watch};
use crate::oracles::inclusion::{Bodies, Law, Linear, Lost, Pad, Reached, Shape, State, follow, follow_closely};
use crate::oracles::slopes;

/// The family.
pub const INSTANTS: Family = Family {
    name: "instants",
    about: "bodies on a line at coincidences of contacts, friction, signs and events: implicit steps of the inclusion",
    every: 1,
    examine: drawn,
};

/// How long a member that disagrees is made smaller.
const PATIENCE: Duration = Duration::from_secs(1);
/// Motions may differ by this much, relative to their size, beyond what the oracle may be wrong.
const SAME: f64 = 1e-4;
/// Gaps, forces, speeds and margins of friction above this say clearly what a contact does.
const CLEAR: f64 = 1e-2;

fn drawn(dice: &mut Dice, watch: &Watch) -> Outcome {
    let member = member(dice);
    let early = |word: &'static str| Outcome { early: vec![word], ..Outcome::default() };
    match compared(&member, watch) {
        Verdict::Agree => Outcome::default(),
        Verdict::NoOracle(lost) => {
            let reason = match lost {
                Lost::NoStep => "no oracle: no step",
                Lost::Long => "no oracle: long",
                Lost::Diverges => "no oracle: diverges",
                Lost::Several => "several motions",
            };
            let unknown =
                Disagreement { oracle: reason.to_string(), what: "not compared".to_string(), file: text(&member) };
            Outcome { undecided: vec![unknown], ..early(reason) }
        }
        Verdict::Stopped => early("interrupted"),
        Verdict::Accumulated => early("accumulated"),
        Verdict::Crowded => {
            let what = "events within rounding of a surface are followed one by one".to_string();
            let crowded = Disagreement { oracle: "crowded".to_string(), what, file: text(&member) };
            Outcome { undecided: vec![crowded], ..early("crowded") }
        }
        Verdict::Differ(kind, what) => {
            // A hang is as long for every smaller member.
            let least = if kind == HANG { member } else { smaller(&member, kind, watch) };
            let shown = if kind == HANG { Verdict::Differ(kind, what) } else { compared(&least, watch) };
            let Verdict::Differ(oracle, what) = shown else { return early("undecided") };
            let disagreement = Disagreement { oracle: oracle.to_string(), what, file: text(&least) };
            Outcome { disagreements: vec![disagreement], ..Outcome::default() }
        }
    }
}

/// By so much static limits are changed where a force may be at them.
const NEXT: f64 = 1e-6;
/// Impacts of different contacts that follow each other sooner are one to the oracle, whose shortest steps are a tenth of this.
const AT_ONCE: f64 = 2.5e-6;
/// Events that follow each other sooner accumulate.
const INSTANT: f64 = 1e-3;

/// Whether several motions may begin somewhere: a sign pushes away from its surface, or something holds more at rest than in slip.
fn may_be_torn(member: &Bodies) -> bool {
    let pushes = |law: &Law, of: &[f64]| of.iter().zip(&law.push).map(|(s, push)| s * push).sum::<f64>() > 0.0;
    let repels = |law: &Law| law.shape == Shape::Sign && (pushes(law, &law.of.q) || pushes(law, &law.of.v));
    let sticks = |contact: &Pad| contact.friction.as_ref().is_some_and(|friction| friction.mu_static > friction.mu);
    member.laws.iter().any(repels) || member.contacts.iter().any(sticks)
}

/// The kind of a motion that does not end.
const HANG: &str = "hang";
/// With so many events a motion does go on: crossings and impacts within the rounding of a surface are followed one by one, which is a limit that is known.
const CROWD: usize = 5000;

enum Verdict {
    Agree,
    NoOracle(Lost),
    /// By Ctrl-C.
    Stopped,
    /// Events whose jumps keep bodies moving accumulate, which ends a motion.
    Accumulated,
    /// So many events that the motion was not followed to its end.
    Crowded,
    /// The ending, or `state`, and how.
    Differ(&'static str, String),
}

/// The motion of the library against that of the oracle.
fn compared(member: &Bodies, watch: &Watch) -> Verdict {
    let file = text(member);
    let values = Model::parse(&file, "member.toml").and_then(|model| {
        let values = model.values(&Overrides::default())?;
        Ok((model, values))
    });
    let (model, values) = match values {
        Ok(both) => both,
        Err(mistakes) => return Verdict::Differ("model", mistakes.to_string()),
    };
    let known = match follow(member) {
        Ok(known) => known,
        Err(lost) => return Verdict::NoOracle(lost),
    };
    let system = System::new(&model);
    let settings = Settings { until: member.until, ..Settings::default() };
    let mut dice = Dice::new(member.until.to_bits());
    let times = (0..8).map(|_| dice.between(0.0, member.until)).collect();
    // Derivatives at a corner of a rate are those of one side.
    let (x, v) = member.start.split_at(member.mass.len());
    let corner = |law: &Law| law.shape != Shape::Sign && law.of.value(x, v, 0.0) == 0.0;
    if let Some(what) = slopes::apart(&system, &values, (settings, times), &mut dice, watch)
        && !member.laws.iter().any(corner)
    {
        return Verdict::Differ("derivatives", what);
    }
    let motion = match Motion::new(&system, &values, settings) {
        Ok(motion) => motion,
        Err(error) => return Verdict::Differ("start", error.to_string()),
    };
    let own = watch.within(LONGEST);
    let run = motion.run(false, |_| own.allows());
    if run.ended == Ended::Interrupted {
        return if watch.is_stopped() {
            Verdict::Stopped
        } else if run.events.len() > CROWD {
            Verdict::Crowded
        } else {
            Verdict::Differ(HANG, format!("at {}, {} events", run.time, run.events.len()))
        };
    }
    // Where contacts push a body back through the surface of an event ever sooner, that happens once at the instant at which nothing tells one time from the next (docs/limits.md).
    let mut resets = run.events.iter().filter(|event| event.kind == EventKind::Reset).map(|event| event.time);
    let crowded = resets.next().is_some_and(|first| {
        let times = resets.scan(first, |last, time| Some((std::mem::replace(last, time), time)));
        times.into_iter().any(|(a, b)| b - a < INSTANT)
    });
    if crowded || matches!(run.ended, Ended::Accumulated { .. }) {
        return Verdict::Accumulated;
    }
    if matches!(run.ended, Ended::NotUnique { .. }) && may_be_torn(member) {
        return Verdict::NoOracle(Lost::Several);
    }
    if run.ended != Ended::ReachedTime {
        let what = format!(
            "ended: {} at {}: {}; the oracle comes to ({})",
            run.ended.name(),
            run.time,
            run.ended.describe(&system),
            shown(&known.state)
        );
        return Verdict::Differ(run.ended.name(), what);
    }
    let differs = |known: &Reached| apart(member, known, &run.state, &system.mode_name(run.closed));
    let Some(first) = differs(&known) else { return Verdict::Agree };
    if is_at_static_limit(member, &known) {
        return Verdict::NoOracle(Lost::Several);
    }
    if follows_at_once(&run.events) {
        return Verdict::NoOracle(Lost::Diverges);
    }
    match follow_closely(member).map(|closer| differs(&closer)) {
        Ok(None) => Verdict::Agree,
        Ok(Some((kind, what))) => Verdict::Differ(kind, what),
        // Where shorter steps matter there is no oracle.
        Err(Lost::Diverges) => Verdict::NoOracle(Lost::Diverges),
        Err(_) => Verdict::Differ(first.0, first.1),
    }
}

/// The states of a motion, as text.
fn shown(state: &[f64]) -> String {
    state.iter().map(|x| format!("{x:.5}")).collect::<Vec<_>>().join(", ")
}

/// How the end of a motion and the name of its mode differ from those of the oracle, if they do.
fn apart(member: &Bodies, known: &Reached, state: &[f64], mode: &str) -> Option<(&'static str, String)> {
    let size = known.state.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
    let off = state.iter().zip(&known.state).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let allowed = SAME * size + 4.0 * known.spread;
    if off <= allowed {
        return misnamed(member, known, mode).map(|what| ("mode", what));
    }
    let (own, others) = (shown(&state[..known.state.len()]), shown(&known.state));
    Some(("state", format!("({own}) and not ({others}): {off:.1e} apart, {allowed:.1e} allowed")))
}

/// Whether impacts of several contacts follow each other so soon that they are one to the oracle.
fn follows_at_once(events: &[Event]) -> bool {
    let impacts: Vec<&Event> = events.iter().filter(|event| event.kind == EventKind::Impact).collect();
    impacts.windows(2).any(|two| {
        two[0].contact != two[1].contact
            && (0.0..AT_ONCE).contains(&(two[1].time - two[0].time))
            && two[0].time < two[1].time
    })
}

/// Whether the last digits of static limits decide where the motion goes: with others that are next to them it is that of the oracle. A force then comes to its limit exactly.
fn is_at_static_limit(member: &Bodies, known: &Reached) -> bool {
    let agrees = |scale: f64| {
        let mut other = member.clone();
        let frictions = other.contacts.iter_mut().filter_map(|contact| contact.friction.as_mut());
        frictions.for_each(|friction| friction.mu_static = friction.mu.max(friction.mu_static * scale));
        let model = Model::parse(&text(&other), "member.toml").ok()?;
        let (system, values) = (System::new(&model), model.values(&Overrides::default()).ok()?);
        let motion = Motion::new(&system, &values, Settings { until: member.until, ..Settings::default() }).ok()?;
        let own = Watch::over(LONGEST);
        let run = motion.run(false, |_| own.allows());
        let reached = run.ended == Ended::ReachedTime;
        (reached && apart(member, known, &run.state, &system.mode_name(run.closed)).is_none()).then_some(())
    };
    let limited = |contact: &Pad| contact.friction.as_ref().is_some_and(|friction| friction.mu_static > friction.mu);
    member.contacts.iter().any(limited) && [1.0 - NEXT, 1.0 + NEXT].into_iter().any(|scale| agrees(scale).is_some())
}

/// A contact that is clearly open, closed, in stick or in slip at the end and is not so in the mode of this name.
fn misnamed(member: &Bodies, known: &Reached, mode: &str) -> Option<String> {
    let (n, contacts) = (member.mass.len(), member.contacts.len());
    let (x, v) = known.state.split_at(n);
    // What a sign holds it may hold alone or together with contacts: one motion, and several modes.
    let beside = |law: &Law| law.shape == Shape::Sign && law.of.value(x, v, member.rate * member.until).abs() < SAME;
    if member.laws.iter().any(beside) {
        return None;
    }
    (0..contacts).find_map(|k| {
        let contact = &member.contacts[k];
        let own = format!(":c{k}");
        let said = mode.split(',').find_map(|word| word.strip_suffix(own.as_str()));
        let force = known.forces[k];
        let expected = match (&contact.friction, known.states[k], known.states[contacts + k]) {
            _ if contact.gap.value(x, v, 0.0) > CLEAR => None,
            (_, State::Plus, _) => return None,
            _ if force < CLEAR => return None,
            (None, ..) => Some("stick"),
            // At its limit it may be held by others: no motion tells that from slip.
            (Some(_), _, State::Hold) if said.is_some_and(|word| word.starts_with("slip")) => return None,
            (Some(friction), _, State::Hold) => {
                let held = known.forces[contacts + k].abs() < (1.0 - CLEAR) * friction.mu_static * force;
                held.then_some("stick").or(said)
            }
            (Some(friction), ..) => {
                let slip: f64 = friction.track.iter().zip(v).map(|(t, v)| t * v).sum::<f64>() - friction.belt;
                let side = if slip > 0.0 { "slip+" } else { "slip-" };
                if slip.abs() > CLEAR { Some(side) } else { said }
            }
        };
        (said != expected).then(|| format!("c{k} is {said:?} and not {expected:?} at the end, in the mode {mode}"))
    })
}

/// A member with as few elements and as many zeros as it can have and still differ in the same way.
fn smaller(member: &Bodies, kind: &'static str, watch: &Watch) -> Bodies {
    let patience = Watch::over(PATIENCE);
    let mut least = member.clone();
    loop {
        let better = simpler(&least).into_iter().find(|other| {
            patience.allows()
                && watch.allows()
                && matches!(compared(other, &patience), Verdict::Differ(same, _) if same == kind)
        });
        match better {
            Some(other) => least = other,
            None => return least,
        }
    }
}

/// Slightly simpler members.
fn simpler(member: &Bodies) -> Vec<Bodies> {
    let mut list = Vec::new();
    let mut with = |change: &dyn Fn(&mut Bodies)| {
        let mut other = member.clone();
        change(&mut other);
        if other != *member {
            list.push(other);
        }
    };
    let n = member.mass.len();
    for i in (0..n).filter(|_| n > 1) {
        with(&|other| without(other, i));
    }
    (0..member.contacts.len()).for_each(|k| with(&|other| drop(other.contacts.remove(k))));
    (0..member.laws.len()).for_each(|k| with(&|other| drop(other.laws.remove(k))));
    (0..member.events.len()).for_each(|k| with(&|other| drop(other.events.remove(k))));
    for k in 0..member.contacts.len() {
        with(&|other| other.contacts[k].friction = None);
        with(&|other| other.contacts[k].restitution = 0.0);
    }
    with(&|other| {
        other.rate = 0.0;
        other.force.iter_mut().for_each(|force| force.wave = [0.0; 2]);
    });
    for i in 0..n {
        with(&|other| other.force[i].q.fill(0.0));
        with(&|other| other.force[i].v.fill(0.0));
        with(&|other| other.force[i].wave = [0.0; 2]);
        with(&|other| other.force[i].constant = 0.0);
        with(&|other| other.mass[i] = 1.0);
        with(&|other| other.start[n + i] = 0.0);
    }
    if member.until > 0.1 {
        with(&|other| other.until = (other.until * 500.0).round() / 1000.0);
    }
    list.retain(is_sound);
    list
}

/// Whether every function of a law or contact depends on the state, as the model file asks.
fn is_sound(member: &Bodies) -> bool {
    let moves = |of: &Linear| of.q.iter().chain(&of.v).any(|x| *x != 0.0);
    member.laws.iter().all(|law| moves(&law.of) && law.push.iter().any(|p| *p != 0.0))
        && member.contacts.iter().all(|contact| moves(&contact.gap))
        && member.contacts.iter().filter_map(|c| c.friction.as_ref()).all(|f| f.track.iter().any(|t| *t != 0.0))
        && member.events.iter().all(|event| moves(&event.when) && !event.jump.is_empty())
}

/// The member without one coordinate, which stays at zero.
fn without(member: &mut Bodies, i: usize) {
    let n = member.mass.len();
    let cut = |of: &mut Linear| {
        of.q.remove(i);
        of.v.remove(i);
    };
    member.mass.remove(i);
    member.force.remove(i);
    member.force.iter_mut().for_each(cut);
    for law in &mut member.laws {
        cut(&mut law.of);
        law.push.remove(i);
    }
    for contact in &mut member.contacts {
        // Where the coordinate starts is part of the gap.
        contact.gap.constant += contact.gap.q[i] * member.start[i];
        cut(&mut contact.gap);
        if let Some(friction) = &mut contact.friction {
            friction.track.remove(i);
        }
    }
    for event in &mut member.events {
        cut(&mut event.when);
        event.condition.iter_mut().for_each(cut);
        event.jump.retain(|(state, _)| *state != i && *state != n + i);
        for (state, new) in &mut event.jump {
            *state -= usize::from(*state > i) + usize::from(*state > n + i);
            cut(new);
        }
    }
    member.start.remove(n + i);
    member.start.remove(i);
}
