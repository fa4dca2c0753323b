//! The next steps of several motions are prepared at once: the Taylor series of those in the same mode are expanded side by side, in the lanes of the processor.
//!
//! A motion that is prepared finds the series of its next step in its place, with the bits that it would have computed. Everything else, what happens on the step and where it
//! ends, is its own: motions that stand side by side do not know of each other.

use std::sync::Arc;

use saltation_expr::{SideBySide, Tape};
use saltation_numerics::lanes::Lanes;
use saltation_numerics::number::Number;

use super::motion::Motion;
use super::quiet::Ahead;
use crate::flow::taylor::Judged;
use crate::mode::expansion::Expansion;
use crate::transition::automaton::{Automaton, Flows};

/// Motions side by side.
const LANES: usize = SideBySide::COUNT;
/// Fewer motions in the same mode are faster alone, or in fuller lanes later.
const FEWEST: usize = 3;
/// Lanes are left when fewer of them go on: in the next round they are full again.
const FULL: usize = 7;
/// Jets with more rows than this are expanded alone. It is a bound on memory: a row takes some 4 KiB side by side, and less and less is gained (a factor of two up to 1000 rows, 1.5 at 4000).
const MOST_ROWS: usize = 2048;
/// The modes for which there is room at the same time.
const ROOMS: usize = 16;

/// What a motion asks for: a series of this order, whose step is judged by this tolerance.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Asked {
    order: usize,
    tolerance: f64,
}

/// Room for the series of motions in one mode.
#[derive(Debug)]
struct Room {
    tape: Arc<Tape>,
    asked: Asked,
    series: SideBySide,
    ahead: Ahead,
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

    /// Expands the series of the next steps of motions, each of which is had from an item of a list, if the item has one. Steps on which nothing happens are made here if a
    /// motion [allows](Motion::allow_quiet) some.
    pub fn prepare<'s, T>(&mut self, items: &mut [T], motion: impl Fn(&mut T) -> Option<&mut Motion<'s>>) {
        self.rooms.iter_mut().for_each(|room| room.waiting.clear());
        for (place, item) in items.iter_mut().enumerate() {
            let Some(motion) = motion(item) else { continue };
            if let Some(asked) = motion.asks() {
                self.room(motion.tape(), asked).waiting.push(place);
            }
        }
        for room in &mut self.rooms {
            room.go_on(items, &motion);
        }
    }

    fn room(&mut self, tape: &Arc<Tape>, asked: Asked) -> &mut Room {
        let known = |room: &Room| Arc::ptr_eq(&room.tape, tape) && room.asked == asked;
        let place = self.rooms.iter().position(known).unwrap_or_else(|| {
            if self.rooms.len() >= ROOMS
                && let Some(redundant) = self.rooms.iter().position(|room| room.waiting.is_empty())
            {
                self.rooms.remove(redundant);
            }
            self.rooms.push(Room {
                tape: Arc::clone(tape),
                asked,
                series: SideBySide::new(tape),
                ahead: Ahead::default(),
                waiting: Vec::new(),
            });
            self.rooms.len() - 1
        });
        &mut self.rooms[place]
    }
}

impl Room {
    /// Prepares the next steps of the motions that wait, and makes those on which nothing happens. A lane whose motion has what it needs is given to the next one; where there is
    /// none any more, those that are left over ask again.
    fn go_on<'s, T>(&mut self, items: &mut [T], motion: &impl Fn(&mut T) -> Option<&mut Motion<'s>>) {
        let Room { tape, asked, series, ahead, waiting } = self;
        let (mut lanes, mut fewest) = ([None; LANES], FEWEST);
        loop {
            for (lane, place) in lanes.iter_mut().enumerate().filter(|(_, place)| place.is_none()) {
                *place = waiting.pop();
                if let Some(motion) = place.and_then(|place| motion(&mut items[place])) {
                    motion.place(lane, series);
                }
            }
            if lanes.iter().flatten().count() < fewest {
                return;
            }
            fewest = FULL;
            series.expand(tape, asked.order);
            // Where one of them may go quietly, all ends are looked at.
            let mut places = lanes.iter().flatten();
            let quiet = places.clone().any(|&place| motion(&mut items[place]).is_some_and(|motion| motion.may_pass()));
            let judge = places.next().and_then(|&place| motion(&mut items[place]));
            let Some(judged) = judge.map(|motion| motion.judge(series, quiet.then_some(&mut *ahead))) else { return };
            for (lane, place) in lanes.iter_mut().enumerate() {
                let Some(motion) = place.and_then(|place| motion(&mut items[place])) else { continue };
                let passed = quiet && motion.look_ahead(lane, series, ahead, judged[2].lane(lane));
                if passed {
                    motion.pass_quietly();
                } else {
                    motion.take(lane, series, judged);
                }
                let goes_on = passed && motion.may_pass() && Arc::ptr_eq(motion.tape(), tape);
                if goes_on && motion.asks() == Some(*asked) {
                    motion.place(lane, series);
                } else {
                    *place = None;
                }
            }
        }
    }
}

