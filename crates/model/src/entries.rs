//! What a model file says, as data: every table of format 1 with its places, formulas still as text.

use std::ops::Range;

use saltation_numerics::matrix_market::Coordinates;

use crate::contact::Impacts;
use crate::section::Direction;
use crate::shape::Written;
use crate::tables_entry::TableEntry;

pub(crate) struct File {
    pub name: String,
    pub title: Option<String>,
    pub about: Option<String>,
    pub source: Option<String>,
    pub parameters: Vec<ParameterEntry>,
    pub phases: Vec<PhaseEntry>,
    pub definitions: Vec<(Written, Written)>,
    pub tables: Vec<TableEntry>,
    pub body: BodyEntry,
    pub angles: Vec<(Written, Written)>,
    pub contacts: Vec<ContactEntry>,
    pub frictions: Vec<DryEntry>,
    pub constraints: Vec<ConstraintEntry>,
    pub complementarities: Vec<ComplementarityEntry>,
    pub impacts: Impacts,
    pub sections: Vec<SectionEntry>,
    pub switches: Vec<SwitchEntry>,
    pub events: Vec<EventEntry>,
    pub discrete: Vec<DiscreteEntry>,
    pub symmetry: Option<SymmetryEntry>,
    pub units: Vec<(Written, String)>,
    pub sketch: Option<SketchEntry>,
    pub start: Vec<(Written, Written)>,
    pub start_span: Range<usize>,
}

pub(crate) struct ParameterEntry {
    pub name: Written,
    pub value: Written,
    pub min: Option<Written>,
    pub max: Option<Written>,
    pub unit: Option<String>,
    pub symbol: Option<String>,
    pub about: Option<String>,
}

pub(crate) struct PhaseEntry {
    pub name: Written,
    pub rate: Written,
    pub period: Written,
}

pub(crate) enum BodyEntry {
    Flow { rates: Vec<(Written, Written)> },
    Mechanics { coordinates: Vec<Written>, velocities: Vec<Written>, mass: Vec<Vec<Written>>, force: Vec<Written> },
    Lagrangian(LagrangianEntry),
    Matrices(Box<MatricesEntry>),
}

pub(crate) struct LagrangianEntry {
    pub coordinates: Vec<Written>,
    pub velocities: Vec<Written>,
    pub lagrangian: Written,
    pub dissipation: Option<Written>,
    /// Coordinate by index, and the force on it.
    pub forces: Vec<(usize, Written)>,
}

pub(crate) struct ContactEntry {
    pub name: Written,
    pub gap: GapWritten,
    pub law: LawEntry,
    pub friction: Option<FrictionEntry>,
}

#[derive(Clone)]
pub(crate) struct FrictionEntry {
    pub coefficient: Written,
    /// That of stick, where it differs.
    pub held: Option<Written>,
    pub track: Written,
    pub belt: Option<Written>,
}

pub(crate) enum GapWritten {
    Formula(Written),
    /// For a structure: weights of degrees of freedom.
    Weights(WeightsEntry),
}

impl GapWritten {
    /// The place of the gap.
    pub(crate) fn place(&self) -> Range<usize> {
        match self {
            GapWritten::Formula(written) => written.inside(),
            GapWritten::Weights(entry) => entry.whole.span.clone(),
        }
    }
}

pub(crate) enum LawEntry {
    Restitution(Written),
    Jump(Vec<(Written, Written)>),
    /// One side of a constraint with friction, the gap of which is the function of the constraint or its negative: it does not rebound.
    Side {
        negative: bool,
    },
}

pub(crate) struct SectionEntry {
    pub name: Written,
    pub when: Written,
    pub direction: Option<(Direction, Range<usize>)>,
}

/// A function that stays zero.
pub(crate) struct ConstraintEntry {
    pub name: Written,
    pub keep: Written,
    /// Whether it is one of positions.
    pub of_positions: bool,
    /// The friction along its track, if there is any.
    pub friction: Option<FrictionEntry>,
}

