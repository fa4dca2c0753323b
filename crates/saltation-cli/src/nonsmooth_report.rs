//! What are nonsmooth modes like, for people?

use crate::nonsmooth::{Answer, Told, period, words};
use crate::nonsmooth_json::{energy_at, state};
use crate::number::{self, exact, short};
use crate::table::{self, Row, Side};
use saltation_modes::{Continuum, Family, Interval, SpecialKind, Verdict, harmonics, sequence};
use std::f64::consts::TAU;

/// The most rows of a table; --json and --out have all.
const MOST_LISTED: usize = 60;
/// The most motions where families follow.
const MOST_EXAMPLES: usize = 12;
/// The most linear modes that are listed.
const MOST_FREQUENCIES: usize = 12;
/// The most motions that are described one by one.
const MOST_DESCRIBED: usize = 8;

/// The whole report.
pub fn lines(answer: Answer, seconds: f64) -> Vec<String> {
    let Answer { input, request, modal } = answer;
    let mut lines = vec![input.headline()];
    let changed = input.changed();
    if !changed.is_empty() {
        lines.push(format!("with     {}", changed.join(", ")));
    }
    let contact = &input.model.contacts[request.structure.contact].name;
    lines.push(format!("contact  {contact}, gap at rest {}", short(answer.modes().gap(), 12)));
    let asked = match request.near {
        Some(near) => format!("of the period {}", short(near, 12)),
        None => format!("with periods from {} to {}", short(request.periods.0, 8), short(request.periods.1, 8)),
    };
    lines.push(format!("modes    {} per period, {asked}", number::count(request.impacts as u64, "impact")));
    lines.push(String::new());
    lines.extend(linear(answer));
    if answer.modes().gap() == 0.0 {
        lines.push(String::new());
        lines.push("without a gap a motion can be made larger and smaller at will: there are isolated periods and no families,".into());
        lines.push("and the motions listed have lambda = 1 (one impact) or lambda' lambda = 1 (several)".into());
    }
    if !modal.intervals.is_empty() && request.near.is_none() {
        lines.push(String::new());
        lines.extend(intervals(answer));
    }
    if request.impacts > 1 || request.near.is_some() || answer.modes().gap() == 0.0 {
        lines.push(String::new());
        lines.extend(motions(answer));
    }
    if !modal.continua.is_empty() {
        lines.push(String::new());
        lines.extend(continua(answer));
    }
    for (i, family) in modal.families.iter().enumerate().take(MOST_LISTED) {
        lines.push(String::new());
        lines.extend(self::family(answer, i, family));
    }
    lines.push(String::new());
    lines.push(effort(answer, seconds));
    lines
}

/// The linear modes that the contact moves.
fn linear(answer: Answer) -> Vec<String> {
    let modes = answer.modes();
    let row = |p: usize| {
        let energy = if modes.gap() == 0.0 { String::new() } else { short(modes.grazing_energy(p), 10) };
        let part = modes.uncertainties()[p];
        Row::Cells(vec![
            modes.number(p).to_string(),
            known(modes.frequencies()[p], part, 12),
            known(modes.period(p), part, 12),
            short(modes.shares()[p], 6),
            energy,
        ])
    };
    let mut rows: Vec<Row> = (0..modes.len().min(MOST_FREQUENCIES)).map(row).collect();
    if modes.len() > MOST_FREQUENCIES {
        rows.push(Row::Remark(format!("… {} more, up to {} …", modes.len() - MOST_FREQUENCIES, {
            short(modes.frequencies()[modes.len() - 1], 8)
        })));
    }
    let silent = modes.degrees_of_freedom() - modes.len();
    if silent > 0 {
        rows.push(Row::Remark(format!(
            "{} not move the contact, or vibrate with another of them",
            match silent {
                1 => "1 mode does".to_string(),
                n => format!("{n} modes do"),
            }
        )));
    }
    let worst = modes.uncertainties().iter().fold(0.0_f64, |worst, part| worst.max(*part));
    if worst > PRINTED {
        rows.push(Row::Remark(format!(
            "rounding of the entries of M and K lets frequencies be known to {} of themselves at worst (residuals {}): only digits that hold are shown",
            short(worst, 2),
            short(modes.residual(), 2)
        )));
    }
    if let Some((distance, uncertain)) = harmonics::blurred(modes, answer.request.periods.1) {
        rows.push(Row::Remark(format!(
            "harmonics lie {} apart in the mean and are known to {}: intervals between them are those of the matrices as given, to the last digit",
            short(distance, 2),
            short(uncertain, 2)
        )));
    }
    let head = [
        ("linear mode", Side::Right),
        ("frequency", Side::Left),
        ("period T_p", Side::Left),
        ("share in contact", Side::Left),
        ("grazes with energy", Side::Left),
    ];
    table::lines(&head, &rows)
}

/// Parts of frequencies that do not show in twelve digits.
const PRINTED: f64 = 5e-13;

