//! Writes the model files of N equal discs in a box, with friction between all of them and with the walls, and
//! of a column of N balls.
//!
//! ```text
//! cargo run --release -p saltation-cli --example discs -- 50 > discs.toml
//! cargo run --release -p saltation-cli --example discs -- column 10 > column.toml
//! saltation simulate discs.toml --method moreau --step 1e-3 --until 2
//! ```

#[path = "../src/bench/texts.rs"]
mod texts;

use std::process::ExitCode;
use texts::{column, discs};

/// The most discs or balls: 2000 discs have two million contacts, and their text takes half a gigabyte.
const MOST: usize = 2000;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let count = |word: &str| word.parse().ok().filter(|count| (1..=MOST).contains(count));
    let text = match words[..] {
        [word] => count(word).map(discs),
        ["column", word] => count(word).map(column),
        _ => None,
    };
    match text {
        Some(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        None => {
            eprintln!("write `discs N` or `discs column N`, with N from 1 to {MOST}");
            ExitCode::from(2)
        }
    }
}
