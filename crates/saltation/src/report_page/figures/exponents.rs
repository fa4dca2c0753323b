//! Lyapunov exponents: the mean of every block of returns, and the exponents with their standard errors.

use super::{Drawing, subtitle};
use crate::drawing::motion::title;
use crate::lyapunov::Answer;
use crate::system::System;
use crate::text::number::short;
use saltation_draw::{Axis, Color, Figure, Layer, Marker, Panel};

/// The most exponents with a colour of their own.
const MOST: usize = 8;

/// The figure; none if nothing was measured.
pub(crate) fn figure(system: &System, answer: &Answer) -> Option<Drawing> {
    if !answer.exponents.iter().any(|x| x.is_finite()) {
        return None;
    }
    let count = answer.exponents.len().min(MOST);
    let mut panel = Panel::new(Axis::new("block of returns"), Axis::new("exponent")).layer(Layer::horizontal(0.0));
    let blocks = answer.block_means.len();
    for k in 0..count {
        let (value, error) = (answer.exponents[k], answer.standard_errors.get(k).copied().unwrap_or(f64::NAN));
        let color = Color::PALETTE[k % Color::PALETTE.len()];
        let means = answer
            .block_means
            .iter()
            .enumerate()
            .map(|(i, block)| ((i + 1) as f64, block.get(k).copied().flatten().unwrap_or(f64::NAN)));
        let label = format!("λ{} = {} ± {}", k + 1, short(value, 5), short(error, 2));
        panel = panel.layer(Layer::markers(Marker::Circle, means).color(color).width(4.0).label(label));
        let level = [(0.5, value), (blocks.max(1) as f64 + 0.5, value)];
        panel = panel.layer(Layer::line(level).color(color).width(1.2));
    }
    let figure = Figure::new(title(system)).subtitle(subtitle(system, &[], &[])).size(720.0, 400.0).panel(panel);
    let about = "Lyapunov exponents: means of blocks of returns (marks) and of all (lines)";
    Some(Drawing::new(figure, about, "drawn from the stored answer"))
}
