//! The next steps of several motions are prepared at once: the Taylor series of those in the same mode are expanded side by side, in the lanes of the processor.
//!
//! A motion that is prepared finds the series of its next step in its place, with the bits that it would have computed. Everything else, what happens on the step and where it
//! ends, is its own: motions that stand side by side do not know of each other.

use std::sync::Arc;

use saltation_expr::{SideBySide, Tape};
use saltation_numerics::lanes::Lanes;

use super::motion::Motion;
use crate::flow::taylor::Judged;
use crate::mode::expansion::Expansion;
use crate::transition::automaton::Automaton;

/// Motions side by side.
const LANES: usize = SideBySide::COUNT;
/// Fewer motions in the same mode are as fast alone.
const FEWEST: usize = 3;
/// The modes for which there is room at the same time.
const ROOMS: usize = 16;

/// Room for the series of motions in one mode.
#[derive(Debug)]
struct Room {
    tape: Arc<Tape>,
    order: usize,
    series: SideBySide,
    /// The motions that wait, by their places in the list that was given.
    waiting: Vec<usize>,
}

/// Prepares the next steps of several motions.
///
/// ```
/// use saltation_motion::{Happening, Motion, Settings, System, Together};
/// # let text = saltation_model::gallery::find("relief-valve").unwrap();
/// # let model = saltation_model::Model::parse(text, "relief-valve").unwrap();
/// # let system = System::new(&model);
/// # let values = model.numbers().unwrap();
/// let begin = || Motion::new(&system, &values, Settings { until: 2.0, ..Settings::default() }).unwrap();
/// let (mut alone, mut motions) = (begin(), vec![begin(), begin(), begin(), begin()]);
/// while !matches!(alone.advance(), Happening::Ended(_)) {}
/// let mut together = Together::new();
/// while motions.iter().any(|motion| motion.time() < 2.0) {
///     together.prepare(&mut motions, |motion| Some(motion));
///     for motion in &mut motions {
///         motion.advance();
///     }
/// }
/// assert!(motions.iter().all(|motion| motion.state() == alone.state()));
/// ```
#[derive(Debug, Default)]
pub struct Together {
    rooms: Vec<Room>,
}

impl Together {
    /// No room yet.
    pub fn new() -> Together {
        Together::default()
    }

    /// Expands the series of the next steps of motions, each of which is had from an item of a list, if the item has one.
    pub fn prepare<'s: 'm, 'm, T: 'm>(
        &mut self,
        items: &'m mut [T],
        motion: impl Fn(&mut T) -> Option<&mut Motion<'s>>,
    ) {
        self.rooms.iter_mut().for_each(|room| room.waiting.clear());
        for (place, item) in items.iter_mut().enumerate() {
            let Some(motion) = motion(item) else { continue };
            if let Some(order) = motion.asks() {
                self.room(motion.tape(), order).waiting.push(place);
            }
        }
        for Room { tape, order, series, waiting } in &mut self.rooms {
            for group in waiting.chunks(LANES).filter(|group| group.len() >= FEWEST) {
                for (lane, &place) in group.iter().enumerate() {
                    if let Some(motion) = motion(&mut items[place]) {
                        motion.place(lane, series);
                    }
                }
                series.expand(tape, *order);
                let judge = group.first().and_then(|&place| motion(&mut items[place]));
                let Some(lengths) = judge.map(|motion| motion.judge(series)) else { continue };
                for (lane, &place) in group.iter().enumerate() {
                    if let Some(motion) = motion(&mut items[place]) {
                        motion.take(lane, series, lengths);
                    }
                }
            }
        }
    }

