//! A request of a session: a question with its numbers and fields, and the request whose answer it begins at.

use crate::error::Error;
use crate::progress::Progress;
use crate::registry::{Asked, Fields, Found, Origin, Plain, Refused, Wrong, question};
use crate::system::System;
use saltation_model::{Mistake, Mistakes};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The name of the text in which mistakes of values are shown.
const SETTINGS: &str = "settings";

/// A request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Its name in the session, by which others refer to it.
    pub id: String,
    /// The question.
    pub question: String,
    /// Parameters that are set: numbers or formulas.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub set: Map<String, Value>,
    /// Start values that are set: numbers or formulas.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub start: Map<String, Value>,
    /// The fields of the question.
    #[serde(default)]
    pub fields: Map<String, Value>,
    /// The request whose answer it begins at: a branch at an orbit, a curve at a branch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
}

impl Entry {
    /// The system with the numbers of this request.
    ///
    /// # Errors
    /// A name that the model does not have, or a value that it does not admit, with that name as the field.
    pub fn system(&self, base: &System) -> Result<System, Refused> {
        let set = self.set.iter().map(|one| (one, true));
        let numbers = set.chain(self.start.iter().map(|one| (one, false)));
        let mut system = base.clone();
        for ((name, value), is_parameter) in numbers {
            let changed = match (Plain::from(value.clone()), is_parameter) {
                (Plain::Whole(value), true) => system.with(name, value as f64),
                (Plain::Whole(value), false) => system.from_state(name, value as f64),
                (Plain::Number(value), true) => system.with(name, value),
                (Plain::Number(value), false) => system.from_state(name, value),
                (Plain::Text(formula), true) => system.with_formula(name, &formula),
                (Plain::Text(formula), false) => system.from_formula(name, &formula),
                (other, _) => {
                    let message = format!("a number is needed, not {}", other.describe());
                    let help = "give a number, or a formula of parameters such as \"2*pi\"".to_string();
                    return Err(Wrong { field: name.clone(), message, help }.into());
                }
            };
            system = changed.map_err(|error| of_value(name, error))?;
        }
        Ok(system)
    }

    /// Asks it of a model; `origin` is the answer of the request that it begins at.
    ///
    /// # Errors
    /// An unknown question, and mistakes in numbers and fields.
    pub fn ask(&self, base: &System, origin: Option<&Found>, progress: &mut dyn Progress) -> Result<Found, Refused> {
        let Some(asked) = question(&self.question) else {
            let message = format!("there is no question `{}`", crate::text::cut(&self.question));
            let known: Vec<&str> = crate::registry::QUESTIONS.iter().map(|question| question.name).collect();
            let help = format!("the questions are {}", known.join(", "));
            return Err(Wrong { field: "question".to_string(), message, help }.into());
        };
        let system = self.system(base)?;
        let fields: Fields = self.fields.iter().map(|(name, value)| (name.clone(), value.clone().into())).collect();
        asked.ask(Asked { system: &system, fields, origin: origin.map(Origin::Found), progress })
    }
}

/// A mistake in the value of a name: that name is the field. A mistake of the model stays in its text.
fn of_value(name: &str, error: Error) -> Refused {
    let of_settings = |texts: &[Mistakes]| texts.first().filter(|text| text.file == SETTINGS)?.list.first().cloned();
    match &error {
        Error::Text(texts) => match of_settings(texts) {
            Some(Mistake { message, help, .. }) => {
                Wrong { field: name.to_string(), message, help: help.unwrap_or_default() }.into()
            }
            None => error.into(),
        },
        _ => error.into(),
    }
}
