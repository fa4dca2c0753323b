//! Which branch is to be followed? The flags of `continue`, understood and checked together.

use crate::arguments::Continue;
use crate::flag::{Flag, Known, collect, cut};
use crate::input::Input;
use crate::number::short;
use crate::orbit_request;
use crate::ordinate::Ordinate;
use crate::outcome::Trouble;
use crate::request::figure_file;
use crate::span::{self, Span};
use saltation_model::Mistakes;
use saltation_motion::System;
use saltation_orbit::branch::{Method, Settings};

/// A branch that can begin, once its orbit is found.
#[derive(Debug)]
pub struct Request {
    /// How the orbit is found.
    pub search: orbit_request::Request,
    /// The parameter that varies, by its position in the model.
    pub parameter: usize,
    /// Between which values, and how.
    pub settings: Settings,
    /// What is drawn, if the command says so.
    pub ordinate: Option<Ordinate>,
}

/// Reads the model and all flags of `continue`.
///
/// # Errors
/// All mistakes in them.
pub fn read(arguments: &Continue) -> Result<(Input, System, Request), Trouble> {
    let mut mistakes = Vec::new();
    let from = arguments.from.as_deref();
    let (input, system, search) = orbit_request::search(&arguments.shared, &arguments.search, from, &mut mistakes)?;
    let wrong = &mut mistakes;
    let model = &input.model;
    let known = Known::parameters(model, &input.values);
    let why = "a branch needs a parameter that varies";
    let example = model.parameters.first().map_or("NAME", |parameter| parameter.name.as_str());
    let parameter = match &arguments.along {
        Some(name) => span::parameter(Flag::new("--along", name), 0..name.len(), model),
        None => Err(span::missing(model, "--along", why, example)),
    };
    let parameter = collect(parameter, wrong);
    let range = match &arguments.range {
        Some(text) => {
            let flag = Flag::new("--range", text);
            span::range(flag, known, model, parameter).and_then(|span| match parameter {
                Some(parameter) => contains(flag, span, &input, parameter, "orbit").map(|()| span),
                None => Ok(span),
            })
        }
        None => Err(span::missing(model, "--range", "a branch ends somewhere", "0.5:1.5")),
    };
    let range = collect(range, wrong);
    let usual = Settings::between(0.0, 1.0);
    let texts = (arguments.points.as_deref(), arguments.step.as_deref());
    let (points, longest_step) = span::steps(texts.0, texts.1, range, known, (usual.points, usual.longest_step), wrong);
    let method = arguments.method.as_ref().and_then(|name| collect(method(Flag::new("--method", name)), wrong));
    if let Some(file) = &arguments.plot {
        collect(figure_file(file), wrong);
    }
    let ordinate = arguments.ordinate.as_ref().map(|name| Ordinate::named(Flag::new("--ordinate", name), model));
    let ordinate = ordinate.and_then(|ordinate| collect(ordinate, wrong));
    let all = search.zip(parameter).zip(range).filter(|_| mistakes.is_empty());
    let Some(((search, parameter), range)) = all else {
        return Err(Trouble::Input(mistakes));
    };
    let settings = Settings {
        tolerance: input.tolerance,
        flow: search.settings.flow,
        longest_step,
        points,
        method: method.unwrap_or(Method::Signature),
        switch: arguments.switch,
        ..Settings::between(range.low, range.high)
    };
    Ok((input, system, Request { search, parameter, settings, ordinate }))
}

/// What a branch begins at lies in the range.
pub fn contains(flag: Flag, span: Span, input: &Input, parameter: usize, what: &str) -> Result<(), Mistakes> {
    let value = input.values.parameters[parameter];
    if (span.low..=span.high).contains(&value) {
        return Ok(());
    }
    let name = &input.model.parameters[parameter].name;
    let message = format!("the range does not contain the {what}: it begins at {name} = {}", short(value, 15));
    let middle = short(0.5 * (span.low + span.high), 10);
    Err(flag.mistake(message, format!("widen the range, or begin in it, for example with --set {name}={middle}")))
}

/// By which equations the branch is followed.
fn method(flag: Flag) -> Result<Method, Mistakes> {
    match flag.value() {
        "signature" => Ok(Method::Signature),
        "vivid" => Ok(Method::Vivid),
        other => Err(flag.mistake(
            format!("--method is `signature` or `vivid`, not `{}`", cut(other)),
            "without this flag the equations of the signature are followed, through grazes too",
        )),
    }
}
