//! Borders between modes: what is zero, by definition, at a located event, and the modes that coincide there.

use crate::mode::{Bound, ClosedSet, Constraint};

/// What is zero at a located event, by definition: in the mode that ends there, forces or distances from the edge of a cone.
///
/// The modes that coincide there differ in these contacts only and have the same accelerations. So the first coefficient of each of these
/// quantities vanishes in all of them, whatever rounding leaves of it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Border {
    /// The mode that ends.
    pub before: ClosedSet,
    /// Its constraints without a force.
    pub redundant: Vec<Constraint>,
    /// The contacts, and what vanishes at each of them.
    pub at: Vec<(usize, Bound)>,
    /// Contacts that hold more than they rub: where they begin to slip, accelerations jump, and no other mode coincides with the one that ends.
    pub uneven: Vec<usize>,
}

impl Border {
    /// The mode beyond one of its zeros.
    fn beyond(mode: ClosedSet, (contact, bound): (usize, Bound)) -> ClosedSet {
        match bound {
            Bound::Cone(slip) if mode.contains(contact) => mode.with_slip(contact, slip),
            _ => mode.without(contact),
        }
    }

    /// Whether a quantity of the mode that ends vanishes.
    pub(crate) fn contains(&self, contact: usize, bound: Bound) -> bool {
        self.at.contains(&(contact, bound))
    }

    /// Whether a mode is one of those that coincide here, and all other contacts share their forces as in the mode that ends.
    pub(crate) fn joins_with(&self, mode: ClosedSet, redundant: &[Constraint]) -> bool {
        let others = |constraint: &&Constraint| {
            let at = self.at.iter().any(|&(contact, _)| contact == constraint.contact());
            !at && !matches!(constraint, Constraint::Parallel(_))
        };
        self.joins(mode) && redundant.iter().filter(others).eq(self.redundant.iter().filter(others))
    }

    /// Whether a mode is one of those that coincide here.
    pub(crate) fn joins(&self, mode: ClosedSet) -> bool {
        let contacts = || self.at.iter().map(|&(contact, _)| contact);
        let strip = |set: ClosedSet| contacts().fold(set, ClosedSet::without);
        strip(mode) == strip(self.before)
            && contacts().all(|contact| {
                let same = |set: ClosedSet| {
                    (mode.contains(contact), mode.slip(contact)) == (set.contains(contact), set.slip(contact))
                };
                same(self.before)
                    || !self.uneven.contains(&contact)
                        && self.at.iter().any(|&zero| zero.0 == contact && same(Border::beyond(self.before, zero)))
            })
    }

    /// The modes beyond each zero alone and beyond all of them.
    pub(crate) fn modes(&self) -> Vec<ClosedSet> {
        let single = self.at.iter().map(|&zero| Border::beyond(self.before, zero));
        let all = self.at.iter().fold(self.before, |mode, &zero| Border::beyond(mode, zero));
        single.chain([all]).collect()
    }
}
