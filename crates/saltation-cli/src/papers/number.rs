//! A number that was found, beside the published one and a second route: closed form, root, or a number from elsewhere.

use crate::papers::formula::Values;
use crate::papers::paper::{At, Number, Root};
use crate::papers::pointer;
use saltation::layers::numerics::elementary;
use serde_json::{Value, json};

/// What a comparison says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Everything agrees.
    Agrees,
    /// The paper errs, and the second route shows it.
    Errs,
    /// Something disagrees that should not.
    Disagrees,
}

impl Verdict {
    /// As a word.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Verdict::Agrees => "agrees",
            Verdict::Errs => "the paper errs",
            Verdict::Disagrees => "DISAGREES",
        }
    }
}

/// A number that was compared.
#[derive(Debug, Clone)]
pub(crate) struct Compared<'a> {
    /// What was asked.
    pub number: &'a Number,
    /// What was found; or why nothing was.
    pub found: Result<f64, String>,
    /// The value of the second route.
    pub second: Option<Result<f64, String>>,
    /// The digits in which both agree, at most 16.
    pub digits: Option<f64>,
    /// What follows.
    pub verdict: Verdict,
}

/// Compares a number of the answers of a figure's commands.
pub(crate) fn compare<'a>(number: &'a Number, answers: &[Value], values: &Values) -> Compared<'a> {
    let (found, values) = find(number, answers, values);
    let second = second(number, &values);
    let digits = match (&found, &second) {
        (Ok(found), Some(Ok(second))) => Some(agreement(*found, *second)),
        _ => None,
    };
    let as_printed = match (&found, &number.published) {
        (Ok(found), Some(text)) => Some(is_as_printed(*found, text, number.units)),
        _ => None,
    };
    let second_agrees =
        second.is_none() || digits.is_some_and(|digits| digits >= number.digits.unwrap_or(f64::INFINITY));
    let verdict = match (found.is_ok() && second_agrees, as_printed, &number.errs) {
        (true, None | Some(true), None) => Verdict::Agrees,
        (true, Some(false), Some(_)) => Verdict::Errs,
        _ => Verdict::Disagrees,
    };
    Compared { number, found, second, digits, verdict }
}

/// The number, and the values with what was read for it.
fn find<'v>(number: &Number, answers: &[Value], values: &Values<'v>) -> (Result<f64, String>, Values<'v>) {
    let mut known = values.clone();
    let places: Vec<(&str, &str)> = match &number.at {
        At::One(place) => vec![("found", place)],
        At::Many(places) => places.iter().map(|(name, place)| (name.as_str(), place.as_str())).collect(),
    };
    let mut last = Err("it has no place".to_string());
    for (name, place) in places {
        last = read(answers, place);
        match &last {
            Ok(value) => known = known.with(name, *value),
            Err(_) => return (last, known),
        }
    }
    let found = number.value.as_ref().map_or(last, |formula| known.evaluate(formula));
    let found = found.and_then(|x| if x.is_finite() { Ok(x) } else { Err(format!("it is {x}")) });
    (found, known)
}

/// The number at a place; `2:/end/time` is in the answer of the second command, and without a number before it in that of the last one.
fn read(answers: &[Value], place: &str) -> Result<f64, String> {
    let (which, pointer) = match place.split_once(":/") {
        Some((which, _)) => (which.parse::<usize>().ok(), &place[which.len() + 1..]),
        None => (Some(answers.len()), place),
    };
    let answer = which.and_then(|which| answers.get(which.checked_sub(1)?));
    answer
        .map_or_else(|| Err(format!("no command has an answer for {place}")), |answer| pointer::number(answer, pointer))
}

fn second(number: &Number, values: &Values) -> Option<Result<f64, String>> {
    if let Some(closed) = &number.closed {
        return Some(values.evaluate(closed));
    }
    if let Some(Root { of, unknown, between: [low, high] }) = &number.root {
        let ends = values.evaluate(low).and_then(|low| values.evaluate(high).map(|high| [low, high]));
        return Some(ends.and_then(|ends| values.root(of, unknown, ends)));
    }
    number.number.map(Ok)
}

/// The decimal digits in which a number agrees with a reference, relative to it; 16 if all.
fn agreement(found: f64, reference: f64) -> f64 {
    let size = if reference == 0.0 { 1.0 } else { reference.abs() };
    let error = (found - reference).abs() / size;
    if error == 0.0 { 16.0 } else { (-elementary::ln(error) / elementary::ln(10.0)).clamp(0.0, 16.0) }
}

