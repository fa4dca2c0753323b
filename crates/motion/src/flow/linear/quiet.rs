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

/// What must not happen.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    /// A root or a minimum of an open contact's gap.
    Gap(usize),
    /// A fall of a contact force to zero.
    Force,
    /// A passage of a section.
    Section(usize),
}

/// |u^(k)| on a cell, at most `states` |x| + `constant` for the state x at its beginning; times a power of h.
#[derive(Debug, Clone)]
struct Bound {
    states: Vec<f64>,
    constant: f64,
}

impl Bound {
    #[inline(always)]
    fn at(&self, state: &[f64]) -> f64 {
        state.iter().zip(&self.states[..state.len()]).fold(self.constant, |sum, (x, weight)| sum + weight * x.abs())
    }

    fn fixed<const N: usize>(&self) -> Option<FixedBound<N>> {
        let states = self.states[..].try_into().ok()?;
        Some(FixedBound { states, constant: self.constant })
    }
}

/// The same for a number of states that the compiler knows.
#[derive(Debug, Clone, Copy)]
struct FixedBound<const N: usize> {
    states: [f64; N],
    constant: f64,
}

impl<const N: usize> FixedBound<N> {
    #[inline(always)]
    fn at(&self, state: &[f64; N]) -> f64 {
        let mut sum = self.constant;
        for i in 0..N {
            sum += self.states[i] * state[i].abs();
        }
        sum
    }
}

/// One function that is watched: its value and derivatives stand from `first` on in a row of values.
#[derive(Debug, Clone)]
struct Watched {
    kind: Kind,
    first: usize,
    /// The coefficient of the phase, and what that adds on one cell.
    slope: f64,
    advance: f64,
    /// The error of the cubic: of the opening speed for gaps, of the value for others.
    cubic: Bound,
    /// For gaps: how far the opening acceleration is from the straight line between its ends, and the sum of all terms.
    line: Bound,
    size: Bound,
}

/// What is watched, each with its place among the outputs.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Watch(Vec<(Kind, usize)>);

impl Watch {
    /// The gaps of contacts, the contact forces and the sections.
    pub(crate) fn new(
        gaps: impl Iterator<Item = (usize, usize)>,
        forces: impl Iterator<Item = usize>,
        sections: impl Iterator<Item = (usize, usize)>,
    ) -> Watch {
        let gaps = gaps.map(|(contact, output)| (Kind::Gap(contact), output));
        let forces = forces.map(|output| (Kind::Force, output));
        let sections = sections.map(|(section, output)| (Kind::Section(section), output));
        Watch(gaps.chain(forces).chain(sections).collect())
    }
}

/// What is needed to pass quiet cells, wherever the grid begins.
#[derive(Debug)]
pub(crate) struct QuietField {
    watch: Watch,
    /// The values at a point: the states, then what is watched.
    width: usize,
    watched: Vec<Watched>,
    /// How each state contributes to the values at the same point, and at the end of the cell: there to the changes of the
    /// states, whose rounding is so much smaller than that of the states.
    here: Vec<f64>,
    next: Vec<f64>,
    /// How 1 and the waves at the beginning of a cell contribute to every value that is watched: there, and at the end of the cell.
    waves: Vec<f64>,
    third: f64,
    cell: f64,
    /// How far the phase moves on one cell.
    step: f64,
}

/// The same with what the forcing contributes on a grid.
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

impl QuietField {
    /// Watches some outputs.
    pub(crate) fn new(exact: &Exact<f64>, watch: Watch) -> QuietField {
        let (n, size, h) = (exact.moving, exact.size(), exact.cell);
        let kinds = &watch.0;
        let derivatives = |kind: Kind| if matches!(kind, Kind::Gap(_)) { 3 } else { 2 };
        let values: usize = kinds.iter().map(|&(kind, _)| derivatives(kind)).sum();
        // The rows of what is watched as functions of the generators at the beginning of a cell: there, at its end, and what the phase adds to both.
        let mut rows = vec![0.0; 2 * values * size];
        let mut paces = Vec::with_capacity(values);
        let mut watched = Vec::with_capacity(kinds.len());
        let mut room = vec![0.0; size];
        for &(kind, output) in kinds {
            let series = &exact.outputs[output];
            let first = n + paces.len();
            for order in 0..derivatives(kind) {
                let (here, next) = rows[2 * paces.len() * size..][..2 * size].split_at_mut(size);
                series.here(order, here);
                series.later(order, h, next);
                paces.push(if order == 1 { series.pace() } else { 0.0 });
            }
            let mut bound = |order: usize, factor: f64| {
                series.bound(order, h, &mut room);
                let states = room[..n].iter().map(|entry| entry * factor).collect();
                Bound { states, constant: factor * room[n..].iter().sum::<f64>() }
            };
            let cubic = if derivatives(kind) == 3 { 5 } else { 4 };
            watched.push(Watched {
                kind,
                first,
                slope: series.slope(),
                advance: series.pace() * h,
                cubic: bound(cubic, h.powi(4) / 384.0),
                line: bound(4, h * h / 8.0),
                size: bound(0, 1.0),
            });
        }
        let gap_alone = matches!(watched[..], [Watched { kind: Kind::Gap(_), .. }]);
        let width = (n + values).next_multiple_of(if gap_alone { 2 } else { 4 });
        let [mut here, mut next] = [vec![0.0; n * width], vec![0.0; n * width]];
        for i in 0..n {
            let (here, next) = (&mut here[i * width..(i + 1) * width], &mut next[i * width..(i + 1) * width]);
            here[i] = 1.0;
            (0..n).for_each(|state| next[state] = exact.change(state)[i]);
            for (r, pair) in rows.chunks_exact(2 * size).enumerate() {
                (here[n + r], next[n + r]) = (pair[i], pair[size + i]);
            }
        }
        // What the phase adds is constant, as 1 is.
        let mut waves = Vec::with_capacity(2 * values * (size - n));
        for (row, pace) in rows.chunks_exact(size).zip(paces.iter().flat_map(|pace| [pace; 2])) {
            waves.push(row[n] + pace);
            waves.extend_from_slice(&row[n + 1..]);
        }
        let step = exact.circle.map_or(0.0, |circle| circle.rate * h);
        QuietField { watch, width, watched, here, next, waves, third: h / 3.0, cell: h, step }
    }

    /// Whether these are the outputs that it watches.
    pub(crate) fn watches(&self, watch: &Watch) -> bool {
        self.watch == *watch
    }
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
        let (Some(cubic), Some(line)) = (watched.cubic.fixed::<N>(), watched.line.fixed::<N>()) else { return none };
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
            let state = at.first_chunk().unwrap_or(&[0.0; N]);
            let errors = (|| cubic.at(state), || line.at(state), || watched.size.at(state));
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
