//! The quantity drawn over the parameter: impact speeds, the period, the leading multiplier, or a state.

use crate::error::Refusal;
use crate::naming::Naming;
use crate::system::System;
use crate::text::cut;
use saltation_draw::Axis;
use saltation_expr::parse::nearest;
use saltation_model::{Model, StateKind};
use saltation_numerics::dense;
use saltation_numerics::dense::Complex;
use saltation_orbit::branch::{Branch, BranchPoint};

/// A quantity of a point of a branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ordinate {
    /// The speed of every impact, positive.
    ImpactSpeed,
    /// The period.
    Period,
    /// The modulus of the leading multiplier.
    Multiplier,
    /// A state on the section.
    State(usize),
}

const WORDS: [(&str, Ordinate); 3] =
    [("impact_speed", Ordinate::ImpactSpeed), ("period", Ordinate::Period), ("multiplier", Ordinate::Multiplier)];

impl Ordinate {
    /// The quantity of this name: `impact_speed`, `period`, `multiplier`, or a state.
    ///
    /// # Errors
    /// If there is none of that name.
    pub fn named(name: &str, system: &System) -> Result<Ordinate, Refusal> {
        let (name, model) = (name.trim(), system.model());
        let word = WORDS.iter().find(|(word, _)| *word == name).map(|(_, ordinate)| *ordinate);
        if word == Some(Ordinate::ImpactSpeed) && model.contacts.is_empty() {
            let message = "the model has no contacts, and so no impacts";
            return Err(Refusal::new("ordinate", message, "draw for example the period"));
        }
        word.or(model.state(name).map(Ordinate::State)).ok_or_else(|| {
            let names = || WORDS.iter().map(|(word, _)| *word).chain(model.states.iter().map(|s| s.name.as_str()));
            let help = match nearest(name, names()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("there are {}", names().collect::<Vec<_>>().join(", ")),
            };
            let message = format!("`{}` is neither a state nor another quantity of an orbit", cut(name));
            Refusal::new("ordinate", message, help)
        })
    }

    /// The default quantity, also where there are no impacts: the first that changes along the branches.
    pub(crate) fn usual(naming: Naming, model: &Model, branches: &[Branch]) -> Ordinate {
        let impacts = branches.iter().flat_map(|branch| &branch.points).any(|point| !point.impact_speeds.is_empty());
        let flowing = |state: &usize| model.states[*state].kind != StateKind::Phase;
        let states = (0..model.states.len()).filter(flowing).map(Ordinate::State);
        let mut all: Vec<Ordinate> = impacts.then_some(Ordinate::ImpactSpeed).into_iter().collect();
        // The period of a forced motion is that of its forcing.
        if model.phase.is_none() {
            all.push(Ordinate::Period);
        }
        all.extend(states);
        all.extend([Ordinate::Period, Ordinate::Multiplier]);
        let changes = |ordinate: &Ordinate| {
            branches.iter().any(|branch| {
                let each = branch.points.iter().map(|point| ordinate.values(naming, branch, point));
                is_changing(&each.collect::<Vec<_>>())
            })
        };
        all.iter().copied().find(changes).unwrap_or(all[0])
    }

    /// Its values at a point: one, or one for every impact of a period (of half of it for a symmetric orbit).
    pub(crate) fn values(self, naming: Naming, branch: &Branch, point: &BranchPoint) -> Vec<f64> {
        match self {
            Ordinate::ImpactSpeed => {
                let halves = if branch.signature.mirror.is_some() { 2 } else { 1 };
                let own = point.impact_speeds.len() / halves;
                point.impact_speeds[..own].iter().map(|speed| -speed).collect()
            }
            Ordinate::Period => vec![point.period],
            Ordinate::Multiplier => vec![drawn(leading_modulus(naming, point))],
            Ordinate::State(state) => vec![naming.wrapped(state, point.state[state])],
        }
    }

    /// Its axis.
    pub(crate) fn axis(self, model: &Model) -> Axis {
        let time = model.time_unit.as_deref();
        let (name, unit) = match self {
            Ordinate::ImpactSpeed => {
                let units: Vec<Option<&str>> = model.contacts.iter().map(|c| c.unit.as_deref()).collect();
                let length = units.first().copied().flatten().filter(|unit| units.iter().all(|u| *u == Some(*unit)));
                ("impact speed".to_string(), length.zip(time).map(|(length, time)| format!("{length}/{time}")))
            }
            Ordinate::Period => ("period".to_string(), time.map(str::to_string)),
            Ordinate::Multiplier => ("modulus of the leading multiplier".to_string(), None),
            Ordinate::State(state) => {
                let state = &model.states[state];
                (format!("{} on the section", state.name), state.unit.clone())
            }
        };
        let axis = Axis::new(name);
        match unit {
            Some(unit) => axis.unit(unit),
            None => axis,
        }
    }
}

/// What changes by less than this part of its size does not change on a picture.
const CONSTANT: f64 = 1e-6;

/// Whether one of the values of points in their order changes, or their number.
pub(crate) fn is_changing(points: &[Vec<f64>]) -> bool {
    let Some(first) = points.first() else { return false };
    (0..first.len()).any(|k| {
        let each = || points.iter().map(|values| values.get(k).copied().unwrap_or(f64::NAN));
        let finite = || each().filter(|value| value.is_finite());
        let (low, high) = (finite().fold(f64::INFINITY, f64::min), finite().fold(f64::NEG_INFINITY, f64::max));
        high - low > CONSTANT * low.abs().max(high.abs())
    })
}

/// A multiplier above this part of the inverse of the rounding unit is made of rounding, as at a graze, where it has no bound.
const MADE_OF_ROUNDING: f64 = 1e-3;

/// A modulus as it is drawn: NaN, which leaves a gap, where it is made of rounding and would hide all others.
fn drawn(modulus: f64) -> f64 {
    if modulus * f64::EPSILON < MADE_OF_ROUNDING { modulus } else { f64::NAN }
}

/// The modulus of the largest nontrivial multiplier; NaN where there is none.
pub(crate) fn leading_modulus(naming: Naming, point: &BranchPoint) -> f64 {
    let one = |z: &Complex| z.re == 1.0 && z.im == 0.0;
    let autonomous = naming.system.model().phase.is_none();
    let trivial = point.multipliers.iter().position(one).filter(|_| autonomous);
    let others = point.multipliers.iter().enumerate().filter(|(i, _)| Some(*i) != trivial);
    others.map(|(_, z)| dense::modulus(z)).reduce(f64::max).unwrap_or(f64::NAN)
}
