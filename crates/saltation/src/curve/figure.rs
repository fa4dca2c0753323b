//! The figure of a bifurcation curve: the plane of both parameters.

use crate::branch::figure::{BREAK, mark, parameter_axis, title};
use crate::branch::report::words;
use crate::curve::Curve;
use crate::drawing::close_up::with_marks;
use crate::drawing::smooth::smooth;
use saltation_draw::{Color, Figure, Layer, Panel};
use saltation_orbit::branch::SpecialKind;
use saltation_orbit::curve::{CurvePoint, SpecialCurve};

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 460.0;

/// The figure: the first parameter horizontally, the second one vertically, as in maps of sweeps; dotted where the orbits are not admissible.
pub(crate) fn figure(traced: &Curve, curve: &SpecialCurve) -> Figure {
    let Curve { system, request, .. } = traced;
    let model = system.model();
    let [first, second] = traced.parameters;
    let at = |point: &CurvePoint| (point.parameters[first], point.parameters[second]);
    let drawn = smooth(&curve.points.iter().map(at).collect::<Vec<_>>());
    let mut special = vec![false; curve.points.len()];
    curve.special.iter().for_each(|one| special[one.index] = true);
    let mut lines = [Vec::new(), Vec::new()];
    for (i, pair) in curve.points.windows(2).enumerate() {
        // At a bifurcation itself admissibility depends on rounding errors.
        let admissible = match (special[i], special[i + 1]) {
            (false, true) => pair[0].admissible,
            (true, false) => pair[1].admissible,
            _ => pair[0].admissible && pair[1].admissible,
        };
        let line: &mut Vec<(f64, f64)> = &mut lines[usize::from(!admissible)];
        line.extend(&drawn[i]);
        line.extend([at(&pair[1]), BREAK]);
    }
    let mut panel = Panel::new(parameter_axis(&model.parameters[first]), parameter_axis(&model.parameters[second]));
    let kind = words(curve.kind.name());
    panel = of_curve(panel, lines.map(joined), &kind);
    let mut marks = Vec::new();
    for other in SpecialKind::ALL {
        let here = curve.special.iter().filter(|special| special.kind == other);
        let points: Vec<(f64, f64)> = here.map(|special| at(&special.point)).collect();
        if !points.is_empty() {
            marks.push(mark(other, points).label(format!("{} too", words(other.name()))));
        }
    }
    // Where the curve begins.
    let values = system.numbers().parameters();
    marks.push(mark(SpecialKind::End, vec![(values[first], values[second])]).label("start"));
    panel = with_marks(panel, marks);
    let names = traced.along();
    let mut about = system.changed_but(&names);
    about.push(format!("tolerance {:e}", request.tol));
    Figure::new(title(model)).subtitle(about.join(", ")).size(WIDTH, HEIGHT).panel(panel)
}

/// The panel with a curve: its admissible lines, and the others, which do not set the range.
pub(crate) fn of_curve(panel: Panel, [solid, virtual_]: [Vec<(f64, f64)>; 2], kind: &str) -> Panel {
    let mut layers = Vec::new();
    if !virtual_.is_empty() {
        let layer = Layer::line(virtual_).color(Color::BLUE).width(1.4).dotted().opacity(0.6).outside_range();
        layers.push(layer.label(format!("{kind}, not admissible")));
    }
    if !solid.is_empty() {
        layers.push(Layer::line(solid).color(Color::BLUE).width(1.8).label(kind));
    }
    layers.into_iter().fold(panel, Panel::layer)
}

/// Joins consecutive pieces, so that dashes continue.
fn joined(line: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    let mut whole: Vec<(f64, f64)> = Vec::with_capacity(line.len());
    for point in line {
        let meets =
            whole.len() >= 2 && whole.last().is_some_and(|last| last.0.is_nan()) && whole[whole.len() - 2] == point;
        if meets {
            whole.pop();
        } else {
            whole.push(point);
        }
    }
    whole
}
