//! The same motion beside others: what is prepared together has the bits that every motion has alone, whatever stands beside it and when.

use saltation_model::Values;
use saltation_motion::{Event, EventKind, FlowChoice, Happening, Motion, Settings, System, Together};

use crate::dice::Dice;
use crate::digits::Against;
use crate::subject::Subject;

/// Motions beside each other: more than there are lanes.
const MOTIONS: usize = 11;
/// So many steps of each are compared.
const STEPS: u64 = 300;

/// The body beside others of its kind, with other starts.
pub fn check(subject: &Subject, dice: &mut Dice) -> Option<Against> {
    let settings = Settings { until: subject.body.until, ..Settings::default() };
    apart(&subject.base.system, &subject.base.values, settings, dice).map(Against::law)
}

/// What has become of a motion.
#[derive(Debug, PartialEq)]
struct Course {
    state: Vec<u64>,
    time: u64,
    events: Vec<(EventKind, u64, Option<usize>)>,
    misses: (u64, u64),
    ended: Option<&'static str>,
}

impl Course {
    /// What differs in another one.
    fn other(&self, beside: &Course) -> String {
        let number = |bits: &u64| f64::from_bits(*bits);
        let state = |course: &Course| course.state.iter().map(number).collect::<Vec<f64>>();
        let first = self.events.iter().zip(&beside.events).position(|(a, b)| a != b);
        let event = |course: &Course| course.events.get(first?).map(|(kind, time, of)| (*kind, number(time), *of));
        let end = |course: &Course| (number(&course.time), course.misses.0, course.ended);
        format!(
            "{:?} at {:?} instead of {:?} at {:?}, with the event {:?} instead of {:?}",
            state(beside),
            end(beside),
            state(self),
            end(self),
            event(beside),
            event(self)
        )
    }
}

/// A motion on its way.
struct Runner<'s> {
    motion: Motion<'s>,
    events: Vec<(EventKind, u64, Option<usize>)>,
    ended: Option<&'static str>,
}

impl<'s> Runner<'s> {
    fn new(motion: Motion<'s>) -> Runner<'s> {
        Runner { motion: motion.without_path(), events: Vec::new(), ended: None }
    }

    fn is_over(&self) -> bool {
        self.ended.is_some() || self.left() == 0
    }

    /// The steps that are left.
    fn left(&self) -> u64 {
        STEPS.saturating_sub(self.motion.steps())
    }

    fn advance(&mut self) {
        let event = |event: &Event| (event.kind, event.time.to_bits(), event.contact);
        match self.motion.advance() {
            Happening::Step(_) | Happening::Quiet { .. } => {}
            Happening::Event(happened) => self.events.push(event(happened)),
            Happening::Ended(ended) => self.ended = Some(ended.name()),
        }
    }

    fn course(self) -> Course {
        let bits = |x: &f64| x.to_bits();
        let misses = self.motion.misses();
        Course {
            state: self.motion.state().iter().map(bits).collect(),
            time: self.motion.time().to_bits(),
            events: self.events,
            misses: (misses.count, misses.smallest.to_bits()),
            ended: self.ended,
        }
    }
}

/// How a motion differs from what it is alone where it goes on beside others with starts near its own, with any of them waiting at any time; `None` if nothing does.
pub fn apart(system: &System, values: &Values, settings: Settings, dice: &mut Dice) -> Option<String> {
    // The exact flow has no series that could be prepared.
    let settings = Settings { flow: FlowChoice::Taylor, ..settings };
    let numbers: Vec<Values> = (0..MOTIONS)
        .map(|k| match k {
            0 => values.clone(),
            _ => values.with_start(&values.start().iter().map(|x| x + dice.between(-0.02, 0.05)).collect::<Vec<f64>>()),
        })
        .collect();
    let begin = || numbers.iter().filter_map(|values| Motion::new(system, values, settings).ok()).map(Runner::new);
    let alone: Vec<Course> = begin()
        .map(|mut runner| {
            while !runner.is_over() {
                runner.advance();
            }
            runner.course()
        })
        .collect();
    let mut runners: Vec<Runner> = begin().collect();
    let mut together = Together::new();
    while runners.iter().any(|runner| !runner.is_over()) {
        let waits: Vec<bool> = runners.iter().map(|_| dice.chance(0.2)).collect();
        for runner in &mut runners {
            // At some times every step is looked at.
            let quiet = dice.below(6) as u64;
            runner.motion.allow_quiet(quiet.min(runner.left()) as u32);
        }
        together.prepare(&mut runners, |runner| (!runner.is_over()).then_some(&mut runner.motion));
        let going = runners.iter_mut().zip(waits).filter(|(runner, waits)| !(runner.is_over() || *waits));
        going.for_each(|(runner, _)| runner.advance());
    }
    let courses = runners.into_iter().map(Runner::course);
    let differing = alone.iter().zip(courses).enumerate().find(|(_, (alone, beside))| *alone != beside);
    differing.map(|(k, (alone, beside))| format!("motion {k} is {} beside others", alone.other(&beside)))
}
