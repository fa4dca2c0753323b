//! The return map of a section, with its derivative.

use saltation_expr::{Jet, Tape};
use saltation_model::{StateKind, Values};
use saltation_motion::{
    ClosedSet, Ended, Event, EventKind, FlowChoice, Happening, Motion, Perturbation, Policy, Settings, StartError,
    System,
};
use saltation_numerics::dense::Matrix;

use crate::phases::{Phases, Turning, is_other};
use crate::surface::Surface;

/// A point on a section: a state and the contacts that are closed there.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// The state, in the order of the model's states.
    pub state: Vec<f64>,
    /// The closed contacts.
    pub closed: ClosedSet,
}

/// The next passage of the section, or that after some returns.
#[derive(Debug, Clone)]
pub struct Return {
    /// The point.
    pub point: Point,
    /// How long it took.
    pub time: f64,
    /// The derivative of the point with respect to the point it left, in the coordinates of the section
    /// ([`ReturnMap::coordinates`]), if it was asked for.
    pub derivative: Option<Matrix>,
}

/// Why there is no return.
#[derive(Debug, Clone, PartialEq)]
pub enum Failure {
    /// The start lies inside an obstacle.
    Start(StartError),
    /// The motion ended.
    Ended {
        /// How.
        ended: Ended,
        /// The time since the section.
        time: f64,
    },
    /// The motion did not come back in a great number of steps.
    NoReturn {
        /// The time that was waited.
        time: f64,
        /// The number of its steps and events.
        steps: u64,
    },
    /// The derivative does not exist, because a surface is touched without speed.
    Grazed {
        /// The contact of the slowest impact, if there is any impact.
        contact: Option<usize>,
        /// The time since the section.
        time: f64,
    },
    /// The derivative is not finite, although no surface is touched without speed.
    NoDerivative {
        /// The time since the section.
        time: f64,
    },
    /// The section is passed by the jump of an impact: the map is not smooth in its coordinates.
    Jumped {
        /// The time since the section.
        time: f64,
    },
    /// The caller asked to stop.
    Interrupted,
}

/// The slowest impact or touch of a motion.
#[derive(Debug)]
pub(crate) struct Slowest {
    contact: usize,
    speed: f64,
    time: f64,
    /// The speed of the fastest one.
    fastest: f64,
}

impl Slowest {
    /// Looks at an event.
    pub(crate) fn see(slowest: &mut Option<Slowest>, event: &Event) {
        if !matches!(event.kind, EventKind::Impact | EventKind::Graze) {
            return;
        }
        let (contact, speed, time) = (event.contact.unwrap_or(0), event.speed_before.abs(), event.time);
        let fastest = slowest.as_ref().map_or(speed, |slowest| slowest.fastest.max(speed));
        match slowest {
            Some(slowest) if slowest.speed <= speed => slowest.fastest = fastest,
            _ => *slowest = Some(Slowest { contact, speed, time, fastest }),
        }
    }

    /// No derivatives at the end of a motion with this slowest impact, if it has impacts. A gap is known to the tolerance, and the speed of a touch to its root.
    pub(crate) fn without_derivatives(slowest: Option<&Slowest>, map: &ReturnMap, end: f64) -> Failure {
        match slowest {
            Some(slowest) if slowest.speed <= map.tolerance().sqrt() * slowest.fastest => {
                Failure::Grazed { contact: Some(slowest.contact), time: slowest.time }
            }
            None if !map.system().switch_names().is_empty() => Failure::Grazed { contact: None, time: end },
            _ => Failure::NoDerivative { time: end },
        }
    }
}

/// So many steps and events without a return mean that there is none.
const MOST_STEPS: u64 = 100_000;
/// The monitor is called after so many steps and events.
const MONITOR_STEPS: u64 = 32;

/// Counts the steps and events of a motion: after too many of them it is given up, and now and then the caller is asked whether to continue.
pub(crate) struct Patience {
    most: u64,
    spent: u64,
}

impl Patience {
    /// For a motion of which nothing is kept, over some returns.
    pub(crate) fn over(returns: u64) -> Patience {
        Patience { most: MOST_STEPS.saturating_mul(returns.max(1)), spent: 0 }
    }

    /// For a motion whose path is kept: its length bounds the memory, however many returns there are.
    pub(crate) fn with_path() -> Patience {
        Patience::over(1)
    }

