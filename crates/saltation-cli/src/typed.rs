//! The words of the command line, kept for the thread that reads them: messages show a flag as it was typed, folders store the command.

use std::cell::RefCell;
use std::ffi::OsString;

thread_local! {
    static WORDS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Keeps the words, in place of those of a command before.
pub(crate) fn keep(words: &[OsString]) {
    let words = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    WORDS.with(|kept| *kept.borrow_mut() = words);
}

/// All words behind the name of the program.
pub(crate) fn words() -> Vec<String> {
    WORDS.with(|kept| kept.borrow().clone())
}

/// The value of a flag, the first time that it was given.
pub(crate) fn value(name: &str) -> Option<String> {
    let words = words();
    let value = |(i, word): (usize, &String)| match word.strip_prefix(name) {
        Some("") => words.get(i + 1).cloned(),
        Some(rest) => rest.strip_prefix('=').map(str::to_string),
        None => None,
    };
    words.iter().enumerate().find_map(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_follows_its_flag_or_an_equals_sign() {
        let keep_all = |words: &[&str]| keep(&words.iter().map(OsString::from).collect::<Vec<_>>());
        keep_all(&["sweep", "--along", "A=1:2:3", "--tol=1e-9", "--tolerant", "--tol", "2"]);
        assert_eq!(value("--along").as_deref(), Some("A=1:2:3"));
        assert_eq!(value("--tol").as_deref(), Some("1e-9"));
        assert_eq!(value("--settle"), None);
        keep_all(&["check", "--tol"]);
        assert_eq!(value("--tol"), None);
        assert_eq!(words(), ["check", "--tol"]);
    }
}
