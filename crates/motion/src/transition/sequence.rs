//! The end of an infinite sequence of impacts, in time and state, extrapolated.
//!
//! The states x_n just before successive impacts of a chattering sequence lie on a smooth curve through the point x* where it
//! completes, parametrised by the opening speed v_n (Nordmark & Piiroinen, Eq. (27)). Their map of first order, Eqs. (30)
//! and (31),
//!
//! x* = x + (2 F r / a + W) v / (1 - r),   t* = t + 2 r v / (a (1 - r)),
//!
//! leaves an error that is a power series in v from v^2 on. Each further impact therefore allows one more step of
//! extrapolation: with the estimates of order k from speeds v' and v,
//!
//! T_(k+1) = T_k + (T_k - T'_k) / ((v'/v)^(k+1) - 1),
//!
//! and the second term is the error estimate of T_k, Eq. (35). The sequence is followed until the estimates agree with
//! themselves to tolerance, never to a fixed speed.
//!
//! Other contacts may stay closed meanwhile, slip and stick in every flight anew, or have impacts of their own, and switches may be crossed. As long as each flight
//! passes the same modes, sides and impacts, all times in it are proportional to v in the limit, and states and times before impacts still lie on smooth curves in v. Their first derivatives
//! are then not known in closed form: the states themselves are the estimates of order 0, and the extrapolation begins with the first power of v.
//!
//! That needs a law which is smooth at zero speed: the ratio of speeds r is then a power series in v as well. Where it is not
//! (r = 1 - c |v|^(1/5) of viscoelastic spheres), the sequence is followed until its rest is below the tolerance.
//!
//! A sequence runs on any kind of number. On dual numbers the same extrapolation gives the derivatives of the end of the
//! sequence (Sect. 4.4). Every decision is one about the values of the trajectory: derivatives repeat what was decided, because their own values differ by rounding, which near
//! the end decides otherwise.

use saltation_numerics::elementary;
use saltation_numerics::number::Number;

use crate::instant::knowledge::SPENT;
use crate::mode::{ClosedSet, Sides};

/// The number of extrapolations that are tried; rounding makes more of them worthless.
const LEVELS: usize = 7;
/// Speeds shrink at least by this factor between two impacts that enter the extrapolation.
const SPACING: f64 = 0.5;
/// The part of the sequence that is skipped is at most this fraction of the part that was followed, so that a picture of
/// the motion shows no gap.
const SKIPPED: f64 = 1e-3;
/// After so many impacts a sequence is completed however long its rest is.
const MANY: usize = 20_000;

/// Extrapolation over speeds that halve adds up roundings of its nodes to no more than this: the product of (2^k + 1)/(2^k - 1).
const AMPLIFIED: f64 = 8.3;

/// A flight that passes more modes and impacts than this is not the repetition of another.
const MOST_PASSED: usize = 16;
/// Estimates of a sequence that have not become better so often are those of rounding, if they are known to this part.
const CONVERGED: usize = 2;
/// Estimates that differ by this times their errors are not of the same end.
const CONTRADICTED: f64 = 100.0;
const KNOWN: f64 = 1e-8;
/// So many impacts with other events between them are the beginning of a sequence, if a flight takes less than this part of the one before.
const FEW: usize = 4;
const SHRINKING: f64 = 0.99;
/// Successive ratios of speeds that differ by less than this part of themselves and of what they lose are those of a geometric sequence. Contacts that
/// separate after some more impacts have ratios that fall ever faster.
const STEADY: f64 = 0.1;

/// What happens beside its own contact in a flight of a sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Passage {
    /// Surfaces of switches are crossed to these sides.
    Switch(Sides),
    /// Other contacts enter this mode.
    Mode(ClosedSet),
    /// One of them has one impact or several in a row.
    Impact(usize),
}

impl Passage {
    /// The sides to which surfaces are crossed.
    pub(crate) fn sides(&self) -> Option<Sides> {
        match self {
            Passage::Switch(sides) => Some(*sides),
            Passage::Mode(_) | Passage::Impact(_) => None,
        }
    }

    /// The mode that contacts enter.
    pub(crate) fn mode(&self) -> Option<ClosedSet> {
        match self {
            Passage::Mode(mode) => Some(*mode),
            Passage::Switch(_) | Passage::Impact(_) => None,
        }
    }
}

