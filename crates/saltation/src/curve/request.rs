//! Which curve is to be followed? The flags of `curve`, understood and checked together.

use crate::arguments::Curve;
use crate::branch_file::{BranchFile, SpecialPoint};
use crate::flag::{Flag, Known, collect};
use crate::input::{self, Input};
use crate::json_file;
use crate::text::number::short;
use crate::outcome::Trouble;
use crate::request::{self, figure_file};
use crate::span::{self, Span};
use saltation_model::{Mistakes, Model, Overrides};
use saltation_motion::System;
use saltation_orbit::branch::SpecialKind;
use saltation_orbit::curve::{Origin, Settings};

/// A curve that can begin.
#[derive(Debug)]
pub struct Request {
    /// The special point.
    pub origin: Origin,
    /// Its position in the file.
    pub at: String,
    /// The name of the file.
    pub file: String,
    /// The parameters that vary, by their position in the model.
    pub parameters: [usize; 2],
    /// Between which values, and how.
    pub settings: Settings,
}

/// Reads the model, the branch and all flags of `curve`.
///
/// # Errors
/// All mistakes in them.
pub fn read(arguments: &Curve) -> Result<(Input, System, Request), Trouble> {
    let mut mistakes = Vec::new();
    let mut start = None;
    let input = input::read_from(
        &arguments.shared,
        |model, settings| {
            let (found, given) = special_point(arguments, model, settings)?;
            start = Some(found);
            Ok(given)
        },
        &mut mistakes,
    )?;
    let system = input::system(&input)?;
    let wrong = &mut mistakes;
    let model = &input.model;
    let known = Known::parameters(model, &input.values);
    let along = start.as_ref().and_then(|start| start.along.as_deref());
    let parameters = match &arguments.along {
        Some(names) => both(Flag::new("--along", names), model, along),
        None => {
            let example = format!("{},NAME", along.unwrap_or("NAME"));
            Err(span::missing(model, "--along", "a curve needs the parameter of its branch and a second one", &example))
        }
    };
    let parameters = collect(parameters, wrong);
    let bounded = |name: &'static str, text: &str, which: usize| {
        let flag = Flag::new(name, text);
        let parameter = parameters.map(|parameters| parameters[which]);
        let span = span::range(flag, known, model, parameter)?;
        match parameter {
            Some(parameter) => contains(flag, span, &input, parameter).map(|()| span),
            None => Ok(span),
        }
    };
    let range = match &arguments.range {
        Some(text) => bounded("--range", text, 1),
        None => Err(span::missing(model, "--range", "a curve ends somewhere in its second parameter", "0.5:1.5")),
    };
    let range = collect(range, wrong);
    let first_range = arguments.range1.as_ref().and_then(|text| collect(bounded("--range1", text, 0), wrong));
    let usual = Settings::between(0.0, 1.0);
    let texts = (arguments.points.as_deref(), arguments.step.as_deref());
    let (points, longest_step) = span::steps(texts.0, texts.1, range, known, (usual.points, usual.longest_step), wrong);
    let flow = arguments.flow.as_ref().and_then(|how| collect(request::flow(Flag::new("--flow", how)), wrong));
    if let Some(file) = &arguments.plot {
        collect(figure_file(file), wrong);
    }
    let all = start.zip(parameters).zip(range).filter(|_| mistakes.is_empty());
    let Some(((start, parameters), range)) = all else {
        return Err(Trouble::Input(mistakes));
    };
    let section = start.section.as_deref().and_then(|name| system.section_names().position(|known| known == name));
    let SpecialPoint { kind, state, signature, unknowns, sizes, place, .. } = start.point;
    let phase = start.phase;
    let origin = Origin { kind, signature, unknowns, sizes, place, section: section.unwrap_or(0), phase, state };
    let settings = Settings {
        first_range: first_range.map(|span| (span.low, span.high)),
        tolerance: input.tolerance,
        flow: flow.unwrap_or_default(),
        longest_step,
        points,
        ..Settings::between(range.low, range.high)
    };
    let at = arguments.at.clone().unwrap_or_default();
    Ok((input, system, Request { origin, at, file: start.file, parameters, settings }))
}

