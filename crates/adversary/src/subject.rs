//! A body with its motion, as the oracles examine it.

use saltation_model::{Model, Overrides, Values};
use saltation_motion::{Ended, Event, FlowChoice, Motion, Run, Settings, System};

use crate::body::Body;
use crate::dice::Dice;
use crate::family::{LONGEST, Watch};

/// The change of every number in the nearby motion, relative to it.
const PERTURBATION: f64 = 1e-9;
/// Motions are not compared between events that are closer than this, relative to the whole time.
const SHORTEST_INTERVAL: f64 = 1e-5;
/// Motions are compared between so many events at most.
const MOST_INTERVALS: usize = 600;
/// So much slower the second half of a thousand events is where impacts become slower.
const SLOWED: f64 = 0.95;
/// A thousand events within less than this, relative to the time, are no advance.
const SHORTEST_ADVANCE: f64 = 1e-7;

/// One motion of a body.
pub struct Trial {
    /// The compiled model.
    pub system: System,
    /// Its numbers.
    pub values: Values,
    /// The result of the trajectory, with its path.
    pub run: Run,
}

/// The settings of a motion.
#[derive(Debug, Clone, Copy)]
pub struct Way {
    /// The tolerance.
    pub tolerance: f64,
    /// The longest step, relative to the whole time.
    pub longest_step: f64,
    /// The method for smooth motions.
    pub flow: FlowChoice,
}

impl Default for Way {
    fn default() -> Way {
        let Settings { tolerance, longest_step, flow, .. } = Settings::default();
        Way { tolerance, longest_step, flow }
    }
}

/// The motion of a body, or the reason for which the model or its start is rejected.
pub fn run(body: &Body, way: Way, watch: &Watch) -> Result<Trial, String> {
    let model = Model::parse(&body.text(), "member.toml").map_err(|mistakes| mistakes.to_string())?;
    let values = model.values(&Overrides::default()).map_err(|mistakes| mistakes.to_string())?;
    let system = System::new(&model);
    let settings = Settings {
        tolerance: way.tolerance,
        longest_step: way.longest_step * body.until,
        flow: way.flow,
        until: body.until,
        ..Settings::default()
    };
    let motion = Motion::new(&system, &values, settings).map_err(|error| error.to_string())?;
    let own = watch.within(LONGEST);
    let run = motion.run(true, |_| own.allows());
    Ok(Trial { system, values, run })
}

/// A motion with this many events that still advances takes long because of what it is.
const MANY_EVENTS: usize = 10_000;

impl Trial {
    /// Whether it was interrupted among many events, and time still advanced, or impacts became slower: elastic contacts at a small distance have a million impacts in
    /// a short time, and those that lose a thousandth of their speed ten thousands until they come to rest.
    pub fn has_many_events(&self) -> bool {
        let events = &self.run.events;
        let last = || &events[events.len() - MANY_EVENTS / 10..];
        let advanced = || last()[last().len() - 1].time - last()[0].time > SHORTEST_ADVANCE * self.run.time;
        let fastest = |events: &[Event]| events.iter().map(|event| event.speed_before.abs()).fold(0.0, f64::max);
        let slowed = || {
            let (early, late) = last().split_at(last().len() / 2);
            fastest(late) < SLOWED * fastest(early)
        };
        self.run.ended == Ended::Interrupted && events.len() >= MANY_EVENTS && (advanced() || slowed())
    }

    /// The state at a time, unless the time is out of reach or in the rest of a chattering sequence.
    pub fn at(&self, time: f64) -> Option<Vec<f64>> {
        let path = self.run.trajectory.as_ref()?;
        let piece = path.piece_at(time).filter(|piece| !piece.completes_chatter)?;
        let since = time - piece.start;
        (0.0..=piece.length).contains(&since).then(|| {
            let mut state = self.run.state.clone();
            piece.evaluate(since, &mut state);
            state
        })
    }
}

