//! The request of a question from its flags: each is read by the kind of its field, and the request takes them by their names.

use crate::axis;
use crate::flag::{Flag, collect, cut};
use crate::given::Given;
use crate::span;
use saltation::field::{Field, Form, Goes, Kind, Of};
use saltation::registry::{FORMS, Fields, Plain, read_value};
use saltation::{Mistake, Mistakes, System, branch};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A question, and the one at whose answer it begins if the command asks both: their common flags are read with that one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked<'a> {
    given: Given<'a>,
    form: &'static Form,
    question: &'static str,
    origin: Option<&'static str>,
}

impl<'a> Asked<'a> {
    /// A question of a command.
    pub(crate) fn new(given: Given<'a>, command: &str, question: &'static str) -> Asked<'a> {
        // Every command that asks has a form.
        let form = FORMS.iter().find(|form| form.command == command).unwrap_or(&FORMS[0]);
        Asked { given, form, question, origin: None }
    }

    /// The same, where the flags of another question were read before.
    pub(crate) fn after(self, origin: &'static str) -> Asked<'a> {
        Asked { origin: Some(origin), ..self }
    }

    /// The request; what is not given has its default. Mistakes in flags are added to the others.
    pub(crate) fn request<T: DeserializeOwned>(self, system: &System, wrong: &mut Vec<Mistakes>) -> Option<T> {
        let fields = self.fields(system, wrong);
        let read = read_value(self.question, Plain::Map(fields), system);
        // A field that must be given, and was not or could not be read.
        let missing = |error: saltation::registry::Wrong| {
            if wrong.is_empty() {
                let list = vec![Mistake::general(error.message).help(error.help)];
                wrong.push(Mistakes { file: "command line".to_string(), text: String::new(), list });
            }
        };
        read.map_err(missing).ok()
    }

    /// The fields that are given. Those that the command reads by itself are not among them.
    pub(crate) fn fields(self, system: &System, wrong: &mut Vec<Mistakes>) -> Fields {
        let mut fields = Fields::new();
        for field in self.form.flags() {
            let is_own = self.form.is_of(field, self.question);
            let was_read = self.origin.is_some_and(|origin| self.form.is_of(field, origin) || !is_own);
            if was_read || !is_own && field.goes != Goes::Nowhere {
                continue;
            }
            let read = read(field, self.given, system, wrong);
            fields.extend(read.into_iter().filter(|_| is_own));
        }
        fields
    }

    /// One flag, as the request has it.
    pub(crate) fn value(self, name: &str, system: &System, wrong: &mut Vec<Mistakes>) -> Option<Plain> {
        read(self.form.flag(name)?, self.given, system, wrong).pop().map(|(_, value)| value)
    }
}

/// The value of a flag by the kind of its field; of a range also the number of points.
fn read(field: &'static Field, given: Given, system: &System, wrong: &mut Vec<Mistakes>) -> Fields {
    let name = field.name;
    let one = |value: Option<Plain>| value.map(|value| (name.to_string(), value)).into_iter().collect();
    let Some(flag) = given.flag(name) else {
        return one(given.is(name).then_some(Plain::Flag(true)));
    };
    match field.kind {
        Kind::Number => one(collect(flag.number(system), wrong).map(Plain::Number)),
        Kind::Whole { least, most } => {
            let count = flag.count_between(least, most.unwrap_or(u64::MAX));
            one(collect(count, wrong).map(|count| Plain::Whole(count.into())))
        }
        Kind::Word { words, otherwise } => {
            one(collect(word(flag, words, otherwise), wrong).map(|word| Plain::Text(word.to_string())))
        }
        Kind::Name { .. } => one(Some(Plain::Text(flag.value().to_string()))),
        Kind::Names { .. } => {
            let names = flag.value().split(',').map(|name| Plain::Text(name.to_string()));
            one(Some(Plain::List(names.collect())))
        }
        Kind::Range { count } => {
            let Some(span) = collect(span::range(flag, count.is_some(), system), wrong) else { return Fields::new() };
            let points = span.points.map(|points| Plain::Whole(points.into()));
            let counted = count.zip(points).map(|(count, points)| (count.to_string(), points));
            let ends = Plain::List(span.ends().map(Plain::Number).to_vec());
            [(name.to_string(), ends)].into_iter().chain(counted).collect()
        }
        Kind::Positions => {
            let read = |text: &&str| {
                let place = branch::position(text).map(|_| Plain::Text((*text).to_string()));
                collect(place.map_err(|refusal| Flag::new(name, text).mistake(refusal.message, refusal.help)), wrong)
            };
            let places: Vec<Plain> = given.all(name).iter().filter_map(read).collect();
            one(Some(Plain::List(places)))
        }
        Kind::Texts => {
            let texts: Vec<Plain> = given.all(name).iter().map(|text| Plain::Text((*text).to_string())).collect();
            one(Some(Plain::List(texts)))
        }
        Kind::Axis { of } if of != Of::Either => {
            let example = match of {
                Of::State => format!("{}=-1:1:100", first(system.state_names(), "x")),
                _ => format!("{}=0.1:0.9:100", first(system.parameter_names(), "p")),
            };
            let read = |text: &&str| collect(axis::read(Flag::new(name, text), &example, system), wrong);
            let axes: Vec<Plain> = given.all(name).iter().filter_map(read).map(plain).collect();
            one(if field.many { Some(Plain::List(axes)) } else { axes.into_iter().next() })
        }
        _ => Fields::new(),
    }
}

/// The first of these names, for an example.
pub(crate) fn first(names: &[String], other: &str) -> String {
    names.first().map_or(other, String::as_str).to_string()
}

fn plain(value: impl Serialize) -> Plain {
    serde_json::to_value(value).map_or(Plain::Nothing, Plain::from)
}

/// One of the words of a flag.
///
/// # Errors
/// If it is another; `otherwise` is what is said then.
pub(crate) fn word(flag: Flag, words: &'static [&'static str], otherwise: &str) -> Result<&'static str, Mistakes> {
    let found = words.iter().find(|word| **word == flag.value());
    found.copied().ok_or_else(|| {
        let (last, others) = words.split_last().unwrap_or((&"", &[]));
        let others: Vec<String> = others.iter().map(|word| format!("`{word}`")).collect();
        let message = format!("{} is {} or `{last}`, not `{}`", flag.name(), others.join(", "), cut(flag.value()));
        let example = || format!("write for example {} {}", flag.name(), words[0]);
        flag.mistake(message, if otherwise.is_empty() { example() } else { otherwise.to_string() })
    })
}
