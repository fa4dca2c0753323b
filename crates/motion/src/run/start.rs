//! How a motion begins: in free flight, before or after an impact, or in contact; gaps and speeds of the start are compared with their terms.

use std::sync::Arc;

use saltation_expr::Tape;
use saltation_numerics::number::Number;

use crate::contact::touch::Touch;
use crate::ended::Ended;
use crate::instant::knowledge::{EVALUATED, ROUNDING, SINGULAR};
use crate::mode::expansion::Expansion;
use crate::mode::{Bound, ClosedSet, Slip};
use crate::transition::automaton::Automaton;
use crate::transition::consistent::time_of;

/// Why a motion cannot start.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StartError {
    /// The start lies inside an obstacle.
    #[error("the start is inside the obstacle of contact `{contact}`: its gap is {gap:e}, and it must not be negative")]
    Inside {
        /// The name of the contact.
        contact: String,
        /// Its gap.
        gap: f64,
    },
    /// The exact flow is asked for, and the model has none.
    #[error("the exact flow needs a linear model, and {}", .formula.as_ref().map_or_else(
        || "this one has coefficients for which it cannot be tabulated".to_string(),
        |formula| format!("{formula} is not linear in the states with smooth periodic forcing"),
    ))]
    NotLinear {
        /// What is not linear, e.g. `the rate of x`; `None` if it is a matter of numbers.
        formula: Option<String>,
    },
}

/// The order up to which the gaps of a start are looked at.
const ORDER: usize = 6;

/// The time in which a series changes its course, from the sizes of its coefficients from an order on; none where fewer than two say something.
fn turning_time(series: &[f64], from: usize) -> Option<f64> {
    let mut sizes = [0.0; ORDER + 1];
    sizes.iter_mut().zip(series).skip(from).for_each(|(size, c)| *size = c.abs());
    (sizes.iter().filter(|size| **size > 0.0).count() > 1).then(|| time_of(&sizes))
}

/// How far a gap moves within a time.
fn travel(gap: &[f64], time: f64) -> f64 {
    let parts = (1..gap.len().min(ORDER + 1)).filter(|k| gap[*k] != 0.0).map(|k| gap[k].abs() * time.powi(k as i32));
    parts.fold(0.0, f64::max)
}

/// Newton's method takes at most so many steps onto the constraints of a body.
const STEPS: usize = 20;

/// Moves a state that nearly obeys the constraints of a body onto them, until the steps do not become shorter: what is left is rounding.
pub(crate) fn move_onto_constraints<T: Number>(tape: &Arc<Tape>, parameters: &[T], state: &mut [T]) {
    let mut step = Expansion::new(tape, parameters);
    let mut shortest = f64::INFINITY;
    for _ in 0..STEPS {
        step.expand(state, 0);
        let size = |(i, x): (usize, &T)| step.output(i)[0].value().abs() / x.value().abs().max(f64::MIN_POSITIVE);
        let length = state.iter().enumerate().map(size).fold(0.0, f64::max);
        for (i, x) in state.iter_mut().enumerate() {
            *x += step.output(i)[0];
        }
        if length == 0.0 || length.is_nan() || length >= 0.5 * shortest && length < f64::EPSILON.sqrt() {
            return;
        }
        shortest = shortest.min(length);
    }
}

