//! The table of events in the report: one line each; long chattering sequences and long motions are abridged.

use crate::naming::Naming;
use crate::simulation::log::EventLog;
use crate::text::columns::{Row, Side};
use crate::text::number;
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

/// A line and the number of events it represents.
struct Line {
    row: Row,
    events: u64,
}

/// The lines of the table; `end` is the last time.
pub(crate) fn lines(log: &EventLog, naming: Naming, end: f64) -> Vec<String> {
    let decimals = number::decimals_for(end);
    let (first, last) = log.ends();
    let mut beginning = shortened(&first, naming, decimals);
    let mut ending = shortened(&last, naming, decimals);
    if ending.is_empty() && beginning.len() > FIRST + LAST + 1 {
        ending = beginning.split_off(beginning.len() - LAST);
    }
    if !ending.is_empty() {
        beginning.truncate(FIRST);
        ending.drain(..ending.len().saturating_sub(LAST));
    }
    let shown: u64 = beginning.iter().chain(&ending).map(|line| line.events).sum();
    let mut rows: Vec<Row> = beginning.into_iter().map(|line| line.row).collect();
    if !ending.is_empty() {
        let left_out = number::count(log.total() - shown, "event");
        rows.push(Row::Remark(format!("… {left_out} omitted; --json and --out have all …")));
        rows.extend(ending.into_iter().map(|line| line.row));
    }
    crate::text::columns::lines(&HEAD, &rows)
}

/// One line per event; of the impacts before complete chattering only the first and the last.
fn shortened(events: &[&Event], naming: Naming, decimals: usize) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for (i, event) in events.iter().enumerate() {
        if event.kind == EventKind::Chatter {
            let same = |e: &&&Event| e.kind == EventKind::Impact && e.contact == event.contact;
            let run = events[..i].iter().rev().take(event.impacts).take_while(same).count();
            if run > SHORT_SEQUENCE && lines.len() >= run {
                let begin = lines.len() - run;
                let left_out = (run - 2) as u64;
                let what = number::count(left_out, "impact");
                let remark = Row::Remark(format!("… {what} of the sequence …"));
                lines.splice(begin + 1..begin + run - 1, [Line { row: remark, events: left_out }]);
            }
        }
        lines.push(Line { row: row(event, naming, decimals), events: 1 });
    }
    lines
}

fn row(event: &Event, naming: Naming, decimals: usize) -> Row {
    let speeds = matches!(event.kind, EventKind::Impact | EventKind::Chatter);
    let speed = |value: f64| {
        if speeds { number::short(value, 6) } else { String::new() }
    };
    let duration = if event.duration > 0.0 { number::short(event.duration, 6) } else { String::new() };
    Row::Cells(vec![
        number::time(event.time, decimals),
        naming.kind(event).to_string(),
        naming.place(event),
        speed(event.speed_before),
        speed(event.speed_after),
        duration,
    ])
}
