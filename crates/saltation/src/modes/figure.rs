//! The figure of nonsmooth modes: energy against frequency, motions over a period, and the manifold they form.

use crate::drawing::motion::title;
use crate::drawing::smooth::smooth;
use crate::modes::Modes;
use crate::modes::view::{ABOVE, View};
use crate::text::number::short;
use saltation_draw::{Axis, Color, ColorMap, Figure, Layer, Marker, Panel};
use saltation_modes::{Interval, Motion, Single, SpecialKind};
use saltation_numerics::elementary;
use std::f64::consts::TAU;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 1180.0;
const BREAK: (f64, f64) = (f64::NAN, f64::NAN);
/// Points of an interval, and of a flight.
const POINTS: usize = 60;
const PER_FLIGHT: usize = 120;
/// The largest ratio of energies in one figure.
const VISIBLE: f64 = 30.0;
/// The largest number of motions over time.
const MOST_MOTIONS: usize = 5;
/// The largest number of curves of a manifold.
const MOST_CURVES: usize = 40;

/// The figure; the manifold is projected on three states, each by its index.
pub(super) fn figure(found: &Modes, coordinates: &[usize]) -> Figure {
    let shown = shown(found);
    let mut panels = vec![energies(found)];
    if !shown.is_empty() {
        panels.push(motions(found, &shown));
        panels.extend(manifold(found, coordinates));
    }
    let impacts = found.asked.impacts;
    let what = if impacts == 1 { "one impact".to_string() } else { format!("{impacts} impacts") };
    let mut about = vec![format!("nonsmooth modes with {what} per period")];
    about.extend(found.system.changed());
    let height = HEIGHT * panels.len() as f64 / 3.0;
    let figure = Figure::new(title(&found.system)).subtitle(about.join(", ")).size(WIDTH, height);
    panels.into_iter().fold(figure, Figure::panel)
}

/// Motions inside an interval, from its beginning to its end without both.
fn along(found: &Modes, interval: &Interval, count: usize) -> Vec<Motion> {
    let modes = &found.asked.modes;
    // Closer to both ends than equal steps, where energies change most.
    let part = |i: usize| 0.5 - 0.5 * elementary::cos(std::f64::consts::PI * (i as f64 + 0.5) / count as f64);
    let at = |i: usize| interval.from + part(i) * (interval.to - interval.from);
    (0..count).map(|i| Single::new(modes, at(i)).motion(modes)).collect()
}

/// All lines of motions: intervals, families, or families at constant times.
fn lines_of_motions(found: &Modes) -> Vec<Vec<Motion>> {
    let modal = &found.computed;
    let mut lines: Vec<Vec<Motion>> = Vec::new();
    if found.asked.impacts == 1 {
        lines.extend(modal.intervals.iter().map(|interval| along(found, interval, POINTS)));
    }
    lines.extend(modal.families.iter().map(|family| family.motions.clone()));
    lines
}

/// The longest line of motions, as far as energies there are not so large that nothing else could be seen.
fn longest(found: &Modes) -> Option<Vec<Motion>> {
    let lines = lines_of_motions(found).into_iter().map(|line| {
        let least = line.iter().map(Motion::energy).fold(f64::INFINITY, f64::min);
        line.into_iter().filter(|motion| motion.energy() <= VISIBLE * least).collect::<Vec<Motion>>()
    });
    lines.filter(|line| !line.is_empty()).max_by(|a, b| span(a).total_cmp(&span(b)))
}