impl Automaton<'_> {
    /// Finds out how the motion begins, on the surfaces of the contacts that are meant to be closed. The inner result says how it ends at once.
    ///
    /// # Errors
    /// A start inside an obstacle.
    pub(super) fn begin(&mut self, closed: ClosedSet) -> Result<Result<(), Ended>, StartError> {
        let system = self.system;
        let (sides, closed) = (closed.sides(), closed.contacts());
        if let Some(phase) = system.phase {
            let period = self.bound.phase_period;
            self.vary_wrap(phase, (self.now.state[phase] / period).floor());
            self.now.state[phase] = self.now.state[phase].rem_euclid(period);
        }
        for (k, tone) in system.tones.iter().enumerate() {
            let period = self.bound.tone_periods[k];
            if period.is_finite() {
                self.vary_tone(k, (self.now.state[tone.state] / period).floor());
                self.now.state[tone.state] = self.now.state[tone.state].rem_euclid(period);
            }
        }
        self.known.recent.fill(0.0);
        self.located.struck_from = None;
        let given = self.now.state.clone();
        let mut state = std::mem::take(&mut self.now.state);
        if let Some(tapes) = &system.constraints {
            move_onto_constraints(&tapes.step, &self.parameters, &mut state);
        }
        // What is said of the slip along constraints stays.
        let rough = (0..system.opposite.len()).filter(|&c| system.opposite[c].is_some() && !closed.contains(c));
        let held = rough.fold(closed, |set, contact| set.with_slip(contact, Slip::Forward));
        self.project_onto(held, &mut state);
        self.now.state = state;
        self.begin_backwards();
        // Contacts may hold what has no mode in flight.
        let begun = self.begin_sides(sides);
        if system.constraints.is_some() {
            self.project_kept();
            if let Err(singular) = self.require_regular(SINGULAR) {
                return Ok(Err(singular));
            }
        }
        // All that is looked at here is on this expansion.
        self.modes.now_mut().probe(&self.now.state, ORDER);
        (0..self.sections.places.len()).for_each(|section| self.place_probed_section(section));
        if !self.is_defined()
            && let Some(ended) = self.undefined()
        {
            return Ok(Err(ended));
        }
        let moment = EVALUATED * self.course();
        let last_digits = EVALUATED * self.now.state.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
        let mut striking = Vec::new();
        let mut resting = Vec::new();
        for contact in 0..system.contact_names.len() {
            if closed.contains(contact) {
                resting.push(contact);
                continue;
            }
            let (gap, speed) = self.surface(contact);
            let gradient = self.bound.laws[contact].gradient();
            let mode = self.modes.now();
            // The terms that the gap and its speed consist of, that of the phase and constants among them.
            let sized = |terms: &mut dyn Iterator<Item = f64>, whole: f64| {
                let (sum, sizes) = terms.fold((0.0, 0.0), |(sum, sizes), term| (sum + term, sizes + term.abs()));
                sizes + (whole - sum).abs()
            };
            let terms = sized(&mut gradient.iter().zip(&self.now.state).map(|(g, x)| g * x), gap);
            let pace = sized(&mut gradient.iter().enumerate().map(|(i, g)| g * mode.probed_state(i)[1]), speed);
            // How far the gap moves before the motion changes: a state that was computed is only as exact as that.
            let series = mode.probed(system.gap_output(contact));
            let size = || {
                let times = (0..self.now.state.len()).filter_map(|i| turning_time(mode.probed_state(i), 1));
                let time = turning_time(series, 1).map(|time| times.fold(time, f64::min).min(self.settings.until));
                terms.max(time.map_or(0.0, |time| travel(series, time)))
            };
            // Nor does it say more than what happens in a moment.
            let (travelled, gained) = (travel(series, moment), 2.0 * series[2].abs() * moment);
            // Nor is a gap known better than the last digits by which the start was moved onto the constraints.
            let slight = |(x, given): (&f64, &f64)| Some((x - given).abs()).filter(|by| *by <= last_digits);
            let shifts = self.now.state.iter().zip(&given).map(|pair| slight(pair).unwrap_or(0.0));
            let moved: f64 = gradient.iter().zip(shifts).map(|(g, by)| (g * by).abs()).sum();
            if gap < 0.0 && gap < -(ROUNDING * size()).max(travelled).max(moved) {
                return Err(StartError::Inside { contact: system.contact_names[contact].clone(), gap });
            }
            if system.opposite[contact].is_some() {
                resting.push(contact);
                continue;
            }
            // A gap that opens or closes and is not zero needs no excuse: the motion goes through it.
            let still = speed.abs() <= (EVALUATED * pace).max(gained);
            if gap > (EVALUATED * if still { size() } else { terms }).max(travelled) {
                continue;
            }
            if still {
                resting.push(contact);
            } else if speed > 0.0 {
                self.departures.leaving[contact] = 1;
                self.departures.bounced = Some(contact);
            } else {
                striking.push(contact);
            }
        }
        let before = self.now.state.clone();
        let began = self.begin_at(closed, &resting, &striking, (moment, begun));
        // The motion leaves a section along the field of the mode that it begins in, as friction decides it.
        if began.is_ok() && !resting.is_empty() && self.now.state == before {
            (0..self.sections.places.len()).for_each(|section| self.place_section(section));
        }
        Ok(began)
    }

    /// The time in which accelerations change, as far as the motion is asked for; zero where it is not known. Speeds may be rounding.
    fn course(&self) -> f64 {
        let mode = self.modes.now();
        let turning = (0..self.now.state.len()).filter_map(|i| turning_time(mode.probed_state(i), 2));
        turning.reduce(f64::min).map_or(0.0, |time| time.min(self.settings.until))
    }

    /// How contacts begin that touch: those without opening speed, and those that strike.
    fn begin_at(
        &mut self,
        known: ClosedSet,
        resting: &[usize],
        striking: &[usize],
        (moment, begun): (f64, Result<(), Ended>),
    ) -> Result<(), Ended> {
        let state = self.now.state.clone();
        let fastest = self.fastest(&state);
        let closed = resting.iter().fold(ClosedSet::NONE, |set, &contact| {
            // What is known to stick does.
            let sticks = known.contains(contact) && known.slip(contact).is_none();
            let slip = self.slip_at(contact, &state, fastest).filter(|_| !sticks);
            // What slip gains or loses within a moment is none.
            let lasts = |touch: &Touch| touch.slip().abs() > moment * touch.slip_acceleration().abs();
            match slip.filter(|_| lasts(&self.joint.group.touches[contact])) {
                Some(slip) => set.with_slip(contact, slip),
                None => set.with(contact),
            }
        });
        if striking.is_empty() {
            self.vary_onset(known, closed);
        }
        match *striking {
            [] if closed.is_empty() => begun,
            [] => self.decide(closed, ClosedSet::NONE, &[]),
            [first, ..] => {
                self.located.struck_from = Some(closed);
                if !closed.is_empty() {
                    self.enter_mode(closed);
                }
                if striking.len() > 1 && !self.system.joins() {
                    return Err(Ended::ContactsTogether { contacts: striking.to_vec() });
                }
                self.located.together = striking.to_vec();
                self.strike(first)
            }
        }
    }

    /// The neighbours of a motion that begins where slip begins, with a direction that is known: each is taken to where its own slip begins, along the field
    /// of that slip, as those are that come there from before.
    fn vary_onset(&mut self, known: ClosedSet, closed: ClosedSet) {
        let still = |&contact: &usize| closed.slip(contact).is_none() && known.slip(contact).is_some();
        let onsets: Vec<usize> = closed.iter().filter(still).collect();
        if onsets.is_empty() || !self.varies() {
            return;
        }
        let slips = |set: ClosedSet, contact: usize| match known.slip(contact) {
            Some(slip) if onsets.contains(&contact) => set.with_slip(contact, slip),
            _ => set,
        };
        self.enter_mode(onsets.iter().fold(closed, |set, &contact| slips(set, contact)));
        for contact in onsets {
            let limits = &self.modes.now().limits;
            let own = limits.iter().find(|limit| limit.contact == contact && limit.kind == Bound::Speed);
            // A slip that other contacts hold does not begin.
            if let Some(output) = own.map(|limit| limit.output)
                && !self.is_rounding(output)
            {
                self.vary_to_zero(output);
            }
        }
        self.enter_mode(ClosedSet::NONE);
    }

    /// Whether all rates and outputs have finite values and first derivatives where the mode was probed.
    fn is_defined(&self) -> bool {
        let mode = self.modes.now();
        let finite = |row: &[f64]| row[..=2].iter().all(|c| c.is_finite());
        (0..self.now.state.len()).all(|i| finite(mode.probed_state(i)))
            && (0..mode.tape().outputs()).all(|o| finite(mode.probed(o)))
    }
}
