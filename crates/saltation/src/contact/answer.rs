//! The answer of a contact problem: all forces and impulses that obey the laws. Its JSON is that of `contact --json`.

use crate::equilibrium::answer::of_contacts;
use crate::named::{Named, serial};
use crate::naming::Naming;
use saltation_motion::Slip;
use saltation_motion::problems::analysis::{self, Analysis};
use saltation_motion::problems::{self, ContactMap, Critical, Region, SmallestFriction};
use serde::{Deserialize, Serialize};

use super::request::{Along, Axis};

/// Forces that satisfy all contact laws, and the resulting accelerations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Solution {
    /// The contacts that stay closed: `flight`, or `stick:wall`, `slip+:wall`, `slip-:wall` joined by commas.
    pub mode: String,
    /// The normal force of every closed contact, positive in compression.
    pub normal_force: Named,
    /// The tangential force of every closed contact.
    pub tangential_force: Named,
    /// The rate of change of every velocity.
    pub accelerations: Named,
    /// The acceleration of every gap, g_N''; exactly zero where the contact stays closed.
    pub opening_accelerations: Named,
    /// The acceleration of every slip, g_T''; exactly zero where the contact sticks.
    pub slip_accelerations: Named,
    /// The rate of change of every state.
    pub rates: Named,
    /// Whether the forces are not unique although the motion is.
    pub one_of_many: bool,
    /// Whether a contact is at the boundary between two modes, so that higher derivatives decide.
    pub borderline: bool,
}

/// A contact that is closed at the start.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Closed {
    /// Its name.
    pub contact: String,
    /// The sign of its slip; nothing if it does not slip or has no friction.
    pub slip: Option<f64>,
    /// The speed of its slip, g_T'.
    #[serde(with = "serial::number")]
    pub slip_speed: f64,
    /// The acceleration of its gap per unit of normal force with its friction, A; negative beyond the critical friction.
    #[serde(rename = "A", with = "serial::number")]
    pub a: f64,
    /// The acceleration of its gap without any contact force, b.
    #[serde(with = "serial::number")]
    pub b: f64,
    /// Its coefficient of friction; zero without friction.
    #[serde(with = "serial::number")]
    pub mu: f64,
    /// The critical friction, at which A = 0, if there is any.
    pub mu_critical: Option<f64>,
    /// The change of g_N' by a unit of normal impulse.
    #[serde(rename = "d_NN", with = "serial::number")]
    pub d_nn: f64,
    /// The change of g_N' by a unit of tangential impulse.
    #[serde(rename = "d_NT", with = "serial::number")]
    pub d_nt: f64,
    /// The change of g_T' by a unit of tangential impulse.
    #[serde(rename = "d_TT", with = "serial::number")]
    pub d_tt: f64,
    /// The acceleration of its slip without any contact force.
    #[serde(with = "serial::number")]
    pub slip_acceleration: f64,
}

/// Impulses that satisfy all laws of an impact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Impact {
    /// The normal impulse of every contact.
    pub normal_impulse: Named,
    /// The tangential impulse of every contact.
    pub tangential_impulse: Named,
    /// Every velocity after the impact.
    pub velocities: Named,
    /// The opening speed of every contact after it.
    pub opening_speeds: Named,
    /// The slip speed of every contact after it.
    pub slip_speeds: Named,
    /// The change of the kinetic energy in the frame of the surfaces.
    #[serde(with = "serial::number")]
    pub energy: f64,
    /// Whether the impulses are not unique although the motion is.
    pub one_of_many: bool,
}

/// The smallest critical friction as a number varies; only name and range if no friction is critical.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Smallest {
    /// The name of the number.
    pub name: String,
    /// Between which values it varies.
    pub range: [f64; 2],
    /// The smallest critical friction.
    pub mu: Option<f64>,
    /// The value of the number at which it is.
    pub at: Option<f64>,
    /// Whether that is an end of the range, beyond which it may be smaller.
    pub at_end: Option<bool>,
    /// The contact.
    pub contact: Option<String>,
}

