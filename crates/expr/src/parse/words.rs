//! Suggestions for unknown function names.

use std::ops::Range;

use super::{Corner, FormulaError, nearest};
use crate::function::Function;

/// Functions that jump again and again, by their usual names.
const STAIRS: [&str; 8] = ["floor", "ceil", "round", "mod", "fmod", "rem", "fract", "%"];

/// Other names for functions the language has.
const SYNONYMS: [(&str, &str); 24] = [
    ("sgn", "sign(x)"),
    ("signum", "sign(x)"),
    ("fabs", "abs(x)"),
    ("heaviside", "step(x)"),
    ("relu", "max(x, 0)"),
    ("clamp", "clip(x, low, high)"),
    ("sat", "clip(x, low, high)"),
    ("where", "if(a < b, p, q)"),
    ("piecewise", "if(a < b, p, q)"),
    ("ifelse", "if(a < b, p, q)"),
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

/// Functions that read values between points, by their usual names.
const BETWEEN_POINTS: [&str; 7] = ["interp", "interp1", "interpolate", "spline", "lookup", "table", "pchip"];

/// Whether a word names a function that jumps again and again.
pub(super) fn is_stairs(word: &str) -> bool {
    STAIRS.contains(&word.to_lowercase().as_str())
}

/// The message for such a word.
pub(super) fn unsupported(word: &str, span: Range<usize>) -> FormulaError {
    let message = format!("`{word}` jumps again and again, and such functions are not supported");
    let help = "a quantity that starts anew again and again is the [phase], an angle of [angles], or a state that an event of [events] resets";
    FormulaError::new(message, span, Some(help))
}

/// Whether a name is that of a function in other languages, which has another name here.
pub(super) fn is_synonym(name: &str) -> bool {
    let lower = name.to_lowercase();
    SYNONYMS.iter().any(|(other, _)| *other == lower)
}

/// The message for an unknown function.
pub(super) fn unknown_function<'n>(
    name: &str,
    span: Range<usize>,
    tables: impl Iterator<Item = &'n str>,
) -> FormulaError {
    let tables: Vec<&str> = tables.collect();
    if is_stairs(name) {
        return unsupported(name, span);
    }
    let lower = name.to_lowercase();
    let corners = Corner::ALL.into_iter().map(|(name, _)| name);
    let known = tables.iter().copied().chain(Function::ALL.iter().map(|f| f.name()).chain(["atan2"]).chain(corners));
    let help = if BETWEEN_POINTS.contains(&lower.as_str()) {
        "declare measured points as a table, [tables.NAME] with file = \"NAME.csv\", and write NAME(x)".to_string()
    } else if let Some((_, instead)) = SYNONYMS.iter().find(|(other, _)| *other == lower) {
        format!("write {instead}")
    } else if let Some(near) = nearest(name, known.clone()) {
        format!("did you mean `{near}`? To multiply, write {name}*(…)")
    } else {
        let all: Vec<_> = known.collect();
        format!("the functions are {}; to multiply, write {name}*(…)", all.join(" "))
    };
    FormulaError::new(format!("there is no function `{name}`"), span, Some(&help))
}
