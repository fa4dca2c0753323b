//! Which nonsmooth modes are asked for? The flags of `modes`.

use crate::arguments::Modes;
use crate::flag::{Flag, Known, collect};
use crate::input::{self, Input};
use crate::number::short;
use crate::outcome::Trouble;
use crate::{request, span};
use saltation_expr::parse::nearest;
use saltation_model::{Mistake, Mistakes, Model, Structure};
use saltation_modes::{LinearModes, Search, StructureError, harmonics, single};

/// More impacts than this in a period are not looked for.
const MOST_IMPACTS: u64 = 60;
/// The most starts of a search.
const MOST_STARTS: u64 = 100_000_000;
/// The most motions of a family each way.
const MOST_POINTS: u64 = 1_000_000;
/// Usual numbers.
const STARTS: usize = 2000;
const POINTS: usize = 2000;
const SAMPLES: usize = 40;

/// What is asked.
#[derive(Debug)]
pub struct Request {
    /// What of the model is a linear structure.
    pub structure: Structure,
    /// Its linear modes.
    pub modes: LinearModes,
    /// k.
    pub impacts: usize,
    /// The periods.
    pub periods: (f64, f64),
    /// One period only.
    pub near: Option<f64>,
    /// Where motions with two or more impacts are looked for.
    pub search: Search,
    /// Whether families are followed, and with how many motions each way.
    pub family: Option<usize>,
    /// Whether multipliers are computed.
    pub stability: bool,
    /// Three states for the manifold.
    pub coordinates: Vec<usize>,
}

/// Multipliers are computed unasked for up to so many modes.
const FEW_MODES: usize = 60;

/// Reads the model and all flags.
///
/// # Errors
/// All mistakes in them; and a model that is no linear structure with one contact.
pub fn read(arguments: &Modes) -> Result<(Input, Request), Trouble> {
    let mut mistakes = Vec::new();
    let input = input::read_numbers(&arguments.shared, &mut mistakes)?;
    let wrong = &mut mistakes;
    let structure = Structure::of(&input.model, &input.values, arguments.contact.as_deref());
    let structure = collect(structure, wrong);
    let modes = structure.as_ref().and_then(|structure| collect(linear_modes(&input, structure), wrong));
    let known = Known::parameters(&input.model, &input.values);
    let impacts = collect(Flag::new("--ipp", &arguments.ipp).count_between(1, MOST_IMPACTS), wrong);
    let near = arguments.near.as_ref().map(|text| positive(Flag::new("--near", text), known));
    let near = near.and_then(|near| collect(near, wrong));
    let span = arguments.periods.as_ref().map(|text| {
        let flag = Flag::new("--periods", text);
        let span = span::range(flag, known, &input.model, None)?;
        match span {
            _ if span.points.is_some() => Err(flag.mistake("--periods needs no number of points", "write LO:HI")),
            _ if span.low < 0.0 => Err(flag.mistake("periods are positive", "begin the range at 0 or above")),
            _ => Ok(span),
        }
    });
    let span = span.and_then(|span| collect(span, wrong));
    let mut count = |name: &'static str, text: &Option<String>, least: u64, most: u64| {
        let flag = text.as_ref().map(|text| Flag::new(name, text).count_between(least, most));
        flag.and_then(|count| collect(count, wrong))
    };
    let starts = count("--search", &arguments.search, 1, MOST_STARTS);
    let seed = count("--seed", &arguments.seed, 0, u64::MAX);
    let points = count("--points", &arguments.points, 2, MOST_POINTS);
    let coordinates = arguments.coordinates.as_ref().map(|text| states(Flag::new("--coordinates", text), &input.model));
    let coordinates = coordinates.and_then(|list| collect(list, wrong));
    arguments.plot.as_ref().and_then(|file| collect(request::figure_file(file), wrong));
    let (Some(structure), Some(modes), Some(impacts)) = (structure, modes, impacts) else {
        return Err(Trouble::Input(mistakes));
    };
    let longest = modes.period(0);
    let periods = match (near, span) {
        // Without a gap periods are isolated, and one is asked for about.
        (Some(period), _) if modes.gap() == 0.0 => (0.999 * period, 1.001 * period),
        (Some(period), _) => (period, period),
        (None, Some(span)) => (span.low, span.high),
        (None, None) if impacts <= 2 => usual_periods(&modes),
        (None, None) => (0.0, 2.0 * longest),
    };
    if impacts <= 2 && near.is_none() && single::number_of_harmonics(&modes, periods.0, periods.1) > MOST_HARMONICS {
        mistakes.push(too_many(&modes, arguments, periods));
    } else if periods.1 * modes.frequencies()[modes.len() - 1] > LARGEST_PHASE {
        mistakes.push(too_long(&modes, arguments));
    } else if let (Some(period), Some(text)) = (near, &arguments.near)
        && harmonics::number_of_minima(&modes, period) > MOST_MINIMA
    {
        mistakes.push(too_many_minima(&modes, Flag::new("--near", text), period));
    }
    if !mistakes.is_empty() {
        return Err(Trouble::Input(mistakes));
    }
    let impacts = impacts as usize;
    let search = Search {
        impacts,
        // A start of no duration says nothing.
        periods: (periods.0.max(1e-3 * periods.1), periods.1),
        keep_period: near.is_some(),
        starts: starts.map_or(STARTS, |n| n as usize),
        seed: seed.unwrap_or(1),
    };
    let family = arguments.family.then(|| {
        let usual = if impacts == 1 { SAMPLES } else { POINTS };
        points.map_or(usual, |n| n as usize)
    });
    let stability = arguments.stability || modes.len() <= FEW_MODES;
    let coordinates = coordinates.unwrap_or_else(|| usual_coordinates(&input.model, &structure));
    Ok((input, Request { structure, modes, impacts, periods, near, search, family, stability, coordinates }))
}

