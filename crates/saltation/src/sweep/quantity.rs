//! The quantities of tasks that a figure can show: states at returns, impact speeds, extremes, exponents, periods.

use crate::drawing::quantity as drawn;
use crate::error::{Error, Refusal};
use crate::sweep::Swept;
use crate::text::cut;
use saltation_draw::Axis;
use saltation_expr::parse::nearest;
use saltation_model::StateKind;
use saltation_sweep::Outcome;

/// A quantity over one parameter: one value or many for every task.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Quantity {
    /// A state at every return, and where its circle begins and how long that is if it goes round.
    State(usize, Option<(f64, f64)>),
    /// The speed of every impact, positive.
    ImpactSpeed,
    /// A recorded extreme: which, and whether the greatest value.
    Extreme(usize, bool),
    /// An exponent.
    Exponent(usize),
    /// The period in returns.
    Period,
}

impl Quantity {
    /// The quantity of this name; without a name the first state, or the impact speed where returns are at a contact.
    pub(crate) fn named(name: Option<&str>, swept: &Swept) -> Result<Quantity, Error> {
        let names = &swept.names;
        let Some(name) = name.map(str::trim) else {
            let at_contact = swept.system.model().sections.iter().any(|section| {
                section.name == swept.section && matches!(section.kind, saltation_model::SectionKind::Contact(_))
            });
            return Ok(if at_contact { Quantity::ImpactSpeed } else { Quantity::state(0, swept) });
        };
        let extreme = |rest: &str, greatest| {
            names.extremes.iter().position(|known| known == rest).map(|index| Quantity::Extreme(index, greatest))
        };
        let found = match (name, name.split_once(':')) {
            ("impact_speed", _) if !names.contacts.is_empty() => Some(Quantity::ImpactSpeed),
            ("exponent", _) if names.exponents > 0 => Some(Quantity::Exponent(0)),
            ("period", _) => Some(Quantity::Period),
            (_, Some(("max", rest))) => extreme(rest, true),
            (_, Some(("min", rest))) => extreme(rest, false),
            _ => names.states.iter().position(|state| state == name).map(|state| Quantity::state(state, swept)),
        };
        found.ok_or_else(|| {
            let mut known: Vec<String> = names.states.clone();
            known.extend(names.extremes.iter().flat_map(|name| [format!("min:{name}"), format!("max:{name}")]));
            known.push("period".to_string());
            if !names.contacts.is_empty() {
                known.push("impact_speed".to_string());
            }
            if names.exponents > 0 {
                known.push("exponent".to_string());
            }
            let help = match (name, name.split_once(':')) {
                ("exponent", _) => "exponents were not recorded: ask for them with exponents largest".to_string(),
                (_, Some(("min" | "max", rest))) => {
                    format!("the extremes of `{}` were not recorded: ask for them", cut(rest))
                }
                _ => match nearest(name, known.iter().map(String::as_str)) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("there are {}", known.join(", ")),
                },
            };
            Refusal::new("ordinate", format!("this sweep has no `{}` to draw", cut(name)), help).into()
        })
    }

    /// A state; an angle is drawn on its circle, from -1/2 to 1/2 of a turn, and a phase from 0.
    fn state(state: usize, swept: &Swept) -> Quantity {
        let is_phase = swept.system.model().states[state].kind == StateKind::Phase;
        let period = swept.system.numbers().angle_periods().get(state).copied().flatten();
        Quantity::State(state, period.map(|period| (if is_phase { 0.0 } else { -0.5 * period }, period)))
    }

    /// A value of the state on its circle.
    pub(crate) fn on_circle(self, value: f64) -> f64 {
        match self {
            Quantity::State(_, Some((from, period))) => from + (value - from).rem_euclid(period),
            _ => value,
        }
    }

    /// Its values for a task.
    pub(crate) fn of(self, outcome: &Outcome, take: &mut dyn FnMut(f64)) {
        match self {
            Quantity::State(state, _) => outcome.returns.iter().for_each(|point| take(self.on_circle(point[state]))),
            Quantity::ImpactSpeed => outcome.impacts.iter().for_each(|impact| take(-impact.speed)),
            Quantity::Extreme(index, false) => take(outcome.extremes[index].0),
            Quantity::Extreme(index, true) => take(outcome.extremes[index].1),
            Quantity::Exponent(index) => take(outcome.exponents[index]),
            Quantity::Period => take(outcome.period.map_or(f64::NAN, |period| period.returns as f64)),
        }
    }

    /// Its axis.
    pub(crate) fn axis(self, swept: &Swept) -> Axis {
        match self {
            Quantity::State(state, _) => drawn::Quantity::State(state).axis(swept.system.model()),
            Quantity::ImpactSpeed => Axis::new("impact speed"),
            Quantity::Extreme(index, greatest) => {
                let which = if greatest { "greatest" } else { "least" };
                Axis::new(format!("{which} {}", swept.names.extremes[index]))
            }
            Quantity::Exponent(_) => Axis::new("largest Lyapunov exponent"),
            Quantity::Period => Axis::new("period in returns"),
        }
    }
}

/// What the colour of a map means.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum OfMap {
    /// The period: 0 for none, -1 at rest.
    Period,
    /// An exponent, from negative to positive.
    Exponent(usize),
    /// The last value of another quantity.
    Number(Quantity),
}

impl OfMap {
    pub(crate) fn named(name: Option<&str>, swept: &Swept) -> Result<OfMap, Error> {
        Ok(match name.map(|name| Quantity::named(Some(name), swept)).transpose()? {
            None | Some(Quantity::Period) => OfMap::Period,
            Some(Quantity::Exponent(index)) => OfMap::Exponent(index),
            Some(other) => OfMap::Number(other),
        })
    }

    /// The number of a task: NaN where the trajectory ended early.
    pub(crate) fn of(self, outcome: &Outcome) -> f64 {
        match self {
            OfMap::Period if outcome.ending.is_rest() => -1.0,
            _ if !outcome.ending.is_complete() && !outcome.ending.is_rest() => f64::NAN,
            OfMap::Period => outcome.period.map_or(0.0, |period| period.returns as f64),
            OfMap::Exponent(index) => outcome.exponents[index],
            OfMap::Number(quantity) => {
                let mut last = f64::NAN;
                quantity.of(outcome, &mut |value| last = value);
                last
            }
        }
    }
}
