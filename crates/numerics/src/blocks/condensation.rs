//! Eliminates a matrix of blocks by Householder reflections, one block of rows after the other.
//!
//! A front holds the rows that earlier blocks have left over, above those of the next block. The columns that occur in no later block
//! are eliminated from it by reflections, and the rows below them are carried on (S. J. Wright, Stable parallel algorithms for
//! two-point boundary value problems, SIAM J. Sci. Stat. Comput. 13, 1992; I. S. Duff and J. K. Reid, The multifrontal solution of
//! unsymmetric sets of linear equations, SIAM J. Sci. Stat. Comput. 5, 1984). Reflections do not grow, where the pivots of Gauss may grow exponentially with the number of
//! blocks on just these matrices (S. J. Wright, SIAM J. Sci. Comput. 14, 1993). What remains of a cycle of blocks are the unknowns at
//! its two ends and those that all blocks share; with the full rows it is solved densely. Full rows are eliminated by the pivots of the
//! others, and a column that has no good pivot without them is left to that remainder.

use super::{BlockMatrix, pattern::Block};
use crate::dense::{Elimination, Failure, Matrix};
use crate::elementary;

/// A column of which the columns before it leave less than this part, of all that blocks have of it, is eliminated at the end, where full rows have pivots
/// too: the rounding of full rows grows by no more than a thousand at a pivot. What is left of a column alone does not tell whether it is rounding.
const LEAST_PART: f64 = 1e-3;

/// The rows of one step: pivots on and above the diagonal of its first columns, the reflections below it, and the rows that are carried on.
#[derive(Clone, Debug, Default)]
struct Front {
    rows: usize,
    /// How many of the rows are those of the front before.
    carried: usize,
    /// The columns, those that are eliminated first.
    columns: Vec<usize>,
    pivots: usize,
    /// Column by column.
    entries: Vec<f64>,
    /// 2 / v'v of every reflection, for v beginning with 1; 0 for the identity.
    factors: Vec<f64>,
    /// What every full row has of every pivot row, pivot by pivot.
    shares: Vec<f64>,
}

/// The factors of a square [`BlockMatrix`].
///
/// One that is used again for matrices of the same pattern allocates next to nothing.
#[derive(Clone, Debug, Default)]
pub struct Condensation {
    /// The matrix, by which solutions are improved.
    matrix: BlockMatrix,
    size: usize,
    fronts: Vec<Front>,
    /// The first row of the remainder, and its columns.
    rest: Vec<usize>,
    full: usize,
    remainder: Elimination,
    /// The sign of the order in which columns are eliminated, and of the reflections.
    sign: f64,
    memory: Memory,
}

/// What a factorisation needs while it lasts.
#[derive(Clone, Debug, Default)]
struct Memory {
    /// The last block with each column.
    last: Vec<usize>,
    /// The place of each column in a front.
    places: Vec<usize>,
    /// The sum of the squares of what the blocks so far have of each column.
    squares: Vec<f64>,
    full: Matrix,
    remainder: Matrix,
}

/// No place.
const NOWHERE: usize = usize::MAX;

impl Front {
    fn column(&self, place: usize) -> &[f64] {
        &self.entries[place * self.rows..(place + 1) * self.rows]
    }

    /// Exchanges two columns.
    fn swap(&mut self, a: usize, b: usize) {
        self.columns.swap(a, b);
        let (a, b) = (a.min(b), a.max(b));
        if a < b {
            let (left, right) = self.entries.split_at_mut(b * self.rows);
            left[a * self.rows..(a + 1) * self.rows].swap_with_slice(&mut right[..self.rows]);
        }
    }

    /// Collects the rows that a front leaves over and those of a block, with the columns that end in this block first.
    fn assemble(
        &mut self,
        before: Option<&Front>,
        block: (&Block, &Matrix),
        ends: impl Fn(usize) -> bool,
        places: &mut [usize],
    ) {
        let (block, own) = block;
        let left = before.map_or(&[][..], |before| &before.columns[before.pivots..]);
        self.carried = before.map_or(0, |before| before.rows - before.pivots);
        self.rows = self.carried + block.rows;
        self.columns.clear();
        self.columns.extend(left);
        left.iter().for_each(|&column| places[column] = 0);
        self.columns.extend(block.columns.iter().copied().filter(|&column| places[column] == NOWHERE));
        self.columns.sort_unstable_by_key(|&column| (!ends(column), column));
        self.pivots = self.columns.iter().take_while(|&&column| ends(column)).count();
        self.columns.iter().enumerate().for_each(|(place, &column)| places[column] = place);
        self.entries.clear();
        self.entries.resize(self.rows * self.columns.len(), 0.0);
        if let Some(before) = before {
            for (k, &column) in left.iter().enumerate() {
                let at = places[column] * self.rows;
                let rows = &before.column(before.pivots + k)[before.pivots..];
                self.entries[at..at + self.carried].copy_from_slice(rows);
            }
        }
        for (k, &column) in block.columns.iter().enumerate() {
            let at = places[column] * self.rows + self.carried;
            self.entries[at..at + block.rows].copy_from_slice(own.column(k));
        }
        self.columns.iter().for_each(|&column| places[column] = NOWHERE);
    }

