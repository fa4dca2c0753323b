//! Server-sent events: a channel from a computation to a reply, and the progress that writes to it. When the reader has gone, the computation ends.

use crate::json::text;
use hyper::body::Bytes;
use saltation::{Cell, Progress, Table};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// The shortest time between two events of progress.
const SHOWN: Duration = Duration::from_millis(100);
/// The shortest time between two looks whether the reader is there.
const LOOKED: Duration = Duration::from_millis(10);
/// Events on their way to a reader; a slow reader slows the computation.
const WAITING: usize = 64;
/// The largest number of rows that are shown while they are found. The answer has all.
const MOST_ROWS: usize = 200_000;

/// The reading end.
pub(crate) struct Stream(Receiver<Bytes>);

impl Stream {
    pub(crate) fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Bytes>> {
        self.0.poll_recv(context)
    }
}

/// The writing end.
#[derive(Clone)]
pub(crate) struct Events(Sender<Bytes>);

/// Both ends of a stream.
pub(crate) fn stream() -> (Events, Stream) {
    let (sender, receiver) = channel(WAITING);
    (Events(sender), Stream(receiver))
}

/// An event as it is sent.
fn event(name: &str, data: &str) -> Bytes {
    // JSON has no line breaks of its own.
    format!("event: {name}\ndata: {data}\n\n").into()
}

impl Events {
    /// Sends an event from a thread that may wait; whether there is a reader.
    pub(crate) fn send(&self, name: &str, data: &impl Serialize) -> bool {
        self.0.blocking_send(event(name, &text(data))).is_ok()
    }

    /// Sends an event from a task.
    pub(crate) async fn send_async(&self, name: &str, data: &impl Serialize) -> bool {
        self.0.send(event(name, &text(data))).await.is_ok()
    }

    /// Whether the reader has gone.
    pub(crate) fn is_closed(&self) -> bool {
        self.0.is_closed()
    }
}

/// Watches a computation for its reader.
pub(crate) struct Watch {
    events: Events,
    /// Raised to end the computation and keep what was found.
    stop: Arc<AtomicBool>,
    looked: Instant,
    shown: Instant,
    gone: bool,
    /// Rows that were found and not sent yet, by table.
    rows: VecDeque<Table>,
    left: usize,
}

impl Watch {
    pub(crate) fn new(events: Events, stop: Arc<AtomicBool>) -> Watch {
        let now = Instant::now();
        Watch { events, stop, looked: now, shown: now, gone: false, rows: VecDeque::new(), left: MOST_ROWS }
    }

    /// Sends the rows that wait.
    pub(crate) fn flush(&mut self) {
        while let Some(Table { name, head, rows }) = self.rows.pop_front() {
            let rows: Vec<Vec<Value>> = rows.into_iter().map(|row| row.into_iter().map(value).collect()).collect();
            self.gone |= !self.events.send("part", &json!({ "table": name, "head": head, "rows": rows }));
        }
    }
}

/// A cell as JSON; a number that is not finite is null.
pub(crate) fn value(cell: Cell) -> Value {
    match cell {
        Cell::Number(x) => x.into(),
        Cell::Count(n) => n.into(),
        Cell::Word(word) => word.into(),
        Cell::Flag(flag) => flag.into(),
        Cell::Empty => Value::Null,
    }
}

impl Progress for Watch {
    fn see(&mut self, share: Option<f64>, words: &dyn Fn() -> String) -> bool {
        let now = Instant::now();
        if now.duration_since(self.looked) >= LOOKED {
            self.looked = now;
            self.gone |= self.events.is_closed();
        }
        if !self.gone && now.duration_since(self.shown) >= SHOWN {
            self.shown = now;
            self.flush();
            self.gone |= !self.events.send("progress", &json!({ "share": share, "words": words() }));
        }
        !self.gone && !self.stop.load(Ordering::Relaxed)
    }

    fn grow(&mut self, rows: &dyn Fn() -> Vec<Table>) {
        if self.left == 0 {
            return;
        }
        for table in rows() {
            self.left = self.left.saturating_sub(table.rows.len());
            match self.rows.iter_mut().find(|known| known.name == table.name && known.head == table.head) {
                Some(known) => known.rows.extend(table.rows),
                None => self.rows.push_back(table),
            }
        }
    }
}
