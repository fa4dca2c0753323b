//! What a field of a question is: a constant with its name, kind, default and help, from which every face is made.
//!
//! The flags of the command, the keywords of Python with their types and docstrings, and the forms of the live page are all read off these constants.
//! Each question has them in its folder, in `fields.rs`; what several questions share is in `shared`.

pub(crate) mod form;
pub(crate) mod shared;

pub use form::Form;

use serde::Serialize;

/// The kind of a field: what a value of it is, and how it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Kind {
    /// A number, or a formula of parameters.
    Number,
    /// A whole number between bounds.
    Whole {
        /// The least.
        least: u64,
        /// The most; `None` for no other bound than that of memory.
        most: Option<u64>,
    },
    /// Yes or no.
    Switch,
    /// One of some words.
    Word {
        /// These words.
        words: &'static [&'static str],
        /// What is said to whoever writes another; nothing for an example.
        otherwise: &'static str,
    },
    /// A text.
    Text,
    /// A name.
    Name {
        /// Of what.
        of: Of,
    },
    /// Several names, with commas between them.
    Names {
        /// Of what.
        of: Of,
    },
    /// Two names, with a comma between them.
    Pair {
        /// Of what.
        of: Of,
    },
    /// Two numbers in ascending order, `LO:HI`; with `LO:HI:N` a number of points is the value of another field.
    Range {
        /// That field.
        count: Option<&'static str>,
    },
    /// A name with its values: `NAME=LO:HI:N`.
    Axis {
        /// Of what.
        of: Of,
    },
    /// A name with the two ends of its values: `NAME=LO:HI`.
    Ends {
        /// Of what.
        of: Of,
    },
    /// A name with its value: `NAME=VALUE`.
    Assignment {
        /// Of what.
        of: Of,
    },
    /// Several numbers or formulas, with commas between them.
    Numbers,
    /// The position of a special point: `INDEX`, or `BRANCH:INDEX`.
    Position,
    /// The positions of several special points, each with a flag of its own.
    Positions,
    /// A part of a whole: `I/N`.
    Part,
    /// The starts of many motions.
    Starts,
    /// An answer of the question, or the file of one.
    Answer,
    /// Several texts, each with a flag of its own.
    Texts,
    /// Columns of numbers by name, or a CSV file of them.
    Data,
    /// A model.
    Model,
    /// A file.
    File,
    /// A folder.
    Folder,
}

/// What a name names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Of {
    /// A parameter.
    Parameter,
    /// A state.
    State,
    /// A parameter or a state.
    Either,
    /// A model of the gallery.
    Model,
    /// A section.
    Section,
    /// A contact.
    Contact,
    /// A contact mode, such as `flight` or `stick:wall`.
    Mode,
    /// A quantity that can be drawn.
    Quantity,
}

/// What holds where a field is not given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Usual {
    /// Nothing that needs to be said.
    Nothing,
    /// This value, which is that of the request.
    Value(&'static str),
    /// What is chosen then, in words.
    Words(&'static str),
}

/// Where the value of a field goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goes {
    /// To the requests of these questions; to those of its form if there are none here.
    Request(&'static [&'static str]),
    /// With others into a field of the request.
    Into(&'static str),
    /// It selects the question, or the answer at which it begins.
    Choice,
    /// To the model and its numbers.
    Model,
    /// To what becomes of the answer: files, figures, lines.
    Output,
    /// Nowhere: it is accepted where all questions have it.
    Nowhere,
}

/// A field of a question. As data it has its name, kind, default and help.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Field {
    /// Its name in requests; the flag of `max_step` is `--max-step`.
    pub name: &'static str,
    /// What its values are.
    #[serde(flatten)]
    pub kind: Kind,
    /// The word for its value in the help of the command.
    pub value: &'static str,
    /// What holds without it.
    pub usual: Usual,
    /// What it means, in one sentence without a full stop.
    pub help: &'static str,
    /// What it means in this question, and what holds without it, where that is more special.
    pub here: &'static str,
    /// What the help of the command adds: how its value is typed.
    #[serde(skip)]
    pub typed: &'static str,
    /// Where its value goes.
    #[serde(skip)]
    pub goes: Goes,
    /// Whether it is a flag of the command.
    #[serde(skip)]
    pub flag: bool,
    /// Whether it is a keyword of programs.
    #[serde(skip)]
    pub keyword: bool,
    /// Whether its flag may be given several times.
    pub many: bool,
    /// Other flags that its flag requires.
    #[serde(skip)]
    pub requires: &'static [&'static str],
    /// Other flags that its flag excludes.
    #[serde(skip)]
    pub excludes: &'static [&'static str],
}

