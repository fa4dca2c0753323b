//! A question of the page: computed by the library on a thread of its own, answered as a stream that grows.

use crate::answer::{event, lightened};
use crate::memory::{Memory, StoredAnswer};
use crate::reply::{Fault, Reply, events};
use crate::stream::{Events, Watch, stream};
use hyper::StatusCode;
use saltation::System;
use saltation::registry::{Found, Refused};
use saltation::session::Entry;
use serde_json::{Map, Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

/// How many computations run at once.
pub(crate) struct Pool {
    /// Of single motions, orbits and branches.
    single: Arc<Semaphore>,
    /// Of sweeps and basins, each of which takes all processors.
    many: Arc<Semaphore>,
}

impl Pool {
    pub(crate) fn new(threads: usize) -> Pool {
        Pool { single: Arc::new(Semaphore::new(threads.max(2))), many: Arc::new(Semaphore::new(1)) }
    }

    fn of(&self, question: &str) -> Arc<Semaphore> {
        match question {
            "sweep" | "basin" => self.many.clone(),
            _ => self.single.clone(),
        }
    }
}

/// The requests that an answer begins at, the furthest first.
///
/// # Errors
/// If one of them is not known any more.
fn chain(memory: &Memory, entry: &Entry) -> Result<Vec<Arc<StoredAnswer>>, Fault> {
    let mut chain: Vec<Arc<StoredAnswer>> = Vec::new();
    let mut next = entry.from.clone();
    while let Some(id) = next {
        let known = |kept: &Arc<StoredAnswer>| kept.entry.id == id;
        let Some(kept) = memory.answer(&id).filter(|_| !chain.iter().any(known)) else {
            let message = format!("the answer `{}` is not known", saltation::cut(&id));
            return Err(Fault::new(StatusCode::NOT_FOUND, &message, "ask for it again"));
        };
        next = kept.entry.from.clone();
        chain.push(kept);
    }
    chain.reverse();
    Ok(chain)
}

/// Whether a request begins at an answer of the same model at the same values, but for the parameter that varies.
///
/// # Errors
/// If not: the answer would be that of the former values, under the name of the new ones.
fn belongs(origin: &StoredAnswer, text: &str, entry: &Entry, system: &System) -> Result<(), Fault> {
    let refused = |what: &str| {
        let message = format!("the answer that this begins at belongs to {what}");
        let mut fault = Fault::new(StatusCode::CONFLICT, &message, "ask for it again");
        fault.mistakes.iter_mut().for_each(|mistake| mistake.field = Some("from".to_string()));
        Err(fault)
    };
    if &*origin.text != text {
        return refused("another text of the model");
    }
    // An orbit that begins at another is searched for at its own values.
    if !matches!(entry.question.as_str(), "continue" | "continue_equilibrium" | "curve") {
        return Ok(());
    }
    let varied: Vec<&str> = match entry.fields.get("along") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let known = origin.found.system();
    let mut now = entry.system(system)?;
    for name in varied {
        // Of another kind or name: the question itself says so.
        if let Some(value) = known.parameter(name)
            && let Ok(there) = now.with(name, value)
        {
            now = there;
        }
    }
    let (before, after) = (known.parameters(), now.parameters());
    match before.iter().zip(after.iter()).find(|((_, a), (_, b))| a.to_bits() != b.to_bits()) {
        Some(((name, a), (_, b))) => {
            refused(&format!("{name} = {}, and {name} is {} now", saltation::short(a, 10), saltation::short(b, 10)))
        }
        None => Ok(()),
    }
}

/// Begins to answer.
///
/// # Errors
/// A request that cannot be read, or that begins at an answer that is not known.
pub(crate) fn ask(memory: &Arc<Memory>, pool: &Pool, mut body: Map<String, Value>) -> Result<Reply, Fault> {
    let Some(Value::String(text)) = body.remove("text") else {
        return Err(Fault::new(StatusCode::BAD_REQUEST, "the request has no model", "send the text of the model"));
    };
    let entry: Entry = serde_json::from_value(Value::Object(body))?;
    let chain = chain(memory, &entry)?;
    let (sender, receiver) = stream();
    let flag = memory.begin(&entry.id);
    let (memory, permits) = (memory.clone(), pool.of(&entry.question));
    let work = Work { entry, text: text.into(), chain, events: sender, flag };
    tokio::spawn(async move {
        if permits.available_permits() == 0 {
            work.events
                .send_async("progress", &json!({ "share": null, "words": "waiting for other computations" }))
                .await;
        }
        // The pool is never closed.
        let Ok(permit) = permits.acquire_owned().await else { return };
        // A panic is caught within.
        let _ = spawn_blocking(move || {
            work.run(&memory);
            drop(permit);
        })
        .await;
    });
    Ok(events(receiver))
}

/// The event of an answer that is kept, as it ended its question; null if it is not known any more, or one that it begins at.
pub(crate) fn again(memory: &Memory, id: &str) -> Value {
    let known = memory.answer(id).and_then(|kept| Some((chain(memory, &kept.entry).ok()?, kept)));
    known.map_or(Value::Null, |(chain, kept)| event(&kept, &chain))
}

/// A question with all that it takes.
struct Work {
    entry: Entry,
    text: Arc<str>,
    chain: Vec<Arc<StoredAnswer>>,
    events: Events,
    flag: Arc<AtomicBool>,
}

impl Work {
    fn run(self, memory: &Memory) {
        let found = catch_unwind(AssertUnwindSafe(|| self.compute(memory)));
        memory.end(&self.entry.id, &self.flag);
        match found {
            // The stream has gone with its reader: nobody asks for this answer.
            _ if self.events.is_closed() => {}
            Ok(Ok(found)) => {
                let kept = memory.keep(StoredAnswer::new(self.entry.clone(), self.text.clone(), lightened(found)));
                let told = catch_unwind(AssertUnwindSafe(|| event(&kept, &self.chain)));
                match told {
                    Ok(event) => self.events.send("answer", &event),
                    Err(_) => self.failed(),
                };
            }
            Ok(Err(fault)) => {
                self.events.send("refused", &fault.value());
            }
            Err(_) => {
                self.failed();
            }
        }
    }

    fn failed(&self) -> bool {
        let message = "the computation failed by an error of the program; its place is on the terminal of the command";
        self.events.send("failed", &json!({ "message": message }))
    }

    fn compute(&self, memory: &Memory) -> Result<Found, Fault> {
        let system = memory.system(&self.text)?;
        let mut watch = Watch::new(self.events.clone(), self.flag.clone());
        if let Some(origin) = self.chain.last() {
            belongs(origin, &self.text, &self.entry, &system)?;
        }
        let origin = self.chain.last().map(|kept| &kept.found);
        let found = self.entry.ask(&system, origin, &mut watch);
        watch.flush();
        found.map_err(|refused: Refused| refused.into())
    }
}