    /// Counts one step or event.
    ///
    /// # Errors
    /// If there were too many, or if the caller asks to stop.
    pub(crate) fn spend(&mut self, time: f64, monitor: &mut dyn FnMut() -> bool) -> Result<(), Failure> {
        self.spent += 1;
        if self.spent.is_multiple_of(MONITOR_STEPS) && !monitor() {
            return Err(Failure::Interrupted);
        }
        match self.spent > self.most {
            true => Err(Failure::NoReturn { time, steps: self.spent }),
            false => Ok(()),
        }
    }
}

/// The map from a section to itself along the motions of a system at fixed parameters.
#[derive(Debug, Clone)]
pub struct ReturnMap<'s> {
    system: &'s System,
    values: Values,
    section: usize,
    surface: Surface,
    coordinates: Vec<usize>,
    flowing: Vec<usize>,
    drifting: Vec<usize>,
    phases: Option<Phases>,
    tolerance: f64,
    flow: FlowChoice,
    policy: Policy,
    returns: u64,
    /// A motion whose memory is used again.
    redundant: Option<Motion<'s>>,
}

impl<'s> ReturnMap<'s> {
    /// The return map of a section, by its position in [`System::section_names`]; the phase stands at its start value in
    /// `values`.
    pub fn new(system: &'s System, values: &Values, section: usize, tolerance: f64) -> ReturnMap<'s> {
        let states = values.start().len();
        let kind = |i: usize| system.model().states[i].kind;
        let surface = Surface::new(system, values, section);
        let flowing =
            (0..states).filter(|&i| !matches!(kind(i), StateKind::Phase | StateKind::Time | StateKind::Discrete));
        let flowing: Vec<usize> = flowing.collect();
        let coordinates = match surface {
            Surface::Phase { .. } => flowing.clone(),
            // Of several phases one says where all are.
            Surface::Formula(_) => {
                let own = |i: &usize| kind(*i) != StateKind::Discrete && !is_other(system.model(), *i);
                (0..states).filter(own).collect()
            }
        };
        let phases = Phases::several(system.model(), values);
        let values = values.clone();
        let flow = FlowChoice::Automatic;
        let (policy, returns, redundant) = (Policy::Persist, 0, None);
        let drifting = Vec::new();
        ReturnMap {
            system,
            values,
            section,
            surface,
            coordinates,
            flowing,
            drifting,
            phases,
            tolerance,
            flow,
            policy,
            returns,
            redundant,
        }
    }

    /// The same map between points that differ by shifts of states on which nothing depends ([`Model::neutral_states`](saltation_model::Model::neutral_states)): these
    /// are no coordinates of it, and advance as they may.
    pub fn up_to_drift(mut self, drifting: &[usize]) -> ReturnMap<'s> {
        self.drifting = drifting.to_vec();
        self.coordinates.retain(|i| !drifting.contains(i));
        self.flowing.retain(|i| !drifting.contains(i));
        self
    }

    /// The states that may advance from return to return.
    pub fn drifting(&self) -> &[usize] {
        &self.drifting
    }

