//! The map of contact problems, as the question draws it, from the stored answer.

use super::Drawing;
use crate::contact::{Answer, figure};
use crate::system::System;

/// The figure; none if the answer has no map.
pub(crate) fn figure(system: &System, answer: &Answer) -> Option<Drawing> {
    let map = answer.map.as_ref().filter(|map| map.complete)?;
    let mut contacts: Vec<&str> = Vec::new();
    for curve in &map.curves {
        if !contacts.contains(&curve.contact.as_str()) {
            contacts.push(&curve.contact);
        }
    }
    let figure = figure::figure(system, map, &contacts);
    Some(Drawing::new(
        figure,
        "Solutions of the contact problem over two numbers",
        "drawn from the stored answer in run.json",
    ))
}
