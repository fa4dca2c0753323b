//! Lists the test functions of a branch as a table: each is a quantity of an orbit that changes its sign at a bifurcation, or at a border of the signature,
//! of one kind. A new test function is a new [`Quantity`] with its values and an entry in [`TestFunction::table`].

use saltation_continuation::Point;
use saltation_continuation::test_function::changes_sign;
use saltation_motion::Bound;
use saltation_numerics::dense;
use saltation_numerics::dense::Complex;
use saltation_numerics::elementary;

use super::SpecialKind;
use super::followed::Followed;
use super::sample::{Sample, Scratch, Signed, UNIT_MULTIPLIER, coupled, determinant, doubling, nontrivial, torus};
use crate::signature::{BoundMinimum, Equations, InitialPlace, Inspection, Kind, Lowest, Signature};

/// Imaginary parts of multipliers above this belong to a complex pair; real pairs with product one have none.
const COMPLEX_PART: f64 = 1e-6;
/// Moduli of multipliers this near to 1 lie on the unit circle at a point that was located.
const UNIT_CIRCLE: f64 = 1e-5;

/// A factor with which perturbations do not return at a period doubling.
const OTHER_FACTOR: f64 = 2.0;
/// A determinant that is smaller than this part of its values on both sides vanishes at a point between them.
const VANISHED_DETERMINANT: f64 = 1e-7;

/// A quantity of an orbit. Numbers `index` count the entries of the list in [`Inspection`] that they stand in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Quantity {
    /// The opening speed before an impact.
    ImpactSpeed { index: usize },
    /// The lowest minimum of the gap of a contact between events.
    LowestGap { contact: usize },
    /// The lowest minimum of the force of a contact between events.
    LowestForce { contact: usize },
    /// The lowest minimum of a friction bound on the flow after a node.
    LowestBound { node: usize, contact: usize, bound: Bound },
    /// The rate of the bound that is reached at an event: of the contact force at a release.
    BoundRate { index: usize },
    /// How long a contact lasts that begins at a node.
    ContactDuration { index: usize, node: usize },
    /// The time from an event to the next.
    Duration { index: usize, node: usize },
    /// The value of a contact force or a friction bound at the start of the flow after a node.
    InitialBound { place: InitialPlace },
    /// The speed with which an orbit without events crosses its section, zero where it shrinks to an equilibrium.
    CrossingSpeed,
    /// det [J; t'], zero where another branch crosses, relative to the modulus with this logarithm.
    BranchDeterminant { reference: f64 },
    /// The component of the tangent along the parameter.
    ParameterTangent,
    /// The determinant of the equations of perturbations that return with the opposite sign, relative to the modulus with this logarithm.
    DoublingDeterminant { reference: f64 },
    /// The same relative to det [J; t']: the speeds at which events are passed, factors of both, cancel.
    DoublingRatio,
    /// The product of 1 - mu_i mu_j over all pairs of multipliers.
    MultiplierPairs,
}

/// Where on an orbit the event takes place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Location {
    /// At no place in particular.
    Everywhere,
    /// At a node.
    Node(usize),
    /// At the minimum that vanishes, between nodes.
    Minimum,
}

/// An entry of the table.
#[derive(Debug, Clone)]
pub(super) struct TestFunction {
    /// What changes its sign.
    pub quantity: Quantity,
    /// What happens there.
    pub kind: SpecialKind,
    /// The contact that it belongs to.
    pub contact: Option<usize>,
    /// The place that it belongs to.
    pub location: Location,
}

