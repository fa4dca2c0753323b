//! Searches for equilibria near the start and along the motion from there.
//!
//! For each mode that is asked for, the start is moved onto the surfaces of the closed contacts, and Newton's method begins there,
//! without velocities if the body is mechanical: they are zero in the end. Where that leads nowhere, and in a search through all
//! modes in any case, it begins again
//!
//! - at states that the motion from the start visits: two dozen of them, evenly spread over its steps in a time of two hundred
//!   units, a unit being the time in which the fastest state moves by its size,
//! - and, if there are angles, at the start turned by those of two dozen points that fill the circles evenly (Halton's sequence).
//!
//! In a search through all modes it goes on from all these states to solutions beside those that are known (deflation), and begins again with other discrete states, those
//! to which jumps of events lead.
//!
//! Equal equilibria count once, angles compared modulo their period.

mod family;
mod further;

use saltation_model::{StateKind, Values};
use saltation_motion::{self as motion, ClosedSet, Field, Happening, LocalField, Motion, System};
use saltation_numerics::dense::Matrix;
use saltation_numerics::random::van_der_corput;
use saltation_numerics::rounded::Rounded;

use super::attraction::attraction;
use super::discrete;
use super::modes;
use super::newton::{self, Equations, Solution};
use super::reason::Reason;
use super::units::Units;
use super::vanishing::{decreases, leave_boundaries, relative};
use super::{Equilibrium, field_of, flowing};

/// States of the motion at which Newton's method begins again, and turned starts.
const RESTARTS: usize = 24;
/// The bases of Halton's sequence, one for each angle; further angles are not turned.
const BASES: [usize; 8] = [2, 3, 5, 7, 11, 13, 17, 19];
/// The motion is followed for so many units of time, and for so many happenings at most.
const MOTION_UNITS: f64 = 200.0;
const MOST_HAPPENINGS: usize = 3000;
/// States smaller than this, relative to their unit, are what rounding leaves of zero.
const ZERO_STATE: f64 = 1e-24;
/// Equilibria that differ by less than this, relative to the states, are one: a double solution is known to half of its digits.
const SAME_STATE: f64 = 1e-8;
/// A residual cannot be asked to be smaller than this, relative to the terms of what is to vanish: they are rounded.
const LEAST_TOLERANCE: f64 = 1e-13;

/// What is looked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The closed contacts; none for a search in flight and with every single contact closed.
    pub closed: Option<ClosedSet>,
    /// The largest rate, gap or opening speed that counts as zero, relative to the terms that each is made of; 1e-12 unless said, and never below
    /// 1e-13. Newton's method continues to rounding in any case.
    pub tolerance: f64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { closed: None, tolerance: 1e-12 }
    }
}

/// What came of a search.
#[derive(Debug, Clone, PartialEq)]
pub struct Search {
    /// What was found: first what is admissible, then in the order of the modes, then the nearest to the start.
    pub equilibria: Vec<Equilibrium>,
    /// The modes in which nothing was found, and what Newton's method came to from the start.
    pub missed: Vec<Missed>,
    /// At how many states Newton's method began.
    pub starts: usize,
    /// The discrete states that jumps of events give further values, or may give: equilibria there were not looked for.
    pub open: Vec<usize>,
    /// Whether it was interrupted: what it has found until then is there, and nothing is said of modes that were not searched to their end.
    pub interrupted: bool,
}

/// Watches a search and may end it: receives how many modes are done and of how many, and returns whether to continue.
pub type Watch<'w> = dyn FnMut(usize, usize) -> bool + 'w;

/// A mode in which nothing was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Missed {
    /// The closed contacts.
    pub closed: ClosedSet,
    /// Why.
    pub reason: Reason,
}

/// The model is forced at these parameters: its rates or gaps depend on the phase, so that there is no equilibrium.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{quantity} depends on the phase {phase}: a model that is forced has no equilibria")]
pub struct Forced {
    /// What depends on the phase, e.g. `the rate of x`.
    pub quantity: String,
    /// The name of the phase.
    pub phase: String,
}

