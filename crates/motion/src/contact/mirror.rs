//! Modes, limits of friction and collisions under the symmetry of a model, which exchanges contacts and may reverse their slip.

use saltation_model::SymmetryMap;

use super::collision::Collision;
use super::impulse::TangentialRule;
use crate::mode::{Bound, ClosedSet, Slip};

impl Slip {
    /// The direction of the mirror image, at a contact whose slip keeps its sign there or changes it.
    fn mirrored(self, sign: f64) -> Slip {
        Slip::of(sign * self.sign())
    }
}

/// The image of a contact or a switch, and the sign of its slip, or of its function, there.
fn image(symmetry: &SymmetryMap, element: usize) -> (usize, f64) {
    match ClosedSet::switch(element) {
        None => (symmetry.contacts[element], symmetry.slips[element]),
        Some(switch) => {
            let (image, sign) = symmetry.switches[switch];
            (ClosedSet::element(image), sign)
        }
    }
}

/// The image of a contact or a switch.
pub fn mirrored_element(symmetry: &SymmetryMap, element: usize) -> usize {
    image(symmetry, element).0
}

impl ClosedSet {
    /// The contacts that are closed in the mirror image, and how they slip there.
    pub fn mirrored(self, symmetry: &SymmetryMap) -> ClosedSet {
        self.elements().fold(ClosedSet::NONE, |set, element| {
            let (image, sign) = image(symmetry, element);
            match (self.slip(element), self.limiting(element)) {
                (Some(slip), _) => set.with_slip(image, slip.mirrored(sign)),
                (_, Some(slip)) => set.with_limiting(image, slip.mirrored(sign)),
                _ => set.with(image),
            }
        })
    }
}

impl Bound {
    /// The same at the image of the contact.
    pub fn mirrored(self, contact: usize, symmetry: &SymmetryMap) -> Bound {
        match self {
            Bound::Cone(slip) => Bound::Cone(slip.mirrored(image(symmetry, contact).1)),
            Bound::Force | Bound::Speed | Bound::Surface => self,
        }
    }
}

impl Collision {
    /// The same equations at the images of the contacts, which are in order again.
    pub fn mirrored(&self, symmetry: &SymmetryMap) -> Collision {
        let mut order: Vec<usize> = (0..self.contacts.len()).collect();
        order.sort_by_key(|&k| symmetry.contacts[self.contacts[k]]);
        let contacts = order.iter().map(|&k| symmetry.contacts[self.contacts[k]]).collect();
        let rules = |phase: &Vec<_>, k: usize| match phase[k] {
            (normal, TangentialRule::Slip(slip)) => {
                (normal, TangentialRule::Slip(slip.mirrored(symmetry.slips[self.contacts[k]])))
            }
            same => same,
        };
        let phases = self.phases.iter().map(|phase| order.iter().map(|&k| rules(phase, k)).collect()).collect();
        Collision { contacts, phases }
    }
}

#[cfg(test)]
mod tests {
    use saltation_model::SymmetryMap;

    use crate::contact::Collision;
    use crate::mode::{Bound, ClosedSet, Slip};

    #[test]
    fn twice_is_the_same() {
        let symmetry = SymmetryMap {
            signs: vec![],
            shift: 0.0,
            contacts: vec![1, 0, 2],
            slips: vec![-1.0, -1.0, 1.0],
            switches: vec![(0, -1.0)],
        };
        let mode = ClosedSet::NONE.with_slip(0, Slip::Forward).with_slip(2, Slip::Backward);
        let image = mode.mirrored(&symmetry);
        assert_eq!(image, ClosedSet::NONE.with_slip(1, Slip::Backward).with_slip(2, Slip::Backward));
        assert_eq!(image.mirrored(&symmetry), mode);
        let switch = ClosedSet::element(0);
        let side = ClosedSet::NONE.with_slip(switch, Slip::Forward);
        assert_eq!(side.mirrored(&symmetry), ClosedSet::NONE.with_slip(switch, Slip::Backward));
        let bound = Bound::Cone(Slip::Forward);
        assert_eq!(bound.mirrored(0, &symmetry), Bound::Cone(Slip::Backward));
        assert_eq!(bound.mirrored(2, &symmetry), bound);
        let collision =
            Collision::from_rules(&[vec![(0, "newton", "slip+"), (1, "free", "stick"), (2, "halt", "slip-")]]);
        let collision = collision.expect("these are rules");
        let image = collision.mirrored(&symmetry);
        assert_eq!(image.rules(), [[(0, "free", "stick"), (1, "newton", "slip-"), (2, "halt", "slip-")]]);
        assert_eq!(image.mirrored(&symmetry), collision);
    }
}
