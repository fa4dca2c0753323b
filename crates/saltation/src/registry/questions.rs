//! The questions by their names: how each is asked, and the defaults of its fields. One entry of a table per question.

use crate::equilibrium::branch as rests;
use crate::field::{Field, Goes};
use crate::orbit::{Guess, Searched};
use crate::registry::fields::{Wrong, read, take, unknown};
use crate::registry::forms::FORMS;
use crate::registry::found::{Found, Refused};
use crate::registry::many;
use crate::registry::plain::{Fields, Plain};
use crate::{
    Branch, OrbitSearch, Progress, System, basin, branch, check, contact, curve, equilibrium, fit, lyapunov, modes,
    orbit, simulation, stepping, sweep,
};
use serde_json::{Map, Value};
use std::path::Path;

/// What a question is asked with.
pub struct Asked<'a> {
    /// The system.
    pub system: &'a System,
    /// The fields that are given; `None` counts as not given.
    pub fields: Fields,
    /// The answer that it begins at: an orbit, a branch, equilibria; or a guess.
    pub origin: Option<Origin<'a>>,
    /// What sees its progress.
    pub progress: &'a mut dyn Progress,
}

/// An answer that was read again: texts only.
pub struct Known {
    /// The question that it answers.
    pub question: String,
    /// The answer as JSON.
    pub json: String,
    /// Its request as JSON.
    pub request: String,
}

/// The answer that a question begins at.
#[derive(Clone, Copy)]
pub enum Origin<'a> {
    /// One that was found in this process.
    Found(&'a Found),
    /// One that was read again: as JSON, with its request.
    Known(&'a Known),
}

/// A question.
pub struct Question {
    /// Its name: that of its command, but `stepping` and `continue_equilibrium`.
    pub name: &'static str,
    /// The defaults of its fields, where there are any.
    pub defaults: fn() -> Value,
    ask: fn(Asked<'_>) -> Result<Found, Refused>,
}

fn written<T: serde::Serialize>(request: T) -> Value {
    serde_json::to_value(request).unwrap_or_default()
}

fn usual<T: Default + serde::Serialize>() -> Value {
    written(T::default())
}

/// All questions.
pub const QUESTIONS: [Question; 14] = [
    Question { name: "check", defaults: usual::<check::Request>, ask: ask_check },
    Question {
        name: "simulate",
        defaults: usual::<simulation::Request>,
        ask: |asked| {
            let mut one = asked.system.simulation();
            one.request = read(asked.fields, asked.system)?;
            Ok(Found::Simulation(one.run_with(asked.progress)?))
        },
    },
    Question {
        name: "stepping",
        defaults: || Value::Object(Map::new()),
        ask: |asked| {
            let request: stepping::Request = read(asked.fields, asked.system)?;
            let mut one = asked.system.stepping(request.step);
            one.request = request;
            Ok(Found::Stepping(one.run_with(asked.progress)?))
        },
    },
    Question { name: "orbit", defaults: usual::<orbit::Request>, ask: ask_orbit },
    Question { name: "continue", defaults: usual::<branch::Request>, ask: ask_branch },
    Question { name: "curve", defaults: usual::<curve::Request>, ask: ask_curve },
    Question {
        name: "equilibrium",
        defaults: usual::<equilibrium::Request>,
        ask: |asked| {
            let mut one = asked.system.equilibria();
            one.request = read(asked.fields, asked.system)?;
            Ok(Found::Equilibria(one.search_with(asked.progress)?))
        },
    },
    Question { name: "continue_equilibrium", defaults: usual::<rests::Request>, ask: ask_rests },
    Question {
        name: "lyapunov",
        defaults: usual::<lyapunov::Request>,
        ask: |asked| {
            let mut one = asked.system.lyapunov();
            one.request = read(asked.fields, asked.system)?;
            Ok(Found::Lyapunov(one.run_with(asked.progress)?))
        },
    },
    Question {
        name: "fit",
        defaults: usual::<fit::Request>,
        ask: |mut asked| {
            // A file of data, or its text, which has several lines.
            if let Some((_, data)) = asked.fields.iter_mut().find(|(name, _)| name == "data")
                && let Plain::Text(given) = data
            {
                let columns = if given.contains('\n') { fit::parse(given) } else { fit::read(Path::new(given)) };
                *data = written(columns?).into();
            }
            let request = read(asked.fields, asked.system)?;
            let one = fit::Fit { system: asked.system.clone(), request };
            Ok(Found::Fit(one.run_with(asked.progress)?))
        },
    },
    Question {
        name: "modes",
        defaults: usual::<modes::Request>,
        ask: |asked| {
            let mut one = asked.system.modes();
            one.request = read(asked.fields, asked.system)?;
            Ok(Found::Modes(one.run_with(asked.progress)?))
        },
    },
    Question {
        name: "contact",
        defaults: usual::<contact::Request>,
        ask: |asked| {
            let mut one = asked.system.contact();
            one.request = read(asked.fields, asked.system)?;
            Ok(Found::Contact(one.run_with(asked.progress)?))
        },
    },
    Question {
        name: "sweep",
        defaults: usual::<sweep::Request>,
        ask: |asked| Ok(Found::Sweep(many::sweep(asked.fields, asked.system)?.run_with(asked.progress)?)),
    },
    Question {
        name: "basin",
        defaults: usual::<basin::Request>,
        ask: |asked| Ok(Found::Basin(many::basin(asked.fields, asked.system)?.run_with(asked.progress)?)),
    },
];

/// The question of this name.
pub fn question(name: &str) -> Option<&'static Question> {
    QUESTIONS.iter().find(|question| question.name == name)
}

impl Question {
    /// Its fields.
    pub fn fields(&self) -> impl Iterator<Item = &'static Field> + Clone {
        let name = self.name;
        FORMS.iter().filter(move |form| form.questions.contains(&name)).flat_map(move |form| form.of(name))
    }

    /// Its keywords in programs: its fields, and those that make one of them or select the question.
    pub fn keywords(&self) -> impl Iterator<Item = &'static Field> + Clone {
        let name = self.name;
        let forms = FORMS.iter().filter(move |form| form.questions.contains(&name));
        forms.flat_map(move |form| {
            let beside = |field: &Field| matches!(field.goes, Goes::Into(_) | Goes::Choice);
            form.keywords().filter(move |field| form.is_of(field, name) || beside(field))
        })
    }

    /// Its keywords with their kinds, defaults and help, as data.
    pub fn form(&self) -> Value {
        written(self.keywords().collect::<Vec<_>>())
    }

    /// Asks it.
    pub fn ask(&self, mut asked: Asked<'_>) -> Result<Found, Refused> {
        let known = self.fields().map(|field| field.name);
        if let Some((name, _)) = asked.fields.iter().find(|(name, _)| known.clone().all(|known| known != name)) {
            return Err(unknown(name, known).into());
        }
        asked.fields.retain(|(_, value)| *value != Plain::Nothing);
        (self.ask)(asked)
    }
}

