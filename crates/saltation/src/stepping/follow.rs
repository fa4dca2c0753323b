//! The loop of a time-stepping simulation: recording, samples, and interruption.

use crate::drawing::path::Path;
use crate::naming::Naming;
use crate::progress::Progress;
use crate::simulation::follow::{Recorder, kept};
use crate::simulation::samples::Sampler;
use crate::stepping::Request;
use saltation_motion::Ended;
use saltation_motion::stepping::{ActiveContact, SolverReport, Stepping};
use std::io;

/// The number of steps between two reports of progress.
const STEPS_PER_LOOK: u64 = 16;

/// The recorded results of a motion.
#[derive(Debug)]
pub(super) struct Followed {
    /// How it ended.
    pub ended: Ended,
    /// When.
    pub time: f64,
    /// Where.
    pub state: Vec<f64>,
    /// The modes of the contacts in the last step.
    pub mode: String,
    /// The contacts of the last step.
    pub contacts: Vec<ActiveContact>,
    /// The accuracy of the contact laws.
    pub solver: SolverReport,
    /// Its path, if a figure needs it.
    pub path: Option<Path>,
    /// Samples one after another, each a time and then a state.
    pub samples: Vec<f64>,
}

/// Follows the motion to its end, until it is interrupted, or until recording fails.
pub(super) fn follow(
    mut motion: Stepping,
    naming: Naming,
    until: f64,
    request: &Request,
    mut recorder: Option<&mut dyn Recorder>,
    progress: &mut dyn Progress,
) -> (Followed, io::Result<()>) {
    let states = motion.state().len();
    let mut path = request.path.then(|| Path::new(states));
    let mut sampler = request.every.map(|every| Sampler::new(every, states));
    let mut samples = Vec::new();
    let mut sample = |time: f64, state: &[f64]| match &mut recorder {
        Some(recorder) => recorder.sample(time, state, naming),
        None => kept(&mut samples, time, state),
    };
    let mut written = Ok(());
    while motion.advance() {
        if path.is_some() || sampler.is_some() {
            for piece in motion.pieces() {
                if let Some(path) = &mut path {
                    path.push(&piece, states);
                }
                if let Some(sampler) = &mut sampler {
                    written = written.and(sampler.step(&piece, &mut sample));
                }
            }
        }
        let (time, contacts) = (motion.time(), motion.contacts().len());
        let looks = motion.solver().steps.is_multiple_of(STEPS_PER_LOOK);
        let words = || format!("t = {time:.6}, {contacts} contacts");
        if written.is_err() || looks && !progress.see(Some(time / until), &words) {
            motion.interrupt();
        }
    }
    if let Some(sampler) = &mut sampler {
        written = written.and(sampler.finish(motion.time(), motion.state(), &mut sample));
    }
    let followed = Followed {
        // A motion that does not advance has ended.
        ended: motion.ended().cloned().unwrap_or(Ended::Interrupted),
        time: motion.time(),
        state: motion.state().to_vec(),
        mode: motion.mode_name(),
        contacts: motion.contacts().to_vec(),
        solver: *motion.solver(),
        path,
        samples,
    };
    (followed, written)
}
