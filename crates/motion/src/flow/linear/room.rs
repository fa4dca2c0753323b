//! What a motion keeps for its exact flows: working room, and where it is on the grid.

use super::exact::Exact;
use super::quiet::QuietCells;
use crate::time::Time;

/// The exact flow of one mode.
#[derive(Debug, Clone)]
pub(crate) struct Linear {
    pub exact: Exact<f64>,
    pub quiet: QuietCells,
}

/// What a motion needs for exact flows.
#[derive(Debug, Clone)]
pub(crate) struct ExactRoom {
    /// Whether every step is wanted as polynomials.
    pub path: bool,
    /// Whether the last step was one over quiet cells, without polynomials.
    pub without_path: bool,
    /// Whether the cell that begins here has to be looked at.
    pub look: bool,
    /// A phase of the grid: that of the start, where the section by the phase is.
    pub origin: f64,
    /// The generators at one point, and the phase and mode for which their harmonics are known.
    pub generators: Vec<f64>,
    pub ready_phase: f64,
    pub ready_mode: usize,
    /// How many quiet cells have been passed since a time: their sum does not depend on how they were divided into steps.
    pub cells: u64,
    pub anchor: Time,
    /// Rows of values at both ends of a cell.
    pub values: Vec<f64>,
    pub next: Vec<f64>,
}

impl ExactRoom {
    /// Room for no mode yet; `origin` is a phase of the grid.
    pub(crate) fn new(origin: f64) -> ExactRoom {
        ExactRoom {
            path: true,
            without_path: false,
            look: false,
            origin,
            generators: Vec::new(),
            ready_phase: f64::NAN,
            ready_mode: 0,
            cells: 0,
            anchor: Time::at(0.0),
            values: Vec::new(),
            next: Vec::new(),
        }
    }

    /// Forgets the last motion, but not where the grid is and what is wanted.
    pub(crate) fn restart(&mut self) {
        (self.without_path, self.look) = (false, false);
        self.ready_phase = f64::NAN;
        self.cells = 0;
    }

    /// Makes room for a mode with so many generators and values.
    pub(crate) fn make_room(&mut self, generators: usize, values: usize) {
        self.generators.resize(self.generators.len().max(generators), 0.0);
        for row in [&mut self.values, &mut self.next] {
            row.resize(row.len().max(values), 0.0);
        }
    }
}
