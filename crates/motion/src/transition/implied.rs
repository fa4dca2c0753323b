//! Gaps that others fix by their geometry: the direction of a contact is a combination of theirs, found by Gram-Schmidt in the metric of M^-1, and so is its gap where all are small.
//!
//! Feet of a body in line have two degrees of freedom, so that any third gap follows from two. Where these are zero, or known since their contacts were left, the third is known as
//! well, far below the rounding of the state.

use super::automaton::Automaton;
use super::collide::LAST_DIGIT;
use crate::instant::knowledge::EVALUATED;

/// Gaps above this part of their terms are looked at alone.
const SMALL: f64 = 1e-6;
/// Two values of a gap that differ by no more than so many times their errors are the same.
const FEW: f64 = 4.0;
/// A contact whose gap is fixed where another one strikes: with the error of the gap, and that of the gap at the state.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fixed {
    contact: usize,
    gap: f64,
    error: f64,
    state: f64,
}

impl Automaton<'_> {
    /// The contacts whose gaps are fixed where one strikes: what strikes and what is closed has none, and others, if they are small, are known since they were left.
    pub(super) fn fixed_gaps(&mut self, contact: usize, flight: f64, unknown: f64) -> Vec<Fixed> {
        let closed = self.closed();
        let mut fixed = vec![Fixed { contact, gap: 0.0, error: 0.0, state: unknown }];
        for other in (0..self.system.contact_names.len()).filter(|&other| other != contact) {
            let known = self.departures.departed[other].first().copied();
            if closed.contains(other) {
                fixed.push(Fixed { contact: other, gap: 0.0, error: 0.0, state: LAST_DIGIT * self.gap_terms(other) });
            } else if let Some(gap) = known.filter(|gap| gap.abs() <= SMALL * self.gap_terms(other)) {
                let zeros = self.departures.known_order[other].unwrap_or(0);
                let error = self.gap_error(EVALUATED, other, Some(zeros), flight);
                fixed.push(Fixed { contact: other, gap, error, state: error });
            }
        }
        fixed
    }

    /// The gap of an open contact that others fix by their geometry, with its error, if that is less than what else is known of the gap, and no contradiction to it: feet of a body in
    /// line, all of whose gaps are combinations of two. These differ from linear ones by squares of gaps.
    pub(super) fn implied_gap(
        &mut self,
        contact: usize,
        fixed: &[Fixed],
        (gap, own): (f64, f64),
    ) -> Option<(f64, f64)> {
        // A gap of which nothing is known is that of the state.
        let (gap, own) = match own.is_finite() {
            true => (gap, own),
            false => (self.surface(contact).0, EVALUATED * self.gap_terms(contact)),
        };
        let open = !fixed[..1].iter().any(|first| first.contact == contact) && !self.closed().contains(contact);
        if !open || gap.abs() > SMALL * self.gap_terms(contact) {
            return None;
        }
        let others: Vec<&Fixed> = fixed.iter().filter(|other| other.contact != contact).collect();
        let contacts: Vec<usize> = others.iter().map(|other| other.contact).collect();
        contacts.iter().chain([&contact]).for_each(|&other| self.joint.group.look(self.system, other, &self.now.state));
        let factors = self.joint.group.combination(contact, &contacts)?;
        let sum = |part: &dyn Fn(&Fixed) -> f64| {
            others.iter().zip(&factors).map(|(other, factor)| factor * part(other)).sum::<f64>()
        };
        let sizes = |part: &dyn Fn(&Fixed) -> f64| {
            others.iter().zip(&factors).map(|(other, factor)| (factor * part(other)).abs()).sum::<f64>()
        };
        let (implied, error) = (sum(&|other| other.gap), sizes(&|other| other.error));
        let same = (implied - gap).abs() <= FEW * (own + sizes(&|other| other.state));
        (error < own && same).then_some((implied, error))
    }
}
