//! The declarative description of a figure: panels, axes and layers of data, without positions on the page.
//!
//! A figure is plain data: panels, their axes, and layers of numbers. It is independent of the rendering.

use crate::Color;

/// Points of a layer, in the units of the axes.
pub type Points = Vec<(f64, f64)>;

/// A picture: a title and panels stacked from top to bottom.
///
/// ```
/// use saltation_draw::{Axis, Figure, Layer, Panel};
/// let time = (0..500).map(|i| i as f64 * 0.01);
/// let panel = Panel::new(Axis::new("time").unit("s").tight(), Axis::new("gap").unit("m"))
///     .layer(Layer::line(time.map(|t| (t, t.cos().abs()))).label("gap"))
///     .layer(Layer::horizontal(0.0).label("wall"));
/// let svg = Figure::new("A ball that bounces").panel(panel).to_svg();
/// assert!(svg.starts_with("<svg") && svg.contains("A ball that bounces"));
/// ```
#[derive(Clone, Debug)]
pub struct Figure {
    /// Headline; empty for none.
    pub title: String,
    /// Small text below the title, for example parameter values; empty for none.
    pub subtitle: String,
    /// Width in points (1/96 inch on screens); values outside 160..=8000 are moved to the nearer end.
    pub width: f64,
    /// Height in points; values outside 120..=8000 are moved to the nearer end.
    pub height: f64,
    /// The panels, from top to bottom, equally high.
    pub panels: Vec<Panel>,
    /// Whether all panels use one x axis, described by the first panel and labelled below the last.
    pub share_x: bool,
}

impl Figure {
    /// A figure of 640 by 480 points without panels.
    pub fn new(title: impl Into<String>) -> Figure {
        Figure {
            title: title.into(),
            subtitle: String::new(),
            width: 640.0,
            height: 480.0,
            panels: Vec::new(),
            share_x: false,
        }
    }

    /// A figure with several panels over one x axis (several quantities over one time), 720 points wide
    /// and as high as the panels ask for.
    pub fn stacked(title: impl Into<String>, panels: Vec<Panel>) -> Figure {
        let height = 130.0 + 125.0 * panels.len() as f64;
        Figure { panels, share_x: true, ..Figure::new(title) }.size(720.0, height)
    }

    /// Sets the small text below the title.
    pub fn subtitle(mut self, text: impl Into<String>) -> Figure {
        self.subtitle = text.into();
        self
    }

    /// Sets width and height in points.
    pub fn size(mut self, width: f64, height: f64) -> Figure {
        (self.width, self.height) = (width, height);
        self
    }

    /// Adds a panel below the others.
    pub fn panel(mut self, panel: Panel) -> Figure {
        self.panels.push(panel);
        self
    }
}

/// Two axes and the layers drawn between them, first layer at the bottom.
#[derive(Clone, Debug)]
pub struct Panel {
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// The layers, from back to front.
    pub layers: Vec<Layer>,
    /// Whether labels of layers appear in the figure's legend (above the first panel, each label once).
    pub legend: bool,
}

impl Panel {
    /// An empty panel.
    pub fn new(x: Axis, y: Axis) -> Panel {
        Panel { x, y, layers: Vec::new(), legend: true }
    }

    /// Adds a layer in front of the others.
    pub fn layer(mut self, layer: Layer) -> Panel {
        self.layers.push(layer);
        self
    }

    /// Keeps the labels of this panel out of the legend.
    pub fn without_legend(mut self) -> Panel {
        self.legend = false;
        self
    }
}

/// A quantity and the interval of it that is shown.
#[derive(Clone, Debug)]
pub struct Axis {
    /// Name of the quantity.
    pub name: String,
    /// Its unit, shown in parentheses.
    pub unit: Option<String>,
    /// How values are spaced.
    pub scale: Scale,
    /// The range of values that is shown.
    pub range: Range,
}

impl Axis {
    /// A linear axis which shows all data with a small margin.
    pub fn new(name: impl Into<String>) -> Axis {
        Axis { name: name.into(), unit: None, scale: Scale::Linear, range: Range::Padded }
    }

    /// Sets the unit.
    pub fn unit(mut self, unit: impl Into<String>) -> Axis {
        self.unit = Some(unit.into());
        self
    }

    /// Spaces values by their logarithm.
    pub fn log(mut self) -> Axis {
        self.scale = Scale::Log;
        self
    }

    /// Shows exactly the interval of the data, without margin (right for time).
    pub fn tight(mut self) -> Axis {
        self.range = Range::Tight;
        self
    }

    /// Shows this interval. With `from > to` the axis runs backwards.
    pub fn between(mut self, from: f64, to: f64) -> Axis {
        self.range = Range::Between(from, to);
        self
    }
}

/// How values are spaced along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences take equal space.
    Linear,
    /// Equal ratios take equal space; values that are not positive are not drawn.
    Log,
}

/// The range of values of an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Range {
    /// All data, with a small margin.
    Padded,
    /// All data, without margin.
    Tight,
    /// From the first to the second number; backwards if the first is larger. An end that is not finite
    /// (or not positive on a logarithmic axis) is taken from the data.
    Between(f64, f64),
}

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
}

/// The kind of drawing, with its numbers.
#[derive(Clone, Debug)]
pub enum Shape {
    /// Points joined by straight lines in their order.
    Line {
        /// The points; one that is not finite interrupts the line.
        points: Points,
        /// Whether the line is dashed.
        dashed: bool,
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
        Layer { shape, color: None, width, opacity, label: None }
    }

    /// Points joined by straight lines; a point that is not finite interrupts the line, which is how a jump
    /// of the state is left open: put `(f64::NAN, f64::NAN)` between the states before and after it.
    pub fn line(points: impl IntoIterator<Item = (f64, f64)>) -> Layer {
        let points = points.into_iter().collect();
        Layer::new(Shape::Line { points, dashed: false, across: false }, 1.4, 1.0)
    }

    /// A symbol at every point.
    pub fn markers(marker: Marker, points: impl IntoIterator<Item = (f64, f64)>) -> Layer {
        Layer::new(Shape::Markers { points: points.into_iter().collect(), marker }, 6.0, 1.0)
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
        if let Shape::Line { dashed, .. } = &mut self.shape {
            *dashed = true;
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
