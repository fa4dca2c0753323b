//! Which contact problem is asked for, and what varies? The flags of `contact`.

use crate::arguments::Contact;
use crate::flag::{Flag, Known, collect, cut};
use crate::input::{self, Input};
use crate::number::short;
use crate::outcome::Trouble;
use crate::request;
use saltation_expr::parse::nearest;
use saltation_model::{Mistake, Mistakes, Model};
use saltation_motion::System;
use saltation_motion::friction::{Contacts, NoProblem};
use std::ops::Range;

/// More values of one number than this are more than anybody looks at.
const MOST_VALUES: u64 = 2000;

/// What is asked.
#[derive(Debug)]
pub struct Request {
    /// The numbers of a map: that across and that up.
    pub map: Option<[Axis; 2]>,
    /// The number along which the smallest critical friction is searched.
    pub critical: Option<Axis>,
}

/// A number that varies.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// The name of a parameter or a state.
    pub name: String,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// How many values there are; 0 if it is for the search to say.
    pub count: usize,
}

impl Axis {
    /// The values, both ends among them.
    pub fn values(&self) -> Vec<f64> {
        let last = self.count.saturating_sub(1);
        let value = |k: usize| match k {
            k if k == last => self.high,
            k => self.low + (self.high - self.low) * k as f64 / last as f64,
        };
        (0..self.count).map(value).collect()
    }
}

/// Reads the model and all flags.
///
/// # Errors
/// All mistakes in them; a model without a contact problem, and a start at which no contact touches.
pub fn read(arguments: &Contact) -> Result<(Input, System, Request), Trouble> {
    let mut mistakes = Vec::new();
    let input = input::read(&arguments.shared, &mut mistakes)?;
    let wrong = &mut mistakes;
    let known = Known::parameters(&input.model, &input.values);
    let axis = |text: &str, name, counted| axis(Flag::new(name, text), known, &input.model, counted);
    let map: Vec<Axis> = arguments.map.iter().filter_map(|text| collect(axis(text, "--map", true), wrong)).collect();
    if let ([first, second], [_, text]) = (&map[..], &arguments.map[..])
        && first.name == second.name
    {
        let message = format!("both axes of the map are `{}`", first.name);
        wrong.push(Flag::new("--map", text).mistake(message, "give two different parameters or states"));
    }
    if let ([text] | [_, _, text, ..], true) = (&arguments.map[..], arguments.map.len() != 2) {
        let times =
            if arguments.map.len() == 1 { "once".to_string() } else { format!("{} times", arguments.map.len()) };
        let message = format!("a map has two axes, and --map is given {times}");
        let help = "give it twice: the first axis goes across, the second one up";
        wrong.push(Flag::new("--map", text).mistake(message, help));
    }
    let critical = arguments.critical.as_ref().and_then(|text| collect(axis(text, "--critical", false), wrong));
    if let Some(file) = &arguments.plot {
        collect(request::figure_file(file), wrong);
        if arguments.map.is_empty() {
            let typed = file.display().to_string();
            let help = "add for example --map NAME=0:1:200 --map OTHER=0:1:200";
            wrong.push(Flag::new("--plot", &typed).mistake("there is no map to draw", help));
        }
    }
    if !mistakes.is_empty() {
        return Err(Trouble::Input(mistakes));
    }
    let system = System::new(&input.model);
    begins(&input, &system)?;
    let map = <[Axis; 2]>::try_from(map).ok();
    Ok((input, system, Request { map, critical }))
}

/// The model has a contact problem, and the start one.
fn begins(input: &Input, system: &System) -> Result<(), Trouble> {
    let file = || input.model.file.clone();
    let mut contacts = Contacts::new(system, &input.values.parameters).map_err(|why| {
        let help = match why {
            NoProblem::Flow => "describe the body by [mechanics] or [lagrangian]: then contacts have forces",
            NoProblem::NoContacts => "declare one in the model file, in [contacts.NAME]",
            NoProblem::Smooth => {
                "give a contact friction = { law = \"coulomb\", mu = .. }, or write together = \"lcp\" in [impacts]"
            }
        };
        Trouble::input(Mistake::general(why.to_string()).help(help), file())
    })?;
    let touching = contacts.touching(&input.values.start);
    if !touching.closed.is_empty() || !touching.striking.is_empty() {
        return Ok(());
    }
    let gaps = contacts.gaps(&input.values.start);
    let gaps = gaps.iter().zip(system.contact_names()).map(|((gap, speed), name)| match *gap > 0.0 {
        true => format!("{name} has the gap {}", short(*gap, 10)),
        false => format!("{name} touches and opens with the speed {}", short(*speed, 10)),
    });
    let message = format!("no contact is closed at the start: {}", gaps.collect::<Vec<_>>().join(", "));
    let help =
        "choose a start with gap 0 and opening speed 0, by --start NAME=VALUE (a number or a formula of parameters)";
    Err(Trouble::input(Mistake::general(message).help(help), file()))
}

