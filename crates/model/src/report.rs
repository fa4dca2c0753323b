//! The report of a check of a valid model.

use saltation_expr::Node;

use crate::check;
use crate::complementarity::ComplementarityReport;
use crate::constraint::ConstraintReport;
use crate::constraint_meaning;
use crate::contact::Impacts;
use crate::dry::DryReport;
use crate::mistake::Mistakes;
use crate::model::{Body, Model};
use crate::point::{Point, Sampler};
use crate::settings::Overrides;
use crate::switch_report::{self, EventReport, SwitchReport};
use crate::symmetry::SymmetryMap;
use crate::symmetry_check;
use crate::values::{FEW_SAMPLES, Values};
use crate::{complementarity_meaning, dry_meaning};

/// The number of states near the start at which formulas are checked.
const SAMPLES: usize = 50;

/// The description of a model as text and numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The name of the model.
    pub name: String,
    /// `flow`, `mechanics`, `lagrangian` or `matrices`.
    pub body: &'static str,
    /// The names of the states, the phase last.
    pub states: Vec<String>,
    /// The parameters and their values.
    pub parameters: Vec<(String, f64)>,
    /// The contacts and their laws.
    pub contacts: Vec<ContactReport>,
    /// The switches, and the rates on both sides of them.
    pub switches: Vec<SwitchReport>,
    /// Dry friction without contacts; its switches are among those above.
    pub frictions: Vec<DryReport>,
    /// The functions that stay zero.
    pub constraints: Vec<ConstraintReport>,
    /// By how much the start was moved onto them, where it was.
    pub start_shift: Vec<(String, f64)>,
    /// Complementarities without contacts; their switches are among those above.
    pub complementarities: Vec<ComplementarityReport>,
    /// The events at which the state jumps.
    pub events: Vec<EventReport>,
    /// The treatment of impacts with several contacts.
    pub impacts: Impacts,
    /// Whether the field is affine in the states.
    pub linear: bool,
    /// The symmetry of the file, if it has one and it holds at these parameters.
    pub symmetry: Option<SymmetryMap>,
    /// Warnings, one sentence each.
    pub warnings: Vec<String>,
    /// What could be written with less, one sentence each.
    pub suggestions: Vec<String>,
    /// The rates of change of all states; those of the velocities of a mechanical body follow from M and h and are left out.
    pub rates: Vec<(String, String)>,
    /// The size of a structure that is given by its matrices.
    pub structure: Option<StructureReport>,
    /// M of a mechanical body by rows, given or derived; empty for a structure that is too large to be simulated.
    pub mass: Vec<Vec<String>>,
    /// h of a mechanical body, given or derived; empty where `mass` is.
    pub force: Vec<String>,
}

/// Values that were read and checked of a structure: M symmetric and positive definite, K symmetric.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StructureReport {
    /// The number of degrees of freedom.
    pub degrees: usize,
    /// The number of nonzero entries of M.
    pub mass_entries: usize,
    /// The number of nonzero entries of K.
    pub stiffness_entries: usize,
    /// The number of nonzero entries of C, without its proportional part.
    pub damping_entries: usize,
    /// Whether it is small enough to be simulated.
    pub simulated: bool,
    /// The matrix files that were read.
    pub files: Vec<String>,
}

/// A contact, as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContactReport {
    /// Its name.
    pub name: String,
    /// The gap.
    pub gap: String,
    /// The opening speed v; empty, like W, for a structure that is too large to be simulated.
    pub speed: String,
    /// W, for the states that jump.
    pub direction: Vec<(String, String)>,
    /// The restitution at low speed.
    pub restitution: String,
    /// The friction, if there is any and the model can be simulated.
    pub friction: Option<FrictionReport>,
}

/// Coulomb friction, as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrictionReport {
    /// mu.
    pub coefficient: String,
    /// mu of a contact that sticks, where the file gives one.
    pub held: Option<String>,
    /// The position along the surface.
    pub track: String,
    /// The speed of the surface itself; `0` where the file has none.
    pub belt: String,
    /// The speed of slip.
    pub slip: String,
}

