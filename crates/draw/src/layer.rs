//! A layer of a panel: numbers, the kind of drawing, and a style.

use crate::{Category, Color, ColorBar, Density, Grid};

/// Points of a layer, in the units of the axes.
pub type Points = Vec<(f64, f64)>;

/// One set of numbers and its style.
#[derive(Clone, Debug)]
pub struct Layer {
    /// The numbers and the kind of drawing.
    pub shape: Shape,
    /// Colour; `None` takes the next colour of [`Color::PALETTE`], or grey for references and bands.
    pub color: Option<Color>,
    /// Points of line width, or of diameter for markers and clouds.
    pub width: f64,
    /// From 0 (invisible) to 1 (opaque).
    pub opacity: f64,
    /// Name in the legend; layers with equal names share one entry.
    pub label: Option<String>,
    /// Whether the axes must show all of the layer. Of other layers only what lies in the range of these is seen.
    pub in_range: bool,
}

/// The kind of drawing, with its numbers.
#[derive(Clone, Debug)]
pub enum Shape {
    /// Points joined by straight lines in their order.
    Line {
        /// The points; one that is not finite interrupts the line.
        points: Points,
        /// Whether the line is dashed or dotted.
        dashes: Dashes,
        /// Whether the line continues across points that are not finite.
        across: bool,
    },
    /// A symbol at every point.
    Markers {
        /// The points; those not finite are left out.
        points: Points,
        /// The symbol.
        marker: Marker,
    },
    /// The inside of a polygon.
    Polygon {
        /// Its corners, in their order; without any that is not finite.
        corners: Points,
    },
    /// Very many points as dots; overlapping dots add up to darker spots when the opacity is below 1.
    Cloud {
        /// The points; those not finite are left out.
        points: Points,
    },
    /// A line across the panel at this value of y.
    Horizontal(f64),
    /// A line across the panel at this value of x.
    Vertical(f64),
    /// The shaded intervals of x, over the full height (an infinite end reaches the edge).
    Bands(Vec<(f64, f64)>),
    /// Cells of a grid, filled without seams between them.
    Cells {
        /// The edges of the columns, one more than there are.
        x: Vec<f64>,
        /// The edges of the rows, one more than there are.
        y: Vec<f64>,
        /// Whether each cell is filled, row by row, x changing fastest; cells beyond the last are not.
        filled: Vec<bool>,
    },
    /// Words at points.
    Notes(Vec<((f64, f64), String)>),
    /// Very many points, counted in the cells of a raster: darker where there are more.
    Density(Density),
    /// Cells of a grid, each of a category with a colour of its own.
    Categories {
        /// The edges of columns and rows.
        grid: Grid,
        /// The index of each cell's category, row by row, x changing fastest; a cell without one is missing.
        cells: Vec<Option<u8>>,
        /// The categories, each of which the legend names.
        categories: Vec<Category>,
    },
    /// Cells of a grid, each with a number that its colour tells.
    Values {
        /// The edges of columns and rows.
        grid: Grid,
        /// The number of each cell, row by row, x changing fastest; a cell whose number is not finite is missing.
        values: Vec<f64>,
        /// The colours of numbers, and the bar at the right of the panel that explains them.
        bar: ColorBar,
    },
}

/// How a line is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dashes {
    /// Not at all.
    Solid,
    /// Dashes.
    Dashed,
    /// Dots.
    Dotted,
}

/// A symbol that marks a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    /// A filled circle.
    Circle,
    /// A filled square.
    Square,
    /// A filled triangle, pointing up.
    Triangle,
    /// Two crossing strokes.
    Cross,
    /// A vertical stroke.
    Tick,
}

impl Layer {
    fn new(shape: Shape, width: f64, opacity: f64) -> Layer {
        Layer { shape, color: None, width, opacity, label: None, in_range: true }
    }

    /// Points joined by straight lines; a point that is not finite interrupts the line, which is how a jump
    /// of the state is left open: put `(f64::NAN, f64::NAN)` between the states before and after it.
    pub fn line(points: impl IntoIterator<Item = (f64, f64)>) -> Layer {
        let points = points.into_iter().collect();
        Layer::new(Shape::Line { points, dashes: Dashes::Solid, across: false }, 1.4, 1.0)
    }

    /// A symbol at every point.
    pub fn markers(marker: Marker, points: impl IntoIterator<Item = (f64, f64)>) -> Layer {
        Layer::new(Shape::Markers { points: points.into_iter().collect(), marker }, 6.0, 1.0)
    }

    /// The inside of a polygon; one with a corner that is not finite is not drawn.
    pub fn polygon(corners: impl IntoIterator<Item = (f64, f64)>) -> Layer {
        Layer::new(Shape::Polygon { corners: corners.into_iter().collect() }, 1.0, 1.0)
    }

    /// Very many points as small dots.
    pub fn cloud(points: impl IntoIterator<Item = (f64, f64)>) -> Layer {
        Layer::new(Shape::Cloud { points: points.into_iter().collect() }, 1.0, 0.6)
    }

