//! The figure of a branch: one quantity over the parameter, with stability, admissibility and bifurcations marked.

use crate::branch::Branch;
use crate::branch::ordinate::Ordinate;
use crate::branch::report::{left_out, pieces};
use crate::drawing::close_up::{with_close_up, with_marks};
use crate::drawing::smooth::{smooth, smooth_between_jumps};
use crate::naming::Naming;
use crate::text::number::short;
use saltation_draw::{Axis, Color, Figure, Layer, Marker, Panel};
use saltation_model::{Model, Parameter};
use saltation_orbit::branch::{Branch as Line, SpecialKind};

/// The size of a figure of one panel.
pub(crate) const WIDTH: f64 = 720.0;
pub(crate) const HEIGHT: f64 = 460.0;
/// A break of a line.
pub(crate) const BREAK: (f64, f64) = (f64::NAN, f64::NAN);
/// The kinds of lines: stable, admissible, colour and label. Those that come first are drawn last, in front of the others.
pub(crate) const LINES: [(bool, bool, Color, &str); 4] = [
    (true, true, Color::BLUE, "stable"),
    (false, true, Color::VERMILLION, "unstable"),
    (true, false, Color::BLUE, "stable, not admissible"),
    (false, false, Color::VERMILLION, "unstable, not admissible"),
];

/// A line of one of [`LINES`]: stability is told by its colour and by dashes, what is not admissible by dots and a pale colour. What is admissible sets the range.
pub(crate) fn line_of(kind: usize, points: Vec<(f64, f64)>) -> Layer {
    let (stable, admissible, color, label) = LINES[kind];
    let line = Layer::line(points).color(color).label(label);
    match (stable, admissible) {
        (true, true) => line.width(1.8),
        (false, true) => line.width(1.8).dashed(),
        _ => line.width(1.4).dotted().opacity(PALE).outside_range(),
    }
}

/// The opacity of what is no motion.
const PALE: f64 = 0.6;

/// The layers of lines of all kinds, in the order in which they are drawn.
pub(crate) fn layers_of(lines: [Vec<(f64, f64)>; 4]) -> impl Iterator<Item = Layer> {
    let all = lines.into_iter().enumerate().rev().filter(|(_, line)| !line.is_empty());
    all.map(|(kind, line)| line_of(kind, line))
}

/// The figure of all branches.
pub(crate) fn figure(followed: &Branch, naming: Naming, ordinate: Option<Ordinate>) -> Figure {
    let Branch { system, request, branches, .. } = followed;
    let model = system.model();
    let usual = Ordinate::usual(naming, model, branches);
    // Without impacts there are no impact speeds to draw.
    let ordinate = match ordinate {
        None => usual,
        Some(Ordinate::ImpactSpeed) if branches.iter().flat_map(|b| &b.points).all(|p| p.impact_speeds.is_empty()) => {
            usual
        }
        Some(other) => other,
    };
    let mut panel = Panel::new(parameter_axis(&model.parameters[followed.parameter]), ordinate.axis(model));
    let limits = branches.iter().flat_map(|branch| &branch.special).filter_map(|special| special.homoclinic.as_ref());
    for law in limits {
        let limit = format!("the period is infinite at {} = {}", followed.along(), short(law.value, 10));
        panel = panel.layer(Layer::vertical(law.value).label(limit));
    }
    let mut lines: [Vec<(f64, f64)>; 4] = Default::default();
    for branch in branches {
        let values: Vec<Vec<f64>> = branch.points.iter().map(|p| ordinate.values(naming, branch, p)).collect();
        let curve = |k: usize| {
            let y = |values: &Vec<f64>| values.get(k).copied().unwrap_or(f64::NAN);
            let points: Vec<_> = branch.points.iter().zip(&values).map(|(p, v)| (branch.value(p), y(v))).collect();
            // Where an impact passes the section a state on it jumps.
            if matches!(ordinate, Ordinate::State(_)) { smooth_between_jumps(&points) } else { smooth(&points) }
        };
        let curves: Vec<Vec<Vec<(f64, f64)>>> =
            (0..values.iter().map(Vec::len).max().unwrap_or(0)).map(curve).collect();
        for piece in pieces(branch) {
            let which = LINES.iter().position(|line| (line.0, line.1) == (piece.stable, piece.admissible));
            let line = &mut lines[which.unwrap_or(0)];
            for curve in &curves {
                let last = &curve[piece.to][..1];
                line.extend(curve[piece.from..piece.to].iter().flatten().chain(last));
                line.push(BREAK);
            }
        }
    }
    panel = layers_of(lines).fold(panel, Panel::layer);
    let mut marks: Vec<(f64, f64)> = Vec::new();
    let mut kinds = Vec::new();
    for kind in SpecialKind::ALL {
        // Of motions, and of orbits that are none.
        let mut points: [Vec<(f64, f64)>; 2] = Default::default();
        for branch in branches {
            for special in branch.special.iter().filter(|special| special.kind == kind) {
                let values = ordinate.values(naming, branch, &special.point);
                let place = &mut points[usize::from(!is_of_motions(branch, special.index))];
                place.extend(values.into_iter().map(|y| (branch.value(&special.point), y)));
            }
        }
        let [real, others] = points;
        if !others.is_empty() {
            let pale = mark(kind, others).opacity(PALE).outside_range();
            // One entry of the legend, which is not pale where some is not.
            kinds.push(if real.is_empty() { pale } else { Layer { label: None, ..pale } });
        }
        if !real.is_empty() {
            marks.extend(&real);
            kinds.push(mark(kind, real));
        }
    }
    panel = with_marks(panel, kinds);
    let mut about = system.changed_but(&[followed.along()]);
    about.push(format!("tolerance {:e}", request.tol));
    if left_out(followed).is_some() {
        about.push("not all that bifurcates is followed".to_string());
    }
    of_panels(Figure::new(title(model)).subtitle(about.join(", ")), with_close_up(panel, &marks))
}

