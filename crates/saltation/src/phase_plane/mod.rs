//! The plane of two states: the vector field of free flight, its nullclines, the surfaces of switches with their sliding stretches, and the walls.
//!
//! On every place the field is that of the side of every switch on which the place lies. Curves are level curves, refined to rounding. A stretch of a surface
//! slides where the rates of its switching function on both sides point to it (Filippov, *Differential Equations with Discontinuous Righthand Sides*, 1988);
//! where both point away from it, it is escaping; else it is crossed.

mod sides;
mod stretches;

use crate::error::{Error, Refusal, accepted};
use crate::named::Named;
use crate::system::System;
use saltation_motion::Sides;
use saltation_motion::problems::level::level_curves;
use serde::Serialize;
use sides::Place;
use std::collections::BTreeSet;
use stretches::pieces;

/// The most arrows in one direction.
pub const MOST_ARROWS: usize = 200;
/// Nodes of the grid on which curves are looked for, in one direction.
const NODES: usize = 81;
/// The most states of a system whose plane is looked at: every place costs the derivatives by all of them.
const MOST_STATES: usize = 64;
/// Combinations of sides of switches of which nullclines are drawn.
const MOST_SIDES: usize = 16;

/// What is asked of a plane.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The state across and the state up.
    pub states: [String; 2],
    /// The range across and the range up, the smaller value first.
    pub ranges: [[f64; 2]; 2],
    /// The number of arrows in each direction.
    pub arrows: usize,
}

/// Where a state does not change.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Nullcline {
    /// The state whose rate is zero.
    pub state: String,
    /// Points in their order along the curve.
    pub points: Vec<(f64, f64)>,
}

/// A stretch of a surface on which the field changes or the state jumps.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stretch {
    /// The name of the switch or of the event.
    pub switch: String,
    /// `sliding`, `escaping`, or `crossing`; `event` of a surface that no rate depends on.
    pub kind: &'static str,
    /// Points in their order along the curve.
    pub points: Vec<(f64, f64)>,
}

/// Where a contact closes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Wall {
    /// The contact.
    pub contact: String,
    /// Points in their order along the curve.
    pub points: Vec<(f64, f64)>,
}

/// The plane of two states.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PhasePlane {
    /// The state across and the state up.
    pub states: [String; 2],
    /// Whether these are all states, so that trajectories in the plane do not cross.
    pub planar: bool,
    /// The other states, held at their initial values.
    pub held: Named,
    /// The values across at which there are arrows.
    pub x: Vec<f64>,
    /// The values up.
    pub y: Vec<f64>,
    /// The rates of both states, row by row from the lowest value up; none inside an obstacle, and where a rate has no finite value.
    pub rates: Vec<Option<[f64; 2]>>,
    /// Where the rate of one of both states is zero.
    pub nullclines: Vec<Nullcline>,
    /// Whether switches have more than 16 combinations of sides here: nullclines are those of the first 16.
    pub nullclines_left_out: bool,
    /// The surfaces of switches and events.
    pub surfaces: Vec<Stretch>,
    /// The walls.
    pub walls: Vec<Wall>,
}

fn even([low, high]: [f64; 2], count: usize) -> Vec<f64> {
    let last = (count.max(2) - 1) as f64;
    (0..count).map(|k| if k as f64 == last { high } else { low + (high - low) * (k as f64 / last) }).collect()
}

