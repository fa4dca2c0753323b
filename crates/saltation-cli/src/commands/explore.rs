//! `saltation explore`: serves the live page of a model on this machine, or asks the requests of a saved session again.

use crate::arguments::{argument, positional};
use crate::driver::trouble;
use crate::flag::{Flag, collect};
use crate::given::Given;
use crate::input;
use crate::messages;
use crate::outcome::{Outcome, Trouble, print};
use crate::progress::{self, Progress};
use clap::Command;
use saltation::field::{Field, Kind};
use saltation::session::Session;
use saltation::{Mistake, Mistakes, System};
use saltation_page::{Begin, Options, Page};
use serde_json::{Value, json};
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::process::{self, Stdio};

/// The longest file of a session, in bytes.
const LONGEST: u64 = 64 * 1024 * 1024;

/// What its help says.
pub(crate) fn describe(command: Command) -> Command {
    command.about("Open a live page of a model in the browser: trajectories, orbits, branches, sweeps, basins, modes; all of it on this machine").after_help(
        "\
The page is served on the loopback interface only, under an address that nobody can guess, until
Ctrl-C. It reads the model that is given and what the page sends, and saves files only into the
folder of --out.

Examples:
  saltation explore impact-oscillator
  saltation explore my-model.toml --out results
  saltation explore --session session.json
  saltation explore --run session.json",
    )
    .arg(positional(&MODEL).required_unless_present_any(["session", "run"]))
    .args(FLAGS.iter().map(argument))
}

const MODEL: Field = Field::new("model", Kind::Model, "MODEL", "A model file, or the name of a model of the gallery")
    .without(&["session", "run"]);

const FLAGS: [Field; 8] = [
    Field::new("session", Kind::File, "FILE", "Open a session that the page has saved").without(&["run"]),
    Field::new(
        "run",
        Kind::File,
        "FILE",
        "Ask the requests of a session without the page, and print each answer as one line of JSON, with its command and its Python",
    ),
    Field::new("out", Kind::Folder, "DIR", "The folder into which the page may save files").without(&["run"]),
    Field::whole("port", 0, Some(u16::MAX as u64), "N", "The port").otherwise("one that is free").without(&["run"]),
    Field::new(
        "token",
        Kind::Text,
        "WORD",
        "The secret word of the address, so that a page finds the server again after a restart: at least 16 letters and digits",
    )
    .otherwise("a random one")
    .without(&["run"]),
    Field::whole("threads", 1, None, "N", "Number of computations at once")
        .otherwise("the number of processors")
        .without(&["run"]),
    Field::switch("no_browser", "Print the address and open no browser").without(&["run"]),
    Field::switch("quiet", "Print only the address, or the answers, and errors"),
];

/// Runs the command.
pub(crate) fn run(given: Given) -> Outcome {
    match given.file("run") {
        Some(file) => again(&session(file)?, given.is("quiet")),
        None => serve(given),
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
                let export = session.export(&entry.id);
                let (command, python) = export.map(|export| (export.command, export.python)).unwrap_or_default();
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
fn begin(given: Given) -> Result<Begin, Trouble> {
    match (given.file("session"), given.text("model")) {
        (Some(file), _) => {
            let session = session(file)?;
            let system = session.system().map_err(trouble)?;
            Ok(Begin { name: session.model.name.clone(), system, session: Some(session) })
        }
        (None, name) => {
            let model = input::find(name.unwrap_or_default())?;
            let system = System::new(model).map_err(trouble)?;
            Ok(Begin { name: system.model().name.clone(), system, session: None })
        }
    }
}

fn serve(given: Given) -> Outcome {
    let mut wrong = Vec::new();
    let port = given.flag("port").and_then(|flag| {
        let read =
            flag.value().trim().parse::<u16>().map_err(|_| {
                flag.mistake("a port is a whole number up to 65535", "leave it out to get one that is free")
            });
        collect(read, &mut wrong)
    });
    let threads = given.flag("threads").and_then(|flag| collect(flag.count(), &mut wrong));
    if let Some(folder) = given.file("out").filter(|folder| folder.exists() && !folder.is_dir()) {
        let typed = folder.display().to_string();
        wrong.push(Flag::new("out", &typed).mistake("this is a file, not a folder", "name a folder"));
    }
    if !wrong.is_empty() {
        return Err(Trouble::Input(wrong));
    }
    let threads = threads.map(|threads| threads.min(1024) as usize);
    let options = Options {
        folder: given.file("out").map(Path::to_path_buf),
        port,
        token: given.text("token").map(str::to_string),
        threads,
    };
    let page = Page::open(begin(given)?, options).map_err(unopened)?;
    // From here on Ctrl-C ends the page.
    let progress = Progress::begin(true);
    let address = page.address();
    print(|output| writeln!(output, "{address}"))?;
    if !given.is("no_browser") && !open(&address) && !given.is("quiet") {
        messages::warn("no browser could be opened; open the address above");
    }
    if !given.is("quiet") {
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
        let mut program = process::Command::new(words[0]);
        program.args(&words[1..]).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        program.spawn().is_ok()
    })
}
