//! Which nonsmooth modes has a structure? `saltation modes`.

use crate::arguments::Modes;
use crate::input::Input;
use crate::messages;
use crate::nonsmooth_request::{self, Request};
use crate::number::{self, short};
use crate::outcome::{Outcome, Trouble, print};
use crate::progress::Progress;
use crate::{nonsmooth_json, nonsmooth_plot, nonsmooth_report};
use saltation_model::Mistake;
use saltation_modes::{
    Continuum, End, Family, Found, Interval, LinearModes, Motion, Single, Stability, Steps, Verdict, continuum,
    harmonics, single, stability,
};
use std::time::Instant;

/// A motion with what is told of it.
#[derive(Debug)]
pub struct Told {
    /// The motion.
    pub motion: Motion,
    /// Whether it is one of the system.
    pub verdict: Verdict,
    /// Its multipliers, if they were asked for and exist.
    pub stability: Option<Stability>,
    /// The family it belongs to, if that was followed.
    pub family: Option<usize>,
}

/// What was found.
#[derive(Debug, Default)]
pub struct Modal {
    /// Motions: one of each interval, all that a search found, or the one that was asked for.
    pub motions: Vec<Told>,
    /// The intervals of periods with one impact per period.
    pub intervals: Vec<Interval>,
    /// Motions along every interval, if they were asked for.
    pub samples: Vec<Vec<Told>>,
    /// Families that were followed.
    pub families: Vec<Family>,
    /// Families at constant impact times.
    pub continua: Vec<Continuum>,
    /// What the search met.
    pub found: Option<Found>,
    /// Whether it was interrupted.
    pub interrupted: bool,
}

/// A question with its answer.
#[derive(Debug, Clone, Copy)]
pub struct Answer<'a> {
    /// The model and its numbers.
    pub input: &'a Input,
    /// What was asked.
    pub request: &'a Request,
    /// What was found.
    pub modal: &'a Modal,
}

impl Answer<'_> {
    /// The linear modes.
    pub fn modes(&self) -> &LinearModes {
        &self.request.modes
    }

    /// How it ended, in a word for programs.
    pub fn ended(&self) -> &'static str {
        match (self.modal.interrupted, self.is_empty()) {
            (true, _) => "interrupted",
            (false, true) => "none_found",
            (false, false) => "done",
        }
    }

    fn is_empty(&self) -> bool {
        self.modal.motions.iter().all(|told| !told.verdict.is_admissible()) && self.modal.continua.is_empty()
    }
}

/// Runs the command.
pub fn run(arguments: &Modes) -> Outcome {
    let began = Instant::now();
    let shared = &arguments.shared;
    let (input, request) = nonsmooth_request::read(arguments)?;
    if !shared.quiet && !request.structure.left_out.is_empty() {
        request.structure.left_out.iter().for_each(|line| messages::warn(line));
    }
    at_harmonic(&request)?;
    let mut progress = Progress::begin(shared.quiet);
    let folder = shared.out.as_deref();
    folder.map(nonsmooth_json::create).transpose()?;
    let modal = match request.impacts {
        1 => one_impact(&request, &mut progress),
        _ => several(&request, &mut progress),
    };
    progress.finish();
    let answer = Answer { input: &input, request: &request, modal: &modal };
    let text = nonsmooth_json::answer(answer);
    let saved = folder.map(|folder| nonsmooth_json::write(folder, answer, &text, began)).transpose();
    let drawn = arguments.plot.as_ref().map_or(Ok(()), |file| nonsmooth_plot::figure(answer).save(file));
    let drawn = drawn.map_err(|error| Trouble::Short(error.to_string()));
    let printed = print(|output| {
        if shared.json {
            return writeln!(output, "{text}");
        }
        if !shared.quiet {
            for line in nonsmooth_report::lines(answer, began.elapsed().as_secs_f64()) {
                writeln!(output, "{line}")?;
            }
        }
        Ok(())
    });
    let files = saved?;
    drawn.and(printed)?;
    short_of(answer, files.as_deref())
}

/// In how many pieces a range of periods is looked through for bridges.
const PIECES: usize = 200;

/// A period that is a harmonic belongs to a linear mode.
fn at_harmonic(request: &Request) -> Outcome {
    let modes = &request.modes;
    // With more impacts families cross harmonics.
    let Some(period) = request.near.filter(|_| request.impacts == 1) else { return Ok(()) };
    let Some((mode, multiple)) = single::harmonic(modes, period) else { return Ok(()) };
    let resonant = together(modes, mode, multiple);
    let message = format!(
        "the period {} is a harmonic, {}: there the impacts fade, and {} with energy {}",
        short(period, 12),
        multiples(modes, &resonant).join(" = "),
        grazes(modes, &resonant),
        short(modes.grazing_energy_together(&numbers(&resonant)), 10)
    );
    let help = format!("ask a little beside it, e.g. --near {}", short(period * (1.0 - 1e-6), 12));
    Err(Trouble::input(Mistake::general(message).help(help), "command line"))
}

