//! The answer of a search for nonsmooth modes: motions, intervals, families. Its JSON is that of `modes --json`.

use crate::named::{Named, serial};
use serde::{Deserialize, Serialize};
use std::ops::Deref;

/// A periodic motion with k impacts per period.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Motion {
    /// The number of impacts in a period.
    pub ipp: usize,
    /// The period, in the model's unit of time.
    pub period: f64,
    /// The times of the impacts, the last one at the end of the period.
    #[serde(with = "serial::numbers")]
    pub impact_times: Vec<f64>,
    /// -(opening speed before the impact)/√G for every impact, G = w' M⁻¹ w.
    #[serde(with = "serial::numbers")]
    pub lambda: Vec<f64>,
    /// The energy.
    #[serde(with = "serial::number")]
    pub energy: f64,
    /// The state just after the impact at time 0; omitted in families of large structures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<Named>,
    /// 2π over the period.
    #[serde(with = "serial::number")]
    pub frequency: f64,
    /// The times between the impacts.
    #[serde(with = "serial::numbers")]
    pub flight_times: Vec<f64>,
    /// The periodicity residual: its error after a period, relative to its size.
    #[serde(with = "serial::number")]
    pub closing_error: f64,
    /// Its time-reversal symmetry, if there is one.
    pub mirror: Option<Mirror>,
}

/// A time-reversal symmetry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Mirror {
    /// Flight n has the duration of flight sum - n.
    pub sum: usize,
    /// The motion is the same for t -> 2 axis - t.
    pub axes: [f64; 2],
}

/// A motion that was requested or found, with its admissibility and stability.
///
/// Its numbers are those of [`Motion`] too: `mode.period`, `mode.energy`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Mode {
    /// The motion.
    #[serde(flatten)]
    pub motion: Motion,
    /// Whether it is admissible.
    pub admissible: bool,
    /// `admissible`, `grazing`, `pulls` or `penetrates`.
    pub verdict: String,
    /// The time and the value of the least gap between impacts, where there is a minimum.
    pub least_gap: Option<[f64; 2]>,
    /// The largest modulus of a multiplier, if multipliers were computed.
    pub spectral_radius: Option<f64>,
    /// Whether all multipliers lie on the unit circle.
    pub neutral: Option<bool>,
    /// The deviation of the multipliers from pairs with the product 1: a measure of accuracy.
    pub pairing: Option<f64>,
    /// The family it belongs to, from 0, if families were followed.
    pub family: Option<usize>,
}

impl Deref for Mode {
    type Target = Motion;

    fn deref(&self) -> &Motion {
        &self.motion
    }
}

/// Why an interval or a family ends.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum End {
    /// The impact speeds tend to zero, and the motion becomes a grazing linear mode.
    Harmonic {
        /// Which linear mode, from 1.
        mode: usize,
        /// Which multiple of its period.
        multiple: usize,
        /// All linear modes that graze there, if they are several.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        modes: Vec<usize>,
        /// The multiples of their periods.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        multiples: Vec<usize>,
    },
    /// A further contact occurs between impacts.
    ExtraContact {
        /// When, in the period that begins with an impact.
        #[serde(with = "serial::number")]
        time: f64,
    },
    /// An impact becomes a graze.
    Graze {
        /// Which, from 1.
        impact: usize,
    },
    /// The speeds are unbounded.
    #[serde(rename = "lambda_infinite")]
    Infinite,
    /// The period vanishes.
    #[serde(rename = "period_zero")]
    Zero,
    /// Two impacts merge.
    ShortFlight {
        /// In which flight, from 1.
        flight: usize,
    },
    /// It becomes the repetition of a motion with fewer impacts.
    Copy {
        /// With how many.
        impacts: usize,
    },
    /// The end of the requested range.
    Range,
    /// The family is closed.
    Closed,
    /// The computation was interrupted.
    Interrupted,
    /// Other motions are too close to be distinguished.
    Lost,
}

/// An interval of periods with one motion each, with one impact per period.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The shortest period.
    pub from: f64,
    /// The longest.
    pub to: f64,
    /// Why it begins and ends there, in a word each.
    pub ended_by: [String; 2],
    /// Why it begins there.
    pub begins: End,
    /// Why it ends there.
    pub ends: End,
    /// The energies at both ends; none where it has no bound.
    pub energies: [Option<f64>; 2],
}

/// The end of a family.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Limit {
    /// Why it ends there.
    #[serde(flatten)]
    pub end: End,
    /// The period there.
    #[serde(with = "serial::number")]
    pub period: f64,
    /// The impact times there.
    #[serde(with = "serial::numbers")]
    pub impact_times: Vec<f64>,
    /// The energy there; none where it has no bound.
    pub energy: Option<f64>,
}

