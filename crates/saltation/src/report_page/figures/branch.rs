//! Figures of stored branches and curves: a quantity over the parameter, or the plane of two parameters, with stability, admissibility and bifurcations.

use super::{Drawing, subtitle};
use crate::branch::answer::{self as orbits, OrbitBranch};
use crate::branch::figure::{BREAK, HEIGHT, LINES, WIDTH, layers_of, mark, of_panels, parameter_axis, title};
use crate::branch::report::{cut, words};
use crate::curve::figure::of_curve;
use crate::drawing::close_up::{with_close_up, with_marks};
use crate::drawing::smooth::{smooth, smooth_between_jumps};
use crate::equilibrium::branch::answer::{self as equilibria, EquilibriumBranch, Further};
use crate::system::System;
use crate::text::number::short;
use saltation_draw::{Axis, Color, Figure, Layer, Panel};
use saltation_model::{Model, StateKind};
use saltation_orbit::branch::SpecialKind;

type Points = Vec<(f64, f64)>;

/// Lines by stability and admissibility, and bifurcations by kind.
#[derive(Default)]
struct Drawn {
    lines: [Points; 4],
    marks: Vec<(SpecialKind, (f64, f64))>,
}

impl Drawn {
    /// Adds a curve of points, each with whether it is stable, admissible and a bifurcation.
    fn add(&mut self, points: &Points, properties: &[(bool, bool, bool)], jumps: bool) {
        let curve = if jumps { smooth_between_jumps(points) } else { smooth(points) };
        for piece in cut(properties) {
            let which = LINES.iter().position(|line| (line.0, line.1) == (piece.stable, piece.admissible));
            let line = &mut self.lines[which.unwrap_or(0)];
            line.extend(curve[piece.from..piece.to].iter().flatten().chain(curve[piece.to].first()));
            line.push(BREAK);
        }
    }

    /// The panel with both, and a second one where bifurcations crowd.
    fn panels(self, mut panel: Panel) -> Vec<Panel> {
        panel = layers_of(self.lines).fold(panel, Panel::layer);
        let places: Points = self.marks.iter().map(|(_, at)| *at).collect();
        let of = |kind: SpecialKind| -> Points {
            self.marks.iter().filter(|(known, _)| *known == kind).map(|(_, at)| *at).collect()
        };
        let kinds = SpecialKind::ALL.into_iter().map(|kind| (kind, of(kind))).filter(|(_, points)| !points.is_empty());
        with_close_up(with_marks(panel, kinds.map(|(kind, points)| mark(kind, points)).collect()), &places)
    }
}

/// The axis of a parameter by its name.
fn along(model: &Model, name: &str) -> Axis {
    model.parameter(name).map_or_else(|| Axis::new(name), |index| parameter_axis(&model.parameters[index]))
}

/// The properties of points in their order, bifurcations told by their positions.
fn properties<P>(
    points: &[P],
    special: impl Iterator<Item = usize>,
    begins: bool,
    of: impl Fn(&P) -> (bool, bool),
) -> Vec<(bool, bool, bool)> {
    let mut marked = vec![false; points.len()];
    special.for_each(|index| marked.iter_mut().skip(index).take(1).for_each(|one| *one = true));
    // It begins at a bifurcation of another one.
    marked.iter_mut().take(usize::from(begins)).for_each(|first| *first = true);
    points.iter().zip(marked).map(|(point, marked)| (of(point).0, of(point).1, marked)).collect()
}

/// What is drawn of an orbit.
enum Ordinate {
    ImpactSpeed,
    Period,
    State(String),
}

impl Ordinate {
    fn values(&self, point: &orbits::Point, halves: usize) -> Vec<f64> {
        self.of(&point.impact_speeds, point.period, &point.state, halves)
    }

    fn of(&self, speeds: &[f64], period: f64, state: &crate::Named, halves: usize) -> Vec<f64> {
        match self {
            Ordinate::ImpactSpeed => speeds[..speeds.len() / halves].iter().map(|speed| -speed).collect(),
            Ordinate::Period => vec![period],
            Ordinate::State(name) => vec![state.get(name).unwrap_or(f64::NAN)],
        }
    }

