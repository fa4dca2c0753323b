//! The report of nonsmooth modes: linear modes, intervals or motions, families, and effort.

use crate::modes::answer::{Answer, Continuum, End, Family, Interval, Mode, Special};
use crate::modes::request::{grazes, multiples_of};
use crate::modes::{Modes, search::Judged};
use crate::text::columns::{self, Row, Side};
use crate::text::number::{self, exact, short};
use saltation_modes::Verdict;
use saltation_numerics::elementary;

/// The largest number of rows in a table; --json and --out have all.
const MOST_LISTED: usize = 60;
/// The largest number of motions listed before their families.
const MOST_EXAMPLES: usize = 12;
/// The largest number of linear modes that are listed.
const MOST_FREQUENCIES: usize = 12;
/// The largest number of motions that are described one by one.
const MOST_DESCRIBED: usize = 8;
/// The states of larger structures do not fit in a line.
const MOST_DEGREES: usize = 10;
/// Relative errors of frequencies that are invisible in twelve digits.
const INVISIBLE_ERROR: f64 = 5e-13;

/// The whole report.
pub(super) fn lines(found: &Modes) -> Vec<String> {
    let Modes { system, request, answer, .. } = found;
    let mut lines = vec![system.headline()];
    let changed = system.changed();
    if !changed.is_empty() {
        lines.push(format!("with     {}", changed.join(", ")));
    }
    lines.push(format!("contact  {}, gap at equilibrium {}", answer.contact, short(answer.gap, 12)));
    let asked = match request.near {
        Some(near) => format!("of the period {}", short(near, 12)),
        None => format!("with periods from {} to {}", short(answer.periods[0], 8), short(answer.periods[1], 8)),
    };
    lines.push(format!("modes    {} per period, {asked}", number::count(request.ipp, "impact")));
    lines.push(String::new());
    lines.extend(linear(answer));
    if answer.gap == 0.0 {
        lines.push(String::new());
        lines.push(
            "without a gap motions can be scaled arbitrarily: there are isolated periods and no families,".into(),
        );
        lines.push("and the motions listed have lambda = 1 (one impact) or lambda' lambda = 1 (several)".into());
    }
    if !answer.intervals.is_empty() && request.near.is_none() {
        lines.push(String::new());
        lines.extend(intervals(answer));
    }
    if answer.ipp > 1 || request.near.is_some() || answer.gap == 0.0 {
        lines.push(String::new());
        lines.extend(motions(found));
    }
    if !answer.continua.is_empty() {
        lines.push(String::new());
        lines.extend(continua(answer));
    }
    for (i, family) in answer.families.iter().enumerate().take(MOST_LISTED) {
        lines.push(String::new());
        lines.extend(self::family(i, family));
    }
    lines.push(String::new());
    lines.push(effort(found));
    lines
}

/// The linear modes that the contact moves.
fn linear(answer: &Answer) -> Vec<String> {
    let modes = &answer.modes_in_contact;
    let mut rows: Vec<Row> = Vec::new();
    for mode in modes.iter().take(MOST_FREQUENCIES) {
        let energy = if answer.gap == 0.0 { String::new() } else { short(mode.grazing_energy, 10) };
        rows.push(Row::Cells(vec![
            mode.mode.to_string(),
            known(mode.frequency, mode.uncertainty, 12),
            known(mode.period, mode.uncertainty, 12),
            short(mode.share, 6),
            energy,
        ]));
    }
    if let Some(last) = modes.last().filter(|_| modes.len() > MOST_FREQUENCIES) {
        let up_to = short(last.frequency, 8);
        rows.push(Row::Remark(format!("… {} more, up to {up_to} …", modes.len() - MOST_FREQUENCIES)));
    }
    match answer.frequencies.len().saturating_sub(modes.len()) {
        0 => {}
        silent => {
            let modes = if silent == 1 { "1 mode does".to_string() } else { format!("{silent} modes do") };
            rows.push(Row::Remark(format!("{modes} not move the contact, or have the frequency of another mode")));
        }
    }
    let worst = modes.iter().fold(0.0_f64, |worst, mode| worst.max(mode.uncertainty));
    if worst > INVISIBLE_ERROR {
        rows.push(Row::Remark(format!(
            "rounding of the entries of M and K limits the relative accuracy of frequencies to {} (residuals {}): only correct digits are shown",
            short(worst, 2),
            short(answer.residual, 2)
        )));
    }
    if let Some(blurred) = &answer.blurred {
        rows.push(Row::Remark(format!(
            "harmonics have a mean distance of {} and are known to {}: intervals between them are those of the matrices as given, to the last digit",
            short(blurred.distance, 2),
            short(blurred.uncertainty, 2)
        )));
    }
    let head = [
        ("linear mode", Side::Right),
        ("frequency", Side::Left),
        ("period T_p", Side::Left),
        ("share in contact", Side::Left),
        ("grazes with energy", Side::Left),
    ];
    columns::lines(&head, &rows)
}

