//! What the columns of the data measure: samples of quantities at times, and times (with speeds) of events.

use crate::drawing::quantity::Quantity;
use crate::drawing::slopes::Subject;
use crate::error::Refusal;
use crate::simulation::answer::Columns;
use crate::system::System;
use crate::text::cut;
use saltation_expr::Graph;
use saltation_expr::parse::{Formula, UnknownName, nearest};
use saltation_model::Model;
use saltation_motion::EventKind;

/// Noise puts a number no farther from the truth than this many standard deviations: once in five hundred million.
pub(crate) const GATE: f64 = 6.0;
/// The largest number of data of all columns together.
const MOST_DATA: usize = 10_000_000;
/// The largest number of events of a column: they are matched in pairs.
pub(crate) const MOST_EVENTS: usize = 20_000;

/// What was measured.
#[derive(Debug, Clone)]
pub(crate) struct Measured {
    pub samples: Vec<Samples>,
    pub trains: Vec<Train>,
    /// The times of the rows, ascending.
    pub times: Vec<f64>,
    /// The formulas of the model and of columns.
    pub graph: Graph,
}

/// A quantity that was sampled.
#[derive(Debug, Clone)]
pub(crate) struct Samples {
    pub name: String,
    /// What it measures, as it is written.
    pub what: String,
    pub subject: Subject,
    /// The row of every sample among the times, and the value.
    pub rows: Vec<usize>,
    pub values: Vec<f64>,
    pub sigma: Sigma,
    pub without: Without,
}

/// Cells that are not compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Without {
    /// Those without a number: nothing was measured.
    pub empty: usize,
    /// Those with an infinite one.
    pub infinite: usize,
}

impl Without {
    fn among(cells: impl Iterator<Item = f64> + Clone) -> Without {
        Without {
            empty: cells.clone().filter(|cell| cell.is_nan()).count(),
            infinite: cells.filter(|cell| cell.is_infinite()).count(),
        }
    }
}

/// Times at which something happened, ascending.
#[derive(Debug, Clone)]
pub(crate) struct Train {
    pub name: String,
    pub kind: EventKind,
    /// The contact, section, switch or event of the model at which it happens.
    pub place: String,
    pub times: Vec<f64>,
    pub sigma: Sigma,
    pub without: Without,
    pub speeds: Option<Speeds>,
}

/// The closing speeds of the impacts of a train; NaN where they were not measured.
#[derive(Debug, Clone)]
pub(crate) struct Speeds {
    pub name: String,
    pub values: Vec<f64>,
    pub sigma: Sigma,
    pub without: Without,
}

/// The standard deviation of what was measured.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Sigma {
    /// Of all numbers of a column.
    Known(f64),
    /// Of each.
    Each(Vec<f64>),
    /// It is estimated from the residuals.
    Unknown,
}

impl Sigma {
    /// That of one number, where `estimate` is that of a column without one.
    pub(crate) fn of(&self, index: usize, estimate: f64) -> f64 {
        match self {
            Sigma::Known(sigma) => *sigma,
            Sigma::Each(list) => list[index],
            Sigma::Unknown => estimate,
        }
    }
}

impl Measured {
    /// The names of the columns with residuals: samples, then trains, each with its speeds.
    pub(crate) fn names(&self) -> Vec<String> {
        let samples = self.samples.iter().map(|samples| samples.name.clone());
        let trains = self.trains.iter().flat_map(|train| {
            std::iter::once(train.name.clone()).chain(train.speeds.iter().map(|speeds| speeds.name.clone()))
        });
        samples.chain(trains).collect()
    }

    /// What these columns measure.
    pub(crate) fn meanings(&self) -> Vec<String> {
        let samples = self.samples.iter().map(|samples| samples.what.clone());
        let trains = self.trains.iter().flat_map(|train| {
            let times = format!("{}:{}", train.kind.name(), train.place);
            std::iter::once(times).chain(train.speeds.iter().map(|_| format!("speed:{}", train.place)))
        });
        samples.chain(trains).collect()
    }

