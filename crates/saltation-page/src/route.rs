//! Paths to handlers: the table of what the page can ask.

use crate::answer;
use crate::ask::{Pool, again, ask};
use crate::begin::Begin;
use crate::describe::describe;
use crate::files::file;
use crate::look::{Look, look};
use crate::memory::{Memory, StoredAnswer};
use crate::reply::{Fault, Reply, bytes, data};
use crate::save::save;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http_body_util::{BodyExt, Limited};
use hyper::body::Incoming;
use hyper::{Method, Request, StatusCode};
use saltation::System;
use saltation::gallery;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use tokio::task::spawn_blocking;

/// The longest body of a request: a model of a megabyte, escaped, and pictures to be saved.
const LONGEST: usize = 8 * 1024 * 1024;

/// What all handlers share.
pub(crate) struct Shared {
    pub memory: Arc<Memory>,
    pub pool: Pool,
    pub begin: Begin,
    pub folder: Option<PathBuf>,
    /// A word of this server alone, by which a page knows that another one answers now.
    pub life: String,
}

/// What a request about an answer names.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
struct About {
    id: String,
    table: String,
    columns: Vec<String>,
    quantities: Vec<String>,
    times: Vec<f64>,
    from: Option<f64>,
    to: Option<f64>,
    format: String,
    how: Map<String, Value>,
}