    /// The same map along motions that flow by another route.
    pub fn with_flow(self, flow: FlowChoice) -> ReturnMap<'s> {
        ReturnMap { flow, redundant: None, ..self }
    }

    /// The same map along motions with another policy where contacts with friction have several consistent modes.
    pub fn with_policy(self, policy: Policy) -> ReturnMap<'s> {
        ReturnMap { policy, redundant: None, ..self }
    }

    /// What is done where contacts with friction have several consistent modes.
    pub fn policy(&self) -> Policy {
        self.policy
    }

    /// The system.
    pub fn system(&self) -> &'s System {
        self.system
    }

    /// The numbers of the run.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// The section.
    pub fn section(&self) -> usize {
        self.section
    }

    /// The states that are coordinates of the section: all but the phase on the section of the phase, else all; without those that drift.
    pub fn coordinates(&self) -> &[usize] {
        &self.coordinates
    }

    /// The states other than the phase and those that drift.
    pub fn flowing(&self) -> &[usize] {
        &self.flowing
    }

    /// How many returns have been followed.
    pub fn returns(&self) -> u64 {
        self.returns
    }

    /// Whether the section is a phase passing a value.
    pub fn is_stroboscopic(&self) -> bool {
        self.phase_of_section().is_some()
    }

    /// The phase that stands at a value on the section, if it is of that kind.
    pub(crate) fn phase_of_section(&self) -> Option<usize> {
        match self.surface {
            Surface::Phase { state, .. } => Some(state),
            Surface::Formula(_) => None,
        }
    }

    /// How fast the phase runs; 0 without one.
    pub fn phase_rate(&self) -> f64 {
        let model = self.system.model();
        let names: Vec<_> = model.parameter_symbols();
        let Some(phase) = &model.phase else { return 0.0 };
        let tape = Tape::new(&model.graph, &[], &names, &[], &[phase.rate]);
        let mut rate = [0.0];
        tape.evaluate(&tape.bind(self.values.parameters()), &[], &mut Jet::new(&tape), &mut rate);
        rate[0]
    }

    /// The route of smooth motions.
    pub fn flow(&self) -> FlowChoice {
        self.flow
    }

    /// The tolerance of the motion.
    pub fn tolerance(&self) -> f64 {
        self.tolerance
    }

    /// Counts returns that were followed without this map.
    pub(crate) fn count(&mut self, returns: u64) {
        self.returns += returns;
    }

    /// Whether a state lies on the section, up to rounding.
    pub fn begins_on(&mut self, state: &[f64]) -> bool {
        self.surface.holds(state)
    }

    /// Moves a state that is close to the section onto it.
    pub fn place(&mut self, state: &mut [f64]) {
        self.surface.place(state);
    }

    /// b - a in the coordinates of the section, angles and the phase modulo their periods.
    pub fn difference(&self, a: &[f64], b: &[f64]) -> Vec<f64> {
        let difference = |&i: &usize| {
            let d = b[i] - a[i];
            self.values.angle_periods()[i].map_or(d, |period| d - period * (d / period).round())
        };
        self.coordinates.iter().map(difference).collect()
    }

    /// By how much of a turn the phases other than the first differ between two points.
    pub(crate) fn phases_apart(&self, a: &[f64], b: &[f64]) -> f64 {
        let apart = |other: &Turning| {
            let turns = (b[other.state] - a[other.state]) / self.period_of(other);
            (turns - turns.round()).abs()
        };
        self.phases.iter().flat_map(|phases| &phases.others).map(apart).fold(0.0, f64::max)
    }

    fn period_of(&self, phase: &Turning) -> f64 {
        self.values.angle_periods()[phase.state].unwrap_or(f64::INFINITY)
    }

    /// The phases, if there are several.
    pub fn phases(&self) -> Option<&Phases> {
        self.phases.as_ref()
    }

    /// How far the other phases advance while the first one advances by 1.
    fn paces(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.phases.iter().flat_map(move |phases| {
            let first = phases.first.frequency * self.period_of(&phases.first);
            phases.others.iter().map(move |other| (other.state, other.frequency * self.period_of(other) / first))
        })
    }

    /// Moves a state along a coordinate. All phases go with the first, as on a motion.
    pub(crate) fn shift(&self, state: &mut [f64], coordinate: usize, by: f64) {
        state[coordinate] += by;
        if self.is_first_phase(coordinate) {
            self.paces().for_each(|(other, pace)| state[other] += pace * by);
        }
    }

    fn is_first_phase(&self, state: usize) -> bool {
        self.phases.as_ref().is_some_and(|phases| phases.first.state == state)
    }

    /// b - a in the coordinates of the section where a is a mirror image, which has another phase; `None` if their phases
    /// differ.
    pub(crate) fn mirror_difference(&self, a: &[f64], b: &[f64]) -> Option<Vec<f64>> {
        let phase = self.system.model().phase.as_ref().map(|phase| phase.state);
        let apart = phase.map_or(0.0, |i| {
            let (d, period) = (b[i] - a[i], self.values.angle_periods()[i].unwrap_or(f64::INFINITY));
            (d - period * (d / period).round()) / period
        });
        (apart.abs() <= 1e-9).then(|| self.difference(a, b))
    }

    /// A motion from a point of the section until it has come back some times; derivatives in the directions given.
    ///
    /// When it is done with, [`ReturnMap::keep`] saves the next one its beginnings.
    ///
    /// # Errors
    /// If the point lies inside an obstacle.
    pub fn motion(&mut self, point: &Point, count: u64, directions: &[Perturbation]) -> Result<Motion<'s>, StartError> {
        // Impacts are sections just before they happen: their gap is zero, but they have not struck.
        let closed = self.surface.contact().map_or(point.closed, |contact| point.closed.without(contact));
        let stop = Some((self.section, count));
        let mut motion = match self.redundant.take() {
            Some(mut motion) => {
                motion.keep_path(true);
                motion.restart(&point.state, closed, (f64::INFINITY, stop), directions)?;
                motion
            }
            None => {
                // The values keep the phase at which the section stands.
                let values = self.values.with_start(&point.state);
                let (tolerance, flow, policy) = (self.tolerance, self.flow, self.policy);
                let settings = Settings { tolerance, flow, policy, returns: stop, ..Settings::default() };
                Motion::resting_on(self.system, &values, settings, directions, closed)?
            }
        };
        if self.surface.contact().is_some() {
            // The impact that the motion begins with is the section itself.
            motion.extend(f64::INFINITY, stop);
        }
        Ok(motion)
    }

    /// Takes back a motion that is done with.
    pub fn keep(&mut self, motion: Motion<'s>) {
        self.redundant = Some(motion);
    }

    /// The unit directions of the section's coordinates.
    pub fn directions(&self) -> Vec<Perturbation> {
        let direction = |&i: &usize| {
            let mut direction = Perturbation::of_state(self.system, i);
            if self.is_first_phase(i) {
                self.paces().for_each(|(other, pace)| direction.state[other] = pace);
            }
            direction
        };
        self.coordinates.iter().map(direction).collect()
    }

    /// Follows a point until it has come back `count` times.
    ///
    /// `monitor` is called now and then whether to continue.
    ///
    /// # Errors
    /// If there is no such return, or no derivative of it.
    pub fn apply(
        &mut self,
        point: &Point,
        count: u64,
        derivative: bool,
        monitor: &mut dyn FnMut() -> bool,
    ) -> Result<Return, Failure> {
        if !monitor() {
            return Err(Failure::Interrupted);
        }
        let directions = if derivative { self.directions() } else { Vec::new() };
        let mut motion = self.motion(point, count, &directions).map_err(Failure::Start)?.without_path();
        let mut slowest: Option<Slowest> = None;
        follow_smoothly(&mut motion, count, monitor, |event| Slowest::see(&mut slowest, event))?;
        self.returns += count;
        let matrix = derivative.then(|| {
            let derivatives = motion.return_derivatives(self.section);
            Matrix::from_fn(directions.len(), directions.len(), |i, j| derivatives.state(j)[self.coordinates[i]])
        });
        if let Some(matrix) = &matrix
            && !matrix.is_finite()
        {
            return Err(Slowest::without_derivatives(slowest.as_ref(), self, motion.time()));
        }
        let point = Point { state: motion.state().to_vec(), closed: motion.closed() };
        let time = motion.time();
        self.keep(motion);
        Ok(Return { point, time, derivative: matrix })
    }
}

