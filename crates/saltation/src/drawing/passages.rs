//! The figure of the passages of a section: points in the plane of two quantities, in memory that does not grow.

use crate::drawing::gauge::Gauge;
use crate::drawing::motion::title;
use crate::drawing::quantity::Quantity;
use crate::naming::Naming;
use crate::system::System;
use crate::text::number::count;
use saltation_draw::{Color, Density, Figure, Layer, Marker, Panel, Range};
use saltation_motion::Event;

const SIZE: (f64, f64) = (680.0, 600.0);
/// The number of passages that are kept themselves; from then on cells of a window around these are counted.
const KEPT: usize = 100_000;
/// Columns and rows of the cells.
const CELLS: (usize, usize) = (1200, 1000);
/// How far the window extends beyond the kept passages, in their extent.
const AROUND: f64 = 0.25;
/// How far it extends at least, as part of the largest value: periodic points differ by rounding only.
const LEAST: f64 = 1e-3;
/// Passages closer than this part of the largest value seen are one: a motion that repeats itself does so to the accuracy of its steps, and an orbit that attracts
/// slowly is not that near yet.
const SAME: f64 = 1e-7;
/// The longest period that is looked for.
const LONGEST: usize = 64;
/// Up to this number passages have symbols.
const FEW: usize = 400;

/// The passages of one section.
#[derive(Debug)]
pub(crate) struct Passages {
    plane: (Quantity, Quantity),
    section: usize,
    left_out: u64,
    seen: u64,
    kept: Vec<(f64, f64)>,
    density: Option<Density>,
    /// The largest values of both quantities, also in what is left out.
    scale: (f64, f64),
}

impl Passages {
    /// None yet, of a section; the first `settle` are not kept.
    pub(crate) fn new(plane: (Quantity, Quantity), section: usize, settle: u64) -> Passages {
        Passages { plane, section, left_out: settle, seen: 0, kept: Vec::new(), density: None, scale: (0.0, 0.0) }
    }

    /// Looks at an event.
    pub(crate) fn see(&mut self, event: &Event, naming: Naming, gauge: &mut Gauge) {
        if event.section != Some(self.section) {
            return;
        }
        self.seen += 1;
        let mut values = [0.0; 2];
        let both = [self.plane.0, self.plane.1];
        gauge.at(&event.after, event.mode.into(), &both, &mut values);
        self.scale = (self.scale.0.max(values[0].abs()), self.scale.1.max(values[1].abs()));
        if self.seen <= self.left_out {
            return;
        }
        let wrapped = |quantity, value| match quantity {
            Quantity::State(state) => naming.wrapped(state, value),
            _ => value,
        };
        self.add((wrapped(both[0], values[0]), wrapped(both[1], values[1])));
    }

    fn add(&mut self, point: (f64, f64)) {
        if let Some(density) = &mut self.density {
            density.add(point.0, point.1);
            return;
        }
        self.kept.push(point);
        if self.kept.len() >= KEPT && self.period().is_some() {
            self.kept.drain(..KEPT / 2);
        } else if self.kept.len() >= KEPT {
            self.density = Some(self.counted());
            self.kept = Vec::new();
        }
    }

    /// The window around one coordinate of the kept passages.
    fn range(&self, of: fn(&(f64, f64)) -> f64) -> (f64, f64) {
        let finite = || self.kept.iter().map(of).filter(|value| value.is_finite());
        let (low, high) = (finite().fold(f64::INFINITY, f64::min), finite().fold(f64::NEG_INFINITY, f64::max));
        let around = (AROUND * (high - low)).max(LEAST * low.abs().max(high.abs())).max(f64::MIN_POSITIVE);
        (low - around, high + around)
    }

    /// The period in passages of a motion that repeats itself, if all that was kept does so for two periods at least.
    fn period(&self) -> Option<usize> {
        let near = |a: &(f64, f64), b: &(f64, f64)| {
            (a.0 - b.0).abs() <= SAME * self.scale.0 && (a.1 - b.1).abs() <= SAME * self.scale.1
        };
        let longest = LONGEST.min(self.kept.len() / 2);
        let repeats = |period: &usize| self.kept[*period..].iter().zip(&self.kept).all(|(a, b)| near(a, b));
        if self.density.is_some() { None } else { (1..=longest).find(repeats) }
    }

    /// The kept passages in cells of a window around them.
    fn counted(&self) -> Density {
        let mut density = Density::new(self.range(|p| p.0), self.range(|p| p.1), CELLS.0, CELLS.1);
        self.kept.iter().for_each(|&(x, y)| density.add(x, y));
        density
    }

