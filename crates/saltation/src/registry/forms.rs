//! The forms of all questions by their commands: one table from which flags, keywords and forms of the page are made.

use crate::field::Form;
use crate::{basin, branch, check, contact, curve, equilibrium, fit, lyapunov, modes, orbit, simulation, sweep};

/// All forms.
pub static FORMS: [Form; 12] = [
    check::fields::FORM,
    simulation::fields::FORM,
    orbit::fields::FORM,
    branch::fields::FORM,
    curve::fields::FORM,
    equilibrium::fields::FORM,
    sweep::fields::FORM,
    basin::fields::FORM,
    lyapunov::fields::FORM,
    fit::fields::FORM,
    modes::fields::FORM,
    contact::fields::FORM,
];

/// The form of a command.
pub fn form(command: &str) -> Option<&'static Form> {
    FORMS.iter().find(|form| form.command == command)
}
