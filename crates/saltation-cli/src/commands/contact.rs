//! `saltation contact`: flags, and their translation to a request.

use crate::asked::Asked;
use crate::driver::Question;
use crate::flag::{Flag, collect, cut, refused};
use crate::given::Given;
use crate::input;
use crate::outcome::{Outcome, Trouble};
use clap::Command;
use saltation::contact::request::{MOST_VALUES, Part, twice};
use saltation::contact::{Along, Axis, Request, Solved};
use saltation::{Mistakes, System};
use std::ops::Range;

/// What its help says.
pub(crate) fn describe(command: Command) -> Command {
    command.about("Solve the contact problem of the initial condition: all forces of closed contacts with friction, one solution, several or none").after_help(
        "\
Examples:
  saltation contact painleve-rod --set angle=pi/3 --set slip=1
  saltation contact painleve-rod --set slip=1 --map angle=0.1:1.5:300 --map spin=0:5:300 --plot map.svg
  saltation contact painleve-rod --critical angle=0.1:1.5
  saltation contact painleve-box --map a=0.2:1:200 --map mu=0.5:3:200 --out results
  saltation contact frictional-bounce --start phi=0.7 --start 'y=cos(0.7)' --start u=0 --json",
    )
}

/// Runs the command.
pub(crate) fn run(given: Given) -> Outcome {
    let mut wrong = Vec::new();
    let system = input::read(given, &mut wrong)?;
    system.compiled()?;
    let request = request(given, &system, &mut wrong);
    if !wrong.is_empty() {
        return Err(Trouble::Input(wrong));
    }
    let tolerance = Some(request.tol);
    let mut problem = system.contact();
    problem.request = request;
    // The output folder is created only afterwards, so that rejected models leave no files.
    problem.possible()?;
    let question = Question { given, system: &system, tolerance };
    question.answer(|progress| problem.run_with(progress), |solved: &Solved| Ok(solved.figure()))
}

/// The request; mistakes in flags are added to the others.
fn request(given: Given, system: &System, wrong: &mut Vec<Mistakes>) -> Request {
    let request: Request = Asked::new(given, "contact", "contact").request(system, wrong).unwrap_or_default();
    let maps = given.all("map");
    let axis = |text: &str, name, counted| Typed { flag: Flag::new(name, text), counted, system }.read(system);
    let read = maps.iter().filter_map(|text| collect(axis(text, "map", true), wrong));
    let axes: Vec<Axis> = read.collect();
    if let ([first, second], [_, text]) = (&axes[..], &maps[..])
        && let Some(refusal) = twice([first, second])
    {
        wrong.push(Flag::new("map", text).mistake(refusal.message, refusal.help));
    }
    if let ([text] | [_, _, text, ..], true) = (&maps[..], maps.len() != 2) {
        let times = if maps.len() == 1 { "once".to_string() } else { format!("{} times", maps.len()) };
        let message = format!("a map has two axes, and --map is given {times}");
        let help = "give it twice: the first axis is horizontal, the second one vertical";
        wrong.push(Flag::new("map", text).mistake(message, help));
    }
    let critical = given.text("critical").and_then(|text| collect(axis(text, "critical", false), wrong));
    input::figure_file(given, "plot", wrong);
    if let Some(file) = given.file("plot").filter(|_| maps.is_empty()) {
        let typed = file.display().to_string();
        let help = "add for example --map NAME=0:1:200 --map OTHER=0:1:200";
        wrong.push(Flag::new("plot", &typed).mistake("there is no map to draw", help));
    }
    let map = <[Axis; 2]>::try_from(axes).ok();
    let critical = critical.map(|Axis { name, low, high, .. }| Along { name, low, high });
    let request = Request { map, critical, ..request };
    // Mistakes in the other fields are reported by their flags already.
    let refusals = request.refusals(system);
    wrong.extend(refusals.iter().filter(|refusal| refusal.field == "tol").map(refused));
    request
}

