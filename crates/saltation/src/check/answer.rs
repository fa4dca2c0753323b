//! The answer of a check: the model as names, formulas and numbers. Its JSON is that of `check --json`.

use crate::entries::Entries;
use crate::named::Named;
use crate::system::System;
use saltation_model::{
    ComplementarityReport, ConstraintReport, ContactReport, DryReport, EventReport, FrictionReport, ImpactLaw, Report,
    StateKind, StructureReport, SwitchReport, Together,
};
use serde::{Deserialize, Serialize};

/// Coulomb friction, as formulas.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Friction {
    /// The law: `coulomb`.
    pub law: String,
    /// The coefficient of friction.
    pub mu: String,
    /// The coefficient of a contact that sticks, where the file gives one.
    pub mu_static: Option<String>,
    /// The position along the surface.
    pub track: String,
    /// The speed of the surface itself.
    pub belt: String,
    /// The speed of slip.
    pub slip: String,
}

/// The law of a contact, as formulas.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Law {
    /// The gap.
    pub gap: String,
    /// The opening speed; empty for a structure that is too large to be simulated.
    pub speed: String,
    /// The change of every state that jumps, per unit of impulse.
    pub direction: Entries<String>,
    /// The restitution at low speed.
    pub restitution: String,
    /// The friction, if there is any and the model can be simulated.
    pub friction: Option<Friction>,
}

/// A function that stays zero.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Constraint {
    /// Its name.
    pub name: String,
    /// `positions` or `velocities`: what it is a function of.
    pub of: String,
    /// The function.
    pub formula: String,
    /// Whether it holds by those before it, and has no force of its own.
    pub redundant: bool,
    /// The names of the two contacts that it is, where it has friction: one of them has its force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sides: Option<[String; 2]>,
}

/// A function that is given by points.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Its name.
    pub name: String,
    /// How many points it has.
    pub points: usize,
    /// Its first and its last argument.
    pub range: [f64; 2],
    /// Its least and its largest value.
    pub values: [f64; 2],
    /// `cubic`, `monotone`, `linear` or `step`.
    pub interpolation: String,
    /// `periodic`, `hold` or `refuse`: what it is beyond its points.
    pub beyond: String,
    /// The file of its points, where they are not in the model.
    pub file: Option<String>,
    /// The units of the argument and of the value.
    pub units: Option<[String; 2]>,
}

/// Dry friction without a contact, as formulas.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DryFriction {
    /// Its name, which is that of its switch, too.
    pub name: String,
    /// The position along which it slips.
    pub track: String,
    /// The speed of slip.
    pub slip: String,
    /// The force while it slips.
    pub force: String,
    /// The greatest force while it sticks, where that is another.
    #[serde(rename = "static")]
    pub held: Option<String>,
}

/// A multiplier and a value, neither of which is negative and one of which is zero, as formulas.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Complement {
    /// Its name, which is that of its switch, too.
    pub name: String,
    /// The name of the multiplier.
    pub multiplier: String,
    /// The value.
    pub value: String,
}

/// A surface on which the field changes its formulas.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Switch {
    /// Its name, or its function where it has none.
    pub name: String,
    /// Its function.
    pub when: String,
    /// The rates that depend on its side, where its function is positive.
    pub positive: Entries<String>,
    /// The same where it is negative.
    pub negative: Entries<String>,
}

/// An event of the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Its name.
    pub name: String,
    /// The switch that is its surface.
    pub switch: String,
    /// The direction in which the function of the switch crosses zero: `rising`, `falling` or `any`.
    pub direction: String,
    /// What has to be positive, if anything.
    #[serde(rename = "if", default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// The states that jump, and what they become.
    pub jump: Entries<String>,
    /// Whether it ends the trajectory.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stop: bool,
}

fn dry(report: &DryReport) -> DryFriction {
    let DryReport { name, track, slip, force, held } = report.clone();
    DryFriction { name, track, slip, force, held }
}

fn complement(report: &ComplementarityReport) -> Complement {
    let ComplementarityReport { name, multiplier, value, .. } = report.clone();
    Complement { name, multiplier, value }
}

fn switch(report: &SwitchReport) -> Switch {
    let rates = || report.rates.iter().cloned();
    Switch {
        name: report.name.clone(),
        when: report.when.clone(),
        positive: rates().map(|(state, positive, _)| (state, positive)).collect(),
        negative: rates().map(|(state, _, negative)| (state, negative)).collect(),
    }
}

