//! The contact problem at the start with other values of some numbers, parameters or states; the rest of the start stays on its surfaces.
//!
//! Where a parameter varies, parameters and start values whose formulas use it follow. Then the state is moved onto g_N = g_N' = 0 of the contacts that
//! are closed at the start by the smallest change of the states that do not vary themselves.

use saltation_model::{Mistakes, Overrides, Values};

use super::analysis::{ClosedContact, NoProblem, Status};
use super::contacts::Contacts;
use crate::mode::ClosedSet;
use crate::system::System;

/// Why the numbers of a contact problem cannot vary.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum VariedError {
    /// There is no contact problem.
    #[error(transparent)]
    NoProblem(#[from] NoProblem),
    /// The settings are wrong, or the names.
    #[error("{0}")]
    Mistakes(Mistakes),
    /// A name is neither a parameter nor a state, or is given twice.
    #[error("`{0}` is no parameter or state that can vary")]
    Name(String),
    /// No contact is closed at the start.
    #[error("no contact is closed at the start")]
    Open,
}

/// What varies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Varying {
    /// A parameter, by its position in the model.
    Parameter(usize),
    /// A state, by its position in the model.
    State(usize),
}

/// The contact problem of the start as a function of some numbers.
#[derive(Debug, Clone)]
pub struct Varied<'s> {
    contacts: Contacts<'s>,
    what: Vec<Varying>,
    held: Vec<usize>,
    /// The contacts closed at the start.
    closed: ClosedSet,
    values: Values,
    parameters: Vec<f64>,
    free: Vec<f64>,
    state: Vec<f64>,
    /// The same with their slip at the state.
    pressed: ClosedSet,
}

impl<'s> Varied<'s> {
    /// The contact problem at the start under settings, as a function of the numbers with these names.
    ///
    /// # Errors
    /// If there is no contact problem, no contact is closed at the start, or a setting or a name is wrong.
    pub fn new(system: &'s System, settings: &Overrides, names: &[&str]) -> Result<Varied<'s>, VariedError> {
        let model = system.model();
        let mut what = Vec::new();
        for &name in names {
            let parameter = model.parameter(name).map(Varying::Parameter);
            let found = parameter.or_else(|| model.state(name).map(Varying::State));
            match found.filter(|found| !what.contains(found)) {
                Some(found) => what.push(found),
                None => return Err(VariedError::Name(name.to_string())),
            }
        }
        let free: Vec<&str> = names.iter().copied().filter(|name| model.parameter(name).is_some()).collect();
        let values = model.values(settings).and_then(|values| values.along(&free)).map_err(VariedError::Mistakes)?;
        let mut contacts = Contacts::new(system, values.parameters())?;
        let touching = contacts.touching(values.start());
        if touching.closed.is_empty() {
            return Err(VariedError::Open);
        }
        let held = what.iter().filter_map(|one| match one {
            Varying::State(state) => Some(*state),
            Varying::Parameter(_) => None,
        });
        Ok(Varied {
            held: held.collect(),
            what,
            closed: touching.closed,
            parameters: values.parameters().to_vec(),
            free: values.free_values(),
            state: values.start().to_vec(),
            pressed: touching.closed,
            values,
            contacts,
        })
    }

    /// Sets the tolerance of the motions that decide at borders; 1e-12 unless said.
    pub fn with_tolerance(self, tolerance: f64) -> Varied<'s> {
        Varied { contacts: self.contacts.with_tolerance(tolerance), ..self }
    }

    /// What varies, in the order of its names.
    pub fn what(&self) -> &[Varying] {
        &self.what
    }

    /// The contacts that are closed at the start, and stay so.
    pub fn closed(&self) -> ClosedSet {
        self.closed
    }

    /// The numbers at the start, in the order of the names.
    pub fn start(&self) -> Vec<f64> {
        let values = &self.values;
        let value = |one: &Varying| match *one {
            Varying::Parameter(p) => values.parameters()[p],
            Varying::State(i) => values.start()[i],
        };
        self.what.iter().map(value).collect()
    }

    /// Goes to other numbers. `false` if no state there lies on the surfaces, or what there is breaks the rules: it lies inside another obstacle,
    /// or is not finite.
    ///
    /// # Panics
    /// If there is not one number for every name.
    pub fn place(&mut self, numbers: &[f64]) -> bool {
        assert_eq!(numbers.len(), self.what.len(), "one number for every name");
        if !self.free.is_empty() {
            self.free.clear();
            let free = self.what.iter().zip(numbers).filter(|(one, _)| matches!(one, Varying::Parameter(_)));
            self.free.extend(free.map(|(_, &number)| number));
            let there = self.values.at_free(&self.free);
            self.parameters.copy_from_slice(there.parameters());
            self.contacts.set_parameters(&self.parameters);
            self.state.copy_from_slice(there.start());
        } else {
            self.state.copy_from_slice(self.values.start());
        }
        for (one, &number) in self.what.iter().zip(numbers) {
            if let Varying::State(state) = *one {
                self.state[state] = number;
            }
        }
        let is_finite = |numbers: &[f64]| numbers.iter().all(|x| x.is_finite());
        if !is_finite(&self.parameters) || !is_finite(&self.state) {
            return false;
        }
        if !self.contacts.project_onto(self.closed, &self.held, &mut self.state) || !is_finite(&self.state) {
            return false;
        }
        self.pressed = self.contacts.slips(self.closed, &self.state);
        let alone = self.closed.iter().count() == self.contacts.system().contact_names().len();
        let admissible = alone || self.contacts.touching(&self.state).inside.is_empty();
        let touches = &self.contacts.group.touches;
        admissible
            && self.closed.iter().all(|contact| touches[contact].is_finite() && touches[contact].friction() >= 0.0)
    }

    /// The state at the numbers of the last [`Varied::place`].
    pub fn state(&self) -> &[f64] {
        &self.state
    }

    /// The parameters there.
    pub fn parameters(&self) -> &[f64] {
        &self.parameters
    }

    /// The contact problems there.
    pub fn contacts(&mut self) -> &mut Contacts<'s> {
        &mut self.contacts
    }

    /// What is known of a contact there.
    pub fn contact(&mut self, contact: usize) -> ClosedContact {
        self.contacts.contact(contact, self.pressed, &self.state)
    }

    /// The status there, and the mode if there is only one.
    pub fn status(&mut self) -> (Status, ClosedSet) {
        self.contacts.status(self.pressed, &self.state)
    }
}