/// A number with a relative error, with at most this number of digits, all of which are correct: the error is not more than
/// half a unit of the last one.
fn known(x: f64, part: f64, most: usize) -> String {
    let size = elementary::log10(x.abs());
    let unit = |digits: usize| elementary::powf(10_f64, size.floor() + 1.0 - digits as f64);
    let digits = (1..=most).rev().find(|digits| part * x.abs() <= 0.5 * unit(*digits)).unwrap_or(1);
    short(x, digits)
}

/// The spectral radius of a motion, if its multipliers were computed.
fn radius(mode: &Mode) -> String {
    match (mode.neutral, mode.spectral_radius) {
        (Some(true), _) => "neutral".to_string(),
        (_, Some(radius)) => short(radius, 6),
        _ => String::new(),
    }
}

fn energy(energy: Option<f64>, digits: usize) -> String {
    energy.map_or("infinite".to_string(), |energy| short(energy, digits))
}

fn intervals(answer: &Answer) -> Vec<String> {
    let listed = answer.intervals.iter().zip(answer.modes.iter().map(Some).chain(std::iter::repeat(None)));
    let row = |(interval, middle): (&Interval, Option<&Mode>)| {
        Row::Cells(vec![
            short(interval.from, 15),
            short(interval.to, 15),
            energy(interval.energies[0], 6),
            energy(interval.energies[1], 6),
            middle.map(radius).unwrap_or_default(),
            words(&interval.begins),
            words(&interval.ends),
        ])
    };
    let mut rows: Vec<Row> = listed.take(MOST_LISTED).map(row).collect();
    rows.extend(more(answer.intervals.len(), MOST_LISTED));
    let head = [
        ("from T", Side::Left),
        ("to T", Side::Left),
        ("energy from", Side::Left),
        ("to", Side::Left),
        ("radius in the middle", Side::Left),
        ("begins with", Side::Left),
        ("ends where", Side::Left),
    ];
    columns::lines(&head, &rows)
}

/// A remark where not all rows are shown.
fn more(rows: usize, most: usize) -> Option<Row> {
    (rows > most).then(|| Row::Remark(format!("… {} more; --json and --out have all …", rows - most)))
}

/// An end in words.
pub(super) fn words(end: &End) -> String {
    match end {
        End::Harmonic { mode, multiple, modes, multiples } => {
            let (mode, multiple) = ([*mode], [*multiple]);
            let (modes, multiples): (&[usize], &[usize]) =
                if modes.is_empty() { (&mode, &multiple) } else { (modes, multiples) };
            format!("impact speeds tend to zero: {}, T = {}", grazes(modes), multiples_of(modes, multiples))
        }
        End::ExtraContact { time } => format!("another contact, at t = {}", short(*time, 10)),
        End::Graze { impact } => format!("impact {impact} becomes a graze"),
        End::Infinite => "unbounded impact speeds".to_string(),
        End::Zero => "the period vanishes".to_string(),
        End::ShortFlight { flight } => format!("two impacts merge: flight {flight} vanishes"),
        End::Copy { impacts } => {
            format!("a repeated motion with {}", number::count(*impacts as u64, "impact"))
        }
        End::Range => "the end of the range".to_string(),
        End::Closed => "closed: it returns to its start".to_string(),
        End::Interrupted => "interrupted".to_string(),
        End::Lost => "other motions are too close to be distinguished".to_string(),
    }
}

