//! The report of a sweep: what moves how along the parameter, how many motions have each period, and which ended early.

use crate::sweep::Swept;
use crate::text::columns::{self, Row, Side};
use crate::text::number::{self, short};
use saltation_sweep::Outcome;

/// The most stretches that are listed.
const MOST_LISTED: usize = 40;
/// The most stretches that are kept; a chaotic band with many windows may have one per value.
const MOST_STRETCHES: usize = 10_000;
/// The most periods that are listed.
const MOST_PERIODS: usize = 16;

/// Neighbouring values of the parameter at which the trajectory is on one attractor.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Stretch {
    from: f64,
    to: f64,
    count: u64,
    /// The period in returns; 0 for none.
    period: u64,
    /// How the motions ended, in a word.
    ended: String,
    attractor: Option<usize>,
    /// The impacts at every contact per period, or in the record.
    impacts: Vec<u64>,
    /// Whether every motion was closed somewhere without slip, or at some contact, for some time.
    sticks: bool,
    slides: bool,
    approaching: u64,
}

impl Stretch {
    /// Adds the next task.
    pub(crate) fn add(list: &mut Vec<Stretch>, value: f64, outcome: &Outcome, attractor: Option<usize>) {
        let period = outcome.period.map_or(0, |period| period.returns);
        let sticks = outcome.stick_time.iter().any(|time| *time > 0.0);
        let closed = outcome.closed_time.iter().zip(&outcome.stick_time);
        let slides = closed.into_iter().any(|(closed, stuck)| closed > stuck);
        let impacts = if period > 0 { outcome.impacts_of_last(period) } else { Vec::new() };
        let approaching = u64::from(outcome.period.is_some_and(|period| period.approaching));
        let of_this = Stretch {
            from: value,
            to: value,
            count: 1,
            period,
            ended: outcome.ending.word.clone(),
            attractor,
            impacts,
            sticks,
            slides,
            approaching,
        };
        if let Some(last) = list.last_mut().filter(|last| last.is_like(&of_this)) {
            (last.to, last.count) = (value, last.count + 1);
            last.approaching += approaching;
        } else if list.len() < MOST_STRETCHES {
            list.push(of_this);
        }
    }

    fn is_like(&self, other: &Stretch) -> bool {
        let key = |s: &Stretch| (s.period, s.ended.clone(), s.attractor, s.impacts.clone(), s.sticks, s.slides);
        key(self) == key(other)
    }
}

/// The whole report.
pub(crate) fn lines(swept: &Swept) -> Vec<String> {
    let (system, request) = (&swept.system, &swept.request);
    let names: Vec<&str> = swept.plan.axes().iter().map(|axis| axis.name()).collect();
    let mut lines = vec![system.headline()];
    let changed = system.changed_but(&names);
    if !changed.is_empty() {
        lines.push(format!("with     {}", changed.join(", ")));
    }
    for axis in swept.plan.axes() {
        let (first, last) = (axis.value(0), axis.value(axis.len() - 1));
        let spacing = if axis.is_logarithmic() { ", equal ratios" } else { "" };
        let (first, last) = (short(first, 10), short(last, 10));
        lines.push(format!(
            "along    {} from {first} to {last}, {}{spacing}",
            axis.name(),
            number::count(axis.len(), "value")
        ));
    }
    let carried = match request.carry.name() {
        "none" => "each begins at the start".to_string(),
        word => format!("each begins where the one before it ended (carried {word})"),
    };
    let (settled, recorded) =
        (number::count(request.method.settle, "return"), number::count(request.method.record, "return"));
    lines.push(format!("trajectories  {carried}; {recorded} to {} after a transient of {settled}", swept.section));
    lines.push(format!("tol      {:e}", request.method.tol));
    lines.push(String::new());
    if swept.stretches.is_empty() {
        lines.extend(periods(swept));
    } else {
        lines.extend(stretches(swept));
    }
    lines.push(String::new());
    let seconds = swept.wall_time.as_secs_f64();
    let returns = swept.done * (request.method.settle + request.method.record);
    lines.push(format!(
        "{} in {} s of computing, {} returns per second",
        number::count(swept.done, "task"),
        short(seconds, 3),
        short(returns as f64 / seconds, 3)
    ));
    lines
}

