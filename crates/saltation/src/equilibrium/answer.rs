//! The answer of a search for equilibria: those that were found, and the modes without one. Its JSON is that of `equilibrium --json`.

use crate::named::{Named, serial};
use crate::naming::Naming;
use saltation_motion::ClosedSet;
use saltation_numerics::dense::Complex;
use saltation_orbit as lower;
use serde::{Deserialize, Serialize};

/// An equilibrium, admissible or not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Equilibrium {
    /// The state.
    pub state: Named,
    /// The closed contacts: `flight`, or `stick:wall`, `slip+:wall`, `slip-:wall` joined by commas.
    pub mode: String,
    /// The force of every closed contact, positive in compression.
    pub contact_force: Named,
    /// The eigenvalues of the field of the mode, the largest real part first, per unit of time.
    #[serde(with = "serial::complex")]
    pub eigenvalues: Vec<Complex>,
    /// Whether it is shown to be stable: all real parts are negative, so that perturbations within the mode decay, and the surfaces along which it slides attract.
    pub stable: bool,
    /// Whether trajectories come to the surfaces along which it slides: `attracting`, `repelling` or `undecided`; nothing if it slides along none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub surfaces: Option<String>,
    /// Whether it is admissible: no gap is negative, no contact force is tensile, and the laws of friction hold.
    pub admissible: bool,
    /// The gap of every contact.
    pub gaps: Named,
    /// The contacts whose gap, if open, or whose force, if closed, is zero within rounding.
    pub boundary: Vec<String>,
    /// Whether it is isolated.
    pub isolated: bool,
    /// The ends of the family that it belongs to, where friction holds it anywhere between them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ends: Vec<Named>,
    /// The residual: the largest rate, gap or opening speed, relative to the terms that each is made of.
    #[serde(with = "serial::number")]
    pub residual: f64,
    /// The steps of Newton's method.
    pub iterations: usize,
}

/// A mode without equilibria.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missed {
    /// The mode.
    pub mode: String,
    /// Why, in a word: `never_closes`, `undefined`, `moving` or `runs_away`.
    pub reason: String,
    /// Why, in a sentence.
    pub message: String,
}

/// The answer of a search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The equilibria: admissible ones first, then in the order of the modes, then by distance from the start.
    pub equilibria: Vec<Equilibrium>,
    /// How the search ended, in a word: `found`, `none_found` or `interrupted`.
    pub ended: String,
    /// How it ended, in a sentence.
    pub message: String,
    /// The modes without equilibria.
    pub missed: Vec<Missed>,
    /// The discrete states that jumps of events give further values, or may give: equilibria there were not looked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub further_values: Vec<String>,
    /// The number of starts of Newton's method.
    pub starts: usize,
    /// The name of the model.
    pub model: String,
    /// The SHA-256 fingerprint of the model.
    pub fingerprint: String,
    /// The values of the parameters.
    pub parameters: Named,
}

impl Equilibrium {
    /// An equilibrium with the names of its numbers.
    pub(crate) fn new(naming: Naming, rest: &lower::Equilibrium) -> Equilibrium {
        let contacts = naming.system.contact_names();
        let element = |&element: &usize| naming.system.element_name(element).to_string();
        let slides = rest.closed.sides().holding().next().is_some();
        Equilibrium {
            state: naming.named(&rest.state),
            mode: naming.mode(rest.closed),
            contact_force: forces(naming, rest.closed, &rest.contact_forces),
            eigenvalues: rest.eigenvalues.clone(),
            stable: rest.stable,
            surfaces: slides.then(|| rest.attraction.name().to_string()),
            admissible: rest.admissible,
            gaps: of_contacts(naming, 0..contacts.len(), &rest.gaps),
            boundary: rest.boundary.iter().map(element).collect(),
            isolated: rest.isolated,
            ends: rest.ends.iter().map(|end| naming.named(end)).collect(),
            residual: rest.residual,
            iterations: rest.iterations,
        }
    }
}

/// Numbers by the names of contacts.
pub(crate) fn of_contacts(naming: Naming, contacts: impl Iterator<Item = usize>, numbers: &[f64]) -> Named {
    let names = naming.system.contact_names();
    let (names, numbers): (Vec<String>, Vec<f64>) =
        contacts.map(|contact| names[contact].clone()).zip(numbers.iter().copied()).unzip();
    Named::new(names.into(), numbers)
}

/// Forces by the names of the closed contacts.
pub(crate) fn forces(naming: Naming, closed: ClosedSet, forces: &[f64]) -> Named {
    of_contacts(naming, closed.iter(), forces)
}
