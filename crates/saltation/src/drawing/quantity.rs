//! The quantities that can be drawn and tabulated: states, gaps, contact forces and the energy.

use crate::text::cut;
use saltation_draw::Axis;
use saltation_expr::parse::nearest;
use saltation_model::{Body, Model};

/// A quantity that can be drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// A state, by its index.
    State(usize),
    /// The gap of a contact, by its index.
    Gap(usize),
    /// The normal force of a contact, by its index; zero while it is open.
    Force(usize),
    /// The force of a constraint, by its index in the model.
    Reaction(usize),
    /// The multiplier of a complementarity, by its index; zero while that is off.
    Multiplier(usize),
    /// The rate of change of a state, by its index: of a velocity the acceleration. It jumps where contacts and switches do.
    Rate(usize),
    /// The energy: of a Lagrangian L with velocities v the sum of v dL/dv - L, which is the kinetic plus the potential energy where
    /// nothing is moved from outside; of other mechanical bodies the kinetic energy.
    Energy,
}

/// The largest number of names in a message.
const MOST_NAMED: usize = 100;

impl Quantity {
    /// The state of this name, or the gap of the contact of this name, or `gap:CONTACT`, `force:CONTACT`, `rate:STATE`, `multiplier:ELEMENT` or `energy`.
    ///
    /// # Errors
    /// The message and the help where the model has neither.
    pub fn named(model: &Model, name: &str) -> Result<Quantity, (String, String)> {
        let gap = || model.contact(name).map(Quantity::Gap);
        if let Some(found) = model.state(name).map(Quantity::State).or_else(gap) {
            return Ok(found);
        }
        if name.contains(':') || name == ENERGY {
            return Quantity::shown(model, name);
        }
        let contacts = model.contacts.iter().map(|contact| contact.name.as_str());
        let all: Vec<&str> = model.states.iter().map(|state| state.name.as_str()).chain(contacts).collect();
        let help = match nearest(name, all.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if all.len() > MOST_NAMED => {
                format!("`saltation check` lists all {} states and contacts", all.len())
            }
            None => format!("there are {}", all.join(", ")),
        };
        let message = match name {
            "" => "the name of a state or contact is missing".to_string(),
            _ => format!("`{}` is neither a state nor a contact of the model", cut(name)),
        };
        Err((message, help))
    }

    /// The state of this name, `gap:CONTACT`, `force:CONTACT`, `rate:STATE`, `multiplier:ELEMENT` or `energy`.
    ///
    /// # Errors
    /// The message and the help where the model has none of this name.
    pub fn shown(model: &Model, name: &str) -> Result<Quantity, (String, String)> {
        if let Some(state) = model.state(name) {
            return Ok(Quantity::State(state));
        }
        let contact = |kind: &str| name.strip_prefix(kind).and_then(|name| model.contact(name));
        let energetic = matches!(model.body, Body::Mechanics(_));
        let named = |name: &str| model.constraints.iter().position(|constraint| constraint.name == name);
        let constraint = name.strip_prefix("force:").and_then(named);
        match (contact("gap:"), contact("force:")) {
            (Some(contact), _) => Ok(Quantity::Gap(contact)),
            (_, Some(contact)) => Ok(Quantity::Force(contact)),
            _ if constraint.is_some() => reaction(model, constraint.unwrap_or(0)),
            _ if name == ENERGY && energetic => Ok(Quantity::Energy),
            _ if name.starts_with(RATE) => {
                let state = model.state(&name[RATE.len()..]).map(Quantity::Rate);
                state.ok_or_else(|| unknown(model, name, energetic))
            }
            _ if name.starts_with(MULTIPLIER) => {
                let element = model.complementarities.iter().position(|one| name[MULTIPLIER.len()..] == one.name);
                element.map(Quantity::Multiplier).ok_or_else(|| unknown(model, name, energetic))
            }
            _ => Err(unknown(model, name, energetic)),
        }
    }

    /// The name of its column, with which it is shown.
    pub fn column(self, model: &Model) -> String {
        match self {
            Quantity::State(state) => model.states[state].name.clone(),
            Quantity::Gap(contact) => format!("gap:{}", model.contacts[contact].name),
            Quantity::Force(contact) => format!("force:{}", model.contacts[contact].name),
            Quantity::Reaction(constraint) => format!("force:{}", model.constraints[constraint].name),
            Quantity::Multiplier(element) => format!("{MULTIPLIER}{}", model.complementarities[element].name),
            Quantity::Rate(state) => format!("{RATE}{}", model.states[state].name),
            Quantity::Energy => ENERGY.to_string(),
        }
    }

