//! Replies: files, JSON and streams; and mistakes, each with its place and what to do about it.

use crate::json::text;
use crate::stream::Stream;
use http_body_util::Full;
use hyper::body::{Body, Bytes, Frame, SizeHint};
use hyper::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};
use saltation::Error;
use saltation::registry::{Refused, Wrong};
use serde::Serialize;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

/// What the page may load: itself.
const POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

/// The body of a reply.
pub(crate) enum Contents {
    /// All of it.
    Whole(Full<Bytes>),
    /// As it is found.
    Growing(Stream),
}

impl Body for Contents {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match self.get_mut() {
            Contents::Whole(whole) => Pin::new(whole).poll_frame(context),
            Contents::Growing(stream) => stream.poll(context).map(|part| part.map(|part| Ok(Frame::data(part)))),
        }
    }

    fn is_end_stream(&self) -> bool {
        matches!(self, Contents::Whole(whole) if whole.is_end_stream())
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Contents::Whole(whole) => whole.size_hint(),
            Contents::Growing(_) => SizeHint::default(),
        }
    }
}

/// A reply.
pub(crate) type Reply = Response<Contents>;

fn with(status: StatusCode, kind: &'static str, contents: Contents) -> Reply {
    let mut reply = Response::new(contents);
    *reply.status_mut() = status;
    let headers = [
        (CONTENT_TYPE, kind),
        (CACHE_CONTROL, "no-store"),
        (CONTENT_SECURITY_POLICY, POLICY),
        (HeaderName::from_static("referrer-policy"), "no-referrer"),
        (HeaderName::from_static("x-content-type-options"), "nosniff"),
    ];
    for (name, value) in headers {
        reply.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    reply
}

/// Bytes of a type.
pub(crate) fn bytes(kind: &'static str, bytes: impl Into<Bytes>) -> Reply {
    with(StatusCode::OK, kind, Contents::Whole(Full::new(bytes.into())))
}

/// JSON.
pub(crate) fn data(value: &impl Serialize) -> Reply {
    bytes("application/json", text(value))
}

/// Server-sent events.
pub(crate) fn events(stream: Stream) -> Reply {
    with(StatusCode::OK, "text/event-stream", Contents::Growing(stream))
}

/// A request that cannot be answered, with what is wrong.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fault {
    pub status: StatusCode,
    pub mistakes: Vec<Place>,
}

/// A mistake with its place.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Place {
    pub message: String,
    pub help: String,
    /// The field of the request.
    pub field: Option<String>,
    /// The text that is meant.
    pub place: Option<String>,
    /// Line and column in that text, from 1, and the number of characters.
    pub line: Option<usize>,
    pub column: Option<usize>,
    pub length: Option<usize>,
}

impl Place {
    fn of_field(field: &str, message: &str, help: &str) -> Place {
        let field = Some(field.to_string()).filter(|field| !field.is_empty());
        let (message, help) = (message.to_string(), help.to_string());
        Place { message, help, field, place: None, line: None, column: None, length: None }
    }
}

impl Fault {
    /// One sentence, and what to do about it.
    pub(crate) fn new(status: StatusCode, message: &str, help: &str) -> Fault {
        Fault { status, mistakes: vec![Place::of_field("", message, help)] }
    }

    /// As JSON.
    pub(crate) fn value(&self) -> Value {
        json!({ "mistakes": self.mistakes })
    }

    /// As a reply.
    pub(crate) fn reply(&self) -> Reply {
        with(self.status, "application/json", Contents::Whole(Full::new(text(&self.value()).into())))
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        let mistakes = match &error {
            Error::Text(texts) => texts
                .iter()
                .flat_map(|text| {
                    text.list.iter().map(|mistake| {
                        let span = mistake.span.as_ref().filter(|_| !text.text.is_empty());
                        let place = span.map(|span| text.line_and_column(span.start));
                        let part = span.and_then(|span| text.text.get(span.clone()));
                        Place {
                            message: mistake.message.clone(),
                            help: mistake.help.clone().unwrap_or_default(),
                            field: None,
                            place: Some(text.file.clone()),
                            line: place.map(|(line, _)| line),
                            column: place.map(|(_, column)| column),
                            length: part.map(|part| part.chars().count()),
                        }
                    })
                })
                .collect(),
            Error::Request(list) => {
                list.iter().map(|one| Place::of_field(one.field, &one.message, &one.help)).collect()
            }
            Error::Ended { lines, .. } => vec![Place::of_field("", &lines.join("; "), "")],
        };
        Fault { status: StatusCode::BAD_REQUEST, mistakes }
    }
}

impl From<Wrong> for Fault {
    fn from(Wrong { field, message, help }: Wrong) -> Fault {
        Fault { status: StatusCode::BAD_REQUEST, mistakes: vec![Place::of_field(&field, &message, &help)] }
    }
}

impl From<Refused> for Fault {
    fn from(refused: Refused) -> Fault {
        match refused {
            Refused::Wrong(wrong) => wrong.into(),
            Refused::Error(error) => error.into(),
        }
    }
}

impl From<serde_json::Error> for Fault {
    fn from(error: serde_json::Error) -> Fault {
        Fault::new(StatusCode::BAD_REQUEST, &format!("the request cannot be read: {error}"), "send what the page sends")
    }
}
