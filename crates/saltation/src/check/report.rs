//! The report of a check: the model with derived formulas and warnings.

use crate::check::{Checked, Measured};
use crate::system::System;
use crate::text::columns::{self, Row, Side};
use crate::text::number::{exact, short};
use saltation_model::{ContactReport, Direction, ImpactLaw, Report, SectionKind, StateKind, StructureReport, Together};

/// Formulas are cut at this length; JSON has them in full.
const LONGEST_FORMULA: usize = 300;
/// More states than this are summarized; JSON has them all.
const MOST_LISTED: usize = 60;

/// The model with derived formulas and warnings.
pub(crate) fn lines(checked: &Checked) -> Vec<String> {
    let (system, report) = (&checked.system, &checked.found);
    let model = system.model();
    let mut lines = vec![system.headline()];
    lines.extend(model.about.iter().map(|about| format!("  {about}")));
    lines.extend(model.source.iter().map(|source| format!("  {source}")));
    let linear = if report.linear { "linear between impacts" } else { "not linear" };
    lines.push(format!("  body [{}], {linear}", report.body));
    section(&mut lines, "states", if model.states.len() > MOST_LISTED { counted(report) } else { states(system) });
    section(&mut lines, "parameters", parameters(system));
    section(&mut lines, "tables", tables(&checked.answer.tables));
    section(&mut lines, "equations of motion", motion(system, report));
    let is_side = |name: &String| {
        report.constraints.iter().flat_map(|constraint| &constraint.sides).flatten().any(|side| side == name)
    };
    for contact in report.contacts.iter().filter(|contact| !is_side(&contact.name)) {
        let mut law = vec![format!("gap          {}", cut(&contact.gap))];
        if !contact.speed.is_empty() {
            law.push(format!("speed v      {}", cut(&contact.speed)));
        }
        let shown = if contact.direction.len() > MOST_LISTED { 0 } else { contact.direction.len() };
        for (i, (state, w)) in contact.direction.iter().take(shown).enumerate() {
            let head = if i == 0 { "direction W" } else { "" };
            law.push(format!("{head:<12} {state}: {}", cut(w)));
        }
        law.push(format!("restitution  {}", cut(&contact.restitution)));
        law.extend(rubbing(contact));
        let title = format!("contact {}", contact.name);
        section(&mut lines, &title, law.iter().map(|line| format!("  {line}")).collect());
    }
    for dry in &report.frictions {
        let mut text = vec![format!("  track    {}", cut(&dry.track)), format!("  slip     {}", cut(&dry.slip))];
        text.push(format!("  force    {} while it slips, zero where that is negative", cut(&dry.force)));
        text.extend(dry.held.as_ref().map(|held| format!("  static   {} while it sticks", cut(held))));
        section(&mut lines, &format!("friction {}", dry.name), text);
    }
    for constraint in &report.constraints {
        let mut text = vec![format!("  zero     {}", cut(&constraint.keep))];
        if constraint.redundant {
            text.push("  holds by those before it".to_string());
        }
        if let Some(sides) = &constraint.sides {
            let side = report.contacts.iter().filter(|contact| contact.name == sides[0]);
            text.extend(side.flat_map(rubbing).map(|line| format!("  {line}")));
            text.push(format!("  sides    {} and {}: one of them has the force", sides[0], sides[1]));
        }
        section(&mut lines, &format!("constraint {}", constraint.name), text);
    }
    for element in &report.complementarities {
        let text =
            vec![format!("  {} >= 0", element.multiplier), format!("  {} >= 0, one of them zero", cut(&element.value))];
        section(&mut lines, &format!("complementarity {}", element.name), text);
    }
    let complements = |name: &str| report.complementarities.iter().any(|element| element.name == name);
    let rubs = |name: &str| report.frictions.iter().any(|dry| name.strip_suffix(".force").unwrap_or(name) == dry.name);
    for switch in report.switches.iter().filter(|switch| !rubs(&switch.name) && !complements(&switch.name)) {
        let mut text = vec![format!("  zero     {}", cut(&switch.when))];
        for (state, positive, negative) in &switch.rates {
            text.push(format!("  d{state}/dt = {} on {}:+", cut(positive), switch.name));
            text.push(format!("  d{state}/dt = {} on {}:-", cut(negative), switch.name));
        }
        section(&mut lines, &format!("switch {}", switch.name), text);
    }
    for event in &report.events {
        let mut text = vec![format!("  where    {} is crossed, {}", event.switch, event.direction)];
        text.extend(event.condition.iter().map(|condition| format!("  if       {} > 0", cut(condition))));
        text.extend(event.jump.iter().map(|(state, after)| format!("  {state} -> {}", cut(after))));
        text.extend(event.stops.then(|| "  ends the trajectory".to_string()));
        section(&mut lines, &format!("event {}", event.name), text);
    }
    section(&mut lines, "impacts", impacts(report));
    section(&mut lines, "symmetry", symmetry(system, report));
    section(&mut lines, "sections", sections(system));
    let warnings = report.warnings.iter().map(|warning| format!("  {warning}"));
    section(&mut lines, "warnings", warnings.collect());
    let suggestions = report.suggestions.iter().map(|suggestion| format!("  {suggestion}"));
    section(&mut lines, "suggestions", suggestions.collect());
    if report.warnings.is_empty() {
        lines.extend([String::new(), "no mistakes and no warnings".to_string()]);
    }
    lines
}

