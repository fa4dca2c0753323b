//! The Taylor coefficients of a quantity at any point of a linear field: constant rows times the generators there.

use saltation_expr::jet::LENGTH;
use saltation_numerics::number::Number;

/// The highest order for which rows are kept: what a cell needs, and four more where a gap was just left.
pub(crate) const HIGHEST: usize = 19;

/// 1/1, 1/2, 1/3, ...
pub(super) const INVERSES: [f64; LENGTH] = {
    let mut inverses = [1.0; LENGTH];
    let mut k = 1;
    while k < LENGTH {
        inverses[k] = 1.0 / (k + 1) as f64;
        k += 1;
    }
    inverses
};

/// z' = Z z for the generators z = (x, 1, cos k theta, sin k theta).
#[derive(Debug, Clone)]
pub(crate) struct Generators<T> {
    /// The number of states x.
    pub moving: usize,
    /// The matrix A, row by row.
    pub matrix: Vec<T>,
    /// What drives each state, a row for each: b, then C_k and S_k.
    pub forced: Vec<T>,
    /// The angular frequencies of the harmonics, with the sign of the phase's rate.
    pub frequencies: Vec<T>,
}

impl<T: Number> Generators<T> {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.moving + 1 + 2 * self.frequencies.len()
    }

    /// The states: for every generator the motion that begins with it alone, whose coefficients are those of A x + b + sum_k (C_k cos + S_k sin), divided by their
    /// order.
    pub(super) fn states(&self) -> Vec<Series<T>> {
        let (n, size) = (self.moving, self.len());
        let empty = || Series { columns: Vec::with_capacity(size), slope: T::ZERO, pace: T::ZERO };
        let mut states: Vec<Series<T>> = (0..n).map(|_| empty()).collect();
        let waves = self.waves();
        let mut rows = vec![[T::ZERO; LENGTH]; n];
        for generator in 0..size {
            // The forcing of an order stands where the coefficient of the next one is to be.
            for (row, forced) in rows.iter_mut().zip(self.forced.chunks_exact(size - n)) {
                row[0] = T::ZERO;
                drive_by(forced, &waves, generator.checked_sub(n), &mut row[1..=HIGHEST]);
            }
            if let Some(row) = rows.get_mut(generator) {
                row[0] = T::ONE;
            }
            for k in 0..HIGHEST {
                for (i, rates) in self.matrix.chunks_exact(n).enumerate() {
                    let own = rows.iter().zip(rates).fold(rows[i][k + 1], |sum, (row, &rate)| sum + rate * row[k]);
                    rows[i][k + 1] = own.scale(INVERSES[k]);
                }
            }
            for (state, row) in states.iter_mut().zip(&rows) {
                state.add_column(generator, row);
            }
        }
        states
    }

    /// A quantity that is r z, from the series of the states; `slope` is its coefficient of the phase and `pace` that times the phase's rate.
    pub(super) fn quantity(
        &self,
        (row, forced): (&[T], &[T]),
        states: &[Series<T>],
        (slope, pace): (T, T),
    ) -> Series<T> {
        let (n, size) = (self.moving, self.len());
        let mut columns: Vec<Column<T>> = (0..size).map(|generator| (generator, [T::ZERO; LENGTH])).collect();
        let waves = self.waves();
        for (generator, column) in &mut columns[n..] {
            drive_by(forced, &waves, Some(*generator - n), &mut column[..=HIGHEST]);
        }
        for (&weight, state) in row.iter().zip(states).filter(|(weight, _)| weight.magnitude() != 0.0) {
            for (generator, column) in &state.columns {
                let sums = columns[*generator].1[..=HIGHEST].iter_mut();
                sums.zip(column).for_each(|(sum, &entry)| *sum += weight * entry);
            }
        }
        columns.retain(|(_, column)| matters(column));
        Series { columns, slope, pace }
    }

    /// The series of cos and sin of every frequency times the time.
    fn waves(&self) -> Vec<[[T; HIGHEST + 1]; 2]> {
        let series = |&frequency: &T| {
            let [mut cosine, mut sine] = [[T::ZERO; HIGHEST + 1]; 2];
            cosine[0] = T::ONE;
            for k in 0..HIGHEST {
                let turn = frequency.scale(INVERSES[k]);
                cosine[k + 1] = -(turn * sine[k]);
                sine[k + 1] = turn * cosine[k];
            }
            [cosine, sine]
        };
        self.frequencies.iter().map(series).collect()
    }
}

