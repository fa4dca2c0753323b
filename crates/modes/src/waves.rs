//! All minima of a sum of sinusoids below a level, by bounds on its derivatives instead of samples.
//!
//! The gap in flight is f(s) = f₀ + Σ (a_p cos ω_p s + b_p sin ω_p s). On a cell of half-width h about x
//!
//! ```text
//! f(x + s) >= f + f' s + f'' s²/2 - A₃ h³/6    and    f(x + s) >= f - |f'| h - A₂ h²/2,    A_m = Σ √(a_p² + b_p²)
//! ω_p^m.
//! ```
//!
//! Where a bound is above the level of interest no minimum is needed; where f' keeps its sign there is no minimum;
//! where f'' does, there is at most one, which Newton's method finds. Other cells are halved.

mod grid;

use crate::sine;
use grid::{GROUP, Grid, LANES, low_modes, padded};
use saltation_numerics::elementary;

/// Cells are not halved further than to this part of the whole: f' and f'' vanish together there, to rounding.
const NARROWEST_CELL: f64 = 1e-9;

/// The length of a cell of the first grid, in radians of the mean frequency (Σ r ω³/Σ r)^(1/3).
const FIRST_CELL: f64 = 0.8;

/// The largest number of cells of the first grid.
const MOST_CELLS: f64 = 20_000.0;

/// Rounding of values that were turned from cell to cell, relative to the size of the terms.
const ROTATION_ROUNDING: f64 = 1e-12;

/// f(s) = f₀ + Σ (a_p cos ω_p s + b_p sin ω_p s) for 0 <= s <= length, with the memory to look for its minima.
#[derive(Clone, Debug)]
pub(crate) struct Waves<'m> {
    frequencies: &'m [f64],
    /// The frequencies and the coefficients, filled up with zeros.
    rates: Vec<f64>,
    cosines: Vec<f64>,
    sines: Vec<f64>,
    constant: f64,
    length: f64,
    /// Whether f(-s) = f(s) and the range is one half of a flight: then s = 0 is inside.
    even: bool,
    scale: f64,
    first: f64,
    whole: Derivatives,
    /// Of the low modes alone.
    low: Derivatives,
    /// The sizes of the terms of all other modes.
    tail: f64,
    grid: Grid,
    /// Undecided cells of a grid.
    open: Vec<usize>,
}

/// Bounds A₂ and A₃ of the second and the third derivative.
#[derive(Clone, Copy, Debug, Default)]
struct Derivatives {
    second: f64,
    third: f64,
}

impl Derivatives {
    /// A lower bound of f on the cell of half-width h about a place.
    #[inline(always)]
    fn bound(&self, local: &Local, h: f64) -> f64 {
        let &Local { value, slope, bend } = local;
        let cubic = self.third * h * h * h / 6.0;
        let quadratic =
            if bend * h > slope.abs() { -slope * slope / (2.0 * bend) } else { (0.5 * bend * h - slope.abs()) * h };
        (value + quadratic - cubic).max(value - slope.abs() * h - 0.5 * self.second * h * h)
    }
}

/// A local minimum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Minimum {
    pub at: f64,
    pub value: f64,
}

/// f with two derivatives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Local {
    pub value: f64,
    pub slope: f64,
    pub bend: f64,
}

impl<'m> Waves<'m> {
    /// Memory for sums with these frequencies.
    pub(crate) fn with_frequencies(frequencies: &'m [f64]) -> Self {
        let rates = padded(frequencies);
        let zeros = vec![0.0; rates.len()];
        Waves {
            frequencies,
            rates,
            cosines: zeros.clone(),
            sines: zeros,
            constant: 0.0,
            length: 0.0,
            even: false,
            scale: 0.0,
            first: 0.0,
            whole: Derivatives::default(),
            low: Derivatives::default(),
            tail: 0.0,
            grid: Grid::new(frequencies),
            open: Vec::new(),
        }
    }

