//! The table of fields against the requests: the names that serde knows, the values that it takes, and the defaults.

use crate::field::{Field, Goes, Kind, Usual};
use crate::registry::{FORMS, Plain, QUESTIONS, read_value};
use crate::{
    System, basin, branch, check, contact, curve, equilibrium, fit, lyapunov, modes, orbit, simulation, stepping,
    sweep, tasks,
};
use saltation_motion::{FlowChoice, Policy};
use serde::de::{self, DeserializeOwned, Deserializer, Visitor};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::{self, Display};

/// The names of the fields of a request, and those that its question has besides.
fn of_request(question: &str) -> BTreeSet<&'static str> {
    let (own, besides): (&[&str], &[&str]) = match question {
        "check" => (names::<check::Request>(), &[]),
        "simulate" => (names::<simulation::Request>(), &[]),
        "stepping" => (names::<stepping::Request>(), &[]),
        "orbit" => (names::<orbit::Request>(), &["guess"]),
        "continue" => (names::<branch::Request>(), &[]),
        "curve" => (names::<curve::Request>(), &["at"]),
        "equilibrium" => (names::<equilibrium::Request>(), &[]),
        "continue_equilibrium" => (names::<equilibrium::branch::Request>(), &[]),
        "lyapunov" => (names::<lyapunov::Request>(), &[]),
        "fit" => (names::<fit::Request>(), &[]),
        "modes" => (names::<modes::Request>(), &[]),
        "contact" => (names::<contact::Request>(), &[]),
        // Their method is a part of the request by itself.
        "sweep" => {
            (names::<tasks::Method>(), &["along", "carry", "folder", "resume", "part", "format", "records", "threads"])
        }
        "basin" => {
            (names::<tasks::Method>(), &["along", "starts", "folder", "resume", "part", "format", "records", "threads"])
        }
        _ => panic!("the question {question} is not here"),
    };
    own.iter().chain(besides).copied().collect()
}

#[test]
fn the_table_and_the_requests_have_the_same_fields() {
    for question in &QUESTIONS {
        let listed: Vec<&str> = question.fields().map(|field| field.name).collect();
        let table: BTreeSet<&str> = listed.iter().copied().collect();
        assert_eq!(table.len(), listed.len(), "{}: a field stands twice", question.name);
        assert_eq!(table, of_request(question.name), "{}", question.name);
        // Also those that are flattened into them.
        let defaults = (question.defaults)();
        for name in defaults.as_object().unwrap().keys() {
            assert!(table.contains(name.as_str()), "{}: {name} is not in the table", question.name);
        }
    }
    assert_eq!(names::<sweep::Request>(), &[] as &[&str], "a request with a flattened part has no list of names");
}

#[test]
fn defaults_are_those_of_the_requests() {
    for question in QUESTIONS.iter().filter(|question| question.name != "stepping") {
        let defaults = (question.defaults)();
        for field in question.fields() {
            let own = defaults.get(field.name).unwrap_or(&Value::Null);
            let place = format!("{}: {}", question.name, field.name);
            match field.usual {
                Usual::Value(text) => assert_eq!(*own, value(field, text), "{place}"),
                // A list of nothing, a word that is not among those that are written, or nothing at all.
                _ => match own {
                    Value::String(word) if field.name != "starts" => {
                        let Kind::Word { words, .. } = field.kind else { panic!("{place}: the default {word}") };
                        assert!(!words.contains(&word.as_str()), "{place}: the default {word} is not in the table");
                    }
                    Value::Number(_) => panic!("{place}: the default {own} is not in the table"),
                    Value::Bool(yes) => assert!(!yes, "{place}"),
                    _ => {}
                },
            }
        }
    }
    assert_eq!(basin::USUAL_COUNT.to_string(), usual("basin", "count"));
}

fn usual(command: &str, name: &str) -> &'static str {
    let form = FORMS.iter().find(|form| form.command == command).unwrap();
    match form.keywords().find(|field| field.name == name).unwrap().usual {
        Usual::Value(text) => text,
        other => panic!("{name}: {other:?}"),
    }
}

/// A value of the table as JSON has it.
fn value(field: &Field, text: &str) -> Value {
    match field.kind {
        Kind::Number => text.parse::<f64>().unwrap().into(),
        Kind::Whole { .. } => text.parse::<u64>().unwrap().into(),
        Kind::Switch => text.parse::<bool>().unwrap().into(),
        _ => text.into(),
    }
}

#[test]
fn every_word_is_a_value_of_its_request() {
    let system = System::gallery("impact-oscillator").unwrap();
    for question in &QUESTIONS {
        for field in question.fields() {
            let Kind::Word { words, .. } = field.kind else { continue };
            for word in words {
                let value = Plain::Text((*word).to_string());
                let read = match field.name {
                    "flow" => FlowChoice::ALL.iter().any(|known| known.name() == *word),
                    "policy" => Policy::ALL.iter().any(|known| known.name() == *word),
                    "method" => branch::method(word).is_ok(),
                    "exponents" => read_value::<tasks::Exponents>("exponents", value, &system).is_ok(),
                    "carry" => read_value::<sweep::Carry>("carry", value, &system).is_ok(),
                    "format" => read_value::<tasks::Format>("format", value, &system).is_ok(),
                    other => panic!("the words of {other} are not tested"),
                };
                assert!(read, "{}: {} {word}", question.name, field.name);
            }
            let known = match field.name {
                // What is chosen by itself is no word that is written.
                "flow" => FlowChoice::ALL.len() - 1,
                "policy" => Policy::ALL.len(),
                "exponents" => tasks::Exponents::ALL.len(),
                "carry" => sweep::Carry::ALL.len(),
                _ => words.len(),
            };
            assert_eq!(words.len(), known, "{}: {}", question.name, field.name);
        }
    }
}

#[test]
fn a_form_names_flags_and_questions_that_it_has() {
    for form in &FORMS {
        let flags: Vec<&str> = form.flags().map(|field| field.name).collect();
        for (i, field) in form.flags().enumerate() {
            assert!(!flags[..i].contains(&field.name), "{}: the flag {} stands twice", form.command, field.name);
            for other in field.requires.iter().chain(field.excludes) {
                assert!(flags.contains(other), "{}: {} names {other}", form.command, field.name);
            }
        }
        for field in form.keywords() {
            let known = |name: &&&str| QUESTIONS.iter().all(|question| question.name != **name);
            match field.goes {
                Goes::Request(questions) => assert_eq!(questions.iter().find(known), None, "{}", field.name),
                Goes::Into(other) => assert!(form.keywords().any(|field| field.name == other), "{}", field.name),
                _ => {}
            }
        }
        for question in form.questions {
            assert!(QUESTIONS.iter().any(|known| known.name == *question), "{question}");
        }
    }
    assert!(QUESTIONS.iter().all(|question| question.fields().next().is_some()));
}

/// The names of the fields of a structure.
fn names<T: DeserializeOwned>() -> &'static [&'static str] {
    match T::deserialize(Names) {
        Err(Known(names)) => names,
        Ok(_) => &[],
    }
}

struct Names;

#[derive(Debug)]
struct Known(&'static [&'static str]);

impl Display for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(", "))
    }
}

impl std::error::Error for Known {}

impl de::Error for Known {
    fn custom<T: Display>(_: T) -> Known {
        Known(&[])
    }
}

impl<'de> Deserializer<'de> for Names {
    type Error = Known;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Known> {
        Err(Known(&[]))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Known> {
        Err(Known(fields))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}