/// The marks: kind, symbol and label.
type Mark = (fn(&SpecialKind) -> bool, Marker, Color, &'static str);

fn energies(found: &Modes) -> Panel {
    let modes = &found.asked.modes;
    let place = |motion: &Motion| (TAU / motion.period(), motion.energy());
    let lines = lines_of_motions(found);
    let points: Vec<(f64, f64)> = found
        .computed
        .motions
        .iter()
        .filter(|judged| judged.verdict.is_admissible())
        .map(|judged| place(&judged.motion))
        .collect();
    // Unbounded energies would compress all others.
    let usual: Vec<f64> =
        points.iter().chain(lines.iter().flatten().map(place).collect::<Vec<_>>().iter()).map(|p| p.1).collect();
    let mut sorted = usual;
    sorted.sort_by(f64::total_cmp);
    let most = sorted.get(sorted.len() / 2).map_or(1.0, |median| 100.0 * median);
    // Smooth as it is drawn, over the logarithm of the energy.
    let smoothed = |line: &Vec<Motion>| -> Vec<(f64, f64)> {
        let shown = line.iter().map(place).filter(|(_, energy)| *energy <= most);
        let points: Vec<(f64, f64)> = shown.map(|(x, energy)| (x, elementary::ln(energy))).collect();
        smooth(&points).into_iter().flatten().map(|(x, y)| (x, elementary::exp(y))).chain([BREAK]).collect()
    };
    let line: Vec<(f64, f64)> = lines.iter().flat_map(smoothed).collect();
    let constant: Vec<(f64, f64)> = found
        .computed
        .continua
        .iter()
        .flat_map(|continuum| continuum.motions(modes, 20).iter().map(place).chain([BREAK]).collect::<Vec<_>>())
        .collect();
    let frequencies = || points.iter().chain(&line).chain(&constant).map(|(x, _)| *x).filter(|x| x.is_finite());
    let (low, high) = (frequencies().fold(f64::INFINITY, f64::min), frequencies().fold(0.0, f64::max));
    let mut panel = Panel::new(Axis::new("frequency 2\u{3c0}/T"), Axis::new("energy").log());
    let mut labelled = false;
    for w in modes.frequencies() {
        // The linear mode and its subharmonics, on which motions that graze it m times in a period end.
        for m in 1..=(w / low.max(1e-9)).min(200.0) as usize {
            let at = w / m as f64;
            if at < 0.95 * low || at > 1.05 * high {
                continue;
            }
            let layer = Layer::vertical(at).color(Color::GREY).dashed().width(if m == 1 { 1.2 } else { 0.5 });
            panel = panel.layer(match labelled {
                false => layer.label("linear modes and their subharmonics"),
                true => layer,
            });
            labelled = true;
        }
    }
    if !constant.is_empty() {
        panel = panel.layer(Layer::line(constant).color(Color::ORANGE).width(1.6).label("constant impact times"));
    }
    if !line.is_empty() {
        panel = panel.layer(Layer::line(line).color(Color::BLACK).width(1.6).label("families"));
    }
    let lone = found.asked.impacts > 1 || found.asked.near.is_some();
    let points: Vec<(f64, f64)> = points.into_iter().filter(|(_, energy)| *energy <= most).collect();
    let special = |wanted: fn(&SpecialKind) -> bool| -> Vec<(f64, f64)> {
        let all = found.computed.families.iter().flat_map(|family| &family.special);
        let shown = all.filter(|special| wanted(&special.kind)).map(|special| place(&special.motion));
        shown.filter(|(_, energy)| *energy <= most).collect()
    };
    let marks: [Mark; 2] = [
        (|kind| matches!(kind, SpecialKind::Resonance { .. }), Marker::Triangle, Color::BLUE, "internal resonances"),
        (|kind| matches!(kind, SpecialKind::BranchPoint(_)), Marker::Square, Color::VERMILLION, "families cross"),
    ];
    for (wanted, marker, color, label) in marks {
        let places = special(wanted);
        if !places.is_empty() {
            panel = panel.layer(Layer::markers(marker, places).color(color).width(6.5).label(label));
        }
    }
    if !points.is_empty() && lone && found.computed.families.is_empty() {
        panel = panel
            .layer(Layer::markers(Marker::Circle, points).color(Color::VERMILLION).width(4.0).label("motions found"));
    }
    panel
}

/// Representative motions: across the longest family or interval, or the first ones found.
fn shown(found: &Modes) -> Vec<Motion> {
    let modal = &found.computed;
    let longest = longest(found).filter(|_| found.asked.near.is_none());
    let Some(longest) = longest else {
        let admissible = modal.motions.iter().filter(|judged| judged.verdict.is_admissible());
        return admissible.take(MOST_MOTIONS).map(|judged| judged.motion.clone()).collect();
    };
    let at = |i: usize| i * (longest.len() - 1) / (MOST_MOTIONS - 1);
    (0..MOST_MOTIONS.min(longest.len())).map(|i| longest[at(i)].clone()).collect()
}

/// The extent of a line of motions, in the logarithm of the period.
fn span(line: &[Motion]) -> f64 {
    let periods = || line.iter().map(Motion::period);
    elementary::ln(periods().fold(0.0, f64::max) / periods().fold(f64::INFINITY, f64::min))
}

/// The colour of the i-th of some motions in all panels: darker towards the last.
fn color(i: usize, count: usize) -> Color {
    let share = if count > 1 { i as f64 / (count - 1) as f64 } else { 1.0 };
    ColorMap::Sequential.color(0.15 + 0.85 * share)
}

fn motions(found: &Modes, shown: &[Motion]) -> Panel {
    let modes = &found.asked.modes;
    let structure = &found.asked.structure;
    let model = found.system.model();
    let contact = &model.contacts[structure.contact];
    let gap = Axis::new(format!("gap: {}", contact.name));
    let gap = match &contact.unit {
        Some(unit) => gap.unit(unit),
        None => gap,
    };
    let mut panel = Panel::new(Axis::new("time in periods t/T").tight(), gap).layer(Layer::horizontal(0.0));
    for (i, motion) in shown.iter().enumerate() {
        let points = motion.path(modes, PER_FLIGHT).into_iter().map(|(t, u, _)| {
            let gap = structure.normal.iter().zip(&u).fold(structure.gap, |gap, (w, u)| gap + w * u);
            (t / motion.period(), gap)
        });
        let label = format!("T = {}, E = {}", short(motion.period(), 6), short(motion.energy(), 4));
        panel = panel.layer(Layer::line(points).color(color(i, shown.len())).width(1.6).label(label));
    }
    panel
}

fn manifold(found: &Modes, coordinates: &[usize]) -> Option<Panel> {
    let modes = &found.asked.modes;
    let model = found.system.model();
    let mechanics = model.body.mechanics()?;
    let n = modes.degrees_of_freedom();
    // Which entry of (u, v) a state of the model is.
    let entry = |state: usize| {
        let position = mechanics.coordinates.iter().position(|&i| i == state);
        position.or_else(|| mechanics.velocities.iter().position(|&i| i == state).map(|i| n + i))
    };
    let entries: Vec<usize> = coordinates.iter().filter_map(|&state| entry(state)).collect();
    let [a, b, c] = entries[..] else { return None };
    let chosen: Vec<Motion> = match longest(found) {
        Some(line) if found.asked.near.is_none() => {
            let count = MOST_CURVES.min(line.len());
            (0..count).map(|i| line[i * (line.len() - 1) / (count - 1).max(1)].clone()).collect()
        }
        _ => shown(found),
    };
    let curves: Vec<Vec<[f64; 3]>> = chosen
        .iter()
        .map(|motion| {
            let path = motion.path(modes, PER_FLIGHT);
            let number = |(u, v): (&Vec<f64>, &Vec<f64>), i: usize| {
                if i < n { u[i] + found.asked.structure.rest[i] } else { v[i - n] }
            };
            path.iter().map(|(_, u, v)| [a, b, c].map(|i| number((u, v), i))).collect()
        })
        .collect();
    let names = [0, 1, 2].map(|k| match &model.states[coordinates[k]].unit {
        Some(unit) => format!("{} ({unit})", model.states[coordinates[k]].name),
        None => model.states[coordinates[k]].name.clone(),
    });
    let view = View::of(curves.iter().flatten().copied());
    let about = format!("orthographic view from {ABOVE:.0}\u{b0} above, every axis in units of its range");
    let panel = Panel::new(Axis::new(about), Axis::new("the manifold")).equal_units().without_frame();
    let panel = view.frame(&names).into_iter().fold(panel, Panel::layer);
    let count = curves.len();
    let layers = curves.iter().enumerate().map(|(i, curve)| {
        let points = curve.iter().map(|&p| view.place(p));
        Layer::line(points).color(color(i, count)).width(0.9)
    });
    Some(layers.fold(panel, Panel::layer))
}
