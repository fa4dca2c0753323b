//! The figure of a check: the functions of the model that are given by points, one panel each, with the points where they can be told apart.

use crate::branch::figure::title;
use crate::system::System;
use saltation_draw::{Axis, Color, Figure, Layer, Marker, Panel};
use saltation_model::Measured;
use saltation_numerics::piecewise::Interpolation;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 240.0;
/// Points are marked up to this number; more would be a band.
const MOST_MARKED: usize = 120;
/// A line has about so many places: as many as can be seen.
const PLACES: i64 = 3000;

/// The figure; `None` where the model has no tables.
pub(crate) fn figure(system: &System) -> Option<Figure> {
    let tables = &system.model().tables;
    if tables.is_empty() {
        return None;
    }
    let figure = Figure::new(title(system.model())).size(WIDTH, HEIGHT * tables.len() as f64);
    Some(tables.iter().map(panel).fold(figure, Figure::panel))
}

fn panel(table: &Measured) -> Panel {
    let axis = |name: String, unit: Option<&String>| match unit {
        Some(unit) => Axis::new(name).unit(unit),
        None => Axis::new(name),
    };
    let [of_argument, of_value] = match &table.units {
        Some([x, y]) => [Some(x), Some(y)],
        None => [None, None],
    };
    let across = axis(format!("argument of {}", table.name), of_argument);
    let panel = Panel::new(across, axis(table.name.clone(), of_value));
    let panel = panel.layer(Layer::line(line(table)).color(Color::BLUE).width(1.6));
    let pieces = table.function.pieces();
    let knots = (0..=pieces).map(|k| if k < pieces { table.function.ends(k)[0] } else { table.function.span()[1] });
    match pieces as usize {
        few if few < MOST_MARKED => {
            let points = knots.filter_map(|x| Some((x, table.function.value(x)?)));
            panel.layer(Layer::markers(Marker::Circle, points).color(Color::BLUE))
        }
        _ => panel,
    }
}

/// The function along its range: every piece at several places, or of many pieces the least and the largest value of those that fall together.
fn line(table: &Measured) -> Vec<(f64, f64)> {
    let function = &table.function;
    let pieces = function.pieces();
    let at = |piece: i64, share: f64| {
        let ([from, to], [a, b, c, d]) = (function.ends(piece), function.polynomial(piece));
        let x = share * (to - from);
        (from + x, ((d * x + c) * x + b) * x + a)
    };
    let together = (pieces + PLACES - 1) / PLACES;
    if together > 1 {
        let bands = (0..pieces).step_by(together as usize).map(|first| {
            let points = (first..(first + together).min(pieces)).map(|piece| at(piece, 0.0));
            points.fold((f64::NAN, f64::INFINITY, f64::NEG_INFINITY), |(x, low, high), (here, y)| {
                (if x.is_nan() { here } else { x }, low.min(y), high.max(y))
            })
        });
        return bands.flat_map(|(x, low, high)| [(x, low), (x, high)]).collect();
    }
    let straight = matches!(function.interpolation(), Interpolation::Linear | Interpolation::Step);
    let places = if straight { 1 } else { (PLACES / pieces).clamp(2, 40) };
    let of_piece = |piece| (0..=places).map(move |k| at(piece, k as f64 / places as f64));
    // A step jumps at the last point.
    let end = function.span()[1];
    (0..pieces).flat_map(of_piece).chain(function.value(end).map(|y| (end, y))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use saltation_numerics::piecewise::{Beyond, Piecewise};
    use std::sync::Arc;

    fn measured(points: &[[f64; 2]], interpolation: Interpolation) -> Measured {
        let function = Arc::new(Piecewise::through(points, interpolation, Beyond::Hold).unwrap());
        Measured { name: "f".to_string(), function, file: None, units: None }
    }

    #[test]
    fn lines_pass_all_points_and_stay_between_extremes() {
        let points: Vec<[f64; 2]> = (0..50).map(|k| [f64::from(k), (0.3 * f64::from(k)).sin()]).collect();
        for interpolation in [Interpolation::Cubic, Interpolation::Monotone, Interpolation::Linear, Interpolation::Step]
        {
            let table = measured(&points, interpolation);
            let [low, high] = table.extent();
            let drawn = line(&table);
            assert!(drawn.iter().all(|(_, y)| (low - 1e-12..=high + 1e-12).contains(y)));
            for [x, y] in &points {
                assert!(drawn.iter().any(|(a, b)| (a - x).abs() < 1e-12 && (b - y).abs() < 1e-12), "{x}");
            }
        }
    }

    #[test]
    fn of_a_million_points_a_band_is_drawn() {
        let points: Vec<[f64; 2]> = (0..1_000_000).map(|k| [f64::from(k), f64::from(k % 7)]).collect();
        let drawn = line(&measured(&points, Interpolation::Linear));
        assert!(drawn.len() < 7000);
        assert!(drawn.iter().any(|p| p.1 == 0.0) && drawn.iter().any(|p| p.1 == 6.0));
    }
}
