//! The server: a listener on the loopback interface at a random port, with a random token in its address.

use crate::address;
use crate::ask::Pool;
use crate::begin::Begin;
use crate::memory::Memory;
use crate::reply::{Fault, Reply};
use crate::route::{Shared, route};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::Semaphore;

/// The largest number of connections at once.
const MOST_CONNECTIONS: usize = 256;
/// The size of the stack of a thread that computes: that of the first thread of a process.
const STACK: usize = 8 * 1024 * 1024;
/// How often the end is looked for.
const LOOK: Duration = Duration::from_millis(50);
/// How long computations have to end.
const PATIENCE: Duration = Duration::from_secs(2);

/// How the page is served.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The folder into which the page may save files.
    pub folder: Option<PathBuf>,
    /// The port; without it one that is free.
    pub port: Option<u16>,
    /// The token of the address, at least 16 letters and digits; without it a random one.
    pub token: Option<String>,
    /// The number of computations at once; without it as many as the machine has processors.
    pub threads: Option<usize>,
}

/// A page that is ready to be served.
pub struct Page {
    listener: TcpListener,
    token: String,
    port: u16,
    threads: usize,
    shared: Arc<Shared>,
}

impl Page {
    /// Listens on the loopback interface.
    ///
    /// ```
    /// use saltation::System;
    /// use saltation_page::{Begin, Options, Page};
    /// let system = System::gallery("bouncing-ball").unwrap();
    /// let begin = Begin { name: "bouncing-ball".to_string(), system, session: None };
    /// let page = Page::open(begin, Options::default())?;
    /// assert!(page.address().starts_with("http://127.0.0.1:"));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// A port that is in use, or a token that is too short or has other characters.
    pub fn open(begin: Begin, options: Options) -> io::Result<Page> {
        let Options { folder, port, token, threads } = options;
        let token = match token {
            Some(token) if address::is_token(&token) => token,
            Some(_) => {
                let (least, most) = (address::SHORTEST, address::LONGEST);
                let message = format!("a token has {least} to {most} letters and digits");
                return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
            }
            None => address::token()?,
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port.unwrap_or(0)))?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        let threads = threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(2, usize::from));
        let memory = Arc::new(Memory::new(Some(&begin.system)));
        let shared = Arc::new(Shared { memory, pool: Pool::new(threads), begin, folder, life: address::token()? });
        Ok(Page { listener, token, port, threads, shared })
    }

    /// The address of the page.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token)
    }

    /// Serves until `ended` returns true, which is asked every 50 ms. Computations are then ended.
    ///
    /// # Errors
    /// If the system refuses threads or connections.
    pub fn serve(self, ended: impl Fn() -> bool) -> io::Result<()> {
        let Page { listener, token, port, threads, shared } = self;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .thread_stack_size(STACK)
            // Besides computations, what is answered at once.
            .max_blocking_threads(threads + 8)
            .build()?;
        let memory = shared.memory.clone();
        let served = runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            let door = Arc::new(Door { token, port, shared, open: AtomicBool::new(true) });
            let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
            loop {
                let accepted = tokio::time::timeout(LOOK, listener.accept()).await;
                if ended() {
                    door.open.store(false, Ordering::Relaxed);
                    return Ok(());
                }
                let stream = match accepted {
                    Err(_) => continue,
                    Ok(Ok((stream, _))) => stream,
                    // A connection that was broken, or too many files: the next one may be better.
                    Ok(Err(_)) => {
                        tokio::time::sleep(LOOK).await;
                        continue;
                    }
                };
                let Ok(place) = places.clone().try_acquire_owned() else { continue };
                let door = door.clone();
                tokio::spawn(async move {
                    let service = service_fn(|request| answer(door.clone(), request));
                    let mut connection = http1::Builder::new();
                    connection.timer(TokioTimer::new()).header_read_timeout(Duration::from_secs(30));
                    // A connection that breaks ends what it asked for.
                    let _ = connection.serve_connection(TokioIo::new(stream), service).await;
                    drop(place);
                });
            }
        });
        memory.stop_all();
        runtime.shutdown_timeout(PATIENCE);
        served
    }
}

/// What every connection knows.
struct Door {
    token: String,
    port: u16,
    shared: Arc<Shared>,
    open: AtomicBool,
}

async fn answer(door: Arc<Door>, request: Request<Incoming>) -> Result<Reply, Infallible> {
    if !door.open.load(Ordering::Relaxed) || !address::is_own(request.headers(), door.port) {
        return Ok(foreign().reply());
    }
    let path = request.uri().path().to_string();
    Ok(match address::after_token(&path, &door.token) {
        Some(path) => route(&door.shared, path, request).await,
        None => foreign().reply(),
    })
}

fn foreign() -> Fault {
    Fault::new(
        StatusCode::FORBIDDEN,
        "this is not the address of the page",
        "open the address that the command printed",
    )
}
