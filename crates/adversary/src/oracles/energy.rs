//! The balance of energy on smooth motion: the kinetic energy grows by no more than the work of the forces h.
//!
//! For a constant M and surfaces at rest, contact forces do no work where contacts stick or do not rub and lose energy where they
//! slip. The work of h along a step is an integral by Gauss's rule with eight points.

use saltation_model::ImpactLaw;
use saltation_motion::EventKind;

use crate::dice::Dice;
use crate::subject::{Subject, Trial};
use crate::surface::{Surfaces, dot, exceeds};

/// What the balance may be off by, relative to the largest energy so far.
const ENERGY_TOLERANCE: f64 = 1e-9;
/// An impact that adds this many times the kinetic energy with which the first one began.
const GAINED: f64 = 1e4;
/// Nodes and weights of Gauss's rule on (-1, 1), half of each.
const GAUSS: [(f64, f64); 4] = [
    (0.183_434_642_495_649_8, 0.362_683_783_378_362),
    (0.525_532_409_916_329, 0.313_706_645_877_887_3),
    (0.796_666_477_413_626_7, 0.222_381_034_453_374_48),
    (0.960_289_856_497_536_3, 0.101_228_536_290_376_26),
];

/// Where energy comes from nowhere, if it does.
pub fn check(subject: &Subject, _: &mut Dice) -> Option<String> {
    let mechanics = subject.base.system.model().body.mechanics()?;
    let constant = mechanics.mass.iter().flatten().all(|&entry| {
        let graph = &subject.base.system.model().graph;
        graph.symbols_of(entry).iter().all(|symbol| !subject.base.system.model().state_symbols().contains(symbol))
    });
    if !constant || subject.body.rate.is_some() || !subject.body_has_no_belt() {
        return None;
    }
    let mut surfaces = Surfaces::new(&subject.base)?;
    let n = subject.body.degrees();
    let mut largest = 0.0_f64;
    for piece in subject.base.run.trajectory.as_ref()?.pieces().take(3000) {
        if piece.completes_chatter {
            continue;
        }
        let mut at = |since: f64| {
            let mut state = subject.base.run.state.clone();
            piece.evaluate(since, &mut state);
            let place = surfaces.at(&state);
            let v = &state[n..2 * n];
            (place.energy(v), dot(v, &place.force))
        };
        let (first, last) = (at(0.0).0, at(piece.length).0);
        let mut start = subject.base.run.state.clone();
        piece.evaluate(0.0, &mut start);
        let half = 0.5 * piece.length;
        let mut sides = |(node, weight): (f64, f64)| {
            let (left, right) = (at(half * (1.0 - node)).1, at(half * (1.0 + node)).1);
            (weight * (left + right), weight * (left.abs() + right.abs()))
        };
        let (work, size) = GAUSS.iter().map(|&pair| sides(pair)).fold((0.0, 0.0), |sum, x| (sum.0 + x.0, sum.1 + x.1));
        largest = largest.max(first).max(half * size);
        let gain = last - first - half * work;
        // At rest forces cancel, and the speeds that are left are rounding. Contacts carry the forces of all bodies, so that the acceleration of each is a sum of
        // terms as large as the sum of all forces. Every coordinate adds a product and a sum, once where contact forces are solved for and once where they act;
        // h works on the speeds that these roundings become.
        let place = surfaces.at(&start);
        let carried: f64 = place.force.iter().map(|f| f.abs()).sum();
        let accelerations = place.force.iter().zip(&place.mass).enumerate().map(|(i, (f, row))| f.abs() / row[i].abs());
        let rounding =
            4.0 * n as f64 * f64::EPSILON * carried * accelerations.sum::<f64>() * piece.length * piece.length;
        if exceeds(gain, (ENERGY_TOLERANCE * largest).max(rounding)) {
            return Some(format!(
                "the energy {first:e} grows by {gain:e} more than the work of the forces from {} to {}",
                piece.start,
                piece.start + piece.length
            ));
        }
    }
    None
}

/// Whether impacts by Newton's law with friction have made a body a hundred times faster and more: the law allows that (Kane's paradox), and what follows takes
/// as many times more impacts.
pub fn is_gained(trial: &Trial) -> bool {
    let model = trial.system.model();
    let has_friction = model.contacts.iter().any(|contact| contact.friction.is_some());
    let Some(first) = trial.run.events.iter().find(|event| event.kind == EventKind::Impact) else { return false };
    let (Some(mut surfaces), Some(mechanics)) = (Surfaces::new(trial), model.body.mechanics()) else { return false };
    let n = mechanics.mass.len();
    let energy = surfaces.at(&first.before).energy(&first.before[n..2 * n]);
    let gained = trial.run.events.iter().fold(0.0_f64, |most, event| most.max(event.energy));
    has_friction && model.impacts.law == ImpactLaw::Newton && gained > GAINED * energy
}