    fn axis(&self, model: &Model) -> Axis {
        let time = model.time_unit.as_deref();
        let (name, unit) = match self {
            Ordinate::ImpactSpeed => {
                let units: Vec<Option<&str>> = model.contacts.iter().map(|c| c.unit.as_deref()).collect();
                let length = units.first().copied().flatten().filter(|unit| units.iter().all(|u| *u == Some(*unit)));
                ("impact speed".to_string(), length.zip(time).map(|(length, time)| format!("{length}/{time}")))
            }
            Ordinate::Period => ("period".to_string(), time.map(str::to_string)),
            Ordinate::State(name) => {
                let unit = model.state(name).and_then(|state| model.states[state].unit.clone());
                (format!("{name} on the section"), unit)
            }
        };
        let axis = Axis::new(name);
        match unit {
            Some(unit) => axis.unit(unit),
            None => axis,
        }
    }
}

/// The name of the first state that is not the phase.
fn first_state(model: &Model) -> Option<String> {
    model.states.iter().find(|state| state.kind != StateKind::Phase).map(|state| state.name.clone())
}

/// Branches of orbits over the parameter.
pub(crate) fn of_orbits(system: &System, answer: &orbits::Answer) -> Option<Drawing> {
    let model = system.model();
    let branches: Vec<&OrbitBranch> = std::iter::once(&answer.first).chain(&answer.branches).collect();
    if branches.iter().all(|branch| branch.points.is_empty()) {
        return None;
    }
    let impacts = branches.iter().flat_map(|branch| &branch.points).any(|point| !point.impact_speeds.is_empty());
    let ordinate = match (impacts, &model.phase, first_state(model)) {
        (true, ..) => Ordinate::ImpactSpeed,
        (false, Some(_), Some(name)) => Ordinate::State(name),
        _ => Ordinate::Period,
    };
    let mut panel = Panel::new(along(model, &answer.along), ordinate.axis(model));
    for law in branches.iter().flat_map(|branch| &branch.special).filter_map(|special| special.homoclinic.as_ref()) {
        let limit = format!("the period is infinite at {} = {}", answer.along, short(law.value, 10));
        panel = panel.layer(Layer::vertical(law.value).label(limit));
    }
    let mut drawn = Drawn::default();
    branches.iter().for_each(|branch| add_orbits(&mut drawn, branch, &answer.along, &ordinate));
    let figure = Figure::new(title(model)).subtitle(about(system, &[&answer.along], answer.tolerance));
    let figure = of_panels(figure, drawn.panels(panel));
    Some(Drawing::new(
        figure,
        "The branch, with the branches that bifurcate",
        "drawn from the stored answer branch.json",
    ))
}

fn about(system: &System, without: &[&str], tolerance: f64) -> String {
    subtitle(system, without, &[&format!("tolerance {tolerance:e}")])
}

fn add_orbits(drawn: &mut Drawn, branch: &OrbitBranch, along: &str, ordinate: &Ordinate) {
    // Both halves of a symmetric orbit have the same impacts.
    let halves = if branch.special.iter().any(|special| special.mirror.is_some()) { 2 } else { 1 };
    let value = |parameters: &crate::Named| parameters.get(along).unwrap_or(f64::NAN);
    let values: Vec<Vec<f64>> = branch.points.iter().map(|point| ordinate.values(point, halves)).collect();
    let special = branch.special.iter().map(|special| special.index);
    let marked = properties(&branch.points, special, branch.parent.is_some(), |p| (p.stable, p.admissible));
    for k in 0..values.iter().map(Vec::len).max().unwrap_or(0) {
        let at = |(point, list): (&orbits::Point, &Vec<f64>)| {
            (value(&point.parameters), list.get(k).copied().unwrap_or(f64::NAN))
        };
        let points: Points = branch.points.iter().zip(&values).map(at).collect();
        // Where an impact passes the section a state on it jumps.
        drawn.add(&points, &marked, matches!(ordinate, Ordinate::State(_)));
    }
    for special in &branch.special {
        let list = ordinate.of(&special.impact_speeds, special.period, &special.state, halves);
        drawn.marks.extend(list.into_iter().map(|y| (special.kind, (value(&special.parameters), y))));
    }
}