/// The friction of a contact, a line each.
fn rubbing(contact: &ContactReport) -> Vec<String> {
    let Some(friction) = &contact.friction else { return Vec::new() };
    let mut lines = vec![format!("friction mu  {}", cut(&friction.coefficient))];
    lines.extend(friction.held.as_ref().map(|held| format!("mu of stick  {}", cut(held))));
    lines.push(format!("track        {}", cut(&friction.track)));
    if friction.belt != "0" {
        lines.push(format!("belt         {}", cut(&friction.belt)));
    }
    lines.push(format!("slip         {}", cut(&friction.slip)));
    lines
}

fn section(lines: &mut Vec<String>, title: &str, content: Vec<String>) {
    if !content.is_empty() {
        lines.extend([String::new(), title.to_string()]);
        lines.extend(content);
    }
}

/// Many states, by their ends.
fn counted(report: &Report) -> Vec<String> {
    let ends = report.states.first().zip(report.states.last());
    ends.map(|(first, last)| format!("  {} states, from {first} to {last}", report.states.len())).into_iter().collect()
}

/// Values that were read of a structure, and what was checked.
fn matrices(structure: &StructureReport) -> Vec<String> {
    let n = structure.degrees;
    let mut lines = vec![
        format!("  M u'' + C u' + K u = f for {n} degree{} of freedom", if n == 1 { "" } else { "s" }),
        format!("  M  {n} by {n}, {} entries, symmetric and positive definite", structure.mass_entries),
        format!("  K  {n} by {n}, {} entries, symmetric", structure.stiffness_entries),
    ];
    if structure.damping_entries > 0 {
        lines.push(format!("  C  {n} by {n}, {} entries", structure.damping_entries));
    }
    if !structure.files.is_empty() {
        lines.push(format!("  from {}", structure.files.join(", ")));
    }
    if !structure.simulated {
        lines.push("  nonsmooth modes only: too large to be simulated".to_string());
    }
    lines
}

/// Functions that are given by points.
fn tables(tables: &[Measured]) -> Vec<String> {
    let rows = tables.iter().map(|table| {
        let [x, y] = table.units.clone().unwrap_or_default();
        let extent = |[low, high]: [f64; 2], unit: &str| {
            let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
            format!("{} to {}{unit}", short(low, 7), short(high, 7))
        };
        Row::Cells(vec![
            table.name.clone(),
            table.points.to_string(),
            extent(table.range, &x),
            extent(table.values, &y),
            format!("{}, {} beyond", table.interpolation, table.beyond),
            table.file.clone().unwrap_or_default(),
        ])
    });
    let head = [
        ("name", Side::Left),
        ("points", Side::Right),
        ("argument", Side::Left),
        ("values", Side::Left),
        ("interpolation", Side::Left),
        ("file", Side::Left),
    ];
    columns::lines(&head, &rows.collect::<Vec<_>>())
}

fn states(system: &System) -> Vec<String> {
    let model = system.model();
    let rows = model.states.iter().enumerate().map(|(i, state)| {
        let kind = match state.kind {
            StateKind::State => "state",
            StateKind::Coordinate => "coordinate",
            StateKind::Velocity => "velocity",
            StateKind::Discrete => "discrete",
            StateKind::Phase => "phase",
            StateKind::Time => "time",
        };
        let period = system.numbers().angle_periods()[i].map(|period| format!("modulo {}", short(period, 7)));
        Row::Cells(vec![
            state.name.clone(),
            short(system.numbers().start()[i], 10),
            state.unit.clone().unwrap_or_default(),
            kind.to_string(),
            period.unwrap_or_default(),
        ])
    });
    let head = [
        ("name", Side::Left),
        ("start", Side::Right),
        ("unit", Side::Left),
        ("kind", Side::Left),
        ("period", Side::Left),
    ];
    columns::lines(&head, &rows.collect::<Vec<_>>())
}

fn parameters(system: &System) -> Vec<String> {
    let model = system.model();
    if model.parameters.is_empty() {
        return Vec::new();
    }
    let rows = model.parameters.iter().zip(system.numbers().parameters()).map(|(parameter, &value)| {
        let range = match (parameter.min, parameter.max) {
            (None, None) => String::new(),
            (Some(min), None) => format!("at least {}", exact(min)),
            (None, Some(max)) => format!("at most {}", exact(max)),
            (Some(min), Some(max)) => format!("{} to {}", exact(min), exact(max)),
        };
        Row::Cells(vec![
            parameter.name.clone(),
            short(value, 10),
            parameter.unit.clone().unwrap_or_default(),
            range,
            parameter.about.clone().unwrap_or_default(),
        ])
    });
    let head = [
        ("name", Side::Left),
        ("value", Side::Right),
        ("unit", Side::Left),
        ("range", Side::Left),
        ("what it is", Side::Left),
    ];
    columns::lines(&head, &rows.collect::<Vec<_>>())
}

