//! The report of a search for an orbit: the request, the orbit, its events and multipliers, the effort.

use crate::naming::Naming;
use crate::orbit::Searched;
use crate::simulation::event_table;
use crate::simulation::log::EventLog;
use crate::simulation::report::gradient_lines;
use crate::text::columns::{self, Row, Side};
use crate::text::number::{self, exact, short};
use crate::text::signature;
use saltation_model::Phase;
use saltation_numerics::dense;
use saltation_numerics::dense::Complex;
use saltation_numerics::elementary;
use saltation_orbit::Orbit;

/// The largest number of multipliers in the table; the zeros of persistent contact are summarized in any case.
const MOST_LISTED: usize = 24;

/// The whole report.
pub(crate) fn lines(found: &Searched) -> Vec<String> {
    let mut lines = header(found);
    if let Some(orbit) = &found.found.orbit {
        lines.push(String::new());
        lines.extend(about(found, orbit));
        lines.extend(derivatives(found));
        if !orbit.events.is_empty() {
            let listed = |naming: Naming| {
                let mut log = EventLog::new(true);
                orbit.events.iter().for_each(|event| log.push(event, naming.told(event)));
                event_table::lines(&log, naming, orbit.period)
            };
            lines.push(String::new());
            lines.extend(found.system.naming().map(listed).unwrap_or_default());
        }
        lines.push(String::new());
        lines.extend(multipliers(orbit));
        lines.push(String::new());
        lines.push(stability(orbit));
        lines.push(format!("periodicity residual {} relative to the size of the orbit", short(orbit.residual, 2)));
    }
    lines.push(effort(found));
    lines
}

/// The request.
fn header(found: &Searched) -> Vec<String> {
    let system = &found.system;
    let mut lines = vec![system.headline()];
    let changed = system.changed();
    if !changed.is_empty() {
        lines.push(format!("with     {}", changed.join(", ")));
    }
    if let Some(guess) = &found.guess {
        lines.push(format!("from     {}", guess.file()));
    }
    let settings = &found.settings;
    let mut asked = format!("repeats after {} to {}", number::count(settings.returns, "return"), found.section);
    if settings.settle > 0 {
        asked.push_str(&format!(", after a transient of {}", number::count(settings.settle, "return")));
    }
    lines.push(format!("orbit    {asked}"));
    lines.push(format!("tol      {:e}", found.request.tol));
    lines
}

/// Period, signature and the state on the section.
fn about(found: &Searched, orbit: &Orbit) -> Vec<String> {
    let mut lines = Vec::new();
    let asked = found.settings.returns;
    if orbit.returns < asked {
        let returns = number::count(orbit.returns, "return");
        lines.push(format!("the orbit repeats already after {returns} (asked: {asked})"));
    }
    if orbit.returns > asked {
        let returns = number::count(orbit.returns, "return");
        lines.push(format!("the phases are back together after {returns} (asked: {asked})"));
    }
    let model = found.system.model();
    let turns = |phase: &Phase| {
        let turns = number::count_of(orbit.turns[phase.state].abs(), "turn");
        format!(", {turns} of {}", model.states[phase.state].name)
    };
    let forced = found.system.forcing_period().map(|period| orbit.period / period);
    let unit = found.system.model().time_unit.as_ref().map(|unit| format!(" {unit}")).unwrap_or_default();
    let times = match forced {
        Some(_) if !model.tones.is_empty() => model.phases().map(turns).collect(),
        Some(times) => format!(", {} of the forcing", number::count_of(times, "period")),
        None => String::new(),
    };
    lines.push(format!("period   {}{unit}{times}", exact(orbit.period)));
    let Ok(naming) = found.system.naming() else { return lines };
    lines.push(format!("events   {}", signature::compact(&orbit.signature_words(naming.system))));
    let width = naming.states().iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let mode = naming.mode(orbit.closed);
    lines.push(format!("state    on the section {} ({mode})", found.section));
    for (i, (name, value)) in naming.state(&orbit.state).enumerate() {
        let text = exact(value);
        let text = if text.starts_with('-') { text } else { format!(" {text}") };
        let turns = match orbit.turns[i] {
            turns if turns != 0.0 && naming.period(i).is_none() => {
                format!("   ({} in a period)", number::count_of(turns, "turn"))
            }
            _ => String::new(),
        };
        let drift = orbit.drift.iter().find(|(state, _)| *state == i);
        let drift =
            drift.map_or(String::new(), |(_, advance)| format!("   (advances by {} in a period)", exact(*advance)));
        lines.push(format!("         {name:<width$} = {text}{turns}{drift}"));
    }
    lines
}

/// The derivatives of the period and of the state on the section.
fn derivatives(found: &Searched) -> Vec<String> {
    let Some(derivatives) = found.orbit.as_ref().and_then(|orbit| orbit.derivatives.as_ref()) else {
        return Vec::new();
    };
    let listed = gradient_lines("period", derivatives.period.iter(), &derivatives.state);
    let mut lines: Vec<String> = listed.iter().map(|line| format!("         {line}")).collect();
    if derivatives.period.values().iter().any(|slope| slope.is_nan()) {
        lines.push("         no derivatives: a multiplier is 1, or the orbit grazes".to_string());
    }
    lines
}