fn ask_check(asked: Asked<'_>) -> Result<Found, Refused> {
    let request: check::Request = read(asked.fields, asked.system)?;
    Ok(Found::Check(asked.system.check_with(&request)?))
}

fn ask_orbit(mut asked: Asked<'_>) -> Result<Found, Refused> {
    let system = asked.system;
    let given = take(&mut asked.fields, "guess");
    let mut search = system.orbit();
    search.request = read(asked.fields, system)?;
    let (model, settings) = (system.model(), system.settings());
    let guess = match (given, asked.origin) {
        (Some(Plain::Text(path)), _) => Some(Guess::read(Path::new(&path), false, model, settings)?),
        (Some(map @ Plain::Map(_)), _) => {
            let value = serde_json::to_value(&map).unwrap_or_default();
            Some(Guess::of(&value, "the guess", false, model, settings)?)
        }
        (Some(other), _) => {
            let message = format!("an orbit is needed, not {}", other.describe());
            let help = "give an orbit, its dictionary, or the path of its file".to_string();
            return Err(Wrong { field: "guess".to_string(), message, help }.into());
        }
        (None, Some(origin)) => Some(Guess::of(&origin.value(), "the guess", false, model, settings)?),
        (None, None) => None,
    };
    let search = match guess {
        Some(guess) => search.begin_at(guess)?,
        None => search,
    };
    Ok(Found::Orbit(search.search_with(asked.progress)?))
}

impl Origin<'_> {
    /// Its answer as JSON.
    fn value(&self) -> Value {
        let text = match self {
            Origin::Found(found) => found.answered().json(),
            Origin::Known(known) => known.json.clone(),
        };
        serde_json::from_str(&text).unwrap_or_default()
    }

    fn question(&self) -> &str {
        match self {
            Origin::Found(Found::Orbit(_)) => "orbit",
            Origin::Found(Found::Branch(_)) => "continue",
            Origin::Found(Found::Equilibria(_)) => "equilibrium",
            Origin::Found(_) => "",
            Origin::Known(known) => &known.question,
        }
    }
}

fn no_origin(what: &str) -> Refused {
    let message = format!("there is no {what} to begin at");
    Wrong { field: "from".to_string(), message, help: "find one first".to_string() }.into()
}

/// The request of an answer that was read again.
fn old<T: serde::de::DeserializeOwned>(known: &Known) -> Result<T, Refused> {
    let broken = |error: serde_json::Error| Wrong {
        field: "request".to_string(),
        message: format!("the stored request cannot be read: {error}"),
        help: "ask the question again".to_string(),
    };
    Ok(serde_json::from_str(&known.request).map_err(broken)?)
}

/// Puts a field that is not given.
fn put(named: &mut Fields, name: &str, value: Plain) {
    if named.iter().all(|(known, _)| known != name) {
        named.push((name.to_string(), value));
    }
}

