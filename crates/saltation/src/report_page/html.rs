//! Text as HTML: whatever comes from a file is escaped, as content, as an attribute, and inside a block of JSON.

use serde_json::Value;
use std::fmt::Write;

/// A text as content or as a quoted attribute. Control characters, which HTML does not have, are shown as one sign.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + text.len() / 8);
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\r' => {}
            c if c.is_control() && c != '\n' && c != '\t' => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

/// JSON inside an element `script`, which no text of it can close: no `<`, `>` or `&` is left.
pub(crate) fn block(value: &Value) -> String {
    let text = value.to_string();
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            // These signs occur in texts of JSON only, never in its syntax.
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                // Writing to a String cannot fail.
                let _ = write!(safe, "\\u{:04x}", c as u32);
            }
            c => safe.push(c),
        }
    }
    safe
}

/// An identifier of letters, digits and hyphens.
pub(crate) fn identifier(text: &str) -> String {
    let letters = text.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' });
    letters.take(60).collect()
}

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Bytes in base 64, with padding.
pub(crate) fn base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let at = |i: usize| u32::from(chunk.get(i).copied().unwrap_or(0));
        let word = at(0) << 16 | at(1) << 8 | at(2);
        for place in 0..4 {
            let digit = DIGITS[(word >> (18 - 6 * place) & 63) as usize] as char;
            text.push(if place <= chunk.len() { digit } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn nothing_of_a_text_is_markup() {
        assert_eq!(escape("<a b='c'>&\"\u{7}\n"), "&lt;a b=&#39;c&#39;&gt;&amp;&quot;\u{fffd}\n");
        let text = block(&json!({"<!--": "</script><script>&\u{2028}"}));
        assert!(!text.contains(['<', '>', '&', '\u{2028}']), "{text}");
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), json!({"<!--": "</script><script>&\u{2028}"}));
        assert_eq!(identifier("min:x <b>"), "min-x--b-");
    }

    #[test]
    fn base_64_is_that_of_rfc_4648() {
        let known =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("foobar", "Zm9vYmFy")];
        known.iter().for_each(|(plain, coded)| assert_eq!(base64(plain.as_bytes()), *coded));
        assert_eq!(base64(&[0xfb, 0xff]), "+/8=");
    }
}
