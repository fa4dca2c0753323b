//! Sums of waves at one place after the other, in equal steps: every term is turned by the angle of a step. Low modes are looked at first, in
//! longer steps: where their part of the sum exceeds the level by more than all others can take away, the others are not computed.

use super::{Local, Waves};
use crate::sine;

/// The number of modes that are summed side by side.
pub(super) const LANES: usize = 8;

/// The low modes are one in so many; structures with fewer modes than the other number have none.
const LOW_SHARE: usize = 4;
const FEW_MODES: usize = 64;

/// One step of the low modes is so many cells: where modes have a fraction of the frequency, bounds are as good on cells that are longer by as much.
pub(super) const GROUP: usize = 4;

/// About so many places are looked at for a value below the level.
const PLACES: usize = 48;

/// How many of so many modes are low.
pub(super) fn low_modes(count: usize) -> usize {
    if count < FEW_MODES { 0 } else { (count / LOW_SHARE).next_multiple_of(LANES) }
}

/// A list filled up with zeros.
pub(super) fn padded(list: &[f64]) -> Vec<f64> {
    let mut list = list.to_vec();
    list.resize(list.len().next_multiple_of(LANES), 0.0);
    list
}

/// The terms a cos ω s + b sin ω s and b cos ω s - a sin ω s at a place, and the angles of a step.
#[derive(Clone, Debug, Default)]
struct Terms {
    along: Vec<f64>,
    across: Vec<f64>,
    cosine: Vec<f64>,
    sine: Vec<f64>,
}

impl Terms {
    fn new(count: usize) -> Terms {
        let zeros = vec![0.0; count];
        Terms { along: zeros.clone(), across: zeros.clone(), cosine: zeros.clone(), sine: zeros }
    }

    /// Goes to a place.
    #[inline(always)]
    fn place(&mut self, waves: &Waves<'_>, s: f64) {
        let count = self.along.len();
        sine::of_multiples(&waves.rates[..count], s, &mut self.across, &mut self.along);
        let terms = self.along.iter_mut().zip(&mut self.across);
        for ((along, across), (a, b)) in terms.zip(waves.cosines.iter().zip(&waves.sines)) {
            let (cosine, sine) = (*along, *across);
            *along = a * cosine + b * sine;
            *across = b * cosine - a * sine;
        }
    }

    /// Takes steps of this length from now on.
    #[inline(always)]
    fn stride(&mut self, waves: &Waves<'_>, step: f64) {
        sine::of_multiples(&waves.rates[..self.along.len()], step, &mut self.sine, &mut self.cosine);
    }

    /// Turns all terms by one step and sums them.
    #[inline(always)]
    fn next(&mut self, waves: &Waves<'_>) -> Local {
        let (mut value, mut slope, mut bend) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
        let lists = self.along.chunks_exact_mut(LANES).zip(self.across.chunks_exact_mut(LANES));
        let turns = self.cosine.chunks_exact(LANES).zip(self.sine.chunks_exact(LANES));
        for (((along, across), (cosine, sine)), rate) in lists.zip(turns).zip(waves.rates.chunks_exact(LANES)) {
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
        Local { value: waves.constant + sum(value), slope: sum(slope), bend: sum(bend) }
    }

    /// The same without derivatives.
    #[inline(always)]
    fn next_value(&mut self, waves: &Waves<'_>) -> f64 {
        let mut value = [0.0; LANES];
        let lists = self.along.chunks_exact_mut(LANES).zip(self.across.chunks_exact_mut(LANES));
        let turns = self.cosine.chunks_exact(LANES).zip(self.sine.chunks_exact(LANES));
        for ((along, across), (cosine, sine)) in lists.zip(turns) {
            for l in 0..LANES {
                let (x, y) = (along[l], across[l]);
                along[l] = x * cosine[l] + y * sine[l];
                across[l] = y * cosine[l] - x * sine[l];
                value[l] += along[l];
            }
        }
        waves.constant + value.iter().sum::<f64>()
    }
}

/// The grid of cells of half-width h, passed from its beginning to its end.
#[derive(Clone, Debug, Default)]
pub(super) struct Grid {
    h: f64,
    all: Terms,
    /// The cell to whose middle the next step of all modes leads.
    next: usize,
    low: Terms,
    /// The terms of places that are far from each other.
    far: Terms,
}

impl Grid {
    pub(super) fn new(frequencies: &[f64]) -> Grid {
        let count = frequencies.len();
        let all = Terms::new(count.next_multiple_of(LANES));
        Grid { h: 0.0, far: all.clone(), all, next: 0, low: Terms::new(low_modes(count)) }
    }

