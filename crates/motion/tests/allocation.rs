//! A warm motion allocates nothing: neither its steps nor its events, through impacts, chattering, stick and release.

use std::alloc::{GlobalAlloc, Layout, System as Memory};
use std::cell::Cell;

use saltation_model::gallery;
use saltation_motion::{EventKind, Happening, Motion, Settings, System};

/// Counts what the current thread allocates.
struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call is handed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = COUNT.try_with(|count| count.set(count.get() + 1));
        unsafe { Memory.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { Memory.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let _ = COUNT.try_with(|count| count.set(count.get() + 1));
        unsafe { Memory.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations() -> usize {
    COUNT.with(Cell::get)
}

/// What a gallery model does until some time.
struct Count {
    allocated: usize,
    happenings: usize,
    /// How often a mode of contacts was decided.
    decisions: usize,
}

/// Runs a gallery model until `warm`, then counts until `until`.
fn count(name: &str, warm: f64, until: f64) -> Count {
    let model = gallery::model(name).unwrap().unwrap();
    let values = model.values(&Default::default()).unwrap();
    let system = System::new(&model);
    let mut motion = Motion::new(&system, &values, Settings { until, ..Settings::default() }).unwrap();
    while motion.time() < warm {
        motion.advance();
    }
    let before = allocations();
    let mut count = Count { allocated: 0, happenings: 0, decisions: 0 };
    loop {
        match motion.advance() {
            Happening::Ended(_) => break,
            Happening::Event(event) if [EventKind::Stick, EventKind::Release].contains(&event.kind) => {
                count.decisions += 1;
            }
            _ => {}
        }
        count.happenings += 1;
    }
    count.allocated = allocations() - before;
    count
}

/// A decision makes so many lists at most: modes, what vanishes in them, and what changes.
const MOST_LISTS: usize = 10;

#[test]
fn the_counter_counts() {
    let before = allocations();
    let numbers: Vec<usize> = (0..10).collect();
    assert!(allocations() > before, "{numbers:?}");
}

#[test]
fn flight_and_impacts_allocate_nothing_when_warm() {
    let Count { allocated, happenings, .. } = count("impact-oscillator", 100.0, 400.0);
    assert!(happenings > 100);
    assert_eq!(allocated, 0);
}

#[test]
fn chattering_allocates_nothing_and_decisions_a_few_lists_when_warm() {
    let Count { allocated, happenings, decisions } = count("double-pendulum", 20.0, 80.0);
    assert!(happenings > 1000 && decisions > 5, "{happenings} {decisions}");
    assert!(allocated <= MOST_LISTS * decisions, "{allocated} in {decisions}");
}

#[test]
fn two_contacts_allocate_nothing_when_warm() {
    let Count { allocated, happenings, .. } = count("impact-damper", 50.0, 200.0);
    assert!(happenings > 100);
    assert_eq!(allocated, 0);
}

#[test]
fn steps_of_time_allocate_nothing_when_warm() {
    use saltation_motion::stepping::{Stepping, SteppingSettings};
    let model = gallery::model("bouncing-ball").unwrap().unwrap();
    let values = model.values(&Default::default()).unwrap();
    let mut motion = Stepping::new(&model, &values, SteppingSettings::new(1e-3, 6.0)).unwrap();
    // The first impact makes the room that is used from there on.
    while motion.solver().with_contact == 0 {
        motion.advance();
    }
    let before = allocations();
    while motion.time() < 5.9 && motion.advance() {
        motion.pieces();
    }
    assert_eq!(allocations() - before, 0);
    assert!(motion.solver().with_contact > 1000);
}

#[test]
fn slip_and_stick_allocate_nothing_between_decisions() {
    // The rod turns while it slips, up to the singular point.
    let Count { allocated, happenings, .. } = count("painleve-rod", 0.01, 0.8);
    assert!(happenings > 3, "{happenings}");
    assert_eq!(allocated, 0);
}