fn told(request: &Request, motion: Motion) -> Told {
    let modes = &request.modes;
    let verdict = motion.verdict(modes);
    let stability = if request.stability && verdict.is_admissible() { stability(modes, &motion) } else { None };
    Told { motion, verdict, stability, family: None }
}

/// All intervals of the range, or the motion of one period.
fn one_impact(request: &Request, progress: &mut Progress) -> Modal {
    let modes = &request.modes;
    let single = |period: f64| told(request, Single::new(modes, period).motion(modes));
    let mut modal = Modal::default();
    if modes.gap() == 0.0 {
        // Without gap motions have any energy: those with λ = 1 stand for them.
        let (low, high) = request.periods;
        let unit = |period: f64| Motion::from_impacts(modes, vec![period], vec![1.0]);
        modal.motions = single::isolated(modes, low, high).into_iter().map(|t| told(request, unit(t))).collect();
        return modal;
    }
    if let Some(period) = request.near {
        modal.motions.push(single(period));
        // The intervals around it, for who has missed them.
        let (low, high) = (0.5 * period, 1.5 * period);
        if single::number_of_harmonics(modes, low, high) < 1e4 {
            modal.intervals = single::intervals(modes, low, high);
        }
        return modal;
    }
    let (low, high) = request.periods;
    modal.intervals = single::intervals_while(modes, low, high, |period| {
        let share = (period - low) / (high - low);
        let goes_on = progress.tell(Some(share.min(1.0)), || format!("intervals up to T = {}", short(period, 6)));
        modal.interrupted |= !goes_on;
        goes_on
    });
    if modal.interrupted {
        return modal;
    }
    let all = modal.intervals.len();
    for (i, interval) in modal.intervals.iter().enumerate() {
        if !progress.tell(Some(i as f64 / all as f64), || format!("interval {} of {all}", i + 1)) {
            modal.interrupted = true;
            break;
        }
        let at = |part: f64| interval.from + part * (interval.to - interval.from);
        modal.motions.push(single(at(0.5)));
        let Some(points) = request.family else { continue };
        let mut samples = Vec::new();
        for j in 0..points {
            if j % 64 == 63 && !progress.tell(Some(i as f64 / all as f64), || format!("interval {} of {all}", i + 1)) {
                modal.interrupted = true;
                break;
            }
            samples.push(single(at((j as f64 + 0.5) / points as f64)));
        }
        modal.samples.push(samples);
        if modal.interrupted {
            break;
        }
    }
    modal
}

/// A search, and the families of what it found.
fn several(request: &Request, progress: &mut Progress) -> Modal {
    let modes = &request.modes;
    let mut modal = Modal::default();
    let starts = request.search.starts as f64;
    let mut goes_on = true;
    let found = request.search.run(modes, |start, motions| {
        goes_on = progress.tell(Some(start as f64 / starts), || number::count(motions as u64, "motion"));
        goes_on
    });
    if request.impacts == 2 && modes.gap() != 0.0 && request.near.is_none() && goes_on {
        // A bridge has two periods of its motion with one impact; piece by piece, so that the search can be
        // interrupted.
        let (low, high) = (0.5 * request.periods.0, 0.5 * request.periods.1);
        let at = |i: usize| low + (high - low) * i as f64 / PIECES as f64;
        for i in 0..PIECES {
            goes_on = goes_on && progress.tell(Some(i as f64 / PIECES as f64), || "bridges".to_string());
            if goes_on {
                modal.continua.extend(continuum::bridges(modes, at(i), at(i + 1)));
            }
        }
        modal.continua.dedup_by(|a, b| a.flight_times == b.flight_times);
        modal.continua.extend(continuum::continua(modes, &request.search, |start, _| {
            goes_on = progress.tell(Some(start as f64 / starts), || "families at constant impact times".to_string());
            goes_on
        }));
        modal.continua.sort_by(|a, b| period(a).total_cmp(&period(b)));
    }
    modal.motions = found.motions.iter().map(|motion| told(request, motion.clone())).collect();
    if let Some(points) = request.family {
        let steps = Steps { most: points, ..Steps::default() };
        let all = modal.motions.len() as f64;
        for (i, told) in modal.motions.iter_mut().enumerate() {
            let known = modal.families.iter().position(|family| family.passes(&told.motion));
            told.family = known;
            if known.is_some() || !goes_on {
                continue;
            }
            let number = modal.families.len() + 1;
            let family = Family::of(modes, &told.motion, &steps, |motion| {
                let message = || format!("family {number}, T = {}", short(motion.period(), 6));
                goes_on = progress.tell(Some(i as f64 / all), message);
                goes_on
            });
            if let Some(family) = family {
                told.family = Some(modal.families.len());
                modal.families.push(family);
            }
        }
    }
    modal.interrupted = !goes_on;
    modal.found = Some(found);
    modal
}

