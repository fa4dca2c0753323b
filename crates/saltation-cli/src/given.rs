//! The flags that are given, by the names of their fields.

use crate::flag::Flag;
use clap::ArgMatches;
use std::cell::RefCell;
use std::path::Path;
use std::path::PathBuf;

/// What is typed behind the name of a command. A name that the command does not have is not given.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Given<'a> {
    flags: &'a ArgMatches,
    keeps: Option<&'a RefCell<String>>,
}

impl<'a> Given<'a> {
    /// What was typed.
    pub(crate) fn new(flags: &'a ArgMatches) -> Given<'a> {
        Given { flags, keeps: None }
    }

    /// The same, where the answer is wanted as JSON in this text, and is not printed.
    pub(crate) fn keeping(flags: &'a ArgMatches, answer: &'a RefCell<String>) -> Given<'a> {
        Given { flags, keeps: Some(answer) }
    }

    /// Where the answer goes, if it is not printed.
    pub(crate) fn keeps(self) -> Option<&'a RefCell<String>> {
        self.keeps
    }

    /// The value of a flag.
    pub(crate) fn text(self, name: &str) -> Option<&'a str> {
        self.flags.try_get_one::<String>(name).ok().flatten().map(String::as_str)
    }

    /// The value of a flag, with its name.
    pub(crate) fn flag(self, name: &'a str) -> Option<Flag<'a>> {
        self.text(name).map(|text| Flag::new(name, text))
    }

    /// All values of a flag that may be given several times.
    pub(crate) fn all(self, name: &str) -> Vec<&'a str> {
        let values = self.flags.try_get_many::<String>(name).ok().flatten();
        values.into_iter().flatten().map(String::as_str).collect()
    }

    /// The file or the folder of a flag.
    pub(crate) fn file(self, name: &str) -> Option<&'a Path> {
        self.flags.try_get_one::<PathBuf>(name).ok().flatten().map(PathBuf::as_path)
    }

    /// All files of a flag that may be given several times.
    pub(crate) fn files(self, name: &str) -> Vec<PathBuf> {
        self.flags.try_get_many::<PathBuf>(name).ok().flatten().into_iter().flatten().cloned().collect()
    }

    /// Whether a flag without a value is given.
    pub(crate) fn is(self, name: &str) -> bool {
        self.flags.try_get_one::<bool>(name).ok().flatten().copied().unwrap_or(false)
    }
}
