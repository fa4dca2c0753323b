//! How fast the motions beside a surface leave it: the series of |s| in time on given sides of the switches along which a mode slides.

use saltation_numerics::rounded::Rounded;

use crate::contact::group::Group;
use crate::mode::compiled::Mode;
use crate::mode::expansion::Expansion;
use crate::mode::{Bound, ClosedSet, Limit};
use crate::system::System;

/// The coefficients of |s| in powers of the time, up to an order, for some switches, on the motion of a mode from a state. The mode has a side of each of them, and
/// the state may lie on their surfaces.
///
/// ```
/// use saltation_model::Model;
/// use saltation_motion::{ClosedSet, Side, System, departures};
/// let text = "format = 1\nname = \"relay\"\n[flow]\nx = \"1 - 3*sign(x)\"\n[start]\nx = 1\n";
/// let model = Model::parse(text, "relay").unwrap();
/// let system = System::new(&model);
/// let rate = |side: Side| departures(&system, &[], ClosedSet::NONE.with_side(0, side), &[0], &[0.0], 1)[0][1].value;
/// assert_eq!((rate(Side::Positive), rate(Side::Negative)), (-2.0, -4.0));
/// ```
pub fn departures(
    system: &System,
    parameters: &[f64],
    beside: ClosedSet,
    switches: &[usize],
    state: &[f64],
    order: usize,
) -> Vec<Vec<Rounded>> {
    let redundant = match system.coupled && beside.iter().count() > 1 {
        true => Group::new(system, parameters).redundant(system, beside, state, &[]),
        false => Vec::new(),
    };
    let Mode { tape, limits, .. } = system.mode(beside, &redundant, false);
    let rounded = |numbers: &[f64]| numbers.iter().map(|&x| Rounded::new(x)).collect::<Vec<Rounded>>();
    let mut motion = Expansion::new(&tape, &rounded(parameters));
    motion.expand(&rounded(state), order);
    switches.iter().map(|&k| distance(&limits, k).map_or(Vec::new(), |o| motion.output(o).to_vec())).collect()
}

/// The output that is |s| of a switch in a mode that has a side of it.
pub(crate) fn distance(limits: &[Limit], switch: usize) -> Option<usize> {
    let own = |limit: &&Limit| {
        limit.contact == ClosedSet::element(switch) && matches!(limit.kind, Bound::Speed | Bound::Surface)
    };
    limits.iter().find(own).map(|limit| limit.output)
}
