//! The tokenizer: numbers, names and signs of a formula with their positions.

use std::ops::Range;

use super::FormulaError;

/// A token of a formula.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Token {
    Number(f64),
    Name,
    Plus,
    Minus,
    Star,
    Slash,
    Caret,
    Open,
    Close,
    Comma,
    Less,
    Greater,
}

/// The tokens of `text` with their byte ranges, and every invalid character.
pub(super) fn tokens(text: &str) -> (Vec<(Token, Range<usize>)>, Vec<FormulaError>) {
    let mut found = Vec::new();
    let mut errors = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = c.len_utf8();
        let sign = match c {
            '+' => Some(Token::Plus),
            '-' => Some(Token::Minus),
            '*' => Some(Token::Star),
            '/' => Some(Token::Slash),
            '^' => Some(Token::Caret),
            '(' => Some(Token::Open),
            ')' => Some(Token::Close),
            ',' => Some(Token::Comma),
            '<' => Some(Token::Less),
            '>' => Some(Token::Greater),
            _ => None,
        };
        let end = if c.is_whitespace() {
            at + length
        } else if rest.starts_with("**") {
            errors.push(FormulaError::new("a power is written with `^`, not `**`", at..at + 2, Some("write x^2")));
            found.push((Token::Caret, at..at + 2));
            at + 2
        } else if let Some(token) = sign {
            // Where two sides are equal neither value is chosen, so that <= says no more than <.
            let equal = matches!(token, Token::Less | Token::Greater) && rest[length..].starts_with('=');
            let end = at + length + usize::from(equal);
            found.push((token, at..end));
            end
        } else if c.is_ascii_digit() || c == '.' {
            let end = at + number_length(rest);
            match text[at..end].parse::<f64>() {
                Ok(value) if value.is_finite() => found.push((Token::Number(value), at..end)),
                Ok(_) => errors.push(FormulaError::new(
                    "this number is too large",
                    at..end,
                    Some("the largest number is about 1.8e308"),
                )),
                Err(_) => errors.push(FormulaError::new("this is not a number", at..end, None)),
            }
            end
        } else if starts_name(c) {
            let end = at + rest.find(|c| !continues_name(c)).unwrap_or(rest.len());
            found.push((Token::Name, at..end));
            end
        } else {
            errors.push(stray_character(c, at));
            at + length
        };
        at = end;
    }
    (found, errors)
}

/// Whether a name may begin with this character.
pub(super) fn starts_name(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

/// Whether a name may contain this character after the first one.
pub(super) fn continues_name(c: char) -> bool {
    starts_name(c) || c.is_ascii_digit()
}

/// The length in bytes of the number at the beginning of `text`: digits, a point, digits, and an exponent if digits follow its `e`.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes[from.min(bytes.len())..].iter().take_while(|b| b.is_ascii_digit()).count();
    let mut end = digits(0);
    if bytes.get(end) == Some(&b'.') {
        end += 1;
        end += digits(end);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let signed = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(end + 1 + signed);
        if exponent > 0 {
            end += 1 + signed + exponent;
        }
    }
    end
}

fn stray_character(c: char, at: usize) -> FormulaError {
    let (message, help) = match c {
        '−' | '–' | '—' => (format!("`{c}` is not the minus sign of formulas"), Some("write -")),
        '·' | '×' | '⋅' | '∙' => (format!("`{c}` is not the multiplication sign of formulas"), Some("write *")),
        '÷' | ':' => (format!("`{c}` is not the division sign of formulas"), Some("write /")),
        '²' | '³' | '¹' => ("raised digits are not powers in formulas".to_string(), Some("write x^2")),
        '√' => ("a root is not written with `√`".to_string(), Some("write sqrt(x)")),
        '[' | ']' | '{' | '}' => (format!("`{c}` has no place in a formula"), Some("use round brackets ( )")),
        '|' => (
            "a modulus is not written with `|`".to_string(),
            Some("write abs(x); alternatives are joined by the word or"),
        ),
        '%' => {
            return super::words::unsupported("%", at..at + c.len_utf8());
        }
        '=' => (
            format!("`{c}` has no place in a formula"),
            Some("equality holds on a surface only: conditions compare by < and >, as in if(a < b, p, q)"),
        ),
        '!' | '&' | '?' => (
            format!("`{c}` has no place in a formula"),
            Some("write if(a < b and not c < d, p, q), with the words and, or, not"),
        ),
        '\'' => ("a prime is not part of a name".to_string(), Some("give the derivative a name of its own")),
        ';' => ("`;` has no place in a formula".to_string(), Some("separate the arguments of atan2 by a comma")),
        c if c.is_control()
            || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{206f}' | '\u{feff}') =>
        {
            (format!("the invisible character U+{:04X} has no place in a formula", c as u32), Some("remove it"))
        }
        c => (
            format!("`{c}` has no place in a formula"),
            Some("names consist of letters, digits and _; operators are + - * / ^ and round brackets"),
        ),
    };
    FormulaError::new(message, at..at + c.len_utf8(), help)
}
