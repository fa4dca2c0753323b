//! The path of a motion, as far as a figure or a table can use it.

use crate::naming::Naming;
use crate::table::{Cell, Table};
use crate::text::number;
use saltation_motion::{Piece, Trajectory};

/// The largest number of coefficients of a path that are kept for a figure: 400 megabytes.
const MOST_COEFFICIENTS: usize = 50_000_000;

/// The path of a motion as far as a figure can use it.
#[derive(Debug)]
pub(crate) struct Path {
    /// Its steps.
    pub trajectory: Trajectory,
    coefficients: usize,
    /// Whether later steps were left out, because there were too many.
    pub cut: bool,
}

impl Path {
    /// The empty path of a system with a given number of states.
    pub(crate) fn new(states: usize) -> Path {
        Path { trajectory: Trajectory::new(states), coefficients: 0, cut: false }
    }

    /// Adds a step.
    pub(crate) fn push(&mut self, piece: &Piece, states: usize) {
        self.cut |= self.coefficients > MOST_COEFFICIENTS;
        if !self.cut && states > 0 {
            self.coefficients += states * piece.polynomial(0).len();
            self.trajectory.push(piece);
        }
    }

    /// About how many bytes it takes: its coefficients, and what every step has besides.
    pub(crate) fn bytes(&self) -> usize {
        /// A step without its coefficients.
        const STEP: usize = 128;
        size_of::<f64>() * self.coefficients + STEP * self.trajectory.pieces().count()
    }

    /// The warning if later steps were omitted.
    pub(crate) fn warning(&self) -> Option<String> {
        let end = number::short(self.trajectory.span().map_or(0.0, |(_, end)| end), 6);
        let words = || format!("the figure shows the trajectory only up to t = {end}, because it has too many steps");
        self.cut.then(words)
    }
}

/// The approximate number of rows for a period of a path.
const ROWS: f64 = 1000.0;

/// A table of a path: the ends of every step, and points between them. A jump has two rows at one time.
pub(crate) fn table(naming: Naming, trajectory: &Trajectory) -> Table {
    let states = naming.states();
    let whole = trajectory.span().map_or(0.0, |(from, to)| to - from);
    let mut state = vec![0.0; states.len()];
    let mut last: Option<(f64, Vec<f64>)> = None;
    let mut rows = Vec::new();
    for piece in trajectory.pieces() {
        let share = if whole > 0.0 { piece.length / whole } else { 0.0 };
        let parts = (ROWS * share).ceil().clamp(1.0, ROWS) as u32;
        for k in 0..=parts {
            let since = piece.length * (f64::from(k) / f64::from(parts));
            piece.evaluate(since, &mut state);
            // The end of one step and the start of the next are the same time up to rounding.
            let time = last.as_ref().map_or(piece.start + since, |(t, _)| t.max(piece.start + since));
            // A step begins where the last one ended, unless the state has jumped.
            if k == 0 && last.as_ref().is_some_and(|(t, x)| *t == time && same(x, &state)) {
                continue;
            }
            rows.push(std::iter::once(time).chain(naming.state(&state).map(|(_, x)| x)).map(Cell::from).collect());
            last = Some((time, state.clone()));
        }
    }
    let head = std::iter::once("time".to_string()).chain(states.iter().cloned()).collect();
    Table { name: "path", head, rows }
}

/// Whether two states are equal up to rounding errors at the boundary of two steps.
fn same(a: &[f64], b: &[f64]) -> bool {
    let size = a.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    a.iter().zip(b).all(|(x, y)| (x - y).abs() <= 1e-12 * size)
}
