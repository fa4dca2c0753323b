//! `saltation explore`: serves the live page of a model on this machine, or asks the requests of a saved session again.

use crate::driver::trouble;
use crate::flag::{Flag, collect};
use crate::input;
use crate::messages;
use crate::outcome::{Outcome, Trouble, print};
use crate::progress::{self, Progress};
use clap::Args;
use saltation::session::Session;
use saltation::{Mistake, Mistakes, System};
use saltation_page::{Begin, Options, Page};
use serde_json::{Value, json};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The longest file of a session, in bytes.
const LONGEST: u64 = 64 * 1024 * 1024;

/// Open a live page of a model in the browser: motions, orbits, branches, sweeps, basins, modes; all of it on this machine
#[derive(Debug, Args)]
#[command(after_help = "\
The page is served on the loopback interface only, under an address that nobody can guess, until
Ctrl-C. It reads the model that is given and what the page sends, and saves files only into the
folder of --out.

Examples:
  saltation explore impact-oscillator
  saltation explore my-model.toml --out results
  saltation explore --session session.json
  saltation explore --run session.json")]
pub(crate) struct Explore {
    /// A model file, or the name of a model of the gallery
    #[arg(value_name = "MODEL", required_unless_present_any = ["session", "run"], conflicts_with_all = ["session", "run"])]
    pub model: Option<String>,
    /// Open a session that the page has saved
    #[arg(long, value_name = "FILE", conflicts_with = "run")]
    pub session: Option<PathBuf>,
    /// Ask the requests of a session without the page, and print each answer as one line of JSON, with its command and its Python
    #[arg(long, value_name = "FILE")]
    pub run: Option<PathBuf>,
    /// The folder into which the page may save files
    #[arg(long, value_name = "DIR", conflicts_with = "run")]
    pub out: Option<PathBuf>,
    /// The port [default: one that is free]
    #[arg(long, value_name = "N", conflicts_with = "run", allow_hyphen_values = true)]
    pub port: Option<String>,
    /// The secret word of the address, so that a page finds the server again after a restart: at least 16 letters and digits [default: a random one]
    #[arg(long, value_name = "WORD", conflicts_with = "run")]
    pub token: Option<String>,
    /// Number of computations at once [default: the number of processors]
    #[arg(long, value_name = "N", conflicts_with = "run", allow_hyphen_values = true)]
    pub threads: Option<String>,
    /// Print the address and open no browser
    #[arg(long, conflicts_with = "run")]
    pub no_browser: bool,
    /// Print only the address, or the answers, and errors
    #[arg(long)]
    pub quiet: bool,
}

/// Runs the command.
pub(crate) fn run(arguments: &Explore) -> Outcome {
    match &arguments.run {
        Some(file) => again(&session(file)?, arguments.quiet),
        None => serve(arguments),
    }
}

fn file_mistake(file: &Path, message: String, help: &str) -> Trouble {
    let mistake = Mistake::general(message).help(help);
    Trouble::Input(vec![Mistakes { file: file.display().to_string(), text: String::new(), list: vec![mistake] }])
}

fn session(file: &Path) -> Result<Session, Trouble> {
    let unread = |error: std::io::Error| {
        file_mistake(
            file,
            format!("`{}` cannot be read: {error}", file.display()),
            "give a file that the page saved as a session",
        )
    };
    let mut text = String::new();
    std::fs::File::open(file).and_then(|file| file.take(LONGEST + 1).read_to_string(&mut text)).map_err(unread)?;
    if text.len() as u64 > LONGEST {
        let message = format!("`{}` is longer than a session may be, {LONGEST} bytes", file.display());
        return Err(file_mistake(file, message, "give a file that the page saved as a session"));
    }
    Session::read(&text, &file.display().to_string()).map_err(trouble)
}

