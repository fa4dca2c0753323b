//! Examines many members of many families in several threads; a member that hangs or panics counts as a disagreement.
//!
//! Members are numbered 0, 1, 2, ... in turn over the families, and every member has dice of its own, so that neither the
//! number of threads nor the time decides what a member is.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use crate::dice::Dice;
use crate::expected::expected;
use crate::family::{Disagreement, Family, Outcome, STOPPED, WHOLE, Watch};
use crate::tally::{Table, Tally};

/// Which members are examined.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The seed of all dice.
    pub seed: u64,
    /// The first member of every family.
    pub first: u64,
    /// How many members in all, if that is bounded.
    pub members: Option<u64>,
    /// For how long members are begun, if that is bounded.
    pub time: Option<Duration>,
    /// How many threads.
    pub jobs: usize,
    /// How many times as long all limits of time are.
    pub patience: u32,
}

/// A member: its family by position, its index in the family, and when it was begun.
type Begun = (usize, u64, Instant);

/// What a thread has to say.
enum News {
    Begun(usize, Begun),
    Done(usize, Outcome),
    Idle(usize),
}

/// Threads do not end where they are stuck in a step; after this time they are left behind.
const PATIENCE: Duration = Duration::from_secs(90);

/// Examines members until the plan is fulfilled or Ctrl-C; `report` is called with the family and the index of every member
/// that is done.
pub fn run(families: &[Family], plan: &Plan, mut report: impl FnMut(&Family, u64, &Outcome, &Table)) -> Table {
    let mut table = Table(families.iter().map(|family| (family.name, Tally::default())).collect());
    let next = Arc::new(AtomicU64::new(0));
    let until = plan.time.map(|time| Instant::now() + time);
    let (send, news) = mpsc::channel();
    let mut threads = plan.jobs;
    let start = |worker: usize| {
        let (families, plan) = (families.to_vec(), plan.clone());
        let (next, send) = (Arc::clone(&next), send.clone());
        thread::spawn(move || work(&families, &plan, until, &next, worker, &send));
    };
    let mut record = |(family, index, begun): Begun, outcome: &Outcome| {
        let known = expected(families[family].name, plan.seed, index).is_some();
        table.0[family].1.add(outcome, known, begun.elapsed());
        report(&families[family], index, outcome, &table);
    };
    // The threads at work by number, and the member that each is busy with.
    let mut working: BTreeMap<usize, Option<Begun>> = (0..plan.jobs).map(|worker| (worker, None)).collect();
    (0..plan.jobs).for_each(start);
    while !working.is_empty() {
        match news.recv_timeout(Duration::from_millis(200)) {
            Ok(News::Begun(worker, begun)) => drop(working.insert(worker, Some(begun))),
            Ok(News::Done(worker, outcome)) => {
                if let Some(begun) = working.get_mut(&worker).and_then(Option::take) {
                    record(begun, &outcome);
                }
            }
            Ok(News::Idle(worker)) => drop(working.remove(&worker)),
            Err(_) => {}
        }
        let stuck = |begun: &Option<Begun>| begun.is_some_and(|(.., since)| since.elapsed() > PATIENCE * plan.patience);
        let stuck: Vec<usize> = working.iter().filter(|(_, begun)| stuck(begun)).map(|(&worker, _)| worker).collect();
        for worker in stuck {
            if let Some(begun) = working.remove(&worker).flatten() {
                record(
                    begun,
                    &failed("hang", format!("no step ends within {} s", (PATIENCE * plan.patience).as_secs())),
                );
            }
            threads += 1;
            working.insert(threads, None);
            start(threads);
        }
    }
    table
}

fn failed(oracle: &str, what: String) -> Outcome {
    let disagreement = Disagreement { oracle: oracle.to_string(), what, file: String::new() };
    Outcome { disagreements: vec![disagreement], ..Outcome::default() }
}

/// One thread: takes the next member until there is none.
fn work(
    families: &[Family],
    plan: &Plan,
    until: Option<Instant>,
    next: &AtomicU64,
    worker: usize,
    send: &mpsc::Sender<News>,
) {
    while !STOPPED.load(Ordering::Relaxed) && until.is_none_or(|until| Instant::now() < until) {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if plan.members.is_some_and(|members| number >= members) {
            break;
        }
        let (family, own) = turn(families, number);
        let index = plan.first + own;
        let begun = Instant::now();
        // Nobody listens any more only when the program ends.
        let _ = send.send(News::Begun(worker, (family, index, begun)));
        let outcome = member(&families[family], plan.seed, index, plan.patience);
        if begun.elapsed() > PATIENCE * plan.patience {
            return; // another thread has taken over
        }
        let _ = send.send(News::Done(worker, outcome));
    }
    let _ = send.send(News::Idle(worker));
}

/// The family whose turn it is, and how many turns it has had before: families take turns, those of `every` n in each n-th round only.
fn turn(families: &[Family], number: u64) -> (usize, u64) {
    let least = families.iter().map(|family| family.every).min().unwrap_or(1).max(1);
    let rounds = families.iter().map(|family| family.every / least).max().unwrap_or(1).max(1);
    let comes = |family: &Family, round: u64| round.is_multiple_of((family.every / least).max(1));
    let whole: Vec<(usize, u64)> = (0..rounds)
        .flat_map(|round| (0..families.len()).map(move |k| (k, round)))
        .filter(|&(k, round)| comes(&families[k], round))
        .collect();
    let (cycle, place) = (number / whole.len() as u64, (number % whole.len() as u64) as usize);
    let (family, _) = whole[place];
    let own = |turns: &[(usize, u64)]| turns.iter().filter(|one| one.0 == family).count() as u64;
    (family, cycle * own(&whole) + own(&whole[..place]))
}

/// One member of a family, with all limits of time so many times as long.
pub fn member(family: &Family, seed: u64, index: u64, patience: u32) -> Outcome {
    let watch = Watch::patient(WHOLE, patience);
    let mut dice = Dice::of(family.name, seed, index);
    catch_unwind(AssertUnwindSafe(|| (family.examine)(&mut dice, &watch))).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string));
        failed("panic", text.unwrap_or_else(|| "a panic without a message".to_string()))
    })
}
