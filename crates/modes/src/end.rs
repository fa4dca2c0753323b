//! The reasons for which an interval or a family of admissible motions ends.

/// The reason for which motions are not admissible, or do not exist, beyond an end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum End {
    /// λ -> 0 at a harmonic: the motion becomes a linear mode that grazes.
    Harmonic {
        /// The position among the modes that the contact moves, from 0.
        mode: usize,
        /// T is this multiple of its period.
        multiple: usize,
    },
    /// Another contact is made, with g = dg/dt = 0.
    ExtraContact {
        /// When, in the period that begins with an impact. With one impact per period there is another one at T - time.
        time: f64,
    },
    /// An impact becomes a graze: λ_j -> 0 while others stay positive.
    Graze {
        /// The impact, from 0.
        impact: usize,
    },
    /// λ -> ∞: the family continues with the other sign of g₀.
    Infinite,
    /// T -> 0.
    Zero,
    /// A flight vanishes, and two impacts merge.
    ShortFlight {
        /// The flight, from 0.
        flight: usize,
    },
    /// The motion becomes the repetition of one with fewer impacts.
    Copy {
        /// The number of its impacts.
        impacts: usize,
    },
    /// The end of the requested range of periods or number of points.
    Range,
    /// The family is closed.
    Closed,
    /// The computation was interrupted.
    Interrupted,
    /// The curve could not be followed further, mostly because motions lie so close to each other that
    /// they coincide within rounding errors, as near to a motion with fewer impacts that is about to lose its stability.
    Lost,
}

impl End {
    /// Its name in files and messages.
    pub fn name(self) -> &'static str {
        match self {
            End::Harmonic { .. } => "harmonic",
            End::ExtraContact { .. } => "extra_contact",
            End::Graze { .. } => "graze",
            End::Infinite => "lambda_infinite",
            End::Zero => "period_zero",
            End::ShortFlight { .. } => "short_flight",
            End::Copy { .. } => "copy",
            End::Range => "range",
            End::Closed => "closed",
            End::Interrupted => "interrupted",
            End::Lost => "lost",
        }
    }
}
