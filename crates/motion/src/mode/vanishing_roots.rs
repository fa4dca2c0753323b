//! A mode in which roots stay at zero: the same formulas without them.

use std::sync::Arc;

use saltation_expr::{Jet, Remainder, Root};
use saltation_numerics::rounded::Rounded;

use super::bound::BoundMode;
use super::expansion::Expansion;
use crate::flow::arrival::may_leave;
use crate::flow::taylor::Taylor;

/// The order up to which is looked whether what stands under a root stays at zero.
const ORDER: usize = 6;

/// Roots that stay at zero from a state on.
#[derive(Debug, Clone)]
pub(crate) struct VanishingRoots {
    pub roots: Vec<Root>,
    /// Whether there are other motions, which leave zero.
    pub leaves: bool,
}

impl BoundMode {
    /// The roots that stay at zero from a state on, if there are any; `data` has how large states have been.
    pub(crate) fn vanishing_roots(&mut self, parameters: &[f64], data: &[Rounded]) -> Option<VanishingRoots> {
        if !self.has_roots {
            return None;
        }
        let expanded = self.expand_sized(parameters, data, 1);
        let mut roots = expanded.tape.roots_at_zero(&expanded.jet, Rounded::is_rounding);
        let tape = Arc::clone(&expanded.tape);
        // Those that others move leave zero with them.
        loop {
            if roots.is_empty() {
                return None;
            }
            let before = roots.len();
            let mut without = Expansion::new(&Arc::new(tape.without_roots(&roots)), &with_sizes(parameters));
            without.hold_like(&self.series);
            without.expand(data, ORDER + 1);
            roots.retain(|&root| stays(&without, root));
            if roots.len() == before {
                break;
            }
        }
        let state: Vec<f64> = data.iter().map(|x| x.value).collect();
        let growth = tape.growth_by_roots(&self.series.slots, &state, &roots, &mut self.probe);
        Some(VanishingRoots { leaves: may_leave(&growth), roots })
    }

    /// Whether what stands under the roots that this mode has not does stay at zero.
    pub(crate) fn keeps_still(&mut self, parameters: &[f64], data: &[Rounded]) -> bool {
        let roots = std::mem::take(&mut self.without);
        let expanded = self.expand_sized(parameters, data, ORDER + 1);
        let keeps = roots.iter().all(|&root| stays(expanded, root));
        self.without = roots;
        keeps
    }

    /// The length of a step on which what stands under the one root that is zero leaves zero without a speed, as an empty tank does with an inflow that
    /// grows from zero; the jet then has the motion, and the root as a series in time.
    pub(crate) fn leave_rest(
        &mut self,
        taylor: &Taylor,
        (parameters, state): (&[f64], &[f64]),
        roots: &[Root],
        wanted: f64,
    ) -> Option<f64> {
        let [root] = *roots else { return None };
        let data: Vec<Rounded> = state.iter().map(|&x| Rounded::new(x)).collect();
        if !self.expand_leaving(parameters, &data, root) {
            return None;
        }
        let Expansion { tape, slots, jet } = &mut self.series;
        if !tape.expand_from_rest(slots, state, taylor.order, root, |_, second| second > 0.0, jet) {
            return None;
        }
        let formulas = (&**tape, &slots[..], &self.watched[..]);
        let length = taylor.served(formulas, (jet, &mut self.remainder), wanted);
        (length > 0.0).then_some(length)
    }

    /// How many leading coefficients of an output vanish with which it rises from zero where roots do, on the step that leaves there; none if it does not rise.
    pub(crate) fn rises_from_roots(
        &mut self,
        taylor: &Taylor,
        (parameters, state): (&[f64], &[f64]),
        widest: &[f64],
        output: usize,
    ) -> Option<usize> {
        let roots = self.roots_at_zero(parameters, state, widest);
        if roots.is_empty() {
            return None;
        }
        let Expansion { tape, slots, jet } = &mut self.series;
        tape.begin(state, jet);
        let formulas = (&**tape, &slots[..], &self.watched[..]);
        taylor.depart(formulas, (jet, &mut self.probe, &mut self.remainder), (1.0, &roots))?;
        let row = &self.output(output)[1..];
        row.iter().position(|&c| c != 0.0).filter(|&k| row[k] > 0.0).map(|k| k + 1)
    }

    /// The motion through a state with the sizes of all terms; where one root is zero and leaves zero without a speed it has a series all the same.
    pub(crate) fn expand_at_roots(
        &mut self,
        parameters: &[f64],
        data: &[Rounded],
        order: usize,
    ) -> &Expansion<Rounded> {
        if self.has_roots {
            let start = self.expand_sized(parameters, data, 1);
            let roots = start.tape.roots_at_zero(&start.jet, Rounded::is_rounding);
            if let [root] = roots[..]
                && self.expand_leaving(parameters, data, root)
            {
                return self.sized(parameters);
            }
        }
        self.expand_sized(parameters, data, order)
    }

    /// Expands the motion with which what stands under a root leaves zero without a speed, with the sizes of all terms. Whether it does so.
    fn expand_leaving(&mut self, parameters: &[f64], data: &[Rounded], root: Root) -> bool {
        let Expansion { tape, slots, jet } = self.sized(parameters);
        let leaves =
            |first: Rounded, second: Rounded| first.is_rounding() && !second.is_rounding() && second.value > 0.0;
        tape.expand_from_rest(slots, data, ORDER, root, leaves, jet)
    }

    /// The same mode where some roots stay at zero.
    pub(crate) fn without_roots(&self, roots: Vec<Root>, parameters: &[f64]) -> BoundMode {
        let tape = Arc::new(self.tape().without_roots(&roots));
        BoundMode {
            series: Expansion::new(&tape, parameters),
            probe: Jet::new(&tape),
            sized: None,
            remainder: Remainder::default(),
            has_roots: tape.has_roots(),
            without: roots,
            ..self.clone()
        }
    }
}

/// Whether what stands under a root is zero and stays so, to within rounding.
fn stays(expanded: &Expansion<Rounded>, root: Root) -> bool {
    expanded.tape.under_root(&expanded.jet, root).iter().all(|c| c.value.is_finite() && c.is_rounding())
}

fn with_sizes(parameters: &[f64]) -> Vec<Rounded> {
    parameters.iter().map(|&p| Rounded::new(p)).collect()
}