impl Default for About {
    fn default() -> About {
        let (id, table, format) = Default::default();
        let (columns, quantities, times) = Default::default();
        About { id, table, columns, quantities, times, from: None, to: None, format, how: Map::new() }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Chosen {
    text: Option<String>,
    gallery: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Saved {
    name: String,
    text: Option<String>,
    base64: Option<String>,
}

/// Answers a request for a path below the token.
pub(crate) async fn route(shared: &Arc<Shared>, path: &str, request: Request<Incoming>) -> Reply {
    handle(shared, path, request).await.unwrap_or_else(|fault| fault.reply())
}

async fn handle(shared: &Arc<Shared>, path: &str, request: Request<Incoming>) -> Result<Reply, Fault> {
    match (request.method(), path) {
        (&Method::GET, "begin") => Ok(data(&shared.begin.value(shared.folder.as_deref()))),
        (&Method::GET, "gallery") => Ok(data(&gallery_list())),
        (&Method::GET, "alive") => Ok(data(&json!({ "life": shared.life }))),
        (&Method::GET, path) => match file(path) {
            Some((kind, contents)) => Ok(bytes(kind, contents)),
            None => Err(unknown(path)),
        },
        (&Method::POST, path) => {
            let path = path.to_string();
            posted(shared, &path, request).await
        }
        (method, _) => {
            let message = format!("the method {method} is not used here");
            Err(Fault::new(StatusCode::METHOD_NOT_ALLOWED, &message, "use GET or POST"))
        }
    }
}

fn unknown(path: &str) -> Fault {
    let message = format!("there is nothing at `{}`", saltation::cut(path));
    Fault::new(StatusCode::NOT_FOUND, &message, "open the address that the command printed")
}

async fn posted(shared: &Arc<Shared>, path: &str, request: Request<Incoming>) -> Result<Reply, Fault> {
    let body = Limited::new(request.into_body(), LONGEST).collect().await.map_err(|error| {
        match error.is::<http_body_util::LengthLimitError>() {
            true => {
                let message = format!("the request is longer than {LONGEST} bytes");
                Fault::new(StatusCode::PAYLOAD_TOO_LARGE, &message, "a model has at most a megabyte")
            }
            false => Fault::new(StatusCode::BAD_REQUEST, "the request ended too early", "send it again"),
        }
    })?;
    let body = body.to_bytes();
    match path {
        "ask" => ask(&shared.memory, &shared.pool, read(&body)?),
        "stop" => {
            let about: About = read(&body)?;
            Ok(data(&json!({ "stopped": shared.memory.stop(&about.id) })))
        }
        "system" | "look" | "answer" | "rows" | "numbers" | "curves" | "frames" | "figure" | "save" => {
            let (shared, path) = (shared.clone(), path.to_string());
            let replied = spawn_blocking(move || prompt(&shared, &path, &body)).await;
            let failed = |_| {
                let message = "the request failed by an error of the program";
                Fault::new(StatusCode::INTERNAL_SERVER_ERROR, message, "its place is on the terminal of the command")
            };
            replied.map_err(failed)?
        }
        path => Err(unknown(path)),
    }
}

fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Fault> {
    Ok(serde_json::from_slice(body)?)
}

/// What is answered at once.
fn prompt(shared: &Shared, path: &str, body: &[u8]) -> Result<Reply, Fault> {
    match path {
        "system" => system(shared, read(body)?),
        "save" => saved(shared, read(body)?),
        "look" => {
            let Look { text, entry, asked } = read(body)?;
            Ok(data(&look(&entry.system(&shared.memory.system(&text.into())?)?, &asked)?))
        }
        "answer" => {
            let about: About = read(body)?;
            Ok(data(&again(&shared.memory, &about.id)))
        }
        _ => {
            let about: About = read(body)?;
            let kept = known(shared, &about.id)?;
            match path {
                "rows" => Ok(data(&answer::rows(&kept, &about.table, &about.columns)?)),
                "numbers" => {
                    Ok(bytes("application/octet-stream", answer::numbers(&kept, &about.table, &about.columns)?))
                }
                "curves" => Ok(data(&answer::curves(&kept, &about.quantities, about.from.zip(about.to))?)),
                "frames" => Ok(data(&answer::frames(&kept, &about.times)?)),
                _ => {
                    let (kind, contents) = answer::figure(&kept, &about.format, about.how)?;
                    Ok(bytes(kind, contents))
                }
            }
        }
    }
}

fn known(shared: &Shared, id: &str) -> Result<Arc<StoredAnswer>, Fault> {
    shared.memory.answer(id).ok_or_else(|| {
        let message = format!("the answer `{}` is not known", saltation::cut(id));
        Fault::new(StatusCode::NOT_FOUND, &message, "ask for it again")
    })
}

fn system(shared: &Shared, chosen: Chosen) -> Result<Reply, Fault> {
    let text: Arc<str> = match (chosen.text, chosen.gallery) {
        (Some(text), _) => text.into(),
        (None, Some(name)) => gallery::find(&name)
            .ok_or_else(|| {
                let message = format!("the gallery has no model `{}`", saltation::cut(&name));
                Fault::new(StatusCode::BAD_REQUEST, &message, &saltation::suggestion(&name))
            })?
            .into(),
        (None, None) => return Err(Fault::new(StatusCode::BAD_REQUEST, "there is no model", "send a text or a name")),
    };
    let system = shared.memory.system(&text)?;
    Ok(data(&json!({ "text": &*text, "system": describe(&system)? })))
}

fn saved(shared: &Shared, Saved { name, text, base64 }: Saved) -> Result<Reply, Fault> {
    let contents = match (text, base64) {
        (Some(text), None) => text.into_bytes(),
        (None, Some(coded)) => STANDARD.decode(coded).map_err(|error| {
            Fault::new(StatusCode::BAD_REQUEST, &format!("the file is not in base 64: {error}"), "send it again")
        })?,
        _ => {
            return Err(Fault::new(
                StatusCode::BAD_REQUEST,
                "there is no file",
                "send its text or its bytes in base 64",
            ));
        }
    };
    let path = save(shared.folder.as_deref(), &name, contents)?;
    Ok(data(&json!({ "path": path })))
}

fn gallery_list() -> Value {
    let entry = |name: &str| {
        let system = System::gallery(name).ok();
        let model = system.as_ref().map(System::model);
        json!({ "name": name, "title": model.and_then(|m| m.title.clone()), "about": model.and_then(|m| m.about.clone()) })
    };
    gallery::NAMES.into_iter().map(entry).collect()
}
