//! The report of a search for equilibria: states, contacts and eigenvalues of each, and the modes without one.

use crate::equilibrium::Equilibria;
use crate::naming::Naming;
use crate::text::columns::{self, Row, Side};
use crate::text::number::{self, exact, short};
use saltation_motion::{Bound, ClosedSet};
use saltation_numerics::dense;
use saltation_orbit::Equilibrium;
use saltation_orbit::equilibrium::Attraction;
use std::f64::consts::TAU;

/// The largest number of eigenvalues in the table.
const MOST_LISTED: usize = 24;

/// The whole report.
pub(crate) fn lines(found: &Equilibria) -> Vec<String> {
    let system = &found.system;
    let mut lines = vec![system.headline()];
    let changed = system.changed();
    if !changed.is_empty() {
        lines.push(format!("with     {}", changed.join(", ")));
    }
    // The model is compiled, because the search was possible.
    let Ok(naming) = system.naming() else { return lines };
    let modes = match found.settings.closed {
        Some(closed) => naming.mode(closed),
        None if naming.system.switches() => "all sides of switches, and every contact closed alone".to_string(),
        None if naming.system.contact_names().is_empty() => "flight".to_string(),
        None => "flight, and every contact closed alone".to_string(),
    };
    lines.push(format!("modes    {modes}"));
    for rest in &found.found.equilibria {
        lines.push(String::new());
        lines.extend(about(naming, rest));
    }
    lines.push(String::new());
    lines.extend(found.missed.iter().map(|missed| format!("none in {}: {}", missed.mode, missed.message)));
    lines.extend(further_values(found));
    let starts = number::count(found.starts as u64, "start");
    let seconds = short(found.wall_time.as_secs_f64(), 3);
    lines.push(format!("{} from {starts} ({seconds} s of computing)", found.message));
    lines
}

/// Which discrete states have further values, if any have.
pub(crate) fn further_values(found: &Equilibria) -> Option<String> {
    let names = found.answer.further_values.join(", ");
    let message = format!(
        "further values of {names} were not looked at: give one with --start, for instance --start {}=1",
        names.split(',').next()?
    );
    (!names.is_empty()).then_some(message)
}

fn about(naming: Naming, rest: &Equilibrium) -> Vec<String> {
    let model = naming.system.model();
    let mut lines = vec![format!("{}: {}", naming.mode(rest.closed), verdict(naming, rest))];
    let states = naming.state(&rest.state).zip(&model.states).map(|((name, value), state)| {
        let unit = state.unit.clone().unwrap_or_default();
        Row::Cells(vec![name.to_string(), aligned(&exact(value)), unit])
    });
    let head = [("state", Side::Left), ("", Side::Left), ("", Side::Left)];
    lines.extend(columns::lines(&head, &states.collect::<Vec<Row>>()));
    let mut forces = rest.contact_forces.iter();
    let contacts = model.contacts.iter().enumerate().map(|(contact, told)| {
        let (gap, force) = match rest.closed.contains(contact) {
            true => (" closed".to_string(), forces.next().map_or(String::new(), |&force| aligned(&short(force, 15)))),
            false => (aligned(&short(rest.gaps[contact], 15)), String::new()),
        };
        Row::Cells(vec![told.name.clone(), gap, force])
    });
    let contacts: Vec<Row> = contacts.collect();
    if !contacts.is_empty() {
        let head = [("contact", Side::Left), (" gap", Side::Left), (" force", Side::Left)];
        lines.extend(columns::lines(&head, &contacts));
    }
    lines.extend(eigenvalues(rest));
    lines
}