fn ask_branch(mut asked: Asked<'_>) -> Result<Found, Refused> {
    let origin = asked.origin.filter(|origin| origin.question() == "orbit").ok_or_else(|| no_origin("orbit"))?;
    let known: orbit::Request = match origin {
        Origin::Found(Found::Orbit(Searched { request, .. })) => request.clone(),
        Origin::Known(known) => old(known)?,
        Origin::Found(_) => return Err(no_origin("orbit")),
    };
    put(&mut asked.fields, "tol", Plain::Number(known.tol));
    put(&mut asked.fields, "flow", Plain::Text(known.flow.name().to_string()));
    let request: branch::Request = read(asked.fields, asked.system)?;
    let live = match origin {
        Origin::Found(Found::Orbit(found)) => found.orbit(),
        _ => None,
    };
    let continuation = match live {
        Some(orbit) => {
            // The parameter and its range are part of the request.
            let mut continuation = orbit.continue_in("", 0.0..=0.0);
            continuation.request = request;
            continuation
        }
        None => {
            let system = asked.system;
            let guess = Guess::of(&origin.value(), "an orbit", true, system.model(), system.settings())?;
            let search = OrbitSearch { system: system.clone(), request: known, guess: None };
            search.begin_at(guess)?.continue_as(request)
        }
    };
    Ok(Found::Branch(continuation.ask_with(asked.progress)?))
}

/// The position of a special point, as a text: `INDEX` or `BRANCH:INDEX`.
fn position(value: Option<Plain>) -> Result<String, Wrong> {
    let wrong = |other: &Plain| Wrong {
        field: "index".to_string(),
        message: format!("the position of a special point is needed, not {}", other.describe()),
        help: "give its number, or a branch with the number of a special point on it, such as (1, 0)".to_string(),
    };
    match value {
        Some(Plain::Whole(index)) => Ok(index.to_string()),
        Some(Plain::Text(text)) => Ok(text),
        Some(Plain::List(pair)) => match &pair[..] {
            [Plain::Whole(0), Plain::Whole(index)] => Ok(index.to_string()),
            [Plain::Whole(branch), Plain::Whole(index)] => Ok(format!("{branch}:{index}")),
            _ => Err(wrong(&Plain::List(pair))),
        },
        other => Err(wrong(&other.unwrap_or(Plain::Nothing))),
    }
}

fn ask_curve(mut asked: Asked<'_>) -> Result<Found, Refused> {
    let origin = asked.origin.filter(|origin| origin.question() == "continue").ok_or_else(|| no_origin("branch"))?;
    let at = position(take(&mut asked.fields, "at"))?;
    let (answer, request): (branch::Answer, branch::Request) = match origin {
        Origin::Found(Found::Branch(Branch { answer, request, .. })) => (answer.clone(), request.clone()),
        Origin::Known(known) => (crate::answered::read_json(&known.json)?, old(known)?),
        Origin::Found(_) => return Err(no_origin("branch")),
    };
    // Parameters that depend on that of the branch by formulas do so here, too.
    let special = match at.split_once(':') {
        None => at.parse().ok().and_then(|index: usize| answer.first.special.get(index)),
        Some((branch, index)) => {
            let branch = branch.parse().ok().and_then(|branch| answer.branch(branch));
            branch.zip(index.parse::<usize>().ok()).and_then(|(branch, index)| branch.special.get(index))
        }
    };
    let there = special.and_then(|special| special.parameters.get(&answer.along));
    let system = match there {
        Some(value) => asked.system.with(&answer.along, value)?,
        None => asked.system.clone(),
    };
    put(&mut asked.fields, "tol", Plain::Number(request.tol));
    put(&mut asked.fields, "flow", Plain::Text(request.flow.name().to_string()));
    let mut search = system.curve_from(&answer, &at)?;
    search.request = read::<curve::Request>(asked.fields, &system)?;
    Ok(Found::Curve(search.ask_with(asked.progress)?))
}

fn ask_rests(mut asked: Asked<'_>) -> Result<Found, Refused> {
    let origin = asked.origin.filter(|origin| origin.question() == "equilibrium");
    let origin = origin.ok_or_else(|| no_origin("equilibrium"))?;
    let known: equilibrium::Request = match origin {
        Origin::Found(Found::Equilibria(found)) => found.request.clone(),
        Origin::Known(known) => old(known)?,
        Origin::Found(_) => return Err(no_origin("equilibrium")),
    };
    put(&mut asked.fields, "tol", Plain::Number(known.tol));
    let request: rests::Request = read(asked.fields, asked.system)?;
    let continuation = match origin {
        Origin::Found(Found::Equilibria(found)) => {
            let mut continuation = found.continue_in("", 0.0..=0.0);
            continuation.request = request;
            continuation
        }
        _ => {
            let mut search = asked.system.equilibria();
            search.request = known;
            search.continue_as(request)
        }
    };
    Ok(Found::EquilibriumBranch(continuation.ask_with(asked.progress)?))
}
