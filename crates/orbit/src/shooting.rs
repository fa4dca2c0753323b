//! Searches for periodic orbits by multiple shooting from a start, or from the motion after its transient.

use saltation_model::Values;
use saltation_motion::{EventKind, FlowChoice, Happening, Policy, System};

use crate::at_rest;
use crate::ended::{Drifting, Ended, PERIODIC_MISS};
use crate::newton::{self, Chain, Iterate, Rule};
use crate::orbit::{Orbit, complete_sizes};
use crate::phases::least_common_multiple;
use crate::return_map::{Failure, Point, ReturnMap, follow, follow_smoothly, follow_steps};
use crate::symmetry;

/// What is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The section, by its position in [`System::section_names`].
    pub section: usize,
    /// After how many returns the orbit repeats.
    pub returns: u64,
    /// How many returns of the transient are followed before the search begins.
    pub settle: u64,
    /// The tolerance of the motion.
    pub tolerance: f64,
    /// The route of smooth motions.
    pub flow: FlowChoice,
    /// What to do where contacts with friction have several consistent modes.
    pub policy: Policy,
    /// How well the orbit has to close, relative to the size of each state; Newton's method continues as far as rounding lets it.
    pub closure: f64,
    /// The most steps of Newton's method.
    pub iterations: usize,
}

