//! The table of events in the report: one line each; long chattering sequences and long motions are abridged.

use crate::naming::Naming;
use crate::simulation::log::EventLog;
use crate::text::columns::{Row, Side};
use crate::text::number::{self, Times};
use saltation_motion::{Event, EventKind};

/// The numbers of lines shown of the beginning and of the end.
const FIRST: usize = 20;
const LAST: usize = 10;
/// Sequences of at most this number of impacts before complete chattering are shown in full.
const SHORT_SEQUENCE: usize = 4;

const HEAD: [(&str, Side); 6] = [
    ("time", Side::Right),
    ("event", Side::Left),
    ("at", Side::Left),
    ("speed before", Side::Right),
    ("speed after", Side::Right),
    ("duration", Side::Right),
];

/// A line.
enum Line<'a> {
    Event(&'a Event),
    /// This number of impacts of a sequence.
    LeftOut(u64),
}

impl Line<'_> {
    /// The number of events it represents.
    fn events(&self) -> u64 {
        match self {
            Line::Event(_) => 1,
            Line::LeftOut(count) => *count,
        }
    }
}

/// The lines of the table; `end` is the last time.
pub(crate) fn lines(log: &EventLog, naming: Naming, end: f64) -> Vec<String> {
    let (first, last) = log.ends();
    let mut beginning = shortened(&first);
    let mut ending = shortened(&last);
    if ending.is_empty() && beginning.len() > FIRST + LAST + 1 {
        ending = beginning.split_off(beginning.len() - LAST);
    }
    if !ending.is_empty() {
        beginning.truncate(FIRST);
        ending.drain(..ending.len().saturating_sub(LAST));
    }
    let shown: u64 = beginning.iter().chain(&ending).map(Line::events).sum();
    let times = times(beginning.iter().chain(&ending), end);
    let mut rows: Vec<Row> = beginning.iter().map(|line| row(line, naming, times)).collect();
    if !ending.is_empty() {
        let left_out = number::count(log.total() - shown, "event");
        rows.push(Row::Remark(format!("… {left_out} omitted; --json and --out have all …")));
        rows.extend(ending.iter().map(|line| row(line, naming, times)));
    }
    crate::text::columns::lines(&HEAD, &rows)
}

/// How times are written: as those up to the last one, or, where different times of events would look alike beside it, as those up to the last event.
fn times<'a>(lines: impl Iterator<Item = &'a Line<'a>>, end: f64) -> Times {
    let known = lines.filter_map(|line| match line {
        Line::Event(event) => Some(event.time),
        Line::LeftOut(_) => None,
    });
    let known: Vec<f64> = known.collect();
    let times = Times::up_to(end);
    let alike = known.windows(2).any(|pair| pair[0] != pair[1] && times.text(pair[0]) == times.text(pair[1]));
    if alike { Times::up_to(known.last().copied().unwrap_or(end)) } else { times }
}

/// One line per event; of the impacts before complete chattering only the first and the last.
fn shortened<'a>(events: &[&'a Event]) -> Vec<Line<'a>> {
    let mut lines: Vec<Line> = Vec::new();
    for (i, event) in events.iter().enumerate() {
        if event.kind == EventKind::Chatter {
            let same = |e: &&&Event| e.kind == EventKind::Impact && e.contact == event.contact;
            let run = events[..i].iter().rev().take(event.impacts).take_while(same).count();
            if run > SHORT_SEQUENCE && lines.len() >= run {
                let begin = lines.len() - run;
                lines.splice(begin + 1..begin + run - 1, [Line::LeftOut((run - 2) as u64)]);
            }
        }
        lines.push(Line::Event(event));
    }
    lines
}

fn row(line: &Line, naming: Naming, times: Times) -> Row {
    let event = match line {
        Line::Event(event) => event,
        Line::LeftOut(count) => return Row::Remark(format!("… {} of the sequence …", number::count(*count, "impact"))),
    };
    let speeds = matches!(event.kind, EventKind::Impact | EventKind::Chatter);
    let speed = |value: f64| {
        if speeds { number::short(value, 6) } else { String::new() }
    };
    let duration = if event.duration > 0.0 { number::short(event.duration, 6) } else { String::new() };
    Row::Cells(vec![
        times.text(event.time),
        naming.kind(event).to_string(),
        naming.place(event),
        speed(event.speed_before),
        speed(event.speed_after),
        duration,
    ])
}
