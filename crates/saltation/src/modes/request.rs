//! The request for nonsmooth modes: impacts per period, periods, and how far families are followed.

use crate::error::{Error, Refusal, accepted};
use crate::orbit::request::count_refusal;
use crate::system::System;
use crate::text::cut;
use crate::text::number::short;
use saltation_expr::parse::nearest;
use saltation_model::{Mistakes, Structure};
use saltation_modes::{LinearModes, Search, StructureError, harmonics, single};
use serde::{Deserialize, Serialize};

/// The largest number of impacts per period.
pub const MOST_IMPACTS: u64 = 60;
/// The largest number of starts of a search.
pub const MOST_STARTS: u64 = 100_000_000;
/// The largest number of motions of a family in each direction.
pub const MOST_POINTS: u64 = 1_000_000;
/// Defaults: starts of a search, motions of a family, and motions of an interval, unless a request says
/// otherwise.
const STARTS: u64 = 2000;
const POINTS: usize = 2000;
const SAMPLES: usize = 40;
/// The largest number of modes for which multipliers are computed by default.
const FEW_MODES: usize = 60;
/// Each interval between two harmonics is looked at.
const MOST_HARMONICS: f64 = single::MOST_HARMONICS as f64;
/// The numbers of harmonics considered by default: at most, and in larger structures.
const MANY_HARMONICS: f64 = 20_000.0;
const FEW_HARMONICS: f64 = 2_000.0;
/// Of a phase ω T above this fewer than six decimals are known in double precision.
const LARGEST_PHASE: f64 = 1e10;
/// Every minimum of the gap is looked at.
const MOST_MINIMA: f64 = 3e6;

/// A search for nonsmooth modes: every field has a default.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Request {
    /// Impacts per period, from 1 to 60.
    pub ipp: u64,
    /// The periods, from the first to the second; without it up to twice the longest linear period, of a structure with many modes
    /// only near that one.
    pub periods: Option<[f64; 2]>,
    /// Motions of this period only.
    pub near: Option<f64>,
    /// The number of random starts for motions with two or more impacts.
    pub search: u64,
    /// The seed of the random starts.
    pub seed: u64,
    /// Whether every motion is followed along its family, in both directions to its ends.
    pub family: bool,
    /// The largest number of motions of a family in each direction, without it 2000; with one impact per period the motions of every interval, without it 40.
    pub points: Option<u64>,
    /// The contact, which may be left out if the model has one only; the others are taken to stay open.
    pub contact: Option<String>,
    /// Whether multipliers are computed for any number of modes; by default for up to 60.
    pub stability: bool,
}

impl Default for Request {
    fn default() -> Request {
        Request {
            ipp: 1,
            periods: None,
            near: None,
            search: STARTS,
            seed: 1,
            family: false,
            points: None,
            contact: None,
            stability: false,
        }
    }
}

/// The question with its structure.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    /// The linear structure of the model.
    pub structure: Structure,
    /// Its linear modes.
    pub modes: LinearModes,
    /// k.
    pub impacts: usize,
    /// The periods.
    pub periods: (f64, f64),
    /// One period only.
    pub near: Option<f64>,
    /// The settings of the search for motions with two or more impacts.
    pub search: Search,
    /// Whether families are followed, and with how many motions in each direction.
    pub family: Option<usize>,
    /// Whether multipliers are computed.
    pub stability: bool,
}

impl Request {
    /// Mistakes in the request whatever the structure is.
    pub fn refusals(&self, system: &System) -> Vec<Refusal> {
        let mut list = Vec::new();
        list.extend(count_refusal("ipp", self.ipp, 1, MOST_IMPACTS));
        list.extend(self.near.and_then(no_period));
        list.extend(self.periods.and_then(no_range));
        if self.near.is_some() && self.periods.is_some() {
            list.push(Refusal::new("near", "both one period and a range of periods are given", "give one of the two"));
        }
        list.extend(count_refusal("search", self.search, 1, MOST_STARTS));
        list.extend(self.points.and_then(|points| count_refusal("points", points, 2, MOST_POINTS)));
        if self.points.is_some() && !self.family {
            let message = "a number of motions of families is given, and families are not followed";
            list.push(Refusal::new("points", message, "ask for families too, or leave it out"));
        }
        list.extend(self.contact.as_deref().and_then(|name| unknown_contact(name, system)));
        list
    }

