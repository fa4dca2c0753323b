//! The declarative description of a figure: its panels, without positions on the page.
//!
//! A figure is plain data: panels, their axes, and layers of numbers. It is independent of the rendering.

use crate::{Axis, Layer};

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
    /// Whether a unit of x is as long as a unit of y on the page: the shorter of both ranges is widened. Both axes are linear,
    /// and the panel does not share its x axis.
    pub equal: bool,
    /// Whether the panel has a frame with a grid, marks and labels; otherwise only its layers and the names of its axes are seen.
    pub framed: bool,
}

impl Panel {
    /// An empty panel.
    pub fn new(x: Axis, y: Axis) -> Panel {
        Panel { x, y, layers: Vec::new(), legend: true, equal: false, framed: true }
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

    /// Leaves out frame, grid, marks and labels, where layers draw axes of their own.
    pub fn without_frame(mut self) -> Panel {
        self.framed = false;
        self
    }

    /// Makes a unit of x as long as a unit of y, so that shapes keep their angles.
    pub fn equal_units(mut self) -> Panel {
        self.equal = true;
        self
    }
}
