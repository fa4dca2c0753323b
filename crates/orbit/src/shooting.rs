//! Which motion repeats? A search from a start, or from where the motion settles.

use saltation_model::Values;
use saltation_motion::System;

use crate::ended::Ended;
use crate::newton::{self, Chain, Iterate, Rule};
use crate::orbit::Orbit;
use crate::return_map::{Failure, Point, ReturnMap, follow};

/// What is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The section, by its position in [`System::section_names`].
    pub section: usize,
    /// After how many returns the orbit repeats.
    pub returns: u64,
    /// How many returns are followed before the search begins.
    pub settle: u64,
    /// The tolerance of the motion.
    pub tolerance: f64,
    /// How well the orbit has to close, relative to the size of each state; Newton's method goes on as far as rounding lets it.
    pub closure: f64,
    /// The most steps of Newton's method.
    pub iterations: usize,
}

impl Settings {
    /// The default for orbits through a section.
    pub fn through(section: usize) -> Settings {
        Settings { section, returns: 1, settle: 0, tolerance: 1e-12, closure: 1e-9, iterations: 50 }
    }
}

/// What came of a search.
#[derive(Debug, Clone)]
pub struct Search {
    /// How it ended.
    pub ended: Ended,
    /// The orbit, if one was found.
    pub orbit: Option<Orbit>,
    /// The steps of Newton's method.
    pub history: Vec<Iterate>,
    /// How many returns were followed in all, a measure of the cost.
    pub returns: u64,
}

/// A settled motion is looked at for periods up to so many returns.
const LONGEST_PERIOD: usize = 64;
/// A settled motion that misses itself by less than this, relative to the size of each state, is taken as periodic.
const SETTLED: f64 = 1e-6;

/// The returns at the end of a settled motion.
struct Settled {
    point: Point,
    /// The last states on the section, the latest last.
    last: Vec<Vec<f64>>,
}

/// Searches for an orbit from the start in `values`.
///
/// `watch` is asked now and then, with the number of returns followed so far, whether to go on.
///
/// ```
/// use saltation_orbit::{Settings, find};
/// use saltation_motion::System;
/// # let text = saltation_model::gallery::find("two-wall-oscillator").unwrap();
/// # let model = saltation_model::Model::parse(text, "two-wall-oscillator").unwrap();
/// let system = System::new(&model);
/// let values = model.values(&Default::default()).unwrap();
/// let section = system.default_section().unwrap();
/// let orbit = find(&system, &values, &Settings::through(section), &mut |_| true).orbit.unwrap();
/// assert!(orbit.stable && orbit.residual < 1e-12);
/// assert_eq!(orbit.signature_words(&system), ["impact:upper", "impact:lower"]);
/// ```
pub fn find(system: &System, values: &Values, settings: &Settings, watch: &mut dyn FnMut(u64) -> bool) -> Search {
    let mut map = ReturnMap::new(system, values, settings.section, settings.tolerance);
    let mut search = Search { ended: Ended::Interrupted, orbit: None, history: Vec::new(), returns: 0 };
    search.ended = attempt(&mut map, values, settings, &mut search, watch);
    search.returns = map.returns();
    search
}

fn attempt(
    map: &mut ReturnMap,
    values: &Values,
    settings: &Settings,
    search: &mut Search,
    watch: &mut dyn FnMut(u64) -> bool,
) -> Ended {
    let settled = match settle(map, values, settings, watch) {
        Ok(settled) => settled,
        Err(failure) => return newton::ended_by(failure, map, f64::INFINITY),
    };
    let returns = settings.returns.max(1);
    let counts = newton::counts(returns, map.coordinates().len());
    let mut go_on = {
        let done = map.returns();
        move || watch(done)
    };
    let (nodes, sizes) = match nodes(map, &settled.point, &counts, &mut go_on) {
        Ok(found) => found,
        Err(failure) => return newton::ended_by(failure, map, f64::INFINITY),
    };
    let scale: Vec<f64> = map.coordinates().iter().map(|&i| sizes[i]).collect();
    let mut chain = Chain { nodes, counts };
    let rule = Rule { closure: settings.closure, iterations: settings.iterations, scale: &scale };
    let (ended, history) = newton::solve(map, &mut chain, &rule, &mut go_on);
    search.history = history;
    if ended != Ended::Converged {
        return match not_periodic(map, &settled, returns, &scale) {
            Some(reason) if settings.settle > 0 => reason,
            _ => ended,
        };
    }
    let mut found = Orbit::follow(map, &chain.nodes[0], returns, &scale, &mut go_on);
    if let Ok(orbit) = &found {
        let least = orbit.least_returns(map, &scale);
        if least < returns {
            found = Orbit::follow(map, &chain.nodes[0], least, &scale, &mut go_on);
        }
    }
    match found {
        Ok(orbit) => {
            let stable = orbit.stable;
            search.orbit = Some(orbit);
            match not_periodic(map, &settled, returns, &scale) {
                Some(reason) if settings.settle > 0 && !stable => reason,
                _ => Ended::Converged,
            }
        }
        Err(failure) => newton::ended_by(failure, map, 0.0),
    }
}

