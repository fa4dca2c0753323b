//! Figures 12 to 14: two impacts whose times do not change.

use saltation_draw::{Axis, Color, Figure, Layer, Marker, Panel, Points};
use saltation_modes::{Continuum, End, LinearModes, Search, continuum};

use super::Outcome;
use super::chain::{chain, last_mass};
use super::view::View;

/// The segment that is drawn: the first one whose ends have an impact without speed and whose flights differ by less than the
/// factor 5.
fn segment(modes: &LinearModes) -> Outcome<Continuum> {
    let search = Search { impacts: 2, periods: (1.0, 6.0), starts: 4000, ..Search::default() };
    let fits = |c: &Continuum| matches!(c.ends, End::Graze { .. }) && c.flight_times[1] < 5.0 * c.flight_times[0];
    Ok(continuum::continua(modes, &search, |_, _| true).into_iter().find(fits).ok_or("there is a segment")?)
}

/// The first bridge with all ways to share the impulse.
fn bridge(modes: &LinearModes) -> Outcome<Continuum> {
    let all = continuum::bridges(modes, 0.0, 4.0);
    Ok(all.into_iter().find(|bridge| bridge.least == 0.0).ok_or("there is a bridge")?)
}

/// x_n(t) of a segment: its two ends, its middle and what lies between.
fn positions(modes: &LinearModes, segment: &Continuum, middle: &str) -> Panel {
    let [first, second] = segment.flight_times;
    let period = first + second;
    let all = segment.motions(modes, 13);
    let mut panel = Panel::new(Axis::new("time t since an impact").between(0.0, period), Axis::new("last mass x₅"))
        .layer(Layer::horizontal(modes.gap()).color(Color::BLACK).width(1.4).label("wall"));
    for motion in &all {
        let line = Layer::line(last_mass(modes, motion, 0.0)).color(Color::GREY).width(0.7);
        panel = panel.layer(line.label("between"));
    }
    let share = |part: f64| format!("λ₁ = {:.4}, λ₂ = {:.4}", part * segment.total, (1.0 - part) * segment.total);
    let least = segment.least / segment.total;
    let marked = [
        (least, Color::BLUE, 2.0, share(least)),
        (1.0 - least, Color::VERMILLION, 2.0, share(1.0 - least)),
        (0.5, Color::PURPLE, 3.0, format!("{}, {middle}", share(0.5))),
    ];
    for (part, color, width, name) in marked {
        let motion = segment.motion(modes, part);
        panel = panel.layer(Layer::line(last_mass(modes, &motion, 0.0)).color(color).width(width).label(name));
    }
    let at = [0.0, first, period].map(|t| (t, modes.gap()));
    panel.layer(Layer::markers(Marker::Circle, at).color(Color::BLACK).width(5.0).label("impact"))
}

/// Dashed lines at these times, as high as the motions.
fn axes(panel: Panel, times: &[f64], (low, high): (f64, f64)) -> Panel {
    let lines: Points = times.iter().flat_map(|&t| [(t, low), (t, high), (f64::NAN, f64::NAN)]).collect();
    panel.layer(Layer::line(lines).color(Color::BLACK).width(0.9).dashed().label("axes of the middle"))
}

/// The least and the greatest x_n on a segment.
fn range(modes: &LinearModes, segment: &Continuum) -> (f64, f64) {
    let all = segment.motions(modes, 13);
    let values = all.iter().flat_map(|motion| last_mass(modes, motion, 0.0)).map(|(_, x)| x);
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
}

/// Figure 12.
pub(crate) fn constant_times() -> Outcome<Figure> {
    let modes = chain(1.0)?;
    let segment = segment(&modes)?;
    let [first, second] = segment.flight_times;
    let panel = positions(&modes, &segment, "symmetric");
    let panel = axes(panel, &[0.5 * first, first + 0.5 * second], range(&modes, &segment));
    Ok(Figure::new("A family with two impacts at constant times: α = β")
        .subtitle(format!(
            "σ₁ = {first:.8}, σ₂ = {second:.8}; λ₁ + λ₂ is constant; the two ends are mirror images of each other"
        ))
        .size(760.0, 500.0)
        .panel(panel))
}

/// Figure 13.
pub(crate) fn bridge_positions() -> Outcome<Figure> {
    let modes = chain(1.0)?;
    let bridge = bridge(&modes)?;
    let period = bridge.flight_times[0];
    let panel = positions(&modes, &bridge, "one impact per period");
    Ok(Figure::new("A bridge between one and two impacts per period")
        .subtitle(format!(
            "impacts at the multiples of T₀ = {period:.12}; at both ends of the bridge one of two impacts has no speed"
        ))
        .size(760.0, 500.0)
        .panel(axes(panel, &[0.5 * period, period, 1.5 * period], range(&modes, &bridge))))
}

/// Figure 14.
pub(crate) fn bridge_manifold() -> Outcome<Figure> {
    let modes = chain(1.0)?;
    let bridge = bridge(&modes)?;
    let half = bridge.flight_times[0];
    let view = View { right: 0.45, up: 2.0 };
    // The other half of the bridge has the same curves, its flights exchanged.
    let mut all = bridge.motions(&modes, 81);
    all.truncate(41);
    let mut panel = view.panel([1.2, 1.2, 5.0]);
    for motion in &all {
        let second = view.part(&modes, motion, half, f64::INFINITY);
        panel = panel.layer(Layer::line(second).color(Color::SKY).width(0.7).label("second flight, from T₀ to 2 T₀"));
    }
    for motion in &all {
        let first = view.part(&modes, motion, 0.0, half);
        panel = panel.layer(Layer::line(first).color(Color::PURPLE).width(0.9).label("first flight, from 0 to T₀"));
    }
    let end = Layer::line(view.orbit(&modes, &all[0])).color(Color::BLUE).width(1.8);
    panel = panel.layer(end.label("end of the bridge, λ₁ = 0"));
    let middle = view.orbit(&modes, &all[all.len() - 1]);
    panel = panel.layer(Layer::line(middle).color(Color::BLACK).width(3.0).label("one impact per period"));
    for after in [false, true] {
        for impact in [0, 1] {
            let touches = view.touches(&modes, &all, impact, after);
            panel = panel.layer(Layer::line(touches).color(Color::ORANGE).width(2.2).label("on the wall, x₅ = d"));
        }
    }
    Ok(Figure::new("The bridge as a ruled surface: all its motions have one period")
        .subtitle(format!("T₀ = {half:.12}; oblique view of (x₄, x₅, dx₅/dt)"))
        .size(760.0, 680.0)
        .panel(panel))
}