    /// The figure.
    pub(crate) fn figure(&self, system: &System, accuracy: &str, section: &str) -> Figure {
        let model = system.model();
        let mut panel = Panel::new(self.plane.0.axis(model), self.plane.1.axis(model));
        let period = self.period();
        let label = match period {
            Some(period) => format!("section {section}: period {period}"),
            None => format!("section {section}"),
        };
        let layer = match (&self.density, period) {
            (_, Some(period)) => {
                let last = self.kept[self.kept.len() - period..].iter().copied();
                Layer::markers(Marker::Circle, last).width(6.0)
            }
            (Some(density), None) => Layer::density(density.clone()).width(3.0),
            (None, None) if self.kept.len() <= FEW => {
                Layer::markers(Marker::Circle, self.kept.iter().copied()).width(4.0)
            }
            (None, None) if self.kept.len() <= Density::EXACT => {
                Layer::cloud(self.kept.iter().copied()).width(2.0).opacity(1.0)
            }
            (None, None) => Layer::density(self.counted()),
        };
        let axes =
            [(&mut panel.x, (|p| p.0) as fn(&(f64, f64)) -> f64, self.scale.0), (&mut panel.y, |p| p.1, self.scale.1)];
        for (axis, of, scale) in axes {
            let (low, high) = self.range(of);
            // What differs by rounding only is one value, with a window of the size of what was seen.
            let least = LEAST * if period.is_some() { scale } else { low.abs().max(high.abs()) };
            let narrow = high - low < 3.0 * least;
            if !self.kept.is_empty() && narrow && low.is_finite() {
                let middle = 0.5 * (low + high);
                axis.range = Range::Between(middle - 1.5 * least, middle + 1.5 * least);
            }
        }
        if matches!(layer.shape, saltation_draw::Shape::Density(_)) {
            panel.x = panel.x.tight();
            panel.y = panel.y.tight();
        }
        let drawn = self.seen.saturating_sub(self.left_out);
        let mut parts = system.changed();
        parts.push(count(drawn, "return"));
        if let Some(period) = period {
            parts.push(format!("period {period}"));
        }
        let before = self.left_out.min(self.seen);
        if before > 0 {
            parts.push(format!("the first {before} left out"));
        }
        let outside = self.density.as_ref().map_or(0, Density::outside);
        if outside > 0 {
            parts.push(format!("{outside} outside the window"));
        }
        parts.push(accuracy.to_string());
        Figure::new(title(system))
            .subtitle(parts.join(", "))
            .size(SIZE.0, SIZE.1)
            .panel(panel.layer(layer.color(Color::BLUE).label(label)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(points: impl Iterator<Item = (f64, f64)>) -> Passages {
        let mut passages = Passages::new((Quantity::State(0), Quantity::State(1)), 0, 0);
        for point in points {
            passages.scale = (passages.scale.0.max(point.0.abs()), passages.scale.1.max(point.1.abs()));
            passages.add(point);
        }
        passages
    }

    #[test]
    fn a_motion_that_repeats_itself_has_a_period() {
        let rounding = |i: i32| 1e-11 * f64::from(i).sin();
        let turn = |n: i32| move |i: i32| (f64::from(i % n) + rounding(i), rounding(7 * i) - f64::from(i % n));
        assert_eq!(of((0..1900).map(turn(1)).map(|(x, y)| (x + 1.0, y + 1.0))).period(), Some(1));
        assert_eq!(of((0..50).map(turn(3))).period(), Some(3));
        // Not seen twice, never, and only in the end.
        assert_eq!(of((0..5).map(turn(3))).period(), None);
        assert_eq!(of((0..500).map(|i| (f64::from(i).sin(), 1.0))).period(), None);
        assert_eq!(of((0..500).map(|i| (1.0 + 0.9_f64.powi(i), 1.0))).period(), None);
        assert_eq!(of(std::iter::empty()).period(), None);
        let long = of((0..3 * KEPT as i32).map(turn(3)));
        assert!(long.period() == Some(3) && long.kept.len() < KEPT && long.density.is_none());
    }

    #[test]
    fn memory_is_bounded_and_nothing_is_lost() {
        let mut passages = Passages::new((Quantity::State(0), Quantity::State(1)), 0, 0);
        (0..3 * KEPT).for_each(|i| passages.add(((i as f64 * 0.377).sin(), (i as f64 * 0.119).cos())));
        assert!(passages.kept.is_empty());
        let density = passages.density.expect("they are many");
        assert_eq!(density.points() + density.outside(), 3 * KEPT as u64);
        assert_eq!(density.outside(), 0);
    }
}
