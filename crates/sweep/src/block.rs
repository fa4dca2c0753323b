//! A block of tasks with what they found, and the same as tables: one row per task, per return and per impact.

use crate::ending::Ending;
use crate::period::Period;
use crate::plan::{Plan, Point};
use crate::returns::{Points, Units};
use crate::table::{Column, Frame};
use crate::task::{Impact, Outcome};
use saltation_motion::{ClosedSet, Side, System};

/// The tasks of a block, and what the first of them found; all of them unless the computation was interrupted.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// Which block it is.
    pub index: u64,
    /// Its first task.
    pub first: u64,
    /// What its tasks found, in order.
    pub outcomes: Vec<Outcome>,
}

/// The names of the tables, the one that completes a block first.
pub const TABLES: [&str; 3] = ["tasks", "returns", "impacts"];

/// The names of what tasks record: they become the names of columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Names {
    /// The swept parameters.
    pub parameters: Vec<String>,
    /// The states that starts give.
    pub starts: Vec<String>,
    /// All states.
    pub states: Vec<String>,
    /// The contacts.
    pub contacts: Vec<String>,
    /// The switches.
    pub switches: Vec<String>,
    /// The quantities with extremes.
    pub extremes: Vec<String>,
    /// The number of exponents.
    pub exponents: usize,
}

/// A table that is read is not one of this sweep.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("block {block} does not hold what this sweep records: {what}")]
pub struct Foreign {
    /// The block.
    pub block: u64,
    /// What is missing or wrong.
    pub what: String,
}

impl Block {
    /// Whether all its tasks are done.
    pub fn is_complete(&self, plan: &Plan) -> bool {
        self.outcomes.len() as u64 == plan.block(self.index).end - self.first
    }

    /// Where the task after this block begins, if states are carried.
    pub fn carries(&self) -> Option<(Vec<f64>, ClosedSet)> {
        self.outcomes.last()?.carries()
    }

    /// The tables, in the order of [`TABLES`].
    pub fn frames(&self, names: &Names, plan: &Plan, system: &System) -> [Frame; 3] {
        let tasks: Vec<(u64, Point, &Outcome)> =
            (self.first..).zip(&self.outcomes).map(|(task, outcome)| (task, plan.point(task), outcome)).collect();
        [tasks_frame(names, &tasks, system), returns_frame(names, &tasks), impacts_frame(names, &tasks)]
    }

    /// The block that these tables hold.
    ///
    /// # Errors
    /// If they are not those of a block of this sweep.
    pub fn from_frames(index: u64, frames: &[Frame; 3], names: &Names, plan: &Plan) -> Result<Block, Foreign> {
        let [tasks, returns, impacts] = frames.each_ref().map(|frame| Reader { block: index, frame });
        let range = plan.block(index);
        let count = (range.end - range.start) as usize;
        if tasks.counts("task")? != range.clone().collect::<Vec<_>>() {
            return Err(tasks.foreign("its tasks have other numbers"));
        }
        let mut outcomes = (0..count).map(|k| tasks.outcome(k, names)).collect::<Result<Vec<_>, _>>()?;
        let at = |reader: &Reader, task: u64| match task.checked_sub(range.start) {
            Some(k) if (k as usize) < count => Ok(k as usize),
            _ => Err(reader.foreign("a row belongs to no task")),
        };
        let states = names.states.iter().map(|name| returns.numbers(name)).collect::<Result<Vec<_>, _>>()?;
        for (row, &task) in returns.counts("task")?.iter().enumerate() {
            let point: Vec<f64> = states.iter().map(|column| column[row]).collect();
            outcomes[at(&returns, task)?].returns.push(&point);
        }
        let before = impacts.counts("return")?;
        let (words, speeds) = (impacts.words("contact")?, impacts.numbers("speed")?);
        for (row, &task) in impacts.counts("task")?.iter().enumerate() {
            let contact = names.contacts.iter().position(|known| *known == words[row]);
            let contact = contact.ok_or_else(|| impacts.foreign(&format!("there is no contact {}", words[row])))?;
            let before_return = before[row].saturating_sub(1);
            outcomes[at(&impacts, task)?].impacts.push(Impact { before_return, contact, speed: speeds[row] });
        }
        // A table that lost rows is one that was cut.
        for (k, outcome) in outcomes.iter().enumerate() {
            if outcome.returns.len() as u64 != tasks.counts("returns")?[k] {
                return Err(returns.foreign("rows are missing"));
            }
            for (contact, name) in names.contacts.iter().enumerate() {
                let found = outcome.impacts.iter().filter(|impact| impact.contact == contact).count() as u64;
                if found != tasks.counts(&format!("impacts_{name}"))?[k] {
                    return Err(impacts.foreign("rows are missing"));
                }
            }
        }
        Ok(Block { index, first: range.start, outcomes })
    }
}

