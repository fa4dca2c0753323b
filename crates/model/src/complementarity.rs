//! Complementarity without a contact (ideal diodes, one-way clutches, check valves, projected systems): a multiplier and a value, neither of which is negative, and one of which is zero.
//!
//! With the multipliers lambda of all elements the rates are F(x) + sum_j E_j(x) lambda_j and the values w_i = a_i(x) + sum_j D_ij(x) lambda_j, with 0 <= lambda, 0 <= w and lambda_i w_i = 0: a
//! linear complementarity system where F, E, a and D are linear (van der Schaft & Schumacher, *Math. Control Signals Systems* 9, 1996; Heemels, Schumacher & Weiland, *SIAM J. Appl. Math.* 60, 2000;
//! Camlibel, Heemels & Schumacher, *IEEE Trans. Circuits Syst. I* 49, 2002). An element is *on* where its value is kept at zero by its multiplier, and *off* where its multiplier is zero.

use saltation_expr::Node;

/// A multiplier and a value of which one is zero.
#[derive(Debug, Clone)]
pub struct Complementarity {
    /// Its name in the file.
    pub name: String,
    /// The name of the multiplier.
    pub multiplier: String,
    /// The switch whose positive side is on, and whose negative side is off.
    pub switch: usize,
    /// a: the value where all multipliers are zero.
    pub constant: Node,
    /// The row of D: what a unit of the multiplier of each element adds to the value.
    pub gains: Vec<Node>,
    /// E: what a unit of its multiplier adds to the rate of every state.
    pub direction: Vec<Node>,
}

impl Complementarity {
    /// Its formulas: the value without multipliers, the gains and the direction.
    pub fn formulas(&self) -> Vec<Node> {
        [&[self.constant], &self.gains[..], &self.direction[..]].concat()
    }

    /// Puts other formulas in their places.
    pub(crate) fn put(&mut self, formulas: &mut impl Iterator<Item = Node>) {
        let own = std::iter::once(&mut self.constant).chain(&mut self.gains).chain(&mut self.direction);
        own.zip(formulas).for_each(|(own, formula)| *own = formula);
    }
}

/// Complementarity, as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComplementarityReport {
    /// Its name.
    pub name: String,
    /// The name of the multiplier.
    pub multiplier: String,
    /// The value, with multipliers.
    pub value: String,
    /// The states on whose rates the multiplier acts, with what a unit of it adds.
    pub direction: Vec<(String, String)>,
}
