//! A warm motion allocates nothing: neither its steps nor its events, through impacts, chattering, stick and release.

use std::alloc::{GlobalAlloc, Layout, System as Memory};
use std::cell::Cell;

use saltation_model::gallery;
use saltation_motion::{Happening, Motion, Settings, System};

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

/// Runs a gallery model until `warm`, then counts allocations and happenings until `until`.
fn count(name: &str, warm: f64, until: f64) -> (usize, usize) {
    let model = gallery::model(name).unwrap().unwrap();
    let values = model.values(&Default::default()).unwrap();
    let system = System::new(&model);
    let mut motion = Motion::new(&system, &values, Settings { until, ..Settings::default() }).unwrap();
    while motion.time() < warm {
        motion.advance();
    }
    let before = allocations();
    let mut happenings = 0;
    while !matches!(motion.advance(), Happening::Ended(_)) {
        happenings += 1;
    }
    (allocations() - before, happenings)
}

#[test]
fn the_counter_counts() {
    let before = allocations();
    let numbers: Vec<usize> = (0..10).collect();
    assert!(allocations() > before, "{numbers:?}");
}

#[test]
fn flight_and_impacts_allocate_nothing_when_warm() {
    let (allocated, happenings) = count("impact-oscillator", 100.0, 400.0);
    assert!(happenings > 100);
    assert_eq!(allocated, 0);
}

#[test]
fn chattering_stick_and_release_allocate_nothing_when_warm() {
    let (allocated, happenings) = count("double-pendulum", 20.0, 80.0);
    assert!(happenings > 1000);
    assert_eq!(allocated, 0);
}

#[test]
fn two_contacts_allocate_nothing_when_warm() {
    let (allocated, happenings) = count("impact-damper", 50.0, 200.0);
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
    let (allocated, happenings) = count("painleve-rod", 0.01, 0.8);
    assert!(happenings > 3, "{happenings}");
    assert_eq!(allocated, 0);
}
