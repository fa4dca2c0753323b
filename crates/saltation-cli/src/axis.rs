//! Flags for axes: `NAME=LO:HI:N`, `NAME=LO:HI:N:log`, or a list `NAME=A,B,C`; numbers may be formulas of parameters.

use crate::flag::{Flag, collect, cut};
use saltation::sweep::Axis;
use saltation::{Mistakes, System};
use std::ops::Range;

/// The parts of a text between separators, as places in it.
fn parts(text: &str, from: usize, separator: char) -> Vec<Range<usize>> {
    let mut begin = from;
    let place = |part: &str| {
        let place = begin..begin + part.len();
        begin += part.len() + 1;
        place
    };
    text[from..].split(separator).map(place).collect()
}

/// The axis of a flag; `example` is a valid value of it.
///
/// # Errors
/// If it is not of one of the forms, or a formula in it is wrong.
pub(crate) fn read(flag: Flag, example: &str, system: &System) -> Result<Axis, Mistakes> {
    let text = flag.value();
    let write = format!("write for example {} {example}", flag.name());
    let misshapen = || flag.mistake(format!("{} has the form NAME=LO:HI:N or NAME=A,B,C", flag.name()), &write);
    let (name, _) = text.split_once('=').ok_or_else(misshapen)?;
    let at = name.len() + 1;
    if name.trim().is_empty() {
        return Err(flag.mistake_in(0..1, "the name before = is missing", &write));
    }
    let name = name.trim();
    let ranged = parts(text, at, ':');
    let listed = parts(text, at, ',');
    let is_list = ranged.len() == 1;
    let numbers = if is_list { &listed[..] } else { &ranged[..ranged.len().min(2)] };
    let empty = |part: &Range<usize>| text[part.clone()].trim().is_empty();
    if (!is_list && !(3..=4).contains(&ranged.len())) || ranged.iter().chain(numbers).any(empty) {
        return Err(misshapen());
    }
    let mut wrong = Vec::new();
    let values: Vec<f64> =
        numbers.iter().filter_map(|part| collect(flag.number_in(part.clone(), system), &mut wrong)).collect();
    if let Some(all) = wrong.into_iter().reduce(|mut all, more| {
        all.list.extend(more.list);
        all
    }) {
        return Err(all);
    }
    if is_list {
        return Axis::list(name, values).map_err(|error| flag.mistake(error, &write));
    }
    let counted = text[ranged[2].clone()].trim();
    let points: u64 = match counted.parse() {
        Ok(0) => return Err(flag.mistake_in(ranged[2].clone(), "an axis of no points has no tasks", &write)),
        Ok(points) => points,
        Err(_) if !counted.is_empty() && counted.chars().all(|c| c.is_ascii_digit()) => u64::MAX,
        Err(_) => {
            let message = format!("the number of points is a whole number, not `{}`", cut(counted));
            return Err(flag.mistake_in(ranged[2].clone(), message, &write));
        }
    };
    let [low, high] = values[..] else { return Err(misshapen()) };
    let axis = match ranged.get(3).map(|part| text[part.clone()].trim()) {
        None => Axis::linear(name, low, high, points),
        Some("log") => Axis::logarithmic(name, low, high, points),
        Some(other) => {
            let message = format!("values are spaced linearly, or by `log`, not by `{}`", cut(other));
            return Err(flag.mistake_in(ranged[3].clone(), message, &write));
        }
    };
    let axis = axis.map_err(|error| flag.mistake(error, &write))?;
    if low == high && points > 1 {
        return Err(flag.mistake("the range is empty: both ends are equal", &write));
    }
    Ok(axis)
}

/// A name with the two ends of a range, `NAME=LO:HI`.
///
/// # Errors
/// If it is not of that form, or a formula in it is wrong.
pub(crate) fn range(flag: Flag, example: &str, system: &System) -> Result<(String, f64, f64), Mistakes> {
    let text = flag.value();
    let misshapen = || {
        let message = format!("{} has the form NAME=LO:HI", flag.name());
        flag.mistake(message, format!("write for example {} {example}", flag.name()))
    };
    let (name, _) = text.split_once('=').ok_or_else(misshapen)?;
    let ends = parts(text, name.len() + 1, ':');
    let [low, high] = &ends[..] else { return Err(misshapen()) };
    if name.trim().is_empty() || [low, high].iter().any(|part| text[(*part).clone()].trim().is_empty()) {
        return Err(misshapen());
    }
    let (low, high) = (flag.number_in(low.clone(), system)?, flag.number_in(high.clone(), system)?);
    Ok((name.trim().to_string(), low, high))
}
