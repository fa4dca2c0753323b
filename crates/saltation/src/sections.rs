//! Selects a section by its name or by default.

use crate::error::{Error, Refusal};
use crate::text::cut;
use saltation_expr::parse::nearest;
use saltation_model::Mistake;
use saltation_motion::System;

/// The sections of the model, as a help; `otherwise` is an alternative where there are none.
fn all(system: &System, otherwise: &str) -> String {
    let names: Vec<&str> = system.section_names().collect();
    match names[..] {
        [] => format!("the model has no sections: add a table [sections.NAME] to its file{otherwise}"),
        [one] => format!("the only section of the model is {one}"),
        _ => format!("the sections of the model are {}", names.join(", ")),
    }
}

/// The section of this name.
///
/// # Errors
/// If there is none.
pub(crate) fn named(field: &'static str, name: &str, system: &System) -> Result<usize, Refusal> {
    system.section_names().position(|known| known == name).ok_or_else(|| {
        let help = nearest(name, system.section_names()).map(|near| format!("did you mean `{near}`?"));
        let message = format!("the model has no section `{}`", cut(name));
        Refusal::new(field, message, help.unwrap_or_else(|| all(system, "")))
    })
}

/// The section that counts the returns of a simulation when none is named.
///
/// # Errors
/// If the section is ambiguous.
pub(crate) fn counted(system: &System) -> Result<usize, Refusal> {
    let help = all(system, ", or give an end time");
    match system.default_section() {
        Some(section) => Ok(section),
        None if system.section_names().next().is_none() => {
            Err(Refusal::new("returns", "the model has no section", help))
        }
        None => Err(Refusal::new(
            "returns",
            "the model has several sections, and none is named",
            format!("name the section; {help}"),
        )),
    }
}

/// The section of a return map: the one that is named, or else the default one.
///
/// # Errors
/// If there is none of that name, or if the section is ambiguous.
pub(crate) fn of_return_map(name: Option<&str>, system: &System) -> Result<usize, Error> {
    if let Some(name) = name {
        return Ok(named("section", name, system)?);
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
        Mistake::general("the model has several sections, and none is named")
            .help(format!("name the section; {}", all(system, "")))
    };
    Err(Error::from(saltation_model::Mistakes { file: model.file.clone(), text: String::new(), list: vec![mistake] }))
}

/// The section of a return map; mistakes are added to the list.
pub(crate) fn for_returns(
    name: Option<&str>,
    system: &System,
    refusals: &mut Vec<Refusal>,
) -> Result<Option<usize>, Error> {
    match of_return_map(name, system) {
        Ok(section) => Ok(Some(section)),
        Err(Error::Request(more)) => {
            refusals.extend(more);
            Ok(None)
        }
        Err(error) => Err(error),
    }
}
