//! Sessions: a model and the requests that were asked of it, as one file from which the same answers come again.
//!
//! ```
//! use saltation::session::Session;
//! let text = r#"{"format": 1, "model": {"name": "impact-oscillator"}, "requests": [
//!     {"id": "orbit", "question": "orbit", "fields": {"settle": 400, "period": 2}},
//!     {"id": "branch", "question": "continue", "from": "orbit", "fields": {"along": "A", "range": [0.34, 0.36]}}]}"#;
//! let session = Session::read(text, "session.json")?;
//! let mut kinds = Vec::new();
//! session.run_with(&mut (), &mut |entry, found| {
//!     kinds.push((entry.id.clone(), found.is_ok()));
//!     true
//! })?;
//! assert_eq!(kinds, [("orbit".to_string(), true), ("branch".to_string(), true)]);
//! assert!(session.export("branch").unwrap().command[0].starts_with("saltation continue impact-oscillator --settle 400"));
//! # Ok::<(), saltation::Error>(())
//! ```

pub mod entry;
pub mod export;

pub use entry::Entry;
pub use export::Export;

use crate::error::{Error, Refusal};
use crate::progress::Progress;
use crate::registry::{Found, Refused};
use crate::system::System;
use saltation_model::gallery;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The largest number of requests of a session.
pub const MOST_REQUESTS: usize = 10_000;

/// The model of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionModel {
    /// Its name.
    pub name: String,
    /// Its text; without one it is the model of the gallery of that name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// A model and the requests that were asked of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Session {
    /// The version of the format: 1.
    pub format: u32,
    /// The model.
    pub model: SessionModel,
    /// The requests, each after those that it begins at.
    #[serde(default)]
    pub requests: Vec<Entry>,
    /// What a page remembers of its looks; nothing that an answer depends on.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub view: Value,
}

impl Session {
    /// A session from its file.
    ///
    /// # Errors
    /// If the text is not a session, with the place; a request without its own name, or that begins at one that does not stand before it.
    pub fn read(text: &str, file: &str) -> Result<Session, Error> {
        let session: Session = crate::answered::read_json(text).map_err(|error| renamed(error, file))?;
        let wrong = |message: String, help: &str| Err(Error::from(Refusal::new("session", message, help)));
        if session.format != 1 {
            let message = format!("the session has format {}, and this version reads format 1", session.format);
            return wrong(message, "open it with a newer version of saltation");
        }
        if session.requests.len() > MOST_REQUESTS {
            let message = format!("{} requests are more than {MOST_REQUESTS}", session.requests.len());
            return wrong(message, "split the session");
        }
        for (position, entry) in session.requests.iter().enumerate() {
            let before = &session.requests[..position];
            let known = |id: &str| before.iter().any(|other| other.id == id);
            if known(&entry.id) {
                let message = format!("two requests have the name `{}`", crate::text::cut(&entry.id));
                return wrong(message, "give each request a name of its own");
            }
            if let Some(from) = entry.from.as_ref().filter(|from| !known(from)) {
                let (id, from) = (crate::text::cut(&entry.id), crate::text::cut(from));
                let message = format!("the request `{id}` begins at `{from}`, which does not stand before it");
                return wrong(message, "put the request that it begins at before it");
            }
        }
        Ok(session)
    }

    /// Its model as a system.
    ///
    /// # Errors
    /// Mistakes of the model.
    pub fn system(&self) -> Result<System, Error> {
        match &self.model.text {
            Some(text) => System::parse(text, &format!("{}.toml", self.model.name)),
            None => System::gallery(&self.model.name),
        }
    }

    /// Asks all requests in their order. `each` receives every answer, or why there is none, and returns whether to continue.
    ///
    /// # Errors
    /// Mistakes of the model.
    pub fn run_with(
        &self,
        progress: &mut dyn Progress,
        each: &mut dyn FnMut(&Entry, Result<&Found, &Refused>) -> bool,
    ) -> Result<(), Error> {
        let system = self.system()?;
        // Answers are kept as long as a later request begins at them.
        let mut kept: BTreeMap<&str, Found> = BTreeMap::new();
        for (position, entry) in self.requests.iter().enumerate() {
            let origin = entry.from.as_deref();
            let found = match origin.map(|from| (from, kept.get(from))) {
                Some((from, None)) => Err(no_answer(from)),
                Some((_, origin)) => entry.ask(&system, origin, progress),
                None => entry.ask(&system, None, progress),
            };
            if !each(entry, found.as_ref()) {
                break;
            }
            if let Ok(found) = found {
                kept.insert(&entry.id, found);
            }
            let later = &self.requests[position + 1..];
            kept.retain(|id, _| later.iter().any(|entry| entry.from.as_deref() == Some(*id)));
        }
        Ok(())
    }

    /// How one of its requests is repeated without it; `None` if it has none of this name.
    pub fn export(&self, id: &str) -> Option<Export> {
        let find = |id: &str| self.requests.iter().find(|entry| entry.id == id);
        let last = find(id)?;
        let before = std::iter::successors(Some(last), |entry| entry.from.as_deref().and_then(find));
        // A session that was not read could begin at itself.
        let origins: Vec<&Entry> = before.skip(1).take(self.requests.len()).collect();
        let name = &self.model.name;
        let of_gallery = match &self.model.text {
            Some(text) => gallery::find(name).is_some_and(|known| known == text),
            None => true,
        };
        let model = if of_gallery { name.clone() } else { format!("{name}.toml") };
        Some(export::export(last, &origins, &model, of_gallery))
    }
}

fn no_answer(from: &str) -> Refused {
    let message = format!("the request `{}` that it begins at has no answer", crate::text::cut(from));
    Error::from(Refusal::new("from", message, "see why that one has none")).into()
}

/// The same mistakes of a file with this name.
fn renamed(error: Error, file: &str) -> Error {
    match error {
        Error::Text(mut texts) => {
            for text in &mut texts {
                text.file = file.to_string();
                for mistake in &mut text.list {
                    mistake.message = mistake.message.replace("an answer of this kind", "a session");
                    mistake.help = Some("give a file that the page saved as a session, unchanged".to_string());
                }
            }
            Error::Text(texts)
        }
        error => error,
    }
}
