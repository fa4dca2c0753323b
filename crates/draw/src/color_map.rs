//! Colour maps: the colours of numbers, distinguishable in common forms of colour blindness.

use crate::Color;

/// A continuous sequence of colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColorMap {
    /// Blue through white to red; white is the number 0.
    Diverging,
    /// Light yellow through green to dark blue, darker for larger numbers; where no number is positive, for smaller ones, which are farther from zero.
    Sequential,
}

/// Blue, white, red, as dark at one end as at the other (after P. Tol, Colour Schemes, 2021, "BuRd").
const DIVERGING: [Color; 9] = [
    Color::rgb(33, 102, 172),
    Color::rgb(67, 147, 195),
    Color::rgb(146, 197, 222),
    Color::rgb(209, 229, 240),
    Color::rgb(255, 255, 255),
    Color::rgb(253, 219, 199),
    Color::rgb(244, 165, 130),
    Color::rgb(214, 96, 77),
    Color::rgb(178, 24, 43),
];

/// Viridis (S. van der Walt and N. Smith, 2015) from its light end to its dark one.
const SEQUENTIAL: [Color; 9] = [
    Color::rgb(253, 231, 37),
    Color::rgb(170, 220, 50),
    Color::rgb(92, 200, 99),
    Color::rgb(39, 173, 129),
    Color::rgb(33, 144, 141),
    Color::rgb(44, 114, 142),
    Color::rgb(59, 82, 139),
    Color::rgb(71, 45, 123),
    Color::rgb(68, 1, 84),
];

impl ColorMap {
    /// The colour at a share from 0 to 1 of the sequence.
    ///
    /// ```
    /// use saltation_draw::{Color, ColorMap};
    /// assert_eq!(ColorMap::Diverging.color(0.5), Color::WHITE);
    /// ```
    pub fn color(self, share: f64) -> Color {
        let colors = match self {
            ColorMap::Diverging => &DIVERGING,
            ColorMap::Sequential => &SEQUENTIAL,
        };
        let share = if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) };
        let place = share * (colors.len() - 1) as f64;
        let before = (place as usize).min(colors.len() - 2);
        colors[before].mixed(colors[before + 1], place - before as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lightness(color: Color) -> f64 {
        0.299 * f64::from(color.red) + 0.587 * f64::from(color.green) + 0.114 * f64::from(color.blue)
    }

    #[test]
    fn maps_are_ordered_by_their_lightness_also_in_grey() {
        let steps = || (0..=100).map(|i| f64::from(i) / 100.0);
        let of = |map: ColorMap| steps().map(|s| lightness(map.color(s))).collect::<Vec<_>>();
        assert!(of(ColorMap::Sequential).windows(2).all(|pair| pair[1] < pair[0]));
        let diverging = of(ColorMap::Diverging);
        assert!(diverging[..=50].windows(2).all(|pair| pair[1] > pair[0]));
        assert!(diverging[50..].windows(2).all(|pair| pair[1] < pair[0]));
    }
}
