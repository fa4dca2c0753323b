//! The figure of a map of contact problems: regions in colours, and the curves on which A, b and slip vanish.

use crate::branch::figure::parameter_axis;
use crate::contact::answer::Map;
use crate::drawing::motion::title;
use crate::system::System;
use saltation_draw::{Axis, Color, Figure, Layer, Panel};
use saltation_model::Model;
use saltation_motion::problems::{Critical, Region};

const WIDTH: f64 = 680.0;
const HEIGHT: f64 = 520.0;
const BREAK: (f64, f64) = (f64::NAN, f64::NAN);

/// The figure of a map of the forces of these contacts.
pub(crate) fn figure(system: &System, map: &Map, contacts: &[&str]) -> Figure {
    let model = system.model();
    let [x, y] = [0, 1].map(|k| axis(model, &map.names[k], &map.values[k]));
    let mut panel = Panel::new(x, y);
    let edges = [0, 1].map(|k| edges(&map.values[k]));
    let regions = || map.status.iter().flatten();
    for region in Region::ALL.into_iter().filter(|region| regions().any(|other| other == region)) {
        let filled = regions().map(|&other| other == region).collect();
        let layer = Layer::cells(edges[0].clone(), edges[1].clone(), filled).color(color(region)).label(region.name());
        panel = panel.layer(layer);
    }
    let several = contacts.len() > 1;
    for &contact in contacts {
        for quantity in Critical::ALL {
            let mut line = Vec::new();
            for found in
                map.curves.iter().filter(|found| (found.contact.as_str(), found.quantity) == (contact, quantity))
            {
                line.extend_from_slice(&found.points);
                line.extend(found.points.first().filter(|_| found.closed));
                line.push(BREAK);
            }
            if line.is_empty() {
                continue;
            }
            let of = if several { format!(" of {contact}") } else { String::new() };
            let layer = Layer::line(line).color(Color::BLACK).width(1.6);
            panel = panel.layer(match quantity {
                Critical::A => layer.label(format!("A = 0{of}")),
                Critical::B => layer.label(format!("b = 0{of}")).dashed(),
                Critical::Slip => layer.label(format!("slip = 0{of}")).color(Color::GREY).width(1.2),
            });
        }
    }
    let names = [map.names[0].as_str(), map.names[1].as_str()];
    let mut about = vec!["solutions of the contact problem".to_string()];
    about.extend(system.changed_but(&names));
    Figure::new(title(system)).subtitle(about.join(", ")).size(WIDTH, HEIGHT).panel(panel)
}

/// Pale colours, on which curves are visible.
fn color(region: Region) -> Color {
    match region {
        Region::Slip => Color::rgb(158, 202, 225),
        Region::Stick => Color::rgb(116, 196, 160),
        Region::Flight => Color::rgb(240, 240, 235),
        Region::Indeterminate => Color::rgb(245, 200, 110),
        Region::Inconsistent => Color::rgb(222, 120, 90),
        Region::Impossible => Color::rgb(170, 170, 170),
    }
}

/// The axis of a parameter or a state, from the first of these values to the last.
fn axis(model: &Model, name: &str, values: &[f64]) -> Axis {
    let axis = match model.parameter(name) {
        Some(parameter) => parameter_axis(&model.parameters[parameter]),
        None => {
            let unit = model.state(name).and_then(|state| model.states[state].unit.clone());
            let axis = Axis::new(name);
            match unit {
                Some(unit) => axis.unit(unit),
                None => axis,
            }
        }
    };
    match (values.first(), values.last()) {
        (Some(&low), Some(&high)) => axis.between(low, high),
        _ => axis,
    }
}

/// The middles between values, and as far beyond both ends.
fn edges(values: &[f64]) -> Vec<f64> {
    let between = values.windows(2).map(|pair| 0.5 * (pair[0] + pair[1]));
    let (Some(&first), Some(&last)) = (values.first(), values.last()) else { return Vec::new() };
    let all: Vec<f64> = between.collect();
    let before = all.first().map(|next| 2.0 * first - next);
    let after = all.last().map(|next| 2.0 * last - next);
    before.into_iter().chain(all).chain(after).collect()
}
