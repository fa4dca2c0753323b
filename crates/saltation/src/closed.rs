//! The closed contacts that the word of a mode names: `flight`, `stick:wall`, `slip+:wall` or `slip-:wall`, several joined by commas.

use crate::error::Refusal;
use crate::text::cut;
use saltation_expr::parse::nearest;
use saltation_motion::{ClosedSet, Side, System};

/// The closed contacts of a mode, and the sides of the switches that it names.
///
/// # Errors
/// If the word is not of that form, or names an unknown contact, or one twice.
pub(crate) fn named(field: &'static str, text: &str, system: &System) -> Result<ClosedSet, Refusal> {
    if text.trim() == "flight" {
        return Ok(ClosedSet::NONE);
    }
    let names = system.contact_names();
    let mut closed = ClosedSet::NONE;
    let mut at = 0;
    for part in text.split(',') {
        let end = at + part.len();
        let find = |name: &str| system.switch_names().iter().position(|known| known == name);
        let is_dry = |name: &str| find(name).is_some_and(|switch| system.is_dry(ClosedSet::element(switch)));
        if let Some((switch, side)) = Side::in_word(part, find, is_dry) {
            closed = closed.with_side(switch, side);
            at = end + 1;
            continue;
        }
        let refused = |message: String, help: String| Refusal::new(field, message, help).in_part(at..end);
        let trimmed = part.trim();
        let known = trimmed.split_once(':').map(|(word, name)| (word.trim(), name.trim()));
        let known = known.filter(|(word, name)| ["stick", "slip+", "slip-"].contains(word) && !name.is_empty());
        let Some((word, name)) = known else {
            let message = match trimmed {
                "" => "a mode is missing".to_string(),
                "flight" => "no contact is closed in flight: it stands alone".to_string(),
                _ => format!("`{}` is not a mode", cut(trimmed)),
            };
            return Err(refused(message, all(names, system.switch_names())));
        };
        let contacts = system.contacts_named(name);
        let Some(&contact) = contacts.first() else {
            let near = nearest(name, names.iter().map(String::as_str));
            let help =
                near.map_or_else(|| all(names, system.switch_names()), |near| format!("did you mean `{word}:{near}`?"));
            return Err(refused(format!("the model has no contact `{}`", cut(name)), help));
        };
        if closed.contains(contact) {
            return Err(refused(format!("the contact {name} is named twice"), "name it once".to_string()));
        }
        if word != "stick" && !system.has_friction(contact) {
            let message = format!("the contact {name} has no friction, so it does not slip");
            return Err(refused(message, format!("write stick:{name}")));
        }
        closed = contacts.iter().fold(closed, |closed, &contact| closed.with_word(contact, word).unwrap_or(closed));
        at = end + 1;
    }
    Ok(closed)
}

/// The modes of the model, as a help.
fn all(contacts: &[String], switches: &[String]) -> String {
    if let Some(first) = switches.first() {
        let sides: Vec<String> = switches.iter().map(|name| format!("{name}:+")).collect();
        return format!(
            "a side of a switch is {first}:+ or {first}:-, and motion along it {first}:slide; several are joined by commas, such as {}",
            sides.join(",")
        );
    }
    match contacts {
        [] => "the model has no contacts: its only mode is flight".to_string(),
        [one] => format!("the modes of the model are flight and stick:{one}"),
        [first, second, ..] => {
            let sticks: Vec<String> = contacts.iter().map(|name| format!("stick:{name}")).collect();
            format!(
                "the modes of the model are flight, {}, and several closed together, such as stick:{first},stick:{second}",
                sticks.join(", ")
            )
        }
    }
}
