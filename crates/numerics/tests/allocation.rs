//! Once a workspace has seen a degree, no root search allocates.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use saltation_numerics::polynomial::{Workspace, first_descent, real_roots, sign_changes};

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator, counting the calls of each thread.
struct Counting;

// SAFETY: every call goes unchanged to the system's allocator; the counter is a constant-initialised cell without a
// destructor, so that it does not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Σ cₖ sᵏ = cos(20 s + shift) to degree 30 and zero beyond: many roots and minima, different for each shift.
fn wave(shift: f64) -> [f64; 31] {
    let mut factor = 1.0;
    core::array::from_fn(|k| {
        let derivative = (shift + k as f64 * std::f64::consts::FRAC_PI_2).cos();
        let c = derivative * factor;
        factor *= 20.0 / (k as f64 + 1.0);
        c
    })
}

fn search(workspace: &mut Workspace, count: usize) -> usize {
    let mut found = 0;
    for i in 0..count {
        let mut c = wave(i as f64 * 0.1);
        found += real_roots(&c, 0.0, 0.4, 0.0, workspace).len();
        found += sign_changes(&c, 0.4, 1.0, workspace).roots.len();
        c[0] += 1.0 + 1e-12;
        found += first_descent(&c, 0.4, 0, workspace).minima.len();
    }
    found
}

#[test]
fn a_warm_workspace_allocates_nothing() {
    let mut workspace = Workspace::new();
    // A double root makes the search go as deep as it can.
    let mut deep = [0.0; 31];
    (deep[0], deep[1], deep[2], deep[30]) = (0.09, -0.6, 1.0, 1e-9);
    real_roots(&deep, 0.0, 1.0, 0.0, &mut workspace);
    search(&mut workspace, 3);
    let before = ALLOCATIONS.with(Cell::get);
    let found = search(&mut workspace, 200);
    real_roots(&deep, 0.0, 1.0, 0.0, &mut workspace);
    let allocated = ALLOCATIONS.with(Cell::get) - before;
    assert!(found > 1000, "the searches found only {found} roots and minima");
    assert_eq!(allocated, 0);
}
