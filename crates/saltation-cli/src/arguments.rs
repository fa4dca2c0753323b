//! The commands of `saltation` for clap, their flags made from the table of fields.
//!
//! Numeric flags are kept as text, because they may be formulas; mistakes in them are reported like all others.

use crate::commands::COMMANDS;
use clap::{Arg, ArgAction, Command, value_parser};
use saltation::field::{Field, Form, Kind, Of};
use saltation::registry::form;
use std::path::PathBuf;

/// The flag of all commands.
const PORTABLE: Field = Field::switch(
    "portable",
    "Compute the same bits on every processor; slower. Folders that several machines write need it",
);

/// The program with all its commands.
pub(crate) fn program() -> Command {
    Command::new("saltation")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Nonsmooth dynamics: simulation, periodic orbits, bifurcations and nonsmooth modes of systems with impacts and friction")
        .max_term_width(100)
        .arg_required_else_help(true)
        .subcommand_required(true)
        .arg(argument(&PORTABLE).global(true))
        .subcommands(COMMANDS.iter().map(|(name, describe, _)| describe(of_question(name))))
}

/// A command; one that asks questions has the flags of its form.
fn of_question(name: &'static str) -> Command {
    Command::new(name).args(form(name).into_iter().flat_map(Form::flags).map(argument))
}

/// A flag.
pub(crate) fn argument(field: &Field) -> Arg {
    let arg = match field.kind {
        Kind::Model => positional(field).required(true),
        Kind::Switch => Arg::new(field.name).action(ArgAction::SetTrue),
        _ => positional(field),
    };
    let arg = arg.help(field.described()).conflicts_with_all(field.excludes);
    let arg = field.requires.iter().fold(arg, |arg, other| arg.requires(*other));
    if field.kind == Kind::Model { arg } else { arg.long(field.name.replace('_', "-")) }
}

/// What has a value, without a name before it.
pub(crate) fn positional(field: &Field) -> Arg {
    let action = if field.many { ArgAction::Append } else { ArgAction::Set };
    let arg = Arg::new(field.name).action(action).value_name(field.value).allow_hyphen_values(may_be_negative(field));
    let arg = arg.help(field.described()).conflicts_with_all(field.excludes);
    match field.kind {
        Kind::File | Kind::Folder | Kind::Answer | Kind::Starts | Kind::Data => {
            arg.value_parser(value_parser!(PathBuf))
        }
        _ => arg.value_parser(value_parser!(String)),
    }
}

/// Whether a value may begin with a hyphen, as numbers do.
fn may_be_negative(field: &Field) -> bool {
    match field.kind {
        Kind::Name { of } => of == Of::Parameter,
        Kind::Word { .. }
        | Kind::Text
        | Kind::Model
        | Kind::File
        | Kind::Folder
        | Kind::Answer
        | Kind::Starts
        | Kind::Data => false,
        _ => true,
    }
}
