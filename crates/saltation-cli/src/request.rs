//! What exactly is to be simulated? The flags of `simulate`, understood and checked together.

use crate::arguments::Simulate;
use crate::flag::{Flag, Known, collect, cut};
use crate::input::Input;
use crate::number;
use crate::outcome::Trouble;
use crate::path::Quantity;
use crate::sections;
use saltation_expr::parse::nearest;
use saltation_model::{Mistake, Mistakes, Model};
use saltation_motion::{FlowChoice, Settings, StartError, System};
use std::path::Path;

/// The most rows that a sampled table may have.
pub const MOST_ROWS: f64 = 1e7;
/// The most steps that a longest step may ask for.
pub const MOST_STEPS: f64 = 1e9;
/// The most names that a message lists.
const MOST_NAMED: usize = 100;
/// Without a forcing there is no natural end time.
const DEFAULT_TIME: f64 = 40.0;
const DEFAULT_PERIODS: f64 = 10.0;

/// A simulation that can begin.
#[derive(Debug)]
pub struct Request {
    /// When the motion stops, and how accurate it is.
    pub settings: Settings,
    /// Why the motion stops there, if the command did not say.
    pub default_end: Option<String>,
    /// The distance of samples.
    pub every: Option<f64>,
    /// What the axes of a phase plane are.
    pub plane: Option<(Quantity, Quantity)>,
}

/// Understands the flags of `simulate`; `mistakes` has those of the shared flags.
///
/// # Errors
/// All mistakes in flags.
pub fn read(
    arguments: &Simulate,
    input: &Input,
    system: &System,
    mut mistakes: Vec<Mistakes>,
) -> Result<Request, Trouble> {
    let wrong = &mut mistakes;
    let known = Known::parameters(&input.model, &input.values);
    let duration = |name, text: &Option<String>, zero: bool, wrong: &mut Vec<Mistakes>| {
        let flag = Flag::new(name, text.as_ref()?);
        collect(flag.number(known).and_then(|value| positive(flag, value, zero)), wrong)
    };
    let until = duration("--until", &arguments.until, true, wrong);
    let every = duration("--every", &arguments.every, false, wrong);
    let longest_step = duration("--max-step", &arguments.max_step, false, wrong);
    let count = arguments.returns.as_ref().map(|text| Flag::new("--returns", text).count());
    let count = count.and_then(|count| collect(count, wrong));
    let section = collect(section(arguments, system), wrong).flatten();
    let flow = arguments.flow.as_ref().and_then(|how| collect(flow(Flag::new("--flow", how)), wrong));
    let plane = arguments.plane.as_ref().map(|text| plane(Flag::new("--plane", text), &input.model));
    let plane = plane.and_then(|plane| collect(plane, wrong));
    if let Some(file) = &arguments.plot {
        collect(figure_file(file), wrong);
    }

    let mut default_end = None;
    let until = match (until, count) {
        (Some(until), _) => until,
        (None, Some(_)) => f64::INFINITY,
        (None, None) => {
            let (until, why) = natural_end(input);
            default_end = Some(why);
            until
        }
    };
    if let (Some(text), Some(every)) = (&arguments.every, every)
        && until.is_finite()
        && until / every >= MOST_ROWS
    {
        let message = format!("a table up to t = {} would have more than 10 million rows", number::short(until, 10));
        let least = number::short(until / MOST_ROWS, 3);
        wrong.push(Flag::new("--every", text).mistake(message, format!("choose a distance of more than {least}")));
    }
    if let (Some(text), Some(longest)) = (&arguments.max_step, longest_step)
        && until.is_finite()
        && until / longest >= MOST_STEPS
    {
        let message = format!("a motion up to t = {} would take more than a billion steps", number::short(until, 10));
        let least = number::short(until / MOST_STEPS, 3);
        wrong.push(Flag::new("--max-step", text).mistake(message, format!("choose a step of more than {least}")));
    }
    if !mistakes.is_empty() {
        return Err(Trouble::Input(mistakes));
    }
    let settings = Settings {
        tolerance: input.tolerance,
        longest_step: longest_step.unwrap_or(f64::INFINITY),
        until,
        returns: section.zip(count),
        flow: flow.unwrap_or_default(),
        policy: input.policy,
    };
    Ok(Request { settings, default_end, every, plane })
}

/// A number that is positive, or zero where that may be.
pub fn positive(flag: Flag, value: f64, zero: bool) -> Result<f64, Mistakes> {
    if value > 0.0 || zero && value == 0.0 {
        return Ok(value);
    }
    let rule = if zero { "must not be negative" } else { "must be positive" };
    let message = format!("{} {rule}, but it is {value}", flag.name());
    Err(flag.mistake(message, "motions start at time 0 and go forward"))
}

