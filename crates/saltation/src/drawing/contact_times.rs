//! When contacts are closed, and how they slip, along the path of a motion.

use saltation_model::Model;
use saltation_motion::{ClosedSet, Slip, Trajectory};

/// What a contact does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Doing {
    /// It is closed and has no friction, or several contacts are looked at together.
    Lasts,
    /// It is closed without slip.
    Sticks,
    /// It slips forwards.
    Forwards,
    /// It slips backwards.
    Backwards,
    /// The motion slides along the surface of a switch.
    Slides,
}

impl Doing {
    /// All of them.
    pub(crate) const ALL: [Doing; 5] = [Doing::Lasts, Doing::Sticks, Doing::Forwards, Doing::Backwards, Doing::Slides];

    /// What a contact with or without friction does.
    fn of(closed: ClosedSet, contact: usize, rubs: bool) -> Option<Doing> {
        if !closed.contains(contact) {
            return None;
        }
        Some(match closed.slip(contact) {
            _ if !rubs => Doing::Lasts,
            None => Doing::Sticks,
            Some(Slip::Forward) => Doing::Forwards,
            Some(Slip::Backward) => Doing::Backwards,
        })
    }
}

/// The intervals of time of one contact, each with what it does; none if it does the same during the whole motion.
pub(crate) fn of_contact(trajectory: &Trajectory, contact: usize, rubs: bool) -> Vec<(Doing, (f64, f64))> {
    joined(trajectory, |closed| Doing::of(closed, contact, rubs))
}

/// The intervals of time in which the motion slides along the surface of a switch; along those of dry friction alone it sticks.
pub(crate) fn of_sliding(trajectory: &Trajectory, model: &Model) -> Vec<(Doing, (f64, f64))> {
    let rubs = |switch: usize| model.frictions.iter().any(|dry| dry.switch == switch);
    joined(trajectory, |closed| {
        let sides = closed.sides();
        sides.slides().then(|| if sides.sliding().all(rubs) { Doing::Sticks } else { Doing::Slides })
    })
}

/// The intervals of time in which any of several contacts is closed, without those that are closed during the whole motion.
pub(crate) fn of_any(trajectory: &Trajectory, contacts: usize) -> Vec<(Doing, (f64, f64))> {
    let always = |&contact: &usize| trajectory.pieces().all(|piece| piece.closed.contains(contact));
    let those: Vec<usize> = (0..contacts).filter(|contact| !always(contact)).collect();
    joined(trajectory, |closed| those.iter().any(|&contact| closed.contains(contact)).then_some(Doing::Lasts))
}

fn joined(trajectory: &Trajectory, of: impl Fn(ClosedSet) -> Option<Doing>) -> Vec<(Doing, (f64, f64))> {
    let mut intervals: Vec<(Doing, (f64, f64))> = Vec::new();
    let mut last = None;
    let mut changes = 0;
    for (i, piece) in trajectory.pieces().enumerate() {
        let doing = of(piece.closed);
        let end = piece.start + piece.length;
        match (doing, intervals.last_mut()) {
            (Some(doing), Some((_, interval))) if last == Some(doing) => interval.1 = end,
            (Some(doing), _) => intervals.push((doing, (piece.start, end))),
            (None, _) => {}
        }
        changes += usize::from(i > 0 && doing != last);
        last = doing;
    }
    if changes == 0 { Vec::new() } else { intervals }
}
