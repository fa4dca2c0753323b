//! Quiet cells, on which certainly nothing happens: certified by values at both ends of a cell and bounds on high derivatives.
//!
//! A function u on a cell of length h differs from the cubic with its values and slopes at both ends by at most
//! h^4/384 max |u''''|, and the cubic lies between its Bernstein coefficients u0, u0 + h u0'/3, u1 - h u1'/3, u1. The largest
//! |u''''| is bounded by the state at the beginning of the cell. So a contact force that is certainly positive is seen at
//! once, and so is a gap whose opening speed keeps its sign, which has neither a root nor a minimum between positive
//! ends. A gap of negative opening acceleration has none either; one of positive acceleration has at most one minimum,
//! above the crossing of the tangents at both ends. A cell of which this cannot be said is looked at by polynomials.

use std::ops::Deref;
use std::sync::Arc;

use crate::locate::section::SectionState;

use super::exact::Exact;
use super::watched::{Kind, QuietField, Watched};

/// The values that are watched, with what the forcing contributes to them on a grid.
#[derive(Debug, Clone)]
pub(crate) struct QuietCells {
    field: Arc<QuietField>,
    /// For every cell.
    here_forced: Vec<f64>,
    next_forced: Vec<f64>,
}

impl Deref for QuietCells {
    type Target = QuietField;

    #[inline]
    fn deref(&self) -> &QuietField {
        &self.field
    }
}

/// Where the quiet cells ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Landing {
    /// How many cells it took.
    pub cells: usize,
    /// Whether the next cell has to be looked at.
    pub look: bool,
    /// The minima of gaps on the way, all of them misses.
    pub misses: u64,
}

/// What must not change on quiet cells.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits<'a> {
    pub cells: usize,
    pub sections: &'a [SectionState],
    /// Minima above this gap are only counted.
    pub smallest: f64,
    pub tolerance: f64,
    pub phase: f64,
}

impl QuietCells {
    /// The quiet cells of a grid.
    pub(crate) fn on_grid(field: Arc<QuietField>, exact: &Exact<f64>) -> QuietCells {
        let (n, width, cells) = (exact.moving, field.width, exact.cells());
        let [mut here_forced, mut next_forced] = [vec![0.0; cells * width], vec![0.0; cells * width]];
        let length = exact.size() - n;
        let rows = here_forced.chunks_exact_mut(width).zip(next_forced.chunks_exact_mut(width));
        for (cell, (here, next)) in rows.enumerate() {
            let waves = exact.waves(cell);
            next[..n].copy_from_slice(exact.forced(cell));
            let forced = |row: &[f64]| row[1..].iter().zip(waves).fold(row[0], |sum, (entry, wave)| sum + entry * wave);
            for ((pair, here), next) in field.waves.chunks_exact(2 * length).zip(&mut here[n..]).zip(&mut next[n..]) {
                let (at_start, at_end) = pair.split_at(length);
                (*here, *next) = (forced(at_start), forced(at_end));
            }
        }
        QuietCells { field, here_forced, next_forced }
    }

    /// The length of a row of values.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// QuietCells from a grid point as far as certainly nothing happens. `values` begins with the state; at the end it has the
    /// values where it ended. `room` is as long.
    pub(crate) fn pass(&self, from: usize, limits: Limits, values: &mut [f64], room: &mut [f64]) -> Landing {
        // The same lines, compiled once more for the sizes of small systems: there a loop costs more than what is done in it.
        match (self.here.len() / self.width, self.width) {
            (2, 6) => self.pass_gap::<2, 6>(from, limits, values),
            (2, 8) => self.run::<2, 8>(from, limits, values, room),
            (2, 12) => self.run::<2, 12>(from, limits, values, room),
            (4, 8) if self.has_gap_alone() => self.pass_gap::<4, 8>(from, limits, values),
            (4, 8) => self.run::<4, 8>(from, limits, values, room),
            (4, 12) => self.run::<4, 12>(from, limits, values, room),
            _ => self.run::<0, 0>(from, limits, values, room),
        }
    }

    /// Whether nothing but one gap is watched.
    fn has_gap_alone(&self) -> bool {
        matches!(self.watched[..], [Watched { kind: Kind::Gap(_), .. }])
    }

