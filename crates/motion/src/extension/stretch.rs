//! The polynomials of a piece of motion, step by step.

use std::ops::ControlFlow;

use super::{Extension, Lost};
use crate::mode::expansion::Expansion;
use crate::mode::{Bound, ClosedSet, Limit};
use crate::system::System;

/// One step of a piece of motion.
pub struct Stretch<'a> {
    system: &'a System,
    closed: ClosedSet,
    limits: &'a [Limit],
    series: &'a Expansion,
    /// When it begins, since the start of the piece.
    pub start: f64,
    /// How long it takes, negative if the piece goes backward.
    pub length: f64,
}

impl Stretch<'_> {
    /// A state as a polynomial of the time since the start of the step.
    pub fn state(&self, index: usize) -> &[f64] {
        self.series.state(index)
    }

    /// The gap of a contact, likewise.
    pub fn gap(&self, contact: usize) -> &[f64] {
        self.series.output(self.system.gap_output(contact))
    }

    /// The force of a closed contact, likewise.
    pub fn force(&self, contact: usize) -> Option<&[f64]> {
        let k = self.closed.iter().position(|c| c == contact)?;
        Some(self.series.output(self.system.force_output(k)))
    }

    /// What friction keeps above zero, likewise, with the contact.
    pub fn bounds(&self) -> impl Iterator<Item = (usize, Bound, &[f64])> {
        self.limits.iter().map(|limit| (limit.contact, limit.kind, self.series.output(limit.output)))
    }

    /// The formula of a section, likewise; `None` for sections that are impacts.
    pub fn section(&self, section: usize) -> Option<&[f64]> {
        let section = &self.system.sections[section];
        section.formula?;
        Some(self.series.output(self.system.section_output(section)))
    }
}

impl Extension<'_> {
    /// Follows the field of a mode by Taylor steps for a time and hands on each of them.
    ///
    /// # Errors
    /// If the flow has no finite value on the way.
    pub fn follow(
        &mut self,
        closed: ClosedSet,
        state: &[f64],
        time: f64,
        receive: &mut dyn FnMut(&Stretch),
    ) -> Result<(), Lost> {
        self.follow_until(closed, state, time, &mut |step| {
            receive(step);
            ControlFlow::Continue(())
        })
    }

    /// Follows the field of a mode by Taylor steps, each of which is handed on, for a time or until the receiver breaks off. The time
    /// may be infinite: then it also ends where nothing moves any more.
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
    ///     flow.follow_until(ClosedSet::NONE, values.start(), time, &mut |step| {
    ///         (steps, end) = (steps + 1, step.start + step.length);
    ///         if steps < 10 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    ///     }).unwrap();
    ///     assert!(steps == 10 && end * time > 0.0);
    /// }
    /// ```
    ///
    /// # Errors
    /// If the flow has no finite value on the way, or takes too many steps.
    pub fn follow_until(
        &mut self,
        closed: ClosedSet,
        state: &[f64],
        time: f64,
        receive: &mut dyn FnMut(&Stretch) -> ControlFlow<()>,
    ) -> Result<(), Lost> {
        let index = self.field(closed, state);
        let mut state = state.to_vec();
        let limits = self.fields[index].limits.clone();
        let system = self.system;
        let mut start = 0.0;
        self.steps(index, &mut state, time, &mut |series, length| {
            let next = receive(&Stretch { system, closed, limits: &limits, series, start, length });
            start += length;
            next
        })
    }
}