/// Whether not all coefficients vanish.
fn matters<T: Number>(column: &[T]) -> bool {
    column.iter().any(|entry| entry.magnitude() != 0.0)
}

/// What b + sum_k (p_k cos + q_k sin) is on the motion that begins with one of the generators 1, cos and sin of each frequency alone; zero for a state.
fn drive_by<T: Number>(forced: &[T], waves: &[[[T; HIGHEST + 1]; 2]], generator: Option<usize>, drive: &mut [T]) {
    drive.fill(T::ZERO);
    match generator {
        None => {}
        Some(0) => drive[0] = forced[0],
        Some(wave) => {
            let harmonic = (wave - 1) / 2;
            let (p, q) = (forced[1 + 2 * harmonic], forced[2 + 2 * harmonic]);
            // From sin on cos is -sin, and sin is cos.
            let (p, q) = if wave % 2 == 1 { (p, q) } else { (q, -p) };
            let [cosine, sine] = &waves[harmonic];
            for ((value, &c), &s) in drive.iter_mut().zip(cosine).zip(sine) {
                *value = p * c + q * s;
            }
        }
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

/// What a generator contributes to the coefficients of all orders.
type Column<T> = (usize, [T; LENGTH]);

/// The Taylor coefficients of one quantity as a linear function of the generators.
#[derive(Debug, Clone)]
pub(crate) struct Series<T> {
    /// Those of the generators that matter.
    columns: Vec<Column<T>>,
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
    /// Takes what a generator contributes, if that is anything.
    fn add_column(&mut self, generator: usize, column: &[T; LENGTH]) {
        if matters(&column[..=HIGHEST]) {
            self.columns.push((generator, [T::ZERO; LENGTH]));
            let own = self.columns.last_mut();
            own.into_iter().for_each(|(_, own)| own[..=HIGHEST].copy_from_slice(&column[..=HIGHEST]));
        }
    }

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

    /// The coefficient of the phase itself, times its rate.
    pub(crate) fn pace(&self) -> T {
        self.pace
    }

    /// The coefficient of the phase itself.
    pub(crate) fn slope(&self) -> T {
        self.slope
    }

    /// The row r of the quantity's derivative of an order (below [`HIGHEST`]) as a function of the generators a time later: sum_k
    /// k!/(k - order)! time^(k - order) (r Z^k/k!).
    pub(crate) fn later(&self, order: usize, time: T, row: &mut [T]) {
        row.fill(T::ZERO);
        let weights = &DESCENDING[order][order..];
        for (generator, column) in &self.columns {
            let terms = column[order..=HIGHEST].iter().zip(weights).rev();
            row[*generator] = terms.fold(T::ZERO, |sum, (entry, &weight)| sum * time + entry.scale(weight));
        }
    }

    /// The same at once.
    pub(crate) fn here(&self, order: usize, row: &mut [T]) {
        row.fill(T::ZERO);
        let weight = DESCENDING[order][order];
        self.columns.iter().for_each(|(generator, column)| row[*generator] = column[order].scale(weight));
    }

    /// The row of the quantity's change in some time.
    pub(crate) fn change(&self, time: T, row: &mut [T]) {
        row.fill(T::ZERO);
        for (generator, column) in &self.columns {
            row[*generator] = column[1..=HIGHEST].iter().rev().fold(T::ZERO, |sum, &entry| (sum + entry) * time);
        }
    }

    /// For each generator, a bound on what it contributes per unit to the derivative of an order, at all times up to `time`.
    pub(crate) fn bound(&self, order: usize, time: f64, row: &mut [f64]) {
        row.fill(0.0);
        let weights = &DESCENDING[order][order..];
        for (generator, column) in &self.columns {
            let terms = column[order..=HIGHEST].iter().zip(weights).rev();
            row[*generator] = terms.fold(0.0, |sum, (entry, weight)| sum * time + weight * entry.value().abs());
        }
    }
}

/// k!/(k - order)! for orders of derivatives and every k from the order on, which are whole numbers that `f64` holds.
static DESCENDING: [[f64; HIGHEST + 1]; 6] = {
    let mut table = [[1.0; HIGHEST + 1]; 6];
    let mut order = 1;
    while order < 6 {
        let mut k = order;
        while k <= HIGHEST {
            table[order][k] = table[order - 1][k] * (k + 1 - order) as f64;
            k += 1;
        }
        order += 1;
    }
    table
};
