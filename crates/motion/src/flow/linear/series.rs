//! The Taylor coefficients of a quantity at any point of a linear field: constant rows times the generators there.

use saltation_expr::jet::LENGTH;
use saltation_numerics::number::Number;

/// The highest order for which rows are kept: what a cell needs, and four more where a gap was just left.
pub(crate) const HIGHEST: usize = 19;

/// z' = Z z for the generators z = (x, 1, cos k theta, sin k theta).
#[derive(Debug, Clone)]
pub(crate) struct Generators<T> {
    /// The number of states x.
    pub moving: usize,
    /// The matrix A, row by row.
    pub matrix: Vec<T>,
    /// What drives each state: b, then C_k and S_k.
    pub forced: Vec<Vec<T>>,
    /// The angular frequencies of the harmonics, with the sign of the phase's rate.
    pub frequencies: Vec<T>,
}

impl<T: Number> Generators<T> {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.moving + 1 + 2 * self.frequencies.len()
    }

    /// The row r Z of the derivative of the quantity r z.
    fn derivative(&self, row: &[T], slope: &mut [T]) {
        let n = self.moving;
        slope.fill(T::ZERO);
        let (states, waves) = slope.split_at_mut(n);
        for ((&weight, matrix), forced) in row.iter().zip(self.matrix.chunks_exact(n)).zip(&self.forced) {
            for (entry, &rate) in states.iter_mut().zip(matrix) {
                *entry += weight * rate;
            }
            for (entry, &rate) in waves.iter_mut().zip(forced) {
                *entry += weight * rate;
            }
        }
        for (h, &frequency) in self.frequencies.iter().enumerate() {
            let (cosine, sine) = (n + 1 + 2 * h, n + 2 + 2 * h);
            slope[cosine] += row[sine] * frequency;
            slope[sine] -= row[cosine] * frequency;
        }
    }

    /// All rows r Z^k/k! of a quantity; `slope` is its coefficient of the phase and `pace` that times the phase's rate.
    pub(super) fn series(&self, row: Vec<T>, (slope, pace): (T, T)) -> Series<T> {
        let mut columns = vec![[T::ZERO; LENGTH]; row.len()];
        let (mut row, mut lower) = (row.clone(), row);
        for k in 0..=HIGHEST {
            if k > 0 {
                std::mem::swap(&mut row, &mut lower);
                self.derivative(&lower, &mut row);
                row.iter_mut().for_each(|entry| *entry = entry.scale(1.0 / k as f64));
            }
            for (column, &entry) in columns.iter_mut().zip(&row) {
                column[k] = entry;
            }
        }
        let present = |column: &[T; LENGTH]| column.iter().any(|entry| entry.magnitude() != 0.0);
        let columns = columns.into_iter().enumerate().filter(|(_, column)| present(column)).collect();
        Series { columns, slope, pace }
    }
}

/// How a row of coefficients is had for little from that of a state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Shortcut<T> {
    /// The quantity is this state times a number, and a constant.
    Multiple(usize, T, T),
    /// The rate of the quantity, which is itself the state of the second number, is the state of the first.
    Integral(usize, usize),
}

/// The Taylor coefficients of one quantity as a linear function of the generators.
#[derive(Debug, Clone)]
pub(crate) struct Series<T> {
    /// For each generator that matters, the coefficients of all orders that it contributes.
    columns: Vec<(usize, [T; LENGTH])>,
    slope: T,
    pace: T,
}

impl Shortcut<f64> {
    /// The same with numbers that depend on nothing.
    pub(crate) fn lift<T: Number>(self) -> Shortcut<T> {
        match self {
            Shortcut::Multiple(state, factor, constant) => {
                Shortcut::Multiple(state, T::from_f64(factor), T::from_f64(constant))
            }
            Shortcut::Integral(rate, own) => Shortcut::Integral(rate, own),
        }
    }
}

impl Series<f64> {
    /// The same with numbers that depend on nothing.
    pub(crate) fn lift<T: Number>(&self) -> Series<T> {
        let column = |(generator, column): &(usize, [f64; LENGTH])| (*generator, column.map(T::from_f64));
        Series {
            columns: self.columns.iter().map(column).collect(),
            slope: T::from_f64(self.slope),
            pace: T::from_f64(self.pace),
        }
    }
}

