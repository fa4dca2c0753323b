//! The families of motions with k impacts per period that a search finds.

use saltation_modes::family::Limit;
use saltation_modes::{Family, LinearModes, Search, Steps};

/// Ends this near to each other, as a part of the period, are one.
const SAME: f64 = 1e-5;

/// The flights at an end, the shortest first: the direction of time and the first impact do not matter.
fn flights(limit: &Limit) -> Vec<f64> {
    let before = std::iter::once(0.0).chain(limit.impact_times.iter().copied());
    let mut flights: Vec<f64> = limit.impact_times.iter().zip(before).map(|(after, before)| after - before).collect();
    flights.sort_by(f64::total_cmp);
    flights
}

fn same_end(a: &Limit, b: &Limit) -> bool {
    flights(a).iter().zip(flights(b)).all(|(a, b)| (a - b).abs() < SAME * (1.0 + a))
}

/// Whether two families have the same ends.
pub(crate) fn same(a: &Family, b: &Family) -> bool {
    same_end(&a.begins, &b.begins) && same_end(&a.ends, &b.ends)
        || same_end(&a.begins, &b.ends) && same_end(&a.ends, &b.begins)
}

/// The families of the motions that a search finds, none of them twice; they are followed within the periods of the search,
/// and a little beyond.
pub(crate) fn families(modes: &LinearModes, search: &Search, longest_step: f64) -> Vec<Family> {
    let mut known: Vec<Family> = Vec::new();
    for motion in search.run(modes, |_, _| true).motions {
        if let Some(family) = Family::of(modes, &motion, &steps(search, longest_step), |_| true)
            && !known.iter().any(|other| same(other, &family))
        {
            known.push(family);
        }
    }
    known
}

/// How families of a search are followed.
pub(crate) fn steps(search: &Search, longest: f64) -> Steps {
    Steps { most: 1500, longest, periods: (0.8 * search.periods.0, 1.2 * search.periods.1) }
}