    /// Becomes the sum with these coefficients, cosine and sine by the number of the frequency.
    pub(crate) fn set(&mut self, constant: f64, length: f64, mut coefficients: impl FnMut(usize) -> (f64, f64)) {
        (self.constant, self.length, self.even) = (constant, length, false);
        (self.scale, self.first, self.whole) = (constant.abs(), 0.0, Derivatives::default());
        let low = low_modes(self.frequencies.len());
        for (p, w) in self.frequencies.iter().enumerate() {
            if p == low {
                (self.low, self.tail) = (self.whole, self.scale);
            }
            let (cosine, sine) = coefficients(p);
            (self.cosines[p], self.sines[p]) = (cosine, sine);
            let size = if sine == 0.0 { cosine.abs() } else { (cosine * cosine + sine * sine).sqrt() };
            self.scale += size;
            self.first += size * w;
            self.whole.second += size * w * w;
            self.whole.third += size * w * w * w;
        }
        self.tail = self.scale - self.tail;
    }

    /// Becomes an even sum from its middle.
    pub(crate) fn set_even(&mut self, constant: f64, length: f64, mut cosine: impl FnMut(usize) -> f64) {
        self.set(constant, length, |p| (cosine(p), 0.0));
        self.even = true;
    }

    /// The error of values of f: ω s is rounded before its sine is taken.
    pub(crate) fn rounding(&self) -> f64 {
        4.0 * f64::EPSILON * (self.scale + self.first * self.length)
    }

    /// The sizes of the terms, added up.
    pub(crate) fn size(&self) -> f64 {
        self.scale
    }

    /// f, f', f'' at s.
    pub(crate) fn at(&self, s: f64) -> Local {
        pulp::Arch::new().dispatch(At { waves: self, s })
    }

    /// Passes all local minima inside the range whose value is not above the level to `tell`, from its beginning to its end,
    /// except that those of one cell of the grid come in no order. The value that `tell` returns is the level from then on; -∞
    /// ends the search.
    pub(crate) fn minima_below(&mut self, mut level: f64, mut tell: impl FnMut(Minimum) -> f64) {
        let (count, h) = self.cells();
        let slack = ROTATION_ROUNDING * self.scale;
        let mut grid = std::mem::take(&mut self.grid);
        grid.begin(self, h);
        let mut cell = 0;
        while cell < count && level > f64::NEG_INFINITY {
            let (at, local) = grid.pass(self, cell..count, level + slack);
            cell = at + 1;
            if local.is_some() {
                level = self.minima_of(self.side(at, count, h), self.side(cell, count, h), level, &mut tell);
            }
        }
        self.grid = grid;
    }

    /// Whether f >= level on the whole range, or above it by less than can be decided; ends at the first value below
    /// it.
    ///
    /// The ends of the range are left out: there f is the level, or known otherwise.
    pub(crate) fn stays_above(&mut self, level: f64) -> bool {
        let (count, h) = self.cells();
        let slack = ROTATION_ROUNDING * self.scale;
        let mut grid = std::mem::take(&mut self.grid);
        grid.begin(self, h);
        // First for a value below the level, at few places and then at all; then for certainty where the grid leaves
        // it open.
        let mut open = std::mem::take(&mut self.open);
        open.clear();
        let mut stays = !grid.dips(self, count, level - slack);
        let mut cell = 0;
        while stays && cell < count {
            let (at, local) = grid.pass(self, cell..count, level + slack);
            cell = at + 1;
            if let Some(local) = local {
                stays = local.value >= level - slack;
                open.push(at);
            }
        }
        self.grid = grid;
        let certain = |&cell: &usize| {
            let (left, right) = (self.side(cell, count, h), self.side(cell + 1, count, h));
            self.ends_above(left) || self.minima_of(left, right, level, &mut |_| f64::NEG_INFINITY) > f64::NEG_INFINITY
        };
        let stays = stays && open.iter().all(certain);
        self.open = open;
        stays
    }

    /// Whether f decreases from s to the end of the range, by its derivatives there: then it is
    /// above.
    fn ends_above(&self, s: f64) -> bool {
        let t = self.length - s;
        // f(length - t) - f(length) >= (-f' + f'' t/2 - A₃ t²/6) t; where A₃ t is above what f' can make up for,
        // nothing is known.
        if self.whole.third * t * t > 12.0 * self.whole.second * self.length {
            return false;
        }
        let Local { slope, bend, .. } = self.at(self.length);
        let rise = |t: f64| -slope + 0.5 * bend * t - self.whole.third * t * t / 6.0;
        rise(0.0) >= 0.0 && rise(t) >= 0.0
    }