    /// The cells of these columns that are not compared.
    pub(crate) fn without(&self) -> Vec<Without> {
        let samples = self.samples.iter().map(|samples| samples.without);
        let trains = self
            .trains
            .iter()
            .flat_map(|train| std::iter::once(train.without).chain(train.speeds.iter().map(|speeds| speeds.without)));
        samples.chain(trains).collect()
    }

    /// The last time of all data.
    pub(crate) fn last(&self) -> f64 {
        let events = self.trains.iter().filter_map(|train| train.times.last().copied());
        self.times.last().copied().into_iter().chain(events).fold(0.0, f64::max)
    }
}

/// What a column is.
enum Role {
    Time,
    Sample(Subject),
    Happened(EventKind, String),
    Speed(String),
    Sigma(String),
    Nothing,
}

/// Something that a trajectory has.
pub(crate) enum Outcome {
    /// A value at a time.
    Sample(Subject),
    /// Times of events.
    Happened(EventKind, String),
    /// Closing speeds of impacts.
    Speed(String),
}

/// What a text names.
///
/// # Errors
/// The message and the help where it names nothing that the model has.
pub(crate) fn outcome(what: &str, system: &System, graph: &mut Graph) -> Result<Outcome, (String, String)> {
    match role(what, system, graph)? {
        Role::Sample(subject) => Ok(Outcome::Sample(subject)),
        Role::Happened(kind, place) => Ok(Outcome::Happened(kind, place)),
        Role::Speed(contact) => Ok(Outcome::Speed(contact)),
        Role::Time | Role::Sigma(_) | Role::Nothing => {
            Err((format!("`{}` is no outcome of a trajectory", cut(what)), String::new()))
        }
    }
}