/// The words for a motion without a period.
pub(crate) fn no_period(recorded: u64) -> String {
    match recorded / 2 {
        0 => "period not looked for in 1 return".to_string(),
        longest => format!("no period up to {longest}"),
    }
}

/// How many motions have each period.
fn periods(swept: &Swept) -> Vec<String> {
    let mut list: Vec<(&String, &u64)> = swept.periods.iter().collect();
    list.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let more = list.len().saturating_sub(MOST_PERIODS);
    let rows = list.into_iter().take(MOST_PERIODS).map(|(period, count)| {
        let what = match period.as_str() {
            "0" => no_period(swept.recorded),
            "ended" => "ended early".to_string(),
            "rest" => "at rest".to_string(),
            period => format!("period {period}"),
        };
        Row::Cells(vec![what, number::count(*count, "trajectory")])
    });
    let mut lines = columns::lines(&[("response", Side::Left), ("number", Side::Right)], &rows.collect::<Vec<_>>());
    if more > 0 {
        lines.push(format!("  and {} more", number::count(more as u64, "period")));
    }
    lines
}

/// What moves how along the parameter.
fn stretches(swept: &Swept) -> Vec<String> {
    let contacts = &swept.names.contacts;
    let row = |stretch: &Stretch| {
        let motion = match (stretch.ended.as_str(), stretch.period) {
            ("complete", 0) => no_period(swept.recorded),
            ("complete", period) => format!("period {period}"),
            (word, _) => word.replace('_', " "),
        };
        let count = |(name, n): (&String, &u64)| match (n, contacts.len()) {
            (0, _) => None,
            (n, 1) => Some(number::count(*n, "impact")),
            (n, _) => Some(format!("{n} at {name}")),
        };
        let mut words: Vec<String> = contacts.iter().zip(&stretch.impacts).filter_map(count).collect();
        if stretch.period > 0 && words.is_empty() && !contacts.is_empty() {
            words.push("no impact".to_string());
        }
        if stretch.sticks {
            words.push("sticks".to_string());
        }
        if stretch.slides {
            words.push("slips".to_string());
        }
        if stretch.approaching > 0 {
            words.push(format!("at {} still approaching it", number::count(stretch.approaching, "value")));
        }
        let attractor = stretch.attractor.map(|k| (k + 1).to_string()).unwrap_or_default();
        let ends = [short(stretch.from, 10), short(stretch.to, 10)];
        let [from, to] = ends;
        Row::Cells(vec![from, to, stretch.count.to_string(), motion, attractor, words.join(", ")])
    };
    let head = [
        (swept.parameter.as_str(), Side::Right),
        ("to", Side::Right),
        ("values", Side::Right),
        ("response", Side::Left),
        ("attractor", Side::Right),
        ("", Side::Left),
    ];
    let rows: Vec<Row> = swept.stretches.iter().take(MOST_LISTED).map(row).collect();
    let mut lines = columns::lines(&head, &rows);
    let more = swept.stretches.len().saturating_sub(MOST_LISTED);
    if more > 0 {
        lines.push(format!("  and {} more; --json and --out have all", number::count(more as u64, "stretch")));
    }
    lines
}

/// Motions that ended early, and blocks that were damaged.
pub(crate) fn warnings(swept: &Swept) -> Vec<String> {
    let mut list = Vec::new();
    let ended = swept.periods.get("ended").copied().unwrap_or(0);
    if let Some((place, message)) = swept.early.first() {
        let names = swept.plan.axes().iter().map(|axis| axis.name());
        let at: Vec<String> = names.zip(place).map(|(name, value)| format!("{name} = {}", short(*value, 10))).collect();
        let motions = number::count(ended, "trajectory");
        let which = if ended == 1 { "" } else { "the first " };
        list.push(format!("{motions} of {} ended early, {which}at {}: {message}", swept.done, at.join(", ")));
    }
    for file in &swept.finished.damaged {
        list.push(format!("the file {} was damaged; its tasks were computed again", file.display()));
    }
    list
}