    /// How many cells the first grid has, and their half-width.
    fn cells(&self) -> (usize, f64) {
        let rate = elementary::cbrt(self.whole.third / self.scale.max(f64::MIN_POSITIVE));
        let count = (self.length * rate / FIRST_CELL).ceil().clamp(1.0, MOST_CELLS) as usize;
        // Low modes go in steps of several cells.
        let count = if low_modes(self.frequencies.len()) > 0 { count.next_multiple_of(GROUP) } else { count };
        (count, 0.5 * self.length / count as f64)
    }

    /// Where a cell of the grid begins. Neighbours have to share this number to the last bit: of a minimum on it one
    /// says that f still falls there, and the other that it does not.
    fn side(&self, cell: usize, count: usize, h: f64) -> f64 {
        if cell == count { self.length } else { 2.0 * h * cell as f64 }
    }

    /// The minima of one cell, and the level after them.
    fn minima_of(&self, left: f64, right: f64, mut level: f64, tell: &mut impl FnMut(Minimum) -> f64) -> f64 {
        let narrowest = NARROWEST_CELL * self.length;
        // A stack of cells [left, right]; halving keeps it as short as the logarithm of their number.
        let mut cells = [(0.0, 0.0); 64];
        cells[0] = (left, right);
        let mut count = 1;
        while count > 0 {
            count -= 1;
            let (left, right) = cells[count];
            let (x, h) = (0.5 * (left + right), 0.5 * (right - left));
            let local = self.at(x);
            if self.whole.bound(&local, h) > level {
                continue;
            }
            let Local { slope, bend, .. } = local;
            let bend_change = self.whole.third * h;
            let monotone = slope.abs() > bend.abs() * h + 0.5 * bend_change * h || slope.abs() > self.whole.second * h;
            let begins_even = self.even && left == 0.0;
            // The middle of an even sum is a minimum or a maximum whatever the slope next to it.
            if monotone && !begins_even || bend < -bend_change {
                continue;
            }
            if bend > bend_change || h < narrowest {
                if let Some(minimum) = self.descend(left, right, begins_even)
                    && minimum.value <= level
                {
                    level = tell(minimum);
                }
                continue;
            }
            cells[count] = (x, right);
            cells[count + 1] = (left, x);
            count += 2;
        }
        level
    }

    /// The minimum on a cell on which f is convex, if it is inside.
    fn descend(&self, mut left: f64, mut right: f64, begins_even: bool) -> Option<Minimum> {
        if begins_even {
            return Some(Minimum { at: 0.0, value: self.at(0.0).value });
        }
        if self.at(left).slope >= 0.0 || self.at(right).slope < 0.0 {
            return None;
        }
        let mut s = 0.5 * (left + right);
        for _ in 0..80 {
            let local = self.at(s);
            if local.slope < 0.0 {
                left = s;
            } else {
                right = s;
            }
            let newton = s - local.slope / local.bend;
            let next = if newton > left && newton < right { newton } else { 0.5 * (left + right) };
            let done = (next - s).abs() <= 4.0 * f64::EPSILON * self.length;
            s = next;
            if done {
                break;
            }
        }
        Some(Minimum { at: s, value: self.at(s).value })
    }
}

/// f, f' and f'' at a place, compiled for the vector instructions of the processor.
struct At<'w, 'm> {
    waves: &'w Waves<'m>,
    s: f64,
}

impl pulp::NullaryFnOnce for At<'_, '_> {
    type Output = Local;

    #[inline(always)]
    fn call(self) -> Local {
        let At { waves, s } = self;
        let (mut value, mut slope, mut bend) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
        let coefficients = waves.cosines.chunks_exact(LANES).zip(waves.sines.chunks_exact(LANES));
        for (rate, (a, b)) in waves.rates.chunks_exact(LANES).zip(coefficients) {
            let (mut sine, mut cosine) = ([0.0; LANES], [0.0; LANES]);
            sine::of_multiples(rate, s, &mut sine, &mut cosine);
            for l in 0..LANES {
                let along = a[l] * cosine[l] + b[l] * sine[l];
                value[l] += along;
                slope[l] += rate[l] * (b[l] * cosine[l] - a[l] * sine[l]);
                bend[l] -= rate[l] * rate[l] * along;
            }
        }
        let sum = |list: [f64; LANES]| list.iter().sum::<f64>();
        Local { value: waves.constant + sum(value), slope: sum(slope), bend: sum(bend) }
    }
}

#[cfg(test)]
mod tests;