/// What the file says.
struct Start {
    point: SpecialPoint,
    file: String,
    along: Option<String>,
    section: Option<String>,
    phase: f64,
}

/// The special point, with the settings that give the parameters their values there.
fn special_point(arguments: &Curve, model: &Model, settings: &Overrides) -> Result<(Start, Overrides), Mistakes> {
    let Some(path) = &arguments.from else {
        return Err(span::missing(model, "--from", "a curve begins at a special point of a branch", "branch.json"));
    };
    let file = BranchFile::read(path, model)?;
    let Some(at) = &arguments.at else {
        let mut missing = span::missing(model, "--at", "it is not said which special point the curve begins at", "0");
        missing.list.iter_mut().for_each(|mistake| mistake.help = Some(format!("add --at INDEX; {}", file.all(0))));
        return Err(missing);
    };
    let flag = Flag::new("--at", at);
    let point = file.at(flag)?;
    if let SpecialKind::BranchPoint | SpecialKind::Homoclinic | SpecialKind::End = point.kind {
        let kind = point.kind.name().replace('_', " ");
        let message = format!("a {kind} cannot be followed in two parameters");
        return Err(flag.mistake(message, format!("take another special point; {}", file.all(0))));
    }
    let set = stored::settings_for(model, &Overrides::default(), &point.parameters)?;
    // What the command sets must agree: the curve begins where the special point is.
    let there = model.numbers(&Overrides { set: set.clone(), start: Vec::new() })?;
    let both = Overrides { set: [&set[..], &settings.set].concat(), start: Vec::new() };
    if let Ok(asked) = model.numbers(&both) {
        for (name, value) in &settings.set {
            if let Some(index) = model.parameter(name).filter(|&i| asked.parameters[i] != there.parameters[i]) {
                let typed = format!("{name}={value}");
                let message = format!("at the special point {name} is {}", short(there.parameters[index], 15));
                let help = "a curve begins with the parameters of its branch: follow the branch anew with others";
                return Err(Flag::new("--set", &typed).mistake(message, help));
            }
        }
    }
    let set = set.into_iter().filter(|(name, _)| !settings.set.iter().any(|(known, _)| known == name)).collect();
    let start = Start {
        point,
        file: file.name().to_string(),
        along: file.text("along").map(str::to_string),
        section: file.text("section").map(str::to_string),
        phase: file.number("phase").unwrap_or(0.0),
    };
    Ok((start, Overrides { set, start: Vec::new() }))
}

/// The parameter of the branch and another one.
fn both(flag: Flag, model: &Model, along: Option<&str>) -> Result<[usize; 2], Mistakes> {
    let text = flag.value();
    let own = along.unwrap_or("A");
    let Some((first, _)) = text.split_once(',') else {
        let message = "two parameters with a comma between them are needed: that of the branch, and a second one";
        return Err(flag.mistake(message, format!("write for example --along {own},NAME")));
    };
    let second = first.len() + 1..text.len();
    let parameters = [span::parameter(flag, 0..first.len(), model)?, span::parameter(flag, second.clone(), model)?];
    if parameters[0] == parameters[1] {
        let name = &model.parameters[parameters[0]].name;
        return Err(flag.mistake_in(second, format!("`{name}` is named twice"), "name two different parameters"));
    }
    match along {
        Some(along) if model.parameter(along) == Some(parameters[1]) => {
            let other = &model.parameters[parameters[0]].name;
            let help = format!("write --along {along},{other}; --range is that of {other}");
            Err(flag.mistake(format!("the parameter of the branch, {along}, comes first"), help))
        }
        Some(along) if model.parameter(along) != Some(parameters[0]) => {
            let message = format!("the parameter of the branch is {along}");
            Err(flag.mistake_in(0..first.len(), message, format!("write --along {along},NAME")))
        }
        _ => Ok(parameters),
    }
}

/// The special point lies in the range.
fn contains(flag: Flag, span: Span, input: &Input, parameter: usize) -> Result<(), Mistakes> {
    let value = input.values.parameters[parameter];
    if (span.low..=span.high).contains(&value) {
        return Ok(());
    }
    let name = &input.model.parameters[parameter].name;
    let message = format!("the range does not contain the special point: there {name} = {}", short(value, 15));
    Err(flag.mistake(message, "widen the range"))
}