/// The requests of a session, each answer as a line.
fn again(session: &Session, quiet: bool) -> Outcome {
    let mut progress = Progress::begin(quiet);
    let mut printed = Ok(());
    let mut short = Vec::new();
    let asked = session.run_with(&mut progress, &mut |entry, found| {
        let line = match found {
            Ok(found) => {
                let ending = found.answered().ending();
                if !ending.complete {
                    short.push(format!("`{}`: {}", entry.id, ending.lines.join("; ")));
                }
                let answer: Value = serde_json::from_str(&found.answered().json()).unwrap_or_default();
                let home = session.home(&entry.id);
                let (command, python) = home.map(|home| (home.command, home.python)).unwrap_or_default();
                json!({ "id": entry.id, "question": entry.question, "answer": answer, "command": command, "python": python })
            }
            Err(refused) => {
                short.push(format!("`{}`: {refused}", entry.id));
                json!({ "id": entry.id, "question": entry.question, "refused": refused.to_string() })
            }
        };
        printed = print(|output| writeln!(output, "{line}"));
        printed.is_ok() && !progress::is_stopped()
    });
    progress.finish();
    asked.map_err(trouble)?;
    printed?;
    match short.is_empty() {
        true => Ok(()),
        false => Err(Trouble::Short(short.join("\n  "))),
    }
}

/// What the page shows first.
fn begin(arguments: &Explore) -> Result<Begin, Trouble> {
    match (&arguments.session, &arguments.model) {
        (Some(file), _) => {
            let session = session(file)?;
            let system = session.system().map_err(trouble)?;
            Ok(Begin { name: session.model.name.clone(), system, session: Some(session) })
        }
        (None, name) => {
            let model = input::find(name.as_deref().unwrap_or_default())?;
            let system = System::new(model).map_err(trouble)?;
            Ok(Begin { name: system.model().name.clone(), system, session: None })
        }
    }
}

fn serve(arguments: &Explore) -> Outcome {
    let mut wrong = Vec::new();
    let port = arguments.port.as_ref().and_then(|text| {
        let flag = Flag::new("--port", text);
        let read = text
            .trim()
            .parse::<u16>()
            .map_err(|_| flag.mistake("a port is a whole number up to 65535", "leave it out to get one that is free"));
        collect(read, &mut wrong)
    });
    let threads = input::count("--threads", arguments.threads.as_ref(), &mut wrong);
    if let Some(folder) = arguments.out.as_ref().filter(|folder| folder.exists() && !folder.is_dir()) {
        let typed = folder.display().to_string();
        wrong.push(Flag::new("--out", &typed).mistake("this is a file, not a folder", "name a folder"));
    }
    if !wrong.is_empty() {
        return Err(Trouble::Input(wrong));
    }
    let threads = threads.map(|threads| threads.min(1024) as usize);
    let options = Options { folder: arguments.out.clone(), port, token: arguments.token.clone(), threads };
    let page = Page::open(begin(arguments)?, options).map_err(unopened)?;
    // From here on Ctrl-C ends the page.
    let progress = Progress::begin(true);
    let address = page.address();
    print(|output| writeln!(output, "{address}"))?;
    if !arguments.no_browser && !open(&address) && !arguments.quiet {
        messages::warn("no browser could be opened; open the address above");
    }
    if !arguments.quiet {
        messages::warn("the page is served until Ctrl-C");
    }
    let served = page.serve(progress::is_stopped);
    drop(progress);
    served.map_err(|error| Trouble::Short(format!("the page is served no more: {error}")))
}

fn unopened(error: std::io::Error) -> Trouble {
    let help = match error.kind() {
        ErrorKind::AddrInUse => {
            "another program listens there, perhaps another page; leave --port out to get a free port"
        }
        ErrorKind::PermissionDenied => "choose a port from 1024 on, or leave --port out",
        ErrorKind::InvalidInput => "leave --token out to get a random one",
        _ => "see whether this machine has a loopback interface",
    };
    Trouble::input(Mistake::general(format!("the page cannot be served: {error}")).help(help), "saltation explore")
}

/// Opens the address in the browser of the desktop; whether a program was found that does.
fn open(address: &str) -> bool {
    let programs: &[&[&str]] = match std::env::consts::OS {
        "macos" => &[&["open"]],
        "windows" => &[&["rundll32", "url.dll,FileProtocolHandler"]],
        _ if std::env::var_os("DISPLAY").is_none() && std::env::var_os("WAYLAND_DISPLAY").is_none() => &[],
        _ => &[&["xdg-open"], &["gio", "open"]],
    };
    programs.iter().any(|words| {
        let mut program = Command::new(words[0]);
        program.args(&words[1..]).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        program.spawn().is_ok()
    })
}
