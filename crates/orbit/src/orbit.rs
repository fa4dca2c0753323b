//! Collects the properties of a periodic orbit: its period, events, multipliers, and how well it closes.

use saltation_model::StateKind;
use saltation_motion::{ClosedSet, Event, EventKind, Happening, Motion, System, Trajectory};
use saltation_numerics::dense;
use saltation_numerics::dense::{Complex, Matrix};
use saltation_numerics::elementary;
use saltation_numerics::spectrum::Ranks;

pub use crate::cycle::Mark;
use crate::cycle::{Cycle, SAME_INSTANT};
use crate::return_map::{Failure, Patience, Point, ReturnMap, Slowest};
use crate::stability::{self, Basis};
use crate::symmetry::{self, Half};

/// A periodic motion.
#[derive(Debug, Clone)]
pub struct Orbit {
    /// The section it begins on, by its position in [`System::section_names`].
    pub section: usize,
    /// After how many returns it repeats.
    pub returns: u64,
    /// How long that takes.
    pub period: f64,
    /// The state on the section, in the order of the model's states.
    pub state: Vec<f64>,
    /// The contacts closed there.
    pub closed: ClosedSet,
    /// The state at every return, the first one at the start.
    pub points: Vec<Vec<f64>>,
    /// The value of every parameter.
    pub parameters: Vec<f64>,
    /// Impacts, complete chattering, stick and release in their order; the impacts of a complete sequence are part of it.
    pub signature: Vec<Mark>,
    /// All events of one period, in time since the section.
    pub events: Vec<Event>,
    /// The same events, whatever section the orbit was found on: begun where no sequence is cut.
    pub cycle: Cycle,
    /// By how much every angle and the phase advance in a period, in periods of their own; 0 for other states.
    pub turns: Vec<f64>,
    /// By how much every state on which nothing depends advances in a period, where the orbit repeats up to such shifts: the state, and its advance.
    pub drift: Vec<(usize, f64)>,
    /// The eigenvalues of the derivative over one period, largest modulus first; those that persistent contact makes are
    /// exactly 0. States other than the phase and those that drift, of which each would add a 1.
    pub multipliers: Vec<Complex>,
    /// The natural logarithm of the modulus of each, also where it is too small for a number; minus infinity for an exact 0.
    pub log_moduli: Vec<f64>,
    /// For an autonomous model, which multiplier is the trivial one, that of the motion itself, and its distance from 1, a
    /// measure of accuracy.
    pub trivial: Option<(usize, f64)>,
    /// The derivative of the state after one period with respect to the state on the section, at fixed time, in the states
    /// other than the phase and those that drift.
    pub monodromy: Matrix,
    /// For an orbit that is its own mirror image under the model's symmetry: its derivative over half a period.
    pub half: Option<Half>,
    /// Whether all multipliers but the trivial one lie inside the unit circle.
    pub stable: bool,
    /// Whether it is a motion of the system: orbits that were followed through all their events are.
    pub admissible: bool,
    /// By how much it misses itself after one period, relative to the size of each state.
    pub residual: f64,
    /// The path over one period.
    pub trajectory: Trajectory,
}

/// Moduli this close to 1 lie on the unit circle: derivatives are known to about the tolerance of the trajectory, 1e-12 by default.
pub(crate) const UNIT_CIRCLE: f64 = 1e-11;
/// Multipliers this close to each other may be one, split by rounding: a double eigenvalue is known to the square root of rounding.
const SAME_MULTIPLIER: f64 = 1e-6;
/// Points this close, relative to the size of each state, are the same.
const SAME_POINT: f64 = 1e-7;

impl Orbit {
    /// The words of the signature, e.g. `impact:wall`.
    pub fn signature_words(&self, system: &System) -> Vec<String> {
        self.signature.iter().map(|mark| mark.word(system)).collect()
    }

    /// How many events of a kind there are in a period; impacts of complete sequences are not counted as impacts.
    pub fn count(&self, kind: EventKind) -> usize {
        self.signature.iter().filter(|mark| mark.kind == kind).count()
    }

    /// The largest multiplier in modulus, the trivial one left out; 0 if there is none.
    pub fn leading_modulus(&self) -> f64 {
        let trivial = self.trivial.map(|(index, _)| index);
        let others = self.multipliers.iter().enumerate().filter(|(i, _)| Some(*i) != trivial);
        others.map(|(_, m)| dense::modulus(m)).fold(0.0, f64::max)
    }

