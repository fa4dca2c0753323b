//! What the exact flow of a linear mode offers: cells of its grid on which certainly nothing happens, else polynomials up to the end of a cell.

use super::motion::Motion;
use super::start::StartError;
use super::step::{Flow, Offer};
use super::taylor::{COLLAPSE, LONGER};
use crate::ended::Ended;
use crate::flow::FlowChoice;
use crate::flow::linear::{HIGHEST, Landing, Limits, Unsuited};
use crate::mode::{ClosedSet, Side};
use crate::time::Time;
use crate::transition::automaton::{Automaton, Flows, Instant, Room};

/// The most quiet cells of one step: a caller that wants to stop need not wait for long.
const MOST_CELLS: usize = 1024;
/// The last cell before the end time is looked at where it ends this close to it, in cells.
const MARGIN: f64 = 1e-6;

impl Motion<'_> {
    /// A step of a linear mode by its exact flow.
    pub(super) fn exact_offer(&mut self, start: Time, remaining: f64) -> Offer {
        let automaton = &mut self.automaton;
        let Some(linear) = &automaton.modes.now().linear else { return Offer::Nothing };
        let exact = &linear.exact;
        let longest = automaton.settings.longest_step;
        if exact.cell.min(longest) <= COLLAPSE * start.value().abs() {
            return Offer::Nothing;
        }
        let phase = automaton.system.phase.map_or(0.0, |phase| automaton.now.state[phase]);
        let place = exact.place(phase);
        let look = std::mem::take(&mut automaton.flow.linear.look);
        let fits = exact.cell <= longest.min(remaining);
        if place.at_grid && automaton.departures.is_empty() && fits && !look {
            let landing = self.quiet_cells(place.cell, remaining);
            if landing.cells > 0 {
                return Offer::Quiet(place.cell, landing);
            }
        }
        let Automaton {
            system, modes, departures, now: Instant { state, .. }, flow: Flows { linear: room, .. }, ..
        } = &mut self.automaton;
        let current = modes.current;
        let mode = modes.now_mut();
        let Some(linear) = &mode.linear else { return Offer::Nothing };
        let exact = &linear.exact;
        let generators = &mut room.generators[..exact.size()];
        if place.at_grid {
            exact.generators_at(state, place.cell, generators);
        } else if (room.ready_phase, room.ready_mode) == (phase, current) {
            generators[..exact.moving].copy_from_slice(&state[..exact.moving]);
        } else {
            exact.generators(state, phase, generators);
        }
        room.ready_phase = f64::NAN;
        let mut length = place.rest.min(remaining).min(longest);
        if let Some(contact) = departures.bounced {
            let gap = &exact.outputs[system.gap_output(contact)];
            let (speed, acceleration) = (gap.coefficient(generators, 1), 2.0 * gap.coefficient(generators, 2));
            if speed <= 0.0 {
                return Offer::Spent(contact);
            }
            departures.expected_flight = 0.0;
            if acceleration < 0.0 {
                departures.expected_flight = -2.0 * speed / acceleration;
                length = length.min(LONGER * departures.expected_flight);
            }
        }
        // Where a gap was just left its lowest orders vanish, and it is to be known as well relative to the others.
        let started = departures.vanishing.iter().map(|&(_, order)| order).filter(|&order| order <= HIGHEST);
        let left = departures.leaving.iter().copied().chain(started).max().unwrap_or(0);
        let order = (exact.order_for(length) + left + usize::from(left > 0)).min(HIGHEST);
        exact.expand(generators, phase, order, &mode.series.tape, &mut mode.series.jet);
        let finite = (0..state.len()).all(|i| mode.state(i)[order].is_finite());
        if !finite || length.is_nan() || length <= 0.0 {
            return Offer::Nothing;
        }
        room.without_path = false;
        Offer::Series(length, Flow::Exact)
    }

    /// The cells from a grid point on over which certainly nothing happens; the state at their end is in the first values of the room.
    fn quiet_cells(&mut self, cell: usize, remaining: f64) -> Landing {
        let Automaton {
            system,
            modes,
            departures,
            sections,
            settings,
            now: Instant { state, .. },
            flow: Flows { linear: room, .. },
            ..
        } = &mut self.automaton;
        let none = Landing { cells: 0, look: false, misses: 0 };
        let mode = modes.now();
        let Some(linear) = &mode.linear else { return none };
        let (exact, quiet) = (&linear.exact, &linear.quiet);
        let n = exact.moving;
        let (values, next) = (&mut room.values[..quiet.width()], &mut room.next[..quiet.width()]);
        values[..n].copy_from_slice(&state[..n]);
        let phase = system.phase.map_or(0.0, |phase| state[phase]);
        // Closed contacts are projected after every cell. A path has every cell, and is otherwise the same to the last bit.
        let one = room.path || !mode.closed.is_empty();
        let most = if one { 1.0 } else { MOST_CELLS as f64 };
        let mut cells = (remaining / exact.cell - MARGIN).min(most) as usize;
        if let Some(circle) = &exact.circle {
            // A step ends where the phase is passed or its sections are renumbered.
            for section in (0..sections.places.len()).filter(|&section| sections.is_periodic(section)) {
                let own = system.sections[section].declared.is_none();
                let turns = || if circle.direction > 0.0 { circle.period - phase } else { phase } / circle.period;
                let wrap = || (turns() * circle.cells as f64).ceil().max(1.0) as usize;
                cells = cells.min(if own { circle.cells - cell } else { wrap() });
            }
        }
        // A minimum at the very beginning, between the last step and this, is found by looking.
        let closing = |contact: usize| departures.closing[contact] == Some(true);
        if quiet.gaps().any(|(contact, gap)| closing(contact) && !quiet.falls(gap, cell, values)) {
            return none;
        }
        let (smallest, tolerance) = (self.misses.smallest, settings.tolerance);
        let limits = Limits { cells, sections: &sections.places, smallest, tolerance, phase };
        let landing = quiet.pass(cell, limits, values, next);
        room.look = landing.look && landing.cells > 0;
        landing
    }

    /// Moves over cells on which nothing happens.
    pub(super) fn pass_quiet_cells(&mut self, start: Time, cell: usize, landing: Landing) -> Result<bool, Ended> {
        self.misses.count += landing.misses;
        let result = self.automaton.pass_quiet_cells(start, cell, landing.cells);
        self.moved(result)
    }
}

