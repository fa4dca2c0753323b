//! Checks that phases advance, that circles have lengths, and that formulas are the same after a turn of every phase but the first.

use saltation_expr::Node;

use crate::mistake::Mistake;
use crate::model::{Model, Phase};
use crate::numbers::Numbers;
use crate::point::{Point, short};

/// Formulas are compared at so many places of a circle.
const PLACES: u32 = 7;
/// Places lie so far beside those at which waves are zero, where nothing is left of their size.
const BESIDE: f64 = 0.37;
/// Values that differ by less than this part of their terms are the same: rounding of the period, in steep formulas.
const SAME: f64 = 1e-9;

/// The key of the places of a phase.
pub(crate) fn key(model: &Model, state: usize) -> String {
    match model.tones.iter().any(|tone| tone.state == state) {
        true => format!("phase.{}", model.states[state].name),
        false => "phase".to_string(),
    }
}

/// Phases advance, and periods are positive.
pub(crate) fn circles(model: &Model, numbers: &Numbers, start: &Point) -> Vec<Mistake> {
    let mut mistakes = Vec::new();
    for phase in model.phases().filter(|phase| start.value(&model.graph, phase.rate) == 0.0) {
        let name = &model.states[phase.state].name;
        let (which, table) = match model.tones.is_empty() {
            true => (String::new(), "[phase]".to_string()),
            false => (format!(" `{name}`"), format!("[phase.{name}]")),
        };
        let message = format!("the rate of the phase{which} is zero, so the forcing stands still");
        let help = format!("change the parameters in it so that it is not zero, or remove {table}");
        mistakes.push(model.mistake_at(&format!("{}.rate", key(model, phase.state)), message).help(help));
    }
    for (state, period) in model.states.iter().zip(&numbers.angle_periods) {
        let Some(period) = period.filter(|period| !(period.is_finite() && *period > 0.0)) else {
            continue;
        };
        let phase = model.phases().find(|phase| model.states[phase.state].name == state.name);
        let place = match phase {
            Some(phase) => format!("{}.period", key(model, phase.state)),
            None => format!("angles.{}", state.name),
        };
        let message = format!("the period of `{}` is {}, but a period is positive", state.name, short(period));
        let help = "give the length of the circle, e.g. \"2*pi\", or change the parameters in it";
        mistakes.push(model.mistake_at(&place, message).help(help));
    }
    if mistakes.is_empty() {
        mistakes.extend(model.tones.iter().filter_map(|tone| round(model, tone, numbers, start)));
    }
    mistakes
}

/// Formulas are as before when a phase other than the first has gone round: only the first one may begin its circle with a jump.
fn round(model: &Model, tone: &Phase, numbers: &Numbers, start: &Point) -> Option<Mistake> {
    let period = numbers.angle_periods[tone.state]?;
    let name = &model.states[tone.state].name;
    // Sides follow the signs of their functions, which are compared themselves.
    let mut graph = model.graph.clone();
    let one = graph.constant(1.0);
    let sides = model.switches.iter().map(|switch| (switch.sign, one)).collect();
    let mut formulas: Vec<(String, Node)> = Vec::new();
    for state in &model.states {
        formulas.push((format!("the rate of `{}`", state.name), graph.substitute(state.rate, &sides)));
    }
    for contact in &model.contacts {
        formulas.push((format!("the gap of `{}`", contact.name), contact.gap));
        formulas.push((format!("the restitution of `{}`", contact.name), contact.restitution));
        if let Some(friction) = &contact.friction {
            let what = format!("the friction of `{}`", contact.name);
            formulas.extend([friction.coefficient, friction.track, friction.belt].map(|node| (what.clone(), node)));
        }
    }
    for switch in &model.switches {
        formulas.push((format!("the switch `{}`", switch.name), graph.substitute(switch.function, &sides)));
    }
    for reset in &model.resets {
        let what = format!("the event `{}`", reset.name);
        let images = reset.after.iter().zip(&model.states).filter(|(image, state)| **image != state.symbol);
        formulas.extend(images.map(|(image, _)| *image).chain(reset.condition).map(|node| (what.clone(), node)));
    }
    let nodes: Vec<Node> = formulas.iter().map(|(_, node)| *node).collect();
    let differs = (0..PLACES).find_map(|place| {
        let once = start.with(tone.state, period * (f64::from(place) + BESIDE) / f64::from(PLACES));
        let again = once.with(tone.state, once.state(tone.state) + period);
        let values = once.values(&graph, &nodes).into_iter().zip(again.values(&graph, &nodes));
        values.zip(once.sizes(&graph, &nodes)).position(|((a, b), size)| (a - b).abs() > SAME * size.max(a.abs()))
    })?;
    let message = format!(
        "{} is not the same after the phase `{name}` has gone round its period {}",
        formulas[differs].0,
        short(period)
    );
    let help = format!(
        "write `{name}` in sines and cosines of its multiples, or in a table that is periodic with it; a phase that begins anew with a jump is the \
         first of the file"
    );
    Some(model.mistake_at(&format!("{}.period", key(model, tone.state)), message).help(help))
}