impl Motion<'_> {
    /// Whether the next step is one of a Taylor series that can be prepared.
    pub fn asks_for_series(&self) -> bool {
        self.asks().is_some()
    }

    /// The series of the next step, if it can be prepared: there is one, and it does not end early because a contact was just left.
    fn asks(&self) -> Option<Asked> {
        let automaton = &self.automaton;
        let mode = automaton.modes.now();
        let order = automaton.flow.taylor.order_for(mode.tape());
        let lanes = mode.series.jet.has_lanes() && !mode.tape().is_wide() && mode.tape().rows() <= MOST_ROWS;
        // Steps end where pieces of tables do, one motion after the other.
        let smooth = lanes && mode.linear.is_none() && mode.without.is_empty() && !mode.tape().has_lookups();
        let moves = self.ended.is_none() && !automaton.queue.has_news() && automaton.accumulating.completion.is_none();
        let free = automaton.departures.bounced.is_none() && order <= SideBySide::HIGHEST_ORDER;
        let asked = Asked { order, tolerance: automaton.settings.tolerance };
        (smooth && moves && free && automaton.now.time.value() < automaton.settings.until).then_some(asked)
    }

    fn tape(&self) -> &Arc<Tape> {
        &self.automaton.modes.now().series.tape
    }

    fn place(&self, lane: usize, series: &mut SideBySide) {
        series.place(lane, &self.automaton.modes.now().series.slots, &self.automaton.now.state);
    }

    /// What the series of motions in the mode of this one say of the lengths of their steps, by the last terms of states and outputs; and the
    /// lengths that bounds allow, or 0.
    fn judge(&self, series: &mut SideBySide, ahead: Option<&mut Ahead>) -> [Lanes; 3] {
        let Automaton { modes, flow: Flows { taylor, .. }, .. } = &self.automaton;
        let mode = modes.now();
        let [by_states, by_outputs] = taylor.judge(mode.tape(), &mode.watched, series);
        let length = |lane: usize| {
            let judged = Judged { by_states: by_states.lane(lane), by_outputs: by_outputs.lane(lane), served: 0.0 };
            taylor.length(&judged).unwrap_or(0.0)
        };
        let lengths = Lanes::of(length);
        // What vanishes has no length, and affine fields have no bounds: nothing is said of them.
        let served = match mode.tape().is_affine() {
            true => Lanes::ZERO,
            false => taylor.surely_serve(mode.tape(), &mode.watched, series, lengths) * lengths,
        };
        if let Some(ahead) = ahead {
            ahead.look((self.automaton.system, mode.tape()), series, served);
        }
        [by_states, by_outputs, served]
    }

    /// Takes the series in a lane.
    fn take(&mut self, lane: usize, series: &SideBySide, judged: [Lanes; 3]) {
        let [by_states, by_outputs, served] = judged.map(|lanes| lanes.lane(lane));
        let modes = &mut self.automaton.modes;
        let entries = modes.entries();
        let mode = modes.now_mut();
        let Expansion { tape, jet, .. } = &mut mode.series;
        // Rows that nothing else looks at are needed where bounds have still to be found.
        series.give(tape, lane, mode.has_roots || served == 0.0, jet);
        self.prepared = Some((entries, Judged { by_states, by_outputs, served }));
    }

    /// The next step is not the one that was prepared.
    pub(super) fn forget_prepared(&mut self) {
        self.prepared = None;
    }

    /// What the series of the present mode at the present state say, if they have been prepared.
    pub(super) fn prepared_series(&mut self) -> Option<Judged> {
        let (entries, judged) = self.prepared.take()?;
        let modes = &self.automaton.modes;
        let here = |(i, x): (usize, &f64)| modes.now().state(i)[0].to_bits() == x.to_bits();
        let prepared = entries == modes.entries() && self.automaton.now.state.iter().enumerate().all(here);
        let known = !(judged.by_states.is_nan() || judged.by_outputs.is_nan());
        (prepared && known).then_some(judged)
    }
}
