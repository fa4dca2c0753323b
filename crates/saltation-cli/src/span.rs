//! Along which parameter, between which values, and in which steps? The flags that `continue` and `curve` share.

use crate::flag::{Flag, Known, collect, cut};
use saltation::short;
use saltation_expr::parse::nearest;
use saltation_model::{Mistake, Mistakes, Model};
use std::ops::Range;

/// More points than this in one direction are more than anybody looks at.
const MOST_POINTS: u64 = 1_000_000;

/// The values between which a parameter varies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Span {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// At least so many points lie between them.
    pub points: Option<u64>,
}

/// A parameter that a part of a flag names.
///
/// # Errors
/// If the model has none of that name.
pub fn parameter(flag: Flag, part: Range<usize>, model: &Model) -> Result<usize, Mistakes> {
    let typed = &flag.value()[part.clone()];
    let name = typed.trim();
    let names = || model.parameters.iter().map(|parameter| parameter.name.as_str());
    model.parameter(name).ok_or_else(|| {
        let all: Vec<&str> = names().collect();
        let help = match (nearest(name, names()), all.as_slice()) {
            (Some(near), _) => format!("did you mean `{near}`?"),
            (None, []) => "the model has no parameters: declare one in its file, in [parameters]".to_string(),
            (None, all) => format!("the parameters of the model are {}", all.join(", ")),
        };
        let message = match name {
            "" => "the name of a parameter is missing".to_string(),
            _ => format!("the model has no parameter `{}`", cut(name)),
        };
        // An empty name has a place to be shown at too.
        let length = flag.value().len();
        let part =
            if typed.is_empty() { part.start.min(length.saturating_sub(1))..length.min(part.start + 1) } else { part };
        flag.mistake_in(part, message, help)
    })
}

/// A flag that is needed and was not given.
pub fn missing(model: &Model, flag: &str, why: &str, example: &str) -> Mistakes {
    let mistake =
        Mistake::general(format!("{flag} is missing: {why}")).help(format!("add for example {flag} {example}"));
    Mistakes { file: model.file.clone(), text: String::new(), list: vec![mistake] }
}

/// `LO:HI` or `LO:HI:N`; the ends may be formulas of parameters.
///
/// # Errors
/// If it is not of that form, empty, or beyond what the model allows for the parameter.
pub fn range(flag: Flag, known: Known, model: &Model, parameter: Option<usize>) -> Result<Span, Mistakes> {
    let text = flag.value();
    let example = format!("write for example {} 0.5:1.5", flag.name());
    let colons: Vec<usize> = text.match_indices(':').map(|(at, _)| at).collect();
    let (first, second, third) = match colons[..] {
        [a] => (0..a, a + 1..text.len(), None),
        [a, b] => (0..a, a + 1..b, Some(b + 1..text.len())),
        _ => return Err(flag.mistake("a range is two numbers with a colon between them", example)),
    };
    for part in [&first, &second] {
        if text[part.clone()].trim().is_empty() {
            return Err(flag.mistake("a range has a number on both sides of the colon", example));
        }
    }
    let mut wrong = Vec::new();
    let low = collect(flag.number_in(first.clone(), known), &mut wrong);
    let high = collect(flag.number_in(second.clone(), known), &mut wrong);
    let points = third.map(|part| count(flag, part));
    let points = points.and_then(|points| collect(points, &mut wrong));
    if let Some(first) = wrong.into_iter().reduce(|mut all, more| {
        all.list.extend(more.list);
        all
    }) {
        return Err(first);
    }
    let (Some(low), Some(high)) = (low, high) else {
        return Err(flag.mistake("a range is two numbers with a colon between them", example));
    };
    if low == high {
        let message = format!("the range is empty: both ends are {}", short(low, 15));
        return Err(flag.mistake(message, example));
    }
    if low > high {
        let message = format!("the range goes down, from {} to {}", short(low, 15), short(high, 15));
        let turned = format!("{}:{}", &text[second], &text[first]);
        return Err(flag.mistake(message, format!("write {} {turned}", flag.name())));
    }
    let Some(parameter) = parameter.map(|index| &model.parameters[index]) else {
        return Ok(Span { low, high, points });
    };
    let name = &parameter.name;
    if let Some(least) = parameter.min.filter(|least| low < *least) {
        let message = format!("the range goes below {}, the least value of {name}", short(least, 15));
        return Err(flag.mistake_in(first, message, format!("begin the range at {} or above", short(least, 15))));
    }
    if let Some(most) = parameter.max.filter(|most| high > *most) {
        let message = format!("the range goes above {}, the largest value of {name}", short(most, 15));
        return Err(flag.mistake_in(second, message, format!("end the range at {} or below", short(most, 15))));
    }
    Ok(Span { low, high, points })
}

fn count(flag: Flag, part: Range<usize>) -> Result<u64, Mistakes> {
    let text = flag.value()[part.clone()].trim();
    match text.parse::<u64>() {
        Ok(n) if (2..=MOST_POINTS).contains(&n) => Ok(n),
        _ => {
            let message =
                format!("the number of points is a whole number from 2 to {MOST_POINTS}, not `{}`", cut(text));
            let part = if part.is_empty() { part.start - 1..part.start } else { part };
            Err(flag.mistake_in(part, message, format!("write for example {} 0.5:1.5:100", flag.name())))
        }
    }
}

/// How a curve is stepped along: the most points in each direction, and the longest step, which at least so many points bound too.
pub fn steps(
    points: Option<&str>,
    step: Option<&str>,
    span: Option<Span>,
    known: Known,
    usual: (usize, f64),
    mistakes: &mut Vec<Mistakes>,
) -> (usize, f64) {
    let points = points.map(|text| Flag::new("--points", text).count_between(1, MOST_POINTS));
    let points = points.and_then(|points| collect(points, mistakes)).map_or(usual.0, |points| points as usize);
    let step = step.map(|text| {
        let flag = Flag::new("--step", text);
        match flag.number(known)? {
            value if value > 0.0 && value <= 1.0 => Ok(value),
            value => {
                let message =
                    format!("--step is a fraction of the range, above 0 and at most 1, not {}", short(value, 10));
                Err(flag.mistake(message, "write for example --step 0.01"))
            }
        }
    });
    let step = step.and_then(|step| collect(step, mistakes)).unwrap_or(usual.1);
    let least = span.and_then(|span| span.points).map_or(f64::INFINITY, |n| 1.0 / n as f64);
    (points, step.min(least))
}
