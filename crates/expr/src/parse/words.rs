//! Suggestions for unknown function names.

use std::ops::Range;

use super::{FormulaError, nearest};
use crate::function::Function;

/// Nonsmooth functions, by their usual names.
const CORNERS: [&str; 22] = [
    "abs",
    "fabs",
    "sign",
    "sgn",
    "min",
    "max",
    "if",
    "else",
    "then",
    "where",
    "piecewise",
    "heaviside",
    "step",
    "floor",
    "ceil",
    "round",
    "mod",
    "fmod",
    "rem",
    "clamp",
    "relu",
    "fract",
];

/// Other names for functions the language has.
const SYNONYMS: [(&str, &str); 14] = [
    ("ln", "log(x), which is the natural logarithm"),
    ("log10", "log(x)/log(10)"),
    ("log2", "log(x)/log(2)"),
    ("arcsin", "asin(x)"),
    ("arccos", "acos(x)"),
    ("arctan", "atan(x)"),
    ("arctan2", "atan2(y, x)"),
    ("tg", "tan(x)"),
    ("cot", "1/tan(x)"),
    ("sec", "1/cos(x)"),
    ("csc", "1/sin(x)"),
    ("pow", "x^y"),
    ("cbrt", "x^(1/3)"),
    ("hypot", "sqrt(x^2 + y^2)"),
];

/// Whether a word names a nonsmooth function.
pub(super) fn is_corner(word: &str) -> bool {
    CORNERS.contains(&word.to_lowercase().as_str())
}

/// The message for such a word.
pub(super) fn corner(word: &str, span: Range<usize>) -> FormulaError {
    let message =
        format!("`{word}` has a corner, and corners are not supported because they would cut integration into pieces");
    let help =
        "use a smooth formula, e.g. sqrt(x^2 + 1e-6) for the modulus of x or tanh(x/0.01) for its sign, or a contact";
    FormulaError::new(message, span, Some(help))
}

/// The message for an unknown function.
pub(super) fn unknown_function(name: &str, span: Range<usize>) -> FormulaError {
    if is_corner(name) {
        return corner(name, span);
    }
    let lower = name.to_lowercase();
    let known = Function::ALL.iter().map(|f| f.name()).chain(["atan2"]);
    let help = if let Some((_, instead)) = SYNONYMS.iter().find(|(other, _)| *other == lower) {
        format!("write {instead}")
    } else if let Some(near) = nearest(name, known.clone()) {
        format!("did you mean `{near}`? To multiply, write {name}*(…)")
    } else {
        let all: Vec<_> = known.collect();
        format!("the functions are {}; to multiply, write {name}*(…)", all.join(" "))
    };
    FormulaError::new(format!("there is no function `{name}`"), span, Some(&help))
}