fn event(report: &EventReport) -> Event {
    Event {
        name: report.name.clone(),
        switch: report.switch.clone(),
        direction: report.direction.to_string(),
        condition: report.condition.clone(),
        jump: report.jump.iter().cloned().collect(),
        stop: report.stops,
    }
}

/// The symmetry of a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Symmetry {
    /// 1 or -1 for every state but the phase.
    pub signs: Named,
    /// The shift of the phase, if there is one.
    pub phase: Option<f64>,
    /// The image of every contact.
    pub contacts: Entries<String>,
}

/// The numbers of nonzero entries of the matrices of a structure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatrixEntries {
    /// Of the mass matrix.
    #[serde(rename = "M")]
    pub mass: usize,
    /// Of the stiffness matrix.
    #[serde(rename = "K")]
    pub stiffness: usize,
    /// Of the damping matrix, without its proportional part.
    #[serde(rename = "C")]
    pub damping: usize,
}

/// A structure that is given by its matrices.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Structure {
    /// The number of degrees of freedom.
    pub degrees_of_freedom: usize,
    /// The sizes of its matrices.
    pub entries: MatrixEntries,
    /// The matrix files that were read.
    pub files: Vec<String>,
    /// Whether it is small enough to be simulated.
    pub simulated: bool,
}

/// The laws of impacts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Impacts {
    /// The treatment of simultaneous contacts: `refuse` or `lcp`; null where the file does not say.
    pub together: Option<String>,
    /// The law of restitution: `newton` or `poisson`; null for a flow, whose contacts have jumps.
    pub law: Option<String>,
}

/// What a model is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The name of the model.
    pub name: String,
    /// How its motion is given: `flow`, `mechanics`, `lagrangian` or `matrices`.
    pub body: String,
    /// The names of the states, the phase last.
    pub states: Vec<String>,
    /// The parameters and their values.
    pub parameters: Named,
    /// The names of the contacts.
    pub contacts: Vec<String>,
    /// Whether the motion between impacts is linear.
    pub linear: bool,
    /// Warnings, one sentence each.
    pub warnings: Vec<String>,
    /// What could be written with less, one sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suggestions: Vec<String>,
    /// The title of the model.
    pub title: Option<String>,
    /// Where it comes from.
    pub source: Option<String>,
    /// The start.
    pub start: Named,
    /// The closed contacts at the start; null for a model without event-driven simulation.
    pub mode: Option<String>,
    /// The names of the sections of the file.
    pub sections: Vec<String>,
    /// The symmetry, if the model has one at these parameters.
    pub symmetry: Option<Symmetry>,
    /// Dry friction without contacts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub friction: Vec<DryFriction>,
    /// The functions that stay zero.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<Constraint>,
    /// The functions that are given by points.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<Measured>,
    /// By how much the start was moved onto the constraints, where it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_moved: Option<Named>,
    /// Complementarities without contacts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub complementarity: Vec<Complement>,
    /// The switches, with the rates on both sides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub switches: Vec<Switch>,
    /// The events at which the state jumps.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<Event>,
    /// The laws of the contacts.
    pub laws: Entries<Law>,
    /// The rates of change of the states; those of velocities follow from M and h.
    pub rates: Entries<String>,
    /// The mass matrix of a mechanical body by rows; empty for other bodies.
    #[serde(rename = "M")]
    pub mass: Vec<Vec<String>>,
    /// The forces of a mechanical body; empty for other bodies.
    #[serde(rename = "h")]
    pub force: Vec<String>,
    /// The matrices of a structure.
    pub structure: Option<Structure>,
    /// The laws of impacts.
    pub impacts: Impacts,
    /// The SHA-256 fingerprint of the model.
    pub fingerprint: String,
}

