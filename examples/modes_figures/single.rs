//! Figures 6 to 8: one impact per period.

use saltation_draw::{Axis, Color, Figure, Layer, Marker, Panel, Points};
use saltation_modes::{Interval, LinearModes, Motion, Single, single};

use super::Outcome;
use super::chain::{chain, grazing, harmonics, last_mass, mixed, spread};
use super::view::View;

/// φ(T) = -√G Σ q² cot(ω T/2)/ω = d/λ.
fn phi(modes: &LinearModes, period: f64) -> f64 {
    modes.gap() / Single::new(modes, period).lambda
}

/// The root of φ, which grows, between two neighbouring harmonics.
fn root(modes: &LinearModes, mut left: f64, mut right: f64) -> f64 {
    while right - left > 1e-14 * right {
        let middle = 0.5 * (left + right);
        *(if phi(modes, middle) < 0.0 { &mut left } else { &mut right }) = middle;
    }
    0.5 * (left + right)
}

/// 600 periods of an interval, crowded at both ends.
fn crowded(from: f64, to: f64) -> impl Iterator<Item = f64> {
    spread(0.0, 1.0, 600).map(move |s| from + (to - from) * s * s * (3.0 - 2.0 * s))
}

/// The interval that ends at 4 T_3.
fn near_four_third_periods(modes: &LinearModes) -> Outcome<Interval> {
    let at = 4.0 * modes.period(2);
    let interval = single::intervals(modes, 0.5 * at, 1.1 * at).into_iter().find(|i| (i.to - at).abs() < 1e-12 * at);
    Ok(interval.ok_or("an interval ends at 4 T₃")?)
}

/// Periods from the beginning of an interval to its end, denser where the motion changes most.
fn across(interval: &Interval, count: usize) -> impl Iterator<Item = f64> + use<> {
    let Interval { from, to, .. } = *interval;
    spread(0.0, 1.0, count).map(move |s| to - (to - from) * (1.0 - s).powi(2))
}

/// The motions at these periods; at the end of the interval the linear mode that grazes.
fn motions(modes: &LinearModes, interval: &Interval, periods: impl Iterator<Item = f64>) -> Vec<Motion> {
    let motion = |period: f64| {
        if period < interval.to { Single::new(modes, period).motion(modes) } else { grazing(modes, 2, 4) }
    };
    periods.map(motion).collect()
}

fn shade(part: f64) -> Color {
    mixed(Color::VERMILLION, Color::BLUE, part)
}

/// φ(T) with everything that can be read off it between two periods.
fn graph(open: &LinearModes, pressed: &LinearModes, name: &str, (low, high): (f64, f64), height: f64) -> Panel {
    let mut borders = vec![0.0];
    borders.extend(harmonics(open, 0.0, high + 1.0).iter().map(|(at, _)| *at));
    // Beyond the panel φ only grows.
    let clamped = |period: f64| phi(open, period).clamp(-4.0 * height, 4.0 * height);
    let (mut curve, mut lines) = (Points::new(), Points::new());
    let (mut positive, mut negative) = (Vec::new(), Vec::new());
    for pair in borders.windows(2) {
        let (left, right) = (pair[0], pair[1]);
        let zero = root(open, left, right);
        negative.push((left, zero));
        positive.push((zero, right));
        curve.extend(crowded(left, right).skip(1).take(598).map(|period| (period, clamped(period))));
        curve.push((f64::NAN, f64::NAN));
        lines.extend([(right, -height), (right, height), (f64::NAN, f64::NAN)]);
    }
    let admissible = |modes: &LinearModes| -> Points {
        let intervals = single::intervals(modes, low, high);
        let part = |interval: Interval| {
            let inside = crowded(interval.from, interval.to).take(599).filter(|period| *period > 0.0);
            inside.map(|period| (period, clamped(period))).chain([(f64::NAN, f64::NAN)]).collect::<Points>()
        };
        intervals.into_iter().flat_map(part).collect()
    };
    Panel::new(Axis::new("period T").between(low, high), Axis::new(name).between(-height, height))
        .layer(Layer::bands(positive).color(Color::ORANGE).opacity(0.25).label("λ > 0 if d > 0"))
        .layer(Layer::bands(negative).color(Color::GREY).opacity(0.18).label("λ > 0 if d < 0"))
        .layer(Layer::line(lines).color(Color::GREY).width(0.8).dashed().label("harmonics"))
        .layer(Layer::horizontal(0.0))
        .layer(Layer::line(curve).color(Color::BLACK).width(1.0).label("φ"))
        .layer(Layer::line(admissible(open)).color(Color::BLUE).width(3.2).label("admissible, d = 1"))
        .layer(Layer::line(admissible(pressed)).color(Color::VERMILLION).width(3.2).label("admissible, d = −1"))
}

