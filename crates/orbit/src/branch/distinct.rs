//! Keeps of several zeros of test functions at one place of a branch the one that names it best, and ends the branch at coalescing events.

use saltation_continuation::Point;

use super::found::{Found, Mark};
use super::{Place, SpecialKind};

/// Zeros nearer than this on the curve are one: an impact and the loop beside it graze together.
const SAME_ARCLENGTH: f64 = 1e-7;
/// Zeros whose parameters differ by less than this fraction of the range are one: at a fold places are known to half their digits, and values agree.
const SAME_PARAMETER: f64 = 1e-7;
/// Where curves cross, zeros of other test functions are known to half their digits: to this fraction of the range.
const BESIDE_CROSSING: f64 = 1e-6;
/// Times shorter than this fraction of the period have vanished.
pub(super) const VANISHED_TIME: f64 = 1e-7;

/// A point at which a test function vanishes, with what it stands for.
pub(super) struct Candidate {
    pub point: Point,
    pub mark: Mark,
    /// Where flights between impacts vanish, known to all digits, whether the orbit without them is a motion.
    pub touching: Option<bool>,
    /// Whether its test function has a double zero where a time vanishes with it: the place is then known to half its digits.
    pub double: bool,
}

impl Candidate {
    fn parameter(&self) -> f64 {
        self.point.unknowns[self.point.unknowns.len() - 1]
    }

    fn is_turn(&self) -> bool {
        matches!(self.mark.kind, SpecialKind::Fold | SpecialKind::BranchPoint)
    }

    /// Of several names of one place the one of the lowest rank is kept.
    fn rank(&self) -> (usize, bool) {
        let kind = match (self.mark.kind, &self.mark.place) {
            (SpecialKind::Graze, Place::Node(_)) => 0,
            (SpecialKind::Graze, _) => 1,
            // A change of a determinant's sign with no other curve.
            (SpecialKind::BranchPoint, _) if self.mark.other.is_none() => 4,
            (SpecialKind::BranchPoint, _) | (_, Place::Node(_)) => 2,
            _ => 3,
        };
        (kind, self.double)
    }

    /// Whether two zeros at the same parameter are one: both turns of the curve, or the same event.
    fn is_again(&self, other: &Candidate) -> bool {
        let (own, mark) = (&self.mark, &other.mark);
        let named = (own.kind, own.contact, &own.place) == (mark.kind, mark.contact, &mark.place);
        self.is_turn() && other.is_turn() || named
    }

    /// Whether two zeros at the same arclength are one event of a contact.
    fn is_same_event(&self, other: &Candidate) -> bool {
        let (x, y) = (&self.mark, &other.mark);
        let both = |kind: SpecialKind| x.kind == kind && y.kind == kind && x.contact == y.contact;
        // What begins with zero may have its minimum there.
        let between = |mark: &Mark| matches!(mark.place, Place::Between { .. });
        both(SpecialKind::Graze) || both(SpecialKind::Boundary) && between(x) != between(y)
    }

    /// Whether its parameter is that value, as well as places of double zeros are known.
    pub(super) fn is_near(&self, value: f64, width: f64) -> bool {
        (self.parameter() - value).abs() <= BESIDE_CROSSING * width
    }

    /// The node, the contact and the parameter of a bound that is reached without a rate, if it is one.
    pub(super) fn release_without_rate(&self) -> Option<(usize, usize, f64)> {
        match (&self.mark.place, self.mark.contact) {
            (Place::Node(node), Some(contact)) if self.double => Some((*node, contact, self.parameter())),
            _ => None,
        }
    }

    /// Whether it lies where flights of that contact vanish, solved for without them: their borders, and the determinants that are zero with them.
    fn is_beside(&self, (value, contact): (f64, Option<usize>), width: f64) -> bool {
        let near = self.is_near(value, width);
        let determinant = matches!(
            self.mark.kind,
            SpecialKind::BranchPoint | SpecialKind::PeriodDoubling | SpecialKind::SymmetryBreaking
        );
        let border = self.mark.contact == contact && is_border(&self.mark);
        self.touching.is_none() && near && (border || determinant)
    }
}

/// One candidate for every place, in the order of the curve; `width` is that of the range of the parameter.
pub(super) fn distinct(mut candidates: Vec<Candidate>, width: f64) -> Vec<Candidate> {
    let crossed = candidates.iter().filter(|one| one.touching.is_some());
    let crossings: Vec<(f64, Option<usize>)> = crossed.map(|one| (one.parameter(), one.mark.contact)).collect();
    candidates.retain(|one| !crossings.iter().any(|&crossing| one.is_beside(crossing, width)));
    candidates.sort_by(|a, b| a.point.arclength.total_cmp(&b.point.arclength));
    let mut kept: Vec<Candidate> = Vec::new();
    for one in candidates {
        let level = |x: &Candidate| (x.parameter() - one.parameter()).abs() <= SAME_PARAMETER * width;
        let near = |x: &Candidate| one.point.arclength - x.point.arclength <= SAME_ARCLENGTH;
        let again = kept.iter().rposition(|x| level(x) && x.is_again(&one));
        let event = kept.iter().rposition(|x| near(x) && x.is_same_event(&one));
        match again.or(event) {
            Some(at) if one.rank() < kept[at].rank() => kept[at] = one,
            Some(_) => {}
            None => kept.push(one),
        }
    }
    kept
}