impl Model {
    /// Checks the model with these settings at its start and at nearby states, and describes it.
    ///
    /// # Errors
    /// As [`Model::values`], with more sample states.
    pub fn check(&self, settings: &Overrides) -> Result<Report, Mistakes> {
        let mut values = self.numbers_with(settings)?;
        values.move_onto_constraints()?;
        // Only mistakes that prevent a run are errors here; at further states a mistake may be outside of every trajectory.
        let mut mistakes = check::mistakes(self, values.numbers(), FEW_SAMPLES);
        if !self.is_moved() {
            if !mistakes.is_empty() {
                return Err(self.mistakes(mistakes));
            }
            let mut warnings = self.unused_entries();
            let names = self.contacts.iter().map(|contact| &contact.name).filter(|name| self.has_friction(name));
            let not_used =
                |name| format!("so large a structure is not simulated: the friction of `{name}` is not used");
            warnings.extend(names.map(not_used));
            warnings.extend(
                self.symmetry.as_ref().map(|_| "the symmetry of so large a structure is not checked".to_string()),
            );
            return Ok(self.report(&values, warnings));
        }
        let mut sampler = Sampler::new(self, values.numbers());
        let admissible: Vec<Point> = (0..SAMPLES)
            .map(|_| sampler.point())
            .filter(|point| self.contacts.iter().all(|contact| point.value(&self.graph, contact.gap) >= 0.0))
            .collect();
        let mass = admissible.iter().find_map(|point| check::mass(self, point));
        let mut warnings = Vec::new();
        if mistakes.is_empty() {
            let further = check::mistakes(self, values.numbers(), SAMPLES).into_iter().map(|mistake| mistake.message);
            warnings.extend(further);
            if matches!(self.body, Body::Flow) {
                warnings.extend(
                    self.contacts.iter().filter_map(|contact| check::doubt(self, contact, values.numbers(), SAMPLES)),
                );
            }
            // Away from the start an asymmetry is an error; a singular M may be outside of every trajectory.
            match mass {
                Some(mistake) if mistake.message.contains("symmetric") => mistakes.push(mistake),
                Some(mistake) => warnings.push(mistake.message),
                None => {}
            }
        }
        if !mistakes.is_empty() {
            return Err(self.mistakes(mistakes));
        }
        let symmetry = match symmetry_check::map(self, values.numbers(), SAMPLES) {
            Ok(symmetry) => symmetry,
            Err(broken) if settings.set.is_empty() => return Err(self.mistakes(broken)),
            Err(broken) => {
                let lost = "the symmetry of the file is lost at these parameters:";
                warnings.extend(broken.first().map(|mistake| format!("{lost} {}", mistake.message)));
                None
            }
        };
        warnings.extend(complementarity_meaning::doubt(self, &Point::start(values.numbers())));
        warnings.extend(self.unused_entries());
        warnings.extend(self.not_periodic(&values, &admissible));
        let suggestions = self.suggestions(&Point::start(values.numbers()));
        Ok(Report { symmetry, suggestions, ..self.report(&values, warnings) })
    }

    /// Warnings about unused and missing entries.
    fn unused_entries(&self) -> Vec<String> {
        let mut warnings: Vec<String> = self.unused.iter().map(|name| format!("`{name}` is not used")).collect();
        warnings.extend(constraint_meaning::redundant(self));
        warnings.extend(switch_report::products(self));
        if self.contacts.is_empty() && self.switches.is_empty() && self.constraints.is_empty() {
            warnings.push("the model has no contacts".to_string());
        }
        warnings
    }

