//! Counts of very many points in the cells of a raster, in memory that does not grow.

use crate::{Axis, DrawError, Scale};

/// Counts points, such as those of a bifurcation diagram, in the cells of a window.
///
/// Memory does not grow with the number of points. As long as they are few they are kept themselves, and drawn as dots.
/// Accumulators of equal windows can be merged, with the same result in every order.
///
/// ```
/// use saltation_draw::{Axis, Density, Figure, Layer, Panel};
/// let mut density = Density::new((2.5, 4.0), (0.0, 1.0), 1200, 700);
/// for i in 0..1200 {
///     let r = 2.5 + 1.5 * i as f64 / 1200.0;
///     let mut x = 0.5;
///     for k in 0..300 {
///         x *= r * (1.0 - x);
///         if k >= 200 { density.add(r, x) }
///     }
/// }
/// assert_eq!(density.points(), 120_000);
/// let panel = Panel::new(Axis::new("r").tight(), Axis::new("x").tight()).layer(Layer::density(density));
/// assert!(Figure::new("Logistic map").panel(panel).to_svg().len() < 1_000_000);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Density {
    x: Side,
    y: Side,
    counts: Vec<u32>,
    first: Vec<(f64, f64)>,
    inside: u64,
    outside: u64,
}

/// The cells along one axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Side {
    pub low: f64,
    pub high: f64,
    pub scale: Scale,
    pub cells: usize,
}

/// The number of hit cells up to which these are drawn as dots: pixels of periodic points would hardly be seen, and make stairs of smooth lines.
const FEW_CELLS: usize = 40_000;

/// The largest number of cells along one axis.
const MOST_CELLS: usize = 4096;

impl Side {
    fn new(range: (f64, f64), cells: usize) -> Side {
        let (low, high) = (range.0.min(range.1), range.0.max(range.1));
        Side { low, high, scale: Scale::Linear, cells: cells.clamp(1, MOST_CELLS) }
    }

    fn on(self, axis: &Axis) -> Side {
        Side { scale: axis.scale, ..self }
    }

    /// Halves, because the difference of two large numbers of opposite sign overflows.
    fn spaced(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear => value / 2.0,
            Scale::Log => value.ln(),
        }
    }

    /// The cell of a value; `None` outside the range.
    fn cell(&self, value: f64) -> Option<usize> {
        let (low, high) = (self.spaced(self.low), self.spaced(self.high));
        let share = (self.spaced(value) - low) / (high - low);
        let within = (0.0..=1.0).contains(&share);
        within.then(|| ((share * self.cells as f64) as usize).min(self.cells - 1))
    }

    /// The value at a share from 0 to 1 of the range.
    pub(crate) fn value(&self, share: f64) -> f64 {
        match self.scale {
            Scale::Linear => self.low * (1.0 - share) + self.high * share,
            Scale::Log => (self.low.ln() * (1.0 - share) + self.high.ln() * share).exp(),
        }
    }
}

impl Density {
    /// The number of points up to which all of them are kept and drawn as dots.
    pub const EXACT: usize = 5000;

    /// No points yet, in a window of `columns` by `rows` cells (1 to 4096 each) between the ends of both ranges. Two cells for every
    /// point of paper are as fine as a figure shows: 1200 by 700 for a panel of 600 by 350.
    pub fn new(x: (f64, f64), y: (f64, f64), columns: usize, rows: usize) -> Density {
        let (x, y) = (Side::new(x, columns), Side::new(y, rows));
        Density { x, y, counts: vec![0; x.cells * y.cells], first: Vec::new(), inside: 0, outside: 0 }
    }

    /// Spaces the cells as the axes of the panel are spaced, linearly or by logarithms. Right after [`Density::new`]: points that
    /// were added before are forgotten.
    pub fn on(self, x: &Axis, y: &Axis) -> Density {
        let empty = Density::new((0.0, 1.0), (0.0, 1.0), 1, 1);
        let (x, y) = (self.x.on(x), self.y.on(y));
        Density { x, y, counts: vec![0; x.cells * y.cells], ..empty }
    }

    /// Adds a point; one outside the window, or not finite, is only counted as such.
    pub fn add(&mut self, x: f64, y: f64) {
        let (Some(column), Some(row)) = (self.x.cell(x), self.y.cell(y)) else {
            self.outside += 1;
            return;
        };
        let count = &mut self.counts[row * self.x.cells + column];
        *count = count.saturating_add(1);
        self.inside += 1;
        if self.first.len() < Density::EXACT {
            self.first.push((x, y));
        }
    }