/// The first rate or gap that depends on the phase at these parameters.
pub(crate) fn forced(system: &System, values: &Values) -> Result<(), Forced> {
    let model = system.model();
    if model.phase.is_none() {
        return Ok(());
    }
    let mut graph = model.graph.clone();
    let numbers = model.parameters.iter().zip(values.parameters());
    let numbers = numbers.map(|(parameter, &value)| (parameter.symbol, graph.constant(value))).collect();
    let moving = model.states.iter().filter(|state| state.kind != StateKind::Phase);
    let functions = model.switches.iter().map(|switch| (format!("the switch {}", switch.name), switch.function));
    let rates = moving.map(|state| (format!("the rate of {}", state.name), state.rate));
    let gaps = model.contacts.iter().map(|contact| (format!("the gap of contact {}", contact.name), contact.gap));
    for (quantity, node) in rates.chain(gaps).chain(functions) {
        let node = graph.substitute(node, &numbers);
        let phase = model.phases().find(|phase| graph.depends_on(node, model.states[phase.state].symbol));
        if let Some(phase) = phase {
            return Err(Forced { quantity, phase: model.states[phase.state].name.clone() });
        }
    }
    Ok(())
}

/// Searches for equilibria from the start state of `values`.
///
/// # Errors
/// If the model is forced at these parameters.
///
/// ```
/// use saltation_motion::System;
/// use saltation_orbit::equilibrium;
/// # let text = saltation_model::gallery::find("bouncing-ball").unwrap();
/// # let model = saltation_model::Model::parse(text, "bouncing-ball").unwrap();
/// let system = System::new(&model);
/// let values = model.values(&Default::default()).unwrap();
/// let search = equilibrium::find(&system, &values, &Default::default()).unwrap();
/// // The only equilibrium of the ball is that on the ground.
/// let [found] = &search.equilibria[..] else { panic!() };
/// assert_eq!((system.mode_name(found.closed), &found.contact_forces[..]), ("stick:ground".to_string(), &[9.8][..]));
/// assert!(found.admissible && found.eigenvalues.is_empty());
/// ```
pub fn find(system: &System, values: &Values, settings: &Settings) -> Result<Search, Forced> {
    find_watched(system, values, settings, &mut |_, _| true)
}

/// The same, watched at every step of Newton's method and of the motion.
///
/// # Errors
/// As [`find`].
pub fn find_watched(
    system: &System,
    values: &Values,
    settings: &Settings,
    watch: &mut Watch,
) -> Result<Search, Forced> {
    forced(system, values)?;
    // A mode that is asked for is looked at with the discrete states of the start.
    let most = if settings.closed.is_some() { 1 } else { RESTARTS };
    let reached = discrete::reached(system, values, most);
    let places = reached.starts.iter().map(|start| {
        let values = values.with_start(start);
        let here = ClosedSet::NONE.with_sides(system.sides_at(values.parameters(), start));
        let modes = match settings.closed {
            Some(closed) => vec![modes::within(system, closed, here)],
            None => modes::all(system, here),
        };
        (values, modes)
    });
    let places: Vec<(Values, Vec<ClosedSet>)> = places.collect();
    let count = places.iter().map(|(_, modes)| modes.len()).sum();
    let mut search =
        Search { equilibria: Vec::new(), missed: Vec::new(), starts: 0, open: reached.open, interrupted: false };
    let mut done = 0;
    for (values, modes) in &places {
        let mut seeker = Seeker::new(system, values, settings.tolerance);
        let mut visited: Option<Vec<Vec<f64>>> = None;
        for &closed in modes {
            let mut goes_on = || {
                search.interrupted = search.interrupted || !watch(done, count);
                !search.interrupted
            };
            let mut found: Vec<Found> = Vec::new();
            let mut field = field_of(system, values.parameters(), closed);
            let first = seeker.seek(&mut field, values.start(), &mut goes_on);
            let reason = first.map(|first| found.push(first)).err();
            if found.is_empty() || settings.closed.is_none() {
                let visited = visited.get_or_insert_with(|| {
                    let mut states = seeker.visited(&mut goes_on);
                    states.extend(seeker.turned());
                    states
                });
                seeker.look_again(&mut field, visited, &mut found, &mut goes_on);
            }
            if settings.closed.is_none() {
                let starts: Vec<&[f64]> =
                    [values.start()].into_iter().chain(visited.iter().flatten().map(Vec::as_slice)).collect();
                seeker.look_beside(&mut field, &starts, &mut found, &mut goes_on);
            }
            found.iter_mut().for_each(|one| seeker.find_ends(&mut field, one, &mut goes_on));
            match reason {
                Some(reason) if found.is_empty() && !search.interrupted => {
                    search.missed.push(Missed { closed, reason });
                }
                _ => {}
            }
            let far = |(known, units): &Found| seeker.distance(&known.state, values.start(), units);
            found.sort_by(|a, b| far(a).total_cmp(&far(b)));
            search.equilibria.extend(found.into_iter().map(|(equilibrium, _)| equilibrium));
            done += 1;
            if search.interrupted {
                break;
            }
        }
        search.starts += 1 + visited.map_or(0, |visited| visited.len());
        if search.interrupted {
            break;
        }
    }
    search.only_missed(system);
    leave_boundaries(&mut search.equilibria);
    search.equilibria.sort_by_key(|equilibrium| !equilibrium.admissible);
    Ok(search)
}

