//! Why no branch of an answer begins at a special point, in words.

/// Why no branch of an answer begins at a special point of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotFollowed {
    /// The orbit there is not admissible.
    Virtual,
    /// The branch that begins there is in the answer already: another one begins or ends at this orbit.
    Known,
    /// None was found.
    NotFound,
    /// At points of this kind no branch begins.
    None,
}

impl NotFollowed {
    /// One word for JSON.
    pub fn name(self) -> &'static str {
        match self {
            NotFollowed::Virtual => "virtual",
            NotFollowed::Known => "known",
            NotFollowed::NotFound => "not_found",
            NotFollowed::None => "none",
        }
    }

    /// A sentence for people.
    pub fn describe(self) -> &'static str {
        match self {
            NotFollowed::Virtual => "the orbit there is not admissible",
            NotFollowed::Known => "the branch that begins there is in the answer already",
            NotFollowed::NotFound => "no branch was found that begins there",
            NotFollowed::None => "no branch begins at points of this kind",
        }
    }
}