    /// A thin reference line at a value of y, such as a wall at gap 0.
    pub fn horizontal(y: f64) -> Layer {
        Layer::new(Shape::Horizontal(y), 1.0, 1.0)
    }

    /// A thin reference line at a value of x.
    pub fn vertical(x: f64) -> Layer {
        Layer::new(Shape::Vertical(x), 1.0, 1.0)
    }

    /// Shaded intervals of x, such as times in sticking.
    pub fn bands(intervals: impl IntoIterator<Item = (f64, f64)>) -> Layer {
        Layer::new(Shape::Bands(intervals.into_iter().collect()), 1.0, 0.18)
    }

    /// Filled cells of a grid, such as a region of a map; `x` and `y` are the edges of columns and rows, and cells come row by row.
    pub fn cells(x: Vec<f64>, y: Vec<f64>, filled: Vec<bool>) -> Layer {
        Layer::new(Shape::Cells { x, y, filled }, 1.0, 1.0)
    }

    /// Words, each centred above its point.
    pub fn notes(notes: impl IntoIterator<Item = ((f64, f64), String)>) -> Layer {
        Layer::new(Shape::Notes(notes.into_iter().collect()), 1.0, 1.0).color(Color::BLACK)
    }

    /// A million points and more as darker and lighter pixels, or as dots while they are few (see [`Density`]).
    pub fn density(density: Density) -> Layer {
        Layer::new(Shape::Density(density), 2.0, 1.0)
    }

    /// Cells of a grid in the colours of their categories; the legend names every category, and missing cells, which are grey.
    ///
    /// ```
    /// use saltation_draw::{Axis, Category, Figure, Grid, Layer, Panel};
    /// let grid = Grid::new(vec![0.0, 1.0, 2.0, 3.0], vec![0.1, 1.0, 10.0]);
    /// let cells = vec![Some(0), Some(0), Some(1), Some(1), None, Some(1)];
    /// let layer = Layer::categories(grid, cells, Category::named(["period 1", "period 2"]));
    /// let panel = Panel::new(Axis::new("drive").tight(), Axis::new("stiffness").log().tight()).layer(layer);
    /// assert!(Figure::new("Attractors").panel(panel).to_svg().contains("period 2"));
    /// ```
    pub fn categories(grid: Grid, cells: Vec<Option<u8>>, categories: Vec<Category>) -> Layer {
        Layer::new(Shape::Categories { grid, cells, categories }, 1.0, 1.0)
    }

    /// Cells of a grid in the colours of their numbers, which a bar at the right of the panel explains; missing cells are grey.
    ///
    /// ```
    /// use saltation_draw::{Axis, ColorBar, Figure, Grid, Layer, Panel};
    /// let grid = Grid::new(vec![0.0, 1.0, 2.0], vec![0.0, 1.0, 2.0]);
    /// let bar = ColorBar::diverging(Axis::new("largest Lyapunov exponent").unit("1/s"));
    /// let layer = Layer::values(grid, vec![-0.2, 0.1, f64::NAN, 0.3], bar);
    /// let panel = Panel::new(Axis::new("a").tight(), Axis::new("b").tight()).layer(layer);
    /// assert!(Figure::new("Chaos").panel(panel).to_svg().contains("Lyapunov"));
    /// ```
    pub fn values(grid: Grid, values: Vec<f64>, bar: ColorBar) -> Layer {
        Layer::new(Shape::Values { grid, values, bar }, 1.0, 1.0)
    }

    /// Lets the other layers set the range of the axes: what of this one lies beyond is cut off.
    pub fn outside_range(mut self) -> Layer {
        self.in_range = false;
        self
    }

    /// Sets the colour.
    pub fn color(mut self, color: Color) -> Layer {
        self.color = Some(color);
        self
    }

    /// Sets the line width, or the diameter of markers and dots, in points.
    pub fn width(mut self, width: f64) -> Layer {
        self.width = width;
        self
    }

    /// Sets the opacity, from 0 to 1.
    pub fn opacity(mut self, opacity: f64) -> Layer {
        self.opacity = opacity;
        self
    }

    /// Sets the name in the legend.
    pub fn label(mut self, label: impl Into<String>) -> Layer {
        self.label = Some(label.into());
        self
    }

    /// Dashes the line; other shapes are unchanged.
    pub fn dashed(mut self) -> Layer {
        if let Shape::Line { dashes, .. } = &mut self.shape {
            *dashes = Dashes::Dashed;
        }
        self
    }

    /// Dots the line; other shapes are unchanged.
    pub fn dotted(mut self) -> Layer {
        if let Shape::Line { dashes, .. } = &mut self.shape {
            *dashes = Dashes::Dotted;
        }
        self
    }

    /// Draws the line on across points that are not finite; other shapes are unchanged.
    pub fn across_gaps(mut self) -> Layer {
        if let Shape::Line { across, .. } = &mut self.shape {
            *across = true;
        }
        self
    }
}