/// Follows a motion to its stop condition.
pub(crate) fn follow(
    motion: &mut Motion,
    returns: u64,
    monitor: &mut dyn FnMut() -> bool,
    mut report: impl FnMut(&Event),
) -> Result<(), Failure> {
    follow_steps(motion, returns, monitor, |happening| {
        if let Happening::Event(event) = happening {
            report(event);
        }
    })
}

/// The same up to a return from which a motion can begin again: neither a jump that begins on the section nor an event that happens at it, which a motion that begins
/// on its surface does not come to.
pub(crate) fn follow_smoothly(
    motion: &mut Motion,
    returns: u64,
    monitor: &mut dyn FnMut() -> bool,
    mut report: impl FnMut(&Event),
) -> Result<(), Failure> {
    let mut jumped = None;
    follow(motion, returns, monitor, |event| {
        if event.kind == EventKind::Reset {
            jumped = Some(event.time);
        }
        report(event);
    })?;
    let time = motion.time();
    match motion.returned_by_jump() || jumped == Some(time) {
        true => Err(Failure::Jumped { time }),
        false => Ok(()),
    }
}

/// The same; every step is reported, too.
pub(crate) fn follow_steps(
    motion: &mut Motion,
    returns: u64,
    monitor: &mut dyn FnMut() -> bool,
    mut report: impl FnMut(&Happening),
) -> Result<(), Failure> {
    let mut patience = Patience::over(returns);
    loop {
        let happening = motion.advance();
        report(&happening);
        match happening {
            Happening::Step(_) | Happening::Quiet { .. } | Happening::Event(_) => {}
            Happening::Ended(Ended::NeverReturns) => {
                return Err(Failure::NoReturn { time: motion.time(), steps: patience.spent });
            }
            Happening::Ended(ended) if ended.is_complete() => return Ok(()),
            Happening::Ended(ended) => {
                let ended = ended.clone();
                return Err(Failure::Ended { ended, time: motion.time() });
            }
        }
        patience.spend(motion.time(), monitor)?;
    }
}
