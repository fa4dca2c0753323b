//! What does a piece of motion pass on its way? Its polynomials, step by step.

use std::ops::ControlFlow;

use saltation_expr::{Jet, Tape};

use super::{Extension, Lost};
use crate::friction::Bound;
use crate::friction::formulas::Limit;
use crate::system::{ClosedSet, System};

/// One step of a piece of motion.
pub struct Stretch<'a> {
    system: &'a System,
    closed: ClosedSet,
    tape: &'a Tape,
    limits: &'a [Limit],
    jet: &'a Jet<f64>,
    /// When it begins, since the start of the piece.
    pub start: f64,
    /// How long it takes, negative if the piece goes backward.
    pub length: f64,
}

impl Stretch<'_> {
    /// A state as a polynomial of the time since the start of the step.
    pub fn state(&self, index: usize) -> &[f64] {
        self.jet.state(index)
    }

    /// The gap of a contact, likewise.
    pub fn gap(&self, contact: usize) -> &[f64] {
        self.jet.output(self.tape, self.system.gap_output(contact))
    }

    /// The force of a closed contact, likewise.
    pub fn force(&self, contact: usize) -> Option<&[f64]> {
        let k = self.closed.iter().position(|c| c == contact)?;
        Some(self.jet.output(self.tape, self.system.force_output(k)))
    }

    /// What friction keeps above zero, likewise, with the contact.
    pub fn bounds(&self) -> impl Iterator<Item = (usize, Bound, &[f64])> {
        self.limits.iter().map(|limit| (limit.contact, limit.kind, self.jet.output(self.tape, limit.output)))
    }

    /// The formula of a section, likewise; `None` for sections that are impacts.
    pub fn section(&self, section: usize) -> Option<&[f64]> {
        let section = &self.system.sections[section];
        section.formula?;
        Some(self.jet.output(self.tape, self.system.section_output(section)))
    }
}

impl Extension<'_> {
    /// Follows the field of a mode by Taylor steps for a time and tells each of them.
    ///
    /// # Errors
    /// If the flow has no finite value on the way.
    pub fn walk(
        &mut self,
        closed: ClosedSet,
        state: &[f64],
        time: f64,
        tell: &mut dyn FnMut(&Stretch),
    ) -> Result<(), Lost> {
        self.walk_until(closed, state, time, &mut |step| {
            tell(step);
            ControlFlow::Continue(())
        })
    }

    /// Follows the field of a mode by Taylor steps, each of which is told, for a time or until it is told to break off. The time
    /// may be infinite: then the walk also ends where nothing moves any more.
    ///
    /// ```
    /// # use std::ops::ControlFlow;
    /// # use saltation_motion::{ClosedSet, FlowChoice, System, extension::Extension};
    /// # let text = saltation_model::gallery::find("forced-oscillator").unwrap();
    /// # let model = saltation_model::Model::parse(text, "forced-oscillator").unwrap();
    /// let system = System::new(&model);
    /// let values = model.values(&Default::default()).unwrap();
    /// let mut flow = Extension::new(&system, 1e-12, FlowChoice::Automatic);
    /// flow.bind(values.parameters(), &[]);
    /// // As far as ten steps lead, and then backward in time.
    /// for time in [f64::INFINITY, f64::NEG_INFINITY] {
    ///     let (mut steps, mut end) = (0, 0.0);
    ///     flow.walk_until(ClosedSet::NONE, values.start(), time, &mut |step| {
    ///         (steps, end) = (steps + 1, step.start + step.length);
    ///         if steps < 10 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    ///     }).unwrap();
    ///     assert!(steps == 10 && end * time > 0.0);
    /// }
    /// ```
    ///
    /// # Errors
    /// If the flow has no finite value on the way, or takes too many steps.
    pub fn walk_until(
        &mut self,
        closed: ClosedSet,
        state: &[f64],
        time: f64,
        tell: &mut dyn FnMut(&Stretch) -> ControlFlow<()>,
    ) -> Result<(), Lost> {
        let index = self.field(closed, state);
        let mut state = state.to_vec();
        let limits = self.fields[index].limits.clone();
        let system = self.system;
        let mut start = 0.0;
        self.steps(index, &mut state, time, &mut |tape, jet, length| {
            let next = tell(&Stretch { system, closed, tape, limits: &limits, jet, start, length });
            start += length;
            next
        })
    }
}