impl Search {
    /// Leaves out modes in which something was found with other discrete states, and names every other one once.
    fn only_missed(&mut self, system: &System) {
        let found = self.equilibria.iter().map(|equilibrium| system.mode_name(equilibrium.closed));
        let mut named: Vec<String> = found.collect();
        self.missed.retain(|missed| {
            let name = system.mode_name(missed.closed);
            let new = !named.contains(&name);
            named.push(name);
            new
        });
    }
}

/// Whether a search may go on.
type GoesOn<'w> = &'w mut dyn FnMut() -> bool;
/// An equilibrium with the units of its states.
type Found = (Equilibrium, Units);

/// What every attempt needs.
struct Seeker<'a> {
    system: &'a System,
    values: &'a Values,
    tolerance: f64,
    flowing: Vec<usize>,
    flight: Field<'a>,
}

impl<'a> Seeker<'a> {
    fn new(system: &'a System, values: &'a Values, tolerance: f64) -> Seeker<'a> {
        let here = system.sides_at(values.parameters(), values.start());
        let flight = field_of(system, values.parameters(), ClosedSet::NONE.with_sides(here));
        Seeker { system, values, tolerance: tolerance.max(LEAST_TOLERANCE), flowing: flowing(system), flight }
    }

    /// The units at a state in the mode of `field`, if the field of flight has values there: those of the start, or larger ones.
    fn units(&mut self, field: &Field, state: &[f64]) -> Option<Units> {
        let sizes: Vec<f64> = self.flowing.iter().map(|&i| self.size(i).max(state[i].abs())).collect();
        self.balanced(field, state, &sizes)
    }

    /// The units of a state itself, however far from it the start is.
    fn own_units(&mut self, field: &Field, state: &[f64]) -> Option<Units> {
        let own = |&i: &usize| if state[i] == 0.0 { self.size(i) } else { state[i].abs() };
        let sizes: Vec<f64> = self.flowing.iter().map(own).collect();
        self.balanced(field, state, &sizes)
    }

    fn balanced(&mut self, field: &Field, state: &[f64], sizes: &[f64]) -> Option<Units> {
        let flight = self.flight.at(state);
        if !flight.is_finite() {
            return None;
        }
        // What is kept at zero has the same gradients whichever constraints follow from others; those are found on the surfaces.
        let held = if field.holds() { field.clone().at(state).held_gradients.clone() } else { Matrix::zeros(0, 0) };
        Some(Units::new(flight, &held, &self.flowing, sizes))
    }

    /// How far the start is from zero, or how long a radian of an angle is.
    fn size(&self, state: usize) -> f64 {
        let radian = self.values.angle_periods()[state].map_or(0.0, |period| period.abs() / std::f64::consts::TAU);
        self.values.start()[state].abs().max(radian)
    }

    /// How far two states are apart, in units of each of them.
    fn distance(&self, a: &[f64], b: &[f64], units: &Units) -> f64 {
        let apart = |(&i, unit): (&usize, &f64)| {
            let difference = (a[i] - b[i]).abs();
            let wrapped = self.values.angle_periods()[i].map_or(difference, |period| {
                let part = difference.rem_euclid(period.abs());
                part.min(period.abs() - part)
            });
            wrapped / unit
        };
        self.flowing.iter().zip(&units.of).map(apart).fold(0.0, f64::max)
    }

    /// The whole state with other values of the states that flow, given in units.
    fn whole(&self, unknowns: &[f64], units: &Units) -> Vec<f64> {
        let mut state = self.values.start().to_vec();
        for ((&i, x), unit) in self.flowing.iter().zip(unknowns).zip(&units.of) {
            state[i] = x * unit;
        }
        state
    }

    /// The nearest state to another with g = v = 0 for the closed contacts.
    fn onto_surfaces(
        &mut self,
        field: &Field,
        start: &[f64],
        units: &Units,
        goes_on: GoesOn,
    ) -> Result<Vec<f64>, Reason> {
        let closed = field.closed();
        let mut field = field.clone();
        let flowing = self.flowing.clone();
        let scaled: Vec<f64> = flowing.iter().zip(&units.of).map(|(&i, unit)| start[i] / unit).collect();
        let solution = newton::solve(&scaled, |unknowns| {
            if !goes_on() {
                return None;
            }
            let local = field.at(&self.whole(unknowns, units));
            let finite = local.held.iter().all(|x| x.is_finite()) && local.held_gradients.is_finite();
            finite.then(|| equations(local, &flowing, units, false))
        });
        let Some(solution) = solution else { return Err(self.undefined(closed.opened(), start)) };
        let state = self.whole(&solution.unknowns, units);
        if solution.residual <= self.tolerance {
            return Ok(state);
        }
        if closed.is_empty() {
            let switch = closed.sides().sliding().next().unwrap_or(0);
            let function = field.at(&state).held.first().copied().unwrap_or(f64::NAN);
            return Err(Reason::NeverCloses { contact: ClosedSet::element(switch), gap: function, speed: 0.0 });
        }
        let local = self.flight.at(start);
        let far = |&c: &usize| local.gaps[c].abs().max(local.speeds[c].abs());
        let contact = closed.iter().max_by(|a, b| far(a).total_cmp(&far(b))).unwrap_or(0);
        Err(Reason::NeverCloses { contact, gap: local.gaps[contact], speed: local.speeds[contact] })
    }

    /// Why the field cannot be had at a state, or that of flight, in which states are measured.
    fn undefined(&self, closed: ClosedSet, state: &[f64]) -> Reason {
        let field_is_finite = field_of(self.system, self.values.parameters(), closed).at(state).is_finite();
        let closed = if field_is_finite { self.flight.closed() } else { closed };
        if let Some((quantity, formula)) = self.system.first_undefined(closed, self.values.parameters(), state) {
            return Reason::Undefined { quantity, formula };
        }
        let mut field = field_of(self.system, self.values.parameters(), closed);
        let local = field.at(state);
        let steep = |&i: &usize| (0..state.len()).any(|j| !local.jacobian[(i, j)].is_finite());
        let quantity = match self.flowing.iter().copied().find(steep) {
            Some(i) => format!("the rate of {}", self.system.state_names()[i]),
            None => "a gap or its opening speed".to_string(),
        };
        Reason::Undefined { quantity, formula: String::new() }
    }

    /// Where Newton's method begins from a state: without velocities, on the surfaces of the mode; with the units there.
    fn begin(&mut self, field: &Field, start: &[f64], goes_on: GoesOn) -> Result<(Vec<f64>, Units), Reason> {
        let mut begin = start.to_vec();
        for (x, state) in begin.iter_mut().zip(&self.system.model().states) {
            if state.kind == StateKind::Velocity {
                *x = 0.0;
            }
        }
        let Some(units) = self.units(field, &begin) else {
            return Err(self.undefined(field.closed().opened(), &begin));
        };
        if field.holds() {
            begin = self.onto_surfaces(field, &begin, &units, goes_on)?;
        }
        Ok((begin, units))
    }

    /// Newton's method from a state. Where it may not go on it finds nothing, and its reason says nothing.
    fn seek(&mut self, field: &mut Field, start: &[f64], goes_on: GoesOn) -> Result<(Equilibrium, Units), Reason> {
        let closed = field.closed();
        let (begin, units) = self.begin(field, start, goes_on)?;
        let Some((near, solution)) = self.solve(field, &begin, &units, goes_on) else {
            return Err(self.undefined(closed, &begin));
        };
        // What is small in the units of a start far away need not be small where the method arrives: from there it goes on.
        let there = if solution.converged { self.units(field, &near) } else { None };
        let again = there.and_then(|units| Some((self.solve(field, &near, &units, goes_on)?, units)));
        let ((near, solution), units, iterations) = match again {
            Some((again, units)) => (again, units, solution.iterations),
            None => ((near, solution), units, 0),
        };
        let solution = Solution { iterations: iterations + solution.iterations, ..solution };
        let rest = if solution.converged { self.without_rounding(field, &near, &units) } else { None };
        let Some((mut state, residual)) = rest else {
            // What is left where the steps stopped is shared between rates and surfaces: the surfaces can be had.
            let state = self.onto_surfaces(field, &near, &units, goes_on).unwrap_or(near);
            return Err(self.in_vain(field, &state, &units, &solution));
        };
        let solution = Solution { residual, ..solution };
        for (i, x) in state.iter_mut().enumerate() {
            if let (Some(period), true) = (self.values.angle_periods()[i], self.flowing.contains(&i)) {
                *x -= period * ((*x - self.values.start()[i]) / period).round();
            }
        }
        let units = self.units(field, &state).unwrap_or(units);
        let own = self.own_units(field, &state).unwrap_or_else(|| units.clone());
        Ok((self.equilibrium(field, state, &own, &solution), units))
    }

    /// Everything about the equilibrium at a solution.
    fn equilibrium(&self, field: &mut Field, state: Vec<f64>, units: &Units, solution: &Solution) -> Equilibrium {
        let parameters = self.values.parameters();
        let closed = discrete::on_own_sides(self.system, self.values, field.closed(), &state);
        let attraction = attraction(self.system, parameters, closed, &state);
        let place = (state.clone(), closed, attraction);
        if closed == field.closed() {
            return Equilibrium::new(field.at(&state), place, &self.flowing, units, solution);
        }
        let mut field = field_of(self.system, parameters, closed);
        Equilibrium::new(field.at(&state), place, &self.flowing, units, solution)
    }

    /// Newton's method from a state, in these units.
    fn solve(&self, field: &mut Field, start: &[f64], units: &Units, goes_on: GoesOn) -> Option<(Vec<f64>, Solution)> {
        let scaled: Vec<f64> = self.flowing.iter().zip(&units.of).map(|(&i, unit)| start[i] / unit).collect();
        let solution = newton::solve(&scaled, |unknowns| {
            if !goes_on() {
                return None;
            }
            let local = field.at(&self.whole(unknowns, units));
            local.is_finite().then(|| equations(local, &self.flowing, units, true))
        })?;
        Some((self.whole(&solution.unknowns, units), solution))
    }

    /// The state where the method arrived, with zeros for what rounding or a multiple solution leaves of them, and its residual. None if what is
    /// to vanish there is more than the rounding of its terms.
    fn without_rounding(&self, field: &mut Field, state: &[f64], units: &Units) -> Option<(Vec<f64>, f64)> {
        let zeroed = |small: f64| {
            let mut state = state.to_vec();
            for (&i, unit) in self.flowing.iter().zip(&units.of) {
                if state[i].abs() < small * unit {
                    state[i] = 0.0;
                }
            }
            state
        };
        [ZERO_STATE, 0.0, SAME_STATE].into_iter().find_map(|small| {
            let state = zeroed(small);
            let residual = self.residual(field, &state);
            let on_way = |part: f64| {
                let way = self.values.start().iter().zip(&state).map(|(a, b)| a + part * (b - a));
                self.to_vanish(field, &way.collect::<Vec<f64>>())
            };
            let is_rest = residual <= self.tolerance && decreases(on_way, self.tolerance);
            is_rest.then_some((state, residual))
        })
    }

    /// What is to vanish: rates, and the functions of what is held.
    fn to_vanish(&self, field: &mut Field, state: &[f64]) -> Vec<Rounded> {
        let terms = field.terms(state);
        self.flowing.iter().map(|&i| terms.rates[i]).chain(terms.held.iter().copied()).collect()
    }

    /// The largest rate, or what else is to vanish, relative to the size of its terms.
    fn residual(&self, field: &mut Field, state: &[f64]) -> f64 {
        // What is no number is no rounding.
        let larger = |most: f64, x: f64| if x <= most { most } else { x };
        self.to_vanish(field, state).into_iter().map(relative).fold(0.0, larger)
    }

    /// Why the method stopped where it did.
    fn in_vain(&self, field: &mut Field, state: &[f64], units: &Units, solution: &Solution) -> Reason {
        let terms = field.terms(state);
        let local = field.at(state);
        let at = equations(local, &self.flowing, units, true);
        let rates = (0..self.flowing.len()).filter(|&row| relative(terms.rates[self.flowing[row]]) > self.tolerance);
        let largest = rates.max_by(|&a, &b| at.residual[a].abs().total_cmp(&at.residual[b].abs()));
        match largest {
            Some(row) if solution.converged || solution.residual > self.tolerance => {
                let state = self.flowing[row];
                Reason::Moving { state, rate: local.rates[state] }
            }
            _ => {
                let moved = |&i: &usize| {
                    let unit = self.flowing.iter().position(|&j| j == i).map_or(1.0, |k| units.of[k]);
                    (state[i] - self.values.start()[i]).abs() / unit
                };
                let farthest = self.flowing.iter().copied().max_by(|a, b| moved(a).total_cmp(&moved(b)));
                let farthest = farthest.unwrap_or(0);
                Reason::RunsAway { state: farthest, value: state[farthest] }
            }
        }
    }

    /// The start with its angles turned; none if there are no angles.
    fn turned(&self) -> Vec<Vec<f64>> {
        let periods = self.flowing.iter().filter_map(|&i| Some((i, self.values.angle_periods()[i]?)));
        let angles: Vec<Angle> =
            periods.zip(BASES).map(|((state, period), base)| Angle { state, period, base }).collect();
        let count = if angles.is_empty() { 0 } else { RESTARTS };
        let turn = |k: usize| {
            let mut state = self.values.start().to_vec();
            for angle in &angles {
                state[angle.state] += angle.period * van_der_corput(k, angle.base);
            }
            state
        };
        (1..=count).map(turn).collect()
    }

    /// States along the motion from the start, evenly spread over its steps; none if it cannot begin.
    fn visited(&mut self, goes_on: GoesOn) -> Vec<Vec<f64>> {
        let flight = self.flight.clone();
        let mut until = self.units(&flight, self.values.start()).map(|units| MOTION_UNITS * units.time);
        // Without units at the start, as in an empty tank, those where the motion first has some serve.
        let latest = until.unwrap_or(f64::INFINITY);
        let settings = motion::Settings { tolerance: self.tolerance, until: latest, ..motion::Settings::default() };
        let Ok(mut motion) = Motion::new(self.system, self.values, settings) else { return Vec::new() };
        let mut states: Vec<Vec<f64>> = Vec::new();
        for _ in 0..MOST_HAPPENINGS {
            if !goes_on() || until.is_some_and(|until| motion.time() >= until) {
                break;
            }
            if until.is_none() {
                let units = self.units(&flight, motion.state());
                until = units.map(|units| motion.time() + MOTION_UNITS * units.time);
            }
            match motion.advance() {
                Happening::Step(_) | Happening::Quiet { .. } => states.push(motion.state().to_vec()),
                Happening::Event(_) => {}
                Happening::Ended(_) => break,
            }
        }
        let count = states.len().min(RESTARTS);
        (1..=count).map(|k| states[k * states.len() / count - 1].clone()).collect()
    }
}