/// Figure 6.
pub(crate) fn graph_of_phi() -> Outcome<Figure> {
    let (open, pressed) = (chain(1.0)?, chain(-1.0)?);
    let interval = near_four_third_periods(&open)?;
    let (low, high) = (3.70, 3.86);
    let ends = [interval.from, interval.to].map(|at| (at, phi(&open, at)));
    let closer = graph(&open, &pressed, "(b)  φ, near 4 T₃", (low, high), 6.0).layer(
        Layer::markers(Marker::Circle, [ends[0]]).color(Color::BLUE).width(8.0).label("here another contact begins"),
    );
    Ok(Figure::new("Which periods can have one impact? φ(T) = d/λ of the chain of five masses")
        .subtitle(format!(
            "m = 1/5, k = 5; the interval at 4 T₃ = {:.6} begins at T = {:.6}; Figure 7 shows its motions",
            interval.to, interval.from
        ))
        .size(760.0, 760.0)
        .panel(graph(&open, &pressed, "(a)  φ(T)", (0.0, 4.1), 1.5))
        .panel(closer))
}

/// Figure 7.
pub(crate) fn positions() -> Outcome<Figure> {
    let modes = chain(1.0)?;
    let interval = near_four_third_periods(&modes)?;
    let all = motions(&modes, &interval, across(&interval, 6));
    let longest = interval.to;
    let mut panel = Panel::new(
        Axis::new("time t since the middle of the flight").between(-0.5 * longest - 0.05, 0.5 * longest + 0.05),
        Axis::new("last mass x₅"),
    )
    .layer(Layer::horizontal(modes.gap()).color(Color::BLACK).width(1.4).label("wall"));
    for (i, motion) in all.iter().enumerate() {
        let half = 0.5 * motion.period();
        let line = last_mass(&modes, motion, 0.0).into_iter().map(|(t, x)| (t - half, x));
        let name =
            format!("T = {:.4}{}", motion.period(), if i + 1 == all.len() { ", grazing linear mode" } else { "" });
        let (color, width) = if i + 1 == all.len() { (Color::GREEN, 2.0) } else { (shade(i as f64 / 5.0), 1.4) };
        panel = panel.layer(Layer::line(line).color(color).width(width).label(name));
    }
    let touching = all.iter().flat_map(|motion| [-0.5, 0.5].map(|part| (part * motion.period(), modes.gap())));
    panel = panel.layer(Layer::markers(Marker::Circle, touching).color(Color::BLACK).width(4.0).label("impact"));
    Ok(Figure::new("One impact per period: all motions of the interval near 4 T₃")
        .subtitle("chain of five masses, wall at d = 1; the first motion touches the wall twice more, the last one is the third linear mode")
        .size(760.0, 480.0)
        .panel(panel))
}

/// Figure 8.
pub(crate) fn manifold() -> Outcome<Figure> {
    let modes = chain(1.0)?;
    let interval = near_four_third_periods(&modes)?;
    let view = View { right: 0.45, up: 3.0 };
    let all = motions(&modes, &interval, across(&interval, 61));
    let last = all.len() - 1;
    let mut panel = view.panel([1.5, 1.5, 9.0]);
    for (i, motion) in all.iter().enumerate().filter(|(i, _)| i % 12 != 0) {
        let color = mixed(Color::rgb(240, 190, 160), Color::rgb(150, 200, 235), i as f64 / last as f64);
        panel = panel.layer(Layer::line(view.orbit(&modes, motion)).color(color).width(0.7));
    }
    for i in (0..last).step_by(12) {
        let orbit = view.orbit(&modes, &all[i]);
        panel = panel.layer(Layer::line(orbit).color(Color::VERMILLION).width(1.3).label("five motions of Figure 7"));
    }
    let green = Layer::line(view.orbit(&modes, &all[last])).color(Color::GREEN).width(2.4);
    panel = panel.layer(green.label("grazing linear mode"));
    for after in [false, true] {
        let touches = view.touches(&modes, &all, 0, after);
        panel = panel.layer(Layer::line(touches).color(Color::ORANGE).width(2.4).label("on the wall, x₅ = d"));
    }
    Ok(Figure::new("The nonsmooth mode near 4 T₃ as a surface of closed motions")
        .subtitle(format!(
            "one impact per period, T from {:.4} to {:.4}; oblique view of (x₄, x₅, dx₅/dt)",
            interval.from, interval.to
        ))
        .size(760.0, 680.0)
        .panel(panel))
}
