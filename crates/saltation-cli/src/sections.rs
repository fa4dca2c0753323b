//! Which section is meant?

use crate::flag::{Flag, cut};
use saltation_expr::parse::nearest;
use saltation_model::{Mistake, Mistakes};
use saltation_motion::System;

/// What sections there are, as a help; `otherwise` is what else can be done where there are none.
pub fn all(system: &System, otherwise: &str) -> String {
    let names: Vec<&str> = system.section_names().collect();
    match names[..] {
        [] => format!("the model has no sections: add a table [sections.NAME] to its file{otherwise}"),
        [one] => format!("the only section of the model is {one}"),
        _ => format!("the sections of the model are {}", names.join(", ")),
    }
}

/// The section that a flag names.
///
/// # Errors
/// If there is none of that name.
pub fn named(flag: Flag, system: &System) -> Result<usize, Mistakes> {
    let name = flag.value();
    system.section_names().position(|known| known == name).ok_or_else(|| {
        let help = nearest(name, system.section_names()).map(|near| format!("did you mean `{near}`?"));
        let message = format!("the model has no section `{}`", cut(name));
        flag.mistake(message, help.unwrap_or_else(|| all(system, "")))
    })
}

/// The section of a return map: the one that is named, or else the default one.
///
/// # Errors
/// If there is none of that name, or if nothing says which one is meant.
pub fn of_return_map(named_by: Option<&str>, system: &System) -> Result<usize, Mistakes> {
    if let Some(name) = named_by {
        return named(Flag::new("--section", name), system);
    }
    if let Some(section) = system.default_section() {
        return Ok(section);
    }
    let model = system.model();
    let mistake = if system.section_names().next().is_none() {
        let when = match model.contacts.first() {
            Some(contact) => format!("contact {}", contact.name),
            None => model.states.first().map_or("x", |state| state.name.as_str()).to_string(),
        };
        Mistake::general("returns are counted at a section, and the model has none")
            .help(format!("add one to its file, for example [sections.return] with when = \"{when}\""))
    } else {
        Mistake::general("the model has several sections, and it is not said which one the returns are to")
            .help(format!("add --section NAME; {}", all(system, "")))
    };
    Err(Mistakes { file: model.file.clone(), text: String::new(), list: vec![mistake] })
}