    fn report(&self, values: &Values, warnings: Vec<String>) -> Report {
        let print = |node: Node| self.graph.print(node);
        let mut whole = self.graph.clone();
        let rates = self.rates_with_multipliers(&mut whole);
        let mechanics = self.body.mechanics();
        let shown = |i: usize| mechanics.is_none_or(|body| !body.velocities.contains(&i));
        // Without formulas there is nothing to print.
        let moved = self.is_moved();
        let printed = |node: Node| if moved { print(node) } else { String::new() };
        let contacts = self.contacts.iter().map(|contact| ContactReport {
            name: contact.name.clone(),
            gap: print(contact.gap),
            speed: printed(contact.speed),
            direction: self
                .states
                .iter()
                .zip(&contact.direction)
                .filter(|(_, w)| moved && self.graph.as_constant(**w) != Some(0.0))
                .map(|(state, &w)| (state.name.clone(), print(w)))
                .collect(),
            restitution: print(contact.restitution),
            friction: contact.friction.as_ref().map(|friction| FrictionReport {
                coefficient: print(friction.coefficient),
                held: friction.held.map(print),
                track: print(friction.track),
                belt: print(friction.belt),
                slip: print(friction.slip),
            }),
        });
        Report {
            name: self.name.clone(),
            body: self.body.name(),
            states: self.states.iter().map(|state| state.name.clone()).collect(),
            parameters: self
                .parameters
                .iter()
                .map(|p| p.name.clone())
                .zip(values.parameters().iter().copied())
                .collect(),
            contacts: contacts.collect(),
            switches: switch_report::switches(self),
            frictions: dry_meaning::reports(self),
            constraints: constraint_meaning::reports(self),
            start_shift: self
                .states
                .iter()
                .zip(values.start_shift())
                .filter(|(_, shift)| **shift != 0.0)
                .map(|(state, &shift)| (state.name.clone(), shift))
                .collect(),
            complementarities: complementarity_meaning::reports(self),
            events: switch_report::events(self),
            impacts: self.impacts,
            linear: self.linear,
            symmetry: None,
            warnings,
            suggestions: Vec::new(),
            rates: self
                .states
                .iter()
                .enumerate()
                .filter(|(i, _)| moved && shown(*i))
                .map(|(i, state)| (state.name.clone(), whole.print(rates[i])))
                .collect(),
            structure: self.body.matrices().map(|matrices| StructureReport {
                degrees: matrices.degrees(),
                mass_entries: matrices.mass.entries.len(),
                stiffness_entries: matrices.stiffness.entries.len(),
                damping_entries: matrices.damping.as_ref().map_or(0, |damping| damping.entries.len()),
                simulated: moved,
                files: self.files.iter().map(|(name, _)| name.clone()).collect(),
            }),
            mass: mechanics.map_or(Vec::new(), |body| {
                body.mass.iter().map(|row| row.iter().map(|&m| print(m)).collect()).collect()
            }),
            force: mechanics.map_or(Vec::new(), |body| body.force.iter().map(|&h| print(h)).collect()),
        }
    }

    /// Angles and the phase for which some formula is not periodic.
    fn not_periodic(&self, values: &Values, points: &[Point]) -> Vec<String> {
        // A switch may be moved by a ramp, at whose foot it is placed anew.
        let mut graph = self.graph.clone();
        let one = graph.constant(1.0);
        let sides = self.switches.iter().map(|switch| (switch.sign, one)).collect();
        let rates = self
            .states
            .iter()
            .map(|state| (format!("the rate of change of `{}`", state.name), graph.substitute(state.rate, &sides)));
        let contacts = self.contacts.iter().map(|contact| (format!("the gap of `{}`", contact.name), contact.gap));
        let formulas: Vec<(String, Node)> = rates.chain(contacts).collect::<Vec<_>>();
        let nodes: Vec<Node> = formulas.iter().map(|(_, node)| *node).collect();
        let mut warnings = Vec::new();
        for (i, period) in values.angle_periods().iter().enumerate() {
            let Some(period) = period else { continue };
            let differs = points.iter().take(8).find_map(|point| {
                let once = point.values(&graph, &nodes);
                let again = point.with(i, point.state(i) + period).values(&graph, &nodes);
                once.iter().zip(&again).position(|(a, b)| (a - b).abs() > 1e-6 * (1.0 + a.abs()))
            });
            if let Some(k) = differs {
                let name = &self.states[i].name;
                let what = &formulas[k].0;
                warnings.push(format!("{what} is not the same after `{name}` has gone round its period {period}"));
            }
        }
        warnings
    }
}