/// Whether a number is the printed one within so many units of its last place.
fn is_as_printed(found: f64, text: &str, units: f64) -> bool {
    let Ok(printed) = text.parse::<f64>() else { return false };
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let places = mantissa.split_once('.').map_or(0, |(_, decimals)| decimals.len() as i32);
    let unit = elementary::powf(10.0, f64::from(exponent.parse::<i32>().unwrap_or(0) - places));
    // A number halfway between two printed ones may be rounded to either.
    (found - printed).abs() <= units * unit * (1.0 + 1e-9)
}

impl Compared<'_> {
    /// The second route in words.
    pub(crate) fn route(&self) -> String {
        let number = self.number;
        match (&number.closed, &number.root, &number.source) {
            (Some(closed), ..) => format!("closed form {closed}"),
            (_, Some(root), _) => format!("root of {}", root.of),
            (.., Some(source)) => source.clone(),
            _ => String::new(),
        }
    }

    /// What is wrong, if something is.
    pub(crate) fn trouble(&self) -> Option<String> {
        if self.verdict != Verdict::Disagrees {
            return None;
        }
        let number = self.number;
        Some(match (&self.found, &self.second) {
            (Err(why), _) => why.clone(),
            (_, Some(Err(why))) => format!("the second route has no value: {why}"),
            (Ok(found), Some(Ok(second))) if self.digits < number.digits => {
                let (agreed, wanted) = (self.digits.unwrap_or(0.0), number.digits.unwrap_or(0.0));
                format!("{found} agrees with {second} to {agreed:.1} digits, not {wanted}")
            }
            (Ok(found), _) => {
                let printed = number.published.as_deref().unwrap_or_default();
                match &number.errs {
                    Some(_) => format!("{found} is the printed {printed}: the paper does not err here"),
                    None => format!("{found} is not the printed {printed}"),
                }
            }
        })
    }

    /// As JSON.
    pub(crate) fn json(&self) -> Value {
        let number = self.number;
        let second = self.second.as_ref().and_then(|second| second.as_ref().ok());
        json!({
            "what": number.what, "found": self.found.as_ref().ok(), "published": number.published, "second": second, "route": self.route(),
            "digits": self.digits, "wanted": number.digits, "verdict": self.verdict.word(), "errs": number.errs, "trouble": self.trouble(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Number {
        toml::from_str(text).unwrap()
    }

    fn verdict(text: &str) -> Verdict {
        let answers = [json!({ "a": 1.0 }), json!({ "x": 2.0001, "y": [3.0, 4.0] })];
        compare(&number(text), &answers, &Values::default()).verdict
    }

    #[test]
    fn a_number_agrees_errs_or_disagrees() {
        assert_eq!(verdict("what = 'x'\nat = '/x'\npublished = '2.000'"), Verdict::Agrees);
        assert_eq!(verdict("what = 'x'\nat = '/x'\npublished = '2.0000'"), Verdict::Disagrees);
        assert_eq!(verdict("what = 'x'\nat = '/x'\npublished = '2.0000'\nunits = 1"), Verdict::Agrees);
        assert_eq!(verdict("what = 'x'\nat = '/x'\nclosed = '2'\ndigits = 4"), Verdict::Agrees);
        assert_eq!(verdict("what = 'x'\nat = '/x'\nclosed = '2'\ndigits = 5"), Verdict::Disagrees);
        assert_eq!(
            verdict("what = 'x'\nat = '/x'\npublished = '2.1'\nclosed = '2'\ndigits = 4\nerrs = 'e'"),
            Verdict::Errs
        );
        assert_eq!(
            verdict("what = 'x'\nat = '/x'\npublished = '2.0'\nclosed = '2'\ndigits = 4\nerrs = 'e'"),
            Verdict::Disagrees
        );
        assert_eq!(verdict("what = 'x'\nat = '/z'\npublished = '2.0'"), Verdict::Disagrees);
        assert_eq!(verdict("what = 'a'\nat = '1:/a'\nclosed = '1'\ndigits = 16"), Verdict::Agrees);
        assert_eq!(
            verdict(
                "what = 'h'\nat = { a = '/y/0', b = '/y/1' }\nvalue = 'sqrt(a^2 + b^2)'\nclosed = 'a + 2'\ndigits = 15"
            ),
            Verdict::Agrees
        );
        assert_eq!(
            verdict("what = 'r'\nat = '/y/0'\nroot = { of = 'x^2 - 9', between = ['1', '8'] }\ndigits = 15"),
            Verdict::Agrees
        );
    }
}