impl<T: Number> Series<T> {
    /// The coefficients up to an order at a point; what stands above it in `row` may change too.
    #[inline]
    pub(crate) fn expand(&self, generators: &[T], phase: T, order: usize, row: &mut [T; LENGTH]) {
        // Groups of four are computed side by side: of plain numbers all of them, where registers hold a whole row.
        match order / 4 {
            last if !T::UNROLLED => (0..=last).for_each(|group| self.sum::<4>(generators, 4 * group, row)),
            0..=1 => self.sum::<8>(generators, 0, row),
            2 => self.sum::<12>(generators, 0, row),
            3 => self.sum::<16>(generators, 0, row),
            4 => self.sum::<20>(generators, 0, row),
            _ => self.sum::<LENGTH>(generators, 0, row),
        }
        row[0] += self.slope * phase;
        row[1] += self.pace;
    }

    /// So many coefficients at a point from an order on, but for what the phase itself adds.
    #[inline(always)]
    fn sum<const COUNT: usize>(&self, generators: &[T], first: usize, row: &mut [T; LENGTH]) {
        let mut sum = [T::ZERO; COUNT];
        for (generator, column) in &self.columns {
            let weight = generators[*generator];
            for (value, &entry) in sum.iter_mut().zip(&column[first..]) {
                *value += weight * entry;
            }
        }
        row[first..first + COUNT].copy_from_slice(&sum);
    }

    /// The shortcut to the coefficients of this quantity, which is the state `own` if it is one, if there is any.
    pub(crate) fn shortcut(&self, own: Option<usize>, moving: usize) -> Option<Shortcut<T>> {
        let only = |order: usize| {
            let mut present = self.columns.iter().filter(|(_, column)| column[order].magnitude() != 0.0);
            let first = present.next()?;
            (first.0 < moving && self.slope.magnitude() == 0.0).then_some((first.0, first.1[order], present.next()))
        };
        if let Some(own) = own {
            let (state, factor, more) = only(1)?;
            let whole = more.is_none() && state != own && (factor - T::ONE).magnitude() == 0.0;
            return whole.then_some(Shortcut::Integral(state, own));
        }
        match only(0)? {
            (state, factor, None) => Some(Shortcut::Multiple(state, factor, T::ZERO)),
            (state, factor, Some((generator, column))) if *generator == moving => {
                let others = self.columns.iter().any(|(g, c)| *g > moving && c[0].magnitude() != 0.0);
                (!others).then_some(Shortcut::Multiple(state, factor, column[0]))
            }
            _ => None,
        }
    }

    /// One coefficient at a point, of an order above zero.
    #[inline]
    pub(crate) fn coefficient(&self, generators: &[T], order: usize) -> T {
        let from = if order == 1 { self.pace } else { T::ZERO };
        self.columns.iter().fold(from, |sum, (generator, column)| sum + generators[*generator] * column[order])
    }

    /// The coefficient of the phase itself.
    pub(crate) fn slope(&self) -> T {
        self.slope
    }

    /// The row r of the quantity's derivative of an order (below [`HIGHEST`]) as a function of the generators a time later: sum_k
    /// k!/(k - order)! time^(k - order) (r Z^k/k!).
    pub(crate) fn later(&self, order: usize, time: T, generators: usize) -> Vec<T> {
        let mut row = vec![T::ZERO; generators];
        let weights = descending(order);
        for (generator, column) in &self.columns {
            row[*generator] = (order..=HIGHEST).rev().fold(T::ZERO, |sum, k| sum * time + column[k].scale(weights[k]));
        }
        row
    }

    /// The row of the quantity's change in some time.
    pub(crate) fn change(&self, time: T, generators: usize) -> Vec<T> {
        let mut row = vec![T::ZERO; generators];
        for (generator, column) in &self.columns {
            row[*generator] = (1..=HIGHEST).rev().fold(T::ZERO, |sum, k| (sum + column[k]) * time);
        }
        row
    }

    /// For each generator, a bound on what it contributes per unit to the derivative of an order, at all times up to `time`.
    pub(crate) fn bound(&self, order: usize, time: f64, generators: usize) -> Vec<f64> {
        let mut row = vec![0.0; generators];
        let weights = descending(order);
        for (generator, column) in &self.columns {
            let bounds = (order..=HIGHEST).rev().map(|k| weights[k] * column[k].value().abs());
            row[*generator] = bounds.fold(0.0, |sum, bound| sum * time + bound);
        }
        row
    }
}

/// k!/(k - order)! for every k from `order` on, which are whole numbers that `f64` holds.
fn descending(order: usize) -> [f64; HIGHEST + 1] {
    std::array::from_fn(|k| (0..order.min(k)).map(|j| (k - j) as f64).product())
}
