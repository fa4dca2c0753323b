//! Figs. 3(a) and 9(d) of Nordmark & Piiroinen, Simulation and stability analysis of impacting systems with complete
//! chattering, drawn again.
//!
//! `cargo run --release -p saltation --example chattering_figures -- FOLDER` writes `saltation-matrices.svg` and `multipliers.svg`,
//! and the same as PNG, to the folder (the present one unless given).

#[path = "../validation/common/saltation.rs"]
mod saltation;

use std::path::PathBuf;

use saltation_draw::{Axis, Figure, Layer, Marker, Panel};
use saltation_model::{Overrides, gallery};
use saltation_motion::{self as motion, EventKind, Motion, System};
use saltation_orbit::{Settings, find};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// The largest sum of absolute values in a column.
fn one_norm(matrix: &[Vec<f64>]) -> f64 {
    let column = |j: usize| matrix.iter().map(|row| row[j].abs()).sum::<f64>();
    (0..matrix[0].len()).map(column).fold(0.0, f64::max)
}

/// Fig. 3(a): the saltation matrices along the chattering of a ball.
fn saltation_matrices() -> Outcome<Figure> {
    let model = gallery::model("bouncing-ball").ok_or("the gallery has a ball")??;
    let (system, values) = (System::new(&model), model.values(&Overrides::default())?);
    let settings = motion::Settings { until: 10.0, ..motion::Settings::default() };
    let run = Motion::new(&system, &values, settings)?.run(false, |_| true);
    let impacts: Vec<_> = run.events.iter().filter(|event| event.kind == EventKind::Impact).collect();
    let (mut plain, mut scaled) = (Vec::new(), Vec::new());
    for (k, pair) in impacts.windows(2).enumerate() {
        let (number, before) = (k as f64 + 2.0, &pair[1].before);
        plain.push((number, one_norm(&saltation::matrix(&model, &values, 0, before))));
        let matrix = saltation::scaled_matrix(&model, &values, 0, before, pair[0].speed_after);
        scaled.push((number, one_norm(&matrix)));
    }
    let panel = Panel::new(Axis::new("impact"), Axis::new("1-norm of the saltation matrix").log())
        .layer(Layer::markers(Marker::Circle, plain).label("in x"))
        .layer(Layer::markers(Marker::Square, scaled).label("in x, h = H/u and u"));
    Ok(Figure::new("Saltation matrices along a chattering sequence")
        .subtitle("bouncing ball, g = 9.8, e = 0.8, released from rest at height 1")
        .panel(panel))
}

/// Fig. 9(d): the multipliers of the period-2 orbit of the double pendulum as the wall moves away.
fn multipliers() -> Outcome<Figure> {
    let model = gallery::model("double-pendulum").ok_or("the gallery has a pendulum")??;
    let system = System::new(&model);
    let set = [("d", "0.5009"), ("e", "0.19"), ("T", "-40")];
    let set = set.map(|(name, value)| (name.to_string(), value.to_string())).to_vec();
    let mut values = model.values(&Overrides { set, start: Vec::new() })?;
    let section = system.default_section().ok_or("the pendulum has a section")?;
    let distance = model.parameter("d").ok_or("the wall has a distance")?;
    let mut settings = Settings { returns: 2, settle: 400, ..Settings::through(section) };
    let mut rows: Vec<(f64, [f64; 4])> = Vec::new();
    for k in 0..=60 {
        values.set(distance, 0.5009 + 0.0002 * f64::from(k) / 60.0)?;
        let search = find(&system, &values, &settings, &mut |_| true);
        let orbit = search.orbit.ok_or_else(|| search.ended.describe(&system))?;
        values.start_from(&orbit.state);
        settings.settle = 0;
        rows.push((values.parameters()[distance], std::array::from_fn(|i| orbit.multipliers[i].re)));
    }
    let line = |i: usize| Layer::line(rows.iter().map(move |(d, found)| (*d, found[i])));
    // The trivial multiplier is 1, and two are exactly 0.
    let trivial = |found: &[f64; 4]| usize::from((found[0] - 1.0).abs() > (found[1] - 1.0).abs());
    let other = rows.iter().map(|(d, found)| (*d, found[1 - trivial(found)]));
    let own = rows.iter().map(|(d, found)| (*d, found[trivial(found)]));
    let panel = Panel::new(Axis::new("distance d of the wall").unit("m").tight(), Axis::new("multiplier"))
        .layer(Layer::horizontal(-1.0).label("period doubling"))
        .layer(Layer::line(own).label("trivial"))
        .layer(Layer::line(other).label("leading"))
        .layer(line(2).label("lost in sticking (two)"));
    Ok(Figure::new("Multipliers of the period-2 orbit of the double pendulum")
        .subtitle("e = 0.19, T = -40 N m; two intervals of sticking per period")
        .panel(panel))
}

fn main() -> Outcome<()> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| ".".to_string()));
    for (name, figure) in [("saltation-matrices", saltation_matrices()?), ("multipliers", multipliers()?)] {
        for kind in ["svg", "png"] {
            let path = folder.join(format!("{name}.{kind}"));
            figure.save(&path)?;
            println!("wrote {}", path.display());
        }
    }
    Ok(())
}
