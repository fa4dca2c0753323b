//! Words and numbers as text for people.

pub mod columns;
pub(crate) mod number;
pub(crate) mod signature;

/// A text, abridged for a sentence.
pub fn cut(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((byte, _)) => format!("{}…", &text[..byte]),
        None => text.to_string(),
    }
}
