//! The request for a contact problem: the start alone, or also a map over two numbers, or the smallest critical friction along one.

use crate::error::{Error, Refusal, accepted};
use crate::system::{System, TOLERANCE, check_tolerance};
use crate::text::cut;
use crate::text::number::short;
use saltation_expr::parse::nearest;
use saltation_model::Model;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// The largest number of values of one number of a map.
pub const MOST_VALUES: usize = 2000;

/// A contact problem: every field has a default.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Request {
    /// The numbers of a map: that across and that up.
    pub map: Option<[Axis; 2]>,
    /// The number along which the smallest critical friction is searched.
    pub critical: Option<Along>,
    /// The tolerance of the motions that decide at boundaries between modes.
    pub tol: f64,
}

impl Default for Request {
    fn default() -> Request {
        Request { map: None, critical: None, tol: TOLERANCE }
    }
}

/// A parameter or a state, and the values between which it varies.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Along {
    /// The name of a parameter or a state.
    pub name: String,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// A parameter or a state over a number of values, both ends among them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Axis {
    /// The name of a parameter or a state.
    pub name: String,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// How many values there are, from 2 to [`MOST_VALUES`].
    pub count: usize,
}

/// The part of an axis that is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The name.
    Name,
    /// Both ends.
    Ends,
    /// The lower end.
    Low,
    /// The upper end.
    High,
    /// The number of values.
    Count,
}

impl From<(&str, RangeInclusive<f64>)> for Along {
    fn from((name, range): (&str, RangeInclusive<f64>)) -> Along {
        Along { name: name.to_string(), low: *range.start(), high: *range.end() }
    }
}

impl From<(&str, RangeInclusive<f64>, usize)> for Axis {
    fn from((name, range, count): (&str, RangeInclusive<f64>, usize)) -> Axis {
        Axis { name: name.to_string(), low: *range.start(), high: *range.end(), count }
    }
}

impl Along {
    /// Mistakes in it for a model, and the part concerned.
    pub fn refusal(&self, field: &'static str, model: &Model) -> Option<(Part, Refusal)> {
        let Along { name, low, high } = self;
        let refused = |part, message: String, help: String| Some((part, Refusal::new(field, message, help)));
        let states = model.states.iter().map(|state| state.name.as_str());
        let names: Vec<&str> = model.parameters.iter().map(|p| p.name.as_str()).chain(states).collect();
        if !names.contains(&name.as_str()) {
            let help = match nearest(name, names.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("there are {}", names.join(", ")),
            };
            let message = format!("`{}` is no parameter or state of the model", cut(name));
            return refused(Part::Name, message, help);
        }
        for (part, end) in [(Part::Low, low), (Part::High, high)] {
            if !end.is_finite() {
                let message = format!("an end of the range is not finite: it is {end}");
                return refused(part, message, "give two numbers".to_string());
            }
        }
        if low == high {
            let message = format!("the range is empty: both ends are {}", short(*low, 15));
            return refused(Part::Ends, message, "give two different numbers, the lower one first".to_string());
        }
        if low > high {
            let message = format!("the range goes down, from {} to {}", short(*low, 15), short(*high, 15));
            return refused(Part::Ends, message, "give the lower end first".to_string());
        }
        let parameter = &model.parameters[model.parameter(name)?];
        if let Some(least) = parameter.min.filter(|least| low < least) {
            let message = format!("the range goes below {}, the least value of {name}", short(least, 15));
            return refused(Part::Low, message, format!("begin the range at {} or above", short(least, 15)));
        }
        if let Some(most) = parameter.max.filter(|most| high > most) {
            let message = format!("the range goes above {}, the largest value of {name}", short(most, 15));
            return refused(Part::High, message, format!("end the range at {} or below", short(most, 15)));
        }
        None
    }
}

impl Axis {
    /// Mistakes in it for a model, and the part concerned.
    pub fn refusal(&self, field: &'static str, model: &Model) -> Option<(Part, Refusal)> {
        self.along().refusal(field, model).or_else(|| {
            let rule = format!("the number of values is a whole number from 2 to {MOST_VALUES}");
            let message = format!("{rule}, not `{}`", self.count);
            let refusal = || Refusal::new(field, message, "a map has that many places across or up");
            (!(2..=MOST_VALUES).contains(&self.count)).then(|| (Part::Count, refusal()))
        })
    }

    /// The same number without its values.
    fn along(&self) -> Along {
        Along { name: self.name.clone(), low: self.low, high: self.high }
    }

    /// The values, both ends among them.
    pub fn values(&self) -> Vec<f64> {
        let last = self.count.saturating_sub(1);
        let value = |k: usize| match k {
            k if k == last => self.high,
            k => self.low + (self.high - self.low) * k as f64 / last as f64,
        };
        (0..self.count).map(value).collect()
    }
}

impl Request {
    /// All mistakes in the request for this system.
    pub fn refusals(&self, system: &System) -> Vec<Refusal> {
        let model = system.model();
        let mut list: Vec<Refusal> = check_tolerance(self.tol).into_iter().collect();
        if let Some(element) = model.complementarities.first() {
            let message = format!(
                "contact problems have no multipliers but those of contacts, and the model has `{}`",
                element.name
            );
            let help = "simulate the model, or leave [complementarity] out";
            list.push(Refusal::new("tol", message, help));
        }
        if let Some([first, second]) = &self.map {
            list.extend([first, second].into_iter().filter_map(|axis| axis.refusal("map", model)).map(|(_, r)| r));
            list.extend(twice([first, second]));
        }
        list.extend(self.critical.as_ref().and_then(|along| along.refusal("critical", model)).map(|(_, r)| r));
        list
    }

    pub(crate) fn accepted(&self, system: &System) -> Result<(), Error> {
        accepted(self.refusals(system))
    }
}

/// Mistakes in a map over the same number twice.
pub fn twice([first, second]: [&Axis; 2]) -> Option<Refusal> {
    (first.name == second.name).then(|| {
        let message = format!("both axes of the map are `{}`", first.name);
        Refusal::new("map", message, "give two different parameters or states")
    })
}
