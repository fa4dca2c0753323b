//! Tables of branches of equilibria: a row per point and a row per bifurcation; limit cycles have the tables of branches of orbits.

use crate::branch::tables as orbits;
use crate::equilibrium::branch::Branches;
use crate::naming::Naming;
use crate::table::{Cell, Table};
use saltation_orbit::equilibrium::branch::EquilibriumPoint;

/// All tables.
pub(crate) fn tables(followed: &Branches, naming: Naming) -> Vec<Table> {
    let mut tables = vec![points(followed, naming), special(followed, naming)];
    let cycles = followed.cycles();
    if !cycles.is_empty() {
        let named = orbits::NamedBranches { along: followed.along(), naming, branches: &cycles };
        tables.push(Table { name: "cycles", ..orbits::points(named) });
        tables.push(Table { name: "cycles_special", ..orbits::special(named) });
    }
    tables
}

/// All points of all branches of equilibria.
fn points(followed: &Branches, naming: Naming) -> Table {
    let mut head = columns(followed, naming);
    head.push("branch".to_string());
    let mut rows = Vec::new();
    for (k, branch) in followed.equilibria() {
        for point in &branch.points {
            let mut row = cells(naming, branch.value(point), point);
            row.push(k.into());
            rows.push(row);
        }
    }
    Table { name: "branch", head, rows }
}

/// All bifurcations of all branches of equilibria.
fn special(followed: &Branches, naming: Naming) -> Table {
    let mut head = vec!["kind".to_string()];
    head.extend(columns(followed, naming));
    head.extend(["period", "contact", "index", "branch"].map(str::to_string));
    let mut rows = Vec::new();
    for (k, branch) in followed.equilibria() {
        for special in &branch.special {
            let mut row: Vec<Cell> = vec![special.kind.name().into()];
            row.extend(cells(naming, branch.value(&special.point), &special.point));
            row.push(special.hopf.map(|hopf| hopf.period()).into());
            row.push(special.contact.map(|contact| naming.system.element_name(contact)).into());
            row.extend([special.index, k].map(Cell::from));
            rows.push(row);
        }
    }
    Table { name: "special", head, rows }
}

fn columns(followed: &Branches, naming: Naming) -> Vec<String> {
    let mut head = vec![followed.along().to_string()];
    head.extend(naming.states().iter().cloned());
    head.extend(naming.system.contact_names().iter().map(|name| format!("force_{name}")));
    head.extend(["mode", "leading_real_part", "stable", "admissible"].map(str::to_string));
    head
}

fn cells(naming: Naming, value: f64, point: &EquilibriumPoint) -> Vec<Cell> {
    let mut row: Vec<Cell> = vec![value.into()];
    row.extend(naming.state(&point.state).map(|(_, x)| Cell::from(x)));
    row.extend((0..naming.system.contact_names().len()).map(|contact| {
        let force = point.closed.iter().position(|closed| closed == contact).and_then(|k| point.contact_forces.get(k));
        Cell::from(force.copied())
    }));
    row.push(naming.mode(point.closed).as_str().into());
    row.push(point.eigenvalues.first().map(|z| z.re).into());
    row.extend([point.stable, point.admissible].map(Cell::from));
    row
}
