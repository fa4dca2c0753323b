//! Which model is meant, and with which numbers?

use crate::arguments::Shared;
use crate::flag::{Flag, Known, collect, cut};
use crate::number;
use crate::outcome::Trouble;
use saltation_expr::parse::nearest;
use saltation_model::{Mistake, Mistakes, Model, Overrides, Values, gallery};
use saltation_motion::{ClosedSet, Policy, System};
use std::path::Path;

/// The default tolerance, and the range in which one makes sense: double precision cannot do better than the lower end.
const TOLERANCE: f64 = 1e-12;
const FINEST: f64 = 1e-16;
const COARSEST: f64 = 1e-2;

/// A model compiled for motions from event to event.
///
/// # Errors
/// Where it has more contacts than such motions know.
pub fn system(input: &Input) -> Result<System, Trouble> {
    let model = &input.model;
    let (count, most) = (model.contacts.len(), ClosedSet::LARGEST);
    if count <= most {
        return Ok(System::new(model));
    }
    let message = format!("the model has {count} contacts, and motions from event to event may have {most} at most");
    let help = "many contacts are followed by steps of time: saltation simulate MODEL --method moreau --step H";
    Err(Trouble::from(model.mistakes(vec![Mistake::general(message).help(help)])))
}

/// A model with its numbers.
#[derive(Debug)]
pub struct Input {
    /// The model.
    pub model: Model,
    /// The values of its parameters and its start.
    pub values: Values,
    /// The error that a step may make.
    pub tolerance: f64,
    /// What to do where contacts with friction have several ways to go on.
    pub policy: Policy,
    /// The parameters that the command or its file set, and the start values that the command set, in the order given.
    pub settings: Overrides,
}

impl Input {
    /// How long the forcing takes to repeat, if there is one.
    pub fn forcing_period(&self) -> Option<f64> {
        let phase = self.model.phase.as_ref()?;
        let states = self.model.states.len();
        let value = |symbol: usize| match symbol.checked_sub(states) {
            Some(parameter) => self.values.parameters[parameter],
            None => self.values.start[symbol],
        };
        let rate = self.model.graph.evaluate(phase.rate, &value);
        let period = self.values.phase_period? / rate.abs();
        (period.is_finite() && period > 0.0).then_some(period)
    }

    /// Names and values of the parameters.
    pub fn parameters(&self) -> impl Iterator<Item = (&str, f64)> + Clone {
        let names = self.model.parameters.iter().map(|parameter| parameter.name.as_str());
        names.zip(self.values.parameters.iter().copied())
    }

    /// The headline of a report: name and title.
    pub fn headline(&self) -> String {
        match &self.model.title {
            Some(title) => format!("{}: {title}", self.model.name),
            None => self.model.name.clone(),
        }
    }

    /// The parameters and start values that the command changed, as `name = value`; twice changed, told once.
    pub fn changed(&self) -> Vec<String> {
        self.changed_but(&[])
    }

    /// The same without some parameters.
    pub fn changed_but(&self, without: &[&str]) -> Vec<String> {
        let parameters = &self.model.parameters;
        let changed = |names: &[(String, String)], name: &str| names.iter().any(|(changed, _)| changed == name);
        let set = parameters.iter().zip(&self.values.parameters);
        let set = set.filter(|(parameter, _)| changed(&self.settings.set, &parameter.name));
        let set = set.filter(|(parameter, _)| !without.contains(&parameter.name.as_str()));
        let set = set.map(|(parameter, &value)| {
            let name = parameter.symbol_text.as_ref().unwrap_or(&parameter.name);
            let unit = parameter.unit.as_ref().map(|unit| format!(" {unit}")).unwrap_or_default();
            format!("{name} = {}{unit}", number::short(value, 10))
        });
        let start = self.model.states.iter().zip(&self.values.start);
        let start = start.filter(|(state, _)| changed(&self.settings.start, &state.name));
        let start = start.map(|(state, &value)| format!("{}(0) = {}", state.name, number::short(value, 10)));
        set.chain(start).collect()
    }
}

/// Reads the model and the flags which all commands share. Mistakes in flags are added to the others, so that all are told
/// together.
///
/// # Errors
/// Mistakes without which nothing else can be read: those of the model and its numbers.
pub fn read(shared: &Shared, mistakes: &mut Vec<Mistakes>) -> Result<Input, Trouble> {
    read_from(shared, |_, _| Ok(Overrides::default()), mistakes)
}

/// The same for a question that does not begin at the start: nothing is said about that, and structures may be too large to be simulated.
///
/// # Errors
/// As [`read`].
pub fn read_numbers(shared: &Shared, mistakes: &mut Vec<Mistakes>) -> Result<Input, Trouble> {
    read_by(shared, Model::numbers, |_, _| Ok(Overrides::default()), mistakes)
}

