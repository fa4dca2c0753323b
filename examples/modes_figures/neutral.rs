//! Figure 16: does a motion near a neutrally stable one stay near?

use saltation::draw::{Color, Figure, Layer, Points};
use saltation::modes::{LinearModes, Motion, Search, Single, single, stability};

use crate::Outcome;
use crate::chain::{MASSES, chain, spread};
use crate::families::families;
use crate::flight::State;
use crate::view::View;

/// By how much the amplitudes are changed at the start, relative to all of them.
const PERTURBATION: f64 = 1e-3;

/// How many periods are waited for, and how many are drawn then.
const PERIODS: usize = 1000;
const SHOWN: usize = 12;

/// The motion in the middle of the longest stretch, of several, whose motions are all neutrally stable.
fn neutral(modes: &LinearModes, stretches: impl IntoIterator<Item = Vec<Motion>>) -> Option<Motion> {
    let mut best: Vec<Motion> = Vec::new();
    for stretch in stretches {
        let is_neutral = |motion: &Motion| stability(modes, motion).is_some_and(|s| s.is_neutral());
        let marked: Vec<(bool, Motion)> = stretch.into_iter().map(|motion| (is_neutral(&motion), motion)).collect();
        let longest = marked.split(|(neutral, _)| !neutral).max_by_key(|run| run.len()).unwrap_or_default();
        if longest.len() > best.len() {
            best = longest.iter().map(|(_, motion)| motion.clone()).collect();
        }
    }
    let middle = best.len() / 2;
    best.into_iter().nth(middle)
}

/// A neutrally stable motion with k impacts.
fn example(modes: &LinearModes, impacts: usize) -> Outcome<Motion> {
    let found = if impacts == 1 {
        let motions = |interval: single::Interval| -> Vec<Motion> {
            let periods = spread(interval.from, interval.to, 80).skip(1).take(78);
            periods.map(|period| Single::new(modes, period).motion(modes)).collect()
        };
        neutral(modes, single::intervals(modes, 0.0, 5.0).into_iter().map(motions))
    } else {
        let search = Search { impacts, periods: (1.0, 5.0), starts: 800, ..Search::default() };
        neutral(modes, families(modes, &search, 0.01).into_iter().map(|family| family.motions))
    };
    Ok(found.ok_or_else(|| format!("a motion with {impacts} impacts is neutrally stable"))?)
}

/// The start of a motion with other velocities, of the same energy and still on the wall.
fn perturbed<'m>(modes: &'m LinearModes, motion: &Motion) -> State<'m> {
    let mut state = State::new(modes, motion.amplitudes.clone());
    let energy = state.twice_energy();
    let size = energy.sqrt() * PERTURBATION;
    for (c, direction) in state.amplitudes.iter_mut().zip([0.5, -0.3, 0.6, -0.4, 0.37]) {
        c[1] += size * direction;
    }
    let (re, im) = state.amplitudes.iter().fold((0.0, 0.0), |(re, im), c| (re + c[0] * c[0], im + c[1] * c[1]));
    let factor = ((energy - re) / im).sqrt();
    state.amplitudes.iter_mut().for_each(|c| c[1] *= factor);
    state
}

/// What became of a perturbed motion: its largest distance from the mode at the beginnings of all periods, and its last periods.
fn after(modes: &LinearModes, motion: &Motion, view: View) -> (f64, Points) {
    let start = State::new(modes, motion.amplitudes.clone());
    let mut state = perturbed(modes, motion);
    let (mut farthest, mut path) = (0.0_f64, Points::new());
    for period in 0..PERIODS + SHOWN {
        for _ in 0..motion.impacts() {
            let flight = state.flight();
            if period >= PERIODS {
                path.extend(spread(0.0, flight, 160).map(|t| {
                    let (u, v) = state.later(t).place();
                    view.place((u[MASSES - 2], u[MASSES - 1], v[MASSES - 1]))
                }));
                path.push((f64::NAN, f64::NAN));
            }
            state = state.later(flight).reflected();
        }
        farthest = farthest.max(start.distance(&state));
    }
    (farthest, path)
}

/// Figure 16.
pub fn after_many_periods() -> Outcome<Figure> {
    let modes = chain(1.0)?;
    let view = View { right: 0.45, up: 2.0 };
    let mut figure =
        Figure::new("Neutrally stable motions with one, two and three impacts per period").size(720.0, 1300.0);
    let mut stories = Vec::new();
    for impacts in 1..=3 {
        let motion = example(&modes, impacts)?;
        let (farthest, path) = after(&modes, &motion, view);
        let mut panel = view.panel([0.8, 1.0, 4.0]);
        panel.y.name = format!("k = {impacts}:  {}", panel.y.name);
        let changed = format!("perturbed, periods {} to {}", PERIODS + 1, PERIODS + SHOWN);
        figure = figure.panel(
            panel
                .layer(Layer::line(path).color(Color::ORANGE).width(0.9).label(changed))
                .layer(Layer::line(view.orbit(&modes, &motion)).color(Color::BLUE).width(1.6).label("mode")),
        );
        stories.push(format!("T = {:.4}: {:.1}", motion.period(), farthest / PERTURBATION));
    }
    Ok(figure.subtitle(format!(
        "start changed by {PERTURBATION} of its size at the same energy; largest distance over {PERIODS} periods, as a multiple of that: {}",
        stories.join(", ")
    )))
}
