//! Isolates the sign changes of a polynomial on [0, 1] by Bernstein coefficients and subdivision.
//!
//! The interval is halved until the Bernstein coefficients of a piece change sign at most once. The pieces come from
//! left to right, and the sign is carried along, so a root exactly on a dividing point is a change of sign between two
//! pieces. Where several roots coincide within rounding errors, the piece joins a cluster, which is
//! judged by the signs on its two sides.

use super::sign;
use crate::elementary;

const BINOMIALS: usize = 32;

/// 1 / (n over i) for n up to 31.
pub(super) static RECIPROCAL_BINOMIALS: [[f64; BINOMIALS]; BINOMIALS] = {
    let mut table = [[0.0; BINOMIALS]; BINOMIALS];
    let mut n = 0;
    while n < BINOMIALS {
        let mut binomial = 1u64;
        let mut i = 0;
        while i <= n {
            table[n][i] = 1.0 / binomial as f64;
            binomial = binomial * (n - i) as u64 / (i as u64 + 1);
            i += 1;
        }
        n += 1;
    }
    table
};

/// The narrowest piece: the spacing of `f64` just above 1.
const NARROWEST_PIECE: f64 = f64::EPSILON;

/// bⱼ = Σ (j over i) Δᵢ over i <= j, in place: values from forward differences. For the sizes of a step's series every sum is written
/// out: they are so short that the loops cost more than the sums.
pub(super) fn accumulate_differences(row: &mut [f64]) {
    macro_rules! known_sizes {
        ($($size:literal)*) => {
            match row.len() {
                $($size => accumulate_known::<$size>(row),)*
                _ => {
                    for start in 1..row.len() {
                        for j in (start..row.len()).rev() {
                            row[j] += row[j - 1];
                        }
                    }
                }
            }
        };
    }
    known_sizes!(8 9 10 11 12 13 14 15 16 17 18);
}

/// [`accumulate_differences`] for a size that the compiler knows.
fn accumulate_known<const SIZE: usize>(row: &mut [f64]) {
    let Ok(row) = <&mut [f64; SIZE]>::try_from(row) else { return };
    let mut sums = *row;
    for start in 1..SIZE {
        for j in (start..SIZE).rev() {
            sums[j] += sums[j - 1];
        }
    }
    *row = sums;
}

/// De Casteljau's rule at one half: the coefficients on the left half go to `left`, those on the right stay in `row`.
fn halve(row: &mut [f64], left: &mut [f64]) {
    for (end, left) in (0..row.len()).rev().zip(left) {
        *left = row[0];
        for j in 0..end {
            row[j] = 0.5 * (row[j] + row[j + 1]);
        }
    }
}

/// A piece of [0, 1]; both numbers are exact.
#[derive(Clone, Copy, Debug)]
struct Piece {
    start: f64,
    width: f64,
}

/// The pieces not yet decided, the leftmost on top, with their rows of Bernstein coefficients.
#[derive(Clone, Debug, Default)]
pub(super) struct Stack {
    pieces: Vec<Piece>,
    rows: Vec<f64>,
}

/// A place where the polynomial is zero: it has the sign `before` at `start` and `after` at `end`, and is not zero
/// between them except there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bracket {
    pub start: f64,
    pub end: f64,
    /// The sign before; 0 if the interval begins with the bracket.
    pub before: i8,
    /// The sign after; 0 if the interval ends with the bracket.
    pub after: i8,
    /// An estimate of the root.
    pub guess: f64,
    /// Whether the polynomial is so small on the bracket that rounding may hide several roots.
    pub cluster: bool,
}

impl Bracket {
    /// Whether the polynomial has opposite signs on the two sides.
    pub(super) fn is_crossing(&self) -> bool {
        self.before * self.after < 0
    }
}

/// The signs of a row of coefficients, zeros left out.
struct Signs {
    first: i8,
    last: i8,
    changes: usize,
}

fn signs(row: &[f64]) -> Signs {
    let mut signs = Signs { first: 0, last: 0, changes: 0 };
    for &b in row {
        // Most coefficients have the sign of the one before.
        let repeats = if signs.last > 0 { b > 0.0 } else { signs.last < 0 && b < 0.0 };
        if repeats {
            continue;
        }
        let sign = sign(b);
        if sign != 0 {
            match signs.last {
                0 => signs.first = sign,
                _ => signs.changes += 1,
            }
            signs.last = sign;
        }
    }
    signs
}

/// Where the control polygon of a row with one change of sign crosses zero, in [0, 1].
fn polygon_crossing(row: &[f64]) -> f64 {
    let degree = row.len() - 1;
    let first = sign(row[0]);
    let crossing = row.windows(2).position(|pair| sign(pair[1]) * first < 0 || (pair[1] == 0.0 && first != 0));
    match crossing {
        Some(i) => (i as f64 + row[i] / (row[i] - row[i + 1])) / degree as f64,
        None => 0.5,
    }
}

