//! Which rows has a branch? One per point, and one per special point.

use crate::naming::Naming;
use crate::number::exact;
use crate::ordinate::leading_modulus;
use saltation_orbit::branch::{Branch, BranchPoint};

/// A head and rows.
pub type Table = (Vec<String>, Vec<Vec<String>>);

/// Branches of orbits with what their numbers are called.
#[derive(Debug, Clone, Copy)]
pub struct Told<'a> {
    /// The name of the parameter that varies.
    pub along: &'a str,
    /// The names of the numbers.
    pub naming: Naming<'a>,
    /// The branches, each with its number.
    pub branches: &'a [(usize, &'a Branch)],
}

/// All points of all branches.
pub fn points(told: Told) -> Table {
    let speeds = most_speeds(told);
    let mut head = columns(told, speeds);
    head.push("branch".to_string());
    let row = |k: usize, branch: &Branch, point: &BranchPoint| {
        let mut row = cells(told, branch, point, speeds);
        row.push(k.to_string());
        row
    };
    let branches = told.branches.iter();
    (head, branches.flat_map(|&(k, branch)| branch.points.iter().map(move |point| row(k, branch, point))).collect())
}

/// All special points of all branches.
pub fn special(told: Told) -> Table {
    let speeds = most_speeds(told);
    let mut head = vec!["kind".to_string()];
    head.extend(columns(told, speeds));
    head.extend(["contact", "index", "branch"].map(str::to_string));
    let contacts = told.naming.system.contact_names();
    let mut rows = Vec::new();
    for &(k, branch) in told.branches {
        for special in &branch.special {
            let mut row = vec![special.kind.name().to_string()];
            row.extend(cells(told, branch, &special.point, speeds));
            row.push(special.contact.map(|contact| contacts[contact].clone()).unwrap_or_default());
            row.extend([special.index, k].map(|number| number.to_string()));
            rows.push(row);
        }
    }
    (head, rows)
}

fn most_speeds(told: Told) -> usize {
    let points = told.branches.iter().flat_map(|(_, branch)| &branch.points);
    points.map(|point| point.impact_speeds.len()).max().unwrap_or(0)
}

fn columns(told: Told, speeds: usize) -> Vec<String> {
    let mut head = vec![told.along.to_string(), "period".to_string()];
    head.extend(told.naming.states().iter().cloned());
    head.extend((1..=speeds).map(|k| format!("impact_speed_{k}")));
    head.extend(["leading_modulus", "stable", "admissible"].map(str::to_string));
    head
}

/// Numbers that are not finite are left out.
fn cells(told: Told, branch: &Branch, point: &BranchPoint, speeds: usize) -> Vec<String> {
    let number = |x: f64| if x.is_finite() { exact(x) } else { String::new() };
    let mut row = vec![number(branch.value(point)), number(point.period)];
    row.extend(told.naming.state(&point.state).map(|(_, x)| number(x)));
    row.extend((0..speeds).map(|k| point.impact_speeds.get(k).map_or(String::new(), |x| number(*x))));
    row.push(number(leading_modulus(told.naming, point)));
    row.extend([point.stable, point.admissible].map(|flag| flag.to_string()));
    row
}
