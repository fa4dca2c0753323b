//! The command `adversary`: draws members of families, prints what disagrees, and ends with a table.

use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Duration;

use adversary::campaign::{self, Plan};
use adversary::{FAMILIES, Family, STOPPED};
use clap::Parser;

/// Random members of families of models against oracles. Exit code 1 if anything disagrees, or more than is tolerated.
#[derive(Parser)]
struct Arguments {
    /// For how many seconds members are drawn (60 unless --members is given)
    #[arg(long)]
    seconds: Option<f64>,
    /// How many members are drawn in all
    #[arg(long)]
    members: Option<u64>,
    /// The seed; the same seed gives the same members
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only these families
    #[arg(long)]
    family: Vec<String>,
    /// The first member of every family; with `--members 1` the only one
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// The share of members that may disagree, for families whose open causes are known
    #[arg(long, default_value_t = 0.0)]
    tolerate: f64,
    /// Prints members that the last digits of their start decide, too
    #[arg(long)]
    undecided: bool,
    /// How many threads
    #[arg(long, default_value_t = std::thread::available_parallelism().map_or(1, usize::from))]
    jobs: usize,
    /// Says which families there are
    #[arg(long)]
    list: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if arguments.list {
        FAMILIES.iter().for_each(|family| println!("{:<12} {}", family.name, family.about));
        return ExitCode::SUCCESS;
    }
    let families = match chosen(&arguments.family) {
        Ok(families) => families,
        Err(unknown) => {
            eprintln!("there is no family `{unknown}`; --list says which there are");
            return ExitCode::from(2);
        }
    };
    let seconds = arguments.seconds.or((arguments.members.is_none()).then_some(60.0));
    let Ok(time) = seconds.map(Duration::try_from_secs_f64).transpose() else {
        eprintln!("--seconds needs a number that is not negative");
        return ExitCode::from(2);
    };
    let (seed, first, members) = (arguments.seed, arguments.first, arguments.members);
    let plan = Plan { seed, first, members, time, jobs: arguments.jobs.max(1) };
    // Without a handler Ctrl-C ends the program at once, as it always does.
    let _ = ctrlc::set_handler(|| STOPPED.store(true, Ordering::Relaxed));
    std::panic::set_hook(Box::new(|_| {})); // panics are reported as disagreements
    let mut reported = std::time::Instant::now();
    let table = campaign::run(&families, &plan, |family, index, outcome, table| {
        let undecided = outcome.undecided.iter().filter(|_| arguments.undecided).map(|one| ("undecided: ", one));
        for (word, disagreement) in outcome.disagreements.iter().map(|one| ("", one)).chain(undecided) {
            println!("== {} {index}: {word}{}: {}", family.name, disagreement.oracle, disagreement.what);
            println!("# adversary --family {} --seed {seed} --first {index} --members 1", family.name);
            println!("{}", disagreement.file);
        }
        if reported.elapsed() > Duration::from_secs(5) {
            reported = std::time::Instant::now();
            let members: u64 = table.0.iter().map(|(_, tally)| tally.members).sum();
            eprintln!("{members} members, {} disagree", table.disagreeing());
        }
    });
    println!("seed {seed}\n{table}");
    let members: u64 = table.0.iter().map(|(_, tally)| tally.members).sum();
    let tolerated = table.disagreeing() as f64 <= arguments.tolerate * members as f64;
    ExitCode::from(u8::from(!tolerated))
}

/// The families with these names; all if there is no name.
fn chosen(names: &[String]) -> Result<Vec<Family>, String> {
    if names.is_empty() {
        return Ok(FAMILIES.to_vec());
    }
    let find = |name: &String| FAMILIES.iter().find(|family| family.name == name).copied().ok_or(name.clone());
    names.iter().map(find).collect()
}
