//! Draws the responses over the backbone, for several loads and dampings, with the distances of their folds from it.

use saltation_draw::{Axis, Color, Figure, Layer, Marker, Panel, Points};

use super::backbone::Backbone;
use super::response::Response;
use super::{Distance, Outcome};

/// The damping of the first panel, and its loads F/a.
const DAMPING: f64 = 0.05;
const RATIOS: [f64; 4] = [0.85, 0.92, 1.0, 1.2];
/// The load F/a of the other panels, and their dampings.
const RATIO: f64 = 1.0;
const DAMPINGS: [f64; 5] = [0.16, 0.08, 0.04, 0.02, 0.01];

const COLORS: [Color; 5] = [Color::GREEN, Color::BLUE, Color::VERMILLION, Color::PURPLE, Color::ORANGE];

const GAP: (f64, f64) = (f64::NAN, f64::NAN);

/// The motions of a response that are so stable, as a line.
fn line(response: &Response, stable: bool) -> Points {
    let branch = response.branch();
    let special = |k: usize| branch.special.iter().any(|special| special.index == k);
    let steps = 0..branch.points.len().saturating_sub(1);
    steps
        .flat_map(|k| {
            // Two kinds meet at special points: a step is what its ordinary end is.
            let own = &branch.points[if special(k) { k + 1 } else { k }];
            let ends = [k, k + 1].map(|k| response.place(&branch.points[k]));
            if own.admissible && own.stable == stable { ends } else { [GAP, GAP] }
        })
        .collect()
}

/// A response with its fold: stable motions thick, unstable ones thin.
fn with_response(panel: Panel, response: &Response, color: Color, name: String) -> Outcome<Panel> {
    let fold = Layer::markers(Marker::Circle, [response.resonance()?]).color(color).width(5.0);
    let unstable = Layer::line(line(response, false)).color(color).width(0.8);
    let stable = Layer::line(line(response, true)).color(color).width(2.6);
    Ok(panel.layer(unstable).layer(stable.label(name)).layer(fold))
}

fn axes(letter: &str, omega: (f64, f64), speeds: (f64, f64)) -> Panel {
    Panel::new(
        Axis::new("frequency ω of the load, rad per unit of time").between(omega.0, omega.1),
        Axis::new(format!("({letter})  impact speed, lengths per unit of time")).between(speeds.0, speeds.1),
    )
}

/// The picture; the table is printed on the way.
pub(crate) fn draw() -> Outcome<Figure> {
    let backbone = Backbone::new()?;
    let curve = || Layer::line(backbone.points()).color(Color::BLACK).width(1.3).label("modes, the backbone");
    let modes = |places: Points| {
        Layer::markers(Marker::Cross, places).color(Color::BLACK).width(9.0).label("modes that the loads keep up")
    };

    let mut loads = axes("a", (1.39, 1.6), (0.0, 1.6)).layer(curve());
    let mut balanced = Points::new();
    for (ratio, color) in RATIOS.into_iter().zip(COLORS) {
        let response = Response::new(DAMPING, ratio * DAMPING)?;
        balanced.push(Distance::of(&backbone, &response, DAMPING, ratio)?.mode);
        loads = with_response(loads, &response, color, format!("(a)  F/a = {ratio}"))?;
    }
    loads = loads.layer(modes(balanced));

    let mut dampings = axes("b", (1.5, 1.56), (0.6, 1.15)).layer(curve());
    let mut distances = Vec::new();
    for (damping, color) in DAMPINGS.into_iter().zip(COLORS) {
        let response = Response::new(damping, RATIO * damping)?;
        distances.push(Distance::of(&backbone, &response, damping, RATIO)?);
        dampings = with_response(dampings, &response, color, format!("(b)  a = {damping}"))?;
    }
    dampings = dampings.layer(modes(distances.iter().take(1).map(|distance| distance.mode).collect()));

    println!("F/a = {RATIO}: the resonance and the mode that this load keeps up");
    println!("     a   ω of the fold  ω of the mode  distance  impact speed  of the mode  distance");
    for d in &distances {
        let off = d.off();
        println!(
            "{:>6}  {:.11}  {:.11}  {:.2e}  {:.10}  {:.9}  {:.2e}",
            d.damping, d.fold.0, d.mode.0, off.0, d.fold.1, d.mode.1, off.1
        );
    }
    let history = |of: fn((f64, f64)) -> f64| distances.iter().map(move |d| (d.damping, of(d.off())));
    let squares = [0.01, 0.16].map(|a: f64| (a, 0.7 * a * a));
    let away =
        Panel::new(Axis::new("damping a, per unit of time").log(), Axis::new("(c)  distance of the resonance").log())
            .layer(Layer::line(squares).color(Color::GREY).width(1.0).dashed().label("(c)  slope 2"))
            .layer(
                Layer::markers(Marker::Circle, history(|off| off.0))
                    .color(Color::BLUE)
                    .width(7.0)
                    .label("(c)  in frequency"),
            )
            .layer(
                Layer::markers(Marker::Square, history(|off| off.1))
                    .color(Color::VERMILLION)
                    .width(7.0)
                    .label("(c)  in impact speed"),
            );
    Ok(Figure::new("Resonances of the driven chain, and the nonsmooth modes they belong to")
        .subtitle(format!(
            "load F cos φ, damping a M, one impact per period; thick: stable, thin: unstable; dots: folds; (a) a = {DAMPING}, (b) and (c) F = a"
        ))
        .size(760.0, 1260.0)
        .panel(loads)
        .panel(dampings)
        .panel(away))
}