impl ConstraintEntry {
    /// What a constraint with friction is: 0 <= c with a force that pushes, and 0 <= -c with one that pulls, each with friction. One of them has the force.
    pub(crate) fn sides(&self) -> Vec<ContactEntry> {
        let Some(friction) = &self.friction else { return Vec::new() };
        let side = |(negative, name): (bool, String)| ContactEntry {
            name: self.name.instead(&name),
            gap: GapWritten::Formula(self.keep.clone()),
            law: LawEntry::Side { negative },
            friction: Some(friction.clone()),
        };
        [false, true].into_iter().zip(side_names(&self.name.text)).map(side).collect()
    }
}

/// The names of the two sides of a constraint with friction.
pub(crate) fn side_names(constraint: &str) -> [String; 2] {
    ["+", "-"].map(|side| format!("{constraint}{side}"))
}

/// Dry friction without a contact.
pub(crate) struct DryEntry {
    pub name: Written,
    pub track: Written,
    pub force: Written,
    pub held: Option<Written>,
    pub belt: Option<Written>,
}

/// Two quantities that are not negative and of which one is zero.
pub(crate) struct ComplementarityEntry {
    pub name: Written,
    pub multiplier: Written,
    pub value: Written,
}

pub(crate) struct SwitchEntry {
    pub name: Written,
    pub when: Written,
}

pub(crate) struct EventEntry {
    pub name: Written,
    pub when: Written,
    pub direction: Direction,
    pub condition: Option<Written>,
    pub jump: Vec<(Written, Written)>,
    /// Whether it ends the trajectory.
    pub stops: bool,
}

pub(crate) struct DiscreteEntry {
    pub name: Written,
    pub value: Written,
    pub values: Vec<Written>,
}

/// The contents of a `[matrices]` table.
pub(crate) struct MatricesEntry {
    pub mass: MatrixEntry,
    pub stiffness: MatrixEntry,
    pub damping: Option<MatrixEntry>,
    /// The factors of M and K in the damping, if it has such parts.
    pub proportional: [Option<Written>; 2],
    pub load: LoadEntry,
    /// u1, u2, … and v1, v2, …; known once the matrices are.
    pub coordinates: Vec<Written>,
    pub velocities: Vec<Written>,
}

/// One matrix with its place.
pub(crate) struct MatrixEntry {
    /// M, K or C.
    pub name: &'static str,
    pub span: Range<usize>,
    pub form: MatrixForm,
}

pub(crate) enum MatrixForm {
    /// A Matrix Market file beside the model.
    File(Written),
    /// Numbers in the model file itself.
    Numbers(Coordinates),
}

pub(crate) enum LoadEntry {
    None,
    File(Written),
    /// A formula for each degree of freedom.
    List(Vec<Written>, Range<usize>),
    /// Degrees of freedom, as they are written, and the loads on them.
    Some(Vec<(Written, Written)>),
}

/// A gap as weights of degrees of freedom.
pub(crate) struct WeightsEntry {
    /// The gap where all displacements are zero.
    pub constant: Option<Written>,
    /// Degrees of freedom, as they are written, and their weights.
    pub normal: Vec<(Written, Written)>,
    /// The whole gap.
    pub whole: Written,
}

/// The contents of a `[symmetry]` table.
pub(crate) struct SymmetryEntry {
    /// The place of the table.
    pub span: Range<usize>,
    pub signs: Vec<(Written, Written)>,
    /// The place of the key and the formula.
    pub phase: Option<(Range<usize>, Written)>,
}

/// The contents of a `[sketch]` table.
pub(crate) struct SketchEntry {
    /// Names and both coordinates.
    pub points: Vec<(Written, [Written; 2])>,
    pub segments: Vec<LinkEntry>,
    pub discs: Vec<DiscEntry>,
    pub springs: Vec<LinkEntry>,
    pub dampers: Vec<LinkEntry>,
    pub walls: Vec<LinkEntry>,
    pub polygons: Vec<Vec<Written>>,
    pub arrows: Vec<LinkEntry>,
}

/// The names of two points.
pub(crate) struct LinkEntry {
    pub from: Written,
    pub to: Written,
}

pub(crate) struct DiscEntry {
    /// The name of a point.
    pub at: Written,
    pub radius: Written,
    pub turn: Option<Written>,
}
