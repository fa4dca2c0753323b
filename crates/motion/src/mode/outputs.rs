//! The order of a mode's outputs: the gap of every contact, the value of every section, the contact force of every closed contact, and what friction adds.

use std::ops::Range;

/// The places of a mode's outputs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outputs {
    /// The number of contacts of the model.
    pub contacts: usize,
    /// The number of sections that are given by formulas.
    pub sections: usize,
}

impl Outputs {
    /// The gap of a contact.
    pub(crate) fn gap(self, contact: usize) -> usize {
        contact
    }

    /// A section, by its place among those given by formulas.
    pub(crate) fn section(self, section: usize) -> usize {
        self.contacts + section
    }

    /// All sections.
    pub(crate) fn sections(self) -> Range<usize> {
        self.contacts..self.contacts + self.sections
    }

    /// The contact force of the k-th closed contact.
    pub(crate) fn force(self, k: usize) -> usize {
        self.contacts + self.sections + k
    }
}
