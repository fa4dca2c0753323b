//! Figure 15: a family with seven impacts per period whose ends are one motion, forward and backward in time.

use saltation_draw::{Axis, Color, Figure, Layer, Marker, Panel, Points};
use saltation_modes::{End, Family, LinearModes, Mirror, Motion, Search, SpecialKind, sequence};

use super::Outcome;
use super::chain::{chain, last_mass};
use super::families::{families, steps};

/// k.
const IMPACTS: usize = 7;

/// A family through a time-symmetric motion while its neighbours are not symmetric.
pub(crate) struct Mirrored {
    motions: Vec<Motion>,
    symmetric: Motion,
    mirror: Mirror,
    ends: [End; 2],
}

/// Ends that are reversals of each other agree as well as they were located.
const REVERSED: f64 = 1e-6;

impl Mirrored {
    /// The family across a symmetric one: with a sequence of flights c, b, a, b, c, d, d in the middle, and ends that are no mirror images
    /// of themselves but of each other.
    fn new(modes: &LinearModes, family: Family, symmetric: &Motion) -> Option<Mirrored> {
        let (first, last) = (family.motions.first()?, family.motions.last()?);
        let reversed = sequence::same(first, last, REVERSED) && sequence::asymmetry(first) > 0.02;
        let mirror = sequence::mirror(symmetric, REVERSED)?;
        if !reversed {
            return None;
        }
        // Flight f is its own image; it becomes the third one.
        let own = (1..=IMPACTS).find(|f| (2 * f) % IMPACTS == mirror.sum % IMPACTS)?;
        let turned = |motion: &Motion| motion.rotated(modes, (own + 2 * IMPACTS - 4) % IMPACTS);
        let symmetric = turned(symmetric);
        let mirror = sequence::mirror(&symmetric, REVERSED)?;
        let motions = family.motions.iter().map(turned).collect();
        Some(Mirrored { motions, symmetric, mirror, ends: [family.begins.end, family.ends.end] })
    }

    /// How far the ends are from symmetric motions.
    fn asymmetry(&self) -> f64 {
        sequence::asymmetry(&self.motions[0])
    }
}

/// Of all such families that the search meets and whose ends are impacts without speed, the one that goes farthest from symmetry.
fn widest(modes: &LinearModes) -> Outcome<Mirrored> {
    let search = Search { impacts: IMPACTS, periods: (7.0, 7.5), starts: 12_000, ..Search::default() };
    let mut widest: Option<Mirrored> = None;
    for family in families(modes, &search, 0.05) {
        for special in &family.special {
            let SpecialKind::BranchPoint(crossing) = &special.kind else { continue };
            let across = Family::across(modes, crossing, &steps(&search, 0.02), |_| true);
            let found = across.and_then(|across| Mirrored::new(modes, across, &special.motion));
            let grazes = |found: &Mirrored| found.ends.iter().all(|end| matches!(end, End::Graze { .. }));
            let wider = |found: &Mirrored| widest.as_ref().is_none_or(|known| found.asymmetry() > known.asymmetry());
            if let Some(found) = found.filter(|found| grazes(found) && wider(found)) {
                widest = Some(found);
            }
        }
    }
    Ok(widest.ok_or("a family has ends that are reversals of each other")?)
}

/// The middle of the third flight.
fn middle(motion: &Motion) -> f64 {
    0.5 * (motion.impact_times[1] + motion.impact_times[2])
}

