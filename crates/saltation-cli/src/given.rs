//! The flags that are given, by the names of their fields.

use crate::flag::Flag;
use clap::ArgMatches;
use std::path::Path;
use std::path::PathBuf;

/// What is typed behind the name of a command. A name that the command does not have is not given.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Given<'a>(pub(crate) &'a ArgMatches);

impl<'a> Given<'a> {
    /// The value of a flag.
    pub(crate) fn text(self, name: &str) -> Option<&'a str> {
        self.0.try_get_one::<String>(name).ok().flatten().map(String::as_str)
    }

    /// The value of a flag, with its name.
    pub(crate) fn flag(self, name: &'a str) -> Option<Flag<'a>> {
        self.text(name).map(|text| Flag::new(name, text))
    }

    /// All values of a flag that may be given several times.
    pub(crate) fn all(self, name: &str) -> Vec<&'a str> {
        let values = self.0.try_get_many::<String>(name).ok().flatten();
        values.into_iter().flatten().map(String::as_str).collect()
    }

    /// The file or the folder of a flag.
    pub(crate) fn file(self, name: &str) -> Option<&'a Path> {
        self.0.try_get_one::<PathBuf>(name).ok().flatten().map(PathBuf::as_path)
    }

    /// All files of a flag that may be given several times.
    pub(crate) fn files(self, name: &str) -> Vec<PathBuf> {
        self.0.try_get_many::<PathBuf>(name).ok().flatten().into_iter().flatten().cloned().collect()
    }

    /// Whether a flag without a value is given.
    pub(crate) fn is(self, name: &str) -> bool {
        self.0.try_get_one::<bool>(name).ok().flatten().copied().unwrap_or(false)
    }
}
