//! The modes in which equilibria are looked for: flight on all sides of switches and along them, and on each of these every contact closed alone.

use saltation_motion::{ClosedSet, Side, Slip, System};

/// So many switches are looked at on all combinations of their sides.
pub(super) const FEW_SWITCHES: usize = 3;

/// All of them, `here` the sides of the start: first in flight, then in contact, those on its sides before others.
pub(super) fn all(system: &System, here: ClosedSet) -> Vec<ClosedSet> {
    let sides = sides(system, here);
    let closed = sides.iter().flat_map(|&mode| singles(system, mode));
    sides.iter().copied().chain(closed).collect()
}

/// Every contact closed alone, sticking and slipping, on some sides of switches.
fn singles(system: &System, sides: ClosedSet) -> impl Iterator<Item = ClosedSet> {
    (0..system.contact_names().len()).flat_map(move |contact| {
        let slipping = [Slip::Forward, Slip::Backward].map(|slip| sides.with_slip(contact, slip));
        let has_friction = system.model().contacts[contact].friction.is_some();
        [sides.with(contact)].into_iter().chain(slipping.into_iter().filter(move |_| has_friction))
    })
}

/// A mode with the sides that it does not name as at the start.
pub(super) fn within(system: &System, closed: ClosedSet, here: ClosedSet) -> ClosedSet {
    let named = closed.sides();
    let switches = 0..system.switch_names().len();
    switches.filter(|&k| !named.knows(k)).fold(closed, |mode, k| mode.with_side(k, here.sides().of(k)))
}

/// The modes of flight on all sides of switches and along them: all of them for few switches, else those that differ from the start in one.
fn sides(system: &System, here: ClosedSet) -> Vec<ClosedSet> {
    let felt: Vec<usize> = (0..system.switch_names().len()).filter(|&k| system.is_felt(k)).collect();
    let slides = |k: usize| system.may_slide(k) || system.slides_in_second_order(k);
    let own = |k: usize| Side::ALL.into_iter().filter(move |&side| side != Side::Sliding || slides(k));
    let mut modes = vec![here];
    if felt.len() <= FEW_SWITCHES {
        for &k in &felt {
            modes = modes.iter().flat_map(|mode| own(k).map(|side| mode.with_side(k, side))).collect();
        }
    } else {
        let single = |&k: &usize| {
            own(k).filter(move |&side| side != here.sides().of(k)).map(move |side| here.with_side(k, side))
        };
        modes.extend(felt.iter().flat_map(single));
    }
    modes.sort_by_key(|mode| *mode != here);
    modes
}