/// The admissibility of a motion, in words.
pub(super) fn verdict(judged: &Judged) -> String {
    match judged.verdict {
        Verdict::Admissible => "admissible".to_string(),
        Verdict::Grazing => "admissible, grazing".to_string(),
        Verdict::Pulls { .. } if judged.motion.impacts() == 1 => {
            "its impulse is tensile; with a gap of the other sign it would be compressive".to_string()
        }
        Verdict::Pulls { impact } => format!("the impulse of impact {} is tensile", impact + 1),
        Verdict::Penetrates(least) => {
            format!("the gap is {} at t = {}", short(least.gap, 4), short(least.time, 10))
        }
    }
}

fn motions(found: &Modes) -> Vec<String> {
    let Modes { answer, computed, .. } = found;
    let modes = &answer.modes;
    if modes.is_empty() {
        return vec!["no motion".to_string()];
    }
    if modes.len() <= MOST_DESCRIBED {
        let mut lines = Vec::new();
        for (i, (mode, judged)) in modes.iter().zip(&computed.motions).enumerate() {
            if i > 0 {
                lines.push(String::new());
            }
            lines.extend(described(answer, mode, judged));
        }
        return lines;
    }
    let row = |mode: &Mode| {
        let sigmas: Vec<String> = mode.flight_times.iter().map(|sigma| short(*sigma, 6)).collect();
        Row::Cells(vec![
            short(mode.period, 12),
            short(mode.energy, 8),
            radius(mode),
            if mode.mirror.is_some() { "symmetric".to_string() } else { String::new() },
            mode.family.map(|family| (family + 1).to_string()).unwrap_or_default(),
            sigmas.join(" "),
        ])
    };
    // Where families are judged, their motions are only examples.
    let most = if answer.families.is_empty() { MOST_LISTED } else { MOST_EXAMPLES };
    let mut rows: Vec<Row> = modes.iter().take(most).map(row).collect();
    rows.extend(more(modes.len(), most));
    let head = [
        ("period", Side::Left),
        ("energy", Side::Left),
        ("spectral radius", Side::Left),
        ("in time", Side::Left),
        ("family", Side::Right),
        ("flight times", Side::Left),
    ];
    columns::lines(&head, &rows)
}

/// One motion with its impacts and its state.
fn described(answer: &Answer, mode: &Mode, judged: &Judged) -> Vec<String> {
    let mut lines = vec![format!("period   {}, {}", exact(mode.period), verdict(judged))];
    lines.push(format!("energy   {}, frequency {}", exact(mode.energy), exact(mode.frequency)));
    if let Some(radius) = mode.spectral_radius {
        let word = if mode.neutral == Some(true) { "neutrally stable" } else { "unstable" };
        lines.push(format!("{word}: spectral radius {}", short(radius, 12)));
    }
    if let Some(mirror) = mode.mirror.as_ref().filter(|_| mode.ipp > 1) {
        let [a, b] = mirror.axes;
        lines.push(format!("symmetric under time reversal about t = {} and {}", short(a, 10), short(b, 10)));
    }
    let impacts = mode.impact_times.iter().zip(&mode.flight_times).zip(&mode.lambda).enumerate();
    let row = |(i, ((time, sigma), lambda)): (usize, ((&f64, &f64), &f64))| {
        Row::Cells(vec![(i + 1).to_string(), exact(*time), exact(*sigma), exact(*lambda)])
    };
    let rows: Vec<Row> = impacts.map(row).collect();
    let head =
        [("impact", Side::Right), ("time", Side::Left), ("after a flight of", Side::Left), ("lambda", Side::Left)];
    lines.extend(columns::lines(&head, &rows));
    let few = answer.frequencies.len() <= MOST_DEGREES && mode.admissible;
    if let Some(state) = mode.state.as_ref().filter(|_| few) {
        let state: Vec<String> = state.iter().map(|(n, x)| format!("--start {n}={}", exact(x))).collect();
        lines.push("state just after the impact at t = 0, as flags of `saltation simulate`:".to_string());
        lines.push(format!("  {}", state.join(" ")));
    }
    lines
}