    /// Eliminates the first columns, where there are good pivots, from the front and from the full rows.
    fn eliminate(&mut self, full: &mut Matrix, squares: &[f64]) {
        self.factors.clear();
        self.shares.clear();
        let (rows, mut ready) = (self.rows, self.pivots);
        let mut k = 0;
        while k < ready {
            let column = &mut self.entries[k * rows..(k + 1) * rows];
            let below = square(&column[k.min(rows)..]);
            if below <= LEAST_PART * LEAST_PART * squares[self.columns[k]] || !below.is_normal() {
                ready -= 1;
                self.swap(k, ready);
                continue;
            }
            let (first, length) = (column[k], below.sqrt());
            let pivot = -length.copysign(first);
            // x0 - pivot does not cancel, for their signs differ.
            let factor = (pivot - first) / pivot;
            column[k + 1..].iter_mut().for_each(|v| *v /= first - pivot);
            column[k] = pivot;
            let (left, right) = self.entries.split_at_mut((k + 1) * rows);
            let v = &left[k * rows + k + 1..];
            for other in right.chunks_exact_mut(rows) {
                let (top, below) = other[k..].split_first_mut().expect("there is a row for every pivot");
                let share = factor * (*top + v.iter().zip(below.iter()).map(|(v, x)| v * x).sum::<f64>());
                *top -= share;
                below.iter_mut().zip(v).for_each(|(x, v)| *x -= share * v);
            }
            self.factors.push(factor);
            for i in 0..full.rows() {
                let share = full[(i, self.columns[k])] / pivot;
                self.shares.push(share);
                if share != 0.0 {
                    for (place, &column) in self.columns.iter().enumerate().skip(k + 1) {
                        full[(i, column)] -= share * self.entries[place * rows + k];
                    }
                }
            }
            k += 1;
        }
        self.pivots = ready;
    }

    /// Applies the reflections to a vector with an entry per row; those of the transpose are the same in the opposite order.
    fn reflect(&self, x: &mut [f64], transposed: bool) {
        let apply = |k: usize, x: &mut [f64]| {
            let v = &self.column(k)[k + 1..];
            let (top, below) = x[k..].split_first_mut().expect("there is a row for every pivot");
            let share = self.factors[k] * (*top + v.iter().zip(below.iter()).map(|(v, x)| v * x).sum::<f64>());
            *top -= share;
            below.iter_mut().zip(v).for_each(|(x, v)| *x -= share * v);
        };
        match transposed {
            false => (0..self.pivots).for_each(|k| apply(k, x)),
            true => (0..self.pivots).rev().for_each(|k| apply(k, x)),
        }
    }
}