    /// The structure, its modes, and what is asked of them.
    ///
    /// # Errors
    /// Mistakes in the request; a model that is not a linear structure with one contact.
    pub(crate) fn asked(&self, system: &System) -> Result<Asked, Error> {
        system.repeats("modes")?;
        accepted(self.refusals(system))?;
        let structure = Structure::of(system.model(), system.numbers(), self.contact.as_deref())?;
        let modes = linear_modes(system, &structure)?;
        let impacts = self.ipp as usize;
        let periods = match (self.near, self.periods) {
            // Without a gap periods are isolated, and the requested one is approximate.
            (Some(period), _) if modes.gap() == 0.0 => (0.999 * period, 1.001 * period),
            (Some(period), _) => (period, period),
            (None, Some([low, high])) => (low, high),
            (None, None) if impacts <= 2 => usual_periods(&modes),
            (None, None) => (0.0, 2.0 * modes.period(0)),
        };
        accepted(self.too_much(&modes, periods).or_else(|| self.at_harmonic(&modes)).into_iter().collect())?;
        let search = Search {
            impacts,
            // A start of no duration says nothing.
            periods: (periods.0.max(1e-3 * periods.1), periods.1),
            keep_period: self.near.is_some(),
            starts: self.search as usize,
            seed: self.seed,
        };
        let family = self.family.then(|| {
            let usual = if impacts == 1 { SAMPLES } else { POINTS };
            self.points.map_or(usual, |n| n as usize)
        });
        let stability = self.stability || modes.len() <= FEW_MODES;
        Ok(Asked { structure, modes, impacts, periods, near: self.near, search, family, stability })
    }

    /// Periods with too many harmonics, or too long for double precision.
    fn too_much(&self, modes: &LinearModes, (low, high): (f64, f64)) -> Option<Refusal> {
        let largest = modes.frequencies()[modes.len() - 1];
        if self.ipp <= 2 && self.near.is_none() && single::number_of_harmonics(modes, low, high) > MOST_HARMONICS {
            return Some(too_many_harmonics(modes, (low, high)));
        }
        if high * largest > LARGEST_PHASE {
            let message =
                "the period is so long that the phases of the vibrations cannot be resolved in double precision";
            let help = format!("ask for periods below {}", short(LARGEST_PHASE / largest, 3));
            let field = if self.near.is_some() { "near" } else { "periods" };
            return Some(Refusal::new(field, message, help));
        }
        let number = harmonics::number_of_minima(modes, self.near?);
        (number > MOST_MINIMA).then(|| {
            let message =
                format!("the gap may have some {} minima in this period, each of which decides", short(number, 2));
            let most = MOST_MINIMA / harmonics::number_of_minima(modes, 1.0);
            Refusal::new("near", message, format!("ask for periods below {}", short(most, 3)))
        })
    }

    /// A period that is a harmonic belongs to a linear mode.
    fn at_harmonic(&self, modes: &LinearModes) -> Option<Refusal> {
        // With more impacts families cross harmonics.
        let period = self.near.filter(|_| self.ipp == 1)?;
        let (mode, multiple) = single::harmonic(modes, period)?;
        let resonant = together(modes, mode, multiple);
        let (numbers, multiples): (Vec<usize>, Vec<usize>) =
            resonant.iter().map(|&(mode, multiple)| (modes.number(mode), multiple)).unzip();
        let message = format!(
            "the period {} is a harmonic, {}: there impact speeds tend to zero, and {} with energy {}",
            short(period, 12),
            multiples_of(&numbers, &multiples),
            grazes(&numbers),
            short(modes.grazing_energy_together(&modes_of(&resonant)), 10)
        );
        let help = format!("ask for a slightly different period, e.g. {}", short(period * (1.0 - 1e-6), 12));
        Some(Refusal::new("near", message, help))
    }
}

/// Mistakes in a period.
fn no_period(period: f64) -> Option<Refusal> {
    if period > 0.0 && period.is_finite() {
        return None;
    }
    let message = match period.is_nan() {
        true => "the period is not a number".to_string(),
        false => format!("near is a period, and a period is positive and finite, not {}", short(period, 10)),
    };
    Some(Refusal::new("near", message, "give for example 3.8"))
}