fn continua(answer: &Answer) -> Vec<String> {
    let mut lines = vec!["families at constant impact times, lambda_1 + lambda_2 constant:".to_string()];
    let row = |continuum: &Continuum| {
        Row::Cells(vec![
            short(continuum.period, 15),
            continuum.flight_times.iter().map(|sigma| short(*sigma, 12)).collect::<Vec<_>>().join(" "),
            short(continuum.total, 10),
            format!("{} to {}", short(continuum.lambda_1[0], 10), short(continuum.lambda_1[1], 10)),
            if continuum.bridge { "connection to one impact per period".to_string() } else { String::new() },
            words(&continuum.ends),
        ])
    };
    let mut rows: Vec<Row> = answer.continua.iter().take(MOST_LISTED).map(row).collect();
    rows.extend(more(answer.continua.len(), MOST_LISTED));
    let head = [
        ("period", Side::Left),
        ("flights", Side::Left),
        ("sum of lambda", Side::Left),
        ("lambda_1", Side::Left),
        ("", Side::Left),
        ("both ends", Side::Left),
    ];
    lines.extend(columns::lines(&head, &rows));
    lines
}

fn family(index: usize, family: &Family) -> Vec<String> {
    let motions = number::count(family.points.len() as u64, "motion");
    let mut lines = vec![format!("family {}: {motions}", index + 1)];
    let mut rows = Vec::new();
    for limit in [&family.begins, &family.ends] {
        rows.push(Row::Cells(vec![
            "end".to_string(),
            short(limit.period, 15),
            energy(limit.energy, 8),
            words(&limit.end),
        ]));
    }
    let special = |special: &Special| {
        let remark = match (special.kind.as_str(), special.mode, special.multiple) {
            (_, Some(mode), Some(multiple)) => format!("T = {multiple} T_{mode}: internal resonance"),
            ("symmetric", ..) => "symmetric under time reversal".to_string(),
            ("turn", ..) => "fold: the period has an extremum".to_string(),
            ("branch_point", ..) => "another family crosses".to_string(),
            _ => String::new(),
        };
        let motion = &special.motion;
        let finite = Some(motion.energy).filter(|energy| energy.is_finite());
        Row::Cells(vec![special.kind.replace('_', " "), short(motion.period, 15), energy(finite, 8), remark])
    };
    rows.splice(1..1, family.special.iter().map(special));
    let head = [("", Side::Left), ("period", Side::Left), ("energy", Side::Left), ("", Side::Left)];
    lines.extend(columns::lines(&head, &rows));
    lines
}

/// The effort.
fn effort(found: &Modes) -> String {
    let answer = &found.answer;
    let judged = match &answer.search {
        Some(effort) => format!(
            "{} from {}: {} solutions, of which {} have tensile impulses, {} penetrate, {} repeat motions with fewer impacts, {} were found twice",
            number::count(effort.admissible as u64, "motion"),
            number::count(effort.starts as u64, "start"),
            effort.solutions,
            effort.pulling,
            effort.penetrating,
            effort.copies,
            effort.duplicates
        ),
        // Of one period the intervals around it are not judged.
        None if !answer.intervals.is_empty() && found.request.near.is_none() => {
            number::count(answer.intervals.len() as u64, "interval")
        }
        None => number::count(answer.modes.len() as u64, "motion"),
    };
    format!("{judged} ({} s of computing)", short(found.wall_time.as_secs_f64(), 3))
}

/// Why the answer is missing or incomplete, and what can be done.
pub(super) fn ended_short(found: &Modes) -> Vec<String> {
    let Modes { request, answer, computed, .. } = found;
    if computed.interrupted {
        return vec!["interrupted: what was found until then is reported".to_string()];
    }
    if !computed.is_empty() {
        return Vec::new();
    }
    if let (Some(period), Some(judged)) = (request.near, computed.motions.first()) {
        let mut lines = vec![format!(
            "the motion with {} and the period {} is not admissible: {}",
            number::count(request.ipp, "impact"),
            short(period, 12),
            verdict(judged)
        )];
        let distance = |interval: &&Interval| (interval.from - period).max(period - interval.to);
        let nearest = answer.intervals.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
        lines.extend(nearest.map(|interval| {
            let (from, to) = (short(interval.from, 12), short(interval.to, 12));
            format!("the nearest periods with admissible motions are {from} to {to}")
        }));
        return lines;
    }
    if answer.ipp == 1 {
        return vec![
            "no motion with one impact per period has a period in this range".to_string(),
            "try longer periods with --periods, or more impacts with --ipp".to_string(),
        ];
    }
    let starts = number::count(request.search, "start");
    vec![
        format!("no motion with {} impacts per period was found from {starts}", request.ipp),
        "try more with --search, others with --seed, or a wider range of --periods".to_string(),
    ]
}