/// Reads the columns of data, with what is said about their meaning and their noise.
///
/// # Errors
/// All mistakes in them.
pub(crate) fn read(
    data: &Columns,
    column: &[String],
    sigma: &[String],
    system: &System,
) -> Result<Measured, Vec<Refusal>> {
    let mut graph = system.model().graph.clone();
    let (means, mut refusals) = assigned(column, "column", data);
    let (sigmas, wrong) = assigned(sigma, "sigma", data);
    refusals.extend(wrong);
    let data = &data.0;
    if data.iter().map(|(_, column)| column.len()).sum::<usize>() > MOST_DATA {
        let message = "there are more than ten million numbers";
        refusals.push(Refusal::new("data", message, "leave out every other row"));
    }
    let mut roles = Vec::with_capacity(data.len());
    let meant = |name: &str| means.iter().find(|(known, _)| known == name).map(|(_, what)| what.as_str());
    for (name, _) in data {
        let meant = meant(name);
        let role = role(meant.unwrap_or(name.trim()), system, &mut graph);
        roles.push(role.unwrap_or_else(|(message, help)| {
            let field = if meant.is_some() { "column" } else { "data" };
            refusals.push(Refusal::new(field, message, help));
            Role::Nothing
        }));
    }
    let with_roles = || data.iter().zip(&roles);
    let mut spread = Vec::new();
    for (name, what) in &sigmas {
        match system.evaluate(what) {
            Ok(value) if value.is_finite() && value > 0.0 => spread.push((name.clone(), value)),
            _ => {
                let message = format!("the standard deviation of `{}` is `{}`", cut(name), cut(what));
                refusals.push(Refusal::new("sigma", message, "a positive number is needed, such as x=0.01"));
            }
        }
    }
    let of_column = |name: &str| {
        with_roles().find(|(_, role)| matches!(role, Role::Sigma(of) if of == name)).map(|((_, column), _)| column)
    };
    let sigma = |name: &str, rows: &[usize], refusals: &mut Vec<Refusal>| {
        if let Some((_, sigma)) = spread.iter().find(|(known, _)| known == name) {
            return Sigma::Known(*sigma);
        }
        let Some(column) = of_column(name) else { return Sigma::Unknown };
        let list: Vec<f64> = rows.iter().map(|&row| column.get(row).copied().unwrap_or(f64::NAN)).collect();
        if let Some(at) = list.iter().position(|sigma| !(sigma.is_finite() && *sigma > 0.0)) {
            let message = format!("the standard deviation of `{}` in row {} is {}", cut(name), rows[at] + 1, list[at]);
            refusals.push(Refusal::new(
                "data",
                message,
                "standard deviations are positive; leave out the number itself where it was not measured",
            ));
        }
        Sigma::Each(list)
    };
    let clock = with_roles().find(|(_, role)| matches!(role, Role::Time)).map(|((_, column), _)| column);
    let sampled = with_roles().any(|(_, role)| matches!(role, Role::Sample(_)));
    let times = clock.filter(|_| sampled).cloned().unwrap_or_default();
    refusals.extend(times_refusal(&times));
    let mut measured = Measured { samples: Vec::new(), trains: Vec::new(), times, graph };
    for ((name, column), role) in with_roles() {
        match role {
            Role::Sample(subject) => {
                if clock.is_none() {
                    let message = format!("`{}` is sampled, but there is no column `time`", cut(name));
                    refusals.push(Refusal::new(
                        "data",
                        message,
                        "add the column `time`, or say which it is: --column NAME=time",
                    ));
                    continue;
                }
                let finite = |row: &usize| column[*row].is_finite();
                let rows: Vec<usize> = (0..column.len().min(measured.times.len())).filter(finite).collect();
                if rows.is_empty() {
                    refusals.push(Refusal::new(
                        "data",
                        format!("the column `{}` has no number", cut(name)),
                        "leave it out: --column NAME=none",
                    ));
                }
                let values = rows.iter().map(|&row| column[row]).collect();
                let sigma = sigma(name, &rows, &mut refusals);
                let what = meant(name).unwrap_or(name.trim()).to_string();
                let without = Without::among(column.iter().copied().take(measured.times.len()));
                let (name, subject) = (name.clone(), *subject);
                measured.samples.push(Samples { name, what, subject, rows, values, sigma, without });
            }
            Role::Happened(kind, place) => {
                let rows: Vec<usize> = (0..column.len()).filter(|&row| column[row].is_finite()).collect();
                let times: Vec<f64> = rows.iter().map(|&row| column[row]).collect();
                refusals.extend(train_refusal(name, &times, &rows));
                let speeds = with_roles().find(
                    |(_, role)| matches!(role, Role::Speed(contact) if contact == place && *kind == EventKind::Impact),
                );
                let speeds = speeds.map(|((name, column), _)| {
                    let values: Vec<f64> =
                        rows.iter().map(|&row| column.get(row).copied().unwrap_or(f64::NAN)).collect();
                    if values.iter().any(|speed| *speed < 0.0) {
                        let message = format!("the column `{}` has negative speeds", cut(name));
                        refusals.push(Refusal::new(
                            "data",
                            message,
                            "speeds of impacts are closing speeds, which are positive",
                        ));
                    }
                    let known: Vec<usize> = (0..rows.len()).filter(|&i| values[i].is_finite()).collect();
                    let own: Vec<usize> = known.iter().map(|&i| rows[i]).collect();
                    let sigma = match sigma(name, &own, &mut refusals) {
                        // One for every event, also where none was measured.
                        Sigma::Each(list) => {
                            let mut each = vec![f64::NAN; rows.len()];
                            known.iter().zip(list).for_each(|(&i, sigma)| each[i] = sigma);
                            Sigma::Each(each)
                        }
                        other => other,
                    };
                    let without = Without::among(values.iter().copied());
                    Speeds { name: name.clone(), values, sigma, without }
                });
                let sigma = sigma(name, &rows, &mut refusals);
                // What is empty below the last event only fills rows of longer columns.
                let end = column.iter().rposition(|cell| !cell.is_nan()).map_or(0, |last| last + 1);
                measured.trains.push(Train {
                    name: name.clone(),
                    kind: *kind,
                    place: place.clone(),
                    times,
                    sigma,
                    without: Without::among(column[..end].iter().copied()),
                    speeds,
                });
            }
            _ => {}
        }
    }
    for ((name, _), role) in with_roles() {
        let alone = |contact: &str| {
            !measured.trains.iter().any(|train| train.kind == EventKind::Impact && train.place == contact)
        };
        if let Role::Speed(contact) = role
            && alone(contact)
        {
            let message = format!("`{}` has speeds of impacts without their times", cut(name));
            refusals.push(Refusal::new("data", message, format!("add the column impact:{contact}")));
        }
    }
    if measured.samples.is_empty() && measured.trains.is_empty() && refusals.is_empty() {
        let help = "give columns of numbers: `time` with states, gap:CONTACT, force:CONTACT or rate:STATE, or times of events such as impact:CONTACT";
        refusals.push(Refusal::new("data", "there is nothing to compare with the model", help));
    }
    if refusals.is_empty() { Ok(measured) } else { Err(refusals) }
}

