//! Which rows has a branch? One per point, and one per special point.

use crate::branch::Followed;
use crate::number::exact;
use crate::ordinate::leading_modulus;
use saltation::orbit::branch::{Branch, BranchPoint};

/// A head and rows.
pub type Table = (Vec<String>, Vec<Vec<String>>);

/// All points of all branches.
pub fn points(followed: Followed) -> Table {
    let speeds = most_speeds(followed);
    let mut head = columns(followed, speeds);
    head.push("branch".to_string());
    let row = |k: usize, branch: &Branch, point: &BranchPoint| {
        let mut row = cells(followed, branch, point, speeds);
        row.push(k.to_string());
        row
    };
    let branches = followed.branches.iter().enumerate();
    (head, branches.flat_map(|(k, branch)| branch.points.iter().map(move |point| row(k, branch, point))).collect())
}

/// All special points of all branches.
pub fn special(followed: Followed) -> Table {
    let speeds = most_speeds(followed);
    let mut head = vec!["kind".to_string()];
    head.extend(columns(followed, speeds));
    head.extend(["contact", "index", "branch"].map(str::to_string));
    let contacts = followed.naming.system.contact_names();
    let mut rows = Vec::new();
    for (k, branch) in followed.branches.iter().enumerate() {
        for special in &branch.special {
            let mut row = vec![special.kind.name().to_string()];
            row.extend(cells(followed, branch, &special.point, speeds));
            row.push(special.contact.map(|contact| contacts[contact].clone()).unwrap_or_default());
            row.extend([special.index, k].map(|number| number.to_string()));
            rows.push(row);
        }
    }
    (head, rows)
}

fn most_speeds(followed: Followed) -> usize {
    let points = followed.branches.iter().flat_map(|branch| &branch.points);
    points.map(|point| point.impact_speeds.len()).max().unwrap_or(0)
}

fn columns(followed: Followed, speeds: usize) -> Vec<String> {
    let mut head = vec![followed.along().to_string(), "period".to_string()];
    head.extend(followed.naming.states().iter().cloned());
    head.extend((1..=speeds).map(|k| format!("impact_speed_{k}")));
    head.extend(["leading_modulus", "stable", "admissible"].map(str::to_string));
    head
}

/// Numbers that are not finite are left out.
fn cells(followed: Followed, branch: &Branch, point: &BranchPoint, speeds: usize) -> Vec<String> {
    let number = |x: f64| if x.is_finite() { exact(x) } else { String::new() };
    let mut row = vec![number(branch.value(point)), number(point.period)];
    row.extend(followed.naming.state(&point.state).map(|(_, x)| number(x)));
    row.extend((0..speeds).map(|k| point.impact_speeds.get(k).map_or(String::new(), |x| number(*x))));
    row.push(number(leading_modulus(followed.naming, point)));
    row.extend([point.stable, point.admissible].map(|flag| flag.to_string()));
    row
}
