//! Parameter, range and steps: the common part of requests for branches and curves.

use crate::error::Refusal;
use crate::orbit::request::count_refusal;
use crate::system::System;
use crate::text::cut;
use crate::text::number::short;
use saltation_expr::parse::nearest;
use saltation_model::Model;

/// The largest number of points in one direction: a bound on memory.
pub(crate) const MOST_POINTS: u64 = 1_000_000;

/// The steps along a curve.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Steps {
    pub points: u64,
    pub step: f64,
    pub at_least: Option<u64>,
}

impl Steps {
    /// Mistakes in them.
    pub(crate) fn refusals(self, list: &mut Vec<Refusal>) {
        list.extend(count_refusal("points", self.points, 1, MOST_POINTS));
        if !(self.step > 0.0 && self.step <= 1.0) {
            let message =
                format!("step is a fraction of the range, above 0 and at most 1, not {}", short(self.step, 10));
            list.push(Refusal::new("step", message, "give for example 0.01"));
        } else if self.step < shortest() {
            let message = format!(
                "points on a curve are not known well enough for steps of {} of the range: the shortest is {}",
                short(self.step, 10),
                short(shortest(), 10)
            );
            list.push(Refusal::new("step", message, "give a longer step, or a narrower range"));
        }
        if let Some(n) = self.at_least.filter(|n| !(2..=MOST_POINTS).contains(n)) {
            let message = format!("the number of points in the range is from 2 to {MOST_POINTS}, not {n}");
            list.push(Refusal::new("at_least", message, "give for example 100"));
        }
    }

    /// The longest step, also bounded by the smallest number of points.
    pub(crate) fn longest(self) -> f64 {
        self.step.min(self.at_least.map_or(f64::INFINITY, |n| 1.0 / n as f64))
    }
}

/// The shortest step along a curve, as a fraction of the range.
fn shortest() -> f64 {
    saltation_continuation::Settings::default().shortest_step
}

/// All mistakes in the parameter, the range and the steps of a branch that begins at `what`.
pub(crate) fn refusals(
    along: Option<&str>,
    range: Option<[f64; 2]>,
    steps: Steps,
    system: &System,
    what: &str,
) -> Vec<Refusal> {
    let model = system.model();
    let mut list = Vec::new();
    let parameter = match along {
        Some(name) => parameter("along", name, model),
        None => {
            let example = model.parameters.first().map_or("NAME", |parameter| parameter.name.as_str());
            Err(missing("along", "a branch needs a parameter that varies", example))
        }
    };
    let parameter = parameter.map_err(|refusal| list.push(refusal)).ok();
    list.extend(match range {
        Some(ends) => {
            self::range("range", ends, model, parameter).or_else(|| contains("range", ends, system, parameter?, what))
        }
        None => Some(missing("range", "a branch is followed within bounds", "0.5:1.5")),
    });
    steps.refusals(&mut list);
    list
}

/// A parameter by its name, as its position in the model.
///
/// # Errors
/// If the model has none of that name.
pub(crate) fn parameter(field: &'static str, name: &str, model: &Model) -> Result<usize, Refusal> {
    let name = name.trim();
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
        Refusal::new(field, message, help)
    })
}

/// A required field that is missing.
pub(crate) fn missing(field: &'static str, why: &str, example: &str) -> Refusal {
    Refusal::new(field, format!("{field} is missing: {why}"), format!("give for example {example}"))
}

/// Mistakes in a range: it is empty, or outside of the bounds of the parameter in the model.
pub(crate) fn range(field: &'static str, range: [f64; 2], model: &Model, parameter: Option<usize>) -> Option<Refusal> {
    let [low, high] = range;
    let refused = |message: String, help: String| Some(Refusal::new(field, message, help));
    if !(low.is_finite() && high.is_finite()) {
        let message = format!("a range is two finite numbers, not {low} and {high}");
        return refused(message, "give for example 0.5 and 1.5".to_string());
    }
    if low == high {
        let message = format!("the range is empty: both ends are {}", short(low, 15));
        return refused(message, "give for example 0.5 and 1.5".to_string());
    }
    if low > high {
        let (low, high) = (short(low, 15), short(high, 15));
        return refused(format!("the range goes down, from {low} to {high}"), format!("give {high} and then {low}"));
    }
    let parameter = &model.parameters[parameter?];
    let name = &parameter.name;
    if let Some(least) = parameter.min.filter(|least| low < *least) {
        let least = short(least, 15);
        let message = format!("the range goes below {least}, the least value of {name}");
        return refused(message, format!("begin the range at {least} or above"));
    }
    if let Some(most) = parameter.max.filter(|most| high > *most) {
        let most = short(most, 15);
        let message = format!("the range goes above {most}, the largest value of {name}");
        return refused(message, format!("end the range at {most} or below"));
    }
    None
}

/// The start of a branch lies outside of the range.
pub(crate) fn contains(
    field: &'static str,
    [low, high]: [f64; 2],
    system: &System,
    parameter: usize,
    what: &str,
) -> Option<Refusal> {
    let value = system.numbers().parameters()[parameter];
    if (low..=high).contains(&value) {
        return None;
    }
    let name = &system.model().parameters[parameter].name;
    let message = format!("the range does not contain the {what}: it begins at {name} = {}", short(value, 15));
    let middle = short(0.5 * (low + high), 10);
    Some(Refusal::new(field, message, format!("widen the range, or begin in it, for example with {name} = {middle}")))
}