/// The answer; `mode` is that of the start, if it is known.
pub(crate) fn answer(system: &System, report: &Report, mode: Option<String>) -> Answer {
    let model = system.model();
    let (parameters, values): (Vec<String>, Vec<f64>) = report.parameters.iter().cloned().unzip();
    Answer {
        name: report.name.clone(),
        body: report.body.to_string(),
        states: report.states.clone(),
        parameters: Named::new(parameters.into(), values),
        contacts: report.contacts.iter().map(|contact| contact.name.clone()).collect(),
        linear: report.linear,
        warnings: report.warnings.clone(),
        suggestions: report.suggestions.clone(),
        title: model.title.clone(),
        source: model.source.clone(),
        start: system.start(),
        mode,
        sections: model.sections.iter().map(|section| section.name.clone()).collect(),
        symmetry: symmetry(system, report),
        friction: report.frictions.iter().map(dry).collect(),
        constraints: report.constraints.iter().map(constraint).collect(),
        tables: model.tables.iter().map(measured).collect(),
        start_moved: (!report.start_shift.is_empty()).then(|| {
            let (names, shifts): (Vec<String>, Vec<f64>) = report.start_shift.iter().cloned().unzip();
            Named::new(names.into(), shifts)
        }),
        complementarity: report.complementarities.iter().map(complement).collect(),
        switches: report.switches.iter().map(switch).collect(),
        events: report.events.iter().map(event).collect(),
        laws: report.contacts.iter().map(|contact| (contact.name.clone(), law(contact))).collect(),
        rates: report.rates.iter().cloned().collect(),
        mass: report.mass.clone(),
        force: report.force.clone(),
        structure: report.structure.as_ref().map(structure),
        impacts: impacts(report),
        fingerprint: model.fingerprint(),
    }
}

fn law(contact: &ContactReport) -> Law {
    Law {
        gap: contact.gap.clone(),
        speed: contact.speed.clone(),
        direction: contact.direction.iter().cloned().collect(),
        restitution: contact.restitution.clone(),
        friction: contact.friction.as_ref().map(friction),
    }
}

fn friction(friction: &FrictionReport) -> Friction {
    Friction {
        law: "coulomb".to_string(),
        mu: friction.coefficient.clone(),
        mu_static: friction.held.clone(),
        track: friction.track.clone(),
        belt: friction.belt.clone(),
        slip: friction.slip.clone(),
    }
}

fn measured(table: &saltation_model::Measured) -> Measured {
    Measured {
        name: table.name.clone(),
        points: table.function.len(),
        range: table.function.span(),
        values: table.extent(),
        interpolation: table.function.interpolation().word().to_string(),
        beyond: table.function.beyond().word().to_string(),
        file: table.file.clone(),
        units: table.units.clone(),
    }
}

fn constraint(constraint: &ConstraintReport) -> Constraint {
    Constraint {
        name: constraint.name.clone(),
        of: if constraint.of_positions { "positions" } else { "velocities" }.to_string(),
        formula: constraint.keep.clone(),
        redundant: constraint.redundant,
        sides: constraint.sides.clone(),
    }
}

fn structure(structure: &StructureReport) -> Structure {
    Structure {
        degrees_of_freedom: structure.degrees,
        entries: MatrixEntries {
            mass: structure.mass_entries,
            stiffness: structure.stiffness_entries,
            damping: structure.damping_entries,
        },
        files: structure.files.clone(),
        simulated: structure.simulated,
    }
}

fn impacts(report: &Report) -> Impacts {
    let together = match report.impacts.together {
        Together::Undecided => None,
        Together::Refuse => Some("refuse"),
        Together::Complementarity => Some("lcp"),
        Together::Sequence => Some("sequence"),
    };
    let law = match report.impacts.law {
        _ if report.body == "flow" => None,
        ImpactLaw::Newton => Some("newton"),
        ImpactLaw::Poisson => Some("poisson"),
    };
    Impacts { together: together.map(str::to_string), law: law.map(str::to_string) }
}

/// The signs of the states, the shift of the phase, and the image of every contact.
fn symmetry(system: &System, report: &Report) -> Option<Symmetry> {
    let model = system.model();
    let symmetry = report.symmetry.as_ref()?;
    let moving = model.states.iter().zip(&symmetry.signs).filter(|(state, _)| state.kind != StateKind::Phase);
    let (names, signs): (Vec<String>, Vec<f64>) = moving.map(|(state, sign)| (state.name.clone(), *sign)).unzip();
    let name = |i: usize| model.contacts[i].name.clone();
    let images = symmetry.contacts.iter().enumerate();
    Some(Symmetry {
        signs: Named::new(names.into(), signs),
        phase: model.phase.as_ref().map(|_| symmetry.shift),
        contacts: images.map(|(i, &j)| (name(i), name(j))).collect(),
    })
}