/// A frame whose columns are asked for by name.
struct Reader<'a> {
    block: u64,
    frame: &'a Frame,
}

impl<'a> Reader<'a> {
    fn foreign(&self, what: &str) -> Foreign {
        Foreign { block: self.block, what: format!("{} of table {}", what, self.frame.name) }
    }

    fn column(&self, name: &str) -> Result<&'a Column, Foreign> {
        let found = self.frame.columns.iter().find(|(known, _)| known == name);
        found.map(|(_, column)| column).ok_or_else(|| self.foreign(&format!("there is no column {name}")))
    }

    fn numbers(&self, name: &str) -> Result<&'a [f64], Foreign> {
        match self.column(name)? {
            Column::Numbers(list) => Ok(list),
            _ => Err(self.foreign(&format!("column {name} holds no numbers"))),
        }
    }

    fn counts(&self, name: &str) -> Result<&'a [u64], Foreign> {
        match self.column(name)? {
            Column::Counts(list) => Ok(list),
            _ => Err(self.foreign(&format!("column {name} holds no whole numbers"))),
        }
    }

    fn words(&self, name: &str) -> Result<&'a [String], Foreign> {
        match self.column(name)? {
            Column::Words(list) => Ok(list),
            _ => Err(self.foreign(&format!("column {name} holds no words"))),
        }
    }

    /// What a task found, without its returns and impacts.
    fn outcome(&self, k: usize, names: &Names) -> Result<Outcome, Foreign> {
        let number = |name: &str| Ok(self.numbers(name)?[k]);
        let each = |list: &[String], prefix: &str| -> Result<Vec<f64>, Foreign> {
            list.iter().map(|name| number(&format!("{prefix}{name}"))).collect()
        };
        let period = Period {
            returns: self.counts("period")?[k],
            approaching: self.counts("approaching")?[k] == 1,
            distance: number("distance")?,
        };
        let mode = &self.words("mode")?[k];
        let last = each(&names.states, "last_")?;
        let closed = closed(mode, names).ok_or_else(|| self.foreign(&format!("there is no mode {mode}")));
        let extremes = |name: &String| Ok((number(&format!("min_{name}"))?, number(&format!("max_{name}"))?));
        let mut periods = vec![None; names.states.len()];
        for (i, name) in names.states.iter().enumerate() {
            periods[i] = Some(number(&format!("circle_{name}"))?).filter(|period| period.is_finite());
        }
        Ok(Outcome {
            ending: Ending { word: self.words("ended")?[k].clone(), message: self.words("message")?[k].clone() },
            returns: Points::new(names.states.len()),
            impacts: Vec::new(),
            duration: number("duration")?,
            closed_time: each(&names.contacts, "contact_time_")?,
            stick_time: each(&names.contacts, "stick_time_")?,
            extremes: names.extremes.iter().map(extremes).collect::<Result<_, _>>()?,
            exponents: (1..=names.exponents).map(|i| number(&format!("exponent_{i}"))).collect::<Result<_, _>>()?,
            away: Some(period.distance).filter(|distance| period.returns == 0 && distance.is_finite()),
            period: (period.returns > 0).then_some(period),
            units: Units::new(&each(&names.states, "size_")?, &periods),
            last: if mode.is_empty() { None } else { Some((last, closed?)) },
        })
    }
}

/// The closed contacts and the sides of switches in the word of a mode.
fn closed(mode: &str, names: &Names) -> Option<ClosedSet> {
    if mode.is_empty() || mode == "flight" {
        return Some(ClosedSet::NONE);
    }
    mode.split(',').try_fold(ClosedSet::NONE, |closed, part| {
        let find = |name: &str| names.switches.iter().position(|known| known == name);
        // No friction has the name of a contact.
        let is_dry = |name: &str| !names.contacts.iter().any(|contact| contact == name);
        if let Some((switch, side)) = Side::in_word(part, find, is_dry) {
            return Some(closed.with_side(switch, side));
        }
        let (word, name) = part.split_once(':')?;
        closed.with_word(names.contacts.iter().position(|known| known == name)?, word)
    })
}

/// The columns of a table, filled row by row.
struct Columns(Vec<(String, Column)>);

impl Columns {
    fn numbers(&mut self, name: impl Into<String>, list: impl Iterator<Item = f64>) {
        self.0.push((name.into(), Column::Numbers(list.collect())));
    }

    fn counts(&mut self, name: impl Into<String>, list: impl Iterator<Item = u64>) {
        self.0.push((name.into(), Column::Counts(list.collect())));
    }

    fn words(&mut self, name: impl Into<String>, list: impl Iterator<Item = String>) {
        self.0.push((name.into(), Column::Words(list.collect())));
    }

