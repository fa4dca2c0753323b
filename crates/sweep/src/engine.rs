//! Computes chains of work on several threads and delivers what they emit on the thread that asked, which alone sees progress and disks.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread::Builder;
use std::time::Duration;

/// Progress is reported at least so often.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// Finished pieces that may wait for delivery, for every thread: a bound on memory.
const WAITING: usize = 4;

/// Why not everything was computed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// The threads could not be started.
    #[error("{threads} threads could not be started: {reason}")]
    Threads {
        /// Their number.
        threads: usize,
        /// What the system says.
        reason: String,
    },
}

/// The chains that are left, in order, from which threads take the next one.
#[derive(Debug)]
pub struct Source<I> {
    /// The chains, and how many of them are being computed.
    chains: Mutex<(I, usize)>,
    threads: usize,
}

impl<I: Iterator> Source<I> {
    fn new(chains: I, threads: usize) -> Source<I> {
        Source { chains: Mutex::new((chains, 0)), threads }
    }

    /// The next chain, for a thread that is computing some already: no more than its share of those that have not ended, so that all threads have work to the end.
    pub fn next(&self, own: usize) -> Option<I::Item> {
        let mut chains = self.chains.lock().unwrap_or_else(PoisonError::into_inner);
        let (left, begun) = &mut *chains;
        let share = (left.size_hint().0 + *begun).div_ceil(self.threads).max(1);
        let next = if own < share { left.next() } else { None };
        *begun += usize::from(next.is_some());
        next
    }

    /// A chain that was taken has ended.
    pub fn ended(&self) {
        let mut chains = self.chains.lock().unwrap_or_else(PoisonError::into_inner);
        chains.1 = chains.1.saturating_sub(1);
    }
}

/// The way back from what is computed: takes what has been finished, and says whether to stop.
#[derive(Debug)]
pub struct Outlet<'a, B> {
    sender: SyncSender<B>,
    stop: &'a AtomicBool,
}

impl<B> Outlet<'_, B> {
    /// Delivers a piece.
    pub fn send(&self, piece: B) {
        // Nobody receives any more only after an interruption.
        if self.sender.send(piece).is_err() {
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    /// The flag that is raised when the work is to stop.
    pub fn stop(&self) -> &AtomicBool {
        self.stop
    }
}

/// Computes every chain. `compute` runs once on every thread: it takes chains, in order as it becomes free, and sends what it finishes; `receive`
/// takes each piece on the calling thread, in the order of completion, and `look` is called now and then. Both return whether to continue.
///
/// Threads share nothing but the list of chains, so that what a chain finds does not depend on their number.
///
/// # Errors
/// If the threads cannot be started.
pub fn run<B: Send, I: Iterator + Send>(
    threads: usize,
    chains: I,
    compute: impl Fn(&Source<I>, &Outlet<B>) + Sync,
    mut receive: impl FnMut(B) -> bool,
    mut look: impl FnMut() -> bool,
) -> Result<(), EngineError> {
    let stop = AtomicBool::new(false);
    let source = Source::new(chains, threads);
    let (sender, receiver) = sync_channel::<B>(WAITING * threads);
    std::thread::scope(|scope| {
        let mut started = Ok(());
        for _ in 0..threads {
            let outlet = Outlet { sender: sender.clone(), stop: &stop };
            let (source, compute) = (&source, &compute);
            let thread = Builder::new().spawn_scoped(scope, move || compute(source, &outlet));
            if let Err(error) = thread {
                stop.store(true, Ordering::Relaxed);
                started = Err(EngineError::Threads { threads, reason: error.to_string() });
                break;
            }
        }
        // The receiver learns of the end when all threads have dropped theirs.
        drop(sender);
        loop {
            let goes_on = match receiver.recv_timeout(LOOK_EVERY) {
                Ok(piece) => receive(piece) && look(),
                Err(RecvTimeoutError::Timeout) => look(),
                Err(RecvTimeoutError::Disconnected) => break,
            };
            if !goes_on {
                stop.store(true, Ordering::Relaxed);
            }
        }
        started
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(threads: usize, count: u64, stop_after: usize) -> Vec<u64> {
        let mut found = Vec::new();
        let compute = |source: &Source<std::ops::Range<u64>>, outlet: &Outlet<u64>| {
            while let Some(n) = source.next(0).filter(|_| !outlet.stop().load(Ordering::Relaxed)) {
                outlet.send(n * n);
                source.ended();
            }
        };
        let receive = |n| {
            found.push(n);
            found.len() < stop_after
        };
        run(threads, 0..count, compute, receive, || true).unwrap();
        found.sort_unstable();
        found
    }

    #[test]
    fn every_chain_is_computed_once_on_any_number_of_threads() {
        let expected: Vec<u64> = (0..1000).map(|n| n * n).collect();
        for threads in [1, 2, 3, 8] {
            assert_eq!(squares(threads, 1000, usize::MAX), expected);
        }
        assert!(squares(2, 0, usize::MAX).is_empty());
    }

    #[test]
    fn an_interruption_ends_soon_and_keeps_what_was_delivered() {
        let found = squares(2, 1_000_000, 10);
        assert!((10..1000).contains(&found.len()), "{}", found.len());
    }

    #[test]
    fn a_thread_takes_no_more_than_its_share() {
        let source = Source::new(0..6, 3);
        assert_eq!([source.next(0), source.next(1), source.next(2)], [Some(0), Some(1), None]);
        assert_eq!([source.next(0), source.next(1), source.next(2)], [Some(2), Some(3), None]);
        source.ended();
        assert_eq!([source.next(1), source.next(2), source.next(0)], [Some(4), None, Some(5)]);
    }
}
