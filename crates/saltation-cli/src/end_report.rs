//! How did a motion end, for people?

use crate::naming::Naming;
use crate::number;
use crate::simulate::Simulated;
use saltation_motion::Ended;

/// The summary below the event table.
pub fn lines(motion: &Simulated, naming: Naming) -> Vec<String> {
    let mut lines = Vec::new();
    let counts: Vec<String> = motion.log.counts().map(|(kind, count)| plural(kind.name(), count)).collect();
    lines.push(match counts.is_empty() {
        true => "nothing happened".to_string(),
        false => counts.join(", "),
    });
    let misses = motion.misses;
    if misses.count > 0 {
        let contact = &naming.system.contact_names()[misses.contact];
        let least = number::short(misses.smallest, 4);
        let times = number::count(misses.count, "time");
        lines.push(format!(
            "turned back before a contact {times}, nearest to {contact} with a gap of {least} at t = {}",
            number::short(misses.time, 9)
        ));
    }
    lines.push(String::new());
    lines.push(format!("end    t = {}, {}", number::exact(motion.time), naming.mode(motion.closed)));
    lines.extend(state_lines(naming, &motion.state));
    lines
}

/// The states below it, one a line.
pub fn state_lines(naming: Naming, state: &[f64]) -> Vec<String> {
    let width = naming.states().iter().map(|name| name.chars().count()).max().unwrap_or(0);
    naming.state(state).map(|(name, value)| format!("       {name:<width$} = {}", aligned(value))).collect()
}

/// Why the motion ended short, with everything that is needed to look closer.
pub fn ended_short(motion: &Simulated, naming: Naming, saved: Option<&str>) -> String {
    let state: Vec<String> =
        naming.state(&motion.state).map(|(name, value)| format!("{name} = {}", number::exact(value))).collect();
    let saved = match saved {
        Some(files) => format!("what was computed is saved in {files}"),
        None if motion.ended == Ended::Interrupted => "nothing was saved; --out DIR saves what is done".to_string(),
        None => "nothing was saved; add --out DIR to keep the events up to there".to_string(),
    };
    format!(
        "the motion ended short at t = {}: {}\n  mode  {}\n  state {}\n  {saved}",
        number::exact(motion.time),
        motion.ended.describe(naming.system),
        naming.mode(motion.closed),
        state.join(", "),
    )
}

/// A number with all digits, and a place for its sign.
fn aligned(value: f64) -> String {
    let text = number::exact(value);
    if text.starts_with('-') { text } else { format!(" {text}") }
}

fn plural(kind: &str, count: u64) -> String {
    match kind {
        "chatter" => number::count(count, "complete chattering"),
        "impact_without_collision" if count == 1 => "1 impact without collision".to_string(),
        "impact_without_collision" => format!("{} without collision", number::count(count, "impact")),
        _ => number::count(count, kind),
    }
}