/// Mistakes in the times of the rows.
fn times_refusal(times: &[f64]) -> Option<Refusal> {
    if let Some(row) = times.iter().position(|time| !time.is_finite()) {
        let message = format!("the time of row {} is missing", row + 1);
        return Some(Refusal::new("data", message, "every row of samples has a time; leave out the row"));
    }
    let row = times.windows(2).position(|pair| pair[1] < pair[0])?;
    let message = format!("times decrease: {} stands behind {} in row {}", times[row + 1], times[row], row + 2);
    Some(Refusal::new("data", message, "sort the rows by their times"))
}

/// Mistakes in the times of events.
fn train_refusal(name: &str, times: &[f64], rows: &[usize]) -> Option<Refusal> {
    if times.is_empty() {
        let message = format!("the column `{}` has no number", cut(name));
        return Some(Refusal::new("data", message, "leave it out: --column NAME=none"));
    }
    if times.len() > MOST_EVENTS {
        let message =
            format!("the column `{}` has {} events and may have {MOST_EVENTS} at most", cut(name), times.len());
        return Some(Refusal::new("data", message, "fit a part of them"));
    }
    let at = times.windows(2).position(|pair| pair[1] <= pair[0])?;
    let how = if times[at + 1] < times[at] { "times decrease" } else { "a time stands twice" };
    let message =
        format!("`{}`: {how}: {} stands behind {} in row {}", cut(name), times[at + 1], times[at], rows[at + 1] + 1);
    Some(Refusal::new("data", message, "sort the events by their times, each of which stands once"))
}

/// Texts `NAME=WHAT` whose names are columns.
fn assigned(texts: &[String], field: &'static str, data: &Columns) -> (Vec<(String, String)>, Vec<Refusal>) {
    let (mut found, mut refusals) = (Vec::new(), Vec::new());
    for text in texts {
        let known = || data.0.iter().map(|(name, _)| name.as_str());
        // The name of a column may contain the sign itself.
        let split = text.match_indices('=').map(|(at, _)| (text[..at].trim(), text[at + 1..].trim()));
        let own = split.clone().find(|(name, _)| known().any(|known| known == *name));
        match own.or(split.clone().next()) {
            Some((name, what)) if known().any(|known| known == name) => {
                found.push((name.to_string(), what.to_string()))
            }
            Some((name, _)) => {
                let help = match nearest(name, known()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("the columns are {}", cut(&known().collect::<Vec<_>>().join(", "))),
                };
                refusals.push(Refusal::new(field, format!("the data have no column `{}`", cut(name)), help));
            }
            None => {
                let example = if field == "sigma" { "x=0.01" } else { "\"y=x + offset\"" };
                let message = format!("`{}` names no column and its meaning", cut(text));
                refusals.push(Refusal::new(field, message, format!("write NAME=WHAT, such as {example}")));
            }
        }
    }
    (found, refusals)
}

