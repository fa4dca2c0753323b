//! The exact flow of a linear field over one cell of a grid that divides the period of the forcing; every cell has the same propagator.
//!
//! x_(j+1) = E x_j + f_j with E = exp(A h), where f_j belongs to the phase of the grid and is tabulated. All is written for any
//! kind of number: on dual numbers the same lines give the derivatives, with respect to the parameters too, on which even the
//! length of a cell depends.

use std::f64::consts::TAU;
use std::ops::Deref;
use std::sync::Arc;

use saltation_expr::jet::LENGTH;
use saltation_expr::{Jet, Tape};
use saltation_numerics::number::{Number, nearest};

use super::form::LinearForm;
use super::growth;
use super::series::{Generators, INVERSES, Series, Shortcut};

/// The length of a cell times the rate of growth: short enough for series of low order, long enough to be worth it.
const CELL: f64 = 0.65;
/// The most cells of a period; a field so much faster than its forcing takes Taylor steps.
const MOST_CELLS: f64 = 4096.0;
/// Phases this close to one of the grid, relative to the period, are on it: what rounding leaves after a step to it.
pub(crate) const ON_GRID: f64 = 16.0 * f64::EPSILON;
/// The order that serves a cell.
const ORDER: usize = 15;
/// The lowest order that the bound on growth speaks of.
const LOWEST: usize = 7;

/// How the phase runs, as given by the model: its period, its position among the states, and the phase of one grid point.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Grid<T> {
    pub period: T,
    pub origin: T,
}

/// The circle of the phase, divided into cells.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Circle<T> {
    pub period: T,
    pub rate: T,
    /// The sign of the rate.
    pub direction: f64,
    /// The number of cells.
    pub cells: usize,
    inverse_period: f64,
}

/// Where a phase lies on the grid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Place<T> {
    /// The cell.
    pub cell: usize,
    /// Whether it is at its beginning.
    pub at_grid: bool,
    /// How long it is until its end.
    pub rest: T,
}

/// What is the same for the flow of a linear field wherever its grid begins.
#[derive(Debug, Clone)]
pub(crate) struct Field<T> {
    pub moving: usize,
    pub circle: Option<Circle<T>>,
    /// The length of a cell.
    pub cell: T,
    /// |Z^k| <= growth^k for all but low k.
    growth: f64,
    /// The time times the growth that each order serves.
    serves: &'static [f64; LENGTH],
    harmonics: Vec<u32>,
    pub states: Vec<Series<T>>,
    /// The outputs of the mode.
    pub outputs: Vec<Series<T>>,
    /// Those of the outputs that have a row of their own in a jet, with the shortcuts to them.
    distinct: Vec<(usize, Option<Shortcut<T>>)>,
    /// The states in the order in which their rows are had, with the shortcuts.
    sequence: Vec<(usize, Option<Shortcut<T>>)>,
    /// The change of every state over a cell, as a row for the generators at its beginning. That of the states is E - 1: what is added to a state has
    /// a smaller rounding error than the state.
    changes: Vec<T>,
}

/// The flow of a linear field on a grid.
#[derive(Debug, Clone)]
pub(crate) struct Exact<T> {
    field: Arc<Field<T>>,
    /// The phase of grid point 0.
    pub origin: T,
    /// cos k theta and sin k theta at every grid point.
    waves: Vec<T>,
    /// f_j of every cell.
    forced: Vec<T>,
}

impl<T> Deref for Exact<T> {
    type Target = Field<T>;

    #[inline]
    fn deref(&self) -> &Field<T> {
        &self.field
    }
}

/// Why a mode is not bound to an exact flow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Unsuited {
    /// This rate or output is not of the form.
    Formula(usize),
    /// The phase stands still, or the field is too fast for its forcing, or the coefficients are not finite.
    Numbers,
    /// Nothing: its series end, so that every step is exact.
    SeriesEnd,
}

