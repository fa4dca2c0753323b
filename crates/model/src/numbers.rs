//! The numbers at which the formulas of a model are evaluated.

/// Values of parameters, a start, and the periods that belong to them.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Numbers {
    /// The value of every parameter.
    pub parameters: Vec<f64>,
    /// The start value of every state.
    pub start: Vec<f64>,
    /// The period of the phase.
    pub phase_period: Option<f64>,
    /// For every state its period if it is an angle or the phase.
    pub angle_periods: Vec<Option<f64>>,
    /// For every section the period of its formula, if it has one.
    pub section_periods: Vec<Option<f64>>,
}
