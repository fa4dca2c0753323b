//! Nonsmooth modes: energies over frequencies, from the stored answer.

use super::{Drawing, subtitle};
use crate::branch::figure::BREAK;
use crate::drawing::motion::title;
use crate::modes::Answer;
use crate::modes::answer::Motion;
use crate::system::System;
use saltation_draw::{Axis, Color, Figure, Layer, Marker, Panel};

/// Energies beyond this many times their median would compress all others.
const VISIBLE: f64 = 100.0;
/// The most subharmonics of a linear mode.
const MOST: usize = 200;

/// The figure; none if there are no motions.
pub(crate) fn figure(system: &System, answer: &Answer) -> Option<Drawing> {
    let place = |motion: &Motion| (motion.frequency, motion.energy);
    let points: Vec<(f64, f64)> = answer.modes.iter().filter(|mode| mode.admissible).map(|mode| place(mode)).collect();
    let family = |points: &[Motion]| points.iter().map(place).collect::<Vec<_>>();
    let samples = answer.samples.iter().map(|list| list.iter().map(|mode| place(mode)).collect::<Vec<_>>());
    let lines: Vec<Vec<(f64, f64)>> = answer.families.iter().map(|one| family(&one.points)).chain(samples).collect();
    let mut all: Vec<f64> = points.iter().chain(lines.iter().flatten()).map(|p| p.1).filter(|e| *e > 0.0).collect();
    all.sort_by(f64::total_cmp);
    let most = VISIBLE * all.get(all.len() / 2)?;
    let seen = |p: &(f64, f64)| p.1 > 0.0 && p.1 <= most && p.0.is_finite();
    let line: Vec<(f64, f64)> =
        lines.iter().flat_map(|line| line.iter().copied().filter(seen).chain([BREAK])).collect();
    let points: Vec<(f64, f64)> = points.into_iter().filter(seen).collect();
    let frequencies = || points.iter().chain(&line).map(|p| p.0).filter(|x| x.is_finite());
    let (low, high) = (frequencies().fold(f64::INFINITY, f64::min), frequencies().fold(0.0, f64::max));
    let mut panel = Panel::new(Axis::new("frequency 2π/T"), Axis::new("energy").log());
    let mut labelled = false;
    for w in &answer.frequencies {
        for m in 1..=(w / low.max(1e-9)).min(MOST as f64) as usize {
            let at = w / m as f64;
            if at >= 0.95 * low && at <= 1.05 * high {
                let layer = Layer::vertical(at).color(Color::GREY).dashed().width(if m == 1 { 1.2 } else { 0.5 });
                panel = panel.layer(match labelled {
                    false => layer.label("linear modes and their subharmonics"),
                    true => layer,
                });
                labelled = true;
            }
        }
    }
    if line.iter().any(|p| p.0.is_finite()) {
        panel = panel.layer(Layer::line(line).color(Color::BLACK).width(1.6).label("families"));
    }
    if !points.is_empty() {
        let layer = Layer::markers(Marker::Circle, points).color(Color::VERMILLION).width(4.0);
        panel = panel.layer(layer.label("motions found"));
    }
    let impacts = if answer.ipp == 1 { "one impact".to_string() } else { format!("{} impacts", answer.ipp) };
    let about = format!("nonsmooth modes with {impacts} per period");
    let figure = Figure::new(title(system)).subtitle(subtitle(system, &[], &[&about])).size(760.0, 430.0).panel(panel);
    let from = "drawn from the stored answer modes.json; motions over a period, which --plot draws, are not stored";
    Some(Drawing::new(figure, "Energies of nonsmooth modes over their frequencies", from))
}