    /// [`QuietCells::pass`] for one gap beside `N` states: all `W` values stay in registers.
    fn pass_gap<const N: usize, const W: usize>(&self, from: usize, limits: Limits, values: &mut [f64]) -> Landing {
        let none = Landing { cells: 0, look: true, misses: 0 };
        let ([watched], (here, []), (next, [])) = (&self.watched[..], self.here.as_chunks(), self.next.as_chunks())
        else {
            return none;
        };
        let (here, next): (&[[f64; W]], &[[f64; W]]) = (here, next);
        let (Ok(here), Ok(next)) = (<&[[f64; W]; N]>::try_from(here), <&[[f64; W]; N]>::try_from(next)) else {
            return none;
        };
        let forced = self.next_forced.as_chunks::<W>().0;
        let gap = |row: &[f64; W]| [row[N], row[N + 1], row[N + 2]];
        let mut at = sum_rows(&self.here_forced.as_chunks().0[from], here, values);
        at[..N].copy_from_slice(&values[..N]);
        values[..W].copy_from_slice(&at);
        if at[N].is_nan() || at[N] <= 0.0 {
            return none;
        }
        let mut landing = none;
        let mut cell = from;
        while landing.cells < limits.cells {
            let mut to = sum_rows(&forced[cell], next, &at);
            let mut sum = 0.0;
            for i in 0..N {
                to[i] += at[i];
                sum += to[i];
            }
            let mut misses = 0;
            let state = &at[..N];
            let errors = (|| watched.cubic.at(state), || watched.line.at(state), || watched.size.at(state));
            let clear = self.gap_is_clear((gap(&at), gap(&to)), errors, limits, &mut misses);
            // What is not finite is looked at, so that its reason is found.
            if !clear || !sum.is_finite() {
                break;
            }
            at = to;
            landing.misses += misses;
            landing.cells += 1;
            cell = if cell + 1 == forced.len() { 0 } else { cell + 1 };
        }
        values[..W].copy_from_slice(&at);
        landing.look = landing.cells < limits.cells;
        landing
    }

    /// [`QuietCells::pass`] for `N` states and `W` values, or for any number where these are 0.
    fn run<const N: usize, const W: usize>(
        &self,
        from: usize,
        limits: Limits,
        values: &mut [f64],
        room: &mut [f64],
    ) -> Landing {
        let width = if W > 0 { W } else { self.width };
        let n = if N > 0 { N } else { self.here.len() / self.width };
        let (values, room) = (&mut values[..width], &mut room[..width]);
        let cells = self.here_forced.len() / width;
        let mut landing = Landing { cells: 0, look: true, misses: 0 };
        room.copy_from_slice(values);
        apply::<N, W>(&self.here, &self.here_forced, from, &room[..n], values);
        let positive = |w: &Watched| !matches!(w.kind, Kind::Gap(_)) || values[w.first] > 0.0;
        if !self.watched.iter().all(positive) {
            return landing;
        }
        let (mut at, mut to) = (values, room);
        let mut cell = from;
        let mut phase = limits.phase;
        while landing.cells < limits.cells {
            apply::<N, W>(&self.next, &self.next_forced, cell, &at[..n], to);
            let mut sum = 0.0;
            for (x, before) in to[..n].iter_mut().zip(&at[..n]) {
                *x += before;
                sum += *x;
            }
            let mut misses = 0;
            let clear = self.watched.iter().all(|watched| match watched.kind {
                Kind::Gap(_) => {
                    let gap = |row: &[f64]| [row[watched.first], row[watched.first + 1], row[watched.first + 2]];
                    let state = &at[..n];
                    let errors = (|| watched.cubic.at(state), || watched.line.at(state), || watched.size.at(state));
                    self.gap_is_clear((gap(at), gap(to)), errors, limits, &mut misses)
                }
                Kind::Force => {
                    let (low, _) = self.range(watched, at, to, 0.0);
                    low > watched.cubic.at(&at[..n])
                }
                Kind::Section(section) => {
                    let (low, high) = self.range(watched, at, to, phase);
                    let error = watched.cubic.at(&at[..n]);
                    limits.sections[section].keeps_cell(low - error, high + error)
                }
            });
            // What is not finite is looked at, so that its reason is found.
            if !clear || !sum.is_finite() {
                break;
            }
            std::mem::swap(&mut at, &mut to);
            landing.misses += misses;
            landing.cells += 1;
            cell = if cell + 1 == cells { 0 } else { cell + 1 };
            phase += self.step;
        }
        landing.look = landing.cells < limits.cells;
        if landing.cells % 2 == 1 {
            // The two rows have changed their places.
            to.copy_from_slice(at);
        }
        landing
    }

    /// The contacts whose gaps are watched, with the place of the gap in a row of values.
    pub(crate) fn gaps(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.watched.iter().filter_map(|watched| match watched.kind {
            Kind::Gap(contact) => Some((contact, watched.first)),
            _ => None,
        })
    }

