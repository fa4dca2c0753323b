//! Which branch of equilibria is to be followed? The flags of `continue --equilibrium`, understood and checked together.

use crate::arguments::Continue;
use crate::branch_request::contains;
use crate::equilibrium_file::{self, Known as KnownRest};
use crate::flag::{Flag, Known, collect, cut};
use crate::input::{self, Input};
use crate::modes;
use crate::outcome::Trouble;
use crate::request::{figure_file, flow};
use crate::span;
use saltation_expr::parse::nearest;
use saltation_model::{Mistakes, Model};
use saltation_motion::{ClosedSet, System};
use saltation_orbit::branch;
use saltation_orbit::equilibrium::branch::Settings;

/// A branch that can begin, once its equilibrium is found.
#[derive(Debug)]
pub struct Request {
    /// The closed contacts, if the command says so.
    pub closed: Option<ClosedSet>,
    /// The file of the equilibrium, if it is one found before.
    pub file: Option<String>,
    /// The parameter that varies, by its position in the model.
    pub parameter: usize,
    /// Between which values, and how.
    pub settings: Settings,
    /// How the limit cycles are followed.
    pub cycles: branch::Settings,
    /// Whether they are, and other equilibria that cross.
    pub switch: bool,
    /// The state that is drawn.
    pub ordinate: Option<usize>,
}

/// Reads the model and all flags of `continue --equilibrium`.
///
/// # Errors
/// All mistakes in them.
pub fn read(arguments: &Continue) -> Result<(Input, System, Request), Trouble> {
    let mut mistakes = Vec::new();
    let mut known_rest: Option<KnownRest> = None;
    let input = input::read_from(
        &arguments.shared,
        |model, settings| {
            let read = |file| equilibrium_file::read(file, arguments.at.as_deref(), model, settings);
            known_rest = arguments.from.as_deref().map(read).transpose()?;
            Ok(known_rest.as_ref().map(|rest| rest.given.clone()).unwrap_or_default())
        },
        &mut mistakes,
    )?;
    let system = input::system(&input)?;
    let wrong = &mut mistakes;
    let model = &input.model;
    let mode = match (&known_rest, &arguments.mode) {
        (Some(rest), _) => Some(modes::named(Flag::new("--from", &rest.mode), &system)),
        (None, Some(mode)) => Some(modes::named(Flag::new("--mode", mode), &system)),
        (None, None) => None,
    };
    let closed = mode.and_then(|mode| collect(mode, wrong));
    let known = Known::parameters(model, &input.values);
    let example = model.parameters.first().map_or("NAME", |parameter| parameter.name.as_str());
    let parameter = match &arguments.along {
        Some(name) => span::parameter(Flag::new("--along", name), 0..name.len(), model),
        None => Err(span::missing(model, "--along", "a branch needs a parameter that varies", example)),
    };
    let parameter = collect(parameter, wrong);
    let range = match &arguments.range {
        Some(text) => {
            let flag = Flag::new("--range", text);
            span::range(flag, known, model, parameter).and_then(|span| match parameter {
                Some(parameter) => contains(flag, span, &input, parameter, "equilibrium").map(|()| span),
                None => Ok(span),
            })
        }
        None => Err(span::missing(model, "--range", "a branch ends somewhere", "0.5:1.5")),
    };
    let range = collect(range, wrong);
    let usual = Settings::between(0.0, 1.0);
    let texts = (arguments.points.as_deref(), arguments.step.as_deref());
    let (points, longest_step) = span::steps(texts.0, texts.1, range, known, (usual.points, usual.longest_step), wrong);
    let flow = arguments.search.flow.as_ref().and_then(|how| collect(flow(Flag::new("--flow", how)), wrong));
    if let Some(file) = &arguments.plot {
        collect(figure_file(file), wrong);
    }
    let ordinate = arguments.ordinate.as_ref().map(|name| ordinate(Flag::new("--ordinate", name), model));
    let ordinate = ordinate.and_then(|ordinate| collect(ordinate, wrong));
    let Some((parameter, range)) = parameter.zip(range).filter(|_| mistakes.is_empty()) else {
        return Err(Trouble::Input(mistakes));
    };
    let tolerance = input.tolerance;
    let cycles = branch::Settings {
        tolerance,
        flow: flow.unwrap_or_default(),
        longest_step,
        points,
        ..branch::Settings::between(range.low, range.high)
    };
    let settings = Settings { tolerance, longest_step, points, ..Settings::between(range.low, range.high) };
    let file = known_rest.map(|rest| rest.file);
    Ok((input, system, Request { closed, file, parameter, settings, cycles, switch: arguments.switch, ordinate }))
}

/// The state that is drawn.
fn ordinate(flag: Flag, model: &Model) -> Result<usize, Mistakes> {
    let name = flag.value().trim();
    model.state(name).ok_or_else(|| {
        let names = || model.states.iter().map(|state| state.name.as_str());
        let help = match nearest(name, names()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the states are {}", names().collect::<Vec<_>>().join(", ")),
        };
        flag.mistake(format!("`{}` is not a state: of equilibria states are drawn", cut(name)), help)
    })
}
