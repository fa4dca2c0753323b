//! A command as it is typed, run in this process by the driver of all questions. The files that it names lie in a folder.

use crate::arguments;
use crate::commands::COMMANDS;
use crate::given::Given;
use crate::outcome::Trouble;
use crate::typed;
use saltation::field::{Form, Kind, flag_name};
use saltation::registry::form;
use serde_json::Value;
use std::cell::RefCell;
use std::ffi::OsString;
use std::path::Path;

/// The answer of a command, and how it ended if that was early.
#[derive(Debug)]
pub(crate) struct Answer {
    /// What `--json` prints.
    pub text: String,
    /// The same, read.
    pub value: Value,
    /// Why it ended early.
    pub ended: Option<String>,
}

/// The parts of a line: the words behind `saltation`, and the file behind `>`.
fn parts(line: &str) -> Result<(Vec<String>, Option<String>), String> {
    let mut words = words(line)?;
    let file = match words.iter().position(|word| word == ">") {
        Some(place) => {
            let rest = words.split_off(place);
            let file = rest.get(1).cloned().filter(|_| rest.len() == 2);
            Some(file.ok_or_else(|| format!("one file belongs behind > in `{line}`"))?)
        }
        None => None,
    };
    if words.first().is_none_or(|word| word != "saltation") {
        return Err(format!("`{line}` is no command of saltation"));
    }
    words.remove(0);
    Ok((words, file))
}

/// The words of a line, as a shell takes them; quotes keep words together.
fn words(line: &str) -> Result<Vec<String>, String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in line.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    if quote.is_some() { Err(format!("a quote is open in `{line}`")) } else { Ok(words) }
}

/// The names of the pictures that a line draws.
pub(crate) fn pictures(line: &str) -> Vec<String> {
    let words = words(line).unwrap_or_default();
    let drawn = words.windows(2).filter(|pair| ["--plot", "--sketch"].contains(&pair[0].as_str()));
    drawn.map(|pair| pair[1].clone()).collect()
}

/// The words with the files that they name in the folder: values of flags, and a model that lies there.
fn placed(words: &[String], form: &Form, folder: &Path) -> Vec<String> {
    let inside = |word: &str| folder.join(word).display().to_string();
    let is_file = |kind: Kind| matches!(kind, Kind::File | Kind::Folder | Kind::Answer | Kind::Starts | Kind::Data);
    let flags: Vec<String> =
        form.flags().filter(|field| is_file(field.kind)).map(|field| flag_name(field.name)).collect();
    let place = |(i, word): (usize, &String)| {
        let is_value = i > 0 && flags.contains(&words[i - 1]);
        let is_model = i == 1 && word.ends_with(".toml");
        if is_value || is_model { inside(word) } else { word.clone() }
    };
    words.iter().enumerate().map(place).collect()
}

/// Runs a line; the answer is also written to the file behind `>`.
///
/// # Errors
/// If it is no question or has mistakes, or if it ends without an answer.
pub(crate) fn run(line: &str, folder: &Path, quiet: bool) -> Result<Answer, Trouble> {
    let short = |message: String| Trouble::Short(message);
    let (words, file) = parts(line).map_err(short)?;
    let entry = COMMANDS.iter().find(|(name, ..)| words.first().is_some_and(|word| word == name));
    let Some(((name, _, run), form)) = entry.and_then(|entry| Some((entry, form(entry.0)?))) else {
        return Err(short(format!("`{line}` asks no question")));
    };
    let mut placed = placed(&words, form, folder);
    for (flag, wanted) in [("--json", true), ("--quiet", quiet)] {
        if wanted && !placed.iter().any(|word| word == flag) {
            placed.push(flag.to_string());
        }
    }
    let all: Vec<OsString> = placed.iter().map(OsString::from).collect();
    typed::keep(&all);
    let read = arguments::program().try_get_matches_from(std::iter::once(OsString::from("saltation")).chain(all));
    let read = read.map_err(|error| short(format!("`{line}`: {error}")))?;
    let Some(given) = read.subcommand_matches(name) else { return Err(short(format!("`{line}` asks no question"))) };
    let kept = RefCell::new(String::new());
    let outcome = run(Given::keeping(given, &kept));
    let text = kept.into_inner();
    let ended = match outcome {
        Ok(()) => None,
        Err(Trouble::Short(why)) if !text.is_empty() => Some(why),
        Err(trouble) => return Err(trouble),
    };
    let value = serde_json::from_str(&text).map_err(|error| short(format!("`{line}` has no answer: {error}")))?;
    if let Some(file) = file {
        std::fs::write(folder.join(&file), &text).map_err(|error| Trouble::unwritten(&file, &error))?;
    }
    Ok(Answer { text, value, ended })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_as_a_shell_reads_it() {
        let line = "saltation simulate ball.toml --set 'K=2*(1 + e)' --json > ball.json";
        let (words, file) = parts(line).unwrap();
        assert_eq!(words, ["simulate", "ball.toml", "--set", "K=2*(1 + e)", "--json"]);
        assert_eq!(file.as_deref(), Some("ball.json"));
        assert!(parts("rm -r x").is_err() && parts("saltation 'x").is_err() && parts("saltation check x >").is_err());
    }

    #[test]
    fn files_lie_in_the_folder_and_nothing_else_does() {
        let words: Vec<String> =
            ["continue", "a.toml", "--along", "A", "--plot", "a.svg", "--from", "b.json"].map(String::from).to_vec();
        let placed = placed(&words, form("continue").unwrap(), Path::new("f"));
        assert_eq!(
            placed,
            ["continue", "f/a.toml", "--along", "A", "--plot", "f/a.svg", "--from", "f/b.json"]
                .map(|word| word.replace('/', std::path::MAIN_SEPARATOR_STR))
        );
        assert_eq!(pictures("saltation simulate x --plot a.png --sketch b.svg"), ["a.png", "b.svg"]);
    }
}