/// `NAME=LO:HI`, with `:N` if values are counted.
fn axis(flag: Flag, known: Known, model: &Model, counted: bool) -> Result<Axis, Mistakes> {
    let text = flag.value();
    let form = if counted { "NAME=LO:HI:N" } else { "NAME=LO:HI" };
    let example = if counted { "=0:1.5:200" } else { "=0:1.5" };
    let names = || model.parameters.iter().map(|p| p.name.as_str()).chain(model.states.iter().map(|s| s.name.as_str()));
    let typed = text.split_once('=').map(|(name, _)| name.trim()).filter(|typed| names().any(|known| known == *typed));
    let usual = typed.or_else(|| names().next()).unwrap_or("NAME");
    let example = || format!("write for example {} {usual}{example}", flag.name());
    let Some((name, range)) = text.split_once('=') else {
        return Err(flag.mistake(format!("{} has the form {form}", flag.name()), example()));
    };
    let at = name.len() + 1;
    let name = name.trim();
    if !names().any(|known| known == name) {
        let place = 0..(at - 1).max(1);
        if name.is_empty() {
            return Err(flag.mistake_in(place, "the name before = is missing", example()));
        }
        let help = match nearest(name, names()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are {}", names().collect::<Vec<_>>().join(", ")),
        };
        return Err(flag.mistake_in(place, format!("`{}` is no parameter or state of the model", cut(name)), help));
    }
    let mut parts: Vec<Range<usize>> = Vec::new();
    let mut begin = at;
    for part in range.split(':') {
        parts.push(begin..begin + part.len());
        begin += part.len() + 1;
    }
    let wanted = if counted { 3 } else { 2 };
    if parts.len() != wanted || parts.iter().any(|part| text[part.clone()].trim().is_empty()) {
        return Err(flag.mistake(format!("{} has the form {form}", flag.name()), example()));
    }
    let mut wrong = Vec::new();
    let ends = [0, 1].map(|k| collect(flag.number_in(parts[k].clone(), known), &mut wrong));
    if let Some(first) = wrong.into_iter().reduce(|mut all, more| {
        all.list.extend(more.list);
        all
    }) {
        return Err(first);
    }
    let [Some(low), Some(high)] = ends else {
        return Err(flag.mistake(format!("{} has the form {form}", flag.name()), example()));
    };
    if low == high {
        return Err(flag.mistake(format!("the range is empty: both ends are {}", short(low, 15)), example()));
    }
    if low > high {
        let message = format!("the range goes down, from {} to {}", short(low, 15), short(high, 15));
        let (first, second) = (&text[parts[0].clone()], &text[parts[1].clone()]);
        let rest = &text[parts[1].end..];
        return Err(flag.mistake(message, format!("write {} {name}={second}:{first}{rest}", flag.name())));
    }
    if let Some(parameter) = model.parameter(name).map(|index| &model.parameters[index]) {
        if let Some(least) = parameter.min.filter(|least| low < *least) {
            let message = format!("the range goes below {}, the least value of {name}", short(least, 15));
            let help = format!("begin the range at {} or above", short(least, 15));
            return Err(flag.mistake_in(parts[0].clone(), message, help));
        }
        if let Some(most) = parameter.max.filter(|most| high > *most) {
            let message = format!("the range goes above {}, the largest value of {name}", short(most, 15));
            let help = format!("end the range at {} or below", short(most, 15));
            return Err(flag.mistake_in(parts[1].clone(), message, help));
        }
    }
    let count = match parts.get(2) {
        None => 0,
        Some(part) => {
            let typed = text[part.clone()].trim();
            let count = typed.parse::<u64>().ok().filter(|n| (2..=MOST_VALUES).contains(n));
            count.ok_or_else(|| {
                let message =
                    format!("the number of values is a whole number from 2 to {MOST_VALUES}, not `{}`", cut(typed));
                flag.mistake_in(part.clone(), message, example())
            })?
        }
    };
    Ok(Axis { name: name.to_string(), low, high, count: count as usize })
}
