//! The report of a contact problem: state, closed contacts, all solutions, the smallest critical friction, the map.

use crate::contact::Solved;
use crate::naming::Naming;
use crate::text::columns::{self, Row, Side};
use crate::text::number::short;
use saltation_motion::Slip;
use saltation_motion::problems::analysis::{Collisions, Impact};
use saltation_motion::problems::{Analysis, Critical, Region, Solution, Status};

/// Numbers below this size relative to the largest one are rounding errors and are written as zero.
const ROUNDING: f64 = 1e-14;

/// A solved problem with the names of its numbers.
#[derive(Clone, Copy)]
struct NamedProblem<'a> {
    naming: Naming<'a>,
    analysis: &'a Analysis,
    solved: &'a Solved,
}

impl NamedProblem<'_> {
    /// The name of a contact.
    fn contact(&self, contact: usize) -> &str {
        &self.naming.system.contact_names()[contact]
    }
}

/// The whole report.
pub(crate) fn lines(solved: &Solved) -> Vec<String> {
    let system = &solved.system;
    let mut lines = vec![system.headline()];
    let changed = system.changed();
    if !changed.is_empty() {
        lines.push(format!("with     {}", changed.join(", ")));
    }
    // The model is compiled, because the problem was solved.
    let Ok(naming) = system.naming() else { return lines };
    let answer = NamedProblem { naming, analysis: &solved.analysis, solved };
    lines.push(String::new());
    lines.extend(state(answer));
    lines.push(String::new());
    lines.extend(contacts(answer));
    lines.push(String::new());
    if let Some(collisions) = &answer.analysis.collisions {
        lines.extend(struck(answer, collisions));
    } else {
        lines.push(verdict(answer));
        for solution in &answer.analysis.solutions {
            lines.extend(forces(answer, solution));
        }
        lines.extend(free_impacts(answer));
    }
    lines.extend(critical(answer));
    lines.extend(map(answer));
    lines.push(format!("({} s of computing)", short(solved.wall_time.as_secs_f64(), 3)));
    lines
}

fn aligned(value: f64) -> String {
    let text = short(value, 12);
    if text.starts_with('-') { text } else { format!(" {text}") }
}

/// Numbers, with rounding errors set to zero.
fn cleaned(numbers: Vec<f64>) -> Vec<f64> {
    let size = numbers.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    numbers.into_iter().map(|x| if x.abs() <= ROUNDING * size.max(1.0) { 0.0 } else { x }).collect()
}

fn state(answer: NamedProblem) -> Vec<String> {
    let system = &answer.solved.system;
    let states =
        answer.naming.state(system.numbers().start()).zip(&system.model().states).map(|((name, value), state)| {
            Row::Cells(vec![name.to_string(), aligned(value), state.unit.clone().unwrap_or_default()])
        });
    columns::lines(&[("state", Side::Left), ("", Side::Left), ("", Side::Left)], &states.collect::<Vec<Row>>())
}

fn contacts(answer: NamedProblem) -> Vec<String> {
    let known = &answer.analysis.contacts;
    let rows = known.iter().map(|known| {
        let slip = match known.slip {
            Some(Slip::Forward) => "slips forwards",
            Some(Slip::Backward) => "slips backwards",
            None => "does not slip",
        };
        let critical = known.critical_friction.map_or("none".to_string(), |mu| short(mu, 12));
        Row::Cells(vec![
            answer.contact(known.contact).to_string(),
            slip.to_string(),
            aligned(known.slip_speed),
            aligned(known.a),
            aligned(known.b),
            short(known.friction, 12),
            critical,
        ])
    });
    let head = [
        ("closed", Side::Left),
        ("", Side::Left),
        (" g_T'", Side::Left),
        (" A", Side::Left),
        (" b", Side::Left),
        ("mu", Side::Left),
        ("critical mu", Side::Left),
    ];
    let mut lines = if known.is_empty() { Vec::new() } else { columns::lines(&head, &rows.collect::<Vec<Row>>()) };
    let names = |contacts: &[usize]| contacts.iter().map(|&c| answer.contact(c)).collect::<Vec<_>>().join(", ");
    if !answer.analysis.striking.is_empty() {
        lines.push(format!("closing  {}", names(&answer.analysis.striking)));
    }
    lines
}

fn verdict(answer: NamedProblem) -> String {
    let analysis = answer.analysis;
    let found = analysis.solutions.len();
    match analysis.status {
        Status::Unique if analysis.complete => "unique: one solution".to_string(),
        Status::Unique => "one solution was found; there are too many contacts to enumerate all".to_string(),
        Status::Inconsistent if !analysis.complete => {
            "no solution was found, but there are too many contacts to enumerate all".to_string()
        }
        Status::Inconsistent => "inconsistent: no forces satisfy all contact laws".to_string(),
        Status::Indeterminate => format!("indeterminate: {found} solutions"),
    }
}