impl Exact<f64> {
    /// The same flow with coefficients that depend on nothing: for the derivatives with respect to the state alone.
    pub(crate) fn lift<T: Number>(&self) -> Exact<T> {
        let numbers = |row: &[f64]| row.iter().map(|&x| T::from_f64(x)).collect::<Vec<T>>();
        let shortcuts = |list: &[(usize, Option<Shortcut<f64>>)]| {
            list.iter().map(|&(i, shortcut)| (i, shortcut.map(Shortcut::lift))).collect()
        };
        let field = Field {
            moving: self.moving,
            circle: self.circle.map(|circle| Circle {
                period: T::from_f64(circle.period),
                rate: T::from_f64(circle.rate),
                direction: circle.direction,
                cells: circle.cells,
                inverse_period: circle.inverse_period,
            }),
            cell: T::from_f64(self.cell),
            growth: self.growth,
            serves: self.serves,
            harmonics: self.harmonics.clone(),
            states: self.states.iter().map(Series::lift).collect(),
            outputs: self.outputs.iter().map(Series::lift).collect(),
            distinct: shortcuts(&self.distinct),
            sequence: shortcuts(&self.sequence),
            changes: numbers(&self.changes),
        };
        let (waves, forced) = (numbers(&self.waves), numbers(&self.forced));
        Exact { field: Arc::new(field), origin: T::from_f64(self.origin), waves, forced }
    }
}

impl<T: Number> Field<T> {
    /// The number of cells of the grid; without forcing all are the same one.
    pub(crate) fn cells(&self) -> usize {
        self.circle.map_or(1, |circle| circle.cells)
    }

    /// The number of generators.
    pub(crate) fn size(&self) -> usize {
        self.moving + 1 + 2 * self.harmonics.len()
    }

    /// The change of a state over a cell, as a row for the generators.
    pub(crate) fn change(&self, state: usize) -> &[T] {
        &self.changes[state * self.size()..(state + 1) * self.size()]
    }

    /// The order of a series that serves a length: what it leaves out is less than rounding.
    #[inline]
    pub(crate) fn order_for(&self, length: f64) -> usize {
        let reach = length * self.growth;
        (LOWEST..ORDER).find(|&order| self.serves[order] >= reach).unwrap_or(ORDER)
    }
}

impl<T: Number> Exact<T> {
    /// Binds a linear mode to values of its parameters; `slots` are those of its tape. `sections` are the outputs that may contain the phase
    /// itself.
    ///
    /// # Errors
    /// Why the mode does not flow this way.
    pub(crate) fn bind(
        form: &LinearForm,
        (tape, slots, parameters): (&Tape, &[T], &[T]),
        grid: Option<Grid<T>>,
        sections: std::ops::Range<usize>,
    ) -> Result<Exact<T>, Unsuited> {
        let n = form.moving;
        if n == 0 {
            return Err(Unsuited::Numbers);
        }
        let functions = n + tape.outputs();
        let coefficients = form.bind(parameters);
        let position = |f: usize| Unsuited::Formula(if f >= n && grid.is_some() { f + 1 } else { f });
        let period = grid.map(|grid| grid.period);
        let forcing = form.forcing(&coefficients, functions, (tape, slots), period).map_err(position)?;
        let saw = (0..functions).find(|&f| {
            let output = f >= n && sections.contains(&(f - n));
            forcing.slopes[f].magnitude() != 0.0 && !output
        });
        if let Some(f) = saw {
            return Err(position(f));
        }
        let rate = coefficients.phase_rate();
        let omega = grid.map(|grid| rate.scale(TAU) / grid.period);
        let frequencies = |k: &u32| omega.unwrap_or(T::ZERO).scale(f64::from(*k));
        let generators = Generators {
            moving: n,
            matrix: coefficients.matrix().to_vec(),
            forced: forcing.coefficients[..n * forcing.width()].to_vec(),
            frequencies: forcing.harmonics.iter().map(frequencies).collect(),
        };
        let finite = coefficients.is_finite() && forcing.coefficients.iter().all(|c| c.is_finite());
        let values: Vec<f64> = coefficients.matrix().iter().map(|entry| entry.value()).collect();
        let highest = generators.frequencies.iter().fold(0.0_f64, |m, f| m.max(f.value().abs()));
        let growth = form.growth(&values).max(highest);
        if !finite || !growth.is_finite() || omega.is_some_and(|o| o.value() == 0.0 || !o.is_finite()) {
            return Err(Unsuited::Numbers);
        }
        if growth == 0.0 {
            return Err(Unsuited::SeriesEnd);
        }
        let circle = match grid {
            Some(Grid { period, .. }) => {
                let cells = (period.value() / rate.value()).abs() * growth / CELL;
                if cells > MOST_CELLS {
                    return Err(Unsuited::Numbers);
                }
                let cells = cells.ceil().max(1.0) as usize;
                let direction = rate.value().signum();
                let inverse_period = 1.0 / period.value();
                Some(Circle { period, rate, direction, cells, inverse_period })
            }
            None => None,
        };
        let cell = match &circle {
            Some(circle) => circle.period / circle.rate.scale(circle.direction * circle.cells as f64),
            None => T::from_f64(CELL / growth),
        };

        let size = generators.len();
        let states = generators.states();
        let outputs: Vec<Series<T>> = (0..tape.outputs())
            .map(|o| {
                let slope = forcing.slopes[n + o];
                let row = (coefficients.output(o), forcing.row(n + o));
                generators.quantity(row, &states, (slope, slope * rate))
            })
            .collect();
        let distinct =
            (0..tape.outputs()).filter(|&o| tape.has_own_row(o)).map(|o| (o, outputs[o].shortcut(None, n))).collect();
        // A state follows from its rate if that has a row without a shortcut.
        let shortcuts: Vec<Option<Shortcut<T>>> =
            states.iter().enumerate().map(|(i, series)| series.shortcut(Some(i), n)).collect();
        let full = |i: usize| !matches!(shortcuts[i], Some(Shortcut::Integral(rate, _)) if shortcuts[rate].is_none());
        let mut sequence: Vec<_> = (0..n).filter(|&i| full(i)).map(|i| (i, None)).collect();
        sequence.extend((0..n).filter(|&i| !full(i)).map(|i| (i, shortcuts[i])));
        let mut changes = vec![T::ZERO; n * size];
        for (series, row) in states.iter().zip(changes.chunks_exact_mut(size)) {
            series.change(cell, row);
        }
        if !changes.iter().all(|entry| entry.is_finite()) {
            return Err(Unsuited::Numbers);
        }
        let field = Field {
            moving: n,
            circle,
            cell,
            growth,
            serves: growth::serves(),
            harmonics: forcing.harmonics,
            states,
            outputs,
            distinct,
            sequence,
            changes,
        };
        Ok(Exact::on_grid(Arc::new(field), grid.map(|grid| grid.origin)))
    }

