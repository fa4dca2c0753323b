//! Computes chains of work on several threads and delivers what they emit on the thread that asked, which alone sees progress and disks.

use rayon::ThreadPoolBuilder;
use rayon::iter::{ParallelBridge, ParallelIterator};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
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

/// The way back from a chain that is computed: takes what it has finished, and says whether to stop.
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

/// Computes every chain, in order as threads become free. `compute` does one chain with the memory of its thread, and sends what it finishes; `receive`
/// takes each piece on the calling thread, in the order of completion, and `look` is called now and then. Both return whether to continue.
///
/// Threads share nothing but the counter of chains, so that what a chain finds does not depend on their number.
///
/// # Errors
/// If the threads cannot be started.
pub fn run<W: Send, B: Send, C: Send>(
    threads: usize,
    chains: impl Iterator<Item = C> + Send,
    memory: impl Fn() -> W + Sync + Send,
    compute: impl Fn(&mut W, C, &Outlet<B>) + Sync + Send,
    mut receive: impl FnMut(B) -> bool,
    mut look: impl FnMut() -> bool,
) -> Result<(), EngineError> {
    let stop = AtomicBool::new(false);
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| EngineError::Threads { threads, reason: error.to_string() })?;
    let (sender, receiver) = sync_channel::<B>(WAITING * threads);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let idle: Mutex<Vec<W>> = Mutex::new(Vec::new());
            let taken = || idle.lock().ok().and_then(|mut idle| idle.pop()).unwrap_or_else(&memory);
            let work = |sender: &mut SyncSender<B>, chain: C| {
                if !stop.load(Ordering::Relaxed) {
                    let mut own = taken();
                    compute(&mut own, chain, &Outlet { sender: sender.clone(), stop: &stop });
                    if let Ok(mut idle) = idle.lock() {
                        idle.push(own);
                    }
                }
            };
            // Moved in, so that the receiver learns of the end.
            let sender = sender;
            pool.install(|| chains.par_bridge().for_each_with(sender, work));
        });
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
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(threads: usize, count: u64, stop_after: usize) -> Vec<u64> {
        let mut found = Vec::new();
        let compute = |calls: &mut u64, n: u64, outlet: &Outlet<u64>| {
            *calls += 1;
            outlet.send(n * n);
        };
        run(
            threads,
            0..count,
            || 0_u64,
            compute,
            |n| {
                found.push(n);
                found.len() < stop_after
            },
            || true,
        )
        .unwrap();
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
}
