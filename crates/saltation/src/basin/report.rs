//! The report of basins: every attractor with the part of the starts that leads to it.

use crate::basin::Basins;
use crate::basin::collect::words;
use crate::text::columns::{self, Row, Side};
use crate::text::number::{self, short};
use saltation_numerics::dense;

/// The most attractors that are listed.
const MOST_LISTED: usize = 40;

/// The whole report.
pub(crate) fn lines(basins: &Basins) -> Vec<String> {
    let system = &basins.system;
    let swept: Vec<&str> = basins.plan.axes().iter().map(|axis| axis.name()).collect();
    let mut lines = vec![system.headline()];
    let changed = system.changed_but(&swept);
    if !changed.is_empty() {
        lines.push(format!("with     {}", changed.join(", ")));
    }
    for axis in basins.plan.axes() {
        let ends = [0, axis.len() - 1].map(|k| short(axis.value(k), 10));
        lines.push(format!(
            "along    {} from {} to {}, {}",
            axis.name(),
            ends[0],
            ends[1],
            number::count(axis.len(), "value")
        ));
    }
    let starts = number::count(basins.plan.starts().len(), "start");
    let seed = basins.seed.map(|seed| format!(", seed {seed}")).unwrap_or_default();
    lines.push(format!("from     {starts} in {}{seed}", basins.plan.starts().states().join(", ")));
    let (settled, recorded) = (number::count(basins.settled, "return"), number::count(basins.recorded, "return"));
    lines.push(format!("trajectories  {recorded} to {} after a transient of {settled}", basins.section));
    lines.push(format!("tol      {:e}", basins.request.method.tol));
    lines.push(String::new());
    lines.extend(attractors(basins));
    lines.push(String::new());
    let seconds = basins.wall_time.as_secs_f64();
    lines.push(format!("{} in {} s of computing", number::count(basins.done, "trajectory"), short(seconds, 3)));
    lines
}

fn attractors(basins: &Basins) -> Vec<String> {
    let system = &basins.system;
    let Ok(naming) = system.naming() else { return Vec::new() };
    let row = |(k, attractor): (usize, &crate::basin::answer::Attractor)| {
        let found = &basins.collected.found[k];
        let first = found.attractor.returns.iter().next().unwrap_or_default();
        let states = naming.state(first).filter(|(name, _)| !is_phase(basins, name));
        let states: Vec<String> = states.map(|(name, value)| format!("{name} = {}", short(value, 10))).collect();
        // One multiplier of an autonomous orbit is 1: that of the direction of the flow.
        let autonomous = system.model().phase.is_none();
        let mut multipliers = attractor.multipliers.clone();
        let trivial = multipliers
            .iter()
            .enumerate()
            .min_by(|a, b| dense::modulus(a.1 - 1.0).total_cmp(&dense::modulus(b.1 - 1.0)));
        if let Some((trivial, _)) = trivial.filter(|_| autonomous) {
            multipliers.remove(trivial);
        }
        let leading = attractor.eigenvalues.first().map(|z| short(z.re, 4));
        let orbit = match (attractor.confirmed, multipliers.first()) {
            (Some(true), _) if attractor.kind == "rest" => match leading {
                Some(leading) => format!("stable equilibrium, leading real part {leading}"),
                None => "stable equilibrium".to_string(),
            },
            (Some(false), _) if attractor.kind == "rest" => "the equilibrium there is not stable".to_string(),
            (Some(true), Some(multiplier)) => {
                format!("stable, leading multiplier {}", short(dense::modulus(multiplier), 4))
            }
            (Some(true), None) => "stable".to_string(),
            (Some(false), Some(_)) => "the orbit there is not stable".to_string(),
            (Some(false), None) => "no orbit was found there".to_string(),
            (None, _) => String::new(),
        };
        Row::Cells(vec![
            (k + 1).to_string(),
            words(&found.attractor, naming),
            attractor.count.to_string(),
            format!("{} ± {}", short(attractor.fraction, 5), short(attractor.standard_error, 2)),
            states.join(", "),
            orbit,
        ])
    };
    let head = [
        ("", Side::Right),
        ("attractor", Side::Left),
        ("starts", Side::Right),
        (if basins.slices.is_empty() { "fraction" } else { "fraction over all values" }, Side::Left),
        ("a return", Side::Left),
        ("", Side::Left),
    ];
    let rows: Vec<Row> = basins.attractors.iter().enumerate().take(MOST_LISTED).map(row).collect();
    let mut lines = columns::lines(&head, &rows);
    let more = basins.attractors.len().saturating_sub(MOST_LISTED);
    if more > 0 {
        lines.push(format!("  and {} more; --json has all", number::count(more as u64, "attractor")));
    }
    if basins.no_motion > 0 {
        let (starts, of) = (number::count(basins.no_motion, "start"), basins.of);
        let have = if basins.no_motion == 1 { "has" } else { "have" };
        let fractions = if of > 0 { format!("; the fractions are of the {of} that do") } else { String::new() };
        lines.push(format!("  {starts} {have} no trajectory{fractions}"));
    }
    let early = basins.unknown - basins.no_motion;
    if early > 0 {
        let they = if early == 1 { "it leads" } else { "they lead" };
        lines.push(format!("  {} ended early: where {they} is not known", number::count(early, "trajectory")));
    }
    lines
}

fn is_phase(basins: &Basins, name: &str) -> bool {
    let model = basins.system.model();
    model.phases().any(|phase| model.states[phase.state].name == name)
}

/// Motions that ended early, and blocks that were damaged.
pub(crate) fn warnings(basins: &Basins) -> Vec<String> {
    let mut list = Vec::new();
    let place = |task: u64| {
        let point = basins.plan.point(task);
        let values = point.start.iter().map(|(name, value)| format!("{name} = {}", short(*value, 10)));
        let names = basins.plan.axes().iter().map(|axis| axis.name());
        let at = names.zip(&point.parameters).map(|(name, value)| format!("{name} = {}", short(*value, 10)));
        values.chain(at).collect::<Vec<_>>().join(", ")
    };
    if let Some((task, message)) = basins.collected.no_motion.first() {
        let (starts, place) = (number::count(basins.no_motion, "start"), place(*task));
        let (have, which) = if basins.no_motion == 1 { ("has", "") } else { ("have", "the first ") };
        list.push(format!("{starts} of {} {have} no trajectory, {which}at {place}: {message}", basins.done));
    }
    if let Some((task, message)) = basins.collected.early.first() {
        let early = basins.unknown - basins.no_motion;
        let (motions, place) = (number::count(early, "trajectory"), place(*task));
        let which = if early == 1 { "" } else { "the first " };
        list.push(format!("{motions} of {} ended early, {which}from {place}: {message}", basins.done));
    }
    for file in &basins.finished.damaged {
        list.push(format!("the file {} was damaged; its trajectories were computed again", file.display()));
    }
    list
}
