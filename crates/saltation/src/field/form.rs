//! The fields of one command in their order, as flags and as keywords, and the questions whose requests they fill.

use crate::field::shared::{MODEL, OUTPUT};
use crate::field::{Field, Goes};

/// The fields of a command, and so of the one or two questions that it asks.
#[derive(Debug, Clone, Copy)]
pub struct Form {
    /// The name of the command.
    pub command: &'static str,
    /// The questions.
    pub questions: &'static [&'static str],
    /// The accuracy of motions and the threads, which every command accepts.
    pub method: [Field; 3],
    /// Its own fields, in groups that others may share.
    pub groups: &'static [&'static [Field]],
}

impl Form {
    fn own(&self) -> impl Iterator<Item = &Field> + Clone {
        self.groups.iter().flat_map(|group| group.iter())
    }

    /// The flags of the command, in the order of its help.
    pub fn flags(&self) -> impl Iterator<Item = &Field> + Clone {
        let all = MODEL.iter().chain(&self.method).chain(&OUTPUT).chain(self.own());
        all.filter(|field| field.flag)
    }

    /// The keywords of programs: their own first.
    pub fn keywords(&self) -> impl Iterator<Item = &Field> + Clone {
        self.own().chain(&self.method).filter(|field| field.keyword)
    }

    /// Whether a field is one of the request of a question.
    pub fn is_of(&self, field: &Field, question: &str) -> bool {
        match field.goes {
            Goes::Request([]) => self.questions.contains(&question),
            Goes::Request(questions) => questions.contains(&question),
            _ => false,
        }
    }

    /// The fields of the request of a question.
    pub fn of<'a>(&'a self, question: &'a str) -> impl Iterator<Item = &'a Field> + Clone {
        self.keywords().filter(move |field| self.is_of(field, question))
    }

    /// The flag of this name.
    pub fn flag(&self, name: &str) -> Option<&Field> {
        self.flags().find(|field| field.name == name)
    }
}