impl Condensation {
    /// Factors a matrix. Fails if it is not square or not finite; a singular matrix is reported by the solutions.
    pub fn factor(&mut self, matrix: &BlockMatrix) -> Result<(), Failure> {
        let n = matrix.checked()?;
        self.matrix.clone_from(matrix);
        let pattern = matrix.pattern();
        let Memory { last, places, squares, full, remainder } = &mut self.memory;
        (self.size, self.full) = (n, pattern.full());
        full.clone_from(matrix.full());
        last.clear();
        last.resize(n, NOWHERE);
        places.clear();
        places.resize(n, NOWHERE);
        squares.clear();
        squares.resize(n, 0.0);
        for (k, block) in pattern.blocks().iter().enumerate() {
            block.columns.iter().for_each(|&column| last[column] = k);
        }
        // The last block belongs to the remainder.
        let steps = pattern.blocks().len().saturating_sub(1);
        self.fronts.resize_with(steps, Front::default);
        for k in 0..steps {
            let (done, open) = self.fronts.split_at_mut(k);
            let block = (&pattern.blocks()[k], matrix.block(k));
            open[0].assemble(done.last(), block, |column| last[column] == k, places);
            let (block, own) = block;
            block.columns.iter().enumerate().for_each(|(place, &column)| squares[column] += square(own.column(place)));
            open[0].eliminate(full, squares);
        }
        // Rows: those left over, those of the last block, the full ones; all columns that are not eliminated.
        let before = self.fronts.last();
        self.rest.clear();
        places.fill(0);
        self.fronts.iter().for_each(|front| front.columns[..front.pivots].iter().for_each(|&c| places[c] = NOWHERE));
        self.rest.extend((0..n).filter(|&column| places[column] != NOWHERE));
        self.rest.iter().enumerate().for_each(|(place, &column)| places[column] = place);
        let size = self.rest.len();
        if remainder.rows() == size {
            remainder.entries_mut().fill(0.0);
        } else {
            *remainder = Matrix::zeros(size, size);
        }
        let carried = before.map_or(0, |before| before.rows - before.pivots);
        if let Some(before) = before {
            for (k, &column) in before.columns.iter().enumerate().skip(before.pivots) {
                remainder.column_mut(places[column])[..carried].copy_from_slice(&before.column(k)[before.pivots..]);
            }
        }
        if let Some(block) = pattern.blocks().last() {
            for (k, &column) in block.columns.iter().enumerate() {
                let to = &mut remainder.column_mut(places[column])[carried..carried + block.rows];
                to.copy_from_slice(matrix.block(steps).column(k));
            }
        }
        for (k, &column) in self.rest.iter().enumerate() {
            remainder.column_mut(k)[size - self.full..].copy_from_slice(full.column(column));
        }
        self.sign = sign(self.fronts.iter().flat_map(|front| &front.columns[..front.pivots]).chain(&self.rest), last);
        let reflections = self.fronts.iter().flat_map(|front| &front.factors).count();
        if reflections % 2 == 1 {
            self.sign = -self.sign;
        }
        self.remainder.factor(remainder)
    }

    /// Replaces b by the solution x of A x = b, improved once by what it leaves of b: pivots of several blocks together may be small where each alone is not.
    /// Fails for a singular matrix, a vector that does not fit or is not finite, and a solution beyond the range of `f64`.
    pub fn solve_in_place(&self, b: &mut [f64]) -> Result<(), Failure> {
        self.improved(b, |x| self.solve_once(x), |x| self.matrix.times(x))
    }

    /// Replaces b by the solution x of A' x = b. Fails like [`Self::solve_in_place`].
    pub fn solve_transposed_in_place(&self, b: &mut [f64]) -> Result<(), Failure> {
        self.improved(b, |x| self.solve_transposed_once(x), |x| self.matrix.transposed_times(x))
    }

    /// A solution and one step of iterative refinement.
    fn improved(
        &self,
        b: &mut [f64],
        solve: impl Fn(&mut [f64]) -> Result<(), Failure>,
        times: impl Fn(&[f64]) -> Vec<f64>,
    ) -> Result<(), Failure> {
        self.fits(b)?;
        let right = b.to_vec();
        solve(b)?;
        let mut off = times(b);
        off.iter_mut().zip(&right).for_each(|(off, right)| *off = right - *off);
        if finite(&off).is_ok() && solve(&mut off).is_ok() {
            b.iter_mut().zip(&off).for_each(|(x, d)| *x += d);
        }
        finite(b)
    }

    fn solve_once(&self, b: &mut [f64]) -> Result<(), Failure> {
        let mut own = 0;
        let (mut rows, mut carried): (Vec<f64>, Vec<f64>) = (Vec::new(), Vec::new());
        let mut pivots = Vec::with_capacity(self.size);
        let full = self.size - self.full;
        for front in &self.fronts {
            let count = front.rows - front.carried;
            rows.clear();
            rows.append(&mut carried);
            rows.extend_from_slice(&b[own..own + count]);
            own += count;
            front.reflect(&mut rows, false);
            for (pivot, shares) in rows[..front.pivots].iter().zip(front.shares.chunks(self.full.max(1))) {
                b[full..].iter_mut().zip(shares).for_each(|(x, share)| *x -= share * pivot);
            }
            pivots.extend_from_slice(&rows[..front.pivots]);
            carried.extend_from_slice(&rows[front.pivots..]);
        }
        carried.extend_from_slice(&b[own..]);
        self.remainder.solve_in_place(&mut carried)?;
        self.rest.iter().zip(&carried).for_each(|(&column, x)| b[column] = *x);
        for front in self.fronts.iter().rev() {
            let right = pivots.len() - front.pivots;
            let y = &mut pivots[right..];
            let mut subtract = |place: usize, x: f64| {
                let count = place.min(front.pivots);
                y[..count].iter_mut().zip(front.column(place)).for_each(|(y, u)| *y -= u * x);
            };
            for (place, &column) in front.columns.iter().enumerate().skip(front.pivots) {
                subtract(place, b[column]);
            }
            for k in (0..front.pivots).rev() {
                let x = y[k] / front.column(k)[k];
                b[front.columns[k]] = x;
                y[..k].iter_mut().zip(front.column(k)).for_each(|(y, u)| *y -= u * x);
            }
            pivots.truncate(right);
        }
        finite(b)
    }

