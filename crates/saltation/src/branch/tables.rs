//! Tables of branches: a row per point, and a row per bifurcation.

use crate::branch::ordinate::leading_modulus;
use crate::naming::Naming;
use crate::table::{Cell, Table};
use saltation_orbit::branch::{Branch, BranchPoint, SpecialKind};

/// Branches of orbits with the names of their numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NamedBranches<'a> {
    /// The name of the parameter that varies.
    pub along: &'a str,
    /// The names of the numbers.
    pub naming: Naming<'a>,
    /// The branches, each with its number.
    pub branches: &'a [(usize, &'a Branch)],
}

/// All points of all branches.
pub(crate) fn points(named: NamedBranches) -> Table {
    let speeds = most_speeds(named);
    let mut head = columns(named.along, named.naming, speeds);
    head.push("branch".to_string());
    let row = |k: usize, branch: &Branch, point: &BranchPoint| {
        let mut row = cells(named.naming, branch.value(point), point, speeds);
        row.push(k.into());
        row
    };
    let branches = named.branches.iter();
    let rows = branches.flat_map(|&(k, branch)| branch.points.iter().map(move |point| row(k, branch, point)));
    Table { name: "branch", head, rows: rows.collect() }
}

/// All bifurcations of all branches.
pub(crate) fn special(named: NamedBranches) -> Table {
    let speeds = most_speeds(named);
    let mut head = vec!["kind".to_string()];
    head.extend(columns(named.along, named.naming, speeds));
    head.extend(["contact", "index", "branch"].map(str::to_string));
    let mut rows = Vec::new();
    for &(k, branch) in named.branches {
        for special in &branch.special {
            let mut row: Vec<Cell> = vec![special.kind.name().into()];
            row.extend(cells(named.naming, branch.value(&special.point), &special.point, speeds));
            row.push(special.contact.map(|contact| named.naming.system.element_name(contact)).into());
            row.extend([special.index, k].map(Cell::from));
            rows.push(row);
        }
    }
    Table { name: "special", head, rows }
}

/// One point while the branch is followed, with the bifurcation that it is.
pub(crate) fn point(along: &str, naming: Naming, value: f64, point: &BranchPoint, kind: Option<SpecialKind>) -> Table {
    let speeds = point.impact_speeds.len();
    let mut head = columns(along, naming, speeds);
    head.push("kind".to_string());
    let mut row = cells(naming, value, point, speeds);
    row.push(kind.map(SpecialKind::name).into());
    Table { name: "branch", head, rows: vec![row] }
}

fn most_speeds(named: NamedBranches) -> usize {
    let points = named.branches.iter().flat_map(|(_, branch)| &branch.points);
    points.map(|point| point.impact_speeds.len()).max().unwrap_or(0)
}

fn columns(along: &str, naming: Naming, speeds: usize) -> Vec<String> {
    let mut head = vec![along.to_string(), "period".to_string()];
    head.extend(naming.states().iter().cloned());
    head.extend((1..=speeds).map(|k| format!("impact_speed_{k}")));
    head.extend(["leading_modulus", "stable", "admissible"].map(str::to_string));
    head
}

fn cells(naming: Naming, value: f64, point: &BranchPoint, speeds: usize) -> Vec<Cell> {
    let mut row: Vec<Cell> = vec![value.into(), point.period.into()];
    row.extend(naming.state(&point.state).map(|(_, x)| Cell::from(x)));
    row.extend((0..speeds).map(|k| Cell::from(point.impact_speeds.get(k).copied())));
    row.push(leading_modulus(naming, point).into());
    row.extend([point.stable, point.admissible].map(Cell::from));
    row
}
