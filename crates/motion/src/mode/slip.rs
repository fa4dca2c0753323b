//! The direction of slip.

/// The direction in which a closed contact slips.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Slip {
    /// g_T' > 0.
    Forward,
    /// g_T' < 0.
    Backward,
}

impl Slip {
    /// Both directions.
    pub const BOTH: [Slip; 2] = [Slip::Forward, Slip::Backward];

    /// sgn g_T'.
    pub fn sign(self) -> f64 {
        match self {
            Slip::Forward => 1.0,
            Slip::Backward => -1.0,
        }
    }

    /// The direction of a speed that is not zero.
    pub fn of(speed: f64) -> Slip {
        if speed < 0.0 { Slip::Backward } else { Slip::Forward }
    }
}