/// A state that goes round, with the base of its coordinate in Halton's sequence.
struct Angle {
    state: usize,
    period: f64,
    base: usize,
}

/// An equation with its derivatives.
struct Row {
    value: f64,
    slopes: Vec<f64>,
}

impl Row {
    /// What is to vanish, relative to what the states change of it; by its gradient among others.
    fn of(value: f64, (gradients, row): (&Matrix, usize), flowing: &[usize], units: &Units) -> Row {
        let slopes: Vec<f64> = flowing.iter().zip(&units.of).map(|(&j, unit)| gradients[(row, j)] * unit).collect();
        let size: f64 = slopes.iter().map(|slope| slope.abs()).sum();
        let size = if size > 0.0 { size } else { 1.0 };
        Row { value: value / size, slopes: slopes.iter().map(|slope| slope / size).collect() }
    }
}

/// The equations of equilibria, or those of the surfaces alone: rates, then what the closed contacts keep at zero, by the states
/// that flow, all in units.
fn equations(local: &LocalField, flowing: &[usize], units: &Units, rates: bool) -> Equations {
    together(rows(local, flowing, units, rates), flowing.len())
}

fn rows(local: &LocalField, flowing: &[usize], units: &Units, rates: bool) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    if rates {
        for (&i, size) in flowing.iter().zip(&units.rates) {
            let slopes = flowing.iter().zip(&units.of).map(|(&j, unit)| local.jacobian[(i, j)] * unit / size);
            rows.push(Row { value: local.rates[i] / size, slopes: slopes.collect() });
        }
    }
    for (held, &value) in local.held.iter().enumerate() {
        rows.push(Row::of(value, (&local.held_gradients, held), flowing, units));
    }
    rows
}

fn together(rows: Vec<Row>, unknowns: usize) -> Equations {
    Equations {
        jacobian: Matrix::from_fn(rows.len(), unknowns, |i, j| rows[i].slopes[j]),
        residual: rows.into_iter().map(|row| row.value).collect(),
    }
}