/// Admissibility and stability.
fn verdict(naming: Naming, rest: &Equilibrium) -> String {
    let names = naming.system.contact_names();
    let mut parts = Vec::new();
    let size = rest.eigenvalues.iter().map(dense::modulus).fold(0.0, f64::max);
    let growing = rest.eigenvalues.iter().filter(|z| z.re > 1e-12 * size).count();
    let decays = growing == 0 && rest.eigenvalues.iter().all(|z| z.re < 0.0);
    let surfaces: Vec<&str> =
        rest.closed.sides().holding().map(|k| naming.system.element_name(ClosedSet::element(k))).collect();
    parts.push(match (rest.stable, growing) {
        (false, 0) if rest.attraction == Attraction::Repelling => {
            format!("unstable: trajectories go away from {}", surfaces.join(" and "))
        }
        (false, 0) if decays && rest.attraction == Attraction::Undecided => format!(
            "stability not decided: perturbations along {0} decay, but whether trajectories come to it is not known",
            surfaces.join(" and ")
        ),
        (true, _) if rest.eigenvalues.is_empty() => {
            let holds = if surfaces.is_empty() { "the contact leaves" } else { "sliding leaves" };
            format!("stable: {holds} no directions for perturbations")
        }
        (true, _) => "stable".to_string(),
        (false, 0) => "neutral to first order".to_string(),
        (false, 1) => "unstable in one direction".to_string(),
        (false, n) => format!("unstable in {n} directions"),
    });
    let inside = |contact: usize| !rest.boundary.contains(&contact);
    let open = (0..names.len()).filter(|&c| !rest.closed.contains(c) && rest.gaps[c] < 0.0 && inside(c));
    let open = open.map(|c| format!("it penetrates {}", names[c]));
    let pulling = rest.closed.iter().zip(&rest.contact_forces);
    let pulling = pulling.filter(|&(c, &force)| (force.is_nan() || force < 0.0) && inside(c));
    let pulling = pulling.map(|(c, _)| format!("the force of {} is tensile", names[c]));
    let element = |element: usize| naming.system.element_name(element);
    let broken = rest.bounds.iter().filter(|bound| bound.2 < 0.0).map(|&(contact, bound, _)| match bound {
        _ if ClosedSet::switch(contact).is_some() => match bound {
            Bound::Cone(_) if naming.system.is_dry(contact) => format!("{} does not hold it there", element(contact)),
            Bound::Cone(_) => format!("the field does not slide along {} there", element(contact)),
            _ => format!("it lies on the other side of {}", element(contact)),
        },
        Bound::Speed => format!("{} slips in the other direction", names[contact]),
        _ => format!("the friction of {} exceeds Coulomb's bound", names[contact]),
    });
    let paradox = (rest.regularity < 0.0).then(|| {
        "friction is beyond its critical value (A < 0): flight is consistent as well, and perturbed trajectories leave slip".to_string()
    });
    let why: Vec<String> = open.chain(pulling).chain(broken).chain(paradox).collect();
    if !rest.admissible {
        parts.push(format!("not admissible: {}", why.join(", ")));
    }
    parts.extend(rest.boundary.iter().map(|&contact| match rest.closed.contains(contact) {
        _ if ClosedSet::switch(contact).is_some() => format!("at a boundary: on the surface of {}", element(contact)),
        true if rest.closed.slip(contact).is_some() => {
            format!(
                "at a boundary: {} is about to open, to stick or to lose the uniqueness of its force",
                names[contact]
            )
        }
        true => format!("at a boundary: the force of {} is zero", names[contact]),
        false => format!("at a boundary: the gap of {} is zero", names[contact]),
    }));
    match &rest.ends[..] {
        _ if rest.isolated => {}
        [one, other] => {
            let states = naming.state(one).zip(naming.state(other)).filter(|((_, a), (_, b))| a != b);
            let ranges =
                states.map(|((name, a), (_, b))| format!("{name} from {} to {}", exact(a.min(b)), exact(a.max(b))));
            let ranges: Vec<String> = ranges.collect();
            parts.push(format!("not isolated: one of a curve of equilibria, {}", ranges.join(", ")));
        }
        _ if sticks(naming, rest) => {
            parts.push("not isolated: one of a set of sticking equilibria; --start leads to others".to_string())
        }
        _ => parts.push("not isolated: one of a family of equilibria, or a bifurcation".to_string()),
    }
    parts.join("; ")
}

/// Whether friction holds a contact or a dry joint.
fn sticks(naming: Naming, rest: &Equilibrium) -> bool {
    let holds = |&(element, bound, _): &(usize, Bound, f64)| {
        matches!(bound, Bound::Cone(_)) && (ClosedSet::switch(element).is_none() || naming.system.is_dry(element))
    };
    rest.bounds.iter().any(holds)
}

/// A table of eigenvalues, a pair in one row with its period.
fn eigenvalues(rest: &Equilibrium) -> Vec<String> {
    if rest.eigenvalues.is_empty() {
        return Vec::new();
    }
    let upper: Vec<_> = rest.eigenvalues.iter().filter(|z| z.im >= 0.0).collect();
    let mut rows: Vec<Row> = Vec::new();
    for z in upper.iter().take(MOST_LISTED) {
        let real = aligned(&short(z.re, 15));
        rows.push(Row::Cells(match z.im == 0.0 {
            true => vec![real, String::new()],
            false => vec![format!("{real} ± {}i", short(z.im, 15)), short(TAU / z.im, 10)],
        }));
    }
    if upper.len() > MOST_LISTED {
        rows.push(Row::Remark(format!("… {} more; --json has all …", upper.len() - MOST_LISTED)));
    }
    columns::lines(&[("eigenvalues", Side::Left), ("period", Side::Left)], &rows)
}

/// A place for the sign.
fn aligned(text: &str) -> String {
    if text.starts_with('-') { text.to_string() } else { format!(" {text}") }
}