/// A curve on which A, b or the slip speed of a contact vanishes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// The contact.
    pub contact: String,
    /// What vanishes.
    #[serde(with = "quantity")]
    pub quantity: Critical,
    /// Whether the last point is joined to the first one.
    pub closed: bool,
    /// Its points, in their order along the curve.
    pub points: Vec<(f64, f64)>,
}

/// Solutions of the contact problem over a plane of two numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Map {
    /// The names of the numbers: that across and that up.
    pub names: [String; 2],
    /// Their values.
    pub values: [Vec<f64>; 2],
    /// Whether all rows are there; otherwise the second values are those of the rows that are.
    pub complete: bool,
    /// The region of every grid point, row by row: the first number varies along a row.
    #[serde(with = "regions")]
    pub status: Vec<Vec<Region>>,
    /// Where A, b and slip speeds vanish; none in a map that is not complete.
    pub curves: Vec<Curve>,
}

/// The data of the contact problem at the start.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// All forces that satisfy the contact laws.
    pub solutions: Vec<Solution>,
    /// Their number, in a word: `unique`, `inconsistent` (none) or `indeterminate` (several).
    pub status: String,
    /// Whether all solutions were enumerated; with very many contacts only one is computed.
    pub complete: bool,
    /// The start.
    pub state: Named,
    /// The closed contacts.
    pub contacts: Vec<Closed>,
    /// The impacts without collision: impulses that satisfy the laws although no contact closes.
    pub impacts: Vec<Impact>,
    /// The contacts that close with an impact.
    pub closing: Vec<String>,
    /// All solutions of that impact, if there is one.
    pub collisions: Option<Vec<Impact>>,
    /// The smallest critical friction, if requested.
    pub critical: Option<Smallest>,
    /// The map, if requested.
    pub map: Option<Map>,
    /// The share of every region in the map.
    pub shares: Option<Named>,
    /// The name of the model.
    pub model: String,
    /// The values of the parameters.
    pub parameters: Named,
}

/// The names of the quantities that vanish on curves.
mod quantity {
    use super::Critical;
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::Serializer;

    pub(super) fn serialize<S: Serializer>(quantity: &Critical, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(quantity.name())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Critical, D::Error> {
        let word = String::deserialize(deserializer)?;
        let known = Critical::ALL.into_iter().find(|known| known.name() == word);
        known.ok_or_else(|| D::Error::custom(format!("`{word}` is no quantity of a contact")))
    }
}

/// The names of the regions of a map.
mod regions {
    use super::Region;
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::Serializer;