/// The rates, and M and h of a mechanical body.
fn motion(system: &System, report: &Report) -> Vec<String> {
    if let Some(structure) = &report.structure {
        return matrices(structure);
    }
    let mut lines: Vec<String> =
        report.rates.iter().map(|(name, rate)| format!("  d{name}/dt = {}", cut(rate))).collect();
    let Some(body) = system.model().body.mechanics() else {
        return lines;
    };
    let derived = if body.lagrangian.is_some() { ", derived from L" } else { "" };
    lines.push(format!("  M dv/dt = h for the velocities{derived}"));
    let name = |i: usize| &system.model().states[body.velocities[i]].name;
    for (i, row) in report.mass.iter().enumerate() {
        for (j, entry) in row.iter().enumerate().take(i + 1) {
            if i == j || entry != "0" {
                lines.push(format!("  M[{}, {}] = {}", name(i), name(j), cut(entry)));
            }
        }
    }
    for (i, force) in report.force.iter().enumerate() {
        lines.push(format!("  h[{}] = {}", name(i), cut(force)));
    }
    lines
}

/// What the file says about impacts in which several contacts take part.
fn impacts(report: &Report) -> Vec<String> {
    let mut lines = Vec::new();
    match report.impacts.together {
        Together::Undecided => {}
        Together::Refuse => lines.push("  a trajectory ends where contacts close together".to_string()),
        Together::Complementarity => {
            lines.push("  contacts that close together: all impulses from one complementarity problem".to_string());
        }
        Together::Sequence => {
            lines.push("  contacts that close together: one after another, the fastest approach first".to_string());
        }
    }
    if report.impacts.law == ImpactLaw::Poisson {
        lines.push("  restitution is a ratio of impulses (Poisson)".to_string());
    }
    lines
}

fn sections(system: &System) -> Vec<String> {
    let model = system.model();
    let mut lines: Vec<String> = model
        .sections
        .iter()
        .filter(|section| section.of_phase.is_none())
        .map(|section| {
            let place = match &section.kind {
                SectionKind::Formula { value, .. } => {
                    format!("where {} = 0", cut(&model.graph.print(*value)))
                }
                SectionKind::Contact(contact) => {
                    format!("just before the impacts of {}", model.contacts[*contact].name)
                }
            };
            let direction = match section.direction {
                Direction::Rising => ", rising",
                Direction::Falling => ", falling",
                Direction::Any => "",
            };
            format!("  {}: {place}{direction}", section.name)
        })
        .collect();
    if let Some(phase) = &model.phase {
        let name = &model.states[phase.state].name;
        let what = if model.tones.is_empty() { "period of the forcing" } else { "turn of it" };
        lines.push(format!("  {name}: once per {what}, where {name} has its start value"));
    }
    for section in model.sections.iter().filter(|section| section.of_phase.is_some()) {
        let name = &section.name;
        lines.push(format!("  {name}: once per turn of it, where {name} has its start value of the file"));
    }
    lines
}

/// The map in one line, and the contacts that it exchanges in another.
fn symmetry(system: &System, report: &Report) -> Vec<String> {
    let model = system.model();
    let Some(symmetry) = &report.symmetry else {
        return Vec::new();
    };
    let moved = model.states.iter().zip(&symmetry.signs).filter(|(_, sign)| **sign < 0.0);
    let mut images: Vec<String> = moved.map(|(state, _)| format!("{0} -> -{0}", state.name)).collect();
    if let Some(phase) = model.phase.as_ref().filter(|_| symmetry.shift != 0.0) {
        let name = &model.states[phase.state].name;
        images.push(format!("{name} -> {name} + {}", short(symmetry.shift, 7)));
    }
    let mut lines = vec![format!("  {}", images.join(", "))];
    let name = |i: usize| &model.contacts[i].name;
    let pairs = symmetry.contacts.iter().enumerate().filter(|&(i, &j)| i < j);
    let pairs: Vec<String> = pairs.map(|(i, &j)| format!("{} <-> {}", name(i), name(j))).collect();
    if !pairs.is_empty() {
        lines.push(format!("  contacts {}", pairs.join(", ")));
    }
    lines
}

/// A formula, abridged.
fn cut(formula: &str) -> String {
    match formula.char_indices().nth(LONGEST_FORMULA) {
        Some((byte, _)) => {
            format!("{} … ({} characters, whole with --json)", &formula[..byte], formula.chars().count())
        }
        None => formula.to_string(),
    }
}
