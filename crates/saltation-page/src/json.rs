//! Plain data as JSON.

use serde::Serialize;

/// Plain data as JSON on one line.
pub(crate) fn text(value: &impl Serialize) -> String {
    // Plain data is written to memory.
    serde_json::to_string(value).unwrap_or_default()
}
