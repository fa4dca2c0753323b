//! What is known of gaps and forces at the start of a step beyond what the state determines: leading coefficients that vanish, or that rounding would hide.

use super::cause::Cause;
use super::polynomials::size_on;
use crate::mode::ClosedSet;
use crate::mode::bound::BoundMode;
use crate::system::System;

/// A gap that is not zero is no smaller than this, so that the time in which it closes is a number.
const SMALLEST: f64 = 1e-200;

/// What is known of gaps and forces at the start of a step. Vectors have one entry per contact.
#[derive(Debug, Clone)]
pub(crate) struct Departures {
    /// For open contacts: how many leading coefficients of the gap are zero because it was just left.
    pub leaving: Vec<usize>,
    /// For contacts that were left so recently that a return stopped the motion on the same step: the lowest coefficients of
    /// the gap from here on, which the state alone does not determine.
    pub departed: Vec<Vec<f64>>,
    /// The opening speeds that are known of such contacts before an impact of another one, which may not change them.
    pub speeds: Vec<(usize, f64)>,
    /// Where the gap was known from such coefficients as the last step began: how many leading ones were zero where the contact was left, if its speed is known since; else 0.
    pub known_order: Vec<Option<usize>>,
    /// How long before the start of the step such contacts were left, and how many leading coefficients of the gap were zero then, as long as its speed is known since.
    flown: Vec<f64>,
    order: Vec<usize>,
    /// What is not known of such gaps beside rounding.
    pub doubt: Vec<f64>,
    /// Whether the gap was closing towards the end of the last step; unknown after an event.
    pub closing: Vec<Option<bool>>,
    /// Contact forces and limits of friction that are zero, by their outputs in the present mode: how many leading coefficients are.
    pub vanishing: Vec<(usize, usize)>,
    /// Open contacts and switches, as elements, whose functions others keep at zero: what rounding leaves of their coefficients.
    pub still: Vec<(usize, Vec<f64>)>,
    /// The contact that had an impact here, and how long its flight is expected to last.
    pub bounced: Option<usize>,
    pub expected_flight: f64,
    row: Vec<f64>,
}

impl Departures {
    /// Nothing is known of any contact.
    pub(crate) fn new(contacts: usize) -> Departures {
        Departures {
            leaving: vec![0; contacts],
            departed: vec![Vec::new(); contacts],
            speeds: Vec::with_capacity(contacts),
            known_order: vec![None; contacts],
            flown: vec![0.0; contacts],
            order: vec![0; contacts],
            doubt: vec![0.0; contacts],
            closing: vec![None; contacts],
            vanishing: Vec::new(),
            still: Vec::new(),
            bounced: None,
            expected_flight: f64::INFINITY,
            row: Vec::new(),
        }
    }

    /// A new motion begins.
    pub(crate) fn restart(&mut self) {
        self.forget();
        self.closing.fill(None);
        (self.bounced, self.expected_flight) = (None, f64::INFINITY);
    }

    /// The state has moved otherwise than along the polynomials of a step: every gap is what the state says.
    pub(crate) fn forget(&mut self) {
        self.leaving.fill(0);
        self.departed.iter_mut().for_each(Vec::clear);
        self.speeds.clear();
        self.known_order.fill(None);
        self.doubt.fill(0.0);
        self.vanishing.clear();
        self.still.clear();
    }

    /// Whether the gap of an open contact, or the function of a switch, that others keep at zero does not leave it on a step, beyond `rounding` and what rounding leaves of its coefficients.
    pub(crate) fn stays(&self, element: usize, row: &[f64], length: f64, rounding: f64) -> bool {
        let known = self.still.iter().find(|(known, _)| *known == element);
        known.is_some_and(|(_, noise)| size_on(row, length) <= rounding + size_on(noise, length))
    }

    /// Whether others keep the gap of an open contact, or the function of a switch, at zero.
    pub(crate) fn is_still(&self, element: usize) -> bool {
        self.still.iter().any(|&(known, _)| known == element)
    }

    /// The open contacts that touch because others hold them.
    pub(crate) fn still_contacts(&self) -> impl Iterator<Item = usize> {
        self.still.iter().map(|&(element, _)| element).filter(|&element| ClosedSet::switch(element).is_none())
    }

    /// The state has moved for a time otherwise than along the polynomials of a step: of gaps that were known these are, each with what is not known of it, and no others.
    pub(crate) fn pass_over(&mut self, length: f64, known: &[(usize, f64, f64)]) {
        self.forget();
        for &(contact, gap, doubt) in known {
            self.departed[contact].push(gap);
            self.flown[contact] += length;
            self.doubt[contact] = doubt;
        }
    }

    /// The gap of an open contact is known otherwise, with an error, at the end of the last step.
    pub(crate) fn learn(&mut self, contact: usize, gap: f64, doubt: f64) {
        self.departed[contact].clear();
        self.departed[contact].push(gap);
        self.doubt[contact] = doubt;
    }