    fn room(&mut self, tape: &Arc<Tape>, order: usize) -> &mut Room {
        let known = |room: &Room| Arc::ptr_eq(&room.tape, tape) && room.order == order;
        let place = self.rooms.iter().position(known).unwrap_or_else(|| {
            if self.rooms.len() >= ROOMS
                && let Some(idle) = self.rooms.iter().position(|room| room.waiting.is_empty())
            {
                self.rooms.remove(idle);
            }
            self.rooms.push(Room { tape: Arc::clone(tape), order, series: SideBySide::new(tape), waiting: Vec::new() });
            self.rooms.len() - 1
        });
        &mut self.rooms[place]
    }
}

impl Motion<'_> {
    /// Whether the next step is one of a Taylor series that can be prepared.
    pub fn asks_for_series(&self) -> bool {
        self.asks().is_some()
    }

    /// The order of the series of the next step, if it can be prepared: there is one, and it does not end early because a contact was just left.
    fn asks(&self) -> Option<usize> {
        let automaton = &self.automaton;
        let mode = automaton.modes.now();
        let order = automaton.taylor.order_for(mode.tape());
        let smooth = mode.linear.is_none() && mode.without.is_empty() && !mode.tape().is_wide();
        let moves = self.ended.is_none() && !automaton.queue.has_news() && automaton.completion.is_none();
        let free = automaton.departures.bounced.is_none() && order <= SideBySide::HIGHEST_ORDER;
        (smooth && moves && free && automaton.time.value() < automaton.settings.until).then_some(order)
    }

    fn tape(&self) -> &Arc<Tape> {
        &self.automaton.modes.now().series.tape
    }

    fn place(&self, lane: usize, series: &mut SideBySide) {
        series.place(lane, &self.automaton.modes.now().series.slots, &self.automaton.state);
    }

    /// What the series of motions in the mode of this one say of the lengths of their steps, by the last terms of states and outputs; their norms are found on steps of
    /// these lengths.
    fn judge(&self, series: &mut SideBySide) -> [Lanes<2>; 3] {
        let Automaton { taylor, modes, .. } = &self.automaton;
        let mode = modes.now();
        let [by_states, by_outputs] = taylor.judge(mode.tape(), &mode.watched, series);
        let length = |lane: usize| {
            let judged = Judged { by_states: by_states.lane(lane), by_outputs: by_outputs.lane(lane), served: 0.0 };
            taylor.length(&judged).unwrap_or(0.0)
        };
        let lengths = Lanes::of(length);
        series.measure(mode.tape(), lengths, taylor.last_terms());
        [by_states, by_outputs, lengths]
    }

    /// Takes the series in a lane.
    fn take(&mut self, lane: usize, series: &SideBySide, [by_states, by_outputs, lengths]: [Lanes<2>; 3]) {
        let Automaton { taylor, modes, .. } = &mut self.automaton;
        let entries = modes.entries();
        let mode = modes.now_mut();
        let Expansion { tape, slots, jet } = &mut mode.series;
        let mut judged = Judged { by_states: by_states.lane(lane), by_outputs: by_outputs.lane(lane), served: 0.0 };
        let length = lengths.lane(lane);
        if length > 0.0 && !tape.is_affine() {
            series.give(tape, lane, mode.has_roots, jet);
            let formulas = (&**tape, &slots[..], &mode.watched[..]);
            if taylor.surely_serves(formulas, (jet, &mut mode.remainder), length, (series, lane)) {
                judged.served = length;
            }
        }
        if judged.served == 0.0 {
            series.give(tape, lane, true, jet);
        }
        self.prepared = Some((entries, judged));
    }

    /// What the series of the present mode at the present state say, if they have been prepared.
    pub(super) fn prepared_series(&mut self) -> Option<Judged> {
        let (entries, judged) = self.prepared.take()?;
        let modes = &self.automaton.modes;
        let here = |(i, x): (usize, &f64)| modes.now().state(i)[0].to_bits() == x.to_bits();
        let prepared = entries == modes.entries() && self.automaton.state.iter().enumerate().all(here);
        let known = !(judged.by_states.is_nan() || judged.by_outputs.is_nan());
        (prepared && known).then_some(judged)
    }
}