impl Request {
    /// All mistakes in the request for this system.
    pub fn refusals(&self, system: &System) -> Vec<Refusal> {
        let mut list = Vec::new();
        let names = system.state_names();
        for name in self.states.iter().filter(|name| !names.contains(*name)) {
            let message = format!("the model has no state `{}`", crate::text::cut(name));
            list.push(Refusal::new("states", message, format!("the states are {}", names.join(", "))));
        }
        if names.len() > MOST_STATES {
            let message = format!("the model has {} states; planes are drawn of {MOST_STATES} at most", names.len());
            list.push(Refusal::new("states", message, "use a model with fewer states"));
        }
        if self.states[0] == self.states[1] {
            list.push(Refusal::new("states", "a plane needs two different states", "choose another one"));
        }
        for (name, [low, high]) in self.states.iter().zip(self.ranges) {
            if !(low < high && (high - low).is_finite()) {
                let message = format!("the range of {name} is from {low} to {high}");
                list.push(Refusal::new("ranges", message, "give two finite numbers, the smaller one first"));
            }
        }
        if !(2..=MOST_ARROWS).contains(&self.arrows) {
            let message = format!("{} arrows in each direction are asked for", self.arrows);
            list.push(Refusal::new("arrows", message, format!("ask for 2 to {MOST_ARROWS}")));
        }
        list
    }
}

impl System {
    /// The plane of two states, other states at their initial values.
    ///
    /// ```
    /// use saltation::System;
    /// use saltation::phase_plane::Request;
    /// let request = Request { states: ["x".into(), "v".into()], ranges: [[-2.0, 2.0], [-1.0, 1.0]], arrows: 11 };
    /// let plane = System::gallery("dry-friction-oscillator")?.phase_plane(&request)?;
    /// // Its third state is the phase of the forcing, which is held at its initial value.
    /// assert!(!plane.planar && plane.held["phi"] == 0.0 && plane.rates.len() == 121);
    /// assert!(plane.surfaces.iter().any(|stretch| stretch.kind == "sliding"));
    /// # Ok::<(), saltation::Error>(())
    /// ```
    ///
    /// # Errors
    /// Mistakes in the request, or in the numbers of the system; and a contact that is closed on all of the plane, where the field is not that of free flight.
    pub fn phase_plane(&self, request: &Request) -> Result<PhasePlane, Error> {
        accepted(request.refusals(self))?;
        let mut place = Place::new(self, &request.states)?;
        if let Some(name) = place.closed_everywhere(request.ranges) {
            let message = format!(
                "the contact {name} is closed on all of this plane, and the field there is that of persistent contact"
            );
            let help =
                "only the field of free flight is drawn: choose initial values away from the contact, or other states";
            return Err(Refusal::new("states", message, help).into());
        }
        let [x, y] = request.ranges.map(|range| even(range, request.arrows));
        let rates = grid(&x, &y).map(|(x, y)| place.rates(x, y)).collect();
        let [across, up] = request.ranges.map(|range| even(range, NODES));
        let (nullclines, nullclines_left_out) = nullclines(&mut place, &request.states, (&across, &up));
        let surfaces = surfaces(&mut place, (&across, &up));
        let walls = walls(&place, (&across, &up));
        let start = self.start();
        let held = start.iter().filter(|(name, _)| !request.states.iter().any(|own| own == name));
        let (names, values): (Vec<String>, Vec<f64>) = held.map(|(name, value)| (name.to_string(), value)).unzip();
        let states = request.states.clone();
        let held = Named::new(names.into(), values);
        Ok(PhasePlane {
            states,
            planar: held.values().is_empty(),
            held,
            x,
            y,
            rates,
            nullclines,
            nullclines_left_out,
            surfaces,
            walls,
        })
    }
}

fn grid<'a>(x: &'a [f64], y: &'a [f64]) -> impl Iterator<Item = (f64, f64)> + 'a {
    y.iter().flat_map(move |&y| x.iter().map(move |&x| (x, y)))
}