    /// Its name in a figure.
    pub(crate) fn name(self, model: &Model) -> String {
        match self {
            Quantity::State(state) => model.states[state].name.clone(),
            Quantity::Gap(contact) => format!("gap: {}", model.contacts[contact].name),
            Quantity::Force(contact) => format!("contact force: {}", model.contacts[contact].name),
            Quantity::Reaction(constraint) => format!("constraint force: {}", model.constraints[constraint].name),
            Quantity::Multiplier(element) => model.complementarities[element].multiplier.clone(),
            Quantity::Rate(state) => format!("rate: {}", model.states[state].name),
            Quantity::Energy => match model.body.mechanics().is_some_and(|body| body.lagrangian.is_some()) {
                true => "energy".to_string(),
                false => "kinetic energy".to_string(),
            },
        }
    }

    /// Its unit, where the model gives one.
    pub(crate) fn unit(self, model: &Model) -> Option<&str> {
        match self {
            Quantity::State(state) => model.states[state].unit.as_deref(),
            Quantity::Gap(contact) => model.contacts[contact].unit.as_deref(),
            Quantity::Force(_)
            | Quantity::Reaction(_)
            | Quantity::Multiplier(_)
            | Quantity::Rate(_)
            | Quantity::Energy => None,
        }
    }

    /// Its axis.
    pub(crate) fn axis(self, model: &Model) -> Axis {
        let axis = Axis::new(self.name(model));
        match self.unit(model) {
            Some(unit) => axis.unit(unit),
            None => axis,
        }
    }
}

const ENERGY: &str = "energy";
const MULTIPLIER: &str = "multiplier:";
const RATE: &str = "rate:";

/// The force of a constraint, if it has one of its own.
fn reaction(model: &Model, constraint: usize) -> Result<Quantity, (String, String)> {
    let known = &model.constraints[constraint];
    match known.is_redundant() {
        false => Ok(Quantity::Reaction(constraint)),
        true => Err((
            format!(
                "the constraint `{}` holds by those before it: its share of their force is not determined",
                known.name
            ),
            "leave it out, or let bodies between them be elastic".to_string(),
        )),
    }
}

/// What to say about a name that nothing has.
fn unknown(model: &Model, name: &str, energetic: bool) -> (String, String) {
    let states = model.states.iter().map(|state| state.name.clone());
    let of = |kind: &'static str| model.contacts.iter().map(move |contact| format!("{kind}:{}", contact.name));
    let energy = energetic.then(|| ENERGY.to_string());
    let acting = model.constraints.iter().filter(|constraint| !constraint.is_redundant());
    let reactions = acting.map(|constraint| format!("force:{}", constraint.name));
    let multipliers = model.complementarities.iter().map(|element| format!("{MULTIPLIER}{}", element.name));
    let rates = model.states.iter().map(|state| format!("{RATE}{}", state.name));
    let all = states.chain(of("gap")).chain(of("force")).chain(reactions).chain(multipliers).chain(energy).chain(rates);
    let all: Vec<String> = all.collect();
    let help = match nearest(name, all.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None if all.len() > MOST_NAMED => {
            "a state, gap:CONTACT, force:CONTACT, rate:STATE or energy can be shown".to_string()
        }
        None => format!("{} can be shown", all.join(", ")),
    };
    let message = match name {
        "" => "the name of a quantity is missing".to_string(),
        ENERGY => format!("a [{}] says nothing about masses, and so its energy is not known", model.body.name()),
        _ => format!("`{}` is neither a state nor another quantity of the trajectory", cut(name)),
    };
    (message, help)
}

#[cfg(test)]
mod tests {
    use super::*;
    use saltation_model::gallery;

    fn model(name: &str) -> Model {
        Model::parse(gallery::find(name).expect("a model"), name).expect("valid")
    }

    #[test]
    fn quantities_are_found_by_their_names() {
        let ball = model("bouncing-ball");
        let contact = ball.contacts[0].name.clone();
        for name in [ball.states[0].name.clone(), format!("gap:{contact}"), format!("force:{contact}")] {
            let found = Quantity::shown(&ball, &name).expect("it exists");
            assert_eq!(found.column(&ball), name);
        }
        assert_eq!(Quantity::named(&ball, &contact), Ok(Quantity::Gap(0)));
        assert_eq!(Quantity::shown(&model("double-pendulum-mechanics"), "energy"), Ok(Quantity::Energy));
    }

    #[test]
    fn what_does_not_exist_is_refused_with_what_does() {
        let ball = model("bouncing-ball");
        let flow = model("forced-oscillator");
        let (message, _) = Quantity::shown(&flow, "energy").expect_err("a flow has no energy");
        assert!(message.contains("[flow]"), "{message}");
        let (message, help) = Quantity::shown(&ball, "somethingelse").expect_err("no such state");
        assert!(message.contains("somethingelse") && help.contains("force:"), "{message} {help}");
    }
}
