//! Reduces a body that shows a disagreement: contacts are dropped, times shortened and numbers rounded while the disagreement persists.

use crate::body::Body;
use crate::family::Watch;

/// The time of a smaller body, relative to that of the first.
const SHORTEST: f64 = 0.02;

/// The last of ever simpler bodies for which `fails` holds; `body` itself does.
pub(crate) fn shrink(body: &Body, watch: &Watch, fails: impl Fn(&Body) -> bool) -> Body {
    let mut best = body.clone();
    loop {
        let long_enough = |other: &Body| other.until > SHORTEST * body.until;
        let simpler = simpler(&best).filter(long_enough).find(|body| watch.allows() && fails(body));
        match simpler {
            Some(body) if watch.allows() => best = body,
            _ => return best,
        }
    }
}

/// Slightly simpler bodies, the largest simplification first.
fn simpler(body: &Body) -> impl Iterator<Item = Body> {
    let with = |change: &dyn Fn(&mut Body)| {
        let mut other = body.clone();
        change(&mut other);
        other
    };
    let mut list: Vec<Body> = Vec::new();
    for k in 0..body.contacts.len() {
        list.push(with(&|body| drop(body.contacts.remove(k))));
    }
    for k in (0..body.contacts.len()).filter(|&k| body.contacts[k].friction.is_some()) {
        list.push(with(&|body| body.contacts[k].friction = None));
    }
    for share in [0.5, 0.8] {
        list.push(with(&|body| body.until = round(body.until * share, 3)));
    }
    for (k, &(_, value)) in body.numbers.iter().enumerate() {
        let candidates = [0.0, 1.0, round(value, 1), round(value, 2), round(value, 3)];
        // Only simplifications: otherwise two candidates would alternate forever.
        for candidate in candidates.into_iter().filter(|other| length(*other) < length(value)) {
            list.push(with(&|body| body.numbers[k].1 = candidate));
        }
    }
    list.retain(|other| other != body);
    list.into_iter()
}

/// A number with so many digits.
fn round(value: f64, digits: usize) -> f64 {
    format!("{value:.*e}", digits - 1).parse().unwrap_or(value)
}

/// The number of characters of a number.
fn length(value: f64) -> usize {
    if value == 0.0 { 0 } else { format!("{value:?}").len() }
}