/// What a column measures, by its name or by what it is said to mean.
fn role(what: &str, system: &System, graph: &mut Graph) -> Result<Role, (String, String)> {
    let model = system.model();
    match what {
        "time" | "t" if model.state(what).is_none() => return Ok(Role::Time),
        "none" => return Ok(Role::Nothing),
        _ => {}
    }
    if let Some(of) = what.strip_prefix("sigma:") {
        return Ok(Role::Sigma(of.trim().to_string()));
    }
    if let Some(name) = what.strip_prefix("speed:") {
        let known = model.contacts.iter().map(|contact| contact.name.as_str());
        return match model.contact(name) {
            Some(_) => Ok(Role::Speed(name.to_string())),
            None => Err(no_place(name, "contact", known)),
        };
    }
    if let Some((kind, name)) = what.split_once(':')
        && let Some(kind) = EventKind::ALL.into_iter().find(|known| known.name() == kind)
    {
        return place(kind, name, system).map(|()| Role::Happened(kind, name.to_string()));
    }
    if let Ok(quantity) = Quantity::shown(model, what) {
        return Ok(Role::Sample(Subject::Quantity(quantity)));
    }
    if what.contains(':') {
        return Err(Quantity::shown(model, what).err().unwrap_or_default());
    }
    formula(what, model, graph).map(|node| Role::Sample(Subject::Formula(node)))
}

/// A formula of states and parameters.
fn formula(text: &str, model: &Model, graph: &mut Graph) -> Result<saltation_expr::Node, (String, String)> {
    let help = "columns are `time`, states, gap:CONTACT, force:CONTACT, rate:STATE, energy, times of events such as impact:CONTACT, speed:CONTACT, sigma:COLUMN, or \
                formulas of states and parameters; --column NAME=WHAT says what a column of another name measures, --column NAME=none leaves it out";
    let known = |name: &str| {
        let state = model.state(name).map(|state| model.states[state].symbol);
        state.or_else(|| model.parameter(name).map(|parameter| model.parameters[parameter].symbol))
    };
    let built = Formula::read(text).and_then(|formula| {
        formula.build(graph, &mut |_, name| {
            let names =
                model.states.iter().map(|s| s.name.as_str()).chain(model.parameters.iter().map(|p| p.name.as_str()));
            known(name).ok_or_else(|| UnknownName::among(name, names))
        })
    });
    built.map_err(|errors| {
        let first = errors.into_iter().next();
        let (message, own) = first.map_or((String::new(), None), |error| (error.message, error.help));
        (
            format!("the column `{}` measures nothing that the model has: {message}", cut(text)),
            own.unwrap_or_else(|| help.to_string()),
        )
    })
}

fn no_place<'a>(name: &str, what: &str, known: impl Iterator<Item = &'a str> + Clone) -> (String, String) {
    let help = match nearest(name, known.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => match known.collect::<Vec<_>>() {
            list if list.is_empty() => format!("the model has no {what}"),
            list => format!("there are {}", cut(&list.join(", "))),
        },
    };
    (format!("the model has no {what} `{}`", cut(name)), help)
}

/// That events of a kind can happen at a place of this name.
fn place(kind: EventKind, name: &str, system: &System) -> Result<(), (String, String)> {
    let Ok(compiled) = system.compiled() else { return Ok(()) };
    let contacts = || compiled.contact_names().iter().map(String::as_str);
    let switches = || compiled.switch_names().iter().map(String::as_str);
    let (what, names): (&str, Vec<&str>) = match kind {
        EventKind::Section => ("section", compiled.section_names().collect()),
        EventKind::Switch | EventKind::Slide | EventKind::Leave | EventKind::Accumulate => {
            ("switch", switches().collect())
        }
        EventKind::Reset => ("event", system.model().resets.iter().map(|reset| reset.name.as_str()).collect()),
        EventKind::Stick | EventKind::Slip => ("contact", contacts().chain(switches()).collect()),
        _ => ("contact", contacts().collect()),
    };
    match names.contains(&name) {
        true => Ok(()),
        false => Err(no_place(name, what, names.iter().copied())),
    }
}
