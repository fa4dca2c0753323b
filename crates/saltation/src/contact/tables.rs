//! Tables of a map of contact problems: its grid points, and the curves on which A, b and slip vanish.

use crate::contact::answer::{Curve, Map};
use crate::table::{Cell, Table};
use saltation_motion::problems::ContactMap;

/// The tables; `contacts` are the names of all contacts of the model.
pub(crate) fn tables(map: &Map, found: &ContactMap, contacts: &[String]) -> Vec<Table> {
    vec![places(map, found, contacts), curves(map)]
}

/// One row per place.
fn places(map: &Map, found: &ContactMap, contacts: &[String]) -> Table {
    let mut head = map.names.to_vec();
    head.push("status".to_string());
    for &contact in &found.contacts {
        let name = &contacts[contact];
        head.extend([format!("A_{name}"), format!("b_{name}")]);
    }
    let across = map.values[0].len().max(1);
    let row = |place: usize| {
        let mut row: Vec<Cell> = vec![map.values[0][place % across].into(), map.values[1][place / across].into()];
        row.push(found.regions[place].name().into());
        row.extend((0..found.contacts.len()).flat_map(|k| [found.a[k][place].into(), found.b[k][place].into()]));
        row
    };
    Table { name: "contact_map", head, rows: (0..found.regions.len()).map(row).collect() }
}

/// One row per point of every curve; closed ones end where they begin.
fn curves(map: &Map) -> Table {
    let head = ["curve", "contact", "quantity", &map.names[0], &map.names[1]].map(str::to_string).to_vec();
    let points = |(k, curve): (usize, &Curve)| {
        let closing = curve.closed.then(|| curve.points.first().copied()).flatten();
        let all: Vec<(f64, f64)> = curve.points.iter().copied().chain(closing).collect();
        let (contact, quantity) = (curve.contact.clone(), curve.quantity.name());
        all.into_iter().map(move |(x, y)| vec![k.into(), contact.as_str().into(), quantity.into(), x.into(), y.into()])
    };
    Table { name: "curves", head, rows: map.curves.iter().enumerate().flat_map(points).collect() }
}
