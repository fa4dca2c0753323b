//! What later requests refer to: the last systems by their text, the last answers by their names, and computations that can be stopped.

use saltation::registry::Found;
use saltation::session::Entry;
use saltation::{Answered, Error, System, Table};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// Texts whose systems are kept.
const SYSTEMS: usize = 8;
/// Answers that are kept, and about how many bytes all of them may take. The page asks again for what was forgotten.
const ANSWERS: usize = 48;
const BYTES: usize = 1 << 30;

/// An answer with its request.
pub(crate) struct StoredAnswer {
    pub entry: Entry,
    /// The text of the model.
    pub text: Arc<str>,
    pub found: Found,
    tables: OnceLock<Vec<Table>>,
}

impl StoredAnswer {
    pub(crate) fn new(entry: Entry, text: Arc<str>, found: Found) -> StoredAnswer {
        StoredAnswer { entry, text, found, tables: OnceLock::new() }
    }

    /// The tables of the answer.
    pub(crate) fn tables(&self) -> &[Table] {
        self.tables.get_or_init(|| self.answered().tables())
    }

    pub(crate) fn answered(&self) -> &dyn Answered {
        self.found.answered()
    }
}

/// The last values by their names; the oldest is forgotten.
struct Last<K, V> {
    most: usize,
    list: Vec<(K, V)>,
}

impl<K: PartialEq, V: Clone> Last<K, V> {
    fn new(most: usize) -> Last<K, V> {
        Last { most, list: Vec::new() }
    }

    fn get(&mut self, key: &K) -> Option<V> {
        let place = self.list.iter().position(|(known, _)| known == key)?;
        let entry = self.list.remove(place);
        let value = entry.1.clone();
        self.list.push(entry);
        Some(value)
    }

    fn put(&mut self, key: K, value: V) {
        self.list.retain(|(known, _)| *known != key);
        if self.list.len() >= self.most {
            self.list.remove(0);
        }
        self.list.push((key, value));
    }

    /// Forgets the oldest until the others are small enough together; the newest stays.
    fn bound(&mut self, most: usize, size: impl Fn(&V) -> usize) {
        let mut total: usize = self.list.iter().map(|(_, value)| size(value)).sum();
        while total > most && self.list.len() > 1 {
            total -= size(&self.list.remove(0).1);
        }
    }
}

/// All of it.
pub(crate) struct Memory {
    systems: Mutex<Last<Arc<str>, System>>,
    answers: Mutex<Last<String, Arc<StoredAnswer>>>,
    running: Mutex<HashMap<String, Arc<AtomicBool>>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What a panic left is still a list.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Memory {
    /// With the system at the beginning.
    pub(crate) fn new(system: Option<&System>) -> Memory {
        let mut systems = Last::new(SYSTEMS);
        system.into_iter().for_each(|system| systems.put(system.model().text.as_str().into(), system.clone()));
        Memory { systems: Mutex::new(systems), answers: Mutex::new(Last::new(ANSWERS)), running: Mutex::default() }
    }

    /// The system of a text, without settings. Files beside a model are read only where the model at the beginning names them: a text of the page has none.
    ///
    /// # Errors
    /// Mistakes of the model.
    pub(crate) fn system(&self, text: &Arc<str>) -> Result<System, Error> {
        if let Some(system) = lock(&self.systems).get(text) {
            return Ok(system);
        }
        let system = System::parse(text, "model")?;
        lock(&self.systems).put(text.clone(), system.clone());
        Ok(system)
    }

    pub(crate) fn answer(&self, id: &str) -> Option<Arc<StoredAnswer>> {
        lock(&self.answers).get(&id.to_string())
    }

    pub(crate) fn keep(&self, kept: StoredAnswer) -> Arc<StoredAnswer> {
        let kept = Arc::new(kept);
        let mut answers = lock(&self.answers);
        answers.put(kept.entry.id.clone(), kept.clone());
        answers.bound(BYTES, |kept| kept.found.bytes());
        drop(answers);
        kept
    }

    /// A computation begins; one of the same name that still runs is stopped.
    pub(crate) fn begin(&self, id: &str) -> Arc<AtomicBool> {
        let flag = Arc::new(AtomicBool::new(false));
        if let Some(before) = lock(&self.running).insert(id.to_string(), flag.clone()) {
            before.store(true, Ordering::Relaxed);
        }
        flag
    }

    /// The computation with this flag has ended.
    pub(crate) fn end(&self, id: &str, flag: &Arc<AtomicBool>) {
        let mut running = lock(&self.running);
        if running.get(id).is_some_and(|known| Arc::ptr_eq(known, flag)) {
            running.remove(id);
        }
    }

    /// Ends a computation; whether there was one.
    pub(crate) fn stop(&self, id: &str) -> bool {
        let running = lock(&self.running);
        running.get(id).map(|flag| flag.store(true, Ordering::Relaxed)).is_some()
    }

    /// Ends all computations.
    pub(crate) fn stop_all(&self) {
        lock(&self.running).values().for_each(|flag| flag.store(true, Ordering::Relaxed));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_is_forgotten_first() {
        let mut last = Last::new(2);
        last.put("a", 1);
        last.put("b", 2);
        assert_eq!(last.get(&"a"), Some(1));
        last.put("c", 3);
        assert_eq!((last.get(&"a"), last.get(&"b"), last.get(&"c")), (Some(1), None, Some(3)));
        last.put("a", 4);
        assert_eq!((last.get(&"a"), last.get(&"c")), (Some(4), Some(3)));
        last.bound(3, |value| *value);
        assert_eq!((last.get(&"a"), last.get(&"c")), (None, Some(3)));
        last.bound(1, |value| *value);
        assert_eq!(last.get(&"c"), Some(3), "the newest stays");
    }

    #[test]
    fn a_computation_of_the_same_name_is_stopped() {
        let memory = Memory::new(None);
        let first = memory.begin("m");
        let second = memory.begin("m");
        assert!(first.load(Ordering::Relaxed) && !second.load(Ordering::Relaxed));
        memory.end("m", &first);
        assert!(memory.stop("m") && second.load(Ordering::Relaxed));
        memory.end("m", &second);
        assert!(!memory.stop("m"));
    }
}
