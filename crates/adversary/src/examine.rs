//! Applies all oracles to one body and reduces a body that shows a disagreement.

use std::time::Duration;

use saltation_motion::Ended;

use crate::body::Body;
use crate::dice::Dice;
use crate::digits::{self, Against};
use crate::family::{Disagreement, Outcome, Watch};
use crate::oracles::{again, company, energy, inconsistent, jumps, laws, slopes};
use crate::shrink::shrink;
use crate::subject::Subject;

/// An oracle: its name, and what it has against a motion.
pub type Oracle = (&'static str, fn(&Subject, &mut Dice) -> Option<Against>);

/// The oracles of all bodies. The dice give each a choice, e.g. of units.
pub const ORACLES: &[Oracle] = &[
    ("ending", |subject, dice| ending(subject, dice).map(Against::law)),
    ("laws", |subject, dice| laws::check(subject, dice).map(Against::law)),
    ("jumps", |subject, dice| jumps::check(subject, dice).map(Against::law)),
    ("energy", |subject, dice| energy::check(subject, dice).map(Against::law)),
    ("coordinates", again::coordinates),
    ("units", again::units),
    ("order", again::order),
    ("far", again::far),
    ("riders", again::riders),
    ("elements", again::elements),
    ("steps", again::steps),
    ("tolerance", again::tolerance),
    ("flow", again::flow),
    ("company", company::check),
    ("derivatives", slopes::check),
];

/// How long a body that disagrees is made smaller.
const PATIENCE: Duration = Duration::from_secs(4);

/// Examines a body by all oracles, and by more of its family.
pub fn examine(body: &Body, more: &[Oracle], dice: &mut Dice, watch: &Watch) -> Outcome {
    let seed = dice.next();
    let oracles: Vec<Oracle> = more.iter().chain(ORACLES).copied().collect();
    let subject = match Subject::new(body, watch) {
        Ok(subject) => subject,
        Err(refused) => return found("refused", refused, body),
    };
    if subject.base.has_many_events() {
        return Outcome { early: vec!["many events"], ..Outcome::default() };
    }
    let ended = &subject.base.run.ended;
    if *ended == Ended::Interrupted && energy::is_gained(&subject.base) {
        return Outcome { early: vec!["gains energy"], ..Outcome::default() };
    }
    let early = if ended.is_complete() { vec![] } else { vec![ended.name()] };
    // The first is enough: the others follow from it more often than not. What the last digits decide is none.
    let mut undecided = Vec::new();
    let first = oracles.iter().find_map(|(name, oracle)| {
        let against = (!watch.is_stopped()).then(|| oracle(&subject, &mut Dice::new(seed)))??;
        if against.apart.as_ref().is_some_and(|apart| digits::decide(&subject, apart)) {
            undecided.push(Disagreement { oracle: name.to_string(), what: against.what, file: body.text() });
            return None;
        }
        Some((*name, *oracle, against.what))
    });
    let Some((name, oracle, what)) = first.filter(|_| !watch.is_stopped()) else {
        return Outcome { early, undecided, disagreements: vec![] };
    };
    if *ended == Ended::Interrupted {
        return Outcome { early, ..found("hang", what, body) };
    }
    let disagrees = |subject: &Subject| {
        let against = oracle(subject, &mut Dice::new(seed));
        against.filter(|against| !against.apart.as_ref().is_some_and(|apart| digits::decide(subject, apart)))
    };
    let least = shrink(body, &Watch::over(PATIENCE), |body| {
        let watch = Watch::over(Duration::from_millis(500));
        Subject::new(body, &watch).is_ok_and(|subject| disagrees(&subject).is_some() && watch.allows())
    });
    let reported = Subject::new(&least, watch).ok().and_then(|subject| disagrees(&subject));
    Outcome { early, ..found(name, reported.map_or(what, |against| against.what), &least) }
}

fn found(oracle: &str, what: String, body: &Body) -> Outcome {
    let disagreement = Disagreement { oracle: oracle.to_string(), what, file: body.text() };
    Outcome { disagreements: vec![disagreement], ..Outcome::default() }
}

/// Every motion reaches its end time, unless no forces obey all laws.
fn ending(subject: &Subject, _: &mut Dice) -> Option<String> {
    let run = &subject.base.run;
    let reported = || format!("{} at {:?}: {}", run.ended.name(), run.time, run.ended.describe(&subject.base.system));
    match &run.ended {
        ended if ended.is_complete() => None,
        Ended::Inconsistent { contacts } => {
            inconsistent::missed(&subject.base, contacts).map(|way| format!("{}; but {way}", reported()))
        }
        _ => Some(reported()),
    }
}