/// The multipliers of the orbit, and those of its half-period map.
fn multipliers(orbit: &Orbit) -> Vec<String> {
    let trivial = orbit.trivial.map(|(index, _)| index);
    let remark = |i: usize| match trivial {
        Some(index) if index == i => "trivial: along the flow".to_string(),
        _ => String::new(),
    };
    let mut lines = spectrum("multipliers", &orbit.multipliers, &remark);
    if let Some((_, error)) = orbit.trivial {
        lines.push(format!(
            "  the trivial multiplier of an autonomous orbit is 1; its error here is {}",
            short(error, 2)
        ));
    }
    if !orbit.drift.is_empty() {
        let each = if orbit.drift.len() == 1 { "the state that drifts has" } else { "the states that drift have each" };
        lines.push(format!("  {each} a multiplier of exactly 1, which is left out: nothing depends on it"));
    }
    if let Some(half) = &orbit.half {
        lines.push(String::new());
        lines.push(
            "the orbit is symmetric: after half a period it is its own image; multipliers of the half-period map:"
                .to_string(),
        );
        lines.extend(spectrum("multipliers", &half.multipliers, &|_| String::new()));
        lines.extend(half.multipliers.first().map(|largest| format!("  {}", meaning(*largest))));
    }
    lines
}

/// The bifurcation that the largest multiplier of the half-period map would cause at the unit circle.
fn meaning(largest: Complex) -> String {
    let what = if largest.im != 0.0 {
        "the largest are a complex pair: a torus bifurcates where they leave the unit circle"
    } else if largest.re < 0.0 {
        "the largest is negative: at -1 the symmetry breaks, and two asymmetric orbits bifurcate"
    } else {
        "the largest is positive: at +1 the orbit collides with another one in a fold"
    };
    what.to_string()
}

/// A table of complex numbers.
fn spectrum(head: &str, numbers: &[Complex], remark: &dyn Fn(usize) -> String) -> Vec<String> {
    let zero = |z: &Complex| z.re == 0.0 && z.im == 0.0;
    let mut rows = Vec::new();
    for (i, z) in numbers.iter().enumerate().filter(|(_, z)| !zero(z)).take(MOST_LISTED) {
        let sign = if z.im < 0.0 { '-' } else { '+' };
        let value = match z.im == 0.0 {
            true => aligned(z.re),
            false => format!("{} {sign} {}i", aligned(z.re), short(z.im.abs(), 10)),
        };
        let argument = if z.im == 0.0 { String::new() } else { aligned_short(elementary::atan2(z.im, z.re)) };
        rows.push(Row::Cells(vec![value, short(dense::modulus(z), 10), argument, remark(i)]));
    }
    let mut lines = Vec::new();
    let zeros = numbers.iter().filter(|z| zero(z)).count();
    let rest = numbers.len() - zeros - rows.len();
    if rest > 0 {
        rows.push(Row::Remark(format!("… {rest} more; --json has all …")));
    }
    if zeros > 0 {
        let times = if zeros == 1 { String::new() } else { format!("{zeros} times ") };
        rows.push(Row::Remark(format!(
            "{times}0 exactly: perturbations in these directions vanish in persistent contact"
        )));
    }
    if numbers.iter().all(zero) {
        lines.push(format!("  {head}"));
    }
    let head = [(head, Side::Left), ("modulus", Side::Left), ("argument", Side::Left), ("", Side::Left)];
    // A table without numbers has an empty head.
    lines.extend(columns::lines(&head, &rows).into_iter().filter(|line| !line.is_empty()));
    lines
}

fn aligned(value: f64) -> String {
    let text = short(value, 15);
    if text.starts_with('-') { text } else { format!(" {text}") }
}

fn aligned_short(value: f64) -> String {
    let text = short(value, 7);
    if text.starts_with('-') { text } else { format!(" {text}") }
}

/// Stable or not, in one line.
pub(crate) fn stability(orbit: &Orbit) -> String {
    let leading = orbit.leading_modulus();
    if orbit.stable && leading == 0.0 {
        return "stable: perturbations vanish within a period".to_string();
    }
    if orbit.stable {
        return format!("stable: perturbations decay by the factor {} per period", short(leading, 6));
    }
    if orbit.is_neutral() {
        return "neutral: no multiplier lies outside the unit circle, and not all lie inside; higher orders decide"
            .to_string();
    }
    let trivial = orbit.trivial.map(|(index, _)| index);
    let others = orbit.multipliers.iter().enumerate().filter(|(i, _)| Some(*i) != trivial);
    let outside = others.filter(|(_, z)| dense::modulus(*z) > 1.0).count();
    let which = if outside == 1 { "1 multiplier lies" } else { &format!("{outside} multipliers lie") };
    format!("unstable: {which} outside the unit circle, the largest with modulus {}", short(leading, 6))
}

/// The effort of the search.
fn effort(found: &Searched) -> String {
    let search = &found.found;
    let steps = search.history.len() as u64;
    let damped = search.history.iter().filter(|step| step.damping < 1.0).count();
    let damped = if damped > 0 { format!(" ({damped} damped)") } else { String::new() };
    format!(
        "found in {} of Newton's method{damped}; {} simulated in all ({} s of computing)",
        number::count(steps, "step"),
        number::count(search.returns, "return"),
        short(found.wall_time.as_secs_f64(), 3)
    )
    .replacen("found", if search.orbit.is_some() { "found" } else { "not found" }, 1)
}