    fn solve_transposed_once(&self, b: &mut [f64]) -> Result<(), Failure> {
        let mut pivots: Vec<f64> = Vec::with_capacity(self.size);
        for front in &self.fronts {
            let at = pivots.len();
            for (place, &column) in front.columns.iter().enumerate() {
                let known = place.min(front.pivots);
                let dot: f64 =
                    front.column(place)[..known].iter().zip(&pivots[at..at + known]).map(|(u, y)| u * y).sum();
                match place < front.pivots {
                    true => pivots.push((b[column] - dot) / front.column(place)[place]),
                    false => b[column] -= dot,
                }
            }
        }
        let mut rest: Vec<f64> = self.rest.iter().map(|&column| b[column]).collect();
        self.remainder.solve_transposed_in_place(&mut rest)?;
        let full = rest.split_off(rest.len() - self.full);
        let mut own = self.size - self.full;
        b[own..].copy_from_slice(&full);
        let left = self.fronts.last().map_or(0, |front| front.rows - front.pivots);
        b[own + left - rest.len()..own].copy_from_slice(&rest[left..]);
        own -= rest.len() - left;
        rest.truncate(left);
        let mut rows: Vec<f64> = Vec::new();
        for front in self.fronts.iter().rev() {
            let right = pivots.len() - front.pivots;
            let shares = front.shares.chunks(self.full.max(1)).chain(std::iter::repeat(&[][..]));
            let with_full = |(y, shares): (&f64, &[f64])| y - shares.iter().zip(&full).map(|(s, w)| s * w).sum::<f64>();
            rows.clear();
            rows.extend(pivots[right..].iter().zip(shares).map(with_full));
            pivots.truncate(right);
            rows.append(&mut rest);
            front.reflect(&mut rows, true);
            let count = front.rows - front.carried;
            b[own - count..own].copy_from_slice(&rows[front.carried..]);
            own -= count;
            rest.extend_from_slice(&rows[..front.carried]);
        }
        finite(b)
    }

    fn fits(&self, b: &[f64]) -> Result<(), Failure> {
        match b.len() {
            found if found != self.size => Err(Failure::Mismatch { expected: self.size, found }),
            _ if !b.iter().all(|b| b.is_finite()) => Err(Failure::NotFinite),
            _ => Ok(()),
        }
    }

    /// The sign of the determinant and ln |det|; (0, -∞) for a singular matrix.
    pub fn log_determinant(&self) -> (f64, f64) {
        let (sign, logarithm) = self.remainder.log_determinant();
        let pivots = self.fronts.iter().flat_map(|front| (0..front.pivots).map(|k| front.column(k)[k]));
        pivots.fold((sign * self.sign, logarithm), |(sign, sum), pivot| {
            (sign * pivot.signum(), sum + elementary::ln(pivot.abs()))
        })
    }
}

/// The sum of squares.
fn square(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum()
}

/// The sign of a permutation; `seen` is memory.
fn sign<'a>(order: impl Iterator<Item = &'a usize>, seen: &mut Vec<usize>) -> f64 {
    seen.clear();
    seen.extend(order);
    let mut sign = 1.0;
    for k in 0..seen.len() {
        // Every exchange puts one number to its place.
        while seen[k] != k {
            let to = seen[k];
            seen.swap(k, to);
            sign = -sign;
        }
    }
    sign
}

fn finite(x: &[f64]) -> Result<(), Failure> {
    if x.iter().all(|x| x.is_finite()) { Ok(()) } else { Err(Failure::Singular) }
}