impl TestFunction {
    /// All test functions that are defined at two neighbouring points, in the order in which they are evaluated.
    pub(super) fn table(a: &Sample, b: &Sample, signature: &Signature) -> Vec<TestFunction> {
        let contact = |node: usize| signature.nodes[node].kind.contact();
        let inspection = &a.inspection;
        let mut table = Vec::new();
        let mut add = |quantity: Quantity, kind: SpecialKind, contact: Option<usize>, location: Location| {
            table.push(TestFunction { quantity, kind, contact, location });
        };
        for (index, impact) in inspection.speeds.iter().enumerate() {
            let (contact, location) = (Some(impact.contact), Location::Node(impact.node));
            add(Quantity::ImpactSpeed { index }, SpecialKind::Graze, contact, location);
        }
        for contact in 0..inspection.gaps.len() {
            let (gap, force) = (Quantity::LowestGap { contact }, Quantity::LowestForce { contact });
            add(gap, SpecialKind::Graze, Some(contact), Location::Minimum);
            add(force, SpecialKind::Boundary, Some(contact), Location::Minimum);
        }
        let of_bound = |minimum: &BoundMinimum| {
            let (node, contact) = (minimum.lowest.site.node, minimum.lowest.contact);
            (Quantity::LowestBound { node, contact, bound: minimum.bound }, contact)
        };
        let known: Vec<(Quantity, usize)> = inspection.margins.iter().map(of_bound).collect();
        let born = b.inspection.margins.iter().map(of_bound).filter(|one| !known.contains(one));
        for (quantity, contact) in known.iter().copied().chain(born) {
            add(quantity, SpecialKind::Boundary, Some(contact), Location::Minimum);
        }
        for (index, rate) in inspection.bound_rates.iter().enumerate() {
            let location = Location::Node(rate.node);
            add(Quantity::BoundRate { index }, SpecialKind::Boundary, contact(rate.node), location);
        }
        for (index, stick) in inspection.sticks.iter().enumerate() {
            let quantity = Quantity::ContactDuration { index, node: stick.node };
            add(quantity, SpecialKind::StickLoss, contact(stick.node), Location::Node(stick.node));
        }
        // Other times between events: two events come in another order, or what lies between them vanishes.
        for (index, node) in events(signature).into_iter().enumerate() {
            if inspection.sticks.iter().all(|stick| stick.node != node) {
                let quantity = Quantity::Duration { index, node };
                add(quantity, SpecialKind::Boundary, contact(node), Location::Node(node));
            }
        }
        for place in inspection.initial_places() {
            let (contact, location) = (Some(place.contact), Location::Node(place.node));
            add(Quantity::InitialBound { place }, SpecialKind::Boundary, contact, location);
        }
        let doubled = match signature.mirror {
            Some(_) => SpecialKind::SymmetryBreaking,
            None => SpecialKind::PeriodDoubling,
        };
        let (crossed, returned) = (a.tests.branching.logarithm, a.tests.doubling.logarithm);
        for (quantity, kind) in [
            (Quantity::CrossingSpeed, SpecialKind::Hopf),
            (Quantity::BranchDeterminant { reference: crossed }, SpecialKind::BranchPoint),
            (Quantity::ParameterTangent, SpecialKind::Fold),
            (Quantity::DoublingDeterminant { reference: returned }, doubled),
            (Quantity::DoublingRatio, doubled),
            (Quantity::MultiplierPairs, SpecialKind::NeimarkSacker),
        ] {
            add(quantity, kind, None, Location::Everywhere);
        }
        table
    }

    /// That of folds.
    pub(super) fn fold() -> TestFunction {
        let (quantity, kind) = (Quantity::ParameterTangent, SpecialKind::Fold);
        TestFunction { quantity, kind, contact: None, location: Location::Everywhere }
    }

    /// Whether it is the same one at other points.
    pub(super) fn is_again(&self, other: &TestFunction) -> bool {
        let named = (self.kind, self.contact, self.location) == (other.kind, other.contact, other.location);
        named && std::mem::discriminant(&self.quantity) == std::mem::discriminant(&other.quantity)
    }

    /// Whether it has a double zero where the time after its event vanishes.
    pub(super) fn has_double_zero(&self) -> bool {
        matches!(self.quantity, Quantity::BoundRate { .. })
    }

    /// Whether it changes its sign between two neighbouring points.
    pub(super) fn changes_sign(&self, a: &Sample, b: &Sample) -> bool {
        let value = |sample: &Sample| self.quantity.at(sample).or_else(|| self.quantity.without_minimum());
        let (Some(before), Some(after)) = (value(a), value(b)) else { return false };
        match self.quantity {
            // A determinant that is zero at a point has no sign there.
            Quantity::BranchDeterminant { .. } | Quantity::DoublingDeterminant { .. } | Quantity::DoublingRatio => {
                before * after < 0.0
            }
            _ => changes_sign(before, after),
        }
    }

    /// Whether the point at which it is zero is of its kind: determinants and products vanish at others too.
    pub(super) fn confirmed<'s, F: Followed<'s>>(
        &self,
        problem: &mut F,
        point: &Point,
        (a, b): (&Sample, &Sample),
        scratch: &mut Scratch,
    ) -> bool {
        let autonomous = problem.signature_equations().system().model().phase.is_none();
        let mut multipliers = || {
            let seen = problem.signature_point(point).ok()?;
            problem.signature_equations().multipliers(&seen.jacobian).ok()
        };
        match self.quantity {
            // The determinant contains the speeds at which conditions are passed too: where a persistent contact makes all
            // multipliers zero, it changes its sign with them.
            Quantity::DoublingDeterminant { .. } | Quantity::DoublingRatio => {
                let minus = |m: &Complex| elementary::hypot(m.re + 1.0, m.im) < UNIT_MULTIPLIER;
                multipliers().is_some_and(|all| all.iter().any(minus))
                    && !returns_with_any_factor(problem, point, (a, b), scratch)
            }
            // Two multipliers whose product is one: a pair on the unit circle, or two real ones, which is no bifurcation.
            Quantity::MultiplierPairs => {
                let near = |m: &Complex| m.im.abs() > COMPLEX_PART && (dense::modulus(m) - 1.0).abs() < UNIT_CIRCLE;
                multipliers().is_some_and(|all| nontrivial(&all, autonomous).iter().any(near))
            }
            _ => true,
        }
    }
}