    /// Whether the orbit is neither stable nor unstable to first order: no multiplier lies outside the unit circle by more than rounding. Multipliers that
    /// coincide are known to the root of rounding only, and their product to rounding.
    pub fn is_neutral(&self) -> bool {
        let inside = |z: &Complex| {
            let near = |w: &&Complex| elementary::hypot(w.re - z.re, w.im - z.im) <= SAME_MULTIPLIER;
            let product: f64 = self.multipliers.iter().filter(near).map(|w| elementary::ln(dense::modulus(w))).sum();
            dense::modulus(z) <= 1.0 + UNIT_CIRCLE
                || product <= UNIT_CIRCLE && dense::modulus(z) <= 1.0 + SAME_MULTIPLIER
        };
        !self.stable && self.multipliers.iter().all(inside)
    }

    /// Follows an orbit through one period and collects everything about it.
    ///
    /// `scale` is the size of every coordinate of the section.
    ///
    /// # Errors
    /// If the trajectory does not come back.
    pub(crate) fn follow(
        map: &mut ReturnMap,
        start: &Point,
        returns: u64,
        scale: &[f64],
        monitor: &mut dyn FnMut() -> bool,
    ) -> Result<Orbit, Failure> {
        let orbit = Orbit::followed(map, start, returns, scale, monitor, Beginning::Counts)?;
        if !begins_with_its_end(&orbit.events, orbit.period) {
            return Ok(orbit);
        }
        Orbit::followed(map, start, returns, scale, monitor, Beginning::IsLeftOut)
    }

    fn followed(
        map: &mut ReturnMap,
        start: &Point,
        returns: u64,
        scale: &[f64],
        monitor: &mut dyn FnMut() -> bool,
        beginning: Beginning,
    ) -> Result<Orbit, Failure> {
        let system = map.system();
        let section = map.section();
        let flowing = map.flowing().to_vec();
        let (base, mut motion) = Basis::begin(map, start)?;
        let mut record = Record::new(system, base.dimension(), (start.closed, beginning));
        // On a contact's section the trajectory has struck by now; the orbit begins before.
        let mut points = vec![start.state.clone()];
        for _ in 0..returns {
            record.follow(&mut motion, &flowing, monitor)?;
            points.push(motion.state().to_vec());
            if points.len() as u64 <= returns {
                if !motion.in_sequence() {
                    record.cut(&mut motion, &flowing);
                }
                motion.extend(f64::INFINITY, Some((section, 1)));
            }
        }
        record.close(&mut motion, &flowing, &base);
        record.leave_out_beginning();
        let end = points.pop().unwrap_or_default();
        let period = motion.time();
        let cycle = Cycle::of(&mut motion, start.closed, &record.events, period, monitor)?;
        // During the completion of a sequence the state is known only up to the impacts left out: there the orbit closes where its cycle does.
        let closure = match cycle.chatters_at(period - cycle.begins) {
            true => map.difference(&record.trajectory.at(cycle.begins), motion.state()),
            false => map.difference(&start.state, &end),
        };
        map.keep(motion);
        map.count(returns);
        let residual = closure.iter().zip(scale).map(|(r, s)| r.abs() / s);
        let residual = residual.fold(map.phases_apart(&start.state, &end), f64::max);
        let drift = drift(map, &start.state, &end, &record.trajectory);
        let mut turns = turns(map, &start.state, &end, period);
        // An angle that drifts need not come to where it was.
        map.drifting().iter().for_each(|&i| turns[i] = 0.0);
        // Constraints leave fewer directions for ever.
        let dimension = flowing.len() - system.constrained_dimensions();
        let lost = || Slowest::without_derivatives(record.slowest.as_ref(), map, period);
        let ranks = if record.plastic { Ranks::ROUNDING } else { Ranks::Full };
        // The size of every state, so that its unit does not matter.
        let size = |i: &usize| map.coordinates().iter().position(|c| c == i).map_or(1.0, |k| scale[k]);
        let sizes: Vec<f64> = flowing.iter().map(size).collect();
        let found = stability::multipliers(&stability::balanced(&record.factors, &sizes), dimension, ranks)
            .map_err(|_| lost())?;
        let multipliers: Vec<Complex> = found.iter().map(|m| m.value).collect();
        let log_moduli = found.iter().map(|m| m.log_modulus).collect();
        let mut total = base.0.transpose();
        for factor in &record.factors {
            total = factor.product(&total).map_err(|_| lost())?;
        }
        let monodromy = base.0.product(&total).map_err(|_| lost())?;
        let trivial = if system.model().phase.is_none() { nearest_to_one(&multipliers) } else { None };
        // On the unit circle rounding must not decide; nor where volumes are kept, as in conservative motions.
        let inside =
            |(i, m): (usize, &Complex)| trivial.is_some_and(|(t, _)| t == i) || dense::modulus(m) < 1.0 - UNIT_CIRCLE;
        let volume: f64 = found.iter().map(|m| m.log_modulus).sum();
        let stable = multipliers.iter().enumerate().all(inside) && volume < -UNIT_CIRCLE;
        let half = symmetry::half(map, start, period, scale, monitor)?;
        Ok(Orbit {
            section,
            returns,
            period,
            state: start.state.clone(),
            closed: start.closed,
            points,
            parameters: map.values().parameters().to_vec(),
            signature: cycle.marks(period),
            events: record.events,
            cycle,
            turns,
            drift,
            multipliers,
            log_moduli,
            trivial,
            monodromy,
            half,
            stable,
            admissible: true,
            residual,
            trajectory: record.trajectory,
        })
    }