/// The brackets of one polynomial on [0, 1] from left to right.
pub(super) struct Isolation<'w> {
    stack: &'w mut Stack,
    /// The power coefficients on [0, 1], whose sizes bound the rounding errors.
    unit: &'w [f64],
    floor: f64,
    sign: i8,
    cluster: Option<(f64, f64)>,
    queued: Option<Bracket>,
}

impl<'w> Isolation<'w> {
    /// The search over the polynomial with power coefficients `unit`, which has the sign `before` (0: not known) to the
    /// left of the interval. Pieces on which it stays below `floor` are not divided further.
    pub(super) fn new(unit: &'w [f64], before: i8, floor: f64, stack: &'w mut Stack) -> Self {
        stack.pieces.clear();
        stack.rows.clear();
        if !unit.is_empty() {
            let depth = 2 + elementary::log2(NARROWEST_PIECE).abs() as usize;
            stack.pieces.reserve(depth);
            stack.rows.reserve(depth * unit.len());
            stack.pieces.push(Piece { start: 0.0, width: 1.0 });
            stack.rows.extend_from_slice(unit);
            super::to_bernstein(&mut stack.rows);
        }
        Self { stack, unit, floor, sign: before, cluster: None, queued: None }
    }

    /// The sign after all brackets taken so far; 0 if the polynomial is nowhere above rounding since.
    pub(super) fn sign(&self) -> i8 {
        if self.cluster.is_some() { 0 } else { self.sign }
    }

    /// The bracket between the pieces so far and a piece that begins at `start` with the sign `after`.
    fn join(&mut self, start: f64, after: i8, zero_at_start: bool) -> Option<Bracket> {
        let before = self.sign;
        if let Some((start, end)) = self.cluster.take() {
            return Some(Bracket { start, end, before, after, guess: 0.5 * (start + end), cluster: true });
        }
        (before != 0 && (before != after || zero_at_start)).then_some(Bracket {
            start,
            end: start,
            before,
            after,
            guess: start,
            cluster: false,
        })
    }

    /// Whether the coefficients of a piece that ends at `end` are too small to separate roots: a rounding error is at
    /// most a small multiple of the sum of the sizes of all terms there.
    fn is_unresolvable(&self, row: &[f64], piece: Piece) -> bool {
        let size = row.iter().fold(0.0, |size: f64, b| size.max(b.abs()));
        if piece.width <= NARROWEST_PIECE || size <= self.floor {
            return true;
        }
        let end = piece.start + piece.width;
        let terms = self.unit.iter().rev().fold(0.0, |sum, c| sum * end + c.abs());
        size <= (2 * row.len() + 8) as f64 * f64::EPSILON * terms
    }
}

impl Iterator for Isolation<'_> {
    type Item = Bracket;

    fn next(&mut self) -> Option<Bracket> {
        let stride = self.unit.len();
        loop {
            if let Some(bracket) = self.queued.take() {
                return Some(bracket);
            }
            let Some(piece) = self.stack.pieces.pop() else {
                let before = self.sign;
                return self.cluster.take().map(|(start, end)| {
                    self.sign = 0;
                    Bracket { start, end, before, after: 0, guess: 0.5 * (start + end), cluster: true }
                });
            };
            let top = self.stack.rows.len() - stride;
            let row = &self.stack.rows[top..];
            let Signs { first, last, changes } = signs(row);
            if changes <= 1 {
                let (zero_at_start, crossing) = (row[0] == 0.0, (changes == 1).then(|| polygon_crossing(row)));
                self.stack.rows.truncate(top);
                if first == 0 {
                    continue;
                }
                let joint = self.join(piece.start, first, zero_at_start);
                self.sign = last;
                self.queued = crossing.map(|guess| Bracket {
                    start: piece.start,
                    end: piece.start + piece.width,
                    before: first,
                    after: last,
                    guess: piece.start + piece.width * guess,
                    cluster: false,
                });
                if joint.is_some() {
                    return joint;
                }
            } else if self.is_unresolvable(row, piece) {
                self.stack.rows.truncate(top);
                let start = self.cluster.map_or(piece.start, |(start, _)| start);
                self.cluster = Some((start, piece.start + piece.width));
            } else {
                self.stack.rows.resize(top + 2 * stride, 0.0);
                let (right, left) = self.stack.rows[top..].split_at_mut(stride);
                halve(right, left);
                let width = 0.5 * piece.width;
                self.stack.pieces.push(Piece { start: piece.start + width, width });
                self.stack.pieces.push(Piece { start: piece.start, width });
            }
        }
    }
}
