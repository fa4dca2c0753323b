//! The rest of a sequence of impacts or of crossings, taken as one step to the end that was extrapolated, and what holds there: all that takes part in the sequence is zero.

use super::automaton::{Automaton, Completion, Known, LastStep};
use crate::ended::Ended;
use crate::instant::knowledge::{EVALUATED, SAME};
use crate::mode::{ClosedSet, Constraint};
use crate::time::Time;

impl Automaton<'_> {
    /// Takes the rest of a sequence as one step; `self.end` holds its end.
    ///
    /// # Errors
    /// No law holds at its end.
    pub(crate) fn complete_sequence(&mut self, completion: Completion) -> Result<(), Ended> {
        let start = self.now.time;
        let from = self.modes.current;
        let length = completion.length;
        let known = self.known_at_end(completion);
        self.remember_sizes(length, false);
        self.lead_to_end(completion);
        self.now.state.copy_from_slice(&self.accumulating.end);
        // So well the end is known.
        let error = completion.error.min(SAME) / f64::EPSILON;
        let Known { recent, extent, .. } = &mut self.known;
        recent.iter_mut().zip(&extent.widest).for_each(|(size, widest)| *size = size.max(error * widest));
        self.modes.current = from;
        // What else was known of the gaps of others held at the last impact, not at the end of the sequence.
        self.departures.pass_over(length, &known);
        self.now.time = Time::at(completion.end);
        self.flow.last_step = LastStep { start: start.value(), length, mode: from, cubic: true };
        self.wrap_phase();
        self.pass_phase();
        self.change_sides()?;
        let mut met = self.met_by_contacts();
        met.zero.extend(completion.met.sliding().filter(|k| !met.zero.contains(k)).collect::<Vec<_>>());
        met.zero.sort_unstable();
        match completion.landed.is_empty() {
            true => self.decide_sides(&met.zero, None)?,
            false => self.decide_with(completion.landed, self.closed(), &met)?,
        }
        self.settle_events();
        self.require_finite()
    }

    /// The path of the step. Along the surfaces of contacts it is the cubics with the states of the sequence and the rates of the sticking field at both ends; between crossings, which have no
    /// such field, it is straight.
    fn lead_to_end(&mut self, completion: Completion) {
        let length = completion.length;
        let straight = completion.met.slides();
        if !straight {
            let mut resting = std::mem::take(&mut self.room.after);
            resting.copy_from_slice(&self.now.state);
            self.project_onto(completion.landed, &mut resting);
            self.room.after = resting;
            self.enter_mode(completion.landed);
        }
        let mode = self.modes.now_mut();
        for (point, first) in [(&self.room.after, 1), (&self.accumulating.end, 3)].into_iter().filter(|_| !straight) {
            mode.probe(point, 1);
            for i in 0..point.len() {
                self.flow.cubics[4 * i + first] = mode.probed_state(i)[1];
            }
        }
        let ends = self.now.state.iter().zip(&self.accumulating.end);
        for (c, (&value, &end)) in self.flow.cubics.chunks_exact_mut(4).zip(ends) {
            let secant = if length > 0.0 { (end - value) / length } else { 0.0 };
            let (slope, end_slope) = if straight { (secant, secant) } else { (c[1], c[3]) };
            let bend = |third: f64| if length > 0.0 { third } else { 0.0 };
            c.copy_from_slice(&[
                value,
                slope,
                bend((3.0 * secant - 2.0 * slope - end_slope) / length),
                bend((slope + end_slope - 2.0 * secant) / (length * length)),
            ]);
        }
    }

    /// Whether a contact can neither open nor close as long as closed ones stay closed, at the end of a sequence: its direction is a combination of theirs.
    fn depends(&mut self, contact: usize, closed: ClosedSet) -> bool {
        let first: Vec<Constraint> = closed.iter().map(Constraint::Normal).collect();
        let redundant = self.joint.group.redundant(self.system, closed.with(contact), &self.accumulating.end, &first);
        redundant.contains(&Constraint::Normal(contact))
    }

    /// The gaps of other contacts that are known better than by the state, at the end of a sequence that takes a time, each with what is not known of it: what it changes by
    /// lies between the time at the speed of the beginning and at that of the end. Contacts that are decided one by one have no common measure of that.
    fn known_at_end(&mut self, completion: Completion) -> Vec<(usize, f64, f64)> {
        let Completion { length, landed, .. } = completion;
        if !self.system.coupled {
            return Vec::new();
        }
        let departed = self.departures.departed.iter().enumerate();
        let known: Vec<(usize, f64)> = departed.filter_map(|(k, gap)| Some((k, *gap.first()?))).collect();
        let ends = known.into_iter().filter_map(|(contact, gap)| {
            // What closes at the end may fix the gap by its geometry.
            if landed.contains(contact) || self.depends(contact, landed) {
                return None;
            }
            let mode = self.modes.now_mut();
            let [before, struck, end] = [&self.now.state, &self.room.after, &self.accumulating.end].map(|point| {
                mode.probe(point, 1);
                mode.probed(self.system.gap_output(contact))[1]
            });
            let apart = (before - end).abs().max((struck - end).abs());
            let doubt = self.departures.doubt[contact] + length * apart;
            let gap = gap + 0.5 * length * (before + end);
            let zeros = self.departures.known_order[contact].unwrap_or(0);
            let resolved = gap > doubt + EVALUATED * self.path_since_opening(contact, zeros);
            let better = resolved && doubt <= f64::EPSILON * self.gap_terms(contact);
            better.then_some((contact, gap, doubt))
        });
        ends.collect()
    }
}
