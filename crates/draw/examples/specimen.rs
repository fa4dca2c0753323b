//! Draws a specimen of every kind of layer: `cargo run --example specimen -- FOLDER` writes SVG and PNG files.

use saltation_draw::{Axis, Color, DrawError, Figure, Layer, Marker, Panel};
use std::path::PathBuf;

/// A ball on a floor: gravity 1, restitution `r`; samples, impacts and the time of rest.
struct Bounce {
    gap: Vec<(f64, f64)>,
    speed: Vec<(f64, f64)>,
    impacts: Vec<(f64, f64)>,
    rest: f64,
}

fn bounce(r: f64, end: f64) -> Bounce {
    let mut bounce = Bounce { gap: vec![], speed: vec![], impacts: vec![], rest: 0.0 };
    let (mut start, mut v) = (0.0, 2.0);
    while v > 1e-6 {
        let flight = 2.0 * v;
        for i in 0..=200 {
            let t = flight * f64::from(i) / 200.0;
            bounce.gap.push((start + t, v * t - t * t / 2.0));
            bounce.speed.push((start + t, v - t));
        }
        bounce.speed.push((start + flight, f64::NAN));
        start += flight;
        bounce.impacts.push((start, -v));
        v *= r;
    }
    bounce.rest = start;
    bounce.gap.push((end, 0.0));
    bounce.speed.extend([(start, 0.0), (end, 0.0)]);
    bounce
}

/// Four quantities over one time, with bands, a wall and impact markers.
fn time_series() -> Figure {
    let end = 17.0;
    let bounce = bounce(0.7, end);
    let time = || (0..4000).map(move |i| f64::from(i) * end / 4000.0);
    let stick = || Layer::bands([(bounce.rest, f64::INFINITY)]).label("sticking");
    let axis = || Axis::new("time t").unit("s").tight();
    let gap = Panel::new(axis(), Axis::new("gap g").unit("m"))
        .layer(stick())
        .layer(Layer::horizontal(0.0).label("wall"))
        .layer(Layer::line(bounce.gap.iter().copied()).label("motion"))
        .layer(
            Layer::markers(Marker::Circle, bounce.impacts.iter().map(|impact| (impact.0, 0.0)))
                .width(5.0)
                .color(Color::VERMILLION)
                .label("impact"),
        );
    let speed = Panel::new(axis(), Axis::new("speed v = g′").unit("m/s"))
        .layer(stick())
        .layer(Layer::line(bounce.speed.iter().copied()))
        .layer(Layer::markers(Marker::Tick, bounce.impacts.iter().copied()).color(Color::VERMILLION));
    let force = Panel::new(axis(), Axis::new("contact force λ").unit("N"))
        .layer(stick())
        .layer(Layer::line(time().map(|t| (t, if t < bounce.rest { 0.0 } else { 9.81e-5 }))));
    let phase = Panel::new(axis(), Axis::new("forcing φ₁, φ₂"))
        .layer(stick())
        .layer(Layer::line(time().map(|t| (t, (2.0 * t).sin()))).label("cos φ₁"))
        .layer(Layer::line(time().map(|t| (t, 0.6 * (3.0 * t).cos()))).dashed().label("cos φ₂"));
    Figure::stacked("A ball comes to rest on a floor", vec![gap, speed, force, phase])
        .subtitle("r = 0.7, g = 1 m/s², v(0) = 2 m/s; chattering is complete at t = 13.3 s")
}

/// A phase plane whose orbit jumps at the wall.
fn phase_plane() -> Figure {
    let (mut points, mut jumps, mut before, mut after) = (vec![], vec![], vec![], vec![]);
    let (mut x, mut y, mut t) = (-0.5_f64, 0.0_f64, 0.0_f64);
    let step = 1e-3;
    while t < 60.0 {
        y += step * (0.6 * (0.81 * t).cos() - 0.04 * y - x - 1.0);
        x += step * y;
        t += step;
        points.push((x, y));
        if x > 0.0 && y > 0.0 {
            let rebound = (0.0, -0.8 * y);
            jumps.extend([(0.0, y), rebound, (f64::NAN, f64::NAN)]);
            before.push((0.0, y));
            after.push(rebound);
            points.extend([(f64::NAN, f64::NAN), rebound]);
            (x, y) = rebound;
        }
    }
    let panel = Panel::new(Axis::new("position x"), Axis::new("velocity y = x′"))
        .layer(Layer::line(points).width(1.0).opacity(0.8).label("flight"))
        .layer(Layer::line(jumps).color(Color::GREY).width(0.8).dashed().label("jump"))
        .layer(Layer::vertical(0.0).color(Color::BLACK).width(1.6).label("wall"))
        .layer(Layer::markers(Marker::Triangle, before).width(5.0).color(Color::VERMILLION).label("before"))
        .layer(Layer::markers(Marker::Square, after).width(5.0).color(Color::GREEN).label("after"));
    Figure::new("Phase plane of an impact oscillator")
        .subtitle("ζ = 0.02, ω = 0.81, r = 0.8, A = 0.6")
        .size(520.0, 500.0)
        .panel(panel)
}

/// A bifurcation diagram of many points.
fn cloud() -> Figure {
    let mut points = Vec::new();
    for i in 0..1000 {
        let a = 2.8 + 1.2 * f64::from(i) / 999.0;
        let mut x = 0.3;
        for n in 0..300 {
            x = a * x * (1.0 - x);
            if n >= 200 {
                points.push((a, x));
            }
        }
    }
    let panel = Panel::new(Axis::new("parameter a").tight(), Axis::new("x on the section"))
        .layer(Layer::cloud(points).label("attractor (100 000 points)"))
        .layer(Layer::vertical(3.0).label("period doubling"));
    Figure::new("Bifurcation diagram").subtitle("200 returns settled, 100 recorded").panel(panel)
}

/// Logarithmic axes, every marker, small and large numbers.
fn convergence() -> Figure {
    let steps = || (0..12).map(|i| 0.5_f64.powi(i));
    let log = Panel::new(Axis::new("step h").unit("s").log(), Axis::new("error").unit("m").log())
        .layer(Layer::line(steps().map(|h| (h, 1e-3 * h))).label("order 1"))
        .layer(Layer::line(steps().map(|h| (h, 1e-3 * h.powi(4)))).dashed().label("order 4"))
        .layer(Layer::markers(Marker::Cross, steps().map(|h| (h, 1.3e-3 * h))).label("Moreau"))
        .layer(Layer::markers(Marker::Circle, steps().map(|h| (h, 8e-4 * h.powi(4)))).label("Runge–Kutta"));
    let wide = Panel::new(
        Axis::new("load").unit("N").between(250_000.0, 0.0),
        Axis::new("a long name of a quantity which needs two lines").unit("kg m² s⁻³"),
    )
    .layer(Layer::line((0..100).map(|i| (f64::from(i) * 2500.0, -3e-7 * (f64::from(i) * 0.1).sin()))));
    Figure::new("Logarithmic and reversed axes").size(600.0, 560.0).panel(log).panel(wide)
}

fn main() -> Result<(), DrawError> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| ".".to_owned()));
    let figures = [
        ("time-series", time_series()),
        ("phase-plane", phase_plane()),
        ("cloud", cloud()),
        ("convergence", convergence()),
    ];
    for (name, figure) in figures {
        for format in ["svg", "png"] {
            figure.save(folder.join(name).with_extension(format))?;
        }
    }
    Ok(())
}
