//! What is fitted: parameters and start values with their bounds, and systems with other values of them.

use crate::error::{Error, Refusal};
use crate::system::System;
use crate::text::cut;
use saltation_expr::parse::nearest;
use saltation_motion::Perturbation;

/// A start value is written with this before the name of its state.
const START: &str = "start.";

/// Something that is fitted.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Free {
    /// As it is written: `e`, or `start.x`.
    pub name: String,
    pub place: Place,
    pub bounds: Option<[f64; 2]>,
}

/// Where its value stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Parameter(usize),
    Start(usize),
}

impl Free {
    /// Its value in a system.
    pub(crate) fn value(&self, system: &System) -> f64 {
        match self.place {
            Place::Parameter(index) => system.numbers().parameters()[index],
            Place::Start(index) => system.numbers().start()[index],
        }
    }

    /// A change of it that is not small.
    pub(crate) fn size(&self, value: f64) -> f64 {
        match self.bounds {
            Some([low, high]) => high - low,
            None if value != 0.0 => value.abs(),
            None => 1.0,
        }
    }
}

/// The same system with other values of what is fitted.
///
/// # Errors
/// If the model may not have these values.
pub(crate) fn with(system: &System, free: &[Free], values: &[f64]) -> Result<System, Error> {
    let mut system = system.clone();
    for (one, &value) in free.iter().zip(values) {
        system = match one.place {
            Place::Parameter(index) => system.with(&system.parameter_names()[index].clone(), value)?,
            Place::Start(index) => system.from_state(&system.state_names()[index].clone(), value)?,
        };
    }
    Ok(system)
}

/// The directions of what is fitted, with all that follows from it.
pub(crate) fn directions(system: &System, free: &[Free]) -> Result<Vec<Perturbation>, Error> {
    let compiled = system.compiled()?;
    let direction = |one: &Free| match one.place {
        Place::Parameter(index) => Perturbation::following(system.numbers(), index),
        Place::Start(index) => Perturbation::of_state(compiled, index),
    };
    Ok(free.iter().map(direction).collect())
}

/// Reads what is fitted, and finds the mistakes in it.
pub(crate) fn read(texts: &[String], field: &'static str, system: &System) -> (Vec<Free>, Vec<Refusal>) {
    let (mut found, mut refusals) = (Vec::<Free>::new(), Vec::new());
    if texts.is_empty() {
        refusals.push(Refusal::new(
            field,
            "nothing is free",
            "name parameters or start values to be fitted, such as e=0.5:0.9 or start.v",
        ));
    }
    let mut begin = 0;
    for text in texts {
        let part = begin..begin + text.len().max(1);
        begin += text.len() + 1;
        match one(text, system) {
            Ok(free) if found.iter().any(|known| known.place == free.place) => {
                let message = format!("`{}` is named twice", free.name);
                refusals.push(Refusal::new(field, message, "name it once").in_part(part));
            }
            Ok(free) => found.push(free),
            Err((message, help)) => refusals.push(Refusal::new(field, message, help).in_part(part)),
        }
    }
    (found, refusals)
}

/// One of them.
fn one(text: &str, system: &System) -> Result<Free, (String, String)> {
    let model = system.model();
    let (name, range) = match text.split_once('=') {
        Some((name, range)) => (name.trim(), Some(range)),
        None => (text.trim(), None),
    };
    let of_start = name.strip_prefix(START);
    let parameter = model.parameter(name).filter(|_| of_start.is_none()).map(Place::Parameter);
    let state = || model.state(of_start.unwrap_or(name)).map(Place::Start);
    let place = parameter.or_else(state).ok_or_else(|| {
        let known = model.parameters.iter().map(|p| &p.name[..]).chain(model.states.iter().map(|s| &s.name[..]));
        let help = match nearest(of_start.unwrap_or(name), known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "name parameters, or states for their start values, such as start.x".to_string(),
        };
        (format!("the model has no parameter or state `{}`", cut(name)), help)
    })?;
    let name = match place {
        Place::Parameter(index) => model.parameters[index].name.clone(),
        Place::Start(index) => format!("{START}{}", model.states[index].name),
    };
    let bounds = range.map(|range| bounds(&name, range, system)).transpose()?;
    let free = Free { name, place, bounds };
    let value = free.value(system);
    match bounds {
        None if !value.is_finite() => {
            let help = format!("write {}=LO:HI", free.name);
            Err((format!("`{}` has no value to begin at", free.name), help))
        }
        _ => Ok(free),
    }
}

fn bounds(name: &str, range: &str, system: &System) -> Result<[f64; 2], (String, String)> {
    let help = || format!("write {name}=LO:HI with numbers or formulas of parameters, such as {name}=0.5:0.9");
    let Some((low, high)) = range.split_once(':') else {
        return Err((format!("`{}` is not a range", cut(range)), help()));
    };
    let number = |text: &str| match system.evaluate(text) {
        Ok(value) if value.is_finite() => Ok(value),
        Ok(_) => Err((format!("`{}` is not a finite number", cut(text)), help())),
        Err(errors) => {
            let message = errors.first().map_or(String::new(), |error| error.message.clone());
            Err((format!("`{}`: {message}", cut(text)), help()))
        }
    };
    let bounds = [number(low)?, number(high)?];
    if bounds[0] >= bounds[1] {
        return Err((format!("the range of {name} is empty: {} is not below {}", bounds[0], bounds[1]), help()));
    }
    Ok(bounds)
}