    /// A contact is left with so many leading coefficients of its gap that are zero; whatever was known of the gap before has ended. With none it stays closed.
    pub(crate) fn leave(&mut self, contact: usize, order: usize) {
        self.leaving[contact] = order;
        self.doubt[contact] = 0.0;
        self.departed[contact].clear();
    }

    /// Whether the state alone determines everything.
    pub(crate) fn is_empty(&self) -> bool {
        self.bounced.is_none()
            && self.leaving.iter().all(|&order| order == 0)
            && self.vanishing.is_empty()
            && self.departed.iter().all(Vec::is_empty)
    }

    /// Whether the gap of a contact is known better than by the state.
    pub(crate) fn knows(&self, contact: usize) -> bool {
        self.leaving[contact] > 0 || !self.departed[contact].is_empty()
    }

    /// How long a contact has been open at a time of the step, if its gap is known since then.
    pub(crate) fn flight(&self, contact: usize, at: f64) -> Option<f64> {
        let before = if self.leaving[contact] > 0 { 0.0 } else { self.flown[contact] };
        self.knows(contact).then_some(before + at)
    }

    /// The opening speed of a contact before an impact of another one, if more is known of it than by the state.
    pub(crate) fn speed(&self, contact: usize) -> Option<f64> {
        self.speeds.iter().find(|(of, _)| *of == contact).map(|&(_, speed)| speed)
    }

    /// So many leading coefficients of an output of the present mode vanish.
    pub(crate) fn vanishing(&self, output: usize) -> usize {
        self.vanishing.iter().find(|(of, _)| *of == output).map_or(0, |&(_, order)| order)
    }

    /// Writes what is known of the gap of a contact into the row of its coefficients.
    pub(crate) fn write(&self, contact: usize, row: &mut [f64]) {
        row[..self.leaving[contact]].fill(0.0);
        let departed = &self.departed[contact];
        row[..departed.len()].copy_from_slice(departed);
    }

    /// Where a contact was left at the beginning of a step that an event cuts, its gap is at first too small to be had from the
    /// state: its lowest coefficients at the end of the step are taken from the polynomial itself, as far as the event does not change
    /// them. A new mode changes accelerations, an impact speeds; `together` are the contacts that an impact closes.
    pub(crate) fn carry(&mut self, system: &System, mode: &BoundMode, length: f64, cause: Cause, together: &[usize]) {
        self.speeds.clear();
        for contact in 0..self.departed.len() {
            if self.leaving[contact] > 0 {
                self.order[contact] = self.leaving[contact];
            } else if self.departed[contact].len() < 2 {
                self.order[contact] = 0;
            }
            self.known_order[contact] = self.knows(contact).then_some(self.order[contact]);
        }
        if self.known_order.iter().all(Option::is_none) {
            return;
        }
        let mut row = std::mem::take(&mut self.row);
        for contact in 0..self.departed.len() {
            let kept = match cause {
                Cause::None | Cause::Together | Cause::Coefficient { .. } => 0,
                Cause::Impact { contact: struck, .. } if struck == contact || together.contains(&contact) => 0,
                Cause::Impact { .. } => 1,
                // In a flow the field is the speed.
                Cause::Limit(limit) if ClosedSet::switch(limit.contact).is_some() => 1,
                Cause::Release { .. } | Cause::Limit(_) => 2,
                Cause::Return => usize::MAX,
            };
            let own = self.leaving[contact].max(self.departed[contact].len());
            let known = own.min(kept);
            if known == 0 {
                self.departed[contact].clear();
                continue;
            }
            row.clear();
            row.extend_from_slice(mode.output(system.gap_output(contact)));
            self.write(contact, &mut row);
            self.flown[contact] = if self.leaving[contact] > 0 { length } else { self.flown[contact] + length };
            let departed = &mut self.departed[contact];
            departed.clear();
            // Repeated synthetic division by s - length.
            for from in 0..known {
                let mut carried = 0.0;
                for c in row[from..].iter_mut().rev() {
                    carried = carried * length + *c;
                    *c = carried;
                }
                departed.push(row[from]);
            }
            // A gap that has opened is open, however short a time ago: flights from rest may become shorter by squares until their numbers vanish.
            if departed[0].abs() < SMALLEST && length > 0.0 {
                let first = std::iter::once(departed[0]).chain(row[1..].iter().copied()).find(|&c| c != 0.0);
                departed[0] = first.map_or(0.0, |c| SMALLEST.copysign(c));
            }
            if matches!(cause, Cause::Impact { .. }) && own > 1 {
                let slope = row[1..].iter().rev().fold(0.0, |sum, c| sum * length + c);
                self.speeds.push((contact, slope));
            }
        }
        self.row = row;
    }
}
