//! The figure of an orbit: planes of positions and speeds, and its gaps over time.

use crate::drawing::motion::{Shown, subtitle, title};
use crate::drawing::quantity::Quantity;
use crate::drawing::{plane as phase_plane, time as time_plot};
use crate::naming::Naming;
use crate::orbit::Searched;
use crate::system::System;
use crate::text::number::{count, short};
use saltation_draw::{Color, Figure, Layer, Marker, Panel};
use saltation_model::StateKind;
use saltation_motion::ClosedSet;
use saltation_orbit::Orbit;

/// The size of the figure, and the approximate part of each panel left for the curve.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 290.0;
const INNER: (f64, f64) = (540.0, 250.0);
/// The most planes.
const MOST_PLANES: usize = 2;
/// Beyond this number gaps share one panel.
const MOST_GAPS: usize = 2;
/// Beyond this number points of the section are dots.
const MANY_POINTS: usize = 100;

/// The figure.
pub(crate) fn figure(found: &Searched, naming: Naming, orbit: &Orbit) -> Figure {
    let system = &found.system;
    let accuracy = format!("tolerance {:e}", found.request.tol);
    let trajectory = &orbit.trajectory;
    let shown = Shown { system, naming, events: &orbit.events, time: orbit.period, trajectory, accuracy: &accuracy };
    let mut panels: Vec<Panel> = planes(system).into_iter().map(|plane| in_plane(found, orbit, shown, plane)).collect();
    let gaps: Vec<Quantity> = (0..system.model().contacts.len()).map(Quantity::Gap).collect();
    let groups: Vec<&[Quantity]> = if gaps.len() <= MOST_GAPS { gaps.chunks(1).collect() } else { vec![&gaps] };
    let mut gauge = shown.gauge();
    for group in groups {
        panels.push(time_plot::panel(shown, &mut gauge, group, INNER.1));
    }
    let stable = if orbit.stable { "stable" } else { "unstable" };
    let returns = count(orbit.returns, "return");
    let modulus = short(orbit.leading_modulus(), 4);
    let period = short(orbit.period, 8);
    let heading = format!("period {period}, {returns} to {}: {stable}, largest multiplier {modulus}", found.section);
    let height = 110.0 + HEIGHT * panels.len() as f64;
    let figure = Figure::new(title(system)).subtitle(format!("{heading}; {}", subtitle(shown)));
    panels.into_iter().fold(figure.size(WIDTH, height), Figure::panel)
}

/// Each position over its speed, those first on which a contact depends; of other models the first two states.
pub(crate) fn planes(system: &System) -> Vec<(Quantity, Quantity)> {
    let model = system.model();
    let pairs: Vec<(usize, usize)> = match model.body.mechanics() {
        Some(body) => body.coordinates.iter().copied().zip(body.velocities.iter().copied()).collect(),
        None => {
            let states: Vec<usize> =
                (0..model.states.len()).filter(|&i| model.states[i].kind != StateKind::Phase).collect();
            let phase = model.phase.as_ref().map(|phase| phase.state);
            let first = states.first().copied();
            first.zip(states.get(1).copied()).or(phase.zip(first)).into_iter().collect()
        }
    };
    let touches = |state: usize| {
        let symbol = model.states[state].symbol;
        model.contacts.iter().any(|contact| model.graph.symbols_of(contact.gap).contains(&symbol))
    };
    let (with, without): (Vec<_>, Vec<_>) = pairs.into_iter().partition(|&(position, _)| touches(position));
    let plane = |(x, y)| (Quantity::State(x), Quantity::State(y));
    with.into_iter().chain(without).take(MOST_PLANES).map(plane).collect()
}

/// A plane with the points on the section.
fn in_plane(found: &Searched, orbit: &Orbit, shown: Shown, plane: (Quantity, Quantity)) -> Panel {
    let panel = phase_plane::panel(shown, plane, INNER, "impact");
    let mut gauge = shown.gauge();
    let wrapped = |quantity, value| match quantity {
        Quantity::State(state) => shown.naming.wrapped(state, value),
        _ => value,
    };
    let points = orbit.points.iter().map(|state| {
        let mut values = [0.0; 2];
        gauge.at(state, ClosedSet::NONE.into(), &[plane.0, plane.1], &mut values);
        (wrapped(plane.0, values[0]), wrapped(plane.1, values[1]))
    });
    let points: Vec<(f64, f64)> = points.collect();
    let size = if points.len() > MANY_POINTS { 2.5 } else { 4.5 };
    let layer = Layer::markers(Marker::Circle, points).color(Color::PURPLE).width(size);
    panel.layer(layer.label(format!("section {}", found.section)))
}
