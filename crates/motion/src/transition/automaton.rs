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
use super::crowd::Crowd;
use super::knots::Pieces;
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

/// The rest of a sequence whose end is known, about to be taken in one step.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Completion {
    /// Of impacts: chattering.
    Impacts(Impacts),
    /// Of crossings of switches.
    Crossings(Crossings),
}

/// The rest of a chattering sequence.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Impacts {
    pub contact: usize,
    pub length: f64,
    pub end: f64,
    /// The contacts that are closed at its end, with their slip.
    pub landed: ClosedSet,
}

/// The rest of a cycle of crossings, about to be taken in one step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Crossings {
    pub length: f64,
    pub end: f64,
    /// The switches of the cycle, as those along which something slides.
    pub met: Sides,
}

/// A motion between two steps.
#[derive(Debug, Clone)]
pub(crate) struct Automaton<'s> {
    pub system: &'s System,
    pub settings: Settings,
    pub parameters: Vec<f64>,
    pub phase_period: f64,
    /// The period of every other phase that is kept within it: those that formulas see through sines and cosines. It is infinite for the others.
    pub tone_periods: Vec<f64>,
    /// Whether the field is smooth where the phase begins its circle anew.
    pub smooth_wrap: bool,
    /// Whether chattering sequences are completed; else each of their impacts is followed.
    pub completes: bool,
    pub taylor: Taylor,
    pub linear: ExactRoom,
    pub modes: BoundModes,
    pub laws: Vec<BoundLaw>,
    /// Its switches and events.
    pub hybrid: BoundHybrid,
    /// The same with the sizes of all terms.
    pub sized: BoundHybrid<Rounded>,
    /// The sizes of the states where the last step began, or before something kept them at zero: so exact is the present one.
    pub recent: Vec<f64>,
    /// The present state with its size, and the rounding of every switch there.
    pub rounded: Vec<Rounded>,
    pub rounding: Vec<f64>,
    /// Discrete states with their values.
    pub values: Vec<(usize, Vec<f64>)>,
    /// What contacts do together.
    pub group: Group,
    pub solved: Solved,

    pub time: Time,
    pub state: Vec<f64>,
    pub last_step: LastStep,
    pub progress: Progress,
    /// The times of the last jumps.
    pub tempo: Tempo,
    pub departures: Departures,
    pub extent: Extent,
    /// On which side of every switch it is, and those whose formulas the group has.
    pub sides: Sides,
    pub turned: Sides,
    /// The pieces of tables on which it is.
    pub pieces: Pieces,
    /// Contacts that closed together at the end of the last step.
    pub together: Vec<usize>,
    /// What made a closed contact change at the end of the last step.
    pub cause: Option<(usize, Bound)>,
    /// Contacts whose friction is exhausted, but that others keep from slipping.
    pub locked: ClosedSet,
    /// The largest velocity at any decision about slip.
    pub fastest: f64,

    pub judged: Judged,
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
    pub crowd: Crowd,

    pub sections: Sections,
    /// An impact before which the motion stopped because its section was asked for, and whether that has been reported.
    pub pending: Option<usize>,
    pub reported_return: bool,
    pub queue: EventQueue,
    /// The derivatives that are carried along, if any.
    pub variation: Variation,

    /// The path of a step that is no jet: four coefficients for every state.
    pub cubics: Vec<f64>,
    /// Room for the state after a jump, the jump itself, the rates at a state, a state, and a state with the sizes of its entries.
    pub after: Vec<f64>,
    pub jump: Vec<f64>,
    pub rate: Vec<f64>,
    pub point: Vec<f64>,
    pub data: Vec<Rounded>,
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
        let mut automaton = Automaton {
            system,
            settings,
            parameters: values.parameters().to_vec(),
            phase_period,
            tone_periods: tone_periods(system, values),
            smooth_wrap: system.wrap.as_ref().is_none_or(|wrap| wrap.is_smooth(values.parameters())),
            completes: true,
            taylor: Taylor::new(settings.tolerance, settings.longest_step),
            linear: ExactRoom::new(system.phase.map_or(0.0, |phase| values.start()[phase].rem_euclid(phase_period))),
            modes: BoundModes::default(),
            laws: system.laws.iter().map(|law| BoundLaw::new(law, values.parameters())).collect(),
            hybrid: BoundHybrid::new(&system.hybrid, values.parameters()),
            recent: vec![0.0; states],
            rounded: Vec::new(),
            rounding: Vec::new(),
            sized: BoundHybrid::new(
                &system.hybrid,
                &values.parameters().iter().map(|&p| Rounded::new(p)).collect::<Vec<_>>(),
            ),
            values: discrete_values(system, values.parameters()),
            group: Group::new(system, values.parameters()),
            solved: Solved::default(),
            sides: Sides::NONE,
            turned: Sides::NONE,
            time: Time::at(0.0),
            state: values.start().to_vec(),
            last_step: LastStep::default(),
            progress: Progress::default(),
            tempo: Tempo::default(),
            departures: Departures::new(contacts),
            extent: Extent::new(contacts, states),
            pieces: Pieces::new(system),
            together: Vec::new(),
            cause: None,
            locked: ClosedSet::NONE,
            fastest: 0.0,
            judged: Judged::default(),
            last_impact: f64::NEG_INFINITY,
            sequences: vec![Sequence::new(states); contacts],
            cycles: vec![Sequence::of_crossings(states); 2 * system.hybrid.names.len()],
            followed: vec![Collision::default(); contacts],
            completion: None,
            end: vec![0.0; states],
            crowd: Crowd::new(contacts),
            sections: Sections::new(system, values, settings.returns),
            pending: None,
            reported_return: false,
            queue: EventQueue::new(states),
            variation: Variation::default(),
            cubics: vec![0.0; 4 * states],
            after: vec![0.0; states],
            jump: vec![0.0; states],
            rate: vec![0.0; states],
            point: Vec::with_capacity(states),
            data: Vec::with_capacity(states),
        };
        automaton.enter_side();
        automaton
    }

    /// The automaton in flight at another start state, at time 0, with other returns to be counted; what has been allocated is used again.
    pub(crate) fn restart(&mut self, start: &[f64], returns: Option<(usize, u64)>) {
        self.settings.returns = returns;
        self.state.copy_from_slice(start);
        self.time = Time::at(0.0);
        self.last_step = LastStep::default();
        self.progress = Progress::default();
        self.solved.forget();
        self.tempo.restart();
        self.departures.restart();
        self.extent.restart();
        self.release_pieces();
        (self.cause, self.locked, self.fastest) = (None, ClosedSet::NONE, 0.0);
        self.judged.collision = Collision::default();
        self.last_impact = f64::NEG_INFINITY;
        self.forget_sequences();
        self.followed.fill(Collision::default());
        self.completion = None;
        self.crowd.forget();
        self.sections.restart(self.system, returns);
        (self.pending, self.reported_return) = (None, false);
        self.queue.clear();
        self.linear.restart();
        self.enter_side();
    }

    /// The contacts that are closed now.
    pub(crate) fn closed(&self) -> ClosedSet {
        self.modes.now().closed.contacts()
    }

    /// Whether the last impacts may be the beginning of a chattering sequence that is being followed, or the rest of one is just
    /// being taken at once.
    pub(crate) fn in_sequence(&self) -> bool {
        self.completion.is_some() || self.sequences.iter().chain(&self.cycles).any(Sequence::is_followed)
    }

    /// Whatever impacts there have been, they are no sequences.
    pub(crate) fn forget_sequences(&mut self) {
        self.sequences.iter_mut().chain(&mut self.cycles).for_each(Sequence::clear);
    }

    /// Something happens in the flights of all sequences.
    pub(crate) fn pass_to_sequences(&mut self, passage: Passage) {
        self.sequences.iter_mut().chain(&mut self.cycles).for_each(|sequence| sequence.pass(passage));
    }

    /// A new event of a contact, with before = after = the current state.
    pub(crate) fn report(&mut self, kind: EventKind, contact: Option<usize>) -> &mut Event {
        let event = self.queue.push(kind, self.time.value(), &self.state);
        event.contact = contact;
        event.cause = self.cause;
        event
    }

    /// Why the motion ends if its state is not finite any more.
    pub(crate) fn require_finite(&self) -> Result<(), Ended> {
        let finite = self.sections.returned || self.state.iter().all(|x| x.is_finite());
        if finite { Ok(()) } else { Err(self.diagnose()) }
    }

    /// Gap and opening speed of a contact at the current state.
    pub(crate) fn surface(&mut self, contact: usize) -> (f64, f64) {
        self.laws[contact].surface(&self.system.laws[contact], &self.state)
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