    pub(super) fn serialize<S: Serializer>(rows: &[Vec<Region>], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(rows.iter().map(|row| row.iter().map(|region| region.name()).collect::<Vec<&str>>()))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Vec<Region>>, D::Error> {
        let rows: Vec<Vec<String>> = Vec::deserialize(deserializer)?;
        let region = |word: String| {
            let known = Region::ALL.into_iter().find(|known| known.name() == word);
            known.ok_or_else(|| D::Error::custom(format!("`{word}` is no region of a map")))
        };
        rows.into_iter().map(|row| row.into_iter().map(region).collect()).collect()
    }
}

/// The contact problem with the names of its numbers.
pub(crate) fn solved(naming: Naming, analysis: &Analysis, start: &[f64]) -> Answer {
    let closed: Vec<usize> = analysis.contacts.iter().map(|known| known.contact).collect();
    let impacts = |contacts: &[usize], list: &[analysis::Impact]| {
        list.iter().map(|one| impact(naming, contacts, one)).collect::<Vec<Impact>>()
    };
    Answer {
        solutions: analysis.solutions.iter().map(|one| solution(naming, &closed, one)).collect(),
        status: analysis.status.name().to_string(),
        complete: analysis.complete,
        state: naming.named(start),
        contacts: analysis.contacts.iter().map(|known| contact(naming, known)).collect(),
        impacts: impacts(&closed, &analysis.impacts),
        closing: analysis.striking.iter().map(|&contact| name(naming, contact)).collect(),
        collisions: analysis.collisions.as_ref().map(|found| impacts(&found.contacts, &found.solutions)),
        critical: None,
        map: None,
        shares: None,
        model: naming.system.model().name.clone(),
        parameters: Named::default(),
    }
}

fn name(naming: Naming, contact: usize) -> String {
    naming.system.contact_names()[contact].clone()
}

fn contact(naming: Naming, known: &problems::ClosedContact) -> Closed {
    Closed {
        contact: name(naming, known.contact),
        slip: known.slip.map(Slip::sign),
        slip_speed: known.slip_speed,
        a: known.a,
        b: known.b,
        mu: known.friction,
        mu_critical: known.critical_friction,
        d_nn: known.d_nn,
        d_nt: known.d_nt,
        d_tt: known.d_tt,
        slip_acceleration: known.slip_acceleration,
    }
}

/// Numbers by the names of contacts.
fn by_name(naming: Naming, contacts: &[usize], numbers: &[f64]) -> Named {
    of_contacts(naming, contacts.iter().copied(), numbers)
}

/// The numbers of velocities, out of those of all states, by their names.
fn of_velocities(naming: Naming, numbers: &[f64]) -> Named {
    let model = naming.system.model();
    let velocities = model.body.mechanics().map_or(&[][..], |body| &body.velocities);
    let (names, numbers): (Vec<String>, Vec<f64>) =
        velocities.iter().map(|&v| (model.states[v].name.clone(), numbers[v])).unzip();
    Named::new(names.into(), numbers)
}

fn solution(naming: Naming, contacts: &[usize], solution: &problems::Solution) -> Solution {
    Solution {
        mode: naming.mode(solution.mode),
        normal_force: by_name(naming, contacts, &solution.normal),
        tangential_force: by_name(naming, contacts, &solution.tangential),
        accelerations: of_velocities(naming, &solution.rates),
        opening_accelerations: by_name(naming, contacts, &solution.opening),
        slip_accelerations: by_name(naming, contacts, &solution.slipping),
        rates: Named::new(naming.states().to_vec().into(), solution.rates.clone()),
        one_of_many: solution.underdetermined,
        borderline: solution.borderline,
    }
}

fn impact(naming: Naming, contacts: &[usize], impact: &analysis::Impact) -> Impact {
    Impact {
        normal_impulse: by_name(naming, contacts, &impact.normal),
        tangential_impulse: by_name(naming, contacts, &impact.tangential),
        velocities: of_velocities(naming, &impact.after),
        opening_speeds: by_name(naming, contacts, &impact.opening),
        slip_speeds: by_name(naming, contacts, &impact.slipping),
        energy: impact.energy,
        one_of_many: impact.underdetermined,
    }
}

/// The smallest critical friction with its names.
pub(crate) fn smallest(naming: Naming, along: &Along, found: Option<SmallestFriction>) -> Smallest {
    Smallest {
        name: along.name.clone(),
        range: [along.low, along.high],
        mu: found.map(|found| found.friction),
        at: found.map(|found| found.at),
        at_end: found.map(|found| found.at_end),
        contact: found.map(|found| name(naming, found.contact)),
    }
}

/// A map with its names.
pub(crate) fn map(naming: Naming, axes: &[Axis; 2], map: &ContactMap) -> Map {
    let curve = |found: &problems::CriticalCurve| Curve {
        contact: name(naming, found.contact),
        quantity: found.quantity,
        closed: found.curve.closed,
        points: found.curve.points.clone(),
    };
    Map {
        names: [axes[0].name.clone(), axes[1].name.clone()],
        values: map.values.clone(),
        complete: map.complete,
        status: map.regions.chunks(map.values[0].len().max(1)).map(<[Region]>::to_vec).collect(),
        curves: map.curves.iter().map(curve).collect(),
    }
}

/// The shares of the regions that occur.
pub(crate) fn shares(map: &ContactMap) -> Named {
    let (names, shares): (Vec<String>, Vec<f64>) =
        map.shares().into_iter().map(|(region, share)| (region.name().to_string(), share)).unzip();
    Named::new(names.into(), shares)
}
