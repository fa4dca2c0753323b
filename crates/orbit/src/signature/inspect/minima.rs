//! Finds minima of polynomials on a step as the sign changes of their derivative, isolated by Bernstein coefficients.

use saltation_numerics::polynomial::{Crossing, Workspace, real_roots};

/// Finds minima, with the memory for that.
#[derive(Debug)]
pub(super) struct Finder<'w> {
    pub workspace: &'w mut Workspace,
    slope: Vec<f64>,
}

impl Finder<'_> {
    pub(super) fn new(workspace: &mut Workspace) -> Finder<'_> {
        Finder { workspace, slope: Vec::new() }
    }

    /// The minima of a polynomial on (0, h], the first `vanishing` coefficients being zero.
    pub(super) fn minima(&mut self, row: &[f64], h: f64, vanishing: usize, mut report: impl FnMut(f64)) {
        self.slope.clear();
        self.slope.extend(row.iter().enumerate().skip(1.max(vanishing)).map(|(k, c)| k as f64 * c));
        for root in real_roots(&self.slope, 0.0, h, 0.0, self.workspace) {
            if root.crossing != Crossing::Falling && root.at > 0.0 {
                report(root.at);
            }
        }
    }
}
