//! All nonsmooth modes of a range in the plane of frequency and energy.

use std::f64::consts::TAU;

use saltation_draw::{Axis, Color, Figure, Layer, Marker, Panel, Points};
use saltation_modes::{End, Family, LinearModes, Search, Single, continuum, single};

use super::Outcome;
use super::chain::{chain, spread};
use super::families::families;

/// Frequencies and energies that are shown.
const FREQUENCIES: (f64, f64) = (0.9, 10.5);
const ENERGIES: (f64, f64) = (0.4, 3e3);

const GAP: (f64, f64) = (f64::NAN, f64::NAN);

/// One impact per period: every interval, and the linear modes that intervals end in.
fn singles(modes: &LinearModes) -> (Points, Vec<(usize, usize)>) {
    let (mut points, mut ends) = (Points::new(), Vec::new());
    for interval in single::intervals(modes, 0.0, TAU / FREQUENCIES.0) {
        // Denser at both ends.
        let inside = spread(0.0, 1.0, 240).map(|s| s * s * (3.0 - 2.0 * s)).filter(|s| *s > 0.0 && *s < 1.0);
        let periods = inside.map(|s| interval.from + s * (interval.to - interval.from));
        points.extend(periods.map(|period| (Single::new(modes, period).energy, TAU / period)));
        if let End::Harmonic { mode, multiple } = interval.ends {
            points.push((modes.grazing_energy(mode), TAU / interval.to));
            ends.push((mode, multiple));
        }
        points.push(GAP);
    }
    (points, ends)
}

fn curves(families: &[Family]) -> Points {
    let curve = |family: &Family| {
        let points: Points = family.motions.iter().map(|motion| (motion.energy(), TAU / motion.period())).collect();
        points.into_iter().chain([GAP])
    };
    families.iter().flat_map(curve).collect()
}

/// The linear modes in which families end, with the multiples of their periods: λ -> 0 at a harmonic, and the energy of the graze.
fn harmonic_ends(modes: &LinearModes, families: &[Family]) -> Vec<(usize, usize)> {
    let limits = families.iter().flat_map(|family| [&family.begins, &family.ends]);
    let mode = |limit: &saltation_modes::family::Limit| {
        (0..modes.len()).find_map(|p| {
            let multiple = (limit.period() / modes.period(p)).round();
            let at = (limit.period() - multiple * modes.period(p)).abs() < 1e-6;
            (at && (limit.energy / modes.grazing_energy(p) - 1.0).abs() < 1e-4).then_some((p, multiple as usize))
        })
    };
    limits.filter_map(mode).collect()
}

/// The picture beside those of the paper.
pub(crate) fn plane() -> Outcome<Figure> {
    let modes = chain(1.0)?;
    let search = |impacts: usize| Search { impacts, periods: (1.0, 6.0), starts: 1200, ..Search::default() };
    let (ones, mut ends) = singles(&modes);
    let (twos, threes) = (families(&modes, &search(2), 0.05), families(&modes, &search(3), 0.05));
    ends.extend(harmonic_ends(&modes, &twos));
    ends.extend(harmonic_ends(&modes, &threes));
    // All linear modes, whether a family begins at them or not.
    ends.extend((0..modes.len()).map(|mode| (mode, 1)));
    ends.sort_unstable();
    ends.dedup();
    let backbones = |multiple: bool| -> Points {
        let which = ends.iter().filter(|(_, m)| (*m > 1) == multiple);
        which
            .flat_map(|&(mode, m)| {
                let frequency = modes.frequencies()[mode] / m as f64;
                [(ENERGIES.0, frequency), (modes.grazing_energy(mode), frequency), GAP]
            })
            .collect()
    };
    let grazes = ends.iter().map(|&(mode, m)| (modes.grazing_energy(mode), modes.frequencies()[mode] / m as f64));
    let grazes: Points = grazes.collect();
    let bridges = continuum::bridges(&modes, 0.0, TAU / FREQUENCIES.0 / 2.0);
    let middles =
        bridges.iter().map(|bridge| (Single::new(&modes, bridge.flight_times[0]).energy, TAU / bridge.flight_times[0]));
    let middles: Points = middles.collect();
    let spans = bridges.iter().flat_map(|bridge| {
        let frequency = TAU / (2.0 * bridge.flight_times[0]);
        let energies = bridge.motions(&modes, 41).into_iter().map(|motion| motion.energy()).collect::<Vec<_>>();
        let low = energies.iter().copied().fold(f64::INFINITY, f64::min);
        let high = energies.iter().copied().fold(0.0, f64::max);
        [(low, frequency), (high, frequency), GAP]
    });
    let spans: Points = spans.collect();
    let starts: Points = spans.iter().step_by(3).copied().collect();
    let layers = |panel: Panel| {
        panel
            .layer(Layer::line(backbones(false)).color(Color::BLACK).width(1.2).dashed().label("linear mode ω"))
            .layer(Layer::line(backbones(true)).color(Color::GREY).width(0.7).dashed().label("ω/m"))
            .layer(Layer::line(ones.clone()).color(Color::BLUE).width(1.6).label("one impact"))
            .layer(Layer::line(curves(&twos)).color(Color::VERMILLION).width(1.6).label("two impacts"))
            .layer(Layer::line(curves(&threes)).color(Color::GREEN).width(1.6).label("three impacts"))
            .layer(Layer::line(spans.clone()).color(Color::PURPLE).width(3.0).label("bridge, at T = 2 T₀"))
            .layer(
                Layer::markers(Marker::Circle, middles.clone())
                    .color(Color::PURPLE)
                    .width(6.5)
                    .label("where a bridge begins, at T₀"),
            )
            .layer(Layer::markers(Marker::Circle, starts.clone()).color(Color::PURPLE).width(4.0))
            .layer(Layer::markers(Marker::Circle, grazes.clone()).color(Color::BLACK).width(3.5).label("graze"))
    };
    let energy = |(low, high): (f64, f64)| Axis::new("energy E").log().between(low, high);
    let whole =
        Panel::new(energy(ENERGIES), Axis::new("(a)  frequency 2π/T").log().between(FREQUENCIES.0, FREQUENCIES.1));
    let closer = Panel::new(energy(ENERGIES), Axis::new("(b)  frequency 2π/T").between(1.55, 2.45));
    Ok(Figure::new("Frequencies and energies of nonsmooth modes: the chain of five masses, wall at d = 1")
        .subtitle(format!(
            "all {} intervals with one impact per period and T < {:.2}; {} families with two and {} with three impacts; {} bridges",
            single::intervals(&modes, 0.0, TAU / FREQUENCIES.0).len(),
            TAU / FREQUENCIES.0,
            twos.len(),
            threes.len(),
            bridges.len()
        ))
        .size(820.0, 1180.0)
        .panel(layers(whole))
        .panel(layers(closer)))
}