/// Mistakes in a range of periods.
fn no_range([low, high]: [f64; 2]) -> Option<Refusal> {
    let example = "give for example 0.5 and 1.5";
    if low.is_nan() || high.is_nan() || high.is_infinite() {
        return Some(Refusal::new("periods", "a range of periods has two finite ends", example));
    }
    if low == high {
        return Some(Refusal::new("periods", format!("the range is empty: both ends are {}", short(low, 15)), example));
    }
    if low > high {
        let message = format!("the range goes down, from {} to {}", short(low, 15), short(high, 15));
        return Some(Refusal::new("periods", message, "give the shorter period first"));
    }
    (low < 0.0).then(|| Refusal::new("periods", "a period is positive", "begin the range at 0 or above"))
}

/// An unknown contact. Models without contacts, and the choice among several, are reported for the structure.
fn unknown_contact(name: &str, system: &System) -> Option<Refusal> {
    let contacts = &system.model().contacts;
    let names = || contacts.iter().map(|contact| contact.name.as_str());
    if contacts.is_empty() || names().any(|known| known == name) {
        return None;
    }
    let help = match nearest(name, names()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("its contacts are {}", names().collect::<Vec<_>>().join(", ")),
    };
    Some(Refusal::new("contact", format!("the model has no contact `{}`", cut(name)), help))
}

fn too_many_harmonics(modes: &LinearModes, (low, high): (f64, f64)) -> Refusal {
    let number = single::number_of_harmonics(modes, low, high);
    let message = format!("there are some {} harmonics of the structure in this range of periods", short(number, 2));
    let help = format!(
        "each may bound an interval of motions: ask for fewer, e.g. {}:{}",
        short(0.99 * modes.period(0), 4),
        short(1.01 * modes.period(0), 4)
    );
    Refusal::new("periods", message, help)
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

fn linear_modes(system: &System, structure: &Structure) -> Result<LinearModes, Mistakes> {
    let Structure { mass, stiffness, normal, gap, .. } = structure;
    LinearModes::new(mass.rows, &mass.entries, &stiffness.entries, normal, *gap).map_err(|error| {
        let (place, help) = match &error {
            StructureError::NotStiff { .. } => (
                "matrices.K",
                "structures with rigid-body motions or buckling have no such modes: add a spring or a support",
            ),
            StructureError::NoContact => ("", "the gap has to depend on a coordinate: give it a weight that is not 0"),
            _ => ("matrices.M", "check the matrices of the structure"),
        };
        let model = system.model();
        model.mistakes(vec![model.mistake_at(place, error.to_string()).help(help)])
    })
}

/// The modes, by their position, with their multiples, of which a harmonic is one.
pub(crate) fn together(modes: &LinearModes, mode: usize, multiple: usize) -> Vec<(usize, usize)> {
    let mut resonant = harmonics::resonant(modes, multiple as f64 * modes.period(mode));
    if !resonant.contains(&(mode, multiple)) {
        resonant.push((mode, multiple));
    }
    resonant
}

/// Modes without their multiples.
pub(crate) fn modes_of(resonant: &[(usize, usize)]) -> Vec<usize> {
    resonant.iter().map(|(mode, _)| *mode).collect()
}

/// A harmonic as multiples of linear periods, `3 T_4 = 6 T_7`.
pub(crate) fn multiples_of(numbers: &[usize], multiples: &[usize]) -> String {
    let one = |(number, m): (&usize, &usize)| format!("{} T_{number}", short(*m as f64, 8));
    numbers.iter().zip(multiples).map(one).collect::<Vec<_>>().join(" = ")
}

/// Which linear modes graze at a harmonic, in words.
pub(crate) fn grazes(numbers: &[usize]) -> String {
    let names: Vec<String> = numbers.iter().map(usize::to_string).collect();
    match names.split_last() {
        Some((last, [])) => format!("linear mode {last} grazes"),
        Some((last, others)) => format!("linear modes {} and {last} graze together", others.join(", ")),
        None => "a linear mode grazes".to_string(),
    }
}