    /// The flow with its tables for the phases of a grid, of which one is given.
    pub(crate) fn on_grid(field: Arc<Field<T>>, origin: Option<T>) -> Exact<T> {
        let (n, size, cells) = (field.moving, field.size(), field.cells());
        let waves = Vec::with_capacity(cells * (size - n - 1));
        let forced = Vec::with_capacity(cells * n);
        let mut exact = Exact { field, origin: origin.unwrap_or(T::ZERO), waves, forced };
        let mut point = vec![T::ZERO; size];
        for cell in 0..cells {
            let phase = exact.grid_phase(cell);
            exact.generators(&[], phase, &mut point);
            exact.waves.extend_from_slice(&point[n + 1..]);
            let forced = exact.field.changes.chunks_exact(size).map(|row| T::dot(&row[n..], &point[n..]));
            exact.forced.extend(forced);
        }
        exact
    }

    /// What does not depend on the grid.
    pub(crate) fn field(&self) -> &Arc<Field<T>> {
        &self.field
    }

    /// The phase of a grid point, less than one turn from that of point 0.
    pub(crate) fn grid_phase(&self, point: usize) -> T {
        self.circle.map_or(T::ZERO, |circle| {
            let turn = circle.direction * point as f64 / circle.cells as f64;
            self.origin + circle.period.scale(turn)
        })
    }

    /// Where a phase lies on the grid.
    #[inline]
    pub(crate) fn place(&self, phase: T) -> Place<T> {
        let Some(circle) = &self.circle else {
            return Place { cell: 0, at_grid: true, rest: self.cell };
        };
        let turns = (phase.value() - self.origin.value()) * circle.direction * circle.inverse_period;
        let whole = turns.floor();
        let cells = circle.cells as f64;
        let position = (turns - whole) * cells;
        let nearest = nearest(position);
        if (position - nearest).abs() <= ON_GRID * cells {
            let cell = nearest as usize;
            return Place { cell: if cell < circle.cells { cell } else { 0 }, at_grid: true, rest: self.cell };
        }
        let cell = position as usize;
        let end = self.origin + circle.period.scale(circle.direction * (whole + (cell + 1) as f64 / cells));
        Place { cell, at_grid: false, rest: (end - phase) / circle.rate }
    }