/// A singular point of a family.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Special {
    /// The motion.
    #[serde(flatten)]
    pub motion: Motion,
    /// `resonance`, `symmetric`, `turn` or `branch_point`.
    pub kind: String,
    /// It lies between this point of the family and the next.
    pub index: usize,
    /// Of an internal resonance: the linear mode, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<usize>,
    /// Of an internal resonance: the multiple of its period.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub multiple: Option<usize>,
}

/// A family of motions, followed in both directions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Family {
    /// Why it begins and ends, in a word each.
    pub ended_by: [String; 2],
    /// Where it begins.
    pub begins: Limit,
    /// Where it ends.
    pub ends: Limit,
    /// Motions along it.
    pub points: Vec<Motion>,
    /// The singular points.
    pub special: Vec<Special>,
}

/// A family at constant impact times.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Continuum {
    /// The durations of both flights.
    pub flight_times: [f64; 2],
    /// Their sum.
    pub period: f64,
    /// λ_1 + λ_2, which is the same for all.
    pub total: f64,
    /// The least and the largest λ_1.
    pub lambda_1: [f64; 2],
    /// Whether it joins a motion with one impact per period.
    pub bridge: bool,
    /// Why it ends, in a word; both ends are time reversals of each other.
    pub ended_by: String,
    /// Why it ends.
    pub ends: End,
    /// Energies along it.
    pub energies: ContinuumEnergies,
}

/// Energies along a family at constant impact times.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ContinuumEnergies {
    /// In its middle.
    #[serde(with = "serial::number")]
    pub middle: f64,
    /// At both ends.
    #[serde(with = "serial::number")]
    pub ends: f64,
}

/// The statistics of a search from random starts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Effort {
    /// The number of starts.
    pub starts: usize,
    /// The seed of the starts.
    pub seed: u64,
    /// The number of starts from which Newton's method converged.
    pub solutions: usize,
    /// The number of solutions with a tensile impulse, or with a period outside of the range.
    pub pulling: usize,
    /// The number of solutions that penetrate between impacts.
    pub penetrating: usize,
    /// The number of solutions that repeat motions with fewer impacts.
    pub copies: usize,
    /// The number of solutions found before.
    pub duplicates: usize,
    /// The number of remaining motions.
    pub admissible: usize,
}

/// A linear mode that the contact moves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LinearMode {
    /// Its number among all, from 1.
    pub mode: usize,
    /// Its angular frequency.
    pub frequency: f64,
    /// Its period.
    pub period: f64,
    /// Its share in the response of the contact to an impulse.
    pub share: f64,
    /// The energy at which it grazes the obstacle.
    #[serde(with = "serial::number")]
    pub grazing_energy: f64,
    /// The relative error of the frequency due to rounding of the matrices.
    #[serde(with = "serial::number")]
    pub uncertainty: f64,
}

/// Harmonics that coincide within the rounding errors of the matrices.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Blurred {
    /// Their mean distance.
    pub distance: f64,
    /// The error of their times.
    pub uncertainty: f64,
}

/// The answer of a search for nonsmooth modes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The angular frequencies of all linear modes, lowest first.
    pub frequencies: Vec<f64>,
    /// Motions: the middle one of each interval, all that a search found, or the requested one.
    pub modes: Vec<Mode>,
    /// The intervals of periods with one impact per period.
    pub intervals: Vec<Interval>,
    /// How it ended, in a word: `done`, `none_found` or `interrupted`.
    pub ended: String,
    /// The number of impacts per period.
    pub ipp: usize,
    /// The range of periods.
    pub periods: [f64; 2],
    /// Motions along every interval, if requested.
    pub samples: Vec<Vec<Mode>>,
    /// Families, if requested.
    pub families: Vec<Family>,
    /// Families at constant impact times.
    pub continua: Vec<Continuum>,
    /// The statistics of a search from random starts, if there was one.
    pub search: Option<Effort>,
    /// The contact.
    pub contact: String,
    /// Its gap at rest.
    pub gap: f64,
    /// G = w' M⁻¹ w.
    pub mobility: f64,
    /// The linear modes that the contact moves.
    pub modes_in_contact: Vec<LinearMode>,
    /// The largest residual of a linear mode.
    #[serde(with = "serial::number")]
    pub residual: f64,
    /// The relative errors of all frequencies.
    #[serde(with = "serial::numbers")]
    pub uncertainties: Vec<f64>,
    /// Harmonics that are too close to be distinguished.
    pub blurred: Option<Blurred>,
    /// The parts of the model that are ignored, in sentences.
    pub left_out: Vec<String>,
    /// The name of the model.
    pub model: String,
    /// The SHA-256 fingerprint of the model.
    pub fingerprint: String,
    /// The values of the parameters.
    pub parameters: Named,
}
