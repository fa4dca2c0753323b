//! Grids of cells, the categories of cells, and the colours of their numbers.

use crate::{Axis, Color, ColorMap};

/// The edges of the cells of a grid, and the name of cells about which nothing is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// The edges of the columns, one more than there are.
    pub x: Vec<f64>,
    /// The edges of the rows, one more than there are.
    pub y: Vec<f64>,
    /// What the legend calls missing cells.
    pub missing: String,
}

impl Grid {
    /// The grid with these edges of columns and rows; the legend calls missing cells "no value".
    pub fn new(x: Vec<f64>, y: Vec<f64>) -> Grid {
        Grid { x, y, missing: "no value".to_owned() }
    }

    /// The grid around these centres of columns and rows: edges lie halfway between neighbours, which on a logarithmic axis
    /// means halfway between logarithms.
    ///
    /// ```
    /// use saltation_draw::{Axis, Grid};
    /// let grid = Grid::around(&[1.0, 2.0, 3.0], &Axis::new("a"), &[1.0, 100.0], &Axis::new("b").log());
    /// assert_eq!(grid.x, [0.5, 1.5, 2.5, 3.5]);
    /// assert!(grid.y.iter().zip([0.1, 10.0, 1000.0]).all(|(a, b)| (a / b - 1.0).abs() < 1e-12));
    /// ```
    pub fn around(x: &[f64], x_axis: &Axis, y: &[f64], y_axis: &Axis) -> Grid {
        Grid::new(edges(x, x_axis), edges(y, y_axis))
    }

    /// Sets what the legend calls missing cells.
    pub fn missing(mut self, name: impl Into<String>) -> Grid {
        self.missing = name.into();
        self
    }

    /// The number of cells.
    pub(crate) fn len(&self) -> usize {
        self.x.len().saturating_sub(1) * self.y.len().saturating_sub(1)
    }
}

/// The edges between neighbouring centres, and beyond the outermost ones as far as inside.
fn edges(centres: &[f64], axis: &Axis) -> Vec<f64> {
    let log = axis.scale == crate::Scale::Log;
    let spaced: Vec<f64> = centres.iter().map(|&c| if log { c.ln() } else { c }).collect();
    let back = |value: f64| if log { value.exp() } else { value };
    let (Some(&first), Some(&last)) = (spaced.first(), spaced.last()) else { return Vec::new() };
    let half = |a: usize| spaced.get(a + 1).map_or(0.5, |next| (next - spaced[a]) / 2.0);
    let inner = spaced.windows(2).map(|pair| pair[0] / 2.0 + pair[1] / 2.0);
    let ends = (first - half(0), last + half(spaced.len().saturating_sub(2)));
    std::iter::once(ends.0).chain(inner).chain([ends.1]).map(back).collect()
}

/// A kind of cells: its name in the legend and its colour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Category {
    /// The name in the legend.
    pub label: String,
    /// The colour of its cells.
    pub color: Color,
}

impl Category {
    /// A category.
    pub fn new(label: impl Into<String>, color: Color) -> Category {
        Category { label: label.into(), color }
    }

    /// Categories of these names, in the colours of [`Color::CATEGORIES`].
    pub fn named<S: Into<String>>(labels: impl IntoIterator<Item = S>) -> Vec<Category> {
        let colors = Color::CATEGORIES.into_iter().cycle();
        labels.into_iter().zip(colors).map(|(label, color)| Category::new(label, color)).collect()
    }
}

/// The colours of numbers, and the bar that explains them.
#[derive(Clone, Debug)]
pub struct ColorBar {
    /// The name, unit, spacing and range of the numbers. Without a range the bar shows all data; numbers beyond a range have
    /// the colour of its end.
    pub axis: Axis,
    /// The colours.
    pub map: ColorMap,
}

impl ColorBar {
    /// Blue for negative numbers, red for positive ones, white for 0. The axis is linear.
    pub fn diverging(axis: Axis) -> ColorBar {
        ColorBar { axis: Axis { scale: crate::Scale::Linear, ..axis }, map: ColorMap::Diverging }
    }

    /// Darker for larger numbers, linear or logarithmic as the axis is.
    pub fn sequential(axis: Axis) -> ColorBar {
        ColorBar { axis, map: ColorMap::Sequential }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lone_centre_has_a_cell() {
        let axis = Axis::new("a");
        assert_eq!(Grid::around(&[2.0], &axis, &[], &axis).x, [1.5, 2.5]);
        assert_eq!(Grid::around(&[2.0], &axis, &[], &axis).len(), 0);
    }
}