impl Quantity {
    /// The value at a point of the branch that was inspected.
    pub(super) fn at(&self, sample: &Sample) -> Option<f64> {
        let inspection = &sample.inspection;
        match *self {
            Quantity::ImpactSpeed { index } => inspection.speeds.get(index).map(|impact| impact.speed),
            Quantity::LowestGap { .. } | Quantity::LowestForce { .. } | Quantity::LowestBound { .. } => {
                self.minimum(inspection).map(|low| low.value)
            }
            Quantity::BoundRate { index } => inspection.bound_rates.get(index).map(|rate| rate.value),
            Quantity::ContactDuration { index, .. } => inspection.sticks.get(index).map(|stick| stick.value),
            Quantity::Duration { index, .. } => inspection.durations.get(index).copied(),
            Quantity::InitialBound { place } => inspection.initial_value(place),
            Quantity::CrossingSpeed => sample.tests.crossing,
            Quantity::BranchDeterminant { reference } => sample.tests.branching.relative(reference),
            Quantity::ParameterTangent => Some(sample.tests.fold),
            Quantity::DoublingDeterminant { reference } => sample.tests.doubling.relative(reference),
            Quantity::DoublingRatio => sample.tests.doubling.over(&sample.tests.branching),
            Quantity::MultiplierPairs => sample.tests.torus,
        }
    }

    /// The value at any point of the curve.
    pub(super) fn evaluate<'s, F: Followed<'s>>(
        &self,
        problem: &mut F,
        point: &Point,
        scratch: &mut Scratch,
    ) -> Option<f64> {
        match *self {
            Quantity::BranchDeterminant { .. } => return Some(point.orientation),
            Quantity::ParameterTangent => return point.tangent.last().copied(),
            _ => {}
        }
        let seen = problem.signature_point(point).ok()?;
        let equations = problem.signature_equations();
        let unknowns = &seen.unknowns;
        let mut inspect = |equations: &mut Equations| equations.inspect(unknowns, None, &mut scratch.workspace).ok();
        match *self {
            Quantity::ImpactSpeed { index } => equations.speeds(unknowns).get(index).map(|impact| impact.speed),
            Quantity::LowestGap { .. } | Quantity::LowestForce { .. } | Quantity::LowestBound { .. } => {
                let inspection = inspect(equations)?;
                self.minimum(&inspection).map(|low| low.value).or_else(|| self.without_minimum())
            }
            Quantity::BoundRate { index } => inspect(equations)?.bound_rates.get(index).map(|rate| rate.value),
            Quantity::ContactDuration { node, .. } => equations.stick(node, unknowns),
            Quantity::Duration { node, .. } => Some(unknowns[equations.layout().time(node)]),
            Quantity::InitialBound { place } => inspect(equations)?.initial_value(place),
            Quantity::CrossingSpeed => equations.crossing_speed(unknowns),
            Quantity::DoublingDeterminant { reference } => {
                doubling(equations, &seen.jacobian, &mut scratch.condensation).relative(reference)
            }
            Quantity::DoublingRatio => {
                let branching = Signed { sign: point.orientation, logarithm: point.log_determinant };
                doubling(equations, &seen.jacobian, &mut scratch.condensation).over(&branching)
            }
            Quantity::MultiplierPairs => {
                let autonomous = equations.system().model().phase.is_none();
                torus(&equations.multipliers(&seen.jacobian).ok()?, autonomous)
            }
            Quantity::BranchDeterminant { .. } | Quantity::ParameterTangent => None,
        }
    }

    /// The value where there is no minimum, if it is that of one: nothing falls below zero there.
    fn without_minimum(&self) -> Option<f64> {
        let lowest =
            matches!(self, Quantity::LowestGap { .. } | Quantity::LowestForce { .. } | Quantity::LowestBound { .. });
        lowest.then_some(f64::INFINITY)
    }

    /// The minimum that it is the value of.
    pub(super) fn minimum<'a>(&self, inspection: &'a Inspection) -> Option<&'a Lowest> {
        match *self {
            Quantity::LowestGap { contact } => inspection.gaps[contact].as_ref(),
            Quantity::LowestForce { contact } => inspection.forces[contact].as_ref(),
            Quantity::LowestBound { node, contact, bound } => {
                let margins = inspection.margins.iter().filter(|known| known.bound == bound);
                margins.map(|known| &known.lowest).find(|low| (low.site.node, low.contact) == (node, contact))
            }
            _ => None,
        }
    }
}

/// Whether perturbations return with any factor at a point: a condition is passed there without speed, and no multiplier exists.
fn returns_with_any_factor<'s, F: Followed<'s>>(
    problem: &mut F,
    point: &Point,
    (a, b): (&Sample, &Sample),
    scratch: &mut Scratch,
) -> bool {
    let mut logarithm = |point: &Point| {
        let seen = problem.signature_point(point).ok()?;
        let matrix = coupled(problem.signature_equations(), &seen.jacobian, OTHER_FACTOR);
        Some(determinant(&matrix, &mut scratch.condensation).logarithm)
    };
    let (Some(here), Some(before), Some(after)) = (logarithm(point), logarithm(&a.curve), logarithm(&b.curve)) else {
        return true;
    };
    elementary::exp(here - before.max(after)) <= VANISHED_DETERMINANT
}

/// The nodes at which something happens.
pub(super) fn events(signature: &Signature) -> Vec<usize> {
    (0..signature.nodes.len()).filter(|&k| signature.nodes[k].kind != Kind::Waypoint).collect()
}
