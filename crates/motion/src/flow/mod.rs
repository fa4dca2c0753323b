//! Smooth motion: by Taylor steps, each of them also its own dense output; a linear field exactly.

pub(crate) mod arrival;
pub(crate) mod departure;
pub(crate) mod linear;
pub(crate) mod taylor;
pub(crate) mod wrap;

/// By which route smooth motions are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FlowChoice {
    /// Exactly where the field is linear, by Taylor steps elsewhere, and for large structures, where dense propagators cost more.
    #[default]
    Automatic,
    /// Exactly; a motion whose free flight is not linear cannot start. Modes of contact that are not linear take Taylor steps.
    Exact,
    /// By Taylor steps throughout.
    Taylor,
}

impl FlowChoice {
    /// Every choice.
    pub const ALL: [FlowChoice; 3] = [FlowChoice::Automatic, FlowChoice::Exact, FlowChoice::Taylor];

    /// The word of the interface.
    pub fn name(self) -> &'static str {
        match self {
            FlowChoice::Automatic => "automatic",
            FlowChoice::Exact => "exact",
            FlowChoice::Taylor => "taylor",
        }
    }
}