impl Settings {
    /// The default for orbits through a section.
    pub fn through(section: usize) -> Settings {
        Settings {
            section,
            returns: 1,
            settle: 0,
            tolerance: 1e-12,
            flow: FlowChoice::Automatic,
            policy: Policy::Persist,
            closure: 1e-9,
            iterations: 50,
        }
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

/// Periods up to so many returns are tried on the motion after its transient.
const LONGEST_PERIOD: usize = 64;
/// The states are seen at so many places of every step to see how large they become.
const STEP_PLACES: u32 = 4;
/// Multipliers this little beyond the unit circle let a motion stay near its orbit for as long as one likes to wait.
const MARGINAL_MODULUS: f64 = 1e-6;

/// A drift is seen in so many periods, in which it differs by this part at most.
const STEADY_PERIODS: usize = 4;
const STEADY_ADVANCE: f64 = 1e-3;

/// A section is moved away from an impact that is nearer than this, relative to the longest time without impacts.
const NEAR_IMPACT: f64 = 0.1;
/// With a smaller reciprocal condition number, the symmetry of an orbit is used to find it.
const POOR_CONDITION: f64 = 1e-5;

/// The returns at the end of a transient.
struct AfterTransient {
    point: Point,
    /// The last states on the section, the latest last.
    last: Vec<Vec<f64>>,
}

/// Searches for an orbit from the start in `values`.
///
/// `monitor` is called now and then, with the number of returns followed so far, whether to continue.
///
/// ```
/// use saltation_orbit::{Settings, find};
/// use saltation_motion::{Event, EventKind, FlowChoice, System};
/// # let text = saltation_model::gallery::find("two-wall-oscillator").unwrap();
/// # let model = saltation_model::Model::parse(text, "two-wall-oscillator").unwrap();
/// let system = System::new(&model);
/// let values = model.values(&Default::default()).unwrap();
/// let section = system.default_section().unwrap();
/// let orbit = find(&system, &values, &Settings::through(section), &mut |_| true).orbit.unwrap();
/// assert!(orbit.stable && orbit.residual < 1e-12);
/// assert_eq!(orbit.signature_words(&system), ["impact:upper", "impact:lower"]);
/// ```
pub fn find(system: &System, values: &Values, settings: &Settings, monitor: &mut dyn FnMut(u64) -> bool) -> Search {
    let map = ReturnMap::new(system, values, settings.section, settings.tolerance);
    let mut map = map.with_flow(settings.flow).with_policy(settings.policy);
    let mut settings = settings.clone();
    if let Some(phases) = map.phases() {
        match phases.common_turns() {
            // At a return to the section of one phase the others are elsewhere, until all are back.
            Ok(turns) => {
                let own = turns.into_iter().find(|(state, _)| map.phase_of_section() == Some(*state));
                let own = own.map_or(1, |(_, turns)| turns);
                settings.returns = least_common_multiple(settings.returns.max(1), own);
            }
            Err(apart) => {
                return Search { ended: Ended::Apart(apart), orbit: None, history: Vec::new(), returns: 0 };
            }
        }
    }
    let settings = &settings;
    let mut search = Search { ended: Ended::Interrupted, orbit: None, history: Vec::new(), returns: 0 };
    search.ended = attempt(&mut map, values, settings, &mut search, monitor);
    search.returns = map.returns();
    search
}

fn attempt(
    map: &mut ReturnMap,
    values: &Values,
    settings: &Settings,
    search: &mut Search,
    monitor: &mut dyn FnMut(u64) -> bool,
) -> Ended {
    let mut motion = match follow_transient(map, values, settings, monitor) {
        Ok(motion) => motion,
        Err(failure) => return newton::ended_by(failure, map, f64::INFINITY),
    };
    let returns = settings.returns.max(1);
    let mut go_on = {
        let done = map.returns();
        move || monitor(done)
    };
    let survey = match Survey::new(map, &motion.point, returns, &mut go_on) {
        Ok(survey) => survey,
        Err(failure) => return newton::ended_by(failure, map, f64::INFINITY),
    };
    let Settings { closure, iterations, .. } = *settings;
    leave_drift(map, &mut motion.point);
    let scale = survey.scale(map);
    let rule = Rule { closure, iterations, scale: &scale };
    let shot = shoot(map, &motion.point, returns, &survey, &rule, search, &mut go_on);
    let closed = match shot {
        Ok(point) => Orbit::follow(map, &point, returns, &scale, &mut go_on)
            .map_err(|failure| newton::ended_by(failure, map, 0.0)),
        Err(ended) => Err(ended),
    };
    let aperiodic = if settings.settle > 0 { not_periodic(map, &motion, returns, &scale) } else { None };
    let approaching = aperiodic.as_ref().is_some_and(|aperiodic| aperiodic.approaching);
    let shrinking = aperiodic.as_ref().is_some_and(|aperiodic| aperiodic.shrinking);
    let aperiodic = aperiodic.map(|aperiodic| aperiodic.ended);
    // Only where Newton's method itself gave up may that be because there is nothing to find.
    let gave_up = |ended: &Ended| {
        matches!(
            ended,
            Ended::NotConverged { .. }
                | Ended::LeftDomain { .. }
                | Ended::Singular
                | Ended::Grazed { .. }
                | Ended::NoDerivative { .. }
        )
    };
    let aperiodic = aperiodic.filter(|_| closed.as_ref().err().is_none_or(gave_up));
    let mut orbit = match closed {
        Ok(orbit) if orbit.residual <= settings.closure => {
            match at_rest::of_orbit(map, &orbit, (&scale, closure), &mut go_on) {
                // Newton's method may come to rest where the motion after its transient does not.
                Some(ended) => return aperiodic.filter(|_| !approaching && !shrinking).unwrap_or(ended),
                None => orbit,
            }
        }
        Ok(orbit) => {
            let ended = Ended::NotConverged { residual: orbit.residual, iterations: search.history.len() };
            return drifts(map, &motion, returns, &scale).unwrap_or(ended);
        }
        Err(ended) => {
            let other = || {
                let rests = at_rest::of_motion(map, &motion.point, &survey.extent(map), &scale, closure);
                rests.or_else(|| drifts(map, &motion, returns, &scale))
            };
            let other = gave_up(&ended).then(other).flatten();
            return other.or(aperiodic.filter(|_| !approaching)).unwrap_or(ended);
        }
    };
    let least = orbit.least_returns(map, &scale);
    if least < returns {
        let point = Point { state: orbit.state.clone(), closed: orbit.closed };
        orbit = match Orbit::follow(map, &point, least, &scale, &mut go_on) {
            Ok(orbit) => orbit,
            Err(failure) => return newton::ended_by(failure, map, 0.0),
        };
    }
    let unstable = orbit.leading_modulus() > 1.0 + MARGINAL_MODULUS;
    search.orbit = Some(orbit);
    match aperiodic {
        // A transient cannot lead to an unstable orbit; to one that is neither it may still be on the way.
        Some(Ended::NotPeriodic { drift, nearest, .. }) if unstable => {
            Ended::NotPeriodic { drift, nearest, found: true }
        }
        _ => Ended::Converged,
    }
}

/// States that advance by the same amount in every period of the motion after its transient, while all others repeat: that is no orbit, because something depends on them.
fn drifts(map: &ReturnMap, motion: &AfterTransient, returns: u64, scale: &[f64]) -> Option<Ended> {
    let step = usize::try_from(returns).ok()?;
    let back = |k: usize| motion.last.len().checked_sub(1 + k * step).map(|at| &motion.last[at]);
    let advances: Vec<Vec<f64>> =
        (0..STEADY_PERIODS).map(|k| Some(map.difference(back(k + 1)?, back(k)?))).collect::<Option<Vec<Vec<f64>>>>()?;
    let latest = &advances[0];
    let repeats = |k: &usize| latest[*k].abs() <= PERIODIC_MISS * scale[*k];
    let steady = |k: &usize| advances.iter().all(|d| (d[*k] - latest[*k]).abs() <= STEADY_ADVANCE * latest[*k].abs());
    let moving: Vec<usize> = (0..scale.len()).filter(|k| !repeats(k)).collect();
    if moving.is_empty() || !moving.iter().all(steady) {
        return None;
    }
    let model = map.system().model();
    let of = |k: &usize| {
        let state = map.coordinates()[*k];
        Drifting { state, advance: latest[*k], dependents: model.dependents(state) }
    };
    Some(Ended::Drifts { states: moving.iter().map(of).collect() })
}

/// Leaves out of a map the states on which nothing depends, where there are others: with them the equations of an orbit are singular, and it need not close in them. They begin
/// at their start values.
fn leave_drift(map: &mut ReturnMap, start: &mut Point) {
    let drifting = map.system().model().neutral_states().to_vec();
    if map.flowing().iter().any(|i| !drifting.contains(i)) {
        *map = map.clone().up_to_drift(&drifting);
        begin_anew(map, start);
    }
}

/// The states that drift, at their start values.
fn begin_anew(map: &ReturnMap, point: &mut Point) {
    map.drifting().iter().for_each(|&i| point.state[i] = map.values().start()[i]);
}

/// Newton's method from a point: a point of the orbit on the section.
///
/// A stroboscopic section jumps where an impact passes it. The equations are therefore solved at the phase that is farthest from
/// all impacts, if that of the section is not good enough.
fn shoot(
    map: &mut ReturnMap,
    start: &Point,
    returns: u64,
    survey: &Survey,
    rule: &Rule,
    search: &mut Search,
    monitor: &mut dyn FnMut() -> bool,
) -> Result<Point, Ended> {
    let Some(shift) = survey.shift(map) else {
        return solve(map, start, returns, rule, search, monitor);
    };
    let phase = map.system().model().phase.as_ref().map_or(0, |phase| phase.state);
    let moved = |map: &mut ReturnMap, point: &Point, time: f64, monitor: &mut dyn FnMut() -> bool| {
        let mut motion = map.motion(point, 1, &[]).map_err(Failure::Start)?.without_path();
        motion.extend(time, None);
        follow(&mut motion, u64::MAX, monitor, |_| {})?;
        let point = Point { state: motion.state().to_vec(), closed: motion.closed() };
        map.keep(motion);
        Ok(point)
    };
    let away = moved(map, start, shift, monitor).map_err(|failure| newton::ended_by(failure, map, f64::INFINITY))?;
    let mut shifted = map.values().start().to_vec();
    shifted[phase] = away.state[phase];
    let values = map.values().with_start(&shifted);
    let mut quiet = ReturnMap::new(map.system(), &values, map.section(), map.tolerance())
        .with_flow(map.flow())
        .with_policy(map.policy())
        .up_to_drift(map.drifting());
    let found = solve(&mut quiet, &away, returns, rule, search, monitor);
    map.count(quiet.returns());
    let found = found?;
    let mut point = moved(&mut quiet, &found, survey.cycle - shift, monitor)
        .map_err(|failure| newton::ended_by(failure, map, 0.0))?;
    map.place(&mut point.state);
    begin_anew(map, &mut point);
    Ok(point)
}

fn solve(
    map: &mut ReturnMap,
    start: &Point,
    returns: u64,
    rule: &Rule,
    search: &mut Search,
    monitor: &mut dyn FnMut() -> bool,
) -> Result<Point, Ended> {
    let counts = newton::counts(returns, map.coordinates().len());
    let nodes = nodes(map, start, &counts, monitor);
    let nodes = nodes.map_err(|failure| newton::ended_by(failure, map, f64::INFINITY))?;
    let mut chain = Chain { nodes, counts };
    let outcome = newton::solve(map, &mut chain, rule, monitor);
    search.history = outcome.history;
    let mut point = chain.nodes.swap_remove(0);
    match outcome.ended {
        Ended::Converged | Ended::Singular => {
            // Where a symmetry breaks the equations of the orbit are singular, and those of its half are not.
            let improved = outcome.condition < POOR_CONDITION
                && symmetry::refine(map, &mut point, returns, rule.scale, outcome.condition, monitor);
            if outcome.ended == Ended::Converged || improved { Ok(point) } else { Err(Ended::Singular) }
        }
        ended => Err(ended),
    }
}

/// Follows the motion from its start to the section, and on for the returns of the transient.
fn follow_transient(
    map: &mut ReturnMap,
    values: &Values,
    settings: &Settings,
    monitor: &mut dyn FnMut(u64) -> bool,
) -> Result<AfterTransient, Failure> {
    let section = settings.section;
    let mut point = Point { state: values.start().to_vec(), closed: saltation_motion::ClosedSet::NONE };
    let to_next_return = saltation_motion::Settings {
        tolerance: settings.tolerance,
        flow: settings.flow,
        policy: settings.policy,
        returns: Some((section, 1)),
        ..saltation_motion::Settings::default()
    };
    let mut motion =
        saltation_motion::Motion::new(map.system(), values, to_next_return).map_err(Failure::Start)?.without_path();
    point.closed = motion.closed();
    let mut last = Vec::new();
    // A start that is not on the section is taken to it first.
    let begins_on = map.begins_on(&point.state);
    let wanted = settings.settle + u64::from(!begins_on);
    if begins_on {
        last.push(point.state.clone());
    }
    for done in 0..wanted {
        if !monitor(done) {
            return Err(Failure::Interrupted);
        }
        // What the transient does on its way there is its own affair; from the last return a motion begins.
        match done + 1 < wanted {
            true => follow(&mut motion, 1, &mut || monitor(done), |_| {})?,
            false => follow_smoothly(&mut motion, 1, &mut || monitor(done), |_| {})?,
        }
        point = Point { state: motion.state().to_vec(), closed: motion.closed() };
        if wanted - done <= 2 * LONGEST_PERIOD as u64 + 2 {
            last.push(point.state.clone());
        }
        motion.extend(f64::INFINITY, Some((section, 1)));
    }
    map.count(wanted);
    map.keep(motion);
    // An angle that has turned round many times begins near where it began.
    for ((x, start), period) in point.state.iter_mut().zip(values.start()).zip(values.angle_periods()) {
        *x -= period.map_or(0.0, |period| period * ((*x - start) / period).round());
    }
    Ok(AfterTransient { point, last })
}

/// The first nodes: the points that the motion passes anyway.
fn nodes(
    map: &mut ReturnMap,
    start: &Point,
    counts: &[u64],
    monitor: &mut dyn FnMut() -> bool,
) -> Result<Vec<Point>, Failure> {
    let mut first = start.clone();
    map.place(&mut first.state);
    let mut nodes = vec![first];
    if counts.len() > 1 {
        let mut motion = map.motion(&nodes[0], counts[0], &[]).map_err(Failure::Start)?.without_path();
        for pair in counts.windows(2) {
            follow(&mut motion, pair[0], monitor, |_| {})?;
            map.count(pair[0]);
            nodes.push(Point { state: motion.state().to_vec(), closed: motion.closed() });
            motion.extend(f64::INFINITY, Some((map.section(), pair[1])));
        }
        map.keep(motion);
    }
    Ok(nodes)
}

/// What is known of a motion before the search: its extent, its impacts, its times of return.
struct Survey {
    /// The least and the greatest value of every state.
    spans: Vec<(f64, f64)>,
    /// How large every state becomes.
    sizes: Vec<f64>,
    /// The times of all impacts, within one return.
    impacts: Vec<f64>,
    /// How long one return takes on average.
    cycle: f64,
}

impl Survey {
    /// Follows the motion from a point for some returns.
    fn new(
        map: &mut ReturnMap,
        start: &Point,
        returns: u64,
        monitor: &mut dyn FnMut() -> bool,
    ) -> Result<Survey, Failure> {
        let mut start = start.clone();
        map.place(&mut start.state);
        let mut spans: Vec<(f64, f64)> = start.state.iter().map(|x| (*x, *x)).collect();
        let mut impacts = Vec::new();
        let mut motion = map.motion(&start, returns, &[]).map_err(Failure::Start)?;
        let mut state = start.state.clone();
        // At its events a state may be zero: sizes are those of whole steps.
        let mut note = |happening: &Happening| match happening {
            Happening::Step(piece) => {
                for place in 1..=STEP_PLACES {
                    piece.evaluate(piece.length * f64::from(place) / f64::from(STEP_PLACES), &mut state);
                    spans.iter_mut().zip(&state).for_each(|(span, x)| *span = (span.0.min(*x), span.1.max(*x)));
                }
            }
            Happening::Event(event) if event.kind != EventKind::Section => impacts.push(event.time),
            _ => {}
        };
        follow_steps(&mut motion, returns, monitor, &mut note)?;
        map.count(returns);
        let cycle = motion.time() / returns as f64;
        if map.is_stroboscopic() {
            // An impact may come just after the section instead of just before it: the next one is followed too.
            motion.extend(motion.time() + 0.5 * cycle, None);
            follow_steps(&mut motion, u64::MAX, monitor, &mut note)?;
        }
        map.keep(motion);
        impacts.iter_mut().for_each(|time| *time %= cycle);
        impacts.sort_by(f64::total_cmp);
        let mut sizes: Vec<f64> = spans.iter().map(|(low, high)| low.abs().max(high.abs())).collect();
        complete_sizes(&mut sizes, map.values().angle_periods());
        Ok(Survey { spans, sizes, impacts, cycle })
    }

    /// The size of every coordinate of the section.
    fn scale(&self, map: &ReturnMap) -> Vec<f64> {
        map.coordinates().iter().map(|&i| self.sizes[i]).collect()
    }

    /// How far the motion goes in every coordinate of the section.
    fn extent(&self, map: &ReturnMap) -> Vec<f64> {
        map.coordinates().iter().map(|&i| self.spans[i].1 - self.spans[i].0).collect()
    }

    /// How long after the section of the phase all impacts are farthest; `None` if the section is of another kind or not
    /// much nearer to them.
    fn shift(&self, map: &ReturnMap) -> Option<f64> {
        let (&first, &last) = (self.impacts.first()?, self.impacts.last()?);
        // The sections of other phases cannot be moved.
        let phase = map.system().model().phase.as_ref()?.state;
        if map.phase_of_section() != Some(phase) {
            return None;
        }
        let around = (last - self.cycle, first);
        let gaps = self.impacts.windows(2).map(|pair| (pair[0], pair[1])).chain([around]);
        let (from, to) = gaps.max_by(|a, b| (a.1 - a.0).total_cmp(&(b.1 - b.0)))?;
        let own = first.min(self.cycle - last);
        (own < NEAR_IMPACT * (to - from)).then(|| (0.5 * (from + to)).rem_euclid(self.cycle))
    }
}

/// A motion that does not repeat after its transient.
struct NotPeriodic {
    ended: Ended,
    /// Whether it comes steadily closer to itself.
    approaching: bool,
    /// Whether it comes closer to itself with every return.
    shrinking: bool,
}

/// By how much a motion after its transient misses itself after so many returns; `None` if it repeats.
fn not_periodic(map: &ReturnMap, motion: &AfterTransient, returns: u64, scale: &[f64]) -> Option<NotPeriodic> {
    let latest = motion.last.last()?;
    let miss = |back: usize| {
        let earlier = motion.last.len().checked_sub(1 + back)?;
        let difference = map.difference(&motion.last[earlier], latest);
        let apart = map.phases_apart(&motion.last[earlier], latest);
        Some(difference.iter().zip(scale).map(|(d, s)| d.abs() / s).fold(apart, f64::max))
    };
    let drift = miss(returns as usize)?;
    if drift <= PERIODIC_MISS {
        return None;
    }
    // A motion that still approaches an orbit, or comes to rest, comes steadily closer to itself.
    let closer = |apart: usize| {
        let misses: Vec<f64> = (0..4)
            .filter_map(|k| {
                let last = motion.last.len().checked_sub(1 + apart * k)?;
                let first = last.checked_sub(returns as usize)?;
                let difference = map.difference(&motion.last[first], &motion.last[last]);
                Some(difference.iter().zip(scale).map(|(d, s)| d.abs() / s).fold(0.0, f64::max))
            })
            .collect();
        misses.len() == 4 && misses.windows(2).all(|pair| pair[0] < 0.9 * pair[1])
    };
    let (approaching, shrinking) = (closer(16), closer(1));
    // Of all multiples of a period the least one: which of them misses least is rounding.
    let candidates = (1..=LONGEST_PERIOD).filter_map(|n| miss(n).map(|d| (n, d)));
    let repeats = candidates.clone().find(|(_, miss)| *miss <= PERIODIC_MISS);
    let nearest = repeats.or_else(|| candidates.min_by(|a, b| a.1.total_cmp(&b.1)))?;
    Some(NotPeriodic { ended: Ended::NotPeriodic { drift, nearest, found: false }, approaching, shrinking })
}