/// The curves on which a rate vanishes, of the formulas of every combination of sides that occurs, each where it holds; and whether there are more combinations.
fn nullclines(place: &mut Place, states: &[String; 2], (x, y): (&[f64], &[f64])) -> (Vec<Nullcline>, bool) {
    let sides: Vec<Sides> = grid(x, y).map(|(x, y)| place.sides(x, y)).collect();
    let mut occurring: Vec<Sides> = Vec::new();
    for one in &sides {
        if !occurring.contains(one) {
            occurring.push(*one);
        }
    }
    let more = occurring.len() > MOST_SIDES;
    occurring.truncate(MOST_SIDES);
    let mut found = Vec::new();
    for own in occurring {
        // Beside the places of these sides, too, as a curve ends on a surface.
        let near: BTreeSet<usize> = (0..sides.len())
            .filter(|node| sides[*node] == own)
            .flat_map(|node| around(node, x.len(), y.len()))
            .collect();
        let rates: Vec<[f64; 2]> = grid(x, y)
            .enumerate()
            .map(|(node, (x, y))| if near.contains(&node) { place.rates_on(own, x, y) } else { [f64::NAN; 2] })
            .collect();
        for (k, name) in states.iter().enumerate() {
            let values: Vec<f64> = rates.iter().map(|rates| rates[k]).collect();
            let curves = level_curves(x, y, &values, &mut |x, y| place.rates_on(own, x, y)[k]);
            for curve in curves {
                let points = closed(curve.points, curve.closed);
                let inside = |(x, y): (f64, f64)| (place.sides(x, y) == own && place.is_open(x, y)).then_some(());
                let parts = pieces(&points, inside).into_iter().filter_map(|(kind, points)| kind.map(|()| points));
                found.extend(parts.map(|points| Nullcline { state: name.clone(), points }));
            }
        }
    }
    (found, more)
}

/// A node of a grid with its neighbours.
fn around(node: usize, columns: usize, rows: usize) -> impl Iterator<Item = usize> {
    let (column, row) = (node % columns, node / columns);
    let rows = row.saturating_sub(1)..(row + 2).min(rows);
    rows.flat_map(move |row| (column.saturating_sub(1)..(column + 2).min(columns)).map(move |c| row * columns + c))
}

/// The points of a curve, the first again at the end of a closed one.
fn closed(mut points: Vec<(f64, f64)>, closed: bool) -> Vec<(f64, f64)> {
    points.extend(points.first().copied().filter(|_| closed));
    points
}

fn surfaces(place: &mut Place, (x, y): (&[f64], &[f64])) -> Vec<Stretch> {
    let mut found = Vec::new();
    for (switch, name) in place.switch_names().iter().enumerate() {
        let values: Vec<f64> = grid(x, y).map(|(x, y)| place.switching(switch, x, y)).collect();
        for curve in level_curves(x, y, &values, &mut |x, y| place.switching(switch, x, y)) {
            let points = closed(curve.points, curve.closed);
            let kind = |(x, y): (f64, f64)| place.is_open(x, y).then(|| place.kind(switch, x, y));
            let parts = pieces(&points, kind).into_iter().filter_map(|(kind, points)| Some((kind?, points)));
            found.extend(parts.map(|(kind, points)| Stretch { switch: name.clone(), kind, points }));
        }
    }
    found
}

