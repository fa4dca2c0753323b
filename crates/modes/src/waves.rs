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

/// Cells are not halved further than to this part of the whole: f' and f'' vanish together there, to rounding.
const NARROWEST_CELL: f64 = 1e-9;

/// The length of a cell of the first grid, in radians of the mean frequency (Σ r ω³/Σ r)^(1/3).
const FIRST_CELL: f64 = 0.8;

/// The largest number of cells of the first grid.
const MOST_CELLS: f64 = 20_000.0;

/// Rounding of values that were turned from cell to cell, relative to the size of the terms.
const ROTATION_ROUNDING: f64 = 1e-12;

/// The number of modes that are summed side by side.
const LANES: usize = 8;

/// f(s) = f₀ + Σ (a_p cos ω_p s + b_p sin ω_p s) for 0 <= s <= length, with the memory to look for its minima.
#[derive(Clone, Debug)]
pub(crate) struct Waves<'m> {
    frequencies: &'m [f64],
    constant: f64,
    cosines: Vec<f64>,
    sines: Vec<f64>,
    length: f64,
    /// Whether f(-s) = f(s) and the range is one half of a flight: then s = 0 is inside.
    even: bool,
    first: f64,
    second: f64,
    third: f64,
    scale: f64,
    grid: Grid,
    /// Undecided cells of a grid.
    open: Vec<usize>,
}

/// The terms a cos ω s + b sin ω s and b cos ω s - a sin ω s at one place after the other; all lists are filled up
/// with zeros.
#[derive(Clone, Debug, Default)]
struct Grid {
    along: Vec<f64>,
    across: Vec<f64>,
    turn_cosine: Vec<f64>,
    turn_sine: Vec<f64>,
    rate: Vec<f64>,
    /// The same terms, advanced in long steps.
    far: [Vec<f64>; 4],
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
        let m = frequencies.len();
        Waves {
            frequencies,
            constant: 0.0,
            cosines: vec![0.0; m],
            sines: vec![0.0; m],
            length: 0.0,
            even: false,
            first: 0.0,
            second: 0.0,
            third: 0.0,
            scale: 0.0,
            grid: Grid::new(frequencies),
            open: Vec::new(),
        }
    }

    /// Becomes the sum with these coefficients, cosine and sine by the number of the frequency.
    pub(crate) fn set(&mut self, constant: f64, length: f64, mut coefficients: impl FnMut(usize) -> (f64, f64)) {
        (self.constant, self.length, self.even) = (constant, length, false);
        (self.scale, self.first) = (constant.abs(), 0.0);
        (self.second, self.third) = (0.0, 0.0);
        for (p, w) in self.frequencies.iter().enumerate() {
            let (cosine, sine) = coefficients(p);
            (self.cosines[p], self.sines[p]) = (cosine, sine);
            let size = if sine == 0.0 { cosine.abs() } else { (cosine * cosine + sine * sine).sqrt() };
            self.scale += size;
            self.first += size * w;
            self.second += size * w * w;
            self.third += size * w * w * w;
        }
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
        let mut local = Local { value: self.constant, slope: 0.0, bend: 0.0 };
        for ((w, a), b) in self.frequencies.iter().zip(&self.cosines).zip(&self.sines) {
            let (sine, cosine) = (w * s).sin_cos();
            let along = a * cosine + b * sine;
            local.value += along;
            local.slope += w * (b * cosine - a * sine);
            local.bend -= w * w * along;
        }
        local
    }

    /// A lower bound of f on the cell of half-width h about a place.
    #[inline(always)]
    fn bound(&self, local: &Local, h: f64) -> f64 {
        let &Local { value, slope, bend } = local;
        let cubic = self.third * h * h * h / 6.0;
        let quadratic =
            if bend * h > slope.abs() { -slope * slope / (2.0 * bend) } else { (0.5 * bend * h - slope.abs()) * h };
        (value + quadratic - cubic).max(value - slope.abs() * h - 0.5 * self.second * h * h)
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
            let (at, local) = grid.pass(self, cell..count, h, level + slack);
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
            let (at, local) = grid.pass(self, cell..count, h, level + slack);
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
        if self.third * t * t > 12.0 * self.second * self.length {
            return false;
        }
        let Local { slope, bend, .. } = self.at(self.length);
        let rise = |t: f64| -slope + 0.5 * bend * t - self.third * t * t / 6.0;
        rise(0.0) >= 0.0 && rise(t) >= 0.0
    }

    /// How many cells the first grid has, and their half-width.
    fn cells(&self) -> (usize, f64) {
        let rate = (self.third / self.scale.max(f64::MIN_POSITIVE)).cbrt();
        let count = (self.length * rate / FIRST_CELL).ceil().clamp(1.0, MOST_CELLS) as usize;
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
            if self.bound(&local, h) > level {
                continue;
            }
            let Local { slope, bend, .. } = local;
            let bend_change = self.third * h;
            let monotone = slope.abs() > bend.abs() * h + 0.5 * bend_change * h || slope.abs() > self.second * h;
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

impl Grid {
    fn new(frequencies: &[f64]) -> Grid {
        let padded = frequencies.len().next_multiple_of(LANES);
        let mut rate = frequencies.to_vec();
        rate.resize(padded, 0.0);
        let zeros = vec![0.0; padded];
        Grid {
            along: zeros.clone(),
            across: zeros.clone(),
            turn_cosine: zeros.clone(),
            turn_sine: zeros.clone(),
            rate,
            far: std::array::from_fn(|_| zeros.clone()),
        }
    }

    /// Goes to -h, from where the first of many steps of 2 h leads to h.
    fn begin(&mut self, waves: &Waves<'_>, h: f64) {
        for (p, ((w, a), b)) in waves.frequencies.iter().zip(&waves.cosines).zip(&waves.sines).enumerate() {
            let (sine, cosine) = (w * h).sin_cos();
            self.along[p] = a * cosine - b * sine;
            self.across[p] = b * cosine + a * sine;
            self.turn_cosine[p] = 1.0 - 2.0 * sine * sine;
            self.turn_sine[p] = 2.0 * sine * cosine;
        }
    }

    /// Whether f is below a level at one of a few places far from each other.
    fn dips(&mut self, waves: &Waves<'_>, count: usize, level: f64) -> bool {
        pulp::Arch::new().dispatch(Dips { grid: self, waves, count, level })
    }

    /// Turns all terms through these cells, until a bound is not above the level; which cell that is, and f in its
    /// middle.
    fn pass(&mut self, waves: &Waves<'_>, cells: std::ops::Range<usize>, h: f64, level: f64) -> (usize, Option<Local>) {
        pulp::Arch::new().dispatch(Pass { grid: self, waves, cells, h, level })
    }

    /// Turns all terms by one step and sums them.
    #[inline(always)]
    fn next(&mut self, constant: f64) -> Local {
        let (mut value, mut slope, mut bend) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
        let lists = self.along.chunks_exact_mut(LANES).zip(self.across.chunks_exact_mut(LANES));
        let turns = self.turn_cosine.chunks_exact(LANES).zip(self.turn_sine.chunks_exact(LANES));
        for (((along, across), (cosine, sine)), rate) in lists.zip(turns).zip(self.rate.chunks_exact(LANES)) {
            for l in 0..LANES {
                let (x, y) = (along[l], across[l]);
                let turned = x * cosine[l] + y * sine[l];
                let other = y * cosine[l] - x * sine[l];
                (along[l], across[l]) = (turned, other);
                value[l] += turned;
                slope[l] += rate[l] * other;
                bend[l] -= rate[l] * rate[l] * turned;
            }
        }
        let sum = |list: [f64; LANES]| list.iter().sum::<f64>();
        Local { value: constant + sum(value), slope: sum(slope), bend: sum(bend) }
    }
}

/// A look at places a power of two times a cell apart.
struct Dips<'g, 'w, 'm> {
    grid: &'g mut Grid,
    waves: &'w Waves<'m>,
    count: usize,
    level: f64,
}

