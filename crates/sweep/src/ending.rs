//! How a task of a sweep ended: in a word and a sentence.

/// How a task ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Ending {
    /// In a word: `complete`; `rest` where the trajectory has come to an equilibrium, or comes to one; or the reason of the early end.
    pub word: String,
    /// In a sentence; empty if it is complete.
    pub message: String,
}

impl Ending {
    pub(crate) fn new(word: &str, message: impl Into<String>) -> Ending {
        Ending { word: word.to_string(), message: message.into() }
    }

    pub(crate) fn rest(time: f64) -> Ending {
        Ending::new("rest", format!("the trajectory is at rest since about t = {time:.6}"))
    }

    /// The motion comes to rest, and at last is this far from its equilibrium, as a part of the sizes of the states.
    pub(crate) fn approach(distance: f64) -> Ending {
        Ending::new(
            "rest",
            format!(
                "the trajectory comes to rest: it approaches an equilibrium and is {distance:.1e} of its size away"
            ),
        )
    }

    pub(crate) fn interrupted() -> Ending {
        Ending::new("interrupted", "the run was interrupted")
    }

    /// All returns were made.
    pub fn complete() -> Ending {
        Ending::new("complete", "")
    }

    /// Whether all returns were made.
    pub fn is_complete(&self) -> bool {
        self.word == "complete"
    }

    /// Whether the trajectory has come to an equilibrium, or approaches one.
    pub fn is_rest(&self) -> bool {
        self.word == "rest"
    }

    /// Whether there was no motion: it could not begin at its start, or not with its numbers.
    pub fn is_no_motion(&self) -> bool {
        matches!(self.word.as_str(), "no_start" | "refused")
    }

    /// Whether the computation was interrupted: the task is then not done.
    pub fn is_interrupted(&self) -> bool {
        self.word == "interrupted"
    }
}