/// A body, its motion, and a perturbed motion that shows its sensitivity.
pub struct Subject<'w> {
    /// The body.
    pub body: Body,
    /// Its motion at the default tolerance.
    pub base: Trial,
    /// The motion of a body whose numbers differ by 1e-9.
    pub nearby: Trial,
    /// How long computations may go on.
    pub watch: &'w Watch,
}

impl Subject<'_> {
    /// The motions of a body.
    ///
    /// # Errors
    /// If the model is refused: its mistakes.
    pub fn new<'w>(body: &Body, watch: &'w Watch) -> Result<Subject<'w>, String> {
        let base = run(body, Way::default(), watch)?;
        let nearby = run(&nearby(body), Way::default(), watch)?;
        Ok(Subject { body: body.clone(), base, nearby, watch })
    }

    /// Times at which motions are compared: three between any two successive events that are not too close together, as many as the bound allows, and after the last
    /// one. Among impacts in quick succession velocities depend on which of them was the last.
    pub fn times(&self) -> Vec<f64> {
        let until = self.base.run.time;
        let mut edges = vec![0.0];
        edges.extend(self.base.run.events.iter().flat_map(|event| [event.time, event.end()]));
        edges.push(until);
        let apart: Vec<&[f64]> =
            edges.windows(2).filter(|pair| pair[1] - pair[0] > SHORTEST_INTERVAL * until).collect();
        let late = apart.last().filter(|_| apart.len() > MOST_INTERVALS);
        let compared = apart.iter().take(MOST_INTERVALS).chain(late);
        compared.flat_map(|pair| [0.1, 0.5, 0.9].map(|part| pair[0] + part * (pair[1] - pair[0]))).collect()
    }

    /// The largest coordinate and the largest velocity of the motion; the lengths and times of all families are about 1.
    pub fn sizes(&self) -> [f64; 2] {
        let n = self.body.degrees();
        let mut state = self.base.run.state.clone();
        let mut sizes = [1e-3_f64; 2];
        let mut look = |state: &[f64]| {
            (0..2)
                .for_each(|k| sizes[k] = state[k * n..(k + 1) * n].iter().fold(sizes[k], |size, x| size.max(x.abs())));
        };
        look(&state);
        for piece in self.base.run.trajectory.iter().flat_map(|path| path.pieces()) {
            piece.evaluate(0.0, &mut state);
            look(&state);
        }
        sizes
    }
}

/// The body with every number changed by 1e-9, up or down; 1 decreases, because restitutions are at most 1.
fn nearby(body: &Body) -> Body {
    let mut dice = Dice::of("nearby", 1, 1);
    let mut changed = body.clone();
    for (_, value) in &mut changed.numbers {
        let share = dice.between(0.3, 1.0) * PERTURBATION;
        *value *= if *value == 1.0 || dice.chance(0.5) { 1.0 - share } else { 1.0 + share };
    }
    changed
}

impl Subject<'_> {
    /// The motion from an intermediate state, with velocities that differ by 1e-9.
    pub fn resumed(&self, time: f64) -> Option<Run> {
        let closed = self.base.run.trajectory.as_ref()?.piece_at(time)?.closed;
        let mut start = self.base.at(time)?;
        let n = self.body.degrees();
        let mut dice = Dice::of("nearby", 1, 1);
        start[n..2 * n].iter_mut().for_each(|speed| *speed *= 1.0 + dice.between(0.3, 1.0) * PERTURBATION);
        let values = self.base.values.with_start(&start);
        let settings = Settings { until: self.body.until - time, ..Settings::default() };
        let motion = Motion::resting_on(&self.base.system, &values, settings, &[], closed).ok()?;
        let own = self.watch.within(LONGEST);
        Some(motion.run(false, |_| own.allows()))
    }

    /// Whether no surface has a tangential velocity.
    pub fn body_has_no_belt(&self) -> bool {
        self.body.contacts.iter().filter_map(|contact| contact.friction.as_ref()).all(|friction| friction.belt == "0")
    }
}