/// A number that is known to a part of itself, with at most so many digits, all of which hold: the part is not more than
/// half a unit of the last one.
fn known(x: f64, part: f64, most: usize) -> String {
    let size = x.abs().log10();
    let unit = |digits: usize| 10_f64.powf(size.floor() + 1.0 - digits as f64);
    let digits = (1..=most).rev().find(|digits| part * x.abs() <= 0.5 * unit(*digits)).unwrap_or(1);
    short(x, digits)
}

fn intervals(answer: Answer) -> Vec<String> {
    let modal = answer.modal;
    let modes = answer.modes();
    let listed = modal.intervals.iter().zip(modal.motions.iter().map(Some).chain(std::iter::repeat(None)));
    let row = |(interval, told): (&Interval, Option<&Told>)| {
        let energy = |at, end| energy_at(modes, at, end).map_or("infinite".to_string(), |energy| short(energy, 6));
        let middle = told.and_then(|told| told.stability.as_ref()).map(|stability| match stability.is_neutral() {
            true => "neutral".to_string(),
            false => short(stability.spectral_radius, 6),
        });
        Row::Cells(vec![
            short(interval.from, 15),
            short(interval.to, 15),
            energy(interval.from, interval.begins),
            energy(interval.to, interval.ends),
            middle.unwrap_or_default(),
            words(interval.begins, modes),
            words(interval.ends, modes),
        ])
    };
    let mut rows: Vec<Row> = listed.take(MOST_LISTED).map(row).collect();
    rows.extend(more(modal.intervals.len(), MOST_LISTED));
    let head = [
        ("from T", Side::Left),
        ("to T", Side::Left),
        ("energy from", Side::Left),
        ("to", Side::Left),
        ("radius in the middle", Side::Left),
        ("begins with", Side::Left),
        ("ends where", Side::Left),
    ];
    table::lines(&head, &rows)
}

/// A remark where not all rows are shown.
fn more(rows: usize, most: usize) -> Option<Row> {
    (rows > most).then(|| Row::Remark(format!("… {} more; --json and --out have all …", rows - most)))
}

/// Whether a motion is one of the structure, in words.
pub fn verdict(told: &Told) -> String {
    match told.verdict {
        Verdict::Admissible => "admissible".to_string(),
        Verdict::Grazing => "admissible, touching".to_string(),
        Verdict::Pulls { .. } if told.motion.impacts() == 1 => {
            "its impact would have to pull; with a gap of the other sign it would push".to_string()
        }
        Verdict::Pulls { impact } => format!("impact {} would have to pull", impact + 1),
        Verdict::Penetrates(least) => {
            format!("the gap is {} at t = {}", short(least.gap, 4), short(least.time, 10))
        }
    }
}

fn motions(answer: Answer) -> Vec<String> {
    let modal = answer.modal;
    if modal.motions.is_empty() {
        return vec!["no motion".to_string()];
    }
    if modal.motions.len() <= MOST_DESCRIBED {
        let mut lines = Vec::new();
        for (i, told) in modal.motions.iter().enumerate() {
            if i > 0 {
                lines.push(String::new());
            }
            lines.extend(described(answer, told));
        }
        return lines;
    }
    let row = |told: &Told| {
        let radius = told.stability.as_ref().map(|stability| match stability.is_neutral() {
            true => "neutral".to_string(),
            false => short(stability.spectral_radius, 6),
        });
        let mirrored = sequence::mirror(&told.motion, 1e-7).map(|_| "symmetric".to_string());
        let sigmas: Vec<String> = told.motion.flight_times().iter().map(|sigma| short(*sigma, 6)).collect();
        Row::Cells(vec![
            short(told.motion.period(), 12),
            short(told.motion.energy(), 8),
            radius.unwrap_or_default(),
            mirrored.unwrap_or_default(),
            told.family.map(|family| (family + 1).to_string()).unwrap_or_default(),
            sigmas.join(" "),
        ])
    };
    // Where families are told, their motions are only examples.
    let most = if modal.families.is_empty() { MOST_LISTED } else { MOST_EXAMPLES };
    let mut rows: Vec<Row> = modal.motions.iter().take(most).map(row).collect();
    rows.extend(more(modal.motions.len(), most));
    let head = [
        ("period", Side::Left),
        ("energy", Side::Left),
        ("spectral radius", Side::Left),
        ("in time", Side::Left),
        ("family", Side::Right),
        ("flight times", Side::Left),
    ];
    table::lines(&head, &rows)
}

