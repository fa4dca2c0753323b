//! The loop of an event-driven simulation: recording, samples, and interruption.

use crate::drawing::path::Path;
use crate::naming::Naming;
use crate::progress::Progress;
use crate::simulation::answer::{EndDerivatives, EventDerivatives};
use crate::simulation::derivatives::Tracer;
use crate::simulation::extras::Extras;
use crate::simulation::log::EventLog;
use crate::simulation::samples::Sampler;
use saltation_motion::{ClosedSet, Ended, Event, Happening, Misses, Motion};
use std::io;

/// The largest number of samples that are kept, because a motion until its N-th return may have any number.
pub(crate) const MOST_SAMPLES: usize = 10_000_000;
/// The number of steps between two reports of progress.
const STEPS_PER_LOOK: u32 = 64;

/// The recorded results of a motion.
#[derive(Debug)]
pub(crate) struct Followed {
    /// Its events.
    pub log: EventLog,
    /// Its path, if a figure needs it.
    pub path: Option<Path>,
    /// How it ended.
    pub ended: Ended,
    /// When.
    pub time: f64,
    /// Where.
    pub state: Vec<f64>,
    /// The contacts closed at the end.
    pub closed: ClosedSet,
    /// The verdicts on near misses.
    pub misses: Misses,
    /// Samples one after another, each a time, a state and the numbers of further columns.
    pub samples: Vec<f64>,
    /// The derivatives of the end and of events, if they were asked for.
    pub derivatives: Option<(EndDerivatives, Vec<EventDerivatives>)>,
}

/// Receives events and samples while a motion is computed, instead of keeping them in memory.
pub trait Recorder {
    /// An event.
    ///
    /// # Errors
    /// A write error ends the trajectory.
    fn event(&mut self, event: &Event, naming: Naming) -> io::Result<()>;

    /// A sample; behind the numbers of the state stand those of further columns that were asked for.
    ///
    /// # Errors
    /// As for events.
    fn sample(&mut self, time: f64, state: &[f64], naming: Naming) -> io::Result<()>;
}

/// The results of a motion that are kept.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Keep {
    /// All events, or only those at both ends.
    pub all_events: bool,
    /// The path.
    pub path: bool,
    /// The distance of samples.
    pub every: Option<f64>,
    /// The time at which the trajectory ends.
    pub until: f64,
    /// The returns to a section, and their number, at which the trajectory ends.
    pub returns: Option<(usize, u64)>,
}

/// Follows the motion to its end, until it is interrupted, or until recording fails.
pub(crate) fn follow(
    mut motion: Motion,
    naming: Naming,
    keep: Keep,
    mut recorder: Option<&mut dyn Recorder>,
    extras: &mut Extras,
    mut tracer: Option<Tracer>,
    progress: &mut dyn Progress,
) -> (Followed, io::Result<()>) {
    let (states, until) = (motion.state().len(), keep.until);
    let mut log = EventLog::new(keep.all_events);
    let mut path = keep.path.then(|| Path::new(states));
    let mut sampler = keep.every.map(|every| Sampler::new(every, states));
    let mut samples = Vec::new();
    let mut sample = |time: f64, row: &[f64], recorder: &mut Option<&mut dyn Recorder>| match recorder {
        Some(recorder) => recorder.sample(time, row, naming),
        None => kept(&mut samples, time, row),
    };
    let mut written = Ok(());
    let mut steps = 0_u32;
    // Derivatives are those at the end of a step: with them every sample ends one.
    let stops = tracer.is_some();
    if let Some(sampler) = sampler.as_ref().filter(|_| stops) {
        motion.extend(sampler.next_time().min(until), keep.returns);
    }
    let mut row = Vec::new();
    let ended = loop {
        let mut event_at = None;
        let mut moved = true;
        let (recorded, time) = match motion.advance() {
            Happening::Quiet { start, length } => (Ok(()), start + length),
            Happening::Step(piece) => {
                if let Some(path) = &mut path {
                    path.push(&piece, states);
                }
                let recorded = match &mut sampler {
                    Some(sampler) if !stops => {
                        let support = piece.support();
                        sampler.step(&piece, |time, state| sample(time, extras.row(state, support), &mut recorder))
                    }
                    _ => Ok(()),
                };
                (recorded, piece.start + piece.length)
            }
            Happening::Event(event) => {
                log.push(event, naming.told(event));
                extras.see(event, naming);
                (moved, event_at) = (false, stops.then(|| event.clone()));
                (recorder.as_mut().map_or(Ok(()), |recorder| recorder.event(event, naming)), event.time)
            }
            Happening::Ended(ended) => {
                let ended = ended.clone();
                let due = sampler.as_mut().filter(|sampler| stops && sampler.next_time() < until);
                let (Ended::ReachedTime, Some(sampler), Some(tracer)) = (&ended, due, &mut tracer) else { break ended };
                let time = sampler.next_time();
                row.clear();
                row.extend_from_slice(extras.row(motion.state(), motion.support()));
                tracer.sample(&mut motion, &mut row);
                let recorded = sample(time, &row, &mut recorder);
                sampler.take();
                let left =
                    keep.returns.map(|(section, count)| (section, count - motion.returns(section).min(count - 1)));
                motion.extend(sampler.next_time().min(until), left);
                if recorded.is_err() {
                    written = written.and(recorded);
                    motion.interrupt();
                }
                continue;
            }
        };
        if let Some(tracer) = &mut tracer {
            match &event_at {
                Some(event) => tracer.event(event, &mut motion),
                None if moved => tracer.step(&mut motion),
                None => {}
            }
        }
        steps += 1;
        let looks = steps.is_multiple_of(STEPS_PER_LOOK);
        let share = until.is_finite().then(|| time / until);
        let words = || format!("t = {time:.6}, {} events", log.total());
        let goes_on = recorded.is_ok() && (!looks || progress.see(share, &words));
        written = written.and(recorded);
        if !goes_on {
            motion.interrupt();
        }
    };
    if let Some(sampler) = &mut sampler {
        row.clear();
        row.extend_from_slice(extras.row(motion.state(), motion.support()));
        if let Some(tracer) = &mut tracer {
            tracer.sample(&mut motion, &mut row);
        }
        let last = sampler.finish(motion.time(), motion.state(), |time, _| sample(time, &row, &mut recorder));
        written = written.and(last);
    }
    let derivatives =
        tracer.map(|tracer| tracer.finish((&ended, keep.returns.map(|(section, _)| section)), &mut motion));
    let followed = Followed {
        log,
        path,
        ended,
        time: motion.time(),
        state: motion.state().to_vec(),
        closed: motion.closed(),
        misses: motion.misses(),
        samples,
        derivatives,
    };
    (followed, written)
}

/// Keeps a sample, as long as there is room.
pub(crate) fn kept(samples: &mut Vec<f64>, time: f64, state: &[f64]) -> io::Result<()> {
    if samples.len() >= MOST_SAMPLES * (1 + state.len()) {
        return Err(io::Error::other("there are more than 10 million samples; use --out DIR"));
    }
    samples.push(time);
    samples.extend_from_slice(state);
    Ok(())
}
