//! Which steps of time are to be made? The flags of `simulate --method moreau`, understood and checked together.

use crate::arguments::Simulate;
use crate::flag::{Flag, Known, collect, cut};
use crate::input::Input;
use crate::number;
use crate::outcome::Trouble;
use crate::path::Quantity;
use crate::request::{MOST_ROWS, MOST_STEPS, figure_file, natural_end, plane, positive};
use saltation_model::Mistakes;
use saltation_motion::stepping::SteppingSettings;

/// A simulation by steps of time that can begin.
#[derive(Debug)]
pub struct Request {
    /// The steps, their end, and how well the laws of contact are to hold.
    pub settings: SteppingSettings,
    /// Why the motion stops there, if the command did not say.
    pub default_end: Option<String>,
    /// The distance of samples.
    pub every: Option<f64>,
    /// What the axes of a phase plane are.
    pub plane: Option<(Quantity, Quantity)>,
}

/// Whether steps of time are asked for, and not a motion from event to event.
///
/// # Errors
/// If the method is unknown, or a step is given to the wrong one.
pub fn is_meant(arguments: &Simulate) -> Result<bool, Mistakes> {
    let moreau = match arguments.method.as_deref() {
        Some("moreau") => true,
        None | Some("events") => false,
        Some(other) => {
            let message = format!("--method is `events` or `moreau`, not `{}`", cut(other));
            let help = "without this flag motions go from event to event; steps of time are --method moreau --step H";
            return Err(Flag::new("--method", other).mistake(message, help));
        }
    };
    match &arguments.step {
        Some(step) if !moreau => {
            let help = "add --method moreau for steps of time, or bound the steps between events by --max-step";
            Err(Flag::new("--step", step).mistake("a motion from event to event chooses its steps itself", help))
        }
        None if moreau => {
            let help = "add --step H, a time that is short beside everything that happens, e.g. --step 1e-3";
            Err(Flag::new("--method", "moreau").mistake("steps of time are asked for, and not how long they are", help))
        }
        _ => Ok(moreau),
    }
}

/// Understands the flags; `mistakes` has those of the shared flags.
///
/// # Errors
/// All mistakes in flags.
pub fn read(arguments: &Simulate, input: &Input, mut mistakes: Vec<Mistakes>) -> Result<Request, Trouble> {
    let wrong = &mut mistakes;
    let known = Known::parameters(&input.model, &input.values);
    let duration = |name, text: &Option<String>, zero: bool, wrong: &mut Vec<Mistakes>| {
        let flag = Flag::new(name, text.as_ref()?);
        collect(flag.number(known).and_then(|value| positive(flag, value, zero)), wrong)
    };
    let until = duration("--until", &arguments.until, true, wrong);
    let every = duration("--every", &arguments.every, false, wrong);
    let step = duration("--step", &arguments.step, false, wrong);
    let plane = arguments.plane.as_ref().map(|text| plane(Flag::new("--plane", text), &input.model));
    let plane = plane.and_then(|plane| collect(plane, wrong));
    if let Some(file) = &arguments.plot {
        collect(figure_file(file), wrong);
    }
    wrong.extend(strange(arguments));
    let (until, default_end) = match until {
        Some(until) => (until, None),
        None => {
            let (until, why) = natural_end(input);
            (until, Some(why))
        }
    };
    let end = number::short(until, 10);
    if let (Some(text), Some(every)) = (&arguments.every, every)
        && until / every >= MOST_ROWS
    {
        let message = format!("a table up to t = {end} would have more than 10 million rows");
        let least = number::short(until / MOST_ROWS, 3);
        wrong.push(Flag::new("--every", text).mistake(message, format!("choose a distance of more than {least}")));
    }
    if let (Some(text), Some(step)) = (&arguments.step, step) {
        let flag = Flag::new("--step", text);
        if until / step >= MOST_STEPS {
            let message = format!("a motion up to t = {end} would take more than a billion steps");
            let least = number::short(until / MOST_STEPS, 3);
            wrong.push(flag.mistake(message, format!("choose a step of more than {least}")));
        } else if step > until && until > 0.0 {
            let message =
                format!("a step of {} is longer than the motion, which ends at t = {end}", number::short(step, 10));
            wrong.push(flag.mistake(message, "choose a step that is short beside everything that happens"));
        }
    }
    let Some(step) = step.filter(|_| mistakes.is_empty()) else {
        return Err(Trouble::Input(mistakes));
    };
    let mut settings = SteppingSettings::new(step, until);
    if arguments.shared.tol.is_some() {
        settings.tolerance = input.tolerance;
    }
    Ok(Request { settings, default_end, every, plane })
}

/// Flags that say something about motions from event to event only.
fn strange(arguments: &Simulate) -> Vec<Mistakes> {
    let flags = [
        ("--returns", &arguments.returns, "steps of time do not find the passages of sections"),
        ("--section", &arguments.section, "steps of time do not find the passages of sections"),
        ("--max-step", &arguments.max_step, "steps of time have one length, that of --step"),
        ("--flow", &arguments.flow, "steps of time have one way to flow"),
    ];
    let typed =
        flags.into_iter().filter_map(|(name, value, message)| Some((Flag::new(name, value.as_ref()?), message)));
    typed
        .map(|(flag, message)| flag.mistake(message, format!("leave {} or --method moreau --step out", flag.name())))
        .collect()
}
