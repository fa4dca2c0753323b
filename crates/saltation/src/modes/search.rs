//! The search for nonsmooth modes: intervals of periods with one impact, random starts and families with several, and connections between both.

use crate::modes::request::Asked;
use crate::progress::Progress;
use crate::text::number::{count, short};
use saltation_modes::{
    Continuum, Family, Found, Interval, LinearModes, Motion, Single, Stability, Steps, Verdict, continuum, single,
    stability,
};

/// The number of pieces in which a range of periods is searched for connections between families.
const PIECES: usize = 200;
/// The number of motions of an interval between two reports of progress.
const MOTIONS_PER_LOOK: usize = 64;
/// With more harmonics around one period the intervals there are not computed.
const MOST_AROUND: f64 = 1e4;

/// A motion with its properties.
#[derive(Debug, Clone)]
pub(crate) struct Judged {
    /// The motion.
    pub motion: Motion,
    /// Its admissibility.
    pub verdict: Verdict,
    /// Its multipliers, if requested and existing.
    pub stability: Option<Stability>,
    /// The family it belongs to, if that was followed.
    pub family: Option<usize>,
}

/// Values that were computed.
#[derive(Debug, Clone, Default)]
pub(crate) struct Computed {
    /// Motions: one of each interval, all that a search found, or the requested one.
    pub motions: Vec<Judged>,
    /// The intervals of periods with one impact per period.
    pub intervals: Vec<Interval>,
    /// Motions along every interval, if requested.
    pub samples: Vec<Vec<Judged>>,
    /// Families that were followed.
    pub families: Vec<Family>,
    /// Families at constant impact times.
    pub continua: Vec<Continuum>,
    /// The statistics of the search.
    pub found: Option<Found>,
    /// Whether it was interrupted.
    pub interrupted: bool,
}

impl Computed {
    /// Everything that is asked for.
    pub(crate) fn of(asked: &Asked, progress: &mut dyn Progress) -> Computed {
        match (asked.impacts, asked.modes.gap() == 0.0, asked.near) {
            (1, true, _) => isolated(asked),
            (1, false, Some(period)) => one_period(asked, period),
            (1, false, None) => intervals(asked, progress),
            _ => several(asked, progress),
        }
    }

    /// Whether no admissible motion was found.
    pub(crate) fn is_empty(&self) -> bool {
        self.motions.iter().all(|judged| !judged.verdict.is_admissible()) && self.continua.is_empty()
    }

    /// How it ended, in a word.
    pub(crate) fn ended(&self) -> &'static str {
        match (self.interrupted, self.is_empty()) {
            (true, _) => "interrupted",
            (false, true) => "none_found",
            (false, false) => "done",
        }
    }
}

fn judged(asked: &Asked, motion: Motion) -> Judged {
    let modes = &asked.modes;
    let verdict = motion.verdict(modes);
    let stability = if asked.stability && verdict.is_admissible() { stability(modes, &motion) } else { None };
    Judged { motion, verdict, stability, family: None }
}

fn one_impact(asked: &Asked, period: f64) -> Judged {
    judged(asked, Single::new(&asked.modes, period).motion(&asked.modes))
}

/// Without a gap the energy is arbitrary: motions with λ = 1 represent them.
fn isolated(asked: &Asked) -> Computed {
    let modes = &asked.modes;
    let (low, high) = asked.periods;
    let unit = |period: f64| judged(asked, Motion::from_impacts(modes, vec![period], vec![1.0]));
    let motions = single::isolated(modes, low, high).into_iter().map(unit).collect();
    Computed { motions, ..Computed::default() }
}

/// The motion of one period, with the intervals around it.
fn one_period(asked: &Asked, period: f64) -> Computed {
    let (low, high) = (0.5 * period, 1.5 * period);
    let few = single::number_of_harmonics(&asked.modes, low, high) < MOST_AROUND;
    let intervals = if few { single::intervals(&asked.modes, low, high) } else { Vec::new() };
    Computed { motions: vec![one_impact(asked, period)], intervals, ..Computed::default() }
}