/// One solution.
fn forces(answer: NamedProblem, solution: &Solution) -> Vec<String> {
    let NamedProblem { analysis, naming, .. } = answer;
    let mut lines = vec![String::new(), naming.mode(solution.mode)];
    let border = if solution.borderline && !solution.underdetermined {
        " (at a boundary between modes: higher derivatives decide)"
    } else {
        ""
    };
    lines[1].push_str(border);
    let rows = analysis.contacts.iter().enumerate().map(|(k, known)| {
        let forces = cleaned(vec![solution.normal[k], solution.tangential[k]]);
        let numbers = [forces[0], forces[1], solution.opening[k], solution.slipping[k]];
        Row::Cells(std::iter::once(answer.contact(known.contact).to_string()).chain(numbers.map(aligned)).collect())
    });
    let head = [
        ("contact", Side::Left),
        (" normal force", Side::Left),
        (" tangential force", Side::Left),
        (" g_N''", Side::Left),
        (" g_T''", Side::Left),
    ];
    lines.extend(columns::lines(&head, &rows.collect::<Vec<Row>>()));
    if solution.underdetermined {
        lines.push(
            "  contacts are redundant: forces are not unique, the trajectory is; one solution is shown".to_string(),
        );
    }
    let model = answer.solved.system.model();
    let velocities = model.body.mechanics().map_or(Vec::new(), |body| body.velocities.clone());
    let rates = velocities.iter().map(|&v| solution.rates[v]);
    let shown = velocities.iter().zip(cleaned(rates.collect()));
    let shown = shown.map(|(&v, rate)| format!("{}' = {}", model.states[v].name, short(rate, 12)));
    lines.push(format!("  accelerations  {}", shown.collect::<Vec<_>>().join(", ")));
    lines
}

fn impulses(answer: NamedProblem, contacts: &[usize], impact: &Impact) -> Vec<String> {
    let model = answer.solved.system.model();
    let rows = contacts.iter().enumerate().map(|(k, &contact)| {
        let speeds = cleaned(vec![impact.opening[k], impact.slipping[k]]);
        let numbers = [impact.normal[k], impact.tangential[k], speeds[0], speeds[1]];
        Row::Cells(std::iter::once(answer.contact(contact).to_string()).chain(numbers.map(aligned)).collect())
    });
    let head = [
        ("contact", Side::Left),
        (" normal impulse", Side::Left),
        (" tangential impulse", Side::Left),
        (" g_N' after", Side::Left),
        (" g_T' after", Side::Left),
    ];
    let mut lines = columns::lines(&head, &rows.collect::<Vec<Row>>());
    if impact.underdetermined {
        lines.push(
            "  contacts are redundant: impulses are not unique, the trajectory is; one solution is shown".to_string(),
        );
    }
    let velocities = model.body.mechanics().map_or(Vec::new(), |body| body.velocities.clone());
    let speeds = velocities.iter().map(|&v| impact.after[v]);
    let shown = velocities.iter().zip(cleaned(speeds.collect()));
    let shown = shown.map(|(&v, speed)| format!("{} = {}", model.states[v].name, short(speed, 12)));
    lines.push(format!("  velocities after  {}", shown.collect::<Vec<_>>().join(", ")));
    lines.push(format!("  kinetic energy changes by {}", short(impact.energy, 12)));
    lines
}

fn free_impacts(answer: NamedProblem) -> Vec<String> {
    let analysis = answer.analysis;
    let contacts: Vec<usize> = analysis.contacts.iter().map(|known| known.contact).collect();
    let mut lines = Vec::new();
    for impact in &analysis.impacts {
        lines.extend([String::new(), "impact without collision".to_string()]);
        lines.extend(impulses(answer, &contacts, impact));
    }
    if analysis.impacts.is_empty() && analysis.status == Status::Inconsistent {
        lines.push("no impact without collision exists either".to_string());
    }
    lines
}

fn struck(answer: NamedProblem, collisions: &Collisions) -> Vec<String> {
    let found = &collisions.solutions;
    let mut lines = vec![match found.len() {
        0 => "contacts close with an impact, and no impulses satisfy all contact laws".to_string(),
        1 => "contacts close with an impact".to_string(),
        n => format!("contacts close with an impact that has {n} solutions"),
    }];
    for impact in found {
        lines.push(String::new());
        lines.extend(impulses(answer, &collisions.contacts, impact));
    }
    lines
}

fn critical(answer: NamedProblem) -> Vec<String> {
    let (Some(found), Some(axis)) = (answer.solved.smallest, &answer.solved.request.critical) else {
        return Vec::new();
    };
    let range = format!("{} from {} to {}", axis.name, short(axis.low, 10), short(axis.high, 10));
    let shown = match found {
        None => format!("no critical friction for {range}"),
        Some(found) => {
            let end = if found.at_end { ", an end of the range" } else { "" };
            format!(
                "the smallest critical friction for {range} is {} at {} = {}{end} ({})",
                short(found.friction, 15),
                axis.name,
                short(found.at, 12),
                answer.contact(found.contact)
            )
        }
    };
    vec![String::new(), shown]
}

fn map(answer: NamedProblem) -> Vec<String> {
    let (Some(map), Some([first, second])) = (&answer.solved.found, &answer.solved.request.map) else {
        return Vec::new();
    };
    let mut lines =
        vec![String::new(), format!("map over {} and {}, {} x {}", first.name, second.name, first.count, second.count)];
    for (region, share) in map.shares() {
        let remark = if region == Region::Impossible { "  no admissible state with these contacts closed" } else { "" };
        lines.push(format!("  {:<14}{:>6.2} %{remark}", region.name(), 100.0 * share));
    }
    for (k, curve) in map.curves.iter().enumerate() {
        let what = match curve.quantity {
            Critical::A | Critical::B => format!("{} = 0 of {}", curve.quantity.name(), answer.contact(curve.contact)),
            Critical::Slip => format!("slip = 0 of {}", answer.contact(curve.contact)),
        };
        let kind = if curve.curve.closed { "closed" } else { "open" };
        if k == 0 {
            lines.push("curves".to_string());
        }
        lines.push(format!("  {what}, {kind}, {} points", curve.curve.points.len()));
    }
    lines
}