impl Automaton<'_> {
    /// Whether the motion can be exact in flight, if that is asked for: on the sides of switches at the start, and on the other side of each of them.
    ///
    /// # Errors
    /// Why it cannot.
    pub(super) fn require_exact(&self) -> Result<(), StartError> {
        if self.settings.flow != FlowChoice::Exact {
            return Ok(());
        }
        let system = self.system;
        let across = |switch: usize| {
            let other = if self.now.sides.of(switch) == Side::Positive { Side::Negative } else { Side::Positive };
            self.now.sides.with(switch, other)
        };
        let sides = std::iter::once(self.now.sides).chain((0..system.switch_names().len()).map(across));
        let curved = sides.filter_map(|sides| system.linear_form(ClosedSet::NONE.with_sides(sides)).err()).next();
        let formula = match curved {
            Some(formula) => Some(formula),
            None => match self.bind_exact(self.modes.now()) {
                Ok(_) | Err(Unsuited::SeriesEnd) => return Ok(()),
                Err(Unsuited::Formula(formula)) => Some(formula),
                Err(Unsuited::Numbers) => None,
            },
        };
        Err(StartError::NotLinear { formula: formula.map(|formula| system.formula_name(formula)) })
    }

    /// Moves over so many cells, from a grid point on; the state at their end is in the first values of the room.
    fn pass_quiet_cells(&mut self, start: Time, cell: usize, cells: usize) -> Result<(), Ended> {
        let varies = self.varies();
        let Automaton {
            system,
            modes,
            departures,
            sections,
            now: Instant { state, .. },
            flow: Flows { linear: room, .. },
            ..
        } = self;
        let mode = modes.now_mut();
        let Some(linear) = &mode.linear else { return Ok(()) };
        let (exact, quiet) = (&linear.exact, &linear.quiet);
        for (contact, gap) in quiet.gaps() {
            departures.closing[contact] = Some(quiet.closes(gap, &room.values[..quiet.width()]));
        }
        let phase = system.phase.map_or(0.0, |phase| state[phase]);
        let length = cells as f64 * exact.cell;
        if room.path {
            let generators = &mut room.generators[..exact.size()];
            exact.generators_at(state, cell, generators);
            exact.expand(generators, phase, exact.order_for(length), &mode.series.tape, &mut mode.series.jet);
        }
        let mut end_phase = phase;
        if let Some(circle) = &exact.circle {
            let landed = exact.grid_phase((cell + cells) % exact.cells());
            // The phase may leave its period, as after any step, where that renumbers sections.
            let renumbers = (0..sections.places.len()).any(|section| sections.is_periodic(section));
            let turns = (phase + circle.rate * length - landed) / circle.period;
            let turns = if renumbers { turns.round() } else { -(landed / circle.period).floor() };
            end_phase = landed + turns * circle.period;
        }
        let size = exact.cell;
        if varies {
            self.vary_quiet_cells((cell, cells), length, end_phase);
        }
        let Automaton { system, modes, now: Instant { state, .. }, flow: Flows { linear: room, .. }, .. } = self;
        let n = modes.now().linear.as_ref().map_or(0, |linear| linear.exact.moving);
        state[..n].copy_from_slice(&room.values[..n]);
        if let Some(phase) = system.phase {
            state[phase] = end_phase;
        }
        room.without_path = !room.path;
        let reached = room.anchor.plus(room.cells as f64 * size);
        if room.cells == 0 || reached.value() != start.value() {
            (room.anchor, room.cells) = (start, 0);
        }
        room.cells += cells as u64;
        let cells = room.cells;
        let end = room.anchor.plus(cells as f64 * size);
        let result = self.arrive((start, end), length);
        self.flow.linear.cells = cells;
        result.map(drop)
    }

    /// The slope of an output at `self.after`, if the mode is linear; the next step finds the generators ready if it begins there.
    pub(crate) fn linear_speed_after(&mut self, output: usize) -> Option<f64> {
        let Automaton { system, modes, room: Room { after, .. }, flow: Flows { linear: room, .. }, .. } = self;
        let linear = modes.now().linear.as_ref()?;
        let generators = &mut room.generators[..linear.exact.size()];
        let phase = system.phase.map_or(0.0, |phase| after[phase]);
        linear.exact.generators(after, phase, generators);
        (room.ready_phase, room.ready_mode) = (phase, modes.current);
        Some(linear.exact.outputs[output].coefficient(generators, 1))
    }
}
