//! Where a number stands in an answer: a JSON pointer whose steps may also choose, gather and count entries of lists.
//!
//! | step | of | meaning |
//! |---|---|---|
//! | `KEY` | an object | its entry |
//! | `0`, `1`, ... | a list | an entry |
//! | `last` | a list | the last entry |
//! | `KEY=WORD`, `KEY<NUMBER`, `KEY>NUMBER` | a list of objects | those entries; a key may be a path with dots |
//! | `*` | a list | every entry: the steps that follow are taken in each |
//! | `min`, `max`, `sum`, `count` | a list, or what `*` has gathered | one number |

use serde_json::Value;

/// What the steps so far have led to.
enum Place<'a> {
    One(&'a Value),
    Each(Vec<&'a Value>),
}

/// The number at a place of an answer: true and false are 1 and 0.
///
/// # Errors
/// If there is nothing, or no number, as a sentence.
pub(crate) fn number(answer: &Value, pointer: &str) -> Result<f64, String> {
    let mut place = Place::One(answer);
    let steps: Vec<&str> = pointer.split('/').skip(1).collect();
    for (i, step) in steps.iter().enumerate() {
        let rest = &steps[i + 1..];
        let list = match &place {
            Place::One(Value::Array(list)) => Some(list.iter().collect::<Vec<&Value>>()),
            Place::Each(list) => Some(list.clone()),
            Place::One(_) => None,
        };
        if let (Some(list), true) = (&list, ["min", "max", "sum", "count"].contains(step)) {
            let found = gathered(list, step).ok_or_else(|| format!("nothing is left for `{step}` at {pointer}"))?;
            return if rest.is_empty() { Ok(found) } else { Err(format!("`{step}` is the last step of {pointer}")) };
        }
        let nothing = || format!("there is nothing at /{} of the answer", steps[..=i].join("/"));
        place = match (place, list) {
            (Place::One(Value::Array(_)), Some(list)) if *step == "*" => Place::Each(list),
            (Place::One(Value::Array(_)), Some(list)) if comparison(step).is_some() => {
                Place::Each(list.into_iter().filter(|entry| holds(entry, step)).collect())
            }
            // What a filter has left is a list, too.
            (Place::Each(list), _) if comparison(step).is_some() => {
                Place::Each(list.into_iter().filter(|entry| holds(entry, step)).collect())
            }
            (Place::Each(list), _) if *step == "*" => Place::Each(list),
            (Place::Each(list), _) if i > 0 && comparison(steps[i - 1]).is_some() && entry_number(step).is_some() => {
                let which = entry_number(step).map_or(0, |number| number.min(list.len().saturating_sub(1)));
                let there = entry_number(step).is_some_and(|number| number == usize::MAX || number < list.len());
                Place::One(list.get(which).filter(|_| there).ok_or_else(nothing)?)
            }
            (Place::Each(list), _) => Place::Each(list.iter().filter_map(|entry| child(entry, step)).collect()),
            (Place::One(value), _) => Place::One(child(value, step).ok_or_else(nothing)?),
        };
    }
    match place {
        Place::One(value) => plain(value).ok_or_else(|| format!("there is no number at {pointer}, but {value}")),
        Place::Each(_) => {
            Err(format!("{pointer} leads to several places: end it with min, max, sum, count or a number"))
        }
    }
}

/// The number of an entry; that of the last one is the largest.
fn entry_number(step: &str) -> Option<usize> {
    if step == "last" { Some(usize::MAX) } else { step.parse().ok() }
}

fn child<'a>(value: &'a Value, step: &str) -> Option<&'a Value> {
    match value {
        Value::Object(object) => object.get(step),
        Value::Array(list) if step == "last" => list.last(),
        Value::Array(list) => list.get(step.parse::<usize>().ok()?),
        _ => None,
    }
}

fn plain(value: &Value) -> Option<f64> {
    match value {
        Value::Bool(is) => Some(f64::from(u8::from(*is))),
        other => other.as_f64(),
    }
}

/// The parts of a step that chooses.
fn comparison(step: &str) -> Option<(&str, char, &str)> {
    let place = step.find(['=', '<', '>'])?;
    Some((&step[..place], step[place..].chars().next()?, &step[place + 1..]))
}

fn holds(entry: &Value, step: &str) -> bool {
    let Some((key, sign, wanted)) = comparison(step) else { return false };
    let Some(found) = key.split('.').try_fold(entry, |value, step| child(value, step)) else { return false };
    match (sign, found, plain(found), wanted.parse::<f64>()) {
        ('=', Value::String(text), ..) => text == wanted,
        ('=', Value::Bool(is), ..) => wanted == if *is { "true" } else { "false" },
        ('=', _, Some(found), Ok(wanted)) => found == wanted,
        ('<', _, Some(found), Ok(wanted)) => found < wanted,
        ('>', _, Some(found), Ok(wanted)) => found > wanted,
        _ => false,
    }
}

fn gathered(list: &[&Value], step: &str) -> Option<f64> {
    let numbers = || list.iter().filter_map(|value| plain(value));
    match step {
        "count" => Some(list.len() as f64),
        "sum" => Some(numbers().sum()),
        "min" => numbers().reduce(f64::min),
        _ => numbers().reduce(f64::max),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn steps_choose_gather_and_count() {
        let answer = json!({ "ok": true, "special": [
            { "kind": "fold", "p": { "A": 1.5 }, "m": [[0.5, 0.0], [2.0, 0.0]] },
            { "kind": "graze", "p": { "A": 2.5 }, "m": [[3.0, 1.0], [4.0, 0.0]] },
            { "kind": "fold", "p": { "A": 3.5 }, "m": [[5.0, 0.0], [6.0, 0.0]] },
        ] });
        let at = |pointer: &str| number(&answer, pointer);
        assert_eq!(at("/ok"), Ok(1.0));
        assert_eq!(at("/special/1/p/A"), Ok(2.5));
        assert_eq!(at("/special/last/m/1/0"), Ok(6.0));
        assert_eq!(at("/special/kind=fold/1/p/A"), Ok(3.5));
        assert_eq!(at("/special/kind=fold/last/p/A"), Ok(3.5));
        assert_eq!(at("/special/kind=fold/count"), Ok(2.0));
        assert_eq!(at("/special/kind=fold/p.A>2/0/p/A"), Ok(3.5));
        assert_eq!(at("/special/p.A<3/count"), Ok(2.0));
        assert_eq!(at("/special/*/p/A/max"), Ok(3.5));
        assert_eq!(at("/special/*/m/1/0/min"), Ok(2.0));
        assert_eq!(at("/special/count"), Ok(3.0));
        assert_eq!(at("/special/kind=cusp/count"), Ok(0.0));
        for wrong in ["/special/kind=cusp/0/p/A", "/none", "/special/0/kind", "/special/*/p/A", "/special/kind=fold/2"]
        {
            assert!(at(wrong).is_err(), "{wrong}");
        }
    }
}
