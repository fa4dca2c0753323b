//! Figures of results: from a declarative description to SVG, PDF and PNG.
//!
//! A [`Figure`] is a declarative description: panels, axes and layers of plain numbers. [`Figure::to_svg`],
//! [`Figure::to_png`] and [`Figure::save`] draw it. Both formats are renderings of one layout, measured with one
//! embedded font, so they look alike on every machine. Drawing never panics: values that are not finite leave
//! gaps, empty panels show empty axes, and a constant gets an interval around it.
//!
//! ```
//! use saltation_draw::{Axis, Figure, Layer, Marker, Panel};
//! let orbit = (0..400).map(|i| i as f64 * 0.02).map(|t| (-t.sin().abs(), t.cos()));
//! let panel = Panel::new(Axis::new("x"), Axis::new("y = x′"))
//!     .layer(Layer::line(orbit).label("orbit"))
//!     .layer(Layer::markers(Marker::Circle, [(0.0, 1.0)]).label("impact"))
//!     .layer(Layer::vertical(0.0).label("wall"));
//! let figure = Figure::new("Phase plane").subtitle("r = 0.9").size(480.0, 440.0).panel(panel);
//! let png = figure.to_png(2.0)?;
//! assert_eq!(&png[1..4], b"PNG");
//! # Ok::<(), saltation_draw::DrawError>(())
//! ```

mod axis;
mod bar;
mod clip;
mod color;
mod color_map;
mod density;
mod error;
mod figure;
mod font;
mod grid;
mod header;
mod layer;
mod layout;
mod legend;
mod marks;
mod panel;
mod pdf;
mod png;
mod polyline;
mod raster;
mod save;
mod scene;
mod svg;
mod ticks;
mod window;

pub use axis::{Axis, Range, Scale};
pub use color::Color;
pub use color_map::ColorMap;
pub use density::Density;
pub use error::DrawError;
pub use figure::{Figure, Panel};
pub use grid::{Category, ColorBar, Grid};
pub use layer::{Dashes, Layer, Marker, Points, Shape};