/// The figure with a panel, and below it the one that magnifies a part of it.
pub(crate) fn of_panels(figure: Figure, panels: Vec<Panel>) -> Figure {
    let height = HEIGHT + 340.0 * (panels.len() as f64 - 1.0);
    panels.into_iter().fold(figure.size(WIDTH, height), Figure::panel)
}

/// The headline: the title of the model.
pub(crate) fn title(model: &Model) -> String {
    model.title.clone().unwrap_or_else(|| model.name.clone())
}

/// The axis of a parameter, with its description.
pub(crate) fn parameter_axis(parameter: &Parameter) -> Axis {
    let symbol = parameter.symbol_text.as_ref().unwrap_or(&parameter.name);
    let axis = match &parameter.about {
        Some(about) => Axis::new(format!("{about}, {symbol}")),
        None => Axis::new(symbol.clone()),
    };
    match &parameter.unit {
        Some(unit) => axis.unit(unit),
        None => axis,
    }
}

/// Whether a bifurcation is one of motions: itself, where that is not rounding, or beside it.
fn is_of_motions(branch: &Line, index: usize) -> bool {
    let beside = index.saturating_sub(1)..(index + 2).min(branch.points.len());
    branch.points[beside].iter().any(|point| point.admissible)
}

/// The size of the mark of a bifurcation. Where others lie in front of it, it is wider: [`with_marks`].
const MARK: f64 = 8.0;

/// The marks of bifurcations of one kind.
pub(crate) fn mark(kind: SpecialKind, points: Vec<(f64, f64)>) -> Layer {
    let (marker, color) = match kind {
        SpecialKind::Fold => (Marker::Square, Color::BLACK),
        SpecialKind::PeriodDoubling => (Marker::Circle, Color::GREEN),
        SpecialKind::NeimarkSacker => (Marker::Triangle, Color::GREEN),
        SpecialKind::SymmetryBreaking => (Marker::Square, Color::PURPLE),
        SpecialKind::BranchPoint => (Marker::Circle, Color::BLACK),
        SpecialKind::Graze => (Marker::Circle, Color::ORANGE),
        SpecialKind::StickLoss => (Marker::Triangle, Color::ORANGE),
        SpecialKind::ChatterLoss => (Marker::Triangle, Color::PURPLE),
        SpecialKind::Boundary => (Marker::Cross, Color::BLACK),
        SpecialKind::Homoclinic => (Marker::Circle, Color::PURPLE),
        SpecialKind::Hopf => (Marker::Triangle, Color::BLACK),
        SpecialKind::End => (Marker::Cross, Color::GREY),
    };
    Layer::markers(marker, points).color(color).width(MARK).label(label(kind))
}

/// The name of a kind in a legend.
fn label(kind: SpecialKind) -> String {
    match kind {
        SpecialKind::Hopf => "Hopf".to_string(),
        SpecialKind::NeimarkSacker => "Neimark\u{2013}Sacker".to_string(),
        other => other.name().replace('_', " "),
    }
}