/// About so many places are looked at.
const PLACES: usize = 48;

impl pulp::NullaryFnOnce for Dips<'_, '_, '_> {
    type Output = bool;

    #[inline(always)]
    fn call(self) -> bool {
        let Dips { grid, waves, count, level } = self;
        let doublings = (count / PLACES).max(1).ilog2();
        let [along, across, cosine, sine] = &mut grid.far;
        along.copy_from_slice(&grid.along);
        across.copy_from_slice(&grid.across);
        cosine.copy_from_slice(&grid.turn_cosine);
        sine.copy_from_slice(&grid.turn_sine);
        for _ in 0..doublings {
            for (c, s) in cosine.iter_mut().zip(sine.iter_mut()) {
                (*c, *s) = (1.0 - 2.0 * *s * *s, 2.0 * *s * *c);
            }
        }
        for _ in 0..count >> doublings {
            let mut value = [0.0; LANES];
            let lists = along.chunks_exact_mut(LANES).zip(across.chunks_exact_mut(LANES));
            let turns = cosine.chunks_exact(LANES).zip(sine.chunks_exact(LANES));
            for ((along, across), (cosine, sine)) in lists.zip(turns) {
                for l in 0..LANES {
                    let (x, y) = (along[l], across[l]);
                    along[l] = x * cosine[l] + y * sine[l];
                    across[l] = y * cosine[l] - x * sine[l];
                    value[l] += along[l];
                }
            }
            if waves.constant + value.iter().sum::<f64>() < level {
                return true;
            }
        }
        false
    }
}

/// The loop over cells, compiled for the vector instructions of the processor; sums are taken in the same order on all of them.
struct Pass<'g, 'w, 'm> {
    grid: &'g mut Grid,
    waves: &'w Waves<'m>,
    cells: std::ops::Range<usize>,
    h: f64,
    level: f64,
}

impl pulp::NullaryFnOnce for Pass<'_, '_, '_> {
    type Output = (usize, Option<Local>);

    #[inline(always)]
    fn call(self) -> Self::Output {
        let Pass { grid, waves, cells, h, level } = self;
        let end = cells.end;
        for cell in cells {
            let local = grid.next(waves.constant);
            if waves.bound(&local, h) <= level {
                return (cell, Some(local));
            }
        }
        (end, None)
    }
}

#[cfg(test)]
mod tests;