/// Whether orbits may become inadmissible (virtual) at a point of this kind.
pub(super) fn is_border(mark: &Mark) -> bool {
    matches!(mark.kind, SpecialKind::Graze | SpecialKind::Boundary | SpecialKind::StickLoss)
}

/// An orbit at which two events of a signature become one.
pub(super) struct Coalesced {
    /// The first of them, counted among events.
    pub index: usize,
    /// All events after which a time vanishes there.
    pub together: Vec<usize>,
    /// The orbit, once for each contact.
    pub found: Vec<Found>,
}

impl Coalesced {
    /// Whether the time after an event vanishes there too.
    pub(super) fn contains(&self, index: usize) -> bool {
        self.together.contains(&index)
    }

    /// Whether the curve ends there, by the times at the first point of the interval: what vanishes is gone where its time is negative.
    pub(super) fn ends(&self, durations: &[f64]) -> bool {
        durations[self.index] > 0.0
    }
}

/// Adds coalescences to what was found, in the order of the curve, and cuts the curve where it ends; whether it does. `durations` are those at the first
/// point of the interval, `width` is that of the range of the parameter.
pub(super) fn end_at_coalescences(
    found: &mut Vec<Found>,
    coalesced: Vec<Coalesced>,
    durations: &[f64],
    width: f64,
) -> bool {
    for one in coalesced {
        // Beside the end the equations are singular.
        let falls = one.ends(durations);
        let Coalesced { index, found: mut own, .. } = one;
        for mark in own.iter_mut().filter_map(|found| found.special.as_mut()) {
            mark.ended = mark.ended.take().filter(|_| falls);
        }
        let left = |found: &Found| found.sample.inspection.durations[index] > VANISHED_TIME * found.sample.point.period;
        // The coefficient that vanishes is a test function too, and the parameter may turn in a fold of the singular equations.
        let value = |found: &Found| found.sample.curve.unknowns.last().copied().unwrap_or(f64::NAN);
        let again = |found: &Found| {
            let kind = found.special.as_ref().map(|mark| mark.kind);
            let same = matches!(kind, Some(SpecialKind::Boundary | SpecialKind::Fold | SpecialKind::BranchPoint));
            same && (value(found) - value(&own[0])).abs() <= SAME_PARAMETER * width
        };
        let outside = |found: &Found| left(found) || !falls && found.sample.inspection.durations[index] < 0.0;
        found.retain(|one| !again(one) && outside(one));
        found.append(&mut own);
    }
    found.sort_by(|x, y| x.sample.curve.arclength.total_cmp(&y.sample.curve.arclength));
    let last = found.iter().position(|found| found.special.as_ref().is_some_and(|mark| mark.ended.is_some()));
    found.truncate(last.map_or(found.len(), |last| last + 1));
    last.is_some()
}

/// Counts the border of admissible orbits as one of them, whatever rounding says at the border itself: the first one if orbits are admissible before, the last
/// one if they are afterwards. The parts of a symmetric orbit reach their borders together, and a curve that turns at its border does so at the same orbit.
pub(super) fn admit_borders(found: &mut [Found], (before, after): (bool, bool), width: f64) {
    let borders = |found: &Found| found.special.as_ref().is_some_and(is_border);
    let value = |found: &Found| found.sample.curve.unknowns.last().copied().unwrap_or(f64::NAN);
    let place = |found: &Found| found.sample.curve.arclength;
    let mut places = found.iter().filter(|found| borders(found)).map(|found| (value(found), place(found)));
    let leaves = places.clone().next().filter(|_| before);
    let enters = places.next_back().filter(|_| after);
    for found in found.iter_mut().filter(|found| borders(found)) {
        let (at, along) = (value(found), place(found));
        // Where other orbits cross at the border, places are known to half their digits.
        let same = |border: &&(f64, f64)| {
            let off = (border.1 - along).abs();
            off <= SAME_ARCLENGTH || off <= BESIDE_CROSSING && (border.0 - at).abs() <= SAME_PARAMETER * width
        };
        let near = [leaves, enters].iter().flatten().any(|border| same(&border));
        found.sample.point.admissible |= near;
    }
    let known: Vec<(f64, f64, bool)> =
        found.iter().filter(|x| borders(x)).map(|x| (value(x), place(x), x.sample.point.admissible)).collect();
    let turns = |x: &&mut Found| x.special.as_ref().is_some_and(|mark| mark.kind == SpecialKind::Fold);
    for fold in found.iter_mut().filter(turns) {
        let (at, along) = (value(fold), place(fold));
        // The same orbit, and not another one at nearly the same value.
        let same = |border: &&(f64, f64, bool)| {
            (border.0 - at).abs() <= SAME_PARAMETER * width && (border.1 - along).abs() <= BESIDE_CROSSING
        };
        if let Some(border) = known.iter().find(same) {
            fold.sample.point.admissible = border.2;
        }
    }
}
