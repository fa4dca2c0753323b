//! Yoshitake et al., shooting method: the oscillator between two walls.

use saltation::draw::{Axis, Figure, Layer, Marker, Panel};
use saltation::orbit::branch;

use crate::strands::strands;
use crate::{Outcome, free, settled};

/// Figs. 4(b) and 4(c).
pub fn two_walls() -> Outcome<Figure> {
    let range = (0.7, 1.3);
    let (system, following) = free("two-wall-oscillator", &[("nu", "1.1")], &["nu"])?;
    let orbit = settled(&system, &following.values, 1, 200)?;
    let settings = branch::Settings { longest_step: 0.01, switch: true, ..branch::Settings::between(range.0, range.1) };
    let branches = branch::follow(&system, &following, &orbit, &settings, &mut |_, _| true)?;
    let axis = || Axis::new("frequency ν").between(range.0, range.1);
    let mut speeds = Panel::new(axis(), Axis::new("(b)  largest impact speed"));
    let mut leading = Panel::new(axis(), Axis::new("(c)  leading multiplier, modulus").between(0.0, 3.0)).layer(Layer::horizontal(1.0));
    for (k, b) in branches.iter().enumerate() {
        eprintln!("{k} {:?} {} points {:?} {:?} period {} marks {:?} {:?}", b.parent, b.points.len(), b.extent(), b.ended, b.points[0].period * b.value(&b.points[0]) / 6.283185307, b.marks(), b.special.iter().map(|s| (s.kind, b.value(&s.point), s.point.admissible)).collect::<Vec<_>>());
        let fastest = |p: &branch::BranchPoint| (b.value(p), p.impact_speeds.iter().fold(0.0_f64, |m, v| m.max(-v)));
        speeds = strands(speeds, b, fastest);
        leading = strands(leading, b, |p| (b.value(p), p.multipliers.first().map_or(f64::NAN, |m| m.modulus())));
        let special = b.special.iter().filter(|s| s.point.admissible);
        speeds = speeds.layer(Layer::markers(Marker::Circle, special.map(|s| fastest(&s.point))).width(5.0).label("special"));
    }
    Ok(Figure::stacked("Oscillator between two walls", vec![speeds, leading])
        .subtitle("e = 0.7, Δ = 1, γ = 0.01")
        .size(680.0, 640.0))
}