    /// The smallest number of returns after which the orbit repeats.
    pub(crate) fn least_returns(&self, map: &ReturnMap, scale: &[f64]) -> u64 {
        let states = &map.system().model().states;
        let same = |a: &[f64], b: &[f64]| {
            let mut discrete = (0..states.len()).filter(|&i| states[i].kind == StateKind::Discrete);
            map.difference(a, b).iter().zip(scale).all(|(d, s)| d.abs() <= SAME_POINT * s)
                && map.phases_apart(a, b) <= SAME_POINT
                && discrete.all(|i| a[i] == b[i])
        };
        let divisors = (1..self.returns).filter(|d| self.returns.is_multiple_of(*d));
        let repeats =
            |d: &u64| (*d as usize..self.points.len()).all(|k| same(&self.points[k - *d as usize], &self.points[k]));
        divisors.clone().find(repeats).unwrap_or(self.returns)
    }
}

/// Completes the sizes of states from the largest values that were seen: that of an angle or the phase is its period, and a state that is nothing but
/// rounding has the size of the largest one.
pub(crate) fn complete_sizes(sizes: &mut [f64], periods: &[Option<f64>]) {
    let largest = sizes.iter().fold(0.0_f64, |m, x| m.max(*x));
    for (size, period) in sizes.iter_mut().zip(periods) {
        *size = period.unwrap_or(*size);
        if *size <= f64::EPSILON * largest {
            *size = if largest > 0.0 { largest } else { 1.0 };
        }
    }
}

/// The multiplier nearest to 1, with its distance from it.
fn nearest_to_one(multipliers: &[Complex]) -> Option<(usize, f64)> {
    let distance = |m: &Complex| elementary::hypot(m.re - 1.0, m.im);
    let nearest = multipliers.iter().enumerate().min_by(|a, b| distance(a.1).total_cmp(&distance(b.1)));
    nearest.map(|(i, m)| (i, distance(m)))
}

/// By how much the states that may drift advance between two states of a motion; an advance within the tolerance of the motion is none.
fn drift(map: &ReturnMap, from: &[f64], to: &[f64], path: &Trajectory) -> Vec<(usize, f64)> {
    let mut state = from.to_vec();
    let mut farthest = vec![0.0_f64; from.len()];
    for piece in path.pieces() {
        piece.evaluate(piece.length, &mut state);
        farthest.iter_mut().zip(&state).zip(from).for_each(|((far, x), x0)| *far = far.max((x - x0).abs()));
    }
    let rounding = |i: usize| map.tolerance() * farthest[i] + f64::EPSILON * from[i].abs();
    let advance = |i: usize| Some(to[i] - from[i]).filter(|d| d.abs() > rounding(i)).unwrap_or(0.0);
    map.drifting().iter().map(|&i| (i, advance(i))).collect()
}

/// By how many of its periods every angle and every phase advance between two states of a motion.
fn turns(map: &ReturnMap, from: &[f64], to: &[f64], time: f64) -> Vec<f64> {
    let phase = map.system().model().phase.as_ref().map(|phase| phase.state);
    let others = map.phases().map_or(&[][..], |phases| &phases.others);
    let turn = |i: usize| {
        let of = |p: f64| match others.iter().find(|other| other.state == i) {
            // Phases are kept within their periods.
            Some(other) => (other.frequency * time).round(),
            None if phase == Some(i) => (map.phase_rate() * time / p).round(),
            None => ((to[i] - from[i]) / p).round(),
        };
        map.values().angle_periods()[i].map_or(0.0, of)
    };
    (0..to.len()).map(turn).collect()
}

/// After so many flights in a row that are shorter than the one before, impacts are taken for the beginning of a sequence, which a cut would end.
const MOST_SHRINKING: usize = 2;

/// The last impact.
struct LastImpact {
    contact: usize,
    time: f64,
    /// How long the flight before it took, if it came from the same contact.
    flight: f64,
}

/// What becomes of an event with which an orbit begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Beginning {
    Counts,
    /// It is that with which the orbit ends.
    IsLeftOut,
}

/// Whether an orbit begins with the passage of a surface that it ends with: on the section rounding decides whether an event comes before or behind it.
fn begins_with_its_end(events: &[Event], period: f64) -> bool {
    let [first, .., last] = events else { return false };
    let what = |event: &Event| (event.kind, event.contact, event.switch);
    let around = first.time <= SAME_INSTANT * period && last.time >= (1.0 - SAME_INSTANT) * period;
    first.kind == EventKind::Switch && what(first) == what(last) && around
}