/// Ten periods of the forcing; or else a time, for want of a better reason.
pub fn natural_end(input: &Input) -> (f64, String) {
    match input.forcing_period() {
        Some(period) => (DEFAULT_PERIODS * period, "10 periods of the forcing".to_string()),
        None => (DEFAULT_TIME, "40 units of time".to_string()),
    }
}

/// The section whose passages are counted, if any are.
fn section(arguments: &Simulate, system: &System) -> Result<Option<usize>, Mistakes> {
    if let Some(name) = &arguments.section {
        let flag = Flag::new("--section", name);
        let found = sections::named(flag, system)?;
        if arguments.returns.is_none() {
            return Err(flag.mistake("a section is named, but not how often it is to be passed", "add --returns N"));
        }
        return Ok(Some(found));
    }
    let Some(returns) = &arguments.returns else {
        return Ok(None);
    };
    let flag = Flag::new("--returns", returns);
    let all = sections::all(system, ", or use --until");
    match system.default_section() {
        Some(section) => Ok(Some(section)),
        None if system.section_names().next().is_none() => Err(flag.mistake("there is nothing to return to", all)),
        None => Err(flag.mistake(
            "the model has several sections, and it is not said which returns are to be counted",
            format!("add --section NAME; {all}"),
        )),
    }
}

/// How smooth motions are computed.
pub fn flow(flag: Flag) -> Result<FlowChoice, Mistakes> {
    match flag.value() {
        "exact" => Ok(FlowChoice::Exact),
        "taylor" => Ok(FlowChoice::Taylor),
        other => Err(flag.mistake(
            format!("--flow is `exact` or `taylor`, not `{}`", cut(other)),
            "without this flag linear models flow exactly, and others by Taylor steps",
        )),
    }
}

/// Two names of states, or of contacts for their gaps.
pub fn plane(flag: Flag, model: &Model) -> Result<(Quantity, Quantity), Mistakes> {
    let help = "write for example --plane x,y";
    let Some((first, second)) = flag.value().split_once(',') else {
        return Err(flag.mistake("two names with a comma between them are needed", help));
    };
    let quantity = |name: &str, at: usize| {
        let trimmed = name.trim();
        let gap = || model.contact(trimmed).map(Quantity::Gap);
        model.state(trimmed).map(Quantity::State).or_else(gap).ok_or_else(|| {
            let contacts = model.contacts.iter().map(|contact| contact.name.as_str());
            let all: Vec<&str> = model.states.iter().map(|state| state.name.as_str()).chain(contacts).collect();
            let help = match nearest(trimmed, all.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None if all.len() > MOST_NAMED => {
                    format!("`saltation check` lists all {} states and contacts", all.len())
                }
                None => format!("there are {}", all.join(", ")),
            };
            let place = at..at + name.len().max(1).min(flag.value().len() - at);
            let message = match trimmed {
                "" => "the name of a state or contact is missing".to_string(),
                _ => format!("`{}` is neither a state nor a contact of the model", cut(trimmed)),
            };
            flag.mistake_in(place, message, help)
        })
    };
    let (x, y) = (quantity(first, 0), quantity(second, first.len() + 1));
    Ok((x?, y?))
}

/// A figure's name says how it is drawn, and its folder must be there.
pub fn figure_file(path: &Path) -> Result<(), Mistakes> {
    let typed = path.display().to_string();
    let flag = Flag::new("--plot", &typed);
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    if !ending.as_deref().is_some_and(|ending| ["svg", "png"].contains(&ending)) {
        return Err(flag.mistake("the name of a figure ends in .svg or .png", "write for example --plot motion.svg"));
    }
    let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        let message = format!("there is no folder `{}`", folder.display());
        return Err(flag.mistake(message, "create it first, or choose another"));
    }
    if path.is_dir() {
        return Err(flag.mistake("this is a folder, not a file", "name a file in it"));
    }
    Ok(())
}

/// A mistake that the start of the motion shows.
pub fn start_mistake(input: &Input, error: &StartError) -> Trouble {
    let contact = match error {
        StartError::Inside { contact, .. } => contact,
        StartError::NotLinear { .. } => {
            let help = "leave --flow out: what is not linear takes Taylor steps";
            return Trouble::Input(vec![Flag::new("--flow", "exact").mistake(error, help)]);
        }
    };
    let mistake: Mistake = input.model.mistake_at(&format!("contacts.{contact}.gap"), error.to_string());
    let mistake = mistake.help("change [start], or give another start with --start NAME=VALUE");
    Trouble::from(input.model.mistakes(vec![mistake]))
}
