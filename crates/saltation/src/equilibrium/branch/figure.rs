//! The figure of branches of equilibria: a state over the parameter, with the extremes of limit cycles.

use crate::branch::figure::{BREAK, LINES, layers_of, mark, of_panels, parameter_axis};
use crate::branch::ordinate::is_changing;
use crate::branch::report::{Piece, pieces as pieces_of_orbits};
use crate::drawing::close_up::{with_close_up, with_marks};
use crate::drawing::motion::title;
use crate::drawing::smooth::smooth;
use crate::equilibrium::branch::report::pieces;
use crate::equilibrium::branch::{Branches, Line};
use crate::naming::Naming;
use saltation_draw::{Axis, Color, Figure, Layer, Panel};
use saltation_model::StateKind;
use saltation_motion::{Motion, Settings};
use saltation_orbit::branch::{Branch, BranchPoint, SpecialKind};
use saltation_orbit::equilibrium::branch::EquilibriumPoint;

/// The number of samples per step of a cycle.
const PARTS: u32 = 16;

/// The figure of all branches.
pub(crate) fn figure(followed: &Branches, naming: Naming, ordinate: Option<usize>) -> Figure {
    let Branches { system, request, plan, members, .. } = followed;
    let model = system.model();
    // The first state that changes: velocities are zero at rest.
    let changes = |state: &usize| {
        members.iter().any(|member| match &member.line {
            Line::Equilibria(branch) => {
                is_changing(&branch.points.iter().map(|point| vec![point.state[*state]]).collect::<Vec<_>>())
            }
            Line::Cycles(_) => false,
        })
    };
    let others = || (0..model.states.len()).filter(|&state| model.states[state].kind != StateKind::Phase);
    let usual = others().find(changes).or(others().next()).unwrap_or(0);
    let state = ordinate.unwrap_or(usual);
    let drawn = &model.states[state];
    let axis = match &drawn.unit {
        Some(unit) => Axis::new(drawn.name.clone()).unit(unit.clone()),
        None => Axis::new(drawn.name.clone()),
    };
    let mut panel = Panel::new(parameter_axis(&model.parameters[plan.parameter]), axis);
    let mut equilibria: [Vec<(f64, f64)>; 4] = Default::default();
    let mut cycles: [Vec<(f64, f64)>; 4] = Default::default();
    let mut marks: Vec<(SpecialKind, (f64, f64))> = Vec::new();
    for member in members {
        match &member.line {
            Line::Equilibria(branch) => {
                let place = |point: &EquilibriumPoint| (branch.value(point), naming.wrapped(state, point.state[state]));
                let points: Vec<(f64, f64)> = branch.points.iter().map(place).collect();
                draw(&points, &pieces(branch), &mut equilibria);
                marks.extend(branch.special.iter().map(|special| (special.kind, place(&special.point))));
            }
            Line::Cycles(branch) => {
                let extremes: Vec<(f64, f64)> =
                    branch.points.iter().map(|point| extremes(followed, naming, branch, point, state)).collect();
                let pieces = pieces_of_orbits(branch);
                for which in [|e: &(f64, f64)| e.0, |e: &(f64, f64)| e.1] {
                    let values = branch.points.iter().map(|point| branch.value(point));
                    let points: Vec<(f64, f64)> = values.zip(extremes.iter().map(which)).collect();
                    draw(&points, &pieces, &mut cycles);
                    let special = branch.special.iter().map(|special| (special.kind, points[special.index]));
                    marks.extend(special.filter(|(_, (_, y))| y.is_finite()));
                }
            }
        }
    }
    panel = layers_of(equilibria).fold(panel, Panel::layer);
    for (line, (stable, admissible, ..)) in cycles.into_iter().zip(LINES).filter(|(line, _)| !line.is_empty()) {
        if admissible {
            let (color, label) = match stable {
                true => (Color::GREEN, "limit cycle, minimum and maximum"),
                false => (Color::ORANGE, "unstable limit cycle, minimum and maximum"),
            };
            let layer = Layer::line(line).color(color).label(label).width(1.4);
            panel = panel.layer(if stable { layer } else { layer.dashed() });
        }
    }
    let of = |kind: SpecialKind| -> Vec<(f64, f64)> {
        marks.iter().filter(|(known, _)| *known == kind).map(|(_, at)| *at).collect()
    };
    let kinds = SpecialKind::ALL.into_iter().map(|kind| (kind, of(kind))).filter(|(_, points)| !points.is_empty());
    panel = with_marks(panel, kinds.map(|(kind, points)| mark(kind, points)).collect());
    let mut about = system.changed_but(&[followed.along()]);
    about.push(format!("tolerance {:e}", request.tol));
    let places: Vec<(f64, f64)> = marks.iter().map(|(_, at)| *at).collect();
    of_panels(Figure::new(title(system)).subtitle(about.join(", ")), with_close_up(panel, &places))
}

/// Adds a curve to the lines of the kinds of its pieces.
fn draw(points: &[(f64, f64)], pieces: &[Piece], lines: &mut [Vec<(f64, f64)>; 4]) {
    let curve = smooth(points);
    for piece in pieces {
        let which = LINES.iter().position(|line| (line.0, line.1) == (piece.stable, piece.admissible));
        let line = &mut lines[which.unwrap_or(0)];
        line.extend(curve[piece.from..piece.to].iter().flatten().chain(&curve[piece.to][..1]));
        line.push(BREAK);
    }
}

/// The least and the largest value of a state on a cycle; NaN where it is not admissible.
fn extremes(followed: &Branches, naming: Naming, branch: &Branch, point: &BranchPoint, state: usize) -> (f64, f64) {
    let none = (f64::NAN, f64::NAN);
    let special = branch.special.iter().any(|special| special.point == *point);
    if !point.admissible && !special {
        return none;
    }
    let known = followed.system.numbers().clone();
    let values = known.with_start(&point.state).with_parameters(&point.parameters);
    let settings = Settings { until: point.period, flow: followed.request.flow, ..Settings::default() };
    let Ok(motion) = Motion::new(naming.system, &values, settings) else { return none };
    let run = motion.run(true, |_| true);
    let mut whole = vec![0.0; point.state.len()];
    let (mut least, mut largest) = (f64::INFINITY, f64::NEG_INFINITY);
    for piece in run.trajectory.iter().flat_map(|trajectory| trajectory.pieces()) {
        for part in 0..=PARTS {
            piece.evaluate(piece.length * f64::from(part) / f64::from(PARTS), &mut whole);
            (least, largest) = (least.min(whole[state]), largest.max(whole[state]));
        }
    }
    if least <= largest { (least, largest) } else { none }
}