/// What is written down while an orbit is followed.
struct Record {
    /// Contacts that are closed from the start: their persistent contact began before.
    resting: ClosedSet,
    factors: Vec<Matrix>,
    /// The number of directions at the last cut.
    dimension: usize,
    events: Vec<Event>,
    trajectory: Trajectory,
    patience: Patience,
    /// Whether there was an impact without restitution, which takes a dimension without a persistent contact.
    plastic: bool,
    slowest: Option<Slowest>,
    last: LastImpact,
    /// How many flights in a row were shorter than the one before.
    shrinking: usize,
    /// Whether the first event counts.
    beginning: Beginning,
    /// How many factors there are up to the first event, if it does not count.
    first: usize,
}

impl Record {
    fn new(system: &System, dimension: usize, (resting, beginning): (ClosedSet, Beginning)) -> Record {
        Record {
            resting,
            factors: Vec::new(),
            dimension,
            events: Vec::new(),
            trajectory: Trajectory::new(system.state_names().len()),
            patience: Patience::with_path(),
            plastic: false,
            slowest: None,
            last: LastImpact { contact: usize::MAX, time: 0.0, flight: f64::INFINITY },
            shrinking: 0,
            beginning,
            first: 0,
        }
    }

    /// Follows the motion to its stop condition.
    fn follow(
        &mut self,
        motion: &mut Motion,
        flowing: &[usize],
        monitor: &mut dyn FnMut() -> bool,
    ) -> Result<(), Failure> {
        loop {
            let mut kind = None;
            let mut stepped = false;
            match motion.advance() {
                Happening::Quiet { .. } => {}
                Happening::Step(piece) => {
                    stepped = true;
                    self.trajectory.push(&piece);
                }
                Happening::Event(event) => {
                    kind = Some(event.kind);
                    self.mark(event);
                }
                Happening::Ended(ended) if ended.is_complete() => return Ok(()),
                Happening::Ended(ended) => {
                    let ended = ended.clone();
                    return Err(Failure::Ended { ended, time: motion.time() });
                }
            }
            self.patience.spend(motion.time(), monitor)?;
            match kind {
                Some(EventKind::Stick) => self.cut(motion, flowing),
                Some(EventKind::Switch) if self.events.len() == 1 && self.beginning == Beginning::IsLeftOut => {
                    self.cut(motion, flowing);
                    self.first = self.factors.len();
                }
                // A cut would make a chattering sequence begin again.
                _ if (stepped || kind == Some(EventKind::Impact))
                    && !motion.in_sequence()
                    && self.shrinking < MOST_SHRINKING
                    && stability::is_spread(&motion.derivatives(), flowing) =>
                {
                    self.cut(motion, flowing)
                }
                _ => {}
            }
        }
    }

    /// Leaves out the factors up to the first event, if that is asked for.
    fn leave_out_beginning(&mut self) {
        if self.factors[..self.first].iter().all(|factor| factor.rows() == factor.columns()) {
            self.factors.drain(..self.first);
        }
    }

    fn mark(&mut self, event: &Event) {
        if event.kind == EventKind::Stick
            && event.time == 0.0
            && event.contact.is_some_and(|c| self.resting.contains(c))
        {
            return;
        }
        self.events.push(event.clone());
        let (Some(contact), true) = (event.contact, event.kind != EventKind::Section) else {
            return;
        };
        Slowest::see(&mut self.slowest, event);
        if event.kind == EventKind::Graze && event.impacts == 0 {
            return;
        }
        self.plastic |= event.kind == EventKind::Impact && event.speed_after == 0.0;
        if event.kind == EventKind::Impact {
            let last = &self.last;
            let flight = if last.contact == contact { event.time - last.time } else { f64::INFINITY };
            self.shrinking = if flight < last.flight { self.shrinking + 1 } else { 0 };
            self.last = LastImpact { contact, time: event.time, flight };
        }
    }

    /// Closes a factor here and begins the next one, in the basis of the present contacts.
    fn cut(&mut self, motion: &mut Motion, flowing: &[usize]) {
        let basis = Basis::at(motion, flowing);
        self.close(motion, flowing, &basis);
        let next = basis.perturbations(motion, flowing);
        motion.differentiate(&next);
    }

    /// Closes a factor here, in the given basis.
    fn close(&mut self, motion: &mut Motion, flowing: &[usize], basis: &Basis) {
        let derivatives = motion.derivatives();
        let factor = if derivatives.directions() == self.dimension {
            basis.coordinates(&derivatives, flowing)
        } else {
            Matrix::zeros(basis.dimension(), self.dimension)
        };
        self.factors.push(factor);
        self.dimension = basis.dimension();
    }
}
