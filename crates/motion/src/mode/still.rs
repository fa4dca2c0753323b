//! A mode in which roots stay at zero: the same formulas without them.

use std::sync::Arc;

use saltation_expr::{Jet, Remainder, Root};
use saltation_numerics::rounded::Rounded;

use super::bound::BoundMode;
use super::expansion::Expansion;
use crate::flow::arrival::may_leave;

/// The order up to which is looked whether what stands under a root stays at zero.
const ORDER: usize = 6;

/// Roots that stay at zero from a state on.
#[derive(Debug, Clone)]
pub(crate) struct Still {
    pub roots: Vec<Root>,
    /// Whether there are other motions, which leave zero.
    pub leaves: bool,
}

impl BoundMode {
    /// The roots that stay at zero from a state on, if there are any; `data` has how large states have been.
    pub(crate) fn still(&mut self, parameters: &[f64], data: &[Rounded]) -> Option<Still> {
        if !self.has_roots {
            return None;
        }
        let expanded = self.expand_sized(parameters, data, 0);
        let mut roots = expanded.tape.roots_at_zero(&expanded.jet, Rounded::is_rounding);
        let tape = Arc::clone(&expanded.tape);
        // Those that others move leave zero with them.
        loop {
            if roots.is_empty() {
                return None;
            }
            let before = roots.len();
            let mut without = Expansion::new(&Arc::new(tape.without_roots(&roots)), &sized(parameters));
            without.expand(data, ORDER + 1);
            roots.retain(|&root| stays(&without, root));
            if roots.len() == before {
                break;
            }
        }
        let state: Vec<f64> = data.iter().map(|x| x.value).collect();
        let growth = tape.growth_by_roots(&self.series.slots, &state, &roots, &mut self.probe);
        Some(Still { leaves: may_leave(&growth), roots })
    }

    /// Whether what stands under the roots that this mode has not does stay at zero.
    pub(crate) fn keeps_still(&mut self, parameters: &[f64], data: &[Rounded]) -> bool {
        let roots = std::mem::take(&mut self.without);
        let expanded = self.expand_sized(parameters, data, ORDER + 1);
        let keeps = roots.iter().all(|&root| stays(expanded, root));
        self.without = roots;
        keeps
    }

    /// The same mode where some roots stay at zero.
    pub(crate) fn without_roots(&self, roots: Vec<Root>, parameters: &[f64]) -> BoundMode {
        let tape = Arc::new(self.tape().without_roots(&roots));
        BoundMode {
            series: Expansion::new(&tape, parameters),
            probe: Jet::new(&tape),
            sized: None,
            remainder: Remainder::new(&tape),
            has_roots: tape.has_roots(),
            without: roots,
            ..self.clone()
        }
    }
}

/// Whether what stands under a root is zero and stays so, to within rounding.
fn stays(expanded: &Expansion<Rounded>, root: Root) -> bool {
    expanded.tape.under_root(&expanded.jet, root).iter().all(|c| c.is_rounding())
}

fn sized(parameters: &[f64]) -> Vec<Rounded> {
    parameters.iter().map(|&p| Rounded::new(p)).collect()
}