/// An impact of a sequence, with all that the first-order map needs. Slices have one entry per state.
pub(crate) struct Impact<'a, T = f64> {
    pub time: T,
    /// The state just before the impact.
    pub state: &'a [T],
    /// How the impact changes it: W v.
    pub jump: &'a [T],
    /// The field F at `state`.
    pub rate: &'a [T],
    /// Opening speed, acceleration and jerk at `state`; the speed is negative.
    pub speed: T,
    pub acceleration: T,
    pub jerk: T,
    /// The ratio of speeds -v+/v-.
    pub ratio: T,
    /// The size of the terms of the opening speed.
    pub terms: f64,
    /// Whether flights pass no other mode, so that the map of first order is known.
    pub undisturbed: bool,
}

/// The prediction of the end of a sequence.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Completion {
    /// When the sequence ends.
    pub time: f64,
    /// The estimated error, relative to the scale of each state and of the duration.
    pub error: f64,
    /// How long the rest of the sequence takes by the map of first order, relative to what has passed.
    pub rest: f64,
}

/// The impacts of one contact that may be a chattering sequence.
#[derive(Debug, Clone)]
pub(crate) struct Sequence<T = f64> {
    states: usize,
    /// Whether there may be a map of first order: crossings of switches have none.
    has_map: bool,
    contact: Option<usize>,
    impacts: usize,
    started: T,
    first_speed: f64,
    last_speed: f64,
    /// Whether the last impact of which an estimate was made took no more than rounding of its speed.
    spent: bool,
    /// The last ratio of successive speeds and the one before.
    ratios: [f64; 2],
    /// When the last impact was, and how long the last two flights took.
    last_time: f64,
    flights: [f64; 2],
    /// What has been passed since the last impact, and between the last two.
    passed: Vec<Passage>,
    cycle: Vec<Passage>,
    /// After so many impacts the next one enters the extrapolation.
    until_next: usize,
    /// Estimates of (state, time since the start), by level, at the latest impact and the one before.
    latest: Vec<Vec<T>>,
    previous: Vec<Vec<T>>,
    known: usize,
    node_speed: T,
    scale: Vec<f64>,
    largest_rate: Vec<f64>,
    last_best: Vec<T>,
    best: Vec<T>,
    best_error: f64,
    /// How many estimates there have been since the best.
    since_best: usize,
    decided: Decided,
}

/// What the last impact did to the estimates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Decided {
    /// So many levels were extrapolated; none where the impact says nothing.
    levels: Option<usize>,
    /// The level whose estimate has become the best.
    taken: Option<usize>,
}

impl<T: Number> Sequence<T> {
    pub(crate) fn new(states: usize) -> Sequence<T> {
        Sequence {
            states,
            has_map: true,
            contact: None,
            impacts: 0,
            started: T::ZERO,
            first_speed: 0.0,
            last_speed: 0.0,
            spent: false,
            ratios: [0.0; 2],
            last_time: 0.0,
            flights: [f64::INFINITY; 2],
            passed: Vec::new(),
            cycle: Vec::new(),
            until_next: 0,
            latest: Vec::new(),
            previous: Vec::new(),
            known: 0,
            node_speed: T::ZERO,
            scale: Vec::new(),
            largest_rate: Vec::new(),
            last_best: Vec::new(),
            best: Vec::new(),
            best_error: f64::INFINITY,
            since_best: 0,
            decided: Decided::default(),
        }
    }

    /// A sequence of crossings of a switch in the place of impacts.
    pub(crate) fn of_crossings(states: usize) -> Sequence<T> {
        Sequence { has_map: false, ..Sequence::new(states) }
    }

    /// What is passed between two of its events.
    pub(crate) fn passages(&self) -> &[Passage] {
        &self.cycle
    }

    /// Room for the estimates, once a sequence begins.
    fn make_room(&mut self) {
        if self.best.is_empty() {
            let row = vec![T::ZERO; self.states + 1];
            (self.latest, self.previous) = (vec![row.clone(); LEVELS], vec![row.clone(); LEVELS]);
            (self.scale, self.largest_rate) = (vec![0.0; self.states + 1], vec![0.0; self.states + 1]);
            (self.last_best, self.best) = (row.clone(), row);
            self.passed.reserve(MOST_PASSED);
            self.cycle.reserve(MOST_PASSED);
        }
    }