/// Figure 15.
pub(crate) fn reversal() -> Outcome<Figure> {
    let modes = chain(1.0)?;
    let Mirrored { motions, symmetric, mirror, .. } = widest(&modes)?;
    let (first, last) = (&motions[0], &motions[motions.len() - 1]);
    let between = &motions[motions.len() / 4];
    let longest = motions.iter().map(Motion::period).fold(symmetric.period(), f64::max);
    let panel = |name: &str, motion: &Motion| {
        let impacts = std::iter::once(0.0).chain(motion.impact_times.iter().copied());
        let (strong, weak): (Points, Points) = impacts
            .zip(std::iter::once(&motion.lambda[IMPACTS - 1]).chain(&motion.lambda))
            .map(|(t, lambda)| ((t, modes.gap()), *lambda))
            .fold(Default::default(), |(mut strong, mut weak): (Points, Points), (point, lambda)| {
                (if lambda > 1e-6 { &mut strong } else { &mut weak }).push(point);
                (strong, weak)
            });
        Panel::new(Axis::new("time t").between(0.0, longest), Axis::new(name))
            .layer(Layer::horizontal(modes.gap()).color(Color::BLACK).width(1.2).label("wall"))
            .layer(Layer::line(last_mass(&modes, motion, 0.0)).color(Color::BLUE).width(1.6).label("motion"))
            .layer(Layer::markers(Marker::Circle, strong).color(Color::BLACK).width(5.0).label("impact"))
            .layer(
                Layer::markers(Marker::Circle, weak).color(Color::VERMILLION).width(8.0).label("impact without speed"),
            )
    };
    // The first end backward, so that the middles of the third flights fall together.
    let period = first.period();
    let turned = (middle(first) + middle(last)).rem_euclid(period);
    let backward = last_mass(&modes, first, turned).into_iter().map(|(t, x)| (period - t, x));
    let (low, high) = last_mass(&modes, &symmetric, 0.0)
        .iter()
        .fold((0.0_f64, 0.0_f64), |(low, high), p| (low.min(p.1), high.max(p.1)));
    let axes: Points = mirror.axes.iter().flat_map(|&t| [(t, low), (t, high), (f64::NAN, f64::NAN)]).collect();
    let axes = Layer::line(axes).color(Color::VERMILLION).width(1.2).dashed().label("axis of symmetry");
    let backward = Layer::line(backward).color(Color::ORANGE).width(1.6).dashed().label("(1) backward in time");
    let sigma = symmetric.flight_times();
    let names =
        [("a", 2), ("b", 1), ("c", 0), ("d", 5)].map(|(name, i)| format!("{name} = {:.4}", sigma[i])).join(", ");
    Ok(Figure::new("Seven impacts per period: a family through a symmetric motion")
        .subtitle(format!(
            "(3) has the flights c, b, a, b, c, d, d with {names}; the ends (1) and (4) are one motion, forward and backward in time; T = {:.5}, {:.5}, {:.5}, {:.5}",
            first.period(),
            between.period(),
            symmetric.period(),
            last.period()
        ))
        .size(820.0, 1080.0)
        .panel(panel("(1)  end, x₅", first))
        .panel(panel("(2)  between, x₅", between))
        .panel(panel("(3)  symmetric, x₅", &symmetric).layer(axes))
        .panel(panel("(4)  end, x₅", last).layer(backward)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_is_symmetric_and_the_ends_are_reversals() {
        let modes = chain(1.0).unwrap();
        let found = widest(&modes).unwrap();
        let sigma = found.symmetric.flight_times();
        for (i, j) in [(0, 4), (1, 3), (5, 6)] {
            assert!((sigma[i] - sigma[j]).abs() < 1e-9, "{sigma:?}");
        }
        // Axes of the sequence c, b, a, b, c, d, d: (t_2 + t_3)/2 and t_6.
        let axes = [middle(&found.symmetric), found.symmetric.impact_times[5]];
        assert!(found.mirror.axes.iter().zip(axes).all(|(a, b)| (a - b).abs() < 1e-9));
        let (first, last) = (&found.motions[0], &found.motions[found.motions.len() - 1]);
        let (a, b) = (first.flight_times(), last.flight_times());
        for (i, j) in [(0, 4), (1, 3), (2, 2), (3, 1), (4, 0), (5, 6), (6, 5)] {
            assert!((a[i] - b[j]).abs() < 1e-6, "{a:?} {b:?}");
        }
        assert!(
            found
                .motions
                .iter()
                .all(|motion| motion.verdict(&modes).is_admissible() || motion == first || motion == last)
        );
    }
}
