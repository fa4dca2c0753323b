//! The end of a chattering sequence that begins with an impact, followed as a motion, with derivatives.

use super::{Extension, Image, Lost};
use crate::contact::Collision;
use crate::event::EventKind;
use crate::flow::FlowChoice;
use crate::mode::ClosedSet;
use crate::run::motion::{Happening, Motion};
use crate::sensitivity::Perturbation;
use crate::settings::Settings;

/// How a chattering sequence ended.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Completed {
    /// How long it took.
    pub duration: f64,
    /// The derivatives of that by the states at the first impact, then by the free parameters.
    pub gradient: Vec<f64>,
    /// The impacts that were followed one by one.
    pub impacts: usize,
    /// The opening acceleration at its end, which is negative.
    pub acceleration: f64,
}

/// A sequence is followed for so many impacts, and this many more divided by 1 - r: its speeds have long since fallen to rounding.
const MOST_IMPACTS: f64 = 100.0;
/// A flight of a sequence takes so many steps at most. Far from all orbits, where Newton's method may try a state, a flight may take longer than anyone waits.
pub(super) const MOST_STEPS: usize = 10_000;

impl<'s> Extension<'s> {
    /// The end of the sequence of impacts at `contact` that begins at a state just before its first impact; `closed` are the
    /// contacts that are closed meanwhile, `longest` is how long it may take, and the collision that of its first impact where contacts rub. The state is first moved onto the surface along the gradient of the gap.
    ///
    /// # Errors
    /// If it does not end in persistent contact.
    pub fn complete_chattering(
        &mut self,
        contact: usize,
        closed: ClosedSet,
        (state, longest, collision): (&[f64], f64, Option<&Collision>),
        end: &mut Image,
        completed: &mut Completed,
    ) -> Result<(), Lost> {
        let directions = state.len() + self.along.len();
        let ratio = self.begin_sequence((contact, closed), (state, longest, collision), true)?;
        let Some(mut motion) = self.motion.take() else { return Ok(()) };
        let most = MOST_IMPACTS + MOST_IMPACTS / (1.0 - ratio).max(1e-6);
        let incomplete = |extension: &Extension, reason: &str| extension.incomplete(contact, reason);
        let (mut impacts, mut steps) = (1_u32, 0);
        let outcome = loop {
            let (kind, at) = match motion.advance() {
                Happening::Event(event) => (event.kind, event.contact),
                Happening::Ended(ended) if ended.is_complete() => break Err("it takes too long".to_string()),
                Happening::Ended(ended) => break Err(ended.name().replace('_', " ")),
                _ if steps > MOST_STEPS => break Err("a flight between its impacts takes too many steps".to_string()),
                _ => {
                    steps += 1;
                    continue;
                }
            };
            match kind {
                EventKind::Stick | EventKind::Slip if at == Some(contact) => break Ok(()),
                EventKind::Impact => (impacts, steps) = (impacts + 1, 0),
                EventKind::Release if at == Some(contact) => {
                    break Err("the contact opens before its impacts have ended".to_string());
                }
                _ => {}
            }
            if f64::from(impacts) > most {
                break Err(format!("it has not ended after {impacts} impacts"));
            }
        };
        let result = match outcome {
            Ok(()) => {
                let derivatives = motion.event_derivatives();
                end.state.copy_from_slice(motion.state());
                for k in 0..directions {
                    end.derivative.column_mut(k).copy_from_slice(derivatives.state(k));
                }
                completed.duration = motion.time();
                completed.gradient.clear();
                completed.gradient.extend((0..directions).map(|k| derivatives.time(k)));
                completed.impacts = impacts as usize;
                if derivatives.is_finite() { Ok(()) } else { Err(incomplete(self, "its end has no derivative")) }
            }
            Err(reason) => Err(incomplete(self, &reason)),
        };
        self.motion = Some(motion);
        result?;
        let landed = self.motion.as_ref().map_or(closed.with(contact), Motion::closed);
        completed.acceleration = self.gap_derivatives(closed, contact, &end.state)[2];
        self.rate(landed, &end.state.clone(), &mut end.rate);
        self.unwind(state, completed.duration, end);
        Ok(())
    }

