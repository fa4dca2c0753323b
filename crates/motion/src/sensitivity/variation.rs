//! The derivatives that a motion carries along: variational motions for its directions, in groups.

use super::dual::{LANES, VariationalMotion};
use super::perturbation::Derivatives;

/// The derivatives that a motion carries along.
#[derive(Debug, Clone, Default)]
pub(crate) struct Variation {
    pub directions: usize,
    pub motions: Vec<VariationalMotion>,
    /// Contacts whose surface the neighbouring motions left together with this one.
    pub obeyed: Vec<bool>,
    /// Whether the derivatives of events within steps are wanted, and those of the last step.
    pub keeps_marks: bool,
    pub marks: Vec<Derivatives>,
}

impl Variation {
    pub(crate) fn is_empty(&self) -> bool {
        self.directions == 0
    }

    /// The variational motions that are in use; others wait to be used again.
    pub(crate) fn active(&mut self) -> impl Iterator<Item = &mut VariationalMotion> {
        let groups = self.directions.div_ceil(LANES);
        self.motions[..groups].iter_mut()
    }

    /// Whether a mode is still to be looked at: that before the last impact.
    pub(crate) fn needs(&self, mode: usize) -> bool {
        self.motions.iter().any(|motion| motion.mode_before == mode)
    }

    /// Neighbouring motions leave the surfaces of contacts together with this one.
    pub(crate) fn obey(&mut self, contacts: impl IntoIterator<Item = usize>) {
        for contact in contacts {
            if let Some(obeyed) = self.obeyed.get_mut(contact) {
                *obeyed = true;
            }
        }
    }

    /// Another mode has taken the place of this one.
    pub(crate) fn forget(&mut self, mode: usize) {
        self.motions.iter_mut().for_each(|motion| motion.forget(mode));
    }
}
