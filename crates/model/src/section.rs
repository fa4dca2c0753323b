//! Sections: surfaces in state space, or the states just before the impacts of a contact, at which returns are counted.

use saltation_expr::{Graph, Node};

/// A Poincaré section.
#[derive(Debug, Clone)]
pub struct Section {
    /// Its name in the file.
    pub name: String,
    /// Where it is.
    pub kind: SectionKind,
    /// The direction in which a motion must cross.
    pub direction: Direction,
    /// The phase, of several not the first, that stands at its start value of the file there: such a section is part of the model without being written, and its
    /// passages are reported where returns to it are counted.
    pub of_phase: Option<usize>,
}

/// Where a section is.
#[derive(Debug, Clone)]
pub enum SectionKind {
    /// Where a formula is zero, or a whole multiple of `period` if that is given: then the formula
    /// advances by `period` when an angle or the phase completes a turn.
    Formula {
        /// The formula.
        value: Node,
        /// A formula of parameters.
        period: Option<Node>,
    },
    /// Just before the impacts of the contact with this index.
    Contact(usize),
}

/// The direction in which the formula of a section crosses zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From negative to positive.
    Rising,
    /// From positive to negative.
    Falling,
    /// Both.
    Any,
}

/// The advance of a section's formula when one of the angles (state and its period) completes a turn.
///
/// # Errors
/// Two periods that differ.
pub(crate) fn period(
    graph: &mut Graph,
    value: Node,
    states: &[Node],
    circles: &[(Node, Node)],
) -> Result<Option<Node>, (Node, Node)> {
    let mut found: Option<Node> = None;
    for &(angle, period) in circles {
        let slope = graph.derivative(value, angle);
        let factor = match graph.as_constant(slope) {
            Some(0.0) => continue,
            Some(slope) => graph.constant(slope.abs()),
            // A formula of parameters may be negative, which is checked when its value is known.
            None if graph.symbols_of(slope).iter().all(|symbol| !states.contains(symbol)) => slope,
            None => continue,
        };
        let period = graph.multiply(factor, period);
        match found {
            Some(other) if other != period => return Err((other, period)),
            _ => found = Some(period),
        }
    }
    Ok(found)
}
