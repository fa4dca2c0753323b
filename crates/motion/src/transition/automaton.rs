//! The automaton of Nordmark & Piiroinen (Sect. 5.1) for any number of contacts: what a motion is between two steps.
//!
//! A contact is *open*; or open and *in chatter*, when it closes again and again ever faster; or *closed*, when a contact force keeps its gap at
//! zero. The six states of the paper are these three with the sign of the opening speed, which here needs no state of its own: all roots of a gap on a
//! step are known, so that no event is found twice and none is missed. Contacts with friction are decided together; sticking and slip are parts of
//! the mode.
//!
//! Transitions take the automaton from one mode to the next at one instant. One that finds no law returns how the motion ends.

use saltation_model::Values;
use saltation_numerics::rounded::Rounded;

use super::accumulation::Tempo;
use super::knots::Pieces;
use super::low_rebounds::LowRebounds;
use super::progress::Progress;
use super::sequence::{Passage, Sequence};
use crate::contact::collision::Collision;
use crate::contact::group::Group;
use crate::contact::law::BoundLaw;
use crate::contact::solved::Solved;
use crate::ended::Ended;
use crate::event::{Choice, Event, EventKind, EventQueue};
use crate::flow::linear::ExactRoom;
use crate::flow::taylor::Taylor;
use crate::locate::departures::Departures;
use crate::locate::penetration::Extent;
use crate::locate::section::Sections;
use crate::mode::bound::BoundModes;
use crate::mode::hybrid::BoundHybrid;
use crate::mode::{Bound, ClosedSet, Sides};
use crate::sensitivity::variation::Variation;
use crate::settings::Settings;
use crate::system::{System, Tone};
use crate::time::Time;

/// A gap and its opening speed.
pub(crate) type Surface = [Rounded; 2];

/// The last step that was made.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct LastStep {
    pub start: f64,
    pub length: f64,
    /// The position of its mode.
    pub mode: usize,
    /// Whether its path is the cubics of the automaton, and not the jet of its mode: the rest of a chattering sequence, or the way to a singular point.
    pub cubic: bool,
}

/// The impact that was judged last.
#[derive(Debug, Clone, Default)]
pub(crate) struct Judged {
    /// Its equations and what its laws leave open, where contacts are decided together.
    pub collision: Collision,
    pub choice: Choice,
    /// Whether its jump left the surface.
    pub jumped_off: bool,
}

/// The rest of a sequence of impacts or of crossings whose end is known, about to be taken in one step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Completion {
    pub length: f64,
    pub end: f64,
    /// The estimated error of the end, relative to the sizes of states.
    pub error: f64,
    /// The contacts that are closed at its end, with their slip.
    pub landed: ClosedSet,
    /// The switches that are crossed in its flights, as those along which something slides.
    pub met: Sides,
}

/// What a model says, at values of its parameters.
#[derive(Debug, Clone)]
pub(crate) struct BoundSystem {
    pub phase_period: f64,
    /// The period of every other phase that is kept within it: those that formulas see through sines and cosines. It is infinite for the others.
    pub tone_periods: Vec<f64>,
    /// Whether the field is smooth where the phase wraps.
    pub smooth_wrap: bool,
    pub laws: Vec<BoundLaw>,
    /// Its switches and events.
    pub hybrid: BoundHybrid,
    /// The same with the sizes of all terms.
    pub sized: BoundHybrid<Rounded>,
    /// Discrete states with their values.
    pub values: Vec<(usize, Vec<f64>)>,
}

/// How a motion flows, and the step that it made last.
#[derive(Debug, Clone)]
pub(crate) struct Flows {
    pub taylor: Taylor,
    pub linear: ExactRoom,
    pub last_step: LastStep,
    /// The path of a step that is no jet: four coefficients for every state.
    pub cubics: Vec<f64>,
    pub progress: Progress,
}

/// Contacts that are decided together, and what was decided last.
#[derive(Debug, Clone)]
pub(crate) struct Joint {
    pub group: Group,
    pub solved: Solved,
    /// The sides whose formulas the group has.
    pub turned: Sides,
    pub judged: Judged,
    /// Contacts whose friction is exhausted, but that others keep from slipping.
    pub locked: ClosedSet,
}

/// Where a motion is. Its contacts are those of the present mode.
#[derive(Debug, Clone)]
pub(crate) struct Instant {
    pub time: Time,
    pub state: Vec<f64>,
    /// On which side of every switch it is.
    pub sides: Sides,
    /// The pieces of tables on which it is.
    pub pieces: Pieces,
}

/// How exactly the state is known.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    /// The sizes of the states where the last step began, or before something kept them at zero: so exact is the present one.
    pub recent: Vec<f64>,
    /// The present state with its size, and the rounding of every switch there.
    pub rounded: Vec<Rounded>,
    pub rounding: Vec<f64>,
    /// That rounding on the whole of a step whose beginning is looked at again.
    pub rounding_of_whole: Vec<f64>,
    /// How large states have been, and how far gaps.
    pub extent: Extent,
    /// The largest velocity at any decision about slip.
    pub fastest: f64,
}