/// Branches of equilibria over the parameter; limit cycles by their state on the section.
pub(crate) fn of_equilibria(system: &System, answer: &equilibria::Answer) -> Option<Drawing> {
    let model = system.model();
    if answer.first.points.is_empty() {
        return None;
    }
    let name = first_state(model)?;
    let state = model.state(&name).map(|state| &model.states[state]);
    let axis = match state.and_then(|state| state.unit.as_ref()) {
        Some(unit) => Axis::new(name.clone()).unit(unit.clone()),
        None => Axis::new(name.clone()),
    };
    let (mut rest, mut cycles) = (Drawn::default(), Drawn::default());
    add_equilibria(&mut rest, &answer.first, &answer.along, &name);
    for further in &answer.branches {
        match further {
            Further::Equilibrium(branch) => add_equilibria(&mut rest, branch, &answer.along, &name),
            Further::Orbit(branch) => {
                add_orbits(&mut cycles, branch, &answer.along, &Ordinate::State(name.clone()));
            }
        }
    }
    let mut panel = Panel::new(along(model, &answer.along), axis);
    let some = cycles.lines.iter().any(|line| !line.is_empty());
    for (line, (stable, admissible, ..)) in cycles.lines.into_iter().zip(LINES) {
        if admissible && !line.is_empty() {
            let (color, label) = match stable {
                true => (Color::GREEN, "limit cycle, on its section"),
                false => (Color::ORANGE, "unstable limit cycle, on its section"),
            };
            let layer = Layer::line(line).color(color).label(label).width(1.4);
            panel = panel.layer(if stable { layer } else { layer.dashed() });
        }
    }
    rest.marks.extend(cycles.marks);
    let figure = Figure::new(title(model)).subtitle(about(system, &[&answer.along], answer.tolerance));
    let figure = of_panels(figure, rest.panels(panel));
    let extremes = if some { "; the extremes of limit cycles, which --plot draws, are not stored" } else { "" };
    Some(Drawing::new(
        figure,
        "The branch of equilibria, with what bifurcates",
        format!("drawn from the stored answer branch.json{extremes}"),
    ))
}

fn add_equilibria(drawn: &mut Drawn, branch: &EquilibriumBranch, along: &str, state: &str) {
    let get = |named: &crate::Named, name: &str| named.get(name).unwrap_or(f64::NAN);
    let points: Points = branch.points.iter().map(|p| (get(&p.parameters, along), get(&p.state, state))).collect();
    let special = branch.special.iter().map(|special| special.index);
    drawn.add(&points, &properties(&branch.points, special, false, |p| (p.stable, p.admissible)), false);
    let marks = branch.special.iter().map(|one| (one.kind, (get(&one.parameters, along), get(&one.state, state))));
    drawn.marks.extend(marks);
}

/// A curve of bifurcations in the plane of two parameters: the first horizontally, the second vertically.
pub(crate) fn curve(system: &System, answer: &crate::curve::Answer) -> Option<Drawing> {
    let model = system.model();
    let [first, second] = &answer.along;
    if answer.points.is_empty() {
        return None;
    }
    let at = |named: &crate::Named| (named.get(first).unwrap_or(f64::NAN), named.get(second).unwrap_or(f64::NAN));
    let points: Points = answer.points.iter().map(|point| at(&point.parameters)).collect();
    let special = answer.special.iter().map(|special| special.index);
    let marked = properties(&answer.points, special, false, |point| (true, point.admissible));
    let mut drawn = Drawn::default();
    drawn.add(&points, &marked, false);
    let [solid, _, dashed, _] = drawn.lines;
    let mut panel = Panel::new(along(model, first), along(model, second));
    let kind = words(answer.kind.name());
    panel = of_curve(panel, [solid, dashed], &kind);
    let mut marks = Vec::new();
    for other in SpecialKind::ALL {
        let here = answer.special.iter().filter(|special| special.kind == other);
        let places: Points = here.map(|special| at(&special.point.parameters)).collect();
        if !places.is_empty() {
            marks.push(mark(other, places).label(format!("{} too", words(other.name()))));
        }
    }
    let start = at(&answer.parameters);
    marks.push(mark(SpecialKind::End, vec![start]).label("start"));
    panel = with_marks(panel, marks);
    let figure = Figure::new(title(model)).subtitle(about(system, &[first, second], answer.tolerance));
    let figure = figure.size(WIDTH, HEIGHT).panel(panel);
    Some(Drawing::new(figure, "The curve in the plane of both parameters", "drawn from the stored answer curve.json"))
}
