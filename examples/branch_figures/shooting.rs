//! Yoshitake et al., shooting method: the oscillator between two walls.

use saltation_draw::{Axis, Color, Figure, Layer, Marker, Panel};
use saltation_orbit::branch::{self, Branch, BranchPoint, SpecialKind};

use crate::strands::lines;
use crate::{Outcome, free, settled};

/// The paper's name of a branch, and its colour: O for orbits that are their own mirror images, E for others, and the number of impacts.
fn name(branch: &Branch, first: bool) -> (&'static str, Color) {
    match (branch.marks().len(), first) {
        (0, _) => ("1/1-O0", Color::GREEN),
        (1, _) => ("1/1-E1", Color::PURPLE),
        (_, true) => ("1/1-O2", Color::BLUE),
        (_, false) => ("1/1-E2", Color::VERMILLION),
    }
}

/// The part of a branch that is not the symmetric image of another part: a closed one begins and ends where the symmetry breaks,
/// and crosses the symmetric orbits half-way.
fn half(branch: &Branch) -> (usize, usize) {
    let crossing = branch.special.iter().find(|special| special.kind == SpecialKind::BranchPoint);
    let last = branch.points.len().saturating_sub(1);
    (0, crossing.filter(|_| branch.ended[1] == branch::Ended::Closed).map_or(last, |special| special.index))
}

/// Whether a branch consists of the mirror images of an earlier one: the same happens, at the other wall.
fn is_mirror_image(branch: &Branch, earlier: &[Branch]) -> bool {
    let mirrored: Vec<_> = branch.marks().iter().map(|mark| (mark.kind, 1 - mark.contact)).collect();
    let same = |other: &Branch| other.marks().iter().map(|mark| (mark.kind, mark.contact)).eq(mirrored.iter().copied());
    mirrored.len() == 1 && earlier.iter().any(same)
}

/// Figs. 4(b) and 4(c).
pub(crate) fn two_walls() -> Outcome<Figure> {
    let range = (0.7, 1.3);
    let (system, following) = free("two-wall-oscillator", &[("nu", "1.1")], &["nu"])?;
    let orbit = settled(&system, &following, 1, 200)?;
    let settings =
        branch::Settings { longest_step: 0.005, switch: true, ..branch::Settings::between(range.0, range.1) };
    let branches = branch::follow(&system, &following, &orbit, &settings, &mut |_, _| true)?;
    let axis = || Axis::new("frequency ν").between(range.0, range.1);
    let mut speeds = Panel::new(axis(), Axis::new("(b)  largest impact speed").between(-0.15, 2.6));
    let mut leading = Panel::new(axis(), Axis::new("(c)  largest modulus of a multiplier").log().between(0.3, 100.0))
        .layer(Layer::horizontal(1.0));
    let fastest = |point: &BranchPoint| point.impact_speeds.iter().map(|speed| -speed).reduce(f64::max).unwrap_or(0.0);
    let modulus = |point: &BranchPoint| point.multipliers.first().map_or(f64::NAN, |multiplier| multiplier.norm());
    let mut marks: Vec<(SpecialKind, (f64, f64))> = Vec::new();
    for (k, branch) in branches.iter().enumerate().filter(|(k, branch)| !is_mirror_image(branch, &branches[..*k])) {
        let (name, color) = name(branch, k == 0);
        let part = half(branch);
        let look = |((stable, admissible), line): ((bool, bool), Vec<(f64, f64)>)| {
            let layer = Layer::line(line).color(color).width(if stable && admissible { 2.6 } else { 1.1 });
            let layer = if admissible { layer } else { layer.dashed() };
            if stable && admissible { layer.label(name) } else { layer }
        };
        speeds.layers.extend(lines(branch, part, |point| (branch.value(point), fastest(point))).into_iter().map(look));
        leading.layers.extend(lines(branch, part, |point| (branch.value(point), modulus(point))).into_iter().map(look));
        let own = branch.special.iter().filter(|special| special.index <= part.1 && special.point.admissible);
        marks.extend(own.map(|special| (special.kind, (branch.value(&special.point), fastest(&special.point)))));
    }
    let kinds = [
        (SpecialKind::SymmetryBreaking, Marker::Circle, "symmetry breaks"),
        (SpecialKind::Fold, Marker::Triangle, "fold"),
        (SpecialKind::PeriodDoubling, Marker::Square, "PD"),
        (SpecialKind::Graze, Marker::Cross, "graze"),
    ];
    for (kind, marker, name) in kinds {
        let points = marks.iter().filter(|(other, _)| *other == kind).map(|(_, place)| *place);
        speeds = speeds.layer(Layer::markers(marker, points).color(Color::BLACK).width(6.5).label(name));
    }
    Ok(Figure::stacked(
        "Oscillator between two walls: symmetric orbits, and those that broke the symmetry",
        vec![speeds, leading],
    )
    .subtitle("e = 0.7, Δ = 1, γ = 0.01; thick: stable, thin: unstable, dashed: virtual; PD: period doubling")
    .size(720.0, 720.0))
}