/// What was located at the end of the last step.
#[derive(Debug, Clone, Default)]
pub(crate) struct Located {
    /// Contacts that closed together.
    pub together: Vec<usize>,
    /// What made a closed contact change.
    pub cause: Option<(usize, Bound)>,
    /// An impact before which the motion stopped because its section was asked for, and whether that has been reported.
    pub pending: Option<usize>,
    pub reported_return: bool,
    /// Where the motion begins with an impact: the contacts that are closed before it.
    pub struck_from: Option<ClosedSet>,
    /// The switches whose events have happened at the last instant at which any did, and that instant.
    pub fired: (Option<Time>, Vec<usize>),
}

/// Impacts and crossings that may accumulate.
#[derive(Debug, Clone)]
pub(crate) struct Accumulating {
    /// Whether chattering sequences are completed; else each of their impacts is followed.
    pub completes: bool,
    /// The times of the last jumps.
    pub tempo: Tempo,
    pub last_impact: f64,
    /// The impacts of every contact that may be a chattering sequence, and those whose equations are those of the sequence.
    pub sequences: Vec<Sequence>,
    pub followed: Vec<Collision>,
    /// The crossings of every switch, to its negative side and to its positive one, that may be cycles.
    pub cycles: Vec<Sequence>,
    /// The rest of a sequence that is to be taken next, and the state at its end.
    pub completion: Option<Completion>,
    pub end: Vec<f64>,
    /// The impacts that followed flights too low to be resolved.
    pub low_rebounds: LowRebounds,
}

/// Room for the state after a jump, the jump itself, the rates at a state, a state, and a state with the sizes of its entries.
#[derive(Debug, Clone)]
pub(crate) struct Room {
    pub after: Vec<f64>,
    pub jump: Vec<f64>,
    pub rate: Vec<f64>,
    pub point: Vec<f64>,
    pub data: Vec<Rounded>,
}

/// A motion between two steps: what is compiled, where it is, and what it remembers.
#[derive(Debug, Clone)]
pub(crate) struct Automaton<'s> {
    pub system: &'s System,
    pub settings: Settings,
    pub parameters: Vec<f64>,
    pub bound: BoundSystem,
    pub modes: BoundModes,
    pub flow: Flows,
    pub joint: Joint,
    pub now: Instant,
    pub known: Known,
    pub departures: Departures,
    pub located: Located,
    pub accumulating: Accumulating,
    pub sections: Sections,
    pub queue: EventQueue,
    /// The derivatives that are carried along, if any.
    pub variation: Variation,
    pub room: Room,
}

/// The periods within which the other phases of a system are kept.
fn tone_periods(system: &System, values: &Values) -> Vec<f64> {
    let period = |tone: &Tone| match tone.wrap.is_smooth(values.parameters()) {
        true => values.angle_periods()[tone.state].unwrap_or(f64::INFINITY),
        false => f64::INFINITY,
    };
    system.tones.iter().map(period).collect()
}

