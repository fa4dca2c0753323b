//! What the page shows first: a model, or a session.

use saltation::System;
use saltation::session::Session;
use serde_json::{Value, json};
use std::path::Path;

/// What the page shows first.
#[derive(Debug, Clone)]
pub struct Begin {
    /// The name of the model.
    pub name: String,
    /// Its system.
    pub system: System,
    /// A session to be opened.
    pub session: Option<Session>,
}

impl Begin {
    pub(crate) fn value(&self, folder: Option<&Path>) -> Value {
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "model": { "name": self.name, "text": self.system.model().text },
            "folder": folder.map(|folder| folder.display().to_string()),
            "session": self.session,
        })
    }
}