    /// The number of the task and the swept parameters.
    fn place<'p>(&mut self, names: &Names, rows: impl Iterator<Item = (u64, &'p Point)> + Clone) {
        self.counts("task", rows.clone().map(|(task, _)| task));
        for (i, name) in names.parameters.iter().enumerate() {
            self.numbers(name, rows.clone().map(|(_, point)| point.parameters[i]));
        }
    }
}

type Tasks<'a> = [(u64, Point, &'a Outcome)];

fn tasks_frame(names: &Names, tasks: &Tasks, system: &System) -> Frame {
    let mut columns = Columns(Vec::new());
    columns.place(names, tasks.iter().map(|(task, point, _)| (*task, point)));
    for (i, name) in names.starts.iter().enumerate() {
        columns.numbers(format!("start_{name}"), tasks.iter().map(|(_, point, _)| point.start[i].1));
    }
    let found = || tasks.iter().map(|(_, _, outcome)| *outcome);
    columns.words("ended", found().map(|outcome| outcome.ending.word.clone()));
    columns.words("message", found().map(|outcome| outcome.ending.message.clone()));
    columns.counts("period", found().map(|outcome| outcome.period.map_or(0, |period| period.returns)));
    columns.counts("approaching", found().map(|outcome| u64::from(outcome.period.is_some_and(|p| p.approaching))));
    let distance =
        |outcome: &Outcome| outcome.period.map(|period| period.distance).or(outcome.away).unwrap_or(f64::NAN);
    columns.numbers("distance", found().map(distance));
    columns.counts("returns", found().map(|outcome| outcome.returns.len() as u64));
    columns.numbers("duration", found().map(|outcome| outcome.duration));
    for (i, name) in names.contacts.iter().enumerate() {
        let count = |outcome: &Outcome| outcome.impacts.iter().filter(|impact| impact.contact == i).count() as u64;
        columns.counts(format!("impacts_{name}"), found().map(count));
        columns.numbers(format!("contact_time_{name}"), found().map(|outcome| outcome.closed_time[i]));
        columns.numbers(format!("stick_time_{name}"), found().map(|outcome| outcome.stick_time[i]));
    }
    for (i, name) in names.extremes.iter().enumerate() {
        columns.numbers(format!("min_{name}"), found().map(|outcome| outcome.extremes[i].0));
        columns.numbers(format!("max_{name}"), found().map(|outcome| outcome.extremes[i].1));
    }
    for i in 0..names.exponents {
        columns.numbers(format!("exponent_{}", i + 1), found().map(|outcome| outcome.exponents[i]));
    }
    let last = |outcome: &Outcome, i: usize| outcome.last.as_ref().map_or(f64::NAN, |(state, _)| state[i]);
    for (i, name) in names.states.iter().enumerate() {
        columns.numbers(format!("last_{name}"), found().map(|outcome| last(outcome, i)));
    }
    let mode = |outcome: &Outcome| outcome.last.as_ref().map_or(String::new(), |(_, closed)| system.mode_name(*closed));
    columns.words("mode", found().map(mode));
    for (i, name) in names.states.iter().enumerate() {
        columns.numbers(format!("size_{name}"), found().map(|outcome| outcome.units.size(i)));
        columns.numbers(format!("circle_{name}"), found().map(|outcome| outcome.units.period(i).unwrap_or(f64::NAN)));
    }
    Frame::new(TABLES[0], columns.0)
}

fn returns_frame(names: &Names, tasks: &Tasks) -> Frame {
    let mut columns = Columns(Vec::new());
    let rows = tasks.iter().flat_map(|(task, point, outcome)| outcome.returns.iter().map(move |x| (*task, point, x)));
    columns.place(names, rows.clone().map(|(task, point, _)| (task, point)));
    columns.counts("return", tasks.iter().flat_map(|(_, _, outcome)| 1..=outcome.returns.len() as u64));
    for (i, name) in names.states.iter().enumerate() {
        columns.numbers(name, rows.clone().map(|(_, _, state)| state[i]));
    }
    Frame::new(TABLES[1], columns.0)
}

fn impacts_frame(names: &Names, tasks: &Tasks) -> Frame {
    let mut columns = Columns(Vec::new());
    let rows = tasks.iter().flat_map(|(task, point, outcome)| outcome.impacts.iter().map(move |i| (*task, point, i)));
    columns.place(names, rows.clone().map(|(task, point, _)| (task, point)));
    columns.counts("return", rows.clone().map(|(_, _, impact)| impact.before_return + 1));
    columns.words("contact", rows.clone().map(|(_, _, impact)| names.contacts[impact.contact].clone()));
    columns.numbers("speed", rows.map(|(_, _, impact)| impact.speed));
    Frame::new(TABLES[2], columns.0)
}
