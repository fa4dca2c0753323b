//! Runs: motions from their start to their end, step by step.
//!
//! | module | what it does |
//! |---|---|
//! | `motion` | advances a trajectory from event to event |
//! | `start` | finds what happens at the start state |
//! | `step` | makes one step: offer of the flow, location, transition |
//! | `taylor`, `exact` | what the two flows offer |
//! | `quiet` | steps of such motions on which nothing happens |
//! | `side_by_side` | prepares the next steps of several motions at once |
//! | `stiffness` | finds motions that are too stiff for explicit steps |
//! | `derivatives` | the derivatives of a motion |

mod derivatives;
mod exact;
pub(crate) mod motion;
mod quiet;
pub(crate) mod side_by_side;
pub(crate) mod start;
mod step;
mod stiffness;
mod taylor;

use self::motion::{Happening, Misses, Motion};
use crate::ended::Ended;
use crate::event::{Event, EventKind};
use crate::mode::ClosedSet;
use crate::trajectory::Trajectory;

/// Everything that a run left behind.
#[derive(Debug, Clone)]
pub struct Run {
    /// All events in the order of time.
    pub events: Vec<Event>,
    /// The path, if it was kept.
    pub trajectory: Option<Trajectory>,
    /// How it ended.
    pub ended: Ended,
    /// The time reached.
    pub time: f64,
    /// The state reached, in the order of the model's states.
    pub state: Vec<f64>,
    /// The contacts that are closed at the end.
    pub closed: ClosedSet,
    /// The verdicts on near misses.
    pub misses: Misses,
}

impl Run {
    /// How many events of a kind there were.
    pub fn count(&self, kind: EventKind) -> usize {
        self.events.iter().filter(|e| e.kind == kind).count()
    }

    /// The first event of a kind.
    pub fn first(&self, kind: EventKind) -> Option<&Event> {
        self.events.iter().find(|e| e.kind == kind)
    }
}

impl Motion<'_> {
    /// Runs the motion to its end.
    ///
    /// `keep_path` says whether the polynomials of all steps are kept; `watch` is called after every step with the time and
    /// may answer `false` to stop.
    pub fn run(mut self, keep_path: bool, mut watch: impl FnMut(f64) -> bool) -> Run {
        self.keep_path(keep_path);
        let mut events = Vec::new();
        let mut trajectory = keep_path.then(|| Trajectory::new(self.state().len()));
        let ended = loop {
            let wanted = match self.advance() {
                Happening::Step(piece) => {
                    if let Some(trajectory) = &mut trajectory {
                        trajectory.push(&piece);
                    }
                    watch(piece.start + piece.length)
                }
                Happening::Quiet { start, length } => watch(start + length),
                Happening::Event(event) => {
                    events.push(event.clone());
                    true
                }
                Happening::Ended(ended) => break ended.clone(),
            };
            if !wanted {
                self.interrupt();
            }
        };
        Run {
            events,
            trajectory,
            ended,
            time: self.time(),
            state: self.state().to_vec(),
            closed: self.closed(),
            misses: self.misses(),
        }
    }
}