/// Up to twice the longest period; of a structure with many modes some two thousand harmonics below the longest period.
fn usual_periods(modes: &LinearModes) -> (f64, f64) {
    let longest = modes.period(0);
    let harmonics = single::number_of_harmonics(modes, 0.0, 2.0 * longest);
    if harmonics <= MANY_HARMONICS {
        return (0.0, 2.0 * longest);
    }
    (longest * (1.0 - 2.0 * FEW_HARMONICS / harmonics), longest * (1.0 + 1e-9))
}

/// Up to so many harmonics are looked at unasked, and else so many.
const MANY_HARMONICS: f64 = 20_000.0;
const FEW_HARMONICS: f64 = 2_000.0;

/// Each interval between two harmonics is looked at.
const MOST_HARMONICS: f64 = single::MOST_HARMONICS as f64;

/// Of a phase ω T above this fewer than six decimals are known in double precision.
const LARGEST_PHASE: f64 = 1e10;

fn too_long(modes: &LinearModes, arguments: &Modes) -> Mistakes {
    let message = "the period is so long that the phases of the vibrations are not known any more in double precision";
    let help = format!("ask for periods below {}", short(LARGEST_PHASE / modes.frequencies()[modes.len() - 1], 3));
    match (&arguments.near, &arguments.periods) {
        (Some(text), _) => Flag::new("--near", text).mistake(message, help),
        (None, text) => Flag::new("--periods", text.as_deref().unwrap_or("0:1")).mistake(message, help),
    }
}

/// Every minimum of the gap is looked at.
const MOST_MINIMA: f64 = 3e6;

fn too_many_minima(modes: &LinearModes, near: Flag, period: f64) -> Mistakes {
    let number = harmonics::number_of_minima(modes, period);
    let message = format!("the gap may have some {} minima in this period, each of which decides", short(number, 2));
    let most = MOST_MINIMA / harmonics::number_of_minima(modes, 1.0);
    near.mistake(message, format!("ask for periods below {}", short(most, 3)))
}