    /// Whether the gap at a place in the values falls at a grid point; `values` begins with the state there.
    pub(crate) fn falls(&self, gap: usize, cell: usize, values: &[f64]) -> bool {
        let speed = gap + 1;
        let columns = self.here.chunks_exact(self.width).zip(values);
        let forced = self.here_forced[cell * self.width + speed];
        columns.fold(forced, |sum, (column, x)| sum + x * column[speed]) < 0.0
    }

    /// Whether the gap at a place falls at the end of a row of values.
    pub(crate) fn closes(&self, gap: usize, values: &[f64]) -> bool {
        // At the top of a flight the speed may be zero up to rounding: what it was just before decides.
        values[gap + 1] - 1e-10 * self.cell * values[gap + 2] < 0.0
    }

    /// The least and the largest Bernstein coefficient of the cubic of a value.
    #[inline]
    fn range(&self, watched: &Watched, from: &[f64], to: &[f64], phase: f64) -> (f64, f64) {
        let (from, to) = (&from[watched.first..], &to[watched.first..]);
        let start = from[0] + watched.slope * phase;
        let end = to[0] + watched.slope * phase + watched.advance;
        range(start, from[1], end, to[1], self.third)
    }

    /// Whether a gap has neither a root nor an unknown minimum on a cell, from the gap with its two derivatives at both ends, the errors of the
    /// cubic and of the line, and the size of all terms.
    #[inline(always)]
    fn gap_is_clear(
        &self,
        (from, to): ([f64; 3], [f64; 3]),
        (cubic, line, size): (impl Fn() -> f64, impl Fn() -> f64, impl Fn() -> f64),
        limits: Limits,
        misses: &mut u64,
    ) -> bool {
        if to[0].is_nan() || to[0] <= 0.0 {
            return false;
        }
        // The Bernstein coefficients of the opening speed, all beyond the error on one side.
        let error = cubic();
        let (second, before) = (from[1] + self.third * from[2], to[1] - self.third * to[2]);
        // All four are compared at once.
        let opens = (from[1] > error) & (second > error) & (before > error) & (to[1] > error);
        let closes = (from[1] < -error) & (second < -error) & (before < -error) & (to[1] < -error);
        if opens | closes {
            return true;
        }
        let error = line();
        let (low, high) = (from[2].min(to[2]), from[2].max(to[2]));
        if high < -error {
            return true;
        }
        if low > error && from[1] < 0.0 && to[1] > 0.0 {
            let crossing = (from[0] - to[0] + to[1] * self.cell) / (to[1] - from[1]);
            let lowest = from[0] + from[1] * crossing;
            *misses += 1;
            return lowest > limits.smallest && lowest > limits.tolerance * size();
        }
        false
    }
}

/// What is forced, and the contribution of each state.
#[inline(always)]
fn sum_rows<const N: usize, const W: usize>(forced: &[f64; W], columns: &[[f64; W]; N], state: &[f64]) -> [f64; W] {
    let mut sum = *forced;
    for (&x, column) in state.iter().zip(columns) {
        for (value, entry) in sum.iter_mut().zip(column) {
            *value += x * entry;
        }
    }
    sum
}

/// The values of a cell: what is forced there, and the contribution of each state.
#[inline(always)]
fn apply<const N: usize, const W: usize>(
    columns: &[f64],
    forced: &[f64],
    cell: usize,
    state: &[f64],
    values: &mut [f64],
) {
    let width = values.len();
    let forced = &forced[cell * width..(cell + 1) * width];
    if let (Ok(values), Ok(forced)) = (<&mut [f64; W]>::try_from(&mut *values), <&[f64; W]>::try_from(forced)) {
        let mut sum = *forced;
        for i in 0..N {
            let (x, column) = (state[i], &columns[i * W..(i + 1) * W]);
            for r in 0..W {
                sum[r] += x * column[r];
            }
        }
        *values = sum;
        return;
    }
    values.copy_from_slice(forced);
    for (&x, column) in state.iter().zip(columns.chunks_exact(width)) {
        for (value, entry) in values.iter_mut().zip(column) {
            *value += x * entry;
        }
    }
}

/// The least and the largest Bernstein coefficient of the cubic with these values and slopes at its ends.
#[inline]
fn range(start: f64, start_slope: f64, end: f64, end_slope: f64, third: f64) -> (f64, f64) {
    let (second, before) = (start + third * start_slope, end - third * end_slope);
    (start.min(second).min(end.min(before)), start.max(second).max(end.max(before)))
}