    /// The phase of the grid point at which a phase lies up to rounding.
    #[inline]
    pub(crate) fn snapped(&self, phase: T) -> T {
        let Some(circle) = &self.circle else {
            return phase;
        };
        let cells = circle.cells as f64;
        let turns = (phase.value() - self.origin.value()) * circle.direction * circle.inverse_period;
        let nearest = nearest(turns * cells);
        if (turns * cells - nearest).abs() > ON_GRID * cells {
            return phase;
        }
        self.origin + circle.period.scale(circle.direction * nearest / cells)
    }

    /// The generators at a state and a phase; the states among them stay as they are where none is given.
    pub(crate) fn generators(&self, state: &[T], phase: T, generators: &mut [T]) {
        let n = self.moving;
        generators.iter_mut().zip(state).take(n).for_each(|(own, &x)| *own = x);
        generators[n] = T::ONE;
        let Some(circle) = &self.circle else {
            return;
        };
        if self.harmonics.is_empty() {
            return;
        }
        let angle = phase.scale(TAU) / circle.period;
        for (wave, &k) in generators[n + 1..].chunks_exact_mut(2).zip(&self.harmonics) {
            let (sine, cosine) = angle.scale(f64::from(k)).sin_cos();
            wave.copy_from_slice(&[cosine, sine]);
        }
    }

    /// The generators at a state and a grid point.
    #[inline]
    pub(crate) fn generators_at(&self, state: &[T], cell: usize, generators: &mut [T]) {
        let n = self.moving;
        generators[..n].copy_from_slice(&state[..n]);
        generators[n] = T::ONE;
        generators[n + 1..].copy_from_slice(self.waves(cell));
    }

    /// cos k theta and sin k theta at a grid point.
    #[inline]
    pub(crate) fn waves(&self, cell: usize) -> &[T] {
        let waves = 2 * self.harmonics.len();
        &self.waves[cell * waves..(cell + 1) * waves]
    }

    /// What the forcing does to the states on a cell.
    #[inline]
    pub(crate) fn forced(&self, cell: usize) -> &[T] {
        &self.forced[cell * self.moving..(cell + 1) * self.moving]
    }

    /// The state at the end of a cell from that at its beginning, for any kind of number; [`super::QuietCells`] does the same on `f64`
    /// with all that is watched.
    pub(crate) fn propagate(&self, cell: usize, state: &[T], end: &mut [T]) {
        let n = self.moving;
        let rows = self.changes.chunks_exact(self.size()).zip(self.forced(cell));
        for (value, (row, &forced)) in end.iter_mut().zip(rows) {
            *value = T::dot(&row[..n], &state[..n]) + forced;
        }
        for (value, &before) in end.iter_mut().zip(state) {
            *value += before;
        }
    }

    /// Fills a jet of the mode's tape with the series of all states and outputs at a point.
    pub(crate) fn expand(&self, generators: &[T], phase: T, order: usize, tape: &Tape, jet: &mut Jet<T>) {
        jet.set_order(order);
        let groups = order / 4 + 1;
        for &(i, shortcut) in &self.sequence {
            let Some(Shortcut::Integral(rate, own)) = shortcut else {
                self.states[i].expand(generators, phase, order, jet.state_row(i));
                continue;
            };
            let (rates, row) = jet.state_rows(rate, i);
            row[0] = generators[own];
            for ((value, &rate), &inverse) in row[1..4 * groups].iter_mut().zip(rates).zip(&INVERSES) {
                *value = rate.scale(inverse);
            }
        }
        if let Some(circle) = &self.circle {
            let row = jet.state_row(self.moving);
            row[..=order].fill(T::ZERO);
            row[0] = phase;
            row[1] = circle.rate;
        }
        for &(o, shortcut) in &self.distinct {
            let Some(Shortcut::Multiple(state, factor, constant)) = shortcut else {
                self.outputs[o].expand(generators, phase, order, jet.output_row(tape, o));
                continue;
            };
            let (values, row) = jet.state_and_output_row(tape, (state, o));
            for (value, &x) in row[..4 * groups].iter_mut().zip(values) {
                *value = factor * x;
            }
            row[0] += constant;
        }
    }
}