    /// Whether the impacts so far may be the beginning of a chattering sequence: those with other events between them if they also follow each other
    /// ever faster.
    pub(crate) fn is_followed(&self) -> bool {
        let shrinks = self.is_undisturbed() || self.impacts > FEW && self.flights_shrink(SHRINKING);
        self.contact.is_some() && self.impacts > 1 && shrinks
    }

    /// Whether the last flight took less than this part of the one before, or the one before took no time that numbers resolve.
    fn flights_shrink(&self, part: f64) -> bool {
        let [last, earlier] = self.flights;
        last < part * earlier || last <= earlier && earlier <= f64::EPSILON * self.last_time.abs()
    }

    /// The contacts that have impacts in every flight.
    pub(crate) fn others(&self) -> impl Iterator<Item = usize> + '_ {
        self.cycle.iter().filter_map(|passage| match passage {
            Passage::Impact(contact) => Some(*contact),
            Passage::Mode(_) | Passage::Switch(_) => None,
        })
    }

    /// How many impacts have been followed.
    pub(crate) fn impacts(&self) -> usize {
        self.impacts
    }

    /// Whether the impacts have become so slow that rounding rules the sequence.
    pub(crate) fn is_spent(&self) -> bool {
        self.spent || self.last_speed.abs() < SPENT * self.first_speed.abs()
    }

    /// Whether a speed is below that of the last impact.
    pub(crate) fn slows(&self, speed: f64) -> bool {
        speed.abs() < self.last_speed.abs()
    }

    /// Forgets the sequence.
    pub(crate) fn clear(&mut self) {
        self.contact = None;
    }

    /// Something happens beside the contact during the flight. A mode that is entered again and impacts of one contact in a row count once.
    pub(crate) fn pass(&mut self, passage: Passage) {
        let known = |mode: &Passage| matches!(mode, Passage::Mode(_));
        let last = match passage {
            Passage::Mode(_) => self.passed.iter().rev().find(|passage| known(passage)),
            Passage::Impact(_) | Passage::Switch(_) => self.passed.last(),
        };
        if self.contact.is_none() || last == Some(&passage) {
            return;
        }
        match self.passed.len() < MOST_PASSED {
            true => self.passed.push(passage),
            false => self.clear(),
        }
    }

    /// Whether nothing else happens in the flights of the sequence.
    pub(crate) fn is_undisturbed(&self) -> bool {
        self.has_map && self.cycle.is_empty()
    }

    /// Whether nothing else has happened since the last impact.
    pub(crate) fn flies_alone(&self) -> bool {
        self.is_undisturbed() && self.passed.is_empty()
    }

    /// Counts an impact, as the next of its sequence if it can be (same contact, slower than the last one as far as rounding says so, after a
    /// flight through the same modes and impacts), else as the first of a new one. Whether it should be given to [`Sequence::estimate`] is
    /// the result.
    pub(crate) fn count(&mut self, contact: usize, time: T, (speed, falls): (f64, bool), ratio: f64) -> bool {
        let repeats = self.impacts < 2 || self.passed == self.cycle;
        let continues = self.contact == Some(contact) && falls && repeats;
        self.ratios = [speed / self.last_speed, self.ratios[0]];
        self.last_speed = speed;
        self.flights = [time.value() - self.last_time, self.flights[0]];
        self.last_time = time.value();
        std::mem::swap(&mut self.passed, &mut self.cycle);
        self.passed.clear();
        if !continues {
            self.begin(contact, time, speed);
            return false;
        }
        self.impacts += 1;
        self.until_next -= 1;
        if self.until_next == 0 {
            self.until_next = stride(if self.is_undisturbed() { ratio } else { self.ratios[0] });
            return true;
        }
        false
    }

    /// Begins a sequence with its first impact.
    pub(crate) fn begin(&mut self, contact: usize, time: T, speed: f64) {
        self.contact = Some(contact);
        self.cycle.clear();
        self.make_room();
        self.impacts = 1;
        self.started = time;
        self.first_speed = speed;
        self.spent = false;
        self.known = 0;
        self.until_next = 1;
        (self.best_error, self.since_best) = (f64::INFINITY, 0);
        self.scale.fill(0.0);
        self.largest_rate.fill(0.0);
    }

    /// Predicts the end of the sequence from one more impact; `None` as long as the prediction cannot be trusted. The
    /// state at the end is then [`Sequence::end_state`].
    pub(crate) fn estimate(&mut self, impact: &Impact<T>, tolerance: f64) -> Option<Completion> {
        let Impact { speed: v, acceleration: a, ratio: r, .. } = *impact;
        let (speed, acceleration, ratio) = (v.value(), a.value(), r.value());
        self.decided = Decided::default();
        if speed.is_nan() || speed >= 0.0 || impact.undisturbed && !(acceleration < 0.0 && ratio < 1.0) {
            self.known = 0;
            return None;
        }
        let states = impact.state.len();
        let [elapsed, duration] = self.map(impact);

        // The test that the map is asymptotic: how much the acceleration changes, relative to itself, until the end.
        let bend = 2.0 * (speed / acceleration) * (impact.jerk.value() / acceleration);
        let asymptotic = (bend * ratio / (1.0 - ratio)).abs() < 0.1;
        let rest = duration.value() / elapsed.value();
        self.spent = impact.undisturbed && is_rounding(speed, ratio, impact.terms);
        if asymptotic && impact.undisturbed && impact.time.value() + duration.value() == impact.time.value() {
            // All that is left takes no time that numbers can resolve.
            self.decided.levels = Some(0);
            self.take(0);
            return Some(Completion { time: impact.time.value(), error: f64::EPSILON, rest: 0.0 });
        }

        // Extrapolate as often as earlier estimates allow; keep the level with the smallest error.
        let levels = self.known.min(LEVELS - 1);
        self.decided.levels = Some(levels);
        let (level, error) = self.extrapolate(impact, levels);
        self.known = (self.known + 1).min(LEVELS);
        if level == 0 {
            self.last_best.copy_from_slice(&self.latest[0]);
            return None;
        }
        let change = relative_difference(&self.latest[level], &self.last_best, &self.scale);
        self.last_best.copy_from_slice(&self.latest[level]);
        // The last prediction was at best as good as this one: a tenth of the change is still a cautious estimate.
        let error = error.max(0.1 * change);
        self.since_best += 1;
        // A motion that was stopped in a flight continues from a rounded state: what was known before is contradicted by its later impacts.
        let apart = relative_difference(&self.latest[level], &self.best, &self.scale);
        let contradicted =
            self.best_error.is_finite() && apart > CONTRADICTED * (error + self.best_error + f64::EPSILON);
        if error < self.best_error || contradicted {
            (self.best_error, self.since_best) = (error, 0);
            self.take(level);
        }

        let asymptotic = match impact.undisturbed {
            true => asymptotic,
            // Speeds may also shrink in flights that do not, where nothing presses the contacts together.
            false => {
                let [last, earlier] = self.ratios;
                self.flights_shrink(SHRINKING) && (last - earlier).abs() < STEADY * last.min(1.0 - last)
            }
        };
        let duration = match impact.undisturbed {
            true => duration.value(),
            false => self.best[states].value() - elapsed.value(),
        };
        let visible = duration > SKIPPED * elapsed.value() && self.impacts < MANY;
        // Estimates that get no better are as good as they can be. What happens at other contacts is as exact as their own events; the instants of
        // impacts themselves are known to the last digit of the time, relative to the time since the first, and the time that is left as well as
        // the speed.
        let known = match impact.undisturbed {
            true => {
                let rounding = impact.time.value().abs() + (duration * impact.terms / speed).abs();
                KNOWN.min(AMPLIFIED * f64::EPSILON * rounding / elapsed.value())
            }
            false => KNOWN,
        };
        let converged = self.since_best >= CONVERGED && self.best_error <= known;
        let accurate = self.best_error <= tolerance || converged;
        // Where what is left is rounding, the first-order map says where it ends; without it that has to be known by extrapolation all the same.
        let spent = self.is_spent() && (impact.undisturbed || self.best_error <= KNOWN);
        if spent && impact.undisturbed && self.best_error > KNOWN {
            let left = |i: usize, x: f64| (self.latest[0][i].value() - x).abs() / self.scale[i].max(f64::MIN_POSITIVE);
            let moved = impact.state.iter().enumerate().map(|(i, x)| left(i, x.value()));
            self.best_error = moved.fold(left(states, elapsed.value()), f64::max);
            self.take(0);
        }
        (asymptotic && (spent || accurate && !visible)).then(|| Completion {
            time: self.end_time().value().max(impact.time.value()),
            error: self.best_error,
            rest,
        })
    }

    /// The same estimate as that of the trajectory, on another kind of number.
    pub(crate) fn repeat(&mut self, impact: &Impact<T>, of: &Sequence) {
        let Some(levels) = of.decided.levels else { return };
        self.map(impact);
        self.extrapolate(impact, levels);
        if let Some(level) = of.decided.taken {
            self.take(level);
        }
    }

    /// The estimate of the lowest level, by the map of first order where there is one: the time since the start, and how long the rest takes by that map.
    fn map(&mut self, impact: &Impact<T>) -> [T; 2] {
        let Impact { speed: v, acceleration: a, ratio: r, .. } = *impact;
        let states = impact.state.len();
        let elapsed = impact.time - self.started;
        std::mem::swap(&mut self.latest, &mut self.previous);
        let left = T::ONE - r;
        let duration = (r * v).scale(2.0) / (a * left);
        let first = &mut self.latest[0];
        for (i, &x) in impact.state.iter().enumerate() {
            first[i] = match impact.undisturbed {
                true => x + ((impact.rate[i] * r * v).scale(2.0) / a + impact.jump[i]) / left,
                false => x,
            };
            self.largest_rate[i] = self.largest_rate[i].max(impact.rate[i].value().abs());
            self.scale[i] = self.scale[i].max(x.value().abs()).max(self.largest_rate[i] * elapsed.value());
        }
        first[states] = if impact.undisturbed { elapsed + duration } else { elapsed };
        self.scale[states] = first[states].value();
        [elapsed, duration]
    }

    /// Extrapolates so many levels from the estimates before: the level with the smallest error, and that error. Without levels there is none.
    fn extrapolate(&mut self, impact: &Impact<T>, levels: usize) -> (usize, f64) {
        let states = impact.state.len();
        let spacing = self.node_speed / impact.speed;
        self.node_speed = impact.speed;
        let mut error = f64::INFINITY;
        let mut level = 0;
        let mut power = if impact.undisturbed { spacing } else { T::ONE };
        for k in 0..levels {
            let (lower, upper) = self.latest.split_at_mut(k + 1);
            power *= spacing;
            let divisor = power - T::ONE;
            let mut step: f64 = 0.0;
            for i in 0..=states {
                let correction = (lower[k][i] - self.previous[k][i]) / divisor;
                upper[0][i] = lower[k][i] + correction;
                if self.scale[i] > 0.0 {
                    step = step.max(correction.value().abs() / self.scale[i]);
                }
            }
            if step < error {
                error = step;
                level = k + 1;
            }
        }
        (level, error)
    }

    /// The estimate of a level becomes the best.
    fn take(&mut self, level: usize) {
        self.decided.taken = Some(level);
        self.best.copy_from_slice(&self.latest[level]);
    }

    /// The predicted state at the end of the sequence.
    pub(crate) fn end_state(&self) -> &[T] {
        &self.best[..self.best.len() - 1]
    }

    /// When the sequence is predicted to end.
    pub(crate) fn end_time(&self) -> T {
        self.started + self.best[self.best.len() - 1]
    }
}

/// Whether an impact at this speed takes less of it than rounding of the terms of the speed.
pub(crate) fn is_rounding(speed: f64, ratio: f64, terms: f64) -> bool {
    ratio < 1.0 && (1.0 - ratio) * speed.abs() <= f64::EPSILON * terms
}

/// After so many impacts with this ratio of speeds the spacing is reached.
fn stride(ratio: f64) -> usize {
    // What rounding adds to a ratio of 1/2 takes no further impact.
    let needed = elementary::ln(SPACING) / elementary::ln(ratio.clamp(1e-3, 1.0 - 1e-6)) - 1e-9;
    needed.ceil().max(1.0) as usize
}

fn relative_difference<T: Number>(a: &[T], b: &[T], scale: &[f64]) -> f64 {
    let differences = a.iter().zip(b).zip(scale).filter(|(_, s)| **s > 0.0);
    differences.map(|((&x, &y), s)| (x - y).value().abs() / s).fold(0.0, f64::max)
}