impl<'s> Automaton<'s> {
    /// The automaton of a system in flight at the start state of `values`, at time 0, before it is known what begins there.
    pub(crate) fn new(system: &'s System, values: &Values, settings: Settings) -> Automaton<'s> {
        let states = system.names.len();
        let contacts = system.contact_names.len();
        let settings = Settings { tolerance: settings.tolerance.max(1e-16), ..settings };
        let phase_period = values.phase_period().unwrap_or(f64::INFINITY);
        let sized: Vec<Rounded> = values.parameters().iter().map(|&p| Rounded::new(p)).collect();
        let phase = system.phase.map_or(0.0, |phase| values.start()[phase].rem_euclid(phase_period));
        let mut automaton = Automaton {
            system,
            settings,
            parameters: values.parameters().to_vec(),
            bound: BoundSystem {
                phase_period,
                tone_periods: tone_periods(system, values),
                smooth_wrap: system.wrap.as_ref().is_none_or(|wrap| wrap.is_smooth(values.parameters())),
                laws: system.laws.iter().map(|law| BoundLaw::new(law, values.parameters())).collect(),
                hybrid: BoundHybrid::new(&system.hybrid, values.parameters()),
                sized: BoundHybrid::new(&system.hybrid, &sized),
                values: discrete_values(system, values.parameters()),
            },
            modes: BoundModes::default(),
            flow: Flows {
                taylor: Taylor::new(settings.tolerance, settings.longest_step),
                linear: ExactRoom::new(phase),
                last_step: LastStep::default(),
                cubics: vec![0.0; 4 * states],
                progress: Progress::default(),
            },
            joint: Joint {
                group: Group::new(system, values.parameters()),
                solved: Solved::default(),
                turned: Sides::NONE,
                judged: Judged::default(),
                locked: ClosedSet::NONE,
            },
            now: Instant {
                time: Time::at(0.0),
                state: values.start().to_vec(),
                sides: Sides::NONE,
                pieces: Pieces::new(system),
            },
            known: Known {
                recent: vec![0.0; states],
                rounded: Vec::new(),
                rounding: Vec::new(),
                rounding_of_whole: Vec::new(),
                extent: Extent::new(contacts, states),
                fastest: 0.0,
            },
            departures: Departures::new(contacts),
            located: Located::default(),
            accumulating: Accumulating {
                completes: true,
                tempo: Tempo::default(),
                last_impact: f64::NEG_INFINITY,
                sequences: vec![Sequence::new(states); contacts],
                followed: vec![Collision::default(); contacts],
                cycles: vec![Sequence::of_crossings(states); 2 * system.hybrid.names.len()],
                completion: None,
                end: vec![0.0; states],
                low_rebounds: LowRebounds::new(contacts),
            },
            sections: Sections::new(system, values, settings.returns),
            queue: EventQueue::new(states),
            variation: Variation::default(),
            room: Room {
                after: vec![0.0; states],
                jump: vec![0.0; states],
                rate: vec![0.0; states],
                point: Vec::with_capacity(states),
                data: Vec::with_capacity(states),
            },
        };
        automaton.enter_side();
        automaton
    }

    /// The automaton in flight at another start state, at time 0, with other returns to be counted; what has been allocated is used again.
    pub(crate) fn restart(&mut self, start: &[f64], returns: Option<(usize, u64)>) {
        self.settings.returns = returns;
        self.now.state.copy_from_slice(start);
        self.now.time = Time::at(0.0);
        self.flow.last_step = LastStep::default();
        self.flow.progress = Progress::default();
        self.joint.solved.forget();
        self.accumulating.tempo.restart();
        self.departures.restart();
        self.known.extent.restart();
        self.release_pieces();
        (self.located.cause, self.joint.locked, self.known.fastest) = (None, ClosedSet::NONE, 0.0);
        self.joint.judged.collision = Collision::default();
        self.accumulating.last_impact = f64::NEG_INFINITY;
        self.forget_sequences();
        self.accumulating.followed.fill(Collision::default());
        self.accumulating.completion = None;
        self.accumulating.low_rebounds.forget();
        self.sections.restart(self.system, returns);
        (self.located.pending, self.located.reported_return) = (None, false);
        self.located.fired.0 = None;
        self.queue.clear();
        self.flow.linear.restart();
        self.enter_side();
    }

    /// The contacts that are closed now.
    pub(crate) fn closed(&self) -> ClosedSet {
        self.modes.now().closed.contacts()
    }

    /// Whether the last impacts may be the beginning of a chattering sequence that is being followed, or the rest of one is just
    /// being taken at once.
    pub(crate) fn in_sequence(&self) -> bool {
        self.accumulating.completion.is_some()
            || self.accumulating.sequences.iter().chain(&self.accumulating.cycles).any(Sequence::is_followed)
    }

    /// Whatever impacts there have been, they are no sequences.
    pub(crate) fn forget_sequences(&mut self) {
        self.accumulating.sequences.iter_mut().chain(&mut self.accumulating.cycles).for_each(Sequence::clear);
    }

    /// Something happens in the flights of all sequences.
    pub(crate) fn pass_to_sequences(&mut self, passage: Passage) {
        self.accumulating
            .sequences
            .iter_mut()
            .chain(&mut self.accumulating.cycles)
            .for_each(|sequence| sequence.pass(passage));
    }

    /// A new event of a contact, with before = after = the current state.
    pub(crate) fn report(&mut self, kind: EventKind, contact: Option<usize>) -> &mut Event {
        let event = self.queue.push(kind, self.now.time.value(), &self.now.state);
        event.contact = contact;
        event.cause = self.located.cause;
        event
    }

    /// Why the motion ends if its state is not finite any more.
    pub(crate) fn require_finite(&self) -> Result<(), Ended> {
        let finite = self.sections.returned || self.now.state.iter().all(|x| x.is_finite());
        if finite { Ok(()) } else { Err(self.diagnose()) }
    }

    /// Gap and opening speed of a contact at the current state.
    pub(crate) fn surface(&mut self, contact: usize) -> (f64, f64) {
        self.bound.laws[contact].surface(&self.system.laws[contact], &self.now.state)
    }
}

/// The discrete states of a system with their values.
fn discrete_values(system: &System, parameters: &[f64]) -> Vec<(usize, Vec<f64>)> {
    let model = system.model();
    let states = model.states.len();
    let value = |symbol: usize| symbol.checked_sub(states).and_then(|p| parameters.get(p)).copied().unwrap_or(f64::NAN);
    let values =
        |nodes: &[saltation_expr::Node]| nodes.iter().map(|&node| model.graph.evaluate(node, &value)).collect();
    model.discrete.iter().map(|discrete| (discrete.state, values(&discrete.values))).collect()
}