impl Field {
    /// A field of the request: a flag and a keyword.
    pub const fn new(name: &'static str, kind: Kind, value: &'static str, help: &'static str) -> Field {
        Field {
            name,
            kind,
            value,
            usual: Usual::Nothing,
            help,
            here: "",
            typed: "",
            goes: Goes::Request(&[]),
            flag: true,
            keyword: true,
            many: false,
            requires: &[],
            excludes: &[],
        }
    }

    /// A whole number between bounds.
    pub const fn whole(
        name: &'static str,
        least: u64,
        most: Option<u64>,
        value: &'static str,
        help: &'static str,
    ) -> Field {
        Field::new(name, Kind::Whole { least, most }, value, help)
    }

    /// Yes or no.
    pub const fn switch(name: &'static str, help: &'static str) -> Field {
        Field::new(name, Kind::Switch, "", help)
    }

    /// A file that an answer is drawn to.
    pub(crate) const fn plot(help: &'static str) -> Field {
        Field::new("plot", Kind::File, "FILE", help).output()
    }

    /// What it means in this question.
    pub(crate) const fn here(self, here: &'static str) -> Field {
        Field { here, ..self }
    }

    /// What the help of the command adds.
    pub(crate) const fn typed(self, typed: &'static str) -> Field {
        Field { typed, ..self }
    }

    /// The value that holds without it.
    pub const fn usually(self, value: &'static str) -> Field {
        Field { usual: Usual::Value(value), ..self }
    }

    /// What is chosen without it.
    pub const fn otherwise(self, words: &'static str) -> Field {
        Field { usual: Usual::Words(words), ..self }
    }

    /// A flag that may be given several times.
    pub const fn repeated(self) -> Field {
        Field { many: true, ..self }
    }

    /// A flag that needs others.
    pub const fn with(self, requires: &'static [&'static str]) -> Field {
        Field { requires, ..self }
    }

    /// A flag that excludes others.
    pub const fn without(self, excludes: &'static [&'static str]) -> Field {
        Field { excludes, ..self }
    }

    /// A field of the requests of these questions.
    pub(crate) const fn of(self, questions: &'static [&'static str]) -> Field {
        Field { goes: Goes::Request(questions), ..self }
    }

    /// A field that makes another one of the request.
    pub(crate) const fn into(self, field: &'static str) -> Field {
        Field { goes: Goes::Into(field), ..self }
    }

    /// A flag that selects.
    pub(crate) const fn choice(self) -> Field {
        Field { goes: Goes::Choice, ..self }
    }

    /// A flag about what becomes of the answer.
    pub(crate) const fn output(self) -> Field {
        Field { goes: Goes::Output, keyword: false, ..self }
    }

    /// A flag about the model.
    pub(crate) const fn model(self) -> Field {
        Field { goes: Goes::Model, keyword: false, ..self }
    }

    /// A flag that is accepted and not used.
    pub(crate) const fn unused(self) -> Field {
        Field { goes: Goes::Nowhere, keyword: false, ..self }
    }

    /// A flag, and no keyword.
    pub const fn flag_only(self) -> Field {
        Field { keyword: false, ..self }
    }

    /// A keyword, and no flag.
    pub(crate) const fn keyword_only(self) -> Field {
        Field { flag: false, ..self }
    }

    /// The help of the command: what it means, how it is typed, and what holds without it.
    pub fn described(&self) -> String {
        match self.usual {
            Usual::Nothing => format!("{}{}", self.help, self.typed),
            Usual::Value(usual) | Usual::Words(usual) => format!("{}{} [default: {usual}]", self.help, self.typed),
        }
    }

    /// Its flag, as it is typed.
    pub fn flag_name(&self) -> String {
        flag_name(self.name)
    }
}

/// The flag of a field, as it is typed: `max_step` is `--max-step`.
pub fn flag_name(field: &str) -> String {
    format!("--{}", field.replace('_', "-"))
}

/// The same fields as those of the requests of some questions.
pub(crate) const fn of<const N: usize>(mut fields: [Field; N], questions: &'static [&'static str]) -> [Field; N] {
    let mut i = 0;
    while i < N {
        fields[i] = fields[i].of(questions);
        i += 1;
    }
    fields
}