/// `NAME=LO:HI`, with `:N` if values are counted, as it was typed.
struct Typed<'a> {
    flag: Flag<'a>,
    counted: bool,
    system: &'a System,
}

impl Typed<'_> {
    /// The axis, without values if none are counted.
    fn read(&self, system: &System) -> Result<Axis, Mistakes> {
        let (flag, text) = (self.flag, self.flag.value());
        let form = if self.counted { "NAME=LO:HI:N" } else { "NAME=LO:HI" };
        let misshapen = || flag.mistake(format!("{} has the form {form}", flag.name()), self.example());
        let (name, range) = text.split_once('=').ok_or_else(misshapen)?;
        let at = name.len() + 1;
        let place = 0..(at - 1).max(1);
        let name = name.trim();
        if name.is_empty() {
            return Err(flag.mistake_in(place, "the name before = is missing", self.example()));
        }
        let mut parts: Vec<Range<usize>> = Vec::new();
        let mut begin = at;
        for part in range.split(':') {
            parts.push(begin..begin + part.len());
            begin += part.len() + 1;
        }
        let wanted = if self.counted { 3 } else { 2 };
        if parts.len() != wanted || parts.iter().any(|part| text[part.clone()].trim().is_empty()) {
            return Err(misshapen());
        }
        let mut wrong = Vec::new();
        let ends = [0, 1].map(|k| collect(flag.number_in(parts[k].clone(), system), &mut wrong));
        if let Some(first) = wrong.into_iter().reduce(|mut all, more| {
            all.list.extend(more.list);
            all
        }) {
            return Err(first);
        }
        let [Some(low), Some(high)] = ends else { return Err(misshapen()) };
        let count = parts.get(2).map(|part| self.count(part.clone())).transpose()?;
        let axis = Axis { name: name.to_string(), low, high, count: count.unwrap_or(0) };
        let model = self.system.model();
        let refused = match count {
            Some(_) => axis.refusal("map", model),
            None => Along { name: axis.name.clone(), low, high }.refusal("critical", model),
        };
        let Some((part, refusal)) = refused else { return Ok(axis) };
        let (place, help) = match part {
            Part::Name => (place, refusal.help),
            Part::Low => (parts[0].clone(), refusal.help),
            Part::High => (parts[1].clone(), refusal.help),
            Part::Count => (parts.get(2).cloned().unwrap_or(0..text.len()), self.example()),
            Part::Ends if low > high => {
                let [first, second] = [0, 1].map(|k| &text[parts[k].clone()]);
                let rest = &text[parts[1].end..];
                (0..text.len(), format!("write {} {name}={second}:{first}{rest}", flag.name()))
            }
            Part::Ends => (0..text.len(), self.example()),
        };
        Err(flag.mistake_in(place, refusal.message, help))
    }

    /// The number of values; its bounds are checked by the request.
    fn count(&self, part: Range<usize>) -> Result<usize, Mistakes> {
        let typed = self.flag.value()[part.clone()].trim();
        typed.parse().map_err(|_| {
            let rule = format!("the number of values is a whole number from 2 to {MOST_VALUES}");
            self.flag.mistake_in(part, format!("{rule}, not `{}`", cut(typed)), self.example())
        })
    }

    /// An example of a valid flag.
    fn example(&self) -> String {
        let model = self.system.model();
        let states = model.states.iter().map(|state| state.name.as_str());
        let names: Vec<&str> = model.parameters.iter().map(|p| p.name.as_str()).chain(states).collect();
        let typed = self.flag.value().split_once('=').map(|(name, _)| name.trim());
        let typed = typed.filter(|typed| names.contains(typed));
        let usual = typed.or_else(|| names.first().copied()).unwrap_or("NAME");
        let range = if self.counted { "=0:1.5:200" } else { "=0:1.5" };
        format!("write for example {} {usual}{range}", self.flag.name())
    }
}