/// Follows the motion from its start to the section, and on until it has settled.
fn settle(
    map: &mut ReturnMap,
    values: &Values,
    settings: &Settings,
    watch: &mut dyn FnMut(u64) -> bool,
) -> Result<Settled, Failure> {
    let section = settings.section;
    let mut point = Point { state: values.start.clone(), closed: saltation_motion::ClosedSet::NONE };
    let goal = saltation_motion::Settings {
        tolerance: settings.tolerance,
        returns: Some((section, 1)),
        ..saltation_motion::Settings::default()
    };
    let mut motion = saltation_motion::Motion::new(map.system(), values, goal).map_err(Failure::Start)?;
    point.closed = motion.closed();
    let mut last = Vec::new();
    // A start that is not on the section is taken to it first.
    let begins_on = map.begins_on(&point.state);
    let wanted = settings.settle + u64::from(!begins_on);
    if begins_on {
        last.push(point.state.clone());
    }
    for done in 0..wanted {
        follow(&mut motion, 1, &mut || watch(done), |_| {})?;
        point = Point { state: motion.state().to_vec(), closed: motion.closed() };
        if wanted - done <= 2 * LONGEST_PERIOD as u64 + 2 {
            last.push(point.state.clone());
        }
        motion.extend(f64::INFINITY, Some((section, 1)));
    }
    map.count(wanted);
    Ok(Settled { point, last })
}

/// The first nodes: the points that the motion passes anyway; and the size of every state on the way.
fn nodes(
    map: &mut ReturnMap,
    start: &Point,
    counts: &[u64],
    watch: &mut dyn FnMut() -> bool,
) -> Result<(Vec<Point>, Vec<f64>), Failure> {
    let section = map.section();
    let mut start = start.clone();
    map.place(&mut start.state);
    let mut sizes: Vec<f64> = start.state.iter().map(|x| x.abs()).collect();
    let mut nodes = vec![start.clone()];
    let mut motion = map.motion(&start, counts[0], &[]).map_err(Failure::Start)?;
    for (k, &count) in counts.iter().enumerate() {
        if k > 0 {
            nodes.push(Point { state: motion.state().to_vec(), closed: motion.closed() });
            motion.extend(f64::INFINITY, Some((section, count)));
        }
        measure(&mut motion, count, &mut sizes, watch)?;
        map.count(count);
    }
    let largest = sizes.iter().fold(0.0_f64, |m, x| m.max(*x));
    for (size, period) in sizes.iter_mut().zip(&map.values().angle_periods) {
        // An angle is of the size of its period; a state that stays at zero has none of its own.
        *size = period.unwrap_or(*size);
        if *size <= 1e-9 * largest {
            *size = if largest > 0.0 { largest } else { 1.0 };
        }
    }
    Ok((nodes, sizes))
}

/// Follows a motion to its goal and takes down how large every state becomes.
fn measure(
    motion: &mut saltation_motion::Motion,
    returns: u64,
    sizes: &mut [f64],
    watch: &mut dyn FnMut() -> bool,
) -> Result<(), Failure> {
    let mut events: Vec<f64> = sizes.to_vec();
    let result = follow(motion, returns, watch, |event| {
        for (size, x) in events.iter_mut().zip(&event.before) {
            *size = size.max(x.abs());
        }
    });
    for (size, x) in sizes.iter_mut().zip(motion.state()) {
        *size = size.max(x.abs());
    }
    sizes.iter_mut().zip(&events).for_each(|(size, x)| *size = size.max(*x));
    result
}

/// How a settled motion fails to repeat after so many returns; `None` if it does not.
fn not_periodic(map: &ReturnMap, settled: &Settled, returns: u64, scale: &[f64]) -> Option<Ended> {
    let latest = settled.last.last()?;
    let miss = |back: usize| {
        let earlier = settled.last.len().checked_sub(1 + back)?;
        let difference = map.difference(&settled.last[earlier], latest);
        Some(difference.iter().zip(scale).map(|(d, s)| d.abs() / s).fold(0.0, f64::max))
    };
    let drift = miss(returns as usize)?;
    // A motion that still approaches an orbit comes closer to itself from one look to the next.
    let before = settled.last.len().checked_sub(1 + 2 * returns as usize).map(|earlier| {
        let (a, b) = (&settled.last[earlier], &settled.last[earlier + returns as usize]);
        map.difference(a, b).iter().zip(scale).map(|(d, s)| d.abs() / s).fold(0.0, f64::max)
    });
    if drift <= SETTLED || before.is_some_and(|before| drift < 0.5 * before) {
        return None;
    }
    let candidates = (1..=LONGEST_PERIOD).filter_map(|n| miss(n).map(|d| (n, d)));
    let nearest = candidates.min_by(|a, b| a.1.total_cmp(&b.1))?;
    Some(Ended::NotPeriodic { drift, nearest })
}