fn walls(place: &Place, (x, y): (&[f64], &[f64])) -> Vec<Wall> {
    let mut found = Vec::new();
    for (contact, name) in place.contact_names().iter().enumerate() {
        let values: Vec<f64> = grid(x, y).map(|(x, y)| place.gap(contact, x, y)).collect();
        let curves = level_curves(x, y, &values, &mut |x, y| place.gap(contact, x, y));
        let wall = |points| Wall { contact: name.clone(), points };
        found.extend(curves.into_iter().map(|curve| wall(closed(curve.points, curve.closed))));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plane(text: &str, ranges: [[f64; 2]; 2]) -> PhasePlane {
        let system = System::parse(text, "test").unwrap();
        system.phase_plane(&Request { states: ["x".into(), "y".into()], ranges, arrows: 9 }).unwrap()
    }

    /// x' = y - x^3, y' = 1 - x: the nullclines are known in closed form.
    #[test]
    fn nullclines_are_those_of_the_formulas() {
        let text = "format = 1\nname = \"t\"\n[flow]\nx = \"y - x^3\"\ny = \"1 - x\"\n[start]\nx = 0\ny = 0\n";
        let plane = plane(text, [[-2.0, 2.03], [-3.0, 3.0]]);
        assert!(plane.planar && plane.walls.is_empty() && plane.surfaces.is_empty());
        let of = |name: &str| {
            plane
                .nullclines
                .iter()
                .filter(|one| one.state == name)
                .flat_map(|one| one.points.clone())
                .collect::<Vec<_>>()
        };
        assert!(of("x").len() > 50 && of("x").iter().all(|(x, y)| (y - x * x * x).abs() < 1e-9));
        assert!(of("y").len() > 50 && of("y").iter().all(|(x, _)| (x - 1.0).abs() < 1e-12));
        let middle = plane.rates[4 * 9 + 4].unwrap();
        assert!((middle[0] + plane.x[4].powi(3)).abs() < 1e-15 && middle[1] == 1.0 - plane.x[4]);
    }

    /// x' = 1, y' = x - 2 sgn y: both sides point to y = 0 for |x| < 2.
    #[test]
    fn stretches_slide_where_both_sides_point_to_the_surface() {
        let text = "format = 1\nname = \"t\"\n[flow]\nx = \"1\"\ny = \"x - 2*sign(y)\"\n[start]\nx = 0\ny = 1\n";
        let found = plane(text, [[-5.0, 5.0], [-1.03, 1.0]]);
        let kinds: Vec<&str> = found.surfaces.iter().map(|one| one.kind).collect();
        assert_eq!(kinds, ["crossing", "sliding", "crossing"], "{found:?}");
        let ends = |k: usize| (found.surfaces[k].points[0].0, found.surfaces[k].points.last().unwrap().0);
        let (a, b) = ends(1);
        assert!((a.abs() - 2.0).abs() < 1e-9 && (b.abs() - 2.0).abs() < 1e-9, "{a} {b}");
        // Of either side its own part of the nullcline only: x = 2 above, x = -2 below.
        let inner = |one: &Nullcline| {
            one.points.iter().filter(|(_, y)| y.abs() > 1e-9).all(|(x, y)| (x - 2.0 * y.signum()).abs() < 1e-9)
        };
        assert!(found.nullclines.iter().all(|one| one.state == "y" && inner(one)));
        assert_eq!(found.nullclines.len(), 2);
        // The other way round it escapes.
        let turned = plane(&text.replace("x - 2*", "x + 2*"), [[-5.0, 5.0], [-1.03, 1.0]]);
        assert!(turned.surfaces.iter().any(|one| one.kind == "escaping"));
    }

    #[test]
    fn inside_an_obstacle_there_is_no_field() {
        let system = System::gallery("impact-oscillator").unwrap();
        let request = Request { states: ["x".into(), "y".into()], ranges: [[-1.0, 1.0], [-1.0, 1.0]], arrows: 5 };
        let plane = system.phase_plane(&request).unwrap();
        assert!(!plane.planar && plane.held["phi"] == 0.0);
        for (k, rate) in plane.rates.iter().enumerate() {
            assert_eq!(rate.is_some(), plane.x[k % 5] <= 0.0, "{k}");
        }
        assert!(
            plane.walls.iter().all(|wall| wall.points.iter().all(|(x, _)| x.abs() < 1e-12)) && plane.walls.len() == 1
        );
        let resting = System::gallery("belt-oscillator").unwrap();
        let along = Request { states: ["x".into(), "u".into()], ranges: [[-1.0, 1.0], [-1.0, 1.0]], arrows: 5 };
        assert!(resting.phase_plane(&along).unwrap_err().to_string().contains("persistent contact"));
        let wrong = Request { states: ["x".into(), "x".into()], ranges: [[1.0, 1.0], [0.0, f64::NAN]], arrows: 1 };
        assert_eq!(wrong.refusals(&system).len(), 4);
    }
}
