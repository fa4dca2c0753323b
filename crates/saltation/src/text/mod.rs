//! Words and numbers for people.

pub mod columns;
pub mod number;
pub mod signature;

/// A text that is not too long for a sentence.
pub fn cut(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((byte, _)) => format!("{}…", &text[..byte]),
        None => text.to_string(),
    }
}