/// The same from another start: `guess` knows the model and the settings of the flags, and gives the values of further parameters
/// and the start values of further states as formulas.
///
/// # Errors
/// As [`read`], and those of the guess.
pub fn read_from(
    shared: &Shared,
    guess: impl FnOnce(&Model, &Overrides) -> Result<Overrides, Mistakes>,
    mistakes: &mut Vec<Mistakes>,
) -> Result<Input, Trouble> {
    read_by(shared, Model::values, guess, mistakes)
}

/// The same with another way to the numbers of the run.
fn read_by(
    shared: &Shared,
    numbers: fn(&Model, &Overrides) -> Result<Values, Mistakes>,
    guess: impl FnOnce(&Model, &Overrides) -> Result<Overrides, Mistakes>,
    mistakes: &mut Vec<Mistakes>,
) -> Result<Input, Trouble> {
    let model = find(&shared.model)?;
    let settings = Overrides {
        set: assignments("--set", &shared.set, mistakes),
        start: assignments("--start", &shared.start, mistakes),
    };
    let guessed = collect(guess(&model, &settings), mistakes).unwrap_or_default();
    let complete = Overrides {
        set: [&settings.set[..], &guessed.set].concat(),
        start: [&settings.start[..], &guessed.start].concat(),
    };
    if let Some(threads) = &shared.threads {
        collect(Flag::new("--threads", threads).count(), mistakes);
    }
    let Some(values) = collect(numbers(&model, &complete).map_err(as_typed), mistakes) else {
        return Err(Trouble::Input(std::mem::take(mistakes)));
    };
    let known = Known::parameters(&model, &values);
    let typed = shared.tol.as_ref().map(|text| tolerance(Flag::new("--tol", text), known));
    let tolerance = typed.and_then(|typed| collect(typed, mistakes));
    let settings = Overrides { set: complete.set, start: settings.start };
    let policy = shared.policy.as_ref().map(|text| policy(Flag::new("--policy", text)));
    let policy = policy.and_then(|policy| collect(policy, mistakes)).unwrap_or_default();
    Ok(Input { model, values, tolerance: tolerance.unwrap_or(TOLERANCE), policy, settings })
}

/// A model by its path or else by its name in the gallery.
fn find(name: &str) -> Result<Model, Mistakes> {
    let path = Path::new(name);
    if path.exists() {
        return Model::read(path);
    }
    if let Some(text) = gallery::find(name) {
        return Model::parse(text, &format!("{name}.toml (gallery)"));
    }
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or(name);
    let is_path = name.contains(['/', '\\']) || name.ends_with(".toml");
    let message = match is_path {
        true => format!("there is no file `{}`", cut(name)),
        false => format!("there is no file `{0}` and no model `{0}` in the gallery", cut(name)),
    };
    let mistake = Mistake::general(message).help(suggestion(stem));
    Err(Mistakes { file: name.to_string(), text: String::new(), list: vec![mistake] })
}

/// The names of the gallery that are like `name`, or else all of them.
pub fn suggestion(name: &str) -> String {
    let lower = name.to_lowercase();
    let words: Vec<&str> = lower.split(['-', '_', ' ']).filter(|word| word.len() > 2).collect();
    let mut near: Vec<&str> = nearest(name, gallery::NAMES).into_iter().collect();
    for known in gallery::NAMES {
        if words.iter().any(|word| known.contains(word)) && !near.contains(&known) {
            near.push(known);
        }
    }
    near.truncate(4);
    match near[..] {
        [] => format!("the gallery has {}", gallery::NAMES.join(", ")),
        _ => {
            let quoted: Vec<String> = near.iter().map(|name| format!("`{name}`")).collect();
            format!("did you mean {} of the gallery?", quoted.join(" or "))
        }
    }
}

fn assignments(flag: &'static str, typed: &[String], mistakes: &mut Vec<Mistakes>) -> Vec<(String, String)> {
    let read = typed.iter().filter_map(|text| collect(Flag::new(flag, text).assignment(), mistakes));
    read.collect()
}

/// Overrides are shown as the library reads them, one per line; here they came from flags.
pub fn as_typed(mut mistakes: Mistakes) -> Mistakes {
    if mistakes.file == "settings" {
        mistakes.file = "--set and --start".to_string();
    }
    mistakes
}

/// The policy of that name.
fn policy(flag: Flag) -> Result<Policy, Mistakes> {
    Policy::ALL.into_iter().find(|policy| policy.name() == flag.value()).ok_or_else(|| {
        let message = format!("there is no policy `{}`", flag.value());
        flag.mistake(
            message,
            "write persist (contact lasts), lift_off (it opens) or impact (an impact without collision)",
        )
    })
}

fn tolerance(flag: Flag, known: Known) -> Result<f64, Mistakes> {
    let value = flag.number(known)?;
    if (FINEST..=COARSEST).contains(&value) {
        return Ok(value);
    }
    let message = if value <= 0.0 {
        "the tolerance must be positive".to_string()
    } else if value < FINEST {
        format!("a tolerance of {value:e} is below what double precision can hold")
    } else {
        format!("a tolerance of {value} is too coarse to find events")
    };
    Err(flag.mistake(message, "give a number from 1e-16 to 0.01; 1e-12 is the default"))
}