/// The period of a family at constant impact times.
pub fn period(continuum: &Continuum) -> f64 {
    continuum.flight_times[0] + continuum.flight_times[1]
}

/// Why there is no answer, and what can be done.
fn short_of(answer: Answer, files: Option<&str>) -> Outcome {
    let Answer { request, modal, .. } = answer;
    let mut lines = Vec::new();
    if modal.interrupted {
        lines.push("interrupted: what was found until then is reported".to_string());
    } else if !answer.is_empty() {
        return Ok(());
    } else if let (Some(period), Some(told)) = (request.near, modal.motions.first()) {
        lines.push(format!(
            "the motion with {} and the period {} is none of the structure: {}",
            number::count(request.impacts as u64, "impact"),
            short(period, 12),
            nonsmooth_report::verdict(told)
        ));
        let distance = |interval: &&Interval| (interval.from - period).max(period - interval.to);
        let nearest = modal.intervals.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
        lines.extend(nearest.map(|interval| {
            format!(
                "the nearest periods with such motions are {} to {}",
                short(interval.from, 12),
                short(interval.to, 12)
            )
        }));
    } else if request.impacts == 1 {
        lines.push("no motion with one impact per period has a period in this range".to_string());
        lines.push("ask for longer ones with --periods, or for more impacts with --ipp".to_string());
    } else {
        let starts = number::count(request.search.starts as u64, "start");
        lines.push(format!("no motion with {} impacts per period was found from {starts}", request.impacts));
        lines.push("try more with --search, others with --seed, or a wider range of --periods".to_string());
    }
    lines.extend(files.map(|files| format!("what was computed is saved in {files}")));
    Err(Trouble::Short(lines.join("\n  ")))
}

/// The modes, with their multiples, of which a harmonic is one.
pub fn together(modes: &LinearModes, mode: usize, multiple: usize) -> Vec<(usize, usize)> {
    let mut resonant = harmonics::resonant(modes, multiple as f64 * modes.period(mode));
    if !resonant.contains(&(mode, multiple)) {
        resonant.push((mode, multiple));
    }
    resonant
}

/// Modes without their multiples.
pub fn numbers(resonant: &[(usize, usize)]) -> Vec<usize> {
    resonant.iter().map(|(mode, _)| *mode).collect()
}

fn multiples(modes: &LinearModes, resonant: &[(usize, usize)]) -> Vec<String> {
    resonant.iter().map(|&(mode, m)| format!("{} T_{}", number::short(m as f64, 8), modes.number(mode))).collect()
}

/// Which linear modes graze at a harmonic.
fn grazes(modes: &LinearModes, resonant: &[(usize, usize)]) -> String {
    let names: Vec<String> = resonant.iter().map(|&(mode, _)| modes.number(mode).to_string()).collect();
    match names.split_last() {
        Some((last, [])) => format!("linear mode {last} grazes"),
        Some((last, others)) => format!("linear modes {} and {last} graze together", others.join(", ")),
        None => "a linear mode grazes".to_string(),
    }
}

/// An end in words.
pub fn words(end: End, modes: &LinearModes) -> String {
    match end {
        End::Harmonic { mode, multiple } => {
            let resonant = together(modes, mode, multiple);
            format!("the impacts fade: {}, T = {}", grazes(modes, &resonant), multiples(modes, &resonant).join(" = "))
        }
        End::ExtraContact { time } => format!("another contact, at t = {}", short(time, 10)),
        End::Graze { impact } => format!("impact {} loses its speed", impact + 1),
        End::Infinite => "impact speeds without bound".to_string(),
        End::Zero => "the period vanishes".to_string(),
        End::ShortFlight { flight } => format!("two impacts come together in flight {}", flight + 1),
        End::Copy { impacts } => {
            format!("it becomes a motion with {}, repeated", number::count(impacts as u64, "impact"))
        }
        End::Range => "the range ends".to_string(),
        End::Closed => "it comes back to its beginning".to_string(),
        End::Interrupted => "interrupted".to_string(),
        End::Lost => "other motions are too near to be distinguished".to_string(),
    }
}
