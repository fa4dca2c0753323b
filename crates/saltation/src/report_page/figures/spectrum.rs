//! Multipliers beside the unit circle, and eigenvalues beside the imaginary axis, in the complex plane.

use super::{Drawing, subtitle};
use crate::drawing::motion::title;
use crate::system::System;
use crate::{equilibrium, orbit};
use saltation_draw::{Axis, Color, Figure, Layer, Marker, Panel};
use saltation_numerics::dense;
use saltation_numerics::dense::Complex;
use saltation_numerics::elementary;
use std::f64::consts::TAU;

const SIZE: (f64, f64) = (560.0, 520.0);
/// Multipliers beyond this many times the unit circle would hide it.
const FAR: f64 = 20.0;
/// The most equilibria with a colour of their own.
const MOST: usize = 6;

/// The multipliers of an orbit.
pub(crate) fn of_orbit(system: &System, answer: &orbit::Answer) -> Option<Drawing> {
    let found = answer.orbit.as_ref()?;
    let near = |z: &&Complex| dense::modulus(*z) <= FAR;
    let shown: Vec<(f64, f64)> = found.multipliers.iter().filter(near).map(|z| (z.re, z.im)).collect();
    if found.multipliers.is_empty() {
        return None;
    }
    let far = found.multipliers.len() - shown.len();
    let circle = (0..=120).map(|k| elementary::sin_cos(TAU * f64::from(k) / 120.0)).map(|(y, x)| (x, y));
    let panel = plane(["real part of the multiplier", "imaginary part"])
        .layer(Layer::line(circle).color(Color::GREY).label("unit circle"))
        .layer(Layer::markers(Marker::Circle, shown).color(Color::VERMILLION).width(7.0).label("multipliers"));
    let figure = Figure::new(title(system)).subtitle(subtitle(system, &[], &[])).size(SIZE.0, SIZE.1).panel(panel);
    let beyond = if far > 0 { format!("; {far} with a modulus above {FAR} are not shown") } else { String::new() };
    Some(Drawing::new(figure, "Multipliers of the orbit", format!("drawn from the stored answer{beyond}")))
}

/// The eigenvalues of equilibria.
pub(crate) fn of_equilibria(system: &System, answer: &equilibrium::Answer) -> Option<Drawing> {
    if answer.equilibria.iter().all(|one| one.eigenvalues.is_empty()) {
        return None;
    }
    let mut panel = plane(["real part of the eigenvalue", "imaginary part"]);
    panel = panel.layer(Layer::vertical(0.0).color(Color::GREY));
    for (k, one) in answer.equilibria.iter().take(MOST).enumerate() {
        let places = one.eigenvalues.iter().map(|z| (z.re, z.im));
        let stable = if one.stable { "stable" } else { "unstable" };
        let layer = Layer::markers(Marker::Circle, places).width(7.0);
        panel = panel.layer(layer.label(format!("equilibrium {k}, {}: {stable}", one.mode)));
    }
    let figure = Figure::new(title(system)).subtitle(subtitle(system, &[], &[])).size(SIZE.0, 440.0).panel(panel);
    let more = answer.equilibria.len().saturating_sub(MOST);
    let rest = if more > 0 { format!("; {more} further equilibria are in the table") } else { String::new() };
    Some(Drawing::new(figure, "Eigenvalues of the equilibria", format!("drawn from the stored answer{rest}")))
}

fn plane([x, y]: [&str; 2]) -> Panel {
    Panel::new(Axis::new(x), Axis::new(y)).layer(Layer::horizontal(0.0).color(Color::GREY)).equal_units()
}
