//! Which rows has a branch of equilibria? One per point, and one per special point.

use crate::branch_table::Table;
use crate::equilibrium_branch::Followed;
use crate::number::exact;
use saltation_orbit::equilibrium::branch::EquilibriumPoint;

/// All points of all branches of equilibria.
pub fn points(followed: Followed) -> Table {
    let mut head = columns(followed);
    head.push("branch".to_string());
    let mut rows = Vec::new();
    for (k, branch) in followed.rests() {
        for point in &branch.points {
            let mut row = cells(followed, branch.value(point), point);
            row.push(k.to_string());
            rows.push(row);
        }
    }
    (head, rows)
}

/// All special points of all branches of equilibria.
pub fn special(followed: Followed) -> Table {
    let mut head = vec!["kind".to_string()];
    head.extend(columns(followed));
    head.extend(["period", "contact", "index", "branch"].map(str::to_string));
    let contacts = followed.naming.system.contact_names();
    let mut rows = Vec::new();
    for (k, branch) in followed.rests() {
        for special in &branch.special {
            let mut row = vec![special.kind.name().to_string()];
            row.extend(cells(followed, branch.value(&special.point), &special.point));
            row.push(special.hopf.map(|hopf| number(hopf.period())).unwrap_or_default());
            row.push(special.contact.map(|contact| contacts[contact].clone()).unwrap_or_default());
            row.extend([special.index, k].map(|number| number.to_string()));
            rows.push(row);
        }
    }
    (head, rows)
}

fn columns(followed: Followed) -> Vec<String> {
    let mut head = vec![followed.along().to_string()];
    head.extend(followed.naming.states().iter().cloned());
    head.extend(followed.naming.system.contact_names().iter().map(|name| format!("force_{name}")));
    head.extend(["mode", "leading_real_part", "stable", "admissible"].map(str::to_string));
    head
}

/// Numbers that are not finite are left out.
fn number(x: f64) -> String {
    if x.is_finite() { exact(x) } else { String::new() }
}

fn cells(followed: Followed, value: f64, point: &EquilibriumPoint) -> Vec<String> {
    let naming = followed.naming;
    let mut row = vec![number(value)];
    row.extend(naming.state(&point.state).map(|(_, x)| number(x)));
    row.extend((0..naming.system.contact_names().len()).map(|contact| {
        let force = point.closed.iter().position(|closed| closed == contact).and_then(|k| point.contact_forces.get(k));
        force.map_or(String::new(), |force| number(*force))
    }));
    row.push(naming.mode(point.closed));
    row.push(point.eigenvalues.first().map_or(String::new(), |z| number(z.re)));
    row.extend([point.stable, point.admissible].map(|flag| flag.to_string()));
    row
}