    /// Begins the motion after the first impact of a sequence, with its derivatives, and keeps it at hand; the ratio of speeds of that impact.
    ///
    /// # Errors
    /// If the impact has no speed towards the surface or does not lead to an admissible state.
    pub(super) fn begin_sequence(
        &mut self,
        (contact, closed): (usize, ClosedSet),
        (state, longest, collision): (&[f64], f64, Option<&Collision>),
        completes: bool,
    ) -> Result<f64, Lost> {
        let states = state.len();
        let directions = states + self.along.len();
        // Onto the surface, then through the impact, as one derivative.
        let mut struck = Image::new(states, self.along.len());
        let (mut speed_before, mut ratio) = (0.0, 0.0);
        for group in 0..self.groups.len() {
            self.lift(state, group);
            let law = &self.system.laws[contact];
            let bound = &mut self.laws[contact][group];
            for _ in 0..2 {
                bound.land(law, &mut self.dual);
            }
            let impact = bound.strike(law, &self.dual);
            (speed_before, ratio) = (impact.speed.value, -impact.opened.value / impact.speed.value);
            let mut after = impact.after.to_vec();
            if let Some(collision) = collision {
                after.copy_from_slice(&self.dual);
                self.together[group].collide(self.system, collision, &mut after);
            }
            let first = group * crate::sensitivity::dual::LANES;
            for (i, x) in after.iter().enumerate() {
                struck.state[i] = x.value;
                for m in 0..crate::sensitivity::dual::LANES.min(directions - first) {
                    struck.derivative[(i, first + m)] = x.tangent[m];
                }
            }
        }
        if speed_before.is_nan() || speed_before >= 0.0 {
            return Err(self.incomplete(contact, "its first impact has no speed towards the surface"));
        }
        let perturbations: Vec<Perturbation> = (0..directions)
            .map(|k| Perturbation {
                state: struck.derivative.column(k).to_vec(),
                parameters: match k.checked_sub(states) {
                    Some(free) => self.along[free].clone(),
                    None => vec![0.0; self.parameters.len()],
                },
            })
            .collect();
        let mut motion = self.motion(&struck.state)?;
        motion.automaton.accumulating.completes = completes;
        if motion.restart(&struck.state, closed, (longest, None), &perturbations).is_err() {
            return Err(self.incomplete(contact, "the state after its first impact is not admissible"));
        }
        self.motion = Some(motion);
        Ok(ratio)
    }

    /// A sequence without an end in persistent contact.
    pub(super) fn incomplete(&self, contact: usize, reason: &str) -> Lost {
        Lost::Incomplete { contact: self.system.contact_names[contact].clone(), reason: reason.to_string() }
    }

    /// Gives the phases back the turns that the motion took off them: the flows of an extension count on, and neighbours of a sequence may end
    /// on either side of the beginning of the circle.
    pub(super) fn unwind(&self, start: &[f64], duration: f64, end: &mut Image) {
        let tones = self.system.tones.iter().map(|tone| tone.state).zip(self.tone_periods.iter().copied());
        for (phase, period) in self.system.phase.zip(self.phase_period).into_iter().chain(tones) {
            let turns = ((start[phase] + end.rate[phase] * duration - end.state[phase]) / period.value).round();
            end.state[phase] += turns * period.value;
            for (k, moved) in period.tangent.iter().take(self.along.len()).enumerate() {
                end.derivative[(phase, start.len() + k)] += turns * moved;
            }
        }
    }

    /// A motion with the present parameters.
    fn motion(&mut self, state: &[f64]) -> Result<Motion<'s>, Lost> {
        if let Some(motion) = self.motion.take() {
            return Ok(motion);
        }
        let settings = Settings { tolerance: self.tolerance, flow: FlowChoice::Taylor, ..Settings::default() };
        let values = self.system.model().numbers_at(&self.parameters, state).without_sections();
        let motion = Motion::resting_on(self.system, &values, settings, &[], ClosedSet::NONE);
        motion
            .map(Motion::without_path)
            .map_err(|error| Lost::Incomplete { contact: String::new(), reason: error.to_string() })
    }
}
