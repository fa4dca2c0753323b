//! The compiled modes of a system: each is compiled once, when a motion first enters it, and found again by all motions on all threads.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::closed::ClosedSet;
use super::compiled::Mode;
use super::constraint::Constraint;

/// The modes that are kept have so many rows of coefficients together: many bodies have more modes than memory holds. Motions keep those that
/// they run on themselves.
const MOST_ROWS: usize = 1 << 19;

/// Which mode: the closed contacts, and the constraints without a force, because they hold by the others.
type Key = (ClosedSet, Vec<Constraint>);

/// A compiled mode, and whether its coefficients were wanted if it is linear.
#[derive(Debug, Clone)]
struct Cached {
    mode: Arc<Mode>,
    suited: bool,
    /// The number of modes that were compiled before.
    age: u64,
}

/// Compiled modes, shared between threads.
#[derive(Debug, Default)]
pub(crate) struct Modes {
    kept: Mutex<(HashMap<Key, Cached>, u64)>,
}

impl Clone for Modes {
    /// The same modes, kept apart from now on.
    fn clone(&self) -> Modes {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        Modes { kept: Mutex::new((kept.0.clone(), kept.1)) }
    }
}

impl Modes {
    /// The mode, compiled now if it is not known. `suited` says whether the coefficients of a linear mode are wanted.
    ///
    /// Two threads that enter a new mode at once wait for one compilation.
    pub(crate) fn find(
        &self,
        closed: ClosedSet,
        redundant: &[Constraint],
        suited: bool,
        compile: impl FnOnce() -> Mode,
    ) -> Arc<Mode> {
        // What is kept is whole at any time, also where a thread has panicked.
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let (modes, compiled) = &mut *kept;
        let key = (closed, redundant.to_vec());
        if let Some(known) = modes.get(&key).filter(|known| known.suited || !suited) {
            return Arc::clone(&known.mode);
        }
        let mode = Arc::new(compile());
        let rows = |mode: &Mode| mode.tape.len();
        let mut all = rows(&mode) + modes.values().map(|kept| rows(&kept.mode)).sum::<usize>();
        while all > MOST_ROWS
            && let Some(oldest) = modes.iter().min_by_key(|(_, kept)| kept.age).map(|(key, _)| key.clone())
        {
            all -= modes.remove(&oldest).map_or(0, |kept| rows(&kept.mode));
        }
        modes.insert(key, Cached { mode: Arc::clone(&mode), suited, age: *compiled });
        *compiled += 1;
        mode
    }

    /// How many modes were compiled so far.
    pub(crate) fn compiled(&self) -> u64 {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).1
    }
}