/// All intervals of the range, each with the motion in its middle and those along it.
fn intervals(asked: &Asked, progress: &mut dyn Progress) -> Computed {
    let mut computed = Computed::default();
    let (low, high) = asked.periods;
    computed.intervals = single::intervals_while(&asked.modes, low, high, |period| {
        let share = (period - low) / (high - low);
        let goes_on = progress.see(Some(share.min(1.0)), &|| format!("intervals up to T = {}", short(period, 6)));
        computed.interrupted |= !goes_on;
        goes_on
    });
    if computed.interrupted {
        return computed;
    }
    let all = computed.intervals.len();
    for (i, interval) in computed.intervals.iter().enumerate() {
        let mut goes_on = || progress.see(Some(i as f64 / all as f64), &|| format!("interval {} of {all}", i + 1));
        if !goes_on() {
            computed.interrupted = true;
            break;
        }
        let at = |part: f64| interval.from + part * (interval.to - interval.from);
        computed.motions.push(one_impact(asked, at(0.5)));
        let Some(points) = asked.family else { continue };
        let mut samples = Vec::new();
        for j in 0..points {
            if j % MOTIONS_PER_LOOK == MOTIONS_PER_LOOK - 1 && !goes_on() {
                computed.interrupted = true;
                break;
            }
            samples.push(one_impact(asked, at((j as f64 + 0.5) / points as f64)));
        }
        computed.samples.push(samples);
        if computed.interrupted {
            break;
        }
    }
    computed
}

/// A search, and the families of what it found.
fn several(asked: &Asked, progress: &mut dyn Progress) -> Computed {
    let modes = &asked.modes;
    let starts = asked.search.starts as f64;
    let mut goes_on = true;
    let found = asked.search.run(modes, |start, motions| {
        goes_on = progress.see(Some(start as f64 / starts), &|| count(motions as u64, "motion"));
        goes_on
    });
    let mut computed = Computed::default();
    if asked.impacts == 2 && modes.gap() != 0.0 && asked.near.is_none() && goes_on {
        (computed.continua, goes_on) = continua(asked, progress);
    }
    computed.motions = found.motions.iter().map(|motion| judged(asked, motion.clone())).collect();
    if let Some(points) = asked.family {
        goes_on = families(asked, points, &mut computed, goes_on, progress);
    }
    computed.interrupted = !goes_on;
    computed.found = Some(found);
    computed
}

/// Families at constant impact times, by their periods; and whether the search continues.
fn continua(asked: &Asked, progress: &mut dyn Progress) -> (Vec<Continuum>, bool) {
    let modes = &asked.modes;
    let starts = asked.search.starts as f64;
    let mut goes_on = true;
    let mut continua: Vec<Continuum> = Vec::new();
    // A bridge has two periods of its motion with one impact. It is searched piece by piece, so that the search can be interrupted.
    let (low, high) = (0.5 * asked.periods.0, 0.5 * asked.periods.1);
    let at = |i: usize| low + (high - low) * i as f64 / PIECES as f64;
    for i in 0..PIECES {
        goes_on =
            goes_on && progress.see(Some(i as f64 / PIECES as f64), &|| "connections between families".to_string());
        if goes_on {
            continua.extend(continuum::bridges(modes, at(i), at(i + 1)));
        }
    }
    continua.dedup_by(|a, b| a.flight_times == b.flight_times);
    continua.extend(continuum::continua(modes, &asked.search, |start, _| {
        goes_on = progress.see(Some(start as f64 / starts), &|| "families at constant impact times".to_string());
        goes_on
    }));
    continua.sort_by(|a, b| period(a).total_cmp(&period(b)));
    (continua, goes_on)
}

/// Follows the families of the motions that belong to none yet; whether the search continues.
fn families(
    asked: &Asked,
    points: usize,
    computed: &mut Computed,
    mut goes_on: bool,
    progress: &mut dyn Progress,
) -> bool {
    let steps = Steps { most: points, ..Steps::default() };
    let all = computed.motions.len() as f64;
    for (i, judged) in computed.motions.iter_mut().enumerate() {
        let known = computed.families.iter().position(|family| family.passes(&judged.motion));
        judged.family = known;
        if known.is_some() || !goes_on {
            continue;
        }
        let number = computed.families.len() + 1;
        let family = Family::of(&asked.modes, &judged.motion, &steps, |motion| {
            let words = || format!("family {number}, T = {}", short(motion.period(), 6));
            goes_on = progress.see(Some(i as f64 / all), &words);
            goes_on
        });
        if let Some(family) = family {
            judged.family = Some(computed.families.len());
            computed.families.push(family);
        }
    }
    goes_on
}

/// The period of a family at constant impact times.
pub(super) fn period(continuum: &Continuum) -> f64 {
    continuum.flight_times[0] + continuum.flight_times[1]
}

/// The stiffness G/Σ (G q²/ω²) against which a structure is pressed: held at its obstacle it has the energy g₀²/2 times this.
pub(super) fn stiffness(modes: &LinearModes) -> f64 {
    let compliance: f64 = modes.squares().iter().zip(modes.frequencies()).map(|(q, w)| q / (w * w)).sum();
    1.0 / (compliance * modes.root_mobility().powi(2))
}
