//! The command `adversary`: draws members of families, prints what disagrees, and ends with a table.

use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use adversary::campaign::{self, Plan};
use adversary::{EXPECTED, Expected, FAMILIES, Family, NAMED, STOPPED, Table, expected};
use clap::Parser;

/// Random members of families of models against oracles. Exit code 1 if anything disagrees that is not known to.
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
    /// Only the members that are known to disagree, whatever their seed
    #[arg(long, conflicts_with_all = ["seconds", "members", "seed", "family", "first"])]
    expected: bool,
    /// How many times as long all limits of time are; with a large number the speed of the machine decides nothing
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    patience: u32,
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
        NAMED.iter().for_each(|family| println!("{:<12} {} (where it is named)", family.name, family.about));
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
    let (jobs, patience) = (arguments.jobs.max(1), arguments.patience);
    // Without a handler Ctrl-C ends the program at once, as it always does.
    let _ = ctrlc::set_handler(|| STOPPED.store(true, Ordering::Relaxed));
    std::panic::set_hook(Box::new(|_| {})); // panics are reported as disagreements
    if arguments.expected {
        let plan = |one: &Expected| Plan {
            seed: one.seed,
            first: one.member,
            members: Some(1),
            time: None,
            jobs: 1,
            patience,
        };
        let families = |one: &Expected| chosen(&[one.family.to_string()]).unwrap_or_default();
        EXPECTED.iter().for_each(|one| drop(examine(&families(one), &plan(one), &arguments)));
        return ExitCode::SUCCESS;
    }
    let table = examine(&families, &Plan { seed, first, members, time, jobs, patience }, &arguments);
    println!("seed {seed}\n{table}");
    ExitCode::from(u8::from(table.disagreeing() > 0))
}

/// Examines members, and prints what disagrees and how far it has come.
fn examine(families: &[Family], plan: &Plan, arguments: &Arguments) -> Table {
    let seed = plan.seed;
    let mut reported = Instant::now();
    campaign::run(families, plan, |family, index, outcome, table| {
        let name = family.name;
        let known = expected(name, seed, index);
        match known {
            Some(_) if outcome.disagreements.is_empty() => {
                println!("== {name} {index} of seed {seed} agrees: remove it from crates/adversary/src/expected.rs");
            }
            Some(one) => println!("== {name} {index} of seed {seed} disagrees, as expected: {}", one.why),
            None => {}
        }
        let undecided = outcome.undecided.iter().filter(|_| arguments.undecided).map(|one| ("undecided: ", one));
        let disagreeing = outcome.disagreements.iter().filter(|_| known.is_none()).map(|one| ("", one));
        for (word, disagreement) in disagreeing.chain(undecided) {
            println!("== {name} {index}: {word}{}: {}", disagreement.oracle, disagreement.what);
            println!("# adversary --family {name} --seed {seed} --first {index} --members 1");
            println!("{}", disagreement.file);
        }
        if reported.elapsed() > Duration::from_secs(5) {
            reported = Instant::now();
            eprintln!("{} members, {} disagree", table.members(), table.disagreeing());
        }
    })
}

/// The families with these names; if there is no name all but those that are examined only where they are named.
fn chosen(names: &[String]) -> Result<Vec<Family>, String> {
    if names.is_empty() {
        return Ok(FAMILIES.to_vec());
    }
    let all = || FAMILIES.iter().chain(NAMED);
    let find = |name: &String| all().find(|family| family.name == name).copied().ok_or(name.clone());
    names.iter().map(find).collect()
}
