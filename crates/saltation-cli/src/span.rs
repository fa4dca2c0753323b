//! Flags for the range of a parameter and the steps along it.

use crate::flag::{Flag, collect, cut};
use saltation::{Mistakes, System, short};
use std::ops::Range;

/// The largest number of points in one direction: a bound on memory.
const MOST_POINTS: u64 = 1_000_000;

/// The values between which a parameter varies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Span {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The smallest number of points between them.
    pub points: Option<u64>,
}

impl Span {
    /// Both ends.
    pub(crate) fn ends(self) -> [f64; 2] {
        [self.low, self.high]
    }
}

/// `LO:HI`, or `LO:HI:N` where points may be counted; the ends may be formulas of parameters.
///
/// # Errors
/// If it is not of that form, or empty.
pub(crate) fn range(flag: Flag, is_counted: bool, system: &System) -> Result<Span, Mistakes> {
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
    let low = collect(flag.number_in(first.clone(), system), &mut wrong);
    let high = collect(flag.number_in(second.clone(), system), &mut wrong);
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
    match points {
        Some(_) if !is_counted => {
            Err(flag.mistake(format!("{} needs no number of points", flag.name()), "write LO:HI"))
        }
        points => Ok(Span { low, high, points }),
    }
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
