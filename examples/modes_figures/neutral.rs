//! Figure 16: motions near a neutrally stable one.

use saltation_draw::{Axis, Color, Figure, Layer, Panel, Points};
use saltation_modes::{LinearModes, Motion, Search, Single, single, stability};

use super::Outcome;
use super::chain::{MASSES, chain, spread};
use super::families::families;
use super::flight::State;
use super::view::View;

/// By how much the amplitudes are changed at the start, relative to all of them, for one, two and three impacts. With
/// three impacts the motion leaves for good if it is changed twice as much.
const CHANGES: [f64; 3] = [3e-2, 1e-2, 1e-3];

/// How many periods are waited for, and how many are drawn then; in how many the motions of a family are compared.
const PERIODS: usize = 1000;
const SHOWN: usize = 12;
const COMPARED: usize = 60;

/// Of all motions that are neutrally stable, the one near which a perturbed motion stays best.
fn neutral(modes: &LinearModes, motions: impl Iterator<Item = Motion>) -> Option<Motion> {
    let neutral = motions.filter(|motion| stability(modes, motion).is_some_and(|s| s.is_neutral()));
    let known = neutral.filter_map(|motion| Some((largest(&distances(modes, &motion, COMPARED, |_, _| ())?), motion)));
    known.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, motion)| motion)
}

/// By how much the start of a motion is changed.
fn change(motion: &Motion) -> f64 {
    CHANGES[motion.impacts() - 1]
}

/// A neutrally stable motion with k impacts.
fn example(modes: &LinearModes, impacts: usize) -> Outcome<Motion> {
    let found = if impacts == 1 {
        let inside = |interval: single::Interval| spread(interval.from, interval.to, 80).skip(1).take(78);
        let periods = single::intervals(modes, 0.0, 5.0).into_iter().flat_map(inside);
        neutral(modes, periods.map(|period| Single::new(modes, period).motion(modes)))
    } else {
        let search = Search { impacts, periods: (1.0, 5.0), starts: 800, ..Search::default() };
        neutral(modes, families(modes, &search, 0.01).into_iter().flat_map(|family| family.motions))
    };
    Ok(found.ok_or_else(|| format!("a motion with {impacts} impacts is neutrally stable"))?)
}

/// The start of a motion with other velocities, of the same energy and still on the wall.
fn perturbed<'m>(modes: &'m LinearModes, motion: &Motion, change: f64) -> State<'m> {
    let mut state = State::new(modes, motion.amplitudes.clone());
    let energy = state.twice_energy();
    let size = energy.sqrt() * change;
    for (c, direction) in state.amplitudes.iter_mut().zip([0.5, -0.3, 0.6, -0.4, 0.37]) {
        c[1] += size * direction;
    }
    let (re, im) = state.amplitudes.iter().fold((0.0, 0.0), |(re, im), c| (re + c[0] * c[0], im + c[1] * c[1]));
    let factor = ((energy - re) / im).sqrt();
    state.amplitudes.iter_mut().for_each(|c| c[1] *= factor);
    state
}

/// The distances of a perturbed motion from the mode at the beginnings of so many periods; `None` if it has no more impacts. Every
/// flight, with its duration, is passed on with the number of the period.
fn distances(
    modes: &LinearModes,
    motion: &Motion,
    periods: usize,
    mut tell: impl FnMut(usize, (&State, f64)),
) -> Option<Vec<f64>> {
    let start = State::new(modes, motion.amplitudes.clone());
    let mut state = perturbed(modes, motion, change(motion));
    let mut distances = vec![start.distance(&state)];
    for period in 0..periods {
        for _ in 0..motion.impacts() {
            let flight = state.flight()?;
            tell(period, (&state, flight));
            state = state.later(flight).reflected();
        }
        distances.push(start.distance(&state));
    }
    Some(distances)
}

fn largest(distances: &[f64]) -> f64 {
    distances.iter().copied().fold(0.0, f64::max)
}

/// Figure 16.
pub(crate) fn after_many_periods() -> Outcome<Figure> {
    let modes = chain(1.0)?;
    let view = View { right: 0.45, up: 2.0 };
    let mut figure =
        Figure::new("Neutrally stable motions with one, two and three impacts per period").size(720.0, 1560.0);
    let mut away = Panel::new(
        Axis::new("number of periods").between(0.0, (PERIODS + SHOWN) as f64),
        Axis::new("distance from the mode, relative").log(),
    );
    for impacts in 1..=3 {
        let motion = example(&modes, impacts)?;
        let mut path = Points::new();
        let found = distances(&modes, &motion, PERIODS + SHOWN, |period, (state, flight)| {
            if period >= PERIODS {
                path.extend(spread(0.0, flight, 160).map(|t| {
                    let (u, v) = state.later(t).place();
                    view.place((u[MASSES - 2], u[MASSES - 1], v[MASSES - 1]))
                }));
                path.push((f64::NAN, f64::NAN));
            }
        });
        let found = found.ok_or("the perturbed motion goes on")?;
        let color = [Color::BLUE, Color::VERMILLION, Color::GREEN][impacts - 1];
        let history = found.iter().enumerate().map(|(period, distance)| (period as f64, *distance));
        away = away.layer(
            Layer::cloud(history)
                .color(color)
                .width(2.0)
                .opacity(0.8)
                .label(format!("k = {impacts}, changed by {}", CHANGES[impacts - 1])),
        );
        let mut panel = view.panel([0.8, 1.0, 4.0]);
        panel.y.name = format!("k = {impacts}, T = {:.4}:  {}", motion.period(), panel.y.name);
        let changed = format!("perturbed, periods {} to {}", PERIODS + 1, PERIODS + SHOWN);
        figure = figure.panel(
            panel
                .layer(Layer::line(path).color(Color::ORANGE).width(1.5).label(changed))
                .layer(Layer::line(view.orbit(&modes, &motion)).color(Color::BLACK).width(0.6).label("mode")),
        );
    }
    let subtitle = "velocities are changed at the start, the energy is not; distances at the beginnings of periods, in the norm of the energy";
    Ok(figure.subtitle(subtitle).panel(away))
}