    /// Goes to the beginning of cells of half-width h.
    pub(super) fn begin(&mut self, waves: &Waves<'_>, h: f64) {
        pulp::Arch::new().dispatch(Begin { grid: self, waves, h });
    }

    /// Whether f is below a level at one of a few places far from each other, in a grid of so many cells that has just begun.
    pub(super) fn dips(&mut self, waves: &Waves<'_>, count: usize, level: f64) -> bool {
        pulp::Arch::new().dispatch(Dips { grid: self, waves, count, level })
    }

    /// Passes these cells until a bound is not above the level; which cell that is, and f in its middle.
    pub(super) fn pass(
        &mut self,
        waves: &Waves<'_>,
        cells: std::ops::Range<usize>,
        level: f64,
    ) -> (usize, Option<Local>) {
        pulp::Arch::new().dispatch(Pass { grid: self, waves, cells, level })
    }

    /// f in the middle of a cell.
    #[inline(always)]
    fn middle(&mut self, waves: &Waves<'_>, cell: usize) -> Local {
        if cell != self.next {
            self.all.place(waves, (2.0 * cell as f64 - 1.0) * self.h);
        }
        self.next = cell + 1;
        self.all.next(waves)
    }
}

struct Begin<'g, 'w, 'm> {
    grid: &'g mut Grid,
    waves: &'w Waves<'m>,
    h: f64,
}

impl pulp::NullaryFnOnce for Begin<'_, '_, '_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Begin { grid, waves, h } = self;
        (grid.h, grid.next) = (h, 0);
        // The first step leads to the middle of the first cell.
        for (terms, h) in [(&mut grid.all, h), (&mut grid.low, GROUP as f64 * h)] {
            terms.place(waves, -h);
            terms.stride(waves, 2.0 * h);
        }
    }
}

/// A look at places a power of two times a cell apart.
struct Dips<'g, 'w, 'm> {
    grid: &'g mut Grid,
    waves: &'w Waves<'m>,
    count: usize,
    level: f64,
}

impl pulp::NullaryFnOnce for Dips<'_, '_, '_> {
    type Output = bool;

    #[inline(always)]
    fn call(self) -> bool {
        let Dips { grid, waves, count, level } = self;
        let doublings = (count / PLACES).max(1).ilog2();
        let Grid { all, far, .. } = grid;
        far.along.copy_from_slice(&all.along);
        far.across.copy_from_slice(&all.across);
        far.cosine.copy_from_slice(&all.cosine);
        far.sine.copy_from_slice(&all.sine);
        for _ in 0..doublings {
            for (c, s) in far.cosine.iter_mut().zip(far.sine.iter_mut()) {
                (*c, *s) = (1.0 - 2.0 * *s * *s, 2.0 * *s * *c);
            }
        }
        // Not by an iterator, which the compiler would not put into this loop of vectors.
        for _ in 0..count >> doublings {
            if far.next_value(waves) < level {
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
    level: f64,
}

impl pulp::NullaryFnOnce for Pass<'_, '_, '_> {
    type Output = (usize, Option<Local>);

    #[inline(always)]
    fn call(self) -> Self::Output {
        let Pass { grid, waves, cells, level } = self;
        let (mut cell, h) = (cells.start, grid.h);
        let looks = !grid.low.along.is_empty();
        while cell < cells.end {
            if looks && cell.is_multiple_of(GROUP) {
                let low = grid.low.next(waves);
                if waves.low.bound(&low, GROUP as f64 * h) - waves.tail > level {
                    cell += GROUP;
                    continue;
                }
            }
            let local = grid.middle(waves, cell);
            if waves.whole.bound(&local, h) <= level {
                return (cell, Some(local));
            }
            cell += 1;
        }
        (cells.end, None)
    }
}