    /// Adds the points of another accumulator of the same window and cells.
    ///
    /// # Errors
    /// [`DrawError::Windows`] if windows or cells differ.
    pub fn merge(&mut self, other: &Density) -> Result<(), DrawError> {
        if (self.x, self.y) != (other.x, other.y) {
            return Err(DrawError::Windows { first: self.window(), second: other.window() });
        }
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            *count = count.saturating_add(*more);
        }
        self.inside += other.inside;
        self.outside += other.outside;
        let room = Density::EXACT - self.first.len();
        self.first.extend(other.first.iter().take(room));
        Ok(())
    }

    /// The number of points inside the window.
    pub fn points(&self) -> u64 {
        self.inside
    }

    /// The number of points outside the window, or not finite.
    pub fn outside(&self) -> u64 {
        self.outside
    }

    /// The points themselves, in an order that does not depend on that of their addition, as long as they are few.
    fn exact(&self) -> Option<Vec<(f64, f64)>> {
        (self.inside <= Density::EXACT as u64).then(|| {
            let mut points = self.first.clone();
            points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
            points
        })
    }

    /// The points themselves while they are few, or the centres of the cells that were hit while these are few.
    pub(crate) fn dots(&self) -> Option<Vec<(f64, f64)>> {
        let hit = || self.counts.iter().enumerate().filter(|(_, count)| **count > 0).map(|(cell, _)| cell);
        let centre = |cell: usize| {
            let share = |at: usize, cells: usize| (at as f64 + 0.5) / cells as f64;
            let (row, column) = (cell / self.x.cells, cell % self.x.cells);
            (self.x.value(share(column, self.x.cells)), self.y.value(share(row, self.y.cells)))
        };
        let few = || (hit().nth(FEW_CELLS).is_none()).then(|| hit().map(centre).collect());
        self.exact().or_else(few)
    }

    /// The cells along both axes.
    pub(crate) fn sides(&self) -> (Side, Side) {
        (self.x, self.y)
    }

    /// The number of points in every cell, row by row, x changing fastest.
    pub(crate) fn counts(&self) -> &[u32] {
        &self.counts
    }

    fn window(&self) -> String {
        let side = |side: &Side| format!("{} to {} in {} cells", side.low, side.high, side.cells);
        format!("{} by {}", side(&self.x), side(&self.y))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some(points: impl Iterator<Item = (f64, f64)>) -> Density {
        let mut density = Density::new((0.0, 4.0), (-1.0, 1.0), 8, 4);
        points.for_each(|(x, y)| density.add(x, y));
        density
    }

    #[test]
    fn every_point_is_counted_once_and_ends_belong_to_the_window() {
        let density = some([(0.0, -1.0), (4.0, 1.0), (0.1, -0.9), (4.1, 0.0), (f64::NAN, 0.0)].into_iter());
        assert_eq!((density.points(), density.outside()), (3, 2));
        assert_eq!((density.counts()[0], density.counts()[31]), (2, 1));
        assert_eq!(density.exact().map(|points| points.len()), Some(3));
    }

    #[test]
    fn merging_in_any_order_gives_the_same_picture() {
        let points = |from: usize| (from..from + 3000).map(|i| ((i as f64 * 0.37) % 4.0, (i as f64 * 0.11).sin()));
        let parts = [0, 3000, 6000].map(|from| some(points(from)));
        let merged = |order: [usize; 3]| {
            let mut sum = Density::new((0.0, 4.0), (-1.0, 1.0), 8, 4);
            order.iter().for_each(|&i| sum.merge(&parts[i]).expect("equal windows"));
            (sum.counts().to_vec(), sum.points(), sum.exact())
        };
        assert_eq!(merged([0, 1, 2]), merged([2, 0, 1]));
        let two = |a: usize, b: usize| {
            let mut sum = parts[a].clone();
            sum.merge(&some(points(9000).take(b))).map(|()| sum.exact())
        };
        assert_eq!(two(0, 1500).unwrap().map(|points| points.len()), Some(4500));
        assert_eq!(two(0, 2500).unwrap(), None);
    }

    #[test]
    fn different_windows_are_not_added() {
        let other = Density::new((0.0, 4.0), (-1.0, 1.0), 8, 5);
        let refused = some(std::iter::empty()).merge(&other);
        assert!(matches!(refused, Err(DrawError::Windows { .. })), "{refused:?}");
    }

    #[test]
    fn logarithmic_cells_are_equal_ratios() {
        let axis = Axis::new("a").log();
        let mut density = Density::new((1e-2, 1e2), (0.0, 1.0), 4, 1).on(&axis, &Axis::new("b"));
        [0.05, 0.5, 5.0, 50.0, 0.0, -1.0].into_iter().for_each(|x| density.add(x, 0.5));
        assert_eq!(density.counts(), [1, 1, 1, 1]);
        assert_eq!(density.outside(), 2);
    }
}