fn too_many(modes: &LinearModes, arguments: &Modes, (low, high): (f64, f64)) -> Mistakes {
    let number = single::number_of_harmonics(modes, low, high);
    let message = format!("there are some {} harmonics of the structure in this range of periods", short(number, 2));
    let help = format!(
        "each may bound an interval of motions: ask for fewer, e.g. --periods {}:{}",
        { short(0.99 * modes.period(0), 4) },
        short(1.01 * modes.period(0), 4)
    );
    match &arguments.periods {
        Some(text) => Flag::new("--periods", text).mistake(message, help),
        None => Mistakes {
            file: arguments.shared.model.clone(),
            text: String::new(),
            list: vec![Mistake::general(message).help(help)],
        },
    }
}

/// A positive number.
fn positive(flag: Flag, known: Known) -> Result<f64, Mistakes> {
    match flag.number(known)? {
        value if value > 0.0 => Ok(value),
        value => {
            let message = format!("{} is a period, and a period is positive, not {}", flag.name(), short(value, 10));
            Err(flag.mistake(message, "write for example --near 3.8"))
        }
    }
}

fn linear_modes(input: &Input, structure: &Structure) -> Result<LinearModes, Mistakes> {
    let Structure { mass, stiffness, normal, gap, .. } = structure;
    LinearModes::new(mass.rows, &mass.entries, &stiffness.entries, normal, *gap).map_err(|error| {
        let (place, help) = match &error {
            StructureError::NotStiff { .. } => (
                "matrices.K",
                "a structure that moves as a whole, or buckles, has no modes of this kind: hold it by a spring or a support",
            ),
            StructureError::NoContact => ("", "the gap has to depend on a coordinate: give it a weight that is not 0"),
            _ => ("matrices.M", "check the matrices of the structure"),
        };
        input.model.mistakes(vec![input.model.mistake_at(place, error.to_string()).help(help)])
    })
}

/// Three names of coordinates or velocities.
fn states(flag: Flag, model: &Model) -> Result<Vec<usize>, Mistakes> {
    let mut found = Vec::new();
    let mut at = 0;
    for name in flag.value().split(',') {
        let part = at..at + name.len();
        at = part.end + 1;
        let names = || model.states.iter().map(|state| state.name.as_str());
        match model.state(name.trim()) {
            Some(state) if Some(state) != model.phase.as_ref().map(|phase| phase.state) => found.push(state),
            _ => {
                let help = match nearest(name.trim(), names()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "give coordinates or velocities of the model".to_string(),
                };
                let message = format!("the model has no coordinate or velocity `{}`", crate::flag::cut(name.trim()));
                let length = flag.value().len();
                let part = if part.is_empty() { part.start.min(length.saturating_sub(1))..length } else { part };
                return Err(flag.mistake_in(part, message, help));
            }
        }
    }
    if found.len() != 3 {
        let message = format!("a manifold is projected on three coordinates, and these are {}", found.len());
        return Err(flag.mistake(message, "write for example --coordinates u4,u5,v5"));
    }
    Ok(found)
}

/// The coordinate that counts most in the gap, its velocity, and the coordinate before it, or after it if it is the
/// first.
fn usual_coordinates(model: &Model, structure: &Structure) -> Vec<usize> {
    let Some(mechanics) = model.body.mechanics() else { return Vec::new() };
    let weight = |i: &usize| structure.normal[*i].abs();
    let n = structure.normal.len();
    let most = (0..n).max_by(|i, j| weight(i).total_cmp(&weight(j))).unwrap_or(0);
    let other = if most > 0 { most - 1 } else { (most + 1).min(n - 1) };
    vec![mechanics.coordinates[other], mechanics.coordinates[most], mechanics.velocities[most]]
}