/// One motion with its impacts and its state.
fn described(answer: Answer, told: &Told) -> Vec<String> {
    let modes = answer.modes();
    let motion = &told.motion;
    let mut lines = vec![format!("period   {}, {}", exact(motion.period()), verdict(told))];
    lines.push(format!("energy   {}, frequency {}", exact(motion.energy()), exact(TAU / motion.period())));
    if let Some(stability) = &told.stability {
        let word = if stability.is_neutral() { "neutrally stable" } else { "unstable" };
        lines.push(format!("{word}: spectral radius {}", short(stability.spectral_radius, 12)));
    }
    if let Some(mirror) = sequence::mirror(motion, 1e-7).filter(|_| motion.impacts() > 1) {
        let [a, b] = mirror.axes;
        lines.push(format!("its own mirror image in time about t = {} and {}", short(a, 10), short(b, 10)));
    }
    let rows: Vec<Row> = (0..motion.impacts())
        .map(|i| {
            let sigma = motion.flight_times()[i];
            Row::Cells(vec![(i + 1).to_string(), exact(motion.impact_times[i]), exact(sigma), exact(motion.lambda[i])])
        })
        .collect();
    let head =
        [("impact", Side::Right), ("time", Side::Left), ("after a flight of", Side::Left), ("lambda", Side::Left)];
    lines.extend(table::lines(&head, &rows));
    if modes.degrees_of_freedom() <= 10 && told.verdict.is_admissible() {
        let state: Vec<String> =
            state(answer, motion).iter().map(|(n, x)| format!("--start {n}={}", exact(*x))).collect();
        lines.push("begins with, just after the impact at t = 0 (as `saltation simulate` takes it):".to_string());
        lines.push(format!("  {}", state.join(" ")));
    }
    lines
}

fn continua(answer: Answer) -> Vec<String> {
    let modes = answer.modes();
    let mut lines = vec!["families at constant impact times, lambda_1 + lambda_2 constant:".to_string()];
    let row = |continuum: &Continuum| {
        Row::Cells(vec![
            short(period(continuum), 15),
            continuum.flight_times.iter().map(|sigma| short(*sigma, 12)).collect::<Vec<_>>().join(" "),
            short(continuum.total, 10),
            format!("{} to {}", short(continuum.least, 10), short(continuum.total - continuum.least, 10)),
            if continuum.bridge { "bridge to one impact per period".to_string() } else { String::new() },
            words(continuum.ends, modes),
        ])
    };
    let mut rows: Vec<Row> = answer.modal.continua.iter().take(MOST_LISTED).map(row).collect();
    rows.extend(more(answer.modal.continua.len(), MOST_LISTED));
    let head = [
        ("period", Side::Left),
        ("flights", Side::Left),
        ("sum of lambda", Side::Left),
        ("lambda_1", Side::Left),
        ("", Side::Left),
        ("both ends", Side::Left),
    ];
    lines.extend(table::lines(&head, &rows));
    lines
}

fn family(answer: Answer, index: usize, family: &Family) -> Vec<String> {
    let modes = answer.modes();
    let motions = number::count(family.motions.len() as u64, "motion");
    let mut lines = vec![format!("family {}: {motions}", index + 1)];
    let energy = |energy: f64| if energy.is_finite() { short(energy, 8) } else { "infinite".to_string() };
    let mut rows = Vec::new();
    for limit in [&family.begins, &family.ends] {
        rows.push(Row::Cells(vec![
            "end".to_string(),
            short(limit.period(), 15),
            energy(limit.energy),
            words(limit.end, modes),
        ]));
    }
    let special = family.special.iter().map(|special| {
        let remark = match special.kind {
            SpecialKind::Resonance { mode, multiple } => {
                format!("T = {multiple} T_{}: internal resonance", modes.number(mode))
            }
            SpecialKind::Symmetric => "its own mirror image in time".to_string(),
            SpecialKind::Turn => "the period turns".to_string(),
            SpecialKind::BranchPoint(_) => "another family crosses".to_string(),
        };
        let motion = &special.motion;
        let word = special.kind.name().replace('_', " ");
        Row::Cells(vec![word, short(motion.period(), 15), energy(motion.energy()), remark])
    });
    rows.splice(1..1, special);
    let head = [("", Side::Left), ("period", Side::Left), ("energy", Side::Left), ("", Side::Left)];
    lines.extend(table::lines(&head, &rows));
    lines
}

/// What it took.
fn effort(answer: Answer, seconds: f64) -> String {
    let modal = answer.modal;
    let told = match &modal.found {
        Some(found) => format!(
            "{} from {}: {} solutions, of which {} pull, {} penetrate, {} are copies of motions with fewer impacts, {} found twice",
            number::count(found.motions.len() as u64, "motion"),
            number::count(found.starts as u64, "start"),
            found.solutions,
            found.pulling,
            found.penetrating,
            found.copies,
            found.duplicates
        ),
        // Of one period the intervals around it are not told.
        None if !modal.intervals.is_empty() && answer.request.near.is_none() => {
            number::count(modal.intervals.len() as u64, "interval")
        }
        None => number::count(modal.motions.len() as u64, "motion"),
    };
    format!("{told} ({} s of computing)", short(seconds, 3))
}
